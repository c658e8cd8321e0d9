"""The figures of a club as a terminal shows them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

from pbem.referee.mail.club_figures import ClubFigures, PlayerFigures
from pbem.referee.mail.overview import short
from pbem.store.library import common_words

COLUMNS = ("player", "games", "won", "answers", "median", "longest", "misses", "sent", "dice", "chance")
NAME = 20
"""Characters of a name in the table."""


def lines(club: ClubFigures, games: int) -> Iterator[str]:
    """Yield the tables of a club with what is to be known of their numbers."""
    words = common_words()
    if not club.players:
        yield words.phrase("stats.none")
        return
    yield words.phrase("stats.lead", games=games, answers=len(club.answers), players=len(club.players))
    yield ""
    heads = [words.phrase(f"stats.column-{name}") for name in COLUMNS]
    yield from columns([heads, *(row(one) for one in club.players)])
    yield words.phrase("stats.answers-said")
    if said := luck_said(club):
        yield said
    yield ""
    if club.ends:
        heads = [words.phrase(f"stats.column-{name}") for name in ("scenario", "side", "won")]
        yield from columns([heads, *ends(club)])
    else:
        yield words.phrase("stats.no-ends")


def row(one: PlayerFigures) -> list[str]:
    """Return the cells of a player: his name first, numbers behind it."""
    return [
        one.name if len(one.name) <= NAME else one.name[: NAME - 1] + "…",
        str(one.games),
        str(one.won),
        str(len(one.answers)),
        took(one.median),
        took(one.longest),
        str(one.misses),
        str(one.sent),
        str(sum(size.dice for size in one.dice)),
        chance(one.chance),
    ]


def took(seconds: int | None) -> str:
    """Return a length of time in its largest unit; empty where there is none."""
    return "" if seconds is None else short(timedelta(seconds=seconds))


def chance(found: float | None) -> str:
    """Return a chance with two places; empty where there is none."""
    return "" if found is None else f"{found:.2f}" if found >= 0.005 else "0.00"


def ends(club: ClubFigures) -> Iterator[list[str]]:
    """Yield for each scenario and side how often it won."""
    words = common_words()
    for one in club.ends:
        for side, count in (*one.won, (words.phrase("stats.nobody"), one.nobody)):
            yield [one.title, side, words.phrase("stats.won-of", count=count, over=one.over)]


def luck_said(club: ClubFigures) -> str:
    """Return what the chances of a club mean; empty where nobody has dice."""
    rolled = [one for one in club.players if one.chance is not None and one.corrected is not None]
    if not rolled:
        return ""
    least = min(rolled, key=lambda one: one.chance or 0.0)
    return common_words().phrase(
        "stats.luck-said", players=len(rolled), least=chance(least.chance), corrected=chance(least.corrected)
    )


def columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield rows as lines whose cells stand below each other."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for cells in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()
