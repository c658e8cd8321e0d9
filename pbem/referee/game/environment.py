"""What a use case needs from outside beside files: the time, chance for salts and secrets, and whose secrets
it may use.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from msgspec import Struct

from pbem.core.problem import Problem
from pbem.store.keys import Keyring, home
from pbem.store.library import engine


def now() -> str:
    """Return the present time as the ledger writes it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class Environment(Struct, frozen=True):
    """What is at hand where the program runs: secrets, clock, chance, the program itself."""

    keyring: Keyring
    clock: Callable[[], str] = now
    entropy: Callable[[int], bytes] = os.urandom
    engine: Callable[[], Mapping[str, str]] = engine
    """What the ledger calls the program that makes the game: name, version, digest of its modules."""
    insists: bool = False
    """Whether to go on where pbem would refuse because something speaks against it that only a person can
    judge.
    """
    tell: Callable[[Problem], None] = lambda problem: None
    """Takes what is worth knowing and stops nothing (a doubt)."""


def own_environment(
    *, insists: bool = False, tell: Callable[[Problem], None] = lambda problem: None
) -> Environment:
    """Return the environment of the user of this machine."""
    return Environment(Keyring(home()), insists=insists, tell=tell)
