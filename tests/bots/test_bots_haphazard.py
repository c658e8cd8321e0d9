"""The bot ``random``: legal whatever it does, fair to every kind of sentence, and at home in any ruleset."""

from __future__ import annotations

from collections import Counter

import pytest
from bot_boards import begun, chance, cry_havoc, rope
from msgspec import Struct
from toy_ruleset import TOY

from pbem.bots import haphazard, paper
from pbem.bots.chance import SeedDice
from pbem.bots.game import game
from pbem.core.play import Choice, Question
from pbem.rulesets.siege.state.orders import Act, Attack, Move, Shoot


@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_every_sentence_is_legal_and_nobody_has_two(seed: str) -> None:
    rules, state = cry_havoc("alder-ford", "t1.east.first_missile")
    data = haphazard.orders(rules, state, "east", chance(seed))
    assert set(data) <= {"shoot", "move", "shoot-again", "fight"}
    assert data["move"]
    assert paper.refused(rules, state, "east", data) == frozenset()
    for sentences in data.values():
        names = [sentence.split()[0] for sentence in sentences]
        assert len(set(names)) == len(names)


def test_the_same_chance_writes_the_same_file() -> None:
    rules, state = cry_havoc("alder-ford", "t1.east.first_missile")
    one, other, third = (haphazard.orders(rules, state, "east", chance(seed)) for seed in "aab")
    assert one == other != third


def test_the_setup_places_everybody_it_was_drawn_for() -> None:
    rules, state, _ = begun("alder-ford")
    data = haphazard.orders(rules, state, "west", chance())
    assert list(data) == ["setup"]
    places = [sentence.split()[2] for sentence in data["setup"]]
    assert len(set(places)) == len(places) > 4


def test_a_figure_goes_or_stays_by_its_kinds() -> None:
    kinds: dict[str, list[object]] = {
        "Move": [Move("odo", ("0101",)), Move("odo", ("0102",)), Move("odo", ("0103",))],
        "Act mount": [Act("mount", ("odo",))],
    }
    drawn = Counter(
        type(order).__name__
        for order in (haphazard._draw(kinds, here) for here in [chance()] for _ in range(1200))
    )
    # Half of the draws know no staying: 1/2 * 1/2 + 1/2 * 1/3 for each kind, 1/2 * 1/3 for staying.
    assert abs(drawn["Move"] - 500) < 60
    assert abs(drawn["Act"] - 500) < 60
    assert abs(drawn["NoneType"] - 200) < 60


def test_a_joint_order_is_one_order_of_all_it_names() -> None:
    legal = [
        Attack(("hob", "odo"), ("gunter",)),
        Attack(("odo",), ("gunter",)),
        Act("stay", ("odo",)),
        Act("resign"),
        Shoot("wat", ("x",)),
    ]
    found = haphazard.by_figure(legal)
    assert {figure: list(kinds) for figure, kinds in found.items()} == {
        "hob": ["Attack"],
        "odo": ["Attack"],
        "wat": ["Shoot"],
    }
    chosen = list(haphazard._one_each({"hob": legal[0], "odo": legal[1], "wat": legal[4], "x": None}))
    assert chosen == [legal[0], legal[4]]


def test_off_the_map_is_one_more_place_to_go_to() -> None:
    assert (
        haphazard.kind_of(Act("leave", ("odo",), by=("0101",)))
        == haphazard.kind_of(Move("odo", ("0102",)))
        == "Move"
    )
    assert haphazard.kind_of(Act("mount", ("odo",))) == "Act mount"

    class Unknown(Struct):
        who: str = "odo"

    assert haphazard.kind_of(Unknown()) == "Unknown"


def question(kind: str, least: int = 0) -> Question:
    choices = tuple(
        Choice(letter, value) for letter, value in zip("abc", ("0101", "0102", "0103"), strict=True)
    )
    return Question("q1", "east", kind, "retreat", "odo", "", choices, "0101", "", min=least)


def test_answers_are_among_the_choices() -> None:
    here = chance()
    answers = Counter(haphazard.answer(TOY, None, question("one"), here) for _ in range(90))
    assert set(answers) == {"0101", "0102", "0103"}
    assert min(answers.values()) > 15
    some = {haphazard.answer(TOY, None, question("some", 2), here) for _ in range(30)}
    assert all(len(set(answer.split(", "))) == 2 for answer in some)
    assert haphazard.answer(TOY, None, question("some"), here) in ("0101", "0102", "0103")


def test_any_ruleset_will_do() -> None:
    done = game(TOY, rope(), {"north": haphazard.BOT, "south": haphazard.BOT}, SeedDice("x"), "y")
    assert done.state.winner in ("north", "south", "draw")
    assert done.turns
