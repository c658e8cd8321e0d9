"""Recovery codes: written down, typed again by whoever lost his key, and never taken for another."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.proof.recovery import LETTERS, BadCode, new_code, printed, read_code, recovery_key
from pbem.proof.signing import public_of

CODE = new_code(bytes(range(16)))
SAID = "0004-1061-050R-3GG2-8A1C-60T3-GFZ"


def reason(typed: str) -> str:
    with pytest.raises(BadCode) as bad:
        read_code(typed)
    return bad.value.reason


def test_a_code_on_paper_and_back() -> None:
    assert (len(CODE), printed(CODE)) == (26, SAID)
    assert read_code(SAID) == CODE


@pytest.mark.parametrize(
    "typed",
    [
        SAID.lower(),
        SAID.replace("-", ""),
        f"  {SAID.replace('-', ' ')}\n",
        SAID.replace("0", "O"),
        SAID.replace("1", "l"),
        SAID.replace("1", "I"),
    ],
)
def test_a_code_as_people_type_it(typed: str) -> None:
    assert read_code(typed) == CODE


@settings(max_examples=200, deadline=None)
@given(st.binary(min_size=16, max_size=16), st.integers(0, 26), st.integers(0, 26), st.sampled_from(LETTERS))
def test_a_wrong_letter_and_two_exchanged_ones_are_noticed(
    random: bytes, one: int, two: int, letter: str
) -> None:
    full = printed(new_code(random)).replace("-", "")
    assert read_code(full) == new_code(random)
    wrong = full[:one] + letter + full[one + 1 :]
    assert letter == full[one] or reason(wrong) == "check"
    swapped = list(full)
    swapped[one], swapped[two] = swapped[two], swapped[one]
    assert "".join(swapped) == full or reason("".join(swapped)) == "check"


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", "length"),
        (SAID[:-1], "length"),
        (SAID + "0", "length"),
        (SAID.replace("6", "U"), "letters"),
        ("é" * 27, "letters"),
    ],
)
def test_what_is_no_code(typed: str, why: str) -> None:
    assert reason(typed) == why


def test_codes_have_128_bits() -> None:
    for size in (15, 17):
        with pytest.raises(ValueError, match="128 bits"):
            new_code(bytes(size))
    assert len({new_code(bytes(15) + bytes([n])) for n in range(256)}) == 256


def test_the_key_is_of_one_seat_of_one_game() -> None:
    keys = {
        public_of(recovery_key(game, seat, code)).line
        for game in ("game-0a1b2c", "game-0a1b2d")
        for seat in ("west", "east")
        for code in (CODE, "Z" * 26)
    }
    assert len(keys) == 8
    assert public_of(recovery_key("game-0a1b2c", "west", CODE)).line == (
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIM8KDiPDiXbrG2GAKZOXY14COrTN40Ggp43fAuV/UOZO"
    )
