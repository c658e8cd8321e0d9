"""What a figure could do later in its turn once it had done one of its offers: alone, with others, or where
another made way for it.

All of it is asked of the functions that list what is legal now, after the engine has carried out the one
order: nothing here decides what is legal. Thousands of orders are looked at, so what several of them share is
worked out once: the ways of a figure by one search, and what comes of orders that leave the same battle (at
whomever somebody shoots, he has shot).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import Final

from msgspec.structs import replace

from pbem.core.dice import NoDice, NoDiceError
from pbem.core.play import Play, Stopped
from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset
from pbem.core.sheet import Offer
from pbem.geometry import path
from pbem.geometry.hex import around, distance, hex_of
from pbem.rulesets.siege.combat import may_attack, melee_odds
from pbem.rulesets.siege.deeds import deeds
from pbem.rulesets.siege.judge import legal
from pbem.rulesets.siege.march import movement, riding, step
from pbem.rulesets.siege.march.walk import Walk
from pbem.rulesets.siege.orders import grammar
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.deed import deeds as deed_list
from pbem.rulesets.siege.state.deed import of as deed_of
from pbem.rulesets.siege.state.happening import apply
from pbem.rulesets.siege.state.orders import Act, Attack, FireEngine, Move, MoveBy, Order, Shoot
from pbem.rulesets.siege.state.state import Battle, Unit
from pbem.rulesets.siege.things import bearing, names
from pbem.rulesets.siege.turn import sequence
from pbem.rulesets.siege.views.offers import about_attack, going, offered, order_of, said_together

Rules = Ruleset[Battle]
Onward = tuple[str, str, tuple[Offer, ...]]
"""A figure, a phase of its player turn, and what it could do in it."""


def onward(rules: Rules, battle: Battle, seat: str) -> Callable[[Offer], Sequence[Onward]]:
    """Return what tells of an offer, for each of its figures and each phase to the end of the player turn,
    what he could do in it after that and no more.

    In the open phase that is what may stand in the next line for the same figures; in melee there are, beside
    what is legal, offers without a sentence: enemies that he could only strike together with others. Nothing
    at all where dice decide what comes of the offer.
    """
    return _Ahead(rules, battle, seat).of


class _Ahead:
    """The open phase of a seat, and what its offers leave; what has been worked out holds for this battle
    alone, which never changes.
    """

    def __init__(self, rules: Rules, battle: Battle, seat: str) -> None:
        self.rules, self.battle, self.seat = rules, battle, seat
        listed = [phase.id for phase in rules.sequence.phases if phase.heading]
        now = battle.at.phase
        self.later = listed[listed.index(now) + 1 :] if now in listed else None
        self._known: dict[tuple[object, ...], tuple[Onward, ...]] = {}
        self._points: dict[str, int] = {}
        _ = battle.living_of, battle.seats_of  # whatever battle comes of this one has them of it

    def of(self, offer: Offer) -> tuple[Onward, ...]:
        """Return what the figures of an offer could do once it was carried out."""
        battle = self.battle
        figures = [who for who in offer.who if who in battle.units and battle.units[who].owner == self.seat]
        order = order_of(self.rules, battle, offer)
        if isinstance(order, Problem) or self.later is None or not figures:
            return ()
        try:
            after = self.done(order, offer)
        except (NoDiceError, Stopped):
            return ()
        if after.things is not battle.things or after.features is not battle.features:
            return tuple(self._ahead(after, order, figures))
        left = (
            *figures,
            order.deed,
            names.who(order),
            # nobody comes or goes, so both hold the same figures in the same order
            *(
                unit
                for unit, was in zip(after.units.values(), battle.units.values(), strict=True)
                if unit is not was
            ),
            *after.spent.items(),
        )
        if left not in self._known:
            self._known[left] = tuple(self._ahead(after, order, figures))
        return self._known[left]

    def _ahead(self, after: Battle, order: Order, figures: Sequence[str]) -> Iterator[Onward]:
        then = {
            phase: after.changed(at=replace(after.at, phase=phase), spent={}) for phase in self.later or ()
        }
        for unit in figures:
            yield unit, after.at.phase, tuple(_next_line(self.rules, after, self.seat, order, unit))
            for phase, state in then.items():
                found = tuple(offered(self.rules, state, legal.priced(self.rules, state, self.seat, unit)))
                yield unit, phase, (*found, *_in_company(self.rules, state, self.seat, unit, found))

    def done(self, order: Order, offer: Offer) -> Battle:
        """Return the battle after one order; after a shot it is known only who has shot, and where friends
        stand now they have gone by then.
        """
        rules, battle = self.rules, self.battle
        match order:
            case Move():
                return self._moved(order, offer)
            case MoveBy():
                play = _play(battle)
                deeds.move(rules, play, self.seat, order)
                return play.state
            case Act():
                deed = deed_of(rules, order)
                if deed is None or deed.do is None or deed.rolls:
                    return deeds.after(rules, battle, order)
                play = _play(battle)
                # that it is legal is known, and to ask again takes long where two carry something
                deed.do(rules, play, order)
                return play.state
            case Shoot() | FireEngine():
                unit = battle.units[order.who]
                return battle.with_units(replace(unit, did=(*unit.did, "shot")))
            case _:
                return battle

    def _moved(self, order: Move, offer: Offer) -> Battle:
        """Return the battle after a move by the way that its offer names; where a figure of the seat stands
        there, it has gone.
        """
        battle, unit = self.battle, self.battle.units[order.who]
        friends = [
            battle.units[id_]
            for id_ in battle.living_among(map(hex_of, order.to))
            if id_ != order.who and battle.units[id_].owner == self.seat
        ]
        gone = [replace(friend, at=()) for friend in friends]
        if riding.two_hexes(unit) or not offer.way or offer.cost is None:
            play = _play(battle)
            if deeds.move(self.rules, play, self.seat, order) is not None:
                play = _play(battle.with_units(*gone))
                deeds.move(self.rules, play, self.seat, order)
            return play.state
        held = any(place in friend.at for friend in friends for place in order.to)
        play = _play(battle.with_units(*gone) if held else battle)
        deeds.go(self.rules, play, order, Walk(offer.way, offer.cost, self._points_of(unit)))
        return play.state

    def _points_of(self, unit: Unit) -> int:
        if unit.id not in self._points:
            self._points[unit.id] = step.points(self.rules, self.battle, unit)
        return self._points[unit.id]


def _play(battle: Battle) -> Play[Battle]:
    return Play(battle, str(battle.at), apply, NoDice())


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
    ahead = _Ahead(rules, battle, seat)
    for place, offer in enumerate(chosen):
        one = _afterwards(ahead, offer)
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
                        about_attack(rules, there, order, grammar.say(rules, order), joiners=False),
                    )


MOST_TOGETHER: Final = 4
"""Of parties that attack together, how many figures the largest has of which the odds are told before anybody
has moved.
"""


def _afterwards(ahead: _Ahead, offer: Offer) -> Unit | None:
    """Return the first figure of an offer after it; None where that is not known."""
    battle = ahead.battle
    if not offer.who or offer.who[0] not in battle.units:
        return None
    if not offer.sentence:
        return battle.units[offer.who[0]]
    order = order_of(ahead.rules, battle, offer)
    if isinstance(order, Problem):
        return None
    try:
        return ahead.done(order, offer).units[offer.who[0]]
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
    bears = {id_ for thing in battle.things.values() for id_ in thing.by}
    able = {unit.id: step.points(rules, battle, unit) for unit in movers}
    for first in movers:
        gone = battle.with_units(replace(first, at=()))
        for unit in movers:
            points = able[unit.id]
            if (
                unit.id == first.id
                or riding.two_hexes(unit)
                or distance(hex_of(unit.at[0]), hex_of(first.at[0])) > points
            ):
                continue
            reached = movement.reach(rules, battle, unit, points)
            for place in first.at:
                if place in reached:
                    continue
                known = None if {first.id, first.on} & bears else path.way_as_far_as(reached, place)
                if known is not None and movement.may_end(rules, gone, unit, place):
                    # the ways that led through there end there now, for he has left it with empty hands
                    walk: Walk | Problem = Walk(known.places, known.cost, points)
                else:
                    walk = movement.to(rules, gone, unit, place, points)
                if isinstance(walk, Walk):
                    sides = bearing.sides(rules, gone, unit, place, points - walk.cost)
                    for side in sides:
                        order = Move(unit.id, (place,), side)
                        yield first.id, going(rules, order, walk)


def _next_line(rules: Rules, after: Battle, seat: str, first: Order, unit: str) -> Iterator[Offer]:
    """Yield what the figures of an order may be ordered to do in the next line of its section."""
    every = deed_list(rules)
    following = every.following[first.deed]
    if not following or not isinstance(first, Move | MoveBy | Act):
        return
    alone = every[first.deed].parts
    found = [
        (order, cost)
        for order, cost in legal.of_kinds(rules, after, seat, unit, following)
        if alone or names.who(order) == names.who(first)
    ]
    if any(every[id_].joined for id_ in following):
        joint = legal.by_two(rules, after, seat, unit)
        found += [(order, cost) for order, cost in joint if every[order.do].joined]
    yield from offered(rules, after, found)


def _in_company(
    rules: Rules, battle: Battle, seat: str, unit: str, found: Iterable[Offer]
) -> Iterator[Offer]:
    """Yield the enemies that a figure could strike where it stands, but not alone."""
    one = battle.units[unit]
    if battle.at.phase != family.phases(rules).fights or one.owner != seat or not one.at:
        return
    alone = {offer.targets for offer in found if len(offer.who) == 1}
    beside = battle.living_among(around(one.hexes))
    for foe in sorted(id_ for id_ in beside if battle.foes(one, battle.units[id_])):
        if (foe,) not in alone and may_attack.pair_why_not(rules, battle, one, battle.units[foe]) is None:
            force = melee_odds.force(rules, battle, [one], [battle.units[foe]])
            told = f"{force[0]} against {force[1]}: not enough alone"
            yield Offer(
                (unit,),
                "",
                "joins in attacking",
                targets=(foe,),
                notes=(told,),
                joined=said_together(rules, (foe,)),
            )
