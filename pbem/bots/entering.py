"""By which hexes the sergeant lets those come onto the map who are not on it yet, and how far they go at
once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.bots import siegecraft
from pbem.bots.aims import Aims
from pbem.bots.survey import FAR, Survey
from pbem.rulesets.siege.march import movement, step
from pbem.rulesets.siege.march.walk import Walk
from pbem.rulesets.siege.orders import grammar
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.state import DEAD, Unit

GATES = 3
"""So many hexes of the edge are tried for each, the nearest to where it is going first."""
ENDS = 6
"""So many ends of its way are tried for each."""


def entries(survey: Survey, aims: Aims, seat: str) -> Iterator[str]:
    """Yield the sentences by which everybody enters who can, as near to what is to be won as he comes in this
    turn.
    """
    battle = survey.battle
    goals = siegecraft.beside_what_burns(aims, battle) or aims.hold or tuple(sorted(survey.foe_at))
    way = survey.way(goals)
    taken: set[str] = set(battle.standing_at)
    for unit in battle.units.values():
        if (unit.side, unit.owner, unit.kind) != (aims.side, seat, "man") or unit.at or unit.state == DEAD:
            continue
        found = next(_ways(survey, unit, way, taken), None)
        if found is not None:
            order, ends = found
            taken |= {*ends}
            yield grammar.say(survey.rules, order)


def _ways(
    survey: Survey, unit: Unit, way: Mapping[str, int], taken: set[str]
) -> Iterator[tuple[Act, tuple[str, ...]]]:
    rules, battle = survey.rules, survey.battle
    if movement.time_to_move(rules, battle, unit):
        return
    open_ = [
        hex_ for hex_ in movement.ways_in(battle, unit) if not movement.entry_bars(rules, battle, unit, hex_)
    ]
    for hex_ in sorted(open_, key=lambda hex_: (hex_ in taken, way.get(hex_, FAR), hex_))[:GATES]:
        spend = step.points(rules, battle, unit) - step.entry_cost(rules, battle, unit, hex_)
        reached = movement.reach(rules, battle, unit, spend, hex_)
        for place in sorted(
            (place for place in reached if place not in taken), key=lambda place: (way.get(place, FAR), place)
        )[:ENDS]:
            order = Act("enter", (unit.id,), to=() if place == hex_ else (place,), by=(hex_,))
            walk = movement.plan_entering(rules, battle, order)
            if isinstance(walk, Walk) and taken.isdisjoint(walk.ends):
                yield order, walk.ends
