"""Takes the order text out of a letter: which of its writer's own lines are orders, and which are words round
them.

It decides where orders begin and end, and refuses where some would be left out or be read as he may not have
meant them. It changes nothing but this: a line that a mail program broke is one line again, and a line that
holds a code is left away. How the text is mended is decided in ``repair``.

Theory of operation. Two steps. ``parts`` goes through the lines from the top. Orders begin at a line with a
key (and the comments right above it) and go on as long as lines have a form that stands in order files. A
line of another form ends them, unless more orders follow it at once: then it is a mistake in the middle, and
whoever checks the file will show it. Parts may be parted by quotations, rules and empty lines. Then all parts
are judged here together: they are read as one order text, or not at all. Nothing is taken piece by piece, for
half of somebody's orders, carried out, is worse than a question.

The obvious way would be to take everything from the first key on and let the reader of YAML complain. It does
not fit what people write: a greeting below the orders is no mistake of theirs, and an order that stands among
other words, or without a heading, would only be missing. So whatever looks like an order and is in no part is
told (``_near_misses``, ``_headless``), and never left out.

Most refusals stand for letters that were read wrongly before: two order texts, one below the other, of two
sides (``_two_texts``); words above orders that say they are somebody else's (``_words_above``); the end of a
broken order taken for words of the letter (``_cut_off``); an order broken over two lines below no heading
(``_ordered``). Words between parts join them where they are known to say nothing (``Keys.joining``), or are
few, take nothing back, and are not followed by a part that says again whose it is (``gap_words``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

from msgspec import Struct, field

from pbem.core.problem import Problem, worst
from pbem.core.regex import regex
from pbem.post.lines import gap_words, walking
from pbem.post.lines.keys import NAMED, Keys
from pbem.post.lines.rows import Row
from pbem.post.orders import broken_lines, chat, spacing
from pbem.post.orders.parts import Part, Parted
from pbem.text.characters import PLACE, shown

__all__ = ["ExtractedOrders", "take", "wrong_at"]

_NEAR: Final = 20
_OTHERS: Final = regex(
    r"\b(?:(?:their|his|her|the enemy.?s|the opponent.?s) (?:orders|moves|turn)|(?:orders|moves) of the "
    r"(?:enemy|opponent|other)|"
    r"were (?:yours|theirs)|(?:deren|seine|gegnerischen) (?:befehle|züge)|(?:befehle|züge) des gegners|"
    r"(?:leurs|ses) ordres|ordres de (?:l.ennemi|l.adversaire))\b",
    re.IGNORECASE,
)
"""Words above orders that are somebody else's."""
_TOKEN: Final = regex(r"\w[\w'-]*")
_LETTERS: Final = regex(r"[^\W\d_]+")
_ASIDE: Final = frozenset({"side", "seat", "turn", "luck", "standing"})
"""Keys that order nobody, with the weak ones of a game; what stands with others is said beside orders."""


class ExtractedOrders(Struct):
    """What was taken of a text: the order text, empty where there is none or it is refused; the other own
    lines; what is wrong.
    """

    rows: list[Row] = field(default_factory=list)
    own: list[Row] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def take(keys: Keys, rows: Sequence[Row | None], names: Sequence[str] = ()) -> ExtractedOrders:
    """Return the order text in somebody's own lines; ``None`` stands where lines of others were.

    ``names`` are words that he signs with.
    """
    known = {name.lower() for name in names}
    rows = chat.with_colons(keys, rows, (*keys.joining, *known))
    rows = broken_lines.with_whole_items(keys, rows)
    rows = broken_lines.with_whole_comments(keys, spacing.single(keys, rows))
    return _Judge(keys, rows, known).taken()


def wrong_at(code: str, row: Row, **args: str | int) -> Problem:
    """Return a problem with a line of the letter."""
    column = row.columns[row.indent] + 1 if row.columns else 1
    return Problem(
        code, {"line": row.number, "text": shown(row.text.strip()), **args}, (PLACE, row.number, column)
    )


