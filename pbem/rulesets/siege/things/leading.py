"""Leading: a figure goes, and whom it leads follows on its trail; who can be led, by whom, and where
everybody ends up.

How far the leader goes is ``movement``; which animals draw a wagon is ``wagons``. Only the leader's points
are spent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry import pair, path
from pbem.geometry.hex import distance, hex_of, neighbours
from pbem.rulesets.siege.ground import stacking
from pbem.rulesets.siege.march import movement, riding, step
from pbem.rulesets.siege.march.step import Walk
from pbem.rulesets.siege.state.events import Entered, Led, Left, Moved, ThingMoved
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.state import STUNNED, Battle, Unit
from pbem.rulesets.siege.things import wagons

Rules = Ruleset[Battle]


@dataclass(frozen=True, slots=True)
class Link:
    """Somebody who follows, or a wagon: where it stands, the end next to the one before it first."""

    id: str
    at: tuple[str, ...]
    beast: Unit
    """Who goes its way: the animal itself, or one that draws the wagon."""
    wagon: bool = False


@dataclass(frozen=True, slots=True)
class Trek:
    """A leader's way and what it brings along: for each who follows its places, front first, from where it
    stood.
    """

    walk: Walk
    ways: tuple[tuple[Link, tuple[str, ...]], ...]
    beside: tuple[tuple[Link, tuple[str, ...]], ...] = ()
    """Animals that go beside another before the same wagon, and where they stand at the end."""


# --- who can be led


def why_not(rules: Rules, battle: Battle, unit: Unit, name: str) -> Problem | None:
    """Return why a figure does not lead somebody now, wherever both stand; None if it can."""
    led = battle.units[name]
    names = {"unit": unit.id, "led": name}
    if name == unit.id or not leadable(battle, led):
        return Problem(
            "leading.not-led", names, rule="S3.34b", help="animals that nobody rides are led, and bystanders"
        )
    if not led.living:
        return Problem("leading.gone", names, rule="S3.34b")
    if led.state == STUNNED:
        return Problem("leading.stunned", names, rule="CH0.2g")
    if "moved" in led.did:
        return Problem("leading.again", names, rule="S1.6d")
    return guarded(battle, unit, led)


@rule("S3.34b")
def leadable(battle: Battle, led: Unit) -> bool:
    """Tell whether somebody can be led by any figure, even a wounded one: an animal that nobody rides, or a
    bystander.
    """
    return (led.kind != "man" or led.id in battle.field.bystanders) and led.id not in battle.rider_of


@rule("E3.34a")
def guarded(battle: Battle, unit: Unit, led: Unit) -> Problem | None:
    """Return that somebody next to one of the side that holds it cannot be led away by another side; None if
    nobody guards it.
    """
    holder = battle.allegiance(led)
    if holder in ("", unit.side):
        return None
    for id_ in sorted({id_ for here in led.hexes for id_ in _around(battle, here)}):
        guard = battle.units[id_]
        if (
            guard.able
            and guard.side == holder
            and guard.kind == "man"
            and id_ not in battle.field.bystanders
            and not guard.mood
        ):
            names = {"unit": unit.id, "led": led.id, "guard": id_}
            return Problem(
                "leading.guarded", names, rule="E3.34a", help=f"drive {id_} away from {led.id} first"
            )
    return None


def _around(battle: Battle, here: str) -> Iterator[str]:
    for other in neighbours(here):
        yield from battle.living_in.get(other, ())


def leads(rules: Rules, battle: Battle, unit: Unit) -> tuple[str, ...]:
    """Return whom a figure could lead from where it stands, each alone, by id."""
    if movement.time_to_move(rules, battle, unit) or not unit.at:
        return ()
    found = []
    for id_ in sorted(battle.units):
        if (
            id_ != unit.id
            and leadable(battle, battle.units[id_])
            and why_not(rules, battle, unit, id_) is None
        ):
            chain = links(rules, battle, unit, unit.at, (id_,))
            if not isinstance(chain, Problem):
                found.append(id_)
    return tuple(found)


# --- the chain


def links(
    rules: Rules, battle: Battle, unit: Unit, at: Sequence[str], names: Sequence[str]
) -> tuple[Link, ...] | Problem:
    """Return those who follow a leader who stands here, in a row, a wagon behind its first animal; or who
    stands apart.
    """
    found: list[Link] = []
    track = list(reversed(at))
    for name in names:
        beast = battle.units[name]
        at_ = _near_end_first(rules, battle, track, beast.at)
        if at_ is None:
            who = found[-1].id if found else unit.id
            names_ = {"unit": unit.id, "led": name, "who": who}
            return Problem("leading.apart", names_, rule="S3.34b", help="each next to the one before it")
        found.append(Link(name, at_, beast))
        track = [*reversed(at_), *track]
        wagon = wagons.drawn_by(battle, name)
        if wagon is not None and all(link.id != wagon.id for link in found):
            found.append(Link(wagon.id, wagon.at, beast, wagon=True))
            track = [*reversed(wagon.at), *track]
    return tuple(found)


def _near_end_first(
    rules: Rules, battle: Battle, track: Sequence[str], at: Sequence[str]
) -> tuple[str, ...] | None:
    """Return the hexes of who follows, the end that is next to somebody of the chain first; None if neither
    is.
    """
    for ends in (tuple(at), tuple(reversed(at))):
        if any(wagons.open_between(battle, place, ends[0]) for place in track):
            return ends
    return None


@rule("S3.34c")
def follow(
    rules: Rules, chain: Sequence[Link], track: Sequence[str], stands: int
) -> list[tuple[Link, tuple[str, ...]]]:
    """Return the places through which each of a chain follows its leader, as an extension of his counter.

    ``track`` is where the leader's rear goes, from where it begins; the first ``stands`` of its places are
    his when they set out.
    """
    found: list[tuple[Link, tuple[str, ...]]] = []
    room = 0
    for link in chain:
        join = next(
            index
            for index, place in enumerate(track[:stands])
            if distance(hex_of(place), hex_of(link.at[0])) == 1
        )
        end = len(track) - 2 - room
        steps = tuple(track[join : max(0, end + 1)])
        found.append((link, (*reversed(link.at), *steps)))
        track = [*reversed(link.at), *track[join:]]
        stands = stands - join + len(link.at)
        room += len(link.at)
    return found


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
        if problem := why_not(rules, battle, unit, name) or wagons.cannot_draw(battle, names, name):
            return problem
    battle = in_hand(battle, unit, names)
    if by:
        return _by(rules, battle, unit, names, by, spend)
    return _to(rules, battle, unit, names, to[0], spend)


def in_hand(battle: Battle, unit: Unit, names: Sequence[str]) -> Battle:
    """Return the battle with those who are led in the hands of their leader's side."""
    return battle.with_units(*(replace(battle.units[name], captive_of=unit.side) for name in names))


