"""Writing: whole or not at all, alone or not at all, and never through a link."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from pbem.store import disk
from pbem.store.gamedir import GameDir, UnsafePath, safe


def test_replace_writes_and_writes_over(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "er" / "file"
    disk.replace(path, b"one")
    disk.replace(path, b"two")
    assert path.read_bytes() == b"two"
    assert [entry.name for entry in path.parent.iterdir()] == ["file"]


@pytest.mark.skipif(os.name == "nt", reason="modes are those of POSIX")
def test_private_files_are_for_their_owner(tmp_path: Path) -> None:
    disk.replace(tmp_path / "secret", b"x", private=True)
    disk.replace(tmp_path / "open", b"x")
    assert (tmp_path / "secret").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "open").stat().st_mode & 0o077 & ~0o044 == 0


def test_create_refuses_what_is_there_even_a_dangling_link(tmp_path: Path) -> None:
    disk.create(tmp_path / "a", b"1")
    with pytest.raises(FileExistsError):
        disk.create(tmp_path / "a", b"2")
    assert (tmp_path / "a").read_bytes() == b"1"
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    with pytest.raises(FileExistsError):
        disk.create(tmp_path / "link", b"2")
    assert not (tmp_path / "nowhere").exists()


def test_put_does_nothing_where_nothing_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk.put(tmp_path / "a", b"1")
    seen: list[str] = []
    real = disk.effect

    def counted(kind: str, path: Path, act: object) -> object:
        seen.append(kind)
        return real(kind, path, act)  # type: ignore[arg-type]

    monkeypatch.setattr(disk, "effect", counted)
    disk.put(tmp_path / "a", b"1")
    assert seen == []
    disk.put(tmp_path / "a", b"2")
    assert seen[:4] == ["open", "write", "sync", "rename"]


def test_put_replaces_a_link_and_not_what_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "far").write_bytes(b"1")
    (tmp_path / "link").symlink_to(tmp_path / "far")
    disk.put(tmp_path / "link", b"1")
    assert not (tmp_path / "link").is_symlink()
    disk.put(tmp_path / "link", b"2")
    assert (tmp_path / "far").read_bytes() == b"1"


def test_one_at_a_time(tmp_path: Path) -> None:
    order: list[str] = []

    def second() -> None:
        with disk.exclusive(tmp_path, patience=5):
            order.append("second")

    with disk.exclusive(tmp_path):
        thread = threading.Thread(target=second)
        thread.start()
        time.sleep(0.2)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]
    assert not (tmp_path / disk.LOCK).exists()


def test_who_waits_too_long_is_told_whom_for(tmp_path: Path) -> None:
    with disk.exclusive(tmp_path), pytest.raises(disk.Busy) as busy, disk.exclusive(tmp_path, patience=0):
        pass
    assert busy.value.owner.split()[0] == str(os.getpid())
    assert busy.value.path == tmp_path.resolve() / disk.LOCK


def test_a_lock_of_a_program_that_is_gone_is_taken_over(tmp_path: Path) -> None:
    gone = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, text=True, check=True
    )
    host = disk._owner().split()[1]
    (tmp_path / disk.LOCK).write_text(f"{gone.stdout.strip()} {host}\n")
    with disk.exclusive(tmp_path, patience=0):
        assert (tmp_path / disk.LOCK).read_text() == disk._owner()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "owner", ["1 elsewhere\n", "", "no number\n", f"{os.getppid()} ", "1 elsewhere\nx 1\n"]
)
def test_a_lock_that_may_be_alive_is_left_alone(tmp_path: Path, owner: str) -> None:
    if owner.endswith(" "):
        owner += disk._owner().split()[1]
    (tmp_path / disk.LOCK).write_text(owner)
    with pytest.raises(disk.Busy), disk.exclusive(tmp_path, patience=0):
        pass
    assert (tmp_path / disk.LOCK).read_text() == owner


@pytest.mark.skipif(not disk._born(os.getpid()), reason="nobody here says when a program was started")
def test_a_lock_whose_number_is_another_programs_since_is_taken_over(tmp_path: Path) -> None:
    """After a loss of power the number of a program that died is soon that of another one."""
    lock, pid, host = tmp_path / disk.LOCK, os.getppid(), disk._owner().split()[1]
    boot, since = disk._born(pid).split()
    lock.write_text(f"{pid} {host}\n{boot} {since}\n")
    with pytest.raises(disk.Busy) as busy, disk.exclusive(tmp_path, patience=0):
        pass
    assert busy.value.owner == f"{pid} {host}"
    for born in (f"{boot} {int(since) - 1}", f"{boot[::-1]} {since}"):
        lock.write_text(f"{pid} {host}\n{born}\n")
        with disk.exclusive(tmp_path, patience=0):
            pass
        assert list(tmp_path.iterdir()) == []


def test_a_lock_that_came_alive_while_it_was_taken_away_is_put_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = tmp_path / disk.LOCK
    lock.write_text("1 elsewhere\n")
    disk._bury(lock)
    assert lock.read_text() == "1 elsewhere\n"
    assert [entry.name for entry in tmp_path.iterdir()] == [disk.LOCK]
    disk._bury(tmp_path / "nothing")


def test_where_there_are_no_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, target: Path) -> None:
        raise PermissionError(target)

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    with disk.exclusive(tmp_path):
        assert (tmp_path / disk.LOCK).read_text() == disk._owner()
        assert [entry.name for entry in tmp_path.iterdir()] == [disk.LOCK]
        with pytest.raises(disk.Busy), disk.exclusive(tmp_path, patience=0):
            pass
    assert list(tmp_path.iterdir()) == []


class Full:
    """Stands in for ``os.write``: so many bytes have room, then the disk is full; the system names no file."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.real = os.write

    def __call__(self, number: int, data: bytes) -> int:
        if not self.room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        done = self.real(number, data[: self.room])
        self.room -= done
        return done


