"""The lines of a page while they grow: runs of blanks, empty lines between paragraphs, signs of list items,
cells side by side.

It knows nothing of elements; ``hypertext`` tells it what begins and ends, and with each text how it is set.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from pbem.core.regex import regex
from pbem.post.lines.message import Line

LINES: Final = 20_000
"""How many lines of a page are read."""
_SPACES: Final = regex(r"[ \t\r\n\f]+")
_ITEM: Final = regex(r"[-*•–—·][ \u00a0]+\S")
_PIXELS_A_SPACE: Final = 10
_MOST_INDENT: Final = 40
_ORDERS: Final = regex(r"\s*(?:- \S|[a-z][a-z-]{1,20}:(?:\s|\Z))")
_LONGEST_SIGNATURE: Final = 15


class Setting(Struct):
    """How a text is set: how deep it is quoted, which blanks are kept, how far it is moved to the right."""

    quoted: int = 0
    keeps: str = ""  # "pre": blanks and line ends; "lines": line ends only
    hidden: bool = False
    indent: float = 0.0  # in pixels
    depth: int = 0  # of lists
    tiny: bool = False  # of no size: hidden until something in it has one


class Row(Struct):
    """A line that is finished."""

    text: str
    quoted: int
    indent: float


class Rows:
    """The lines so far and the one that is being written."""

    __slots__ = (
        "beside",
        "cell",
        "full",
        "gap",
        "joins",
        "line",
        "marker",
        "rows",
        "setting",
        "signatures",
        "space",
    )

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.line: list[str] = []
        self.setting = Setting()  # how the line being written is set
        self.space = True  # a blank comes before what follows
        self.gap = False  # an empty line comes before what follows
        self.marker = False  # what follows begins a list item
        self.cell = False  # what follows begins a cell
        self.joins = False  # what follows stands beside the cell before it
        self.beside = 0  # at which piece of the line such a cell began that is still open
        self.signatures: list[tuple[int, int]] = []
        self.full = False

    def end(self) -> None:
        """End the line, if there is one."""
        if self.line:
            for pieces in (self.line[: self.beside], self.line[self.beside :]):
                if pieces:  # a cell of several lines does not begin beside another
                    text = "".join(pieces).rstrip(" ")
                    self._add(Row("-- " if text == "--" else text, self.setting.quoted, self.setting.indent))
            self.line = []
            self.joins, self.beside = False, 0

    def _add(self, row: Row) -> None:
        self.rows.append(row)
        self.full = self.full or len(self.rows) >= LINES

    def line_break(self, quoted: int) -> None:
        """End the line, and be it an empty one."""
        if self.line:
            self.end()
        else:
            self.gap = False
            self._add(Row("", quoted, 0.0))

    def text(self, text: str, setting: Setting) -> bool:
        """Take a text between two tags; tell whether anything can be seen of it."""
        if setting.hidden or setting.tiny:
            return False
        if not setting.keeps:
            return self._flowing(text, setting)
        written = False
        for number, piece in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n")):
            if number:
                self.line_break(setting.quoted)
                if self.full:
                    break
            if setting.keeps == "lines":
                written = self._flowing(piece, setting) or written
            elif piece:
                self._write(piece.replace("\t", "    "), setting)
                written = True
        return written

    def _flowing(self, text: str, setting: Setting) -> bool:
        """Take a text in which a run of blanks is one."""
        text = _SPACES.sub(" ", text)
        if text.startswith(" ") and (not self.line or self.space):
            text = text[1:]
        if text:
            self._write(text, setting)
        return bool(text.strip(" "))

    def _write(self, text: str, setting: Setting) -> None:
        if self.line and self.setting.quoted != setting.quoted:
            self.end()
            text = text if setting.keeps else text.lstrip(" ")
            if not text:
                return
        if not self.line:
            if self.gap and self.rows and self.rows[-1].text:
                self._add(Row("", min(setting.quoted, self.rows[-1].quoted), 0.0))
            self.setting = setting
            hanging = " " * (2 * max(0, setting.depth - 1))
            if self.marker:
                text = text.lstrip(" \u00a0")
                self.line.append(hanging if _ITEM.match(text) else hanging + "- ")
            elif setting.depth:
                self.line.append(hanging + "  ")
        elif self.joins:
            self.line.append("" if self.line[-1].endswith(" ") else " ")
            self.beside = len(self.line)
            text = text.lstrip(" ")
        self.gap = self.marker = self.cell = self.joins = False
        self.line.append(text.replace("\u00a0", " "))
        self.space = text.endswith(" ")

    def begin_cell(self) -> None:
        """Begin a cell: beside the last one, if that was a single line."""
        if not self.joins:
            self.end()
        self.cell = True

    def lines(self) -> tuple[Line, ...]:
        """Return the lines, those that markup moved to the right counted from the least moved."""
        self.end()
        rows = self.rows
        for begin, end in reversed(self.signatures):
            if _is_signature(rows, begin, end):
                rows.insert(begin, Row("-- ", rows[begin].quoted, rows[begin].indent))
        first = next((number for number, row in enumerate(rows) if row.text), len(rows))
        last = next((number for number in range(len(rows), first, -1) if rows[number - 1].text), first)
        least = min((row.indent for row in rows if row.text and not row.quoted), default=0.0)
        return tuple(
            Line(_moved(row, least), number, row.quoted) for number, row in enumerate(rows[first:last], 1)
        )


def _moved(row: Row, least: float) -> str:
    spaces = min(_MOST_INDENT, max(0, round((row.indent - least) / _PIXELS_A_SPACE)))
    return " " * spaces + row.text if row.text else ""


def _is_signature(rows: list[Row], begin: int, end: int) -> bool:
    """Tell whether a block that says it is a signature is one: short, below all of its writer's words, and
    without orders.
    """
    inside = [row for row in rows[begin:end] if row.text.strip()]
    if not inside or end - begin > _LONGEST_SIGNATURE or inside[0].text.startswith("--"):
        return False
    if any(_ORDERS.match(row.text) for row in inside):
        return False
    above = next((row.text for row in reversed(rows[max(0, begin - 3) : begin]) if row.text.strip()), "")
    return above.strip() != "--" and not any(
        row.text.strip() and row.quoted <= inside[0].quoted for row in rows[end:]
    )
