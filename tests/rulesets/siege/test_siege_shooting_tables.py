"""The shooting tables held against what they say of themselves: shares, ladders, bands."""

from __future__ import annotations

import pytest
import siege_range as on_range

from pbem.rulesets.siege.sight import cover

TABLES = on_range.TABLES
WEAPONS = ("short_bow", "long_bow", "crossbow", "ballista")
BANDS = ("short", "medium", "long")
COVERS = ("none", "light", "medium", "heavy")
CODES = "ABCDEF"
EFFECTS = {"A": "none", "B": "checked", "C": "stunned", "D": "wounded", "E": "killed", "F": "killed"}
BOTH = pytest.mark.parametrize("table", ["shooting_others", "shooting_knights"])


@BOTH
@pytest.mark.parametrize("weapon", WEAPONS)
def test_the_shares_written_beside_a_table_are_those_of_its_rows(table, weapon):
    grid = TABLES[table]["weapons"][weapon]["grid"]
    said = TABLES[table]["percent_stunned_wounded_killed_or_worse"]["weapons"][weapon]
    adds = TABLES["ranges_and_modifiers"]["weapons"][weapon]["modifier"]
    for band, shift in zip(BANDS, adds, strict=True):
        for column, share in zip(COVERS, said[band], strict=True):
            codes = [grid.cell(min(10, die + shift), column) for die in range(1, 11)]
            found = [10 * sum(code >= least for code in codes) for least in "CDE"]
            assert "/".join(map(str, found)) == share, (band, column)


@BOTH
@pytest.mark.parametrize("weapon", WEAPONS)
def test_a_higher_die_and_a_better_cover_never_hit_harder(table, weapon):
    grid = TABLES[table]["weapons"][weapon]["grid"]
    for die in range(1, 11):
        row = [grid.cell(die, column) for column in COVERS]
        assert row == sorted(row, reverse=True)
        if die > 1:
            assert all(grid.cell(die, column) <= grid.cell(die - 1, column) for column in COVERS)


@pytest.mark.parametrize("weapon", WEAPONS)
def test_knights_are_never_hit_harder_than_others(weapon):
    knights, others = (
        TABLES[table]["weapons"][weapon]["grid"] for table in ("shooting_knights", "shooting_others")
    )
    cells = [(die, column) for die in range(1, 11) for column in COVERS]
    assert all(knights.cell(*cell) <= others.cell(*cell) for cell in cells)
    assert any(knights.cell(*cell) < others.cell(*cell) for cell in cells)


@BOTH
def test_every_code_is_explained_by_what_it_does_on_foot(table):
    assert {code: meaning["foot"] for code, meaning in TABLES[table]["key"].items()} == EFFECTS
    assert tuple(TABLES[table]["severity"]) == tuple(CODES)
    assert tuple(TABLES[table]["columns"]) == COVERS == cover.CLASSES[:-1]


@pytest.mark.parametrize("weapon", WEAPONS)
def test_bands_begin_at_one_and_leave_no_gap(weapon):
    bands = TABLES["ranges_and_modifiers"]["weapons"][weapon]["bands"]
    assert [first for first, _ in bands] == [1, bands[0][1] + 1, bands[1][1] + 1]
    assert all(first <= last for first, last in bands)
    assert tuple(TABLES["ranges_and_modifiers"]["weapons"][weapon]["modifier"]) == (0, 1, 2)


def test_the_sums_are_clamped_to_the_rows_there_are():
    assert tuple(TABLES["ranges_and_modifiers"]["clamp_die"]) == (1, 10)
    for table in ("shooting_others", "shooting_knights"):
        assert all(
            sorted(TABLES[table]["weapons"][weapon]["grid"].rows) == list(range(1, 11)) for weapon in WEAPONS
        )
