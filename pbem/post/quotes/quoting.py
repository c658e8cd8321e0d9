"""Which lines of a text are its writer's own, and which are quoted, forwarded, a signature, or what programs
and lists put below.

It decides whose words a line holds, never what they mean. Where it is not sure, a line is somebody else's:
orders that are not read are asked for again, orders that are read by mistake are carried out.

Theory of operation. Nothing in a letter says for certain where its writer's words end: each program
announces, marks and cuts what it quotes in its own way and language, and lists and people add theirs. So each
line is looked at once, from the top, and the first sign that is known decides. Some lines say something about
themselves (``> ``); some open a part that goes on to the end (``From: … Sent: …``, ``-- ``), which is the
``tail``; a few say whose words the lines after them are ("Bob wrote:"). Below a head that nobody knows, but
that has the shape of one (``shapes``), lines are neither read nor thrown away: their writer is asked.

The obvious way, to cut at the first line that looks quoted, loses the orders of everybody who answers below
what he quotes, or between; to drop only lines with marks carries out orders that were quoted without any.
Lists of words alone were not enough either: there is always one more program, in one more language, so where
no word is known the shape of a head is looked at.

The line of ours that asks to write above it (``ABOVE``) was first an end, whatever stood below it. Many
programs answer below what they quote, and their users wrote orders that nobody read; so where the line itself
is quoted, and nothing was written above it, the marks below decide (``_marks``). Orders that we show in
letters stand behind bars, so that none could be taken even there.

All expressions are anchored at the start of a line and lines are of bounded length, so the time grows with
the text and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from pbem.core.regex import regex
from pbem.post.lines.keys import Keys
from pbem.post.lines.message import Line
from pbem.post.quotes import heads, shapes
from pbem.post.quotes.heads import flat
from pbem.text.words import ENGLISH

__all__ = [
    "ABOVE",
    "ABOVE_IN",
    "BELOW",
    "FOOTER",
    "FORWARD",
    "HEADED",
    "OWN",
    "QUOTE",
    "RULED",
    "SIGNATURE",
    "kinds",
    "prefixed",
    "unquoted",
]

ABOVE: Final = "pbem: please write above this line"
ABOVE_IN: Final[Mapping[str, str]] = {ENGLISH: ABOVE, "de": "pbem: bitte über dieser Zeile schreiben"}
"""Stands in every letter of ours, in the language of its reader where there is one here; a line that holds
it, and whatever is below, is never read.

