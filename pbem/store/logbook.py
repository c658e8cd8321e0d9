"""What the user's own data folder holds about logs: private keys, what was signed with them, whom this user
believes, what he has seen.

Nothing of it is ever in a log or a game. A log is known by its origin, a witness by his name; both may be any
text, so folders are named by their hashes.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from msgspec import Struct

from pbem.store import disk

MOST: Final = 256 * 1024


def _slug(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:32]


def _read(path: Path) -> bytes | None:
    try:
        with path.open("rb") as file:
            return file.read(MOST)
    except OSError:
        return None


class LogNotes(Struct, frozen=True):
    """What is kept of one log; each of it may be missing.

    ``key`` is its private key, on the machine of who runs it, and ``signed`` the newest checkpoint that was
    signed with it.
    ``trusted`` is the line of its public key as this user was told it or first saw it, ``seen`` the newest
    checkpoint shown to him.
    ``witnesses`` are lines of public keys of those whose cosignatures are taken in.
    """

    folder: Path

    def read(self, what: str) -> bytes | None:
        """Return one of these, or None."""
        return _read(self.folder / what)

    def write(self, what: str, data: bytes) -> None:
        """Keep one of these."""
        disk.replace(self.folder / what, data, private=True)

    def lines(self, what: str) -> list[str]:
        """Return one of these as lines."""
        return (self.read(what) or b"").decode("utf-8", "replace").splitlines()


class Logbook(Struct, frozen=True):
    """All of it; ``root`` is the user's own data folder."""

    root: Path

    def log(self, origin: str) -> LogNotes:
        """Return what is kept of a log."""
        return LogNotes(self.root / "logs" / _slug(origin))

    def witness(self, name: str) -> LogNotes:
        """Return what is kept for a witness of this user: ``key``, ``name``, and of each log the newest
        checkpoint that he cosigned.
        """
        return LogNotes(self.root / "witness" / _slug(name))

    def witnesses(self) -> list[str]:
        """Return the names of the witnesses whose keys are here, sorted."""
        place = self.root / "witness"
        found = (_read(folder / "name") for folder in sorted(place.iterdir())) if place.is_dir() else ()
        return sorted(data.decode("utf-8", "replace").strip() for data in found if data)


def cosigned_of(origin: str) -> str:
    """Return under which name a witness keeps the newest checkpoint of a log that he cosigned."""
    return f"{_slug(origin)}.cosigned"
