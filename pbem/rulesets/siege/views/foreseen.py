"""The orders of one file on the map, before anything is rolled: own ways, shots and attacks as they go if no
die hurts anybody.

What may come out otherwise is said by the doubts of ``judge``. Orders that hang on a condition which dice
decide are left out: nobody knows yet which of them will be carried out. Only the file's own orders are here;
what others ordered is not known to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.core.ruleset import Judgement, Ruleset
from pbem.core.scene import Scene, Trace
from pbem.geometry.hex import centre, distance, hex_of
from pbem.rulesets.siege.combat import aiming, fire_arrows, melee_odds, shooting, volleys
from pbem.rulesets.siege.judge import forecast
from pbem.rulesets.siege.judge.judge import Step
from pbem.rulesets.siege.march import movement
from pbem.rulesets.siege.march.walk import Walk
from pbem.rulesets.siege.state import traces
from pbem.rulesets.siege.state.deed import deeds
from pbem.rulesets.siege.state.orders import Act, Attack, FireEngine, Line, Move, MoveBy, Order, Place, Shoot
from pbem.rulesets.siege.state.state import Battle
from pbem.rulesets.siege.things import treks
from pbem.rulesets.siege.views import scene

Rules = Ruleset[Battle]
Event = Mapping[str, Any]


def foreseen(rules: Rules, judgement: Judgement, side: str | None = None, title: str = "") -> Scene | None:
    """Return the scene in which a file's orders are carried out, as its own side sees it; None where none of
    them shows on a map.
    """
    if not isinstance(judgement.after, Battle):
        return None
    steps = [step for step in certain(judgement.course) if not step.refused]
    events = [
        event
        for step in steps
        if isinstance(step.item, Line)
        for event in _events(rules, step.battle, step.item.order)
    ]
    aims = [
        trace
        for step in steps
        if isinstance(step.item, Line)
        for trace in _aims(rules, step.battle, step.item.order)
    ]
    if not events and not aims:
        return None
    shown = scene.scene(rules, judgement.after, events, side, title)
    return replace(shown, traces=(*shown.traces, *aims))


def certain(course: Sequence[Step]) -> Iterator[Step]:
    """Yield the steps that are reached whatever the dice say: those in a branch that dice decide are left
    out.
    """
    undecided = -1
    for step in course:
        if 0 <= undecided < step.depth:
            continue
        undecided = step.depth if not isinstance(step.item, Line) and step.taken is None else -1
        yield step


# --- ways


def _events(rules: Rules, battle: Battle, order: Order) -> Iterator[Event]:
    """Yield the ways of an order as the scene knows them: plain events of which it shows the arrow."""
    match order:
        case Move() | MoveBy():
            walk = movement.plan(rules, battle, order)
            if isinstance(walk, Walk):
                yield _moved("Moved", order.who, walk.places, walk.tails)
        case Place():
            yield {"type": "Placed", "unit": order.who, "at": order.at}
        case Act() if (shown := deeds(rules)[order.do].shown) is not None:
            yield from shown(rules, battle, order)
        case Act():
            yield from _deed(rules, battle, order)


def _deed(rules: Rules, battle: Battle, order: Act) -> Iterator[Event]:
    found = forecast.way_of(rules, battle, order)
    if found is None or isinstance(found, Problem):
        return
    walk = found.walk if isinstance(found, treks.Trek) else found
    yield _moved("Entered" if order.do == "enter" else "Moved", order.who[0], walk.places, walk.tails)
    if isinstance(found, treks.Trek):
        for link, way in found.ways:
            if not link.wagon and len(way) > len(link.at):
                yield _moved("Moved", link.id, *((way[1:], way[:-1]) if len(link.at) > 1 else (way, ())))
    if order.do == "leave":
        yield {"type": "Left", "unit": order.who[0], "at": walk.places[-1]}


def _moved(type_: str, unit: str, path: Sequence[str], tails: Sequence[str]) -> Event:
    return {"type": type_, "unit": unit, "path": tuple(path), "tails": tuple(tails)}


# --- shots and attacks


def _aims(rules: Rules, battle: Battle, order: Order) -> Iterator[Trace]:
    match order:
        case Shoot() if order.fire:
            found = fire_arrows.choose(rules, battle, order)
            if isinstance(found, tuple):
                yield _shot(battle, order.who, order.who, found[0].id, found[0].hexes)
            elif not isinstance(found, list):
                yield _shot(battle, order.who, order.who, found.name, (found.hex,))
        case Shoot():
            if aiming.not_ready(rules, battle, battle.units[order.who]) is None:
                chosen = shooting.choose(rules, battle, battle.units[order.who], order.at)
                if not isinstance(chosen, list):
                    yield _shot(battle, order.who, order.who, chosen[0].id, chosen[0].hexes)
        case FireEngine():
            if volleys.not_ready(rules, battle, order) is None:
                aimed = volleys.choose(rules, battle, order)
                if not isinstance(aimed, list):
                    yield _shot(battle, order.engine, order.who, aimed[0].id, aimed[0].hexes)
        case Attack():
            yield from _attack(rules, battle, order)
        case Act() if (drawn := deeds(rules)[order.do].drawn) and order.to:
            yield from _line(battle, order, drawn)


def _line(battle: Battle, order: Act, drawn: str) -> Iterator[Trace]:
    """Yield a line from who does something, or the engine it is done with, to where; none where he is not on
    the map.
    """
    if order.who:
        by, side, at = order.who[0], traces.shown_as(battle, order.who[0]), battle.units[order.who[0]].at
    else:
        engine = battle.things[order.what]
        by, side, at = engine.id, engine.side, engine.at
    if at:
        yield Trace(drawn, side, (centre(hex_of(at[0])), centre(hex_of(order.to[0]))), (by,), tuple(order.to))


def _shot(battle: Battle, by: str, shooter: str, target: str, hexes: Sequence[str]) -> Trace:
    """Return the line of a shot; that of an engine begins where the engine stands."""
    places = battle.things[by].at if by in battle.things else battle.units[shooter].at
    ends = (centre(hex_of(places[0])), centre(hex_of(hexes[0])))
    return Trace("shot", traces.shown_as(battle, shooter), ends, (shooter,), (target,))


def _attack(rules: Rules, battle: Battle, order: Attack) -> Iterator[Trace]:
    """Yield an attack, as the map shows one: a rim round all who take part, swords between the nearest, the
    column beside them.
    """
    attackers = [hexes for id_ in order.who if (hexes := battle.units[id_].hexes)]
    defenders = [hexes for id_ in order.at if (hexes := battle.units[id_].hexes)]
    if not attackers or not defenders:
        return
    path = tuple(centre(hex_) for hex_ in (*_nearest(attackers, defenders), *_nearest(defenders, attackers)))
    ours, theirs = [battle.units[id_] for id_ in order.who], [battle.units[id_] for id_ in order.at]
    text = melee_odds.combat(rules, battle, ours, theirs).heading
    yield Trace("fight", traces.shown_as(battle, order.who[0]), path, tuple(order.who), tuple(order.at), text)


def _nearest(these: Sequence[Sequence[str]], those: Sequence[Sequence[str]]) -> Iterator[str]:
    far = [hex_of(hex_) for hexes in those for hex_ in hexes]
    for hexes in these:
        yield min(map(hex_of, hexes), key=lambda hex_: min(distance(hex_, other) for other in far))
