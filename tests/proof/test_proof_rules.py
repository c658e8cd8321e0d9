"""Who gives a value when, and who is asked to go (rules R3, R9, R10)."""

from __future__ import annotations

import pytest

from pbem.proof.rules import Entry, Seat, goes_needed, is_fresh, outside_seats, value_kind


def seat(name: str, by: str = "player", always: bool = False) -> Seat:
    return Seat(name, name, by, None, None, always)


SEATS = {found.name: found for found in (seat("red", "gm"), seat("green"), seat("blue"))}
FILE = "ab" * 64


def entries(**x: str) -> dict[str, Entry]:
    """``early`` and ``file`` have a file; every other seat has nothing."""
    made = {name: Entry("none") for name in SEATS}
    for name, what in x.items():
        made[name] = Entry("none" if what == "file" else what, None if what == "go" else FILE)
    return made


def test_outside_seats_are_sorted() -> None:
    assert outside_seats(SEATS) == ("blue", "green")


@pytest.mark.parametrize(
    ("waits", "kind"),
    [
        ((), "early"),
        (("blue",), "early"),
        (("blue", "green"), "early"),
        (("red",), "go"),
        (("blue", "red"), "go"),
    ],
)
def test_value_kind(waits: tuple[str, ...], kind: str) -> None:
    assert value_kind(waits, SEATS) == kind


@pytest.mark.parametrize(
    ("given", "fresh"),
    [
        ({}, False),
        ({"blue": "file"}, False),
        ({"blue": "early"}, True),
        ({"blue": "early", "red": "file"}, False),
        ({"blue": "go", "red": "file"}, True),
        ({"blue": "go"}, True),
        ({"red": "go"}, False),
        ({"red": "early"}, False),
    ],
)
def test_fresh_values(given: dict[str, str], fresh: bool) -> None:
    assert is_fresh(SEATS, entries(**given)) is fresh


@pytest.mark.parametrize(
    ("waits", "given", "asked"),
    [
        (("blue",), {"blue": "early"}, ()),
        (("blue",), {"blue": "file"}, ("blue", "green")),
        (("blue",), {}, ("green",)),
        (("blue", "green"), {}, ("blue", "green")),
        (("blue", "green"), {"green": "file"}, ("green",)),
        (("red",), {"red": "file"}, ("blue", "green")),
        (("red", "blue"), {"red": "file"}, ("green",)),
        (("red",), {"red": "file", "blue": "early"}, ("blue", "green")),
        (("red",), {"red": "file", "blue": "go"}, ("blue", "green")),
    ],
)
def test_goes_needed(waits: tuple[str, ...], given: dict[str, str], asked: tuple[str, ...]) -> None:
    assert goes_needed(SEATS, "joint", waits, entries(**given), True) == asked
    assert goes_needed(SEATS, "joint", waits, entries(**given), False) == ()
    assert goes_needed(SEATS, "gm", waits, entries(**given), True) == ()


@pytest.mark.parametrize(
    ("waits", "given", "asked"),
    [
        (("blue",), {"blue": "early"}, ("green",)),
        (("green",), {"green": "early"}, ()),
        (("green",), {"green": "early", "red": "file"}, ("blue", "green")),
        (("blue",), {}, ("green",)),
        (("green",), {}, ("green",)),
        (("red",), {"red": "file"}, ("green",)),
    ],
)
def test_a_seat_that_always_goes(
    waits: tuple[str, ...], given: dict[str, str], asked: tuple[str, ...]
) -> None:
    seats = {**SEATS, "green": seat("green", always=True)}
    assert goes_needed(seats, "joint", waits, entries(**given), True) == asked
