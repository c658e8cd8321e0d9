"""cryptography and hashlib: checking signatures and hashing, nothing else."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

Signature = tuple[bytes, bytes, bytes]
"""Public key, signature, what was signed."""
Hash = tuple[str, bytes]
"""Algorithm, bytes."""
Mac = tuple[bytes, bytes]
"""Key, bytes."""


def check(signatures: Sequence[Signature], hashes: Sequence[Hash], macs: Sequence[Mac]) -> None:
    """Check signatures, compute hashes and HMACs; InvalidSignature where a signature does not hold."""
    for key, signature, signed in signatures:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, signed)
    for algorithm, data in hashes:
        (hashlib.sha256 if algorithm == "sha256" else hashlib.sha512)(data).digest()
    for secret, data in macs:
        hmac.digest(secret, data, "sha256")
