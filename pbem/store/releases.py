"""The releases of pbem that this program knows: the engine of each, and the scenarios, maps and tables that
came with it.

They stand in ``pbem/releases.json``, which is not part of the engine itself: a release can name its own.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from pbem.store import library

FILE: Final = Path(__file__).resolve().parent.parent / "releases.json"


class Release(Struct, frozen=True):
    """A release: its version, the digest of its engine, and the SHA-256 of its files by the names they have
    in a game.
    """

    version: str
    engine: str
    files: Mapping[str, frozenset[str]]

    def has(self, path: str, sha256: str) -> bool:
        """Tell whether such a file came with it under this name."""
        return sha256 in self.files.get(path, ())


@cache
def releases() -> tuple[Release, ...]:
    """Return the releases that are known, oldest first."""
    return tuple(release(entry) for entry in json.loads(FILE.read_text("utf-8")))


def release(entry: Mapping[str, Any]) -> Release:
    """Return a release as its entry in the file says it."""
    return Release(
        entry["version"], entry["engine"], {path: frozenset(found) for path, found in entry["files"].items()}
    )


def release_with(engine: str) -> Release | None:
    """Return the release that has an engine of this digest, or None."""
    return next((one for one in releases() if one.engine == engine), None)


def releases_with(path: str, sha256: str) -> tuple[Release, ...]:
    """Return the releases with which such a file came under this name, oldest first."""
    return tuple(one for one in releases() if one.has(path, sha256))


def entry(engine: Mapping[str, str], shipped: Iterable[tuple[str, bytes]]) -> dict[str, Any]:
    """Return what the file says of a program with this engine and these files (their names in a game, and
    their bytes).
    """
    files: dict[str, set[str]] = {}
    for path, data in shipped:
        files.setdefault(path, set()).add(hashlib.sha256(data).hexdigest())
    return {
        "version": engine["version"],
        "engine": engine["sha256"],
        "files": {path: sorted(found) for path, found in sorted(files.items())},
    }


def own_entry() -> dict[str, Any]:
    """Return the entry of this very program."""
    return entry(library.engine(), library.shipped())
