"""What the sequence of play says of single moments, and what states keep that no case shows."""

from __future__ import annotations

import pytest
import skirmish
from msgspec.structs import replace

from pbem.core.play import Stopped
from pbem.core.sequence import Cursor
from pbem.rulesets.siege.combat import may_attack
from pbem.rulesets.siege.orders import choices
from pbem.rulesets.siege.ruleset import CRY_HAVOC
from pbem.rulesets.siege.scenario import setup
from pbem.rulesets.siege.state import events, happening
from pbem.rulesets.siege.state.state import Instructions, Job
from pbem.rulesets.siege.turn import sequence

MEN = {
    "hob": ("east", "sergeant", "0505"),
    "wulf": ("west", "peasant", "0504"),
    "ned": ("west", "peasant", "0604"),
}


def test_a_game_opens_with_its_setup_or_with_the_first_player_turn() -> None:
    field = skirmish.field()
    assert sequence.opening(CRY_HAVOC, field) == events.PhaseBegan("setup", 1, "west")
    assert sequence.opening(CRY_HAVOC, replace(field, setup=())) == events.PhaseBegan(
        "first_missile", 1, "east"
    )


def test_nobody_orders_in_the_recovery_nor_after_the_end() -> None:
    battle = skirmish.battle(MEN, "melee")
    assert sequence.seats_to_order(CRY_HAVOC, battle) == ("east",)
    assert sequence.seats_to_order(CRY_HAVOC, battle.changed(at=Cursor("recovery", 3, "east"))) == ()
    assert sequence.seats_to_order(CRY_HAVOC, battle.changed(winner="east")) == ()
    assert sequence.seats_to_order(CRY_HAVOC, battle.changed(at=Cursor("setup", 1, "west"))) == ("west",)


def test_a_new_player_turn_empties_what_its_own_figures_did() -> None:
    men = {
        **MEN,
        "hob": ("east", "sergeant", "0505", {"did": ("shot",)}),
        "wulf": ("west", "peasant", "0504", {"did": ("fought",)}),
    }
    battle = skirmish.battle(men, "melee").changed(at=Cursor("recovery", 3, "east"))
    began = sequence.advance(CRY_HAVOC, battle)[-1]
    assert began == events.PhaseBegan("first_missile", 3, "west", fresh=("wulf",))
    after = happening.apply(battle, began)
    assert (after.units["hob"].did, after.units["wulf"].did) == (("shot",), ())


def test_after_the_last_step_of_the_setup_the_first_turn_begins() -> None:
    battle = skirmish.battle(MEN, "melee").changed(at=Cursor("setup", 1, "west"))
    told = sequence.advance(CRY_HAVOC, battle)
    assert told == (
        events.PhaseEnded("setup"),
        events.TurnBegan(1),
        events.PhaseBegan("first_missile", 1, "east"),
    )


@pytest.mark.parametrize(
    ("unit", "code"),
    [
        ({"state": "dead"}, "sequence.dead"),
        ({"left": True}, "sequence.gone"),
        ({"state": "stunned"}, "sequence.stunned"),
        ({}, ""),
    ],
)
def test_who_may_do_nothing_at_all(unit: dict[str, object], code: str) -> None:
    battle = skirmish.battle({**MEN, "hob": ("east", "longbowman", "0505", unit)})
    hob = battle.units["hob"]
    found = [
        sequence.may_shoot(CRY_HAVOC, battle, hob, "first_missile"),
        sequence.may_move(CRY_HAVOC, battle, hob),
        sequence.may_fight(CRY_HAVOC, battle, hob),
    ]
    assert [problem.code if problem else "" for problem in found] == [code] * 3


def test_a_side_that_is_not_active_only_defends() -> None:
    battle = skirmish.battle(MEN, "melee")
    problem = sequence.may_fight(CRY_HAVOC, battle, battle.units["wulf"])
    assert problem is not None
    assert (problem.code, problem.rule) == ("sequence.not-his-turn", "S1.2d")
    problem = sequence.may_fight(CRY_HAVOC, battle, battle.units["hob"], "movement")
    assert problem is not None
    assert problem.code == "sequence.no-melee-now"


