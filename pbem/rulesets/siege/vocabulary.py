"""The words of a siege's order files, by which letters, posts and files are read before the
rules read them.
"""

from __future__ import annotations

from typing import Final

from pbem.core.vocabulary import Places, Section, Vocabulary
from pbem.rulesets.siege.deeds.deeds import ALL

__all__ = ["VOCABULARY"]

_SECTIONS: Final = (
    Section(
        "setup", ("placement", "placing", "place", "deploy", "deployment", "set up", "start", "aufstellung")
    ),
    Section(
        "shoot",
        (
            *(
                "shooting",
                "shots",
                "fire",
                "missile",
                "first missile",
                "missiles",
                "missile phase",
                "archery",
                "bows",
            ),
            *("schießen", "schuss", "tir"),
        ),
    ),
    Section(
        "move",
        (
            *("moves", "movement", "moving", "movements", "movement phase", "march"),
            *("bewegung", "bewegen", "zug", "züge", "mouvement"),
        ),
    ),
    Section(
        "shoot-again",
        ("second archery", "second shooting", "second missile", "shooting again", "shoot 2", "shoot two"),
    ),
    Section(
        "fight",
        (
            *(
                "fights",
                "fighting",
                "attack",
                "attacks",
                "melee",
                "combat",
                "combats",
                "melee phase",
                "close combat",
            ),
            *("kampf", "angriff", "angriffe", "nahkampf", "attaque", "attaques"),
        ),
    ),
    Section("day", ("day plan", "plan of the day", "siege day"), weak=True),
)

VOCABULARY: Final = Vocabulary(
    sections=_SECTIONS,
    deeds=ALL.words,
    places=Places(
        form="[0-9]{4}(?:@[a-z0-9]{1,8})?",
        bare="[0-9]{4}",
        unlike="(?:19|20)[0-9]{2}",
        mistyped="[0-9OoIl]{1,2}[-,./ ]?[0-9OoIl]{1,2}",
        signed="[0-9]{3,4}",
        called=("hex",),
    ),
    facings=("n", "ne", "se", "s", "sw", "nw"),
    keys=(
        *(
            "who",
            "do",
            "what",
            "at",
            "to",
            "path",
            "hexes",
            "facing",
            "across",
            "in",
            "on",
            "with",
            "engine",
            "item",
            "animals",
            "by",
        ),
        *("from", "over", "steps", "value", "at-least"),
    ),
    standing=(
        "wound",
        "retreat",
        "advance",
        "advance-who",
        "doorway",
        "land",
        "panic-who",
        "panic-way",
        "defend",
        "engines-lose",
        "repeat",
    ),
    plans=("assault", "bombard", "rest", "resign", "stop"),
    ahead=("move",),
    idle=("shoots", "fights", "attacks"),
    unended=("to", "at", "by", "or", "and", "least", "facing", "in", "with", "on", "from", "across", "over"),
    onward=(
        "at least {digit}",
        "[(to|at|by|in|on|from|or|and) ]{alone}",
        "(facing|across) {facing}$",
        "with fire$",
        "and over$",
        "attack[s] {letter}",
        "or {any}$",
        "leading {letter}",
    ),
    joints=(
        *(
            "to",
            "at",
            "by",
            "or",
            "and",
            "least",
            "facing",
            "in",
            "with",
            "on",
            "from",
            "across",
            "leading",
            "over",
            "nearest",
            "fire",
        ),
        *("up", "down"),
    ),
    told=(
        "to",
        "at",
        "by",
        "attack[s]",
        "shoot[s]",
        "move[s]",
        "fires",
        "climbs",
        "takes",
        "greift",
        "attaque",
    ),
    instead=("move", "attack", "shoot"),
    certain=("{bare}", "attack[s]", "shoot[s]"),
    titles=(
        *(
            "shoot[ing]",
            "fire",
            "firing",
            "fight[ing]",
            "melee",
            "combat",
            "attack[s]",
            "day",
            "night",
            "beschuss",
            "kampf",
            "nahkampf",
        ),
        *("tir[s]", "combat[s]"),
    ),
    joining=(
        "fight",
        "fights",
        "fighting",
        "melee",
        "missile",
        "shoot",
        "shooting",
        "shots",
        "kampf",
        "tir",
        "tirs",
    ),
)
