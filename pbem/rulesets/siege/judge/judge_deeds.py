"""Judges a deed before anything is rolled: what belongs to no phase, entering and leaving the map, leading,
work for a whole turn.

What makes a deed legal is decided by the checks of ``deeds``; here also what a deed may bring about that a
die decides.
"""

from __future__ import annotations

from pbem.core.problem import Path
from pbem.geometry.hex import hex_of, neighbours
from pbem.rulesets.siege.deeds import deeds
from pbem.rulesets.siege.judge.judging import Judging
from pbem.rulesets.siege.orders import carry_out, grammar
from pbem.rulesets.siege.state.deed import deeds as deed_list
from pbem.rulesets.siege.state.orders import Act


def act(judging: Judging, order: Act, path: Path) -> None:
    """Judge a deed: what belongs to no phase, entering and leaving the map, leading, work
    for a whole turn.
    """
    if order.do == "accept-draw" and (problem := carry_out.no_offer(judging.battle, judging.seat)):
        judging.say(problem, path)

    deed = deed_list(judging.rules)[order.do]
    if deed.plain is not None:
        judging.refuse(judging.battle, "act", order, path)
        return

    crew = _crew(judging, order.what) or (() if order.who else _beside(judging, order.what))
    who, parties = (*order.who, *crew, "")[0], (*order.who, *crew, *order.animals)
    worlds = list(judging.outlook.best(who, parties))
    open_ = [world for world in worlds if judging.why_not(world, "act", order) is None]
    if not open_:
        judging.refuse(worlds[0], "act", order, path)
        return

    known = all(judging.outlook.sure_of(party) for party in parties)
    if deed.risks is not None:
        deed.risks(judging, order)
    sure = (
        known
        and order.what not in judging.shaken
        and judging.why_not(judging.outlook.worst(), "act", order) is None
    )

    if deed.shakes:
        judging.shaken.add(order.what)
    if not sure:
        places = (*order.to, *order.by)
        if places and not deed.shakes:
            judging.doubt(path, "barred", unit=who, place=places[0])
        else:
            judging.doubt(path, "deed", unit=who, order=grammar.say(judging.rules, order))

    world = judging.battle if sure else open_[0]
    judging.outlook.become(world, deeds.after(judging.rules, world, order), sure)
    for unit in order.who if deed.rolls else ():
        judging.outlook.did(unit, deed.noted, sure)
    if deed.follows is not None:
        deed.follows(judging, order, path)


def _crew(judging: Judging, engine: str) -> tuple[str, ...]:
    """Return who is named by an order as that which it works with: a figure, or those in the hexes of a
    thing.
    """
    if engine in judging.battle.units:
        return (engine,)
    at = judging.battle.things[engine].at if engine in judging.battle.things else ()
    return tuple(id_ for hex_ in at for id_ in judging.battle.living_in.get(hex_of(hex_), ()))


def _beside(judging: Judging, engine: str) -> tuple[str, ...]:
    """Return who of his side stands beside a thing that is served from without, such as a mangonel."""
    battle = judging.battle
    if engine not in battle.things:
        return ()
    around = {there for hex_ in battle.things[engine].at for there in neighbours(hex_of(hex_))}
    near = battle.living_among(around)
    return tuple(id_ for id_ in near if battle.allegiance(battle.units[id_]) == judging.outlook.side)
