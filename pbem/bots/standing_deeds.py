"""What the sergeant orders for those who stay where they are: deeds that take the whole turn, shots of
engines, blows of rams and of those on ladders and platforms.

Each is tried against the rules as things stand; how people and things are moved is ``siegecraft``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from pbem.bots import walls
from pbem.bots.aims import Aims
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import distance, hex_of, neighbours
from pbem.rulesets.anarchy import oil_reach, siege_tower
from pbem.rulesets.siege.ground import ladders
from pbem.rulesets.siege.ground.character import values
from pbem.rulesets.siege.judge import legal as legal_deeds
from pbem.rulesets.siege.orders import grammar
from pbem.rulesets.siege.orders.conditions import first_wrong, stands
from pbem.rulesets.siege.state.orders import Act, Attack, FireEngine, Order
from pbem.rulesets.siege.state.state import Battle, Thing, Unit
from pbem.rulesets.siege.things import ballista, bombardment, fire_by_hand, names, toppling
from pbem.rulesets.siege.turn import sequence

Rules = Ruleset[Battle]
WATCH: Final = 3
"""So many men fight the fire in a tower."""
BURNT: Final = 4
"""An engine that oil may set on fire is worth as much as so many whom it meets beside its aim."""


def legal(rules: Rules, battle: Battle, seat: str, order: Order, kind: str = "act") -> bool:
    """Tell whether an order's rules are in force and it is legal as things are now."""
    return names.not_in_force(rules, order) is None and stands(rules, battle, kind, seat, order)


# --- what takes a man his whole turn


def stands_fast(
    rules: Rules, battle: Battle, aims: Aims, seat: str, mine: Sequence[Unit]
) -> Iterator[tuple[str, str]]:
    """Yield who does something in the melee phase for which he neither shoots nor moves before, and its
    sentence; the best for each.
    """
    if not battle.things and not aims.burn and not battle.features:
        return
    then = battle.changed(at=replace(battle.at, phase=sequence.MELEE))
    two = dict(by_two(rules, then, seat, mine))
    yield from two.items()
    watch = 0
    for unit in mine:
        if unit.id in two:
            continue
        found = [
            (value, grammar.say(rules, order), order.do)
            for value, order in _standing_deeds(rules, then, aims, unit)
            if legal(rules, then, seat, order)
        ]
        _, sentence, do = max(found, default=(0, "", ""))
        if do == "put-out" and unit.at[0] in battle.apart:  # in a tower the others have a wall to storm
            if watch == WATCH or unit.at[0] in at_winches(battle):
                continue
            watch += 1
        if sentence:
            yield unit.id, sentence


def at_winches(battle: Battle) -> frozenset[str]:
    """Return the places of the winches of siege towers whose bridges are not down yet."""
    waiting = (
        thing
        for thing in battle.things.values()
        if thing.kind == siege_tower.TOWER and thing.stands != siege_tower.LOWERED
    )
    return frozenset(place for thing in waiting for place in siege_tower.winches(battle.field, thing))


def by_two(rules: Rules, battle: Battle, seat: str, mine: Sequence[Unit]) -> Iterator[tuple[str, str]]:
    """Yield who pours oil together with somebody, where it meets most enemies and engines of theirs, and no
    friends; the sentence stands with the first of them.
    """
    found: list[tuple[int, str, Act]] = []
    for unit in mine:
        for order, _ in legal_deeds.of_kinds(rules, battle, seat, unit.id, {"pour"} & rules.deeds.keys()):
            if isinstance(order, Act) and len(order.who) > 1:
                value = _scalded(rules, battle, unit, order.to[0])
                if value > 0:
                    found.append((value, grammar.say(rules, order), order))
    busy: set[str] = set()
    for _, said, order in sorted(found, key=lambda entry: (-entry[0], entry[1])):
        if not {*order.who, order.what} & busy:
            busy |= {*order.who, order.what}
            yield order.who[0], said
            yield from ((id_, "") for id_ in order.who[1:])


def _scalded(rules: Rules, battle: Battle, unit: Unit, hex_: str) -> int:
    """Return what oil on a hex is good for: two for each enemy whom it meets in it, one for each beside it,
    and ``BURNT`` for each engine of theirs that may catch fire, less for a side's own; nothing where it meets
    a friend.
    """
    places = oil_reach.area(rules, battle, hex_)
    value = 0
    for id_ in oil_reach.victims(rules, battle, places):
        if not battle.foes(unit, battle.units[id_]):
            return 0
        value += 2 if hex_ in battle.units[id_].at else 1
    for id_ in oil_reach.constructions(rules, battle, places):
        thing = battle.things.get(id_)
        if thing is not None and thing.side:
            value += -BURNT if thing.side == unit.side else BURNT
    return value


