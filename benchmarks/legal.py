"""Listing every legal order of a side in its movement, against one search of the hexes in reach of each of
its figures.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from benchmarks import battle
from benchmarks.measure import Growth, Result, Work, least
from pbem.rulesets.siege.judge import legal
from pbem.rulesets.siege.march import movement, step

FIGURES = 40
SIZES = (10, 40, 160)
SEAT = "east"


def _works(figures: int) -> tuple[Work, Work]:
    laid, state = battle.battle(figures)
    moving = state.changed(at=replace(state.at, phase="movement"))
    own = [unit for unit in moving.units.values() if unit.owner == SEAT]

    def listed() -> int:
        return sum(1 for _ in legal.legal(laid.rules, moving, SEAT))

    def searched() -> int:
        return sum(
            len(movement.reach(laid.rules, moving, unit, step.points(laid.rules, moving, unit)))
            for unit in own
        )

    # Every hex in reach is a move but the one where he stands, in whose place he may stay.
    if not searched() <= listed() <= 2 * searched():
        raise AssertionError(f"{listed()} orders are not those of {searched()} hexes")
    return listed, searched


def results(seconds: float) -> Iterator[Result]:
    """Yield the benchmark."""
    mine, bare = least(*_works(FIGURES), seconds=seconds)
    yield Result(
        "legal", f"list all legal moves of {FIGURES // 2} figures", "movement.reach of each", mine, bare, 1.5
    )


def growth(seconds: float) -> Growth:
    """Return how the time grows with the number of figures."""
    return Growth("legal", "figures", SIZES, least(*(_works(size)[0] for size in SIZES), seconds=seconds))
