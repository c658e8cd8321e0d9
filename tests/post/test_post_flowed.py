"""Lines that were wrapped on the way are put together again (RFC 3676)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pbem.post.mail.flowed import unflow


def flow(text: str, delsp: bool = False) -> str:
    return "\n".join(unflow(text.split("\n"), delsp))


def test_lines_that_end_with_a_blank_go_on_below() -> None:
    assert flow("note: one \ntwo \nthree\nmove:") == "note: one two three\nmove:"
    assert flow("note: one \ntwo", delsp=True) == "note: onetwo"
    assert flow("one  \ntwo", delsp=True) == "one two"


def test_a_blank_in_front_was_put_there_on_the_way() -> None:
    assert flow("move:\n   - odo\n From here\n >not quoted") == "move:\n  - odo\nFrom here\n>not quoted"


def test_quoted_lines_join_within_their_depth_only() -> None:
    assert flow("> one \n> two\n>> three \n> four") == "> one two\n>> three\n> four"
    assert flow("> one \nmine") == "> one\nmine"
    assert flow(">one \n>two") == "> one two"
    assert flow(">>> a\n>\n> > b") == ">>> a\n>\n> > b"


def test_the_line_of_a_signature_joins_nothing() -> None:
    assert flow("bye \n-- \nAnn \nB") == "bye\n-- \nAnn B"
    assert flow("> bye \n> -- \n> Ann") == "> bye\n> -- \n> Ann"


def test_what_begins_an_item_or_a_key_joins_nothing() -> None:
    """Programs leave the blank that a person typed at the end of a line."""
    assert (
        flow("move: \n- odo to 0713 \n- hal to 0101 \nfight:\n- a")
        == "move:\n- odo to 0713\n- hal to 0101\nfight:\n- a"
    )
    assert flow("note: he said \nwell: no") == "note: he said well: no"


def test_nothing_becomes_nothing() -> None:
    assert unflow([]) == []
    assert flow("") == ""
    assert flow(" ") == ""
    assert flow("a ") == "a"
    assert flow("> ") == ">"


@given(st.lists(st.text(alphabet="> -ab:", max_size=8), max_size=12), st.booleans())
def test_no_word_is_lost_and_none_changes_hands(lines: list[str], delsp: bool) -> None:
    got = unflow(lines, delsp)
    assert len(got) <= len(lines)
    for mine in (True, False):
        before = "".join(line for line in lines if line.startswith(">") != mine)
        after = "".join(line for line in got if line.startswith(">") != mine)
        if "> >" not in "\n".join(lines) and not any(line.startswith(" >") for line in lines):
            assert [letter for letter in after if letter in "ab:-"] == [
                letter for letter in before if letter in "ab:-"
            ]
