"""The pages of tournaments: the table and why, all rounds, counts, and what was fixed when.

Beside each lie the two files from which anybody can pair it again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from pathlib import Path

from pbem.club.standings import Line
from pbem.club.tournament import Pairing
from pbem.post.offices.tournament_file import FILE
from pbem.referee.game.environment import Environment
from pbem.referee.game.refusal import Refused
from pbem.referee.game.scenario import open_file
from pbem.referee.mail.office import said
from pbem.referee.site.club import PLAYER, Person, Shown
from pbem.referee.site.pages import Club, page, when
from pbem.referee.tournament import telling
from pbem.referee.tournament.opening import Tournament, folders, opened
from pbem.referee.tournament.record import game_of
from pbem.store import draws as store
from pbem.store.library import common_words
from pbem.text.html_tags import Html, joined, table, tag, text

UP = "../../"
"""From the page of a tournament to the index."""


def tournaments(
    env: Environment,
    root: Path,
    club: Club,
    games: Mapping[str, Shown],
    players: Sequence[Person],
    troubles: list[str],
) -> tuple[Html, dict[str, bytes]]:
    """Return the tournaments of an office as a part of its index, and the files of their pages; what cannot
    be opened is told among ``troubles``.
    """
    words = common_words()
    files: dict[str, bytes] = {}
    rows = []
    for folder in folders(root):
        try:
            found = opened(env, folder)
            files |= _files(club, found, games, players)
        except Refused as refusal:
            troubles.append(f"{folder.name}: {said(refusal)}")
            continue
        link = tag("a", found.settings.name, href=f"{_place(found)}/index.html")
        rows.append((link, text(found.settings.terms.format), text(telling.state(found, typed=False))))
    if not rows:
        return Html(), {}
    head = tag("h2", words.phrase("tournament.site-all"))
    return joined([head, table(_heads("tournament", "format", "state"), rows)]), files


def _heads(*names: str) -> list[str]:
    return [head.capitalize() for head in telling.heads(names)]


def _place(found: Tournament) -> str:
    return f"tournaments/{found.id}"


def _files(
    club: Club, found: Tournament, games: Mapping[str, Shown], players: Sequence[Person]
) -> dict[str, bytes]:
    place = _place(found)
    return {
        f"{place}/index.html": _page(club, found, games, players),
        f"{place}/{FILE}": open_file(found.folder / FILE),
        f"{place}/{store.FILE}": store.read(found.folder) or b"",
    }


def _page(club: Club, found: Tournament, games: Mapping[str, Shown], players: Sequence[Person]) -> bytes:
    words, settings = common_words(), found.settings
    titles = (games[id_].title for id_ in found.games if id_ in games and id_.startswith(f"{found.id}-"))
    lead = words.phrase(
        "tournament.site-lead",
        format=settings.terms.format.capitalize(),
        scenario=next(titles, settings.scenario),
        state=telling.state(found, typed=False),
    )
    names = {who: _linked(found, who, players) for who in found.names}
    parts: list[str] = [tag("p", lead, class_="lead")]
    if found.draws.lots is None:
        listed = (tag("li", name) for name in names.values())
        parts += [tag("h2", words.phrase("tournament.site-entrants")), tag("ul", *listed)]
    else:
        parts += [tag("h2", words.phrase("tournament.site-standings")), *_tables(found, names)]
        for round_ in found.draws.rounds:
            parts.append(tag("h2", words.phrase("tournament.round", round=round_.round)))
            parts.append(_round(found, round_.pairings, names, games))
        parts += [tag("h2", words.phrase("tournament.site-counts")), *_counts(found)]
    if decided := [*_decided(found), *telling.changed(found)]:
        parts += [tag("h2", words.phrase("tournament.site-decided")), _list(decided)]
    parts += _fixed(club, found)
    return page(settings.name, joined(parts), crumbs=((club.name, f"{UP}index.html"),))


def _list(listed: Sequence[str]) -> Html:
    return tag("ul", *(tag("li", one) for one in listed))


def _linked(found: Tournament, player: str, players: Sequence[Person]) -> Html:
    """Return what somebody is called, with his own page where he has one."""
    place = next((one.place for one in players if f"{PLAYER}{player}" in one.keys), "")
    return tag("a", found.name(player), href=f"{UP}{place}/index.html") if place else text(found.name(player))


def _tables(found: Tournament, names: Mapping[str, Html]) -> Iterator[Html]:
    """Yield the table of the whole, why equals stand as they do, and the tables of the pools."""
    words, whole = common_words(), found.course.standings
    yield _table(whole, names)
    if reasons := list(_reasons(found, whole)):
        yield tag("details", tag("summary", words.phrase("tournament.site-why")), _list(reasons))
    for letter in found.course.pool_letters:
        yield tag("h3", words.phrase("tournament.pool", pool=letter))
        yield _table(found.course.pool(letter), names)


def _table(listed: Sequence[Line], names: Mapping[str, Html]) -> Html:
    heads = _heads("player", "points", "games", "won", "drawn", "lost", "apart")
    rows = [
        (
            joined([f"{line.place}. ", names[line.player]]),
            *(str(number) for number in (line.points, line.games, line.won, line.drawn, line.lost)),
            telling.apart(line),
        )
        for line in listed
    ]
    return table(heads, rows, numbers=dict.fromkeys(range(1, 6), "number"))


def _reasons(found: Tournament, listed: Sequence[Line]) -> Iterator[str]:
    """Yield why each of those with as many points as the next one stands before him."""
    for line, after in pairwise(listed):
        if line.points == after.points:
            yield telling.why_said(found, listed, line.player, after.player)


def _round(
    found: Tournament, pairings: Sequence[Pairing], names: Mapping[str, Html], games: Mapping[str, Shown]
) -> Html:
    rows = []
    for one in pairings:
        players = joined([names[who] for who in (one.first, one.second) if who], " – ")
        shown, result = games.get(game_of(found.id, one)), telling.result(found, one)
        rows.append(
            (
                joined([f"{one.pool}{one.table}. ", players]),
                tag("a", result, href=f"{UP}{shown.place}/index.html") if shown is not None else result,
            )
        )
    return table(_heads("players", "result"), rows)


def _counts(found: Tournament) -> Iterator[Html]:
    words, told = common_words(), telling.counts(found)
    yield tag("p", telling.counts_said(told))
    if told.begun:
        best = [f"{line.place}. {found.name(line.player)}" for line in told.top]
        yield tag("p", words.phrase("tournament.counts-top"), " ", ", ".join(best))


def _decided(found: Tournament) -> Iterator[str]:
    """Yield what the director decided, with his reasons."""
    words, settings = common_words(), found.settings
    for gone in settings.withdrawn:
        yield words.phrase(
            "tournament.site-gone" if gone.after else "tournament.site-gone-never",
            player=found.name(gone.player),
            after=gone.after,
            why=settings.reasons[gone.player],
        )
    for one in settings.forfeits:
        yield words.phrase(
            "tournament.site-forfeit", player=found.name(one.player), round=one.round, why=one.why
        )


def _fixed(club: Club, found: Tournament) -> Iterator[Html]:
    """Yield the lines of the record with their digests, and the files."""
    words, draws = common_words(), found.draws
    rows = [
        (telling.fixed(found, entry), when(datetime.fromisoformat(entry.at), club.zone), tag("code", digest))
        for entry, digest in zip(draws.entries, draws.digests, strict=True)
    ]
    yield tag("h2", words.phrase("tournament.site-fixed"))
    yield tag("p", words.phrase("tournament.site-fixed-said"))
    yield table(_heads("what", "when", "digest"), rows)
    yield tag("p", words.phrase("tournament.site-check"))
    yield tag("ul", *(tag("li", tag("a", name, href=name)) for name in (FILE, store.FILE)))
