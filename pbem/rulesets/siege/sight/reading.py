"""How lines of fire are drawn and read by the options, whatever lies on them."""

from __future__ import annotations

from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry import sight
from pbem.rulesets.siege.state.state import Battle

Rules = Ruleset[Battle]


@rule("S1.41b")
def from_any_part(rules: Rules) -> bool:
    """Tell whether a line may join any parts of the two hexes (option); otherwise it runs from centre to
    centre.
    """
    return rules.setting("line_of_fire") == "any_part"


@rule("S1.41d")
def either_hex_bars(rules: Rules) -> bool:
    """Tell whether one barring hex is enough where a line runs along the border of two or through a corner
    (option).
    """
    return rules.setting("line_on_hex_edge") == "either_hex_blocks"


def mode(rules: Rules) -> sight.Mode:
    """Return how lines on hex edges are read, in the words of the geometry."""
    return "either_hex_blocks" if either_hex_bars(rules) else "both_hexes_block"
