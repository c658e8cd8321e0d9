"""The rulebook and the code say the same: which rules there are, where they live, and how what is open in
print is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import FunctionType, ModuleType
from typing import Any

import case_plugin
import pytest
import rulebook_siege as rulebook
from msgspec import Struct

from pbem.core.later import Later
from pbem.core.rule import MOST
from pbem.rulesets.siege.ruleset import CRY_HAVOC

BOOK = rulebook.book()
MARKED = rulebook.marked()
IN_FORCE = {id_: entry for id_, entry in BOOK.items() if entry["status"] not in (rulebook.TODO, "left-out")}
FIELDS = {
    "id", "topic", "games", "basis", "rule", "source", "option", "decision", "conflict", "note", "example", "status", "carrier", "why",
    "readings",
}  # fmt: skip
STATUSES = {"done", "data", "described", "partly", "todo", "left-out"}


def _reachable() -> set[FunctionType]:
    """Return every function of the siege package that is reached from what the ruleset lists."""
    modules = {module.__name__: module for module in rulebook.modules()}
    rules = CRY_HAVOC
    interface = [getattr(rules.interface, name) for name in rules.interface.__struct_fields__]
    listed = [*rules.steps.values(), *interface, *rules.known_modules.values()]
    for tuple_ in (*rules.checks.values(), *rules.modifiers.values(), *rules.follows.values()):
        listed.extend(tuple_)
    listed += [amendment for option in rules.options.values() for amendment in option.amendments.values()]
    listed += [*_functions_in(rules.family), *_functions_in(rules.deeds)]
    found: set[FunctionType] = set()
    waiting: list[Any] = listed
    while waiting:
        value = waiting.pop()
        value = value.function if isinstance(value, Later) else value
        if not isinstance(value, FunctionType) or value in found or value.__module__ not in modules:
            continue
        found.add(value)
        names = set(_names(value.__code__))
        known = [value.__globals__[name] for name in names if name in value.__globals__]
        for one in known:
            if isinstance(one, ModuleType) and one.__name__ in modules:
                known.extend(vars(one)[name] for name in names if name in vars(one))
            elif isinstance(one, type):
                waiting.extend(vars(one).values())
                known.extend(method for method in vars(one).values() if isinstance(method, FunctionType))
            elif isinstance(one, dict):
                waiting.extend(one.values())
            elif isinstance(one, tuple):
                waiting.extend(one)
        waiting.extend(known)
    return found


def _functions_in(value: Any) -> Iterator[Any]:
    """Yield every function in a record, in whatever tuples, mappings and further records."""
    if isinstance(value, Struct):
        value = tuple(getattr(value, name) for name in value.__struct_fields__)
    elif isinstance(value, Mapping):
        value = tuple(value.values())
    if isinstance(value, tuple):
        for one in value:
            yield from _functions_in(one)
    elif isinstance(value, FunctionType | Later):
        yield value


def _names(code: Any) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if hasattr(constant, "co_names"):
            yield from _names(constant)


def test_an_entry_has_its_fields_and_no_others() -> None:
    for id_, entry in BOOK.items():
        assert set(entry) <= FIELDS, id_
        assert {"id", "topic", "games", "basis", "rule", "source", "status"} <= set(entry), id_
        assert entry["basis"] in ("explicit", "inferred", "gap"), id_
        assert entry["status"] in STATUSES, id_
        assert re.fullmatch(r"(EN|CH|[SE])?[0-9]+(\.[0-9]+)*[a-z]?", id_), id_


def test_nothing_is_in_the_book_twice() -> None:
    text = rulebook.BOOK.read_text("utf-8")
    ids = re.findall(r"^- id: (\S+)$", text, re.MULTILINE)
    assert len(ids) == len(set(ids)) == len(BOOK)


def test_every_marked_rule_is_in_the_book_under_the_topic_that_is_its_module() -> None:
    for id_, functions in MARKED.items():
        assert id_ in BOOK, id_
        for function in functions:
            assert function.__module__.rpartition(".")[2] == BOOK[id_]["topic"], (
                f"{id_} in {function.__module__}"
            )


def test_a_function_carries_out_a_few_rules_at_most() -> None:
    for functions in MARKED.values():
        for function in functions:
            assert 1 <= len(function.rules) <= MOST  # type: ignore[attr-defined]


def test_done_is_what_a_marked_function_carries_out_that_is_reached_from_the_ruleset() -> None:
    reached = _reachable()
    done = {id_ for id_, entry in BOOK.items() if entry["status"] == rulebook.DONE}
    assert {
        id_ for id_, functions in MARKED.items() if all(function in reached for function in functions)
    } == set(MARKED)
    assert set(MARKED) == done


def test_data_is_what_stands_in_a_table() -> None:
    for id_, entry in BOOK.items():
        assert ("carrier" in entry) == (entry["status"] == rulebook.DATA), id_
        for carrier in rulebook.carriers(entry):
            rulebook.blanked(CRY_HAVOC, carrier)


def test_what_is_not_carried_out_says_why_and_little_is_only_described() -> None:
    described = [id_ for id_, entry in BOOK.items() if entry["status"] == rulebook.DESCRIBED]
    assert len(described) <= 15
    for id_, entry in BOOK.items():
        assert bool(entry.get("why")) == (entry["status"] not in (rulebook.DONE, rulebook.DATA)), id_


def test_a_gap_or_a_conflict_of_a_rule_in_force_is_read_in_some_way() -> None:
    for id_, entry in IN_FORCE.items():
        if entry["basis"] == "gap" or "conflict" in entry:
            assert entry.get("readings"), f"{id_} has no reading"
    for id_, entry in BOOK.items():
        for reading in entry.get("readings", ()):
            assert set(reading) == {"answer", "why", "since"}, id_
            assert reading["answer"] and reading["why"], id_
            assert re.fullmatch(r"20\d\d-\d\d-\d\d", reading["since"]), id_


def test_every_rule_in_force_that_does_something_has_a_case() -> None:
    cases = rulebook.cases_of()
    without = [
        id_
        for id_, entry in IN_FORCE.items()
        if entry["status"] in (rulebook.DONE, rulebook.DATA) and id_ not in cases
    ]
    assert without == []


def test_every_case_is_of_rules_in_force() -> None:
    for id_, found in rulebook.cases_of().items():
        path, case = found[0]
        assert id_ in IN_FORCE, f"{path.name}:{case.line} is of {id_}"


@pytest.mark.parametrize("name", sorted(CRY_HAVOC.options))
def test_an_option_names_rules_in_force_that_name_it(name: str) -> None:
    rules = CRY_HAVOC.options[name].rules
    assert rules
    assert all(id_ in IN_FORCE for id_ in rules)
    assert any(name in BOOK[id_].get("option", ()) for id_ in rules) or name == "interrupt_policy"


def test_every_rule_of_a_problem_or_an_event_is_in_the_book() -> None:
    for module in rulebook.modules():
        for id_ in re.findall(r'rule="([A-Z0-9][A-Za-z0-9.]+)"', rulebook.source(module)):
            assert id_ in BOOK, f"{module.__name__}: {id_}"


def test_every_golden_example_has_a_case_that_names_it() -> None:
    """The forty-four worked examples of the texts, from ``G01`` on."""
    names = [str(case.get("name", "")) for _, case in case_plugin.every_case()]
    found = {match[0] for name in names if (match := re.match(r"G\d\d", name))}
    assert found == {f"G{number:02}" for number in range(1, 45)}
