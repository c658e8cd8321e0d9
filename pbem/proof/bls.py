"""BLS signatures on BLS12-381 as the drand network quicknet makes them: signature in G1, key in G2 (scheme
bls-unchained-g1-rfc9380).

Pure arithmetic on whole numbers, to verify and for nothing else: nothing here is secret, so it is not in
constant time. Which round a game has to use is decided in ``resulting``. Where the package
``py-arkworks-bls12381`` is installed it has to agree.

A number of the twelfth extension is twelve numbers mod P, the powers of w with w^12 = 2 w^6 - 2; its square
subfield is a + b u with u = w^6 - 1. Two of them are multiplied as two very long whole numbers, each
coefficient in a field wide enough for any carry.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from importlib import import_module

P = int(
    "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab", 16
)
R = int("73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001", 16)
T = 0xD201000000010000
"""Minus the parameter of the curve: P and R are polynomials of it."""
DST = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"

_Complex = tuple[int, int]
_Jacobian = tuple[int, int, int]
_Twist = tuple[_Complex, _Complex]
_Long = tuple[int, ...]


class NoPoint(Exception):
    """Bytes that are not the compressed form of a point of the group."""


# --- G1: y^2 = x^3 + 4 mod P, in Jacobian coordinates (x / z^2, y / z^3); z = 0 is the neutral point


def _double(point: _Jacobian) -> _Jacobian:
    x, y, z = point
    yy = y * y % P
    s = 4 * x * yy % P
    m = 3 * x * x % P
    new = (m * m - 2 * s) % P
    return new, (m * (s - new) - 8 * yy * yy) % P, 2 * y * z % P


def _add(one: _Jacobian, other: _Jacobian) -> _Jacobian:
    if not one[2] or not other[2]:
        return other if not one[2] else one
    zz1, zz2 = one[2] * one[2] % P, other[2] * other[2] % P
    u1, u2 = one[0] * zz2 % P, other[0] * zz1 % P
    s1, s2 = one[1] * zz2 * other[2] % P, other[1] * zz1 * one[2] % P
    if u1 == u2:
        return _double(one) if s1 == s2 else (1, 1, 0)
    h, r = u2 - u1, s2 - s1
    hh = h * h % P
    hhh, v = h * hh % P, u1 * hh % P
    new = (r * r - hhh - 2 * v) % P
    return new, (r * (v - new) - s1 * hhh) % P, h * one[2] * other[2] % P


def _times(number: int, point: _Jacobian) -> _Jacobian:
    made: _Jacobian = (1, 1, 0)
    while number:
        if number & 1:
            made = _add(made, point)
        point = _double(point)
        number >>= 1
    return made


def _plain(point: _Jacobian) -> tuple[int, int]:
    inverse = pow(point[2], -1, P)
    square = inverse * inverse % P
    return point[0] * square % P, point[1] * square * inverse % P


def _square_root(number: int) -> int | None:
    found = pow(number, (P + 1) >> 2, P)
    return found if found * found % P == number % P else None


def _take(data: bytes, size: int) -> tuple[int, bool]:
    """Return the number in a compressed point and its sign; NoPoint for another length, form, or the neutral
    point.
    """
    if len(data) != size or not data[0] & 0x80 or data[0] & 0x40:
        raise NoPoint
    return int.from_bytes(data, "big") % (1 << (8 * size - 3)), bool(data[0] & 0x20)


def point_of_g1(data: bytes) -> tuple[int, int]:
    """Return the point of G1 whose compressed form these 48 bytes are; raise NoPoint for any other, also of
    another order.
    """
    x, negative = _take(data, 48)
    y = _square_root((pow(x, 3, P) + 4) % P) if x < P else None
    if y is None or _times(R, (x, y, 1))[2]:
        raise NoPoint
    return x, P - y if (2 * y > P) != negative else y


# --- G2: y^2 = x^3 + 4 (1 + u) over the square extension


def _by(one: _Complex, other: _Complex) -> _Complex:
    a, b = one
    c, d = other
    return (a * c - b * d) % P, (a * d + b * c) % P


def _less(one: _Complex, other: _Complex) -> _Complex:
    return (one[0] - other[0]) % P, (one[1] - other[1]) % P


def _over(one: _Complex, other: _Complex) -> _Complex:
    a, b = other
    norm = pow(a * a + b * b, -1, P)
    return _by(one, (a * norm, -b * norm))


def _complex_root(number: _Complex) -> _Complex | None:
    """Return a square root by the formula for P = 3 mod 4, or None."""
    power, made = (P - 3) >> 2, (1, 0)
    for bit in bin(power)[2:]:
        made = _by(made, made)
        made = _by(made, number) if bit == "1" else made
    first = _by(made, number)
    alpha = _by(made, first)
    if alpha == (P - 1, 0):
        found = _by((0, 1), first)
    else:
        power, made = (P - 1) >> 1, (1, 0)
        base = ((alpha[0] + 1) % P, alpha[1])
        for bit in bin(power)[2:]:
            made = _by(made, made)
            made = _by(made, base) if bit == "1" else made
        found = _by(made, first)
    return found if _by(found, found) == number else None


def _slope(one: _Twist, other: _Twist) -> _Complex:
    if one == other:
        a, b = _by(one[0], one[0])
        return _over((3 * a, 3 * b), (2 * one[1][0], 2 * one[1][1]))
    return _over(_less(other[1], one[1]), _less(other[0], one[0]))


def _along(slope: _Complex, one: _Twist, other: _Twist) -> _Twist:
    """Return the sum of two points, given the slope between them."""
    x = _less(_less(_by(slope, slope), one[0]), other[0])
    return x, _less(_by(slope, _less(one[0], x)), one[1])


@lru_cache(maxsize=16)
def point_of_g2(data: bytes) -> _Twist:
    """Return the point of G2 whose compressed form these 96 bytes are; raise NoPoint for any other, also of
    another order.
    """
    number, negative = _take(data, 96)
    x = number % (1 << 384), number >> 384
    cube = _by(_by(x, x), x)
    y = _complex_root(((cube[0] + 4) % P, (cube[1] + 4) % P)) if max(x) < P else None
    # No point of order R has y = 0: that would be one of order 2.
    if y is None or y == (0, 0) or not _is_of_order_r((x, y)):
        raise NoPoint
    upper = 2 * y[1] > P if y[1] else 2 * y[0] > P
    return x, _less((0, 0), y) if upper != negative else y


def _is_of_order_r(point: _Twist) -> bool:
    """Tell whether R times a point is the neutral one: whether (R - 1) times it is its opposite."""
    here = point
    bits = bin(R - 1)[3:]
    for bit in bits:
        for double in (True, False)[: 1 + int(bit)]:
            other = here if double else point
            if here[0] == other[0] and (here[1] != other[1] or here[1] == (0, 0)):
                return False
            here = _along(_slope(here, other), here, other)
    return here == (point[0], _less((0, 0), point[1]))


# --- from a message to a point of G1: RFC 9380, suite BLS12381G1_XMD:SHA-256_SSWU_RO_, sections 5.3.1, 6.6.2
# and appendix E.2


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(word, 16) for word in text.split())


_A = int("144698a3b8e9433d693a02c96d4982b0ea985383ee66a8d8e8981aefd881ac98936f8da0e0f97f5cf428082d584c1d", 16)
_B = int(
    "12e2908d11688030018b12e8753eee3b2016c1f0f24f4070a0b9c14fcef35ef55a23215a316ceaa5d1cc48e98e172be0", 16
)
_X_OVER = _numbers("""
    11a05f2b1e833340b809101dd99815856b303e88a2d7005ff2627b56cdb4e2c85610c2d5f2e62d6eaeac1662734649b7
    17294ed3e943ab2f0588bab22147a81c7c17e75b2f6a8417f565e33c70d1e86b4838f2a6f318c356e834eef1b3cb83bb
    d54005db97678ec1d1048c5d10a9a1bce032473295983e56878e501ec68e25c958c3e3d2a09729fe0179f9dac9edcb0
    1778e7166fcc6db74e0609d307e55412d7f5e4656a8dbf25f1b33289f1b330835336e25ce3107193c5b388641d9b6861
    e99726a3199f4436642b4b3e4118e5499db995a1257fb3f086eeb65982fac18985a286f301e77c451154ce9ac8895d9
    1630c3250d7313ff01d1201bf7a74ab5db3cb17dd952799b9ed3ab9097e68f90a0870d2dcae73d19cd13c1c66f652983
    d6ed6553fe44d296a3726c38ae652bfb11586264f0f8ce19008e218f9c86b2a8da25128c1052ecaddd7f225a139ed84
    17b81e7701abdbe2e8743884d1117e53356de5ab275b4db1a682c62ef0f2753339b7c8f8c8f475af9ccb5618e3f0c88e
    80d3cf1f9a78fc47b90b33563be990dc43b756ce79f5574a2c596c928c5d1de4fa295f296b74e956d71986a8497e317
    169b1f8e1bcfa7c42e0c37515d138f22dd2ecb803a0c5c99676314baf4bb1b7fa3190b2edc0327797f241067be390c9e
    10321da079ce07e272d8ec09d2565b0dfa7dccdde6787f96d50af36003b14866f69b771f8c285decca67df3f1605fb7b
    6e08c248e260e70bd1e962381edee3d31d79d7e22c837bc23c0bf1bc24c6b68c24b1b80b64d391fa9c8ba2e8ba2d229
