"""One text of a letter, read for orders: whose its lines are, what was taken of them, and why nothing was.

It decides about one text alone; which of several texts and files counts is decided in ``finding``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

from msgspec import Struct

from pbem.core.problem import Problem, worst
from pbem.core.regex import regex
from pbem.post.lines import signs, walking
from pbem.post.lines.keys import Keys
from pbem.post.lines.message import Line, Text
from pbem.post.lines.rows import Row, rows_of
from pbem.post.orders import blocks, slips
from pbem.post.orders.blocks import ExtractedOrders
from pbem.post.orders.repair import Mended, mend
from pbem.post.quotes import heads, quoting
from pbem.text.characters import PLACE, shown

__all__ = ["Reading", "read"]

_WHY: Final = {
    quoting.QUOTE: "mail.only-quoted",
    quoting.FORWARD: "mail.passed-on",
    quoting.BELOW: "mail.below-mark",
    quoting.SIGNATURE: "mail.in-signature",
    quoting.FOOTER: "mail.in-signature",
    quoting.RULED: "mail.below-rule",
    quoting.HEADED: "mail.below-head",
}
_WEIGHTY: Final = (
    "mail.below-head",
    "mail.in-signature",
    "mail.below-rule",
    "mail.passed-on",
    *_WHY.values(),
)
_STRANGERS: Final = frozenset(
    {"mail.only-quoted", "mail.passed-on", "mail.below-mark", "mail.below-head", "mail.among-quotes"}
)
"""Reasons to believe that the orders of a letter are somebody else's."""
_CLEARSIGNED: Final = "-----BEGIN PGP SIGNED MESSAGE-----"
_PGP_SIGNATURE: Final = "-----BEGIN PGP SIGNATURE-----"
_PGP_END: Final = "-----END PGP SIGNATURE-----"
_SPACES: Final = regex(r"[\s*•·\-–—>|#]+")


class Reading(Struct):
    """One text as read, and by which words. ``raw`` are its own lines as they came, ``rows`` the same with
    their signs cleaned; None where others speak."""

    keys: Keys
    text: Text
    kinds: list[str]
    raw: list[Row | None]
    rows: list[Row | None]
    taken: ExtractedOrders
    mended: Mended | None
    problems: list[Problem]
    below: Problem | None = None
    """Orders that were not read, below what looks like the head of another letter; those above it were."""

    @property
    def whole(self) -> bool:
        """Tell whether orders were taken that can be read from end to end."""
        return self.mended is not None and self.mended.whole

    @property
    def strange(self) -> bool:
        """Tell whether there are orders that seem to be somebody else's, and none of his own."""
        return self.mended is None and any(problem.code in _STRANGERS for problem in self.problems)

    @property
    def refused(self) -> str:
        """Return the reason why nothing of it is read though there are orders, or nothing."""
        return "" if self.mended is not None else next((problem.code for problem in self.problems), "")

    @property
    def forms(self) -> int:
        """Return how many own lines have the form of a key or an order."""
        return sum(
            1
            for row in self.rows
            if row is not None
            and (walking.is_item(row.text) or self.keys.head(row.text)[0] or row.text.startswith("#"))
        )


def read(
    keys: Keys, text: Text, subject: str = "", names: Sequence[str] = (), stuffed: bool = False
) -> Reading:
    """Return what a text says.

    ``stuffed``: it is the text of a flowed letter as it travelled, with a space before some lines.
    """
    kinds = quoting.kinds(keys, text.lines, heads.is_passed_on(subject))
    raw: list[Row | None] = []
    for line, kind in zip(text.lines, kinds, strict=True):
        if kind != quoting.OWN:
            raw.append(None)
            continue
        for row in rows_of([line]):
            if stuffed and row.text.startswith(" "):
                row.cut(1)
            raw.append(row)

    raw = _uncovered(raw)
    rows = [None if row is None else row.copy() for row in raw]
    filled = [row for row in rows if row is not None]
    signs.unmangle(filled)
    for row in filled:
        signs.clean(row)
    rows = slips.mended(keys, rows)
    taken = blocks.take(keys, rows, names)
    reading = Reading(keys, text, kinds, raw, rows, taken, None, list(taken.problems))
    if taken.rows and not worst(taken.problems):
        mended = mend(keys, taken.rows, _as_it_came(raw, taken.rows))
        if mended.problems and not mended.whole:
            reading.problems += mended.problems
        else:
            reading.mended = mended
            if (
                quoting.HEADED in kinds
                and (why := _elsewhere(keys, text.lines, kinds))
                and why.code == _WHY[quoting.HEADED]
            ):
                reading.below = why
    elif not reading.problems and (why := _elsewhere(keys, text.lines, kinds)):
        reading.problems.append(why)
    return reading


