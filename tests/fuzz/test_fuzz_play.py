"""A few games of the fuzz by play, and what its account and its kept games are worth."""

from __future__ import annotations

import fuzz_play
import pytest
from fuzz_play import (
    ABSENT,
    ENOUGH,
    Broken,
    Game,
    beginning,
    kept,
    of_battle,
    of_event,
    on_its_boards,
    play,
    rolling,
    scenarios_of,
)
from msgspec.structs import replace

from pbem.rulesets.siege.state.events import Moved, StateChanged

MOST = 8
"""So many slots of each game are followed here; ``make fuzz`` follows them to the end."""


@pytest.mark.parametrize("number", range(18))
def test_games_of_all_kinds_break_nothing(number):
    game = play(Game(beginning(number)), most=MOST)
    assert game.slots
    assert game.counts["event PhaseEnded"] >= len(game.slots)


def test_a_game_that_was_kept_is_played_again_from_its_files_and_rolls(tmp_path):
    game = play(Game(beginning(1)))
    slots, counts = list(game.slots), game.counts
    again = kept(game.keep(tmp_path, "kept for a test"))
    play(again, again.slots)
    assert again.counts == counts
    assert [slot["rolls"] for slot in again.slots] == [slot["rolls"] for slot in slots]


def test_the_same_number_is_the_same_game():
    assert play(Game(beginning(2))).slots == play(Game(beginning(2))).slots


def test_a_battle_that_makes_no_sense_is_seen():
    _, battle = beginning(1).battle()
    assert not list(of_battle(battle))
    one, other = [
        unit for unit in battle.units.values() if unit.living and unit.kind == "man" and not unit.on
    ][:2]
    crowded = battle.with_units(replace(other, at=one.at))
    assert any("both at" in said for said in of_battle(crowded))
    assert any(
        "places" in said for said in of_battle(battle.with_units(replace(one, at=(*one.at, *other.at))))
    )


def test_an_event_that_makes_no_sense_is_seen():
    _, battle = beginning(1).battle()
    unit = next(
        unit
        for unit in battle.units.values()
        if unit.living and unit.kind == "man" and not unit.on and unit.state == "healthy"
    )
    raised = StateChanged(unit.id, "dead", "healthy", "t1.east.melee")
    assert len(list(of_event(battle, raised, battle))) == 2
    assert list(of_event(battle, Moved(unit.id, ("9999", unit.at[0]), 13, 13), battle))
    assert list(of_event(battle, StateChanged(unit.id, "healthy", "dead", "t1.east.melee"), battle)) == [
        "the dead do not add up"
    ]


def test_a_broken_rule_stops_the_game(monkeypatch):
    monkeypatch.setattr(fuzz_play, "STATES", dict.fromkeys(fuzz_play.STATES, ()))
    with pytest.raises(Broken):
        for number in range(1, 9):
            play(Game(beginning(number)))


def test_the_scenarios_of_one_ruleset_are_played_one_after_the_other():
    assert {beginning(number, of="anarchy").scenario for number in range(6)} == {*scenarios_of("anarchy")}


def test_a_rule_that_play_hardly_reaches_rolls_on_the_boards_of_its_cases():
    assert on_its_boards("A1.4b")["die of A1.4b"] >= ENOUGH
    assert {*ABSENT["anarchy"]} <= rolling()
