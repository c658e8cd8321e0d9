"""Where things stand on pages of NodeBB, as its server or its program in the browser writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.forum.markup import Frame, Markup, attribute, canonical, digits, link_number, page_between
from pbem.forum.thread import NODEBB
from pbem.forum.times import of_milliseconds

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser


def _number(frame: Frame) -> str:
    index = digits(frame.around("data-index"), r"\A(\d{1,9})\Z")
    return str(int(index) + 1) if index else digits(frame.text(".post-index"), r"\A#(\d{1,9})\Z")


def _author(frame: Frame) -> str:
    return (
        frame.around("data-username")
        or frame.said("data-username", "a[data-username]", "[data-username]")
        or frame.said("content", "[itemprop=author] meta[itemprop=name]")
        or frame.text("[component='user/name']", ".post-header strong a", ".username", ".post-author a")
    )


def _author_id(frame: Frame) -> str:
    said = frame.around("data-uid") or frame.said("data-uid", "a[data-uid]", "[data-uid]")
    return said if said not in ("0", "-1") else ""


def _at(frame: Frame) -> str:
    if stamp := of_milliseconds(frame.around("data-timestamp")):
        return stamp
    return frame.said("content", "meta[itemprop=datePublished]") or frame.said(
        "title", ".permalink .timeago", ".post-header .timeago", ".timeago"
    )


def _edited(frame: Frame) -> str:
    if said := frame.said("content", "meta[itemprop=dateModified]"):
        return said
    for node in frame.all("[component='post/editor'] .timeago, .edit-icon"):
        shown = "hidden" not in attribute(node, "class").split()
        if (
            shown
            and (said := attribute(node, "title"))
            and "{" not in said
            and (attribute(node.parent, "data-editor") or "edit-icon" in attribute(node, "class"))
        ):
            return said
    return ""


def _topic(tree: LexborHTMLParser) -> str:
    return digits(attribute(tree.css_first("[component=topic][data-tid], [data-tid]"), "data-tid")) or digits(
        canonical(tree), r"/topic/(\d{1,18})"
    )


def _pages(tree: LexborHTMLParser) -> tuple[int, int]:
    return page_between(
        tree,
        "[component=pagination] .page-item.active, .pagination .active",
        "[component=pagination] .page-item, .pagination .page, .pagination li",
    )


MARKUP: Final = Markup(
    software=NODEBB,
    signs="[component='post/content'], [component=post][data-pid], meta[name=generator][content*='NodeBB']",
    bodies="[component='post/content']",
    frames="[component=post], li[data-pid], .posts-list-item",
    names=("[component=post][data-pid]", "data-pid"),
    left_out=(
        "[component=post].deleted, li.deleted[data-pid], [component='post/replies/container'], "
        "[component='post/parent'], .composer, .posts-list-item"
    ),
    id=lambda frame: (
        frame.around("data-pid")
        or link_number((frame.said("href", "a.post-index", "a.permalink"),), r"/post/(\d{1,18})")
    ),
    number=_number,
    author=_author,
    author_id=_author_id,
    at=_at,
    edited=_edited,
    signature="[component='post/signature'], .post-signature",
    title="[component='topic/title'], [component='post/header'] .topic-title, h1 [component='topic/title'], h1",
    topic=_topic,
    pages=_pages,
)
