"""What ``make test`` leaves to the longer check, ``make thorough``: counts, and cases of which it tries some.

A test that tries more in the longer check is marked ``deeper``; one that runs nowhere else, ``thorough``. The
longer check runs both.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, Final

import pytest

THOROUGH: Final = os.environ.get("PBEM_THOROUGH") == "1"
deeper: Final = pytest.mark.deeper
thorough: Final = pytest.mark.thorough
SHARE: Final = int(os.environ.get("PBEM_SHARE") or 1)
"""Of what is tried many times the longer check does one in so many."""


def tries(few: int, many: int) -> int:
    """Return how often something is tried: a few times, and many times in the longer check. Of steps, of which
    the longer check takes smaller ones, the size.
    """
    if not THOROUGH:
        return few
    return max(few, many // SHARE) if many > few else min(few, many * SHARE)


def some(every: Iterable[Any], *here: Any) -> list[Any]:
    """Return what a test is tried on: all of it, of which everything but what is named ``here`` waits for the
    longer check.
    """
    listed = list(every)
    if missing := [one for one in here if one not in listed]:
        raise ValueError(f"not among what is tried: {missing}")
    return [one if one in here else pytest.param(one, marks=thorough) for one in listed]
