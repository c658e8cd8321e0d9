"""What a missed deadline costs, by how many a seat has missed: nothing but its default move, a strike, a
substitute, the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from pbem.club.terms import MissedTerms

DEFAULT: Final = "default"
STRIKE, SUBSTITUTE, LOSS = "strike", "substitute", "loss"


def misses(moves: Iterable[bool], terms: MissedTerms) -> int:
    """Return how many misses stand against a seat after its moves, the oldest first; True is one that it
    missed.
    """
    against, in_time = 0, 0
    for missed in moves:
        against, in_time = (against + 1, 0) if missed else (against, in_time + 1)
        if terms.forgive is not None and in_time == terms.forgive:
            against, in_time = max(0, against - 1), 0
    return against


def cost(moves: Sequence[bool], terms: MissedTerms) -> str:
    """Return what the newest move costs its seat: nothing where it was in time (empty), else the dearest
    thing that so many misses are agreed to cost.
    """
    if not moves or not moves[-1]:
        return ""
    against = misses(moves, terms)
    steps = ((LOSS, terms.loss), (SUBSTITUTE, terms.substitute), (STRIKE, terms.strike))
    return next((name for name, after in steps if after is not None and against >= after), DEFAULT)
