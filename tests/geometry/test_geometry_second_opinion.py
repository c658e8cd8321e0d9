"""The fast lines of sight against the slow ones: every vector to range 14, and mixed ends by the thousand."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache, partial

import pytest
import slow_sight
from slow_sight import Met, SlowLine, point_of, slow_blocked

from pbem.geometry.hex import STEPS, Hex, distance, hexside, neighbours, parse, text
from pbem.geometry.sight import PARTS, Line, Mode, Point, between, blocked, lines_any_part, open_line, trace

MODES: tuple[Mode, ...] = ("either_hex_blocks", "both_hexes_block")


slow_line = cache(slow_sight.slow_line)
"""What a line meets does not hang on what blocks it: each is drawn once, by either rule."""


def as_slow(line: Line) -> tuple[dict[str, Met], dict[str, Met]]:
    """Tell what a line meets in the slow one's words."""
    hexes: dict[str | None, Met] = {}
    sides: dict[str, Met] = {}
    for meeting in line:
        kind = {"hex": "cut", "spine": "along", "corner": "touch", "side": "touch"}[meeting.kind]
        for name in meeting.hexes:
            if meeting.kind != "side" or (name not in hexes and meeting.enter in (0, 1)):
                hexes[name] = Met(kind, meeting.enter, meeting.leave)
        kind = {"spine": "along", "corner": "corner", "side": "cross"}.get(meeting.kind, "")
        for key in meeting.sides:
            if key not in sides or kind == "along":
                sides[key] = Met(kind, meeting.enter, meeting.leave)
    return {name: met for name, met in hexes.items() if name is not None}, sides


def assert_same(line: Line, slow: SlowLine) -> None:
    hexes, sides = as_slow(line)
    assert (hexes, sides) == (slow.hexes, slow.sides), (line.start, line.end)


def vectors(reach: int) -> list[Hex]:
    span = range(-reach, reach + 1)
    found = [Hex(q, r) for q in span for r in span if 0 < max(abs(q), abs(r), abs(q + r)) <= reach]
    assert len(found) == 3 * reach * (reach + 1)
    return found


@pytest.mark.parametrize("base", ["4050", "4150"])
def test_every_vector_to_range_14(base: str) -> None:
    start = parse(base)
    for step in vectors(14):
        other = text(Hex(start.q + step.q, start.r + step.r))
        assert other is not None
        line, slow = between(base, other), slow_line(base, other)
        assert_same(line, slow)
        cut = [
            name
            for name, met in sorted(slow.hexes.items(), key=lambda item: item[1].enter)
            if met.kind == "cut"
        ]
        assert [base, *line.crossed, other] == cut
        assert {name for pair in line.spines for name in pair} == {
            n for n, m in slow.hexes.items() if m.kind == "along"
        }
        assert set(line.corners) == {name for name, met in slow.hexes.items() if met.kind == "touch"}
        assert len(line.corners) == len(set(line.corners))
        assert set(line.sides) == set(slow.sides)


def mixed_pairs(
    count: int, seed: int, columns: tuple[int, int], rows: tuple[int, int]
) -> list[tuple[Point, Point]]:
    dice = random.Random(seed)
    pairs: list[tuple[Point, Point]] = []
    while len(pairs) < count:
        a, b = (
            Point(f"{dice.randint(*columns):02}{dice.randint(*rows):02}", dice.choice(PARTS))
            for _ in range(2)
        )
        if point_of(a.hex, a.part) != point_of(b.hex, b.part):
            pairs.append((a, b))
    return pairs


@pytest.mark.parametrize(
    ("columns", "rows"),
    [((40, 48), (40, 48)), ((1, 6), (1, 4)), ((94, 99), (96, 99)), ((50, 52), (50, 51))],
    ids=["inland", "first corner", "last corner", "close"],
)
def test_mixed_ends(columns: tuple[int, int], rows: tuple[int, int]) -> None:
    for a, b in mixed_pairs(900, 20261121, columns, rows):
        assert_same(trace(a, b), slow_line(a.hex, b.hex, a.part, b.part))


