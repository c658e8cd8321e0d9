"""Judges a shot before anything is rolled: it is fine if one of its targets can be shot at whatever happens.

What makes a shot legal is decided in ``aiming``, ``ballista`` and ``fire_arrows``; here it is asked in the
worlds that may come.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from pbem.core.problem import Path, Problem, first_problem
from pbem.geometry.hex import distance, hex_of
from pbem.rulesets.siege.combat import aiming, misfire, shooting
from pbem.rulesets.siege.judge import judge_panic
from pbem.rulesets.siege.judge.judging import BY_PLACE, Judging
from pbem.rulesets.siege.orders.grammar import NEAREST
from pbem.rulesets.siege.state.orders import FireEngine, Shoot
from pbem.rulesets.siege.state.state import Battle


def shoot(judging: Judging, order: Shoot | FireEngine, path: Path) -> None:
    """Judge a shot: it is fine if one of its targets can be shot at whatever happens."""
    hit: set[str] = set()
    sure = False
    idle: list[str] = []  # whom it is all one to hit, so that they are asked about last

    for target in order.at:
        for aim in _aims(judging, order.who, target):
            if _says_nothing(judging, order, aim):
                idle.append(aim)
                continue
            aimed = _at(order, aim)
            if target == NEAREST and _hopeless(judging, aimed, aim):
                continue  # of many only some can be seen at all
            sure = _sure(judging, aimed, aim)
            if sure or _possible(judging, aimed, aim):
                hit.add(_stands_in(judging, order.who, aim))
            if sure:
                break
        if sure:
            break

    if not hit and not any(_may_hit(judging, _at(order, aim), aim) for aim in idle):
        keep = {_stands_in(judging, order.who, target) for target in order.at}
        judging.refuse(
            next(judging.outlook.best(order.who, _mounted(judging, keep))), order.deed, order, path
        )
        return

    if not sure:
        _doubt(judging, order, path)
    judging.outlook.did(order.who, "shot", sure)
    if isinstance(order, FireEngine):
        _emptied(judging, order.engine)
    elif order.fire:
        judging.set_alight(path, [hex_ for target in hit for hex_ in _hexes_of(judging, target)])

    battle = judging.battle
    living, units = battle.living_in, battle.units
    meant = {unit for target in hit for unit in living.get(target, (target,)) if unit in units}
    hit = judging.with_horses(meant | _in_danger(judging, order.who, meant))

    judging.outlook.hurt |= hit
    judging.outlook.unsay(hit)
    judge_panic.frighten(judging.rules, judging.outlook, judging.foes)


def _at(order: Shoot | FireEngine, target: str) -> Shoot | FireEngine:
    """Return an order to shoot at one of its targets alone."""
    return order if order.at == (target,) else replace(order, at=(target,))


def _says_nothing(judging: Judging, order: Shoot | FireEngine, target: str) -> bool:
    """Tell whether it is all one if a target of a shot can be hit, as long as some other can: a figure, and
    the horse with it, that may be hurt already, so that nobody is sure of it, and of which no condition has
    said how it is.
    """
    outlook = judging.outlook
    if target not in outlook.hurt or target not in judging.battle.units:
        return False
    return not misfire.ban_is_lifted(judging.rules) and all(
        one in outlook.hurt and one not in outlook.known for one in judging.with_horses((target,))
    )


def _emptied(judging: Judging, engine: str) -> None:
    """Let an engine have shot, so that it is not loaded any more."""
    empty = replace(judging.battle.things[engine], loaded=0, struck=str(judging.battle.at))
    judging.outlook.battle = judging.battle.changed(things={**judging.battle.things, engine: empty})


def _hexes_of(judging: Judging, target: str) -> tuple[str, ...]:
    """Return the hexes of what fire arrows are shot at: of a thing all, of a figure none."""
    places = (
        judging.battle.things[target].at
        if target in judging.battle.things
        else (target,)
        if target[0].isdigit()
        else ()
    )
    return tuple(map(hex_of, places))


def _in_danger(judging: Judging, shooter: str, targets: Iterable[str]) -> set[str]:
    """Return the shooter's own figures that a shot may hit if it misses (option)."""
    if not misfire.ban_is_lifted(judging.rules):
        return set()
    hexes = {hex_ for target in targets for hex_ in judging.battle.units[target].hexes}
    who = judging.battle.units[shooter]
    near = {friend for hex_ in hexes for friend in misfire.beside(judging.rules, judging.battle, who, hex_)}
    return near | ({*judging.outlook.adrift, *judging.outlook.places} & judging.own())


