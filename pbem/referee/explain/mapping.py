"""Maps of one's own: what is wrong with one, and how it lies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from pbem.core.problem import Problem
from pbem.referee.explain.draw import drawn
from pbem.referee.explain.look import Look
from pbem.referee.game.refusal import Refused, refuse
from pbem.referee.game.rulebook import known
from pbem.referee.game.scenario import open_file, shape_for
from pbem.rulesets import known as every
from pbem.store.library import common_words, words_of
from pbem.text.located import Located, locate
from pbem.text.source import FILES, Source, read

FIRST: Final = "cry_havoc"
"""Whose map it is where there is nothing to choose by."""


def check_map(path: Path, ruleset: str = "") -> tuple[str, tuple[Located, ...]]:
    """Return the ruleset whose map it is, and the doubts about it; Refused with everything that is wrong with
    it.

    A map does not say what game it is for: without a ruleset it is that by which least is wrong.
    """
    source = read(open_file(path), str(path), limits=FILES)
    ruleset, problems = _judged(source, ruleset)
    found = tuple(dict.fromkeys(locate(source, problems, words_of(ruleset))))
    if any(not problem.is_doubt for problem in found):
        raise Refused(located=found)
    return ruleset, found


def _judged(source: Source, ruleset: str) -> tuple[str, list[Problem]]:
    """Return the ruleset of a map, and all that it says of it."""
    if ruleset or source.problems:
        return ruleset or FIRST, _of(source, ruleset or FIRST)
    best = FIRST, _of(source, FIRST)
    for other in every():
        if not any(not problem.is_doubt for problem in best[1]):
            break
        problems = _of(source, other) if known(other).interface.map_scene is not None else best[1]
        if _weight(problems) < _weight(best[1]):
            best = other, problems
    return best


def _weight(problems: Sequence[Problem]) -> tuple[int, int]:
    """Return how much is wrong with a map: its form first, for a map of hexes is no table with a mistake."""
    return sum(problem.code.startswith("schema.") for problem in problems), len(problems)


def _of(source: Source, ruleset: str) -> list[Problem]:
    rules = known(ruleset)
    if source.problems:
        return list(source.problems)
    problems = list(shape_for("map", ruleset).check(source.data))
    if isinstance(source.data, Mapping):
        _, _, of_map = rules.interface.read_field(
            rules, {"modules": sorted(rules.known_modules)}, source.data
        )
        problems += of_map
    return problems


def map_picture(path: Path, ruleset: str, suffix: str, look: Look | None = None) -> bytes:
    """Return a picture of a map with nobody on it; Refused with everything that is wrong with it."""
    ruleset, _ = check_map(path, ruleset)
    rules = known(ruleset)
    if rules.interface.map_scene is None:
        raise refuse("draw.no-map", ruleset=ruleset)
    scene, _ = rules.interface.map_scene(rules, read(open_file(path), str(path), limits=FILES).data)
    return drawn(scene, suffix, look)


def in_characters(path: Path, ruleset: str) -> str:
    """Return a map for the terminal: hexes as they lie, a table without a grid in words."""
    source = read(open_file(path), str(path), limits=FILES)
    if isinstance(source.data, Mapping) and isinstance(source.data.get("terrain"), list):
        return map_picture(path, ruleset, ".txt").decode("utf-8").rstrip()
    return staggered(path)


def staggered(path: Path) -> str:
    """Return the terrain of a map as it lies: every second column half a hex lower."""
    source = read(open_file(path), str(path), limits=FILES)
    if (
        not isinstance(source.data, Mapping)
        or source.problems
        or not isinstance(source.data.get("terrain"), str)
    ):
        raise Refused(
            located=locate(source, source.problems or shape_for("map", "").check(source.data), common_words())
        )
    rows = [
        line.split()
        for line in source.data["terrain"].splitlines()
        if line.split() and line.split()[0] != "col"
    ]
    lines: list[str] = []
    for row in rows:
        cells = row[1:]
        lines.append(
            f"{row[0]:>3} " + "".join(f"{cell:<3}" if at % 2 == 0 else "   " for at, cell in enumerate(cells))
        )
        lines.append(
            "    " + "".join("   " if at % 2 == 0 else f"{cell:<3}" for at, cell in enumerate(cells))
        )
    return "\n".join(line.rstrip() for line in lines)
