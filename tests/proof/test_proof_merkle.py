"""The tree of a log: vectors that other programs use, a second, slow working-out from RFC 6962, and proofs
that are no proofs.
"""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from thorough import deeper, tries

from pbem.proof.merkle import (
    EMPTY,
    consistency_proof,
    from_leaves,
    inclusion_proof,
    is_consistent,
    is_included,
    leaf_hash,
    root,
)

ENTRIES = [
    bytes.fromhex(text)
    for text in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
"""Roots over the first 1 to 8 of these entries, as the logs of Certificate Transparency test theirs."""
INCLUDED = {
    (0, 8): "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7 "
    "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e "
    "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    (5, 8): "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b "
    "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0 "
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    (2, 3): "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    (1, 5): "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d "
    "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e "
    "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
}
CONTINUED = {
    (1, 8): INCLUDED[0, 8],
    (6, 8): "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a "
    "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0 "
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    (2, 5): "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e "
    "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    (6, 7): "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a "
    "b08693ec2e721597130641e8211e7eedccb4c26413963eee6c1e2ed16ffb1a5f "
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
}


def hashes(text: str) -> list[bytes]:
    return [bytes.fromhex(word) for word in text.split()]


# The second working-out: RFC 6962, 2.1, word for word, over lists of entries, with nothing taken from the
# code it checks.


def mth(entries: list[bytes]) -> bytes:
    if not entries:
        return hashlib.sha256(b"").digest()
    if len(entries) == 1:
        return hashlib.sha256(b"\0" + entries[0]).digest()
    k = 1
    while k * 2 < len(entries):
        k *= 2
    return hashlib.sha256(b"\1" + mth(entries[:k]) + mth(entries[k:])).digest()


def path(m: int, entries: list[bytes]) -> list[bytes]:
    n = len(entries)
    if n == 1:
        return []
    k = 1
    while k * 2 < n:
        k *= 2
    return (
        [*path(m, entries[:k]), mth(entries[k:])] if m < k else [*path(m - k, entries[k:]), mth(entries[:k])]
    )


def subproof(m: int, entries: list[bytes], whole: bool) -> list[bytes]:
    n = len(entries)
    if m == n:
        return [] if whole else [mth(entries)]
    k = 1
    while k * 2 < n:
        k *= 2
    if m <= k:
        return [*subproof(m, entries[:k], whole), mth(entries[k:])]
    return [*subproof(m - k, entries[k:], False), mth(entries[:k])]


def some(count: int) -> list[bytes]:
    return [f"entry {number}".encode() for number in range(count)]


def test_the_roots_and_proofs_are_those_that_every_other_program_finds():
    read = from_leaves([leaf_hash(entry) for entry in ENTRIES])
    assert [root(size, read).hex() for size in range(1, 9)] == ROOTS
    assert root(0, read) == EMPTY == mth([])
    for (index, size), proof in INCLUDED.items():
        assert inclusion_proof(index, size, read) == hashes(proof)
        assert is_included(
            index, size, leaf_hash(ENTRIES[index]), hashes(proof), bytes.fromhex(ROOTS[size - 1])
        )
    for (old, new), proof in CONTINUED.items():
        assert consistency_proof(old, new, read) == hashes(proof)
        assert is_consistent(
            old, new, bytes.fromhex(ROOTS[old - 1]), bytes.fromhex(ROOTS[new - 1]), hashes(proof)
        )


def test_every_small_tree_agrees_with_the_slow_one_and_every_proof_holds():
    entries = some(17)
    leaves = [leaf_hash(entry) for entry in entries]
    read = from_leaves(leaves)
    roots = [mth(entries[:size]) for size in range(18)]
    for size in range(1, 18):
        assert root(size, read) == roots[size]
        for index in range(size):
            proof = inclusion_proof(index, size, read)
            assert proof == path(index, entries[:size])
            assert is_included(index, size, leaves[index], proof, roots[size])
        for old in range(size + 1):
            proof = consistency_proof(old, size, read)
            assert proof == (subproof(old, entries[:size], True) if old else [])
            assert is_consistent(old, size, roots[old], roots[size], proof)


@deeper
@settings(max_examples=tries(30, 500), deadline=None)
@given(st.data(), st.integers(1, 600))
def test_trees_of_any_size_agree_with_the_slow_one(data, size):
    entries = some(size)
    leaves = [leaf_hash(entry) for entry in entries]
    read = from_leaves(leaves)
    index, old = data.draw(st.integers(0, size - 1)), data.draw(st.integers(1, size))
    whole, before = mth(entries), mth(entries[:old])
    assert root(size, read) == whole
    proof = inclusion_proof(index, size, read)
    assert proof == path(index, entries)
    assert is_included(index, size, leaves[index], proof, whole)
    between = consistency_proof(old, size, read)
    assert between == subproof(old, entries, True)
    assert is_consistent(old, size, before, whole, between)


@deeper
@settings(max_examples=tries(40, 500), deadline=None)
@given(st.data(), st.integers(2, 70))
def test_no_other_proof_holds(data, size):
    entries = some(size)
    leaves = [leaf_hash(entry) for entry in entries]
    read, whole = from_leaves(leaves), mth(entries)
    index, old = data.draw(st.integers(0, size - 1)), data.draw(st.integers(1, size - 1))
    before = mth(entries[:old])
    for proof, holds in (
        (
            inclusion_proof(index, size, read),
            lambda made: is_included(index, size, leaves[index], made, whole),
        ),
        (consistency_proof(old, size, read), lambda made: is_consistent(old, size, before, whole, made)),
    ):
        at = data.draw(st.integers(0, len(proof) - 1))
        flipped = bytes([proof[at][0] ^ 8]) + proof[at][1:]
        changed = [
            [*proof[:at], flipped, *proof[at + 1 :]],
            proof[:-1],
            proof[1:],
            [*proof, whole],
            [whole, *proof],
            [*proof, b""],
            [],
        ]
        assert not any(holds(one) for one in changed if one != proof)
    proof = inclusion_proof(index, size, read)
    other = data.draw(st.integers(0, size - 1).filter(lambda one: one != index))
    assert not is_included(other, size, leaves[index], proof, whole)
    assert not is_included(index, size, leaves[other], proof, whole)
    assert not is_included(index, size, leaves[index], proof, before)
    between = consistency_proof(old, size, read)
    assert not is_consistent(old, size, whole, before, between)
    assert not is_consistent(old, size, mth([*entries[: old - 1], b"another"]), whole, between)
    assert not is_consistent(old, size, before, mth([b"another", *entries[1:]]), between)


@pytest.mark.parametrize(("index", "size"), [(0, 0), (1, 1), (-1, 3), (2, 1)])
def test_what_cannot_be_in_a_tree_has_no_proof(index, size):
    with pytest.raises(ValueError, match="entry"):
        inclusion_proof(index, size, from_leaves([EMPTY] * 4))
    assert not is_included(index, size, EMPTY, [], EMPTY)


def test_a_log_that_forgets_is_no_continuation():
    read = from_leaves([leaf_hash(entry) for entry in ENTRIES])
    small, large = root(3, read), root(8, read)
    with pytest.raises(ValueError, match="3 entries from one of 8"):
        consistency_proof(8, 3, read)
    assert not is_consistent(8, 3, large, small, [])
    assert not is_consistent(8, 3, large, small, consistency_proof(3, 8, read))
    # Of the empty log everything is a continuation, but not with a root of its own or a proof of anything.
    assert is_consistent(0, 8, EMPTY, large, [])
    assert is_consistent(0, 0, EMPTY, EMPTY, [])
    assert not is_consistent(0, 8, small, large, [])
    assert not is_consistent(0, 0, EMPTY, small, [])
    assert not is_consistent(0, 8, EMPTY, large, [small])
    # One size is one tree.
    assert is_consistent(3, 3, small, small, [])
    assert not is_consistent(3, 3, small, large, [])
    assert not is_consistent(3, 3, small, small, [small])


def test_a_proof_of_more_hashes_than_any_tree_has_is_not_worked_through():
    assert not is_included(0, 2**70, EMPTY, [EMPTY] * 65, EMPTY)
    assert not is_consistent(1, 2**70, EMPTY, EMPTY, [EMPTY] * 65)
