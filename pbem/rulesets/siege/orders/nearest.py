"""What would have been right where somebody named a wrong hex: in words, the hexes nearest to the one that he
named.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from pbem.geometry.hex import distance, hex_of

SHOWN: Final = 12


def told(title: str, hexes: Collection[str], wanted: str) -> str:
    """Return the hexes of something in words: all of them where they are few, else those nearest to a hex
    that is none of them.
    """
    if len(hexes) <= SHOWN:
        return f"{title}: {' '.join(sorted(hexes))}"
    near = sorted(hexes, key=lambda hex_: (distance(hex_of(hex_), hex_of(wanted)), hex_))[:SHOWN]
    return f"{title}, the nearest of {len(hexes)}: {' '.join(near)}"
