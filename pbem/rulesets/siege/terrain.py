"""Terrain: the chart of grounds and of what stands on hexsides, and what a figure's ground means in melee.

What it costs to go somewhere is ``movement``, what ground hides is ``cover``, what it lets through is ``line_of_fire``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import hex_of
from pbem.rulesets.siege.field import SideFeature, Terrain
from pbem.rulesets.siege.state import Battle, Unit

Rules = Ruleset[Battle]
Tables = Mapping[str, Any]
CHART, SIDES = "terrain_cry_havoc", "sides"


def grounds(tables: Tables) -> dict[str, Terrain]:
    """Return every ground of the chart, by id."""
    return {
        id_: Terrain(
            id=id_,
            title=row["title"],
            mp_foot=row["mp_foot"],
            mp_horse=row["mp_horse"],
            cover=row["cover"],
            melee_attacker=row["melee_attacker"],
            melee_defender=row["melee_defender"],
            level=row["level"],
            floor=row["floor"],
            blocks_line=row.get("blocks_line", False),
            flat=row.get("flat", False),
            cover_through=row.get("cover_through", ""),
            look=row["look"],
            rules=tuple(row.get("rules", ())),
            opening=row.get("opening", ""),
            indoors=row.get("indoors", ""),
        )
        for id_, row in tables[CHART]["rows"].items()
    }


def side_features(tables: Tables) -> dict[str, SideFeature]:
    """Return everything that may stand on a hexside, by id."""
    return {
        id_: SideFeature(
            id=id_,
            title=row["title"],
            passes=row["passes"],
            cost=row["cost"],
            blocks_line=row["blocks_line"],
            blocks_melee=row["blocks_melee"],
            look=row["look"],
            rules=tuple(row.get("rules", ())),
            joins=row.get("joins", False),
            cover=row.get("cover", ""),
            opening=row.get("opening", ""),
        )
        for id_, row in tables[SIDES]["rows"].items()
    }


def terrain_at(rules: Rules, battle: Battle, hex_: str) -> Terrain:
    """Return the ground of a hex; KeyError off the map."""
    return battle.field.ground[hex_]


def between(battle: Battle, here: str, there: str) -> tuple[SideFeature, ...]:
    """Return what stands on the hexside between two neighbouring places; nothing between others."""
    return battle.field.features_between.get((hex_of(here), hex_of(there)), ())


def closed(battle: Battle, key: str) -> bool:
    """Tell whether something without an opening stands on a hexside, so that no line passes it."""
    field = battle.field
    return any(field.side_features[feature.kind].blocks_line for feature in field.sides_of_hexes.get(key, ()))


def melee_barred(rules: Rules, battle: Battle, here: str, there: str) -> bool:
    """Tell whether something on the hexside keeps figures on both sides of it from fighting."""
    return any(feature.blocks_melee for feature in between(battle, here, there))


@rule("S1.1m")
def melee_sign(rules: Rules, battle: Battle, unit: Unit, attacking: bool) -> str:
    """Return the one sign, ``+ 0 -``, that the ground of a figure has in melee while it attacks, or while it defends."""
    grounds_ = [terrain_at(rules, battle, hex_) for hex_ in unit.hexes]
    return worst([ground.melee_attacker if attacking else ground.melee_defender for ground in grounds_])


@rule("S3.35e")
def worst(signs: Sequence[str]) -> str:
    """Return the sign that counts for a figure of two hexes in melee: that of the one less favourable to it."""
    return min(signs, key=("impossible", "-", "0", "+").index)
