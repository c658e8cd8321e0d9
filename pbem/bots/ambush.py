"""Who lies in wait: as long as no enemy is near, those in hiding are given no orders, and nobody knows of
them.
"""

from __future__ import annotations

from typing import Final

from pbem.bots.survey import Survey
from pbem.geometry.hex import distance

SPRUNG: Final = 6
"""An enemy so near to one of them brings them all out."""


def lies(survey: Survey) -> frozenset[str]:
    """Return which of a side's figures lie still in this turn: all who hide, or none."""
    hidden = [unit for unit in survey.own if unit.hides]
    foes = [foe for foe in survey.foes if foe.kind == "man"]
    near = any(distance(unit.hexes[0], foe.hexes[0]) <= SPRUNG for unit in hidden for foe in foes)
    return frozenset() if near else frozenset(unit.id for unit in hidden)
