from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from functools import partial

import pytest

from pbem.geometry.hex import distance, neighbours
from pbem.geometry.path import NegativeCost, Reached, Steps, Way, cheapest, reach, way


def flat(price: int = 2) -> Callable[[str, str], int | None]:
    return lambda a, b: price


def test_reach_on_flat_ground_is_the_disc() -> None:
    for allowance, ring in ((0, 0), (1, 0), (2, 1), (3, 1), (4, 2), (16, 8)):
        reached = reach("2020", allowance, flat())
        assert len(reached) == 3 * ring * (ring + 1) + 1
        assert all(cost == 2 * distance("2020", place) <= allowance for place, (cost, _) in reached.items())


def test_start_and_what_leads_there() -> None:
    reached = reach("0505", 4, flat())
    assert reached["0505"] == (0, None)
    assert reached["0504"] == (2, "0505")
    assert reached["0503"] == (4, "0504")
    assert "0502" not in reached
    assert reached.get("0502") is None
    assert list(reached)[:7] == ["0505", "0504", "0604", "0605", "0506", "0405", "0404"]
    assert way(reached, "0503") == ("0505", "0504", "0503")
    assert way(reached, "0505") == ("0505",)
    assert way(reached, "0502") == ()


def test_ties_go_to_the_first_different_step() -> None:
    reached = reach("0505", 6, flat())
    assert way(reached, "0603") == ("0505", "0504", "0603")
    assert way(reached, "0705") == ("0505", "0604", "0705")
    assert way(reached, "0606") == ("0505", "0605", "0606")
    assert way(reached, "0406") == ("0505", "0506", "0406")
    assert way(reached, "0305") == ("0505", "0405", "0305")
    assert way(reached, "0403") == ("0505", "0504", "0403")
    assert way(reached, "0703") == ("0505", "0504", "0603", "0703")


def graph(
    arcs: dict[str, list[tuple[str, int | None]]],
) -> tuple[Callable[..., int | None], Callable[[str], list[str]]]:
    return (lambda a, b: dict(arcs[a])[b]), (lambda a: [b for b, _ in arcs.get(a, [])])


def test_fewer_steps_before_the_order_of_steps() -> None:
    cost, beside = graph({"a": [("b", 1), ("c", 3)], "b": [("d", 1)], "c": [("e", 1)], "d": [("e", 2)]})
    assert cheapest("a", "e", cost, beside) == Way(4, ("a", "c", "e"))


def test_cheaper_before_fewer_steps() -> None:
    cost, beside = graph({"a": [("e", 4), ("b", 1)], "b": [("c", 1)], "c": [("e", 1)]})
    assert cheapest("a", "e", cost, beside) == Way(3, ("a", "b", "c", "e"))
    cost, beside = graph({"a": [("e", 3), ("b", 1)], "b": [("c", 1)], "c": [("e", 1)]})
    assert cheapest("a", "e", cost, beside) == Way(3, ("a", "e"))


def test_the_first_step_decides_not_the_cost_of_it() -> None:
    """The way by b begins dearer, but b is named first."""
    cost, beside = graph({"a": [("b", 3), ("c", 1)], "b": [("d", 1)], "c": [("d", 3)]})
    assert cheapest("a", "d", cost, beside) == Way(4, ("a", "b", "d"))
    cost, beside = graph({"a": [("c", 1), ("b", 3)], "b": [("d", 1)], "c": [("d", 3)]})
    assert cheapest("a", "d", cost, beside) == Way(4, ("a", "c", "d"))


def test_the_first_step_decides_before_the_last() -> None:
    cost, beside = graph(
        {
            "a": [("b", 1), ("c", 1)],
            "b": [("x", 5), ("y", 1)],
            "c": [("z", 1)],
            "y": [("w", 1), ("g", 1)],
            "z": [("g", 1)],
        }
    )
    assert cheapest("a", "g", cost, beside) == Way(3, ("a", "b", "y", "g"))


def test_steps_that_cost_nothing() -> None:
    cost, beside = graph({"a": [("b", 0)], "b": [("a", 0), ("c", 0)], "c": [("b", 0), ("d", 1)]})
    reached = reach("a", 0, cost, neighbours=beside)
    assert dict(reached) == {"a": (0, None), "b": (0, "a"), "c": (0, "b")}
    assert cheapest("a", "d", cost, beside) == Way(1, ("a", "b", "c", "d"))


