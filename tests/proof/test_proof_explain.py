"""One die from its face back to the signed orders, also with the real openssl."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from proof_simulator import friends, friends_game, played_in, umpire_game

from pbem.proof.dice_protocol import die
from pbem.proof.explain import explain, explain_roll
from pbem.proof.known import CHAINS
from pbem.proof.ledger import read_ledger

V = json.loads((Path(__file__).parent / "vectors" / "pd1.json").read_text("utf-8"))
SEED = bytes.fromhex(V["seeds"][0]["seed"])
KEY = bytes.fromhex(V["function"]["key"])


def test_the_example_of_the_specification() -> None:
    told = explain(SEED, "t1.blue.melee/fight/gunter/1", 10)
    assert told.message == "pd1/die\nt1.blue.melee/fight/gunter/1\n10\n0\n0\n"
    assert told.printf == "printf 'pd1/die\\nt1.blue.melee/fight/gunter/1\\n10\\n0\\n0\\n'"
    assert told.digest.startswith("7a60e40a")
    assert (told.value, told.word, told.refused, told.i, told.sides) == (7, 0x7A60E40A, (), 0, 10)
    assert told.arithmetic == "0x7a60e40a = 2053170186 < 4294967290; 2053170186 mod 10 + 1 = 7"
    assert told.openssl == f"{told.printf} | openssl dgst -sha256 -mac HMAC -macopt hexkey:{SEED.hex()}"
    assert told.lines == (f"digest: {told.digest}", told.arithmetic, told.openssl)
    assert told.seed == SEED.hex()


@pytest.mark.parametrize(("i", "refused"), [(5, 0), (1, 1), (3, 3)])
def test_words_refused_are_shown(i: int, refused: int) -> None:
    told = explain(KEY, "reject", 2147483649, i)
    assert len(told.refused) == refused
    assert told.value == die(KEY, "reject", 2147483649, i)
    assert sum(text.startswith("refused: 0x") for text in told.lines) == refused


def test_openssl_says_the_same(need: Callable[[str], str]) -> None:
    need("openssl")
    told = explain(SEED, "t1.blue.melee/fight/gunter/1", 10)
    done = subprocess.run(["sh", "-c", told.openssl], capture_output=True, check=True, timeout=60, text=True)
    assert done.stdout.split()[-1] == told.digest


def test_a_roll_and_where_its_seed_comes_from() -> None:
    ledger = read_ledger(friends_game().archive)
    told = explain_roll(ledger, 2, "t1.red.melee/fight/hob/1")
    assert [one.value for one in told.dice] == list(told.roll.values)
    assert [one.i for one in told.dice] == [0, 1]
    slot = ledger.slots[2]
    assert slot.seed is not None
    assert told.dice[0].seed == slot.seed.hex()
    assert told.slot == 2
    assert told.origin == (
        f"seed of slot 2 = HMAC-SHA256 of the lines below, key {slot.previous_seed.hex()}",
        "  pd1/seed",
        "  siege-0a1b2c",
        "  2",
        f"  gm {slot.values['gm']}",
        f"  blue {slot.values['blue']}",
        "  beacon -",
        "the key is the seed of the newest slot with a result before it; the GM's value was fixed by the "
        "root in the manifest",
        f"blue: a value fixed before, given after lock {slot.lock_id}, in seats/blue/go-s0002.json",
    )


def test_early_values_and_words() -> None:
    ledger = read_ledger(friends_game().archive)
    first = explain_roll(ledger, 1, "t1.blue.melee/fight/gunter/1").origin
    sha512 = ledger.slots[1].entries["blue"].sha512
    assert first[-2].startswith("the key is the salt;")
    assert (
        first[-1]
        == f"blue: a value fixed before, in seats/blue/orders-s0001.txt, SHA-512 in the lock {sha512}"
    )
    with played_in(CHAINS):
        ledger = read_ledger(friends_game().archive)
    third = explain_roll(ledger, 3, "t1.red.melee/fight/hob/2").origin
    assert third[-1].startswith("blue: luck words “seven drunken herons”, in seats/blue/orders-s0003.txt,")


def test_seats_that_gave_nothing_or_have_no_key() -> None:
    ledger = read_ledger(umpire_game().archive)
    second = explain_roll(ledger, 2, "t1.green.melee/a").origin
    assert "  blue -" in second
    assert not any(text.startswith("blue:") for text in second)
    third = explain_roll(ledger, 3, "t2.blue.melee/a").origin
    assert third[-1].endswith("in the result (the seat has no key)")


@pytest.mark.parametrize(
    ("slot", "label", "reason"),
    [(9, "a", "slot 9 has no result"), (1, "a", "rolls/s0001.jsonl has no roll a")],
)
def test_rolls_that_are_not_there(slot: int, label: str, reason: str) -> None:
    with pytest.raises(KeyError, match=reason):
        explain_roll(read_ledger(friends_game().archive), slot, label)


def test_a_locked_slot_has_no_rolls() -> None:
    game = friends()
    game.order("blue", x=True)
    game.lock()
    with pytest.raises(KeyError, match="slot 1 has no result"):
        explain_roll(read_ledger(game.archive), 1, "a")
