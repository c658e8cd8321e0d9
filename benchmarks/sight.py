"""Who sees whom at a castle: every shooter of one side against every figure of the other, walls, slits and
moat between them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import combinations, cycle
from pathlib import Path

from msgspec.structs import replace

from benchmarks.measure import Growth, Result, Work, amount, calls, least
from pbem.core.ruleset import Ruleset
from pbem.core.sequence import Cursor
from pbem.geometry import fan
from pbem.referee.game.replay import Ground, lay_ground
from pbem.rulesets.siege.combat import aiming, ranges
from pbem.rulesets.siege.ground import character
from pbem.rulesets.siege.sight import recall
from pbem.rulesets.siege.state.line import Aim
from pbem.rulesets.siege.state.state import Battle, Feature, Unit

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


def ranged(figures: int, **options: str) -> tuple[Ruleset[Battle], Battle]:
    """Return rules and a battle of so many shooters on the walls and as many before them."""
    files = {"scenario/range.yaml": _SCENARIO, "scenario/maps/corvenstone.yaml": LAND.read_bytes()}
    modules = ["open-ground", "houses", "castle"]
    laid = lay_ground({"id": "siege", "revision": 1, "modules": modules, "options": options}, files)
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


def _pairs(now: Battle) -> tuple[list[Unit], list[Unit]]:
    units = now.units.values()
    return [unit for unit in units if unit.side == "east"], [unit for unit in units if unit.side == "west"]


def seen(rules: Ruleset[Battle], now: Battle) -> int:
    """Return how many pairs can shoot at each other from the walls downward."""
    shooters, marks = _pairs(now)
    return sum(1 for shooter in shooters for _ in aiming.targets(rules, now, shooter, marks))


def seen_singly(rules: Ruleset[Battle], now: Battle) -> int:
    """Return the same, each pair asked with the reason why not."""
    shooters, marks = _pairs(now)
    found = (aiming.aim(rules, now, shooter, mark) for shooter in shooters for mark in marks)
    return sum(isinstance(one, Aim) for one in found)


def fresh(battle: Battle) -> Battle:
    """Return the battle as one in which nobody has looked yet, of walls and lines known as before, of shots
    nothing.
    """
    after = replace(battle)
    after.__dict__["built"] = battle.built
    battle.field.built.pop(recall.NAME, None)
    return after


def apart(battle: Battle) -> Battle:
    """Return the battle on a map that nobody has seen."""
    return battle.changed(field=replace(battle.field))


def walking(battle: Battle) -> Iterator[Battle]:
    """Yield the battle after another of those in the field has taken a step each time."""
    ids = sorted(id_ for id_, unit in battle.units.items() if unit.side == "west")
    for number, id_ in enumerate(cycle(ids)):
        unit, ground = battle.units[id_], battle.field.ground
        around = [
            hex_
            for hex_ in battle.beside(unit.at[0])
            if hex_ in battle.field.marks["field"]
            and ground[hex_].mp_foot is not None
            and hex_ not in battle.living_in
        ]
        if around:
            battle = battle.with_units(replace(unit, at=(around[number % len(around)],)))
            yield battle


def falling(battle: Battle) -> Iterator[Battle]:
    """Yield the battle after another wall has fallen, no two of them alike."""
    walls = [
        hex_
        for hex_, ground in battle.field.ground.items()
        if ground.floor in ("walk", "tower") and hex_ not in battle.living_in
    ]
    for many in range(1, len(walls)):
        for fallen in combinations(walls, many):
            features = {(hex_, "rubble"): Feature(hex_, "rubble") for hex_ in fallen}
            yield battle.changed(features=features)


def _works(figures: int) -> dict[str, Work]:
    """Return the works by name, of a battle whose walls are known."""
    rules, known = ranged(figures)
    standing, walked = apart(known), walking(apart(known))
    seen(rules, standing)
    fallen = falling(standing)

    def lengths() -> int:
        shooters, marks = _pairs(known)
        return sum(ranges.range_to(known, shooter, mark) for shooter in shooters for mark in marks)

    if not 0 < seen(rules, known) == seen_singly(rules, fresh(known)) < figures * figures:
        raise AssertionError("some are seen and some are not, however it is asked")
    return {
        "all": lambda: seen(rules, fresh(known)),
        "singly": lambda: seen_singly(rules, fresh(known)),
        "again": lambda: seen(rules, known.with_units(*known.units.values())),
        "step": lambda: seen(rules, next(walked)),
        "fallen": lambda: seen(rules, next(fallen)),
        "map": lambda: seen(rules, apart(known)),
        "ranges": lengths,
    }


def _any_part(figures: int) -> dict[str, Work]:
    """Return the works where lines join any parts of two hexes; tables of lines are in memory."""
    rules, known = ranged(figures, line_of_fire="any_part")
    standing, walked = apart(known), walking(apart(known))
    seen(rules, standing)
    fallen = falling(standing)
    if not 0 < seen(rules, known) == seen_singly(rules, fresh(known)) < figures * figures:
        raise AssertionError("some are seen and some are not, however it is asked")
    return {
        "all": lambda: seen(rules, fresh(known)),
        "step": lambda: seen(rules, next(walked)),
        "fallen": lambda: seen(rules, next(fallen)),
    }


def results(seconds: float) -> Iterator[Result]:
    """Yield the benchmark."""
    figures = SIZES[-1]
    works = _works(figures)
    took = dict(zip(works, least(*works.values(), seconds=seconds), strict=True))
    mine, what = took["all"], f"{figures} shooters, {figures} targets at a castle"
    yield Result("sight", what, "their ranges alone", mine, took["ranges"], 2)
    yield Result("sight time", what, "", mine, None, 1.5)
    yield calls("sight calls", f"function calls: {what}", works["all"])
    yield calls("sight calls", "function calls: their ranges alone", works["ranges"])
    yield Result("sight", f"{what}, each asked why not", "", took["singly"], None, None)
    yield Result("sight", f"{what}, asked in the same moment again", "", took["again"], None, None)
    yield Result("sight", f"{what}, when a figure has just taken a step", "", took["step"], None, None)
    yield Result("sight", f"{what}, when a wall has just fallen", "", took["fallen"], None, 3)
    yield Result("sight", f"{what}, on a map never seen", "", took["map"], None, None)
    works = _any_part(figures)
    mine, step, fell = least(*works.values(), seconds=seconds)
    yield Result("sight", f"{what}, any parts of the hexes", "", mine, None, None)
    yield Result("sight", f"{what}, any parts, when a figure has just taken a step", "", step, None, None)
    yield Result("sight", f"{what}, any parts, when a wall has just fallen", "", fell, None, None)
    yield from _table()


def _table() -> Iterator[Result]:
    """Yield what the table of lines costs: to be made whole, and to be read where it was kept."""
    began = time.process_time()
    table = fan.written()
    made = time.process_time() - began
    what = f"table of lines, {sum(1 for _ in fan.steps())} steps"
    (read,) = least(lambda: fan.taken(table), seconds=0.3)
    yield Result("sight", f"{what}: made once", "", made, None, None)
    yield Result("sight", f"{what}: read", "", read, None, None)
    yield amount("sight", f"{what}: size", len(table) / 1e6, "MB")


def growth(seconds: float) -> Growth:
    """Return how the time grows with the number of figures."""
    return Growth(
        "sight", "figures a side", SIZES, least(*(_works(size)["all"] for size in SIZES), seconds=seconds)
    )
