"""BLS12-381: rounds that the world knows, the vectors of RFC 9380, points that are none, and laws that the
arithmetic has to keep.
"""

from __future__ import annotations

import hashlib
import json
import sys
import types
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rfc9380 import J9, POINTS

from pbem.proof import bls

V: dict[str, Any] = json.loads((Path(__file__).parent / "vectors" / "pd1.json").read_text("utf-8"))[
    "drand_quicknet"
]
KEY = bytes.fromhex(V["pk"])
ROUNDS = {int(number): bytes.fromhex(signature) for number, signature in V["rounds"].items()}
SIGNATURE = ROUNDS[1000]
# The published generator of G1.
BASE_1 = (
    int(
        "17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb", 16
    ),
    int(
        "08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1", 16
    ),
)


@pytest.mark.parametrize("number", ROUNDS)
def test_known_rounds(number: int) -> None:
    assert bls.verify_round(KEY, number, ROUNDS[number])
    assert hashlib.sha256(ROUNDS[number]).hexdigest() == V["randomness"][str(number)]


def test_rounds_that_are_none() -> None:
    for want in V["refused"]:
        assert not bls.verify_round(KEY, want["round"], bytes.fromhex(want["sig"]))
    for number in (-1, 999, 1001, 2**64, 2**64 - 1):
        assert not bls.verify_round(KEY, number, SIGNATURE)
    assert not bls.verify(KEY, b"another message", SIGNATURE)
    for key in (b"", KEY[:-1], KEY + b"\0", bytes(96), KEY[:95] + b"\0"):
        assert not bls.verify_round(key, 1000, SIGNATURE)


@pytest.mark.parametrize("bit", [0, 1, 2, 3, 9, 200, 383])
def test_every_bit_of_a_signature_counts(bit: int) -> None:
    changed = (int.from_bytes(SIGNATURE, "big") ^ 1 << (383 - bit)).to_bytes(48, "big")
    assert not bls.verify_round(KEY, 1000, changed)


@pytest.mark.parametrize(
    "data", [b"", bytes(48), b"\xc0" + bytes(47), b"\xff" * 48, SIGNATURE[:-1], SIGNATURE + b"\0"]
)
def test_bytes_that_are_no_point(data: bytes) -> None:
    with pytest.raises(bls.NoPoint):
        bls.point_of_g1(data)
    assert not bls.verify_round(KEY, 1000, data)


def compressed(x: int, negative: bool = False) -> bytes:
    return (x | 1 << 383 | int(negative) << 381).to_bytes(48, "big")


def test_points_of_g1() -> None:
    assert bls.point_of_g1(compressed(BASE_1[0])) == BASE_1
    assert bls.point_of_g1(compressed(BASE_1[0], True)) == (BASE_1[0], bls.P - BASE_1[1])
    # x = 0 is a point of order 3, x = 4 one of the curve and not of the group, x = 1 none; P + 4 would be a
    # second spelling of 4.
    for x in (0, 1, 4, bls.P + 4 if bls.P + 4 < 1 << 381 else bls.P):
        with pytest.raises(bls.NoPoint):
            bls.point_of_g1(compressed(x))


def test_points_of_g2() -> None:
    x, y = bls.point_of_g2(KEY)
    turned = bytes([KEY[0] ^ 0x20]) + KEY[1:]
    assert bls.point_of_g2(turned) == (x, (-y[0] % bls.P, -y[1] % bls.P))
    not_of_the_group = nowhere = 0
    for number in range(1, 40):
        data = (number | 1 << 767).to_bytes(96, "big")
        with pytest.raises(bls.NoPoint):
            bls.point_of_g2(data)
        root = bls._complex_root(((number**3 + 4) % bls.P, 4))
        not_of_the_group += root is not None
        nowhere += root is None
    assert not_of_the_group
    assert nowhere
    with pytest.raises(bls.NoPoint):
        bls.point_of_g2(((bls.P + 1) | 1 << 767).to_bytes(96, "big"))
    with pytest.raises(bls.NoPoint):
        bls.point_of_g2(b"\xc0" + bytes(95))


