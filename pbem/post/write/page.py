"""A letter as a page: HTML as clients of mail show it, which is less than a browser does.

Clients throw away style sheets, scripts, forms and whatever is loaded from elsewhere, and turn colours over
in the dark as they please. So nothing here has a background or a colour of its text: the reader's own stand.
What has to stand out does so by lines, size and greys that read on white and on black alike. Every word of a
player is escaped (``text/markup`` does the same for the web).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from pbem.post.lines.source_excerpt import CARET, narrowed
from pbem.text.markup import clean
from pbem.text.report import (
    Block,
    Code,
    Document,
    Facts,
    Heading,
    Image,
    Items,
    Paragraph,
    Quote,
    RollRow,
    RollTable,
    Roster,
)

__all__ = ["BAR", "InlinePicture", "as_page", "width_of"]

BAR: Final = "| "
"""What stands before every order that a letter shows: quoted or copied, such a line is not an order."""
_PHONE: Final = 34
"""Columns of code that a telephone held upright shows without breaking a line, beside the bar."""
_WIDEST: Final = 680

_GREY: Final = "#7a7a7a"
"""4.3 to one on white, 4.9 on black."""
_SANS: Final = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
_MONO: Final = "font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace"
_BODY: Final = f"margin:0;padding:12px;{_SANS};font-size:16px;line-height:1.5"
_WIDE: Final = "max-width:680px;margin:0 auto;overflow-wrap:break-word;word-break:break-word"
_SMALL: Final = f"font-size:13px;line-height:1.4;color:{_GREY}"
_CODE: Final = (
    "margin:8px 0;padding:2px 0 2px 10px;border-left:3px solid "
    f"{_GREY};{_MONO};font-size:14px;line-height:1.4;"
    "white-space:pre-wrap;overflow-wrap:anywhere"
)
_QUOTE: Final = f"margin:12px 0;padding:2px 0 2px 12px;border-left:3px solid {_GREY};white-space:pre-wrap"
_PICTURE: Final = "display:block;width:100%;max-width:{width}px;height:auto;border:0;border-radius:4px"
_HEAD: Final = f"padding:2px 8px 2px 0;font-weight:normal;font-size:13px;color:{_GREY}"
_CELL: Final = "padding:5px 8px 0 0;vertical-align:top;word-break:normal"
_NOTE: Final = f"padding:0 0 5px 12px;border-bottom:1px solid {_GREY};font-size:13px;color:{_GREY}"
TONES: Final = {"good": "#2e9e5b", "bad": "#d0453a", "wait": "#c98a1b"}
"""Word for how a letter is meant -> the colour of the line before its title: seen on white and on black, and
never the only sign.
"""
_HIDDEN: Final = "display:none;max-height:0;overflow:hidden;mso-hide:all"


class InlinePicture(Struct, frozen=True):
    """A picture that came with the letter: its Content-ID, and how many pixels it is wide (0: not known)."""

    id: str
    width: int = 0


def width_of(png: bytes) -> int:
    """Return how many pixels a PNG is wide, as its head says; 0 for anything else."""
    return (
        int.from_bytes(png[16:20], "big") if png[:8] == b"\x89PNG\r\n\x1a\n" and png[12:16] == b"IHDR" else 0
    )


def as_page(
    doc: Document,
    above: str,
    ids: Mapping[str, InlinePicture],
    *,
    preview: str = "",
    tone: str = "",
    lang: str = "en",
) -> str:
    """Return a document as a page for a letter.

    ``above`` is the line above which people answer; ``ids`` has each picture that came with the letter by its
    name, and a picture without one is shown by its words. ``preview`` is what a list of letters shows,
    ``tone`` one of ``TONES``.
    """
    body = [f'<div style="{_HIDDEN}">{_h(preview)}</div>'] if preview else []
    body += [
        f'<div style="{_WIDE}">',
        f'<p style="margin:0 0 12px;{_SMALL}">{_h(above)}</p>',
        f'<div style="margin:0 0 14px;padding:0 0 0 12px;border-left:5px solid {TONES.get(tone, _GREY)}">',
        f'<h1 dir="auto" style="margin:0;font-size:22px;line-height:1.25">{_h(doc.title)}</h1>',
        *(
            [f'<p dir="auto" style="margin:6px 0 0;font-size:17px;line-height:1.4">{_h(doc.lead)}</p>']
            if doc.lead
            else []
        ),
        "</div>",
    ]
    body.extend(line for block in doc.blocks for line in _block(block, ids))
    return "\n".join(
        [
            "<!DOCTYPE html>",
            f'<html lang="{_h(lang)}">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            '<meta name="supported-color-schemes" content="light dark">',
            f"<title>{_h(doc.title)}</title>",
            "<style>:root{color-scheme:light dark}</style>",
            "</head>",
            f'<body style="{_BODY}">',
            *body,
            "</div>",
            "</body>",
            "</html>",
            "",
        ]
    )


def _h(text: str, lines: bool = False) -> str:
    from html import escape

    return escape(clean(text, lines), quote=True)


def _block(block: Block, ids: Mapping[str, InlinePicture]) -> Iterator[str]:
    match block:
        case Heading():
            level, size = (2, 18) if block.level < 3 else (3, 16)
            yield (
                f'<h{level} dir="auto" style="margin:20px 0 '
                f'6px;font-size:{size}px;line-height:1.3">{_h(block.text)}</h{level}>'
            )
        case Paragraph():
            yield f'<p dir="auto" style="margin:8px 0">{_h(block.text)}</p>'
        case Items():
            yield '<ul style="margin:8px 0;padding-left:20px">'
            yield from (f'<li dir="auto" style="margin:4px 0">{_h(item)}</li>' for item in block.items)
            yield "</ul>"
        case Facts():
            yield (
                '<table role="presentation" cellpadding="0" cellspacing="0" style="margin:8px '
                '0;border-collapse:collapse">'
            )
            for name, value in block.rows:
                first = (
                    '<td style="padding:2px 14px 2px '
                    f'0;vertical-align:top;white-space:nowrap;font-size:14px;color:{_GREY}">{_h(name)}</td>'
                )
                yield f'<tr>{first}<td style="padding:2px 0;vertical-align:top">{_h(value)}</td></tr>'
            yield "</table>"
        case RollTable():
            yield f'<p style="margin:8px 0 2px;{_SMALL}">{_h(block.title)}:</p>'
            yield f'<ul style="margin:2px 0 8px;padding-left:20px;{_SMALL}">'
            yield from (f'<li style="margin:2px 0">{_h(rolled(row, block.heads))}</li>' for row in block.rows)
            yield "</ul>"
        case Roster():
            yield from _roster(block)
        case Quote():
            who = f'<b style="display:block;font-size:14px;color:{_GREY}">{_h(block.who)}</b>'
            yield f'<div dir="auto" style="{_QUOTE}">{who}{_h(block.text, lines=True)}</div>'
        case Image():
            yield from _picture(block, ids)
        case Code():
            if block.title:
                yield f'<p style="margin:8px 0 2px;{_SMALL}">{_h(block.title)}</p>'
            text = narrowed(block.text, BAR, _PHONE) if block.language == CARET else block.text
            yield f'<pre style="{_CODE}">{_h(text, lines=True).strip(chr(10))}</pre>'


def _roster(block: Roster) -> Iterator[str]:
    """Yield people in columns, each with his note in a row of its own: on a telephone a further column would
    be too narrow to read.
    """
    yield (
        '<table cellpadding="0" cellspacing="0" style="width:100%;margin:8px '
        '0;border-collapse:collapse;font-size:14px;line-height:1.35">'
    )
    head = "".join(f'<th scope="col" align="left" style="{_HEAD}">{_h(each)}</th>' for each in block.heads)
    yield f"<tr>{head}</tr>"
    for row in block.rows:
        first, *others = row.cells
        last = len(others) - 1
        cells = "".join(
            f'<td style="{_CELL}{"" if n == last else ";white-space:nowrap"}">{_h(cell)}</td>'
            for n, cell in enumerate(others)
        )
        yield f'<tr><td style="{_CELL};font-weight:bold">{_h(first)}</td>{cells}</tr>'
        if row.note:
            yield f'<tr><td colspan="{len(block.heads)}" style="{_NOTE}">{_h(row.note)}</td></tr>'
    yield "</table>"


def _picture(block: Image, ids: Mapping[str, InlinePicture]) -> Iterator[str]:
    """Yield a picture that came with the letter; whatever else a name may say, nothing is fetched."""
    if block.path not in ids:
        yield f'<p style="margin:8px 0;{_SMALL}">[{_h(block.alt)}]</p>'
        return
    shown = ids[block.path]
    width = min(shown.width or _WIDEST, _WIDEST)
    style = _PICTURE.format(width=width)
    yield (
        f'<p style="margin:12px 0"><img src="cid:{_h(shown.id)}" alt="{_h(block.alt)}" width="{width}" '
        f'style="{style}"></p>'
    )


def rolled(row: RollRow, heads: tuple[str, ...]) -> str:
    """Return a roll in one line: a table of six columns is wider than a telephone, and clients do not fold
    tables.
    """
    reckoned = ", ".join(part for part in (row.base, *row.modifiers) if part)
    where = ", ".join(part for part in (row.table, row.column) if part)
    cells = (row.label, row.die, reckoned, where, row.row, row.result)
    said = [f"{head} {cell}" for head, cell in zip(heads, cells, strict=True) if cell]
    return "; ".join([row.label, *said[1:]])
