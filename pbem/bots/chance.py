"""Chance for bots and for games without signatures: values drawn from a text, the same on every machine.

Whoever plays for a stake takes ``proof.dice_protocol`` instead: here everybody can know every value
beforehand.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

from msgspec import Struct

T = TypeVar("T")

_WIDE = 1 << 64
_SYLLABLES = ("ba", "de", "fi", "go", "lu", "ma", "ne", "pi", "ro", "su", "ta", "ve", "wi", "yo", "ka", "le")


def number(text: str, below: int) -> int:
    """Return a number from 0 to ``below - 1`` that depends on the text alone; all are equally likely but for
    one part in 2**64.
    """
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big") * below // _WIDE


class Chance:
    """Numbers one after another, from a seed: the n-th depends on the seed and on n."""

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self._drawn = 0

    def below(self, limit: int) -> int:
        """Return the next number from 0 to ``limit - 1``."""
        self._drawn += 1
        return number(f"{self.seed}\n{self._drawn}", limit)

    def one_of(self, items: Sequence[T]) -> T:
        """Return the next of some items, all equally likely; IndexError where there are none."""
        return items[self.below(len(items))]


def words_from(chance: Chance) -> str:
    """Return words for the luck of a bot: four of two syllables."""
    said = [chance.one_of(_SYLLABLES) for _ in range(8)]
    return " ".join("".join(said[n : n + 2]) for n in range(0, 8, 2))


class SeedDice(Struct, frozen=True):
    """Dice whose faces depend on the seed and on the label alone (``core.dice.Dice``)."""

    seed: str

    def values(self, label: str, sides: int, count: int) -> tuple[int, ...]:
        """Return ``count`` faces from 1 to ``sides``."""
        return tuple(1 + number(f"{self.seed}\n{label}\n{n}", sides) for n in range(count))


class HighDice(Struct, frozen=True):
    """Dice that always show their highest face: for rehearsing what comes of orders if nothing goes one's
    way.
    """

    def values(self, label: str, sides: int, count: int) -> tuple[int, ...]:
        """Return the highest face, ``count`` times."""
        return (sides,) * count
