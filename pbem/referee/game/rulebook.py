"""The rulebook of a ruleset: its rules, how far they are carried out, and where code and tests of one are."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from pbem.core.ruleset import Ruleset
from pbem.referee.game.game import refuse_faults
from pbem.referee.game.refusal import UNDECIDED, refuse
from pbem.referee.game.replay import Faults
from pbem.resources import folder
from pbem.rulesets import UnknownRuleset, catalogue, find, package_of
from pbem.store import library
from pbem.text.similar import did_you_mean
from pbem.text.source import FILES, Limits, read

DONE = ("done", "data", "described")
"""Statuses of a rule that is carried out: by code, by a table, or because it only describes."""
_LIMITS = Limits(size=4 * 1024 * 1024, events=2_000_000, scalar=FILES.scalar, key=None, any_text=None)


def known(id_: str) -> Ruleset[Any]:
    """Return a ruleset by its id, newest revision; Refused with those there are."""
    try:
        return find(id_)
    except UnknownRuleset as unknown:
        raise refuse_faults(Faults(ruleset=unknown)) from None


def all_rulesets() -> Iterator[Ruleset[Any]]:
    """Yield the newest revision of every ruleset."""
    for revisions in catalogue().values():
        yield revisions[max(revisions)]


def entries(ruleset: str) -> list[Mapping[str, Any]]:
    """Return the rules of a ruleset's index, not those of other games in the file; Refused (cannot decide)
    where it has none.
    """
    known(ruleset)
    data = library.rulebook(package_of(ruleset))
    if data is None:
        raise refuse("rulebook.none", answer=UNDECIDED, ruleset=ruleset)
    source = read(data, "rulebook.yaml", limits=_LIMITS)
    found = source.data
    if isinstance(found, Mapping):
        found = found.get("rules")
    if not isinstance(found, list):
        raise refuse("rulebook.form", answer=UNDECIDED, ruleset=ruleset)
    whole = [entry for entry in found if isinstance(entry, Mapping) and "id" in entry]
    return [entry for entry in whole if ruleset in entry.get("games", [ruleset])]


class Coverage(Struct, frozen=True):
    """How much of a rulebook is carried out, and what is not, with the reason."""

    ruleset: str
    total: int
    done: int
    not_done: tuple[Mapping[str, str], ...]


def coverage(ruleset: str) -> Coverage:
    """Count the rules of a ruleset."""
    rules = entries(ruleset)
    left = [rule for rule in rules if str(rule.get("status", "")) not in DONE]
    return Coverage(
        ruleset,
        len(rules),
        len(rules) - len(left),
        tuple(
            {"id": str(rule["id"]), "status": str(rule.get("status", "")), "why": str(rule.get("why", ""))}
            for rule in left
        ),
    )


class OptionShown(Struct, frozen=True):
    """One option: what it is about, its values (the default first), the rules it touches, and the editions
    that have another value.
    """

    name: str
    title: str
    values: tuple[str, ...]
    rules: tuple[str, ...]
    editions: Mapping[str, str]


def options(ruleset: str) -> list[OptionShown]:
    """Return the options of a ruleset by name."""
    rules = known(ruleset)
    return [
        OptionShown(
            name,
            option.title,
            option.values,
            option.rules,
            {edition: others[name] for edition, others in rules.editions.items() if name in others},
        )
        for name, option in sorted(rules.options.items())
    ]


class RuleShown(Struct, frozen=True):
    """One rule: its entry in the index, the functions that carry it out, the cases that test it."""

    entry: Mapping[str, Any]
    code: tuple[str, ...]
    tests: tuple[str, ...]


def rule(id_: str, ruleset: str | None = None) -> RuleShown:
    """Return a rule by its number; Refused with the nearest ones where there is none."""
    names = (
        [ruleset]
        if ruleset is not None
        else [rules.id for rules in all_rulesets() if library.rulebook(package_of(rules.id))]
    )
    seen: list[str] = []
    for name in names:
        for entry in entries(name):
            seen.append(str(entry["id"]))
            if str(entry["id"]).lower() == id_.lower():
                return RuleShown(
                    entry, tuple(_code(package_of(name), str(entry["id"]))), tuple(_tests(str(entry["id"])))
                )
    help_ = did_you_mean(id_, seen) or "pbem rules list RULESET lists them"
    raise refuse("rulebook.no-rule", answer=UNDECIDED, rule=id_, help=help_)


def _code(module: str, id_: str) -> Iterator[str]:
    """Yield every function of a ruleset's package that is marked with a rule, as ``module:line name``."""
    for path in library.modules_beside(module):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and id_ in _marks(node):
                yield f"{path.name}:{node.lineno} {node.name}"


def _marks(node: ast.FunctionDef) -> set[str]:
    """Return the rules in ``@rule("…")`` above a function."""
    found: set[str] = set()
    for mark in node.decorator_list:
        if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name) and mark.func.id == "rule":
            constants = (argument.value for argument in mark.args if isinstance(argument, ast.Constant))
            found.update(value for value in constants if isinstance(value, str))
    return found


def _tests(id_: str) -> Iterator[str]:
    """Yield the cases that name a rule, where the tests are at hand (in a checkout)."""
    tests: Path = folder("tests")
    for path in sorted(tests.glob("rulesets/**/*.case.yaml")):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            head = line.lstrip("- ")
            if (
                head.startswith(("rule:", "rules:"))
                and id_ in head.replace("[", " ").replace("]", " ").replace(",", " ").split()
            ):
                yield f"{path.relative_to(tests.parent).as_posix()}:{number}"


def sequence(ruleset: str) -> tuple[str, ...]:
    """Return the sequence of play of a ruleset, a line for each phase."""
    return tuple(known(ruleset).sequence.outline())
