"""Landing: where a figure comes to lie that falls off something, and whom it falls on.

What made it fall, and what the fall does to it, is decided where it fell from (``toppling``). Who comes off a
horse is ``thrown``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from pbem.core.play import Play
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import distance, neighbours
from pbem.rulesets.siege.ground import terrain
from pbem.rulesets.siege.march import step, thrown
from pbem.rulesets.siege.orders import choices
from pbem.rulesets.siege.state.events import Fell
from pbem.rulesets.siege.state.state import Battle, Unit

Rules = Ruleset[Battle]
HIGH = ("walk", "tower", "keep", "platform")
"""Floors on which nobody comes to lie who falls off a ladder."""


@rule("S1.94f")
def around(rules: Rules, battle: Battle, unit: Unit, foot: str) -> list[str]:
    """Return the hexes round the foot of a ladder into which somebody may fall off it, free or not: never one
    on the wall.
    """
    afoot = replace(unit, on="", at=(foot,))
    near = (there for there in neighbours(foot) if there in battle.field.ground)
    return [
        there
        for there in near
        if terrain.terrain_at(rules, battle, there).floor not in HIGH
        and step.can_pass(rules, battle, afoot, foot, there)
    ]


def free(battle: Battle, unit: Unit, hexes: Sequence[str]) -> list[str]:
    """Return those hexes in which nobody else is."""
    return [hex_ for hex_ in hexes if all(id_ == unit.id for id_ in battle.living_in.get(hex_, ()))]


@rule("S1.94g")
def on_others(battle: Battle, unit: Unit, hexes: Sequence[str]) -> list[str]:
    """Return those hexes in which the falling figure would come to lie on somebody, those
    of enemies first.
    """
    open_ = free(battle, unit, hexes)
    held = [hex_ for hex_ in hexes if hex_ not in open_]
    return sorted(held, key=lambda hex_: not _of_foes(battle, unit, hex_))


def choose(rules: Rules, play: Play[Battle], unit: Unit, hexes: Sequence[str], rule_id: str, why: str) -> str:
    """Return the hex, of some, into which a figure falls: its owner chooses, else the first of them is taken.

    One hex is not a choice.
    """
    ranked = list(hexes)
    return choices.pick(
        rules,
        play,
        about="land",
        unit=unit.id,
        choices=ranked,
        default=ranked[0],
        rule=rule_id,
        why=why,
        wanted=wanted(play.state, unit, ranked),
    )


def wanted(battle: Battle, unit: Unit, ranked: Sequence[str]) -> Callable[[str], str]:
    """Return how ``away``, ``toward HEX`` or ``on-enemy`` picks one of some hexes; the first of those that
    are equally good.
    """

    def picked(said: str) -> str:
        verb, *rest = said.split()
        if verb == "away":
            return thrown.farthest_from_enemies(battle, unit, free(battle, unit, ranked) or ranked)[0]
        if verb == "toward":
            return min(ranked, key=lambda hex_: distance(hex_, rest[0]))
        return next((hex_ for hex_ in ranked if _of_foes(battle, unit, hex_)), "")

    return picked


def _of_foes(battle: Battle, unit: Unit, hex_: str) -> bool:
    return any(battle.foes(unit, battle.units[id_]) for id_ in battle.living_in.get(hex_, ()))


def fall(
    rules: Rules, play: Play[Battle], unit: Unit, hex_: str, cause: int, rule_id: str
) -> tuple[int, list[str]]:
    """Let a figure fall into a hex; return the number of the event, and those on whom it fell."""
    below = [id_ for id_ in play.state.living_in.get(hex_, ()) if id_ != unit.id]
    return play.happen(Fell(unit.id, (hex_,), cause, rule_id)), below


def off_a_ladder(rules: Rules, play: Play[Battle], id_: str, foot: str, cause: int) -> tuple[int, list[str]]:
    """Let a figure fall off a ladder that stood in a hex, where its owner wants; by itself farthest from its
    enemies, if need be on one.
    """
    unit = play.state.units[id_]
    hexes = around(rules, play.state, unit, foot)
    ranked = [
        *thrown.farthest_from_enemies(play.state, unit, free(play.state, unit, hexes)),
        *on_others(play.state, unit, hexes),
    ]
    hex_ = choose(rules, play, unit, ranked or [foot], "S1.94f", f"{id_} falls off a ladder")
    return fall(rules, play, unit, hex_, cause, "S1.94f")
