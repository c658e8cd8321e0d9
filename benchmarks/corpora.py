"""Where the corpora lie that are measured and scored: among the tests that they are kept for."""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any


@cache
def of_tests(folder: str, name: str) -> Any:
    """Return a module that stands beside the tests of a folder, such as ``post``."""
    tests = Path(__file__).resolve().parents[1] / "tests"
    for path in (str(tests / folder), str(tests / "toy"), str(tests / "outside")):
        if path not in sys.path:
            sys.path.append(path)
    return import_module(name)
