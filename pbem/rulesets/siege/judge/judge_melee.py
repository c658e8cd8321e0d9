"""Judges an attack before anything is rolled, with everybody wherever he may be and the defenders in every
state in which they may live.

What makes an attack legal is decided in ``may_attack``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, product
from typing import Final

from pbem.core.problem import Path
from pbem.rulesets.siege.judge import fright
from pbem.rulesets.siege.judge.hearing import BY_PLACE, Hearing
from pbem.rulesets.siege.state.orders import Attack
from pbem.rulesets.siege.state.state import STUNNED, Battle, Unit

MOST_WORLDS: Final = 81
"""So many places or states of several figures at once are looked at; four figures in three of them each."""


def attack(hearing: Hearing, order: Attack, path: Path) -> None:
    """Judge an attack; whoever takes part may be hurt by it, and may be moved."""
    parties = (*order.who, *order.at)
    sure = _pledged(hearing, order)
    if not sure:
        problems = [hearing.why_not(world, "attack", order) for world in _worlds(hearing, order)]
        adrift = any(unit in hearing.outlook.adrift for unit in parties)
        illegal = [
            problem
            for problem in problems
            if problem is not None and not (adrift and problem.code in BY_PLACE)
        ]
        if len(illegal) == len(problems):
            hearing.say(illegal[0], path)
            if len(parties) > 2:
                _clash(hearing, order, sure=False)  # those who can would go on with it
            return
        sure = not _doubt(hearing, order, path)
        if sure and illegal:
            sure = False
            hearing.doubt(
                path, "weak", illegal[0].rule, units=", ".join(order.who), targets=", ".join(order.at)
            )
    _clash(hearing, order, sure)


def _clash(hearing: Hearing, order: Attack, sure: bool) -> None:
    """Let a combat be fought: whoever takes part may be hurt, give way or go forward."""
    parties = hearing.with_horses((*order.who, *order.at))
    for unit in order.who:
        hearing.outlook.did(unit, "fought", sure)
    for unit in parties:
        hearing.outlook.known.pop(unit, None)
    hearing.outlook.hurt |= parties
    hearing.outlook.adrift |= parties
    fright.frighten(hearing.rules, hearing.outlook, hearing.foes() | hearing.own())


def _pledged(hearing: Hearing, order: Attack) -> bool:
    """Tell whether the condition of this branch has just said that the attack is possible."""
    pledged = (
        len(order.who) == len(order.at) == 1
        and not order.least
        and (order.who[0], order.at[0]) in hearing.asserted
    )
    hearing.asserted = set()
    return pledged


def _worlds(hearing: Hearing, order: Attack) -> Iterator[Battle]:
    """Yield worlds for an attack: everybody wherever he may be, the defenders in every state in which they
    may live.
    """
    ways = [hearing.outlook.where(unit) or ("",) for unit in order.who]
    states = [hearing.outlook.states(unit) for unit in order.at]
    for places in islice(product(*ways), MOST_WORLDS):
        who = [
            replace(hearing.battle.units[unit], at=tuple(place.split()), did=hearing.outlook.surely_did(unit))
            for unit, place in zip(order.who, places, strict=True)
        ]
        for found in islice(product(*states), MOST_WORLDS):
            at = [
                _hurt(hearing.battle.units[unit], state) for unit, state in zip(order.at, found, strict=True)
            ]
            yield hearing.battle.with_units(*who, *at)


def _doubt(hearing: Hearing, order: Attack, path: Path) -> bool:
    """Say why an attack may not be made; tell whether there is a reason."""
    outlook = hearing.outlook
    for unit in order.who:
        if unit in hearing.mates:
            hearing.doubt(path, "mate", "S1.2c", unit=unit, seat=hearing.battle.units[unit].owner)
            return True
        if unit in outlook.adrift:
            hearing.doubt(path, "adrift", "S1.7a", unit=unit)
            return True
        if unit in outlook.places:
            hearing.doubt(path, "elsewhere", "S1.7a", unit=unit, places=" or ".join(outlook.where(unit)))
            return True
    for target in order.at:
        if target in outlook.adrift:
            hearing.doubt(path, "gives-way", "S1.7a", unit=order.who[0], target=target)
            return True
        if target in outlook.hurt and target not in outlook.known:
            hearing.doubt(path, "fallen", "S1.7a", unit=order.who[0], target=target)
            return True
    return False


def _hurt(unit: Unit, state: str) -> Unit:
    """Return a figure in a state that a blow may have put it in: who is stunned was thrown from his horse."""
    hurt = replace(unit, state=state)
    return replace(hurt, on="", at=unit.at[:1]) if unit.on and state == STUNNED else hurt
