"""What is due in a game, and when: a pure function of where it stands, its terms and the time.

Decides nothing about how a thing is done. A deadline is never earlier than the length of its phase promises:
it is moved on to the next time of day that was agreed on, and by a change of the clocks only forward.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from msgspec import Struct, field

RESOLVE, LOCK, REMIND = "resolve", "lock", "remind"
"""All is there: resolve.

The time is up: lock with what there is, then resolve. Somebody has to be reminded.
"""


class Terms(Struct, frozen=True):
    """What was agreed on: minutes for a phase (``lengths`` by its id, else ``length``), the time of day, when
    to remind, the grace.

    ``zone`` is an IANA name. ``time`` is hour and minute; None: whenever the length is over. ``remind`` are
    minutes before the deadline, None: nobody is reminded. ``grace`` are minutes after it in which orders
    still count.
    """

    length: int
    lengths: Mapping[str, int] = field(default_factory=dict)
    time: tuple[int, int] | None = None
    remind: int | None = None
    grace: int = 0
    zone: str = "UTC"


class GameStatus(Struct, frozen=True):
    """Where a game stands as far as time goes: the open phase, since when, who is waited for, and whether
    without him it goes on.

    ``missing`` are seats of which nothing is there, ``drafts`` those whose file is not final;
    ``waits_for_all``: no missing file is ever passed over (two friends, of whom one runs the program; or a
    lock that has to be answered).
    """

    phase: str
    since: datetime
    missing: tuple[str, ...]
    drafts: tuple[str, ...] = ()
    waits_for_all: bool = False


class Due(Struct, frozen=True):
    """A thing that is due: what, since when, and for whom."""

    kind: str
    at: datetime
    seats: tuple[str, ...] = ()


def deadline(since: datetime, phase: str, terms: Terms) -> datetime:
    """Return when the orders of a phase are to be there that was announced at ``since``, in the zone of the
    terms.
    """
    zone = ZoneInfo(terms.zone)
    earliest = since + timedelta(minutes=terms.lengths.get(phase, terms.length))
    local = earliest.astimezone(zone)
    if terms.time is None:
        return local
    day = local.date()
    # Of an hour that comes twice the second one counts (fold); one that is left out lies behind the gap.
    while (
        moment := datetime.combine(day, time(*terms.time, fold=1), zone)
    ).timestamp() < earliest.timestamp():
        day += timedelta(days=1)
    return datetime.fromtimestamp(moment.timestamp(), zone)


def cutoff(since: datetime, phase: str, terms: Terms) -> datetime:
    """Return after when orders no longer count: the deadline and the grace, in minutes that pass, whatever
    the clocks are set to.
    """
    end = deadline(since, phase, terms)
    return datetime.fromtimestamp(end.timestamp() + 60 * terms.grace, end.tzinfo)


def due(status: GameStatus, terms: Terms | None, now: datetime) -> Due | None:
    """Return the one thing that is due at ``now``, the most important first; None where there is nothing to
    do yet.
    """
    if not status.missing and not status.drafts:
        return Due(RESOLVE, status.since)
    if terms is None:
        return None
    end = deadline(status.since, status.phase, terms)
    last = cutoff(status.since, status.phase, terms)
    if now.timestamp() > last.timestamp() and not status.waits_for_all:
        return Due(LOCK, last, status.missing)
    if terms.remind is None:
        return None
    early = datetime.fromtimestamp(end.timestamp() - 60 * terms.remind, end.tzinfo)
    if now.timestamp() >= _reminds(status.since, end, terms.remind):
        return Due(REMIND, early, tuple(sorted({*status.missing, *status.drafts})))
    return None


def _reminds(since: datetime, end: datetime, remind: int) -> float:
    """Return from when on somebody is reminded, in seconds of the epoch.

    Who has just been told needs no reminder at once: a phase may be shorter than the time before which one
    goes out.
    """
    return max(end.timestamp() - 60 * remind, (since.timestamp() + end.timestamp()) / 2)


def next_due(status: GameStatus, terms: Terms | None, now: datetime) -> float | None:
    """Return when something will be due that is not at ``now``, in seconds of the epoch; None where nothing
    will, as long as nobody writes.
    """
    if terms is None or not (status.missing or status.drafts):
        return None
    moments = []
    if not status.waits_for_all:
        moments.append(cutoff(status.since, status.phase, terms).timestamp())
    if terms.remind is not None:
        moments.append(_reminds(status.since, deadline(status.since, status.phase, terms), terms.remind))
    return min((at for at in moments if at >= now.timestamp()), default=None)
