"""Somebody's words behind ``message:``, ``note:`` and ``luck:``: all of them are kept, whatever signs are in
them.

It decides where such words end, and puts them into quotes where the strict reader would take a part of them
for something else: what stands behind `` #`` for a comment, a second colon for a key.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Final

from pbem.core.regex import regex
from pbem.post.lines import walking
from pbem.post.lines.keys import Keys
from pbem.post.lines.rows import Row
from pbem.post.lines.walking import BLANK, KEY, REST, WORDS
from pbem.text.free import FREE, loses_words
from pbem.text.source import read

__all__ = ["keep", "paragraphs"]

_HARMLESS: Final = regex(r" ?[A-Za-z0-9](?:[^:#]|:(?=[^ \n])|(?<! )#)*")
_LONG: Final = ("message", "note")


def paragraphs(keys: Keys, rows: Sequence[Row]) -> None:
    """Put the lines that stand right below a message or a note, and are nothing else, behind it: they are its
    rest.
    """
    below = False
    for row in rows:
        key = keys.head(row.text)[0]
        if key:
            below = key in _LONG
        elif row.blank or walking.ordered(keys, row) or keys.near(row.text):
            below = False
        elif below and not row.indent:
            row.begin(2)
            row.note("repair.words-on", row.text.strip()[:40])


def keep(keys: Keys, rows: list[Row], roles: Sequence[str]) -> tuple[list[Row], list[str]]:
    """Return rows in which somebody's words are read as they stand there, and the roles of these rows."""
    out: list[Row] = []
    left: list[str] = []
    at = 0
    while at < len(rows):
        row = rows[at]
        out.append(row)
        left.append(roles[at])
        key, _, end = keys.head(row.text)
        at += 1
        if roles[at - 1] != KEY or key not in FREE:
            continue
        last = at
        while last < len(rows) and roles[last] in (WORDS, REST, BLANK):
            last += 1
        while last > at and rows[last - 1].blank:
            last -= 1
        if _goes_on(keys, row.text[end:].strip(), rows[at:]):
            continue
        if (
            (last == at and _HARMLESS.fullmatch(row.text, end))
            or _block(row.text[end:])
            or _stands(row, rows[at:last], key)
        ):
            continue
        for other in rows[at:last]:
            if not other.blank:
                row.join(other)
        at = last
        said = row.text[end:].strip()
        if said:
            begin = row.text.index(said, end)
            row.replace(begin, begin + len(said), json.dumps(_bare(said), ensure_ascii=False))
            row.note("repair.words-kept", key)
    return out, left


def _bare(said: str) -> str:
    """Return words without the quotes round all of them."""
    return (
        said[1:-1]
        if len(said) > 1 and said[0] == said[-1] and said[0] in "'\"" and said[0] not in said[1:-1]
        else said
    )


def _goes_on(keys: Keys, said: str, below: Sequence[Row]) -> bool:
    """Tell whether words begin with a quotation mark that is closed on a line below, in front of the next
    key.
    """
    if said[:1] not in ("'", '"') or said[1:].endswith(said[0]):
        return False
    for row in below:
        if keys.head(row.text)[0]:
            return False
        if row.text.rstrip().endswith(said[0]):
            return True
    return False


def _block(value: str) -> bool:
    return value.strip()[:1] in ("|", ">") and len(value.strip()) < 4


def _stands(row: Row, below: Sequence[Row], key: str) -> bool:
    """Tell whether words are read as they stand, whether in quotes or not."""
    source = read("\n".join([row.text, *(other.text for other in below)]).encode("utf-8", "replace"))
    if source.problems or not isinstance(source.data, Mapping):
        return False
    return key in source.data and not loses_words(source)
