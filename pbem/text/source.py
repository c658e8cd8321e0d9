"""Reads one YAML text strictly: plain data, every scalar as typed, and the place of each value.

It decides what may stand in a file at all (bytes, signs, nesting, keys given twice) and nothing about what
keys mean: that is ``text/shape.py``. It opens nothing, and for no bytes whatever does it raise.

Forbidden characters are looked for with one expression over the raw text. What most order files are is read
by ``plain_lines``, all else by PyYAML (``yaml_text``), which is loaded when the first such text comes.
"""

from __future__ import annotations

from typing import Final

from pbem.core.problem import Problem
from pbem.text import characters, plain_lines
from pbem.text.limits import FILES, ORDERS, Limits
from pbem.text.places import Mark, Source, line_of, problem_at

__all__ = ["FILES", "ORDERS", "Limits", "Mark", "Source", "read"]

_HEADER: Final = "#pd1-orders/1"
_OF_COLUMNS: Final = frozenset(
    {"yaml.indent", "yaml.no-colon", "yaml.key", "yaml.block", "yaml.run-on", "yaml.complex-key"}
)
MOST: Final = 200
"""How many problems of one file are told."""


def read(
    data: bytes,
    name: str = "orders.yaml",
    *,
    allow_header: bool = False,
    limits: Limits = ORDERS,
    pure: bool = False,
) -> Source:
    """Return what the text says and everything that is wrong with it; never raise, whatever the bytes are.

    ``allow_header`` lets the header of a signed order file stand in front; all lines are counted in the whole
    file. ``pure`` leaves it to PyYAML's own parser: the answer is the same, ten times slower.
    """
    if len(data) > limits.size:
        problem = problem_at("yaml.too-big", 1, 1, size=len(data), limit=limits.size)
        return Source(None, [problem], (), name, whole=False)
    text, problems = characters.decode(data)
    if text is None:
        return Source(None, problems, tuple(data.decode("utf-8", "replace").split("\n")), name, whole=False)
    lines = tuple(text.split("\n"))
    body = text
    if text.startswith("#pd1-"):
        body, header_problems = _without_header(lines, text, allow_header)
        problems += header_problems
    bad = characters.forbidden(body)
    grown = (
        None if pure or bad else plain_lines.grow(lines if body is text else tuple(body.split("\n")), limits)
    )
    if grown is not None:
        return Source(grown[0], sorted(problems, key=_by_place), lines, name, root=grown[1])
    from pbem.text.yaml_text import walk_all

    if bad:
        problems += bad
        walk = walk_all(characters.cleaned(body), limits, pure)
        lines_said = {line_of(problem) for problem in bad}
        # what is said of columns may only follow from those signs
        follows = () if walk.whole else _OF_COLUMNS
        problems += [
            problem
            for problem in walk.problems
            if line_of(problem) not in lines_said and problem.code not in follows
        ]
        walk.whole = False
    else:
        walk = walk_all(body, limits, pure)
        problems += walk.problems

    if walk.root is None and not problems:
        problems.append(problem_at("yaml.empty", 1, 1))
    if problems:
        problems = _some(sorted(problems, key=_by_place))
    return Source(walk.data, problems, lines, name, walk.whole, walk.root)


def _some(problems: list[Problem]) -> list[Problem]:
    """Return the first problems only where there are hundreds."""
    if len(problems) <= MOST:
        return problems
    last = problems[MOST - 1]
    return [*problems[:MOST], Problem("yaml.more", {"count": len(problems) - MOST}, last.path)]


def _by_place(problem: Problem) -> tuple[int, int, str]:
    return line_of(problem), int(problem.path[2]), problem.code


def _without_header(lines: tuple[str, ...], text: str, allowed: bool) -> tuple[str, list[Problem]]:
    """Return the text with the header lines left empty, so that every place stays where it is."""
    if not allowed:
        return text, [problem_at("yaml.header-here", 1, 1)]
    if lines[0] != _HEADER:
        return text, [
            problem_at("yaml.header-version", 1, 1, found=characters.shown(lines[0]), wanted=_HEADER)
        ]
    for number, line in enumerate(lines):
        if line == "---":
            return "\n" * number + "\n".join(lines[number:]), []
        if not line.startswith("#"):
            return text, [problem_at("yaml.header-end", number + 1, 1)]
    return text, [problem_at("yaml.header-end", len(lines), 1)]
