"""The program is killed before each effect on disk: the game is then the old turn or the new one, and doing
it again completes it.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from readings import plain
from table import Table, pull

from pbem.proof.orderfile import parse
from pbem.referee.game import opening
from pbem.referee.game.game import open_game
from pbem.referee.proving.verify import verify
from pbem.store import disk


class Killed(BaseException):
    """The program is gone."""


class Killer:
    """Stands in for ``disk.effect``: from the given effect on nothing reaches the disk any more."""

    def __init__(self, at: int, *, half: bool = False) -> None:
        self.at = at
        self.half = half
        self.seen: list[str] = []

    def __call__(self, kind: str, path: Path, act: Callable[[], object]) -> object:
        self.seen.append(kind)
        if len(self.seen) == self.at and self.half and kind == "write":
            path.write_bytes(b"half of what was")
        if len(self.seen) >= self.at:
            raise Killed(kind)
        return act()


@pytest.fixture(autouse=True)
def every_reading_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what each opening came to, so that the next one, after the program was killed, has something to
    take up.
    """
    monkeypatch.setattr(opening, "EVERY", 1)


def everything(table: Table) -> dict[str, bytes]:
    """Return the game's files without the leftovers of a program that was killed."""
    return {path: data for path, data in table.files().items() if not Path(path).name.startswith(".")}


def kill_everywhere(
    monkeypatch: pytest.MonkeyPatch, table: Table, act: Callable[[], object], done: Callable[[], bool]
) -> int:
    """Do ``act`` on a copy of the table, killed at the first, second … effect, until it gets through; return
    how many there are.
    """
    before, home = table.root / "before", table.root / "home before"
    shutil.copytree(table.game, before)
    shutil.copytree(table.root / "home", home)
    accepted = {path: data for path, data in everything(table).items() if path.startswith("mail/")}
    at = 0
    while True:
        at += 1
        kinds = [False]
        for half in kinds:
            for place, was in ((table.game, before), (table.root / "home", home)):
                shutil.rmtree(place)
                shutil.copytree(was, place)
            killer = Killer(at, half=half)
            with monkeypatch.context() as patch:
                patch.setattr(disk, "effect", killer)
                try:
                    act()
                except Killed:
                    pass
                else:
                    return at - 1
            if killer.seen[-1] == "write" and not half:
                kinds.append(True)
            newest = open_game(table.game).ledger
            assert plain(newest) == plain(open_game(table.game, anew=True).ledger), (at, killer.seen[-1])
            verdict = verify(table.game)
            assert [finding.code for finding in verdict.failures] == [], (at, killer.seen[-1], verdict.lines)
            assert {path: data for path, data in everything(table).items() if path in accepted} == accepted
            assert newest.next_n in (open_game(before).ledger.next_n, open_game(before).ledger.next_n + 1)
            if not done():
                act()
            assert done(), (at, killer.seen[-1])
            assert verify(table.game).failures == ()


def test_resolve_killed_at_every_effect(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.started()
    table.orders("north", pull("north"))
    table.lock()
    table.go("south")

    def done() -> bool:
        return table.open().ledger.slots[1].result is not None

    count = kill_everywhere(monkeypatch, table, table.resolve, done)
    assert count > 40


def test_lock_killed_at_every_effect(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.started()
    table.orders("north", pull("north"))
    assert kill_everywhere(monkeypatch, table, table.lock, lambda: 1 in table.open().ledger.slots) > 10


def test_submit_killed_at_every_effect(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.started(umpire=True, keyed=("north", "south"))
    signed = table.signed("north", pull("north"))

    def send() -> object:
        from pbem.referee.turn.submit import submit

        return submit(table.env, table.game, "north.txt", signed.data, signed.signature.encode())

    def done() -> bool:
        ledger = table.open().ledger
        return 1 in ledger.slots and ledger.slots[1].entries["north"].sha512 == parse(signed.data).sha512

    assert kill_everywhere(monkeypatch, table, send, done) > 15


def test_go_killed_at_every_effect(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.started()
    table.orders("north", pull("north"))
    table.lock()

    def done() -> bool:
        return "seats/south/go-s0001.json" in table.open().archive

    assert kill_everywhere(monkeypatch, table, lambda: table.go("south"), done) > 8


def test_a_game_that_is_moved_away_is_no_second_one_at_the_old_place(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whenever somebody moves its folder: what is not written there is written where it lies now."""
    table.started()
    table.orders("north", pull("north"))
    table.lock()
    table.go("south")
    place, away, before = table.game, table.root / "away", table.root / "before"
    home = table.root / "home before"
    shutil.copytree(place, before)
    shutil.copytree(table.root / "home", home)
    real, counted = disk.effect, Killer(1_000)
    with monkeypatch.context() as patch:
        patch.setattr(disk, "effect", counted)
        table.resolve()
    for at in [number for number, kind in enumerate(counted.seen, 1) if kind == "sync-folder"]:
        for folder, was in ((place, before), (table.root / "home", home)):
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(was, folder)
        shutil.rmtree(away, ignore_errors=True)
        left = at

        def effect(kind: str, path: Path, act: Callable[[], object]) -> object:
            nonlocal left
            done, left = real(kind, path, act), left - 1
            if not left:
                place.rename(away)
            return done

        with monkeypatch.context() as patch:
            patch.setattr(disk, "effect", effect)
            with suppress(FileNotFoundError):
                table.resolve()
        if left > 0:
            continue  # with what is kept on the shelf there is less to do
        assert not place.exists(), at
        away.rename(place)
        if table.open().ledger.slots[1].result is None:
            table.resolve()
        assert verify(place).failures == ()


SCRIPT = """
import os, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from table import Table
from pbem.store import disk
table, at, seen, real = Table(Path(sys.argv[2])), int(sys.argv[3]), [], disk.effect
def effect(kind, path, act):
    seen.append(kind)
    if len(seen) == at:
        os._exit(9)
    return real(kind, path, act)
disk.effect = effect
table.resolve()
"""


@pytest.mark.parametrize("at", [3, 17, 40])
def test_a_real_program_that_dies_leaves_a_lock_that_does_not_stay(table: Table, at: int) -> None:
    table.started()
    table.orders("north", pull("north"))
    table.lock()
    table.go("south")
    command = [
        sys.executable,
        "-c",
        SCRIPT,
        str(Path(__file__).resolve().parent.parent / "toy"),
        str(table.root),
        str(at),
    ]
    assert subprocess.run(command, check=False).returncode == 9
    assert (table.game / disk.LOCK).is_file()
    assert verify(table.game).failures == ()
    assert table.resolve().slot == 1
    assert verify(table.game).failures == ()
    assert not (table.game / disk.LOCK).exists()
