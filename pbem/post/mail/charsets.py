"""Which characters bytes are, always by the same steps, so that two readers of one letter read the same.

A byte order mark decides; else bytes that are valid UTF-8 are UTF-8; else the set that was declared, where
Latin-1 and ASCII mean what Windows means by them; else Windows-1252. A line that is valid UTF-8 within a text
that is not stays UTF-8: lists append footers in other sets. Whatever was not as declared is said. Nothing
raises, and every byte becomes some character.
"""

from __future__ import annotations

import codecs
import re
from functools import lru_cache
from typing import Final

from pbem.core.problem import Problem
from pbem.core.regex import regex

__all__ = ["decode", "decode_as", "known", "of_page"]

WINDOWS: Final = "cp1252"
_MARKS: Final = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_ALIASES: Final = {
    "iso8859-1": WINDOWS,
    "ascii": WINDOWS,
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "big5": "big5hkscs",
}
_NAMES: Final = {
    "latin": "iso-8859-1",
    "latin9": "iso-8859-15",
    "iso-8859-8-i": "iso-8859-8",
    "iso-8859-8-e": "iso-8859-8",
    "unicode-1-1-utf-7": "utf-7",
    "unicode-1-1-utf-8": "utf-8",
    "utf8mb4": "utf-8",
    "x-sjis": "shift_jis",
    "x-gbk": "gbk",
    "x-euc-jp": "euc-jp",
    "x-mac-roman": "mac-roman",
    "x-mac-ce": "mac-latin2",
    "x-mac-centraleurroman": "mac-latin2",
    "x-mac-cyrillic": "mac-cyrillic",
    "x-unicode": "utf-16",
    "unicode": "utf-16",
    "ansi": "cp1252",
    "x-ansi": "cp1252",
    "x-cp1250": "cp1250",
    "x-cp1251": "cp1251",
    "x-cp1252": "cp1252",
    "ks_c_5601-1987": "euc-kr",
    "ks_c_5601": "euc-kr",
    "visual": "iso-8859-8",
    "dos-862": "cp862",
}
# Python knows codecs that are not character sets ("idna", "unicode_escape", "undefined"): only these are
# meant by a letter
_SETS: Final = regex(
    r"utf-(?:7|8|8-sig|16|16-le|16-be|32|32-le|32-be)|ascii|iso8859-\d{1,2}|cp\d{2,5}|koi8-[rtu]"
    r"|mac-[a-z0-9]+|gb18030|gb2312|gbk|hz"
    r"|big5|big5hkscs|shift_jis\w*|euc_\w+|iso2022_\w+|tis-620|hp-roman8|ptcp154|kz1048|johab"
)
_PREFIX: Final = regex(
    r"(?:utf-?8|iso-?8859-\d{1,2}|windows-?\d{3,4}|us-ascii|koi8-[ru]|gb2312|gb18030|big5|shift_jis"
    r"|euc-[jk][pr])"
)
_WIDE: Final = regex(r"gb|hz|big5|cp9|shift_jis|euc_|johab")
_META: Final = regex(
    rb"<meta[^>]{0,400}?charset\s{0,9}=\s{0,9}[\"']?\s{0,9}([A-Za-z0-9_:.-]{2,40})", re.IGNORECASE
)
_ENCODED_TWICE: Final = regex("[\u00c2\u00c3][\u0080-\u00bf\u0152-\u0178\u2018-\u203a\u20ac]|\u00e2\u20ac")


@lru_cache(maxsize=256)
def known(declared: str) -> str:
    """Return Python's name of a declared character set, or nothing where nobody knows it."""
    name = re.split(r"[;,\s]", declared.strip().strip("\"'").lower(), maxsplit=1)[0].strip("\"'")[:60]
    for tried in (
        name,
        _NAMES.get(name, ""),
        name.replace("-", "").replace("_", ""),
        name.removeprefix("x-"),
        _begun(name),
    ):
        if not re.fullmatch(r"[a-z0-9][a-z0-9_.:+-]*", tried):
            continue
        try:
            found = codecs.lookup(tried).name
        except (LookupError, ValueError):
            continue
        if _SETS.fullmatch(found):
            return _ALIASES.get(found, found)
    return ""


def _begun(name: str) -> str:
    """Return the character set a name begins with: programs paste other things behind it."""
    found = _PREFIX.match(name)
    return found.group().replace("windows-", "cp").replace("windows", "cp") if found else ""


