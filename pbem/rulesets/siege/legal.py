"""Every legal atomic order of a seat in the open phase: lazily, always in the same order, and no other.

A sentence is atomic if it names the smallest party that can do the deed and leaves nothing open:

* ``NAME to HEX``, for figures of two hexes ``NAME to HEX facing SIDE``: one for each end of a move, other than where he stands. A way
  (``by``) names the way to an end that is listed, ``HEX or HEX`` two of them, a goal without a side the cheapest of several.
* ``NAME turns SIDE``, ``NAME mounts HORSE``, ``NAME dismounts``, ``NAME dismounts to HEX``, ``NAME hitches`` or ``unhitches`` one.
* ``NAME leads NAME to HEX``, also to where he stands; one is led, as he enters and leaves the map too (``leading NAME``). Here a way
  may lead on where the cheapest does not, because those who follow come to stand elsewhere; ways are not listed.
* ``NAME enters at HEX`` and ``NAME enters at HEX to HEX``, ``NAME leaves the map by HEX``, ``NAME stays``: each hex on its own, each
  figure on its own.
* ``NAME at NAME`` (shooting): one target, or one hex of a target of two. ``nearest`` and ``or`` name targets that are listed.
* ``NAME attacks NAMES``: one figure on one enemy or on several at once. ``NAMES attack NAME``: several on one only where none of them
  can do with fewer, so as a rule two; who else may join is told by ``joiners``. ``at least`` demands no more than a listed attack has.
* ``ENGINE bombards HEX``, ``repair ENGINE``, and each plan of a day of a siege: one engine each.
* ``NAME goes up``, ``NAME goes down``, ``NAME steps over to HEX``; ``ENGINE forward`` and ``back NUMBER``, ``ENGINE strikes HEX``.
* ``NAME climbs LADDER``, also ``and over``, ``NAME puts down LADDER``, ``NAME topples LADDER to HEX``, each hex on its own; two of one
  seat, by the alphabet, ``pick up LADDER``, ``carry LADDER to HEX HEX``, ``raise LADDER in HEX facing SIDE``, and ``shift LADDER to HEX
  facing SIDE``, in its own hex ``shift LADDER facing SIDE``.
* ``NAME takes THING`` and ``puts down THING``, a mantlet also ``facing SIDE``; who bears one goes ``to HEX facing SIDE``, each side on its
  own, where a point is left to turn it. ``NAME pours THING on HEX``.
* ``NAME works BRIDGE``; ``fill HEX`` and ``rubble HEX`` in the setup, each hex on its own.
* ``NAME at HEX with fire``: one hex with something in it that could burn. At a figure ``with fire`` means no more than without.
* ``NAME fires ENGINE at NAME``, ``NAME lights HEX``, ``NAME puts out HEX``.
* ``NAME at HEX`` in the setup, other than where he has been placed; of a horse ``NAME at HEX facing SIDE``, which two hexes say too;
  ``NAME rides HORSE``. A thing is placed in one hex, a ladder in two, an engine by its front hex; ``facing`` where it looks to a side.

What belongs to no figure (to resign, to agree on a draw) is not listed, nor are shooters' skills, which are legal only together with
those that balance them. Names stand in the order of the alphabet, those of the seat before those of its friends; an order is listed
with the first figure it names. Whether an order is legal is asked of the checks of the ruleset; here is only what to ask them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import SIDES, around
from pbem.rulesets.siege import (
    bearing,
    campaign,
    crossing,
    driving,
    engines,
    ladder_orders,
    leading,
    movement,
    names,
    oil,
    placing,
    rams,
    riding,
    sequence,
    setup,
    siege_days,
    step,
    thrown,
    wagons,
    works,
)
from pbem.rulesets.siege.ballista import ballistae
from pbem.rulesets.siege.conditions import problems
from pbem.rulesets.siege.flames import fires, places_to_light
from pbem.rulesets.siege.orders import Act, Attack, FireEngine, Move, Order, Place, Ride, Shoot
from pbem.rulesets.siege.state import Battle, Thing, Unit

Rules = Ruleset[Battle]
Priced = tuple[Order, int | None]
"""An order, and the movement points that it costs; None where none are spent."""
Lister = Callable[[Rules, Battle, Unit], Iterator[Priced]]
ThingLister = Callable[[Rules, Battle, str, Thing], Iterator[Priced]]


def legal(rules: Rules, battle: Battle, seat: str) -> Iterator[Order]:
    """Yield every legal atomic order of a seat in the open phase; nothing where the seat has nothing to order."""
    if battle.at.phase == siege_days.DAY.id:
        yield from campaign.listed(rules, battle, seat)
    if battle.at.phase == "setup":
        yield from works.listed(rules, battle, seat)
    for id_ in sorted(battle.units):
        yield from of(rules, battle, seat, id_)
    for id_ in sorted(battle.things):
        for order, _ in of_thing(rules, battle, seat, id_):
            yield order


def of_thing(rules: Rules, battle: Battle, seat: str, thing: str) -> Iterator[Priced]:
    """Yield those of a seat's legal atomic orders that name a thing first, each with the movement points it costs."""
    own = battle.things[thing].side == battle.side_of_seat.get(seat, "") or engines.works(battle, seat, battle.things[thing])
    if own and seat in sequence.seats_to_order(rules, battle):
        for lister in THING_LISTERS.get(battle.at.phase, ()):
            yield from lister(rules, battle, seat, battle.things[thing])


