"""Several letters to one reader in one: what he is asked for stands first, what happened below it; or the
reminders of all games that wait for him.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from pbem.post.write.news import Reminder, reminder
from pbem.post.write.writing import Attachment, Letter
from pbem.text.report import Block, Document, Heading, Paragraph
from pbem.text.words import Words

_CODES: Final = 4
"""So many codes stand in the subject; of more games each one's own letter is to be answered."""


def with_report(asks: Letter, turn: Letter) -> Letter:
    """Return the letter that asks for something, with the report of a turn letter below; subject, title and
    tone are of the first.
    """
    body = Document(asks.body.title, asks.body.lead, (*asks.body.blocks, *turn.body.blocks))
    return replace(
        asks,
        body=body,
        pictures=(*asks.pictures, *turn.pictures),
        attached=(*asks.attached, *turn.attached),
        spoken=turn.spoken,
    )


def reminders(told: Sequence[Reminder], words: Words) -> Letter:
    """Return one letter with the reminders of several seats of one player, the most pressing first. An answer
    to it bears all their codes, so the orders have to say of which game they are, as their sheets do.
    """
    known = [one for one in told if one.until.at is not None]
    ordered = [*sorted(known, key=_pressing), *(one for one in told if one.until.at is None)]
    title = words.phrase("letter.reminders", count=len(told))
    blocks: list[Block] = []
    attached: list[Attachment] = []
    for one in ordered:
        sheet = one.sheet and replace(one.sheet, name=f"{one.about.game}-{one.sheet.name}")
        alone = reminder(replace(one, sheet=sheet), words)
        blocks += [Heading(f"{one.about.title} ({one.about.game})"), Paragraph(f"{alone.body.title}.")]
        blocks += alone.body.blocks
        attached += alone.attached
    codes = [one.about.code for one in ordered if one.about.code]
    tail = "".join(f" (code {code})" for code in codes) if len(codes) <= _CODES else ""
    how = words.phrase("letter.reminders-how" if tail else "letter.reminders-own", game=ordered[0].about.game)
    body = Document(title, words.phrase("letter.reminder-lead"), (Paragraph(how), *blocks))
    return Letter(f"{title}{tail}", body, attached=tuple(attached), preview=title, tone="wait")


def _pressing(one: Reminder) -> float:
    return one.until.at.timestamp() if one.until.at is not None else 0.0
