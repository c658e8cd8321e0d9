"""Runs the benchmarks and prints them, for people or with ``--json``; ``--quick`` takes less time and is less
sure.
"""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, Final
from unittest import mock

from msgspec import to_builtins

from benchmarks import (
    answering,
    castle,
    checking,
    fleet,
    forum,
    games,
    inches,
    large_map,
    legal,
    maps,
    newer,
    office,
    pages,
    peers,
    phases,
    proofs,
    reading,
    sight,
    since,
    slots,
    starting,
)
from benchmarks.example import example
from benchmarks.measure import Growth, Measured
from benchmarks.telling import told


def main(words: Sequence[str]) -> int:
    """Run what is asked for; answer 0 whatever was measured: a busy machine is no fault."""
    parser = ArgumentParser(
        prog="python -m benchmarks", description="benchmarks of pbem: ratios of least times"
    )
    parser.add_argument(
        "only", nargs="*", metavar="NAME", help=f"{', '.join(NAMES)}; all of them unless named"
    )
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.add_argument("--quick", action="store_true", help="a fifth of the time")
    parser.add_argument(
        "--since",
        metavar="TAG",
        default="",
        help="run those of a release, or of any commit, too, and tell what became slower",
    )
    chosen = parser.parse_args(words)
    if unknown := set(chosen.only) - set(NAMES):
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    if chosen.since and not since.is_here(chosen.since):
        parser.error(f"there is no release {chosen.since} in this repository; git fetch --tags brings them")
    found, before = list[Measured](), dict[since.Key, float]()
    with ExitStack() as stack:
        # what was drawn before is not to be found again; where it is, that is said
        stack.enter_context(mock.patch.dict(os.environ, {"PBEM_CACHE": "off"}))
        then = stack.enter_context(since.installed(chosen.since)) if chosen.since else None
        for name in chosen.only or NAMES:
            print(f"{name} …", end=" ", file=sys.stderr, flush=True)
            try:
                # rulesets that one brings along are not there for the next
                with mock.patch.object(sys, "path", [*sys.path]):
                    found += NAMES[name](0.3 if chosen.quick else 1.5)
            except Exception:
                print("", *told(found), sep="\n")  # it may have taken half an hour
                raise
            if then is not None:  # in the same minutes
                before |= then(name, chosen.quick)
        print(file=sys.stderr)
    if chosen.json:
        print(json.dumps(plain(found, before), indent=1))
        return 0
    print("\n".join(told(found)))
    if {"legal", "phase"} & set(chosen.only or NAMES) and peers.python() is None:
        print(peers.MISSING)
    if chosen.since:
        print("\n".join(["", *since.told(chosen.since, since.changes(before, found))]))
    return 0


def plain(found: Sequence[Measured], before: Mapping[since.Key, float]) -> dict[str, Any]:
    """Return what ``--json`` prints."""
    said: dict[str, Any] = {"format": 1, "benchmarks": [], "growth": []}
    for one in found:
        figure = "exponent" if isinstance(one, Growth) else "figure"
        said["growth" if isinstance(one, Growth) else "benchmarks"].append(
            {**to_builtins(one), figure: getattr(one, figure), "reached": one.reached}
        )
    if before:
        said["since"] = [to_builtins(one) for one in since.changes(before, found)]
    return said


def _check(seconds: float) -> Iterator[Measured]:
    yield from checking.results(seconds)
    yield checking.growth(seconds)


def _legal(seconds: float) -> Iterator[Measured]:
    yield from legal.results(seconds)
    yield from legal.peer()
    yield from legal.growth(seconds)


def _sight(seconds: float) -> Iterator[Measured]:
    yield from sight.results(seconds)
    yield sight.growth(seconds)


def _phase(seconds: float) -> Iterator[Measured]:
    yield from phases.results(seconds)
    yield phases.growth(seconds)


def _verify(seconds: float) -> Iterator[Measured]:
    with example() as played:
        yield from proofs.results(played, seconds)
        yield proofs.growth(played, seconds)


def _map(seconds: float) -> Iterator[Measured]:
    with example() as played:
        yield from maps.results(played, seconds)
    yield from large_map.results(seconds)


def _long(seconds: float) -> Iterator[Measured]:
    yield from proofs.long_results(seconds)
    yield from proofs.memory()


def _letters(seconds: float) -> Iterator[Measured]:
    yield from reading.results(seconds)
    yield from answering.results(seconds)
    yield reading.growth(seconds)
    yield from reading.memory(seconds)
    yield from reading.scores(seconds)


NAMES: Final[Mapping[str, Callable[[float], Iterator[Measured]]]] = {
    "check": _check,
    "legal": _legal,
    "sight": _sight,
    "phase": _phase,
    "verify": _verify,
    "castle": castle.results,
    "newer": newer.results,
    "long": _long,
    "games": lambda _: games.results(),
    "letters": _letters,
    "forum": forum.results,
    "map": _map,
    "inches": lambda _: inches.results(),
    "pages": pages.results,
    "slots": slots.results,
    "office": office.results,
    "start": starting.results,
    "fleet": fleet.results,
}
"""What there is to measure -> what measures it in so many seconds a work, and yields each as soon as it is
measured.
"""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
