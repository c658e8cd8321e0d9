"""Hoardings before engines that throw stones: they are bombarded hex by hex, and shield the walls behind.

What a stone does that is thrown in a battle is ``mangonel``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.core.table import Grid
from pbem.geometry import sight
from pbem.geometry.hex import SIDES, neighbour
from pbem.rulesets.anarchy import hoarding, hoarding_loss
from pbem.rulesets.siege.ground import slits
from pbem.rulesets.siege.state.days import Aimed, Days
from pbem.rulesets.siege.state.events import Rolled
from pbem.rulesets.siege.state.state import Battle

Rules = Ruleset[Battle]
TABLE: Final = hoarding.HOARDING


# --- a day's work at one


def hexes(battle: Battle) -> Sequence[str]:
    """Return the hexes over which hoardings hang, in their order."""
    return sorted(hex_ for thing in hoarding.hoardings(battle) for hex_ in thing.at)


def grid(rules: Rules) -> Grid:
    """Return the table on which a blow at a hoarding is read."""
    found: Grid = rules.tables[TABLE]["grid"]
    return found


def column(rules: Rules, points: int) -> str:
    """Return the heading of the highest column that is not above the points; empty below the first."""
    return next((name for name in reversed(grid(rules).columns) if int(name) <= points), "")


@rule("A3.3.6b")
def strike(rules: Rules, play: Play[Battle], hex_: str, points: int) -> tuple[int, int]:
    """Roll for the engines that bombarded a hex of a hoarding on a day; return the points that it costs them,
    and the place of the roll. A single D destroys the hex.
    """
    table, where, label = grid(rules), column(rules, points), f"bombard/{hex_}"
    if not where:
        return 0, -1
    die = play.roll(label, table.faces)[0]
    code = table.cell(die, where)
    means = table.key[code]
    full, told = f"{play.cursor}/{label}", "" if code == "-" else code
    cause = play.happen(
        Rolled(
            full,
            table.faces,
            (die,),
            "A3.3.6b",
            TABLE,
            where,
            str(die),
            row=die,
            result=told,
            said=means["text"],
        )
    )
    found = hoarding.at(play.state, hex_)
    if found is not None and int(means["steps"]):
        hoarding_loss.lose(rules, play, found, hex_, "broken", "A3.3.6b", cause)
    return int(means["lost"]), cause


def chances(rules: Rules, points: int) -> tuple[int, int]:
    """Return on how many faces of the die a hex is destroyed, and on how many it costs the engines points."""
    table, where = grid(rules), column(rules, points)
    found = [table.key[table.cell(die, where)] for die in range(1, table.faces + 1)] if where else []
    return sum(int(one["steps"]) > 0 for one in found), sum(int(one["lost"]) > 0 for one in found)


# --- the wall behind it


@rule("A3.3.6a")
def shields(rules: Rules, battle: Battle, hex_: str) -> Problem | None:
    """Return which hoarding keeps the wall in a hex from engines off the map: one that hangs where their line
    of fire comes in, straight at the outer side of the wall; None where none does.
    """
    for there in straight_before(battle, hex_):
        found = hoarding.at(battle, there)
        if found is not None:
            names = {"hex": hex_, "thing": found.id, "there": there}
            help_ = f"bombard {there} first, and the wall another day"
            return Problem("hoarding.shields", names, rule="A3.3.6a", help=help_)
    return None


@rule("A3.3.6a")
def stopped_by(battle: Battle, start: str, there: str) -> str:
    """Return the hex of the hoarding that a stone from an engine on the map strikes in the place of the wall
    in a hex; empty where none hangs in its line.
    """
    if not hoarding.hoardings(battle):
        return ""
    crossed = sight.between(start, there).crossed
    hung = (hex_ for hex_ in crossed if hoarding.at(battle, hex_) is not None)
    return next((hex_ for hex_ in hung if there in hoarding.walls(battle, hex_)), "")


def straight_before(battle: Battle, hex_: str) -> tuple[str, ...]:
    """Return the hex by which a line of fire comes straight at a wall from outside: of the hexes before it
    the middle one, of an even number the two in the middle.
    """
    outer = [side for side in SIDES if _outside(battle, neighbour(hex_, side))]
    first = next((n for n, side in enumerate(SIDES) if side in outer and SIDES[n - 1] not in outer), 0)
    row = [SIDES[(first + turn) % len(SIDES)] for turn in range(len(outer))]
    middle = row[(len(row) - 1) // 2 : len(row) // 2 + 1] if set(row) == set(outer) else outer
    return tuple(there for side in middle if (there := neighbour(hex_, side)))


def _outside(battle: Battle, there: str | None) -> bool:
    ground = battle.field.ground.get(there or "")
    if there is None or ground is None or ground.floor != hoarding.GROUND or ground.indoors:
        return False
    return not slits.outer(battle) or slits.is_outside(battle, there)


def record(rules: Rules, battle: Battle) -> Iterator[str]:
    """Yield what stands of hoardings on the siege sheet."""
    for thing in hoarding.hoardings(battle):
        yield f"{thing.id} of {thing.side} hangs over {' '.join(thing.at)}"


DAYS: Final = Days(aims=(Aimed("hoarding", hexes, strike, chances),), shields=(shields,), record=(record,))
