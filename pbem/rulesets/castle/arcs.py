"""Arcs: who is before and who is behind whom."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.rule import rule
from pbem.geometry.court import nearest
from pbem.geometry.plane import TURN, Point, Shape, direction, in_arc, quarter
from pbem.rulesets.castle.dial import Rules
from pbem.rulesets.castle.space import base, footprint
from pbem.rulesets.castle.state import Figure, Section


@rule("MK3.6")
def looks_everywhere(one: Figure | Section) -> bool:
    """Tell whether somebody has a front arc all round, and no rear: a section has."""
    return isinstance(one, Section)


@rule("MKB9")
def in_front(rules: Rules, one: Figure | Section, target: Figure | Section) -> bool:
    """Tell whether any part of a target is in the front arc of somebody."""
    if looks_everywhere(one):
        return True
    edges = quarter(direction(one.facing))
    if isinstance(target, Figure):
        shape, size = base(rules, target)
        return any(in_arc(one.at, edges, point, size) for point in shape)
    return footprint_in_front(rules, one, target)


def footprint_in_front(rules: Rules, one: Figure | Section, section: Section) -> bool:
    """Tell whether the point of a footprint that is nearest to a warrior is in its front arc."""
    shape, size = footprint(rules, section)
    edges = quarter(direction(one.facing))
    if len(shape) == 1:
        return in_arc(one.at, edges, shape[0], size)
    return in_arc(one.at, edges, nearest(shape, one.at))


def line_in_front(one: Figure, line: Shape) -> bool:
    """Tell whether the front arc of a warrior touches a line at its base."""
    return in_arc(one.at, quarter(direction(one.facing)), nearest(line, one.at))


@rule("MKB9")
def in_rear(rules: Rules, one: Figure | Section, attacker: Figure) -> bool:
    """Tell whether any part of an attacker's base is in the rear arc of somebody."""
    if looks_everywhere(one) or not rules.tables["attacks"]["rear_arc"]:
        return False
    x, y = direction(one.facing)
    shape, size = base(rules, attacker)
    return any(in_arc(one.at, quarter((-x, -y)), point, size) for point in shape)


def toward(start: Point, end: Point) -> int:
    """Return the facing, in tenths of a degree, that comes nearest to the way from one point to another."""
    x, y = end[0] - start[0], end[1] - start[1]
    if (x, y) == (0, 0):
        return 0
    best = max(_rough(), key=lambda tenths: _along(tenths, x, y))
    near = (tenths % TURN for tenths in range(best - STEP, best + STEP + 1))
    return max(near, key=lambda tenths: (_along(tenths, x, y), -tenths))


STEP = 50
"""Tenths of a degree between the facings that are tried first."""


def _rough() -> Iterator[int]:
    yield from range(0, TURN, STEP)


def _along(tenths: int, x: int, y: int) -> int:
    """Return how far a way leads along a facing."""
    ux, uy = direction(tenths)
    return ux * x + uy * y
