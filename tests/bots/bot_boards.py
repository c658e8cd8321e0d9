"""Beginnings for bots: scenarios of Cry Havoc as they stand after their setup, small fields, and the toy's
rope.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1] / "rulesets" / "siege"))

from skirmish import RULES, battle, field
from toy_ruleset import TOY

from pbem.bots.bot import find
from pbem.bots.chance import Chance, HighDice
from pbem.core.ruleset import Ruleset, play_slot
from pbem.core.sequence import parse_cursor
from pbem.referee.game.replay import Ground, first_state
from pbem.referee.game.scenario import find_scenario, judge

__all__ = ["RULES", "battle", "begun", "bot", "chance", "cry_havoc", "field", "ground", "rope"]


@cache
def ground(scenario: str, *options: tuple[str, str]) -> Ground:
    return judge(find_scenario(scenario), dict(options))[1]


def begun(scenario: str, *options: tuple[str, str]) -> tuple[Ruleset[Any], Any, list[str]]:
    """Return rules, the state before the first phase, and the sides."""
    laid = ground(scenario, *options)
    sides = list(laid.scenario["sides"])
    return laid.rules, first_state(laid, {side: side for side in sides}), sides


def cry_havoc(scenario: str, phase: str, *options: tuple[str, str]) -> tuple[Ruleset[Any], Any]:
    """Return rules and state when everybody has placed himself by default and a phase begins."""
    rules, state, _ = begun(scenario, *options)
    while state.at.phase == "setup":
        files = {}
        for seat in rules.interface.seats_to_order(rules, state):
            files[seat] = (rules.interface.read_orders(rules, state, seat, {"setup": []})[0],)
        state = play_slot(rules, state, files, {}, HighDice()).state
    return rules, state.changed(at=parse_cursor(phase))


def rope(length: int = 4) -> Any:
    from toy_ruleset import Yard, setup

    return setup(TOY, Yard(length, "0", False), {"north": "north", "south": "south"})


def chance(seed: str = "test") -> Chance:
    return Chance(seed)


def bot(name: str, ruleset: str = "cry_havoc") -> Any:
    return find(name, ruleset)
