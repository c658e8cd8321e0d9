"""Letters about what a player asks for: what was understood, whether he means it, who has to say yes or no,
and what came of it.

Functions from plain values to a ``Letter``; every word is from the catalogue.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.post.write.cover import one_line, reply_subject
from pbem.post.write.parts import About, barred, facts, tag
from pbem.post.write.umpire import MOST_WORDS
from pbem.post.write.writing import Attachment, Letter
from pbem.text.report import Block, Code, Document, Facts, Paragraph, Quote
from pbem.text.words import Words

__all__ = ["asks_to_say", "asks_to_sign", "beside", "told", "with_token"]


def told(
    about: About,
    title: str,
    said: Sequence[str],
    words: Words,
    subject: str = "",
    quoted: tuple[str, str] = ("", ""),
    files: tuple[Attachment, ...] = (),
) -> Letter:
    """Return a short letter about a request: a title, what follows from it, whose words it stood in
    (``quoted``: his name, and they), which game, and perhaps ``files``.
    """
    first, *more = [one for one in said if one] or [""]
    quote = (Quote(one_line(quoted[0], 60), quoted[1][:MOST_WORDS]),) if quoted[1] else ()
    blocks = (*quote, *(Paragraph(one) for one in more), Facts(tuple(facts(about, words))))
    return Letter(
        reply_subject(subject, tag(about, title)) if subject else tag(about, title),
        Document(title, first, blocks),
        attached=files,
        preview=title,
        replied=bool(subject),
    )


def asks_to_say(
    about: About, title: str, said: Sequence[str], token: str, words: Words, last: str = ""
) -> Letter:
    """Return a letter that is to be answered by yes or no; its subject bears the token, so that an answer
    does. ``last`` is told after how that is done.
    """
    first, *more = said
    blocks: list[Block] = [Paragraph(one) for one in more]
    blocks += [
        Paragraph(words.phrase("request.how")),
        Code(barred([words.phrase("request.line-yes")])),
        Paragraph(words.phrase("request.how-no")),
        *([Paragraph(last)] if last else []),
        Facts(tuple(facts(about, words))),
    ]
    return with_token(
        Letter(tag(about, title), Document(title, first, tuple(blocks)), preview=title, tone="wait"),
        token,
        words,
    )


def asks_to_sign(
    about: About, title: str, said: Sequence[str], command: str, token: str, words: Words
) -> Letter:
    """Return a letter that is to be answered by a file that a ``command`` makes and signs, or by a no, which
    has to bear the token.
    """
    first, *more = said
    blocks: list[Block] = [Paragraph(one) for one in more]
    blocks += [
        Paragraph(words.phrase("proposal.sign")),
        Code(barred([command])),
        Paragraph(words.phrase("proposal.sign-no")),
        Facts(tuple(facts(about, words))),
    ]
    letter = Letter(tag(about, title), Document(title, first, tuple(blocks)), preview=title, tone="wait")
    return with_token(letter, token, words)


def with_token(letter: Letter, token: str, words: Words) -> Letter:
    """Return a letter whose subject bears a token."""
    return replace(letter, subject=f"{letter.subject} {words.phrase('request.token', token=token)}")


def beside(letter: Letter, said: Sequence[str]) -> Letter:
    """Return an answer that says first what was understood beside the orders."""
    blocks = (*(Paragraph(one_line(one, 600)) for one in said), *letter.body.blocks)
    return replace(letter, body=replace(letter.body, blocks=blocks))
