"""The rows of a packet as tables, which its page makes rows of again (``renderers/pages/packet_tables.js``).

There are thousands of rows, and most of what they say follows from little: that somebody goes somewhere is
one sentence with a hole in it, and his ways are one tree. So rows of one shape that stand one behind the
other are one table, a column for each of their keys, and whatever repeats is named by its place in a list.
Nothing is left out and nothing is told twice: the page gets back the very rows, in their order.

``tables`` gives, beside ``phases``, ``later`` and ``after`` whose rows are tables now:

* ``values``: each distinct value once: names and places in their lists, notes, labels.
* ``up`` and ``at``: the tree of all ways. Of each of its places the number of the one before it (-1: none),
  and what is its own name in ``values``.

A table is [sentence, kind, how many rows, letters of the keys, a column for each letter]. The sentence is a
place in ``values``, and in it stand ``{w}``, ``{c}``, ``{t}`` and ``{f}`` for who, cells, targets and facing;
of a sentence in a list of its own they stand for themselves.
A column is a number where all of its rows have the same. ``p``, ``m``, ``i``, ``x`` and ``b`` are themselves,
``a`` of one figure is its place alone, ``y`` is the last place of a way in the tree, all others are places in
``values``.

``after`` is [phases, then for each of these the places in ``later``]; there 0 stands for none, and -5 for
the five that follow the one before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from pbem.referee.explain.clickable import Pool

PLAIN: Final = frozenset("pmixb")
"""Keys of rows whose values are numbers that say what they are."""
HOLES: Final = (("c", " "), ("t", ", "), ("f", ""))
"""Keys of what may stand in a sentence behind who does it, with what parts several."""
_HOLE: Final = re.compile(r"\{([wctf])\}")

Row = Mapping[str, Any]


def tables(made: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data of a page with its rows as tables."""
    book = _Tables()
    phases = [{**phase, "rows": book.tables(phase["rows"])} for phase in made["phases"]]
    later = book.tables(made["later"])
    after = [book.left(entry) for entry in made["after"]]
    return {
        **made,
        "phases": phases,
        "later": later,
        "after": after,
        "values": book.values.listed,
        "up": book.up,
        "at": book.at,
    }


class _Tables:
    """The tables of a page as they are written, and the lists that they name places of."""

    def __init__(self) -> None:
        self.values = Pool()
        self.up: list[int] = []
        self.at: list[int] = []
        self._ways: dict[tuple[int, str], int] = {}

    def value(self, value: Any) -> int:
        """Return the place of a value."""
        return self.values.place(repr(value), value)

    def tables(self, rows: Sequence[Row]) -> list[list[Any]]:
        """Return rows as tables."""
        shapes = ((_sentence(row), row["k"], "".join(sorted(row.keys() - {"s", "k"}))) for row in rows)
        shaped = zip(shapes, rows, strict=True)
        return [
            self._table(shape, [row for _, row in found])
            for shape, found in groupby(shaped, lambda one: one[0])
        ]

    def _table(self, shape: tuple[str, int, str], rows: Sequence[Row]) -> list[Any]:
        said, kind, keys = shape
        columns = (list(self._column(key, rows)) for key in keys)
        return [
            self.value([said] if _HOLE.search(rows[0]["s"]) else said),
            kind,
            len(rows),
            keys,
            *(_short(column) for column in columns),
        ]

    def _column(self, key: str, rows: Sequence[Row]) -> Iterator[Any]:
        for row in rows:
            value = row[key]
            if key in PLAIN:
                yield value
            elif key == "a":
                yield value[0] if len(value) == 1 else value
            else:
                yield self._way(value) if key == "y" else self.value(value)

    def _way(self, way: str) -> int:
        """Return the place in the tree in which a way ends."""
        here = -1
        for place in way.split(" "):
            if (here, place) not in self._ways:
                self._ways[here, place] = len(self.up)
                self.up.append(here)
                self.at.append(self.value(place))
            here = self._ways[here, place]
        return here

    def left(self, entry: Mapping[str, Sequence[int]]) -> list[Any]:
        """Return what an order leaves somebody: in which phases, and of each the rows."""
        return [self.value(list(entry)), *(_runs(places) or 0 for places in entry.values())]


def _short(column: list[Any]) -> Any:
    """Return a column; where all of it is the same number, that alone."""
    first = column[0]
    return first if isinstance(first, int) and all(value == first for value in column) else column


def _runs(places: Sequence[int]) -> list[int]:
    """Return numbers with those that count on from the one before them put together."""
    found: list[int] = []
    for place in places:
        run = -found[-1] if found and found[-1] < 0 else 0
        if found and place == found[-2 if run else -1] + run + 1:
            found[-1:] = [-run - 1] if run else [found[-1], -1]
        else:
            found.append(place)
    return found


def _sentence(row: Row) -> str:
    """Return the sentence of a row with holes for what its other keys say; the sentence itself where that
    would not give it back.
    """
    said: str = row["s"]
    who = ", ".join(row["w"])
    if not who or not said.startswith(f"{who} ") or _HOLE.search(said):
        return said
    found = said[len(who) :]
    for key, parted in HOLES:
        value = row.get(key, "")
        words = value if isinstance(value, str) else parted.join(value)
        if words and f" {words}" in found:
            before, _, behind = found.rpartition(f" {words}")
            found = f"{before} {{{key}}}{behind}"
    found = "{w}" + found
    return found if filled(found, row) == said else said


def filled(sentence: str, row: Row) -> str:
    """Return a sentence with its holes filled by what else a row says."""
    parts = {"w": ", ".join(row["w"]), "f": row.get("f", "")}
    parts |= {key: parted.join(row.get(key, ())) for key, parted in HOLES if key != "f"}
    return _HOLE.sub(lambda hole: parts[hole[1]], sentence)
