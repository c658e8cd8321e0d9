"""Words of the GM on the time of a game (rule R20): what he can do to it, and the record of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

EXTEND, PAUSE, RESUME, ABSENT = "extend", "pause", "resume", "absent"
TIMELY: Final[Mapping[str, tuple[str, ...]]] = {
    EXTEND: ("until",),
    PAUSE: (),
    RESUME: (),
    ABSENT: ("first", "last", "seat", "zone"),
}
"""What can be done, and what a record of it says beside the slot and why."""


def time(
    *, game: str, n: int, prev: str, at: str, slot: int, does: str, why: str, said: Mapping[str, str]
) -> dict[str, Any]:
    """Return a word of the GM that was given while ``slot`` was open; ``said`` has the fields of what it
    ``does``.
    """
    made = {"type": "time", "game": game, "n": n, "prev": prev, "at": at}
    return {**made, "slot": slot, "does": does, "why": why, **said}
