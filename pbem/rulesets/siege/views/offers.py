"""What ``legal`` lists as something to click on a map, and what a figure could do later in its turn once it
had done one of these.

Who may do what is told by ``legal``, what there is to know of it by ``sheet`` and ``forecast``. What comes
later is asked of the same functions after the engine has carried out the one order: nothing here decides what
is legal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset
from pbem.core.sheet import Forms, Offer
from pbem.geometry import path
from pbem.rulesets.siege.combat import melee_odds
from pbem.rulesets.siege.deeds import attack_orders
from pbem.rulesets.siege.judge import forecast, legal
from pbem.rulesets.siege.judge.legal import Priced
from pbem.rulesets.siege.march import movement, riding, step
from pbem.rulesets.siege.march.walk import Walk
from pbem.rulesets.siege.orders import carry_out, conditions, grammar
from pbem.rulesets.siege.scenario import campaign
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.deed import deeds as deed_list
from pbem.rulesets.siege.state.orders import Act, Attack, FireEngine, Move, Order, Place, Prepare, Ride, Shoot
from pbem.rulesets.siege.state.state import Battle, Unit
from pbem.rulesets.siege.things import names, treks, works
from pbem.rulesets.siege.turn import siege_days
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
        yield from offered(rules, battle, legal.priced(rules, battle, seat, id_))
    for id_ in sorted(battle.things):
        yield from offered(rules, battle, legal.of_thing(rules, battle, seat, id_))


GOES: Final = "goes to"
"""What is offered to who may go somewhere."""
EITHER: Final = (("shoots at", "{who} at {at}", (grammar.NEAREST,)), (GOES, "{who} to {at}", ()))
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


# --- one offer


class Ways:
    """The ways of figures over a battle: where each may go, by one search, with the way that
    ``movement.plan`` finds to each of these ends.
    """

    def __init__(self, rules: Rules, battle: Battle) -> None:
        self.rules, self.battle = rules, battle
        self._found: dict[str, Mapping[str, Walk]] = {}

    def of(self, unit: Unit) -> Mapping[str, Walk]:
        """Return where a figure may end a move, with its way: by place, of two hexes by head and facing."""
        if unit.id not in self._found:
            self._found[unit.id] = self._walks(unit, step.points(self.rules, self.battle, unit))
        return self._found[unit.id]

    def _walks(self, unit: Unit, points: int) -> Mapping[str, Walk]:
        long = riding.two_hexes(unit)
        search = riding.reach if long else movement.reach
        reached = search(self.rules, self.battle, unit, points)
        ways = {end: (path.way(reached, end), cost) for end, (cost, _) in reached.items()}
        if long:
            return {end: riding.as_walk(way, cost, points) for end, (way, cost) in ways.items()}
        return {end: Walk(way, cost, points) for end, (way, cost) in ways.items()}

    def walk(self, order: Move) -> Walk | Problem:
        """Return the way of a move that is legal."""
        unit = self.battle.units[order.who]
        if len(order.to) > 1 or not unit.at:
            return movement.plan(self.rules, self.battle, order)
        end = f"{order.to[0]} {order.facing}" if riding.two_hexes(unit) else order.to[0]
        found = self.of(unit).get(end)
        return movement.plan(self.rules, self.battle, order) if found is None else found


def offered(rules: Rules, battle: Battle, orders: Iterable[Priced]) -> Iterator[Offer]:
    """Yield legal orders as something to click."""
    ways = Ways(rules, battle)
    for order, cost in orders:
        if isinstance(order, Move):
            yield going(rules, order, ways.walk(order), cost)
        else:
            yield _offer(rules, battle, order, cost)


def going(rules: Rules, order: Move, walk: Walk | Problem, cost: int | None = None) -> Offer:
    """Return a move as something to click; ``cost`` is that of its way, where it is not told."""
    spent = walk.cost if cost is None and isinstance(walk, Walk) else cost
    said = grammar.say(rules, order)
    return Offer((order.who,), said, GOES, order.to, facing=order.facing, cost=spent, way=_way(walk))


def order_of(rules: Rules, battle: Battle, offer: Offer) -> Order | Problem:
    """Return the order that an offer of the open phase is, or what is wrong with its sentence."""
    if offer.kind == GOES:  # most are; their sentences need not be read
        return Move(offer.who[0], offer.cells, offer.facing)
    return grammar.read(rules, family.heading(rules, battle), offer.sentence)


def _offer(rules: Rules, battle: Battle, order: Order, cost: int | None) -> Offer:
    """Return any other order as something to click."""
    said = grammar.say(rules, order)
    match order:
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
            return about_attack(rules, battle, order, said)
        case Act():
            return _deed(rules, battle, order, said, cost)
        case _:
            return Offer(names.who(order), said, "")


def said_together(rules: Rules, targets: tuple[str, ...]) -> str:
    """Return the sentence of an attack by several, with ``{who}`` where their names stand."""
    return grammar.say(rules, Attack(("{who}", "{who}"), targets)).replace("{who}, {who}", "{who}")


def about_attack(rules: Rules, battle: Battle, order: Attack, said: str, joiners: bool = True) -> Offer:
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
        joined=said_together(rules, order.at) if len(order.at) == 1 else "",
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
    shot = sheet.of_shot(rules, battle, order)
    label = f"{sum(shot.worth)}/{shot.faces}" if shot.faces else ""
    return Offer((order.who,), said, kind, cells, targets, notes=shot.notes, label=label)


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
