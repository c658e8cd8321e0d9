"""Bases, walls and lines of fire on a table, against a second working-out with fractions, and at every edge
that a rule names.
"""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from pbem.geometry import plane
from pbem.geometry.plane import (
    CONTACT,
    INCH,
    TOLERANCE,
    NotALength,
    Point,
    Shape,
    along,
    closer,
    contains,
    cuts,
    direction,
    distance,
    fits,
    hundredths,
    in_arc,
    in_the_way,
    inches,
    last_free,
    no_longer,
    overlap,
    quarter,
    rectangle,
    within,
)

FEW = st.integers(-6, 6)
"""So few that points meet, lie in a row and touch edges in every other example."""
MANY = st.integers(-4800, 4800)
"""A table of four feet."""
FEW_POINTS = st.tuples(FEW, FEW)
POINTS = st.one_of(FEW_POINTS, st.tuples(MANY, MANY))
LINES = st.one_of(st.tuples(FEW_POINTS, FEW_POINTS), st.tuples(POINTS, POINTS))
VECTORS = st.tuples(st.integers(-20, 20), st.integers(-20, 20)).filter(any)


@st.composite
def convex(draw: st.DrawFn) -> Shape:
    """Draw a triangle or a parallelogram, either way round."""
    a, b, c = draw(st.one_of(*(st.tuples(points, points, points) for points in (FEW_POINTS, POINTS))))
    assume((b[0] - a[0]) * (c[1] - a[1]) != (b[1] - a[1]) * (c[0] - a[0]))
    return draw(st.sampled_from([(a, b, c), (a, b, (b[0] + c[0] - a[0], b[1] + c[1] - a[1]), c)]))


SHAPES = st.one_of(POINTS.map(lambda point: (point,)), LINES, convex())


# --- the second working-out


Exact = tuple[Fraction, Fraction]


def exact(point: Point) -> Exact:
    return Fraction(point[0]), Fraction(point[1])


def edges(shape: Shape) -> list[tuple[Point, Point]]:
    return list(pairwise((*shape, shape[0]))) if len(shape) > 2 else [(shape[0], shape[-1])]


def inner(shape: Shape, point: Exact) -> int:
    """Return 1 for inside a convex polygon, 0 for its edge, -1 for outside."""
    signs = set()
    for a, b in edges(shape):
        turn = (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])
        signs.add((turn > 0) - (turn < 0))
    if signs >= {1, -1}:
        return -1
    return 0 if 0 in signs else 1


def square_between(one: tuple[Point, Point], other: tuple[Point, Point]) -> Fraction:
    """Return the least square distance of two lines: of all their shares, where its slope is nothing or a
    share is at its end.
    """
    (ax, ay), (bx, by) = map(exact, one)
    (cx, cy), (dx, dy) = map(exact, other)
    ux, uy, vx, vy = bx - ax, by - ay, dx - cx, dy - cy
    uu, vv, uv = ux * ux + uy * uy, vx * vx + vy * vy, ux * vx + uy * vy
    wu, wv = (ax - cx) * ux + (ay - cy) * uy, (ax - cx) * vx + (ay - cy) * vy
    tries: list[Exact] = []
    if uu * vv != uv * uv:
        tries.append(((uv * wv - vv * wu) / (uu * vv - uv * uv), (uu * wv - uv * wu) / (uu * vv - uv * uv)))
    for share in (Fraction(0), Fraction(1)):
        tries.append(
            (share, min(max((wv + share * uv) / vv, Fraction(0)), Fraction(1)) if vv else Fraction(0))
        )
        tries.append(
            (min(max((share * uv - wu) / uu, Fraction(0)), Fraction(1)) if uu else Fraction(0), share)
        )
    squares = [
        (ax + s * ux - cx - t * vx) ** 2 + (ay + s * uy - cy - t * vy) ** 2
        for s, t in tries
        if 0 <= s <= 1 and 0 <= t <= 1
    ]
    return min(squares)


def square(one: Shape, other: Shape) -> Fraction:
    if len(one) > 2 and inner(one, exact(other[0])) >= 0:
        return Fraction(0)
    if len(other) > 2 and inner(other, exact(one[0])) >= 0:
        return Fraction(0)
    return min(square_between(a, b) for a in edges(one) for b in edges(other))


