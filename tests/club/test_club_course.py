"""Whole tournaments of each format, from the draw to the last table: who is through, who leaves, lots."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from pbem.club import lots
from pbem.club.course import Course, Open
from pbem.club.standings import settled
from pbem.club.tournament import (
    DRAW,
    FIRST,
    FORFEIT,
    NOBODY,
    PLAYED,
    SECOND,
    Outcome,
    Pairing,
    Terms,
    Withdrawal,
)

Judge = Callable[[Pairing], str]


def players(count: int) -> tuple[str, ...]:
    return tuple(f"p{n:02}" for n in range(count))


def better(one: Pairing) -> str:
    """The lower number wins."""
    return FIRST if one.first < one.second else SECOND


def course(count: int, format_: str, *, seeded: bool = True, **more: object) -> Course:
    who = players(count)
    terms = Terms(format_, seeded=who if seeded else (), **more)  # type: ignore[arg-type]
    return Course(terms, who, bytes(32))


def round_(found: Course, judge: Judge = better) -> Course:
    """Pair a round and play it."""
    return played(replace(found, pairings=(*found.pairings, *found.next())), judge)


def played(found: Course, judge: Judge = better) -> Course:
    ends = {one.key: Outcome(judge(one)) for one in found.open()}
    return replace(found, played={**found.played, **ends})


def whole(found: Course, judge: Judge = better) -> Course:
    while found.next():
        found = round_(found, judge)
    return found


def order(found: Course) -> list[str]:
    return [line.player for line in found.standings]


def places(found: Course) -> list[int]:
    return [line.place for line in found.standings]


@pytest.mark.parametrize("count", range(2, 20))
def test_knockout(count: int) -> None:
    found = whole(course(count, "knockout", ties=("lot",)))
    assert found.rounds == math.ceil(math.log2(count))
    assert order(found)[:2] == ["p00", "p01"]
    assert sum(not one.is_bye for one in found.pairings) == count - 1
    # Nobody shares a place: of those who went out together it counts by whom.
    assert places(found) == list(range(1, count + 1))
    by = {line.player: line.values for line in found.standings}
    assert [name for name, _ in by["p00"]] == ["stage"]
    if count == 4:
        assert order(found) == ["p00", "p01", "p03", "p02"] and by["p03"][1] == ("beaten by", -1)


def test_a_knockout_table_on_the_way_shares_places() -> None:
    found = course(4, "knockout", ties=("lot",))
    assert places(found) == [1, 1, 1, 1]
    found = round_(found)
    assert places(found) == [1, 1, 3, 3] and found.open() == []
    latest = found.pairings[-1]
    going = {key: one for key, one in found.played.items() if key != latest.key}
    with pytest.raises(Open) as waits:
        replace(found, played=going).next()
    assert waits.value.pairings == (latest,)


def test_a_match_that_is_drawn_goes_by_a_lot_of_its_own() -> None:
    through = set()
    for n in range(20):
        found = replace(course(2, "knockout", ties=("wins", "lot")), seed=bytes([n]) * 32)
        found = round_(found, lambda one: DRAW)
        through.add(found.through(found.pairings))
    assert through == {"p00", "p01"}
    # Over two games it is the points of both.
    found = round_(course(2, "knockout", games=2, ties=("lot",)))
    assert [(one.first, one.second) for one in found.pairings] == [("p00", "p01"), ("p01", "p00")]
    assert found.through(found.pairings) == "p00" and found.standings[0].points == 4
    without = replace(found, terms=replace(found.terms, ties=("wins",)))
    even = replace(without, played={key: Outcome(DRAW) for key in without.played})
    assert even.through(even.pairings) == ""


def test_who_leaves_a_bracket_gives_the_match_away_and_the_bracket_stays() -> None:
    found = course(4, "knockout", ties=("lot",))
    never = replace(found, withdrawals=(Withdrawal("p00", 0),))
    assert never.next() == found.next()
    end = whole(never)
    assert order(end)[0] == "p01" and end.outcomes[1, 1] == Outcome(SECOND, FORFEIT)
    both = whole(replace(found, withdrawals=(Withdrawal("p00", 0), Withdrawal("p03", 0))))
    assert both.outcomes[1, 1] == Outcome(NOBODY, FORFEIT) and both.next() == ()
    assert order(both)[0] == "p01"


def test_pools_and_finals() -> None:
    found = whole(course(8, "pools", pools=2, through=2, ties=("head to head", "lot")))
    assert found.pool_letters == "AB" and [line.player for line in found.pool("A")] == [
        "p00",
        "p03",
        "p04",
        "p07",
    ]
    finals = [one for one in found.pairings if not one.pool]
    assert [{one.first, one.second} for one in finals] == [{"p00", "p02"}, {"p01", "p03"}, {"p00", "p01"}]
    # Then those who stayed behind, by their places in the pools, and equals by lot.
    assert order(found)[:4] == ["p00", "p01", "p02", "p03"]
    assert set(order(found)[4:6]) == {"p04", "p05"} and places(found) == list(range(1, 9))
    assert [one.table for one in found.pairings if one.round == 1] == [1, 2, 3, 4]


def test_finals_wait_for_the_pools_and_the_next_one_takes_an_empty_place() -> None:
    found = course(6, "pools", pools=2, through=1, ties=("lot",))
    for _ in range(3):
        found = replace(found, pairings=(*found.pairings, *found.next()))
    with pytest.raises(Open):
        found.next()
    found = played(found)
    (final,) = found.next()
    assert {final.first, final.second} == {"p00", "p01"}
    (final,) = replace(found, withdrawals=(Withdrawal("p00", 3),)).next()
    assert {final.first, final.second} == {"p01", "p03"}
    # Where nobody else is left in the pool the place stays his, and his opponent has won.
    small = course(4, "pools", pools=2, through=2, ties=("lot",))
    small = replace(round_(small), withdrawals=(Withdrawal("p03", 1),))
    small = whole(small)
    assert sorted(order(small)) == list(players(4)) and order(small)[-1] == "p03"


@pytest.mark.parametrize("count", [2, 3, 5, 8])
def test_round_robin_needs_no_results(count: int) -> None:
    found = course(count, "round robin", ties=())
    while pairings := found.next():
        found = replace(found, pairings=(*found.pairings, *pairings))
    assert found.rounds == count - 1 + count % 2
    assert order(played(found)) == list(players(count))


def test_a_swiss_tournament_with_somebody_who_leaves() -> None:
    found = course(6, "swiss", rounds=3, ties=("buchholz", "lot"))
    first = found.next()
    # Whoever sees the lots and leaves before the first round changes no pair of it.
    assert replace(found, withdrawals=(Withdrawal("p01", 0),)).next() == first
    found = replace(round_(found), withdrawals=(Withdrawal("p05", 1),))
    second = found.next()
    assert not any(one.has("p05") for one in second) and sum(one.is_bye for one in second) == 1
    found = whole(found)
    assert order(found)[0] == "p00" and found.rounds == 3 and len(found.standings) == 6
    assert found.next() == ()


def test_who_leaves_where_everybody_meets_everybody() -> None:
    pairings = [
        Pairing(1, 1, 1, "a", "b"),
        Pairing(2, 1, 1, "a", "c"),
        Pairing(3, 1, 1, "a", "d"),
        Pairing(4, 1, 1, "e", "a"),
        Pairing(1, 2, 2, "c", "d"),
        Pairing(5, 1, 1, "a"),
    ]
    ends = {(1, 1): Outcome(FIRST), (1, 2): Outcome(DRAW)}
    # One of four played: nothing of it counts.
    found = settled(pairings, ends, [Withdrawal("a", 1)], annul=True)
    assert found[1, 1] == Outcome(FIRST, PLAYED, void=True) and found[1, 2] == Outcome(DRAW)
    assert all(found[n, 1].void and found[n, 1].how == FORFEIT for n in (2, 3, 4))
    # Two of four: what was played counts, and the rest is lost.
    found = settled(pairings, {**ends, (2, 1): Outcome(SECOND)}, [Withdrawal("a", 2)], annul=True)
    assert not any(one.void for one in found.values())
    assert found[3, 1] == Outcome(SECOND, FORFEIT) and found[4, 1] == Outcome(FIRST, FORFEIT)
    # Elsewhere nothing is annulled; two who leave have both lost.
    found = settled(pairings, ends, [Withdrawal("a", 1), Withdrawal("d", 0)], annul=False)
    assert found[3, 1] == Outcome(NOBODY, FORFEIT) and not any(one.void for one in found.values())
    # A game that was played after all counts as it was played.
    assert found[1, 2] == Outcome(DRAW)


# --- lots


def test_lots_follow_from_everything_that_was_fixed_and_said() -> None:
    secret, said = bytes(32), [("bob", "seven drunken herons"), ("fay", "a wet Tuesday")]
    right = lots.seed("cup-0a1b2c", "ab" * 32, secret, said)
    assert right == lots.seed("cup-0a1b2c", "ab" * 32, secret, list(said)) and len(right) == 32
    others = [
        lots.seed("cup-0a1b2d", "ab" * 32, secret, said),
        lots.seed("cup-0a1b2c", "ac" * 32, secret, said),
        lots.seed("cup-0a1b2c", "ab" * 32, bytes(31) + b"\1", said),
        lots.seed("cup-0a1b2c", "ab" * 32, secret, said[:1]),
        lots.seed("cup-0a1b2c", "ab" * 32, secret, said[::-1]),
        lots.seed("cup-0a1b2c", "ab" * 32, secret, [("bob", "seven drunken heron"), said[1]]),
    ]
    assert len({right, *others}) == 7
    assert len({lots.commitment("a", secret), lots.commitment("b", secret), lots.commitment("a", right)}) == 3


def test_lots_put_everybody_in_every_place_alike() -> None:
    names, firsts = players(4), dict.fromkeys(players(4), 0)
    for n in range(400):
        drawn = lots.drawn(lots.seed("cup-0a1b2c", "", n.to_bytes(32, "big"), []), names)
        assert sorted(drawn) == list(names)
        firsts[drawn[0]] += 1
    # 100 each on average; 60 is five deviations away.
    assert min(firsts.values()) > 60, firsts
    assert course(6, "swiss", rounds=1, seeded=False).draw != course(6, "swiss", rounds=1).draw


def test_seeded_players_stand_before_those_who_are_drawn() -> None:
    found = Course(Terms("knockout", seeded=("p03", "p01")), players(8), bytes(32))
    assert found.draw[:2] == ["p03", "p01"] and sorted(found.draw) == list(players(8))
    assert found.draw[2:] == lots.drawn(bytes(32), set(players(8)) - {"p03", "p01"})
