"""The pages of a club that need no game opened: the index, and a page for each player.

Each is whole without a script and without the network. Times stand in the zone of the office, or of the
game's deadline, and never say how long ago something was: a page is as true tomorrow as today.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from importlib import import_module

from msgspec import Struct

from pbem.post.offices.timing import at_time
from pbem.referee.site.club import Person, Shown
from pbem.store.library import common_words
from pbem.text.html_tags import Html, joined, table, tag, text
from pbem.text.words import in_force

STYLES = ("page.css", "site.css")


class Club(Struct, frozen=True):
    """What the pages of a club have in common: its name, the zone of its times, the look of its maps."""

    name: str
    zone: str
    theme: str


def facts(rows: Iterable[tuple[str, str | Html]]) -> Html:
    """Return names with their values as a list; what is empty is left out."""
    cells = [part for name, value in rows if value for part in (tag("dt", name), tag("dd", value))]
    return tag("dl", *cells, class_="facts")


def page(title: str, body: Html, *, crumbs: Sequence[tuple[str, str]] = (), feeds: str = "") -> bytes:
    """Return a page without a script; ``crumbs`` are names and addresses of the pages above it, ``feeds`` is
    where its feed lies.
    """
    above = (
        tag(
            "nav",
            *(tag("a", name, href=href) for name, href in crumbs),
            aria_label=common_words().phrase("site.above"),
        )
        if crumbs
        else ""
    )
    head = (
        tag("link", rel="alternate", type="application/atom+xml", href=feeds, title=title)
        if feeds
        else Html()
    )
    made: bytes = import_module("pbem.renderers.page").still_page(
        title,
        styles=STYLES,
        body=joined([above, tag("main", tag("h1", title), body)]),
        head=head,
        lang=in_force(),
    )
    return made


def when(at: datetime, zone: str) -> Html:
    """Return a moment for people and for programs."""
    return tag("time", at_time(at, zone, common_words()), datetime=at.isoformat())


def follow(place: str = "") -> Html:
    """Return the links to the feed and the calendar beside a page."""
    words = common_words()
    links = (("feed.xml", "site.feed"), ("calendar.ics", "site.calendar"))
    listed = (tag("li", tag("a", words.phrase(key), href=place + file)) for file, key in links)
    return tag("section", tag("h2", words.phrase("site.follow")), tag("ul", *listed))


def index(
    club: Club, games: Sequence[Shown], players: Sequence[Person], cups: Html, *, statistics: bool
) -> bytes:
    """Return the page with all games of a club, and who plays them; ``cups`` are its tournaments."""
    words = common_words()
    going = sum(not game.over for game in games)
    parts = [
        tag("p", words.phrase("site.lead", count=len(games), going=going), class_="lead")
        if games
        else tag("p", words.phrase("site.no-games"))
    ]
    parts.append(cups)
    if games:
        parts += [tag("h2", words.phrase("site.games")), games_table(club, games, "")]
    if players:
        heads = [words.phrase(f"site.column-{name}") for name in ("player", "going", "over")]
        rows = [
            (
                tag("a", one.name, href=f"{one.place}/index.html"),
                str(sum(not game.over for game in one.games)),
                str(sum(game.over for game in one.games)),
            )
            for one in players
        ]
        numbers = {1: "number", 2: "number"}
        parts += [tag("h2", words.phrase("site.players")), table(heads, rows, numbers=numbers)]
    if statistics:
        parts.append(tag("p", tag("a", words.phrase("site.statistics"), href="statistics.html")))
    if games:
        parts.append(follow())
    return page(club.name, joined(parts), feeds="feed.xml" if games else "")


def player(club: Club, one: Person, more: Html) -> bytes:
    """Return the page of somebody who plays; ``more`` stands below his games."""
    crumbs = ((club.name, "../../index.html"),)
    body = joined([games_table(club, one.games, "../../"), more, follow()])
    return page(one.name, body, crumbs=crumbs, feeds="feed.xml")


def games_table(club: Club, games: Sequence[Shown], up: str) -> Html:
    """Return games as a table: where each stands, whom it waits for, since when, until when, its points."""
    words = common_words()
    heads = [
        words.phrase(f"site.column-{name}") for name in ("game", "turn", "waits", "since", "due", "score")
    ]
    rows = [
        (
            joined(
                [
                    tag("a", game.title, href=f"{up}{game.place}/index.html"),
                    tag("small", ", ".join(seat.name for seat in game.seats if seat.name)),
                ]
            ),
            text(game.turn),
            text(waits(game)),
            since(game, club.zone),
            due(game, club.zone),
            text(points(game)),
        )
        for game in games
    ]
    return table(heads, rows)


def waits(game: Shown) -> str:
    """Return whom a game waits for, in a few words."""
    words = common_words()
    if game.over:
        return words.phrase("site.winner", winner=game.winner) if game.winner else words.phrase("site.nobody")
    if not game.started:
        return words.phrase("site.joins", who=list(game.asked))
    return words.phrase("site.ready") if game.ready else ", ".join(game.asked)


def since(game: Shown, zone: str) -> Html:
    """Return since when a game waits; nothing where it is over."""
    return Html() if game.over or game.since is None else when(game.since, zone)


def due(game: Shown, zone: str) -> Html:
    """Return until when it waits, or since when it is late."""
    words = common_words()
    if game.over:
        return text(words.phrase("site.over"))
    if game.held:
        return text(words.phrase("site.stands-still"))
    if game.until is None:
        return text(words.phrase("site.no-deadline")) if game.started else Html()
    moment = when(game.until, game.zone or zone)
    if not game.late:
        return moment
    before, _, after = words.phrase("site.late", when="\n").partition("\n")
    return tag("strong", before, moment, after, class_="bad")


def points(game: Shown) -> str:
    """Return the points of the sides in one line."""
    return ", ".join(f"{side} {count}" for side, count in game.score)
