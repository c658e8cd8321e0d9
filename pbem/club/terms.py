"""What was agreed on about time in a game, and what happened to its time since: plain data.

Decides nothing. Times are aware of their zone, lengths are minutes, days are days of a zone that is named.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime

from msgspec import Struct, field

WEEK = (1, 2, 3, 4, 5, 6, 7)
"""The days of the week, Monday first."""


class Days(Struct, frozen=True):
    """The days that do not count: no minute of a length passes on them, and no deadline falls on one.

    ``weekdays`` are those that count, 1 is Monday. ``off`` are spans of days, both ends with it. ``rules``
    are days that come again, each a rule of iCalendar (RFC 5545) and the day that it begins with.
    ``holidays`` are places with public holidays: a country such as ``PT``, or a part of one, ``DE-BY``.
    """

    weekdays: tuple[int, ...] = WEEK
    off: tuple[tuple[date, date], ...] = ()
    rules: tuple[tuple[str, date], ...] = ()
    holidays: tuple[str, ...] = ()


EVERY_DAY = Days()


class LeaveTerms(Struct, frozen=True):
    """How much leave a player may take in a year, in days, and how many minutes before its first day he has
    to say so.
    """

    days: int
    notice: int = 0


class ClockTerms(Struct, frozen=True):
    """A clock for each seat: minutes at the start; minutes that are added after every ``moves`` moves; the
    most that it ever shows (None: no bound).

    ``whole_days``: only whole days are charged, as chess by mail has it. ``doubles``: minutes on one move
    beyond which time counts twice.
    """

    start: int
    increment: int = 0
    moves: int = 1
    most: int | None = None
    whole_days: bool = False
    doubles: int | None = None


class MissedTerms(Struct, frozen=True):
    """What missed deadlines cost: after so many a strike is told to everybody, a substitute is looked for,
    the game is lost; None: never.

    After ``forgive`` moves in a row that were in time one miss is forgiven.
    """

    strike: int | None = None
    substitute: int | None = None
    loss: int | None = None
    forgive: int | None = None


class Terms(Struct, frozen=True):
    """What was agreed on: minutes for a phase (``lengths`` by its id, else ``length``), the time of day, when
    to remind, the grace, the days that count, leave; ``reserve``: days that each seat may be late in the
    whole game; a ``clock`` that each seat has in the place of the lengths.

    ``zone`` is an IANA name. ``time`` is hour and minute; None: whenever the length is over. ``remind`` are
    minutes before the deadline, the longest first; none: nobody is reminded. ``grace`` are minutes after it
    in which orders still count.
    """

    length: int
    lengths: Mapping[str, int] = field(default_factory=dict)
    time: tuple[int, int] | None = None
    remind: tuple[int, ...] = ()
    grace: int = 0
    zone: str = "UTC"
    days: Days = EVERY_DAY
    leave: LeaveTerms | None = None
    missed: MissedTerms = MissedTerms()
    reserve: int = 0
    clock: ClockTerms | None = None


class Extension(Struct, frozen=True):
    """The umpire's word, given at ``at``, that a slot is due at ``until``."""

    slot: int
    until: datetime
    at: datetime


class Pause(Struct, frozen=True):
    """A time in which the game stood still; ``end`` is None as long as it does."""

    begin: datetime
    end: datetime | None = None


class Leave(Struct, frozen=True):
    """Days on which a player is away, from ``first`` to ``last``, both with it, in his own zone; announced at
    ``asked``.

    ``granted``: the umpire gave them, whatever the terms say about leave.
    """

    seat: str
    first: date
    last: date
    asked: datetime
    zone: str = "UTC"
    granted: bool = False


class Acts(Struct, frozen=True):
    """What happened to the time of a game, each in the order in which it happened."""

    extensions: tuple[Extension, ...] = ()
    pauses: tuple[Pause, ...] = ()
    leaves: tuple[Leave, ...] = ()


NOTHING = Acts()


class Move(Struct, frozen=True):
    """What is to be ordered: the phase and since when, for which slot, by which seats, and what has happened
    to the time of the game.

    A slot of 0 is one that nobody extends. ``reserves`` are the reserve days that seats have left, ``clocks``
    the minutes that their clocks show.
    """

    phase: str
    since: datetime
    slot: int = 0
    seats: tuple[str, ...] = ()
    acts: Acts = NOTHING
    reserves: Mapping[str, int] = field(default_factory=dict)
    clocks: Mapping[str, int] = field(default_factory=dict)
