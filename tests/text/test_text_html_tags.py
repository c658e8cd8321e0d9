"""Markup out of calls: whatever is no markup is a text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pbem.text.html_tags import Html, joined, table, tag, text


def test_texts_are_escaped_and_markup_is_not() -> None:
    assert (
        tag("p", "a < b & ", tag("b", '"c"'), class_="x")
        == '<p class="x">a &lt; b &amp; <b>&quot;c&quot;</b></p>'
    )
    assert tag("img", src="m.png", alt="") == '<img src="m.png" alt="">'
    assert tag("td", "1", data_head='<"Due">') == '<td data-head="&lt;&quot;Due&quot;&gt;">1</td>'
    assert joined(["a", Html("<hr>"), "b"], ", ") == "a, <hr>, b"
    assert text("seen\u202e\u0007") == "seen"


@given(st.text())
def test_no_text_is_markup(said: str) -> None:
    for made in (tag("p", said), tag("p", title=said), table(["h", said], [[said, said]], said)):
        inside = made.replace("<p>", "").replace("</p>", "").replace("<p title=", "")
        assert "<script" not in made
        assert text(said) in made or not text(said)
    assert not {"<", ">", '"', "'"} & set(text(said))
    assert inside


def test_a_table_heads_its_rows_and_names_the_column_of_each_cell() -> None:
    made = table(["Game", "Due"], [["Toll", "now"]], numbers={1: "number"})
    assert '<th scope="col" class="number">Due</th>' in made
    assert '<th scope="row">Toll</th><td data-head="Due" class="number">now</td>' in made
