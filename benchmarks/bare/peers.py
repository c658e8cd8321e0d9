"""Peers, where they are installed (``pip install diplomacy chess``): a whole phase of *Diplomacy*, and the
legal moves of chess.

Neither is our game, and both are small; they tell of what order a time is, on this machine and in this
minute.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

UNITS: Final = 32
"""So many units at least are on the board in a phase of Diplomacy that is timed; a game has up to 34."""


def diplomacy_phase() -> Callable[[], object] | None:
    """Return the work of processing a movement phase of at least ``UNITS`` units with random orders; None
    where the package is missing.

    Its engine changes the game it processes, so each run takes the next of some games that were made before.
    """
    if find_spec("diplomacy") is None:
        return None
    ready = _games(400)

    def process() -> object:
        return ready.pop().process() if ready else None

    return process


def _games(count: int) -> list[Any]:
    make: Any = import_module("diplomacy").Game
    chance = random.Random(1)
    found: list[Any] = []
    while len(found) < count:
        game = make()
        while not game.is_game_done and len(found) < count:
            possible = game.get_all_possible_orders()
            for power in game.powers:
                places = game.get_orderable_locations(power)
                game.set_orders(power, [chance.choice(possible[at]) for at in places if possible[at]])
            units = sum(len(power.units) for power in game.powers.values())
            if game.phase_type == "M" and units >= UNITS:
                found.append(make.from_saved_game_format(game.to_saved_game_format()))
                for name in game.powers:
                    found[-1].set_orders(name, game.get_orders(name))
            game.process()
    return found


def chess_moves() -> Callable[[], list[Any]] | None:
    """Return the work of listing the legal moves of a middle game; None where the package is missing."""
    if find_spec("chess") is None:
        return None
    board: Any = import_module("chess").Board(
        "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P4/2PBPN2/PP1N1PPP/R1BQ1RK1 w - - 0 8"
    )
    return lambda: list(board.legal_moves)
