"""Was somebody unlucky? The dice of each side against what is to be expected, and how often chance alone is
as far off.

A die belongs to the side whose player turn it fell in, by the cursor in its label; whether high is good is
not known here, so "as far off" counts both ways. Slots that were taken back are left out. Nothing is proved
by it: dice that hold may be bad.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate

from msgspec import Struct

from pbem.core.sequence import parse_cursor
from pbem.proof.history import Counted, Ledger, Tally

FEW_SIZES, MOST_SUMS, MOST_STEPS = 8, 100_000, 2_000_000
"""Of so many sizes of dice, with so many different sums and so many additions, sums are counted one by one at
most; else the normal curve stands in for them."""


class SizeLuck(Struct, frozen=True):
    """The dice of one size: how many, their mean, and how many showed the lowest or highest tenth (at least
    one face).
    """

    sides: int
    dice: int
    total: int
    low: int
    high: int

    @property
    def faces(self) -> int:
        """Return how many faces the lowest tenth has, and so the highest."""
        return _tenth(self.sides)

    @property
    def mean(self) -> Fraction:
        """Return the mean of the faces."""
        return Fraction(self.total, self.dice)

    @property
    def expected(self) -> Fraction:
        """Return the mean to be expected."""
        return Fraction(self.sides + 1, 2)

    @property
    def tenth(self) -> Fraction:
        """Return how many dice are to be expected in the lowest tenth, and in the highest."""
        return Fraction(self.dice * self.faces, self.sides)


class SideLuck(Struct, frozen=True):
    """The dice of one side: its seats (none: nobody's player turn), by size, and the chance of being as far
    off.

    ``chance`` is that for this side alone, ``corrected`` for the unluckiest or luckiest of all sides that
    rolled.
    """

    side: str
    seats: tuple[str, ...]
    sizes: tuple[SizeLuck, ...]
    chance: float
    corrected: float

    @property
    def dice(self) -> int:
        """Return the number of dice."""
        return sum(size.dice for size in self.sizes)


def _tenth(sides: int) -> int:
    return max(1, sides // 10)


@lru_cache(maxsize=1024)
def side_of(cursor: str) -> str:
    """Return the side in whose player turn a roll fell, by the cursor of its label; empty if in nobody's."""
    try:
        return parse_cursor(cursor).side
    except ValueError:
        return ""


def luck(ledger: Ledger) -> tuple[SideLuck, ...]:
    """Return the luck of each side that rolled, by name; dice of nobody's player turn come last and are not
    compared.
    """
    seats: dict[str, tuple[str, ...]] = {}
    for name in sorted(ledger.seats):
        seats[ledger.seats[name].side] = (*seats.get(ledger.seats[name].side, ()), name)
    return luck_of((slot.tally for slot in ledger.slots.values() if not slot.undone), seats)


def counted(values: Mapping[tuple[str, int], Sequence[int]]) -> Tally:
    """Return of dice by cursor and size how many they are, their sum, and how many showed the lowest and the
    highest tenth.
    """
    return {(cursor, sides): _count(sides, rolled) for (cursor, sides), rolled in values.items()}


def _count(sides: int, values: Sequence[int]) -> Counted:
    low, high = _tenth(sides), sides - _tenth(sides)
    return (
        len(values),
        sum(values),
        sum(value <= low for value in values),
        sum(value > high for value in values),
    )


def luck_of(tallies: Iterable[Tally], seats: Mapping[str, tuple[str, ...]]) -> tuple[SideLuck, ...]:
    """Return the luck of each side among the dice that were counted; ``seats`` has the seats of each side."""
    by_side: dict[str, dict[int, Counted]] = {}
    for tally in tallies:
        for (cursor, sides), (dice, total, low, high) in tally.items():
            side = side_of(cursor)
            sizes = by_side.setdefault(side if side in seats else "", {})
            before = sizes.get(sides, (0, 0, 0, 0))
            sizes[sides] = before[0] + dice, before[1] + total, before[2] + low, before[3] + high
    compared = sum(1 for side in by_side if side)
    found = []
    for side in sorted(by_side, key=lambda side: (not side, side)):
        sizes_ = tuple(SizeLuck(sides, *count) for sides, count in sorted(by_side[side].items()))
        chance = as_far_off(sizes_)
        corrected = -math.expm1(compared * math.log1p(-chance)) if side and chance < 1 else chance
        found.append(SideLuck(side, seats.get(side, ()), sizes_, chance, corrected))
    return tuple(found)


def as_far_off(sizes: Iterable[SizeLuck]) -> float:
    """Return the chance that fair dice are at least as far from the middle, high or low, as these were.

    Each die counts from -1 (its lowest face) to 1 (its highest), so that dice of all sizes weigh the same.
    Exact by counting where the sums are few, else by the normal curve (of dice of one size with half a step
    taken in).
    """
    listed = [size for size in sizes if size.dice]
    if not listed:
        return 1.0
    dice = sum(size.dice for size in listed)
    # The common unit of many sizes is a number without end, so it is asked for only where it can be used.
    unit = math.lcm(*(size.sides - 1 for size in listed)) if len(listed) <= FEW_SIZES else MOST_SUMS + 1
    if dice * unit <= MOST_SUMS and dice * dice * unit <= MOST_STEPS:
        weights = tuple((size, unit // (size.sides - 1)) for size in listed)
        return float(_counted(weights, abs(sum(weight * _off(size) for size, weight in weights))))
    off = abs(sum(_off(size) / (size.sides - 1) for size in listed))
    step = 1 / (listed[0].sides - 1) if len(listed) == 1 else 0.0
    variance = sum(size.dice * (size.sides + 1) / (size.sides - 1) for size in listed) / 3
    return math.erfc(max(0.0, off - step) / math.sqrt(2 * variance))


def _off(size: SizeLuck) -> int:
    """Return twice the distance of the sum of some dice from its middle."""
    return 2 * size.total - size.dice * (size.sides + 1)


@lru_cache(maxsize=64)
def _counted(weights: tuple[tuple[SizeLuck, int], ...], off: int) -> Fraction:
    """Return the exact chance of a sum of weighted faces at least ``off`` half-steps from the middle."""
    ways, faces, span = [1], 1, 0
    for size, weight in weights:
        for _ in range(size.dice):
            ways = _plus(ways, size.sides, weight)
            faces *= size.sides
        span += size.dice * weight * (size.sides - 1)
    return Fraction(sum(count for total, count in enumerate(ways) if abs(2 * total - span) >= off), faces)


def _plus(ways: list[int], sides: int, weight: int) -> list[int]:
    """Return in how many ways each sum is made with one more die, whose faces count 0, weight, 2 * weight and
    so on.
    """
    longer = ways + [0] * (weight * (sides - 1))
    made = [0] * len(longer)
    for start in range(min(weight, len(longer))):
        sums = list(accumulate(longer[start::weight]))
        made[start::weight] = [
            total - (sums[at - sides] if at >= sides else 0) for at, total in enumerate(sums)
        ]
    return made