""")
_Y_OVER = _numbers("""
    90d97c81ba24ee0259d1f094980dcfa11ad138e48a869522b52af6c956543d3cd0c7aee9b3ba3c2be9845719707bb33
    134996a104ee5811d51036d776fb46831223e96c254f383d0f906343eb67ad34d6c56711962fa8bfe097e75a2e41c696
    cc786baa966e66f4a384c86a3b49942552e2d658a31ce2c344be4b91400da7d26d521628b00523b8dfe240c72de1f6
    1f86376e8981c217898751ad8746757d42aa7b90eeb791c09e4a3ec03251cf9de405aba9ec61deca6355c77b0e5f4cb
    8cc03fdefe0ff135caf4fe2a21529c4195536fbe3ce50b879833fd221351adc2ee7f8dc099040a841b6daecf2e8fedb
    16603fca40634b6a2211e11db8f0a6a074a7d0d4afadb7bd76505c3d3ad5544e203f6326c95a807299b23ab13633a5f0
    4ab0b9bcfac1bbcb2c977d027796b3ce75bb8ca2be184cb5231413c4d634f3747a87ac2460f415ec961f8855fe9d6f2
    987c8d5333ab86fde9926bd2ca6c674170a05bfe3bdd81ffd038da6c26c842642f64550fedfe935a15e4ca31870fb29
    9fc4018bd96684be88c9e221e4da1bb8f3abd16679dc26c1e8b6e6a1f20cabe69d65201c78607a360370e577bdba587
    e1bba7a1186bdb5223abde7ada14a23c42a0ca7915af6fe06985e7ed1e4d43b9b3f7055dd4eba6f2bafaaebca731c30
    19713e47937cd1be0dfd0b8f1d43fb93cd2fcbcb6caf493fd1183e416389e61031bf3a5cce3fbafce813711ad011c132
    18b46a908f36f6deb918c143fed2edcc523559b8aaf0c2462e6bfe7f911f643249d9cdf41b44d606ce07c8a4d0074d8e
    b182cac101b9399d155096004f53f447aa7b12a3426b08ec02710e807b4633f06c851c1919211f20d4c04f00b971ef8
    245a394ad1eca9b72fc00ae7be315dc757b3b080d4c158013e6632d3c40659cc6cf90ad1c232a6442d9d3f5db980133
    5c129645e44cf1102a159f748c4a3fc5e673d81d7e86568d9ab0f5d396a7ce46ba1049b6579afb7866b1e715475224b
    15e6be4e990f03ce4ea50b3b42df2eb5cb181d8f84965a3957add4fa95af01b2b665027efec01c7704b456be69c8b604
