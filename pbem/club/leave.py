"""Leave: how many days of it a player has taken in a year, and whether he may take those that he asks for."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta

from msgspec import Struct

from pbem.club.due import first_day
from pbem.club.terms import Leave, LeaveTerms

BACKWARDS, NONE, PAST, DAYS = "backwards", "none", "past", "days"
"""Why leave is not given: it ends before it begins; there is none in this game; nothing of it lies so far
ahead that it could still be announced; there are not so many days left of it in a year.
"""


class LeaveAnswer(Struct, frozen=True):
    """Whether leave is given: ``refused`` is why not, empty where it is; ``first`` is its first day, and
    ``left`` are the days that are left in each year that it touches, without it.
    """

    refused: str
    first: date | None = None
    left: tuple[tuple[int, int], ...] = ()


def days_away(leave: Leave, terms: LeaveTerms) -> frozenset[date]:
    """Return the days of a leave that take time out of a length."""
    first = first_day(leave, terms.notice)
    return frozenset(first + timedelta(number) for number in range((leave.last - first).days + 1))


def taken(leaves: Iterable[Leave], seat: str, terms: LeaveTerms) -> frozenset[date]:
    """Return the days on which a seat was or will be away on leave that counts against its days.

    Days that the umpire granted are his gift.
    """
    own = (one for one in leaves if one.seat == seat and not one.granted)
    return frozenset(day for one in own for day in days_away(one, terms))


def asks(leave: Leave, earlier: Iterable[Leave], terms: LeaveTerms | None) -> LeaveAnswer:
    """Return whether a player may take leave, after what he has taken already.

    A day that he has taken already costs nothing a second time, and a year has the days that begin in it.
    """
    if leave.last < leave.first:
        return LeaveAnswer(BACKWARDS)
    if terms is None:
        return LeaveAnswer(NONE)
    wanted, had = days_away(leave, terms), taken(earlier, leave.seat, terms)
    if not wanted:
        return LeaveAnswer(PAST)
    years = sorted({day.year for day in wanted})
    left = tuple((year, terms.days - sum(day.year == year for day in had)) for year in years)
    fits = all(sum(day.year == year for day in wanted - had) <= days for year, days in left)
    return LeaveAnswer("" if fits else DAYS, min(wanted), left)
