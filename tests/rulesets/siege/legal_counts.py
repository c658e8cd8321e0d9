"""How many orders of each kind are legal on numbered boards; run as a program it writes ``legal_counts.yaml``
anew.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

COUNTS = Path(__file__).with_suffix(".yaml")
BOARDS = 8
"""Boards a phase on which anything is legal; and those further ones that bring a kind of order none of them
has.
"""
LAST = 400
"""Number of the last board that is looked at."""


def counted(number: int, phase: str) -> dict[str, int]:
    """Return the number of legal orders a kind on one board."""
    from boards import numbered

    from pbem.rulesets.siege.judge import legal

    rules, battle = numbered(number, phase)
    orders = legal.legal(rules, battle, "east")
    found = Counter(f"{type(order).__name__} {getattr(order, 'do', '')}".strip() for order in orders)
    return dict(sorted(found.items()))


def refresh() -> None:
    """Write the counts as they are now."""
    from boards import PHASES

    lines = [f"{phase} {number}: {_flow(found)}\n" for phase in PHASES for number, found in _telling(phase)]
    COUNTS.write_text(
        "# Board: kind of order: how many are legal. Written by legal_counts.py.\n" + "".join(lines), "utf-8"
    )


def _telling(phase: str) -> Iterator[tuple[int, dict[str, int]]]:
    """Yield the boards of a phase that are kept."""
    kinds: set[str] = set()
    kept = 0
    for number in range(1, LAST + 1):
        found = counted(number, phase)
        if found and (kept < BOARDS or set(found) - kinds):
            kept += 1
            kinds |= set(found)
            yield number, found


def _flow(found: dict[str, int]) -> str:
    return "{" + ", ".join(f"{kind}: {count}" for kind, count in found.items()) + "}"


if __name__ == "__main__":
    sys.path[:0] = [str(COUNTS.parent), str(COUNTS.parents[3])]
    refresh()
