"""Horses and other animals as targets: whose defence and which table count, and what a blow or a shot at one
of them does.

Where a rider goes whose horse falls is ``thrown``; how a blow or a shot is resolved is ``melee`` and
``shooting``.
"""

from __future__ import annotations

from collections.abc import Iterable

from pbem.core.play import Play
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.ground import counter
from pbem.rulesets.siege.march import thrown
from pbem.rulesets.siege.march.thrown import KILLED, NONE, Fate
from pbem.rulesets.siege.state.state import DEAD, Battle, Unit

Rules = Ruleset[Battle]
MAN, HORSE = "man", "horse"


def is_animal(unit: Unit) -> bool:
    """Tell whether a unit is an animal, with or without a rider."""
    return unit.kind != MAN


@rule("S3.35c")
def horse_is_the_target(unit: Unit) -> bool:
    """Tell whether an attack is made on a horse: it is resolved like one on a mounted figure, without what
    hurts the rider.
    """
    return unit.kind == HORSE


@rule("S5.12a")
def beast_is_the_target(unit: Unit) -> bool:
    """Tell whether an attack is made on a draught animal: it too is resolved like one on a mounted figure,
    without any rider.
    """
    return unit.kind not in (MAN, HORSE)


def as_mounted(unit: Unit) -> bool:
    """Tell whether an attack on a figure is resolved like one on a mounted figure."""
    return bool(unit.on) or spares_the_rider(unit)


def spares_the_rider(unit: Unit) -> bool:
    """Tell whether results that concern a rider are ignored, because the animal itself is attacked."""
    return unit.kind != MAN and (horse_is_the_target(unit) or beast_is_the_target(unit))


def figure(battle: Battle, unit: Unit) -> Unit:
    """Return the figure that a unit is part of: of a ridden horse its rider."""
    return battle.units[battle.rider_of.get(unit.id, unit.id)]


def who_acts(battle: Battle, units: Iterable[Unit]) -> tuple[str, ...]:
    """Return the ids of those who can give way or go forward: riders in the place of their horses, and no
    animal that nobody rides.
    """
    found = {}
    for unit in units:
        rider = figure(battle, unit)
        if not is_animal(rider):
            found[rider.id] = True
    return tuple(found)


def side_of(battle: Battle, unit: Unit) -> str:
    """Return the side a unit is of now: an animal is of the side that rides it, else of the one that holds
    it, else of its own.
    """
    return battle.allegiance(unit)


# --- what happens to them


def suffer(rules: Rules, play: Play[Battle], target: Unit, fate: Fate, cause: int, rule: str) -> None:
    """Let a result happen to whoever was attacked: a figure with or without a horse, or an animal, whose
    rider comes off if it dies.
    """
    if not spares_the_rider(target):
        thrown.befall(rules, play, target.id, fate, cause, rule)
    elif fate.horse == KILLED:
        rider = play.state.rider_of.get(target.id, "")
        if rider:
            thrown.throw(rules, play, rider, cause)
        counter.hurt(rules, play, target.id, KILLED, cause, rule)


def fate_of_shot(rules: Rules, battle: Battle, target: Unit, code: str, afoot: str) -> Fate:
    """Return what a letter of the shooting tables does to a target, which on foot would suffer ``afoot``."""
    if not as_mounted(target):
        return Fate(afoot)
    table = rules.tables["shooting_mounted"]
    if is_animal(figure(battle, target)):
        alone = table["animal_alone"]
        return Fate(NONE, alone[alone["default"]][code])
    row = dict(zip(table["columns"], table["rows"][code], strict=True))
    return Fate(NONE if spares_the_rider(target) else row["rider"], row["horse"], row["thrown"])


def said_of_shot(rules: Rules, battle: Battle, target: Unit, code: str, afoot: str) -> str:
    """Return what a letter of the shooting tables does to a target, in words; ``afoot`` are those for a
    figure on foot.
    """
    if not as_mounted(target):
        return afoot
    fate = fate_of_shot(rules, battle, target, code, "")
    if not spares_the_rider(target):
        return str(rules.tables["shooting_mounted"]["text"][code])
    return {KILLED: "the animal is killed", "checked": "the horse shies"}.get(
        fate.horse, "nothing that would hurt the animal"
    )


def left_by(battle: Battle, places: Iterable[str], struck: Iterable[str]) -> list[str]:
    """Return the places of figures that were struck where one of them died, rider or horse, and nobody stands
    any more.
    """
    if DEAD not in [battle.units[id_].state for id_ in struck]:
        return []
    return [place for place in places if place not in battle.standing_at]
