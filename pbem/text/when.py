"""Where a game stands, as people say it: ``turn 3, West``, ``day 2, turn 1, the baron``, ``setup, West``,
``day 4, the plan``.

The one place that turns a cursor into words; what counts slots is for proofs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from pbem.core.sequence import Cursor, parse_cursor
from pbem.text.words import ENGLISH, Words, in_force

__all__ = ["capital", "in_sentence", "of_cursor", "of_turn", "said"]


def said(words: Words, cursor: str, sides: Mapping[str, str], first: str = "") -> str:
    """Return the turn that a cursor (``t3.west.movement``) belongs to; ``sides`` are the names of sides.

    ``first`` is the id of the first phase of a player turn: a cursor in a later one says which. What is not a
    cursor is said as it stands.
    """
    try:
        found = parse_cursor(cursor)
    except ValueError:
        return cursor
    return of_cursor(words, found, sides, first)


def of_cursor(words: Words, cursor: Cursor, sides: Mapping[str, str], first: str = "") -> str:
    """Return the same of a cursor that is read already."""
    parts = _turn(words, cursor)
    if cursor.side:
        parts.append(sides.get(cursor.side, cursor.side))
    key = f"phase.{cursor.phase}"
    named = words.phrase(key) if words.knows("phrases", key) else cursor.phase.replace("_", " ")
    if not cursor.is_setup and (cursor.is_between or (first and cursor.phase != first)):
        parts.append(named)
    return ", ".join(parts)


def of_turn(words: Words, cursor: Cursor) -> str:
    """Return the day and the turn of a cursor, or that it is the setup, whosever it is: ``day 2, turn 1``;
    empty between turns.
    """
    return ", ".join(_turn(words, cursor))


def _turn(words: Words, cursor: Cursor) -> list[str]:
    parts = [words.phrase("when.day", day=cursor.day)] if cursor.day else []
    if cursor.is_setup:
        parts.append(words.phrase("when.setup"))
    elif cursor.turn:
        parts.append(words.phrase("when.turn", turn=cursor.turn))
    return parts


def in_sentence(text: str, names: Iterable[str]) -> str:
    """Return a sentence in which those of the names that begin with ``The`` begin small, but where a sentence
    begins with them; in English, which alone has a ``The``.
    """
    for name in names if in_force() == ENGLISH else ():
        if name.startswith("The ") and name in text:
            text = re.sub(rf"(?<=[^.!?:] ){re.escape(name)}\b", f"the {name[4:]}", text)
    return text


def capital(text: str) -> str:
    """Return words with a capital in front."""
    return text[:1].upper() + text[1:]
