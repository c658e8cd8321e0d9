"""What stands where: bases and footprints, levels, contact and touching."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from pbem.core.rule import rule
from pbem.geometry.court import Body, adjoin, apart
from pbem.geometry.plane import (
    CONTACT,
    TOLERANCE,
    Point,
    Shape,
    closer,
    direction,
    distance,
    fits,
    rectangle,
    within,
)
from pbem.rulesets.castle.dial import Rules, can, row
from pbem.rulesets.castle.state import ELEVATED, HINDERING, Figure, Section, Terrain, War


def radius(rules: Rules, one: Figure) -> int:
    """Return the radius of a base; of a rider's that of each of its two circles."""
    found: int = row(rules, one)["radius"]
    return found


def capsule(rules: Rules, one: Figure) -> Shape:
    """Return what lies in the middle of a base: a point, of a rider a line along its facing."""
    if not can(rules, one, "mounted"):
        return (one.at,)
    x, y = direction(one.facing)
    half = rules.tables["measures"]["capsule"]
    dx, dy = (_share(half * x), _share(half * y))
    return ((one.x - dx, one.y - dy), (one.x + dx, one.y + dy))


def _share(millionths: int) -> int:
    size = (abs(millionths) + 500_000) // 1_000_000
    return size if millionths >= 0 else -size


def base(rules: Rules, one: Figure) -> Body:
    """Return the base of a warrior as a body."""
    return capsule(rules, one), radius(rules, one)


def footprint(rules: Rules, section: Section) -> Body:
    """Return the ground that a section takes up (MKB1)."""
    size = row(rules, section)
    if size["shape"] == "round":
        return (section.at,), size["radius"]
    return _oblong(section.at, size["width"], size["depth"], section.facing), 0


def body(rules: Rules, one: Figure | Section) -> Body:
    """Return the base of a warrior, or the footprint of a section."""
    return base(rules, one) if isinstance(one, Figure) else footprint(rules, one)


