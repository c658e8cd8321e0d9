"""diplomacy and chess: a whole phase of *Diplomacy*, and the legal moves of a middle game.

Run by the Python of an environment of their own (``benchmarks/peers.py``): for every line of input with the
name of one of them it does one round of it, and answers with a line of seconds of the processor.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from itertools import islice
from typing import Any, Final

UNITS: Final = 32
"""So many units at least are on the board in a phase of Diplomacy that is timed; a game has up to 34."""
PHASES: Final = 40
MOVES: Final = 100


def diplomacy() -> list[float]:
    """Return the seconds of each of the first movement phases with at least ``UNITS`` units of a game with
    random orders: in every round the same phases.
    """
    return list(islice(_phases(random.Random(1)), PHASES))


def _phases(chance: random.Random) -> Iterator[float]:
    make: Any = import_module("diplomacy").Game
    while True:
        game = make()
        while not game.is_game_done:
            possible = game.get_all_possible_orders()
            for power in game.powers:
                places = sorted(game.get_orderable_locations(power))
                game.set_orders(power, [chance.choice(sorted(possible[at])) for at in places if possible[at]])
            counts = game.phase_type == "M" and sum(map(len, game.get_units().values())) >= UNITS
            begin = time.process_time()
            game.process()
            took = time.process_time() - begin
            if counts:
                yield took


def chess() -> list[float]:
    """Return the seconds that one legal move costs where all of a middle game are listed."""
    board: Any = import_module("chess").Board(
        "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P4/2PBPN2/PP1N1PPP/R1BQ1RK1 w - - 0 8"
    )
    begin = time.process_time()
    for _ in range(MOVES):
        found = list(board.legal_moves)
    return [(time.process_time() - begin) / MOVES / len(found)]


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps({"diplomacy": diplomacy, "chess": chess}[line.strip()]()), flush=True)
