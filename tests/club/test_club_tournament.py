"""Pairings and tables: every vector, and what has to hold of any."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from itertools import combinations

import pytest
from club_vectors import Case, cases
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.club.matching import completes, largest
from pbem.club.pairing import Met, NoPairing, bracket, circle, finalists, in_pools, swiss
from pbem.club.standings import table, why
from pbem.club.tournament import DRAW, FIRST, FORFEIT, NOBODY, PLAYED, SECOND, Outcome, Pairing, Points

SEED = bytes(32)
ENDS = {">": FIRST, "<": SECOND, "=": DRAW, "!": NOBODY}


def each(kind: str) -> pytest.MarkDecorator:
    found = cases(kind)
    assert found
    return pytest.mark.parametrize("case", [case for _, case in found], ids=[name for name, _ in found])


def said(pairs: list[tuple[str, str]]) -> str:
    return " ".join(f"{one}-{other}" for one, other in pairs)


def pairs_of(text: str) -> list[tuple[str, str]]:
    return [(one, other) for one, _, other in (pair.partition("-") for pair in text.split())]


def paired(rounds: list[str]) -> list[Pairing]:
    return [
        Pairing(number, at, at, *pair)
        for number, text in enumerate(rounds, 1)
        for at, pair in enumerate(pairs_of(text), 1)
    ]


@each("round robin")
def test_round_robin(case: Case) -> None:
    assert [said(pairs) for pairs in circle(case["round robin"].split())] == case["rounds"]


@each("bracket")
def test_bracket(case: Case) -> None:
    assert said(bracket(case["bracket"].split())) == case["pairs"]


@each("pools")
def test_pools(case: Case) -> None:
    assert [" ".join(pool) for pool in in_pools(case["pools"].split(), case["into"])] == case["groups"]


@each("finals")
def test_finals(case: Case) -> None:
    assert " ".join(finalists([pool.split() for pool in case["finals"]])) == case["order"]


@each("swiss")
def test_swiss(case: Case) -> None:
    players = case["swiss"].split()
    points = {who: case.get("points", {}).get(who, 0) for who in players}
    met = Met(paired(case.get("played", [])))
    if case["pairs"] == "none":
        with pytest.raises(NoPairing):
            swiss(players, points, met)
    else:
        assert said(swiss(players, points, met)) == case["pairs"]


@each("table")
def test_table(case: Case) -> None:
    pairings, outcomes = [], {}
    for number, text in enumerate(case["games"], 1):
        game, _, score = text.partition(" ")
        game, _, how = game.partition("/")
        if game.endswith("-"):
            pairings.append(Pairing(1, number, number, game[:-1]))
            continue
        sign = next(one for one in game if one in ENDS)
        first, _, second = game.partition(sign)
        pairings.append(Pairing(1, number, number, first, second))
        mine, _, theirs = score.partition(":")
        outcomes[1, number] = Outcome(
            ENDS[sign], FORFEIT if how else PLAYED, (int(mine), int(theirs)) if score else None
        )
    players = case["table"].split()
    found = table(players, pairings, outcomes, Points(), case["ties"], SEED)
    if case["order"] == "by lot":
        lots = {
            who: hmac.new(SEED, f"pbem lot\n{who}\n".encode(), hashlib.sha256).hexdigest() for who in players
        }
        assert [line.player for line in found] == sorted(players, key=lots.__getitem__)
        return
    places: dict[int, list[str]] = {}
    for line in found:
        places.setdefault(line.place, []).append(line.player)
    groups = (" ".join(who) if len(who) == 1 else f"({' '.join(who)})" for who in places.values())
    assert " ".join(groups) == case["order"]
    assert {line.player: line.points for line in found}.items() >= case.get("points", {}).items()
    for two, by in case.get("why", {}).items():
        told = why(found, *two.split())
        assert told.by == by
        assert {told.before, told.behind} == set(two.split())


# --- whatever the numbers


@pytest.mark.parametrize("count", range(2, 65))
def test_everybody_meets_everybody_once_and_sides_differ_by_one(count: int) -> None:
    players = [f"p{n}" for n in range(count)]
    rounds = circle(players)
    met = Counter(frozenset(pair) for pairs in rounds for pair in pairs if pair[1])
    assert met == Counter(frozenset(pair) for pair in combinations(players, 2))
    for pairs in rounds:
        assert sorted(who for pair in pairs for who in pair if who) == sorted(players)
    sides = Counter(one for pairs in rounds for one, other in pairs if other)
    sides.subtract(other for pairs in rounds for _, other in pairs if other)
    assert all(abs(sides[who]) <= 1 for who in players)


@pytest.mark.parametrize("count", range(2, 65))
def test_the_best_two_meet_in_the_final_and_byes_are_theirs(count: int) -> None:
    players = [f"p{n:02}" for n in range(count)]
    pairs = bracket(players)
    byes = [one for one, other in pairs if not other]
    assert byes == sorted(byes, key=byes.index) and set(byes) == set(players[: len(byes)])
    final = pairs
    while len(final) > 1:
        through = [min(pair) if pair[1] else pair[0] for pair in final]
        final = list(zip(through[::2], through[1::2], strict=True))
    assert set(final[0]) == set(players[:2])


def best_by_trying(people: list[str], edges: set[frozenset[str]]) -> int:
    if len(people) < 2:
        return 0
    one, rest = people[0], people[1:]
    without = best_by_trying(rest, edges)
    return max(
        [without]
        + [
            1 + best_by_trying([who for who in rest if who != other], edges)
            for other in rest
            if frozenset((one, other)) in edges
        ]
    )


@settings(max_examples=400, deadline=None)
@given(st.integers(2, 9), st.data())
def test_the_largest_matching_is_as_large_as_by_trying(count: int, data: st.DataObject) -> None:
    people = [f"p{n}" for n in range(count)]
    every = [frozenset(pair) for pair in combinations(people, 2)]
    edges = set(data.draw(st.lists(st.sampled_from(every), unique=True)))
    may_meet = {one: {other for other in people if frozenset((one, other)) in edges} for one in people}
    found = largest(people, may_meet)
    used = [who for pair in found for who in pair]
    assert len(used) == len(set(used)) and all(frozenset(pair) in edges for pair in found)
    assert len(found) == best_by_trying(people, edges)
    assert completes(people, may_meet) == (2 * len(found) == count)


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 24), st.integers(1, 7), st.randoms(use_true_random=False))
def test_swiss_rounds_whatever_is_won(count: int, rounds: int, chance: object) -> None:
    players = [f"p{n:02}" for n in range(count)]
    points = dict.fromkeys(players, 0)
    pairings: list[Pairing] = []
    for number in range(1, rounds + 1):
        try:
            pairs = swiss(players, points, Met(pairings))
        except NoPairing:
            # Only where those who have not met cannot be paired off.
            assert number > count // 2
            break
        assert sorted(who for pair in pairs for who in pair if who) == players
        for one, other in pairs:
            points[chance.choice([one, other]) if other else one] += 2  # type: ignore[attr-defined]
        pairings += [Pairing(number, at, at, *pair) for at, pair in enumerate(pairs, 1)]
    met = Counter(frozenset((one.first, one.second)) for one in pairings if one.second)
    assert not met or max(met.values()) == 1
    byes = Counter(one.first for one in pairings if not one.second)
    if rounds <= count // 2:
        assert not byes or max(byes.values()) == 1


def test_sixty_four_are_paired_for_nine_rounds_in_time_and_sides_stay_even() -> None:
    players = [f"p{n:02}" for n in range(64)]
    points = dict.fromkeys(players, 0)
    pairings: list[Pairing] = []
    for number in range(1, 10):
        pairs = swiss(players, points, Met(pairings))
        for at, (one, other) in enumerate(pairs, 1):
            points[min(one, other)] += 2
            pairings.append(Pairing(number, at, at, one, other))
    met = Met(pairings)
    assert len(met.pairs) == 9 * 32
    assert max(abs(met.sides[who]) for who in players) <= 3
