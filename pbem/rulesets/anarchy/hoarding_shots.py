"""Shots at a hoarding: who shoots from it and at it, whom it covers, and what nobody shoots past."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry import sight
from pbem.geometry.hex import SIDES, distance, hex_of, hexside, neighbours
from pbem.rulesets.anarchy import hoarding, spears, stones
from pbem.rulesets.siege.ground import heights
from pbem.rulesets.siege.state.family import Covered, Screen, where_there_is
from pbem.rulesets.siege.state.field import RUBBLE
from pbem.rulesets.siege.state.line import Line, View
from pbem.rulesets.siege.state.state import Battle, Unit

Rules = Ruleset[Battle]
COVER: Final = "cover_anarchy"
OUTSIDE, BELOW, WALL, BEHIND = "hoarding_outside", "hoarding_below", "hoarding_wall", "behind_hoarding"
"""Rows of that table."""


def _cover(rules: Rules, row: str) -> str:
    return str(rules.tables[COVER]["rows"][row]["cover"])


# --- who shoots at whom


@where_there_is(hoarding.HOARDING)
def why_not(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> Problem | None:
    """Return why nobody shoots from a hoarding, or at one, from where these two are; None if one may."""
    if not battle.things or not shooter.at or not target.at:
        return None
    here, there = shooter.at[0], target.at[0]
    names = {"unit": shooter.id, "target": target.id}
    if problem := past_its_floor(battle, names, here, there):
        return problem
    if shooter.kind == stones.THROWN:
        return None
    if spears.has(battle, shooter):
        return no_spear(rules, battle, names, here, there)
    if hoarding.over(battle, here) is not None:
        return straight_down(battle, names, here, there) or to_the_front(rules, battle, names, here, there)
    if hoarding.over(battle, there) is not None and hex_of(here) == hex_of(there):
        return None if through_the_floor(rules, battle, here, there) else _above(names, there)
    return None


@rule("A3.3.5.2c")
def no_spear(rules: Rules, battle: Battle, names: Mapping[str, str], here: str, there: str) -> Problem | None:
    """Return that a spear goes neither out through the slits of a hoarding nor up through its floor; None
    where it is thrown straight down, at who is beside, or at who is on a hoarding from outside.
    """
    if hoarding.next_to_it(rules, battle, here, there):
        return None
    if hoarding.over(battle, here) is not None and not stones.through_the_floor(here, there):
        help_ = "a spear is thrown at who is straight below, or beside him on the hoarding or the wall"
        return Problem("hoarding.spear", names, rule="A3.3.5.2a", help=help_)
    if hoarding.over(battle, there) is not None and through_the_floor(rules, battle, here, there):
        help_ = "only bows and crossbows shoot up through it"
        return Problem("hoarding.above", {**names, "hex": hex_of(there)}, rule="A3.3.5.2c", help=help_)
    return None


@rule("A3.3.5.1b")
def past_its_floor(battle: Battle, names: Mapping[str, str], here: str, there: str) -> Problem | None:
    """Return that who is on the wall does not get at who is under the hoarding before him: its floor is
    between them; None of all others.
    """
    found = hoarding.at(battle, there)
    if found is None or here not in hoarding.walls(battle, there):
        return None
    help_ = "who is on the hoarding throws stones down through it"
    args = {**names, "thing": found.id, "hex": there}
    return Problem("hoarding.through", args, rule="A3.3.5.1b", help=help_)


def _above(names: Mapping[str, str], there: str) -> Problem:
    return Problem("hoarding.above", {**names, "hex": hex_of(there)}, rule="A3.3.5.2c")


@rule("A3.3.5.2b")
def straight_down(battle: Battle, names: Mapping[str, str], here: str, there: str) -> Problem | None:
    """Return that nobody shoots through the openings of his floor at who is straight below; None of all
    others.
    """
    if hex_of(here) != hex_of(there):
        return None
    help_ = "throw stones at him, or shoot from the next hex of the hoarding"
    return Problem("hoarding.below", {**names, "hex": hex_of(here)}, rule="A3.3.5.2b", help=help_)


@rule("A3.3.5.1a")
def to_the_front(
    rules: Rules, battle: Battle, names: Mapping[str, str], here: str, there: str
) -> Problem | None:
    """Return that who stands on a hoarding does not shoot where it does not look out; None where it does, of
    who is at the foot of the wall under another of its hexes, and of who is right beside him on the wall or
    the hoarding.
    """
    hex_ = hex_of(there)
    if hoarding.next_to_it(rules, battle, here, there) or (hex_ == there and hoarding.at(battle, hex_)):
        return None
    if not hoarding.front(battle, hex_of(here)).isdisjoint(leaves_by(hex_of(here), hex_)):
        return None
    looks = " ".join(side for side in SIDES if side in hoarding.front(battle, hex_of(here)))
    return Problem("hoarding.front", {**names, "hex": hex_}, rule="A3.3.5.1a", help=f"it looks to {looks}")


def leaves_by(here: str, there: str) -> tuple[str, ...]:
    """Return the sides by which the line from one hex to another leaves the first: two where it does so
    through a corner.
    """
    own = {hexside(here, side): side for side in SIDES}
    return tuple(own[key] for key in sight.between(here, there).sides if key in own)


@rule("A3.3.5.2c")
def through_the_floor(rules: Rules, battle: Battle, here: str, there: str) -> bool:
    """Tell whether one shoots from a place up through the floor of a hoarding: from the foot of the wall,
    straight below or as far aside as the table of cover has it.
    """
    aside = int(rules.tables[COVER]["rows"][BELOW]["aside"])
    below = heights.level(rules, battle, here) < heights.level(rules, battle, there)
    return below and distance(hex_of(here), hex_of(there)) <= aside


@rule("A3.3.5.2c")
@where_there_is(hoarding.HOARDING)
def up_from_the_moat(rules: Rules, battle: Battle, view: View) -> bool:
    """Tell whether one shoots up through the floor of a hoarding, be it out of the moat under it."""
    return hoarding.over(battle, view.end) is not None and through_the_floor(
        rules, battle, view.start, view.end
    )


# --- whom it covers


@where_there_is(hoarding.HOARDING)
def settled(rules: Rules, battle: Battle, shooter: Unit, target: Unit, line: Line) -> Covered:
    """Return the cover of who stands on a hoarding, or on the wall behind one; None of all others."""
    if line.view is None or not hoarding.hoardings(battle):
        return None
    if hoarding.over(battle, line.view.end) is None:
        return (_cover(rules, BEHIND), "A3.3.4d") if behind_it(rules, battle, line, line.view) else None
    return (
        from_beside(rules, battle, line.view)
        or from_below(rules, battle, line.view)
        or from_outside(rules, battle, line.view)
    )


@rule("A3.3.4c")
def from_beside(rules: Rules, battle: Battle, view: View) -> Covered:
    """Return the cover on a hoarding against a shot from a wall hex next to it; None against others."""
    beside = hoarding.next_to_it(rules, battle, view.start, view.end)
    return (_cover(rules, WALL), "A3.3.4c") if beside else None


@rule("A3.3.4b")
def from_below(rules: Rules, battle: Battle, view: View) -> Covered:
    """Return the cover on a hoarding against a shot up through its floor; None against others."""
    below = through_the_floor(rules, battle, view.start, view.end)
    return (_cover(rules, BELOW), "A3.3.4b") if below else None


@rule("A3.3.4a", "A3.3.4e")
def from_outside(rules: Rules, battle: Battle, view: View) -> Covered:
    """Return the cover on a hoarding against a shot from without, from however high it comes."""
    return _cover(rules, OUTSIDE), "A3.3.4a"


@rule("A3.3.4d", "A3.3.4e")
def behind_it(rules: Rules, battle: Battle, line: Line, view: View) -> bool:
    """Tell whether a hoarding hangs before the wall on which a target stands, where the shot comes in, from
    however high; who stands on it himself shoots past nothing.
    """
    if view.end not in battle.field.ground or hoarding.over(battle, view.start) is not None:
        return False
    if not _on_the_wall(battle, view.end):
        return False
    beside = {there for there in neighbours(line.end) if hoarding.at(battle, there)}
    if beside and _on_the_wall(battle, view.start):
        return not beside.isdisjoint(line.track.crossed)
    return line.start in beside or any(beside.issuperset(group) for group in line.met)


def _on_the_wall(battle: Battle, place: str) -> bool:
    """Tell whether a place is on masonry that stands, at which a hoarding could hang."""
    return hoarding.carries(battle.field.ground, place) and (place, RUBBLE) not in battle.features


def _level(rules: Rules, battle: Battle, place: str) -> int:
    """Return the level of a place; an engine on a wall is as high as that."""
    if _on_the_wall(battle, place):
        return battle.field.ground[place].level
    return heights.level(rules, battle, place)


# --- what it is in the way of


def standing(battle: Battle) -> Mapping[str, str]:
    """Return hex -> the hoarding over it."""
    return {hex_: thing.id for thing in hoarding.hoardings(battle) for hex_ in thing.at}


def _meets(rules: Rules, battle: Battle, line: Line, hex_: str) -> View | None:
    """Return how two lie to each other between whom a hoarding over a hex may be in the way; None where it is
    not: a shot between two on the ground passes beneath it, and one down from a hoarding, or up to it, by its
    outer side.
    """
    view, found = line.view, hoarding.at(battle, hex_)
    if view is None or found is None:
        return None
    levels = [_level(rules, battle, place) for place in (view.start, view.end)]
    own = hoarding.height(battle, found)
    hung = any(hoarding.over(battle, place) for place in (view.start, view.end))
    return None if max(levels) < own or (hung and min(levels) < own) else view


@rule("A3.3.5.1b")
def to_the_wall(rules: Rules, battle: Battle, line: Line, hex_: str) -> bool:
    """Tell whether a shot would go through the hoarding over a hex at who is on a wall, or from there out."""
    view = _meets(rules, battle, line, hex_)
    if view is None:
        return False
    walled = [_on_the_wall(battle, place) for place in (view.start, view.end)]
    return hex_ in line.track.crossed if all(walled) else any(walled)


def stops(rules: Rules, battle: Battle, line: Line, hex_: str) -> bool:
    """Tell whether the hoarding over a hex is in the way of a shot between others."""
    view = _meets(rules, battle, line, hex_)
    if view is None or all(_on_the_wall(battle, place) for place in (view.start, view.end)):
        return False
    return not past_it(rules, battle, view, hex_)


@rule("A3.3.5.3b")
def past_it(rules: Rules, battle: Battle, view: View, hex_: str) -> bool:
    """Tell whether a shot passes over a hoarding: from a higher hex, at who is at least as far from it as the
    shooter, as over a wall.
    """
    found = hoarding.at(battle, hex_)
    higher = found is not None and _level(rules, battle, view.high) > hoarding.height(battle, found)
    return higher and distance(hex_of(view.low), hex_) >= distance(hex_of(view.high), hex_)


def through(battle: Battle, names: Mapping[str, str], hex_: str) -> Problem:
    """Return that a shot would go through a hoarding to a wall, or out from there."""
    args = {**names, "thing": standing(battle)[hex_], "hex": hex_}
    return Problem("hoarding.through", args, rule="A3.3.5.1b", help="who is on the hoarding shoots out of it")


def in_the_way(battle: Battle, names: Mapping[str, str], hex_: str) -> Problem:
    """Return that the hoarding over a hex stops a shot."""
    args = {**names, "thing": standing(battle)[hex_], "hex": hex_}
    return Problem("hoarding.hides", args, rule="A3.3.5.3b", help="shoot past it, or over it from higher up")


@where_there_is(hoarding.HOARDING)
def beneath(rules: Rules, battle: Battle, view: View, place: str) -> bool:
    """Tell whether shots between two others pass beneath who stands in a place, for he is on a hoarding."""
    if hoarding.over(battle, place) is None:
        return False
    return heights.level(rules, battle, place) > heights.level(rules, battle, view.high)


SCREENS: Final = (Screen(standing, to_the_wall, through), Screen(standing, stops, in_the_way))
