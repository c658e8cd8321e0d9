"""Leading: the way of a leader, to where he takes the reins and on from there, onto the map and off it; and
that it is gone.

Whom he can lead is ``leadable``, how those follow on his trail ``treks``. How far he goes alone is
``movement``; which animals draw a wagon is ``wagons``. Only the leader's points are spent.

Theory of operation. The way of a leader has two parts: to where he has all whom he leads beside him, and on
from there. The first part is taken on a map on which they stand where they are, the second on one from which
they are gone (``without``), since they make way for him. For every place where he could take the reins there
is one search onward; each way that it finds is made a trek, which says where everybody ends up, and of those
that can be gone the cheapest is taken (``_to``). Where all are beside him already there is no first part, and
nothing else is tried.

The obvious way, one search in which leader and followers move together, has a node for every posture of the
whole train; a horse alone has two hexes, and a team with its wagon many more. But those who follow have no
choice: they go where the one before them was. So the search knows the leader only, asks at each step whether
it is barred to those he leads (``step.led_bars``), and the train is laid along the finished way
(``treks.follow``).

A way that was ordered hex by hex is gone as far as it can be (``_by``): from its far end backward, the first
beginning of it is taken that the whole train can go. What went wrong before, and has cases now: who only took
the reins could stop where an animal stood; a beginning of no step was taken for an answer though its reason
was wanted; a team did not go on without one of it that had left the map; a hitched animal was led off the map
without its wagon. What has to hold wherever anybody is led is tried on random boards (``test_siege_riding``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from pbem.core.play import Play
from pbem.core.problem import Problem, first_problem
from pbem.core.ruleset import Ruleset
from pbem.geometry import pair, path
from pbem.geometry.hex import distance, hex_of
from pbem.rulesets.siege.march import movement, riding, step
from pbem.rulesets.siege.march.walk import Walk
from pbem.rulesets.siege.state.events import Entered, Left, Moved, ThingMoved
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.state import Battle, Unit
from pbem.rulesets.siege.things import leadable, treks, wagons
from pbem.rulesets.siege.things.treks import Link, Trek

Rules = Ruleset[Battle]


def leads(rules: Rules, battle: Battle, unit: Unit) -> tuple[str, ...]:
    """Return whom a figure could lead from where it stands, each alone, by id."""
    if movement.time_to_move(rules, battle, unit) or not unit.at:
        return ()
    found = []
    for id_ in sorted(battle.units):
        if (
            id_ != unit.id
            and leadable.leadable(battle, battle.units[id_])
            and leadable.why_not(rules, battle, unit, id_) is None
        ):
            chain = treks.links(rules, battle, unit, unit.at, (id_,))
            if not isinstance(chain, Problem):
                found.append(id_)
    return tuple(found)


# --- the way


def plan(rules: Rules, battle: Battle, order: Act) -> Trek | Problem:
    """Return the way of a leader and of those he leads, or why there is none; taking the reins costs nothing,
    wherever he does it.
    """
    unit = battle.units[order.who[0]]
    if problem := movement.time_to_move(rules, battle, unit):
        return problem
    if not unit.at:
        return Problem(
            "movement.not-here",
            {"unit": unit.id},
            help=f"{unit.id} enters at HEX leading {', '.join(order.animals)}",
        )
    return _lead(rules, battle, unit, order.animals, order.to, order.by, step.points(rules, battle, unit))


def _lead(
    rules: Rules,
    battle: Battle,
    unit: Unit,
    names: Sequence[str],
    to: Sequence[str],
    by: Sequence[str],
    spend: int,
) -> Trek | Problem:
    for name in names:
        if problem := leadable.why_not(rules, battle, unit, name) or wagons.cannot_draw(battle, names, name):
            return problem
    battle = leadable.in_hand(battle, unit, names)
    if by:
        return _by(rules, battle, unit, names, by, spend)
    return _to(rules, battle, unit, names, to[0], spend)


def _to(
    rules: Rules, battle: Battle, unit: Unit, names: Sequence[str], goal: str, spend: int
) -> Trek | Problem:
    """Return the cheapest way to a hex that leads past those who are to be led."""
    best: Trek | None = None
    first: Problem | None = None
    for before in _to_the_reins(rules, battle, unit, names, spend):
        if isinstance(before, Problem):
            first = first or before
            continue
        walk, chain = before
        if best is not None and walk.cost >= best.walk.cost:
            continue
        start = riding.figure(walk.ends) if walk.tails else walk.places[-1]
        led = tuple(link.beast for link in chain)
        onward = movement.to(
            rules, leadable.without(battle, names), unit, goal, spend - walk.cost, start, led=led
        )
        trek = (
            onward
            if isinstance(onward, Problem)
            else treks.trek(rules, battle, unit, names, chain, walk, onward, spend)
        )
        if isinstance(trek, Problem):
            first = first or trek
        elif best is None or trek.walk.cost < best.walk.cost:
            best = trek
    return (
        best
        or first
        or Problem(
            "leading.too-far", {"unit": unit.id, "led": ", ".join(names), "points": spend}, rule="S3.34b"
        )
    )


def goals(rules: Rules, battle: Battle, unit: Unit, names: Sequence[str], spend: int) -> dict[str, int]:
    """Return every hex to which a figure can lead some, with what it costs him: one search for each place
    where he takes the reins.
    """
    found: dict[str, int] = {}
    if any(
        leadable.why_not(rules, battle, unit, name) or wagons.cannot_draw(battle, names, name)
        for name in names
    ):
        return found
    if _too_far(battle, unit, names[0], spend):
        return found
    battle = leadable.in_hand(battle, unit, names)
    clear = leadable.without(battle, names)
    for before in _to_the_reins(rules, battle, unit, names, spend):
        if isinstance(before, Problem):
            continue
        walk, chain = before
        for after in _onward(rules, clear, unit, walk, tuple(link.beast for link in chain), spend):
            goal, cost = after.places[-1], walk.cost + after.cost
            shorter = goal not in found or cost < found[goal]
            if shorter and isinstance(
                treks.trek(rules, battle, unit, names, chain, walk, after, spend), Trek
            ):
                found[goal] = cost
    return found


def _too_far(battle: Battle, unit: Unit, name: str, spend: int) -> bool:
    """Tell whether a figure comes next to another on no way of so many points, each step of which costs one
    at least; of a rider's, one of two hexes that a turn moves.
    """
    far = min((distance(one, other) for one in unit.hexes for other in battle.units[name].hexes), default=0)
    return far > (spend + 1) * len(unit.at) + len(unit.at) - 1


def _onward(
    rules: Rules, clear: Battle, unit: Unit, walk: Walk, led: Sequence[Unit], spend: int
) -> Iterator[Walk]:
    """Yield the cheapest ways on from where a leader has taken the reins, one to each hex."""
    left = spend - walk.cost
    if not riding.two_hexes(unit):
        reached = movement.reach(rules, clear, unit, left, walk.places[-1], led)
        for place in reached:
            yield Walk(path.way(reached, place), reached[place][0], left)
        return
    reached = riding.reach(rules, clear, unit, left, riding.figure(walk.ends), led)
    heads: set[str] = set()
    for figure in reached:
        if riding.head(figure) not in heads:
            heads.add(riding.head(figure))
            yield riding.as_walk(path.way(reached, figure), reached[figure][0], left)


def _to_the_reins(
    rules: Rules, battle: Battle, unit: Unit, names: Sequence[str], spend: int
) -> tuple[tuple[Walk, tuple[Link, ...]] | Problem, ...]:
    """Return the ways to where a leader has all whom he leads beside him, the one that costs nothing first
    and alone; searched once, however many hexes he might lead them to.
    """
    known, asked = battle.asked[rules], ("reins", battle.called(unit), spend, *names)
    found: tuple[tuple[Walk, tuple[Link, ...]] | Problem, ...] | None = known.get(asked)
    if found is None:
        found = known[asked] = tuple(_searched(rules, battle, unit, names, spend))
    return found


def _searched(
    rules: Rules, battle: Battle, unit: Unit, names: Sequence[str], spend: int
) -> Iterator[tuple[Walk, tuple[Link, ...]] | Problem]:
    here = treks.links(rules, battle, unit, unit.at, names)
    if not isinstance(here, Problem):
        yield Walk(unit.at[:1], 0, spend, None, unit.at[1:]), here
        return
    yield here
    reached = (
        riding.reach(rules, battle, unit, spend)
        if riding.two_hexes(unit)
        else movement.reach(rules, battle, unit, spend)
    )
    near = battle.units[names[0]].hexes
    for place in reached.trail:
        at = pair.hexes(place) if riding.two_hexes(unit) else (place,)
        if any(distance(hex_of(one), other) == 1 for one in at for other in near):
            chain = treks.links(rules, battle, unit, at, names)
            if not isinstance(chain, Problem):
                way = path.way(path.Reached(reached.trail, reached.trail), place)
                cost = reached.trail[place][0]
                yield (
                    (riding.as_walk(way, cost, spend) if riding.two_hexes(unit) else Walk(way, cost, spend)),
                    chain,
                )


def _by(
    rules: Rules, battle: Battle, unit: Unit, names: Sequence[str], way: Sequence[str], spend: int
) -> Trek | Problem:
    """Return how far a leader gets on exactly this way, with those whom he leads from where he comes next to
    them.
    """
    clear = leadable.without(battle, names)
    walk = movement.by(rules, clear, unit, way, spend)
    chains = [treks.links(rules, battle, unit, _at(walk, index), names) for index in range(len(walk.places))]
    begun = next((index for index, chain in enumerate(chains) if not isinstance(chain, Problem)), None)
    chain = chains[begun or 0]
    if begun is None or isinstance(chain, Problem):
        return (
            walk.stopped or chains[0]
            if isinstance(chains[0], Problem)
            else Problem("movement.no-way", {"unit": unit.id, "hex": way[-1] if way else ""})
        )
    before = Walk(walk.places[: begun + 1], 0, spend, None, walk.tails[: begun + 1])
    first: Problem | None = walk.stopped
    for end in range(len(walk.places), begun, -1):
        problem = _bar(rules, battle, tuple(link.beast for link in chain), walk, begun, end)
        short = walk if end == len(walk.places) else _as_far(rules, clear, unit, walk, end, spend)
        if problem is None and len(short.places) == end:
            after = Walk(walk.places[begun:end], short.cost, spend, first, walk.tails[begun:end])
            trek = treks.trek(rules, battle, unit, names, chain, before, after, spend)
            if isinstance(trek, Trek) and (len(trek.walk.places) > 1 or first is None):
                return trek
            problem = trek if isinstance(trek, Problem) else None
        first = first or problem
    return first or Problem("movement.no-way", {"unit": unit.id, "hex": way[-1]}, rule="S3.34c")


def _at(walk: Walk, index: int) -> tuple[str, ...]:
    return (walk.places[index], walk.tails[index]) if walk.tails else (walk.places[index],)


def _as_far(rules: Rules, battle: Battle, unit: Unit, walk: Walk, end: int, spend: int) -> Walk:
    """Return the beginning of a way, as far as it can be gone if it is to end there."""
    if end == 1:
        return Walk(walk.places[:1], 0, spend, None, walk.tails[:1])
    return movement.by(rules, battle, unit, walk.places[1:end], spend)


def _bar(
    rules: Rules, battle: Battle, led: Sequence[Unit], walk: Walk, begun: int, end: int
) -> Problem | None:
    """Return what bars a part of a way to those who are led on it; None if it is open to them."""
    steps = zip(walk.places[begun : end - 1], walk.places[begun + 1 : end], strict=True)
    found = (step.led_bars(rules, battle, led, here, there) for here, there in steps if here != there)
    return first_problem(found)


# --- off the map and onto it


def plan_leaving(rules: Rules, battle: Battle, order: Act) -> Trek | Problem:
    """Return the way off the map of a leader and those he leads, who leave it with him; the step off costs
    him one point.
    """
    unit, at = battle.units[order.who[0]], order.by[0]
    if problem := movement.time_to_move(rules, battle, unit) or movement.no_way_out(battle, unit, at):
        return problem
    spend = step.points(rules, battle, unit)
    if not unit.at:
        return Problem("movement.not-here", {"unit": unit.id})
    if not spend:
        return Problem("movement.too-far", {"unit": unit.id, "hex": at, "points": 0, "cost": 1}, rule="S1.6b")
    for name in order.animals:
        if problem := wagons.stays_behind(battle, unit, name):
            return problem
    return _lead(rules, battle, unit, order.animals, (at,), (), spend - 1)


def plan_entering(rules: Rules, battle: Battle, order: Act) -> Trek | Problem:
    """Return the way onto the map of a leader and those he leads: he goes on until there is room behind him
    for all.
    """
    unit, at = battle.units[order.who[0]], order.by[0]
    chain: list[Link] = []
    for name in order.animals:
        led = battle.units[name]
        if not leadable.leadable(battle, led):
            return Problem("leading.not-led", {"unit": unit.id, "led": name}, rule="S3.34b")
        if problem := movement.no_way_in(battle, led, at) or step.ground_bars(rules, battle, led, at):
            return problem
        chain.append(Link(name, ("", "") if riding.two_hexes(led) else ("",), led))
    walk = movement.plan_entering(rules, battle, order, tuple(link.beast for link in chain))
    if isinstance(walk, Problem):
        return walk
    rear = walk.tails or walk.places
    track = [place for index, place in enumerate(rear) if index == 0 or place != rear[index - 1]]
    needs = sum(len(link.at) for link in chain)
    if len(track) - 1 < needs:
        names: dict[str, str | int] = {
            "unit": unit.id,
            "led": ", ".join(order.animals),
            "needs": needs - len(track) + 1,
        }
        return Problem("leading.edge", names, rule="S3.34b", help="go further onto the map")
    ways: list[tuple[Link, tuple[str, ...]]] = []
    end = len(track) - 1
    for link in chain:
        ways.append((link, tuple(track[:end])))
        end -= len(link.at)
    trek = Trek(walk, tuple(ways))
    return treks.shut(rules, battle, unit, order.animals, trek) or trek


# --- carrying it out


def lead(rules: Rules, play: Play[Battle], order: Act) -> Problem | None:
    """Let a leader go, and those he leads after him, as far as their way is open; return why nothing came of
    it.
    """
    trek = plan(rules, play.state, order)
    if isinstance(trek, Problem):
        return trek
    _go(rules, play, order, trek)
    return None


def leave(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Let a leader leave the map with those he leads."""
    trek = plan_leaving(rules, play.state, order)
    if isinstance(trek, Trek):
        _go(rules, play, order, replace(trek, walk=replace(trek.walk, of=trek.walk.of + 1)))
        for name in (order.who[0], *order.animals):
            play.happen(Left(name, trek.walk.places[-1]))


