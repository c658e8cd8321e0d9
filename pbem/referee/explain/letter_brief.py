"""What letters explain of a game: what it is about, where one's men are and what they can do, and lines that
could be sent as they are.

Made of the briefing of the seat; whoever reads on a telephone has what he needs to answer before what is only
good to know.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from pbem.core.briefing import Sample
from pbem.post.write.parts import barred
from pbem.post.write.writing import Attachment
from pbem.referee.explain.briefing import Briefing, briefing_of, how_to_play
from pbem.referee.explain.samples import written
from pbem.referee.game.game import Game
from pbem.text.markup import as_html
from pbem.text.report import Block, Code, Facts, Heading, Items, Paragraph

__all__ = ["Company", "Explained", "explained", "invited"]

GUIDE = "how-to-play.html"


class Company(Struct, frozen=True):
    """What the office knows of a game beside its moves: who plays which seat, and how long somebody has for a
    turn, in a sentence.
    """

    players: Mapping[str, str] | None = None
    pace: str = ""


NOBODY: Final = Company()


class Explained(Struct, frozen=True):
    """What a letter has to say beside what happened."""

    opening: tuple[Block, ...] = ()
    """Of the first letter: story, players, pace, aim."""
    men: tuple[Block, ...] = ()
    """The points so far, and the seat's own people with what they can do."""
    now: tuple[Block, ...] = ()
    """What could be sent: regions of the setup, lines behind bars, what they do."""
    others: tuple[Block, ...] = ()
    """Friends and enemies."""
    guide: Attachment | None = None
    """The rules in short, to print."""
    samples: tuple[Sample, ...] | None = None
    """The lines of ``now``; None where nothing was asked."""


def explained(game: Game, seat: str, company: Company = NOBODY, *, first: bool, asked: bool) -> Explained:
    """Return what a letter of a turn explains to a seat; ``first``: it is the first one, ``asked``: the seat
    is to send orders now.
    """
    brief = briefing_of(game, seat, players=company.players, pace=company.pace)
    return Explained(
        opening=tuple(_opening(brief)) if first else (),
        men=(*(() if first else brief.so_far()), *brief.own_people()),
        now=tuple(_now(brief)) if asked else (),
        others=tuple(brief.other_people()),
        guide=guide_of(brief) if first else None,
        samples=brief.samples if asked else None,
    )


def _opening(brief: Briefing) -> Iterator[Block]:
    words = brief.ground.words
    yield Heading(words.phrase("brief.aim"))
    yield from brief.story()
    if rows := tuple(brief.who_plays()):
        yield Facts(rows)
    yield from brief.not_shipped()
    yield from brief.aims()


def _now(brief: Briefing) -> Iterator[Block]:
    """Yield what could be sent now."""
    words = brief.ground.words
    yield Heading(words.phrase("brief.now"))
    yield from brief.zones()
    if not brief.samples:
        yield Paragraph(words.phrase("brief.nothing-to-send"))
        return
    yield Paragraph(words.phrase("letter.samples"))
    yield Code(barred(written(brief.samples)))
    yield Items(tuple(brief.meanings()))


def page_of(
    game: Game, seat: str, company: Company = NOBODY, due: str = ""
) -> tuple[tuple[str, tuple[Block, ...]], ...]:
    """Return what the page of a turn says of the game, each part under its title; ``due`` is until when
    orders are wanted, in words.
    """
    words = game.words
    brief = briefing_of(game, seat, players=company.players, pace=company.pace)
    _, *opening = _opening(brief)
    first = (Paragraph(due),) if due else ()
    rules = how_to_play(brief)
    return (
        (words.phrase("brief.aim"), (*first, *opening)),
        (rules.title, (Paragraph(rules.lead), *rules.blocks)),
    )


def invited(game: Game, seat: str, company: Company = NOBODY) -> tuple[Block, ...]:
    """Return what an invitation tells of the game: what it is about, how much there is to do, whom one would
    lead.
    """
    words = game.words
    brief = briefing_of(game, seat, players=company.players, pace=company.pace)
    blocks = [*_opening(brief), Paragraph(words.phrase("letter.needs"))]
    letters = brief.aim.letters
    if letters:
        blocks.append(Paragraph(words.phrase("letter.commitment", count=letters)))
    return (*blocks, *brief.own_people())


def guide_of(brief: Briefing) -> Attachment:
    """Return the rules in short as a page for a browser, to read or to print."""
    return Attachment(GUIDE, as_html(how_to_play(brief)).encode(), "text/html")
