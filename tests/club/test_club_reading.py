"""What people write about time, and what is said of what nobody can read."""

from __future__ import annotations

import sys
from datetime import UTC, date, datetime

import pytest

from pbem.club.days import FAR, NoSuchDays, counts, next_counted, of_rule, public_holidays
from pbem.club.due import GameStatus
from pbem.club.reading import LONGEST, day, days_off, is_length, minutes
from pbem.club.reckoning import merged
from pbem.club.terms import WEEK, Acts, ClockTerms, Days, Leave, LeaveTerms, MissedTerms, Move, Terms


def test_lengths() -> None:
    assert [minutes(one) for one in ("1 minute", "2 hours", "3 days", "1 week", "1 day 12 hours")] == [
        1, 120, 4320, 10_080, 2160,
    ]  # fmt: skip
    assert all(map(is_length, ("1 minute", "366 days", "1 day 2 hours 3 minutes 4 weeks")))
    wrong = (
        "0 days",
        "3",
        "days",
        "3 months",
        "3  days",
        "3 days,",
        "-1 day",
        "367 days",
        "1 day 1 day 1 day 1 day 1 day",
    )
    assert not any(map(is_length, wrong))
    assert LONGEST == 527_040


def test_days_off() -> None:
    every = [
        "saturday",
        "sunday",
        "2026-12-24 to 2027-01-06",
        "2027-03-26",
        "FREQ=MONTHLY;BYDAY=1FR",
        "holidays DE-BY",
    ]
    assert days_off(every) == Days(
        (1, 2, 3, 4, 5),
        ((date(2026, 12, 24), date(2027, 1, 6)), (date(2027, 3, 26), date(2027, 3, 26))),
        (("FREQ=MONTHLY;BYDAY=1FR", date(2000, 1, 1)),),
        ("DE-BY",),
    )
    assert days_off(["FREQ=DAILY from 2026-01-02"]).rules == (("FREQ=DAILY", date(2026, 1, 2)),)
    assert days_off([]) == Days() and days_off(["2026-12-24 to 2026-12-24"]).off[0][0] == date(2026, 12, 24)
    assert days_off(["monday"]).weekdays == (2, 3, 4, 5, 6, 7)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Saturday", "form"),
        ("caturday", "form"),
        ("", "form"),
        ("2026-02-30", "form"),
        ("2026-12-24 - 2026-12-26", "form"),
        ("2026-12-26 to 2026-12-24", "backwards"),
        ("holidays XX", "holidays"),
        ("holidays DE-XX", "holidays"),
        ("holidays de", "form"),
        ("FREQ=HOURLY", "rule"),
        ("FREQ=MINUTELY;COUNT=4", "rule"),
        ("FREQ=DAILY;BYHOUR=4", "rule"),
        ("FREQ=DAILY;INTERVAL=0X", "rule"),
        ("FREQ=WEEKLY;BYDAY=XX", "rule"),
        ("FREQ=DAILY from 2026-13-01", "form"),
    ],
)
def test_no_such_days(text: str, reason: str) -> None:
    with pytest.raises(NoSuchDays) as wrong:
        days_off([text])
    assert wrong.value.reason == reason
    assert (wrong.value.what and wrong.value.what in (text, *text.split(" "))) or not text


def test_a_week_without_a_day() -> None:
    with pytest.raises(NoSuchDays) as wrong:
        days_off(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"])
    assert (wrong.value.reason, wrong.value.what.split(", ")[0]) == ("none", "monday")
    with pytest.raises(NoSuchDays) as again:
        day("2027-02-29")
    assert (again.value.reason, again.value.what, str(again.value)) == (
        "form",
        "2027-02-29",
        "form: 2027-02-29",
    )


@pytest.mark.parametrize(("name", "text"), [("holidays", "holidays PT"), ("python-dateutil", "FREQ=DAILY")])
def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch, name: str, text: str) -> None:
    monkeypatch.setitem(sys.modules, "holidays", None)
    monkeypatch.setitem(sys.modules, "dateutil.rrule", None)
    public_holidays.cache_clear()
    of_rule.cache_clear()
    with pytest.raises(NoSuchDays) as wrong:
        days_off([text])
    assert (wrong.value.reason, wrong.value.what) == ("library", name)


def test_where_no_day_counts_for_a_year_each_does() -> None:
    begin = date(2026, 1, 1)
    never = Days(off=((date(2020, 1, 1), date(2040, 1, 1)),))
    assert not counts(begin, never) and next_counted(begin, never) == begin
    once = Days(off=((begin, date(2026, 12, 31)),))
    assert next_counted(begin, once) == date(2027, 1, 1)
    just = Days(off=((begin, date(2027, 1, 1)),))
    assert (next_counted(begin, just) - begin).days == 0 and FAR == 366
    assert next_counted(date(2026, 1, 2), just) == date(2027, 1, 2)


def test_spans_that_touch_are_one() -> None:
    assert merged([(5, 6), (1, 2), (2, 3), (2.5, 2.7), (8, 8), (9, 7)]) == ((1, 3), (5, 6))
    assert merged([(1, 4), (2, 3), (5, 9)]) == ((1, 4), (5, 9))


def test_what_is_not_said_is_not_agreed_on() -> None:
    assert (ClockTerms(7).moves, ClockTerms(7).increment, ClockTerms(7).most, ClockTerms(7).doubles) == (
        1,
        0,
        None,
        None,
    )
    assert ClockTerms(7).whole_days is False and LeaveTerms(3).notice == 0
    away = Leave("west", date(2026, 1, 1), date(2026, 1, 2), datetime(2025, 12, 1, tzinfo=UTC))
    assert away.granted is False and away.zone == "UTC"
    move = Move("x", away.asked)
    assert (move.slot, move.seats, move.acts) == (0, (), Acts((), (), ()))
    assert GameStatus(move, ()).waits_for_all is False and GameStatus(move, ()).drafts == ()
    terms = Terms(7)
    assert (terms.time, terms.remind, terms.grace, terms.zone, terms.days.weekdays) == (
        None,
        (),
        0,
        "UTC",
        WEEK,
    )
    assert (terms.leave, terms.missed) == (None, MissedTerms(None, None, None, None))
