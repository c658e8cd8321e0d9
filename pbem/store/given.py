"""The verifiers that pbem ever gave away, by digest: its own, those of each release, and those of sources in
between (``given.txt``).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from pbem.store.library import verifiers
from pbem.store.releases import releases

FILE: Final = Path(__file__).resolve().parent.parent / "verifiers" / "given.txt"
"""Lines as ``sha256sum`` writes them; ``make digests`` adds to it."""


@cache
def known_verifiers() -> Mapping[str, frozenset[str]]:
    """Return the SHA-256 of every verifier that is known, by its name in an archive
    (``verify/pd1_verify.py``).
    """
    known = {path: {hashlib.sha256(data).hexdigest()} for path, data in verifiers().items()}
    for path, digests in known.items():
        for release in releases():
            digests.update(release.files.get(path, ()))
    for line in FILE.read_text("utf-8").splitlines():
        digest, _, name = line.partition("  ")
        known.setdefault(f"verify/{name}", set()).add(digest)
    return {path: frozenset(digests) for path, digests in known.items()}
