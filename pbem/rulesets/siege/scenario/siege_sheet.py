"""The siege sheet: every wall of the castle with the steps it has lost, and every engine with its points, as
data and in words.

What is on it is part of the state and is decided in ``battering`` and ``bombardment``; here it is only drawn
up.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.state import Battle
from pbem.rulesets.siege.things import battering, bombardment
from pbem.rulesets.siege.turn import siege_days

Rules = Ruleset[Battle]


class Row(Struct, frozen=True):
    """One wall on the sheet."""

    at: str
    kind: str
    """``battlement tower keep``."""
    gate: bool
    """It is one of the two beside the drawbridge."""
    steps: int
    of: int
    """Steps that destroy it."""
    said: str
    """``whole``, ``slightly damaged``, ``damaged``, ``heavily damaged`` or ``destroyed``."""
    bombarded: bool
    last: int
    """Day on which it lost its last step; 0: it has lost none, or the game has but one day."""


class Engine(Struct, frozen=True):
    """One engine on the sheet."""

    id: str
    kind: str
    points: int
    of: int
    aim: str
    """Hex that it bombarded last; empty: none yet."""
    repaired_until: int
    """Day on whose morning its repair is done; 0: it is not under repair."""


def rows(rules: Rules, battle: Battle) -> tuple[Row, ...]:
    """Return every wall of the map, in map order; a map without a castle has none."""
    return tuple(_row(rules, battle, hex_, kind) for hex_, kind in battering.walls(battle).items())


def _row(rules: Rules, battle: Battle, hex_: str, kind: str) -> Row:
    table = rules.tables["battering"]
    wall, full = battering.wall_of(battle, hex_), int(table["steps_to_destroy"])
    steps = full if battering.destroyed(rules, battle, hex_) else wall.damage
    said = str(table["steps"][steps]) if steps else "whole"
    return Row(
        hex_, kind, battering.beside_the_bridge(battle, hex_), steps, full, said, wall.bombarded, wall.last
    )


def engines(rules: Rules, battle: Battle) -> tuple[Engine, ...]:
    """Return the engines of all sides that throw stones, by id."""
    found = []
    for id_, thing in sorted(battle.things.items()):
        if thing.kind in bombardment.ENGINES:
            full = bombardment.worth(rules, thing.kind)
            until = thing.repair_until if bombardment.under_repair(thing, battle.at.day) else 0
            found.append(Engine(id_, thing.kind, bombardment.points(rules, thing), full, thing.aim, until))
    return tuple(found)


def record(rules: Rules, battle: Battle) -> tuple[str, ...]:
    """Return the sheet in sentences: the day, every wall that was struck, and every engine; nothing where
    there is no siege.
    """
    return tuple(_sentences(rules, battle))


def _sentences(rules: Rules, battle: Battle) -> Iterator[str]:
    field = battle.field
    if field.siege is not None:
        most = f" of {field.siege.assaults}" if field.siege.assaults else ""
        plan = siege_days.planned(battle)
        yield (
            f"day {battle.at.day} of {field.days}"
            + (f", planned: {plan}" if plan else "")
            + f"; assaults made: {battle.log.assaults}{most}"
        )
    walls = rows(rules, battle)
    struck = [row for row in walls if row.steps or row.bombarded]
    for row in struck:
        kind = "wall beside the drawbridge" if row.gate else row.kind
        when = f", last on day {row.last}" if row.last else ""
        after = ", bombarded" if row.bombarded else ""
        yield f"{row.at} {kind}: {row.said} ({row.steps} of {row.of} steps{when}){after}"
    if field.siege is not None or struck:
        yield f"{len(walls) - len(struck)} of {len(walls)} walls have not been struck"
    for engine in engines(rules, battle):
        more = f", under repair until day {engine.repaired_until}" if engine.repaired_until else ""
        more += f", bombarded {engine.aim} last" if engine.aim else ""
        yield f"{engine.id}: {engine.points} of {engine.of} destruction points{more}"
    for lines in family.of(rules).days.record:
        yield from lines(rules, battle)
