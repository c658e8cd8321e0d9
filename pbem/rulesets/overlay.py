"""An owner's own tables, as files, laid over those of a ruleset: the same checks of shape, other numbers,
never a change of code.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset
from pbem.rulesets.tables import with_tables
from pbem.text.source import FILES, Source, read


def overlay(
    rules: Ruleset[Any], tables: Mapping[str, bytes]
) -> tuple[Ruleset[Any], tuple[tuple[Source, tuple[Problem, ...]], ...]]:
    """Return the ruleset with these tables (file name -> text) laid over its own, and what is wrong with each
    of them.
    """
    wrong: list[tuple[Source, tuple[Problem, ...]]] = []
    for name in sorted(tables):
        source = read(tables[name], f"tables/{name}", limits=FILES)
        problems = list(source.problems)
        if not problems:
            laid, found = with_tables(rules, {name.removesuffix(".yaml"): source.data})
            problems = [
                Problem(one.code, one.args, one.path[1:], one.rule, one.help, one.key and len(one.path) > 1)
                for one in found
            ]
            rules = rules if laid is None else laid
        if problems:
            wrong.append((source, tuple(problems)))
    return rules, tuple(wrong)
