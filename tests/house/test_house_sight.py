"""Lines of sight on the shipped maps, held against the slow second opinion, with the real ground of each map
in the way.

Every thirteenth pair of hexes up to range 12 is compared, and every 65th pair beyond (in the longer check every
pair, and every fifth beyond): whether the line from centre to centre is open or blocked, under both readings
of a line along a hexside. A line depends only on the way from one hex to the other and on whether the column
it begins in is odd, so the slow line is drawn once for each such way, in the middle of the widest map there
can be; what blocks it is asked of the map itself, hex by hex. That both meet the same hexes and hexsides on
the way is compared in tests/geometry.
"""

from __future__ import annotations

import sys
from functools import cache
from itertools import combinations, islice
from pathlib import Path

import pytest
from house import ROOT
from thorough import deeper, tries

sys.path.insert(0, str(ROOT / "tests" / "geometry"))

from slow_sight import SlowLine, slow_blocked, slow_line

from pbem.geometry.hex import distance
from pbem.geometry.sight import Mode, between, blocked
from pbem.referee.game.scenario import find_scenario, judge
from pbem.store.library import scenarios

MODES: tuple[Mode, ...] = ("either_hex_blocks", "both_hexes_block")
NEAR = 12
STRIDE = tries(13, 1)
BASE = ((40, 40), (41, 40))
MAPS = sorted(path for path in (ROOT / "scenarios").glob("*/maps/*.yaml") if path.parts[-3] != "castle")
"""Maps of hexes; a table that is measured in inches has none."""


@cache
def at(name: str) -> tuple[int, int]:
    return int(name[:2]), int(name[2:4])


class There:
    """Hexes of a map, asked for by where they would be if the line began at the base."""

    def __init__(self, hexes: frozenset[tuple[int, int]], columns: int, rows: int) -> None:
        self.hexes, self.columns, self.rows = hexes, columns, rows

    def __contains__(self, name: object) -> bool:
        column, row = at(str(name))
        return (column + self.columns, row + self.rows) in self.hexes


@cache
def slow_way(parity: int, columns: int, rows: int) -> SlowLine:
    column, row = BASE[parity]
    return slow_line(f"{column:02}{row:02}", f"{column + columns:02}{row + rows:02}")


def ground_of(map_: Path) -> tuple[list[str], frozenset[str]]:
    """Return all hexes of a map, and those that nobody sees past."""
    for path in scenarios():
        found = find_scenario(str(path))
        if found.data["map"] == map_.stem and path.parent == map_.parent.parent:
            _, ground, _ = judge(found)
            field = ground.field
            hexes = [
                f"{column:02}{row:02}"
                for column in range(1, field.columns + 1)
                for row in range(1, field.rows + 1)
            ]
            return hexes, frozenset(name for name in hexes if field.ground[name].blocks_line)
    raise AssertionError(f"no scenario is fought on {map_}")


def test_there_are_maps() -> None:
    assert MAPS


@deeper
@pytest.mark.parametrize("map_", MAPS, ids=lambda path: path.stem)
def test_every_pair_of_hexes_sees_alike(map_: Path) -> None:
    hexes, barring = ground_of(map_)
    assert barring, "a map on which everybody sees everything proves nothing"
    spots = frozenset(map(at, barring))
    verdicts = {True: 0, False: 0}
    for n, (a, b) in islice(enumerate(combinations(hexes, 2)), 0, None, STRIDE):
        if n % 5 and distance(a, b) > NEAR:
            continue
        column, row = int(a[:2]), int(a[2:])
        base = BASE[column % 2]
        slow = slow_way(column % 2, int(b[:2]) - column, int(b[2:]) - row)
        there = There(spots, column - base[0], row - base[1])
        line = between(a, b)
        for mode in MODES:
            found = blocked(line, barring.__contains__, no_side, mode)
            expected = slow_blocked(slow, there, (), mode)
            assert (found is not None) == expected, (a, b, mode)
            assert found is None or found.name in barring - {a, b}, (a, b, mode)
            verdicts[expected] += 1
    assert min(verdicts.values()) > 500, verdicts


def no_side(key: str) -> bool:
    return False
