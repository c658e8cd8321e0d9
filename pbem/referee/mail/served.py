"""A game as an office serves it: its settings, who plays it, and what follows from them and the time."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cached_property

from msgspec import Struct

from pbem.club.due import GameStatus, cutoff, deadline
from pbem.club.terms import Acts, Move
from pbem.core.sequence import parse_cursor
from pbem.post.offices.office import GameSettings, Player
from pbem.referee.explain.briefing import pace
from pbem.referee.explain.letter_brief import Company
from pbem.referee.game.game import Game
from pbem.referee.game.turns import side_names
from pbem.referee.mail.acts_of_time import acts_of
from pbem.referee.mail.banks import Banks, banks_of
from pbem.referee.mail.letters import headline
from pbem.referee.turn.go import missing_goes
from pbem.referee.turn.lock import standing


class OfficeGame(Struct, frozen=True, dict=True):
    """A game of the office: its folder, its settings, and who plays which seat."""

    game: Game
    settings: GameSettings
    players: Mapping[str, Player]
    watchers: tuple[Player, ...] = ()
    """Who gets its public letters and plays no seat."""

    @property
    def title(self) -> str:
        """Return what the game is called."""
        return self.game.ground.title

    @cached_property
    def side_names(self) -> Mapping[str, str]:
        """Return how the sides are called."""
        return side_names(self.game.ground, self.game.state_after(0, ""))

    def side_name(self, seat: str) -> str:
        """Return how the side of a seat is called."""
        side = self.game.sides[seat]
        return self.side_names.get(side, side.capitalize())

    @property
    def company(self) -> Company:
        """Return who plays, and the pace, as letters tell it."""
        return Company(
            {seat: player.name for seat, player in self.players.items()}, pace(self.settings.deadlines)
        )

    @cached_property
    def made(self) -> datetime:
        """Return when the game was made."""
        return parsed(str(self.game.ledger.records[0].record["at"]))

    def stands(self) -> str:
        """Return where the game stands, in words."""
        return headline(self.game, self.game.words)

    @cached_property
    def open_since(self) -> tuple[str, datetime] | None:
        """Return the phase that is open or locked and since when; None before the game starts and after it is
        over.
        """
        ledger = self.game.ledger
        if not ledger.started or ledger.over or ledger.next is None:
            return None
        if ledger.locked is not None:
            return parse_cursor(ledger.locked.phase).phase, parsed(ledger.locked.locked_at)
        announced = next(read.record for read in reversed(ledger.records) if "next" in read.record)
        return parse_cursor(str(announced["next"]["phase"])).phase, parsed(str(announced["at"]))

    @cached_property
    def acts(self) -> Acts:
        """Return what the umpire did to the time of the game."""
        return acts_of(self.game.ledger)

    @property
    def held(self) -> bool:
        """Tell whether the game stands still, by a word of the umpire or by the settings of the office."""
        return self.settings.hold or any(one.end is None for one in self.acts.pauses)

    @cached_property
    def banks(self) -> Banks:
        """Return what the seats have left of reserve days and clocks before what is open now."""
        ledger = self.game.ledger
        number = (
            ledger.locked.number if ledger.locked is not None else int((ledger.next or {}).get("slot", 0))
        )
        return banks_of(self.game, self.settings.deadlines, self.acts, number)

    @property
    def move(self) -> Move:
        """Return what is to be ordered now; of a game in which nothing is open there is none."""
        assert self.open_since is not None
        phase, since = self.open_since
        ledger = self.game.ledger
        if ledger.locked is not None:
            return Move(phase, since, ledger.locked.number, missing_goes(self.game), self.acts)
        following = ledger.next or {}
        waits, banks = tuple(following["waits"]), self.banks
        return Move(phase, since, int(following["slot"]), waits, self.acts, banks.reserves, banks.clocks)

    def status(self) -> GameStatus | None:
        """Return where the game stands as far as time goes; None before it starts and after it is over."""
        game = self.game
        if self.open_since is None:
            return None
        if game.ledger.locked is not None:
            return GameStatus(self.move, missing_goes(game), waits_for_all=True)
        now = standing(game)
        friends = game.playing_gm and any(game.ledger.seats[name].outside for name in now.missing)
        return GameStatus(self.move, now.missing, now.drafts, friends)

    def waits_for(self, seat: str) -> bool:
        """Tell whether the open slot waits for a seat, whatever it has sent already."""
        ledger = self.game.ledger
        if not ledger.started or ledger.over or ledger.next is None:
            return False
        return seat in (missing_goes(self.game) if ledger.locked is not None else ledger.next["waits"])

    def waits_for_ever(self) -> bool:
        """Tell whether the open slot is never played without those it waits for: two friends, or words for a
        lock.
        """
        status = self.status()
        return status is not None and status.waits_for_all

    def is_settled(self) -> bool:
        """Tell whether the slot is locked and nobody is asked for anything more."""
        return self.game.ledger.locked is not None and not missing_goes(self.game)

    @property
    def waits_for_release(self) -> bool:
        """Tell whether a turn is complete and waits for the umpire's word."""
        return self.settings.by_hand and not self.held and self.is_settled()

    def cutoff(self) -> datetime | None:
        """Return after when orders for the open slot no longer count; None where they always do, or nothing
        is open.
        """
        terms = self.settings.deadlines
        if self.open_since is None or terms is None or self.held:
            return None
        status = self.status()
        return cutoff(self.move, terms, status.missing if status is not None else ())

    def deadline(self) -> datetime | None:
        """Return when the orders of the open slot are to be there; None where there is no deadline."""
        terms = self.settings.deadlines
        if self.open_since is None or terms is None:
            return None
        return deadline(self.move, terms)


def parsed(at: str) -> datetime:
    """Return a time as the ledger writes it."""
    return datetime.strptime(at, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
