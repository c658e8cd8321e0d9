"""Where the corpora lie that are measured and scored: among the tests that they are kept for; and what is told of
a score.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from benchmarks.measure import Result, amount

RIGHT: Final = 99.0
"""So many of a hundred are to be read as they have to be."""


@cache
def of_tests(folder: str, name: str) -> Any:
    """Return a module that stands beside the tests of a folder, such as ``post``."""
    tests = Path(__file__).resolve().parents[1] / "tests"
    for path in (str(tests / folder), str(tests / "toy"), str(tests / "outside")):
        if path not in sys.path:
            sys.path.append(path)
    return import_module(name)


def scored(name: str, what: str, sums: Any) -> Iterator[Result]:
    """Yield what came of reading a corpus; the same numbers on every machine."""
    yield Result(name, f"{what}: the right text taken", "", sums.share, None, RIGHT, "%", more=True)
    yield amount(name, "of these wrongly taken", sums.counts["wrong"], "", 0)
    yield amount(name, "quoted orders carried out", sums.executed, "", 0)
