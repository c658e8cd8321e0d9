"""Mines: the two laws of legal orders on their days, what is written of them, and what a scenario may say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import case_plugin
import pytest
import yaml
from msgspec.structs import replace
from thorough import tries

from pbem.bots.chance import Chance
from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset
from pbem.rulesets.anarchy import mines
from pbem.rulesets.anarchy.ruleset import ANARCHY
from pbem.rulesets.siege.deeds import reading
from pbem.rulesets.siege.judge import forecast, judge, legal
from pbem.rulesets.siege.orders import grammar
from pbem.rulesets.siege.scenario import siege_sheet
from pbem.rulesets.siege.state import saved, soundness
from pbem.rulesets.siege.state.state import Battle
from pbem.rulesets.siege.views import day_sheet, scene

MODULES = ["open-ground", "houses", "castle", "works", "battering", "days", "mining"]
WALLS = ("0204", "0304", "0404", "0504", "0604")
HEXES = (*WALLS, "0104", "0704", "0403", "0405")
CREW = {"ann": "technician", "bob": "peasant", "cid": "spearman", "dan": "peasant"}
GARRISON = {"odo": "technician", "pat": "peasant", "qui": "spearman", "rob": "sergeant"}


def given(**more: Any) -> dict[str, Any]:
    """Return a castle with a mine on either side of its wall, on the morning of a third day."""
    units = {name: {"side": "west", "class": class_} for name, class_ in CREW.items()}
    units |= {name: {"side": "east", "class": class_} for name, class_ in GARRISON.items()}
    ground = [". . . . . . ."] * 3 + ["T w w w w w T", ", , , , , , ,", ", , , , , , ,"]
    return {
        "map": ground,
        "key": {"w": "battlement", "T": "tower", ",": "courtyard"},
        "modules": MODULES,
        "days": "8",
        "length": "12 turns",
        "siege": {"besieger": "west", "assaults": "1", "fight": "8"},
        "units": units,
        "at": "d3.day",
        "part": "day",
        **more,
    }


def drawn(chance: Chance) -> dict[str, Any]:
    """Return such a castle in which some has been dug, fired in vain and fallen, by chance."""
    dug: dict[str, list[str]] = {"mole": [], "vole": []}
    features = []
    for hex_ in WALLS:
        match chance.one_of(("whole", "whole", "mole", "mole", "vole", "unsafe", "rubble")):
            case "mole" | "vole" as mine:
                dug[mine].append(hex_)
            case "unsafe" | "rubble" as is_:
                features.append({"at": hex_, "is": is_, "last": "2"})
    things = [
        {"id": "mole", "kind": "mine", "side": "west", "struck": chance.one_of(("d2.day", "d3.day"))},
        {"id": "mole-shaft", "kind": "shaft", "side": "west", "at": chance.one_of(("0403", "0303 0403"))},
        {"id": "vole", "kind": "mine", "side": "east"},
        {"id": "vole-shaft", "kind": "shaft", "side": "east", "at": "0505"},
    ]
    for thing in things:
        if dug.get(thing["id"]):
            thing["at"] = " ".join(dug[thing["id"]])
    return given(things=things, features=features)


def laid(more: Mapping[str, Any]) -> tuple[Ruleset[Battle], Battle]:
    rules = case_plugin.chosen(ANARCHY, more)
    return rules, case_plugin.battle_of(rules, more)


def sentences(battle: Battle, seat: str) -> Iterator[str]:
    """Yield every sentence of a day over the names and places of a castle."""
    yield from ("assault", "rest", "bombard", "lift the siege")
    for unit in (unit.id for unit in battle.units.values() if unit.owner == seat):
        yield f"{unit} calls a fight"
        for hex_ in HEXES:
            yield from (f"{unit} digs {hex_}", f"{unit} digs {hex_} at a forced pace")
            yield from (f"{unit} refills {hex_}", f"{unit} refills {hex_} at a forced pace")
            yield f"{unit} burns the props at {hex_}"


def passes(rules: Ruleset[Battle], battle: Battle, seat: str, said: str) -> bool:
    file, problems = reading.read_orders(rules, battle, seat, {"turn": str(battle.at), "day": [said]})
    assert file is not None
    assert problems == [], said
    return not [one for one in judge.check(rules, battle, file).problems if not one.is_doubt]


@pytest.mark.parametrize("number", range(tries(4, 60)))
@pytest.mark.parametrize("seat", ["west", "east"])
def test_what_is_listed_for_a_day_is_what_passes(seat: str, number: int) -> None:
    rules, battle = laid(drawn(Chance(f"mine {number}")))
    listed = {grammar.say(rules, order) for order in legal.legal(rules, battle, seat)}
    every = set(sentences(battle, seat))
    assert listed <= every
    for said in sorted(every):
        assert passes(rules, battle, seat, said) is (said in listed), said


@pytest.mark.parametrize("seat", ["west", "east"])
def test_the_sheet_of_a_day_says_all_that_is_listed(seat: str) -> None:
    rules, battle = laid(drawn(Chance("sheet")))
    said = set()
    for entry in day_sheet.entries(rules, battle, seat):
        for choice in entry.choices:
            words = choice.sentence.rsplit(" ", 1)[0]
            said |= {choice.sentence, *(f"{words} {hex_}" for _, hexes in choice.others for hex_ in hexes)}
    assert said == {grammar.say(rules, order) for order in legal.legal(rules, battle, seat)}


def test_what_a_day_may_bring_is_told_beforehand() -> None:
    things = [
        {"id": "mole", "kind": "mine", "side": "west", "at": "0404", "crew": "bob cid", "stands": "dug", "aim": "0304"},
        {"id": "mole-shaft", "kind": "shaft", "side": "west", "at": "0403 0303 0503"},
    ]  # fmt: skip
    rules, battle = laid(given(things=things))
    order = grammar.read(rules, "day", "ann digs 0304")
    assert not isinstance(order, Problem)
    assert forecast.row(rules, battle, order)[2] == "ann leads 2, 2 points: of 10, 1 are enough"
    alone = grammar.read(rules, "day", "dan digs 0304")
    assert not isinstance(alone, Problem)
    assert forecast.row(rules, battle, alone)[2] == "with no engineer among them nothing is done"


def test_who_is_underground_is_written_read_and_shown_there() -> None:
    things = [
        {"id": "mole", "kind": "mine", "side": "west", "at": "0404 0304"},
        {"id": "mole-shaft", "kind": "shaft", "side": "west", "at": "0403"},
    ]
    more = given(things=things, at="d3.t1.west.movement", part="fight")
    more["units"]["bob"] = {**more["units"]["bob"], "at": "0404@mine"}
    more["units"]["rob"] = {**more["units"]["rob"], "at": "0404"}
    rules, battle = laid(more)
    written = saved.write(rules, battle)
    assert soundness.read(rules, battle.field, written) == battle
    shown = {token.id: token for token in scene.scene(rules, battle).tokens}
    assert (shown["bob"].level, shown["rob"].level) == (-1, 0)
    assert battle.lower == {"0404": "0404@mine", "0304": "0304@mine"}


def test_the_siege_sheet_tells_of_tunnels() -> None:
    things = [{"id": "mole", "kind": "mine", "side": "west", "at": "0404 0304"}]
    rules, battle = laid(given(things=things))
    told = siege_sheet.record(rules, battle)
    assert "mole of west: tunnelled 0404 0304" in told
    assert "0204 to 0604: 2 of 5 hexes tunnelled, 3 bring it down" in told


WELL = "{id: well, side: east, shaft: '0505'}"


@pytest.mark.parametrize(
    ("said", "codes"),
    [
        (f"[{{id: mole, side: west, at: '0404'}}, {WELL}]", []),
        ("mole", ["scenario.mines"]),
        ("[{id: mole, side: north}]", ["scenario.unknown-side", "scenario.mines"]),
        ("[{id: mole, side: west, at: '0403'}]", ["scenario.mine-wall"]),
        ("[{id: mole, side: west, at: '9904'}]", ["scenario.off-map"]),
        ("[{id: mole, side: west, deep: 'true'}]", ["scenario.mines"]),
        ("[{id: vole, side: east}]", ["scenario.mines"]),
        (f"[{WELL}, {{id: odo, side: west}}]", ["scenario.id-twice"]),
    ],
)
def test_a_scenario_says_whose_mines_there_are(said: str, codes: list[str]) -> None:
    rules, battle = laid(given())
    gear, problems = mines.dug(rules, battle.field, yaml.load(said, yaml.BaseLoader))
    assert [problem.code for problem in problems] == codes
    if not codes:
        assert [entry.thing.id for entry in gear] == ["mole", "well", "well-shaft"]


def test_where_a_scenario_has_no_sides_none_are_named() -> None:
    rules, battle = laid(given())
    one = yaml.load("[{id: mole, side: west, shaft: '0404'}]", yaml.BaseLoader)
    asked = [replace(battle.field, sides=sides) for sides in (battle.field.sides[:1], ())]
    assert [mines.dug(rules, field, one)[1][0].help for field in asked] == ["the sides are east", ""]
