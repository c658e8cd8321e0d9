"""The page of The Anarchy for players: its sentences stand in the sections that it says, its file is read, and
what it calls missing is.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import case_plugin
import rulebook_anarchy as book
import yaml

from pbem.core.dice import ScriptedDice
from pbem.core.problem import Problem
from pbem.core.ruleset import choose, play_slot
from pbem.rulesets.anarchy.ruleset import ANARCHY
from pbem.rulesets.siege.deeds import reading
from pbem.rulesets.siege.orders import grammar
from pbem.rulesets.siege.orders.grammar import say
from pbem.rulesets.siege.ruleset import SIEGE

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
            shown.add(order.deed)
    assert shown >= set(ANARCHY.deeds) - set(SIEGE.deeds)


def files() -> list[dict[str, Any]]:
    """Return the order files of the page, in its order: first one that shows them all, then a whole game."""
    return [yaml.load(block, yaml.BaseLoader) for block in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)]


def test_its_file_is_read() -> None:
    block = files()[0]
    east = {"side": "raiders", "class": "longbowman"}
    units = {name: {**east, "at": f"010{n}"} for n, name in enumerate(("hob", "odo", "alric", "emma"), 1)}
    foes = {"gunter": {"side": "convoy", "class": "spearman", "at": "0601"}}
    foes["wulf"] = {"side": "convoy", "class": "spearman", "at": "0602"}
    given = {"map": [" ".join("." * 12)] * 14, "units": {**units, **foes}, "at": "t3.raiders.movement"}
    battle = case_plugin.battle_of(ANARCHY, given)
    file, problems = reading.read_orders(ANARCHY, battle, "raiders", block)
    assert problems == []
    assert file is not None
    assert set(file.sections) == {"movement", "offensive_fire", "melee"}


def test_layers_that_it_calls_whole_are() -> None:
    left = [
        id_
        for id_, entry in book.book().items()
        if id_[:2] in ("A1", "A2", "A3", "A4", "A5", "A6") and entry["status"] in ("todo", "partly")
    ]
    assert left == []


DICE = {"shoot/josse": (2,), "fight/fulbert/1": (3,)}
"""What the dice show, as the page says; every other one would be a fault."""


def test_its_small_game_comes_out_as_the_page_tells_from_setup_to_end() -> None:
    folder = Path(__file__).resolve().parents[3] / "scenarios" / "anarchy"
    scenario = yaml.load((folder / "candles.yaml").read_text("utf-8"), yaml.BaseLoader)
    map_ = yaml.load((folder / "maps" / f"{scenario['map']}.yaml").read_text("utf-8"), yaml.BaseLoader)
    rules, _ = choose(ANARCHY, scenario["modules"], scenario.get("options", {}))
    assert rules is not None
    field, *_ = rules.interface.read_field(rules, scenario, map_)
    battle = rules.interface.setup(rules, field, {side.id: side.id for side in field.sides})
    moments = []
    for data in files()[1:]:
        while (seat := rules.interface.seats_to_order(rules, battle)[0]) != data["side"]:
            battle = _played(rules, battle, {"side": seat, "turn": f"t{battle.at.turn}"})
        battle = _played(rules, battle, data)
        moments.append((str(battle.at), battle.things["great-door"].stands, battle.units["fulbert"].state))
    assert moments == [
        ("setup.2.thieves", "closed", "healthy"),
        ("t1.thieves.movement", "closed", "healthy"),
        ("t1.custodians.movement", "closed", "healthy"),
        ("t2.custodians.movement", "closed", "healthy"),
        ("t3.custodians.movement", "broken", "healthy"),
        ("t4.custodians.movement", "broken", "wounded"),
        ("over", "broken", "dead"),
    ]
    assert (battle.winner, rules.interface.over(battle)) == ("custodians", True)


def _played(rules: Any, battle: Any, data: dict[str, Any]) -> Any:
    """Return the battle after a file in which the program finds nothing wrong."""
    seat = data["side"]
    assert rules.interface.seats_to_order(rules, battle) == (seat,)
    file, problems = rules.interface.read_orders(rules, battle, seat, data)
    assert (file is not None, list(problems)) == (True, []), data
    assert rules.interface.check(rules, battle, file, ()).problems == (), data
    held = {seat: (file, "sha512:" + "0" * 128)}
    return play_slot(rules, battle, {seat: (file,)}, held, ScriptedDice(DICE)).state
