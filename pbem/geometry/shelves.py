"""Where a table that takes long to make may lie: whoever has such a place says so, before the table is wanted
or the module that makes it is there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.geometry.fan import Shelf


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
