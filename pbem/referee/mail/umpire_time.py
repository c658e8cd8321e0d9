"""What the umpire does to the time of a game: he gives more of it, lets the game stand still and go on, puts
a player down as away, reminds.

Each word is a signed record of the ledger with its reason, and the next round tells it to every seat; a
reminder changes nothing and is no record. A word is refused where it would come to nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from pbem.club.due import extended, is_paused
from pbem.club.leave import DAYS, asks
from pbem.club.terms import Leave, LeaveTerms
from pbem.post.offices.office import FILE
from pbem.post.write import news
from pbem.post.write.cover import one_line
from pbem.proof.timely import ABSENT, EXTEND, PAUSE, RESUME
from pbem.referee.game.environment import Environment
from pbem.referee.game.refusal import refuse
from pbem.referee.mail import letters
from pbem.referee.mail.incoming import about, until
from pbem.referee.mail.office import alone, open_house
from pbem.referee.mail.queueing import Queue
from pbem.referee.mail.served import OfficeGame, parsed
from pbem.referee.mail.time_said import LONGEST
from pbem.referee.mail.troubles import Troubles
from pbem.referee.mail.umpire_speaking import Spoken, office_of, open_of, speak, typed, written_at
from pbem.store.library import common_words
from pbem.store.outbox import Outbox

_EVERY_DAY: Final = 366
"""Days of leave in a year where the umpire alone decides."""


def extend(
    env: Environment, where: Path, why: str, *, by: int | None = None, moment: datetime | None = None
) -> Spoken:
    """Put the deadline of the open slot off, ``by`` so many minutes or to a ``moment`` of the office's zone.

    Refused where there is no deadline, the game is paused, or the moment is not later than what holds.
    """

    def worked_out(served: OfficeGame) -> Mapping[str, str]:
        terms, end = served.settings.deadlines, served.deadline()
        if is_paused(served.move):
            raise refuse("time.is-paused", help=typed("resume", where))
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
        return {"until": written_at(found)}

    return speak(env, where, EXTEND, why, worked_out)


def pause(env: Environment, where: Path, why: str) -> Spoken:
    """Let a game stand still; Refused where it does."""

    def worked_out(served: OfficeGame) -> Mapping[str, str]:
        if is_paused(served.move):
            raise refuse("time.is-paused", help=typed("resume", where))
        return {}

    return speak(env, where, PAUSE, why, worked_out)


def resume(env: Environment, where: Path, why: str) -> Spoken:
    """Let a paused game go on; Refused where it does."""

    def worked_out(served: OfficeGame) -> Mapping[str, str]:
        if not is_paused(served.move):
            held = served.settings.hold
            raise refuse("time.is-held" if held else "time.not-paused", settings=str(where.parent / FILE))
        return {}

    return speak(env, where, RESUME, why, worked_out)


def absent(
    env: Environment, where: Path, why: str, seat: str, first: date, last: date, *, anyway: bool = False
) -> Spoken:
    """Put a player down as away on some days of his own zone; ``anyway``: whatever was agreed on about leave.

    Refused where no such day lies ahead, or he does not have that many days of leave left.
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
                help=common_words().phrase("time.anyway") if answer.refused == DAYS else "",
            )
        assert answer.first is not None
        return {"first": f"{answer.first}", "last": f"{last}", "seat": seat, "zone": zone}

    return speak(env, where, ABSENT, why, worked_out)


def remind(env: Environment, where: Path, why: str, seat: str = "") -> tuple[str, ...]:
    """Queue a reminder to everybody that the open slot waits for, or to one of them; return their seats.

    Refused where nobody is waited for, or the game stands still.
    """
    root = office_of(where)
    with alone(root) as post:
        house = open_house(env, root, only=where.resolve().name)
        served = next(iter(house.games.values()), None)
        if served is None:
            raise refuse("game.none", file=str(where), path=str(where))
        status = open_of(served)
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