def _as_it_came(raw: Sequence[Row | None], rows: Sequence[Row]) -> list[Row]:
    """Return the lines of an order text before anything was mended in them."""
    numbers = {row.number + below for row in rows for below in range(row.source.count("\n") + 1)}
    return [row for row in raw if row is not None and row.number in numbers]


def _uncovered(rows: list[Row | None]) -> list[Row | None]:
    """Return the lines of a text that PGP signed in the clear as they were before: without its frame and the
    dashes it put in front.
    """
    begin = next(
        (at for at, row in enumerate(rows) if row is not None and row.text.strip() == _CLEARSIGNED), -1
    )
    if begin < 0:
        return rows
    out = rows[:begin]
    at = begin + 1
    while at < len(rows) and (row := rows[at]) is not None and not row.blank:
        at += 1
    inside, covered = True, False
    for row in rows[at:]:
        if row is None:
            out.append(None)
        elif inside and row.text.startswith(_PGP_SIGNATURE):
            inside, covered = False, True
        elif covered:
            covered = not row.text.startswith(_PGP_END)
        else:
            if inside and row.text.startswith("- "):
                row.cut(2)
            out.append(row)
    return out


def _elsewhere(keys: Keys, lines: Sequence[Line], kinds: Sequence[str]) -> Problem | None:
    """Return why nothing is read where orders stand in a part that is not the writer's own; the weightiest
    reason first.
    """
    found: dict[str, Problem] = {}
    head = ""
    for line, kind in zip(lines, kinds, strict=True):
        code = _WHY.get(kind)
        head = "" if kind != quoting.HEADED else head or line.text
        if code is None or not _ordered(keys, line.text):
            continue
        if kind == quoting.BELOW and (line.quoted or quoting.prefixed(line.text)):
            code = "mail.only-quoted"
        if code not in found:
            args: dict[str, str | int] = {"line": line.number, "text": shown(line.text.strip())}
            found[code] = Problem(
                code, args if not head else {**args, "head": shown(head.strip())}, (PLACE, line.number, 1)
            )
    return next((found[code] for code in _WEIGHTY if code in found), None)


def _ordered(keys: Keys, text: str) -> bool:
    """Tell whether somebody else's line has the form of a key of orders, or of an order."""
    bare = quoting.unquoted(heads.flat(text[:400])).strip()
    key, _, _ = keys.head(bare)
    return bool(key and key not in keys.weak) or (walking.is_item(bare) and keys.resembles(bare))


class Lines:
    """The lines of a text, made comparable: who says what, whatever the layout."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading

    @cached_property
    def own(self) -> frozenset[str]:
        """Return its writer's own lines."""
        return frozenset(self._of(own=True))

    @cached_property
    def others(self) -> frozenset[str]:
        """Return the lines of others."""
        return frozenset(self._of(own=False))

    def _of(self, own: bool) -> Iterator[str]:
        for line, kind in zip(self.reading.text.lines, self.reading.kinds, strict=True):
            if (kind == quoting.OWN) == own and len(line.text) < 1_000:
                yield squeezed(line.text)


def squeezed(text: str) -> str:
    """Return a line without the signs and spaces in which plain text and HTML differ."""
    return " ".join(_SPACES.sub(" ", heads.flat(text)).lower().split())
