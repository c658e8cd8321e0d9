"""The reading of 2026-11-21 (docs/readings/line-of-sight.md), question by question, and the exact shares of
the way.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.geometry.hex import NotAPlace, beside, hexside, neighbours
from pbem.geometry.sight import (
    CORNERS,
    PARTS,
    Line,
    Meeting,
    Mode,
    NotAMode,
    NotAPart,
    Obstruction,
    Point,
    between,
    blocked,
    hexes_met,
    lines_any_part,
    open_line,
    sides_met,
    trace,
)

EITHER: Mode = "either_hex_blocks"
BOTH: Mode = "both_hexes_block"
F = Fraction


def ask(line: Line, mode: Mode = EITHER, hexes: str = "", sides: tuple[str, ...] = ()) -> Obstruction | None:
    """Ask with a few hexes and hexsides that block."""
    return blocked(line, hexes.split().__contains__, sides.__contains__, mode)


def hex_in_the_way(name: str, case: str, at: Fraction) -> Obstruction:
    return Obstruction("hex", name, case, at)  # type: ignore[arg-type]


def side_in_the_way(name: str, case: str, at: Fraction) -> Obstruction:
    return Obstruction("side", name, case, at)  # type: ignore[arg-type]


# A line straight down a column
# -------------------------------------------------------------------------------------------


def test_what_a_plain_line_meets() -> None:
    assert list(between("0505", "0507")) == [
        Meeting("hex", ("0505",), (), F(0), F(1, 4)),
        Meeting("side", ("0505", "0506"), ("0506 n",), F(1, 4), F(1, 4)),
        Meeting("hex", ("0506",), (), F(1, 4), F(3, 4)),
        Meeting("side", ("0506", "0507"), ("0507 n",), F(3, 4), F(3, 4)),
        Meeting("hex", ("0507",), (), F(3, 4), F(1)),
    ]


def test_a_plain_line_told_in_short() -> None:
    line = between("0505", "0508")
    assert (line.start, line.end) == (Point("0505"), Point("0508", "centre"))
    assert line.crossed == ("0506", "0507")
    assert line.spines == ()
    assert line.corners == ()
    assert line.sides == ("0506 n", "0507 n", "0508 n")


@pytest.mark.parametrize("mode", [EITHER, BOTH])
def test_a_crossed_hex_blocks_in_either_mode(mode: Mode) -> None:
    line = between("0505", "0508")
    assert ask(line, mode) is None
    assert ask(line, mode, "0506") == hex_in_the_way("0506", "crossed", F(1, 6))
    assert ask(line, mode, "0507") == hex_in_the_way("0507", "crossed", F(1, 2))
    assert ask(line, mode, "0507 0506") == hex_in_the_way("0506", "crossed", F(1, 6))
    assert ask(line, mode, sides=("0507 n",)) == side_in_the_way("0507 n", "crossed", F(1, 2))
    assert ask(line, mode, "0507", ("0507 n",)) == side_in_the_way("0507 n", "crossed", F(1, 2))
    assert ask(line, mode, "0605 0405", ("0506 ne", "0506 nw")) is None


# Question 1: along a hexspine
# --------------------------------------------------------------------------------------------


def test_what_a_line_along_a_border_meets() -> None:
    assert list(between("0505", "0705")) == [
        Meeting("hex", ("0505",), (), F(0), F(1, 3)),
        Meeting("corner", (), ("0505 ne", "0605 n", "0505 se"), F(1, 3), F(1, 3)),
        Meeting("spine", ("0604", "0605"), ("0605 n",), F(1, 3), F(2, 3)),
        Meeting("corner", (), ("0605 ne", "0605 n", "0604 se"), F(2, 3), F(2, 3)),
        Meeting("hex", ("0705",), (), F(2, 3), F(1)),
    ]
    assert between("0505", "0705").spines == (("0604", "0605"),)
    assert between("0705", "0505").spines == (("0605", "0604"),)
    assert between("0505", "0705").crossed == ()
    assert between("0505", "0705").corners == ()


def test_on_a_border_one_hex_is_enough() -> None:
    line = between("0505", "0705")
    assert ask(line) is None
    assert ask(line, EITHER, "0604") == hex_in_the_way("0604", "spine", F(1, 3))
    assert ask(line, EITHER, "0605") == hex_in_the_way("0605", "spine", F(1, 3))
    assert ask(line, EITHER, "0604 0605") == hex_in_the_way("0604", "spine", F(1, 3))
    assert ask(between("0705", "0505"), EITHER, "0604 0605") == hex_in_the_way("0604", "spine", F(1, 3))


def test_on_a_border_both_hexes_where_the_option_says_so() -> None:
    line = between("0505", "0705")
    assert ask(line, BOTH, "0604") is None
    assert ask(line, BOTH, "0605") is None
    assert ask(line, BOTH, "0604 0605") == hex_in_the_way("0604", "spine", F(1, 3))


def test_both_means_both_of_the_same_border() -> None:
    line = between("0505", "0905")
    assert line.spines == (("0604", "0605"), ("0804", "0805"))
    assert line.crossed == ("0705",)
    assert ask(line, BOTH, "0604 0805") is None
    assert ask(line, EITHER, "0604 0805") == hex_in_the_way("0604", "spine", F(1, 6))
    assert ask(line, BOTH, "0804 0805") == hex_in_the_way("0804", "spine", F(2, 3))


def test_what_is_off_the_map_does_not_block() -> None:
    line = between("0101", "0301")
    assert line.spines == ((None, "0201"),)
    assert between("0301", "0101").spines == (("0201", None),)
    assert line.sides == ("0101 ne", "0201 n", "0101 se", "0201 ne", "0301 nw")
    assert ask(line, EITHER, "0201") == hex_in_the_way("0201", "spine", F(1, 3))
    assert ask(line, BOTH, "0201") is None
    assert ask(line, BOTH, sides=("0201 n",)) == side_in_the_way("0201 n", "spine-side", F(1, 3))


# Question 2: an obstacle on the hexside the line runs along
# --------------------------------------------------------------


@pytest.mark.parametrize("mode", [EITHER, BOTH])
def test_a_wall_along_the_line_blocks(mode: Mode) -> None:
    line = between("0505", "0905")
    assert ask(line, mode, sides=("0605 n",)) == side_in_the_way("0605 n", "spine-side", F(1, 6))
    assert ask(line, mode, sides=("0805 n",)) == side_in_the_way("0805 n", "spine-side", F(2, 3))
    assert ask(between("0905", "0505"), mode, sides=("0605 n",)) == side_in_the_way(
        "0605 n", "spine-side", F(2, 3)
    )
    assert ask(line, mode, "0604 0605", ("0605 n",)) == side_in_the_way("0605 n", "spine-side", F(1, 6))


@pytest.mark.parametrize("mode", [EITHER, BOTH])
def test_a_wall_that_only_meets_the_end_of_that_hexside_blocks_too(mode: Mode) -> None:
    line = between("0505", "0905")
    assert ask(line, mode, sides=("0605 ne",)) == side_in_the_way("0605 ne", "corner", F(1, 3))
    assert ask(line, mode, sides=("0705 ne",)) == side_in_the_way("0705 ne", "corner", F(2, 3))


# Question 3: through a corner
# --------------------------------------------------------------------------------------------


def test_what_a_line_through_a_corner_meets() -> None:
    assert list(between("0505", "0609"))[2:5] == [
        Meeting("hex", ("0506",), (), F(1, 9), F(1, 3)),
        Meeting("corner", ("0606",), ("0506 se", "0507 ne", "0507 n"), F(1, 3), F(1, 3)),
        Meeting("hex", ("0507",), (), F(1, 3), F(1, 2)),
    ]
    assert between("0505", "0609").crossed == ("0506", "0507", "0607", "0608")
    assert between("0505", "0609").corners == ("0606", "0508")


def test_the_hex_at_the_corner_blocks_in_one_mode_only() -> None:
    line = between("0505", "0609")
    assert ask(line, EITHER, "0606") == hex_in_the_way("0606", "corner", F(1, 3))
    assert ask(line, EITHER, "0508") == hex_in_the_way("0508", "corner", F(2, 3))
    assert ask(line, BOTH, "0606") is None
    assert ask(line, BOTH, "0606 0508") is None
    assert ask(line, BOTH, "0606 0507") == hex_in_the_way("0507", "crossed", F(1, 3))
    assert ask(line, EITHER, "0606 0507") == hex_in_the_way("0606", "corner", F(1, 3))


@pytest.mark.parametrize("mode", [EITHER, BOTH])
@pytest.mark.parametrize("wall", ["0506 se", "0507 ne", "0507 n"])
def test_a_wall_that_ends_in_the_corner_blocks_in_either_mode(mode: Mode, wall: str) -> None:
    """Grazing a wall counts as touching it (S1.45e)."""
    assert ask(between("0505", "0609"), mode, sides=(wall,)) == side_in_the_way(wall, "corner", F(1, 3))
    assert ask(between("0609", "0505"), mode, sides=(wall,)) == side_in_the_way(wall, "corner", F(2, 3))


# Question 4: a clipped corner
# --------------------------------------------------------------------------------------------


def test_a_clip_is_told_with_its_exact_share() -> None:
    clips = [meeting for meeting in between("0505", "1312") if meeting.clip]
    assert clips[0] == Meeting("hex", ("0606",), (), F(1, 7), F(1, 5), True)
    assert clips[1] == Meeting("hex", ("0706",), (), F(1, 5), F(3, 14), True)
    assert clips[1].leave - clips[1].enter == F(1, 70)
    assert [meeting.hexes[0] for meeting in between("0505", "0608") if meeting.clip] == ["0606", "0507"]
    assert not any(meeting.clip for meeting in between("0505", "0509"))


@pytest.mark.parametrize("mode", [EITHER, BOTH])
def test_a_clip_is_a_crossing(mode: Mode) -> None:
    assert ask(between("0505", "1312"), mode, "0706") == hex_in_the_way("0706", "clip", F(1, 5))
    assert ask(between("1312", "0505"), mode, "0706") == hex_in_the_way("0706", "clip", F(11, 14))


@pytest.mark.parametrize(
    ("b", "clipped"),
    [("0608", {"0606", "0507"}), ("0402", set()), ("0906", {"0705", "0706"}), ("0104", {"0305", "0304"})],
)
def test_which_hexes_are_clipped(b: str, clipped: set[str]) -> None:
    assert {meeting.hexes[0] for meeting in between("0505", b) if meeting.clip} == clipped


def test_from_a_corner_on_nothing_is_a_clip() -> None:
    """A hex entered or left by a corner is not cut off at a corner between two sides."""
    line = between("0505", "0609")
    assert not any(meeting.clip for meeting in line)


LEAVING_BY_THE_EDGE = [("0505", False), ("0605", True), ("0506", False), ("0507", False), ("0508", False)]


def test_a_hex_in_which_a_line_starts_or_ends_is_no_clip() -> None:
    there, back = trace(Point("0505", "ne"), Point("0508")), trace(Point("0508"), Point("0505", "ne"))
    assert [(m.hexes[0], m.clip) for m in there if m.kind == "hex"] == LEAVING_BY_THE_EDGE
    assert [(m.hexes[0], m.clip) for m in back if m.kind == "hex"] == LEAVING_BY_THE_EDGE[::-1]


# Question 5: the edges of the shooter's and the target's own hex
# ---------------------------------------------------------


@pytest.mark.parametrize("mode", [EITHER, BOTH])
def test_own_hexes_are_not_between_but_their_edges_are(mode: Mode) -> None:
    line = between("0505", "0508")
    assert ask(line, mode, "0505 0508") is None
    assert ask(line, mode, sides=("0508 n",)) == side_in_the_way("0508 n", "own-edge", F(5, 6))
    assert ask(line, mode, sides=("0506 n",)) == side_in_the_way("0506 n", "own-edge", F(1, 6))
    assert ask(line, mode, sides=("0505 n", "0508 ne", "0508 se")) is None


@pytest.mark.parametrize("mode", [EITHER, BOTH])
@pytest.mark.parametrize(
    ("wall", "at"), [("0505 ne", F(1, 3)), ("0505 se", F(1, 3)), ("0605 ne", F(2, 3)), ("0604 se", F(2, 3))]
)
def test_own_edges_touched_in_a_corner_block(mode: Mode, wall: str, at: Fraction) -> None:
    assert ask(between("0505", "0705"), mode, sides=(wall,)) == side_in_the_way(wall, "own-edge", at)


def test_a_neighbour_behind_a_wall() -> None:
    line = between("0505", "0605")
    assert line.sides == ("0505 se",)
    assert ask(line, EITHER, "0505 0605") is None
    assert ask(line, BOTH, sides=("0505 se",)) == side_in_the_way("0505 se", "own-edge", F(1, 2))


# Lines that a special rule moves
# -----------------------------------------------------------------------------------------


def test_from_the_middle_of_a_parapet() -> None:
    line = trace(Point("0505", "n"), Point("0502"))
    assert list(line)[:2] == [
        Meeting("side", ("0505", "0504"), ("0505 n",), F(0), F(0)),
        Meeting("hex", ("0504",), (), F(0), F(2, 5)),
    ]
    assert line.crossed == ("0504", "0503")
    assert line.sides == ("0505 n", "0504 n", "0503 n")
    assert ask(line, sides=("0505 n",)) is None
    assert ask(line, sides=("0504 n",)) == side_in_the_way("0504 n", "crossed", F(2, 5))
    assert ask(line, hexes="0504") == hex_in_the_way("0504", "crossed", F(0))
    assert ask(between("0505", "0502"), sides=("0505 n",)) == side_in_the_way("0505 n", "own-edge", F(1, 6))


def test_up_to_the_middle_of_a_parapet() -> None:
    line = trace(Point("0502"), Point("0505", "n"))
    assert list(line)[-2:] == [
        Meeting("hex", ("0504",), (), F(3, 5), F(1)),
        Meeting("side", ("0504", "0505"), ("0505 n",), F(1), F(1)),
    ]
    assert ask(line, sides=("0505 n",)) is None
    assert ask(line, sides=("0503 n",)) == side_in_the_way("0503 n", "own-edge", F(1, 5))


def test_from_a_middle_inwards() -> None:
    line = trace(Point("0505", "n"), Point("0507"))
    assert next(iter(line)) == Meeting("side", ("0504", "0505"), ("0505 n",), F(0), F(0))
    assert line.crossed == ("0506",)
    assert ask(line, hexes="0504 0505 0507") is None


def test_along_the_wall_from_one_aperture_to_the_next() -> None:
    """Two slits in one straight wall do not see each other: the wall between is touched."""
    row = trace(Point("0505", "n"), Point("0704", "s"))
    assert row.spines == (("0504", "0505"), ("0704", "0705"))
    assert row.crossed == ("0604",)
    assert next(iter(row)) == Meeting("spine", ("0504", "0505"), ("0505 n",), F(0), F(1, 6))
    assert list(row)[-1] == Meeting("spine", ("0704", "0705"), ("0705 n",), F(5, 6), F(1))
    assert ask(row, sides=("0505 n", "0705 n")) is None
    assert ask(row, sides=("0505 ne",)) == side_in_the_way("0505 ne", "own-edge", F(1, 6))
    assert ask(row, hexes="0705") == hex_in_the_way("0705", "spine", F(5, 6))
    assert ask(row, hexes="0504") == hex_in_the_way("0504", "spine", F(0))
    assert ask(row, BOTH, hexes="0504") is None


def test_both_ways_along_the_own_side() -> None:
    east, west = trace(Point("0505", "s"), Point("0905", "s")), trace(Point("0905", "s"), Point("0505", "s"))
    assert east.spines == (("0505", "0506"), ("0705", "0706"), ("0905", "0906"))
    assert west.spines == (("0906", "0905"), ("0706", "0705"), ("0506", "0505"))
    assert east.crossed == ("0605", "0805")
    assert [meeting.leave for meeting in east if meeting.kind == "spine"][-1] == 1


def test_from_corner_to_corner_along_one_side() -> None:
    line = trace(Point("0505", "nw-n"), Point("0505", "n-ne"))
    assert [set(meeting.hexes) for meeting in line] == [{"0404"}, {"0504", "0505"}, {"0604"}]
    assert [set(meeting.sides) for meeting in line] == [
        {"0404 ne", "0404 se", "0505 n"},
        {"0505 n"},
        {"0505 n", "0505 ne", "0504 se"},
    ]
    assert ask(line, hexes="0404 0604") is None
    assert ask(line, hexes="0504") == hex_in_the_way("0504", "spine", F(0))


def test_what_only_the_end_of_a_line_touches() -> None:
    """A hex touched by the end alone is not between; a wall is touched."""
    line = trace(Point("0505", "n-ne"), Point("0507"))
    first = next(iter(line))
    assert (first.kind, set(first.hexes)) == ("corner", {"0504", "0604"})
    assert ask(line, hexes="0504 0604") is None
    assert line.corners == ()
    assert ask(line, sides=("0504 se",)) == side_in_the_way("0504 se", "corner", F(0))
    assert ask(line, sides=("0505 n",)) == side_in_the_way("0505 n", "own-edge", F(0))
    back = trace(Point("0507"), Point("0505", "n-ne"))
    assert ask(back, hexes="0504 0604") is None
    assert ask(back, sides=("0504 se",)) == side_in_the_way("0504 se", "corner", F(1))
    assert back.corners == ()


@pytest.mark.parametrize(
    ("part", "kind", "hexes", "sides"),
    [
        ("centre", "hex", {"0505"}, set()),
        ("n", "side", {"0505", "0504"}, {"0505 n"}),
        ("sw", "side", {"0505", "0405"}, {"0405 ne"}),
        ("nw", "side", {"0505", "0404"}, {"0404 se"}),
        ("n-ne", "corner", {"0505", "0504", "0604"}, {"0505 n", "0505 ne", "0504 se"}),
        ("nw-n", "corner", {"0505", "0504", "0404"}, {"0505 n", "0404 ne", "0404 se"}),
    ],
)
def test_a_line_without_length(part: str, kind: str, hexes: set[str], sides: set[str]) -> None:
    (meeting,) = trace(Point("0505", part), Point("0505", part))
    assert (meeting.kind, set(meeting.hexes), set(meeting.sides)) == (kind, hexes, sides)
    assert (meeting.enter, meeting.leave) == (F(0), F(1) if part == "centre" else F(0))


def test_the_same_point_named_from_two_hexes() -> None:
    (meeting,) = trace(Point("0505", "n"), Point("0504", "s"))
    assert meeting == Meeting("side", ("0505", "0504"), ("0505 n",), F(0), F(0))


# Any part of both hexes
# --------------------------------------------------------------------------------------------------


def test_the_169_lines() -> None:
    lines = list(lines_any_part("0505", "0508"))
    assert len(lines) == 169
    assert (lines[0].start, lines[0].end) == (Point("0505"), Point("0508"))
    assert {(line.start.part, line.end.part) for line in lines} == {(a, b) for a in PARTS for b in PARTS}
    assert all((line.start.hex, line.end.hex) == ("0505", "0508") for line in lines)


def ends_of_open(
    a: str, b: str, hexes: str = "", mode: Mode = EITHER, sides: tuple[str, ...] = ()
) -> tuple[Point, Point] | None:
    found = open_line(a, b, hexes.split().__contains__, sides.__contains__, mode)
    return None if found is None else (found.start, found.end)


def test_any_part_sees_past_a_hex_that_the_centres_do_not() -> None:
    assert ask(between("0505", "0608"), hexes="0507") is not None
    assert ends_of_open("0505", "0608", "0507") == (Point("0505"), Point("0608", "ne"))
    assert ends_of_open("0505", "0608", "0506") == (Point("0505", "ne"), Point("0608", "n"))
    assert ends_of_open("0505", "0606", "0605") == (Point("0505"), Point("0606", "s"))
    assert ends_of_open("0505", "0606", "0605 0506") is None
    assert ends_of_open("0505", "0606", "0605 0506", BOTH) is None


def test_any_part_grazes_a_corner_in_one_mode_only() -> None:
    assert ends_of_open("0505", "0507", "0506") is None
    assert ends_of_open("0505", "0507", "0506", BOTH) == (Point("0505", "ne-se"), Point("0507", "ne-se"))
    assert ends_of_open("0505", "0507", "0506 0605 0606 0405 0406", BOTH) is None


def test_nobody_gets_round_his_own_walls() -> None:
    """Walled in on all six sides, neither the middle of a wall nor its end leads out (S1.56a)."""
    walls = {hexside("0505", side) for side in ("n", "ne", "se", "s", "sw", "nw")}
    for target in ("0504", "0502", "0705", "0909"):
        assert open_line("0505", target, lambda name: False, walls.__contains__, BOTH) is None
        assert open_line(target, "0505", lambda name: False, walls.__contains__, BOTH) is None


def test_a_wall_between_neighbours() -> None:
    """One wall alone can be seen round; the two beside it close the way."""
    assert ends_of_open("0505", "0504") == (Point("0505"), Point("0504"))
    assert ends_of_open("0505", "0504", sides=("0505 n",)) == (Point("0505", "ne"), Point("0504", "n"))
    assert ends_of_open("0505", "0504", sides=("0505 n", "0505 ne", "0404 se")) is None
    assert ends_of_open("0505", "0504", "0604 0404", sides=("0505 n",)) is None


# What is not a line
# ------------------------------------------------------------------------------------------------------


def test_wrong_ends_and_modes() -> None:
    for wrong in (("0505", "05"), ("05", "0505")):
        with pytest.raises(NotAPlace):
            between(*wrong)
    for points in ((Point("0505", "middle"), Point("0506")), (Point("0506"), Point("0505", "middle"))):
        with pytest.raises(NotAPart) as told:
            trace(*points)
        assert str(told.value) == (
            "'middle' is not a part of a hex: centre, n, ne, se, s, sw, nw, n-ne, "
            "ne-se, se-s, s-sw, sw-nw, nw-n"
        )
    with pytest.raises(NotAMode) as mode_told:
        ask(between("0505", "0506"), "both")  # type: ignore[arg-type]
    assert str(mode_told.value) == "'both' is neither either_hex_blocks nor both_hexes_block"
    assert issubclass(NotAMode, ValueError)
    assert issubclass(NotAPart, ValueError)


def test_names_of_the_parts() -> None:
    assert CORNERS == ("n-ne", "ne-se", "se-s", "s-sw", "sw-nw", "nw-n")
    assert [*PARTS] == ["centre", "n", "ne", "se", "s", "sw", "nw", *CORNERS]


def test_lines_are_values() -> None:
    assert between("0505", "0705") == between("0505", "0705")
    assert between("0505", "0705") != between("0505", "0706")
    assert len({between("0505", "0705"), between("0505", "0705")}) == 1
    line = between("0505", "0708")
    found = ask(line, hexes="0606")
    for value, field in ((line, "start"), (found, "name")):
        with pytest.raises(AttributeError):
            setattr(value, field, "0101")


# Properties
# --------------------------------------------------------------------------------------------------------------

NEAR = st.builds("{:02}{:02}".format, st.integers(1, 12), st.integers(1, 12))
POINTS = st.builds(Point, NEAR, st.sampled_from(PARTS))


def mirrored(meeting: Meeting) -> tuple[object, ...]:
    return (
        meeting.kind,
        set(meeting.hexes),
        set(meeting.sides),
        1 - meeting.leave,
        1 - meeting.enter,
        meeting.clip,
    )


@given(POINTS, POINTS)
@settings(max_examples=200, deadline=None)
def test_a_line_read_backwards_is_the_line_back(a: Point, b: Point) -> None:
    there, back = list(trace(a, b)), list(trace(b, a))
    if len(there) == 1:
        assert [meeting.kind for meeting in back] == [there[0].kind]
        return
    assert [(m.kind, set(m.hexes), set(m.sides), m.enter, m.leave, m.clip) for m in back] == [
        mirrored(meeting) for meeting in reversed(there)
    ]


@given(POINTS, POINTS)
@settings(max_examples=200, deadline=None)
def test_a_line_has_no_gap(a: Point, b: Point) -> None:
    meetings = list(trace(a, b))
    long = [meeting for meeting in meetings if meeting.enter < meeting.leave]
    if len(meetings) > 1:
        assert (long[0].enter, long[-1].leave) == (0, 1)
    assert all(before.leave == after.enter for before, after in pairwise(long))
    assert all(before.leave <= after.enter for before, after in pairwise(meetings))
    for meeting in meetings:
        if meeting.kind == "side":
            known = {name for name in meeting.hexes if name is not None}
            assert {name for key in meeting.sides for name in beside(key)} == known
        if meeting.kind == "corner" and len(meeting.hexes) == 2 and None not in meeting.hexes:
            assert str(meeting.hexes[0]) in neighbours(str(meeting.hexes[1]))


@given(NEAR, NEAR, st.sets(NEAR, max_size=30), st.sampled_from([EITHER, BOTH]))
@settings(max_examples=200, deadline=None)
def test_one_verdict_from_either_end(a: str, b: str, hexes: set[str], mode: Mode) -> None:
    walls = {hexside(name, side) for name in sorted(hexes)[:4] for side in ("n", "se")}
    there = blocked(between(a, b), hexes.__contains__, walls.__contains__, mode)
    back = blocked(between(b, a), hexes.__contains__, walls.__contains__, mode)
    assert (there is None) == (back is None)


@given(NEAR, NEAR, st.sets(NEAR, max_size=20))
@settings(max_examples=100, deadline=None)
def test_the_strict_mode_never_opens_what_the_mild_one_blocks(a: str, b: str, hexes: set[str]) -> None:
    mild = blocked(between(a, b), hexes.__contains__, lambda key: False, BOTH)
    strict = blocked(between(a, b), hexes.__contains__, lambda key: False, EITHER)
    assert mild is None or (strict is not None and strict.at <= mild.at)


@given(NEAR, NEAR, st.sampled_from([EITHER, BOTH]))
@settings(max_examples=100, deadline=None)
def test_what_an_open_line_meets_is_all_that_is_asked_about_it(a: str, b: str, mode: Mode) -> None:
    line = between(a, b)
    hexes: list[str] = []
    sides: list[str] = []

    def note(kept: list[str], name: str) -> bool:
        kept.append(name)
        return False

    assert blocked(line, partial(note, hexes), partial(note, sides), mode) is None
    assert (list(hexes_met(line, mode)), list(sides_met(line))) == (hexes, sides)
