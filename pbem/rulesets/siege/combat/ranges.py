"""How far it is to a target, and how far a weapon shoots."""

from __future__ import annotations

from functools import cache, lru_cache

from msgspec.structs import replace

from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import distance, hex_of
from pbem.rulesets.siege.sight import line_of_fire
from pbem.rulesets.siege.state.line import Aim
from pbem.rulesets.siege.state.state import Battle, Unit

Rules = Ruleset[Battle]


@rule("S1.3d")
def weapon_of(rules: Rules, battle: Battle, shooter: Unit) -> str:
    """Return the weapon whose columns of the table are read: that of the shooter."""
    return line_of_fire.weapon(rules, battle, shooter)


def range_to(battle: Battle, shooter: Unit, target: Unit, at: str = "") -> int:
    """Return the number of hexes from shooter to target, the target's counted and not the shooter's; of two
    the nearer, or ``at``.
    """
    start, hexes = hex_of(shooter.at[0]), (at,) if at else target.hexes
    return min(distance(start, hex_) for hex_ in hexes) if hexes[1:] else distance(start, hexes[0])


def shot_at(target: Unit, aimed: Aim) -> Unit:
    """Return a target as who counts the range sees it: of two hexes only that in which it is shot at."""
    return target if len(target.at) < 2 else replace(target, at=(aimed.line.end,))


def bands(rules: Rules, weapon: str) -> list[tuple[str, int, int]]:
    """Return the range bands of a weapon: name, first and last hex; not those that it does not have."""
    table = rules.tables["ranges_and_modifiers"]
    return [
        (name, *limits)
        for name, limits in zip(table["columns"], table["weapons"][weapon]["bands"], strict=True)
        if limits[0] <= limits[1]
    ]


@rule("CH12.3a")
def band(rules: Rules, weapon: str, hexes: int) -> str:
    """Return the range band in which a weapon shoots so many hexes far, empty beyond the last."""
    table = rules.tables["ranges_and_modifiers"]
    return _holding(table["columns"], table["weapons"][weapon]["bands"], hexes)


@lru_cache(maxsize=1 << 10)
def _holding(names: tuple[str, ...], bands: tuple[tuple[int, int], ...], hexes: int) -> str:
    found = zip(names, bands, strict=True)
    return next((name for name, (first, last) in found if first <= hexes <= last), "")


@cache
def words(weapon: str) -> str:
    """Return the name of a weapon as players read it."""
    return weapon.replace("_", " ")
