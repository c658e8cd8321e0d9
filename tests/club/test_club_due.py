"""What is due when: lengths, times of day, zones and their changes of the clocks, reminders, grace."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.club.due import LOCK, REMIND, RESOLVE, GameStatus, Terms, cutoff, deadline, due


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


BERLIN = Terms(3 * 1440, {"setup": 5 * 1440}, (21, 0), 1440, 360, "Europe/Berlin")


@pytest.mark.parametrize(
    ("since", "phase", "terms", "ends"),
    [
        ("2026-11-21T12:00", "movement", Terms(1440), "2026-11-22T12:00"),
        ("2026-11-21T12:00", "movement", BERLIN, "2026-11-24T20:00"),  # nine in the evening in winter
        ("2026-11-21T20:00", "movement", BERLIN, "2026-11-24T20:00"),  # to the minute
        ("2026-11-21T20:01", "movement", BERLIN, "2026-11-25T20:00"),  # a minute late: the next evening
        ("2026-11-21T12:00", "setup", BERLIN, "2026-11-26T20:00"),
        ("2026-07-01T12:00", "movement", BERLIN, "2026-07-04T19:00"),  # summer
        ("2026-03-27T00:00", "x", Terms(1440, time=(2, 30), zone="Europe/Berlin"), "2026-03-28T01:30"),
        # no such time that night: half past one UTC
        ("2026-03-28T02:00", "x", Terms(60, time=(2, 30), zone="Europe/Berlin"), "2026-03-29T00:30"),
        # twice: the second one
        ("2026-10-24T12:00", "x", Terms(60, time=(2, 30), zone="Europe/Berlin"), "2026-10-25T01:30"),
        ("2026-11-21T12:00", "x", Terms(60, time=(9, 0), zone="Asia/Kathmandu"), "2026-11-22T03:15"),
    ],
)
def test_deadline(since: str, phase: str, terms: Terms, ends: str) -> None:
    got = deadline(at(since), phase, terms)
    assert got.astimezone(UTC) == at(ends)
    assert got.tzinfo == ZoneInfo(terms.zone)


@given(
    since=st.datetimes(datetime(2020, 1, 1), datetime(2035, 1, 1)),
    length=st.integers(1, 30 * 1440),
    zone=st.sampled_from(
        [
            "UTC",
            "Europe/Berlin",
            "America/New_York",
            "Australia/Lord_Howe",
            "Pacific/Apia",
            "Africa/Casablanca",
        ]
    ),
    clock=st.tuples(st.integers(0, 23), st.integers(0, 59)),
)
def test_a_deadline_is_never_early_and_at_most_a_day_late(
    since: datetime, length: int, zone: str, clock: tuple[int, int]
) -> None:
    since = since.replace(tzinfo=UTC)
    got = deadline(since, "x", Terms(length, time=clock, zone=zone))
    earliest = since + timedelta(minutes=length)
    assert earliest <= got.astimezone(UTC) <= earliest + timedelta(hours=26)


SINCE = at("2026-11-21T12:00")
WAITING = GameStatus("movement", SINCE, ("west",))


@pytest.mark.parametrize(
    ("stand", "now", "kind", "seats"),
    [
        (GameStatus("movement", SINCE, ()), "2026-11-21T12:00", RESOLVE, ()),
        (WAITING, "2026-11-21T12:00", None, ()),
        (WAITING, "2026-11-23T19:59", None, ()),
        (WAITING, "2026-11-23T20:00", REMIND, ("west",)),
        (WAITING, "2026-11-25T02:00", REMIND, ("west",)),  # the grace, to its end
        (WAITING, "2026-11-25T02:01", LOCK, ("west",)),
        (GameStatus("movement", SINCE, ("west",), waits_for_all=True), "2027-01-01T00:00", REMIND, ("west",)),
        (GameStatus("movement", SINCE, (), ("east",)), "2026-11-23T20:00", REMIND, ("east",)),
        (GameStatus("movement", SINCE, (), ("east",)), "2026-11-25T02:01", LOCK, ()),
        (GameStatus("movement", SINCE, ("west",), ("east",)), "2026-11-24T00:00", REMIND, ("east", "west")),
    ],
)
def test_due(stand: GameStatus, now: str, kind: str | None, seats: tuple[str, ...]) -> None:
    got = due(stand, BERLIN, at(now))
    assert (got.kind if got else None, got.seats if got else ()) == (kind, seats)


def test_without_terms_only_what_is_complete_is_due() -> None:
    assert due(WAITING, None, at("2036-01-01T00:00")) is None
    assert due(GameStatus("movement", SINCE, ()), None, SINCE) is not None


def test_nobody_is_reminded_in_the_first_half_of_a_short_phase() -> None:
    short = Terms(120, remind=1440)
    assert due(WAITING, short, at("2026-11-21T12:59")) is None
    got = due(WAITING, short, at("2026-11-21T13:00"))
    assert got is not None and got.kind == REMIND


def test_a_grace_is_as_long_as_it_says_where_the_clocks_change_in_it() -> None:
    terms = Terms(1440, time=(21, 0), grace=360, zone="Europe/Berlin")
    for since, ends in (("2026-03-27T12:00", "2026-03-29T02:00"), ("2026-10-23T12:00", "2026-10-25T01:00")):
        assert deadline(at(since), "x", terms).hour == 21
        assert cutoff(at(since), "x", terms).astimezone(UTC) == at(ends)
        assert (
            cutoff(at(since), "x", terms).timestamp() - deadline(at(since), "x", terms).timestamp()
            == 6 * 3600
        )
