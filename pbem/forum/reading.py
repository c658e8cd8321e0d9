"""What one post asks for: read as a letter of its author would be.

A post is a letter of one text. Whose its lines are, which of them are orders, what is mended and what is refused is decided where it is
decided for letters (``post/finding``), so players on a forum and players by mail are told the same. Only this is decided here: a post that
bears the mark of ours is never orders, whoever posted it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from pbem.core.problem import Problem
from pbem.forum import proofline
from pbem.forum.thread import Post
from pbem.post import finding
from pbem.post.message import HTML, NOTHING, PLAIN, Found, Line, Message, Text

__all__ = ["found", "is_ours", "message"]

_MARK: Final = re.compile(
    r"[\W_]{0,12}[a-z0-9][a-z0-9-]{0,60}, slot [0-9]{1,6}, (?:for [^,]{1,60}, )?post [0-9]{1,5} of [0-9]{1,5},"
    r" head [0-9a-f]{4}[^a-z0-9\s]?[0-9a-f]{2}",
    re.IGNORECASE,
)


def found(post: Post, *names: str) -> Found:
    """Return what a post asks for; whatever the post, it returns. ``names`` are other words that its author signs with."""
    if is_ours(post):
        return Found(NOTHING, problems=(Problem("forum.ours"),))
    said = finding.find(message(replace(post, lines=_unsigned(post.lines)), *names))
    if said.kind == NOTHING and any(problem.code == "mail.nothing" for problem in said.problems):
        said = finding.find(message(post, *names))  # perhaps the signature says why
    return replace(said, problems=tuple(_of_post(problem) for problem in said.problems))


def _unsigned(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """Return the lines of a post without its signature, which is no part of what was written."""
    last = max((at for at, line in enumerate(lines) if line.text == "-- "), default=len(lines))
    return lines[:last]


def message(post: Post, *names: str) -> Message:
    """Return a post as a letter."""
    text = Text(PLAIN if post.raw else HTML, post.lines)
    return Message(id=post.id, sender_name=" ".join((post.author, *names))[:400], date=post.at, texts=(text,))


def is_ours(post: Post) -> bool:
    """Tell whether a post is one that pbem wrote: it bears its mark or its proof, in its own words."""
    if any(not line.quoted and _MARK.match(" ".join(line.text[:400].split())) for line in post.lines):
        return True
    return any(not one.quoted for one in proofline.find(post.lines))


_CODES: Final = frozenset(
    {"mail.nothing", "mail.only-quoted", "mail.passed-on", "mail.in-signature", "mail.below-mark", "mail.below-rule", "mail.two-texts"}
    | {"mail.lost-indent", "mail.armour-cut", "mail.armour-crc", "mail.armour-long", "mail.words-above"}
)
"""What is said of a letter in words that are not true of a post."""


def _of_post(problem: Problem) -> Problem:
    return replace(problem, code=f"forum.{problem.code.partition('.')[2]}") if problem.code in _CODES else problem
