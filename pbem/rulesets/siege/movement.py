"""Movement: the ways a figure may go with its points, and the movement phase.

What one step costs and what bars it is ``step``; whether it is the figure's time to move is ``sequence``; where a move may end is
``stacking``; the cheapest way is ``geometry.path``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Files, Ruleset
from pbem.geometry import path
from pbem.geometry.hex import distance, hex_of, neighbours
from pbem.rulesets.siege import carry, sequence, stacking
from pbem.rulesets.siege.events import Checked, Entered, Left, Moved
from pbem.rulesets.siege.orders import Act, Move, MoveBy
from pbem.rulesets.siege.state import Battle, Unit
from pbem.rulesets.siege.step import (
    Walk,
    bodies_bar,
    can_pass,
    climbing,
    enemy_bars,
    entry_cost,
    ground_bars,
    heaped,
    later_allowance,
    points,
    printed_allowance,
    step_cost,
    weight,
    why_not,
)

Rules = Ruleset[Battle]

__all__ = [
    "Walk", "by", "can_pass", "check_act", "check_move", "climbing", "enemy_bars", "entry_bars", "entry_cost", "ground_bars", "heaped",
    "later_allowance", "no_way_in", "no_way_out", "out_of_cover", "plan", "plan_entering", "plan_leaving", "points", "printed_allowance",
    "reach", "resolve", "step_cost", "time_to_move", "to", "ways_in", "weight", "why_not",
]  # fmt: skip

# --- ways


def reach(rules: Rules, battle: Battle, unit: Unit, points: int, start: str = "") -> path.Reached:
    """Return every place where a figure may end a move of so many points, cheapest first, each with its cost and the step to it."""
    return path.reach(
        start or unit.at[0],
        points,
        lambda here, there: step_cost(rules, battle, unit, here, there),
        lambda place: stacking.may_stop(rules, battle, unit, place),
        _beside,
    )


def _beside(place: str) -> Iterable[str]:
    return neighbours(hex_of(place))


def to(rules: Rules, battle: Battle, unit: Unit, goal: str, spend: int, start: str = "") -> Walk | Problem:
    """Return the cheapest way to a place, or why it cannot be reached with so many points."""
    if found := _cheapest(rules, battle, unit, goal, spend, start):
        return Walk(found.places, found.cost, spend)
    names: dict[str, str | int] = {"unit": unit.id, "hex": goal, "points": spend}
    others = stacking.others_on(battle, unit, goal)
    if hex_of(goal) not in battle.field.ground:
        return Problem("movement.off-map", {"unit": unit.id, "here": start or unit.at[0], "there": goal})
    if problem := (
        ground_bars(rules, battle, unit, goal) or bodies_bar(rules, battle, unit, goal) or enemy_bars(rules, battle, unit, goal)
    ):
        return problem
    if stacking.taken(rules, battle, unit, goal):
        return Problem("movement.occupied", {**names, "other": others[0].id}, rule="S1.62a", help="he may pass there, but not stop")
    cost = path.cheapest(start or unit.at[0], goal, lambda a, b: step_cost(rules, battle, unit, a, b), _beside)
    if cost is None:
        return Problem("movement.no-way", names, rule="S1.6b")
    reached = reach(rules, battle, unit, spend, start)
    nearest = min(reached, key=lambda place: (distance(hex_of(place), hex_of(goal)), reached[place][0]))
    help_ = "" if nearest == (start or unit.at[0]) else f"he can get as far as {nearest}"
    return Problem("movement.too-far", {**names, "cost": cost.cost}, rule="S1.6b", help=help_)


def _cheapest(rules: Rules, battle: Battle, unit: Unit, goal: str, spend: int, start: str) -> path.Way | None:
    """Return the cheapest way on which a figure can afford to reach a place and stop there: every hex costs one point at least."""
    if hex_of(goal) not in battle.field.ground or not stacking.may_stop(rules, battle, unit, goal):
        return None
    return path.cheapest(
        start or unit.at[0],
        goal,
        lambda here, there: step_cost(rules, battle, unit, here, there),
        _beside,
        spend,
        lambda place: distance(hex_of(place), hex_of(goal)),
    )


def by(rules: Rules, battle: Battle, unit: Unit, way: Sequence[str], spend: int) -> Walk:
    """Return how far a figure gets on exactly this way; it may begin with the place where the figure stands."""
    places = [unit.at[0]]
    costs = [0]
    stopped: Problem | None = None
    for there in way[1:] if way[0] == unit.at[0] else way:
        stopped = why_not(rules, battle, unit, places[-1], there)
        if stopped:
            break
        cost = costs[-1] + (step_cost(rules, battle, unit, places[-1], there) or 0)
        if cost > spend:
            names: dict[str, str | int] = {"unit": unit.id, "hex": there, "points": spend, "cost": cost}
            stopped = Problem("movement.too-far", names, rule="S1.6b")
            break
        places.append(there)
        costs.append(cost)
    while len(places) > 1 and not stacking.may_stop(rules, battle, unit, places[-1]):
        other = stacking.others_on(battle, unit, places[-1])[0]
        held: dict[str, str | int] = {"unit": unit.id, "hex": places[-1], "other": other.id, "points": spend}
        stopped = Problem("movement.occupied", held, rule="S1.62a", help="he may pass there, but not stop")
        places.pop()
        costs.pop()
    return Walk(tuple(places), costs[-1], spend, stopped)


# --- the phase


def time_to_move(rules: Rules, battle: Battle, unit: Unit) -> Problem | None:
    """Return why a figure does not move now at all; None if it may."""
    if problem := sequence.may_move(rules, battle, unit):
        return problem
    if "moved" in unit.did:
        return Problem("movement.again", {"unit": unit.id}, rule="S1.6d")
    return None


def plan(rules: Rules, battle: Battle, order: Move | MoveBy) -> Walk | Problem:
    """Return the way an order comes to as things are now, or why it comes to nothing."""
    unit = battle.units[order.who]
    if problem := time_to_move(rules, battle, unit):
        return problem
    if order.facing:
        return Problem("movement.facing", {"unit": unit.id}, help="leave out: facing " + order.facing)
    if not unit.at:
        return Problem("movement.not-here", {"unit": unit.id}, help=f"{unit.id} enters at HEX")
    spend = points(rules, battle, unit)
    if isinstance(order, MoveBy):
        walk = by(rules, battle, unit, order.path, spend)
        return walk.stopped if walk.stopped and len(walk.places) == 1 else walk
    found: list[Walk | Problem] = []
    for goal in order.to:
        found.append(to(rules, battle, unit, goal, spend))
        if isinstance(found[-1], Walk):
            return found[-1]
    return found[0]


def check_move(rules: Rules, battle: Battle, seat: str, order: Move | MoveBy) -> Iterator[Problem]:
    """Yield what is wrong with a move where everybody stands now; a way must be open to its end."""
    walk = plan(rules, battle, order)
    if isinstance(walk, Problem):
        yield walk
    elif walk.stopped:
        yield walk.stopped


def check_act(rules: Rules, battle: Battle, seat: str, order: Act) -> Iterator[Problem]:
    """Yield what is wrong with entering or leaving the map as things are now, or with staying: only the living do."""
    if order.do == "stay":
        yield from filter(None, (sequence.gone(battle.units[id_]) for id_ in order.who))
        return
    walk = plan_entering(rules, battle, order) if order.do == "enter" else plan_leaving(rules, battle, order)
    if isinstance(walk, Problem):
        yield walk


def ways_in(battle: Battle, unit: Unit) -> tuple[str, ...]:
    """Return the hexes by which a figure may come onto the map this turn; none for who is there, or does not enter, or not yet."""
    force = next((force for force in battle.field.forces if force.id == unit.id), None)
    if unit.at or force is None or not force.enters or battle.at.turn < force.turn:
        return ()
    return battle.field.marks[force.within or battle.field.side(unit.side).enters]


def no_way_in(battle: Battle, unit: Unit, at: str) -> Problem | None:
    """Return why a figure does not come onto the map by a hex this turn; None if it does."""
    force = next((force for force in battle.field.forces if force.id == unit.id), None)
    names: dict[str, str | int] = {"unit": unit.id, "hex": at}
    if unit.at or force is None or not force.enters:
        return Problem("movement.on-map", names)
    if battle.at.turn < force.turn:
        return Problem("movement.not-yet", {**names, "turn": force.turn})
    hexes = ways_in(battle, unit)
    if at in hexes:
        return None
    mark = force.within or battle.field.side(unit.side).enters
    return Problem("movement.no-entry", {**names, "mark": mark}, help=f"{mark} is {' '.join(hexes[:12])}")


def entry_bars(rules: Rules, battle: Battle, unit: Unit, at: str) -> Problem | None:
    """Return why a figure cannot set foot on the map in a hex, which is paid for like any other; None if it can."""
    if problem := ground_bars(rules, battle, unit, at) or bodies_bar(rules, battle, unit, at) or enemy_bars(rules, battle, unit, at):
        return problem
    spend, first = points(rules, battle, unit), entry_cost(rules, battle, unit, at)
    if first <= spend:
        return None
    return Problem("movement.too-far", {"unit": unit.id, "hex": at, "points": spend, "cost": first}, rule="S1.6b")


def plan_entering(rules: Rules, battle: Battle, order: Act) -> Walk | Problem:
    """Return the way onto the map, or why it is shut."""
    unit, at = battle.units[order.who[0]], order.by[0]
    if problem := time_to_move(rules, battle, unit) or no_way_in(battle, unit, at) or entry_bars(rules, battle, unit, at):
        return problem
    spend, first = points(rules, battle, unit), entry_cost(rules, battle, unit, at)
    if not order.to or order.to[0] == at:
        if stacking.taken(rules, battle, unit, at):
            names: dict[str, str | int] = {"unit": unit.id, "hex": at, "points": spend}
            return Problem("movement.occupied", {**names, "other": stacking.others_on(battle, unit, at)[0].id}, rule="S1.62a")
        return Walk((at,), first, spend)
    onward = to(rules, battle, unit, order.to[0], spend - first, at)
    return onward if isinstance(onward, Problem) else Walk(onward.places, first + onward.cost, spend)


def no_way_out(battle: Battle, unit: Unit, at: str) -> Problem | None:
    """Return why nobody of the figure's side leaves the map by a hex; None if it does."""
    names: dict[str, str | int] = {"unit": unit.id, "hex": at}
    mark = battle.field.side(unit.side).leaves
    if mark and at not in battle.field.marks[mark]:
        return Problem("movement.no-exit", names, help=f"{mark} is {' '.join(battle.field.marks[mark][:12])}")
    if not mark and all(beside in battle.field.ground for beside in neighbours(at)) and len(neighbours(at)) == 6:
        return Problem("movement.no-edge", names)
    return None


