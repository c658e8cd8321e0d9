"""Words of the GM that are not about time (rule R30): what he can say, and the record of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pbem.proof.shapes import ListOf, One, Shape, Text

SAY, SUBSTITUTE, END, REOPEN = "say", "substitute", "end", "reopen"
SPOKEN: Final[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    SAY: ((), ()),
    SUBSTITUTE: (("seat", "player"), ("was", "until")),
    END: (("how", "by"), ("winner",)),
    REOPEN: ((), ()),
}
"""What can be said; what a record of it has to say beside the slot and why, and what it may."""
AGREED, RESIGNED, ADJUDICATED = "agreed", "resigned", "adjudicated"
HOW: Final = (AGREED, RESIGNED, ADJUDICATED)
"""How a game ends by a word: both sides agreed, somebody resigned, the umpire judged."""
BOT: Final = "bot-"
"""So begins, of a player in the place of another, the name of one who is a program that the umpire runs."""
DRAW: Final = "draw"


def fields(seat: Shape, time: Shape) -> dict[str, Shape]:
    """Return the forms of what a word may say, given those of a seat and of a time."""
    player = Text(r"[a-z][a-z0-9-]{0,31}", 32)
    by = {"how": One(HOW), "winner": seat, "by": ListOf(seat)}
    return {"seat": seat, "player": player, "was": player, "until": time, **by}


def word(
    *, game: str, n: int, prev: str, at: str, slot: int, does: str, why: str, said: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a word of the GM that was given while ``slot`` was open (of ``reopen``: when it was); ``said``
    has the fields of what it ``does``. An end without a ``winner`` is a draw.
    """
    made = {"type": "word", "game": game, "n": n, "prev": prev, "at": at}
    return {**made, "slot": slot, "does": does, "why": why, **said}


def fits(record: Mapping[str, Any]) -> bool:
    """Tell whether a word says all that it has to, and no more than it may."""
    needed, allowed = SPOKEN[record["does"]]
    every = {field for fields in SPOKEN.values() for some in fields for field in some}
    has = every & record.keys()
    return set(needed) <= has <= {*needed, *allowed}
