"""Conditions: what may be asked, how it reads, and whether it is so."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from skirmish import RULES, battle

from pbem.core.sequence import Cursor
from pbem.rulesets.siege.orders import conditions
from pbem.rulesets.siege.orders.conditions import (
    EXAMPLES,
    holds,
    nearest,
    parse,
    say_part,
    sentence,
    states_of,
)
from pbem.rulesets.siege.state.state import Battle, Feature

# 0505 has the neighbours n 0504, ne 0604, se 0605, s 0506, sw 0405, nw 0404
MEN = {
    "odo": ("east", "spearman", "0505"),
    "alric": ("east", "longbowman", "0509"),
    "hob": ("east", "sergeant", "0405", "wounded"),
    "gunter": ("west", "peasant", "0506"),
    "tam": ("west", "spearman", "0604", "stunned"),
    "wulf": ("west", "sergeant", "1001", "dead"),
    "ned": ("west", "peasant", "", {"left": True}),
}  # fmt: skip


def field_of_battle(**more: Any) -> Battle:
    return battle(MEN, "melee", **more)


def told(text: str, where: Battle | None = None) -> tuple[bool, str]:
    condition = parse(text)
    assert condition is not None, text
    return holds(RULES, where or field_of_battle(), condition)


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_reads_back(example: str) -> None:
    condition = parse(example)
    assert condition is not None
    assert condition.text == example
    assert [say_part(part) for part in condition.parts] == [example]


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("Odo is  HEALTHY", "odo is healthy"),
        ("odo cannot attack gunter", "odo can not attack gunter"),
        ("odo is next to enemy", "odo is next to an enemy"),
        ("hob,odo against gunter at least 2:1", "hob, odo against gunter at least 2:1"),
        ("ford is not held by east", "ford is not held by east"),
        ("0712 is not free and 0712 is not burning", "0712 is not free and 0712 is not burning"),
        ("odo is not at 0712@top", "odo is not at 0712@top"),
        ("odo is not next to gunter", "odo is not next to gunter"),
        ("odo is not stunned or wounded", "odo is not stunned or wounded"),
        (
            "alric can not shoot gunter and odo can not reach 0712",
            "alric can not shoot gunter and odo can not reach 0712",
        ),
    ],
)
def test_what_may_be_written_otherwise(written: str, normal: str) -> None:
    condition = parse(written)
    assert condition is not None
    assert condition.text == normal
    again = parse(condition.text)
    assert again == condition


@pytest.mark.parametrize(
    "text",
    [
        "",
        "odo",
        "odo is well",
        "odo is an gunter",
        "turn is 5",
        "turn is at least 0",
        "odo is healthy or",
        "odo is next to an gunter",
        "and",
    ],
)
def test_what_is_no_condition(text: str) -> None:
    assert parse(text) is None


def test_the_nearest_example() -> None:
    assert nearest("0712 burns, is burning") == "0712 is burning"
    assert nearest("ford held by us") == "ford is held by east"
    assert nearest("turn 5") == "turn is at least 5"


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        ({"unit": "odo", "is": "healthy"}, "odo is healthy"),
        ({"unit": "odo", "is-not": "dead"}, "odo is not dead"),
        ({"unit": "odo", "at": "0712"}, "odo is at 0712"),
        ({"unit": "odo", "next-to": "gunter"}, "odo is next to gunter"),
        ({"unit": "odo", "can-attack": "gunter"}, "odo can attack gunter"),
        ({"unit": "odo", "can-shoot": "gunter"}, "odo can shoot gunter"),
        ({"unit": "odo", "can-reach": "0712"}, "odo can reach 0712"),
        ({"place": "0712", "is": "free"}, "0712 is free"),
        ({"mark": "ford", "held-by": "east"}, "ford is held by east"),
        ({"turn": 5}, "turn is at least 5"),
        (
            {"who": ["hob", "odo"], "against": ["gunter"], "at-least": "2:1"},
            "hob, odo against gunter at least 2:1",
        ),
    ],
)
def test_conditions_as_keys(entry: dict[str, Any], text: str) -> None:
    condition = parse(sentence(entry))
    assert condition is not None
    assert condition.text == text


def test_keys_that_say_nothing() -> None:
    assert sentence({"unit": "odo"}) == "odo"
    assert sentence({}) == ""


@pytest.mark.parametrize(
    ("text", "value", "why"),
    [
        ("odo is healthy", True, "odo is healthy"),
        ("odo is stunned or wounded", False, "odo is healthy"),
        ("hob is stunned or wounded", True, "hob is wounded"),
        ("hob is able", True, "hob is able"),
        ("tam is able", False, "tam is stunned"),
        ("odo is mounted or panicked", False, "odo is healthy"),
        ("odo is not dead", True, "odo is healthy"),
        ("wulf is dead", True, "wulf is dead"),
        ("wulf is not dead", False, "wulf is dead"),
        ("wulf is healthy", False, "wulf is dead"),
        ("ned is gone", True, "ned is gone"),
        ("ned is healthy", False, "ned is gone"),
        ("odo is gone", False, "odo is healthy"),
        ("odo is at 0505", True, "odo is at 0505"),
        ("odo is at 0506", False, "odo is at 0505"),
        ("odo is not at 0506", True, "odo is at 0505"),
        ("wulf is at 1001", False, "wulf is dead"),
        ("ned is at 1001", False, "ned is gone"),
        ("odo is next to gunter", True, "odo is next to gunter"),
        ("odo is next to an enemy", True, "odo is next to gunter"),
        ("gunter is next to an enemy", True, "gunter is next to hob"),
        ("alric is next to an enemy", False, "alric is not next to an enemy"),
        ("alric is next to gunter", False, "alric is not next to gunter"),
        ("alric is not next to gunter", True, "alric is not next to gunter"),
        ("odo is next to wulf", False, "odo is not next to wulf"),
        ("0505 is free", False, "odo is at 0505"),
        ("1001 is free", True, "1001 is free"),
        ("0505 is not free", True, "odo is at 0505"),
        ("0505 is burning", False, "0505 is not burning"),
        ("ford is held by east", False, "ford is not held by east"),
        ("turn is at least 3", True, "turn is 3"),
        ("turn is at least 4", False, "turn is 3"),
        ("odo can attack gunter", True, "odo can attack gunter"),
        ("odo can not attack gunter", False, "odo can attack gunter"),
        ("alric can attack gunter", False, "alric can not attack gunter"),
        ("gunter can attack odo", False, "gunter can not attack odo"),
        ("alric can shoot gunter", True, "alric can shoot gunter"),
        ("odo can shoot gunter", False, "odo can not shoot gunter"),
        ("odo can reach 0404", True, "odo can reach 0404"),
        ("odo can reach 0506", False, "odo can not reach 0506"),
        ("hob, odo against gunter at least 3:1", True, "hob, odo against gunter at least 3:1"),
        ("hob, odo against gunter at least 9:1", False, "hob, odo against gunter not at least 9:1"),
        ("odo is healthy and hob is wounded", True, "odo is healthy and hob is wounded"),
        ("odo is healthy and hob is healthy and tam is dead", False, "hob is wounded"),
    ],
)  # fmt: skip
def test_what_is_so_and_why(text: str, value: bool, why: str) -> None:
    assert told(text) == (value, why)


def test_the_words_for_a_figure() -> None:
    where = field_of_battle()
    odo = where.units["odo"]
    assert states_of(where, odo) == ("healthy", "able")
    assert states_of(where, replace(odo, mood="panic", on="bayard")) == (
        "healthy",
        "mounted",
        "panicked",
        "able",
    )
    assert states_of(where, where.units["tam"]) == ("stunned",)


def test_a_rider_is_where_his_horse_is() -> None:
    where = battle(
        {
            **MEN,
            "bayard": ("east", "rich_knight", "0404"),
            "guy": ("east", "rich_knight", "0404", {"on": "bayard"}),
        },
        "melee",
    )
    assert told("guy is at 0404", where) == (True, "guy is at 0404")


def test_fire_and_holding_are_facts_of_the_ground() -> None:
    burning = field_of_battle(features={("0505", "fire"): Feature("0505", "fire")})
    assert told("0505 is burning", burning) == (True, "0505 is burning")
    holding = battle({**MEN, "rolf": ("east", "peasant", "0101")}, "melee")
    assert told("ford is held by east", holding) == (True, "ford is held by east")
    assert told("ford is held by west", holding) == (False, "ford is not held by west")


def test_can_is_judged_as_if_it_were_that_sides_phase_for_it() -> None:
    moving = field_of_battle().changed(at=Cursor("movement", 3, "east"))
    assert told("odo can attack gunter", moving)[0]
    assert told("odo can reach 0404", moving)[0]
    strong = battle({**MEN, "gunter": ("west", "rich_knight", "0506")}, "melee")
    assert told("gunter can attack odo", strong) == (True, "gunter can attack odo")


def test_what_a_condition_names() -> None:
    condition = parse(
        "ford is held by east and 0712 is free and hob, odo against tam, wulf at least 2:1 and odo is next "
        "to an enemy and odo is at 0505"
    )
    assert condition is not None
    assert [name for part in condition.parts for name in conditions.named(part)] == [
        ("mark", "ford"), ("side", "east"), ("place", "0712"), ("unit", "hob"), ("unit", "odo"), ("unit", "tam"), ("unit", "wulf"),
        ("unit", "odo"), ("unit", "odo"), ("place", "0505"),
    ]  # fmt: skip
