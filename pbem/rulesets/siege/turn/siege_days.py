"""The days of a siege: what follows what, when an assault is over, and who leads the besiegers.

A day begins with a morning, on which nobody orders; then the besieger plans it: bombardment, rest, or an
assault, which has the setup of the scenario and game turns of its own; in the evening nobody orders again.
What is done in these phases is ``campaign``; games of several days outside a siege have only evenings and
mornings (``healing``).
"""

from __future__ import annotations

from typing import Final

from pbem.core.sequence import ACTIVE, Phase
from pbem.rulesets.siege.state.events import PhaseBegan
from pbem.rulesets.siege.state.field import Field
from pbem.rulesets.siege.state.state import DEAD, WOUNDED, Battle, Unit

DAY: Final = Phase("day", "day", ACTIVE, "Plan of the day")
ASSAULT, BOMBARD, REST, LIFT = "assault", "bombard", "rest", "lift the siege"
PLANS: Final = (ASSAULT, BOMBARD, REST, LIFT)
EVENING: Final = "evening"


def under_siege(field: Field) -> bool:
    """Tell whether a scenario covers a siege, whose days the besieger plans."""
    return field.siege is not None


def besieger(battle: Battle) -> str:
    """Return the side that besieges; empty where there is no siege."""
    return battle.field.siege.besieger if battle.field.siege else ""


def commander(battle: Battle) -> tuple[str, ...]:
    """Return the one seat that plans the days: of the besieger's seats the first in the alphabet."""
    seats = {unit.owner for unit in battle.units.values() if unit.side == besieger(battle)}
    return tuple(sorted(seats)[:1])


def planned(battle: Battle) -> str:
    """Return what is planned for this day: one of ``PLANS``; empty as long as nothing is."""
    return battle.at.part if battle.at.part in PLANS else ""


def beginning(day: int) -> PhaseBegan:
    """Return the beginning of the phase in which the day is planned."""
    return PhaseBegan(DAY.id, day=day, part=DAY.id)


def evening(day: int) -> PhaseBegan:
    """Return the beginning of an evening."""
    return PhaseBegan(EVENING, day=day, part=EVENING)


def assaulting(battle: Battle) -> bool:
    """Tell whether an assault is going on."""
    return under_siege(battle.field) and battle.at.part == ASSAULT and battle.at.phase != DAY.id


def assault_ends(battle: Battle) -> bool:
    """Tell whether the assault is over with the game turn that ends now: it was the last, or no besieger is
    left on the map or to come.
    """
    if not assaulting(battle):
        return False
    last = bool(battle.field.length) and battle.at.turn >= battle.field.length
    return last or not any(
        takes_part(battle, unit) for unit in battle.units.values() if unit.side == besieger(battle)
    )


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
