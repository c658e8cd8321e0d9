"""Who sees whom at a castle: every shooter of one side against every figure of the other, walls, slits and
moat between them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from benchmarks.measure import Growth, Result, Work, least
from pbem.core.ruleset import Ruleset
from pbem.core.sequence import Cursor
from pbem.referee.game.replay import Ground, lay_ground
from pbem.rulesets.siege.combat import aiming
from pbem.rulesets.siege.ground import character
from pbem.rulesets.siege.state.state import Battle, Unit

SIZES = (10, 20, 30)
LAND = Path(__file__).parents[1] / "scenarios" / "siege" / "maps" / "corvenstone.yaml"
POSTS = ("wall-walk", "inside-keep", "towers")
"""Marks of the map where the defenders stand; their enemies are in the field."""


_SCENARIO = b"""scenario: range
title: Before Corvenstone
ruleset: siege
map: corvenstone
length: 10 turns
sides:
  east: {name: East, first: true, colour: blue}
  west: {name: West, colour: red, enters: north-edge}
units:
  east:
  - {id: one, person: aelfgar-oakhand, at: 0909}
  west:
  - {id: two, person: meurig-goch, at: 0101}
victory:
  at-end:
  - {side: any, points: 10, when: "north-edge is held"}
  winner: {most: points, margin: {east: 3}, level: other}
"""


def ranged(figures: int) -> tuple[Ruleset[Battle], Battle]:
    """Return rules and a battle of so many shooters on the walls and as many before them."""
    files = {"scenario/range.yaml": _SCENARIO, "scenario/maps/corvenstone.yaml": LAND.read_bytes()}
    laid = lay_ground(
        {"id": "siege", "revision": 1, "modules": ["open-ground", "houses", "castle"], "options": {}}, files
    )
    if not isinstance(laid, Ground):
        raise AssertionError([problems for _, problems in laid.of])
    field = laid.field
    posts = [hex_ for mark in POSTS for hex_ in field.marks[mark]]
    below = [hex_ for hex_ in field.marks["field"] if field.ground[hex_].mp_foot is not None]
    people, units = {}, {}
    for number in range(figures):
        for side, hexes in (("east", posts), ("west", below)):
            id_ = f"{side[0]}{number:03}"
            people[id_] = character.of_class(laid.rules.tables, "crossbowman", id_)
            units[id_] = Unit(
                id_, id_, "man", side, side, "healthy", (hexes[number * len(hexes) // figures],)
            )
    field = replace(field, people=people)
    return laid.rules, Battle(field, Cursor("first_missile", 3, "east"), dict(sorted(units.items())))


def _works(figures: int) -> tuple[Work, Work, Work]:
    """Return seeing every pair with the walls known, the same where they were just changed, and the ranges
    alone.
    """
    rules, known = ranged(figures)

    def pairs(now: Battle) -> Iterator[tuple[Unit, Unit]]:
        shooters = [unit for unit in now.units.values() if unit.side == "east"]
        targets = [unit for unit in now.units.values() if unit.side == "west"]
        return ((shooter, target) for shooter in shooters for target in targets)

    def seen(now: Battle = known) -> int:
        aims = (aiming.aim(rules, now, shooter, target) for shooter, target in pairs(now))
        return sum(isinstance(found, aiming.Aim) for found in aims)

    def anew() -> int:
        return seen(known.changed(features={}))

    def ranges() -> int:
        return sum(aiming.range_to(known, shooter, target) for shooter, target in pairs(known))

    if not 0 < seen() == anew() < figures * figures:
        raise AssertionError("some are seen and some are not, whether walls are known or not")
    return seen, anew, ranges


def results(seconds: float) -> Iterator[Result]:
    """Yield the benchmark."""
    figures = SIZES[-1]
    mine, first, bare = least(*_works(figures), seconds=seconds)
    yield Result(
        "sight", f"{figures} shooters, {figures} targets at a castle", "their ranges alone", mine, bare, 20
    )
    yield Result("sight", f"the same, {int(figures * figures / mine)} pairs a second", "", mine, None, 10)
    yield Result("sight", "the same, when a wall has just fallen", "", first, None, None)


def growth(seconds: float) -> Growth:
    """Return how the time grows with the number of figures."""
    return Growth(
        "sight", "figures a side", SIZES, least(*(_works(size)[0] for size in SIZES), seconds=seconds)
    )
