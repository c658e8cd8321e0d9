"""Where things stand on pages of Discourse: what it shows to programs, and what its own program leaves behind
in a browser.

The name of an account is read, not the full name beside it, which everybody may choose freely.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from pbem.core.regex import regex
from pbem.forum.authors import known_as
from pbem.forum.markup import Frame, Markup, attribute, canonical, digits, linked_number, words
from pbem.forum.thread import DISCOURSE
from pbem.forum.times import of_milliseconds

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_USER: Final = regex(r"/u(?:sers)?/([^?#]{1,200})")

_HEAD: Final = ".crawler-post-meta, .crawler-post-infos, .creator"
"""What stands above a post on a page for programs; below it may stand a list of links that counts its own
rows.
"""


def _number(frame: Frame) -> str:
    for said in (frame.around("data-post-number"), digits(frame.around("id"), r"\Apost_(\d{1,9})\Z")):
        if said.isdigit():
            return said
    for node in frame.all("[itemprop=position], .post-number"):
        if _is_in_head(node) and (
            number := digits(attribute(node, "content") or words(node), r"\A#?(\d{1,9})\Z")
        ):
            return number
    links = frame.all("a.post-date, .post-info a[href], .crawler-post-infos a[href]")
    return linked_number(links, r"/t/[^/]*/\d+/(\d{1,9})\b") or digits(
        frame.text(".creator"), r"#(\d{1,9})\b"
    )


def _is_in_head(node: LexborNode) -> bool:
    """Tell whether an element belongs to the head of a post; of pages that have none by that name, to nothing
    that lists links.
    """
    near: LexborNode | None = node
    for _ in range(8):
        if near is None:
            return False
        names = attribute(near, "class").split()
        if {"crawler-post-meta", "crawler-post-infos", "creator", "post-number"} & set(names):
            return True
        if (
            "crawler-post" in names
            or any("linkback" in name for name in names)
            or attribute(near, "itemtype").endswith("/ListItem")
        ):
            return False
        near = near.parent
    return False


def _id(frame: Frame) -> str:
    if said := digits(frame.around("data-post-id")):
        return said
    number = _number(frame)
    return f"post_{number}" if number else ""


def _linked(frame: Frame) -> list[str]:
    """Return the names in the address of the author's own page, likeliest first: copies of a forum put
    folders and ``.html`` into it.
    """
    for link in frame.all(".creator a[href], .names a[href], .topic-avatar a[href]"):
        found = _USER.search(attribute(link, "href"))
        if found:
            parts = [unquote(part).removesuffix(".html") for part in found[1].split("/")[:4]]
            return [part for part in parts if part]
    return []


def _author(frame: Frame) -> str:
    if said := frame.said(
        "data-user-card", ".names a[data-user-card]", ".topic-avatar a[data-user-card]", "a[data-user-card]"
    ):
        return said
    return frame.text(
        ".creator [itemprop=name]", ".creator b", ".names .username", ".username", ".creator"
    ) or next(iter(_linked(frame)), "")


def _other_name(frame: Frame) -> str:
    """Return the name in the link to the author where it is another than the one that is shown."""
    linked, author = _linked(frame), known_as(_author(frame))
    return linked[0] if linked and author and all(known_as(one) != author for one in linked) else ""


def _at(frame: Frame) -> str:
    if said := frame.said("datetime", "time[itemprop=datePublished]") or frame.said(
        "content", "meta[itemprop=datePublished]"
    ):
        return said
    if said := frame.said("datetime", "time.post-time", ".crawler-post-infos time", "time"):
        return said
    return of_milliseconds(
        frame.said("data-time", ".post-date .relative-date", ".relative-date")
    ) or frame.said("title", "a.post-date", ".post-date")


def _edited(frame: Frame) -> str:
    if said := frame.said("title", ".post-info.edits button", ".post-info.edits a", ".post-info.edits"):
        return said
    changed = frame.said("content", "meta[itemprop=dateModified]") or frame.said(
        "datetime", "time[itemprop=dateModified]"
    )
    if frame.first(".post-info.edits, .edits") is not None:
        return changed
    written = _at(frame)  # pages for programs say it of every post, changed or not
    return changed if frame.first(_HEAD) is not None and written and changed != written else ""


def _topic(tree: LexborHTMLParser) -> str:
    said = attribute(
        tree.css_first(
            "#topic[data-topic-id], h1[data-topic-id], #topic-title [data-topic-id], [data-topic-id]"
        ),
        "data-topic-id",
    )
    return digits(said) or digits(canonical(tree), r"/t/(?:[^/]*/)?(\d{1,18})(?:[/?#]|\Z)")


def _pages(tree: LexborHTMLParser) -> tuple[int, int]:
    page = digits(canonical(tree), r"[?&]page=(\d{1,6})")
    more = tree.css_first("link[rel=next], a[rel=next]")
    now = int(page) if page else 1
    return now, now + (more is not None)


MARKUP: Final = Markup(
    software=DISCOURSE,
    signs=(
        "meta[name=generator][content^='Discourse'], #data-discourse-setup, .crawler-post, "
        "article[data-post-id] .cooked, meta[name='discourse_theme_id']"
    ),
    bodies=(
        "article .cooked, .topic-post .cooked, .topic-body .cooked, .crawler-post .post, "
        "[itemprop=articleBody].post, "
        "#main-outlet .post[itemprop=text]"
    ),
    frames=".topic-post, article[data-post-id], .crawler-post",
    names=("article[data-post-id], .crawler-post[id^='post_']", "id"),
    left_out=(
        ".topic-post.deleted, .embedded-posts, .small-action, .user-stream, .suggested-topics, "
        ".d-editor-preview, .deleted .cooked"
    ),
    id=_id,
    number=_number,
    author=_author,
    author_id=lambda frame: digits(frame.around("data-user-id")),
    at=_at,
    edited=_edited,
    signature=".user-signature, .signature",
    title="#topic-title h1 .fancy-title, #topic-title h1, h1 a, h1",
    topic=_topic,
    pages=_pages,
    other_name=_other_name,
)