Only where it is quoted with marks and its reader has written nothing above it do the marks below say whose
words a line holds: many people answer below what they quote.
"""
_MARKS: Final = tuple(mark.lower() for mark in ABOVE_IN.values())

OWN, QUOTE, FORWARD, BELOW = "own", "quote", "forward", "below"
SIGNATURE, RULED, FOOTER = "signature", "ruled", "footer"
HEADED: Final = "headed"
"""Below what looks like the head of another letter, and is none that is known."""

_PREFIX: Final = regex(
    r"[ \t\u00a0]{0,12}(?:>|&gt;|[»›＞❯]|\|(?:[ |>]|$)|[:}] (?=\S)|:$|[A-Za-z][\w.]{0,11}(?:>|&gt;))"
)
_STUFFED: Final = regex(r">From (?!.*>)")
_STRIPPED: Final = regex(
    r"(?:[ \t\u00a0]{0,12}(?:>|&gt;|[»›＞❯|]|[A-Za-z][\w.]{0,11}(?:>|&gt;)|[:}](?= )))+[ \t\u00a0]?"
)
_TAG: Final = regex(r"\[quote\b|<(?:block)?quote\b", re.IGNORECASE)
_TAG_END: Final = regex(r"\[/quote\b|</(?:block)?quote\b", re.IGNORECASE)
_LONG: Final = 60
"""A quoted line this long may have been broken by a program, and its rest stands below it without a mark."""
_RULE: Final = 20
_SIGNED: Final = regex(r" {0,12}(?:--|—|––|—-)[ \t\u00a0]*$")
_ORDERED: Final = regex(r" *(?:- \S|[a-z][a-z-]{1,12}:(?: |$)|#)")


def prefixed(text: str) -> bool:
    """Tell whether a line of plain text is quoted by a mark in front of it."""
    return _PREFIX.match(text) is not None


def unquoted(text: str) -> str:
    """Return a line without the marks of quotation in front of it."""
    found = _STRIPPED.match(text)
    return text[found.end() :] if found else text


def kinds(keys: Keys, lines: Sequence[Line], forwarded: bool = False) -> list[str]:
    """Return for each line whose it is: ``OWN``, or one of the others.

    ``forwarded``: the subject says that the letter is passed on, so a header in the middle begins words that
    were.
    """
    return _Sorting(keys, lines, forwarded).kinds()


class _Sorting:
    """One text on its way: whose its lines are, as far as they have been looked at."""

    def __init__(self, keys: Keys, lines: Sequence[Line], forwarded: bool) -> None:
        self.keys = keys
        self.lines = lines
        self.texts = [flat(line.text) for line in lines]
        self.marks = _marks(lines, self.texts)
        self.end = next((at for at, quoted in self.marks.items() if not quoted), len(lines))
        self.found = [OWN] * self.end + [BELOW] * (len(lines) - self.end)
        self.passed_on = FORWARD if forwarded else QUOTE
        self.at = 0
        self.tail = ""
        """What all lines are from one above on, where they say nothing else of themselves."""
        self.tagged = 0
        """Tags of quotations that are open."""
        self.spoken = False
        """Whether a line above is certainly its writer's own."""

    def kinds(self) -> list[str]:
        """Return for each line whose it is."""
        steps = (
            self._in_tags,
            self._marked,
            self._in_tail,
            self._passed_on,
            self._letter,
            self._announced,
            self._below,
        )
        while self.at < self.end:
            if self.spoken and self.at in self.marks:
                self.found[self.at : self.end] = [BELOW] * (self.end - self.at)
                break
            text = self.texts[self.at]
            if not any(step(text) for step in steps):
                self.spoken = True
            self.at += 1
        return self.found

    # Each step tells whether it knows whose the line is, and then has written it down.

    def _take(self, kind: str, behind: int) -> None:
        """Write down all lines from this one to that in front of ``behind``, which is looked at next."""
        self.found[self.at : behind] = [kind] * (behind - self.at)
        self.at = behind - 1

    def _goes_on(self, kind: str) -> bool:
        """Write down this line, and the same for those below it."""
        self.found[self.at] = self.tail = kind
        return True

    def _is(self, kind: str) -> bool:
        """Write down this line alone."""
        self.found[self.at] = kind
        return True

    def _in_tags(self, text: str) -> bool:
        """Tags: ``[quote]``, ``<blockquote>``."""
        tags = len(_TAG.findall(text[:1_000])) if "[" in text or "<" in text else 0
        if self.tagged + tags <= 0:
            return False
        self.tagged = max(self.tagged + tags - len(_TAG_END.findall(text[:1_000])), 0)
        return self._is(QUOTE)

    def _marked(self, text: str) -> bool:
        """Lines that say of themselves that they are quoted."""
        if heads.is_arrowed(text):
            return self._goes_on(self.passed_on if self.tail != FORWARD else FORWARD)
        if self.lines[self.at].quoted or _is_quoted(self.texts, self.at):
            self._is(self.tail if self.tail in (FORWARD, QUOTE) else QUOTE)
            self.tail = self.tail or _quoted_head(self.keys, self.texts, self.at, self.end)
            return True
        return False

    def _in_tail(self, text: str) -> bool:
        """Lines of a part that goes on to the end, whatever they say; empty lines."""
        if self.tail and self.tail not in (SIGNATURE, FOOTER, HEADED):
            return self._is(self.tail)
        return not text.strip() and self._is(self.tail or OWN)

    def _passed_on(self, text: str) -> bool:
        """What announces that all below it is passed on, or quoted without a mark."""
        if heads.is_forwarded(text):
            return self._goes_on(FORWARD)
        return heads.is_run_on(text) and self._goes_on(QUOTE)

    def _letter(self, text: str) -> bool:
        """The head of another letter, as programs are known to print it."""
        behind = _letter_head(self.keys, self.texts, self.at, self.end)
        if behind <= self.at:
            return False
        follows = _next(self.texts, behind, self.end)
        if not self.spoken and not self.tail and follows < self.end and _is_quoted(self.texts, follows):
            # nothing stands above, and the letter below is quoted by marks: its answer is at the end
            self._take(QUOTE, behind)
        elif (below := _below_tabs(self.lines, self.at + 1, self.end)) > self.at:
            self._take(QUOTE, below)
        else:
            self._goes_on(self.passed_on)
        return True

    def _announced(self, text: str) -> bool:
        """ "Bob wrote:", over one line or several, and lines that only lead to what is quoted below them."""
        last = heads.attribution(self.keys, self.texts, self.at)
        if self.at <= last < self.end:
            follows = _next(self.texts, last + 1, self.end)
            if follows < self.end and (self.lines[follows].quoted > 0 or _is_quoted(self.texts, follows)):
                self._take(QUOTE, last + 1)
            elif heads.is_sure(self.texts, self.at, last):
                below = _below_tabs(self.lines, last + 1, self.end)
                self._take(QUOTE, max(below, last + 1))
                if not below:
                    self.tail = QUOTE
            else:
                self._is(self.tail or OWN)
            return True
        leads = text.rstrip(" *_").endswith(":") and _leads(self.keys, self.texts, self.at, self.end)
        return leads and self._is(QUOTE)

    def _below(self, text: str) -> bool:
        """What stands below somebody's words: signatures, heads that nobody knows, rules, footers, devices,
        and the rest of a quoted line.
        """
        if self.tail:
            return self._is(self.tail)
        if _SIGNED.match(text):
            return self._goes_on(SIGNATURE)
        behind = _strange_head(self.keys, self.texts, self.at, self.end)
        if behind > self.at:
            follows = _next(self.texts, behind, self.end)
            if follows < self.end and not self.lines[follows].quoted and not _is_quoted(self.texts, follows):
                self.tail = HEADED
            self._take(HEADED, behind)
            return True
        if heads.is_rule(text, _RULE):
            follows = _next(self.texts, self.at + 1, self.end)
            headed = follows < self.end and heads.header(self.keys, self.texts, follows) > 0
            return self._goes_on(self.passed_on if headed else RULED)
        if heads.is_footer(text):
            return self._goes_on(FOOTER)
        if heads.is_device(text):
            return self._is(FOOTER)
        rest = _is_rest(self.keys, self.texts, self.found, self.at, self.end)
        return rest and self._is(QUOTE)


