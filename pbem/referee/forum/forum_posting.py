"""A turn as posts for a forum: what happened, pictures, the orders that were used, whose move it is, and the
proof.

It is made of the same document as every report. A post is read by all, so where sides know different things
there is none until the game is over: what is common to all sides nobody has worked out, and a guess at it
could tell. With a seat it is what that side knows, and says so. Orders are shown behind bars, as in letters:
quoted or copied, they are nobody's orders.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from importlib import import_module
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pbem.forum import proofline
from pbem.forum.defusing import PROOF
from pbem.forum.dialects import LEAST_LENGTH, Dialect, Limits
from pbem.forum.thread import Draft, Upload
from pbem.forum.writing import ALT, About, drafts
from pbem.post.offices.timing import zone_of
from pbem.post.write.parts import barred
from pbem.proof.archive import Archive, content, orders_path, short_digest
from pbem.proof.dice_protocol import NOTHING
from pbem.proof.orderfile import BadOrderFile, parse
from pbem.referee.explain.draw import (
    SHEET,
    details,
    drawn,
    events_of,
    painter,
    plan_drawn,
    plan_of,
    scene_of,
    state_of,
)
from pbem.referee.forum.forum_opening import about_opening, opening
from pbem.referee.game.game import Game
from pbem.referee.game.refusal import refuse
from pbem.referee.game.turns import map_title, of_slot, side_names
from pbem.referee.game.views import hides, side_of
from pbem.referee.mail.letters import headline, outcome_of, sheet_of
from pbem.referee.turn.go import missing_goes
from pbem.referee.turn.report import DiceInputs, gave_in, report_document
from pbem.text.report import Block, Code, Document, Facts, Heading, Image, Paragraph
from pbem.text.words import Words

__all__ = ["Posting", "posting", "steps"]

READABLE = 48
"""Pixels that a column of hexes needs in a post for the names on its counters to be read; a map below that
comes with larger parts.
"""
LEAST = 200
"""Pixels below which a picture is not made narrower, whatever it weighs."""
SHOWN = 3
"""Sentences of a sheet that show how orders look."""


class Posting(Struct, frozen=True):
    """A turn ready to be posted: its posts in their order, and its pictures, whether they are attached or
    fetched from an address.
    """

    game: str
    slot: int
    dialect: Dialect
    drafts: tuple[Draft, ...]
    pictures: tuple[Upload, ...] = ()
    pictures_at: str = ""


def posting(
    game: Game,
    slot: int | None,
    dialect: Dialect,
    *,
    seat: str | None = None,
    pictures_at: str = "",
    until: datetime | None = None,
    theme: str = "parchment",
) -> Posting:
    """Return the posts of a slot (the newest unless one is named) for a forum: before the first result, and
    of 0, those that begin its thread. Refused where a post for all would tell too much.
    """
    name = None if seat is None else game.seat_of(seat)
    if name is None and hides(game.ground.rules) and not game.ledger.over:
        raise refuse(
            "forum.hidden", help="name one with --seat, and post where only that side reads", game=game.id
        )
    if dialect.limits.characters < LEAST_LENGTH:
        raise refuse("forum.longest", help=f"at least {LEAST_LENGTH}", longest=dialect.limits.characters)
    if not game.ledger.started or slot == 0 or (slot is None and game.ledger.state_slot == 0):
        return _opening(game, dialect, name, pictures_at, until, theme)
    number, state = state_of(game, slot)
    gave = gave_in(game, number)
    pictures = _pictures(game, number, name, dialect.limits, theme) if dialect.limits.pictures else ()
    about = About(
        game.id,
        number,
        short_digest(gave.head),
        name if name is not None and hides(game.ground.rules) else "",
    )
    document = _document(game, number, state, gave, name, dialect, pictures, until)
    made = drafts(document, pictures, about, dialect, game.words, pictures_at=pictures_at)
    return Posting(game.id, number, dialect, made, pictures, pictures_at)


def _opening(
    game: Game, dialect: Dialect, seat: str | None, pictures_at: str, until: datetime | None, theme: str
) -> Posting:
    """Return the posts that begin a thread."""
    words, names = game.words_of_posts, _sides(game)
    pictures = _pictures(game, 0, seat, dialect.limits, theme) if dialect.limits.pictures else ()
    moment = "" if until is None else _moment(until, words)
    following = _next(game, 0, seat, dialect, until, words, names)
    document = opening(game, dialect, pictures, following, names, moment)
    about = about_opening(game)
    if seat is not None and hides(game.ground.rules):
        about = replace(about, seat=seat)
    made = drafts(document, pictures, about, dialect, words, pictures_at=pictures_at)
    return Posting(game.id, 0, dialect, made, pictures, pictures_at)


def _document(
    game: Game,
    slot: int,
    state: Any,
    gave: DiceInputs,
    seat: str | None,
    dialect: Dialect,
    pictures: Sequence[Upload],
    until: datetime | None,
) -> Document:
    words = game.words
    phase = game.ledger.slots[slot].phase
    made = report_document(game, slot, phase, events_of(game, slot), state, gave, beside="", seat=seat)
    blocks = list(made.blocks)
    # game, slot and what was given for the dice: all of it stands at the end here
    if blocks and isinstance(blocks[0], Facts):
        del blocks[0]
    check = (
        blocks.index(Heading(words.phrase("report.check-it")))
        if Heading(words.phrase("report.check-it")) in blocks
        else len(blocks)
    )
    story, footer = blocks[:check], blocks[check:]
    short = 2 if story[:1] == [Heading(words.phrase("report.in-short"))] else 0
    names = _sides(game)
    over = slot == game.ledger.state_slot and game.ledger.over
    body: list[Block] = [
        *([Paragraph(made.lead)] if over and made.lead else []),
        *_standing(game, slot, seat, until, words, names),
        *story[:short],
        *(Image(upload.name, upload.alt) for upload in pictures),
        *story[short:],
        *_used(game, slot, seat, words, names),
        *_next(game, slot, seat, dialect, until, words, names),
        *_checked(game, slot, gave, footer, words, names),
    ]
    lead = words.phrase("forum.over", headline=headline(game, words)) if over else made.lead
    return replace(made, title=title_of(game, slot, words), lead=lead, blocks=tuple(body))


def title_of(game: Game, slot: int, words: Words) -> str:
    """Return what a report is called by players: the scenario, and whose turn it was; a turn may come in
    several parts.
    """
    turn, slots = of_slot(game, slot), game.ledger.slots
    part = 1 + sum(one.phase == slots[slot].phase for number, one in slots.items() if number < slot)
    if part > 1:
        turn = f"{turn}, {words.phrase('report.part', part=part)}"
    return words.phrase("report.title", title=game.ground.title, turn=turn)


def _sides(game: Game) -> Mapping[str, str]:
    """Return how each seat is called: its side's name, or its own where a side has several."""
    looks = side_names(game.ground, game.state_after(0, ""))
    sides = list(game.sides.values())
    return {
        seat: looks.get(side, side) if sides.count(side) == 1 else seat.capitalize()
        for seat, side in game.sides.items()
    }