def _aims(judging: Judging, shooter: str, target: str) -> list[str]:
    """Return whom a target may mean: ``nearest`` any enemy, in the order in which they are tried; the first
    sure one ends it.
    """
    if target != NEAREST:
        return [target]
    here = [hex_of(place) for place in " ".join(judging.outlook.where(shooter)[:1]).split()]
    sides = judging.battle.men_of.items() if here else ()
    foes = [found for side, men in sides if side not in ("", judging.orders.side) for found in men.items()]
    two = len(here) > 1
    far = [
        (_apart(here, there) if two or there[1:] else distance(here[0], there[0]), foe) for foe, there in foes
    ]
    return [foe for _, foe in sorted(far)]


def _apart(hexes: Iterable[str], others: Iterable[str]) -> int:
    return min(distance(one, other) for one in hexes for other in others)


def _stands_in(judging: Judging, shooter: str, target: str) -> str:
    """Return the figure of two hexes that stands in a hex named as a target; other names as they are."""
    found = (
        shooting.at_hex(judging.battle, judging.battle.units[shooter], target)
        if target[0].isdigit()
        else None
    )
    return found.id if found else target


def _mounted(judging: Judging, targets: set[str]) -> set[str]:
    """Return targets with the horses that they sit on: a rider whose horse is gone is
    nowhere to be shot at.
    """
    return judging.with_horses({target for target in targets if target in judging.battle.units}) | targets


def _possible(judging: Judging, order: Shoot | FireEngine, target: str) -> bool:
    """Tell whether a target, the only one of an order, can be shot at in the best of worlds."""
    if order.who in judging.outlook.adrift:
        problem = judging.why_not(judging.battle, order.deed, order)
        return problem is None or problem.code in BY_PLACE
    if judging.outlook.sure_of(order.who):
        worst = judging.outlook.worst()
        problem = judging.why_not(worst, order.deed, order)
        if problem is None:
            return True
        if _barred_for_good(judging, worst, order, target, problem) or _hopeless(judging, order, target):
            return False
    if judging.outlook.certain:
        return False
    worlds = judging.outlook.best(order.who, _mounted(judging, {_stands_in(judging, order.who, target)}))
    return any(judging.why_not(world, order.deed, order) is None for world in worlds)


def _may_hit(judging: Judging, order: Shoot | FireEngine, target: str) -> bool:
    """Tell the same of one of many targets, of which only some can be seen at all."""
    return not _hopeless(judging, order, target) and _possible(judging, order, target)


def _hopeless(judging: Judging, order: Shoot | FireEngine, target: str) -> bool:
    """Tell whether a figure that stays where it is is known to be shut off from a shot, or out of its range,
    whoever stands about, so that no world need be asked.
    """
    if isinstance(order, FireEngine) or not judging.outlook.sure_of(order.who):
        return False
    if not _stays(judging, order, target):
        return False
    battle = judging.battle
    shooter = battle.units[order.who]
    return bool(shooter.at) and aiming.hopeless(
        judging.rules, battle, shooter, battle.units[target], order.across
    )


def _barred_for_good(
    judging: Judging, worst: Battle, order: Shoot | FireEngine, target: str, found: Problem
) -> bool:
    """Tell whether somebody who certainly stays keeps a shot from a figure that stays too, so that no other
    world need be asked.
    """
    if not _stays(judging, order, target) or not worst.units[order.who].at:
        return False
    by = aiming.barred_by(judging.rules, worst, worst.units[order.who], worst.units[target], found)
    rides = by and (worst.units[by].on or by in worst.rider_of)
    return bool(by) and not rides and judging.outlook.sure_of(by) and by != order.who


def _stays(judging: Judging, order: Shoot | FireEngine, target: str) -> bool:
    """Tell whether a shot with a weapon of one's own is aimed at a figure that certainly stands where it
    does.
    """
    if isinstance(order, FireEngine) or order.fire or target not in judging.battle.units:
        return False
    return target not in judging.outlook.places and target not in judging.outlook.adrift


def _sure(judging: Judging, order: Shoot | FireEngine, target: str) -> bool:
    """Tell whether a target, the only one of an order, can be shot at even in the worst of worlds."""
    outlook = judging.outlook
    who = _stands_in(judging, order.who, target)
    if not outlook.sure_of(order.who) or (who in outlook.hurt and who not in outlook.known):
        return False
    return judging.why_not(outlook.worst(), order.deed, order) is None


def _doubt(judging: Judging, order: Shoot | FireEngine, path: Path) -> None:
    """Say why a shot may not be loosed."""
    if order.who in judging.outlook.adrift:
        judging.doubt(path, "adrift", unit=order.who)
    elif not judging.outlook.sure_of(order.who):
        judging.doubt(path, "elsewhere", unit=order.who, places=" or ".join(judging.outlook.where(order.who)))
    elif first := first_problem(
        judging.why_not(judging.battle, order.deed, replace(order, at=(target,))) for target in order.at
    ):
        judging.doubt(path, "way", first.rule, unit=order.who, target=order.at[0])
    else:
        judging.doubt(
            path,
            "fallen",
            "S1.41a",
            "name a second target, or add: or nearest",
            unit=order.who,
            target=", ".join(order.at),
        )
