"""Underground: how one goes about in a mine, who fights there, and that nobody there and above hurt each
other.

A mine is a storey beneath its hexes; from its shaft one goes down into the tunnels beside that, and where two
mines have met one goes from one into the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import neighbours, split_place
from pbem.rulesets.anarchy import mining
from pbem.rulesets.siege.ground import passages, terrain
from pbem.rulesets.siege.state.family import Kind, Passage, Ways, where_there_is
from pbem.rulesets.siege.state.state import BELOW, Battle, Thing, Unit

Rules = Ruleset[Battle]
RULE: Final = "A6.1b"


def under(place: str) -> bool:
    """Tell whether a place is underground."""
    return split_place(place)[1] == BELOW


@rule("A6.3.3d")
def ground(battle: Battle, mine: Thing) -> Mapping[str, str]:
    """Return the ground of a mine: it lies beneath its hexes, whose walls stay as they are for whoever is on
    them.
    """
    return {f"{hex_}@{BELOW}": mining.MINE for hex_ in mine.at}


def ways(rules: Rules, battle: Battle) -> Ways:
    """Return the steps from tunnel to tunnel, and down from the shafts and up again."""
    found: dict[tuple[str, str], Passage] = {}
    lower = battle.lower
    for mine in mining.mines(battle):
        for hex_ in mine.at:
            here = lower[hex_]
            for there in neighbours(hex_):
                if there in lower:
                    found[here, lower[there]] = Passage(cost(rules, battle, lower[there]), mine.id, RULE)
        for top in mining.mouths(battle, mine):
            for there in neighbours(top):
                if there in mine.at:
                    found[top, lower[there]] = Passage(cost(rules, battle, lower[there]), mine.id, RULE)
                    found[lower[there], top] = Passage(cost(rules, battle, top), mine.id, RULE)
    return found


def cost(rules: Rules, battle: Battle, place: str) -> int:
    """Return the points for entering a place on foot."""
    return terrain.terrain_at(rules, battle, place).mp_foot or 0


@rule("A6.3.3d")
def only_through(rules: Rules, battle: Battle, unit: Unit, here: str, there: str) -> Problem | None:
    """Return that nobody gets underground, or out again, but by a shaft and tunnels; None where neither end
    is there.
    """
    if not (under(here) or under(there)):
        return None
    names = {"unit": unit.id, "here": here, "there": there}
    return Problem("mining.no-way", names, rule="A6.3.3d", help="a shaft leads into the tunnels beside it")


@rule("A6.3.6c")
def blows(rules: Rules, battle: Battle, here: str, there: str) -> bool:
    """Tell whether blows are struck between two places because one goes from the one to the other
    underground, whatever stands above.
    """
    passage = passages.between(rules, battle, here, there)
    return passage is not None and passage.rule == RULE


@rule("A6.3.3d")
def parted(rules: Rules, battle: Battle, here: str, there: str) -> bool:
    """Tell whether two places beside each other are on different storeys, such as a tunnel and the ground, or
    a floor of a siege tower and what is next to it, and nothing leads from the one to the other: nobody is
    kept from giving way by an enemy who cannot reach him there.
    """
    if split_place(here)[1] == split_place(there)[1]:
        return False
    ways = ((here, there), (there, here))
    return not any(passages.between(rules, battle, *way) for way in ways)


def ground_between(battle: Battle, one: Unit, other: Unit) -> bool:
    """Tell whether one of two figures is underground and the other above, and not at a shaft."""
    if not battle.lower or under(one.at[0]) == under(other.at[0]):
        return False
    above = other if under(one.at[0]) else one
    tops = {top for mine in mining.mines(battle) for top in mining.mouths(battle, mine)}
    return tops.isdisjoint(above.at)


@rule("A6.1b")
@where_there_is(mining.MINE)
def no_shots(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> Problem | None:
    """Return that nobody shoots out of a mine or into it, where cover is total; None of all others."""
    inside = next((unit for unit in (shooter, target) if unit.at and under(unit.at[0])), None)
    if inside is None:
        return None
    names = {"unit": shooter.id, "target": target.id, "inside": inside.id}
    return Problem("mining.shots", names, rule="A6.1b", help="he comes up first")


KINDS: Final = {
    mining.MINE: Kind(mining.MODULE, ground=ground, stays=True),
    mining.SHAFT: Kind(mining.MODULE, stays=True),
}
