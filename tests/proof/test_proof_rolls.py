"""A line of a roll log is read in one of two ways, by its bytes or by its JSON, and it is the same roll
either way.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from proof_simulator import Referee, friends, gm_seat, player

from pbem.core.dice import Roll
from pbem.proof.canonical import NotCanonical, decode, encode
from pbem.proof.dice_protocol import MAX_DICE, SeededDice
from pbem.proof.ledger import read_ledger
from pbem.proof.records import ROLL, roll
from pbem.proof.rolls import read_line, read_log, right_line
from pbem.proof.verify import verify

SEED = b"\x07" * 32
LABELS = (
    "t1.blue.melee/fight/gunter/1",
    "a",
    "9/._:@+-",
    "_a/b",
    "a//b",
    "a" * 120,
    "a" * 121,
    "x/" + "a" * 118,
    "x/" + "a" * 119,
)


def line(label: str, sides: int, count: int) -> bytes:
    return encode(roll(label, sides, SeededDice(SEED).values(label, sides, count)))


@pytest.mark.parametrize(("sides", "count"), [(6, 1), (2, 1), (2**32, 2), (10, 1000), (100, 12)])
def test_a_right_line_is_known_by_its_bytes(sides: int, count: int) -> None:
    made = line("t1.blue.melee/fight/gunter/1", sides, count)
    values = SeededDice(SEED).values("t1.blue.melee/fight/gunter/1", sides, count)
    assert right_line(made, SEED) == ("t1.blue.melee/fight/gunter/1", "t1.blue.melee", sides, values)
    other = SeededDice(b"\x08" * 32).values("t1.blue.melee/fight/gunter/1", sides, count)
    assert (right_line(made, b"\x08" * 32) is None) == (other != values)


@pytest.mark.parametrize("label", LABELS)
def test_names_are_the_same_both_ways(label: str) -> None:
    try:
        right = line(label, 6, 1)
    except ValueError:
        right = encode(roll(label, 6, (1,)))
        assert right_line(right, SEED) is None
    else:
        assert (right_line(right, SEED) is None) == ("/" not in label)


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
    assert right_line(text, SEED) is None
    assert MAX_DICE == 1000


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_what_is_known_by_its_bytes_is_canonical_and_means_the_same(data: st.DataObject) -> None:
    sides, count = data.draw(st.sampled_from([2, 6, 10, 100, 2**32])), data.draw(st.integers(1, 4))
    made = line("t1.blue.melee/a", sides, count)
    at = data.draw(st.integers(0, len(made)))
    changed = (
        made[:at]
        + data.draw(st.sampled_from([b"", b" ", b"0", b"1", b",1", b"]", b"\\u0061", b"\n", b"/", b"\r"]))
        + made[at:]
    )
    found = right_line(changed, SEED)
    if changed == made:
        assert found is not None
    if found is None:
        return
    record = decode(changed)
    assert ROLL.wrong(record, "roll") is None
    assert found == (record["l"], record["l"].partition("/")[0], record["s"], tuple(record["v"]))
    assert read_line(changed) == Roll(record["l"], record["s"], tuple(record["v"]))
    assert record["n"] == len(record["v"])
    with pytest.raises(NotCanonical):
        decode(changed[:-1])


def again(game: Referee, *labels: str) -> None:
    game.order("blue", x=True)
    game.lock()
    game.result([(label, 6, 1) for label in labels], phases=["a.x", "a.y"], following=("a.x", ["blue"]))


def begun() -> Referee:
    return Referee([player("blue"), gm_seat("red")], chains=["blue"]).open("a.x", ["blue"])


def rolled(game: Referee, cursor: str, before: int = 99) -> list[str]:
    return [one.label for one in read_ledger(game.archive).rolls_of(cursor, before)]


def test_rolls_of_a_cursor_are_those_of_the_line_of_play() -> None:
    game = begun()
    again(game, "a.x/1", "a.x/2", "a.y/1")
    again(game, "a.y/2")
    again(game, "a.x/3")
    assert (rolled(game, "a.x"), rolled(game, "a.y"), rolled(game, "a")) == (
        ["a.x/1", "a.x/2", "a.x/3"],
        ["a.y/1", "a.y/2"],
        [],
    )
    assert (rolled(game, "a.x", 3), rolled(game, "a.x", 1)) == (["a.x/1", "a.x/2"], [])
    game.undo(2, game.consents(["blue"], to=2))
    assert (rolled(game, "a.x"), rolled(game, "a.y")) == (["a.x/1", "a.x/2"], ["a.y/1"])
    assert rolled(game, "a.y", 3) == ["a.y/1", "a.y/2"]
    again(game, "a.x/3", "a.y/2")
    ledger = read_ledger(game.archive)
    assert ledger.findings == []
    assert [[one.label for one in slot.recorded] for slot in ledger.slots.values()] == [
        [],
        ["a.x/1", "a.x/2"],
        ["a.x/1", "a.x/2"],
        ["a.x/1", "a.x/2"],
    ]
    assert [one.label for one in ledger.recorded] == ["a.x/1", "a.x/2", "a.x/3"]
    assert [one.label for one in ledger.slots[4].rolls] == ["a.x/3", "a.y/2"]


@pytest.mark.parametrize(
    ("slots", "first"),
    [
        ([["a.x/1"], ["a.y/1"], ["a.x/1"]], "rolls/s0003.jsonl:1"),
        ([["a.x/1"], ["a.y/1"], ["a.x/2"], ["a.y/2"], ["a.y/1", "a.x/2"]], "rolls/s0005.jsonl:1"),
        ([["a.x/1", "a.x/2", "a.x/1"]], "rolls/s0001.jsonl:3"),
        ([["a.x/1"], ["a.x/2"], ["a.x/3", "a.x/1"]], "rolls/s0003.jsonl:2"),
    ],
)
def test_a_label_is_known_however_long_ago_it_was_rolled(slots: list[list[str]], first: str) -> None:
    game = begun()
    for labels in slots:
        again(game, *labels)
    assert (read_ledger(game.archive).findings[0].code, read_ledger(game.archive).findings[0].where) == (
        "E13",
        first,
    )


def test_what_was_taken_back_may_be_rolled_again_and_what_was_not_may_not() -> None:
    def game(*labels: str) -> list[str]:
        made = begun()
        again(made, "a.x/1")
        again(made, "a.x/2", "a.y/1")
        made.undo(2, made.consents(["blue"], to=2))
        again(made, *labels)
        return [found.code for found in read_ledger(made.archive).findings]

    assert (game("a.x/2", "a.y/1"), game("a.x/1"), game("a.x/2", "a.x/2")) == ([], ["E13"], ["E13"])


def test_a_log_is_read_to_the_first_line_that_is_no_record() -> None:
    good, other = encode(roll("a/1", 6, (9,))), encode({"l": "a/2", "n": 2, "s": 6, "v": [1]})
    assert read_log(good + other + good + b"x\n" + good) == (Roll("a/1", 6, (9,)),) * 2


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
