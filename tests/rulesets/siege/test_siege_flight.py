"""Panic at random: the laws of the judge hold with it, nobody stands on anybody, the same dice give the same
flight; and on horseback.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
import test_siege_judge_laws as laws
from case_plugin import battle_of, chosen, full_rules
from msgspec.structs import replace
from skirmish import RULES, Chance, orders, play, random_battle, random_orders
from thorough import deeper, tries

from pbem.core.dice import ScriptedDice
from pbem.core.play import Answer, Play, Stopped
from pbem.core.ruleset import Ruleset, choose
from pbem.rulesets.siege.ground import counter
from pbem.rulesets.siege.judge import judge
from pbem.rulesets.siege.march import escape
from pbem.rulesets.siege.orders import choices
from pbem.rulesets.siege.state import happening
from pbem.rulesets.siege.state.events import Left, Panicked, Rallied, Routed
from pbem.rulesets.siege.state.state import Battle
from pbem.rulesets.siege.turn import panic

BATTLES = tries(80, 800)
REPLAYS = 3


def frightened() -> Ruleset[Battle]:
    """Return the rules with panic and rout."""
    rules, problems = choose(RULES, [], {"panic_and_rout": "true"})
    assert rules is not None and not problems
    return rules


PANICKY = frightened()


def uneasy(seed: int) -> Battle:
    """Return a skirmish in which some are in panic or rout already."""
    battle, chance = random_battle(seed), random.Random(f"moods {seed}")
    living = [
        unit
        for unit in battle.units.values()
        if unit.living and not panic.fearless(panic.group(battle, unit))
    ]
    moods = [
        replace(unit, mood=chance.choice(["panic", "rout"])) for unit in living if chance.random() < 0.25
    ]
    return battle.with_units(*moods)


@deeper
def test_what_is_fine_is_carried_out_and_what_is_a_problem_is_not_where_men_panic(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(laws, "RULES", PANICKY)
    seen: set[type[object]] = set()
    for seed in range(BATTLES):
        battle = uneasy(seed)
        data = random_orders(battle, seed)
        told = orders(battle, data)
        found = judge.check(PANICKY, battle, told).problems
        problems = {laws.carry_out.source(problem.path) for problem in found if not problem.is_doubt}
        file, doubtful = laws.flawless(battle, data)
        for replay in range(REPLAYS):
            after, events = play(battle, {"east": (file,)}, Chance(seed * 100 + replay), PANICKY)
            seen |= {type(event) for event in events}
            assert set(laws.failed(events, file)[0]) <= doubtful, (seed, replay)
            places = [place for unit in after.units.values() if unit.living for place in unit.at]
            assert len(places) == len(set(places)), (seed, replay)
            _, events = play(battle, {"east": (told,)}, Chance(seed * 100 + replay), PANICKY)
            assert not laws.failed(events, told)[1] & problems, (seed, replay)
    assert {Panicked, Routed, Rallied, Left} <= seen


def test_the_same_dice_give_the_same_flight() -> None:
    for seed in range(40):
        battle = uneasy(seed)
        file = orders(battle, random_orders(battle, seed))
        ends = [play(battle, {"east": (file,)}, Chance(seed), PANICKY) for _ in range(2)]
        assert ends[0][1] == ends[1][1]


@deeper
def test_nobody_who_runs_ends_next_to_an_enemy_who_could_attack_him_unless_he_stays() -> None:
    for seed in range(BATTLES):
        battle = uneasy(seed)
        for unit in battle.units.values():
            if unit.mood and unit.able:
                for run in escape.ways(PANICKY, battle, unit, unit.mood):
                    assert len(run.places) == 1 or not escape.in_reach(PANICKY, battle, unit, run.end)
                    assert run.off or run.safe >= panic.nearest(battle, unit, unit.hexes)


# --- on horseback


def mounted() -> tuple[Ruleset[Battle], Battle]:
    """Return a rider who can be frightened, as an owner's own roster may have one, beside a comrade and not
    far from an enemy.
    """
    given: dict[str, Any] = {
        "options": {"panic_and_rout": "true"},
        "map": [" ".join(["."] * 20)] * 16,
        "units": {
            "bay": {"side": "west", "class": "horse_alone", "kind": "horse", "at": "0806 0805"},
            "tam": {"side": "west", "class": "average_knight", "on": "bay"},
            "wat": {"side": "west", "class": "spearman", "at": "0708"},
            "hob": {"side": "east", "class": "sergeant", "at": "0709"},
        },
        "at": "t1.east.melee",
    }
    rules = chosen(full_rules(), given)
    battle = battle_of(rules, given)
    people = {**battle.field.people, "tam": replace(battle.field.people["tam"], panic_group="soldier")}
    return rules, battle.changed(field=replace(battle.field, people=people))


@pytest.mark.parametrize(("die", "event", "hexes"), [(6, Panicked, 3), (9, Routed, 10)])
def test_a_rider_runs_with_his_horse(die: int, event: type[Panicked] | type[Routed], hexes: int) -> None:
    rules, battle = mounted()
    play_: Play[Battle] = Play(battle, "t1.east.melee", happening.apply, ScriptedDice({"panic/wat": (die,)}))
    counter.hurt(rules, play_, "wat", "killed", -1, "S1.7h")
    (ran,) = [found for found in play_.events if isinstance(found, event)]
    assert ran.unit == "tam"
    assert ran.path[0] == "0806" and ran.tails[0] == "0805"
    assert len(set(ran.path)) - 1 <= hexes and len(ran.path) == len(ran.tails)
    after = play_.state
    assert after.units["tam"].at == after.units["bay"].at == (ran.path[-1], ran.tails[-1])
    assert panic.nearest(after, after.units["tam"], after.units["tam"].hexes) > panic.nearest(
        battle, battle.units["tam"], ("0806", "0805")
    )


def test_a_rider_in_panic_turns_for_nothing_and_goes_three_hexes() -> None:
    rules, battle = mounted()
    runs = escape.ways(rules, battle, battle.units["tam"], "panic")
    assert {run.cost for run in runs} == {3}
    assert all(sum(a != b for a, b in zip(run.path, run.path[1:], strict=False)) == 3 for run in runs)


# --- several of some


def asked(said: str, least: int, answer: str = "") -> tuple[list[str], Any]:
    """Return whom ``pick_some`` takes of three, and the question it asked."""
    rules, battle = mounted()
    answers = {"q1": Answer(answer, "answer")} if answer else {}
    play_: Play[Battle] = Play(battle, "t1.east.melee", happening.apply, ScriptedDice({}), answers)
    wants = {
        "about": "panic-who",
        "unit": "wat",
        "rule": "S6.1h",
        "why": "so",
        "wanted": lambda text: text.split(),
    }
    monkey = pytest.MonkeyPatch()
    monkey.setattr(choices, "instruction", lambda *_: said)
    try:
        return choices.pick_some(rules, play_, choices=["a1", "b2", "c3"], least=least, most=2, **wants), None
    except Stopped as stopped:
        return [], stopped.question
    finally:
        monkey.undo()


@pytest.mark.parametrize(
    ("said", "least", "answer", "taken"),
    [
        ("", 1, "", ["a1"]),
        ("c3", 1, "", ["c3"]),
        ("c3", 2, "", ["c3", "a1"]),
        ("c3 b2 a1", 1, "", ["c3", "b2"]),
        ("nobody", 2, "", ["a1", "b2"]),
        ("ask", 1, "b, c3", ["b2", "c3"]),
        ("ask", 2, "c", ["c3", "a1"]),
        ("ask", 1, "b2, b2", ["b2"]),
        ("", 3, "", ["a1", "b2", "c3"]),
    ],
)
def test_of_several_those_named_are_taken_and_the_others_fill_up(
    said: str, least: int, answer: str, taken: list[str]
) -> None:
    assert asked(said, least, answer)[0] == taken


def test_a_question_for_some_says_how_many() -> None:
    _, question = asked("ask", 1)
    assert (question.kind, question.min, question.max, question.default) == ("some", 1, 2, "a1")
    assert [(choice.id, choice.value) for choice in question.choices] == [
        ("a", "a1"),
        ("b", "b2"),
        ("c", "c3"),
    ]
