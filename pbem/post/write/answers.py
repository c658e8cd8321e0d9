"""Answers to a player's letter: what was read in it, what was wrong, how it was understood, and what happens
if nothing more comes.

Functions from plain values to a ``Letter``; every word is from the catalogue. Whether a letter is answered at
all, and from where the values come, is the round's business (``referee``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.post.lines.message import Repair
from pbem.post.write.cover import one_line, reply_subject
from pbem.post.write.parts import (
    MOST,
    About,
    Until,
    barred,
    facts,
    final,
    listed,
    problems,
    repaired,
    tag,
    understood,
)
from pbem.post.write.writing import Attachment, Letter, Picture
from pbem.text.located import Located
from pbem.text.report import Block, Code, Document, Facts, Heading, Image, Items, Paragraph
from pbem.text.words import Words

__all__ = [
    "AGAIN",
    "ASKED",
    "BESIDE",
    "DRAFT",
    "FINAL",
    "REFUSED",
    "STORED",
    "Refusal",
    "Reply",
    "Stranger",
    "enough",
    "refusal",
    "reply",
    "stranger",
]

FINAL, DRAFT, STORED, AGAIN, REFUSED = "final", "draft", "stored", "again", "refused"
"""What became of a submission: fixed; read but not fixed yet; taken, where nothing has to be fixed; there
already; not taken.
"""
BESIDE, ASKED = "beside", "asked"
"""And of one that orders nobody: kept until orders come, or asked about."""

_TONES: Mapping[str, str] = {DRAFT: "wait", REFUSED: "bad", ASKED: "wait", BESIDE: "wait"}


class Reply(Struct, frozen=True):
    """The answer to a submission.

    ``subject`` is that of the player's letter. ``where`` is the name of the file in it that was read, empty:
    its own text.
    ``problems`` and ``doubts`` have line, column and ``source_line`` *in the letter as the player sent it*,
    and in ``file`` the name of the file there, empty for its own text. ``normal`` are the orders in normal
    form, ``understood`` the forecast as ``check`` gives it, ``picture`` its map. ``replaces`` is the short
    digest of the earlier file that this one takes the place of; ``stays`` that of an earlier good one that
    still stands. ``otherwise`` ends the key of the phrase for what happens if nothing more is sent
    (``letter.otherwise-…``). ``digest`` is that of the receipt's file, ``receipt`` the record and its
    signature. ``ignored`` are names of files and sentences of what was in the letter and was not read.
    ``program``: the seat signs with pbem. ``held`` says why orders are only a draft although they say more.
    ``asks`` is what the player is asked, ``meant`` the lines by which he says that he means it. ``left`` are
    those whom a placing leaves out, each with where it is put then. ``joined``: the letter went together with
    what was on file. ``dice`` may be rolled.
    """

    about: About
    outcome: str
    until: Until
    otherwise: str = ""
    subject: str = ""
    where: str = ""
    problems: tuple[Located, ...] = ()
    doubts: tuple[Located, ...] = ()
    repairs: tuple[Repair, ...] = ()
    ignored: tuple[str, ...] = ()
    normal: tuple[str, ...] = ()
    understood: tuple[str, ...] = ()
    picture: Picture | None = None
    replaces: str = ""
    stays: str = ""
    digest: str = ""
    receipt: tuple[Attachment, ...] = ()
    sheet: Attachment | None = None
    program: bool = False
    held: tuple[str, ...] = ()
    asks: tuple[Problem, ...] = ()
    meant: tuple[str, ...] = ()
    left: tuple[tuple[str, str], ...] = ()
    joined: bool = False
    dice: bool = True


def reply(told: Reply, words: Words) -> Letter:
    """Return the answer to a submission; its first line says whether it was accepted."""
    title = words.phrase(f"letter.outcome-{told.outcome}", count=len(told.problems))
    about = told.about
    lead = words.phrase(f"letter.lead-{told.outcome}")
    body = Document(title, lead, tuple(_reply_blocks(told, words)))
    attached = (*told.receipt, *([told.sheet] if told.sheet is not None else []))
    pictures = (told.picture,) if told.picture is not None else ()
    subject = reply_subject(
        told.subject, tag(about, words.phrase("letter.your-orders")), about.game, about.code
    )
    return Letter(
        subject, body, pictures, attached, preview=title, replied=True, tone=_TONES.get(told.outcome, "good")
    )


def _reply_blocks(told: Reply, words: Words) -> Iterator[Block]:
    yield from _next(told, words)
    if told.outcome == FINAL and told.joined:
        yield Paragraph(words.phrase("letter.joined-luck"))
    yield from problems(tuple(replace(one, help="") for one in told.asks), words)
    if told.meant:
        yield Paragraph(words.phrase("letter.if-meant", count=len(told.meant)))
        yield Code(barred(told.meant))
    yield from _left(told, words)
    if told.held:
        yield Paragraph(words.phrase("letter.held"))
        yield Items(tuple(told.held))
        yield Paragraph(words.phrase("letter.held-meant"))
    elif told.outcome == DRAFT:
        yield from final(words, program=told.program, dice=told.dice)

    yield Facts(tuple(facts(told.about, words)))
    yield from listed(words.phrase("letter.wrong"), told.problems, words)
    if told.outcome == REFUSED and told.sheet is not None:
        yield Paragraph(words.phrase("letter.sent-back", file=told.sheet.name))
    if told.understood or told.outcome not in (REFUSED, ASKED, BESIDE):
        yield Heading(words.phrase("letter.understood"))
        if told.picture is not None:
            yield Image(told.picture.name, told.picture.alt)
        yield understood(told.understood) if told.understood else Paragraph(words.phrase("letter.no-orders"))

    yield from listed(words.phrase("letter.doubts"), told.doubts, words, words.phrase("letter.doubts-lead"))
    if told.normal:
        yield Heading(words.phrase("letter.normal-form"))
        yield Code(barred(told.normal))
    yield from _reading(told, words)
    if told.digest:
        yield Heading(words.phrase("letter.receipt"))
        key = (
            "letter.receipt-digest"
            if not told.receipt
            else "letter.receipt-is"
            if told.outcome == FINAL
            else "letter.receipt-read"
        )
        yield Paragraph(words.phrase(key, digest=told.digest))


def _left(told: Reply, words: Words) -> Iterator[Block]:
    """Yield who is not placed, and where each would be put."""
    if told.left:
        yield Paragraph(words.phrase("letter.left"))
        yield Items(tuple(words.phrase("answer.placed-at", who=who, at=at) for who, at in told.left[:MOST]))
    if len(told.left) > MOST:
        yield Paragraph(words.phrase("letter.and-more", count=len(told.left) - MOST))


def _next(told: Reply, words: Words) -> Iterator[Block]:
    """Yield by when something may be sent, what happens if nothing more is, and which file stands: the first
    that anybody wants to know.
    """
    yield Paragraph(told.until.said(words))
    if told.otherwise:
        yield Paragraph(words.phrase(f"letter.otherwise-{told.otherwise}"))
    if told.replaces:
        yield Paragraph(words.phrase("letter.replaces", digest=told.replaces))
    if told.stays:
        yield Paragraph(words.phrase("letter.stays", digest=told.stays))


def _reading(told: Reply, words: Words) -> Iterator[Block]:
    """Yield where the orders were found, what was repaired in them, and what was left aside."""
    yield Heading(words.phrase("letter.reading"))
    where = one_line(told.where, 80)
    yield Paragraph(
        words.phrase("letter.read-file", file=where) if where else words.phrase("letter.read-text")
    )
    if told.repairs:
        yield Paragraph(words.phrase("letter.repaired", count=len(told.repairs)))
        said = repaired(told.repairs, words)
        if len(said) > 12:
            said = [*said[:12], words.phrase("letter.and-more", count=len(said) - 12)]
        yield Items(tuple(said))
    if told.ignored:
        yield Paragraph(words.phrase("letter.ignored"))
        yield Items(tuple(one_line(one, 100) for one in told.ignored[:12]))


class Refusal(Struct, frozen=True):
    """The answer to a letter in which no orders could be taken: why, as problems without a place, and what to
    do (``letter.advice.…``).

    ``otherwise``, ``stays``, ``sheet`` as in ``Reply``; ``until`` None where the letter belongs to no game.
    """

    about: About
    problems: tuple[Problem, ...]
    until: Until | None = None
    otherwise: str = ""
    subject: str = ""
    stays: str = ""
    sheet: Attachment | None = None


def refusal(told: Refusal, words: Words) -> Letter:
    """Return the answer to a letter that could not be used at all: nothing in it, another game's, no code,
    too big.
    """
    blocks: list[Block] = list(problems(told.problems, words))
    if told.until is not None:
        reply_ = Reply(told.about, REFUSED, told.until, told.otherwise, stays=told.stays)
        blocks = [*_next(reply_, words), *blocks]
    if known := tuple(facts(told.about, words)):
        blocks.append(Facts(known))
    if told.sheet is not None:
        blocks.append(Paragraph(words.phrase("letter.sheet-again", file=told.sheet.name)))
    title = words.phrase("letter.outcome-unused")
    body = Document(title, words.phrase("letter.lead-unused"), tuple(blocks))
    subject = reply_subject(
        told.subject, tag(told.about, words.phrase("letter.your-letter")), told.about.game, told.about.code
    )
    attached = (told.sheet,) if told.sheet is not None else ()
    return Letter(subject, body, attached=attached, preview=title, replied=True, tone="bad")


class Stranger(Struct, frozen=True):
    """A letter that came from an address that belongs to no seat, or with a code that is not that seat's:
    told to who has the seat.
    """

    about: About
    address: str
    subject: str = ""


def stranger(told: Stranger, words: Words) -> Letter:
    """Return what the player of a seat is told, at his own address, when somebody else wrote in its name."""
    title = words.phrase("letter.stranger-title")
    blocks: tuple[Block, ...] = (
        Facts(
            (
                *facts(told.about, words),
                (words.phrase("letter.came-from"), one_line(told.address, 100)),
                (words.phrase("letter.came-subject"), one_line(told.subject, 100)),
            )
        ),
        Paragraph(words.phrase("letter.stranger-advice")),
    )
    body = Document(title, words.phrase("letter.stranger-lead"), blocks)
    return Letter(tag(told.about, title), body, preview=title, replied=True, tone="bad")


def enough(count: int, subject: str, words: Words) -> Letter:
    """Return the last answer of a day to who has had so many: that letters are still read, and the next ones
    are not answered.
    """
    title = words.phrase("letter.enough-title")
    body = Document(
        title,
        words.phrase("letter.enough-lead", count=count),
        (Paragraph(words.phrase("letter.enough-advice")),),
    )
    return Letter(reply_subject(subject, title), body, preview=title, replied=True, tone="wait")
