"""Once: what follows from something that is never changed, worked out when it is first asked for and then
kept.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

from msgspec import Struct

T = TypeVar("T")


class Once(Struct, frozen=True, dict=True):
    """Something never changed, of which some things are worked out but once."""

    @cached_property
    def built(self) -> dict[str, Any]:
        """Return what ``once`` has worked out so far."""
        return {}

    def once(self, name: str, work_out: Callable[[], T]) -> T:
        """Return what follows from it alone; of a battle from map, things and features, for figures move
        about all the time.
        """
        if name not in self.built:
            self.built[name] = work_out()
        found: T = self.built[name]
        return found
