"""Grounds of The Anarchy: what water, windows and corners do beside the numbers of their rows.

What it costs to go there, and the cover and the sign of a ground, stand in the charts; scaffolds and doors
are things.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import distance, hex_of, neighbours
from pbem.rulesets.siege.ground import doorways, heights, ladders
from pbem.rulesets.siege.ground.character import person
from pbem.rulesets.siege.ground.terrain import terrain_at
from pbem.rulesets.siege.state.family import Bar, where
from pbem.rulesets.siege.state.field import (
    BATTLEMENT,
    CLUTTERED,
    CURTAIN,
    EVEN,
    PARAPET,
    RAM,
    RIDDEN,
    ROOF,
    STAGE,
    Field,
    Nature,
)
from pbem.rulesets.siege.state.line import Line
from pbem.rulesets.siege.state.state import Battle, Thing, Unit

Rules = Ruleset[Battle]

CHARTS: Final = ("terrain_water", "terrain_priory", "terrain_norman_castle", "terrain_engines")
"""The charts of grounds that The Anarchy lays over those of Siege."""
DEEP, CORNER, CHAPEL_WINDOW, CHURCH_WINDOW = "deep_water", "building_corner", "chapel_window", "church_window"
MASONRY: Final = "masonry"
STRIPPED, MASONRY_LEFT = "stripped", "castle_wall"
"""What becomes of a platform whose planks are destroyed, and the ground that is left."""
NATURES: Final[Mapping[str, Nature]] = {
    "beach": Nature(frozenset({EVEN})),
    "doorway": Nature(frozenset({RIDDEN})),
    "building_wall": Nature(frozenset({MASONRY}), hides="S1.56a"),
    "gate_open": Nature(frozenset({RIDDEN, EVEN})),
    **dict.fromkeys(
        ("low_battlement", "high_battlement"),
        Nature(frozenset({BATTLEMENT, CURTAIN, PARAPET}), stands=BATTLEMENT),
    ),
    "platform": Nature(frozenset({PARAPET, ROOF}), stands=BATTLEMENT),
    CHURCH_WINDOW: Nature(frozenset({STAGE}), stands=BATTLEMENT),
    "scaffold": Nature(frozenset({STAGE}), stands=BATTLEMENT),
    "hoarding": Nature(stands=BATTLEMENT),
    **dict.fromkeys(("ram", "ram_beam"), Nature(frozenset({RAM, CLUTTERED}), hides="A5.2.4a")),
    **dict.fromkeys(("penthouse", "penthouse_eaves"), Nature(frozenset({RAM, CLUTTERED}), hides="A5.3.1")),
}
"""What rules ask of a ground beside its row, where that is otherwise than in Siege."""


# --- water


def has_deep_water(field: Field) -> bool:
    """Tell whether there is any on the map."""
    return any(ground.id == DEEP for ground in field.ground.values())


@where(has_deep_water)
def keeps_out(rules: Rules, battle: Battle, unit: Unit) -> Bar | None:
    """Return what keeps a figure out of deep water; None where nothing does."""
    if not person(battle, unit).armoured:
        return None
    return lambda here, there: too_deep(rules, battle, unit, there)


@rule("A1.1g")
def too_deep(rules: Rules, battle: Battle, unit: Unit, there: str) -> Problem | None:
    """Return that somebody in armour does not go into deep water; None of every other ground."""
    if terrain_at(rules, battle, there).id != DEEP:
        return None
    names = {"unit": unit.id, "hex": there}
    return Problem("grounds.deep", names, rule="A1.1g", help="a ford lets him through")


@rule("A1.1g")
def hidden_by_water(rules: Rules, battle: Battle, line: Line, hex_: str) -> bool:
    """Tell whether deep water covers who is in it: not against somebody who shoots from right beside it."""
    return distance(line.start, hex_) > 1


# --- buildings


@rule("A2.1h")
def through_a_slit(rules: Rules, battle: Battle, unit: Unit, here: str, there: str) -> Problem | None:
    """Return that nobody climbs or strikes through the window of a chapel, which is entered and left on its
    inner side; None of every other step.
    """
    one, other = hex_of(here), hex_of(there)
    if CHAPEL_WINDOW not in (battle.field.ground[one].id, battle.field.ground[other].id):
        return None
    if all(doorways.depth(battle, hex_) == doorways.DEPTHS["building"] for hex_ in (one, other)):
        return None
    names = {"unit": unit.id, "here": here, "there": there}
    return Problem("grounds.slit", names, rule="A2.1h", help="only shots go through it")


# --- walls


def up_a_wall(rules: Rules, battle: Battle, unit: Unit, here: str, there: str) -> Problem | None:
    """Return that nobody goes or strikes from the walk of one wall to that of a higher one, or a lower one;
    None of every other step.
    """
    low, high = terrain_at(rules, battle, here), terrain_at(rules, battle, there)
    if {low.floor, high.floor} != {heights.WALK} or low.level == high.level:
        return None
    names = {"unit": unit.id, "here": here, "there": there}
    return Problem("grounds.walls", names, rule="A3.1b", help="stairs, or the door of a tower, lead there")


def ladder_top(battle: Battle, ladder: Thing) -> int:
    """Return the level of who is on an upright ladder: that of the wall-walk it leans against, where it does
    against one.
    """
    ground = battle.field.ground.get(ladders.faced(ladder))
    if ground is None or BATTLEMENT not in ground.traits:
        return battle.field.grounds[ladders.UPRIGHT].level
    return ground.level


@rule("A2.1f")
def at_the_corner(rules: Rules, battle: Battle, line: Line, hex_: str) -> bool:
    """Tell whether the corner of a building covers who stands at it: against a line that comes in right
    beside its masonry.
    """
    before = (line.start, *line.track.crossed)[-1] if hex_ == line.end else line.start
    beside = {*neighbours(hex_)} & {*neighbours(before)}
    return any(_masonry(rules, battle, there) for there in beside)


def _masonry(rules: Rules, battle: Battle, hex_: str) -> bool:
    return hex_ in battle.field.ground and MASONRY in terrain_at(rules, battle, hex_).traits


COVERS_WHEN: Final[Mapping[str, Callable[[Rules, Battle, Line, str], bool]]] = {
    DEEP: hidden_by_water,
    CORNER: at_the_corner,
}
"""Ground -> against which shots it covers who stands there."""
