"""What a scenario names: kinds that there are, each name once, and nobody who is not in it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from pbem.core.problem import Problem
from pbem.rulesets.castle.dial import Rules
from pbem.rulesets.castle.facing import FACINGS, turned
from pbem.text.similar import did_you_mean

Scenario = Mapping[str, Any]
"""A scenario whose form is right, its handicap laid over it."""
Placed = Iterator[tuple[tuple[str | int, ...], Mapping[str, Any]]]


def named_wrong(rules: Rules, scenario: Scenario) -> Iterator[Problem]:
    """Yield the kinds that there are not, names that stand twice, and names of nobody and nothing."""
    yield from _kinds(rules, scenario)
    sections, figures = _ids(scenario, "sections"), _ids(scenario, "warriors")
    seen: set[str] = set()
    for key in ("sections", "warriors", "ladders"):
        for path, one in _all(scenario, key):
            if str(one["id"]) in seen:
                yield Problem("castle.same-name", {"name": str(one["id"])}, (*path, "id"))
            seen.add(str(one["id"]))
    for path, one in _all(scenario, "warriors"):
        if "on" in one and str(one["on"]) not in sections:
            yield _no_section(one["on"], sections, (*path, "on"), "MK7.13")
        facing = str(one.get("facing", "n"))
        if turned(facing) is None and facing not in sections | figures - {str(one["id"])}:
            yield Problem("castle.facing", {"facing": facing}, (*path, "facing"), rule="MKB5", help=FACINGS)
    for path, one in _all(scenario, "ladders"):
        for name in str(one.get("by", "")).split(", "):
            if name and name not in figures:
                yield Problem(
                    "castle.nobody", {"name": name}, (*path, "by"), rule="MK8.7", help=meant(name, figures)
                )
    for side, of in scenario["sides"].items():
        for n, plank in enumerate(of.get("planks", ())):
            for name in str(plank).split(" to "):
                if name not in sections:
                    yield _no_section(name, sections, ("sides", side, "planks", n), "MK8.2")
    yield from _goals(scenario, sections)


def meant(word: str, known: Collection[str]) -> str:
    """Return which of some words was meant, or all that there are, as they are to be typed."""
    return did_you_mean(word, known) or "there are " + ", ".join(f"'{one}'" for one in sorted(known))


def _no_section(name: object, sections: set[str], path: tuple[str | int, ...], rule: str) -> Problem:
    help_ = meant(str(name), sections) if sections else ""
    return Problem("castle.no-section", {"name": str(name)}, path, rule=rule, help=help_)


def _all(scenario: Scenario, key: str) -> Placed:
    for side, of in scenario["sides"].items():
        for n, one in enumerate(of.get(key, ())):
            yield ("sides", side, key, n), one


def _ids(scenario: Scenario, key: str) -> set[str]:
    return {str(one["id"]) for _, one in _all(scenario, key)}


def _kinds(rules: Rules, scenario: Scenario) -> Iterator[Problem]:
    for key in ("sections", "warriors"):
        known = rules.tables[key]["rows"]
        for path, one in _all(scenario, key):
            if str(one["kind"]) not in known:
                kind = str(one["kind"])
                yield Problem(
                    "castle.kind", {"kind": kind}, (*path, "kind"), rule="MK6.1", help=meant(kind, known)
                )


def _goals(scenario: Scenario, sections: set[str]) -> Iterator[Problem]:
    """Yield sides and sections of the scheme of victory that there are not."""
    said = scenario.get("victory", {})
    lines = [(("victory", "at-once", n), line) for n, line in enumerate(said.get("at-once", ()))]
    for path, line in (*lines, (("victory", "at-end"), said.get("at-end", {}))):
        for key in ("side", "after", "winner"):
            if key in line and str(line[key]) not in scenario["sides"]:
                side, help_ = str(line[key]), meant(str(line[key]), scenario["sides"])
                yield Problem("castle.no-side", {"side": side}, (*path, key), rule="MK7.1", help=help_)
        for key in ("holds", "destroyed"):
            if key in line and str(line[key]) not in sections:
                yield _no_section(line[key], sections, (*path, key), "MK7.1")
