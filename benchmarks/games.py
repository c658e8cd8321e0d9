"""Whole games between sergeants in memory, to their end: the default rules, and lines of fire between any parts of
two hexes.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Final

from benchmarks.measure import Result
from pbem.bots.bot import find
from pbem.bots.chance import SeedDice
from pbem.bots.game import game
from pbem.referee.game.replay import first_state
from pbem.referee.game.scenario import find_scenario, judge

SCENARIO: Final = "nineteen-days"
ANY: Final = {"line_of_fire": "any_part"}
GAMES: Final[tuple[tuple[str, Mapping[str, str], float], ...]] = (
    ("default rules", {}, 3000),
    ("lines between any parts", ANY, 10000),
)
"""What is said of the options, these, and the milliseconds that are the aim."""


def played(scenario: str, options: Mapping[str, str]) -> float:
    """Play one game; return the seconds of a processor that it took."""
    ground = judge(find_scenario(scenario), options)[1]
    sides = {side: side for side in ground.scenario["sides"]}
    bots = dict.fromkeys(sides, find("sergeant", ground.rules.id))
    began = time.process_time()
    done = game(ground.rules, first_state(ground, sides), bots, SeedDice(scenario), scenario)
    took = time.process_time() - began
    if not ground.rules.interface.over(done.state):
        raise AssertionError("the game is not over")
    return took


def results() -> Iterator[Result]:
    """Yield the benchmark: each game is played twice, and the lesser time counts."""
    for said, options, aim in GAMES:
        took = min(played(SCENARIO, options) for _ in range(2))
        yield Result("games", f"{SCENARIO} between sergeants, {said}", "", took, None, aim)
