"""Whom the sergeant leads away: bystanders and animals that the scenario gives points for, each with a man of
his who takes it there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from pbem.bots.aims import Aims
from pbem.bots.survey import FAR, Survey
from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import distance
from pbem.rulesets.siege.ground.character import person
from pbem.rulesets.siege.orders import grammar
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.state import WOUNDED, Battle, Unit
from pbem.rulesets.siege.things import leading
from pbem.rulesets.siege.things.treks import Trek

Rules = Ruleset[Battle]
TRIED = 4
"""So many ends of a way are tried at most."""


class Escort(Struct, frozen=True):
    """A man, what he is ordered, and whether he is gone then; ``ends`` are the hexes where everybody stands
    at the end.
    """

    man: str
    sentence: str
    gone: bool
    ends: Mapping[str, tuple[str, ...]]


def escorts(
    survey: Survey, aims: Aims, movers: Sequence[Unit], reached: Mapping[str, Mapping[str, int]]
) -> Iterator[Escort]:
    """Yield who leads whom where, the nearest to its goal first; the caller notes where everybody stands
    before the next is asked for.
    """
    battle, busy = survey.battle, set[str]()
    led = [battle.units[id_] for id_ in aims.lead if battle.units[id_].living and battle.units[id_].at]
    for charge in sorted(
        led, key=lambda unit: (survey.way(aims.lead[unit.id]).get(unit.hexes[0], FAR), unit.id)
    ):
        for man in _men(survey, aims, charge, movers):
            if man.id in busy or man.id not in survey.at:
                continue
            found = _leads(survey, aims, man, charge) or _goes_there(survey, man, charge, reached[man.id])
            if found is not None:
                busy.add(man.id)
                yield found
                break


def _men(survey: Survey, aims: Aims, charge: Unit, movers: Sequence[Unit]) -> list[Unit]:
    """Return who could lead somebody, the fittest for it first: who is near, and neither rides nor is good
    for much else.
    """

    def unfit(unit: Unit) -> tuple[int, int, str]:
        far = distance(unit.hexes[0], charge.hexes[0])
        dear = 2 * bool(unit.on) + (person(survey.battle, unit).leader) - (unit.state == WOUNDED)
        return (far + dear, survey.values[unit.id].attack, unit.id)

    return sorted((unit for unit in movers if unit.id not in aims.leave), key=unfit)[:2]


def _leads(survey: Survey, aims: Aims, man: Unit, charge: Unit) -> Escort | None:
    """Return how a man leads somebody off the map, or as near to its edge as he gets with him; None if he
    does not reach the reins.
    """
    rules, battle, goals = survey.rules, survey.after(), aims.lead[charge.id]
    if distance(man.hexes[0], charge.hexes[0]) > survey.values[man.id].move + 1:
        return None
    near = sorted(goals, key=lambda hex_: (distance(hex_, charge.hexes[0]), hex_))
    for hex_ in near[:2] if charge.id in aims.off else ():
        order = Act("leave", (man.id,), by=(hex_,), animals=(charge.id,))
        if distance(hex_, charge.hexes[0]) <= survey.values[man.id].move and not isinstance(
            leading.plan_leaving(rules, battle, order), Problem
        ):
            return Escort(man.id, grammar.say(rules, order), True, {})
    way = survey.way(goals)
    here = way.get(charge.hexes[0], FAR)
    pace = survey.values[man.id].move - max(0, distance(man.hexes[0], charge.hexes[0]) - 1)
    steps_off = survey.way(charge.hexes[:1])
    ends = [
        hex_
        for hex_, far in way.items()
        if far < here and steps_off.get(hex_, FAR) <= pace and survey.free(hex_, man.id)
    ]
    for hex_ in sorted(ends, key=lambda hex_: (way[hex_], hex_))[:TRIED]:
        order = Act("lead", (man.id,), to=(hex_,), animals=(charge.id,))
        trek = leading.plan(rules, battle, order)
        if isinstance(trek, Trek) and trek.ways:
            ends_at = {link.id: tuple(reversed(steps[-len(link.at) :])) for link, steps in trek.ways}
            return Escort(man.id, grammar.say(rules, order), False, {man.id: trek.walk.ends, **ends_at})
    return None


def _goes_there(survey: Survey, man: Unit, charge: Unit, reached: Mapping[str, int]) -> Escort | None:
    """Return how a man gets nearer to whom he is to lead; None if he is as near as he can get."""
    free = [hex_ for hex_ in reached if survey.free(hex_, man.id)]
    best = min(free, key=lambda hex_: (distance(hex_, charge.hexes[0]), reached[hex_], hex_))
    if distance(best, charge.hexes[0]) >= distance(man.hexes[0], charge.hexes[0]):
        return None
    return Escort(man.id, f"{man.id} to {best}", False, {man.id: survey.standing(man.id, best)})
