"""What the umpire's words in a ledger come to for its time: extensions, the time of a substitute, pauses,
leave.

A pause is over with the next word that lets the game go on; a second one in between changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from typing import Any

from pbem.club.terms import Acts, Extension, Leave, Pause
from pbem.proof.history import Ledger
from pbem.proof.spoken import SUBSTITUTE
from pbem.proof.timely import ABSENT, EXTEND, PAUSE, RESUME


def words_on_time(ledger: Ledger) -> list[Mapping[str, Any]]:
    """Return the umpire's words on time, in the order in which he gave them."""
    return [word for word in words_of(ledger) if word["type"] == "time"]


def words_of(ledger: Ledger) -> list[Mapping[str, Any]]:
    """Return all words of the umpire, on time and on anything else, in the order in which he gave them."""
    return [read.record for read in ledger.records if read.path.endswith(("-time.json", "-word.json"))]


def acts_of(ledger: Ledger) -> Acts:
    """Return what the words of a ledger come to."""
    words = words_on_time(ledger)
    return Acts(
        tuple(
            Extension(int(word["slot"]), when(word["until"]), when(word["at"]))
            for word in words_of(ledger)
            if word["does"] in (EXTEND, SUBSTITUTE) and "until" in word
        ),
        tuple(_pauses(words)),
        tuple(leave_of(word) for word in words if word["does"] == ABSENT),
    )


def leave_of(word: Mapping[str, Any]) -> Leave:
    """Return the leave that a word gives."""
    return Leave(
        str(word["seat"]),
        date.fromisoformat(word["first"]),
        date.fromisoformat(word["last"]),
        when(word["at"]),
        str(word["zone"]),
        granted=True,
    )


def when(at: str) -> datetime:
    """Return a moment as records write it."""
    return datetime.strptime(at, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)


def _pauses(words: list[Mapping[str, Any]]) -> Iterator[Pause]:
    begun: datetime | None = None
    for word in words:
        if word["does"] == PAUSE and begun is None:
            begun = when(word["at"])
        elif word["does"] == RESUME and begun is not None:
            # The clock of a computer may have been set back in between.
            yield Pause(begun, max(begun, when(word["at"])))
            begun = None
    if begun is not None:
        yield Pause(begun)
