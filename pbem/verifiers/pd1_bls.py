#!/usr/bin/env python3
"""Check a round of the drand beacon "quicknet": BLS signatures on BLS12-381, signature in G1, key in G2
(bls-unchained-g1-rfc9380).

    python3 pd1_bls.py ROUND SIGNATURE

One file, standard library only, Python 3.9 or later. pd1_verify.py uses it where it lies beside it. Numbers
of the field are whole numbers mod P, of its square extension pairs (a, b) = a + b*u with u*u = -1, of the
twelfth lists of six pairs, powers of w with w^6 = 1 + u. It is written to be read and not in constant time:
nothing here is secret. Exit: 0 holds, 1 does not, 2 wrong usage.
"""

from __future__ import annotations

import hashlib
import sys
from functools import lru_cache

P = 0x1A0111EA397FE69A4B1BA7B6434BACD764774B84F38512BF6730D2A0F6B0F6241EABFFFEB153FFFFB9FEFFFFFFFFAAAB
R = 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001
X = 0xD201000000010000  # the parameter of the curve, which is -X

QUICKNET_CHAIN = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
QUICKNET_KEY = (
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb"
    "5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
)
QUICKNET_GENESIS, QUICKNET_PERIOD = 1692803367, 3
DST = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"

Pair = tuple[int, int]
G1 = tuple[int, int]  # a point x, y; None is the neutral one
G2 = tuple[Pair, Pair]
Twelve = list[Pair]

BASE_2: G2 = (
    (
        0x024AA2B2F08F0A91260805272DC51051C6E47AD4FA403B02B4510B647AE3D1770BAC0326A805BBEFD48056C8C121BDB8,
        0x13E02B6052719F607DACD3A088274F65596BD0D09920B61AB5DA61BBDC7F5049334CF11213945D57E5AC7D055D042B7E,
    ),
    (
        0x0CE5D527727D6E118CC9CDC6DA2E351AADFD9BAA8CBDD3A76D429A695160D12C923AC9CC3BACA289E193548608B82801,
        0x0606C4A02EA734CC32ACD2B02BC28B99CB3E287E85A763AF267492AB572E99AB3F370D275CEC1DA1AAA9075FF05F79BE,
    ),
)


class Bad(ValueError):
    """Bytes that are no point of the right order, or no signature."""


# ---- the square extension ----


def mul(x: Pair, y: Pair) -> Pair:
    """Return x * y."""
    return (x[0] * y[0] - x[1] * y[1]) % P, (x[0] * y[1] + x[1] * y[0]) % P


def sub(x: Pair, y: Pair) -> Pair:
    """Return x - y."""
    return (x[0] - y[0]) % P, (x[1] - y[1]) % P


def inverse(x: Pair) -> Pair:
    """Return 1 / x."""
    norm = pow(x[0] * x[0] + x[1] * x[1], -1, P)
    return x[0] * norm % P, -x[1] * norm % P


