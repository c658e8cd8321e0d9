"""The place of a word in a text that is written below a ``|``, such as the rows of a map."""

from __future__ import annotations

import pytest

from pbem.text.source import FILES, Mark, read

MAP = b"map: x\nterrain: |\n  col 01 02\n  01  .  .\n\n  02  .  x\nnote: 'a|b'\n"
SOURCE = read(MAP, "x.yaml", limits=FILES)
TEXT = "col 01 02\n01  .  .\n\n02  .  x\n"


def test_the_text_is_what_stands_there():
    assert SOURCE.data == {"map": "x", "terrain": TEXT, "note": "a|b"}


@pytest.mark.parametrize(
    ("offset", "mark"),
    [
        (0, Mark(3, 3)),
        (TEXT.index("02"), Mark(3, 10)),
        (TEXT.index("01  ."), Mark(4, 3)),
        (TEXT.index(".\n"), Mark(4, 10)),
        (TEXT.index(".\n") + 1, Mark(4, 11)),
        (TEXT.index("x"), Mark(6, 10)),
    ],
)
def test_an_offset_leads_to_the_word(offset, mark):
    assert SOURCE.mark(("terrain", offset)) == mark


def test_beyond_the_text_is_where_it_begins():
    assert SOURCE.mark(("terrain", len(TEXT) + 1)) == Mark(2, 10)
    assert SOURCE.mark(("terrain",)) == Mark(2, 10)


def test_a_text_on_its_own_line_is_not_mistaken_for_a_block():
    assert SOURCE.mark(("note", 2)) == Mark(7, 10)


def test_lines_that_were_joined_have_the_place_of_their_beginning():
    folded = read(b"terrain: >\n  a b\n  c d\n", "x.yaml", limits=FILES)
    assert folded.mark(("terrain", 4)) == Mark(1, 10)
