"""Headings and keys as people type them who do not know the form: ``MOVE``, ``movement:``, ``side = east``,
orders without a dash.

It mends what can mean one thing only, line by line, before anybody asks where orders begin and end. What is
typed inside an order is decided by the rules of the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pbem.core.regex import regex
from pbem.post.lines import walking
from pbem.post.lines.keys import NAMED, Keys
from pbem.post.lines.rows import Row
from pbem.text.free import FREE

__all__ = ["mended"]

_LONGEST: Final = 400
_COUNTED: Final = regex(r" *(\((?:[a-z]|[0-9]{1,2})\)|[a-z][.)](?= )|--(?=[ A-Za-z])) *")
_NAMED: Final = regex(r" +([A-Za-z][\w' -]{0,40}): *\S")
_BARE: Final = regex(
    r"(?P<mark> *(?:#{1,6} |[*_=~-]{1,3} ?)?)(?P<word>[A-Za-z](?:[A-Za-z]|[ "
    r"_-](?=[A-Za-z])){2,24})(?P<end>(?: ?[*_:=.~-]){0,4}) *$"
)
_EQUAL: Final = regex(r"( *)([A-Za-z][A-Za-z_-]{2,11}) *(?P<sign>=|->|→|;)(?!=) *")


def mended(keys: Keys, rows: Sequence[Row | None]) -> list[Row | None]:
    """Return rows, headings and keys mended in them; ``None`` stands where lines of others were."""
    out: list[Row | None] = []
    for row in rows:
        out += _parted(keys, row) if row is not None and len(row.text) <= _LONGEST else [row]
    named = False
    for at, row in enumerate(out):
        if row is None or row.blank or len(row.text) > _LONGEST:
            continue
        named = _of_names(keys, row, named)
        if (counted := _COUNTED.match(row.text)) and keys.spoken(row.text[counted.end() :]):
            row.note("repair.bullet", counted[1], "-")
            row.replace(counted.start(1), counted.end(), "- ")
        found = _EQUAL.match(row.text)
        if found is not None and keys.known(found[2]) in (*NAMED, *FREE):
            was = row.text.strip()
            sign, behind = found.start("sign"), found.end()
            row.columns = [
                *row.columns[: found.end(2)],
                row.columns[sign],
                row.columns[behind - 1],
                *row.columns[behind:],
            ]
            row.text = f"{row.text[: found.end(2)]}: {row.text[behind:]}"
            row.note("repair.key", was[:40], row.text.strip()[:40])
        elif (heading := _heading(keys, row)) and not _is_rest(out, at) and _order_below(keys, out, at):
            was = row.text.strip()
            row.replace(0, len(row.text), f"{heading}:")
            row.note("repair.key", was, f"{heading}:")
    return out


def _of_names(keys: Keys, row: Row, named: bool) -> bool:
    """Put a dash in front of ``tudur: 0707`` further in below its heading; tell whether the next line may be
    another such one.
    """
    key, _, end = keys.head(row.text)
    if key:
        return key in keys.sections and not row.text[end:].strip()
    found = _NAMED.match(row.text) if named else None
    if found is None or found[1].lower() in keys.form or not keys.spoken(row.text.replace(":", " ", 1)):
        return named and row.text.lstrip().startswith("#")
    row.note("repair.missing-dash", "", row.text.strip()[:40])
    row.begin(0)
    row.replace(0, 0, "- ")
    return True


def _parted(keys: Keys, row: Row) -> list[Row | None]:
    """Return a row as it is, or in two where an order stands on the line of its heading."""
    key, _, end = keys.head(row.text)
    said = row.text[end:].strip()
    if (
        key not in keys.sections
        or not said
        or said[0] in "[{\"'#|>&!-"
        or not (keys.sentence(said) or keys.spoken(said))
    ):
        return [row]
    first, second = row.copy(), row.copy()
    first.replace(end, len(first.text), "")
    second.cut(row.text.index(said, end))
    second.replace(0, 0, "- ")
    second.note("repair.missing-dash", "", said[:40])
    return [first, second]


def _heading(keys: Keys, row: Row) -> str:
    """Return the section that a line alone names in other words than its own, or without its colon; nothing
    where it names none.
    """
    found = _BARE.match(row.text)
    if found is None or keys.head(walking.view(row))[0]:
        return ""
    word = found["word"]
    known = keys.known(word)
    return known if known in keys.sections else keys.meant(word)


def _is_rest(rows: Sequence[Row | None], at: int) -> bool:
    """Tell whether a line stands further in than the order right above it, whose last word it then is and no
    heading: ``attacks``.
    """
    row, above = rows[at], rows[at - 1] if at else None
    if row is None or above is None or above.blank or row.indent <= above.indent:
        return False
    return walking.is_item(above.text) or above.text.lstrip().startswith(("–", "—"))


def _order_below(keys: Keys, rows: Sequence[Row | None], at: int) -> bool:
    """Tell whether the next line that is not empty is an order."""
    for row in rows[at + 1 : at + 4]:
        if row is None:
            return False
        if not row.blank:
            return walking.is_item(row.text) or keys.sentence(row.text) or keys.spoken(row.text)
    return False
