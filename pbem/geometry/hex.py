"""Hexes, hexsides and places by their text; decides what lies beside what, not what any of it costs or hides.

A hex is known everywhere by its text ``CCRR``: two digits of column, two of row, both 01 to 99. The hexes are
flat-topped and odd columns stand half a hex higher than even ones, so 0201 lies lower right of 0101. Sides
are numbered clockwise from the top, and that order (n first) breaks every tie.

Inside, a hex is axial, ``Hex(q, r)`` with q = column - 1 and r = row - 1 - floor(q / 2): steps add up,
nothing is halved.

The scene (what a picture is drawn from) counts 1000 units from the top side of a hex to its bottom side. A
regular hex of that height has sides of 577.35 and columns 866.03 apart; both are rounded here once, to 577
and 866, and the corners follow from them, so that neighbours share exactly equal corner points.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import Final, NamedTuple

SIDES = ("n", "ne", "se", "s", "sw", "nw")
"""The six sides, clockwise from the top; the order for every tie."""

STEPS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
"""What a step over each side adds to (q, r)."""

FIRST, LAST = 1, 99
"""The first and the last number of columns and of rows."""

ROW_PITCH = 1000
"""Scene units from the centre of a hex to the centre of the hex below it, and from top side
to bottom side.
"""

COLUMN_PITCH = 866
"""Scene units from one column to the next."""

CORNER_REACH = 577
"""Scene units from the centre of a hex to its left and right corner."""

_MOST = 1 << 16
_HALF_ROW = 500
_HALF_SIDE = COLUMN_PITCH - CORNER_REACH
_CORNER_STEPS = (
    (_HALF_SIDE, -_HALF_ROW),
    (CORNER_REACH, 0),
    (_HALF_SIDE, _HALF_ROW),
    (-_HALF_SIDE, _HALF_ROW),
    (-CORNER_REACH, 0),
    (-_HALF_SIDE, -_HALF_ROW),
)
_HEX = re.compile(r"(?!00)[0-9]{2}(?!00)[0-9]{2}")
_PLACE = re.compile(r"((?!00)[0-9]{2}(?!00)[0-9]{2})(?:@([a-z0-9][a-z0-9-]{0,15}))?")
_SIDE_NUMBER = {side: number for number, side in enumerate(SIDES)}


class NotAPlace(ValueError):
    """Raised for a text that is neither a hex (``0712``) nor a place (``0712@top``)."""


class NotASide(ValueError):
    """Raised for a text that is none of n, ne, se, s, sw, nw, or no hexside (``0712 n``)."""


class Hex(NamedTuple):
    """A hex in axial coordinates; it may lie outside the numbered columns and rows."""

    q: int
    r: int


@cache
def parse(hex_text: str) -> Hex:
    """Return the axial form of a hex; raise NotAPlace for anything but ``CCRR`` with 01 to
    99 in both halves.
    """
    if not _HEX.fullmatch(hex_text):
        raise NotAPlace(f"{hex_text!r} is not a hex: two digits of column and two of row, 0101 to 9999")
    column = int(hex_text[:2]) - 1
    return Hex(column, int(hex_text[2:]) - 1 - column // 2)


def text(hexagon: tuple[int, int]) -> str | None:
    """Return the text of an axial hex (q, r), or None where it has none because it lies off 01 to 99."""
    q, r = hexagon
    column = q + 1
    row = r + 1 + q // 2
    if FIRST <= column <= LAST and FIRST <= row <= LAST:
        return f"{column:02}{row:02}"
    return None


def side_number(side: str) -> int:
    """Return 0 to 5 for n to nw; raise NotASide for anything else."""
    try:
        return _SIDE_NUMBER[side]
    except KeyError:
        raise NotASide(f"{side!r} is not a side: {' '.join(SIDES)}") from None


def opposite(side: str) -> str:
    """Return the side across the hex."""
    return SIDES[(side_number(side) + 3) % 6]


@cache
def neighbour(hex_text: str, side: str) -> str | None:
    """Return the hex beyond a side, or None beyond the last column or row."""
    q, r = parse(hex_text)
    dq, dr = STEPS[side_number(side)]
    return text((q + dq, r + dr))


@cache
def neighbours(hex_text: str) -> tuple[str, ...]:
    """Return the hexes beside a hex, n first and clockwise, without those off the map."""
    beside = (neighbour(hex_text, side) for side in SIDES)
    return tuple(other for other in beside if other is not None)


def around(hexes: Iterable[str]) -> tuple[str, ...]:
    """Return the hexes beside some hexes, each once, those of the first hex first; of two that are neighbours
    each is beside the other.
    """
    return tuple(dict.fromkeys(beside for hex_text in hexes for beside in neighbours(hex_text)))


@lru_cache(maxsize=1 << 16)
def side_between(a: str, b: str) -> str | None:
    """Return the side of ``a`` that borders on ``b``, or None where they are not neighbours."""
    start, end = parse(a), parse(b)
    step = (end.q - start.q, end.r - start.r)
    return SIDES[STEPS.index(step)] if step in STEPS else None


@lru_cache(maxsize=1 << 14)
def touching(places: tuple[str, ...], others: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return of some places those whose hexes border on those of others, each with each of these."""
    each = ((here, there) for here in places for there in others)
    return tuple(way for way in each if side_between(*map(hex_of, way)) is not None)


