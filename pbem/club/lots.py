"""Lots that nobody draws by hand: they follow from a seed, and the seed from what two parties gave after one
another, the first bound to it beforehand.

The director fixes a secret when the tournament is made (``commitment`` is told at once), entries are closed
and hashed, and only then somebody else says words. Who knows the secret does not know the words, and who says
the words does not know the secret: only both together could choose.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable


def commitment(tournament: str, secret: bytes) -> str:
    """Return what a secret is bound by before anybody has entered: 64 hex digits."""
    return _digest("commitment", tournament, secret.hex())


def seed(tournament: str, closed: str, secret: bytes, words: str) -> bytes:
    """Return the seed of all lots, 32 bytes.

    ``closed`` is the digest of the record that closed the entries, ``words`` are in normal form.
    """
    return bytes.fromhex(_digest("lots", tournament, closed, secret.hex(), words))


def lot(seed_: bytes, name: str) -> str:
    """Return the lot of somebody or something: hex digits, and the lower one goes first."""
    return hmac.new(seed_, f"pbem lot\n{name}\n".encode(), hashlib.sha256).hexdigest()


def drawn(seed_: bytes, names: Iterable[str]) -> list[str]:
    """Return names in the order of their lots."""
    return sorted(names, key=lambda name: lot(seed_, name))


def _digest(*parts: str) -> str:
    return hashlib.sha256("".join(f"{part}\n" for part in ("pbem tournament", *parts)).encode()).hexdigest()
