"""A second opinion on lines of sight: slow, plain, and written from the rules alone (S1.41b, S1.41d, S1.41e,
S1.56a).

It imports nothing of pbem. Hexes are drawn on paper, with their corners at whole numbers (a hex here is 8
wide and 4 high, which stretches the picture but bends no line), and the line is clipped against every hexagon
near it with exact fractions. All it shares with the program is the table of the map: columns from the left,
rows from the top, odd columns half a hex higher.
"""

from __future__ import annotations

from collections.abc import Container
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from msgspec import Struct

XY = tuple[int, int]
Edge = tuple[XY, XY]

NAMES = ("n", "ne", "se", "s", "sw", "nw")
CORNER_AT: dict[str, XY] = {
    "n-ne": (2, -2),
    "ne-se": (4, 0),
    "se-s": (2, 2),
    "s-sw": (-2, 2),
    "sw-nw": (-4, 0),
    "nw-n": (-2, -2),
}
MIDDLE_AT: dict[str, XY] = {
    "n": (0, -2),
    "ne": (3, -1),
    "se": (3, 1),
    "s": (0, 2),
    "sw": (-3, 1),
    "nw": (-3, -1),
}
PART_AT: dict[str, XY] = {"centre": (0, 0), **MIDDLE_AT, **CORNER_AT}
START, END = Fraction(0), Fraction(1)


class Met(Struct, frozen=True):
    """How a line meets a hex (cut, along, touch) or a hexside (cross, along, corner), and between which
    shares of its length.
    """

    kind: str
    enter: Fraction
    leave: Fraction


class SlowLine(Struct, frozen=True):
    """All hexes and hexsides on the map that a line meets; ``free`` are the hexsides in whose middle it
    starts or ends.
    """

    ends: tuple[str, str]
    hexes: dict[str, Met]
    sides: dict[str, Met]
    free: frozenset[str]
    beside: dict[str, tuple[str, ...]]


def name_of(column: int, row: int) -> str | None:
    return f"{column:02}{row:02}" if 1 <= column <= 99 and 1 <= row <= 99 else None


def centre_of(column: int, row: int) -> XY:
    return 6 * column, 4 * row + (2 if column % 2 == 0 else 0)


def point_of(hex_text: str, part: str) -> XY:
    x, y = centre_of(int(hex_text[:2]), int(hex_text[2:]))
    return x + PART_AT[part][0], y + PART_AT[part][1]


class Drawn(NamedTuple):
    """A hex on paper: its corners clockwise, and its sides, each from the corner further left (or higher)."""

    corners: tuple[XY, ...]
    edges: tuple[tuple[str, Edge], ...]


@cache
def drawn(column: int, row: int) -> Drawn:
    x, y = centre_of(column, row)
    corners = tuple((x + dx, y + dy) for dx, dy in CORNER_AT.values())
    ends = [sorted((corners[number - 1], corner)) for number, corner in enumerate(corners)]
    return Drawn(corners, tuple((side, (a, b)) for side, (a, b) in zip(NAMES, ends, strict=True)))


def cross(o: XY, a: XY, b: XY) -> int:
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def clip(p: XY, q: XY, corners: tuple[XY, ...]) -> Met | None:
    """Clip the segment against a closed polygon drawn clockwise on the screen: inside, the cross product is
    never below 0. What is left of it runs along an edge where both its ends are on the line of that.
    """
    low, high = START, END
    along = False
    for number, end in enumerate(corners):
        begin = corners[number - 1]
        at_p, at_q = cross(begin, end, p), cross(begin, end, q)
        if at_p < 0 and at_q < 0:
            return None
        along = along or at_p == at_q == 0
        if at_p < 0 or at_q < 0:
            share = Fraction(at_p, at_p - at_q)
            low, high = (max(low, share), high) if at_p < 0 else (low, min(high, share))
    if low > high:
        return None
    if low == high:
        return Met("touch", low, high)
    return Met("along" if along else "cut", low, high)


def meet_edge(p: XY, q: XY, edge: Edge) -> Met | None:
    """Cut the segment with one hexside."""
    a, b = edge
    dx, dy = q[0] - p[0], q[1] - p[1]
    side_a, side_b = cross(p, q, a), cross(p, q, b)
    if side_a == side_b == 0:
        shares = sorted(Fraction((x - p[0]) * dx + (y - p[1]) * dy, dx * dx + dy * dy) for x, y in (a, b))
        low, high = max(shares[0], START), min(shares[1], END)
        if low > high:
            return None
        return Met("along", low, high) if low < high else Met("corner", low, high)
    if side_a * side_b > 0:
        return None
    at_p, at_q = cross(a, b, p), cross(a, b, q)
    if at_p * at_q > 0:
        return None
    share = Fraction(at_p, at_p - at_q)
    return Met("corner" if 0 in (side_a, side_b) else "cross", share, share)


def slow_line(a_text: str, b_text: str, a_part: str = "centre", b_part: str = "centre") -> SlowLine:
    """Return every hex and hexside on the map that the line meets; the two ends must be different points."""
    p, q = point_of(a_text, a_part), point_of(b_text, b_part)
    columns = sorted((int(a_text[:2]), int(b_text[:2])))
    rows = sorted((int(a_text[2:]), int(b_text[2:])))
    hexes: dict[str, Met] = {}
    hexsides: dict[Edge, list[tuple[str, str]]] = {}
    # Where all six corners are on one side of the line, the middle is further from it than any corner from the middle.
    widest = max(abs((q[0] - p[0]) * y - (q[1] - p[1]) * x) for x, y in CORNER_AT.values())
    for column in range(columns[0] - 2, columns[1] + 3):
        for row in range(rows[0] - 2, rows[1] + 3):
            if abs(cross(p, q, centre_of(column, row))) > widest or (name := name_of(column, row)) is None:
                continue
            corners, edges = drawn(column, row)
            met = clip(p, q, corners)
            if met is not None:
                hexes[name] = met
            for side, edge in edges:
                hexsides.setdefault(edge, []).append((name, side))
    sides: dict[str, Met] = {}
    beside: dict[str, tuple[str, ...]] = {}
    for edge, names in hexsides.items():
        met = meet_edge(p, q, edge)
        if met is not None:
            key = next(
                (f"{name} {side}" for name, side in names if side in NAMES[:3]),
                f"{names[0][0]} {names[0][1]}",
            )
            sides[key] = met
            beside[key] = tuple(name for name, _ in names)
    middles = {point_of(text, part) for text, part in ((a_text, a_part), (b_text, b_part)) if part in NAMES}
    free = frozenset(key for key in sides if middles and point_of(key[:4], key[5:]) in middles)
    return SlowLine((a_text, b_text), hexes, sides, free, beside)


def slow_blocked(
    line: SlowLine, hexes: Container[str], sides: Container[str], mode: str, let_off_free_sides: bool = True
) -> bool:
    """Decide from the words of the reading alone whether a line is blocked."""
    for key in line.sides:
        if key in sides and not (let_off_free_sides and key in line.free):
            return True
    blocking = {name for name in line.hexes if name in hexes and name not in line.ends}
    for name in blocking:
        met = line.hexes[name]
        if met.kind == "cut":
            return True
        if mode == "either_hex_blocks" and (met.kind == "along" or 0 < met.enter < 1):
            return True
    return any(
        met.kind == "along" and len(line.beside[key]) == 2 and blocking.issuperset(line.beside[key])
        for key, met in line.sides.items()
    )
