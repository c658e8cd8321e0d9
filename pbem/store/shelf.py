"""A shelf for pictures, tables and the like in the user's cache folder: what lies there spares work and is
never needed.

Decides where it stands, that what it gives back is what was put there, byte for byte, and what goes when it
is full. Whatever is wrong with it (no folder, no room, no right to write, a file that was cut short or
changed) is as if nothing lay there, and nothing is said.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

from msgspec import Struct

from pbem.core.regex import regex
from pbem.store import disk

PAINTED: Final = "pictures"
FINISHED: Final = "finished"
LINES: Final = "lines"
READ: Final = "read"
"""Folders for what is painted of the ground, for files that are ready, for tables of lines of sight, and for
what games were read to be.
"""
MOST: Final[Mapping[str, int]] = {
    PAINTED: 250_000_000,
    FINISHED: 60_000_000,
    LINES: 4_000_000,
    READ: 500_000_000,
}
"""Bytes of all files of a folder together; the one unused for longest goes first."""
LARGEST: Final = 80_000_000
"""Bytes of one file."""
_MAGIC: Final = b"pbem shelf 1\n"
_HEAD: Final = len(_MAGIC) + 64
_NAME: Final = regex(r"[0-9a-f]{64}\.kept")
_TEMP: Final = regex(r"\.[0-9a-f]{64}\.[0-9a-f]{8}\.tmp")
_USED: Final = 3600
"""Seconds after which a file that is used is marked as used again."""
_LEFT: Final = 3600
"""Seconds after which a half-written file is one that was left behind by a program that was ended."""
_SPARING: Final = 64
"""One new file in so many is followed by a look through its folder, and so is each with such a share."""
OFF: Final = "off"


class Shelf(Struct, frozen=True):
    """A folder of files, each named by its key and carrying a digest of itself.

    Several programs may use it at once.
    """

    folder: Path
    most: int = MOST[PAINTED]

    def get(self, key: str) -> bytes | None:
        """Return what was put under a key (64 hexadecimal digits); None where it is not
        there as it was put.
        """
        path = self._path(key)
        try:
            head, found = _read(path)
        except (OSError, ValueError):
            return None
        if head != _MAGIC + _seal(key, found):
            return None
        with suppress(OSError, ValueError):
            if time.time() - path.stat().st_mtime > _USED:
                disk.effect("touch", path, lambda: os.utime(path))
        return found

    def put(self, key: str, data: bytes) -> None:
        """Put something under a key, in the place of what was there; it may be gone at any time."""
        path = self._path(key)
        if len(data) > min(LARGEST, self.most) - _HEAD:
            return
        temp, known = path.with_name(f".{key}.{os.urandom(4).hex()}.tmp"), os.path.lexists(path)
        try:
            disk.make_folder(self.folder, private=True)
            flags = (
                os.O_WRONLY
                | os.O_CREAT
                | os.O_EXCL
                | getattr(os, "O_BINARY", 0)
                | getattr(os, "O_NOFOLLOW", 0)
            )
            number = disk.effect("open", temp, lambda: os.open(temp, flags, 0o600))
        except (OSError, ValueError):
            return
        try:
            with os.fdopen(number, "wb") as file:
                disk.effect("write", temp, lambda: file.writelines((_MAGIC, _seal(key, data), data)))
            disk.effect("rename", path, lambda: temp.replace(path))
        except OSError:
            with suppress(OSError):
                disk.remove(temp)
        if not known and self._is_due(key, len(data)):
            self._tidy()

    def _path(self, key: str) -> Path:
        name = f"{key}.kept"
        if not _NAME.fullmatch(name):
            raise ValueError(key)
        return self.folder / name

    def _is_due(self, key: str, size: int) -> bool:
        """Tell whether the folder is gone through after a new file of so many bytes: the more of the room it
        takes, the more likely.

        So a folder is never much more than full, and ten thousand small files are not counted for each that
        comes. Keys are digests, and so as good as chance.
        """
        return int(key[:8], 16) * self.most < max(self.most // _SPARING, size * _SPARING) << 32

    def _tidy(self) -> None:
        """Remove the files unused for longest until the rest has room, and what ended programs left
        half-written; nothing else.
        """
        files: list[tuple[float, int, Path]] = []
        try:
            with os.scandir(self.folder) as entries:
                for entry in entries:
                    with suppress(OSError):
                        found = entry.stat(follow_symlinks=False)
                        if _NAME.fullmatch(entry.name):
                            files.append((found.st_mtime, found.st_size, Path(entry.path)))
                        elif _TEMP.fullmatch(entry.name) and time.time() - found.st_mtime > _LEFT:
                            disk.remove(Path(entry.path))
        except OSError:
            return
        taken = sum(size for _, size, _ in files)
        for _, size, path in sorted(files):
            if taken <= self.most:
                break
            with suppress(OSError):
                disk.remove(path)
                taken -= size


def _read(path: Path) -> tuple[bytes, bytes]:
    """Return the head of a file of one's own and what follows it; ValueError where it is none, or larger than
    what is put.
    """
    flags = (
        os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    )
    with os.fdopen(os.open(path, flags), "rb") as file:
        found = os.fstat(file.fileno())
        mine = os.name == "nt" or found.st_uid == os.geteuid()
        if not stat.S_ISREG(found.st_mode) or not mine or found.st_size > LARGEST:
            raise ValueError(path)
        return file.read(_HEAD), file.read(found.st_size)


def _seal(key: str, data: bytes) -> bytes:
    """Return the digest of a key and what lies under it, so that a file under another name
    is no good either.
    """
    return sha256(key.encode() + sha256(data).digest()).hexdigest().encode()


def folder(environ: Mapping[str, str] | None = None, platform: str = sys.platform) -> Path | None:
    """Return where all that is kept lies: ``PBEM_CACHE``, else where the system keeps such things; None where
    it says ``off``.
    """
    given = os.environ if environ is None else environ
    if named := given.get("PBEM_CACHE"):
        return None if named == OFF else Path(named)
    try:
        if platform == "win32" and given.get("LOCALAPPDATA"):
            return Path(given["LOCALAPPDATA"]) / "pbem" / "cache"
        if platform == "darwin":
            return Path.home() / "Library" / "Caches" / "pbem"
        return Path(given.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pbem"
    except RuntimeError:  # nobody knows where home is
        return None


def own(kind: str = PAINTED) -> Shelf | None:
    """Return the user's shelf for what is painted or finished; None where there is to be none."""
    found = folder()
    return None if found is None else Shelf(found / kind, MOST[kind])
