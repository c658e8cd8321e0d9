"""Which lines of a text are its writer's own, and which are quoted, forwarded, a signature, or what programs
and lists put below.

It decides whose words a line holds, never what they mean. Where it is not sure, a line is somebody else's:
orders that are not read are asked for again, orders that are read by mistake are carried out.

Theory of operation. Each line is looked at once, from the top, with expressions anchored at its start and
lines of bounded length, so the time grows with the text and nothing else. Some lines say something about
themselves (``> ``); some open a part that goes on to the end (``From: … Sent: …``, ``-- ``); a few say whose
words the lines after them are ("Bob wrote:").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pbem.post.lines.keys import Keys
from pbem.post.lines.message import Line
from pbem.post.quotes import heads, shapes
from pbem.post.quotes.heads import flat

__all__ = [
    "ABOVE",
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
"""Stands in every letter of ours; a line that holds it, and whatever is below, is never read.

Only where it is quoted with marks and its reader has written nothing above it do the marks below say whose
words a line holds: many people answer below what they quote.
"""

OWN, QUOTE, FORWARD, BELOW = "own", "quote", "forward", "below"
SIGNATURE, RULED, FOOTER = "signature", "ruled", "footer"
HEADED: Final = "headed"
"""Below what looks like the head of another letter, and is none that is known."""

_PREFIX: Final = re.compile(
    r"[ \t\u00a0]{0,12}(?:>|&gt;|[»›＞❯]|\|(?:[ |>]|$)|[:}] (?=\S)|:$|[A-Za-z][\w.]{0,11}(?:>|&gt;))"
)
_STUFFED: Final = re.compile(r">From (?!.*>)")
_STRIPPED: Final = re.compile(
    r"(?:[ \t\u00a0]{0,12}(?:>|&gt;|[»›＞❯|]|[A-Za-z][\w.]{0,11}(?:>|&gt;)|[:}](?= )))+[ \t\u00a0]?"
)
_TAG: Final = re.compile(r"\[quote\b|<(?:block)?quote\b", re.IGNORECASE)
_TAG_END: Final = re.compile(r"\[/quote\b|</(?:block)?quote\b", re.IGNORECASE)
_LONG: Final = 60
"""A quoted line this long may have been broken by a program, and its rest stands below it without a mark."""
_RULE: Final = 20
_SIGNED: Final = re.compile(r" {0,12}(?:--|—|––|—-)[ \t\u00a0]*$")
_ORDERED: Final = re.compile(r" *(?:- \S|[a-z][a-z-]{1,12}:(?: |$)|#)")


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
    texts = [flat(line.text) for line in lines]
    found = [OWN] * len(lines)
    marks = _marks(lines, texts)
    end = next((at for at, quoted in marks.items() if not quoted), len(lines))
    found[end:] = [BELOW] * (len(lines) - end)
    passed_on = FORWARD if forwarded else QUOTE
    tail = ""
    tagged = 0
    spoken = False
    at = 0
    while at < end:
        if spoken and at in marks:
            found[at:end] = [BELOW] * (end - at)
            break
        text = texts[at]
        tags = len(_TAG.findall(text[:1_000])) if "[" in text or "<" in text else 0
        in_tags = tagged + tags > 0
        if in_tags:
            tagged = max(tagged + tags - len(_TAG_END.findall(text[:1_000])), 0)
            found[at] = QUOTE
        elif heads.is_arrowed(text):
            found[at] = tail = passed_on if tail != FORWARD else FORWARD
        elif lines[at].quoted or _is_quoted(texts, at):
            found[at] = tail if tail in (FORWARD, QUOTE) else QUOTE
            tail = tail or _quoted_head(keys, texts, at, end)
        elif tail and tail not in (SIGNATURE, FOOTER, HEADED):
            found[at] = tail
        elif not text.strip():
            found[at] = tail or OWN
        elif heads.is_forwarded(text):
            found[at] = tail = FORWARD
        elif heads.is_run_on(text):
            found[at] = tail = QUOTE
        elif (behind := _letter_head(keys, texts, at, end)) > at:
            follows = _next(texts, behind, end)
            if not spoken and not tail and follows < end and _is_quoted(texts, follows):
                # nothing stands above, and the letter below is quoted by marks: its answer is at the end
                found[at:behind] = [QUOTE] * (behind - at)
                at = behind - 1
            elif (below := _below_tabs(lines, at + 1, end)) > at:
                found[at:below] = [QUOTE] * (below - at)
                at = below - 1
            else:
                found[at] = tail = passed_on
        elif (last := heads.attribution(keys, texts, at)) >= at and last < end:
            follows = _next(texts, last + 1, end)
            marked = follows < end and (lines[follows].quoted > 0 or _is_quoted(texts, follows))
            if marked or heads.is_sure(texts, at, last):
                below = 0 if marked else _below_tabs(lines, last + 1, end)
                found[at : max(below, last + 1)] = [QUOTE] * (max(below, last + 1) - at)
                if not marked and not below:
                    tail = QUOTE
                at = max(below, last + 1) - 1
            else:
                found[at] = tail or OWN
        elif text.rstrip(" *_").endswith(":") and _leads(keys, texts, at, end):
            found[at] = QUOTE
        elif tail:
            found[at] = tail
        elif _SIGNED.match(text):
            found[at] = tail = SIGNATURE
        elif (behind := _strange_head(keys, texts, at, end)) > at:
            follows = _next(texts, behind, end)
            found[at:behind] = [HEADED] * (behind - at)
            if follows < end and not lines[follows].quoted and not _is_quoted(texts, follows):
                tail = HEADED
            at = behind - 1
        elif heads.is_rule(text, _RULE):
            follows = _next(texts, at + 1, end)
            found[at] = tail = passed_on if follows < end and heads.header(keys, texts, follows) else RULED
        elif heads.is_footer(text):
            found[at] = tail = FOOTER
        elif heads.is_device(text):
            found[at] = FOOTER
        elif _is_rest(keys, texts, found, at, end):
            found[at] = QUOTE
        else:
            spoken = True
        at += 1
    return found


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
    size = len(ABOVE)
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
            if ABOVE in whole:
                follows = _next(texts, at + 1, len(texts))
                marked = [
                    lines[one].quoted or prefixed(texts[one])
                    for one in (*range(begin, at + 1), follows)
                    if one < len(texts)
                ]
                found[begin] = all(marked) and follows < len(texts)
                break
    return found
