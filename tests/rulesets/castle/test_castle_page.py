"""The page of castle sections for players: its sentences are read, its rules are carried out, and its exchange
is played as it tells it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from msgspec.structs import replace
from test_castle_rulebook import book

from pbem.core.dice import ScriptedDice
from pbem.core.ruleset import choose, play_slot
from pbem.core.sequence import Cursor
from pbem.geometry.plane import hundredths
from pbem.referee.explain.army_check import check_army
from pbem.referee.game.refusal import Refused
from pbem.rulesets.castle import orders
from pbem.rulesets.castle.events import plain as event_of
from pbem.rulesets.castle.facing import compass
from pbem.rulesets.castle.orders import parse, say
from pbem.rulesets.castle.ruleset import CASTLE
from pbem.rulesets.castle.state import War, with_figure

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "castle-sections.md").read_text("utf-8")
DICE = {
    "close/pick/wall3": (5, 5),
    "fall/matz/wall3": (2,),
    "shot/gero/matz": (3, 4),
    "shot/kestrel/brask": (4, 4),
}
"""What the dice show, as the page says, and no leader has luck."""


def rows(heading: str) -> list[list[str]]:
    """Return the cells of the table under a heading."""
    table = PAGE.split(f"## {heading}")[1].split("\n## ")[0]
    lines = [line for line in table.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def sentences() -> Iterator[str]:
    for sentence, happens, _ in rows("Orders"):
        yield from re.findall(r"`([^`]+)`", f"{sentence} {happens}")


def test_each_sentence_is_read_and_each_rule_is_carried_out() -> None:
    assert len(rows("Orders")) > 20
    for said in sentences():
        order = parse(said)
        assert order is not None, said
        assert say(order) == said
    for sentence, _, rule in rows("Orders"):
        assert book()[rule]["status"] in ("done", "data"), sentence


def test_every_kind_of_order_is_in_the_table() -> None:
    names = [name for name in vars(orders) if name.isupper() and name[0] != "_"]
    kinds = {value for value in map(vars(orders).get, names) if isinstance(value, str)}
    shown = {order.do for said in sentences() if (order := parse(said)) is not None}
    assert shown == kinds - {
        *(orders.HEADING, orders.NAME, orders.ARMY, orders.MUSTERS, orders.LADDER, orders.PLANK)
    }


def test_every_line_of_an_army_is_read_as_it_stands() -> None:
    said = re.findall(r"^\| `([^`]*)`", PAGE.partition("## Armies")[2].partition("\n## ")[0], re.MULTILINE)
    assert len(said) == 7
    for line in said:
        order = orders.parse_army(line)
        assert order is not None, line
        assert orders.say(order) == line


def test_figures_of_one_s_own_are_laid_over_the_table_by_one_file(tmp_path: Path) -> None:
    (said,) = re.findall(
        r"```yaml\n(.*?)```", PAGE.partition("## Armies")[2].partition("\n## ")[0], re.DOTALL
    )
    figures = tmp_path / "figures"
    figures.mkdir()
    (figures / "warriors.yaml").write_text(said)
    army = tmp_path / "army.yaml"
    army.write_text("side: hill\narmy:\n- odo is a knight at 24 46\n- grul is an ogre at 20 46\n")
    found = check_army(army, "kestrel-open", tables=figures)
    assert found.lines == ("odo is a knight at 24 46 (24 points)", "grul is an ogre at 20 46 (38 points)")
    with pytest.raises(Refused):
        check_army(army, "kestrel-open")


def plain(text: str) -> dict[str, Any]:
    return dict(yaml.load(text, yaml.BaseLoader))


@cache
def exchange() -> tuple[tuple[War, tuple[dict[str, Any], ...]], ...]:
    """Return the game after each file of the page, in which the program finds nothing wrong, with what
    happened.
    """
    scenarios = ROOT / "scenarios" / "castle"
    scenario = plain((scenarios / "kestrel-tower.yaml").read_text("utf-8"))
    map_ = plain((scenarios / "maps" / f"{scenario['map']}.yaml").read_text("utf-8"))
    rules, problems = choose(CASTLE, (), scenario.get("options", {}))
    assert rules is not None, problems
    field, *wrong = rules.interface.read_field(rules, scenario, map_)
    assert field is not None, wrong
    war = rules.interface.setup(rules, field, {side.id: side.id for side in field.sides})
    war = replace(war, at=Cursor("actions", 6, "hill"))
    for id_, at, looks in rows("An exchange"):
        x, y = map(hundredths, at.split())
        war = with_figure(war, id_, x=x, y=y, facing=compass(looks))
    found = []
    for text in re.findall(r"```yaml\n(.*?)```", PAGE.partition("## An exchange")[2], re.DOTALL):
        data = plain(text)
        seat = data["side"]
        assert rules.interface.seats_to_order(rules, war) == (seat,)
        sheet, unread = rules.interface.read_orders(rules, war, seat, data)
        assert (sheet is not None, list(unread)) == (True, []), data
        leader = {"hill": "brask", "keep": "joss"}[seat]
        dice = ScriptedDice({**DICE, f"lead/{leader}": (1,)})
        played = play_slot(rules, war, {seat: (sheet,)}, {seat: (sheet, "sha512:" + "0" * 128)}, dice)
        war = played.state
        found.append((war, tuple(event_of(event) for event in played.events)))
    return tuple(found)


def attacks(events: tuple[dict[str, Any], ...]) -> list[tuple[str, str, int, int, str]]:
    return [
        (event["attackers"][0], event["target"], event["needs"], event["total"], event["outcome"])
        for event in events
        if event["type"] == "Attacked"
    ]


def test_the_exchange_of_the_hill_comes_out_as_the_page_tells() -> None:
    war, events = exchange()[0]
    assert not any(event["type"] == "OrderSkipped" for event in events)
    assert attacks(events) == [("pick", "wall3", 9, 10, "hit"), ("gero", "matz", 6, 7, "hit")]
    assert war.section("wall3").out
    assert (war.figure("matz").on, war.figure("matz").click, war.figure("matz").out) == ("", 4, False)
    (way,) = [event for event in events if event["type"] == "Moved"]
    assert (way["figure"], way["stopped"]) == ("grul", "hindering")


def test_that_of_the_garrison_too() -> None:
    war, events = exchange()[1]
    assert not any(event["type"] == "OrderSkipped" for event in events)
    assert attacks(events) == [("kestrel", "brask", 7, 8, "hit")]
    assert war.section("kestrel").open == ("front",)
    assert (war.figure("paul").on, war.figure("brask").click) == ("", 4)
    assert (war.told["keep"].spin, war.told["keep"].collapse) == ("keep", "n")
    assert sum(event.get("spent", 0) for event in events if event["type"] == "Acted") == 1
