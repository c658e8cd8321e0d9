"""Carrying ladders: two men go with one as one piece, each at his end of it.

What they do with it where it is, such as picking it up and raising it, is ``handling_ladders``; who holds a
ladder, and where one may stand, is ``ladders``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache, partial

from msgspec import Struct

from pbem.core.play import Play
from pbem.core.problem import Problem, first_problem
from pbem.core.ruleset import Ruleset
from pbem.geometry import path
from pbem.geometry.hex import distance, neighbours, side_between
from pbem.rulesets.siege.ground import ladders, passages, stacking, terrain
from pbem.rulesets.siege.march import step
from pbem.rulesets.siege.state.events import Acted, Moved, ThingMoved
from pbem.rulesets.siege.state.field import CLUTTERED
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.state import Battle, Thing, Unit
from pbem.rulesets.siege.turn import sequence

Rules = Ruleset[Battle]


def the_two(battle: Battle, order: Act) -> list[Unit]:
    """Return the men whom an order names."""
    return [battle.units[id_] for id_ in order.who]


def not_two(order: Act) -> Problem | None:
    """Return that it takes two men; None if two are named."""
    if len(set(order.who)) == len(order.who) == 2:
        return None
    return Problem(
        "carrying.two",
        {"thing": order.what, "units": " and ".join(order.who)},
        rule="S1.91a",
        help=f"name two in one line, with a comma: {order.who[0]}, NAME",
    )


def not_now(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why two men do nothing with a ladder now: they are not two, it is none, or one of them has no
    time to move.

    They may have moved, to come to it; what they do with it they do with the points that are left.
    """
    if problem := ladders.none(battle, order.what) or not_two(order):
        return problem
    return first_problem(sequence.may_move(rules, battle, unit) for unit in the_two(battle, order))


class March(Struct, frozen=True):
    """How two men go with a ladder: where each of them is after every step, what that costs, and what they
    had to spend.
    """

    who: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    cost: int
    of: int

    def way(self, man: int) -> tuple[str, ...]:
        """Return the places of one of the two, each once where he stands still."""
        places = [pair[man] for pair in self.pairs]
        return tuple(place for index, place in enumerate(places) if index == 0 or place != places[index - 1])


def not_held(battle: Battle, order: Act) -> Problem | None:
    """Return that a ladder is not carried by those who are named; None if it is."""
    if set(ladders.carriers(battle, battle.things[order.what])) == set(order.who):
        return None
    by = ladders.carriers(battle, battle.things[order.what])
    help_ = (
        f"it is in the hands of {' and '.join(by)}"
        if by
        else f"first: {', '.join(order.who)} pick up {order.what}"
    )
    return Problem(
        "carrying.not-held",
        {"thing": order.what, "units": " and ".join(order.who)},
        rule="S1.91a",
        help=help_,
    )


def plan(rules: Rules, battle: Battle, order: Act) -> March | Problem:
    """Return how two men carry a ladder to two hexes, the first man to the first, or why they cannot."""
    known, asked = battle.asked[rules], ("carrying", order)
    found: March | Problem | None = known.get(asked)
    if found is None:
        found = known[asked] = _planned(rules, battle, order)
    return found


def _planned(rules: Rules, battle: Battle, order: Act) -> March | Problem:
    if problem := not_now(rules, battle, order) or not_held(battle, order):
        return problem
    names = {"thing": order.what, "units": " and ".join(order.who), "hexes": " ".join(order.to)}
    if len(order.to) != 2 or side_between(order.to[0], order.to[1]) is None:
        return Problem(
            "carrying.hexes",
            names,
            rule="S1.91a",
            help=f"name two hexes next to each other, the first for {order.who[0]}",
        )
    units = the_two(battle, order)
    if problem := next(_kept_out(rules, battle, units, order.to), None):
        return problem
    spend = allowance(rules, battle, units)
    found = _way(rules, battle, units, " ".join(order.to), spend)
    if found is None:
        most: dict[str, str | int] = {**names, "points": spend}
        return Problem("carrying.too-far", most, rule="S1.91c", help=_as_far_as(rules, battle, order))
    return March(order.who, tuple(_split(pair) for pair in found.places), found.cost, spend)


def _way(rules: Rules, battle: Battle, units: Sequence[Unit], ends: str, spend: int) -> path.Way | None:
    """Return the cheapest way of two men to two hexes; of those that have been searched already, if they
    have.
    """
    reached: path.Reached | None = battle.seen[rules].get(_asked(battle, units, spend))
    if reached is not None:
        every = path.Reached(reached.trail, reached.trail)
        return path.Way(every[ends][0], path.way(every, ends)) if ends in every else None
    first, second = _split(ends)

    def least(pair: str) -> int:
        here, there = _split(pair)
        return max(distance(here, first), distance(there, second))

    return path.cheapest(_pair(units), ends, _cost(rules, battle, units), _onward, spend, least)


def _asked(battle: Battle, units: Sequence[Unit], spend: int) -> tuple[object, ...]:
    return ("carry", *map(battle.known_as, units), spend)


def _as_far_as(rules: Rules, battle: Battle, order: Act) -> str:
    """Return how far two men get with their ladder toward where it is to be, each on the end that he was
    told.
    """
    ends = goals(rules, battle, battle.things[order.what], order.who)
    slow = "each of them has two points less; the slower one counts"
    if not ends:
        return slow
    first, second = min(
        ends, key=lambda pair: (distance(pair[0], order.to[0]) + distance(pair[1], order.to[1]), pair)
    )
    return f"they can get it to {first} {second}; {slow}"


