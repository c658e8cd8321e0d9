"""Posts in a feed (Atom), as phpBB gives one of each topic: the newest posts, their text as HTML.

The file is cut at its tags by hand and no entity of its own is ever read, so that no feed can grow while it
is read.
"""

from __future__ import annotations

import re
from html import unescape
from typing import Final

from pbem.core.problem import Problem
from pbem.core.regex import regex
from pbem.forum import bodies
from pbem.forum.markup import MOST_POSTS, digits, plain
from pbem.forum.thread import PHPBB, Post, Thread
from pbem.post.lines.message import Line

_STATISTICS: Final = regex(
    r"(?:<br\s{0,3}/?>\s*)?<p>\s*(?:Statistics|Statistik|Statistiken|Statistiques|Estadísticas"
    r"|Statystyki)[^<>]{0,20}:(?s:.{0,600})\Z",
    re.IGNORECASE,
)
_LAST_PARAGRAPH: Final = regex(
    r"<p>[^<]{0,60}<a href=\"[^\"]{0,300}(?:memberlist|mode=viewprofile"
    r"|/member)[^\"]{0,200}\">(?s:.{0,300})\Z"
)

_TAG: Final = regex(r"<[^<>]{0,300}>")
_WORD: Final = regex(r"\w")
_RSS: Final = regex(r"<rss\b|<rdf:RDF\b", re.IGNORECASE)


def is_rss(text: str) -> bool:
    """Tell whether a text is a feed of the kind that does not say for certain who wrote what."""
    return _RSS.search(text[:2_000]) is not None and "<html" not in text[:2_000].lower()


def is_feed(text: str) -> bool:
    """Tell whether a text is a feed."""
    head = text[:2_000].lower()
    return "<feed" in head and "<html" not in head


def read(text: str) -> Thread:
    """Return the posts of a feed, oldest first."""
    problems: list[Problem] = []
    posts: list[Post] = []
    topic = digits(text[:3_000], r"[?&;/]t(?:opic)?[=/](\d{1,18})")
    at = text.find("<entry")
    title = plain(unescape(_inside(text[: at if at >= 0 else 3_000], "title")), 300)
    while at >= 0:
        end = text.find("</entry>", at)
        if end < 0:
            problems.append(Problem("forum.cut-off", {}))
            break
        if len(posts) >= MOST_POSTS:
            problems.append(Problem("forum.too-many-posts", {"limit": MOST_POSTS}))
            break
        entry = text[at:end]
        topic = topic or digits(entry, r"viewtopic\.php\?[^#\"<]{0,100}\bt=(\d{1,18})")
        post = _post(entry)
        if post.id:
            posts.append(post)
        at = text.find("<entry", end)
    posts.sort(key=lambda post: (post.at or "", int(post.id)))
    problems += [post.unread for post in posts if post.unread is not None]
    return Thread(PHPBB, title, topic, 1, 1, tuple(posts), tuple(problems))


def _post(entry: str) -> Post:
    said = _inside(entry, "id") + " " + entry[:2_000]
    number = digits(said, r"#p(\d{1,18})") or digits(said, r"[?&;]p=(\d{1,18})")
    content = _inside(entry, "content")
    lines, whole = _lines(content)
    unread = None if whole else Problem("forum.post-too-long", {"number": number})
    if any(map(_is_run_together, _boxes(content))):
        lines, unread = (), Problem("forum.feed-code", {"number": number})
    published, updated = plain(_inside(entry, "published"), 60), plain(_inside(entry, "updated"), 60)
    return Post(
        id=number,
        author=plain(unescape(_inside(_inside(entry, "author"), "name"))),
        author_id=_author_id(entry),
        at=published or updated,
        edited=updated if published and updated != published else "",
        lines=lines if whole else (),
        link=f"#p{number}" if number else "",
        unread=unread,
    )


def _boxes(content: str) -> list[str]:
    """Return what stands in boxes of code."""
    return [part.rpartition("<code")[2].partition(">")[2] for part in content.split("</code>")[:-1]]


def _is_run_together(box: str) -> bool:
    """Tell whether a box of code has no end of a line: phpBB takes them away in feeds, and what stood on
    which line nobody can know.
    """
    return (
        "\n" not in box.strip() and "<br" not in box.lower() and _WORD.search(_TAG.sub("", box)) is not None
    )


def _author_id(entry: str) -> str:
    """Return the number of the account, from the line that phpBB puts below the text and nobody else can."""
    html = _inside(entry, "content")[-3_000:]
    cut = _STATISTICS.search(html) or _LAST_PARAGRAPH.search(html)
    below = cut.group() if cut is not None else ""
    return digits(below[below.rfind("<p>") :], r"\bu=(\d{1,18})") if below.count("<p>") == 1 else ""


def _lines(html: str) -> tuple[tuple[Line, ...], bool]:
    from selectolax.lexbor import LexborHTMLParser

    html = html[: bodies.LONGEST + 1]
    cut = _STATISTICS.search(html[-3_000:]) or _LAST_PARAGRAPH.search(html[-3_000:])
    if cut is not None:
        html = html[: max(0, len(html) - 3_000) + cut.start()]
    body = LexborHTMLParser(f"<div>{html}</div>").css_first("body")
    return bodies.lines(body) if body is not None else ((), False)


def _inside(text: str, tag: str) -> str:
    """Return what stands in the first element of a name."""
    found = re.search(rf"<{tag}(?=[\s>])[^>]{{0,500}}>", text)
    if found is None:
        return ""
    end = text.find(f"</{tag}>", found.end())
    inside = text[found.end() : end if end >= 0 else len(text)].strip()
    if inside.startswith("<![CDATA["):
        return "".join(part.partition("]]>")[0] for part in inside.split("<![CDATA[")[1:])
    return unescape(inside)
