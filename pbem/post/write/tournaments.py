"""Letters of a tournament: entries are closed, and a round is paired.

Functions from plain values to a ``Letter``; every word is from the catalogue.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.post.write.cover import one_line
from pbem.post.write.writing import Letter
from pbem.text.report import Block, Code, Document, Heading, Items, Paragraph, Roster, RosterRow
from pbem.text.words import Words

__all__ = ["NewRound", "closed", "paired"]

MOST = 64
"""Rows that are told of a table or a round."""


def closed(name: str, entrants: Sequence[str], digest: str, words: Words) -> Letter:
    """Return what an entrant is told when entries are closed: who takes part, and that he may say a line."""
    title = words.phrase("tournament.letter-closed", name=name)
    blocks = (
        Items(tuple(entrants)),
        Paragraph(words.phrase("tournament.letter-line")),
        Paragraph(words.phrase("tournament.letter-keep")),
        Code(digest),
    )
    lead = words.phrase("tournament.letter-who", count=len(entrants))
    return Letter(_subject(name, title), Document(title, lead, blocks), preview=title, tone="wait")


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