def common(one: Shape, other: Shape) -> Fraction:
    """Return twice the area that two convex polygons have in common: the one, clipped by each edge of the
    other.
    """
    left = [exact(point) for point in one]
    turn = sum(a[0] * b[1] - a[1] * b[0] for a, b in edges(other))
    for a, b in edges(other):
        sides = [
            ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) * (1 if turn > 0 else -1)
            for x, y in left
        ]
        cut = []
        for (p, here), (q, there) in pairwise(
            [*zip(left, sides, strict=True), *list(zip(left, sides, strict=True))[:1]]
        ):
            if here >= 0:
                cut.append(p)
            if (here > 0 > there) or (here < 0 < there):
                share = Fraction(here) / (here - there)
                cut.append((p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1])))
        left = cut
    return abs(sum((a[0] * b[1] - a[1] * b[0] for a, b in pairwise([*left, *left[:1]])), Fraction(0)))


# --- distances


@given(SHAPES, SHAPES)
@example(((0, 0), (4, 0)), ((2, 0), (6, 0)))
@example(((0, 0), (0, 0)), ((0, 0),))
@example(((0, 0), (4, 0)), ((4, 0), (4, 3)))
@example(((0, 0), (9, 0), (0, 9)), ((1, 1), (2, 1), (1, 2)))
def test_distances_are_those_of_a_second_working_out(one: Shape, other: Shape) -> None:
    found = distance(one, other)
    assert Fraction(found.num, found.den) == square(one, other)


@given(SHAPES, SHAPES, POINTS)
def test_a_distance_knows_no_order_no_place_and_no_quarter_turn(one: Shape, other: Shape, by: Point) -> None:
    found = Fraction(*distance(one, other))
    assert Fraction(*distance(other, one)) == found
    assert Fraction(*distance(one[::-1], other)) == found
    moved = [tuple((x + by[0], y + by[1]) for x, y in shape) for shape in (one, other)]
    assert Fraction(*distance(*moved)) == found
    turned = [tuple((y, -x) for x, y in shape) for shape in (one, other)]
    assert Fraction(*distance(*turned)) == found


@given(SHAPES, SHAPES, st.integers(-3, 9000))
def test_a_reach_includes_its_limit_and_closer_does_not(one: Shape, other: Shape, reach: int) -> None:
    exactly = square(one, other)
    assert within(one, other, reach) == (reach >= 0 and exactly <= reach**2)
    assert closer(one, other, reach) == (reach > 0 and exactly < reach**2)


# --- bases in contact (MKB1, MKB5, MKB6)


@pytest.mark.parametrize(
    ("x", "touch", "overlaps"),
    [
        (1120, True, False),
        (1125, True, False),
        (1126, False, False),
        (1118, True, False),
        (1117, True, True),
        (1000, True, True),
    ],
)
def test_two_bases_touch_and_overlap_as_the_rule_says(x: int, touch: bool, overlaps: bool) -> None:
    one, other = ((1000, 1000),), ((x, 1000),)
    assert within(one, other, 60 + 60 + CONTACT) is touch
    assert closer(one, other, 60 + 60 - TOLERANCE) is overlaps


def test_a_base_that_passes_another_at_the_width_of_both_does_not_run_into_it() -> None:
    way, other = ((0, 0), (800, 0)), (400, 120)
    assert not closer(way, (other,), 120)
    assert closer(way, ((400, 119),), 120)


def test_a_rider_is_a_line_with_a_radius() -> None:
    rider = ((0, 0), (120, 0))
    assert within(rider, ((120, 125),), 120 + CONTACT)
    assert not within(rider, ((121, 125),), 120 + CONTACT)


def test_a_move_ends_at_the_last_point_that_is_free() -> None:
    def free(way: Shape) -> bool:
        return not closer(way, ((600, 0),), 120 - TOLERANCE)

    assert last_free((0, 0), (800, 0), free) == (482, 0)
    assert last_free((0, 0), (400, 0), free) == (400, 0)
    assert last_free((0, 0), (800, 0), lambda way: False) == (0, 0)
    assert last_free((5, 5), (5, 5), lambda way: False) == (5, 5)


