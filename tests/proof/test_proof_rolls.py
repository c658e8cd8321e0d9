"""A line of a roll log is read in one of two ways, by its bytes or by its JSON, and it is the same roll either way."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from proof_simulator import friends

from pbem.core.dice import Roll
from pbem.proof import resulting
from pbem.proof.canonical import NotCanonical, decode, encode
from pbem.proof.dice_protocol import MAX_DICE, SeededDice
from pbem.proof.ledger import read_ledger
from pbem.proof.records import ROLL, roll
from pbem.proof.verify import verify

SEED = b"\x07" * 32
LABELS = ("t1.blue.melee/fight/gunter/1", "a", "9/._:@+-", "_a/b", "a//b", "a" * 120, "a" * 121, "x/" + "a" * 118, "x/" + "a" * 119)


def line(label: str, sides: int, count: int) -> bytes:
    return encode(roll(label, sides, SeededDice(SEED).values(label, sides, count)))


@pytest.mark.parametrize(("sides", "count"), [(6, 1), (2, 1), (2**32, 2), (10, 1000), (100, 12)])
def test_a_right_line_is_known_by_its_bytes(sides: int, count: int) -> None:
    made = line("t1.blue.melee/fight/gunter/1", sides, count)
    values = SeededDice(SEED).values("t1.blue.melee/fight/gunter/1", sides, count)
    assert resulting._right_roll(made, SEED) == Roll("t1.blue.melee/fight/gunter/1", sides, values)
    other = SeededDice(b"\x08" * 32).values("t1.blue.melee/fight/gunter/1", sides, count)
    assert (resulting._right_roll(made, b"\x08" * 32) is None) == (other != values)


@pytest.mark.parametrize("label", LABELS)
def test_names_are_the_same_both_ways(label: str) -> None:
    try:
        right = line(label, 6, 1)
    except ValueError:
        right = encode(roll(label, 6, (1,)))
        assert resulting._right_roll(right, SEED) is None
    else:
        assert (resulting._right_roll(right, SEED) is None) == ("/" not in label)


@pytest.mark.parametrize(
    "text",
    [
        b'{"l":"a","n":1001,"s":6,"v":[1]}\n',
        b'{"l":"a","n":1,"s":1,"v":[1]}\n',
        b'{"l":"a","n":1,"s":4294967297,"v":[1]}\n',
        b'{"l":"a","n":0,"s":6,"v":[]}\n',
        b'{"l":"a","n":01,"s":6,"v":[1]}\n',
        b"",
        b"\n",
    ],
)
def test_numbers_out_of_range(text: bytes) -> None:
    assert resulting._right_roll(text, SEED) is None
    assert MAX_DICE == 1000


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_what_is_known_by_its_bytes_is_canonical_and_means_the_same(data: st.DataObject) -> None:
    sides, count = data.draw(st.sampled_from([2, 6, 10, 100, 2**32])), data.draw(st.integers(1, 4))
    made = line("t1.blue.melee/a", sides, count)
    at = data.draw(st.integers(0, len(made)))
    changed = made[:at] + data.draw(st.sampled_from([b"", b" ", b"0", b"1", b",1", b"]", b"\\u0061", b"\n", b"/", b"\r"])) + made[at:]
    found = resulting._right_roll(changed, SEED)
    if changed == made:
        assert found is not None
    if found is None:
        return
    record = decode(changed)
    assert ROLL.wrong(record, "roll") is None
    assert found == Roll(record["l"], record["s"], tuple(record["v"]))
    assert record["n"] == len(record["v"])
    with pytest.raises(NotCanonical):
        decode(changed[:-1])


def test_rolls_by_cursor_follow_what_is_taken_back() -> None:
    game = friends()
    game.order("blue", x=True)
    game.lock()
    game.result([("t1.blue.melee/a", 6, 1), ("t1.blue.melee/b", 6, 1)], following=("t1.blue.melee", ["blue"]))
    ledger = read_ledger(game.archive)
    assert [one.label for one in ledger.rolls_of("t1.blue.melee")] == ["t1.blue.melee/a", "t1.blue.melee/b"]
    assert ledger.rolls_of("t1.blue") == ()
    first = ledger.line["t1.blue.melee/a"]
    ledger.enter(Roll("t1.blue.melee/a", 6, (first.values[0] % 6 + 1,)))
    assert ledger.line["t1.blue.melee/a"] is first
    ledger.take_back(first)
    ledger.take_back(Roll("t9.x/a", 6, (1,)))
    assert [one.label for one in ledger.rolls_of("t1.blue.melee")] == ["t1.blue.melee/b"]
    assert sorted(ledger.line) == ["t1.blue.melee/b"]


def test_a_line_that_is_not_what_the_seed_gives_is_still_read() -> None:
    game = friends()
    game.order("blue", x=True)
    game.lock()
    game.result([("t1.blue.melee/a", 6, 1)], log=lambda lines: lines[0].update(v=[lines[0]["v"][0] % 6 + 1]))
    (failure,) = verify(game.archive, replay=None).failures
    assert (failure.code, failure.where) == ("E12", "rolls/s0001.jsonl:1")
    assert failure.message.startswith("t1.blue.melee/a shows [")


def test_a_roll_with_a_wrong_face_is_still_one_of_the_game() -> None:
    game = friends()
    game.order("blue", x=True)
    game.lock()

    def tampered(lines: list[dict[str, object]]) -> None:
        values = lines[0]["v"]
        assert isinstance(values, list)
        wrong = {**lines[0], "v": [values[0] % 6 + 1]}
        lines[:] = [wrong, wrong]

    game.result([("t1.blue.melee/a", 6, 1)], log=tampered)
    verdict = verify(game.archive, replay=None)
    assert [(failure.code, failure.where) for failure in verdict.failures] == [
        ("E12", "rolls/s0001.jsonl:1"),
        ("E13", "rolls/s0001.jsonl:2"),
        ("E12", "rolls/s0001.jsonl:2"),
    ]
    assert verdict.dice == 2
