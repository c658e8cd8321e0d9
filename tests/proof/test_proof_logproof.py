"""A proof in one file that lasts when the log is gone, and everything that is none."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pbem.proof.logproof import LogProof, read_proof
from pbem.proof.merkle import from_leaves, inclusion_proof, leaf_hash, root
from pbem.proof.note import BadNote, Checkpoint, Note, sign

ENTRIES = [f"entry {number}".encode() for number in range(11)]
READ = from_leaves([leaf_hash(entry) for entry in ENTRIES])
TREE = Checkpoint("example.org/club", 11, root(11, READ))
NOTE = Note(
    TREE.text, (sign(Ed25519PrivateKey.from_private_bytes(b"l" * 32), "example.org/club", TREE.text),)
)
PROOF = LogProof(ENTRIES[6], 6, tuple(inclusion_proof(6, 11, READ)), NOTE)


def test_a_proof_as_the_format_writes_it():
    lines = PROOF.data.decode().split("\n")
    assert lines[:3] == ["c2sp.org/tlog-proof@v1", "extra ZW50cnkgNg==", "index 6"]
    assert lines[3 + len(PROOF.hashes)] == ""
    assert PROOF.data.endswith(NOTE.data)
    assert read_proof(PROOF.data) == PROOF
    assert PROOF.holds


def test_whatever_is_changed_in_it_it_proves_nothing_any_more():
    for index in range(len(PROOF.data)):
        for letter in (b"A", b"7", b"\n", b"\xff"):
            changed = PROOF.data[:index] + letter + PROOF.data[index + 1 :]
            if changed == PROOF.data or index >= PROOF.data.index("—".encode()):
                continue
            try:
                found = read_proof(changed)
            except BadNote:
                continue
            assert not found.holds or found.tree.origin != TREE.origin, changed


@pytest.mark.parametrize(
    "data",
    [
        b"",
        PROOF.data[:-1],
        PROOF.data.replace(b"@v1", b"@v2"),
        PROOF.data.replace(b"extra ", b"extra  "),
        PROOF.data.replace(b"extra ", b"more "),
        PROOF.data.replace(b"index 6", b"index 06"),
        PROOF.data.replace(b"index 6\n", b"index 6\nAAAA\n"),
        PROOF.data.replace(b"index 6\n", b"index 6\n" + b"A" * 43 + b"=\n"),
        PROOF.data.replace(b"index 6\n", b"index 6\n" + (b"A" * 43 + b"=\n") * 70),
        PROOF.data + b"x" * 200_000,
        NOTE.data,
        PROOF.data.replace(b"\n11\n", b"\n0x11\n"),
    ],
)
def test_what_is_no_proof_is_refused_or_does_not_hold(data):
    try:
        found = read_proof(data)
    except BadNote:
        return
    assert not found.holds


def test_a_tree_of_a_size_that_no_log_has_proves_nothing():
    tree = Checkpoint("example.org/club", 2**40, leaf_hash(b"x"))
    assert not LogProof(b"x", 0, (), Note(tree.text, NOTE.signatures)).holds
