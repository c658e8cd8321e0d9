"""The rulebook of The Anarchy beside its code; what is left of a rule that is taken away is told as Siege's."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import case_plugin
import rulebook_siege
import yaml

import pbem.rulesets.anarchy

PACKAGE = pbem.rulesets.anarchy
BOOK = Path(PACKAGE.__file__ or "").parent / "rulebook.yaml"


@cache
def book() -> dict[str, dict[str, Any]]:
    """Return the entries of the rulebook by id."""
    entries = yaml.load(BOOK.read_text("utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return {entry["id"]: entry for entry in entries}


def modules() -> tuple[ModuleType, ...]:
    """Return every module of the package."""
    return rulebook_siege.modules(PACKAGE)


def marked() -> dict[str, tuple[FunctionType, ...]]:
    """Return rule id -> functions that carry it out."""
    return rulebook_siege.marked(PACKAGE)


@cache
def cases_of() -> dict[str, tuple[tuple[Path, case_plugin.Line], ...]]:
    """Return rule id -> its cases."""
    found: dict[str, list[tuple[Path, case_plugin.Line]]] = {}
    for path, case in case_plugin.every_case(Path(__file__).parent):
        for id_ in case_plugin.rules_of_case(case):
            found.setdefault(id_, []).append((path, case))
    return {id_: tuple(cases) for id_, cases in found.items()}
