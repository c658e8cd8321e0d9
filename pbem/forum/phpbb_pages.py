"""Where things stand on pages of phpBB: prosilver and its children of 3.0 to 4.0, subsilver2, and phpBB 2;
also as they are printed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pbem.core.regex import regex
from pbem.forum.markup import (
    Frame,
    Markup,
    attribute,
    canonical,
    digits,
    linked_number,
    page_between,
    page_of,
    words,
)
from pbem.forum.thread import PHPBB

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

_NAMED: Final = r"\Ap(?:ost_content|ost_?|ost-)?(\d{1,18})\Z"
_STAMP: Final = regex(r"(?:»|&raquo;|Posted:|Verfasst:|Posté:|:)\s*(\S.{5,60})\Z")
_DATED: Final = regex(r"\d{1,4}")
_CLOCK: Final = regex(r":\s*(\S[^:]{5,40}?\s\d{1,2}[:.]\d{2}(?:\s?[ap]m)?)\b", re.IGNORECASE)
_EDITED_AT: Final = regex(
    r"\b(?:on|am|le|el|op|il|em|den|dne)\s(\D{0,24}\d.{4,50}?)(?:[,;]\s\D|\s\d{1,4} "
    r"(?=[^\W\d]+\s)(?!\D{3,9} \d)|\.\Z|\Z)",
    re.IGNORECASE,
)


def _id(frame: Frame) -> str:
    for said in (frame.around("id"), frame.around("data-post-id")):
        if number := digits(said, _NAMED) or digits(said, r"\A(\d{1,18})\Z"):
            return number
    for node in frame.all("[id^='p'], a[name]"):
        if number := digits(
            attribute(node, "id") or attribute(node, "name"),
            r"\A(?:p|post_content|post_?|post-)?(\d{1,18})\Z",
        ):
            return number
    return linked_number(frame.all("a[href]"), r"#p(\d{1,18})\b", r"[?&]p=(\d{1,18})")


def _number(frame: Frame) -> str:
    for node in frame.all(".author a, .post-number, .postnumber, a[href*='#p'], a.post-number"):
        if number := digits(words(node), r"\A#\s?(\d{1,6})\Z"):
            return number
    return ""


def _author(frame: Frame) -> str:
    return frame.text(
        ".postprofile .username", ".postprofile .username-coloured", ".postprofile dt strong",
        ".postprofile dt > a:not(.avatar)",
        ".author .username", ".author .username-coloured", "p.author strong", ".author strong", "b.postauthor", ".postauthor",
        "span.name b",
        ".username", ".username-coloured", "span.name",
    )  # fmt: skip


def _author_id(frame: Frame) -> str:
    links = frame.all(
        ".postprofile a[href], .author a[href], .postauthor a[href], td.profile a[href], a.username, "
        "a.username-coloured, a[href*='u=']"
    )
    return linked_number(links, r"[?&;]u=(\d{1,18})", r"/user/(\d{1,18})", r"-u(\d{1,18})\.html")


def _at(frame: Frame) -> str:
    if said := frame.said("datetime", ".author time", ".postbody time", "time"):
        return said
    # of phpBB 2, where an account tells when it was made
    for node in frame.all(".postdetails") if frame.body.tag == "td" else ():
        if found := _CLOCK.search(words(node)):
            return found[1]
    for selector in (
        "p.author",
        ".author",
        ".date",
        "div.date strong",
        "td.gensmall",
        ".postdetails",
        "td",
        "p",
    ):
        for node in frame.all(selector):
            said = words(node)
            found = _STAMP.search(said)
            if found and _DATED.search(found[1]):
                return found[1]
    return ""


def _edited(frame: Frame) -> str:
    for selector in (
        ".notice",
        "span.gensmall",
        "td.gensmall i",
        ".edited",
        ".postedit",
        "em",
        "span.postbody + span",
    ):
        for node in frame.all(selector):
            said = words(node)
            if "post_deleted_msg" in attribute(node, "class") or len(said) < 12 or not _DATED.search(said):
                continue
            if selector == ".notice" or re.search(
                r"edit|geändert|modif|bewerkt|zmien|redig|muokan|Изменен", said, re.IGNORECASE
            ):
                found = _EDITED_AT.search(said)
                return found[1] if found else said
    if frame.body.tag == "td":  # of phpBB 2: the note stands in the cell of the text, behind it
        for node in frame.body.css("span.gensmall"):
            if _DATED.search(said := words(node)) and (found := _EDITED_AT.search(said)):
                return found[1]
    return ""


def _topic(tree: LexborHTMLParser) -> str:
    said = canonical(tree)
    if number := digits(said, r"[?&;]t=(\d{1,18})") or digits(said, r"-t(\d{1,18})(?:-\d+)?\.html"):
        return number
    links = tree.css(
        "h2.topic-title a, #page-body h2 a, #pageheader h2 a, a.maintitle, .topic-title a, a.titles"
    )
    return linked_number(links, r"[?&;]t=(\d{1,18})", r"/topic/(\d{1,18})", r"-t(\d{1,18})(?:-\d+)?\.html")


def _pages(tree: LexborHTMLParser) -> tuple[int, int]:
    found = page_of(tree, ".pagination", ".page-number", ".gensmall", ".nav", "td")
    return (
        found
        if found != (1, 1)
        else page_between(
            tree,
            ".pagination .active, .pagination strong",
            ".pagination a, .pagination .active, .pagination strong",
        )
    )


MARKUP: Final = Markup(
    software=PHPBB,
    signs=(
        "body#phpbb, .postbody, span.postbody, a[href*='viewtopic.php'], "
        "meta[name=copyright][content*='phpBB']"
    ),
    bodies=(
        "div.postbody div.content, .post .content, [id^='post_content'] .content, .post-content .content, "
        "div.postbody .post-text,"
        " td div.postbody, td.postbody, td:not(:has(> div.postbody)):has(> span.postbody), td:has(> div > "
        "span.postbody),"
        " td > span.postbody:first-of-type, td > div > span.postbody"
    ),
    frames="div.post, article.post, .post[id^='p'], table.tablebg, [id^='p'][class*='post'], .postrow",
    names=(".post[id^='p']", "id"),
    left_out=(
        "div.postbody ~ span.postbody, td > div.postbody ~ div.postbody, "
        "tr:has(> td > span.postbody) + tr > td[colspan]:has(> span.postbody), .post.deleted, "
        ".post-deleted, #topicreview, .topicreview, #preview, .search, .sticky-notice"
    ),
    id=_id,
    number=_number,
    author=_author,
    author_id=_author_id,
    at=_at,
    edited=_edited,
    signature=".signature, [id^='sig'], span.postbody",
    title=(
        "h2.topic-title, #page-body h2, #pageheader h2, a.titles, a.maintitle, #page-header h2, "
        "h1.topic-title"
    ),
    topic=_topic,
    pages=_pages,
)
