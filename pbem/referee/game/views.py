"""What one seat may know of a game: its state and what happened, as its side knows them; the umpire knows
all.

What a side sees is said by the rules (``view`` and ``seen`` of a ``RulesetInterface``); here every way in
which something could still tell more is shut: the numbers of events have no gaps where others are left out.
Whatever goes to one seat is made of what these functions return.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pbem.core.ruleset import Ruleset, RulesetInterface
from pbem.referee.game.game import Game
from pbem.referee.game.replay import Ground
from pbem.text.codec import defaults

NOBODY: Final = ""
"""In the place of a seat, and of a side: nobody's, who knows what everybody knows. Rules that hide something
are asked for what this side sees too.
"""
Events = Sequence[Mapping[str, Any]]
_WHOLE = {name: default for name, default in defaults(RulesetInterface) if name in ("view", "seen")}
"""The two functions of a game in which everybody knows everything."""


def hides(rules: Ruleset[Any]) -> bool:
    """Tell whether the sides of a game know different things, so that nothing drawn or written for one may go
    to all.
    """
    return any(getattr(rules.interface, name) is not whole for name, whole in _WHOLE.items())


def side_of(game: Game, seat: str | None) -> str | None:
    """Return for which side something is made that goes to a seat; None, as for the umpire,
    without a seat.
    """
    return seat if seat in (None, NOBODY) else game.sides[game.seat_of(seat)]


def known_state(ground: Ground, state: Any, side: str | None) -> Any:
    """Return the state as a side knows it."""
    return state if side is None else ground.rules.interface.view(ground.rules, state, side)


def known_events(ground: Ground, state: Any, events: Events, side: str | None) -> Events:
    """Return what a side learns of some events that led to a state, numbered as if there were no others."""
    if side is None or not hides(ground.rules):
        return events
    learnt = ground.rules.interface.seen(ground.rules, state, events, side)
    return tuple({**event, "n": n} for n, event in enumerate(learnt, 1))
