"""How a game stands, as people ask for it: whose move it is, what he is to send, since when and until when,
and the score.

It follows from the game and, where an office serves it, from what its ``pbem.toml`` says; nothing is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec import Struct

from pbem.core.sequence import parse_cursor
from pbem.post.offices.office import FILE, GameSettings
from pbem.post.write.cover import one_line
from pbem.referee.game.ending import ended_how, outcome_of
from pbem.referee.game.game import Game, open_game
from pbem.referee.game.seat_names import seat_names
from pbem.referee.mail.office import House, served_in, settings
from pbem.referee.mail.served import OfficeGame
from pbem.text.when import capital, of_turn

JOIN, ORDERS, DRAFT, ANSWER, LUCK = "join", "orders", "draft", "answer", "luck"
"""What a seat is waited for with: to join, its orders, the final form of its draft, an answer, words for a
lock.
"""

LONGEST = 40
"""Characters of a name at most."""


class Waits(Struct, frozen=True):
    """A seat that a game waits for: who plays it, what its side is called, what for.

    ``own``: by the one who runs the program.
    """

    seat: str
    name: str
    side: str
    kind: str
    own: bool = False

    @property
    def who(self) -> str:
        """Return who is waited for, as people say it, in a part of a line: ``Bob (The Reeve of Westry)``."""
        return who_of(self.name, self.side)


def who_of(name: str, side: str) -> str:
    """Return who plays a side, in a part of a line."""
    name, side = one_line(name, LONGEST), one_line(side, LONGEST)
    return side if not name or name == side else f"{name} ({side})"


class Stands(Struct, frozen=True):
    """Where a game stands. ``since`` and ``until`` are of what is open; None where nothing is, or nobody is
    ever late.

    ``held``: the umpire lets it stand still. ``score`` has each side's name and points as if the game ended
    now; None before it starts.
    """

    game: Game
    title: str
    said: str
    turn: str
    waits: tuple[Waits, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    held: bool = False
    score: tuple[tuple[str, int], ...] = ()
    winner: str = ""
    why: str = ""
    own: tuple[Waits, ...] = ()
    """The seats of the one who runs the program that are waited for."""

    @property
    def id(self) -> str:
        """Return the name of the game."""
        return self.game.id

    @property
    def where(self) -> Path:
        """Return its folder."""
        return self.game.where

    @property
    def started(self) -> bool:
        """Tell whether everybody has joined."""
        return self.game.ledger.started

    @property
    def over(self) -> bool:
        """Tell whether the game is over."""
        return self.game.ledger.started and (self.game.ledger.over or self.game.ledger.next is None)

    @property
    def locked(self) -> bool:
        """Tell whether orders are fixed and dice are not rolled yet."""
        return self.game.ledger.locked is not None

    def late(self, now: datetime) -> bool:
        """Tell whether somebody is waited for whose time is up."""
        return bool(self.waits) and self.until is not None and now > self.until


def served_game(where: Path) -> tuple[OfficeGame, Path | None]:
    """Return a game as its office serves it, and the folder of that office; without one, with nobody's
    address and no deadline.
    """
    game = open_game(where)
    root = where.resolve().parent
    if game.folder is None or not (root / FILE).is_file():
        return OfficeGame(game, GameSettings(), {}), None
    return served_in(settings(root), game, where), where.parent


def stands(served: OfficeGame) -> Stands:
    """Return where a game stands."""
    game = served.game
    title, said = served.title, served.stands()
    if not game.ledger.started:
        waits = tuple(_waits(served, ((seat, JOIN) for seat in game.not_joined)))
        return Stands(game, title, said, served.game.words.phrase("status.not-begun"), waits, served.made)
    outcome: Mapping[str, Any] = outcome_of(game)
    names = served.side_names
    score = tuple(
        (names.get(entry["side"], entry["side"]), int(entry["score"])) for entry in outcome["sides"]
    )
    if game.ledger.over or game.ledger.next is None:
        winner = names.get(outcome["winner"], "")
        return Stands(
            game,
            title,
            said,
            said,
            score=score,
            winner=winner,
            why=ended_how(game) or str(outcome["why"] or ""),
        )
    waits = tuple(_waits(served, _missing(served)))
    since = served.open_since[1] if served.open_since is not None else None
    return Stands(
        game,
        title,
        said,
        _turn(game),
        waits,
        since,
        served.deadline(),
        served.held,
        score,
        own=tuple(one for one in waits if one.own),
    )


def _turn(game: Game) -> str:
    """Return the open turn: ``Turn 3``, ``Day 2, setup``."""
    return capital(of_turn(game.words, parse_cursor(str((game.ledger.next or {})["phase"]))))


def _missing(served: OfficeGame) -> Iterator[tuple[str, str]]:
    """Yield who is waited for in an open game, and what for."""
    game = served.game
    if game.folder is None:
        yield from ((str(seat), ORDERS) for seat in (game.ledger.next or {}).get("waits", ()))
        return
    status = served.status()
    if status is None:
        return
    kind = LUCK if game.ledger.locked is not None else ANSWER if game.questions else ORDERS
    for seat in status.missing:
        yield seat, kind
    for seat in status.drafts:
        yield seat, DRAFT


def _waits(served: OfficeGame, seats: Iterator[tuple[str, str]]) -> Iterator[Waits]:
    game = served.game
    written = seat_names(game)
    for seat, kind in seats:
        player = served.players.get(seat)
        name = player.name if player is not None else written.get(seat, "")
        yield Waits(seat, name, served.side_name(seat), kind, not game.ledger.seats[seat].outside)


def urgent(one: Stands, now: datetime) -> tuple[int, float, str]:
    """Return what games are sorted by: what needs the umpire first, then who is late, who is due, who has no
    deadline, what is over.
    """
    at = one.until or one.since
    rank = (
        6
        if one.over
        else 5
        if not one.started
        else 1
        if not one.waits
        else 0
        if one.own
        else 2
        if one.late(now)
        else 3
        if one.until
        else 4
    )
    return rank, at.timestamp() if at is not None else 0.0, one.id


def all_of(house: House, now: datetime) -> list[Stands]:
    """Return how the games of an office stand, sorted by what needs the umpire."""
    return sorted((stands(served) for served in house.games.values()), key=lambda one: urgent(one, now))
