"""Luck: whose dice they are, what was to be expected, and how often chance is as far off; counted by hand
where that can be done.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from fractions import Fraction
from itertools import product

import pytest
from proof_simulator import friends, friends_game

from pbem.core.dice import Roll
from pbem.proof import luck as lucky
from pbem.proof.history import Tally
from pbem.proof.luck import SizeLuck, as_far_off, counted, luck, luck_of, side_of
from pbem.proof.verdict_words import decimal, luck_lines


def sizes(*dice: tuple[int, int]) -> list[SizeLuck]:
    """Return the sizes of some dice, given as sides and face."""
    by_size: dict[int, list[int]] = {}
    for sides, face in dice:
        by_size.setdefault(sides, []).append(face)
    return [SizeLuck(sides, len(faces), sum(faces), 0, 0) for sides, faces in sorted(by_size.items())]


def by_hand(*dice: tuple[int, int]) -> float:
    def off(faces: tuple[int, ...]) -> Fraction:
        return abs(
            sum(
                (
                    Fraction(2 * face - sides - 1, sides - 1)
                    for (sides, _), face in zip(dice, faces, strict=True)
                ),
                Fraction(0),
            )
        )

    seen = off(tuple(face for _, face in dice))
    every = list(product(*(range(1, sides + 1) for sides, _ in dice)))
    return sum(off(faces) >= seen for faces in every) / len(every)


@pytest.mark.parametrize(
    "dice",
    [
        [(6, 1)],
        [(6, 3)],
        [(10, 10), (10, 9)],
        [(2, 1), (2, 1), (2, 1), (6, 6)],
        [(3, 3), (4, 1), (6, 6), (10, 10)],
        [(20, 1), (3, 2)],
        [(6, 6), (6, 6), (6, 5), (4, 4)],
    ],
)
def test_the_chance_is_the_one_that_counting_gives(dice: list[tuple[int, int]]) -> None:
    assert as_far_off(sizes(*dice)) == pytest.approx(by_hand(*dice), rel=1e-12)


def test_chances_that_need_no_counting() -> None:
    assert as_far_off([]) == 1.0
    assert as_far_off(sizes((6, 1), (6, 1))) == pytest.approx(2 / 36)
    assert as_far_off(sizes((6, 1), (6, 6))) == 1.0


@pytest.mark.parametrize("total", [600, 560, 640])
def test_many_dice_are_judged_by_the_normal_curve_and_both_ways_agree(
    total: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    dice = [SizeLuck(10, 110, total, 0, 0)]
    counted = as_far_off(dice)
    monkeypatch.setattr(lucky, "MOST_STEPS", 0)
    assert as_far_off(dice) == pytest.approx(counted, rel=0.03)
    assert as_far_off([SizeLuck(10, 100_000, 550_000, 0, 0)]) == 1.0


def test_dice_of_any_size_are_no_burden() -> None:
    begun = time.process_time()
    many = [SizeLuck(sides, 1, sides // 2 + 1, 0, 0) for sides in range(2, 60_000)]
    assert 0.3 < as_far_off(many) <= 1
    assert as_far_off([SizeLuck(sides, 1, sides, 0, 0) for sides in range(2, 60_000)]) == 0
    assert time.process_time() - begun < 2
    nine = [SizeLuck(sides, 30, 15 * (sides + 1) + sides, 0, 0) for sides in range(2, 11)]
    eight = as_far_off(nine[:8])
    assert as_far_off(nine) < eight < 0.5
    assert as_far_off([SizeLuck(2**32, 1, 1, 0, 0), SizeLuck(7, 1000, 1000, 0, 0)]) < 1e-100
    assert 0 < as_far_off([SizeLuck(2**32, 1, 2**32, 0, 0)]) <= 1


@pytest.mark.parametrize(
    ("label", "side"),
    [
        ("t3.west.melee/fight/gunter/1", "west"),
        ("d2.t5.baron.melee/fight/gunter/1", "baron"),
        ("setup.1.west/x", "west"),
        ("d2.day/d2/bombard/0704", ""),
        ("anything/x", ""),
    ],
)
def test_a_die_belongs_to_the_side_whose_player_turn_it_is(label: str, side: str) -> None:
    assert side_of(label.partition("/")[0]) == side


def tallied(rolls: Iterable[Roll]) -> Tally:
    values: dict[tuple[str, int], list[int]] = {}
    for roll in rolls:
        values.setdefault((roll.label.partition("/")[0], roll.sides), []).extend(roll.values)
    return counted(values)


def test_luck_by_side() -> None:
    rolls = [
        Roll("t1.west.melee/a", 10, (1, 10)),
        Roll("t1.east.melee/a", 10, (5,)),
        Roll("t1.west.melee/b", 6, (6,)),
        Roll("t1.nobody.melee/b", 6, (6,)),
        Roll("d1.evening/b", 100, (100, 91, 90, 10, 11)),
    ]
    west, east = ("a", "b"), ("east",)
    found = luck_of([tallied(rolls)], {"west": west, "east": east, "north": ("n",)})
    assert [(one.side, one.seats, one.dice) for one in found] == [
        ("east", east, 1),
        ("west", west, 3),
        ("", (), 6),
    ]
    assert found[1].sizes == (SizeLuck(6, 1, 6, 0, 1), SizeLuck(10, 2, 11, 1, 1))
    assert found[2].sizes[1] == SizeLuck(100, 5, 302, 1, 2)
    assert (found[2].sizes[1].faces, found[2].sizes[1].tenth, found[2].sizes[0].tenth) == (
        10,
        Fraction(1, 2),
        Fraction(1, 6),
    )
    assert (found[1].sizes[0].mean, found[1].sizes[1].mean, found[1].sizes[1].expected) == (
        6,
        Fraction(11, 2),
        Fraction(11, 2),
    )
    for one in found[:2]:
        assert one.corrected == pytest.approx(1 - (1 - one.chance) ** 2)
    assert found[2].corrected == found[2].chance


def test_the_luck_of_a_game_leaves_out_what_was_taken_back() -> None:
    from pbem.proof.ledger import read_ledger

    game = friends_game()
    found = {one.side: one.dice for one in luck(read_ledger(game.archive))}
    assert found == {"blue": 1, "red": 4}
    game = friends()
    game.order("blue", x=True)
    game.lock()
    game.result([("t1.blue.melee/fight/gunter/1", 10, 5)], following=("t1.blue.melee", ["blue"]))
    game.undo(1, game.consents(["blue"], to=1))
    assert luck(read_ledger(game.archive)) == ()
    assert luck_lines(()) == (
        "Luck. A die counts for the side in whose player turn it fell; slots "
        "that were taken back do not count.",
        "  no dice",
    )


def test_how_luck_is_told() -> None:
    rolls = [
        Roll("t1.west.melee/a", 10, (1,) * 9),
        Roll("t1.east.melee/a", 10, (5, 6)),
        Roll("d1.evening/b", 6, (6,)),
    ]
    assert luck_lines(luck_of([tallied(rolls)], {"west": ("ann", "bob"), "east": ("east",)}))[1:] == (
        "                       dice  mean  expected  lowest  highest  expected",
        "  east d10                2  5.50       5.5       0        0       0.2",
        "  west (ann, bob) d10     9  1.00       5.5       9        0       0.9",
        "  nobody's turn d6        1  6.00       3.5       0        1       0.2",
        "  east: in 100 of 100 games dice are this far off or further; among 2 sides in 100 of 100 games "
        "somebody's are",
        "  west (ann, bob): in 1 of 500000000 games dice are this far off or further; among 2 sides in 1 of "
        "250000000 games somebody's are",
    )
    alone = luck_lines(luck_of([tallied([Roll("t1.east.melee/a", 10, (1,) * 20)])], {"east": ("east",)}))
    assert alone[-1] == "  east: in less than 1 of 1000000000 games dice are this far off or further"


@pytest.mark.parametrize(
    ("number", "places", "text"),
    [
        (Fraction(1, 20), 1, "0.1"),
        (Fraction(5, 4), 1, "1.3"),
        (Fraction(0), 2, "0.00"),
        (Fraction(1999, 1000), 2, "2.00"),
    ],
)
def test_decimals(number: Fraction, places: int, text: str) -> None:
    assert decimal(number, places) == text


def test_the_chance_is_a_chance() -> None:
    for dice in (1, 30, 1000):
        for total in (dice, 3 * dice, 6 * dice):
            chance = as_far_off([SizeLuck(6, dice, total, 0, 0)])
            assert 0 <= chance <= 1
            assert not math.isnan(chance)
