"""One archive as many programs and people pack it, and files that nobody may read as one: the same list for
every reader.
"""

from __future__ import annotations

import io
import stat
import struct
import warnings
import zipfile
from collections.abc import Callable, Iterable, Mapping

RECORD = "ledger/00001-manifest.json"
Entry = tuple[str | zipfile.ZipInfo, bytes]


def packed(
    entries: Iterable[Entry],
    method: int = zipfile.ZIP_DEFLATED,
    buffer: io.BytesIO | None = None,
    note: bytes = b"",
) -> bytes:
    """Return a zip of some entries, in their order, whatever their names are."""
    made = io.BytesIO() if buffer is None else buffer
    with warnings.catch_warnings(), zipfile.ZipFile(made, "w", method) as file:
        warnings.simplefilter("ignore")
        file.comment = note
        for name, data in entries:
            file.writestr(name, data)
    return made.getvalue()


class Pipe(io.BytesIO):
    """What cannot be gone back in: sizes stand behind each file."""

    def seekable(self) -> bool:
        """Return that it cannot."""
        return False


def renamed(change: Callable[[str], str], *more: Entry) -> Callable[[Mapping[str, bytes]], bytes]:
    """Return what packs files under other names, and some more with them."""
    return lambda files: packed([*((change(name), data) for name, data in files.items()), *more])


def wide(data: bytes) -> bytes:
    """Return a zip with the directory in the form for very large ones, and sizes of 64 bits
    in every entry.
    """
    at = data.rindex(b"PK\5\6")
    size, offset = struct.unpack_from("<II", data, at + 12)
    place, made = offset, b""
    while place < offset + size:
        packed_, plain, name, extra, note = struct.unpack_from("<IIHHH", data, place + 20)
        (where,) = struct.unpack_from("<I", data, place + 42)
        field = struct.pack("<HH2s", 0x7777, 2, b"xx") + struct.pack("<HHQQQ", 1, 24, plain, packed_, where)
        made += (
            data[place : place + 20]
            + b"\xff" * 8
            + struct.pack("<HHH", name, len(field), 0)
            + data[place + 34 : place + 42]
        )
        made += b"\xff" * 4 + data[place + 46 : place + 46 + name] + field
        place += 46 + name + extra + note
    end = struct.pack("<4sQHHIIQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, 0, 0, len(made), offset)
    where64 = struct.pack("<4sIQI", b"PK\6\7", 0, offset + len(made), 1)
    return (
        data[:offset]
        + made
        + end
        + where64
        + struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    )


def with_folders(files: Mapping[str, bytes]) -> bytes:
    """Return a zip that has entries for folders, too."""
    folders = sorted({name.rpartition("/")[0] + "/" for name in files if "/" in name})
    return packed([*((name, b"") for name in folders), *files.items()])


MAC = (
    ("__MACOSX/ledger/._00001-manifest.json", b"x"),
    (".DS_Store", b"x"),
    ("ledger/.DS_Store", b"x"),
    ("ledger/._x", b"x"),
    ("Icon\r", b""),
)
GOOD: dict[str, Callable[[Mapping[str, bytes]], bytes]] = {
    "plain": lambda files: packed(files.items()),
    "stored": lambda files: packed(files.items(), zipfile.ZIP_STORED),
    "back-slashes": renamed(lambda name: name.replace("/", "\\")),
    "some back-slashes": renamed(lambda name: name.replace("/", "\\") if name.startswith("seats") else name),
    "dots": renamed(lambda name: f"./{name}"),
    "a folder": renamed(lambda name: f"toll/{name}"),
    "a folder in a folder": renamed(lambda name: f"downloads/My game (1)/{name}"),
    "a folder of Windows": renamed(lambda name: f"toll\\{name}".replace("/", "\\")),
    "a Mac": renamed(str, *MAC),
    "a folder of a Mac": renamed(
        lambda name: f"toll/{name}",
        *((f"toll/{name}", data) for name, data in MAC),
        ("__MACOSX/._toll", b"x"),
    ),
    "a copy in the folder": renamed(str, (f"old/{RECORD}", b"{}"), (f"aside/1/{RECORD}", b"{}")),
    "a game folder whole": renamed(
        str, ("mail/s0001-west-01.txt", b"x"), ("game.toml", b"x"), ("told.json", b"{}"), (".git/HEAD", b"x")
    ),
    "folders listed": with_folders,
    "a pipe": lambda files: packed(files.items(), buffer=Pipe()),
    "a comment": lambda files: packed(files.items(), note=b"from the post office PK\1\2"),
    "something before": lambda files: b"Content-Type: application/zip\r\n\r\n" + packed(files.items()),
    "something behind": lambda files: packed(files.items()) + b"\r\n--end--\r\n",
    "the large form": lambda files: wide(packed(files.items())),
    "the large form, something before": lambda files: b"x" * 7 + wide(packed(files.items())),
}


def link() -> zipfile.ZipInfo:
    made = zipfile.ZipInfo("link")
    made.create_system, made.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    return made


def changed(data: bytes, at: int, value: int) -> bytes:
    """Return a zip whose first entry of the directory has another byte at a place."""
    place = data.index(b"PK\1\2") + at
    return data[:place] + bytes([data[place] | value]) + data[place + 1 :]


def many(count: int) -> bytes:
    """Return a zip whose directory lists one file so many times, under as many names."""
    data = packed([("a", b"")])
    at, end = data.index(b"PK\1\2"), data.index(b"PK\5\6")
    entry = bytearray(data[at:end])
    struct.pack_into("<H", entry, 28, 6)
    listed = b"".join(bytes(entry[:46]) + b"%06d" % number for number in range(count))
    return data[:at] + listed + struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, len(listed), at, 0)