def _quoted_head(keys: Keys, texts: Sequence[str], at: int, end: int) -> str:
    """Return ``QUOTE`` where a marked line announces words that have no marks, so that all below it are
    somebody else's.
    """
    if not texts[at].rstrip().endswith(":") or not prefixed(texts[at]):
        return ""
    follows = _next(texts, at + 1, end)
    if follows < end and prefixed(texts[follows]):
        return ""
    bare = [unquoted(texts[at])]
    return QUOTE if heads.attribution(keys, bare, 0) == 0 and heads.is_sure(bare, 0, 0) else ""


def _leads(keys: Keys, texts: Sequence[str], at: int, end: int) -> bool:
    """Tell whether a line with a colon at its end only names whose words are quoted below it."""
    follows = _next(texts, at + 1, min(end, at + 3))
    if follows >= min(end, at + 3) or not prefixed(texts[follows]):
        return False
    return len(texts[at]) <= 120 and not heads.is_ordered(keys, texts[at])


def _letter_head(keys: Keys, texts: Sequence[str], at: int, end: int) -> int:
    """Return the line behind "----- Original Message -----" and what it says of that letter, or behind a
    header alone; or 0.
    """
    if not heads.is_original(keys, texts[at]):
        return min(heads.header(keys, texts, at), end)
    behind = at + 1
    at = _next(texts, behind, end)
    if at >= end:
        return behind
    return max(behind, min(max(heads.header(keys, texts, at), heads.attribution(keys, texts, at) + 1), end))