def enter(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Let a leader come onto the map with those he leads."""
    trek = plan_entering(rules, play.state, order)
    if isinstance(trek, Trek):
        leadable.take(play, play.state.units[order.who[0]], order.animals)
        walk = trek.walk
        play.happen(Entered(order.who[0], walk.places, walk.cost, walk.of, walk.tails))
        for link, way in trek.ways:
            tails = way[:-1] if len(link.at) > 1 else ()
            play.happen(Entered(link.id, way[1:] if tails else way, 0, 0, tails))


def _go(rules: Rules, play: Play[Battle], order: Act, trek: Trek) -> None:
    leadable.take(play, play.state.units[order.who[0]], order.animals)
    walk = trek.walk
    if len(walk.places) == 1:
        return
    stopped, rule_id = (walk.stopped.code, walk.stopped.rule) if walk.stopped else ("", "")
    going = [(link, way) for link, way in trek.ways if len(way) > len(link.at)]
    with_ = tuple(link.id for link, _ in (*going, *trek.beside))
    cause = play.happen(
        Moved(order.who[0], walk.places, walk.cost, walk.of, stopped, rule_id, walk.tails, with_)
    )
    for link, way in going:
        if link.wagon:
            at = treks.ends(link, way)
            play.happen(ThingMoved(link.id, at, riding.figure(at).partition(" ")[2], cause=cause))
        elif len(link.at) == 1:
            play.happen(Moved(link.id, way, 0, 0, rule="S3.34b", cause=cause))
        else:
            play.happen(Moved(link.id, way[1:], 0, 0, rule="S3.34b", tails=way[:-1], cause=cause))
    for link, at in trek.beside:
        places, tails = (link.at[0], at[0]), (link.at[1], at[1]) if len(at) > 1 else ()
        play.happen(Moved(link.id, places, 0, 0, rule="S5.11d", tails=tails, cause=cause))
