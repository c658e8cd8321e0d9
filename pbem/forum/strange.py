"""Whether orders on a page that nobody here knows stand where they may be somebody else's: in a box of a kind
that no table tells.

Own words of a post stand in its body as they are, in paragraphs, lists, bold letters, a box of code; a
quotation or a signature stands in something else, and under which name every theme decides. So whatever is
not plain counts as something else.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from pbem.core.regex import regex
from pbem.post.html import hypertext
from pbem.post.html.htmlquotes import GONE, HEAD, QUOTE
from pbem.post.lines import walking
from pbem.post.lines.keys import Keys

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

__all__ = ["REACH", "holds_orders", "is_known"]

_PLAIN: Final = frozenset(
    {
        "b",
        "strong",
        "u",
        "a",
        "span",
        "font",
        "br",
        "p",
        "div",
        "ul",
        "ol",
        "li",
        "pre",
        "code",
        "tt",
        "kbd",
        "img",
        "wbr",
        "center",
        "big",
    }
    | {
        "details",
        "summary",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "ins",
        "del",
        "s",
        "strike",
        "dl",
        "dd",
        "dt",
        "tbody",
    }
)
_CODE: Final = regex(
    r"code|codebox|codeblock|bbc_code|code-?(?:box|block|header|title|body|content)|codehilite|highlight"
    r"|hljs|prettyprint\w*|lang(?:uage)?-[\w+#-]{1,20}|"
    r"alt2|bbcode_code|mycode_code|ipscode|spoiler\w*|title|body|bbc_(?:list|size|color|u|link)|postlink"
    r"|text-strong|mycode_\w{1,8}",
    re.IGNORECASE,
)
_STYLE: Final = regex(
    r"\s{0,4}(?:color|font-weight|font-size|font-family|text-decoration|text-align"
    r"|line-height)\s{0,4}:[^;]{0,80};?",
    re.IGNORECASE,
)
_MOST: Final = 2_000
REACH: Final = 60
"""So many elements around one are looked at."""


def holds_orders(keys: Keys, body: LexborNode, mark: str, role: Callable[[str, dict[str, str]], str]) -> bool:
    """Tell whether orders stand in an element that is not plain; ``mark`` is the attribute that says what is
    known of one, ``role`` what that makes of its words.
    """
    if body.css_first("hr") is not None and _ordered(keys, body, role):
        return True
    looked: set[int] = set()
    for at, node in enumerate(body.traverse()):
        if at > _MOST:
            return _ordered(keys, body, role)
        above = node.parent
        if not node.is_element_node or node.mem_id == body.mem_id:
            continue
        if above is not None and above.mem_id in looked:
            looked.add(node.mem_id)  # none of its lines is one, so none is in here
        elif not _is_plain(node, mark) and not is_known(node, body, mark, deeper=False):
            if _ordered(keys, node, role):
                return True
            looked.add(node.mem_id)
    return False


def _is_plain(node: LexborNode, mark: str) -> bool:
    if node.tag not in _PLAIN:
        return False
    for name, value in node.attributes.items():
        said = value or ""
        if name == "class" and not _is_code(said.split()[:20]):
            return False
        if name == "style" and not re.fullmatch(
            rf"(?:{_STYLE.pattern}){{0,8}}\s*", said[:400], re.IGNORECASE
        ):
            return False
        if name == "id":
            return False
    return True


def _is_code(names: list[str]) -> bool:
    """Tell whether the classes of an element are those of a box of code, or say nothing of whose words are in
    it.
    """
    return any(one.lower() in ("code", "codebox", "codeblock", "bbc_code") for one in names) or all(
        map(_CODE.fullmatch, names)
    )


def is_known(node: LexborNode, body: LexborNode, mark: str, *, deeper: bool) -> bool:
    """Tell whether an element is, or stands in, one that is known to hold somebody else's words, or that is
    left out.

    ``deeper`` is the answer for one that stands too deep in a body to look at all that is around it.
    """
    near: LexborNode | None = node
    for _ in range(REACH):
        if near is None or near.mem_id == body.mem_id:
            return False
        if near.attrs.get(mark) in (QUOTE, HEAD, GONE) or (
            near.tag == "blockquote" and near.attrs.get(mark) is None
        ):
            return True
        near = near.parent
    return deeper


def _ordered(keys: Keys, node: LexborNode, role: Callable[[str, dict[str, str]], str]) -> bool:
    """Tell whether a line in an element that is not known to be quoted has the form of an order or of a key
    of orders.
    """
    for line in hypertext.lines(node.inner_html or "", role)[0]:
        if line.quoted:
            continue
        text = line.text.strip()
        key = keys.head(text)[0]
        if key or (walking.is_item(text) and keys.resembles(text)) or keys.sentence(text):
            return True
    return False
