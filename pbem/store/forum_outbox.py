"""Posts that go to a thread, and what became of each: kept as files, so that none is made twice and none
forgotten.

``GAME/forum/posts`` holds one small file for each post that was ever tried, by a name made of where it goes
and of its mark. Right before a forum is told a post its file says so; after the answer it says what became of
it. A program that ends in between leaves a post in doubt: what is in doubt is decided by a look at the thread
and never by a guess. What lies here is not part of the proof.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, field, to_builtins
from msgspec.structs import replace

from pbem.store import disk
from pbem.store.spool import iso
from pbem.text.codec import from_json

__all__ = ["DOUBT", "NEW", "STANDS", "WAITS", "Entry", "ForumOutbox"]

NEW, DOUBT, STANDS, WAITS = "new", "doubt", "stands", "waits"
_MOST: Final = 100_000


class Entry(Struct, frozen=True):
    """One post: its mark, and how far it is. ``doubt`` is that it was being sent at ``at``, ``waits`` that a
    moderator has to let it pass.

    ``id`` is the forum's own name of it once it stands; ``own`` are those of our posts that were there before
    it was sent, so that one that came since is noticed. ``pictures`` leads from the hash of each uploaded one
    to what the forum calls it.
    """

    key: str
    mark: str
    thread: str = ""
    state: str = NEW
    id: str = ""
    at: str = ""
    tries: int = 0
    said: str = ""
    own: tuple[str, ...] = ()
    pictures: Mapping[str, str] = field(default_factory=dict)

    def sending(self, now: datetime, own: frozenset[str]) -> Entry:
        """Return the entry of a post of which nobody knows from now on whether it stands."""
        return replace(self, state=DOUBT, at=iso(now), tries=self.tries + 1, own=tuple(sorted(own)), said="")

    def made(self, state: str, id: str) -> Entry:
        """Return the entry of a post that stands, or waits."""
        return replace(self, state=state, id=id, said="")

    def not_made(self, said: str) -> Entry:
        """Return the entry of a post that surely does not stand."""
        return replace(self, state=NEW, said=said)

    def with_picture(self, data: bytes, there: str) -> Entry:
        """Return the entry with one more picture that is uploaded."""
        return replace(self, pictures={**self.pictures, _hash(data): there})

    def picture(self, data: bytes) -> str:
        """Return what the forum calls a picture; empty where it is not there yet."""
        return self.pictures.get(_hash(data), "")


class ForumOutbox:
    """The posts of one game to one thread. The caller holds the folder alone."""

    def __init__(self, folder: Path, thread: str) -> None:
        """Take the folder of a game's forum, and a name of the thread that no other has."""
        self.folder = folder / "posts"
        self.thread = thread

    def entry(self, mark: str) -> Entry:
        """Return what is known of a post."""
        key = hashlib.sha256(f"{self.thread}\n{mark}".encode()).hexdigest()[:32]
        return self._read(key) or Entry(key, mark, self.thread)

    def all(self) -> list[Entry]:
        """Return every post that was ever tried here."""
        with suppress(OSError):
            paths = sorted(self.folder.glob("*.json"))[:10_000]
            return [
                one
                for one in (self._read(path.stem) for path in paths)
                if one is not None and one.thread == self.thread
            ]
        return []

    def note(self, entry: Entry) -> Entry:
        """Write what became of a post; return the entry."""
        said = {name: value for name, value in to_builtins(entry).items() if name != "key" and value}
        disk.replace(
            self.folder / f"{entry.key}.json",
            json.dumps(said, indent=1, ensure_ascii=False).encode() + b"\n",
            private=True,
        )
        return entry

    def _read(self, key: str) -> Entry | None:
        try:
            path = self.folder / f"{key}.json"
            return _entry(key, from_json(path.read_text("utf-8"))) if path.stat().st_size < _MOST else None
        except (OSError, ValueError, AttributeError, KeyError, TypeError):
            return None


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]


def _entry(key: str, said: Mapping[str, Any]) -> Entry:
    return Entry(
        key,
        str(said["mark"]),
        str(said["thread"]),
        state=str(said.get("state", NEW)),
        id=str(said.get("id", "")),
        at=str(said.get("at", "")),
        tries=int(said.get("tries", 0)),
        said=str(said.get("said", "")),
        own=tuple(map(str, said.get("own", ()))),
        pictures={str(name): str(there) for name, there in said.get("pictures", {}).items()},
    )
