"""Reads ``winmail.dat``, in which Outlook packs text and files for other Outlooks (TNEF, MS-OXTNEF).

A flat list of attributes; those of files and of the text hold lists of properties. Read here and not by a
library, because the length of each is its sender's word: everything is read in one pass, and what does not
fit ends the reading.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import error, unpack_from
from typing import Final

from msgspec import Struct, field

from pbem.post.mail import charsets

SIGNATURE: Final = b"\x78\x9f\x3e\x22"
_MOST: Final = 5_000

# attributes
_BODY, _TITLE, _DATA, _RENDERING, _CODEPAGE, _OF_MESSAGE, _OF_FILE = (
    0x800C,
    0x8010,
    0x800F,
    0x9002,
    0x9007,
    0x9003,
    0x9005,
)
# properties
_TEXT, _HTML, _RTF, _LONG_NAME, _SHORT_NAME, _SHOWN_NAME, _CONTENT = (
    0x1000,
    0x1013,
    0x1009,
    0x3707,
    0x3704,
    0x3001,
    0x3701,
)
_FIXED: Final = {
    0x02: 4,
    0x03: 4,
    0x04: 4,
    0x05: 8,
    0x06: 8,
    0x07: 8,
    0x0A: 4,
    0x0B: 4,
    0x14: 8,
    0x40: 8,
    0x48: 16,
}
_STRING, _UNICODE, _OBJECT, _BINARY = 0x1E, 0x1F, 0x0D, 0x0102


class Winmail(Struct):
    """What such a file holds: the letter's text, its HTML or RTF, as bytes, and files by name.

    ``broken``: it ended too early.
    """

    text: str = ""
    html: bytes = b""
    rtf: bytes = b""
    codepage: str = "cp1252"
    files: list[tuple[str, bytes]] = field(default_factory=list)
    broken: bool = False


def unpack(data: bytes) -> Winmail:
    """Return what a ``winmail.dat`` holds, as far as it can be read."""
    mail = Winmail()
    if not data.startswith(SIGNATURE):
        mail.broken = True
        return mail

    name, content = "", b""
    seen = False
    for level, attribute, value in _attributes(mail, data):
        if attribute == _RENDERING:
            if seen:
                mail.files.append((name, content))
            name, content, seen = "", b"", True
        elif attribute == _CODEPAGE and len(value) >= 4:
            mail.codepage = f"cp{unpack_from('<I', value)[0]}"
        elif level == 1 and attribute == _BODY:
            mail.text = mail.text or _string(value, mail.codepage)
        elif level == 1 and attribute == _OF_MESSAGE:
            _of_message(mail, value)
        elif attribute == _TITLE:
            name = name or _string(value, mail.codepage)
        elif attribute == _DATA:
            content = value
        elif attribute == _OF_FILE:
            name, content = _of_file(value, mail.codepage, name, content)
    if seen:
        mail.files.append((name, content))
    return mail


def _attributes(mail: Winmail, data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield level, number and value of each attribute; note it where they end too early."""
    at = 6
    for _ in range(_MOST):
        if at + 11 > len(data):
            mail.broken = at != len(data) and at + 2 < len(data)
            return
        level, attribute, _, size = unpack_from("<BHHI", data, at)
        value = data[at + 9 : at + 9 + size]
        at += 11 + size
        if len(value) < size:
            mail.broken = True
            return
        yield level, attribute, value


def _of_message(mail: Winmail, data: bytes) -> None:
    for tag, kind, value in _properties(data):
        if tag == _TEXT and value:
            mail.text = _wide(value) if kind == _UNICODE else _string(value, mail.codepage)
        elif tag == _HTML:
            mail.html = value
        elif tag == _RTF:
            mail.rtf = value


def _of_file(data: bytes, codepage: str, name: str, content: bytes) -> tuple[str, bytes]:
    """Return the best name of a file and its bytes."""
    names: dict[int, str] = {}
    for tag, kind, value in _properties(data):
        if tag in (_LONG_NAME, _SHORT_NAME, _SHOWN_NAME):
            names[tag] = _wide(value) if kind == _UNICODE else _string(value, codepage)
        elif tag == _CONTENT and kind == _BINARY:
            content = value
    best = names.get(_LONG_NAME) or name or names.get(_SHORT_NAME) or names.get(_SHOWN_NAME, "")
    return best, content


def _properties(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield the tag, kind and first value of each property; stop where the list makes no sense."""
    try:
        count = min(unpack_from("<I", data)[0], _MOST)
        at = 4
        for _ in range(count):
            kind, tag = unpack_from("<HH", data, at)
            at += 4
            if tag & 0x8000:  # a property with a name of its own
                by_name = unpack_from("<I", data, at + 16)[0]
                at += 20
                if by_name == 1:
                    at += 4 + _padded(unpack_from("<I", data, at)[0])
                else:
                    at += 4
            many = bool(kind & 0x1000)
            kind &= 0x0FFF
            values = 1
            sized = kind in (_STRING, _UNICODE, _OBJECT, _BINARY)
            if many or sized:
                values = unpack_from("<I", data, at)[0]
                at += 4
            first: bytes | None = None
            for _ in range(min(values, _MOST)):
                size = _FIXED.get(kind)
                length = size
                if sized:
                    length = unpack_from("<I", data, at)[0]
                    at += 4
                    size = _padded(length)
                if size is None or length is None or at + size > len(data) + 3:
                    return
                if first is None:
                    first = data[at : at + length]
                at += size
            yield tag, kind, first or b""
    except error:
        return


def _padded(size: int) -> int:
    return size + -size % 4


def _string(value: bytes, codepage: str) -> str:
    return charsets.decode(value.split(b"\0", 1)[0], codepage)[0]


def _wide(value: bytes) -> str:
    return value.decode("utf-16-le", "replace").split("\0", 1)[0]
