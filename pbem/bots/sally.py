"""When and with whom the sergeant's garrison sallies: against an engine that is worth points when it is gone
or from which its wall is mined, as soon as those who can go are stronger than whoever is near it or near the
gate.

It is weighed anew in each turn, so that a sally which has become hopeless turns back. What is done beside the
engine, fire and blows, is done as everywhere else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from pbem.bots import arms, walls
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import distance, hex_of, neighbours
from pbem.rulesets.siege.ground.character import values
from pbem.rulesets.siege.state.state import HEALTHY, Battle, Thing, Unit

if TYPE_CHECKING:
    from pbem.bots.aims import Aims
    from pbem.bots.survey import Survey

Rules = Ruleset[Battle]
NEAR: Final = 8
"""Enemies no farther than that from an engine, or from a gate, are reckoned with."""
STRONGER: Final = 80
"""In percent of theirs, the strength with which a garrison goes out: its men are better than their sum."""
GOES_ON: Final = 50
"""With so much it goes on with a sally that has begun."""
AT_THE_GATE: Final = 3
"""A sally has begun when somebody is no farther than that from a gate."""
THERE: Final = 6
"""Who has so many points to go at most is there, and strikes whoever is."""
FEWEST: Final = 4
"""So many go at least."""
HANDS: Final = 3
"""Fewer at an engine that burns do not save it."""
STOPPED: Final = ("siege-tower", "ram", "penthouse")
"""What is stopped at the wall; mangonels throw from afar."""
BURNING: Final = ("fire", "burnt")


def target(rules: Rules, battle: Battle, aims: Aims) -> str:
    """Return the engine that a garrison had best sally against, the one nearest to its walls; empty where it
    is too weak for all of them, they are gone, or no wall is to be kept standing.
    """
    if not aims.bars:
        return ""
    there = [battle.things[id_] for id_ in sorted(aims.ruin) if id_ in battle.things]
    guards = {
        thing.id: guarded(rules, battle, aims.side, thing)
        for thing in there
        if thing.at and not doomed(battle, thing)
    }
    men = [unit for unit in battle.units.values() if goes(rules, battle, aims, unit)]
    ours = sum(values(rules, battle, unit).attack for unit in men)
    least = needed(battle, aims.side, men)
    weak = [id_ for id_, theirs in guards.items() if ours * 100 >= theirs * least]
    tops = aims.walls or tuple(battle.field.ground)
    far = {id_: min(distance(battle.things[id_].at[0], top) for top in tops) for id_ in weak}
    return min(weak, key=lambda id_: (far[id_], id_), default="") if len(men) >= FEWEST else ""


def engines(battle: Battle, aims: Aims) -> list[Thing]:
    """Return the engines that a garrison has to stop before they bring down a wall that it is to keep."""
    known = (battle.things[id_] for id_ in sorted(aims.ruin) if id_ in battle.things)
    return [thing for thing in known if thing.kind in STOPPED and thing.at] if aims.bars else []


def goes(rules: Rules, battle: Battle, aims: Aims, unit: Unit) -> bool:
    """Tell whether a figure may go on a sally: a sound man of arms whom nobody has points for."""
    if unit.side != aims.side or unit.state != HEALTHY or unit.kind != "man" or unit.id in aims.spared:
        return False
    return unit.able and bool(unit.at) and not arms.shoots(rules, battle, unit)


def needed(battle: Battle, side: str, men: Sequence[Unit]) -> int:
    """Return the strength that is asked for, in percent of the enemies': less when some are out already, or
    at the gate.
    """
    inside, leaves = home(battle, side), gates(battle, side)
    at = [unit.hexes[0] for unit in men]
    begun = any(
        hex_ not in inside or any(distance(hex_, leaf) <= AT_THE_GATE for leaf in leaves) for hex_ in at
    )
    return GOES_ON if begun else STRONGER


def home(battle: Battle, side: str) -> frozenset[str]:
    """Return where a side begins: what it holds."""
    marks = {force.within for force in battle.field.forces if force.side == side and force.within}
    return frozenset(hex_ for mark in marks for hex_ in battle.field.marks[mark])


def gates(battle: Battle, side: str) -> tuple[str, ...]:
    """Return the hexes of the gates that lead out of what a side holds."""
    inside = home(battle, side)
    leaves = (hex_ for fixture in battle.field.fixtures.values() if fixture.leaf for hex_ in fixture.hexes)
    return tuple(hex_ for hex_ in leaves if not inside.issuperset(neighbours(hex_)))


def doomed(battle: Battle, engine: Thing) -> bool:
    """Tell whether an engine burns, and hardly anybody of its side is left under it or beside it to put it
    out.
    """
    if not any((hex_, is_) in battle.features for hex_ in engine.at for is_ in BURNING):
        return False
    near = {hex_ for at in engine.at for hex_ in (at, *neighbours(at))}
    hands = (battle.units[id_] for hex_ in near for id_ in battle.living_in.get(hex_, ()))
    return len({unit.id for unit in hands if unit.able and unit.side == engine.side}) < HANDS


def guarded(rules: Rules, battle: Battle, side: str, engine: Thing) -> int:
    """Return the attack strength of the enemies near an engine or near a gate."""
    return strength(rules, battle, side, (*engine.at, *gates(battle, side)))


def strength(rules: Rules, battle: Battle, side: str, places: Sequence[str]) -> int:
    """Return the attack strength of the enemies near some places."""
    return sum(
        values(rules, battle, unit).attack
        for unit in battle.units.values()
        if unit.able
        and unit.at
        and battle.allegiance(unit) != side
        and any(distance(hex_of(unit.at[0]), place) <= NEAR for place in places)
    )


def beside(battle: Battle, id_: str) -> tuple[str, ...]:
    """Return the hexes beside an engine, from which it is set on fire."""
    at = battle.things[id_].at
    ground = battle.field.ground
    around = {near for hex_ in at for near in neighbours(hex_)} - {*at}
    return tuple(sorted(hex_ for hex_ in around if hex_ in ground and ground[hex_].floor == "ground"))


def parties(survey: Survey, aims: Aims) -> Mapping[str, str]:
    """Return who goes, and against which engine: the nearest men of arms, as many as are stronger than the
    guards; those who are left go against another engine, as long as every wall stands, if they are enough.
    """
    if not aims.sally:
        return {}
    rules, battle = survey.rules, survey.battle
    men = [unit for unit in survey.own if goes(rules, battle, aims, unit)]
    percent = needed(battle, aims.side, men)
    engine = battle.things[aims.sally]
    found = dict.fromkeys(
        party(survey, men, engine, guarded(rules, battle, aims.side, engine) * percent), engine.id
    )
    for id_ in sorted(aims.ruin - {engine.id}) if found and not walls.down(battle) else ():
        other = battle.things.get(id_)
        if other is not None and other.at and not doomed(battle, other):
            left = [unit for unit in men if unit.id not in found]
            guards = strength(rules, battle, aims.side, other.at) * STRONGER
            found |= dict.fromkeys(party(survey, left, other, guards), id_)
    return found


def party(survey: Survey, men: Sequence[Unit], engine: Thing, wanted: int) -> frozenset[str]:
    """Return the nearest of some men to an engine who have so much strength together, in hundredths; nobody
    where all of them have not.
    """
    way = survey.way(beside(survey.battle, engine.id))
    near = sorted(
        (unit for unit in men if unit.hexes[0] in way), key=lambda unit: (way[unit.hexes[0]], unit.id)
    )
    found: list[Unit] = []
    for unit in near:
        if wanted <= 0 and len(found) >= FEWEST:
            break
        found.append(unit)
        wanted -= 100 * survey.values[unit.id].attack
    enough = wanted <= 0 and len(found) >= FEWEST
    return frozenset(unit.id for unit in found) if enough else frozenset()


def going(survey: Survey, aims: Aims) -> frozenset[str]:
    """Return who of those who go is not near his engine yet."""
    at = survey.battle.units
    ways = {
        id_: survey.way(beside(survey.battle, engine)).get(at[id_].hexes[0], 0)
        for id_, engine in parties(survey, aims).items()
    }
    return frozenset(id_ for id_, points in ways.items() if points > THERE)
