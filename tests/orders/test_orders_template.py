"""A sentence is written once: what is said is read, and the other way round."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.orders.template import Piece, Template

PIECES = {
    "NAME": Piece("[a-z][a-z0-9]*", "NAME", names=True),
    "NAMES": Piece("[a-z][a-z0-9]*(?:, [a-z][a-z0-9]*)*", "NAME, NAME", ", ", names=True),
    "YARD": Piece("[a-z]+ yard", "YARD"),
    "YARDS": Piece("[a-z]+ yard(?: then [a-z]+ yard)*", "YARD then YARD", " then "),
    "COUNT": Piece("[1-9]", "NUMBER", said=lambda value: str(value) if value else ""),
}
SENTENCES = (
    (
        "{who:NAMES} dig/digs {what:NAME}[ in {to:YARD}][deep: very deep]",
        "NAME, NAME dig NAME [in YARD] [very deep]",
    ),
    (
        "{who:NAME} goes (to {to:YARD}|by {by:YARDS})[ and rests {count:COUNT}]",
        "NAME goes to YARD (or: by YARD then YARD) [and rests NUMBER]",
    ),
    ("give up", "give up"),
    ("clear {to:YARD}", "clear YARD"),
)


@pytest.mark.parametrize(("text", "form"), SENTENCES)
def test_a_form_is_what_a_player_may_write(text: str, form: str) -> None:
    assert Template(text, PIECES).form == form


@given(
    st.lists(st.sampled_from(["odo", "hal", "tom2"]), min_size=1, max_size=3, unique=True),
    st.sampled_from(["", "north yard"]),
    st.booleans(),
)
def test_what_is_said_is_read_as_it_was(who: list[str], to: str, deep: bool) -> None:
    template = Template(SENTENCES[0][0], PIECES)
    said = template.say(SimpleNamespace(who=tuple(who), what="well", to=to, deep=deep))
    assert said.split()[len(who)] == ("digs" if len(who) == 1 else "dig")
    found = template.pattern.fullmatch(said)
    assert found is not None
    assert (found["who"].split(", "), found["what"], found["to"] or "", bool(found["deep"])) == (
        who,
        "well",
        to,
        deep,
    )


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"to": "north yard", "by": (), "count": 0}, "odo goes to north yard"),
        (
            {"to": "", "by": ("north yard", "mill yard"), "count": 2},
            "odo goes by north yard then mill yard and rests 2",
        ),
    ],
)
def test_of_several_ways_that_one_is_said_that_is_meant(fields: dict[str, object], said: str) -> None:
    template = Template(SENTENCES[1][0], PIECES)
    assert template.say(SimpleNamespace(who="odo", **fields)) == said
    assert template.pattern.fullmatch(said)


def test_what_has_to_be_said_and_what_may_be_left_out() -> None:
    dig, go, up, clear = (Template(text, PIECES) for text, _ in SENTENCES)
    assert (dig.needed, dig.one_of, dig.may) == (("who", "what"), (), ("to", "deep"))
    assert (go.needed, go.one_of, go.may) == (("who",), (("to", "by"),), ("count",))
    assert [template.verbs for template in (dig, go, up, clear)] == [
        ("dig", "digs"),
        ("goes",),
        ("give",),
        ("clear",),
    ]
    assert [template.begins_with_word for template in (dig, go, up, clear)] == [False, False, True, True]


@pytest.mark.parametrize(
    "text", ["", "{who:NAME", "{who:NAME} [digs", "a (b|c] d", "a|b", "{who:NOBODY} digs", "x) y"]
)
def test_what_is_no_template_is_refused_when_it_is_written(text: str) -> None:
    with pytest.raises(ValueError, match=r"template|bracket|piece"):
        Template(text, PIECES)
