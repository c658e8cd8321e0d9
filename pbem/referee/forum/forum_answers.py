"""Answers to posts: the same documents as answers to letters, written as posts for the forum they go to, into
the folder of the game.

Nothing is posted here; a person pastes what lies in ``GAME/outbox``, or a courier takes it. An answer bears
the mark of our posts, so nobody's program reads it as orders, and its name follows from the post and what
became of it: written again it is the same file.
"""

from __future__ import annotations

import hashlib
import re
from typing import Final

from msgspec.structs import replace

from pbem.forum.dialects import DIALECTS, Dialect
from pbem.forum.thread import DISCOURSE, NODEBB, PHPBB, Upload
from pbem.forum.writing import About, drafts
from pbem.post.write.writing import Letter
from pbem.proof.archive import short_digest
from pbem.referee.game.game import Game, own_folder
from pbem.referee.game.views import hides
from pbem.store import forum_book, forum_queue
from pbem.store.forum_book import Seen
from pbem.text.characters import printable
from pbem.text.report import Document, Image, Paragraph

__all__ = ["dialect_of", "write_answer", "write_notice"]

_AS: Final = {NODEBB: DISCOURSE}
"""NodeBB reads the Markdown that Discourse reads."""


def dialect_of(software: str) -> Dialect:
    """Return how posts for a forum are written; BBCode as phpBB has it where nobody knows which it is."""
    return DIALECTS.get(_AS.get(software, software), DIALECTS[PHPBB])


def write_answer(game: Game, to: Seen, became: str, letter: Letter, *, queues: bool = False) -> str:
    """Write the answer to a post into the outbox of its game, with its pictures beside it, and return its
    name. ``queues``: it also waits to be posted by the next round.
    """
    words, key = game.words_of_posts, _key(f"{to.key} {became}")
    number = str(to.number) if to.number else re.sub(r"[^0-9A-Za-z]", "", to.id)[:20]
    if to.number:
        lead = words.phrase("forum.answers", author=printable(to.author)[:60], number=to.number)
    else:
        lead = words.phrase("forum.answers-id", author=printable(to.author)[:60], id=to.id)
    stem = f"forum-{number or 'post'}-{key}"
    return _write(game, stem, key, to.seat, replace(letter.body, lead=lead), letter, to.software, queues)


def write_notice(game: Game, name: str, letter: Letter, software: str, seat: str = "") -> str:
    """Let what nobody wrote for wait to be posted, such as a new deadline, under a name that no other has;
    return the name of its text in the outbox.
    """
    key, folder = _key(name), own_folder(game)
    stem = f"forum-note-{key}"
    # its text is written last: where that lies, it has waited before
    there = next(
        (one for one in (f"outbox/{stem}.txt", f"outbox/{stem}-1.txt") if folder.read(one) is not None), ""
    )
    return there or _write(game, stem, key, seat, None, letter, software, True)


def _key(said: str) -> str:
    return hashlib.sha256(said.encode()).hexdigest()[:8]


def _write(
    game: Game,
    stem: str,
    key: str,
    seat: str,
    answer: Document | None,
    letter: Letter,
    software: str,
    queues: bool,
) -> str:
    """Write a letter as posts; an ``answer`` is that body, whose lead says whose post it answers."""
    folder, words, ledger = own_folder(game), game.words_of_posts, game.ledger
    slot = ledger.locked.number if ledger.locked is not None else ledger.open_slot or ledger.newest_slot
    secret = seat if hides(game.ground.rules) else ""
    uploads = tuple(
        Upload(f"{stem}-{picture.name}", picture.data, picture.alt, _size(picture.data))
        for picture in letter.pictures
    )
    renamed = {picture.name: upload.name for picture, upload in zip(letter.pictures, uploads, strict=True)}
    blocks = [
        replace(block, path=renamed.get(block.path, block.path)) if isinstance(block, Image) else block
        for block in letter.body.blocks
    ]
    first = [Paragraph(words.phrase("forum.seen-by", side=game.sides[seat].capitalize()))] if secret else []
    if answer is not None and letter.body.lead:
        first.append(Paragraph(letter.body.lead))
    body = replace(answer if answer is not None else letter.body, blocks=(*first, *blocks))
    about = About(game.id, slot, short_digest(ledger.head), secret, key)
    made = drafts(body, uploads, about, dialect_of(software), words)
    for upload in uploads:
        folder.put(f"outbox/{upload.name}", upload.data)
    if queues and not secret:
        forum_queue.put(game.where / forum_book.FOLDER, key, slot, made)
    names = [f"{stem}.txt"] if len(made) == 1 else [f"{stem}-{part}.txt" for part in range(1, len(made) + 1)]
    for name, draft in zip(reversed(names), reversed(made), strict=True):
        folder.put(f"outbox/{name}", draft.text.encode("utf-8", "replace"))
    return f"outbox/{names[0]}"


def _size(png: bytes) -> tuple[int, int]:
    """Return width and height of a picture, as its head tells."""
    return (
        (int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big"))
        if png[:8] == b"\x89PNG\r\n\x1a\n"
        else (0, 0)
    )
