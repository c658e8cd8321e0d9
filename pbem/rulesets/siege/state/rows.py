"""Numbers and facts that stand in a table row by row, each with the rules that print it."""

from __future__ import annotations

from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.state.state import Battle

Rules = Ruleset[Battle]


def points(rules: Rules, row: str) -> int:
    """Return the movement points of a row of the table of movement."""
    return int(rules.tables["movement"]["rows"][row]["points"])


def hexes(rules: Rules, row: str) -> int:
    """Return how many hexes a way leads at most, or at once."""
    return int(rules.tables["movement"]["ways"][row]["hexes"])


def holds(rules: Rules, fact: str) -> bool:
    """Tell whether something holds that a rule says in one sentence."""
    return bool(rules.tables["facts"]["rows"][fact]["holds"])
