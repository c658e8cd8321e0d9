"""Problems with a place and a sentence: as a terminal or a letter shows them, and as
``--json`` gives them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from pbem.core.problem import Path, Problem
from pbem.text.characters import PLACE, printable
from pbem.text.source import Source
from pbem.text.words import Words

__all__ = ["Located", "as_json", "locate", "render"]

_INDENT: Final = "    "
_WIDEST: Final = 110


class Located(Struct, frozen=True):
    """One problem of a file, for people: line and column count from 1; ``source_line`` is the line as it
    stands there.

    Line 0: it belongs to no file, and ``file`` says who speaks.
    """

    file: str
    line: int
    column: int
    code: str
    message: str
    rule: str = ""
    help: str = ""
    source_line: str = ""
    path: Path = ()
    """Where it is in the data; empty where it has no place there."""

    @property
    def is_doubt(self) -> bool:
        """Tell whether the file stands anyway."""
        return self.code.startswith("doubt.")


def locate(source: Source, problems: Iterable[Problem], words: Words) -> list[Located]:
    """Return the problems with their places and sentences, in the order of the file; the same one is said
    once.
    """
    found: dict[tuple[int, int, str, str], Located] = {}
    for problem in problems:
        line, column = source.mark(problem.path, problem.key)
        message = printable(words.problem(problem.code, problem.args))
        text = source.lines[line - 1] if line <= len(source.lines) else ""
        key = (line, column, problem.code, message)
        path = () if problem.path[:1] == (PLACE,) else problem.path
        found.setdefault(
            key,
            Located(
                source.name,
                line,
                column,
                problem.code,
                message,
                problem.rule,
                printable(words.put(problem.help)),
                text,
                path,
            ),
        )
    return [found[key] for key in sorted(found)]


def render(located: Located) -> str:
    """Return the problem as text: place, code and sentence; the line; a mark below the place, with what would
    be right.

    A doubt is called a note: the file still stands.
    """
    rule = f" ({located.rule})" if located.rule else ""
    place = f"{located.file}:{located.line}:{located.column}" if located.line else located.file
    head = f"{place}: {'note' if located.is_doubt else located.code}: {located.message}{rule}"
    if not located.source_line.strip():
        return f"{head}\n{_INDENT}{located.help}" if located.help else head
    line, column = _window(located.source_line, located.column - 1)
    shown = printable(line.replace("\t", " "))
    before = "".join(_blank(character) for character in shown[:column])
    before += " " * (column - len(shown))
    caret = f"{_INDENT}{before}^ {located.help}".rstrip()
    return f"{head}\n{_INDENT}{shown.rstrip()}\n{caret}"


def as_json(located: Located) -> dict[str, str | int]:
    """Return the problem as ``pbem check --json`` prints it."""
    return {
        "file": located.file,
        "line": max(located.line, 1),
        "column": max(located.column, 1),
        "code": located.code,
        "message": located.message,
        "rule": located.rule,
        "help": located.help,
    }


def _window(line: str, column: int) -> tuple[str, int]:
    """Return the part of a very long line around a column, and the column in it."""
    if len(line) <= _WIDEST:
        return line, column
    start = min(max(column - _WIDEST // 2, 0), len(line) - _WIDEST)
    cut = line[start : start + _WIDEST]
    if start:
        cut = "..." + cut[3:]
    if start + _WIDEST < len(line):
        cut = cut[:-3] + "..."
    return cut, column - start


def _blank(character: str) -> str:
    """Return as many spaces as a character is wide."""
    if unicodedata.combining(character):
        return ""
    return "  " if unicodedata.east_asian_width(character) in ("W", "F") else " "
