"""Movement: how far a base gets on a way, and what stops it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import isqrt
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.rule import rule
from pbem.geometry.court import STEPS, Body, adjoin, gaps, span
from pbem.geometry.plane import (
    CONTACT,
    INCH,
    TOLERANCE,
    Point,
    Shape,
    along,
    closer,
    free_length,
    last_free,
    no_longer,
    within,
)
from pbem.rulesets.castle.dial import Rules, can, window
from pbem.rulesets.castle.portals import closed_lines
from pbem.rulesets.castle.space import (
    base,
    fits_on,
    footprint,
    hindering,
    in_board,
    in_contact,
    in_hindering,
    radius,
    same_ground,
    shares_its_top,
    smaller,
    solids,
)
from pbem.rulesets.castle.state import BLOCKING, Figure, Section, War

Free = Callable[[Shape], bool]


class Walk(Struct, frozen=True):
    """How a way was gone: the points of it, what the walker stands on at its end, and what stopped it short
    (``speed``, ``blocked``, ``contact``, ``hindering``, nothing).
    """

    path: tuple[Point, ...]
    on: str
    stopped: str = ""


@rule("MKB5")
def speed(rules: Rules, war: War, one: Figure) -> int:
    """Return how far a warrior goes, in hundredths: half as far where he begins in hindering ground."""
    inches: int = window(rules, one).first
    whole = inches * INCH
    if in_hindering(rules, war, one) and not can(rules, one, "flying"):
        share: int = rules.tables["measures"]["half_speed"]
        return whole // share
    return whole


def as_far(path: Sequence[Point], reach: int) -> tuple[tuple[Point, ...], bool]:
    """Return as much of a way as is at most so long, and whether that is all of it."""
    path = tuple(path)
    for n in range(1, len(path)):
        if no_longer(path[: n + 1], reach):
            continue
        return (*path[:n], last_free(path[n - 1], path[n], _no_longer(path[:n], reach))), False
    return path, True


def _no_longer(before: Sequence[Point], reach: int) -> Free:
    """Return what tells whether a way with a leg more is at most so long."""

    def free(leg: Shape) -> bool:
        return no_longer((*before, leg[1]), reach)

    return free


@rule("MKB5", "MK5.2", "MK9.6")
def walk(
    rules: Rules,
    war: War,
    one: Figure,
    way: Sequence[Point],
    reach: int,
    contact: Sequence[str] = (),
    but: tuple[str, ...] = (),
) -> Walk:
    """Return how far a warrior gets along way-points: at most ``reach``, up to what he cannot pass, to the
    first touch of one of ``contact``; ``but`` are those who go with him.
    """
    if can(rules, one, "flying"):
        return down(rules, war, one, landing(rules, war, one, as_far((one.at, *way), reach)), but)
    path = (one.at, *way)
    done: list[Point] = [one.at]
    size = radius(rules, one)
    barred = along_the_way(path, size, bars(rules, war, one, but))
    stays = surface(rules, war, one)
    grounds = () if one.on else along_the_way(path, size, tuple(hindering(rules, war)))
    touched = along_the_way(path, size, _bases_of(rules, war, one, contact))
    shared = _tops_of(rules, war, one, contact)

    def passes(leg: Shape) -> bool:
        return stays(leg) and not any(closer(leg, shape, size + wide - TOLERANCE) for shape, wide in barred)

    stopped = ""
    here = base(rules, one)[0]
    for start, end in pairwise(path):
        in_reach = _no_longer(done, reach)
        # each limit is looked for along the leg to the way-point itself: a leg cut short at a whole hundredth
        # points a little elsewhere, and could pass what the leg does not
        far = free_length(start, end, both(in_reach, passes))
        if far is not None:
            stopped = "blocked" if in_reach((start, along(start, end, far + 1))) else "speed"
        # ground that somebody is in when he sets out is left, not entered
        ahead = [
            (ground, wide) for ground, wide in grounds if not closer(here, ground, size + wide - TOLERANCE)
        ]
        here = (end,)
        entered = _first(start, end, ahead, size, -TOLERANCE, "hindering")
        near = _first(start, end, touched, size, CONTACT, "contact")
        among = _first_on(rules, war, one, (start, end), shared)
        for limit, name in ((entered, "hindering"), (near, "contact"), (among, "contact")):
            if limit is not None and (far is None or limit <= far):
                far, stopped = limit, name
        done.append(end if far is None else along(start, end, far))
        if stopped:
            break
    found = Walk(tuple(done), one.on, stopped)
    return _settled(rules, war, one, found) if one.on else found


def both(one: Free, other: Free) -> Free:
    """Return what tells whether a leg is free in two ways."""
    return lambda leg: one(leg) and other(leg)


def along_the_way(path: Sequence[Point], size: int, bodies: Sequence[Body]) -> tuple[Body, ...]:
    """Return those of some bodies that a base could come near on a way: all others are beside the box round
    it.
    """
    reach = size + CONTACT
    left, right = min(x for x, _ in path) - reach, max(x for x, _ in path) + reach
    low, high = min(y for _, y in path) - reach, max(y for _, y in path) + reach
    return tuple(
        (shape, wide)
        for shape, wide in bodies
        if max(x for x, _ in shape) + wide >= left
        and min(x for x, _ in shape) - wide <= right
        and max(y for _, y in shape) + wide >= low
        and min(y for _, y in shape) - wide <= high
    )


def _first(start: Point, end: Point, bodies: Sequence[Body], size: int, slack: int, name: str) -> int | None:
    """Return after how many hundredths of a way a base first comes so near to one of some bodies; None where
    it never does.
    """

    def clear(leg: Shape) -> bool:
        for shape, wide in bodies:
            reach = size + wide + slack
            if within(leg, shape, reach) if name == "contact" else closer(leg, shape, reach):
                return False
        return True

    far = free_length(start, end, clear)
    return None if far is None else far + 1


def bars(rules: Rules, war: War, one: Figure, but: tuple[str, ...] = ()) -> tuple[Body, ...]:
    """Return what a warrior's base may not overlap on its way where it is: other bases, and on the ground
    blocking terrain, sections and closed portals.
    """
    others = [
        base(rules, other)
        for other in war.up
        if other.id != one.id and other.id not in but and same_ground(one, other)
    ]
    if one.on:
        return tuple(others)
    return (
        *others,
        *((piece.shape, piece.radius) for piece in war.board.terrain if piece.kind == BLOCKING),
        *(solid for section in war.standing for solid in solids(rules, section)),
        *((line, 0) for line in closed_lines(rules, war)),
    )


def _bases_of(rules: Rules, war: War, one: Figure, names: Sequence[str]) -> list[Body]:
    """Return those of some at whose touch a warrior stops: of whom he touches from the first he goes away."""
    found: list[Body] = []
    for name in names:
        other = war.one(name)
        if isinstance(other, Figure):
            if same_ground(one, other) and not in_contact(rules, war, one, other):
                found.append(base(rules, other))
        elif not one.on:
            found.append(footprint(rules, other))
    return found


def _tops_of(rules: Rules, war: War, one: Figure, names: Sequence[str]) -> tuple[Section, ...]:
    """Return the gatehouses on top of which a warrior meets one of some as soon as he is on it himself
    (MK18.4).
    """
    others = [other for other in map(war.one, names) if isinstance(other, Figure)]
    return tuple(
        section
        for section in war.standing
        if one.on and one.on != section.id and any(shares_its_top(rules, section, other) for other in others)
    )


def _first_on(rules: Rules, war: War, one: Figure, leg: Shape, sections: Sequence[Section]) -> int | None:
    """Return after how many hundredths of a way a warrior stands on one of some sections; None where he
    never does.
    """
    start, end = leg
    found = [
        far
        for section in sections
        for far in _fitting(rules, (section,), radius(rules, one), leg, "first")
        if standing_on(rules, war, _there(one, along(start, end, far))) == section.id
    ]
    return min(found, default=None)


def _there(one: Figure, at: Point) -> Figure:
    return replace(one, x=at[0], y=at[1])


def surface(rules: Rules, war: War, one: Figure) -> Free:
    """Return what tells whether the middle of a base stays where it may go: on the table, or up on sections
    and planks that adjoin.
    """
    size = radius(rules, one)
    if not one.on:
        left, low, right, high = size, size, war.board.width - size, war.board.depth - size

        def on_table(leg: Shape) -> bool:
            return all(left <= x <= right and low <= y <= high for x, y in leg)

        return on_table
    tops = [footprint(rules, section) for section in war.standing]
    tops += [(plank.shape, 0) for plank in war.planks if planked(war, plank.joins)]
    reach = rules.tables["measures"]["adjoining"]

    def on_top(leg: Shape) -> bool:
        (sx, sy), (ex, ey) = leg
        square = (ex - sx) ** 2 + (ey - sy) ** 2
        for low, high, before, after in gaps(leg, tops):
            if before < 0 or square * (high - low) ** 2 > (2 * reach * STEPS) ** 2:
                return False
            if after >= 0 and not adjoin(tops[before], tops[after], reach):
                return False
        return True

    return on_top


@rule("MK8.2")
def planked(war: War, joins: tuple[str, str]) -> bool:
    """Tell whether a plank lies: between two walls that both stand."""
    return all(not war.section(id_).out for id_ in joins)


def _settled(rules: Rules, war: War, one: Figure, found: Walk) -> Walk:
    """Return a walk on top that ends at its last point at which the base fits on a section as a whole
    (MK5.1).
    """
    path = found.path
    for n in range(len(path) - 1, 0, -1):
        start, end = path[n - 1 : n + 1]
        if on := standing_on(rules, war, _there(one, end)):
            whole = n == len(path) - 1
            return Walk(path[: n + 1], on, found.stopped if whole else "blocked")
        size = radius(rules, one)
        for far in sorted(_fitting(rules, war.standing, size, (start, end), "last"), reverse=True):
            at = along(start, end, far)
            if on := standing_on(rules, war, _there(one, at)):
                return Walk((*path[:n], at), on, "blocked")
    return Walk((one.at,), one.on, "blocked")


def _fitting(
    rules: Rules, sections: Sequence[Section], size: int, leg: Shape, which: Literal["first", "last"]
) -> Iterator[int]:
    """Yield how far along a leg a base may first, or last, fit on one of some sections, to a hundredth or
    two.
    """
    (sx, sy), (ex, ey) = leg
    whole = isqrt((ex - sx) ** 2 + (ey - sy) ** 2)
    for section in sections:
        inside = span(leg, smaller(rules, section, size))
        if inside is not None:
            far = inside[which == "last"] * whole // STEPS
            yield from range(max(far - 2, 0), min(far + 2, whole) + 1)


def standing_on(rules: Rules, war: War, one: Figure) -> str:
    """Return the section on which a base fits as a whole; nothing where it fits on none."""
    return next((section.id for section in war.standing if fits_on(rules, one, section)), "")


@rule("MKB19", "MK9.5")
def landing(rules: Rules, war: War, one: Figure, far: tuple[tuple[Point, ...], bool]) -> Walk:
    """Return where somebody comes down who flies over everything: on a section on which he fits, else on the
    ground.
    """
    path, whole = far
    there = replace(one, x=path[-1][0], y=path[-1][1])
    return Walk(path, standing_on(rules, war, there), "" if whole else "speed")


def down(rules: Rules, war: War, one: Figure, found: Walk, but: tuple[str, ...] = ()) -> Walk:
    """Return a flight that ends at its last point, in whole hundredths of its legs, at which there is room
    to come down; one that goes nowhere if there is none.
    """
    path = found.path
    for n in range(len(path) - 1, 0, -1):
        start, end = path[n - 1 : n + 1]
        whole = isqrt((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) + 1
        room = room_along(rules, war, one, (start, end), but)
        for far in range(whole, 0, -1):
            x, y = along(start, end, far)
            there = replace(one, x=x, y=y)
            there = replace(there, on=standing_on(rules, war, there))
            if room(there):
                stopped = found.stopped if (n, far) == (len(path) - 1, whole) else "blocked"
                return Walk((*path[:n], (x, y)), there.on, stopped)
    return Walk((one.at,), one.on, "blocked")


def has_room(rules: Rules, war: War, one: Figure, but: tuple[str, ...] = ()) -> bool:
    """Tell whether a base has room where it is put: on the table, over nobody and nothing; ``but`` are those
    who go with it.
    """
    return room_along(rules, war, one, (one.at,), but)(one)


def room_along(
    rules: Rules, war: War, one: Figure, path: Sequence[Point], but: tuple[str, ...] = ()
) -> Callable[[Figure], bool]:
    """Return what tells whether somebody has room where he is put on a way, on whatever he stands: what is in
    the way there is looked for once.
    """
    size = radius(rules, one)
    reach = size + (rules.tables["measures"]["capsule"] if can(rules, one, "mounted") else 0)
    near: dict[str, tuple[Body, ...]] = {}

    def room(there: Figure) -> bool:
        if (there.on and not standing_on(rules, war, there)) or not in_board(rules, war, there):
            return False
        if there.on not in near:
            near[there.on] = along_the_way(path, reach, bars(rules, war, there, but))
        shape, _ = base(rules, there)
        return not any(closer(shape, body, size + wide - TOLERANCE) for body, wide in near[there.on])

    return room
