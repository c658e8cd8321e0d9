"""Roofs on wheels, rams and penthouses: which of their hexes one can be in, by which sides one gets under
them, and what they do for whoever is there.

What is peculiar to either is ``ram`` and ``penthouse``; how they are moved is ``pushing``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset
from pbem.core.sequence import parse_cursor
from pbem.geometry import sight
from pbem.geometry.hex import (
    hex_of,
    hexside,
    neighbour,
    neighbours,
    opposite,
    side_between,
    split_place,
    touching,
)
from pbem.rulesets.siege.ground import terrain
from pbem.rulesets.siege.sight import lines
from pbem.rulesets.siege.state.family import Kind
from pbem.rulesets.siege.state.line import Line
from pbem.rulesets.siege.state.state import Battle, Thing, Unit
from pbem.rulesets.siege.things import ballista, engines, rams
from pbem.rulesets.siege.turn import sequence, siege_days

Rules = Ruleset[Battle]
RAM: Final = rams.RAM
PENTHOUSE: Final = engines.PENTHOUSE
KINDS: Final = (RAM, PENTHOUSE)


# --- which hexes


def roofs(battle: Battle) -> tuple[Thing, ...]:
    """Return the rams and penthouses on the map, by id."""
    return battle.once("roofs", lambda: _roofs(battle)) if battle.things else ()


def _roofs(battle: Battle) -> tuple[Thing, ...]:
    return tuple(thing for _, thing in sorted(battle.things.items()) if thing.kind in KINDS and thing.at)


def being_built(battle: Battle) -> tuple[Thing, ...]:
    """Return the penthouses that are built day by day, by id: what was ordered by day has no phase."""
    return tuple(
        roof for roof in roofs(battle) if roof.crew and roof.struck.endswith(f".{siege_days.DAY.id}")
    )


def over(battle: Battle, place: str) -> Thing | None:
    """Return the engine under whose roof a place is; None for every other place."""
    return next((thing for thing in roofs(battle) if place in thing.at), None)


def front(engine: Thing) -> tuple[str, ...]:
    """Return the hexes of an engine that have none of its own straight ahead."""
    return tuple(hex_ for hex_ in engine.at if neighbour(hex_, engine.facing) not in engine.at)


def rear(engine: Thing) -> tuple[str, ...]:
    """Return the hexes of an engine that have none of its own straight behind."""
    back = opposite(engine.facing)
    return tuple(hex_ for hex_ in engine.at if neighbour(hex_, back) not in engine.at)


def behind(engine: Thing) -> tuple[str, ...]:
    """Return the hexes straight behind an engine."""
    back = opposite(engine.facing)
    return tuple(hex_ for inside in rear(engine) if (hex_ := neighbour(inside, back)))


def middle(engine: Thing) -> tuple[str, ...]:
    """Return the row of hexes of an engine that its front one begins."""
    found: list[str] = []
    hex_: str | None = engine.at[0]
    while hex_ in engine.at:
        found.append(str(hex_))
        hex_ = neighbour(str(hex_), opposite(engine.facing))
    return tuple(found)


def ways_in(engine: Thing) -> frozenset[tuple[str, str]]:
    """Return where one gets under an engine: a hex of it, and one outside. Both ends of a ram are open, of a
    penthouse that behind.
    """
    outside = {*behind(engine), *(rams.in_front(engine) if engine.kind == RAM else ())}
    closed = middle(engine) if engine.kind == RAM else front(engine)
    inside = [hex_ for hex_ in engine.at if hex_ not in closed]
    return frozenset((hex_, there) for hex_ in inside for there in neighbours(hex_) if there in outside)


def open_between(battle: Battle, here: str, there: str) -> bool:
    """Tell whether nothing of an engine is between two places beside each other: neither is under one, both
    are under the same, or it is open there.
    """
    one, other = over(battle, here), over(battle, there)
    if one == other:
        return True
    return (one is None or (here, hex_of(there)) in ways_in(one)) and (
        other is None or (there, hex_of(here)) in ways_in(other)
    )


def closed(battle: Battle, here: str, there: str, kind: str) -> Thing | None:
    """Return the engine of a kind whose side is between two places on the ground; None if none is."""
    if split_place(here)[1] or split_place(there)[1] or open_between(battle, here, there):
        return None
    found = (over(battle, here), over(battle, there))
    return next((thing for thing in found if thing is not None and thing.kind == kind), None)


def apart(battle: Battle, attacker: Unit, defender: Unit, kind: str) -> Thing | None:
    """Return the engine of a kind whose side is between two figures wherever they touch; None if none is."""
    if not roofs(battle):
        return None
    found = [closed(battle, here, there, kind) for here, there in touching(attacker.at, defender.at)]
    return found[0] if found and all(found) else None


def no_blows(
    battle: Battle, attacker: Unit, defender: Unit, kind: str, id_: str, help_: str
) -> Problem | None:
    """Return, by the rule of such an id, that the side of an engine of a kind is between two figures; None if
    it is not so.
    """
    engine = apart(battle, attacker, defender, kind)
    if engine is None:
        return None
    names = {"unit": attacker.id, "target": defender.id, "thing": engine.id}
    return Problem("roofs.no-blows", names, rule=id_, help=help_)


# --- shots


def through_an_end(engine: Thing, line: Line, inside: str) -> bool:
    """Tell whether a shot gets in by an open end of an engine right into a hex of it, or out of that; it does
    not where it touches a closed side of the hex too.
    """
    outside = [hex_ for hex_ in neighbours(inside) if hex_ not in engine.at]
    open_ = [hex_ for hex_ in outside if (inside, hex_) in ways_in(engine)]
    met = {*sight.sides_met(line.track)}
    through, shut = (
        {hexside(inside, side_between(inside, hex_) or "") for hex_ in hexes}
        for hexes in (open_, [hex_ for hex_ in outside if hex_ not in open_])
    )
    return not met.isdisjoint(through) and met.isdisjoint(shut)


def whole(rules: Rules, engine: Thing) -> bool:
    """Tell whether an engine is not burnt in so many hexes that it is of no more use."""
    return len(engine.burnt) < int(row(rules, "burnt", engine.kind)["hexes"])


def gone(rules: Rules, engine: Thing, hex_: str) -> bool:
    """Tell whether an engine covers nobody in a hex any more: its roof is burnt there, or, of a penthouse, in
    too many others (A5.3.5b).
    """
    return hex_ in engine.burnt or (engine.kind == PENTHOUSE and not whole(rules, engine))


def useless(rules: Rules, engine: Thing) -> bool:
    """Tell whether an engine is of no more use."""
    return not whole(rules, engine)


def kind(
    module: str,
    ground: Callable[[Battle, Thing], Mapping[str, str]],
    falls: Callable[[Rules, Play[Battle], Thing, str, str, str, int], None],
) -> Kind:
    """Return a kind of engine with a roof over its men."""
    return Kind(module, ground=ground, burns=True, drawn=True, falls=falls, useless=useless)


def same_level(rules: Rules, battle: Battle, shooter: Unit, engine: Thing) -> bool:
    """Tell whether a figure is on the level on which an engine stands."""
    levels = (terrain.terrain_at(rules, battle, place).level for place in (shooter.at[0], engine.at[0]))
    return len(set(levels)) == 1


def target_under(battle: Battle, target: Unit, line: Line) -> Thing | None:
    """Return the engine over a target, where it is shot at."""
    return over(battle, lines.place_in(target, line.end)) if battle.things else None


# --- who works


def busy(battle: Battle, unit: Unit) -> bool:
    """Tell whether a figure fights, men or a fire, in this turn, serves another engine or is at work for the
    whole turn, or was attacked since its side's last movement.
    """
    if {"fought", "put-out", ballista.SERVED} & {*unit.did} or unit.job is not None:
        return True
    if not unit.fought:
        return False
    then, now = (sequence.player_turns(battle.field, at) for at in (parse_cursor(unit.fought), battle.at))
    return then > now - len(battle.field.sides)


def row(rules: Rules, what: str, kind: str) -> Any:
    """Return what the table of engines says of a kind: ``pushed served burnt``."""
    return rules.tables["engines_anarchy"][what][kind.replace("-", "_")]


def pushed(rules: Rules, kind: str, men: int) -> int:
    """Return the movement points that so many men give an engine."""
    said = row(rules, "pushed", kind)
    if men >= said["men"]:
        return int(said["points"])
    return int(said["few_points"]) if men >= said["few_men"] else 0


def hands(battle: Battle, engine: Thing) -> list[Unit]:
    """Return the able figures of the side that plays under an engine, by its hexes."""
    side = battle.at.side
    own = (unit for unit in engines.crew(battle, engine, side) if battle.allegiance(unit) == side)
    return [unit for unit in own if unit.able and not unit.mood]


def worn(rules: Rules, engine: Thing, rule_id: str) -> Problem | None:
    """Return that an engine is burnt too far to be of use; None if it is not."""
    if whole(rules, engine):
        return None
    names: dict[str, str | int] = {"thing": engine.id, "hexes": len(engine.burnt)}
    return Problem("roofs.burnt", names, rule=rule_id)
