"""Exact geometry of a table on which distances are measured: bases, walls and lines of fire in whole
hundredths of an inch.

Decides what touches, overlaps, is within reach, in an arc or in the way, with whole numbers alone: every
comparison is exact, on every machine. Does not decide what a rule makes of it. x runs to the right, y towards
the enemy (MKB1).

A **shape** is a tuple of points: one is a point, two are a line, three or more a filled polygon that does not
cross itself, in either direction. A round base is a point with a radius, a base on its way (or one of two
circles, for a rider) is a line with a radius; so one function, ``distance``, serves every pair, and radii and
tolerances are added to what its answer is compared with.

Reading of MKB1, MKB5, MKB6, MKB9 and MKB13 (2026-11-23):

1. What is stored is what counts: corners of a rotated rectangle are rounded once, when it is laid down, to
   whole hundredths. Eighths of an inch would not hold a base of 1.2 inch.
2. ``within`` includes its limit, ``closer`` does not. Bases are in contact within the sum of their radii and
   ``CONTACT``; they overlap if closer than that sum less ``TOLERANCE``. At the very limit they touch and do
   not overlap.
3. A base blocks a line that comes closer to its centre than its radius less ``TOLERANCE``. A polygon blocks a
   line that has a point inside it: to run along an edge, or to touch a corner, does not block. A line that
   blocks (a closed door) blocks where it is touched.
4. Who touches the edge of an arc is in it. A target is in an arc if any part of its base is (the asin of MKB9
   says the same).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from math import isqrt
from typing import Final, NamedTuple

__all__ = [
    "CONTACT",
    "INCH",
    "TOLERANCE",
    "TURN",
    "NotALength",
    "Point",
    "Shape",
    "Squared",
    "Vector",
    "along",
    "closer",
    "contains",
    "cuts",
    "direction",
    "distance",
    "fits",
    "free_length",
    "hundredths",
    "in_arc",
    "in_the_way",
    "inches",
    "last_free",
    "no_longer",
    "overlap",
    "quarter",
    "rectangle",
    "within",
]

INCH: Final = 100
TOLERANCE: Final = 2
"""By how much bases may be pressed into each other, or a line into a base, before that counts (MKB1)."""
CONTACT: Final = 5
"""The gap at which bases still touch (MKB1)."""
TURN: Final = 3600
"""Tenths of a degree in a full turn."""

Point = tuple[int, int]
"""x and y in hundredths of an inch."""
Vector = tuple[int, int]
"""A direction, of any length but none."""
Shape = tuple[Point, ...]

_LENGTH: Final = re.compile(r"(-?)([0-9]{1,4})(?:[.]([0-9]{1,2}))?")
_UNIT: Final = 1_000_000


class NotALength(ValueError):
    """Raised for a text that is not a number of inches with at most two decimals."""


class Squared(NamedTuple):
    """The square of a distance, exactly: ``num / den`` square hundredths, ``den`` above 0 and not reduced."""

    num: int
    den: int

    def at_most(self, reach: int) -> bool:
        """Tell whether the distance is ``reach`` or less."""
        return reach >= 0 and self.num <= reach * reach * self.den

    def below(self, reach: int) -> bool:
        """Tell whether the distance is less than ``reach``."""
        return reach > 0 and self.num < reach * reach * self.den


_NONE: Final = Squared(0, 1)


# --- lengths and ways


def hundredths(text: str) -> int:
    """Return a text such as ``24.5`` inches in hundredths; raise NotALength."""
    match = _LENGTH.fullmatch(text)
    if match is None:
        raise NotALength(f"'{text}' is not a number of inches such as 24.5")
    sign, whole, part = match.groups()
    value = int(whole) * INCH + int((part or "").ljust(2, "0"))
    return -value if sign else value


def inches(length: int) -> str:
    """Return a length as players write it: ``24.5``; reads back as the same."""
    whole, part = divmod(abs(length), INCH)
    said = f"{whole}.{part:02d}".rstrip("0").rstrip(".")
    return f"-{said}" if length < 0 else said


def along(start: Point, end: Point, length: int) -> Point:
    """Return the point so far on the way from start to end, rounded; the end where the way is shorter."""
    across = _less(end, start)
    square = _dot(across, across)
    if length * length >= square:
        return end
    return (start[0] + _rounded(length * across[0], square), start[1] + _rounded(length * across[1], square))


def no_longer(path: Sequence[Point], reach: int) -> bool:
    """Tell whether a way from point to point has at most this length, exactly (MKB5)."""
    squares = [_dot(leg, leg) for leg in (_less(b, a) for a, b in pairwise(path))]
    if all(isqrt(square) ** 2 == square for square in squares):
        return sum(map(isqrt, squares)) <= reach
    # a sum of roots of which one is not a whole number is none either (they cannot make up for each other),
    # so some precision decides
    scale = 1
    while True:
        low = sum(isqrt(square * scale * scale) for square in squares)
        if low >= reach * scale:
            return False
        if low + len(squares) <= reach * scale:
            return True
        scale <<= 16


def free_length(start: Point, end: Point, free: Callable[[Shape], bool]) -> int | None:
    """Return how many whole hundredths of a way straight on are free; None where all of it is (MKB5, MKB6).

    ``free`` is asked about the line from start to some point of the way, and must not be true of a longer one
    and false of a shorter. One hundredth more than the answer would not be free. The start is not asked
    about.
    """
    if free((start, end)):
        return None
    across = _less(end, start)
    low, high = 0, isqrt(_dot(across, across)) + 1
    while high - low > 1:
        middle = (low + high) // 2
        if free((start, along(start, end, middle))):
            low = middle
        else:
            high = middle
    return low


def last_free(start: Point, end: Point, free: Callable[[Shape], bool]) -> Point:
    """Return where a base comes to a halt that goes straight on for as long as ``free_length`` says."""
    far = free_length(start, end, free)
    return end if far is None else along(start, end, far)


# --- shapes


def rectangle(centre: Point, width: int, depth: int, facing: Vector) -> Shape:
    """Return the corners of a rectangle whose front looks along ``facing``: front left, front right, rear
    right, rear left.

    Widths and depths are whole. Corners are rounded to hundredths, opposite ones alike, so that it stays a
    parallelogram round its centre where width and depth are even. Raises ValueError for a direction or size
    of nothing.
    """
    if min(width, depth) <= 0:
        raise ValueError("a rectangle has a width and a depth")
    ux, uy = _some(facing)
    square = 4 * (ux * ux + uy * uy)
    front = (depth * ux, depth * uy)
    left = (-width * uy, width * ux)
    corners = ((1, 1), (1, -1), (-1, -1), (-1, 1))
    return tuple(
        (
            centre[0] + _rounded(f * front[0] + s * left[0], square),
            centre[1] + _rounded(f * front[1] + s * left[1], square),
        )
        for f, s in corners
    )


def distance(one: Shape, other: Shape) -> Squared:
    """Return how far two shapes are apart, squared; nothing where they touch, cross, or lie in each other."""
    if len(one) == 1 and len(other) < 3:
        return _from(one[0], other[0], other[-1])
    if len(other) == 1 and len(one) < 3:
        return _from(other[0], one[0], one[-1])
    if any(contains(one, point) for point in other[:1]) or any(contains(other, point) for point in one[:1]):
        return _NONE
    way = _less(one[0], other[0])
    best = Squared(_dot(way, way), 1)
    for a in _edges(one):
        for b in _edges(other):
            found = _between(a, b)
            if not found.num:
                return _NONE
            if found.num * best.den < best.num * found.den:
                best = found
    return best


def within(one: Shape, other: Shape, reach: int) -> bool:
    """Tell whether two shapes are at most so far apart: ranges, contact (MKB6, MKB12)."""
    return distance(one, other).at_most(reach)


def closer(one: Shape, other: Shape, reach: int) -> bool:
    """Tell whether two shapes are less than so far apart: what may not overlap (MKB5), what is in the way
    (MKB13).
    """
    return distance(one, other).below(reach)


def contains(shape: Shape, point: Point, *, edge: bool = True) -> bool:
    """Tell whether a point lies in a polygon; on its edge as ``edge`` says.

    Of points and lines everything is edge.
    """
    if any(_on(point, a, b) for a, b in _edges(shape)):
        return edge
    inside = False
    for (ax, ay), (bx, by) in _edges(shape) if len(shape) > 2 else ():
        if (ay > point[1]) != (by > point[1]):
            side = (bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax)
            inside ^= (side > 0) == (by > ay)
    return inside


def fits(centre: Point, radius: int, polygon: Shape) -> bool:
    """Tell whether a base lies in a polygon as a whole; it may touch the edge from within (MK5.1)."""
    return contains(polygon, centre) and not any(
        _from(centre, a, b).below(radius) for a, b in _edges(polygon)
    )


def overlap(one: Shape, other: Shape) -> bool:
    """Tell whether two convex polygons have more in common than their edges (MK7.7: sections may touch each
    other).
    """
    return not any(_parted(one, other, edge) for polygon in (one, other) for edge in _edges(polygon))


# --- lines of fire


def cuts(line: Shape, polygon: Shape) -> bool:
    """Tell whether a line has a point inside a polygon: along its edge or by its corner it
    has none (MKB13).
    """
    start, end = line
    across = _less(end, start)
    marks = [(0, 1), (1, 1)]
    for a, b in _edges(polygon):
        edge = _less(b, a)
        slope = _cross(across, edge)
        if slope:
            marks.append(_share(_cross(_less(a, start), edge), slope))
    shares = sorted({(num, den) for num, den in marks if 0 <= num <= den}, key=_Share)
    # an edge that the line runs along needs no mark: its neighbours have one at either end; between two marks
    # the line is either
    # inside or not: their middle tells
    for (m, n), (p, q) in pairwise(shares):
        share, scale = m * q + p * n, 2 * n * q
        middle = (start[0] * scale + share * across[0], start[1] * scale + share * across[1])
        if contains(tuple((x * scale, y * scale) for x, y in polygon), middle, edge=False):
            return True
    return False


def in_the_way(line: Shape, shapes: Iterable[tuple[Shape, int]]) -> Iterator[int]:
    """Yield the places, in their list, of what blocks a line: a base (point or line, radius), a wall
    (polygon, 0), a door (line, 0).
    """
    for place, (shape, radius) in enumerate(shapes):
        if radius:
            if closer(line, shape, radius - TOLERANCE):
                yield place
        elif cuts(line, shape) if len(shape) > 2 else within(line, shape, 0):
            yield place


# --- arcs


def direction(tenths: int) -> Vector:
    """Return the vector of an angle in tenths of a degree, clockwise from y, to the millionth: this is what
    the angle means (MKB1).
    """
    return _direction(tenths % TURN)


@cache
def _direction(tenths: int) -> Vector:
    quarters, rest = divmod(tenths, TURN // 4)
    x, y = _table()[rest]
    for _ in range(quarters):
        x, y = y, -x
    return (x, y)


def quarter(facing: Vector) -> tuple[Vector, Vector]:
    """Return the edges, left and right, of the arc of 90 degrees round a facing, exactly (MKB9)."""
    x, y = _some(facing)
    return (x - y, x + y), (x + y, y - x)


def in_arc(apex: Point, edges: tuple[Vector, Vector], target: Point, radius: int = 0) -> bool:
    """Tell whether a base, or a point, is at least in part in the arc clockwise from the left edge to the
    right one (MKB9).

    The arc is narrower than half a turn; ValueError for one that is not. For a wider one ask about its
    halves.
    """
    left, right = _some(edges[0]), _some(edges[1])
    if _cross(right, left) <= 0:
        raise ValueError("an arc is narrower than half a turn, and its left edge comes first")
    way = _less(target, apex)
    if _cross(right, way) >= 0 and _cross(way, left) >= 0:
        return True
    return any(_from_ray(way, edge).at_most(radius) for edge in (left, right))


# --- what these are made of


def _less(a: Point, b: Point) -> Vector:
    return (a[0] - b[0], a[1] - b[1])


def _dot(a: Vector, b: Vector) -> int:
    return a[0] * b[0] + a[1] * b[1]


def _cross(a: Vector, b: Vector) -> int:
    """Return the cross product: above 0 where b lies to the left of a."""
    return a[0] * b[1] - a[1] * b[0]


def _some(vector: Vector) -> Vector:
    if vector == (0, 0):
        raise ValueError("a direction of no length")
    return vector


def _rounded(num: int, square: int) -> int:
    """Return num / sqrt(square), rounded to the nearest whole number, halves away from 0."""
    size = (isqrt(4 * num * num // square) + 1) // 2
    return size if num > 0 else -size


def _edges(shape: Shape) -> Iterator[tuple[Point, Point]]:
    """Yield the edges of a shape; of a point the line from it to itself."""
    if len(shape) > 2:
        yield from pairwise((*shape, shape[0]))
    else:
        yield (shape[0], shape[-1])


def _on(point: Point, a: Point, b: Point) -> bool:
    """Tell whether a point lies on the line from a to b."""
    way = _less(point, a)
    return _cross(way, _less(b, a)) == 0 and _dot(way, _less(point, b)) <= 0


def _from(point: Point, a: Point, b: Point) -> Squared:
    """Return how far a point is from the line between a and b."""
    way, edge = _less(point, a), _less(b, a)
    share = _dot(way, edge)
    if share <= 0:
        return Squared(_dot(way, way), 1)
    square = _dot(edge, edge)
    if share >= square:
        rest = _less(point, b)
        return Squared(_dot(rest, rest), 1)
    return Squared(_cross(way, edge) ** 2, square)


def _from_ray(way: Vector, edge: Vector) -> Squared:
    """Return how far the end of a way is from a line without end that begins where the way does."""
    if _dot(way, edge) <= 0:
        return Squared(_dot(way, way), 1)
    return Squared(_cross(way, edge) ** 2, _dot(edge, edge))


def _between(one: tuple[Point, Point], other: tuple[Point, Point]) -> Squared:
    """Return how far two lines are apart."""
    (a, b), (c, d) = one, other
    first, second = _less(b, a), _less(d, c)
    sides = (
        _cross(first, _less(c, a)),
        _cross(first, _less(d, a)),
        _cross(second, _less(a, c)),
        _cross(second, _less(b, c)),
    )
    if _apart(sides[0], sides[1]) and _apart(sides[2], sides[3]):
        return _NONE
    best = _from(a, c, d)
    for found in (_from(b, c, d), _from(c, a, b), _from(d, a, b)):
        if found.num * best.den < best.num * found.den:
            best = found
    return best


def _apart(one: int, other: int) -> bool:
    """Tell whether two points lie on two sides of a line, neither on it: there the lines cross; the distances
    of ends tell the rest.
    """
    return (one > 0 > other) or (one < 0 < other)


def _parted(one: Shape, other: Shape, edge: tuple[Point, Point]) -> bool:
    """Tell whether a line along an edge parts two shapes, which may both touch it."""
    a, along_ = edge[0], _less(edge[1], edge[0])
    ours = [_cross(along_, _less(point, a)) for point in one]
    theirs = [_cross(along_, _less(point, a)) for point in other]
    return max(ours) <= min(theirs) or max(theirs) <= min(ours)


def _share(num: int, den: int) -> tuple[int, int]:
    return (num, den) if den > 0 else (-num, -den)


class _Share:
    """A share of a way, num / den, in order."""

    __slots__ = ("den", "num")

    def __init__(self, share: tuple[int, int]) -> None:
        self.num, self.den = share

    def __lt__(self, other: _Share) -> bool:
        return self.num * other.den < other.num * self.den


@cache
def _table() -> tuple[Vector, ...]:
    """Return the vectors of the first 90 degrees, tenth by tenth, reckoned with whole
    numbers of 40 digits.
    """
    scale = 10**40
    step = _pi(scale) // (TURN // 2)
    sine, cosine = _series(step, step, 2, scale), _series(scale, step, 1, scale)
    x, y = 0, scale
    found = []
    for _ in range(TURN // 4):
        found.append(((x * _UNIT + scale // 2) // scale, (y * _UNIT + scale // 2) // scale))
        x, y = (x * cosine + y * sine) // scale, (y * cosine - x * sine) // scale
    return tuple(found)


def _series(term: int, angle: int, place: int, scale: int) -> int:
    """Return the sum of a series of sine (place 2) or cosine (place 1) from its first term on."""
    total = 0
    while term:
        total += term
        term = -(term * angle // scale * angle // scale) // (place * (place + 1))
        place += 2
    return total


def _pi(scale: int) -> int:
    """Return pi (Machin)."""
    return 4 * (4 * _arc_cotangent(5, scale) - _arc_cotangent(239, scale))


def _arc_cotangent(of: int, scale: int) -> int:
    total = power = scale // of
    place, sign = 3, -1
    while power:
        power //= of * of
        total += sign * (power // place)
        place, sign = place + 2, -sign
    return total
