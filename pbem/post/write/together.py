"""Two letters to one reader in one: what he is asked for stands first, what happened below it."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.post.write.writing import Letter
from pbem.text.report import Document


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
