"""One text that was read, and the places of its values."""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec import Struct

from pbem.core.problem import Path, Problem
from pbem.text import characters

__all__ = ["Mark", "Place", "Source", "line_of", "problem_at"]


class Mark(NamedTuple):
    """A line and a column, as a source tells them both counted from 1."""

    line: int
    column: int


class Place(Struct, eq=False):
    """Where one value stands: its line and column (counted from 0), the text that it is, and the places
    inside it.
    """

    line: int
    column: int
    text: str | None = None
    inside: Any = None
    keys: Any = None
    """Of a mapping: line and column of each key, counted from 0 too."""


class Source(Struct, frozen=True):
    """One text that was read: ``data`` holds only mappings, lists and text, and is ``None`` where nothing
    could be read.

    ``whole`` is false when a part of the text had to be left out; then a key that seems to be missing may
    stand in that part.
    """

    data: object | None
    problems: list[Problem]
    lines: tuple[str, ...]
    name: str
    whole: bool = True
    root: Place | None = None

    def mark(self, path: Path, key: bool = False) -> Mark:
        """Return the place of a value, of its key, or of what surrounds it where the path leads nowhere.

        A number as the last step into a text is an offset: ``("move", 2, 7)`` is the eighth character of the
        third order, and in a text of several lines below a ``|`` the line and the column follow from it.
        """
        if path and path[0] == characters.PLACE:
            return Mark(int(path[1]), int(path[2]))
        place = self.root
        if place is None:
            return Mark(1, 1)
        found: Any = place
        for depth, step in enumerate(path):
            last = depth == len(path) - 1
            if place.keys is not None and step in place.keys:
                if (last and key) or step not in place.inside:
                    found = place.keys[str(step)]
                    break
                place = place.inside[step]
            elif place.keys is None and isinstance(place.inside, list) and isinstance(step, int):
                if not -1 < step < len(place.inside):
                    break
                place = place.inside[step]
            elif place.text is not None and isinstance(step, int):
                return self._inside(place, step)
            else:
                break
            found = place
        return Mark(found.line + 1, found.column + 1)

    def _inside(self, place: Place, offset: int) -> Mark:
        """Return the place of a character of a text that stands on its lines as it is; else where the text
        begins.
        """
        line, column = place.line, place.column
        text = place.text or ""
        raw = self.lines[line] if line < len(self.lines) else ""
        if raw[column : column + 1] == "|":
            return self._in_block(place, text, offset)
        if raw[column : column + 1] in ("'", '"') and not text.startswith(raw[column : column + 1]):
            column += 1
        if 0 <= offset <= len(text) and raw.startswith(text, column):
            return Mark(line + 1, column + offset + 1)
        return Mark(line + 1, place.column + 1)

    def _in_block(self, place: Place, text: str, offset: int) -> Mark:
        """Return the place of a character of a text written below a ``|``; else where the ``|`` stands."""
        before = text[:offset].split("\n")
        row = len(before) - 1
        written = text.split("\n")[row]
        line = place.line + 1 + row
        raw = self.lines[line] if line < len(self.lines) else ""
        if offset > len(text) or not raw.endswith(written):
            return Mark(place.line + 1, place.column + 1)
        return Mark(line + 1, len(raw) - len(written) + len(before[-1]) + 1)


def problem_at(code: str, line: int, column: int, help: str = "", **args: str | int) -> Problem:
    """Return a problem with a line and a column, both from 1."""
    return Problem(code, args, (characters.PLACE, line, column), help=help)


def line_of(problem: Problem) -> int:
    """Return the line of a problem that has one."""
    return int(problem.path[1])
