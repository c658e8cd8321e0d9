"""Reading an order file: whose it is and when, every sentence and name, all problems at once with their
places.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import cycle, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pbem.core.play import Choice, Question
from pbem.core.problem import Problem
from pbem.core.ruleset import Option, Ruleset
from pbem.core.sequence import Cursor
from pbem.rulesets.siege.deeds import deeds, reading
from pbem.rulesets.siege.orders import grammar
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.events import Instructed, Said
from pbem.rulesets.siege.state.field import Field, SetupStep, SideInfo, Terrain
from pbem.rulesets.siege.state.orders import (
    Act,
    Attack,
    Gap,
    Line,
    Move,
    MoveBy,
    OrderFile,
    Place,
    Shoot,
    Stop,
    When,
)
from pbem.rulesets.siege.state.state import Battle, Thing, Unit
from pbem.rulesets.siege.turn import sequence

FLAT = Terrain("flat", "flat ground", 1, 1, "none", "0", "0", 0, "ground", flat=True)
FIELD = Field(
    "meadow", "the meadow", "sha256:0", "brawl", "A brawl", "sha256:0", 12, 10,
    {f"{c:02}{r:02}": FLAT for r in range(1, 11) for c in range(1, 13)}, {}, {}, {"ford": ("0101", "0102")},
    sides=(SideInfo("east", "East", "blue", True), SideInfo("west", "West", "red", False)),
    setup=(SetupStep(("west",), ("place",), "ford"),),
)  # fmt: skip


def unit(id_: str, side: str, at: str, owner: str = "") -> Unit:
    return Unit(id_, "nobody", "man", side, owner or side, "healthy", (at,))


UNITS = {
    u.id: u
    for u in (
        unit("alric", "east", "0201"), unit("gunter", "west", "0505"), unit("hob", "east", "0404"), unit("mo", "east", "0303", "ally"),
        unit("odo", "east", "0405"), unit("tam", "west", "0506"), unit("wulf", "west", "0606"),
    )
}  # fmt: skip


def at(cursor: Cursor) -> Battle:
    return Battle(FIELD, cursor, UNITS, {"ladder1": Thing("ladder1", "ladder", ("0303",))})


RULES: Ruleset[Battle] = Ruleset(
    "test", 1, "Test", sequence.SEQUENCE, {}, {}, {}, {}, interface=None, deeds=deeds.ALL
)  # type: ignore[arg-type]
CASTLE = RULES.amend(modules=("castle", "camp", "works", "battering", "wagons-oil", "riders", "wagons"))
OPEN = at(Cursor("first_missile", 3, "east"))


def read(
    data: Any, battle: Battle = OPEN, seat: str = "east", rules: Ruleset[Battle] = RULES, **more: Any
) -> tuple[OrderFile | None, list[Problem]]:
    return reading.read_orders(rules, battle, seat, data, **more)


def good(
    data: Any, battle: Battle = OPEN, seat: str = "east", rules: Ruleset[Battle] = RULES, **more: Any
) -> OrderFile:
    file, problems = read(data, battle, seat, rules, **more)
    assert problems == []
    assert file is not None
    return file


def bad(
    data: Any, battle: Battle = OPEN, seat: str = "east", rules: Ruleset[Battle] = RULES, **more: Any
) -> list[tuple[Any, ...]]:
    _, problems = read(data, battle, seat, rules, **more)
    assert problems
    return [(problem.code, problem.path) for problem in problems]


def one(
    data: Any, battle: Battle = OPEN, seat: str = "east", rules: Ruleset[Battle] = RULES, **more: Any
) -> Problem:
    _, problems = read(data, battle, seat, rules, **more)
    assert len(problems) == 1, problems
    return problems[0]


# --- a file as it should be


def test_a_whole_file() -> None:
    file = good(
        {
            "game": "brawl-1",
            "side": "east",
            "seat": "east",
            "turn": "t3",
            "shoot": ["alric at gunter or wulf or nearest"],
            "move": ["odo to 0406", {"who": ["hob"], "do": "move", "path": ["0503", "0603"]}],
            "fight": ["hob, odo attack gunter at least 2:1"],
            "luck": "three blue herons",
            "note": "to you",
            "message": "to all",
        }
    )
    assert (file.seat, file.side, file.opened, file.only, file.stop_after) == (
        "east",
        "east",
        OPEN.at,
        "",
        "",
    )
    assert file.sections == {
        "first_missile": (Line(Shoot("alric", ("gunter", "wulf", "nearest")), ("shoot", 0)),),
        "movement": (
            Line(Move("odo", ("0406",)), ("move", 0)),
            Line(MoveBy("hob", ("0503", "0603")), ("move", 1)),
        ),
        "melee": (Line(Attack(("hob", "odo"), ("gunter",), 2), ("fight", 0)),),
    }
    assert (file.luck, file.note, file.message) == ("three blue herons", "to you", "to all")
    assert (file.everyone, file.figures, file.answers) == (None, (), {})
    assert file.phases == ("first_missile", "movement", "second_archery", "melee", "recovery")


def test_an_empty_file_orders_everybody_to_stay() -> None:
    file = good({})
    assert file.gives_orders
    assert file.covers(replace(OPEN.at, phase="melee"))


@pytest.mark.parametrize("nothing", [None, "", []])
def test_an_empty_section_is_a_section(nothing: object) -> None:
    assert good({"move": nothing}).sections == {"movement": ()}


def test_what_is_no_mapping_is_no_order_file() -> None:
    assert one(["odo to 0406"]).code == "orders.nothing"


# --- whose, and when


def test_a_file_of_another_side_or_seat_is_refused_with_the_right_one() -> None:
    problem = one({"side": "west"})
    assert (problem.code, problem.path, problem.args, problem.help) == (
        "orders.side", ("side",), {"side": "west", "own": "east"}, "side: east",
    )  # fmt: skip
    problem = one({"seat": "ally"})
    assert (problem.code, problem.path, problem.args, problem.help) == (
        "orders.seat", ("seat",), {"seat": "ally", "own": "east"}, "seat: east",
    )  # fmt: skip
    assert good({"seat": "ally", "side": "east"}, seat="ally").seat == "ally"


@pytest.mark.parametrize(
    "turn", ["t3", "t3.east", "t3.east.first_missile", "t3.east.shoot", "t3.east.melee", "t3.east.fight"]
)
def test_the_open_turn_is_taken(turn: str) -> None:
    only = {"first_missile": "first_missile", "shoot": "first_missile", "melee": "melee", "fight": "melee"}
    file = good({"turn": turn})
    assert file.only == only.get(turn.rpartition(".")[2], "")


@pytest.mark.parametrize(
    "turn",
    [
        "t2",
        "t4",
        "t3.west",
        "t3.west.melee",
        "setup.1",
        "d2",
        "d2.t3",
        "t3.east.setup",
        "t3.east.nonsense",
        "setup",
    ],
)
def test_another_turn_is_refused_with_the_right_one(turn: str) -> None:
    problem = one({"turn": turn})
    assert (problem.code, problem.path, problem.help) == ("orders.turn", ("turn",), "turn: t3.east")
    assert problem.args == {"turn": turn, "open": "t3.east.first_missile"}


@pytest.mark.parametrize("turn", ["", "3", "turn 3", "t03", "east", "t3..east"])
def test_what_is_no_turn_is_refused_with_an_example(turn: str) -> None:
    assert one({"turn": turn}).help == "turn: t3.east"


def test_a_phase_that_is_over_is_refused() -> None:
    assert one({"turn": "t3.east.movement"}, at(Cursor("melee", 3, "east"))).code == "orders.turn"


@pytest.mark.parametrize("turn", ["d2", "d2.t5", "t5", "d2.t5.east", "d2.t5.east.melee"])
def test_days_are_named_in_front(turn: str) -> None:
    assert good({"turn": turn}, at(Cursor("melee", 5, "east", day=2))).opened.day == 2
    assert one({"turn": "d1.t5"}, at(Cursor("melee", 5, "east", day=2))).help == "turn: d2.t5.east"


@pytest.mark.parametrize("turn", ["setup", "setup.1", "setup.1.west"])
def test_a_step_of_the_setup_is_named(turn: str) -> None:
    placing = at(Cursor("setup", 1, "west"))
    file = good({"turn": turn, "setup": ["gunter at 0101"]}, placing, "west")
    assert file.sections == {"setup": (Line(Place("gunter", ("0101",)), ("setup", 0)),)}
    assert file.phases == ("setup",)
    assert one({"turn": "t1"}, placing, "west").help == "turn: setup.1.west"
    assert one({"turn": "setup.2"}, placing, "west").code == "orders.turn"


def test_orders_are_taken_when_it_is_the_seats_turn() -> None:
    problem = one({"move": ["gunter to 0606"]}, seat="west")
    assert (problem.code, problem.path, problem.key) == ("orders.not-your-turn", ("move",), True)
    assert problem.args == {"section": "move", "seat": "ally, east", "own": "west"}
    assert good(
        {"standing": {"everyone": {"advance": "never"}}, "message": "hail"}, seat="west"
    ).everyone == {"advance": "never"}


def test_sections_of_phases_that_are_over_or_of_another_time_are_refused() -> None:
    fight = at(Cursor("melee", 3, "east"))
    problem = one({"move": ["odo to 0406"]}, fight)
    assert (problem.code, problem.path, problem.key, problem.help) == (
        "orders.too-late",
        ("move",),
        True,
        "the sections that are open: fight",
    )
    assert problem.args == {"section": "move", "open": "fight"}
    assert one({"setup": ["odo at 0406"]}).code == "orders.setup-over"
    assert (
        one({"move": ["gunter to 0406"]}, at(Cursor("setup", 1, "west")), "west").code == "orders.setup-first"
    )
    problem = one({"day": ["assault"]})
    assert (problem.code, problem.args) == (
        "orders.not-in-force",
        {"what": "days of bombardment", "needs": "the module battering"},
    )


def test_what_stands_in_a_section_that_cannot_be_ordered_is_read_all_the_same() -> None:
    assert bad({"stop-after": "move", "fight": ["odo attacks gunther"]}) == [
        ("orders.after-stop", ("fight",)),
        ("name.unknown", ("fight", 0, 12)),
    ]
    assert bad({"move": ["gunter to 9901"]}, seat="west") == [
        ("orders.not-your-turn", ("move",)),
        ("orders.off-map", ("move", 0, 10)),
    ]
    assert bad({"day": ["march"]}) == [("orders.not-in-force", ("day",))]


def test_a_file_for_one_phase_has_no_other_section() -> None:
    problem = one({"turn": "t3.east.melee", "move": ["odo to 0406"], "fight": ["odo attacks gunter"]})
    assert (problem.code, problem.path, problem.args) == (
        "orders.only",
        ("move",),
        {"section": "move", "turn": "t3.east.melee"},
    )


def test_a_file_ends_after_a_phase() -> None:
    file = good({"stop-after": "shoot-again", "shoot-again": []})
    assert file.stop_after == "second_archery"
    assert not file.covers(replace(OPEN.at, phase="melee"))
    problem = one({"stop-after": "move", "fight": ["odo attacks gunter"]})
    assert (problem.code, problem.path, problem.args) == (
        "orders.after-stop",
        ("fight",),
        {"section": "fight", "stop": "move"},
    )
    for late in ("shoot", "setup", "day", "nonsense"):
        problem = one({"stop-after": late}, at(Cursor("movement", 3, "east")))
        assert (problem.code, problem.help) == ("orders.stop-after", "one of move, shoot-again, fight")


# --- names


def test_all_problems_come_at_once_each_at_its_word() -> None:
    assert bad(
        {
            "side": "west",
            "turn": "t9",
            "shoot": ["alrik at gunter"],
            "move": ["odo to 1301", "gunter to 0405", "mo to 0304", "odo flies to 0406"],
            "fight": ["odo attacks hob", {"who": ["odo"], "do": "attack", "at": ["gunther"]}],
        }
    ) == [
        ("orders.side", ("side",)),
        ("orders.turn", ("turn",)),
        ("name.unknown", ("shoot", 0, 0)),
        ("orders.off-map", ("move", 0, 7)),
        ("orders.not-yours", ("move", 2, 0)),
        ("orders.sentence", ("move", 3)),
        ("orders.own-target", ("fight", 0, 12)),
        ("name.unknown", ("fight", 1)),
        ("orders.twice", ("fight", 1)),
    ]


def test_a_wrong_name_is_answered_with_the_nearest() -> None:
    assert one({"move": ["odoo to 0406"]}).help == "did you mean 'odo'?"
    assert one({"shoot": ["alric at gunther"]}).help == "did you mean 'gunter'?"
    assert one({"move": ["zz to 0406"]}).help == ""


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("odoo walks 0406", "odo to 0406"),
        ("odoo walks 0406 facing s", "odo to 0406 facing s"),
        ("odoo: 0406", "odo to 0406"),
        ("zz walks 0406", "zz to 0406"),
    ],
)
def test_in_what_was_meant_a_misspelt_name_is_right_too(said: str, meant: str) -> None:
    assert one({"move": [said]}).help == f"did you mean '{meant}'?"


@pytest.mark.parametrize("said", ["odo to ford", "odo to the ford", "odo goes into the ford!"])
def test_of_an_area_one_hex_is_to_be_named(said: str) -> None:
    assert one({"move": [said]}).help == "name one hex of ford, such as 0101"


def test_what_is_wrong_with_a_place() -> None:
    problem = one({"move": ["odo to 1301"]})
    assert problem.args == {"place": "1301", "map": "the meadow"}
    assert problem.help == "its hexes run from 0101 to 1210, column first"
    assert one({"move": ["odo to 0001"]}).code == "orders.off-map"
    problem = one({"move": ["odo by 0404@top 0406"]})
    assert (problem.code, problem.help, problem.path) == ("orders.storey", "write 0404", ("move", 0, 7))


def test_a_shot_is_aimed_at_a_figure() -> None:
    problem = one({"shoot": ["alric at 0505"]})
    assert (problem.code, problem.args, problem.path) == (
        "orders.hex-target",
        {"hex": "0505"},
        ("shoot", 0, 9),
    )
    assert one({"shoot": ["alric at gunter or hob"]}).code == "orders.own-target"


def test_who_joins_an_attack() -> None:
    assert good({"fight": ["odo, mo attack gunter"]}).sections["melee"]
    assert bad({"fight": ["mo attacks gunter"]}) == [("orders.not-yours", ("fight", 0, 0))]
    two = replace(OPEN, units={**UNITS, "una": unit("una", "east", "0304", "ally")})
    assert bad({"fight": ["mo, una attack gunter"]}, two) == [("orders.none-yours", ("fight", 0, 0))]
    assert bad({"fight": ["odo, odo attack gunter"]}) == [("orders.named-twice", ("fight", 0, 0))]
    assert bad({"fight": ["odo attacks gunter, gunter"]}) == [("orders.named-twice", ("fight", 0, 12))]


def test_a_man_is_placed_in_one_hex() -> None:
    problem = one({"setup": ["gunter at 0101 0102"]}, at(Cursor("setup", 1, "west")), "west")
    assert (problem.code, problem.help) == ("orders.one-hex", "gunter at 0101")


@pytest.mark.parametrize(
    ("section", "sentence", "what", "needs"),
    [
        ("move", "odo, hob raise ladder1 in 0405 facing s", "ladders", "the module castle"),
        ("move", "odo works bridge", "drawbridges", "the module castle"),
        ("move", "odo steps over", "battlements", "the module castle"),
        ("move", "tower1 forward 2", "siege towers", "the module works"),
        ("move", "odo mounts bayard", "horses and riders", "the module riders"),
        ("move", "odo leads bayard to 0405", "horses and riders", "the module riders"),
        ("move", "odo takes barrel1", "oil and mantlets", "the module wagons-oil"),
        ("shoot", "alric at gunter with fire", "fire arrows", "the module wagons-oil"),
        ("shoot", "alric fires ballista1 at gunter", "ballistae", "the module camp"),
        ("fight", "hob lights 0505", "fire", "the module camp"),
        ("fight", "ram1 strikes 0505", "rams", "the module battering"),
    ],
)
def test_what_is_not_in_force_is_refused_with_what_it_needs(
    section: str, sentence: str, what: str, needs: str
) -> None:
    problem = one({section: [sentence]})
    assert (problem.code, problem.path, problem.args) == (
        "orders.not-in-force",
        (section, 0),
        {"what": what, "needs": needs},
    )


@pytest.mark.parametrize(
    ("sentence", "what"),
    [("gunter rides bayard", "horses and riders"), ("fill 0101", "works before the battle")],
)
def test_what_the_setup_does_not_know_here(sentence: str, what: str) -> None:
    assert one({"setup": [sentence]}, at(Cursor("setup", 1, "west")), "west").args["what"] == what


def test_skill_is_an_option() -> None:
    placing = at(Cursor("setup", 1, "west"))
    assert one({"setup": ["gunter has skill 2"]}, placing, "west").args["needs"] == "the option shooter_skill"
    rules = RULES.amend(options={"shooter_skill": Option(("false", "true"), (), "")})
    assert (
        one({"setup": ["gunter has skill 0"]}, placing, "west", rules).args["needs"]
        == "the option shooter_skill"
    )
    chosen = rules.amend(settings={"shooter_skill": "true"})
    assert good({"setup": ["gunter has skill 0"]}, placing, "west", chosen).sections["setup"]
    assert (
        one({"setup": ["gunter has skill 0", "gunter has skill 0"]}, placing, "west", chosen).args["unit"]
        == "gunter"
    )
    assert good({"setup": ["gunter has skill 0", "gunter at 0101"]}, placing, "west", chosen).sections[
        "setup"
    ]


def test_names_of_things_and_animals_where_their_rules_are_in_force() -> None:
    assert good(
        {"move": ["odo, hob carry ladder1 to 0405", "odo, hob raise ladder1 in 0405 facing s"]}, rules=CASTLE
    ).sections
    assert one({"move": ["odo mounts gunter"]}, rules=CASTLE).code == "orders.no-horse"
    assert one({"move": ["odo leads gunter to 0405"]}, rules=CASTLE).code == "orders.not-led"
    assert bad({"move": ["odo hitches gunter to ladder1"]}, rules=CASTLE) == [
        ("orders.not-led", ("move", 0, 12)),
        ("orders.no-wagon", ("move", 0, 22)),
    ]
    assert one({"move": ["odo works bridge"]}, rules=CASTLE).code == "name.unknown"
    assert one({"move": ["odo works leder1"]}, rules=CASTLE).help == "did you mean 'ladder1'?"
    assert one({"shoot": ["alric fires ladder9 at gunter"]}, rules=CASTLE).help == "did you mean 'ladder1'?"
    assert good({"shoot": ["alric at ladder1 with fire"]}, rules=CASTLE).sections
    placing = at(Cursor("setup", 1, "west"))
    assert one({"setup": ["fill 9901"]}, placing, "west", CASTLE).code == "orders.off-map"
    assert one({"setup": ["gunter rides bayard"]}, placing, "west", CASTLE).code == "name.unknown"
    assert one({"setup": ["gunter rides tam"]}, placing, "west", CASTLE).code == "orders.no-horse"


# --- one order a section, whole turns


def test_a_man_has_one_order_in_a_section() -> None:
    problem = one({"move": ["odo to 0406", "hob to 0503", "odo to 0407"]})
    assert (problem.code, problem.path) == ("orders.twice", ("move", 2))
    assert problem.args == {"unit": "odo", "section": "move", "first": "odo to 0406"}
    assert good(
        {"shoot": ["alric at gunter"], "move": ["alric to 0202"], "shoot-again": ["alric at gunter"]}
    ).sections


def test_branches_know_nothing_of_each_other_but_all_of_what_stands_above_and_below() -> None:
    branch = {"when": "odo is healthy", "then": ["odo attacks gunter"], "otherwise": ["odo attacks tam"]}
    assert good({"fight": [branch]}).sections
    assert bad({"fight": [branch, "odo attacks wulf"]}) == [("orders.twice", ("fight", 1))]
    assert bad({"fight": ["odo attacks wulf", branch]}) == [
        ("orders.twice", ("fight", 1, "then", 0)),
        ("orders.twice", ("fight", 1, "otherwise", 0)),
    ]


def test_a_ladder_is_carried_and_raised_by_the_same_men_in_the_next_line() -> None:
    carry, raise_ = "odo, hob carry ladder1 to 0405", "odo, hob raise ladder1 in 0405 facing s"
    assert bad({"move": [raise_, carry]}, rules=CASTLE) == [("orders.twice", ("move", 1))]
    assert bad({"move": [carry, "alric to 0202", raise_]}, rules=CASTLE) == [("orders.twice", ("move", 2))]
    assert bad({"move": [carry, "odo raises ladder1 in 0405 facing s"]}, rules=CASTLE) == [
        ("orders.twice", ("move", 1))
    ]
    assert good({"move": ["odo takes ladder1", "odo to 0406"]}, rules=CASTLE).sections


def test_whole_turn_work_keeps_a_man_from_everything_else() -> None:
    problem = one(
        {"shoot": ["odo at gunter"], "move": ["odo works ladder1"], "fight": ["hob attacks gunter"]},
        rules=CASTLE,
    )
    assert (problem.code, problem.path) == ("orders.busy", ("shoot", 0))
    assert problem.args == {"unit": "odo", "job": "odo works ladder1", "section": "shoot"}
    late = {"when": "odo is healthy", "then": ["odo attacks gunter"]}
    assert bad({"move": ["odo works ladder1"], "fight": [late]}, rules=CASTLE) == [
        ("orders.busy", ("fight", 0, "then", 0))
    ]
    assert good({"move": ["odo works ladder1"], "fight": ["hob attacks gunter"]}, rules=CASTLE).sections


# --- conditions


def test_conditions_and_their_branches() -> None:
    file = good(
        {
            "fight": [
                {
                    "when": "gunter is stunned or wounded and odo is next to an enemy",
                    "then": [
                        "odo attacks gunter",
                        {"when": ["odo is healthy", {"turn": "5"}], "then": "hob attacks tam"},
                    ],
                    "otherwise": "stop",
                }
            ]
        }
    )
    item = file.sections["melee"][0]
    assert isinstance(item, When)
    assert item.condition.parts == (("gunter", "is", "stunned or wounded"), ("odo", "beside", "enemy"))
    assert item.condition.text == "gunter is stunned or wounded and odo is next to an enemy"
    assert item.otherwise == (Stop(("fight", 0, "otherwise")),)
    assert item.then[0] == Line(Attack(("odo",), ("gunter",)), ("fight", 0, "then", 0))
    inner = item.then[1]
    assert isinstance(inner, When)
    assert inner.condition.text == "odo is healthy and turn is at least 5"
    assert inner.then == (Line(Attack(("hob",), ("tam",)), ("fight", 0, "then", 1, "then")),)


@pytest.mark.parametrize("stop", ["stop", "Stop.", {"do": "stop"}])
def test_stop_stands_alone_in_a_branch(stop: object) -> None:
    file = good({"move": [{"when": "odo is dead", "then": [stop]}]})
    item = file.sections["movement"][0]
    assert isinstance(item, When)
    assert item.then == (Stop(("move", 0, "then", 0)),)
    assert bad({"move": [stop]}) == [("orders.stop", ("move", 0))]
    assert bad({"move": [{"when": "odo is dead", "then": ["odo stays", stop]}]}) == [
        ("orders.stop", ("move", 0, "then", 1))
    ]


def test_conditions_are_three_deep_at_most_and_twenty_in_a_file() -> None:
    def nest(deep: int) -> dict[str, Any]:
        return {"when": "odo is dead", "then": [nest(deep - 1)] if deep > 1 else ["hob stays"]}

    assert good({"move": [nest(3)]}).sections
    problem = one({"move": [nest(4)]})
    assert (problem.code, problem.args) == ("orders.too-deep", {"most": 3})
    plain = {"when": "odo is dead", "then": []}
    assert good({"move": [plain] * 20}).sections
    assert bad({"move": [plain] * 12, "fight": [plain] * 10}) == [("orders.too-many", ("fight", 8))]


def test_what_is_wrong_with_a_condition() -> None:
    problem = one({"move": [{"when": "odo is next to nobody at all", "then": []}]})
    assert (problem.code, problem.path, problem.help) == (
        "orders.condition",
        ("move", 0, "when"),
        "for example: odo is next to gunter",
    )
    assert bad({"move": [{"when": ["odo is well", "odo is dead"], "then": []}]}) == [
        ("orders.condition", ("move", 0, "when", 0))
    ]
    assert bad({"move": [{"when": "bob is dead and 1301 is free", "then": ["odo to 0001"]}]}) == [
        ("name.unknown", ("move", 0, "when", 0)),
        ("orders.off-map", ("move", 0, "when", 16)),
        ("orders.off-map", ("move", 0, "then", 0, 7)),
    ]
    problem = one({"move": [{"when": "fort is held by east", "then": []}]})
    assert (problem.code, problem.help) == ("name.mark", "did you mean 'ford'?")
    problem = one({"move": [{"when": "ford is held by north", "then": []}]})
    assert (problem.code, problem.help) == ("name.side", "the sides are east, west")
    assert bad({"move": [{"when": "odo is dead"}]}) == [("orders.no-key", ("move", 0))]
    assert bad({"move": [{"when": "odo is dead", "then": [], "else": []}]}) == [
        ("orders.key", ("move", 0, "else"))
    ]


# --- standing instructions


def test_standing_instructions_are_read_whole() -> None:
    block = {
        "odo": {"wound": ["hob", "odo"], "retreat": "to 0101 0102"},
        "everyone": {
            "wound": "weakest", "retreat": "toward 0101", "advance": "by 0505 0506", "advance-who": "hob,odo", "doorway": "most",
            "land": "on-enemy", "panic-who": "panic-more hob odo", "panic-way": "away", "engines-lose": "mangonel1, ram1", "repeat": "last",
        },
        "hob": {"advance": "if-safe", "panic-who": "ask"},
    }  # fmt: skip
    file = good({"standing": block})
    assert file.everyone == {
        "wound": "weakest", "retreat": "toward 0101", "advance": "by 0505 0506", "advance-who": "hob, odo", "doorway": "most",
        "land": "on-enemy", "panic-who": "panic-more hob, odo", "panic-way": "away", "engines-lose": "mangonel1, ram1", "repeat": "last",
    }  # fmt: skip
    assert file.figures == (
        {"unit": "hob", "advance": "if-safe", "panic-who": "ask"},
        {"unit": "odo", "wound": "hob, odo", "retreat": "to 0101 0102"},
    )
    assert not file.gives_orders


def test_what_is_wrong_with_standing_instructions() -> None:
    assert one({"standing": "away"}).code == "orders.standing"
    assert bad(
        {
            "standing": {
                "everyone": {"retreat": "home", "retrat": "away", "advance": "by 1301", "wound": "bob"},
                "gunter": {"retreat": "away"},
                "nobody": "away",
            }
        }
    ) == [
        ("orders.standing-value", ("standing", "everyone", "retreat")),
        ("orders.standing-key", ("standing", "everyone", "retrat")),
        ("orders.off-map", ("standing", "everyone", "advance")),
        ("name.unknown", ("standing", "everyone", "wound")),
        ("orders.not-your-side", ("standing", "gunter")),
        ("name.unknown", ("standing", "nobody")),
        ("orders.standing", ("standing", "nobody")),
    ]
    assert one({"standing": {"everyone": {"retreat": "home"}}}).help == "did you mean 'away'?"
    assert one({"standing": {"everyone": {"advance": "no"}}}).help == "did you mean 'never'?"
    assert one({"standing": {"everyone": {"repeat": "on"}}}).help == "did you mean 'last'?"
    assert one({"standing": {"everyone": {"wound": "yes"}}}).help == "weakest, strongest, names, or ask"
    assert (
        one({"standing": {"everyone": {"retreat": "sideways"}}}).help
        == "away, cover, to 0712 0713, toward 0712, or ask"
    )
    assert one({"standing": {"everyone": {"retrat": "away"}}}).help == "did you mean 'retreat'?"
    assert one({"standing": {"everyone": {"xyz": "away"}}}).help.startswith(
        "known are wound, retreat, advance"
    )
    problem = one({"standing": {"nobody": {"retreat": "away"}}})
    assert (problem.help, problem.key) == ("a figure of yours, or everyone", True)


def test_what_takes_force_at_once() -> None:
    file = good({"standing": {"odo": {"advance": "never"}}, "message": "hail"}, seat="east")
    assert reading.instruct(RULES, OPEN, "east", file, "sha512:1") == (
        Instructed("east", "sha512:1", {}, ({"unit": "odo", "advance": "never"},)),
        Said("east", "hail"),
    )
    assert reading.instruct(RULES, OPEN, "east", good({}), "sha512:1") == ()


# --- answers

ASKED = (
    Question(
        "q1",
        "west",
        "one",
        "retreat",
        "tam",
        "S1.72o",
        (Choice("a", "0612"), Choice("b", "0513")),
        "0612",
        "beaten",
    ),
    Question(
        "q2",
        "west",
        "some",
        "panic-who",
        "tam",
        "S6.1h",
        (Choice("a", "tam"), Choice("b", "wulf")),
        "tam",
        "panic",
    ),
    Question("q3", "east", "one", "wound", "odo", "S1.72g", (Choice("a", "odo"),), "odo", "hit"),
)


def test_answers_are_compared_with_the_open_questions() -> None:
    file = good({"answers": {"q1": "0513", "q2": ["tam", "wulf"]}}, seat="west", questions=ASKED)
    assert file.answers == {"q1": "0513", "q2": "tam, wulf"}
    assert not file.gives_orders
    assert good({"answers": {"q1": "b"}}, seat="west", questions=ASKED).answers == {"q1": "b"}
    assert good({"answers": {"q9": "anything"}}, seat="west").answers == {"q9": "anything"}
    assert good({"answers": "none"}, seat="west").answers == {}


def test_what_is_wrong_with_an_answer() -> None:
    problem = one({"answers": {"q4": "a"}}, seat="west", questions=ASKED)
    assert (problem.code, problem.help, problem.path, problem.key) == (
        "orders.question",
        "open are: q1, q2",
        ("answers", "q4"),
        True,
    )
    assert one({"answers": {"q3": "a"}}, seat="west", questions=ASKED).code == "orders.question"
    assert (
        one({"answers": {"q1": "a"}}, seat="ally", questions=ASKED).help
        == "no question is open to you; take the line out"
    )
    problem = one({"answers": {"q1": "0999"}}, seat="west", questions=ASKED)
    assert (problem.code, problem.help) == ("orders.answer", "one of a (0612), b (0513)")
    assert one({"answers": {"q2": "wolf"}}, seat="west", questions=ASKED).help == "did you mean 'wulf'?"
    assert bad({"answers": {"q1": ["a", "b"]}}, seat="west", questions=ASKED) == [
        ("orders.one-answer", ("answers", "q1"))
    ]


# --- junk


def test_forms_that_the_schema_would_refuse_are_problems_too() -> None:
    assert bad({"move": {"odo": "0405"}}) == [("orders.list", ("move",))]
    assert bad({"move": [["odo to 0405"], 7]}) == [("orders.item", ("move", 0)), ("orders.item", ("move", 1))]
    assert bad({"move": [{"do": "jump"}]}) == [("orders.deed", ("move", 0, "do"))]
    assert good({"move": "odo to 0405"}).sections["movement"] == (Line(Move("odo", ("0405",)), ("move",)),)
    assert good({"move": ["odo stays", "resign"]}).sections["movement"][1] == Line(Act("resign"), ("move", 1))


SCALARS = st.one_of(
    st.none(),
    st.text(max_size=12),
    st.sampled_from(["odo to 0405", "stop", "odo is dead", "hob attacks gunter", "everyone"]),
)
JUNK = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(
                ["when", "then", "otherwise", "do", "who", "at", "to", "everyone", "retreat", "q1"]
            ),
            inner,
            max_size=3,
        ),
    ),
    max_leaves=8,
)
KEYS = [
    "side",
    "seat",
    "turn",
    "setup",
    "shoot",
    "move",
    "fight",
    "day",
    "standing",
    "answers",
    "stop-after",
    "luck",
    "note",
    "message",
]


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.sampled_from(KEYS), JUNK, max_size=5))
def test_any_data_is_a_file_or_problems(data: Mapping[str, Any]) -> None:
    file, problems = read(data)
    assert file is not None
    gaps = [item for items in file.sections.values() for item in items if isinstance(item, Gap)]
    assert problems or not gaps


# --- files that order nobody


@pytest.mark.parametrize(
    "sentence",
    ["nobody moves", "Nobody.", "no one shoots", "everybody stays", "all stay", "nobody else moves"],
)
def test_a_section_may_say_that_nobody_is_ordered(sentence: str) -> None:
    file = good({"move": [sentence]})
    assert (file.sections, file.nobody, file.says_who) == ({"movement": ()}, True, True)


def test_a_file_that_orders_nobody_says_so_or_says_nothing() -> None:
    for data in (
        {},
        {"move": []},
        {"luck": "a wet day"},
        {"message": "hello"},
        {"standing": {"everyone": {"retreat": "away"}}},
    ):
        assert not good(data).says_who, data
    for data in (
        {"nobody": "moves"},
        {"fight": ["hob, odo attack gunter"]},
        {"move": [{"when": "turn is at least 2", "then": ["hob to 0303"]}]},
    ):
        assert good(data).says_who, data
    said = good({"nobody": "moves", "standing": {"everyone": {"retreat": "away"}}})
    assert said.gives_orders and said.covers(OPEN.at), "it is no silent side"


def test_who_orders_somebody_does_not_say_that_nobody_is_ordered_there() -> None:
    assert bad({"move": ["nobody moves", "hob to 0303"]}) == [("orders.nobody-but", ("move", 0))]
    assert good({"move": ["nobody else moves", "hob to 0303"], "fight": ["nobody fights"]}).nobody is False


# --- what is right at once

NAMES = ("hob", "mo", "gunter", "ladder1", "nearest", "nobody-here")


def with_names(sentence: str, names: tuple[str, ...]) -> Iterator[str]:
    """Yield a sentence with other names instead of its own."""
    for first, second in product(NAMES, repeat=2):
        instead = dict(zip(names, cycle((first, second)), strict=False))
        yield "".join(instead.get(word, word) for word in re.split(r"([a-z0-9-]+)", sentence))


@pytest.mark.parametrize("heading", ["setup", "shoot", "move", "fight"])
@pytest.mark.parametrize("rules", [RULES, CASTLE], ids=["open", "castle"])
def test_what_is_right_at_once_is_right_when_it_is_looked_into(
    heading: str, rules: Ruleset[Battle], monkeypatch: pytest.MonkeyPatch
) -> None:
    battle = at(Cursor(family.headings(rules)[heading], 1, "east"))
    orders = {line.example: grammar.read(rules, heading, line.example) for line in grammar.lines(rules)}
    data = {
        heading: [
            said
            for example, order in orders.items()
            if not isinstance(order, Problem)
            for said in with_names(example, grammar.named(rules, order))
        ]
    }
    told = read(data, battle, rules=rules)
    monkeypatch.setattr(reading._Reader, "at_once", lambda *of: None)
    assert read(data, battle, rules=rules) == told
