"""Stacking: how many may stand in one hex, and who may be passed on the way."""

from __future__ import annotations

from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import hex_of, split_place
from pbem.rulesets.siege.state.state import Battle, Unit

Rules = Ruleset[Battle]
PASSED = "he may pass there, but not stop"


def others_on(battle: Battle, unit: Unit, place: str) -> list[Unit]:
    """Return the living figures on a place beside one; those on another level of the hex do not count."""
    found = []
    for id_ in battle.living_in.get(hex_of(place), ()):
        other = battle.units[id_]
        if id_ != unit.id and (place in other.at or any(meet(place, there) for there in other.at)):
            found.append(other)
    return found


def meet(one: str, other: str) -> bool:
    """Tell whether two places are the same to stand on."""
    return hex_of(one) == hex_of(other) and not on_two_levels(one, other)


@rule("S1.62b", "S2.46a")
def on_two_levels(one: str, other: str) -> bool:
    """Tell whether two places of a hex are levels of it, one above the other, so that each
    may hold a figure.
    """
    return split_place(one)[1] != split_place(other)[1]


@rule("S1.62a")
def taken(rules: Rules, battle: Battle, unit: Unit, place: str) -> bool:
    """Tell whether another living figure holds a place: two never stand in one hex."""
    return hex_of(place) in battle.living_in and bool(others_on(battle, unit, place))


def occupied(
    rules: Rules, battle: Battle, unit: Unit, place: str, spend: int, help: str = PASSED
) -> Problem | None:
    """Return who keeps a figure with so many points from ending its move on a place; None if nobody does."""
    if not taken(rules, battle, unit, place):
        return None
    other = others_on(battle, unit, place)[0].id
    return Problem(
        "movement.occupied",
        {"unit": unit.id, "hex": place, "points": spend, "other": other},
        rule="S1.62a",
        help=help,
    )


def may_stop(rules: Rules, battle: Battle, unit: Unit, place: str) -> bool:
    """Tell whether a figure may end its move on a place."""
    return not taken(rules, battle, unit, place)
