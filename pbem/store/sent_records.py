"""What a computer knows to have been told of a game: the heads of its ledger that went out, and to whom.

Kept twice: with the user's own data, where no copy of the game carries it away, and in the folder of the
game, where it goes along to another computer. What cannot be read is as if nothing were known.
"""

from __future__ import annotations

import json
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from msgspec import DecodeError, Struct
from msgspec.json import format as indented
from msgspec.structs import replace

from pbem.core.regex import regex
from pbem.store import disk
from pbem.text.codec import from_json

FILE: Final = "told.json"
MOST: Final = 40
"""So many of the newest heads are kept."""
_SIZE: Final = 65_536
_ID: Final = regex(r"[0-9a-f]{64}")
_AT: Final = regex(r"[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]Z")
_WORD: Final = regex(r"[a-z][a-z0-9]{0,15}")


class SentRecord(Struct, frozen=True):
    """A record of the ledger that went out: its number, its id, what it is, its slot (0: none), when, to
    which seats, from which folder.
    """

    n: int
    id: str
    kind: str
    slot: int
    at: str
    to: tuple[str, ...] = ()
    folder: str = ""
    anew: tuple[int, ...] = ()
    """The slots from which the game was gone on with anew, though others had gone out already."""


def read(path: Path) -> tuple[SentRecord, ...]:
    """Return what a file knows, the newest last."""
    try:
        with path.open("rb") as file:
            return _read(file.read(_SIZE + 1))
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return ()


_KEYS: Final = SentRecord.__struct_fields__


@lru_cache(maxsize=16)
def _read(data: bytes) -> tuple[SentRecord, ...]:
    """Return what these bytes say: they are looked at several times in each verb, and only they decide."""
    return tuple(map(_told, from_json(data)[-MOST:]))


def _told(said: Any) -> SentRecord:
    found = SentRecord(
        int(said["n"]),
        str(said["id"]),
        str(said["kind"]),
        int(said["slot"]),
        str(said["at"]),
        tuple(map(str, said["to"])),
    )
    words = (found.kind, *found.to)
    if not (
        _ID.fullmatch(found.id)
        and _AT.fullmatch(found.at)
        and all(map(_WORD.fullmatch, words))
        and 0 < found.n <= 99_999
    ):
        raise ValueError(said)
    return replace(
        found, folder=str(said.get("folder", ""))[:1000], anew=tuple(map(int, said.get("anew", ())))[-MOST:]
    )


def note(path: Path, told: SentRecord, *, private: bool) -> None:
    """Add what was told just now; ``private``: for the owner's eyes alone.

    The copy in the folder of the game lies beside the record itself, and goes where that goes.
    """
    known = (*(one for one in read(path) if one.id != told.id), told)[-MOST:]
    plain = [
        {key: value for key in _KEYS if (value := getattr(one, key)) or key not in ("folder", "anew")}
        for one in known
    ]
    data = json.dumps(plain).encode()
    with suppress(DecodeError):  # the folder of the game has a name that is no text
        data = indented(data, indent=1)
    disk.replace(path, data + b"\n", private=private, lasting=private)
