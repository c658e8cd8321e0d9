"""pd1_bls.py: rounds of drand quicknet that the world knows, points that are none, and games whose dice wait
for a round.
"""

from __future__ import annotations

import ast
import hashlib
import json
import subprocess
import sys
import time
from typing import Any

import pytest
from rfc9380 import J9, POINTS
from verifier_ground import HERE, ROOT, module
from verifier_mutations import ROUND, beacon_game

from pbem.proof.verify import verify

FILE = HERE / "pd1_bls.py"
V: dict[str, Any] = json.loads((ROOT / "tests" / "proof" / "vectors" / "pd1.json").read_text("utf-8"))[
    "drand_quicknet"
]
bls = module("pd1_bls")
pd1 = module("pd1_verify")
KEY = bytes.fromhex(V["pk"])
SIGNATURE = bytes.fromhex(V["rounds"]["1000"])
MESSAGE = hashlib.sha256((1000).to_bytes(8, "big")).digest()


@pytest.mark.parametrize("number", V["rounds"])
def test_known_rounds(number: str) -> None:
    signature = V["rounds"][number]
    before = time.process_time()
    assert bls.verify_round(int(number), signature)
    assert time.process_time() - before < 1
    assert hashlib.sha256(bytes.fromhex(signature)).hexdigest() == V["randomness"][number]


def test_rounds_that_are_none() -> None:
    assert (V["pk"], V["chain"]) == (bls.QUICKNET_KEY, bls.QUICKNET_CHAIN)
    assert [bls.verify_round(want["round"], want["sig"]) for want in V["refused"]] == [False] * len(
        V["refused"]
    )
    for number, signature in (
        (-1, SIGNATURE.hex()),
        (2**64, SIGNATURE.hex()),
        (1000, "zz"),
        (1000, ""),
        (1000, "00" * 48),
        (1000, "ff" * 48),
    ):
        assert not bls.verify_round(number, signature)


@pytest.mark.parametrize(("message", "x", "y"), POINTS, ids=["empty", "abc"])
def test_hashing_to_the_curve(message: bytes, x: str, y: str) -> None:
    point = bls.hashed(message, J9)
    assert point == (int(x, 16), int(y, 16))


def packed_1(x: int, flags: int = 4) -> bytes:
    return (x | flags << 381).to_bytes(48, "big")


def test_points_of_g1_that_are_none() -> None:
    x = next(
        x
        for x in range(1, 100)
        if bls.root(x**3 + 4) and bls.times_1(bls.R, (x, bls.root(x**3 + 4))) is not None
    )
    nowhere = next(x for x in range(1, 100) if bls.root(x**3 + 4) is None)
    good = int.from_bytes(SIGNATURE, "big") & ((1 << 381) - 1)
    for data in (
        packed_1(x),  # on the curve, of another order
        packed_1(0),  # of order 3
        packed_1(nowhere),
        packed_1(0, 6),  # the neutral point
        packed_1(good, 6),
        packed_1(good, 1),
        packed_1(good + bls.P) if good + bls.P < 1 << 381 else packed_1(bls.P),
        SIGNATURE + b"\0",
        SIGNATURE[:-1],
        b"",
    ):
        with pytest.raises(bls.Bad):
            bls.read_1(data)
        assert not bls.verify(KEY, MESSAGE, data)
    assert bls.read_1(SIGNATURE)[0] == good
    assert bls.read_1(packed_1(good, 4)) != bls.read_1(packed_1(good, 5))


def packed_2(x: tuple[int, int], flags: int = 4) -> bytes:
    return (x[1] | flags << 381).to_bytes(48, "big") + x[0].to_bytes(48, "big")


def test_points_of_g2_that_are_none() -> None:
    def on_curve(x: int) -> Any:
        return bls.root_2(((x**3 + 4) % bls.P, 4))

    other = next(
        x
        for x in range(1, 100)
        if on_curve(x) is not None and bls.times_2(bls.R, ((x, 0), on_curve(x))) is not None
    )
    nowhere = next(x for x in range(1, 100) if on_curve(x) is None)
    for data in (
        packed_2((other, 0)),
        packed_2((nowhere, 0)),
        packed_2((0, 0), 6),
        packed_2((bls.P, 0)),
        KEY[:-1],
        b"",
        bytes(96),
    ):
        with pytest.raises(bls.Bad):
            bls.read_2(data)
        assert not bls.verify(data, MESSAGE, SIGNATURE)
    assert bls.read_2(packed_2(bls.BASE_2[0])) in (
        bls.BASE_2,
        (bls.BASE_2[0], bls.sub((0, 0), bls.BASE_2[1])),
    )


