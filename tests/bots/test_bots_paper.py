"""Order files on their way: what is struck out of them."""

from __future__ import annotations

from typing import Any

import pytest
from bot_boards import cry_havoc

from pbem.bots import paper


def test_sentences_are_struck_out_and_empty_sections_with_them() -> None:
    data: dict[str, Any] = {"shoot": ["a"], "move": ["b", "c", "d"], "standing": {"everyone": {}}}
    assert paper.without(data, frozenset({("shoot", 0), ("move", 1)})) == {
        "move": ["b", "d"],
        "standing": {"everyone": {}},
    }
    assert paper.without(data, frozenset()) == data


def test_only_legal_sentences_are_accepted() -> None:
    rules, state = cry_havoc("alder-ford", "t1.east.first_missile")
    data = {
        "move": ["aelfgar to 1207", "godric to 0101", "wynstan to 1107", "leofred to 1207"],
        "fight": ["godric attacks tudur"],
    }
    # Wynstan still stands in 1207 when Aelfgar's line is reached, and has left it before Leofred's.
    assert paper.refused(rules, state, "east", data) == {("move", 0), ("move", 1), ("fight", 0)}
    kept = paper.accepted(rules, state, "east", data)
    assert kept == {"move": ["wynstan to 1107", "leofred to 1207"]}
    assert paper.refused(rules, state, "east", kept) == frozenset()


def test_what_cannot_be_read_is_a_fault_of_the_bot() -> None:
    rules, state = cry_havoc("alder-ford", "t1.east.first_missile")
    with pytest.raises(AssertionError, match="cannot be read"):
        paper.read(rules, state, "east", {"move": ["aelfgar dances"]})
    with pytest.raises(AssertionError, match="not a sentence"):
        paper.refused(rules, state, "east", {"turn": "t9", "move": []})


def test_a_rehearsal_ends_in_the_next_phase_with_everybody_unhurt() -> None:
    rules, state = cry_havoc("alder-ford", "t1.east.first_missile")
    after = paper.rehearsed(rules, state, "east", {"shoot": [], "move": ["aelfgar to 1207"]})
    assert after.at.phase == "movement"
    after = paper.rehearsed(rules, after, "east", {"move": ["aelfgar to 1107"]})
    assert after.at.phase == "second_archery"
    assert after.units["aelfgar"].at == ("1107",)
    assert all(unit.state == "healthy" for unit in after.units.values())
