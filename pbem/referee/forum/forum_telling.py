"""What the thread of a game has not been told yet: answers to posts, what the umpire did, turns, questions
for words of luck, reminders.

Each goes once, by the mark that it bears, and nothing overtakes what waits before it: where a post does not
stand, nothing more goes to that thread in this round. Seats whose players have an address get letters; what
they are told is for the thread only where it concerns everybody.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from pbem.club.due import REMIND, due
from pbem.forum.dialects import Dialect
from pbem.post.mail.sender import SeatAt
from pbem.post.write import news
from pbem.post.write.parts import About
from pbem.post.write.short import Short, short
from pbem.referee.forum.forum_answers import dialect_of, write_notice
from pbem.referee.forum.forum_couriers import Thread, deliver, limits_of
from pbem.referee.forum.forum_posting import Posting, posting
from pbem.referee.game import story
from pbem.referee.game.game import Game
from pbem.referee.game.views import hides
from pbem.referee.mail import letters
from pbem.referee.mail.changes import Settings, for_everybody, known_of
from pbem.referee.mail.incoming import about, until
from pbem.referee.mail.office import Trouble
from pbem.referee.mail.request_book import LAPSED, REFUSED
from pbem.referee.mail.request_deciding import what_of
from pbem.referee.mail.round_context import RoundContext, Step
from pbem.referee.mail.served import OfficeGame
from pbem.referee.turn.go import missing_goes
from pbem.store import disk, forum_book, forum_queue
from pbem.store.library import common_words
from pbem.text.codec import from_json

__all__ = ["told"]

BOOK: Final = "told.json"
"""The newest turn that the thread was told; -1 while it only knows that there is a game."""
_BEGINS: Final = -1


def told(ctx: RoundContext, id_: str, thread: Thread) -> Iterator[Step]:
    """Post what is new in a game to its thread."""
    served = ctx.house.games[id_]
    game = served.game
    if thread.forum.credential is None:
        said = common_words().phrase("board.by-hand", forum=thread.forum.name, game=game.where)
        ctx.troubles.append(Trouble(id_, said, mild=True, once=True, silent=True))
        return
    if hides(game.ground.rules) and not game.ledger.over:
        said = common_words().phrase("board.hidden-round", game=game.where)
        ctx.troubles.append(Trouble(id_, said, mild=True, once=True, silent=True))
        return
    forum = game.where / forum_book.FOLDER
    _notices(ctx, served, forum, thread)
    for queued in forum_queue.waiting(forum, game.where / "outbox"):
        if not queued.drafts:
            ctx.troubles.append(Trouble(id_, common_words().phrase("board.unreadable", path=queued.path)))
            continue
        made = Posting(id_, queued.slot, _dialect(thread), queued.drafts)
        if not (yield from _posted(ctx, served, forum, made, thread)):
            return
        forum_queue.done(queued)
    for slot in _untold(game, forum):
        newest = slot in (0, game.ledger.state_slot)
        end = served.deadline() if newest and not served.waits_for_ever() else None
        made = posting(game, slot, _dialect(thread), until=end)
        if not (yield from _posted(ctx, served, forum, made, thread)):
            return
        number = slot if game.ledger.started else _BEGINS
        disk.replace(forum / BOOK, json.dumps({"slot": number}).encode() + b"\n", private=True)


def _dialect(thread: Thread) -> Dialect:
    return replace(dialect_of(thread.forum.software), limits=limits_of(thread))


def _posted(
    ctx: RoundContext, served: OfficeGame, forum: Path, made: Posting, thread: Thread
) -> Generator[Step, None, bool]:
    """Post something; return whether all of it stands."""
    stands = True
    for step in deliver(forum, made, thread, thread.door(), since=_since(served)):
        if step.what == "posted":
            yield Step("posted", served.game.id, said=f"{made.drafts[0].title}: {step.said}")
        elif step.what != "stands":
            stands = False
            if step.what == "trouble":
                ctx.troubles.append(Trouble(served.game.id, step.said))
    return stands


def _since(served: OfficeGame) -> datetime:
    """Return when what is open now was announced: nothing that waits to be posted is much older."""
    return served.open_since[1] if served.open_since is not None else served.made


# --- turns


def _untold(game: Game, forum: Path) -> list[int]:
    """Return the slots that the thread was not told of, the oldest first; of a game that is new to it the
    newest alone. 0 stands for the beginning, and for the invitation before it.
    """
    known = None
    with suppress(OSError, ValueError, KeyError, TypeError):
        known = int(from_json((forum / BOOK).read_text("utf-8"))["slot"])
    if not game.ledger.started:
        return [0] if known is None else []
    if known is None:
        return [game.ledger.state_slot]
    ends = [
        number
        for number, slot in sorted(game.ledger.slots.items())
        if slot.result is not None and not slot.undone
    ]
    return [number for number in (0, *ends) if number > known]


# --- what is no turn


def _notices(ctx: RoundContext, served: OfficeGame, forum: Path, thread: Thread) -> None:
    """Let wait what everybody, or a seat without an address, has to know between two turns."""
    game, id_ = served.game, served.game.id
    settings = Settings(forum)
    before = settings.before(id_)
    now = known_of(served, before)
    goes_on = not game.ledger.over or game.ledger.ended is not None
    if before is not None and now.count != before.count and goes_on:
        letter = for_everybody(ctx.house, served, before, now, ctx.now)
        if letter is not None:
            write_notice(game, f"change {now.count}", letter, thread.forum.software)
    settings.note(id_, now)
    if not game.ledger.started or game.ledger.over:
        return
    newest = next(read.record for read in reversed(game.ledger.records) if "next" in read.record)
    if newest["type"] == "undo":
        _undone(ctx, served, newest, thread)
    _decided(ctx, served, thread)
    status, terms = served.status(), served.settings.deadlines
    if status is None or served.held:
        return
    slot = status.move.slot
    anew = story.anew(ctx.env, game.where, id_, slot)
    for seat in _here(served):
        at = SeatAt(id_, seat, served.title)
        limit = until(ctx.house, at, ctx.now)
        if game.ledger.locked is not None and seat in missing_goes(game):
            request = news.go_request(
                letters.go_request_of(game, seat, about(ctx.house, at), limit), game.words_of_posts
            )
            write_notice(game, f"go {slot}{anew} {seat}", request, thread.forum.software, seat)
        thing = due(status, terms, ctx.known_until(id_))
        if thing is not None and thing.kind == REMIND and seat in thing.seats:
            reminder = letters.reminder_of(game, seat, about(ctx.house, at), limit)
            letter = news.reminder(replace(reminder, sheet=None), game.words_of_posts)
            name = f"remind {slot}{anew} {seat} {thing.number}"
            write_notice(game, name, letter, thread.forum.software, seat)


def _decided(ctx: RoundContext, served: OfficeGame, thread: Thread) -> None:
    """Let it wait that the umpire has said no to what somebody asked for in the thread, or nobody has decided
    in time; a yes is told to everybody.
    """
    words, here = served.game.words_of_posts, _here(served)
    for asked in ctx.requests.every.values() if ctx.requests is not None else ():
        if asked.game != served.game.id or asked.seat not in here or asked.state not in (REFUSED, LAPSED):
            continue
        what = what_of(served, asked, words, "you-")
        said = words.phrase("request.refused" if asked.state == REFUSED else "request.lapsed", what=what)
        title = words.phrase(f"request.{asked.state}-title")
        about_ = about(ctx.house, SeatAt(asked.game, asked.seat, served.title))
        letter = short(Short(about_, title, said if asked.state == REFUSED else f"{what}. {said}"), words)
        write_notice(served.game, f"request {asked.id} {asked.state}", letter, thread.forum.software)


def _here(served: OfficeGame) -> list[str]:
    """Return the seats that are played in the thread: those of players without an address."""
    return [seat for seat in served.game.ledger.outside if seat not in served.players]


def _undone(ctx: RoundContext, served: OfficeGame, record: Mapping[str, Any], thread: Thread) -> None:
    """Let it wait that turns were taken back, on whose word and why."""
    game = served.game
    anew = story.anew(ctx.env, game.where, game.id, int(record["slot"]))
    seat = SeatAt(game.id, game.ledger.outside[0], served.title)
    told_ = letters.undone_of(
        game, record, seat.seat, about(ctx.house, seat), until(ctx.house, seat, ctx.now), pictures=False
    )
    of = About(game.id, served.title, stands=served.stands())
    letter = short(Short(of, told_.headline, " ".join(told_.notices)), game.words_of_posts)
    write_notice(game, f"undo {record['next']['slot']}{anew}", letter, thread.forum.software)
