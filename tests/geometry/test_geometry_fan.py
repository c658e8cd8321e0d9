"""Fans hold what the 169 lines meet, as the lines themselves do one by one; a table that was kept changes
nothing.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import pytest
from thorough import thorough

from pbem.geometry import fan, passing, shelves
from pbem.geometry.hex import neighbours
from pbem.geometry.sight import (
    PARTS,
    Line,
    Point,
    between,
    blocked,
    hexes_met,
    lines_any_part,
    mask,
    open_line,
    sides_met,
    trace,
)

MAP = fan.frame(28, 20)
START = "1010"
NEAR = sorted({far for near in neighbours(START) for far in (near, *neighbours(near))})
FAR = ["1910", "0215", "1702", "2812", "0120", "1013"]
EDGE = [("0101", "0105"), ("0101", "0401"), ("2820", "2815"), ("0120", "2801"), ("0301", "0201")]
PAIRS = [*((START, end) for end in [*NEAR, *FAR]), *EDGE]


def asked(line: Line, both: bool) -> set[str]:
    """What is asked about a line, on the map; of what it only touches nothing where both hexes must bar."""
    found: set[str] = set()

    def note(name: str) -> bool:
        found.add(name)
        return False

    blocked(line, (lambda name: False) if both else note, note)
    return {name for name in {*found, *(line.crossed if both else ())} if name in MAP.bits}


@pytest.mark.parametrize("both", [False, True])
def test_a_fan_meets_what_each_of_its_lines_meets(both: bool) -> None:
    for a, b in PAIRS[:: 1 if not both else 4]:
        spread = fan.spread(MAP, a, b, both)
        for (first, last), line in zip(product(range(13), repeat=2), lines_any_part(a, b), strict=True):
            assert set(MAP.among(spread.met(first, last))) == asked(line, both), (a, b, first, last)


def test_the_mask_of_a_line_is_what_is_asked_about_it_wherever_it_starts() -> None:
    dice = random.Random(6)
    hexes = [name for name in MAP.bits if len(name) == 4]
    for a, b in [*PAIRS, *(dice.sample(hexes, 2) for _ in range(40))]:
        first, last = (Point(hex_, dice.choice(PARTS)) for hex_ in (a, b))
        for line in (between(a, b), trace(first, last), trace(first, last, (False, False))):
            names = {name for name in (*hexes_met(line), *sides_met(line)) if name in MAP.bits}
            assert {*MAP.among(mask(line, MAP.stride, MAP.bits[a]))} == names, (line.start, line.end)


def test_a_line_is_free_where_nothing_that_bars_is_on_it() -> None:
    dice = random.Random(5)
    verdicts = {True: 0, False: 0}
    for a, b in PAIRS:
        spread = fan.spread(MAP, a, b)
        met = list(MAP.among(spread.whole))
        bars = {name for name in met if dice.randint(1, 100) <= dice.choice((8, 40))}
        free = spread.free(MAP.mask(bars))
        expected = [
            blocked(line, bars.__contains__, bars.__contains__) is None for line in lines_any_part(a, b)
        ]
        assert list(free) == (expected if any(expected) else [])
        assert (open_line(a, b, bars.__contains__, bars.__contains__) is not None) == bool(free)
        verdicts[bool(free)] += 1
    assert min(verdicts.values()) > 3


def test_a_line_that_needs_a_door_goes_by_one() -> None:
    spread = fan.spread(MAP, START, "1410")
    door = MAP.mask(["1110 ne"])
    free = spread.free(0, (door,))
    assert 0 < sum(free) < 169
    for (first, last), open_ in zip(product(range(13), repeat=2), free, strict=True):
        assert open_ == bool(spread.met(first, last) & door)
    assert spread.free(0, (0,)) == ()


def slow_ways(line: Line, third: bool) -> set[tuple[str, ...]]:
    """The hexes a line may be taken to go by, read off the line itself."""
    found = set()
    for left in (0, 1):
        path = [line.start.hex]
        for met in line:
            if met.kind == "hex":
                path += [name for name in met.hexes if name]
            elif met.kind == "spine":
                path.append(met.hexes[left] or "")
            elif met.kind == "corner" and third and 0 < met.enter < 1:
                path += [name for name in met.hexes if name]
        path.append(line.end.hex)
        found.add(tuple(one for one, other in zip(path, [*path[1:], ""], strict=True) if one != other))
    return found


@pytest.mark.parametrize("third", [False, True])
def test_ways_lead_by_the_hexes_of_the_line(third: bool) -> None:
    for b in ["1210", "1113", "1413", "0907", "1510", "1015"]:
        hexes, ways, order = passing.between(START, b)
        for number, line in enumerate(lines_any_part(START, b)):
            rows = (ways.corners if third else ways.straight)[order[number]]
            led = {tuple(_names(row, hexes, START)) for row in rows}
            assert led <= slow_ways(line, third) | (slow_ways(line, False) if third else set())
            assert led >= slow_ways(line, third)


def _names(row: tuple[int, ...], hexes: tuple[str | None, ...], start: str) -> Iterator[str]:
    yield start
    for step in row:
        yield hexes[step & (1 << passing.SHIFT) - 1] or ""


def test_places_far_apart_share_no_number() -> None:
    for columns, rows in ((1, 1), (28, 20), (99, 99), (2, 99)):
        frame = fan.frame(columns, rows)
        assert len(set(frame.bits.values())) == len(frame.bits)
        assert min(frame.bits.values()) > 0
        assert set(frame.among(frame.mask(frame.bits))) == set(frame.bits)


# --- the table that is kept


class Shelf:
    def __init__(self, **kept: bytes) -> None:
        self.kept = kept
        self.asked = 0

    def get(self, key: str) -> bytes | None:
        self.asked += 1
        return self.kept.get(key)

    def put(self, key: str, data: bytes) -> None:
        self.kept[key] = data


@pytest.fixture(name="short")
def short_(monkeypatch: pytest.MonkeyPatch) -> bytes:
    """A table of few steps, that counts as the right one."""
    monkeypatch.setattr(fan, "NEAR", 3)
    table = fan.written()
    monkeypatch.setattr(fan, "DIGEST", fan.sha256(table).hexdigest())
    monkeypatch.setattr(shelves, "where", shelves.nowhere)
    monkeypatch.setattr(fan, "_known", fan._Kept(shelves.nowhere))
    return table


def sheaves() -> list[fan.Sheaf]:
    fan.sheaf.cache_clear()
    return [fan.sheaf(*step) for step in fan.steps()]


def test_a_kept_table_is_read_and_nothing_is_made(short: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    made = sheaves()
    shelf = Shelf(**{fan.DIGEST: short})
    shelves.use(lambda: shelf)
    monkeypatch.setattr(fan, "_made", None)
    assert sheaves() == made
    assert shelf.asked == 1


def test_a_table_that_was_cut_or_changed_or_is_another_changes_nothing(short: bytes) -> None:
    made = sheaves()
    at = len(short) // 2
    for wrong in (b"", short[:-1], short[:at] + bytes([short[at] ^ 1]) + short[at + 1 :], short + b"\0"):
        shelf = Shelf(**{fan.DIGEST: wrong})
        shelves.use(lambda shelf=shelf: shelf)  # type: ignore[misc]
        assert sheaves() == made
        assert fan._kept().table == {}


def test_who_asks_much_puts_the_table_on_the_shelf(short: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fan, "MANY", 4)
    shelf = Shelf()
    shelves.use(lambda: shelf)
    fan.sheaf.cache_clear()
    for step in list(fan.steps())[:3]:
        fan.sheaf(*step)
    assert not shelf.kept
    sheaves()
    assert shelf.kept == {fan.DIGEST: short}


@thorough
def test_the_digest_is_that_of_the_whole_table() -> None:
    assert fan.sha256(fan.written()).hexdigest() == fan.DIGEST, "a change of form needs a new digest"
