"""Which files are of the game: its own names and what the manifest lists; whatever else lies there is told
once and counts for nothing.
"""

from __future__ import annotations

import pytest
from proof_simulator import friends_game, umpire_game
from test_proof_honest import holds

from pbem.proof.archive import MemoryArchive
from pbem.proof.inside import foreign, is_go, is_proof, is_receipt, is_record, named, slot_of
from pbem.proof.verify import verify

OF_THE_PROOF = (
    "scenario/a.yaml",
    "tables/a",
    "scenario/maps/ford.yaml",
    "ledger/00001-manifest.json",
    "ledger/00003-s0001-lock.json.sig",
    "ledger/20000-s10000-result.json",
    "seats/blue/join.json",
    "seats/blue/join.json.sig",
    "seats/con/orders-s0001.txt",
    "seats/blue/orders-s0001.txt.sig",
    "seats/blue/go-s0002.json",
    "seats/blue/consent-0123456789abcdef.json.sig",
    "receipts/s0001-blue-0123456789abcdef.json",
    "rolls/s0001.jsonl",
    "state/s0000.json",
    "state/s0001.json",
    "keys/allowed_signers",
)
BESIDE = (
    "ledger/desktop.ini",
    "ledger/Thumbs.db",
    "ledger/00003-s0001-lock.json~",
    "ledger/00003-s0001-lock.json.bak",
    "ledger/00003-s0001-lock.json.orig",
    "ledger/#00003-s0001-lock.json#",
    "ledger/00003-s0001-lock - Kopie.json",
    "ledger/00003-s0001-lock (1).json",
    "ledger/Copy of 00003-s0001-lock.json",
    "ledger/00003-s0001-lock (conflicted copy).json",
    "ledger/00003-s0001-lock.JSON",
    "ledger/00003-s00001-lock.json",
    "ledger/00003-s10001-lock.json",
    "ledger/00003-s0000-lock.json",
    "ledger/3-s0001-lock.json",
    "ledger/\u0661\u0661\u0661\u0661\u0661-manifest.json",
    "ledger/00003-s0001-lock.json.sig.sig",
    "ledger/00003-go.json",
    "ledger/old/00003-s0001-lock.json",
    "seats/blue/notes.txt",
    "seats/notes.txt",
    "seats/Blue/join.json",
    "seats/blue/orders-s0001.txt.txt",
    "seats/blue/join (2).json",
    "receipts/readme.txt",
    "rolls/s0000.jsonl",
    "rolls/s0001.jsonl.sig",
    "state/s0001.json.old",
    "state/Icon\r",
    "keys/extra",
    "scenario/map.yaml~",
    "scenario/.",
)


@pytest.mark.parametrize("path", OF_THE_PROOF)
def test_names_of_the_protocol(path: str) -> None:
    assert is_proof(path)


@pytest.mark.parametrize(
    "path",
    [
        *BESIDE,
        "verify/pd1_verify.py",
        "maps/state",
        "FILES",
        "statex/a",
        "Ledger/00001-manifest.json",
        "notes",
    ],
)
def test_names_that_are_none(path: str) -> None:
    assert not is_proof(path)


def test_names_of_a_kind() -> None:
    kinds = {
        is_record: "ledger/00001-manifest.json",
        is_receipt: "receipts/s0001-blue-0123456789abcdef.json",
        is_go: "seats/blue/go-s0002.json",
    }
    for is_it, path in kinds.items():
        assert {other.partition("/")[0] for other in OF_THE_PROOF if is_it(other)} == {path.partition("/")[0]}
        assert is_it(path)
        assert not is_it(f"{path}.sig")
    assert [slot_of(path) for path in OF_THE_PROOF] == [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 0, 1, 1, 0, 1, 0]


def test_what_lies_beside_a_game_is_told_in_one_line_and_changes_nothing() -> None:
    archive = umpire_game().archive
    before = verify(archive, replay=holds)
    for path in BESIDE:
        archive[path] = b"{}"
    after = verify(archive, replay=holds)
    assert (after.verdict, after.failures, after.head, after.signatures) == (
        "pass",
        (),
        before.head,
        before.signatures,
    )
    (said,) = [found for found in after.warnings if found not in before.warnings]
    assert said.where == f"{len(BESIDE)} files"
    assert said.message.startswith(
        "not of the game, and passed over: keys/extra, ledger/#00003-s0001-lock.json#, "
    )
    assert said.message.endswith(f" and {len(BESIDE) - 8} more")
    assert any(f"W    {len(BESIDE)} files: not of the game" in line for line in after.lines)


def test_one_file_beside_a_game() -> None:
    archive = friends_game().archive
    archive["ledger/.DS_Store"] = archive["seats/blue/drafts/1.txt"] = b"x"
    assert foreign(archive, frozenset()) == (
        "ledger/.DS_Store",
        "scenario/brackwater.yaml",
        "tables/combat.yaml",
    )
    del archive["ledger/.DS_Store"]
    archive["scenario/brackwater.yaml.bak"] = b"x"
    (said,) = verify(archive, replay=holds).warnings
    assert (said.where, said.message) == (
        "1 file",
        "not of the game, and passed over: scenario/brackwater.yaml.bak",
    )


def test_a_file_beside_a_game_hides_none_of_it_and_stands_for_none() -> None:
    """A copy under another name neither takes the place of a record that is gone nor makes
    one count twice.
    """
    archive = friends_game().archive
    path = "ledger/00003-s0001-lock.json"
    archive["ledger/00003-s0001-lock (1).json"] = archive[path]
    archive["ledger/00003-s0001-lock (1).json.sig"] = archive[f"{path}.sig"]
    assert verify(archive, replay=holds).verdict == "pass"
    del archive[path]
    assert verify(archive, replay=holds).failures[0].code == "E04"


def test_a_few_names_stand_in_a_sentence() -> None:
    assert named(["a", "b"]) == "a, b"
    assert named(str(n) for n in range(10)) == "0, 1, 2, 3, 4, 5, 6, 7 and 2 more"


def test_an_archive_without_a_manifest_has_no_files_of_its_own() -> None:
    assert foreign(MemoryArchive({"scenario/a": b"", "reports/a": b""}), frozenset()) == ("scenario/a",)
