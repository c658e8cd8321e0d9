"""What is known of the values of a party: the newest of its chain, or the open hashes of its tree. One value
leads to the next.

A game of pd1.0 begins with chains, one of pd1.1 with trees; a rekey brings a tree into either.
"""

from __future__ import annotations

from typing import ClassVar, Final

from msgspec import Struct

from pbem.proof.dice_protocol import HEX64, Chain, leads_to
from pbem.proof.trees import DEPTH, Tree, fold, leaf, path_length

CHAINS: Final = 1
TREES: Final = 2
"""Revisions of the protocol, as ``v`` of the manifest: pd1.0 and pd1.1."""


class Value(Struct, frozen=True):
    """A value with its path; that of a chain has none, and that of a tree an empty one where nothing new is
    needed.
    """

    x: str
    path: tuple[str, ...] = ()


class ChainKnown(Struct, frozen=True):
    """The newest verified value of a chain and its position; at first its anchor."""

    position: int
    x: str
    kind: ClassVar[str] = "chain"

    def accept(self, game: str, who: str, slot: int, given: Value) -> ChainKnown | None:
        """Return what is known after a value; None where it does not belong to the chain."""
        right = not given.path and leads_to(game, who, slot, given.x, self.position, self.x)
        return ChainKnown(slot, given.x) if right else None


class TreeKnown(Struct, frozen=True):
    """The root of a tree, the slot of its newest verified value, and by level the hashes of what lies to the
    right of it.
    """

    root: str
    last: int | None = None
    right: tuple[bytes | None, ...] = (None,) * DEPTH
    kind: ClassVar[str] = "tree"

    def accept(self, game: str, who: str, slot: int, given: Value) -> TreeKnown | None:
        """Return what is known after a value; None where it does not belong to the tree, or its path is
        another than is needed.
        """
        if self.last is not None and slot <= self.last:
            return None
        length = path_length(slot, self.last)
        if len(given.path) != length or not all(map(HEX64.fullmatch, (given.x, *given.path))):
            return None
        path = [bytes.fromhex(beside) for beside in given.path]
        above = bytes.fromhex(self.root) if length == DEPTH else self.right[length]
        if fold(slot, leaf(game, who, slot, given.x), path) != above:
            return None
        new = (None if slot >> level & 1 else beside for level, beside in enumerate(path))
        return TreeKnown(self.root, slot, (*new, None, *self.right[length + 1 :])[:DEPTH])


Known = ChainKnown | TreeKnown


def fixes(secret: bytes, game: str, who: str, revision: int) -> str:
    """Return what is published of a secret when a game of a revision begins: the root of its tree, or the
    anchor of its chain.
    """
    return Chain(secret, game, who).anchor if revision == CHAINS else Tree(secret, game, who).root


def fixed(by: str, revision: int, position: int = 0) -> Known:
    """Return what is known of values that an anchor or a root fixes; ``position`` is where on its chain an
    anchor stands.
    """
    return ChainKnown(position, by) if revision == CHAINS else TreeKnown(by)
