"""Where things stand on pages of vBulletin 3.8, 4.2 and 5 to 6."""

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
    link_number,
    linked_number,
    page_between,
    page_of,
    words,
)
from pbem.forum.thread import VBULLETIN

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

_DATED: Final = regex(r"\d{1,2}:\d{2}")


def _id(frame: Frame) -> str:
    for said in (frame.around("data-node-id"), frame.around("id")):
        if number := digits(said, r"\A(?:td_post_|post_message_|post_|post|edit)?(\d{1,18})\Z"):
            return number
    for node in frame.all("[id^='post'], a[name^='post'], [data-node-id]"):
        said = attribute(node, "data-node-id") or attribute(node, "id") or attribute(node, "name")
        if number := digits(said, r"\A(?:post_message_|post_|post|postcount|postmenu_)?(\d{1,18})\Z"):
            return number
    return ""


def _number(frame: Frame) -> str:
    for node in frame.all(
        "a[id^='postcount'], a.postcounter, .postcounter, .b-post__count, .nodecontrols a, td.thead a"
    ):
        number = digits(words(node), r"\A#\s?(\d{1,6})") or digits(attribute(node, "name"), r"\A(\d{1,6})\Z")
        if number:
            return number
    return ""


def _author(frame: Frame) -> str:
    return frame.text(
        "a.bigusername", ".username_container a.username", ".username_container .username", ".userinfo .username",
        ".b-userinfo .author a", ".author [itemprop='name']", "[itemprop='author'] [itemprop='name']", ".author a", ".author", ".username",
        "[id^='postmenu_']", ".guest",
    )  # fmt: skip


def _author_id(frame: Frame) -> str:
    if said := frame.said("data-userid", ".b-userinfo a", ".author a", ".b-avatar") or frame.said(
        "data-vbnamecard", ".author a", "a[data-vbnamecard]"
    ):
        return digits(said)
    links = frame.all("a.bigusername, a.username, .author a, .userinfo a, .b-userinfo a, [id^='postmenu_'] a")
    return linked_number(
        links,
        r"[?&;]u=(\d{1,18})",
        r"member\.php[?/](\d{1,18})",
        r"members?/(\d{1,18})",
        r"members/[^/]*?-?(\d{1,18})(?:\.html|/|\Z)",
    )


def _at(frame: Frame) -> str:
    if said := frame.said("datetime", "time[itemprop='dateCreated']", ".b-post__timestamp time", "time"):
        return said
    for selector in (
        "[itemprop='dateCreated']",
        ".postdate .date",
        ".postdate",
        "td.thead",
        ".b-post__timestamp",
        ".date",
        "[id^='post'] .smallfont",
    ):
        for node in frame.all(selector):
            said = words(node)
            if _DATED.search(said) and len(said) < 60:
                return said
    return ""


def _edited(frame: Frame) -> str:
    for node in frame.all(
        ".lastedited, .postbody .lastedited, .b-post__edited, .js-post-edit-info, .post-edited, "
        ".edited-info, .smallfont em, .smallfont i"
    ):
        said = words(node)
        if re.search(r"\d", said) and len(said) > 8:
            return said.partition(";")[2].strip() or said
    return ""


def _topic(tree: LexborHTMLParser) -> str:
    said = canonical(tree)
    found = link_number(
        (said,),
        r"[?&;]t=(\d{1,18})",
        r"showthread\.php[?/](\d{1,18})",
        r"threads/(\d{1,18})-",
        r"/(\d{3,18})-[^/]*(?:/page\d+)?\Z",
        r"-(\d{3,18})(?:-page\d+)?\.html",
    )
    if found:
        return found
    if number := digits(
        attribute(
            tree.css_first("[data-channel-id][data-node-id], #thread-view-tab[data-node-id]"), "data-node-id"
        )
    ):
        return number
    links = tree.css(
        "td.navbar a, .threadtitle a, a[href*='newreply'], a[href*='printthread'], a[href*='showthread']"
    )[:40]
    return linked_number(links, r"[?&;]t=(\d{1,18})", r"showthread\.php[?/](\d{1,18})")


def _pages(tree: LexborHTMLParser) -> tuple[int, int]:
    now, most = tree.css_first("input.js-pagenum, .pagenav-form .textbox"), tree.css_first(".pagetotal")
    if now is not None and most is not None:
        first, last = digits(attribute(now, "value")), digits(words(most))
        if first and last and int(first) <= int(last):
            return int(first), int(last)
    found = page_of(tree, "td.vbmenu_control", ".pagination .popupctrl", ".pagination", ".pagenav")
    return (
        found
        if found != (1, 1)
        else page_between(
            tree,
            ".pagenav .selected, .arrow.right-arrow.active, .js-pagenav-button.primary",
            ".pagenav a, .js-pagenav-button",
        )
    )


MARKUP: Final = Markup(
    software=VBULLETIN,
    signs=(
        "meta[name=generator][content*='vBulletin'], [id^='post_message_'], li.b-post, "
        ".js-post__content-text, "
        "blockquote.postcontent, html[xmlns] #vbmenu"
    ),
    bodies="[id^='post_message_'] blockquote.postcontent, [id^='post_message_'], blockquote.postcontent, .js-post__content-text,"
    " li.postbit .content > blockquote.restore",
    frames=(
        "li.postcontainer, li.postbit, li.postbitlegacy, li.b-post, .js-post, table[id^='post'], "
        "div.postbit, li[id^='post_']"
    ),
    names=("table[id^='post'], li.postcontainer, li.b-post > a[id^='post']", "id"),
    left_out=(
        ".lastedited, .after_content, .postbitdeleted, .postbitignored.deleted, .b-post--deleted, "
        ".b-post__deleted, .preview, "
        ".b-post--comment .b-post--quoted"
    ),
    id=_id,
    number=_number,
    author=_author,
    author_id=_author_id,
    at=_at,
    edited=_edited,
    signature="blockquote.signature, .signature, .post-signature, .b-post__signature, .signaturecontainer",
    title=".threadtitle a, .threadtitle, h1.main-title, .js-main-title, td.navbar strong, #pagetitle h1, h1",
    topic=_topic,
    pages=_pages,
)
