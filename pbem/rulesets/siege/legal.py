"""Every legal atomic order of a seat in the open phase: one figure and one deed, lazily and always in the same order.

For movement each hex in reach, for shooting each target, for melee each attack of one on one, one on several of those beside him, and two
on one; placing for the setup. Whether an order is legal is asked of the checks of the ruleset; here is only what to ask them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import neighbours
from pbem.rulesets.siege import movement, sequence, setup
from pbem.rulesets.siege.conditions import problems
from pbem.rulesets.siege.orders import Act, Attack, Move, Order, Place, Shoot
from pbem.rulesets.siege.state import Battle, Unit

Rules = Ruleset[Battle]
SEVERAL = 3
"""So many enemies are listed in one attack at most."""


def legal(rules: Rules, battle: Battle, seat: str) -> Iterator[Order]:
    """Yield every legal atomic order of a seat in the open phase; nothing where the seat has nothing to order."""
    if seat not in sequence.seats_to_order(rules, battle):
        return
    own = [unit for id_, unit in sorted(battle.units.items()) if unit.owner == seat]
    match battle.at.phase:
        case "setup":
            yield from _placings(rules, battle, seat)
        case "movement":
            for unit in own:
                yield from _moves(rules, battle, seat, unit)
        case "melee":
            yield from _attacks(rules, battle, seat, own)
        case _:
            for unit in own:
                yield from _shots(rules, battle, seat, unit)


def _stands(rules: Rules, battle: Battle, kind: str, seat: str, order: Order) -> bool:
    return next(problems(rules, battle, kind, seat, order), None) is None


def _placings(rules: Rules, battle: Battle, seat: str) -> Iterator[Order]:
    for force in setup.waiting(battle):
        for hex_ in setup.region(battle, force):
            order = Place(force.id, (hex_,))
            if _stands(rules, battle, "place", seat, order):
                yield order


def _moves(rules: Rules, battle: Battle, seat: str, unit: Unit) -> Iterator[Order]:
    if movement.time_to_move(rules, battle, unit):
        return
    force = next((force for force in battle.field.forces if force.id == unit.id), None)
    if not unit.at:
        mark = force.within or battle.field.side(unit.side).enters if force is not None and force.enters else ""
        for hex_ in battle.field.marks[mark] if mark else ():
            order: Order = Act("enter", (unit.id,), by=(hex_,))
            if _stands(rules, battle, "act", seat, order):
                yield order
        return
    reached = movement.reach(rules, battle, unit, movement.points(rules, battle, unit))
    for place in reached:
        if place != unit.at[0]:
            yield Move(unit.id, (place,))
    for place in reached:
        order = Act("leave", (unit.id,), by=(place,))
        if _stands(rules, battle, "act", seat, order):
            yield order


def _shots(rules: Rules, battle: Battle, seat: str, unit: Unit) -> Iterator[Order]:
    if sequence.may_shoot(rules, battle, unit, battle.at.phase):
        return
    for target in _enemies(battle, unit):
        order = Shoot(unit.id, (target,))
        if _stands(rules, battle, "shoot", seat, order):
            yield order


def _attacks(rules: Rules, battle: Battle, seat: str, own: list[Unit]) -> Iterator[Order]:
    near = {unit.id: _beside(battle, unit) for unit in own if unit.at and sequence.may_fight(rules, battle, unit) is None}
    for id_, enemies in near.items():
        for count in range(1, SEVERAL + 1):
            for targets in combinations(enemies, count):
                order = Attack((id_,), targets)
                if _stands(rules, battle, "attack", seat, order):
                    yield order
    for pair in combinations(near, 2):
        for target in near[pair[0]]:
            order = Attack(pair, (target,))
            if target in near[pair[1]] and _stands(rules, battle, "attack", seat, order):
                yield order


def _beside(battle: Battle, unit: Unit) -> list[str]:
    """Return the enemies in the hexes next to a figure, by id."""
    around = {hex_ for place in unit.hexes for hex_ in neighbours(place)}
    return [id_ for id_ in _enemies(battle, unit) if around & set(battle.units[id_].hexes)]


def _enemies(battle: Battle, unit: Unit) -> list[str]:
    return [id_ for id_, other in sorted(battle.units.items()) if other.side != unit.side and other.living]
