"""Posts out of a report: the document that mail and pages are made of, in the markup of a forum and within
its limits.

Each post is numbered, bears the title, and ends in a small line, its mark, that says which game, slot and
history it belongs to; a program or a person finds by it that the post is there already. Nothing here knows a
game, and the same document makes the same posts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import quote

from msgspec import Struct

from pbem.forum import bbcode, markdown
from pbem.forum.defusing import attribute, marked, pictured, plain
from pbem.forum.dialects import LEAST_LENGTH, Dialect, length
from pbem.forum.splitting import shared
from pbem.forum.thread import Draft, Upload
from pbem.text.markup import clean
from pbem.text.report import Block, Document, Image, Paragraph
from pbem.text.words import Words

__all__ = ["ALT", "About", "address_of", "drafts"]

ALT: Final = 140
"""Characters of the words for a picture."""
_PARTS: Final = 999
"""A number of posts that is never reached: room is kept for its digits."""


class About(Struct, frozen=True):
    """What a post belongs to, for its mark: the game, the slot, the head in short, and whose view it is
    (empty: everybody's).

    ``note`` is what an answer or a notice is known by, of which there may be many between two turns.
    """

    game: str
    slot: int
    digest: str
    seat: str = ""
    note: str = ""


def drafts(
    document: Document,
    uploads: Sequence[Upload],
    about: About,
    dialect: Dialect,
    words: Words,
    *,
    pictures_at: str = "",
) -> tuple[Draft, ...]:
    """Return the posts of a report.

    Images of the document name uploads, which go with their posts; with ``pictures_at`` they lie below that
    address and go with none. ValueError where the dialect's limit leaves no room for anything.
    """
    if dialect.limits.characters < LEAST_LENGTH:
        raise ValueError(f"a post needs room for {LEAST_LENGTH} characters")
    named = {upload.name: upload for upload in uploads}
    scribe = _Scribe(dialect, named, pictures_at, words)
    blocks: list[Block] = [*([Paragraph(document.lead)] if document.lead else []), *document.blocks]
    frame = scribe.framed(document.title, "", _PARTS, _PARTS, about)
    room = dialect.limits.characters - length(frame)
    pictures = dialect.limits.pictures
    split = shared(
        blocks, scribe.size, room, pictures, lambda text: words.phrase("forum.continued", heading=text)
    )
    return tuple(
        scribe.draft(document.title, part, number, len(split), about) for number, part in enumerate(split, 1)
    )


def address_of(prefix: str, name: str) -> str:
    """Return where a picture lies; nothing in the address ends a tag."""
    return f"{quote(clean(prefix), safe=':/?#@!$&*+,;=%~-_.').rstrip('/')}/{quote(name, safe='-_.~')}"


class _Scribe:
    """Writes in one dialect, with the pictures that are there."""

    def __init__(self, dialect: Dialect, named: Mapping[str, Upload], pictures_at: str, words: Words) -> None:
        self.dialect, self.named, self.at, self.words = dialect, named, pictures_at, words

    def size(self, block: Block) -> int:
        """Return how long a block will be."""
        return length(self._written(block, 99))

    def draft(self, title: str, blocks: Sequence[Block], number: int, count: int, about: About) -> Draft:
        """Return one post."""
        shown = [
            self.named[block.path]
            for block in blocks
            if isinstance(block, Image) and block.path in self.named
        ]
        places = {upload.name: at for at, upload in enumerate(shown)}
        texts = [
            self._written(
                block,
                self._index(places[block.path], len(shown))
                if isinstance(block, Image) and block.path in places
                else 0,
            )
            for block in blocks
        ]
        body = self._joined(blocks, texts)
        said = self._numbered(title, number, count)
        limit = self.dialect.limits.title
        head = said if len(said) <= limit else said[: limit - 1].rstrip() + "…"
        sent = () if self.at else tuple(shown)
        return Draft(
            head, self.framed(title, body, number, count, about), sent, self._mark(number, count, about)
        )

    def _joined(self, blocks: Sequence[Block], texts: Sequence[str]) -> str:
        """Return the texts of blocks with what stands between them: tags that make a box bring space of their
        own.
        """
        joined = ""
        before: Block | None = None
        for block, text in zip(blocks, texts, strict=True):
            if before is not None:
                close = self.dialect.tags is not None and bbcode.close(before, block)
                joined += "\n" if close else "\n\n"
            joined += text
            before = block
        return joined

    def framed(self, title: str, body: str, number: int, count: int, about: About) -> str:
        """Return the text of a post between its title and its mark."""
        said, mark = self._numbered(title, number, count), self._mark(number, count, about)
        tags = self.dialect.tags
        if tags is None:
            return f"{markdown.part_title(said)}\n\n{body}\n\n{markdown.small(mark)}\n"
        return f"{bbcode.part_title(said, tags)}\n\n{body}\n\n{bbcode.small(mark, tags)}\n"

    def _numbered(self, title: str, number: int, count: int) -> str:
        kept = " ".join(clean(title[:400]).split())[:120]
        return kept if count == 1 else self.words.phrase("forum.part", title=kept, number=number, count=count)

    def _mark(self, number: int, count: int, about: About) -> str:
        key = "forum.mark-note" if about.note else "forum.mark-seat" if about.seat else "forum.mark"
        args = {
            "game": about.game,
            "slot": about.slot,
            "digest": about.digest,
            "number": number,
            "count": count,
            "seat": about.seat,
            "note": about.note,
        }
        return self.words.phrase(key, **args)

    def _index(self, at: int, count: int) -> int:
        """Return the forum's number of a picture that is uploaded as the ``at``-th of some."""
        return count - 1 - at if self.dialect.newest_first else at

    def _written(self, block: Block, index: int) -> str:
        tags = self.dialect.tags
        if tags is None:
            return markdown.written(block, self._in_markdown)
        return bbcode.written(block, tags, lambda image: self._in_tags(image, index))

    def _in_markdown(self, image: Image) -> str:
        upload = self.named.get(image.path)
        if upload is None:
            return f"*{marked(image.alt[:ALT])}*"
        size = self._shown(upload.size)
        address = address_of(self.at, upload.name) if self.at else f"upload://{upload.name}"
        return f"![{pictured(image.alt[:ALT])}{size}]({address})"

    def _shown(self, size: tuple[int, int]) -> str:
        """Return how large a picture is shown, smaller than it is where it would fill the screen; a click
        shows all of it.
        """
        wide, high = size
        limits = self.dialect.limits
        if not wide or not high:
            return ""
        share = min(1.0, limits.shown / wide, limits.tall / high if limits.tall else 1.0)
        return f"|{round(wide * share)}x{round(high * share)}"

    def _in_tags(self, image: Image, index: int) -> str:
        tags, upload = self.dialect.tags, self.named.get(image.path)
        assert tags is not None
        caption = f"[i]{plain(image.alt[:ALT])}[/i]"
        if upload is None:
            return caption
        alt = attribute(image.alt[:ALT])
        if self.at:
            shown = tags.image.format(address=address_of(self.at, upload.name), alt=alt)
            return f"{shown}\n{caption}" if tags.captioned else shown
        shown = tags.attached.format(name=upload.name, index=index, alt=alt)
        return f"{shown}\n{caption}" if tags.captioned_attachment else shown
