"""What players have asked for by letter and what has become of it, in a file of the office; the caller holds
the office alone.

Each request has a name that follows from the letter it stood in, and for each who has to say yes or no a
token that only his letter bears.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from pbem.post.mail.sender import code_of
from pbem.post.orders.asking import DRAW, LEAVE, TIME
from pbem.referee.mail import book_rows

BOOK: Final = "requests.json"
UMPIRE: Final = "gm"
"""Who decides where no seat does."""
UNCONFIRMED, OFFERED, OPEN = "unconfirmed", "offered", "open"
GRANTED, REFUSED, LAPSED, WITHDRAWN = "granted", "refused", "lapsed", "withdrawn"
_MOST: Final = 2_000
"""Requests that are kept, the newest."""


class Asked(Struct, frozen=True):
    """A request of a seat: what for, of which slot, since when, and what has become of it.

    It is ``unconfirmed`` until the seat says yes to our letter, ``offered`` until the others do, ``open``
    until the umpire decides. ``by`` are the seats that have said yes.
    """

    id: str
    game: str
    seat: str
    kind: str
    slot: int
    at: datetime
    state: str
    first: date | None = None
    last: date | None = None
    minutes: int = 0
    by: tuple[str, ...] = ()

    @property
    def is_waiting(self) -> bool:
        """Tell whether somebody still has to say yes or no."""
        return self.state in (UNCONFIRMED, OFFERED, OPEN)


LASTS: Final = timedelta(days=14)
"""So long a resignation waits to be confirmed."""


def is_current(asked: Asked, slot: int, now: datetime) -> bool:
    """Tell whether a request can still come to something while a slot is open: more time and a draw are of
    their own slot, leave is over with its last day, and a resignation is not confirmed for ever.
    """
    if asked.kind in (TIME, DRAW):
        return asked.slot == slot
    if asked.kind == LEAVE:
        return asked.last is None or asked.last >= now.date()
    return asked.state == OPEN or now - asked.at <= LASTS


class RequestBook:
    """The requests of an office; ``secret`` is what its tokens follow from."""

    def __init__(self, folder: Path, secret: bytes) -> None:
        self.path, self.secret = folder / BOOK, secret
        self.every = {one.id: one for one in book_rows.read(self.path, Asked)}

    def note(self, asked: Asked, **changes: object) -> Asked:
        """Write down what is known of a request now, and return it."""
        asked = replace(asked, **changes)
        if self.every.get(asked.id) != asked:
            self.every[asked.id] = asked
            book_rows.write(self.path, self.every.values(), _MOST)
        return asked

    def token(self, asked: Asked, who: str) -> str:
        """Return what somebody's yes or no has to bear: a seat's, or ``UMPIRE``'s."""
        return code_of(self.secret, f"request {asked.id}", who)

    def waiting(self, game: str = "") -> Iterator[Asked]:
        """Yield the requests, of one game or all, of which somebody still has to say something."""
        yield from (one for one in self.every.values() if one.is_waiting and game in ("", one.game))


def name_of(letter: str, kind: str) -> str:
    """Return the name of the request of a kind in a letter."""
    return hashlib.sha256(f"{letter}\0{kind}".encode()).hexdigest()[:8]
