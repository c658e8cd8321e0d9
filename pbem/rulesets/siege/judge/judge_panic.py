"""What has to be expected while an order file is judged, because men panic: who runs, who may run, and who
may come round.

What panic does is ``panic`` and ``flight``; what an outlook is, ``outlook``. Without the option nothing here
does anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.deeds import flight
from pbem.rulesets.siege.judge.outlook import Outlook
from pbem.rulesets.siege.march import escape
from pbem.rulesets.siege.state.state import Battle, Unit
from pbem.rulesets.siege.turn import panic
from pbem.rulesets.siege.turn.panic import PANIC, ROUT

Rules = Ruleset[Battle]


def flee(rules: Rules, outlook: Outlook) -> None:
    """Let those in rout run before any order of a movement phase; where they end is their owner's choice, so
    nobody is sure of it.
    """
    for unit in _own(outlook) if flight.in_force(rules) else ():
        if flight.runs_on(outlook.battle, unit):
            runs = escape.ways(rules, outlook.battle, unit, unit.mood)
            ends = [" ".join((run.end, *run.tails[-1:])) for run in runs if not run.off]
            outlook.place(unit.id, (*ends, *outlook.where(unit.id)))
            outlook.adrift.add(unit.id)


def frighten(rules: Rules, outlook: Outlook, units: Callable[[], Iterable[str]]) -> None:
    """Reckon with a death: whom it may frighten may be hurt, and stand anywhere; who that is is asked only
    where men panic.
    """
    if flight.in_force(rules):
        frightened = set(units())
        outlook.hurt |= frightened
        outlook.adrift |= frightened


def come_round(rules: Rules, outlook: Outlook, phase_ends: bool = False) -> None:
    """Let those come round who need not be afraid any more; who perhaps need not is taken for steady, but
    nobody is sure of him.
    """
    afraid = outlook.battle.afraid
    for unit in _own(outlook) if afraid and flight.in_force(rules) else ():
        if unit.mood == PANIC or (unit.mood == ROUT and phase_ends):
            sure = outlook.certain and _steady(rules, outlook.battle, unit)
            if sure or (not outlook.certain and _perhaps(rules, outlook, unit)):
                outlook.battle = outlook.battle.with_units(replace(unit, mood=""))
            if not sure and not outlook.battle.units[unit.id].mood:
                outlook.adrift.add(unit.id)


def _own(outlook: Outlook) -> list[Unit]:
    return [
        unit for _, unit in sorted(outlook.battle.units.items()) if unit.side == outlook.side and unit.living
    ]


def _steady(rules: Rules, battle: Battle, unit: Unit) -> bool:
    if unit.mood == ROUT:
        return panic.is_rallied(rules, battle, unit)
    return panic.is_steadied(rules, battle, unit) or panic.is_far(rules, battle, unit)


def _perhaps(rules: Rules, outlook: Outlook, unit: Unit) -> bool:
    """Tell whether a figure may be steady: as things go, with all enemies gone that may be, or if a leader
    came up who is on his way.
    """
    loose = {*outlook.places, *outlook.adrift, *outlook.hurt} - {unit.id}
    if any(panic.leads(rules, outlook.battle, other) for other in _own(outlook) if other.id in loose):
        return True
    return _steady(rules, outlook.battle, unit) or _steady(rules, next(outlook.best(unit.id)), unit)
