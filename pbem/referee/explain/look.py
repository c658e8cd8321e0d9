"""How a picture is asked for: names and limits alone, so that a command line can offer them without loading
what draws.
"""

from __future__ import annotations

from msgspec import Struct

THEMES = ("parchment", "print", "contrast")
"""The looks of a map, the usual one first."""
LEAST_SCALE, MOST_SCALE = 0.25, 3.0


class Look(Struct, frozen=True):
    """How a map is to be drawn: one of ``THEMES``, and how large, 1 being 1400 pixels wide."""

    theme: str = THEMES[0]
    scale: float = 1.0
