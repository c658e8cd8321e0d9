"""Formations: who may act as one, and how far they go together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isqrt

from msgspec.structs import replace

from pbem.core.odds import Modifier
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.geometry.plane import Point, along
from pbem.rulesets.castle.dial import Rules, can, row
from pbem.rulesets.castle.movement import Walk, room_along, speed, standing_on, walk
from pbem.rulesets.castle.space import free_of_bases, in_contact
from pbem.rulesets.castle.state import Figure, Section, War


def of_one_kind(rules: Rules, units: Sequence[Figure]) -> bool:
    """Tell whether warriors are of one faction, and no titans."""
    factions = {(one.side, row(rules, one)["faction"]) for one in units}
    return len(factions) == 1 and not any(can(rules, one, "titan") for one in units)


@rule("MK3.5")
def with_sections(units: Sequence[Figure | Section]) -> Problem | None:
    """Return why some do not make a formation, or None: a section is never part of one."""
    if not any(isinstance(one, Section) for one in units):
        return None
    return Problem("castle.formation-section", {"who": ", ".join(one.name for one in units)}, rule="MK3.5")


@rule("MKB17")
def no_formation(rules: Rules, war: War, units: Sequence[Figure | Section]) -> Problem | None:
    """Return why some do not make a formation, or None: as many as there may be, of one faction, each in
    contact with another.
    """
    if (problem := with_sections(units)) is not None:
        return problem
    warriors = [one for one in units if isinstance(one, Figure)]
    table = rules.tables["attacks"]["formation"]
    names = ", ".join(one.name for one in units)
    if not table["least"] <= len(units) <= table["most"]:
        args: dict[str, str | int] = {"count": len(units), "least": table["least"], "most": table["most"]}
        few = "one line for each of them, and an action for each" if len(units) < table["least"] else ""
        return Problem("castle.formation-size", args, rule="MKB17", help=few)
    if not of_one_kind(rules, warriors):
        return Problem("castle.formation-kinds", {"who": names}, rule="MKB17")
    for one in warriors:
        if not any(in_contact(rules, war, one, other) for other in warriors):
            return Problem("castle.formation-apart", {"who": one.name}, rule="MKB17")
    return None


@rule("MKB17")
def joined(rules: Rules, how: str, count: int) -> Modifier | None:
    """Return what the others of a formation add to the attack of the first."""
    each = rules.tables["attacks"]["formation"][how]
    return Modifier("MKB17", "formation", each * (count - 1)) if count > 1 else None


def together(rules: Rules, war: War, units: Sequence[Figure], step: Point) -> tuple[tuple[Figure, Walk], ...]:
    """Return how a formation moves side by side: each as far as the one who gets least far, at the slowest
    speed.

    Who has to wait for others gets no further either: they stay in contact.
    """
    reach = min(speed(rules, war, one) for one in units)
    names = tuple(one.id for one in units)
    walks = [walk(rules, war, one, ((one.x + step[0], one.y + step[1]),), reach, but=names) for one in units]
    least = min(walks, key=lambda found: _length(found))
    end = least.path[-1]
    way = (end[0] - least.path[0][0], end[1] - least.path[0][1])
    whole = isqrt(way[0] ** 2 + way[1] ** 2) + 1
    rooms = {
        one.id: room_along(rules, war, one, (one.at, (one.x + way[0], one.y + way[1])), names)
        for one in units
    }
    for far in range(whole, 0, -1):
        x, y = along((0, 0), way, far)
        after = _all_have_room(rules, war, [replace(one, x=one.x + x, y=one.y + y) for one in units], rooms)
        if after is not None:
            stopped = least.stopped if far == whole else "blocked"
            return tuple(
                (one, Walk((one.at, there.at), there.on, stopped))
                for one, there in zip(units, after, strict=True)
            )
    return tuple((one, Walk((one.at,), one.on, "blocked")) for one in units)


def _all_have_room(
    rules: Rules, war: War, units: Sequence[Figure], rooms: Mapping[str, Callable[[Figure], bool]]
) -> list[Figure] | None:
    """Return some where they are to stand, each on what is there; None where there is no room for one, beside
    others (``rooms``) or among them.
    """
    there = [replace(one, on=standing_on(rules, war, one) if one.on else "") for one in units]
    if any(now.on != "" for now in units) and not all(one.on for one in there):
        return None
    if not all(rooms[one.id](one) for one in there):
        return None
    among = replace(war, figures=tuple(there))
    return there if all(free_of_bases(rules, among, one) for one in there) else None


def _length(found: Walk) -> int:
    (ax, ay), (bx, by) = found.path[0], found.path[-1]
    return (ax - bx) ** 2 + (ay - by) ** 2


def column(
    rules: Rules, war: War, units: Sequence[Figure], first: str, step: Point
) -> tuple[tuple[Figure, Walk], ...]:
    """Return how a formation forms up behind its first man, who goes straight on: one behind the other, bases
    touching, none further than the slowest can.
    """
    reach = min(speed(rules, war, one) for one in units)
    names = tuple(one.id for one in units)
    head = next(one for one in units if one.id == first)
    led = walk(rules, war, head, ((head.x + step[0], head.y + step[1]),), reach, but=names)
    whole = isqrt(_length(led)) + 1
    for far in range(whole, 0, -SHORTER):
        end = along(head.at, led.path[-1], far)
        done = _behind(rules, war, units, replace(led, path=(head.at, end)), head, step, reach)
        if done is not None:
            return done
    return tuple((one, Walk((one.at,), one.on, "blocked")) for one in units)


SHORTER = 25
"""By how many hundredths the first of a column goes less far until all the others find their places."""


def _behind(
    rules: Rules, war: War, units: Sequence[Figure], led: Walk, head: Figure, step: Point, reach: int
) -> tuple[tuple[Figure, Walk], ...] | None:
    """Return how all get to their places behind one who has gone a way; None where one does not."""
    names = {one.id for one in units}
    moved = replace(war, figures=tuple(one for one in war.figures if one.id not in names))
    end, back = led.path[-1], (-step[0], -step[1])
    done, gap, before = [(head, led)], 0, head
    for one in units:
        if one.id == head.id:
            continue
        gap += int(row(rules, before)["radius"]) + int(row(rules, one)["radius"])
        place = along(end, (end[0] + back[0] * gap, end[1] + back[1] * gap), gap)
        found = walk(rules, moved, one, (place,), reach)
        if found.path[-1] != place:
            return None
        done.append((one, found))
        before = one
    there = [replace(one, x=found.path[-1][0], y=found.path[-1][1]) for one, found in done]
    rooms = {one.id: room_along(rules, moved, one, (one.at,)) for one in there}
    after = _all_have_room(rules, war, there, rooms)
    if after is None:
        return None
    return tuple((one, replace(found, on=now.on)) for (one, found), now in zip(done, after, strict=True))
