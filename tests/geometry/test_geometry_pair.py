from __future__ import annotations

import pytest

from pbem.geometry.hex import SIDES, hexside, neighbour, neighbours, opposite
from pbem.geometry.pair import NotAPair, hexes, is_swing, pair, steps
from pbem.geometry.path import Way, cheapest, reach, way


def price(before: str, after: str) -> int | None:
    """Two half points for an advance, one for a swing: enough to tell them apart."""
    return 1 if is_swing(before, after) else 2


def test_head_and_tail() -> None:
    assert pair("0712", "0713") == "0712 n"
    assert pair("0713", "0712") == "0713 s"
    assert hexes("0712 n") == ("0712", "0713")
    for side in SIDES:
        ahead = neighbour("0606", side)
        assert ahead is not None
        assert hexes(pair(ahead, "0606")) == (ahead, "0606")
        assert pair(ahead, "0606") == f"{ahead} {side}"


@pytest.mark.parametrize(("head", "tail"), [("0712", "0712"), ("0712", "0714"), ("0712", "0912")])
def test_two_hexes_apart_are_no_pair(head: str, tail: str) -> None:
    with pytest.raises(NotAPair) as told:
        pair(head, tail)
    assert str(told.value) == f"{head} and {tail} are not neighbours"


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ("0712", "a hex and the side it faces, such as 0712 n"),
        ("0712 e", "a hex and the side it faces, such as 0712 n"),
        ("0712n", "a hex and the side it faces, such as 0712 n"),
        ("712 n", "'712' is not a hex: two digits of column and two of row, 0101 to 9999"),
        ("0199 n", "its tail would be off the map"),
        ("0101 se", "its tail would be off the map"),
    ],
)
def test_no_pairs(wrong: str, why: str) -> None:
    for ask in (hexes, steps):
        with pytest.raises(NotAPair) as told:
            ask(wrong)
        assert str(told.value) == f"{wrong!r} is not a figure of two hexes: {why}"
    assert issubclass(NotAPair, ValueError)


def test_steps_facing_north() -> None:
    assert steps("0505 n") == ("0504 n", "0604 ne", "0404 nw", "0605 ne", "0405 nw")


def test_steps_facing_south_east() -> None:
    assert steps("0505 se") == ("0604 ne", "0605 se", "0506 s", "0504 ne", "0405 s")


def test_steps_at_the_edge() -> None:
    assert steps("0101 n") == ("0201 ne",)
    assert steps("0101 nw") == ("0102 sw",)
    assert steps("9998 n") == ("9997 n", "9897 nw", "9898 nw")


@pytest.mark.parametrize("figure", [f"{head} {side}" for head in ("0505", "0606") for side in SIDES])
def test_a_step_keeps_one_hex_and_turns_one_side_at_most(figure: str) -> None:
    head, tail = hexes(figure)
    found = steps(figure)
    assert len(found) == len(set(found)) == 5
    for number, after in enumerate(found):
        new_head, new_tail = hexes(after)
        assert is_swing(figure, after) == (number >= 3)
        assert new_tail == (tail if number >= 3 else head)
        assert new_head not in (head, tail)
        turned = (SIDES.index(after[5:]) - SIDES.index(figure[5:])) % 6
        assert turned in ((1, 5) if number >= 3 else (0, 1, 5))
        assert figure in steps(after) if number >= 3 else figure not in steps(after)
        assert hexside(new_tail, after[5:]) == hexside(new_head, opposite(after[5:]))
        assert new_head in neighbours(new_tail)


def test_to_turn_about() -> None:
    """Three swings: the cheapest way to face the other way in place of one's own tail."""
    reached = reach("0505 n", 3, price, neighbours=steps)
    assert reached["0507 s"] == (3, "0606 se")
    assert way(reached, "0507 s") == ("0505 n", "0605 ne", "0606 se", "0507 s")


def test_to_wheel_instead_of_swinging() -> None:
    assert cheapest("0505 n", "0603 n", price, steps) == Way(4, ("0505 n", "0604 ne", "0603 n"))


def test_a_narrow_lane_leads_only_ahead() -> None:
    lane = {"0506", "0505", "0504", "0503"}
    reached = reach(
        "0505 n", 8, lambda a, b: price(a, b) if lane.issuperset(hexes(b)) else None, neighbours=steps
    )
    assert dict(reached) == {"0505 n": (0, None), "0504 n": (2, "0505 n"), "0503 n": (4, "0504 n")}
