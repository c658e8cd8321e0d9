"""What the sergeant does with doors, treasure, prisoners, teams of oxen, cauldrons and slings, and how he
lies in wait: boards of The Anarchy.
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

from pbem.bots import ambush, arms, paper, sergeant
from pbem.bots.aims import aims
from pbem.bots.survey import Survey
from pbem.core.ruleset import Ruleset
from pbem.rulesets.anarchy.ruleset import ANARCHY
from pbem.rulesets.siege.state.state import Battle

FAR = {"wulf": {"side": "west", "class": "spearman", "at": "1210"}}
CHURCH = {
    "map": [
        ". . . . . . . . . . . .", ". h h h h h . . . . . .", ". h r r r h . . . . . .", ". h h d h h . . . . . .",
        ". . . . . . . . . . . .", ". . . . . . . . . . . .", ". . . . . . . . . . . .", ". . . . . . . . . . . .",
        ". . . . . . . . . . . .", ". . . . . . . . . . . .",
    ],
    "key": {"h": "building_wall", "r": "building_interior", "d": "doorway"},
    "marks": {"away": "0110 0210"},
    "bridges": [{"great-door": "door", "hexes": "0404", "sides": "s se sw", "starts": "closed"}],
    "things": [{"id": "chest", "kind": "chest", "side": "west", "at": "0303"}],
}  # fmt: skip
FETCH = {
    "victory": {
        "at-once": [{"side": "east", "points": "1", "when": "chest in away"}],
        "at-end": [],
        "winner": {"most": "points", "level": "west"},
    }
}


def laid(units: dict[str, Any], **more: Any) -> tuple[Ruleset[Battle], Battle]:
    given = {"units": units, "at": "t1.east.movement", "length": "9 turns", **more}
    rules = case_plugin.chosen(ANARCHY, given)
    return rules, case_plugin.battle_of(rules, given)


def said(units: dict[str, Any], side: str = "east", **more: Any) -> dict[str, Any]:
    """Return what the sergeant orders; nothing of it is refused."""
    rules, battle = laid(units, **more)
    data = sergeant.orders(rules, battle, side, chance())
    assert paper.refused(rules, battle, side, data) == frozenset()
    return dict(data)


def man(at: str, class_: str = "spearman", side: str = "east", **more: Any) -> dict[str, Any]:
    return {"side": side, "class": class_, "at": at, **more}


def test_two_break_in_the_door_and_go_on_with_it() -> None:
    outside = {"tom": man("0405"), "wat": man("0305"), **FAR}
    board: dict[str, Any] = {**CHURCH, **FETCH}
    assert "tom, wat break in great-door" in said(outside, **board)["move"]
    door = {"id": "great-door", "kind": "door", "at": "0404", "stands": "closed", "crew": "rolf tom"}
    things = [*board["things"], {**door, "struck": "t1.east.recovery"}]
    again = said({**outside, "rolf": man("0505")}, **{**board, "things": things, "at": "t2.east.movement"})
    assert "rolf, tom break in great-door" in again["move"]


def test_who_is_within_opens_it_and_who_keeps_the_treasure_shuts_it() -> None:
    board: dict[str, Any] = {**CHURCH, **FETCH}
    assert "tom opens great-door" in said({"tom": man("0404"), "rolf": man("0303"), **FAR}, **board)["move"]
    open_ = {**board, "bridges": [{**board["bridges"][0], "starts": "open"}], "at": "t1.west.movement"}
    keeper = {"odo": man("0404", side="west"), "tom": man("1209")}
    assert "odo closes great-door" in said(keeper, "west", **open_)["move"]


def test_the_treasure_is_taken_up_and_carried_to_where_it_counts() -> None:
    board: dict[str, Any] = {
        **CHURCH,
        **FETCH,
        "things": [{"id": "chest", "kind": "chest", "side": "west", "at": "0407"}],
    }
    assert "tom takes chest" in said({"tom": man("0407"), **FAR}, **board)["move"]
    carried = {**board, "things": [{**board["things"][0], "by": "tom"}]}
    assert said({"tom": man("0407"), **FAR}, **carried)["move"] in (["tom to 0110"], ["tom to 0210"])
    rules, battle = laid({"tom": man("0407", side="east"), **FAR}, **carried)
    assert aims(rules, battle, "west").prey["tom"] > 0
    assert (aims(rules, battle, "west").shuts, aims(rules, battle, "east").shuts) == (True, False)


def test_a_prisoner_is_led_to_the_edge_between_two_guards() -> None:
    held = {
        "hob": man("0505"),
        "odo": man("0603"),
        "hugh": man("0504", "average_knight", "west", captive_of="east", disarmed="true"),
    }
    moves = said({**held, **FAR})["move"]
    assert any(line.startswith(("hob leads hugh", "odo leads hugh")) for line in moves)
    lone = said({**held, "odo": man("0607"), **FAR})["move"]
    assert not any("leads" in line for line in lone)
    assert any(line.startswith("odo to ") for line in lone)


@pytest.mark.parametrize("when", ["hugh is freed", "hugh led off the map"])
def test_whom_the_enemy_has_points_for_taking_keeps_away(when: str) -> None:
    wins = {"at-end": [{"side": "west", "points": "3", "when": when}], "winner": {"most": "points"}}
    units = {"hugh": man("0504", "average_knight"), "odo": man("0603"), "ulf": man("0507", side="west")}
    for taken, spared in (({}, {"hugh"}), ({"captive_of": "west", "disarmed": "true"}, set[str]())):
        rules, battle = laid({**units, "hugh": {**units["hugh"], **taken}}, victory=wins)
        assert aims(rules, battle, "east").spared == spared
        assert aims(rules, battle, "west").spared == frozenset()


def test_who_has_lost_his_arms_takes_up_others() -> None:
    units = {
        "hugh": man("0504", "average_knight", disarmed="true"),
        "ulf": man("0505", side="west", state="dead"),
        **FAR,
    }
    assert said(units)["move"] == ["hugh rearms"]


RAM = {"id": "ram1", "kind": "ram", "side": "east", "at": "0507 0508 0509", "facing": "n"}
OXEN = {"ox1": man("0506", "ox"), "ox2": man("0606", "ox")}


def test_a_team_is_driven_as_far_as_it_goes_and_harnessed_first() -> None:
    giles = {"giles": man("0605", "peasant"), **OXEN, **FAR}
    assert "giles drives ram1 forward 4" in said(giles, things=[{**RAM, "hitched": "ox1 ox2"}])["move"]
    half = said(giles, things=[{**RAM, "hitched": "ox1"}])["move"]
    assert "giles harnesses ox2 to ram1" in half


ROOF = {
    "id": "roof1", "kind": "penthouse", "side": "east", "facing": "ne", "hitched": "ox1 ox2",
    "at": "1006 1005 1107 0906 1007 0907 0806 0908 0807 0707 0808",
}  # fmt: skip
AT_THE_EDGE = {"ox1": man("1106", "ox"), "ox2": man("1105", "ox"), "giles": man("1205", "peasant")}
UNDER = {"hal": man("0906"), "wat": man("0907"), "rolf": man("1007")}


def test_where_nobody_can_drive_a_team_on_its_engine_is_pushed_once_its_way_is_clear() -> None:
    board: dict[str, Any] = {"things": [ROOF]}
    moves = said({**AT_THE_EDGE, **UNDER, **FAR}, **board)["move"]
    assert [line for line in moves if "roof1" in line] == ["roof1 forward 1"]
    assert any(line.startswith("giles to ") for line in moves[: moves.index("roof1 forward 1")])
    two = {name: UNDER[name] for name in ("hal", "wat")}
    assert not any(line.startswith("giles ") for line in said({**AT_THE_EDGE, **two, **FAR}, **board)["move"])


def test_a_dead_ox_is_taken_out_of_harness_and_its_engine_pushed() -> None:
    fallen = {**AT_THE_EDGE, **UNDER, "ox1": man("1106", "ox", state="dead"), **FAR}
    assert "giles unharnesses ox1 from roof1" in said(fallen, things=[ROOF])["move"]
    lone = {**fallen, "giles": man("1210")}
    moves = said(lone, things=[{**ROOF, "hitched": "ox2"}])["move"]
    assert "roof1 forward 1" in moves


def test_whoever_stands_before_a_team_goes_out_of_its_way() -> None:
    team = {"giles": man("0605", "peasant"), **OXEN, **FAR, "tom": man("0504")}
    moves = said(team, things=[{**RAM, "hitched": "ox1 ox2"}])["move"]
    assert "giles drives ram1 forward 4" in moves


def test_who_is_not_to_let_an_engine_through_bars_its_way() -> None:
    through: dict[str, Any] = {
        "marks": {"away": "1203 1204 1205 1206"},
        "victory": {
            "at-end": [{"side": "east", "points": "6", "when": "roof1 in away"}],
            "at-once": [],
            "winner": {"most": "points", "level": "west"},
        },
    }
    back = {**ROOF, "at": "0608 0607 0709 0508 0609 0509 0408 0510 0409 0309 0410"}
    team = {"ox1": man("0708", "ox"), "ox2": man("0707", "ox"), **FAR}
    rules, battle = laid(team, things=[back], **through)
    assert {"0807", "0806"} <= {*aims(rules, battle, "west").hold}
    assert not {*back["at"].split()} & {*aims(rules, battle, "west").hold}
    assert aims(rules, battle, "east").hold == ()
    assert "wulf to 0806" in said(team, "west", things=[back], at="t1.west.movement", **through)["move"]
    rules, battle = laid({**AT_THE_EDGE, **FAR}, things=[{**ROOF, "at": "1205"}], **through)
    assert aims(rules, battle, "west").hold == ()


def test_a_stone_is_slung_where_no_friend_is_near() -> None:
    units = {"alric": man("0609", "staff_slinger"), "wulf": man("0603", side="west")}
    fire = {"at": "t1.east.offensive_fire"}
    assert said(units, **fire)["shoot"] == ["alric slings at 0603"]
    assert "shoot" not in said({**units, "hal": man("0602")}, **fire)
    rules, battle = laid(units)
    assert arms.shoots(rules, battle, battle.units["alric"])
    assert not arms.shoots(rules, battle, battle.units["wulf"])


def test_oil_is_poured_by_two_on_whom_it_reaches() -> None:
    wall = {
        "map": [". . . . B , , ,"] * 6,
        "key": {"B": "battlement", ",": "courtyard"},
        "map-sides": {"parapet": {"nw": "0502 0503 0504 0505 0506", "sw": "0501 0502 0503 0504 0505 0506"}},
        "things": [{"id": "cauldron1", "kind": "cauldron", "side": "west", "at": "0503"}],
    }
    units = {"rafe": man("0502", side="west"), "odo": man("0504", side="west"), "hal": man("0403")}
    orders = said(units, "west", **wall, at="t1.west.movement")
    assert any(line.startswith("odo, rafe pour cauldron1 on ") for line in orders["fight"])


def test_oil_is_poured_on_an_engine_that_shelters_who_is_under_it() -> None:
    wall = {
        "map": [". . . . B , , ,"] * 6,
        "key": {"B": "battlement", ",": "courtyard"},
        "at": "t1.west.movement",
    }
    kettle = {"id": "cauldron1", "kind": "cauldron", "side": "west", "at": "0503"}
    hut = {"id": "roof", "kind": "penthouse", "side": "east", "at": "0403", "facing": "se"}
    two = {"rafe": man("0502", side="west"), "odo": man("0504", side="west"), "hal": man("0106")}
    orders = said(two, "west", **wall, things=[kettle, hut])
    assert any(line.startswith("odo, rafe pour cauldron1 on ") for line in orders["fight"])
    own = said(two, "west", **wall, things=[kettle, {**hut, "side": "west"}])
    assert not any("pour" in line for line in own.get("fight", ()))


def test_he_says_whom_to_shoot_at_in_the_enemys_turn() -> None:
    orders = said({"alric": man("0101", "shortbowman"), **FAR})
    assert orders["standing"]["everyone"]["defend"] == "luckiest"
    dead: dict[str, Any] = {
        "at-end": [{"side": "east", "points": "3", "when": "wulf is dead"}],
        "at-once": [],
    }
    victory: dict[str, Any] = {"victory": {**dead, "winner": {"most": "points", "level": "west"}}}
    named = said({"alric": man("0101", "shortbowman"), **FAR}, **victory)
    assert named["standing"]["everyone"]["defend"] == "wulf, luckiest"


@pytest.mark.parametrize(("at", "lies"), [("1210", True), ("0403", False)])
def test_those_in_hiding_lie_still_until_somebody_is_near(at: str, lies: bool) -> None:
    rules, battle = laid({"odo": man("0101"), "wulf": man(at, side="west")})
    hidden = battle.with_units(replace(battle.units["odo"], hides=("0101",)))
    assert (ambush.lies(Survey(rules, hidden, "east")) == {"odo"}) is lies


def test_nobody_stays_under_an_engine_that_oxen_draw() -> None:
    roof = {**ROOF, "at": "0608 0607 0709 0508 0609 0509 0408 0510 0409 0309 0410"}
    team = {"ox1": man("0708", "ox"), "ox2": man("0707", "ox"), "giles": man("0807", "peasant")}
    under = {"hal": man("0508"), "wat": man("0509"), "rolf": man("0409")}
    foe = {"wulf": {"side": "west", "class": "peasant", "at": "0205"}}

    def go_out(things: dict[str, Any], units: dict[str, Any]) -> set[str]:
        moves = said({**units, **under, **foe}, things=[things])["move"]
        return {name for name in under if any(line.startswith(f"{name} to ") for line in moves)}

    assert go_out(roof, team)
    undrawn = {key: value for key, value in roof.items() if key != "hitched"}
    assert go_out(undrawn, {}) == set()
