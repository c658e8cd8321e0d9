"""Why orders that were read are to wait until their writer sends them again: he doubts, puts off or corrects
them in words beside them.

Held orders are a draft at most, so it costs one letter more where these words meant nothing, and a turn where
they did and were not heard. Still they have to be said: "good luck!" and "sorry that I am late" hold nothing.
A word alone never does; what counts is a phrase about the orders, or a place or somebody of the orders in a
sentence that says something else of them.

English, German and French are known, as in ``knitting``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.core.regex import regex
from pbem.post.lines import doubts, walking
from pbem.post.lines.keys import Keys
from pbem.post.lines.message import Found
from pbem.post.lines.rows import Row
from pbem.text.characters import PLACE, printable

__all__ = ["OwnLine", "held", "said_in", "without_final"]

_LONGEST: Final = 1_000
"""What stands behind so many characters of a paragraph is not looked at."""
_MOST: Final = 200
"""Lines of somebody's words that are looked at."""
_QUOTED: Final = 160
_REASONS: Final = 3
"""Reasons that are told."""


_QUALIFIED: Final = regex(
    r"\b(?:if|unless|only|maybe|perhaps|falls|wenn|vielleicht|si|peut-être)\b", re.IGNORECASE
)
_OF_NUMBER: Final = regex(
    r"(?:\d|\b(?:tel|phone|fax|mobile|room|pin|code|no|nr|num|slot|game|page|rule|in|since|until|of|anno"
    r"|version|seit|bis|jahr|depuis|en))\W{0,3}$",
    re.IGNORECASE,
)
_MORE_DIGITS: Final = regex(r" ?[0-9]")
_SENTENCES: Final = regex(r"(?<=[.!?;…])\s+|\n")
_NAME: Final = regex(r"[^\W\d_][\w'-]{2,23}")
_APOSTROPHES: Final = str.maketrans("’‘´`", "''''")
_FINAL: Final = ("luck", "final")
"""Keys that make orders final."""


class OwnLine(Struct, frozen=True):
    """A line of somebody's own words beside his orders: its number, and whether it stands below them."""

    text: str
    number: int
    below: bool


def said_in(rows: Sequence[Row], ordered: Sequence[int]) -> tuple[OwnLine, ...]:
    """Return own lines that are not comments; ``ordered`` are the numbers of the lines of the orders among
    them, if any.
    """
    last = max(ordered, default=0)
    return tuple(
        OwnLine(row.text, row.number, 0 < last < row.number)
        for row in rows[:_MOST]
        if not row.blank and not row.text.lstrip().startswith("#")
    )


def held(keys: Keys, data: bytes, said: Sequence[OwnLine]) -> tuple[Problem, ...]:
    """Return why orders are to wait, in the words that make them; nothing where nobody's words say so."""
    orders = data.decode("utf-8", "replace")
    people, places = _named(keys, orders)
    found: list[Problem] = []
    for text, number, below in (*_sentences(said), *_notes(keys, orders)):
        plain = text.translate(_APOSTROPHES)
        code = _reason(keys, plain, below, people, places)
        if code and len(found) < _REASONS:
            found.append(
                Problem(code, {"line": number, "text": _quoted(text)}, (PLACE, number, 1) if number else ())
            )
    return tuple(found)


def _quoted(text: str) -> str:
    """Return somebody's words as they can be quoted to him: on one line, and not too many."""
    plain = printable(" ".join(text.split()))
    return plain if len(plain) <= _QUOTED else f"{plain[: _QUOTED - 3]}..."


def _sentences(said: Sequence[OwnLine]) -> Iterator[tuple[str, int, bool]]:
    """Yield sentences, those that go on over lines put together, with the number of the line on which they
    begin.
    """
    joined: list[OwnLine] = []
    for one in (*said, None):
        if joined and (one is None or one.number != joined[-1].number + 1 or one.below != joined[-1].below):
            text = " ".join(part.text.strip() for part in joined)[:_LONGEST]
            for sentence in _SENTENCES.split(text):
                if sentence.strip():
                    yield sentence.strip(), _line_of(joined, sentence), joined[0].below
            joined = []
        if one is not None:
            joined.append(one)