@given(POINTS, POINTS, POINTS, st.integers(1, 200))
def test_where_a_move_ends_is_free_and_a_hundredth_further_is_not(
    start: Point, end: Point, other: Point, radius: int
) -> None:
    def free(way: Shape) -> bool:
        return not closer(way, (other,), radius)

    assume(free((start, start)))
    halt = last_free(start, end, free)
    assert free((start, halt))
    if halt != end:
        so_far = next(n for n in range(14_000) if along(start, end, n) == halt)
        beyond = next(along(start, end, n) for n in range(so_far, 14_000) if along(start, end, n) != halt)
        assert not free((start, beyond))


# --- polygons


@given(convex(), POINTS)
def test_what_lies_in_a_polygon(polygon: Shape, point: Point) -> None:
    where = inner(polygon, exact(point))
    assert contains(polygon, point) is (where >= 0)
    assert contains(polygon, point, edge=False) is (where > 0)


COURT = ((0, 0), (9, 0), (9, 9), (6, 9), (6, 3), (3, 3), (3, 9), (0, 9))
"""Two towers and a wall between them."""
PARTS = (((0, 0), (9, 0), (9, 3), (0, 3)), ((0, 0), (3, 0), (3, 9), (0, 9)), ((6, 0), (9, 0), (9, 9), (6, 9)))


@given(st.tuples(st.integers(-2, 11), st.integers(-2, 11)))
def test_what_lies_in_a_court(point: Point) -> None:
    assert contains(COURT, point) is any(inner(part, exact(point)) >= 0 for part in PARTS)
    assert contains(COURT[::-1], point, edge=False) is contains(COURT, point, edge=False)


@given(convex(), convex())
@example(((0, 0), (4, 0), (4, 4), (0, 4)), ((4, 0), (8, 0), (8, 4), (4, 4)))
@example(((0, 0), (4, 0), (4, 4), (0, 4)), ((0, 0), (4, 0), (4, 4), (0, 4)))
@example(((0, 0), (4, 0), (4, 4), (0, 4)), ((1, 1), (2, 1), (2, 2), (1, 2)))
def test_polygons_overlap_where_they_have_an_area_in_common(one: Shape, other: Shape) -> None:
    assert overlap(one, other) is (common(one, other) > 0)


@given(convex(), POINTS, st.integers(0, 300))
def test_a_base_fits_where_no_edge_is_nearer_than_its_radius(
    polygon: Shape, centre: Point, radius: int
) -> None:
    nearest = min(square_between(edge, (centre, centre)) for edge in edges(polygon))
    assert fits(centre, radius, polygon) is (inner(polygon, exact(centre)) >= 0 and nearest >= radius**2)


def test_a_base_on_a_wall_may_touch_its_edge() -> None:
    wall = rectangle((1000, 1000), 600, 200, (0, 1))
    assert fits((1000, 1040), 60, wall)
    assert not fits((1000, 1041), 60, wall)


@given(POINTS, st.integers(1, 400), st.integers(1, 400), VECTORS)
def test_a_rectangle_lies_round_its_centre_and_is_as_large_as_it_should_be(
    centre: Point, half: int, deep: int, facing: Point
) -> None:
    corners = rectangle(centre, 2 * half, 2 * deep, facing)
    for corner, opposite in zip(corners[:2], corners[2:], strict=True):
        assert (corner[0] + opposite[0], corner[1] + opposite[1]) == (2 * centre[0], 2 * centre[1])
    for (a, b), wanted in zip(edges(corners), (2 * half, 2 * deep, 2 * half, 2 * deep), strict=True):
        assert abs(math.dist(a, b) - wanted) <= math.sqrt(2) + 1e-9
    front = ((corners[0][0] + corners[1][0]) / 2 - centre[0], (corners[0][1] + corners[1][1]) / 2 - centre[1])
    length = math.hypot(*facing)
    assert math.dist(front, (deep * facing[0] / length, deep * facing[1] / length)) <= math.sqrt(0.5) + 1e-9


