"""Cover: the class in which a target is hit or missed, from the ground it stands on and from what the line of fire crosses.

Which column of a table that is, is read in ``shooting``; what bars the line altogether stands in ``line_of_fire``.
"""

from __future__ import annotations

from typing import Final

from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry import sight
from pbem.geometry.hex import SIDES, hexside
from pbem.rulesets.siege import line_of_fire
from pbem.rulesets.siege.line_of_fire import Line
from pbem.rulesets.siege.state import Battle, Unit
from pbem.rulesets.siege.terrain import terrain_at

Rules = Ruleset[Battle]

CLASSES: Final = ("none", "light", "medium", "heavy", "infinite")
DOORWAYS: Final = ("door", "arch", "gate")
"""Features of hexsides that are doorways, as far as the chart of hexsides gives them cover."""

_BY_POSITION: Final = "by_position"


@rule("S1.1l")
def rank(class_: str) -> int:
    """Return the place of a cover class in the ascending order none, light, medium, heavy, infinite."""
    return CLASSES.index(class_)


def untouchable(class_: str) -> bool:
    """Tell whether nobody in such cover can be a target."""
    return rank(class_) == len(CLASSES) - 1


def of_ground(rules: Rules, battle: Battle, hex_: str) -> str:
    """Return the cover that the ground of a hex gives who stands on it; where it depends on the shot, none by itself."""
    class_ = terrain_at(rules, battle, hex_).cover
    return CLASSES[0] if class_ == _BY_POSITION else class_


@rule("S3.21b")
def through(rules: Rules, battle: Battle, line: Line) -> str:
    """Return the cover that ground between the two gives the target, such as scrub; it does not add up. Empty if there is none."""
    hex_ = line_of_fire.first_between(line, lambda hex_: terrain_at(rules, battle, hex_).cover_through != "")
    return terrain_at(rules, battle, hex_).cover_through if hex_ else ""


@rule("EN1.53a")
def outside_a_doorway(rules: Rules, battle: Battle, line: Line) -> str:
    """Return the cover of a target just outside a doorway in a hexside that is shot at through it from inside: as if it stood in it."""
    rows = rules.tables["sides"]["rows"]
    for side in SIDES:
        key = hexside(line.end, side)
        for feature in battle.field.sides_of_hexes.get(key, ()):
            if feature.kind in DOORWAYS and feature.at != line.end and key in line.track.sides:
                return str(rows[feature.kind].get("cover", ""))
    return ""


@rule("S1.56a")
def walled_off(rules: Rules, battle: Battle, line: Line) -> str:
    """Return the first hexside without an opening that a line meets, be it crossed, touched or run along; empty if none."""
    field = battle.field

    def closed(key: str) -> bool:
        return any(field.side_features[feature.kind].blocks_line for feature in field.sides_of_hexes.get(key, ()))

    found = sight.blocked(line.track, _no_hex, closed, line_of_fire.mode(rules))
    return found.name if found else ""


def _no_hex(hex_: str) -> bool:
    return False


def cover(rules: Rules, battle: Battle, shooter: Unit, target: Unit, line: Line) -> tuple[str, str]:
    """Return the cover class of a target along a line, the best it has, and the rule it owes it to."""
    sides = bool(battle.field.sides_of_hexes)
    if sides and walled_off(rules, battle, line):
        return CLASSES[-1], "S1.56a"
    best = of_ground(rules, battle, line.end), "S1.3f"
    if line_of_fire.restricted(line):
        best = _better(best, (through(rules, battle, line), "S3.21b"))
    if sides:
        best = _better(best, (outside_a_doorway(rules, battle, line), "EN1.53a"))
    return best


def _better(one: tuple[str, str], other: tuple[str, str]) -> tuple[str, str]:
    return other if other[0] and rank(other[0]) > rank(one[0]) else one


def why_not(rules: Rules, battle: Battle, shooter: Unit, target: Unit, line: Line, class_: str) -> Problem | None:
    """Return why a target in its cover cannot be shot at; None if it can."""
    if not untouchable(class_):
        return None
    names = {"unit": shooter.id, "target": target.id, "hex": line.end}
    wall = walled_off(rules, battle, line)
    if wall:
        return Problem("cover.wall", {**names, "side": wall}, rule="S1.56a")
    return Problem("cover.infinite", names, rule="S1.1l")
