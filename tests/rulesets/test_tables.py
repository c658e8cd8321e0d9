"""The tables: what a sheet must say of itself, what is checked, an owner's sheet over the shipped one, and a
second transcription.
"""

from __future__ import annotations

import copy
import csv
from pathlib import Path

import pytest

from pbem.core.table import Grid, TableError
from pbem.rulesets.siege.ruleset import CRY_HAVOC
from pbem.rulesets.tables import checked, digest, load, plain, reconstructed, with_tables

TABLES = load("pbem.rulesets.siege")
SHEETS = Path(__file__).resolve().parents[1] / "tables"
GRID = {
    "table": "duel",
    "rules": ["S1.7e"],
    "source": ["own"],
    "basis": "complete",
    "columns": ["1:1", "2:1"],
    "rows": {die: ["A", "B"] for die in range(1, 11)},
    "key": {"A": {"attacker": "wounded"}, "B": {"attacker": "none"}},
}
CHART = {
    "table": "chart",
    "rules": ["S1.1h"],
    "source": ["own"],
    "basis": "derived",
    "argument": "because",
    "melee_scale": ["+", "0", "-"],
    "cover_scale": ["none", "light"],
    "rows": [
        {"id": "flat", "melee_attacker": 0, "cover": "none"},
        {"id": "bush", "melee_attacker": "-", "cover": "by_position"},
    ],
}


def sheet(name):
    lines = [line for line in (SHEETS / name).read_text("utf-8").splitlines() if not line.startswith("#")]
    return list(csv.reader(lines))


def changed(table, /, **changes):
    return {key: value for key, value in {**copy.deepcopy(table), **changes}.items() if value is not None}


# --- the second transcription


def test_grounds_that_a_rule_prints_are_as_printed():
    for rule, ground, foot, horse, cover, melee in sheet("terrain_printed.csv"):
        row = TABLES["terrain_cry_havoc"]["rows"][ground]
        costs = tuple(None if text == "no" else int(text) for text in (foot, horse))
        assert (row["mp_foot"], row["mp_horse"], row["cover"]) == (*costs, cover), rule
        assert {row["melee_attacker"], row["melee_defender"]} == {melee}, rule
        assert rule in row["rules"]


def test_printed_cells_are_as_printed():
    foot, effect, shift = sheet("cells_printed.csv")
    for _, table, column, die, code in (foot, effect):
        assert TABLES[table]["grid"].cell(int(die), column) == code
    _, table, defender, attacker, columns = shift
    chart = TABLES[table]
    assert chart["rows"][attacker][chart["columns"].index(defender)] == int(columns)


def test_letters_mean_what_the_play_sheet_says():
    key = TABLES["combat_foot"]["grid"].key
    for letter, side, effect in sheet("key_printed.csv"):
        wanted = {"attacker": "none", "defender": "none", **({side: effect} if side != "nobody" else {})}
        assert {role: key[letter][role] for role in wanted} == wanted


def test_every_cell_of_the_combat_table_was_typed_twice():
    (_, *columns), *rows = sheet("combat_foot.csv")
    assert tuple(columns) == TABLES["combat_foot"]["grid"].columns
    assert {int(die): tuple(cells) for die, *cells in rows} == TABLES["combat_foot"]["grid"].rows


def test_the_chart_of_signs_is_attacker_less_defender():
    chart, worth = TABLES["terrain_effect_on_combat"], {"+": 1, "0": 0, "-": -1}
    for attacker, cells in chart["rows"].items():
        for defender, shift in zip(chart["columns"], cells, strict=True):
            assert shift == worth[attacker] - worth[defender]


# --- what is shipped


@pytest.mark.parametrize("name", sorted(TABLES))
def test_a_table_says_where_it_comes_from(name):
    table = TABLES[name]
    assert table["table"] == name
    assert table["rules"] and table["source"]
    assert table["basis"] in ("complete", "derived", "reconstructed")
    assert table["basis"] == "complete" or len(table["argument"]) > 40


def test_the_reconstructed_ones_are_named():
    names = reconstructed(TABLES)
    assert names == tuple(sorted(names))
    assert {"combat_foot", "roster", "shooting_knights", "shooting_others", "terrain_cry_havoc"} <= set(names)
    assert "misfire" not in names and "terrain_effect_on_combat" not in names