def of(rules: Rules, battle: Battle, seat: str, unit: str) -> Iterator[Order]:
    """Yield those of a seat's legal atomic orders that name one of its figures first."""
    for order, _ in priced(rules, battle, seat, unit):
        yield order


def priced(rules: Rules, battle: Battle, seat: str, unit: str) -> Iterator[Priced]:
    """Yield the same orders, each with the movement points it costs."""
    who = battle.units[unit]
    if who.owner == seat and seat in sequence.seats_to_order(rules, battle):
        for lister in LISTERS.get(battle.at.phase, ()):
            yield from lister(rules, battle, who)


def _stands(rules: Rules, battle: Battle, kind: str, seat: str, order: Order) -> bool:
    return next(problems(rules, battle, kind, seat, order), None) is None


def _deeds(rules: Rules, battle: Battle, unit: Unit, deeds: Iterator[Act]) -> Iterator[Priced]:
    """Yield those deeds of a kind whose rules are in force that are legal; they cost no points that could be told."""
    for order in deeds:
        if names.not_in_force(rules, order):
            return
        if _stands(rules, battle, "act", unit.owner, order):
            yield order, None


# --- setup


def _placings(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Priced]:
    facings = SIDES if riding.two_hexes(unit) else ("",)
    region = setup.region(battle, setup.force_of(battle, unit))
    for hex_ in (*region, *(battle.upper[hex_] for hex_ in region if hex_ in battle.upper)):
        for facing in facings:
            order = Place(unit.id, (hex_,), facing)
            if setup.stands(battle, order) != unit.at and _stands(rules, battle, "place", unit.owner, order):
                yield order, None


def _things(rules: Rules, battle: Battle, seat: str, thing: Thing) -> Iterator[Priced]:
    """Yield where a thing may be placed."""
    for order in placing.orders(rules, battle, seat, thing.id):
        yield order, None


def _rides(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Priced]:
    """Yield on which horses a figure may begin the game, other than the one it sits on."""
    for id_, horse in sorted(battle.units.items()):
        order = Ride(unit.id, id_)
        asked = horse.kind == "horse" and unit.on != id_ and not names.not_in_force(rules, order)
        if asked and _stands(rules, battle, "ride", unit.owner, order):
            yield order, None


# --- movement


def _moves(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Priced]:
    """Yield where a figure may go, and by which of those hexes it may leave the map: one search tells all."""
    if not unit.at or movement.time_to_move(rules, battle, unit):
        return
    spend = step.points(rules, battle, unit)
    ends: dict[str, int] = {}
    if riding.two_hexes(unit):
        here = riding.figure(unit.at)
        for figure, (cost, _) in riding.reach(rules, battle, unit, spend).items():
            head, _, facing = figure.partition(" ")
            ends.setdefault(head, cost)
            if figure != here:
                yield Move(unit.id, (head,), facing), cost
    else:
        for place, (cost, _) in movement.reach(rules, battle, unit, spend).items():
            ends[place] = cost
            for side in bearing.sides(battle, unit, place, turns=cost < spend):
                yield Move(unit.id, (place,), side), cost
    for place, cost in ends.items():
        if cost < spend and movement.no_way_out(battle, unit, place) is None:
            yield Act("leave", (unit.id,), by=(place,)), cost + 1


