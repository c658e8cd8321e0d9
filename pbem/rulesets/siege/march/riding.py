"""Riding: how a figure of two hexes goes and turns, head first, and what that costs.

A figure stands as ``geometry.pair`` writes it: ``0712 n`` is its head and the side it looks to. What a hex
costs and what bars it is
``step``; how one gets onto a horse and off it is ``mounting``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry import pair, path
from pbem.geometry.hex import distance, hex_of, neighbours, opposite
from pbem.rulesets.siege.ground import stacking, terrain
from pbem.rulesets.siege.march import known_steps, step
from pbem.rulesets.siege.march.walk import Walk, exactly
from pbem.rulesets.siege.state import rows
from pbem.rulesets.siege.state.state import Battle, Unit

Rules = Ruleset[Battle]
THERE = "there"
"""The place behind every figure in which a way may end: so one search finds the cheapest of several ends."""


@rule("S3.31a")
def two_hexes(unit: Unit) -> bool:
    """Tell whether a figure takes up two hexes: a horse does, and so does who sits on one."""
    return bool(unit.on) or unit.kind == "horse"


def figure(at: Sequence[str]) -> str:
    """Return head and tail as a figure, such as ``0712 n``; raise geometry.pair.NotAPair where they are not
    beside each other.
    """
    return pair.pair(at[0], at[1])


def head(figure_: str) -> str:
    """Return the hex of the head."""
    return figure_.partition(" ")[0]


# --- one step


def is_free(rules: Rules) -> bool:
    """Tell whether, by the option, the head goes into any hex beside it."""
    return rules.setting("mounted_geometry") != "head_leads_tail_follows"


def _onward(free: bool, figure_: str) -> tuple[str, ...]:
    return pair.free_steps(figure_) if free else pair.steps(figure_)


def _is_turn(free: bool, here: str, there: str) -> bool:
    return head(here) == head(there) if free else pair.is_swing(here, there)


@cache
def _parts(free: bool, here: str, there: str) -> tuple[str, str, str, str, bool]:
    """Return of a step head and tail before and after it, and whether it only turns the figure. A search asks
    it of each step on the map; what is kept is bounded by the hexes that a map may have.
    """
    return (*pair.hexes(here), *pair.hexes(there), _is_turn(free, here, there))


@rule("S3.31c")
def onward(rules: Rules, figure_: str) -> tuple[str, ...]:
    """Return the figures one step on: the head goes into one of the three hexes before it and the tail
    follows, or it swings by a side.

    By the option the head goes into any hex beside it, and the tail into any beside the head.
    """
    return _onward(is_free(rules), figure_)


def turns(rules: Rules, figure_: str) -> tuple[str, ...]:
    """Return those figures one step on that only turn: the head about the tail, or by the option the tail
    about the head.
    """
    return tuple(there for there in onward(rules, figure_) if is_turn(rules, figure_, there))


def is_turn(rules: Rules, here: str, there: str) -> bool:
    """Tell whether a step only turns the figure."""
    return _is_turn(is_free(rules), here, there)


def why_not(
    rules: Rules, battle: Battle, unit: Unit, here: str, there: str, led: Sequence[Unit] = ()
) -> Problem | None:
    """Return why a step cannot be made; None if it can.

    Whatever hex is new to the figure must be open to it, from the one it had.
    """
    if there not in onward(rules, here):
        names = {"unit": unit.id, "hex": there, "here": here}
        help_ = "the head goes into one of the three hexes before it, or swings by one side"
        return Problem("riding.not-ahead", names, rule="S3.31c", help=help_)
    (old_head, _), (new_head, _) = pair.hexes(here), pair.hexes(there)
    if new_head != old_head:
        problem = step.why_not(rules, battle, unit, old_head, new_head) or step.led_bars(
            rules, battle, led, old_head, new_head
        )
        if problem:
            return problem
    return _tail_bars(rules, battle, unit, here, there)


def _tail_bars(rules: Rules, battle: Battle, unit: Unit, here: str, there: str) -> Problem | None:
    """Return what keeps the tail from where a step puts it; None if it follows the head, or nothing does."""
    (old_head, old_tail), (new_head, new_tail) = pair.hexes(here), pair.hexes(there)
    if new_tail == old_head:
        return None
    if new_tail == old_tail:
        return step.side_bars(rules, battle, unit, new_tail, new_head)
    return step.why_not(rules, battle, unit, new_head, new_tail)


def step_cost(
    rules: Rules, battle: Battle, unit: Unit, here: str, there: str, led: Sequence[Unit] = ()
) -> int | None:
    """Return the movement points of a step: those of the hex the head enters, or of the turn; None if it
    cannot be made.
    """
    return costs(rules, battle, unit, led)(here, there)


def may_stop(rules: Rules, battle: Battle, unit: Unit, figure_: str) -> bool:
    """Tell whether a figure may end its move so: both hexes are free, and neither is a trench."""
    return all(_may_stop(rules, battle, unit, hex_) for hex_ in pair.hexes(figure_))


def _may_stop(rules: Rules, battle: Battle, unit: Unit, hex_: str) -> bool:
    return stacking.may_stop(rules, battle, unit, hex_) and not step.leaps(rules, battle, unit, hex_)


# --- ways


def reach(
    rules: Rules, battle: Battle, unit: Unit, points: int, start: str = "", led: Sequence[Unit] = ()
) -> path.Reached:
    """Return every figure as which a move of so many points may end, cheapest first, each with its cost and
    the one before it.
    """
    begin = start or figure(unit.at)
    stops = cache(lambda hex_: _may_stop(rules, battle, unit, hex_))  # of a hex many figures are over it

    def search() -> path.Reached:
        going = steps(rules, battle, unit, led)
        return path.reach(begin, points, going, lambda there: all(map(stops, pair.hexes(there))))

    return known_steps.reach(rules, battle, unit, begin, points, led, search)


def costs(rules: Rules, battle: Battle, unit: Unit, led: Sequence[Unit] = ()) -> path.Cost:
    """Return what each step costs: None for exactly those that ``why_not`` stops."""
    going = steps(rules, battle, unit, led)

    def cost(here: str, there: str) -> int | None:
        price = dict(going.open(here)).get(there)
        further = None if price is None else going.more(here, there)
        return None if price is None or further is None else price + further

    return cost


def steps(rules: Rules, battle: Battle, unit: Unit, led: Sequence[Unit] = ()) -> path.Steps:
    """Return the same for a search of ways: of each figure the steps that are open to it, listed once for as
    long as things and features stay as they are.
    """
    going = step.steps(rules, battle, unit, led)
    ahead, behind = going.more, (step.steps(rules, battle, unit) if led else going).more
    free, turn = is_free(rules), rows.points(rules, "turn")
    known = known_steps.of(rules, battle).figures

    def price(here: str, there: str) -> int | None:
        old_head, old_tail, new_head, new_tail, turns_only = _parts(free, here, there)
        entered = turn if new_head == old_head else dict(going.open(old_head)).get(new_head)
        if entered is None or new_tail == old_head:
            return entered
        if new_tail == old_tail:
            follows = step.side_open(rules, battle, unit, new_tail, new_head)
        else:
            follows = new_tail in dict(going.open(new_head))
        return None if not follows else turn if turns_only else entered

    def open_(here: str) -> tuple[tuple[str, int], ...]:
        if here not in known:
            prices = ((there, price(here, there)) for there in _onward(free, here))
            known[here] = tuple((there, points) for there, points in prices if points is not None)
        return known[here]

    def more(here: str, there: str) -> int | None:
        old_head, old_tail, new_head, new_tail, turns_only = _parts(free, here, there)
        further = 0 if new_head == old_head else ahead(old_head, new_head)
        if further is None or (new_tail not in (old_head, old_tail) and behind(new_head, new_tail) is None):
            return None
        return 0 if turns_only else further

    return path.Steps(open_, more)


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
    """Return the cheapest way on which the head comes to a hex, looking to a side if one is wanted, or why
    there is none.
    """
    begin = start or figure(unit.at)

    def ends(figure_: str) -> bool:
        looks = not facing or figure_ == f"{goal} {facing}"
        return (
            head(figure_) == goal and looks and (figure_ == begin or may_stop(rules, battle, unit, figure_))
        )

    if goal in battle.field.ground:
        reached = known_steps.searched(rules, battle, unit, begin, spend, led)
        found = (
            _first(reached, ends, spend)
            if reached is not None
            else _cheapest(
                steps(rules, battle, unit, led), begin, ends, spend, lambda there: distance(head(there), goal)
            )
        )
        if found:
            return as_walk(found.places, found.cost, spend)
    return _why_no_way(rules, battle, unit, goal, spend, begin, ends)


def _first(reached: path.Reached, ends: Callable[[str], bool], spend: int) -> path.Way | None:
    """Return the cheapest of some ways that were found already to the first figure in which it may end."""
    end = next(filter(ends, reached.stops), None)
    if end is None or reached[end][0] > spend:
        return None
    return path.Way(reached[end][0], path.way(reached, end))


def _cheapest(
    going: path.Steps,
    begin: str,
    ends: Callable[[str], bool],
    spend: int | None,
    least: Callable[[str], int] | None,
) -> path.Way | None:
    """Return the cheapest way to the first figure in which it may end."""
    way = path.cheapest(
        begin,
        THERE,
        path.Steps(
            lambda here: (*going.open(here), (THERE, 0)) if ends(here) else going.open(here),
            lambda here, there: 0 if there == THERE else going.more(here, there),
        ),
        allowance=spend,
        least=least and (lambda there: 0 if there == THERE else least(there)),
    )
    return path.Way(way.cost, way.places[:-1]) if way else None


def as_walk(figures: Sequence[str], cost: int, of: int, stopped: Problem | None = None) -> Walk:
    """Return some figures one after the other as a way: where its head went, and where its tail was."""
    heads, tails = zip(*map(pair.hexes, figures), strict=True)
    return Walk(heads, cost, of, stopped, tails)


def _why_no_way(
    rules: Rules, battle: Battle, unit: Unit, goal: str, spend: int, begin: str, ends: Callable[[str], bool]
) -> Problem:
    """Return why the head cannot come to a hex."""
    names: dict[str, str | int] = {"unit": unit.id, "hex": goal, "points": spend}
    if hex_of(goal) not in battle.field.ground:
        return Problem("movement.off-map", {"unit": unit.id, "here": head(begin), "there": goal})
    if goal not in battle.field.ground:  # on another storey
        title = terrain.terrain_at(rules, battle, goal).title
        names = {"unit": unit.id, "hex": goal, "terrain": title}
        return Problem("movement.no-horse", names, rule="S3.32a", help="a man on foot may go there")
    if problem := step.closed(rules, battle, unit, goal):
        return problem
    if step.leaps(rules, battle, unit, goal):
        return Problem("riding.trench", names, rule="S3.32b", help="a horse crosses it, and stops beyond")
    if problem := stacking.occupied(rules, battle, unit, goal, spend):
        return problem
    way = _cheapest(steps(rules, battle, unit), begin, ends, None, None)
    if way is None:
        return Problem("movement.no-way", names, rule="S3.31c")
    reached = reach(rules, battle, unit, spend, begin)
    nearest = min(reached, key=lambda there: (distance(head(there), goal), reached[there][0]))
    help_ = "" if nearest == begin else f"he can get as far as {as_said(nearest)}"
    return Problem("movement.too-far", {**names, "cost": way.cost}, rule="S1.6b", help=help_)


def as_said(figure_: str) -> str:
    """Return a figure as an order says it: ``0712 facing n``."""
    return figure_.replace(" ", " facing ")


def by(
    rules: Rules,
    battle: Battle,
    unit: Unit,
    way: Sequence[str],
    spend: int,
    facing: str = "",
    led: Sequence[Unit] = (),
) -> Walk:
    """Return how far a figure gets if its head goes exactly this way; it may begin with the hex where the
    head is.
    """
    found, cost, stopped = exactly(
        unit,
        figure(unit.at),
        way[1:] if way[0] == unit.at[0] else way,
        spend,
        lambda here, there: _nearest_step(rules, battle, unit, here, there, led),
        lambda here, there: step_cost(rules, battle, unit, here, there, led),
        lambda figure_: (
            None
            if may_stop(rules, battle, unit, figure_)
            else _cannot_stop(rules, battle, unit, figure_, spend)
        ),
    )
    walk = as_walk(found, cost, spend, stopped)
    if facing and not stopped:
        return _faced(rules, battle, unit, walk, found, facing)
    return walk


def _nearest_step(
    rules: Rules, battle: Battle, unit: Unit, here: str, there: str, led: Sequence[Unit]
) -> tuple[str, Problem | None]:
    """Return the first open step that brings the head into a hex, or why there is none."""
    first: Problem | None = None
    for after in onward(rules, here):
        if head(after) == there:
            problem = why_not(rules, battle, unit, here, after, led)
            if problem is None:
                return after, None
            first = first or problem
    if first is None:
        names = {"unit": unit.id, "hex": there, "here": as_said(here)}
        ahead = " ".join(dict.fromkeys(head(after) for after in onward(rules, here)))
        first = Problem("riding.not-ahead", names, rule="S3.31c", help=f"his head can go to {ahead}")
    return here, first


def _cannot_stop(rules: Rules, battle: Battle, unit: Unit, figure_: str, spend: int) -> Problem:
    head_, tail = pair.hexes(figure_)
    held = stacking.occupied(rules, battle, unit, head_, spend) or stacking.occupied(
        rules, battle, unit, tail, spend
    )
    trench = head_ if step.leaps(rules, battle, unit, head_) else tail
    names: dict[str, str | int] = {"unit": unit.id, "hex": trench, "points": spend}
    return held or Problem("riding.trench", names, rule="S3.32b", help="a horse crosses it, and stops beyond")


def _faced(rules: Rules, battle: Battle, unit: Unit, walk: Walk, found: Sequence[str], facing: str) -> Walk:
    """Return a way that ends looking to a side, by turning at its end if the option lets the tail go about
    the head.
    """
    last = found[-1]
    wanted = f"{head(last)} {facing}"
    if last == wanted:
        return walk
    names: dict[str, str | int] = {
        "unit": unit.id,
        "hex": head(last),
        "facing": facing,
        "here": as_said(last),
    }
    cost = step_cost(rules, battle, unit, last, wanted) if wanted in turns(rules, last) else None
    if cost is None or walk.cost + cost > walk.of or not may_stop(rules, battle, unit, wanted):
        stopped = Problem("riding.facing", names, rule="S3.31c", help=f"leave out: facing {facing}")
        return Walk(walk.places, walk.cost, walk.of, stopped, walk.tails)
    return as_walk((*found, wanted), walk.cost + cost, walk.of)


def turn(rules: Rules, battle: Battle, unit: Unit, facing: str, spend: int) -> Walk | Problem:
    """Return the cheapest turn on the spot to a side, or why there is none."""
    begin = figure(unit.at)

    def ends(here: str) -> bool:
        return here.endswith(f" {facing}") and may_stop(rules, battle, unit, here)

    going = steps(rules, battle, unit)
    names: dict[str, str | int] = {"unit": unit.id, "facing": facing, "points": spend}
    if begin.endswith(f" {facing}"):
        return Problem("riding.faces-already", names, rule="S3.31c")
    turning = path.Steps(
        lambda here: [open_ for open_ in going.open(here) if is_turn(rules, here, open_[0])], going.more
    )
    found = _cheapest(turning, begin, ends, None, None)
    if found is None:
        return Problem(
            "riding.no-turn",
            names,
            rule="S3.31c",
            help="both hexes must be open to the horse, and free at the end",
        )
    if found.cost > spend:
        return Problem("riding.turn-too-far", {**names, "cost": found.cost}, rule="S3.31c")
    return as_walk(found.places, found.cost, spend)


# --- onto the map, and giving way


def entries(rules: Rules, battle: Battle, unit: Unit, at: str) -> dict[str, int]:
    """Return how a figure may stand when it has ridden onto the map over a hex, its tail in that hex: figure
    -> points of both hexes.
    """
    found = {}
    first = step.entry_cost(rules, battle, unit, at)
    for beyond in neighbours(at):
        cost = step.step_cost(rules, battle, unit, at, beyond) if beyond in battle.field.ground else None
        if cost is not None:
            found[pair.pair(beyond, at)] = first + cost
    return found


def enter(
    rules: Rules,
    battle: Battle,
    unit: Unit,
    at: str,
    goal: Sequence[str],
    spend: int,
    led: Sequence[Unit] = (),
) -> Walk | Problem:
    """Return the cheapest way onto the map over a hex, as far as a rider needs to have his horse on it, or to
    a hex further on.
    """
    problem: Problem | None = None
    best: Walk | None = None
    for begin, cost in entries(rules, battle, unit, at).items():
        walk = _from_edge(rules, battle, unit, begin, cost, goal, spend, led)
        if isinstance(walk, Problem):
            problem = problem or walk
        elif best is None or walk.cost < best.cost:
            best = walk
    return best or problem or Problem("riding.no-room", {"unit": unit.id, "hex": at}, rule="S3.31a")


def _from_edge(
    rules: Rules,
    battle: Battle,
    unit: Unit,
    begin: str,
    cost: int,
    goal: Sequence[str],
    spend: int,
    led: Sequence[Unit] = (),
) -> Walk | Problem:
    if cost > spend:
        return Problem(
            "movement.too-far",
            {"unit": unit.id, "hex": head(begin), "points": spend, "cost": cost},
            rule="S1.6b",
        )
    if not goal:
        return (
            as_walk((begin,), cost, spend)
            if may_stop(rules, battle, unit, begin)
            else _cannot_stop(rules, battle, unit, begin, spend)
        )
    walk = to(rules, battle, unit, goal[0], spend - cost, begin, led=led)
    if isinstance(walk, Problem):
        return walk
    if not may_stop(rules, battle, unit, pair.pair(*walk.ends)):
        return _cannot_stop(rules, battle, unit, begin, spend)
    return Walk(walk.places, cost + walk.cost, spend, None, walk.tails)


def giving_way(figure_: str) -> dict[str, str]:
    """Return how a figure may give way by a hex, head first or backing: the hex that is new to it -> the
    figure then.
    """
    tail = pair.hexes(figure_)[1]
    back = f"{tail} {opposite(figure_.partition(' ')[2])}"
    ahead = {head(there): there for there in pair.steps(figure_) if not pair.is_swing(figure_, there)}
    behind = {
        head(there): pair.pair(tail, head(there))
        for there in pair.steps(back)
        if not pair.is_swing(back, there)
    }
    return {**ahead, **behind}
