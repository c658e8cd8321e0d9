"""Who sent nothing in time, and what his side did therefore: told in the report, in the letters and to the
umpire.

It follows from the ledger alone, so that every report says the same whenever it is made.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from msgspec import Struct

from pbem.post.offices.timing import at_time
from pbem.proof.archive import content, orders_path
from pbem.proof.history import Slot
from pbem.proof.orderfile import BadOrderFile, parse
from pbem.proof.rules import EARLY
from pbem.referee.game.game import Game
from pbem.referee.game.refusal import Refused
from pbem.referee.game.replay import open_questions
from pbem.store.library import common_words
from pbem.text.words import Words

ORDERS, ANSWER, WORDS, DRAFT = "orders", "answer", "words", "draft"
"""What a seat that was waited for did not send in time: orders, an answer, orders beside its words, luck
beside its draft.
"""
UTC: Final = "UTC"


class Missed(Struct, frozen=True):
    """A seat that was waited for in a slot, what it did not send until its lock ``at``, and the end of the
    key for what its side did.
    """

    seat: str
    kind: str
    at: datetime
    does: str = ""


def missed_in(game: Game, number: int) -> tuple[Missed, ...]:
    """Return who did not send in time what a locked slot waited for."""
    slot = game.ledger.slots.get(number)
    # Nobody is waited for in a ruling, or where a turn is played again.
    if slot is None or slot.act:
        return ()
    at = datetime.strptime(slot.locked_at, "%Y-%m-%dT%H:%M:%S%z")
    found = []
    for seat in slot.waits:
        kind = _kind(game, slot, seat)
        if kind:
            found.append(Missed(seat, kind, at, _does(game, slot, seat) if kind in (ORDERS, WORDS) else ""))
    return tuple(found)


def _kind(game: Game, slot: Slot, seat: str) -> str:
    entry = slot.entries[seat]
    if entry.sha512 is None:
        return (
            ANSWER if any(question["seat"] == seat for question in open_questions(slot.announced)) else ORDERS
        )
    if entry.x == EARLY:
        return ""
    data = content(game.archive, orders_path(seat, slot.number))
    if data is None or _has_value(data):
        return ""
    if not _says_who(game, slot, seat):
        return WORDS
    valued = (
        slot.announced["value"] == EARLY
        and game.ledger.profile == "joint"
        and game.ledger.seats[seat].outside
    )
    return DRAFT if valued and _may_roll(game, slot) else ""


def _has_value(data: bytes) -> bool:
    try:
        return parse(data).has_value
    except BadOrderFile:
        return True


def _says_who(game: Game, slot: Slot, seat: str) -> bool:
    """Tell whether a file orders or answers anything; True where it cannot be read any more."""
    try:
        orders = game.sheet(seat, slot.number).orders
    except Refused:
        return True
    return orders is not None and game.ground.rules.interface.ordered(orders)


def _may_roll(game: Game, slot: Slot) -> bool:
    try:
        state = game.state_after(slot.state_before_slot, slot.state_before)
    except Refused:
        return True
    return bool(open_questions(slot.announced)) or game.ground.rules.interface.may_roll(
        game.ground.rules, state
    )


def _does(game: Game, slot: Slot, seat: str) -> str:
    try:
        state = game.state_after(slot.state_before_slot, slot.state_before)
    except Refused:
        return "hold"
    return game.ground.rules.interface.silence(game.ground.rules, state, game.sides[seat])


def said(one: Missed, side: str, words: Words | None = None, zone: str = UTC) -> str:
    """Return in a sentence or two what a side did not send in time, and what it did; ``side`` is its name,
    empty: to itself.
    """
    words = words or common_words()
    who = "-yours" if not side else ""
    when = at_time(one.at, zone, words)
    first = words.phrase(f"missed.{one.kind}{who}", side=side, when=when)
    return f"{first} {words.phrase(f'missed.does-{one.does}')}" if one.does else first
