"""What is due in a game, and when: a pure function of where it stands, its terms and the time.

Decides nothing about how a thing is done. A deadline is never earlier than the length of its phase promises:
it is moved on to the next time of day that was agreed on, and by a change of the clocks only forward. Nothing
that happens later moves it back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from itertools import combinations
from typing import Final
from zoneinfo import ZoneInfo

from msgspec import Struct

from pbem.club.clocks import allowed, lasts, reserve
from pbem.club.days import next_counted
from pbem.club.reckoning import Reckoning, Span, days_of, merged
from pbem.club.terms import Acts, Extension, Leave, Move, Pause, Terms

RESOLVE, LOCK, REMIND = "resolve", "lock", "remind"
"""All is there: resolve.

The time is up: lock with what there is, then resolve. Somebody has to be reminded.
"""
DAY: Final = 1440
"""Minutes that everybody has at least after a pause, unless his phase is shorter."""


class GameStatus(Struct, frozen=True):
    """Where a game stands as far as time goes: what is to be ordered, who is waited for, and whether without
    him it goes on.

    ``missing`` are seats of which nothing is there, ``drafts`` those whose file is not final;
    ``waits_for_all``: no missing file is ever passed over (two friends, of whom one runs the program; or a
    lock that has to be answered).
    """

    move: Move
    missing: tuple[str, ...]
    drafts: tuple[str, ...] = ()
    waits_for_all: bool = False


class Due(Struct, frozen=True):
    """A thing that is due: what, since when, for whom, and which reminder of those agreed on, from 0."""

    kind: str
    at: datetime
    seats: tuple[str, ...] = ()
    number: int = 0


def is_paused(move: Move) -> bool:
    """Tell whether the game stands still until somebody lets it go on."""
    return any(one.end is None for one in move.acts.pauses)


def deadline(move: Move, terms: Terms) -> datetime | None:
    """Return when the orders of a phase are to be there, in the zone of the terms; None while the game is
    paused.

    It is the latest of those of its seats: who is away is waited for, and nobody has less time for it.
    """
    if is_paused(move):
        return None
    ends = [deadline_of(seat, move, terms) for seat in move.seats] or [deadline_of("", move, terms)]
    return max(ends, key=datetime.timestamp)


def deadline_of(seat: str, move: Move, terms: Terms) -> datetime:
    """Return when the orders of a seat are to be there, in the zone of the terms, of a game that goes on.

    What counts is the length, or what the clock of the seat shows, on days that count, without pauses and the
    leave of the seat, and then the next time of day. A word of the umpire is never undercut, and after a
    pause there is at least a day, or the length where that is shorter.
    """
    pauses, leaves = _pauses(move), _leaves(seat, move, terms)
    counted = reckoning(terms, [*pauses, *leaves])
    length = terms.lengths.get(move.phase, terms.length)
    if terms.clock is not None and seat in move.clocks:
        length = lasts(allowed(move.clocks[seat], terms.clock), terms.clock)
    found = [counted.align(counted.add(move.since, length), terms.time)]
    # The umpire may name a day that does not count otherwise; but who is away is away.
    away = reckoning(terms, leaves)
    found += [
        away.outside(_put_off(one, some, terms))
        for one in move.acts.extensions
        if one.slot == move.slot and move.slot
        for some in _runs([span for span in pauses if span[0] >= one.at.timestamp()])
    ]
    end = max(found, key=datetime.timestamp)
    for begin, stop in sorted(pauses):
        if begin <= end.timestamp() + 60 * terms.grace and stop > move.since.timestamp():
            after = datetime.fromtimestamp(stop, end.tzinfo)
            least = counted.align(counted.add(after, min(length, DAY)), terms.time)
            end = max(end, least, key=datetime.timestamp)
    return end


def counted_for(seat: str, move: Move, terms: Terms) -> Reckoning:
    """Return what counts for a seat: days that count, without pauses that are over and its leave."""
    return reckoning(terms, [*_pauses(move), *_leaves(seat, move, terms)])


def taken(seat: str, since: datetime, until: datetime, acts: Acts) -> int:
    """Return how many seconds a seat took from one moment to another: pauses and its leave are none of its
    time. Nights and days off are, for who likes may order on them.
    """
    end = until.timestamp()
    spans = [
        (one.begin.timestamp(), min(end, one.end.timestamp() if one.end else end)) for one in acts.pauses
    ]
    spans += [span for one in acts.leaves if one.seat == seat and (span := _away(one, 0))]
    away = sum(max(0, min(end, last) - max(since.timestamp(), first)) for first, last in merged(spans))
    return max(0, int(end - since.timestamp() - away))


def _pauses(move: Move) -> list[Span]:
    return [_span(one) for one in move.acts.pauses if one.end is not None]


def _leaves(seat: str, move: Move, terms: Terms) -> list[Span]:
    notice = terms.leave.notice if terms.leave is not None else 0
    return [span for one in move.acts.leaves if one.seat == seat and (span := _away(one, notice))]


def reckoning(terms: Terms, spans: Iterable[Span] = ()) -> Reckoning:
    """Return what counts in a game, without spans that do not."""
    return Reckoning(ZoneInfo(terms.zone), terms.days, merged(spans))


def extended(end: datetime, minutes: int, terms: Terms) -> datetime:
    """Return a deadline put off by so many minutes: whole days by the calendar, to the same time of day on
    the day that many counted days later, and then the rest as it passes.
    """
    counted = reckoning(terms)
    day = end.astimezone(counted.zone)
    for _ in range(minutes // DAY):
        later = day + timedelta(1)
        day = later + (next_counted(later.date(), terms.days) - later.date())
    moment = day.timestamp() + 60 * (minutes % DAY)
    there = datetime.fromtimestamp(moment, counted.zone)
    free = next_counted(there.date(), terms.days) - there.date()
    return datetime.fromtimestamp((there + free).timestamp(), counted.zone)


def _put_off(word: Extension, pauses: list[Span], terms: Terms) -> datetime:
    """Return what a word of the umpire comes to after pauses that began later than it was given, sorted."""
    until, moved = word.until.timestamp(), False
    for begin, end in pauses:
        if begin < until:
            until, moved = until + end - begin, True
    counted = reckoning(terms)
    found = datetime.fromtimestamp(until, counted.zone)
    return counted.align(found, terms.time) if moved else found


def _runs(pauses: list[Span]) -> Iterator[list[Span]]:
    """Yield none of the pauses, and all that follow one another: who is away comes back to the same time of
    day, so a pause may carry a moment just beyond a leave that would have carried it farther. No pause takes
    time away, so the latest of all these counts.
    """
    yield []
    ordered = sorted(pauses)
    yield from (ordered[first:last] for first, last in combinations(range(len(ordered) + 1), 2))


def _span(pause: Pause) -> Span:
    assert pause.end is not None
    return pause.begin.timestamp(), pause.end.timestamp()


def first_day(leave: Leave, notice: int) -> date:
    """Return the first day of a leave that is one: none that had begun when it was announced, in the zone of
    the player, and none that begins before the notice is over.
    """
    announced = leave.asked if leave.granted else leave.asked + timedelta(minutes=notice)
    return max(leave.first, announced.astimezone(ZoneInfo(leave.zone)).date() + timedelta(1))


def _away(leave: Leave, notice: int) -> Span | None:
    """Return the time that a leave takes out of every length; None where nothing of it is left."""
    first = first_day(leave, notice)
    return days_of(first, leave.last, ZoneInfo(leave.zone)) if first <= leave.last else None


def cutoff(move: Move, terms: Terms, missing: Iterable[str] = ()) -> datetime | None:
    """Return after when orders no longer count: the deadline, the reserve days of the seats that are
    ``missing``, and the grace, in minutes that pass, whatever the clocks are set to; None while the game is
    paused.
    """
    end = deadline(move, terms)
    if end is None:
        return None
    ends = [end, *(until for seat in missing if (until := reserved_until(seat, move, terms)) is not None)]
    last = max(ends, key=datetime.timestamp)
    return datetime.fromtimestamp(last.timestamp() + 60 * terms.grace, end.tzinfo)


def reserved_until(seat: str, move: Move, terms: Terms) -> datetime | None:
    """Return until when a seat has time that draws on all its reserve days; None of one that has none."""
    days = move.reserves.get(seat, 0) if terms.reserve else 0
    if days <= 0 or is_paused(move):
        return None
    return reserve(deadline_of(seat, move, terms), days, counted_for(seat, move, terms))


def reminders(move: Move, terms: Terms) -> tuple[datetime, ...]:
    """Return from when on somebody is reminded, a time for each reminder that was agreed on, in their order.

    Who has just been told needs no reminder at once: a phase may be shorter than the time before which one
    goes out, so none goes out in the first half of it.
    """
    end = deadline(move, terms)
    if end is None:
        return ()
    half = (move.since.timestamp() + end.timestamp()) / 2
    times = (max(end.timestamp() - 60 * one, half) for one in terms.remind)
    return tuple(datetime.fromtimestamp(at, end.tzinfo) for at in times)


def due(status: GameStatus, terms: Terms | None, now: datetime) -> Due | None:
    """Return the one thing that is due at ``now``, the most important first; None where there is nothing to
    do yet, or the game is paused.
    """
    if is_paused(status.move):
        return None
    if not status.missing and not status.drafts:
        return Due(RESOLVE, status.move.since)
    if terms is None:
        return None
    last = cutoff(status.move, terms, status.missing)
    assert last is not None
    if now.timestamp() > last.timestamp() and not status.waits_for_all:
        return Due(LOCK, last, status.missing)
    past = [
        (number, at)
        for number, at in enumerate(reminders(status.move, terms))
        if now.timestamp() >= at.timestamp()
    ]
    if not past:
        return None
    # Of several that are due at once the last one goes out, and no other.
    number, at = past[-1]
    return Due(REMIND, at, tuple(sorted({*status.missing, *status.drafts})), number)


def next_due(status: GameStatus, terms: Terms | None, now: datetime) -> float | None:
    """Return when something will be due that is not at ``now``, in seconds of the epoch; None where nothing
    will, as long as nobody writes.
    """
    if terms is None or is_paused(status.move) or not (status.missing or status.drafts):
        return None
    return min((at for at in _moments(status, terms) if at >= now.timestamp()), default=None)


def _moments(status: GameStatus, terms: Terms) -> Iterator[float]:
    if not status.waits_for_all:
        last = cutoff(status.move, terms, status.missing)
        assert last is not None
        yield last.timestamp()
    yield from (at.timestamp() for at in reminders(status.move, terms))
