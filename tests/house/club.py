"""A club at the toy's table: many games in one office, players with habits of their own, one of whom plays in a
thread, an umpire, and a clock that goes by the hour.
"""

from __future__ import annotations

import hashlib
import os
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import NamedTuple

from table import SCENARIOS, Table

from pbem.referee.forum.forum_round import Threads
from pbem.referee.game.game import Game, open_game
from pbem.referee.mail.office import House, open_house
from pbem.referee.mail.round import run
from pbem.referee.mail.round_context import Step
from pbem.referee.turn.new import SeatWish, new
from pbem.store.postbag import Postbag

OFFICE, UMPIRE = "orders@pbem.example", "cass@example.org"
PLAYERS = ("ann", "bob", "cem", "dora", "eli", "fay", "gus", "hal")
HEAD = f"""[office]
name = "The rope club"
address = "{OFFICE}"
umpire = "{UMPIRE}"
zone = "Europe/Berlin"

[deadlines]
length = "2 days"
time = "21:00"
remind = "12 hours"
grace = "3 hours"
leave = {{ days = 9 }}
missed = {{ strike = 1, substitute = 3 }}

[requests]
leave = "by the agreement"
"""
STANDING = "standing: {everyone: {yield: hold}}\n"


class Sent(NamedTuple):
    """A letter as its reader sees it."""

    key: str
    to: str
    subject: str
    text: str


class Club(Table):
    """An office of many games; whoever runs a test says what happens, and when."""

    def __init__(self, root: Path, more: str = "") -> None:
        super().__init__(root)
        people = "".join(
            f'[players.{name}]\nname = "{name.capitalize()}"\naddress = "{name}@example.net"\n'
            for name in PLAYERS
        )
        (root / "pbem.toml").write_text(HEAD + people + more)
        self.written = 0
        self.read: dict[str, Sent] = {}
        self.games: dict[str, tuple[str, str]] = {}
        """Folder -> who plays north and south."""

    def clock(self) -> str:
        return self.moment.strftime("%Y-%m-%dT%H:%M:%SZ")

    def later(self, **time: float) -> None:
        self.moment += timedelta(**time)

    def begin(self, folder: str, north: str, south: str) -> None:
        """Make a game; the players join by letter."""
        wishes = [
            SeatWish(side, side, who.capitalize()) for side, who in (("north", north), ("south", south))
        ]
        name = f"{folder}-{len(self.games):06x}"
        new(self.env, str(SCENARIOS / "tug.yaml"), self.root / folder, wishes, name=name, umpire=True)
        self.games[folder] = (north, south)

    def at(self, folder: str) -> Game:
        return open_game(self.root / folder)

    def house(self) -> House:
        return open_house(self.env, self.root)

    def round(self) -> list[Step]:
        return list(run(self.env, self.root, None, pictures=False, boards=Threads()))

    def write(self, sender: str, body: str, subject: str) -> None:
        """Keep a letter that came just now."""
        self.written += 1
        message = EmailMessage(policy=policy.SMTP)
        message["From"], message["To"], message["Subject"] = sender, OFFICE, subject
        message["Message-ID"] = f"<{self.written}@mail.example>"
        message.set_content(body)
        Postbag(self.root / "post").keep(message.as_bytes(), self.clock(), "test")

    def letters(self) -> dict[str, Sent]:
        """Return every letter that was ever queued, by its key."""
        for folder, below, names in os.walk(self.root / "post"):
            below[:] = sorted({*below} - {"new", "done"})
            for name in sorted(names):
                if name.endswith(".eml") and name[:-4] not in self.read:
                    self._reads(Path(folder, name))
        return self.read

    def _reads(self, path: Path) -> None:
        message = message_from_bytes(path.read_bytes(), policy=policy.default)
        assert isinstance(message, EmailMessage)
        body = message.get_body(("plain",))
        text = " ".join((body.get_content() if body else "").split())
        self.read[path.stem] = Sent(path.stem, str(message["To"]), str(message["Subject"]), text)


def chance(*said: object) -> float:
    """Return a number from 0 to 1 that is the same each time."""
    return int(hashlib.sha256(repr(said).encode()).hexdigest()[:8], 16) / 0xFFFFFFFF
