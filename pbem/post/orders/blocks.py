"""Takes the order text out of a letter: which of its writer's own lines are orders, and which are words round
them.

It decides where orders begin and end, and refuses where some would be left out or be read as he may not have
meant them. It changes nothing but this: a line that a mail program broke is one line again, and a line that
holds a code is left away. How the text is mended is decided in ``repair``.

Theory of operation. Orders begin at a line with a key (and the comments right above it) and go on as long as
lines have a form that stands in order files. A line of another form ends them, unless more orders follow it
at once: then it is a mistake in the middle, and whoever checks the file will show it. Parts of orders may be
parted by quotations, rules and empty lines; where words stand between them, they are read as one only if the
words say nothing (``Keys.joining``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Final

from pbem.core.problem import Problem, worst
from pbem.post.lines import knitting, walking
from pbem.post.lines.keys import ANSWERS, FREE, NAMED, Keys
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
from pbem.post.orders import breaking, chat, spacing
from pbem.text.characters import PLACE, shown

__all__ = ["Taken", "take", "wrong_at"]

_MISTAKES: Final = 3
"""Lines in the middle of orders that are none."""
_NEAR: Final = 20
JOINED: Final = "joined"
_KEY_LIKE: Final = re.compile(r"[a-z][a-z_-]{1,13} ?:(?: |$)")
_SIGN_OFF: Final = re.compile(
    r" *[-–—~*] ?([A-Z][\w.'-]{0,20}(?: (?:[A-Z][\w.'-]{0,20}|van|von|de|der|den|di|da|la|le)){0,3})[ .]*$"
)
_OTHERS: Final = re.compile(
    r"\b(?:(?:their|his|her|the enemy.?s|the opponent.?s) (?:orders|moves|turn)|(?:orders|moves) of the "
    r"(?:enemy|opponent|other)|"
    r"were (?:yours|theirs)|(?:deren|seine|gegnerischen) (?:befehle|züge)|(?:befehle|züge) des gegners|"
    r"(?:leurs|ses) ordres|ordres de (?:l.ennemi|l.adversaire))\b",
    re.IGNORECASE,
)
"""Words above orders that are somebody else's."""
_TOKEN: Final = re.compile(r"\w[\w'-]*")
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_ASIDE: Final = frozenset({"side", "seat", "turn", "luck", "standing"})
"""Keys that order nobody, with the weak ones of a game; what stands with others is said beside orders."""


@dataclass(slots=True)
class Taken:
    """What was taken of a text: the order text, empty where there is none or it is refused; the other own
    lines; what is wrong.
    """

    rows: list[Row] = field(default_factory=list)
    own: list[Row] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


@dataclass(slots=True)
class _Part:
    rows: list[Row]
    keys: list[str]
    capital: bool
    """It begins with a capital letter, as a sentence does."""
    start: int
    behind: int = 0
    last: str = ""
    """The key below which it ends."""


def take(keys: Keys, rows: Sequence[Row | None], names: Sequence[str] = ()) -> Taken:
    """Return the order text in somebody's own lines; ``None`` stands where lines of others were.

    ``names`` are words that he signs with.
    """
    known = {name.lower() for name in names}
    rows = chat.with_colons(keys, rows, (*keys.joining, *known))
    return _Taker(
        keys,
        breaking.with_whole_comments(keys, spacing.single(keys, breaking.with_whole_items(keys, rows))),
        known,
    ).taken()


def wrong_at(code: str, row: Row, **args: str | int) -> Problem:
    """Return a problem with a line of the letter."""
    column = row.columns[row.indent] + 1 if row.columns else 1
    return Problem(
        code, {"line": row.number, "text": shown(row.text.strip()), **args}, (PLACE, row.number, column)
    )


