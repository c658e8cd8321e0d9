"""Castle sections worked out a second time from the rule text, slowly and with fractions: footprints,
contact, where a move ends, what blocks a line, how far a target is. Nothing here knows ``geometry`` or the
ruleset's own space.

Bases, towers and discs are circles; everything else has its sides along the edges of the table, so that its
corners are whole hundredths, as is every point: only what lies between two of them is a fraction.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise

Point = tuple[int, int]
Line = tuple[Point, Point]
Circle = tuple[Point, int]
Box = tuple[int, int, int, int]
"""Left, low, right, high."""
SIZES = {"citadel": (600, 600), "wall": (600, 200), "wall_with_passage": (600, 200), "gatehouse": (600, 400)}
PASSAGE = 200
TOWER = 200


def point(x: int, y: int) -> Point:
    return x, y


def box(kind: str, x: int, y: int, facing: int) -> Box:
    """Return the footprint of an oblong section (MKB1)."""
    wide, deep = SIZES[kind] if facing % 180 == 0 else SIZES[kind][::-1]
    return x - wide // 2, y - deep // 2, x + wide // 2, y + deep // 2


def blocks(kind: str, x: int, y: int, facing: int) -> Iterator[Box]:
    """Yield what of a section nobody on the ground gets into: beside a passage two blocks (MK5.2, MK18.5)."""
    left, low, right, high = box(kind, x, y, facing)
    if kind not in ("gatehouse", "wall_with_passage"):
        yield left, low, right, high
    elif facing % 180 == 0:
        yield left, low, x - PASSAGE // 2, high
        yield x + PASSAGE // 2, low, right, high
    else:
        yield left, low, right, y - PASSAGE // 2
        yield left, y + PASSAGE // 2, right, high


def door(kind: str, x: int, y: int, facing: int, rear: bool) -> Line:
    """Return the line of a portal across a passage, in the front or the rear edge."""
    left, low, right, high = box(kind, x, y, facing)
    half = PASSAGE // 2
    turned = (facing + (180 if rear else 0)) % 360
    if turned in (0, 180):
        edge = high if turned == 0 else low
        return point(x - half, edge), point(x + half, edge)
    edge = right if turned == 90 else left
    return point(edge, y - half), point(edge, y + half)


# --- distances


def square(a: Point, b: Point) -> int:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def to_line(at: Point, line: Line) -> Fraction | int:
    """Return the square of the distance of a point from a line: at the foot of the perpendicular, or an
    end.
    """
    (ax, ay), (bx, by) = line
    long = square(*line)
    share = (at[0] - ax) * (bx - ax) + (at[1] - ay) * (by - ay)  # of ``long``
    if share <= 0:
        return square(at, line[0])
    if share >= long:
        return square(at, line[1])
    return square(at, line[0]) - Fraction(share * share, long)


def meet(one: Line, other: Line) -> bool:
    """Tell whether two lines that are not parallel have a point in common."""
    (ax, ay), (bx, by) = one
    (cx, cy), (dx, dy) = other
    den = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
    if not den:
        return False
    s = (cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)  # these two of ``den``
    t = (cx - ax) * (by - ay) - (cy - ay) * (bx - ax)
    return min(0, den) <= s <= max(0, den) and min(0, den) <= t <= max(0, den)


def between(one: Line, other: Line) -> Fraction | int:
    """Return the square of the distance of two lines."""
    if meet(one, other):
        return 0
    ends = [to_line(end, other) for end in one] + [to_line(end, one) for end in other]
    return min(ends)


def sides(of: Box) -> Iterator[Line]:
    left, low, right, high = of
    corners = [point(left, low), point(right, low), point(right, high), point(left, high)]
    yield from pairwise([*corners, corners[0]])


def within_box(at: Point, of: Box) -> bool:
    left, low, right, high = of
    return left <= at[0] <= right and low <= at[1] <= high


def to_box(line: Line, of: Box) -> Fraction | int:
    """Return the square of the distance of a line from a box."""
    if within_box(line[0], of) or within_box(line[1], of):
        return 0
    return min(between(line, side) for side in sides(of))


# --- the rules


def touch(one: Circle, other: Circle) -> bool:
    """Base contact (MKB6)."""
    return square(one[0], other[0]) <= (one[1] + other[1] + 5) ** 2


def overlaps(way: Line, size: int, what: Circle | Box | Line) -> bool:
    """Tell whether a base on a straight way overlaps something, by more than the tolerance (MKB1, MKB5)."""
    if len(what) == 4:
        return to_box(way, what) < (size - 2) ** 2
    first, second = what
    if isinstance(second, int):
        return to_line(first, way) < (size + second - 2) ** 2  # type: ignore[arg-type]
    return between(way, (first, second)) < (size - 2) ** 2  # type: ignore[arg-type]


def through(line: Line, of: Box) -> bool:
    """Tell whether a line has a point inside a box: some share of it lies inside all four sides at once."""
    low, high = Fraction(0), Fraction(1)
    for axis in (0, 1):
        start, way = line[0][axis], line[1][axis] - line[0][axis]
        least, most = of[axis], of[axis + 2]
        if not way:
            if not least < start < most:
                return False
            continue
        shares = sorted((Fraction(least - start, way), Fraction(most - start, way)))
        low, high = max(low, shares[0]), min(high, shares[1])
    return low < high


def length(path: list[tuple[int, int]]) -> Decimal:
    """Return how long a way is, to sixty digits."""
    with localcontext() as context:
        context.prec = 60
        legs = (Decimal((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2).sqrt() for a, b in pairwise(path))
        return sum(legs, Decimal(0))


def on_the_way(start: tuple[int, int], goal: tuple[int, int], far: int) -> tuple[int, int]:
    """Return the place so far on a way, each number to the nearest whole hundredth; the goal beyond it."""
    whole = length([start, goal])
    if far >= whole:
        return goal
    share = far / whole
    return round(start[0] + share * (goal[0] - start[0])), round(start[1] + share * (goal[1] - start[1]))


# --- arcs, rows of walls


def rotated(at: tuple[int, int], quarters: int) -> tuple[int, int]:
    """Return a point turned clockwise round the origin by so many right angles."""
    x, y = at
    for _ in range(quarters % 4):
        x, y = y, -x
    return x, y


def across(at: tuple[int, int], quarters: int, half: int) -> Line:
    """Return the line through a point beside (20, 20) and along the edge there, before both are turned."""
    ends = (rotated((at[0] - half, at[1]), quarters), rotated((at[0] + half, at[1]), quarters))
    (ax, ay), (bx, by) = ends
    return point(2000 + ax, 2000 + ay), point(2000 + bx, 2000 + by)


def in_quarter(apex: Point, way: tuple[int, ...], at: Point, size: int) -> bool:
    """Tell whether any part of a base is in the arc of 90 degrees round a way (MKB9): its middle, or an edge is
    as near as the base is wide.
    """
    x, y = at[0] - apex[0], at[1] - apex[1]
    ahead, aside = x * way[0] + y * way[1], x * way[1] - y * way[0]
    if ahead >= abs(aside):
        return True
    for edge in ((way[0] - way[1], way[0] + way[1]), (way[0] + way[1], way[1] - way[0])):
        far = Fraction(x * edge[0] + y * edge[1], edge[0] ** 2 + edge[1] ** 2)
        far = max(far, Fraction(0))
        if (x - far * edge[0]) ** 2 + (y - far * edge[1]) ** 2 <= size * size:
            return True
    return False


def along_walls(
    lefts: list[int], wide: int, gaps: list[int], planks: list[bool], start: int, goal: int, size: int
) -> int:
    """Return how far east somebody gets from the first of a row of walls: over gaps of a tenth of an inch and
    planks, to the last place at which his base lies on a wall as a whole (MK5.1, MK8.2, MK9.6).
    """
    best = start
    for n, left in enumerate(lefts):
        if n and gaps[n - 1] > 10 and not planks[n - 1]:
            break
        if goal >= left + size:
            best = max(best, min(goal, left + wide - size))
    return best
