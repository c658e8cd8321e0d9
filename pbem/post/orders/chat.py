"""Lines that begin as keys do and are conversation: ``side: west is doing fine``, ``Luck: I had none this
turn``; and keys without a colon.

It decides about lines that order nobody. With orders in one piece they are what they say; where they stand
alone among other words, some are certainly chat, and of the rest their writer is asked. A ``luck:`` that does
not speak about luck counts wherever it stands: a lock asks for exactly that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from pbem.core.regex import regex
from pbem.post.lines import walking
from pbem.post.lines.keys import Keys
from pbem.post.lines.rows import Row

__all__ = ["NOTED", "is_about_luck", "is_chat", "is_doubtful", "lost_colon", "with_colons"]

NOTED: Final = ("note", "message")
_NAMED: Final = ("game", "side", "seat", "turn")
_QUIET: Final = frozenset({*_NAMED, *NOTED, "luck", "standing"})
"""Keys that order nobody in any game."""
_WORD: Final = regex(r"[\"']?[\w.@-]{1,60}[\"']?[.,!]?")
_ABOUT_LUCK: Final = regex(
    r"""(?x)
    \b(?: (?:i|we|you|he|she|they)\s(?:had|have|has|got|get|was|were|am|are|rolled|roll|needed?|hope|ran|run|lost|threw|think|wish)
    | i'm | i've | (?:was|is|were|are|had|has|left|ran|turned|deserted|favou?red|smiled|abandoned)\s
      (?:all|not|never|with|on|against|me|my|us|our|you|your|out|gone|what|no)
    | dice | die | rolls? | rolled | (?:this|last|next)\s(?:turn|time|round) | (?:bad|good)\sluck | none | as\s(?:always|usual)
    | ich\s(?:hatte|habe|hab) | wir\s(?:hatten|haben) | würfel\w* | diese\srunde | keins | keines | kein\sglück
    | je\sn'?ai | j'ai | nous\savons | dés | ce\stour | aucune )\b
    """,
    re.IGNORECASE,
)
"""A sentence about luck, and no words for it."""
_COLONLESS: Final = regex(r" *(luck) +((?:[^\W\d_][\w'’-]*,? ?){2,9})\.? *", re.IGNORECASE)
_SENTENCE: Final = regex(
    r"(?:was|is|were|are|be|had|has|have|will|would|can|could|may|might|must|should|seems?|left|ran|runs"
    r"|turned|deserted|favou?rs|favou?red|smiled|smiles|"
    r"abandoned|and|or|of|in|on|at|to|for|with|but|if|when|that|this|did|does|do|came|comes|never|always"
    r"|permitting|willing|has|aside)\b",
    re.IGNORECASE,
)
"""How a sentence goes on that begins with the word."""
_LETTERS: Final = 8


def is_chat(keys: Keys, rows: Sequence[Row], said: Iterable[str], capital: bool, alone: bool) -> bool:
    """Tell whether lines that begin as keys do are certainly conversation.

    ``said`` are their keys, ``capital``: they begin as a sentence does, ``alone``: nothing else was written.
    """
    known = set(said)
    if not known <= _QUIET.union(keys.weak) or any(walking.is_item(row.text) for row in rows):
        return False
    if known <= set(keys.weak) and (capital or known <= {"game"}):
        return True
    for row in rows:
        key, _, end = keys.head(walking.view(row))
        value = walking.view(row)[end:].partition(" #")[0].strip()
        if key in _NAMED and value and not _WORD.fullmatch(value):
            return True
        if key == "standing" and value and not value.startswith("{"):
            return True
        if key == "luck" and not alone and capital and _ABOUT_LUCK.search(value):
            return True
    return False


def is_doubtful(keys: Keys, rows: Sequence[Row], said: Iterable[str]) -> bool:
    """Tell whether such lines may be meant or not where other words stand round them."""
    known = set(said)
    if not known <= _QUIET.union(keys.weak) or any(walking.is_item(row.text) for row in rows):
        return False
    if "luck" not in known:
        return not known.isdisjoint(NOTED)
    lucks = [walking.view(row) for row in rows if keys.head(walking.view(row))[0] == "luck"]
    return any(_ABOUT_LUCK.search(text) is not None for text in lucks)


def is_about_luck(text: str) -> bool:
    """Tell whether words behind ``luck:`` are a sentence about luck."""
    return _ABOUT_LUCK.search(text) is not None


def lost_colon(row: Row) -> bool:
    """Tell whether a line has the form of ``luck nine sober storks``: words for luck without the colon, and
    no sentence.
    """
    found = _COLONLESS.fullmatch(row.text[:200])
    if found is None or _SENTENCE.match(found[2]) or _ABOUT_LUCK.search(found[2]):
        return False
    letters = sum(1 for sign in found[2] if sign.isalpha())
    return letters >= _LETTERS


def with_colons(keys: Keys, rows: Sequence[Row | None], others: Sequence[str]) -> Sequence[Row | None]:
    """Return rows with the colon behind ``luck`` where it got lost right beside orders, or in all that
    somebody wrote.

    ``others`` are words that say nothing beside it.
    """
    places = [at for at, row in enumerate(rows) if row is not None and lost_colon(row)]
    if len(places) != 1 or any(row is not None and keys.head(row.text)[0] == "luck" for row in rows):
        return rows
    at = places[0]
    row = rows[at]
    assert row is not None
    beside = [
        near
        for near in (rows[at - 1] if at else None, rows[at + 1] if at + 1 < len(rows) else None)
        if near is not None
    ]
    more = (one for number, one in enumerate(rows) if one is not None and number != at and not one.blank)
    says_more = any(
        not {word.lower() for word in re.findall(r"[^\W\d_]+", one.text)} <= set(others) for one in more
    )
    if says_more and not any(keys.head(near.text)[0] or walking.is_item(near.text) for near in beside):
        return rows
    mended = row.copy()
    end = len(row.text) - len(row.text.lstrip(" ")) + len("luck")
    mended.text = f"{row.text[:end]}:{row.text[end:]}"
    mended.columns.insert(end, row.columns[end - 1])
    mended.note("repair.key", row.text[:end].strip(), "luck:")
    return [*rows[:at], mended, *rows[at + 1 :]]
