"""The lines of one post: whose words each element of its body holds, in the markup of every forum that is
known here.

It decides about elements only; runs of blanks, lists and lines are decided in ``post/hypertext``, whose words
a line is that no markup tells in ``post/quoting``. All forums stand in one table: threads move from one
software to the next and keep their old markup, and the names of the classes do not meet. In doubt it is a
quotation.

Theory of operation. The elements of a body that mean something are marked with an attribute, which nobody
else can have set, for it is taken away first; then the body is written as HTML again and read in one pass.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from pbem.core.regex import regex
from pbem.forum import strange
from pbem.post.html import hypertext
from pbem.post.html.htmlquotes import FLAT, GONE, HEAD, PICTURE, PLAIN, QUOTE, SHOWN
from pbem.post.lines.keys import Keys
from pbem.post.lines.message import Line

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

LONGEST: Final = 600_000
"""How many characters of the markup of one post are read: forums allow 60,000 of text."""
MOST_BOXES: Final = 40
"""How many boxes of code of one post are looked at."""
MOST_LINES: Final = 500
"""How many lines a box of orders has at most."""
_BOXES: Final = (
    "pre, dl.codebox > dd, .codecontent, td.code, code.bbc_code, .bbCodeBlock--code .bbCodeBlock-content"
)
_MARK: Final = "data-pbem-role"
_KNOWN: Final = frozenset({QUOTE, HEAD, GONE, SHOWN, FLAT, PICTURE})
_NO_ROLE: Final = "none"

_QUOTES: Final = ", ".join(
    (
        "blockquote",
        ".bbCodeBlock--quote, .bbCodeQuote, .bbCodeBlock--unfurl",  # XenForo
        # phpBB 2, subsilver2, and what came from SMF
        ".quotecontent, .quotetitle, td.quote, dl.quotebox, .bbc_quote, .quoteheader",
        # vBulletin
        ".bbcode_quote, .quote_container, .bbcode_postedby, .bbcode_container > .message, "
        "td.alt2[style*='inset'], fieldset",
        "aside.quote, aside.onebox, .onebox, .onebox-body, details.elided",  # Discourse
        # others, in threads that were moved
        ".ipsQuote, .citation, .quotemain, .quotetop, .mycode_quote, .quoteBox, .quote-by",
        ".quote:not(code):not(pre)",
    )
)
_PLAIN: Final = ", ".join(
    (
        ".bbCodeBlock--quote > blockquote, blockquote.quoteContainer, blockquote.quoteContainer > .quote, "
        "aside.quote > blockquote",
        "aside.onebox > .onebox-body, .bbcode_quote > .quote_container, .quote_container > "
        ".bbcode_postedby, .postcontent, .messageText",
    )
)
"""A second element for the same quotation.

