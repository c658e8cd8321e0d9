"""Reads a YAML text with PyYAML: what it says, and every mistake in its form, wherever it can be parsed
again.

Theory of operation. PyYAML's *composer* calls itself once per level, and the C library dies on deep nesting;
its *events* are a flat stream. So the reader walks the events with a stack of its own and stops at a fixed
depth and a fixed number of events. Beside the data it grows a tree of the same form that holds the marks
(``yaml_tree``). A text that cannot be parsed is taken up again at the next line that begins a top key, so
that one forgotten quote does not hide the other mistakes.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

import yaml

from pbem.core.problem import Problem
from pbem.core.regex import regex
from pbem.text import syntax
from pbem.text.limits import Limits
from pbem.text.places import line_of
from pbem.text.yaml_tree import Tree, Walk

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
_ACROSS_LINES: Final = frozenset({"yaml.block", "yaml.bracket", "yaml.quote"})
"""What a line says only because of others."""


class _PureParser(yaml.reader.Reader, yaml.scanner.Scanner, yaml.parser.Parser):
    """PyYAML's own parser without its composer."""

    def __init__(self, text: str) -> None:
        yaml.reader.Reader.__init__(self, text)
        yaml.scanner.Scanner.__init__(self)
        yaml.parser.Parser.__init__(self)


_FastParser: Any = getattr(getattr(yaml, "cyaml", None), "CParser", _PureParser)


def walk_all(text: str, limits: Limits, pure: bool) -> Walk:
    """Walk the text; after each place that cannot be parsed go on at the next top key below it."""
    walk = Walk(text, limits)
    start = 0
    for _ in range(_RESUMES):
        part = "\n" * text.count("\n", 0, start) + text[start:] if start else text
        failed = attempt(walk, part, pure)
        if failed is None or walk.stopped:
            break
        walk.whole = False
        problem = syntax.explain(walk.lines, failed)
        # what seemed to run on may only have stood inside a bracket or a quote that is not closed
        walk.problems = [
            one for one in walk.problems if one.code != "yaml.run-on" or line_of(one) < line_of(problem)
        ]
        if problem not in walk.problems:
            walk.problems.append(problem)
        following = _NEXT_SECTION.search(text, max(_offset(text, line_of(problem)), start + 1))
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
    told = {line_of(problem) for problem in walk.problems}
    lines = list(walk.lines)
    taken: set[int] = set()
    found: list[Problem] = []
    bad = {line_of(problem) for problem in walk.problems if problem.code in _UNPARSED}
    for _ in range(_RESUMES):
        for number in bad - taken:
            lines[number - 1] = _harmless(lines[number - 1])
        taken |= bad
        other = Walk("\n".join(lines), walk.limits)
        failed = attempt(other, other.text, pure)
        if other.stopped:
            return
        if failed is None:
            walk.data, walk.root = other.data, other.root
            walk.problems += [
                problem for problem in (*found, *other.problems) if line_of(problem) not in told
            ]
            return
        problem = syntax.explain(other.lines, failed)
        bad = {line_of(problem)}
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


def attempt(walk: Walk, part: str, pure: bool) -> syntax.Failure | None:
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
