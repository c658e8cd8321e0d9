"""Several programs over one game: two that resolve, one that reads while another writes, and one that is
killed in the middle.

The killing here is a real kill of a real program at a moment that chance picks; that every single moment is
safe is proved in tests/store, where the program is ended at each change on disk in turn.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from house import FORD, PBEM, ROOT, inside, program
from msgspec import Struct
from thorough import deeper, tries

from pbem.referee.game.environment import Environment
from pbem.referee.game.game import open_game
from pbem.referee.play.playthrough import Playthrough, read_script
from pbem.referee.proving.verify import verify
from pbem.referee.turn.resolve import resolve
from pbem.store.disk import exclusive
from pbem.store.keys import Keyring
from pbem.store.sent_records import FILE, read

TRIES = tries(6, 30)
SLOT = 2


class Ready(Struct, frozen=True):
    """A game in which only `pbem resolve` is missing, and the secrets of its umpire."""

    game: Path
    home: Path

    def copy(self, to: Path) -> Path:
        shutil.rmtree(to, ignore_errors=True)
        shutil.copytree(self.game, to)
        # each copy is a game of its own here, not an old one of the same
        for told in self.home.glob("games/*/told.json"):
            told.unlink()
        return to

    def resolve(self, game: Path) -> subprocess.Popen[str]:
        around = {**os.environ, "PBEM_HOME": str(self.home), "PYTHONPATH": str(ROOT)}
        command = [*PBEM, "resolve", str(game), "--no-map"]
        return subprocess.Popen(
            command, env=around, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Ready:
    root = tmp_path_factory.mktemp("ready")
    play = Playthrough(read_script(FORD), root / "game", root / "home", pictures=False)
    for step in play.play():
        coming = play.script.steps[step.number]
        if "resolve" in coming and open_game(root / "game").ledger.open_slot == SLOT:
            break
    return Ready(root / "game", root / "home")


def what_was_accepted(files: dict[str, bytes]) -> set[bytes]:
    """Return every order file, signature and word that somebody sent in."""
    return {data for name, data in files.items() if name.startswith(("mail/", "seats/"))}


def results(game: Path) -> list[str]:
    return [name for name in inside(game) if name.endswith("-result.json")]


def reference(ready: Ready, tmp_path: Path) -> dict[str, bytes]:
    """Return states and rolls of the slot as it has to come out."""
    game = ready.copy(tmp_path / "reference")
    process = ready.resolve(game)
    said = process.communicate(timeout=90)
    assert process.returncode == 0, said
    return decided(game)


def decided(game: Path) -> dict[str, bytes]:
    return {
        name: data for name, data in inside(game).items() if name.startswith(("state/", "rolls/", "seats/"))
    }


def test_two_that_resolve_at_once(ready: Ready, tmp_path: Path) -> None:
    right = reference(ready, tmp_path)
    for attempt in range(3):
        game = ready.copy(tmp_path / "game")
        both = [ready.resolve(game), ready.resolve(game)]
        said = [process.communicate(timeout=90) for process in both]
        codes = sorted(process.returncode for process in both)
        assert codes == [0, 3], (attempt, said)
        assert len(results(game)) == SLOT
        assert decided(game) == right
        assert not (game / ".lock").exists()
        assert verify(game).verdict == "pass"


def test_one_that_reads_while_another_writes(ready: Ready, tmp_path: Path) -> None:
    game = ready.copy(tmp_path / "game")
    seen: set[int] = set()
    process = ready.resolve(game)
    end = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < end:
        opened = open_game(game)
        seen.add(opened.ledger.state_slot)
        assert opened.state is not None
        assert verify(game, with_rules=False).failures == ()
        status = program("status", game, cwd=tmp_path, home=tmp_path / "nobody")
        assert (status.returncode, status.stderr) == (0, "")
    said = process.communicate(timeout=30)
    assert process.returncode == 0, said
    assert seen <= {SLOT - 1, SLOT}
    assert SLOT - 1 in seen
    assert open_game(game).ledger.state_slot == SLOT


def moments(longest: float) -> Iterator[float]:
    """Yield when to kill: anywhere in the life of the program, and most of them while it writes, near its
    end.
    """
    dice = random.Random(20260301)
    for n in range(TRIES):
        yield longest * (dice.random() if n % 4 == 0 else 0.45 + 0.55 * dice.random())


@deeper
def test_one_that_is_killed(ready: Ready, tmp_path: Path) -> None:
    accepted = what_was_accepted(inside(ready.game))
    before, told = inside(ready.game), read(ready.game / FILE)
    assert told
    begun = time.monotonic()
    right = reference(ready, tmp_path)
    longest = time.monotonic() - begun
    left_open = 0
    for n, moment in enumerate(moments(longest)):
        game = ready.copy(tmp_path / "game")
        process = ready.resolve(game)
        time.sleep(moment)
        process.kill()
        process.communicate(timeout=30)
        files = inside(game)
        assert accepted <= what_was_accepted(files), f"try {n}: an accepted file is lost"
        assert all(
            files.get(name) == data for name, data in before.items() if not name.startswith(("outbox/", FILE))
        ), f"try {n}: a file is changed"
        assert read(game / FILE)[: len(told)] == told, f"try {n}: what was told is forgotten"
        slot = open_game(game).ledger.state_slot
        assert slot in (SLOT - 1, SLOT)
        assert verify(game, with_rules=False).failures == (), f"try {n}"
        if slot < SLOT:
            left_open += 1
            assert resolve(Environment(Keyring(ready.home)), game, pictures=False).slot == SLOT
        assert decided(game) == right
        assert verify(game).verdict == "pass"
        # the dead program may have left its lock; it stops nobody, and the next who comes takes it away
        with exclusive(game, patience=0):
            pass
        assert not (game / ".lock").exists()
    assert left_open > 0, "no kill came in time: the moments have to be earlier"
