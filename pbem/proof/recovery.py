"""A recovery code: what a player writes down when he joins, so that a lost key can be replaced on his own
word and not on that of others.

The code makes an Ed25519 key; its public half stands in the join. The code itself never leaves the player.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

from pbem.proof.signing import private_from

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Five bits a letter; I, L, O and U are left out, for they are misread."""
LENGTH: Final = 26
GROUP: Final = 4
_MISREAD: Final = str.maketrans("ILO", "110", " -\t")


class BadCode(ValueError):
    """What was typed is no recovery code; ``reason`` is ``letters``, ``length`` or ``check``."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def new_code(random: bytes) -> str:
    """Return the 26 letters of 16 random bytes."""
    if len(random) != 16:
        raise ValueError("a recovery code has 128 bits")
    number = int.from_bytes(random, "big")
    return "".join(LETTERS[number >> 5 * place & 31] for place in reversed(range(LENGTH)))


def _check(code: str) -> int:
    """Return the remainder of some letters in the field of 32 elements: 0 for a code with its check letter.

    Each letter weighs twice the one after it, so no wrong letter and no two exchanged ones leave it as it
    was.
    """
    rest = 0
    for letter in code:
        rest = (rest << 1 ^ (0b100101 if rest & 16 else 0)) ^ LETTERS.index(letter)
    return rest


def printed(code: str) -> str:
    """Return a code as people write it down: ``7K3M-9QWX-…``, its check letter last."""
    full = code + LETTERS[_check(code + LETTERS[0])]
    return "-".join(full[at : at + GROUP] for at in range(0, len(full), GROUP))


def read_code(typed: str) -> str:
    """Return the 26 letters of what was typed, with or without hyphens, in capitals or not; raise BadCode."""
    full = typed.strip().upper().translate(_MISREAD)
    if not set(full) <= set(LETTERS):
        raise BadCode("letters")
    if len(full) != LENGTH + 1:
        raise BadCode("length")
    if _check(full):
        raise BadCode("check")
    return full[:LENGTH]


def recovery_key(game: str, seat: str, code: str) -> Ed25519PrivateKey:
    """Return the key that a code of 26 letters makes for a seat of a game."""
    return private_from(hashlib.sha256(f"pd1/recovery\n{game}\n{seat}\n{code}\n".encode()).digest())
