"""Starting: ``pbem --version`` against ``python -c "import click"``, both as processes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.measure import Result, least

BARE = (sys.executable, "-c", "import click")


def command() -> tuple[str, ...]:
    """Return the command ``pbem`` that was installed beside this Python, or what stands for it."""
    script = Path(sys.executable).with_name("pbem")
    return (str(script),) if script.is_file() else (sys.executable, "-m", "pbem")


def _run(words: Sequence[str]) -> None:
    subprocess.run(words, check=True, capture_output=True)


def results(seconds: float) -> Iterator[Result]:
    """Yield the benchmark."""
    ours = (*command(), "--version")
    mine, bare = least(lambda: _run(ours), lambda: _run(BARE), seconds=seconds * 2, rounds=15)
    yield Result("start", "pbem --version", 'python -c "import click"', mine, bare, 1.3)
