"""What pieces of building enclose, and what of a line lies on them, with whole numbers alone.

A **body** is a convex shape with a radius: a polygon with none, or a point with that of a round tower. Bodies
adjoin that are at most so far apart as whoever asks says.

Reading of MK7.7, MK9.6 and MK16.3 (2026-11-23):

1. A ring is a closed chain of bodies of which each adjoins the next. It is drawn from middle to middle over
the
   places where they meet; what lies inside any ring, and on no body, is enclosed.
2. Shares of a line are counted in ``STEPS``. A piece of it shorter than ``SLACK`` of them, far less than any
   table can show, is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from math import isqrt
from typing import Final

from pbem.geometry.plane import Point, Shape, along, contains, distance

__all__ = [
    "SLACK",
    "STEPS",
    "Body",
    "adjoin",
    "apart",
    "enclosed",
    "gaps",
    "nearest",
    "rings",
    "span",
    "square",
]

Body = tuple[Shape, int]
STEPS: Final = 1 << 40
SLACK: Final = 1 << 10


def middle(body: Body) -> Point:
    """Return a point well inside a body."""
    shape = body[0]
    return sum(x for x, _ in shape) // len(shape), sum(y for _, y in shape) // len(shape)


def adjoin(one: Body, other: Body, reach: int) -> bool:
    """Tell whether two bodies are at most so far apart (MK9.6)."""
    return distance(one[0], other[0]).at_most(one[1] + other[1] + reach)


def rings(bodies: Sequence[Body], reach: int) -> tuple[Shape, ...]:
    """Return rings of bodies that adjoin one another: so many that they tell all that any ring encloses."""
    links = [(a, b) for a, b in combinations(range(len(bodies)), 2) if adjoin(bodies[a], bodies[b], reach)]
    above: dict[int, int] = {}
    chords: list[tuple[int, int]] = []
    seen: set[int] = set()
    used: set[tuple[int, int]] = set()
    for root in range(len(bodies)):
        if root in seen:
            continue
        seen.add(root)
        waiting = [root]
        while waiting:
            here = waiting.pop(0)
            for pair in links:
                if here not in pair or pair in used:
                    continue
                used.add(pair)
                there = pair[0] if pair[1] == here else pair[1]
                if there in seen:
                    chords.append(pair)
                else:
                    seen.add(there)
                    above[there] = here
                    waiting.append(there)
    return tuple(_ring(bodies, above, *chord) for chord in chords)


def _ring(bodies: Sequence[Body], above: dict[int, int], one: int, other: int) -> Shape:
    """Return the ring that a link closes: up from either end to where both ways meet."""
    first, second = list(_up(above, one)), list(_up(above, other))
    meet = next(n for n in first if n in second)
    chain = [*first[: first.index(meet) + 1], *reversed(second[: second.index(meet)])]
    corners: list[Point] = []
    for a, b in pairwise((*chain, chain[0])):
        corners += [middle(bodies[a]), _joint(bodies[a], bodies[b])]
    return tuple(corners)


def _up(above: dict[int, int], here: int) -> Iterator[int]:
    yield here
    while here in above:
        here = above[here]
        yield here


def _joint(one: Body, other: Body) -> Point:
    """Return a point where two bodies that adjoin meet, rounded."""
    points = [(nearest(other[0], corner), corner) for corner in one[0]]
    points += [(nearest(one[0], corner), corner) for corner in other[0]]
    near, corner = min(points, key=lambda pair: square(*pair))
    if one[1] and len(one[0]) == 1:
        return along(one[0][0], near if corner == one[0][0] else corner, one[1])
    if other[1] and len(other[0]) == 1:
        return along(other[0][0], near if corner == other[0][0] else corner, other[1])
    return near


def square(a: Point, b: Point) -> int:
    """Return the square of how far two points are apart."""
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def apart(one: Shape, other: Shape) -> int:
    """Return how many hundredths two shapes are apart, rounded up."""
    far = distance(one, other)
    found = isqrt(far.num // far.den)
    return found if far.at_most(found) else found + 1


def nearest(shape: Shape, point: Point) -> Point:
    """Return the point of the edge of a shape that is nearest to another, rounded down."""
    found = [_on_edge(a, b, point) for a, b in pairwise((*shape, shape[0]))]
    return min(found, key=lambda near: square(near, point))


def _on_edge(a: Point, b: Point, point: Point) -> Point:
    way, edge = (point[0] - a[0], point[1] - a[1]), (b[0] - a[0], b[1] - a[1])
    square = edge[0] * edge[0] + edge[1] * edge[1]
    share = min(max(way[0] * edge[0] + way[1] * edge[1], 0), square)
    return a if not square else (a[0] + edge[0] * share // square, a[1] + edge[1] * share // square)


def enclosed(ringed: Sequence[Shape], point: Point, scale: int = 1) -> bool:
    """Tell whether a point that is on no body lies inside a ring (MK7.7); the point may be given ``scale``
    times as far out.
    """
    return any(contains(tuple((x * scale, y * scale) for x, y in ring), point) for ring in ringed)


def span(line: Shape, body: Body) -> tuple[int, int] | None:
    """Return from where to where a line lies on a body, in ``STEPS``; None where it does not."""
    (sx, sy), (ex, ey) = line
    dx, dy = ex - sx, ey - sy
    shape, radius = body
    if len(shape) == 1:
        return _in_circle((sx - shape[0][0], sy - shape[0][1]), (dx, dy), radius)
    turn = sum(a[0] * b[1] - a[1] * b[0] for a, b in pairwise((*shape, shape[0])))
    low, high = 0, STEPS
    for a, b in pairwise((*shape, shape[0])):
        if turn < 0:
            a, b = b, a
        wx, wy = b[0] - a[0], b[1] - a[1]
        here = wx * (sy - a[1]) - wy * (sx - a[0])
        slope = wx * dy - wy * dx
        if slope > 0:
            low = max(low, -here * STEPS // slope)
        elif slope < 0:
            high = min(high, here * STEPS // -slope)
        elif here < 0:
            return None
    return (low, high) if low <= high else None


def _in_circle(way: Point, step: Point, radius: int) -> tuple[int, int] | None:
    a = step[0] ** 2 + step[1] ** 2
    b = way[0] * step[0] + way[1] * step[1]
    c = way[0] ** 2 + way[1] ** 2 - radius * radius
    if not a:
        return (0, STEPS) if c <= 0 else None
    square = b * b - a * c
    if square < 0:
        return None
    root = isqrt(square * STEPS * STEPS)
    low, high = (-b * STEPS - root) // a, (-b * STEPS + root) // a
    low, high = max(low, 0), min(high, STEPS)
    return (low, high) if low <= high else None


def gaps(line: Shape, bodies: Sequence[Body]) -> Iterator[tuple[int, int, int, int]]:
    """Yield the pieces of a line that lie on no body, in ``STEPS``, each with the places of the bodies before
    and after it (-1: none).
    """
    found = sorted((*where, n) for n, body in enumerate(bodies) if (where := span(line, body)) is not None)
    end, before = 0, -1
    for low, high, n in found:
        if low - end > SLACK:
            yield end, low, before, n
        if high > end or before < 0:
            end, before = max(high, end), n
    if STEPS - end > SLACK:
        yield end, STEPS, before, -1