def test_what_a_full_disk_stops_names_the_file_and_leaves_nothing_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk.replace(tmp_path / "turn", b"old")
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", Full(3))
        with pytest.raises(OSError, match="No space left on device") as full:
            disk.replace(tmp_path / "turn", b"a new one")
    assert full.value.filename == str(tmp_path / "turn")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"turn": b"old"}


def test_what_is_written_in_pieces_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda number, data: real(number, data[:2]))
    disk.replace(tmp_path / "turn", b"a new one")
    assert (tmp_path / "turn").read_bytes() == b"a new one"


@pytest.mark.parametrize("links", [True, False])
def test_a_lock_that_has_no_room_is_not_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    def refuse(self: Path, target: Path) -> None:
        monkeypatch.setattr(Path, "write_text", full)
        raise PermissionError(target)

    def full(self: Path, text: str, encoding: str) -> None:
        self.touch()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        if links:
            patch.setattr(Path, "write_text", full)
        else:
            patch.setattr(Path, "write_text", Path.write_text)  # put back at the end
            patch.setattr(Path, "hardlink_to", refuse)
        with pytest.raises(OSError, match="No space left on device") as said, disk.exclusive(tmp_path):
            pass
    monkeypatch.undo()
    assert said.value.filename == str(tmp_path / disk.LOCK)
    assert list(tmp_path.iterdir()) == []


def test_alive() -> None:
    assert disk.alive(os.getpid())
    gone = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, text=True, check=True
    )
    assert not disk.alive(int(gone.stdout))
    if os.name != "nt":
        assert disk.alive(10**30)
        assert disk.alive(1)


UNSAFE = [
    "",
    "/etc/passwd",
    "../up",
    "a/../b",
    "a//b",
    "./a",
    "a/",
    "C:/x",
    "a\\b",
    "a\0b",
    "a\nb",
    ".hidden",
    "a/.b",
    "a.",
    "a ",
    "a*",
]


@pytest.mark.parametrize("path", UNSAFE)
def test_unsafe_names(path: str) -> None:
    with pytest.raises(UnsafePath):
        safe(path)


def test_safe_names() -> None:
    for path in ("a", "seats/blue/join.json.sig", "ledger/00001-manifest.json", "maps/s0001 b.png"):
        assert safe(path) == path


def test_a_game_folder_shows_plain_files_only(tmp_path: Path) -> None:
    game = GameDir(tmp_path / "game")
    assert list(game) == []
    for path in ("ledger/1.json", "mail/m.txt", "outbox/o.txt", "game.toml", "scenario/maps/m.yaml"):
        disk.replace(game.root / path, path.encode())
    (game.root / ".lock").write_text("x")
    (tmp_path / "secret").write_text("x")
    (game.root / "link").symlink_to(tmp_path / "secret")
    (game.root / "folder").symlink_to(tmp_path)
    assert sorted(game) == ["ledger/1.json", "scenario/maps/m.yaml"]
    assert game["ledger/1.json"] == b"ledger/1.json"
    for path in (
        "mail/m.txt",
        "outbox/o.txt",
        "game.toml",
        "link",
        "folder/secret",
        "ledger",
        "../secret",
        "none",
    ):
        with pytest.raises(KeyError):
            game[path]
    assert "ledger/1.json" in game
    assert "link" not in game
    assert 7 not in game
    assert game.read("mail/m.txt") == b"mail/m.txt"
    assert game.names("mail") == ("mail/m.txt",)
    assert game.names("nowhere") == ()


def test_a_file_above_the_limit_is_not_there(tmp_path: Path) -> None:
    game = GameDir(tmp_path)
    with (tmp_path / "big").open("wb") as file:
        file.truncate(16 * 1024 * 1024 + 1)
    assert game.read("big") is None
    with (tmp_path / "big").open("wb") as file:
        file.truncate(16 * 1024 * 1024)
    assert game.read("big") is not None