def _standing(
    game: Game, slot: int, seat: str | None, until: datetime | None, words: Words, names: Mapping[str, str]
) -> Iterator[Block]:
    """Yield who may read it, whether it still counts, who has won, or whose move it is and by when: what a
    reader looks for first.
    """
    if seat is not None and hides(game.ground.rules):
        yield Paragraph(words.phrase("forum.seen-by", side=names[seat]))
    # That a turn was played again its own report says.
    if game.ledger.slots[slot].undone and not game.ledger.corrected_by(slot):
        yield Paragraph(words.phrase("forum.undone"))
    if slot == game.ledger.state_slot and game.ledger.over:
        yield Facts(outcome_of(game))
    elif slot == game.ledger.state_slot:
        when = _moment(until, words) if until is not None else ""
        said = (
            words.phrase("forum.rolling")
            if _rolling(game)
            else words.phrase("forum.now", headline=headline(game, words), moment=when)
        )
        yield Paragraph(said)


def _rolling(game: Game) -> bool:
    """Tell whether nobody has to do anything before the dice are rolled."""
    return game.ledger.locked is not None and not missing_goes(game)


def _used(game: Game, slot: int, seat: str | None, words: Words, names: Mapping[str, str]) -> Iterator[Block]:
    """Yield the published orders of a slot, without remarks; of a game that hides something those of one's
    own side alone.
    """
    secret = seat is not None and hides(game.ground.rules)
    shown: list[Block] = []
    for name, entry in sorted(game.ledger.slots[slot].entries.items()):
        if entry.sha512 is None or (secret and name != seat):
            continue
        lines = _orders(game, orders_path(name, slot))
        if lines:
            shown.append(Code(barred(lines), words.phrase("forum.orders-of", side=names[name])))
    if shown:
        yield Heading(words.phrase("forum.orders-used"))
        yield from shown


