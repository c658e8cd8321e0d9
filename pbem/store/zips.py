"""Archives as one file: read within bounds and never unpacked, written so that the same files give the same bytes.

What an archive says is judged in ``proof``; here only that reading it can do no harm.
"""

from __future__ import annotations

import io
import stat
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from pbem.proof.canonical import MAX_FILE
from pbem.store.gamedir import UnsafePath, safe

MAX_ENTRIES = 20_000
MAX_TOTAL = 256 * 1024 * 1024
MAX_ZIP = 64 * 1024 * 1024
MAX_RATIO = 200
_FREE = 1024 * 1024
_SMALL, _KEPT = 64 * 1024, 64
"""The newest small files are kept as they were read: a signature is looked at by turns with what it signs."""
_DATE = (1980, 1, 1, 0, 0, 0)


class BadZip(Exception):
    """A file that is no archive, or one that is not read; ``reason`` is a stable word, ``entry`` the part that is wrong."""

    def __init__(self, reason: str, entry: str = "") -> None:
        super().__init__(f"{reason} {entry!r:.80}" if entry else reason)
        self.reason = reason
        self.entry = entry[:80]


class ZipArchive:
    """A zip as an archive in memory: checked as a whole when it is opened, each entry read when it is asked for."""

    def __init__(self, data: bytes) -> None:
        if len(data) > MAX_ZIP:
            raise BadZip("too-big")
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
            entries = self._zip.infolist()
        except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError, EOFError, UnicodeDecodeError):
            raise BadZip("no-zip") from None
        if len(entries) > MAX_ENTRIES:
            raise BadZip("too-many")
        self._entries: dict[str, zipfile.ZipInfo] = {}
        self._newest: dict[str, bytes] = {}
        total = 0
        for entry in entries:
            total += entry.file_size
            self._check(entry, total)
            if not entry.filename.endswith("/"):
                self._entries[entry.filename] = entry

    def _check(self, entry: zipfile.ZipInfo, total: int) -> None:
        name = entry.filename.removesuffix("/")
        try:
            safe(name)
        except UnsafePath:
            raise BadZip("path", name) from None
        # The name as it stands in the file is kept apart from the one zipfile made of it (a NUL cuts it short).
        if entry.orig_filename != entry.filename:
            raise BadZip("path", name)
        if entry.filename in self._entries:
            raise BadZip("twice", name)
        if stat.S_ISLNK(entry.external_attr >> 16):
            raise BadZip("link", name)
        if entry.flag_bits & 0x1:
            raise BadZip("locked", name)
        if entry.file_size > MAX_FILE or total > MAX_TOTAL:
            raise BadZip("too-big", name)
        if entry.file_size > _FREE and entry.file_size > MAX_RATIO * max(entry.compress_size, 1):
            raise BadZip("bomb", name)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return iter(self._entries)

    def __contains__(self, path: object) -> bool:
        """Tell whether there is such a file."""
        return path in self._entries

    def __getitem__(self, path: str) -> bytes:
        """Return the bytes of a file; KeyError if there is none, or it cannot be read as what it says it is."""
        if path in self._newest:
            return self._newest[path]
        entry = self._entries[path]
        try:
            with self._zip.open(entry) as file:
                data = file.read(entry.file_size + 1)
        except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, ValueError, OSError, EOFError):
            raise KeyError(path) from None
        if len(data) != entry.file_size:
            raise KeyError(path)
        if len(data) <= _SMALL:
            while len(self._newest) >= _KEPT:
                del self._newest[next(iter(self._newest))]
            self._newest[path] = data
        return data


def open_zip(path: Path) -> ZipArchive:
    """Return the archive in a file; raise BadZip for what is none, OSError where it cannot be opened."""
    with path.open("rb") as file:
        data = file.read(MAX_ZIP + 1)
    return ZipArchive(data)


def write_zip(files: Mapping[str, bytes]) -> bytes:
    """Return the zip of some files: the same bytes for the same files, in the order of their names."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
        for name in sorted(files):
            entry = zipfile.ZipInfo(safe(name), _DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            made.writestr(entry, files[name])
    return buffer.getvalue()