def without(battle: Battle, names: Sequence[str]) -> Battle:
    """Return the battle as a leader meets it: those he leads make way for him."""
    return battle.with_units(*(replace(battle.units[name], at=()) for name in names))


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
        onward = movement.to(rules, without(battle, names), unit, goal, spend - walk.cost, start, led=led)
        trek = (
            onward
            if isinstance(onward, Problem)
            else _trek(rules, battle, unit, names, chain, walk, onward, spend)
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
    if any(why_not(rules, battle, unit, name) or wagons.cannot_draw(battle, names, name) for name in names):
        return found
    battle = in_hand(battle, unit, names)
    clear = without(battle, names)
    for before in _to_the_reins(rules, battle, unit, names, spend):
        if isinstance(before, Problem):
            continue
        walk, chain = before
        for after in _onward(rules, clear, unit, walk, tuple(link.beast for link in chain), spend):
            goal, cost = after.places[-1], walk.cost + after.cost
            shorter = goal not in found or cost < found[goal]
            if shorter and isinstance(_trek(rules, battle, unit, names, chain, walk, after, spend), Trek):
                found[goal] = cost
    return found


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
) -> Iterator[tuple[Walk, tuple[Link, ...]] | Problem]:
    """Yield the ways to where a leader has all whom he leads beside him, the one that costs nothing first and
    alone.
    """
    here = links(rules, battle, unit, unit.at, names)
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
            chain = links(rules, battle, unit, at, names)
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
    clear = without(battle, names)
    walk = movement.by(rules, clear, unit, way, spend)
    chains = [links(rules, battle, unit, _at(walk, index), names) for index in range(len(walk.places))]
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
            trek = _trek(rules, battle, unit, names, chain, before, after, spend)
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
    return next((problem for problem in found if problem is not None), None)


def _trek(
    rules: Rules,
    battle: Battle,
    unit: Unit,
    names: Sequence[str],
    chain: Sequence[Link],
    before: Walk,
    after: Walk,
    spend: int,
) -> Trek | Problem:
    """Return a way in two parts, up to the reins and on from there, with those who follow in the second; or
    why they cannot.
    """
    tails = (*before.tails, *after.tails[1:])
    walk = Walk((*before.places, *after.places[1:]), before.cost + after.cost, spend, after.stopped, tails)
    rear = after.tails or after.places
    track = [place for index, place in enumerate(rear) if index == 0 or place != rear[index - 1]]
    stands = 2 if after.tails and len(track) > 1 and track[1] == after.places[0] else 1
    if len(after.places) == 1:
        return _in_the_way(rules, battle, unit, walk) or Trek(walk, ())
    if not _joined(chain, track, stands):
        return Problem(
            "leading.apart",
            {"unit": unit.id, "led": names[0], "who": unit.id},
            rule="S3.34b",
            help="go ahead, do not turn",
        )
    ways = follow(rules, chain, track, stands)
    trek = Trek(walk, tuple(ways))
    problem = _shut(rules, battle, unit, names, trek)
    if problem is not None:
        return problem
    return _with_mates(rules, battle, unit, trek)


