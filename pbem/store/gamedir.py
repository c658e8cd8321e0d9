"""A game on disk: which files belong to it, and reading and writing them by their relative names.

Gives a folder the shape of ``proof.archive.Archive``. What stands in the files is not decided here; pending
mail is in ``received``.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from pbem.core.regex import regex
from pbem.proof.archive import sig_path
from pbem.proof.canonical import MAX_FILE
from pbem.store import disk

ASIDE = "aside"
"""Where files lie that did not fit the game and were set aside."""
PRIVATE = ("mail", "outbox", "forum", "game.toml", "told.json", ASIDE)
"""Never packed and no part of the archive: raw letters, letters to send, which posts were seen, names and
addresses, what was told, what was set aside."""
MAX_NAME, MAX_DEPTH = 400, 16
"""Names with more letters, or in more folders, are of no game."""
_PLAINLY = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
_BAD = regex(r'[\x00-\x1f\\:<>"|?*]')


class UnsafePath(ValueError):
    """A name that leads out of the game, or is none."""


def safe(path: str) -> str:
    """Return a relative name with ``/`` that stays inside its folder on every system; raise UnsafePath for
    any other.
    """
    if _BAD.search(path) or any(
        not part or part.startswith(".") or part.endswith((".", " ")) for part in path.split("/")
    ):
        raise UnsafePath(path)
    return path


def is_private(path: str) -> bool:
    """Tell whether a file of a game is none of its archive."""
    return path.partition("/")[0] in PRIVATE


def is_passed_over(path: str) -> bool:
    """Tell whether a name is none that a game has: hidden, left by a Mac or a Windows in its archives, or
    without measure.
    """
    if len(path) > MAX_NAME or path.count("/") >= MAX_DEPTH:
        return True
    return any(part.startswith(".") or part == "__MACOSX" for part in path.split("/"))


class GameDir:
    """A game folder, seen as an archive: plain files only, no links, nothing hidden, nothing private."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.committed: list[str] = []
        """The names of the signed records that were written here, in their order."""

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the plain files."""
        waiting = [(self.root, "")]
        while waiting:
            folder, before = waiting.pop()
            try:
                entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
            except OSError:
                continue
            inner = []
            for entry in entries:
                name = before + entry.name
                if is_passed_over(name) or name in PRIVATE or entry.is_symlink():
                    continue
                if entry.is_dir(follow_symlinks=False):
                    inner.append((Path(entry.path), name + "/"))
                elif entry.is_file(follow_symlinks=False):
                    yield name
            waiting += reversed(inner)

    def __contains__(self, path: object) -> bool:
        """Tell whether a plain file has this name."""
        return isinstance(path, str) and self.read(path) is not None

    def __getitem__(self, path: str) -> bytes:
        """Return the bytes of a file; KeyError if it is not a plain file of the game."""
        data = None if is_private(path) else self.read(path)
        if data is None:
            raise KeyError(path)
        return data

    def read(self, path: str) -> bytes | None:
        """Return the bytes of a plain file of at most 16 MiB (also a private one), or None; links are
        followed nowhere.
        """
        found = self.look(path)
        return None if found is None else found[1]

    def look(self, path: str) -> tuple[os.stat_result, bytes] | None:
        """Return what the system says of such a file, as it was before it was read, and its bytes."""
        try:
            place, found = str(self.root), None
            for part in safe(path).split("/"):
                if found is not None and not stat.S_ISDIR(found.st_mode):
                    return None
                place = f"{place}/{part}"
                found = os.lstat(place)
            if found is None or not stat.S_ISREG(found.st_mode) or found.st_size > MAX_FILE:
                return None
            with os.fdopen(os.open(place, _PLAINLY), "rb") as file:
                return found, file.read()
        except (OSError, UnsafePath):
            return None

    def put(self, path: str, data: bytes, *, lasting: bool = True) -> None:
        """Make sure that a file holds these bytes; a private one is for its owner's eyes alone. ``lasting``
        as ``disk.replace`` has it.
        """
        disk.put(self._place(path), data, private=is_private(path), lasting=lasting)

    def create(self, path: str, data: bytes) -> None:
        """Write a new file, as ``put`` does; raise FileExistsError if there is one."""
        disk.create(self._place(path), data, private=is_private(path))

    def _place(self, path: str) -> Path:
        """Return where a file is written; a folder of private files that others could look into is closed
        first. FileNotFoundError where the game is gone: what was written there now would grow into a second
        one beside that which was moved.
        """
        if not self.root.is_dir():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(self.root))
        folder = self.root / path.partition("/")[0]
        if (
            is_private(path)
            and folder.is_dir()
            and not folder.is_symlink()
            and stat.S_IMODE(folder.stat().st_mode) & 0o077
        ):
            with suppress(OSError):
                folder.chmod(0o700)
        return self.root / safe(path)

    def commit(self, path: str, data: bytes, signature: str) -> None:
        """Write a signed record, its signature first: the record itself is the moment from
        which it counts.
        """
        self.put(sig_path(path), signature.encode())
        self.create(path, data)
        self.committed.append(path)

    def names(self, folder: str, begin: str = "", but: Collection[str] = ()) -> tuple[str, ...]:
        """Return the names of the plain files right inside a folder of the game, private ones too, sorted;
        with ``begin`` those whose own names begin so, and without those whose own names are in ``but``.
        """
        place = f"{self.root}/{safe(folder)}"
        try:
            # A folder of a long game has thousands of files, and few are wanted: only those are looked at.
            others = set(os.listdir(place)).difference(but)  # noqa: PTH208
        except OSError:
            return ()
        found = sorted([name for name in others if name.startswith(begin)]) if begin else sorted(others)
        return tuple(
            [f"{folder}/{name}" for name in found if name[0] != "." and _is_plain(f"{place}/{name}")]
        )

    def last(self, folder: str, end: str) -> str | None:
        """Return the last name right inside a folder of the game that ends so."""
        try:
            names = os.listdir(f"{self.root}/{safe(folder)}")  # noqa: PTH208
        except OSError:
            return None
        found = max([name for name in names if name.endswith(end) and name[0] != "."], default=None)
        return None if found is None else f"{folder}/{found}"

    def exclusive(self, patience: float = disk.PATIENCE) -> AbstractContextManager[None]:
        """Hold the game alone while writing; raise ``disk.Busy`` if another program does not let go."""
        return disk.exclusive(self.root, patience)


def _is_plain(place: str) -> bool:
    try:
        return stat.S_ISREG(os.lstat(place).st_mode)
    except OSError:
        return False


def plain_files(root: Path, most: int = 65_536, count: int = 20_000) -> dict[str, bytes]:
    """Return the plain files below any folder by relative name: at most ``count``, none above ``most`` bytes;
    links are not followed.
    """
    found: dict[str, bytes] = {}
    waiting = [(root, "")]
    while waiting:
        folder, before = waiting.pop()
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                if entry.name.startswith(".") or len(found) >= count:
                    continue
                if entry.is_dir(follow_symlinks=False):
                    waiting.append((Path(entry.path), f"{before}{entry.name}/"))
                elif (
                    entry.is_file(follow_symlinks=False) and entry.stat(follow_symlinks=False).st_size <= most
                ):
                    with suppress(OSError), os.fdopen(os.open(entry.path, _PLAINLY), "rb") as file:
                        found[before + entry.name] = file.read(most)
    return found
