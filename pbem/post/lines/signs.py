"""The signs that telephones, word processors and mail programs put in the place of those that were typed, and
back again.

It decides which sign was certainly meant, and nothing about lines: that is ``repair``. A text that anybody
may read, such as a message, keeps its dashes and dots; only what cannot be told from the typed sign, or may
not stand in a file at all, is changed there.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from pbem.core.regex import regex
from pbem.post.lines.rows import Row

_LONGEST: Final = 5_000
"""Longer lines are not orders, and stay as they are."""

_SPACE: Final = regex("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_INVISIBLE: Final = regex(
    "[\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u08e2\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffc\ufe0e\ufe0f"
    "\U000e0000-\U000e007f\x00-\x08\x0b-\x1f\x7f]+"
)
_C1: Final = regex("[\x80-\x84\x86-\x9f]")
_TAB: Final = regex("\t+")
_ENTITY: Final = regex(
    r"&(?:nbsp|gt|lt|amp|quot|apos|ndash|mdash|hellip|[lr][sd]quo|shy|zwnj|#[0-9]{2,5}"
    r"|#[xX][0-9a-fA-F]{2,4});"
)
_COMBINED: Final = regex(r"[^\u0300-\u036f][\u0300-\u036f]*")

_SINGLE, _DOUBLE = "‘’‚‛´`′ʼ＇", "“”„‟«»″＂〝〞"
_QUOTES: Final = str.maketrans(dict.fromkeys("‘’‚‛´′ʼ＇", "'") | dict.fromkeys(_DOUBLE, '"'))
_QUOTE: Final = regex("[‘’‚‛´′ʼ＇“”„‟«»″＂〝〞]")
_ENCLOSED: Final = regex(r"[“„”«»‟][^“”„‟«»\"]*[“”»«‟]$")
_FRENCH: Final = regex("« ?| ?»")
_DASH: Final = regex("[‐‑‒–—―−﹘﹣]")
_DOTS: Final = regex("…")
_ARROW: Final = regex("(?<=[A-Za-z0-9,)])( *)[→⇒➔➜➞➝⟶⟹➡🡒]\ufe0f?")
_CHEER: Final = regex(
    "(?: *[👍👌🙂😀😃😄😁😊😉😂😎🙏💪🤞🎯🏹🏃🏇🔥✅✔⚔🛡🗡][\U0001f3fb-\U0001f3ff\ufe0f]?)+ *$"
)
"""Pictures behind an order that say nothing about it."""
_WIDE: Final = regex("[\uff01-\uff5e﹕꞉∶]")
_ESCAPE: Final = regex(r"\\(?=[-_#*.\[\](){}>+`!~|:@,])")
_LINK: Final = regex(
    r" ?<(?:tel|mailto|https?|x-apple-data-detectors|callto|sms|calendar)[:/][^<> ]{0,300}>", re.IGNORECASE
)
_MARKED_LINK: Final = regex(
    r"\[([^\[\]]{1,80})\]\((?:tel|mailto|https?|x-apple-data-detectors|callto|sms):[^() ]{0,300}\)",
    re.IGNORECASE,
)
_STRONG: Final = regex(r"(?<![\w*])(\*{1,3}|_{1,3}|`{1,2})(?=[^\s*_`])([^*_`]{1,120}?)(?<=[^\s])\1(?![\w*])")


def unmangle(rows: Sequence[Row]) -> None:
    """Undo a text in UTF-8 that was taken for Windows-1252 on its way (``â€™``), if all of it can be."""
    strange = [row for row in rows if not row.text.isascii()]
    if not strange or not any(mark in row.text for row in strange for mark in ("Ã", "Â", "â€", "â\x80")):
        return
    undone = []
    for row in strange:
        decoded = _undone(row.text) if len(row.text) <= _LONGEST else None
        if decoded is None:
            return
        undone.append(decoded)
    for row, (text, places) in zip(strange, undone, strict=True):
        if text != row.text:
            row.note("repair.encoding", row.text[:40], text[:40])
            row.columns = [row.columns[place] for place in places]
            row.text = text


def _undone(text: str) -> tuple[str, list[int]] | None:
    """Return a line decoded once more and where each of its characters began; None where it
    was no such line.
    """
    coded = bytearray()
    begins: list[int] = []
    for place, sign in enumerate(text):
        try:
            data = sign.encode("cp1252")
        except UnicodeEncodeError:
            if not "\x80" <= sign <= "\x9f":
                return None
            data = bytes([ord(sign)])
        coded += data
        begins.append(place)
    try:
        out = coded.decode("utf-8")
    except UnicodeDecodeError:
        return None
    places, at = [], 0
    for sign in out:
        places.append(begins[at])
        at += len(sign.encode())
    return out, [*places, len(text)]


def clean(row: Row) -> None:
    """Repair what may not stand in any file, whatever the line means; spaces at its end go without a word."""
    if len(row.text) > _LONGEST:
        return
    if "&" in row.text:
        from html import unescape

        row.sub(_ENTITY, lambda found: unescape(found.group()), "repair.entity")
    if not (row.text.isascii() and row.text.isprintable()):
        row.sub(_C1, lambda found: bytes([ord(found.group())]).decode("cp1252", "ignore"), "repair.encoding")
        row.sub(_SPACE, " ", "repair.space")
        row.sub(_INVISIBLE, "", "repair.invisible")
        if "\t" in row.text:
            _untab(row)
        if not unicodedata.is_normalized("NFC", row.text):
            row.sub(_COMBINED, lambda found: unicodedata.normalize("NFC", found.group()), "repair.accent")
    row.strip()


def _untab(row: Row) -> None:
    """Put two spaces for each tab that a line begins with, and one for any others."""
    said = row.text.strip() != "" and "\t" in row.text.rstrip()
    indent = len(row.text) - len(row.text.lstrip(" \t"))

    def spaces(found: re.Match[str]) -> str:
        return "  " * len(found.group()) if found.start() < indent else " "

    row.sub(_TAB, spaces)
    if said:
        row.note("repair.tab", "\\t", " ")


def straighten(row: Row) -> None:
    """Type quotation marks as a keyboard has them."""
    if not row.text.isascii() and len(row.text) <= _LONGEST:
        row.sub(_FRENCH, '"', "repair.smart-quote")
        row.sub(_QUOTE, lambda found: found.group().translate(_QUOTES), "repair.smart-quote")


def unfold(row: Row, start: int) -> None:
    """Type the marks round somebody's words, from ``start`` on, as a keyboard has them: they are not part of
    the words.
    """
    begin = start + len(row.text[start:]) - len(row.text[start:].lstrip(" "))
    if _ENCLOSED.match(row.text, begin) is not None:
        row.note("repair.smart-quote", row.text[begin], '"')
        inside = row.text[begin + 1 : -1].strip(" ")
        first = row.text.index(inside, begin + 1) if inside else begin + 1
        end = len(row.text)
        row.replace(first + len(inside), end, '"')
        row.replace(begin, first, '"')


def plain(row: Row) -> None:
    """Type every sign of an order as it is typed on a keyboard, and take out what programs put around words;
    a comment stays.
    """
    if len(row.text) > _LONGEST:
        return
    behind = ""
    start = comment(row.text)
    columns = row.columns
    if start >= 0:
        behind = row.text[start:]
        row.text, row.columns = row.text[:start], columns[: start + 1]
    if not row.text.isascii():
        row.sub(_FRENCH, '"', "repair.smart-quote")
        row.sub(_QUOTE, lambda found: found.group().translate(_QUOTES), "repair.smart-quote")
        row.sub(_DASH, "-", "repair.dash")
        row.sub(_DOTS, "...", "repair.ellipsis")
        row.sub(_ARROW, lambda found: f"{found[1]}->", "repair.dash")
        row.sub(_CHEER, "", "repair.mark")
        row.sub(
            _WIDE,
            lambda found: unicodedata.normalize("NFKC", found.group()).replace("꞉", ":").replace("∶", ":"),
            "repair.wide",
        )

    if "\\" in row.text:
        row.sub(_ESCAPE, "", "repair.escape")
    if "<" in row.text:
        row.sub(_LINK, "", "repair.link")
    if "](" in row.text:
        row.sub(_MARKED_LINK, lambda found: found[1], "repair.link")
    if any(mark in row.text for mark in "*_`"):
        row.sub(_STRONG, lambda found: found[2], "repair.mark")
    if behind:
        row.columns = row.columns[: len(row.text)] + columns[start:]
        row.text += behind


def comment(text: str) -> int:
    """Return where the comment of a line begins, or -1; a sign inside quotes begins none."""
    if "#" not in text:
        return -1
    quote = ""
    for at, sign in enumerate(text):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "'\"" and (at == 0 or text[at - 1] in " :[{,"):
            quote = sign
        elif sign == "#" and (at == 0 or text[at - 1] in " \t"):
            return at
    return -1