No selector here looks further up than one level: that takes time with the depth of a page.
"""
_HEADS: Final = "blockquote > cite, blockquote > div > cite, .bbCodeBlock-sourceJump"
_GONE: Final = ", ".join(
    (
        "button, input, select, textarea, form, noscript, iframe, object, embed, audio, video, svg, template",
        ".bbCodeBlock--code > .bbCodeBlock-title, .bbCodeCode > .type, .bbCodeBlock--spoiler > "
        ".bbCodeBlock-title, .bbCodePHP > .type,"
        " .bbCodeHtml > .type, .bbCodeBlock-expandLink, .bbCodeBlock-shrinkLink, .quoteExpand, "
        ".bbCodeSpoiler-button, .bbCodeSpoilerButton,"
        " .ToggleTriggerAnchor > button, .messageTextEndMarker, .js-selectToQuoteEnd, .message-lastEdit, "
        ".message-attachments,"
        " .attachedFiles, .editDate, .message-signature, .messageNotices, .warningNotice, .likesSummary, "
        ".reactionsBar, .samCodeUnit,"
        " .bbMediaWrapper",
        "dl.codebox > dt, .codebox > p, .codetitle, .codehead, dl.attachbox, .attachbox, "
        ".inline-attachment, dl.file, dl.thumbnail,"
        " .signature, .notice, .rules, .attachtitle, .attachcontent, .back2top",
        ".bbcode_description, .bbcode_quote_container, .attachments, .lastedited, .spoiler_head, "
        ".spoilerHeader, .after_content,"
        " .inline-attachments, .b-bbcode__see-more",
        ".quote-controls, .quote-title__quote-controls, .codeblock-button-wrapper, .copy-cmd, "
        ".fullscreen-cmd, a.lightbox > .meta,"
        " .poll, .embedded-posts, .cooked-selection-barrier, .post-notice, .post-controls, "
        ".badge-notification.clicks, .image-source-link,"
        " .reply-to-tab, .anchor",
        "[component='post/signature'], .post-signature, .moderator-note, small.post-author, "
        "[component='post/parent'], .bookmarked,"
        " [component='post/edit-indicator'], [component='post/editor'], a.permalink, "
        "[component='user/status']",
        # what stands below a body, in it only where a tag was not closed
        "[component='post/footer'], .post-footer, .message-footer, .message-actionBar, .postfoot, "
        ".js-post__footer, .b-post__footer,"
        " .post-menu-area, .post-actions, .messageMeta, .postprofile, .message-cell--user, "
        ".messageUserInfo, .textcontrols",
        "ins.adsbygoogle, .ad, .ads, .advert, .advertisement, .banner, [id^='div-gpt-ad'], "
        "[id^='google_ads'], [class*='adsense']",
        "a[href*='/attachments/'], a[href*='attachment.php'], a[href*='download/file.php'], a.attachment",
        "[style*='line-through']",
    )
)
_FLAT: Final = (
    "dl.codebox > dd, pre, code, .codecontent, .codebox, td.code, .bbCodeBlock, .bbCodeBlock-content, "
    ".bbcode_container"
)
_PICTURES: Final = (
    "img.smilie, img.mceSmilie, img.mceSmilieSprite, img[class*='smilie'], img[class*='smiley'], img.emoji, "
    "img[class*='emoji'],"
    " img.inlineimg, img[src*='smilies'], img[src*='smiley'], img[src*='/smiles/'], img[src*='emoji']"
)
_SPOILED: Final = regex(r"spoil|hide|hidden|collaps|toggle|expand|details|accordion|fold", re.IGNORECASE)
_UNSHOWN: Final = regex(r"display\s{0,5}:\s{0,5}none", re.IGNORECASE)
_LABEL: Final = regex(r"\A[^\n]{0,80}[:：](?:[^\n]{0,60})\Z")
_NAMED: Final = regex(
    r"\A(?:bb|my|post|block|forum|msg)?[-_]?(?:bbcode[-_]?)?quot(?:e|ed|ation)[-_]?"
    r"(?:div|body|text|box|block|content|message|msg|main|wrap|wrapper"
    r"|container|inner|area|td|cell|table)?\Z",
    re.IGNORECASE,
)
"""What themes call the boxes of their quotations.

