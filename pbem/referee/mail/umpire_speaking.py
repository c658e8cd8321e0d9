"""A word of the umpire on its way into the ledger: worked out or refused, signed, and what it comes to."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec import Struct

from pbem.club.due import GameStatus
from pbem.post.offices.office import FILE, GameSettings, Office
from pbem.proof import spoken, timely
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game, open_game, own_folder, writing
from pbem.referee.game.refusal import refuse
from pbem.referee.game.sealing import gm_key, seal
from pbem.referee.mail.office import served_in, settings
from pbem.referee.mail.served import OfficeGame


class Spoken(Struct, frozen=True):
    """What a word came to: the slot, and when it is due now; None: nobody knows before the game goes on, or
    there is no deadline.
    """

    does: str
    slot: int
    due: datetime | None
    said: Mapping[str, Any]
    untold: tuple[str, ...] = ()
    """Who is not told: the sides of seats without an address, and without a thread that rounds post to."""


def _nothing(game: Game, record: Mapping[str, Any]) -> None:
    pass


def speak(
    env: Environment,
    where: Path,
    does: str,
    why: str,
    worked_out: Callable[[OfficeGame], Mapping[str, Any]],
    before: Callable[[Game, Mapping[str, Any]], None] = _nothing,
    *,
    alone: bool = False,
) -> Spoken:
    """Put a word into the ledger. ``worked_out`` says what stands in it, or refuses it; ``before`` does what
    has to be on the disk before it counts.

    Refused before a game begins, after it is over, and outside of an office unless a game ``alone`` can do
    with it.
    """
    office = None if alone and not (where.resolve().parent / FILE).is_file() else settings(office_of(where))
    make = timely.time if does in timely.TIMELY else spoken.word
    with writing(where, env) as game:
        served = _served(office, game, where)
        slot = _slot(served, does)
        said = worked_out(served)
        private, ledger = gm_key(env, game), game.ledger
        record = make(
            game=game.id,
            n=ledger.next_n,
            prev=ledger.head,
            at=env.clock(),
            slot=slot,
            does=does,
            why=why,
            said=said,
        )
        before(game, record)
        seal(own_folder(game), private, record)
    after = _served(office, open_game(where), where)
    place = after.settings.place
    posted = place is not None and office is not None and office.forums[place.forum].credential is not None
    untold = [
        after.side_name(seat)
        for seat in after.game.ledger.outside
        if seat not in after.players and not (posted and place is not None and seat in place.authors)
    ]
    return Spoken(does, slot, after.deadline(), said, tuple(untold))


def _served(office: Office | None, game: Game, where: Path) -> OfficeGame:
    return OfficeGame(game, GameSettings(), {}) if office is None else served_in(office, game, where)


def _slot(served: OfficeGame, does: str) -> int:
    """Return the slot that a word is about: the open one, or that which was when a word ended the game."""
    ended = served.game.ledger.ended
    if does == spoken.REOPEN and ended is not None:
        return int(ended.record["slot"])
    return open_of(served).move.slot


def open_of(served: OfficeGame) -> GameStatus:
    """Return where a game stands as far as time goes; Refused before it begins and after it is over."""
    status = served.status()
    if status is None:
        raise refuse("time.over" if served.game.ledger.started else "time.not-begun", game=served.game.id)
    return status


def office_of(where: Path) -> Path:
    """Return the folder of the office that a game lies in; Refused where it lies in none."""
    root = where.resolve().parent
    if not (where / "ledger").is_dir() or not (root / FILE).is_file():
        raise refuse("time.no-office", path=str(where))
    return root


def written_at(moment: datetime) -> str:
    """Return a moment as records write it."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def typed(verb: str, where: Path) -> str:
    """Return what to type for another word about a game."""
    return f"pbem umpire {verb} {shlex.quote(os.fspath(where))} --why '...'"