def solids(rules: Rules, section: Section) -> tuple[Body, ...]:
    """Return what of a footprint nobody on the ground gets into: all of it but its passage (MK5.2,
    MK18.5).
    """
    gate = row(rules, section)["passage"]
    whole, round_ = footprint(rules, section)
    if not gate:
        return ((whole, round_),)
    size = row(rules, section)
    front_left, front_right, rear_right, rear_left = whole
    wide = size["width"]
    near, far = wide - gate, wide + gate
    cut = [
        ((a[0] * (2 * wide - n) + b[0] * n) // (2 * wide), (a[1] * (2 * wide - n) + b[1] * n) // (2 * wide))
        for a, b in ((front_left, front_right), (rear_left, rear_right))
        for n in (near, far)
    ]
    return (((front_left, cut[0], cut[2], rear_left), 0), ((cut[1], front_right, rear_right, cut[3]), 0))


def doorway(rules: Rules, section: Section, side: str, wide: int) -> Shape:
    """Return the line of a door in the middle of the front or the rear of a section."""
    size = row(rules, section)
    out = size["radius"] if size["shape"] == "round" else size["depth"] // 2
    sign = {"front": 1, "rear": -1}[side]
    x, y = (sign * part for part in direction(section.facing))
    mx, my = section.x + _share(out * x), section.y + _share(out * y)
    half = wide // 2
    dx, dy = _share(half * y), _share(-half * x)
    return ((mx - dx, my - dy), (mx + dx, my + dy))


# --- levels


@rule("MK4.2", "MK6.3")
def on_a_section(one: Figure | Section) -> bool:
    """Tell whether somebody is up on a section, which is elevated ground; a section itself is."""
    return isinstance(one, Section) or bool(one.on)


@rule("MK4.1")
def elevated(rules: Rules, war: War, one: Figure | Section) -> bool:
    """Tell whether somebody is on the upper one of two levels: on any section, or on a hill."""
    return on_a_section(one) or any(
        fits_in(one.at, piece) for piece in war.board.terrain if piece.kind == ELEVATED
    )


def fits_in(point: Point, piece: Terrain) -> bool:
    """Tell whether a point lies in a piece of terrain."""
    return distance((point,), piece.shape).at_most(piece.radius)


def rubble(rules: Rules, war: War) -> Iterator[Body]:
    """Yield the ground of what is destroyed, and of the planks that lay on it (MK15.2)."""
    yield from (footprint(rules, section) for section in war.sections if section.out)
    out = {section.id for section in war.sections if section.out}
    yield from ((plank.shape, 0) for plank in war.planks if out & set(plank.joins))


@rule("MKB23")
def hindering(rules: Rules, war: War) -> Iterator[Body]:
    """Yield hindering ground: pieces of it, and rubble (MKB23, MK15.2)."""
    yield from ((piece.shape, piece.radius) for piece in war.board.terrain if piece.kind == HINDERING)
    yield from rubble_hinders(rules, war)


@rule("MK15.2")
def rubble_hinders(rules: Rules, war: War) -> tuple[Body, ...]:
    """Return the rubble: of the shape and size of what stood there, hindering ground."""
    return tuple(rubble(rules, war))


def in_hindering(rules: Rules, war: War, one: Figure | Section) -> bool:
    """Tell whether any of a base on the ground lies in hindering ground."""
    if on_a_section(one) or isinstance(one, Section):
        return False
    shape, round_ = base(rules, one)
    return any(closer(shape, ground, round_ + wide - TOLERANCE) for ground, wide in hindering(rules, war))


# --- contact


def same_ground(one: Figure, other: Figure) -> bool:
    """Tell whether the base of one warrior could be in the way of another's: both are on the ground, or both
    on sections.
    """
    return bool(one.on) == bool(other.on)


@rule("MK9.7")
def on_one_level(rules: Rules, war: War, one: Figure, other: Figure) -> bool:
    """Tell whether two warriors are on one level: their bases touch as they do seen from above, whatever they
    stand on.
    """
    return elevated(rules, war, one) == elevated(rules, war, other)


def adjoining(rules: Rules, one: Section, other: Section) -> bool:
    """Tell whether two sections are as near each other as adjoining ones (MK9.6)."""
    reach: int = rules.tables["measures"]["adjoining"]
    return _adjoin(footprint(rules, one), footprint(rules, other), reach)


@lru_cache(maxsize=4096)
def _adjoin(one: Body, other: Body, reach: int) -> bool:
    return adjoin(one, other, reach)


@lru_cache(maxsize=4096)
def _oblong(at: Point, width: int, depth: int, facing: int) -> Shape:
    return rectangle(at, width, depth, direction(facing))


@rule("MKB6")
def in_contact(rules: Rules, war: War, one: Figure, other: Figure) -> bool:
    """Tell whether two bases are in contact."""
    if one.id == other.id:
        return False
    if on_the_same_gatehouse(rules, war, one, other):
        return True
    return touch(rules, one, other) and on_one_level(rules, war, one, other)


def touch(rules: Rules, one: Figure, other: Figure) -> bool:
    """Tell whether two bases touch, seen from above."""
    (a, r), (b, s) = base(rules, one), base(rules, other)
    return within(a, b, r + s + CONTACT)


@rule("MK18.4")
def on_the_same_gatehouse(rules: Rules, war: War, one: Figure, other: Figure) -> bool:
    """Tell whether two are on top of one gatehouse: there everybody is in contact with everybody."""
    return bool(one.on) and shares_its_top(rules, war.section(one.on), one) and one.on == other.on


def shares_its_top(rules: Rules, section: Section, one: Figure) -> bool:
    """Tell whether a warrior is on top of a section on which everybody is in contact with everybody."""
    size = row(rules, section)
    return one.on == section.id and bool(size["passage"]) and not size["wall"]


def enemies_at(rules: Rules, war: War, one: Figure) -> tuple[Figure, ...]:
    """Return the enemies in contact with a warrior."""
    return tuple(other for other in war.up if other.side != one.side and in_contact(rules, war, one, other))


def neighbours(rules: Rules, war: War, one: Figure) -> tuple[Figure, ...]:
    """Return everybody in contact with a warrior, friend and enemy."""
    return tuple(other for other in war.up if in_contact(rules, war, one, other))


def gap(one: Body, other: Body) -> int:
    """Return how many hundredths lie between two bodies, rounded up."""
    (a, r), (b, s) = one, other
    return max(apart(a, b) - r - s, 0)


def touches(rules: Rules, one: Figure, section: Section) -> bool:
    """Tell whether a base on the ground touches a footprint, which is not contact."""
    return not one.on and beside(rules, one, section)


@rule("MK3.9")
def beside(rules: Rules, one: Figure, section: Section) -> bool:
    """Tell whether a base touches a footprint that it is not on, from the ground or from a section beside it
    (MK14.11).
    """
    if one.on == section.id or section.out:
        return False
    (a, r), (b, s) = base(rules, one), footprint(rules, section)
    return within(a, b, r + s + CONTACT)


# --- room


@rule("MK5.1")
def fits_on(rules: Rules, one: Figure, section: Section) -> bool:
    """Tell whether a base lies on a section as a whole."""
    shape, round_ = footprint(rules, section)
    size = radius(rules, one)
    if len(shape) == 1:
        return all(within((point,), shape, round_ - size) for point in capsule(rules, one))
    return all(fits(point, size, shape) for point in capsule(rules, one))


def smaller(rules: Rules, section: Section, size: int) -> Body:
    """Return, to a hundredth, the ground of a section on which the middle of a base of some radius may be."""
    of = row(rules, section)
    if of["shape"] == "round":
        return (section.at,), max(of["radius"] - size, 0)
    width, depth = max(of["width"] - 2 * size, 1), max(of["depth"] - 2 * size, 1)
    return rectangle(section.at, width, depth, direction(section.facing)), 0


def free_of_bases(rules: Rules, war: War, one: Figure, but: tuple[str, ...] = ()) -> bool:
    """Tell whether a base overlaps no other one that it could meet."""
    shape, size = base(rules, one)
    for other in war.up:
        if other.id == one.id or other.id in but or not same_ground(one, other):
            continue
        there, wide = base(rules, other)
        if closer(shape, there, size + wide - TOLERANCE):
            return False
    return True


def in_board(rules: Rules, war: War, one: Figure) -> bool:
    """Tell whether a base lies on the table as a whole."""
    size = radius(rules, one)
    return all(
        size <= x <= war.board.width - size and size <= y <= war.board.depth - size
        for x, y in capsule(rules, one)
    )
