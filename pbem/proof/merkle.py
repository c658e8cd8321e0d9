"""The Merkle tree of RFC 6962 over the entries of a log: its root, proofs that an entry is in it, and that a
later tree holds an earlier.

Pure functions. A tree is read through a ``Reader``, so a proof of a large one costs a few hashes and not all
of them; how the hashes lie in files is decided in ``tiles``. The checks are those of RFC 9162, 2.1.3.2 and
2.1.4.2, which have no tree at hand.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Final

EMPTY: Final = hashlib.sha256(b"").digest()
"""The root of a tree without entries."""
MAX_PROOF: Final = 64
"""Hashes of a proof at most; one over 2^63 entries has fewer."""

Reader = Callable[[int, int], bytes]
"""From a level and an index to the root of the full subtree there: that of the entries from index * 2^level
on, 2^level of them.
"""


def leaf_hash(entry: bytes) -> bytes:
    """Return the hash of an entry."""
    return hashlib.sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash over two subtrees."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def from_leaves(hashes: Sequence[bytes]) -> Reader:
    """Return a reader of the tree over some hashes of entries, all held in memory; each level is worked out
    when it is first asked for.
    """
    levels = [list(hashes)]

    def read(level: int, index: int) -> bytes:
        while len(levels) <= level:
            below = levels[-1]
            levels.append([node_hash(below[at], below[at + 1]) for at in range(0, len(below) - 1, 2)])
        return levels[level][index]

    return read


def _split(count: int) -> int:
    """Return the largest power of two that is less than a count of 2 or more."""
    return 1 << ((count - 1).bit_length() - 1)


def _subtree(read: Reader, first: int, count: int) -> bytes:
    """Return the root over some entries; as RFC 6962 cuts a tree, ``first`` is a multiple of the power of two
    that covers them.
    """
    if count & (count - 1) == 0:
        level = count.bit_length() - 1
        return read(level, first >> level)
    left = _split(count)
    return node_hash(_subtree(read, first, left), _subtree(read, first + left, count - left))


def root(size: int, read: Reader) -> bytes:
    """Return the root of the tree over the first ``size`` entries."""
    return _subtree(read, 0, size) if size else EMPTY


def inclusion_proof(index: int, size: int, read: Reader) -> list[bytes]:
    """Return the proof that the entry at an index is in the tree of a size (RFC 6962, 2.1.1); ValueError
    where it cannot be.
    """
    if not 0 <= index < size:
        raise ValueError(f"entry {index} of {size}")
    proof: list[bytes] = []
    first, count = 0, size
    while count > 1:
        left = _split(count)
        if index - first < left:
            proof.append(_subtree(read, first + left, count - left))
            count = left
        else:
            proof.append(_subtree(read, first, left))
            first, count = first + left, count - left
    return proof[::-1]


def consistency_proof(old: int, new: int, read: Reader) -> list[bytes]:
    """Return the proof that the tree of size ``new`` begins with that of size ``old`` (RFC 6962, 2.1.2);
    ValueError where it cannot.
    """
    if not 0 <= old <= new:
        raise ValueError(f"a tree of {new} entries from one of {old}")
    if old in (0, new):
        return []
    proof: list[bytes] = []
    first, count, whole = 0, new, True
    while old - first != count:
        left = _split(count)
        if old - first <= left:
            proof.append(_subtree(read, first + left, count - left))
            count = left
        else:
            proof.append(_subtree(read, first, left))
            first, count, whole = first + left, count - left, False
    if not whole:
        proof.append(_subtree(read, first, count))
    return proof[::-1]


def _are_hashes(*values: bytes) -> bool:
    return all(len(value) == 32 for value in values)


def is_included(index: int, size: int, leaf: bytes, proof: Sequence[bytes], tree: bytes) -> bool:
    """Tell whether a proof shows that the hash of an entry is at an index of the tree with that size and root
    (RFC 9162, 2.1.3.2).
    """
    if not 0 <= index < size or len(proof) > MAX_PROOF or not _are_hashes(leaf, tree, *proof):
        return False
    at, last, made = index, size - 1, leaf
    for beside in proof:
        if last == 0:
            return False
        if at & 1 or at == last:
            made = node_hash(beside, made)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            made = node_hash(made, beside)
        at, last = at >> 1, last >> 1
    return last == 0 and made == tree


def is_consistent(old: int, new: int, before: bytes, after: bytes, proof: Sequence[bytes]) -> bool:
    """Tell whether a proof shows that the tree of size ``new`` and root ``after`` begins with that of ``old``
    and ``before``.

    RFC 9162, 2.1.4.2. Of no entries at all every tree is a continuation, if its root is that of none.
    """
    if not 0 <= old <= new or len(proof) > MAX_PROOF or not _are_hashes(before, after, *proof):
        return False
    if old == 0:
        return not proof and before == EMPTY and (new > 0 or after == EMPTY)
    if old == new:
        return not proof and before == after
    path = [before, *proof] if old & (old - 1) == 0 else list(proof)
    if not proof or not path:
        return False
    at, last = old - 1, new - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    first, second = path[0], path[0]
    for beside in path[1:]:
        if last == 0:
            return False
        if at & 1 or at == last:
            first, second = node_hash(beside, first), node_hash(beside, second)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            second = node_hash(second, beside)
        at, last = at >> 1, last >> 1
    return last == 0 and first == before and second == after
