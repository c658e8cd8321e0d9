"""Lots that nobody draws by hand: they follow from a seed, and the seed from what several gave, the director
bound to his part beforehand.

The director fixes a secret when the tournament is made (``commitment`` is told at once), entries are closed
and hashed, and only then entrants say lines. Who knows the secret does not know the lines, and who says a
line does not know the secret: only the director together with whoever speaks last could choose. A director
who leaves a line out is seen by whose line it is, for all that were used are told.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Sequence


def commitment(tournament: str, secret: bytes) -> str:
    """Return what a secret is bound by before anybody has entered: 64 hex digits."""
    return _digest("commitment", tournament, secret.hex())


def seed(tournament: str, closed: str, secret: bytes, lines: Sequence[tuple[str, str]]) -> bytes:
    """Return the seed of all lots, 32 bytes.

    ``closed`` is the digest of the record that closed the entries; ``lines`` are players with their words in
    normal form, in the order of the entries.
    """
    said = (f"{player} {words}" for player, words in lines)
    return bytes.fromhex(_digest("lots", tournament, closed, secret.hex(), *said))


def lot(seed_: bytes, name: str) -> str:
    """Return the lot of somebody or something: hex digits, and the lower one goes first."""
    return hmac.new(seed_, f"pbem lot\n{name}\n".encode(), hashlib.sha256).hexdigest()


def drawn(seed_: bytes, names: Iterable[str]) -> list[str]:
    """Return names in the order of their lots."""
    return sorted(names, key=lambda name: lot(seed_, name))


def _digest(*parts: str) -> str:
    return hashlib.sha256("".join(f"{part}\n" for part in ("pbem tournament", *parts)).encode()).hexdigest()
