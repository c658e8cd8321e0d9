"""One line of an order text on its way to the referee: its text now, and where in the letter each of its
characters stood.

Decides nothing about what a line means. Every change goes through here, so that a caret below a mistake
always finds the place where its writer sees it, whatever was put in, taken out or joined before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from pbem.core.regex import regex
from pbem.post.lines.message import Found, Line, Origin, Repair

_ENDS = regex("\r\n?|[\n\v\f\x1c-\x1e\u0085\u2028\u2029]")


class Row:
    """A line that may be changed. ``columns`` has the place of each character in ``source``, and that of its
    end.

    ``source`` are the lines as their writer sees them, from line ``number`` on: one, unless lines were
    joined.
    """

    __slots__ = ("columns", "number", "repairs", "source", "text")

    def __init__(self, text: str, columns: list[int], number: int, source: str) -> None:
        self.text = text
        self.columns = columns
        self.number = number
        self.source = source
        self.repairs: list[Repair] = []

    def copy(self) -> Row:
        """Return the same row, to be changed without changing this one."""
        other = Row(self.text, self.columns[:], self.number, self.source)
        other.repairs = self.repairs[:]
        return other

    @property
    def indent(self) -> int:
        """Return how many spaces the row begins with."""
        return len(self.text) - len(self.text.lstrip(" "))

    @property
    def blank(self) -> bool:
        """Tell whether there is nothing in the row."""
        return not self.text.strip()

    def note(self, code: str, was: str = "", now: str = "") -> None:
        """Keep that a change was made; one of a kind is enough for a line."""
        if all(known.code != code for known in self.repairs):
            self.repairs.append(Repair(code, self.number, was, now))

    def replace(self, start: int, end: int, new: str) -> None:
        """Put ``new`` in the place of some characters; what of it was there before stands where it stood."""
        self.columns[start:end] = _aligned(self.text[start:end], new, self.columns[start : end + 1])
        self.text = self.text[:start] + new + self.text[end:]

    def sub(
        self,
        pattern: re.Pattern[str],
        new: str | Callable[[re.Match[str]], str],
        code: str = "",
        start: int = 0,
    ) -> None:
        """Replace every match from ``start`` on, in one pass, and note it under ``code``."""
        pieces: list[str] = [self.text[:start]]
        columns = self.columns[:start]
        last, noted = start, False
        for found in pattern.finditer(self.text, start):
            put = new if isinstance(new, str) else new(found)
            if put == found.group():
                continue
            if code and not noted:
                self.note(code, found.group(), put)
                noted = True
            begin, end = found.span()
            pieces += [self.text[last:begin], put]
            columns += self.columns[last:begin]
            columns += _aligned(found.group(), put, self.columns[begin : end + 1])
            last = end
        if last == start:
            return
        self.columns = columns + self.columns[last:]
        self.text = "".join(pieces) + self.text[last:]

    def cut(self, count: int) -> None:
        """Take characters away from the front."""
        self.text = self.text[count:]
        self.columns = self.columns[count:]

    def strip(self) -> None:
        """Take away the spaces at the end."""
        kept = len(self.text.rstrip(" "))
        self.text = self.text[:kept]
        self.columns = self.columns[: kept + 1]

    def begin(self, indent: int) -> None:
        """Let the row begin with this many spaces."""
        now = self.indent
        if now > indent:
            self.cut(now - indent)
        elif now < indent:
            self.text = " " * (indent - now) + self.text
            self.columns = [self.columns[0]] * (indent - now) + self.columns

    def join(self, other: Row) -> None:
        """Put a row that goes on below behind this one, with a space between."""
        self.strip()
        own = other.text.lstrip(" ")
        skipped = len(other.text) - len(own)
        gap = max(other.number - self.number - self.source.count("\n"), 0)
        shift = len(self.source) + gap
        if gap == 0:  # both are parts of one line of the letter
            self.columns = self.columns + other.columns[skipped:]
        else:
            self.columns = self.columns + [column + shift for column in other.columns[skipped:]]
            self.source += "\n" * gap + other.source
        self.text = f"{self.text} {own}"
        self.note("repair.joined", "", own[:40])
        for repair in other.repairs:
            self.note(repair.code, repair.was, repair.now)

    def origin(self) -> Origin:
        """Return where this row stood."""
        return Origin(self.number, self.source, tuple(self.columns))


def _aligned(old: str, new: str, columns: Sequence[int]) -> list[int]:
    """Return the places of the characters of ``new``: sign for sign, or each where it stands in ``old``
    behind the one before it.
    """
    if len(old) == len(new):
        return list(columns[: len(new)])
    low = old.lower()
    places, at = [], 0
    for sign in new.lower():
        there = low.find(sign, at)
        if there >= 0:
            places.append(columns[there])
            at = there + 1
        else:
            places.append(columns[min(at, len(old))])
    return places


def rows_of(lines: Iterable[Line]) -> list[Row]:
    """Return lines as rows; a line in which there are ends of lines that a mail program does not see becomes
    several.
    """
    rows: list[Row] = []
    for line in lines:
        text = line.text
        if text.isascii() and text.isprintable():
            rows.append(Row(text, list(range(len(text) + 1)), line.number, text))
            continue
        start = 0
        for found in _ENDS.finditer(text):
            row = Row(text[start : found.start()], list(range(start, found.start() + 1)), line.number, text)
            if found.end() < len(text) or found.group() not in ("\r", "\n", "\r\n"):
                row.note("repair.line-end")
            rows.append(row)
            start = found.end()
        if start < len(text) or not start:
            rows.append(Row(text[start:], list(range(start, len(text) + 1)), line.number, text))
    return rows


def text_of(rows: Sequence[Row]) -> str:
    """Return rows as the text of a file."""
    return "\n".join(row.text for row in rows) + "\n"


def place(found: Found, line: int, column: int) -> tuple[int, int, str]:
    """Return where a place of ``data`` (counted from 1) stands in the letter: number, column from 1, and that
    line as its writer sees it.

    An ``Origin`` whose text has several lines is an order that a mail program had broken; the answer names
    the one that is meant.
    """
    return place_in(found.lines, line, column)


def place_in(lines: Sequence[Origin], line: int, column: int) -> tuple[int, int, str]:
    """Return where a place of mended data stood, as ``place`` does; ``lines`` has an origin for each of its
    lines.
    """
    if not lines:
        return line, column, ""
    origin = lines[min(max(line, 1), len(lines)) - 1]
    at = origin.columns[min(max(column, 1), len(origin.columns)) - 1]
    before = origin.text[:at]
    start = before.rfind("\n") + 1
    below = before.count("\n")
    return origin.number + below, at - start + 1, origin.text.split("\n")[below]
