"""What stands on the cover of a letter: names, addresses, subjects and ids as header lines in which nothing
can break out.

Lines are made here and not by the ``email`` package: that one encodes an id above 75 characters where it
answers one, and then no thread holds together; and how it folds differs between editions of Python, while the
same letter has to be the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from typing import Final

from pbem.core.regex import regex
from pbem.text.markup import clean

__all__ = [
    "addressable",
    "header",
    "mailbox",
    "message_id",
    "one_line",
    "phrase",
    "references",
    "reply_subject",
]

NAME_LIMIT, SUBJECT_LIMIT = 60, 160
"""Characters of a name and of a subject that are kept."""
_WIDE: Final = 76
_WORD: Final = 39
"""Bytes in one encoded word: 52 characters of base64, and room on its line for the name of a header."""
_ADDRESS: Final = regex(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?"
)
_ID: Final = regex(r"<[!-;=?-~]{1,900}>")
_KEY: Final = regex(r"[A-Za-z0-9][A-Za-z0-9.+_-]{0,120}")
_ATOMS: Final = regex(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]+")
_AGAIN: Final = regex(
    r"(?:(?:re|aw|antw|antwort|rép|ref|sv|vs|fwd?|wg|tr|auto)\s*(?:\[\d{1,3}\])?\s*:\s*)+", re.IGNORECASE
)
"""What clients put before a subject when they answer or pass on."""


def addressable(address: str) -> bool:
    """Tell whether a letter can be sent to an address: plain ASCII, one mailbox, and nothing that could be
    read as two.
    """
    return _ADDRESS.fullmatch(address) is not None and ".." not in address.partition("@")[2]


def one_line(text: str, limit: int = SUBJECT_LIMIT) -> str:
    """Return somebody's text on one line: nothing in it hides, turns the reading direction or ends the line;
    cut where it is long.
    """
    flat = " ".join(clean(text[: 20 * limit]).split())
    return flat if len(flat) <= limit else flat[: limit - 1].rstrip() + "…"


def reply_subject(subject: str, otherwise: str, game: str = "", code: str = "") -> str:
    """Return the subject of the answer to a letter: ``Re:`` once, whatever the clients of a thread have piled
    up before it.

    Game and code stand in it as well, so that the next letter of the thread carries them.
    """
    bare = one_line(subject)
    if found := _AGAIN.match(bare):
        bare = bare[found.end() :].strip()
    if not bare:
        return one_line(otherwise)
    before = f"[{game}] " if game and game not in bare else ""
    after = f" (code {code})" if code and code not in bare else ""
    return f"Re: {before}{one_line(bare, SUBJECT_LIMIT - len(before) - len(after) - 4)}{after}"


def message_id(key: str, domain: str) -> str:
    """Return the id of a letter: made of its key, so that a letter that is made again is the same letter."""
    plain = (
        key
        if _KEY.fullmatch(key) and ".." not in key and not key.endswith(".")
        else hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:40]
    )
    return f"<{plain}@{domain}>"


def references(*ids: str) -> tuple[str, ...]:
    """Return the ids among some texts that can stand in a header, each once: of a long thread the first and
    the last ten.
    """
    known = tuple(dict.fromkeys(id_ for id_ in ids if _ID.fullmatch(id_)))
    return known if len(known) <= 11 else (known[0], *known[-10:])


def phrase(name: str) -> str:
    """Return a name as it stands before an address in a header; empty where nothing of it can be shown."""
    shown = one_line(name, NAME_LIMIT)
    if not shown.isascii() or "=?" in shown:
        return " ".join(_encoded(shown))
    if shown and _ATOMS.fullmatch(shown) is None:
        return '"' + shown.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return shown


def mailbox(name: str, address: str) -> str:
    """Return a name and an address as they stand in ``From`` or ``To``."""
    shown = phrase(name)
    return f"{shown} <{address}>" if shown else address


def header(name: str, value: str, *, words: bool = False) -> str:
    """Return a header as lines with CRLF; ``words`` says that the value is free text, which may have to be
    encoded.
    """
    if words and (
        not value.isascii()
        or "=?" in value
        or any(len(part) > _WIDE - len(name) - 2 for part in value.split(" "))
    ):
        value = " ".join(_encoded(value))
    lines = [f"{name}:"]
    for part in value.split(" "):
        if len(lines[-1]) + 1 + len(part) > _WIDE and not lines[-1].endswith(":"):
            lines.append("")
        lines[-1] += f" {part}"
    return "\r\n".join(lines) + "\r\n"


def _encoded(text: str) -> Iterator[str]:
    """Yield a text as encoded words (RFC 2047), none of which cuts a character in two."""
    piece = b""
    for character in text:
        more = character.encode("utf-8", "replace")
        if len(piece) + len(more) > _WORD:
            yield f"=?utf-8?b?{base64.b64encode(piece).decode()}?="
            piece = b""
        piece += more
    yield f"=?utf-8?b?{base64.b64encode(piece).decode()}?="
