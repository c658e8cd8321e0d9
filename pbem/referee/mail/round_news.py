"""What the seats of a game have not been told yet: invitations, turns, what the umpire changed or took back,
and the question for words of luck.

Each has a name of its own in the outbox, so that it is queued once however often it is found here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, Final

from msgspec.structs import replace

from pbem.post.mail.sender import SeatAt
from pbem.post.write import news
from pbem.post.write.together import with_report
from pbem.post.write.umpire import trouble
from pbem.post.write.writing import Letter
from pbem.referee.game import story
from pbem.referee.mail import letters, observers, riding
from pbem.referee.mail.changes import known_of
from pbem.referee.mail.changes import told_of as told_of_change
from pbem.referee.mail.costs import told as costs_told
from pbem.referee.mail.noticing import missed_letter
from pbem.referee.mail.round_context import RoundContext, Step, read_book, seats_of
from pbem.referee.mail.served import OfficeGame
from pbem.referee.mail.taking import about, until
from pbem.referee.turn.go import missing_goes
from pbem.store import disk
from pbem.store.library import common_words
from pbem.text.words import speaking

BOOK: Final = "games.json"
"""The slot that each game stood at when the office first saw it."""


def tell_seats(ctx: RoundContext, id_: str) -> Iterator[Step]:
    """Queue what the seats of a game have not been told yet."""
    served = ctx.house.games[id_]
    game = served.game
    words, anew = common_words(), partial(story.anew, ctx.env, game.where, id_)
    seats = [seat for seat in seats_of(ctx.house, id_) if seat.addresses]
    yield from _changed(ctx, served)
    if not game.ledger.started:
        for seat in seats:
            key = f"invite-{id_}-{seat.seat}"
            if seat.seat in game.not_joined and not ctx.box.knows(key):
                with speaking(seat.language):
                    told = letters.invitation_of(
                        game,
                        seat.seat,
                        about(ctx.house, seat),
                        ctx.house.office.name,
                        ctx.house.packets_to,
                        served.company,
                    )
                    invited = news.invitation(told, words)
                ctx.mail.letter(key, invited, id_, seat.addresses[0])
                yield Step("invited", id_, seat.seat, seat.addresses[0])
        return

    untold = _untold(ctx, game)
    yield from observers.tell_turns(ctx, served, untold, anew)
    for number in untold:
        had = {seat.seat for seat in seats if riding.told(ctx.env, ctx.box, game, number, seat.seat)}
        if any(seat.seat not in had for seat in seats):
            yield from _missed(ctx, served, number)
        for seat in seats:
            asked = riding.rides(game, number) and seat.seat in missing_goes(game)
            if asked or seat.seat in had or riding.waits(served, number, ctx.now):
                continue
            key = f"turn-{id_}-s{number:04d}{anew(number)}-{seat.seat}"
            ctx.mail.letter(
                key,
                _turn(ctx, served, number, seat),
                id_,
                seat.addresses[0],
                thread=ctx.mail.thread(id_, seat, key),
            )
            yield Step("told", id_, seat.seat, seat.addresses[0])

    yield from _taken_back(ctx, served, seats)
    slot = game.ledger.locked
    for seat in seats if slot is not None else ():
        assert slot is not None
        key = f"go-{id_}-s{slot.number:04d}{anew(slot.number)}-{seat.seat}"
        if seat.seat in missing_goes(game) and not ctx.box.knows(key):
            before = game.ledger.state_slot
            with speaking(seat.language):
                place, limit = about(ctx.house, seat), until(ctx.house, seat, ctx.now)
                asks = letters.go_request_of(game, seat.seat, place, limit, ctx.house.packets_to)
                request = news.go_request(asks, words)
                if riding.rides(game, before) and not riding.told(ctx.env, ctx.box, game, before, seat.seat):
                    request = with_report(request, _turn(ctx, served, before, seat))
            ctx.mail.letter(key, request, id_, seat.addresses[0], thread=ctx.mail.thread(id_, seat))
            yield Step("asked", id_, seat.seat, seat.addresses[0])


def _changed(ctx: RoundContext, served: OfficeGame) -> Iterator[Step]:
    """Tell what the umpire changed in the settings of a game since the last round."""
    id_ = served.game.id
    before = ctx.settings.before(id_)
    now = known_of(served, before)
    if before is not None and (not served.game.ledger.over or served.game.ledger.ended is not None):
        yield from observers.tell_change(ctx, served, before, now)
        for one in told_of_change(ctx.house, served, before, now, ctx.now, pictures=ctx.pictures):
            if not ctx.mail.knows(one.key):
                ctx.mail.letter(one.key, one.letter, id_, one.to)
                yield Step("told", id_, one.seat, one.to)
    ctx.settings.note(id_, now)


def _missed(ctx: RoundContext, served: OfficeGame, number: int) -> Iterator[Step]:
    """Tell the umpire of a slot that was played without somebody's orders."""
    game = served.game
    key = f"missed-{game.id}-s{number:04d}{story.anew(ctx.env, game.where, game.id, number)}"
    things = missed_letter(served, number) if number and not ctx.mail.knows(key) else []
    if things:
        ctx.mail.letter(key, trouble(things, [], common_words()), game.id)
        yield from (Step("missed", game.id, said=one.said) for one in things)


