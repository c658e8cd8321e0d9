"""At whom the sergeant lets his men shoot: what a shot promises at each target, in percent of what the target
is worth.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.bots.aims import Aims, worth
from pbem.bots.blows import suffered
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import distance
from pbem.rulesets.siege.combat import aiming, shot_odds
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.line import Aim
from pbem.rulesets.siege.state.state import Battle, Unit

Rules = Ruleset[Battle]
LOOKED_AT = 4
"""So many of the nearest enemies a shooter looks at."""
MARKED = 3
"""So many times as much a shot is worth at who stands where ladders are to lean."""


def promise(rules: Rules, battle: Battle, shooter: Unit, target: Unit, aimed: Aim) -> int:
    """Return how many percent of its worth a target loses by a shot, on the average of the die."""
    lowest, highest = rules.tables["ranges_and_modifiers"]["clamp_die"]
    _, grid = family.of(rules).shots.sheet(rules, battle, shooter, target)
    added = shot_odds.added(rules, battle, shooter, target)
    lost = 0
    for die in range(1, grid.faces + 1):
        row = shot_odds.clamped(die + added, lowest, highest)
        lost += suffered(rules, target, grid.key[grid.cell(row, aimed.cover or "none")])
    return lost // int(grid.faces)


def targets(
    rules: Rules, battle: Battle, aims: Aims, shooter: Unit, foes: Sequence[Unit]
) -> list[tuple[int, str]]:
    """Return whom a figure had best shoot at, the best first, each with what the shot promises (hundredths of
    worth).
    """
    if aiming.not_ready(rules, battle, shooter):
        return []
    here = shooter.hexes[0]
    near = sorted(foes, key=lambda foe: (aims.press not in foe.hexes, distance(here, foe.hexes[0]), foe.id))[
        :LOOKED_AT
    ]
    found = []
    for foe, aimed in aiming.targets(rules, battle, shooter, near):
        gain = (
            promise(rules, battle, shooter, foe, aimed)
            * worth(battle, aims, foe)
            * (MARKED if aims.press in foe.hexes else 1)
        )
        if gain:
            found.append((gain, foe.id))
    return sorted(found, key=lambda entry: (-entry[0], entry[1]))