class _Judge:
    """All parts of one letter, on their way to one order text or to the reasons why there is none."""

    def __init__(self, keys: Keys, rows: Sequence[Row | None], names: set[str]) -> None:
        found = Parted(keys, rows, names)
        self.keys = keys
        self.rows = rows
        self.names = names
        self.views = found.views
        self.parts = found.parts
        self.between = found.between
        self.out = ExtractedOrders()

    def taken(self) -> ExtractedOrders:
        """Join the parts, or say why they are not read."""
        out = self.out
        self._weak()
        for words in self.between:
            out.own += words
        if not self.parts:
            self._headless()
        if not self.parts or worst(out.problems):
            return out

        self._words_between()
        self._words_above()
        out.problems = out.problems or self._two_texts()
        self._words_below()
        self._near_misses()
        if not worst(out.problems):
            out.rows = [row for part in self.parts for row in part.rows]
        return out

    def _words_between(self) -> None:
        """Refuse parts with words between them that might change what the parts mean."""
        known = set(self.parts[0].keys)
        for part, words in zip(self.parts[1:], self.between[1:], strict=False):
            again = bool(known & set(part.keys)) or not {"game", "side", "seat", "turn"}.isdisjoint(part.keys)
            spoken = gap_words.joins([row.text for row in words], self.names, self.keys.joining, again)
            if spoken >= 0:
                self.out.problems.append(wrong_at("mail.words-between", words[spoken]))
            known |= set(part.keys)

    def _words_above(self) -> None:
        """Refuse orders that are somebody else's by what stands right above them."""
        above = self.between[0][-2:]
        told = _OTHERS.search(" ".join(row.text[:200] for row in above))
        if told is not None:
            self.out.problems.append(wrong_at("mail.words-above", above[-1], said=told.group().strip()))

    def _words_below(self) -> None:
        """Say so where words below a part may be the end of its last line."""
        for part, words in zip(self.parts, self.between[1:], strict=True):
            if not words:
                continue
            below = words[0]
            code = self._cut_off(part, below) if below is self.rows[part.behind] else ""
            if not code and part.last in chat.NOTED and self._is_next(part, below) and self._says_more(below):
                code = "doubt.mail.words-below"
            if code:
                self.out.problems.append(wrong_at(code, below, key=part.last))

    def _near_misses(self) -> None:
        """Say so where own words beside the parts look like orders, or like keys without a colon."""
        for row in (row for words in self.between for row in words if chat.lost_colon(row)):
            self.out.problems.append(wrong_at("doubt.mail.no-colon", row))
        for words in self.between:
            missed = next((row for row in words if self.keys.resembles(walking.view(row))), None)
            if missed is not None:
                code = "mail.among-quotes" if self._below_quote(missed) else "mail.near-miss"
                self.out.problems.append(wrong_at(code, missed))

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

    def _is_next(self, part: Part, below: Row) -> bool:
        """Tell whether a line is the next own one below a part, with nothing but empty lines between."""
        at = part.behind
        while at < len(self.rows) and (row := self.rows[at]) is not None and row.blank:
            at += 1
        return at < len(self.rows) and self.rows[at] is below

    def _cut_off(self, part: Part, below: Row) -> str:
        """Return what to say of a line right below the last order, or right below words for people, that may
        be the end of them.
        """
        said = {word.lower() for word in _TOKEN.findall(below.text[:200])}
        if walking.ordered(self.keys, below) or not said - self.names:
            return ""

        goes_on = part.last in self.keys.sections and not below.text.strip()[:1].isupper()
        if goes_on and broken_lines.may_end(self.keys, part.rows, said):
            return "mail.near-miss"

        speaks = bool(said - self.keys.joining - self.names)
        return "doubt.mail.words-below" if part.last in chat.NOTED and speaks else ""

    def _weak(self) -> None:
        """Give parts that are not orders back to the words: ``Note: I am away`` in a letter without orders,
        or after the last of them.
        """
        kept: list[Part] = []
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
                follows = bool(self.parts[number - 1 : number]) and not self.between[number]
                if strong and "note" in part.keys and follows:
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
