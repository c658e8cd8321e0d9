"""Takes the bytes of a letter apart into its MIME parts, without calling itself and in one pass over its
lines.

It decides where parts begin and end and nothing about what they mean. A boundary that is missing at the end,
an inner multipart that is closed only by the one around it, a multipart that forgot to name its boundary: all
are read as a mail program would.
``MOST`` parts and ``DEEPEST`` levels are looked at; what is beyond is said and left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct, field

from pbem.core.problem import Problem
from pbem.core.regex import regex
from pbem.post.mail import headers
from pbem.post.mail.headers import Headers

MOST: Final = 200
DEEPEST: Final = 10
_DASHES: Final = regex(rb"^--[^\n]*", re.MULTILINE)
_DASHED: Final = regex(rb"^--(\S[^\r\n]{0,200}?)[ \t]*\r?$", re.MULTILINE)
_OF_PART: Final = regex(rb"\r?\n(?:content-|mime-version)[a-z-]{0,40}[ \t]*:", re.IGNORECASE)
_PREAMBLE: Final = regex(
    rb"multi-?part|\bmime[ -](?:format|message|encoded|encapsulated|compli)", re.IGNORECASE
)
_MOST_ABOVE: Final = 400
"""What programs say above parts to whoever does not know what they are is not longer."""
_TRIED: Final = 50
"""Lines that begin with two dashes which are looked at where no header names a boundary."""
_FILE: Final = regex(r"[^\s:]{1,80}\.(?:ya?ml|txt|zip)", re.IGNORECASE)
_SHORT: Final = {"": "text/plain", "text": "text/plain", "html": "text/html", "multipart": "multipart/mixed"}


class Part(Struct):
    """A letter or a part of one: its header, and its body as bytes that are still encoded, or its parts."""

    headers: Headers
    kind: str
    parameters: dict[str, str]
    disposition: str = ""
    name: str = ""
    body: bytes = b""
    parts: list[Part] = field(default_factory=list)
    whole: bool = True
    start: int = 0
    cut: bool = False
    """It ended with the letter and not where its multipart says."""

    @property
    def encoding(self) -> str:
        """Return how its bytes travelled."""
        return self.headers.first("content-transfer-encoding")

    @property
    def is_multipart(self) -> bool:
        """Tell whether it is nothing but its parts."""
        return self.kind.startswith("multipart/")


def split(data: bytes, problems: list[Problem], whole: bool = True) -> Part:
    """Return a letter with its parts.

    ``whole`` is false if more bytes followed; then a part that was not closed is not whole.
    """
    start = _begin(data)
    root = _split(data, start, problems, whole, "")
    if (root.is_multipart and not root.parts) or not root.headers.has("content-type"):
        boundary = _unnamed(data, root.start, len(data), root.is_multipart)
        if boundary:
            del problems[:]
            again = _split(data, start, problems, whole, boundary.decode("utf-8", "replace"))
            if again.parts:
                if not root.is_multipart:
                    again.parts[:0] = _above(data, root.start, boundary)
                return again
    if root.is_multipart and not root.parts:
        root.kind, root.body = "text/plain", data[root.start :]
    return root


def _unnamed(data: bytes, start: int, end: int, is_multipart: bool) -> bytes:
    """Return the boundary of parts whose header forgot to name it, or nothing.

    A line with dashes is one only where the header of a part follows, or where it comes again; rules,
    signatures and the titles of quoted letters are not.
    """
    for number, found in enumerate(_DASHED.finditer(data, start, end)):
        token = found[1]
        if number >= _TRIED:
            break
        if not any(chr(sign).isalnum() for sign in token):
            continue
        heads_a_part = (
            _OF_PART.match(data, found.end() - (data[found.end() - 1 : found.end()] == b"\r")) is not None
        )
        if heads_a_part or (
            b" " not in token and _comes_again(data, token, found.end(), closing=not is_multipart)
        ):
            return token
    return b""


def _comes_again(data: bytes, token: bytes, at: int, closing: bool) -> bool:
    """Tell whether a line of two dashes and a token stands below a place, with two more behind it if it has
    to be ``closing``.
    """
    line = b"\n--" + token + b"--" * closing
    for _ in range(_TRIED):
        at = data.find(line, at)
        if at < 0:
            return False
        at += len(line)
        stop = data.find(b"\n", at)
        if not data[at : len(data) if stop < 0 else stop].strip(b" \t\r-"):
            return True
    return False


def _above(data: bytes, start: int, boundary: bytes) -> list[Part]:
    """Return what stands above the first part as a part, where the header does not say that it is to be left
    out, nor it itself.
    """
    above = data[start : max(start, data.find(b"--" + boundary, start))]
    if not above.strip() or (len(above) <= _MOST_ABOVE and _PREAMBLE.search(above)):
        return []
    return [Part(Headers(), "text/plain", {}, body=above, start=start)]


def _begin(data: bytes) -> int:
    """Return where the letter begins: below the line that parts the letters of an mbox."""
    at = 3 if data.startswith(b"\xef\xbb\xbf") else 0
    while data.startswith((b"From ", b">From "), at):
        after = data.find(b"\n", at)
        if after < 0:
            return len(data)
        at = after + 1
    return at


class _Walk:
    """The multiparts that are open, and how many parts there were."""

    __slots__ = ("count", "data", "levels", "open", "problems")

    def __init__(self, data: bytes, problems: list[Problem]) -> None:
        self.data = data
        self.problems = problems
        self.open: list[tuple[Part, bytes]] = []
        self.count = 0

    def boundary(self, line: bytes) -> tuple[int, bool] | None:
        """Return which multipart a line parts, and whether it closes it; the innermost first."""
        token = line.rstrip()[2:]
        for level in range(len(self.open) - 1, -1, -1):
            boundary = self.open[level][1]
            if token == boundary:
                return level, False
            if token == boundary + b"--":
                return level, True
        return None

    def say(self, code: str, limit: int) -> None:
        """Say once that there is too much."""
        if all(problem.code != code for problem in self.problems):
            self.problems.append(Problem(code, {"limit": limit}))


def _split(data: bytes, start: int, problems: list[Problem], whole: bool, boundary: str) -> Part:
    walk = _Walk(data, problems)
    root = _part(walk, start, inner=False)
    if boundary:
        if not root.is_multipart:
            root.kind = "multipart/mixed"
        root.parameters["boundary"] = boundary

    leaf = _opened(walk, root, 1)
    lines = _DASHES.finditer(data, root.start)
    for found in _lines(lines, walk):
        line, begins, ends = found
        which = walk.boundary(line)
        if which is None:
            continue
        level, closes = which
        if leaf is not None:
            leaf.body = data[leaf.start : max(leaf.start, _before(data, begins))]
            leaf = None
        parent = walk.open[level][0]
        del walk.open[level + (0 if closes else 1) :]
        if closes:
            if not walk.open:
                return root
            continue
        if walk.count >= MOST:
            walk.say("mail.too-many-parts", MOST)
            return root
        part = _part(walk, min(ends + 1, len(data)), inner=True)
        if parent.kind == "multipart/digest" and not part.headers.has("content-type"):
            part.kind = "message/rfc822"
        parent.parts.append(part)
        leaf = _opened(walk, part, level + 2)

    if leaf is not None:
        leaf.body = data[leaf.start :]
        leaf.whole = whole
        leaf.cut = bool(walk.open)
    return root


def _lines(found: Iterator[re.Match[bytes]], walk: _Walk) -> Iterator[tuple[bytes, int, int]]:
    """Yield the lines that begin with two dashes, as long as a multipart is open."""
    if not walk.open:
        return
    for one in found:
        yield one.group(), one.start(), one.end()
        if not walk.open:
            return


def _before(data: bytes, at: int) -> int:
    """Return where the text above a boundary ends: the line break in front of it belongs to the boundary."""
    if data[at - 1 : at] == b"\n":
        at -= 1
        if data[at - 1 : at] == b"\r":
            at -= 1
    return at


def _part(walk: _Walk, start: int, inner: bool) -> Part:
    """Return the part whose header begins at ``start``."""
    walk.count += 1
    fields, body = headers.block(walk.data, start, lambda line: walk.boundary(line) is not None, inner)
    said = fields.first("content-type")
    kind = headers.value_of(said)
    known = headers.parameters(said)
    placed = fields.first("content-disposition")
    more = headers.parameters(placed)
    disposition = headers.value_of(placed)
    if "/" not in kind:
        # a parameter of nothing
        kind = _SHORT.get(kind, "text/plain" if "=" in kind else "application/octet-stream")
    name = more.get("filename") or more.get("name") or known.get("name", "") or _described(fields)
    return Part(fields, kind, known, disposition, name, start=body)


def _described(fields: Headers) -> str:
    """Return the name of a file that stands where no name belongs."""
    said = (headers.words(fields.first(name)).strip() for name in ("content-description", "content-location"))
    return next((text for text in said if _FILE.fullmatch(text)), "")


def _opened(walk: _Walk, part: Part, depth: int) -> Part | None:
    """Open a multipart, or a letter within the letter; return the part whose body is to be read, if it has
    one of its own.
    """
    while part.kind in ("message/rfc822", "message/global") and part.encoding.lower() in (
        "",
        "7bit",
        "8bit",
        "binary",
    ):
        if depth >= DEEPEST or walk.count >= MOST:
            walk.say("mail.too-deep", DEEPEST)
            return None
        inside = _part(walk, _begin_at(walk.data, part.start), inner=False)
        part.parts.append(inside)
        part = inside
        depth += 1
    if not part.is_multipart:
        return part
    boundary = part.parameters.get("boundary", "").rstrip().encode("utf-8", "replace")
    if depth >= DEEPEST or len(walk.open) >= DEEPEST:
        walk.say("mail.too-deep", DEEPEST)
        return None
    if not boundary:
        boundary = _unnamed(walk.data, part.start, part.start + 2_000, is_multipart=True)
    if boundary:
        walk.open.append((part, boundary))
        return None
    part.kind = "text/plain"  # it only says that it has parts
    return part


def _begin_at(data: bytes, at: int) -> int:
    """Return where an inner letter begins."""
    return (
        at + 1 + data.find(b"\n", at)
        if data.startswith((b"From ", b">From "), at) and data.find(b"\n", at) >= 0
        else at
    )
