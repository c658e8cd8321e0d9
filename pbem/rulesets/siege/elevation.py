"""Elevation: on which line of the chart of levels a place stands, for shots and for blows between different levels."""

from __future__ import annotations

from typing import Final

from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.state import Battle
from pbem.rulesets.siege.terrain import terrain_at

Rules = Ruleset[Battle]

CATEGORIES: Final = {
    "siege_tower_platform": "siege_tower_platform",
    "ladder_upright": "ladder_top",
    "moat": "moat",
    "battlement": "battlement",
}
"""Ground -> line of the chart; of all other ground the floor decides."""
BY_FLOOR: Final = {"walk": "battlement", "tower": "tower_slit", "keep": "keep_slit"}


def category(rules: Rules, battle: Battle, place: str) -> str:
    """Return the line of the elevation chart for a place; on level ground it is ``ground``."""
    ground = terrain_at(rules, battle, place)
    return CATEGORIES.get(ground.id) or BY_FLOOR.get(ground.floor, "ground")
