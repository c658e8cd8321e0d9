"""What a player's computer has seen of a game: the newest record, and how far the rules were played again, by
which program.

Kept with the user's own secrets, for it decides what leaves him. What cannot be read is as if nothing were
known.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, to_builtins

from pbem.core.regex import regex
from pbem.store import disk
from pbem.text.codec import from_json

FILE: Final = "heads.json"
_SIZE: Final = 4096
_ID: Final = regex(r"[0-9a-f]{64}")
_AT: Final = regex(r"[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]Z")


class Head(Struct, frozen=True):
    """A record of the ledger: its number, its id, the newest slot that is locked with it (0: none), and when
    it was seen.
    """

    n: int
    id: str
    slot: int
    at: str


class Seen(Struct, frozen=True):
    """The newest head that was seen in a signed history, and the newest up to which the rules came out as the
    history says.

    ``engine`` is the digest of the program that played them again.
    """

    newest: Head | None = None
    replayed: Head | None = None
    engine: str = ""


def read(path: Path) -> Seen:
    """Return what a file knows."""
    try:
        with path.open("rb") as file:
            said = from_json(file.read(_SIZE + 1))
        engine = str(said["engine"])
        return Seen(_head(said["newest"]), _head(said["replayed"]), engine if _ID.fullmatch(engine) else "")
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return Seen()


def _head(said: Any) -> Head | None:
    if said is None:
        return None
    found = Head(int(said["n"]), str(said["id"]), int(said["slot"]), str(said["at"]))
    if not (
        _ID.fullmatch(found.id)
        and _AT.fullmatch(found.at)
        and 0 < found.n <= 99_999
        and 0 <= found.slot <= 10_000
    ):
        raise ValueError(said)
    return found


def write(path: Path, seen: Seen) -> None:
    """Write down what was seen, whole or not at all."""
    disk.replace(path, json.dumps(to_builtins(seen), indent=1).encode() + b"\n", private=True)
