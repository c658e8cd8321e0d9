"""Judges an attack before anything is rolled, with everybody wherever he may be and the defenders in every
state in which they may live.

What makes an attack legal is decided in ``may_attack``.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from typing import Final

from msgspec.structs import replace

from pbem.core.problem import Path, Problem
from pbem.rulesets.siege.judge import judge_panic
from pbem.rulesets.siege.judge.judging import BY_PLACE, Judging, doubtful
from pbem.rulesets.siege.state.orders import Attack
from pbem.rulesets.siege.state.state import STUNNED, Battle, Unit

MOST_WORLDS: Final = 81
"""So many places or states of several figures at once are looked at; four figures in three of them each."""


def attack(judging: Judging, order: Attack, path: Path) -> None:
    """Judge an attack; whoever takes part may be hurt by it, and may be moved."""
    parties = (*order.who, *order.at)
    sure = _pledged(judging, order)
    if not sure:
        doubt = _doubt(judging, order)
        adrift = not judging.outlook.adrift.isdisjoint(parties)
        legal, illegal = False, None
        for world in _worlds(judging, order):
            problem = judging.why_not(world, "attack", order)
            if problem is None or (adrift and problem.code in BY_PLACE):
                legal = True
                if doubt is not None:
                    break  # in doubt it is anyway, whatever the other worlds say
            elif illegal is None:
                illegal = problem
        if not legal and illegal is not None:
            judging.say(illegal, path)
            if len(parties) > 2:
                _clash(judging, order, sure=False)  # those who can would go on with it
            return
        if doubt is not None:
            judging.say(doubt, path)
        elif illegal is not None:
            judging.doubt(path, "weak", illegal.rule, units=", ".join(order.who), targets=", ".join(order.at))
        sure = doubt is None and illegal is None
    _clash(judging, order, sure)


def _clash(judging: Judging, order: Attack, sure: bool) -> None:
    """Let a combat be fought: whoever takes part may be hurt, give way or go forward."""
    parties = judging.with_horses((*order.who, *order.at))
    for unit in order.who:
        judging.outlook.did(unit, "fought", sure)
    judging.outlook.unsay(parties)
    judging.outlook.hurt |= parties
    judging.outlook.adrift |= parties
    judge_panic.frighten(judging.rules, judging.outlook, lambda: judging.foes() | judging.own())


def _pledged(judging: Judging, order: Attack) -> bool:
    """Tell whether the condition of this branch has just said that the attack is possible."""
    if not judging.asserted:
        return False
    pledged = (
        len(order.who) == len(order.at) == 1
        and not order.least
        and (order.who[0], order.at[0]) in judging.asserted
    )
    judging.asserted = set()
    return pledged


def _worlds(judging: Judging, order: Attack) -> Iterator[Battle]:
    """Yield worlds for an attack: everybody wherever he may be, the defenders in every state in which they
    may live.
    """
    battle, outlook = judging.battle, judging.outlook
    if all(map(outlook.settled, order.who)) and all(map(outlook.sure_of, order.at)):
        yield battle
        return
    ways = [outlook.where(unit) or ("",) for unit in order.who]
    states = [outlook.states(unit) for unit in order.at]
    for places in islice(product(*ways), MOST_WORLDS):
        who = [
            _standing(battle.units[unit], tuple(place.split()), outlook.surely_did(unit))
            for unit, place in zip(order.who, places, strict=True)
        ]
        for found in islice(product(*states), MOST_WORLDS):
            at = [_hurt(battle.units[unit], state) for unit, state in zip(order.at, found, strict=True)]
            other = [unit for unit in (*who, *at) if unit is not battle.units[unit.id]]
            yield battle.with_units(*other) if other else battle


def _doubt(judging: Judging, order: Attack) -> Problem | None:
    """Return why an attack may come to nothing; None if nobody may be elsewhere or gone."""
    outlook = judging.outlook
    for unit in order.who:
        if unit in judging.mates:
            return doubtful("mate", "S1.2c", unit=unit, seat=judging.battle.units[unit].owner)
        if unit in outlook.adrift:
            return doubtful("adrift", "S1.7a", unit=unit)
        if unit in outlook.places:
            return doubtful("elsewhere", "S1.7a", unit=unit, places=" or ".join(outlook.where(unit)))
    for target in order.at:
        if target in outlook.adrift:
            return doubtful("gives-way", "S1.7a", unit=order.who[0], target=target)
        if target in outlook.hurt and target not in outlook.known:
            return doubtful("fallen", "S1.7a", unit=order.who[0], target=target)
    return None


def _standing(unit: Unit, at: tuple[str, ...], did: tuple[str, ...]) -> Unit:
    """Return a figure in a place, having done so much."""
    return unit if unit.at == at and unit.did == did else replace(unit, at=at, did=did)


def _hurt(unit: Unit, state: str) -> Unit:
    """Return a figure in a state that a blow may have put it in: who is stunned was thrown from his horse."""
    hurt = unit if unit.state == state else replace(unit, state=state)
    return replace(hurt, on="", at=unit.at[:1]) if unit.on and state == STUNNED else hurt