def _below_tabs(lines: Sequence[Line], at: int, end: int) -> int:
    """Return the line below a quotation that a tab in front of each line marks, as s-nail makes it; 0 where
    that is not certain.

    It is where even its empty lines have the tab, and no line of it is so long that its rest could stand
    below without one.
    """
    proof = False
    count = 0
    for number in range(at, end):
        text = lines[number].text
        if text.startswith("\t"):
            count += 1
            proof = proof or not text.strip()
            if len(text) >= _LONG:
                return 0
        elif text.strip():
            return number if proof and count > 2 else 0
    return 0


def _strange_head(keys: Keys, texts: Sequence[str], at: int, end: int) -> int:
    """Return the line behind what only looks like the head of another letter, or 0; one that is known and
    begins in it says more.
    """
    behind = shapes.head(keys, texts, at, end)
    return (
        0
        if any(_letter_head(keys, texts, within, end) > within for within in range(at + 1, behind))
        else behind
    )


def _next(texts: Sequence[str], at: int, end: int) -> int:
    """Return the next line in which there is anything."""
    while at < end and not texts[at].strip():
        at += 1
    return at


def _is_quoted(texts: Sequence[str], at: int) -> bool:
    """Tell whether a line has a mark of quotation; ``>From`` alone among plain lines was only made safe on
    its way.
    """
    text = texts[at]
    if not prefixed(text):
        return False
    if _STUFFED.match(text[:200]):
        around = [texts[near] for near in (at - 1, at + 1) if 0 <= near < len(texts)]
        return any(prefixed(near) for near in around)
    return True


def _is_rest(keys: Keys, texts: Sequence[str], found: Sequence[str], at: int, end: int) -> bool:
    """Tell whether a line may be the rest of a quoted one above it that a program broke and did not mark
    again.

    A line that begins orders, and is followed by more of them, is not: nobody's long sentence goes on like
    that.
    """
    if (
        not at
        or found[at - 1] != QUOTE
        or (keys.heading.match(texts[at]) and at + 1 < end and _ORDERED.match(texts[at + 1]))
    ):
        return False
    for above in range(at - 1, max(at - 13, -1), -1):
        if found[above] != QUOTE or len(texts[above].rstrip()) < _LONG:
            return False
        if prefixed(texts[above]):
            return True
    return False


def _marks(lines: Sequence[Line], texts: Sequence[str]) -> dict[int, bool]:
    """Return the lines where our mark begins, in whatever letters and broken over up to three lines; whether
    it is quoted.

    It is where all its lines are marked, and the next one that says anything: nobody quotes our mark alone.
    """
    size = max(map(len, _MARKS))
    found: dict[int, bool] = {}
    squeezed: list[str] = []
    for at, text in enumerate(texts):
        squeezed.append(" ".join(unquoted(text).replace("*", " ").split()).lower())
        whole = ""
        for begin in range(at, max(at - 3, -1), -1):
            part = squeezed[begin]
            if not part or begin in found:
                break
            whole = f"{part[-size:]} {whole[: 2 * size]}" if whole else part
            if any(mark in whole for mark in _MARKS):
                follows = _next(texts, at + 1, len(texts))
                marked = [
                    lines[one].quoted or prefixed(texts[one])
                    for one in (*range(begin, at + 1), follows)
                    if one < len(texts)
                ]
                found[begin] = all(marked) and follows < len(texts)
                break
    return found