def _in_the_way(rules: Rules, battle: Battle, unit: Unit, walk: Walk) -> Problem | None:
    """Return that a leader who only takes the reins cannot stop where he would: he may pass somebody there,
    but not stop.
    """
    found = (stacking.occupied(rules, battle, unit, place, walk.of) for place in walk.ends)
    return next((problem for problem in found if problem is not None), None)


def _joined(chain: Sequence[Link], track: Sequence[str], stands: int) -> bool:
    """Tell whether each of a chain is next to somewhere on the trail where the one before
    it stands or stood.
    """
    known = list(track[:stands])
    for link in chain:
        if all(distance(hex_of(place), hex_of(link.at[0])) != 1 for place in known):
            return False
        known += link.at
    return True


def _ends(link: Link, way: Sequence[str]) -> tuple[str, ...]:
    """Return where somebody stands at the end of its way, front first."""
    return tuple(reversed(way[-len(link.at) :]))


def _shut(rules: Rules, battle: Battle, unit: Unit, names: Sequence[str], trek: Trek) -> Problem | None:
    """Return why those who follow cannot: a step is barred to one of them, or somebody stands where one would
    end up.
    """
    family = {unit.id, *names, *(mate for link, _ in trek.ways for mate in wagons.team(battle, link.id))}
    taken = dict.fromkeys(trek.walk.ends, unit.id)
    for link, way in trek.ways:
        length = len(link.at)
        for here, there in zip(way[length - 1 :], way[length:], strict=False):
            if problem := step.ways_bars(rules, battle, link.beast, here, there):
                return problem
        for place in _ends(link, way):
            others = [
                other.id for other in stacking.others_on(battle, link.beast, place) if other.id not in family
            ]
            other = taken.setdefault(place, link.id)
            if others or other != link.id:
                args = {"unit": unit.id, "led": link.id, "hex": place, "other": (*others, other)[0]}
                return Problem("leading.no-room", args, rule="S1.62a", help="go another way, or further")
            if step.leaps(rules, battle, link.beast, place):
                return Problem(
                    "riding.trench",
                    {"unit": link.id, "hex": place},
                    rule="S3.32b",
                    help="go on until all are across",
                )
    return None


def _with_mates(rules: Rules, battle: Battle, unit: Unit, trek: Trek) -> Trek | Problem:
    """Return a trek with the other animals of each team beside the one that is led, before the wagon."""
    taken = {*trek.walk.ends, *(place for link, way in trek.ways for place in _ends(link, way))}
    chained = {link.id for link, _ in trek.ways}
    beside: list[tuple[Link, tuple[str, ...]]] = []
    for link, way in trek.ways:
        if not link.wagon or len(way) == len(link.at):
            continue
        for mate in wagons.team(battle, link.id):
            beast = battle.units[mate]
            if mate in chained or not beast.at:
                continue
            stands = wagons.room_before(rules, battle, _ends(link, way), beast, taken)
            if stands is None:
                args = {"unit": unit.id, "led": mate, "wagon": link.id}
                return Problem("leading.no-team", args, rule="S5.11b", help="go another way")
            taken |= set(stands)
            beside.append((Link(mate, beast.at, beast), stands))
    return replace(trek, beside=tuple(beside))


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
        if not leadable(battle, led):
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
    return _shut(rules, battle, unit, order.animals, trek) or trek


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
        take(play, play.state.units[order.who[0]], order.animals)
        walk = trek.walk
        play.happen(Entered(order.who[0], walk.places, walk.cost, walk.of, walk.tails))
        for link, way in trek.ways:
            tails = way[:-1] if len(link.at) > 1 else ()
            play.happen(Entered(link.id, way[1:] if tails else way, 0, 0, tails))


def _go(rules: Rules, play: Play[Battle], order: Act, trek: Trek) -> None:
    take(play, play.state.units[order.who[0]], order.animals)
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
            at = _ends(link, way)
            play.happen(ThingMoved(link.id, at, riding.figure(at).partition(" ")[2], cause=cause))
        elif len(link.at) == 1:
            play.happen(Moved(link.id, way, 0, 0, rule="S3.34b", cause=cause))
        else:
            play.happen(Moved(link.id, way[1:], 0, 0, rule="S3.34b", tails=way[:-1], cause=cause))
    for link, at in trek.beside:
        places, tails = (link.at[0], at[0]), (link.at[1], at[1]) if len(at) > 1 else ()
        play.happen(Moved(link.id, places, 0, 0, rule="S5.11d", tails=tails, cause=cause))


@rule("S3.34b")
def take(play: Play[Battle], unit: Unit, names: Sequence[str]) -> None:
    """Put those who are led into the hands of their leader's side; its own are only its own again."""
    for name in names:
        led = play.state.units[name]
        side = "" if led.side == unit.side and name not in play.state.field.bystanders else unit.side
        if led.captive_of != side:
            play.happen(Led(name, side, unit.id, "S3.34b"))
