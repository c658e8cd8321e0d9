"""Hoardings where no map that is printed has them: before walls of two heights, at corners, over a mine."""

from __future__ import annotations

from typing import Any

import case_plugin
import pytest
from msgspec.structs import replace

from pbem.rulesets.anarchy import hoarding, hoarding_siege, stones
from pbem.rulesets.anarchy.ruleset import ANARCHY
from pbem.rulesets.siege.scenario import campaign, siege_sheet
from pbem.rulesets.siege.state.state import Battle
from pbem.rulesets.siege.views import day_sheet

STRAIGHT = {
    "map": [". . . . . . .", ". . . . . . .", ". . . . . . .", "w w w w w w w", ", , , , , , ,"],
    "key": {"w": "battlement", ",": "courtyard"},
    "map-sides": {"parapet": {"n": "0104 0204 0304 0404 0504 0604 0704"}},
    "things": [{"id": "hoarding", "kind": "hoarding", "side": "east", "at": "0303 0403"}],
    "units": {"tom": {"side": "east", "class": "spearman", "at": "0303@top"}, "wulf": {"side": "west", "class": "spearman", "at": "0303"}},
    "at": "t1.east.offensive_fire",
}  # fmt: skip
COLUMN = {
    "map": [". . . w , ,", ". . . w , ,", ". . . w , ,", ". . . w , ,"],
    "key": {"w": "battlement", ",": "courtyard"},
    "things": [{"id": "hoarding", "kind": "hoarding", "side": "east", "at": "0302 0303"}],
    "at": "t1.east.offensive_fire",
}


def battle(given: dict[str, Any]) -> Battle:
    return case_plugin.battle_of(ANARCHY, given)


def test_a_hoarding_hangs_at_walls_of_one_height() -> None:
    grounds = battle(STRAIGHT).field.ground
    row = ("0103", "0203", "0303")
    assert hoarding.cannot_stand(grounds, row) is None
    problem = hoarding.cannot_stand({**grounds, "0104": replace(grounds["0104"], level=1)}, row)
    assert problem is not None
    assert (problem.code, problem.rule) == ("hoarding.levels", "A3.3.1c")


@pytest.mark.parametrize(
    ("given", "hex_", "sides"),
    [
        (STRAIGHT, "0303", {"nw", "n", "ne"}),
        (STRAIGHT, "0403", {"nw", "n", "ne"}),
        (COLUMN, "0302", {"nw", "n", "sw", "s"}),
    ],
)
def test_it_looks_out_away_from_its_walls(given: dict[str, Any], hex_: str, sides: set[str]) -> None:
    assert hoarding.front(battle(given), hex_) == sides


@pytest.mark.parametrize(
    ("given", "wall", "before"),
    [(STRAIGHT, "0304", {"0303"}), (STRAIGHT, "0404", {"0403"}), (COLUMN, "0402", {"0302", "0303"})],
)
def test_a_line_of_fire_comes_straight_at_a_wall(given: dict[str, Any], wall: str, before: set[str]) -> None:
    assert set(hoarding_siege.straight_before(battle(given), wall)) == before


def test_stones_fall_on_nobody_in_a_mine_below() -> None:
    now = battle(STRAIGHT)
    assert stones.falls_on(ANARCHY, now, "0303@top", "0303")
    assert not stones.falls_on(ANARCHY, now, "0303@top", "0303@mine")


def test_the_siege_sheet_tells_of_hoardings_and_the_day_sheet_lists_them() -> None:
    things = [*STRAIGHT["things"], {"id": "trebuchet1", "kind": "trebuchet", "side": "west", "away": "true"}]  # type: ignore[misc]
    given = {
        **STRAIGHT,
        "things": things,
        "units": {
            "hob": {"side": "west", "class": "technician"},
            **{name: {"side": "west", "class": "spearman"} for name in ("ann", "bob", "cid")},
            "odo": {"side": "east", "class": "peasant"},
        },
    }
    now = battle({**given, "days": "9", "length": "4 turns", "siege": {"besieger": "west"}, "at": "d2.day"})
    assert "hoarding of east hangs over 0303 0403" in siege_sheet.record(ANARCHY, now)
    listed = [order.to[0] for order in campaign.listed(ANARCHY, now, "west") if order.do == "bombard"]
    assert {"0303", "0403", "0504"} <= {*listed} and not {"0304", "0404"} & {*listed}
    entries = day_sheet.entries(ANARCHY, now, "west")
    told = next(entry for entry in entries if entry.unit == "trebuchet1").choices[0]
    assert dict(told.others)["hoarding"] == ("0303", "0403")
