"""Normal form by one edition of Unicode: the same on every Python, with the letters of every later year left
as they stand.
"""

from __future__ import annotations

import shutil
import subprocess
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.core import normal
from pbem.core.normal import crowd, is_assigned, is_crowded, is_hidden, is_mark, is_normal, nfc, too_new

ROOT = Path(__file__).resolve().parents[2]
KNOWN = tuple(map(int, unicodedata.unidata_version.split(".")[:2]))
LATER = "\U0001e08f"
"""A combining letter of Unicode 15: its accent class moves it behind a U+0316 where it is known."""


def test_the_letters_are_those_of_unicode_13() -> None:
    assigned = [point for point in range(0x110000) if is_assigned(chr(point))]
    # 143,859 letters and signs, as the Unicode Consortium counts them, 65 controls, 2,048 surrogates, 137,468
    # for private use.
    assert len(assigned) == 143_859 + 65 + 2_048 + 137_468
    assert all(unicodedata.category(chr(point)) != "Cn" for point in assigned)
    marks = [point for point in assigned if unicodedata.category(chr(point)).startswith("M")]
    assert marks == [point for point in range(0x110000) if is_mark(chr(point))]
    hidden = [point for point in assigned if unicodedata.category(chr(point)) in ("Cc", "Cf", "Cs")]
    assert hidden == [point for point in range(0x110000) if is_hidden(chr(point))]


def test_what_could_move_in_a_row_is_a_mark() -> None:
    assert not [
        point
        for point in range(0x110000)
        if unicodedata.combining(chr(point)) and is_assigned(chr(point)) and not is_mark(chr(point))
    ]


def test_the_tables_are_what_the_script_prints() -> None:
    perl = shutil.which("perl")
    known = (
        subprocess.run([str(perl), "-e", "exit($] < 5.032)"], check=False).returncode == 0 if perl else False
    )
    if not known:
        pytest.skip("no Perl that knows Unicode 13.0")
    printed = subprocess.run(
        [str(perl), str(ROOT / ".ci" / "unicode13.pl")], capture_output=True, text=True, check=True
    ).stdout
    assigned, marks = printed.removeprefix("assigned\n").split("marks\n")
    assert (assigned.replace("\n", ""), marks.replace("\n", "")) == (normal._ASSIGNED, normal._MARKS)


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(codec="utf-8")))
def test_known_letters_have_the_form_that_python_gives_them(text: str) -> None:
    known = "".join(filter(is_assigned, text))
    assert nfc(known) == unicodedata.normalize("NFC", known)
    assert nfc(nfc(text)) == nfc(text)
    assert "".join(letter for letter in nfc(text) if not is_assigned(letter)) == "".join(
        letter for letter in text if not is_assigned(letter)
    )


def test_a_letter_of_a_later_edition_stays_where_it_stands() -> None:
    words = f"q{LATER}\u0316 seven owls"
    assert not is_assigned(LATER)
    assert (nfc(words), is_normal(words), too_new(words)) == (words, True, LATER)
    assert nfc(f"e\u0301{LATER}e\u0301") == f"\xe9{LATER}\xe9"
    # The two marks have no order between them: one stands alone.
    assert nfc(f"a\u0301\u0316{LATER}\u0301\u0316") == f"\xe1\u0316{LATER}\u0316\u0301"
    if KNOWN >= (15, 0):
        assert unicodedata.normalize("NFC", words) != words
    assert (too_new("plain"), too_new("d\xe9j\xe0 vu 🦉")) == ("", "")


def test_a_few_accents_are_a_letter_and_hundreds_are_none() -> None:
    assert not is_crowded("e" + "\u0301" * 30)
    assert crowd("owls e" + "\u0301\u0316" * 15 + "\u0301") == 6
    assert not is_crowded(("e" + "\u0301" * 30) * 3)
    assert is_crowded("e" + "\u0301\u0316" * 500_000)
    assert not is_normal("e" + "\u0316\u0301" * 500_000)
    assert not is_crowded("plain" * 1000)
    assert not is_crowded("]^-\\" * 100)
