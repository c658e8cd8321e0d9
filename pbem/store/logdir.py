"""The files of a log (C2SP tlog-tiles): a folder of this machine, which may be written to, or an address that
serves one.

Decides how much of each file is read and how long a server may take for all of them. What the files say is
decided in ``proof``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final, Protocol

from msgspec import Struct, field

from pbem.proof.note import MAX_NOTE
from pbem.proof.tiles import MAX_BUNDLE, MAX_TILE
from pbem.store import disk
from pbem.store.fetch import Unanswered, fetch
from pbem.store.gamedir import GameDir

CHECKPOINT: Final = "checkpoint"
COSIGNED: Final = "cosigned"
"""Checkpoints that witnesses have cosigned, the oldest first: also of sizes that the log has grown beyond."""
KEY: Final = "public-key"
"""The public key of the log, for whoever has not been told it; believed by nobody who knows another."""
MAX_COSIGNED: Final = 256 * 1024
WHOLE: Final = 120.0
"""Seconds for everything that is asked of one server."""
MOST: Final = 80_000_000
"""Bytes of everything that one server answers."""
_ABSENT: Final = frozenset({403, 404, 410})
"""What servers answer for a file that is not there; web spaces in a cloud say 403."""


def most(path: str) -> int:
    """Return how many bytes of a file of a log are read."""
    if path.startswith("tile/entries/"):
        return MAX_BUNDLE
    if path.startswith("tile/"):
        return MAX_TILE
    return MAX_COSIGNED if path == COSIGNED else MAX_NOTE


class LogFiles(Protocol):
    """The files of a log, to be read."""

    name: str

    def get(self, path: str) -> bytes | None:
        """Return a file; None if it is not there, Unanswered where nobody can say."""
        ...


class LogFolder:
    """A log in a folder. A link, or a file that is longer than such files are, is not there."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.name = str(root)
        self._files = GameDir(root)

    def get(self, path: str) -> bytes | None:
        """Return a file; None if it is not there."""
        data = self._files.read(path)
        return data if data is None or len(data) <= most(path) else None

    def put(self, files: Mapping[str, bytes]) -> None:
        """Write some files, each whole or not at all."""
        for path, data in files.items():
            disk.put(self.root / path, data)

    def remove_partial(self, full: str) -> None:
        """Take away the partial files that a full one has grown from."""
        folder = self.root / f"{full}.p"
        for path in sorted(folder.iterdir()) if folder.is_dir() and not folder.is_symlink() else ():
            disk.remove(path)
        if folder.is_dir() and not folder.is_symlink():
            disk.effect("rmdir", folder, folder.rmdir)

    def exclusive(self) -> AbstractContextManager[None]:
        """Hold the log alone while it grows; raise ``disk.Busy`` if another program does not let go."""
        return disk.exclusive(self.root)


class LogServer(Struct):
    """A log at an address. All that is asked of it together has an end, in time and in bytes."""

    name: str
    clock: Callable[[], float] = time.monotonic
    end: float = 0.0
    bytes_left: int = MOST
    _known: dict[str, bytes | None] = field(default_factory=dict)

    def get(self, path: str) -> bytes | None:
        """Return a file; None if the server says that it is not there, Unanswered where it says nothing that
        can be used.
        """
        if path not in self._known:
            self._known[path] = self._ask(path)
        return self._known[path]

    def _ask(self, path: str) -> bytes | None:
        self.end = self.end or self.clock() + WHOLE
        if self.clock() > self.end or self.bytes_left < 0:
            raise Unanswered(
                "all of it takes too long" if self.bytes_left >= 0 else f"all of it is more than {MOST} bytes"
            )
        try:
            data = fetch(f"{self.name.rstrip('/')}/{path}", most(path))
        except Unanswered as why:
            if why.status in _ABSENT:
                return None
            raise Unanswered(f"{path}: {why}", why.status) from None
        self.bytes_left -= len(data)
        return data


def opened(where: str) -> LogFolder | LogServer:
    """Return the log at an address of the web, else in a folder."""
    return LogServer(where) if where.startswith(("https://", "http://")) else LogFolder(Path(where))