def test_the_corners_of_a_rectangle_go_round_from_the_front_left() -> None:
    assert rectangle((0, 0), 600, 200, (0, 1)) == ((-300, 100), (300, 100), (300, -100), (-300, -100))
    assert rectangle((0, 0), 600, 200, (5, 0)) == ((100, 300), (100, -300), (-100, -300), (-100, 300))
    assert rectangle((0, 0), 3, 3, (0, 1)) == ((-2, 2), (2, 2), (2, -2), (-2, -2))
    for wrong in ((0, 2, (0, 1)), (2, -1, (0, 1)), (2, 2, (0, 0))):
        with pytest.raises(ValueError, match=r"rectangle|direction"):
            rectangle((0, 0), *wrong)


# --- lines of fire (MKB13)


def passes_inside(line: Shape, polygon: Shape) -> bool:
    """Tell the same as ``cuts`` of a convex polygon: some share of the way lies inside every edge."""
    turn = sum(a[0] * b[1] - a[1] * b[0] for a, b in edges(polygon))
    low, high = Fraction(0), Fraction(1)
    start, end = map(exact, line)
    for a, b in edges(polygon):
        at = [
            ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) * (1 if turn > 0 else -1)
            for x, y in (start, end)
        ]
        if at[0] <= 0 and at[1] <= 0:
            return False
        if at[0] < 0 or at[1] < 0 or 0 in at:
            share = Fraction(at[0]) / (at[0] - at[1]) if at[0] != at[1] else Fraction(0)
            low, high = (max(low, share), high) if at[1] > at[0] else (low, min(high, share))
    return low < high or (start == end and inner(polygon, start) > 0)


@given(LINES, convex())
@example(((-1, 0), (9, 0)), ((0, 0), (4, 0), (4, 4), (0, 4)))
@example(((-1, 1), (1, -1)), ((0, 0), (4, 0), (4, 4), (0, 4)))
@example(((1, 1), (2, 2)), ((0, 0), (4, 0), (4, 4), (0, 4)))
@example(((0, 0), (4, 4)), ((0, 0), (4, 0), (4, 4), (0, 4)))
@example(((4, 2), (9, 2)), ((0, 0), (4, 0), (4, 4), (0, 4)))
def test_a_line_is_cut_by_what_it_goes_through_and_not_by_what_it_touches(
    line: Shape, polygon: Shape
) -> None:
    assert cuts(line, polygon) is passes_inside(line, polygon)
    assert cuts(line[::-1], polygon) is cuts(line, polygon)


@pytest.mark.parametrize(
    ("line", "cut"),
    [
        (((4, 9), (4, 3)), False),
        (((4, 9), (4, 2)), True),
        (((3, 9), (3, 3)), False),
        (((3, 9), (3, 2)), True),
        (((-3, 9), (12, 9)), False),
        (((-3, 8), (12, 8)), True),
        (((4, 5), (5, 8)), False),
        (((-3, 3), (12, 3)), True),
    ],
)
def test_one_shoots_out_of_a_court_but_not_through_its_towers(line: Shape, cut: bool) -> None:
    assert cuts(line, COURT) is cut
    assert cuts(line, COURT[::-1]) is cut


def test_what_stands_in_the_way_of_a_line() -> None:
    line = ((0, 0), (1000, 0))
    bases = [(((500, 59),), 60), (((500, 58),), 60), (((500, 57),), 60), (((500, 50),), 60)]
    assert list(in_the_way(line, bases)) == [2, 3]
    wall = ((300, 0), (400, 0), (400, 200), (300, 200))
    low_wall = tuple((x, y - 1) for x, y in wall)
    door = ((600, 0), (600, 100))
    assert list(in_the_way(line, [(wall, 0), (low_wall, 0), (door, 0)])) == [1, 2]


# --- arcs (MKB9)


def test_an_angle_is_the_vector_that_is_published_for_it() -> None:
    assert [direction(tenths) for tenths in (0, 450, 900, 1800, 2700, 3600, -900)] == [
        (0, 1_000_000),
        (707_107, 707_107),
        (1_000_000, 0),
        (0, -1_000_000),
        (-1_000_000, 0),
        (0, 1_000_000),
        (-1_000_000, 0),
    ]
    for tenths in range(plane.TURN):
        angle = math.radians(tenths / 10)
        x, y = direction(tenths)
        assert abs(x - 1e6 * math.sin(angle)) <= 0.5 + 1e-6
        assert abs(y - 1e6 * math.cos(angle)) <= 0.5 + 1e-6


