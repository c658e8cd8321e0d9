"""What is written into a game for ever is written in letters that every program knows; what was written
before is read as it is.
"""

from __future__ import annotations

import pytest
from table import Table, pull

from pbem.core.problem import Problem
from pbem.proof.relied import note
from pbem.referee.game.intake import words_problem
from pbem.referee.game.refusal import Refused
from pbem.referee.game.sealing import written
from pbem.referee.turn.admit import admit_words
from pbem.store.library import common_words

NEW = "\U0001fae0"
"""A face of Unicode 14: telephones have it, old programs do not."""


def test_words_of_luck_with_a_letter_that_is_too_new_are_asked_for_again(table: Table) -> None:
    table.started(keyed=(), umpire=True)
    seat = table.open().ledger.outside[0]
    wrong = words_problem(table.open(), seat, f"seven melting {NEW} owls")
    assert wrong is not None
    assert (
        common_words().problem(wrong.code, wrong.args)
        == f"please leave out {NEW} (U+1FAE0): it is newer than the letters that every program knows"
    )
    assert words_problem(table.open(), seat, "seven 🦉 owls") is None


def test_words_nobody_can_see_or_put_in_order_are_asked_for_again(table: Table) -> None:
    table.started(keyed=(), umpire=True)
    seat = table.open().ledger.outside[0]
    for typed in ("seven \u202e owls", "seven e" + "\u0301\u0316" * 30_000):
        assert words_problem(table.open(), seat, typed) == Problem("luck.letters")


@pytest.mark.parametrize(("words", "code"), [(f"yes {NEW}", "record.too-new"), ("yes\x07", "record.text")])
def test_a_join_with_such_letters_is_refused_and_nothing_is_written(
    table: Table, words: str, code: str
) -> None:
    table.new(keyed=())
    with pytest.raises(Refused) as refused:
        admit_words(table.env, table.game, table.open().ledger.outside[0], words)
    assert [problem.code for problem in refused.value.problems] == [code]
    assert not list((table.game / "seats").glob("*/join.json"))


def test_a_reason_with_such_a_letter_is_refused() -> None:
    with pytest.raises(Refused, match=r"record\.too-new"):
        written({"type": "undo", "why": [f"because {NEW}"]})


def test_what_was_relied_on_is_noted_whatever_letters_it_has() -> None:
    assert note({"east": f"a{NEW}b\u202ec"}) == "relied on for east: a?b?c"
    assert note({"east": "e\u0301"}) == "relied on for east: \xe9"
    crowded = note({"east": "e" + "\u0301" * 40})
    assert crowded is not None
    assert crowded.isascii()


def test_such_a_letter_in_a_note_of_orders_is_no_matter(table: Table) -> None:
    table.started(keyed=(), umpire=True)
    (seat,) = table.open().announced()["waits"]
    table.orders(seat, pull(seat) + f"note: I melt {NEW}\nluck: some words of {seat}\n")
    table.resolve()
    assert table.open().ledger.state_slot == 1
