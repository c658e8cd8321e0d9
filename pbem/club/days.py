"""Which days count: weekdays, days that are named, days that come again, public holidays.

Public holidays are those of the library ``holidays``, days that come again those of ``python-dateutil``; both
come with the extra ``club`` and are loaded when a game asks for them.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Final

from pbem.club.terms import Days
from pbem.core.regex import regex

FAR: Final = 366
"""Days of which one has to count; of a calendar that knows none each day counts."""

_RULE: Final = regex(
    r"FREQ=(?:DAILY|WEEKLY|MONTHLY|YEARLY)"
    r"(?:;(?:INTERVAL|COUNT|UNTIL|WKST|BYDAY|BYMONTH|BYMONTHDAY|BYYEARDAY|BYWEEKNO|BYSETPOS|BYEASTER)"
    r"=[A-Z0-9,+-]{1,60}){0,8}"
)
"""Rules of whole days; those of hours and seconds are none, and might never come to an end."""


class NoSuchDays(Exception):
    """Days that nobody can work out: ``reason`` is ``rule``, ``holidays`` or ``library``, ``what`` the text
    that was meant.
    """

    def __init__(self, reason: str, what: str) -> None:
        super().__init__(f"{reason}: {what}")
        self.reason, self.what = reason, what


def counts(day: date, days: Days) -> bool:
    """Tell whether a day counts; NoSuchDays where its rules or holidays cannot be worked out."""
    return (
        day.isoweekday() in days.weekdays
        and not any(first <= day <= last for first, last in days.off)
        and not any(day in of_rule(rule, begin, day.year) for rule, begin in days.rules)
        and not any(day in public_holidays(place, day.year) for place in days.holidays)
    )


def next_counted(day: date, days: Days) -> date:
    """Return the first day from ``day`` on that counts; where none does for a year, ``day`` itself."""
    return next((found for later in range(FAR) if counts(found := day + timedelta(later), days)), day)


@lru_cache(maxsize=256)
def of_rule(rule: str, begin: date, year: int) -> frozenset[date]:
    """Return the days of a year that a rule of iCalendar names, the first of all being ``begin``."""
    if _RULE.fullmatch(rule) is None:
        raise NoSuchDays("rule", rule)
    try:
        from dateutil.rrule import rrulestr
    except ImportError:
        raise NoSuchDays("library", "python-dateutil") from None
    try:
        found = rrulestr(rule, dtstart=datetime(begin.year, begin.month, begin.day))
        between = found.between(datetime(year, 1, 1), datetime(year, 12, 31), inc=True)
    except (ValueError, TypeError):
        raise NoSuchDays("rule", rule) from None
    return frozenset(one.date() for one in between)


@lru_cache(maxsize=256)
def public_holidays(place: str, year: int) -> frozenset[date]:
    """Return the public holidays of a year in a country (``PT``) or a part of it (``DE-BY``)."""
    try:
        from holidays import country_holidays
    except ImportError:
        raise NoSuchDays("library", "holidays") from None
    country, _, part = place.partition("-")
    try:
        return frozenset(country_holidays(country, subdiv=part or None, years=year))
    except NotImplementedError:
        raise NoSuchDays("holidays", place) from None
