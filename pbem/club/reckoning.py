"""Time that counts: adds minutes that pass on days that count, outside of pauses and leave, and moves on to a
time of day.

Works in seconds of the epoch, so that no change of the clocks is counted twice or left out; days are those of
the zone of the terms.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from msgspec import Struct

from pbem.club.days import next_counted
from pbem.club.terms import Days

Span = tuple[float, float]
"""A time that does not count, in seconds of the epoch: from, to just before."""


class Reckoning(Struct, frozen=True):
    """What counts: days in a zone, and which spans do not; they are sorted, and none touches another."""

    zone: ZoneInfo
    days: Days
    spans: tuple[Span, ...] = ()

    def add(self, since: datetime, minutes: int) -> datetime:
        """Return when so many minutes that count have passed since a moment.

        That is never a moment that does not count: the end of the last minute before a day off is the
        beginning of the first day after it.
        """
        left, at = 60.0 * minutes, since.timestamp()
        day = datetime.fromtimestamp(at, self.zone).date()
        while True:
            day = next_counted(day, self.days)
            at = max(at, start_of(day, self.zone))
            end = start_of(day + timedelta(1), self.zone)
            for begin, stop in self._free(at, end):
                if left < stop - begin:
                    return datetime.fromtimestamp(begin + left, self.zone)
                left -= stop - begin
            at, day = max(at, end), day + timedelta(1)

    def between(self, since: datetime, until: datetime) -> int:
        """Return how many minutes that count have passed from one moment to another, rounded down."""
        at, end, passed = since.timestamp(), until.timestamp(), 0.0
        day = datetime.fromtimestamp(at, self.zone).date()
        while at < end:
            day = next_counted(day, self.days)
            over = start_of(day + timedelta(1), self.zone)
            at = max(at, start_of(day, self.zone))
            passed += sum(stop - begin for begin, stop in self._free(at, min(end, over)))
            at, day = max(at, over), day + timedelta(1)
        return int(passed // 60)

    def align(self, earliest: datetime, clock: tuple[int, int] | None) -> datetime:
        """Return the first moment from ``earliest`` on with a time of day, on a day that counts and outside
        of spans; without a time of day the first moment that counts.

        Of an hour that comes twice the second one counts; one that is left out counts as the clocks of after
        the gap have it.
        """
        if clock is None:
            return self.add(earliest, 0)
        from_, day = earliest.timestamp(), earliest.astimezone(self.zone).date()
        while True:
            moment = datetime.combine(day, time(*clock, fold=1), self.zone).timestamp()
            there = datetime.fromtimestamp(moment, self.zone)
            day += timedelta(1)
            if moment < from_ or self._is_in_span(moment):
                continue
            if next_counted(there.date(), self.days) == there.date():
                return there
            day = max(day, next_counted(day, self.days))

    def outside(self, moment: datetime) -> datetime:
        """Return a moment, or, if it lies in a span, the first one after that span with the same time of day
        on a day that counts.
        """
        if not self._is_in_span(moment.timestamp()):
            return moment.astimezone(self.zone)
        local = moment.astimezone(self.zone)
        return self.align(local, (local.hour, local.minute))

    def _free(self, begin: float, end: float) -> Iterable[Span]:
        """Yield what of a time lies outside of the spans."""
        for first, last in self.spans:
            if last <= begin or first >= end:
                continue
            if first > begin:
                yield begin, first
            begin = last
        if begin < end:
            yield begin, end

    def _is_in_span(self, moment: float) -> bool:
        return any(first <= moment < last for first, last in self.spans)


def start_of(day: date, zone: ZoneInfo) -> float:
    """Return the first moment of a day in a zone, in seconds of the epoch.

    Where midnight is left out, the moment at which the clocks go on.
    """
    return datetime.combine(day, time(), zone).timestamp()


def merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return spans sorted, those that touch each other as one."""
    found: list[Span] = []
    for first, last in sorted(spans):
        if last <= first:
            continue
        if found and first <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], last)
        else:
            found.append((first, last))
    return tuple(found)


def days_of(first: date, last: date, zone: ZoneInfo) -> Span:
    """Return the span from the beginning of a day to the end of another one."""
    return start_of(first, zone), start_of(last + timedelta(1), zone)