@given(POINTS, VECTORS, POINTS, st.integers(0, 200))
def test_an_arc_of_a_quarter_is_that_of_the_rule(
    apex: Point, facing: Point, target: Point, radius: int
) -> None:
    way = (target[0] - apex[0], target[1] - apex[1])
    far = math.hypot(*way)
    found = in_arc(apex, quarter(facing), target, radius)
    if far <= radius:
        assert found
        return
    angle = math.degrees(
        abs(math.atan2(facing[0] * way[1] - facing[1] * way[0], facing[0] * way[0] + facing[1] * way[1]))
    )
    short = angle - math.degrees(math.asin(radius / far)) - 45
    if abs(short) > 1e-7:
        assert found is (short < 0)


@given(POINTS, VECTORS, st.integers(1, 500))
def test_who_stands_on_the_edge_of_an_arc_is_in_it(apex: Point, facing: Point, far: int) -> None:
    for edge in quarter(facing):
        on_it = (apex[0] + far * edge[0], apex[1] + far * edge[1])
        assert in_arc(apex, quarter(facing), on_it)
        assert not in_arc(apex, quarter((-facing[0], -facing[1])), on_it)


def test_a_base_that_reaches_into_the_arc_is_in_it() -> None:
    front = quarter((0, 1))
    assert in_arc((0, 0), front, (600, 600))
    assert not in_arc((0, 0), front, (601, 600))
    assert in_arc((0, 0), front, (684, 600), 60)
    assert not in_arc((0, 0), front, (685, 600), 60)


def test_an_arc_of_half_a_turn_or_of_nothing_is_a_fault() -> None:
    for edges_ in (((1, 0), (-1, 0)), ((1, 0), (1, 0)), ((1, 1), (-1, 1))):
        with pytest.raises(ValueError, match="narrower"):
            in_arc((0, 0), edges_, (5, 5))
    with pytest.raises(ValueError, match="no length"):
        in_arc((0, 0), ((0, 0), (1, 0)), (5, 5))


# --- lengths


@given(st.integers(-999_999, 999_999))
def test_inches_are_read_as_they_are_written(length: int) -> None:
    assert hundredths(inches(length)) == length


@pytest.mark.parametrize(
    ("text", "length"), [("24.5", 2450), ("9", 900), ("0.05", 5), ("-1.25", -125), ("007.10", 710)]
)
def test_inches_as_players_write_them(text: str, length: int) -> None:
    assert hundredths(text) == length


@pytest.mark.parametrize("text", ["", "24,5", "1.234", "1/8", ".5", "5.", "1e3", "12345", "٣", "1 ", "--1"])
def test_what_is_no_number_of_inches_is_refused(text: str) -> None:
    with pytest.raises(NotALength):
        hundredths(text)


@given(st.lists(POINTS, min_size=1, max_size=6), st.integers(0, 30_000))
def test_a_way_is_as_long_as_its_legs(path: list[Point], reach: int) -> None:
    with localcontext() as context:
        context.prec = 60
        length = sum(
            (Decimal((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2).sqrt() for a, b in pairwise(path)), Decimal(0)
        )
    for limit in (reach, int(length), int(length) + 1):
        assert no_longer(path, limit) is (length <= limit)


def test_a_way_of_exactly_its_length_is_not_too_long() -> None:
    assert no_longer([(0, 0), (300, 400), (300, 700)], 8 * INCH)
    assert not no_longer([(0, 0), (300, 400), (300, 701)], 8 * INCH)
    assert no_longer([(0, 0)], 0)


@given(POINTS, POINTS, st.integers(0, 9000))
def test_a_point_of_a_way_is_as_far_along_it_as_a_hundredth_can_tell(
    start: Point, end: Point, length: int
) -> None:
    point = along(start, end, length)
    whole = math.dist(start, end)
    if length >= whole:
        assert point == end
        return
    exactly = tuple(a + length * (b - a) / whole for a, b in zip(start, end, strict=True))
    assert math.dist(point, exactly) <= math.sqrt(0.5) + 1e-6
