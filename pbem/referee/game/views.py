"""What one seat may know of a game: its state and what happened, as its side knows them; the umpire knows
all.

What a side sees is said by the rules (``Doors.view``, ``Doors.seen``); here every way in which something
could still tell more is shut: the numbers of events have no gaps where others are left out. Whatever goes to
one seat is made of what these functions return.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.core.ruleset import Doors, Ruleset
from pbem.referee.game.game import Game
from pbem.referee.game.replay import Ground

Events = Sequence[Mapping[str, Any]]
_WHOLE = {door: Doors.__dataclass_fields__[door].default for door in ("view", "seen")}
"""The doors of a game in which everybody knows everything."""


def hides(rules: Ruleset[Any]) -> bool:
    """Tell whether the sides of a game know different things, so that nothing drawn or written for one may go
    to all.
    """
    return any(getattr(rules.doors, door) is not whole for door, whole in _WHOLE.items())


def side_of(game: Game, seat: str | None) -> str | None:
    """Return for which side something is made that goes to a seat; None, as for the umpire,
    without a seat.
    """
    return None if seat is None else game.sides[game.seat_of(seat)]


def known_state(ground: Ground, state: Any, side: str | None) -> Any:
    """Return the state as a side knows it."""
    return state if side is None else ground.rules.doors.view(ground.rules, state, side)


def known_events(ground: Ground, state: Any, events: Events, side: str | None) -> Events:
    """Return what a side learns of some events that led to a state, numbered as if there were no others."""
    if side is None or not hides(ground.rules):
        return events
    learnt = ground.rules.doors.seen(ground.rules, state, events, side)
    return tuple({**event, "n": n} for n, event in enumerate(learnt, 1))
