"""Posts in what the programs' doors of forums answer: JSON of Discourse, XenForo and NodeBB, and Discourse's
``/raw``.

A form is known by what stands in it and not by its address. Where an answer has both the source of a post and
its HTML the HTML is read: it is what the thread shows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any, Final

from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.core.regex import regex
from pbem.forum import bbcode_source, bodies, markdown_source
from pbem.forum.markup import MOST_POSTS, digits, plain, signed
from pbem.forum.thread import DISCOURSE, NODEBB, XENFORO, Post, Thread
from pbem.forum.times import of_milliseconds, of_seconds
from pbem.post.lines.message import Line

Data = dict[str, Any]
Read = tuple[tuple[Line, ...], bool]

RAW_HEAD: Final = regex(
    r"^([^\s|]{1,100}) \| (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?: ?UTC|Z)?) \| #(\d{1,9})[ \t]*$", re.MULTILINE
)
_MOST_PROBLEMS: Final = 20
_DASHES: Final = regex(r"\n-{20,40}[ \t]*\n*\Z")


def read(data: object) -> Thread | None:
    """Return the posts of an answer in JSON, or None where it is none that is known."""
    if isinstance(data, list):
        data = {"posts": data}
    if not isinstance(data, dict):
        return None
    for form in (_discourse, _xenforo, _nodebb):
        if (thread := form(data)) is not None:
            posts = tuple(_with_author(post) for post in thread.posts if post.id)
            unread = [post.unread for post in posts if post.unread is not None]
            return replace(thread, posts=posts, problems=(*thread.problems, *unread[:_MOST_PROBLEMS]))
    return None


def _with_author(post: Post) -> Post:
    return post if post.author else replace(post, unread=Problem("forum.no-author", {"number": post.number}))


def html_lines(html: str) -> Read:
    """Return the lines of a post from its HTML."""
    from selectolax.lexbor import LexborHTMLParser

    from pbem.forum.depth import too_deep

    html = html[: bodies.LONGEST + 1]
    if too_deep(html):
        return (), False
    body = LexborHTMLParser(f"<div>{html}</div>").css_first("body")
    return bodies.lines(body) if body is not None else ((), False)


# --- forms


def _discourse(data: Data) -> Thread | None:
    """Return what ``/t/ID.json``, ``/t/ID/posts.json``, ``/posts.json`` or ``/posts/ID.json`` answers."""
    stream = data.get("post_stream")
    found = (
        _dicts(stream.get("posts"))
        if isinstance(stream, dict)
        else _dicts(data.get("latest_posts") or data.get("posts"))
    )
    single = isinstance(data.get("post_number"), int)
    if single:
        found = [data]
    if not found or "post_number" not in found[0]:
        return None
    problems: list[Problem] = []
    posts = [_discourse_post(one) for one in _some(found, problems) if not _is_action(one)]
    said = data if not single else {}
    listed = stream.get("stream") if isinstance(stream, dict) else None
    each = max(1, _number(said.get("chunk_size")) or 20)
    pages = -(-len(listed) // each) if isinstance(listed, list) else 1
    first = posts[0].number if posts else 1
    page = min(max(1, pages), 1 + max(0, first - 1) // each)
    topic = said.get("id") if isinstance(stream, dict) else found[0].get("topic_id")
    title = _text(said.get("title")) or _text(found[0].get("topic_title"))
    return Thread(
        DISCOURSE, plain(title, 300), _name(topic), page, max(1, pages), tuple(posts), tuple(problems)
    )


def _is_action(one: Data) -> bool:
    """Tell whether it is no post but a note such as "closed this topic", or a post that was taken away."""
    return _number(one.get("post_type")) == 3 or bool(one.get("deleted_at")) or bool(one.get("user_deleted"))


def _discourse_post(one: Data) -> Post:
    cooked, raw = one.get("cooked"), one.get("raw")
    lines, from_source, unread = _either(cooked, raw, markdown_source.lines, _number(one.get("post_number")))
    edited = _number(one.get("version")) > 1 and _text(one.get("updated_at"))
    return Post(
        id=_name(one.get("id")),
        number=_number(one.get("post_number")),
        author=plain(_text(one.get("username"))),
        author_id=_name(one.get("user_id")),
        at=plain(_text(one.get("created_at")), 40),
        edited=plain(edited or "", 40),
        lines=lines,
        raw=from_source,
        link=plain(_text(one.get("post_url")) or _text(one.get("topic_slug")), 300),
        unread=unread,
    )


def _xenforo(data: Data) -> Thread | None:
    """Return what ``/api/threads/ID/posts``, ``/api/threads/ID?with_posts=1`` or
    ``/api/posts/ID`` answers.
    """
    post = data.get("post")
    found = _dicts(data.get("posts")) or ([post] if isinstance(post, dict) else [])
    if not found or "post_id" not in found[0]:
        return None
    problems: list[Problem] = []
    posts = []
    for one in _some(found, problems):
        if _text(one.get("message_state")) == "deleted":
            continue
        number = _number(one.get("position")) + 1 if isinstance(one.get("position"), int) else 0
        lines, from_source, unread = _either(
            one.get("message_parsed"), one.get("message"), bbcode_source.lines, number
        )
        user = one.get("User")
        signature = _text(user.get("signature")) if isinstance(user, dict) else ""
        posts.append(
            Post(
                id=_name(one.get("post_id")),
                number=number,
                author=plain(_text(one.get("username"))),
                author_id=_name(one.get("user_id")) if one.get("user_id") else "",
                at=of_seconds(one.get("post_date")),
                edited=of_seconds(one.get("last_edit_date")),
                lines=signed(lines, bbcode_source.lines(signature[:4_000])[0]) if signature else lines,
                raw=from_source,
                link=plain(_text(one.get("view_url")), 300),
                unread=unread,
            )
        )

    paged = data.get("pagination")
    thread = data.get("thread")
    page, pages = (
        (_number(paged.get("current_page")), _number(paged.get("last_page")))
        if isinstance(paged, dict)
        else (1, 1)
    )
    title = _text(thread.get("title")) if isinstance(thread, dict) else ""
    return Thread(
        XENFORO,
        plain(title, 300),
        _name(found[0].get("thread_id")),
        max(1, page),
        max(1, pages),
        tuple(posts),
        tuple(problems),
    )


def _nodebb(data: Data) -> Thread | None:
    """Return what ``/api/topic/ID`` or ``/api/v3/posts/ID`` answers."""
    inner = data.get("response")
    if isinstance(inner, dict):
        data = inner
    found = _dicts(data.get("posts")) or ([data] if "pid" in data else [])
    if not found or "pid" not in found[0]:
        return None
    problems: list[Problem] = []
    posts = []
    for one in _some(found, problems):
        if one.get("deleted") in (1, True):
            continue
        user = one.get("user")
        user = user if isinstance(user, dict) else {}
        number = _number(one.get("index")) + 1 if isinstance(one.get("index"), int) else 0
        content = _text(one.get("content"))
        is_html = re.search(r"<(?:p|br|div|ul|ol|pre|blockquote|a|h\d|code|strong|em)\b", content) is not None
        lines, from_source, unread = _either(
            content if is_html else None, content or one.get("sourceContent"), markdown_source.lines, number
        )
        signature = html_lines(_text(user.get("signature"))[:4_000])[0] if user.get("signature") else ()
        uid = one.get("uid")
        posts.append(
            Post(
                id=_name(one.get("pid")),
                number=number,
                author=plain(unescape(_text(user.get("username")) or _text(one.get("username")))),
                author_id=_name(uid) if (isinstance(uid, int) and uid > 0) or isinstance(uid, str) else "",
                at=plain(_text(one.get("timestampISO")), 40) or of_milliseconds(one.get("timestamp")),
                edited=plain(_text(one.get("editedISO")), 40) or of_milliseconds(one.get("edited")),
                lines=signed(lines, signature),
                raw=from_source,
                link=f"/post/{_name(one.get('pid'))}",
                unread=unread,
            )
        )

    paged = data.get("pagination")
    page, pages = (
        (_number(paged.get("currentPage")), _number(paged.get("pageCount")))
        if isinstance(paged, dict)
        else (1, 1)
    )
    title = plain(unescape(_text(data.get("titleRaw")) or _text(data.get("title"))), 300)
    return Thread(
        NODEBB, title, _name(data.get("tid")), max(1, page), max(1, pages), tuple(posts), tuple(problems)
    )


# --- the raw source of Discourse


def is_raw_topic(text: str) -> bool:
    """Tell whether a text is what Discourse's ``/raw/TOPIC`` answers."""
    return RAW_HEAD.match(text.lstrip("\ufeff\r\n")) is not None


