"""The sergeant at a mine: what he orders on the days of a siege."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "rulesets" / "siege"))

import case_plugin
import pytest
from bot_boards import chance

from pbem.bots import breach, sapper, sergeant
from pbem.bots.aims import aims
from pbem.geometry.hex import distance
from pbem.rulesets.anarchy.ruleset import ANARCHY
from pbem.rulesets.siege.state.state import Battle

RULES = case_plugin.chosen(ANARCHY, {"scenario": "mole"})
BURNT = ["1109", "1009", "1110", "1209", "1210", "1010"]


def ordered(burnt: list[str]) -> list[str]:
    """Return what the besiegers of Hollin Bank order with so much of their penthouse burnt."""
    things = [{"id": "roof", "burnt": burnt}]
    given = {"scenario": "mole", "things": things, "units": {}, "at": "d3.day", "part": "day"}
    rules = case_plugin.chosen(ANARCHY, given)
    return list(sapper.day(rules, case_plugin.battle_of(rules, given), "besiegers"))


def stormed(part: str, men: dict[str, str], turn: int = 1) -> Battle:
    """Return Hollin Bank with a breach at 0909, on a day of some kind, with nobody on the map but some men."""
    given = {
        "scenario": "mole",
        "units": {id_: {"at": at} for id_, at in men.items()},
        "features": [{"at": "0909", "is": "rubble"}],
        "at": f"d6.t{turn}.besiegers.movement",
        "part": part,
    }
    return case_plugin.battle_of(RULES, given)


def test_he_digs_under_a_whole_penthouse_and_builds_another_where_it_has_burnt() -> None:
    (digging,) = ordered(BURNT[:5])
    assert " dig " in digging
    (building,) = ordered(BURNT)
    who, _, what = building.partition(" build ")
    assert what == "roof"
    assert "ansquetil" in who or "wybrand" in who, "an engineer is among them"
    assert len(who.split(", ")) == 6


def test_the_besieged_call_a_fight_and_put_their_best_men_in_front_where_tunnels_have_met() -> None:
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
    calling, digging = said["apart"]
    assert calling.endswith(" calls a fight")
    assert digging.startswith("ketel, ")


@pytest.mark.parametrize(("theirs", "calls"), [("0910 0911", False), ("0909 0910 0911", True)])
def test_the_besieger_calls_a_fight_where_too_much_of_the_wall_is_in_the_hands_of_the_besieged(
    theirs: str, calls: bool
) -> None:
    things = [{"id": "mole", "at": "0908"}, {"id": "well", "at": theirs}]
    given = {"scenario": "mole", "things": things, "units": {}, "at": "d3.day", "part": "day"}
    said = list(sapper.day(RULES, case_plugin.battle_of(RULES, given), "besiegers"))
    assert any(line.endswith(" calls a fight") for line in said) == calls


@pytest.mark.parametrize(
    ("burnt", "rubble", "ruin", "leaders"),
    [
        (5, [], {"roof"}, ["ansquetil", "wybrand"]),
        (6, [], set(), ["ansquetil", "wybrand"]),
        (0, ["0909"], set(), []),
    ],
)
def test_a_garrison_goes_for_a_penthouse_from_which_is_dug_and_for_the_engineers(
    burnt: int, rubble: list[str], ruin: set[str], leaders: list[str]
) -> None:
    given = {
        "scenario": "mole",
        "things": [{"id": "roof", "burnt": BURNT[:burnt]}],
        "units": {},
        "features": [{"at": hex_, "is": "rubble"} for hex_ in rubble],
        "at": "d3.day",
        "part": "day",
    }
    battle = case_plugin.battle_of(RULES, given)
    garrison, besiegers = (aims(RULES, battle, side) for side in ("garrison", "besiegers"))
    assert (garrison.ruin, besiegers.ruin) == (ruin, set())
    assert sorted(garrison.prey) == sorted(besiegers.dear) == leaders


def test_a_garrison_makes_ready_to_sally_against_a_penthouse() -> None:
    given = {"scenario": "mole", "units": {}, "at": "d1.t1.garrison.setup", "part": "fight"}
    battle = case_plugin.battle_of(RULES, given)
    at = dict(line.split(" at ") for line in sergeant.orders(RULES, battle, "garrison", chance())["setup"])
    assert {at[id_] for id_ in ("gwilym", "rhys", "hywel", "aldhelm")} <= {*battle.field.marks["curtain"]}
    assert at["thurstan"] == "0405", "the strongest is at the gate"


def test_who_stands_beside_a_penthouse_lights_it() -> None:
    men = {"thurstan": {"at": "1410", "stood": "1410 1409"}, "tudur": {"at": "1907"}}
    given = {"scenario": "mole", "units": men, "at": "d1.t4.garrison.movement", "part": "fight"}
    said = sergeant.orders(RULES, case_plugin.battle_of(RULES, given), "garrison", chance())
    assert said["fight"] == ["thurstan lights 1409"]


@pytest.mark.parametrize(
    ("tunnelled", "day", "drives"),
    [("", 2, True), ("0909", 2, True), ("0909 0908", 2, False), ("0909 0908", 5, True)],
)
def test_he_drives_his_men_until_the_last_hex_and_there_when_time_is_short(
    tunnelled: str, day: int, drives: bool
) -> None:
    things = [{"id": "mole", "at": tunnelled}]
    given = {"scenario": "mole", "things": things, "units": {}, "at": f"d{day}.day", "part": "day"}
    (digging,) = sapper.day(RULES, case_plugin.battle_of(RULES, given), "besiegers")
    assert digging.endswith(" at a forced pace") == drives


def test_where_a_fight_ends_no_place_counts_and_where_an_assault_does_it_does() -> None:
    assault, fight = (aims(RULES, stormed(part, {}), "besiegers") for part in ("assault", "fight"))
    assert "0508" in assault.hold
    assert fight.hold == ()
    assert (assault.last, fight.last) == (12, 8)


def test_he_begins_a_fight_in_the_castle_only_with_two_in_reach_so_that_it_does_not_end_with_the_first() -> (
    None
):
    apart = {"ansgot": "0709", "tudur": "1010", "thurstan": "0708", "leofwin": "0110"}
    near = {**apart, "leofwin": "0809"}
    assert sapper.bides(RULES, stormed("fight", apart), "besiegers")
    assert not sapper.bides(RULES, stormed("fight", near), "besiegers")
    assert not sapper.bides(RULES, stormed("fight", apart, 5), "besiegers"), "half of the turns are over"
    assert not sapper.bides(RULES, stormed("assault", apart), "besiegers")
    assert not sapper.bides(RULES, stormed("fight", apart), "garrison")
    alone = {"ansgot": "0709", "thurstan": "0708"}
    assert not sapper.bides(RULES, stormed("fight", alone), "besiegers"), "he is the last"


def test_as_long_as_he_bides_nobody_shoots_in_the_turn_of_the_enemy_either() -> None:
    far = {"tudur": "1409", "iorwerth": "1310", "thurstan": "0108", "leofwin": "0110"}
    said = sergeant.orders(RULES, stormed("fight", far), "besiegers", chance())
    assert said["standing"]["everyone"]["defend"] == "hold"
    said = sergeant.orders(RULES, stormed("assault", far), "besiegers", chance())
    assert said["standing"]["everyone"]["defend"] != "hold"


@pytest.mark.parametrize(("turn", "near"), [(7, (3, 4, 5)), (8, (0, 1, 2))])
def test_before_a_breach_he_gathers_and_goes_over_the_rubble_in_the_last_five_turns(
    turn: int, near: tuple[int, ...]
) -> None:
    men = {"hamon": "1106", "fulbert": "1107", "renouf": "1206", "thurstan": "0109"}
    battle = stormed("assault", men, turn)
    said = sergeant.orders(RULES, battle, "besiegers", chance())
    moved = dict(line.split(" to ") for line in said["move"])
    ends = [moved.get(id_, men[id_]) for id_ in ("hamon", "fulbert", "renouf")]
    assert all(distance(hex_, "0909") in near for hex_ in ends), ends


def test_only_who_comes_gathers_and_only_in_an_assault() -> None:
    assault, fight = (stormed(part, {}) for part in ("assault", "fight"))
    assert breach.gathers(assault, aims(RULES, assault, "besiegers"))
    assert not breach.gathers(assault, aims(RULES, assault, "garrison"))
    assert not breach.gathers(fight, aims(RULES, fight, "besiegers"))


def test_nobody_stays_under_a_penthouse_once_the_wall_before_it_is_down() -> None:
    men = {"hamon": "1209", "fulbert": "1309", "thurstan": "0109"}
    moved = {
        line.split()[0]
        for line in sergeant.orders(RULES, stormed("assault", men, 8), "besiegers", chance())["move"]
    }
    assert moved == {"hamon", "fulbert"}
