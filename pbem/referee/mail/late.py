"""Orders that came too late: by how much, and for which turn that was played without them.

Decides when orders are late and not just out of turn: their sender was waited for, the time was up when they
came, and nothing in them says that they are for another turn.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from msgspec import Struct

from pbem.club.due import cutoff, deadline
from pbem.club.terms import Move
from pbem.core.problem import Problem
from pbem.core.regex import regex
from pbem.core.sequence import parse_cursor
from pbem.post.lines.message import Found
from pbem.post.offices.timing import at_time, span
from pbem.referee.game.missed import missed_in
from pbem.referee.mail.banks import banks_of
from pbem.referee.mail.served import OfficeGame, parsed
from pbem.text.words import Words

_KEY = regex(rb"^([a-z][a-z-]{1,20}):", re.MULTILINE)
_TURN = regex(rb"^turn:\s*([^\s#]+)", re.MULTILINE)


class Late(Struct, frozen=True):
    """How late orders were: the slot that was played without them, when they were due, until when they still
    counted.
    """

    slot: int
    by: timedelta
    due: datetime
    last: datetime

    def problem(self, zone: str, words: Words) -> Problem:
        """Return it as a refusal says it, in the time of its reader."""
        grace = at_time(self.last, zone, words) if self.last != self.due else ""
        return Problem(
            "mail.late",
            {"late": span(self.by, words), "deadline": at_time(self.due, zone, words), "grace": grace},
        )


def late_by(served: OfficeGame, seat: str, arrived: datetime, found: Found) -> Late | None:
    """Return how late the orders in a letter of a seat are; None where they are not, or nobody was waiting
    for them.
    """
    if found.signature is not None or not _orders(served, found):
        return None
    late = late_for(served, seat, arrived)
    told = _TURN.search(found.data)
    if late is None or (
        told is not None
        and told[1].decode("ascii", "replace") not in _names(served.game.ledger.slots[late.slot].phase)
    ):
        return None
    return late


def late_for(served: OfficeGame, seat: str, arrived: datetime) -> Late | None:
    """Return how late a seat is at a time with what was wanted from it last; None where that came, or
    something is wanted from it now.
    """
    game, terms = served.game, served.settings.deadlines
    ledger = game.ledger
    waited = [
        number
        for number, slot in ledger.slots.items()
        if seat in slot.waits and not slot.undone and not slot.act
    ]
    if terms is None or not waited or (ledger.locked is None and served.waits_for(seat)):
        return None
    number = max(waited)
    slot = ledger.slots[number]
    announced = next(
        (
            read.record["at"]
            for read in ledger.records
            if (read.record.get("next") or {}).get("slot") == number
        ),
        None,
    )
    if announced is None or all(one.seat != seat for one in missed_in(game, number)):
        return None
    phase, since = parse_cursor(slot.phase).phase, parsed(str(announced))
    banks = banks_of(game, terms, served.acts, number)
    move = Move(phase, since, number, slot.waits, served.acts, banks.reserves, banks.clocks)
    last, end = cutoff(move, terms, [seat]), deadline(move, terms)
    if last is None or end is None or arrived <= last:
        return None
    return Late(number, arrived - last, end, last)


def _orders(served: OfficeGame, found: Found) -> bool:
    """Tell whether there are orders or answers in a letter, and not words alone: those are never late."""
    said = (*served.game.ground.rules.vocabulary.headings, "answers", "nobody")
    return any(key.decode() in said for key in _KEY.findall(found.data))


def _names(phase: str) -> tuple[str, ...]:
    """Return how an order file may call the turn of a phase: ``t1``, ``t1.west``, ``t1.west.movement``."""
    parts = phase.split(".")
    return tuple(".".join(parts[: n + 1]) for n in range(len(parts)))