def test_jobs_begin_and_end_by_events() -> None:
    battle = skirmish.battle(MEN)
    busy = happening.apply(battle, events.JobBegan("hob", "work", "bridge", "t3.east.movement"))
    assert busy.units["hob"].job == Job("work", "bridge", "t3.east.movement")
    assert happening.apply(busy, events.JobDone("hob", "work", "bridge")).units["hob"].job is None
    assert happening.apply(busy, events.JobBroken("hob", "work", "he moved")).units["hob"].job is None


def test_the_most_exact_standing_instruction_wins() -> None:
    said = Instructions(
        "west", "", {"retreat": "away", "wound": "weakest"}, ({"unit": "ned", "retreat": "cover"},)
    )
    assert (said.of("ned", "retreat"), said.of("ned", "wound"), said.of("wulf", "retreat")) == (
        "cover",
        "weakest",
        "away",
    )
    assert said.of("ned", "advance") == ""


def _pick(said: str, answers: dict[str, object] | None = None, **more: object) -> tuple[str, list[object]]:
    battle = skirmish.battle(
        MEN, "melee", standing={"west": Instructions("west", "", {"wound": said})} if said else {}
    )
    from pbem.core.dice import NoDice
    from pbem.core.play import Answer, Play

    play = Play(
        battle,
        str(battle.at),
        happening.apply,
        NoDice(),
        {id_: Answer(str(value), "answer") for id_, value in (answers or {}).items()},
    )
    chosen = choices.pick(
        CRY_HAVOC, play, about="wound", unit="wulf", choices=["ned", "wulf"], default="ned", rule="S1.72g", why="beaten",
        wanted=choices.by_strength(CRY_HAVOC, battle, ["ned", "wulf"]),
    )  # fmt: skip
    return chosen, [event for event in play.events if isinstance(event, events.Chosen)]


@pytest.mark.parametrize(
    ("said", "chosen", "by"),
    [
        ("", "ned", "default"),
        ("weakest", "ned", "standing"),
        ("strongest", "wulf", "standing"),
        ("wulf, ned", "wulf", "standing"),
        ("guy", "ned", "default"),
    ],
)
def test_standing_instructions_choose_where_they_fit(said: str, chosen: str, by: str) -> None:
    assert _pick(said) == (chosen, [events.Chosen("west", "wound", "wulf", chosen, by, "S1.72g")])


@pytest.mark.parametrize(
    ("answer", "chosen", "by"),
    [("wulf", "wulf", "answer"), ("b", "wulf", "answer"), ("a", "ned", "answer"), ("guy", "ned", "default")],
)
def test_an_answer_is_a_choice_or_its_letter_and_anything_else_the_default(
    answer: str, chosen: str, by: str
) -> None:
    assert _pick("ask", {"q1": answer}) == (
        chosen,
        [events.Chosen("west", "wound", "wulf", chosen, by, "S1.72g")],
    )


def test_a_question_stops_the_phase_until_it_is_answered() -> None:
    with pytest.raises(Stopped) as stopped:
        _pick("ask")
    question = stopped.value.question
    assert (question.id, question.seat, question.about, question.unit, question.default) == (
        "q1",
        "west",
        "wound",
        "wulf",
        "ned",
    )
    assert [(choice.id, choice.value) for choice in question.choices] == [("a", "ned"), ("b", "wulf")]


def test_a_figure_is_placed_on_ground_of_the_map_that_can_be_entered_and_is_free() -> None:
    battle = skirmish.battle(
        {**MEN, "tam": ("west", "peasant", "")}, "melee", skirmish.field({"0303": "house"})
    )
    tam = battle.units["tam"]
    found = [setup.may_stand(CRY_HAVOC, battle, tam, hex_) for hex_ in ("2001", "0303", "0505", "0606")]
    assert [problem.code if problem else "" for problem in found] == [
        "setup.off-map",
        "setup.barred",
        "setup.occupied",
        "",
    ]


def test_no_file_is_needed_to_know_that_friends_do_not_fight() -> None:
    battle = skirmish.battle(MEN, "melee").changed(at=Cursor("melee", 3, "west"))
    problem = may_attack.pair_why_not(CRY_HAVOC, battle, battle.units["wulf"], battle.units["ned"])
    assert problem is not None
    assert (problem.code, problem.rule) == ("melee.friend", "S1.7a")
