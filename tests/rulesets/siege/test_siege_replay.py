"""Whole games: pure, the same each time, rebuilt from their events alone, and written as
their schemas say.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
import siege_games

from pbem.rulesets.siege.state import events, happening, saved, state
from pbem.rulesets.siege.views import scene
from pbem.text import shape
from pbem.text.codec import CodecError

SCHEMAS = Path(__file__).resolve().parents[3] / "schemas"
GAMES = [
    ("alder-ford", 1, {}),
    ("windle-hill", 2, {}),
    ("alder-ford", 3, {"advance_past_enemy_wound_roll": "true", "multi_vs_multi": "allow_if_all_adjacent"}),
]
LENGTH = 26


@pytest.fixture(scope="module", params=GAMES, ids=lambda game: f"{game[0]}-{game[1]}")
def game(request: pytest.FixtureRequest) -> list[siege_games.Slot]:
    name, seed, options = request.param
    return list(siege_games.slots(name, seed, LENGTH, **options))


def test_something_happens_in_these_games(game: list[siege_games.Slot]) -> None:
    kinds = {type(event).__name__ for slot in game for event in slot.result.events}
    assert {"Moved", "Rolled", "Chosen", "PhaseBegan", "TurnBegan", "Instructed"} <= kinds
    assert {"Shot", "Fought"} & kinds


def test_a_slot_played_twice_comes_to_the_same(game: list[siege_games.Slot]) -> None:
    for slot in game:
        again = slot.again()
        assert again.state == slot.result.state
        assert again.events == slot.result.events
        assert again.rolls == slot.result.rolls


def test_playing_leaves_what_it_was_given_as_it_was(game: list[siege_games.Slot]) -> None:
    for slot in game:
        before, files = copy.deepcopy(saved.write(slot.rules, slot.before)), copy.deepcopy(slot.files)
        slot.again()
        assert saved.write(slot.rules, slot.before) == before
        assert slot.files == files


def test_the_events_alone_rebuild_the_state(game: list[siege_games.Slot]) -> None:
    for slot in game:
        battle = slot.before
        for event in slot.result.events:
            battle = happening.apply(battle, event)
        assert battle == slot.result.state


def test_a_state_that_is_written_is_read_back_as_the_same(game: list[siege_games.Slot]) -> None:
    for slot in game:
        written = slot.rules.interface.state_to_plain(slot.rules, slot.result.state)
        assert json.loads(json.dumps(written)) == written
        assert (
            slot.rules.interface.state_from_plain(slot.rules, slot.before.field, written) == slot.result.state
        )


def test_states_have_the_form_of_their_schema(game: list[siege_games.Slot]) -> None:
    form = shape.load(json.loads((SCHEMAS / "state.schema.json").read_text("utf-8")), text=False)
    for slot in game:
        written = saved.write(slot.rules, slot.result.state)
        assert form.check(written) == []
        assert [unit["id"] for unit in written["units"]] == sorted(unit["id"] for unit in written["units"])


def test_events_have_the_form_of_their_schema(game: list[siege_games.Slot]) -> None:
    form = shape.load(json.loads((SCHEMAS / "events.schema.json").read_text("utf-8")), text=False)
    seen = set()
    for slot in game:
        for n, event in enumerate(slot.result.events):
            plain = {"n": n, "phase": slot.before.at.phase, **events.plain(event)}
            key = json.dumps({**plain, "n": 0}, sort_keys=True)
            if key not in seen:
                seen.add(key)
                assert form.check(plain) == [], plain


def test_no_two_living_figures_ever_stand_in_one_hex_nor_off_the_map(game: list[siege_games.Slot]) -> None:
    for slot in game:
        battle = slot.result.state
        assert all(len(ids) == 1 for ids in battle.living_in.values())
        assert all(hex_ in battle.field.ground for unit in battle.units.values() for hex_ in unit.hexes)


def test_what_is_known_of_places_without_counting_again_is_what_counting_gives(
    game: list[siege_games.Slot],
) -> None:
    for slot in game:
        battle = slot.before
        for event in slot.result.events:
            assert (battle.standing_at, battle.living_in, battle.bodies_in) == _counted(battle)
            battle = happening.apply(battle, event)
        assert (battle.standing_at, battle.living_in, battle.bodies_in) == _counted(battle)


def _counted(battle: state.Battle) -> tuple[object, object, object]:
    anew = battle.changed()
    return anew.standing_at, anew.living_in, anew.bodies_in


def test_every_state_can_be_drawn(game: list[siege_games.Slot]) -> None:
    for slot in game:
        told = [events.plain(event) for event in slot.result.events]
        drawn = scene.scene(slot.rules, slot.result.state, told)
        ridden = slot.result.state.rider_of
        on_map = [unit for unit in slot.result.state.units.values() if unit.at and unit.id not in ridden]
        assert sorted(token.id for token in drawn.tokens) == sorted(unit.id for unit in on_map)
        assert len(drawn.areas) == slot.before.field.columns * slot.before.field.rows
        assert all(trace.path and trace.actors for trace in drawn.traces)
        assert scene.scene(slot.rules, slot.result.state, told) == drawn


def test_a_state_of_another_ruleset_or_format_is_refused() -> None:
    rules, battle = siege_games.begin("alder-ford")
    written = saved.write(rules, battle)
    for wrong in (
        {"format": 2},
        {"ruleset": {"id": "anarchy", "revision": 1}},
        {"units": 3},
        {"weather": "rain"},
    ):
        with pytest.raises(CodecError):
            saved.read(rules, battle.field, {**written, **wrong})


def test_what_is_no_event_is_neither_applied_nor_written() -> None:
    _, battle = siege_games.begin("alder-ford")
    with pytest.raises(TypeError, match="not an event"):
        happening.apply(battle, "thunder")
    with pytest.raises(TypeError, match="not an event"):
        events.plain("thunder")
