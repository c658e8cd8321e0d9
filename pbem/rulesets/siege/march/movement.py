"""Movement: the ways a figure may go with its points, onto the map and off it.

What one step costs and what bars it is ``step``, how two hexes go ``riding``; whether it is the figure's time
to move is ``sequence``; where a move may end is ``stacking``; the cheapest way is ``geometry.path``. Who
carries the orders out is ``deeds``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset
from pbem.geometry import path
from pbem.geometry.hex import distance, hex_of
from pbem.geometry.path import Cost
from pbem.rulesets.siege.ground import floors, stacking, terrain
from pbem.rulesets.siege.march import known_steps, riding
from pbem.rulesets.siege.march.step import (
    bodies_bar,
    closed,
    costs,
    enemy_bars,
    entry_cost,
    ground_bars,
    led_bars,
    points,
    steps,
    why_not,
)
from pbem.rulesets.siege.march.walk import Walk, exactly
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.events import Checked
from pbem.rulesets.siege.state.field import Force
from pbem.rulesets.siege.state.orders import Act, Move, MoveBy
from pbem.rulesets.siege.state.state import Battle, Unit
from pbem.rulesets.siege.turn import sequence

Rules = Ruleset[Battle]

# --- any figure, on foot a place and on two hexes head and facing


def stand(unit: Unit) -> str:
    """Return how a figure stands: its place, or of two hexes head and facing."""
    return riding.figure(unit.at) if riding.two_hexes(unit) else unit.at[0]


def onward(rules: Rules, battle: Battle, unit: Unit, here: str) -> tuple[str, ...]:
    """Return how a figure may stand one step on."""
    return riding.onward(rules, here) if riding.two_hexes(unit) else battle.beside(here)


def costs_of(rules: Rules, battle: Battle, unit: Unit) -> Cost:
    """Return the points of each step from one way to stand to another; None where it cannot be made."""
    return riding.costs(rules, battle, unit) if riding.two_hexes(unit) else costs(rules, battle, unit)


def may_end(rules: Rules, battle: Battle, unit: Unit, there: str) -> bool:
    """Tell whether a figure may end its way standing so."""
    asked = riding.may_stop if riding.two_hexes(unit) else stacking.may_stop
    return asked(rules, battle, unit, there)


# --- ways


def reach(
    rules: Rules, battle: Battle, unit: Unit, points: int, start: str = "", led: Sequence[Unit] = ()
) -> path.Reached:
    """Return every place where a figure may end a move of so many points, cheapest first, each with its cost
    and the step to it.

    Of a figure of two hexes these are the places of its head; how it may stand there is told by
    ``riding.reach``.
    """
    if riding.two_hexes(unit):
        return _heads(rules, battle, unit, points, start, led)
    begin = start or unit.at[0]

    def search() -> path.Reached:
        going = steps(rules, battle, unit, led)
        return path.reach(begin, points, going, lambda there: stacking.may_stop(rules, battle, unit, there))

    return known_steps.reach(rules, battle, unit, begin, points, led, search)


def _heads(
    rules: Rules, battle: Battle, unit: Unit, points: int, start: str, led: Sequence[Unit]
) -> path.Reached:
    """Return where the head of a figure of two hexes may end a move, from where it stands or from the edge of
    the map.
    """
    starts = riding.entries(rules, battle, unit, start) if start else {riding.figure(unit.at): 0}
    first = entry_cost(rules, battle, unit, start) if start else 0
    found: dict[str, path.Step] = {}
    for begin, cost in starts.items():
        spent = max(0, cost - first)
        if spent > points:
            continue
        for there, (more, previous) in riding.reach(rules, battle, unit, points - spent, begin, led).items():
            place, before = riding.head(there), riding.head(previous) if previous else None
            stands = there != begin or not start or riding.may_stop(rules, battle, unit, there)
            if stands and (place not in found or spent + more < found[place][0]):
                found[place] = (spent + more, before)
    ordered = dict(sorted(found.items(), key=lambda entry: entry[1][0]))
    return path.Reached(ordered, ordered)


def to(
    rules: Rules,
    battle: Battle,
    unit: Unit,
    goal: str,
    spend: int,
    start: str = "",
    facing: str = "",
    led: Sequence[Unit] = (),
) -> Walk | Problem:
    """Return the cheapest way to a place, or why it cannot be reached with so many points.

    Of a figure of two hexes the place is that of its head, and it may be told the side to look to; its start
    is head and facing.
    """
    if riding.two_hexes(unit):
        return riding.to(rules, battle, unit, goal, spend, start, facing, led)
    if found := _cheapest(rules, battle, unit, goal, spend, start, led):
        return Walk(found.places, found.cost, spend)
    names: dict[str, str | int] = {"unit": unit.id, "hex": goal, "points": spend}
    if hex_of(goal) not in battle.field.ground:
        return Problem("movement.off-map", {"unit": unit.id, "here": start or unit.at[0], "there": goal})
    if problem := closed(rules, battle, unit, goal) or stacking.occupied(rules, battle, unit, goal, spend):
        return problem
    begin = start or unit.at[0]
    cost = path.cheapest(begin, goal, steps(rules, battle, unit, led), least=_steps_left(battle, goal))
    if cost is None:
        return Problem(
            "movement.no-way",
            names,
            rule="S1.6b",
            help=floors.ways_up(terrain.terrain_at(rules, battle, goal)),
        )
    reached = reach(rules, battle, unit, spend, start, led)
    nearest = min(reached, key=lambda place: (distance(hex_of(place), hex_of(goal)), reached[place][0]))
    help_ = "" if nearest == begin else f"he can get as far as {nearest}"
    return Problem("movement.too-far", {**names, "cost": cost.cost}, rule="S1.6b", help=help_)


def _cheapest(
    rules: Rules, battle: Battle, unit: Unit, goal: str, spend: int, start: str, led: Sequence[Unit] = ()
) -> path.Way | None:
    """Return the cheapest way on which a figure can afford to reach a place and stop there: every hex costs
    one point at least.

    Where all its ways have been searched already, by ``reach``, it is one of those.
    """
    if hex_of(goal) not in battle.field.ground or not stacking.may_stop(rules, battle, unit, goal):
        return None
    known, begin = battle.seen[rules], start or unit.at[0]
    if (reached := known_steps.searched(rules, battle, unit, begin, spend, led)) is not None:
        within = goal in reached and reached[goal][0] <= spend
        return path.Way(reached[goal][0], path.way(reached, goal)) if within else None
    asked = ("way", battle.known_as(unit), goal, spend, begin, *led)
    if asked not in known:
        known[asked] = path.cheapest(
            begin, goal, steps(rules, battle, unit, led), allowance=spend, least=_steps_left(battle, goal)
        )
    found: path.Way | None = known[asked]
    return found


def _steps_left(battle: Battle, goal: str) -> Callable[[str], int]:
    """Return what tells how many steps, each of a point or more, it is at least from a place to a goal."""
    end = hex_of(goal)
    if not battle.things:  # every place is a hex
        return partial(distance, end)
    return lambda place: distance(hex_of(place), end)


def by(
    rules: Rules,
    battle: Battle,
    unit: Unit,
    way: Sequence[str],
    spend: int,
    facing: str = "",
    led: Sequence[Unit] = (),
) -> Walk:
    """Return how far a figure gets on exactly this way; it may begin with the place where the figure, or its
    head, stands.
    """
    if riding.two_hexes(unit):
        return riding.by(rules, battle, unit, way, spend, facing, led)
    places, cost, stopped = exactly(
        unit,
        unit.at[0],
        way[1:] if way[0] == unit.at[0] else way,
        spend,
        lambda here, there: (
            there,
            why_not(rules, battle, unit, here, there) or led_bars(rules, battle, led, here, there),
        ),
        costs(rules, battle, unit),
        lambda place: stacking.occupied(rules, battle, unit, place, spend),
    )
    return Walk(tuple(places), cost, spend, stopped)


# --- the phase


def time_to_move(rules: Rules, battle: Battle, unit: Unit) -> Problem | None:
    """Return why a figure does not move now at all; None if it may."""
    if problem := sequence.may_move(rules, battle, unit):
        return problem
    if "moved" in unit.did and not any(goes_on(unit) for goes_on in family.of(rules).steps.goes_on):
        return Problem("movement.again", {"unit": unit.id}, rule="S1.6d")
    return None


def plan(rules: Rules, battle: Battle, order: Move | MoveBy) -> Walk | Problem:
    """Return the way an order comes to as things are now, or why it comes to nothing."""
    known, asked = battle.asked[rules], ("plan", order)
    found: Walk | Problem | None = known.get(asked)
    if found is None:
        found = known[asked] = _planned(rules, battle, order)
    return found


def _planned(rules: Rules, battle: Battle, order: Move | MoveBy) -> Walk | Problem:
    unit = battle.units[order.who]
    if problem := time_to_move(rules, battle, unit):
        return problem
    if (
        order.facing
        and not riding.two_hexes(unit)
        and not any(faces(battle, unit) for faces in family.here(rules, battle).steps.faces)
    ):
        return Problem("movement.facing", {"unit": unit.id}, help="leave out: facing " + order.facing)
    if not unit.at:
        return Problem("movement.not-here", {"unit": unit.id}, help=f"{unit.id} enters at HEX")
    spend = points(rules, battle, unit)
    if isinstance(order, MoveBy):
        walk = by(rules, battle, unit, order.path, spend, order.facing)
        if walk.stopped and len(walk.places) == 1:
            return walk.stopped
        return not_turned(rules, battle, unit, order.facing, walk.of - walk.cost) or walk
    found: list[Problem] = []
    for goal in order.to:
        walk_to = to(rules, battle, unit, goal, spend, facing=order.facing)
        if isinstance(walk_to, Walk):
            late = not_turned(rules, battle, unit, order.facing, walk_to.of - walk_to.cost)
            if late is None:
                return walk_to
            walk_to = late
        found.append(walk_to)
    return found[0]


def not_turned(rules: Rules, battle: Battle, unit: Unit, facing: str, left: int) -> Problem | None:
    """Return why what a figure bears is not turned at the end of a way that leaves it so many points; None if
    it is, or need not be.
    """
    for turns in family.here(rules, battle).steps.turns:
        if problem := turns(rules, battle, unit, facing, left):
            return problem
    return None


def check_move(rules: Rules, battle: Battle, seat: str, order: Move | MoveBy) -> Iterator[Problem]:
    """Yield what is wrong with a move where everybody stands now; a way must be open to its end."""
    walk = plan(rules, battle, order)
    if isinstance(walk, Problem):
        yield walk
    elif walk.stopped:
        yield walk.stopped


def plan_turn(rules: Rules, battle: Battle, order: Act) -> Walk | Problem:
    """Return how a figure of two hexes turns on the spot, or why it does not."""
    unit = battle.units[order.who[0]]
    if problem := time_to_move(rules, battle, unit):
        return problem
    if not riding.two_hexes(unit):
        return Problem(
            "movement.facing", {"unit": unit.id}, help=f"leave out: {unit.id} turns {order.facing}"
        )
    if not unit.at:
        return Problem("movement.not-here", {"unit": unit.id}, help=f"{unit.id} enters at HEX")
    return riding.turn(rules, battle, unit, order.facing, points(rules, battle, unit))


def _force(battle: Battle, unit: Unit) -> Force | None:
    """Return what the scenario says of a figure; of a rider, what it says of his horse."""
    return next((force for force in battle.field.forces if force.id == (unit.on or unit.id)), None)


def ways_in(battle: Battle, unit: Unit) -> tuple[str, ...]:
    """Return the hexes by which a figure may come onto the map this turn; none for who is there, or does not
    enter, or not yet.
    """
    force = _force(battle, unit)
    if unit.at or force is None or not force.enters or battle.at.turn < force.turn:
        return ()
    return battle.field.marks[force.within or battle.field.side(unit.side).enters]


def no_way_in(battle: Battle, unit: Unit, at: str) -> Problem | None:
    """Return why a figure does not come onto the map by a hex this turn; None if it does."""
    force = _force(battle, unit)
    names: dict[str, str | int] = {"unit": unit.id, "hex": at}
    if unit.at or force is None or not force.enters:
        return Problem("movement.on-map", names)
    if battle.field.turns_so_far(battle.at.day, battle.at.turn) < force.turn:
        return Problem("movement.not-yet", {**names, "turn": force.turn})
    hexes = ways_in(battle, unit)
    if at in hexes:
        return None
    mark = force.within or battle.field.side(unit.side).enters
    return Problem("movement.no-entry", {**names, "mark": mark}, help=f"{mark} is {' '.join(hexes[:12])}")


def entry_bars(rules: Rules, battle: Battle, unit: Unit, at: str) -> Problem | None:
    """Return why a figure cannot set foot on the map in a hex, which is paid for like any other; None if it
    can.
    """
    if (
        problem := ground_bars(rules, battle, unit, at)
        or bodies_bar(rules, battle, unit, at)
        or enemy_bars(rules, battle, unit, at)
    ):
        return problem
    spend, first = points(rules, battle, unit), entry_cost(rules, battle, unit, at)
    if first <= spend:
        return None
    return Problem(
        "movement.too-far", {"unit": unit.id, "hex": at, "points": spend, "cost": first}, rule="S1.6b"
    )


def plan_entering(rules: Rules, battle: Battle, order: Act, led: Sequence[Unit] = ()) -> Walk | Problem:
    """Return the way onto the map, or why it is shut."""
    unit, at = battle.units[order.who[0]], order.by[0]
    if (
        problem := time_to_move(rules, battle, unit)
        or no_way_in(battle, unit, at)
        or entry_bars(rules, battle, unit, at)
    ):
        return problem
    spend, first = points(rules, battle, unit), entry_cost(rules, battle, unit, at)
    if riding.two_hexes(unit):
        return riding.enter(rules, battle, unit, at, order.to, spend, led)
    if not order.to or order.to[0] == at:
        return stacking.occupied(rules, battle, unit, at, spend, help="") or Walk((at,), first, spend)
    onward = to(rules, battle, unit, order.to[0], spend - first, at, led=led)
    return onward if isinstance(onward, Problem) else Walk(onward.places, first + onward.cost, spend)


def no_way_out(battle: Battle, unit: Unit, at: str) -> Problem | None:
    """Return why nobody of the figure's side leaves the map by a hex; None if it does."""
    names: dict[str, str | int] = {"unit": unit.id, "hex": at}
    mark = battle.field.side(unit.side).leaves
    if mark and at not in battle.field.marks[mark]:
        return Problem("movement.no-exit", names, help=f"{mark} is {' '.join(battle.field.marks[mark][:12])}")
    if at != hex_of(at) or not (mark or at in battle.field.edge):
        return Problem("movement.no-edge", names)
    return None


def ways_out(battle: Battle, unit: Unit, places: Iterable[str]) -> Iterator[str]:
    """Yield those of some places on the map by which a figure's side leaves it: all of which ``no_way_out``
    says nothing.
    """
    mark = battle.field.side(unit.side).leaves
    out = frozenset(battle.field.marks[mark]) if mark else battle.field.edge
    return (place for place in places if place in out and place == hex_of(place))


def plan_leaving(rules: Rules, battle: Battle, order: Act) -> Walk | Problem:
    """Return the way to the hex by which a figure leaves the map, or why it cannot: the step off the map
    costs one point.
    """
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


def out_of_cover(rules: Rules, play: Play[Battle]) -> None:
    """Let the figures of the active side that took cover come out of it at the end of their movement."""
    for id_ in sorted(play.state.units):
        unit = play.state.units[id_]
        if unit.checked and unit.side == play.state.at.side:
            play.happen(Checked(id_))
