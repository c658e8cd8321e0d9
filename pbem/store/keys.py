"""Secrets: chain secrets and the GM's keys, by game, in the user's own data folder and never in a game.

Decides where they lie and who may read them (their owner). What may be given out when (R8) is decided in
``referee``.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from pbem.store import disk, heads
from pbem.text.codec import from_json


class SecretExists(Exception):
    """There is a secret for this game and party already: a game that begins anew needs a new name."""


def home(environ: Mapping[str, str] | None = None, platform: str = sys.platform) -> Path:
    """Return the folder of the user's own data: ``PBEM_HOME``, else where the system keeps such things."""
    given = os.environ if environ is None else environ
    if given.get("PBEM_HOME"):
        return Path(given["PBEM_HOME"])
    if platform == "win32" and given.get("LOCALAPPDATA"):
        return Path(given["LOCALAPPDATA"]) / "pbem"
    if platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "pbem"
    return Path(given.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "pbem"


class Given(Struct, frozen=True):
    """A chain value that left its owner: when, and for which report or lock (its id)."""

    at: str
    context: str


class Keyring(Struct, frozen=True):
    """The secrets of one user. ``game`` and ``who`` are names of the protocol, so they are safe in a path."""

    root: Path

    def folder(self, game: str) -> Path:
        """Return where everything of a game lies."""
        return self.root / "games" / game

    def heads_file(self, game: str) -> Path:
        """Return where is noted what a player has seen of a game."""
        return self.folder(game) / heads.FILE

    def plays(self, game: str) -> bool:
        """Tell whether values of a seat lie here."""
        return any(not file.name.startswith("gm.") for file in _among(self.folder(game), "", ".chain"))

    def chain_file(self, game: str, who: str) -> Path:
        """Return where the chain secret of a party lies, or would lie."""
        return self.folder(game) / f"{who}.chain"

    def key_file(self, game: str) -> Path:
        """Return where the private key of the GM of a game lies, or would lie."""
        return self.folder(game) / "gm.key"

    def told_file(self, game: str) -> Path:
        """Return where is noted what was told of a game."""
        from pbem.store import sent_records

        return self.folder(game) / sent_records.FILE

    def _given_file(self, game: str, who: str, of: str) -> Path:
        return self.folder(game) / (f"{who}.{of}.given.json" if of else f"{who}.given.json")

    def secrets(self, game: str, who: str) -> tuple[bytes, ...]:
        """Return every chain secret of a party: the first, and those that came with a rekey, by the names of
        their files.
        """
        files = [self.chain_file(game, who), *_among(self.folder(game), f"{who}.", ".chain")]
        found = []
        for file in files:
            try:
                secret = bytes.fromhex(file.read_text("ascii").strip())
            except (OSError, ValueError):
                continue
            found += [secret] if len(secret) == 32 else []
        return tuple(found)

    def add_secret(self, game: str, who: str, tag: str, secret: bytes) -> None:
        """Keep one more chain secret of a party, for a rekey; ``tag`` makes its file a new one."""
        disk.replace(self.folder(game) / f"{who}.{tag}.chain", secret.hex().encode() + b"\n", private=True)

    def keys(self, game: str) -> tuple[bytes, ...]:
        """Return every private key that the GM of a game has or had here."""
        files = [self.key_file(game), *_among(self.folder(game), "gm.", ".key")]
        return tuple(file.read_bytes() for file in files if file.is_file())

    def add_key(self, game: str, tag: str, data: bytes) -> None:
        """Keep one more private key of the GM, for a rekey."""
        disk.replace(self.folder(game) / f"gm.{tag}.key", data, private=True)

    def keep_secret(self, game: str, who: str, secret: bytes) -> None:
        """Keep a new chain secret; raise SecretExists if there is one."""
        try:
            disk.create(self.chain_file(game, who), secret.hex().encode() + b"\n", private=True)
        except FileExistsError:
            raise SecretExists(str(self.chain_file(game, who))) from None

    def keep_key(self, game: str, data: bytes) -> None:
        """Keep the GM's private key; raise SecretExists if there is one."""
        try:
            disk.create(self.key_file(game), data, private=True)
        except FileExistsError:
            raise SecretExists(str(self.key_file(game))) from None

    def forget(self, game: str) -> None:
        """Remove the secrets of a game that was never made: its name can be used again."""
        for place in (self.chain_file(game, "gm"), self.key_file(game)):
            if place.exists():
                disk.remove(place)

    def gm_files(self, game: str) -> dict[str, bytes]:
        """Return the files of the umpire of a game: his keys, and the secrets of his values."""
        folder = self.folder(game)
        forms = ("gm.key", "gm.*.key", "gm.chain", "gm.*.chain")
        places = {place for form in forms for place in folder.glob(form)}
        return {place.name: place.read_bytes() for place in sorted(places) if place.is_file()}

    def take_gm_file(self, game: str, name: str, data: bytes) -> None:
        """Keep a file of the umpire of a game that somebody else was; raise SecretExists where another one
        lies in its place.
        """
        place = self.folder(game) / name
        if place.is_file():
            if place.read_bytes() != data:
                raise SecretExists(str(place))
            return
        disk.replace(place, data, private=True)

    def take_office_secret(self, secret: bytes) -> None:
        """Keep the secret of another umpire's office, where there is none here yet: codes of seats stay."""
        place = self.root / "office.secret"
        if secret and not place.exists():
            disk.replace(place, secret.hex().encode() + b"\n", private=True)

    def office_secret(self, fresh: bytes) -> bytes:
        """Return the secret that the codes of seats follow from; ``fresh`` becomes it where there is none
        yet.
        """
        place = self.root / "office.secret"
        try:
            known = bytes.fromhex(place.read_text("ascii").strip())
        except FileNotFoundError:
            disk.replace(place, fresh.hex().encode() + b"\n", private=True)
            return fresh
        if len(known) != len(fresh):
            raise ValueError(place)
        return known

    def given(self, game: str, who: str, of: str = "") -> dict[int, Given]:
        """Return which values were given out, by slot; ``of`` names those that came with a rekey."""
        try:
            listed = from_json(self._given_file(game, who, of).read_text("utf-8"))
            return {
                int(slot): Given(str(entry["at"]), str(entry["context"])) for slot, entry in listed.items()
            }
        except (OSError, ValueError, AttributeError, KeyError, TypeError):
            return {}

    def note_given(self, game: str, who: str, slot: int, given: Given, of: str = "") -> None:
        """Note that a value leaves its owner, before it does."""
        known = {**self.given(game, who, of), slot: given}
        plain = {
            str(number): {"at": entry.at, "context": entry.context} for number, entry in sorted(known.items())
        }
        disk.replace(
            self._given_file(game, who, of), json.dumps(plain, indent=1).encode() + b"\n", private=True
        )

    def seen(self, game: str) -> dict[str, str]:
        """Return when locks of a game lay before the user, by their ids."""
        try:
            listed = from_json((self.folder(game) / "seen.json").read_text("utf-8"))
            return {str(lock): str(at) for lock, at in listed.items()}
        except (OSError, ValueError, AttributeError):
            return {}

    def note_seen(self, game: str, lock: str, at: str) -> None:
        """Note when a lock first lay before the user."""
        known = {lock: at, **self.seen(game)}
        disk.replace(
            self.folder(game) / "seen.json",
            json.dumps(known, indent=1, sort_keys=True).encode() + b"\n",
            private=True,
        )


def _among(folder: Path, first: str, last: str) -> list[Path]:
    """Return the files of a folder whose names begin and end so, in their order; none where there is no
    folder.
    """
    least = len(first) + len(last)
    places = sorted(folder.iterdir()) if folder.is_dir() else []
    names = [(place.name, place) for place in places]
    return [
        place
        for name, place in names
        if len(name) >= least and name.startswith(first) and name.endswith(last)
    ]
