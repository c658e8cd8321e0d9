"""Are the dice even? They are always the same ones, so nothing here is a matter of chance; what is looked for
are slips of the mapping.

20,000 dice of each size, and 500,000 in the longer check. What no number of dice would ever show, the
words that are refused, is checked word by word.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import pytest
from thorough import deeper, tries

from pbem.proof import dice_protocol as dp

pytestmark = deeper
DICE = tries(20_000, 500_000)
SEED = hashlib.sha256(b"seed of the statistics").digest()
SIZES = (2, 3, 4, 6, 8, 10, 12, 20, 100)
ALPHA = 1e-4


def label(number: int) -> str:
    return f"t1.blue.melee/fight/u{number}/1"


def chance(seen: Iterable[int], cells: int, total: int) -> tuple[float, float]:
    """Return how often fair counts are at least as uneven, and at least as even (Wilson and Hilferty's
    curve).
    """
    want = total / cells
    counts = list(seen)
    counts += [0] * (cells - len(counts))
    chi = sum((count - want) ** 2 / want for count in counts)
    free = cells - 1
    z = ((chi / free) ** (1 / 3) - (1 - 2 / (9 * free))) / math.sqrt(2 / (9 * free))
    return math.erfc(z / math.sqrt(2)) / 2, math.erfc(-z / math.sqrt(2)) / 2


def assert_even(found: Sequence[object], cells: int) -> None:
    uneven, even = chance(Counter(found).values(), cells, len(found))
    assert uneven > ALPHA, f"{len(found)} dice are too uneven (p = {uneven:.2g})"
    assert even > ALPHA, f"{len(found)} dice are too even (p = {even:.2g})"


def test_the_curve_is_the_one_of_the_tables() -> None:
    """Chi-square with 5 and 9 degrees of freedom: 20.52 and 27.88 leave .001 above them, 0.554 and 2.088
    leave .01 below.
    """
    for chi, cells, index, p in (
        (20.515, 6, 0, 0.001),
        (27.877, 10, 0, 0.001),
        (0.5543, 6, 1, 0.01),
        (2.0879, 10, 1, 0.01),
    ):
        total = 1000 * cells
        off = math.sqrt(chi * 1000 / 2)
        seen = [1000 + off, 1000 - off, *[1000] * (cells - 2)]
        assert chance(seen, cells, total)[index] == pytest.approx(p, rel=0.3)  # type: ignore[arg-type]


@pytest.mark.parametrize("sides", SIZES)
def test_each_face_turns_up_as_often_as_the_others(sides: int) -> None:
    assert_even([dp.die(SEED, label(number), sides) for number in range(DICE)], sides)


@pytest.mark.parametrize("sides", [6, 10])
def test_dice_of_one_roll(sides: int) -> None:
    rolls = [dp.SeededDice(SEED).values(label(number), sides, 10) for number in range(DICE // 10)]
    assert_even([face for roll in rolls for face in roll], sides)
    assert_even([roll[:2] for roll in rolls], sides**2)


def test_neighbours_have_nothing_to_do_with_each_other() -> None:
    """Names that differ in one letter, the next seed, the next index, another size under the same name."""
    pairs: dict[str, Callable[[int], tuple[int, int]]] = {
        "name": lambda n: (dp.die(SEED, label(n), 6), dp.die(SEED, label(n + 1), 6)),
        "seed": lambda n: (dp.die(SEED, label(n), 6), dp.die(SEED[:31] + bytes([SEED[31] ^ 1]), label(n), 6)),
        "index": lambda n: (dp.die(SEED, label(n), 6, 0), dp.die(SEED, label(n), 6, 1)),
        "size": lambda n: (dp.die(SEED, label(n), 6), (dp.die(SEED, label(n), 12) - 1) % 6 + 1),
    }
    for pair in pairs.values():
        assert_even([pair(number) for number in range(0, DICE, 2)], 36)


def test_sums_of_two_dice() -> None:
    sums = Counter(sum(dp.SeededDice(SEED).values(label(number), 10, 2)) for number in range(DICE))
    chi = 0.0
    for total in range(2, 21):
        want = DICE * (10 - abs(total - 11)) / 100
        chi += (sums[total] - want) ** 2 / want
    assert chi < 52, "18 degrees of freedom: 51 leaves one in ten thousand above it"


SLIPS: dict[str, tuple[Callable[[int, int], int], int, int]] = {
    "rounded d10": (lambda word, sides: round(word / 2**32 * (sides - 1)) + 1, 10, 2_000),
    "byte d100": (lambda word, sides: (word >> 24) % sides + 1, 100, 20_000),
    "byte d10": (lambda word, sides: (word >> 24) % sides + 1, 10, 500_000),
}
"""Slips that are known to happen: how the word becomes a face, of how many sides, and how many dice it takes
to see it.
"""


@pytest.mark.parametrize("name", [name for name, (_, _, needed) in SLIPS.items() if needed <= DICE])
def test_a_slip_of_the_mapping_would_be_seen(name: str) -> None:
    slip, sides, needed = SLIPS[name]
    faces = [slip(dp.draw(SEED, label(number), sides, 0).word, sides) for number in range(needed)]
    assert chance(Counter(faces).values(), sides, needed)[0] < ALPHA


@pytest.mark.parametrize("sides", [2, 3, 6, 7, 10, 2**31, 2**31 + 1, 2**32 - 1, 2**32])
def test_the_border_of_the_words_that_are_refused(sides: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last word below the bound counts, the bound itself is passed over: 2^32 words, as many for each
    face.
    """
    bound = 2**32 // sides * sides
    words = [bound, 2**32 - 1, bound - 1, 0, 0, 0, 0, 0] if bound < 2**32 else [bound - 1, *[0] * 7]
    digest = b"".join(word.to_bytes(4, "big") for word in words)
    monkeypatch.setattr(dp.hmac, "digest", lambda key, message, name: digest)
    drawn = dp.draw(SEED, "a", sides, 0)
    assert (drawn.word, drawn.value, drawn.ctr) == (bound - 1, sides, 0)
    assert drawn.refused == ((bound, 2**32 - 1) if bound < 2**32 else ())
    assert bound % sides == 0
    assert 2**32 - bound < sides
