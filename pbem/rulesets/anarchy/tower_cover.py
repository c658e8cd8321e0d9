"""Shots from siege towers and at them: what their boards, slits and parapets cover, and what their moving
does to a shooter's aim.

What may be seen over walls from the height of a roof is ``heights`` of Siege.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from pbem.core.odds import Modifier
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.core.sequence import parse_cursor
from pbem.geometry.hex import distance, hex_of, neighbours, side_between, split_place
from pbem.rulesets.anarchy import oil_reach, siege_tower
from pbem.rulesets.anarchy.siege_tower import FIRST, FRONT, GROUND, LOWERED, REAR, SECOND, SIDE
from pbem.rulesets.siege.ground import heights
from pbem.rulesets.siege.ground.terrain import terrain_at
from pbem.rulesets.siege.sight import cover, lines
from pbem.rulesets.siege.state.family import Covered, where_there_is
from pbem.rulesets.siege.state.field import BATTLEMENT, PARAPET
from pbem.rulesets.siege.state.line import Line, View
from pbem.rulesets.siege.state.state import TOP, Battle, Thing, Unit
from pbem.rulesets.siege.turn import sequence

Rules = Ruleset[Battle]
INDOORS: Final = "tower_indoor_cover"
"""The option for those further in."""


# --- who does not shoot at all


@rule("A4.2.1b")
@where_there_is(siege_tower.TOWER)
def from_the_first_floor(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> Problem | None:
    """Return that nobody shoots from the first floor of a tower; None from everywhere else."""
    place = shooter.at[0] if shooter.at else ""
    tower = siege_tower.holding(battle, place) if place else None
    if tower is None or split_place(place)[1] != FIRST:
        return None
    names = {"unit": shooter.id, "target": target.id, "thing": tower.id}
    return Problem("tower.first-floor", names, rule="A4.2.1b", help="from the floor above, or the roof")


@rule("A4.2.6a")
@where_there_is(siege_tower.TOWER)
def inside(rules: Rules, battle: Battle, view: View, place: str) -> bool:
    """Tell whether a figure is in a tower, on another floor than who shoots or is shot at in it, so that it
    is in no shot's way.
    """
    tower = siege_tower.holding(battle, place)
    if tower is None:
        return False
    ends = [end for end in (view.start, view.end) if siege_tower.holding(battle, end) is tower]
    return bool(ends) and all(split_place(end)[1] != split_place(place)[1] for end in ends)


@rule("A4.2.6a")
@where_there_is(siege_tower.TOWER)
def through_the_bridge(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> Problem | None:
    """Return that the planks of a lowered bridge are between two figures: one is beneath them, the other on
    them or right beside them, and no lower than they; None of all others.
    """
    if not siege_tower.towers(battle) or not shooter.at or not target.at:
        return None
    for one, other in ((shooter.at[0], target.at[0]), (target.at[0], shooter.at[0])):
        planks = oil_reach.bridges_over(battle, one) if distance(hex_of(one), hex_of(other)) < 2 else ()
        if planks and not below(rules, battle, other, planks[0]):
            names = {"unit": shooter.id, "target": target.id, "place": planks[0]}
            return Problem("tower.planks", names, rule="A4.2.6a", help="from farther off, or from below")
    return None


# --- cover


@where_there_is(siege_tower.TOWER)
def settled(rules: Rules, battle: Battle, shooter: Unit, target: Unit, line: Line) -> Covered:
    """Return the cover of a target against a shot from a tower or into one; None where none is concerned."""
    if not siege_tower.towers(battle) or not shooter.at:
        return None
    here, there = lines.place_in(shooter, line.start), lines.place_in(target, line.end)
    of, into = siege_tower.holding(battle, here), siege_tower.holding(battle, there)
    if into is not None:
        way = (line.end, *reversed(line.track.crossed), line.start)
        found = in_a_tower(rules, battle, into, here, there, way)
        if found is not None:
            return found
    if of is None or of is into:
        return None
    out = (line.start, *line.track.crossed, line.end)
    return (
        past_the_raised_bridge(rules, battle, of, here, out)
        or from_the_roof(rules, battle, here, there, line)
        or from_the_bridge(rules, battle, of, here, there)
    )


def _row(rules: Rules, id_: str) -> str:
    return str(rules.tables["cover_anarchy"]["rows"][id_]["cover"])


def in_a_tower(
    rules: Rules, battle: Battle, tower: Thing, here: str, there: str, way: Sequence[str]
) -> Covered:
    """Return the cover of a target in a tower against a shot that comes by these hexes, its own first."""
    storey = split_place(there)[1]
    if siege_tower.holding(battle, here) is tower and hex_of(here) in tower.at:
        return None if storey == SECOND and hex_of(there) not in tower.at else within(storey, here)
    if hex_of(there) not in tower.at:
        return on_the_bridge(rules, battle, here, there)
    part = outlook(battle, tower, siege_tower.floor(battle.field, tower, storey), way)
    return (
        from_behind(rules, battle, tower, there, part)
        or behind_boards(rules, battle, there, part)
        or on_the_roof(rules, battle, there, part)
        or through_the_slits(rules, there, part)
        or behind_the_bridge(rules, battle, tower, here, there, part)
    )


def within(storey: str, here: str) -> Covered:
    """Return the cover of somebody in a tower from another in it: none on one floor, all between two."""
    return ("none" if split_place(here)[1] == storey else "infinite"), "A4.1b"


def outlook(battle: Battle, tower: Thing, hexes: Sequence[str], way: Sequence[str]) -> str:
    """Return over which part of a floor of such hexes a way leads out of it: ``front side rear``."""
    for one, other in pairwise(way):
        if one in hexes and other not in hexes:
            return _out(battle, tower, hexes, one, other)
    return FRONT


def _out(battle: Battle, tower: Thing, hexes: Sequence[str], one: str, other: str) -> str:
    """Return over which part one gets out of a floor from one of its hexes to another, beside it or with a
    hexside between them, along which the way runs: then that of its two hexes which covers more.
    """
    if side_between(one, other):
        return siege_tower.outlook(battle.field, tower, one, other)
    along = {*neighbours(one)} & {*neighbours(other)}
    steps = [(hex_, other) if hex_ in hexes else (one, hex_) for hex_ in along]
    parts = {siege_tower.outlook(battle.field, tower, *step) for step in steps}
    return next((part for part in (FRONT, SIDE, REAR) if part in parts), FRONT)


@rule("A4.2.3f")
def from_behind(rules: Rules, battle: Battle, tower: Thing, there: str, part: str) -> Covered:
    """Return the cover of somebody in a tower from behind, where every floor is open; None from elsewhere."""
    if part != REAR:
        return None
    storey = split_place(there)[1]
    if storey == GROUND:
        return _row(rules, "tower_foot_behind"), "A4.2.3f"
    if at_the_edge(battle, tower, there):
        return _row(rules, "tower_floor_behind"), "A4.2.3f"
    return ("none", "A4.2.3f") if storey == TOP else further_in(rules)


@rule("A4.2.3g")
def further_in(rules: Rules) -> Covered:
    """Return the cover of somebody further in than the rear edge of a floor: by the option as in a
    building.
    """
    return str(rules.setting(INDOORS)), "A4.2.3g"


def at_the_edge(battle: Battle, tower: Thing, place: str) -> bool:
    """Tell whether a place is at the rear edge of its floor."""
    hex_, storey = split_place(place)
    hexes = siege_tower.floor(battle.field, tower, storey)
    outside = (there for there in neighbours(hex_) if there not in hexes)
    return any(siege_tower.outlook(battle.field, tower, hex_, there) == REAR for there in outside)


@rule("A4.2.3a")
def behind_boards(rules: Rules, battle: Battle, there: str, part: str) -> Covered:
    """Return the cover of somebody on the two lowest levels: all; None on others."""
    if split_place(there)[1] not in (GROUND, FIRST):
        return None
    return rules.tables["terrain_norman_castle"]["rows"][siege_tower.ROWS[FIRST]]["cover"], "A4.2.3a"


@rule("A4.2.3e")
def on_the_roof(rules: Rules, battle: Battle, there: str, part: str) -> Covered:
    """Return the cover of somebody on the roof against a shot over its parapet; None elsewhere."""
    if split_place(there)[1] != TOP:
        return None
    return rules.tables["terrain_norman_castle"]["rows"][siege_tower.ROWS[TOP]]["cover"], "A4.2.3e"


@rule("A4.2.3d")
def through_the_slits(rules: Rules, there: str, part: str) -> Covered:
    """Return the cover of somebody on the floor of the bridge against a shot through the slits at its sides;
    None against others.
    """
    return (_row(rules, "tower_slits"), "A4.2.3d") if part == SIDE else None


def behind_the_bridge(
    rules: Rules, battle: Battle, tower: Thing, here: str, there: str, part: str
) -> Covered:
    """Return the cover of somebody on the floor of the bridge against a shot from ahead."""
    if tower.stands != LOWERED:
        return raised(rules)
    if below(rules, battle, here, there):
        return _row(rules, "bridge_below"), "A4.1c"
    return at_a_winch(rules, battle, tower, there) or over_the_bridge(rules)


@rule("A4.2.3b")
def raised(rules: Rules) -> Covered:
    """Return the cover that the raised bridge gives: all."""
    return rules.tables["terrain_norman_castle"]["rows"][siege_tower.ROWS[SECOND]]["cover"], "A4.2.3b"


def at_a_winch(rules: Rules, battle: Battle, tower: Thing, there: str) -> Covered:
    """Return the cover of somebody at a winch while the bridge is down; None of all others."""
    if there not in siege_tower.winches(battle.field, tower):
        return None
    return rules.tables["terrain_norman_castle"]["rows"][siege_tower.WINCH]["cover"], "A4.1d"


@rule("A4.2.3c")
def over_the_bridge(rules: Rules) -> Covered:
    """Return the cover of somebody against a shot over the lowered bridge: none."""
    return _row(rules, "tower_over_bridge"), "A4.2.3c"


def on_the_bridge(rules: Rules, battle: Battle, here: str, there: str) -> Covered:
    """Return the cover of somebody on a lowered bridge: all from below, else none."""
    row = rules.tables["terrain_norman_castle"]["rows"][siege_tower.BRIDGE]["cover"]
    return (_row(rules, "bridge_below") if below(rules, battle, here, there) else row), "A4.1c"


def below(rules: Rules, battle: Battle, here: str, there: str) -> bool:
    """Tell whether somebody stands lower than the other."""
    return heights.level(rules, battle, here) < heights.level(rules, battle, there)


# --- from a tower


@rule("A4.2.3b")
def past_the_raised_bridge(
    rules: Rules, battle: Battle, tower: Thing, here: str, way: Sequence[str]
) -> Covered:
    """Return that a shot from the floor of the bridge does not leave it ahead while the bridge is raised;
    None of other shots.
    """
    if split_place(here)[1] != SECOND or tower.stands == LOWERED:
        return None
    hexes = siege_tower.floor(battle.field, tower, SECOND)
    return raised(rules) if outlook(battle, tower, hexes, way) == FRONT else None


@rule("A4.2.7b")
def from_the_roof(rules: Rules, battle: Battle, here: str, there: str, line: Line) -> Covered:
    """Return that a shot down from the roof of a tower finds nobody covered but behind a parapet; None of
    other shots, and where walls stand all round.
    """
    if split_place(here)[1] != TOP or not below(rules, battle, there, here):
        return None
    ground = terrain_at(rules, battle, there)
    behind = PARAPET in ground.traits and not cover.past_the_shelter(battle, line, there)
    if behind or ground.indoors or ground.opening or cover.untouchable(ground.cover):
        return None
    return _row(rules, "away_from_parapet"), "A4.2.7b"


@rule("A4.2.7c")
def from_the_bridge(rules: Rules, battle: Battle, tower: Thing, here: str, there: str) -> Covered:
    """Return the cover of somebody on the wall-walk against a shot from the level of the lowered bridge; None
    of other shots.
    """
    if split_place(here)[1] != SECOND or tower.stands != LOWERED:
        return None
    ground = terrain_at(rules, battle, there)
    level = heights.level(rules, battle, here)
    if BATTLEMENT not in ground.traits or ground.level != level:
        return None
    return _row(rules, "behind_parapet"), "A4.2.7c"


# --- the die


@rule("A4.2.6b")
@where_there_is(siege_tower.TOWER)
def swaying(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> Modifier | None:
    """Return what it adds to the die that the tower of a shooter has moved since its side's turn began; None
    of all others.
    """
    tower = siege_tower.holding(battle, shooter.at[0]) if shooter.at else None
    if tower is None or not tower.rolled:
        return None
    then, now = (
        sequence.player_turns(battle.field, moment) for moment in (parse_cursor(tower.rolled), battle.at)
    )
    if now - then >= len(battle.field.sides):
        return None
    added = rules.tables["ranges_and_modifiers"]["modifiers"]["moving_siege_tower"]
    return Modifier("A4.2.6b", "moving siege tower", added)
