"""What a copy in text mode did is undone where a hash or the one spelling of a record says what was there,
and nowhere else.
"""

from __future__ import annotations

import pytest
from proof_simulator import friends_game
from test_proof_honest import holds

from pbem.proof.archive import MAX_PAPER, MemoryArchive
from pbem.proof.textmode import as_it_was, restored
from pbem.proof.verify import verify

BOM = b"\xef\xbb\xbf"


def test_nothing_is_other_where_nothing_was_done() -> None:
    archive = friends_game().pack()
    assert restored(archive) == {}
    assert as_it_was(archive) is archive
    assert restored(friends_game().archive) == {}


@pytest.mark.parametrize(
    "path",
    [
        "ledger/00002-start.json",
        "seats/blue/go-s0002.json",
        "rolls/s0001.jsonl",
        "state/s0001.json",
        "scenario/brackwater.yaml",
    ],
)
@pytest.mark.parametrize(
    "done",
    [
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: BOM + data,
        lambda data: data[:-1],
        lambda data: data + b"\n\n",
    ],
)
def test_what_was_done_to_a_file_is_undone(path: str, done: object) -> None:
    archive = friends_game().pack()
    before = archive[path]
    archive[path] = done(before)  # type: ignore[operator]
    assert restored(archive) == {path: before}
    assert as_it_was(archive)[path] == before


def test_an_empty_roll_log_may_have_got_a_line_end() -> None:
    archive = friends_game().archive
    archive["rolls/s0004.jsonl"] = b"\r\n"
    assert restored(archive) == {"rolls/s0004.jsonl": b""}


@pytest.mark.parametrize("data", [b"", b"\n", b"\r\n\r\n", BOM])
def test_of_nothing_nothing_is_made(data: bytes) -> None:
    archive = friends_game().archive
    archive["ledger/00002-start.json"] = data
    assert restored(archive) == {}


def test_other_words_are_not_made_right() -> None:
    archive = friends_game().archive
    archive["rolls/s0001.jsonl"] = archive["rolls/s0001.jsonl"].replace(b"\n", b" \r\n")
    archive["reports/s0001.txt"] = b"a\r\n"
    assert restored(archive) == {}


def test_a_file_is_not_made_too_large_to_be_one() -> None:
    """Else a record that is none would count as one that is only missing."""
    archive = friends_game().archive
    archive["seats/blue/join.json"] = b"x" * MAX_PAPER
    assert restored(archive) == {}
    assert verify(archive, replay=holds).failures[0].code == "E01"


def test_hostile_bytes_cost_little() -> None:
    archive = MemoryArchive({f"state/s{number:04d}.json": b"\r\n" * 500_000 for number in range(1, 30)})
    assert restored(archive) == {}
