"""The moat of The Anarchy: what is otherwise in it than in that of Siege, whose rules hold for the rest."""

from __future__ import annotations

from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.ground import heights
from pbem.rulesets.siege.state.line import View
from pbem.rulesets.siege.state.state import Battle

Rules = Ruleset[Battle]


@rule("A3.4.2c")
def over_the_moat(rules: Rules, battle: Battle, view: View, place: str) -> bool:
    """Tell whether a shot from ground level, wherever it comes from, passes over who is down in the moat; at
    somebody else in the moat the rules of Siege hold.
    """
    return (
        heights.stands(rules, battle, place) == heights.MOAT
        and heights.stands(rules, battle, view.start) == heights.GROUND
        and heights.stands(rules, battle, view.end) != heights.MOAT
    )