def _line_of(lines: Sequence[OwnLine], sentence: str) -> int:
    begin = sentence.strip()[:12]
    return next((one.number for one in lines if begin in one.text), lines[0].number)


def _notes(keys: Keys, orders: str) -> Iterator[tuple[str, int, bool]]:
    """Yield what a note in the orders says to the umpire; places and people in it are not second thoughts."""
    for line in orders.split("\n"):
        key, _, end = keys.head(line)
        if key == "note":
            for sentence in _SENTENCES.split(line[end:].strip(" \"'|>")):
                if doubts.POSTPONED.search(sentence.translate(_APOSTROPHES)):
                    yield sentence, 0, False


def _reason(keys: Keys, sentence: str, below: bool, people: frozenset[str], places: frozenset[str]) -> str:
    if doubts.POSTPONED.search(sentence):
        return "held.postponed"
    if below and doubts.RETURNED.search(sentence):
        return "held.corrected"
    instead = keys.instead.search(sentence) is not None
    named = {word.lower() for word in _NAME.findall(sentence)} & people
    for found in keys.place.finditer(sentence):
        if _is_place(keys, sentence, found, bool(named)) and (
            instead or found.group() not in places or _QUALIFIED.search(sentence)
        ):
            return "held.corrected"
    if named and instead and _orders_something(keys, sentence, named):
        return "held.corrected"
    return ""


def _is_place(keys: Keys, sentence: str, found: re.Match[str], named: bool) -> bool:
    """Tell whether what looks like a place is one rather than a year or a part of another number.

    ``named``: somebody of the orders is spoken of.
    """
    before, after = sentence[: found.start()], sentence[found.end() :]
    if _MORE_DIGITS.match(after):
        return False
    unlike = keys.unlike.fullmatch(found.group()) is not None
    if keys.of_place.search(before) and not (unlike and keys.called.search(before) is None):
        return True
    return (
        _OF_NUMBER.search(before) is None
        and not unlike
        and (named or found.group().startswith("0") or not found.group().isdigit())
    )


def _orders_something(keys: Keys, sentence: str, named: set[str]) -> bool:
    """Tell whether a sentence says what somebody is to do, or is not."""
    who = "|".join(map(re.escape, sorted(named)))
    found = re.search(
        rf"\b(?:{who})\b,? (?:\w+ )?(?:{keys.told})\b|\b(?:{doubts.LEFT_OUT}) (?:\w+ )?(?:{who})\b",
        sentence,
        re.IGNORECASE,
    )
    return found is not None


def _named(keys: Keys, orders: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return who is ordered to do something in an order text, and the places in it."""
    people: set[str] = set()
    for line in orders.split("\n")[:400]:
        if walking.is_item(line):
            behind = line[walking.bullet(line)[1] :]
            for word in behind.replace(",", " ").split()[:40]:
                if not _NAME.fullmatch(word) or word.lower() in keys.order_words:
                    break
                people.add(word.lower())
    return frozenset(people), frozenset(keys.place_within.findall(orders))


def without_final(keys: Keys, found: Found) -> Found:
    """Return orders without the lines that make them final, such as ``luck:`` and its words."""
    lines = found.data.decode("utf-8", "replace").split("\n")
    kept: list[int] = []
    dropping = False
    for number, line in enumerate(lines):
        key = keys.head(line)[0] if not line.startswith(" ") else ""
        dropping = key in _FINAL or (dropping and (line.startswith((" ", "\t"))))
        if not dropping:
            kept.append(number)
    data = "\n".join(lines[number] for number in kept).encode("utf-8", "replace")
    return replace(
        found, data=data, lines=tuple(found.lines[number] for number in kept if number < len(found.lines))
    )
