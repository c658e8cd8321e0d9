"""Roofs as carpenters build them: a ridge from hex to hex, hips down to the corners, and faces that fall to
the eaves; no colours.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

from pbem.core.scene import Area, Point

from ..frame import Spot
from .shores import around

LIGHT = (-0.6, -0.8)
"""Where the light comes from: the north-west."""


class Face(Struct, frozen=True):
    """A part of a roof: its corners, and the way in which it falls, (0, 0) where it is flat."""

    corners: tuple[Point, ...]
    """The two ends of its eaves and the top of the hex, or the two ends of its ridge and the corner at its
    foot.
    """
    falls: tuple[float, float]

    @property
    def light(self) -> float:
        """Return how light it is, from -1 (turned away from the light) to 1 (towards it)."""
        return self.falls[0] * LIGHT[0] + self.falls[1] * LIGHT[1]

    def course(self, spots: Sequence[Spot], share: float) -> tuple[Spot, Spot]:
        """Return the ends of a level line across it, so far on the way from its first two corners to its
        third; ``spots`` are those.
        """
        a, b, c = spots
        return (a[0] + (c[0] - a[0]) * share, a[1] + (c[1] - a[1]) * share), (
            b[0] + (c[0] - b[0]) * share,
            b[1] + (c[1] - b[1]) * share,
        )


def faces(areas: Sequence[Area]) -> list[Face]:
    """Return the faces of the roof over some hexes, those of each hex and those between it and its
    neighbours.
    """
    known = {area.centre for area in areas}
    found = []
    for area in areas:
        centre = area.centre
        beside = around(centre)
        for i, other in enumerate(beside):
            # the corners lie clockwise from the one between north and north-east, and side i runs from corner
            # i - 1 to corner i
            a, b = area.corners[(i - 1) % 6], area.corners[i]
            if other not in known:
                found.append(Face((a, b, centre), _towards(centre, _middle(a, b))))
            elif centre < other:
                middle = _middle(centre, other)
                for corner, third in ((a, beside[(i - 1) % 6]), (b, beside[(i + 1) % 6])):
                    flat = third in known
                    found.append(
                        Face((centre, other, corner), (0.0, 0.0) if flat else _towards(middle, corner))
                    )
    return found


def ridges(areas: Sequence[Area]) -> list[tuple[Point, Point]]:
    """Return the lines along the top of a roof."""
    known = {area.centre for area in areas}
    found = []
    for area in areas:
        beside = around(area.centre)
        for i, other in enumerate(beside):
            if (
                other in known
                and area.centre < other
                and not (beside[(i - 1) % 6] in known and beside[(i + 1) % 6] in known)
            ):
                found.append((area.centre, other))
    return found


def _middle(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) // 2, (a[1] + b[1]) // 2


def _towards(a: Point, b: Point) -> tuple[float, float]:
    length = math.dist(a, b) or 1.0
    return (b[0] - a[0]) / length, (b[1] - a[1]) / length
