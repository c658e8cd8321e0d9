"""Clocks of seats: what a move costs of one, what is added after it, and when it has run out.

A clock runs on time that counts: not on days off, in pauses, on days of leave. With whole days a move that
was answered within a day costs nothing, as in chess by mail; beyond ``doubles`` time counts twice. A bank of
reserve days is drawn on a day at a time, once a deadline is over.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from pbem.club.reckoning import Reckoning
from pbem.club.terms import ClockTerms

DAY: Final = 1440


def charged(minutes: int, clock: ClockTerms) -> int:
    """Return what is taken off a clock for a move that took so many minutes that count.

    Of whole days the last one, which was only begun, is free.
    """
    spent = max(0, -(-minutes // DAY) - 1) * DAY if clock.whole_days else minutes
    beyond = 0 if clock.doubles is None else max(0, spent - clock.doubles)
    return spent + beyond


def lasts(left: int, clock: ClockTerms) -> int:
    """Return how many minutes a move may take at most that costs no more than what is left."""
    plain = left if clock.doubles is None else min(left, clock.doubles)
    spent = plain + (left - plain) // 2
    return (spent // DAY + 1) * DAY if clock.whole_days else spent


def after_move(left: int, moves: int, minutes: int, clock: ClockTerms) -> int:
    """Return what a clock shows after a move that took so many minutes that count, the ``moves``-th of its
    seat; less than nothing where it ran out.
    """
    now = left - charged(minutes, clock)
    if now < 0:
        return now
    if moves % clock.moves == 0:
        now += clock.increment
    return now if clock.most is None else min(now, clock.most)


def allowed(left: int, clock: ClockTerms) -> int:
    """Return what a seat may spend on its next move: what its clock shows; once it has run out, what is added
    after a move, or a day where that is nothing, so that the game can go on.
    """
    return left if left >= 0 else clock.increment or DAY


def shows(spent: tuple[int, ...], clock: ClockTerms) -> int:
    """Return what a clock shows after moves that took so many minutes, the oldest first; once it has run
    out it stands.
    """
    left = clock.start
    for number, minutes in enumerate(spent, 1):
        left = after_move(left, number, minutes, clock)
        if left < 0:
            break
    return left


def runs_out(since: datetime, left: int, clock: ClockTerms, counted: Reckoning) -> datetime:
    """Return the last moment at which a move still costs no more than what is left of a clock."""
    return counted.add(since, lasts(left, clock))


def drawn(end: datetime, came: datetime, counted: Reckoning) -> int:
    """Return how many reserve days orders cost that came after a deadline: each that was begun."""
    if came.timestamp() <= end.timestamp():
        return 0
    return max(1, -(-counted.between(end, came) // DAY))


def reserve(end: datetime, days: int, counted: Reckoning) -> datetime:
    """Return until when a seat has time that draws on all its reserve days after a deadline."""
    return counted.add(end, days * DAY) if days else end
