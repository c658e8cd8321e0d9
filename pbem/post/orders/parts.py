"""Where orders begin and end in somebody's own lines: the parts of an order text, and the words between them.

It decides line by line, from the top, by form alone; whether the parts are one order text that may be read is
decided in ``blocks``, which has the theory of both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct, field

from pbem.core.regex import regex
from pbem.post.lines import walking
from pbem.post.lines.keys import ANSWERS, NAMED, Keys
from pbem.post.lines.rows import Row
from pbem.post.lines.walking import (
    BLANK,
    CODE,
    COMMENT,
    INNER,
    ITEM,
    KEY,
    NEAR,
    OTHER,
    REST,
    RULER,
    WORDS,
    Walk,
)
from pbem.post.orders import broken_lines
from pbem.text.free import FREE

_MISTAKES: Final = 3
"""Lines in the middle of orders that are none."""
_NEAR: Final = 20
"""So many lines below one are looked at."""
JOINED: Final = "joined"
_END: Final = "end"
_KEY_LIKE: Final = regex(r"[a-z][a-z_-]{1,13} ?:(?: |$)")
_SIGN_OFF: Final = regex(
    r" *[-–—~*] ?([A-Z][\w.'-]{0,20}(?: (?:[A-Z][\w.'-]{0,20}|van|von|de|der|den|di|da|la|le)){0,3})[ .]*$"
)


class Part(Struct):
    """A run of lines that stand in an order text, with what is written among them."""

    rows: list[Row]
    keys: list[str]
    capital: bool
    """It begins with a capital letter, as a sentence does."""
    behind: int = 0
    """The line below it."""
    last: str = ""
    """The key below which it ends."""


class _Growing(Struct):
    """A part whose end has not been reached, as it is after some of its lines."""

    part: Part
    walk: Walk
    start: int
    """The line of its first key; comments may stand above it."""
    pending: list[Row] = field(default_factory=list)
    """Lines that belong to it only if more orders follow."""
    odd: int = 0
    """Lines of another form among those."""
    wide: int = 0
    touching: bool = True
    """Whether nothing empty stands above the next line."""

    def add(self, at: int, row: Row, is_key: bool) -> None:
        """Take a line, and those that waited for it."""
        self.part.rows += [*self.pending, row]
        if is_key:
            self.part.keys.append(self.walk.key)
        self.pending, self.odd, self.touching = [], 0, True
        self.wide, self.part.behind = len(row.text), at + 1


class Parted:
    """The own lines of a letter in parts that are orders and the words between them.

    ``rows`` are the lines, ``None`` for those of others; ``between`` has the words in front of each of the
    ``parts``, and last those behind the last.
    """

    def __init__(self, keys: Keys, rows: Sequence[Row | None], names: set[str]) -> None:
        self.keys = keys
        self.rows = rows
        self.views = ["" if row is None else walking.view(row) for row in rows]
        self.names = names
        self.widest = broken_lines.widest(rows)
        self.below = self._next_words()
        self.parts: list[Part] = []
        self.between: list[list[Row]] = [[]]
        self._read()

    def _read(self) -> None:
        at = 0
        while at < len(self.rows):
            row = self.rows[at]
            if row is None or row.blank:
                at += 1
                continue
            walk = Walk(self.keys, row.indent)
            role = walk.role(self.views[at])
            if role == KEY or self._misspelt_start(at):
                at = self._part(at)
            elif self._answers_on(at):
                self.parts[-1].rows.append(row)
                self.parts[-1].behind = at = at + 1
            elif role == COMMENT and (start := self._start_below(at)) >= 0:
                at = self._part(start, at)
            else:
                if role not in (RULER, CODE):
                    self.between[-1].append(row)
                at += 1

    def _answers_on(self, at: int) -> bool:
        """Tell whether a line is one more answer, below the quotation of its question."""
        if not self.parts or self.parts[-1].last != ANSWERS or self.between[-1]:
            return False
        return Walk(self.keys, -1, ANSWERS).role(self.views[at]) == INNER

    def _next_words(self) -> list[int]:
        """Return, for each line, the next one from there on that is neither empty nor a comment."""
        found = [len(self.rows)] * (len(self.rows) + 1)
        for at in range(len(self.rows) - 1, -1, -1):
            row = self.rows[at]
            skipped = row is not None and (row.blank or self.views[at].lstrip(" ").startswith("#"))
            found[at] = found[at + 1] if skipped else at
        return found

    def _start_below(self, at: int) -> int:
        """Return the key that stands below a comment with nothing but comments and empty lines between, or
        -1.
        """
        below = self.below[at]
        if below == len(self.rows) or self.rows[below] is None or not self.keys.head(self.views[below])[0]:
            return -1
        return below

    def _misspelt_start(self, at: int) -> bool:
        """Tell whether a line right above a key is one that was misspelt, such as ``sid: west``."""
        view = self.views[at]
        if not _KEY_LIKE.match(view) or at + 1 >= len(self.rows):
            return False
        below = self.views[at + 1]
        word = view.partition(":")[0].strip()
        if not self.keys.near(view):
            return False
        begins = self.keys.head(below)[0] != "" or (view.endswith(":") and walking.is_item(below))
        return begins and _close(self.keys, word)

    # --- one part

    def _part(self, start: int, first: int | None = None) -> int:
        """Take a part that begins with the key on line ``start``, or the comments above it; return the line
        behind it.
        """
        begin = start if first is None else first
        head = self.rows[start]
        assert head is not None
        part = Part([], [], is_capital(head))
        growing = _Growing(part, Walk(self.keys, head.indent), start)

        for at in range(begin, len(self.rows)):
            row = self.rows[at]
            if row is None:
                break
            role = self._role(growing, at, row)
            if role == _END or not self._takes(growing, at, row, role):
                break

        part.behind = max(part.behind, start + 1)
        part.last = part.keys[-1] if part.keys else ""
        self.parts.append(part)
        self.between.append([])
        return part.behind

    def _role(self, growing: _Growing, at: int, row: Row) -> str:
        """Return what a line is to the part above it; ``_END`` where it must not belong to it."""
        part, walk, touching = growing.part, growing.walk, growing.touching
        if not touching and part.rows and self._is_moved_in(at, walk):
            return _END
        if at < growing.start:
            return BLANK if row.blank else COMMENT

        role = walk.role(self.views[at])
        if role == WORDS and not touching and not walk.is_block:
            role = OTHER  # a paragraph further in, below words that ended with their line
        if not touching and self._is_note(at, role, walk.key, part):
            return _END
        if role in (OTHER, REST):
            wide = growing.wide if touching and not growing.odd else 0
            role = self._other(role, at, walk, part, wide, touching)
            if at == growing.start or role == NEAR:
                walk.key, role = "", NEAR
        return role

    def _takes(self, growing: _Growing, at: int, row: Row, role: str) -> bool:
        """Do with a line what its part in the order text asks for; tell whether the lines below it may belong
        to it too.
        """
        if role == JOINED:
            growing.part.rows[-1].join(row)
            growing.wide, growing.part.behind = len(row.text), at + 1
        elif role == CODE:
            pass
        elif role == BLANK:
            if growing.odd:
                return False
            growing.pending.append(row)
            growing.touching = False
        elif role == OTHER:
            growing.odd += 1
            if growing.odd > _MISTAKES or not growing.touching:
                return False
            growing.pending.append(row)
        elif role == COMMENT and (not growing.touching or not row.text.strip(" #")):
            growing.pending.append(row)
        elif not self._ends(growing, at, role):
            growing.add(at, row, role == KEY)
        else:
            return False
        return True

    def _ends(self, growing: _Growing, at: int, role: str) -> bool:
        """Tell whether a part ends above a line that could stand in one."""
        if role == COMMENT:
            return growing.odd > 0
        return role == RULER or (role == ITEM and self._is_no_order(at, growing.walk))

    def _is_note(self, at: int, role: str, key: str, part: Part) -> bool:
        """Tell whether a note begins as a sentence of the letter does, apart from orders
        whose lines do not.
        """
        row = self.rows[at]
        if role != KEY or key != "note" or row is None:
            return False
        return not part.capital and len(part.keys) > 0 and is_capital(row)

    def _is_moved_in(self, at: int, walk: Walk) -> bool:
        """Tell whether a key stands further in than those above it, as a quotation may that is marked by
        nothing else.
        """
        key, begin, _ = self.keys.head(self.views[at])
        return key != "" and begin > walk.base + 1 and walk.key not in ("standing", *FREE)

    def _is_no_order(self, at: int, walk: Walk) -> bool:
        """Tell whether a line with a dash is somebody's name, or stands below a key that has no list."""
        return walk.key in (*FREE, *NAMED) or self._signs(at)

    def _other(self, role: str, at: int, walk: Walk, part: Part, wide: int, touching: bool) -> str:
        """Return the part of a line whose form says little: the rest of the line above, an order without its
        dash, or as it was.
        """
        view = self.views[at].strip()
        if (
            wide
            and part.rows
            and broken_lines.goes_on(self.keys, part.rows[-1], view, walk.key, self.page(at, wide))
        ):
            return JOINED
        if role == REST:
            return REST if touching else OTHER
        if walk.key in self.keys.sections and (
            self.keys.sentence(view) or (touching and self.keys.spoken(view))
        ):
            return ITEM
        if self.keys.near(self.views[at]) and (
            (view.endswith(":") and self._item_below(at)) or _close(self.keys, view.partition(":")[0])
        ):
            return NEAR
        return OTHER

    def page(self, at: int, wide: int) -> broken_lines.Page:
        """Return what a line and those round it look like to a program that breaks lines."""
        return broken_lines.Page(wide, self.widest, self.names, last=not self._key_follows(at))

    def _key_follows(self, at: int) -> bool:
        """Tell whether a key stands below a line, with no empty line between."""
        for row, view in zip(self.rows[at : at + _NEAR], self.views[at:], strict=False):
            if row is None or row.blank:
                return False
            if self.keys.head(view)[0]:
                return True
        return False

    def _item_below(self, at: int) -> bool:
        below = at + 1
        while below < len(self.rows) and self.rows[below] is not None and not self.views[below].strip():
            below += 1
        return below < len(self.rows) and self.rows[below] is not None and walking.is_item(self.views[below])

    def _signs(self, at: int) -> bool:
        """Tell whether ``- Bob`` is a name below a letter and no order: nothing of his own
        stands below it.
        """
        found = _SIGN_OFF.match(self.views[at])
        if found is None or found[1].lower() in self.keys.plans:
            return False
        if any(row is not None and not row.blank for row in self.rows[at + 1 : at + 3]):
            return False
        words = set(found[1].lower().replace(".", " ").split())
        above = self.rows[at - 1] if at else None
        if words & self.names:
            return True
        alone = len(words) == 1 or not self.keys.resembles(self.views[at])
        return above is not None and above.blank and alone


def is_capital(row: Row) -> bool:
    """Tell whether a line begins with a capital letter, as a sentence does."""
    return row.text.lstrip(" \"'*_")[:1].isupper()


def _close(keys: Keys, word: str) -> bool:
    """Tell whether a word is nearly a key."""
    from difflib import SequenceMatcher

    return len(word) <= 14 and any(SequenceMatcher(None, word, key).ratio() >= 0.75 for key in keys.all)
