"""How the sergeant spends the days of a siege: stones on one wall, mending, an assault when there is a breach
or no time left.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from bot_boards import chance
from msgspec.structs import replace

sys.path.append(str(Path(__file__).resolve().parents[1] / "rulesets" / "siege"))

import case_plugin
from siege_castle import laid

from pbem.bots import besieger, paper, sergeant
from pbem.geometry.hex import distance
from pbem.rulesets.siege.ruleset import SIEGE
from pbem.rulesets.siege.state.state import Battle, Feature


def morning(day: int = 1, **more: Any) -> tuple[Any, Battle]:
    rules, battle = laid()
    at = replace(battle.at, day=day, turn=0, phase="day", side="baron")
    return rules, battle.changed(at=at, **more)


def test_all_engines_throw_at_one_wall_near_the_besieger() -> None:
    rules, battle = morning()
    assert list(besieger.day(rules, battle, "baron")) == ["mangonel1, trebuchet1, trebuchet2 bombard 0103"]
    assert sergeant.orders(rules, battle, "baron", chance()) == {
        "day": ["mangonel1, trebuchet1, trebuchet2 bombard 0103"]
    }
    assert (
        paper.refused(rules, battle, "baron", {"day": ["mangonel1, trebuchet1, trebuchet2 bombard 0103"]})
        == frozenset()
    )


def test_a_wall_that_is_damaged_is_gone_on_with() -> None:
    rules, battle = morning(features={("0603", "wall"): Feature("0603", "wall", damage=1)})
    assert list(besieger.day(rules, battle, "baron")) == ["mangonel1, trebuchet1, trebuchet2 bombard 0603"]


@pytest.mark.parametrize(
    ("day", "breach", "due"), [(1, False, False), (2, False, False), (3, False, True), (1, True, True)]
)
def test_he_storms_a_breach_or_on_the_last_day(day: int, breach: bool, due: bool) -> None:
    features = {("0603", "rubble"): Feature("0603", "rubble")} if breach else {}
    rules, battle = morning(day, features=features)
    assert besieger.time_to_storm(battle) is due
    assert (list(besieger.day(rules, battle, "baron")) == ["assault"]) is due


def test_what_is_worn_is_mended_and_the_others_go_on() -> None:
    rules, battle = morning()
    things = {**battle.things, "trebuchet1": replace(battle.things["trebuchet1"], lost=2)}
    said = list(besieger.day(rules, battle.changed(things=things), "baron"))
    assert said == ["repair trebuchet1", "mangonel1, trebuchet2 bombard 0103"]


def assault(at: str, **more: Any) -> tuple[Any, Battle]:
    given = {"scenario": "six-days", "at": at, **more}
    rules = case_plugin.chosen(SIEGE, given)
    return rules, case_plugin.battle_of(rules, given)


def test_in_an_assault_moat_is_filled_for_ladders_though_a_tower_comes() -> None:
    rules, battle = assault("d6.setup.1.baron")
    said = sergeant.orders(rules, battle, "baron", chance())
    filled = [line.split()[1] for line in said["setup"] if line.startswith("fill ")]
    assert {*filled[:4]} == {"0908", "1008", "1108", "1208"}
    assert paper.refused(rules, battle, "baron", said) == frozenset()


def test_who_follows_the_ladders_begins_as_near_as_he_may_though_the_moat_is_open_yet() -> None:
    rules, battle = assault("d6.setup.1.baron")
    said = dict(
        line.split(" at ")
        for line in sergeant.orders(rules, battle, "baron", chance())["setup"]
        if " at " in line
    )
    assert max(distance(said[id_], "1008") for id_ in ("guerric", "fulbert", "renouf", "hugo", "turold")) <= 9
