"""Chains, seeds, luck words and dice beyond the vectors: borders and refusals."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.core.dice import Dice
from pbem.proof import dice_protocol as dp

CHAIN = dp.Chain(b"\x01" * 32, "game-0001", "blue")
SEED = b"\x02" * 32


def test_a_chain_is_built_once_and_only_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    real = dp.link
    monkeypatch.setattr(dp, "link", lambda game, who, k, x: asked.append(k) or real(game, who, k, x))
    dp._from_the_top.cache_clear()
    chain = dp.Chain(b"\x01" * 32, "game-0001", "blue")
    assert asked == []
    assert chain.value(10_000) == chain.value(10_000)
    assert asked == list(range(10_000, 0, -1))
    assert dp.Chain(b"\x01" * 32, "game-0001", "blue").anchor == real("game-0001", "blue", 1, chain.value(1))
    assert len(asked) == 10_000


@pytest.mark.parametrize("slot", [0, 10_001, -1])
def test_values_are_for_slots_from_1_to_10000(slot: int) -> None:
    with pytest.raises(ValueError, match=f"slot {slot} "):
        CHAIN.value(slot)


def test_positions_are_those_of_the_slots_and_the_anchor() -> None:
    assert (CHAIN.position(0), CHAIN.position(10_000)) == (CHAIN.anchor, CHAIN.value(10_000))
    assert CHAIN.reaches(3, CHAIN.value(3))
    assert not CHAIN.reaches(4, CHAIN.value(3))
    for k in (-1, 10_001):
        with pytest.raises(ValueError, match=f"{k} is not a position"):
            CHAIN.position(k)


@pytest.mark.parametrize("length", [31, 33])
def test_a_secret_has_32_bytes(length: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        dp.Chain(b"x" * length, "game-0001", "blue")


def test_a_chain_value_belongs_to_one_game_party_and_place() -> None:
    x, anchor = CHAIN.value(5), CHAIN.anchor
    assert dp.leads_to("game-0001", "blue", 5, x, 0, anchor)
    assert dp.leads_to("game-0001", "blue", 5, x, 4, CHAIN.value(4))
    assert not dp.leads_to("game-0002", "blue", 5, x, 0, anchor)
    assert not dp.leads_to("game-0001", "red", 5, x, 0, anchor)
    assert not dp.leads_to("game-0001", "blue", 6, x, 0, anchor)
    assert not dp.leads_to("game-0001", "blue", 5, CHAIN.value(6), 0, anchor)


def test_a_value_is_below_the_last_one_and_within_the_chain() -> None:
    x = CHAIN.value(5)
    assert not dp.leads_to("game-0001", "blue", 5, x, 5, x)
    assert not dp.leads_to("game-0001", "blue", 4, x, 5, x)
    assert not dp.leads_to("game-0001", "blue", 5, x, -1, x)
    beyond = "ab" * 32
    assert not dp.leads_to(
        "game-0001", "blue", 10_001, beyond, 10_000, dp.link("game-0001", "blue", 10_001, beyond)
    )
    top = CHAIN.value(10_000)
    assert dp.leads_to("game-0001", "blue", 10_000, top, 9_999, CHAIN.value(9_999))


@pytest.mark.parametrize("x", ["", "-", "AB" * 32, "a" * 63, "a" * 65, "g" * 64])
def test_a_value_is_64_hex_digits(x: str) -> None:
    assert not dp.leads_to("game-0001", "blue", 1, x, 0, dp.link("game-0001", "blue", 1, x))


@pytest.mark.parametrize("name", ["a", "blue", "b2", "a" * 16])
def test_seat_names(name: str) -> None:
    assert dp.is_seat(name)


@pytest.mark.parametrize("name", ["", "Blue", "2b", "a" * 17, "a-b", *sorted(dp.RESERVED)])
def test_names_that_no_seat_has(name: str) -> None:
    assert not dp.is_seat(name)


def test_reserved_names() -> None:
    assert sorted(dp.RESERVED) == ["beacon", "drand", "early", "gm", "go", "none", "player"]


def test_every_party_and_the_key_change_the_seed() -> None:
    base = dp.seed(SEED, "game-0001", 1, "aa", {"blue": "bb", "red": "-"})
    assert base == dp.seed(SEED, "game-0001", 1, "aa", {"red": "-", "blue": "bb"})
    others = [
        dp.seed(b"\x03" * 32, "game-0001", 1, "aa", {"blue": "bb", "red": "-"}),
        dp.seed(SEED, "game-0002", 1, "aa", {"blue": "bb", "red": "-"}),
        dp.seed(SEED, "game-0001", 2, "aa", {"blue": "bb", "red": "-"}),
        dp.seed(SEED, "game-0001", 1, "ab", {"blue": "bb", "red": "-"}),
        dp.seed(SEED, "game-0001", 1, "aa", {"blue": "-", "red": "bb"}),
        dp.seed(SEED, "game-0001", 1, "aa", {"blue": "bb", "red": "-"}, "drand x 1 y"),
    ]
    assert len({base, *others}) == 7


def test_without_a_beacon_the_text_says_so() -> None:
    assert dp.seed(SEED, "g", 1, "aa", {}) == dp.seed(SEED, "g", 1, "aa", {}, "-")


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("12345678", "12345678"),
        ("\u20031234\u3000\u00855678\t", "1234 5678"),
        ("a\u1680b\u2028c\u205fd e", None),
        ("x" * 100, "x" * 100),
        ("e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301", "é" * 8),
        ("\r\nlucky words\x0b\x0c", "lucky words"),
    ],
)
def test_words_in_normal_form(typed: str, words: str | None) -> None:
    assert dp.normal_words(typed) == (words or "a b c d e")


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("1234567", "too-short"),
        ("1234567 ", "too-short"),
        ("", "too-short"),
        ("x" * 101, "too-long"),
        ("12345678\x1c", "letters"),
        ("12345678\u200b", "letters"),
        ("12345678\ud800", "letters"),
        ("a\x00", "letters"),
    ],
)
def test_words_refused(typed: str, reason: str) -> None:
    with pytest.raises(dp.BadWords) as caught:
        dp.normal_words(typed)
    assert caught.value.reason == reason
    assert str(caught.value) == reason


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=120))
def test_normal_form_is_reached_once(typed: str) -> None:
    try:
        words = dp.normal_words(typed)
    except dp.BadWords as wrong:
        assert wrong.reason in ("too-short", "too-long", "letters")
        return
    assert dp.normal_words(words) == words
    assert 8 <= len(words) <= 100


@pytest.mark.parametrize("label", ["a", "t1.blue.melee/fight/gunter/1", "9/._:@+-", "a" * 120])
def test_labels(label: str) -> None:
    assert dp.is_label(label)
    assert 1 <= dp.die(SEED, label, 6) <= 6


@pytest.mark.parametrize("label", ["", "/a", "a/", "a//b", ".a", "A", "a b", "a\n", "ä", "a" * 121])
def test_names_that_no_roll_has(label: str) -> None:
    assert not dp.is_label(label)
    with pytest.raises(ValueError, match="name of a roll"):
        dp.die(SEED, label, 6)
    with pytest.raises(ValueError, match="name of a roll"):
        dp.shuffle(SEED, label, ["a"])


@pytest.mark.parametrize(("sides", "right"), [(1, False), (2, True), (2**32, True), (2**32 + 1, False)])
def test_sides(sides: int, right: bool) -> None:
    if right:
        assert 1 <= dp.die(SEED, "a", sides) <= sides
        return
    with pytest.raises(ValueError, match="2 to 2\\^32 sides"):
        dp.die(SEED, "a", sides)


@pytest.mark.parametrize("i", [-1, 1000])
def test_index_of_a_die(i: int) -> None:
    assert dp.die(SEED, "a", 6, 999) in range(1, 7)
    with pytest.raises(ValueError, match="at most 1000"):
        dp.die(SEED, "a", 6, i)


@pytest.mark.parametrize("count", [0, 1001])
def test_dice_of_a_roll(count: int) -> None:
    dice: Dice = dp.SeededDice(SEED)
    assert len(dice.values("a", 6, 1000)) == 1000
    with pytest.raises(ValueError, match=f"not {count}"):
        dice.values("a", 6, count)


def test_a_die_of_a_roll_is_the_die_of_its_index() -> None:
    assert dp.SeededDice(SEED).values("a", 20, 3) == tuple(dp.die(SEED, "a", 20, i) for i in range(3))


def test_a_whole_digest_can_be_refused() -> None:
    sides = 2**31 + 1
    drawn = next(drawn for i in range(900) if (drawn := dp.draw(SEED, "long", sides, i)).ctr)
    assert len(drawn.refused) >= 8
    assert all(word >= sides for word in drawn.refused)
    assert drawn.word < sides
    assert drawn.value == drawn.word + 1


def test_shuffle_refuses_doubles() -> None:
    with pytest.raises(ValueError, match="twice"):
        dp.shuffle(SEED, "deck", ["a", "b", "a"])


def test_every_order_of_three_cards_turns_up() -> None:
    seen = {dp.shuffle(SEED, f"deck/{n}", "abc") for n in range(80)}
    assert seen == set(itertools.permutations("abc"))
