"""How much work something is, counted so that a busy machine changes nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def lines_run(act: Callable[[], object]) -> int:
    """Return how many lines of Python are run."""
    count = 0

    def tracer(frame: FrameType, event: str, arg: object) -> Any:
        nonlocal count
        count += event == "line"
        return tracer

    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        act()
    finally:
        sys.settrace(before)
    return count
