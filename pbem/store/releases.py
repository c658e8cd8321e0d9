"""Which releases there are: the digests of their engine, their verifiers and the files that they ship (``pbem/releases.json``).

Only ``make digests`` writes that file. The digest of an engine that was never released is not in it, so nobody can be told to install it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from pbem.store.library import VERIFIERS, verifiers

FILE: Final = Path(__file__).resolve().parent.parent / "releases.json"
_VERIFIERS: Final = "pbem/verifiers/"


@dataclass(frozen=True, slots=True)
class Release:
    """A version that was published, on a day (``2026-12-01``): the digest of its engine, and of files by their path in the repository."""

    version: str
    date: str
    engine: str
    files: Mapping[str, str]


@cache
def releases() -> tuple[Release, ...]:
    """Return the releases that this program knows, newest first; none before the first."""
    return tuple(Release(one["version"], one["date"], one["engine"], one["files"]) for one in _read()["releases"])


def release_of(engine: str) -> Release | None:
    """Return the release whose engine has this SHA-256, or None: an engine that nobody released."""
    return next((release for release in releases() if release.engine == engine), None)


@cache
def known_verifiers() -> Mapping[str, frozenset[str]]:
    """Return the SHA-256 of every verifier, by its name: of this program, of each release, and of archives written in between."""
    known = {name: {hashlib.sha256(verifiers()[f"verify/{name}"]).hexdigest()} for name in VERIFIERS}
    for release in releases():
        for name in VERIFIERS:
            known[name].update(digest for path, digest in release.files.items() if path == _VERIFIERS + name)
    for name, digests in _read()["earlier"].items():
        known[name].update(digests)
    return {name: frozenset(digests) for name, digests in known.items()}


def _read() -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads(FILE.read_text("utf-8"))
    return found
