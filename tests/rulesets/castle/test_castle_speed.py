"""Orders for a whole army are judged in a moment: what stands in the way is looked for once for each of them."""

from __future__ import annotations

import sys
from types import FrameType

import pytest
from castle_cases import war_of
from msgspec.structs import replace

from pbem.rulesets.castle.ruleset import CASTLE

ROWS = {f"{kind}{n}": (kind, n) for kind in "abcde" for n in range(3)}
FORMED = {
    "warriors": {
        **{
            id_: {"kind": "footman", "at": f"{4 + 5 * 'abcde'.index(row)} {30 + 12 * n // 10}.{12 * n % 10}"}
            for id_, (row, n) in ROWS.items()
        },
        **{f"foe{n}": {"kind": "crossbow", "side": "keep", "at": f"{2 + 3 * n} 12"} for n in range(12)},
        "rider": {"kind": "lancer", "at": "32 30"},
        **{f"by{n}": {"kind": "footman", "at": f"{28 + 2 * n} 27"} for n in range(5)},
    },
    "sections": {f"wall{n}": {"kind": "wall", "at": f"{4 + 6 * n} 24"} for n in range(5)},
    "build": "1500",
}
AHEAD = [f"{row}0, {row}1, {row}2 move 6 s" for row in "abcde"]


MOST = 100_000
"""Calls of functions in one judgement; where what is in the way is gathered at every hundredth of a way there are
some times as many. How long it takes: ``python -m benchmarks castle``.
"""


@pytest.mark.parametrize(
    "orders", [AHEAD, ["rider moves 10 s", *AHEAD[:4]]], ids=["fifteen on foot", "a rider"]
)
def test_what_is_in_the_way_is_gathered_once(orders: list[str]) -> None:
    war = war_of(CASTLE, FORMED)
    sheet, problems = CASTLE.interface.read_orders(CASTLE, war, "hill", {"actions": orders})
    assert not problems
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        judged = CASTLE.interface.check(CASTLE, replace(war), sheet, ())  # which knows nothing yet
    finally:
        sys.setprofile(before)
    assert [problem.code for problem in judged.problems] == []
    assert len(judged.course) == len(orders)
    assert 0 < calls < MOST, calls
