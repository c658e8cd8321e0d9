"""Judges a move before anything is rolled: to the first of its places that can be reached, or as far as its
way goes.

What makes a step legal is decided in ``movement``; here it is asked in the worlds that may come, after which
a figure may stand in several places.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from pbem.core.problem import Path
from pbem.rulesets.siege.ground import flames
from pbem.rulesets.siege.judge.judging import Judging
from pbem.rulesets.siege.march import movement, riding, step
from pbem.rulesets.siege.march.walk import Walk
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.events import ThingMoved
from pbem.rulesets.siege.state.happening import apply
from pbem.rulesets.siege.state.orders import Move, MoveBy
from pbem.rulesets.siege.things import bearing, burning

SECTION: Final[Path] = ("move",)
"""Where it is said what comes of having no order there."""


def move(judging: Judging, order: Move, path: Path) -> None:
    """Judge a move: to the first of its places that can be reached."""
    possible: list[str] = []
    sure = False
    for place in order.to:
        single = replace(order, to=(place,)) if len(order.to) > 1 else order
        sure = _sure(judging, single)
        if sure or _possible(judging, single):
            possible += _ends(judging, single)
        if sure:
            break
    if not possible:
        judging.refuse(next(judging.outlook.best(order.who)), "move", order, path)
        return
    if not sure:
        _doubt(judging, order, path, possible[0])
    cost, load = _on_the_way(judging, order)
    places = possible if sure else (*possible, *judging.outlook.where(order.who))
    judging.outlook.moved(order.who, places, sure, cost)
    _bring(judging, order.who, load)


def move_by(judging: Judging, order: MoveBy, path: Path) -> None:
    """Judge a move by a way: it goes as far as it can."""
    begun = judging.outlook.where(order.who)
    sure = _sure(judging, order)
    if not sure and not _possible(judging, order):
        judging.refuse(next(judging.outlook.best(order.who)), "move", order, path)
        # it would go as far as it can
        judging.outlook.place(order.who, (*begun, *_ends(judging, order, on_the_way=True)))
        judging.outlook.did(order.who, "moved", sure=False)
        return
    if not sure:
        _doubt(judging, order, path, order.path[-1])
    cost, load = _on_the_way(judging, order)
    judging.outlook.did(order.who, "moved", sure)
    judging.outlook.place(
        order.who, _ends(judging, order) if sure else (*_ends(judging, order, on_the_way=True), *begun), cost
    )
    _bring(judging, order.who, load)


def _ends(judging: Judging, order: Move | MoveBy, on_the_way: bool = False) -> list[str]:
    """Return how a figure may stand at the end of a move, or anywhere on its way; of two hexes that depends
    on what it meets.
    """
    unit = judging.battle.units[order.who]
    if not riding.two_hexes(unit):
        places = [*order.to] if isinstance(order, Move) else [*reversed(order.path)]
        return places if on_the_way else places[:1]
    found: dict[str, None] = {}
    for world in (judging.battle, judging.outlook.worst(), *judging.outlook.best(order.who)):
        walk = movement.plan(judging.rules, world, order) if len(world.units[order.who].at) == 2 else None
        if isinstance(walk, Walk):
            stands = [" ".join(pair) for pair in zip(walk.places, walk.tails, strict=True)]
            found.update(dict.fromkeys(reversed(stands) if on_the_way else stands[-1:]))
    return list(found)


def _on_the_way(judging: Judging, order: Move | MoveBy) -> tuple[int, ThingMoved | None]:
    """Return what a move costs, and what of the figure's would go along with it; without things nothing more
    follows in the same phase, and the cost need not be known unless it is noted.
    """
    needed = judging.battle.things or family.phases(judging.rules).noted
    walk = movement.plan(judging.rules, judging.battle, order) if needed else None
    return (
        (walk.cost, bearing.goes_along(judging.rules, judging.battle, order, walk))
        if isinstance(walk, Walk)
        else (0, None)
    )


def _bring(judging: Judging, unit: str, load: ThingMoved | None) -> None:
    """Let a figure's load be where the figure is now."""
    if load is not None:
        judging.outlook.battle = apply(judging.battle, replace(load, at=judging.battle.units[unit].at))


def stays_in_the_fire(judging: Judging) -> None:
    """Say of each figure that stays in a fire, or on a tower that burns, though it could go elsewhere, what
    becomes of it.
    """
    for id_ in sorted(judging.own()) if flames.fires(judging.battle) else ():
        unit = judging.battle.units[id_]
        burns = (
            burning.in_danger(judging.battle, unit)
            if judging.outlook.sure_of(id_) and unit.owner == judging.seat
            else ""
        )
        if not burns or movement.time_to_move(judging.rules, judging.battle, unit):
            continue
        ends = movement.reach(
            judging.rules, judging.battle, unit, step.points(judging.rules, judging.battle, unit)
        )
        if any(not burning.in_danger(judging.battle, replace(unit, at=(end,))) for end in ends):
            if burns in judging.battle.things:
                judging.doubt(SECTION, "stays-on-fire", "S3.55a", unit=id_, what=burns)
            else:
                judging.doubt(SECTION, "stays-in-fire", "S3.54a", unit=id_, place=unit.at[0])


def _sure(judging: Judging, order: Move | MoveBy) -> bool:
    """Tell whether a move is legal even in the worst of worlds."""
    return (
        judging.outlook.sure_of(order.who) and judging.why_not(judging.outlook.worst(), "move", order) is None
    )


def _possible(judging: Judging, order: Move | MoveBy) -> bool:
    """Tell whether a move is legal in the best of worlds."""
    if judging.outlook.certain:
        return False
    return any(judging.why_not(world, "move", order) is None for world in judging.outlook.best(order.who))


def _doubt(judging: Judging, order: Move | MoveBy, path: Path, place: str) -> None:
    """Say why a move may not get where it should."""
    problem = judging.why_not(judging.outlook.worst(), "move", order)
    rule = problem.rule if problem else ""
    place = place.partition(" ")[0]
    holder = judging.battle.standing_at.get(place, "")
    if problem and problem.code == "sequence.has-shot":
        judging.doubt(path, "has-shot", rule, unit=order.who)
    elif holder:
        judging.doubt(path, "held", rule, unit=order.who, place=place, holder=holder)
    else:
        judging.doubt(path, "barred", rule, unit=order.who, place=place)
