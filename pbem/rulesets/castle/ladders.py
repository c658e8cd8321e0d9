"""Ladders: carried by formations, set up at walls, and taken down."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.geometry.court import nearest, square
from pbem.geometry.plane import Point, along
from pbem.rulesets.castle.access import by_ladders, touches_point
from pbem.rulesets.castle.dial import Rules, row
from pbem.rulesets.castle.events import LadderRaised, LadderTaken
from pbem.rulesets.castle.formations import no_formation
from pbem.rulesets.castle.space import footprint, touches
from pbem.rulesets.castle.state import Figure, Ladder, Section, War


def carried(war: War, units: Sequence[str]) -> tuple[Ladder, ...]:
    """Return the ladders that some carry: all who are left of those who took one up, together."""
    left = {one.id for one in war.up}
    return tuple(
        one for one in war.ladders if one.by and left & set(one.by) <= set(units) and left & set(one.by)
    )


@rule("MK8.7")
def carriers(rules: Rules, war: War, units: Sequence[Figure | Section]) -> Problem | None:
    """Return why some cannot handle a ladder, or None: only a formation that could move together does."""
    found = no_formation(rules, war, units)
    return found and Problem("castle.ladder-formation", rule="MK8.7")


@rule("MK8.8")
def no_raising(
    rules: Rules, war: War, units: Sequence[Figure], ladder: Ladder, section: Section
) -> Problem | None:
    """Return why a formation cannot set its ladder up at a section, or None: it carries it, and one of it
    touches that wall (MKA12).
    """
    names = tuple(one.id for one in units)
    if ladder not in carried(war, names):
        return Problem("castle.ladder-not-carried", {"ladder": ladder.id}, rule="MK8.8")
    if not row(rules, section)["wall"]:
        return Problem("castle.ladder-no-wall", {"section": section.name}, rule="MK8.8")
    if not any(touches(rules, one, section) for one in units):
        return Problem("castle.ladder-not-there", {"section": section.name}, rule="MK8.8")
    return None


def place(rules: Rules, units: Sequence[Figure], section: Section) -> Point:
    """Return where a ladder is set up: on the edge before the first of those who touch it, so far from its
    corners that all of the ladder stands at it.
    """
    shape, _ = footprint(rules, section)
    at = next(one for one in units if touches(rules, one, section)).at
    edges = list(pairwise((*shape, shape[0])))
    start, end = min(edges, key=lambda edge: square(nearest(edge, at), at))
    half = rules.tables["measures"]["ladder_width"] // 2
    return nearest((along(start, end, half), along(end, start, half)), at)


def put_up(rules: Rules, play: Play[War], units: Sequence[str], ladder: str, section: str) -> None:
    """Set a ladder up, in place of a move: there is an access point more."""
    war = play.state
    x, y = place(rules, [war.figure(id_) for id_ in units], war.section(section))
    play.happen(LadderRaised(ladder, section, x, y, tuple(units)))


@rule("MK8.9")
def no_taking(rules: Rules, war: War, units: Sequence[Figure], ladder: Ladder) -> Problem | None:
    """Return why a formation cannot take a ladder down, or None: it is at it, and no enemy is, at
    either end.
    """
    if any(one.by and set(one.by) & {unit.id for unit in units} for one in war.ladders):
        return Problem("castle.ladder-carried", rule="MK8.7")
    if not ladder.at:
        return Problem("castle.ladder-not-up", {"ladder": ladder.id}, rule="MK8.9")
    ends = [
        point
        for point in by_ladders(rules, war, war.section(ladder.at))
        if point.name.startswith(f"{ladder.id}-")
    ]
    at_it = [one for one in war.up if any(touches_point(rules, war, one, point) for point in ends)]
    if any(one.side != units[0].side for one in at_it):
        return Problem("castle.ladder-enemy", {"ladder": ladder.id}, rule="MK8.9")
    if not any(one in at_it for one in units):
        return Problem("castle.ladder-not-at", {"ladder": ladder.id}, rule="MK8.9")
    return None


def take_down(rules: Rules, play: Play[War], units: Sequence[str], ladder: str) -> None:
    """Take a ladder down and carry it."""
    play.happen(LadderTaken(ladder, play.state.ladder(ladder).at, tuple(units)))
