"""Forms on pages, as a browser would send them: which fields they have, where they go, and what a page
without one says.

Pure. Nothing on a page is run or shown; names and values are only ever sent back to where they came from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from pbem.forum.depth import too_deep

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

__all__ = ["Form", "PageRead", "read"]

_FIELDS, _VALUE, _WORDS = 400, 200_000, 600
_BUTTONS: Final = frozenset({"submit", "button", "image", "reset", "file"})


class Form(Struct, frozen=True):
    """A form: where it goes, the fields that a browser sends without a button, its buttons, and the names of
    all that one can fill in.
    """

    action: str
    fields: tuple[tuple[str, str], ...]
    buttons: tuple[tuple[str, str], ...]
    open: frozenset[str]

    def filled(
        self, values: Mapping[str, str], button: str = "", without: frozenset[str] = frozenset()
    ) -> list[tuple[str, str]]:
        """Return what is sent: fields with these values in place of theirs, some left out, and a button that
        was pressed.
        """
        kept = [(name, value) for name, value in self.fields if name not in values and name not in without]
        pressed = next(((name, value) for name, value in self.buttons if name == button), (button, "1"))
        return [*kept, *values.items(), *([pressed] if button else [])]


class PageRead(Struct, frozen=True):
    """What a page is to whoever wants to post: its forms, its error, its message, and whether it leads on by
    itself.
    """

    forms: tuple[Form, ...] = ()
    error: str = ""
    message: str = ""
    leads_on: bool = False

    def form(self, *names: str) -> Form | None:
        """Return the first form in which all these can be filled in or pressed."""
        return next((form for form in self.forms if all(name in form.open for name in names)), None)


def read(data: bytes) -> PageRead | None:
    """Return what is on a page, or None where it cannot be read; ImportError where what reads pages is not
    installed.
    """
    from selectolax.lexbor import LexborHTMLParser

    text = data.decode("utf-8", "replace")
    if too_deep(text):
        return None
    tree = LexborHTMLParser(text)
    return PageRead(
        forms=tuple(_form(node) for node in tree.css("form")[:20]),
        error=_first(tree, "#postform .error", "form#login .error", "form .error", "div.error", "p.error"),
        message=_first(tree, "#message p", "#message", ".panel .inner p"),
        leads_on=any(
            (node.attributes.get("http-equiv") or "").lower() == "refresh"
            for node in tree.css("meta[http-equiv]")
        ),
    )


def _form(node: LexborNode) -> Form:
    fields: list[tuple[str, str]] = []
    buttons: list[tuple[str, str]] = []
    names: set[str] = set()
    for one in node.css("input, textarea, select, button")[:_FIELDS]:
        name = one.attributes.get("name") or ""
        if not name or len(name) > 200 or "disabled" in one.attributes:
            continue
        kind = (one.attributes.get("type") or ("submit" if one.tag == "button" else "text")).lower()
        if kind != "hidden":
            names.add(name)
        if one.tag in ("input", "button") and kind in _BUTTONS:
            if kind == "submit":
                buttons.append((name, _value(one)))
        elif kind not in ("checkbox", "radio") or "checked" in one.attributes:
            fields += [(name, value) for value in _values(one)]
    return Form(node.attributes.get("action") or "", tuple(fields), tuple(buttons), frozenset(names))


def _values(node: LexborNode) -> Iterator[str]:
    if node.tag == "textarea":
        yield (node.text() or "")[:_VALUE].removeprefix("\n")
    elif node.tag == "select":
        options = node.css("option")
        chosen = [option for option in options if "selected" in option.attributes] or options[:1]
        yield from ((option.attributes.get("value") or option.text())[:_VALUE] for option in chosen[:1])
    else:
        yield _value(node) or (
            "on" if (node.attributes.get("type") or "").lower() in ("checkbox", "radio") else ""
        )


def _value(node: LexborNode) -> str:
    return (node.attributes.get("value") or "")[:_VALUE]


def _first(tree: LexborHTMLParser, *selectors: str) -> str:
    """Return the words of the first node of these that has any."""
    for selector in selectors:
        node = tree.css_first(selector)
        if node is not None and (said := " ".join(node.text(separator=" ").split())):
            return said[:_WORDS]
    return ""