def test_nobody_can_change_a_table():
    with pytest.raises(TypeError):
        TABLES["combat_foot"]["rows"] = {}
    with pytest.raises(TypeError):
        TABLES["roster"]["characters"]["aelfgar_oakhand"]["class"] = "peasant"
    with pytest.raises(TypeError):
        TABLES["new"] = {}
    assert isinstance(TABLES["combat_foot"]["rows"][1], tuple)


def test_no_two_persons_are_alike():
    seen = {}
    for id_, row in TABLES["roster"]["characters"].items():
        values = (
            row["class"],
            row["weapon"],
            row["people"],
            tuple(sorted((key, tuple(cells)) for key, cells in row["states"].items())),
        )
        assert seen.setdefault(values, id_) == id_


def test_a_wounded_person_is_weaker_in_everything():
    for id_, row in TABLES["roster"]["characters"].items():
        for healthy, wounded in zip(row["states"]["healthy"], row["states"]["wounded"], strict=True):
            assert wounded < healthy or wounded == healthy <= 1, id_
        attack, defence, move = row["states"]["stunned"]
        assert (attack, move) == (0, 0) and 1 <= defence <= 3, id_


def test_weapons_have_a_grid_each():
    for name in ("shooting_others", "shooting_knights"):
        for weapon, rows in TABLES[name]["weapons"].items():
            assert isinstance(rows["grid"], Grid) and rows["grid"].columns == (
                "none",
                "light",
                "medium",
                "heavy",
            ), weapon
            assert sorted(rows["grid"].rows) == list(range(1, 11))


# --- reading


def test_text_becomes_numbers_truth_and_nothing():
    table = checked(
        "duel",
        changed(
            GRID,
            rows=None,
            more={"a": "12", "b": "-3", "c": "true", "d": "false", "e": "null", "f": "012", "7": "x"},
        ),
    )
    assert dict(table["more"]) == {"a": 12, "b": -3, "c": True, "d": False, "e": None, "f": "012", 7: "x"}


def test_rows_with_ids_are_found_by_id():
    table = checked("chart", CHART)
    assert list(table["rows"]) == ["flat", "bush"]
    assert table["rows"]["flat"]["melee_attacker"] == "0"
    assert table["melee_scale"] == ("+", "0", "-")


def test_a_grid_stands_beside_its_rows():
    grid = checked("duel", GRID)["grid"]
    assert (grid.name, grid.columns, grid.cell(10, "2:1")) == ("duel", ("1:1", "2:1"), "B")
    assert grid.faces == 10


def test_a_table_in_text_alone_is_the_same_table():
    def texts(value):
        if isinstance(value, dict):
            return {str(key): texts(inner) for key, inner in value.items()}
        return [texts(inner) for inner in value] if isinstance(value, list) else str(value)

    assert plain(checked("duel", texts(GRID))) == plain(checked("duel", GRID))


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ([], "must be keys with values"),
        (changed(GRID, source=None), "needs source"),
        (changed(GRID, rules=[]), "needs rules"),
        (changed(GRID, basis=None), "needs basis"),
        (changed(GRID, table="other"), "calls itself other"),
        (
            changed(GRID, basis="guessed"),
            "basis must be one of complete, derived, reconstructed, not guessed",
        ),
        (changed(GRID, basis="reconstructed"), "needs an argument"),
        (changed(GRID, rules=["§7"]), "§7 is not a rule"),
        (changed(GRID, rows={die: ["A"] for die in range(1, 11)}), "must be a number with 2 cells"),
        (changed(GRID, rows=["A", "B"]), "needs rows"),
        (
            changed(GRID, rows={die: ["A", "B"] for die in range(1, 7)}),
            "must have 10 rows, one for each face of the die, not 6",
        ),
        (changed(GRID, die={"kind": "d6"}), "must have 6 rows, one for each face of the die, not 10"),
        (changed(GRID, die={"kind": "dice"}), "dice is not a die, such as d10"),
        (
            changed(
                GRID, key=None, columns=["days"], die={"kind": "d12"}, rows={n: [1] for n in range(1, 11)}
            ),
            "says nothing of a die that shows 11",
        ),
        (
            changed(CHART, die={"kind": "d10"}, rows=[{"die": [1, 6], "result": "up"}, {"die": [8, 10]}]),
            "says nothing of a die that shows 7",
        ),
        (
            changed(CHART, state_scale=["up", "down"], states=[{"id": "up", "killed": "asleep"}]),
            "up: killed must be one of up, down, not asleep",
        ),
        (changed(GRID, rows={**GRID["rows"], 3: ["A", "Z"]}), "has the code Z"),
        (changed(GRID, columns=["1:1", "3:1"]), "none left out"),
        (changed(GRID, columns=["2:1", "3:1"]), "none left out"),
        (changed(GRID, columns=["1:1", "1:1"]), "has a column twice"),
        (changed(GRID, rules=9999), "rules must be a list"),
        (changed(GRID, basis=["complete"]), "basis must be one of"),
        (changed(GRID, weapons=3), "weapons must be names, each with rows"),
        (changed(GRID, weapons={"bow": 3}), "weapons must be names, each with rows"),
        (changed(CHART, columns=["+", "0", "-"], rows=3), "needs rows, each with a list of cells"),
        (changed(CHART, columns=["+", "0", "-"], rows={"+": 3}), "needs rows, each with a list of cells"),
        (changed(CHART, cover_scale=3), "cover_scale must be a list"),
        (changed(GRID, more=1.5), "1.5 is neither a word nor a whole number"),
        (changed(CHART, rows=[CHART["rows"][0], CHART["rows"][0]]), "rows has an id twice"),
        (
            changed(CHART, rows=[{"id": "flat", "melee_attacker": "++"}]),
            "melee_attacker must be one of +, 0, -, not ++",
        ),
        (
            changed(CHART, rows=[{"id": "flat", "cover": "heavy"}]),
            "cover must be one of none, light, not heavy",
        ),
        (changed(CHART, columns=["+", "0", "-"], rows={"+": [0, 1, 2], "0": [-1, 0, 1]}), "must be square"),
        (
            changed(CHART, columns=["+", "0", "-"], rows={"+": [0, 1], "0": [-1, 0, 1], "-": [-2, -1, 0]}),
            "must be square",
        ),
    ],
)
def test_what_is_wrong_with_a_table_is_said(table, said):
    name = table["table"] if table and table["table"] in ("duel", "chart") else "duel"
    with pytest.raises(TableError, match=said.replace("+", "[+]")) as caught:
        checked(name, table)
    assert caught.value.table.startswith(name)


