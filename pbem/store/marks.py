"""What the system says of every file below some folders, as one digest: who has it once more knows that no
file was written, came or went since.

A file that is written changes its size, its time, or the time at which anything of it changed, which nobody
can set; a copy is another file. Times have steps, so of a file that had been written just before its mark was
taken the bytes count too.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import time
from collections.abc import Callable, Iterable
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Final

from msgspec import Struct, msgpack

import pbem
from pbem.resources import folder

FRESH: Final = 10_000_000_000
"""Nanoseconds for which a file counts as just written: the steps of file systems, and clocks that differ."""
MOST: Final = 20_000
"""Files that are looked at; of more nothing is said."""
_OURS: Final = (".py", ".yaml", ".json")
_PASSED: Final = ("__pycache__", "_data", "verifiers")


class Marks(Struct, frozen=True):
    """The digest of what the system says of some files, and the SHA-256 of those that had just been written,
    by their paths.
    """

    digest: str
    fresh: dict[str, str]


def of_folders(
    places: Iterable[Path], wanted: Callable[[str], bool] = lambda name: True, now: int | None = None
) -> Marks | None:
    """Return the marks of all files below some places, ``wanted`` by their names (of folders too).

    None where there are too many, one cannot be looked at, or one is a link or no file. ``now`` is in
    nanoseconds.
    """
    seal, count = hashlib.sha256(), 0
    since = (time.time_ns() if now is None else now) - FRESH
    waiting, fresh = [str(place) for place in places], dict[str, str]()
    try:
        while waiting:
            place = waiting.pop()
            told: list[object] = [os.fsencode(place)]
            for entry in _entries(place):
                name = entry.name
                if not wanted(name):
                    continue
                found = entry.stat(follow_symlinks=False)
                mode, written, changed = found.st_mode, found.st_mtime_ns, found.st_ctime_ns
                count += 1
                if stat.S_ISDIR(mode):
                    waiting.append(entry.path)
                    continue
                if not stat.S_ISREG(mode) or count > MOST:
                    return None
                told.append((os.fsencode(name), mode, found.st_size, written, changed, found.st_ino))
                if written > since or changed > since:
                    fresh[entry.path] = _sha256(entry.path)
            seal.update(msgpack.encode(told))
    except OSError:
        return None
    return Marks(seal.hexdigest(), fresh)


def are_same(before: Marks, *places: Path) -> bool:
    """Tell whether no file below some places was written, came or went since their marks were taken."""
    now = of_folders(places, now=sys.maxsize)
    try:
        return (
            now is not None
            and now.digest == before.digest
            and all(_sha256(path) == sha256 for path, sha256 in before.fresh.items())
        )
    except (OSError, ValueError):
        return False


def _sha256(path: str) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def _entries(place: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(place) as entries:
            return sorted(entries, key=attrgetter("name"))
    except FileNotFoundError:
        return []


@cache
def of_readers() -> str | None:
    """Return what tells the modules that read YAML and make tables of it from others, and the Python that
    runs them; None where that cannot be told.
    """
    package = Path(pbem.__file__).parent
    own = [
        of_folders((package / "core", package / "text"), _is_ours),
        of_folders((package / "rulesets",), lambda name: name == "tables.py"),
        of_folders((package / "store",), lambda name: name in ("library.py", "plain.py")),
    ]
    if None in own:
        return None
    return hashlib.sha256(repr((pbem.__version__, sys.version, own)).encode()).hexdigest()


@cache
def of_rules() -> str | None:
    """Return what tells all that makes a game of its files from another: what reads them, and the rulesets
    that come with pbem.
    """
    readers, package = of_readers(), Path(pbem.__file__).parent
    own = of_folders((package / "geometry", package / "rulesets"), _is_ours)
    return None if readers is None or own is None else readers + own.digest + repr(own.fresh)


@cache
def of_program() -> str | None:
    """Return what tells this program from another: its modules, tables and words, the scenarios that come
    with it, and the Python that runs it.
    """
    own = of_folders((Path(pbem.__file__).parent,), _is_ours)
    scenarios = of_folders((folder("scenarios"),))
    if own is None or scenarios is None:
        return None
    said = (pbem.__version__, sys.version, own.digest, own.fresh, scenarios.digest, scenarios.fresh)
    return hashlib.sha256(repr(said).encode()).hexdigest()


def _is_ours(name: str) -> bool:
    return name not in _PASSED and ("." not in name or name.endswith(_OURS))
