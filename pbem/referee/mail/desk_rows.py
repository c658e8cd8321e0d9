"""Where each game of an office stands, as plain data that is kept until anything is written in the game.

What a row says follows from the files of a game and the settings of the office; what the hour adds is added
by whoever reads it. So the rows of a thousand games that rest are found again without one of them being
opened (``kept_games``).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path

from msgspec import Struct

from pbem.club.missed import cost, misses
from pbem.club.terms import MissedTerms
from pbem.referee.game.environment import Environment
from pbem.referee.game.seat_names import seat_names
from pbem.referee.game.views import hides
from pbem.referee.mail.acts_of_time import words_on_time
from pbem.referee.mail.costs import history
from pbem.referee.mail.kept_games import each_game
from pbem.referee.mail.office import Trouble
from pbem.referee.mail.served import OfficeGame, parsed
from pbem.referee.mail.stands import Waits, stands, who_of


class Seated(Struct, frozen=True):
    """A seat: who plays it (the id of a player of the office, or empty; his name), what its side is called,
    how many deadlines it missed. ``own``: by the one who runs the program.

    ``against`` are the misses that stand against it by what was agreed on, ``cost`` what so many cost.
    """

    seat: str
    player: str
    name: str
    side: str
    misses: int = 0
    own: bool = False
    against: int = 0
    cost: str = ""

    @property
    def who(self) -> str:
        """Return who plays it, as people say it: ``Bob (West)``."""
        return who_of(self.name, self.side)


class Row(Struct, frozen=True):
    """Where a game stands.

    ``turn`` is the open turn in words, ``said`` the same with its state; ``waits`` are those of whom
    something is missing, ``asked`` all seats that the open slot waits for, whatever they have sent. ``until``
    and ``cutoff`` (when orders no longer count) are None where nobody is ever late; ``pinned``: it is never
    played without those it waits for. ``made`` and ``newest`` are the times of the first and newest record,
    ``slot`` the newest slot with a result. ``to_release``: all is in, and the turn waits for the umpire's
    word. ``words`` counts the umpire's words on time, ``head`` is the id of the newest record.
    """

    id: str
    folder: str
    title: str
    turn: str
    said: str
    made: datetime
    newest: datetime
    slot: int = 0
    waits: tuple[Waits, ...] = ()
    asked: tuple[str, ...] = ()
    seats: tuple[Seated, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    cutoff: datetime | None = None
    zone: str = "UTC"
    pinned: bool = False
    started: bool = False
    locked: bool = False
    held: bool = False
    by_settings: bool = False
    to_release: bool = False
    """Whether a turn is complete and waits for the umpire."""
    over: bool = False
    hides: bool = False
    words: int = 0
    head: str = ""
    score: tuple[tuple[str, int], ...] = ()
    winner: str = ""
    why: str = ""

    def late(self, now: datetime) -> bool:
        """Tell whether somebody is waited for whose time is up."""
        return bool(self.waits) and not self.held and self.until is not None and now > self.until

    def due(self, now: datetime) -> bool:
        """Tell whether the next round plays it on: all is in, or the time is up."""
        if not self.started or self.over or self.held or self.to_release:
            return False
        return not self.waits or (self.cutoff is not None and now > self.cutoff and not self.pinned)

    @property
    def own(self) -> tuple[Waits, ...]:
        """Return the seats of the one who runs the program that are waited for."""
        return tuple(one for one in self.waits if one.own) if self.started else ()

    @property
    def misses(self) -> int:
        """Return how many deadlines were missed in it."""
        return sum(one.misses for one in self.seats)


def row_of(served: OfficeGame) -> Row:
    """Return where a game stands."""
    game, here = served.game, stands(served)
    ledger, written = game.ledger, seat_names(game)
    move = served.move if served.open_since is not None else None
    status = served.status()
    return Row(
        id=here.id,
        folder=served.game.where.name,
        title=here.title,
        turn=here.turn,
        said=here.said,
        made=served.made,
        newest=parsed(str(ledger.records[-1].record["at"])),
        slot=ledger.state_slot if ledger.started else 0,
        waits=here.waits,
        asked=move.seats if move is not None else (),
        seats=tuple(_seated(served, seat, written) for seat in ledger.seats),
        since=here.since,
        until=_as_read_back(here.until),
        cutoff=_as_read_back(served.cutoff()),
        zone=str((here.until.tzinfo if here.until is not None else None) or "UTC"),
        pinned=status is not None and status.waits_for_all,
        started=here.started,
        locked=here.locked,
        held=here.held,
        by_settings=served.settings.hold,
        to_release=served.waits_for_release,
        over=here.over,
        hides=hides(game.ground.rules),
        words=len(words_on_time(ledger)),
        head=ledger.head_digest,
        score=here.score,
        winner=here.winner,
        why=here.why,
    )


def _as_read_back(at: datetime | None) -> datetime | None:
    """Return a moment as a file gives it back, which keeps how far a zone is off, and not its name."""
    off = at.utcoffset() if at is not None else None
    return at.replace(tzinfo=timezone(off)) if at is not None and off is not None else at


def _seated(served: OfficeGame, seat: str, written: dict[str, str]) -> Seated:
    game, player, deadlines = served.game, served.players.get(seat), served.settings.deadlines
    moves = history(game, seat, game.ledger.newest_slot) if game.ledger.started else ()
    outside = game.ledger.seats[seat].outside
    terms = deadlines.missed if deadlines is not None and outside else MissedTerms()
    against = misses(moves, terms)
    return Seated(
        seat,
        player.id if player is not None else "",
        player.name if player is not None else written.get(seat, ""),
        served.side_name(seat),
        sum(moves),
        not outside,
        against,
        cost((True,) * against, terms),
    )


def rows(env: Environment, root: Path, troubles: list[Trouble]) -> Iterator[Row]:
    """Yield the row of each game of an office, by folder; what cannot be opened, or must not be gone on with,
    is told among ``troubles``. Refused where the office itself cannot be used.
    """
    yield from each_game(env, root, "row", Row, row_of, troubles)
