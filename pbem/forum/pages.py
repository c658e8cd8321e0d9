"""Reads saved pages of threads and what forums answer to programs: which software wrote it, and the posts on
it.

Which software it is is recognised by the page itself. Where nothing is recognised nothing is read and a
problem says so; what a page does not tell is left empty and never guessed. Bounds: ``BIGGEST`` bytes,
``depth.DEEPEST`` levels and ``depth.MOST_TAGS`` tags,
``markup.MOST_POSTS`` posts, ``bodies.LONGEST`` characters of a post.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Final

from pbem.core.problem import Problem
from pbem.core.regex import regex
from pbem.forum import api_answers, bbcode_source, feeds, markdown_source
from pbem.forum.depth import too_deep
from pbem.forum.markup import Markup, found_bodies, plain, threads
from pbem.forum.thread import DISCOURSE, NODEBB, OTHER, PHPBB, VBULLETIN, XENFORO, Post, Thread
from pbem.post.lines.keys import GENERAL, Keys
from pbem.post.mail import charsets, entities, transfer

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

__all__ = ["BIGGEST", "read", "read_post"]

BIGGEST: Final = 16_000_000
"""Bytes of a page that is read; a page of a thread with all that belongs to it has one or two million."""
_DEEPEST_JSON: Final = 200
_ADAPTERS: Final = (
    (XENFORO, "pbem.forum.xenforo_pages"),
    (DISCOURSE, "pbem.forum.discourse_pages"),
    (NODEBB, "pbem.forum.nodebb_pages"),
    (VBULLETIN, "pbem.forum.vbulletin_pages"),
    (PHPBB, "pbem.forum.phpbb_pages"),
)
_CERTAIN: Final = {
    XENFORO: "html#XF, html#XenForo",
    DISCOURSE: "meta[name=generator][content^='Discourse'], #data-discourse-setup",
    NODEBB: "meta[name=generator][content*='NodeBB'], [component=post]",
    VBULLETIN: "meta[name=generator][content*='vBulletin'], [id^='post_message_']",
    PHPBB: (
        "body#phpbb, meta[name=generator][content*='phpBB'], meta[name=copyright][content*='phpBB'], "
        "a[href*='viewtopic.php']"
    ),
}
"""What only a page of this software has, whatever its theme."""
_INSTEAD: Final = {
    DISCOURSE: "; save the address of the thread with .json behind it",
    PHPBB: "; save its print view: its address with &view=print behind it",
    VBULLETIN: "; save its print view: Thread Tools, Show Printable Version",
}
_SINGLE_FILE: Final = regex(
    rb"\s{0,20}(?:From: <Saved by|(?:[A-Za-z-]{2,40}:[^\r\n]{0,500}\r?\n(?:[ "
    rb"\t][^\r\n]{0,500}\r?\n)*){0,12}?MIME-Version:)"
)
_PAGE: Final = regex(r"<(?:!doctype|html|head|body|div|article|table|li|section|main|ol|ul)\b", re.IGNORECASE)


def read(data: bytes, name: str = "", keys: Keys = GENERAL) -> Thread:
    """Return the thread in a file: a saved page, an answer in JSON, a feed, or the source of posts; whatever
    the bytes, it returns.

    ``keys`` tell the orders of a game from talk, where a page of no known software has boxes of which nobody
    can say whose words they hold.
    """
    shown = plain(name.replace("\\", "/").rpartition("/")[2], 80) or "the page"
    if len(data) > BIGGEST:
        return _nothing("forum.too-big", {"file": shown, "limit": BIGGEST // 1_000_000})
    if _SINGLE_FILE.match(data[:2_000]):
        data = _unpacked(data)
    text, assumed = charsets.decode(data, charsets.of_page(data))
    problems = tuple(
        Problem(f"doubt.forum.{problem.code.partition('.')[2]}", problem.args) for problem in assumed
    )
    thread = _read(keys, text, shown)
    return _with(thread, problems)


def _unpacked(data: bytes) -> bytes:
    """Return the page in a file that a browser saved as a letter with all that belongs to
    the page (MHTML).
    """
    parts = [entities.split(data, [])]
    for part in parts:  # it grows while it is looked at
        parts += part.parts
        if part.kind == "text/html" and not part.is_multipart:
            return transfer.undo(part.body, part.encoding)[0]
    return data


def read_post(text: str, name: str = "") -> Post:
    """Return a single post that somebody pasted: its source in BBCode or Markdown, without a word of who
    wrote it.
    """
    of = bbcode_source.lines if bbcode_source.is_bbcode(text) else markdown_source.lines
    lines, whole = of(text)
    return Post(id=plain(name, 60), lines=lines if whole else (), raw=True)


def _read(keys: Keys, text: str, shown: str) -> Thread:
    text = text.replace("\r\n", "\n")
    start = text[:3_000].lstrip("\ufeff \t\r\n")
    if not start:
        return _nothing("forum.empty", {"file": shown})
    if start[0] in "{[" and (answer := _json(text)) is not None:
        return answer
    if feeds.is_feed(text):
        return feeds.read(text)
    if feeds.is_rss(text):
        return _nothing("forum.rss", {"file": shown, "instead": _instead(text)})
    if api_answers.is_raw_topic(text):
        return api_answers.raw_topic(text.lstrip("\ufeff\n"))
    if "\0" in text[:2_000]:
        return _nothing("forum.page", {"file": shown})
    if not _PAGE.search(text[:20_000]):
        return _pasted(text, shown)
    return _page(keys, text, shown)


def _instead(feed: str) -> str:
    """Return what to save in place of a feed of RSS: Discourse answers the whole thread in JSON."""
    found = re.search(
        r"(https?://[^\s<>\"]{1,300}/t/(?:[^\s/<>\"]{1,200}/)?\d{1,18})(?=[/.<\s?#\"])", feed[:20_000]
    )
    return f"{found[1]}.json" if found else "the page of the thread itself"


def _json(text: str) -> Thread | None:
    """Return the posts of an answer in JSON; None where the text is none."""
    if _depth(text) > _DEEPEST_JSON:
        return None
    try:
        return api_answers.read(json.loads(text.lstrip("\ufeff"), parse_int=_int))
    except (ValueError, RecursionError):
        return None


def _int(digits: str) -> int:
    return int(digits) if len(digits) <= 18 else 0


def _depth(text: str) -> int:
    """Return how deep brackets are nested, at least; those within strings count too."""
    deep = deepest = 0
    for found in re.finditer(r'"(?:[^"\\]|\\.)*+"|[\[{]|[\]}]', text):
        sign = found.group()
        if sign in "[{":
            deep += 1
            deepest = max(deepest, deep)
        elif sign in "]}":
            deep -= 1
    return deepest


def _pasted(text: str, shown: str) -> Thread:
    """Return a single post without an author: its source, pasted by hand, or Discourse's ``/raw/TOPIC/N``."""
    post = read_post(text, shown)
    return Thread("", posts=(post,), problems=(Problem("doubt.forum.pasted", {"file": shown}),))


