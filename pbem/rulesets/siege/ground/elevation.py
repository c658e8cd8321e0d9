"""Elevation: on which line of the chart of levels a place stands, for shots and for blows between different
levels.
"""

from __future__ import annotations

from typing import Final

from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import hex_of, neighbours, side_between
from pbem.rulesets.siege.ground import passages
from pbem.rulesets.siege.ground.terrain import between, terrain_at
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.state import Battle, Unit

Rules = Ruleset[Battle]

INDOORS: Final = ("tower", "keep")
"""Floors within a building, on which the chart has but the arrow slits."""
BY_FLOOR: Final = {"walk": "battlement", "tower": "tower_slit", "keep": "keep_slit"}


def category(rules: Rules, battle: Battle, place: str) -> str:
    """Return the line of the elevation chart for a place; on level ground it is ``ground``."""
    ground = terrain_at(rules, battle, place)
    return ground.stands or BY_FLOOR.get(ground.floor, "ground")


def lets_fight(rules: Rules, battle: Battle, here: str, there: str) -> bool:
    """Tell whether the chart lets a figure fight another from place to place: on one level, over a ladder,
    where ground joins them.
    """
    chart = rules.tables["elevation"]
    cell = chart["melee"][category(rules, battle, here)][
        chart["columns"].index(category(rules, battle, there))
    ]
    if cell == "facing":
        return passages.between(rules, battle, here, there) is not None
    if cell == "yes" or joined(rules, battle, here, there):
        return True
    return any(levels(rules, battle, here, there) for levels in family.of(rules).melee.levels)


def joined(rules: Rules, battle: Battle, here: str, there: str) -> bool:
    """Tell whether stairs, a doorway or rubble lead from one place to the other, or both lie on one floor of
    a building.
    """
    ground, beyond = terrain_at(rules, battle, here), terrain_at(rules, battle, there)
    within = ground.floor == beyond.floor and ground.floor in INDOORS
    return (
        within
        or ground.joins
        or beyond.joins
        or any(feature.joins for feature in between(battle, here, there))
    )


def within_reach(rules: Rules, battle: Battle, place: str) -> list[Unit]:
    """Return the living figures in the hexes next to a place that stand on a level from which blows reach it,
    or it them.
    """
    return [unit for unit in beside(battle, place) if touches(rules, battle, unit, place)]


def beside(battle: Battle, place: str) -> list[Unit]:
    """Return the living figures in the hexes next to a place on the map, on whatever level they stand."""
    if hex_of(place) not in battle.field.ground:
        return []
    living, around = battle.living_in, neighbours(hex_of(place))
    return [battle.units[id_] for there in around if there in living for id_ in living[there]]


def touches(rules: Rules, battle: Battle, unit: Unit, place: str) -> bool:
    """Tell whether blows reach a place from where a figure stands, or the figure from there."""
    return any(_touch(rules, battle, there, place) for there in unit.at)


def _touch(rules: Rules, battle: Battle, here: str, there: str) -> bool:
    if side_between(hex_of(here), hex_of(there)) is None:
        return False
    parting = family.here(rules, battle).melee.parted
    if parting and any(parted(rules, battle, here, there) for parted in parting):
        return False
    return lets_fight(rules, battle, here, there)
