"""Options: each value of each changes what comes of some case; in which order they are chosen changes
nothing.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations
from typing import Any

import case_plugin
import pytest
import rulebook_siege as rulebook
from msgspec.structs import astuple

from pbem.core.ruleset import choose
from pbem.rulesets.siege.ruleset import CRY_HAVOC
from pbem.rulesets.siege.state import events

OPTIONS = CRY_HAVOC.options
VALUES = [(name, value) for name, option in sorted(OPTIONS.items()) for value in option.values[1:]]


def _told(case: case_plugin.Line, settings: dict[str, str]) -> Any:
    """Return everything that comes of a case under some options: what check says, what happens, what is
    asked.
    """
    given = {**case.get("given", {}), "options": settings}
    rules = case_plugin.chosen(CRY_HAVOC, given)
    battle = case_plugin.battle_of(rules, given)
    bare = {key: value for key, value in case.items() if key in ("orders", "through", "dice", "answers")}
    try:
        files = case_plugin._files(rules, battle, bare)
    except case_plugin.CaseError as unread:
        return [str(unread)]
    checked = [
        case_plugin._codes(rules.interface.check(rules, battle, files[seat], ()).problems)
        for seat in sorted(files)
    ]
    try:
        _, happened, question = case_plugin._play(rules, battle, files, bare)
    except KeyError as missing:
        return [*checked, f"wants the die {missing}"]
    return [*checked, [events.plain(event) for event in happened], question]


@cache
def _cases(name: str) -> tuple[case_plugin.Line, ...]:
    return tuple(
        case
        for id_ in OPTIONS[name].rules
        for _, case in rulebook.cases_of().get(id_, ())
        if "problems" not in case
    )


@pytest.mark.parametrize(("name", "value"), VALUES)
def test_each_value_of_an_option_changes_some_case(name: str, value: str) -> None:
    for case in _cases(name):
        others = {key: said for key, said in case["given"].get("options", {}).items() if key != name}
        if _conflicts(name, others):
            others = {}
        if _told(case, {**others, name: value}) != _told(case, others):
            return
    pytest.fail(f"{name}: {value} changes no case of {', '.join(OPTIONS[name].rules)}")


def _conflicts(name: str, others: dict[str, str]) -> bool:
    return any(other in others for other in OPTIONS[name].conflicts)


@pytest.mark.parametrize(("name", "value"), VALUES)
def test_a_default_is_in_force_until_another_value_is_chosen(name: str, value: str) -> None:
    plain, problems = choose(CRY_HAVOC, [], {})
    changed, more = choose(CRY_HAVOC, [], {name: value})
    assert plain is not None and changed is not None
    assert problems == more == []
    assert CRY_HAVOC.setting(name) == plain.setting(name) == OPTIONS[name].default
    assert changed.setting(name) == value
    assert {key for key in OPTIONS if changed.setting(key) != plain.setting(key)} == {name}


def test_two_options_give_the_same_ruleset_in_either_order_or_contradict_each_other_openly() -> None:
    for (one, first), (other, second) in combinations(VALUES, 2):
        if one == other:
            continue
        ahead, problems = choose(CRY_HAVOC, [], {one: first, other: second})
        behind, more = choose(CRY_HAVOC, [], {other: second, one: first})
        declared = other in OPTIONS[one].conflicts or one in OPTIONS[other].conflicts
        assert (ahead is None) == (behind is None) == declared, (one, other)
        if declared:
            assert {problem.code for problem in [*problems, *more]} == {"rules.conflict"}
        else:
            assert astuple(ahead) == astuple(behind), (one, other)


def test_conflicts_are_declared_on_both_sides() -> None:
    for name, option in OPTIONS.items():
        for other in option.conflicts:
            assert name in OPTIONS[other].conflicts, (name, other)


def test_every_option_that_the_code_asks_for_is_known_and_every_known_one_is_asked_for() -> None:
    asked = {
        name
        for module in rulebook.modules()
        for name in re.findall(r'\.setting\("([a-z0-9_]+)"\)', rulebook.source(module))
    }
    assert asked == set(OPTIONS)


@pytest.mark.parametrize("edition", sorted(CRY_HAVOC.editions))
def test_an_edition_sets_its_options_and_what_is_chosen_beside_it_goes_before(edition: str) -> None:
    others = CRY_HAVOC.editions[edition]
    for name, value in others.items():
        assert value in OPTIONS[name].values[1:], (edition, name)
    found, problems = choose(CRY_HAVOC, [], {"edition": edition})
    assert found is not None
    assert problems == []
    assert {name: found.setting(name) for name in OPTIONS} == {
        **{name: OPTIONS[name].default for name in OPTIONS},
        **others,
    }
    for name in others:
        chosen, _ = choose(CRY_HAVOC, [], {name: OPTIONS[name].default, "edition": edition})
        assert chosen is not None
        assert chosen.setting(name) == OPTIONS[name].default


def test_the_four_editions_are_there_and_a_fifth_is_refused() -> None:
    assert list(CRY_HAVOC.editions) == ["french", "english", "croisades", "siege-extension"]
    found, problems = choose(CRY_HAVOC, [], {"edition": "welsh"})
    assert found is None
    assert [(problem.code, problem.path, problem.help) for problem in problems] == [
        ("rules.value", ("options", "edition"), "known are croisades, english, french, siege-extension")
    ]


def test_an_edition_contradicts_an_option_that_does_not_go_with_it() -> None:
    found, problems = choose(
        CRY_HAVOC, [], {"edition": "croisades", "advance_stop_condition": "was_adjacent_before_advance"}
    )
    assert found is None
    assert {problem.code for problem in problems} == {"rules.conflict"}
