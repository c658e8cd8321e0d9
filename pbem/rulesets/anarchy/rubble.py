"""Rubble beside what stands as high as the wall was: how one gets from the one onto the other."""

from __future__ import annotations

from typing import Any, Final

from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.state import rows
from pbem.rulesets.siege.state.family import Passage, Ways
from pbem.rulesets.siege.state.field import Terrain

Rules = Ruleset[Any]
RULE: Final = "A6.4.3a"
ALONG: Final = "along"
"""How such a step looks: it goes neither up nor down, and no deed is named after it."""


def steps(rules: Rules, here: str, there: str, ground: Terrain, thing: str) -> Ways:
    """Return the steps from a place on a thing down to the rubble beside it, such as it is, and back up."""
    down, up = ground.mp_foot or 0, rows.points(rules, "up_from_rubble")
    return {(here, there): Passage(down, thing, RULE, ALONG), (there, here): Passage(up, thing, RULE, ALONG)}