@lru_cache(maxsize=1 << 15)
def distance(a: str, b: str) -> int:
    """Return the number of steps from one hex to the other: 0 for the same hex, 1 for neighbours."""
    (q, r), (other_q, other_r) = parse(a), parse(b)
    dq, dr = other_q - q, other_r - r
    if (dq < 0) is (dr < 0):
        return abs(dq + dr)
    return max(abs(dq), abs(dr))


def in_row(a: str, side: str, b: str) -> bool:
    """Tell whether ``b`` stands in the straight row of hexes that leaves ``a`` by a side (S1.45b); ``a``
    itself does not.
    """
    start, end = parse(a), parse(b)
    dq, dr = STEPS[side_number(side)]
    far = distance(a, b)
    return far > 0 and (end.q - start.q, end.r - start.r) == (far * dq, far * dr)


@cache
def hexside(hex_text: str, side: str) -> str:
    """Return the one key of a physical hexside, whichever of its two hexes names it.

    The key is written like a hexside in a map file: ``0712 n``. It is named from the hex it is the n, ne or
    se side of; where that hex lies off the map, from the other.
    """
    beyond = neighbour(hex_text, side)
    if side_number(side) < 3 or beyond is None:
        return f"{hex_text} {side}"
    return f"{beyond} {opposite(side)}"


@cache
def beside(key: str) -> tuple[str, ...]:
    """Return the hexes a hexside separates, the naming one first; only one at the edge of the map."""
    hex_text, _, side = key.partition(" ")
    beyond = neighbour(hex_text, side)
    return (hex_text,) if beyond is None else (hex_text, beyond)


def is_place(place: str) -> bool:
    """Tell whether a text is a place: ``CCRR`` or ``CCRR@storey``."""
    return _PLACE.fullmatch(place) is not None


@lru_cache(maxsize=1 << 16)
def split_place(place: str) -> tuple[str, str]:
    """Return hex and storey of a place, the storey empty where none is written; raise NotAPlace for anything
    else.
    """
    found = _PLACE.fullmatch(place)
    if found is None:
        raise NotAPlace(
            f"{place!r} is not a place: a hex such as 0712, or a hex and a storey such as 0712@top"
        )
    return found[1], found[2] or ""


class _Hexes(dict[str, str]):
    """Place -> its hex, of all that were asked for; of too many all are forgotten."""

    def __missing__(self, place: str) -> str:
        if len(self) == _MOST:
            self.clear()
        found = self[place] = split_place(place)[0]
        return found


hex_of: Final[Callable[[str], str]] = _Hexes().__getitem__
"""Return the hex of a place; raise NotAPlace for anything else. Nothing is asked as often."""


@lru_cache(maxsize=1 << 16)
def hexes_of(places: tuple[str, ...]) -> tuple[str, ...]:
    """Return the hexes of some places."""
    return tuple(hex_of(place) for place in places)


@cache
def centre(hex_text: str) -> tuple[int, int]:
    """Return the centre of a hex in scene units, x to the right and y down; the hex 0101 touches x = 0 and y
    = 0.
    """
    q, r = parse(hex_text)
    return CORNER_REACH + COLUMN_PITCH * q, _HALF_ROW + ROW_PITCH * r + _HALF_ROW * q


@cache
def corners(hex_text: str) -> tuple[tuple[int, int], ...]:
    """Return the six corners in scene units, clockwise; number i lies between side i and side i + 1."""
    x, y = centre(hex_text)
    return tuple((x + dx, y + dy) for dx, dy in _CORNER_STEPS)


def side_points(hex_text: str, side: str) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the two ends of a side in scene units, clockwise as seen from the hex that is named."""
    number = side_number(side)
    ends = corners(hex_text)
    return ends[number - 1], ends[number]
