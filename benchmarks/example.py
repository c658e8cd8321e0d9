"""The recorded example, played into a folder, for the benchmarks that want a whole game."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct

from pbem.proof.archive import MemoryArchive
from pbem.referee.game.game import open_archive
from pbem.referee.play.demo import find_example
from pbem.referee.play.playthrough import Playthrough, read_script

NAME = "alder-ford"
PARTS = 3


class Example(Struct, frozen=True):
    """A game in a folder, and copies of it as it was after the first third of its slots, after the second,
    and at the end.
    """

    game: Path
    parts: tuple[MemoryArchive, ...]


@contextmanager
def example() -> Iterator[Example]:
    """Play the example; what was played is gone afterwards."""
    with TemporaryDirectory() as folder:
        game = Path(folder) / "game"
        play = Playthrough(read_script(find_example(NAME)), game, Path(folder) / "home", pictures=False)
        resolves = [number for number, step in enumerate(play.script.steps, 1) if "resolve" in step]
        wanted = {resolves[len(resolves) * part // PARTS - 1] for part in range(1, PARTS + 1)}
        parts = []
        for step in play.play():
            if step.number in wanted:
                archive, _ = open_archive(game)
                parts.append(MemoryArchive({path: archive[path] for path in archive}))
        yield Example(game, tuple(parts))
