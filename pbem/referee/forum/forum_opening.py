"""The first posts of a game on a forum: what it is about, with whom, and how one joins; and, once everybody
is in, what is to be sent first.

They tell what everybody may know. Their marks stay as they are whoever joins in between, so that each is made
once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from pbem.forum.dialects import Dialect
from pbem.forum.thread import Upload
from pbem.forum.writing import About
from pbem.post.write.parts import barred
from pbem.proof.archive import short_digest
from pbem.referee.explain.briefing import briefing_of, document
from pbem.referee.game.game import Game
from pbem.referee.mail.brief import pace_of
from pbem.referee.mail.letters import headline
from pbem.text.report import Block, Code, Document, Facts, Heading, Image, Paragraph

__all__ = ["about_opening", "opening"]


def about_opening(game: Game) -> About:
    """Return what the first post belongs to: the game as it was made, or as it began."""
    begins = next((read.id for read in game.ledger.records if "next" in read.record), game.ledger.manifest_id)
    return About(game.id, 0, short_digest(begins))


def opening(
    game: Game,
    dialect: Dialect,
    pictures: tuple[Upload, ...],
    following: Iterator[Block],
    names: Mapping[str, str],
    until: str,
) -> Document:
    """Return the first post of a game that waits for its players, or of one that has just begun;
    ``following`` is how to answer once it has, ``until`` the deadline in words.
    """
    words = game.words_of_posts
    images = [Image(upload.name, upload.alt) for upload in pictures]
    if game.ledger.started:
        lead, now = words.phrase("forum.begins-lead"), []
        if game.ledger.state_slot == 0:
            now = [Paragraph(words.phrase("forum.now", headline=headline(game, words), moment=until))]
        return Document(game.ground.title, lead, (*now, *images, *following))
    told = document(briefing_of(game, pace=pace_of(game)))
    free = [names[seat] for seat in game.not_joined]
    how: list[Block] = [
        Heading(words.phrase("forum.join")),
        Paragraph(words.phrase("forum.join-how", sides=free, count=len(free))),
        Code(barred([words.phrase("letter.join-line")])),
        Paragraph(words.phrase("letter.join-what-comes")),
        Facts(((words.phrase("letter.game"), f"{game.ground.title} ({game.id})"),)),
        Paragraph(words.phrase("letter.invitation-begins", digest=game.ledger.manifest_id[:16])),
    ]
    return replace(told, title=game.ground.title, blocks=(*images, *told.blocks, *how))
