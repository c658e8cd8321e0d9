"""What one post asks for: read as a letter of its author would be.

A post is a letter of one text. Whose its lines are, which of them are orders, what is mended and what is
refused is decided where it is decided for letters (``post/finding``), so players on a forum and players by
mail are told the same. Only this is decided here: a post that bears the mark of ours is never orders, whoever
posted it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from pbem.core.problem import Problem, worst
from pbem.core.regex import regex
from pbem.forum import proofline
from pbem.forum.thread import Post
from pbem.post.lines.keys import Keys
from pbem.post.lines.message import HTML, NOTHING, ORDERS, PLAIN, RECORD, Found, Line, Message, Text
from pbem.post.orders import chat, finding
from pbem.text.characters import PLACE, shown

__all__ = ["found", "has_section", "is_asked_for", "is_ours", "message"]

_MARK: Final = regex(
    r"[\W_]{0,12}[a-z0-9][a-z0-9-]{0,60}, slot [0-9]{1,6}, (?:for [^,]{1,60}, "
    r")?post [0-9]{1,5} of [0-9]{1,5},"
    r" (?:head [0-9a-f]{4}[^a-z0-9\s]?[0-9a-f]{2}|note [0-9a-f]{8})",
    re.IGNORECASE,
)

QUIET_MAIL: Final = frozenset(
    f"mail.{name}" for name in ("nothing", "only-quoted", "in-signature", "passed-on")
)
"""Reasons that people give by talking to each other."""
_GLUED: Final = frozenset({"mail.near-miss", "mail.words-between", "mail.no-heading", "mail.lost-indent"})
"""Reasons that words beside a box may give though the box is well."""
_ASKED: Final = regex(r"(?:(?:nobody|final|luck|game|side|seat|turn) ?:.*)?")
_ENDS: Final = regex(r"(?:nobody|final|luck) ?:(.*)")
_BAR: Final = regex(r"[ \u00a0]{0,12}\|(?:[ \u00a0]|$)")


def found(keys: Keys, post: Post, *names: str) -> Found:
    """Return what a post asks for; whatever the post, it returns.

    ``names`` are other words that its author signs with.
    """
    if is_ours(post):
        return Found(NOTHING, problems=(Problem("forum.ours"),))
    if post.unread is not None:
        return Found(NOTHING, problems=(post.unread,))
    own = replace(post, lines=_unsigned(post.lines))
    said = finding.find(keys, message(own, *names))
    said = _of_box(keys, own, said, names)
    if said.kind == NOTHING and (barred := _barred(keys, own, said, names)) is not None:
        return replace(said, problems=(barred,))
    if said.kind == NOTHING and any(problem.code == "mail.nothing" for problem in said.problems):
        said = finding.find(keys, message(post, *names))  # perhaps the signature says why
    return replace(said, problems=tuple(_of_post(problem) for problem in said.problems))


# --- boxes of code


def _parted(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Return the lines of a post with an empty one where a box of code begins or ends: what stands beside it
    is not part of it.
    """
    out: list[Line] = []
    for line in lines:
        if out and out[-1].box != line.box and out[-1].text.strip() and line.text.strip():
            out.append(Line("", out[-1].number, min(out[-1].quoted, line.quoted)))
        out.append(line)
    return tuple(out)


def _boxes(post: Post) -> list[tuple[Line, ...]]:
    """Return the lines of each box of code that is its writer's own."""
    found: dict[int, list[Line]] = {}
    for line in post.lines:
        if line.box and not line.quoted:
            found.setdefault(line.box, []).append(line)
    return [tuple(lines) for lines in found.values()]


def _of_box(keys: Keys, post: Post, said: Found, names: Sequence[str]) -> Found:
    """Return the orders in the one box of code that is an order file by itself, where words beside it were
    read as a part of them.

    What stands beside it is not read if nothing in it looks like orders, and told; else the whole post is
    judged, as it was.
    """
    if (
        said.signature is not None
        or said.kind == RECORD
        or (said.kind == NOTHING and not _may_be_glued(said))
    ):
        return said

    boxes = _boxes(post)
    files = [
        (lines, alone)
        for lines in boxes
        if _is_file(keys, alone := finding.find(keys, message(replace(post, lines=lines), *names)))
    ]
    if len(files) != 1 or files[0][1].data == said.data:
        return said
    lines, alone = files[0]
    rest = tuple(line for line in post.lines if line not in lines)
    beside = finding.find(keys, message(replace(post, lines=rest), *names))
    if beside.kind != NOTHING or any(problem.code not in QUIET_MAIL for problem in beside.problems):
        return said
    words = next(
        (
            line.text
            for line in rest
            if not line.quoted and line.text.strip() and line.number > lines[-1].number
        ),
        beside.own,
    )
    told = Problem("doubt.forum.beside-box", {"text": shown(words.strip())})
    return replace(
        said,
        kind=ORDERS,
        data=alone.data,
        lines=alone.lines,
        repairs=alone.repairs,
        own=beside.own,
        problems=(*alone.problems, told),
    )


