"""Carries out a section of an order file, line by line: which branch is taken, and when the file ends.

What a line does, whether a condition holds and how both are told is the game's affair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from pbem.core.problem import Path
from pbem.core.sequence import Cursor
from pbem.orders.file import Item, Line, OrderFile, Stop, When

__all__ = ["carry_out", "has_ended", "source"]


def carry_out(
    items: Iterable[Item],
    *,
    line: Callable[[Line], None],
    holds: Callable[[When], bool],
    end: Callable[[Stop], None],
) -> bool:
    """Carry out items in their order; return False if a ``stop`` among them ended the file.

    ``holds`` is asked once for each condition, when its line is reached.
    """
    for item in items:
        match item:
            case Line():
                line(item)
            case When():
                branch = item.then if holds(item) else item.otherwise
                if not carry_out(branch, line=line, holds=holds, end=end):
                    return False
            case Stop():
                end(item)
                return False
    return True


def has_ended(file: OrderFile, at: Cursor | None) -> bool:
    """Tell whether a ``stop`` in one of its branches, carried out at ``at``, has ended a file in an earlier
    phase of its player turn.
    """
    if at is None or not file.gives_orders:
        return False
    if (
        at.player_turn != file.opened.player_turn
        or at.phase not in file.phases
        or file.opened.phase not in file.phases
    ):
        return False
    return file.phases.index(file.opened.phase) <= file.phases.index(at.phase)


@lru_cache(maxsize=1 << 10)
def source(path: Path) -> str:
    """Return the place of a sentence in its file as events name it: ``fight/2`` or ``fight/0/then/1``."""
    return "/".join(str(step) for step in path)
