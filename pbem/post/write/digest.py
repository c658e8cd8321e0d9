"""The umpire's letter of the day, from plain values to a ``Letter``; every word is from the catalogue."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from pbem.post.write.cover import one_line
from pbem.post.write.parts import sentence
from pbem.post.write.writing import Letter
from pbem.text.report import Block, Code, Document, Heading, Items, Paragraph, Roster, RosterRow
from pbem.text.words import Words

__all__ = ["DayOf", "GameLine", "ToDo", "digest_letter"]

MOST = 100
"""Things and games that are told; of more it is told how many there are."""


class ToDo(Struct, frozen=True):
    """A thing that needs the umpire: the game (empty: the office itself), a sentence, the command for it."""

    game: str
    said: str
    command: str = ""


class GameLine(Struct, frozen=True):
    """How a game stands, in the words of the table at the terminal."""

    game: str
    turn: str
    waits: str
    since: str
    due: str
    score: str
    over: bool = False


class DayOf(Struct, frozen=True):
    """A day at the desk: which day, what needs the umpire, and the games, sorted by what needs him."""

    day: str
    needs: tuple[ToDo, ...]
    games: tuple[GameLine, ...]


def digest_letter(told: DayOf, words: Words) -> Letter:
    """Return the letter."""
    going = sum(not game.over for game in told.games)
    title = (
        words.phrase("digest.title", count=len(told.needs)) if told.needs else words.phrase("digest.quiet")
    )
    lead = words.phrase("digest.lead", day=told.day, count=going)
    return Letter(
        one_line(words.phrase("digest.subject", title=title, day=told.day)),
        Document(title, lead, tuple(_blocks(told, words))),
        preview=title,
        tone="wait" if told.needs else "",
    )


def _blocks(told: DayOf, words: Words) -> Iterator[Block]:
    for need in told.needs[:MOST]:
        head = f"{need.game}: " if need.game else ""
        yield Paragraph(one_line(head + sentence(need.said), 600))
        if need.command:
            yield Code(need.command)
    if len(told.needs) > MOST:
        yield Paragraph(words.phrase("letter.and-more", count=len(told.needs) - MOST))
    games = [game for game in told.games if not game.over]
    if games:
        heads = tuple(
            words.phrase(f"status.column-{name}") for name in ("game", "turn", "waits", "since", "due")
        )
        rows = [
            RosterRow((one_line(game.game, 40), one_line(game.turn, 20), game.waits, game.since, game.due))
            for game in games[:MOST]
        ]
        yield Heading(words.phrase("digest.games"), 2)
        yield Roster(heads, tuple(rows))
    if len(games) > MOST:
        yield Paragraph(words.phrase("letter.and-more", count=len(games) - MOST))
    over = [one_line(game.game, 60) for game in told.games if game.over]
    if over:
        yield Heading(words.phrase("digest.over"), 2)
        yield Items(tuple(over[:MOST]))