def _entries(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Priced]:
    """Yield where a figure may enter the map, and where it may go from there."""
    if unit.at or movement.time_to_move(rules, battle, unit):
        return
    spend = step.points(rules, battle, unit)
    for hex_ in movement.ways_in(battle, unit):
        if movement.entry_bars(rules, battle, unit, hex_):
            continue
        order = Act("enter", (unit.id,), by=(hex_,))
        walk = movement.plan_entering(rules, battle, order)
        if isinstance(walk, step.Walk):
            yield order, walk.cost
        first = step.entry_cost(rules, battle, unit, hex_)
        reached = movement.reach(rules, battle, unit, spend - first, hex_)
        for place, (cost, _) in reached.items():
            if place != hex_ or riding.two_hexes(unit):
                yield Act("enter", (unit.id,), to=(place,), by=(hex_,)), first + cost
        for led in _leadable(rules, battle, unit):
            for to in ((), *((place,) for place in reached)) if not battle.units[led].at else ():
                accompanied = Act("enter", (unit.id,), to=to, by=(hex_,), animals=(led,))
                trek = leading.plan_entering(rules, battle, accompanied)
                if isinstance(trek, leading.Trek):
                    yield accompanied, trek.walk.cost


def _turns(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Priced]:
    if riding.two_hexes(unit):
        yield from _deeds(rules, battle, unit, (Act("turn", (unit.id,), facing=side) for side in SIDES))


def _mounts(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Priced]:
    """Yield which horses a figure may mount, and where a rider may get off."""
    if unit.on:
        hexes = ((), *((hex_,) for hex_ in thrown.beside(rules, battle, unit, battle.units[unit.on]))) if unit.at else ((),)
        yield from _deeds(rules, battle, unit, (Act("dismount", (unit.id,), to=hex_) for hex_ in hexes))
        return
    horses = (id_ for id_ in battle.living_among(around(unit.hexes)) if riding.two_hexes(battle.units[id_]))
    yield from _deeds(rules, battle, unit, (Act("mount", (unit.id,), horse) for horse in horses))


def _leads(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Priced]:
    """Yield whither a figure may lead whom, and by which hexes off the map."""
    if not unit.at or movement.time_to_move(rules, battle, unit):
        return
    spend = step.points(rules, battle, unit)
    for led in _leadable(rules, battle, unit):
        goals = leading.goals(rules, battle, unit, (led,), spend)
        for hex_, cost in goals.items():
            yield Act("lead", (unit.id,), to=(hex_,), animals=(led,)), cost
        if wagons.stays_behind(battle, unit, led):
            continue
        if any(cost < spend and movement.no_way_out(battle, unit, hex_) is None for hex_, cost in goals.items()):
            for hex_, cost in leading.goals(rules, battle, unit, (led,), spend - 1).items():
                if movement.no_way_out(battle, unit, hex_) is None:
                    yield Act("leave", (unit.id,), by=(hex_,), animals=(led,)), cost + 1


def _leadable(rules: Rules, battle: Battle, unit: Unit) -> list[str]:
    """Return whom anybody may lead, if the rules for it are in force."""
    if names.not_in_force(rules, Act("lead")):
        return []
    return [id_ for id_ in sorted(battle.units) if id_ != unit.id and leading.leadable(battle, battle.units[id_])]


def _teams(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Priced]:
    """Yield which animals a figure may hitch to a wagon, and which it may unhitch."""
    if unit.on or not unit.at:
        return
    animals = [id_ for id_ in battle.living_among(around(unit.hexes)) if battle.units[id_].kind != "man"]
    for wagon in sorted(id_ for id_, thing in battle.things.items() if thing.kind == "wagon"):
        yield from _deeds(rules, battle, unit, (Act("hitch", (unit.id,), wagon, animals=(animal,)) for animal in animals))
        hitched = sorted(battle.things[wagon].hitched)
        yield from _deeds(rules, battle, unit, (Act("unhitch", (unit.id,), wagon, animals=(animal,)) for animal in hitched))


def _ladders(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Priced]:
    """Yield what a figure may do with ladders, alone or with a second one of its seat that stands behind it in the alphabet."""
    for order, cost in ladder_orders.moves(rules, battle, unit):
        if names.not_in_force(rules, order):
            return
        # Whither a ladder may be carried was found by the search that the check would make once more for each goal.
        if order.do == "carry" or _stands(rules, battle, "act", unit.owner, order):
            yield order, cost


def by_two(rules: Rules, battle: Battle, seat: str, unit: str) -> Iterator[tuple[Act, int | None]]:
    """Yield what a figure could do with a ladder beside it together with another of its seat, whichever is first by the alphabet."""
    for order, cost in ladder_orders.by_two(rules, battle, battle.units[unit]) if battle.things else ():
        if battle.units[unit].owner == seat and not names.not_in_force(rules, order) and _stands(rules, battle, "act", seat, order):
            yield order, cost


