"""Once: what follows from something that is never changed, worked out when it is first asked for and then
kept; and what is kept for each ruleset that asks.
"""

from __future__ import annotations

from collections import defaultdict
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


class ByRules(defaultdict[object, T]):
    """Rules -> what is kept for them, to be read and added to: never anything else than asking again would
    give. With ``most`` the one that asked first is forgotten for one too many.

    Rulesets are told apart by which object they are, and each is held for as long as something is kept for
    it, so that no other can come to be taken for it.
    """

    def __init__(self, new: Callable[[], T], most: int | None = None) -> None:
        super().__init__(new)
        self._most = most

    def __missing__(self, rules: object) -> T:
        if len(self) == self._most:
            del self[next(iter(self))]
        return super().__missing__(rules)


Answers = defaultdict[object, dict[Any, Any]]
"""What has been answered by some rules, by question: rules -> question -> answer.

A question is a tuple that begins with its name; it holds nothing but texts, numbers and values that never
change. An answer holds for the moment it was given in, so it is kept with that battle and dies with it.
"""
