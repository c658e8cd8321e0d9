"""Advances of riders, whose section is not in force yet, are bounded as the option says."""

from __future__ import annotations

import skirmish
from msgspec.structs import replace

from pbem.core.ruleset import choose
from pbem.rulesets.siege.march import advance
from pbem.rulesets.siege.ruleset import CRY_HAVOC


def test_three_hexes_for_a_rider_two_on_foot_and_no_such_limit_by_default() -> None:
    hob = skirmish.battle({"hob": ("east", "sergeant", "0505")}).units["hob"]
    later, _ = choose(CRY_HAVOC, [], {"advance_limit": "fixed_2_foot_3_mounted"})
    assert later is not None
    rider = replace(hob, on="bayard")
    assert (advance.hex_limit(later, rider), advance.hex_limit(later, hob)) == (3, 2)
    assert (advance.hex_limit(CRY_HAVOC, rider), advance.hex_limit(CRY_HAVOC, hob)) == (0, 0)


def test_half_an_allowance_is_rounded_down() -> None:
    assert [advance.half(allowance) for allowance in (0, 1, 6, 7)] == [0, 0, 3, 3]
