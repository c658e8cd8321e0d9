"""A walk: how far a figure gets on a way, what that costs it, and what stopped it.

What each step costs, and what bars it, is ``step``; the cheapest way to somewhere is ``movement``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from pbem.core.problem import Problem
from pbem.rulesets.siege.state.state import Unit

# --- a way


def exactly(
    unit: Unit,
    start: str,
    way: Sequence[str],
    spend: int,
    onward: Callable[[str, str], tuple[str, Problem | None]],
    cost: Callable[[str, str], int | None],
    shut: Callable[[str], Problem | None],
) -> tuple[list[str], int, Problem | None]:
    """Return how far a figure gets on exactly this way: where it stands one step after the other, the cost,
    and what ended it early.

    ``onward`` says how it would stand in the next hex, or why it cannot come there; ``shut`` why it cannot
    stop as it stands.
    """
    found, costs = [start], [0]
    stopped: Problem | None = None
    for there in way:
        after, stopped = onward(found[-1], there)
        if stopped:
            break
        total = costs[-1] + (cost(found[-1], after) or 0)
        if total > spend:
            names: dict[str, str | int] = {"unit": unit.id, "hex": there, "points": spend, "cost": total}
            stopped = Problem("movement.too-far", names, rule="S1.6b")
            break
        found.append(after)
        costs.append(total)
    while len(found) > 1 and (problem := shut(found[-1])):
        stopped = problem
        found.pop()
        costs.pop()
    return found, costs[-1], stopped


class Walk(Struct, frozen=True):
    """A way as far as it goes: its places, what it costs, what was there to spend, and what
    ended it early.
    """

    places: tuple[str, ...]
    cost: int
    of: int
    stopped: Problem | None = None
    tails: tuple[str, ...] = ()
    """Of a figure of two hexes, where its tail is at each of the places, which are those of its head."""

    @property
    def ends(self) -> tuple[str, ...]:
        """Return where the figure stands at the end of the way: head and tail, or the one place."""
        return (self.places[-1], self.tails[-1]) if self.tails else self.places[-1:]
