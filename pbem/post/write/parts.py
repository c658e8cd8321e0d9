"""What letters are put together from: which game they are about, orders and problems that nobody can send
back as orders, deadlines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

from msgspec import Struct

from pbem.core.problem import Problem
from pbem.post.lines.message import Repair
from pbem.post.lines.source_excerpt import CARET, pointed
from pbem.post.offices.timing import moment
from pbem.post.write.cover import one_line
from pbem.post.write.page import BAR
from pbem.text.characters import printable
from pbem.text.located import Located
from pbem.text.report import Block, Code, Heading, Items, Paragraph
from pbem.text.when import capital
from pbem.text.words import Words

__all__ = [
    "REMINDED",
    "About",
    "Until",
    "barred",
    "facts",
    "final",
    "listed",
    "located",
    "problems",
    "repaired",
    "tag",
    "understood",
]

MOST: Final = 30
"""Problems that one letter tells."""
REMINDED: Final = "letter.deadline-reminder"
"""The phrase for a deadline in a reminder."""
_WIDE: Final = 66
"""Columns of a player's line that are shown round the place of a problem."""
_FOLD: Final = 66


class About(Struct, frozen=True):
    """What a letter is about: the game and its title; the seat, its side's name, where the game stands in
    words, the seat's code.

    Empty where nothing of it is known, as of a letter that names no game.
    """

    game: str = ""
    title: str = ""
    seat: str = ""
    side: str = ""
    stands: str = ""
    code: str = ""


class Until(Struct, frozen=True):
    """A deadline (None: there is none), the zone of the one who is told, and the time of telling.

    ``grace`` is until when orders count that come after it. ``held``: the umpire holds the game, and there is
    no deadline.
    """

    at: datetime | None
    zone: str
    now: datetime
    grace: datetime | None = None
    held: bool = False
    because: tuple[str, ...] = ()
    """Why it is later than usual, in sentences; told with a deadline that is still to come."""

    def said(self, words: Words, whose: str = "letter.deadline") -> str:
        """Return the deadline in a sentence or two; ``whose`` is the key of the phrase for one that is still
        to come.

        The grace is named once the deadline has passed, and in a reminder.
        """
        if self.held:
            return words.phrase("letter.on-hold")
        if self.at is None:
            return words.phrase("letter.no-deadline")
        over = self.at.timestamp() <= self.now.timestamp()
        told = words.phrase(
            "letter.deadline-over" if over else whose, moment=moment(self.at, self.zone, self.now, words)
        )
        if not over:
            told = " ".join([told, *self.because])
        if (
            self.grace is None
            or self.grace.timestamp() <= self.now.timestamp()
            or (not over and whose != REMINDED)
        ):
            return told
        return " ".join(
            [told, words.phrase("letter.grace", moment=moment(self.grace, self.zone, self.now, words))]
        )


def facts(about: About, words: Words) -> Iterator[tuple[str, str]]:
    """Yield which game, whose seat and where it stands, as names and values."""
    if about.game:
        yield (
            words.phrase("letter.game"),
            f"{one_line(about.title, 60)} ({about.game})" if about.title else about.game,
        )
    if about.side or about.seat:
        yield words.phrase("letter.seat"), one_line(about.side or about.seat, 60)
    if about.stands:
        yield words.phrase("letter.stands"), about.stands


def final(words: Words, *, program: bool, dice: bool = True) -> Iterator[Block]:
    """Yield how orders are made final: by words of their sender's own, or by the program of a seat that
    signs; without dice by one word.
    """
    if program:
        yield Paragraph(words.phrase("letter.final-with-program"))
        return
    yield Paragraph(words.phrase("letter.final-words" if dice else "letter.final-says"))
    yield Code(barred([words.phrase("letter.line-luck" if dice else "letter.line-final")]))


def tag(about: About, said: str) -> str:
    """Return a subject: the game in brackets, what there is to say, the code of the seat, so that an answer
    carries it.
    """
    head = f"[{about.game}] " if about.game else ""
    tail = f" (code {about.code})" if about.code else ""
    return f"{head}{one_line(said, 100)}{tail}"


