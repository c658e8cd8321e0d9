"""Finds the posts on a page of a forum: where each begins, whose it is, when it was written and edited.

It knows no forum: each software says in a ``Markup`` by which selectors its parts are found, in the order in
which they are tried. A post is found by its body and not by its frame, because themes rename frames and keep
bodies; its frame is what stands around this body and around no other. What stands within a body is never
taken for a part of the page, whatever it looks like.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import timezone
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.core.regex import regex
from pbem.forum import bodies, dates
from pbem.forum.thread import Post, Thread
from pbem.post.lines.keys import Keys
from pbem.post.lines.message import Line

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

MOST_POSTS: Final = 5_000
"""How many posts of a page are read; forums show up to a few hundred, Discourse in print a thousand."""
_HIGHEST: Final = 60
"""How many elements around a body are looked at."""
_SHOWN: Final = 120
_BLANKS: Final = regex(r"\s+")
_CONTROL: Final = regex("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u00ad]")
_PAGE: Final = regex(
    r"(?:page|seite|página|pagina|strona|sida|side|stránka|strana|страница|sivu|oldal|sayfa"
    r"|ページ)\s{0,3}:?\s{0,3}(\d{1,6})\s{0,3}"
    r"(?:of|von|sur|de|di|van|z|ze|av|af|из|yht\.|/)\s{0,3}(\d{1,6})",
    re.IGNORECASE,
)
_RULE: Final = regex(r"_{15,19} *")
"""What phpBB 2 and vBulletin 3 put in front of a signature: 17 and 18 of them."""

Ask = Callable[["Frame"], str]


def _no_other_name(frame: Frame) -> str:
    """Return nothing: the page tells no second name of an author."""
    return ""


class Markup(Struct, frozen=True):
    """How one software writes its pages.

    Each ``Ask`` answers of one post, with nothing where the page does not tell.
    """

    software: str
    signs: str
    """A selector: what stands on every page of this software and on no other."""
    bodies: str
    frames: str
    """What is known to stand around a post, under the names of its own themes."""
    id: Ask
    number: Ask
    author: Ask
    author_id: Ask
    at: Ask
    edited: Ask
    signature: str
    title: str
    topic: Callable[[LexborHTMLParser], str]
    pages: Callable[[LexborHTMLParser], tuple[int, int]]
    names: tuple[str, str]
    """A selector and an attribute by which every post bears a name of its own: a frame with two of them holds
    two posts.
    """
    left_out: str = ""
    """Frames of posts that were deleted, and bodies of other things."""
    strict: bool = False
    """Whether nobody knows how it marks quotations, so that orders in any box that is not
    known are not read.
    """
    other_name: Ask = _no_other_name
    """Whose it is by something else on the page, where that is another than the author."""


class Frame(Struct):
    """One post on a page: its body, and what stands around it."""

    node: LexborNode
    body: LexborNode
    place: int

    def all(self, selector: str) -> Iterator[LexborNode]:
        """Yield the elements of the frame that are not in the body, and the frame itself where it fits."""
        for found in self.node.css(selector):
            if not self.is_inside(found):
                yield found

    def is_inside(self, node: LexborNode) -> bool:
        """Tell whether an element is in the body, and so its writer's."""
        near: LexborNode | None = node
        for _ in range(_HIGHEST):
            if near is None or near.mem_id == self.node.mem_id:
                return False
            if near.mem_id == self.body.mem_id:
                return True
            near = near.parent
        return True

    def first(self, selector: str) -> LexborNode | None:
        """Return the first such element of the frame outside the body."""
        return next(self.all(selector), None)

    def text(self, *selectors: str) -> str:
        """Return the words of the first of some elements that has any."""
        for selector in selectors:
            for found in self.all(selector):
                if said := words(found):
                    return said
        return ""

    def said(self, name: str, *selectors: str) -> str:
        """Return an attribute of the first of some elements that has it."""
        for selector in selectors:
            for found in self.all(selector):
                if value := attribute(found, name):
                    return value
        return ""

    def around(self, name: str) -> str:
        """Return an attribute of the body, or of the nearest element around it within the
        frame that has it.
        """
        near: LexborNode | None = self.body
        for _ in range(_HIGHEST):
            if near is None:
                return ""
            if value := attribute(near, name):
                return value
            if near.mem_id == self.node.mem_id:
                return ""
            near = near.parent
        return ""


def words(node: LexborNode | None, most: int = 200) -> str:
    """Return the words of an element on one line; names are hostile, so signs that nobody
    sees are taken out.
    """
    return plain(node.text(separator="") or "", most) if node is not None else ""


def plain(text: str, most: int = 200) -> str:
    """Return a text on one line, shortened, without signs that nobody sees."""
    return _BLANKS.sub(" ", _CONTROL.sub("", text[: 8 * most])).strip()[:most]