# The cofactor of G2: that many points of the curve for each of the group.
COFACTOR = int(
    "5d543a95414e7f1091d50792876a202cd91de4547085abaa68a205b2e5a7ddfa628f1cb4d9e82ef21537e293a6691ae1616ec6e786f0c70cf1c38e31c7238e5",
    16,
)


def many(number: int, point: Any) -> Any:
    """Return a multiple of a point of the twist; nothing on the way is neutral."""
    made = point
    for bit in bin(number)[3:]:
        made = bls._along(bls._slope(made, made), made, made)
        made = bls._along(bls._slope(made, point), made, point) if bit == "1" else made
    return made


def test_a_point_of_order_13_is_none_of_the_group() -> None:
    x = next(x for x in range(1, 40) if bls._complex_root(((x**3 + 4) % bls.P, 4)) is not None)
    point = ((x, 0), bls._complex_root(((x**3 + 4) % bls.P, 4)))
    assert COFACTOR % 169 == 0, "13 twice, and every point of the curve whose order is 13 or 169 has order 13"
    small = many(COFACTOR * bls.R // 169, point)
    assert many(12, small) == (small[0], bls._less((0, 0), small[1]))
    assert not bls._is_of_order_r(small)
    assert not bls._is_of_order_r(point)
    data = ((small[0][1] | 1 << 383) << 384 | small[0][0]).to_bytes(96, "big")
    with pytest.raises(bls.NoPoint):
        bls.point_of_g2(data)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, bls.P - 1), st.integers(0, bls.P - 1))
def test_roots_of_the_square_extension(a: int, b: int) -> None:
    square = bls._by((a, b), (a, b))
    found = bls._complex_root(square)
    assert found in ((a, b), (-a % bls.P, -b % bls.P))


def test_roots_at_the_border() -> None:
    for number in ((4, 0), (bls.P - 4, 0), (0, 0), (bls.P - 1, 0)):
        found = bls._complex_root(number)
        assert found is not None
        assert bls._by(found, found) == number
    assert bls._complex_root((1, 1)) is None


@pytest.mark.parametrize(("message", "x", "y"), POINTS, ids=["empty", "abc"])
def test_hashing_to_the_curve(message: bytes, x: str, y: str) -> None:
    assert bls.hash_to_g1(message, J9) == (int(x, 16), int(y, 16))


def test_expanding_a_message() -> None:
    """RFC 9380, appendix K.1."""
    dst = b"QUUX-V01-CS02-with-expander-SHA256-128"
    assert (
        bls.expand(b"", dst, 0x20).hex() == "68a985b87eb6b46952128911f2a4412bbc302a9d759667f87f7a21d803f07235"
    )
    assert (
        bls.expand(b"abc", dst, 0x20).hex()
        == "d8ccab23b5985ccea865c6c97b6e5b8350e794e603b4b97902f53a8a0d605615"
    )
    assert len(bls.expand(b"abc", dst, 100)) == 100


