"""Climbing: the orders to climb a ladder, and on over the wall, as far as the points last.

What such a way costs and what bars it are those of any move (``movement``, ``on_ladders``, ``ladders``).
"""

from __future__ import annotations

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset
from pbem.geometry import path
from pbem.rulesets.siege.ground import ladders, on_ladders
from pbem.rulesets.siege.march import movement, step
from pbem.rulesets.siege.march.walk import Walk
from pbem.rulesets.siege.state.events import Moved
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.state import Battle

Rules = Ruleset[Battle]


def plan(rules: Rules, battle: Battle, order: Act) -> Walk | Problem:
    """Return how a figure climbs a ladder, and over it if that is ordered, as far as it gets; or why it does
    not.
    """
    unit = battle.units[order.who[0]]
    if problem := movement.time_to_move(rules, battle, unit) or ladders.none(battle, order.what):
        return problem
    ladder = battle.things[order.what]
    if not unit.at:
        return Problem("movement.not-here", {"unit": unit.id}, help=f"{unit.id} enters at HEX")
    if ladder.stands != ladders.RAISED:
        return Problem("ladders.lies", {"thing": ladder.id}, rule="S1.93a", help=ladders.first_raised(ladder))
    on = on_ladders.on(battle, unit)
    if on is not None and on.id == ladder.id and not order.over:
        return Problem(
            "climbing.up", {"unit": unit.id, "thing": ladder.id}, rule="S1.93h", help=f"{unit.id} steps over"
        )
    foot, top, spend = ladder.at[0], ladders.top(battle, ladder), step.points(rules, battle, unit)
    if len(unit.at) > 1 or unit.at[0] == top:
        return movement.to(rules, battle, unit, foot, spend)
    if not order.over:
        return movement.to(rules, battle, unit, foot, spend)
    way = path.cheapest(unit.at[0], foot, step.costs(rules, battle, unit), battle.beside)
    if way is None:
        return movement.to(rules, battle, unit, foot, spend)
    walk = movement.by(rules, battle, unit, (*way.places, top), spend)
    return walk.stopped if walk.stopped and len(walk.places) == 1 else walk


def why_not(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why a figure does not climb a ladder to where it is ordered; None if it does."""
    found = plan(rules, battle, order)
    return found if isinstance(found, Problem) else found.stopped


def climb(rules: Rules, play: Play[Battle], order: Act) -> Problem | None:
    """Let a figure climb, as far as its way is open, which is its move; return why nothing came of it."""
    walk = plan(rules, play.state, order)
    if isinstance(walk, Problem):
        return walk
    stopped, rule_id = (walk.stopped.code, walk.stopped.rule) if walk.stopped else ("", "")
    play.happen(Moved(order.who[0], walk.places, walk.cost, walk.of, stopped, rule_id))
    return None
