"""A proof that a head was in a log, in one file that needs nothing else (C2SP tlog-proof): the head, its
place, and a checkpoint.

It lasts when the log is gone. What it cannot show is that the log has no other history of the game.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from pbem.core.regex import regex
from pbem.proof.merkle import MAX_PROOF, is_included, leaf_hash
from pbem.proof.note import MAX_NOTE, BadNote, Checkpoint, Note, checkpoint_of, parse
from pbem.proof.tiles import MAX_ENTRY, MAX_SIZE

FIRST_LINE: Final = "c2sp.org/tlog-proof@v1"
MAX_FILE: Final = 2 * MAX_NOTE
_INDEX: Final = regex(r"index (0|[1-9][0-9]{0,15})")


class LogProof(Struct, frozen=True):
    """An entry of a log, its number from 0, the hashes that lead to the root, and the checkpoint with that
    root.
    """

    entry: bytes
    index: int
    hashes: tuple[bytes, ...]
    note: Note

    @property
    def tree(self) -> Checkpoint:
        """Return what the checkpoint says; BadNote where it is none."""
        return checkpoint_of(self.note)

    @property
    def holds(self) -> bool:
        """Tell whether the entry is in the tree of the checkpoint. Who signed that is another question."""
        tree = self.tree
        return tree.size <= MAX_SIZE and is_included(
            self.index, tree.size, leaf_hash(self.entry), self.hashes, tree.root
        )

    @property
    def data(self) -> bytes:
        """Return the file."""
        lines = [
            FIRST_LINE,
            f"extra {_encoded(self.entry)}",
            f"index {self.index}",
            *map(_encoded, self.hashes),
        ]
        return "".join(f"{line}\n" for line in lines).encode() + b"\n" + self.note.data


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _decoded(text: str) -> bytes:
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise BadNote("proof") from None
    if _encoded(data) != text:
        raise BadNote("proof")
    return data


def read_proof(data: bytes) -> LogProof:
    """Take such a file apart; BadNote where it is none. ``holds`` says whether it proves anything."""
    head, blank, note = data.partition(b"\n\n")
    try:
        lines = head.decode("ascii").split("\n")
    except UnicodeDecodeError:
        raise BadNote("proof") from None
    if len(data) > MAX_FILE or not blank or not 3 <= len(lines) <= 3 + MAX_PROOF or lines[0] != FIRST_LINE:
        raise BadNote("proof")
    index = _INDEX.fullmatch(lines[2])
    hashes: Sequence[bytes] = [_decoded(line) for line in lines[3:]]
    entry = _decoded(lines[1].removeprefix("extra "))
    if (
        not lines[1].startswith("extra ")
        or index is None
        or len(entry) > MAX_ENTRY
        or any(len(one) != 32 for one in hashes)
    ):
        raise BadNote("proof")
    found = LogProof(entry, int(index[1]), tuple(hashes), parse(note))
    checkpoint_of(found.note)
    return found
