"""The record of a tournament in its folder, and what this computer knows of it: how far it had come."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from pbem.store import disk
from pbem.store.gamedir import GameDir
from pbem.text.codec import from_json

FILE: Final = "draws.jsonl"
_KNOWN: Final = "draws.json"


def read(folder: Path) -> bytes | None:
    """Return the record; None where there is none, or one that is no plain file or too big."""
    return GameDir(folder).read(FILE)


def append(folder: Path, line: bytes, secrets: Path, digests: tuple[str, ...]) -> None:
    """Write one more line, at once or not at all; ``digests`` are those of all lines then.

    It is noted among the owner's secrets then, so that a copy that is older is recognised.
    """
    disk.replace(folder / FILE, (read(folder) or b"") + line)
    disk.replace(secrets / _KNOWN, json.dumps(digests).encode() + b"\n", private=True)


def known(secrets: Path) -> tuple[str, ...]:
    """Return the digests of all lines that were ever written on this computer."""
    try:
        listed = from_json((secrets / _KNOWN).read_text("utf-8"))
        return tuple(str(one) for one in listed)
    except (OSError, ValueError, TypeError):
        return ()
