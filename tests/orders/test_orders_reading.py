"""An order file of a game of rooms, without hexes, is read by what every game shares: one method for each
thing that it alone knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.core.play import Choice, Question
from pbem.core.problem import Path, Problem
from pbem.core.sequence import Cursor
from pbem.orders import instructions
from pbem.orders.file import Condition, Gap, Item, Line, OrderFile, Stop, When, lines
from pbem.orders.normal_form import normal
from pbem.orders.reading import DEEPEST, MOST_CONDITIONS, Found, Frame, Reader
from pbem.orders.template import plain

GHOSTS = ("moan", "sigh", "creak")
ROOMS = ("attic", "cellar", "hall")


class Haunting(Reader):
    """``moan to attic``, and ``when: moan in hall``."""

    def orders(self, heading: str, said: str, path: Path) -> Sequence[tuple[str, ...]]:
        words = plain(said).split()
        if len(words) == 3 and words[1] == "to":
            return [tuple(words)]
        self.say("orders.sentence", path, sentence=said)
        return []

    def line(self, order: tuple[str, ...], path: Path, entry: Any) -> Item | None:
        self.note(self.wrong(order[0], order[2]), path, entry)
        return Line(order, path)

    def wrong(self, ghost: str, room: str) -> Iterator[Found]:
        if ghost not in GHOSTS:
            yield Problem("name.unknown", {"name": ghost}), ghost
        if room not in ROOMS:
            yield Problem("name.unknown", {"name": room}), room

    def say_order(self, order: tuple[str, ...]) -> str:
        return " ".join(order)

    def acting(self, order: tuple[str, ...]) -> tuple[str, ...]:
        return order[:1]

    def about(self, text: str) -> frozenset[str]:
        return frozenset(text.split()) & frozenset(GHOSTS)

    def named(self, order: tuple[str, ...]) -> frozenset[str]:
        return self.about(" ".join(order))

    def sentence(self, entry: Mapping[str, Any]) -> str | list[Problem]:
        return (
            f"{entry['who']} to {entry['room']}"
            if {"who", "room"} <= set(entry)
            else [Problem("orders.no-key", {"key": "room"})]
        )

    def condition_of(self, said: str) -> Condition | None:
        ghost, _, room = said.partition(" in ")
        return Condition(said, ((ghost, "in", room),)) if room else None


def read(data: Mapping[str, Any], seat: str = "anna", **more: Any) -> tuple[OrderFile, list[Problem]]:
    """Return the file of a seat in the dusk of night 3, and what is wrong with it."""
    frame = Frame(
        seat=seat,
        side="dead",
        sides={"dead": "The Departed", "living": "The Family"},
        at=Cursor("dusk", 3, "dead"),
        headings={"wake": "waking", "drift": "dusk", "haunt": "midnight"},
        phases=("waking", "dusk", "midnight"),
        ordering=("anna", "berta"),
        idle=("drifts",),
    )
    reader = Haunting(frame, data)
    return reader.file(more.get("questions")), reader.problems


def codes(data: Mapping[str, Any], **more: Any) -> list[tuple[str, Path]]:
    return [(problem.code, problem.path) for problem in read(data, **more)[1]]


def test_a_whole_file() -> None:
    file, problems = read(
        {
            "seat": "anna",
            "side": "dead",
            "turn": "t3",
            "drift": ["Moan to attic.", {"who": "sigh", "room": "hall"}],
            "haunt": [{"when": "moan in hall", "then": ["moan to cellar"], "otherwise": "stop"}],
            "luck": "owls",
        }
    )
    assert problems == []
    assert file.sections["dusk"] == (
        Line(("moan", "to", "attic"), ("drift", 0)),
        Line(("sigh", "to", "hall"), ("drift", 1)),
    )
    (when,) = file.sections["midnight"]
    assert isinstance(when, When) and when.condition == Condition("moan in hall", (("moan", "in", "hall"),))
    assert (when.then, when.otherwise) == (
        (Line(("moan", "to", "cellar"), ("haunt", 0, "then", 0)),),
        (Stop(("haunt", 0, "otherwise")),),
    )
    assert [line.order[0] for line in lines(file.sections["midnight"])] == ["moan"]
    assert (
        file.luck,
        file.covers(Cursor("midnight", 3, "dead")),
        file.covers(Cursor("waking", 3, "dead")),
    ) == ("owls", True, False)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"seat": "berta"}, [("orders.seat", ("seat",))]),
        ({"side": "living"}, [("orders.side", ("side",))]),
        ({"side": "The Departed"}, [("orders.side-name", ("side",))]),
        ({"turn": "t4"}, [("orders.turn", ("turn",))]),
        ({"turn": "soon"}, [("orders.turn-form", ("turn",))]),
        ({"turn": "t3.dead.haunt"}, []),
        ({"stop-after": "wake"}, [("orders.stop-after", ("stop-after",))]),
        ({"wake": ["moan to attic"]}, [("orders.too-late", ("wake",))]),
        ({"stop-after": "drift", "haunt": []}, [("orders.after-stop", ("haunt",))]),
        ({"drift": ["moan to attic", "moan to hall"]}, [("orders.twice", ("drift", 1))]),
        ({"drift": ["moan to moon"]}, [("name.unknown", ("drift", 0, 8))]),
        ({"drift": ["moan away"]}, [("orders.sentence", ("drift", 0))]),
        ({"drift": [{"who": "moan"}]}, [("orders.no-key", ("drift", 0))]),
        ({"drift": ["stop"]}, [("orders.stop", ("drift", 0))]),
        ({"drift": ["nobody drifts", "moan to attic"]}, [("orders.nobody-but", ("drift", 0))]),
        ({"drift": ["nobody drifts"]}, []),
        (
            {"drift": [{"when": "odd"}]},
            [("orders.no-key", ("drift", 0)), ("orders.condition", ("drift", 0, "when"))],
        ),
        ({"answers": {"q1": "z"}}, [("orders.answer", ("answers", "q1"))]),
        ({"answers": {"q2": "a"}}, [("orders.question", ("answers", "q2"))]),
        ({"dift": ["moan to attic"]}, [("schema.unknown-key", ("dift",))]),
    ],
)
def test_everything_wrong_is_told_where_it_stands(
    data: dict[str, Any], expected: list[tuple[str, Path]]
) -> None:
    rooms = (Choice("a", "attic"), Choice("b", "hall"))
    question = Question(
        id="q1",
        seat="anna",
        kind="one",
        about="room",
        unit="moan",
        rule="H1",
        choices=rooms,
        default="a",
        why="it creaks",
    )
    assert codes(data, questions=[question]) == expected


def test_who_is_not_asked_does_not_order() -> None:
    assert codes({"drift": ["moan to attic"]}, seat="carl") == [("orders.not-your-turn", ("drift",))]


def test_a_line_that_cannot_be_read_leaves_a_gap_with_whom_it_names() -> None:
    file, _ = read({"drift": ["moan away", "sigh to hall"], "dift": ["creak to attic"]})
    assert file.sections["dusk"] == (
        Gap(frozenset({"creak"}), ()),
        Gap(frozenset({"moan"}), ("drift", 0)),
        Line(("sigh", "to", "hall"), ("drift", 1)),
    )


def test_conditions_are_bounded() -> None:
    deep: Any = ["moan to attic"]
    for _ in range(DEEPEST + 1):
        deep = [{"when": "moan in hall", "then": deep}]
    assert "orders.too-deep" in [code for code, _ in codes({"drift": deep})]
    many = [{"when": "moan in hall", "then": ["moan to attic"]}] * (MOST_CONDITIONS + 5)
    assert [code for code, _ in codes({"drift": many})].count("orders.too-many") == 1


def test_its_normal_form_is_read_as_the_same_file() -> None:
    file, _ = read(
        {
            "drift": [
                {"when": "moan in hall", "then": ["moan to attic"], "otherwise": ["sigh to hall"]},
                "creak to cellar",
            ],
            "haunt": "nobody drifts",
            "stop-after": "haunt",
            "luck": "owls: two",
        }
    )
    written = normal({"wake": "waking", "drift": "dusk", "haunt": "midnight"}, " ".join, file)
    assert written[:4] == ["seat: anna", "turn: t3.dead", "stop-after: haunt", 'luck: "owls: two"']
    assert "- when: moan in hall" in written
    again, problems = read(yaml.safe_load("\n".join(written)))
    assert problems == []
    assert [line.order for line in lines(again.sections["dusk"])] == [
        line.order for line in lines(file.sections["dusk"])
    ]
    assert (again.stop_after, again.luck, again.sections["midnight"]) == ("midnight", "owls: two", ())


def test_instructions_are_kept_as_they_stand_and_told_about_where_they_are_wrong() -> None:
    everyone, ghosts, problems = instructions.read(
        {"everyone": {"hide": "Attic"}, "sigh": {"hide": "moon"}, "mo": {"hide": "hall"}, "moan": "attic"},
        who=lambda name: [] if name in GHOSTS else [Problem("name.unknown", {"name": name}, key=True)],
        plain=lambda key, value: str(value).lower(),
        wrong=lambda key, said: (
            [] if said in ROOMS else [Problem("orders.standing-value", {"key": key, "value": said})]
        ),
        example="everyone: {hide: attic}",
    )
    assert everyone == {"hide": "attic"}
    assert ghosts == ({"unit": "mo", "hide": "hall"}, {"unit": "sigh", "hide": "moon"})
    assert [(problem.code, problem.path) for problem in problems] == [
        ("orders.standing-value", ("sigh", "hide")),
        ("name.unknown", ("mo",)),
        ("orders.standing", ("moan",)),
    ]


KEYS = ("seat", "side", "turn", "wake", "drift", "haunt", "answers", "stop-after", "nobody", "luck", "y")
BRANCHES = ("when", "then", "otherwise", "who", "room", "x")
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(["moan to attic", "stop", "moan in hall"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(BRANCHES), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


@settings(max_examples=80, deadline=None)
@given(st.dictionaries(st.sampled_from(KEYS), VALUES))
def test_nothing_that_a_file_can_hold_makes_it_fall_over(data: dict[str, Any]) -> None:
    file, problems = read(data)
    assert file.seat == "anna"
    assert all(isinstance(problem, Problem) for problem in problems)
