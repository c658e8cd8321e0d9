"""Header fields of a letter or of one of its parts: where they end, what they say, which words in them were
encoded.

It decides nothing about what a field means. Fields that a mail program would still understand are understood:
8-bit signs, a line that lost the blank in front of it, a missing blank line before the text. What it returns
is short (``LONGEST``) whatever came, and its work grows with the length of the header alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final
from urllib.parse import unquote_to_bytes

from msgspec import Struct

from pbem.core.regex import regex
from pbem.post.mail import charsets, transfer

LONGEST: Final = 2_000
"""How many characters of one field are looked at."""
BLOCK: Final = 65_536
"""How many bytes the header of a letter may have."""
_FIELDS: Final = 2_000
_FOLDS: Final = 10
"""So many lines of a folded field are looked at behind a line of blanks."""

_NAME: Final = regex(rb"([!-9;-~]{1,120})[ \t]*:")
_OF_PARTS: Final = regex(rb"(?i)(?:content-|x-|mime-)")
_KNOWN: Final = regex(
    rb"(?i)(?:content-|mime-version|from|to|cc|date|subject|message-id|received|x-|return-path|references"
    rb"|in-reply-to|dkim-|reply-to"
    rb"|sender|list-|precedence|auto-submitted|authentication-|arc-|user-agent|importance|thread-"
    rb"|delivered-to)[a-z-]*[ \t]*:"
)
_ENCODED: Final = regex(r"=\?([!->@-~]{1,60})\?([bBqQ])\?([^?\n]{0,2000})\?=")
_PARAMETER: Final = regex(r"[; ]{0,9}([^\s=;\"]{1,80}) ?= ?")
_CONTINUED: Final = regex(r"([^*]+)\*(?:(\d{1,3})(\*?))?\Z")


class Headers(Struct, frozen=True):
    """The fields in their order: each name in small letters and its value unfolded, as bytes."""

    fields: tuple[tuple[str, bytes], ...] = ()

    def raw(self, name: str) -> list[bytes]:
        """Return the bytes of every field of that name."""
        return [value for known, value in self.fields if known == name]

    def count(self, name: str) -> int:
        """Return how often there is a field of that name."""
        return sum(1 for known, _ in self.fields if known == name)

    def has(self, name: str) -> bool:
        """Tell whether there is a field of that name."""
        return any(known == name for known, _ in self.fields)

    def first(self, name: str) -> str:
        """Return the first field of that name as characters, encoded words left as they are, cut to
        ``LONGEST``.
        """
        return next((characters(value) for known, value in self.fields if known == name), "")

    def every(self, name: str) -> list[str]:
        """Return every field of that name, each as ``first`` returns it."""
        return [characters(value) for known, value in self.fields if known == name]


def characters(value: bytes) -> str:
    """Return a field's bytes as characters on one line: UTF-8, else as Windows would write them."""
    try:
        text = value[: 4 * LONGEST].decode("utf-8")
    except UnicodeDecodeError:
        text = charsets.decode_as(value[: 4 * LONGEST], charsets.WINDOWS)
    return " ".join(re.split(r"[\r\n\0]+", text))[:LONGEST].strip()


def block(data: bytes, start: int, ends: Callable[[bytes], bool], inner: bool) -> tuple[Headers, int]:
    """Return the fields that begin at ``start`` and where the text behind them begins.

    ``ends`` tells which line is a boundary: no header runs over one. In an ``inner`` part only fields that
    can stand in one are taken, so that an order file whose blank line got lost does not become a header.
    """
    fields: list[tuple[str, list[bytes]]] = []
    at = start
    size = len(data)
    folded = 0  # how long the last field is
    while at < size and at - start <= BLOCK:
        stop = data.find(b"\n", at)
        after = size if stop < 0 else stop + 1
        line = data[at : size if stop < 0 else stop].rstrip(b"\r")
        if not line.strip():
            folded_away = bool(line and fields) and _goes_on(data, after)
            if not folded_away and (fields or inner or at - start > 4):
                return _made(fields), after
            at = after  # a field that was folded into nothing, or an empty line above the header of a letter
            continue
        if line.startswith(b"--") and ends(line):
            return _made(fields), at
        if line[:1] in b" \t" and fields:
            folded += len(line)
            if folded < 4 * LONGEST:
                fields[-1][1].append(line)
        elif found := _field(line, inner):
            if len(fields) < _FIELDS:
                fields.append((found[1].decode("ascii").lower(), [line[found.end() :]]))
                folded = len(line)
        elif not inner and line.startswith((b"From ", b">From ")):
            pass  # the line that parts the letters of an mbox
        elif _KNOWN.match(data[after : after + 60]) and not line.startswith(b"--"):
            if fields:
                fields[-1][1].append(b" " + line)  # a field that was folded without the blank
        else:
            return _made(fields), at
        at = after
    return _made(fields), at


