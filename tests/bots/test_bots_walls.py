"""Walls as bots see them: where ladders can stand, which battlement they go against, and what engines keep
free.
"""

from __future__ import annotations

import case_plugin
from castle_boards import SALIENT, WALL, castle, ladder
from msgspec.structs import replace

from pbem.bots import walls
from pbem.rulesets.anarchy.ruleset import ANARCHY
from pbem.rulesets.siege.state.state import Battle, Feature, Thing

FAR_MAN = {"hob": ("east", "spearman", "0401"), "wat": ("west", "peasant", "0108")}
TOWER = Thing("tower1", "siege-tower", ("0504", "0404", "0503"), facing="s", side="east")


def test_ladders_stand_before_every_parapet() -> None:
    found = list(walls.feet(castle(FAR_MAN)))
    assert [foot for foot, _, top in found if top == SALIENT] == ["0505", "0605", "0405"]
    assert [(foot, side) for foot, side, top in found if top != SALIENT] == [
        (f"{top[:2]}05", "s") for top in WALL if top != SALIENT
    ]


def test_none_stands_where_the_map_forbids_it_or_there_is_no_parapet() -> None:
    state = castle(FAR_MAN)
    forbidden = state.changed(
        field=replace(state.field, marks={**state.field.marks, walls.NO_LADDER: (SALIENT,)})
    )
    assert SALIENT not in {top for _, _, top in walls.feet(forbidden)}
    assert not walls.may_be_scaled(state, "0507", SALIENT)
    assert not walls.may_be_scaled(state, "0401", SALIENT)
    assert not walls.may_be_scaled(state, "0506", "0606")
    assert not walls.may_be_scaled(state, "0604", "0605")


def test_who_brings_ladders_storms_and_the_others_hold() -> None:
    state = castle(FAR_MAN, [ladder(1, "0401", "0402")])
    assert (walls.storms(state, "east"), walls.storms(state, "west")) == (True, False)
    assert (walls.holds_walls(state, "east"), walls.holds_walls(state, "west")) == (False, True)
    assert not walls.holds_walls(castle(FAR_MAN), "west")


def test_engines_keep_the_ground_before_them_as_far_as_the_wall() -> None:
    assert walls.lanes(castle(FAR_MAN, [TOWER]), "east") == {"0505", "0405"}
    assert walls.lanes(castle(FAR_MAN, [replace(TOWER, at=("0502", "0402", "0501"))]), "east", 1) == {
        "0503",
        "0403",
    }
    assert walls.lanes(castle(FAR_MAN, [TOWER]), "west") == frozenset()


def test_ladders_go_where_most_can_lean() -> None:
    assert walls.pressed_on(castle(FAR_MAN, [ladder(1, "0401", "0402")]), "east") == SALIENT
    assert walls.pressed_on(castle(FAR_MAN, [ladder(1, "0401", "0402")]), "west") == ""


def test_ladders_go_to_what_is_near_where_few_stand() -> None:
    near = [ladder(number, "0105", "0104") for number in range(1, 7)]
    assert walls.pressed_on(castle(FAR_MAN, near), "east") == "0106"
    held = {
        **FAR_MAN,
        "wat": ("west", "peasant", "0106"),
        "una": ("west", "peasant", "0206"),
        "rob": ("west", "peasant", "0306"),
    }
    assert walls.pressed_on(castle(held, near), "east") == SALIENT


def test_ladders_go_where_one_leans_already() -> None:
    leaning = [ladder(1, "0105", stands="raised", facing="s"), ladder(2, "0504", "0503")]
    assert walls.pressed_on(castle(FAR_MAN, leaning), "east") == "0106"


def test_ladders_leave_its_way_to_an_engine() -> None:
    assert walls.pressed_on(castle(FAR_MAN, [ladder(1, "0704", "0703")]), "east") == SALIENT
    assert walls.pressed_on(castle(FAR_MAN, [ladder(1, "0704", "0703"), TOWER]), "east") == "0706"
    kept = frozenset({"0605", "0505", "0405"})
    assert walls.pressed_on(castle(FAR_MAN, [ladder(1, "0504", "0503")]), "east", kept) == "0306"


def test_a_side_fills_moat_where_ladders_stand_side_by_side() -> None:
    state = stanmere("setup.1.besiegers")
    found = walls.to_fill(state, "besiegers", ["0929", "1729"])
    assert len(found) == 6
    assert all(walls.wet(state, hex_) for hex_ in found)
    tops = {top for foot, _, top in walls.feet(state) if foot in found}
    assert len(tops) >= 5
    assert walls.to_fill(state, "garrison", ["0929"]) == []


def test_no_ladder_goes_where_a_hoarding_hangs() -> None:
    feet = {foot for foot, _, _ in walls.feet(stanmere("setup.1.besiegers"))}
    assert feet.isdisjoint({"1319", "1419", "1519", "1919", "2019", "2219"})
    assert {"1619", "1015"} <= feet


def test_ladders_go_to_dry_ground_if_there_is_any() -> None:
    dry = {("1619", "filled"): Feature("1619", "filled")}
    state = stanmere("t1.besiegers.movement").changed(features=dry)
    assert walls.pressed_on(state, "besiegers") == "1618"


def stanmere(at: str) -> Battle:
    given = {"scenario": "timber-on-the-wall", "at": at}
    return case_plugin.battle_of(case_plugin.chosen(ANARCHY, given), given)
