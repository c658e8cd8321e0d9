from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.geometry.hex import (
    SIDES,
    STEPS,
    Hex,
    NotAPlace,
    NotASide,
    around,
    beside,
    centre,
    corners,
    distance,
    hex_of,
    hexside,
    in_row,
    is_place,
    neighbour,
    neighbours,
    opposite,
    parse,
    side_between,
    side_number,
    side_points,
    split_place,
    text,
)

HEXES = st.builds("{:02}{:02}".format, st.integers(1, 99), st.integers(1, 99))
EVERY = [f"{column:02}{row:02}" for column in range(1, 100) for row in range(1, 100)]


@pytest.mark.parametrize(
    ("name", "axial"),
    [
        ("0101", (0, 0)),
        ("0201", (1, 0)),
        ("0301", (2, -1)),
        ("0102", (0, 1)),
        ("0712", (6, 8)),
        ("9901", (98, -49)),
        ("9999", (98, 49)),
        ("0199", (0, 98)),
    ],
)
def test_text_and_axial(name: str, axial: tuple[int, int]) -> None:
    assert parse(name) == axial
    assert text(Hex(*axial)) == name


def test_every_hex_comes_back() -> None:
    assert [text(parse(name)) for name in EVERY] == EVERY


@pytest.mark.parametrize("axial", [(-1, 0), (-1, 1), (99, 0), (0, -1), (0, 99), (1, -1), (98, -50), (98, 50)])
def test_no_text_off_the_map(axial: tuple[int, int]) -> None:
    assert text(Hex(*axial)) is None


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "712",
        "07122",
        "0012",
        "0700",
        "0000",
        "07 2",
        "a712",
        "0712 ",
        " 0712",
        "0712\n",
        "-112",
        "٠٧١٢",
        "0712@top",
    ],
)
def test_no_hex(wrong: str) -> None:
    with pytest.raises(NotAPlace) as told:
        parse(wrong)
    assert str(told.value) == f"{wrong!r} is not a hex: two digits of column and two of row, 0101 to 9999"


@pytest.mark.parametrize(
    ("name", "borders"),
    [
        ("0505", ["0504", "0604", "0605", "0506", "0405", "0404"]),
        ("0605", ["0604", "0705", "0706", "0606", "0506", "0505"]),
        ("0101", [None, None, "0201", "0102", None, None]),
        ("0201", [None, "0301", "0302", "0202", "0102", "0101"]),
        ("0199", ["0198", "0298", "0299", None, None, None]),
        ("9901", [None, None, None, "9902", "9801", None]),
        ("9999", ["9998", None, None, None, "9899", "9898"]),
        ("9899", ["9898", "9999", None, None, None, "9799"]),
    ],
)
def test_neighbours(name: str, borders: list[str | None]) -> None:
    assert [neighbour(name, side) for side in SIDES] == borders
    assert neighbours(name) == tuple(other for other in borders if other is not None)


def test_around_some_hexes() -> None:
    assert around(()) == ()
    assert around(("0505",)) == neighbours("0505")
    both = around(("0505", "0506"))
    assert both[:6] == neighbours("0505")
    assert set(both) == {*neighbours("0505"), *neighbours("0506")}
    assert len(both) == len(set(both)) == 10
    assert around(("0101", "9901")) == (*neighbours("0101"), *neighbours("9901"))


def test_sides() -> None:
    assert SIDES == ("n", "ne", "se", "s", "sw", "nw")
    assert [side_number(side) for side in SIDES] == [0, 1, 2, 3, 4, 5]
    assert [opposite(side) for side in SIDES] == ["s", "sw", "nw", "n", "ne", "se"]
    assert STEPS == ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))


@pytest.mark.parametrize("wrong", ["", "N", "e", "north", "nn"])
def test_no_side(wrong: str) -> None:
    for ask in (
        opposite,
        side_number,
        lambda side: neighbour("0505", side),
        lambda side: hexside("0505", side),
    ):
        with pytest.raises(NotASide) as told:
            ask(wrong)
        assert str(told.value) == f"{wrong!r} is not a side: n ne se s sw nw"


def test_wrong_kinds_are_value_errors() -> None:
    assert issubclass(NotAPlace, ValueError)
    assert issubclass(NotASide, ValueError)


@pytest.mark.parametrize("name", ["0505", "0605", "0101", "9999"])
def test_side_between(name: str) -> None:
    for side in SIDES:
        other = neighbour(name, side)
        if other is not None:
            assert side_between(name, other) == side
            assert side_between(other, name) == opposite(side)
    assert side_between(name, name) is None
    assert side_between("0505", "0507") is None
    assert side_between("0505", "0604") == "ne"
    assert side_between("0505", "0606") is None


