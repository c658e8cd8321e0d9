"""The page of The Anarchy for players: its sentences stand in the sections that it says, its file is read, and
what it calls missing is.
"""

from __future__ import annotations

import re
from pathlib import Path

import case_plugin
import rulebook_anarchy as book
import yaml

from pbem.core.problem import Problem
from pbem.rulesets.anarchy.ruleset import ANARCHY
from pbem.rulesets.siege.deeds import reading
from pbem.rulesets.siege.orders import grammar
from pbem.rulesets.siege.orders.grammar import say
from pbem.rulesets.siege.ruleset import SIEGE
from pbem.rulesets.siege.state.orders import kind

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "anarchy.md").read_text("utf-8")


def rows() -> list[list[str]]:
    """Return the table of orders: section, sentence, what happens, rule."""
    table = PAGE.split("## Orders")[1].split("\n## ")[0]
    lines = [line for line in table.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_each_sentence_is_read_in_its_section_and_each_rule_is_carried_out() -> None:
    assert len(rows()) > 10
    for section, sentence, happens, rule in rows():
        for said in (sentence.strip("`"), *re.findall(r"`([^`]+)`", happens)):
            order = grammar.read(ANARCHY, section, said)
            assert not isinstance(order, Problem), said
            assert say(ANARCHY, order) == said
        assert book.book()[rule]["status"] in ("done", "data"), rule


def test_every_kind_of_order_that_siege_has_not_is_in_the_table() -> None:
    shown = set()
    for section, sentence, happens, _ in rows():
        for said in (sentence.strip("`"), *re.findall(r"`([^`]+)`", happens)):
            order = grammar.read(ANARCHY, section, said)
            assert not isinstance(order, Problem)
            shown.add(kind(order))
    assert shown >= set(ANARCHY.deeds) - set(SIEGE.deeds)


def test_its_file_is_read() -> None:
    (block,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    east = {"side": "raiders", "class": "longbowman"}
    units = {name: {**east, "at": f"010{n}"} for n, name in enumerate(("hob", "odo", "alric", "emma"), 1)}
    foes = {"gunter": {"side": "convoy", "class": "spearman", "at": "0601"}}
    foes["wulf"] = {"side": "convoy", "class": "spearman", "at": "0602"}
    given = {"map": [" ".join("." * 12)] * 14, "units": {**units, **foes}, "at": "t3.raiders.movement"}
    battle = case_plugin.battle_of(ANARCHY, given)
    file, problems = reading.read_orders(ANARCHY, battle, "raiders", yaml.load(block, yaml.BaseLoader))
    assert problems == []
    assert file is not None
    assert set(file.sections) == {"movement", "offensive_fire", "melee"}


def test_layers_that_it_calls_whole_are_and_no_others() -> None:
    for layer, whole in (("A1", True), ("A2", True), ("A3", True), ("A4", True), ("A5", True), ("A6", False)):
        left = [
            id_
            for id_, entry in book.book().items()
            if id_.startswith(f"{layer}.") and entry["status"] in ("todo", "partly")
        ]
        assert (left == []) is whole, layer
