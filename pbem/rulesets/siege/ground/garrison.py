"""The garrison: who is inside a castle, and which side defends it."""

from __future__ import annotations

from pbem.rulesets.siege.state.field import Field, Force
from pbem.rulesets.siege.state.state import Battle, Unit

CASTLE = "castle"
"""Kind of the areas of a map that are castles: all that lies within the outer wall, the wall itself too."""


def castle(battle: Battle, unit: Unit) -> frozenset[str]:
    """Return the hexes of the castle in which a figure is; empty if it is in none."""
    for inside in battle.field.once("castles", lambda: castles(battle.field)):
        if unit.hexes[0] in inside:
            return inside
    return frozenset()


def castles(field: Field) -> tuple[frozenset[str], ...]:
    """Return the hexes of each castle: the areas of that kind, else whatever nobody gets into from outside
    while the bridges are raised.
    """
    named = tuple(
        frozenset(field.areas[area]) for area, kind in sorted(field.area_kinds.items()) if kind == CASTLE
    )
    if named:
        return named
    from pbem.rulesets.siege.ground.castle_checks import OUTSIDE, Castle

    if OUTSIDE not in field.marks:
        return ()
    drawn = Castle(field.ground, field.sides_of_hexes, field.side_features, field.fixtures, field.marks)
    reached = drawn.flood(
        field.marks[OUTSIDE], {key for fixture in field.fixtures.values() for key in fixture.shuts}
    )
    inside = frozenset(
        hex_ for hex_, ground in field.ground.items() if ground.mp_foot is not None and hex_ not in reached
    )
    return (inside,) if inside else ()


def defends(battle: Battle, unit: Unit) -> bool:
    """Tell whether a figure is of the side that defends the castle it is in: the one of which most began the
    game there.
    """
    inside = castle(battle, unit)
    return bool(inside) and defender(battle.field, inside) == unit.side


def defender(field: Field, inside: frozenset[str]) -> str:
    """Return the side of which most figures begin the game inside a castle; empty if nobody does; ties in the
    order of play, the last.
    """
    found = {
        side.id: sum(begins_inside(field, force, inside) for force in field.forces if force.side == side.id)
        for side in field.sides
    }
    most = max(found.values(), default=0)
    return next((side for side in reversed(list(found)) if found[side] == most), "") if most else ""


def begins_inside(field: Field, force: Force, inside: frozenset[str]) -> bool:
    """Tell whether a figure begins the game inside a castle: by the scenario, or in a mark or a step of the
    setup that lies inside.
    """
    if force.enters:
        return False
    marks = (
        [force.within]
        if force.within
        else [step.within for step in field.setup if force.side in step.sides and "place" in step.may]
    )
    hexes = force.at or tuple(hex_ for mark in marks for hex_ in field.marks.get(mark, ()))
    return bool(hexes) and all(hex_ in inside for hex_ in hexes)