@pytest.mark.parametrize(
    ("a", "b", "far"),
    [
        ("0505", "0505", 0),
        ("0505", "0504", 1),
        ("0505", "0605", 1),
        ("0505", "0606", 2),
        ("0505", "0705", 2),
        ("0505", "0509", 4),
        ("0505", "0905", 4),
        ("0505", "0909", 6),
        ("0505", "0901", 6),
        ("0909", "0505", 6),
        ("0101", "9999", 147),
        ("9901", "0199", 147),
        ("0101", "9901", 98),
    ],
)
def test_distance(a: str, b: str, far: int) -> None:
    assert distance(a, b) == far
    assert distance(b, a) == far


@given(HEXES, HEXES, HEXES)
@settings(max_examples=100)
def test_distance_is_a_distance(a: str, b: str, c: str) -> None:
    assert distance(a, c) <= distance(a, b) + distance(b, c)
    assert (distance(a, b) == 0) == (a == b)
    assert (distance(a, b) == 1) == (b in neighbours(a)) == (side_between(a, b) is not None)
    if a != b:
        assert min(distance(near, b) for near in neighbours(a)) == distance(a, b) - 1


@pytest.mark.parametrize(
    ("name", "side", "key"),
    [
        ("0712", "n", "0712 n"),
        ("0712", "ne", "0712 ne"),
        ("0712", "se", "0712 se"),
        ("0712", "s", "0713 n"),
        ("0712", "sw", "0612 ne"),
        ("0712", "nw", "0611 se"),
        ("0812", "sw", "0713 ne"),
        ("0812", "nw", "0712 se"),
        ("0101", "n", "0101 n"),
        ("0101", "nw", "0101 nw"),
        ("0101", "sw", "0101 sw"),
        ("0199", "s", "0199 s"),
        ("9999", "se", "9999 se"),
        ("0299", "sw", "0299 sw"),
    ],
)
def test_hexside(name: str, side: str, key: str) -> None:
    assert hexside(name, side) == key


@pytest.mark.parametrize("side", SIDES)
def test_in_row(side: str) -> None:
    row: list[str] = []
    here = neighbour("5050", side)
    while here is not None:
        row.append(here)
        here = neighbour(here, side)
    assert len(row) == 49
    assert [name for name in EVERY if in_row("5050", side, name)] == sorted(row)
    assert not in_row("5050", side, "5050")


def test_one_key_for_each_hexside() -> None:
    keys: dict[str, set[tuple[str, str]]] = {}
    for name in EVERY:
        for side in SIDES:
            keys.setdefault(hexside(name, side), set()).add((name, side))
    for key, names in keys.items():
        assert tuple(key.split(" ")) in names
        assert {name for name, _ in names} == set(beside(key))
        assert len(names) == len(beside(key))
    inner = sum(len(neighbours(name)) for name in EVERY)
    assert len(keys) == len(EVERY) * 6 - inner // 2


def test_beside_names_the_naming_hex_first() -> None:
    assert beside("0712 n") == ("0712", "0711")
    assert beside("0101 n") == ("0101",)
    with pytest.raises(NotASide):
        beside("0712")
    with pytest.raises(NotAPlace):
        beside("n")


@pytest.mark.parametrize(
    ("place", "parts"),
    [
        ("0712", ("0712", "")),
        ("0712@top", ("0712", "top")),
        ("0712@1", ("0712", "1")),
        ("9999@a-long-storey-16", ("9999", "a-long-storey-16")),
    ],
)
def test_places(place: str, parts: tuple[str, str]) -> None:
    assert is_place(place)
    assert split_place(place) == parts
    assert hex_of(place) == parts[0]


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "0712@",
        "0712@-top",
        "0712@Top",
        "0712@a-long-storey-173",
        "712@top",
        "0012",
        "0700@top",
        "0712@t\n",
        "@top",
    ],
)
def test_no_places(wrong: str) -> None:
    assert not is_place(wrong)
    for ask in (split_place, hex_of):
        with pytest.raises(NotAPlace) as told:
            ask(wrong)
        assert (
            str(told.value)
            == f"{wrong!r} is not a place: a hex such as 0712, or a hex and a storey such as 0712@top"
        )


def test_scene_points() -> None:
    assert centre("0101") == (577, 500)
    assert centre("0201") == (1443, 1000)
    assert centre("0102") == (577, 1500)
    assert centre("0301") == (2309, 500)
    assert corners("0101") == ((866, 0), (1154, 500), (866, 1000), (288, 1000), (0, 500), (288, 0))
    assert side_points("0101", "n") == ((288, 0), (866, 0))
    assert side_points("0101", "ne") == ((866, 0), (1154, 500))
    assert side_points("0101", "nw") == ((0, 500), (288, 0))


def test_neighbours_share_their_corners_exactly() -> None:
    for name in [*EVERY[:300], *EVERY[-300:]]:
        for side in SIDES:
            other = neighbour(name, side)
            if other is not None:
                assert side_points(name, side) == side_points(other, opposite(side))[::-1]
                assert len(set(corners(name)) & set(corners(other))) == 2
