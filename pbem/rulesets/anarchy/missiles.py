"""Shots of The Anarchy: on which table they are read, what is added to the die, and what drives a target
back.
"""

from __future__ import annotations

from typing import Final

from pbem.core.odds import Modifier
from pbem.core.play import Play
from pbem.core.rule import rule
from pbem.core.ruleset import Files, Ruleset
from pbem.core.table import Grid
from pbem.rulesets.anarchy.sequence import DEFENSIVE
from pbem.rulesets.siege.combat import ranges, volleys
from pbem.rulesets.siege.deeds import deeds
from pbem.rulesets.siege.ground.character import person
from pbem.rulesets.siege.march import beasts, retreat
from pbem.rulesets.siege.state.events import Checked
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.state import Battle, Unit

Rules = Ruleset[Battle]
FOOT: Final = "missile_foot"
MOUNTED: Final = "missile_mounted"
HEXES_BACK: Final = "driven_back_hexes"


def resolve(rules: Rules, play: Play[Battle], files: Files) -> None:
    """Let those who play shoot, and throw, as they are ordered."""
    volleys.resolve(rules, play, files, {Act: deeds.act})


@rule("A0.10")
def sheet_for(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> tuple[str, Grid]:
    """Return the table on which a shot is read: there is one for riders and one for figures on foot."""
    name = MOUNTED if beasts.as_mounted(target) else FOOT
    return name, rules.tables[name]["grid"]


@rule("A0.10")
def weapon(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> Modifier | None:
    """Return what a weapon adds to the die: the weaker it is, the lower on the sheet it begins."""
    name = ranges.weapon_of(rules, battle, shooter)
    added = rules.tables[FOOT]["weapon_row_offset"][name]
    return Modifier("A0.10", ranges.words(name), added) if added else None


@rule("A0.10")
def armour(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> Modifier | None:
    """Return what the armour of a target adds to the die."""
    if not person(battle, beasts.figure(battle, target)).armoured:
        return None
    return Modifier("A0.10", "armoured", rules.tables[FOOT]["die"]["modifiers"]["armoured_target"])


@rule("A0.10")
def driven_back(rules: Rules, play: Play[Battle], shooter: str, target: str, cause: int) -> None:
    """Drive a target back. In defensive fire, when it has moved already, it has two points less in its next
    movement; in offensive fire it goes back at once, as far as it can, and not to where it stood.
    """
    if play.state.at.phase == DEFENSIVE:
        play.happen(Checked(target, str(play.state.at)))
        return
    stood = frozenset(play.state.units[target].at)
    for gone in range(int(rules.tables[FOOT][HEXES_BACK])):
        unit = play.state.units[target]
        if not unit.able or (gone and not retreat.ways(rules, play.state, unit).keys() - stood):
            return
        retreat.go(rules, play, target, (shooter,), cause, "A0.10", stood)