def _page(keys: Keys, text: str, shown: str) -> Thread:
    """Return the thread on a page of HTML."""
    if too_deep(text):
        return _nothing("forum.too-deep", {"file": shown})
    try:
        from selectolax.lexbor import LexborHTMLParser
    except ImportError:
        return _nothing("forum.no-parser", {"file": shown})
    tree = LexborHTMLParser(text)
    first = ""
    for markup in _recognised(tree):
        thread = threads(keys, tree, markup)
        if any(post.author for post in thread.posts):
            return thread
        first = first or (markup.software if tree.css_first(_CERTAIN[markup.software]) is not None else "")
    built = import_module("pbem.forum.any_pages").markup_of(tree, first or OTHER)
    if built is not None:
        thread = threads(keys, tree, built)
        return _with(thread, (Problem("doubt.forum.by-structure", {"file": shown}),))
    return _nothing(
        "forum.no-posts" if first else "forum.page",
        {"file": shown, "software": first, "instead": _INSTEAD.get(first, "")},
    )


def _recognised(tree: LexborHTMLParser) -> Iterator[Markup]:
    """Yield the software that may have written a page: whose signs it bears, those with posts first."""
    signed = [
        markup
        for _, module in _ADAPTERS
        if tree.css_first((markup := import_module(module).MARKUP).signs) is not None
    ]
    yield from sorted(signed, key=lambda markup: not found_bodies(tree, markup))


def _nothing(code: str, args: dict[str, str | int]) -> Thread:
    return Thread("", problems=(Problem(code, args),))


def _with(thread: Thread, problems: tuple[Problem, ...]) -> Thread:
    if not problems:
        return thread
    return Thread(
        thread.software,
        thread.title,
        thread.topic,
        thread.page,
        thread.pages,
        thread.posts,
        (*thread.problems, *problems),
    )
