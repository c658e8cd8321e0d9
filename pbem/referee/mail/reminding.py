"""Reminders: found game by game, sent when all games of a pass are done, so that a player of several gets one
letter and not one for each.

Each reminder of a seat has a name of its own; which went out in a letter for several stands in a book of the
office, and the letter itself is queued under a name made of theirs, so it goes once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Final

from pbem.post.mail.sender import SeatAt
from pbem.post.write import news, together
from pbem.referee.game import story
from pbem.referee.mail import letters
from pbem.referee.mail.incoming import about, until
from pbem.referee.mail.round_context import Pending, RoundContext, Step, read_book, seats_of
from pbem.referee.mail.served import OfficeGame
from pbem.store import disk
from pbem.store.library import common_words
from pbem.text.words import speaking

BOOK: Final = "reminded.json"
_MOST: Final = 5_000
"""Reminders that the book keeps, the newest."""


def pending(ctx: RoundContext, served: OfficeGame, seats: Iterable[str], number: int) -> Iterator[Pending]:
    """Yield the reminders of some seats that have not gone out, for the ``number``-th time, from 0."""
    had = read_book(ctx.house.post / BOOK, str)
    for seat in seats_of(ctx.house, served.game.id):
        key = _key(ctx, served, seat.seat, number)
        if seat.seat in seats and seat.addresses and not ctx.box.knows(key) and key not in had:
            yield Pending(served.game.id, seat.seat, number, key)


def _key(ctx: RoundContext, served: OfficeGame, seat: str, number: int) -> str:
    game, which = served.game, f"-{number + 1}" if number else ""
    locked = game.ledger.locked
    slot = int((game.ledger.next or {}).get("slot", 0)) if locked is None else locked.number
    again, what = story.anew(ctx.env, game.where, game.id, slot), "go" if locked else "orders"
    return f"remind-{game.id}-s{slot:04d}{again}-{what}-{seat}{which}"


def remind(ctx: RoundContext) -> Iterator[Step]:
    """Queue what reminders were found in this pass and still hold: to each address one letter."""
    of_address: dict[str, list[tuple[Pending, SeatAt]]] = {}
    seats = {(seat.game, seat.seat): seat for seat in ctx.house.seats}
    for one in {one.key: one for one in ctx.reminders}.values():
        if _holds(ctx, one):
            seat = seats[one.game, one.seat]
            of_address.setdefault(seat.addresses[0], []).append((one, seat))
    for address, found in of_address.items():
        words = common_words()
        with speaking(found[0][1].language):
            told = [
                letters.reminder_of(
                    ctx.house.games[one.game].game,
                    one.seat,
                    about(ctx.house, seat),
                    until(ctx.house, seat, ctx.now),
                )
                for one, seat in found
            ]
            letter = news.reminder(told[0], words) if len(found) == 1 else together.reminders(told, words)
        if len(found) == 1:
            ((one, seat),) = found
            ctx.mail.letter(one.key, letter, one.game, address, thread=ctx.mail.thread(one.game, seat))
        else:
            names = [one.key for one, _ in found]
            key = f"reminders-{hashlib.sha256(' '.join(sorted(names)).encode()).hexdigest()[:24]}"
            ctx.mail.letter(key, letter, "", address)
            path = ctx.house.post / BOOK
            kept = list({**read_book(path, str), **dict.fromkeys(names, key)}.items())[-_MOST:]
            disk.replace(path, json.dumps(dict(kept), indent=1).encode() + b"\n", private=True)
        yield from (Step("reminded", one.game, one.seat, address) for one, _ in found)


def _holds(ctx: RoundContext, one: Pending) -> bool:
    """Tell whether a seat still has to be reminded: its orders may have come after that was found out."""
    if one.game not in ctx.house.games:
        return False
    served = ctx.house.games[one.game]
    status = served.status()
    if status is None or served.held or one.seat not in {*status.missing, *status.drafts}:
        return False
    return _key(ctx, served, one.seat, one.number) == one.key
