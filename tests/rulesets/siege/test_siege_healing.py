"""Days: what a scenario says of them, and a game that plays through several with their
evenings and mornings.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from skirmish import Chance

from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset, choose, play_slot
from pbem.core.sequence import parse_cursor
from pbem.rulesets.siege.ruleset import CRY_HAVOC
from pbem.rulesets.siege.scenario import scenario
from pbem.rulesets.siege.state import saved
from pbem.rulesets.siege.state.field import Term
from pbem.rulesets.siege.state.state import WOUNDED, Battle
from pbem.rulesets.siege.turn import sequence, victory
from pbem.rulesets.siege.views import scene
from pbem.text.source import FILES, read

FOLDER = Path(__file__).resolve().parents[3] / "scenarios" / "cry_havoc"
RAW = {
    "scenario": (FOLDER / "alder-ford.yaml").read_text("utf-8"),
    "map": (FOLDER / "maps" / "alder-ford.yaml").read_text("utf-8"),
}


def laid(days: str, length: str, modules: str) -> tuple[Ruleset[Battle], Any, list[Problem]]:
    """Return the game at the ford as one of several days."""
    text = RAW["scenario"].replace(
        "modules: [open-ground, houses]", f"modules: [open-ground, houses{modules}]"
    )
    text = text.replace("length: 10 turns", f"{length}\ndays: {days}")
    data = read(text.encode(), "scenario.yaml", limits=FILES).data
    assert isinstance(data, Mapping)
    rules, problems = choose(CRY_HAVOC, data["modules"], {"panic_and_rout": "true"})
    assert rules is not None and not problems
    map_ = read(RAW["map"].encode(), "map.yaml", limits=FILES).data
    field, of_scenario, of_map = scenario.read_field(rules, data, map_)
    assert of_map == []
    return rules, field, of_scenario


@pytest.mark.parametrize(
    ("days", "length", "modules", "codes"),
    [
        ("3", "length: 2 turns", ", days", []),
        ("3", "length: 2 turns", "", ["scenario.not-in-force"]),
        ("3", "", ", days", ["scenario.day-length"]),
        ("3", "", "", ["scenario.not-in-force", "scenario.day-length"]),
        ("many", "length: 2 turns", ", days", ["scenario.number"]),
        ("1", "length: 2 turns", "", []),
    ],
)
def test_several_days_need_their_module_and_a_length(
    days: str, length: str, modules: str, codes: list[str]
) -> None:
    _, field, found = laid(days, length, modules)
    assert [problem.code for problem in found] == codes
    assert all(problem.path == ("days",) for problem in found)
    if not codes:
        assert (field.days, field.length) == (3 if days == "3" else 0, 2)


def test_a_game_of_days_plays_through_its_evenings_to_its_last_turn() -> None:
    rules, field, _ = laid("3", "length: 2 turns", ", days")
    battle = rules.interface.setup(rules, field, {"east": "east", "west": "west"})
    assert str(battle.at) == "d1.setup.1.west"
    seen: list[str] = []
    titles: set[str] = set()
    chance = random.Random(7)
    while not rules.interface.over(battle):
        waits = rules.interface.seats_to_order(rules, battle)
        files = {}
        for seat in waits:
            held = [rules.interface.say(order) for order in rules.interface.legal(rules, battle, seat)]
            chance.shuffle(held)
            orders = list({said.split()[0]: said for said in held if "," not in said}.values())[:8]
            section = rules.sequence.phase(battle.at.phase).heading
            told, problems = rules.interface.read_orders(
                rules, battle, seat, {section: orders, "standing": {"everyone": {"advance": "into"}}}
            )
            assert not problems
            files[seat] = (told,)
        titles.add(scene.scene(rules, battle, []).subtitle)
        new = {seat: (held[0], "sha512:0") for seat, held in files.items()}
        slot = play_slot(rules, battle, files, new, Chance(len(seen)))
        assert slot.question is None
        seen += [str(phase.cursor) for phase in slot.played]
        for phase in slot.played:
            assert parse_cursor(str(phase.cursor)) == phase.cursor
        battle = saved.read(rules, field, saved.write(rules, slot.state))
        assert battle == slot.state
    between = [cursor for cursor in seen if cursor.count(".") == 1]
    assert between == ["d1.evening", "d2.morning", "d2.evening", "d3.morning"]
    assert seen.index("d1.t2.west.recovery") + 1 == seen.index("d1.evening")
    assert seen[-1] == "d3.t2.west.recovery"
    assert str(battle.at) == "d3.over"
    assert {"Day 1, setup, step 1", "Day 1, turn 1 of 2, The Reeve of Eastholt: first shooting"} <= titles
    turns = [sequence.player_turns(field, parse_cursor(cursor)) for cursor in seen if ".t" in cursor]
    assert turns == sorted(turns) and len(set(turns)) == 12
    hurt = [unit for unit in battle.units.values() if unit.state == WOUNDED and unit.heals]
    assert all(unit.heals > 1 for unit in hurt)


def test_turns_are_counted_through_the_days() -> None:
    rules, field, _ = laid("3", "length: 2 turns", ", days")
    battle = rules.interface.setup(rules, field, {"east": "east", "west": "west"}).changed(
        at=parse_cursor("d2.t1.east.melee")
    )
    assert (
        field.turns_so_far(0, 5),
        field.turns_so_far(1, 2),
        field.turns_so_far(2, 1),
        field.turns_so_far(3, 2),
    ) == (5, 2, 3, 6)
    term = Term("turn", "east", 4, turn=3)
    assert victory.points(rules, battle, term, "east") == 4
    assert victory.points(rules, battle.changed(at=parse_cursor("d1.t2.east.melee")), term, "east") == 0


def test_evenings_and_mornings_have_a_title() -> None:
    rules, field, _ = laid("3", "length: 2 turns", ", days")
    battle = rules.interface.setup(rules, field, {"east": "east", "west": "west"}).changed(
        at=parse_cursor("d2.evening")
    )
    drawn = scene.scene(rules, battle, [])
    assert drawn.subtitle == "Day 2, evening"
    assert rules.interface.seats_to_order(rules, battle) == ()
