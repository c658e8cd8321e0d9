"""The rulebook of The Anarchy and its code say the same, and every rule that is called done is missed when it
is taken away.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import FunctionType
from typing import Any

import pytest
import rulebook_anarchy as book
import rulebook_siege as taking

from pbem.rulesets.anarchy.options import OWN
from pbem.rulesets.anarchy.ruleset import ANARCHY

BOOK = book.book()
IN_FORCE = {id_ for id_, entry in BOOK.items() if entry["status"] not in (taking.TODO, "left-out")}
FIELDS = {
    "id", "topic", "games", "basis", "rule", "source", "option", "decision", "conflict", "note", "example", "status", "carrier", "why",
    "readings",
}  # fmt: skip
STATUSES = {taking.DONE, taking.DATA, taking.DESCRIBED, taking.TODO, "partly", "left-out"}


def test_an_entry_has_its_fields_and_no_others() -> None:
    for id_, entry in BOOK.items():
        assert {"id", "topic", "games", "basis", "rule", "source", "status"} <= set(entry) <= FIELDS, id_
        assert entry["status"] in STATUSES, id_
        assert re.fullmatch(r"A[0-9]+(\.[0-9]+)*[a-z]?", id_), id_
        assert bool(entry.get("why")) == (entry["status"] not in (taking.DONE, taking.DATA)), id_
        for reading in entry.get("readings", ()):
            assert set(reading) == {"answer", "why", "since"}, id_
    text = book.BOOK.read_text("utf-8")
    assert len(re.findall(r"^- id: ", text, re.MULTILINE)) == len(BOOK)


def test_a_gap_or_a_conflict_is_read_in_some_way() -> None:
    for id_, entry in BOOK.items():
        if entry["basis"] == "gap" or "conflict" in entry:
            assert entry.get("readings"), f"{id_} has no reading"


def test_what_is_done_is_marked_in_the_module_that_is_its_topic() -> None:
    assert {id_ for id_, entry in BOOK.items() if entry["status"] == taking.DONE} == set(book.marked())
    for id_, functions in book.marked().items():
        for function in functions:
            assert function.__module__.rpartition(".")[2] == BOOK[id_]["topic"], (id_, function.__module__)


def test_data_is_what_stands_in_a_table() -> None:
    for id_, entry in BOOK.items():
        assert ("carrier" in entry) == (entry["status"] == taking.DATA), id_
        for carrier in taking.carriers(entry):
            taking.blanked(ANARCHY, carrier)


def test_every_case_is_of_rules_in_force_and_every_rule_of_a_problem_is_in_the_book() -> None:
    assert set(book.cases_of()) <= IN_FORCE
    for module in book.modules():
        for id_ in re.findall(r'rule="(A[0-9][A-Za-z0-9.]+)"', taking.source(module)):
            assert id_ in BOOK, f"{module.__name__}: {id_}"


def _carriers() -> Iterator[Any]:
    for id_, entry in BOOK.items():
        if entry["status"] == taking.DONE:
            for function in book.marked().get(id_, ()):
                yield pytest.param(id_, function, id=f"{id_}-{function.__name__}")
        elif entry["status"] == taking.DATA:
            for place in taking.carriers(entry):
                yield pytest.param(id_, place, id=f"{id_}-{place}")


@pytest.mark.parametrize(("rule", "carrier"), list(_carriers()))
def test_a_rule_is_missed_when_it_is_taken_away(
    rule: str, carrier: FunctionType | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = [case for _, case in book.cases_of().get(rule, ())]
    assert cases, f"{rule} has no case"
    if isinstance(carrier, str):
        rules = taking.blanked(ANARCHY, carrier)
    else:
        rules = taking.without(carrier, ANARCHY, monkeypatch)
    assert any(taking.fails(case, rules) for case in cases), f"no case of {rule} misses {carrier}"


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, option in OWN.items() for value in option.values]
)
def test_each_value_of_an_option_of_its_own_changes_a_case(name: str, value: str) -> None:
    cases = [case for id_ in OWN[name].rules for _, case in book.cases_of().get(id_, ())]
    given = [case for case in cases if _said(case, name, OWN[name].values[0]) == value]
    assert not any(taking.fails(case, ANARCHY) for case in given)
    others = [other for other in OWN[name].values if other != value]
    changed = (
        {**case, "given": {**case["given"], "options": {name: other}}} for case in given for other in others
    )
    assert any(taking.fails(case, ANARCHY) for case in changed), (name, value)


def _said(case: Any, name: str, default: str) -> str:
    return str(((case.get("given") or {}).get("options") or {}).get(name, default))
