"""Taking times on a machine that is busy with other things: the least of many runs, those to be compared
taking turns.
"""

from __future__ import annotations

import gc
import math
import resource
import time
from collections.abc import Callable, Sequence
from cProfile import Profile

from msgspec import Struct

Work = Callable[[], object]
POWER = 1.3
"""With the number of figures times are to grow with it at most."""
ATLEAST = 0.004
"""Seconds that one run lasts at least, so that the clock's own step does not count; short work is repeated
within a run.
"""


class Result(Struct, frozen=True):
    """One benchmark: ours and the bare cost in seconds, what to compare with its aim, and in which unit that
    is; of another unit than milliseconds ``ours`` is an amount.
    """

    name: str
    what: str
    bare_of: str
    ours: float
    bare: float | None
    aim: float | None
    unit: str = "ms"
    more: bool = False
    """The more the better."""

    @property
    def figure(self) -> float:
        """Return the ratio, or where nothing is to be divided by, milliseconds, or the amount."""
        if self.bare is not None:
            return self.ours / self.bare
        return self.ours * 1000 if self.unit == "ms" else self.ours

    @property
    def reached(self) -> bool | None:
        """Tell whether the aim is reached; None without an aim."""
        if self.aim is None:
            return None
        return self.figure >= self.aim if self.more else self.figure <= self.aim


def amount(name: str, what: str, much: float, unit: str, aim: float | None = None) -> Result:
    """Return what is counted and not timed; the less the better."""
    return Result(name, what, "", much, None, aim, unit)


def calls(name: str, what: str, work: Work) -> Result:
    """Return how many functions a work calls, of Python and of C: the same at every run, however busy the
    machine is.
    """
    work()
    profile = Profile()
    profile.runcall(work)
    return amount(name, what, sum(entry.callcount for entry in profile.getstats()), "calls")


def least(*works: Work, seconds: float = 1.5, rounds: int = 7) -> tuple[float, ...]:
    """Return the least time of each work in seconds; at least ``rounds`` rounds, more while there are
    ``seconds`` left.
    """
    repeats = [_repeats(work) for work in works]
    best = [float("inf")] * len(works)
    collecting = gc.isenabled()
    gc.disable()
    try:
        end = time.perf_counter() + seconds * len(works)
        done = 0
        while done < rounds or time.perf_counter() < end:
            for number, (work, repeat) in enumerate(zip(works, repeats, strict=True)):
                best[number] = min(best[number], _timed(work, repeat))
            gc.collect()
            done += 1
    finally:
        if collecting:
            gc.enable()
    return tuple(best)


def _repeats(work: Work) -> int:
    work()
    once = _timed(work, 1)
    return max(1, min(1000, int(ATLEAST / once))) if once > 0 else 1000


def _timed(work: Work, repeat: int) -> float:
    begin = _spent()
    for _ in range(repeat):
        work()
    return (_spent() - begin) / repeat


def _spent() -> float:
    """Return the processor's time so far in seconds, of this process and of those it has waited for: on a
    machine that others use too, the clock on the wall tells of them.
    """
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


class Growth(Struct, frozen=True):
    """How a time grows with the size of what is done: sizes, times in seconds, and the power it may grow with
    at most, from ``first`` on (0: from the second size).
    """

    name: str
    of: str
    sizes: Sequence[int]
    times: Sequence[float]
    aim: float | None = None
    first: int = 0

    @property
    def begin(self) -> int:
        """Return the size from which on it is told."""
        return self.first or self.sizes[min(1, len(self.sizes) - 2)]

    @property
    def exponent(self) -> float:
        """Return e where the time grows like the size to the power of e."""
        time = self.times[self.sizes.index(self.begin)]
        return math.log(self.times[-1] / time) / math.log(self.sizes[-1] / self.begin)

    @property
    def reached(self) -> bool | None:
        """Tell whether it grows as little as it should; None without an aim."""
        return None if self.aim is None else self.exponent <= self.aim


Measured = Result | Growth
