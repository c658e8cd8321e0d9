"""Scaffolds: stages of planks against a wall, as high as that, with room for people beneath.

What is burnt of them is told by the rules for fire, how a ladder is set up against one by those for ladders.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import hex_of, neighbours, side_between, split_place
from pbem.rulesets.anarchy import rubble
from pbem.rulesets.anarchy.grounds import CHURCH_WINDOW
from pbem.rulesets.siege.ground import ladders, passages, terrain
from pbem.rulesets.siege.sight import lines
from pbem.rulesets.siege.state.family import Covered, Kind, Passage, Ways, where_there_is
from pbem.rulesets.siege.state.field import BATTLEMENT, RUBBLE, STAGE, Terrain
from pbem.rulesets.siege.state.line import Line
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.state import TOP, Battle, Thing, Unit
from pbem.rulesets.siege.things import toppling

Rules = Ruleset[Battle]
SCAFFOLD: Final = "scaffold"
MOST: Final = 3
"""Hexes of the longest scaffold."""


def scaffolds(battle: Battle) -> list[Thing]:
    """Return the scaffolds on the map, by id."""
    return [thing for _, thing in sorted(battle.things.items()) if thing.kind == SCAFFOLD and thing.at]


def over(battle: Battle, place: str) -> Thing | None:
    """Return the scaffold on whose stage a place is; None for every other place."""
    hex_, storey = split_place(place)
    if not storey:
        return None
    return next((thing for thing in scaffolds(battle) if hex_ in thing.at), None)


# --- where it stands


@rule("A2.2.2a")
def cannot_stand(grounds: Mapping[str, Terrain], hexes: Sequence[str]) -> Problem | None:
    """Return why no scaffold stands over some hexes: it has one to three of them in a row, each beside a
    wall; None if one does.
    """
    if len(set(hexes)) != len(hexes) or not 1 <= len(hexes) <= MOST or _torn(hexes):
        return Problem("scaffolding.hexes", {}, rule="A2.2.2a", help="such as at: 0302 0402 0502")
    alone = next((hex_ for hex_ in hexes if not any(_walls(grounds, hex_))), "")
    if not alone:
        return None
    return Problem("scaffolding.wall", {"hex": alone}, rule="A2.2.2a", help="put it at the foot of a wall")


def _torn(hexes: Sequence[str]) -> bool:
    return any(side_between(one, other) is None for one, other in pairwise(hexes))


def _walls(grounds: Mapping[str, Terrain], hex_: str) -> Iterator[Terrain]:
    """Yield the walls beside a hex, and the high windows in them."""
    for there in neighbours(hex_):
        ground = grounds.get(there)
        if ground is not None and (ground.blocks_line or STAGE in ground.traits) and ground.level > 0:
            yield ground


@rule("A2.2.2a")
def height(battle: Battle, scaffold: Thing) -> int:
    """Return the level of a scaffold: that of the wall it stands at, of several the highest."""
    walls = (wall for hex_ in scaffold.at for wall in _walls(battle.field.ground, hex_))
    return max((wall.level for wall in walls), default=1)


@rule("A2.2.2c")
def stages(battle: Battle, scaffold: Thing) -> Mapping[str, str]:
    """Return the ground of a scaffold: it lies above its hexes, which stay as they are for whoever is
    beneath.
    """
    return {f"{hex_}@{TOP}": SCAFFOLD for hex_ in scaffold.at}


# --- going about


@rule("A2.2.1")
def ways(rules: Rules, battle: Battle) -> Ways:
    """Return the steps along a scaffold, and from it to the walk, or the high window, of its wall and
    back.
    """
    found: dict[tuple[str, str], Passage] = {}
    merlons = int(rules.tables["movement_anarchy"]["rows"]["over_merlons"]["points"])
    for scaffold in scaffolds(battle):
        for place in stages(battle, scaffold):
            for there in battle.beside(place):
                found |= _steps(rules, battle, scaffold, place, there, merlons)
    return found


def _steps(rules: Rules, battle: Battle, scaffold: Thing, place: str, there: str, merlons: int) -> Ways:
    """Return the steps between a place on a scaffold and one beside it; none where there are none."""
    if hex_of(there) not in battle.field.ground:
        return {}
    here, beyond = (terrain.terrain_at(rules, battle, one) for one in (place, there))
    if RUBBLE in beyond.traits:
        return rubble.steps(rules, place, there, beyond, scaffold.id)
    walk = BATTLEMENT in beyond.traits and beyond.level == here.level
    if not walk and beyond.id not in (SCAFFOLD, CHURCH_WINDOW):
        return {}
    more = merlons if walk else 0
    ways_ = {(place, there): (beyond.mp_foot or 0) + more, (there, place): (here.mp_foot or 0) + more}
    return {way: Passage(cost, scaffold.id, "A2.2.1") for way, cost in ways_.items()}


@rule("A2.2.2b")
@where_there_is(SCAFFOLD)
def by_ladder_only(rules: Rules, battle: Battle, unit: Unit, here: str, there: str) -> Problem | None:
    """Return that nobody gets onto a scaffold from the ground, or down from it, without a ladder, but by the
    rubble of its wall; None where neither end is on one.
    """
    if not battle.things or not any(over(battle, place) for place in (here, there)):
        return None
    names = {"unit": unit.id, "here": here, "there": there}
    return Problem("scaffolding.no-way", names, rule="A2.2.2b", help="two men raise a ladder beside it")


def over_the_rail(rules: Rules, battle: Battle, here: str, there: str) -> bool:
    """Tell whether blows are struck between a scaffold and its wall although there are merlons between."""
    passage = passages.between(rules, battle, here, there)
    return passage is not None and passage.rule in ("A2.2.1", rubble.RULE)


# --- shots


@rule("A2.2.2d")
@where_there_is(SCAFFOLD)
def above_each_other(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> Problem | None:
    """Return that who is on a hex of a scaffold and who is under it do not shoot at each other; None of all
    others.
    """
    if not battle.things or not shooter.at or not target.at:
        return None
    here, there = shooter.at[0], target.at[0]
    scaffold = over(battle, here) or over(battle, there)
    if scaffold is None or hex_of(here) != hex_of(there):
        return None
    names = {"unit": shooter.id, "target": target.id, "thing": scaffold.id}
    return Problem("scaffolding.shots", names, rule="A2.2.2d", help="one of them takes a step aside")


@rule("A2.2.1", "A2.2.2e")
@where_there_is(SCAFFOLD)
def railing(rules: Rules, battle: Battle, target: Unit, line: Line) -> Covered:
    """Return the cover of who stands on a scaffold: none, for its railing is too thin, or by the option light
    as its chart has it; None of all others.
    """
    if not battle.things or over(battle, lines.place_in(target, line.end)) is None:
        return None
    return rules.setting("scaffold_cover"), "A2.2.2e"


# --- when it has burnt


def ladders_fall(rules: Rules, play: Play[Battle]) -> None:
    """Let those ladders fall, as if they were toppled, whose scaffold is no longer there at the end of a
    player turn.
    """
    for ladder in ladders.upright(play.state) if play.state.things else ():
        top = ladders.top(play.state, ladder)
        rubble = (hex_of(top), "rubble") in play.state.features
        if not rubble and not ladders.leads_up(rules, play.state, top):
            toppling.topple(rules, play, ladder, Act("topple", (), ladder.id))


KINDS: Final = {SCAFFOLD: Kind("houses", ground=stages, over=cannot_stand, level=height, burns=True)}
