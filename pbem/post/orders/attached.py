"""Unsigned files that came with a letter: which of them is an order file, and what it says.

A file that is read from end to end as orders is one. A file with orders among other words is one only if the
letter itself has none. Our own order sheet sent back as it was, a report, a card or a legal notice is not an
order file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from pbem.core.problem import Problem
from pbem.post.lines import codes, signs
from pbem.post.lines.keys import Keys
from pbem.post.lines.message import FILE, File, Repair, Text
from pbem.post.lines.rows import Row, rows_of
from pbem.post.orders import reading
from pbem.post.orders.repair import is_whole, mend
from pbem.post.quotes import quoting
from pbem.text.source import read

__all__ = ["CERTAIN", "EMPTY", "MIXED", "Attached", "attached", "is_bare"]

CERTAIN, MIXED, EMPTY = "certain", "mixed", "empty"
"""An order file; orders among other words; an order sheet in which nothing was written."""

_YAML: Final = (".yaml", ".yml")
_NEVER: Final = (
    ".sig",
    ".asc",
    ".p7s",
    ".vcf",
    ".ics",
    ".eml",
    ".msg",
    ".htm",
    ".html",
    ".css",
    ".js",
    ".svg",
    ".xml",
    ".json",
    ".csv",
    ".md",
)
_ADDRESSED: Final = frozenset({"game", "side", "seat", "turn"})


class Attached(Struct, frozen=True):
    """One file as an order file. ``problems`` say why it cannot be read, where it should be."""

    kind: str
    name: str
    data: bytes = b""
    rows: tuple[Row, ...] = ()
    repairs: tuple[Repair, ...] = ()
    whole: bool = False
    problems: tuple[Problem, ...] = ()
    assumed: tuple[Problem, ...] = ()
    own: tuple[Row, ...] = ()
    """Words beside the orders."""


def attached(keys: Keys, files: Sequence[File], names: Sequence[str] = ()) -> list[Attached]:
    """Return every file that is, or holds, orders; the same orders once."""
    found: dict[bytes, Attached] = {}
    for file in files:
        one = _file(keys, file, names)
        if one is not None:
            key = one.data.strip() if one.data else one.name.encode()
            if key not in found or (found[key].kind != CERTAIN and one.kind == CERTAIN):
                found[key] = one
    return list(found.values())


def _file(keys: Keys, file: File, names: Sequence[str]) -> Attached | None:
    text = file.text
    low = file.name.lower()
    if text is None or low.endswith(_NEVER):
        return None
    whole = _from_end_to_end(keys, file, text, low.endswith(_YAML))
    if whole is not None:
        return whole
    found = reading.read(keys, Text(FILE, text.lines, text.name, text.flowed, text.assumed), names=names)
    if found.mended is None:
        return Attached(MIXED, file.name, problems=tuple(found.problems)) if found.problems else None
    mended = found.mended
    certain = mended.whole and not [row for row in found.taken.own if not row.blank]
    kind, own = CERTAIN if certain else MIXED, tuple(found.taken.own)
    return Attached(
        kind,
        file.name,
        mended.data,
        mended.rows,
        mended.repairs,
        mended.whole,
        mended.problems,
        text.assumed,
        own,
    )


def _from_end_to_end(keys: Keys, file: File, text: Text, named: bool) -> Attached | None:
    """Return a file all of whose lines are orders, or are meant to be (``named`` so); None where it is no
    such file.
    """
    if quoting.BELOW in quoting.kinds(keys, text.lines):
        return None
    raw = rows_of(text.lines)
    rows = [row.copy() for row in raw]
    signs.unmangle(rows)
    for row in rows:
        signs.clean(row)
    rows = [row for row in rows if not codes.is_line(row.text)]
    while rows and rows[-1].blank:
        rows.pop()
    while rows and rows[0].blank:
        rows.pop(0)
    if not any(keys.head(row.text)[0] for row in rows):
        return None
    if (as_it_is := _untouched(keys, file, raw)) is not None:
        return as_it_is
    mended = mend(keys, rows, [row for row in raw if not codes.is_line(row.text)])
    if not mended.whole and not (
        named and not mended.problems and not any(quoting.prefixed(row.text) for row in raw)
    ):
        return None

    if mended.whole and is_bare(keys, mended.data):
        return Attached(
            EMPTY, file.name, mended.data, problems=(Problem("mail.empty-sheet", {"file": file.name}),)
        )

    return Attached(
        CERTAIN,
        file.name,
        mended.data,
        mended.rows,
        mended.repairs,
        mended.whole,
        mended.problems,
        text.assumed,
    )


def _untouched(keys: Keys, file: File, raw: Sequence[Row]) -> Attached | None:
    """Return a file that can be read as it is, byte for byte but for the ends of its lines; None where
    something has to be done to it.
    """
    data = file.data.replace(b"\r\n", b"\n")
    data += b"" if data.endswith(b"\n") else b"\n"
    if any(codes.is_line(row.text) for row in raw) or is_bare(keys, data) or not is_whole(keys, read(data)):
        return None
    return Attached(CERTAIN, file.name, data, tuple(raw), (), True)


def is_bare(keys: Keys, data: bytes) -> bool:
    """Tell whether a file is a sheet in which nothing was written: keys that say whose it is, headings, and
    orders in comments.
    """
    said = read(data).data
    if not isinstance(said, Mapping):
        return True
    if any(value not in ("", None) for key, value in said.items() if key not in _ADDRESSED):
        return False
    return b"\n#- " in data or b"\n# " in data or not any(key in said for key in keys.sections)