def _taken_back(ctx: RoundContext, served: OfficeGame, seats: Iterable[SeatAt]) -> Iterator[Step]:
    """Queue where a game stands after turns were taken back: nobody's last letter is true any more."""
    game = served.game
    newest = next(read.record for read in reversed(game.ledger.records) if "next" in read.record)
    if newest["type"] != "undo":
        return
    anew = story.anew(ctx.env, game.where, game.id, int(newest["slot"]))
    yield from observers.tell_taken_back(ctx, served, newest, anew)
    for seat in seats:
        key = f"undo-{game.id}-s{int(newest['next']['slot']):04d}{anew}-{seat.seat}"
        if ctx.box.knows(key):
            continue
        with speaking(seat.language):
            told = letters.undone_of(
                game,
                newest,
                seat.seat,
                about(ctx.house, seat),
                until(ctx.house, seat, ctx.now),
                pictures=ctx.pictures,
                company=served.company,
            )
            letter = news.turn(told, common_words())
        ctx.mail.letter(key, letter, game.id, seat.addresses[0], thread=ctx.mail.thread(game.id, seat))
        yield Step("told", game.id, seat.seat, seat.addresses[0])


def is_new(ctx: RoundContext, id_: str) -> bool:
    """Tell whether the office has never told anybody of a game."""
    return id_ not in read_book(ctx.house.post / BOOK, int)


def _turn(ctx: RoundContext, served: OfficeGame, number: int, seat: SeatAt) -> Letter:
    """Return the letter that tells a seat of a slot."""
    with speaking(seat.language):
        turn = letters.turn_of(
            served.game,
            number,
            seat.seat,
            about(ctx.house, seat),
            until(ctx.house, seat, ctx.now),
            archive=ctx.house.office.archive == "zip",
            pictures=ctx.pictures,
            packet_to=ctx.house.packets_to,
            company=served.company,
        )
        costs = costs_told(served, number, seat.seat, served.game.words)
        watched = [observers.watches(served)] if not number and served.watchers else []
        return news.turn(replace(turn, notices=(*turn.notices, *costs, *watched)), common_words())


def _untold(ctx: RoundContext, game: Any) -> list[int]:
    """Return the slots whose report may not have gone out yet: all since the office first saw the game (0:
    its beginning).
    """
    path = ctx.house.post / BOOK
    known = read_book(path, int)
    results = [
        number
        for number, slot in sorted(game.ledger.slots.items())
        if slot.result is not None and not slot.undone
    ]
    if game.id not in known:
        known[game.id] = results[-1] if results else 0
        disk.replace(path, json.dumps(known, sort_keys=True, indent=1).encode() + b"\n", private=True)
    return [number for number in (0, *results) if number >= known[game.id]]
