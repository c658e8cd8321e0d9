"""Words that look like the code of a seat, such as ``k7mp-2xqa``; whose code it is, or whether it is one, is
decided elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from pbem.core.regex import regex

_FORM: Final = "[a-hjkmnp-z2-9]{4}-[a-hjkmnp-z2-9]{4}"
_CODE: Final = regex(rf"(?<![a-z0-9-]){_FORM}(?![a-z0-9-])")
_PLUS: Final = regex(r"(?<=[+-])([a-hjkmnp-z2-9]{4})-?([a-hjkmnp-z2-9]{4})(?=[+@-])")
_LINE: Final = regex(
    rf"[\W_]{{0,6}}(?:(?:my |the |seat |your |mein |mon )?code)\W{{1,5}}{_FORM}[\W_]{{0,4}}", re.IGNORECASE
)
_BARE: Final = regex(rf"[\W_]{{0,4}}{_FORM}[\W_]{{0,4}}", re.IGNORECASE)
_DASHES: Final = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))
_LONGEST: Final = 1_000
_MOST: Final = 20


def is_line(text: str) -> bool:
    """Tell whether a line says nothing but a code; it is never handed on with the orders, which everybody
    will read.
    """
    plain = text.translate(_DASHES) if len(text) <= 60 else ""
    return _LINE.fullmatch(plain) is not None or _BARE.fullmatch(plain) is not None


def find(subject: str, own: Iterable[str], to: Sequence[str]) -> tuple[str, ...]:
    """Return every word that looks like a code: in the subject, in somebody's own lines, behind the plus of
    an address; each once.
    """
    seen: dict[str, None] = {}
    for address in to:
        for first, second in _PLUS.findall(address[:_LONGEST].lower()):
            seen[f"{first}-{second}"] = None
    for text in (subject, *own):
        if "-" in text or not text.isascii():
            for code in _CODE.findall(text[:_LONGEST].translate(_DASHES).lower()):
                seen[code] = None
        if len(seen) > _MOST:
            break
    return tuple(seen)[:_MOST]


def without(text: str, known: Iterable[str]) -> str:
    """Return a text in which none of the codes that are ``known`` can be read any more, however they were
    typed.
    """
    forms = "|".join(
        f"{re.escape(code[:4])}[-‐‑‒–—−]?{re.escape(code[5:])}" for code in known if len(code) == 9
    )
    return re.sub(forms, "…", text, flags=re.IGNORECASE) if forms else text
