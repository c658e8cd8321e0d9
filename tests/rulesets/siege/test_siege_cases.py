"""The harness of the cases: a case that wants something else than what comes fails, and says what it got."""

from __future__ import annotations

from pathlib import Path

import case_plugin
import pytest
from case_plugin import CaseError, cases, every_case, rules_of_case, run

CASE = """\
- rule: S1.7f
  name: eight against three is two to one
  given:
    units:
      hob: {side: east, class: spearman, at: 0505, attack: 8}
      gunter: {side: west, class: peasant, at: 0504, defence: 3}
    at: t1.east.melee
  orders: {east: "fight:\\n- hob attacks gunter"}
  dice: {fight/gunter/1: 7}
  check: []
  events: [{type: Fought, column: '2:1', result: A}, {type: StateChanged, unit: hob, is: wounded}]
  never: [{type: Moved}]
  state: {hob: {state: wounded, at: 0505}}
  values: {hob: {defence: 3}}
  then: t1.east.recovery
"""


def one(text, tmp_path):
    path = tmp_path / "x.case.yaml"
    path.write_text(text, "utf-8")
    (case,) = cases(path)
    return case


def test_a_case_that_is_right_passes(tmp_path):
    run(one(CASE, tmp_path))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("check: []", "check: [melee.odds S1.7g]", "check: want ['melee.odds S1.7g'], got []"),
        ("column: '2:1'", "column: '3:1'", "events: want {'type': 'Fought', 'column': '3:1'"),
        (
            "is: wounded}]",
            "is: dead}]",
            "events: want {'type': 'StateChanged', 'unit': 'hob', 'is': 'dead'} after number",
        ),
        ("{type: Moved}", "{type: Fought}", "never: want no {'type': 'Fought'}"),
        (
            "state: wounded,",
            "state: healthy,",
            "state of hob: want {'state': 'healthy', 'at': '0505'}, got {'state': 'wounded'}",
        ),
        ("at: 0505}}\n  values", "at: 0506}}\n  values", "got {'at': ['0505']}"),
        ("{defence: 3}}", "{defence: 4}}", "values of hob: want {'defence': '4'}, got {'defence': '3'}"),
        ("then: t1.east.recovery", "then: t1.west.melee", "then: want t1.west.melee, got t1.east.recovery"),
        ("  dice: {fight/gunter/1: 7}\n", "", "dice: fight/gunter/1 is rolled"),
        ("  dice:", "  dise: {}\n  dice:", "dise: no such key of a case"),
        ("    units:", "    unit: {}\n    units:", "given unit: no such key"),
        ("class: peasant,", "clas: peasant,", "unit gunter: clas is no key"),
        ("class: peasant", "class: pedant", "the roster has no class 'pedant'"),
        ("hob attacks gunter", "hob attacks hob", "orders of east cannot be read: orders.own-target"),
        ("  check: []", "  options: {}", "options: no such key of a case"),
        ("    at: t1", "    options: {odds: low}\n    at: t1", "options: rules.option"),
        ("    at: t1", "    map: [. . q]\n    at: t1", "map: map.word"),
        ("  then:", "  question: {about: retreat}\n  then:", "question: want {'about': 'retreat'}"),
        ("  then:", "  winner: east\n  then:", "winner: want east, got"),
        ("{state: wounded, at", "{mood: calm, at", "state of hob: want"),
        ("  then:", "  later: {t1.west.melee: {west: 'fight: []'}}\n  then:", "has orders for t1.west.melee"),
        (
            "  then:",
            "  later: {t1.east.recovery: {west: 'fight: [x]'}}\n  through: recovery\n  then:",
            "orders of west in t1.east.recovery cannot",
        ),
        (
            "at: 0504, defence: 3}",
            "at: 0504, printed: {asleep: {attack: 1}}}",
            "nothing is printed of who is asleep",
        ),
        ("state: {hob:", "state: {hub:", "state: there is no hub"),
    ],
)
def test_a_case_that_is_wrong_fails_and_says_how(tmp_path, old, new, said):
    assert CASE.count(old) == 1, old
    with pytest.raises(CaseError) as caught:
        run(one(CASE.replace(old, new), tmp_path))
    assert said in str(caught.value.args[0])


def test_a_question_without_an_answer_is_told(tmp_path):
    text = CASE.replace(
        "    at: t1", "    standing: {east: {everyone: {wound: ask, retreat: ask}}}\n    at: t1"
    ).replace("dice: {fight/gunter/1: 7}", "dice: {fight/gunter/1: 9}")
    with pytest.raises(CaseError, match="asked east about retreat of hob, and the case has no answer q1"):
        run(one(text, tmp_path))


def test_a_key_given_twice_is_told(tmp_path):
    with pytest.raises(CaseError, match="line 3: name is given twice"):
        one("- rule: S1.7f\n  name: a\n  name: b\n", tmp_path)
    with pytest.raises(CaseError, match="a list of cases is wanted"):
        one("rule: S1.7f\n", tmp_path)


def test_every_case_names_rules_and_compares_something():
    compared = {
        "check",
        "events",
        "never",
        "state",
        "question",
        "then",
        "values",
        "problems",
        "winner",
        "score",
        "forecast",
    }
    names: set[tuple[str, tuple[str, ...], str]] = set()
    for path, case in every_case():
        where = f"{path.name}:{case.line}"
        assert rules_of_case(case), where
        assert case.keys() & compared, where
        name = (path.name, rules_of_case(case), case["name"])
        assert name not in names, where
        names.add(name)
    assert len(names) > 150


def test_scalars_stay_text_and_lines_are_known():
    found = cases(Path(case_plugin.__file__).parent / "movement.case.yaml")
    assert found[0]["given"]["units"]["hob"]["at"] == "0501"
    assert found[0].line == 2
