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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from benchmarks.measure import Result

NOISE: Final = 1.1
"""So many times as much counts as a change; less is the machine."""
_HERE: Final = Path(__file__).resolve().parents[1]
Key = tuple[str, str]
"""Name and words of a benchmark."""


def then(tag: str, names: Iterable[str], quick: bool) -> dict[Key, float]:
    """Return what the benchmarks of a release measure here now: name and words -> figure.

    One that fails there, or that it does not have, is not in it. Raises CalledProcessError where the release
    cannot be checked out or installed.
    """
    found: dict[Key, float] = {}
    with _installed(tag) as (folder, python):
        for name in names:
            words = [python, "-m", "benchmarks", "--json", *(["--quick"] if quick else []), name]
            ran = subprocess.run(words, cwd=folder, capture_output=True, check=False, env=_clean())
            if ran.returncode == 0:
                found |= figures(json.loads(ran.stdout))
    return found


def is_here(tag: str) -> bool:
    """Tell whether this repository knows a release."""
    words = ("git", "-C", str(_HERE), "rev-parse", "--verify", "--quiet", f"{tag}^{{commit}}")
    return subprocess.run(words, check=False, capture_output=True, env=_clean()).returncode == 0


def figures(said: Mapping[str, Any]) -> dict[Key, float]:
    """Return the figures of what ``--json`` prints."""
    return {(one["name"], one["what"]): float(one["figure"]) for one in said["benchmarks"]}


def changes(before: Mapping[Key, float], now: Sequence[Result]) -> Iterator[tuple[str, str, str, str]]:
    """Yield what to print of those that both have, the worst first: what it is, its figure then and now, and
    how much that is.
    """
    both = [(one, before[one.name, one.what]) for one in now if before.get((one.name, one.what))]
    for one, old in sorted(both, key=lambda pair: -pair[0].figure / pair[1]):
        times = one.figure / old
        word = "slower" if times > NOISE else "faster" if times < 1 / NOISE else "as before"
        yield one.what, f"{old:.2f}", f"{one.figure:.2f}", f"{times:.2f} times, {word}"


@contextmanager
def _installed(tag: str) -> Iterator[tuple[Path, str]]:
    """Yield where a release is checked out, and the Python that it is installed for."""
    with TemporaryDirectory() as made:
        folder = Path(made) / "release"
        _run("git", "-C", str(_HERE), "worktree", "add", "--quiet", "--detach", str(folder), tag)
        try:
            _run(sys.executable, "-m", "venv", str(folder / ".venv"))
            python = str(folder / ".venv" / ("Scripts" if os.name == "nt" else "bin") / "python")
            _run(python, "-m", "pip", "install", "--quiet", "-e", f"{folder}[test]")
            yield folder, python
        finally:
            _run("git", "-C", str(_HERE), "worktree", "remove", "--force", str(folder))


def _run(*words: str) -> None:
    subprocess.run(words, check=True, capture_output=True, env=_clean())


def _clean() -> dict[str, str]:
    """Return the environment without what would have Python write no byte code, so that starting is compared
    as people start it.
    """
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
