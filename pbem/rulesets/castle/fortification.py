"""Fortification: what a section gives to those who are shot at on it."""

from __future__ import annotations

from pbem.core.odds import Modifier
from pbem.core.rule import rule
from pbem.rulesets.castle.dial import Rules, window
from pbem.rulesets.castle.sight import One, crosses_an_outer_edge
from pbem.rulesets.castle.space import on_a_section
from pbem.rulesets.castle.state import Figure, War


@rule("MK16.1", "MK16.4")
def fortified(rules: Rules, war: War, one: One, target: One) -> Modifier | None:
    """Return what a ranged attack on a warrior on a section meets: the fortification that it shows now."""
    if not isinstance(target, Figure) or not target.on or is_worth_nothing(rules, war, one, target):
        return None
    return Modifier("MK16.1", "fortification", window(rules, war.section(target.on)).first)


@rule("MK16.3")
def is_worth_nothing(rules: Rules, war: War, one: One, target: One) -> bool:
    """Tell whether fortification does not count: against somebody on a section, or where the line crosses no
    outer edge.
    """
    return on_a_section(one) or not crosses_an_outer_edge(rules, war, one, target)
