"""What each seat has left of its reserve days and of its clock: reckoned from the slots that waited for it,
and when its orders came.

When they came is what the letter that brought them says, else the receipt, else the lock: nobody pays for an
office that was asleep.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from msgspec import Struct, field

from pbem.club.clocks import allowed, drawn, lasts, shows
from pbem.club.due import counted_for, deadline_of
from pbem.club.terms import Acts, Move, Terms
from pbem.core.sequence import parse_cursor
from pbem.proof.archive import content, receipt_path
from pbem.proof.canonical import NotCanonical, decode
from pbem.proof.history import Slot
from pbem.referee.game.game import Game, own_folder
from pbem.referee.mail.acts_of_time import when
from pbem.store import received


class Banks(Struct, frozen=True):
    """By seat the reserve days that are left, and the minutes that its clock shows (less than nothing: it has
    run out).
    """

    reserves: Mapping[str, int] = field(default_factory=dict)
    clocks: Mapping[str, int] = field(default_factory=dict)


def banks_of(game: Game, terms: Terms | None, acts: Acts, before: int) -> Banks:
    """Return what the outside seats have left before a slot is ordered; nothing where nothing was agreed
    on.
    """
    if terms is None or not (terms.reserve or terms.clock):
        return Banks()
    announced = {
        int(read.record["next"]["slot"]): when(str(read.record["at"]))
        for read in game.ledger.records
        if read.record.get("next")
    }
    left = dict.fromkeys(game.ledger.outside, terms.reserve)
    spent: dict[str, list[int]] = {seat: [] for seat in left}
    for number, slot in sorted(game.ledger.slots.items()):
        if number >= before or slot.undone or number not in announced:
            continue
        phase, since = parse_cursor(slot.phase).phase, announced[number]
        clocks = _clocks(spent, terms)
        move = Move(phase, since, number, slot.waits, acts, dict(left), clocks)
        for seat in set(slot.waits) & set(left):
            at, counted = came(game, slot, seat), counted_for(seat, move, terms)
            if terms.clock is not None:
                # Whoever was in time, by a time of day, a grace or his reserve, has not run out.
                most = lasts(allowed(clocks[seat], terms.clock), terms.clock)
                passed = counted.between(since, at)
                spent[seat].append(
                    min(passed, most) if slot.entries[seat].sha512 is not None else max(passed, most + 1)
                )
            cost = drawn(_in_grace(deadline_of(seat, move, terms), terms), at, counted) if left[seat] else 0
            left[seat] = max(0, left[seat] - cost)
    return Banks(left if terms.reserve else {}, _clocks(spent, terms))


def _clocks(spent: Mapping[str, list[int]], terms: Terms) -> dict[str, int]:
    clock = terms.clock
    return {} if clock is None else {seat: shows(tuple(moves), clock) for seat, moves in spent.items()}


def _in_grace(end: datetime, terms: Terms) -> datetime:
    """Return a deadline with its grace, in which orders cost nothing."""
    return datetime.fromtimestamp(end.timestamp() + 60 * terms.grace, end.tzinfo)


def came(game: Game, slot: Slot, seat: str) -> datetime:
    """Return when the orders came that a slot was locked with, or the lock itself."""
    locked, sha512 = when(slot.locked_at), slot.entries[seat].sha512
    if sha512 is None or game.folder is None:
        return locked
    folder = own_folder(game)
    for one in received.letters(folder, slot.number):
        if one.seat == seat and one.sha512 == sha512 and one.came.at:
            return min(when(one.came.at), locked)
    data = content(folder, receipt_path(slot.number, seat, sha512))
    try:
        return locked if data is None else min(when(str(decode(data)["at"])), locked)
    except (NotCanonical, KeyError, ValueError):
        return locked
