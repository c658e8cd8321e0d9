"""The phrasebook of a language: exact texts, forms with gaps, lists, and what it leaves alone."""

from __future__ import annotations

import pytest

from pbem.text.phrasebook import Phrasebook

BOOK = Phrasebook(
    {
        "short bow": "Kurzbogen",
        "heavy cover": "starke Deckung",
        "{1} hexes": "{1} Felder",
        "name {1} alone": "nenne {1} allein",
        "name {1}": "nenne {1}",
        "{1} with {2}": "mit {2}: {1}",
        "{1} or {1}": "zweimal {1}",
        "the place called {1}": "der Ort {=1}",
        "Signs": "Zeichen",
        "turn {#1} of {#2}": "Runde {1} von {2}",
        "or": "oder",
        "so: {1}": "also: {1}",
    }
)


@pytest.mark.parametrize(
    ("english", "said"),
    [
        ("short bow", "Kurzbogen"),
        ("Short bow", "Short bow"),
        ("name odo alone", "nenne odo allein"),
        ("name odo", "nenne odo"),
        ("short bow, 7 hexes, heavy cover", "Kurzbogen, 7 Felder, starke Deckung"),
        ("odo with short bow", "mit Kurzbogen: odo"),
        ("odo or odo", "zweimal odo"),
        ("odo or hal", "odo oder hal"),
        ("short bow or hal or heavy cover", "Kurzbogen oder hal oder starke Deckung"),
        ("so: odo at hal or nearest", "also: odo at hal or nearest"),
        ("so: 'hal or nearest'", "also: 'hal or nearest'"),
        ("so: 'odo at hal or nearest' or 'hal'", "also: 'odo at hal or nearest' oder 'hal'"),
        ("short bow 3; heavy cover +2", "Kurzbogen 3; starke Deckung +2"),
        ("the place called short bow", "der Ort short bow"),
        ("turn 3 of 10", "Runde 3 von 10"),
        ("turn 3, the end of 10", "turn 3, the end of 10"),
        ("odo", "odo"),
        ("", ""),
    ],
)
def test_what_is_listed_is_put_and_all_else_left(english: str, said: str) -> None:
    assert BOOK.put(english) == said
    assert BOOK.put(english) == said


def test_lines_are_put_part_by_part() -> None:
    said = BOOK.put_lines(
        "short bow\n- 0101: odo, short bow, 7 hexes.\n\n. # ~: a\nSigns: , short bow, ~ heavy cover"
    )
    assert (
        said
        == "Kurzbogen\n- 0101: odo, Kurzbogen, 7 Felder.\n\n. # ~: a\nZeichen: , Kurzbogen, ~ starke Deckung"
    )


def test_a_text_made_to_be_slow_is_not() -> None:
    book = Phrasebook({"{1} a {2} a {3} b": "{1}", "{1}, {2}": "{2}, {1}"})
    for text in ("a " * 119 + "a", "a, " * 79, "a " * 4000):
        assert book.put(text)
