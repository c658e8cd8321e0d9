"""Ways over a table of castle sections for a bot: how far it is to somebody, round what nobody passes.

A coarse grid, an inch to a square: good enough to choose a direction. What really stops a move the rules say.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from pbem.geometry.court import Body
from pbem.geometry.plane import INCH, Point, within
from pbem.rulesets.castle.dial import Rules
from pbem.rulesets.castle.portals import closed_lines
from pbem.rulesets.castle.space import hindering, solids
from pbem.rulesets.castle.state import BLOCKING, War

Square = tuple[int, int]
FAR = 10**6
"""Farther than anything on a table, in hundredths of an inch."""
BASE = 50
"""How far from what nobody passes the middle of a base stays; a little less than a base, for the grid is
coarse.
"""
ROUND = 15
"""How much farther than from a castle from terrain, at whose corners one would get stuck."""
SLOW = 3
"""How many times its length a way through hindering ground counts."""
_SLANTED = 141
_STEPS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]

Ways = Mapping[Square, int]


def square(point: Point) -> Square:
    """Return the square that a point lies in."""
    return point[0] // INCH, point[1] // INCH


def ways_to(rules: Rules, war: War, goals: Iterable[Body], reach: int) -> Ways:
    """Return how far it is from every square to the nearest place within ``reach`` of one of some bodies."""
    barred = (
        *((piece.shape, piece.radius + ROUND) for piece in war.board.terrain if piece.kind == BLOCKING),
        *(solid for section in war.standing for solid in solids(rules, section)),
        *((line, 0) for line in closed_lines(rules, war)),
    )
    slow = tuple(hindering(rules, war))
    return _ways(war.board.width, war.board.depth, barred, slow, tuple(goals), reach)


def _near(bodies: Iterable[Body], reach: int) -> Iterator[Square]:
    """Yield the squares whose middle is at most so far from one of some bodies."""
    for shape, wide in bodies:
        xs, ys, out = [x for x, _ in shape], [y for _, y in shape], reach + wide
        for x in range((min(xs) - out) // INCH, (max(xs) + out) // INCH + 1):
            for y in range((min(ys) - out) // INCH, (max(ys) + out) // INCH + 1):
                if within((middle((x, y)),), shape, out):
                    yield x, y


def middle(at: Square) -> Point:
    """Return the middle of a square."""
    return at[0] * INCH + INCH // 2, at[1] * INCH + INCH // 2


@lru_cache(maxsize=64)
def _costs(width: int, depth: int, barred: tuple[Body, ...], slow: tuple[Body, ...]) -> Mapping[Square, int]:
    """Return what a step to each square costs that one can stand on."""
    found = {(x, y): 1 for x in range(width // INCH) for y in range(depth // INCH)}
    for at in _near(slow, 0):
        if at in found:
            found[at] = SLOW
    for at in _near(barred, BASE):
        found.pop(at, None)
    return found


@lru_cache(maxsize=256)
def _ways(
    width: int,
    depth: int,
    barred: tuple[Body, ...],
    slow: tuple[Body, ...],
    goals: tuple[Body, ...],
    reach: int,
) -> Ways:
    costs = _costs(width, depth, barred, slow)
    far: dict[Square, int] = dict.fromkeys((at for at in _near(goals, reach) if at in costs), 0)
    heap = [(0, at) for at in far]
    heapq.heapify(heap)
    while heap:
        now, at = heapq.heappop(heap)
        if now > far[at]:
            continue
        for there, step in _next(at):
            cost = costs.get(there)
            if cost is not None and now + step * cost < far.get(there, FAR):
                far[there] = now + step * cost
                heapq.heappush(heap, (far[there], there))
    return far


def _next(at: Square) -> Iterator[tuple[Square, int]]:
    for x, y in _STEPS:
        yield (at[0] + x, at[1] + y), _SLANTED if x and y else INCH


def distance_from(ways: Ways, at: Point) -> int:
    """Return how far it is from a point; from a square on which one cannot stand as from the best beside
    it.
    """
    here = square(at)
    if here in ways:
        return ways[here]
    return min((ways.get(there, FAR) for there, _ in _next(here)), default=FAR)


def downhill(ways: Ways, at: Point, reach: int) -> tuple[Point, ...]:
    """Return the middles of the squares on the shortest way from a point, for at most so many hundredths."""
    here, gone, found = square(at), 0, []
    while gone < reach:
        near = [(ways[there], there, step) for there, step in _next(here) if there in ways]
        if not near or min(near)[0] >= ways.get(here, FAR):
            break
        _, here, step = min(near)
        gone += step
        found.append(middle(here))
    return tuple(found)
