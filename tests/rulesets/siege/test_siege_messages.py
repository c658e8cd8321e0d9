"""What a player is told who ordered what cannot be: the sentence names the right hex and cause, the help what
he can do instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import case_plugin
import pytest

from pbem.core.problem import Problem
from pbem.core.ruleset import Judgement
from pbem.rulesets.siege.ruleset import SIEGE
from pbem.store.library import words_of


def man(at: str, side: str = "east", class_: str = "spearman") -> dict[str, str]:
    return {"side": side, "class": class_, "at": at}


WALL = {
    "map": [". . .", ". . .", ". . .", ". . .", "B B B", ", , ,"],
    "key": {"B": "battlement", ",": "courtyard"},
}
LADDER = {
    **WALL,
    "things": [{"id": "ladder1", "kind": "ladder", "at": "0204", "stands": "raised", "facing": "s"}],
    "units": {"odo": man("0204"), "tom": man("0203"), "rafe": man("0205"), "wulf": man("0301", "west")},
}
TOWER = {"id": "tower1", "kind": "siege-tower", "side": "east", "at": "0505 0605 0506", "facing": "n"}
CREW = {id_: man(at) for id_, at in (("a", "0505"), ("b", "0605"), ("c", "0506"))}
TRENCH = {"key": {"x": "trench"}, "map": [". . . . .", ". . . . .", ". . x . .", ". . . . .", ". . . . ."]}
KNIGHT = {"side": "east", "class": "average_knight"}
HUGH = {
    "hugh": {**KNIGHT, "on": "bayard"},
    "bayard": {"side": "east", "class": "horse_alone", "at": "0304 0305"},
    "wulf": man("0501", "west"),
}
MELEE = {"side": "east", "at": "0501", "fought": "t1.west.melee"}
WULF = {"wulf": man("0506", "west")}


def read(given: Mapping[str, Any], heading: str, *said: str) -> tuple[Any, Any, list[Problem]]:
    """Return the rules, the file of east as it was read, and what is wrong with its words."""
    rules = case_plugin.chosen(SIEGE, given)
    battle = case_plugin.battle_of(rules, given)
    file, problems = rules.interface.read_orders(rules, battle, "east", {heading: list(said)})
    return (rules, battle), file, problems


def judged(given: Mapping[str, Any], heading: str, *said: str) -> tuple[Any, Judgement]:
    """Return the rules, and what the judge says of some lines."""
    (rules, battle), file, problems = read(given, heading, *said)
    assert not problems
    return rules, rules.interface.check(rules, battle, file, ())


def told(problem: Problem) -> str:
    return words_of("siege").problem(problem.code, problem.args)


@pytest.mark.parametrize(
    ("given", "heading", "line", "rule", "sentence", "help_"),
    [
        pytest.param(
            {"units": {"alric": {**MELEE, "class": "crossbowman"}, **WULF}, "at": "t2.east.first_missile"},
            "shoot", "alric at wulf", "S1.21b", "alric was in melee", "he shoots in his next turn, if nobody fights him",
            id="a-crossbow-does-not-shoot-a-second-time",
        ),
        pytest.param(
            {"units": {"alric": {**MELEE, "class": "longbowman"}, **WULF}, "at": "t2.east.first_missile"},
            "shoot", "alric at wulf", "S1.21b", "alric was in melee", "he may shoot in the second shooting phase",
            id="a-bow-does",
        ),
        pytest.param(
            {**TRENCH, "units": HUGH, "at": "t1.east.movement"},
            "move", "hugh by 0303", "S3.32b", "hugh cannot stop in 0303, a trench", "stops beyond",
            id="the-trench-is-named-that-his-head-is-in",
        ),
        pytest.param(
            {**TRENCH, "units": HUGH, "at": "t1.east.movement"},
            "move", "hugh by 0303 0302", "S3.32b", "hugh cannot stop in 0303, a trench", "stops beyond",
            id="or-his-tail",
        ),
        pytest.param(
            {**LADDER, "at": "t1.east.movement"},
            "move", "odo goes down", "S2.42e", "nothing at 0204", "off ladder1 he goes by a move, such as odo to HEX",
            id="who-is-on-a-ladder-is-told-how-he-gets-off-it",
        ),
        pytest.param(
            {**LADDER, "at": "t1.east.movement"},
            "move", "odo goes up", "S2.42e", "nothing at 0204", "odo steps over",
            id="and-how-onto-the-wall",
        ),
        pytest.param(
            {**LADDER, "at": "t1.east.movement"},
            "move", "rafe goes down", "S2.42e", "nothing at 0205", "rafe to 0204, where ladder1 stands",
            id="and-who-is-above-it-how-he-gets-onto-it",
        ),
        pytest.param(
            {"units": {**CREW, "wulf": man("0504", "west")}, "things": [TOWER], "at": "t1.east.movement"},
            "move", "tower1 forward 1", "S2.41e", "wulf is in the way", "it rolls over nobody: drive wulf away first",
            id="an-enemy-does-not-move-first",
        ),
        pytest.param(
            {"units": {**CREW, "odo": man("0504"), "wulf": man("0101", "west")},
             "things": [TOWER], "at": "t1.east.movement"},
            "move", "tower1 forward 1", "S2.41e", "odo is in the way", "odo moves first, in a line above",
            id="a-friend-does",
        ),
        pytest.param(
            {"units": {**CREW, "wulf": man("0101", "west")},
             "things": [TOWER, {"id": "barrel1", "kind": "oil", "side": "west", "at": "0504"}], "at": "t1.east.movement"},
            "move", "tower1 forward 1", "S2.41e", "barrel1 is in the way", "barrel1 must be gone from there first",
            id="a-thing-has-to-be-taken-away",
        ),
        pytest.param(
            {"units": {"guy": {**KNIGHT, "at": "0503"}, "bay": man("0504 0505", "west", "horse_alone"),
                       "wulf": man("0405", "west")}, "at": "t1.east.movement"},
            "move", "guy mounts bay", "E3.34a", "wulf stands next to bay and holds it, so guy cannot mount it", "drive wulf away",
            id="who-would-mount-is-not-told-of-leading",
        ),
        pytest.param(
            {"map": [". . .", "w w w", ", , ,"], "key": {"w": "castle_wall", ",": "courtyard"},
             "units": {"a": man("0201"), "wulf": man("0303", "west")},
             "at": "t1.east.movement"},
            "move", "a to 0202", "S1.61c", "nobody on foot can enter castle wall", "neither stairs nor ladders lead onto it",
            id="no-ladder-leads-onto-a-solid-wall",
        ),
        pytest.param(
            {**WALL, "units": {"a": man("0204"), "wulf": man("0301", "west")},
             "at": "t1.east.movement"},
            "move", "a to 0205", "S1.6b", "there is no way for a to 0205", "ladders and siege towers from outside",
            id="what-leads-onto-a-battlement-is-told",
        ),
        pytest.param(
            {"map": [". . .", "m m m", "B B B"], "key": {"m": "moat", "B": "battlement"}, "map-sides": {"parapet": {"n": "0103 0203 0303"}},
             "units": {"a": man("0202", class_="longbowman"), "wulf": man("0203", "west")},
             "at": "t1.east.first_missile"},
            "shoot", "a at wulf", "S1.45c", "a is down in the moat, from where nobody can shoot up", "from the edge of the moat he can",
            id="nobody-shoots-up-out-of-the-moat",
        ),
    ],
)  # fmt: skip
def test_a_message_names_the_cause_and_what_can_be_done(
    given: Mapping[str, Any], heading: str, line: str, rule: str, sentence: str, help_: str
) -> None:
    _, judgement = judged(given, heading, line)
    (problem,) = judgement.problems
    assert problem.rule == rule
    assert sentence in told(problem)
    assert help_ in problem.help


@pytest.mark.parametrize(
    ("thing", "help_"),
    [
        ({"kind": "ladder", "at": "0502 0503"}, "NAME topples thing1"),
        ({"kind": "siege-tower", "at": "0502 0602 0503", "facing": "n"}, "NAME lights HEX"),
        ({"kind": "ballista", "at": "0502", "facing": "n"}, "name a figure beside it"),
        ({"kind": "oil", "at": "0502"}, "name a figure beside it"),
    ],
)
def test_who_attacks_a_thing_is_told_what_is_done_with_it(thing: Mapping[str, str], help_: str) -> None:
    units = {"a": man("0501"), "wulf": man("0101", "west")}
    _, _, problems = read(
        {"units": units, "things": [{"id": "thing1", "side": "west", **thing}], "at": "t1.east.melee"},
        "fight",
        "a attacks thing1",
    )
    (problem,) = problems
    assert told(problem) == "thing1 is not a figure, and only figures can be attacked"
    assert help_ in problem.help


def rows(given: Mapping[str, Any], **sections: list[str]) -> list[str]:
    rules = case_plugin.chosen(SIEGE, given)
    battle = case_plugin.battle_of(rules, given)
    file, problems = rules.interface.read_orders(rules, battle, "east", sections)
    assert not problems
    return rules.interface.forecast(rules, rules.interface.check(rules, battle, file, ()).course)


def foes(*attack: int, at: str = "0502") -> dict[str, Any]:
    """Return some attackers round a man who defends himself with eight."""
    places = ("0501", "0601", "0401")
    ours = {
        f"a{number}": {"side": "east", "class": "longbowman", "attack": str(one), "at": places[number]}
        for number, one in enumerate(attack)
    }
    return {**ours, "wulf": {"side": "west", "class": "spearman", "defence": "8", "at": at}}


def test_no_odds_are_shown_of_an_attack_that_cannot_be_made() -> None:
    melee = {"at": "t2.east.melee"}
    assert rows({**melee, "units": foes(4, 3)}, fight=["a0, a1 attack wulf"]) == ["a0, a1  attack wulf"]
    assert rows({**melee, "units": foes(20, at="0504")}, fight=["a0 attacks wulf"]) == ["a0  attacks wulf"]
    moat = {"map": [". . . . . .", "m m m m m m"], "key": {"m": "moat"}}
    riding = {
        "hugh": {**KNIGHT, "on": "bayard"},
        "bayard": {"side": "east", "class": "horse_alone", "at": "0501 0401"},
    }
    assert rows(
        {**melee, **moat, "units": {**riding, "wulf": foes()["wulf"]}}, fight=["hugh attacks wulf"]
    ) == ["hugh  attacks wulf"]
    assert "column 1:1" in rows({**melee, "units": foes(8)}, fight=["a0 attacks wulf"])[0]


def test_of_one_that_needs_a_lucky_shot_first_it_is_said_that_the_odds_are_too_low_yet() -> None:
    given = {"at": "t2.east.first_missile", "units": foes(4, 3)}
    found = rows(given, shoot=["a0 at wulf"], fight=["a0, a1 attack wulf"])
    assert found[1] == "a0, a1  attack wulf     7 against 8: less than 1:1"


def test_no_arrow_is_drawn_for_an_attack_that_cannot_be_made() -> None:
    rules, judgement = judged({"at": "t2.east.melee", "units": foes(4, 3)}, "fight", "a0, a1 attack wulf")
    assert rules.interface.foreseen(rules, judgement) is None
    rules, judgement = judged({"at": "t2.east.melee", "units": foes(4, 4)}, "fight", "a0, a1 attack wulf")
    assert [trace.kind for trace in rules.interface.foreseen(rules, judgement).traces] == ["fight"]


@pytest.mark.parametrize(
    ("at", "lines", "codes"),
    [
        ("melee", ("fight", "a lights 0505"), ["doubt.own-fire"]),
        ("first_missile", ("shoot", "ann at tower1 with fire"), ["doubt.own-fire"]),
    ],
)
def test_who_lights_an_engine_with_a_comrade_in_it_is_warned(
    at: str, lines: tuple[str, str], codes: list[str]
) -> None:
    units = {
        "a": {"side": "east", "class": "spearman", "at": "0504", "stood": "0504 0505"},
        "ann": man("0501", class_="longbowman"),
        "ben": man("0505"),
        "wulf": man("0101", "west"),
    }
    tower = {**TOWER, "side": "west"}
    _, judgement = judged({"units": units, "things": [tower], "at": f"t1.east.{at}"}, lines[0], lines[1])
    assert [problem.code for problem in judgement.problems] == codes
    assert "ben, of your own side, is in 0505" in told(judgement.problems[0])
    units["ben"] = man("0901")
    _, judgement = judged({"units": units, "things": [tower], "at": f"t1.east.{at}"}, lines[0], lines[1])
    assert judgement.problems == ()
