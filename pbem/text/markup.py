"""Writes a report document as plain text, Markdown, BBCode or a web page: pure functions, and nothing in a
name can break out of its place.

Whatever players wrote (names, messages, notes) comes through ``clean`` first and is then escaped for the
markup it goes into.
"""

from __future__ import annotations

import base64
import hashlib
import re
import textwrap
import unicodedata
from collections.abc import Iterable
from typing import Final
from urllib.parse import quote

from pbem.core.regex import regex
from pbem.text.report import (
    Block,
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
from pbem.text.words import in_force

__all__ = ["as_bbcode", "as_html", "as_markdown", "as_text", "clean"]

_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_MARKDOWN: Final = regex(r"([\\`*_{}\[\]<>#|~$&@]|:(?=[^\s\d]))")
_STARTS_LIST: Final = regex(r"^(\s*)([-=+]|\d+(?=[.)]))")
_JOINER: Final = "​"


def clean(text: str, lines: bool = False) -> str:
    """Return a text without signs that cannot be seen or that turn the reading direction; line ends stay
    where ``lines`` is true.
    """
    if (text.replace("\n", "") if lines else text).isprintable():
        return text  # as nearly all are: whatever is hidden is of a kind that is not printed
    kept = []
    for letter in text.replace("\r\n", "\n").replace("\t", "    "):
        if letter == "\n" and lines:
            kept.append(letter)
        elif letter in "\n\r":
            kept.append(" ")
        elif unicodedata.category(letter) not in _HIDDEN or letter == "‍":
            kept.append(letter)
    return "".join(kept)


def _reckoned(row: RollRow) -> str:
    return ", ".join(part for part in (row.base, *row.modifiers) if part)


def _where(row: RollRow) -> str:
    return ", ".join(part for part in (row.table, row.column) if part)


def _cells(row: RollRow) -> tuple[str, ...]:
    return row.label, row.die, _reckoned(row), _where(row), row.row, row.result


# --- plain text


def as_text(doc: Document, width: int = 72) -> str:
    """Return the document as plain text, no line of it longer than ``width`` but for code
    and unbroken words.
    """
    parts = [_underlined(clean(doc.title), "=", width)]
    if doc.lead:
        parts.append(_filled(clean(doc.lead), width))
    parts.extend(_text_block(block, width) for block in doc.blocks)
    return "\n\n".join(part for part in parts if part) + "\n"


def _filled(text: str, width: int, first: str = "", rest: str = "") -> str:
    return (
        textwrap.fill(
            text,
            width,
            initial_indent=first,
            subsequent_indent=rest,
            break_long_words=False,
            break_on_hyphens=False,
        )
        or first.rstrip()
    )


def _underlined(text: str, sign: str, width: int) -> str:
    lines = textwrap.wrap(text, width, break_on_hyphens=False) or [""]
    return "\n".join([*lines, sign * max(1, min(width, max(len(line) for line in lines)))])


def _text_block(block: Block, width: int) -> str:
    match block:
        case Heading():
            return _underlined(clean(block.text), "-", width) if block.level < 3 else f"{clean(block.text)}:"
        case Paragraph():
            return _filled(clean(block.text), width)
        case Items():
            return "\n".join(_filled(clean(item), width, "- ", "  ") for item in block.items)
        case Facts():
            return "\n".join(
                _filled(f"{clean(name)}: {clean(value)}", width, "", "  ") for name, value in block.rows
            )
        case RollTable():
            lines = [f"{clean(block.title)}:"]
            for row in block.rows:
                said = [
                    f"{clean(head)} {clean(cell)}"
                    for head, cell in zip(block.heads, _cells(row), strict=True)
                    if cell
                ]
                lines.append(_filled("; ".join([clean(row.label), *said[1:]]), width, "  ", "    "))
            return "\n".join(lines)
        case Roster():
            return _text_roster(block, width)
        case Quote():
            lines = [f"{clean(block.who)}:"]
            for line in clean(block.text, lines=True).split("\n"):
                lines.append(_filled(line, width, "> ", "> ") if line.strip() else ">")
            return "\n".join(lines)
        case Image():
            return _filled(f"[{clean(block.alt)}] {clean(block.path)}", width)
        case _:
            return textwrap.indent(clean(block.text, lines=True).strip("\n"), "    ")


def _text_roster(block: Roster, width: int) -> str:
    """Return rows in columns, each with its note further in below it."""
    rows = [tuple(map(clean, row.cells)) for row in block.rows]
    wide = [max(len(cell) for cell in column) for column in zip(map(clean, block.heads), *rows, strict=True)]
    lines = []
    for cells, note in (
        (tuple(map(clean, block.heads)), ""),
        *zip(rows, (clean(row.note) for row in block.rows), strict=True),
    ):
        line = "  ".join(cell.ljust(room) for cell, room in zip(cells, wide, strict=True)).rstrip()
        lines.append(line if len(line) <= width else _filled(" ".join(line.split()), width, "", "  "))
        if note:
            lines.append(_filled(note, width, "    ", "    "))
    return "\n".join(lines)


# --- Markdown


def _md(text: str) -> str:
    """Return a text on one line in which no sign means anything to Markdown."""
    escaped = _MARKDOWN.sub(r"\\\1", clean(text))
    return _STARTS_LIST.sub(
        lambda found: f"{found[1]}{found[2]}\\" if found[2].isdigit() else f"{found[1]}\\{found[2]}", escaped
    )


def as_markdown(doc: Document) -> str:
    """Return the document as Markdown (CommonMark with tables), every text of a player escaped."""
    parts = [f"# {_md(doc.title)}"]
    if doc.lead:
        parts.append(f"**{_md(doc.lead)}**")
    parts.extend(_md_block(block) for block in doc.blocks)
    return "\n\n".join(part for part in parts if part) + "\n"


def _md_block(block: Block) -> str:
    match block:
        case Heading():
            return f"{'#' * block.level} {_md(block.text)}"
        case Paragraph():
            return _md(block.text)
        case Items():
            return "\n".join(f"- {_md(item)}" for item in block.items)
        case Facts():
            return "\n".join(f"- **{_md(name)}:** {_md(value)}" for name, value in block.rows)
        case RollTable():
            rows = [
                "| " + " | ".join(_md(head) for head in block.heads) + " |",
                "|" + " --- |" * len(block.heads),
            ]
            rows += ["| " + " | ".join(_md(cell) for cell in _cells(row)) + " |" for row in block.rows]
            return f"**{_md(block.title)}**\n\n" + "\n".join(rows)
        case Roster():
            rows = [
                "| " + " | ".join(_md(head) for head in (*block.heads, "")) + " |",
                "|" + " --- |" * (len(block.heads) + 1),
            ]
            rows += [
                "| " + " | ".join(_md(cell) for cell in (*row.cells, row.note)) + " |" for row in block.rows
            ]
            return "\n".join(rows)
        case Quote():
            lines = [_md(line) for line in clean(block.text, lines=True).split("\n")]
            return "\n".join(
                [f"> **{_md(block.who)}:**", ">", *(f"> {line}  " if line.strip() else ">" for line in lines)]
            )
        case Image():
            return f"![{_md(block.alt)}]({_relative(block.path)})"
        case _:
            text = clean(block.text, lines=True).strip("\n")
            fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", text)), default=0))
            return f"{fence}{block.language if block.language != 'chart' else 'text'}\n{text}\n{fence}"


def _relative(path: str) -> str:
    """Return a path as a relative address: it may begin with ``..``, but a scheme or a host in it is made
    harmless.
    """
    parts = [part for part in clean(path).replace("\\", "/").split("/") if part not in ("", ".")]
    return quote("/".join(parts), safe="/-_.~")


# --- BBCode


def _bb(text: str, lines: bool = False) -> str:
    """Return a text in which no bracket opens a tag."""
    return clean(text, lines).replace("[", "[" + _JOINER)


def as_bbcode(doc: Document) -> str:
    """Return the document as BBCode for a forum; a bracket in a name or message cannot open a tag."""
    parts = [f"[b][size=150]{_bb(doc.title)}[/size][/b]"]
    if doc.lead:
        parts.append(f"[i]{_bb(doc.lead)}[/i]")
    parts.extend(_bb_block(block) for block in doc.blocks)
    return "\n\n".join(part for part in parts if part) + "\n"


def _bb_block(block: Block) -> str:
    match block:
        case Heading():
            return f"[b][size=120]{_bb(block.text)}[/size][/b]"
        case Paragraph():
            return _bb(block.text)
        case Items():
            return "[list]\n" + "\n".join(f"[*]{_bb(item)}" for item in block.items) + "\n[/list]"
        case Facts():
            return "\n".join(f"[b]{_bb(name)}:[/b] {_bb(value)}" for name, value in block.rows)
        case RollTable():
            rows = []
            for row in block.rows:
                said = [
                    f"{_bb(head)} {_bb(cell)}"
                    for head, cell in zip(block.heads, _cells(row), strict=True)
                    if cell
                ]
                rows.append("[*]" + "; ".join([_bb(row.label), *said[1:]]))
            return f"[spoiler={_bb_title(block.title)}]\n[list]\n" + "\n".join(rows) + "\n[/list]\n[/spoiler]"
        case Roster():
            return "[list]\n" + "\n".join(f"[*]{_bb(line)}" for line in block.lines()) + "\n[/list]"
        case Quote():
            return f'[quote="{_bb_title(block.who)}"]{_bb(block.text, lines=True)}[/quote]'
        case Image():
            return f"[i]{_bb(block.alt)}[/i] ({_bb(block.path)})"
        case _:
            inside = re.sub(
                r"\[(?=/?\s*code)",
                "[" + _JOINER,
                clean(block.text, lines=True).strip("\n"),
                flags=re.IGNORECASE,
            )
            code = f"[code]\n{inside}\n[/code]"
            return f"[spoiler={_bb_title(block.title)}]\n{code}\n[/spoiler]" if block.title else code


def _bb_title(text: str) -> str:
    """Return a text that may stand inside a tag."""
    return re.sub(r'[\[\]"]', "", clean(text))


# --- web page

_STYLE: Final = """
:root{color-scheme:light dark;--page:#f7f1e1;--ink:#2b2016;--soft:#655238;--rule:#cdbb92;--mark:#5c1a12;--box:#fffaf0}
@media (prefers-color-scheme:dark){:root{--page:#1d1913;--ink:#efe6d2;--soft:#c0ab84;--rule:#4f432e;--mark:#f0b58a;--box:#272118}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1rem;max-width:52rem;background:var(--page);color:var(--ink);
font:1rem/1.55 system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;font-variant-numeric:lining-nums;overflow-wrap:anywhere}
h1,h2,h3{color:var(--mark);line-height:1.2;margin:1.6em 0 .5em;font-family:'EB Garamond',Palatino,'Book Antiqua',Georgia,serif}
h1{font-size:1.8rem;margin-top:.2em;border-bottom:1px solid var(--rule);padding-bottom:.3em}
h2{font-size:1.3rem}
h3{font-size:1.1rem}
.lead{font-style:italic;color:var(--soft)}
ul{padding-left:1.2em}
li{margin:.35em 0}
figure{margin:1em 0}
img{display:block;max-width:100%;height:auto;border:1px solid var(--rule);border-radius:4px;background:var(--box)}
figcaption{font-size:.875rem;color:var(--soft)}
dl{display:grid;grid-template-columns:minmax(5rem,max-content) minmax(0,1fr);gap:.2em 1em;margin:1em 0}
dt{color:var(--soft)}
dd{margin:0}
blockquote{margin:1em 0;padding:.5em 1em;border-left:4px solid var(--rule);background:var(--box);white-space:pre-wrap}
blockquote cite{display:block;font-style:normal;font-weight:bold;color:var(--soft)}
details{margin:1em 0;border:1px solid var(--rule);border-radius:4px;background:var(--box);padding:.5em .8em}
summary{cursor:pointer;color:var(--soft);min-height:1.6em}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font:.8125rem/1.45 'DejaVu Sans Mono',ui-monospace,Menlo,Consolas,monospace;
background:var(--box);border:1px solid var(--rule);border-radius:4px;padding:.7em;margin:.8em 0}
details pre{border:0;padding:0}
pre.chart{white-space:pre;overflow-x:auto;overflow-wrap:normal;font-size:clamp(.5rem,2.1vw,.8125rem);line-height:1.15}
table{width:100%;border-collapse:collapse;font-size:.875rem;line-height:1.35}
th,td{text-align:left;vertical-align:top;padding:.4em .5em;border-bottom:1px solid var(--rule)}
th{color:var(--soft);font-weight:normal}
table.roster td{border:0;padding:.35em .5em 0 0}
table.roster td.note{color:var(--soft);padding:0 0 .35em .8em;border-bottom:1px solid var(--rule)}
@media (max-width:44rem){
table:not(.roster) thead{position:absolute;left:-999rem}
table:not(.roster) tr{display:block;border-bottom:2px solid var(--rule);padding:.4em 0}
table:not(.roster) td{display:grid;grid-template-columns:5.5rem minmax(0,1fr);gap:.6em;border:0;padding:.12em 0}
table:not(.roster) td::before{content:attr(data-head);color:var(--soft)}
table:not(.roster) td:empty{display:none}
}
@media print{body{background:#fff;color:#000;max-width:none}details{border:0;padding:0}}
"""


def as_html(doc: Document) -> str:
    """Return the document as one web page that loads nothing but pictures beside it, runs nothing, and reads
    on a telephone.
    """
    digest = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; img-src 'self' file: data:; style-src 'sha256-{digest}'; base-uri 'none'; "
        "form-action 'none'"
    )
    title = _h(doc.title)
    body = [f"<h1>{title}</h1>"]
    if doc.lead:
        body.append(f'<p class="lead">{_h(doc.lead)}</p>')
    body.extend(_h_block(block) for block in doc.blocks)
    return "\n".join(
        [
            "<!DOCTYPE html>",
            f'<html lang="{_h(in_force())}">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_h(policy)}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="referrer" content="no-referrer">',
            f"<title>{title}</title>",
            f"<style>{_STYLE}</style>",
            "</head>",
            "<body>",
            "<main>",
            *body,
            "</main>",
            "</body>",
            "</html>",
            "",
        ]
    )