def _standing_deeds(rules: Rules, battle: Battle, aims: Aims, unit: Unit) -> Iterator[tuple[int, Act]]:
    side = unit.side
    for ladder in toppling.reachable(rules, battle, unit):
        climber = ladders.climber(battle, ladder)
        if ladder.side != side and (climber is None or climber.side != side):
            yield (9 if climber else 6), Act("topple", (unit.id,), ladder.id)
    for order in fire_by_hand.orders_to_put_out(rules, battle, unit):
        if order.to[0] not in aims.burn and not burns_well(battle, aims, order.to[0]):
            yield 5, order
    for hex_ in (place for at in unit.at for place in neighbours(hex_of(at))):
        if (hex_, "fire") in battle.features:
            continue
        engines = any(thing.side not in ("", side) for thing in things_in(battle, hex_))
        if engines or hex_ in aims.burn or burns_well(battle, aims, hex_):
            yield 8, Act("light", (unit.id,), to=(hex_,))
    for thing in battle.things.values():
        if thing.kind == "oil" and unit.id in thing.by:
            for hex_ in (place for at in unit.at for place in neighbours(hex_of(at))):
                foes = [
                    battle.units[id_]
                    for id_ in battle.living_in.get(hex_, ())
                    if battle.foes(unit, battle.units[id_])
                ]
                if foes:
                    yield 7 + len(foes), Act("pour", (unit.id,), thing.id, to=(hex_,))


def burns_well(battle: Battle, aims: Aims, hex_: str) -> bool:
    """Tell whether a fire would be at an engine of the enemy's that is to be gone."""
    return any(hex_of(hex_) in battle.things[id_].at for id_ in aims.ruin if id_ in battle.things)


def things_in(battle: Battle, hex_: str) -> list[Thing]:
    """Return the engines and ladders in a hex."""
    return [
        thing
        for thing in battle.things.values()
        if hex_ in thing.at and thing.kind in (*walls.AGAINST_WALLS, ballista.BALLISTA, *bombardment.ENGINES)
    ]


# --- shots and blows of engines


def volleys(
    rules: Rules, battle: Battle, aims: Aims, seat: str, foes: Sequence[Unit], phase: str
) -> Iterator[tuple[str, str]]:
    """Yield who shoots a loaded ballista in a phase, and the sentence: at the nearest enemies first."""
    then = battle.changed(at=replace(battle.at, phase=phase))
    for engine in ballista.ballistae(then):
        if engine.side != aims.side or not ballista.ready(rules, engine):
            continue
        near = sorted(foes, key=lambda foe: (distance(foe.hexes[0], engine.at[0]), foe.id))[:6]
        for man in ballista.beside(then, engine):
            if man.side != aims.side or man.owner != seat:
                continue
            order = next(
                (
                    o
                    for foe in near
                    if legal(rules, then, seat, o := FireEngine(man.id, engine.id, (foe.id,)), "fire")
                ),
                None,
            )
            if order is not None:
                yield man.id, grammar.say(rules, order)
                break


def blows_from_above(rules: Rules, battle: Battle, aims: Aims, seat: str) -> Iterator[str]:
    """Yield the attacks of those on ladders and platforms, who cannot choose where they stand: all who reach
    an enemy strike together.
    """
    then = battle.changed(at=replace(battle.at, phase=sequence.MELEE))
    mine = [unit for unit in then.units.values() if unit.owner == seat and unit.able and is_up(then, unit)]
    left = {unit.id for unit in mine}
    foes = {
        id_ for unit in mine for hex_ in neighbours(unit.hexes[0]) for id_ in then.living_in.get(hex_, ())
    }
    enemies = {id_ for id_ in foes if any(then.foes(unit, then.units[id_]) for unit in mine[:1])}
    reach = {
        foe: tuple(id_ for id_ in sorted(left) if strikes_at(rules, then, seat, id_, foe))
        for foe in sorted(enemies)
    }
    for foe in sorted(
        reach, key=lambda id_: (-len(reach[id_]), values(rules, then, then.units[id_]).defence, id_)
    ):
        who = tuple(id_ for id_ in reach[foe] if id_ in left)
        if who and legal(rules, then, seat, Attack(who, (foe,)), "attack"):
            left -= {*who}
            yield grammar.say(rules, Attack(who, (foe,)))


def is_up(battle: Battle, unit: Unit) -> bool:
    """Tell whether a figure is on a ladder or on a platform."""
    return bool(unit.at) and (
        unit.at[0] != hex_of(unit.at[0]) or ladders.in_hex(battle, unit.at[0]) is not None
    )


def strikes_at(rules: Rules, battle: Battle, seat: str, id_: str, foe: str) -> bool:
    """Tell whether a figure could attack an enemy, alone or with others whose strength is
    added to its own.
    """
    problem = first_wrong(rules, battle, "attack", seat, Attack((id_,), (foe,)))
    return problem is None or problem.code == "melee.odds"


def strikes(rules: Rules, battle: Battle, aims: Aims, seat: str) -> Iterator[str]:
    """Yield where rams strike: as things will be when everybody has moved."""
    then = battle.changed(at=replace(battle.at, phase=sequence.MELEE))
    for engine in then.things.values():
        if engine.kind == "ram" and engine.side == aims.side and engine.at:
            hexes = sorted({hex_ for place in engine.at for hex_ in neighbours(place)})
            order = next(
                (
                    o
                    for hex_ in hexes
                    if legal(rules, then, seat, o := Act("strike", (), engine.id, to=(hex_,)))
                ),
                None,
            )
            if order is not None:
                yield grammar.say(rules, order)