class _Taker:
    def __init__(self, keys: Keys, rows: Sequence[Row | None], names: set[str]) -> None:
        self.keys = keys
        self.rows = rows
        self.views = ["" if row is None else walking.view(row) for row in rows]
        self.names = names
        self.widest = breaking.widest(rows)
        self.below = self._next_words()
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
        self._judge()
        return self.out

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
        walk = Walk(self.keys, head.indent)
        part = _Part([], [], _is_capital(head), begin)
        behind = begin
        pending: list[Row] = []
        odd = wide = 0
        touching = True
        for at in range(begin, len(self.rows)):
            row = self.rows[at]
            if row is None:
                break
            if not touching and part.rows and self._is_moved_in(at, walk):
                break
            role = walk.role(self.views[at]) if at >= start else BLANK if row.blank else COMMENT
            if role == WORDS and not touching and not walk.is_block:
                role = OTHER  # a paragraph further in, below words that ended with their line
            if not touching and self._is_note(at, role, walk.key, part):
                break
            if role in (OTHER, REST):
                role = self._other(role, at, walk, part, wide if touching and not odd else 0, touching)
                if at == start or role == NEAR:
                    walk.key, role = "", NEAR
            if role == JOINED:
                part.rows[-1].join(row)
                wide, behind = len(row.text), at + 1
            elif role == CODE:
                continue
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
            elif role == COMMENT and (not touching or not row.text.strip(" #")):
                pending.append(row)
            elif role == RULER or (role == COMMENT and odd) or (role == ITEM and self._is_no_order(at, walk)):
                break
            else:
                part.rows += [*pending, row]
                if role == KEY:
                    part.keys.append(walk.key)
                pending, odd, touching, wide, behind = [], 0, True, len(row.text), at + 1
        part.behind = max(behind, start + 1)
        part.last = part.keys[-1] if part.keys else ""
        self.parts.append(part)
        self.between.append([])
        return part.behind

    def _is_note(self, at: int, role: str, key: str, part: _Part) -> bool:
        """Tell whether a note begins as a sentence of the letter does, apart from orders
        whose lines do not.
        """
        row = self.rows[at]
        return (
            role == KEY
            and key == "note"
            and not part.capital
            and len(part.keys) > 0
            and row is not None
            and _is_capital(row)
        )

    def _is_moved_in(self, at: int, walk: Walk) -> bool:
        """Tell whether a key stands further in than those above it, as a quotation may that is marked by
        nothing else.
        """
        key, begin, _ = self.keys.head(self.views[at])
        return key != "" and begin > walk.base + 1 and walk.key not in ("standing", *FREE)

    def _is_no_order(self, at: int, walk: Walk) -> bool:
        """Tell whether a line with a dash is somebody's name, or stands below a key that has no list."""
        return walk.key in (*FREE, *NAMED) or self._signs(at)

    def _other(self, role: str, at: int, walk: Walk, part: _Part, wide: int, touching: bool) -> str:
        """Return the part of a line whose form says little: the rest of the line above, an order without its
        dash, or as it was.
        """
        view = self.views[at].strip()
        if (
            wide
            and part.rows
            and breaking.goes_on(self.keys, part.rows[-1], view, walk.key, self.page(at, wide))
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

    def page(self, at: int, wide: int) -> breaking.Page:
        """Return what a line and those round it look like to a program that breaks lines."""
        return breaking.Page(wide, self.widest, self.names, last=not self._key_follows(at))

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
        return (
            above is not None and above.blank and (len(words) == 1 or not self.keys.resembles(self.views[at]))
        )

    # --- all parts

    def _judge(self) -> None:
        """Join the parts, or say why they are not read."""
        self._weak()
        out = self.out
        for words in self.between:
            out.own += words
        if not self.parts:
            self._headless()
        if not self.parts or worst(out.problems):
            return
        known: set[str] = set(self.parts[0].keys)
        for part, words in zip(self.parts[1:], self.between[1:], strict=False):
            again = bool(known & set(part.keys)) or not {"game", "side", "seat", "turn"}.isdisjoint(part.keys)
            spoken = knitting.joins([row.text for row in words], self.names, self.keys.joining, again)
            if spoken >= 0:
                out.problems.append(wrong_at("mail.words-between", words[spoken]))
            known |= set(part.keys)
        if (told := _OTHERS.search(" ".join(row.text[:200] for row in self.between[0][-2:]))) is not None:
            out.problems.append(wrong_at("mail.words-above", self.between[0][-1], said=told.group().strip()))
        out.problems = out.problems or self._two_texts()
        for part, words in zip(self.parts, self.between[1:], strict=True):
            if words and words[0] is self.rows[part.behind] and (code := self._cut_off(part, words[0])):
                out.problems.append(wrong_at(code, words[0], key=part.last))
            elif (
                words
                and part.last in chat.NOTED
                and self._is_next(part, words[0])
                and self._says_more(words[0])
            ):
                out.problems.append(wrong_at("doubt.mail.words-below", words[0], key=part.last))
        for row in (row for words in self.between for row in words if chat.lost_colon(row)):
            out.problems.append(wrong_at("doubt.mail.no-colon", row))
        for words in self.between:
            if missed := next((row for row in words if self.keys.resembles(walking.view(row))), None):
                out.problems.append(
                    wrong_at("mail.among-quotes" if self._below_quote(missed) else "mail.near-miss", missed)
                )
        if worst(out.problems):
            return
        out.rows = [row for part in self.parts for row in part.rows]

    def _two_texts(self) -> list[Problem]:
        """Return a problem where two order texts stand one below the other: another side, or the same key
        again in a part of its own.
        """
        said: dict[str, str] = {}
        earlier: set[str] = set()
        for part in self.parts:
            if part.rows[0].indent > self.parts[0].rows[0].indent + 1:
                return [wrong_at("mail.two-texts", part.rows[0], first=self.parts[0].rows[0].text.strip())]
            for row in part.rows:
                key, _, end = self.keys.head(view := walking.view(row))
                value = view[end:].partition(" #")[0].strip().lower()
                if key in NAMED[:4] and said.setdefault(key, value) != value:
                    return [wrong_at("mail.two-texts", row, first=f"{key}: {said[key]}")]
                if key and key in earlier and not row.indent:
                    return [wrong_at("mail.two-texts", row, first=f"{key}:")]
            earlier |= set(part.keys)
        return []

    def _is_next(self, part: _Part, below: Row) -> bool:
        """Tell whether a line is the next own one below a part, with nothing but empty lines between."""
        at = part.behind
        while at < len(self.rows) and (row := self.rows[at]) is not None and row.blank:
            at += 1
        return at < len(self.rows) and self.rows[at] is below

    def _cut_off(self, part: _Part, below: Row) -> str:
        """Return what to say of a line right below the last order, or right below words for people, that may
        be the end of them.
        """
        said = {word.lower() for word in _TOKEN.findall(below.text[:200])}
        if walking.ordered(self.keys, below) or not said - self.names:
            return ""
        if (
            part.last in self.keys.sections
            and not below.text.strip()[:1].isupper()
            and breaking.may_end(self.keys, part.rows, said)
        ):
            return "mail.near-miss"
        return (
            "doubt.mail.words-below"
            if part.last in ("note", "message") and said - self.keys.joining - self.names
            else ""
        )

    def _weak(self) -> None:
        """Give parts that are not orders back to the words: ``Note: I am away`` in a letter without orders,
        or after the last of them.
        """
        kept: list[_Part] = []
        between = [self.between[0]]
        strong = any(set(part.keys) - _ASIDE.union(self.keys.weak) for part in self.parts)
        for number, part in enumerate(self.parts):
            alone = len(self.parts) == 1 and not self._says(self.between[0] + self.between[1])
            weak = chat.is_chat(self.keys, part.rows, part.keys, part.capital, alone)
            apart = (
                not strong
                or bool(self.between[number])
                or number == len(self.parts) - 1
                or bool(self.between[number + 1])
            )
            if weak and apart:
                if (
                    strong
                    and "note" in part.keys
                    and self.parts[number - 1 : number]
                    and not self.between[number]
                ):
                    self.out.problems.append(wrong_at("doubt.mail.taken-for-words", part.rows[0]))
                between[-1] += part.rows + self.between[number + 1]
            else:
                kept.append(part)
                between.append(self.between[number + 1])
        self.parts, self.between = kept, between
        if strong or not kept:
            return
        doubtful = (one for one in kept if chat.is_doubtful(self.keys, one.rows, one.keys))
        if any(map(self._speaks_apart, between)) and (first := next(doubtful, None)) is not None:
            self.out.problems.append(wrong_at("mail.key-among-words", first.rows[0]))

    def _says_more(self, row: Row) -> bool:
        """Tell whether a line is words that may go on with those for people above it."""
        return (
            self._says([row])
            and not walking.ordered(self.keys, row)
            and not self.keys.resembles(walking.view(row))
        )

    def _speaks_apart(self, words: Sequence[Row]) -> bool:
        """Tell whether words say something that are not the end of the line right above them."""
        first = next((at for at, row in enumerate(self.rows) if words and row is words[0]), 0)
        above = self.rows[first - 1] if first else None
        return self._says(words[1:] if above is not None and not above.blank else words)

    def _says(self, words: Sequence[Row]) -> bool:
        """Tell whether words beside orders say anything but a greeting and a name."""
        said = {word.lower() for row in words[:_NEAR] for word in _LETTERS.findall(row.text[:200])}
        return bool(said - self.keys.joining - self.names)

    def _headless(self) -> None:
        """Say so where own lines look like orders and no key stands above them."""
        missed = [
            row for row, below in zip_longest(self.out.own, self.out.own[1:]) if self._ordered(row, below)
        ]
        if missed:
            code = "mail.among-quotes" if any(row is None for row in self.rows) else "mail.no-heading"
            self.out.problems.append(wrong_at(code, missed[0]))

    def _ordered(self, row: Row, below: Row | None) -> bool:
        """Tell whether a line looks like an order, alone or with the line below it into which a program may
        have broken it.
        """
        view = walking.view(row)
        if self.keys.resembles(view):
            return True
        broken = (
            below is not None
            and not below.blank
            and walking.is_item(row.text)
            and not walking.is_item(below.text)
        )
        return broken and below is not None and self.keys.resembles(f"{view} {walking.view(below).strip()}")

    def _below_quote(self, row: Row) -> bool:
        """Tell whether a line, or others like it right above, stand below the words of somebody else."""
        at = next((place for place, known in enumerate(self.rows) if known is row), 0) - 1
        while (
            at >= 0
            and (above := self.rows[at]) is not None
            and (above.blank or self.keys.resembles(self.views[at]))
        ):
            at -= 1
        return at >= 0 and self.rows[at] is None


def _is_capital(row: Row) -> bool:
    return row.text.lstrip(" \"'*_")[:1].isupper()


def _close(keys: Keys, word: str) -> bool:
    """Tell whether a word is nearly a key."""
    from difflib import SequenceMatcher

    return len(word) <= 14 and any(SequenceMatcher(None, word, key).ratio() >= 0.75 for key in keys.all)