@pytest.mark.parametrize("u", [0, 1, 2, 3, bls.P - 1, pow(-pow(11, -1, bls.P), (bls.P + 1) // 4, bls.P)])
def test_every_number_has_a_point(u: int) -> None:
    """Also where the formula of RFC 9380 would divide by zero: 0, and a root of -1/11 if there is one."""
    x, y = bls._plain(bls._map(u))
    assert (y * y - x**3 - 4) % bls.P == 0


def test_the_group_of_g1() -> None:
    base = (*BASE_1, 1)
    neutral = (1, 1, 0)
    assert bls._times(bls.R, base)[2] == 0
    assert bls._plain(bls._times(bls.R - 1, base)) == (BASE_1[0], bls.P - BASE_1[1])
    assert bls._add(base, neutral) == bls._add(neutral, base) == base
    assert bls._plain(bls._add(base, base)) == bls._plain(bls._double(base))
    assert bls._add(base, (BASE_1[0], bls.P - BASE_1[1], 1))[2] == 0
    three = bls._add(bls._double(base), base)
    assert bls._plain(three) == bls._plain(bls._times(3, base))
    assert bls._plain(bls._add(three, bls._double(three))) == bls._plain(bls._times(9, base))


def test_pairings() -> None:
    base = bls.point_of_g2(bls._BASE)
    public = bls.point_of_g2(KEY)
    minus = (BASE_1[0], bls.P - BASE_1[1])
    many = bls._plain(bls._times(77, (*BASE_1, 1)))
    added = base
    for _ in range(76):
        added = bls._along(bls._slope(added, base), added, base)
    assert bls.product_is_one([(many, base), (minus, added)])
    assert not bls.product_is_one([(many, base), (minus, bls._along(bls._slope(added, base), added, base))])
    assert not bls.product_is_one([(BASE_1, base)])
    assert not bls.product_is_one([(BASE_1, base), (minus, public)])
    assert bls.product_is_one([(BASE_1, base), (minus, base)])
    assert bls.product_is_one([])


NUMBER = st.tuples(*[st.integers(0, bls.P - 1)] * 12)


@settings(max_examples=20, deadline=None)
@given(NUMBER, NUMBER, NUMBER)
def test_the_twelfth_extension_is_a_field(a: Any, b: Any, c: Any) -> None:
    assert bls._mul(a, b) == bls._mul(b, a)
    assert bls._mul(bls._mul(a, b), c) == bls._mul(a, bls._mul(b, c))
    assert bls._mul(a, a) == bls._mul(a, (*a,))
    assert bls._mul(a, bls._ONE) == a
    if any(a):
        assert bls._mul(a, bls._inverse(a)) == bls._ONE
    assert bls._to_the_p(bls._mul(a, b)) == bls._mul(bls._to_the_p(a), bls._to_the_p(b))
    assert bls._to_the_p(bls._to_the_p(a)) == bls._to_the_p(a, 2)
    six = a
    for _ in range(3):
        six = bls._to_the_p(six, 2)
    assert six == bls._bar(a)


def test_the_largest_numbers_do_not_overflow() -> None:
    most = (bls.P - 1,) * 12
    assert bls._mul(most, (bls.P - 1, *[0] * 11)) == (1,) * 12
    assert bls._mul(most, most) == bls._mul((1,) * 12, (1,) * 12)


# the accelerator


def test_where_it_is_installed_the_accelerator_agrees(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Any, Any]] = []

    class Point:
        def __init__(self, name: object) -> None:
            self.name = name

        def __neg__(self) -> Point:
            return Point(("minus", self.name))

        @staticmethod
        def from_compressed_bytes(data: bytes) -> Point:
            return Point(data)

        @staticmethod
        def hash_to_curve(message: bytes, dst: bytes) -> Point:
            return Point((message, dst))

    def check(g1: list[Point], g2: list[Point]) -> bool:
        asked.append(([one.name for one in g1], [one.name for one in g2]))
        return len(asked) == 1

    fast = types.SimpleNamespace(G1Point=Point, G2Point=Point, GT=types.SimpleNamespace(pairing_check=check))
    monkeypatch.setitem(sys.modules, "py_arkworks_bls12381", fast)  # type: ignore[arg-type]
    message = hashlib.sha256((1000).to_bytes(8, "big")).digest()
    assert bls.verify_round(KEY, 1000, SIGNATURE)
    assert asked == [([("minus", SIGNATURE), (message, bls.DST)], [bls._BASE, KEY])]
    assert not bls.verify_round(KEY, 1000, SIGNATURE), "it may object"
    assert not bls.verify_round(KEY, 1001, SIGNATURE)
    assert len(asked) == 2, "it is not asked about what does not hold anyway"