A = packed([("a", b"x" * 100), (RECORD, b"{}")])
BAD: dict[str, Callable[[], bytes]] = {
    "up": lambda: packed([("../a", b"")]),
    "up and up": lambda: packed([("a/../../b", b"")]),
    "up with back-slashes": lambda: packed([("a\\..\\..\\b", b"")]),
    "hidden and up": lambda: packed([(".a/../../b", b"")]),
    "from the root": lambda: packed([("/a", b"")]),
    "from the root of Windows": lambda: packed([("\\a", b"")]),
    "a drive": lambda: packed([("a:b", b"")]),
    "twice": lambda: packed([("a", b""), ("a", b"")]),
    "twice with dots": lambda: packed([("a", b""), ("./a", b"")]),
    "twice with back-slashes": lambda: packed([("a/b", b""), ("a\\b", b"")]),
    "a folder and a file": lambda: packed([("a/", b""), ("a", b"")]),
    "a file in a file": lambda: packed([("a", b""), ("a/b", b"")]),
    "a link": lambda: packed([(link(), b"/etc/passwd")]),
    "a bomb": lambda: packed([("a", bytes(4 << 20))]),
    "a large file": lambda: packed([("a", bytes(17 << 20))]),
    "many files": lambda: many(20_001),
    "very many files": lambda: many(60_000),
    "bzip2": lambda: packed([("a", b"x" * 99)], zipfile.ZIP_BZIP2),
    "lzma": lambda: packed([("a", b"x" * 99)], zipfile.ZIP_LZMA),
    "a password": lambda: changed(A, 8, 1),
    "a strong password": lambda: changed(A, 8, 0x40),
    "a patch": lambda: changed(A, 8, 0x20),
    "two games": lambda: packed([(f"one/{RECORD}", b"{}"), (f"two/{RECORD}", b"{}")]),
    "a zip in a zip": lambda: packed([("toll.zip", A), ("readme.txt", b"")]),
    "cut off": lambda: A[:-30],
    "cut off at once": lambda: A[:6],
    "nothing": lambda: b"",
    "no zip": lambda: b"<html>Please log in",
    "only a beginning": lambda: b"PK nothing",
    "a directory that is none": lambda: changed(A, 3, 0x80),
    "a name that is no text": lambda: utf8(changed(A, 46, 0xF0)),
    "a directory that is longer than it says": lambda: A.replace(
        b"PK\5\6", b"PK\1\2" + bytes(44) + b"PK\5\6"
    ),
    "the large form, cut": lambda: wide(A).replace(b"PK\6\6", b"PK\6\5"),
}


def utf8(data: bytes) -> bytes:
    """Return a zip whose first name says that it is UTF-8."""
    return changed(data, 9, 0x08)
