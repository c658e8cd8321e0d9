"""Reads one YAML text strictly: plain data, every scalar as typed, and the place of each value.

It decides what may stand in a file at all (bytes, signs, nesting, keys given twice) and nothing about what
keys mean: that is ``text/shape.py``. It opens nothing, and for no bytes whatever does it raise.

Theory of operation. PyYAML's *composer* calls itself once per level, and the C library dies on deep nesting;
its *events* are a flat stream. So the reader looks for forbidden characters with one expression over the raw
text, then walks the events with a stack of its own and stops at a fixed depth and a fixed number of events.
Beside the data it grows a tree of the same form that holds the marks. A text that cannot be parsed is taken
up again at the next line that begins a top key, so that one forgotten quote does not hide the other mistakes.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

import yaml

from pbem.core.problem import Problem
from pbem.core.regex import regex
from pbem.text import characters, syntax
from pbem.text.places import Mark, Source
from pbem.text.yaml_tree import FILES, ORDERS, Limits, Tree, Walk, problem_at

__all__ = ["FILES", "ORDERS", "Limits", "Mark", "Source", "read"]

_HEADER: Final = "#pd1-orders/1"
_NEXT_SECTION: Final = regex(r"^[a-z][a-z0-9_-]*:(?=[ \n]|\Z)", re.MULTILINE)
_ENTRY: Final = regex(r"( *)- *(\S.*?) *")
_KEYED: Final = regex(r" *[a-z][a-z0-9_-]{0,31}:(?= )")
_RESUMES: Final = 8
_LONGEST_LEFT: Final = 16_384
"""Characters of a text that is read once more without the lines that cannot be parsed."""
_UNPARSED: Final = frozenset(
    {
        "yaml.block",
        "yaml.bracket",
        "yaml.colon",
        "yaml.escape",
        "yaml.glued",
        "yaml.indent",
        "yaml.key",
        "yaml.no-colon",
        "yaml.quote",
    }
    | {"yaml.sign", "yaml.syntax", "yaml.typographic", "yaml.typographic-quote"}
)
_OF_COLUMNS: Final = frozenset(
    {"yaml.indent", "yaml.no-colon", "yaml.key", "yaml.block", "yaml.run-on", "yaml.complex-key"}
)
_ACROSS_LINES: Final = frozenset({"yaml.block", "yaml.bracket", "yaml.quote"})
"""What a line says only because of others."""
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
    file. ``pure`` reads without the C library: the answer is the same, ten times slower.
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
    if bad := characters.forbidden(body):
        problems += bad
        walk = _read_all(characters.cleaned(body), limits, pure)
        lines_said = {_line(problem) for problem in bad}
        # what is said of columns may only follow from those signs
        follows = () if walk.whole else _OF_COLUMNS
        problems += [
            problem
            for problem in walk.problems
            if _line(problem) not in lines_said and problem.code not in follows
        ]
        walk.whole = False
    else:
        walk = _read_all(body, limits, pure)
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


def _line(problem: Problem) -> int:
    return int(problem.path[1])


def _by_place(problem: Problem) -> tuple[int, int, str]:
    return _line(problem), int(problem.path[2]), problem.code


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


class _PureParser(yaml.reader.Reader, yaml.scanner.Scanner, yaml.parser.Parser):
    """PyYAML's own parser without its composer."""

    def __init__(self, text: str) -> None:
        yaml.reader.Reader.__init__(self, text)
        yaml.scanner.Scanner.__init__(self)
        yaml.parser.Parser.__init__(self)


_FastParser: Any = getattr(getattr(yaml, "cyaml", None), "CParser", _PureParser)


def _read_all(text: str, limits: Limits, pure: bool) -> Walk:
    """Walk the text; after each place that cannot be parsed go on at the next top key below it."""
    walk = Walk(text, limits)
    start = 0
    for _ in range(_RESUMES):
        part = "\n" * text.count("\n", 0, start) + text[start:] if start else text
        failed = _attempt(walk, part, pure)
        if failed is None or walk.stopped:
            break
        walk.whole = False
        problem = syntax.explain(walk.lines, failed)
        # what seemed to run on may only have stood inside a bracket or a quote that is not closed
        walk.problems = [
            one for one in walk.problems if one.code != "yaml.run-on" or _line(one) < _line(problem)
        ]
        if problem not in walk.problems:
            walk.problems.append(problem)
        following = _NEXT_SECTION.search(text, max(_offset(text, _line(problem)), start + 1))
        if following is None:
            break
        start = following.start()
    if not walk.whole and not walk.stopped and len(text) <= _LONGEST_LEFT:
        _read_the_rest(walk, text, pure)
    return walk


def _read_the_rest(walk: Walk, text: str, pure: bool) -> None:
    """Read a text once more without the lines that cannot be parsed, so that one of them hides nothing that
    stands below it.

    A list entry among them is kept as the text that it is. Nothing changes where the rest cannot be parsed
    either.
    """
    told = {_line(problem) for problem in walk.problems}
    lines = list(walk.lines)
    taken: set[int] = set()
    found: list[Problem] = []
    bad = {_line(problem) for problem in walk.problems if problem.code in _UNPARSED}
    for _ in range(_RESUMES):
        for number in bad - taken:
            lines[number - 1] = _harmless(lines[number - 1])
        taken |= bad
        other = Walk("\n".join(lines), walk.limits)
        failed = _attempt(other, other.text, pure)
        if other.stopped:
            return
        if failed is None:
            walk.data, walk.root = other.data, other.root
            walk.problems += [problem for problem in (*found, *other.problems) if _line(problem) not in told]
            return
        problem = syntax.explain(other.lines, failed)
        bad = {_line(problem)}
        if bad <= taken:
            return
        if problem.code not in _ACROSS_LINES:
            found.append(problem)


def _harmless(line: str) -> str:
    """Return a line that cannot be parsed as an entry of its list with its text in quotes, as a key without a
    value, or as nothing.
    """
    entry = _ENTRY.fullmatch(line)
    if entry is not None and entry[2].isascii():
        return f"{entry[1]}- {json.dumps(entry[2])}"
    key = _KEYED.match(line)
    return key.group() if key is not None else ""


# The C library and PyYAML differ in a few corners: "?" inside brackets, "#" right behind "|" or ">". A signed
# file is accepted or
# refused alike by everybody, so there, and wherever something is wrong, PyYAML's own parser has the word.
_DIFFERENT: Final = regex(r"[|>][0-9+-]{0,9}#")


def _attempt(walk: Walk, part: str, pure: bool) -> syntax.Failure | None:
    """Walk one part; return where the parser gives up."""
    said, events = len(walk.problems), walk.events
    make = _PureParser if pure or _DIFFERENT.search(part) else _FastParser
    tree = Tree(walk, part)
    failed = tree.grow(make)
    if make is not _PureParser and (failed is not None or tree.doubtful or len(walk.problems) > said):
        del walk.problems[said:]
        walk.events = events
        walk.stopped = False
        tree = Tree(walk, part)
        failed = tree.grow(_PureParser)
    tree.graft()
    return failed


def _offset(text: str, line: int) -> int:
    """Return where a line (from 0) begins."""
    at = 0
    for _ in range(line):
        at = text.find("\n", at) + 1
        if at == 0:
            return len(text)
    return at
