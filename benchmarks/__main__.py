"""Runs the benchmarks and prints them, for people or with ``--json``; ``--quick`` takes less time and is less
sure.
"""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from typing import Final

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
    phases,
    proofs,
    reading,
    sight,
    since,
    slots,
    starting,
)
from benchmarks.example import example
from benchmarks.measure import Growth, Result

NAMES: Final = (
    "check",
    "legal",
    "sight",
    "phase",
    "verify",
    "castle",
    "newer",
    "long",
    "games",
    "letters",
    "forum",
    "map",
    "inches",
    "pages",
    "slots",
    "office",
    "start",
    "fleet",
)


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
        "--since", metavar="TAG", default="", help="run those of a release too, and tell what became slower"
    )
    chosen = parser.parse_args(words)
    if unknown := set(chosen.only) - set(NAMES):
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    if chosen.since and not since.is_here(chosen.since):
        parser.error(f"there is no release {chosen.since} in this repository; git fetch --tags brings them")
    os.environ["PBEM_CACHE"] = (
        "off"  # what was drawn before is not to be found again; where it is, that is said
    )
    found = list(measured(frozenset(chosen.only), 0.3 if chosen.quick else 1.5))
    results = [one for one in found if isinstance(one, Result)]
    grown = [one for one in found if isinstance(one, Growth)]
    if chosen.json:
        plain = [{**to_builtins(one), "figure": one.figure, "reached": one.reached} for one in results]
        print(
            json.dumps(
                {"format": 1, "benchmarks": plain, "growth": [to_builtins(one) for one in grown]}, indent=1
            )
        )
    else:
        print("\n".join([*table(results), "", *growth_table(grown)]))
        if wanted("long", frozenset(chosen.only)):
            said = ", ".join(f"{bytes_ / 1e6:.1f} MB for {slots} slots" for slots, bytes_ in proofs.memory())
            print(f"memory  verify takes at most {said}")
        if wanted("slots", frozenset(chosen.only)):
            for verb, done in slots.of_the_disk().items():
                print(f"disk    {verb}: waits {done.waits} times, {done.files} files, {done.bytes:,} bytes")
        if wanted("letters", frozenset(chosen.only)):
            said = ", ".join(
                f"{bytes_ / 1e6:.1f} MB for {letters:,} letters" for letters, bytes_ in reading.memory()
            )
            print(f"memory  reading a mailbox takes at most {said}")
            for line in reading.scores(chosen.quick):
                print(f"score   {line}")
        if wanted("forum", frozenset(chosen.only)):
            for line in forum.scores(chosen.quick):
                print(f"score   {line}")
        if chosen.since:
            before = since.then(chosen.since, chosen.only or NAMES, chosen.quick)
            rows = [(f"since {chosen.since}", "then", "now", "")]
            print("\n".join(["", *aligned([*rows, *since.changes(before, results)])]))
    return 0


def measured(only: frozenset[str], seconds: float) -> Iterator[Result | Growth]:
    """Yield what was asked for, each as soon as it is measured."""
    if wanted("check", only):
        yield from checking.results(seconds)
        yield checking.growth(seconds)
    if wanted("legal", only):
        yield from legal.results(seconds)
        yield from legal.peer(seconds)
        yield from legal.growth(seconds)
    if wanted("sight", only):
        yield from sight.results(seconds)
        yield sight.growth(seconds)
    if wanted("phase", only):
        yield from phases.results(seconds)
        yield phases.growth(seconds)
    if wanted("verify", only) or wanted("map", only):
        with example() as played:
            if wanted("verify", only):
                yield from proofs.results(played, seconds)
                yield proofs.growth(played, seconds)
            if wanted("map", only):
                yield from maps.results(played, seconds)
    if wanted("map", only):
        yield from large_map.results(seconds)
    if wanted("inches", only):
        yield from inches.results()
    if wanted("castle", only):
        yield from castle.results(seconds)
    if wanted("newer", only):
        yield from newer.results(seconds)
    if wanted("long", only):
        yield from proofs.long_results(seconds)
    if wanted("games", only):
        yield from games.results()
    if wanted("letters", only):
        yield from reading.results(seconds)
        yield from answering.results(seconds)
        yield reading.growth(seconds)
    if wanted("pages", only):
        yield from pages.results(seconds)
    if wanted("slots", only):
        yield from slots.results(seconds)
    if wanted("office", only):
        yield from office.results(seconds)
    if wanted("start", only):
        yield from starting.results(seconds)
    if wanted("fleet", only):
        yield from fleet.results(seconds)


def wanted(name: str, only: frozenset[str]) -> bool:
    """Tell whether a benchmark was asked for."""
    return not only or name in only


def table(results: Sequence[Result]) -> list[str]:
    """Return the results as lines."""
    rows = [("what", "ours", "bare", "measured", "aim", "")]
    for one in results:
        bare = "" if one.bare is None else f"{one.bare * 1000:.2f} ms"
        unit = "" if one.bare is not None else " ms"
        aim = "" if one.aim is None else f"{one.aim:g}{unit}"
        said = {True: "reached", False: "missed", None: ""}[one.reached]
        of = f" / {one.bare_of}" if one.bare_of else ""
        rows.append((one.what + of, f"{one.ours * 1000:.2f} ms", bare, f"{one.figure:.2f}{unit}", aim, said))
    return aligned(rows)


def growth_table(grown: Sequence[Growth]) -> list[str]:
    """Return how times grow, as lines."""
    rows = []
    for one in grown:
        cells = [
            (f"{size} {one.of}", f"{time * 1000:.2f} ms")
            for size, time in zip(one.sizes, one.times, strict=True)
        ]
        rows.append((one.name, f"exponent {one.exponent:.2f}", *(cell for pair in cells for cell in pair)))
    most = max(map(len, rows), default=0)
    return aligned([(*row, *[""] * (most - len(row))) for row in rows])


def aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Return rows with their columns one below the other, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)] if rows else []
    lines = []
    for first, *rest in rows:
        cells = [
            first.ljust(widths[0]),
            *(cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)),
        ]
        lines.append("  ".join(cells).rstrip())
    return lines


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
