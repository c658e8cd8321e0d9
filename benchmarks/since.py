"""What became slower or faster since a release: its own benchmarks, run on this machine in the same minutes,
beside those of now.

The release is checked out beside the repository and gets an environment of its own, so nothing of now is
measured by what was then, nor the other way round. Benchmarks that it had not, or that say another thing now,
are left out.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from msgspec import Struct

from benchmarks.measure import Measured, Result
from benchmarks.telling import aligned, amount

NOISE: Final = 1.1
"""So many times as much counts as a change; less is the machine."""
_HERE: Final = Path(__file__).resolve().parents[1]
Key = tuple[str, str]
"""Name and words of a benchmark."""


class Change(Struct, frozen=True):
    """What a benchmark came to then and now, and how many times as bad it became; what it was and is, to be
    read.
    """

    name: str
    what: str
    then: float
    now: float
    times: float
    said: tuple[str, str]

    @property
    def word(self) -> str:
        """Return which way it went."""
        return "worse" if self.times > NOISE else "better" if self.times < 1 / NOISE else "as before"


def is_here(tag: str) -> bool:
    """Tell whether this repository knows a release."""
    words = ("git", "-C", str(_HERE), "rev-parse", "--verify", "--quiet", f"{tag}^{{commit}}")
    return subprocess.run(words, check=False, capture_output=True, env=_clean()).returncode == 0


def figures(said: Mapping[str, Any]) -> dict[Key, float]:
    """Return the figures of what ``--json`` prints."""
    return {(one["name"], one["what"]): float(one["figure"]) for one in said["benchmarks"]}


def changes(before: Mapping[Key, float], now: Sequence[Measured]) -> Iterator[Change]:
    """Yield those that both have, the worst first."""
    found = []
    for one in now:
        if isinstance(one, Result) and (old := before.get((one.name, one.what))) and one.figure:
            times = old / one.figure if one.more else one.figure / old
            said = amount(one, old), amount(one, one.figure)
            found.append(Change(one.name, one.what, old, one.figure, times, said))
    yield from sorted(found, key=lambda change: -change.times)


def told(tag: str, found: Iterator[Change]) -> Iterator[str]:
    """Yield the table of what became worse or better; what did not is counted."""
    all_ = list(found)
    moved = [one for one in all_ if one.word != "as before"]
    rows = [(one.what, *one.said, f"{one.times:.2f} times", one.word) for one in moved]
    yield from aligned([(f"since {tag}", "then", "now", "", ""), *rows])
    worse = sum(one.word == "worse" for one in moved)
    yield f"{worse} became worse, {len(moved) - worse} better, {len(all_) - len(moved)} of {len(all_)} are as before"


@contextmanager
def installed(tag: str) -> Iterator[Callable[[str, bool], dict[Key, float]]]:
    """Check a release out and install it; yield what runs a benchmark of it here, quickly or not, and returns
    its figures: none where it fails there, or there is none of that name.

    Raises CalledProcessError where the release cannot be checked out or installed.
    """
    with TemporaryDirectory() as made:
        folder = Path(made) / "release"
        _run("git", "-C", str(_HERE), "worktree", "add", "--quiet", "--detach", str(folder), tag)
        try:
            _run(sys.executable, "-m", "venv", str(folder / ".venv"))
            python = str(folder / ".venv" / ("Scripts" if os.name == "nt" else "bin") / "python")
            _run(python, "-m", "pip", "install", "--quiet", "-e", f"{folder}[test]")

            def run(name: str, quick: bool) -> dict[Key, float]:
                words = [python, "-m", "benchmarks", "--json", *(["--quick"] if quick else []), name]
                ran = subprocess.run(words, cwd=folder, capture_output=True, check=False, env=_clean())
                return figures(json.loads(ran.stdout)) if ran.returncode == 0 else {}

            yield run
        finally:
            _run("git", "-C", str(_HERE), "worktree", "remove", "--force", str(folder))


def _run(*words: str) -> None:
    subprocess.run(words, check=True, capture_output=True, env=_clean())


def _clean() -> dict[str, str]:
    """Return the environment without what would have Python write no byte code, so that starting is compared
    as people start it.
    """
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
