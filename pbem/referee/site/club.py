"""What of a club is for everybody: its games as all who play them know them, and who plays where.

Nothing of an office goes into its pages but what is taken over here: no address, no code, no draft, no
letter, no name of a folder, no word of the umpire. Of an open slot it is told whom it asked, never who has
sent something. Of a game that hides something it is told what everybody knows, until it is over.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Final

from msgspec import Struct

from pbem.core.regex import regex
from pbem.post.write.cover import one_line
from pbem.referee.mail.desk_rows import Row, Seated
from pbem.referee.mail.stands import who_of

LONGEST: Final = 80
"""Characters of a name or a title."""
PLAYER, NAME = "player ", "name "
"""How the key of a person begins: of a player of the office, and of somebody who is known by his name alone.
"""
_ID: Final = regex(r"[a-z0-9][a-z0-9-]{0,60}")


class Shown(Struct, frozen=True):
    """A game as everybody may see it.

    ``asked`` are those whom the open slot waits for, whatever of them is there already, ``persons`` the same
    by their keys. ``secret``: something
    in it is hidden still.
    """

    id: str
    title: str
    turn: str
    said: str
    asked: tuple[str, ...]
    persons: tuple[str, ...]
    seats: tuple[Seat, ...]
    made: datetime
    newest: datetime
    since: datetime | None
    until: datetime | None
    zone: str
    started: bool
    held: bool
    over: bool
    late: bool
    ready: bool
    secret: bool
    score: tuple[tuple[str, int], ...]
    winner: str
    changes: int

    @property
    def place(self) -> str:
        """Return the folder of its pages."""
        return f"games/{self.id}"


class Seat(Struct, frozen=True):
    """A seat: its side, and who plays it: his name, and the key under which he is one person in all games."""

    seat: str
    side: str
    name: str
    person: str


class Person(Struct, frozen=True):
    """Somebody who plays: his name, the keys under which he is known, the folder of his pages, his games."""

    name: str
    keys: frozenset[str]
    place: str
    games: tuple[Shown, ...]


def shown(row: Row, now: datetime) -> Shown:
    """Return a game as everybody may see it."""
    secret = row.hides and not row.over
    seats = {seat.seat: _seat(seat) for seat in row.seats}
    joins = tuple(seats[one.seat] for one in row.waits) if not row.started else ()
    asked = tuple(seats[name] for name in row.asked)
    return Shown(
        id=row.id,
        title=one_line(row.title, LONGEST),
        turn=one_line(row.turn, LONGEST),
        said=one_line(row.said, 2 * LONGEST),
        asked=tuple(who_of(one.name, one.side) for one in (joins or asked)),
        persons=tuple(one.person for one in (joins or asked)),
        seats=tuple(seats.values()),
        made=row.made,
        newest=row.newest,
        since=row.since,
        until=row.until,
        zone=row.zone,
        started=row.started,
        held=row.held,
        over=row.over,
        late=row.until is not None and bool(asked) and not row.held and now > row.until,
        ready=row.started and not row.over and not row.held and not asked,
        secret=secret,
        score=() if secret or not row.started else row.score,
        winner=row.winner,
        changes=row.words,
    )


def is_nameable(row: Row) -> bool:
    """Tell whether a game has a name that a file can have."""
    return _ID.fullmatch(row.id) is not None


def _seat(seat: Seated) -> Seat:
    name = one_line(seat.name, LONGEST)
    person = f"{PLAYER}{seat.player}" if seat.player else f"{NAME}{name.casefold()}" if name else ""
    return Seat(seat.seat, one_line(seat.side, LONGEST), name, person)


def people(games: Iterable[Shown]) -> tuple[Person, ...]:
    """Return who plays, by name; of two players of the office who are called alike each has pages of his own,
    and who plays as none is the one of that name.
    """
    listed = list(games)
    known: dict[str, str] = {}
    for seat in (seat for game in listed for seat in game.seats if seat.person.startswith(PLAYER)):
        known.setdefault(f"{NAME}{seat.name.casefold()}", seat.person)
    found: dict[str, tuple[str, list[Shown]]] = {}
    for game in listed:
        for seat in game.seats:
            if seat.person:
                mine = found.setdefault(known.get(seat.person, seat.person), (seat.name, []))[1]
                if game not in mine:
                    mine.append(game)
    named = sorted(found.items(), key=lambda item: (item[1][0].casefold(), item[0]))
    places = _places(name for _, (name, _) in named)
    also = {one: frozenset([one, *(key for key, who in known.items() if who == one)]) for one in found}
    return tuple(
        Person(name, also[one], place, tuple(mine))
        for (one, (name, mine)), place in zip(named, places, strict=True)
    )


def _places(names: Iterable[str]) -> Iterator[str]:
    """Yield a folder for each name, none twice; ``p-`` before it, for some names no system takes."""
    taken: set[str] = set()
    for name in names:
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
        short = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:30].strip("-") or "player"
        place = next(one for one in (short, *(f"{short}-{n}" for n in range(2, 10_000))) if one not in taken)
        taken.add(place)
        yield f"players/p-{place}"
