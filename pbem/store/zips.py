"""Archives as one file: read within bounds and never unpacked, written so that the same files give the same
bytes.

The reader is strict and small, and is written the same way in every verifier, so that no two of them see
another archive in one file: the directory at the end says what is in it, and each entry is what the directory
says it is, or is not there. What an archive says is judged in ``proof``; here only that reading it can do no
harm.
"""

from __future__ import annotations

import io
import stat
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct

from pbem.core.regex import regex
from pbem.proof.canonical import MAX_FILE
from pbem.proof.inside import is_record
from pbem.store.gamedir import is_passed_over, is_private, safe

MAX_ENTRIES: Final = 20_000
MAX_TOTAL: Final = 256 * 1024 * 1024
MAX_ZIP: Final = 64 * 1024 * 1024
MAX_RATIO: Final = 200
_FREE: Final = 1024 * 1024
_SMALL, _KEPT = 64 * 1024, 64
"""The newest small files are kept as they were read: a signature is looked at by turns with what it signs."""
_DATE: Final = (1980, 1, 1, 0, 0, 0)
_STORED, _DEFLATED = 0, 8
_END, _END64, _WHERE64, _ENTRY, _FILE = b"PK\5\6", b"PK\6\6", b"PK\6\7", b"PK\1\2", b"PK\3\4"
_UTF8, _LOCKED, _PATCHED = 0x800, 0x2041, 0x20
_DRIVE: Final = regex("[A-Za-z]:")


class BadZip(Exception):
    """A file that is not an archive, or one that is not read; ``reason`` is a stable word, ``entry`` the part
    that is wrong.
    """

    def __init__(self, reason: str, entry: str = "") -> None:
        super().__init__(f"{reason} {entry!r:.80}" if entry else reason)
        self.reason = reason
        self.entry = entry[:80]


class _Entry(Struct, frozen=True):
    """One entry as the directory has it: name as bytes, flags, method, CRC, sizes packed and plain, kind of
    file, and where it begins.
    """

    raw: bytes
    flags: int
    method: int
    crc: int
    packed: int
    plain: int
    mode: int
    where: int

    @property
    def name(self) -> str:
        """Return the name as text; BadZip where it is none."""
        try:
            return self.raw.decode("utf-8" if self.flags & _UTF8 else "cp437")
        except UnicodeDecodeError:
            raise BadZip("no-zip") from None


def _directory(data: bytes) -> tuple[int, int, int]:
    """Return where the directory begins and ends, and how far everything lies behind where
    it says it does.
    """
    at = data.rfind(_END, max(0, len(data) - 65_557), max(0, len(data) - 18))
    if at < 0:
        raise BadZip("cut-off" if not data or data.startswith(_FILE) else "no-zip")
    size, offset = struct.unpack_from("<II", data, at + 12)
    stop = at
    if at >= 76 and data[at - 20 : at - 16] == _WHERE64:
        stop = at - 76
        if data[stop : stop + 4] != _END64:
            raise BadZip("no-zip")
        size, offset = struct.unpack_from("<QQ", data, stop + 40)
    if size <= stop and offset == 0xFFFFFFFF:
        offset = stop - size  # Info-ZIP into a pipe: it does not say
    if size > stop or offset > stop - size:
        raise BadZip("no-zip")
    return stop - size, stop, stop - size - offset


def _entries(data: bytes) -> Iterator[_Entry]:
    """Yield the entries of the directory, at most 20,000 of them."""
    at, stop, moved = _directory(data)
    count = 0
    while at < stop:
        if at + 46 > stop or data[at : at + 4] != _ENTRY:
            raise BadZip("no-zip")
        if (count := count + 1) > MAX_ENTRIES:
            raise BadZip("too-many")
        flags, method, crc, packed, plain, name, extra, said = struct.unpack_from("<HH4xIIIHHH", data, at + 8)
        attributes, where = struct.unpack_from("<II", data, at + 38)
        following = at + 46 + name + extra + said
        if following > stop:
            raise BadZip("no-zip")
        raw = data[at + 46 : at + 46 + name]
        if 0xFFFFFFFF in (packed, plain, where):
            plain, packed, where = _large(data[at + 46 + name : at + 46 + name + extra], plain, packed, where)
        yield _Entry(raw, flags, method, crc, packed, plain, attributes >> 16, where + moved)
        at = following


def _large(extra: bytes, *sizes: int) -> list[int]:
    """Return sizes of 64 bits where they do not fit into 32: they stand in the part 1 of the extra field, in
    this order.
    """
    while len(extra) >= 4:
        kind, length = struct.unpack_from("<HH", extra)
        if kind == 1:
            found = (
                iter(struct.unpack_from(f"<{length // 8}Q", extra[: 4 + length], 4))
                if len(extra) >= 4 + length
                else iter(())
            )
            return [next(found, size) if size == 0xFFFFFFFF else size for size in sizes]
        extra = extra[4 + length :]
    return list(sizes)


def _place(name: str) -> tuple[str, bool]:
    """Return the relative name of an entry with ``/``, and whether it is a folder; BadZip where it leads
    elsewhere.

    Some programs write ``\\`` between folders, and some begin every name with ``./``.
    """
    slashed = name.replace("\\", "/")
    parts = [part for part in slashed.split("/") if part not in ("", ".")]
    if slashed.startswith("/") or ".." in parts or _DRIVE.match(slashed):
        raise BadZip("path", name)
    return "/".join(parts), slashed.endswith("/") or not parts