A word of it alone is not enough: buttons are called so too.
"""
_SPOILER: Final = regex(r"spoil|спойлер|スポイラー", re.IGNORECASE)
_OTHERS: Final = regex(
    r"\A\s*(?:Originally posted by|Zitat von|Сообщение от|Envoyé par|Citation de"
    r"|Originariamente (?:inviato|scritto)|"
    r"Originalmente escrito|Iniciado por|Oorspronkelijk|Ursprungligen|Opprinnelig|Napisał|Původně)\b",
    re.IGNORECASE,
)
"""What stands first in a quotation of vBulletin, whatever the theme makes of its frame."""
_SAID: Final = regex(r"\A\s*@?\S[^\n]{0,120}\b\S{1,20}[^\n]{0,120}[:：]\s*\Z")


def lines(body: LexborNode) -> tuple[tuple[Line, ...], bool]:
    """Return the lines of a body as its reader sees them, and whether that is all of it."""
    if len(body.inner_html or "") > LONGEST:
        return (), False
    _mark(body)
    found, whole = hypertext.lines(body.inner_html or "", role)
    return (_boxed(found, body) if whole else found), whole


def is_strange(keys: Keys, body: LexborNode) -> bool:
    """Tell whether orders stand in a box of a body, read before by ``lines``, of which no table tells whose
    words it holds.
    """
    return strange.holds_orders(keys, body, _MARK, role)


def _boxed(found: tuple[Line, ...], body: LexborNode) -> tuple[Line, ...]:
    """Return the lines with those marked that stand in a box of code of the writer's own; a box that is not
    found again is none.
    """
    out = list(found)
    texts = [line.text.strip() for line in out]
    at = boxes = 0
    last: LexborNode | None = None
    for node in body.css(_BOXES):
        if boxes >= MOST_BOXES or node.mem_id == body.mem_id:
            continue
        if (last is not None and _is_inside(node, last)) or strange.is_known(node, body, _MARK, deeper=True):
            continue
        last = node
        inside = (
            [line.text.strip() for line in hypertext.lines(node.inner_html or "", role)[0]]
            if node.tag != "pre"
            else []
        )
        inside = inside or [
            line.text.strip() for line in hypertext.lines(f"<pre>{node.inner_html or ''}</pre>", role)[0]
        ]
        while inside and not inside[-1]:
            inside.pop()
        if not inside or len(inside) > MOST_LINES:
            continue
        start = next(
            (
                one
                for one in range(at, len(texts))
                if texts[one] == inside[0] and texts[one : one + len(inside)] == inside
            ),
            -1,
        )
        if start >= 0 and not any(out[one].quoted for one in range(start, start + len(inside))):
            boxes, at = boxes + 1, start + len(inside)
            out[start:at] = [replace(line, box=boxes) for line in out[start:at]]
    return tuple(out)


def _is_inside(node: LexborNode, around: LexborNode) -> bool:
    near = node.parent
    for _ in range(strange.REACH):
        if near is None:
            return False
        if near.mem_id == around.mem_id:
            return True
        near = near.parent
    return False


def role(tag: str, attributes: dict[str, str]) -> str:
    """Return what a marked element is to the words in it."""
    if not attributes:
        return QUOTE if tag == "blockquote" else PLAIN
    mark = attributes.get(_MARK, "")
    if mark in _KNOWN:
        return mark
    return QUOTE if tag == "blockquote" and not mark else PLAIN


def _mark(body: LexborNode) -> None:
    """Write into each element of a body what it is."""
    for node in body.css(f"[{_MARK}]"):
        del node.attrs[_MARK]
    _set(body, _FLAT, FLAT)
    _set(body, _PICTURES, PICTURE)
    _set(body, _QUOTES, QUOTE)
    _set(body, _PLAIN, _NO_ROLE)
    _set(body, _HEADS, HEAD)
    _set(body, "pre.quote, code.quote", FLAT)
    _boxed_spoilers(body)
    _by_name(body)
    for node in body.css("[style*='isplay'], [style*='ISPLAY']"):
        if _UNSHOWN.search(_said(node, "style")) and _is_spoiler(node, body):
            node.attrs[_MARK] = QUOTE if node.attrs.get(_MARK) == QUOTE else SHOWN
            node.attrs["style"] = ""
    _old_boxes(body)
    for node in body.css("blockquote, aside.quote"):
        if (above := _before(node)) is not None and above.tag == "p" and _announces(above):
            above.attrs[_MARK] = HEAD
    _set(body, _GONE, GONE)
    if body.tag == "td":
        _old_cells(body)


def _old_cells(body: LexborNode) -> None:
    """Mark the boxes of phpBB 2, which are tables with a row for the heading, and its note of an edit behind
    the text.
    """
    _set(body, "span.gensmall", GONE)
    for cell in body.css("td.quote, td.code"):
        above = _before(cell.parent) if cell.parent is not None and cell.mem_id != body.mem_id else None
        if above is not None and above.tag == "tr":
            above.attrs[_MARK] = QUOTE if cell.attrs.get(_MARK) == QUOTE else GONE


def _set(body: LexborNode, selector: str, mark: str) -> None:
    for node in body.css(selector):
        if node.mem_id != body.mem_id:
            node.attrs[_MARK] = mark


def _said(node: LexborNode, name: str) -> str:
    return (node.attributes.get(name) or "")[:400]


def _is_spoiler(node: LexborNode, body: LexborNode) -> bool:
    """Tell whether an element that cannot be seen can be clicked open."""
    near: LexborNode | None = node
    for _ in range(4):
        if near is None or near.mem_id == body.mem_id:
            return False
        if _SPOILED.search(_said(near, "class") + " " + _said(near, "id")):
            return True
        if (above := _before(near)) is not None and (
            above.tag in ("button", "input")
            or above.attributes.get("onclick") is not None
            or above.css_first("button, input[type=button], [onclick], .spoiler, a[href='#']") is not None
        ):
            return True
        near = near.parent
    return False


def _before(node: LexborNode) -> LexborNode | None:
    """Return the element right in front of one, unless words stand between."""
    above = node.prev
    for _ in range(6):
        if above is None:
            return None
        if above.is_element_node and above.tag != "br":
            return above
        if above.is_text_node and (above.text() or "").strip():
            return None
        above = above.prev
    return None


def _announces(node: LexborNode) -> bool:
    """Tell whether a paragraph above a quotation only says whose words follow: ``@ada said in Turn 4:``."""
    said = (node.text() or "")[:260].strip()
    if len(said) > 250 or not said.endswith((":", "：")) or "\n" in said:
        return False
    named = (
        said.startswith("@")
        or node.css_first("a[href*='/user/'], a[href*='/post/'], a[href*='/u/'], a.mention") is not None
    )
    return named and _SAID.match(said) is not None


def _old_boxes(body: LexborNode) -> None:
    """Mark the boxes of vBulletin 3, which have headings without a name: ``Quote:``,
    ``Code:``, ``Spoiler:``.
    """
    for node in body.css("div.smallfont"):
        below = node.next
        while below is not None and not below.is_element_node:
            below = below.next
        if below is None or not _LABEL.match((node.text(deep=False) or "").strip()[:200]):
            continue
        node.attrs[_MARK] = GONE
        if (
            (above := node.parent) is not None
            and above.mem_id != body.mem_id
            and above.tag == "div"
            and above.attrs.get(_MARK) is None
        ):
            above.attrs[_MARK] = FLAT
        if below.tag == "table" and not _is_control(node):  # code stands in a ``pre``, a spoiler in a ``div``
            _quote_cell(below)
    for cell in body.css("td"):
        if cell.attrs.get(_MARK) is None and _OTHERS.match(_first_words(cell)):
            cell.attrs[_MARK] = QUOTE


def _quote_cell(table: LexborNode) -> None:
    """Mark what a table holds as quoted, once: themes give the frame of a quotation any style."""
    cell = table.css_first("td")
    if cell is None:
        table.attrs[_MARK] = QUOTE
    elif cell.attrs.get(_MARK) != GONE:
        cell.attrs[_MARK] = QUOTE


def _by_name(body: LexborNode) -> None:
    """Mark the boxes that a theme calls quotations, unless they stand in one that is known."""
    for node in body.css("[class*='quot'], [class*='Quot']"):
        if (
            node.mem_id == body.mem_id
            or node.attrs.get(_MARK) is not None
            or not any(map(_NAMED.match, _said(node, "class").split()[:20]))
        ):
            continue
        near, known = node.parent, False
        for _ in range(6):
            if near is None or near.mem_id == body.mem_id:
                break
            known = known or near.attrs.get(_MARK) == QUOTE
            near = near.parent
        if not known:
            node.attrs[_MARK] = QUOTE


def _boxed_spoilers(body: LexborNode) -> None:
    """Read the spoilers that many boards made of the box of a quotation: one's own words, hidden below a
    button that says so.
    """
    for box in body.css(".quotecontent"):
        inside = box.child
        while inside is not None and not inside.is_element_node:
            inside = inside.next
        title = _before(box)
        if inside is None or title is None or not _is_control(title):
            continue
        says = [
            _first_words(title),
            _said(inside, "class"),
            *(_said(one, "value") for one in title.css("input")[:4]),
        ]
        if box.parent is not None:
            says.append(_said(box.parent, "class"))
        if _UNSHOWN.search(_said(inside, "style")) and _SPOILER.search(" ".join(says)):
            box.attrs[_MARK] = FLAT
            title.attrs[_MARK] = GONE
            if (
                (frame := box.parent) is not None
                and frame.mem_id != body.mem_id
                and frame.attrs.get(_MARK) is None
            ):
                frame.attrs[_MARK] = FLAT


def _first_words(node: LexborNode) -> str:
    """Return the words an element begins with; not all of them, for elements lie in each other."""
    said = ""
    for at, inner in enumerate(node.traverse(include_text=True)):
        if at >= 40 or len(said) >= 200:
            break
        if inner.is_text_node:
            said += (inner.text() or "")[:200]
    return said.strip()


def _is_control(node: LexborNode) -> bool:
    """Tell whether there is something to click in an element that opens what follows."""
    return (
        node.css_first("input[type=button], button, [onclick], a[href='#'], a[href^='javascript:']")
        is not None
    )
