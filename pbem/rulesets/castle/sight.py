"""Lines of fire: what stands in the way of one, and what it passes through."""

from __future__ import annotations

from pbem.core.rule import rule
from pbem.geometry.court import STEPS, Body, enclosed, gaps, rings
from pbem.geometry.plane import TOLERANCE, Shape, closer, in_the_way
from pbem.rulesets.castle.dial import Rules
from pbem.rulesets.castle.portals import closed_lines
from pbem.rulesets.castle.space import base, elevated, footprint, hindering, solids
from pbem.rulesets.castle.state import BLOCKING, Figure, Section, War

One = Figure | Section


@rule("MKB13")
def in_line(rules: Rules, war: War, one: One, target: One) -> str:
    """Return what blocks the line from centre to centre: the id of a base, a section or a piece of terrain,
    ``portal``; nothing where it is free.
    """
    line = (one.at, target.at)
    low = not elevated(rules, war, one) and not elevated(rules, war, target)
    for piece in war.board.terrain:
        if piece.kind == BLOCKING and _through(line, (piece.shape, piece.radius)):
            return piece.id
    if low or at_a_wall(rules, war, one, target):
        doors = [(door, 0) for door in closed_lines(rules, war, target.id)]
        for section in war.standing:
            if section.id != target.id and any(_through(line, solid) for solid in solids(rules, section)):
                return section.id
        if next(in_the_way(line, doors), None) is not None:
            return "portal"
    level = low or (elevated(rules, war, one) and elevated(rules, war, target))
    if level and not bases_never_block(one, target):
        return _base_between(rules, war, one, target, line)
    return ""


@rule("MK14.8")
def at_a_wall(rules: Rules, war: War, one: One, target: One) -> bool:
    """Tell whether a line goes up to a section from the ground: other sections are in its way."""
    return isinstance(one, Figure) and isinstance(target, Section) and not elevated(rules, war, one)


@rule("MK13.2", "MK14.8")
def bases_never_block(one: One, target: One) -> bool:
    """Tell whether bases leave a line free: one from or to a section goes from or to its centre, over all of
    them.
    """
    return isinstance(one, Section) or isinstance(target, Section)


def _base_between(rules: Rules, war: War, one: One, target: One, line: Shape) -> str:
    high = elevated(rules, war, one)
    others = [
        other
        for other in war.up
        if other.id not in (one.id, target.id) and elevated(rules, war, other) == high
    ]
    found = next(in_the_way(line, [base(rules, other) for other in others]), None)
    return "" if found is None else others[found].id


def _through(line: Shape, body: Body) -> bool:
    """Tell whether a line goes through the inside of a body; a round one may be touched by as much as a
    base.
    """
    shape, size = body
    return next(in_the_way(line, [(shape, size)]), None) is not None


def through_hindering(rules: Rules, war: War, one: One, target: One) -> bool:
    """Tell whether a line goes through hindering ground, or the target stands in it (MKB14)."""
    line = (one.at, target.at)
    if any(_through(line, ground) for ground in hindering(rules, war)):
        return True
    if not isinstance(target, Figure) or target.on:
        return False
    shape, size = base(rules, target)
    return any(closer(shape, ground, size + wide - TOLERANCE) for ground, wide in hindering(rules, war))


# --- what a castle encloses


def courts(rules: Rules, war: War) -> tuple[tuple[Body, ...], tuple[Shape, ...]]:
    """Return the footprints of the sections that stand, and the rings that they make (MK7.7)."""
    found: tuple[tuple[Body, ...], tuple[Shape, ...]] | None = war.__dict__.get("_courts")
    if found is None:
        bodies = tuple(footprint(rules, section) for section in war.standing)
        found = bodies, rings(bodies, rules.tables["measures"]["adjoining"])
        war.__dict__["_courts"] = found
    return found


def crosses_an_outer_edge(rules: Rules, war: War, one: One, target: One) -> bool:
    """Tell whether a line comes into a section from outside: across an edge that looks away from what the
    castle encloses, or any edge where it encloses nothing (MKA8).
    """
    bodies, ringed = courts(rules, war)
    (sx, sy), (ex, ey) = line = (one.at, target.at)
    for low, high, _, _ in gaps(line, bodies):
        share, scale = low + high, 2 * STEPS
        point = (sx * scale + (ex - sx) * share, sy * scale + (ey - sy) * share)
        if not enclosed(ringed, point, scale):
            return True
    return False
