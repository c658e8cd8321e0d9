"""The sergeant at a mine: what he orders on the days of a siege."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "rulesets" / "siege"))

import case_plugin

from pbem.bots import sapper
from pbem.rulesets.anarchy.ruleset import ANARCHY

BURNT = ["1109", "1009", "1110", "1209", "1210", "1010"]


def ordered(burnt: list[str]) -> list[str]:
    """Return what the besiegers of Hollin Bank order with so much of their penthouse burnt."""
    things = [{"id": "roof", "burnt": burnt}]
    given = {"scenario": "mole", "things": things, "units": {}, "at": "d3.day", "part": "day"}
    rules = case_plugin.chosen(ANARCHY, given)
    return list(sapper.day(rules, case_plugin.battle_of(rules, given), "besiegers"))


def test_he_digs_under_a_whole_penthouse_and_builds_another_where_it_has_burnt() -> None:
    (digging,) = ordered(BURNT[:5])
    assert " dig " in digging
    (building,) = ordered(BURNT)
    who, _, what = building.partition(" build ")
    assert what == "roof"
    assert "ansquetil" in who or "wybrand" in who, "an engineer is among them"
    assert len(who.split(", ")) == 6


def test_the_besieged_put_their_best_men_in_front_where_tunnels_have_met_and_call_a_fight() -> None:
    met = [{"id": "mole", "at": "0909"}, {"id": "well", "at": "0910"}]
    apart = [{"id": "mole", "at": "0908"}, {"id": "well", "at": "0910"}]
    said = {}
    for name, things in (("met", met), ("apart", apart)):
        given = {"scenario": "mole", "things": things, "units": {}, "at": "d3.day", "part": "day"}
        rules = case_plugin.chosen(ANARCHY, given)
        said[name] = list(sapper.day(rules, case_plugin.battle_of(rules, given), "garrison"))
    calling, digging = said["met"]
    assert calling.endswith(" calls a fight")
    who = digging.partition(" dig ")[0].split(", ")
    assert who == ["thurstan", "wulfstan", "madog", "aelfgar", "leofwin", "ketel"]
    assert calling.split()[0] not in who
    (digging,) = said["apart"]
    assert digging.startswith("ketel, ")