def _field(line: bytes, inner: bool) -> re.Match[bytes] | None:
    """Return the name with which a line begins a field; None where it begins none, or none of a part."""
    if inner and line[:1].islower() and not _OF_PARTS.match(line):
        return None
    return _NAME.match(line)


def _goes_on(data: bytes, at: int) -> bool:
    """Tell whether a header goes on behind a line of blanks: with a field that letters have, perhaps below
    more of a folded one.
    """
    for _ in range(_FOLDS):
        if _KNOWN.match(data[at : at + 60]):
            return True
        after = data.find(b"\n", at)
        if after < 0 or data[at : at + 1] not in (b" ", b"\t"):
            return False
        at = after + 1
    return False


def _made(fields: list[tuple[str, list[bytes]]]) -> Headers:
    return Headers(tuple((name, b"".join(lines).strip()) for name, lines in fields))


def words(text: str) -> str:
    """Return a text with its encoded words read (RFC 2047); a word in a character set nobody knows stays as
    it is.
    """
    out: list[str] = []
    held = b""  # one letter may be parted between two words
    held_as = ""
    at = 0

    def release() -> None:
        nonlocal held, held_as
        if held_as:
            out.append(charsets.decode_as(held, held_as))
        held, held_as = b"", ""

    for found in _ENCODED.finditer(text):
        known = charsets.known(found[1].partition("*")[0])
        if not known:
            continue
        gap = text[at : found.start()]
        if gap.strip() or not held_as:
            release()
            out.append(gap)
        elif known != held_as:
            release()
        raw = found[3].encode("utf-8", "replace")
        held += (
            transfer.base64(raw)[0]
            if found[2] in "bB"
            else transfer.quoted(raw.replace(b"_", b" "), word=True)
        )
        held_as = known
        at = found.end()
    release()
    out.append(text[at:])
    return "".join(out)[:LONGEST]


def value_of(text: str) -> str:
    """Return what stands before the first parameter, in small letters: ``text/plain`` of ``Text/Plain;
    charset=x``.
    """
    return re.split(r"[;\s]", text.strip().strip('"'), maxsplit=1)[0].strip().strip('"').lower()


def parameters(text: str) -> dict[str, str]:
    """Return the parameters of a field, those that were cut in pieces or encoded (RFC 2231, or words as many
    mailers do) whole.
    """
    plain: dict[str, str] = {}
    pieces: dict[str, dict[int, tuple[str, bool]]] = {}
    for name, value in _each_parameter(" ".join(text.split())):
        if part := _CONTINUED.match(name):
            encoded = part[2] is None or bool(part[3])
            pieces.setdefault(part[1], {}).setdefault(int(part[2] or 0), (value, encoded))
        else:
            plain.setdefault(name, value)
    result = {name: words(value) if "=?" in value else value for name, value in plain.items()}
    for name, numbered in pieces.items():
        result[name] = _joined([numbered[number] for number in sorted(numbered)])
    return result


def _each_parameter(text: str) -> Iterator[tuple[str, str]]:
    """Yield each name and value; a quote that is never closed is only a sign."""
    start = re.search("[; ]", text)
    at = start.start() if start else len(text)
    quotes = True
    while at < len(text):
        found = _PARAMETER.match(text, at)
        if found is None:
            after = re.compile("[; ]").search(text, at + 1)
            at = after.start() if after else len(text)
            continue
        at = found.end()
        close = closing(text, at + 1) if quotes and text[at : at + 1] == '"' else -1
        if close >= 0:
            yield found[1].lower(), re.sub(r"\\(.)", r"\1", text[at + 1 : close])
            at = close + 1
            continue
        quotes = quotes and text[at : at + 1] != '"'
        end = text.find(";", at)
        end = len(text) if end < 0 else end
        yield found[1].lower(), text[at:end].strip().strip('"')
        at = end


def closing(text: str, at: int) -> int:
    """Return where a quoted text that began before ``at`` ends, or -1."""
    while at < len(text):
        if text[at] == '"':
            return at
        at += 2 if text[at] == "\\" else 1
    return -1


def _joined(pieces: list[tuple[str, bool]]) -> str:
    """Return the value of a parameter that came in pieces, the first of which names the character set."""
    charset = ""
    data = b""
    for number, (value, encoded) in enumerate(pieces):
        if encoded and number == 0 and value.count("'") >= 2:
            charset, _, value = value.split("'", 2)
        data += unquote_to_bytes(value) if encoded else value.encode("utf-8", "replace")
    return charsets.decode(data, charset)[0]