def _topples(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Priced]:
    yield from _deeds(rules, battle, unit, (order for order, _ in ladder_orders.blows(rules, battle, unit)))


def _winches(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Priced]:
    """Yield which bridge a figure may raise or lower from where it stands."""
    bridges = sorted(id_ for id_, fixture in battle.field.fixtures.items() if fixture.winch in unit.at)
    yield from _deeds(rules, battle, unit, (Act("work", (unit.id,), bridge) for bridge in bridges))


def _crossings(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Priced]:
    """Yield where a figure goes up or down, and where it steps over."""
    for do in crossing.SAID:
        ends = crossing.ends(rules, battle, unit, do)
        places = ((there,) for there in ends) if do == crossing.OVER or len(ends) > 1 else ((),) if ends else ()
        for to in places:
            order = Act(do, (unit.id,), to=to)
            if not names.not_in_force(rules, order) and _stands(rules, battle, "act", unit.owner, order):
                walk = crossing.plan(rules, battle, order)
                yield order, walk.cost if isinstance(walk, step.Walk) else None


def _drives(rules: Rules, battle: Battle, seat: str, thing: Thing) -> Iterator[Priced]:
    """Yield how far the men inside an engine can move it, forward and back."""
    if thing.kind not in engines.KINDS or not thing.at:
        return
    for do in ("advance-engine", "back-engine"):
        for steps in range(1, int(engines.row(rules, thing.kind)["points"]) + 1):
            order = Act(do, what=thing.id, steps=steps)
            if not names.not_in_force(rules, order) and _stands(rules, battle, "act", seat, order):
                found = driving.plan(rules, battle, order)
                yield order, found.cost if isinstance(found, driving.Drive) else None


def _loads(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Priced]:
    """Yield which mantlet or barrel a figure may take, and how it may put down the one it has."""
    yield from _deeds(rules, battle, unit, bearing.orders(battle, unit))


def _stays(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Priced]:
    yield from _deeds(rules, battle, unit, iter((Act("stay", (unit.id,)),)))


# --- shooting


def _shots(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Priced]:
    if sequence.may_shoot(rules, battle, unit, battle.at.phase):
        return
    aims = [id_ for id_, other in sorted(battle.units.items()) if other.living and battle.foes(unit, other)]
    hexes = sorted({hex_ for id_ in aims if len(battle.units[id_].at) > 1 for hex_ in battle.units[id_].hexes})
    for aim in (*aims, *hexes):
        order = Shoot(unit.id, (aim,))
        if _stands(rules, battle, "shoot", unit.owner, order):
            yield order, None


def _fire_arrows(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Priced]:
    """Yield at which hexes with something in them that could burn a figure may shoot fire arrows."""
    if sequence.may_shoot(rules, battle, unit, battle.at.phase) or names.not_in_force(rules, Shoot(unit.id, (), fire=True)):
        return
    for hex_ in places_to_light(rules, battle):
        order = Shoot(unit.id, (hex_,), fire=True)
        if _stands(rules, battle, "shoot", unit.owner, order):
            yield order, None


def _ballistae(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Priced]:
    """Yield at whom a figure may shoot which ballista beside it."""
    near = set(around(unit.hexes))
    engines = [thing.id for thing in ballistae(battle) if near & set(thing.at)]
    if not engines or names.not_in_force(rules, FireEngine(unit.id, "", ())):
        return
    aims = [id_ for id_, other in sorted(battle.units.items()) if other.living and battle.foes(unit, other)]
    hexes = sorted({hex_ for id_ in aims if len(battle.units[id_].at) > 1 for hex_ in battle.units[id_].hexes})
    for engine in engines:
        for aim in (*aims, *hexes):
            order = FireEngine(unit.id, engine, (aim,))
            if _stands(rules, battle, "fire", unit.owner, order):
                yield order, None


# --- melee


def _fires(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Priced]:
    """Yield what a figure may set on fire, and which fires it may fight."""
    if unit.stood:
        yield from _deeds(rules, battle, unit, (Act("light", (unit.id,), to=(hex_,)) for hex_ in unit.stood[1:]))
    burning = {fire.at for fire in fires(battle)}
    if burning:
        yield from _deeds(rules, battle, unit, (Act("put-out", (unit.id,), to=(hex_,)) for hex_ in around(unit.hexes) if hex_ in burning))


