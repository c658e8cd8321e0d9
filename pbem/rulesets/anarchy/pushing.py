"""Pushing rams and penthouses: how far those under one move it, straight on or back, over which ground.

Siege towers, and what moves with an engine, are ``driving`` of Siege; what oxen draw is ``oxen``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from pbem.core.play import Play
from pbem.core.problem import Problem, first_problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import hex_of
from pbem.rulesets.anarchy import mining, penthouse, ram, roof_fire, roofs, siege_tower, tower_fire
from pbem.rulesets.siege.march import movement
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.state import Battle, Thing, Unit
from pbem.rulesets.siege.things import driving, leadable
from pbem.rulesets.siege.things.driving import Drive

Rules = Ruleset[Battle]
RULES: Final = {roofs.RAM: "A5.2.1a", roofs.PENTHOUSE: "A5.3.2a"}


def plan(rules: Rules, battle: Battle, order: Act) -> Drive | Problem:
    """Return where an engine ends up that is pushed, or why it does not go there: as far as ordered, or not
    at all.
    """
    engine = battle.things[order.what]
    if engine.kind not in roofs.KINDS:
        return driving.plan(rules, battle, order)
    hands = roofs.hands(battle, engine)
    pushers = (ram.free if engine.kind == roofs.RAM else penthouse.free)(battle, hands)
    spend = (ram.points if engine.kind == roofs.RAM else penthouse.points)(rules, len(pushers))
    if problem := unfit(rules, battle, engine):
        return problem
    if not spend:
        return too_few(rules, engine, len(pushers))
    if problem := first_problem(movement.time_to_move(rules, battle, unit) for unit in pushers):
        return problem
    side = driving.straight(engine, back=order.do == driving.BACK)
    step = partial(one_step, rules, battle, engine, side=side)
    return stepwise(order, engine, step, pushers, spend, RULES[engine.kind])


def stepwise(
    order: Act,
    engine: Thing,
    step: Callable[[tuple[str, ...]], tuple[tuple[str, ...], int] | Problem],
    pushers: Sequence[Unit],
    points: int,
    id_: str,
) -> Drive | Problem:
    """Return where an engine ends up that some push with so many points, or why it does not get so far, by
    the rule of such an id: ``step`` tells where one step on leads and what it costs.
    """
    at, cost = engine.at, 0
    for number in range(order.steps):
        taken = step(at)
        if isinstance(taken, Problem):
            return taken
        at, cost = taken[0], cost + taken[1]
        if cost > points:
            far: dict[str, str | int] = {"thing": engine.id, "cost": cost, "points": points}
            word = "back" if order.do == driving.BACK else "forward"
            help_ = f"{engine.id} {word} {number}" if number else ""
            return Problem("driving.too-far", far, rule=id_, help=help_)
    return Drive(engine, at, cost, points, tuple(unit.id for unit in pushers))


def too_few(rules: Rules, engine: Thing, men: int) -> Problem:
    """Return that too few have their hands free to push an engine."""
    needed = roofs.row(rules, "pushed", engine.kind)["few_men"]
    said: dict[str, str | int] = {"thing": engine.id, "men": men, "needed": needed}
    help_ = "whoever fights, or was attacked, does not push"
    return Problem("pushing.crew", said, rule=RULES[engine.kind], help=help_)


def unfit(rules: Rules, battle: Battle, engine: Thing) -> Problem | None:
    """Return why a roof on wheels is not moved at all, by whom it may be; None if it is, and of every other
    engine.
    """
    if engine.kind == roofs.RAM:
        return ram.burnt(rules, engine)
    if engine.kind == roofs.PENTHOUSE:
        return penthouse.burnt(rules, engine) or penthouse.at_work_in_front(battle, engine)
    return None


@rule("A5.2.5a")
def rooted(rules: Rules, battle: Battle) -> frozenset[str]:
    """Return what stays where it is as an engine rolls on beneath it or above: what hangs overhead, mines and
    their shafts.
    """
    known, dug = family.of(rules).kinds, (mining.MINE, mining.SHAFT)
    things = battle.things.values()
    return frozenset(one.id for one in things if one.kind in dug or known[one.kind].over is not None)


def with_its_fire(rules: Rules, play: Play[Battle], going: Drive) -> None:
    """Let what burns of an engine go along with it, which a fire alone does not hold."""
    places = driving.moved_places(play.state, going)
    if going.engine.kind == siege_tower.TOWER:
        tower_fire.carried(play, places)
    elif going.engine.kind in roofs.KINDS:
        roof_fire.carried(rules, play, going.engine, places)


def one_step(
    rules: Rules, battle: Battle, engine: Thing, at: Sequence[str], side: str
) -> tuple[tuple[str, ...], int] | Problem:
    """Return the hexes that an engine covers one step on, and what the step costs; or why it does not go."""
    taken = driving.one_step(rules, under_them(rules, battle), engine, at, side)
    if isinstance(taken, Problem) or engine.kind != roofs.PENTHOUSE:
        return taken
    return penthouse.not_there(rules, battle, engine, taken[0]) or taken


@rule("A5.2.5a")
def under_them(rules: Rules, battle: Battle) -> Battle:
    """Return a battle without what hangs overhead and whoever is on it: engines roll beneath."""
    known = family.of(rules).kinds
    things = {id_: thing for id_, thing in battle.things.items() if known[thing.kind].over is None}
    above = [unit.id for unit in battle.units.values() if unit.at and hex_of(unit.at[0]) != unit.at[0]]
    if len(things) == len(battle.things):
        return battle
    return leadable.without(battle.changed(things=things), above)