def attribute(node: LexborNode | None, name: str) -> str:
    """Return an attribute of an element, or nothing."""
    return plain(node.attributes.get(name) or "", 2_000) if node is not None else ""


def digits(text: str, pattern: str = r"(\d{1,18})") -> str:
    """Return the number that a pattern finds in a text, or nothing."""
    found = re.search(pattern, text[:2_000])
    return found[1] if found else ""


def link_number(links: Iterable[str], *patterns: str) -> str:
    """Return the first number that one of some patterns finds in one of some links."""
    for link in links:
        for pattern in patterns:
            if number := digits(link, pattern):
                return number
    return ""


def linked_number(nodes: Iterable[LexborNode], *patterns: str) -> str:
    """Return the first number that one of some patterns finds in the addresses of some links."""
    return link_number((attribute(node, "href") for node in nodes), *patterns)


def canonical(tree: LexborHTMLParser) -> str:
    """Return the address that a page gives itself, or the one it was saved from."""
    for selector, name in (("link[rel=canonical]", "href"), ("meta[property='og:url']", "content")):
        if value := attribute(tree.css_first(selector), name):
            return value
    html = tree.html or ""
    found = re.search(r"<!-- saved from url=\(\d{1,6}\)(\S{1,500}) -->", html[:3_000])
    return found[1] if found else ""


def page_of(tree: LexborHTMLParser, *selectors: str) -> tuple[int, int]:
    """Return which page of how many this is, where one of some elements says so in words."""
    for selector in selectors:
        for node in tree.css(selector)[:20]:
            if found := _PAGE.search(words(node, 400)):
                return _sane(int(found[1]), int(found[2]))
    return 1, 1


def page_between(tree: LexborHTMLParser, current: str, others: str) -> tuple[int, int]:
    """Return which page of how many this is, from the numbers of a row of links."""
    now = [int(number) for node in tree.css(current)[:4] if (number := digits(words(node)))]
    if not now:
        return 1, 1
    most = [
        int(number)
        for node in tree.css(others)[:200]
        if (number := digits(words(node), r"\A\D{0,12}(\d{1,6})\D{0,12}\Z"))
    ]
    return _sane(now[0], max([*most, now[0]]))


def _sane(page: int, pages: int) -> tuple[int, int]:
    return (page, pages) if 0 < page <= pages < 1_000_000 else (1, 1)


def title_of(tree: LexborHTMLParser, selector: str) -> str:
    """Return the title of a thread."""
    for one in (*selector.split(", "), "title"):
        for node in tree.css(one)[:3]:
            if said := words(node, 300):
                return said
    return attribute(tree.css_first("meta[property='og:title']"), "content")[:300]


def threads(keys: Keys, tree: LexborHTMLParser, markup: Markup) -> Thread:
    """Return the thread on a page, with every post that is found on it."""
    problems: list[Problem] = []
    frames = list(_frames(tree, markup, problems))
    page, pages = markup.pages(tree)
    zone = dates.zone_of(tree, [frame.node for frame in frames])
    posts = _once([_post(keys, frame, markup, page, zone, problems) for frame in frames], problems)
    problems += [post.unread for post in posts if post.unread is not None]
    return Thread(
        markup.software,
        title_of(tree, markup.title),
        markup.topic(tree),
        page,
        pages,
        tuple(posts),
        tuple(problems),
    )


def _once(found: Sequence[Post], problems: list[Problem]) -> list[Post]:
    """Return each post once; of one that stands there twice and says two things neither can be believed."""
    posts: dict[str, Post] = {}
    for post in found:
        first = posts.setdefault(post.id, post)
        if first is post:
            continue
        if (first.author, [line.text for line in first.lines]) == (
            post.author,
            [line.text for line in post.lines],
        ):
            problems.append(Problem("doubt.forum.twice", {"number": first.number or first.id}))
        else:
            posts[post.id] = replace(
                first,
                lines=(),
                unread=first.unread or Problem("forum.twice", {"number": first.number or first.id}),
            )
    return list(posts.values())


def found_bodies(tree: LexborHTMLParser, markup: Markup) -> list[LexborNode]:
    """Return the bodies of posts on a page: none of them lies in another."""
    inner: set[int] = set()
    kept: list[LexborNode] = []
    for body in tree.css(markup.bodies):
        if body.mem_id in inner:
            continue
        inner.update(node.mem_id for node in body.css(markup.bodies))
        kept.append(body)
        if len(kept) > MOST_POSTS:
            break
    return kept


