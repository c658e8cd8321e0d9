"""Hands: who stands where he can lay hands on what is beside him, neither above it nor below."""

from __future__ import annotations

from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import distance, hex_of, split_place
from pbem.rulesets.siege.ground import elevation, heights
from pbem.rulesets.siege.state.state import BELOW, Battle, Unit

Rules = Ruleset[Battle]


def reach(rules: Rules, battle: Battle, unit: Unit, place: str) -> bool:
    """Tell whether a figure could lay hands on what is in a place: it stands there or in a hex beside it, as
    high as that lies, or where stairs, a doorway or rubble lead from the one to the other.
    """
    near = (here for here in unit.at if distance(hex_of(here), hex_of(place)) <= 1)
    return any(_level(rules, battle, here, place) for here in near)


def _level(rules: Rules, battle: Battle, here: str, there: str) -> bool:
    if (split_place(here)[1] == BELOW) != (split_place(there)[1] == BELOW):
        return False
    as_high = heights.level(rules, battle, here) == heights.level(rules, battle, there)
    return as_high or elevation.joined(rules, battle, here, there)
