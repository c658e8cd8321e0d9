"""Move actions: breaking away, going, using access points, and who turns to whom."""

from __future__ import annotations

from math import isqrt

from msgspec.structs import replace

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.geometry.court import nearest
from pbem.geometry.plane import TURN, Point, along, direction, inches
from pbem.rulesets.castle.access import Access, may_not_use, points, spots, stands, touches_point, ways
from pbem.rulesets.castle.arcs import toward
from pbem.rulesets.castle.dial import Rules, can, row
from pbem.rulesets.castle.events import BrokeAway, Moved, Passed, Rolled, Turned
from pbem.rulesets.castle.facing import facing_of
from pbem.rulesets.castle.movement import Walk, has_room, room_along, speed, walk
from pbem.rulesets.castle.orders import Order
from pbem.rulesets.castle.space import enemies_at, footprint, radius, touch
from pbem.rulesets.castle.state import Figure, Section, War


def way_of(rules: Rules, war: War, one: Figure, order: Order) -> tuple[Point, ...]:
    """Return the way-points of an order, of one that says it in other words worked out."""
    if order.way:
        return order.way
    if order.heading is not None:
        return (ahead(one.at, order.heading, order.far),)
    if order.toward:
        return (goal(rules, war, one, order.toward),)
    if order.behind:
        return (behind(rules, war, one, order.behind),)
    return ()


def ahead(start: Point, heading: int, far: int) -> Point:
    """Return the point so far on from another."""
    x, y = direction(heading)
    return start[0] + _millionth(far * x), start[1] + _millionth(far * y)


def _millionth(value: int) -> int:
    size = (abs(value) + 500_000) // 1_000_000
    return size if value >= 0 else -size


def goal(rules: Rules, war: War, one: Figure, name: str) -> Point:
    """Return where somebody goes who goes toward another: to that one's centre, of an oblong section straight
    at the nearest point of it.
    """
    other = war.one(name)
    if isinstance(other, Figure):
        return other.at
    shape, _ = footprint(rules, other)
    return shape[0] if len(shape) == 1 else nearest(shape, one.at)


def behind(rules: Rules, war: War, one: Figure, name: str) -> Point:
    """Return the place right behind somebody, where bases touch."""
    other = war.one(name)
    facing = other.facing + TURN // 2
    reach = radius(rules, one) + (radius(rules, other) if isinstance(other, Figure) else _deep(rules, other))
    return ahead(other.at, facing, reach)