def _may_be_glued(said: Found) -> bool:
    return all(problem.code in _GLUED or problem.is_doubt for problem in said.problems)


def _is_file(keys: Keys, alone: Found) -> bool:
    """Tell whether a box is a whole order file: it can be read, orders something, and holds nothing else."""
    return alone.kind == ORDERS and not alone.own and not worst(alone.problems) and has_section(keys, alone)


def has_section(keys: Keys, said: Found) -> bool:
    """Tell whether orders order anything: luck, a message or a turn alone are said in many a talk."""
    return keys.ordering.search(said.data) is not None


def is_asked_for(keys: Keys, post: Post, said: Found) -> bool:
    """Tell whether a post without orders says what an answer of ours asked for: ``luck:``, ``nobody moves``
    or ``final: yes``.

    It does where it, or a box of code in it, says nothing else. Whoever talks says more than that, and a
    ``luck:`` that speaks about luck is talk, though nothing stands beside it.
    """
    boxed = (finding.find(keys, message(replace(post, lines=lines))) for lines in _boxes(post))
    return _is_bare(said) or any(alone.data == said.data and _is_bare(alone) for alone in boxed)


def _is_bare(said: Found) -> bool:
    lines = [line.strip() for line in said.data.decode("utf-8", "replace").splitlines()]
    ends = [end for line in lines if (end := _ENDS.fullmatch(line)) is not None]
    return (
        bool(ends)
        and not said.own
        and all(map(_ASKED.fullmatch, lines))
        and not any(chat.is_about_luck(end[1]) for end in ends)
    )


# --- orders behind bars


def _barred(keys: Keys, post: Post, said: Found, names: Sequence[str]) -> Problem | None:
    """Return a problem where a box holds orders each line of which stands behind a bar, as our posts show
    them, or all of a post does.

    Nobody's bars are taken away: what is copied for talking about it looks the same. But whoever meant them
    has to hear it.
    """
    if any(problem.code not in QUIET_MAIL for problem in said.problems):
        return None
    own = [line for line in post.lines if not line.quoted and line.text.strip()]
    for lines in (*_boxes(post), tuple(own)):
        filled = [line for line in lines if line.text.strip()]
        if not filled or not all(_BAR.match(line.text) for line in filled):
            continue
        bare = tuple(Line(_BAR.sub("", line.text, count=1), line.number) for line in filled)
        inside = finding.find(keys, message(replace(post, lines=bare), *names))
        if inside.kind != NOTHING or any(problem.code not in QUIET_MAIL for problem in inside.problems):
            return Problem(
                "forum.barred", {"text": shown(filled[0].text.strip())}, (PLACE, filled[0].number, 1)
            )
    return None


def _unsigned(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """Return the lines of a post without its signature, which is not part of what was written."""
    last = max((at for at, line in enumerate(lines) if line.text == "-- "), default=len(lines))
    return lines[:last]


def message(post: Post, *names: str) -> Message:
    """Return a post as a letter."""
    text = Text(PLAIN if post.raw else HTML, _parted(post.lines))
    return Message(id=post.id, sender_name=" ".join((post.author, *names))[:400], date=post.at, texts=(text,))


def is_ours(post: Post) -> bool:
    """Tell whether a post is one that pbem wrote: it bears its mark or its proof, in its own words."""
    if any(not line.quoted and _MARK.match(" ".join(line.text[:400].split())) for line in post.lines):
        return True
    return any(not one.quoted for one in proofline.find(post.lines))


_CODES: Final = frozenset(
    {
        "mail.nothing",
        "mail.only-quoted",
        "mail.passed-on",
        "mail.in-signature",
        "mail.below-mark",
        "mail.below-rule",
        "mail.two-texts",
    }
    | {"mail.lost-indent", "mail.armour-cut", "mail.armour-crc", "mail.armour-long", "mail.words-above"}
)
"""What is said of a letter in words that are not true of a post."""


def _of_post(problem: Problem) -> Problem:
    return (
        replace(problem, code=f"forum.{problem.code.partition('.')[2]}")
        if problem.code in _CODES
        else problem
    )
