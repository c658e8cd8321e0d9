"""Letters in the umpire's own name: a word to those whom he names, and the end of a game by his word.

Functions from plain values to a ``Letter``; every word but his own is from the catalogue.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from pbem.post.write.cover import one_line
from pbem.post.write.parts import About, facts, tag
from pbem.post.write.writing import Attachment, Letter
from pbem.text.report import Block, Document, Facts, Heading, Paragraph, Quote
from pbem.text.words import Words

__all__ = ["Ended", "Official", "ended", "said"]


class Official(Struct, frozen=True):
    """A word of the umpire: what it is about, his text, and whether nobody else gets it (``alone``)."""

    about: About
    text: str
    alone: bool = False


def said(told: Official, words: Words) -> Letter:
    """Return the letter in which somebody reads a word of the umpire."""
    title = words.phrase("letter.word-say-title")
    blocks: list[Block] = [Quote(words.phrase("letter.the-umpire"), told.text)]
    if told.alone:
        blocks.append(Paragraph(words.phrase("letter.word-alone")))
    blocks.append(Paragraph(words.phrase("letter.word-answer")))
    if known := tuple(facts(told.about, words)):
        blocks.append(Facts(known))
    first = one_line(told.text, 80)
    return Letter(tag(told.about, f"{title}: {first}"), Document(title, "", tuple(blocks)), preview=first)


class Ended(Struct, frozen=True):
    """A game that a word of the umpire ended: its result in a sentence, what he and others said in order,
    each side with its points, and the packed game.
    """

    about: About
    headline: str
    said: tuple[str, ...]
    outcome: tuple[tuple[str, str], ...]
    can_reopen: bool
    archive: Attachment | None = None


def ended(told: Ended, words: Words) -> Letter:
    """Return the last letter of a game that a word ended."""
    return Letter(
        tag(told.about, told.headline),
        Document(told.headline, words.phrase("letter.word-end-lead"), tuple(_ended(told, words))),
        attached=(told.archive,) if told.archive is not None else (),
        preview=told.headline,
    )


def _ended(told: Ended, words: Words) -> Iterator[Block]:
    yield from (Paragraph(one) for one in told.said)
    yield Heading(words.phrase("letter.word-score"), 3)
    yield Facts(told.outcome)
    yield Paragraph(words.phrase("letter.word-end-back" if told.can_reopen else "letter.word-end-for-good"))
    if told.archive is not None:
        yield Paragraph(words.phrase("letter.archive", file=told.archive.name))
    yield Facts(tuple(facts(told.about, words)))
