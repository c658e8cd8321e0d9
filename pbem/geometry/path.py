"""Cheapest ways from place to place; decides which way is cheapest, not what a step costs or who may go
there.

Costs are whole numbers (half movement points, say). Places are texts that nobody here takes apart: a hex, a
storey, or a state such as head and facing, as long as the caller's ``neighbours`` says what lies beside it.

Ties have one answer everywhere: of equally cheap ways the one with the fewest steps, and of those the one
whose first different step comes earlier among the neighbours (n first and clockwise, for hexes).
"""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Iterable, Iterator, Mapping
from heapq import heappop, heappush

from msgspec import Struct

from pbem.geometry.hex import neighbours as hexes_beside

Cost = Callable[[str, str], int | None]
"""What a step from one place to the next costs, or None where it cannot be made."""

Neighbours = Callable[[str], Iterable[str]]
"""The places beside a place, in the order that breaks ties."""

MayStop = Callable[[str], bool]
"""Whether a move may end in a place, and not only lead through it."""


class Steps(Struct, frozen=True):
    """Steps of which the greater part is known before anybody sets out, in the place of cost and neighbours.

    ``open`` gives of a place those beside it to which a step can lead at all, in the order that breaks ties,
    each with its cost; ``more`` what a step costs beyond that now, or None where it cannot be made.
    """

    open: Callable[[str], Iterable[tuple[str, int]]]
    more: Cost


def _steps(cost: Cost | Steps, neighbours: Neighbours) -> Steps:
    if isinstance(cost, Steps):
        return cost
    return Steps(lambda place: [(onward, 0) for onward in neighbours(place)], cost)


# A way is numbered by its steps: so many binary digits each for the rank of a place among its neighbours.
_RANK_BITS = 8


class NegativeCost(ValueError):
    """Raised where a step would give movement back: with such steps no way is the cheapest."""


Step = tuple[int, str | None]
"""How a place is reached: the cost from the start, and the place before it (None for the start)."""


class Way(Struct, frozen=True):
    """A way and what it costs; ``places`` begins with the start and ends with the goal."""

    cost: int
    places: tuple[str, ...]


class Reached(Mapping[str, Step]):
    """The places where a move may end, cheapest first, each with its cost and the place before it.

    ``trail`` holds the places led through as well.
    """

    __slots__ = ("stops", "trail")
    stops: Mapping[str, Step]
    trail: Mapping[str, Step]

    def __init__(self, stops: Mapping[str, Step], trail: Mapping[str, Step]) -> None:
        object.__setattr__(self, "stops", stops)
        object.__setattr__(self, "trail", trail)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"what is reached stays so: {name}")

    def __getitem__(self, place: str) -> Step:
        return self.stops[place]

    def __iter__(self) -> Iterator[str]:
        return iter(self.stops)

    def __len__(self) -> int:
        return len(self.stops)

    def items(self) -> ItemsView[str, Step]:
        """Return the places with how each is reached."""
        return self.stops.items()

    def within(self, allowance: int) -> Reached:
        """Return what of it a smaller allowance reaches: the same ways, for no way is cheaper for being
        allowed to cost more.
        """
        trail = {place: step for place, step in self.trail.items() if step[0] <= allowance}
        return Reached({place: step for place, step in self.stops.items() if step[0] <= allowance}, trail)


def _search(start: str, allowance: int, steps_: Steps) -> dict[str, Step]:
    """Return the places within the allowance as they are settled, in the order of their cost."""
    open_, more = steps_.open, steps_.more
    settled: dict[str, Step] = {}
    best: dict[str, tuple[int, int, int]] = {start: (0, 0, 0)}
    heap: list[tuple[int, int, int, str, str | None]] = [(0, 0, 0, start, None)]
    while heap:
        _, _, _, place, previous = heappop(heap)
        if place in settled:
            continue
        spent, steps, code = best[place]
        settled[place] = (spent, previous)
        code <<= _RANK_BITS
        for ranked, (onward, known) in enumerate(open_(place), code):
            if onward in settled or spent + known > allowance:
                continue
            if onward in best and best[onward] <= (spent + known, steps + 1, ranked):
                continue  # whatever more it costs, no better way
            price = more(place, onward)
            if price is None:
                continue
            price += known
            if price < 0:
                raise _negative(place, onward, price)
            key = (spent + price, steps + 1, ranked)
            if key[0] <= allowance and (onward not in best or key < best[onward]):
                best[onward] = key
                heappush(heap, (*key, onward, place))
    return settled


