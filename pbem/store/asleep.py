"""What an office knows of its games that sleep: of each, what its folders and newest files were like when it
was last looked into, and what a round needs of it without opening it.

A table in ``DIR/post``, made again wherever it is missing, cannot be read, or was made by another program or
under other settings. Nothing is decided by it but which games need not be opened: whoever asks for more of a
game opens it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct, to_builtins

from pbem.store import disk, watching
from pbem.text.codec import from_json

TABLE: Final = "asleep.json"
FORMAT: Final = 1
_FOLDERS: Final = ("", "ledger", "mail", "seats", "rolls", "state", "receipts", "scenario", "tables", "keys")
_FILES: Final = ("game.toml", "told.json")


class Sleeper(Struct, frozen=True):
    """A game that need not be opened before ``wakes`` (seconds of the epoch), as long as its marks stay.

    ``seats`` are its outside seats, who plays each (the id of the player, or empty), and whether it has a
    key; ``rules`` tells games of other rules and fields apart; ``cutoff`` as the office has it.
    """

    id: str
    marks: str
    wakes: float
    title: str
    rules: str
    seats: tuple[tuple[str, str, bool], ...]
    over: bool
    settled: bool
    cutoff: float | None = None


def marks_of(folder: Path, *more: Path, newest: str = "", now: int | None = None) -> str:
    """Return what tells whether anything was written in a game: of its folders, its newest record, what was
    told of it, and ``more`` files.

    ``newest`` is the name of the newest record. Empty where something was written so shortly before ``now``
    (nanoseconds) that it could be written again unseen.
    """
    said = []
    paths: tuple[str | Path, ...] = (*_inner(folder), folder / newest, folder / f"{newest}.sig", *more)
    for path in paths:
        try:
            found = os.lstat(path)
        except OSError:
            said.append("-")
            continue
        if now is not None and max(found.st_mtime_ns, found.st_ctime_ns) > now - watching.FRESH:
            return ""
        said.append(f"{found.st_mode} {found.st_size} {found.st_mtime_ns} {found.st_ctime_ns} {found.st_ino}")
    return hashlib.sha256("\n".join([newest, *said]).encode()).hexdigest() + f" {newest}"


def _inner(folder: Path) -> Iterator[str]:
    yield from (f"{folder}/{name}" for name in (*_FOLDERS, *_FILES))
    try:
        with os.scandir(folder / "seats") as entries:
            yield from sorted(entry.path for entry in entries)
    except OSError:
        return


def is_same(sleeper: Sleeper, folder: Path, *more: Path) -> bool:
    """Tell whether nothing was written in a game since it fell asleep."""
    return marks_of(folder, *more, newest=sleeper.marks.partition(" ")[2]) == sleeper.marks


def read(post: Path, key: str) -> dict[str, Sleeper]:
    """Return the games that sleep, by their folders; none where the table was made otherwise than by ``key``,
    or cannot be read.
    """
    try:
        said = from_json((post / TABLE).read_bytes())
        if (said["format"], said["key"]) != (FORMAT, key):
            return {}
        return {str(folder): _sleeper(one) for folder, one in said["games"].items()}
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return {}


def _sleeper(said: Mapping[str, object]) -> Sleeper:
    seats, cutoff, wakes = said["seats"], said["cutoff"], said["wakes"]
    if not isinstance(seats, list) or not isinstance(wakes, float) or not isinstance(cutoff, float | None):
        raise TypeError(said)
    return Sleeper(
        str(said["id"]),
        str(said["marks"]),
        wakes,
        str(said["title"]),
        str(said["rules"]),
        tuple((str(seat), str(player), bool(keyed)) for seat, player, keyed in seats),
        bool(said["over"]),
        bool(said["settled"]),
        cutoff,
    )


def write(post: Path, key: str, games: Mapping[str, Sleeper]) -> None:
    """Write the table down, where it is not the one that lies there."""
    said = {
        "format": FORMAT,
        "key": key,
        "games": {folder: to_builtins(one) for folder, one in games.items()},
    }
    disk.put(post / TABLE, json.dumps(said, sort_keys=True).encode() + b"\n", private=True, lasting=False)