def _attacks(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Priced]:
    """Yield a figure's own attacks, on one and on several, and those joint ones of which it is the first."""
    if not unit.at or sequence.may_fight(rules, battle, unit):
        return
    beside = _beside(battle, unit)
    for count in range(1, len(beside) + 1):
        for targets in combinations(beside, count):
            order = Attack((unit.id,), targets)
            if _stands(rules, battle, "attack", unit.owner, order):
                yield order, None
    for target in beside:
        yield from _joint(rules, battle, unit, target)


def _blows(rules: Rules, battle: Battle, seat: str, thing: Thing) -> Iterator[Priced]:
    """Yield which walls the men under a ram can strike with it."""
    if thing.kind != rams.RAM or not thing.at:
        return
    for hex_ in rams.in_front(thing):
        order = Act("strike", what=thing.id, to=(hex_,))
        if hex_ in battle.field.ground and not names.not_in_force(rules, order) and _stands(rules, battle, "act", seat, order):
            yield order, None


def _joint(rules: Rules, battle: Battle, unit: Unit, target: str) -> Iterator[Priced]:
    """Yield the joint attacks of a figure, and of some that stand behind it in the alphabet, that need each of their figures."""
    others = [id_ for id_ in _party(battle, unit.owner, target) if id_ != unit.id]
    others = [id_ for id_ in others if battle.units[id_].owner != unit.owner or id_ > unit.id]
    enough: list[frozenset[str]] = []
    for count in range(1, len(others) + 1):
        for more in combinations(others, count):
            who = (unit.id, *more)
            if any(group <= set(who) for group in enough):
                continue
            if len(who) > 2 and any(_can(rules, battle, unit.owner, part, target) for part in combinations(who, len(who) - 1)):
                continue
            if _can(rules, battle, unit.owner, who, target):
                enough.append(frozenset(who))
                yield Attack(who, (target,)), None


def _can(rules: Rules, battle: Battle, seat: str, who: Sequence[str], target: str) -> bool:
    return _stands(rules, battle, "attack", seat, Attack(tuple(who), (target,)))


def joiners(rules: Rules, battle: Battle, attack: Attack) -> tuple[str, ...]:
    """Return who else of the side may join an attack on one enemy, each on his own: those of the seat first, then its friends'."""
    if len(attack.at) != 1:
        return ()
    seat = battle.units[attack.who[0]].owner
    others = (id_ for id_ in _party(battle, seat, attack.at[0]) if id_ not in attack.who)
    return tuple(id_ for id_ in others if _can(rules, battle, seat, (*attack.who, id_), attack.at[0]))


def _party(battle: Battle, seat: str, target: str) -> list[str]:
    """Return the figures of a seat's side in the hexes next to an enemy: its own first, then those of other seats, by id."""
    side, foe = battle.side_of_seat[seat], battle.units[target]
    near = (id_ for id_ in battle.living_among(around(foe.hexes)) if battle.units[id_].side == side)
    return sorted(near, key=lambda id_: battle.units[id_].owner != seat)


def _beside(battle: Battle, unit: Unit) -> list[str]:
    """Return the enemies in the hexes next to a figure, by id; a rider and his horse are two of them."""
    near = set(around(unit.hexes))
    return [id_ for id_, other in sorted(battle.units.items()) if other.living and near & set(other.hexes) and battle.foes(unit, other)]


def _pours(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Priced]:
    """Yield which barrel a figure may pour on which hex."""
    yield from _deeds(rules, battle, unit, oil.orders(battle, unit))


LISTERS: Final[Mapping[str, tuple[Lister, ...]]] = {
    "setup": (_placings, _rides),
    "first_missile": (_shots, _fire_arrows, _ballistae),
    "movement": (_moves, _crossings, _turns, _leads, _mounts, _teams, _winches, _ladders, _loads, _entries, _stays),
    "second_archery": (_shots, _fire_arrows),
    "melee": (_attacks, _topples, _pours, _fires),
}
"""Phase -> what lists the orders of one figure in it, one kind after the other."""
AT_HAND: Final = (_ladders, _leads, _mounts, _loads, _winches, _teams)
"""What lists the orders of the movement phase that are given to somebody who stands at a thing or an animal."""
THING_LISTERS: Final[Mapping[str, tuple[ThingLister, ...]]] = {"setup": (_things,), "movement": (_drives,), "melee": (_blows,)}
"""Phase -> what lists the orders in it that name a thing of the side first."""