def test_a_place_to_go_through_and_not_to_stop_in() -> None:
    def narrow(a: str, b: str) -> int | None:
        return 2 if b in ("0504", "0503", "0502") else None

    reached = reach("0505", 6, narrow, lambda place: place not in ("0504", "0505"))
    assert list(reached) == ["0505", "0503", "0502"]
    assert len(reached) == 3
    assert "0504" not in reached
    assert reached.trail["0504"] == (2, "0505")
    assert way(reached, "0504") == ()
    assert way(reached, "0502") == ("0505", "0504", "0503", "0502")
    assert isinstance(reached, Reached)


def test_walls_in_the_way() -> None:
    wall = {"0504", "0604", "0605", "0506", "0405"}
    cost: Callable[[str, str], int | None] = lambda a, b: None if b in wall else 2  # noqa: E731
    found = cheapest("0505", "0503", cost)
    assert found == Way(6, ("0505", "0404", "0403", "0503"))
    assert cheapest("0505", "0503", cost, allowance=6) == found
    assert cheapest("0505", "0503", cost, allowance=5) is None
    assert cheapest("0505", "0503", lambda a, b: None) is None
    assert cheapest("0505", "0505", lambda a, b: None) == Way(0, ("0505",))


def test_the_search_stops_at_its_goal() -> None:
    asked: list[str] = []

    def cost(a: str, b: str) -> int:
        asked.append(a)
        return 1

    assert cheapest("5050", "5049", cost) == Way(1, ("5050", "5049"))
    assert set(asked) == {"5050"}


def test_nothing_is_asked_twice() -> None:
    """Costs may be dear to work out: neither a step again, nor a step back to where the way is known."""
    asked: list[frozenset[str]] = []

    def cost(a: str, b: str) -> int:
        asked.append(frozenset((a, b)))
        return 1

    reach("5050", 4, cost)
    assert len(asked) == len(set(asked))


def test_what_is_reached_stays_so() -> None:
    reached = reach("0505", 2, flat())
    with pytest.raises(AttributeError):
        reached.stops = {}  # type: ignore[misc]


def test_no_step_gives_movement_back() -> None:
    with pytest.raises(NegativeCost) as told:
        reach("0505", 4, flat(-1))
    assert str(told.value) == "the step from 0505 to 0504 costs -1; a step costs nothing or more"
    assert issubclass(NegativeCost, ValueError)


def every_way(
    start: str, goal: str, allowed: set[str], cost: Callable[[str, str], int]
) -> list[tuple[int, int, list[int], tuple[str, ...]]]:
    """List every way without a place twice: cost, steps, the rank of each step, places."""
    found = []
    stack: list[tuple[int, list[int], tuple[str, ...]]] = [(0, [], (start,))]
    while stack:
        spent, ranks, places = stack.pop()
        if places[-1] == goal:
            found.append((spent, len(ranks), ranks, places))
            continue
        for rank, onward in enumerate(neighbours(places[-1])):
            if onward in allowed and onward not in places:
                stack.append((spent + cost(places[-1], onward), [*ranks, rank], (*places, onward)))
    return found


def test_against_every_way_there_is() -> None:
    dice = random.Random(5)
    board = ["0505", *neighbours("0505"), "0603", "0705"]
    for _ in range(40):
        prices = {pair: dice.randint(0, 3) for pair in itertools.product(board, board)}

        def cost(a: str, b: str, prices: dict[tuple[str, str], int] = prices) -> int | None:
            return prices.get((a, b))

        def price(a: str, b: str, prices: dict[tuple[str, str], int] = prices) -> int:
            return prices[a, b]

        for goal in board:
            best = min(every_way("0404", goal, set(board), price))
            assert cheapest("0404", goal, cost) == Way(best[0], best[3])
            assert way(reach("0404", 99, cost), goal) == best[3]
            assert goal in reach("0404", best[0], cost)
            assert best[0] == 0 or goal not in reach("0404", best[0] - 1, cost)


