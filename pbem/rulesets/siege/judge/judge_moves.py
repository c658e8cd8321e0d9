"""Judges a move before anything is rolled: to the first of its places that can be reached, or as far as its
way goes.

What makes a step legal is decided in ``movement``; here it is asked in the worlds that may come, after which
a figure may stand in several places.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from pbem.core.problem import Path
from pbem.rulesets.siege.ground import flames
from pbem.rulesets.siege.judge.hearing import Hearing
from pbem.rulesets.siege.march import movement, riding, step
from pbem.rulesets.siege.state.events import ThingMoved
from pbem.rulesets.siege.state.happening import apply
from pbem.rulesets.siege.state.orders import Move, MoveBy
from pbem.rulesets.siege.things import bearing, burning

SECTION: Final[Path] = ("move",)
"""Where it is said what comes of having no order there."""


def move(hearing: Hearing, order: Move, path: Path) -> None:
    """Judge a move: to the first of its places that can be reached."""
    begun = hearing.outlook.where(order.who)
    possible: list[str] = []
    sure = False
    for place in order.to:
        single = replace(order, to=(place,)) if len(order.to) > 1 else order
        sure = _sure(hearing, single)
        if sure or _possible(hearing, single):
            possible += _ends(hearing, single)
        if sure:
            break
    if not possible:
        hearing.refuse(next(hearing.outlook.best(order.who)), "move", order, path)
        return
    if not sure:
        _doubt(hearing, order, path, possible[0])
    cost, load = _on_the_way(hearing, order)
    hearing.outlook.did(order.who, "moved", sure)
    hearing.outlook.place(order.who, possible if sure else (*possible, *begun), cost)
    _bring(hearing, order.who, load)


def move_by(hearing: Hearing, order: MoveBy, path: Path) -> None:
    """Judge a move by a way: it goes as far as it can."""
    begun = hearing.outlook.where(order.who)
    sure = _sure(hearing, order)
    if not sure and not _possible(hearing, order):
        hearing.refuse(next(hearing.outlook.best(order.who)), "move", order, path)
        # it would go as far as it can
        hearing.outlook.place(order.who, (*begun, *_ends(hearing, order, on_the_way=True)))
        hearing.outlook.did(order.who, "moved", sure=False)
        return
    if not sure:
        _doubt(hearing, order, path, order.path[-1])
    cost, load = _on_the_way(hearing, order)
    hearing.outlook.did(order.who, "moved", sure)
    hearing.outlook.place(
        order.who, _ends(hearing, order) if sure else (*_ends(hearing, order, on_the_way=True), *begun), cost
    )
    _bring(hearing, order.who, load)


def _ends(hearing: Hearing, order: Move | MoveBy, on_the_way: bool = False) -> list[str]:
    """Return how a figure may stand at the end of a move, or anywhere on its way; of two hexes that depends
    on what it meets.
    """
    unit = hearing.battle.units[order.who]
    if not riding.two_hexes(unit):
        places = [*order.to] if isinstance(order, Move) else [*reversed(order.path)]
        return places if on_the_way else places[:1]
    found: dict[str, None] = {}
    for world in (hearing.battle, hearing.outlook.worst(), *hearing.outlook.best(order.who)):
        walk = movement.plan(hearing.rules, world, order) if len(world.units[order.who].at) == 2 else None
        if isinstance(walk, step.Walk):
            stands = [" ".join(pair) for pair in zip(walk.places, walk.tails, strict=True)]
            found.update(dict.fromkeys(reversed(stands) if on_the_way else stands[-1:]))
    return list(found)


def _on_the_way(hearing: Hearing, order: Move | MoveBy) -> tuple[int, ThingMoved | None]:
    """Return what a move costs, and what of the figure's would go along with it; only with things can more
    follow in the same phase.
    """
    walk = movement.plan(hearing.rules, hearing.battle, order) if hearing.battle.things else None
    return (
        (walk.cost, bearing.goes_along(hearing.battle, order, walk))
        if isinstance(walk, step.Walk)
        else (0, None)
    )


def _bring(hearing: Hearing, unit: str, load: ThingMoved | None) -> None:
    """Let a figure's load be where the figure is now."""
    if load is not None:
        hearing.outlook.battle = apply(hearing.battle, replace(load, at=hearing.battle.units[unit].at))


def stays_in_the_fire(hearing: Hearing) -> None:
    """Say of each figure that stays in a fire, or on a tower that burns, though it could go elsewhere, what
    becomes of it.
    """
    for id_ in sorted(hearing.own()) if flames.fires(hearing.battle) else ():
        unit = hearing.battle.units[id_]
        burns = (
            burning.in_danger(hearing.battle, unit)
            if hearing.outlook.sure_of(id_) and unit.owner == hearing.seat
            else ""
        )
        if not burns or movement.time_to_move(hearing.rules, hearing.battle, unit):
            continue
        ends = movement.reach(
            hearing.rules, hearing.battle, unit, step.points(hearing.rules, hearing.battle, unit)
        )
        if any(not burning.in_danger(hearing.battle, replace(unit, at=(end,))) for end in ends):
            if burns in hearing.battle.things:
                hearing.doubt(SECTION, "stays-on-fire", "S3.55a", unit=id_, what=burns)
            else:
                hearing.doubt(SECTION, "stays-in-fire", "S3.54a", unit=id_, place=unit.at[0])


def _sure(hearing: Hearing, order: Move | MoveBy) -> bool:
    """Tell whether a move is legal even in the worst of worlds."""
    return (
        hearing.outlook.sure_of(order.who) and hearing.why_not(hearing.outlook.worst(), "move", order) is None
    )


def _possible(hearing: Hearing, order: Move | MoveBy) -> bool:
    """Tell whether a move is legal in the best of worlds."""
    if hearing.outlook.certain:
        return False
    return any(hearing.why_not(world, "move", order) is None for world in hearing.outlook.best(order.who))


def _doubt(hearing: Hearing, order: Move | MoveBy, path: Path, place: str) -> None:
    """Say why a move may not get where it should."""
    problem = hearing.why_not(hearing.outlook.worst(), "move", order)
    rule = problem.rule if problem else ""
    place = place.partition(" ")[0]
    holder = hearing.battle.standing_at.get(place, "")
    if problem and problem.code == "sequence.has-shot":
        hearing.doubt(path, "has-shot", rule, unit=order.who)
    elif holder:
        hearing.doubt(path, "held", rule, unit=order.who, place=place, holder=holder)
    else:
        hearing.doubt(path, "barred", rule, unit=order.who, place=place)
