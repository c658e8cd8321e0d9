"""Letters that nobody wrote for: a turn, a request for words, a reminder, an invitation, the end of a game.

Functions from plain values to a ``Letter``; every word is from the catalogue. What is due when is decided in
``club``, what a turn has to tell in ``referee``.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from pbem.post.write.cover import one_line
from pbem.post.write.parts import REMINDED, About, Until, barred, facts, final, tag
from pbem.post.write.writing import Attachment, Letter, Picture
from pbem.text.report import Block, Code, Document, Facts, Heading, Image, Paragraph
from pbem.text.words import Words

__all__ = ["GoRequest", "Invitation", "Reminder", "Turn", "go_request", "invitation", "reminder", "turn"]


class Turn(Struct, frozen=True):
    """What happened, and whose move it is.

    ``headline`` is the subject without its tag (``Turn 3: West to move``). ``asked`` is what this seat is to
    send (``orders``,
    ``answer``, or empty: others are to move); ``movers`` are the names of those who are. ``gave`` is what the
    seat gave for the dice and ``used`` its own orders as they were used, told first. ``report`` is the
    report; its images name ``pictures``. ``spoken`` is the map in words. ``sheet`` is the order sheet;
    ``example`` are some of its lines, to show how an answer looks. ``packet`` is the page to click orders
    together in. ``archive`` is the packed game, ``digest`` its head. ``luck`` says that words are wanted with
    final orders,
    ``dice`` that some may be rolled, ``over`` that the game is over; ``outcome`` then has each side with its
    points. ``notices`` are told before everything else. ``opening`` says what the game is about, ``men``
    where one's own are and what they can do, ``now`` what could be sent, ``others`` who else is there;
    ``guide`` is a page with the rules,
    ``position`` that one of the pictures that shows where everybody stands and not what happened.
    """

    about: About
    headline: str
    report: Document
    until: Until
    asked: str = ""
    movers: tuple[str, ...] = ()
    otherwise: str = ""
    gave: str = ""
    used: tuple[str, ...] = ()
    pictures: tuple[Picture, ...] = ()
    spoken: tuple[Block, ...] = ()
    sheet: Attachment | None = None
    example: tuple[str, ...] = ()
    archive: Attachment | None = None
    digest: str = ""
    luck: bool = False
    dice: bool = True
    over: bool = False
    outcome: tuple[tuple[str, str], ...] = ()
    packet: Attachment | None = None
    notices: tuple[str, ...] = ()
    opening: tuple[Block, ...] = ()
    men: tuple[Block, ...] = ()
    now: tuple[Block, ...] = ()
    others: tuple[Block, ...] = ()
    guide: Attachment | None = None
    position: Picture | None = None


def turn(told: Turn, words: Words) -> Letter:
    """Return the letter of a turn: whose move it is and by when, then the report, then how to answer."""
    blocks: list[Block] = [Paragraph(notice) for notice in told.notices]
    if not told.over:
        blocks += _whose(told, words)
    elif told.outcome:
        blocks.append(Facts(told.outcome))

    if told.gave:
        blocks.append(Paragraph(told.gave))
    blocks += told.opening
    short, full = told.report.blocks[: told.report.short], told.report.blocks[told.report.short :]
    blocks += [
        Heading(told.report.title),
        *([Paragraph(told.report.lead)] if told.report.lead else []),
        *short,
    ]
    if told.position is not None:
        blocks.append(Image(told.position.name, told.position.alt))
    blocks += told.men
    if told.asked:
        blocks += [*told.now, *_how(told, words)]
    blocks += told.others
    if short and full:
        blocks.append(Heading(words.phrase("letter.in-full")))
    blocks += full
    if told.used:
        blocks += [Heading(words.phrase("letter.used")), Code(barred(told.used))]
    blocks += _files(told, words)
    lead = words.phrase(
        "letter.turn-over" if told.over else f"letter.turn-{told.asked or 'others'}", sides=list(told.movers)
    )
    body = Document(told.headline, lead, tuple(blocks))
    attached = tuple(file for file in (told.sheet, told.packet, told.guide, told.archive) if file is not None)
    preview, tone = f"{told.headline}. {lead}", "wait" if told.asked else ""
    return Letter(
        tag(told.about, told.headline), body, told.pictures, attached, told.spoken, preview, tone=tone
    )


def _whose(told: Turn, words: Words) -> Iterator[Block]:
    if told.asked:
        yield Paragraph(told.until.said(words))
        if told.otherwise:
            yield Paragraph(words.phrase(f"letter.otherwise-{told.otherwise}"))
    elif told.until.at is not None and told.movers:
        yield Paragraph(told.until.said(words, "letter.deadline-others"))


def _how(told: Turn, words: Words) -> Iterator[Block]:
    yield Heading(words.phrase("letter.how"))
    file = told.sheet.name if told.sheet is not None else ""
    yield Paragraph(words.phrase("letter.how-to-answer", file=file))
    if told.packet is not None:
        yield Paragraph(words.phrase("letter.how-packet", file=told.packet.name))
    if told.example:
        yield Paragraph(words.phrase("letter.how-example"))
        yield Code(barred(told.example))
    if told.guide is not None:
        yield Paragraph(words.phrase("letter.guide", file=told.guide.name))
    if told.luck:
        yield Paragraph(words.phrase("letter.final-first"))
        yield Code(barred([words.phrase("letter.line-luck")]))
    if not told.dice:
        yield Paragraph(words.phrase("letter.how-no-dice"))
        yield Code(barred([words.phrase("letter.line-final")]))
    if told.about.code:
        yield Paragraph(words.phrase("letter.how-code", code=told.about.code))


def _files(told: Turn, words: Words) -> Iterator[Block]:
    if told.guide is not None and not told.asked:
        yield Paragraph(words.phrase("letter.guide", file=told.guide.name))
    if told.archive is not None:
        yield Paragraph(words.phrase("letter.archive", file=told.archive.name))
    if told.digest:
        yield Facts(((words.phrase("report.head"), told.digest),))


class GoRequest(Struct, frozen=True):
    """The question for words after a lock (R8): ``whose`` orders are fixed, by the short ``digest`` of the
    lock.

    ``program``: the seat has pbem, and goes with a value of its chain; ``packet`` is the page that does the
    same in a browser.
    """

    about: About
    whose: tuple[str, ...]
    digest: str
    until: Until
    program: bool = False
    otherwise: str = ""
    packet: Attachment | None = None


def go_request(told: GoRequest, words: Words) -> Letter:
    """Return the letter that asks a seat for its words (or its value) before the dice are rolled."""
    title = words.phrase("letter.go-title")
    blocks: list[Block] = [
        Paragraph(words.phrase("letter.go-fixed", sides=list(told.whose), digest=told.digest))
    ]
    blocks.append(Paragraph(words.phrase("letter.go-with-program" if told.program else "letter.go-how")))
    if not told.program:
        blocks.append(Code(barred([words.phrase("sheet.luck")])))
    if told.packet is not None:
        blocks.append(Paragraph(words.phrase("letter.answer-packet", file=told.packet.name)))
    if told.otherwise:
        blocks.append(Paragraph(words.phrase(f"letter.otherwise-{told.otherwise}")))
    if told.until.at is not None:
        blocks.append(Paragraph(told.until.said(words)))
    blocks.append(Facts(tuple(facts(told.about, words))))
    body = Document(title, words.phrase("letter.go-lead"), tuple(blocks))
    attached = (told.packet,) if told.packet is not None else ()
    return Letter(tag(told.about, title), body, attached=attached, preview=title, tone="wait")


class Reminder(Struct, frozen=True):
    """A word before the deadline; ``has`` says what is there of the seat already: nothing (empty) or a
    ``draft``.
    """

    about: About
    until: Until
    has: str = ""
    asked: str = "orders"
    otherwise: str = ""
    sheet: Attachment | None = None
    program: bool = False
    word: str = ""
    """What the umpire adds, where he sends it himself."""


def reminder(told: Reminder, words: Words) -> Letter:
    """Return the reminder of a seat that has sent nothing final yet."""
    title = words.phrase("letter.reminder-draft" if told.has == "draft" else f"letter.reminder-{told.asked}")
    blocks: list[Block] = [Paragraph(words.phrase("letter.word", word=told.word))] if told.word else []
    blocks.append(Paragraph(told.until.said(words, REMINDED)))
    if told.otherwise:
        blocks.append(Paragraph(words.phrase(f"letter.otherwise-{told.otherwise}")))
    if told.has == "draft":
        blocks += final(words, program=told.program)
    if told.sheet is not None:
        blocks.append(Paragraph(words.phrase("letter.sheet-again", file=told.sheet.name)))
    blocks.append(Facts(tuple(facts(told.about, words))))
    body = Document(title, words.phrase("letter.reminder-lead"), tuple(blocks))
    attached = (told.sheet,) if told.sheet is not None else ()
    return Letter(tag(told.about, title), body, attached=attached, preview=title, tone="wait")


class Invitation(Struct, frozen=True):
    """A seat is offered to somebody: ``digest`` is the beginning of the manifest's, ``archive`` the
    invitation as a file.

    ``program``: the seat has a key, so its player has pbem; ``packet`` is the page in which he joins without
    it. ``umpire`` is who asks.
    ``game`` is what there is to know before one answers: what it is about, against whom, how long, with whom.
    """

    about: About
    digest: str
    program: bool = False
    umpire: str = ""
    picture: Picture | None = None
    archive: Attachment | None = None
    packet: Attachment | None = None
    game: tuple[Block, ...] = ()


def invitation(told: Invitation, words: Words) -> Letter:
    """Return an invitation to a game."""
    title = words.phrase(
        "letter.invitation-title",
        title=one_line(told.about.title, 60),
        side=one_line(told.about.side or told.about.seat, 60),
    )
    blocks: list[Block] = []
    if told.program:
        blocks += [
            Paragraph(words.phrase("letter.join-with-program")),
            Code(words.phrase("letter.join-command")),
        ]
        if told.packet is not None:
            blocks.append(Paragraph(words.phrase("letter.answer-packet", file=told.packet.name)))
    else:
        blocks += [
            Paragraph(words.phrase("letter.join-how")),
            Code(barred([words.phrase("letter.join-line")])),
        ]
        blocks.append(Paragraph(words.phrase("letter.join-what-comes")))

    blocks += told.game
    if told.picture is not None:
        blocks.append(Image(told.picture.name, told.picture.alt))
    blocks.append(Facts(tuple(facts(told.about, words))))
    blocks.append(Paragraph(words.phrase("letter.invitation-begins", digest=told.digest)))
    attached = tuple(file for file in (told.archive, told.packet) if file is not None)
    body = Document(
        title, words.phrase("letter.invitation-lead", umpire=one_line(told.umpire, 60)), tuple(blocks)
    )
    pictures = (told.picture,) if told.picture is not None else ()
    return Letter(tag(told.about, title), body, pictures, attached, preview=title, tone="wait")