def _frames(tree: LexborHTMLParser, markup: Markup, problems: list[Problem]) -> Iterator[Frame]:
    """Yield the posts of a page, top to bottom."""
    kept = found_bodies(tree, markup)
    if len(kept) > MOST_POSTS:
        kept = kept[:MOST_POSTS]
        problems.append(Problem("forum.too-many-posts", {"limit": MOST_POSTS}))
    known = {node.mem_id for node in tree.css(markup.frames)} if markup.frames else set()
    left_out = {node.mem_id for node in tree.css(markup.left_out)} if markup.left_out else set()
    kept = [body for body in kept if all(node.mem_id not in left_out for node in _above(body))]
    unscripted = [all(node.tag != "noscript" for node in _above(body)) for body in kept]
    if any(unscripted):  # for browsers that run no programs the same posts may stand there once more
        kept = [body for body, shown in zip(kept, unscripted, strict=True) if shown]
    count: dict[int, int] = {}
    for body in kept:
        for node in _above(body):
            count[node.mem_id] = count.get(node.mem_id, 0) + 1
    for place, body in enumerate(kept):
        above = list(_above(body))
        alone = [node for node in above if count[node.mem_id] == 1]
        framed = [node for node in alone if node.mem_id in known]
        yield Frame((framed or alone or [body])[-1], body, place)


def _above(body: LexborNode) -> Iterator[LexborNode]:
    """Yield a body and what stands around it, from the inside."""
    node: LexborNode | None = body
    for _ in range(_HIGHEST):
        if node is None or node.tag in ("body", "html"):
            return
        yield node
        node = node.parent


def _post(
    keys: Keys, frame: Frame, markup: Markup, page: int, zone: timezone | None, problems: list[Problem]
) -> Post:
    """Return one post; a post without a name of its own is called by its place."""
    number = int(markup.number(frame) or 0)
    if not number and page == 1:
        number = frame.place + 1
    author = plain(markup.author(frame))
    where = frame.around("id")
    id_ = plain(markup.id(frame), 60)
    if not id_:
        id_ = f"#{page}.{frame.place + 1}"
        if all(problem.code != "doubt.forum.no-id" for problem in problems):
            problems.append(Problem("doubt.forum.no-id", {"number": number or frame.place + 1}))

    named = number or frame.place + 1
    other = markup.other_name(frame) if author else ""
    unread = None
    if not author:
        unread = Problem("forum.no-author", {"number": named})
    elif other:
        unread = Problem(
            "forum.two-names", {"number": named, "author": author[:60], "other": plain(other, 60)}
        )

    if _is_broken(frame, markup):
        return Post(
            id=id_,
            number=number,
            author=author,
            unread=unread or Problem("forum.post-broken", {"number": named}),
        )

    signature = _signature(frame, markup)
    at, edited, author_id = markup.at(frame), markup.edited(frame), markup.author_id(frame)
    found, whole = bodies.lines(frame.body)
    if markup.strict and bodies.is_strange(keys, frame.body):
        unread, found = unread or Problem("forum.strange-box", {"number": named}), ()
    found = tuple(
        Line("-- ", line.number, line.quoted) if _RULE.fullmatch(line.text) else line for line in found
    )
    if not whole:
        unread = unread or Problem("forum.post-too-long", {"number": named})
        found = ()  # half of a post may say the opposite of the whole
    return Post(
        id=id_,
        number=number,
        author=author,
        author_id=plain(author_id, 60),
        at=dates.as_time(at, zone) or plain(at, 80),
        edited=plain(edited, 200),
        lines=signed(found, signature),
        link=f"#{where}" if where and len(where) <= 60 else "",
        unread=unread,
    )


def _is_broken(frame: Frame, markup: Markup) -> bool:
    """Tell whether a tag was never closed, so that others' words are in a post, or whose it is cannot be
    told.
    """
    if any(inner.mem_id != frame.body.mem_id for inner in frame.body.css(markup.frames)):
        return True
    selector, name = markup.names
    return len({attribute(node, name) for node in frame.all(selector)}) > 1


def _signature(frame: Frame, markup: Markup) -> Sequence[Line]:
    node = frame.first(markup.signature) if markup.signature else None
    if node is None:
        node = _below_rule(frame.body)
    return bodies.lines(node)[0] if node is not None else ()


def _below_rule(body: LexborNode) -> LexborNode | None:
    """Return the element below a body that begins with a rule of underscores, as old softwares begin
    signatures.
    """
    node = body.next
    for _ in range(12):
        if node is None:
            return None
        if node.is_element_node and (node.text(separator="") or "").lstrip()[:10] == "_" * 10:
            return node
        node = node.next
    return None


def signed(lines: Sequence[Line], signature: Sequence[Line]) -> tuple[Line, ...]:
    """Return the lines of a post with its signature behind a line ``-- ``."""
    said = [line for line in signature if line.text.strip(" _-—")][:20]
    if not said:
        return tuple(lines)
    behind = [("-- ", 0), *((line.text, line.quoted) for line in said)]
    return (
        *lines,
        *(Line(text, number, quoted) for number, (text, quoted) in enumerate(behind, len(lines) + 1)),
    )
