"""Letters of a tournament: entries are closed, and a round is paired.

Functions from plain values to a ``Letter``; every word is from the catalogue.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.post.write.cover import one_line, reply_subject
from pbem.post.write.requested import with_token
from pbem.post.write.writing import Letter
from pbem.text.report import Block, Code, Document, Heading, Items, Paragraph, Roster, RosterRow
from pbem.text.words import Words

__all__ = ["NewRound", "closed", "line_answer", "paired"]

MOST = 64
"""Rows that are told of a table or a round."""


def closed(name: str, entrants: Sequence[str], digest: str, token: str, words: Words) -> Letter:
    """Return what an entrant is told when entries are closed: who takes part, and that he may say a line in
    an answer, which bears the ``token`` of its subject.
    """
    title = words.phrase("tournament.letter-closed", name=name)
    blocks = (
        Items(tuple(entrants)),
        Paragraph(words.phrase("tournament.letter-line")),
        Paragraph(words.phrase("tournament.letter-keep")),
        Code(digest),
    )
    lead = words.phrase("tournament.letter-who", count=len(entrants))
    letter = Letter(_subject(name, title), Document(title, lead, blocks), preview=title, tone="wait")
    return with_token(letter, token, words)


def line_answer(name: str, line: str, why: str, subject: str, words: Words, *, late: bool) -> Letter:
    """Return what an entrant is told of his letter: which line of his counts, and ``why`` what he sent is
    none; ``late``: lots were drawn before.
    """
    title = words.phrase("tournament.line-title", name=name)
    said = [words.phrase("tournament.line-not", why=why)] if why else []
    said.append(words.phrase("tournament.line-counts" if line else "tournament.line-none", line=line))
    if not late:
        said.append(words.phrase("tournament.line-again"))
    lead, *more = said
    return Letter(
        reply_subject(subject, _subject(name, title)),
        Document(title, lead, tuple(Paragraph(one) for one in more)),
        preview=lead,
        replied=True,
    )


class NewRound(Struct, frozen=True):
    """A round as one of its players is told of it: what he plays in sentences, all pairings, the table with
    its heads, the lines that lots were drawn from (in the first round), the digest of the record.
    """

    name: str
    number: int
    mine: tuple[str, ...]
    pairings: tuple[str, ...]
    heads: tuple[str, ...]
    table: tuple[tuple[str, ...], ...]
    lines: tuple[tuple[str, str], ...]
    digest: str


def paired(told: NewRound, words: Words) -> Letter:
    """Return what a player is told of a new round."""
    title = words.phrase("tournament.letter-round", name=told.name, round=told.number)
    first, *more = told.mine
    blocks: list[Block] = [Paragraph(one) for one in more]
    blocks += [Heading(words.phrase("tournament.letter-pairings")), Items(told.pairings[:MOST])]
    if told.table:
        rows = tuple(RosterRow(cells) for cells in told.table[:MOST])
        blocks += [Heading(words.phrase("tournament.letter-table")), Roster(told.heads, rows)]
    if told.lines:
        blocks += [
            Heading(words.phrase("tournament.letter-lots")),
            Items(tuple(f"{who}: “{said}”" for who, said in told.lines)),
            Paragraph(words.phrase("tournament.letter-lots-said")),
        ]
    blocks += [Paragraph(words.phrase("tournament.letter-digest")), Code(told.digest)]
    return Letter(_subject(told.name, title), Document(title, first, tuple(blocks)), preview=first)


def _subject(name: str, title: str) -> str:
    return one_line(title if name in title else f"[{name}] {title}", 100)
