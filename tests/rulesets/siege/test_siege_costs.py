"""What a search is told of steps is what the rules say of each of them: the same steps are open, whatever has
been asked before.
"""

from __future__ import annotations

import pytest
import siege_games
from thorough import deeper, tries

from benchmarks.castle import SCENARIO, assault
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import neighbours
from pbem.rulesets.siege.march import riding, step
from pbem.rulesets.siege.state.state import Battle


def in_the_midst(name: str) -> tuple[Ruleset[Battle], Battle]:
    """Return a battle after some turns: by the bench of castles with ladders, tower and ram at the wall."""
    if name == SCENARIO:
        ground, state, _ = assault()
        return ground.rules, state
    slot = list(siege_games.slots(name, 4, 6))[-1]
    return slot.rules, slot.result.state


@deeper
@pytest.mark.parametrize("name", ["alder-ford", "windle-hill", SCENARIO])
def test_a_step_has_a_cost_exactly_where_nothing_stops_it(name: str) -> None:
    rules, battle = in_the_midst(name)
    figures = [unit for unit in battle.units.values() if unit.at and unit.id not in battle.rider_of][
        :: tries(15, 2)
    ]
    beast = next((unit for unit in battle.units.values() if unit.kind != "man"), None)
    open_ = shut = 0
    for unit in figures:
        for led in ((), (beast,)) if beast else ((),):
            cost = step.costs(rules, battle, unit, led)
            for here in sorted(battle.field.ground)[:: 7 if led else 3]:
                for there in (*battle.beside(here), here):
                    stopped = step.why_not(rules, battle, unit, here, there) or step.led_bars(
                        rules, battle, led, here, there
                    )
                    assert (cost(here, there) is None) == (stopped is not None), (unit.id, here, there)
                    assert cost(here, there) == step.step_cost(rules, battle, unit, here, there, led)
                    open_, shut = open_ + (stopped is None), shut + (stopped is not None)
    assert open_ > 100 and shut > 100


def test_a_rider_has_a_cost_exactly_where_nothing_stops_him() -> None:
    rules, battle = in_the_midst("windle-hill")
    rider = next(unit for unit in battle.units.values() if unit.on and unit.at)
    for here in sorted(battle.field.ground)[::4]:
        for tail in (hex_ for hex_ in neighbours(here) if hex_ in battle.field.ground):
            figure = riding.figure((here, tail))
            for there in riding.onward(rules, figure):
                stopped = riding.why_not(rules, battle, rider, figure, there)
                assert (riding.step_cost(rules, battle, rider, figure, there) is None) == (
                    stopped is not None
                ), (figure, there)