""")
_BELOW = _numbers("""
    133341fb0962a34cb0504a9c4fada0a5090d38679b4c040d5d1c3afb023a3409fcc0815fea66d8b02bbef9c8b5a66e07
    264908af037bcede00d054cf5d4775e83eb6cf63c76b969f8ed174fb59fcff78d201f46f6cfc4ed6552e59ce75177b0
    1335c502c1f54c49aceea65e87fd7203ba0f626f305fc0cfd606a5dae9f3c8e81a4b3b69600129fabd307c69bf319d39
    94440f65f408a6e930e16e3e92dd17bf60d6e9679a8d3d58593de55ac23703042d609537eb3549aac234d896ca82944
    4afe09d5cf4956a23b6b71f59d2b3407b415a774b7be81bbb6fa99cbc798e0ac98ba725a5bc328016b1c268b4766e85
    1
""")
"""The isogeny: x = _X_OVER / _BELOW^2, y = y * _Y_OVER / _BELOW^3, polynomials of x with the lowest power
first.
"""


def expand(message: bytes, dst: bytes, size: int) -> bytes:
    """Return ``size`` bytes that look random: expand_message_xmd with SHA-256."""
    suffix = dst + len(dst).to_bytes(1, "big")
    start = hashlib.sha256(b"\0" * 64 + message + size.to_bytes(2, "big") + b"\0" + suffix).digest()
    made, last = b"", b"\0" * 32
    for count in range(1, (size + 31) // 32 + 1):
        mixed = int.from_bytes(start, "big") ^ int.from_bytes(last, "big")
        last = hashlib.sha256(mixed.to_bytes(32, "big") + count.to_bytes(1, "big") + suffix).digest()
        made += last
    return made[:size]


def _at(polynomial: Sequence[int], x: int) -> int:
    value = 0
    for factor in reversed(polynomial):
        value = (value * x + factor) % P
    return value


def _map(u: int) -> _Jacobian:
    """Return the point of G1's curve for a number: simplified SWU with Z = 11, then the
    isogeny of degree 11.
    """
    zuu = 11 * u * u % P
    low = zuu * (zuu + 1) % P
    x = _B * pow(11 * _A, -1, P) % P if not low else -_B * (low + 1) * pow(_A * low, -1, P) % P
    right = (x * x * x + _A * x + _B) % P
    y = _square_root(right)
    if y is None:
        # Of x and Z u^2 x exactly one is the x of a point.
        x = x * zuu % P
        y = _square_root((x * x * x + _A * x + _B) % P)
    assert y is not None
    if (y ^ u) & 1:
        y = P - y
    # With z = _BELOW the fractions of the isogeny are Jacobian coordinates as they stand; where it is 0 the
    # point is the neutral one.
    return _at(_X_OVER, x), y * _at(_Y_OVER, x) % P, _at(_BELOW, x)


def hash_to_g1(message: bytes, dst: bytes = DST) -> tuple[int, int] | None:
    """Return the point of G1 that a message stands for (None: the neutral one, which nobody
    will ever see).
    """
    random = expand(message, dst, 128)
    one, other = (_map(int.from_bytes(random[at : at + 64], "big") % P) for at in (0, 64))
    found = _times(T + 1, _add(one, other))
    return _plain(found) if found[2] else None


# --- the twelfth extension

_WIDTH = 96
"""Bytes for each coefficient: twelve products of two numbers below P stay below 2^768."""
_ONE: _Long = (1, *[0] * 11)


def _pack(number: Iterable[int]) -> int:
    return int.from_bytes(b"".join(part.to_bytes(_WIDTH, "little") for part in number), "little")


def _mul(one: _Long, other: _Long) -> _Long:
    product = _pack(one) * (_pack(other) if other is not one else _pack(one))
    data = product.to_bytes(23 * _WIDTH, "little")
    parts = [int.from_bytes(data[at : at + _WIDTH], "little") for at in range(0, 23 * _WIDTH, _WIDTH)]
    for k in range(22, 11, -1):
        parts[k - 6] += 2 * parts[k]
        parts[k - 12] -= 2 * parts[k]
    return tuple(part % P for part in parts[:12])


def _bar(number: _Long) -> _Long:
    """Return the number to the power P^6: w becomes -w."""
    return tuple(-part % P if k & 1 else part for k, part in enumerate(number))


@cache
def _powers(of: int) -> tuple[_Long, ...]:
    """Return w^k to the power P (``of`` 1) or P^2 (2), for k = 0 to 11."""
    if of == 1:
        made, base, power = _ONE, (0, 1, *[0] * 10), P
        while power:
            made = _mul(made, base) if power & 1 else made
            base = _mul(base, base)
            power >>= 1
        found = [_ONE]
        for _ in range(11):
            found.append(_mul(found[-1], made))
        return tuple(found)
    return tuple(_to_the_p(_to_the_p((*[0] * k, 1, *[0] * (11 - k)))) for k in range(12))


def _to_the_p(number: _Long, of: int = 1) -> _Long:
    """Return a number to the power P, or P^2: the coefficients stay, the powers of w change."""
    powers = _powers(of)
    return tuple(
        sum(part * power[place] for part, power in zip(number, powers, strict=True)) % P
        for place in range(12)
    )


def _inverse(number: _Long) -> _Long:
    """Return 1 / number: over its six conjugates, whose product with it lies in the square extension."""
    rest = _bar(number)
    even = _mul(number, rest)
    second = _to_the_p(even, 2)
    others = _mul(second, _to_the_p(second, 2))
    norm = _mul(even, others)
    # a + b u with u = w^6 - 1
    a, b = (norm[0] + norm[6]) % P, norm[6]
    c, d = _over((1, 0), (a, b))
    return _mul(_mul(rest, others), ((c - d) % P, *[0] * 5, d, *[0] * 5))


def _to_the_minus_t(number: _Long) -> _Long:
    """Return a number of the subgroup where 1 / x is the bar of x, to the power -T."""
    made = number
    for bit in bin(T)[3:]:
        made = _mul(made, made)
        made = _mul(made, number) if bit == "1" else made
    return _bar(made)


def _is_one_in_the_end(number: _Long) -> bool:
    """Tell whether the last power of the pairing, three times (P^12 - 1) / R, makes one of a number.

    First (P^6 - 1)(P^2 + 1), then (x - 1)^2 (x + P)(x^2 + P^2 - 1) + 3 with x = -T.
    """
    f = _mul(_bar(number), _inverse(number))
    f = _mul(_to_the_p(f, 2), f)
    one = _mul(_to_the_minus_t(f), _bar(f))
    two = _mul(_to_the_minus_t(one), _bar(one))
    three = _mul(_to_the_minus_t(two), _to_the_p(two))
    four = _mul(_mul(_to_the_minus_t(_to_the_minus_t(three)), _to_the_p(three, 2)), _bar(three))
    return _mul(four, _mul(_mul(f, f), f)) == _ONE


def _line(slope: _Complex, through: _Twist, x: int, y: int) -> _Long:
    """Return the line through a point of G2 at a point of G1, times w^3, which the last power takes away."""
    a, b = _less(_by(slope, through[0]), through[1])
    c, d = -slope[0] * x % P, -slope[1] * x % P
    return ((a - b) % P, 0, (c - d) % P, y, 0, 0, b, 0, d, 0, 0, 0)


def product_is_one(pairs: Iterable[tuple[tuple[int, int], _Twist]]) -> bool:
    """Tell whether the product of the pairings of some pairs of points of G1 and G2 is one."""
    made = _ONE
    state = [(x, y, q, q) for (x, y), q in pairs]
    for bit in bin(T)[3:]:
        made = _mul(made, made)
        after = []
        for x, y, here, start in state:
            for double in (True, False)[: 1 + int(bit)]:
                other = here if double else start
                slope = _slope(here, other)
                made = _mul(made, _line(slope, here, x, y))
                here = _along(slope, here, other)
            after.append((x, y, here, start))
        state = after
    return _is_one_in_the_end(made)


# --- signatures

_BASE = bytes.fromhex(
    "93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e"
    "024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8"
)
"""The compressed form of the point of G2 that everybody begins from."""


def verify(key: bytes, message: bytes, signature: bytes) -> bool:
    """Tell whether 48 bytes are the signature of a message under a key of 96 bytes; anything else is False,
    never an error.
    """
    try:
        x, y = point_of_g1(signature)
        public, base = point_of_g2(key), point_of_g2(_BASE)
    except NoPoint:
        return False
    point = hash_to_g1(message)
    holds = point is not None and product_is_one([((x, P - y), base), (point, public)])
    return holds and _second_opinion(key, message, signature)


def _second_opinion(key: bytes, message: bytes, signature: bytes) -> bool:
    """Tell what the accelerator says, where it is installed: it may object and never replaces the above."""
    try:
        fast = import_module("py_arkworks_bls12381")
    except ImportError:
        return True
    in_g1 = [-fast.G1Point.from_compressed_bytes(signature), fast.G1Point.hash_to_curve(message, DST)]
    in_g2 = [fast.G2Point.from_compressed_bytes(_BASE), fast.G2Point.from_compressed_bytes(key)]
    return bool(fast.GT.pairing_check(in_g1, in_g2))


def verify_round(key: bytes, number: int, signature: bytes) -> bool:
    """Tell whether this is the signature of a round of an unchained drand network: over SHA-256 of its number
    in 8 bytes.
    """
    if not 0 <= number < 1 << 64:
        return False
    return verify(key, hashlib.sha256(number.to_bytes(8, "big")).digest(), signature)
