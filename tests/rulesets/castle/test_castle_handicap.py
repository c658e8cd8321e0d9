"""The handicaps of the shipped scenarios: who agrees to one gets what it says, and no action more."""

from __future__ import annotations

import pytest

from pbem.referee.game.refusal import Refused
from pbem.referee.game.replay import first_state
from pbem.referee.game.scenario import find_scenario, judge
from pbem.rulesets.castle.actions import allowance
from pbem.rulesets.castle.dial import points
from pbem.rulesets.castle.handicap import handicap_problems
from pbem.rulesets.castle.ruleset import CASTLE
from pbem.rulesets.castle.state import War


def begun(scenario: str, **options: str) -> War:
    _, ground, _ = judge(find_scenario(scenario), options)
    war: War = first_state(ground, {side.id: side.id for side in ground.field.sides})
    return war


def cost(war: War, side: str) -> int:
    return sum(points(CASTLE, one) for one in war.all if one.side == side)


@pytest.mark.parametrize(
    ("scenario", "sides", "without", "with_it"),
    [
        ("the-long-curtain", ("host", "curtain"), (490, 492), (490, 600)),
        ("kestrel-tower", ("hill", "keep"), (299, 300), (344, 300)),
    ],
)
def test_a_handicap_is_worth_what_the_outline_says(
    scenario: str, sides: tuple[str, str], without: tuple[int, int], with_it: tuple[int, int]
) -> None:
    war, helped = begun(scenario), begun(scenario, handicap="yes")
    assert tuple(cost(war, side) for side in sides) == without
    assert tuple(cost(helped, side) for side in sides) == with_it
    for side in sides:
        assert allowance(CASTLE, war, side) == allowance(CASTLE, helped, side)


def test_heavy_towers_begin_with_three_clicks_more() -> None:
    war = begun("the-long-curtain", handicap="yes")
    names = ("west-tower", "east-tower", "gate")
    assert [begun("the-long-curtain").section(name).click for name in names] == [5, 5, 4]
    assert [war.section(name).click for name in names] == [2, 2, 4]
    assert {one.id for one in begun("kestrel-tower", handicap="yes").figures} > {"rumble"}


def test_a_handicap_that_is_none_is_refused() -> None:
    with pytest.raises(Refused):
        judge(find_scenario("kestrel-tower"), {"handicap": "perhaps"})
    sides = {"keep": {"sections": [{"id": "wall1"}]}}
    said = {"side": "moon", "points": "9"}
    assert [one.code for one in handicap_problems(CASTLE, {"sides": sides, "handicap": said})] == [
        "castle.no-side"
    ]
    said = {"side": "keep", "points": "9", "heavy": ["wall9", "wall1"]}
    (found,) = handicap_problems(CASTLE, {"sides": sides, "handicap": said})
    assert (found.code, found.path) == ("castle.no-section", ("handicap", "heavy", 0))
