"""The letters that an office has taken in: kept byte for byte before anything is done with them, put away
when everything is done.

Decides that no letter is lost, none kept twice and none finished twice; what a letter means, and what is done
about it, is decided elsewhere. Under ``post/new`` lie those that wait, by the order of their arrival; under
``post/done`` the others by month, each with its outcome beside it. The outcome is written first: a letter
that has one is done, wherever it lies.

The first line of a kept file is ours (``X-PBEM-Kept``: when and where from); the letter follows as it came.
Its id is the beginning of the SHA-256 of the letter.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from pbem.core.regex import regex
from pbem.store import disk
from pbem.store.spool import MOST, iso
from pbem.text.characters import printable

_NAME: Final = regex(r"(?P<stamp>\d{8}T\d{6}Z)-(?P<number>\d{6,9})-(?P<id>[0-9a-f]{32})\.eml")
_LINE: Final = regex(
    rb"X-PBEM-Kept: (?P<arrived>[0-9TZ:-]{20}); size (?P<size>\d{1,18}); (?P<source>[^\r\n]*)\r\n"
)
BEGINNING: Final = 262_144
"""Bytes kept of a letter that is too long to be read whole: who sent it and its text, which stands before the
pictures.
"""
_SOURCE: Final = 300
_LONGEST_LINE: Final = 2_000


class WaitingLetter(Struct, frozen=True):
    """A letter that waits. ``arrived`` is when it came to the umpire, ``source`` where from, ``size`` the
    length of the whole letter.

    Of one that is too long only the beginning is kept; then ``data`` is filled up with empty lines, so that
    it is too long for whoever reads it.
    """

    id: str
    arrived: str
    source: str
    data: bytes
    size: int
    name: str


def identify(raw: bytes) -> str:
    """Return the id of a letter."""
    return hashlib.sha256(raw).hexdigest()[:32]


class Postbag:
    """The letters of the office in one folder, such as ``DIR/post``. The caller holds the office alone."""

    def __init__(self, folder: Path) -> None:
        self.new = folder / "new"
        self.done = folder / "done"
        self._waiting: set[bytes] = set()
        self._finished: set[bytes] = set()
        self._numbers: dict[str, int] = {}
        self._looked = False

    def _look(self) -> None:
        """Find out once which letters there are: by their names, so that ten thousand take no time and little
        room.
        """
        if self._looked:
            return
        self._looked = True
        for folder in _folders(self.done):
            for found in _named(folder):
                self._finished.add(bytes.fromhex(found["id"]))
        for found in _named(self.new):
            self._waiting.add(bytes.fromhex(found["id"]))
            self._numbers[found["stamp"]] = max(self._numbers.get(found["stamp"], 0), int(found["number"]))

    def knows(self, id: str) -> bool:
        """Tell whether a letter was ever kept."""
        self._look()
        return bytes.fromhex(id) in self._waiting or self.is_done(id)

    def is_done(self, id: str) -> bool:
        """Tell whether everything was done about a letter."""
        self._look()
        return bytes.fromhex(id) in self._finished

    def keep(self, raw: bytes, arrived: str, source: str, *, size: int = 0) -> str:
        """Keep a letter unless it is known, and return its id; when this returns it is safe. ``size``: where
        ``raw`` is but its beginning.

        ``arrived`` is a moment such as ``2026-03-01T18:00:00Z``; where nobody noted it the caller gives the
        present. Letters of the same second stay in the order in which they are kept.
        """
        id = identify(raw)
        if self.knows(id):
            return id
        moment = iso(datetime.fromisoformat(arrived))
        stamp = re.sub("[-:]", "", moment)
        number = self._numbers.get(stamp, 0) + 1
        whole = max(size, len(raw))
        line = f"X-PBEM-Kept: {moment}; size {whole}; {printable(source)[:_SOURCE]}\r\n".encode(
            "utf-8", "replace"
        )
        data = raw if whole <= MOST else raw[:BEGINNING]
        disk.create(self.new / f"{stamp}-{number:06d}-{id}.eml", line + data, private=True)
        self._numbers[stamp] = number
        self._waiting.add(bytes.fromhex(id))
        return id

    def arrivals(self) -> dict[str, str]:
        """Return when each letter that was ever kept arrived, by its id."""
        found = [match for folder in (self.new, *_folders(self.done)) for match in _named(folder)]
        return {match["id"]: _moment(match["stamp"]) for match in found}

    def waiting(self) -> Iterator[WaitingLetter]:
        """Yield the letters that wait, in the order of their arrival; one whose outcome is written is only
        put away.
        """
        for found in sorted(
            _named(self.new), key=lambda found: (found["stamp"], int(found["number"]), found["id"])
        ):
            name = found[0]
            if self._outcome(name).is_file():
                self._put_away(name, found["id"])
                continue
            with suppress(FileNotFoundError):
                yield _read(self.new / name, found["id"])

    def finish(self, kept: WaitingLetter, outcome: Mapping[str, Any]) -> None:
        """Write the outcome of a letter and put it away; doing it again changes nothing but the outcome."""
        disk.replace(
            self._outcome(kept.name),
            json.dumps(outcome, indent=1, ensure_ascii=False).encode() + b"\n",
            private=True,
        )
        self._put_away(kept.name, kept.id)

    def place(self, kept: WaitingLetter) -> Path:
        """Return where a letter lies when it is finished."""
        return self._outcome(kept.name).with_suffix(".eml")

    def _outcome(self, name: str) -> Path:
        return self.done / f"{name[:4]}-{name[4:6]}" / name.replace(".eml", ".json")

    def _put_away(self, name: str, id: str) -> None:
        with suppress(FileNotFoundError):
            disk.move(self.new / name, self._outcome(name).with_suffix(".eml"))
        self._look()
        self._waiting.discard(bytes.fromhex(id))
        self._finished.add(bytes.fromhex(id))


def _folders(folder: Path) -> list[Path]:
    with suppress(OSError), os.scandir(folder) as entries:
        return [Path(entry.path) for entry in entries if entry.is_dir(follow_symlinks=False)]
    return []


def _named(folder: Path) -> list[re.Match[str]]:
    """Return the names of the letters in a folder, taken apart; what else lies there is no letter of ours."""
    with suppress(OSError), os.scandir(folder) as entries:
        return [
            found
            for entry in entries
            if (found := _NAME.fullmatch(entry.name)) and entry.is_file(follow_symlinks=False)
        ]
    return []


def _moment(stamp: str) -> str:
    """Return the moment that the name of a kept letter begins with."""
    return f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:11]}:{stamp[11:13]}:{stamp[13:16]}"


def _read(path: Path, id: str) -> WaitingLetter:
    """Return a letter that waits."""
    with path.open("rb") as file:
        first = file.readline(_LONGEST_LINE)
        found = _LINE.fullmatch(first)
        data = (b"" if found else first) + file.read(MOST + 1)
    arrived = _moment(path.name)
    size = int(found["size"]) if found else len(data)
    if size > MOST:
        data += b"\n" * (MOST + 1 - len(data))
    return WaitingLetter(
        id, arrived, found["source"].decode("utf-8", "replace") if found else "", data, size, path.name
    )