def _toward(
    start: str, allowance: int | None, steps_: Steps, goal: str, least: Callable[[str], int]
) -> dict[str, Step]:
    """Return the places within an allowance, if there is one, as they are settled, up to the goal.

    Places nearer to the goal come earlier, and those from which even ``least`` would exceed the allowance are
    left out: no way to the goal leads over them. What is still ahead counts as cost and as steps, and as the
    lowest ranks there are, so that ties are broken as ever. What a step costs beyond what is known is asked
    when it would be taken, and most never are.
    """
    open_, more = steps_.open, steps_.more
    settled: dict[str, Step] = {}
    heap: list[tuple[int, int, int, str, str | None, int, int, int, bool]] = [
        (0, 0, 0, start, None, 0, 0, 0, True)
    ]
    while heap:
        _, _, _, place, previous, spent, steps, code, asked = heappop(heap)
        if place in settled:
            continue
        if not asked and previous is not None:
            price = more(previous, place)
            if price is None:
                continue
            if price < 0:
                raise _negative(previous, place, price)
            if price:
                ahead, spent = least(place), spent + price
                if allowance is None or spent + ahead <= allowance:
                    ranked = code << _RANK_BITS * ahead
                    heappush(
                        heap,
                        (spent + ahead, steps + ahead, ranked, place, previous, spent, steps, code, True),
                    )
                continue
        settled[place] = (spent, previous)
        if place == goal:
            break
        steps += 1
        code <<= _RANK_BITS
        for ranked, (onward, known) in enumerate(open_(place), code):
            if onward in settled:
                continue
            if known < 0:
                raise _negative(place, onward, known)
            ahead, total = least(onward), spent + known
            if allowance is None or total + ahead <= allowance:
                ordered = ranked << _RANK_BITS * ahead
                heappush(
                    heap, (total + ahead, steps + ahead, ordered, onward, place, total, steps, ranked, False)
                )
    return settled


def _negative(here: str, there: str, price: int) -> NegativeCost:
    return NegativeCost(f"the step from {here} to {there} costs {price}; a step costs nothing or more")


def _trail(steps: Mapping[str, Step], goal: str) -> tuple[str, ...]:
    places = [goal]
    while (previous := steps[places[-1]][1]) is not None:
        places.append(previous)
    return tuple(reversed(places))


def reach(
    start: str,
    allowance: int,
    cost: Cost | Steps,
    may_stop: MayStop | None = None,
    neighbours: Neighbours = hexes_beside,
) -> Reached:
    """Return every place where a move of at most ``allowance`` may end; the start always is one, at no cost.

    Raise NegativeCost where a step costs less than nothing.
    """
    trail = _search(start, allowance, _steps(cost, neighbours))
    if may_stop is None:
        return Reached(trail, trail)
    return Reached({place: step for place, step in trail.items() if place == start or may_stop(place)}, trail)


def way(reached: Reached, goal: str) -> tuple[str, ...]:
    """Return the cheapest way to a place, start and goal included; empty where a move cannot end there."""
    return _trail(reached.trail, goal) if goal in reached.stops else ()


def way_as_far_as(reached: Reached, place: str) -> Way | None:
    """Return the cheapest way to a place, be it that a move only leads through it; None where none leads
    there.
    """
    return Way(reached.trail[place][0], _trail(reached.trail, place)) if place in reached.trail else None


def cheapest(
    start: str,
    goal: str,
    cost: Cost | Steps,
    neighbours: Neighbours = hexes_beside,
    allowance: int | None = None,
    least: Callable[[str], int] | None = None,
) -> Way | None:
    """Return the cheapest way from start to goal, or None where there is none (within the allowance, if one
    is given).

    ``least`` may say what the way from a place to the goal costs, and how many steps it has, at the very
    least: one less at most for each step, zero at the goal. It changes nothing but the time it takes. Raise
    NegativeCost where a step costs less than nothing.
    """
    steps = _toward(start, allowance, _steps(cost, neighbours), goal, least or (lambda place: 0))
    return Way(steps[goal][0], _trail(steps, goal)) if goal in steps else None
