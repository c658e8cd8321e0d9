"""What the style sheet of a page strikes out or hides: simple rules for a class, an id or an element, in
``<style>``.

It knows no cascade and no conditions: what a rule within ``@media`` says may hold on another screen, and is
not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from pbem.core.regex import regex
from pbem.post.html import htmlquotes

__all__ = ["is_struck", "matches", "unseen"]

_BEGIN: Final = regex(r"<style(?=[\s>/])", re.IGNORECASE)
_END: Final = regex(r"</style", re.IGNORECASE)
_SHEETS: Final = 20
_LONGEST: Final = 100_000
"""Characters of all the sheets of a page that are looked at."""
_SELECTOR: Final = regex(r"([a-z][a-z0-9]{0,15})?(?:([.#])([\w-]{1,80}))?", re.IGNORECASE)
_RULES: Final = 2_000


def is_struck(declared: dict[str, str]) -> bool:
    """Tell whether the declarations of an element strike out what is in it."""
    return any(
        "line-through" in declared.get(name, "") for name in ("text-decoration", "text-decoration-line")
    )


def unseen(page: str, hides: Callable[[dict[str, str]], bool]) -> frozenset[str]:
    """Return the selectors of a page whose elements nobody sees, or sees struck out, such as ``.gone``,
    ``#old`` or ``span.gone``.
    """
    found: dict[str, bool] = {}
    for selectors, said in _rules(page):
        declared = htmlquotes.style(said)
        struck = is_struck(declared)
        for one in selectors.split(",")[:50]:
            name = one.strip()
            if _SELECTOR.fullmatch(name) and ("." in name or "#" in name or struck):
                found[name.lower()] = struck or hides(declared)
    return frozenset(name for name, hidden in found.items() if hidden)


def _rules(page: str) -> Iterator[tuple[str, str]]:
    """Yield the selectors and the declarations of each rule that holds without a condition."""
    depth = count = 0
    selectors = ""
    for piece in re.split(r"([{}])", _sheets(page)):
        if piece == "{":
            depth += 1
        elif piece == "}":
            depth = max(0, depth - 1)
        elif depth == 1 and selectors:
            yield selectors, piece
            count += 1
            if count >= _RULES:
                return
        else:
            selectors = piece if depth == 0 and "@" not in piece else ""


def _sheets(page: str) -> str:
    """Return what stands in the sheets of a page, without comments."""
    pieces: list[str] = []
    at = left = 0
    for _ in range(_SHEETS):
        begin = _BEGIN.search(page, at)
        if begin is None or left >= _LONGEST:
            break
        first = page.find(">", begin.end()) + 1
        end = _END.search(page, first) if first else None
        if end is None:
            break
        pieces.append(page[first : min(end.start(), first + _LONGEST - left)])
        left += len(pieces[-1])
        at = end.end()
    bare: list[str] = []
    for number, piece in enumerate("}".join(pieces).replace("<!--", " ").replace("-->", " ").split("/*")):
        bare.append(piece if not number else piece.partition("*/")[2])
    return " ".join(bare)


def matches(selectors: frozenset[str], tag: str, attributes: dict[str, str]) -> bool:
    """Tell whether one of some selectors is for an element."""
    names = [f".{name}" for name in attributes.get("class", "").lower().split()[:20]]
    names += [f"#{attributes['id'].lower()}"] if attributes.get("id") else []
    return tag in selectors or any(name in selectors or f"{tag}{name}" in selectors for name in names)
