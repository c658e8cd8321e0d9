"""Markup out of nested calls, in which no text can become markup: whatever is not ``Html`` is escaped.

``tag("p", "a < b")`` is ``<p>a &lt; b</p>``. Texts lose what cannot be seen or turns the reading direction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Final

from pbem.text.markup import clean

__all__ = ["VOID", "Html", "joined", "table", "tag", "text"]

VOID: Final = frozenset({"img", "br", "hr", "link", "meta"})


class Html(str):
    """Markup that was made here; any other text is escaped where it goes into some."""

    __slots__ = ()


def text(said: str) -> Html:
    """Return a text as markup; ``Html`` stays what it is."""
    return said if isinstance(said, Html) else Html(escape(clean(said, lines=True), quote=True))


def tag(name: str, *inside: str, **attributes: str) -> Html:
    """Return an element; ``class_`` stands for ``class``, ``data_x`` for ``data-x``, and an attribute of an
    empty text is left out but for ``alt``.
    """
    said = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{text(value)}"'
        for key, value in attributes.items()
        if value or key == "alt"
    )
    return Html(f"<{name}{said}>") if name in VOID else Html(f"<{name}{said}>{joined(inside)}</{name}>")


def joined(parts: Iterable[str], between: str = "") -> Html:
    """Return some parts behind each other."""
    return Html(text(between).join(text(part) for part in parts))


def table(
    heads: Iterable[str],
    rows: Iterable[Iterable[str]],
    caption: str = "",
    numbers: Mapping[int, str] | None = None,
) -> Html:
    """Return a table whose first column heads its rows; on a telephone each row is a block, and each cell
    says which column it is of.
    """
    columns, looks = list(heads), numbers or {}
    head = tag(
        "tr", *(tag("th", name, scope="col", class_=looks.get(n, "")) for n, name in enumerate(columns))
    )
    lines = []
    for row in rows:
        cells = [
            tag("th", cell, scope="row")
            if n == 0
            else tag("td", cell, data_head=columns[n], class_=looks.get(n, ""))
            for n, cell in enumerate(row)
        ]
        lines.append(tag("tr", *cells))
    above = (tag("caption", caption),) if caption else ()
    return tag("table", *above, tag("thead", head), tag("tbody", *lines))
