"""Judges a shot before anything is rolled: it is fine if one of its targets can be shot at whatever happens.

What makes a shot legal is decided in ``aiming``, ``ballista`` and ``fire_arrows``; here it is asked in the
worlds that may come.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pbem.core.problem import Path, Problem
from pbem.geometry.hex import distance, hex_of
from pbem.rulesets.siege.combat import misfire, shooting
from pbem.rulesets.siege.judge import fright
from pbem.rulesets.siege.judge.hearing import BY_PLACE, Hearing
from pbem.rulesets.siege.march import beasts
from pbem.rulesets.siege.orders.grammar import NEAREST
from pbem.rulesets.siege.state.orders import FireEngine, Shoot


def shoot(hearing: Hearing, order: Shoot | FireEngine, path: Path) -> None:
    """Judge a shot: it is fine if one of its targets can be shot at whatever happens."""
    hit: set[str] = set()
    first: Problem | None = None
    sure = False
    for target in order.at:
        for aim in _aims(hearing, order.who, target):
            sure = _sure(hearing, order, aim)
            if sure or _possible(hearing, order, aim):
                hit.add(_stands_in(hearing, order.who, aim))
            if sure:
                break
        if sure:
            break
        if first is None:
            first = hearing.why_not(hearing.battle, _sort(order), replace(order, at=(target,)))
    if not hit:
        keep = {_stands_in(hearing, order.who, target) for target in order.at}
        hearing.refuse(
            next(hearing.outlook.best(order.who, _mounted(hearing, keep))), _sort(order), order, path
        )
        return
    if not sure:
        _doubt(hearing, order, path, first)
    hearing.outlook.did(order.who, "shot", sure)
    if isinstance(order, FireEngine):
        _emptied(hearing, order.engine)
    elif order.fire:
        hearing.set_alight(path, [hex_ for target in hit for hex_ in _hexes_of(hearing, target)])
    meant = {
        unit
        for target in hit
        for unit in hearing.battle.living_in.get(target, (target,))
        if unit in hearing.battle.units
    }
    hit = hearing.with_horses(meant | _in_danger(hearing, order.who, meant))
    hearing.outlook.hurt |= hit
    for target in hit:
        hearing.outlook.known.pop(target, None)
    fright.frighten(hearing.rules, hearing.outlook, hearing.foes())


def _emptied(hearing: Hearing, engine: str) -> None:
    """Let an engine have shot, so that it is not loaded any more."""
    empty = replace(hearing.battle.things[engine], loaded=0, struck=str(hearing.battle.at))
    hearing.outlook.battle = hearing.battle.changed(things={**hearing.battle.things, engine: empty})


def _hexes_of(hearing: Hearing, target: str) -> tuple[str, ...]:
    """Return the hexes of what fire arrows are shot at: of a thing all, of a figure none."""
    places = (
        hearing.battle.things[target].at
        if target in hearing.battle.things
        else (target,)
        if target[0].isdigit()
        else ()
    )
    return tuple(map(hex_of, places))


def _in_danger(hearing: Hearing, shooter: str, targets: Iterable[str]) -> set[str]:
    """Return the shooter's own figures that a shot may hit if it misses (option)."""
    if not misfire.ban_is_lifted(hearing.rules):
        return set()
    hexes = {hex_ for target in targets for hex_ in hearing.battle.units[target].hexes}
    who = hearing.battle.units[shooter]
    near = {friend for hex_ in hexes for friend in misfire.beside(hearing.rules, hearing.battle, who, hex_)}
    return near | ({*hearing.outlook.adrift, *hearing.outlook.places} & hearing.own())


def _aims(hearing: Hearing, shooter: str, target: str) -> list[str]:
    """Return whom a target may mean: ``nearest`` any enemy, in the order in which they are tried; the first
    sure one ends it.
    """
    if target != NEAREST:
        return [target]
    here = [hex_of(place) for place in " ".join(hearing.outlook.where(shooter)[:1]).split()]
    foes = (hearing.battle.units[foe] for foe in hearing.foes())
    places = {foe.id: foe.hexes for foe in foes if not beasts.is_animal(foe)}
    far = {
        foe: min(distance(one, other) for one in here for other in there)
        for foe, there in places.items()
        if here and there
    }
    return sorted(far, key=lambda foe: (far[foe], foe))


def _stands_in(hearing: Hearing, shooter: str, target: str) -> str:
    """Return the figure of two hexes that stands in a hex named as a target; other names as they are."""
    found = (
        shooting.at_hex(hearing.battle, hearing.battle.units[shooter], target)
        if target[0].isdigit()
        else None
    )
    return found.id if found else target


def _mounted(hearing: Hearing, targets: set[str]) -> set[str]:
    """Return targets with the horses that they sit on: a rider whose horse is gone is
    nowhere to be shot at.
    """
    return hearing.with_horses({target for target in targets if target in hearing.battle.units}) | targets


def _possible(hearing: Hearing, order: Shoot | FireEngine, target: str) -> bool:
    """Tell whether a target can be shot at in the best of worlds."""
    aimed = replace(order, at=(target,)) if order.at != (target,) else order
    if order.who in hearing.outlook.adrift:
        problem = hearing.why_not(hearing.battle, _sort(order), aimed)
        return problem is None or problem.code in BY_PLACE
    if (
        hearing.outlook.sure_of(order.who)
        and hearing.why_not(hearing.outlook.worst(), _sort(order), aimed) is None
    ):
        return True
    if hearing.outlook.certain:
        return False
    worlds = hearing.outlook.best(order.who, _mounted(hearing, {_stands_in(hearing, order.who, target)}))
    return any(hearing.why_not(world, _sort(order), aimed) is None for world in worlds)


def _sure(hearing: Hearing, order: Shoot | FireEngine, target: str) -> bool:
    """Tell whether a target can be shot at even in the worst of worlds."""
    outlook = hearing.outlook
    who = _stands_in(hearing, order.who, target)
    if not outlook.sure_of(order.who) or (who in outlook.hurt and who not in outlook.known):
        return False
    return hearing.why_not(outlook.worst(), _sort(order), replace(order, at=(target,))) is None


def _doubt(hearing: Hearing, order: Shoot | FireEngine, path: Path, first: Problem | None) -> None:
    """Say why a shot may not be loosed."""
    if order.who in hearing.outlook.adrift:
        hearing.doubt(path, "adrift", unit=order.who)
    elif not hearing.outlook.sure_of(order.who):
        hearing.doubt(path, "elsewhere", unit=order.who, places=" or ".join(hearing.outlook.where(order.who)))
    elif first is not None:
        hearing.doubt(path, "way", first.rule, unit=order.who, target=order.at[0])
    else:
        hearing.doubt(
            path,
            "fallen",
            "S1.41a",
            "name a second target, or add: or nearest",
            unit=order.who,
            target=", ".join(order.at),
        )


def _sort(order: Shoot | FireEngine) -> str:
    """Return the sort of checks that are asked about a shot."""
    return "fire" if isinstance(order, FireEngine) else "shoot"
