"""Lines that a mail program broke because they were too long, and what tells the rest of one from a line of
its own.

It decides whether a line goes on with the one above it; joining is done by whoever takes the orders, who
keeps the places. A line is the rest of another where that one cannot end where it does, where no order begins
like the rest, or where a program that breaks lines would have broken just there.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from msgspec import Struct

from pbem.core.regex import regex
from pbem.post.lines import signs, walking
from pbem.post.lines.keys import BULLETS, STANDING, Keys
from pbem.post.lines.rows import Row
from pbem.text.free import FREE

__all__ = ["Page", "goes_on", "may_end", "widest", "with_whole_comments", "with_whole_items"]

_BROKEN: Final = 60
"""A line this long may have been broken by a program."""
_BROKEN_EARLY: Final = 40
"""The same, where the rest begins with a small letter and all lines of the letter are as short."""
_BROKEN_COMMENT: Final = 30
"""The same in a comment, where nothing is at stake."""
_WIDTH: Final = 64
"""No program breaks lines that are not longer than this."""
_LONGEST: Final = 2_500
"""No order, note or comment is longer."""
_TOKEN: Final = regex(r"[\w'-]+")
_WORD: Final = regex(r"[^\W\d_]+")
_SENTENCE_ENDS: Final = (".", "!", "?", "…")


class Page(Struct, frozen=True):
    """How wide the line above is, and the widest of the letter; the names of its writer; whether nothing but
    words may follow.
    """

    wide: int
    widest: int
    names: Collection[str]
    last: bool


def goes_on(keys: Keys, above: Row, view: str, key: str, page: Page) -> bool:
    """Tell whether a line is the rest of the one right above it, which stands below ``key``."""
    if len(above.text) > _LONGEST:
        return False
    upper = view[:1].isupper()
    commented = signs.comment(above.text) >= 0
    said = set(_WORD.findall(view.lower())) - keys.joining
    if key in (*keys.sections, STANDING) and not commented:
        if keys.unended.search(above.text) and ("," in above.text or not upper):
            return True
        if key != STANDING and keys.onward.match(view) and said:
            return True
    if not _overflows(page.wide, view, page.widest) or not said.difference(page.names):
        return False
    if not upper:
        return True
    ended = above.text.rstrip(" \"'”“»)").endswith(_SENTENCE_ENDS)
    return (commented or key in FREE) and not (ended and page.last)


def may_end(keys: Keys, rows: Sequence[Row], said: Collection[str]) -> bool:
    """Tell whether words, all of which orders are made of, may be the end of the last order."""
    known = {word.lower() for row in rows[-40:] for word in _TOKEN.findall(row.text[:_LONGEST])}
    return known.union(keys.joints).issuperset(said)


def widest(rows: Sequence[Row | None]) -> int:
    """Return how long the longest line is that a program could have broken."""
    return max(
        (len(row.text.rstrip()) for row in rows if row is not None and " " in row.text.strip()), default=0
    )


def _overflows(wide: int, view: str, page: int, early: int = _BROKEN_EARLY) -> bool:
    """Tell whether a program may have broken a line of ``wide`` characters before ``view``: with its first
    word it would be too long.

    What begins with a capital may be a sentence of its own, so there it has to be a long line.
    """
    first = view.split(" ", 1)[0]
    upper = first[:1].isupper()
    return wide >= (_BROKEN if upper else early) and wide + 1 + len(first) > max(page, _WIDTH if upper else 0)


def with_whole_items(keys: Keys, rows: Sequence[Row | None]) -> Sequence[Row | None]:
    """Return rows with each order behind its dash again, where a program put the dash on a line of its own,
    as Gmail does.
    """
    out: list[Row | None] = []
    alone: Row | None = None
    blank: Row | None = None
    for row in rows:
        if alone is not None and row is not None:
            if row.blank and blank is None:
                blank = row
                continue
            if not row.blank and row.indent >= alone.indent and not _formed(keys, row, alone.indent):
                alone.join(row)
                alone = blank = None
                continue
        if blank is not None:
            out.append(blank)
        alone = row if row is not None and _is_dash(row) else None
        blank = None
        out.append(row)
    return out if blank is None else [*out, blank]


def _is_dash(row: Row) -> bool:
    """Tell whether there is nothing in a row but the sign of an item."""
    bare = row.text.strip()
    return len(bare) == 1 and bare in BULLETS


def with_whole_comments(keys: Keys, rows: Sequence[Row | None]) -> Sequence[Row | None]:
    """Return rows with the rest of a comment, that a program put on a line of its own, behind the comment
    again.
    """
    out: list[Row | None] = []
    wide = 0
    page = widest(rows)
    for row in rows:
        above = out[-1] if out else None
        if (
            row is None
            or above is None
            or row.blank
            or not wide
            or len(above.text) > _LONGEST
            or _formed(keys, row)
        ):
            wide = len(row.text) if row is not None and row.text.startswith("#") else 0
            out.append(row)
        elif _overflows(wide, row.text.strip(), page, _BROKEN_COMMENT):
            wide = len(row.text)
            above.join(row)
        else:
            wide = 0
            out.append(row)
    return out


def _formed(keys: Keys, row: Row, within: int = 0) -> bool:
    """Tell whether a line has a form of its own."""
    return (
        row.indent > within
        or walking.ordered(keys, row)
        or walking.Walk(keys).role(row.text) != walking.OTHER
    )
