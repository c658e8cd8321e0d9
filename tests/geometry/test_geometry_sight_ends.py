"""The ends of a line that lie in the middle of a hexside: whether that hexside lets the line off, for each
end by itself.
"""

from __future__ import annotations

import pytest

from pbem.geometry.sight import Point, blocked, trace

OUT, IN = Point("0303", "s"), Point("0306", "n")


def _walls(*keys: str, lets_off: tuple[bool, bool] = (True, True)) -> str:
    found = blocked(trace(OUT, IN, lets_off), lambda hex_: False, lambda key: key in keys)
    return found.name if found else ""


@pytest.mark.parametrize(
    ("lets_off", "first", "last"),
    [
        ((True, True), "", ""),
        ((True, False), "", "0306 n"),
        ((False, True), "0304 n", ""),
        ((False, False), "0304 n", "0306 n"),
    ],
)
def test_each_end_is_let_off_by_itself(lets_off, first, last):
    assert _walls("0304 n", lets_off=lets_off) == first
    assert _walls("0306 n", lets_off=lets_off) == last


def test_both_ends_are_let_off_unless_it_is_said():
    assert _walls("0304 n", "0306 n") == ""
    assert _walls("0305 n") == "0305 n"
