"""What the umpire does to the time of a game: he gives more of it, lets the game stand still and go on, puts
a player down as away, reminds.

Each word is a signed record of the ledger with its reason, and the next round tells it to every seat; a
reminder changes nothing and is no record. A word is refused where it would come to nothing.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from msgspec import Struct
from msgspec.structs import replace

from pbem.club.due import GameStatus, extended, is_paused
from pbem.club.leave import DAYS, asks
from pbem.club.terms import Leave, LeaveTerms
from pbem.post.offices.office import FILE
from pbem.post.write import news
from pbem.post.write.cover import one_line
from pbem.proof.timely import ABSENT, EXTEND, PAUSE, RESUME
from pbem.proof.timely import time as time_record
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import open_game, own_folder, writing
from pbem.referee.game.refusal import refuse
from pbem.referee.game.sealing import gm_key, seal
from pbem.referee.mail import letters
from pbem.referee.mail.incoming import about, until
from pbem.referee.mail.office import alone, open_house, served_in, settings
from pbem.referee.mail.queueing import Queue
from pbem.referee.mail.served import OfficeGame, parsed
from pbem.referee.mail.time_said import LONGEST
from pbem.referee.mail.troubles import Troubles
from pbem.store.library import english
from pbem.store.outbox import Outbox

_EVERY_DAY: Final = 366
"""Days of leave in a year where the umpire alone decides."""


class Spoken(Struct, frozen=True):
    """What a word came to: the slot, and when it is due now; None: nobody knows before the game goes on, or
    there is no deadline.
    """

    does: str
    slot: int
    due: datetime | None
    said: Mapping[str, str]
    untold: tuple[str, ...] = ()
    """Who gets no letter of it: the sides of seats without an address, as on a forum."""


def extend(
    env: Environment, where: Path, why: str, *, by: int | None = None, moment: datetime | None = None
) -> Spoken:
    """Put the deadline of the open slot off, ``by`` so many minutes or to a ``moment`` of the office's zone.

    Refused where there is no deadline, the game is paused, or the moment is not later than what holds.
    """

    def worked_out(served: OfficeGame) -> Mapping[str, str]:
        terms, end = served.settings.deadlines, served.deadline()
        if is_paused(served.move):
            raise refuse("time.is-paused", help=_typed("resume", where))
        if terms is None or end is None:
            raise refuse("time.no-deadline", file=str(where))
        if served.waits_for_ever():
            raise refuse("time.waits-for-ever", file=str(where))
        if by is not None:
            found = extended(end, by, terms)
        else:
            assert moment is not None
            found = moment.replace(tzinfo=ZoneInfo(terms.zone))
        if found.timestamp() <= max(end.timestamp(), parsed(env.clock()).timestamp()):
            raise refuse("time.not-later", end=end.strftime("%Y-%m-%d %H:%M"), zone=terms.zone)
        return {"until": _written(found)}

    return _speak(env, where, EXTEND, why, worked_out)


def pause(env: Environment, where: Path, why: str) -> Spoken:
    """Let a game stand still; Refused where it does."""

    def worked_out(served: OfficeGame) -> Mapping[str, str]:
        if is_paused(served.move):
            raise refuse("time.is-paused", help=_typed("resume", where))
        return {}

    return _speak(env, where, PAUSE, why, worked_out)


def resume(env: Environment, where: Path, why: str) -> Spoken:
    """Let a paused game go on; Refused where it does."""

    def worked_out(served: OfficeGame) -> Mapping[str, str]:
        if not is_paused(served.move):
            held = served.settings.hold
            raise refuse("time.is-held" if held else "time.not-paused", settings=str(where.parent / FILE))
        return {}

    return _speak(env, where, RESUME, why, worked_out)


def absent(
    env: Environment, where: Path, why: str, seat: str, first: date, last: date, *, anyway: bool = False
) -> Spoken:
    """Put a player down as away on some days of his own zone; ``anyway``: whatever was agreed on about leave.

    Refused where no such day lies ahead, or he has not so many days of leave left.
    """

    def worked_out(served: OfficeGame) -> Mapping[str, str]:
        terms = served.settings.deadlines
        if terms is None:
            raise refuse("time.no-deadline", file=str(where))
        outside = served.game.ledger.outside
        if seat not in outside:
            raise refuse("time.no-seat", seat=seat, seats=", ".join(outside))
        player = served.players.get(seat)
        zone = player.zone if player is not None else terms.zone
        wanted = Leave(seat, first, last, parsed(env.clock()), zone)
        # Without an agreement on leave each day is the umpire's to give; so it is where he insists.
        if anyway or terms.leave is None:
            answer = asks(replace(wanted, granted=True), (), LeaveTerms(_EVERY_DAY))
        else:
            answer = asks(wanted, [replace(one, granted=False) for one in served.acts.leaves], terms.leave)
        if answer.refused:
            raise refuse(
                f"time.leave-{answer.refused}",
                seat=seat,
                left=", ".join(f"{days} ({year})" for year, days in answer.left),
                help=english().phrase("time.anyway") if answer.refused == DAYS else "",
            )
        assert answer.first is not None
        return {"first": f"{answer.first}", "last": f"{last}", "seat": seat, "zone": zone}

    return _speak(env, where, ABSENT, why, worked_out)


def remind(env: Environment, where: Path, why: str, seat: str = "") -> tuple[str, ...]:
    """Queue a reminder to everybody that the open slot waits for, or to one of them; return their seats.

    Refused where nobody is waited for, or the game stands still.
    """
    root = _office_of(where)
    with alone(root) as post:
        house = open_house(env, root, only=where.resolve().name)
        served = next(iter(house.games.values()), None)
        if served is None:
            raise refuse("game.none", file=str(where), path=str(where))
        status = _open(served)
        if served.held:
            raise refuse("time.is-held", settings=str(root / FILE))
        waited = {*status.missing, *status.drafts}
        seats = [
            one for one in house.seats if one.seat in waited and one.addresses and seat in ("", one.seat)
        ]
        if not seats:
            raise refuse("time.nobody", seat=seat)
        box, now = Outbox(post), parsed(env.clock())
        queue = Queue(house, box, Troubles.read(house.post), now)
        for one in seats:
            told = letters.reminder_of(served.game, one.seat, about(house, one), until(house, one, now))
            letter = news.reminder(replace(told, word=one_line(why, LONGEST)), served.game.words)
            key = f"nudge-{served.game.id}-s{status.move.slot:04d}-{now:%Y%m%d%H%M%S}-{one.seat}"
            queue.letter(
                key, letter, served.game.id, one.addresses[0], thread=queue.thread(served.game.id, one)
            )
        return tuple(one.seat for one in seats)


def _speak(
    env: Environment, where: Path, does: str, why: str, worked_out: Callable[[OfficeGame], Mapping[str, str]]
) -> Spoken:
    """Put a word into the ledger; ``worked_out`` says what stands in it, or refuses it."""
    office = settings(_office_of(where))
    with writing(where, env) as game:
        served = served_in(office, game, where)
        slot = _open(served).move.slot
        said = worked_out(served)
        private = gm_key(env, game)
        ledger = game.ledger
        record = time_record(
            game=game.id,
            n=ledger.next_n,
            prev=ledger.head,
            at=env.clock(),
            slot=slot,
            does=does,
            why=why,
            said=said,
        )
        seal(own_folder(game), private, record)
    after = served_in(office, open_game(where), where)
    untold = [after.side_name(seat) for seat in after.game.ledger.outside if seat not in after.players]
    return Spoken(does, slot, after.deadline(), said, tuple(untold))


def _open(served: OfficeGame) -> GameStatus:
    """Return where a game stands as far as time goes; Refused before it begins and after it is over."""
    status = served.status()
    if status is None:
        raise refuse("time.over" if served.game.ledger.started else "time.not-begun", game=served.game.id)
    return status


def _office_of(where: Path) -> Path:
    root = where.resolve().parent
    if not (where / "ledger").is_dir() or not (root / FILE).is_file():
        raise refuse("time.no-office", path=str(where))
    return root


def _written(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _typed(verb: str, where: Path) -> str:
    return f"pbem umpire {verb} {shlex.quote(os.fspath(where))} --why '...'"
