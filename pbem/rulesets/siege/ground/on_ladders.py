"""On ladders: the way up and over the wall, what a figure on a ladder can do, and what can be done to it.

What the steps cost is ``ladders``; there is but one state of a ladder, so who is in its hex is at its top.
"""

from __future__ import annotations

from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.ground import ladders, terrain
from pbem.rulesets.siege.ground.ladders import HIGH_WALLS
from pbem.rulesets.siege.state.family import Bar, Covered, where_there_is
from pbem.rulesets.siege.state.field import LADDER
from pbem.rulesets.siege.state.line import Line
from pbem.rulesets.siege.state.state import Battle, Thing, Unit

Rules = Ruleset[Battle]


def on(battle: Battle, unit: Unit) -> Thing | None:
    """Return the ladder that a figure is on; None if it is on none."""
    return ladders.in_hex(battle, unit.at[0]) if unit.at else None


def goes_over(battle: Battle, here: str, there: str) -> bool:
    """Tell whether a step leads from the top of a ladder over the wall."""
    ladder = ladders.in_hex(battle, here)
    return ladder is not None and ladders.top(battle, ladder) == there


# --- the way


@rule("EN1.93a")
def in_one_go(rules: Rules, battle: Battle, unit: Unit, here: str, there: str) -> Problem | None:
    """Return that a figure climbs a ladder and steps over the wall in two turns, where the option forbids to
    do it in one; None if it may.

    Where only ordinary walls are scaled so, those count that the map does not mark as higher ones.
    """
    said = rules.setting("ladder_climb_and_cross")
    forbidden = said == "forbidden" or (
        said == "ordinary_walls_only" and there in battle.field.marks.get(HIGH_WALLS, ())
    )
    stood_on_it = here in unit.at and not battle.spent.get(unit.id)
    if not forbidden or stood_on_it or not goes_over(battle, here, there):
        return None
    names = {"unit": unit.id, "hex": there, "here": here}
    return Problem(
        "climbing.one-go", names, rule="EN1.93a", help=f"he climbs to {here} now, and steps over next turn"
    )


@where_there_is(ladders.LADDER)
def bars_of(rules: Rules, battle: Battle, unit: Unit) -> Bar | None:
    """Return what keeps a figure from stepping over a wall; None where no ladder leans against one."""
    if not ladders.upright(battle):
        return None
    return lambda here, there: in_one_go(rules, battle, unit, here, there) if here else None


@rule("S1.93g")
def advances_over(battle: Battle, here: str, there: str) -> bool:
    """Tell whether a victor on a ladder may step over the wall as his advance after combat: onto the
    battlement he faces.
    """
    return goes_over(battle, here, there)


@where_there_is(ladders.LADDER)
def bars_advance(rules: Rules, battle: Battle, unit: Unit, there: str) -> bool:
    """Tell whether a victor is on a ladder from which no advance leads to a hex."""
    ladder = on(battle, unit)
    return (
        ladder is not None
        and there == ladders.top(battle, ladder)
        and not advances_over(battle, unit.at[0], there)
    )


# --- blows


@rule("S1.74c")
@where_there_is(ladders.LADDER)
def only_the_wall(rules: Rules, battle: Battle, attacker: Unit, defender: Unit) -> Problem | None:
    """Return that a figure on a ladder attacks nobody but who is on the battlement that the ladder leans
    against; None if it may.
    """
    ladder = on(battle, attacker)
    if ladder is None or ladders.top(battle, ladder) in defender.at:
        return None
    names = {"unit": attacker.id, "target": defender.id, "hex": ladders.top(battle, ladder)}
    return Problem(
        "climbing.blows",
        names,
        rule="S1.74c",
        help=f"from the ladder he can attack only who is in {ladders.top(battle, ladder)}",
    )


@rule("S1.74c")
@where_there_is(ladders.LADDER)
def over_the_parapet(rules: Rules, battle: Battle, here: str, there: str) -> bool:
    """Tell whether blows are struck between two places across a parapet, because a ladder in one of them
    leans against the other.
    """
    return goes_over(battle, here, there) or goes_over(battle, there, here)


@rule("S1.93h")
def struck_from_below(rules: Rules, battle: Battle, here: str, there: str) -> bool:
    """Tell whether figures on the ground strike at one on a ladder: they could enter its hex, and bottom and
    top are one.
    """
    ground, target = terrain.terrain_at(rules, battle, here), terrain.terrain_at(rules, battle, there)
    return LADDER in target.traits and ground.floor == "ground" and LADDER not in ground.traits


# --- shots


@rule("S1.93c")
def only_the_faced(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> Problem | None:
    """Return that a figure on a ladder shoots at nobody, or nobody but who is on the battlement that it
    faces; None if it may.
    """
    ladder = on(battle, shooter)
    if ladder is None:
        return None
    top = ladders.top(battle, ladder)
    if rules.setting("ladder_shooting") == "false":
        return Problem(
            "climbing.no-shots",
            {"unit": shooter.id, "thing": ladder.id},
            rule="S1.93c",
            help="by the option nobody shoots from a ladder",
        )
    if top in target.at:
        return None
    return Problem(
        "climbing.shots",
        {"unit": shooter.id, "target": target.id, "hex": top},
        rule="S1.93c",
        help=f"from there he shoots into {top} only",
    )


@rule("S1.93c")
@where_there_is(ladders.LADDER)
def behind_the_wall(rules: Rules, battle: Battle, shooter: Unit, target: Unit, line: Line) -> Covered:
    """Return the cover of who is shot at from the ladder that leans against his battlement; None for all
    others.
    """
    ladder = on(battle, shooter) if battle.things else None
    return ("heavy", "S1.93c") if ladder is not None and ladders.top(battle, ladder) in target.at else None


@rule("S1.93d")
@where_there_is(ladders.LADDER)
def bare(rules: Rules, battle: Battle, shooter: Unit, target: Unit, line: Line) -> Covered:
    """Return that a target on a ladder has no cover at all, whatever a shot at it crosses; None for all
    others.
    """
    return ("none", "S1.93d") if battle.things and on(battle, target) is not None else None
