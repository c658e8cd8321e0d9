"""Files of maps and scenarios with thousands of mistakes, or of things: enough is told, and soon."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import pytest

from pbem.core.problem import Problem
from pbem.referee.game.replay import Faults, Ground, lay_ground
from pbem.referee.game.scenario import chosen, find_scenario
from pbem.rulesets.siege.state.problem_log import MOST, Enough, ProblemLog

PATIENCE = 15.0
"""Seconds of a processor that reading a file may take at most, on a slow machine too (it takes two)."""
FOUND = find_scenario("six-days")
SCENARIO, MAP = "scenario/six-days.yaml", "scenario/maps/corvenstone.yaml"
EDGE = range(1, 100)
HEXES = [f"{column:02}{row:02}" for column in EDGE for row in EDGE]
INNER = [hex_ for hex_ in HEXES if not {hex_[:2], hex_[2:]} & {"01", "99"}]
KEY = '{".": flat, "~": moat, B: battlement, K: keep, x: deep-water}'


def laid(files: Mapping[str, str]) -> Ground | Faults:
    begun = time.process_time()
    made = lay_ground(
        chosen(FOUND, {}), {**FOUND.files, **{name: text.encode() for name, text in files.items()}}
    )
    assert time.process_time() - begun < PATIENCE
    return made


def told(files: Mapping[str, str], name: str) -> tuple[Problem, ...]:
    made = laid(files)
    assert isinstance(made, Faults)
    return next(problems for source, problems in made.of if source.name == name)


def map_(word: Callable[[int, int], str], more: str = "", key: str = KEY) -> str:
    rows = "\n".join("  " + " ".join(word(column, row) for column in EDGE) for row in EDGE)
    return f"map: corvenstone\nsize: 99 x 99\nkey: {key}\nterrain: |\n{rows}\n{more}"


def sides(kind: str) -> str:
    return f"sides:\n  {kind}:\n" + "".join(
        f"    {side}: [{', '.join(INNER)}]\n" for side in ("n", "ne", "se")
    )


APART = [hex_ for hex_ in HEXES if int(hex_[:2]) % 2 and int(hex_[2:]) % 2]
BRIDGE = f"things:\n- {{bridge: drawbridge, hexes: {' '.join(APART)}, gate: 0404 n, winch: 0505}}\n"
MAPS = {
    "every hex walled in": (map_(lambda *_: ".", sides("wall")), "map.cut-off"),
    "every other hex under water": (
        map_(lambda column, row: "." if column % 2 and row % 2 else "x"),
        "map.cut-off",
    ),
    "parapets in a field": (map_(lambda *_: ".", sides("parapet")), "map.parapet-floor"),
    "slits within a keep": (map_(lambda *_: "K", sides("slit")), "map.slit-inside"),
    "a bridge in pieces": (map_(lambda *_: "~", BRIDGE), "map.bridge-broken"),
    "a mark of a field": (
        map_(lambda *_: ".", f"marks: {{no-ladder: [{', '.join(HEXES)}]}}\n"),
        "map.no-ladder",
    ),
    "a mark of one hex": (
        map_(lambda *_: ".", f"marks: {{all: [{', '.join([' '.join(HEXES)] * 4)}]}}\n"),
        "map.hex-twice",
    ),
    "words of no key": (map_(lambda *_: "qq"), "map.word"),
    "words of a long key": (
        map_(lambda *_: "qqqqqq", key="{" + ", ".join(f"q{n}w: flat" for n in range(9000)) + "}"),
        "map.word",
    ),
}


@pytest.mark.parametrize("name", MAPS)
def test_a_map_with_thousands_of_mistakes_is_told_of_two_hundred(name: str) -> None:
    text, code = MAPS[name]
    problems = told({MAP: text}, MAP)
    assert len(problems) == MOST
    assert code in {problem.code for problem in problems}
    assert max(len(problem.help) for problem in problems) < 1_000


def test_a_scenario_with_thousands_of_mistakes_is_told_of_two_hundred() -> None:
    good = FOUND.files[SCENARIO].decode()
    people = "".join(f"  - {{id: zed{n}, person: nobody{n}, in: castle}}\n" for n in range(2000))
    names = ", ".join(f"zedd{n}" for n in range(8000))
    text = good.replace("  garrison:\n", "  garrison:\n" + people, 1).replace(
        "day 6 is over", f"{names} left the map"
    )
    assert len(told({SCENARIO: text}, SCENARIO)) == MOST
    assert {
        problem.code
        for problem in told({SCENARIO: good.replace("day 6 is over", f"{names} left the map")}, SCENARIO)
    } == {"name.unknown"}


def test_three_thousand_ladders_are_not_too_many() -> None:
    ladders = "".join(f"- {{id: long{n}, kind: ladder, side: baron, in: field}}\n" for n in range(3000))
    made = laid({SCENARIO: FOUND.files[SCENARIO].decode().replace("things:\n", "things:\n" + ladders, 1)})
    assert isinstance(made, Ground)
    assert len(made.field.gear) == 3012


def test_what_is_told_ends_at_the_last_that_is_told() -> None:
    found = ProblemLog()
    found += (Problem("a") for _ in range(MOST - 1))
    assert len(found) == MOST - 1
    with pytest.raises(Enough):
        found.append(Problem("b"))
    assert (len(found), found[-1].code) == (MOST, "b")
    found = ProblemLog()
    with pytest.raises(Enough):
        found += (Problem(str(n)) for n in range(MOST + 5))
    assert [found[0].code, found[-1].code] == ["0", str(MOST - 1)]
