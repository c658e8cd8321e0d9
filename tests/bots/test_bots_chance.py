"""Chance of bots: the same everywhere, whole, and without a favourite."""

from __future__ import annotations

from collections import Counter

import pytest

from pbem.bots.chance import Chance, HighDice, SeedDice, number


def test_a_number_is_that_of_its_text() -> None:
    # SHA-256 of "abc" begins ba7816bf8f01cfea: 0.728 of the whole.
    assert number("abc", 10) == 7
    assert number("abc", 1) == 0
    assert number("abc", 1000) == 728


def test_the_same_seed_gives_the_same_numbers() -> None:
    one, other, third = Chance("a"), Chance("a"), Chance("b")
    first = [one.below(1000) for _ in range(20)]
    assert first == [other.below(1000) for _ in range(20)]
    assert first != [third.below(1000) for _ in range(20)]
    assert len(set(first)) > 15


def test_every_item_is_drawn_about_as_often() -> None:
    chance = Chance("items")
    counts = Counter(chance.one_of("abcde") for _ in range(1000))
    assert sorted(counts) == list("abcde")
    assert all(150 < count < 250 for count in counts.values())


def test_nothing_cannot_be_drawn_from() -> None:
    with pytest.raises(IndexError):
        Chance("x").one_of([])


def test_dice_depend_on_seed_and_label_alone() -> None:
    dice = SeedDice("x")
    faces = dice.values("t1.east.melee/fight/odo/1", 10, 3)
    assert faces == SeedDice("x").values("t1.east.melee/fight/odo/1", 10, 3)
    assert faces[:1] == dice.values("t1.east.melee/fight/odo/1", 10, 1)
    every = [dice.values(f"l{n}", 10, 1)[0] for n in range(300)]
    assert set(every) == set(range(1, 11))
    assert every != [SeedDice("y").values(f"l{n}", 10, 1)[0] for n in range(300)]


def test_luckless_dice_show_their_highest_face() -> None:
    assert HighDice().values("any", 10, 2) == (10, 10)
