"""Judges a deed before anything is rolled: what belongs to no phase, entering and leaving the map, leading,
work for a whole turn.

What makes a deed legal is decided by the checks of ``deeds``; here also what a deed may bring about that a
die decides.
"""

from __future__ import annotations

from pbem.core.problem import Path
from pbem.geometry.hex import hex_of
from pbem.rulesets.siege.deeds import deeds
from pbem.rulesets.siege.judge.hearing import Hearing
from pbem.rulesets.siege.orders import carry, grammar
from pbem.rulesets.siege.state.deed import deeds as deed_list
from pbem.rulesets.siege.state.orders import Act


def act(hearing: Hearing, order: Act, path: Path) -> None:
    """Judge a deed: what belongs to no phase, entering and leaving the map, leading, work
    for a whole turn.
    """
    if order.do == "accept-draw" and (problem := carry.no_offer(hearing.battle, hearing.seat)):
        hearing.say(problem, path)
    deed = deed_list(hearing.rules)[order.do]
    if deed.plain is not None:
        hearing.refuse(hearing.battle, "act", order, path)
        return
    who, parties = (
        (order.who or _crew(hearing, order.what) or ("",))[0],
        (*order.who, *_crew(hearing, order.what), *order.animals),
    )
    worlds = list(hearing.outlook.best(who, parties))
    open_ = [world for world in worlds if hearing.why_not(world, "act", order) is None]
    if not open_:
        hearing.refuse(worlds[0], "act", order, path)
        return
    known = all(hearing.outlook.sure_of(party) for party in parties)
    if deed.risks is not None:
        deed.risks(hearing, order)
    sure = (
        known
        and order.what not in hearing.shaken
        and hearing.why_not(hearing.outlook.worst(), "act", order) is None
    )
    if deed.shakes:
        hearing.shaken.add(order.what)
    if not sure:
        places = (*order.to, *order.by)
        if places and not deed.shakes:
            hearing.doubt(path, "barred", unit=who, place=places[0])
        else:
            hearing.doubt(path, "deed", unit=who, order=grammar.say(hearing.rules, order))
    world = hearing.battle if sure else open_[0]
    hearing.outlook.become(world, deeds.after(hearing.rules, world, order), sure)
    for unit in order.who if deed.rolls else ():
        hearing.outlook.did(unit, deed.noted, sure)
    if deed.follows is not None:
        deed.follows(hearing, order, path)


def _crew(hearing: Hearing, engine: str) -> tuple[str, ...]:
    """Return who is named by an order as that which it works with: a figure, or those in the hexes of a
    thing.
    """
    if engine in hearing.battle.units:
        return (engine,)
    at = hearing.battle.things[engine].at if engine in hearing.battle.things else ()
    return tuple(id_ for hex_ in at for id_ in hearing.battle.living_in.get(hex_of(hex_), ()))
