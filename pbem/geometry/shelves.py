"""Where a table that takes long to make may lie: whoever has such a place says so, before the table is wanted
or the module that makes it is there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class Shelf(Protocol):
    """Where something is kept under a key of 64 hexadecimal digits, which may be gone at any time."""

    def get(self, key: str) -> bytes | None:
        """Return what was put under a key; None where it is not there."""

    def put(self, key: str, data: bytes) -> None:
        """Put something under a key."""


def nowhere() -> None:
    """Return that there is no such place."""


where: Callable[[], Shelf | None] = nowhere
"""What returns the place now."""


def use(place: Callable[[], Shelf | None]) -> None:
    """Take tables from a place from now on, or put them there as soon as it is worth it; where there is none,
    they are made when they are wanted and kept in memory alone.
    """
    global where
    where = place
