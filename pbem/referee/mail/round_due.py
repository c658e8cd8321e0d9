"""What is due in a game: a reminder, a lock at the deadline, the slot resolved; stamps, and the log of the
office.

What is due is decided in ``club.due``; here it is done. Nothing is told to seats here, and of reminders it is
noted that they are due (``reminding``).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from msgspec.structs import replace

from pbem.club.due import LOCK, REMIND, due
from pbem.post.write.umpire import to_release
from pbem.referee.game.game import open_game
from pbem.referee.game.refusal import UNDECIDED, Refused
from pbem.referee.mail import log_keeping
from pbem.referee.mail.bot_seats import bots_due
from pbem.referee.mail.office import Trouble, said
from pbem.referee.mail.releasing import to_see
from pbem.referee.mail.reminding import pending
from pbem.referee.mail.round_bots import MOST, play_bots, unfit
from pbem.referee.mail.round_context import RoundContext, Step
from pbem.referee.mail.served import OfficeGame
from pbem.referee.pages.letter_pictures import within
from pbem.referee.proving import stamps
from pbem.referee.turn.lock import lock
from pbem.referee.turn.resolve import resolve
from pbem.store import relays
from pbem.store.library import common_words

_STEPS: Final = 40
"""Slots of one game in one pass; a game that goes on for ever by itself is a fault."""


def play_due(ctx: RoundContext, id_: str, now: datetime) -> Iterator[Step]:
    """Do everything that is due in a game at a time; its bots order a few turns in one pass."""
    ordered = 0
    ctx.troubles += unfit(ctx.house.games[id_])
    for _ in range(_STEPS):
        troubles = len(ctx.troubles)
        while (seats := bots_due(ctx.house.games[id_])) and len(ctx.troubles) == troubles:
            if ordered == MOST:
                return
            ordered += 1
            yield from play_bots(ctx, id_, seats)
        served = ctx.house.games[id_]
        status = served.status()
        if status is None or served.held:
            return
        thing = due(status, served.settings.deadlines, now)
        if thing is None:
            return
        if thing.kind == REMIND:
            ctx.reminders += pending(ctx, served, thing.seats, thing.number)
            return
        yield from _on(ctx, served, late=thing.kind == LOCK)
        if ctx.house.refresh(id_).game.ledger.head == served.game.ledger.head:
            return
    ctx.troubles.append(Trouble(id_, common_words().phrase("round.endless")))


def _on(ctx: RoundContext, served: OfficeGame, *, late: bool) -> Iterator[Step]:
    """Lock the open slot of a game, or resolve a locked one."""
    where, id_ = served.game.where, served.game.id
    if served.game.ledger.locked is None:
        locked = lock(ctx.env, where, deadline=late)
        yield Step(
            "locked",
            id_,
            said=common_words().phrase("round.locked-late" if late else "round.locked", slot=locked.slot),
        )
        if ctx.house.office.stamps:
            yield from _stamp(ctx, replace(served, game=open_game(where)))
        return
    if served.waits_for_release:
        yield from _shown_first(ctx, served)
        return
    try:
        done = resolve(ctx.env, where, deadline=late, pictures=ctx.pictures, fetch=relays.answers)
    except Refused as refusal:
        if refusal.answer != UNDECIDED:
            raise
        # A round of the beacon that is not there yet, or a go: the next pass looks again.
        return
    yield Step(
        "resolved",
        id_,
        said=common_words().phrase("round.resolved", slot=done.slot, phases=list(done.phases)),
    )


def _shown_first(ctx: RoundContext, served: OfficeGame) -> Iterator[Step]:
    """Let the umpire see a turn that waits for him, once."""
    game, slot = served.game, served.game.ledger.locked
    assert slot is not None
    key = f"release-{game.id}-s{slot.number:04d}-{slot.lock_id[:12]}"
    if ctx.mail.knows(key):
        return
    seen = to_see(ctx.env, game.where, pictures=ctx.pictures)
    ctx.mail.letter(key, to_release(replace(seen, pictures=within(seen.pictures)), common_words()), game.id)
    yield Step("to release", game.id, said=common_words().phrase("round.to-release", turn=seen.turn))


def _stamp(ctx: RoundContext, served: OfficeGame) -> Iterator[Step]:
    """Have a lock stamped with the time, where the office wants that.

    Whatever goes wrong is told, and holds nothing up.
    """
    if not ctx.house.office.stamps or not served.settings.witness or ctx.unstamped:
        return
    try:
        done = stamps.stamp(served.game, ctx.house.office.stamps)
    except Refused as refusal:
        ctx.unstamped = True
        ctx.troubles.append(Trouble(served.game.id, said(refusal), mild=True))
        return
    if done is not None:
        yield Step("stamped", served.game.id, said=common_words().phrase("round.stamped", slot=done.slot))


def enter_log(ctx: RoundContext) -> Iterator[Step]:
    """Enter the heads of the games into the log of the office, if it has one."""
    office = ctx.house.office
    games = [
        served
        for id_ in ctx.house.awake
        if (served := ctx.house.games[id_]).settings.witness and id_ not in ctx.house.held
    ]
    for served in games:
        yield from _stamp(ctx, served)
    if not office.log:
        return
    try:
        grown = log_keeping.add_games(ctx.env, ctx.house.root / office.log, [served.game for served in games])
    except OSError as error:
        ctx.troubles.append(
            Trouble("", common_words().phrase("round.log", path=office.log, why=error.strerror or str(error)))
        )
        return
    yield from (
        Step("logged", one.game, said=common_words().phrase("round.logged", count=one.new))
        for one in grown.entered
        if one.new
    )
    ctx.troubles += [Trouble("", said(refusal)) for refusal in grown.refused]
