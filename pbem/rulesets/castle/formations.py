"""Formations: who may act as one, and how far they go together."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.core.odds import Modifier
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.geometry.plane import Point, along
from pbem.rulesets.castle.dial import Rules, can, row
from pbem.rulesets.castle.movement import Walk, speed, walk
from pbem.rulesets.castle.space import in_contact
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
        return Problem("castle.formation-size", args, rule="MKB17")
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
    x, y = least.path[-1][0] - least.path[0][0], least.path[-1][1] - least.path[0][1]
    done = []
    for one, found in zip(units, walks, strict=True):
        end = (one.x + x, one.y + y)
        after = Walk((one.at, end) if end != one.at else (one.at,), found.on, least.stopped)
        done.append((one, after))
    return tuple(done)


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
    end = led.path[-1]
    done = [(head, led)]
    moved = replace(war, figures=tuple(one for one in war.figures if one.id not in names))
    back = (-step[0], -step[1])
    gap = 0
    before = head
    for one in units:
        if one.id == first:
            continue
        gap += int(row(rules, before)["radius"]) + int(row(rules, one)["radius"])
        far = (end[0] + back[0] * gap, end[1] + back[1] * gap)
        place = along(end, far, gap)
        done.append((one, walk(rules, moved, one, (place,), reach)))
        before = one
    return tuple(done)
