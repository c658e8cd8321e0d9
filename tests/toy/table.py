"""A table to play at: secrets, a clock that ticks, chance that repeats itself, and the moves of a game in one
line each.
"""

from __future__ import annotations

import hashlib
import os
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from pbem.proof.signing import private_to_openssh, public_of
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game, open_game
from pbem.referee.turn.admit import admit, admit_words
from pbem.referee.turn.go import make_go, take_go, take_words
from pbem.referee.turn.join import join
from pbem.referee.turn.lock import Locked, lock
from pbem.referee.turn.new import INVITATION, NewGame, SeatWish, new
from pbem.referee.turn.resolve import Resolved, resolve
from pbem.referee.turn.sign import Signed, sign_orders
from pbem.referee.turn.submit import Submitted, submit
from pbem.store.keys import Keyring

SCENARIOS = Path(__file__).resolve().parent / "scenarios"
# The engine is named in the manifest, and the manifest makes the dice: a fixed name keeps every test's dice
# what they were.
ENGINE = {"name": "pbem", "version": "0.1.0", "sha256": "0" * 64}


class Table:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.game = root / "game"
        self.moment = datetime(2026, 2, 1, 10, 0, 0)
        self.count = int(os.environ.get("TOY_CHANCE", "0"))
        self.env = Environment(Keyring(root / "home"), self.clock, self.chance, lambda: ENGINE)
        self.player = replace(self.env, keyring=Keyring(root / "player"))

    def at_the_terminal(self, patch: pytest.MonkeyPatch) -> None:
        """Let verbs that are typed work here, with these secrets and as the program that began the game;
        their clock is the real one.
        """
        patch.chdir(self.root)
        patch.setenv("PBEM_HOME", str(self.root / "home"))
        patch.setattr(
            "pbem.referee.game.environment.own_environment",
            lambda **more: Environment(self.env.keyring, engine=self.env.engine, **more),
        )

    def clock(self) -> str:
        self.moment += timedelta(minutes=1)
        return self.moment.strftime("%Y-%m-%dT%H:%M:%SZ")

    def chance(self, size: int) -> bytes:
        self.count += 1
        return hashlib.shake_256(f"{self.count}".encode()).digest(size)

    def key(self, name: str) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(hashlib.sha256(f"key {name}".encode()).digest())

    def key_file(self, name: str) -> Path:
        path = self.root / f"{name}.key"
        path.write_bytes(private_to_openssh(self.key(name)))
        path.with_suffix(".key.pub").write_text(public_of(self.key(name)).line + f" {name}@example\n")
        return path

    def wish(self, seat: str, *, keyed: bool, side: str = "", go: str = "needed") -> SeatWish:
        line = public_of(self.key(seat)).line if keyed else None
        return SeatWish(seat, side or seat, seat.capitalize(), line, go)

    def new(self, scenario: str = "tug", keyed: tuple[str, ...] = ("south",), **more: Any) -> NewGame:
        wishes = [self.wish(seat, keyed=seat in keyed) for seat in ("north", "south")]
        return new(
            self.env, str(SCENARIOS / f"{scenario}.yaml"), self.game, wishes, name="tug-0a1b2c", **more
        )

    def join_all(self) -> None:
        game = open_game(self.game)
        for seat in game.not_joined:
            if game.ledger.seats[seat].key is None:
                admit_words(self.env, self.game, seat, "yes, I play")
            else:
                # Joins make the dice: without a recovery code they are what they were.
                joined = join(self.player, self.game / INVITATION, self.key(seat), seat, recovery=False)
                admit(self.env, self.game, joined.letter)

    def started(self, scenario: str = "tug", keyed: tuple[str, ...] = ("south",), **more: Any) -> Table:
        self.new(scenario, keyed, **more)
        self.join_all()
        return self

    def open(self) -> Game:
        return open_game(self.game)

    def signed(self, seat: str, yaml: str, **more: Any) -> Signed:
        return sign_orders(
            self.player, self.open(), f"{seat}.yaml", yaml.encode(), self.key(seat), seat=seat, **more
        )

    def orders(self, seat: str, yaml: str, **more: Any) -> Submitted:
        """Send orders: signed where the seat has a key (``draft=True`` without its value), else as plain
        YAML.
        """
        if self.open().ledger.seats[seat].key is None:
            return submit(self.env, self.game, f"{seat}.yaml", yaml.encode(), seat=seat, **more)
        draft = bool(more.pop("draft", False))
        signed = self.signed(seat, yaml, draft=draft)
        return submit(self.env, self.game, f"{seat}.txt", signed.data, signed.signature.encode(), **more)

    def lock(self, **more: Any) -> Locked:
        return lock(self.env, self.game, **more)

    def go(self, seat: str, luck: str = "") -> None:
        game = self.open()
        if game.ledger.seats[seat].key is None:
            take_words(self.game, luck, seat)
        else:
            take_go(self.game, make_go(self.player, game, self.key(seat), seat, luck or None).letter)

    def resolve(self, **more: Any) -> Resolved:
        return resolve(self.env, self.game, pictures=bool(more.pop("pictures", False)), **more)

    def turn(self) -> Resolved:
        """Play the open slot, whoever orders in it."""
        game = self.open()
        (seat,) = game.announced()["waits"]
        self.orders(seat, ANSWER if game.questions else pull(seat))
        self.lock()
        locked = self.open().ledger.locked
        for asked in locked.asked if locked is not None else ():
            self.go(asked)
        return self.resolve()

    def files(self) -> dict[str, bytes]:
        found = sorted(path for path in self.game.rglob("*") if path.is_file())
        return {path.relative_to(self.game).as_posix(): path.read_bytes() for path in found}


ANSWER = "answers: {q1: let-go}\n"
PULL = "pull:\n- {side}-team pulls\n"


def pull(side: str, more: str = "") -> str:
    return f"{more}pull:\n- {side}-team pulls\n"
