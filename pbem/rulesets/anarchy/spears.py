"""Spears to throw: each who has one throws it once, in offensive fire.

A throw is a shot like any other (``shooting``), whose weapon reaches three hexes; that it is gone then is
noted of who threw it.
"""

from __future__ import annotations

from typing import Final

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.rulesets.anarchy.events import SpearThrown
from pbem.rulesets.siege.ground.character import person
from pbem.rulesets.siege.state.events import OrderRead, Shot
from pbem.rulesets.siege.state.family import where
from pbem.rulesets.siege.state.state import Battle, Unit

Rules = Ruleset[Battle]
SPEAR: Final = "spear"
"""The weapon of who has a spear to throw; one to thrust with is none."""


@rule("A0.20")
def gone(unit: Unit) -> Problem | None:
    """Return that somebody has thrown his spear already; None if he has it still."""
    return Problem("spears.thrown", {"unit": unit.id}, rule="A0.20") if unit.hurled else None


@rule("A0.20")
def not_yet(unit: Unit) -> Problem | None:
    """Return that spears are not thrown in defensive fire."""
    help_ = "he throws it in the offensive fire of his own turn"
    return Problem("spears.when", {"unit": unit.id}, rule="A0.20", help=help_)


def has(battle: Battle, unit: Unit) -> bool:
    """Tell whether a figure shoots with nothing but a spear to throw."""
    return person(battle, unit).missile == SPEAR


@rule("A0.20")
@where(lambda field: any(who.missile == SPEAR for who in field.people.values()))
def watch(rules: Rules, play: Play[Battle]) -> None:
    """Note of everybody whose spear has left his hands by the last order that it has."""
    thrown = []
    for index in range(len(play.events) - 1, -1, -1):
        event = play.events[index]
        if isinstance(event, OrderRead):
            break
        if isinstance(event, Shot) and event.weapon == SPEAR:
            thrown.append((index, event.shooter))
    for index, who in reversed(thrown):
        if not play.state.units[who].hurled:
            play.happen(SpearThrown(who, "A0.20", index))
