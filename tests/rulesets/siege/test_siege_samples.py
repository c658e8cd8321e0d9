"""Lines that show how orders look: each stands in a file as it is, all of them together, and any that can do
without the others.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from boards import PHASES, numbered
from msgspec.structs import replace

from pbem.core.briefing import Member, Said, Sample, as_file
from pbem.core.ruleset import Ruleset
from pbem.referee.explain.samples import samples_of, without_last, written
from pbem.referee.game.game import Game, open_game
from pbem.referee.game.replay import first_state
from pbem.referee.game.scenario import find_scenario
from pbem.referee.game.scenario import judge as judge_scenario
from pbem.referee.play.demo import find_example
from pbem.rulesets.siege.deeds import reading
from pbem.rulesets.siege.judge import judge, legal
from pbem.rulesets.siege.orders import grammar
from pbem.rulesets.siege.ruleset import CRY_HAVOC
from pbem.rulesets.siege.state.orders import HEADINGS, Act, Move, Shoot
from pbem.rulesets.siege.state.state import Battle
from pbem.rulesets.siege.things import names
from pbem.rulesets.siege.views import rollcall, sample_book, samples
from pbem.store import library
from pbem.text.source import read

EXAMPLES = ("abbey-road", "alder-ford", "millers-ladders", "six-days", "windle-hill")
EVERY = {"abbey-road": 8, "alder-ford": 4, "millers-ladders": 4, "six-days": 3, "windle-hill": 6}
"""Example -> of how many of its slots one is looked at."""


@cache
def game(name: str) -> Game:
    return open_game(find_example(name) / "archive.zip")


def at(name: str, slot: int) -> Battle:
    """Return the position after a slot of a recorded game."""
    found: Battle = game(name).state_after(slot, str((game(name).ledger.slots[slot].result or {})["state"]))
    return found


def positions(name: str) -> Iterator[tuple[int, Battle]]:
    """Yield positions of a recorded game in which somebody is to order."""
    played = sorted(number for number, slot in game(name).ledger.slots.items() if slot.result is not None)
    for number in played[1 :: EVERY[name]]:
        yield number, at(name, number)


def member(battle: Battle, id_: str) -> Member:
    rules = game("alder-ford").ground.rules
    return next(one for one in rollcall.roll_call(rules, battle, battle.at.side) if one.id == id_)


def refused(rules: Ruleset[Any], battle: Battle, seat: str, lines: tuple[Sample, ...]) -> list[Any]:
    """Return everything that is to be said of lines, sent as somebody would type them."""
    source = read(("\n".join(written(lines)) + "\n").encode(), "lines")
    assert source.problems == [], written(lines)
    orders, problems = reading.read_orders(rules, battle, seat, source.data)
    return [*problems, *(judge.check(rules, battle, orders).problems if orders is not None else ())]


def standing_alone(lines: tuple[Sample, ...], draw: random.Random) -> tuple[Sample, ...]:
    """Return some of the lines, with whatever they need, in their order."""
    kept = {place for place in range(len(lines)) if draw.random() < 0.5}
    for place in range(len(lines) - 1, -1, -1):
        kept |= set(lines[place].needs) if place in kept else set()
    kept |= {need for place in kept for need in lines[place].needs}
    return tuple(lines[place] for place in sorted(kept))


def held(rules: Ruleset[Any], battle: Battle, seat: str, lines: tuple[Sample, ...]) -> tuple[Sample, ...]:
    """Hold the lines of a seat to what they promise; return them."""
    if lines:
        assert refused(rules, battle, seat, lines) == [], written(lines)
    for number in range(3):
        some = standing_alone(lines, random.Random(f"{battle.at} {seat} {number}"))
        if some:
            assert refused(rules, battle, seat, some) == [], written(some)
    ordered = [line for line in lines if line.heading != "standing"]
    acting = [
        (line.heading, who) for line in ordered if isinstance(line.entry, str) for who in _who(rules, line)
    ]
    assert len(set(acting)) == len(acting)
    return lines


def _who(rules: Ruleset[Any], line: Sample) -> tuple[str, ...]:
    order = grammar.read(rules, line.heading, line.entry)
    return () if type(order).__name__ == "Skill" else names.who(order)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_sample_of_a_recorded_game_is_accepted_as_it_stands(name: str) -> None:
    rules = game(name).ground.rules
    seen: set[str] = set()
    for number, battle in positions(name):
        for seat in rules.interface.seats_to_order(rules, battle):
            lines = held(rules, battle, seat, samples_of(game(name).ground, battle, seat))
            assert lines, (number, seat)
            seen |= {line.heading for line in lines}
            if battle.at.phase in ("first_missile", "movement"):
                assert any(line.heading == "fight" for line in lines), (number, written(lines))
                assert any(line.heading == "standing" for line in lines)
    assert {"move", "fight", "standing"} <= seen


OF_SIEGE = [path.stem for path in library.scenarios() if path.parent.name != "castle"]
"""Scenarios of the family of Siege."""


@pytest.mark.parametrize("scenario", OF_SIEGE)
def test_the_first_thing_that_a_player_is_asked_for_has_samples_that_are_accepted(scenario: str) -> None:
    found = find_scenario(scenario)
    _, ground, _ = judge_scenario(found)
    battle = first_state(ground, {side: side for side in found.data["sides"]})
    for seat in ground.rules.interface.seats_to_order(ground.rules, battle):
        assert held(ground.rules, battle, seat, samples_of(ground, battle, seat))


@pytest.mark.parametrize("phase", PHASES)
def test_samples_are_legal_on_any_board(phase: str) -> None:
    for number in range(25):
        laid = numbered(number, phase)
        held(laid.rules, laid.battle, "east", samples.samples(laid.rules, laid.battle, "east"))


def test_whoever_can_walk_and_does_nothing_else_is_shown_a_move() -> None:
    shown = 0
    for number in range(70):
        laid = numbered(number, "movement")
        lines = samples.samples(laid.rules, laid.battle, "east")
        busy = {
            who
            for line in lines
            if line.heading == "fight" and isinstance(line.entry, str)
            for who in _who(laid.rules, line)
        }
        able = {
            unit.id
            for unit in laid.battle.units.values()
            if unit.owner == "east" and unit.able and sample_book.fights(laid.battle, unit)
        }
        orders = legal.legal(laid.rules, laid.battle, "east")
        if any(isinstance(order, Move) and order.who in able - busy for order in orders):
            shown += 1
            assert any(line.heading == "move" for line in lines), (number, laid)
    assert shown > 10


def test_a_shot_a_move_and_the_fight_it_leads_to_are_of_three_different_men() -> None:
    """Before turn 3 of East at the ford nobody stands beside an enemy, and one man can get there."""
    battle = at("alder-ford", 5)
    lines = samples.samples(game("alder-ford").ground.rules, battle, "east")
    by_heading = {heading: [line for line in lines if line.heading == heading] for heading in HEADINGS}
    assert len(by_heading["shoot"]) == 1
    assert len(by_heading["fight"]) == 1
    (fight,) = by_heading["fight"]
    (place,) = fight.needs
    assert fight.entry.split(" ")[0] == lines[place].entry.split(" ")[0]
    assert lines[place].heading == "move"
    assert len({line.entry.split(" ")[0] for line in lines if isinstance(line.entry, str)}) == len(lines) - 2


def test_no_sample_attacks_below_the_odds_that_can_be_won() -> None:
    rules = game("alder-ford").ground.rules
    found = [
        line
        for _, battle in positions("alder-ford")
        for seat in ("east", "west")
        for line in samples.samples(rules, battle, seat)
    ]
    columns = [str(line.said.args["column"]) for line in found if "column" in line.said.args]
    assert columns
    assert all(int(column.partition(":")[0]) >= 1 for column in columns)


def test_samples_take_the_judge_few_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A letter to somebody with sixty men in sight must not take seconds: what costs is the judge, and the
    search for ways.
    """
    looks: list[str] = []
    real = judge.check
    monkeypatch.setattr(judge, "check", lambda *of: (looks.append("judge"), real(*of))[1])
    battle = at("six-days", 8)
    assert len(battle.units) >= 60
    assert samples.samples(game("six-days").ground.rules, battle, "baron")
    assert len(looks) <= 16


