"""Penthouses: a roof on wheels, open behind, under which eight walk and three more work at a wall.

What is dug from under one is another matter; how it is moved is ``pushing``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import neighbour
from pbem.rulesets.anarchy import roof_fire, roofs, siege_tower
from pbem.rulesets.siege.ground import terrain
from pbem.rulesets.siege.state.family import Covered, where_there_is
from pbem.rulesets.siege.state.field import FILLED
from pbem.rulesets.siege.state.line import Line
from pbem.rulesets.siege.state.state import Battle, Thing, Unit
from pbem.rulesets.siege.things import battering

Rules = Ruleset[Battle]
PENTHOUSE: Final = roofs.PENTHOUSE
EAVES: Final = "penthouse_eaves"


# --- under it


@rule("A5.3.3a")
def at_the_wall(battle: Battle, engine: Thing) -> bool:
    """Tell whether the front of a penthouse rests against a wall, so that there is work under its front."""
    before = (neighbour(hex_, engine.facing) for hex_ in roofs.front(engine))
    return any(
        hex_ and battering.kind_of(battle, hex_) and (hex_, battering.RUBBLE) not in battle.features
        for hex_ in before
    )


@rule("A5.3.3a")
def ground(battle: Battle, engine: Thing) -> Mapping[str, str]:
    """Return the ground under a penthouse, of which the front is closed away from walls; where one is
    burnt too far the ground is what it was.
    """
    if spent(battle, engine):
        return {}
    front = () if at_the_wall(battle, engine) else roofs.front(engine)
    return {**dict.fromkeys(engine.at, PENTHOUSE), **dict.fromkeys(front, EAVES)}


@rule("A5.3.5b")
def spent(battle: Battle, engine: Thing) -> bool:
    """Tell whether a penthouse is burnt in so many hexes that it protects nobody anywhere."""
    burnt = battle.field.floors[siege_tower.TOWER].sheets[siege_tower.ENGINES]["burnt"]
    return len(engine.burnt) >= int(burnt[PENTHOUSE]["hexes"])


@rule("A5.3.1")
@where_there_is(PENTHOUSE)
def by_its_rear(rules: Rules, battle: Battle, unit: Unit, here: str, there: str) -> Problem | None:
    """Return that the side of a penthouse is between two places, for it is open behind alone; None where none
    is.
    """
    engine = roofs.closed(battle, here, there, PENTHOUSE)
    if engine is None or spent(battle, engine):
        return None
    names = {"unit": unit.id, "thing": engine.id, "here": here, "there": there}
    help_ = f"it is open behind: {' '.join(roofs.rear(engine))}"
    return Problem("roofs.side", names, rule="A5.3.1", help=help_)


@rule("A5.3.1", "A5.3.4")
@where_there_is(PENTHOUSE)
def cover(rules: Rules, battle: Battle, shooter: Unit, target: Unit, line: Line) -> Covered:
    """Return the cover of who is under a penthouse: none against a shot from behind into its three last
    hexes, total against all others, as long as the roof is there; total cover of who is elsewhere from who is
    under one and does not shoot out behind; None of all others.
    """
    engine = roofs.target_under(battle, target, line)
    if engine is None or engine.kind != PENTHOUSE:
        return past_its_sides(battle, shooter, line)
    if roofs.gone(rules, engine, line.end):
        return "none", "A5.3.5b"
    return ("none" if roofs.through_an_end(engine, line, line.end) else "infinite"), "A5.3.1"


@rule("A5.3.4")
def past_its_sides(battle: Battle, shooter: Unit, line: Line) -> Covered:
    """Return that a shot from under a penthouse does not leave it but by the rear; None of other shots."""
    engine = roofs.over(battle, shooter.at[0]) if shooter.at else None
    if engine is None or engine.kind != PENTHOUSE or spent(battle, engine):
        return None
    return None if roofs.through_an_end(engine, line, line.start) else ("infinite", "A5.3.4")


@rule("A5.3.4")
@where_there_is(PENTHOUSE)
def shoots_out(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> Problem | None:
    """Return that who is under a penthouse shoots from its three last hexes alone; None of who is there, or
    elsewhere.
    """
    engine = roofs.over(battle, shooter.at[0]) if shooter.at else None
    if engine is None or engine.kind != PENTHOUSE or spent(battle, engine):
        return None
    if shooter.at[0] in roofs.rear(engine):
        return None
    names = {"unit": shooter.id, "target": target.id, "thing": engine.id}
    return Problem("penthouse.no-shot", names, rule="A5.3.4", help=f"from {' '.join(roofs.rear(engine))}")


@rule("A5.3.1")
@where_there_is(PENTHOUSE)
def no_blows(rules: Rules, battle: Battle, attacker: Unit, defender: Unit) -> Problem | None:
    """Return that the side of a penthouse is between two figures; None if it is not so, or it is burnt too
    far to protect anybody.
    """
    engine = roofs.apart(battle, attacker, defender, PENTHOUSE)
    if engine is None or spent(battle, engine):
        return None
    return roofs.no_blows(battle, attacker, defender, PENTHOUSE, "A5.3.1", "behind it they could")


# --- who pushes it, and where


@rule("A5.3.2a")
def points(rules: Rules, men: int) -> int:
    """Return the movement points that so many men give a penthouse."""
    return roofs.pushed(rules, PENTHOUSE, men)


@rule("A5.3.2d")
def free(battle: Battle, crew: Sequence[Unit]) -> list[Unit]:
    """Return who of those under a penthouse pushes it: nobody who fights or is at anything else."""
    return [unit for unit in crew if not roofs.busy(battle, unit)]


@rule("A5.3.2c")
def not_there(rules: Rules, battle: Battle, engine: Thing, at: Sequence[str]) -> Problem | None:
    """Return that a penthouse does not roll over filled moats, as a tower or a ram does; None over other
    ground.
    """
    new = (hex_ for hex_ in at if hex_ not in engine.at)
    hex_ = next((hex_ for hex_ in new if FILLED in terrain.terrain_at(rules, battle, hex_).traits), "")
    if not hex_:
        return None
    names = {"thing": engine.id, "hex": hex_}
    return Problem("penthouse.moat", names, rule="A5.3.2c", help="it serves against walls without a moat")


@rule("A5.3.3a")
def at_work_in_front(battle: Battle, engine: Thing) -> Problem | None:
    """Return that somebody is under the front of a penthouse, which is not moved then; None if nobody is."""
    found = sorted(id_ for hex_ in roofs.front(engine) for id_ in battle.living_in.get(hex_, ()))
    if not found:
        return None
    names = {"thing": engine.id, "unit": found[0]}
    return Problem("penthouse.front", names, rule="A5.3.3a", help=f"{found[0]} moves first, in a line above")


@rule("A5.3.5b")
def burnt(rules: Rules, engine: Thing) -> Problem | None:
    """Return that so much of a penthouse is burnt that it does not move; None if it does."""
    return roofs.worn(rules, engine, "A5.3.5b")


KINDS: Final = {PENTHOUSE: replace(roofs.kind("works", ground, roof_fire.lose), stays=True)}
