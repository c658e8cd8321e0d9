"""Siege towers: their two levels, how one goes about in them and steps over to the wall, and who may come to
blows with whom.

What moves a tower, and where it may go, is ``engines``; what can be shot from its platform and at it is
``line_of_fire`` and ``cover``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import hex_of, neighbours, side_between, split_place
from pbem.rulesets.siege.ground import passages, terrain
from pbem.rulesets.siege.state import rows
from pbem.rulesets.siege.state.family import Passage, Ways, where_there_is
from pbem.rulesets.siege.state.field import BATTLEMENT
from pbem.rulesets.siege.state.state import TOP, Battle, Thing, Unit

Rules = Ruleset[Battle]

TOWER: Final = "siege-tower"
OVER: Final = "S2.45a"
"""The rule of the passages between platforms and walls."""
GROUND: Final = "ground"
"""The floor of whatever is neither a building nor a wall."""


# --- two levels


@rule("S2.42a")
def platform(tower: Thing) -> tuple[str, ...]:
    """Return the places on top of a tower: one for each of its hexes, above the one inside it."""
    return tuple(f"{hex_}@{TOP}" for hex_ in tower.at)


def on_top(place: str) -> bool:
    """Tell whether a place is on the platform of a tower."""
    return split_place(place)[1] == TOP


def towers(battle: Battle) -> list[Thing]:
    """Return the siege towers on the map, by id."""
    return [thing for thing in battle.things.values() if thing.kind == TOWER and thing.at]


def inside_of(battle: Battle, place: str) -> Thing | None:
    """Return the tower in which a place is, below the platform; None for every other place."""
    return next((tower for tower in towers(battle) if place in tower.at), None)


def ground(battle: Battle, tower: Thing) -> Mapping[str, str]:
    """Return the ground inside a tower, and on its platform."""
    return {
        **dict.fromkeys(tower.at, "siege_tower_inside"),
        **dict.fromkeys(platform(tower), "siege_tower_platform"),
    }


# --- going about


def ways(rules: Rules, battle: Battle) -> Ways:
    """Return every step within the towers, and from their platforms to the wall and back."""
    found: dict[tuple[str, str], Passage] = {}
    for tower in towers(battle):
        for here, there in joined(tower):
            found[here, there] = Passage(_cost(rules, here, there), tower.id, "S2.42e")
        for here, there in over(rules, battle, tower):
            found[here, there] = found[there, here] = Passage(stepping_over(rules), tower.id, OVER)
    return found


@rule("S2.42e")
def joined(tower: Thing) -> Iterator[tuple[str, str]]:
    """Yield the steps that lead nowhere but inside a tower: on each level from hex to hex, and in each hex up
    and down.
    """
    for level in (tower.at, platform(tower)):
        for here in level:
            yield from ((here, there) for there in level if side_between(hex_of(here), hex_of(there)))
    for below, above in zip(tower.at, platform(tower), strict=False):
        yield below, above
        yield above, below


def _cost(rules: Rules, here: str, there: str) -> int:
    return along(rules) if on_top(here) == on_top(there) else climb(rules, up=on_top(there))


@rule("S2.42d")
def along(rules: Rules) -> int:
    """Return what a step on one level of a tower costs."""
    return int(rules.tables["footprints"]["steps"]["along"])


@rule("S2.42c")
def climb(rules: Rules, *, up: bool) -> int:
    """Return what it costs to climb from the inside to the platform, or down again."""
    return int(rules.tables["footprints"]["steps"]["up" if up else "down"])


@rule("S2.45a")
def over(rules: Rules, battle: Battle, tower: Thing) -> Iterator[tuple[str, str]]:
    """Yield where one steps from the platform over to the wall: a place of the platform, and a battlement
    beside it.
    """
    for here in platform(tower):
        for there in neighbours(hex_of(here)):
            if there in battle.field.ground and BATTLEMENT in terrain.terrain_at(rules, battle, there).traits:
                yield here, there


def stepping_over(rules: Rules) -> int:
    """Return what the step from a platform to the wall costs, or back."""
    return int(rules.tables["footprints"]["steps"]["over"])


@where_there_is(TOWER)
def bars_advance(rules: Rules, battle: Battle, unit: Unit, there: str) -> bool:
    """Tell whether a victor does not step over between platform and wall."""
    passage = passages.between(rules, battle, unit.at[0], there)
    return passage is not None and passage.rule == OVER and not rows.holds(rules, "advance_from_platform")


def no_other_way(unit: Unit, here: str, there: str) -> Problem | None:
    """Return that nobody gets onto a platform, or off it, where no passage leads; None where neither end is a
    platform.
    """
    if not on_top(here) and not on_top(there):
        return None
    help_ = (
        "from the inside one goes up in the same hex, and from the platform over to a battlement beside it"
    )
    return Problem(
        "towers.no-way", {"unit": unit.id, "here": here, "there": there}, rule="S2.42e", help=help_
    )


# --- blows


@rule("S2.45e")
@where_there_is(TOWER)
def two_levels(rules: Rules, battle: Battle, attacker: Unit, defender: Unit) -> Problem | None:
    """Return that nobody fights between the inside of a tower and its platform; None where it is not so
    between two figures.
    """
    for tower in towers(battle):
        levels = [
            any(place in level for place in unit.at)
            for unit in (attacker, defender)
            for level in (tower.at, platform(tower))
        ]
        if levels in ([True, False, False, True], [False, True, True, False]):
            names = {"unit": attacker.id, "target": defender.id, "thing": tower.id}
            return Problem("towers.levels", names, rule="S2.45e", help="one goes up or down first, as a move")
    return None


@rule("S2.45c")
@where_there_is(TOWER)
def across_to_the_wall(rules: Rules, battle: Battle, here: str, there: str) -> bool:
    """Tell whether blows are struck between two places over the parapet, because one steps there from a
    platform to the wall.
    """
    return any(
        (here, there) in steps or (there, here) in steps
        for tower in towers(battle)
        for steps in (set(over(rules, battle, tower)),)
    )


@rule("S2.45d")
def on_one_platform(battle: Battle, here: str, there: str) -> bool:
    """Tell whether two places are on the platform of the same tower, where blows are struck too."""
    return any(here in platform(tower) and there in platform(tower) for tower in towers(battle))


@rule("S2.45f")
def on_the_ground(rules: Rules, battle: Battle, here: str, there: str) -> bool:
    """Tell whether blows are struck between somebody inside a tower and somebody on the ground beside it."""
    if inside_of(battle, here) is None and inside_of(battle, there) is None:
        return False
    grounds = (terrain.terrain_at(rules, battle, place) for place in (here, there))
    return all(ground.floor == GROUND for ground in grounds)
