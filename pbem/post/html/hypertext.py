"""Turns HTML into the lines a person sees, each with how deep it stands in somebody else's words.

Blocks and breaks end lines, runs of blanks are one unless the page keeps them, no-break spaces are spaces (it
is how editors write several), cells of a row stand side by side, what is hidden or struck out is left out. An
item of a list begins with ``- ``, of a numbered list too: the number is the program's and not its writer's,
and a list of orders has dashes. Margins that move a block to the right become spaces, counted from the least
moved line. Where markup says that a signature begins, a line ``-- `` is put in front of it.

Theory of operation. One pass over flat tokens with a stack of open elements; nothing calls itself, and every
step that looks back takes away what it looks at or is bounded by a count of open elements, so the work grows
with the length of the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from msgspec import Struct, field

from pbem.core.regex import regex
from pbem.post.html import htmlquotes, htmlsheets, htmltokens
from pbem.post.html.htmlquotes import FLAT, FRAME, GONE, HEAD, INDENT, PICTURE, QUOTE, REST, SHOWN, SIGNATURE
from pbem.post.html.htmlrows import Rows, Setting
from pbem.post.lines.message import Line

_BLOCKS: Final = frozenset(
    re.findall(
        r"\S+",
        "address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure "
        "footer form h1 h2 h3 h4 h5 h6"
        " header hr legend li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul "
        "caption listing",
    )
)
_SPACED: Final = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6"})
_SCOPES: Final = frozenset({"table", "td", "th", "caption", "blockquote"})
_VOID: Final = frozenset(
    {
        "area",
        "base",
        "basefont",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    }
)
_AROUND: Final = frozenset({"html", "head", "body"})
_LISTS: Final = frozenset({"ul", "ol", "dir", "menu"})
_CELLS: Final = frozenset({"td", "th"})
_STRUCK: Final = frozenset({"s", "strike", "del"})
"""What somebody struck out does not count."""
_MOVED: Final = frozenset({"div", "p", "span", "section", "blockquote", "pre"})
_KEEPS: Final = {
    "pre": "pre",
    "pre-wrap": "pre",
    "break-spaces": "pre",
    "pre-line": "lines",
    "normal": "",
    "nowrap": "",
}
_LENGTH: Final = regex(r"(-?\d{0,6}\.?\d{1,6})(px|pt|em|rem|in|cm|mm|ex|ch)?")
_PIXELS: Final = {
    "px": 1.0,
    "pt": 1.333,
    "em": 16.0,
    "rem": 16.0,
    "in": 96.0,
    "cm": 37.8,
    "mm": 3.78,
    "ex": 8.0,
    "ch": 8.0,
}
_FAR_OFF: Final = regex(r"-\d{3}(?:\d|r?em)")
_NOUGHT: Final = regex(r"0(?:\.0+)?(?:[a-z%]|\s|\Z)")
_HEADING: Final = regex(r"[ \t]*[^\s:<>]{1,20}(?: [^\s:<>]{1,20})? ?: ?\S")
_TIGHT: Final = regex(
    r"(?i)(?:^|[\s,>{};])p(?:\.msonormal[^{}]{0,80})?\s{0,20}\{\s{0,20}margin(?:-top)?\s{0,9}:\s{0,9}0"
)
_FLOWING: Final = ("", INDENT, GONE, SHOWN, PICTURE)
"""Roles that begin no line of their own."""
_HEAD: Final = 20_000
_REACH: Final = 50


class _Element(Struct):
    """An open element: how the text in it is set, and what is open in it."""

    tag: str
    setting: Setting
    role: str = ""
    block: bool = False
    written: bool = False  # something can be seen in it
    rest: bool = False  # all that follows in it is quoted
    spaced: bool = False  # an empty line stands above and below it
    headed: bool = False  # it is a frame and begins with who wrote what
    begins: int = 0  # the number of its first line
    # how many inline elements of a name are open right in this block
    inline: dict[str, int] = field(default_factory=dict)
    # how many blocks are open in this table, cell or quotation
    scope: dict[str, int] = field(default_factory=dict)


Role = Callable[[str, dict[str, str]], str]


def lines(page: str, role: Role = htmlquotes.role) -> tuple[tuple[Line, ...], bool]:
    """Return the lines of a page, numbered from 1, and whether that is all of it; ``role`` tells what an
    element is to the words in it.
    """
    walk = _Walk(bool(_TIGHT.search(page[:_HEAD])), role, htmlsheets.unseen(page, _is_out_of_sight))
    whole = True
    for kind, said, attributes in htmltokens.tokens(page):
        if kind == htmltokens.TEXT:
            walk.text(said)
        elif kind == htmltokens.OPEN:
            walk.open(said, attributes)
        elif kind == htmltokens.CLOSE:
            walk.close(said)
        else:
            whole = False
        if walk.rows.full:
            whole = False
            break
    while len(walk.stack) > 1:
        walk.pop()
    return walk.rows.lines(), whole


class _Walk:
    """The elements that are open.

    ``blocks`` and ``scopes`` are those of the stack that are blocks and scopes.
    """

    __slots__ = ("answered", "blocks", "items", "role", "rows", "scopes", "stack", "tight", "unseen")

    def __init__(self, tight: bool, role: Role, unseen: frozenset[str]) -> None:
        self.tight = tight  # the page says that paragraphs have no empty line between them
        self.unseen = unseen  # selectors of what its style sheet hides or strikes out
        self.role = role
        self.answered = False  # a frame was given back to its writer
        root = _Element("html", Setting(), block=True)
        self.rows = Rows()
        self.stack = [root]
        self.blocks = [root]
        self.scopes = [root]
        self.items = [0]  # open items of each open list

    def text(self, text: str) -> None:
        """Take a text."""
        if self.rows.text(text, self.stack[-1].setting):
            for element in reversed(self.stack):
                if element.written:
                    break
                element.written = True

    # --- opening

    def open(self, tag: str, attributes: dict[str, str]) -> None:
        """Take an opening tag."""
        above = self.stack[-1]
        if tag == "br":
            if not above.setting.hidden:
                self.rows.line_break(above.setting.quoted)
            return
        role = self.role(tag, attributes)
        if role == PICTURE and tag == "img":
            self.text(attributes.get("alt") or attributes.get("title") or "")
        if tag in _VOID or tag in _AROUND:
            self.pass_by(tag, role, above)
            return
        declared = htmlquotes.style(attributes["style"]) if attributes.get("style") else {}
        if tag in _BLOCKS:
            self.imply(tag)
            above = self.stack[-1]

        around = above.setting
        hidden = around.hidden or role == GONE or self.is_hidden(tag, attributes)
        if role == GONE and tag in _BLOCKS and not around.hidden:
            self.rows.end()
        setting = Setting(around.quoted, around.keeps, hidden, around.indent, around.depth, around.tiny)
        element = _Element(
            tag, setting, role, tag in _BLOCKS or role not in _FLOWING, begins=len(self.rows.rows)
        )
        if declared:
            _styled(element, declared)
        if role == SHOWN:
            setting.hidden = around.hidden
        if element.block:
            self.open_block(element, declared)
        else:
            inline = self.blocks[-1].inline
            inline[tag] = inline.get(tag, 0) + 1
        self.stack.append(element)
        if role == REST and not setting.hidden:
            self.rest(above)

    def pass_by(self, tag: str, role: str, above: _Element) -> None:
        """Take a tag in which nothing stands, or that only stands round others."""
        if not above.setting.hidden and (tag == "hr" or role == REST):
            self.rows.end()
            if role == REST:
                self.rest(above)

    def is_hidden(self, tag: str, attributes: dict[str, str]) -> bool:
        """Tell whether a tag itself says that nobody sees what stands in it, or that it is struck out."""
        if "hidden" in attributes or tag in _STRUCK:
            return True
        return bool(self.unseen and htmlsheets.matches(self.unseen, tag, attributes))

    def open_block(self, element: _Element, declared: dict[str, str]) -> None:
        """Begin a block: a new line, and whatever the block is besides."""
        tag = element.tag
        if tag in _LISTS:
            element.setting.depth += 1
            self.items.append(0)
        elif tag == "li":
            element.setting.depth = max(1, element.setting.depth)
            self.items[-1] += 1
        if not element.setting.hidden:
            self.begin(element, declared)
        if element.role in (QUOTE, HEAD, FRAME):
            element.setting.quoted += 1
        scope = self.scopes[-1].scope
        scope[tag] = scope.get(tag, 0) + 1
        if tag in _SCOPES or element.role in (QUOTE, FRAME):
            self.scopes.append(element)
        self.blocks.append(element)

    def begin(self, element: _Element, declared: dict[str, str]) -> None:
        """Begin the line of a block that can be seen."""
        tag, rows = element.tag, self.rows
        if tag in _CELLS:
            rows.begin_cell()
            element.begins = len(rows.rows)
        elif tag == "tr" or not rows.cell:
            rows.end()
            rows.cell = False
            element.begins = len(rows.rows)
        if tag in _SPACED:
            element.spaced = not (self.tight and tag == "p") and not _is_tight(element, declared)
            rows.gap = rows.gap or element.spaced
        elif tag in ("pre", "listing"):
            element.setting.keeps = element.setting.keeps if "white-space" in declared else "pre"
        elif tag == "li":
            rows.marker = "none" not in declared.get("list-style", "") + declared.get("list-style-type", "")
        elif tag == "dd" and element.role != FLAT:
            element.setting.indent += 40.0
        if tag == "p" and "level" in declared.get("mso-list", ""):
            rows.marker = True
        if element.role == SIGNATURE:
            rows.end()
            element.begins = len(rows.rows)

    def imply(self, tag: str) -> None:
        """Close what a block of this kind ends without saying so."""
        if self.scopes[-1].scope.get("p"):
            self.close_to("p")
        if tag == "li" and self.items[-1]:
            self.close_to("li")
        elif tag in _CELLS or tag == "tr":
            if self.scopes[-1].tag in _CELLS:
                self.close_to(self.scopes[-1].tag)
            if tag == "tr" and self.scopes[-1].scope.get("tr"):
                self.close_to("tr")
        elif tag in ("dt", "dd"):
            for item in ("dt", "dd"):
                if self.scopes[-1].scope.get(item):
                    self.close_to(item)

    # --- closing

    def close(self, tag: str) -> None:
        """Take a closing tag; one that fits nothing open here is left alone."""
        if tag == "br":
            self.open(tag, {})
        elif tag not in _BLOCKS and self.blocks[-1].inline.get(tag):
            while self.pop().tag != tag:
                pass
        elif (
            self.scopes[-1].scope.get(tag)
            or self.scopes[-1].tag == tag
            or (tag in _SCOPES and self.is_in_reach(tag))
        ):
            self.close_to(tag)

    def is_in_reach(self, tag: str) -> bool:
        """Tell whether a table, a cell or a quotation is open that its closing tag may close: none closes one
        around its cell.
        """
        for scope in reversed(self.scopes[-_REACH:]):
            if scope.tag == tag:
                return True
            if scope.tag in ("table", "caption") or (scope.tag in _CELLS and tag != "table"):
                return False
        return False

    def close_to(self, tag: str) -> None:
        """Close open elements up to the first of that name."""
        while len(self.stack) > 1:
            if self.pop().tag == tag:
                return

    def pop(self) -> _Element:
        """Close the innermost element."""
        element, rows = self.stack.pop(), self.rows
        tag = element.tag
        if not element.block:
            self.blocks[-1].inline[tag] -= 1
            return element
        self.blocks.pop()
        if self.scopes[-1] is element:
            self.scopes.pop()
        self.scopes[-1].scope[tag] -= 1
        if not element.setting.hidden:
            if rows.line and self.is_single_line(element):
                rows.joins = True
                rows.beside = 0 if tag in _CELLS else rows.beside
            else:
                rows.end()
            rows.gap = rows.gap or (element.spaced and element.written)

        if tag in _LISTS:
            self.items.pop()
            rows.marker = False
        elif tag == "li":
            self.items[-1] -= 1
            rows.marker = False

        if element.role == SIGNATURE:
            rows.signatures.append((element.begins, len(rows.rows)))
        elif element.role == QUOTE and tag == "blockquote":
            self.after_quote()
        elif element.role == HEAD and self.scopes[-1].role == FRAME:
            self.scopes[-1].headed = True
        elif element.role == FRAME and self.answered:
            self.after_frame(element)
        return element

    def is_single_line(self, element: _Element) -> bool:
        """Tell whether what ends is a cell of one line, or all there is in one so far, so that the next cell
        can stand beside it.
        """
        cell = element if element.tag in _CELLS else self.scopes[-1]
        return cell.tag in _CELLS and cell.begins == len(self.rows.rows)

    # --- quotations

    def rest(self, above: _Element) -> None:
        """Quote all that follows at a level; a wrapper in which nothing stood before counts for nothing."""
        place = len(self.stack) - 1
        while place > 0 and self.stack[place] is not above:
            place -= 1
        while place > 0 and not (
            self.stack[place].written or self.stack[place].rest or self.stack[place].role in (QUOTE, FRAME)
        ):
            place -= 1
        quotes = not self.stack[place].rest
        self.rows.end()
        for element in self.stack[place:]:
            element.rest = True
            element.setting.quoted += quotes

    def after_quote(self) -> None:
        """Give a frame back to its writer below the quotation in it, unless it holds a forwarded letter."""
        for place in range(len(self.stack) - 1, max(0, len(self.stack) - 4), -1):
            frame = self.stack[place]
            if frame.role == FRAME:
                if not self.is_forwarded(frame):
                    self.rows.end()
                    self.answered = True
                    frame.role = ""
                    for element in self.stack[place:]:
                        element.setting.quoted -= 1
                return
            if frame.tag not in ("div", "span", "p"):
                return

    def after_frame(self, frame: _Element) -> None:
        """Give back what was typed below a quotation: Gmail puts each such line into a frame like the one it
        left.
        """
        rows = self.rows.rows[frame.begins :]
        said = [row.text for row in rows if row.text.strip()]
        if (
            frame.headed
            or self.is_forwarded(frame)
            or any(len(text) > 30 and text.rstrip().endswith(":") for text in said)
        ):
            return
        for row in rows:
            row.quoted = max(0, row.quoted - 1)

    def is_forwarded(self, frame: _Element) -> bool:
        """Tell whether a frame begins with the header of a letter and not with who wrote what."""
        first = [row.text for row in self.rows.rows[frame.begins : frame.begins + 12] if row.text.strip()]
        return bool(first) and (
            first[0].lstrip().startswith(("---", "___", "==="))
            or sum(1 for line in first[:8] if _HEADING.match(line)) >= 3
        )


def _styled(element: _Element, declared: dict[str, str]) -> None:
    """Take what a ``style`` says of the text in an element."""
    setting = element.setting
    if (space := declared.get("white-space")) is not None:
        setting.keeps = _KEEPS.get(space, setting.keeps)
    shown = declared.get("display", "")
    if _is_out_of_sight(declared) or htmlsheets.is_struck(declared):
        setting.hidden = True
    if size := declared.get("font-size", ""):
        setting.tiny = bool(_NOUGHT.match(size)) or (setting.tiny and size.endswith(("%", "em", "ex", "er")))
    if shown.startswith(("block", "flex", "table")):
        element.block = True
    if element.tag in _MOVED and element.role in ("", INDENT) and element.tag != "span":
        setting.indent += _indent(declared)
    if item := declared.get("mso-list", ""):
        if item == "ignore":
            setting.hidden = True  # the sign Word puts in front of an item
        elif level := re.search(r"level(\d)", item):
            setting.indent, setting.depth = 0.0, int(level[1])


def _is_out_of_sight(declared: dict[str, str]) -> bool:
    return declared.get("display", "") == "none" or _is_hidden(declared)


def _is_hidden(declared: dict[str, str]) -> bool:
    """Tell whether what a ``style`` belongs to cannot be seen, in one of the ways in which letters hide their
    previews.
    """
    return (
        declared.get("visibility") in ("hidden", "collapse")
        or declared.get("mso-hide") == "all"
        or declared.get("color") == "transparent"
        or any(_NOUGHT.match(declared.get(name, "")) for name in ("opacity", "max-height"))
        or (
            declared.get("overflow") == "hidden"
            and any(_NOUGHT.match(declared.get(name, "")) for name in ("height", "width", "max-width"))
        )
        or any(
            _FAR_OFF.match(declared.get(name, "")) for name in ("left", "top", "text-indent", "margin-left")
        )
    )


def _is_tight(element: _Element, declared: dict[str, str]) -> bool:
    """Tell whether a paragraph has no empty line around it."""
    margin = declared.get("margin", "")
    if margin:
        return bool(_NOUGHT.match(margin))
    return element.setting.depth > 0 or any(
        _NOUGHT.match(declared.get(name, "")) for name in ("margin-top", "margin-bottom")
    )


def _indent(declared: dict[str, str]) -> float:
    """Return by how many pixels a block is moved to the right."""
    margin = declared.get("margin", "").split()
    left = (
        margin[3] if len(margin) == 4 else margin[1] if len(margin) in (2, 3) else margin[0] if margin else ""
    )
    moved = _pixels(declared.get("margin-left", left)) + _pixels(declared.get("text-indent", ""))
    return max(0.0, moved + _pixels(declared.get("padding-left", "")))


def _pixels(value: str) -> float:
    found = _LENGTH.match(value)
    return min(1_000.0, float(found[1]) * _PIXELS.get(found[2] or "px", 1.0)) if found else 0.0
