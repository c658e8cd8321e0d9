"""The proof line of a post: which history the thread was told, in a form that quoting, wrapping and smart
signs do not hurt.

The head is the id of the record that holds the result of the slot. That record names the digest of the one
before it, of the state, of the events and of the rolls, so whoever has this one value has fixed everything up
to and including this turn. It stands whole, in groups that no forum breaks or shortens, on lines of a code
block, where nothing turns signs into smilies or links.

``find`` only reads. Whether a head is that of a game is decided where the game is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from pbem.core.regex import regex
from pbem.post.lines.message import Line

__all__ = ["ProofLine", "find", "line"]

DIGITS: Final = 64
_GROUP: Final = 8
_LEAST: Final = 16
"""Digits below which what is left of a head says nothing."""
_LINES, _SIGNS, _MOST, _WIDE = 24, 1000, 500, 20_000
"""Lines and characters that one proof line may be spread over, proof lines that are read of one post, and
characters of a line.
"""
_START: Final = regex(r"pbem[\s_-]{0,3}proof(?![a-z0-9])", re.IGNORECASE)
_GAP: Final = r"[^a-z0-9]{1,12}"
_NAMED: Final = regex(
    rf"[^a-z0-9]{{0,12}}game{_GAP}(?P<game>[a-z0-9][a-z0-9-]{{0,63}}){_GAP}slot{_GAP}(?P<slot>[0-9]{{1,5}}){_GAP}head(?![a-z0-9])",
    re.IGNORECASE,
)
_WORD: Final = regex(r"[^\W_]+")
_HEX: Final = regex(r"[0-9a-f]+", re.IGNORECASE)
_DASHES: Final = dict.fromkeys(map(ord, "‐‑‒–—―−"), "-")
_MARKS: Final = regex(r"^[\s>|]*")


class ProofLine(Struct, frozen=True):
    """What a post says of a history. ``head`` has 64 digits, or fewer where its end is lost; ``number`` is
    the line it begins in.

    ``quoted`` tells how deep it stands in somebody else's words; such a line is not a word of the post's
    author.
    """

    game: str
    slot: int
    head: str
    number: int
    quoted: int = 0

    @property
    def whole(self) -> bool:
        """Tell whether nothing of the head is missing."""
        return len(self.head) == DIGITS


def line(game: str, slot: int, head: str) -> str:
    """Return the proof line of a slot: two lines, neither wider than a mail."""
    groups = " ".join(head[at : at + _GROUP] for at in range(0, len(head), _GROUP))
    return f"pbem proof: game {game}, slot {slot}, head\n{groups}"


def find(lines: Sequence[Line]) -> list[ProofLine]:
    """Return the proof lines of a post, in their order, those that are quoted marked so."""
    plain = [_plain(one) for one in lines]
    found: list[ProofLine] = []
    for at, (text, quoted) in enumerate(plain):
        if "pbem" not in text.lower():
            continue
        below = _below(plain[at + 1 : at + _LINES], quoted)
        for start in _START.finditer(f"{text} {below}"):
            if len(found) == _MOST:
                return found
            if start.start() >= len(text):
                break
            run = (
                f"{text[start.end() : start.end() + _SIGNS]} {below[max(0, start.end() - len(text) - 1) :]}"[
                    :_SIGNS
                ]
            )
            if (read := _read(run, lines[at].number, quoted)) is not None:
                found.append(read)
    return found


def _below(lines: Sequence[tuple[str, int]], quoted: int) -> str:
    """Return what stands below a line, as far as a proof line may reach and as deep in somebody's words."""
    joined = ""
    for text, depth in lines:
        if (depth != quoted and text) or len(joined) > _SIGNS:
            break
        joined += f"{text[:_SIGNS]} "
    return joined


def _plain(one: Line) -> tuple[str, int]:
    """Return a line without what cannot be seen and without marks of quotation, and how deep it is quoted."""
    text = unicodedata.normalize("NFKC", one.text[:_WIDE]).translate(_DASHES)
    if not text.isprintable():
        text = "".join(
            letter
            for letter in text
            if unicodedata.category(letter) not in ("Cf", "Cc", "Co") or letter == "\t"
        )
    marks = _MARKS.match(text)
    front = marks.group() if marks is not None else ""
    return text[len(front) :].rstrip(), one.quoted + front.count(">")


def _read(text: str, number: int, quoted: int) -> ProofLine | None:
    named = _NAMED.match(text)
    if named is None:
        return None
    head = _head(text[named.end() :])
    if len(head) < _LEAST:
        return None
    return ProofLine(named["game"].lower(), int(named["slot"]), head, number, quoted)


def _head(text: str) -> str:
    """Return the digits at the beginning of a text: all 64 wherever they were broken, or those whose groups
    are whole.
    """
    digits, sure = "", ""
    for found in _WORD.finditer(text):
        word = found.group().lower()
        if not _HEX.fullmatch(word):
            break
        if sure == digits and len(word) % _GROUP == 0:
            sure += word
        digits += word
        if len(digits) >= DIGITS:
            return digits[:DIGITS]
    return sure
