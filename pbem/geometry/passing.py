"""From which hexes to which a line may be taken to go, for all 169 lines between two hexes at once.

A line that runs between two hexes goes past the left or the right ones, and one through a corner goes
straight or by the third hex; whether that matters is asked elsewhere (crests). As in ``fan``, all that is
worked out belongs to a step of the first twelfth of the plane and is turned into place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from pbem.geometry import fan
from pbem.geometry.hex import STEPS, Hex, parse, text
from pbem.geometry.walk import FIRST, PARTS, axial, hex_number, way

_PARTS: Final = range(len(PARTS))
_BESIDE: Final = frozenset(hex_number(Hex(*step)) for step in STEPS)
SHIFT: Final = 10
"""Bits of the number of a hex in a step."""


class Ways(NamedTuple):
    """For each of the 169 lines over a step of the first twelfth the ways it may be taken to go.

    A way is a row of steps from one of the ``hexes`` to one beside it: the number of the first, shifted by
    ``SHIFT``, and that of the other. ``grazed`` are the hexes, a bit each, of borders and corners on the
    line.
    """

    hexes: tuple[tuple[int, int], ...]
    straight: tuple[tuple[tuple[int, ...], ...], ...]
    corners: tuple[tuple[tuple[int, ...], ...], ...]
    """The same, with those by the third hexes."""
    grazed: tuple[int, ...]


@lru_cache(maxsize=1 << 8)
def ways(q: int, r: int) -> Ways:
    """Return the ways of the lines over a step of the first twelfth."""
    step = Hex(q, r)
    numbers: dict[int, int] = {}
    straight, corners, grazed = [], [], []
    for first in _PARTS:
        for last in _PARTS:
            met = [
                (kind, hexes, FIRST[0] < enter[0] < enter[1])
                for kind, hexes, _, enter, _, _ in way(first, step, last)
            ]
            paths = [_path(met, left, third, hex_number(step)) for third in (False, True) for left in (0, 1)]
            rows = [tuple(_row(path, numbers)) for path in paths]
            straight.append(tuple(dict.fromkeys(rows[:2])))
            corners.append(tuple(dict.fromkeys(rows)))
            beside = {hexagon for kind, hexes, _ in met if kind in ("spine", "corner") for hexagon in hexes}
            grazed.append(sum(1 << numbers.setdefault(hexagon, len(numbers)) for hexagon in sorted(beside)))
    places = tuple((place.q, place.r) for place in map(axial, numbers))
    return Ways(places, tuple(straight), tuple(corners), tuple(grazed))


def _path(met: Sequence[tuple[str, tuple[int, ...], bool]], left: int, third: bool, end: int) -> list[int]:
    found = [0]
    for kind, hexes, inner in met:
        if kind == "hex":
            found.append(hexes[0])
        elif kind == "spine":
            found.append(hexes[left])
        elif kind == "corner" and third and inner:
            found.extend(hexes[:1])
    return [*found, end]


def _row(path: Sequence[int], numbers: dict[int, int]) -> Iterator[int]:
    for here, there in pairwise(path):
        if there - here in _BESIDE:
            one = numbers.setdefault(here, len(numbers))
            yield one << SHIFT | numbers.setdefault(there, len(numbers))


class Between(NamedTuple):
    """The ways of the lines between two hexes."""

    hexes: tuple[str | None, ...]
    """Those of the ways by number; None off the map."""
    ways: Ways
    order: tuple[int, ...]
    """Which of the ways' lines is that between two parts, by start and end as in PARTS."""


def between(a: str, b: str) -> Between:
    """Return the ways of all lines from one hex to another."""
    start, end = parse(a), parse(b)
    home, turn = fan.home(end.q - start.q, end.r - start.r)
    found = ways(*home)
    one, two, three, four = turn.matrix
    hexes = tuple(
        text(Hex(start.q + one * q + two * r, start.r + three * q + four * r)) for q, r in found.hexes
    )
    return Between(hexes, found, turn.order)