def test_plain_is_what_was_given():
    assert plain(checked("duel", GRID)) == GRID
    assert plain(checked("chart", CHART))["rows"] == {
        "flat": {**CHART["rows"][0], "melee_attacker": "0"},
        "bush": CHART["rows"][1],
    }


def test_the_digest_changes_with_a_cell_and_with_nothing_else():
    before = digest(TABLES)
    assert before.startswith("sha256:") and len(before) == 71
    assert digest(load("pbem.rulesets.siege")) == before
    one = plain(TABLES["combat_foot"])
    one["rows"][1][0] = "D"
    assert digest({**TABLES, "combat_foot": checked("combat_foot", one)}) != before


# --- an owner's own sheet


def own(**changes):
    return {"source": "the printed sheet", "basis": "complete", **changes}


def test_an_own_sheet_replaces_what_it_has_and_keeps_the_rest():
    rows = {str(die): ["F"] * 8 for die in range(1, 11)}
    rules, problems = with_tables(CRY_HAVOC, {"combat_foot": own(rows=rows)})
    assert problems == []
    assert rules.tables["combat_foot"]["grid"].cell(10, "1:1") == "F"
    assert rules.tables["combat_foot"]["column_rules"] == CRY_HAVOC.tables["combat_foot"]["column_rules"]
    assert "combat_foot" not in reconstructed(rules.tables)
    assert CRY_HAVOC.tables["combat_foot"]["grid"].cell(10, "1:1") == "B"
    assert digest(rules.tables) != digest(CRY_HAVOC.tables)


def test_a_single_row_can_be_replaced():
    rules, problems = with_tables(
        CRY_HAVOC, {"terrain_cry_havoc": own(rows=[{"id": "scrub", "mp_foot": "3"}])}
    )
    assert problems == []
    rows = rules.tables["terrain_cry_havoc"]["rows"]
    assert (
        rows["scrub"]["mp_foot"] == 3 and rows["scrub"]["cover"] == "light" and rows["tree"]["mp_foot"] == 2
    )


def test_a_person_can_be_added_who_has_everything():
    someone = plain(CRY_HAVOC.tables["roster"]["characters"]["aelfgar_oakhand"])
    rules, problems = with_tables(CRY_HAVOC, {"roster": own(characters=[{**someone, "id": "my_man"}])})
    assert problems == [] and rules.tables["roster"]["characters"]["my_man"]["name"] == someone["name"]
    del someone["weapon"]
    rules, problems = with_tables(CRY_HAVOC, {"roster": own(characters=[{**someone, "id": "my_man"}])})
    assert rules is None
    assert [(p.code, p.args["where"], p.path) for p in problems] == [
        ("tables.missing", "characters.my_man.weapon", ("roster", "characters"))
    ]


