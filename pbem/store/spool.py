"""Letters as they lie in somebody's files: one letter, an mbox, a Maildir, a folder of letters, or a stream;
one after the other.

Decides where one letter ends and the next begins, and when it arrived as far as the files know; what a letter
says is not its matter. At no time is more than one letter in memory. Links inside a folder are not followed,
and no name in it leads anywhere.

Of an mbox: a letter begins at a line ``From `` with a date behind it, after an empty line. ``Content-Length``
is not asked, for whoever writes a letter could write one. ``>From `` loses its ``>``, unless the line before
is quoted too: then it may be a quotation, and whoever quotes is not to be taken at his word.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import BinaryIO, Final

from msgspec import Struct

from pbem.core.regex import regex
from pbem.text.characters import printable

MOST: Final = 2 * 1024 * 1024
"""Bytes of a letter; of a longer one these and one more are given, so that whoever reads it sees that it is
too long.
"""
_ROOM: Final = MOST + 3
"""One byte more than is taken, and the empty line behind it."""
_CHUNK: Final = 65_536
_PLAINLY: Final = (
    os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
)

MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DAY_AND_MONTH: Final = (
    rb"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? +(?P<month>"
    + "|".join(MONTHS).encode()
    + rb") +(?P<day>[0-9]{1,2}) +"
)
_ZONE: Final = rb"(?:[+-][0-9]{4}|[A-Z]{1,5})"
_CLOCK: Final = rb"[0-9]{2}:[0-9]{2}(?::[0-9]{2})?"
_FROM: Final = regex(
    rb"From (?:[^\r\n]{0,320} )?" + _DAY_AND_MONTH + rb"(?:"
    rb"(?P<clock>"
    + _CLOCK
    + rb") +(?:(?P<zone>"
    + _ZONE
    + rb") +)?(?P<year>[0-9]{4})(?: +(?P<zone_last>"
    + _ZONE
    + rb"))?|"
    rb"(?P<year_first>[0-9]{4}) +(?P<clock_last>" + _CLOCK + rb") *(?P<zone_behind>" + _ZONE + rb")?"
    rb") *\r?\n?"
)
_STUFFED: Final = regex(rb">+From ")
_DELIVERED: Final = regex(r"(?P<seconds>[0-9]{1,12})\.(?:[^:]*?M(?P<micro>[0-9]{1,6}))?")


class Raw(Struct, frozen=True):
    """One letter: its bytes, when it arrived (as ``2026-03-01T18:00:00Z``; empty where nobody noted it),
    where it lay.

    ``fault`` says why it could not be read; then there are no bytes.
    """

    data: bytes
    arrived: str
    source: str
    fault: str = ""


def letters(path: Path) -> Iterator[Raw]:
    """Yield the letters of a file, a Maildir or a folder of ``.eml`` files; raise OSError where the path
    itself cannot be opened.
    """
    source = printable(str(path))
    if not path.is_dir():
        with path.open("rb") as file:
            yield from from_stream(file, source)
    elif (path / "cur").is_dir() or (path / "new").is_dir():
        yield from _maildir(path, source)
    else:
        yield from _folder(path, source)


def from_stream(stream: BinaryIO, source: str) -> Iterator[Raw]:
    """Yield the letter or, of an mbox, the letters of a stream."""
    first = stream.readline(_CHUNK)
    while first in (b"\n", b"\r\n"):
        first = stream.readline(_CHUNK)
    if first.startswith(b"From "):
        yield from _mbox(first, stream, source)
    elif first:
        yield Raw(_rest(first, stream), "", source)


def _rest(first: bytes, stream: BinaryIO) -> bytes:
    """Return a letter from its first line to the end of the stream, or as much of it as is taken."""
    parts, length = [first], len(first)
    while length <= MOST and (chunk := stream.read(min(_CHUNK, MOST + 1 - length))):
        parts.append(chunk)
        length += len(chunk)
    return b"".join(parts)[: MOST + 1]


def _mbox(first: bytes, stream: BinaryIO, source: str) -> Iterator[Raw]:
    """Yield the letters of an mbox.

    Lines are read in pieces: one may have no end, and only at its beginning does it mean anything.
    """
    number, taken, arrived = 1, _Taken(), _arrived(first)
    inside = not first.endswith(b"\n")  # within a line that came in pieces
    blank, quoted = True, False  # what the line before was
    while piece := stream.readline(_CHUNK):
        ends = piece.endswith(b"\n")
        if inside:
            # The rest of a postmark that is longer than a piece belongs to no letter.
            if taken.begun:
                taken.add(piece)
            inside, blank = not ends, False
            continue
        # Some programs write no date at all, but then the same words each time.
        if blank and (_FROM.fullmatch(piece) or (piece == first and ends)):
            yield Raw(taken.letter(), arrived, f"{source}#{number}")
            number, taken, arrived, quoted = number + 1, _Taken(), _arrived(piece), False
            blank = True
            continue
        plain = piece[1:] if _STUFFED.match(piece) and not quoted else piece
        taken.add(plain)
        inside, blank, quoted = not ends, piece in (b"\n", b"\r\n"), piece.startswith(b">")
    yield Raw(taken.letter(), arrived, f"{source}#{number}")


class _Taken:
    """The bytes of one letter of an mbox, no more than are wanted; the empty line behind it belongs to the
    mbox.
    """

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.length = 0
        self.begun = False

    def add(self, piece: bytes) -> None:
        """Take a piece, or as much of it as there is room for."""
        self.begun = True
        if room := _ROOM - self.length:
            self.parts.append(piece[:room])
            self.length += len(self.parts[-1])
        if len(self.parts) > 1024:
            self.parts = [b"".join(self.parts)]

    def letter(self) -> bytes:
        """Return the letter."""
        data = b"".join(self.parts)
        for end in (b"\r\n", b"\n"):
            if data.endswith(end + end):
                data = data[: -len(end)]
                break
        return data[: MOST + 1]


def _arrived(line: bytes) -> str:
    """Return when a letter arrived by the line before it; without a zone that is UTC, as the programs that
    write it have agreed.
    """
    found = _FROM.fullmatch(line)
    if found is None:
        return ""
    hour, minute, second = (*map(int, (found["clock"] or found["clock_last"]).split(b":")), 0)[:3]
    zone = (found["zone"] or found["zone_last"] or found["zone_behind"] or b"").decode()
    year = int(found["year"] or found["year_first"])
    away = timedelta()
    if zone[:1] in ("+", "-"):
        away = timedelta(hours=int(zone[1:3]), minutes=int(zone[3:])) * (-1 if zone[0] == "-" else 1)
    elif zone not in ("", "GMT", "UTC", "UT", "Z"):
        return ""
    with suppress(ValueError, OverflowError):
        moment = datetime(
            year,
            MONTHS.index(found["month"].decode()) + 1,
            int(found["day"]),
            hour,
            minute,
            second,
            tzinfo=timezone(away),
        )
        return iso(moment)
    return ""


def iso(moment: datetime) -> str:
    """Return a moment as ``2026-03-01T18:00:00Z``."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _maildir(path: Path, source: str) -> Iterator[Raw]:
    """Yield the letters of a Maildir in the order of their delivery, which is in their names; drafts were
    never delivered.
    """
    found: list[tuple[int, int, str, str]] = []
    for folder in ("new", "cur"):
        for name in _names(path / folder):
            if "D" in name.rpartition(":2,")[2] and ":2," in name:
                continue
            said = _DELIVERED.match(name)
            found.append(
                (int(said["seconds"]) if said else 0, int(said["micro"] or 0) if said else 0, name, folder)
            )
    for seconds, _, name, folder in sorted(found):
        arrived = ""
        with suppress(ValueError, OverflowError, OSError):
            arrived = iso(datetime.fromtimestamp(seconds, UTC)) if seconds else ""
        place = path / folder / name
        if not os.path.lexists(place):
            place = _moved(path / "cur", name) or place
        yield _file(place, arrived, f"{source}/{folder}/{printable(name)}")