def decode(data: bytes, declared: str = "") -> tuple[str, tuple[Problem, ...]]:
    """Return the text, without a byte order mark, and what had to be assumed to read it."""
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(codec, "replace"), ()
    if (
        data.isascii()
        and b"\0" not in data
        and b"\x1b" not in data
        and b"+" not in data
        and b"~{" not in data
    ):
        return data.decode("ascii"), ()
    codec = known(declared) if declared else ""
    if codec and (shifted := _shifted(data, codec)) is not None:
        return shifted, ()
    if b"\0" in data and (wide := _undeclared_wide(data)):
        return data.decode(wide, "replace"), (Problem("mail.charset-guessed", {"used": wide}),)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return _not_utf8(data, declared, codec)
    if not codec.startswith("utf-8") and not text.isascii() and declared:
        return text, (Problem("mail.charset-wrong", {"declared": _short(declared), "used": "UTF-8"}),)
    if _ENCODED_TWICE.search(text) and _twice(text):
        return text, (Problem("mail.charset-twice"),)
    return text, ()


def _shifted(data: bytes, codec: str) -> str | None:
    """Return the text where the declared set may look like ASCII or UTF-8 without being it, and fits without
    a fault.
    """
    if codec == "utf-7":
        fits = data.isascii() and b"+" in data
    elif codec.startswith(("iso2022", "hz")):
        fits = b"\x1b" in data or b"~{" in data
    elif codec.startswith(("utf-16", "utf-32")):
        # without a mark the order of the bytes is the one in which the zeros of Latin letters fall to their
        # places
        if b"\0" in data and codec in ("utf-16", "utf-32"):
            codec += "-le" if data[1:2] == b"\0" else "-be"
        fits = b"\0" in data
    else:
        fits = bool(_WIDE.match(codec)) and not data.isascii()
    if not fits:
        return None
    try:
        return data.decode(codec)
    except UnicodeError:
        return None


def _undeclared_wide(data: bytes) -> str:
    """Return which UTF-16 it is if every other byte of its beginning is zero."""
    head = data[:200]
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if len(head) >= 4 and odd > 0.8 * len(head[1::2]) and even == 0:
        return "utf-16-le"
    return "utf-16-be" if len(head) >= 4 and even > 0.8 * len(head[0::2]) and odd == 0 else ""


def _not_utf8(data: bytes, declared: str, codec: str) -> tuple[str, tuple[Problem, ...]]:
    """Return the text of bytes that are not UTF-8 throughout."""
    mixed = any(not line.isascii() and _is_utf8(line) for line in data.split(b"\n"))
    other = codec if codec and not codec.startswith(("utf-", "iso2022", "hz")) else WINDOWS
    if mixed and (not codec or codec.startswith("utf-8")):
        lines = [
            line.decode("utf-8") if _is_utf8(line) else decode_as(line, WINDOWS) for line in data.split(b"\n")
        ]
        return "\n".join(lines), (Problem("mail.charset-mixed"),)
    if not declared:
        return decode_as(data, other), (Problem("mail.charset-none", {"used": "Windows-1252"}),)
    if not codec:
        return decode_as(data, other), (
            Problem("mail.charset-unknown", {"declared": _short(declared), "used": "Windows-1252"}),
        )
    if other != codec:
        return decode_as(data, other), (
            Problem("mail.charset-wrong", {"declared": _short(declared), "used": "Windows-1252"}),
        )
    try:
        return data.decode(codec), ()
    except UnicodeError:
        problem = Problem("mail.charset-broken", {"declared": _short(declared)}) if codec != WINDOWS else None
        return decode_as(data, codec), (problem,) if problem else ()


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _twice(text: str) -> bool:
    """Tell whether UTF-8 was taken for Windows-1252 on its way and encoded once more."""
    odd = "".join(found for found in re.findall(r"[^\x00-\x7f]+", text[:20_000]))
    try:
        return odd.encode(WINDOWS).decode("utf-8") != odd
    except UnicodeError:
        return False


def decode_as(data: bytes, codec: str) -> str:
    """Return the text in a set that ``known`` named; the five bytes Windows-1252 leaves out become the
    controls of Latin-1.
    """
    try:
        return data.decode(codec)
    except UnicodeError:
        if codec != WINDOWS:
            return data.decode(codec, "replace")
    return "".join(
        chr(byte) if byte in b"\x81\x8d\x8f\x90\x9d" else bytes((byte,)).decode(WINDOWS) for byte in data
    )


def of_page(data: bytes) -> str:
    """Return the character set that a page of HTML names itself, or nothing."""
    found = _META.search(data[:4096])
    return found[1].decode("ascii") if found else ""


def _short(declared: str) -> str:
    return "".join(letter if " " < letter <= "~" else "?" for letter in declared[:40])
