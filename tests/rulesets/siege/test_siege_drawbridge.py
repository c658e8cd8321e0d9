"""The winch and the works before an assault as a player meets them: in the list of legal orders, on the
sheet, in the receipt.
"""

from __future__ import annotations

from typing import Any

from case_plugin import battle_of, chosen

from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.deeds import reading
from pbem.rulesets.siege.ground import garrison
from pbem.rulesets.siege.judge import judge
from pbem.rulesets.siege.judge.forecast import forecast
from pbem.rulesets.siege.judge.legal import legal
from pbem.rulesets.siege.orders import grammar
from pbem.rulesets.siege.ruleset import CRY_HAVOC
from pbem.rulesets.siege.state.state import Battle
from pbem.rulesets.siege.views.sheet import sheet

CASTLE: dict[str, Any] = {
    "map": [". . . . .", ". . . . .", "~ ~ ~ ~ ~", "w w G T w", "w , , , w", "w w w w w"],
    "key": {"~": "moat", "w": "castle_wall", "G": "gateway", "T": "tower", ",": "courtyard"},
    "map-sides": {"wall": {"nw": "0304 0404", "ne": "0304 0404"}, "door": {"s": "0404"}},
    "bridges": [
        {"bridge": "drawbridge", "hexes": "0303", "gate": "0304 n", "winch": "0404", "starts": "lowered"}
    ],
    "marks": {"outside": "0101"},
    "units": {
        "piers": {"side": "east", "class": "spearman", "at": "0404"},
        "odo": {"side": "east", "class": "spearman", "at": "0405"},
        "wulf": {"side": "west", "class": "spearman", "at": "0101"},
    },
    "at": "t1.east.movement",
}
SETUP: dict[str, Any] = {
    **CASTLE,
    "marks": {"bank": "0101 0201"},
    "setup": [{"seat": "west", "may": ["place", "fill", "rubble"], "in": "bank"}],
    "supplies": {"west": {"filled": "2", "rubble": "1"}},
    "at": "setup.1.west",
}


def laid(given: dict[str, Any]) -> tuple[Ruleset[Battle], Battle]:
    rules = chosen(_rules(), given)
    return rules, battle_of(rules, given)


def _rules() -> Ruleset[Battle]:
    from pbem.rulesets.siege.ruleset import SIEGE

    return SIEGE


def judged(given: dict[str, Any], seat: str, data: dict[str, Any]) -> tuple[list[Problem], list[str]]:
    """Return what is said of an order file, and how it was understood."""
    rules, battle = laid(given)
    file, problems = reading.read_orders(rules, battle, seat, data)
    assert problems == [] and file is not None
    judgement = judge.check(rules, battle, file)
    return list(judgement.problems), forecast(rules, judgement.course)


def test_only_who_stands_at_the_winch_may_turn_it() -> None:
    said = [grammar.say(CRY_HAVOC, order) for order in legal(*laid(CASTLE), "east")]
    assert [order for order in said if "works" in order] == ["piers works bridge"]


def test_the_sheet_offers_the_winch_and_the_receipt_says_what_it_takes() -> None:
    entries = {
        entry.unit: [choice.sentence for choice in entry.choices] for entry in sheet(*laid(CASTLE), "east")
    }
    assert "piers works bridge" in entries["piers"]
    assert judged(CASTLE, "east", {"move": ["piers works bridge"]}) == (
        [],
        ["piers  works bridge  takes the whole turn"],
    )


def test_whoever_works_the_winch_does_nothing_else_in_that_file() -> None:
    rules, battle = laid(CASTLE)
    _, problems = reading.read_orders(
        rules, battle, "east", {"move": ["piers works bridge"], "fight": ["piers attacks wulf"]}
    )
    assert [(problem.code, problem.args["section"]) for problem in problems] == [("orders.busy", "fight")]


