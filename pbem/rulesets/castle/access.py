"""Access points: doors, ladders and whole tops, and who may go from one to another."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.rule import rule
from pbem.geometry.court import nearest
from pbem.geometry.plane import CONTACT, TOLERANCE, Point, Shape, closer, direction, within
from pbem.rulesets.castle.arcs import line_in_front, toward
from pbem.rulesets.castle.dial import Rules, can, row
from pbem.rulesets.castle.portals import is_open
from pbem.rulesets.castle.space import (
    base,
    doorway,
    fits_on,
    footprint,
    free_of_bases,
    in_board,
    radius,
    solids,
)
from pbem.rulesets.castle.state import BLOCKING, Figure, Ladder, Section, War

TOP = "top"


class Access(Struct, frozen=True):
    """An access point of a section: a line on the edge of its footprint, or its whole top."""

    section: str
    name: str
    """``front``, ``top``, ``ladder1-foot`` …: what orders call it behind ``by``."""
    line: Shape
    high: bool
    """Whether one stands on the section there."""


def ladder_line(rules: Rules, war: War, ladder: Ladder) -> Shape:
    """Return the line of an inch on the edge of a section at which a ladder stands."""
    shape, _ = footprint(rules, war.section(ladder.at))
    middle = (ladder.x, ladder.y)
    size = row(rules, war.section(ladder.at))
    facing = direction(war.section(ladder.at).facing)
    half = rules.tables["measures"]["ladder_width"] // 2
    if size["shape"] == "round" or len(shape) == 1:
        return (middle, middle)
    edges = list(zip(shape, (*shape[1:], shape[0]), strict=True))
    n = min(range(len(edges)), key=lambda k: _apart(nearest(edges[k], middle), middle))
    along = (facing[1], -facing[0]) if n % 2 == 0 else facing
    dx, dy = half * along[0] // 1_000_000, half * along[1] // 1_000_000
    return ((middle[0] - dx, middle[1] - dy), (middle[0] + dx, middle[1] + dy))


def _apart(a: Point, b: Point) -> int:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


@rule("MK9.1", "MK18.1", "MK18.2")
def by_its_own_rule(rules: Rules, section: Section) -> Iterator[Access]:
    """Yield the access points that a section has by its own rule: doors and the whole top, or none."""
    size = row(rules, section)
    if size["doors"]:
        for name, side in size["portals"].items():
            line = doorway(rules, section, side, rules.tables["measures"]["door_width"])
            yield Access(section.id, name, line, high=False)
    if size["top"]:
        yield Access(section.id, TOP, footprint(rules, section)[0], high=True)


@rule("MK8.4", "MK18.8")
def by_ladders(rules: Rules, war: War, section: Section) -> Iterator[Access]:
    """Yield the access points that ladders give a section: their feet on the ground, their heads on it."""
    for ladder in war.ladders:
        if ladder.at == section.id:
            line = ladder_line(rules, war, ladder)
            yield Access(section.id, f"{ladder.id}-foot", line, high=False)
            yield Access(section.id, f"{ladder.id}-head", line, high=True)


def points(rules: Rules, war: War, section: Section) -> tuple[Access, ...]:
    """Return every access point of a section that stands."""
    if section.out:
        return ()
    return (*by_its_own_rule(rules, section), *by_ladders(rules, war, section))


def touches_point(rules: Rules, war: War, one: Figure, point: Access) -> bool:
    """Tell whether a warrior is in contact with an access point (MKB6)."""
    if (one.on == point.section) != point.high or (not point.high and one.on):
        return False
    shape, size = base(rules, one)
    return point.name == TOP or within(shape, point.line, size + CONTACT)


@rule("MK9.2")
def connected(rules: Rules, war: War, one: Access, other: Access) -> bool:
    """Tell whether two access points are connected: of one section, and neither a closed portal."""
    return (
        one.section == other.section
        and one != other
        and not (shut(rules, war, one) or shut(rules, war, other))
    )


@rule("MK11.4")
def shut(rules: Rules, war: War, point: Access) -> bool:
    """Tell whether an access point is a closed portal, which is connected with nothing."""
    section = war.section(point.section)
    return point.name in row(rules, section)["portals"] and not is_open(rules, section, point.name)


@rule("MK9.4")
def may_not_use(rules: Rules, one: Figure) -> bool:
    """Tell whether a warrior is too big for access points."""
    return any(can(rules, one, ability) for ability in ("mounted", "large", "titan"))


def ways(rules: Rules, war: War, one: Figure, section: Section) -> Iterator[tuple[Access, Access]]:
    """Yield the pairs of access points by which a warrior where it stands may go on to, or off, a section."""
    every = points(rules, war, section)
    for here in every:
        if touches_point(rules, war, one, here):
            yield from ((here, there) for there in every if connected(rules, war, here, there))


def opposite(rules: Rules, war: War, one: Figure, other: Figure) -> Section | None:
    """Return the section at connected access points of which two warriors stand, the first looking at his;
    None if there is none (MK10.1).
    """
    for section in war.standing:
        every = points(rules, war, section)
        for here in every:
            if not touches_point(rules, war, one, here) or not (
                here.name == TOP or line_in_front(one, here.line)
            ):
                continue
            for there in every:
                if connected(rules, war, here, there) and touches_point(rules, war, other, there):
                    return section
    return None


# --- where one stands there


def spots(rules: Rules, war: War, one: Figure, point: Access) -> Iterator[Figure]:
    """Yield how a warrior may stand at an access point, the nearest place first, looking away from the
    section's middle.
    """
    section = war.section(point.section)
    on = section.id if point.high else ""
    for place in sorted(set(_places(rules, one, section, point)), key=lambda at: (_apart(at, one.at), at)):
        placed = replace(one, x=place[0], y=place[1], on=on)
        if stands(rules, war, placed, point):
            yield replace(placed, facing=toward(section.at, place))


@rule("MK9.3")
def stands(rules: Rules, war: War, one: Figure, point: Access) -> bool:
    """Tell whether a warrior may be placed at an access point where it stands: in contact with it, on room of
    its own.
    """
    section = war.section(point.section)
    if not touches_point(rules, war, one, point) or not free_of_bases(rules, war, one):
        return False
    if point.high:
        return fits_on(rules, one, section)
    return in_board(rules, war, one) and not blocked_ground(rules, war, one)


def blocked_ground(rules: Rules, war: War, one: Figure) -> bool:
    """Tell whether a base on the ground overlaps blocking terrain or a section."""
    size = radius(rules, one) - TOLERANCE
    bars = [(piece.shape, piece.radius) for piece in war.board.terrain if piece.kind == BLOCKING]
    bars += [solid for section in war.standing for solid in solids(rules, section)]
    return any(closer((one.at,), shape, size + wide) for shape, wide in bars)


STEP = 20
"""Hundredths between the places that are tried."""


def _places(rules: Rules, one: Figure, section: Section, point: Access) -> Iterator[Point]:
    if point.name == TOP:
        shape, size = footprint(rules, section)
        xs, ys = [x for x, _ in shape], [y for _, y in shape]
        for x in range(min(xs) - size, max(xs) + size + 1, STEP):
            yield from ((x, y) for y in range(min(ys) - size, max(ys) + size + 1, STEP))
        yield section.at
        return
    (ax, ay), (bx, by) = point.line
    out = away(section, point.line)
    reach = radius(rules, one)
    if point.high:
        out = (-out[0], -out[1])
    count = 2 * max(1, rules.tables["measures"]["ladder_width"] // (2 * STEP))
    for n in range(count + 1):
        x, y = ax + (bx - ax) * n // count, ay + (by - ay) * n // count
        yield (x + reach * out[0] // 1_000_000, y + reach * out[1] // 1_000_000)


def away(section: Section, line: Shape) -> Point:
    """Return the direction, in millionths, that leads out of a section at a line on its edge."""
    (ax, ay), (bx, by) = line
    middle = ((ax + bx) // 2, (ay + by) // 2)
    for turn in (0, 900, 1800, 2700):
        x, y = direction(section.facing + turn)
        if (bx - ax) * x + (by - ay) * y == 0 or abs((bx - ax) * x + (by - ay) * y) < 2_000_000:
            way = (middle[0] - section.x) * x + (middle[1] - section.y) * y
            if way > 0:
                return (x, y)
    return direction(toward(section.at, middle))