def test_knowing_what_is_ahead_changes_nothing_but_the_time() -> None:
    """Steps of one or two points, many of them barred, so that there are ties of cost, of steps and of
    neither.
    """
    dice = random.Random(11)
    board = [f"{column:02}{row:02}" for column in range(1, 8) for row in range(1, 8)]
    ties = 0
    for _ in range(60):
        prices = {(a, b): dice.choice([1, 1, 1, 2, 3, None]) for a in board for b in neighbours(a)}

        def cost(a: str, b: str, prices: dict[tuple[str, str], int | None] = prices) -> int | None:
            return prices.get((a, b))

        start, goal = dice.sample(board, 2)
        plain = cheapest(start, goal, cost)
        assert cheapest(start, goal, cost, least=lambda place, goal=goal: distance(place, goal)) == plain  # type: ignore[misc]
        if plain is None:
            continue
        ties += plain.cost == distance(start, goal) > 1
        for spare in (-1, 0, 1):
            found = cheapest(start, goal, cost, neighbours, plain.cost + spare, partial(distance, goal))
            assert found == (None if spare < 0 else plain)
    assert ties > 9


def test_what_is_ahead_spares_steps() -> None:
    """On open ground only the steps from places on the straight way are looked at."""
    asked: set[str] = set()

    def cost(a: str, b: str) -> int:
        asked.add(a)
        return 1

    found = cheapest("5050", "5054", cost, neighbours, 4, lambda place: distance(place, "5054"))
    assert found == Way(4, ("5050", "5051", "5052", "5053", "5054"))
    assert asked == {"5050", "5051", "5052", "5053"}


def test_many_neighbours_keep_their_order() -> None:
    """Ranks above nine, and two steps deep."""
    beside = {"a": [f"b{i:02}" for i in range(20)]} | {f"b{i:02}": ["c"] for i in range(20)}
    assert cheapest("a", "c", lambda a, b: 1, lambda a: beside.get(a, [])) == Way(2, ("a", "b00", "c"))
    first = {"a": ["p", "q"], "p": [f"p{i}" for i in range(200)], "q": ["g"], "p199": []}
    first |= {f"p{i}": [] for i in range(200)} | {"p7": ["g"]}
    cost = lambda a, b: 2 if (a, b) == ("q", "g") else 1  # noqa: E731
    assert cheapest("a", "g", cost, lambda a: first.get(a, [])) == Way(3, ("a", "q", "g"))


def test_a_lower_bound_changes_nothing_but_the_time() -> None:
    chance = random.Random(11)
    for _ in range(60):
        prices = {(a, b): chance.choice([1, 1, 2, 3, None]) for a in _patch() for b in neighbours(a)}
        asked: list[str] = []

        def cost(
            a: str, b: str, prices: dict[tuple[str, str], int | None] = prices, asked: list[str] = asked
        ) -> int | None:
            asked.append(b)
            return prices.get((a, b))

        goal, allowance = chance.choice(_patch()), chance.randint(0, 8)
        plain = cheapest("0505", goal, cost, allowance=allowance)
        before = len(asked)
        bounded = cheapest("0505", goal, cost, allowance=allowance, least=partial(distance, goal))
        assert bounded == plain
        assert len(asked) - before <= before
        assert cheapest("0505", goal, cost, least=lambda place: 99) == cheapest("0505", goal, cost)


def test_a_step_that_is_half_known_is_asked_about_only_when_it_is_its_turn() -> None:
    """Half of what steps cost is known beforehand, and it is the same way as where all of it is asked."""
    chance = random.Random(12)
    spared = 0
    for _ in range(60):
        known = {(a, b): chance.choice([1, 1, 2, None]) for a in _patch() for b in neighbours(a)}
        further = {way: chance.choice([0, 0, 0, 1, 2, None]) for way in known}
        asked: list[tuple[str, str]] = []

        def open_(a: str, known: dict[tuple[str, str], int | None] = known) -> list[tuple[str, int]]:
            beside = ((b, known.get((a, b))) for b in neighbours(a))
            return [(b, price) for b, price in beside if price is not None]

        def more(
            a: str,
            b: str,
            further: dict[tuple[str, str], int | None] = further,
            asked: list[tuple[str, str]] = asked,
        ) -> int | None:
            asked.append((a, b))
            return further[a, b]

        steps, goal, allowance = Steps(open_, more), chance.choice(_patch()), chance.randint(0, 12)
        found = reach("0505", allowance, steps)
        plain = Way(found[goal][0], way(found, goal)) if goal in found else None
        before = len(asked)
        for least in (None, partial(distance, goal)):
            asked.clear()
            assert cheapest("0505", goal, steps, allowance=allowance, least=least) == plain
            assert len(asked) == len(set(asked)) <= before
        spared += before - len(asked)
    assert spared > 1000


def _patch() -> list[str]:
    return [f"{column:02}{row:02}" for column in range(1, 10) for row in range(1, 10)]
