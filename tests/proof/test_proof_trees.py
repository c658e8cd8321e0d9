"""Trees of commitments: every vector of pd1.1.json, whatever slots are given in whatever rising order, and
what is no value.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.proof import dice_protocol as dp
from pbem.proof.known import ChainKnown, TreeKnown, Value
from pbem.proof.orderfile import BadOrderFile, parse
from pbem.proof.trees import DEPTH, LEAVES, Tree, path_length

V: dict[str, Any] = json.loads((Path(__file__).parent / "vectors" / "pd1.1.json").read_text("utf-8"))
GAME: str = V["game"]


def tree(who: str) -> Tree:
    return Tree(bytes.fromhex(V["trees"][who]["secret"]), GAME, who)


def after(who: str, slots: list[int]) -> TreeKnown:
    """Return what is known when the values of some slots were given, one after the other."""
    known, last = TreeKnown(V["trees"][who]["root"]), None
    for slot in slots:
        more = known.accept(GAME, who, slot, Value(tree(who).value(slot), tree(who).path(slot, last)))
        assert more is not None
        known, last = more, slot
    return known


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


# vectors


def test_a_tree_is_what_its_few_lines_say() -> None:
    want = V["trees"]["blue"]
    xs = [
        hmac.digest(bytes.fromhex(want["secret"]), f"pd1/value\n{GAME}\nblue\n{s}\n".encode(), "sha256").hex()
        for s in range(LEAVES)
    ]
    nodes = [sha256(f"pd1/leaf\n{GAME}\nblue\n{s}\n{x}\n") for s, x in enumerate(xs)]
    for entry in want["given"]:
        assert (entry["x"], entry["leaf"]) == (xs[entry["slot"]], nodes[entry["slot"]])
    while len(nodes) > 1:
        nodes = [sha256(f"pd1/node\n{nodes[at]}\n{nodes[at + 1]}\n") for at in range(0, len(nodes), 2)]
    assert nodes == [want["root"]] == [tree("blue").root]
    assert (V["depth"], V["leaves"]) == (DEPTH, LEAVES)


@pytest.mark.parametrize("who", sorted(V["trees"]))
def test_values_and_their_paths(who: str) -> None:
    known: TreeKnown | None = TreeKnown(V["trees"][who]["root"])
    last = None
    for entry in V["trees"][who]["given"]:
        value = Value(tree(who).value(entry["slot"]), tree(who).path(entry["slot"], last))
        assert (value.x, list(value.path), len(value.path)) == (entry["x"], entry["path"], entry["b"])
        assert known is not None
        known, last = known.accept(GAME, who, entry["slot"], value), entry["slot"]
        assert known is not None and known.last == last


@pytest.mark.parametrize("want", V["refused"], ids=lambda want: want["what"])
def test_what_is_refused(want: dict[str, Any]) -> None:
    known = after(want["who"], want["before"])
    assert known.accept(GAME, want["who"], want["slot"], Value(want["x"], tuple(want["path"]))) is None


def test_seeds_and_dice_of_a_game_with_trees() -> None:
    assert (
        dp.salt(GAME, V["salt"]["manifest"], V["salt"]["joins"]).hex()
        == V["salt"]["salt"]
        == V["seeds"][0]["key"]
    )
    for want in V["seeds"]:
        values = dict(want["values"])
        assert (
            dp.seed(bytes.fromhex(want["key"]), GAME, want["slot"], values.pop("gm"), values).hex()
            == want["seed"]
        )
    for want in V["dice"]:
        assert (
            list(dp.SeededDice(bytes.fromhex(want["seed"])).values(want["label"], want["sides"], want["n"]))
            == want["values"]
        )


def test_order_files_with_a_path() -> None:
    want = V["orders"]
    read = parse(want["file"].encode())
    assert (read.value, read.sha512) == (Value(want["x"], tuple(want["path"])), want["sha512"])
    for text in V["orders_refused"]:
        with pytest.raises(BadOrderFile):
            parse(text.encode())


# rising slots


rising = st.lists(st.integers(1, 10_000), min_size=1, max_size=12, unique=True).map(sorted)


@settings(max_examples=60, deadline=None)
@given(rising)
def test_a_few_hashes_are_enough_whatever_slots_are_given(slots: list[int]) -> None:
    known = after("gm", slots)
    assert len(known.right) == DEPTH
    assert known.last == slots[-1]


@settings(max_examples=60, deadline=None)
@given(rising, st.data())
def test_no_hash_can_be_another_and_none_be_left_out_or_added(slots: list[int], data: st.DataObject) -> None:
    *before, slot = slots
    known = after("red", before)
    x, path = tree("red").value(slot), list(tree("red").path(slot, before[-1] if before else None))
    assert known.accept(GAME, "red", slot, Value(x, (*path, "0" * 64))) is None
    other = tree("gm").value(slot)
    assert known.accept(GAME, "red", slot, Value(other, tuple(path))) is None
    if path:
        at = data.draw(st.integers(0, len(path) - 1))
        assert known.accept(GAME, "red", slot, Value(x, (*path[:at], other, *path[at + 1 :]))) is None
        assert known.accept(GAME, "red", slot, Value(x, (*path[:at], *path[at + 1 :]))) is None


def test_a_game_from_its_first_slot_to_its_last_brings_one_hash_a_slot() -> None:
    lengths = [path_length(slot, last) for last, slot in pairwise([0, *range(1, 10_001)])]
    assert sum(lengths) < 10_000
    assert (path_length(1, None), path_length(2, 1), path_length(3, 2), path_length(8192, 8191)) == (
        14,
        1,
        0,
        13,
    )


def test_a_value_says_nothing_of_any_other() -> None:
    known = after("gm", [1, 2, 3])
    assert tree("gm").value(4) not in repr(known)
    assert known.right[2] is not None and known.right[0] is None and known.right[1] is None


def test_what_is_asked_of_a_tree() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Tree(b"short", GAME, "gm")
    for slot in (0, 10_001):
        with pytest.raises(ValueError, match="not a number from 1 to 10000"):
            tree("gm").value(slot)


def test_a_chain_takes_no_path() -> None:
    chain = dp.Chain(bytes(32), GAME, "blue")
    known = ChainKnown(0, chain.anchor)
    assert known.accept(GAME, "blue", 3, Value(chain.value(3))) == ChainKnown(3, chain.value(3))
    assert known.accept(GAME, "blue", 3, Value(chain.value(3), ("0" * 64,))) is None
