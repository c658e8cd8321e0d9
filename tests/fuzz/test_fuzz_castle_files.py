"""Scenarios, maps and orders of castles with words dropped, replaced and doubled: problems at their places,
or all that follows works.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from itertools import islice
from typing import Any

import pytest
from fuzz_play import beginning
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from thorough import deeper, tries

from pbem.core.ruleset import play_slot
from pbem.proof.dice_protocol import SeededDice
from pbem.referee.explain.draw import drawn, scene_of
from pbem.referee.game.refusal import Refused
from pbem.referee.game.replay import MAPS, first_state
from pbem.referee.game.scenario import Found, find_scenario, judge
from pbem.text.source import FILES, read

SOME = settings(max_examples=tries(25, 180), deadline=None, suppress_health_check=list(HealthCheck))
SCENARIOS = ("embers", "millers-ladders", "oil-and-oxen", "six-days", "wheels")
WORD = re.compile(r"[^\s,:\[\]{}]+")
NASTY = (
    *(
        "",
        "-",
        "[]",
        "{}",
        "[a, b]",
        "{a: b}",
        "null",
        "0",
        "-1",
        "999",
        "1e999",
        "9999",
        "0101",
        "0712@top",
        "٠١٠١",
        "²",
        "é",
        "\u202e",
    ),
    *(
        "A" * 300,
        "any",
        "draw",
        "north",
        "nw",
        "tower",
        "keep",
        "siege-tower",
        "ram",
        "drawbridge",
        "wagon",
        "oil",
        "mantlet",
        "trebuchet",
    ),
    *(
        "ballista",
        "outside",
        "0101 0101",
        "0101 0102 0103 facing n",
        "99 x 99",
        "1 x 1",
        "raised",
        "slit",
        "parapet",
        "[x]",
        "end",
        "true",
    ),
)


@st.composite
def changed(draw: st.DrawFn, text: str, others: str) -> str:
    """Return a text after up to three turns: a word dropped, replaced by a nasty or another one, a line
    doubled, dropped or moved.
    """
    for _ in range(draw(st.integers(1, 3))):
        if draw(st.booleans()):
            word = draw(st.sampled_from([*WORD.finditer(text)] or [*re.finditer("", text)]))
            other = draw(
                st.one_of(
                    st.sampled_from(NASTY),
                    st.sampled_from(WORD.findall(text) or NASTY),
                    st.sampled_from(WORD.findall(others)),
                )
            )
            text = text[: word.start()] + other + text[word.end() :]
        else:
            lines = text.split("\n")
            line = lines[draw(st.integers(0, len(lines) - 1))]
            if draw(st.booleans()):
                lines.remove(line)
            if draw(st.booleans()):
                lines.insert(draw(st.integers(0, len(lines))), line)
            text = "\n".join(lines)
    return text


@deeper
@pytest.mark.parametrize("name", SCENARIOS)
@SOME
@given(data=st.data())
def test_a_changed_scenario_is_told_or_can_be_begun(name: str, data: st.DataObject) -> None:
    found = find_scenario(name)
    names = [
        next(path for path in found.paths if path.startswith(MAPS) is of_map) for of_map in (False, True)
    ]
    texts = [found.files[path].decode() for path in names]
    which = data.draw(st.integers(0, 1))
    texts[which] = data.draw(changed(texts[which], texts[1 - which]))
    source = read(texts[0].encode(), names[0], limits=FILES)
    if source.problems or not isinstance(source.data, Mapping) or source.data.get("map") != found.data["map"]:
        return
    files = {**found.files, **{path: text.encode() for path, text in zip(names, texts, strict=True)}}
    try:
        _, ground, _ = judge(Found(files, source, source.data, {}))
    except Refused as refusal:
        assert refusal.located or refusal.problems
        assert all(problem.line >= 1 and problem.column >= 1 for problem in refusal.located)
        return
    interface, rules = ground.rules.interface, ground.rules
    state = first_state(ground, {side.id: side.id for side in ground.field.sides})
    assert interface.state_from_plain(rules, ground.field, interface.state_to_plain(rules, state)) == state
    for seat in interface.seats_to_order(rules, state):
        assert all(interface.say(order) for order in islice(interface.legal(rules, state, seat), 60))
        interface.sheet(rules, state, seat)
    assert name in drawn(scene_of(ground, state, (), name), ".txt").decode()


# --- orders

PHASES = {"first_missile": "shoot", "movement": "move", "second_archery": "shoot-again", "melee": "fight"}
STORMS = (2, 6, 10, 14)
SENTENCES = (
    *(
        "A, B pick up T",
        "A carries T to P",
        "A, B raise T in P facing S",
        "A, B shift T to P facing S",
        "A climbs T",
        "A climbs T and over",
    ),
    *(
        "A steps over to P",
        "A goes up",
        "A goes down to P",
        "T forward 2",
        "T back 1",
        "T turns S",
        "A takes T",
        "A puts down T facing S",
    ),
    *(
        "A works T",
        "A topples T",
        "A topples T to P",
        "T strikes P",
        "A lights P",
        "A puts out P",
        "A pours T on P",
        "A at P",
        "A at B or P",
    ),
    *(
        "T at P",
        "A attacks B",
        "A, B attack A from P",
        "A to P",
        "A to P by P P",
        "A leaves the map by P",
        "A enters at P",
        "A stays",
        "stop",
    ),
)
KEYS = (
    "wound",
    "retreat",
    "advance",
    "advance-who",
    "doorway",
    "land",
    "panic-who",
    "panic-way",
    "engines-lose",
    "repeat",
    "hope",
)
SAID = (
    "ask",
    "away",
    "cover",
    "toward 9999",
    "toward 0404@top",
    "to 0404 0405",
    "by 0405@top",
    "inside",
    "most",
    "weakest",
    "into",
    "x",
    "",
)


@cache
def storm(number: int) -> tuple[Any, Any]:
    return beginning(number).battle()


@deeper
@pytest.mark.parametrize("number", STORMS)
@pytest.mark.parametrize("phase", PHASES)
@SOME
@given(data=st.data())
def test_changed_orders_at_a_castle_are_told_or_played(number: int, phase: str, data: st.DataObject) -> None:
    rules, begun = storm(number)
    interface = rules.interface
    side = data.draw(st.sampled_from(("east", "west")))
    battle = begun.changed(at=type(begun.at)(phase, 1, side))
    taken = sorted({place for one in (*battle.units.values(), *battle.things.values()) for place in one.at})
    near = sorted({place for there in taken for place in battle.beside(there)} | {f"{taken[0]}@top", "9999"})
    fill = {
        "A": [*battle.units],
        "B": [*battle.units],
        "T": [*battle.things] or ["none"],
        "P": [*taken, *near],
        "S": ["n", "ne", "sw", "up"],
    }

    def sentence() -> str:
        said = data.draw(st.sampled_from(SENTENCES))
        said = re.sub(r"\b[ABTPS]\b", lambda found: data.draw(st.sampled_from(fill[found[0]])), said)
        return data.draw(changed(said, " ".join(taken))) if data.draw(st.integers(0, 4)) == 0 else said

    drawn_ = [sentence() for _ in range(data.draw(st.integers(1, 6)))]
    readable = [
        said
        for said in drawn_
        if interface.read_orders(rules, battle, side, {PHASES[phase]: [said]})[0] is not None
    ]
    standing = {"everyone": {data.draw(st.sampled_from(KEYS)): data.draw(st.sampled_from(SAID))}}
    for file in ({PHASES[phase]: readable or ["stop"]}, {PHASES[phase]: drawn_, "standing": standing}):
        orders, problems = interface.read_orders(rules, battle, side, file)
        if orders is None:
            assert problems
            continue
        interface.forecast(rules, interface.check(rules, battle, orders, ()).course)
        result = play_slot(rules, battle, {side: (orders,)}, {side: (orders, "x")}, SeededDice(bytes(32)))
        assert all(interface.event_to_plain(event)["type"] for event in result.events)
        assert (
            interface.state_from_plain(rules, battle.field, interface.state_to_plain(rules, result.state))
            == result.state
        )
