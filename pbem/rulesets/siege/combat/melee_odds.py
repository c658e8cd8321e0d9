"""The odds of an attack, what shifts them, and in which column of which combat table they are read.

Who may attack at all is ``may_attack``; what is rolled, and what the result does, is ``melee``.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.core.odds import Modifier, Tally
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.core.table import Grid
from pbem.rulesets.siege.ground import terrain
from pbem.rulesets.siege.ground.character import values
from pbem.rulesets.siege.march import beasts
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.state import Battle, Unit

Rules = Ruleset[Battle]
SIGNS = {"+": 1, "0": 0, "-": -1}


# --- what any melee comes to, by the policies in force


class Combat(Struct, frozen=True):
    """What some figures have against others: both strengths, the odds and what shifts them, and the column of
    which table is read.
    """

    attack: int
    defence: int
    odds: str
    """As players write them, before anything shifts them."""
    tally: Tally
    table: Grid
    heading: str


def force(
    rules: Rules, battle: Battle, attackers: Sequence[Unit], defenders: Sequence[Unit]
) -> tuple[int, int]:
    """Return what attackers bring up, and what defenders set against it."""
    policy = family.of(rules).melee
    return policy.strength(rules, battle, attackers), policy.resistance(rules, battle, defenders)


def combat(rules: Rules, battle: Battle, attackers: Sequence[Unit], defenders: Sequence[Unit]) -> Combat:
    """Return what an attack of these on those comes to before the die."""
    policy = family.of(rules).melee
    attack, defence = force(rules, battle, attackers, defenders)
    table = policy.table(rules, defenders)
    sum_ = policy.tally(rules, battle, attackers, defenders, attack, defence)
    return Combat(
        attack,
        defence,
        policy.written(policy.odds(attack, defence)),
        sum_,
        table,
        policy.column(table, sum_.total),
    )


# --- odds and column


@rule("S1.72c")
def strength(rules: Rules, battle: Battle, attackers: Sequence[Unit]) -> int:
    """Return the attack strengths of all attackers, added up."""
    total = 0
    for unit in attackers:
        total += values(rules, battle, unit).attack
    return total


@rule("S1.72b")
def resistance(rules: Rules, battle: Battle, defenders: Sequence[Unit]) -> int:
    """Return the defence strengths of all defenders, added up."""
    total = 0
    for unit in defenders:
        total += values(rules, battle, beasts.figure(battle, unit)).defence
    return total


@rule("S1.7c", "S1.7f")
def odds(attack: int, defence: int) -> int:
    """Return N of the odds N:1: attack divided by defence, fractions dropped in the defender's favour; 0
    below 1:1.
    """
    return attack // defence


def written(odds: int) -> str:
    """Return odds as players read and write them."""
    return f"{odds}:1"


@rule("S1.71a", "CH12.2c")
def ground(
    rules: Rules, battle: Battle, attackers: Sequence[Unit], defenders: Sequence[Unit]
) -> Modifier | None:
    """Return the shift that the terrain under both sides gives."""
    theirs = least_good([sign_of_attacker(rules, battle, unit, defenders) for unit in attackers])
    ours = best_defence([terrain.melee_sign(rules, battle, unit, False) for unit in defenders])
    shift = difference(rules, theirs, ours)
    return Modifier("S1.71b", f"terrain {theirs} against {ours}", shift) if shift else None


def sign_of_attacker(rules: Rules, battle: Battle, unit: Unit, defenders: Sequence[Unit]) -> str:
    """Return the sign of the ground from which a figure attacks some others."""
    return (
        "-"
        if before_the_keep(rules, battle, unit, defenders)
        else terrain.melee_sign(rules, battle, unit, True)
    )


@rule("S1.75a")
def before_the_keep(rules: Rules, battle: Battle, attacker: Unit, defenders: Sequence[Unit]) -> bool:
    """Tell whether a figure attacks from outside somebody in the entrance of the keep, as
    if from bad ground.
    """
    doors = battle.field.openings
    if not doors or doors.isdisjoint([hex_ for unit in defenders for hex_ in unit.hexes]):
        return False
    grounds = [terrain.terrain_at(rules, battle, place) for place in attacker.at]
    outside = not any(ground.floor == "keep" or ground.opening == "keep" for ground in grounds)
    return outside and any(
        terrain.terrain_at(rules, battle, place).opening == "keep" for unit in defenders for place in unit.at
    )


@rule("S1.72i")
def least_good(signs: Sequence[str]) -> str:
    """Return the sign that counts for attackers on different terrain: the least favourable to them."""
    return signs[0] if len(signs) == 1 else min(signs, key=SIGNS.__getitem__)


@rule("S1.72k")
def best_defence(signs: Sequence[str]) -> str:
    """Return the sign that counts for defenders on different terrain: the most favourable to the defence."""
    return signs[0] if len(signs) == 1 else max(signs, key=SIGNS.__getitem__)


@rule("S1.71b")
def difference(rules: Rules, attacker: str, defender: str) -> int:
    """Return the columns that terrain shifts: the attacker's sign less the defender's, as the chart above the
    tables says.
    """
    chart = rules.tables["terrain_effect_on_combat"]
    row: tuple[int, ...] = chart["rows"][attacker]
    return int(row[chart["columns"].index(defender)])


@rule("S1.72d")
def together(
    rules: Rules, battle: Battle, attackers: Sequence[Unit], defenders: Sequence[Unit]
) -> Modifier | None:
    """Return the one column that a joint attack earns, however many join."""
    if len(attackers) < 2 or out_of_reach(defenders):
        return None
    shift = rules.tables["combat_foot"]["column_rules"]["multi_attacker_shift"]
    return Modifier("S1.72d", "joint attack", shift)


@rule("S1.72e")
def out_of_reach(defenders: Sequence[Unit]) -> bool:
    """Tell whether a joint attack earns nothing, because it is made on a mounted figure; the strengths are
    still added.
    """
    return any(beasts.as_mounted(unit) for unit in defenders)


@rule("S1.72j")
def tally(
    rules: Rules,
    battle: Battle,
    attackers: Sequence[Unit],
    defenders: Sequence[Unit],
    attack: int,
    defence: int,
) -> Tally:
    """Return the odds and what shifts them: the raw odds first, then terrain, then the joint attack."""
    raw = max(1, odds(attack, defence))
    found = Tally(raw, f"{attack} against {defence} is {raw}:1")
    for modifier in rules.modifiers["melee"]:
        if shift := modifier(rules, battle, attackers, defenders):
            found = found.plus(shift)
    return found


@rule("S1.7e")
def table_for(rules: Rules, defenders: Sequence[Unit]) -> Grid:
    """Return the combat table of the defenders' state: there is one for riders and one for
    figures on foot.
    """
    mounted = [unit for unit in defenders if beasts.as_mounted(unit)]
    mixed = mounted and len(mounted) < len(defenders)
    afoot = not mounted or (mixed and rules.setting("mixed_defender_group") == "foot_table")
    grid: Grid = rules.tables["combat_foot" if afoot else "combat_mounted"]["grid"]
    return grid


def die_of(rules: Rules, battle: Battle, defenders: Sequence[Unit], die: int) -> Tally:
    """Return the die of an attack on some figures, with what is added to it."""
    found = Tally(die, f"die {die}")
    for modifier in family.of(rules).melee.of_the_die:
        found = found.plus(modifier(rules, battle, defenders))
    return found


def row(table: Grid, die: Tally) -> int:
    """Return the printed row nearest to a die with what is added to it."""
    return max(1, min(table.faces, die.total))


@rule("S1.71c")
def not_below_first(column: int) -> int:
    """Return the column number, stopped at the first: a shift to the left does not lead out of the table."""
    return max(column, 1)


@rule("S1.7i")
def not_beyond_last(column: int, last: int) -> int:
    """Return the column number, stopped at the last that is printed."""
    return min(column, last)


def column(table: Grid, shifted: int) -> str:
    """Return the heading of the column for shifted odds."""
    return table.columns[not_beyond_last(not_below_first(shifted), len(table.columns)) - 1]
