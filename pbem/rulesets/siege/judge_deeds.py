"""Judges a deed before anything is rolled: what belongs to no phase, entering and leaving the map, leading, work for a whole turn.

What makes a deed legal is decided by the checks of ``deeds``; here also what a deed may bring about that a die decides.
"""

from __future__ import annotations

from typing import Final

from pbem.core.problem import Path
from pbem.geometry.hex import hex_of
from pbem.rulesets.siege import battering, carry, deeds, grammar, oil, toppling
from pbem.rulesets.siege.hearing import Hearing
from pbem.rulesets.siege.orders import Act

MARKS: Final = {"light": "lit", "topple": "toppled", "pour": "poured", "strike": "struck"}
"""Deed whose outcome a die decides -> the word by which it is known who has done it; that of others is the deed's own."""


def act(hearing: Hearing, order: Act, path: Path) -> None:
    """Judge a deed: what belongs to no phase, entering and leaving the map, leading, work for a whole turn."""
    if order.do == "accept-draw" and (problem := carry.no_offer(hearing.battle, hearing.seat)):
        hearing.say(problem, path)
    if order.do == "stay":
        hearing.refuse(hearing.battle, "act", order, path)
    if order.do in carry.PLAIN:
        return
    who, parties = (order.who or _crew(hearing, order.what) or ("",))[0], (*order.who, *_crew(hearing, order.what), *order.animals)
    worlds = list(hearing.outlook.best(who, parties))
    open_ = [world for world in worlds if hearing.why_not(world, "act", order) is None]
    if not open_:
        hearing.refuse(worlds[0], "act", order, path)
        return
    known = all(hearing.outlook.sure_of(party) for party in parties)
    if order.do == "pour":
        hit, driven = oil.in_danger(hearing.battle, order)
        hearing.outlook.hurt |= hearing.with_horses({*hit, *driven})
        hearing.outlook.adrift |= driven
    if order.do == "topple":
        falling, struck = toppling.in_danger(hearing.battle, order)
        hearing.outlook.hurt |= hearing.with_horses(struck)
        hearing.outlook.adrift |= falling
    sure = known and order.what not in hearing.shaken and hearing.why_not(hearing.outlook.worst(), "act", order) is None
    if order.do == "topple":
        hearing.shaken.add(order.what)
    if not sure:
        places = (*order.to, *order.by)
        if places and order.do != "topple":
            hearing.doubt(path, "barred", unit=who, place=places[0])
        else:
            hearing.doubt(path, "deed", unit=who, order=grammar.say(order))
    world = hearing.battle if sure else open_[0]
    hearing.outlook.become(world, deeds.after(hearing.rules, world, order), sure)
    for unit in order.who if order.do in deeds.ROLLS else ():
        hearing.outlook.did(unit, MARKS.get(order.do, order.do), sure)
    if order.do == "strike":
        hearing.outlook.hurt |= set(hearing.battle.living_among(order.to))
        if battering.may_fall(hearing.rules, hearing.battle, order.to[0]):
            hearing.outlook.adrift |= {*hearing.battle.living_in.get(order.to[0], ())}  # in rubble others reach him, and he them
    if order.do == "light":
        hearing.set_alight(path, map(hex_of, order.to))


def _crew(hearing: Hearing, engine: str) -> tuple[str, ...]:
    """Return who is named by an order as that which it works with: a figure, or those in the hexes of a thing."""
    if engine in hearing.battle.units:
        return (engine,)
    at = hearing.battle.things[engine].at if engine in hearing.battle.things else ()
    return tuple(id_ for hex_ in at for id_ in hearing.battle.living_in.get(hex_of(hex_), ()))
