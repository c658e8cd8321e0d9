"""Which of a figure's shots stand on its order sheet: each of a few, of many the best dozen.

A battle may have a hundred foes within bowshot of everybody, and nobody reads so many lines for each bowman.
The best chances are taken first, of equal ones the nearest. Foes are tried in the order of their range; one
that would be no better a target than the dozen found so far, whatever his cover, is not tried at all, but
counted as within range, whether the line to him is free or not. What is legal is told by ``shot_orders``.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import distance, split_place
from pbem.rulesets.siege.combat import aiming, chances, ranges, shooting
from pbem.rulesets.siege.deeds import shot_orders
from pbem.rulesets.siege.ground.character import person
from pbem.rulesets.siege.march import beasts
from pbem.rulesets.siege.sight import lines
from pbem.rulesets.siege.state.orders import Shoot
from pbem.rulesets.siege.state.state import Battle, Unit

Rules = Ruleset[Battle]
MOST: Final = 12
"""Targets of one figure that a sheet lists."""
FEW: Final = 6
"""So many more are named, in one line."""
Worth = tuple[int, ...]
"""What a shot is worth, negative, so that the least is the best."""
Near = tuple[int, int, str]
"""How many hexes away a target is, its place among all of them, and what it is called."""


class Listed(Struct, frozen=True):
    """What stands on a sheet of the shots of one figure, and what is said of other targets within range."""

    orders: tuple[Shoot, ...]
    rest: str = ""


class Target(Struct, frozen=True):
    """A target, or one hex of one: where it stands, and all that matters to a shot but where that is."""

    unit: Unit
    hexes: tuple[str, ...]
    sort: tuple[object, ...]


def listed(rules: Rules, battle: Battle, shooter: Unit) -> Listed:
    """Return which shots of a figure stand on its sheet."""
    if aiming.not_ready(rules, battle, shooter):
        return Listed(())
    aims = shot_orders.aims(battle, shooter)
    if len(aims) <= MOST:
        return Listed(tuple(shot_orders.shots_at(rules, battle, shooter, aims)))
    could_be = _could_be(rules, battle, shooter)
    best: list[tuple[Worth, Near]] = []
    left: list[str] = []

    def worth_a_try() -> Iterator[str]:
        for near, target in _within(rules, battle, shooter, aims):
            if len(best) == MOST and could_be(near[0], target) >= best[-1][0]:
                left.append(near[2])
            else:
                nearest.append(near)
                yield near[2]

    nearest: list[Near] = []
    for order in shot_orders.shots_at(rules, battle, shooter, worth_a_try()):
        chosen = shooting.choose(rules, battle, shooter, order.at)
        assert not isinstance(chosen, list), f"{shooter.id} at {order.at} is legal"
        worth = chances.worth(chances.of_shot(rules, battle, shooter, *chosen))
        insort(best, (_best_first(worth), nearest[-1]))
        left += (near[2] for _, near in best[MOST:])
        del best[MOST:]
    if len(left) <= FEW:
        left = [order.at[0] for order in shot_orders.shots_at(rules, battle, shooter, left)]
    return Listed(tuple(Shoot(shooter.id, (aim,)) for _, (_, _, aim) in best), _rest(left))


def _rest(left: Sequence[str]) -> str:
    """Return what is said of targets within range that a sheet does not list."""
    if len(left) > FEW:
        return f"{len(left)} more within range, none with better chances; any may be named"
    return f"with no better chances: {', '.join(left)}" if left else ""


def _within(rules: Rules, battle: Battle, shooter: Unit, aims: Sequence[str]) -> list[tuple[Near, Target]]:
    """Return the targets within range, the nearest first."""
    here, targets = lines.where(battle, shooter), _targets(rules, battle)
    farthest = max(last for _, _, last in ranges.bands(rules, ranges.weapon_of(rules, battle, shooter)))
    found = []
    for number, aim in enumerate(aims):
        one = targets.get(aim) or targets.setdefault(aim, _target(battle, aim))
        hexes = one.hexes
        far = min([distance(here, hex_) for hex_ in hexes]) if len(hexes) > 1 else distance(here, hexes[0])
        if far <= farthest:
            found.append(((far, number, aim), one))
    return sorted(found)


def _targets(rules: Rules, battle: Battle) -> dict[str, Target]:
    """Return those that were asked about, by name or hex."""
    found: dict[str, Target] = battle.asked[rules].setdefault(("targets",), {})
    return found


def _target(battle: Battle, aim: str) -> Target:
    if aim[0].isdigit():
        unit = next(one for one in map(battle.units.__getitem__, battle.living_in[aim]) if len(one.at) > 1)
        return Target(unit, (aim,), _target(battle, unit.id).sort)
    unit = battle.units[aim]
    who = person(battle, beasts.figure(battle, unit))
    storey = split_place(unit.at[0])[1]
    sort = (unit.kind, beasts.as_mounted(unit), unit.id in battle.rider_of, storey)
    return Target(unit, lines.stands_in(battle, unit), (*sort, who.missile_class, who.armoured))


def _best_first(worth: tuple[int, ...]) -> Worth:
    return tuple(-count for count in worth)


def _could_be(rules: Rules, battle: Battle, shooter: Unit) -> Callable[[int, Target], Worth]:
    """Return what tells what a shot at a target so many hexes away is worth at most, worked out once for each
    range band and sort of target.
    """
    weapon = ranges.weapon_of(rules, battle, shooter)
    known: dict[object, Worth] = {}

    def could_be(hexes: int, target: Target) -> Worth:
        asked = (ranges.band(rules, weapon, hexes), target.sort)
        if asked not in known:
            known[asked] = _best_first(chances.at_best(rules, battle, shooter, target.unit) or ())
        return known[asked]

    return could_be
