"""Letters to the umpire: what a player wrote that is for a person, and what the office cannot do alone.

Functions from plain values to a ``Letter``; every word is from the catalogue. What is passed on, and when, is
decided in ``referee``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.post.write.cover import one_line
from pbem.post.write.parts import About, facts, sentence, tag
from pbem.post.write.writing import Letter, Picture
from pbem.text.report import Block, Code, Document, Facts, Heading, Items, Paragraph, Quote
from pbem.text.words import Words

__all__ = [
    "MOST_WORDS",
    "Passed",
    "Thing",
    "ToRelease",
    "also_passed",
    "for_a_person",
    "passed",
    "to_release",
    "trouble",
]

MOST_WORDS = 20_000
"""Characters of somebody's words that are passed on."""
_MOST_THINGS = 50


class Passed(Struct, frozen=True):
    """What a player wrote that the program does not understand, or that is for the umpire.

    ``about`` is the game it seems to be about (nothing of it is told that is the player's alone), ``player``
    his name, ``address`` where an answer goes, ``subject`` that of his letter. ``did`` is the end of the key
    of what was done with the letter (``passed.did-…``), ``wish`` what it reads like (``post.wishes``),
    ``words`` and ``note`` what he said. ``certain``: it bears the code of his seat, or his signature.
    ``kept`` is where the letter lies.
    """

    about: About
    player: str
    address: str
    subject: str = ""
    did: str = "unused"
    wish: str = ""
    words: str = ""
    note: str = ""
    certain: bool = True
    kept: str = ""
    understood: tuple[str, ...] = ()
    """What it asks for, as far as that is certain, and what was done about it, in sentences."""


def passed(told: Passed, words: Words) -> Letter:
    """Return the letter in which the umpire reads somebody's words."""
    who = one_line(told.player or told.address, 60)
    side = one_line(told.about.side or told.about.seat, 60)
    title = words.phrase("passed.title", player=who, side=side)
    blocks: list[Block] = []
    if told.words:
        blocks.append(Quote(who, told.words[:MOST_WORDS]))
    if len(told.words) > MOST_WORDS:
        blocks.append(Paragraph(words.phrase("passed.cut", kept=told.kept)))
    if told.note:
        blocks += [Paragraph(words.phrase("passed.note")), Quote(who, told.note[:MOST_WORDS])]
    blocks.append(Paragraph(words.phrase(f"passed.did-{told.did}")))
    blocks += [Paragraph(one) for one in told.understood]
    if told.wish and words.knows("phrases", f"passed.wish-{told.wish}"):
        blocks.append(Paragraph(words.phrase(f"passed.wish-{told.wish}", game=told.about.game or "ID")))
    if not told.certain:
        blocks.append(Paragraph(words.phrase("passed.no-code", player=who)))
    known = tuple(facts(replace(told.about, seat="", side="", code=""), words))
    rows = (
        *known,
        (
            words.phrase("passed.from"),
            (f"{who} <{one_line(told.address, 100)}>" if told.address else who)
            + (f", {side}" if side else ""),
        ),
        (words.phrase("passed.subject"), one_line(told.subject, 100)),
        *(((words.phrase("passed.kept"), told.kept),) if told.kept else ()),
    )
    blocks.append(Facts(rows))
    lead = words.phrase("passed.lead", player=who)
    head = f"[{told.about.game}] " if told.about.game else ""
    first = one_line(told.words or told.note, 60)
    return Letter(
        one_line(f"{head}{title}: {first}"), Document(title, lead, tuple(blocks)), preview=first, tone="wait"
    )


def for_a_person(told: Letter, umpire: str, words: Words) -> Letter:
    """Return the answer to a letter that holds no orders as one to somebody who has written to a person."""
    title = words.phrase("letter.for-umpire-title" if umpire else "letter.for-umpire-kept")
    lead = words.phrase("letter.for-umpire-lead", umpire=umpire)
    return replace(told, body=replace(told.body, title=title, lead=lead), preview=title, tone="")


def also_passed(told: Letter, umpire: str, words: Words) -> Letter:
    """Return an answer that says first that words of the letter went to the umpire, or are kept for him."""
    said = Paragraph(words.phrase("letter.also-passed" if umpire else "letter.also-kept", umpire=umpire))
    return replace(told, body=replace(told.body, blocks=(said, *told.body.blocks)))


class ToRelease(Struct, frozen=True):
    """A turn that waits for the umpire: whose it is in words, its report, pictures, what is doubtful in the
    orders, and the ``command`` that lets it go.
    """

    about: About
    turn: str
    report: Document
    command: str
    doubts: tuple[str, ...] = ()
    pictures: tuple[Picture, ...] = ()


def to_release(told: ToRelease, words: Words) -> Letter:
    """Return the letter in which the umpire sees a turn before anybody else does."""
    title = words.phrase("release.title", turn=told.turn)
    blocks: list[Block] = [
        Code(told.command),
        Paragraph(words.phrase("release.otherwise", game=told.about.game)),
    ]
    if told.doubts:
        blocks += [Heading(words.phrase("release.doubts")), Items(told.doubts)]
    blocks.append(Heading(told.report.title))
    if told.report.lead:
        blocks.append(Paragraph(told.report.lead))
    blocks += [*told.report.blocks, Facts(tuple(facts(told.about, words)))]
    body = Document(title, words.phrase("release.lead"), tuple(blocks))
    return Letter(tag(told.about, title), body, told.pictures, preview=title, tone="wait")


# --- what the office cannot do alone


class Thing(Struct, frozen=True):
    """A thing that needs the umpire: the game it is in (empty: the office itself), a sentence, and what he
    can do.
    """

    where: str
    said: str
    help: str = ""


def trouble(new: Sequence[Thing], still: Sequence[Thing], words: Words) -> Letter:
    """Return the note to the umpire: what he is told for the first time, and what he knows
    and still is so.
    """
    title = words.phrase("letter.trouble-title", count=len(new))
    blocks: list[Block] = []
    for thing in new[:_MOST_THINGS]:
        blocks.append(Heading(thing.where or words.phrase("letter.the-office"), 3))
        blocks.append(Paragraph(sentence(one_line(thing.said, 600))))
        if thing.help:
            blocks.append(Paragraph(words.phrase("letter.right-would-be", help=one_line(thing.help, 400))))
    if len(new) > _MOST_THINGS:
        blocks.append(Paragraph(words.phrase("letter.and-more", count=len(new) - _MOST_THINGS)))
    blocks += _still(still, words)
    return Letter(
        title, Document(title, words.phrase("letter.trouble-lead"), tuple(blocks)), preview=title, tone="bad"
    )


def _still(still: Sequence[Thing], words: Words) -> Iterator[Block]:
    if not still:
        return
    yield Heading(words.phrase("letter.trouble-still"), 3)
    yield Facts(
        tuple(
            (thing.where or words.phrase("letter.the-office"), one_line(thing.said, 200))
            for thing in still[:_MOST_THINGS]
        )
    )