def _deep(rules: Rules, section: Section) -> int:
    size = row(rules, section)
    return int(size["radius"] if size["shape"] == "round" else size["depth"] // 2)


def contacts(war: War, one: Figure, order: Order) -> tuple[str, ...]:
    """Return at whose touch a move stops: at any enemy's, and at that of whom it goes toward (MKB6)."""
    if not order.until_contact:
        return ()
    enemies = tuple(other.id for other in war.up if other.side != one.side)
    return (*enemies, order.toward) if order.toward and order.toward not in enemies else enemies


def foreseen(rules: Rules, war: War, one: Figure, order: Order, reach: int | None = None) -> Walk:
    """Return how a warrior would go by an order, if he may leave."""
    reach = speed(rules, war, one) if reach is None else reach
    return walk(rules, war, one, way_of(rules, war, one, order), reach, contacts(war, one, order))


@rule("MKB7")
def breaks_away(rules: Rules, play: Play[War], one: Figure, led: str = "") -> bool:
    """Roll whether a warrior gets away from the enemies at his base: one roll for all of them; ``led`` is who
    makes him go.
    """
    if not enemies_at(rules, play.state, one):
        return True
    table = rules.tables["attacks"]["breaking"]
    label = f"break/{one.id}" + (f"/{led}" if led else "")
    (face,) = play.roll(label, table["sides"])
    play.happen(Rolled(f"{play.cursor}/{label}", table["sides"], (face,), "MKB7"))
    nimble = any(can(rules, one, ability) for ability in ("mounted", "flying", "titan"))
    free: bool = face >= table["others" if nimble else "foot"]
    play.happen(BrokeAway(one.id, face, "yes" if free else "no"))
    return free


def moved(rules: Rules, play: Play[War], one: Figure, found: Walk, facing: int | None) -> None:
    """Let a warrior go a way, with the look that he is told, else that of his last leg."""
    if can(rules, one, "mounted"):
        found, facing = reined(rules, play.state, one, found, facing)
    x, y = found.path[-1]
    if facing is None:
        facing = one.facing if (x, y) == one.at else toward(found.path[-2], found.path[-1])
    path = tuple(f"{inches(px)},{inches(py)}" for px, py in found.path)
    before = _still(rules, play.state, one, found)
    play.happen(Moved(one.id, path, x, y, facing, found.on, found.stopped))
    spins(rules, play, play.state.figure(one.id), before)


def reined(rules: Rules, war: War, one: Figure, found: Walk, facing: int | None) -> tuple[Walk, int]:
    """Return how a rider ends a way: at its last point at which both circles of his base have room, looking
    where he is told, else along his way, else as before (MKB20).
    """
    for n in range(len(found.path) - 1, 0, -1):
        start, end = found.path[n - 1 : n + 1]
        whole = isqrt((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) + 1
        looks = dict.fromkeys(look for look in (facing, toward(start, end), one.facing) if look is not None)
        room = room_along(rules, war, one, (start, end))
        for far in range(whole, 0, -1):
            x, y = along(start, end, far)
            for look in looks:
                there = replace(one, x=x, y=y, facing=look, on=found.on)
                if room(there):
                    short = (n, far) != (len(found.path) - 1, whole)
                    stopped = "blocked" if short else found.stopped
                    return Walk((*found.path[:n], (x, y)), found.on, stopped), look
    return Walk((one.at,), one.on, found.stopped or "blocked"), one.facing


def may_turn(rules: Rules, war: War, one: Figure, facing: int) -> bool:
    """Tell whether there is room for somebody to look another way: a rider turns a base that is long."""
    return not can(rules, one, "mounted") or has_room(rules, war, replace(one, facing=facing))


def _touching(rules: Rules, war: War, one: Figure) -> frozenset[str]:
    return frozenset(enemy.id for enemy in enemies_at(rules, war, one))


def _still(rules: Rules, war: War, one: Figure, found: Walk) -> frozenset[str]:
    """Return the enemies with whom a warrior stays in contact all the way: along a straight leg he is nowhere
    farther from them than at its ends. Who flies leaves them all.
    """
    touching = _touching(rules, war, one)
    if found.path[-1] != one.at and can(rules, one, "flying"):
        return frozenset()
    there = [replace(one, x=x, y=y) for x, y in found.path]
    return frozenset(id_ for id_ in touching if all(touch(rules, here, war.figure(id_)) for here in there))


@rule("MKB8", "MK3.8")
def spins(rules: Rules, play: Play[War], newcomer: Figure, before: frozenset[str]) -> None:
    """Let those turn to a newcomer, if they want to, to whom an enemy has come up; no section does, for
    nothing is in contact with it.
    """
    for enemy in enemies_at(rules, play.state, newcomer):
        if enemy.id in before:
            continue
        others = [other for other in enemies_at(rules, play.state, enemy) if other.id != newcomer.id]
        wanted = play.state.order_of(enemy.owner).spin or ("keep" if others else "newcomer")
        facing = toward(enemy.at, newcomer.at)
        if wanted == "newcomer" and facing != enemy.facing and may_turn(rules, play.state, enemy, facing):
            play.happen(Turned(enemy.id, facing, "spin", newcomer.id))


# --- through access points


def passage(rules: Rules, war: War, one: Figure, order: Order) -> tuple[Access, Access, Figure] | Problem:
    """Return the access points by which an order leads a warrior on or off a section from where he stands,
    and how he stands then; or why it does not.
    """
    section = war.section(order.enters or order.leaves)
    if may_not_use(rules, one):
        return Problem("castle.too-big", {"who": one.name}, rule="MK9.4")
    up = bool(order.enters)
    pairs = [
        (here, there)
        for here, there in ways(rules, war, one, section)
        if there.high == up and (not order.by or order.by in (here.name, there.name))
    ]
    if not pairs:
        return Problem("castle.no-way", {"who": one.name, "section": section.name}, rule="MK9.3")
    for here, there in pairs:
        if order.at is not None:
            on = section.id if there.high else ""
            x, y = order.at
            placed = replace(one, x=x, y=y, on=on, facing=toward(section.at, order.at))
            if stands(rules, war, placed, there):
                return here, there, placed
        elif (spot := next(spots(rules, war, one, there), None)) is not None:
            return here, there, spot
    return Problem("castle.no-room", {"who": one.name, "section": section.name}, rule="MK9.3")


def passes(rules: Rules, play: Play[War], one: Figure, order: Order) -> Problem | None:
    """Place a warrior at the other access point, where his move ends; return why it cannot be, or None."""
    found = passage(rules, play.state, one, order)
    if isinstance(found, Problem):
        return found
    here, there, placed = found
    facing = facing_of(play.state, placed, order.facing) if order.facing else placed.facing
    before = _touching(rules, play.state, one)
    play.happen(
        Passed(
            one.id,
            here.section,
            here.name,
            there.name,
            placed.x,
            placed.y,
            placed.facing if facing is None else facing,
            placed.on,
        )
    )
    spins(rules, play, play.state.figure(one.id), before)
    return None


def ends(rules: Rules, war: War, one: Figure, order: Order) -> Point:
    """Return where a move would end, also one on or off a section, if he may leave and there is room."""
    if not (order.enters or order.leaves):
        return foreseen(rules, war, one, order).path[-1]
    way = way_of(rules, war, one, order) or approach(rules, war, one, order)
    if way:
        found = walk(rules, war, one, way, speed(rules, war, one), contacts(war, one, order))
        (x, y) = found.path[-1]
        one = replace(one, x=x, y=y, on=found.on)
    through = passage(rules, war, one, order)
    return one.at if isinstance(through, Problem) else through[2].at


def approach(rules: Rules, war: War, one: Figure, order: Order) -> tuple[Point, ...]:
    """Return the way to the nearest access point of a section by which an order leads on or off it; none
    where he is at one, or there is none.
    """
    section = war.section(order.enters or order.leaves)
    every = [point for point in points(rules, war, section) if point.high != bool(order.enters)]
    wanted = [point for point in every if not order.by or order.by == point.name] or every
    if any(touches_point(rules, war, one, point) for point in every):
        return ()
    places = [spot.at for point in wanted for spot in spots(rules, war, replace(one), point)]
    return min(((_far(one.at, place), (place,)) for place in places), default=(0, ()))[1]


def _far(a: Point, b: Point) -> int:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2
