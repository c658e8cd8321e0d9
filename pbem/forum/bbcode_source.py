"""The lines of a post from its own source in BBCode, as the phpBB, XenForo and vBulletin dialects have it.

It knows what a tag does to the words in it: whose they are, whether they are code. A quotation that is not
closed goes on to the end, as does a code box; code ends at the first ``[/code]``, whatever stands in it. Tags
that nobody knows are words.
"""

from __future__ import annotations

import re
from typing import Final

from pbem.core.regex import regex
from pbem.post.lines.message import Line

MOST: Final = 200_000
"""How many characters of a post are read."""
_TAG: Final = regex(
    r"\[(/?)([a-z*][a-z0-9_-]{0,20})(?::[0-9a-z]{5,10})?((?:[= :][^\[\]\n]{0,400})?)\]", re.IGNORECASE
)
_VERBATIM: Final = frozenset(
    {"code", "php", "html", "noparse", "plain", "nobbcode", "icode", "codebox", "xml", "sql", "pre"}
)
_BOXES: Final = frozenset({"code", "php", "html", "codebox", "xml", "sql", "pre"})
_QUOTES: Final = frozenset({"quote", "blockquote", "qs"})
_GONE: Final = frozenset(
    {
        "img",
        "attach",
        "attachment",
        "media",
        "video",
        "youtube",
        "flash",
        "s",
        "strike",
        "strikethrough",
        "gallery",
        "poll",
        "embed",
    }
)
"""What is left out with all that is in it: pictures, and what somebody struck out."""
_BLOCKS: Final = frozenset(
    {
        "spoiler",
        "list",
        "center",
        "left",
        "right",
        "indent",
        "table",
        "tr",
        "ispoiler",
        "hide",
        "details",
        "align",
        "heading",
        "justify",
        "float",
        "hr",
    }
)
_INLINE: Final = frozenset(
    {
        "b",
        "i",
        "u",
        "color",
        "size",
        "font",
        "url",
        "email",
        "highlight",
        "sub",
        "sup",
        "user",
        "mention",
        "post",
        "thread",
        "ltr",
        "rtl",
        "h",
        "td",
        "th",
    }
    | {
        "bgcolor",
        "background",
        "glow",
        "shadow",
        "anchor",
        "goto",
        "tt",
        "mono",
        "acronym",
        "abbr",
        "style",
        "fixed",
    }
)
_KNOWN: Final = _VERBATIM | _QUOTES | _GONE | _BLOCKS | _INLINE | {"*", "li"}
_NAMED: Final = regex(r"[= ]?\s*[\"'“]?([^\"'”,;\]\n]{1,80})")


def is_bbcode(text: str) -> bool:
    """Tell whether a text has tags of BBCode in pairs."""
    start = text[:MOST]
    opened = {found[2].lower() for found in _TAG.finditer(start) if not found[1]}
    closed = {found[2].lower() for found in _TAG.finditer(start) if found[1]}
    return bool(opened & closed & _KNOWN)


def lines(source: str) -> tuple[tuple[Line, ...], bool]:
    """Return the lines of a post, and whether that is all of it."""
    walk = _Walk()
    text = source[:MOST].replace("\r\n", "\n").replace("\r", "\n")
    at = 0
    while at < len(text):
        found = _TAG.search(text, at)
        if found is None or found[2].lower() not in _KNOWN:
            end = len(text) if found is None else found.end()
            walk.words(text[at:end])
            at = end
            continue
        walk.words(text[at : found.start()])
        name, closes = found[2].lower(), bool(found[1])
        at = found.end()
        if name in _VERBATIM and not closes:
            end = walk.end_of(text, name, at)
            walk.verbatim(text[at:end], name)
            at = end
        elif closes:
            walk.close(name)
        else:
            walk.open(name, found[3])
        if name in _QUOTES | _BLOCKS | _BOXES and text.startswith("\n", at):
            at += 1  # a forum shows none there
    return walk.lines(), len(source) <= MOST


class _Walk:
    """The lines so far, how deep the words are quoted, and whether they are left out."""

    __slots__ = ("_box", "_boxes", "_gone", "_last", "_quoted", "_rows", "_text")

    def __init__(self) -> None:
        self._rows: list[tuple[str, int, int]] = []
        self._box = self._boxes = 0
        self._text = ""
        self._quoted = 0
        self._gone: list[str] = []
        self._last: dict[str, int] = {}

    def words(self, text: str) -> None:
        """Take words between two tags."""
        if self._gone:
            return
        first, *more = text.split("\n")
        self._text += first
        for one in more:
            self._end(True)
            self._text = one

    def verbatim(self, text: str, name: str) -> None:
        """Take code."""
        if name in ("icode", "plain", "noparse", "nobbcode"):
            self.words(text)
            return
        self._end(False)
        self._boxes += 1
        self._box = 0 if self._quoted else self._boxes
        self.words(text.strip("\n"))
        self._end(False)
        self._box = 0

    def end_of(self, text: str, name: str, at: int) -> int:
        """Return where a code box ends; once none was found, none of that name is looked for again."""
        if self._last.get(name) == -1:
            return len(text)
        found = re.compile(rf"\[/{re.escape(name)}(?::[0-9a-z]{{5,10}})?\]", re.IGNORECASE).search(text, at)
        if found is None:
            self._last[name] = -1
            return len(text)
        return found.start()

    def open(self, name: str, said: str) -> None:
        """Take an opening tag."""
        if name in _GONE and name not in ("hr",):
            self._gone.append(name)
        elif name in _QUOTES:
            self._end(False)
            self._quoted += 1
            who = _NAMED.match(said) if said else None
            if who is not None and not self._gone:
                self._rows.append((f"{who[1].strip()} wrote:", self._quoted, 0))
        elif name in ("*", "li"):
            self._end(False)
            self._text = "" if self._gone else "- "
        elif name in _BLOCKS or name in _VERBATIM:
            self._end(False)

    def close(self, name: str) -> None:
        """Take a closing tag; one that fits nothing is left alone."""
        if name in self._gone:
            while self._gone.pop() != name:
                pass
        elif name in _QUOTES:
            self._end(False)
            self._quoted = max(0, self._quoted - 1)
        elif name in _BLOCKS or name in _VERBATIM or name in ("*", "li"):
            self._end(False)

    def _end(self, always: bool) -> None:
        """End the line; an empty one only where its writer ended it."""
        text = self._text.rstrip()
        if text.startswith("- ") and re.match(r"- {1,8}[-*•] ", text):
            text = text[2:].lstrip()
        if text and text != "-":
            self._rows.append((text, self._quoted, self._box))
        elif always and self._rows and self._rows[-1][0]:
            self._rows.append(("", self._quoted, self._box))
        self._text = ""

    def lines(self) -> tuple[Line, ...]:
        """Return the lines, numbered from 1."""
        self._end(False)
        while self._rows and not self._rows[-1][0]:
            self._rows.pop()
        return tuple(
            Line(text, number, quoted, box) for number, (text, quoted, box) in enumerate(self._rows, 1)
        )
