"""The pages of a club as files: which there are, which stay as they were, and the feeds and calendars beside
them.

A game is opened only where its row, or the office, or the program is not as it was when its files were made:
what each was made of is kept on the user's shelf, and without it everything is made again.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

from msgspec import DecodeError, Struct, ValidationError, field, json

from pbem.post.mail.sender import code_of
from pbem.post.offices.office import Office
from pbem.post.offices.timing import at_time
from pbem.referee.explain.look import THEMES
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import open_game
from pbem.referee.game.refusal import UNDECIDED, Refused, refuse
from pbem.referee.mail.club_figures import ClubFigures, of_club
from pbem.referee.mail.desk import Desk
from pbem.referee.mail.desk_rows import Row
from pbem.referee.mail.figures import figures
from pbem.referee.mail.office import said, secret_of
from pbem.referee.site import pages
from pbem.referee.site.club import Person, Shown, is_nameable, people, shown
from pbem.referee.site.game_files import File, files, turns_of
from pbem.referee.site.numbers import players as tables_of
from pbem.referee.site.numbers import statistics
from pbem.referee.site.pages import Club
from pbem.referee.site.tournaments import tournaments
from pbem.store import marks, shelf
from pbem.store import site as store
from pbem.store.library import common_words
from pbem.text.feeds import Entry, Event, Feed, atom, calendar
from pbem.text.html_tags import Html
from pbem.text.words import in_force

FORMAT: Final = 1
FEED, CALENDAR = "feed.xml", "calendar.ics"
NEWEST: Final = 30
"""Entries of a feed at most."""


class Made(Struct, frozen=True):
    """What a run did: files written and removed, games looked into, and what went wrong with some."""

    written: int
    removed: int
    looked: int
    troubles: tuple[str, ...]


class Told(Struct, frozen=True):
    """A turn of a game as feeds tell it."""

    slot: int
    title: str
    at: datetime
    said: str


class _Game(Struct, frozen=True):
    """What is kept of a game: what its files were made of, together and one by one; its turns for feeds."""

    key: str
    files: dict[str, str]
    told: tuple[Told, ...] = ()


class _Table(Struct):
    format: int = FORMAT
    games: dict[str, _Game] = field(default_factory=dict)


class _Lies(Struct):
    """What lies below the folder of a game from the run before."""

    site: store.Site
    place: str
    files: Mapping[str, str]

    def same(self, name: str, made_of: str) -> bool:
        """Tell whether a file lies there, made of the same."""
        return self.files.get(name) == made_of and self.has(name)

    def has(self, name: str) -> bool:
        """Tell whether a file lies there, made of whatever."""
        return self.site.has(f"{self.place}/{name}")


def make(
    env: Environment,
    desk: Desk,
    out: Path,
    *,
    theme: str = THEMES[0],
    url: str = "",
    private: Path | None = None,
) -> Made:
    """Write the pages of a club, seen from ``url`` if that is known; ``private`` is a folder that must be
    apart.

    Refused where the folder is no place for them, or holds a file of somebody
    else where one of theirs belongs.
    """
    apart(env, desk.root, out, *([] if private is None else [private]))
    club = Club(desk.office.name or common_words().phrase("site.games"), desk.office.zone, theme)
    try:
        with store.opened(out) as site:
            return _make(env, desk, site, club, url)
    except store.Foreign as foreign:
        raise refuse("site.foreign", answer=UNDECIDED, file=str(out), path=str(foreign.path)) from None


def apart(env: Environment, root: Path, *places: Path) -> None:
    """Refused where a folder for pages is, or contains, what is nobody else's: the office, its letters, a
    game, keys; or where two such folders lie in each other.
    """
    office, keys = root.resolve(), env.keyring.root.resolve()
    found = [place.resolve() for place in places]
    for place, named in zip(found, places, strict=True):
        inside = office.is_relative_to(place) or keys.is_relative_to(place) or place.is_relative_to(keys)
        first = place.relative_to(office).parts[:1] if place.is_relative_to(office) else ()
        own = bool(first) and (first[0] in ("post", "inbox") or (office / first[0] / "ledger").is_dir())
        if inside or own:
            raise refuse("site.place", file=str(named), path=str(named))
    for n, place in enumerate(found):
        for other in found[n + 1 :]:
            if place.is_relative_to(other) or other.is_relative_to(place):
                raise refuse("site.within", file=str(places[n]), path=str(places[n]))


def _make(env: Environment, desk: Desk, site: store.Site, club: Club, url: str) -> Made:
    key = _key(site.folder, club, url)
    before, after = _read(key), _Table()
    troubles: list[str] = []
    looked = 0
    rows = [row for row in desk.rows if is_nameable(row)]
    games = {row.id: shown(row, desk.now) for row in rows}
    private = _private(env, desk.office, rows)
    for row in rows:
        one, known = games[row.id], before.games.get(row.id)
        game_key = hashlib.sha256(repr((one, row.head)).encode()).hexdigest()
        if known is not None and known.key == game_key and _all_there(site, one, known):
            site.keep(*(f"{one.place}/{name}" for name in known.files))
            after.games[row.id] = known
            continue
        try:
            after.games[row.id] = _game(env, desk, site, club, row, one, private, known, game_key, url)
            looked += 1
        except Refused as refusal:
            troubles.append(f"{row.folder}: {said(refusal)}")
            if known is not None:
                site.keep(*(f"{one.place}/{name}" for name in known.files))
                after.games[row.id] = known
    players = people(games.values())
    found = list(figures(env, desk.root, []))
    numbers = of_club(found)
    cups, cup_files = tournaments(env, desk.root, club, games, players, troubles)
    site.put(cup_files)
    site.put(dict(_beside(club, tuple(games.values()), players, numbers, after.games, url, cups)))
    site.finish()
    _write(key, after)
    return Made(site.written, site.removed, looked, tuple(troubles))


def _all_there(site: store.Site, one: Shown, known: _Game) -> bool:
    return all(site.has(f"{one.place}/{name}") for name in known.files)


def _game(
    env: Environment,
    desk: Desk,
    site: store.Site,
    club: Club,
    row: Row,
    one: Shown,
    private: Sequence[str],
    known: _Game | None,
    key: str,
    url: str,
) -> _Game:
    """Write the files of one game, and return what is kept of it."""
    game = open_game(desk.root / row.folder)
    turns = turns_of(game, secret=one.secret)
    told = tuple(Told(turn.slot, turn.title, turn.at, turn.said) for turn in turns[-NEWEST:])
    lies = _Lies(site, one.place, known.files if known is not None else {})
    made = [*files(env, club, game, one, turns, private, lies), *_follow_game(one, told, url)]
    site.put({f"{one.place}/{file.name}": file.data for file in made if file.data is not None})
    site.keep(*(f"{one.place}/{file.name}" for file in made))
    return _Game(key, {file.name: file.made_of for file in made}, told)


def _private(env: Environment, office: Office, rows: Sequence[Row]) -> tuple[str, ...]:
    """Return words that nothing which is given away may hold: addresses, and the codes of seats."""
    secret = secret_of(env)
    codes = [code_of(secret, row.id, seat.seat, seat.player) for row in rows for seat in row.seats]
    addresses = [address for player in office.players.values() for address in player.addresses]
    return (*addresses, office.address, office.umpire, *codes)


# --- what is beside the games


def _beside(
    club: Club,
    games: Sequence[Shown],
    players: Sequence[Person],
    numbers: ClubFigures,
    known: Mapping[str, _Game],
    url: str,
    cups: Html,
) -> Iterator[tuple[str, bytes]]:
    words = common_words()
    yield "index.html", pages.index(club, games, players, cups, statistics=bool(numbers.players))
    if numbers.players:
        yield "statistics.html", statistics(club, numbers, len(games))
    if games:
        titles = tuple(words.phrase(f"site.{one}-all", club=club.name) for one in ("feed", "calendar"))
        yield from _follow("club", "", titles, club.name, games, known, url)
    for person in players:
        yield f"{person.place}/index.html", pages.player(club, person, _of(person, numbers))
        titles = tuple(words.phrase(f"site.{one}-player", name=person.name) for one in ("feed", "calendar"))
        key = f"player {person.place} {person.name}"
        yield from _follow(key, f"{person.place}/", titles, club.name, person.games, known, url, person.keys)


def _of(person: Person, numbers: ClubFigures) -> Html:
    """Return what somebody comes to over all his games."""
    return tables_of(tuple(one for one in numbers.players if one.name == person.name))


def _follow(
    key: str,
    place: str,
    titles: Sequence[str],
    author: str,
    games: Sequence[Shown],
    known: Mapping[str, _Game],
    url: str,
    due_to: frozenset[str] = frozenset(),
) -> Iterator[tuple[str, bytes]]:
    """Yield the feed and the calendar of several games, in a folder; with ``due_to`` only the deadlines of
    one person.
    """
    base = url or "../" * place.count("/")
    found = [
        entry for game in games if game.id in known for entry in entries(game, known[game.id].told, base)
    ]
    newest = sorted(found, key=lambda entry: entry.at)[-NEWEST:]
    begun = min(game.made for game in games)
    here, up = (f"{url}{place}{FEED}", f"{url}{place}index.html") if url else (FEED, "index.html")
    yield f"{place}{FEED}", atom(Feed(f"feed {key}", titles[0], here, up, author, newest, begun))
    yield (
        f"{place}{CALENDAR}",
        calendar(titles[1], [event for game in games for event in events(game, url, due_to)]),
    )


def _follow_game(one: Shown, told: Sequence[Told], url: str) -> Iterator[File]:
    """Yield the feed and the calendar of one game."""
    words = common_words()
    titles = [words.phrase(f"site.{kind}-of", title=one.title) for kind in ("feed", "calendar")]
    below = f"{url}{one.place}/" if url else ""
    found = entries(one, told, url or "../../")
    feed = Feed(
        f"feed game {one.id}", titles[0], f"{below}{FEED}", f"{below}index.html", one.title, found, one.made
    )
    yield File(FEED, "", atom(feed))
    yield File(CALENDAR, "", calendar(titles[1], events(one, url)))


def entries(one: Shown, told: Iterable[Told], base: str) -> list[Entry]:
    """Return what happened in a game; ``base`` leads to the folder of the pages."""
    words, place = common_words(), f"{base}{one.place}/"
    begun = words.phrase("site.entry-begun", title=one.title)
    found = [Entry(f"{one.id} begun", begun, one.made, f"{place}index.html", one.title)]
    for turn in told:
        title = words.phrase("site.entry-turn", title=one.title, turn=turn.title)
        link = f"{place}s{turn.slot:04d}.html"
        found.append(Entry(f"{one.id} s{turn.slot:04d}", title, turn.at, link, turn.said))
    if one.over:
        over = words.phrase("site.entry-over", title=one.title)
        found.append(Entry(f"{one.id} over", over, one.newest, f"{place}index.html", pages.waits(one)))
    return found


def events(one: Shown, url: str, due_to: frozenset[str] = frozenset()) -> list[Event]:
    """Return the moments of a game: when it began, until when its open turn waits; with ``due_to`` only if it
    waits for that person.
    """
    words = common_words()
    link = f"{url}{one.place}/index.html" if url else ""
    begun = words.phrase("site.event-begun", title=one.title)
    found = [Event(f"{one.id} begun", begun, one.made, one.made, link=link)]
    concerns = not due_to or not due_to.isdisjoint(one.persons)
    if concerns and one.until is not None and one.since is not None and not one.held and not one.over:
        title = words.phrase("site.event-due", title=one.title, turn=one.turn)
        due = at_time(one.until, one.zone, words)
        text = words.phrase("site.event-due-said", title=one.title, who=list(one.asked), when=due)
        key = f"{one.id} due {one.since.isoformat()}"
        found.append(Event(key, title, one.until, one.since, one.changes, text, link))
    return found


# --- what is kept


def _key(folder: Path, club: Club, url: str) -> str:
    """Return under what is kept of which files were made; empty where nothing is kept."""
    program = marks.of_program()
    said_ = f"site\0{FORMAT}\0{folder.resolve()}\0{program}\0{club!r}\0{url}\0{in_force()}"
    return hashlib.sha256(os.fsencode(said_)).hexdigest() if program is not None else ""


def _read(key: str) -> _Table:
    own = shelf.own(shelf.READ)
    data = own.get(key) if own is not None and key else None
    try:
        return _Table() if data is None else json.decode(data, type=_Table)
    except (DecodeError, ValidationError):
        return _Table()


def _write(key: str, table: _Table) -> None:
    own = shelf.own(shelf.READ)
    if own is not None and key:
        own.put(key, json.encode(table))
