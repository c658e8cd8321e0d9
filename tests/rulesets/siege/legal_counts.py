"""How many orders of each kind are legal on numbered boards; run as a program it writes ``legal_counts.yaml`` anew."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

COUNTS = Path(__file__).with_suffix(".yaml")
BOARDS = 12
"""Boards a phase."""


def counted(number: int, phase: str) -> dict[str, int]:
    """Return the number of legal orders a kind on one board."""
    from boards import numbered

    from pbem.rulesets.siege import legal

    rules, battle = numbered(number, phase)
    orders = legal.legal(rules, battle, "east")
    found = Counter(f"{type(order).__name__} {getattr(order, 'do', '')}".strip() for order in orders)
    return dict(sorted(found.items()))


def refresh() -> None:
    """Write the counts as they are now."""
    from boards import PHASES

    lines = [f"{phase} {number}: {_flow(counted(number, phase))}\n" for phase in PHASES for number in range(1, BOARDS + 1)]
    COUNTS.write_text("# Board: kind of order: how many are legal. Written by legal_counts.py.\n" + "".join(lines), "utf-8")


def _flow(found: dict[str, int]) -> str:
    return "{" + ", ".join(f"{kind}: {count}" for kind, count in found.items()) + "}"


if __name__ == "__main__":
    sys.path[:0] = [str(COUNTS.parent), str(COUNTS.parents[3])]
    refresh()
