"""Takes the order text out of a letter: which of its writer's own lines are orders, and which are words round them.

It decides where orders begin and end, and refuses where some would be left out or be read as he may not have meant them. It changes
nothing but this: a line that a mail program broke is one line again, and a line that holds a code is left away. How the text is mended
is decided in ``repair``.

Theory of operation. Orders begin at a line with a key (and the comments right above it) and go on as long as lines have a form that
stands in order files. A line of another form ends them, unless more orders follow it at once: then it is a mistake in the middle, and
whoever checks the file will show it. Parts of orders may be parted by quotations, rules and empty lines; where words stand between
them, they are read as one only if the words say nothing (``knitting.WORDS``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from pbem.core.problem import Problem
from pbem.post import keys, knitting, signs, walking
from pbem.post.rows import Row
from pbem.post.walking import BLANK, CODE, COMMENT, ITEM, KEY, NEAR, OTHER, REST, RULER, Walk
from pbem.text.characters import PLACE, shown

__all__ = ["Taken", "take", "wrong_at"]

_BROKEN: Final = 60
"""A line this long may have been broken by a program."""
_WIDTH: Final = 64
"""No program breaks lines that are not longer than this."""
_MISTAKES: Final = 3
JOINED: Final = "joined"
_PLANS: Final = ("assault", "bombard", "rest", "resign", "stop")
_KEY_LIKE: Final = re.compile(r"[a-z][a-z_-]{1,13} ?:(?: |$)")
_SIGN_OFF: Final = re.compile(r" *[-–—~*] ?([A-Z][\w.'-]{0,20}(?: [A-Z][\w.'-]{0,20})?)[ .]*$")
_WORD: Final = re.compile(r"[^\W\d_]+")


@dataclass(slots=True)
class Taken:
    """What was taken of a text. ``rows`` are the order text, empty where there is none or it is refused; ``own`` the other own lines.

    ``seen`` tells that some own line looked like orders. ``code`` are lines that held a code.
    """

    rows: list[Row] = field(default_factory=list)
    own: list[Row] = field(default_factory=list)
    code: list[Row] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


@dataclass(slots=True)
class _Part:
    rows: list[Row]
    keys: list[str]
    capital: bool
    """It begins with a capital letter, as a sentence does."""


def take(rows: Sequence[Row | None], names: Sequence[str] = ()) -> Taken:
    """Return the order text in somebody's own lines; ``None`` stands where lines of others were.

    ``names`` are words that he signs with.
    """
    return _Taker(_single_spaced(rows), {name.lower() for name in names}).taken()


def wrong_at(code: str, row: Row, **args: str | int) -> Problem:
    """Return a problem with a line of the letter."""
    column = row.columns[row.indent] + 1 if row.columns else 1
    return Problem(code, {"line": row.number, "text": shown(row.text.strip()), **args}, (PLACE, row.number, column))


def _single_spaced(rows: Sequence[Row | None]) -> Sequence[Row | None]:
    """Return rows without the empty ones that a program put behind every line."""
    begin = next((at for at, row in enumerate(rows) if row is not None and walking.head(_view(row))[0]), len(rows))
    end = begin
    while end + 1 < len(rows) and _is_pair(rows[end], rows[end + 1]):
        end += 2
    ordered = [at for at in range(begin, len(rows)) if rows[at] is not None and not _empty(rows[at]) and _ordered(rows[at])]
    if end - begin < 6 or not ordered or ordered[-1] > end:
        return rows
    return [*rows[:begin], *rows[begin:end:2], *rows[end:]]


def _empty(row: Row | None) -> bool:
    return row is not None and row.blank


def _is_pair(first: Row | None, second: Row | None) -> bool:
    return first is not None and second is not None and second.blank


def _ordered(row: Row | None) -> bool:
    return row is not None and (walking.is_item(row.text) or walking.head(_view(row))[0] != "")


def _view(row: Row) -> str:
    """Return a line as it will be read once its signs are those of a keyboard."""
    text = row.text
    if text.isascii() and not any(sign in text for sign in "\\*_`[<"):
        return text
    other = row.copy()
    signs.plain(other)
    return other.text


class _Taker:
    def __init__(self, rows: Sequence[Row | None], names: set[str]) -> None:
        self.rows = rows
        self.views = ["" if row is None else _view(row) for row in rows]
        self.names = names
        self.out = Taken()
        self.parts: list[_Part] = []
        self.between: list[list[Row]] = [[]]
        """The words in front of each part, and those behind the last."""

    def taken(self) -> Taken:
        at = 0
        while at < len(self.rows):
            row = self.rows[at]
            if row is None or row.blank:
                at += 1
                continue
            walk = Walk(row.indent)
            role = walk.role(self.views[at])
            if role == KEY or self._misspelt_start(at):
                at = self._part(at)
            elif role == CODE:
                self.out.code.append(row)
                at += 1
            elif role == COMMENT and (start := self._start_below(at)) >= 0:
                at = self._part(start, at)
            else:
                if role != RULER:
                    self.between[-1].append(row)
                at += 1
        self._judge()
        return self.out

    def _start_below(self, at: int) -> int:
        """Return the key that stands below a comment with nothing but comments and empty lines between, or -1."""
        while at < len(self.rows):
            row = self.rows[at]
            if row is None:
                return -1
            if not row.blank and not self.views[at].lstrip(" ").startswith("#"):
                return at if walking.head(self.views[at])[0] else -1
            at += 1
        return -1

    def _misspelt_start(self, at: int) -> bool:
        """Tell whether a line right above a key is one that was misspelt, such as ``sid: west``."""
        view = self.views[at]
        if not _KEY_LIKE.match(view) or at + 1 >= len(self.rows):
            return False
        below = self.views[at + 1]
        word = view.partition(":")[0].strip()
        if not walking.near(view):
            return False
        return (walking.head(below)[0] != "" and _close(word)) or (view.endswith(":") and walking.is_item(below) and _close(word))

    # --- one part

    def _part(self, start: int, first: int | None = None) -> int:
        """Take a part that begins with the key on line ``start``, or the comments above it; return the line behind it."""
        begin = start if first is None else first
        head = self.rows[start]
        assert head is not None
        walk = Walk(head.indent)
        part = _Part([], [], head.text.lstrip(" \"'*_")[:1].isupper())
        behind = begin
        pending: list[Row] = []
        codes: list[tuple[int, Row]] = []
        odd = wide = 0
        touching = True
        for at in range(begin, len(self.rows)):
            row = self.rows[at]
            if row is None:
                break
            role = walk.role(self.views[at]) if at >= start else BLANK if row.blank else COMMENT
            if role in (OTHER, REST):
                role = self._other(role, at, walk, part, wide if touching and not odd else 0, touching)
                if at == start or role == NEAR:
                    walk.key, role = "", NEAR
            if role == JOINED:
                part.rows[-1].join(row)
                wide, behind = len(row.text), at + 1
            elif role == CODE:
                codes.append((at, row))
            elif role == BLANK:
                if odd:
                    break
                pending.append(row)
                touching = False
            elif role == OTHER:
                odd += 1
                if odd > _MISTAKES or not touching:
                    break
                pending.append(row)
            elif role == RULER or (role == COMMENT and odd) or (role == ITEM and self._is_no_order(at, walk)):
                break
            else:
                part.rows += [*pending, row]
                if role == KEY:
                    part.keys.append(walk.key)
                pending, odd, touching, wide, behind = [], 0, True, len(row.text), at + 1
        self.out.code += [row for at, row in codes if at < behind]
        self.parts.append(part)
        self.between.append([])
        return max(behind, start + 1)

    def _is_no_order(self, at: int, walk: Walk) -> bool:
        """Tell whether a line with a dash is somebody's name, or stands below a key that has no list."""
        return walk.key in (*keys.FREE, *keys.NAMED) or self._signs(at)

    def _other(self, role: str, at: int, walk: Walk, part: _Part, wide: int, touching: bool) -> str:
        """Return the part of a line whose form says little: the rest of the line above, an order without its dash, or as it was."""
        view = self.views[at].strip()
        if wide >= _BROKEN and part.rows and self._goes_on(view, wide, walk, part.rows[-1]):
            return JOINED
        if role == REST:
            return REST if touching else OTHER
        if walk.key in keys.SECTIONS and keys.sentence(view):
            return ITEM
        if walking.near(self.views[at]) and ((view.endswith(":") and self._item_below(at)) or _close(view.partition(":")[0])):
            return NEAR
        return OTHER

    @staticmethod
    def _goes_on(view: str, wide: int, walk: Walk, above: Row) -> bool:
        """Tell whether a line is the rest of a long one above it: its first word would have made that one too long."""
        first = view.split(" ", 1)[0]
        if wide + 1 + len(first) <= _WIDTH:
            return False
        comment = signs.comment(above.text) >= 0
        return comment or walk.key in keys.FREE or not first[:1].isupper()

    def _item_below(self, at: int) -> bool:
        below = at + 1
        while below < len(self.rows) and self.rows[below] is not None and not self.views[below].strip():
            below += 1
        return below < len(self.rows) and self.rows[below] is not None and walking.is_item(self.views[below])

    def _signs(self, at: int) -> bool:
        """Tell whether ``- Bob`` is a name below a letter and no order: nothing of his own stands below it."""
        found = _SIGN_OFF.match(self.views[at])
        if found is None or found[1].lower() in _PLANS:
            return False
        if any(row is not None and not row.blank for row in self.rows[at + 1 : at + 3]):
            return False
        words = set(found[1].lower().replace(".", " ").split())
        above = self.rows[at - 1] if at else None
        return bool(words & self.names) or (above is not None and above.blank and len(words) == 1)

    # --- all parts

    def _judge(self) -> None:
        """Join the parts, or say why they are not read."""
        self._weak()
        out = self.out
        for words in self.between:
            out.own += words
        if not self.parts:
            self._headless()
            return
        for words in self.between[1:-1]:
            if (spoken := self._speaks(words)) is not None:
                out.problems.append(wrong_at("mail.words-between", spoken))
        for words in self.between:
            if missed := next((row for row in words if keys.resembles(_view(row))), None):
                out.problems.append(wrong_at("mail.among-quotes" if self._below_quote(missed) else "mail.near-miss", missed))
        if out.problems:
            return
        for number, part in enumerate(self.parts):
            if number and self._is_gap(self.parts[number - 1], part):
                out.rows.append(Row("", [0], part.rows[0].number, ""))
            out.rows += part.rows

    def _is_gap(self, first: _Part, second: _Part) -> bool:
        """Tell whether an empty line, or one that is not handed on, parted two parts."""
        return second.rows[0].number > first.rows[-1].number + first.rows[-1].source.count("\n") + 1

    def _weak(self) -> None:
        """Give parts that are no orders back to the words: ``Note: I am away`` in a letter without orders, or after the last of them."""
        kept: list[_Part] = []
        between = [self.between[0]]
        strong = any(set(part.keys) - set(keys.WEAK) for part in self.parts)
        for number, part in enumerate(self.parts):
            weak = set(part.keys) <= set(keys.WEAK) and (part.capital or set(part.keys) <= {"game"})
            weak = weak and not any(walking.is_item(row.text) for row in part.rows)
            if weak and (not strong or bool(self.between[number]) or number == len(self.parts) - 1):
                between[-1] += part.rows + self.between[number + 1]
            else:
                kept.append(part)
                between.append(self.between[number + 1])
        self.parts, self.between = kept, between

    def _headless(self) -> None:
        """Say so where own lines look like orders and no key stands above them."""
        missed = [row for row in self.out.own if keys.resembles(_view(row))]
        if missed:
            code = "mail.among-quotes" if any(row is None for row in self.rows) else "mail.no-heading"
            self.out.problems.append(wrong_at(code, missed[0]))

    def _below_quote(self, row: Row) -> bool:
        """Tell whether a line stands right below the words of somebody else."""
        at = next((place for place, known in enumerate(self.rows) if known is row), 0) - 1
        while at >= 0:
            above = self.rows[at]
            if above is None or not above.blank:
                return above is None or (keys.resembles(_view(above)) and self._below_quote(above))
            at -= 1
        return False

    def _speaks(self, words: Sequence[Row]) -> Row | None:
        """Return the first line between two parts that says more than "and then please"."""
        for row in words:
            said = {word.lower() for word in _WORD.findall(row.text[:400])}
            if len(row.text) > 200 or said - knitting.WORDS - self.names or any(sign in row.text for sign in "?"):
                return row
        return None


def _close(word: str) -> bool:
    """Tell whether a word is nearly a key."""
    from difflib import SequenceMatcher

    return len(word) <= 14 and any(SequenceMatcher(None, word, key).ratio() >= 0.75 for key in keys.KEYS)
