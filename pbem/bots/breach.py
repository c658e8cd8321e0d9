"""How the sergeant storms a breach: he gathers before it, and goes over the rubble with everybody at once, so
late that those who are in at the end cannot all be struck down.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from pbem.bots import sally, walls
from pbem.geometry.hex import distance
from pbem.rulesets.siege.state.state import Battle
from pbem.rulesets.siege.turn import siege_days

if TYPE_CHECKING:
    from pbem.bots.aims import Aims
    from pbem.bots.survey import Survey

STORM: Final = 5
"""In so many turns, the last ones, he goes over the rubble."""
NEAR, WIDE = 3, 5
"""He gathers no nearer to the rubble than the one, and no farther from it than the other, in hexes."""


def gathers(battle: Battle, aims: Aims) -> bool:
    """Tell whether a side that has points for being within a castle when an assault is over waits before a
    breach for the turn in which it storms.
    """
    storms = siege_days.planned(battle) == siege_days.ASSAULT and siege_days.besieger(battle) == aims.side
    return storms and bool(aims.last) and aims.last - battle.at.turn >= STORM and bool(walls.down(battle))


def outside(battle: Battle, side: str, reached: Mapping[str, int]) -> dict[str, int]:
    """Return those of the hexes in reach that are not within what a side's enemies hold."""
    within = {hex_ for enemy in battle.field.enemies(side) for hex_ in sally.home(battle, enemy)}
    return {hex_: cost for hex_, cost in reached.items() if hex_ not in within}


def line(survey: Survey) -> tuple[str, ...]:
    """Return where those who are to storm gather."""
    battle = survey.battle
    gaps = walls.down(battle)
    far = survey.way(gaps)
    near = (
        hex_
        for hex_ in outside(battle, survey.side, far)
        if NEAR <= min(distance(hex_, gap) for gap in gaps) <= WIDE
    )
    return tuple(sorted(near))
