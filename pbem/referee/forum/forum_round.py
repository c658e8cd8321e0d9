"""Threads in the round of an office: new posts are fetched and taken in, and whatever the thread has not been
told yet is posted, each once.

Posts that came in time are taken in before letters are read, and those that came too late after them: who
writes late by one way locks the turn, and must not overtake who wrote in time by the other. While a thread
cannot be looked at nobody is late in its game. What is posted, and in which order, is decided in
``forum_telling``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Struct

from pbem.post.write.umpire import passed
from pbem.referee.forum import forum_run
from pbem.referee.forum.forum_couriers import Thread
from pbem.referee.forum.forum_fetching import FOLDER, fetched
from pbem.referee.forum.forum_taking import take
from pbem.referee.forum.forum_telling import told
from pbem.referee.mail.incoming import LetterOutcome
from pbem.referee.mail.office import Trouble
from pbem.referee.mail.round_context import RoundContext, Step, guarded, seats_of
from pbem.referee.mail.served import OfficeGame
from pbem.store import disk, forum_book
from pbem.store.library import common_words
from pbem.text.codec import from_json
from pbem.text.words import speaking

__all__ = ["Threads"]

TAKEN: Final = "taken.json"
"""The pages that were taken in, by name: what was fetched and is not among them still has to be."""
_QUIET: Final = frozenset({forum_run.OURS, forum_run.OTHER_GAME})
"""What becomes of posts that nobody has to be told of."""


class Threads(Struct):
    """The threads of an office's games, over the network."""

    def read(self, ctx: RoundContext) -> Iterator[Step]:
        """Fetch what is new, and take in what came in time."""
        for id_ in _games(ctx):
            if not ctx.house.games[id_].game.ledger.over:
                ctx.unseen.add(id_)
                yield from guarded(ctx, id_, lambda id_=id_: _read(ctx, id_))  # type: ignore[misc]

    def late(self, ctx: RoundContext) -> Iterator[Step]:
        """Take in what came when the time was up."""
        for id_ in _games(ctx):
            if id_ not in ctx.unseen:
                yield from guarded(ctx, id_, lambda id_=id_: _late(ctx, id_))  # type: ignore[misc]

    def post(self, ctx: RoundContext) -> Iterator[Step]:
        """Post what the threads have not been told."""
        for id_ in _games(ctx):
            yield from guarded(ctx, id_, lambda id_=id_: told(ctx, id_, thread_in(ctx, id_)))  # type: ignore[misc]


def _games(ctx: RoundContext) -> list[str]:
    """Return the games on forums that are gone on with."""
    house = ctx.house
    return [
        id_ for id_ in house.awake if house.games[id_].settings.place is not None and id_ not in house.held
    ]


def thread_in(ctx: RoundContext, id_: str) -> Thread:
    """Return the thread of a game that is on a forum."""
    place = ctx.house.games[id_].settings.place
    assert place is not None
    return Thread(ctx.house.office.forums[place.forum], place)


def _read(ctx: RoundContext, id_: str) -> Iterator[Step]:
    served, thread = ctx.house.games[id_], thread_in(ctx, id_)
    forum = served.game.where / forum_book.FOLDER
    came = fetched(forum, thread, thread.door(to_write=False))
    ctx.troubles += [Trouble(id_, said) for said in came.said]
    if came.left:
        ctx.troubles.append(Trouble(id_, common_words().phrase("board.left", count=came.left)))
    done = _taken(forum)
    here = sorted(path.name for path in (forum / FOLDER).iterdir() if path.suffix in (".json", ".html"))
    new = [name for name in here if name not in done]
    if new or _waits(served):
        yield from _take(ctx, served, [forum / FOLDER / name for name in new], patient=True)
    if new:
        data = json.dumps(here, indent=1).encode() + b"\n"
        disk.replace(forum / TAKEN, data, private=True)
    if not came.said and not came.left:
        ctx.unseen.discard(id_)


def _late(ctx: RoundContext, id_: str) -> Iterator[Step]:
    served = ctx.house.games[id_]
    if _waits(served):
        yield from _take(ctx, served, [], patient=False)


def _waits(served: OfficeGame) -> bool:
    """Tell whether a post is seen and not done; a book that cannot be read is told when it is used."""
    try:
        return bool(forum_book.read(served.game.where).pending())
    except forum_book.BadBook:
        return True


def _take(ctx: RoundContext, served: OfficeGame, pages: list[Path], *, patient: bool) -> Iterator[Step]:
    """Take in what stands on some pages; the umpire is told what is for a person, and what is wrong."""
    id_ = served.game.id

    def pass_on(post: str, taken: LetterOutcome) -> None:
        if taken.passed is not None:
            key = f"umpire-forum-{id_}-{hashlib.sha256(post.encode()).hexdigest()[:16]}"
            with speaking(ctx.house.office.language):
                told = passed(taken.passed, common_words())
            ctx.mail.letter(key, told, id_)
        for more in taken.more:
            ctx.mail.put(more)

    files = ((path.name, path.read_bytes()) for path in pages)
    thread = thread_in(ctx, id_)
    try:
        for one in take(
            ctx.env,
            served.game.where,
            files,
            queues=thread.forum.credential is not None,
            patient=patient,
            pass_on=pass_on,
            requests=ctx.requests,
            mailboxes={seat.seat: seat for seat in seats_of(ctx.house, id_) if seat.addresses},
        ):
            where = " ".join(filter(None, [one.post, f"by {one.author}" if one.author else ""]))
            said = ": ".join(filter(None, [where, one.said or ", ".join(one.why)]))
            if one.trouble:
                # told once, for the book of the forum knows that it was
                ctx.book.happened(Trouble(id_, said, lasts=False))
            elif not _is_quiet(one, thread):
                yield Step(one.what, id_, one.seat, said)
            if one.answer and thread.forum.credential is None:
                yield Step("to paste", id_, one.seat, str(served.game.where / one.answer))
    finally:
        ctx.house.refresh(id_)


def _is_quiet(step: forum_run.Step, thread: Thread) -> bool:
    """Tell whether nobody has to be told: a post of ours or of our account, talk that asks for nothing."""
    own = step.what == forum_run.STRANGER and step.author.casefold() == thread.forum.user.casefold()
    return own or step.what in _QUIET or (step.what == forum_run.TALK and not step.answer)


def _taken(forum: Path) -> frozenset[str]:
    with suppress(OSError, ValueError, TypeError):
        return frozenset(map(str, from_json((forum / TAKEN).read_text("utf-8"))))
    return frozenset()
