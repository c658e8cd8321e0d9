"""Whose address a field holds, and the names of letters (``Message-ID``).

An address between ``<`` and ``>`` wins over one in the name beside it; comments, quotes and groups are
understood by counting, never by calling itself. Encoded words are read after the addresses are taken apart,
so that nothing encoded can become one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from pbem.post.mail import headers
from pbem.text.markup import clean

_MOST: Final = 100
_DOMAIN: Final = re.compile(
    r"(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.)*[^\W_](?:[\w-]{0,61}[^\W_])?\.?\Z|\[[0-9a-fA-Fv:.]{2,60}\]\Z"
)
_LOCAL: Final = re.compile(r"[^\s\x00-\x20\x7f-\xa0()<>\[\]:;@\\,\"]{1,64}\Z")
_ID: Final = re.compile(r"<([\x21-\x3b=\x3f-\x7e]{1,500})>")


@dataclass(frozen=True, slots=True)
class Mailbox:
    """One address, bare and in small letters, and the name beside it, which says nothing
    about whose it is.
    """

    address: str
    name: str = ""


def mailboxes(text: str) -> list[Mailbox | None]:
    """Return each address of a field in turn; ``None`` stands for one that cannot be read for certain."""
    return [mailbox for piece in _pieces(text) if (mailbox := _mailbox(*piece)) is not _NOTHING]


_NOTHING: Final = Mailbox("")


def _pieces(text: str) -> list[tuple[list[str], str, str]]:
    """Return for each address: what stood in angle brackets, the words beside it, the comments."""
    out: list[tuple[list[str], str, str]] = []
    angles: list[str] = []
    bare: list[str] = []
    remarks: list[str] = []
    depth = 0
    quotes = True
    at, size = 0, len(text)
    inside: list[str] | None = None  # the address between < and >
    while at < size and len(out) < _MOST:
        letter = text[at]
        at += 1
        if letter == "\\" and (depth or inside is None):
            (remarks if depth else bare).append(text[at : at + 1])
            at += 1
        elif depth:
            depth += (letter == "(") - (letter == ")")
            if depth:
                remarks.append(letter)
        elif letter == '"':
            close = headers.closing(text, at) if quotes else -1
            if close < 0:
                quotes = False  # a quote that is never closed is only a sign
                continue
            quoted = re.sub(r"\\(.)", r"\1", text[at:close])
            if inside is not None:
                inside.append(quoted)
            else:
                # within quotes a sign is a letter of a name, not of an address, unless an @ follows at once
                bare.append(quoted if text[close + 1 : close + 2] == "@" else "\0" + quoted + "\0")
            at = close + 1
        elif letter == "(":
            depth = 1
        elif inside is not None:
            if letter == ">":
                angles.append("".join(inside))
                inside = None
            elif letter == "<":
                inside = []
            else:
                inside.append(letter)
        elif letter == "<":
            inside = []
        elif letter in ",;":
            out.append((angles, "".join(bare), "".join(remarks)))
            angles, bare, remarks = [], [], []
        elif letter == ":" and not angles:
            bare = []  # the name of a group
        elif letter != ")":
            bare.append(letter)
    if inside:
        angles.append("".join(inside))
    out.append((angles, "".join(bare), "".join(remarks)))
    return out


def _mailbox(angles: list[str], bare: str, remark: str) -> Mailbox | None:
    if angles:
        addresses = [address for angle in angles if (address := _address(angle.rpartition(":")[2]))]
        if len(addresses) != 1 or len(angles) > 1:
            return None
        return Mailbox(addresses[0], _name(bare) or _name(remark))
    loose = [word for word in re.sub("\0[^\0]*\0", " ", bare).split() if "@" in word]
    if not loose:
        return None if bare.strip("\0 ") or remark else _NOTHING
    if len(loose) > 1 or not bare.rstrip("\0 ").endswith(loose[0]) or not (address := _address(loose[0])):
        return None
    return Mailbox(address, _name(re.sub(re.escape(loose[0]), " ", bare, count=1)) or _name(remark))


def _address(text: str) -> str:
    """Return an address in small letters, or nothing where it is none."""
    local, _, domain = "".join(text.split()).rpartition("@")
    local = local.removeprefix("mailto:")
    if (
        not _LOCAL.match(local)
        or len(domain) > 253
        or not _DOMAIN.match(domain)
        or clean(local + domain) != local + domain
    ):
        return ""
    return f"{local}@{domain.rstrip('.')}".lower()


def _name(text: str) -> str:
    """Return a name as a person may see it: one line, no hidden signs."""
    return " ".join(clean(headers.words(text.replace("\0", ""))).split())[:100].strip("'\" ")


def ids(text: str) -> tuple[str, ...]:
    """Return the names of letters in a field, each in its angle brackets, fit to stand in a header again."""
    found = tuple(dict.fromkeys(f"<{one}>" for one in _ID.findall(text)))
    if found or "<" in text:
        return found
    words = [word for word in text.split() if re.fullmatch(r"[\x21-\x3b=\x3f-\x7e]{1,500}", word)]
    return tuple(f"<{word}>" for word in words[:1] if "@" in word)
