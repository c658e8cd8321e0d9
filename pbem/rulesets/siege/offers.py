"""What ``legal`` lists as something to click on a map, and what a figure could do later in its turn once it had done one of these.

Who may do what is told by ``legal``, what there is to know of it by ``sheet`` and ``forecast``. What comes later is asked of the same
functions after the engine has carried out the one order: nothing here decides what is legal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from pbem.core.dice import NoDice, NoDiceError
from pbem.core.play import Play, Stopped
from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset
from pbem.core.sheet import Offer
from pbem.geometry.hex import around
from pbem.rulesets.siege import (
    campaign,
    deeds,
    forecast,
    grammar,
    leading,
    legal,
    melee,
    movement,
    names,
    sheet,
    shooting,
    siege_days,
    works,
)
from pbem.rulesets.siege.happening import apply
from pbem.rulesets.siege.legal import Priced
from pbem.rulesets.siege.orders import (
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
)
from pbem.rulesets.siege.reading import AFTER
from pbem.rulesets.siege.state import Battle
from pbem.rulesets.siege.step import Walk

Rules = Ruleset[Battle]

CALLED: Final[Mapping[str, str]] = {
    "turn": "turns to",
    "mount": "mounts",
    "dismount": "dismounts",
    "lead": "leads",
    "hitch": "hitches",
    "unhitch": "unhitches",
    "pick-up": "picks up",
    "carry": "carries",
    "raise": "raises",
    "shift": "shifts",
    "climb": "climbs",
    "step-over": "steps over",
    "up": "goes up",
    "down": "goes down",
    "advance-engine": "rolls forward",
    "back-engine": "rolls back",
    "take": "takes",
    "put-down": "puts down",
    "work": "works",
    "enter": "enters",
    "leave": "leaves the map",
    "stay": "stays",
    "topple": "topples",
    "strike": "strikes",
    "light": "lights",
    "put-out": "puts out",
    "pour": "pours",
    "plan": "plan of the day",
    "bombard": "bombards",
    "repair": "is repaired",
}
"""Deed -> what offers of it are called in a menu."""


def offers(rules: Rules, battle: Battle, seat: str) -> Iterator[Offer]:
    """Yield every legal atomic order of a seat in the open phase, in the order of ``legal``, as something to click."""
    if battle.at.phase == siege_days.DAY.id:
        yield from (_offer(rules, battle, order, None) for order in campaign.listed(rules, battle, seat))
    if battle.at.phase == "setup":
        yield from (_offer(rules, battle, order, None) for order in works.listed(rules, battle, seat))
    for id_ in sorted(battle.units):
        yield from _all(rules, battle, legal.priced(rules, battle, seat, id_))
    for id_ in sorted(battle.things):
        yield from _all(rules, battle, legal.of_thing(rules, battle, seat, id_))


def onward(rules: Rules, battle: Battle, seat: str, offer: Offer) -> Iterator[tuple[str, tuple[Offer, ...]]]:
    """Yield each phase from the open one to the end of the player turn, with what the first figure of an offer could do in it after that.

    In the open phase that is what may stand in the next line for the same figures; in melee there are, beside what is legal, offers
    without a sentence: enemies that he could only strike together with others. Nothing at all where dice decide what comes of the offer.
    """
    order = grammar.read(HEADING.get(battle.at.phase, ""), offer.sentence)
    phases = [phase.id for phase in rules.sequence.phases if phase.heading]
    if isinstance(order, Problem) or battle.at.phase not in phases or not offer.who or offer.who[0] not in battle.units:
        return
    try:
        after = _done(rules, battle, seat, order)
    except (NoDiceError, Stopped):
        return
    unit = offer.who[0]
    yield battle.at.phase, tuple(_next_line(rules, after, seat, order, unit))
    for phase in phases[phases.index(battle.at.phase) + 1 :]:
        then = after.changed(at=replace(battle.at, phase=phase))
        found = tuple(_all(rules, then, legal.priced(rules, then, seat, unit)))
        yield phase, (*found, *_in_company(rules, then, seat, unit, found))


HEADING: Final[Mapping[str, str]] = {phase: heading for heading, phase in HEADINGS.items()}


def _done(rules: Rules, battle: Battle, seat: str, order: Order) -> Battle:
    """Return the battle after one order; after a shot it is known only who has shot."""
    match order:
        case Move() | MoveBy():
            play = Play(battle, str(battle.at), apply, NoDice())
            deeds.move(rules, play, seat, order)
            return play.state
        case Act():
            return deeds.after(rules, battle, order)
        case Shoot() | FireEngine():
            unit = battle.units[order.who]
            return battle.with_units(replace(unit, did=(*unit.did, "shot")))
        case _:
            return battle


def _next_line(rules: Rules, after: Battle, seat: str, first: Order, unit: str) -> Iterator[Offer]:
    """Yield what the figures of an order may be ordered to do in the next line of its section."""
    following = AFTER.get(names.kind(first) or "move", ())
    if not following or not isinstance(first, Move | MoveBy | Act):
        return
    for order, cost in legal.priced(rules, after, seat, unit):
        alone = names.kind(first) == "shift"
        if (names.kind(order) or "move") in following and (alone or names.who(order) == names.who(first)):
            yield _offer(rules, after, order, cost)


def _in_company(rules: Rules, battle: Battle, seat: str, unit: str, found: Iterable[Offer]) -> Iterator[Offer]:
    """Yield the enemies that a figure could strike where it stands, but not alone."""
    one = battle.units[unit]
    if battle.at.phase != "melee" or one.owner != seat or not one.at:
        return
    alone = {offer.targets for offer in found if len(offer.who) == 1}
    for foe in sorted(battle.living_among(around(one.hexes))):
        if (foe,) not in alone and melee.pair_why_not(rules, battle, one, battle.units[foe]) is None:
            tally = melee.tally(rules, battle, [one], [battle.units[foe]])
            yield Offer((unit,), "", "joins in attacking", targets=(foe,), notes=(str(tally),), joined=_together((foe,)))


# --- one offer


def _all(rules: Rules, battle: Battle, orders: Iterable[Priced]) -> Iterator[Offer]:
    return (_offer(rules, battle, order, cost) for order, cost in orders)


def _offer(rules: Rules, battle: Battle, order: Order, cost: int | None) -> Offer:
    """Return an order as something to click."""
    said = grammar.say(order)
    match order:
        case Move():
            walk = movement.plan(rules, battle, order)
            return Offer((order.who,), said, "goes to", order.to, facing=order.facing, cost=cost, way=_way(walk))
        case Place():
            return Offer((order.who,), said, "stands in", order.at, facing=order.facing, notes=sheet.notes(rules, battle, order))
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


def _together(targets: tuple[str, ...]) -> str:
    """Return the sentence of an attack by several, with ``{who}`` where their names stand."""
    return grammar.say(Attack(("{who}", "{who}"), targets)).replace("{who}, {who}", "{who}")


def _attack(rules: Rules, battle: Battle, order: Attack, said: str) -> Offer:
    attackers, defenders = [battle.units[id_] for id_ in order.who], [battle.units[id_] for id_ in order.at]
    column = melee.column(melee.table_for(rules, defenders), melee.tally(rules, battle, attackers, defenders).total)
    return Offer(
        order.who,
        said,
        "attacks",
        targets=order.at,
        notes=sheet.notes(rules, battle, order),
        label=column,
        joiners=legal.joiners(rules, battle, order),
        joined=_together(order.at) if len(order.at) == 1 else "",
    )


def _shot(rules: Rules, battle: Battle, order: Shoot | FireEngine, said: str) -> Offer:
    """Return a shot at a figure, or at a hex."""
    fire = isinstance(order, Shoot) and order.fire
    kind = f"fires {order.engine} at" if isinstance(order, FireEngine) else "shoots fire at" if fire else "shoots at"
    cells, targets = (order.at, ()) if order.at[0][0].isdigit() else ((), order.at)
    if fire or isinstance(order, FireEngine):
        return Offer((order.who,), said, kind, cells, targets, notes=sheet.notes(rules, battle, order))
    faces, told = sheet.of_shot(rules, battle, order)
    return Offer((order.who,), said, kind, cells, targets, notes=told, label=f"{sum(faces)}/{shooting.SIDES_OF_THE_DIE}" if told else "")


def _deed(rules: Rules, battle: Battle, order: Act, said: str, cost: int | None) -> Offer:
    """Return one of the many other deeds."""
    found = forecast.way_of(rules, battle, order)
    walk = found.walk if isinstance(found, leading.Trek) else found
    who = order.who or ((order.what,) if order.what in battle.things else ())
    thing = (order.what,) if order.who and order.what else ()
    cells = (*order.by, *order.to)
    told = sheet.notes(rules, battle, order) if cost is None else ()
    return Offer(who, said, CALLED[order.do], cells, (*thing, *order.animals), order.facing, cost, _way(walk), told)


def _way(walk: Walk | Problem | None) -> tuple[str, ...]:
    """Return the places of a way, from where it begins."""
    return walk.places if isinstance(walk, Walk) else ()
