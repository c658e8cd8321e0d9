"""Cover: the class in which a target is hit or missed, from the ground it stands on and from what the line of fire crosses.

Which column of a table that is, is read in ``shooting``; what bars the line altogether stands in ``line_of_fire``.
"""

from __future__ import annotations

from typing import Final

from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege import crests, crossfire, doorways, line_of_fire
from pbem.rulesets.siege.line_of_fire import Line
from pbem.rulesets.siege.state import Battle, Unit
from pbem.rulesets.siege.terrain import closed, terrain_at

Rules = Ruleset[Battle]

CLASSES: Final = ("none", "light", "medium", "heavy", "infinite")
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


@rule("S3.23e")
def at_a_crest(rules: Rules, battle: Battle, line: Line, hex_: str) -> str:
    """Return the cover of who stands at a crest that the line crosses; empty elsewhere."""
    row = rules.tables["sides"]["rows"][crests.CREST]
    return str(row["cover"]) if crests.at_edge(hex_, crests.crossed(rules, battle, line)) else ""


def on_a_slope(rules: Rules, battle: Battle, line: Line, hex_: str) -> str:
    """Return the cover that a slope gives who stands on it (option): if the line crosses a crest, or always, or only at the crest."""
    said = rules.setting("slope_cover")
    if said == "light_at_crest_only" or (said != "medium_always" and not crests.crossed(rules, battle, line)):
        return CLASSES[0]
    return of_ground(rules, battle, hex_)


@rule("S1.53b")
def turned_away(rules: Rules, battle: Battle, target: Unit, line: Line, hex_: str) -> bool:
    """Tell whether a figure in a doorway has its shelter on the other side than that from which it is shot at."""
    before = (line.start, *line.track.crossed)[-1] if hex_ == line.end else line.start
    sheltered = crossfire.sheltered(rules, battle, target)
    return sheltered != "" and sheltered != doorways.way_in(battle, hex_, before)


def of_hex(rules: Rules, battle: Battle, target: Unit, line: Line, hex_: str) -> tuple[str, str]:
    """Return the cover that a hex of the target gives it against a shot, and the rule it owes it to."""
    ground = terrain_at(rules, battle, hex_)
    if ground.id == crests.SLOPE:
        found = on_a_slope(rules, battle, line, hex_), "S1.3f"
    elif ground.opening and not untouchable(ground.cover):
        found = CLASSES[0] if turned_away(rules, battle, target, line, hex_) else ground.cover, "S1.53a"
    else:
        found = of_ground(rules, battle, hex_), "S1.3f"
    return _better(found, (at_a_crest(rules, battle, line, hex_), "S3.23e")) if line.sides else found


@rule("S3.31b")
def of_both_hexes(rules: Rules, battle: Battle, target: Unit, line: Line) -> tuple[tuple[str, str], ...]:
    """Return the covers of the hexes of a figure of two, of which it has the better, whichever it is shot at in."""
    hexes = line_of_fire.stands_in(battle, target)
    return tuple(of_hex(rules, battle, target, line, hex_) for hex_ in hexes)


@rule("S1.53c")
def through_an_opening(battle: Battle, line: Line) -> str:
    """Return the cover of a target that is shot at through a doorway, gateway or window from which it stands further in.

    Empty for all others. Who stands in the doorway himself and shoots out of it has no doorway between.
    """
    deep = doorways.depth(battle, line.end)
    for opening in line_of_fire.openings(battle, line):
        if (deep and deep >= doorways.inner_depth(battle, opening.where)) or behind_a_window(battle, line, opening.where):
            return opening.cover
    return ""


def behind_a_window(battle: Battle, line: Line, key: str) -> bool:
    """Tell whether a target stands right behind a window that is drawn on a hexside, on its inner side."""
    features = battle.field.sides_of_hexes.get(key, ())
    return any(feature.at == line.end and feature.kind not in line_of_fire.DOORWAYS for feature in features)


@rule("EN1.53a")
def outside_a_doorway(rules: Rules, battle: Battle, line: Line) -> str:
    """Return the cover of a target just outside a doorway in a hexside that is shot at through it from inside: as if it stood in it."""
    key = next((key for key in line.sides if line_of_fire.just_outside(battle, line.end, key)), "")
    features = battle.field.sides_of_hexes[key] if key else ()
    return next((battle.field.side_features[feature.kind].cover for feature in features), "")


@rule("S1.56a")
def walled_off(rules: Rules, battle: Battle, line: Line) -> str:
    """Return the first hexside without an opening that a line meets, be it crossed, touched or run along; empty if none."""
    return next((key for key in line.sides if closed(battle, key)), "")


def cover(rules: Rules, battle: Battle, shooter: Unit, target: Unit, line: Line) -> tuple[str, str]:
    """Return the cover class of a target along a line, the best it has, and the rule it owes it to."""
    if line.sides and walled_off(rules, battle, line):
        return CLASSES[-1], "S1.56a"
    best = of_hex(rules, battle, target, line, line.end)
    if len(target.at) > 1:
        for other in of_both_hexes(rules, battle, target, line):
            best = _better(best, other)
    if line_of_fire.restricted(line):
        best = _better(best, (through(rules, battle, line), "S3.21b"))
    if line.sides or (line.met and battle.field.openings):
        best = _better(best, (through_an_opening(battle, line), "S1.53c"))
    if line.sides:
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
