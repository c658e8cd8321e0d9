"""A program that is killed: stands in for the one place where the disk is changed, or for that where the
network is used.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pbem.store import disk

THROUGH = "through"


class Killed(BaseException):
    """The program is gone."""


class Killer:
    """From the given effect on nothing happens any more; ``half``: of the bytes that were being written then,
    some are there.

    Only effects of some ``kinds`` are counted, where they are given.
    """

    def __init__(
        self, at: int, *, half: bool = False, after: bool = False, kinds: Collection[str] = ()
    ) -> None:
        self.at, self.half, self.after, self.kinds = at, half, after, kinds
        self.seen: list[str] = []

    def __call__(self, kind: str, what: Any, act: Callable[[], Any]) -> Any:
        if self.kinds and kind not in self.kinds and len(self.seen) < self.at:
            return act()
        self.seen.append(kind)
        if len(self.seen) == self.at and self.half and kind == "write" and isinstance(what, Path):
            what.write_bytes(b"half of what was")
        if len(self.seen) == self.at and self.after:
            act()
        if len(self.seen) >= self.at:
            raise Killed(kind)
        return act()


def each_step(
    act: Callable[[], object], monkeypatch: pytest.MonkeyPatch, *modules: ModuleType
) -> Iterator[str]:
    """Do something killed before the first, second … effect of some modules, until it gets through; yield at
    which, at last ``through``.
    """
    at = 0
    while True:
        at += 1
        killer = Killer(at)
        with monkeypatch.context() as patch:
            for module in modules:
                patch.setattr(module, "effect", killer)
            try:
                act()
            except Killed as killed:
                step = str(killed)
            else:
                step = THROUGH
        yield step
        if step == THROUGH:
            return


def everywhere(
    monkeypatch: pytest.MonkeyPatch,
    act: Callable[[], object],
    begin: Callable[[], object],
    look: Callable[[], None],
    kinds: Collection[str] = (),
) -> int:
    """Do ``act`` killed at the first, second … effect, each from the beginning anew, until it gets through;
    return how many there are.

    ``begin`` lays everything out as it was before; ``look`` does it again as the next run would and says what
    has to be true then.
    """
    at = 0
    while True:
        at += 1
        halves = [False]
        for half in halves:
            begin()
            killer = Killer(at, half=half, kinds=kinds)
            with monkeypatch.context() as patch:
                patch.setattr(disk, "effect", killer)
                try:
                    act()
                except Killed:
                    pass
                else:
                    killer.at = -1
            look()
            if killer.at < 0:
                return at - 1
            if killer.seen[-1] == "write" and not half:
                halves.append(True)