@pytest.mark.parametrize(
    ("name", "data", "code", "path"),
    [
        ("combat_fot", own(), "tables.unknown", ("combat_fot",)),
        ("combat_foot", [], "tables.form", ("combat_foot",)),
        ("combat_foot", {"basis": "complete"}, "tables.head", ("combat_foot",)),
        ("combat_foot", {"source": "print"}, "tables.head", ("combat_foot",)),
        ("combat_foot", own(table="combat_mounted"), "tables.name", ("combat_foot", "table")),
        ("combat_foot", own(rows={}), "tables.wrong", ("combat_foot",)),
        ("combat_foot", own(basis="mine"), "tables.wrong", ("combat_foot",)),
        ("combat_foot", own(columns=None), "tables.shape", ("combat_foot", "columns")),
        ("combat_foot", own(column_rules={}), "tables.missing", ("combat_foot", "column_rules")),
        ("ranges_and_modifiers", own(modifiers="2"), "tables.shape", ("ranges_and_modifiers", "modifiers")),
        (
            "ranges_and_modifiers",
            own(columns={"a": "b"}),
            "tables.shape",
            ("ranges_and_modifiers", "columns"),
        ),
        (
            "terrain_cry_havoc",
            own(rows=[{"id": "scrub", "mp_foot": "much"}]),
            "tables.shape",
            ("terrain_cry_havoc", "rows", "scrub", "mp_foot"),
        ),
        (
            "terrain_cry_havoc",
            own(rows=[{"id": "flat", "flat": "2"}]),
            "tables.shape",
            ("terrain_cry_havoc", "rows", "flat", "flat"),
        ),
    ],
)
def test_a_sheet_that_does_not_fit_is_refused(name, data, code, path):
    rules, problems = with_tables(CRY_HAVOC, {name: data})
    assert rules is None
    assert (problems[0].code, problems[0].path) == (code, path)


def test_a_sheet_that_is_no_longer_read_by_the_die_is_told():
    rules, problems = with_tables(CRY_HAVOC, {"combat_foot": own(key={"A": "wounded"})})
    assert rules is None
    assert ("tables.shape", ("combat_foot",)) in [(problem.code, problem.path) for problem in problems]


def test_what_stands_in_the_folder_is_loaded_and_a_fault_is_told_with_its_line(tmp_path, monkeypatch):
    (tmp_path / "tables").mkdir()
    monkeypatch.setattr("pbem.resources.of_package", lambda package: tmp_path)
    sheet_ = tmp_path / "tables" / "duel.yaml"
    (tmp_path / "tables" / "README.md").write_text("not a table")
    sheet_.write_text("table: duel\nrules: [S1.7e]\nsource: own\nbasis: complete\n")
    assert list(load("any")) == ["duel"] and load("any")["duel"]["source"] == "own"
    sheet_.write_text("table: duel\nrules: [S1.7e]\nsource: own\nsource: twice\nbasis: complete\n")
    with pytest.raises(TableError, match=r"duel: line 4: yaml[.]twice"):
        load("any")["duel"]
    sheet_.write_text("")
    with pytest.raises(TableError, match=r"yaml[.]empty"):
        load("any")["duel"]


def test_a_wrong_name_is_answered_with_the_right_one():
    _, problems = with_tables(CRY_HAVOC, {"combat_fot": own()})
    assert "combat_foot" in problems[0].help and problems[0].key
    _, problems = with_tables(CRY_HAVOC, {"zzz": own()})
    assert "roster" in problems[0].help


def test_all_sheets_are_looked_at_at_once():
    _, problems = with_tables(CRY_HAVOC, {"zzz": own(), "combat_foot": {}, "roster": []})
    assert [problem.code for problem in problems] == [
        "tables.head",
        "tables.head",
        "tables.form",
        "tables.unknown",
    ]


def test_a_cost_may_be_given_where_there_was_none():
    rules, problems = with_tables(
        CRY_HAVOC, {"terrain_cry_havoc": own(rows=[{"id": "tree", "mp_horse": "4"}])}
    )
    assert problems == [] and rules.tables["terrain_cry_havoc"]["rows"]["tree"]["mp_horse"] == 4
