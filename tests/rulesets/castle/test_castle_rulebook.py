"""The rulebook of castle sections and its code say the same, and every rule that is called done is missed
when it is taken away.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import case_plugin
import castle_cases
import pytest
import rulebook_siege as taking
import yaml

import pbem.rulesets.castle
from pbem.core.rule import MOST
from pbem.core.ruleset import Ruleset
from pbem.rulesets.castle.ruleset import CASTLE
from pbem.rulesets.castle.state import War

PLACE = Path(pbem.rulesets.castle.__file__).parent
FIELDS = {
    "id", "topic", "games", "basis", "rule", "source", "decision", "conflict", "example", "status", "carrier", "why", "readings",
}  # fmt: skip


@cache
def book() -> dict[str, dict[str, Any]]:
    entries = yaml.load(
        (PLACE / "rulebook.yaml").read_text("utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    )
    assert len({entry["id"] for entry in entries}) == len(entries)
    return {entry["id"]: entry for entry in entries}


@cache
def modules() -> tuple[ModuleType, ...]:
    found = pkgutil.iter_modules(pbem.rulesets.castle.__path__, "pbem.rulesets.castle.")
    return tuple(importlib.import_module(info.name) for info in found)


@cache
def marked() -> dict[str, tuple[FunctionType, ...]]:
    found: dict[str, dict[FunctionType, None]] = {}
    for module in modules():
        for value in vars(module).values():
            if isinstance(value, FunctionType) and value.__module__ == module.__name__:
                for id_ in getattr(value, "rules", ()):
                    found.setdefault(id_, {})[value] = None
    return {id_: tuple(functions) for id_, functions in found.items()}


@cache
def cases_of() -> dict[str, tuple[case_plugin.Line, ...]]:
    found: dict[str, list[case_plugin.Line]] = {}
    for _, case in case_plugin.every_case(Path(__file__).parent):
        for id_ in case_plugin.rules_of_case(case):
            found.setdefault(id_, []).append(case)
    return {id_: tuple(cases) for id_, cases in found.items()}


def replaced(value: Any, old: Any, new: Any) -> Any:
    if value is old:
        return new
    if type(value) is tuple and any(one is old for one in value):
        return tuple(new if one is old else one for one in value)
    return value


def without(function: FunctionType, monkeypatch: pytest.MonkeyPatch) -> Ruleset[War]:
    """Return the ruleset without a function, which is taken out of every module that knows it by name."""
    left_out = taking.nothing(function)
    for module in modules():
        for name, value in list(vars(module).items()):
            if (changed := replaced(value, function, left_out)) is not value:
                monkeypatch.setattr(module, name, changed)
    steps = {phase: replaced(step, function, left_out) for phase, step in CASTLE.steps.items()}
    return CASTLE.amend(steps=steps)


def fails(case: case_plugin.Line, rules: Ruleset[War]) -> bool:
    try:
        castle_cases.run(case, rules)
    except Exception:  # whatever goes wrong without a rule shows that it was needed
        return True
    return False


def test_an_entry_has_its_fields_and_no_others() -> None:
    for id_, entry in book().items():
        assert {"id", "topic", "games", "basis", "rule", "source", "status"} <= set(entry) <= FIELDS, id_
        assert entry["status"] in ("done", "data", "described", "todo"), id_
        assert bool(entry.get("why")) == (entry["status"] in ("described", "todo")), id_
        assert ("carrier" in entry) == (entry["status"] == "data"), id_
        if entry["basis"] == "gap" or "conflict" in entry:
            assert entry.get("readings"), f"{id_} has no reading"


def test_every_rule_of_the_text_and_of_its_base_is_in_the_book() -> None:
    counts = {
        prefix: sum(re.fullmatch(prefix + r"[0-9]+(\.[0-9]+)?", id_) is not None for id_ in book())
        for prefix in ("MK", "MKB")
    }
    assert counts == {"MK": 115, "MKB": 26}


def test_what_is_done_is_marked_in_the_module_that_is_its_topic() -> None:
    done = {id_ for id_, entry in book().items() if entry["status"] == "done"}
    assert done == set(marked())
    for id_, functions in marked().items():
        for function in functions:
            assert function.__module__.rpartition(".")[2] == book()[id_]["topic"], (id_, function.__module__)
            assert len(function.rules) <= MOST  # type: ignore[attr-defined]


def test_every_case_and_every_rule_of_a_problem_is_in_the_book() -> None:
    assert set(cases_of()) <= set(book())
    for module in modules():
        for id_ in re.findall(r'rule="(MK[A-Z0-9.]+)"', Path(str(module.__file__)).read_text("utf-8")):
            assert id_ in book(), f"{module.__name__}: {id_}"


def carriers() -> Iterator[Any]:
    for id_, entry in book().items():
        places: tuple[FunctionType | str, ...] = ()
        if entry["status"] == "done":
            places = marked().get(id_, ())
        elif entry["status"] == "data":
            places = taking.carriers(entry)
        for place in places:
            yield pytest.param(id_, place, id=f"{id_}-{getattr(place, '__name__', place)}")


@pytest.mark.parametrize(("rule", "carrier"), list(carriers()))
def test_a_rule_is_missed_when_it_is_taken_away(
    rule: str, carrier: FunctionType | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = cases_of().get(rule, ())
    assert cases, f"{rule} has no case"
    rules: Any = (
        taking.blanked(CASTLE, carrier) if isinstance(carrier, str) else without(carrier, monkeypatch)
    )  # type: ignore[arg-type]
    assert any(fails(case, rules) for case in cases), f"no case of {rule} misses {carrier}"
