"""Whose address a field holds, and the names of letters (``Message-ID``).

An address between ``<`` and ``>`` wins over one in the name beside it; comments, quotes and groups are
understood by counting, never by calling itself. Encoded words are read after the addresses are taken apart,
so that nothing encoded can become one.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from pbem.core.regex import regex
from pbem.post.mail import headers
from pbem.text.markup import clean

_MOST: Final = 100
_DOMAIN: Final = regex(
    r"(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.)*[^\W_](?:[\w-]{0,61}[^\W_])?\.?\Z|\[[0-9a-fA-Fv:.]{2,60}\]\Z"
)
_LOCAL: Final = regex(r"[^\s\x00-\x20\x7f-\xa0()<>\[\]:;@\\,\"]{1,64}\Z")
_ID: Final = regex(r"<([\x21-\x3b=\x3f-\x7e]{1,500})>")


class Mailbox(Struct, frozen=True):
    """One address, bare and in small letters, and the name beside it, which says nothing
    about whose it is.
    """

    address: str
    name: str = ""


def mailboxes(text: str) -> list[Mailbox | None]:
    """Return each address of a field in turn; ``None`` stands for one that cannot be read for certain."""
    found = (_mailbox(*piece) for piece in _Field(text).pieces())
    return [mailbox for mailbox in found if mailbox is not _NOTHING]


_NOTHING: Final = Mailbox("")


class _Field:
    """A field of addresses, read letter by letter and never twice."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.out: list[tuple[list[str], str, str]] = []
        self.angles: list[str] = []
        self.bare: list[str] = []
        self.remarks: list[str] = []
        self.inside: list[str] | None = None
        """The address between < and >, while it is read."""
        self.depth = 0
        """How many comments are open."""
        self.quotes = True
        """Whether a quotation mark may begin a quoted name: not after one that is never closed."""

    def pieces(self) -> list[tuple[list[str], str, str]]:
        """Return for each address: what stood in angle brackets, the words beside it, the comments."""
        while self.at < len(self.text) and len(self.out) < _MOST:
            letter = self.text[self.at]
            self.at += 1
            if letter == "\\" and (self.depth or self.inside is None):
                (self.remarks if self.depth else self.bare).append(self.text[self.at : self.at + 1])
                self.at += 1
            elif self.depth:
                self.depth += (letter == "(") - (letter == ")")
                if self.depth:
                    self.remarks.append(letter)
            elif letter == '"':
                self._quoted()
            elif letter == "(":
                self.depth = 1
            elif self.inside is not None:
                self._in_angles(letter, self.inside)
            else:
                self._beside(letter)
        if self.inside:
            self.angles.append("".join(self.inside))
        self._end()
        return self.out

    def _quoted(self) -> None:
        """Take a name in quotation marks; one that is never closed is only a sign."""
        close = headers.closing(self.text, self.at) if self.quotes else -1
        if close < 0:
            self.quotes = False
            return
        quoted = re.sub(r"\\(.)", r"\1", self.text[self.at : close])
        if self.inside is not None:
            self.inside.append(quoted)
        else:
            # within quotes a sign is a letter of a name, not of an address, unless an @ follows at once
            local = self.text[close + 1 : close + 2] == "@"
            self.bare.append(quoted if local else "\0" + quoted + "\0")
        self.at = close + 1

    def _in_angles(self, letter: str, inside: list[str]) -> None:
        if letter == ">":
            self.angles.append("".join(inside))
            self.inside = None
        elif letter == "<":
            self.inside = []
        else:
            inside.append(letter)

    def _beside(self, letter: str) -> None:
        if letter == "<":
            self.inside = []
        elif letter in ",;":
            self._end()
        elif letter == ":" and not self.angles:
            self.bare = []  # the name of a group
        elif letter != ")":
            self.bare.append(letter)

    def _end(self) -> None:
        """Put one address away, and begin the next."""
        self.out.append((self.angles, "".join(self.bare), "".join(self.remarks)))
        self.angles, self.bare, self.remarks = [], [], []


def _mailbox(angles: list[str], bare: str, remark: str) -> Mailbox | None:
    if angles:
        known = (_address(angle.rpartition(":")[2]) for angle in angles)
        addresses = [address for address in known if address]
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
    if not _LOCAL.match(local) or len(domain) > 253 or not _DOMAIN.match(domain):
        return ""
    if clean(local + domain) != local + domain:
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
