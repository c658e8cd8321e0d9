"""Trees of commitments: what a party is bound to from its join on, a leaf for each slot. A leaf that is given
gives away itself alone.

Pure functions over bytes. A value comes with its *path*, the hashes that lead from its leaf up to one that is
known already; what is known of whom is in ``known``, and who may give which value when is decided in
``ledger`` and ``verify``.
"""

from __future__ import annotations

import hashlib
import hmac
from binascii import hexlify
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from pbem.proof.dice_protocol import MAX_SLOT, Keyed

DEPTH: Final = 14
LEAVES: Final = 1 << DEPTH
_HASH: Final = 32


def leaf(game: str, who: str, slot: int, x: str) -> bytes:
    """Return the hash by which a tree holds the value ``x`` (64 hex digits) of a slot."""
    return hashlib.sha256(f"pd1/leaf\n{game}\n{who}\n{slot}\n{x}\n".encode()).digest()


def node(left: bytes, right: bytes) -> bytes:
    """Return the hash over two hashes of a tree."""
    return hashlib.sha256(b"pd1/node\n%b\n%b\n" % (hexlify(left), hexlify(right))).digest()


def fold(slot: int, hashed: bytes, path: Iterable[bytes]) -> bytes:
    """Return what the leaf of a slot makes with the hashes beside its way up, the lowest first."""
    for level, beside in enumerate(path):
        hashed = node(beside, hashed) if slot >> level & 1 else node(hashed, beside)
    return hashed


def path_length(slot: int, last: int | None) -> int:
    """Return how many hashes the value of a slot brings: up to where its way meets that of ``last``, the slot
    given before, or the root.
    """
    return DEPTH if last is None else (slot ^ last).bit_length() - 1


def whole_path(game: str, who: str, given: Iterable[tuple[int, str, Sequence[str]]]) -> tuple[str, ...]:
    """Return all 14 hashes beside the way of the newest value, from the slots, values and paths given so far,
    verified and in order.
    """
    whole = [b""] * DEPTH
    before: tuple[int, bytes] | None = None
    for slot, x, path in given:
        own, brought = leaf(game, who, slot, x), [bytes.fromhex(beside) for beside in path]
        if before is not None:
            # Where the two ways meet, each comes from the side of the other; above that they are one.
            whole[len(brought)] = fold(before[0], before[1], whole[: len(brought)])
        whole[: len(brought)] = brought
        before = slot, own
    return tuple(beside.hex() for beside in whole)


class Tree:
    """A tree over the values of 16384 slots, of which a game uses 10000; it is built when a hash is asked
    for, in about 0.1 s.
    """

    def __init__(self, secret: bytes, game: str, who: str) -> None:
        if len(secret) != 32:
            raise ValueError("the secret of a tree has 32 bytes")
        self._secret = secret
        self.game = game
        self.who = who

    @property
    def root(self) -> str:
        """Return the hash over all values, which is published when joining."""
        return _levels(self._secret, self.game, self.who)[DEPTH].hex()

    def value(self, slot: int) -> str:
        """Return the value for a slot from 1 to 10000; give it out only under rule R8."""
        if not 1 <= slot <= MAX_SLOT:
            raise ValueError(f"slot {slot} is not a number from 1 to {MAX_SLOT}")
        return _value(self._secret, self.game, self.who, slot).hex()

    def path(self, slot: int, last: int | None) -> tuple[str, ...]:
        """Return the hashes that go with the value of a slot where that of ``last`` was the one given before
        (None: none was).
        """
        levels = _levels(self._secret, self.game, self.who)
        beside = (_HASH * (slot >> level ^ 1) for level in range(path_length(slot, last)))
        return tuple(levels[level][at : at + _HASH].hex() for level, at in enumerate(beside))


def _value(secret: bytes, game: str, who: str, slot: int) -> bytes:
    return hmac.digest(secret, f"pd1/value\n{game}\n{who}\n{slot}\n".encode(), "sha256")


@lru_cache(maxsize=32)
def _levels(secret: bytes, game: str, who: str) -> tuple[bytes, ...]:
    """Return the hashes of a tree level by level from its leaves to its root; remembered, for each slot asks
    for them (1 MB).
    """
    values, before = (
        Keyed(secret, f"pd1/value\n{game}\n{who}\n".encode()),
        f"pd1/leaf\n{game}\n{who}\n".encode(),
    )
    hashes = [
        hashlib.sha256(b"%b%d\n%b\n" % (before, slot, hexlify(values.digest(b"%d\n" % slot)))).digest()
        for slot in range(LEAVES)
    ]
    levels = [b"".join(hashes)]
    while len(hashes) > 1:
        hashes = [node(left, right) for left, right in zip(hashes[::2], hashes[1::2], strict=True)]
        levels.append(b"".join(hashes))
    return tuple(levels)
