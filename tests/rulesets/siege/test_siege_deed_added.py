"""A kind of order that an amendment adds is known wherever orders are, and nothing else of the game is
another.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from digging import DIG, with_pits
from skirmish import RULES, Chance, battle, orders, play

from pbem.core.problem import Problem
from pbem.core.sheet import Offer
from pbem.geometry.hex import neighbours
from pbem.post.lines.keys import reader
from pbem.post.lines.message import PLAIN, Line, Message, Text
from pbem.post.orders import finding
from pbem.referee.game.order_form import shape_of_orders
from pbem.rulesets.siege.deeds import reading
from pbem.rulesets.siege.orders import grammar, longform
from pbem.rulesets.siege.state.deed import with_deeds
from pbem.rulesets.siege.state.events import Acted
from pbem.rulesets.siege.state.orders import Act
from pbem.store import library
from pbem.text import shape

PITS = with_pits(RULES)
DIGS = Act("dig", ("odo",), to=("0504",))
MEN = {
    "alric": ("east", "longbowman", "0205"),
    "odo": ("east", "peasant", "0404"),
    "gunter": ("west", "sergeant", "0505"),
}
PACKAGE = Path(grammar.__file__).parents[1]


def judged(phase: str, data: dict[str, Any]) -> list[Problem]:
    where = battle(MEN, phase)
    return list(PITS.interface.check(PITS, where, orders(where, data, rules=PITS), ()).problems)


def test_its_sentence_is_read_and_said() -> None:
    assert grammar.read(PITS, "move", "Odo digs in 0504.") == DIGS
    assert grammar.read(PITS, "move", "odo digs in 0504 and covers it") == Act(
        "dig", ("odo",), to=("0504",), over=True
    )
    assert grammar.say(PITS, DIGS) == PITS.interface.say(DIGS) == "odo digs in 0504"


def test_who_mistypes_it_is_told_how_it_is_written() -> None:
    problem = grammar.read(PITS, "move", "odo digs 0504")
    assert isinstance(problem, Problem)
    assert problem.help == "NAME digs in HEX [and covers it], for example: odo digs in 0712"
    elsewhere = grammar.read(PITS, "fight", "odo digs in 0504")
    assert isinstance(elsewhere, Problem)
    assert elsewhere.help == "put it under move:"


def test_it_is_written_as_keys_too() -> None:
    assert longform.sentence(PITS, {"who": "odo", "do": "dig", "hex": "0504"}) == "odo digs in 0504"
    assert (
        longform.sentence(PITS, {"who": "odo", "do": "dig", "hex": "0504", "covered": "true"})
        == "odo digs in 0504 and covers it"
    )
    problems = longform.sentence(PITS, {"who": "odo", "do": "dig"})
    assert [(problem.code, problem.args["key"]) for problem in problems if isinstance(problem, Problem)] == [
        ("orders.no-key", "hex")
    ]


def test_the_form_of_order_files_has_it() -> None:
    common = library.schema("orders")
    entry = {"seat": "east", "move": [{"who": "odo", "do": "dig", "hex": "0504", "covered": "true"}]}
    assert [(problem.code, problem.path[-1]) for problem in shape.load(common).check(entry)] == [
        ("schema.choice", "do"), ("schema.unknown-key", "hex"), ("schema.unknown-key", "covered"),
    ]  # fmt: skip
    assert shape_of_orders(PITS).check(entry) == []
    assert shape_of_orders(RULES).check(entry) != []


LETTERS = (
    ("side: east\nMove:\nodo digs in 0504\n\nCheers, Bob", b"side: east\nmove:\n- odo digs in 0504\n", ""),
    (
        "side: east\nmove:\n- odo to 0403\nodo digs in\n0504",
        b"side: east\nmove:\n- odo to 0403\n- odo digs in 0504\n",
        "",
    ),
    ("Hi,\nodo digs in 0504\n\nBob", b"", "mail.no-heading"),
    ("turn: t3\nodo digs in 0504 and covers it", b"", "mail.near-miss"),
)


@pytest.mark.parametrize(("body", "taken", "told"), LETTERS)
def test_in_a_letter_it_is_taken_or_asked_about(body: str, taken: bytes, told: str) -> None:
    lines = tuple(Line(line, number) for number, line in enumerate(body.split("\n"), 1))
    letter = Message(
        id="<1@example.org>", sender="bob@example.org", subject="Re: Alder Ford", texts=(Text(PLAIN, lines),)
    )
    found = finding.find(reader(PITS.vocabulary), letter)
    assert (found.data, [problem.code for problem in found.problems]) == (taken, [told] if told else [])


def test_its_verb_is_nobodys_name() -> None:
    assert "digs" in grammar.reserved(PITS) and "digs" not in grammar.reserved(RULES)


def test_it_is_carried_out_and_takes_the_place_of_everything_else() -> None:
    where = battle(MEN, "movement")
    after, events = play(
        where, {"east": (orders(where, {"move": ["odo digs in 0504"]}, rules=PITS),)}, Chance(1), PITS
    )
    assert Acted("odo", "dug") in events
    assert "dug" in after.units["odo"].did


def test_it_may_follow_a_move_and_nothing_else() -> None:
    where = battle(MEN, "movement")
    file, problems = reading.read_orders(PITS, where, "east", {"move": ["odo to 0403", "odo digs in 0503"]})
    assert file is not None and problems == []
    _, problems = reading.read_orders(PITS, where, "east", {"move": ["odo digs in 0503", "odo to 0403"]})
    assert [problem.code for problem in problems] == ["orders.twice"]


def test_it_is_refused_where_it_can_never_be_legal() -> None:
    assert [problem.code for problem in judged("movement", {"move": ["odo digs in 0801"]})] == ["digging.far"]
    assert [problem.code for problem in judged("movement", {"move": ["odo digs in 0505"]})] == [
        "digging.trodden"
    ]


def test_it_is_doubted_where_a_die_decides_whether_it_is_legal() -> None:
    assert [
        problem.code
        for problem in judged("first_missile", {"shoot": ["alric at gunter"], "move": ["odo digs in 0505"]})
    ] == ["doubt.barred"]


def test_it_is_listed_printed_and_clicked() -> None:
    where = battle(MEN, "movement")
    listed = [
        order
        for order in PITS.interface.legal(PITS, where, "east")
        if isinstance(order, Act) and order.do == "dig"
    ]
    assert [order.to for order in listed if order.who == ("odo",)] == [
        (hex_,) for hex_ in neighbours("0404") if hex_ != "0505"
    ]
    entry = next(entry for entry in PITS.interface.sheet(PITS, where, "east") if entry.unit == "odo")
    assert any("digs in" in choices.sentence for choices in entry.choices)
    assert PITS.interface.offers is not None
    offer = next(
        offer for offer in PITS.interface.offers(PITS, where, "east") if offer.sentence == "odo digs in 0504"
    )
    assert offer == Offer(("odo",), "odo digs in 0504", "digs", ("0504",), notes=("a pit in 0504",))


def test_it_is_forecast_in_words_and_drawn() -> None:
    where = battle(MEN, "movement")
    judgement = PITS.interface.check(
        PITS, where, orders(where, {"move": ["odo digs in 0504 and covers it"]}, rules=PITS), ()
    )
    assert PITS.interface.forecast(PITS, judgement.course) == [
        "odo  digs in 0504 and covers it  a pit in 0504 under branches"
    ]
    scene = PITS.interface.foreseen(PITS, judgement)
    assert [(trace.kind, trace.actors) for trace in scene.traces] == [("strike", ("odo",))]


def test_without_its_module_it_is_refused_and_listed_nowhere() -> None:
    without = with_deeds(RULES, DIG)
    where = battle(MEN, "movement")
    _, problems = reading.read_orders(without, where, "east", {"move": ["odo digs in 0504"]})
    assert [(problem.code, problem.args["needs"]) for problem in problems] == [
        ("orders.not-in-force", "the module pits")
    ]
    assert all(
        not (isinstance(order, Act) and order.do == "dig")
        for order in without.interface.legal(without, where, "east")
    )


def test_the_game_without_it_is_as_it_was() -> None:
    where = battle(MEN, "movement")
    assert isinstance(grammar.read(RULES, "move", "odo digs in 0504"), Problem)
    of_old = list(RULES.interface.legal(RULES, where, "east"))
    assert [
        order
        for order in PITS.interface.legal(PITS, where, "east")
        if not (isinstance(order, Act) and order.do == "dig")
    ] == of_old


@cache
def texts_of_files() -> dict[str, frozenset[str]]:
    """Return the string constants of each module of the rules."""
    return {
        str(path): frozenset(
            node.value
            for node in ast.walk(ast.parse(path.read_bytes()))
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        )
        for path in sorted(PACKAGE.rglob("*.py"))
    }


@pytest.mark.parametrize(
    "deed",
    ["topple", "pour", "mount", "dismount", "hitch", "unhitch", "step-over", "put-down", "pick-up", "raise"],
)
def test_a_deed_lives_in_three_files_at_most(deed: str) -> None:
    found = [path for path, texts in texts_of_files().items() if deed in texts]
    assert 1 <= len(found) <= 3, found
