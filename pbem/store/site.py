"""A folder of files that anybody may look at: written again only where they changed, and taken away when they
are gone, but never a file that was not made here.

``site.json`` in it lists what was made and with which bytes. It is written before files change, with the old
and the new bytes of each, so that a program that ends in between leaves nothing which the next one would not
know as its own; each file is at every moment the old one or the new one, whole.
"""

from __future__ import annotations

import hashlib
import json
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from pbem.core.regex import regex
from pbem.store import disk
from pbem.text.codec import from_json

__all__ = ["LIST", "Foreign", "Site", "opened"]

LIST: Final = "site.json"
FORMAT: Final = "pbem site 1"
_PATH: Final = regex(r"[a-z0-9][a-z0-9._-]{0,80}(?:/[a-z0-9][a-z0-9._-]{0,80}){0,4}")


class Foreign(Exception):
    """A file that was not made here stands where one is to be written; ``path`` is its place."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self.path = path


class Site:
    """Such a folder, held alone; ``private``: for its owner's eyes."""

    def __init__(self, folder: Path, *, private: bool = False) -> None:
        self.folder, self.private = folder, private
        self.written = self.removed = 0
        self._made = _read(folder)
        self._kept: set[str] = set()

    def has(self, path: str) -> bool:
        """Tell whether a file was made here and still has the bytes that it was given."""
        if path not in self._made or _in_the_way(self.folder, path):
            return False
        return _digest(self.folder / path) in self._made[path]

    def keep(self, *paths: str) -> None:
        """Let files stay as they are."""
        self._kept.update(paths)

    def put(self, files: Mapping[str, bytes]) -> None:
        """Write some files, each only where its bytes are others; raise ``Foreign``, and write none of them,
        where one would take the place of a file that was not made here.
        """
        changed = {}
        for path, data in files.items():
            if _PATH.fullmatch(path) is None:
                raise ValueError(path)
            place, digest = self.folder / path, hashlib.sha256(data).hexdigest()
            if _in_the_way(self.folder, path):
                raise Foreign(place)
            there = _digest(place)
            if there not in (None, digest, *self._made.get(path, ())):
                raise Foreign(place)
            if there != digest:
                changed[path] = data
            self._made[path] = tuple(dict.fromkeys([*self._made.get(path, ()), digest]))
        self._kept.update(files)
        if not changed:
            return
        self._list()
        for path, data in changed.items():
            disk.replace(self.folder / path, data, private=self.private, lasting=False)
            self.written += 1

    def finish(self) -> None:
        """Take away what was made here before and is there no more, and write down what is."""
        for path in sorted(set(self._made) - self._kept):
            if self.has(path):
                disk.remove(self.folder / path)
                self.removed += 1
                for parent in Path(path).parents:
                    if parent != Path():
                        disk.remove_folder(self.folder / parent)
            del self._made[path]
        for path, digests in self._made.items():
            found = _digest(self.folder / path)
            self._made[path] = (found,) if found in digests and found is not None else digests
        self._list()

    def _list(self) -> None:
        said = {"format": FORMAT, "files": {path: list(self._made[path]) for path in sorted(self._made)}}
        data = json.dumps(said, indent=0, sort_keys=True).encode() + b"\n"
        disk.put(self.folder / LIST, data, private=self.private)


@contextmanager
def opened(folder: Path, *, private: bool = False) -> Iterator[Site]:
    """Hold such a folder alone; it is made where there is none. Raise ``Foreign`` where a file by the name of
    its list is none, ``disk.Busy`` while another program is at it.
    """
    disk.make_folder(folder, private=private)
    with disk.exclusive(folder):
        yield Site(folder, private=private)


def _read(folder: Path) -> dict[str, tuple[str, ...]]:
    path = folder / LIST
    try:
        said = from_json(path.read_bytes())
        if said["format"] != FORMAT:
            raise ValueError(said["format"])
        return {
            str(name): tuple(map(str, digests))
            for name, digests in said["files"].items()
            if _PATH.fullmatch(str(name))
        }
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        raise Foreign(path) from None


def _digest(path: Path) -> str | None:
    """Return the SHA-256 of a plain file; None where there is none."""
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return None
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None


def _in_the_way(folder: Path, path: str) -> bool:
    """Tell whether something that is no plain file stands where a file is to lie, or something that is no
    folder, such as a link, where its folder is to be.
    """
    place, parts = folder, path.split("/")
    for n, part in enumerate(parts):
        place = place / part
        try:
            mode = place.lstat().st_mode
        except OSError:
            return False
        if not (stat.S_ISDIR(mode) if n < len(parts) - 1 else stat.S_ISREG(mode)):
            return True
    return False
