"""The days of a siege: what follows what, when an assault is over, and who leads the besiegers.

A day begins with a morning, on which nobody orders; then the besieger plans it: bombardment, rest, or an
assault, which has the setup of the scenario and game turns of its own; in the evening nobody orders again.
What is done in these phases is ``campaign``; games of several days outside a siege have only evenings and
mornings (``healing``).
"""

from __future__ import annotations

from typing import Final

from pbem.core.ruleset import Ruleset
from pbem.core.sequence import ACTIVE, Phase
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.events import PhaseBegan
from pbem.rulesets.siege.state.field import Field
from pbem.rulesets.siege.state.state import DEAD, WOUNDED, Battle, Unit

Rules = Ruleset[Battle]

DAY: Final = Phase("day", "day", ACTIVE, "Plan of the day")
ASSAULT, BOMBARD, REST, LIFT = "assault", "bombard", "rest", "lift the siege"
PLANS: Final = (ASSAULT, BOMBARD, REST, LIFT)
FIGHT: Final = "fight"
"""A fight for a mine, in games that have one: it is fought out on the map like an assault."""
BATTLES: Final = (ASSAULT, FIGHT)
EVENING: Final = "evening"


def under_siege(field: Field) -> bool:
    """Tell whether a scenario covers a siege, whose days the besieger plans."""
    return field.siege is not None


def besieger(battle: Battle) -> str:
    """Return the side that besieges; empty where there is no siege."""
    return battle.field.siege.besieger if battle.field.siege else ""


def planners(rules: Rules, battle: Battle) -> tuple[str, ...]:
    """Return the seats that plan the days: the besiegers' commander, or the commander of each side where the
    game has something to plan for all.
    """
    if not family.of(rules).days.all_plan:
        return commander(battle)
    sides: dict[str, str] = {}
    for unit in battle.units.values():
        sides[unit.side] = min(unit.owner, sides.get(unit.side, unit.owner))
    return tuple(sorted(sides.values()))


def commander(battle: Battle) -> tuple[str, ...]:
    """Return the one seat that plans the days: of the besieger's seats the first in the alphabet."""
    seats = {unit.owner for unit in battle.units.values() if unit.side == besieger(battle)}
    return tuple(sorted(seats)[:1])


def planned(battle: Battle) -> str:
    """Return what is planned for this day: one of ``PLANS``, or a fight; empty as long as nothing is."""
    return battle.at.part if battle.at.part in (*PLANS, FIGHT) else ""


def beginning(day: int) -> PhaseBegan:
    """Return the beginning of the phase in which the day is planned."""
    return PhaseBegan(DAY.id, day=day, part=DAY.id)


def evening(day: int) -> PhaseBegan:
    """Return the beginning of an evening."""
    return PhaseBegan(EVENING, day=day, part=EVENING)


def assaulting(battle: Battle) -> bool:
    """Tell whether an assault, or a fight, is going on."""
    return under_siege(battle.field) and battle.at.part in BATTLES and battle.at.phase != DAY.id


def assault_ends(rules: Rules, battle: Battle) -> bool:
    """Tell whether the assault is over with the game turn that ends now: it was the last, or no besieger is
    left on the map or to come; of a fight also what the game says.
    """
    if not assaulting(battle):
        return False
    most, over = turns(battle), family.of(rules).days.over
    if most and battle.at.turn >= most:
        return True
    if battle.at.part == FIGHT and over is not None and over(rules, battle):
        return True
    return not any(
        takes_part(battle, unit) for unit in battle.units.values() if unit.side == besieger(battle)
    )


def turns(battle: Battle) -> int:
    """Return how many game turns there are at most in what is fought on this day; 0: no limit."""
    siege = battle.field.siege
    return siege.fight if siege is not None and battle.at.part == FIGHT else battle.field.length


def takes_part(battle: Battle, unit: Unit) -> bool:
    """Tell whether a figure is on the map, or has its turn to come onto it still before it."""
    if unit.kind != "man" or unit.state == DEAD or unit.left:
        return False
    later = (force.turn for force in battle.field.forces if force.id == unit.id and force.enters)
    return bool(unit.at) or any(turn > battle.at.turn for turn in later)


def stays_behind(battle: Battle, unit: Unit) -> bool:
    """Tell whether a figure takes no part in an assault unless its seat places it: the dead never do, the
    wounded need not.
    """
    return assaulting(battle) and unit.state in (DEAD, WOUNDED)