def raw_topic(text: str) -> Thread:
    """Return the posts of ``/raw/TOPIC``.

    Anybody can type a line like those between the posts, so numbers that do not rise are refused.
    """
    heads = list(_heads(text))
    problems: list[Problem] = [Problem("doubt.forum.raw-heads", {})] if len(heads) > 1 else []
    posts: list[Post] = []
    highest = 0
    for at, found in enumerate(heads[:MOST_POSTS]):
        number = int(found[3])
        follows = int(heads[at + 1][3]) if at + 1 < len(heads) else number + 1
        if number <= highest or follows <= number:
            problems.append(Problem("forum.raw-doubtful", {"number": number}))
            continue
        highest = number
        end = heads[at + 1].start() if at + 1 < len(heads) else len(text)
        lines, whole = markdown_source.lines(_DASHES.sub("", text[found.end() : end].rstrip() + "\n"))
        unread = None if whole else Problem("forum.post-too-long", {"number": number})
        problems += [] if unread is None else [unread]
        posts.append(
            Post(
                f"post_{number}",
                number,
                plain(found[1]),
                "",
                _raw_time(found[2]),
                "",
                lines if whole else (),
                True,
                "",
                unread,
            )
        )

    if len(heads) > MOST_POSTS:
        problems.append(Problem("forum.too-many-posts", {"limit": MOST_POSTS}))
    return Thread(DISCOURSE, posts=tuple(posts), problems=tuple(problems))


