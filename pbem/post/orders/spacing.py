"""Empty lines that a program put between the lines of an order text, and that its writer did not.

They mean nothing to whoever reads the orders; without them the text is what was typed. An empty line between
two sections stays.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from pbem.post.lines.keys import Keys
from pbem.post.lines.rows import Row
from pbem.post.lines.walking import INNER, ITEM, KEY, ordered

_PAIRS: Final = 3


def single(keys: Keys, rows: Sequence[Row | None]) -> Sequence[Row | None]:
    """Return rows without the empty ones, where one stands behind each line as far as there are orders."""
    places = [at for at, row in enumerate(rows) if row is not None and not row.blank and ordered(keys, row)]
    if not places:
        return rows
    begin = end = places[0]
    while end + 1 < len(rows) and _is_pair(rows[end], rows[end + 1]):
        end += 2
    if end - begin < 2 * _PAIRS or places[-1] > end:
        return rows
    return [*rows[:begin], *rows[begin:end:2], *rows[end:]]


def _is_pair(first: Row | None, second: Row | None) -> bool:
    return first is not None and second is not None and second.blank


def close_up(rows: Sequence[Row], roles: Sequence[str]) -> list[Row]:
    """Return rows without empty ones below a heading, between all orders of a list, or behind every single
    key.
    """
    filled = [at for at, row in enumerate(rows) if not row.blank]
    pairs = [(at, below) for at, below in pairwise(filled) if below > at + 1]
    loose = {at for at, _ in pairs}
    keyed = [at for at in filled[:-1] if roles[at] == KEY]
    if len(keyed) > 1 and loose.issuperset(keyed):
        return [rows[at] for at in filled]
    dropped = {
        at
        for at, below in pairs
        if roles[at] == KEY and rows[at].text.endswith(":") and roles[below] in (ITEM, INNER)
    }
    run: list[int] = []
    for at in [*filled, -1]:
        if at >= 0 and roles[at] == ITEM:
            run.append(at)
            continue
        if len(run) > 1 and loose.issuperset(run[:-1]):
            dropped.update(run[:-1])
        run = []
    return [row for number, row in enumerate(rows) if not row.blank or _above(filled, number) not in dropped]


def _above(filled: Sequence[int], at: int) -> int:
    """Return the line with something in it that stands above an empty one."""
    place = bisect_left(filled, at)
    return filled[place - 1] if place else -1
