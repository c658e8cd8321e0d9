"""The die of a shot: what is added to it, which table it is read on, and in which column and row.

Who shoots at whom is ``shooting``; what a shot that goes astray hits is ``misfire``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from pbem.core.odds import Modifier, Tally
from pbem.core.play import Play
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.core.table import Grid
from pbem.rulesets.siege.combat import ranges
from pbem.rulesets.siege.ground.character import person
from pbem.rulesets.siege.march.beasts import as_mounted, figure
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.line import Aim
from pbem.rulesets.siege.state.state import WOUNDED, Battle, Unit
from pbem.rulesets.siege.turn import skill

Rules = Ruleset[Battle]


@rule("S1.3b")
def far(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> Modifier | None:
    """Return what the range band adds to the die."""
    weapon = ranges.weapon_of(rules, battle, shooter)
    table = rules.tables["ranges_and_modifiers"]
    name = ranges.band(rules, weapon, ranges.range_to(battle, shooter, target))
    return Modifier(
        "S1.3b", f"{name} range", table["weapons"][weapon]["modifier"][table["columns"].index(name)]
    )


@rule("CH12.3c")
def unsteady(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> Modifier | None:
    """Return what a wound of the shooter adds to the die."""
    if shooter.state != WOUNDED:
        return None
    return Modifier(
        "CH12.3c", "wounded shooter", rules.tables["ranges_and_modifiers"]["modifiers"]["wounded_shooter"]
    )


MODIFIERS: Final[tuple[Callable[..., Modifier | None], ...]] = (far, unsteady, skill.of_the_shot)
ASTRAY: Final[tuple[Callable[..., Modifier | None], ...]] = (far, unsteady, skill.of_the_misfire)
"""Of the die of a shot, and of that of a misfire."""


def tally(rules: Rules, battle: Battle, shooter: Unit, target: Unit, die: int = 0) -> Tally:
    """Return the die and everything that is added to it, each with its rule; without a die, only what would
    be added.
    """
    found = Tally(die, f"die {die}" if die else "die")
    for modifier in family.here(rules, battle).modifiers["shot"]:
        if one := modifier(rules, battle, shooter, target):
            found = found.plus(one)
    return found


def added(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> int:
    """Return what all that is added to the die of a shot comes to: none of it depends on what the die
    shows.
    """
    found = 0
    for modifier in family.here(rules, battle).modifiers["shot"]:
        if one := modifier(rules, battle, shooter, target):
            found += one.shift
    return found


@rule("S1.3i")
def shifted(die: int, added: int) -> int:
    """Return the die with what is added to it: that is bad for the shooter, for low rows hit hardest."""
    return die + added


@rule("S1.3h")
def clamped(row: int, lowest: int, highest: int) -> int:
    """Return the printed row nearest to a sum."""
    return max(lowest, min(highest, row))


# --- table, column, result


@rule("CH12.3b")
def well_protected(battle: Battle, target: Unit) -> bool:
    """Tell whether a target is a knight: better protected than others, on foot too."""
    return person(battle, target).missile_class == "knights"


@rule("S1.3c")
def table_for(rules: Rules, battle: Battle, target: Unit) -> str:
    """Return the name of the shooting table for a target's category: knights and others, or riders and
    figures on foot (option).
    """
    if rules.setting("missile_target_split") == "mounted_vs_foot":
        protected = as_mounted(target)
    else:
        protected = well_protected(battle, figure(battle, target))
    return "shooting_knights" if protected else "shooting_others"


@rule("S1.3f")
def column(aimed: Aim) -> str:
    """Return the cover class of the target, by which the column is chosen."""
    return aimed.cover


@rule("S1.3e")
def result(grid: Grid, row: int, column: str) -> str:
    """Return the result code where the row of the modified die and the column of the cover meet."""
    return grid.cell(row, column)


def sheet_for(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> tuple[str, Grid]:
    """Return the table of a target's category, and in it the rows and columns of the shooter's weapon."""
    name, weapon = table_for(rules, battle, target), ranges.weapon_of(rules, battle, shooter)
    return name, rules.tables[name]["weapons"][weapon]["grid"]


@rule("S1.3a")
def rolled(play: Play[Battle], label: str, table: Grid) -> int:
    """Return the one die of a shot that is read in a table."""
    return play.roll(label, table.faces)[0]
