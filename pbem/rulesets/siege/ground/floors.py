"""Floors: from which hexes of a castle one gets to the hexes beside them, up and down, in and out.

That holds of any map; what things and rubble change about it in a battle is ``step``, ``passages`` and
``terrain``.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.rulesets.siege.ground.terrain import breached
from pbem.rulesets.siege.state.field import Terrain

WALL = "castle_wall"
STONE = (WALL, "parapet", "slit")
"""What nobody goes through or over, in a hex or on a hexside."""
SLIT = "arrow_slit"
WALK, INDOORS = "walk", ("tower", "keep")
"""Floors: that of the battlements, and those within towers and keeps."""
WAYS_UP = "stairs lead up from inside the castle, ladders and siege towers from outside"
SOLID = "a solid wall has no top to stand on, so neither stairs nor ladders lead onto it"


@rule("S1.61c")
def through_stone(code: str, names: Mapping[str, str], what: str) -> Problem | None:
    """Return that nobody goes through a castle wall, over its parapet or through an arrow slit; None of
    anything else.
    """
    if what not in STONE:
        return None
    return Problem(code, names, rule="S1.61c", help=SOLID if what == WALL else WAYS_UP)


def ways_up(ground: Terrain) -> str:
    """Return by what one comes to a hex on the walls; empty for ground that lies lower."""
    return WAYS_UP if ground.floor == WALK else ""


def bar(ends: Mapping[str, str], ground: Terrain, beyond: Terrain) -> Problem | None:
    """Return why nothing leads from one ground to another beside it on another floor; None if something does,
    or if it is the same.
    """
    if ground.floor == beyond.floor or breached(ground, beyond):
        return None
    if (
        problem := into_a_slit(ends, ground, beyond)
        or without_a_door(ends, ground, beyond)
        or up_the_wall(ends, ground, beyond)
    ):
        return problem
    if ground.joins or beyond.joins:
        return None
    return Problem("movement.floor", ends, rule="CH12.1a", help="a door, steps or a ladder must lead there")


@rule("S1.61e")
def into_a_slit(ends: Mapping[str, str], ground: Terrain, beyond: Terrain) -> Problem | None:
    """Return that the hex of an arrow slit is entered, and left, only on the floor of its building or by a
    doorway; None if it is.
    """
    if SLIT not in (ground.id, beyond.id) or has_a_door(ground, beyond):
        return None
    return Problem(
        "movement.slit", ends, rule="S1.61e", help="an arrow slit is reached from inside its building"
    )


@rule("S1.61d")
def without_a_door(ends: Mapping[str, str], ground: Terrain, beyond: Terrain) -> Problem | None:
    """Return that a tower or a keep is entered, and left, only by a doorway; None if there is one, or if it
    is neither.
    """
    if not {ground.floor, beyond.floor} & {*INDOORS} or has_a_door(ground, beyond):
        return None
    return Problem(
        "movement.doorway", ends, rule="S1.61d", help="towers and keeps are entered by their doorways"
    )


def has_a_door(ground: Terrain, beyond: Terrain) -> bool:
    """Tell whether one of two hexes is the doorway of a building."""
    return any(hex_.opening and hex_.joins for hex_ in (ground, beyond))


@rule("S1.61f")
def up_the_wall(ends: Mapping[str, str], ground: Terrain, beyond: Terrain) -> Problem | None:
    """Return that nobody climbs onto a battlement, or jumps off it; None where stairs or a doorway lead, or
    where there is none.
    """
    if WALK not in (ground.floor, beyond.floor) or stairs_lead(ground, beyond) or has_a_door(ground, beyond):
        return None
    return Problem("movement.battlement", ends, rule="S1.61f", help=WAYS_UP)


@rule("S1.61g")
def stairs_lead(ground: Terrain, beyond: Terrain) -> bool:
    """Tell whether one of two hexes has stairs, which lead from the courtyard to the battlements."""
    return any(hex_.joins and not hex_.opening for hex_ in (ground, beyond))