def _orders(game: Game, path: str) -> list[str]:
    """Return the lines of a file as it is published: one that is locked and still secret is not in the
    folder.
    """
    archive: Archive = game.folder if game.folder is not None else game.archive
    data = content(archive, path)
    try:
        text = "" if data is None else parse(data).yaml.decode("utf-8", "replace")
    except BadOrderFile:
        return []
    return [line.rstrip() for line in text.split("\n") if line.strip() and not line.lstrip().startswith("#")]


def _next(
    game: Game,
    slot: int,
    seat: str | None,
    dialect: Dialect,
    until: datetime | None,
    words: Words,
    names: Mapping[str, str],
) -> Iterator[Block]:
    """Yield whose move it is, by when, and how to answer; nothing where something has happened since, or the
    game is over.
    """
    ledger = game.ledger
    if slot != ledger.state_slot or ledger.over or ledger.next is None or _rolling(game):
        return
    yield Heading(words.phrase("forum.next", headline=headline(game, words)))
    if until is not None:
        yield Paragraph(words.phrase("forum.until", moment=_moment(until, words)))
    if ledger.locked is not None:
        yield Paragraph(words.phrase("forum.how-go"))
        yield Code(barred([words.phrase("sheet.luck")]))
        return
    waits = [
        name for name in ledger.next["waits"] if seat is None or name == seat or not hides(game.ground.rules)
    ]
    yield Paragraph(words.phrase(f"forum.how-{dialect.name}"))
    for name in waits:
        sheet = sheet_of(game, name)
        if sheet is not None and (lines := _example(sheet.data.decode())):
            yield Paragraph(words.phrase("forum.how-example", side=names[name]))
            yield Code(barred(lines))
    if len(ledger.next["waits"]) > 1:
        yield Paragraph(words.phrase("forum.how-apart"))
    yield Paragraph(words.phrase("forum.how-edited"))


def _example(sheet: str) -> list[str]:
    """Return the first section of a sheet that offers something, with its first sentences as one would send
    them.
    """
    found: list[str] = []
    for line in sheet.split("\n"):
        if line.endswith(":") and line[:1].isalpha():
            if len(found) > 1:
                break
            found = [line]
        elif line.startswith("#- ") and found and len(found) < SHOWN:
            found.append(line[1:])
    return found if len(found) > 1 else []


def _moment(at: datetime, words: Words) -> str:
    """Return a deadline without how far away it is: a post is read when it is read."""
    day, month = words.phrase(f"letter.weekday-{at.isoweekday()}"), words.phrase(f"letter.month-{at.month}")
    zone = at.tzname() or str(zone_of(""))
    time = f"{at.hour:02}:{at.minute:02}"
    return words.phrase(
        "forum.moment", weekday=day, day=at.day, month=month, year=at.year, time=time, zone=zone
    )


def _checked(
    game: Game, slot: int, gave: DiceInputs, footer: Sequence[Block], words: Words, names: Mapping[str, str]
) -> Iterator[Block]:
    """Yield how everything is checked: what the report says of it, what was given for the dice, and the proof
    line last.

    How it is done, and which tables are not the printed ones, stands in the report of the first turn; later
    ones point to it.
    """
    if slot == 1:
        yield from (block for block in footer if not isinstance(block, Facts))
    else:
        yield from footer[:1]
        yield Paragraph(words.phrase("forum.check-again", game=game.id))
    rows = []
    for name in game.ledger.outside:
        given = words.phrase("forum.typed", words=gave.words[name]) if name in gave.words else ""
        if not given and gave.values.get(name, NOTHING) != NOTHING:
            given = words.phrase("forum.value", value=gave.values[name][:4])
        if given:
            rows.append((words.phrase("forum.gave", side=names[name]), given))
    if rows:
        yield Facts(tuple(rows))
    yield Paragraph(
        words.phrase("forum.proof" if slot == 1 else "forum.proof-again", digest=short_digest(gave.head))
    )
    yield Code(proofline.line(game.id, slot, gave.head), language=PROOF)


