"""Listing every legal order of a side in its movement, against one search of the hexes in reach of each of
its figures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from benchmarks import battle, peers
from benchmarks.measure import POWER, Growth, Result, Work, least
from pbem.rulesets.siege.judge import legal
from pbem.rulesets.siege.march import movement, step

FIGURES = 40
SIZES = (10, 40, 160, 320)
SEAT = "east"


def _works(figures: int) -> tuple[Callable[[], int], Work]:
    laid, state = battle.battle(figures)
    moving = state.changed(at=replace(state.at, phase="movement"))
    own = [unit for unit in moving.units.values() if unit.owner == SEAT]

    def listed() -> int:
        return sum(1 for _ in legal.legal(laid.rules, replace(moving), SEAT))

    def searched() -> int:
        fresh = replace(moving)  # knows nothing yet of who stands where, nor any way
        return sum(
            len(movement.reach(laid.rules, fresh, unit, step.points(laid.rules, fresh, unit))) for unit in own
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


def peer() -> Iterator[Result]:
    """Yield what one legal order costs against one legal move of chess, where that is at hand."""
    listed, _ = _works(FIGURES)
    if found := peers.beside("chess", listed):
        yield Result(
            "legal peer", "one of these moves", "one of python-chess", found[0] / listed(), found[1], None
        )


def growth(seconds: float) -> Iterator[Growth]:
    """Yield how the time grows with the number of figures: listing their moves, and writing the order sheet
    of a phase of shooting.
    """
    yield Growth(
        "legal", "figures", SIZES, least(*(_works(size)[0] for size in SIZES), seconds=seconds), POWER
    )
    yield Growth("sheet", "figures", SIZES, least(*map(_sheet, SIZES), seconds=seconds, rounds=2), POWER)


def _sheet(figures: int) -> Work:
    laid, state = battle.battle(figures)
    return lambda: list(laid.rules.interface.sheet(laid.rules, replace(state), SEAT))
