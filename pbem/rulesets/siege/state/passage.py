"""A passage: one step that a thing makes possible.

Which there are is told where the thing belongs, all of them by ``passages``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Passage:
    """A step that a thing makes possible: what it costs, which thing it is, and the rule that says so."""

    cost: int
    by: str
    rule: str


Ways = Mapping[tuple[str, str], Passage]
"""(place, place beside it) -> the passage from the one to the other."""
