"""What people write about time, as plain data: ``3 days``, ``saturday``, ``2026-12-24 to 2027-01-06``."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Final

from pbem.club.days import NoSuchDays, of_rule, public_holidays
from pbem.club.terms import WEEK, Days
from pbem.core.regex import regex

MINUTES: Final = {"minute": 1, "hour": 60, "day": 1440, "week": 10_080}
WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
BEGINNING: Final = date(2000, 1, 1)
"""The day that a rule begins with which names none."""

LONGEST: Final = 366 * 1440
"""Minutes of the longest time that anybody is given."""

_UNIT = r"[1-9][0-9]{0,3} (?:minute|hour|day|week)s?"
_LENGTH: Final = regex(rf"{_UNIT}(?: {_UNIT}){{0,3}}")
_DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_SPAN: Final = regex(rf"({_DAY})(?: to ({_DAY}))?")
_RULE: Final = regex(rf"(FREQ=[A-Z0-9=;,+-]+)(?: from ({_DAY}))?")
_PLACE: Final = regex(r"holidays ([A-Z]{2}(?:-[A-Za-z0-9]{1,10})?)")
_SOME_YEAR: Final = 2026
"""A year in which it is tried whether somebody knows the holidays of a place."""


def is_length(text: str) -> bool:
    """Tell whether a text is a length of time, of a year at most."""
    return _LENGTH.fullmatch(text) is not None and minutes(text) <= LONGEST


def minutes(text: str) -> int:
    """Return how many minutes a time such as ``3 days`` or ``1 day 12 hours`` is."""
    words = text.split(" ")
    return sum(
        int(count) * MINUTES[unit.removesuffix("s")]
        for count, unit in zip(words[::2], words[1::2], strict=True)
    )


def day(text: str) -> date:
    """Return a day such as ``2026-12-24``; NoSuchDays (``form``) where there is none like it."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise NoSuchDays("form", text) from None


def days_off(texts: Iterable[str]) -> Days:
    """Return the days that count, of a list of those that do not; NoSuchDays with the first that is none.

    ``reason`` is also ``none`` where no weekday is left that counts, and ``backwards`` of a span that ends
    before it begins.
    """
    weekdays, off, rules, places = set(WEEK), [], [], []
    for text in texts:
        if text in WEEKDAYS:
            weekdays.discard(WEEKDAYS.index(text) + 1)
        elif span := _SPAN.fullmatch(text):
            first, last = day(span[1]), day(span[2] or span[1])
            if last < first:
                raise NoSuchDays("backwards", text)
            off.append((first, last))
        elif rule := _RULE.fullmatch(text):
            begin = day(rule[2]) if rule[2] else BEGINNING
            of_rule(rule[1], begin, begin.year)
            rules.append((rule[1], begin))
        elif place := _PLACE.fullmatch(text):
            public_holidays(place[1], _SOME_YEAR)
            places.append(place[1])
        else:
            raise NoSuchDays("form", text)
    if not weekdays:
        raise NoSuchDays("none", ", ".join(WEEKDAYS))
    return Days(tuple(sorted(weekdays)), tuple(off), tuple(rules), tuple(places))
