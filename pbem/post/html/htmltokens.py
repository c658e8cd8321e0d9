"""Cuts HTML into tags and texts as a browser would, in one pass, whatever it is.

The standard library's parser reads broken pages differently from version to version and takes quadratic time
over some; what a letter says must not depend on either. Scripts, styles, titles and comments are left out
here. After ``MOST`` tags it stops.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Final

from pbem.core.regex import regex

MOST: Final = 60_000
"""How many tags of a page are looked at: a letter with a long correspondence below it has five thousand."""

TEXT, OPEN, CLOSE, CUT = "text", "open", "close", "cut"
Token = tuple[str, str, dict[str, str]]

_TAG: Final = regex(r"</?([a-zA-Z][^\s/>]{0,60})")
_ATTRIBUTE: Final = regex(r"[\s/]*([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]*)))?")
_STRAY: Final = regex(r"[\s/]*=")
_CLOSE: Final = regex(r"[\s/=]*>")
_HUGE: Final = regex(r"&#(?:[0-9]{8,}|[xX][0-9a-fA-F]{8,});?")
_UNSEEN: Final = frozenset(
    {
        "script",
        "style",
        "title",
        "textarea",
        "xmp",
        "iframe",
        "noembed",
        "noframes",
        "template",
        "select",
        "object",
        "svg",
        "math",
    }
)
_ATTRIBUTES: Final = 60
_NONE: Final[dict[str, str]] = {}


def tokens(page: str, most: int = MOST, unseen: frozenset[str] = _UNSEEN) -> Iterator[Token]:
    """Yield texts with their entities read, and tags with their name in small letters and their attributes.

    The last token is ``CUT`` where there were more than ``most`` tags. What is in elements that are
    ``unseen`` is left out.
    """
    at, size, count = 0, len(page), 0
    while at < size:
        opening = page.find("<", at)
        if opening < 0:
            yield TEXT, _plain(page[at:]), _NONE
            return
        if opening > at:
            yield TEXT, _plain(page[at:opening]), _NONE
        at = opening
        following = page[at + 1 : at + 2]
        if following in ("!", "?"):
            at = _after_declaration(page, at)
            continue
        tag = _TAG.match(page, at)
        if tag is None:
            if following == "/":  # "</3": browsers drop it up to the next ">"
                end = page.find(">", at)
                at = size if end < 0 else end + 1
            else:
                yield TEXT, "<", _NONE
                at += 1
            continue
        count += 1
        if count > most:
            yield CUT, "", _NONE
            return
        name = tag[1].lower()
        if following == "/":
            end = page.find(">", tag.end())
            at = size if end < 0 else end + 1
            yield CLOSE, name, _NONE
            continue
        attributes, at = _attributes(page, tag.end())
        if name in unseen:
            end_tag = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE).search(page, at)
            end = page.find(">", end_tag.end()) if end_tag else -1
            at = size if end < 0 else end + 1
            continue
        yield OPEN, name, attributes


def _plain(text: str) -> str:
    """Return a text with its entities read; numbers beyond any character would make the library fail."""
    if "&" not in text:
        return text
    return unescape(_HUGE.sub("\ufffd", text))


def _after_declaration(page: str, at: int) -> int:
    """Return where a comment, a declaration or a processing instruction ends."""
    if page.startswith("<!--", at):
        if page.startswith(("<!-->", "<!--->"), at):
            return page.find(">", at) + 1
        end = page.find("-->", at + 4)
        return len(page) if end < 0 else end + 3
    end = page.find(">", at)
    return len(page) if end < 0 else end + 1


def _attributes(page: str, at: int) -> tuple[dict[str, str], int]:
    """Return the attributes of a tag and where it ends; the first of a name counts."""
    found: dict[str, str] = {}
    while True:
        if end := _CLOSE.match(page, at):
            return found, end.end()
        one = _ATTRIBUTE.match(page, at)
        if one is None:
            stray = _STRAY.match(page, at)
            if stray is None:
                return found, len(page)  # the page ended within the tag
            at = stray.end()
            continue
        at = one.end()
        if len(found) < _ATTRIBUTES:
            value = one[2] if one[2] is not None else one[3] if one[3] is not None else one[4]
            found.setdefault(one[1].lower(), _plain(value or "")[:4_000])
