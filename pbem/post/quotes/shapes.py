"""The shape of the head of a quoted letter, in whatever language: labels with an address or a date, a date
with a name, a rule with words.

Heads that programs are known to print are found in ``heads``. Here stands what is left: lines that look like
one to somebody who cannot read them. It decides nothing about what they mean. Nothing below such a line is
carried out, and its writer is asked; so they have to be lines that hardly anybody writes above his own
orders.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from pbem.core.regex import regex
from pbem.post.lines.keys import BRANCHES, Keys
from pbem.post.lines.line_answers import by_line

__all__ = ["cells", "head", "label"]

_LONGEST: Final = 400
_HINT: Final = regex(r"[@:：։៖]|\d[^\d]+\d|\d{3}|[-=_*~#.·–—<>+]{2}\s*$")
"""No head is without one of these."""
_FIELDS: Final = 12
"""So many lines of a head are looked at."""
_WRAPPED: Final = 3
"""Over how many lines an announcement may be broken."""
_LABEL: Final = regex(
    r"[\s*_]{0,12}([^\s:：|<>@\"()\[\]{}#=/\\,;!?*_-][^:：<>@\"\n]{0,30}?)[\s*_]{0,4}[:：](?!//)[*_]{0,4}(.*)",
    re.DOTALL,
)
_WORDS: Final = 3
"""A label has no more words."""
_OWN_WORDS: Final = """
    name player commander captain phone tel mobile fax address home post ps nb note deadline due code turn phase round orders order moves
    move movement mail email e-mail web www url site homepage skype icq discord spieler zug runde telefon adresse handy frist befehle joueur
    tour téléphone échéance ordres
"""
_OWN_LABELS: Final = frozenset(_OWN_WORDS.split())
"""What people write above or below their own words, with an address or a date behind it."""
_ADDRESS: Final = regex(r"[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,63}")
_ANGLED: Final = regex(r"<[\w.+-]{1,64}@[\w.-]{1,80}>|\[mailto:")
_NUMBER: Final = regex(r"\d+")
_YEAR: Final = regex(r"(?<![A-Za-z\d])(?:(?:19|20|13|14|25)\d\d|\d{1,2}[./-]\d{1,2}[./-]\d\d)(?![A-Za-z\d])")
"""A year: of Europe, of Persia, of Thailand."""
_CLOCK: Final = regex(r"(?<![A-Za-z\d.])\d{1,2}(?:[:٫.h]\d{2}(?![A-Za-z\d])| ?[ap]\.?m\b)", re.IGNORECASE)
_ENDS: Final = (":", "：", "։", "៖", "﹕", "܃")
_STOP: Final = regex(r"[.!?…]\s*$|(?<!\d)[.!?;]\s+([^\W\d])")
_OWN: Final = regex(
    r"\b(?:i|i'm|i'll|we|my|mine|our|orders?|moves?|turn|slot|phase|deadline|due|ich|wir|meine?n?|unsere?"
    r"|befehle|zug|runde|frist|je|nous|mes|mon|"
    r"ma|nos|ordres|tour|yo|mis?|io|mio|miei|ik|mijn|jag|min|mina|jeg|mine)\b",
    re.IGNORECASE,
)
"""Words of somebody's own sentence."""
_RULE: Final = "-=_*~#.·–—‐‑<>+"
_RULING: Final = rf"[{re.escape(_RULE)}](?: ?[{re.escape(_RULE)}]){{3,60}}"
_RULED: Final = regex(rf"\s*({_RULING})\s*([^\s{re.escape(_RULE)}].{{0,80}}?)\s*({_RULING})\s*")
_TITLE_WORDS: Final = 6
_STAMPED: Final = regex(
    r"[^,]*(?:\w+, )?[^,]*\d{4},? \d\d:\d\d(?::\d\d)?(?: [+-]\d{4})?,|\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?,"
)
"""A line that begins with a day and a time of day, and a comma behind them."""
_STAMP: Final = 10
"""A date with a time of day in so few words is hardly a sentence."""


def head(keys: Keys, texts: Sequence[str], at: int, end: int) -> int:
    """Return the line behind what looks like the head of another letter and begins on line ``at``; 0 where
    nothing does.
    """
    text = texts[at]
    if len(text) > _LONGEST or not _HINT.search(text) or keys.lined.match(text):
        return 0
    if _is_ruled(keys, text):
        begins_orders = at + 1 < end and keys.lined.match(texts[at + 1]) is not None
        return 0 if begins_orders else _behind(keys, texts, at + 1, end)
    return _labelled(keys, texts, at, end) or _announced(keys, texts, at, end)


@by_line
def label(keys: Keys, text: str) -> tuple[str, str]:
    """Return the label that a line begins with, in small letters, and what stands behind its colon; nothing
    where there is none.
    """
    found = _LABEL.match(cells(text[:_LONGEST]))
    if found is None:
        return "", ""
    name = " ".join(found[1].split()).strip(" *_").lower()
    if not name or len(name.split()) > _WORDS or any(sign.isdecimal() for sign in name):
        return "", ""
    if keys.known(name) or name in keys.standing or name in _NOT_LABELS:
        return "", ""
    return name, found[2].strip()


