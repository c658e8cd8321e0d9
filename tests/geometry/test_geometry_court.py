"""What castles enclose, against a flood that runs in from the edge of the table; and what of a line lies on a
body, against fractions.
"""

from __future__ import annotations

import random
from functools import cache
from itertools import pairwise

import pytest
from thorough import deeper, tries

from pbem.geometry import court
from pbem.geometry.court import SLACK, STEPS, Body, adjoin, enclosed, gaps, nearest, rings, span
from pbem.geometry.plane import Point, Shape, rectangle

CELL, SIDE = 200, 9
Cell = tuple[int, int]


def box(cell: Cell, wide: int = 1, deep: int = 1) -> Shape:
    x, y = cell
    left, low = x * CELL, y * CELL
    return (
        (left, low),
        (left + wide * CELL, low),
        (left + wide * CELL, low + deep * CELL),
        (left, low + deep * CELL),
    )


def castle(chance: random.Random) -> tuple[list[Body], set[Cell]]:
    """Return walls on squares of two inches, round towers on some, and the squares that they stand on."""
    bodies: list[Body] = []
    taken: set[Cell] = set()
    for _ in range(chance.randint(3, 26)):
        cell = (chance.randrange(1, SIDE - 1), chance.randrange(1, SIDE - 1))
        wide, deep = chance.choice(((1, 1), (3, 1), (1, 3), (2, 1)))
        cells = {(cell[0] + dx, cell[1] + dy) for dx in range(wide) for dy in range(deep)}
        if cells & taken:
            continue
        taken |= cells
        shape = box(cell, wide, deep)
        bodies.append((shape if chance.random() < 0.5 else shape[::-1], 0))
    return bodies, taken


def outside(taken: set[Cell]) -> set[Cell]:
    """Return the squares that a flood reaches from the edge; where walls meet at a corner it does not pass."""
    free = {(x, y) for x in range(-1, SIDE + 3) for y in range(-1, SIDE + 3)} - taken
    found, waiting = {(-1, -1)}, [(-1, -1)]
    while waiting:
        x, y = waiting.pop()
        for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if near in free and near not in found:
                found.add(near)
                waiting.append(near)
    return found


@deeper
def test_a_castle_encloses_what_no_flood_reaches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(court, "distance", cache(court.distance))  # the same two walls stand in many castles
    chance = random.Random("courts")
    courts = 0
    for _ in range(tries(200, 10_000)):
        bodies, taken = castle(chance)
        ringed, wet = rings(bodies, 10), outside(taken)
        for x in range(SIDE + 2):
            for y in range(SIDE + 2):
                if (x, y) not in taken:
                    point = (x * CELL + CELL // 2, y * CELL + CELL // 2)
                    assert enclosed(ringed, point) is ((x, y) not in wet), (bodies, (x, y))
                    courts += (x, y) not in wet
    assert courts > 50, "castles that enclose nothing prove nothing"


def test_towers_close_the_corners_of_a_court_and_a_gap_opens_it() -> None:
    walls: list[Body] = [
        (rectangle(at, 600, 200, facing), 0)
        for at, facing in (((0, 500), (0, 1)), ((0, -500), (0, 1)), ((500, 0), (1, 0)), ((-500, 0), (1, 0)))
    ]
    towers: list[Body] = [(((x, y),), 200) for x in (-495, 495) for y in (-495, 495)]
    whole = rings([*walls, *towers], 10)
    assert enclosed(whole, (0, 0)) and not enclosed(whole, (0, 900))
    assert enclosed(whole, (7, 11), 3), "the point (7/3, 11/3)"
    assert not any(enclosed(rings([*walls, *towers[:n], *towers[n + 1 :]], 10), (0, 0)) for n in range(4))
    assert rings(walls, 10) == ()
    assert not adjoin(walls[0], walls[2], 10) and adjoin(walls[0], towers[1], 10)


LINES = ((0, 0), (7, 3)), ((5, 5), (5, -5)), ((-9, 2), (9, 2)), ((4, 4), (4, 4)), ((-3, -8), (11, 9))


PARTS = 16


def inside(point: Point, body: Body) -> bool:
    """Tell whether a point lies on a body, by the fractions of the text: sixteenths, as whole numbers."""
    (x, y), (shape, radius) = point, body
    corners = [(PARTS * cx, PARTS * cy) for cx, cy in shape]
    if len(corners) == 1:
        ((cx, cy),) = corners
        return (x - cx) ** 2 + (y - cy) ** 2 <= (PARTS * radius) ** 2
    turns = {
        (value > 0) - (value < 0)
        for a, b in pairwise((*corners, corners[0]))
        for value in ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]),)
    }
    return not turns >= {1, -1}


def body(chance: random.Random, few: int) -> Body:
    at = (chance.randint(-few, few), chance.randint(-few, few))
    if chance.random() < 0.5:
        return (at,), chance.randint(1, few)
    facing = chance.choice(((0, 1), (1, 0), (3, 4), (1, 1), (-2, 5)))
    return rectangle(at, 2 * chance.randint(1, few), 2 * chance.randint(1, few), facing), 0


def sixteenths_of(line: Shape, k: int) -> Point:
    """Return the point after so many sixteenths of a line, in sixteenths."""
    (sx, sy), (ex, ey) = line
    return PARTS * sx + k * (ex - sx), PARTS * sy + k * (ey - sy)


@deeper
@pytest.mark.parametrize("few", [9, 4000])
def test_where_a_line_is_on_a_body_fractions_say_too(few: int) -> None:
    chance = random.Random(f"spans {few}")
    for n in range(tries(400, 25_000)):
        line: Shape = LINES[n % 5] if few < 10 and n % 3 else tuple(_point(chance, few) for _ in range(2))
        on = body(chance, few)
        found = span(line, on)
        near, within = range(0), range(0)
        if found is not None:
            near = range(PARTS * (found[0] - SLACK), PARTS * (found[1] + SLACK) + 1)
            within = range(PARTS * (found[0] + SLACK) + 1, PARTS * (found[1] - SLACK))
        for k in range(PARTS + 1):
            lies = inside(sixteenths_of(line, k), on)
            assert lies or k * STEPS not in within, (line, on, k)
            assert k * STEPS in near or not lies, (line, on, k)


def _point(chance: random.Random, few: int) -> Point:
    return chance.randint(-few, few), chance.randint(-few, few)


def test_gaps_lie_between_bodies_and_know_their_neighbours() -> None:
    bodies: list[Body] = [(box((0, 0)), 0), (box((3, 0)), 0), (((500, 100),), 60)]
    line = ((0, 100), (1000, 100))
    found = [
        ((low * 1000 + STEPS // 2) // STEPS, (high * 1000 + STEPS // 2) // STEPS, before, after)
        for low, high, before, after in gaps(line, bodies)
    ]
    assert found == [(200, 440, 0, 2), (560, 600, 2, 1), (800, 1000, 1, -1)]
    assert list(gaps(line, [])) == [(0, STEPS, -1, -1)]
    assert list(gaps(((10, 10), (20, 10)), bodies)) == []


def test_the_nearest_point_of_an_edge() -> None:
    assert nearest(box((0, 0)), (100, 500)) == (100, 200)
    assert nearest(box((0, 0)), (300, 300)) == (200, 200)
    assert nearest(((5, 5),), (9, 9)) == (5, 5)
