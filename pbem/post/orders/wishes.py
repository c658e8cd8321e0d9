"""What somebody's words ask a person for: to resign, to have more time, to look at a mistake, or just
something with a question mark.

It decides only how a letter is introduced to the umpire, never what is done: the words themselves go with it.
"""

from __future__ import annotations

import re
from typing import Final

from pbem.core.regex import regex

__all__ = ["QUESTION", "RESIGN", "TIME", "WRONG", "wish"]

RESIGN, TIME, WRONG, QUESTION = "resign", "time", "wrong", "question"
_MOST: Final = 5_000
_FORMS: Final = (
    (
        RESIGN,
        r"\b(?:i|we) (?:hereby |must |have to |want to |would like to )?(?:resign|concede|surrender|give up"
        r"|quit|drop out)\b"
        r"|\bresignation\b"
        r"|\bich (?:gebe|geb) (?:\w+ )?auf\b|\bwir geben (?:\w+ )?auf\b|\b(?:j['’ ]?|nous )(?:abandonn|me "
        r"rends|capitul)\w*",
    ),
    (
        TIME,
        r"\b(?:more|extra|another) (?:time|days?|hours?|week)\b|\b\w+ (?:more|extra) (?:days?|hours?"
        r"|weeks?)\b|\bexten(?:d|sion)\b"
        r"|\b(?:postpone|delay the|hold the game|pause)\b"
        r"|\b(?:i|we)(?: am| are|['’]m|['’]re|['’]ll be| will be) (?:away|out of|travell?ing|on (?:holiday"
        r"|vacation|leave))\b"
        r"|\b(?:mehr zeit|verlängerung|verlängern|aufschub|im urlaub|verreist)\b|\b(?:plus de temps|en "
        r"vacances|prolong\w+|délai)\b",
    ),
    (
        WRONG,
        r"\b(?:is|was|are|looks?|seems?|went) (?:\w+ )?(?:wrong|mistaken|impossible)\b|\b(?:mistake|error"
        r"|bug|undo)\b"
        r"|\btake (?:it|that|them|this) back\b"
        r"|\b(?:falsch|fehler|irrtum)\b|\b(?:erreur|faux|incorrect)\b",
    ),
)
_KNOWN: Final = tuple((kind, regex(form, re.IGNORECASE)) for kind, form in _FORMS)


def wish(words: str) -> str:
    """Return what kind of wish some words hold; empty where they ask for nothing."""
    said = " ".join(words[:_MOST].split())
    found = next((kind for kind, form in _KNOWN if form.search(said)), "")
    return found or (QUESTION if "?" in said or "？" in said else "")