def allowance(rules: Rules, battle: Battle, units: Sequence[Unit]) -> int:
    """Return how far two men get with a ladder: as far as the slower of them, who has less because he bears
    it.
    """
    return max(0, min(step.points(rules, battle, unit) for unit in units) - ladders.burden(rules))


def _kept_out(rules: Rules, battle: Battle, units: Sequence[Unit], ends: Sequence[str]) -> Iterator[Problem]:
    """Yield what keeps each of two men from stopping where he would."""
    for unit, hex_ in zip(units, ends, strict=True):
        if problem := _keeps_out(rules, battle, units, unit, hex_):
            yield problem


def _keeps_out(rules: Rules, battle: Battle, units: Sequence[Unit], unit: Unit, hex_: str) -> Problem | None:
    return step.closed(rules, battle, unit, hex_) or _taken(battle, units, unit, hex_)


def _may_stop(rules: Rules, battle: Battle, units: Sequence[Unit]) -> path.MayStop:
    """Return what tells of a pair of hexes whether nothing keeps either man out of his; each hex is looked at
    once.
    """
    one, other = (cache(partial(_keeps_out, rules, battle, units, unit)) for unit in units)

    def may_stop(pair: str) -> bool:
        first, second = _split(pair)
        return one(first) is None and other(second) is None

    return may_stop


def _taken(battle: Battle, units: Sequence[Unit], unit: Unit, hex_: str) -> Problem | None:
    others = [other.id for other in stacking.others_on(battle, unit, hex_) if other not in units]
    if not others:
        return None
    args: dict[str, str | int] = {"unit": unit.id, "hex": hex_, "points": 0, "other": others[0]}
    return Problem("movement.occupied", args, rule="S1.62a", help="they may pass there, but not stop")


def _pair(units: Sequence[Unit]) -> str:
    return " ".join(unit.at[0] for unit in units)


@lru_cache(maxsize=1 << 14)
def _split(pair: str) -> tuple[str, str]:
    first, _, second = pair.partition(" ")
    return first, second


@lru_cache(maxsize=1 << 14)
def _onward(pair: str) -> tuple[str, ...]:
    """Return how two men may stand one step on: each goes a hex or stays, and there is one on each end of the
    ladder.
    """
    first, second = _split(pair)
    ends = [(a, b) for a in (first, *neighbours(first)) for b in (second, *neighbours(second))]
    return tuple(f"{a} {b}" for a, b in ends if (a, b) != (first, second) and side_between(a, b) is not None)


def _cost(rules: Rules, battle: Battle, units: Sequence[Unit]) -> path.Cost:
    # Many pairs share the step of one man, so each is worked out once in a search.
    one, other = (cache(partial(_step, rules, battle, step.costs(rules, battle, unit))) for unit in units)

    def cost(here: str, there: str) -> int | None:
        (first, second), (on, behind) = _split(here), _split(there)
        points = one(first, on)
        if points is None:
            return None
        further = other(second, behind)
        return None if further is None else max(points, further)

    return cost


def _step(rules: Rules, battle: Battle, going: path.Cost, here: str, there: str) -> int | None:
    """Return what a step with a ladder costs one of its carriers; None where none leads, as up another
    ladder.
    """
    if here == there:
        return 0
    if (
        there not in battle.field.ground
        or CLUTTERED in terrain.terrain_at(rules, battle, there).traits
        or passages.between(rules, battle, here, there)
    ):
        return None
    return going(here, there)


def goals(rules: Rules, battle: Battle, ladder: Thing, who: Sequence[str]) -> dict[tuple[str, str], int]:
    """Return where two carriers may bring their ladder, which are the ends that ``plan`` finds a way to, with
    what it costs.
    """
    units = [battle.units[id_] for id_ in who]
    spend = allowance(rules, battle, units)
    known, asked = battle.seen[rules], _asked(battle, units, spend)
    reached: path.Reached | None = known.get(asked)
    if reached is None:
        reached = known[asked] = path.reach(
            _pair(units), spend, _cost(rules, battle, units), _may_stop(rules, battle, units), _onward
        )
    return {_split(pair): cost for pair, (cost, _) in reached.items() if pair != _pair(units)}


def why_not_carry(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why two men do not carry a ladder where they are ordered to; None if they do."""
    found = plan(rules, battle, order)
    return found if isinstance(found, Problem) else None


def carry(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Let two men go with the ladder between them, which is the move of both."""
    march = plan(rules, play.state, order)
    if isinstance(march, March):
        for man, id_ in enumerate(march.who):
            way = march.way(man)
            play.happen(
                Moved(id_, way, march.cost, march.of, with_=(order.what,))
                if len(way) > 1
                else Acted(id_, "moved")
            )
        ladder = play.state.things[order.what]
        ends = dict(zip(march.who, march.pairs[-1], strict=True))
        play.happen(ThingMoved(ladder.id, tuple(ends[id_] for id_ in ladder.by), rule="S1.91c"))


def pairs(battle: Battle, units: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield some figures two by two, each pair once, the first by id first."""
    ordered = sorted(units)
    for index, first in enumerate(ordered):
        for second in ordered[index + 1 :]:
            yield first, second
