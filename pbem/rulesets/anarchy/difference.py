"""Melee by difference: what the attackers have more than the defenders decides the column, the ground shifts
it, and armour helps against the die.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from pbem.core.odds import Modifier, Tally
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.core.table import Grid
from pbem.rulesets.siege.deeds import attack_orders
from pbem.rulesets.siege.ground.character import person
from pbem.rulesets.siege.march import beasts
from pbem.rulesets.siege.state.state import Battle, Unit

Rules = Ruleset[Battle]
ATTACK: Final = replace(
    attack_orders.ATTACK,
    sentences=(attack_orders.in_sentence("POINTS"),),
    words=attack_orders.in_letters("{number}"),
)
"""An attack, with the difference that is still wanted: ``at least +12``."""
FOOT: Final = "combat_difference_foot"
MOUNTED: Final = "combat_difference_mounted"


@rule("A0.9")
def difference(attack: int, defence: int) -> int:
    """Return what the attackers have more than the defenders, or less."""
    return attack - defence


def written(points: int) -> str:
    """Return a difference as players read and write it, such as ``+12``."""
    return f"{points:+d}"


@rule("A0.9")
def column_of(rules: Rules, points: int) -> int:
    """Return the number of the column in whose band a difference lies, from 0."""
    for number, (_, most) in enumerate(rules.tables[FOOT]["bands"]):
        if most is None or points <= most:
            return number
    raise LookupError(f"no band of {FOOT} has {points:+d}")


@rule("A0.9")
def tally(
    rules: Rules,
    battle: Battle,
    attackers: Sequence[Unit],
    defenders: Sequence[Unit],
    attack: int,
    defence: int,
) -> Tally:
    """Return the column of the bare difference, and what shifts it: the ground, not how many attack."""
    points = difference(attack, defence)
    found = Tally(column_of(rules, points), f"{attack} less {defence} is {written(points)}")
    for modifier in rules.modifiers["melee"]:
        found = found.plus(modifier(rules, battle, attackers, defenders))
    return found


@rule("A1.5")
def table_for(rules: Rules, defenders: Sequence[Unit]) -> Grid:
    """Return the table of riders where all defenders are mounted, else that of figures on foot."""
    mounted = {beasts.as_mounted(unit) for unit in defenders} == {True}
    grid: Grid = rules.tables[MOUNTED if mounted else FOOT]["grid"]
    return grid


def column(table: Grid, shifted: int) -> str:
    """Return the heading of a column, stopped at the first and the last that is printed."""
    return table.columns[max(0, min(shifted, len(table.columns) - 1))]


@rule("A0.9")
def armour(rules: Rules, battle: Battle, defenders: Sequence[Unit]) -> Modifier | None:
    """Return what armour adds to the die: something where all defenders wear it."""
    if {person(battle, beasts.figure(battle, unit)).armoured for unit in defenders} != {True}:
        return None
    return Modifier("A0.9", "armoured", rules.tables[FOOT]["die"]["modifiers"]["armoured_defender"])