def _heads(text: str) -> Iterator[re.Match[str]]:
    """Yield the heads of posts: the first line, and every one like it wherever it stands at the beginning of
    a line.
    """
    yield from RAW_HEAD.finditer(text)


def _raw_time(text: str) -> str:
    return (
        text.replace(" UTC", "Z").replace(" ", "T", 1)
        if not text.endswith("Z")
        else text.replace(" ", "T", 1)
    )


# --- values


def _either(
    html: object, source: object, read_source: Callable[[str], Read], number: int
) -> tuple[tuple[Line, ...], bool, Problem | None]:
    """Return the lines of a post from its HTML, or where there is none from its source; whether it was that;
    why it was not read.
    """
    from_source = not (isinstance(html, str) and html.strip())
    if from_source and not isinstance(source, str):
        return (), False, None
    lines, whole = read_source(source) if from_source and isinstance(source, str) else html_lines(str(html))
    return (
        (lines, from_source, None)
        if whole
        else ((), from_source, Problem("forum.post-too-long", {"number": number}))
    )


def _some(found: list[Data], problems: list[Problem]) -> list[Data]:
    if len(found) > MOST_POSTS:
        problems.append(Problem("forum.too-many-posts", {"limit": MOST_POSTS}))
    return found[:MOST_POSTS]


def _dicts(value: object) -> list[Data]:
    """Return the objects of a list, or of the values of an object."""
    if isinstance(value, dict):
        value = list(value.values())
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9 else 0


def _name(value: object) -> str:
    """Return the forum's own name of something, a number or a word."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value) if 0 <= value < 10**18 else ""
    return (digits(value, r"\A(\d{1,18})\Z") or plain(value, 80)) if isinstance(value, str) else ""
