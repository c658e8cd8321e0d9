"""The words of a siege's order files, by which letters, posts and files are read before the rules read them."""

from __future__ import annotations

from typing import Final

from pbem.core.vocabulary import Deed, Places, Section, Vocabulary

__all__ = ["VOCABULARY"]

_SECTIONS: Final = (
    Section("setup", ("placement", "placing", "place", "deploy", "deployment", "set up", "start", "aufstellung")),
    Section(
        "shoot",
        (
            *("shooting", "shots", "fire", "missile", "first missile", "missiles", "missile phase", "archery", "bows"),
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
            *("fights", "fighting", "attack", "attacks", "melee", "combat", "combats", "melee phase", "close combat"),
            *("kampf", "angriff", "angriffe", "nahkampf", "attaque", "attaques"),
        ),
    ),
    Section("day", ("day plan", "plan of the day", "siege day"), weak=True),
)

_DEEDS: Final = (
    Deed(
        "go",
        forms=("{names} (to|at|by) {place}...",),
        plain=(
            "{group} [moves |move |goes |go ](to|at|by){places}[ facing {letters}]",
            "{group} (move|moves|{arrow}){places}[ facing {letters}]",
        ),
        tells=("(to|at|by) {bare}",),
        does=("move[s]", "goes", "walk[s]", "run[s]", "marches", "stands"),
    ),
    Deed(
        "shoot",
        forms=("{names} at {any}",),
        plain=("{group} (shoot|shoots|fire|fires) at {any}[ at least {number}:{number}]", "{name} at {any}[ at least {number}:{number}]"),
        tells=("at (nearest|least)",),
        does=("shoot[s]", "fire[s]", "aim[s]", "hit[s]"),
    ),
    Deed(
        "attack",
        forms=("{names} attack[s] {name}...",),
        plain=("{group} attack[s] {any}[ at least {number}:{number}]",),
        tells=("attack[s]",),
        does=("attack[s]", "fight[s]", "charge[s]"),
        unended=("attack[s]",),
    ),
    Deed("stay", forms=("{names} stays",), does=("stay[s]", "waits")),
    Deed("turn", forms=("{names} turns {facing}",), does=("turns (n|s)",)),
    Deed(
        "step over",
        forms=("{names} steps over", "{names} goes (up|down)", "{names} (forward|back) {digit}"),
        tells=("steps over", "goes (up|down)"),
        unended=("up", "down"),
    ),
    Deed("mount", forms=("{names} mounts {name}",), tells=("mounts",), does=("mount[s]",), unended=("mounts",)),
    Deed("dismount", forms=("{names} dismounts to {rest}",), tells=("dismounts",), does=("dismount[s]",)),
    Deed("ride", forms=("{names} rides {name}",), does=("ride[s]",), unended=("rides",)),
    Deed("lead", forms=("{names} leads {rest}",), does=("lead[s]",), unended=("leads", "leading")),
    Deed("hitch", forms=("{names} hitches {rest}",), tells=("hitches",), unended=("hitches",)),
    Deed("unhitch", forms=("{names} unhitches {rest}",), tells=("unhitches",), unended=("unhitches",)),
    Deed("climb", forms=("{names} climbs {name}",), tells=("climbs",), does=("climb[s]",), unended=("climbs",)),
    Deed("topple", forms=("{names} topples {name}",), tells=("topples",), does=("topple[s]",), unended=("topples",)),
    Deed("take", forms=("{names} takes {name}",), does=("take[s]",), unended=("takes",)),
    Deed("work", forms=("{names} works {name}",), does=("works",), unended=("works",)),
    Deed("pick up", forms=("{names} pick[s] up {rest}",), does=("pick[s]",)),
    Deed("carry", forms=("{names} (carry|carries) {rest}",), tells=("carry",), does=("carry", "carries"), unended=("carry", "carries")),
    Deed("raise", forms=("{names} raise[s] {rest}",), tells=("raise",), does=("raise[s]",), unended=("raise[s]",)),
    Deed("shift", forms=("{names} shift[s] {rest}",), unended=("shift[s]",)),
    Deed("put down", forms=("{names} puts down {rest}",), does=("drop[s]", "put[s]")),
    Deed("put out", forms=("{names} puts out {rest}",)),
    Deed("enter", forms=("{names} enters at {rest}",), does=("enters",)),
    Deed("leave", forms=("{names} leaves the map{words}",), does=("leaves",)),
    Deed("pour", forms=("{names} pours {rest}",), tells=("pours",), does=("pour[s]",), unended=("pours",)),
    Deed("strike", forms=("{names} strikes {place}...",), tells=("strikes",), does=("strike[s]",), unended=("strikes",)),
    Deed("light", forms=("{names} lights {place}...",), does=("light[s]",), unended=("lights",)),
    Deed("fire", forms=("{names} fires {name} at...",), unended=("fires",)),
    Deed(
        "bombard",
        forms=("{names} bombard[s] {place}...", "bombard"),
        tells=("bombard[s]",),
        does=("bombard[s]",),
        unended=("bombard[s]",),
    ),
    Deed("skill", forms=("{names} has skill {rest}",), unended=("skill",)),
    Deed("fill", forms=("fill {place}...",), unended=("fill",)),
    Deed("rubble", forms=("rubble {place}...",), tells=("rubble",), unended=("rubble",)),
    Deed("repair", forms=("repair {name}...",), unended=("repair",)),
    Deed("assault", forms=("assault",), tells=("assault",)),
    Deed("lift the siege", forms=("lift the siege",)),
    Deed("resign", forms=("resign",), tells=("resign",)),
)

VOCABULARY: Final = Vocabulary(
    sections=_SECTIONS,
    deeds=_DEEDS,
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
        *("who", "do", "what", "at", "to", "path", "hexes", "facing", "across", "in", "on", "with", "engine", "item", "animals", "by"),
        *("from", "over", "steps", "value", "at-least"),
    ),
    standing=("wound", "retreat", "advance", "advance-who", "doorway", "land", "panic-who", "panic-way", "engines-lose", "repeat"),
    plans=("assault", "bombard", "rest", "resign", "stop"),
    ahead=("move",),
    idle=("moves", "shoots", "fights", "attacks", "is placed"),
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
        *("to", "at", "by", "or", "and", "least", "facing", "in", "with", "on", "from", "across", "leading", "over", "nearest", "fire"),
        *("up", "down"),
    ),
    told=("to", "at", "by", "attack[s]", "shoot[s]", "move[s]", "fires", "climbs", "takes", "greift", "attaque"),
    instead=("move", "attack", "shoot"),
    certain=("{bare}", "attack[s]", "shoot[s]"),
    titles=(
        *("shoot[ing]", "fire", "firing", "fight[ing]", "melee", "combat", "attack[s]", "day", "night", "beschuss", "kampf", "nahkampf"),
        *("tir[s]", "combat[s]"),
    ),
    joining=("fight", "fights", "fighting", "melee", "missile", "shoot", "shooting", "shots", "kampf", "tir", "tirs"),
)
