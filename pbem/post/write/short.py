"""Answers of two sentences: a seat has joined, a go has come."""

from __future__ import annotations

from msgspec import Struct

from pbem.post.write.cover import reply_subject
from pbem.post.write.parts import About, facts, tag
from pbem.post.write.writing import Letter
from pbem.text.report import Document, Facts, Paragraph
from pbem.text.words import Words


class Short(Struct, frozen=True):
    """What is said: a title, and what follows from it, perhaps in several paragraphs; ``subject`` is that of
    the letter that is answered.
    """

    about: About
    title: str
    said: str
    subject: str = ""
    more: tuple[str, ...] = ()


def short(told: Short, words: Words) -> Letter:
    """Return such an answer."""
    more = (Paragraph(one) for one in told.more)
    body = Document(told.title, told.said, (*more, Facts(tuple(facts(told.about, words)))))
    return Letter(
        reply_subject(told.subject, tag(told.about, told.title)), body, preview=told.title, replied=True
    )
