"""Undoes what the way through the mail did to the bytes of a part: base64, quoted-printable, uuencode.

Each function takes any bytes, returns bytes and never raises; its work grows with their length alone. What a
mail program would overlook is overlooked: a footer below base64, missing padding, a ``=`` that introduces
nothing.
"""

from __future__ import annotations

import binascii
import re
from typing import Final

from pbem.core.regex import regex

_CLEAN: Final = regex(rb"[A-Za-z0-9+/\s]*={0,2}\s*\Z")
_LINE: Final = regex(rb"[A-Za-z0-9+/]+={0,3}\Z")
_WORDS: Final = regex(rb"[\s:@.]")
_SHORT: Final = 16
_FOREIGN: Final = regex(rb"[^A-Za-z0-9+/=]+")
_ESCAPE: Final = regex(rb"=(?:([0-9A-Fa-f]{2})|[ \t]*\r*(?:\n|\Z))")
_BEGIN: Final = regex(rb"begin(?:-base64)? [0-7]{3,4} (\S[^\r\n]{0,200})\Z")


def undo(data: bytes, encoding: str) -> tuple[bytes, bool]:
    """Return the bytes as their sender had them, and whether some of them were damaged on the way.

    An encoding nobody knows changes nothing, as does one that is not there.
    """
    name = re.sub(r"[^a-z0-9]", "", encoding.lower().partition(";")[0])
    if name in ("base64", "b64"):
        return base64(data) if _looks_base64(data) else (data, False)
    if name in ("quotedprintable", "qp", "quotedprint"):
        return quoted(data), False
    if name in ("xuuencode", "uuencode", "xuue", "uue", "uu"):
        found = uuencoded(data)
        return (found[0][1], False) if found else (data, False)
    return data, False


def is_cut(data: bytes, encoding: str) -> bool:
    """Tell whether what travelled ends in the middle of a sign: a group of base64 without its padding, or
    half of what ``=`` introduces.
    """
    name = re.sub(r"[^a-z0-9]", "", encoding.lower().partition(";")[0])
    if name in ("base64", "b64") and _CLEAN.match(data):
        bare = b"".join(data.split())
        return not bare.endswith(b"=") and len(bare) % 4 in (2, 3) and _looks_base64(data)
    return name in ("quotedprintable", "qp") and re.search(rb"=[0-9A-Fa-f]\Z", data) is not None


def _looks_base64(data: bytes) -> bool:
    """Tell whether most of it is base64; some programs only say so."""
    lines = [stripped for line in data[:8192].split(b"\n") if (stripped := line.strip())]
    return not lines or 2 * sum(len(line) for line in lines if _is_like(line)) >= sum(map(len, lines))


def base64(data: bytes) -> tuple[bytes, bool]:
    """Return what base64 holds, padded or not, in one or several pieces, and whether signs of it got lost.

    Signs that mean nothing are left out, as RFC 2045 says; so is what follows below the last line that looks
    like base64, such as the footer of a list.
    """
    if _CLEAN.match(data):
        return _base64(data)
    lines = [stripped for line in data.split(b"\n") if (stripped := line.strip())]
    last = -1
    for number, line in enumerate(lines):
        follows = last == number - 1 and not (number and lines[last].endswith(b"="))
        if _is_like(line, follows) and (len(line) >= _SHORT or b"=" in line or follows):
            last = number
    out: list[bytes] = []
    damaged = False
    held = b""
    joined = b"".join(lines[: last + 1])
    for found in re.finditer(rb"[^=]+=*", joined):
        kept = _FOREIGN.sub(b"", found.group())
        if b"=" not in kept:
            held += kept
            continue
        part, bad = _base64(held + kept)
        out.append(part)
        damaged = damaged or bad or (found.end() < len(joined) and len(held + kept) % 4 > 0)
        held = b""
    part, bad = _base64(held)
    return b"".join((*out, part)), damaged or bad or bool(len(held) % 4 and _FOREIGN.search(joined))


def _is_like(line: bytes, follows: bool = False) -> bool:
    """Tell whether a line is base64, but for a few signs of noise perhaps; a short one with noise only where
    it ``follows`` others.
    """
    if _LINE.match(line):
        return True
    return (
        (follows or len(line) >= _SHORT)
        and not _WORDS.search(line)
        and 4 * len(_FOREIGN.sub(b"", line)) >= 3 * len(line)
    )


def _base64(data: bytes) -> tuple[bytes, bool]:
    """Return what clean base64 holds, its padding mended, and whether it ends within a group in a way nobody
    writes.
    """
    bare = b"".join(data.split()).rstrip(b"=")
    lost = False
    if len(bare) % 4 == 1:
        lost = not bare.endswith(b"A")  # some programs write one sign too many, which says nothing
        bare = bare[:-1]
    return binascii.a2b_base64(bare + b"=" * (-len(bare) % 4)), lost


def quoted(data: bytes, word: bool = False) -> bytes:
    """Return what quoted-printable holds; blanks at the end of a line were added on the way.

    ``word``: it is one of a header.
    """
    if not word and (
        b" \n" in data or b" \r" in data or b"\t\n" in data or b"\t\r" in data or data[-1:] in b" \t"
    ):
        data = b"\n".join(_bare_end(line) for line in data.split(b"\n"))
    return _ESCAPE.sub(lambda found: bytes((int(found[1], 16),)) if found[1] else b"", data)


def _bare_end(line: bytes) -> bytes:
    end = b"\r" if line.endswith(b"\r") else b""
    return line.rstrip(b"\r").rstrip(b" \t") + end


def uuencoded(data: bytes, most: int = 10) -> list[tuple[bytes, bytes]]:
    """Return the name and the bytes of each file that stands in a text between ``begin 644 name`` and
    ``end``.
    """
    if b"begin" not in data:
        return []
    files: list[tuple[bytes, bytes]] = []
    name: bytes | None = None
    base = False
    body: list[bytes] = []
    for line in data.split(b"\n"):
        line = line.rstrip(b"\r")
        if name is None:
            if line.startswith(b"begin") and (found := _BEGIN.match(line)):
                name, base, body = found[1].strip(), line.startswith(b"begin-"), []
        elif line.strip() in (b"end", b"===="):
            files.append((name, base64(b"".join(body))[0] if base else b"".join(body)))
            name = None
            if len(files) == most:
                break
        elif base:
            body.append(line + b"\n")
        else:
            try:
                body.append(binascii.a2b_uu(line) if line.strip() else b"")
            except binascii.Error:
                # programs that count the last line wrongly: take as much as it says
                size = (((line[0] - 32) & 63) * 4 + 5) // 3
                try:
                    body.append(binascii.a2b_uu(line[:size]))
                except binascii.Error:
                    name = None
    return files
