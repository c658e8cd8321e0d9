"""A letter as a page: HTML as clients of mail show it, which is less than a browser does.

Clients throw away style sheets, scripts, forms and whatever is loaded from elsewhere, and turn colours over in the dark as they
please. So nothing here has a background or a colour of its text: the reader's own stand. What has to stand out does so by lines,
size and greys that read on white and on black alike. Every word of a player is escaped (``text/markup`` does the same for the web).
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from typing import Final

from pbem.text.markup import clean
from pbem.text.report import Block, Code, Document, Facts, Heading, Image, Items, Paragraph, Quote, RollRow, RollTable

__all__ = ["as_page"]

_GREY: Final = "#7a7a7a"
"""4.3 to one on white, 4.9 on black."""
_SANS: Final = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
_MONO: Final = "font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace"
_BODY: Final = f"margin:0;padding:12px;{_SANS};font-size:16px;line-height:1.5"
_WIDE: Final = "max-width:680px;margin:0 auto;overflow-wrap:break-word;word-break:break-word"
_SMALL: Final = f"font-size:13px;line-height:1.4;color:{_GREY}"
_CODE: Final = (
    f"margin:8px 0;padding:2px 0 2px 10px;border-left:3px solid {_GREY};{_MONO};font-size:14px;line-height:1.4;"
    "white-space:pre-wrap;overflow-wrap:anywhere"
)
_QUOTE: Final = f"margin:12px 0;padding:2px 0 2px 12px;border-left:3px solid {_GREY};white-space:pre-wrap"
_PICTURE: Final = "display:block;width:100%;max-width:{width}px;height:auto;border:0;border-radius:4px"
_HIDDEN: Final = "display:none;max-height:0;overflow:hidden;mso-hide:all"


def as_page(doc: Document, above: str, ids: Mapping[str, str], *, preview: str = "", lang: str = "en") -> str:
    """Return a document as a page for a letter.

    ``above`` is the line above which people answer; ``ids`` has the Content-ID of each picture by its name, and a picture without
    one is shown by its words. ``preview`` is what a list of letters shows.
    """
    body = [f'<div style="{_HIDDEN}">{_h(preview)}</div>'] if preview else []
    body += [
        f'<div style="{_WIDE}">',
        f'<p style="margin:0 0 12px;{_SMALL}">{_h(above)}</p>',
        f'<h1 style="margin:0 0 8px;font-size:22px;line-height:1.25">{_h(doc.title)}</h1>',
    ]
    if doc.lead:
        body.append(f'<p style="margin:0 0 12px;font-size:17px">{_h(doc.lead)}</p>')
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
    return html.escape(clean(text, lines), quote=True)


def _block(block: Block, ids: Mapping[str, str]) -> Iterator[str]:
    match block:
        case Heading():
            level, size = (2, 18) if block.level < 3 else (3, 16)
            yield f'<h{level} dir="auto" style="margin:20px 0 6px;font-size:{size}px;line-height:1.3">{_h(block.text)}</h{level}>'
        case Paragraph():
            yield f'<p dir="auto" style="margin:8px 0">{_h(block.text)}</p>'
        case Items():
            yield '<ul style="margin:8px 0;padding-left:20px">'
            yield from (f'<li dir="auto" style="margin:4px 0">{_h(item)}</li>' for item in block.items)
            yield "</ul>"
        case Facts():
            yield '<table role="presentation" cellpadding="0" cellspacing="0" style="margin:8px 0;border-collapse:collapse">'
            for name, value in block.rows:
                first = f'<td style="padding:2px 14px 2px 0;vertical-align:top;font-size:14px;color:{_GREY}">{_h(name)}</td>'
                yield f'<tr>{first}<td style="padding:2px 0;vertical-align:top">{_h(value)}</td></tr>'
            yield "</table>"
        case RollTable():
            yield f'<p style="margin:8px 0 2px;{_SMALL}">{_h(block.title)}:</p>'
            yield f'<ul style="margin:2px 0 8px;padding-left:20px;{_SMALL}">'
            yield from (f'<li style="margin:2px 0">{_h(rolled(row, block.heads))}</li>' for row in block.rows)
            yield "</ul>"
        case Quote():
            who = f'<b style="display:block;font-size:14px;color:{_GREY}">{_h(block.who)}</b>'
            yield f'<div dir="auto" style="{_QUOTE}">{who}{_h(block.text, lines=True)}</div>'
        case Image():
            yield from _picture(block, ids)
        case Code():
            if block.title:
                yield f'<p style="margin:8px 0 2px;{_SMALL}">{_h(block.title)}</p>'
            yield f'<pre style="{_CODE}">{_h(block.text, lines=True).strip(chr(10))}</pre>'


def _picture(block: Image, ids: Mapping[str, str]) -> Iterator[str]:
    """Yield a picture that came with the letter; whatever else a name may say, nothing is fetched."""
    if block.path not in ids:
        yield f'<p style="margin:8px 0;{_SMALL}">[{_h(block.alt)}]</p>'
        return
    style = _PICTURE.format(width=680)
    yield f'<p style="margin:12px 0"><img src="cid:{_h(ids[block.path])}" alt="{_h(block.alt)}" width="680" style="{style}"></p>'


def rolled(row: RollRow, heads: tuple[str, ...]) -> str:
    """Return a roll in one line: a table of six columns is wider than a telephone, and clients do not fold tables."""
    reckoned = ", ".join(part for part in (row.base, *row.modifiers) if part)
    where = ", ".join(part for part in (row.table, row.column) if part)
    cells = (row.label, row.die, reckoned, where, row.row, row.result)
    said = [f"{head} {cell}" for head, cell in zip(heads, cells, strict=True) if cell]
    return "; ".join([row.label, *said[1:]])
