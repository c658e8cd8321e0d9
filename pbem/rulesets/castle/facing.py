"""Where somebody is to look, as players write it: degrees, a direction, a name."""

from __future__ import annotations

from typing import Final

from pbem.geometry.plane import TURN
from pbem.rulesets.castle.arcs import toward
from pbem.rulesets.castle.state import Figure, War

COMPASS: Final = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
"""Directions as they are written; n leads away from the castle's own edge, along y."""
FACINGS: Final = f"{', '.join(COMPASS)}, degrees, or a name"
"""What a facing may be, as a help says it."""
DEGREE: Final = TURN // 360


def compass(word: str) -> int | None:
    """Return a direction in tenths of a degree; None for a word that is none."""
    return COMPASS.index(word) * (TURN // len(COMPASS)) if word in COMPASS else None


def turned(said: str) -> int | None:
    """Return the facing that degrees or a direction say; None for a word that says neither."""
    if said.isdecimal():
        return int(said) * DEGREE % TURN if int(said) * DEGREE <= TURN else None
    return compass(said)


def facing_of(war: War, one: Figure | None, said: str) -> int | None:
    """Return where somebody looks who is told so: ``90``, ``ne``, the name of somebody; None where it says
    nothing.
    """
    found = turned(said)
    if found is None and one is not None and war.knows(said):
        return toward(one.at, war.one(said).at)
    return found


def in_words(tenths: int) -> str:
    """Return a facing in whole degrees, or tenths where it is not one."""
    whole, rest = divmod(tenths % TURN, DEGREE)
    return f"{whole}.{rest}" if rest else str(whole)