_NOT_LABELS: Final = frozenset({*BRANCHES, "everyone"})


def cells(text: str) -> str:
    """Return a row of a table of two columns as a line with a label; any other line as it is."""
    bare = text.strip()
    if not bare.startswith("|") or not bare.endswith("|") or bare.count("|") != 3:
        return text
    name, value = bare[1:-1].split("|")
    return f"{name.strip().rstrip(':：')}: {value.strip()}"


def _labelled(keys: Keys, texts: Sequence[str], at: int, end: int) -> int:
    """Return the line behind a run of lines with labels that holds an address or a date."""
    if not all(label(keys, texts[at])):
        return 0
    fields: list[tuple[str, str]] = []
    behind, number, blank = at, at, 0
    while number < end and len(fields) < _FIELDS:
        name, value = label(keys, texts[number]) if len(texts[number]) <= _LONGEST else ("", "")
        if name:
            fields.append((name, value))
            behind, blank = number + 1, 0
        elif texts[number].strip() or blank:
            break
        else:
            blank += 1
        number += 1

    told = [value for name, value in fields if name not in _OWN_LABELS]
    if len(fields) == 1:
        return (
            behind
            if told
            and (
                _ANGLED.search(told[0])
                or (_is_date(told[0]) and _CLOCK.search(told[0]) and not _is_sentence(told[0]))
            )
            else 0
        )

    if any(_ADDRESS.search(value) for value in told) or any(
        _is_date(value) and not _is_sentence(value) for value in told
    ):
        return behind

    return (
        behind
        if len(fields) >= 3 and any(_CLOCK.search(value) or _YEAR.search(value) for value in told)
        else 0
    )


def _announced(keys: Keys, texts: Sequence[str], at: int, end: int) -> int:
    """Return the line behind one to three lines that name a date or an address and end with a colon, or say
    nothing else.
    """
    joined = ""
    for last in range(at, min(at + _WRAPPED, end)):
        text = texts[last].strip(" *_")
        if (
            not text
            or len(text) > _LONGEST
            or keys.resembles(text)
            or keys.known(text.partition(":")[0].strip())
            or all(label(keys, text))
        ):
            return 0
        joined = f"{joined} {text}".strip()
        dated = _is_date(joined)
        addressed = _ADDRESS.search(joined) is not None
        if last == at and not (dated or addressed):
            return 0
        if joined.endswith(_ENDS) or joined.startswith(_ENDS):
            return 0 if _OWN.search(joined) else last + 1
        alone = (
            last + 1 >= end or not texts[last + 1].strip() or texts[last + 1].lstrip().startswith((">", "|"))
        )
        if alone:
            timed = dated and _CLOCK.search(joined) is not None
            stamped = timed and (_ANGLED.search(joined) is not None or _STAMPED.match(joined) is not None)
            plain = joined.rstrip(".") if stamped or (timed and len(joined.split()) <= _STAMP) else joined
            # "je" is French for "I", and Slovene for "is"
            own = not stamped and _OWN.search(joined) is not None
            if _stops(plain) or own or not (timed or (dated and addressed)):
                return 0
            return last + 1 if " " in joined and any(sign.isalpha() for sign in joined) else 0
    return 0


def _stops(text: str) -> bool:
    """Tell whether a sentence ends in a text; behind an abbreviation no capital follows."""
    return any(found[1] is None or found[1].isupper() for found in _STOP.finditer(text))


def _is_ruled(keys: Keys, text: str) -> bool:
    """Tell whether a line is words between two rules that nobody would write above his own orders."""
    found = _RULED.fullmatch(text[:200])
    if found is None or text.lstrip().startswith("- "):
        return False
    words = found[2].split()
    return (
        len(words) <= _TITLE_WORDS
        and any(sign.isalpha() for sign in found[2])
        and not keys.title.search(found[2])
        and not keys.resembles(found[2])
    )


def _behind(keys: Keys, texts: Sequence[str], at: int, end: int) -> int:
    """Return the line behind the fields that stand below a title, or the line below it."""
    number = at
    while number < end and not texts[number].strip():
        number += 1
    behind = at
    while number < end and number < at + _FIELDS and label(keys, texts[number])[0]:
        number += 1
        behind = number
    return behind


def _is_date(text: str) -> bool:
    """Tell whether a text names a day of a year, in the digits of any script."""
    plain = text if text.isascii() else unicodedata.normalize("NFKC", text)
    if _YEAR.search(plain) is not None:
        return len(_NUMBER.findall(plain)) >= 2
    return _CLOCK.search(plain) is not None and len(_NUMBER.findall(plain)) >= 4


def _is_sentence(text: str) -> bool:
    return _OWN.search(text) is not None or len(text.split()) > 14
