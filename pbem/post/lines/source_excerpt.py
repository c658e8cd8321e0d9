"""A line as somebody typed it, with a mark below one place of it: cut round that place to what a reader's
lines can hold.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from pbem.text.characters import printable

__all__ = ["CARET", "narrowed", "pointed"]

CARET: Final = "caret"
"""The language of a ``Code`` block that holds such a line and the line with its mark."""
_MARK: Final = "^"


def pointed(line: str, column: int, wide: int) -> tuple[str, str]:
    """Return a line, the part round a column of it (from 1) where it is long, and a line with a mark below
    that column.
    """
    at = min(max(column - 1, 0), len(line))
    start = min(max(at - wide // 2, 0), max(len(line) - wide, 0))
    shown = printable(line[start : start + wide].replace("\t", " "))
    if start:
        shown = "…" + shown[1:]
    if start + wide < len(line):
        shown = shown[:-1] + "…"
    return shown.rstrip(), "".join(_blank(character) for character in shown[: at - start]) + _MARK


def narrowed(text: str, bar: str, wide: int) -> str:
    """Return the text of such a block, its lines behind a bar, cut further: a telephone that broke them would
    move the mark.
    """
    line, mark = (each.removeprefix(bar) for each in text.split("\n"))
    if max(len(line), len(mark)) <= wide:
        return text
    at = width = 0
    while width < len(mark) - 1:
        width += len(_blank(line[at])) if at < len(line) else 1
        at += 1
    return "\n".join(bar + each for each in pointed(line.ljust(at), at + 1, wide))


def _blank(character: str) -> str:
    """Return as many spaces as a character is wide."""
    if unicodedata.combining(character):
        return ""
    return "  " if unicodedata.east_asian_width(character) in ("W", "F") else " "
