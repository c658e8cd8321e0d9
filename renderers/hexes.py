"""The measures of a hex in scene units, for all that draws: the one place where they stand.

Every drawing is made in hand's breadths: a hex has one from its middle to a corner, and so all sizes of
letters, strokes and counters are given in them. A table without hexes is laid out so that it is as many of
them wide as a map usually is (``laid``).
"""

from __future__ import annotations

import math
from typing import Final

from pbem.geometry.hex import COLUMN_PITCH as COLUMN
from pbem.geometry.hex import CORNER_REACH as REACH
from pbem.geometry.hex import ROW_PITCH as ROW

__all__ = ["COLUMN", "CORNERS", "HALF", "RADIUS", "REACH", "ROW", "SINE", "STEPS", "TIP", "across"]

RADIUS: Final = 577.35
"""From the middle of a hex to a corner, before corners are rounded to ``REACH``."""
HALF: Final = COLUMN - REACH
"""Half of a side, and how far a hex reaches beyond the beginning of the next column."""
TIP: Final = HALF // 2
"""Half of that: where a picture may be cut between two columns."""
SINE: Final = math.sqrt(3) / 2
"""From the middle of a hex to a side, in hex radii."""
CORNERS: Final = (-60, 0, 60, 120, 180, 240)
"""Where the corners lie, in degrees clockwise from the right, the one between the sides n and ne first."""
STEPS: Final = (
    (0, -ROW),
    (COLUMN, -ROW // 2),
    (COLUMN, ROW // 2),
    (0, ROW),
    (-COLUMN, ROW // 2),
    (-COLUMN, -ROW // 2),
)
"""From the centre of a hex to those round it, clockwise from the north."""


def across(count: int) -> int:
    """Return the scene units that some columns of hexes take, tip to tip."""
    return COLUMN * count + HALF
