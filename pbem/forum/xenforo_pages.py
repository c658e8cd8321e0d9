"""Where things stand on pages of XenForo 1.5 and 2.x."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pbem.core.regex import regex
from pbem.forum.markup import Frame, Markup, attribute, canonical, digits, linked_number, page_between, words
from pbem.forum.thread import XENFORO

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

_EPOCH: Final = regex(r"\d{9,10}")


def _id(frame: Frame) -> str:
    for said in (
        frame.around("data-content"),
        frame.around("id"),
        frame.around("data-lb-id"),
        frame.said("id", "[id^='post-']"),
    ):
        if number := digits(said, r"(?:\A|-|_)post-(\d{1,18})\Z"):
            return number
    links = frame.all(".message-attribution a[href], a.datePermalink, a.postNumber")
    return linked_number(links, r"(?:#post-|/post-|posts/)(\d{1,18})")


def _number(frame: Frame) -> str:
    for link in frame.all(
        ".message-attribution-opposite a, a.postNumber, .message-attribution a, header a[href*='post-']"
    ):
        if number := digits(words(link), r"\A#\s?([\d.,  ]{1,9})\Z"):
            return re.sub(r"\D", "", number)
    return ""


def _author(frame: Frame) -> str:
    return frame.around("data-author") or frame.text(
        ".message-name .username",
        ".message-userDetails .username",
        ".messageUserBlock .username",
        ".message-name",
        ".userText .username",
        ".username",
    )


def _author_id(frame: Frame) -> str:
    own = frame.said(
        "data-user-id",
        ".message-name .username",
        ".message-userDetails .username",
        ".message-user .username",
        ".message-avatar a",
    )
    if own and own != "0":
        return own
    links = frame.all(
        ".messageUserBlock a.username, .messageUserBlock a.avatar, .message-name a, .message-avatar a, "
        ".message-cell--user a"
    )
    return linked_number(links, r"members/(?:[^/]*\.)?(\d{1,18})")


def _time(frame: Frame, *selectors: str) -> str:
    for selector in selectors:
        for node in frame.all(selector):
            for name in ("datetime", "data-datestring", "title"):
                if said := attribute(node, name):
                    return (
                        said if name != "data-datestring" else f"{said} {attribute(node, 'data-timestring')}"
                    )
            if said := words(node):
                return said
    return ""


def _at(frame: Frame) -> str:
    return _time(
        frame,
        ".message-attribution-main time",
        ".message-attribution time",
        ".messageDetails .DateTime",
        ".datePermalink .DateTime",
        "time.u-dt",
        ".DateTime",
    )


def _edited(frame: Frame) -> str:
    found = _time(frame, ".message-lastEdit time", ".editDate .DateTime", ".editDate")
    if found:
        return found
    inside = frame.body.css_first(".message-lastEdit time, .editDate .DateTime")
    return attribute(inside, "datetime") or attribute(inside, "title") or words(inside)


def _topic(tree: LexborHTMLParser) -> str:
    said = attribute(tree.css_first("html"), "data-content-key")
    return digits(said, r"\Athread-(\d{1,18})\Z") or digits(
        canonical(tree), r"threads/(?:[^/?#]*\.)?(\d{1,18})(?:[/?#]|\Z)"
    )


def _pages(tree: LexborHTMLParser) -> tuple[int, int]:
    old = tree.css_first("div.PageNav[data-page]")
    if old is not None:
        now, most = digits(attribute(old, "data-page")), digits(attribute(old, "data-last"))
        if now and most and int(now) <= int(most):
            return int(now), int(most)
    return page_between(
        tree,
        ".pageNav-page--current, .PageNav .currentPage",
        ".pageNav-page, .pageNavSimple-el--current, .PageNav a",
    )


MARKUP: Final = Markup(
    software=XENFORO,
    signs=(
        "html#XF, html#XenForo, html[data-app=public], .p-body-main, .bbWrapper, li.message "
        "blockquote.messageText"
    ),
    bodies=(
        "article.message-body .bbWrapper, .message-body .bbWrapper, .message-content .bbWrapper, "
        "article.message-body,"
        " .messageContent blockquote.messageText, .messageContent article"
    ),
    frames=(
        "article.message--post, article.message, div.message--post, .message[data-author], li.message, "
        "[data-content^='post-'], .js-post"
    ),
    names=("article[data-content^='post-'], div[data-content^='post-'], li.message[id^='post-']", "id"),
    left_out=(
        ".message--deleted, li.message.deleted, li.message.placeholder, .message--simple, "
        ".message-signature, "
        ".js-quickReply, .articlePreview,"
        " .memberTooltip, .bbCodeBlock--quote, .message--articlePreview, .message--conversation-draft"
    ),
    id=_id,
    number=_number,
    author=_author,
    author_id=_author_id,
    at=_at,
    edited=_edited,
    signature=".message-signature, .signature",
    title="h1.p-title-value, .titleBar h1, h1.p-title",
    topic=_topic,
    pages=_pages,
)
