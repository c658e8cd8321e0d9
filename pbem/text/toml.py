"""Reads one TOML text: plain data, and the place of every key and value, so that a mistake can be shown where
it stands.

``tomllib`` of the standard library decides what is TOML; it keeps no places, so a small scan follows it over
a text that is known to be well. What keys mean is asked elsewhere. It opens nothing, and for no bytes
whatever does it raise.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from typing import Final

from pbem.core.problem import Problem
from pbem.core.regex import regex
from pbem.text import characters
from pbem.text.places import Mark, Place, Source

__all__ = ["MOST_BYTES", "read"]

MOST_BYTES: Final = 262_144
_PLACE_SAID: Final = regex(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_BARE_VALUE: Final = regex(r"\s*[A-Za-z0-9_.\"'-]+\s*=\s*(?P<value>[^\s\"'\[{#][^#]*?)\s*(?:#.*)?")
_TRUTHS: Final = {"yes": "true", "on": "true", "no": "false", "off": "false"}

_GAP: Final = regex(r"(?:[ \t\r\n]|#[^\n]*)*")
_BARE: Final = regex(r"[A-Za-z0-9_-]+")
_STRING: Final = regex(
    r'"""(?:\\.|[^\\])*?"{3,5}' + r"|'''.*?'{3,5}" + r'|"(?:\\.|[^"\\\n])*"' + r"|'[^'\n]*'", re.DOTALL
)
_OTHER: Final = regex(r"[^,\]}#\n]+")


def read(data: bytes, name: str) -> Source:
    """Return what a TOML text says and where; ``data`` None and one problem where it cannot be read."""
    if len(data) > MOST_BYTES:
        problem = Problem("toml.too-big", {"size": len(data), "limit": MOST_BYTES}, (characters.PLACE, 1, 1))
        return Source(None, [problem], (), name, whole=False)
    text, problems = characters.decode(data)
    lines = tuple((data.decode("utf-8", "replace") if text is None else text).split("\n"))
    # A byte order mark and mixed line ends harm nobody here; the file is signed by no one.
    if text is None:
        return Source(None, problems, lines, name, whole=False)
    try:
        said = tomllib.loads(text)
        root = _Scan(text).document()
    except RecursionError:
        return Source(
            None, [Problem("toml.too-deep", {}, (characters.PLACE, 1, 1))], lines, name, whole=False
        )
    except ValueError as error:
        return Source(None, [_syntax(str(error), lines)], lines, name, whole=False)
    return Source(said, [], lines, name, root=root)


def _syntax(message: str, lines: tuple[str, ...]) -> Problem:
    """Return what ``tomllib`` has to say as a problem with a place, and with what would be right where that
    is plain to see.
    """
    found = _PLACE_SAID.search(message)
    why = _PLACE_SAID.sub("", message)
    if found is not None and found[1]:
        line, column = int(found[1]), int(found[2])
    else:
        line, column = (len(lines), len(lines[-1]) + 1) if found is not None else (1, 1)
    at = lines[line - 1] if line <= len(lines) else ""
    bare = _BARE_VALUE.fullmatch(at)
    help_ = ""
    if bare is not None:
        value = bare["value"]
        lower = value.lower()
        if lower in {*_TRUTHS, "true", "false"}:
            help_ = f"write {_TRUTHS.get(lower, lower)}"
        elif not value.isdecimal():
            help_ = "a text stands in quotes"
    return Problem(
        "toml.syntax",
        {"why": characters.printable(why[:1].lower() + why[1:])[:160]},
        (characters.PLACE, line, column),
        help=help_,
    )


class _Scan:
    """One pass over a text that is known to be TOML, growing the places of its keys and values."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.starts = [0, *(found.end() for found in re.finditer("\n", text))]

    def mark(self) -> Mark:
        """Return line and column here, counted from 0 as in the places of other files."""
        line = bisect_right(self.starts, self.at) - 1
        return Mark(line, self.at - self.starts[line])

    def take(self, pattern: re.Pattern[str]) -> str:
        """Return what stands here and step over it."""
        found = pattern.match(self.text, self.at)
        if found is None:
            return ""
        self.at = found.end()
        return found.group()

    def sees(self, sign: str) -> bool:
        """Step over blanks and comments; tell whether a sign follows, and step over it."""
        self.take(_GAP)
        if not self.text.startswith(sign, self.at):
            return False
        self.at += len(sign)
        return True

    def document(self) -> Place:
        """Return the place of the whole, with all places inside."""
        root = _table(Mark(0, 0))
        into = root
        while True:
            self.take(_GAP)
            if self.at >= len(self.text):
                return root
            if self.sees("[["):
                into = self.header(root, many=True)
                self.at += 2
            elif self.sees("["):
                into = self.header(root, many=False)
                self.at += 1
            else:
                self.pair(into)

    def header(self, root: Place, *, many: bool) -> Place:
        """Return the table that a line in brackets opens."""
        steps = self.key()
        into = root
        for number, (name, mark) in enumerate(steps):
            into.keys.setdefault(name, mark)
            if many and number == len(steps) - 1:
                listed = into.inside.setdefault(name, _list(mark))
                listed.inside.append(_table(mark))
                into = listed.inside[-1]
            else:
                into = into.inside.setdefault(name, _table(mark))
                into = into.inside[-1] if isinstance(into.inside, list) else into
        return into

    def key(self) -> list[tuple[str, Mark]]:
        """Return the parts of a key, each with its mark."""
        steps = []
        while True:
            self.take(_GAP)
            mark = self.mark()
            bare = self.take(_BARE)
            quoted = "" if bare else self.take(_STRING)
            steps.append((bare or str(tomllib.loads(f"k = {quoted}")["k"]), mark))
            if not self.sees("."):
                return steps

    def pair(self, into: Place) -> None:
        """Read a key and its value into a table."""
        steps = self.key()
        for name, mark in steps[:-1]:
            into.keys.setdefault(name, mark)
            into = into.inside.setdefault(name, _table(mark))
        self.sees("=")
        name, mark = steps[-1]
        into.keys[name] = mark
        into.inside[name] = self.value()

    def value(self) -> Place:
        """Return the place of a value and of what is inside."""
        self.take(_GAP)
        mark = self.mark()
        if self.sees("["):
            listed = _list(mark)
            while not self.sees("]"):
                listed.inside.append(self.value())
                self.sees(",")
            return listed
        if self.sees("{"):
            table = _table(mark)
            while not self.sees("}"):
                self.pair(table)
                self.sees(",")
            return table
        if not self.take(_STRING):
            self.take(_OTHER)
        return Place(*mark)


def _table(mark: Mark) -> Place:
    return Place(*mark, inside={}, keys={})


def _list(mark: Mark) -> Place:
    return Place(*mark, inside=[])
