"""Passages: steps that a thing makes possible, whatever floors and parapets say: up a ladder, from a platform to a battlement.

What lays a passage is decided where the thing belongs; here they are only put together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.state import Battle

Rules = Ruleset[Battle]


@dataclass(frozen=True, slots=True)
class Passage:
    """A step that a thing makes possible: what it costs, which thing it is, and the rule that says so."""

    cost: int
    by: str
    rule: str


Ways = Mapping[tuple[str, str], Passage]
SOURCES: tuple[Callable[[Rules, Battle], Ways], ...] = ()
"""What lays passages: (rules, battle) -> (place, place beside it) -> passage."""


def between(rules: Rules, battle: Battle, here: str, there: str) -> Passage | None:
    """Return the passage from a place to one beside it; None where no thing makes one."""
    if not battle.things:
        return None
    return battle.once("passages", lambda: _all(rules, battle)).get((here, there))


def _all(rules: Rules, battle: Battle) -> Ways:
    return {step: passage for source in SOURCES for step, passage in source(rules, battle).items()}
