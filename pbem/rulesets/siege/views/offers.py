"""What ``legal`` lists as something to click on a map, and what a figure could do later in its turn once it
had done one of these.

Who may do what is told by ``legal``, what there is to know of it by ``sheet`` and ``forecast``. What comes
later is asked of the same functions after the engine has carried out the one order: nothing here decides what
is legal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

from msgspec.structs import replace

from pbem.core.dice import NoDice, NoDiceError
from pbem.core.play import Play, Stopped
from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset
from pbem.core.sheet import Forms, Offer
from pbem.geometry.hex import around, distance, hex_of
from pbem.rulesets.siege.combat import may_attack, melee_odds
from pbem.rulesets.siege.deeds import attack_orders, deeds
from pbem.rulesets.siege.judge import forecast, legal
from pbem.rulesets.siege.judge.legal import Priced
from pbem.rulesets.siege.march import movement, riding, step
from pbem.rulesets.siege.march.walk import Walk
from pbem.rulesets.siege.orders import carry_out, conditions, grammar
from pbem.rulesets.siege.scenario import campaign
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.deed import deeds as deed_list
from pbem.rulesets.siege.state.deed import of as deed_of
from pbem.rulesets.siege.state.happening import apply
from pbem.rulesets.siege.state.orders import (
    HEADINGS,
    Act,
    Attack,
    FireEngine,
    Move,
    MoveBy,
    Order,
    Place,
    Prepare,
    Ride,
    Shoot,
    kind,
)
from pbem.rulesets.siege.state.state import Battle, Unit
from pbem.rulesets.siege.things import bearing, names, treks, works
from pbem.rulesets.siege.turn import sequence, siege_days
from pbem.rulesets.siege.views import sheet

Rules = Ruleset[Battle]


def offers(rules: Rules, battle: Battle, seat: str) -> Iterator[Offer]:
    """Yield every legal atomic order of a seat in the open phase, in the order of ``legal``, as something to
    click.
    """
    if battle.at.phase == siege_days.DAY.id:
        yield from (_offer(rules, battle, order, None) for order in campaign.listed(rules, battle, seat))
    if battle.at.phase == "setup":
        side = battle.side_of_seat.get(seat, "")
        for work in works.listed(rules, battle, seat):
            yield replace(_offer(rules, battle, work, None), most=works.left(battle, side, work.do))
    for id_ in sorted(battle.units):
        yield from _all(rules, battle, legal.priced(rules, battle, seat, id_))
    for id_ in sorted(battle.things):
        yield from _all(rules, battle, legal.of_thing(rules, battle, seat, id_))


def onward(
    rules: Rules, battle: Battle, seat: str, offer: Offer
) -> Iterator[tuple[str, str, tuple[Offer, ...]]]:
    """Yield, for each figure of an offer and each phase to the end of the player turn, what he could do in it
    after that and no more.

    In the open phase that is what may stand in the next line for the same figures; in melee there are, beside
    what is legal, offers without a sentence: enemies that he could only strike together with others. Nothing
    at all where dice decide what comes of the offer.
    """
    order = grammar.read(rules, HEADING.get(battle.at.phase, ""), offer.sentence)
    phases = [phase.id for phase in rules.sequence.phases if phase.heading]
    figures = [who for who in offer.who if who in battle.units and battle.units[who].owner == seat]
    if isinstance(order, Problem) or battle.at.phase not in phases or not figures:
        return
    try:
        after = _done(rules, battle, seat, order)
    except (NoDiceError, Stopped):
        return
    for unit in figures:
        yield unit, battle.at.phase, tuple(_next_line(rules, after, seat, order, unit))
        for phase in phases[phases.index(battle.at.phase) + 1 :]:
            then = after.changed(at=replace(battle.at, phase=phase), spent={})
            found = tuple(_all(rules, then, legal.priced(rules, then, seat, unit)))
            yield unit, phase, (*found, *_in_company(rules, then, seat, unit, found))


def together(
    rules: Rules, battle: Battle, seat: str, chosen: Sequence[Offer]
) -> Iterator[tuple[tuple[int, ...], Offer]]:
    """Yield the joint attacks of figures that had done what was chosen for them, pairs first, with odds and
    chances.

    Each stands where its own offer takes it; nobody else has moved. Figures in one hex, or one figure twice,
    are no party.
    """
    phases = [phase.id for phase in rules.sequence.phases]
    if battle.at.phase not in phases or phases.index(battle.at.phase) > phases.index(
        family.phases(rules).fights
    ):
        return
    fight = battle.changed(at=replace(battle.at, phase=family.phases(rules).fights))
    parties: dict[str, list[tuple[int, Unit]]] = {}
    for place, offer in enumerate(chosen):
        one = _afterwards(rules, battle, seat, offer)
        if one is None or not one.at:
            continue
        there = fight.with_units(one)
        for foe in sorted(there.living_among(around(one.hexes))):
            if may_attack.pair_why_not(rules, there, one, there.units[foe]) is None:
                parties.setdefault(foe, []).append((place, one))
    for size in range(2, MOST_TOGETHER + 1):
        for foe, able in sorted(parties.items()):
            for party in combinations(able, size):
                units = [unit for _, unit in party]
                if len({unit.id for unit in units}) < size or len({unit.at[0] for unit in units}) < size:
                    continue
                order = Attack(tuple(unit.id for unit in units), (foe,))
                there = fight.with_units(*units)
                if may_attack.why_not(rules, there, units, [there.units[foe]]) is None:
                    yield (
                        tuple(place for place, _ in party),
                        _attack(rules, there, order, grammar.say(rules, order), joiners=False),
                    )


MOST_TOGETHER: Final = 4
"""Of parties that attack together, how many figures the largest has of which the odds are told before anybody
has moved.
"""


def _afterwards(rules: Rules, battle: Battle, seat: str, offer: Offer) -> Unit | None:
    """Return the first figure of an offer after it; None where that is not known."""
    if not offer.who or offer.who[0] not in battle.units:
        return None
    if not offer.sentence:
        return battle.units[offer.who[0]]
    order = grammar.read(rules, HEADING.get(battle.at.phase, ""), offer.sentence)
    if isinstance(order, Problem):
        return None
    try:
        return _done(rules, battle, seat, order).units[offer.who[0]]
    except (NoDiceError, Stopped):
        return None


def making_way(rules: Rules, battle: Battle, seat: str) -> Iterator[tuple[str, Offer]]:
    """Yield, for each figure of a seat that may go somewhere, who else on foot could go where it stands, once
    it has gone.
    """
    if battle.at.phase != family.phases(rules).moves or seat not in sequence.seats_to_order(rules, battle):
        return
    own = [unit for _, unit in sorted(battle.units.items()) if unit.owner == seat and unit.at]
    movers = [
        unit
        for unit in own
        if not movement.time_to_move(rules, battle, unit) and step.points(rules, battle, unit)
    ]
    for first in movers:
        gone = battle.with_units(replace(first, at=()))
        for unit in movers:
            points = step.points(rules, battle, unit)
            if (
                unit.id == first.id
                or riding.two_hexes(unit)
                or distance(hex_of(unit.at[0]), hex_of(first.at[0])) > points
            ):
                continue
            for place in first.at:
                walk = movement.to(rules, gone, unit, place, points)
                if isinstance(walk, Walk) and not isinstance(
                    movement.to(rules, battle, unit, place, points), Walk
                ):
                    sides = bearing.sides(gone, unit, place, turns=walk.cost < points)
                    yield from (
                        (first.id, _offer(rules, gone, Move(unit.id, (place,), side), walk.cost))
                        for side in sides
                    )


EITHER: Final = (("shoots at", "{who} at {at}", (grammar.NEAREST,)), ("goes to", "{who} to {at}", ()))
"""Kind of offers -> how their sentences are made where several may be named, and what else
may stand there.
"""


def forms(rules: Rules, battle: Battle, seat: str) -> Forms:
    """Return how sentences are put together that are not offers: second choices, ways of one's own,
    conditions, the end of the game.
    """
    ends = ("resign", "offer a draw", "accept the draw")
    closing = [said for said in ends if said != ends[-1] or carry_out.no_offer(battle, seat) is None]
    return Forms(EITHER, "{who} by {cells}", conditions.FORMS, tuple(closing))


HEADING: Final[Mapping[str, str]] = {phase: heading for heading, phase in HEADINGS.items()}


def _done(rules: Rules, battle: Battle, seat: str, order: Order) -> Battle:
    """Return the battle after one order; after a shot it is known only who has shot, and where friends stand
    now they have gone by then.
    """
    match order:
        case Move() | MoveBy():
            play = Play(battle, str(battle.at), apply, NoDice())
            if deeds.move(rules, play, seat, order) is not None and isinstance(order, Move):
                own = [
                    battle.units[id_]
                    for id_ in battle.living_among(order.to)
                    if id_ != order.who and battle.units[id_].owner == seat
                ]
                play = Play(
                    battle.with_units(*(replace(unit, at=()) for unit in own)),
                    str(battle.at),
                    apply,
                    NoDice(),
                )
                deeds.move(rules, play, seat, order)
            return play.state
        case Act():
            deed = deed_of(rules, order)
            if deed is None or deed.do is None or deed.rolls:
                return deeds.after(rules, battle, order)
            play = Play(battle, str(battle.at), apply, NoDice())
            # that it is legal is known, and to ask again takes long where two carry something
            deed.do(rules, play, order)
            return play.state
        case Shoot() | FireEngine():
            unit = battle.units[order.who]
            return battle.with_units(replace(unit, did=(*unit.did, "shot")))
        case _:
            return battle


def _next_line(rules: Rules, after: Battle, seat: str, first: Order, unit: str) -> Iterator[Offer]:
    """Yield what the figures of an order may be ordered to do in the next line of its section."""
    every = deed_list(rules)
    following = every.following[kind(first)]
    if not following or not isinstance(first, Move | MoveBy | Act):
        return
    for order, cost in legal.priced(rules, after, seat, unit):
        alone = every[kind(first)].parts
        if kind(order) in following and (alone or names.who(order) == names.who(first)):
            yield _offer(rules, after, order, cost)
    if any(every[id_].joined for id_ in following):
        joint = legal.by_two(rules, after, seat, unit)
        yield from (_offer(rules, after, order, cost) for order, cost in joint if every[order.do].joined)


def _in_company(
    rules: Rules, battle: Battle, seat: str, unit: str, found: Iterable[Offer]
) -> Iterator[Offer]:
    """Yield the enemies that a figure could strike where it stands, but not alone."""
    one = battle.units[unit]
    if battle.at.phase != family.phases(rules).fights or one.owner != seat or not one.at:
        return
    alone = {offer.targets for offer in found if len(offer.who) == 1}
    for foe in sorted(battle.living_among(around(one.hexes))):
        if (foe,) not in alone and may_attack.pair_why_not(rules, battle, one, battle.units[foe]) is None:
            force = melee_odds.force(rules, battle, [one], [battle.units[foe]])
            told = f"{force[0]} against {force[1]}: not enough alone"
            yield Offer(
                (unit,),
                "",
                "joins in attacking",
                targets=(foe,),
                notes=(told,),
                joined=_together(rules, (foe,)),
            )


# --- one offer


def _all(rules: Rules, battle: Battle, orders: Iterable[Priced]) -> Iterator[Offer]:
    return (_offer(rules, battle, order, cost) for order, cost in orders)


def _offer(rules: Rules, battle: Battle, order: Order, cost: int | None) -> Offer:
    """Return an order as something to click."""
    said = grammar.say(rules, order)
    match order:
        case Move():
            walk = movement.plan(rules, battle, order)
            return Offer(
                (order.who,), said, "goes to", order.to, facing=order.facing, cost=cost, way=_way(walk)
            )
        case Place():
            told, thing = sheet.notes(rules, battle, order), order.who in battle.things
            return Offer(
                (order.who,), said, "stands in", order.at, facing=order.facing, notes=told, beside=thing
            )
        case Ride():
            return Offer((order.who,), said, "rides", targets=(order.horse,))
        case Prepare():
            return Offer((), said, "fills" if order.do == "fill" else "breaks down", order.hexes)
        case Shoot() | FireEngine():
            return _shot(rules, battle, order, said)
        case Attack():
            return _attack(rules, battle, order, said)
        case Act():
            return _deed(rules, battle, order, said, cost)
        case _:
            return Offer(names.who(order), said, "")


def _together(rules: Rules, targets: tuple[str, ...]) -> str:
    """Return the sentence of an attack by several, with ``{who}`` where their names stand."""
    return grammar.say(rules, Attack(("{who}", "{who}"), targets)).replace("{who}, {who}", "{who}")


def _attack(rules: Rules, battle: Battle, order: Attack, said: str, joiners: bool = True) -> Offer:
    """Return an attack, with who else may join it where that is asked for."""
    attackers, defenders = [battle.units[id_] for id_ in order.who], [battle.units[id_] for id_ in order.at]
    column = melee_odds.combat(rules, battle, attackers, defenders).heading
    return Offer(
        order.who,
        said,
        "attacks",
        targets=order.at,
        notes=sheet.about_attack(rules, battle, order),
        label=column,
        joiners=attack_orders.joiners(rules, battle, order) if joiners else (),
        joined=_together(rules, order.at) if len(order.at) == 1 else "",
    )


def _shot(rules: Rules, battle: Battle, order: Shoot | FireEngine, said: str) -> Offer:
    """Return a shot at a figure, or at a hex."""
    fire = isinstance(order, Shoot) and order.fire
    kind = (
        f"fires {order.engine} at"
        if isinstance(order, FireEngine)
        else "shoots fire at"
        if fire
        else "shoots at"
    )
    cells, targets = (order.at, ()) if order.at[0][0].isdigit() else ((), order.at)
    if fire or isinstance(order, FireEngine):
        return Offer((order.who,), said, kind, cells, targets, notes=sheet.notes(rules, battle, order))
    worth, told, faces = sheet.of_shot(rules, battle, order)
    return Offer(
        (order.who,), said, kind, cells, targets, notes=told, label=f"{sum(worth)}/{faces}" if told else ""
    )


def _deed(rules: Rules, battle: Battle, order: Act, said: str, cost: int | None) -> Offer:
    """Return one of the many other deeds."""
    found = forecast.way_of(rules, battle, order)
    walk = found.walk if isinstance(found, treks.Trek) else found
    who = order.who or ((order.what,) if order.what in battle.things else ())
    thing = (order.what,) if order.who and order.what else ()
    cells = (*order.by, *order.to)
    told = sheet.notes(rules, battle, order) if cost is None else ()
    plan = order.what if order.do == "plan" else siege_days.BOMBARD if order.do == "bombard" else ""
    return Offer(
        who,
        said,
        deed_list(rules)[order.do].called,
        cells,
        (*thing, *order.animals),
        order.facing,
        cost,
        _way(walk),
        told,
        plan=plan,
    )


def _way(walk: Walk | Problem | None) -> tuple[str, ...]:
    """Return the places of a way, from where it begins."""
    return walk.places if isinstance(walk, Walk) else ()