def plan_leaving(rules: Rules, battle: Battle, order: Act) -> Walk | Problem:
    """Return the way to the hex by which a figure leaves the map, or why it cannot: the step off the map costs one point."""
    unit, at = battle.units[order.who[0]], order.by[0]
    if problem := time_to_move(rules, battle, unit):
        return problem
    if not unit.at:
        return Problem("movement.not-here", {"unit": unit.id})
    if problem := no_way_out(battle, unit, at):
        return problem
    spend = points(rules, battle, unit)
    if not spend:
        return Problem("movement.too-far", {"unit": unit.id, "hex": at, "points": 0, "cost": 1}, rule="S1.6b")
    return to(rules, battle, unit, at, spend - 1)


@rule("S1.6c")
def resolve(rules: Rules, play: Play[Battle], files: Files) -> None:
    """Move the figures that were ordered to, as far as ordered, in the order of the lines; all others stay."""

    def move(rules: Rules, play: Play[Battle], seat: str, order: Move | MoveBy) -> Problem | None:
        walk = plan(rules, play.state, order)
        if isinstance(walk, Problem):
            return walk
        if len(walk.places) > 1:
            stopped, rule_id = (walk.stopped.code, walk.stopped.rule) if walk.stopped else ("", "")
            play.happen(Moved(order.who, walk.places, walk.cost, walk.of, stopped, rule_id))
        return None

    def act(rules: Rules, play: Play[Battle], seat: str, order: Act) -> Problem | None:
        walk = plan_entering(rules, play.state, order) if order.do == "enter" else plan_leaving(rules, play.state, order)
        if isinstance(walk, Problem):
            return walk
        unit = order.who[0]
        if order.do == "enter":
            play.happen(Entered(unit, walk.places, walk.cost, walk.of))
            return None
        if len(walk.places) > 1:
            play.happen(Moved(unit, walk.places, walk.cost, walk.of + 1))
        play.happen(Left(unit, walk.places[-1]))
        return None

    carry.carry(rules, play, files, "movement", {Move: move, MoveBy: move, Act: act})
    out_of_cover(rules, play)


def out_of_cover(rules: Rules, play: Play[Battle]) -> None:
    """Let the figures of the active side that took cover come out of it at the end of their movement."""
    for id_ in sorted(play.state.units):
        unit = play.state.units[id_]
        if unit.checked and unit.side == play.state.at.side:
            play.happen(Checked(id_))
