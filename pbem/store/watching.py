"""Files of a game that were read, and whether they are still the same: by what the system says of each, and
by their bytes where that does not settle it.

A file that is written changes its size, its time, or the time at which anything of it changed, which nobody
can set; a copy is another file. Times have steps, so of a file that was written shortly before it was read
they do not tell whether it was written once more: its bytes are looked at until that is long ago. Systems
without the time of a change (Windows) tell nothing of who writes as many bytes and sets the time back.
"""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import attrgetter
from typing import Any, Final

from msgspec import Struct, field, json

from pbem.store.gamedir import GameDir, is_private
from pbem.store.marks import FRESH as FRESH

_AT_FOLDER: Final = os.stat in os.supports_dir_fd and os.open in os.supports_dir_fd

Mark = tuple[int, int, int, int, int]
"""What the system says of a file: kind and rights, size, when it was written, when it changed, its number."""


_mark: Callable[[os.stat_result], Mark] = attrgetter(
    "st_mode", "st_size", "st_mtime_ns", "st_ctime_ns", "st_ino"
)


class Bytes(Struct, frozen=True):
    """Bytes that a name stood for: their SHA-256, and the private file that they lay in until it is there
    under this name; empty where they lay there.
    """

    sha256: str
    until: str = ""


class Changed(Exception):
    """A file is not the one that was read."""


class Watch(Struct):
    """What was read of a folder: a mark of each file, names that nothing lay under, and bytes to be compared.

    As an archive it gives the files, and notes them; ``hidden`` are files that lie elsewhere still.
    """

    folder: GameDir
    hidden: dict[str, bytes] = field(default_factory=dict)
    marks: dict[str, Mark] = field(default_factory=dict)
    absent: set[str] = field(default_factory=set)
    compared: dict[str, Bytes] = field(default_factory=dict)
    begun: int = field(default_factory=time.time_ns)
    _before: list[tuple[str, list[str], bytes]] = field(default_factory=list)
    """Folders with their names and marks as they were found again, packed."""
    _settled: int = 0
    """Files whose bytes were compared this time and need not be any more."""

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        yield from self.folder

    def __contains__(self, path: object) -> bool:
        """Tell whether there is such a file."""
        return isinstance(path, str) and self._get(path) is not None

    def __getitem__(self, path: str) -> bytes:
        """Return the bytes of a file; KeyError if there is none."""
        data = self._get(path)
        if data is None:
            raise KeyError(path)
        return data

    def _get(self, path: str) -> bytes | None:
        if path in self.hidden:
            return self.hidden[path]
        found = None if is_private(path) else self.folder.look(path)
        if found is None:
            self.absent.add(path)
            return None
        self._note(path, *found)
        return found[1]

    def _note(self, path: str, found: os.stat_result, data: bytes) -> None:
        self.absent.discard(path)
        self.marks[path] = _mark(found)
        if max(found.st_mtime_ns, found.st_ctime_ns) > self.begun - FRESH:
            self.compared[path] = Bytes(hashlib.sha256(data).hexdigest())
        else:
            self.compared.pop(path, None)

    def hide(self, path: str, until: str, data: bytes) -> None:
        """Give these bytes by a name under which nothing lies yet; they lie in a private file until then."""
        self.hidden[path] = data
        self.compared[path] = Bytes(hashlib.sha256(data).hexdigest(), until)

    # --- put down and found again

    def put_down(self) -> dict[str, Any]:
        """Return all of it in plain form."""
        folders: dict[str, dict[str, Mark]] = {
            folder: dict(zip(names, json.decode(packed), strict=True))
            for folder, names, packed in self._before
        }
        for path, mark in self.marks.items():
            folder, _, name = path.rpartition("/")
            folders.setdefault(folder, {})[name] = mark
        return {
            "folders": [
                [folder, "/".join(marks), _digest(_packed(marks.values()))]
                for folder, marks in folders.items()
            ],
            "absent": sorted(self.absent - self.hidden.keys()),
            "bytes": [[path, one.sha256, one.until] for path, one in sorted(self.compared.items())],
        }

    def found_in(self, inner: str) -> list[str]:
        """Return the names of the files right inside a folder that were found again."""
        return next((names for folder, names, _ in self._before if folder == inner), [])

    @property
    def is_worth_it(self) -> bool:
        """Tell whether bytes were compared that need not be any more when this is put down again."""
        return self._settled > 0


def found_again(folder: GameDir, plain: Mapping[str, Any]) -> Watch:
    """Return what was put down of a folder, where all of it is as it was; Changed where anything is not.

    ValueError, LookupError or TypeError where it is in no such form.
    """
    watch = Watch(folder)
    for inner, listed, digest in plain["folders"]:
        names = str(listed).split("/")
        packed = _now(folder, str(inner), names)
        if packed is None or _digest(packed) != digest:
            raise Changed(inner)
        watch._before.append((str(inner), names, packed))
    for path in plain["absent"]:
        if folder.look(path) is not None:
            raise Changed(path)
        watch.absent.add(str(path))
    for path, sha256, until in plain["bytes"]:
        _compare(watch, str(path), str(sha256), str(until))
    return watch


def _compare(watch: Watch, path: str, sha256: str, until: str) -> None:
    found = watch.folder.look(path)
    data = watch.folder.read(until) if found is None and until else found[1] if found is not None else None
    if data is None or hashlib.sha256(data).hexdigest() != sha256:
        raise Changed(path)
    if found is None:
        watch.hide(path, until, data)
        return
    watch._note(path, *found)
    watch._settled += path not in watch.compared


def _now(folder: GameDir, inner: str, names: list[str]) -> bytes | None:
    """Return the marks of files right inside a folder of a game, packed; None where one of them is not there,
    or the way there is by a link.
    """
    place = str(folder.root)
    try:
        for part in inner.split("/") if inner else ():
            place = f"{place}/{part}"
            if not stat.S_ISDIR(os.lstat(place).st_mode):
                return None
        if not _AT_FOLDER:
            return _packed(_mark(os.lstat(f"{place}/{name}")) for name in names)
        at = os.open(place, os.O_RDONLY)
        try:
            # There are thousands in a long game, at every opening.
            return _packed([_mark(os.lstat(name, dir_fd=at)) for name in names])
        finally:
            os.close(at)
    except (OSError, ValueError):
        return None


def _packed(marks: Iterable[Mark]) -> bytes:
    return json.encode(list(marks))


def _digest(packed: bytes) -> str:
    return hashlib.sha256(packed).hexdigest()
