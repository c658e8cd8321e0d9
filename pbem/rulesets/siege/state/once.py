"""Once: what follows from something that is never changed, worked out when it is first asked for and then
kept; and what is kept for each ruleset that asks.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Final, Generic, TypeVar

from msgspec import Struct

T = TypeVar("T")
_NOBODY: Final = object()
"""Asks nothing."""


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


class ByRules(Generic[T]):
    """What is kept for each ruleset that asks, told apart by which object it is; never anything else than
    asking again would give. With ``most`` the one that asked first is forgotten for one too many.

    A ruleset is held for as long as something is kept for it, so that no other can come to be taken for it.
    """

    __slots__ = ("_asking", "_found", "_kept", "_most", "_new")

    def __init__(self, new: Callable[[], T], most: int | None = None) -> None:
        self._new = new
        self._most = most
        self._kept: list[tuple[object, T]] = []
        self._asking = _NOBODY
        """Who asked last, as mostly asks the next time too, and what is kept for him."""

    def of(self, rules: object) -> T:
        """Return what is kept for some rules, to be read and added to."""
        if rules is not self._asking:
            self._found = self._searched(rules)
            self._asking = rules
        return self._found

    def _searched(self, rules: object) -> T:
        for asking, found in self._kept:
            if asking is rules:
                return found
        if self._most is not None and len(self._kept) == self._most:
            del self._kept[0]
        self._kept.append((rules, self._new()))
        return self._kept[-1][1]


Answers = ByRules[dict[Any, Any]]
"""What has been answered by some rules, by question.

A question is a tuple that begins with its name; it holds nothing but texts, numbers and values that never
change. An answer holds for the moment it was given in, so it is kept with that battle and dies with it.
"""
