"""Every vector: deadlines, cutoffs, reminders, what is due, clocks, reserves, leave, misses."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from club_vectors import (
    Case,
    at,
    cases,
    clock_of,
    day_of,
    leave_of,
    leave_terms_of,
    missed_of,
    move_of,
    terms_of,
    written,
)

from pbem.club import clocks
from pbem.club.due import (
    GameStatus,
    cutoff,
    deadline,
    deadline_of,
    due,
    extended,
    next_due,
    reckoning,
    reminders,
    taken,
)
from pbem.club.leave import asks
from pbem.club.missed import cost, misses
from pbem.club.reading import minutes


def said(moment: datetime | None) -> str | None:
    if moment is None:
        return None
    form = "%Y-%m-%dT%H:%M:%SZ" if moment.second else "%Y-%m-%dT%H:%MZ"
    return moment.astimezone(UTC).strftime(form)


def each(kind: str) -> pytest.MarkDecorator:
    found = cases(kind)
    assert found
    return pytest.mark.parametrize("case", [case for _, case in found], ids=[name for name, _ in found])


def test_there_are_enough_and_each_is_of_one_kind_with_a_name_of_its_own() -> None:
    kinds = ("deadline", "extended", "due", "clock", "reserve", "leave", "missed", "counts", "took")
    tournaments = ("round robin", "bracket", "pools", "finals", "swiss", "table")
    every = [case for file in written().values() for case in file]
    assert sum(any(kind in case for kind in kinds) for case in every) >= 150
    assert all(sum(kind in case for kind in (*kinds, *tournaments)) == 1 for case in every)
    assert len({case["name"] for case in every}) == len(every)


@each("deadline")
def test_deadline(case: Case) -> None:
    move, terms = move_of(case), terms_of(case["terms"])
    assert said(deadline(move, terms)) == case["deadline"]
    if "cutoff" in case:
        assert said(cutoff(move, terms, case.get("missing", ()))) == case["cutoff"]
    if "reminders" in case:
        assert [said(one) for one in reminders(move, terms)] == case["reminders"]
    for seat, ends in case.get("of", {}).items():
        assert said(deadline_of(seat, move, terms)) == ends
    got = deadline(move, terms)
    assert got is None or str(got.tzinfo) == terms.zone


@each("took")
def test_took(case: Case) -> None:
    acts = move_of(case).acts
    assert taken("west", at(case["since"]), at(case["until"]), acts) == 60 * case["took"]


@each("extended")
def test_extended(case: Case) -> None:
    got = extended(at(case["from"]), minutes(case["by"]), terms_of(case["terms"]))
    assert said(got) == case["extended"]


@each("counts")
def test_counted(case: Case) -> None:
    spans = [(at(one[0]).timestamp(), at(one[1]).timestamp()) for one in case.get("pauses", ())]
    counted = reckoning(terms_of({"length": "1 day", **case["terms"]}), spans)
    assert counted.between(at(case["since"]), at(case["until"])) == case["counts"]


@each("due")
def test_due(case: Case) -> None:
    missing, drafts = tuple(case.get("missing", ())), tuple(case.get("drafts", ()))
    status = GameStatus(move_of(case), missing, drafts, case.get("waits for all", False))
    terms = terms_of(case["terms"]) if "terms" in case else None
    got, now = due(status, terms, at(case["now"])), at(case["now"])
    assert (got.kind if got else None) == case["due"]
    assert list(got.seats if got else ()) == case.get("seats due", [])
    assert (got.number if got else 0) == case.get("number", 0)
    if "next" in case:
        later = next_due(status, terms, now)
        assert said(None if later is None else datetime.fromtimestamp(later, UTC)) == case["next"]


@each("clock")
def test_clock(case: Case) -> None:
    clock = clock_of(case["clock"])
    spent = tuple(minutes(one) if one else 0 for one in case["spent"])
    left = clocks.shows(spent, clock)
    assert left == case["shows"]
    if "runs out" in case:
        counted = reckoning(terms_of({"length": "1 day", **case.get("terms", {})}))
        assert said(clocks.runs_out(at(case["since"]), left, clock, counted)) == case["runs out"]


@each("reserve")
def test_reserve(case: Case) -> None:
    counted = reckoning(terms_of({"length": "1 day", **case.get("terms", {})}))
    assert said(clocks.reserve(at(case["end"]), case["reserve"], counted)) == case["until"]
    for came, days in case.get("drawn", {}).items():
        assert clocks.drawn(at(case["end"]), at(came), counted) == days


@each("leave")
def test_leave(case: Case) -> None:
    terms = leave_terms_of(case["terms"]) if case.get("terms") else None
    got = asks(leave_of(case["leave"]), [leave_of(one) for one in case.get("earlier", ())], terms)
    assert got.refused == case["refused"]
    assert got.first == (day_of(case["first"]) if "first" in case else None)
    assert dict(got.left) == case.get("left", {})


@each("missed")
def test_missed(case: Case) -> None:
    terms, moves = missed_of(case["terms"]), [one == "x" for one in case["moves"]]
    assert misses(moves, terms) == case["missed"]
    assert cost(moves, terms) == case["cost"]
