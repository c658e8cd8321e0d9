"""Every choice that the rules leave to a player stands in the table of the docs, with a key or a sentence
that exists.
"""

from __future__ import annotations

import re
from pathlib import Path

import rulebook_siege as rulebook

from pbem.rulesets.siege.orders import grammar
from pbem.rulesets.siege.ruleset import CRY_HAVOC
from pbem.rulesets.siege.things import standing_instructions

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "choices.md").read_text()
KEYS, ORDERS = (
    part.split("\n## ")[0]
    for part in PAGE.split("## Standing instructions, or a question")[1].split("## Orders")
)
RULE = re.compile(r"\b(?:S|EN|CH|E)\d+(?:\.\d+)*[a-z]?\b")


def _rows(table: str) -> list[list[str]]:
    lines = [line for line in table.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def _rules(table: str) -> set[str]:
    return {rule for row in _rows(table) for rule in RULE.findall(row[-1])}


def test_every_decision_of_the_rulebook_is_in_one_of_the_tables():
    carried_out = (rulebook.DONE, rulebook.DATA)
    decisions = {
        id_
        for id_, entry in rulebook.book().items()
        if "decision" in entry and entry["status"] in carried_out
    }
    assert len(decisions) > 40
    assert decisions <= _rules(KEYS) | _rules(ORDERS)
    assert _rules(KEYS) | _rules(ORDERS) <= set(rulebook.book())


def test_every_key_of_the_standing_instructions_is_in_the_table_with_values_it_takes():
    shown = {row[1].strip("`") for row in _rows(KEYS)}
    assert shown == set(standing_instructions.KEYS)
    for row in _rows(KEYS):
        pattern = re.compile(standing_instructions.KEYS[row[1].strip("`")][0])
        for said in re.findall(r"`([^`]+)`", row[2]):
            said = said.replace("HEX", "0712").replace("NAMES", "odo, hob")
            assert pattern.fullmatch(said), said
        assert pattern.fullmatch("ask")


def test_every_sentence_of_the_table_is_one_of_the_grammar():
    for row in _rows(ORDERS):
        for said in re.findall(r"`([^`]+)`", row[1]):
            if said.startswith("silent"):
                continue
            named = next((name for name in ("setup", "day") if row[1].startswith(f"{name}:")), "")
            section = named or next(name for name in ("move", "fight", "shoot") if _reads(name, said))
            assert _reads(section, said), said


def _reads(section: str, said: str) -> bool:
    order = grammar.read(CRY_HAVOC, section, said)
    return type(order).__module__.endswith("orders")
