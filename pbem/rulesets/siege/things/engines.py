"""Engines that men work from within, siege towers and rams: which hexes they cover, who works them, and where
they begin.

How they are moved is ``driving``; what is peculiar to either is ``towers`` and ``rams``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import SIDES, neighbour, neighbours, side_number, touching
from pbem.rulesets.siege.ground import terrain, towers
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.events import ThingChanged
from pbem.rulesets.siege.state.family import where_there_is
from pbem.rulesets.siege.state.field import EVEN, MOAT, Terrain
from pbem.rulesets.siege.state.state import Battle, Thing, Unit
from pbem.rulesets.siege.things import rams

Rules = Ruleset[Battle]

PENTHOUSE: Final = "penthouse"
KINDS: Final = (towers.TOWER, rams.RAM, PENTHOUSE)
REACH: Final = (
    "from inside one fights those on the ground, from a platform those on it and on the battlements beside it"
)


def row(rules: Rules, kind: str) -> Any:
    """Return what is known of a kind of engine."""
    return rules.tables[family.of(rules).footprints]["rows"][kind]


@rule("S2.4a")
def footprint(rules: Rules, kind: str, front: str, facing: str) -> tuple[str, ...]:
    """Return the hexes that an engine covers, of Siege three, the front one first; none where one of them
    would have no number.
    """
    found: list[str] = []
    for turns in row(rules, kind)["hexes"]:
        hex_: str | None = front
        for turn in turns:
            hex_ = neighbour(hex_, SIDES[(side_number(facing) + turn) % 6]) if hex_ else None
        if hex_ is None:
            return ()
        found.append(hex_)
    return tuple(found)


def on_the_map(battle: Battle) -> tuple[Thing, ...]:
    """Return the engines of these kinds that stand on the map, by id."""
    if not battle.things:
        return ()
    return battle.once(
        "engines",
        lambda: tuple(thing for thing in battle.things.values() if thing.kind in KINDS and thing.at),
    )


def within(battle: Battle, engine: Thing) -> list[Unit]:
    """Return the living figures inside an engine, from its front to its back; those on a platform are above
    it.
    """
    return [battle.units[battle.standing_at[place]] for place in engine.at if place in battle.standing_at]


def crew(battle: Battle, engine: Thing, side: str) -> list[Unit]:
    """Return the figures of a side inside an engine: whoever has three men in it works it."""
    return [unit for unit in within(battle, engine) if unit.side == side]


def works(battle: Battle, seat: str, thing: Thing) -> bool:
    """Tell whether men of a seat are inside an engine, whosever it was."""
    return thing.kind in KINDS and any(unit.owner == seat for unit in within(battle, thing))


def not_yours(battle: Battle, seat: str, engine: Thing) -> Problem | None:
    """Return that a seat does not order an engine about, because men of another seat of its side work it;
    None if it may.
    """
    other = next((unit for unit in crew(battle, engine, battle.at.side) if unit.owner != seat), None)
    if other is None:
        return None
    names = {"thing": engine.id, "unit": other.id, "seat": other.owner}
    return Problem(
        "engines.not-yours",
        names,
        rule="S1.2c",
        help=f"{other.owner} orders it, or three men of yours take its place",
    )


# --- where they begin


@rule("S2.41c")
def not_at_the_edge(battle: Battle, engine: Thing, at: Sequence[str]) -> Problem | None:
    """Return that an engine begins at the edge of the map, whichever its side likes; None if one of its hexes
    lies there.
    """
    around = [[beside for beside in neighbours(hex_) if beside in battle.field.ground] for hex_ in at]
    if any(len(beside) < 6 for beside in around):
        return None
    help_ = "one of its hexes must lie at the edge, whichever it is; it may face any side"
    return Problem("engines.edge", {"thing": engine.id, "hexes": " ".join(at)}, rule="S2.41c", help=help_)


def cannot_stand(rules: Rules, battle: Battle, engine: Thing, at: Sequence[str]) -> Problem | None:
    """Return why an engine cannot be placed in some hexes; None if it can."""
    for hex_ in at:
        if hex_ not in battle.field.ground:
            return Problem("engines.off-map", {"thing": engine.id, "hex": hex_})
        if problem := uneven(rules, battle, engine, hex_) or held(battle, engine, hex_):
            return problem
    return None


@rule("S2.41e")
def uneven(rules: Rules, battle: Battle, engine: Thing, hex_: str) -> Problem | None:
    """Return that an engine stands and moves on flat ground and filled moats alone; None where it can."""
    ground = terrain.terrain_at(rules, battle, hex_)
    if hex_ in engine.at or EVEN in ground.traits:
        return None
    names = {"thing": engine.id, "hex": hex_, "terrain": ground.title}
    return over_the_moat(names, ground) or Problem(
        "engines.ground", names, rule="S2.41e", help="only flat ground and filled moats"
    )


@rule("S2.2b")
def over_the_moat(names: Mapping[str, str], ground: Terrain) -> Problem | None:
    """Return that an engine gets over a moat, and so up to the wall, only where it is filled; None of any
    other ground.
    """
    if MOAT not in ground.traits:
        return None
    return Problem(
        "engines.ground", names, rule="S2.2b", help="the besieger fills moat in the setup: fill HEX"
    )


def held(battle: Battle, engine: Thing, hex_: str) -> Problem | None:
    """Return who or what is in the way of an engine: a figure that is not in it, or a thing; None if nothing
    is.
    """
    if hex_ in engine.at:
        return None
    others = battle.living_in.get(hex_, ())
    things = (thing.id for thing in battle.things.values() if thing.id != engine.id and hex_ in thing.at)
    other = next(iter((*others, *things)), "")
    if not other:
        return None
    names = {"thing": engine.id, "hex": hex_, "other": other}
    return Problem("engines.held", names, rule="S2.41e", help=_out_of_the_way(battle, engine, other))


def _out_of_the_way(battle: Battle, engine: Thing, other: str) -> str:
    """Return how that gets out of the way of an engine which is in it."""
    if other not in battle.units:
        return f"{other} must be gone from there first"
    if battle.allegiance(battle.units[other]) == engine.side:
        return f"{other} moves first, in a line above"
    return f"it rolls over nobody: drive {other} away first"


# --- blows


@where_there_is(*KINDS)
def no_blows(rules: Rules, battle: Battle, attacker: Unit, defender: Unit) -> Problem | None:
    """Return that two figures do not fight, because one is in or on an engine and out of the other's reach;
    None if it is not so.
    """
    if not on_the_map(battle):
        return None
    ways = touching(attacker.at, defender.at)
    if not ways or not any(in_an_engine(battle, place) for way in ways for place in way):
        return None
    if any(_blows(rules, battle, here, there) for here, there in ways):
        return None
    return Problem(
        "engines.no-blows", {"unit": attacker.id, "target": defender.id}, rule="S2.45f", help=REACH
    )


def in_an_engine(battle: Battle, place: str) -> bool:
    """Tell whether a place is in or on a siege tower or a ram."""
    there = (engine for engine in on_the_map(battle) if engine.kind != PENTHOUSE)
    return any(place in engine.at or place in towers.platform(engine) for engine in there)


def _blows(rules: Rules, battle: Battle, here: str, there: str) -> bool:
    """Tell whether blows are struck between two places that touch, one of them in or on an engine."""
    return (
        towers.across_to_the_wall(rules, battle, here, there)
        or towers.on_one_platform(battle, here, there)
        or towers.on_the_ground(rules, battle, here, there)
        or rams.fights_around(battle, here, there)
    )


# --- what melee does to their work


@where_there_is(*KINDS)
def crew_fought(rules: Rules, play: Play[Battle], units: Sequence[Unit], cause: int) -> None:
    """Note, of every engine, that some of those inside it have taken part in a combat."""
    for engine in on_the_map(play.state):
        if any(place in engine.at for unit in units for place in unit.at):
            play.happen(ThingChanged(engine.id, crew_fought=str(play.state.at), rule="S2.41d", cause=cause))
