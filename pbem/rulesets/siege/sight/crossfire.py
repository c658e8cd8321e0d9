"""Crossfire: a man in a doorway who can be shot at from both its sides, and which of them he shelters from.

The owner decides before he is shot at; what the shelter is worth is ``cover``.
"""

from __future__ import annotations

from typing import Final

from pbem.core.play import Play
from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.ground import doorways
from pbem.rulesets.siege.ground.character import person
from pbem.rulesets.siege.ground.doorways import INSIDE, OUTSIDE
from pbem.rulesets.siege.ground.terrain import closed
from pbem.rulesets.siege.orders import choices
from pbem.rulesets.siege.sight import crests, line_of_fire, lines
from pbem.rulesets.siege.state.state import Battle, Unit
from pbem.rulesets.siege.turn import sequence

Rules = Ruleset[Battle]
ABOUT: Final = "doorway"


def doorway_of(battle: Battle, unit: Unit) -> str:
    """Return the hex of a figure that is a doorway, gateway or window; empty if none is."""
    return next((hex_ for hex_ in lines.stands_in(battle, unit) if hex_ in battle.field.openings), "")


def sides(rules: Rules, battle: Battle, target: Unit) -> dict[str, int]:
    """Return how many enemies who may shoot in the open phase have a line to a figure in a doorway, from its
    inside and its outside.
    """
    doorway = doorway_of(battle, target)
    found = {INSIDE: 0, OUTSIDE: 0}
    for shooter in battle.units.values():
        if (
            sequence.is_active(rules, battle, shooter)
            and battle.foes(shooter, target)
            and (before := _from(rules, battle, shooter, target))
        ):
            found[doorways.way_in(battle, doorway, before)] += 1
    return found


def _from(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> str:
    """Return the hex by which a shot comes into the target's hex, whatever cover he has there; empty if none
    can.
    """
    if not shooter.able or sequence.may_shoot(rules, battle, shooter, battle.at.phase) is not None:
        return ""
    bands = rules.tables["ranges_and_modifiers"]["weapons"][person(battle, shooter).missile]["bands"]
    for line in lines.open_lines(rules, battle, shooter, target):
        reached = line.range <= bands[-1][-1] and not any(closed(battle, key) for key in line.sides)
        barred = line_of_fire.obstacles(rules, battle, shooter, target, line, "short", "none")
        if reached and not barred and not crests.why_not(rules, battle, shooter, target, line):
            return (line.start, *line.track.crossed)[-1]
    return ""


def sheltered(rules: Rules, battle: Battle, target: Unit) -> str:
    """Return the side that a figure in a doorway shelters from, ``inside`` or ``outside``; empty where it is
    not in a crossfire.

    What was settled in this phase stays; before that it is what the standing instructions say, else the side
    with more shooters.
    """
    if target.shelter:
        return target.shelter
    counted = sides(rules, battle, target)
    if not all(counted.values()):
        return ""
    said = choices.instruction(battle, target.id, ABOUT)
    return said if said in counted else default(counted)


def default(counted: dict[str, int]) -> str:
    """Return the side with more shooters, ties outside."""
    return INSIDE if counted[INSIDE] > counted[OUTSIDE] else OUTSIDE


def settle(rules: Rules, play: Play[Battle], target: Unit) -> bool:
    """Let the owner of a figure in a crossfire choose its sheltered side, once a phase; tell whether he has
    chosen now.
    """
    battle = play.state
    if target.shelter or not doorway_of(battle, target):
        return False
    counted = sides(rules, battle, target)
    if not all(counted.values()):
        return False
    usual = default(counted)
    choices.pick(
        rules,
        play,
        about=ABOUT,
        unit=target.id,
        choices=(INSIDE, OUTSIDE),
        default=usual,
        rule="S1.53b",
        why=f"{counted[INSIDE]} can shoot from inside, {counted[OUTSIDE]} from outside",
        wanted=lambda said: usual if said == "most" else said,
    )
    return True
