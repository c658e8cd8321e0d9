"""What is understood of players' sentences: the vectors of ``asking.yaml``, and what holds of all of them."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pbem.club.reading import minutes
from pbem.post.orders.asking import (
    DRAW,
    LEAVE,
    RESIGN,
    TIME,
    Request,
    said_agreed,
    said_amount,
    said_no,
    said_yes,
    understood,
)

TODAY = date(2026, 11, 28)
CASES: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "asking.yaml").read_text("utf-8"))


def wanted(case: dict[str, Any]) -> tuple[Request, ...]:
    found = []
    if "leave" in case:
        found.append(Request(LEAVE, *case["leave"]))
    if "time" in case:
        found.append(Request(TIME, minutes=0 if case["time"] == "some" else minutes(case["time"])))
    found += [Request(kind) for kind in (DRAW, RESIGN) if kind in case]
    return tuple(found)


@pytest.mark.parametrize("case", CASES, ids=[case["said"] or "nothing" for case in CASES])
def test_a_sentence(case: dict[str, Any]) -> None:
    assert understood(case["said"], TODAY) == wanted(case)


def test_there_are_enough_sentences_of_each_kind() -> None:
    assert len(CASES) >= 60 and sum("nothing" in case for case in CASES) >= 30
    assert all(sum(kind in case for case in CASES) >= 5 for kind in (LEAVE, TIME, DRAW, RESIGN))


@pytest.mark.parametrize(
    "case", [case for case in CASES if "nothing" not in case], ids=lambda case: case["said"]
)
@pytest.mark.parametrize(
    "spoilt",
    [
        "> {}",
        "Ann wrote: {}",
        '"{}"',
        "I do not think that {}",
        "If she asks: {}",
        "{} said nobody",
        "Ich glaube nicht, dass {}",
        "Wenn sie fragt: {}",
        "{} sagte niemand",
    ],
)
def test_what_somebody_else_says_or_doubts_is_no_request(case: dict[str, Any], spoilt: str) -> None:
    first = case["said"].split("\n")[0]
    if "\n" not in case["said"]:
        assert understood(spoilt.format(first.rstrip(".!?")), TODAY) == ()


def test_a_letter_as_long_as_a_book_asks_for_nothing() -> None:
    assert understood("I need another day.\n" + "Well played! " * 1_000, TODAY)
    assert understood("I need another day.\n" + "Well played! " * 2_000, TODAY) == ()


@given(st.text(max_size=300))
def test_any_text_is_read_and_nobody_resigns_by_chance(text: str) -> None:
    assert {one.kind for one in understood(text, TODAY)} <= {TIME, LEAVE}


@given(st.dates(date(2020, 1, 1), date(2040, 12, 31)), st.integers(1, 6), st.integers(0, 20))
def test_leave_never_lies_behind_and_ends_after_it_begins(today: date, ahead: int, long: int) -> None:
    first = today + timedelta(ahead)
    (found,) = understood(f"I am away from {first:%A} to {first + timedelta(long):%Y-%m-%d}", today)
    assert (found.first, found.last) == (first, first + timedelta(long))


@pytest.mark.parametrize(
    ("words", "yes", "no"),
    [
        ("yes", True, False),
        ("Yes!\nHave fun.", True, False),
        ("granted", True, False),
        ("no", False, True),
        ("No, sorry.\nWe are in a hurry.", False, True),
        ("yes, but only two days", False, False),
        ("no problem, yes", False, False),
        ("yes and no", False, False),
        ("", False, False),
        ("I think so", False, False),
        ("\n\n  YES  \n", True, False),
        ("Ja", True, False),
        ("ja, gerne!\nViel Spaß.", True, False),
        ("genehmigt", True, False),
        ("Nein", False, True),
        ("Nein, leider.\nWir haben es eilig.", False, True),
        ("Ich bin nicht einverstanden", False, True),
        ("ja, aber nur zwei Tage", False, False),
        ("ja und nein", False, False),
        ("jein", False, False),
        ("Januar", False, False),
    ],
)
def test_one_word(words: str, yes: bool, no: bool) -> None:
    assert (said_yes(words), said_no(words)) == (yes, no)


@pytest.mark.parametrize(
    ("words", "agreed"),
    [
        ("I agree to the undo", True),
        ("Ich bin einverstanden", True),
        ("Ich stimme der Zurücknahme zu.", True),
        ("Einverstanden!", True),
        ("Ich bin nicht einverstanden", False),
        ("Ich stimme nicht zu", False),
        ("Bist du einverstanden?", False),
    ],
)
def test_who_agrees_says_so_and_nothing_else(words: str, agreed: bool) -> None:
    assert said_agreed(words) == agreed


def test_the_umpire_names_a_length_in_either_language() -> None:
    assert said_amount("2 days") == said_amount("zwei Tage") == said_amount("Ja, 2 Tage.") == 2 * 1440
    assert said_amount("einen Tag") == 1440 and said_amount("zwei Tage, mehr nicht") == 0
