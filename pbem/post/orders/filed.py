"""An order file that somebody gives by hand, mended as a letter is: the same hands, the same slips.

It decides what is left of a file before it is read: its marks of one quotation, its lines that are not
orders. What is mended in a line is decided in ``repair``. Signed files never come here, nor do files that can
be read as they are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct, field

from pbem.core.problem import Problem, worst
from pbem.core.regex import regex
from pbem.post.lines import codes, signs, walking
from pbem.post.lines.keys import ANSWERS, STANDING, Keys
from pbem.post.lines.message import Origin, Repair
from pbem.post.lines.rows import Row, rows_of
from pbem.post.mail import charsets, files
from pbem.post.orders import blocks, freetext, slips
from pbem.post.orders.repair import Mended, mend
from pbem.text.characters import PLACE
from pbem.text.free import FREE

__all__ = ["Filed", "filed"]

_BOMS: Final = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_MARK: Final = regex(r"[ \t\u00a0]{0,3}(?:>|&gt;|\|(?![-+0-9 ]*$)) ?")
_KEY: Final = regex(r" *([A-Za-z][A-Za-z0-9_-]{1,15}) ?:(?: +(\S)|$)")
_PAGE: Final = regex(r"\s*<(?:!doctype|html|head|body|div|p|b|br|table)\b", re.IGNORECASE)
_MOST: Final = 65_536


class Filed(Struct, frozen=True):
    """A file as it is read: ``lines`` has an origin for each line of ``data``, ``repairs`` what was done to
    it.

    ``problems`` say why nothing of it can be read, each with a place in the file as it was given.
    """

    data: bytes = b""
    lines: tuple[Origin, ...] = ()
    repairs: tuple[Repair, ...] = ()
    problems: tuple[Problem, ...] = ()
    lost: tuple[str, ...] = ()
    """Lines with a problem, which are not in ``data``."""


def filed(keys: Keys, data: bytes) -> Filed | None:
    """Return a file mended; None where it is empty, or so long that it can be no order file."""
    if len(data) > _MOST:
        return None
    text, _ = charsets.decode(data)
    if "\0" in text or text.startswith("PK\x03\x04"):
        return Filed(problems=(Problem("file.no-text"),))
    if _PAGE.match(text):
        return Filed(problems=(Problem("file.page"),))
    text = text.removeprefix("\ufeff")
    rows = rows_of(files.numbered(files.lines_of(text)))
    if not rows:
        return None
    if data.startswith(_BOMS) or not _is_utf8(data):
        rows[0].note("repair.saved")
    aside = _Aside()
    rows = _unquoted(rows, aside)
    raw = [row.copy() for row in rows]
    signs.unmangle(rows)
    for row in rows:
        signs.clean(row)
    rows = [
        row
        for row in slips.mended(keys, [row for row in rows if not codes.is_line(row.text)])
        if row is not None
    ]
    freetext.paragraphs(keys, rows)
    _dashed(keys, rows)
    if not any(keys.head(walking.view(row))[0] for row in rows):
        return _headless(keys, rows, aside)
    rows = _housed(keys, rows, aside)
    whole = mend(keys, rows, [row for row in raw if not codes.is_line(row.text)])
    if whole.whole:
        return _as_found(whole, (), aside)
    taken = blocks.take(keys, rows)
    first = min((row.number for row in taken.rows), default=0)
    left = [row for row in taken.own if not row.blank]
    if (
        taken.rows
        and not worst(taken.problems)
        and not any(_means(keys, row, row.number < first) for row in left)
    ):
        mended = mend(keys, taken.rows)
        if mended.whole or not mended.problems:
            return _as_found(mended, left, aside)

    aside.problems += worst(taken.problems)
    return _as_found(whole, (), aside)


def _headless(keys: Keys, rows: list[Row], aside: _Aside) -> Filed | None:
    """Say what is missing in a file without a single key: a section above its orders, or orders; None where a
    key is misspelt.
    """
    filled = [row for row in rows if not row.blank]
    if any(_KEY.match(row.text) and not row.indent for row in filled):
        return None
    orders = [
        row
        for row in filled
        if keys.resembles(row.text) or (keys.spoken(row.text) and keys.certain.search(row.text))
    ]
    if orders:
        _without(rows, orders, aside, "file.no-section")
    else:
        aside.problems.append(Problem("file.no-orders", {}, (PLACE, filled[0].number if filled else 1, 1)))
    return _as_found(Mended((), (), False), (), aside)


class _Aside(Struct):
    """What is left out of a file because something is wrong with it, and what."""

    rows: list[Row] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def _means(keys: Keys, row: Row, above: bool) -> bool:
    """Tell whether a line may be a key that nobody knows, or below the first order another one, and so no
    words round the orders.
    """
    if not above and keys.certain.search(row.text) and keys.spoken(row.text):
        return True
    found = _KEY.match(row.text)
    return found is not None and not (above and found[1][:1].isupper() and not found[2])


def _as_found(mended: Mended, left: Sequence[Row], aside: _Aside) -> Filed:
    """Return a mended text, with what was left out of it among the repairs."""
    out = tuple(Repair("repair.left-out", row.number, row.text.strip()[:60]) for row in left)
    repairs = sorted((*mended.repairs, *out), key=lambda repair: repair.number)
    lines = tuple(row.origin() for row in mended.rows)
    return Filed(
        mended.data, lines, tuple(repairs), tuple(aside.problems), tuple(row.text for row in aside.rows)
    )


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _dashed(keys: Keys, rows: list[Row]) -> None:
    """Put a dash in front of every line right below a heading or an order that is nothing else; whoever reads
    it says what it is.
    """
    walk = walking.Walk(keys)
    touching = False
    for row in rows:
        role = walk.role(walking.view(row))
        key = _KEY.match(row.text) is not None and not keys.spoken(row.text.replace(":", " ", 1))
        if (
            role == walking.OTHER
            and touching
            and walk.key in keys.sections
            and " " in row.text.strip()
            and not key
        ):
            row.note("repair.missing-dash", "", row.text.strip()[:40])
            row.begin(0)
            row.replace(0, 0, "- ")
        else:
            touching = role in (walking.KEY, walking.ITEM) or (touching and role == walking.COMMENT)


def _housed(keys: Keys, rows: list[Row], aside: _Aside) -> list[Row]:
    """Return rows without the orders that stand below no section, which are put aside."""
    walk = walking.Walk(keys)
    homeless: list[Row] = []
    unknown = False  # below a key that nobody knows, which is told
    for row in rows:
        role = walk.role(walking.view(row))
        unknown = (unknown or (not row.indent and _KEY.match(row.text) is not None)) and role != walking.KEY
        if (
            role == walking.ITEM
            and not unknown
            and walk.key not in (*keys.sections, STANDING, ANSWERS, *FREE)
        ):
            homeless.append(row)
    return _without(rows, homeless, aside, "file.no-section")


def _unquoted(rows: list[Row], aside: _Aside) -> list[Row]:
    """Return rows without the marks of one quotation that all have; else without those that have one, which
    are put aside.
    """
    filled = [row for row in rows if not row.blank]
    marked = [row for row in filled if _MARK.match(row.text)]
    if len(marked) < len(filled):
        return _without(rows, marked, aside, "file.quoted")
    for row in filled:
        found = _MARK.match(row.text)
        assert found is not None
        row.note("repair.quoted", found.group().strip())
        row.cut(found.end())
    return rows


def _without(rows: list[Row], some: Sequence[Row], aside: _Aside, code: str) -> list[Row]:
    """Put some rows aside, with one problem for all of them, and return the others."""
    if not some:
        return rows
    first = some[0]
    said: dict[str, str | int] = {
        "lines": _ranges([row.number for row in some]),
        "count": len(some),
        "mark": first.text.strip()[0],
    }
    aside.rows += some
    aside.problems.append(Problem(code, said, (PLACE, first.number, first.columns[first.indent] + 1)))
    return [row for row in rows if row not in some]


def _ranges(numbers: Sequence[int]) -> str:
    """Return numbers of lines in words: ``3, 5 to 7``."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)
