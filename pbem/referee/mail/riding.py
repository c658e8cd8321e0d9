"""When a report rides on the letter that asks for words: one letter instead of two where the seat that runs
the program moves next.

Its reader owes nothing until then, so nothing of his is late because of it; and he waits so long at most.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from pbem.referee.game import story
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game
from pbem.referee.mail.served import OfficeGame
from pbem.store.outbox import Outbox

LONGEST: Final = timedelta(hours=12)
"""So long a report waits for the lock; then it goes alone."""


def waits(served: OfficeGame, slot: int, now: datetime) -> bool:
    """Tell whether the report of a slot may wait: it is the newest, and only seats of the one who runs the
    program are to move.
    """
    ledger = served.game.ledger
    if (
        not slot
        or slot != ledger.state_slot
        or ledger.over
        or ledger.next is None
        or ledger.locked is not None
        or served.held
    ):
        return False
    if ledger.profile == "gm" or ledger.has_beacon:
        return False  # nobody is asked for words
    if any(ledger.seats[seat].outside for seat in ledger.next["waits"]):
        return False
    return served.open_since is not None and now - served.open_since[1] < LONGEST


def rides(game: Game, slot: int) -> bool:
    """Tell whether the lock that stands open follows a slot directly, so that what it asks can carry the
    report.
    """
    locked = game.ledger.locked
    return locked is not None and locked.state_before_slot == slot == game.ledger.state_slot


def told(env: Environment, box: Outbox, game: Game, slot: int, seat: str) -> bool:
    """Tell whether a seat has had the report of a slot: in a letter of its own, or in the one that asked for
    words after it.
    """
    if box.knows(f"turn-{game.id}-s{slot:04d}{story.anew(env, game.where, game.id, slot)}-{seat}"):
        return True
    after = [of.number for of in game.ledger.slots.values() if of.state_before_slot == slot]
    return any(
        box.knows(f"go-{game.id}-s{number:04d}{story.anew(env, game.where, game.id, number)}-{seat}")
        for number in after
    )
