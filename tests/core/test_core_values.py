"""Problems, dice, odds, rules and tables: small values, exact at their edges."""

from __future__ import annotations

import pytest

from pbem.core.dice import NoDice, NoDiceError, RecordedDice, Roll, ScriptedDice
from pbem.core.odds import Modifier, Tally
from pbem.core.problem import Problem, worst
from pbem.core.rule import rule, rules_of
from pbem.core.scene import Area, Edge, Note, Scene, SideLook, Token, Trace
from pbem.core.table import BASES, Grid, TableError, grid


def test_a_doubt_is_told_by_its_code():
    assert Problem("doubt.target-gone").is_doubt
    assert not Problem("movement.doubt").is_doubt
    refused = Problem("movement.wall")
    assert worst([Problem("doubt.x"), refused]) == [refused]


def test_a_problem_can_be_led_further_in():
    problem = Problem("x", {"a": 1}, ("path", 1), "S1.61a", "stop", key=True)
    moved = problem.at("move", 0)
    assert moved.path == ("move", 0, "path", 1)
    assert (moved.code, moved.args, moved.rule, moved.help, moved.key) == (
        "x",
        {"a": 1},
        "S1.61a",
        "stop",
        True,
    )
    assert Problem("x").key is False


def test_no_dice_name_the_die_that_is_wanted():
    with pytest.raises(NoDiceError) as wanted:
        NoDice().values("t1.east.melee/fight/gunter/1", 10, 1)
    assert wanted.value.label == "t1.east.melee/fight/gunter/1"
    assert str(wanted.value) == "t1.east.melee/fight/gunter/1"


def test_scripted_dice_are_found_by_full_label_or_by_name():
    dice = ScriptedDice({"t1.east.melee/fight/a/1": (3,), "fight/b/1": (1, 10)})
    assert dice.values("t1.east.melee/fight/a/1", 10, 1) == (3,)
    assert dice.values("t9.west.melee/fight/b/1", 10, 2) == (1, 10)
    with pytest.raises(KeyError):
        dice.values("t9.west.melee/fight/c/1", 10, 1)


@pytest.mark.parametrize(
    ("values", "sides", "count"), [((3,), 10, 2), ((0,), 10, 1), ((11,), 10, 1), ((3, 3), 10, 1)]
)
def test_scripted_dice_cannot_show_what_a_die_does_not_have(values, sides, count):
    with pytest.raises(ValueError, match="are not"):
        ScriptedDice({"a/b": values}).values("a/b", sides, count)


def test_recorded_dice_repeat_and_ask_for_the_rest():
    dice = RecordedDice([Roll("p/a", 10, (4,))], ScriptedDice({"p/a": (7,), "p/b": (9,)}))
    assert dice.values("p/a", 10, 1) == (4,)
    assert dice.values("p/b", 10, 1) == (9,)
    assert dice.knows("p/a", 10, 1)
    assert not dice.knows("p/a", 6, 1)
    assert not dice.knows("p/a", 10, 2)
    assert not dice.knows("p/b", 10, 1)


def test_a_tally_keeps_its_reasons():
    tally = (
        Tally(4, "4:1")
        .plus(Modifier("S1.71b", "terrain - against +", -2))
        .plus(None)
        .plus(Modifier("x", "nothing", 0))
    )
    tally = tally.plus(Modifier("S1.72d", "joint attack", 1))
    assert tally.total == 3
    assert len(tally.modifiers) == 2
    assert str(tally) == "4:1, -2 terrain - against + (S1.71b), +1 joint attack (S1.72d)"


def test_a_function_names_one_to_four_rules():
    @rule("S1.72d", "S1.72e")
    def joint() -> int:
        return 1

    assert rules_of(joint) == ("S1.72d", "S1.72e")
    assert joint() == 1
    assert rules_of(rule("a")(lambda: 0)) == ("a",)
    assert rules_of(rule("a", "b", "c", "d")(lambda: 0)) == ("a", "b", "c", "d")
    with pytest.raises(ValueError, match="not 5"):
        rule("a", "b", "c", "d", "e")
    with pytest.raises(ValueError, match="not 0"):
        rule()
    with pytest.raises(LookupError, match="unmarked names no rule"):

        def unmarked() -> None: ...

        rules_of(unmarked)


KEY = {"A": {"text": "missed"}, "B": {"text": "hit"}}


def test_a_grid_is_read_by_row_and_column():
    table = grid("t", ["1:1", "2:1"], {1: ["A", "B"], 2: ["B", "B"]}, KEY)
    assert table == Grid("t", ("1:1", "2:1"), {1: ("A", "B"), 2: ("B", "B")}, KEY)
    assert table.cell(1, "2:1") == "B"
    with pytest.raises(KeyError):
        table.cell(3, "1:1")
    with pytest.raises(ValueError, match="not in"):
        table.cell(1, "3:1")


@pytest.mark.parametrize(
    ("columns", "rows", "key", "said"),
    [
        ("1:1", {}, KEY, "needs columns"),
        ([], {}, KEY, "needs columns"),
        (["1:1"], [], KEY, "needs columns"),
        (["1:1"], {1: ["A"]}, [], "needs columns"),
        (["1:1", "1:1"], {1: ["A", "A"]}, KEY, "a column twice"),
        (["1:1"], {"1": ["A"]}, KEY, "row 1 must be a number with 1 cells"),
        (["1:1"], {1: "A"}, KEY, "row 1 must be"),
        (["1:1"], {1: ["A", "B"]}, KEY, "row 1 must be"),
        (["1:1"], {1: ["Z"]}, KEY, "row 1 has the code Z"),
        (["1:1"], {1: ["A"], 3: ["A"]}, KEY, "one row for each face"),
        (["1:1"], {2: ["A"]}, KEY, "one row for each face"),
    ],
)
def test_a_grid_that_cannot_be_is_refused(columns, rows, key, said):
    with pytest.raises(TableError, match=said) as refused:
        grid("combat_foot", columns, rows, key)
    assert refused.value.table == "combat_foot"
    assert str(refused.value).startswith("combat_foot: ")


def test_the_bases_of_a_table_are_these_words():
    assert BASES == ("complete", "derived", "reconstructed")


def test_what_a_scene_leaves_out_is_nothing():
    """A renderer draws what is there: nothing is raised, changed, moved, hidden or hurt unless somebody says
    so.
    """
    area = Area("0101", (0, 0), (), "flat")
    assert (area.name, area.height, area.building, area.marks, area.changed, area.passable) == (
        "",
        0,
        "",
        (),
        False,
        True,
    )
    token = Token("odo", "Odo", "east", "spear", ("0101",), ((0, 0),))
    assert (token.numbers, token.state, token.badges, token.level) == ((), "", (), 0)
    assert (token.moved, token.weight, token.description) == (False, 0, "")
    trace = Trace("move", "east", ((0, 0),), ("odo",))
    assert (trace.targets, trace.text, trace.result) == ((), "", "")
    assert Note((0, 0), "Ford").kind == "place"
    scene = Scene("A title", "", (area,))
    assert (scene.edges, scene.tokens, scene.traces, scene.notes, scene.sides, scene.roads) == (
        (),
        (),
        (),
        (),
        (),
        (),
    )
    assert (scene.scale, scene.seed, scene.grounds, scene.summary, scene.static_key) == ("", 0, {}, "", "")
    assert Edge("wall", "0101", "n", (0, 0), (1, 0), (0, 1)).inward == (0, 1)
    assert SideLook("east", "East", "blue", "round").shape == "round"
