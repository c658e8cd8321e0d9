"""Other games beside ours, in the same minutes: a phase of *Diplomacy*, a legal move of chess.

Neither is our game, and both are small; they tell of what order a time is, on this machine. They lie in an
environment of their own, which ``make bench`` makes at its first run: what they ask for is not to come
among what pbem stands on. Without it nothing is measured, and that is said.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import IO, Final

from benchmarks.measure import Work, least

PLACE: Final = Path(__file__).resolve().parents[1] / "build" / "peers"
MISSING: Final = (
    "without diplomacy and chess: `make bench` brings both into build/peers where there is a network"
)
ROUNDS: Final = 5
_DOES: Final = Path(__file__).parent / "bare" / "peers.py"


def python() -> Path | None:
    """Return the Python of the peers' environment; None where it is not there whole."""
    found = PLACE / ("Scripts" if os.name == "nt" else "bin") / "python"
    return found if (PLACE / ".ready").is_file() and found.exists() else None


def beside(peer: str, ours: Work, rounds: int = ROUNDS) -> tuple[float, float] | None:
    """Return the least seconds of our work and of what a peer does in a round, taking turns; of several things
    in its round the one in the middle. None where there are no peers.
    """
    if (of_peer := python()) is None:
        return None
    mine, theirs = float("inf"), list[float]()
    with _started(of_peer) as (asks, answers):
        for _ in range(rounds):
            mine = min(mine, *least(ours, seconds=0, rounds=3))
            asks.write(f"{peer}\n")
            asks.flush()
            found = json.loads(answers.readline())
            theirs = [min(pair) for pair in zip(theirs or found, found, strict=True)]
    return mine, median(theirs)


@contextmanager
def _started(of_peer: Path) -> Iterator[tuple[IO[str], IO[str]]]:
    # the same games in every run, so no order of texts that changes
    environ = {**os.environ, "PYTHONHASHSEED": "0"}
    with subprocess.Popen(
        [of_peer, _DOES], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environ
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield process.stdin, process.stdout
        process.stdin.close()
