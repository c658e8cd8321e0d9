"""The statistics of a club as a page: tables, with a bar beside each number that is worth one.

A bar is a rectangle of its own in the cell, as long as its number and said in words before it; so it is
legible in grey, on a telephone and read aloud, and nothing draws it but the browser.
"""

from __future__ import annotations

from pbem.referee.mail.club_figures import ClubFigures, PlayerFigures
from pbem.referee.mail.stats_table import chance, ends, luck_said, took
from pbem.referee.site.pages import Club, page
from pbem.store.library import common_words
from pbem.text.html_tags import Html, joined, table, tag


def bar(share: float) -> Html:
    """Return a bar of so much of the column, from 0 to 1."""
    wide = max(0, min(1000, round(1000 * share)))
    inside = f'<rect width="{wide}" height="10"/>' if wide else ""
    return Html(
        '<svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true" '
        f'focusable="false">{inside}</svg>'
    )


def statistics(club: Club, found: ClubFigures, games: int) -> bytes:
    """Return the page."""
    words = common_words()
    lead = words.phrase("stats.lead", games=games, answers=len(found.answers), players=len(found.players))
    parts = [
        tag("p", lead, class_="lead"),
        tag("h2", words.phrase("stats.players")),
        players(found.players),
        tag("p", words.phrase("stats.median-said"), class_="hint"),
    ]
    if said := luck_said(found):
        parts.append(tag("p", said, class_="hint"))
    if found.answers:
        most = max(count for _, count in found.steps())
        rows = [
            (words.phrase(f"stats.step-{key}"), joined([str(count), " ", bar(count / most)]))
            for key, count in found.steps()
        ]
        heads = [words.phrase(f"stats.column-{name}").capitalize() for name in ("took", "answers")]
        parts += [
            tag("h2", words.phrase("stats.answers")),
            tag("p", words.phrase("stats.answers-said"), class_="hint"),
            table(heads, rows),
        ]
    parts.append(tag("h2", words.phrase("stats.ends")))
    if found.ends:
        heads = [words.phrase(f"stats.column-{name}").capitalize() for name in ("scenario", "side", "won")]
        parts.append(table(heads, ends(found)))
    else:
        parts.append(tag("p", words.phrase("stats.no-ends")))
    title = words.phrase("stats.title", club=club.name)
    return page(title, joined(parts), crumbs=((club.name, "index.html"),))


def players(listed: tuple[PlayerFigures, ...]) -> Html:
    """Return players as a table."""
    words = common_words()
    names = ("player", "games", "won", "median", "longest", "misses", "sent", "dice", "chance")
    slowest = max((one.median or 0 for one in listed), default=0)
    rows = []
    for one in listed:
        middle = (
            Html() if one.median is None else joined([took(one.median), bar(one.median / max(1, slowest))])
        )
        dice = sum(size.dice for size in one.dice)
        rows.append(
            (
                one.name,
                str(one.games),
                words.phrase("stats.won-of", count=one.won, over=one.over) if one.over else "",
                middle,
                took(one.longest),
                str(one.misses),
                str(one.sent),
                str(dice) if dice else "",
                chance(one.chance),
            )
        )
    return table([words.phrase(f"stats.column-{name}").capitalize() for name in names], rows)
