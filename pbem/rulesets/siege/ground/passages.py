"""Passages: steps that a thing makes possible, whatever floors and parapets say: up a ladder, from a platform
to a battlement.

What lays a passage is decided where the thing belongs; here they are only put together.
"""

from __future__ import annotations

from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.family import Passage, Ways
from pbem.rulesets.siege.state.state import Battle

Rules = Ruleset[Battle]


def between(rules: Rules, battle: Battle, here: str, there: str) -> Passage | None:
    """Return the passage from a place to one beside it; None where no thing makes one."""
    if not battle.things:
        return None
    return battle.once("passages", lambda: _all(rules, battle)).get((here, there))


def leading(rules: Rules, battle: Battle, here: str) -> dict[str, Passage]:
    """Return every passage that begins in a place: where it leads -> the passage."""
    if not battle.things:
        return {}
    found = battle.once("passages", lambda: _all(rules, battle))
    return {there: passage for (start, there), passage in found.items() if start == here}


def _all(rules: Rules, battle: Battle) -> Ways:
    return {
        step: passage
        for source in family.of(rules).steps.passages
        for step, passage in source(rules, battle).items()
    }
