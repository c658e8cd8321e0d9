"""Loads of one man: who has a mantlet, a barrel, a chest or a fascine in his hands, and what lies where.

A load is where its ``at`` says. ``by`` names who holds it, which he does as long as he is there and on his
feet: who gives way, flees or falls leaves it behind. How it is taken, put down and borne is ``bearing``;
ladders, which two men carry, are ``ladders``.
"""

from __future__ import annotations

from typing import Final

from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.state.family import where_there_is
from pbem.rulesets.siege.state.state import Battle, Thing, Unit, is_prisoner

MANTLET: Final = "mantlet"
OIL: Final = "oil"
CHEST: Final = "chest"
FASCINE: Final = "fascine"
KINDS: Final = (MANTLET, OIL, CHEST, FASCINE)


def lying(battle: Battle, kind: str) -> list[Thing]:
    """Return the loads of a kind on the map, by id, whoever holds them."""
    return [thing for thing in battle.things.values() if thing.kind == kind and thing.at]


def holds(unit: Unit, thing: Thing) -> bool:
    """Tell whether a figure has a load in its hands: it took it, is where it is, and has
    not fallen, fled or been taken.
    """
    fit = unit.able and not unit.mood and not unit.on and not is_prisoner(unit)
    return thing.by == (unit.id,) and fit and unit.at == thing.at


def held(battle: Battle, unit: Unit, kind: str = "") -> Thing | None:
    """Return what a figure has in its hands, of this kind or any; None if nothing."""
    if not battle.things:
        return None
    kinds = (kind,) if kind else KINDS
    return next(
        (thing for thing in battle.things.values() if thing.kind in kinds and holds(unit, thing)), None
    )


def holder(battle: Battle, thing: Thing) -> Unit | None:
    """Return who has a load in his hands; None if it just lies or stands there."""
    unit = battle.units.get(thing.by[0]) if len(thing.by) == 1 else None
    return unit if unit is not None and holds(unit, thing) else None


def hands_full(battle: Battle, unit: Unit) -> Problem | None:
    """Return which load a figure has in its hands already; None if none."""
    load = held(battle, unit)
    if load is None:
        return None
    return Problem(
        "bearing.hands-full", {"unit": unit.id, "thing": load.id}, help=f"{unit.id} puts down {load.id}"
    )


def burden(rules: Ruleset[Battle], kind: str) -> int:
    """Return how many points a load takes from who carries it."""
    return int(rules.tables["gear"]["carried"][kind]["burden"])


@rule("S5.32e")
@where_there_is(OIL)
def barrel_burden(rules: Ruleset[Battle], battle: Battle, unit: Unit) -> int:
    """Return how many points a figure has less because it carries a barrel of oil, with which it shares its
    hex.
    """
    return burden(rules, OIL) if held(battle, unit, OIL) else 0
