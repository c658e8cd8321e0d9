"""An owner's own tables laid over those of a ruleset: the same checks of shape, other numbers, and never a change of code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset
from pbem.text.source import FILES, Source, read


def overlay(rules: Ruleset[Any], tables: Mapping[str, bytes]) -> tuple[Ruleset[Any], tuple[tuple[Source, tuple[Problem, ...]], ...]]:
    """Return the ruleset with these tables (file name -> text) in the place of its own, and what is wrong with each of them."""
    wrong: list[tuple[Source, tuple[Problem, ...]]] = []
    changed: dict[str, Any] = {}
    for name in sorted(tables):
        source = read(tables[name], f"tables/{name}", limits=FILES)
        table = name.removesuffix(".yaml")
        problems = list(source.problems)
        if not problems and table not in rules.tables:
            known = ", ".join(sorted(rules.tables)) or "none"
            problems.append(Problem("tables.unknown", {"table": table}, help=f"the tables of {rules.id} are {known}"))
        if problems:
            wrong.append((source, tuple(problems)))
        else:
            changed[table] = source.data
    return (rules.amend(tables={**rules.tables, **changed}) if changed else rules), tuple(wrong)
