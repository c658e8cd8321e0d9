"""A second reader of what pbem posts: BBCode as strict forums take it, made into a page; and what of a text
would act on a forum.

It shares no line with the writer. Tags nest or they are a fault; what stands in code stands as it is.
"""

from __future__ import annotations

import html
import re

from msgspec import Struct, field

TAG = re.compile(r"\[(/?)([a-z*]+)((?:=| )[^\[\]\n]*)?\]", re.IGNORECASE)
KNOWN = {
    "phpbb": {"b", "i", "u", "size", "quote", "code", "list", "*", "img", "attachment", "url"},
    "vbulletin": {
        "b",
        "i",
        "u",
        "size",
        "quote",
        "code",
        "list",
        "*",
        "img",
        "attach",
        "url",
        "table",
        "tr",
        "td",
        "noparse",
    },
    "xenforo": {
        *(
            "b",
            "i",
            "u",
            "size",
            "quote",
            "code",
            "icode",
            "list",
            "*",
            "img",
            "attach",
            "url",
            "table",
            "tr",
            "td",
            "th",
        ),
        *("heading", "spoiler", "plain", "user"),
    },
}
ACTS = re.compile(
    r"https?:/\S+|(?<![:/])//\w|\bwww\.\S+|(?<!\w)@\w+|(?<!\w):\w+:|(?<!\S)(?:[:;=]'?-?[)(DPpOo|/?](?!\w)"
    r"|8-\)|<3|o_O)",
    re.IGNORECASE,
)
"""What forums make links, calls and smileys of."""
OPEN = {
    "b": "<b>",
    "i": "<i>",
    "size": "<span class='size'>",
    "quote": "<blockquote>",
    "list": "<ul>",
    "*": "<li>",
    "table": "<table>",
    "tr": "<tr>",
    "td": "<td>",
    "th": "<th>",
    "heading": "<h3>",
    "spoiler": "<details open>",
}
CLOSE = {name: "</" + re.sub(r"[<>]", "", tag).split()[0] + ">" for name, tag in OPEN.items()}


class Page(Struct):
    html: str = ""
    tags: list[str] = field(default_factory=list)
    """Every tag that opened, with its attribute."""
    faults: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    """The text between tags, code left out."""
    codes: list[str] = field(default_factory=list)


def shown(source: str, software: str) -> Page:
    """Return a post in BBCode as a forum shows it."""
    page, stack, at, out = Page(), [], 0, []
    while (found := TAG.search(source, at)) is not None:
        name, attribute = found[2].lower(), found[3] or ""
        if name not in KNOWN[software]:
            page.texts.append(source[at : found.end()])
            out.append(html.escape(source[at : found.end()]))
            at = found.end()
            continue
        page.texts.append(source[at : found.start()])
        out.append(html.escape(source[at : found.start()]))
        at = found.end()
        if name == "code" and not found[1]:
            end = re.compile(r"\[/code\]", re.IGNORECASE).search(source, at)
            if end is None:
                page.faults.append("code never ends")
                break
            page.tags.append("code")
            page.codes.append(source[at : end.start()].strip("\n"))
            out.append(f"<pre>{html.escape(page.codes[-1])}</pre>")
            at = end.end()
        elif name in ("img", "attach", "attachment") and not found[1]:
            end = re.compile(rf"\[/{name}\]", re.IGNORECASE).search(source, at)
            assert end is not None
            page.tags.append(name + attribute)
            out.append(f"<img src='{html.escape(source[at : end.start()])}' alt='{html.escape(attribute)}'>")
            at = end.end()
        elif found[1]:
            if name == "list" and stack and stack[-1] == "*":
                out.append(CLOSE[stack.pop()])
            if not stack or stack[-1] != name:
                page.faults.append(f"/{name} while {stack[-3:]}")
            else:
                out.append(CLOSE[stack.pop()])
        else:
            if name == "*":
                if stack and stack[-1] == "*":
                    out.append(CLOSE[stack.pop()])
                if not stack or stack[-1] != "list":
                    page.faults.append("* outside a list")
            page.tags.append(name + attribute)
            stack.append(name)
            titled = f"<summary>{html.escape(attribute)}</summary>" if name in ("spoiler", "quote") else ""
            if name == "size":
                out.append(f"<span class='s{re.sub('[^0-9]', '', attribute)}'>")
            else:
                out.append(OPEN.get(name, f"<span data-tag='{name}'>") + titled)
            CLOSE.setdefault(name, "</span>")
    page.texts.append(source[at:])
    out.append(html.escape(source[at:]))
    page.faults += [f"{name} never ends" for name in stack]
    body = re.sub(r"\n(?=<(?:li|/ul|tr|/table|td))|(?<=</tr>)\n", "", "".join(out))
    page.html = STYLE + f"<div class='post'>{body}</div>"
    return page


STYLE = """<!DOCTYPE html><meta charset="utf-8"><style>
body{background:#dfe6ee;margin:0;padding:16px;font:14px/1.4 Verdana,'DejaVu Sans',sans-serif}
.post{background:#fff;max-width:800px;margin:auto;padding:16px;white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid #bbb}
ul,table,tr{white-space:normal} pre{background:#f4f4f4;border:1px solid #ccc;max-height:200px;overflow:auto;white-space:pre-wrap;margin:0}
table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:3px;font-size:12px}
.s150,.s4{font-size:1.5em}.s120,.s3{font-size:1.2em}.s85,.s1,.s2{font-size:.85em}
img{max-width:100%}h3{display:inline}
blockquote{border-left:4px solid #aac;margin:0;padding-left:8px}details{border:1px dashed #aaa;padding:4px}</style>"""
