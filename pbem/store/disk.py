"""The few ways in which anything on disk is changed; every single change goes through ``effect``, so a test
can end the program there.

Decides how a change is made safe (a file is there whole or not at all, and stays after a loss of power),
never what is written.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

LOCK = ".lock"
PATIENCE = 5.0
_STEP = 0.05
_held: set[Path] = set()


class Busy(Exception):
    """Another program is writing in the same folder; ``pid`` is its number, ``path`` the
    file that says so.
    """

    def __init__(self, path: Path, owner: str) -> None:
        super().__init__(owner)
        self.path = path
        self.owner = owner


def effect(kind: str, path: Path, act: Callable[[], T]) -> T:
    """Do one change on disk: the only place where one is done. What goes wrong names the file."""
    try:
        return act()
    except OSError as error:
        # The system names no file where it was open already, as when a disk is full.
        if error.filename is None:
            error.filename = str(path)
        raise


def make_folder(path: Path, *, private: bool = False) -> None:
    """Make a folder and those above it, ``private`` for their owner alone; nothing happens where it is there
    already.
    """
    if not path.is_dir():
        if path.parent != path:
            make_folder(path.parent, private=private)
        effect("mkdir", path, lambda: path.mkdir(0o700 if private else 0o777, exist_ok=True))


def _sync_folder(path: Path) -> None:
    if os.name == "nt":
        return

    def sync() -> None:
        number = os.open(path, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)

    effect("sync-folder", path, sync)


def replace(path: Path, data: bytes, *, private: bool = False, lasting: bool = True) -> None:
    """Write a file so that at every moment it is the old one or the new one, whole; ``private``: for its
    owner's eyes alone.

    Not ``lasting``: after a loss of power it may be the old one again, or gone. That is for what can be made
    again, and for the first of several files of one folder that are written together.
    """
    make_folder(path.parent, private=private)
    temp = path.with_name(f".{path.name}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
    try:
        number = effect("open", temp, lambda: os.open(temp, flags, 0o600 if private else 0o644))
        try:
            effect("write", temp, lambda: _write(number, data))
            effect("sync", temp, lambda: os.fsync(number))
        finally:
            os.close(number)
        effect("rename", path, lambda: temp.replace(path))
    except OSError as error:
        error.filename = str(path)
        with suppress(OSError):  # half a file would only take the room that is wanted
            remove(temp)
        raise
    if lasting:
        _sync_folder(path.parent)


def _write(number: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(number, left) :]


def create(path: Path, data: bytes, *, private: bool = False) -> None:
    """Write a new file, whole or not at all; raise FileExistsError if there is one.

    The caller holds the lock of its folder.
    """
    if os.path.lexists(path):
        raise FileExistsError(path)
    replace(path, data, private=private)


def put(path: Path, data: bytes, *, private: bool = False, lasting: bool = True) -> None:
    """Make sure that a file holds these bytes: do nothing where it does.

    ``private`` and ``lasting`` as ``replace`` has them.
    """
    try:
        same = not path.is_symlink() and path.read_bytes() == data
    except OSError:
        same = False
    if not same:
        replace(path, data, private=private, lasting=lasting)


def move(path: Path, to: Path) -> None:
    """Move a file within the same file system: at every moment it is in one of the two places, whole."""
    effect("move", to, lambda: path.replace(to))
    _sync_folder(to.parent)
    if to.parent != path.parent:
        _sync_folder(path.parent)


def remove(path: Path) -> None:
    """Remove a file; nothing happens where there is none."""
    effect("remove", path, lambda: path.unlink(missing_ok=True))


def remove_folder(path: Path) -> None:
    """Remove an empty folder; nothing happens where there is none, or something is in it again."""
    with suppress(OSError):
        effect("rmdir", path, path.rmdir)


def alive(pid: int) -> bool:
    """Tell whether a program with this number is running on this machine; True where that cannot be found
    out.
    """
    if sys.platform == "win32":
        import ctypes

        handle = ctypes.windll.kernel32.OpenProcess(0x1000, False, pid)
        if handle:
            ctypes.windll.kernel32.CloseHandle(handle)
        return bool(handle)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def _owner() -> str:
    return f"{os.getpid()} {_host()}\n{_born(os.getpid())}".rstrip() + "\n"


def _born(pid: int) -> str:
    """Return what tells a program from a later one with its number: when the machine was started, and it
    since then; empty where the system does not say.
    """
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        said = Path(f"/proc/{pid}/stat").read_bytes()
        return f"{boot} {int(said.rpartition(b')')[2].split()[19])}"
    except (OSError, ValueError, IndexError):
        return ""


def _host() -> str:
    import socket

    return socket.gethostname()


def _is_stale(path: Path) -> bool:
    """Tell whether a lock was left by a program that is gone: its number is on this machine
    and runs no more, or is that of another one since, as after a loss of power.
    """
    try:
        owner, _, born = path.read_text("utf-8", "replace").strip().partition("\n")
    except OSError:
        return False
    pid, _, host = owner.partition(" ")
    if host != _host() or not pid.isdecimal():
        return False
    if int(pid) == os.getpid():
        return path.with_name(LOCK) not in _held
    return not alive(int(pid)) or bool(born and (now := _born(int(pid))) and now != born)


def _take(path: Path) -> bool:
    """Make the lock with its owner already in it, or find that there is one: a killed program leaves a lock
    that names it.
    """
    mine = path.with_name(f"{LOCK}.{os.getpid()}.{threading.get_ident()}")
    try:
        effect("lock-write", mine, lambda: mine.write_text(_owner(), "utf-8"))
        try:
            effect("lock", path, lambda: path.hardlink_to(mine))
        except FileExistsError:
            return False
        except OSError:
            # A file system without hard links: the lock is empty for a moment.
            if not _take_plainly(path):
                return False
    except OSError as error:
        error.filename = str(path)  # the same at every try, so that a letter tells it once
        raise
    finally:
        remove(mine)
    _held.add(path)
    return True


def _take_plainly(path: Path) -> bool:
    try:
        path.touch(exist_ok=False)
    except FileExistsError:
        return False
    try:
        effect("lock-write", path, lambda: path.write_text(_owner(), "utf-8"))
    except OSError:
        remove(path)  # an empty one would be nobody's, and never let go
        raise
    return True


def _bury(path: Path) -> None:
    """Take a dead lock away by renaming it; put it back if, in between, it had become that of a living
    program.
    """
    gone = path.with_name(f"{LOCK}.{os.getpid()}")
    try:
        effect("unlock-dead", path, lambda: path.rename(gone))
    except FileNotFoundError:
        return
    if not _is_stale(gone):
        with suppress(FileExistsError):
            effect("lock-back", path, lambda: path.hardlink_to(gone))
    remove(gone)


@contextmanager
def exclusive(folder: Path, patience: float = PATIENCE) -> Iterator[None]:
    """Hold a folder alone; wait a little for another program, then raise Busy.

    A lock left by a dead program is taken over.
    """
    path = folder.resolve() / LOCK
    end = time.monotonic() + patience
    while not _take(path):
        if _is_stale(path):
            _bury(path)
            continue
        if time.monotonic() > end:
            try:
                owner = path.read_text("utf-8", "replace").partition("\n")[0]
            except OSError:
                owner = ""
            raise Busy(path, owner)
        time.sleep(_STEP)
    try:
        yield
    finally:
        _held.discard(path)
        remove(path)
