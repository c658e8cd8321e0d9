"""Real games for the turn packet, played up to where a seat has something to order, and what becomes of the
file that a page gives.
"""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from msgspec import Struct

from pbem.bots.bot import find
from pbem.bots.chance import Chance
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game, open_game
from pbem.referee.pages.packet import packet_of
from pbem.referee.turn.admit import admit_words
from pbem.referee.turn.check import check
from pbem.referee.turn.lock import lock
from pbem.referee.turn.new import SeatWish, new
from pbem.referee.turn.resolve import resolve
from pbem.referee.turn.submit import Submitted, submit
from pbem.store.keys import Keyring
from pbem.text.written import written

PACKETS: Final[dict[tuple[str, ...], bytes]] = {}
"""Packets that were made, by the newest record of their game and what was asked for."""


class Played(Struct):
    """A game that is going on, with an umpire and two players without keys."""

    root: Path
    seats: tuple[str, str]
    seed: int = 0
    count: int = 0
    moment: datetime = datetime(2026, 3, 1, 10)

    @property
    def folder(self) -> Path:
        return self.root / "game"

    @property
    def game(self) -> Game:
        return open_game(self.folder)

    @property
    def env(self) -> Environment:
        engine = {"name": "pbem", "version": "0.1.0", "sha256": "0" * 64}
        return Environment(Keyring(self.root / "home"), self.clock, self.chance, lambda: engine)

    def packet(self, to: str = "", subject: str = "") -> bytes:
        """Return the packet of the seat that the game waits for, made once as long as nothing is recorded."""
        game = self.game
        of = (str(self.root), game.ledger.head, to, subject)
        if of not in PACKETS:
            PACKETS[of] = packet_of(game, to=to, subject=subject)
        return PACKETS[of]

    def clock(self) -> str:
        self.moment += timedelta(minutes=1)
        return self.moment.strftime("%Y-%m-%dT%H:%M:%SZ")

    def chance(self, size: int) -> bytes:
        self.count += 1
        return hashlib.shake_256(f"{self.seed} {self.count}".encode()).digest(size)

    def begun(self, scenario: str, names: dict[str, str] | None = None) -> Played:
        wishes = [
            SeatWish(seat, seat, (names or {}).get(seat, seat.capitalize()), None, "needed")
            for seat in self.seats
        ]
        new(self.env, scenario, self.folder, wishes, umpire=True, name="packet-0a1b2c")
        for seat in self.seats:
            admit_words(self.env, self.folder, seat, "yes, I play")
        return self

    def submit(self, seat: str, data: bytes) -> Submitted:
        """Take a file in as it came; Refused where it cannot be used."""
        return submit(self.env, self.folder, f"{seat}.yaml", data, seat=seat, auto_lock=False)

    def understood(self, seat: str, text: str) -> tuple[str, ...]:
        """Return what is understood of a file, which must have neither a problem nor a doubt of wording."""
        checked = check(self.game, "orders.yaml", text.encode(), seat)
        assert checked.ok, [problem.said for problem in checked.problems]
        return checked.understood


def by_bots(
    root: Path, scenario: str, seats: tuple[str, str], slots: int, seed: int = 0, **standing: str
) -> Played:
    """Return a game in which the sergeant has played so many slots, or until it asks a question; ``standing``
    holds for everybody.
    """
    played = Played(root, seats, seed).begun(scenario)
    for number in range(slots):
        game = played.game
        if game.questions:
            break
        rules, state = game.ground.rules, game.state
        bot = find("sergeant", rules.id)
        for seat in game.announced()["waits"]:
            data = bot.orders(rules, state, seat, Chance(f"{seed} {number}"))
            if standing:
                data = {**data, "standing": {"everyone": standing}}
            played.submit(seat, f"luck: a word of {seat} {number}\n{written(data)}".encode())
        lock(played.env, played.folder)
        resolve(played.env, played.folder, pictures=False)
    return played
