"""Peers, where they are installed (``pip install diplomacy chess``): a whole phase of *Diplomacy*, and the
legal moves of chess.

Neither is our game, and both are small; they tell of what order a time is, on this machine and in this
minute.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

UNITS: Final = 32
"""So many units at least are on the board in a phase of Diplomacy that is timed; a game has up to 34."""
PHASES: Final = 60


def diplomacy_phase() -> float | None:
    """Return the seconds in which a movement phase of at least ``UNITS`` units with random orders is
    processed, the middle of ``PHASES``; None where the package is missing.

    Its engine changes the game it processes, so the phases are those of games as they go on.
    """
    if find_spec("diplomacy") is None:
        return None
    make: Any = import_module("diplomacy").Game
    chance = random.Random(1)
    times: list[float] = []
    while len(times) < PHASES:
        game = make()
        while not game.is_game_done and len(times) < PHASES:
            possible = game.get_all_possible_orders()
            for power in game.powers:
                places = game.get_orderable_locations(power)
                game.set_orders(power, [chance.choice(possible[at]) for at in places if possible[at]])
            counts = game.phase_type == "M" and sum(map(len, game.get_units().values())) >= UNITS
            begin = time.process_time()
            game.process()
            if counts:
                times.append(time.process_time() - begin)
    return sorted(times)[PHASES // 2]


def chess_moves() -> Callable[[], list[Any]] | None:
    """Return the work of listing the legal moves of a middle game; None where the package is missing."""
    if find_spec("chess") is None:
        return None
    board: Any = import_module("chess").Board(
        "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P4/2PBPN2/PP1N1PPP/R1BQ1RK1 w - - 0 8"
    )
    return lambda: list(board.legal_moves)