# --- pictures


def _pictures(game: Game, slot: int, seat: str | None, limits: Limits, theme: str) -> tuple[Upload, ...]:
    """Return the pictures of a slot, within the limits of a forum: parts where the whole map could not be
    read, the map, the record sheet.

    There are no more than one post may show, so that no post is made for a picture alone; the least telling
    stays behind.
    """
    png = painter()
    text, frame = import_module("pbem.renderers.text"), import_module("pbem.renderers.frame")
    number, state = (slot, game.state_after(0, "")) if slot == 0 else state_of(game, slot)
    side = side_of(game, seat) if hides(game.ground.rules) else None
    events = events_of(game, number) if number else ()
    scene = scene_of(game.ground, state, events, map_title(game, number), side)
    archive: Archive = game.archive if side is None else {}
    left, _, right, _ = frame.bounds(scene)
    column = import_module("pbem.renderers.focus").COLUMN * limits.shown / max(1, right - left)
    found: list[tuple[str, bytes, str]] = []
    if column < READABLE and limits.pictures > 1:
        found += [
            (f"{n}", data, alt)
            for n, (data, alt) in enumerate(details(scene, theme)[: limits.pictures - 1], 1)
        ]
    found.append(
        ("map", content(archive, f"maps/s{number:04d}.png") or drawn(scene, ".png"), text.alt(scene))
    )
    plan = plan_of(game.ground, state, game.ground.title, events, side)
    if plan is not None and len(found) < limits.pictures:
        found.append((SHEET, plan_drawn(plan, ".png"), plan.summary))
    return tuple(_within(png, f"slot-{number}-{name}.png", data, alt, limits) for name, data, alt in found)


def _within(png: Any, name: str, data: bytes, alt: str, limits: Limits) -> Upload:
    """Return a picture that a forum takes: neither wider, higher nor larger in bytes than it allows, at worst
    a small one.
    """
    said = import_module("pbem.renderers.lettering").plain(alt, ALT)
    wide, high = _size(data)
    width = min(limits.width, wide * limits.height // max(1, high)) if high > limits.height else limits.width
    width = max(1, min(width, wide))
    fitting = png.reduced(data, width, limits.bytes, said)
    while width > LEAST and (len(fitting) > limits.bytes or _size(fitting)[0] * 5 < width * 4):
        # rather a little narrower than half as wide in few colours, which is the last that is tried
        width = width * 5 // 6
        fitting = png.reduced(data, width, limits.bytes, said)
    return Upload(name, fitting, said, _size(fitting))


def _size(data: bytes) -> tuple[int, int]:
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


# --- what a person has to do


def steps(posted: Posting, words: Words) -> list[str]:
    """Return what to do with the posts, line by line: titles, what is attached in which order with which
    words, how long to wait.
    """
    dialect = posted.dialect
    lines: list[str] = []
    if posted.pictures_at and posted.pictures:
        lines.append(words.phrase("forum.step-host", address=posted.pictures_at))
        lines += _listed(posted.pictures, words)
    for number, draft in enumerate(posted.drafts, 1):
        lines += ["", f"post-{number}.txt", words.phrase("forum.step-title", title=draft.title)]
        if draft.uploads:
            lines.append(words.phrase(f"forum.step-attach-{dialect.name}"))
            lines += _listed(draft.uploads, words)
        key = "forum.step-paste-source" if dialect.name in ("vbulletin", "xenforo") else "forum.step-paste"
        lines.append(words.phrase(key, file=f"post-{number}.txt"))
    count, limits = len(posted.drafts), dialect.limits
    lines.append("")
    if count > 1:
        lines.append(words.phrase("forum.step-wait", seconds=limits.between))
    if limits.in_a_row and count > limits.in_a_row:
        lines.append(words.phrase("forum.step-row", count=count, most=limits.in_a_row))
    if dialect.tags is None and len(posted.pictures) > 1:
        lines.append(words.phrase("forum.step-new"))
    while lines and not lines[-1]:
        lines.pop()
    return lines[1:] if lines and not lines[0] else lines


def _listed(uploads: Sequence[Upload], words: Words) -> list[str]:
    return ["  " + words.phrase("forum.step-picture", name=upload.name, alt=upload.alt) for upload in uploads]
