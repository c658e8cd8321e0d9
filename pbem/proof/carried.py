"""What an archive carries along to be run: whoever made the archive could have exchanged it, for nothing in
the ledger names it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from typing import Final

from pbem.proof.archive import Archive, content
from pbem.proof.history import Finding

FOLDER: Final = "verify/"
HOWTO: Final = "verify/HOWTO.txt"
_STRANGE: Final = (
    "no release of pbem that this program knows has this file: do not run it; "
    "take the verifier from a release,"
    " and compare its SHA-256 (docs/digests.md)"
)


MOST: Final = 20
"""So many are named one by one."""


def strange_verifiers(archive: Archive, known: Mapping[str, Collection[str]]) -> tuple[Finding, ...]:
    """Return a warning for each file of ``verify/`` whose SHA-256 is not known under its path; HOWTO.txt is
    to be read, not run.
    """
    carried = sorted(path for path in archive if path.startswith(FOLDER) and path != HOWTO)
    strange = [path for path in carried if not _is_known(archive, path, known.get(path, ()))]
    found = [Finding("W", path, _STRANGE) for path in strange[:MOST]]
    if len(strange) > MOST:
        found.append(
            Finding("W", FOLDER, f"{len(strange) - MOST} more files that no release has: run none of them")
        )
    return tuple(found)


def _is_known(archive: Archive, path: str, digests: Collection[str]) -> bool:
    data = content(archive, path) if digests else None
    return data is not None and hashlib.sha256(data).hexdigest() in digests
