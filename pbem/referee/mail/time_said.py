"""The umpire's words as a letter tells them: what he did, what it means for its reader, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec.structs import replace

from pbem.club.due import deadline_of, is_paused
from pbem.post.offices.timing import on_day
from pbem.post.write.cover import one_line
from pbem.proof.spoken import END, SAY, SUBSTITUTE
from pbem.proof.timely import ABSENT
from pbem.referee.mail.acts_of_time import leave_of
from pbem.referee.mail.served import OfficeGame
from pbem.text.words import Words

LONGEST: Final = 400
"""Characters of a reason that a letter tells; all of it is in the ledger."""


def title_of(served: OfficeGame, word: Mapping[str, Any], words: Words) -> str:
    """Return what a letter about a word is called."""
    side = served.side_name(str(word["seat"])) if "seat" in word else ""
    return words.phrase(f"letter.{word['type']}-{word['does']}-title", side=side)


def said_of(served: OfficeGame, word: Mapping[str, Any], seat: str, words: Words) -> Iterator[str]:
    """Yield what a word says to a seat, in sentences."""
    if word["does"] == ABSENT:
        leave = leave_of(word)
        own, days = leave.seat == seat, (on_day(leave.first, words), on_day(leave.last, words))
        alone = leave.first == leave.last
        key = f"letter.time-absent-{'you' if own else 'other'}{'-day' if alone else ''}"
        yield words.phrase(key, who=_who(served, leave.seat), first=days[0], last=days[1])
    elif word["does"] == SAY:
        yield words.phrase("letter.word-say", text=sentence(str(word["why"])))
        return
    elif word["does"] == END:
        yield ending_of(served, word, words)
    elif word["does"] != SUBSTITUTE:  # of which the letter itself says who comes and who goes
        yield words.phrase(f"letter.{word['type']}-{word['does']}")
    if word["why"]:
        yield words.phrase("letter.time-why", why=sentence(str(word["why"])))


def sentence(text: str) -> str:
    """Return the umpire's text in a line that ends as a sentence does."""
    line = one_line(text, LONGEST)
    return line if line.endswith((".", "!", "?", "…")) else f"{line}."


def ending_of(served: OfficeGame, word: Mapping[str, Any], words: Words) -> str:
    """Return how a word ended a game: who agreed or resigned, and who has won."""
    winner = served.side_names.get(str(word.get("winner", "")), str(word.get("winner", "")))
    return words.phrase(
        f"letter.word-end-{word['how']}{'-won' if winner else ''}",
        winner=winner,
        sides=list(dict.fromkeys(served.side_name(seat) for seat in word["by"])),
    )


def because(served: OfficeGame, words: Words) -> Iterator[str]:
    """Yield why the open slot is due later than its length says: who is away that it waits for, and a word of
    the umpire.
    """
    terms = served.settings.deadlines
    if terms is None or served.open_since is None or is_paused(served.move):
        return
    move, acts = served.move, served.acts
    for leave in dict.fromkeys(acts.leaves):
        others = replace(acts, leaves=tuple(one for one in acts.leaves if one != leave))
        if leave.seat in move.seats and (
            deadline_of(leave.seat, move, terms) > deadline_of(leave.seat, replace(move, acts=others), terms)
        ):
            yield words.phrase(
                "letter.because-away", who=_who(served, leave.seat), last=on_day(leave.last, words)
            )
    if any(one.slot == move.slot for one in acts.extensions):
        yield words.phrase("letter.because-extended")


def _who(served: OfficeGame, seat: str) -> str:
    """Return who plays a seat, and which side: ``Bob (West)``."""
    side, player = served.side_name(seat), served.players.get(seat)
    return side if player is None or player.name == side else f"{player.name} ({side})"