def test_who_has_nobody_left_to_order_is_shown_nothing() -> None:
    laid = numbered(3, "movement")
    lying = [
        replace(unit, state="stunned") if unit.kind == "man" else unit for unit in laid.battle.units.values()
    ]
    battle = laid.battle.with_units(*lying)
    assert [line.heading for line in samples.samples(laid.rules, battle, "east")] in ([], ["standing"])
    assert samples.samples(laid.rules, laid.battle, "west") == ()


def test_a_ladder_that_is_carried_is_shown_on_its_way_to_the_wall() -> None:
    rules = game("millers-ladders").ground.rules
    battle = at("millers-ladders", 2)
    deeds = [
        grammar.read(CRY_HAVOC, "move", line.entry)
        for line in samples.samples(rules, battle, "company")
        if line.heading == "move"
    ]
    carried = [order for order in deeds if isinstance(order, Act) and order.do == "carry"]
    assert carried
    assert {carried[0].what} <= set(battle.things)


def test_lines_are_taken_away_from_the_end_and_never_from_under_others() -> None:
    said = samples.Said("sample.plain", {"order": "x"})
    lines = (
        Sample("move", "odo to 0712", said),
        Sample("move", "hob to 0713", said),
        Sample("fight", "odo attacks gunter", said, (0,)),
    )
    assert without_last(lines) == lines[:2]
    assert without_last((lines[2],)) == ()
    both = (Sample("setup", "a has skill 1", said, (1,)), Sample("setup", "b has skill -1", said, (0,)))
    assert without_last(both) == ()
    assert as_file(lines) == {"move": ["odo to 0712", "hob to 0713"], "fight": ["odo attacks gunter"]}
    when = Sample("fight", {"when": "odo can attack gunter", "then": ["odo attacks gunter"]}, said)
    assert written((when,)) == ("fight:", "- when: odo can attack gunter", "  then: [odo attacks gunter]")


def test_of_whom_it_is_told_that_there_is_nobody_to_shoot_at_no_shot_is_legal() -> None:
    """The nearest enemies may all be hidden, and one behind them in sight."""
    rules = game("alder-ford").ground.rules
    told: dict[bool, int] = {True: 0, False: 0}
    for battle in (at("alder-ford", slot) for slot in sorted(game("alder-ford").ledger.slots)[:-1]):
        if battle.at.phase != "first_missile":
            continue
        can_shoot = {
            order.who for order in legal.legal(rules, battle, battle.at.side) if isinstance(order, Shoot)
        }
        for one in rollcall.roll_call(rules, battle, battle.at.side):
            keys = {said.key for said in one.can if isinstance(said, Said)}
            if keys & {"can.shoots", "can.shoots-nobody"}:
                assert ("can.shoots" in keys) == (one.id in can_shoot), (one.id, str(battle.at))
                told["can.shoots" in keys] += 1
    assert min(told.values()) >= 2, told
    assert "can.shoots" in {
        said.key for said in member(at("alder-ford", 2), "edwold").can if isinstance(said, Said)
    }