def test_all_parts_of_near_hexes() -> None:
    """Every one of the 169 lines to each hex at range 1 and 2: here lie all the degenerate cases."""
    for b in sorted({far for near in neighbours("4141") for far in neighbours(near)} - {"4141"}):
        for a_part in PARTS:
            for b_part in PARTS:
                if point_of("4141", a_part) != point_of(b, b_part):
                    line = trace(Point("4141", a_part), Point(b, b_part))
                    assert_same(line, slow_line("4141", b, a_part, b_part))


def scatter(dice: random.Random, line: SlowLine, share: int) -> tuple[set[str], set[str]]:
    hexes = {name for name in line.hexes if dice.randint(1, 100) <= share}
    sides = {key for key in line.sides if dice.randint(1, 300) <= share}
    return hexes, sides


@pytest.mark.parametrize("mode", MODES)
def test_the_same_verdict_and_the_same_from_either_end(mode: Mode) -> None:
    dice = random.Random(7)
    verdicts = {True: 0, False: 0}
    for a, b in mixed_pairs(1500, 3, (20, 26), (20, 26)):
        slow = slow_line(a.hex, b.hex, a.part, b.part)
        hexes, sides = scatter(dice, slow, 12)
        there = blocked(trace(a, b), hexes.__contains__, sides.__contains__, mode)
        back = blocked(trace(b, a), hexes.__contains__, sides.__contains__, mode)
        expected = slow_blocked(slow, hexes, sides, mode)
        assert (there is not None, back is not None) == (expected, expected), (a, b, hexes, sides)
        verdicts[expected] += 1
        if there is not None and back is not None:
            met = (slow.hexes if there.what == "hex" else slow.sides)[there.name]
            assert there.at == met.enter
            assert there.name in (hexes if there.what == "hex" else sides)
            assert back.at <= 1 - there.at
    assert min(verdicts.values()) > 300


def test_any_part_against_all_169() -> None:
    dice = random.Random(11)
    verdicts = {True: 0, False: 0}
    for _ in range(24):
        a, b = "2020", f"{dice.randint(19, 23):02}{dice.randint(19, 23):02}"
        if distance(a, b) < 2:
            continue
        slows = [
            slow_line(a, b, first, last)
            for first in PARTS
            for last in PARTS
            if point_of(a, first) != point_of(b, last)
        ]
        near = sorted({name for slow in slows for name in slow.hexes})
        hexes = {name for name in near if dice.randint(1, 100) <= dice.choice((35, 60))}
        sides = {hexside(name, "n") for name in near if dice.randint(1, 100) <= 25}
        expected = any(
            not slow_blocked(slow, hexes, sides, MODES[0], let_off_free_sides=False) for slow in slows
        )
        found = open_line(a, b, hexes.__contains__, sides.__contains__)
        assert (found is not None) == expected
        verdicts[expected] += 1
    assert min(verdicts.values()) > 3


def note(asked: list[str], key: str) -> bool:
    asked.append(key)
    return False


def test_any_part_lets_no_hexside_off() -> None:
    for line in lines_any_part("2020", "2222"):
        asked: list[str] = []
        assert blocked(line, lambda name: False, partial(note, asked)) is None
        assert asked == list(line.sides)
        slow = slow_line("2020", "2222", line.start.part, line.end.part)
        assert set(asked) == set(slow.sides)


def test_steps_of_the_table_are_the_steps_of_the_paper() -> None:
    for base in ("4040", "4141"):
        start = parse(base)
        x, y = point_of(base, "centre")
        for (dq, dr), middle in zip(STEPS, ("n", "ne", "se", "s", "sw", "nw"), strict=True):
            other = text(Hex(start.q + dq, start.r + dr))
            assert other is not None
            ox, oy = point_of(other, "centre")
            assert (Fraction(x + ox, 2), Fraction(y + oy, 2)) == point_of(base, middle)
