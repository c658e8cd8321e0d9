"""Titles above somebody else's letter: ``----- Original Message -----``, in whatever language and between
whatever signs.

It decides whether a line is such a title, and nothing about what stands below it. Words that lost their
accents on the way, or of which only question marks are left, are still known between rows of dashes: nobody
writes those above his own orders.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from pbem.core.regex import regex
from pbem.post.lines import phrases
from pbem.post.lines.keys import Keys

__all__ = ["is_title"]

_LONGEST: Final = 120
_WORDS: Final = 60
_DASHED: Final = regex(r"[ *]{0,4}([-–—‐‑_=]{2,60})[ *]{0,3}([^-–—‐‑_=].{0,240}?)[ *]{0,3}([-–—‐‑_=…]{2,60})")
_ROUND: Final = regex(r"^[\s>*_#=~:\[(-]{1,60}|[\s*_#=~:\])-]{1,60}$")
"""What stands round a title."""
_OWN: Final = regex(
    r"begin|end\b|.*\b(?:orders?|moves?|my|mine|our|turn|slot|phase|befehle|meine?|unsere?|zug|runde|ordres"
    r"|mes|nos|tour)\b",
    re.IGNORECASE,
)
"""Somebody's title above his own words."""
_ROW: Final = 4
_LOST: Final = regex("[\u0250-\ufdff\ufe00-\U0010ffff]|\\?\\?|[ÃÂÐÑå]")
"""Signs of other alphabets than the Latin, or what is left of signs that were lost on their way."""


def _unaccented(text: str) -> str:
    return "".join(
        sign for sign in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(sign)
    )


_TITLES: Final = frozenset(_unaccented(title) for title in (*phrases.ORIGINAL, *phrases.TITLES))
_ORIGINAL: Final = tuple(map(_unaccented, phrases.ORIGINAL))
_LETTERS: Final = tuple(map(_unaccented, phrases.LETTERS))


def is_title(keys: Keys, text: str) -> bool:
    """Tell whether a line says in words that the letter begins that was answered or passed on."""
    if len(text) <= _LONGEST:
        title = _unaccented(_ROUND.sub("", text))
        if title in _TITLES or title.startswith("original message processed by"):
            return True
    found = _DASHED.match(text[:400])
    if found is None:
        return False
    inside = _unaccented(found[2])
    if inside in phrases.RULED or any(word in inside for word in _ORIGINAL):
        return True
    if len(inside) > _WORDS or inside in keys.all or _OWN.match(inside):
        return False
    if any(word in inside for word in _LETTERS):
        return True
    return min(len(found[1]), len(found[3])) >= _ROW and _LOST.search(found[2]) is not None
