"""What strangers may send to the proof: all that was found so far, and good ones cut, doubled, overwritten,
in bounded time and memory.
"""

from __future__ import annotations

import io
import os
import sys
import time
import tracemalloc
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from fuzz_proof import KINDS, joined, split, try_zip
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pbem.proof.archive import make_files
from pbem.store import zips

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "proof"))

FOUND = sorted(path for path in (Path(__file__).parent / "proof").glob("*/*") if path.is_file())
SECONDS = 5.0
"""For one input; they take a few hundredths."""
MEMORY = 96 * 1024 * 1024
NASTY = [
    *(
        b"\x00",
        b"\xff" * 4,
        b"\x7f\xff\xff\xff",
        b"\r",
        b"\r\n",
        b"\n",
        b"---\n",
        b"#x ",
        b"#luck ",
        b"  ",
        b"=",
        b"=== ",
        b"A" * 70,
    ),
    *(
        b"[" * 2000,
        b"{" * 40,
        b'{"a":' * 20,
        b"9" * 5000,
        b"1e999",
        b"-0",
        b"NaN",
        b"null",
        b"1.0",
        b'"\\ud800"',
        b"\\u0000",
    ),
    *(
        "\u202e".encode(),
        "e\u0301".encode(),
        b"../",
        b"/etc/passwd",
        b"\\",
        b"C:",
        b"con",
        b"ledger/",
        b".sig",
        b"ssh-ed25519 ",
        b"PK\x05\x06",
    ),
]


@cache
def good(kind: str) -> tuple[bytes, ...]:
    """Return good ones of a kind, from the games of the tests of the proof."""
    from proof_simulator import friends_game, umpire_game

    games = [friends_game().pack(), umpire_game().pack()]
    files = {f"{n}/{path}": data for n, game in enumerate(games) for path, data in game.items()}
    if kind == "signature":
        keys = [
            data.split(b'" ')[1].split(b"\n")[0]
            for path, data in files.items()
            if path.endswith("allowed_signers")
        ]
        return (*[data for path, data in files.items() if path.endswith(".sig")][:3], *keys)
    if kind == "record":
        return tuple(data for path, data in files.items() if path.endswith(".json"))[:12]
    if kind == "header":
        return tuple(data for path, data in files.items() if "orders" in path and path.endswith(".txt"))
    if kind == "zip":
        return (zips.write_zip({path: data for path, data in games[0].items() if path[:1] in "lrsF"}),)
    if kind == "archive":
        return tuple(joined(game) for game in games)
    if kind == "list":
        return (make_files(games[0]),)
    return (b'{"round":1000,"randomness":"00","signature":"' + b"ab" * 48 + b'"}', b"ab" * 48)


def changed(kind: str) -> st.SearchStrategy[bytes]:
    """Return a strategy for good ones in which a few places were cut out, doubled, or overwritten."""

    @st.composite
    def draw(pick: st.DrawFn) -> bytes:
        data = pick(st.sampled_from(good(kind)))
        for _ in range(pick(st.integers(1, 4))):
            begin = pick(st.integers(0, len(data)))
            end = min(len(data), begin + pick(st.sampled_from([0, 0, 1, 1, 2, 8, 100])))
            new = pick(st.sampled_from([b"", data[begin:end] * 2, *NASTY]) | st.binary(max_size=4))
            data = data[:begin] + new + data[end:]
        return data

    return draw()


@pytest.mark.parametrize("path", FOUND, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_what_was_found_stays_found_and_costs_little(path: Path) -> None:
    data = path.read_bytes()
    KINDS[path.parent.name](data)
    tracemalloc.start()
    begun = time.process_time()
    try:
        KINDS[path.parent.name](data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert time.process_time() - begun < SECONDS
    assert peak < MEMORY


def test_there_is_something_to_try_of_each_kind() -> None:
    assert {path.parent.name for path in FOUND} == set(KINDS)
    assert len(FOUND) >= 50


@pytest.mark.parametrize("kind", KINDS)
def test_good_ones_are_good(kind: str) -> None:
    for data in good(kind):
        KINDS[kind](data)
    assert joined(split(good("archive")[0])) == good("archive")[0]


@pytest.mark.parametrize("kind", KINDS)
@settings(
    max_examples=60, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)
@given(data=st.data())
def test_changed_ones_break_no_promise(kind: str, data: st.DataObject) -> None:
    sent = data.draw(changed(kind))
    begun = time.process_time()
    KINDS[kind](sent)
    assert time.process_time() - begun < SECONDS


@settings(max_examples=100, deadline=None, derandomize=True, database=None)
@given(st.binary(max_size=400))
@example(b"")
def test_any_bytes_break_no_promise(data: bytes) -> None:
    for attempt in KINDS.values():
        attempt(data)


def entries(names: Iterator[str] | list[str], content: bytes = b"x") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as made:
        for name in names:
            made.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def test_too_many_entries_and_too_much_in_all() -> None:
    begun = time.process_time()
    with pytest.raises(zips.BadZip, match="too-many"):
        zips.ZipArchive(entries([f"scenario/{n}" for n in range(zips.MAX_ENTRIES + 1)]))
    with pytest.raises(zips.BadZip, match="bomb"):
        zips.ZipArchive(entries(["scenario/a"], bytes(15 * 1024 * 1024)))
    with pytest.raises(zips.BadZip, match="too-big"):
        zips.ZipArchive(entries(["scenario/a"], bytes(17 * 1024 * 1024)))
    try_zip(entries([f"ledger/{n:05d}-manifest.json" for n in range(2000)]))
    assert time.process_time() - begun < 4 * SECONDS


def test_folders_full_of_traps(tmp_path: Path) -> None:
    """Links that lead out or round, a pipe that never ends, names that move the cursor: no file of the game,
    and nobody waits for them.
    """
    from pbem.fleet.audits import verify_all
    from pbem.referee.proving.verify import mine, verify
    from pbem.store.gamedir import plain_files

    game = tmp_path / "game"
    for path, data in split(good("archive")[0]).items():
        (game / path).parent.mkdir(parents=True, exist_ok=True)
        (game / path).write_bytes(data)
    assert verify(game, with_rules=False).failures == ()
    (tmp_path / "secret").write_text("secret")
    (game / "seats" / "link.json").symlink_to(tmp_path / "secret")
    (game / "seats" / "round").symlink_to(game)
    os.mkfifo(game / "seats" / "pipe.json")
    (game / "events").mkdir(exist_ok=True)
    (game / "events" / "\x1b[2J.jsonl").write_text("")
    found = verify(game, with_rules=False)
    assert [finding.code for finding in found.failures] == []
    assert "added after packing: events/\\x1b[2J.jsonl" in "\n".join(found.lines)
    assert "blue/join.json" in plain_files(game / "seats")
    assert not {"link.json", "pipe.json"} & set(plain_files(game / "seats"))
    assert [one.answer for one in mine(game, game / "seats").found if one.answer == "missing"] == []
    assert [one.verdict for one in verify_all(tmp_path, with_rules=False, jobs=1)] == ["undecided"]
    (game / "ledger" / "00001-manifest.json").unlink()
    (game / "ledger" / "00001-manifest.json").symlink_to(tmp_path / "secret")
    assert verify(game, with_rules=False).failures[0].code in ("E00", "E27")