def _moved(folder: Path, name: str) -> Path | None:
    """Return where a letter lies that a mail program has opened meanwhile: it moves from new to cur, and its
    flags change.
    """
    begun = name.partition(":")[0]
    return next((folder / other for other in _names(folder) if other.partition(":")[0] == begun), None)


def _folder(path: Path, source: str) -> Iterator[Raw]:
    for name in sorted(_names(path)):
        if name.lower().endswith(".eml"):
            yield _file(path / name, "", f"{source}/{printable(name)}")


def _names(folder: Path) -> list[str]:
    """Return the names of the plain files in a folder; none where there is no such folder."""
    try:
        with os.scandir(folder) as entries:
            return [
                entry.name
                for entry in entries
                if not entry.name.startswith(".") and entry.is_file(follow_symlinks=False)
            ]
    except OSError:
        return []


def _file(path: Path, arrived: str, source: str) -> Raw:
    """Return the letter in a file, or why it cannot be read."""
    try:
        with os.fdopen(os.open(path, _PLAINLY), "rb") as file:
            first = file.readline(_CHUNK)
            # A letter that was taken out of an mbox sometimes keeps the line before it.
            if first.startswith(b"From ") and _FROM.fullmatch(first):
                arrived, first = arrived or _arrived(first), b""
            return Raw(_rest(first, file), arrived, source)
    except OSError as error:
        return Raw(b"", arrived, source, error.strerror or "it cannot be read")
