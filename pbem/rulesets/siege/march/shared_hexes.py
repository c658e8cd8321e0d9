"""Shared hexes: figures that lie in one hex because one of them fell on the other, until one of them moves
away.

How many may stand in a hex otherwise is ``stacking``; where a figure falls is ``landing``.
"""

from __future__ import annotations

from pbem.core.play import Play
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry import path
from pbem.rulesets.siege.ground import stacking
from pbem.rulesets.siege.march import movement, step
from pbem.rulesets.siege.state.events import Moved
from pbem.rulesets.siege.state.state import WOUNDED, Battle, Unit

Rules = Ruleset[Battle]


def share(battle: Battle, unit: Unit) -> bool:
    """Tell whether another living figure is on a place of this one."""
    return unit.living and any(stacking.others_on(battle, unit, place) for place in unit.at)


@rule("S1.62d")
def must_leave(rules: Rules, battle: Battle) -> list[str]:
    """Return the figures of the active side that could still leave a hex they share: of each hex one has to,
    the first of these.

    Who was wounded comes first, for a fall wounds; then by id.
    """
    together = sorted({id_ for ids in battle.living_in.values() if ids[1:] for id_ in ids})
    near = (battle.units[id_] for id_ in together)
    found = [unit for unit in near if unit.side == battle.at.side and share(battle, unit)]
    able = [unit for unit in found if movement.time_to_move(rules, battle, unit) is None]
    return [unit.id for unit in sorted(able, key=lambda unit: (unit.state != WOUNDED, unit.id))]


def part(rules: Rules, play: Play[Battle]) -> None:
    """Let figures leave the hexes they share, at the end of a movement phase: those who had no order go to
    the nearest free place.
    """
    for id_ in must_leave(rules, play.state):
        unit = play.state.units[id_]
        if share(play.state, unit):
            _leave(rules, play, unit)


def _leave(rules: Rules, play: Play[Battle], unit: Unit) -> None:
    points = step.points(rules, play.state, unit)
    reached = movement.reach(rules, play.state, unit, points)
    ends = {place: cost for place, (cost, _) in reached.items() if place not in unit.at}
    if ends:
        goal = min(ends, key=lambda place: ends[place])
        play.happen(Moved(unit.id, path.way(reached, goal), ends[goal], points, rule="S1.62d"))
