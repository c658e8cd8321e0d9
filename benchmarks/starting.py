"""Starting: verbs that people wait for, as new processes, against ``python -c "import click"``."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measure import Result, least
from pbem.referee.play.demo import find_example
from pbem.referee.play.playthrough import Playthrough, read_script
from pbem.store import marks

BARE = (sys.executable, "-c", "import click")
EXAMPLE = "alder-ford"
FILE = "s03-west.yaml"
"""The order file that comes next in the game."""


def command() -> tuple[str, ...]:
    """Return the command ``pbem`` that was installed beside this Python, or what stands for it."""
    script = Path(sys.executable).with_name("pbem")
    return (str(script),) if script.is_file() else (sys.executable, "-m", "pbem")


def _run(words: Sequence[str], home: Path) -> None:
    more = {"PBEM_HOME": str(home), "PBEM_CACHE": str(home.with_name("cache"))}
    subprocess.run(words, check=True, capture_output=True, env={**os.environ, **more})


@contextmanager
def open_slot() -> Iterator[tuple[Path, Path]]:
    """Yield a game that waits for ``FILE`` and the home of its umpire."""
    with TemporaryDirectory() as folder:
        game, home = Path(folder) / "game", Path(folder) / "home"
        play = Playthrough(read_script(find_example(EXAMPLE)), game, home, pictures=False)
        for step in play.play():
            if play.script.steps[step.number].get("file") == FILE:
                break
        yield game, home


def results(seconds: float) -> Iterator[Result]:
    """Yield the benchmarks; ``submit`` takes the same file in again and again, and locks nothing.

    The cache is one of their own, nothing of the game was written just now, and least times are those of who
    asks again.
    """
    bare_of = 'python -c "import click"'
    with open_slot() as (game, home):
        orders = find_example(EXAMPLE) / "orders" / FILE
        time.sleep(marks.FRESH / 1e9)
        of_seat = ("--game", str(game), "--seat", "west", str(orders))
        for aim, *words in (
            (1.3, "--version"),
            (2.5, "status", str(game)),
            (2.5, "check", *of_seat),
            (2.5, "submit", "--no-lock", *of_seat),
        ):
            ours = (*command(), *(str(word) for word in words))
            mine, bare = least(
                lambda ours=ours: _run(ours, home), lambda: _run(BARE, home), seconds=seconds, rounds=9
            )
            yield Result("start", f"pbem {words[0]}", bare_of, mine, bare, float(aim))
