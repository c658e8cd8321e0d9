"""What a battle hands on is what another would find out anew, and what was found out is not searched again."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
import siege_games
from msgspec.structs import replace

from benchmarks import battle as parade
from benchmarks import sight
from pbem.geometry import path
from pbem.rulesets.siege.combat import aiming, ranges
from pbem.rulesets.siege.deeds import reading
from pbem.rulesets.siege.judge import forecast, judge, legal
from pbem.rulesets.siege.march import known_steps, movement, riding, step
from pbem.rulesets.siege.sight import cover
from pbem.rulesets.siege.state import happening, once
from pbem.rulesets.siege.state.line import Aim
from pbem.rulesets.siege.state.state import DEAD, Battle, Feature
from pbem.rulesets.siege.views import offers

INDEXES = (
    "rider_of",
    "standing_at",
    "living_in",
    "bodies_in",
    "afraid",
    "side_of_seat",
    "wagon_in",
    "living_of",
    "men_of",
    "seats_of",
)


@cache
def slots(name: str) -> list[siege_games.Slot]:
    return list(siege_games.slots(name, 4, 5))


@pytest.mark.parametrize("name", ["windle-hill", "alder-ford"])
def test_what_is_handed_on_after_an_event_is_what_a_fresh_battle_finds(name: str) -> None:
    events = 0
    for slot in slots(name):
        now = slot.before
        for event in slot.result.events:
            for index in INDEXES:
                getattr(now, index)
            now = happening.apply(now, event)
            fresh = replace(now)
            assert {index: getattr(now, index) for index in INDEXES} == {
                index: getattr(fresh, index) for index in INDEXES
            }, event
            assert list(now.standing_at) == list(fresh.standing_at)
            events += 1
    assert events > 50


def test_what_is_handed_on_when_somebody_is_gone_is_what_a_fresh_battle_finds() -> None:
    _, now = parade.battle(6)
    while True:
        for index in INDEXES:
            getattr(now, index)
        unit = next((unit for unit in now.units.values() if unit.living), None)
        if unit is None:
            break
        now = now.with_units(replace(unit, at=()))
        assert unit.id not in {id_ for ids in now.__dict__["living_of"].values() for id_ in ids}
        fresh = replace(now)
        assert {index: getattr(now, index) for index in INDEXES} == {
            index: getattr(fresh, index) for index in INDEXES
        }
    assert now.living_of == {}


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Return how many searches of ways there were so far."""
    count = [0]

    def counting(search: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any, **kwargs: Any) -> Any:
            count[0] += 1
            return search(*args, **kwargs)

        return counted

    for search in (path._search, path._toward):
        monkeypatch.setattr(path, search.__name__, counting(search))
    return lambda: count[0]


def test_a_file_is_judged_and_foretold_with_one_search_for_each_move(searches: Callable[[], int]) -> None:
    laid, state = parade.battle(40)
    orders = parade.read_orders(laid, state, parade.orders(40))
    judged = judge.check(laid.rules, state, orders)
    moves = len(orders.sections["movement"])
    assert searches() == moves == 15
    forecast.forecast(laid.rules, judged.course)
    assert searches() == moves


def test_what_is_offered_is_not_searched_again(searches: Callable[[], int]) -> None:
    laid, state = parade.battle(20)
    moving = state.changed(at=replace(state.at, phase="movement"))
    listed = list(legal.legal(laid.rules, moving, "east"))
    before = searches()
    offered = list(offers.offers(laid.rules, moving, "east"))
    assert len(offered) == len(listed) > 300
    assert before == searches() == 10


