"""What players are told of cauldrons before they order: where two can carry one, and what pouring it would do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import case_plugin

from pbem.rulesets.anarchy.ruleset import ANARCHY
from pbem.rulesets.siege.judge import forecast
from pbem.rulesets.siege.state.orders import Act

CASES = {case["name"]: case for case in case_plugin.cases(Path(__file__).parent / "oil.case.yaml")}
CARRIED = "two carry it between them along the wall, for two points more a hex"
POURED = "two on opposite sides pour it from the wall on an enemy at its foot, who is hurt and gets out of it"


def _given(name: str) -> tuple[Any, Any]:
    rules = case_plugin.chosen(ANARCHY, CASES[name]["given"])
    return rules, case_plugin.battle_of(rules, CASES[name]["given"])


def _listed(rules: Any, battle: Any, do: str) -> list[Act]:
    every = rules.interface.legal(rules, battle, "west")
    return [order for order in every if isinstance(order, Act) and order.do == do]


def test_where_a_cauldron_can_be_carried_is_listed_and_priced() -> None:
    rules, battle = _given(CARRIED)
    found = {order.to[0]: order for order in _listed(rules, battle, "bear")}
    assert "0504" in found
    assert rules.interface.say(found["0504"]) == "odo, rafe bear cauldron1 to 0504"
    assert forecast.row(rules, battle, found["0504"])[2] == "then odo in 0505, rafe in 0503; 3 MP each"
    ways = {event["unit"]: event["path"] for event in rules.deeds["bear"].shown(rules, battle, found["0504"])}
    assert ways == {"odo": ["0504", "0505"], "rafe": ["0502", "0503"]}


def test_pouring_is_listed_where_it_meets_an_enemy_with_the_column_for_each() -> None:
    rules, battle = _given(POURED)
    found = {order.to[0]: order for order in _listed(rules, battle, "pour")}
    assert set(found) == {"0402", "0403"}
    assert forecast.row(rules, battle, found["0402"])[2] == "column 51-70 for hal"
    assert forecast.row(rules, battle, found["0403"])[2] == "column 13-20 for hal"
