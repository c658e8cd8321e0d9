"""The group of Ed25519 as far as a public key needs it: is this a canonical point of prime order (RFC 8032
section 5.1)?

Pure arithmetic on whole numbers. Signatures are checked in ``signing``.
"""

from __future__ import annotations

from functools import lru_cache

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, P - 2, P) % P
_ROOT = pow(2, (P - 1) // 4, P)

_Point = tuple[int, int, int, int]
_ZERO: _Point = (0, 1, 1, 0)


def _add(a: _Point, b: _Point) -> _Point:
    e = (a[1] - a[0]) * (b[1] - b[0]) % P
    f = (a[1] + a[0]) * (b[1] + b[0]) % P
    g = 2 * a[3] * b[3] * _D % P
    h = 2 * a[2] * b[2] % P
    return (f - e) * (h - g) % P, (h + g) * (f + e) % P, (h - g) * (h + g) % P, (f - e) * (f + e) % P


def _double(a: _Point) -> _Point:
    """Return a point twice: half the work of adding it to itself."""
    x2, y2 = a[0] * a[0] % P, a[1] * a[1] % P
    whole, less = x2 + y2, x2 - y2
    cross, rest = whole - (a[0] + a[1]) ** 2, less + 2 * a[2] * a[2]
    return cross * rest % P, less * whole % P, rest * less % P, cross * whole % P


def _times(n: int, point: _Point) -> _Point:
    total = _ZERO
    for place in reversed(range(n.bit_length())):
        total = _double(total)
        if n >> place & 1:
            total = _add(total, point)
    return total


def _is_zero(point: _Point) -> bool:
    return point[0] % P == 0 and (point[1] - point[2]) % P == 0


def _point(key: bytes) -> _Point | None:
    """Return a point with this y, or None; which of the two is not asked, since both have the same order."""
    y = int.from_bytes(key, "little") & (2**255 - 1)
    if y >= P:
        return None
    u, v = (y * y - 1) % P, (_D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if (v * x * x - u) % P:
        x = x * _ROOT % P
    if (v * x * x - u) % P:
        return None
    return x, y, 1, x * y % P


@lru_cache(maxsize=256)
def is_prime_order(key: bytes) -> bool:
    """Tell whether 32 bytes are the canonical form of a point whose order is the prime L."""
    if len(key) != 32:
        return False
    point = _point(key)
    return point is not None and not _is_zero(point) and _is_zero(_times(L, point))