def barred(lines: Sequence[str]) -> str:
    """Return orders as a letter shows them: each line behind a bar, long ones broken."""
    found: list[str] = []
    for line in lines:
        shown = printable(line.rstrip())
        inner = " " * (len(shown) - len(shown.lstrip()) + 2)
        while len(shown) > _FOLD:
            cut = shown.rfind(" ", len(inner) + 10, _FOLD)
            cut = cut if cut > 0 else _FOLD
            found.append(BAR + shown[:cut].rstrip())
            shown = inner + shown[cut:].strip()
        found.append((BAR + shown).rstrip())
    return "\n".join(found)


def understood(lines: Sequence[str]) -> Items:
    """Return a forecast as a list: its columns are for a terminal, and a telephone has no room for them."""
    return Items(tuple(_unaligned(line) for line in lines))


def _unaligned(line: str) -> str:
    depth = (len(line) - len(line.lstrip(" "))) // 2
    who, *rest = re.split(r" {2,}", line.strip())
    what = " ".join([who, *rest[:1]])
    return "… " * depth + (f"{what}: {', '.join(rest[1:])}" if rest[1:] else what)


def located(found: Located, words: Words) -> Iterator[Block]:
    """Yield a problem: where it is, what is wrong and why, the line as it was typed with a mark below the
    place, what would be right.
    """
    rule = f" ({found.rule})" if found.rule else ""
    if not found.line:
        yield Paragraph(sentence(f"{found.message}{rule}"))
        if found.help:
            yield Paragraph(words.phrase("letter.right-would-be", help=found.help))
        return
    where = one_line(found.file, 60)
    key = "letter.at-in-file" if where else "letter.at-in-letter"
    yield Paragraph(
        words.phrase(key, line=found.line, column=found.column, file=where, said=f"{found.message}{rule}")
    )
    if found.source_line.strip():
        yield Code(
            "\n".join(BAR + line for line in pointed(found.source_line, found.column, _WIDE)), language=CARET
        )
    if found.help:
        yield Paragraph(words.phrase("letter.right-would-be", help=found.help))


def sentence(said: str) -> str:
    """Return what a problem says as a sentence of a letter; an address or a name in front stays as it is."""
    first = said.partition(" ")[0]
    begun = capital(said) if first.isalpha() else said
    return begun if begun.endswith((".", "!", "?")) else f"{begun}."


def repaired(repairs: Sequence[Repair], words: Words) -> list[str]:
    """Return repairs as sentences, those of one kind together: ``lines 7 to 18: the sign • in front of an
    order was read as -``.
    """
    alike: dict[tuple[str, str, str], list[int]] = {}
    for one in repairs:
        alike.setdefault((one.code, one.was, one.now), []).append(one.number)
    return [
        words.phrase(
            "letter.at-lines",
            count=len(set(numbers)),
            lines=_ranges(sorted(set(numbers)), words),
            said=words.phrase(code, was=one_line(was, 40), now=one_line(now, 40)),
        )
        for (code, was, now), numbers in alike.items()
    ]


def _ranges(numbers: Sequence[int], words: Words) -> list[str]:
    """Return line numbers, those that follow on each other as one: ``7 to 18``."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return [
        str(run[0]) if len(run) == 1 else words.phrase("letter.range", first=run[0], last=run[-1])
        for run in runs
    ]


def listed(title: str, found: Sequence[Located], words: Words, lead: str = "") -> Iterator[Block]:
    """Yield problems under a heading, with a sentence in front if there is one, at most ``MOST`` of them."""
    if not found:
        return
    yield Heading(title)
    if lead:
        yield Paragraph(lead)
    for one in found[:MOST]:
        yield from located(one, words)
    if len(found) > MOST:
        yield Paragraph(words.phrase("letter.and-more", count=len(found) - MOST))


def problems(found: Sequence[Problem], words: Words) -> Iterator[Block]:
    """Yield problems that have no place in a text, each with what would be right or what to do."""
    for problem in found[:MOST]:
        rule = f" ({problem.rule})" if problem.rule else ""
        said = printable(words.problem(problem.code, problem.args))
        yield Paragraph(sentence(f"{said}{rule}"))
        advice = f"letter.advice.{problem.code}"
        if words.knows("phrases", advice):
            yield Paragraph(words.phrase(advice, **problem.args))
        if problem.help:
            yield Paragraph(words.phrase("letter.right-would-be", help=printable(problem.help)))