def test_what_a_besieger_may_fill_and_break_is_listed_hex_by_hex() -> None:
    said = [grammar.say(CRY_HAVOC, order) for order in legal(*laid(SETUP), "west")]
    assert [order for order in said if order.startswith("fill")] == [
        "fill 0103",
        "fill 0203",
        "fill 0403",
        "fill 0503",
    ]
    walls = ["0104", "0204", "0504", "0105", "0505", "0106", "0206", "0306", "0406", "0506"]
    assert [order for order in said if order.startswith("rubble")] == [f"rubble {hex_}" for hex_ in walls]
    assert list(legal(*laid(SETUP), "east")) == []


def test_nothing_is_listed_when_everything_is_used_up() -> None:
    used = {
        **SETUP,
        "features": [
            {"at": "0103", "is": "filled"},
            {"at": "0203", "is": "filled"},
            {"at": "0504", "is": "rubble"},
        ],
    }
    said = [grammar.say(CRY_HAVOC, order) for order in legal(*laid(used), "west")]
    assert [order for order in said if order.startswith(("fill", "rubble"))] == []


def test_the_sheet_of_the_setup_says_how_many_are_left() -> None:
    entries = {entry.unit: entry for entry in sheet(*laid(SETUP), "west")}
    fill = entries["fill"]
    assert (fill.about, [choice.sentence for choice in fill.choices]) == ("2 hexes left", ["fill 0103"])
    assert fill.choices[0].others == (("", ("0103", "0203", "0403", "0503")),)
    assert entries["rubble"].about == "1 hex left"


def test_a_file_that_fills_twice_as_much_is_told_at_its_line() -> None:
    problems, understood = judged(SETUP, "west", {"setup": ["fill 0103 0203", "fill 0403"]})
    assert [(problem.code, problem.path, problem.args["left"]) for problem in problems] == [
        ("works.too-many", ("setup", 1), 0)
    ]
    assert understood[0].split() == ["fill", "0103", "0203"]


def test_who_is_in_the_castle_is_told_by_its_walls() -> None:
    battle = laid(CASTLE)[1]
    inside = {"0304", "0404", "0205", "0305", "0405"}
    assert garrison.castle(battle, battle.units["piers"]) == inside
    assert garrison.castle(battle, battle.units["wulf"]) == frozenset()
    assert garrison.defender(battle.field, frozenset(inside)) == "east"
    assert garrison.defends(battle, battle.units["odo"])
    assert not garrison.defends(battle, battle.units["wulf"])


def test_an_area_that_is_a_castle_goes_before() -> None:
    battle = laid({**CASTLE, "areas": [{"id": "hold", "kind": "castle", "hexes": "0405"}]})[1]
    assert garrison.castle(battle, battle.units["odo"]) == {"0405"}
    assert garrison.castle(battle, battle.units["piers"]) == frozenset()


def test_whoever_is_placed_inside_in_the_setup_defends_too() -> None:
    given = {
        **CASTLE,
        "marks": {"outside": "0101", "yard": "0205 0305", "bank": "0101 0201"},
        "units": {
            "piers": {"side": "east", "class": "spearman", "in": "yard"},
            "odo": {"side": "east", "class": "spearman", "in": "yard"},
            "wulf": {"side": "west", "class": "spearman", "in": "bank"},
            "hugh": {"side": "west", "class": "spearman", "enters": "bank"},
            "spy": {"side": "west", "class": "spearman", "at": "0405"},
        },
        "setup": [
            {"seat": "east", "may": ["place"], "in": "yard"},
            {"seat": "west", "may": ["place"], "in": "bank"},
        ],
        "at": "setup.1.east",
    }
    battle = laid(given)[1]
    assert garrison.defender(battle.field, frozenset({"0205", "0305", "0405", "0304"})) == "east"
    assert garrison.defender(battle.field, frozenset({"0304"})) == ""


def test_without_a_castle_nobody_is_in_one() -> None:
    battle = laid({**CASTLE, "marks": {}})[1]
    assert garrison.castle(battle, battle.units["piers"]) == frozenset()
    assert garrison.castles(battle.field) == ()
    flat = laid({"units": CASTLE["units"], "marks": {"outside": "0101"}, "at": "t1.east.movement"})[1]
    assert garrison.castles(flat.field) == ()