def root(n: int) -> int | None:
    """Return a square root mod P, or None."""
    found = pow(n, (P + 1) // 4, P)
    return found if (found * found - n) % P == 0 else None


def root_2(x: Pair) -> Pair | None:
    """Return a square root in the square extension, or None."""
    norm = root(x[0] * x[0] + x[1] * x[1])
    for half in () if norm is None else ((x[0] + norm) * HALF % P, (x[0] - norm) * HALF % P):
        real = root(half)
        if real:
            found = real, x[1] * pow(2 * real, -1, P) % P
            if mul(found, found) == x:
                return found
    imaginary = root(-x[0] % P)  # of a square that is a negative number of the field
    return (0, imaginary) if x[1] == 0 and imaginary is not None else None


HALF = (P + 1) // 2


# ---- points ----


def slope_1(p: G1, q: G1) -> int:
    """Return the slope of the line through two points of G1, or of the tangent."""
    over = 3 * p[0] * p[0] if p == q else q[1] - p[1]
    return over * pow(2 * p[1] if p == q else q[0] - p[0], -1, P) % P


def plus_1(p: G1 | None, q: G1 | None) -> G1 | None:
    """Return p + q on y^2 = x^3 + 4."""
    if p is None or q is None:
        return q if p is None else p
    if p[0] == q[0] and (p[1] + q[1]) % P == 0:
        return None
    s = slope_1(p, q)
    x = (s * s - p[0] - q[0]) % P
    return x, (s * (p[0] - x) - p[1]) % P


def slope_2(p: G2, q: G2) -> Pair:
    """Return the slope of the line through two points of G2, or of the tangent."""
    if p == q:
        square = mul(p[0], p[0])
        return mul((3 * square[0], 3 * square[1]), inverse((2 * p[1][0], 2 * p[1][1])))
    return mul(sub(q[1], p[1]), inverse(sub(q[0], p[0])))


def plus_2(p: G2 | None, q: G2 | None) -> G2 | None:
    """Return p + q on y^2 = x^3 + 4(1 + u)."""
    if p is None or q is None:
        return q if p is None else p
    if p[0] == q[0] and p[1] != q[1]:
        return None
    s = slope_2(p, q)
    x = sub(sub(mul(s, s), p[0]), q[0])
    return x, sub(mul(s, sub(p[0], x)), p[1])


def times_1(n: int, p: G1 | None) -> G1 | None:
    """Return n * p in G1."""
    total = None
    for bit in bin(n)[2:]:
        total = plus_1(total, total)
        if bit == "1":
            total = plus_1(total, p)
    return total


def times_2(n: int, p: G2 | None) -> G2 | None:
    """Return n * p in G2."""
    total = None
    for bit in bin(n)[2:]:
        total = plus_2(total, total)
        if bit == "1":
            total = plus_2(total, p)
    return total


def read_1(data: bytes) -> G1:
    """Return the point of order R that 48 compressed bytes stand for; Bad for any other,
    the neutral one too.
    """
    flags, x = data[0] >> 5 if data else 0, int.from_bytes(data, "big") & ((1 << 381) - 1)
    y = root(x**3 + 4)
    if len(data) != 48 or flags & 6 != 4 or x >= P or not y:
        raise Bad("no compressed point of G1")
    point = x, y if (y > P // 2) == bool(flags & 1) else P - y
    if times_1(R, point) is not None:
        raise Bad("a point of G1 of another order")
    return point


@lru_cache(maxsize=8)
def read_2(data: bytes) -> G2:
    """Return the point of order R that 96 compressed bytes stand for; Bad for any other,
    the neutral one too.
    """
    if len(data) != 96 or data[0] >> 6 != 2:
        raise Bad("no compressed point of G2")
    x = int.from_bytes(data[48:], "big"), int.from_bytes(data[:48], "big") & ((1 << 381) - 1)
    real, imaginary = mul(mul(x, x), x)
    y = root_2(((real + 4) % P, (imaginary + 4) % P))
    if max(x) >= P or y is None or y == (0, 0):
        raise Bad("no point of G2")
    larger = (y[1] or y[0]) > P // 2
    point = x, y if larger == bool(data[0] & 0x20) else sub((0, 0), y)
    if times_2(R, point) is not None:
        raise Bad("a point of G2 of another order")
    return point


# ---- hashing to G1 (RFC 9380, BLS12381G1_XMD:SHA-256_SSWU_RO_) ----

A_11 = 0x144698A3B8E9433D693A02C96D4982B0EA985383EE66A8D8E8981AEFD881AC98936F8DA0E0F97F5CF428082D584C1D
B_11 = 0x12E2908D11688030018B12E8753EEE3B2016C1F0F24F4070A0B9C14FCEF35EF55A23215A316CEAA5D1CC48E98E172BE0
# The polynomial, lowest power first, whose roots are the x of the kernel of the isogeny to the curve: its
# square is the x_den of the RFC.
KERNEL = (
    0x133341FB0962A34CB0504A9C4FADA0A5090D38679B4C040D5D1C3AFB023A3409FCC0815FEA66D8B02BBEF9C8B5A66E07,
    0x264908AF037BCEDE00D054CF5D4775E83EB6CF63C76B969F8ED174FB59FCFF78D201F46F6CFC4ED6552E59CE75177B0,
    0x1335C502C1F54C49ACEEA65E87FD7203BA0F626F305FC0CFD606A5DAE9F3C8E81A4B3B69600129FABD307C69BF319D39,
    0x94440F65F408A6E930E16E3E92DD17BF60D6E9679A8D3D58593DE55AC23703042D609537EB3549AAC234D896CA82944,
    0x4AFE09D5CF4956A23B6B71F59D2B3407B415A774B7BE81BBB6FA99CBC798E0AC98BA725A5BC328016B1C268B4766E85,
    1,
)


def expanded(message: bytes, dst: bytes, length: int) -> bytes:
    """Return expand_message_xmd with SHA-256 (RFC 9380 section 5.3.1)."""
    tail = dst + bytes([len(dst)])
    first = hashlib.sha256(bytes(64) + message + length.to_bytes(2, "big") + b"\0" + tail).digest()
    block, made = bytes(32), b""
    for number in range(1, -(-length // 32) + 1):
        block = hashlib.sha256(bytes(a ^ b for a, b in zip(first, block)) + bytes([number]) + tail).digest()
        made += block
    return made[:length]


def on_the_other_curve(u: int) -> G1:
    """Return the point of y^2 = x^3 + A_11*x + B_11 for a number (simplified SWU, Z = 11, section 6.6.2)."""
    z = 11 * u * u % P
    below = (z * z + z) % P
    x = (
        B_11 * pow(11 * A_11, -1, P) % P
        if below == 0
        else -B_11 * pow(A_11, -1, P) * (1 + pow(below, -1, P)) % P
    )
    y = root((x**3 + A_11 * x + B_11) % P)
    if y is None:
        x = z * x % P
        y = root((x**3 + A_11 * x + B_11) % P)
    assert y is not None  # one of the two is a square
    return x, y if y & 1 == u & 1 else P - y


def through_the_isogeny(p: G1) -> G1 | None:
    """Return the point of G1's curve that the isogeny of degree 11 makes of a point (Kohel's formulas,
    divided by 11).
    """
    x, y = p
    derived, at = list(KERNEL), []
    for _ in range(4):
        at.append(sum(factor * pow(x, power, P) for power, factor in enumerate(derived)) % P)
        derived = [power * factor for power, factor in enumerate(derived)][1:]
    if at[0] == 0:
        return None
    h = pow(at[0], -1, P)
    r = at[1] * h % P
    r_1 = (at[2] * h - r * r) % P
    r_2 = (at[3] * h - 3 * r * at[2] * h + 2 * r**3) % P
    f, f_1, f_2 = x**3 + A_11 * x + B_11, 3 * x * x + A_11, 6 * x
    new_x = 11 * x + 2 * KERNEL[4] - 2 * f_1 * r - 4 * f * r_1
    slope = 11 - 2 * f_2 * r - 6 * f_1 * r_1 - 4 * f * r_2
    ninth = pow(11, -1, P)
    return new_x * ninth**2 % P, y * slope * ninth**3 % P


def hashed(message: bytes, dst: bytes = DST) -> G1 | None:
    """Return the point of G1 that a message stands for."""
    random = expanded(message, dst, 128)
    numbers = (int.from_bytes(random[at : at + 64], "big") % P for at in (0, 64))
    one, two = (through_the_isogeny(on_the_other_curve(u)) for u in numbers)
    return times_1(X + 1, plus_1(one, two))


# ---- the pairing ----


def times_12(x: Twelve, y: Twelve) -> Twelve:
    """Return x * y, where y may have fewer terms."""
    real, imaginary = [0] * 11, [0] * 11
    for j, (c, d) in enumerate(y):
        if c or d:
            for i, (a, b) in enumerate(x):
                real[i + j] += a * c - b * d
                imaginary[i + j] += a * d + b * c
    for k in range(5):  # w^6 = 1 + u
        real[k] += real[k + 6] - imaginary[k + 6]
        imaginary[k] += real[k + 6] + imaginary[k + 6]
    return [(real[k] % P, imaginary[k] % P) for k in range(6)]


def line(s: Pair, t: G2, p: G1) -> Twelve:
    """Return the line of slope s through t, at p, times w^3: the last power takes such a factor away."""
    return [sub(mul(s, t[0]), t[1]), (0, 0), (-s[0] * p[0] % P, -s[1] * p[0] % P), (p[1], 0)]


def paired(pairs: list[tuple[G1, G2]]) -> Twelve:
    """Return the product of the pairings of points (Miller's loop over X) before the last power."""
    total: Twelve = [(1, 0)] + [(0, 0)] * 5
    here = [q for _, q in pairs]
    for bit in bin(X)[3:]:
        total = times_12(total, total)
        for n, (p, q) in enumerate(pairs):
            for other in (here[n], q)[: 1 + (bit == "1")]:
                total = times_12(total, line(slope_2(here[n], other), here[n], p))
                after = plus_2(here[n], other)
                assert after is not None  # points of order R, and X is smaller
                here[n] = after
    return total


def is_one(x: Twelve) -> bool:
    """Tell whether the last power of the pairing, (P^12 - 1) / R, makes one of it.

    That number is (P^6 - 1)(P^2 + 1)(P^4 - P^2 + 1) / R. To the power P^2 + 1: w becomes w * gamma in the
    power P^2. To the power (P^4 - P^2 + 1) / R: one multiplication for each four bits. Then P^6 - 1 makes one
    of it exactly if P^6, which turns the sign of w, leaves it as it is: if it has no odd power of w.
    """
    gamma = pow(2, (P - 1) // 6, P)
    x = times_12(x, [(a * gamma**k % P, b * gamma**k % P) for k, (a, b) in enumerate(x)])
    table: list[Twelve] = [[(1, 0)] + [(0, 0)] * 5]
    for _ in range(15):
        table.append(times_12(table[-1], x))
    total = table[0]
    for digit in f"{(P**4 - P**2 + 1) // R:x}":
        for _ in range(4):
            total = times_12(total, total)
        total = times_12(total, table[int(digit, 16)])
    return total[1] == total[3] == total[5] == (0, 0)


def verify(key: bytes, message: bytes, signature: bytes) -> bool:
    """Tell whether 48 bytes are the signature of a message under a key of 96 bytes; anything else is False,
    never an error.
    """
    try:
        sigma, public = read_1(signature), read_2(key)
    except Bad:
        return False
    point = hashed(message)
    if point is None:
        return False
    return is_one(paired([((sigma[0], P - sigma[1]), BASE_2), (point, public)]))


def verify_round(number: int, signature: str) -> bool:
    """Tell whether this is the signature, in hex, of a round of quicknet."""
    try:
        raw, message = bytes.fromhex(signature), hashlib.sha256(number.to_bytes(8, "big")).digest()
    except (ValueError, OverflowError):
        return False
    return verify(bytes.fromhex(QUICKNET_KEY), message, raw)


def main(arguments: list[str]) -> int:
    """Do what the command line asks."""
    if len(arguments) != 2 or not arguments[0].isdecimal():
        print("usage: python3 pd1_bls.py ROUND SIGNATURE", file=sys.stderr)
        return 2
    if not verify_round(int(arguments[0]), arguments[1]):
        print(f"FAIL  not the signature of round {arguments[0]} of drand quicknet")
        return 1
    randomness = hashlib.sha256(bytes.fromhex(arguments[1])).hexdigest()
    print(f"PASS  round {arguments[0]} of drand quicknet, randomness {randomness}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
