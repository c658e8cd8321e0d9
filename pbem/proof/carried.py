"""What an archive carries along to be run: whoever made the archive could have exchanged it, for nothing in the ledger names it."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from typing import Final

from pbem.proof.archive import Archive, content
from pbem.proof.history import Finding

FOLDER: Final = "verify/"
HOWTO: Final = "verify/HOWTO.txt"
_STRANGE: Final = (
    "no release of pbem that this program knows has this file: do not run it; take the verifier from a release,"
    " and compare its SHA-256 (docs/digests.md)"
)


def strange_verifiers(archive: Archive, known: Mapping[str, Collection[str]]) -> tuple[Finding, ...]:
    """Return a warning for each file of ``verify/`` whose SHA-256 is not known under its name; HOWTO.txt is to be read, not run."""
    found = []
    for path in sorted(path for path in archive if path.startswith(FOLDER) and path != HOWTO):
        data = content(archive, path)
        digest = "" if data is None else hashlib.sha256(data).hexdigest()
        if digest not in known.get(path.removeprefix(FOLDER), ()):
            found.append(Finding("W", path, _STRANGE))
    return tuple(found)