@pytest.mark.parametrize("name", ["windle-hill", "alder-ford"])
def test_of_ways_that_were_searched_together_each_is_the_one_that_is_found_alone(name: str) -> None:
    rules = slots(name)[0].rules
    asked = 0
    for slot in slots(name)[::3]:
        battle = slot.before
        for unit in [unit for unit in battle.units.values() if unit.able and unit.id not in battle.rider_of][
            ::4
        ]:
            spend = step.points(rules, battle, unit)
            fresh = replace(battle)
            reached = movement.reach(rules, battle, unit, spend)
            riding.reach(rules, battle, unit, spend) if riding.two_hexes(unit) else None
            for goal in list(reached)[::5]:
                assert movement.to(rules, battle, unit, goal, spend) == movement.to(
                    rules, fresh, unit, goal, spend
                )
                asked += 1
    assert asked > 50


def test_a_shot_without_hope_has_none_when_others_are_gone() -> None:
    laid, state = parade.battle(24)
    hopeless = 0
    for shooter in [unit for unit in state.units.values() if unit.side == "east"]:
        if not ranges.weapon_of(laid.rules, state, shooter):
            continue
        for target in [unit for unit in state.units.values() if unit.side == "west"]:
            found = aiming.aim(laid.rules, state, shooter, target)
            if isinstance(found, Aim):
                continue
            by = aiming.barred_by(laid.rules, state, shooter, target, found)
            if not by and not aiming.hopeless(laid.rules, state, shooter, target):
                continue
            kept = {shooter.id, target.id, by}
            others = [unit for unit in state.units.values() if unit.id not in kept]
            alone = state.with_units(*(replace(unit, state=DEAD, at=()) for unit in others))
            assert not isinstance(aiming.aim(laid.rules, alone, shooter, target), Aim)
            hopeless += 1
    assert hopeless > 10


def test_of_the_nearest_only_those_are_aimed_at_whom_walls_do_not_shut_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules, castle = sight.ranged(12)
    said = [f"{unit.id} at nearest" for unit in castle.units.values() if unit.side == "east"]
    orders, problems = reading.read_orders(rules, castle, "east", {"side": "east", "shoot": said})
    assert orders is not None and not problems
    judged = judge.check(rules, replace(castle), orders)
    asked = [0]
    covered = cover.cover

    def counted(*args: Any) -> Any:
        asked[0] += 1
        return covered(*args)

    monkeypatch.setattr(cover, "cover", counted)
    assert judge.check(rules, replace(castle), orders).problems == judged.problems
    assert asked[0] == 0, "what was found out in another moment holds"
    new = replace(castle, field=replace(castle.field))
    assert judge.check(rules, new, orders).problems == judged.problems
    assert 0 < asked[0] <= len(said) < 12 * len(said)
    asked[0] = 0
    foes = [replace(unit, skill=1) for unit in castle.units.values() if unit.side == "west"]
    assert judge.check(rules, castle.with_units(*foes), orders).problems == judged.problems
    assert asked[0] == 0, "nothing on their lines changed"


def test_rules_are_told_apart_by_which_they_are_and_the_first_is_forgotten_for_one_too_many() -> None:
    one, alike, third = (slots("windle-hill")[-1].rules.amend() for _ in range(3))
    kept: once.ByRules[dict[str, str]] = once.ByRules(dict, most=2)
    found = kept[one]
    assert kept[alike] is not found and kept[one] is found
    kept[third]
    assert kept[one] is not found, "it asked first, and two are kept"


def test_what_is_known_of_steps_is_forgotten_for_the_oldest_ground_only() -> None:
    slot = slots("windle-hill")[-1]
    battle = slot.before
    known = known_steps.of(slot.rules, battle)
    assert known_steps.of(slot.rules, replace(battle)) is known, "the same ground, read anew"
    for number in range(known_steps.MOST_GROUNDS):
        other = Battle(battle.field, battle.at, battle.units, features={("0101", "fire"): _fire(number)})
        assert known_steps.of(slot.rules, other) is not known
    assert known_steps.of(slot.rules, replace(battle)) is not known
    assert len(battle.field.once("steps", dict)) == known_steps.MOST_GROUNDS


def _fire(turns: int) -> Feature:
    return Feature("0101", "fire", turns=turns)
