"""Skills of shooters in a scenario: what is read, what is wrong with one, and that the figures begin with
them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.core.ruleset import Ruleset, choose
from pbem.rulesets.siege.ruleset import CRY_HAVOC
from pbem.rulesets.siege.scenario import scenario, setup
from pbem.rulesets.siege.state.state import Battle
from pbem.store.library import words_of

ROOT = Path(__file__).resolve().parents[3]
WORDS = words_of("siege")
MAP = {
    "map": "yard",
    "size": "6 x 1",
    "key": {".": "flat"},
    "terrain": ". . . . . .",
    "marks": {"ford": "0601"},
}
SHOOTERS = {
    "alric": ("guiot-carrel", "east", "0101"),
    "edric": ("colin-noix", "east", "0201"),
    "gwyn": ("gwilym-saeth", "west", "0301"),
    "owen": ("rhys-ywen", "west", "0401"),
    "hob": ("aelfgar-oakhand", "west", "0501"),
}


def rules(**options: str) -> Ruleset[Battle]:
    found, problems = choose(CRY_HAVOC, ["open-ground"], options)
    assert problems == []
    assert found is not None
    return found


def data(skills: dict[str, str], may: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return a scenario in which some figures have skills."""
    units: dict[str, list[dict[str, str]]] = {"east": [], "west": []}
    for id_, (person, side, at) in SHOOTERS.items():
        skill = {"skill": skills[id_]} if id_ in skills else {}
        units[side].append({"id": id_, "person": person, "at": at, **skill})
    steps = [{"seat": "west", "may": list(may)}] if may else []
    return {
        "scenario": "brawl", "ruleset": "cry_havoc", "map": "yard", "length": "5 turns", "units": units, "setup": steps,
        "sides": {"east": {"first": "true"}, "west": {}}, "modules": ["open-ground"],
        "victory": {"at-end": [{"side": "any", "points": "1", "when": "ford is held"}]},
    }  # fmt: skip


def wrong(skills: dict[str, str], **options: str) -> list[tuple[str, tuple[str | int, ...]]]:
    """Return code and place of everything that is wrong."""
    field, problems, of_map = scenario.read_field(rules(**options), data(skills), MAP)
    assert of_map == []
    assert (field is None) == bool(problems)
    for problem in problems:
        assert "{" not in WORDS.problem(problem.code, problem.args)
    return [(problem.code, problem.path) for problem in problems]


ON = {"shooter_skill": "true"}


def test_figures_begin_with_the_skills_of_the_scenario() -> None:
    given = data({"alric": "2", "edric": "-2", "gwyn": "-3", "owen": "+3"})
    field, problems, _ = scenario.read_field(rules(**ON), given, MAP)
    assert problems == []
    assert field is not None
    battle = setup.begin(rules(**ON), field, {"east": "east", "west": "west"})
    assert {id_: unit.skill for id_, unit in battle.units.items()} == {
        "alric": 2,
        "edric": -2,
        "gwyn": -3,
        "owen": 3,
        "hob": 0,
    }


def test_a_step_of_the_setup_may_allow_skills_where_the_option_is_on() -> None:
    field, problems, _ = scenario.read_field(rules(**ON), data({}, ("skill",)), MAP)
    assert problems == []
    assert field is not None
    assert field.setup[0].may == ("skill",)
    assert [p.code for p in scenario.read_field(rules(), data({}, ("skill",)), MAP)[1]] == [
        "scenario.not-in-force"
    ]


@pytest.mark.parametrize(
    ("skills", "found"),
    [
        ({}, []),
        ({"alric": "0"}, []),
        ({"alric": "1", "edric": "-1"}, []),
        ({"alric": "1"}, [("skill.sum", ("units", "east"))]),
        ({"alric": "1", "gwyn": "-1"}, [("skill.sum", ("units", "east")), ("skill.sum", ("units", "west"))]),
        (
            {"gwyn": "4", "owen": "-4"},
            [("skill.range", ("units", "west", 0, "skill")), ("skill.range", ("units", "west", 1, "skill"))],
        ),
        ({"hob": "0"}, [("skill.no-shooter", ("units", "west", 2, "skill"))]),
        ({"gwyn": "good"}, [("skill.number", ("units", "west", 0, "skill"))]),
        ({"gwyn": "1.5"}, [("skill.number", ("units", "west", 0, "skill"))]),
    ],
)
def test_what_is_wrong_with_skills_is_found_where_it_stands(skills: dict[str, str], found: list[Any]) -> None:
    assert wrong(skills, **ON) == found


def test_without_the_option_a_scenario_has_no_skills() -> None:
    assert wrong({"gwyn": "1", "owen": "-1"}) == [
        ("scenario.not-in-force", ("units", "west", n, "skill")) for n in (0, 1)
    ]
