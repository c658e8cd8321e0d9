"""Ox teams and staff slings: what is listed is legal and read back, what is shown, told and drawn, and how a
scenario begins with oxen in harness.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import case_plugin
import pytest

from pbem.core.dice import ScriptedDice
from pbem.core.play import Play
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import SIDES, centre, distance, neighbour
from pbem.rulesets.anarchy import scatter
from pbem.rulesets.anarchy.ruleset import ANARCHY
from pbem.rulesets.siege.deeds import deeds
from pbem.rulesets.siege.judge import legal
from pbem.rulesets.siege.orders import conditions, grammar
from pbem.rulesets.siege.state.events import plain
from pbem.rulesets.siege.state.happening import apply
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.state import Battle

MAN = {"side": "east", "class": "peasant"}
OX = {"side": "east", "class": "ox"}
RAM = {"id": "ram1", "kind": "ram", "side": "east", "at": "0507 0508 0509", "facing": "n"}
FOE = {"side": "west", "class": "spearman"}


def rules() -> Ruleset[Battle]:
    return case_plugin.chosen(ANARCHY, {})


def battle(**given: Any) -> Battle:
    return case_plugin.battle_of(rules(), {"at": "t1.east.movement", **given})


def team(**more: Any) -> Battle:
    units = {"ox1": {**OX, "at": "0506"}, "ox2": {**OX, "at": "0606"}, "wulf": {**FOE, "at": "1101"}, **more}
    return battle(units=units, things=[{**RAM, "hitched": "ox1 ox2"}])


def listed(there: Battle, *kinds: str) -> list[Act]:
    found = legal.legal(rules(), there, "east")
    return [order for order in found if isinstance(order, Act) and order.do in kinds]


def refused(there: Battle, order: Act) -> bool:
    return not conditions.stands(rules(), there, "act", "east", order)


# --- what is listed


def test_whoever_is_next_to_both_oxen_is_told_how_far_he_can_drive_them() -> None:
    there = team(giles={**MAN, "at": "0605"})
    assert [grammar.say(rules(), order) for order in listed(there, "drive")] == [
        f"giles drives ram1 forward {steps}" for steps in (1, 2, 3, 4)
    ]


def test_two_who_are_needed_both_are_told_together_and_nobody_else() -> None:
    there = team(giles={**MAN, "at": "0405"}, hob={**MAN, "at": "0706"}, odo={**MAN, "at": "0903"})
    assert {order.who for order in listed(there, "drive")} == {("giles", "hob")}


def test_nothing_is_listed_that_is_refused_and_all_of_it_is_read_back() -> None:
    boards = [
        team(giles={**MAN, "at": "0605"}, hob={**MAN, "at": "0405"}),
        team(giles={**MAN, "at": "0605"}, hob={**FOE, "at": "0603"}),
        battle(units={"giles": {**MAN, "at": "0505"}, "ox1": {**OX, "at": "0506"}}, things=[RAM]),
        battle(
            units={"alric": {**MAN, "class": "staff_slinger", "at": "0609"}, "hob": {**FOE, "at": "0602"}},
            things=[{"id": "ballista1", "kind": "ballista", "side": "west", "at": "0702", "facing": "s"}],
            at="t1.east.offensive_fire",
        ),
    ]
    kinds = ("drive", "harness", "unharness", "sling", "sling-fire", "advance-engine", "back-engine")
    found = Counter[str]()
    for there in boards:
        for order in listed(there, *kinds):
            found[order.do] += 1
            assert not refused(there, order), order
            sentence = grammar.say(rules(), order)
            section = "shoot" if order.do.startswith("sling") else "move"
            assert grammar.read(rules(), section, sentence) == order, sentence
    assert set(found) >= {"drive", "harness", "unharness", "sling", "sling-fire"}


def test_no_hex_is_listed_that_is_too_near_or_too_far_for_a_sling() -> None:
    foes = {f"foe{n}": {**FOE, "at": f"06{n:02}"} for n in (5, 6, 7, 8)}
    there = battle(
        units={"alric": {**MAN, "class": "staff_slinger", "at": "0609"}, **foes}, at="t1.east.offensive_fire"
    )
    assert [order.to for order in listed(there, "sling")] == [("0605",), ("0606",)]


def test_a_man_without_a_sling_lists_no_throw() -> None:
    there = battle(
        units={"alric": {**MAN, "class": "shortbowman", "at": "0609"}, "hob": {**FOE, "at": "0602"}},
        at="t1.east.offensive_fire",
    )
    assert not listed(there, "sling", "sling-fire")


# --- what is told before it is done


def test_the_order_sheet_says_where_a_team_goes_and_whom_a_stone_endangers() -> None:
    known = ANARCHY.deeds
    there = team(giles={**MAN, "at": "0605"})
    told = known["drive"].about(rules(), there, Act("drive", ("giles",), "ram1", steps=2))
    assert told == "0505 0506 0507, 2 of 4 hexes, drawn by ox1 and ox2"
    there = battle(
        units={
            "alric": {**MAN, "class": "staff_slinger", "at": "0609"},
            "hal": {**MAN, "at": "0603"},
            "hob": {**FOE, "at": "0602"},
        },
        at="t1.east.offensive_fire",
    )
    order = Act("sling", ("alric",), to=("0602",))
    told = known["sling"].about(rules(), there, order)
    assert told == "7 hexes, in 0602 on 10 of 100 throws, hal on 9"


def test_pictures_of_what_is_ordered_show_engine_oxen_and_driver_where_they_go() -> None:
    there = team(giles={**MAN, "at": "0605"})
    order = Act("drive", ("giles",), "ram1", steps=1)
    events = list(ANARCHY.deeds["drive"].shown(rules(), there, order))
    assert [(event.get("thing") or event.get("unit")) for event in events] == ["ram1", "ox1", "ox2", "giles"]


# --- what is drawn


def test_a_team_is_drawn_before_its_engine() -> None:
    shown = rules().interface.scene(rules(), team(giles={**MAN, "at": "0605"}))
    ram = next(thing for thing in shown.things if thing.id == "ram1")
    assert ram.team == (centre("0506"), centre("0606"))
    assert ram.description == "ram, facing n, drawn by ox1 and ox2"


def test_a_stone_is_drawn_over_its_aim_to_where_it_came_down() -> None:
    there = battle(
        units={"alric": {**MAN, "class": "staff_slinger", "at": "0609"}, "hob": {**FOE, "at": "0602"}},
        at="t1.east.offensive_fire",
    )
    dice = ScriptedDice({"t1.east.offensive_fire/shoot/alric/scatter": (4, 6)})
    play = Play(there, str(there.at), apply, dice)
    assert deeds.act(rules(), play, "east", Act("sling", ("alric",), to=("0602",))) is None
    shown = rules().interface.scene(rules(), play.state, [plain(event) for event in play.events])
    thrown = next(trace for trace in shown.traces if trace.kind == "throw")
    assert (thrown.path[0], *thrown.path[2:]) == (centre("0609"), centre("0602"), centre("0603"))


# --- scatter


@pytest.mark.parametrize("number", range(6))
def test_every_total_is_another_hex_up_to_two_from_the_aim_whichever_way_it_is_thrown(number: int) -> None:
    rows = ANARCHY.tables[scatter.TABLE]["rows"]
    aim, start = "2020", "2020"
    for _ in range(6):
        start = neighbour(start, SIDES[(number + 3) % 6]) or ""
    assert scatter.ahead(start, aim) == number
    found = scatter.reach(rows, start, aim)
    assert len(found) == 19 and sum(found.values()) == 100
    assert max(distance(aim, hex_) for hex_ in found) == 2
    assert scatter.landed(rows, start, aim, 12) == neighbour(aim, SIDES[number])


def test_a_throw_between_two_sides_goes_on_over_the_first_of_them() -> None:
    assert SIDES[scatter.ahead("0505", "0704")] == "ne"  # between ne and se
    assert SIDES[scatter.ahead("0505", "0403")] == "n"  # between n and nw


# --- scenarios


def scenario(hitched: str, ox: str = "1008") -> tuple[Any, list[str]]:
    said = {
        "scenario": "oxen",
        "title": "Oxen",
        "ruleset": "anarchy",
        "map": "case",
        "modules": ["open-ground", "wagons", "castle", "works", "battering"],
        "length": "8 turns",
        "sides": {"east": {"name": "East", "first": "true"}, "west": {"name": "West"}},
        "units": {
            "east": [
                {"id": "ox1", "person": "hawkin", "at": ox},
                {"id": "ox2", "person": "brindle", "at": "1109"},
                {"id": "giles", "person": "wymond-stonehand", "at": "1108"},
            ],
            "west": [{"id": "hob", "person": "hob-cooper", "at": "0101"}],
        },
        "things": [{"id": "ram1", "kind": "ram", "side": "east", "at": "1009 facing n", "hitched": hitched}],
        "victory": {"at-end": [{"side": "east", "points": "1", "when": "turn is at least 1"}]},
    }
    rows = [" ".join(["."] * 12)] * 12
    given = {"scenario": said, "map": rows, "modules": said["modules"]}
    field, of_scenario, of_map = ANARCHY.interface.read_field(
        case_plugin.chosen(ANARCHY, given), said, case_plugin.map_data({"map": rows})
    )
    return field, [problem.code for problem in (*of_scenario, *of_map)]


def test_a_scenario_begins_with_oxen_in_harness_and_a_slinger() -> None:
    field, problems = scenario("ox1 ox2")
    assert problems == []
    assert field.gear[0].thing.hitched == ("ox1", "ox2")
    assert next(who for who in field.people.values() if who.weapon == "staff sling")


def test_what_does_not_stand_before_an_engine_or_is_no_ox_is_told() -> None:
    assert scenario("ox1 ox2", ox="0501")[1] == ["wagons.out-of-place"]
    assert scenario("giles ox2")[1] == ["scenario.no-draught"]
