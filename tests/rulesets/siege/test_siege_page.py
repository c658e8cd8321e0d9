"""The page about sieges for players: its sentences stand in the sections that it says, and its assault is
played as it tells it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import rulebook_siege as rulebook
import yaml

from pbem.core.dice import ScriptedDice
from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset, SlotResult, choose, play_slot
from pbem.rulesets.siege.orders import grammar
from pbem.rulesets.siege.ruleset import CRY_HAVOC, SIEGE
from pbem.rulesets.siege.state.state import Battle

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "siege.md").read_text("utf-8")
SCENARIOS = ROOT / "scenarios" / "siege"
MODULES = {"castle", "works", "camp", "battering", "wagons-oil"}
DICE = {"shoot/josse": 8, "shoot/siward": 7, "shoot/roscelin": 6, "topple/ladder1/1": 8, "fight/josse/1": 5}
"""What the dice show, as the page says."""


def rows() -> list[list[str]]:
    """Return the table of orders: section, sentence, what happens, rule."""
    table = PAGE.split("## Orders of a castle")[1].split("\n## ")[0]
    lines = [line for line in table.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_each_sentence_is_read_in_its_section_and_each_rule_is_carried_out() -> None:
    book = rulebook.book()
    assert len(rows()) > 25
    for section, sentence, _, rule in rows():
        said = sentence.strip("`")
        order = grammar.read(CRY_HAVOC, section, said)
        assert not isinstance(order, Problem), said
        assert grammar.say(CRY_HAVOC, order) == said
        assert book[rule]["status"] in ("done", "data"), rule


def test_sentences_in_what_happens_are_read_too() -> None:
    told = [
        (section, said) for section, _, happens, _ in rows() for said in re.findall(r"`([^`]+)`", happens)
    ]
    assert ("move", "odo climbs ladder1 and over") in told
    assert all(not isinstance(grammar.read(CRY_HAVOC, section, said), Problem) for section, said in told)


def test_every_kind_of_order_of_a_castle_is_in_the_table() -> None:
    shown = set()
    for section, sentence, _, _ in rows():
        order = grammar.read(CRY_HAVOC, section, sentence.strip("`"))
        assert not isinstance(order, Problem)
        shown.add(order.deed)
    assert shown >= {
        deed.id
        for deed in CRY_HAVOC.deeds.values()
        if deed.needs is not None and not MODULES.isdisjoint(deed.needs.modules[:1])
    }


# --- the files of the page


def plain(text: str) -> dict[str, Any]:
    """Return YAML with all its scalars as text."""
    return dict(yaml.load(text, yaml.BaseLoader))


def files() -> list[dict[str, Any]]:
    """Return the order files of the page, in its order."""
    return [plain(block) for block in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)]


def begin(name: str) -> tuple[Ruleset[Battle], Battle]:
    """Return the rules and the first state of a scenario that is shipped."""
    scenario = plain((SCENARIOS / f"{name}.yaml").read_text("utf-8"))
    map_ = plain((SCENARIOS / "maps" / f"{scenario['map']}.yaml").read_text("utf-8"))
    rules, problems = choose(SIEGE, scenario["modules"], scenario.get("options", {}))
    assert rules is not None, problems
    field, *wrong = rules.interface.read_field(rules, scenario, map_)
    assert field is not None, wrong
    return rules, rules.interface.setup(rules, field, {side.id: side.id for side in field.sides})


def played(rules: Ruleset[Battle], battle: Battle, data: dict[str, Any]) -> SlotResult[Battle]:
    """Play the slot of a file in which the program finds nothing wrong; a die that the page does not name is
    none.
    """
    seat = data["side"]
    assert rules.interface.seats_to_order(rules, battle) == (seat,)
    file, problems = rules.interface.read_orders(rules, battle, seat, data)
    assert (file is not None, list(problems)) == (True, []), data
    assert rules.interface.check(rules, battle, file, ()).problems == (), data
    dice = ScriptedDice({label: (face,) for label, face in DICE.items()})
    return play_slot(rules, battle, {seat: (file,)}, {seat: (file, "sha512:" + "0" * 128)}, dice)


def assault() -> Iterator[Battle]:
    """Yield the battle after each file of the assault; who has none on the page does nothing."""
    rules, battle = begin("millers-ladders")
    for data in files():
        if data["side"] == "baron":
            continue
        while (seat := rules.interface.seats_to_order(rules, battle)[0]) != data["side"]:
            battle = played(rules, battle, {"side": seat, "turn": f"t{battle.at.turn}"}).state
        battle = played(rules, battle, data).state
        yield battle


def test_the_assault_comes_out_as_the_page_tells() -> None:
    states = list(assault())
    assert [str(battle.at) for battle in states] == [
        "setup.2.company",
        "t1.company.first_missile",
        "t1.steward.first_missile",
        "t2.company.first_missile",
        "t2.steward.first_missile",
        "t3.company.first_missile",
        "t3.steward.first_missile",
        "t4.steward.first_missile",
    ]
    raised, over, after = states[4], states[6], states[7]
    assert (raised.things["ladder1"].stands, raised.things["ladder1"].at, raised.units["pagan"].at) == (
        "raised",
        ("0507",),
        ("0507",),
    )
    assert (over.units["pagan"].at, over.units["josse"].at) == (("0508",), ("0509",))
    assert after.units["huard"].at == ("0507",)
    assert all(unit.state == "healthy" for unit in after.units.values())


def test_the_day_of_the_page_is_a_plan_of_its_scenario() -> None:
    rules, battle = begin("six-days")
    (day,) = (data for data in files() if data["side"] == "baron")
    file, problems = rules.interface.read_orders(rules, battle, "baron", day)
    assert (file is not None, list(problems)) == (True, [])
    assert rules.interface.check(rules, battle, file, ()).problems == ()