def test_roots_of_the_square_extension() -> None:
    for x in ((4, 0), (bls.P - 4, 0), (0, 2), (3, 5), (0, 0)):
        square = bls.mul(x, x)
        found = bls.root_2(square)
        assert bls.mul(found, found) == square
    assert bls.root_2((1, 1)) is None


def test_the_pairing_is_bilinear_and_not_always_one() -> None:
    p = bls.read_1(SIGNATURE)
    minus = (p[0], bls.P - p[1])
    assert bls.is_one(bls.paired([(bls.times_1(77, p), bls.BASE_2), (minus, bls.times_2(77, bls.BASE_2))]))
    assert not bls.is_one(
        bls.paired([(bls.times_1(77, p), bls.BASE_2), (minus, bls.times_2(78, bls.BASE_2))])
    )
    assert not bls.is_one(bls.paired([(p, bls.BASE_2)]))
    assert bls.times_2(bls.R, bls.BASE_2) is None
    assert bls.plus_1(p, minus) is None
    assert bls.plus_1(None, p) == p


# games


def audit(**how: Any) -> Any:
    return pd1.Audit(pd1.Memory(dict(beacon_game(**how).archive)), bls)


def test_a_game_whose_lock_was_seen_in_time() -> None:
    seen = audit()
    assert (seen.verdict, seen.failures, seen.open_ends) == ("PASS", [], [])
    assert (
        seen.foreknown(seen.slots[1])
        == "known to nobody before 2023-09-15T11:00:03Z (beacon); lock seen in time by blue"
    )
    assert seen.foreknown(seen.slots[2]) == "no dice"
    unseen = audit(seen=False)
    assert unseen.foreknown(unseen.slots[1]) == "lock seen in time by no seat: THE GM ALONE could have known"


def test_a_round_that_was_picked_and_a_signature_that_was_invented() -> None:
    picked = audit(round=657412)
    assert [code for code, _, _ in picked.failures] == ["E16", "E17"]
    invented = audit(sig=V["rounds"]["1000"])
    assert [code for code, _, _ in invented.failures] == ["E17"]
    assert ROUND["sig"] == V["rounds"]["657413"]


@pytest.mark.parametrize(
    "wrong", [{"chain": "0" * 64}, {"pk": "ab" * 96}, {"genesis": 1692803366}, {"period": 30}], ids=str
)
def test_another_network_under_the_name_of_quicknet_is_not_decided(wrong: dict[str, Any]) -> None:
    found = audit(seen=True, rule=wrong)
    assert found.verdict in ("CANNOT DECIDE", "FAIL")
    assert any("the signature of the beacon is not checked" in why for why in found.open_ends)
    assert found.foreknown(found.slots[1]) == "the beacon is not checked: cannot decide"


def test_the_trust_lines_are_those_of_pbem_where_it_knows_the_beacon() -> None:
    for seen in (True, False):
        files = beacon_game(seen=seen).archive
        theirs = verify(files, replay=None)
        if theirs.undecided == ("the rules were not replayed",):
            found = pd1.Audit(pd1.Memory(dict(files)), bls)
            assert [line.foreknowledge for line in theirs.trust] == [
                found.foreknown(slot) for slot in found.slots.values()
            ]


def test_a_beacon_beyond_all_years_is_no_crash() -> None:
    files = dict(beacon_game(seen=False).archive)
    found = pd1.Audit(pd1.Memory(files), bls)
    found.slots[1].round_ = 2**53 - 1
    assert (
        found.foreknown(found.slots[1])
        == "the round of the beacon is of no year that could be written: cannot decide"
    )
    assert any("of no year" in line for line in found.lines())


# the file itself


def test_it_is_python_3_9_of_the_standard_library() -> None:
    tree = ast.parse(FILE.read_text("utf-8"), feature_version=(3, 9))
    found = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    found |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert found == {"__future__", "functools", "hashlib", "sys"}


def test_the_command() -> None:
    def run(*arguments: str) -> tuple[int, str]:
        ran = subprocess.run(
            [sys.executable, "-I", "-W", "error", str(FILE), *arguments],
            capture_output=True,
            text=True,
            check=False,
        )
        return ran.returncode, ran.stdout

    assert run("1000", V["rounds"]["1000"]) == (
        0,
        f"PASS  round 1000 of drand quicknet, randomness {V['randomness']['1000']}\n",
    )
    assert run("1001", V["rounds"]["1000"])[0] == 1
    assert run("1001")[0] == 2
