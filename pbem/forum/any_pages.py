"""Finds posts on pages whose software or theme nobody here knows, by how they are built.

A page of a thread repeats itself: an element with the number of each post in its name, in it a name that says
who wrote it, and an element that says that it holds the text. Only where all three are found in every post
alike is anything read. Whose each word in a text is, no table tells here, so a post of which orders stand in
anything but plain text, a box of code or a quotation that is known is not read.

What stands in a body is its writer's and never counts as a part of the page, and of two elements that may be
the body the outer one is taken: a quotation can be a part of a post, never the whole of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from pbem.core.regex import regex
from pbem.forum import dates
from pbem.forum.markup import (
    Frame,
    Markup,
    attribute,
    canonical,
    digits,
    link_number,
    linked_number,
    page_between,
    page_of,
    plain,
    words,
)

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

__all__ = ["markup_of"]

_MOST: Final = 5_000
_TRIED: Final = 20
"""Names of one form that are tried."""
_HIGH: Final = 12
"""Elements around the name of a post that are looked at for its author and its text."""
_NUMBERED: Final = regex(
    r"\A((?:el|js-)?(?:p|pid|post|msg|message|comment|reply|entry|topic-post|post-?div|post[-_]?row"
    r"|c?post)[-_]{0,2})(\d{1,18})\Z",
    re.IGNORECASE,
)
_DATA: Final = (
    "data-post-id",
    "data-pid",
    "data-comment-id",
    "data-message-id",
    "data-postid",
    "data-commentid",
)
_BODY: Final = regex(
    r"(?:(?:post|msg|message|comment|entry|reply|user|topic|mw|text)[-_]?)?(?:content|contents|body|text|msg"
    r"|message|postbody|inner|bodytext)",
    re.IGNORECASE,
)
_BODY_ID: Final = regex(
    r"\A[a-z]*[-_]?(?:div|msg|message|pid|content|body|text|post_message|post)[-_]{0,2}\Z", re.IGNORECASE
)
_PROPERTIES: Final = ("text", "articleBody", "commentText")
_NAME: Final = regex(
    r"(?:(?:post|vt|msg|message|comment|entry|topic|big)[-_]?)?(?:author|username|user-name|user_name|poster"
    r"|nick|nickname|user|creator|membername)"
    r"(?:[-_]?(?:name|link|nick|coloured|colored))?",
    re.IGNORECASE,
)
_PROFILE: Final = regex(
    r"profile|/author/|/members?[/?.]|member\.php|memberlist|/users?[/?.-]|/user-\d|[?&;]u(?:id)?=\d|/u/"
    r"|action=profile|userinfo|/people/",
    re.IGNORECASE,
)
_ACCOUNT: Final = (
    r"[?&;]u(?:id|ser_?id)?=(\d{1,18})",
    r"/user[-_/](\d{1,18})",
    r"/members?/(?:[^/?#]{0,80}?[.-])?(\d{1,18})",
    r"/profile/(\d{1,18})",
    r"profile\.php\?id=(\d{1,18})",
)
_CHROME: Final = regex(
    r"(?:post|msg|message|comment|entry|topic)?[-_]?(?:date|time|head|header|meta|posted|permalink|postdate"
    r"|datetime|toolbar|tools)",
    re.IGNORECASE,
)
_SIGNATURE: Final = regex(r"sig(?:nature)?(?:[-_]|\Z)|signature|postsig", re.IGNORECASE)
_EDITED: Final = regex(
    r"\b(?:edited|modified|geändert|bearbeitet|modifié|édité|editado|modificato|bewerkt|edytowan|Изменен"
    r"|отредактир)",
    re.IGNORECASE,
)
_DATED: Final = regex(r"\d{1,4}\D{1,12}\d{1,4}")
_CLOCK: Final = regex(r"\d{1,2}[:.]\d{2}")
_QUOTED: Final = "blockquote, [class*='quot'], [class*='Quot'], cite, q"
_LONGEST_NAME: Final = 60
_BODY_MARK, _FRAME_MARK, _NUMBER_MARK = "data-pbem-body", "data-pbem-post", "data-pbem-number"


class _Shape(Struct):
    """One post as it may be: the number that names it, the element that bears it, and what is found for it
    later.
    """

    number: str
    node: LexborNode
    frame: LexborNode | None = None
    body: LexborNode | None = None
    author: str = ""


def markup_of(tree: LexborHTMLParser, software: str) -> Markup | None:
    """Return how the posts of a page are found, or None where it is not built as a thread; it marks what it
    found on the page.
    """
    for mark in (_BODY_MARK, _FRAME_MARK, _NUMBER_MARK):
        for node in tree.css(f"[{mark}]"):
            del node.attrs[mark]
    for shapes in _groups(tree):
        if _whole(shapes):
            for shape in shapes:
                assert shape.frame is not None and shape.body is not None
                shape.frame.attrs[_FRAME_MARK] = shape.author
                shape.frame.attrs[_NUMBER_MARK] = shape.number
                shape.body.attrs[_BODY_MARK] = "1"
            return _markup(software)
    return None


# --- what names posts


def _groups(tree: LexborHTMLParser) -> Iterator[list[_Shape]]:
    """Yield elements that bear numbers under names of one form, those with the most first; none of a group
    lies in another of it.
    """
    found: dict[tuple[str, str], list[_Shape]] = {}
    for node in tree.css("[id]"):
        if (named := _NUMBERED.match(attribute(node, "id"))) is not None:
            found.setdefault((node.tag or "", named[1].lower()), []).append(_Shape(named[2], node))
    for node in tree.css("a[name]"):
        if (named := _NUMBERED.match(attribute(node, "name"))) is not None:
            found.setdefault(("a", named[1].lower()), []).append(_Shape(named[2], node))
    for name in _DATA:
        for node in tree.css(f"[{name}]"):
            if (number := digits(attribute(node, name), r"\A(\d{1,18})\Z")) and node.tag not in (
                "a",
                "button",
                "span",
            ):
                found.setdefault((node.tag or "", name), []).append(_Shape(number, node))
    for shapes in sorted(found.values(), key=len, reverse=True)[:_TRIED]:
        if (
            len(shapes) <= _MOST
            and len({shape.number for shape in shapes}) == len(shapes)
            and not _nested(shapes)
        ):
            yield shapes


def _nested(shapes: Sequence[_Shape]) -> bool:
    own = {shape.node.mem_id for shape in shapes}
    return any(node.mem_id in own for shape in shapes for node in _above(shape.node.parent, 60))


def _above(node: LexborNode | None, most: int) -> Iterator[LexborNode]:
    for _ in range(most):
        if node is None or node.tag in ("body", "html"):
            return
        yield node
        node = node.parent


# --- the parts of a post


def _whole(shapes: Sequence[_Shape]) -> bool:
    """Find frame, body and author of each of some posts; tell whether that is certain."""
    count: dict[int, int] = {}
    for shape in shapes:
        for node in _above(shape.node, 60):
            count[node.mem_id] = count.get(node.mem_id, 0) + 1
    high = _HIGH if len(shapes) > 1 else 1
    for shape in shapes:
        alone = [node for node in _above(shape.node, high) if count[node.mem_id] == 1]
        shape.frame = next(
            (node for node in alone if any(True for _ in _bodies(node, shape.number)) and _names(node)), None
        )
        if shape.frame is None:
            return False
    found = [dict(_bodies(shape.frame, shape.number)) for shape in shapes if shape.frame is not None]
    common = [key for key in found[0] if all(key in one for one in found)]
    # the outermost that its author stands beside
    for key in sorted(common, key=lambda key: sum(1 for _ in _above(found[0][key], 60))):
        for shape, one in zip(shapes, found, strict=True):
            shape.body = one[key]
        if _authored(shapes):
            return True
    return False


def _bodies(frame: LexborNode, number: str) -> Iterator[tuple[str, LexborNode]]:
    """Yield what may hold the text of a post, each under a key by which the same is found in others; never a
    part of a quotation.
    """
    found: dict[str, list[LexborNode]] = {}
    for node in frame.css("[id], [class], [itemprop], [data-role]"):
        if node.tag in (
            "a",
            "input",
            "textarea",
            "form",
            "button",
            "body",
            "img",
            "ul",
            "li",
            "dl",
            "dt",
            "dd",
            "h1",
            "h2",
            "h3",
        ) or _is_signature(node):
            continue
        id_ = attribute(node, "id")
        if id_.endswith(number) and _BODY_ID.match(id_.removesuffix(number)) and node.mem_id != frame.mem_id:
            found.setdefault(f"id {id_.removesuffix(number)}", []).append(node)
        if attribute(node, "itemprop") in _PROPERTIES:
            found.setdefault(f"property {attribute(node, 'itemprop')}", []).append(node)
        if attribute(node, "data-role") == "commentContent":
            found.setdefault("role", []).append(node)
        for name in attribute(node, "class").split()[:12]:
            if _BODY.fullmatch(name):
                found.setdefault(f"class {name.lower()}", []).append(node)
    for key, nodes in found.items():
        nodes = list({node.mem_id: node for node in nodes}.values())
        outer = [
            node
            for node in nodes
            if not any(above.mem_id == other.mem_id for other in nodes for above in _above(node.parent, 40))
        ]
        if len(outer) == 1 and not _is_chrome(outer[0], frame, number) and not _in_quote(outer[0], frame):
            yield key, outer[0]


def _is_signature(node: LexborNode) -> bool:
    return any(
        _SIGNATURE.search(said)
        for said in (attribute(node, "id"), *attribute(node, "class").split(), attribute(node, "data-role"))
    )


def _in_quote(node: LexborNode, frame: LexborNode) -> bool:
    quoted = {one.mem_id for one in frame.css(_QUOTED)}
    return any(one.mem_id in quoted for one in _above(node, 40) if one.mem_id != frame.mem_id)


def _is_chrome(node: LexborNode, frame: LexborNode, number: str) -> bool:
    """Tell whether an element holds parts of the page beside a text: the time, the name of the author, a link
    to the post itself.
    """
    if node.mem_id == frame.mem_id:
        return True
    if (
        node.css_first("time, [itemprop=author], [itemprop=datePublished], textarea, form, script[src]")
        is not None
    ):
        return True
    if any(
        digits(attribute(link, "href"), rf"#[a-z_-]{{0,10}}({number})\Z")
        for link in node.css("a[href*='#']")[:60]
    ):
        return True
    for one in node.css("[class]")[:400]:
        names = attribute(one, "class").split()[:8]
        if any(_CHROME.fullmatch(name) or _NAME.fullmatch(name) for name in names) and not _in_quote(
            one, node
        ):
            return True
    return False


def _names(frame: LexborNode, body: LexborNode | None = None) -> dict[str, list[tuple[str, str]]]:
    """Return what may say who wrote a post, outside of its body: for each way to find it the names, with the
    address of a link.
    """
    found: dict[str, list[tuple[str, str]]] = {}
    around = Frame(frame, body, 0) if body is not None else None
    for node in frame.css("[itemprop], [class], a[href], [data-author]"):
        if around is not None and around.is_inside(node):
            continue
        said = _short(node)
        link = attribute(node, "href") if node.tag == "a" else attribute(node.css_first("a[href]"), "href")
        if attribute(node, "itemprop") in ("author", "creator"):
            named = node.css_first("[itemprop=name]")
            found.setdefault("property", []).append(
                (attribute(named, "content") or words(named) or said, link)
            )
        if author := attribute(node, "data-author"):
            found.setdefault("data", []).append((author, link))
        if not said:
            continue
        for name in attribute(node, "class").split()[:8]:
            if _NAME.fullmatch(name) and not _is_signature(node):
                found.setdefault(f"class {name.lower()}", []).append((said, link))
        if node.tag == "a" and _PROFILE.search(link):
            found.setdefault("link", []).append((said, link))
    return found


def _short(node: LexborNode) -> str:
    """Return the words of an element where they are no more than a name may have; else nothing, without
    looking at all of them.
    """
    said = ""
    for inner in node.traverse(include_text=True):
        if inner.is_text_node:
            said += inner.text() or ""
            if len(said) > 4 * _LONGEST_NAME:
                return ""
    said = plain(said)
    return said if len(said) <= _LONGEST_NAME else ""


def _is_one(found: Sequence[tuple[str, str]]) -> bool:
    """Tell whether all that was found in one way is one name."""
    return len({name for name, _ in found}) == 1


def _authored(shapes: Sequence[_Shape]) -> bool:
    """Find who wrote each of some posts: one name in each, found in the same way, that no other way
    contradicts.
    """
    named = []
    for shape in shapes:
        assert shape.frame is not None
        named.append(_names(shape.frame, shape.body))
    ways = [way for way in named[0] if all(_is_one(one.get(way, ())) for one in named)]
    good = []
    for way in ways:
        firsts = [one[way][0] for one in named]
        if not _is_label(firsts, way) and not any(_CLOCK.search(name) for name, _ in firsts):
            good.append(way)
    # Where somebody differs, what is the same in all posts is a rank, or a badge.
    differing = [way for way in good if len({one[way][0][0] for one in named}) > 1]
    good = differing or good
    good.sort(key=lambda way: (way != "property", way != "data", way != "link", len(named[0][way][0][0])))
    if not good:
        return False
    for shape, one in zip(shapes, named, strict=True):
        said = {_folded(one[way][0][0]) for way in good}
        shape.author = one[good[0]][0][0]
        if any(_folded(shape.author) not in name and name not in _folded(shape.author) for name in said):
            return False
    return True


def _is_label(found: Sequence[tuple[str, str]], way: str) -> bool:
    """Tell whether a word stands in every post and is nobody's name: ``Profile`` with a
    link to each author.
    """
    names, links = {name for name, _ in found}, {link for _, link in found if link}
    if len(found) > 1 and len(names) == 1 and (len(links) > 1 or way == "link"):
        return True
    return len(names) > 1 and len(links) == 1 and all(link for _, link in found)


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()


# --- as what it is read


def _author(frame: Frame) -> str:
    return attribute(frame.node, _FRAME_MARK)


def _number(frame: Frame) -> str:
    for link in frame.all("a, .post-number, .postnum, [class*='number']"):
        if number := digits(words(link), r"\A#\s?(\d{1,6})\Z"):
            return number
    return ""


def _author_id(frame: Frame) -> str:
    author = _folded(_author(frame))
    return linked_number((link for link in frame.all("a[href]") if _folded(words(link)) == author), *_ACCOUNT)


def _at(frame: Frame) -> str:
    if said := frame.said("datetime", "time", "[datetime]") or frame.said(
        "content", "[itemprop=datePublished]", "[itemprop=dateCreated]"
    ):
        return said
    for node in frame.all(
        "[class*='date'], [class*='Date'], [class*='time'], [class*='posted'], .dt, .smalltext, .smallfont, "
        "td, p, span, div"
    ):
        said = words(node)
        if (
            len(said) <= 80
            and _DATED.search(said)
            and not _EDITED.search(said)
            and (found := dates.within(said))
        ):
            return found
    return ""


def _edited(frame: Frame) -> str:
    for node in frame.node.css(
        "[class*='edit'], [class*='Edit'], [class*='modif'], em, i, small, .gensmall, .smalltext"
    ):
        said = words(node)
        if 12 <= len(said) <= 200 and _DATED.search(said) and _EDITED.search(said):
            return dates.within(said) or said
    return ""


def _topic(tree: LexborHTMLParser) -> str:
    return link_number(
        (canonical(tree),),
        r"[?&;]t(?:id|opic)?=(\d{1,18})",
        r"topic[=,/](\d{1,18})",
        r"/t(?:hreads?|opics?)?/(?:[^/?#]{0,200}?[.-])?(\d{1,18})",
    )


def _pages(tree: LexborHTMLParser) -> tuple[int, int]:
    found = page_of(tree, ".pagination", ".pages", ".pagelinks", "[class*='pagina']")
    return (
        found
        if found != (1, 1)
        else page_between(
            tree, ".pagination .active, .pagination .current, .pages .current", ".pagination a, .pages a"
        )
    )


def _markup(software: str) -> Markup:
    return Markup(
        software=software,
        signs="html",
        bodies=f"[{_BODY_MARK}]",
        frames=f"[{_FRAME_MARK}]",
        names=(f"[{_NUMBER_MARK}]", _NUMBER_MARK),
        id=lambda frame: attribute(frame.node, _NUMBER_MARK),
        number=_number,
        author=_author,
        author_id=_author_id,
        at=_at,
        edited=_edited,
        signature="[class*='signature'], [id^='sig'], [id$='_signature'], [data-role=memberSignature]",
        title="h1, h2",
        topic=_topic,
        pages=_pages,
        strict=True,
    )
