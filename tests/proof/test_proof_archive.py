"""Names of files and namespaces, allowed_signers, and the list of a pack."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from proof_simulator import friends_game, line

from pbem.proof import archive as names
from pbem.proof.archive import BadFiles, MemoryArchive

H = "0123456789abcdef" * 4


def test_paths() -> None:
    assert names.ledger_path(1, "manifest") == "ledger/00001-manifest.json"
    assert names.ledger_path(3, "lock", 1) == "ledger/00003-s0001-lock.json"
    assert names.ledger_path(20000, "lock", 10000) == "ledger/20000-s10000-lock.json"
    assert names.join_path("blue") == "seats/blue/join.json"
    assert names.orders_path("blue", 1) == "seats/blue/orders-s0001.txt"
    assert names.go_path("blue", 2) == "seats/blue/go-s0002.json"
    assert names.consent_path("blue", H) == "seats/blue/consent-0123456789abcdef.json"
    assert names.receipt_path(1, "blue", H * 2) == "receipts/s0001-blue-0123456789abcdef.json"
    assert names.rolls_path(1) == "rolls/s0001.jsonl"
    assert names.state_path(0) == "state/s0000.json"
    assert names.sig_path("a") == "a.sig"
    assert names.short_digest(H) == "0123-4567-89ab-cdef"


def test_namespaces() -> None:
    assert names.gm_namespace("g") == "pd1-gm/g"
    assert names.pack_namespace("g") == "pd1-pack/g"
    assert names.join_namespace("g", "blue") == "pd1-join/g/blue"
    assert names.orders_namespace("g", 7, "blue", H) == f"pd1-orders/g/7/blue/{H}"
    assert names.go_namespace("g", 7, "blue", H) == f"pd1-go/g/7/blue/{H}"
    assert names.consent_namespace("g", "blue", H) == f"pd1-consent/g/blue/{H}"


def test_content() -> None:
    archive = MemoryArchive({"a": b"x", "big": b"x" * (names.MAX_FILE + 1), "full": b"x" * names.MAX_FILE})
    assert names.content(archive, "a") == b"x"
    assert names.content(archive, "b") is None
    assert names.content(archive, "big") is None
    assert names.content(archive, "full") is not None


@pytest.mark.parametrize(
    ("path", "most"),
    [
        ("ledger/00001-manifest.json", 1024 * 1024),
        ("ledger/00001-manifest.json.sig", 4096),
        ("seats/blue/join.json", 65_536),
        ("seats/blue/orders-s0001.txt.sig", 4096),
        ("receipts/s0001-blue-0123456789abcdef.json", 65_536),
        ("rolls/s0001.jsonl", 16 * 1024 * 1024),
        ("state/s0001.json", 16 * 1024 * 1024),
    ],
)
def test_what_nobody_needs_to_be_large_may_not_be(path: str, most: int) -> None:
    assert names.content(MemoryArchive({path: bytes(most)}), path) is not None
    assert names.content(MemoryArchive({path: bytes(most + 1)}), path) is None


def test_allowed_signers() -> None:
    keys = [("gm", "K0"), ("blue", "K1"), ("green", "K2"), ("gm", "K3"), ("gm", "K0")]
    assert names.allowed_signers("siege-0a1b2c", keys, [("blue", "K4")]) == (
        'gm@siege-0a1b2c namespaces="pd1-gm/siege-0a1b2c,pd1-pack/siege-0a1b2c" K0\n'
        'blue@siege-0a1b2c namespaces="pd1-join/siege-0a1b2c/*,pd1-orders/siege-0a1b2c/*,'
        'pd1-go/siege-0a1b2c/*,pd1-consent/siege-0a1b2c/*" K1\n'
        'green@siege-0a1b2c namespaces="pd1-join/siege-0a1b2c/*,pd1-orders/siege-0a1b2c/*,'
        'pd1-go/siege-0a1b2c/*,pd1-consent/siege-0a1b2c/*" K2\n'
        'gm@siege-0a1b2c namespaces="pd1-gm/siege-0a1b2c,pd1-pack/siege-0a1b2c" K3\n'
        'blue@siege-0a1b2c namespaces="pd1-consent/siege-0a1b2c/*" K4\n'
    )


def test_a_pack_is_checked_by_hand(tmp_path: Path, need: Callable[[str], str]) -> None:
    keygen, sha256sum = need("ssh-keygen"), need("sha256sum")
    for path, data in friends_game().pack().items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    assert line("blue") in (tmp_path / "keys/allowed_signers").read_text()
    subprocess.run([sha256sum, "--quiet", "-c", "FILES"], cwd=tmp_path, check=True, timeout=60)
    head = names.content(MemoryArchive(friends_game().archive), "seats/blue/orders-s0001.txt")
    assert head is not None
    space = names.orders_namespace("siege-0a1b2c", 1, "blue", head.decode().split("#head ")[1][:64])
    for who, namespace, path in (
        ("gm@siege-0a1b2c", "pd1-gm/siege-0a1b2c", "ledger/00004-s0001-result.json"),
        ("gm@siege-0a1b2c", "pd1-pack/siege-0a1b2c", "FILES"),
        ("blue@siege-0a1b2c", space, "seats/blue/orders-s0001.txt"),
    ):
        words = [
            keygen,
            "-Y",
            "verify",
            "-f",
            "keys/allowed_signers",
            "-I",
            who,
            "-n",
            namespace,
            "-s",
            path + ".sig",
        ]
        with (tmp_path / path).open("rb") as file:
            subprocess.run(words, cwd=tmp_path, stdin=file, check=True, capture_output=True, timeout=60)


def test_the_list_of_files_comes_back() -> None:
    archive = MemoryArchive({"b c": b"2", "a": b"1", "FILES": b"old", "FILES.sig": b"old", "ü": b"3"})
    data = names.make_files(archive)
    assert (
        data.decode().splitlines()[0] == "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b  a"
    )
    assert list(names.parse_files(data)) == ["a", "b c", "ü"]
    assert names.parse_files(b"") == {}


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\xff\n", "not UTF-8"),
        (f"{H}  a".encode(), "no end"),
        (f"{H} a\n".encode(), "line 1"),
        (f"{H}  b\n{H}  a\n".encode(), "line 2"),
        (f"{H}  a\n{H}  a\n".encode(), "line 2"),
        (f"{H}  a\n\n".encode(), "line 2"),
        (f"{H.upper()}  a\n".encode(), "line 1"),
        (f"{H}  a\r\n".encode(), "line 1"),
        (f"{H}  {'a' * 401}\n".encode(), "line 1"),
        (f"{H}  \n".encode(), "line 1"),
    ],
)
def test_lists_that_are_none(data: bytes, reason: str) -> None:
    with pytest.raises(BadFiles, match=reason):
        names.parse_files(data)


def test_a_path_of_400_letters() -> None:
    assert len(names.parse_files(f"{H}  {'a' * 400}\n".encode())) == 1


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=100))
def test_any_bytes_are_a_list_or_refused(data: bytes) -> None:
    try:
        assert isinstance(names.parse_files(data), dict)
    except BadFiles:
        return


def test_what_cannot_be_seen_is_spelt_out() -> None:
    assert names.visible("plain äö \u201cwords\u201d") == "plain äö \u201cwords\u201d"
    assert names.visible("a\x1b[2Jb\n\u202ec\ud800") == "a\\x1b[2Jb\\n\\u202ec\\ud800"
