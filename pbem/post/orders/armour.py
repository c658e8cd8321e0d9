"""A signed order file, and its signature, as plain lines that survive what mail programs do to a text.

Between ``-----BEGIN PD1 ORDERS-----`` and ``-----END PD1 ORDERS-----`` stand the bytes of the file and of its
armored signature, one behind the other, in base64 without ``=``, and a line ``crc`` with eight digits.
Spaces, line ends and marks of quotation count for nothing; what else was changed shows in the sum. It decides
whether the bytes are whole, never whether the signature holds.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from typing import Final

from msgspec import Struct

from pbem.core.regex import regex

__all__ = ["BEGIN", "END", "BadArmour", "Unpacked", "decode", "encode", "spans"]

BEGIN: Final = "-----BEGIN PD1 ORDERS-----"
END: Final = "-----END PD1 ORDERS-----"
SIGNED: Final = b"-----BEGIN SSH SIGNATURE-----"
MOST: Final = 128 * 1024
"""Characters between BEGIN and END; an order file has at most 64 KiB, its signature a few hundred bytes."""
_WIDTH: Final = 64

_GAP = "(?:[ \u00a0]|=20){1,3}"
_BEGINS: Final = regex(rf"[-–—‐‑−]{{1,10}} ?BEGIN{_GAP}PD1{_GAP}ORDERS ?[-–—‐‑−]{{1,10}}")
_ENDS: Final = regex(rf"[-–—‐‑−]{{1,10}} ?END{_GAP}PD1{_GAP}ORDERS ?[-–—‐‑−]{{1,10}}")
_MARKS: Final = regex(r"^[ \t\u00a0]*(?:(?:>|&gt;|\|)[ \t\u00a0]*)+", re.MULTILINE)
_SOFT: Final = regex(r"=[ \t]*$", re.MULTILINE)
_CODED: Final = regex(r"=([0-9A-Fa-f]{2})")
_SUM: Final = regex(r"crc([0-9a-f]{8})\Z", re.IGNORECASE)
_LETTERS: Final = regex(r"[A-Za-z0-9+/]*\Z")
_NOTHING: Final = regex("[\\s\u00a0\u00ad\u200b-\u200f\u2028\u2029\u202f\u2060\ufeff]+")


class BadArmour(Exception):
    """Armour that cannot be opened: ``reason`` is ``cut`` (no END), ``long``, ``form`` (strange signs, no
    sum) or ``crc``.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Unpacked(Struct, frozen=True):
    """What was in an armour: the order file, and its armored signature where there is one."""

    data: bytes
    signature: bytes | None


def encode(data: bytes, signature: bytes | None = None) -> str:
    """Return the armour of an order file and its signature (the text of a ``.sig`` file)."""
    whole = data + (signature or b"")
    text = base64.b64encode(whole).decode().rstrip("=")
    lines = [text[at : at + _WIDTH] for at in range(0, len(text), _WIDTH)]
    return "\n".join([BEGIN, *lines, f"crc {zlib.crc32(whole):08x}", END]) + "\n"


def decode(text: str) -> Unpacked:
    """Return what is in the first armour of a text; raise BadArmour where it is not whole."""
    begin = _BEGINS.search(text)
    if begin is None:
        raise BadArmour("form")
    end = _ENDS.search(text, begin.end(), begin.end() + 2 * MOST)
    if end is None:
        raise BadArmour("long" if len(text) - begin.end() > 2 * MOST else "cut")
    inside = _MARKS.sub("", text[begin.end() : end.start()])
    if len(inside) > MOST:
        raise BadArmour("long")
    if "=" in inside:
        inside = _CODED.sub(lambda found: chr(int(found[1], 16)), _SOFT.sub("", inside)).replace("=", "")
    inside = _NOTHING.sub("", inside)
    total = _SUM.search(inside)
    letters = inside[: total.start()] if total else inside
    if total is None or not letters or _LETTERS.match(letters) is None:
        raise BadArmour("form")
    try:
        whole = base64.b64decode(letters + "=" * (-len(letters) % 4), validate=True)
    except binascii.Error:
        raise BadArmour("form") from None
    if zlib.crc32(whole) != int(total[1], 16):
        raise BadArmour("crc")
    at = whole.rfind(SIGNED)
    return Unpacked(whole, None) if at < 0 else Unpacked(whole[:at], whole[at:])


def spans(text: str) -> list[tuple[int, int]]:
    """Return where armours stand in a text, from the BEGIN of each to its END (or the end of the text)."""
    found = []
    at = 0
    while (begin := _BEGINS.search(text, at)) is not None:
        end = _ENDS.search(text, begin.end())
        at = end.end() if end else len(text)
        found.append((begin.start(), at))
    return found
