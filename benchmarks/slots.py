"""What submit, lock and resolve cost in a game of 10 to 200 slots, beside the bare cost of the signatures they
have to make and check and of the files they have to write; how that grows; and what a slot costs the disk.

Times are of the processor, for those of the disk are another machine's. A verb is undone before it is done
again; nothing that this process has checked before is remembered, and the files count as not written just now.
"""

from __future__ import annotations

import hashlib
import math
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Struct

from benchmarks.long_game import LongGame, long_games
from benchmarks.measure import Growth, Result, amount
from pbem.proof import curve, signing
from pbem.referee.game.game import open_game
from pbem.referee.turn.go import missing_goes, take_words
from pbem.referee.turn.lock import lock
from pbem.referee.turn.resolve import resolve
from pbem.referee.turn.submit import submit
from pbem.store import disk, watching

SIZES = (10, 25, 50, 100, 200)
FROM = 50
"""The size from which on growth is told."""
POWER = 0.2
"""Verbs are to grow with it at most."""
AIMS = {"submit": 25, "lock": 40, "resolve": 60}
"""Milliseconds that each may take at the longest game."""
RUNS = 5
VERBS = ("open", "submit", "lock", "resolve")
BARE = 4
"""Files that the anchor writes, with a signature made and checked for each: those of a lock and a result."""


class Effects(Struct):
    """What was done to the disk: how often it was waited for, how many files were written, and their bytes."""

    waits: int = 0
    files: int = 0
    bytes: int = 0


def results(seconds: float) -> Iterator[Result | Growth]:
    """Yield each verb at the longest game beside the anchor, and how each grows."""
    sizes = SIZES if seconds > 1 else SIZES[:-1]
    times: dict[str, list[float]] = {verb: [] for verb in VERBS}
    with TemporaryDirectory() as folder, mock.patch.dict(os.environ, {"PBEM_CACHE": f"{folder}/cache"}):
        for game in long_games(sizes, Path(folder)):
            for verb, found in measured(game).items():
                times[verb].append(found)
        bare = anchor(Path(folder))
    of = f"{BARE} files, each signed, checked and written"
    for verb in VERBS:
        what = f"{verb} at {sizes[-1]} slots"
        yield Result("slots", what, of, times[verb][-1], bare, None)
        if verb in AIMS:
            yield Result("slots time", what, "", times[verb][-1], None, AIMS[verb])
    for verb in VERBS:
        yield Growth(verb, "slots", sizes, times[verb], None if verb == "open" else POWER, FROM)
    yield from of_the_disk()


def measured(game: LongGame) -> dict[str, float]:
    """Return the least processor time of each verb in a game, which is afterwards as it was."""
    least = dict.fromkeys(VERBS, math.inf)
    with mock.patch.object(watching, "FRESH", 0):
        open_game(game.game)
        for run in range(RUNS):
            with as_it_was(game):
                least["open"] = min(least["open"], spent(lambda: open_game(game.game)))
                for verb, act in a_slot(game, run):
                    least[verb] = min(least[verb], spent(act))
    return least


def a_slot(game: LongGame, run: int) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield the verbs of a slot with what does them, each to be done before the next is asked for."""
    orders = f"luck: seven drunken herons {run}\n# {run}\n".encode()
    yield (
        "submit",
        lambda: submit(game.env, game.game, "o.yaml", orders, seat=game.seat, auto_lock=False, meant=True),
    )
    yield "lock", lambda: lock(game.env, game.game)
    for seat in missing_goes(open_game(game.game)):
        take_words(game.game, f"nine sober cranes {run}", seat)
    yield "resolve", lambda: resolve(game.env, game.game, pictures=False)


def spent(act: Callable[[], object]) -> float:
    """Return the seconds of the processor that something takes in a process that has checked nothing yet."""
    for known in (signing._holds, curve.is_prime_order):
        known.cache_clear()
    begun = time.process_time()
    act()
    return time.process_time() - begun


class as_it_was:  # noqa: N801
    """Takes away what was written in a game since, and puts back what was changed, so that every other file
    stays the same one.
    """

    def __init__(self, game: LongGame) -> None:
        self.roots = (game.game, game.home)

    def __enter__(self) -> None:
        self.before = {path: path.read_bytes() if _changes(path) else b"" for path in self._files()}

    def __exit__(self, *_: object) -> None:
        for path in self._files():
            if path not in self.before:
                path.unlink()
            elif _changes(path) and path.read_bytes() != self.before[path]:
                path.write_bytes(self.before[path])

    def _files(self) -> list[Path]:
        return [path for root in self.roots for path in root.rglob("*") if path.is_file()]


def _changes(path: Path) -> bool:
    return path.name == "told.json"


def anchor(folder: Path) -> float:
    """Return the least processor time of what no ledger can do without: so many files signed, checked,
    written and waited for.
    """
    private = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(b"anchor").digest())
    public, data = private.public_key(), bytes(2000)

    def act() -> None:
        for number in range(BARE):
            public.verify(private.sign(data), data)
            disk.replace(folder / "anchor" / str(number), data)

    act()
    times = []
    for _ in range(RUNS * 4):
        begun = time.process_time()
        act()
        times.append(time.process_time() - begun)
    return min(times)


def of_the_disk() -> Iterator[Result]:
    """Yield what each verb of a slot does to the disk."""
    found = {verb: Effects() for verb in VERBS[1:]}
    real = disk.effect
    with TemporaryDirectory() as folder, mock.patch.dict(os.environ, {"PBEM_CACHE": "off"}):
        for game in long_games((10,), Path(folder)):
            for verb, act in a_slot(game, 0):
                mine = found[verb]

                def noted(kind: str, path: Path, act: Callable[[], object], mine: Effects = mine) -> object:
                    done = act()
                    mine.waits += kind in ("sync", "sync-folder")
                    mine.files += kind == "rename"
                    mine.bytes += int(done) if kind == "write" and isinstance(done, int) else 0
                    return done

                with mock.patch.object(disk, "effect", noted):
                    act()
    assert disk.effect is real
    for verb, done in found.items():
        yield amount("slots disk", f"{verb}: files written", done.files, "files")
        yield amount("slots disk", f"{verb}: how often it waits for the disk", done.waits, "times")
        yield amount("slots disk", f"{verb}: written", done.bytes / 1000, "kB")
