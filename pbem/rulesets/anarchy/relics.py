"""Relics: a chest that one man takes up, carries and puts down, as a scenario may have one stolen."""

from __future__ import annotations

from typing import Final

from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.state import loads
from pbem.rulesets.siege.state.family import Kind, where_there_is
from pbem.rulesets.siege.state.state import Battle, Unit

Rules = Ruleset[Battle]
KINDS: Final = {loads.CHEST: Kind("houses")}


@where_there_is(loads.CHEST)
def burden(rules: Rules, battle: Battle, unit: Unit) -> int:
    """Return how many points a figure has less because it carries a chest."""
    if loads.held(battle, unit, loads.CHEST) is None:
        return 0
    return int(rules.tables["movement_anarchy"]["rows"]["with_chest"]["points"])
