"""Who decides a choice, and which branch of a file is carried out, in a game of rooms."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.core.dice import NoDice
from pbem.core.play import Answer, Play, Stopped
from pbem.core.sequence import Cursor
from pbem.orders.carry_out import carry_out, has_ended, source
from pbem.orders.choices import Matter, pick, pick_some
from pbem.orders.file import UNKNOWN, Gap, Line, OrderFile, Stop, When

ROOMS = ("attic", "cellar", "hall")


def night(*answers: Answer) -> Play[int]:
    return Play(
        0,
        "t3.dead.dusk",
        lambda state, event: state,
        NoDice(),
        {f"q{n}": answer for n, answer in enumerate(answers, 1)},
    )


def matter(said: str = "", asks: bool = False) -> Matter:
    return Matter(
        "anna", "room", "moan", "H1", "it creaks", said, asks, lambda: "asked", lambda value, by: (value, by)
    )


def first(said: str) -> str:
    return said.split()[0]


@pytest.mark.parametrize(
    ("said", "answers", "told"),
    [
        ("hall", (), [("hall", "standing")]),
        ("moon", (), [("attic", "default")]),
        ("", (), [("attic", "default")]),
        ("ask", (Answer("b", "answer"),), ["asked", ("cellar", "answer")]),
        ("ask", (Answer("hall", "answer"),), ["asked", ("hall", "answer")]),
        ("ask", (Answer("moon", "answer"),), ["asked", ("attic", "default")]),
    ],
)
def test_an_instruction_goes_before_the_default_and_an_answer_before_both(
    said: str, answers: tuple[Answer, ...], told: list[Any]
) -> None:
    play = night(*answers)
    chosen = pick(play, matter(said, said == "ask"), choices=ROOMS, default="attic", wanted=first)
    assert list(play.events) == told
    assert chosen == told[-1][0]


def test_one_choice_is_none() -> None:
    play = night()
    assert pick(play, matter("ask", True), choices=("hall",), default="hall", wanted=first) == "hall"
    assert pick_some(play, matter("ask", True), choices=ROOMS[:2], least=2, most=2, wanted=str.split) == [
        "attic",
        "cellar",
    ]
    assert not play.events


def test_without_an_answer_the_phase_stops() -> None:
    with pytest.raises(Stopped):
        pick(night(), matter("ask", True), choices=ROOMS, default="attic", wanted=first)


def test_of_several_the_named_ones_come_first_and_the_rest_is_filled_up() -> None:
    play = night()
    assert pick_some(play, matter("hall moon"), choices=ROOMS, least=2, most=2, wanted=str.split) == [
        "hall",
        "attic",
    ]
    assert list(play.events) == [("hall, attic", "standing")]


def test_of_a_file_that_branch_is_carried_out_that_holds_until_it_ends() -> None:
    def line(number: int) -> Line:
        return Line(number, ("drift", number))

    then = When(UNKNOWN, (line(2), Stop(("drift", 1, "then", 1))), (line(3),), ("drift", 1))
    done: list[Any] = []
    for holds in (True, False):
        ended = not carry_out(
            (line(1), Gap(frozenset(), ()), then, line(4)),
            line=lambda one: done.append(one.order),
            holds=lambda item, holds=holds: holds,  # type: ignore[misc]
            end=lambda stop: done.append(source(stop.path)),
        )
        assert ended is holds
    assert done == [1, 2, "drift/1/then/1", 1, 3, 4]


def test_a_file_that_has_ended_says_nothing_in_later_phases_of_its_turn() -> None:
    file = OrderFile("anna", "dead", Cursor("dusk", 3, "dead"), phases=("waking", "dusk", "midnight"))
    assert has_ended(file, Cursor("dusk", 3, "dead")) and has_ended(file, Cursor("midnight", 3, "dead"))
    assert not any(
        has_ended(file, at) for at in (None, Cursor("dusk", 2, "dead"), Cursor("waking", 3, "dead"))
    )
