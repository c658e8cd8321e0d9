"""What the referee asks of any ruleset, tried on every one there is: pure, sound, written and read back,
drawn, and never surprised.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from farm_table import HENHOUSE
from table import SCENARIOS

from pbem.core.dice import NoDice, NoDiceError
from pbem.core.problem import worst
from pbem.core.scene import Scene
from pbem.core.sequence import parse_cursor
from pbem.proof.dice_protocol import SeededDice, is_label
from pbem.proof.rules import Seat
from pbem.referee.game.replay import (
    Ground,
    Outcome,
    Sheet,
    first_state,
    open_questions,
    opening,
    play,
    read_state,
    state_bytes,
)
from pbem.referee.game.scenario import find_scenario, judge
from pbem.rulesets import known
from pbem.text.source import read

GAMES = {
    "toy": (str(SCENARIOS / "tug.yaml"), str(SCENARIOS / "dig.yaml")),
    "hunt": (str(SCENARIOS / "hunt.yaml"),),
    "farmyard": (str(HENHOUSE),),
    "cry_havoc": ("alder-ford", "windle-hill"),
    "siege": ("millers-ladders", "oil-and-oxen", "six-days"),
    "anarchy": (str(SCENARIOS / "ambush.yaml"),),
    "castle": ("kestrel-tower",),
}
Played = tuple[int, Any, dict[str, Any], list[Sheet], Outcome]
SLOTS = 12
TRIED = 60
MOST, FIGURES, TRIES = 2_000, 14, 3


def test_every_ruleset_is_tried() -> None:
    assert set(known()) == set(GAMES)


PAIRS = [(ruleset, name) for ruleset, names in GAMES.items() for name in names]


@pytest.fixture(scope="module", params=PAIRS, ids=[name.rpartition("/")[2] for _, name in PAIRS])
def ground(request: pytest.FixtureRequest) -> Ground:
    ruleset, name = request.param
    _, made, _ = judge(find_scenario(name))
    assert made.rules.id == ruleset
    return made


def seats_of(ground: Ground) -> dict[str, Seat]:
    return {side: Seat(side, side, "player", None, None, False) for side in ground.scenario["sides"]}


def sentences(ground: Ground, state: Any, seat: str, slot: int) -> dict[str, list[str]]:
    """Return orders that go together: for each first word a legal one, dropped where it does not fit with
    those before it.
    """
    interface, rules = ground.rules.interface, ground.rules
    phase = interface.cursor(state).phase
    heading = rules.sequence.phase(phase).heading
    legal: dict[str, list[str]] = {}
    for order in islice(interface.legal(rules, state, seat), MOST):
        words = interface.say(order)
        legal.setdefault(words.partition(" ")[0], []).append(words)
    said: list[str] = []
    for n, options in enumerate(islice(legal.values(), FIGURES)):
        for turn in range(TRIES):
            more = [*said, options[(slot * 7 + n * 3 + turn * 5) % len(options)]]
            sheet, problems = interface.read_orders(rules, state, seat, {heading: more})
            if not problems and not worst(interface.check(rules, state, sheet, ()).problems):
                said = more
                break
    return {heading: said}


def slots(ground: Ground) -> Iterator[Played]:
    """Play slots with legal orders and the first answer to every question; yield number, state before, next,
    files, outcome.
    """
    seats = seats_of(ground)
    interface, rules = ground.rules.interface, ground.rules
    state = first_state(ground, {side: side for side in seats})
    announced: dict[str, Any] = opening(ground, seats, 1, state)
    kept: list[Sheet] = []
    recorded: list[Any] = []
    for number in range(1, SLOTS + 1):
        new = []
        for seat in announced["waits"]:
            question = next((one for one in open_questions(announced) if one["seat"] == seat), None)
            if question is not None:
                data: dict[str, Any] = {"answers": {question["id"]: question["choices"][0]["value"]}}
            else:
                data = dict(sentences(ground, state, seat, number))
            sheet, problems = interface.read_orders(rules, state, seat, data)
            assert problems == [], (seat, data)
            assert worst(interface.check(rules, state, sheet, ()).problems) == [], (seat, data)
            new.append(Sheet(seat, number, f"{number:0128x}", sheet))
        sheets = [*kept, *new]
        dice = SeededDice(number.to_bytes(32, "big"))
        outcome = play(ground, seats, number, state, announced, sheets, recorded, dice)
        yield number, state, announced, sheets, outcome
        if outcome.following is None:
            return
        kept = [sheet for sheet in sheets if (sheet.seat, sheet.slot) in outcome.kept]
        same = outcome.following["phase"] == announced["phase"] and bool(announced.get("questions"))
        rolled = [roll for roll in outcome.rolls if roll.label.startswith(outcome.following["phase"] + "/")]
        recorded = [*(recorded if same else []), *rolled]
        state, announced = outcome.state, outcome.following


@pytest.fixture(scope="module")
def game(ground: Ground) -> tuple[Played, ...]:
    """Return the first slots of a game, played once for all tests: values that nobody changes."""
    return tuple(slots(ground))


def test_a_game_is_a_pure_function_of_its_files_and_dice(ground: Ground, game: tuple[Played, ...]) -> None:
    seats = seats_of(ground)
    for number, state, announced, sheets, outcome in game:
        before = state_bytes(ground, state)
        again = play(
            ground,
            seats,
            number,
            read_state(ground, before),
            announced,
            sheets,
            [],
            SeededDice(number.to_bytes(32, "big")),
        )
        assert state_bytes(ground, state) == before, "arguments stay as they were"
        if not announced.get("questions"):
            assert (again.state_data, again.rolls, again.events, again.following) == (
                outcome.state_data,
                outcome.rolls,
                outcome.events,
                outcome.following,
            )


def test_states_and_events_are_written_and_read_back(ground: Ground, game: tuple[Played, ...]) -> None:
    for _, _, announced, _, outcome in game:
        assert state_bytes(ground, read_state(ground, outcome.state_data)) == outcome.state_data
        assert json.loads(json.dumps(outcome.events)) == list(outcome.events)
        assert [event["n"] for event in outcome.events] == list(range(1, len(outcome.events) + 1))
        assert all(isinstance(event["type"], str) and event["phase"] for event in outcome.events)
        for phase in outcome.phases:
            assert str(parse_cursor(phase)) == phase
        assert outcome.phases[0] == announced["phase"]
        for roll in outcome.rolls:
            assert is_label(roll.label)
            assert roll.label.partition("/")[0] in outcome.phases
        assert len({roll.label for roll in outcome.rolls}) == len(outcome.rolls)


def test_legal_orders_are_said_read_and_fine(ground: Ground, game: tuple[Played, ...]) -> None:
    interface, rules = ground.rules.interface, ground.rules
    for _, state, announced, _, _ in game[:4]:
        if announced.get("questions"):
            continue
        for seat in announced["waits"]:
            phase = interface.cursor(state).phase
            heading = rules.sequence.phase(phase).heading
            for order in islice(interface.legal(rules, state, seat), TRIED):
                said = interface.say(order)
                sheet, problems = interface.read_orders(rules, state, seat, {heading: [said]})
                assert problems == [], said
                judged = interface.check(rules, state, sheet, ())
                assert worst(judged.problems) == [], said
                assert len(interface.forecast(rules, judged.course)) == 1, said


def test_a_scene_draws_every_moment(ground: Ground, game: tuple[Played, ...]) -> None:
    from pbem.referee.explain.draw import drawn, scene_of

    for number, _, _, _, outcome in game[:3]:
        scene = scene_of(ground, outcome.state, outcome.events, f"slot {number}")
        assert isinstance(scene, Scene)
        assert f"slot {number}" in drawn(scene, ".txt").decode()


def test_without_dice_the_first_die_is_named(ground: Ground, game: tuple[Played, ...]) -> None:
    for number, state, announced, sheets, outcome in game:
        if not outcome.rolls or announced.get("questions"):
            continue
        with pytest.raises(NoDiceError) as wanted:
            play(ground, seats_of(ground), number, state, announced, sheets, [], NoDice())
        assert wanted.value.label == outcome.rolls[0].label


JUNK = (
    *(
        "",
        "[]",
        "fight: x",
        "fight: [[a]]",
        "fight:\n- {do: 7}\n- {}\n- when: x\n",
        "standing: true",
        "answers: [q1]",
        "turn: t99",
    ),
    *(
        "note: x",
        "setup:\n- a at b",
        "shoot:\n- a at b across q",
        "move:\n- a to 9999\n- by",
        "stop-after: never",
    ),
    *("standing: {a: {b: c}}", "fight:\n- stop", "pull: x", "pull: [[a]]", "pull:\n- stop"),
)


@pytest.mark.parametrize("text", JUNK)
def test_junk_is_answered_with_problems(ground: Ground, text: str) -> None:
    interface, rules = ground.rules.interface, ground.rules
    seats = seats_of(ground)
    state = first_state(ground, {side: side for side in seats})
    from pbem.referee.game.scenario import shape_for

    data = read(text.encode()).data
    if data is None or shape_for("orders", rules.id).check(data):
        return
    for seat in seats:
        sheet, problems = interface.read_orders(rules, state, seat, data)
        assert (sheet is None) == bool(worst(problems)) or sheet is not None
        if sheet is not None:
            interface.check(rules, state, sheet, ())


def test_the_outcome_has_its_form(ground: Ground, game: tuple[Played, ...]) -> None:
    for _, _, _, _, outcome in game[:2]:
        found = ground.rules.interface.outcome(ground.rules, outcome.state)
        assert set(found) >= {"winner", "grade", "why", "sides"}
        assert {entry["side"] for entry in found["sides"]} == set(ground.scenario["sides"])
