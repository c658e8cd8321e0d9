"""Kinds of task for tests; workers import this module by its name, as they do those of ``pbem.fleet``."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

from pbem.fleet import kinds

KINDS = {
    "square": "fleet_kinds:square",
    "dies": "fleet_kinds:dies",
    "poison": "fleet_kinds:poison",
    "raises": "fleet_kinds:raises",
    "huge": "fleet_kinds:huge",
    "flaky": "fleet_kinds:flaky",
    "same": "fleet_kinds:same",
}


def do_in_a_process(program: str, kind: str, said: str) -> tuple[str, float]:
    """Do a task of tests in a process of a pool, which knows those of pbem alone."""
    kinds.KINDS |= KINDS  # type: ignore[misc]
    return kinds.do(program, kind, said)


def square(number: int, notes: str = "") -> dict[str, int]:
    """Note that it ran, in a file of its own for each time; return the square."""
    if notes:
        (Path(notes) / f"{number}-{os.getpid()}-{time.monotonic_ns()}").touch()
    return {"square": number * number}


def dies(number: int, mark: str) -> dict[str, int]:
    """Kill the worker the first time; return the square the second time."""
    try:
        Path(mark).touch(exist_ok=False)
    except FileExistsError:
        return {"square": number * number}
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("it is dead")


def poison(number: int, notes: str) -> None:
    """Kill every worker that takes it."""
    (Path(notes) / f"poison-{time.monotonic_ns()}").touch()
    os.kill(os.getpid(), signal.SIGKILL)


class Awkward(Exception):
    """An error that cannot be taken apart and put together again."""

    def __init__(self, one: Any, other: Any) -> None:
        super().__init__(f"{one} and {other}")


def raises(number: int) -> None:
    raise Awkward(number, "a fault")


def flaky(number: int, notes: str) -> dict[str, int]:
    """Fail the first time, as a shared folder does that is away for a moment."""
    mark = Path(notes) / "flaky"
    if not mark.exists():
        mark.touch()
        raise OSError("not there now")
    return {"square": number * number}


def same(said: str) -> str:
    return said


def huge(number: int) -> str:
    return "x" * 5_000_000