def _root(paths: Iterable[str]) -> str:
    """Return the folder in which the game lies, nothing or with ``/`` at its end: people pack the folder
    itself, or twice.

    Of several the one that lies highest, for a copy may lie in a folder of the game; BadZip where two lie
    beside each other.
    """
    found = set()
    for path in paths:
        folder, _, name = path.rpartition("/")
        if (folder == "ledger" or folder.endswith("/ledger")) and is_record(f"ledger/{name}"):
            found.add(folder.removesuffix("ledger"))
    highest = min((root.count("/") for root in found), default=0)
    roots = sorted(root for root in found if root.count("/") == highest)
    if len(roots) > 1:
        raise BadZip("several", roots[1])
    return roots[0] if roots else ""


def _checked(entry: _Entry, path: str) -> None:
    """Raise BadZip for an entry that is not read."""
    if stat.S_ISLNK(entry.mode):
        raise BadZip("link", path)
    if entry.flags & _LOCKED:
        raise BadZip("locked", path)
    if entry.flags & _PATCHED or entry.method not in (_STORED, _DEFLATED):
        raise BadZip("method", path)
    if entry.plain > MAX_FILE:
        raise BadZip("too-big", path)
    if entry.plain > _FREE and entry.plain > MAX_RATIO * max(entry.packed, 1):
        raise BadZip("bomb", path)


def _listed(data: bytes) -> dict[str, _Entry]:
    """Return the files of a zip by their names, without what is passed over; BadZip for one that is not read
    at all.
    """
    files: dict[str, _Entry] = {}
    folders: set[str] = set()
    total = 0
    for entry in _entries(data):
        path, is_folder = _place(entry.name)
        if is_passed_over(path):
            continue
        if is_folder:
            folders.add(path)
            continue
        if path in files:
            raise BadZip("twice", path)
        _checked(entry, path)
        total += entry.plain
        if total > MAX_TOTAL:
            raise BadZip("too-big", path)
        files[path] = entry
        while path := path.rpartition("/")[0]:
            folders.add(path)
    if both := sorted(folders & files.keys()):
        raise BadZip("twice", both[0])
    return files


class ZipArchive:
    """A zip as an archive in memory: checked as a whole when it is opened, each entry read when it is asked
    for.
    """

    def __init__(self, data: bytes) -> None:
        if len(data) > MAX_ZIP:
            raise BadZip("too-big")
        self._data = data
        files = _listed(data)
        root = _root(files)
        inside = {path.removeprefix(root): entry for path, entry in files.items() if path.startswith(root)}
        self._entries = {path: entry for path, entry in inside.items() if not is_private(path)}
        self._newest: dict[str, bytes] = {}
        if (
            not root
            and not any(map(is_record, files))
            and (other := next((path for path in files if path.lower().endswith(".zip")), ""))
        ):
            raise BadZip("inside", other)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return iter(self._entries)

    def __contains__(self, path: object) -> bool:
        """Tell whether there is such a file."""
        return path in self._entries

    def __getitem__(self, path: str) -> bytes:
        """Return the bytes of a file; KeyError if there is none, or it cannot be read as
        what it says it is.
        """
        if path in self._newest:
            return self._newest[path]
        data = self._unpacked(self._entries[path])
        if data is None:
            raise KeyError(path)
        if len(data) <= _SMALL:
            while len(self._newest) >= _KEPT:
                del self._newest[next(iter(self._newest))]
            self._newest[path] = data
        return data

    def _unpacked(self, entry: _Entry) -> bytes | None:
        """Return the bytes of an entry, or None where it is not what the directory says it is."""
        named = entry.where + 30
        if self._data[entry.where : entry.where + 4] != _FILE or named > len(self._data):
            return None
        name, extra = struct.unpack_from("<HH", self._data, entry.where + 26)
        begin = named + name + extra
        if self._data[named : named + name] != entry.raw:
            return None
        data: bytes | None = self._data[begin : begin + entry.packed]
        if entry.method == _DEFLATED:
            data = _inflated(self._data[begin : begin + entry.packed], entry.plain)
        return (
            data if data is not None and len(data) == entry.plain and zlib.crc32(data) == entry.crc else None
        )


def _inflated(packed: bytes, plain: int) -> bytes | None:
    """Return what a stream unpacks to; None where it is broken, longer than it says, or does not end where
    its entry does.
    """
    stream = zlib.decompressobj(-15)
    try:
        data = stream.decompress(packed, plain + 1)
    except zlib.error:
        return None
    return data if stream.eof and not stream.unused_data else None


def open_zip(path: Path) -> ZipArchive:
    """Return the archive in a file; raise BadZip for what is none, OSError where it cannot be opened."""
    with path.open("rb") as file:
        data = file.read(MAX_ZIP + 1)
    return ZipArchive(data)


def write_zip(files: Mapping[str, bytes]) -> bytes:
    """Return the zip of some files: the same bytes for the same files, in the order of their names."""
    import zipfile  # which brings every method of packing along

    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
        for name in sorted(files):
            entry = zipfile.ZipInfo(safe(name), _DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            made.writestr(entry, files[name])
    return buffer.getvalue()
