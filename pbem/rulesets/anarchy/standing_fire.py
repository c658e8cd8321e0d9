"""Defensive fire: those who do not play shoot as their standing instructions say, or are asked."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Final

from pbem.core.play import Play
from pbem.core.rule import rule
from pbem.core.ruleset import Files, Ruleset
from pbem.rulesets.anarchy import staff_sling, stones
from pbem.rulesets.siege.combat import aiming, chances, shooting
from pbem.rulesets.siege.combat.aiming import Aim
from pbem.rulesets.siege.ground.character import person
from pbem.rulesets.siege.orders import choices
from pbem.rulesets.siege.sight import crossfire
from pbem.rulesets.siege.state.state import Battle, Unit

Rules = Ruleset[Battle]
DEFEND: Final = "defend"
"""The key of the standing instruction."""
HOLD, NEAREST, LUCKIEST = "hold", "nearest", "luckiest"


def resolve(rules: Rules, play: Play[Battle], files: Files) -> None:
    """Let each figure of the sides that do not play shoot once, in the order of ids, if it can and may."""
    followed = -1
    for id_ in sorted(play.state.units):
        unit = play.state.units[id_]
        if unit.side == play.state.at.side:
            continue
        if staff_sling.throws(rules, play.state, unit):
            sling(rules, play, id_)
        elif _has_missiles(play.state, unit):
            shoot(rules, play, id_)
        if followed != len(play.events):  # else nothing has happened since
            for follow in rules.follows.get("shot", ()):
                follow(rules, play)
            followed = len(play.events)


def _has_missiles(battle: Battle, unit: Unit) -> bool:
    """Tell whether a figure can have anything to shoot with, or to throw; else nothing is asked of it."""
    return bool(person(battle, unit).missile or stones.supplies(battle))


@rule("A0.2")
def shoot(rules: Rules, play: Play[Battle], id_: str) -> None:
    """Let a figure shoot at whom its owner wants shot at, or throw stones at him if it can shoot at nobody;
    at nobody, if he wants that.
    """
    nearest = nearest_alone(rules, play.state, id_)
    found = targets(rules, play.state, play.state.units[id_], 1 if nearest else None)
    thrown = {} if found else stones.in_range(rules, play.state, play.state.units[id_])
    found = found or thrown
    if not found:
        return
    who = play.state.units[id_]
    choice = wanted(rules, play.state, stones.as_thrower(who) if thrown else who, found)
    chosen = choices.pick(
        rules,
        play,
        about=DEFEND,
        unit=id_,
        choices=(*found, HOLD),
        default=next(iter(found)),
        rule="A0.2",
        why=_said(len(found), "stones can be thrown at" if thrown else ""),
        wanted=choice,
    )
    if chosen == HOLD:
        return
    if thrown:
        stones.hurl(rules, play, id_, chosen)
        return
    while crossfire.settle(rules, play, play.state.units[chosen]):
        pass
    shooter, target = play.state.units[id_], play.state.units[chosen]
    aimed = aiming.aim(rules, play.state, shooter, target)
    if isinstance(aimed, Aim):
        shooting.loose(rules, play, shooter, target, aimed)


def _said(count: int, thrown: str) -> str:
    who = "an enemy" if count == 1 else f"{count} enemies"
    return f"{thrown} {who}" if thrown else f"{who} can be shot at"


def sling(rules: Rules, play: Play[Battle], id_: str) -> None:
    """Let a figure sling a stone at the hex of whom its owner wants thrown at; of its own accord it throws at
    nobody where it may come down on a friend.
    """
    unit = play.state.units[id_]
    if staff_sling.not_ready(rules, play.state, unit):
        return
    found = staff_sling.in_reach(rules, play.state, unit)
    if not found:
        return
    clear = [foe for foe, hex_ in found.items() if not _endangers(rules, play.state, unit, hex_)]
    usual = clear[0] if clear else HOLD

    def wanted(said: str) -> str:
        words = said.replace(",", " ").split()
        named = next((word for word in words if word in (*found, HOLD, NEAREST, LUCKIEST)), HOLD)
        return usual if named in (NEAREST, LUCKIEST) else named

    chosen = choices.pick(
        rules,
        play,
        about=DEFEND,
        unit=id_,
        choices=(*found, HOLD),
        default=usual,
        rule="A0.2",
        why="a stone can be slung at " + ("an enemy" if len(found) == 1 else f"{len(found)} enemies"),
        wanted=wanted,
    )
    if chosen != HOLD:
        staff_sling.throw(rules, play, id_, found[chosen], staff_sling.STONE)


def _endangers(rules: Rules, battle: Battle, unit: Unit, aim: str) -> bool:
    """Tell whether a stone that is slung at a hex may come down on somebody who is no enemy."""
    return any(
        not battle.foes(unit, battle.units[id_])
        for hex_ in staff_sling.may_hit(rules, battle, unit, aim)
        for id_ in staff_sling.exposed(rules, battle, hex_)
    )


def targets(rules: Rules, battle: Battle, shooter: Unit, most: int | None = None) -> dict[str, Aim]:
    """Return whom a figure can shoot at now, and how: the nearest first, ties by id, no animal; of these as
    many as there should be ``most``.
    """
    if aiming.not_ready(rules, battle, shooter):
        return {}
    found = aiming.targets(rules, battle, shooter, shooting.by_distance(battle, shooter))
    return {foe.id: aimed for foe, aimed in islice(found, most)}


def nearest_alone(rules: Rules, battle: Battle, id_: str) -> bool:
    """Tell whether the nearest target is the only one that a figure may come to shoot at: nobody is asked,
    and its owner names no other and wants none weighed.
    """
    said = choices.instruction(battle, id_, DEFEND)
    return said in ("", NEAREST, HOLD) and not choices.asks(rules, said)


def wanted(rules: Rules, battle: Battle, shooter: Unit, found: dict[str, Aim]) -> Callable[[str], str]:
    """Return what tells whom a figure shoots at, of those whom it can, by what a standing instruction says:
    ``hold`` for nobody.
    """

    def choice(said: str) -> str:
        for word in said.replace(",", " ").split():
            if word in found or word == HOLD:
                return word
            if word == NEAREST:
                return next(iter(found))
            if word == LUCKIEST:
                return luckiest(rules, battle, shooter, found)
        return HOLD

    return choice


def luckiest(rules: Rules, battle: Battle, shooter: Unit, found: dict[str, Aim]) -> str:
    """Return the target at whom most faces of the die do the worst; of equal ones the nearest."""
    return max(
        found,
        key=lambda id_: chances.worth(chances.of_shot(rules, battle, shooter, battle.units[id_], found[id_])),
    )