def html_blocks(blocks: Iterable[Block]) -> str:
    """Return blocks as a piece of a web page, without a page around them."""
    return "\n".join(map(_h_block, blocks))


def _h(text: str, lines: bool = False) -> str:
    from html import escape

    return escape(clean(text, lines), quote=True)


def _h_block(block: Block) -> str:
    match block:
        case Heading():
            level = min(3, max(2, block.level))
            return f'<h{level} dir="auto">{_h(block.text)}</h{level}>'
        case Paragraph():
            return f'<p dir="auto">{_h(block.text)}</p>'
        case Items():
            return "<ul>\n" + "\n".join(f'<li dir="auto">{_h(item)}</li>' for item in block.items) + "\n</ul>"
        case Facts():
            return (
                "<dl>\n"
                + "\n".join(f"<dt>{_h(name)}</dt><dd>{_h(value)}</dd>" for name, value in block.rows)
                + "\n</dl>"
            )
        case RollTable():
            head = "".join(f'<th scope="col">{_h(each)}</th>' for each in block.heads)
            rows = "\n".join(
                "<tr>"
                + "".join(
                    f'<td data-head="{_h(each)}">{_h(cell)}</td>'
                    for each, cell in zip(block.heads, _cells(row), strict=True)
                )
                + "</tr>"
                for row in block.rows
            )
            table = f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>"
            return f"<details>\n<summary>{_h(block.title)} ({len(block.rows)})</summary>\n{table}\n</details>"
        case Roster():
            head = "".join(f'<th scope="col">{_h(each)}</th>' for each in block.heads)
            body = "\n".join(
                f"<tr>{''.join(f'<td>{_h(cell)}</td>' for cell in row.cells)}</tr>"
                + (
                    f'\n<tr><td class="note" colspan="{len(block.heads)}">{_h(row.note)}</td></tr>'
                    if row.note
                    else ""
                )
                for row in block.rows
            )
            return (
                f'<table class="roster">\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>'
            )
        case Quote():
            return (
                "<blockquote "
                f'dir="auto"><cite>{_h(block.who)}</cite>{_h(block.text, lines=True)}</blockquote>'
            )
        case Image():
            return f'<figure><img src="{_h(_relative(block.path))}" alt="{_h(block.alt)}"></figure>'
        case _:
            kind = ' class="chart" tabindex="0"' if block.language == "chart" else ""
            inside = _h(block.text, lines=True).strip("\n")
            code = f"<pre{kind}><code>{inside}</code></pre>"
            return (
                f"<details>\n<summary>{_h(block.title)}</summary>\n{code}\n</details>"
                if block.title
                else code
            )
