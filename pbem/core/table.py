"""Number tables, checked when loaded: what is on the sheet is data, how it is read is code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from msgspec import Struct

from pbem.core.regex import regex

BASES = ("complete", "derived", "reconstructed")
_DIE: Final = regex(r"d([1-9][0-9]?)")


class TableError(ValueError):
    """A table that cannot be what it says: ``table`` names it, the text says what is wrong
    and where in it.
    """

    def __init__(self, table: str, said: str) -> None:
        super().__init__(f"{table}: {said}")
        self.table = table


def die_faces(table: Mapping[str, Any]) -> int:
    """Return how many faces the die has by which a table is read, from its ``die.kind``, such as ``d10``;
    LookupError if it names none.
    """
    kind = table["die"]["kind"]
    match = _DIE.fullmatch(str(kind))
    if match is None:
        raise LookupError(f"{kind} is not a die, such as d10")
    return int(match[1])


def row_of(table: Mapping[str, Any], die: int) -> Mapping[str, Any]:
    """Return the row of a table whose rows each say of which faces they are (``die: [1, 4]``); StopIteration
    if none is of that face.
    """
    rows: Iterable[Mapping[str, Any]] = table["rows"]
    return next(row for row in rows if row["die"][0] <= die <= row["die"][1])


class Grid(Struct, frozen=True):
    """A table read by a row (the die) and a column: ``rows[row][column]`` is a result code of ``key``."""

    name: str
    columns: tuple[str, ...]
    rows: Mapping[int, tuple[str, ...]]
    key: Mapping[str, Mapping[str, str]]

    @property
    def faces(self) -> int:
        """Return how many faces its die has: there is a row for each."""
        return len(self.rows)

    def cell(self, row: int, column: str) -> str:
        """Return the result code at a row and a column; KeyError or ValueError if the table
        has no such cell.
        """
        return self.rows[row][self.columns.index(column)]


def grid(name: str, columns: object, rows: object, key: object) -> Grid:
    """Return a checked grid: every row as long as the columns, every code explained in ``key``; raise
    TableError otherwise.
    """
    if (
        not isinstance(columns, list)
        or not columns
        or not isinstance(rows, Mapping)
        or not isinstance(key, Mapping)
    ):
        raise TableError(name, "needs columns (a list), rows and key (mappings)")
    names = tuple(str(column) for column in columns)
    if len(set(names)) != len(names):
        raise TableError(name, "has a column twice")
    checked: dict[int, tuple[str, ...]] = {}
    for die, cells in rows.items():
        if not isinstance(die, int) or not isinstance(cells, list) or len(cells) != len(names):
            raise TableError(name, f"row {die} must be a number with {len(names)} cells")
        unknown = sorted({str(cell) for cell in cells} - {str(code) for code in key})
        if unknown:
            raise TableError(name, f"row {die} has the code {unknown[0]}, which the key does not explain")
        checked[die] = tuple(str(cell) for cell in cells)
    if sorted(checked) != list(range(1, len(checked) + 1)):
        raise TableError(name, "must have one row for each face of the die, from 1")
    meanings = {
        str(code): {str(k): str(v) for k, v in dict(meaning).items()} for code, meaning in key.items()
    }
    return Grid(name, names, checked, meanings)
