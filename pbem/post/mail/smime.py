"""Takes the letter out of an S/MIME shell that is signed but not encrypted (CMS ``SignedData``, RFC 5652). It
checks no signature.

Outlook can send a letter so that only those who understand S/MIME can read it, though nothing in it is
secret. The path to the letter is short and fixed, so it is walked without a library, within the length of
what is there.
"""

from __future__ import annotations

from typing import Final

_SIGNED_DATA: Final = bytes.fromhex("06092a864886f70d010702")
_DATA: Final = bytes.fromhex("06092a864886f70d010701")
_SEQUENCE, _SET, _INTEGER, _OCTETS, _OCTETS_IN_PIECES, _INSIDE = 0x30, 0x31, 0x02, 0x04, 0x24, 0xA0
_PIECES: Final = 10_000


def opened(data: bytes) -> bytes | None:
    """Return the bytes that were signed, or ``None`` where it is something else, such as an
    encrypted letter.
    """
    try:
        at = _enter(data, 0, _SEQUENCE)
        if not data.startswith(_SIGNED_DATA, at):
            return None
        at = _enter(data, at + len(_SIGNED_DATA), _INSIDE)
        at = _enter(data, at, _SEQUENCE)
        at = _skip(data, at, _INTEGER)  # the version
        at = _skip(data, at, _SET)  # the digests
        at = _enter(data, at, _SEQUENCE)
        if not data.startswith(_DATA, at):
            return None
        return _octets(data, _enter(data, at + len(_DATA), _INSIDE))
    except (IndexError, ValueError):
        return None


def _head(data: bytes, at: int) -> tuple[int, int, int]:
    """Return the tag at a place, where its content begins, and its length; -1 where it ends
    with two zeros.
    """
    tag, size = data[at], data[at + 1]
    if size == 0x80:
        return tag, at + 2, -1
    if size < 0x80:
        return tag, at + 2, size
    count = size & 0x7F
    if count > 4:
        raise ValueError
    return tag, at + 2 + count, int.from_bytes(data[at + 2 : at + 2 + count], "big")


def _enter(data: bytes, at: int, wanted: int) -> int:
    tag, inside, _ = _head(data, at)
    if tag != wanted:
        raise ValueError
    return inside


def _skip(data: bytes, at: int, wanted: int) -> int:
    tag, inside, size = _head(data, at)
    if tag != wanted:
        raise ValueError
    if size >= 0:
        return inside + size
    return data.index(b"\0\0", inside) + 2


def _octets(data: bytes, at: int) -> bytes | None:
    """Return a text of bytes, in one piece or in many."""
    tag, inside, size = _head(data, at)
    if tag == _OCTETS and 0 <= size <= len(data) - inside:
        return data[inside : inside + size]
    if tag != _OCTETS_IN_PIECES:
        return None
    pieces: list[bytes] = []
    end = len(data) if size < 0 else min(inside + size, len(data))
    at = inside
    while at < end and len(pieces) < _PIECES:
        tag, inside, size = _head(data, at)
        if tag != _OCTETS or size < 0:
            break
        pieces.append(data[inside : inside + size])
        at = inside + size
    return b"".join(pieces)
