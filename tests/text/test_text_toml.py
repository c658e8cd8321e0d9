"""TOML with places: every key and value is found where it stands, and no bytes whatever do harm."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pbem.text import toml
from pbem.text.places import Mark

WELL = '''\
# the office
[office]
name = "Cass's table"   # in From
"odd key" = 'x'
a.b . c = 1
text = """
two " lines
""""
raw = \'\'\'it's\'\'\'
many = [ 1, # one
  "two", [3],
  { four = 4, "five.six" = [5] },
]

[players.bob]
at = 2026-01-02T10:00:00Z
[players."anna b".more]
x = true
[[games]]
id = "a"
[[games]]
id = "b"
[games.deep]
y = { }
'''


def paths(data: Any, before: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if before:
        yield before
    if isinstance(data, dict):
        for key, value in data.items():
            yield from paths(value, (*before, key))
    elif isinstance(data, list):
        for number, value in enumerate(data):
            yield from paths(value, (*before, number))


def test_every_value_has_a_place() -> None:
    source = toml.read(WELL.encode(), "x.toml")
    assert source.problems == []
    assert source.data == tomllib.loads(WELL)
    assert source.whole
    lines = WELL.split("\n")

    def at(*path: str | int, key: bool = False) -> tuple[int, str]:
        mark = source.mark(path, key)
        return mark.line, lines[mark.line - 1][mark.column - 1 :][:6]

    assert at("office", "name") == (3, "\"Cass'")
    assert at("office", "name", key=True) == (3, "name =")
    assert at("office", "odd key", key=True) == (4, '"odd k')
    assert at("office", "a", "b", "c") == (5, "1")
    assert at("office", "a", "b", key=True) == (5, "b . c ")
    assert at("office", "text") == (6, '"""')
    assert at("office", "raw") == (9, "'''it'")
    assert at("office", "many", 0) == (10, "1, # o")
    assert at("office", "many", 1) == (11, '"two",')
    assert at("office", "many", 2, 0) == (11, "3],")
    assert at("office", "many", 3, "five.six", key=True) == (12, '"five.')
    assert at("office", "many", 3, "five.six", 0) == (12, "5] },")
    assert at("players", "bob") == (15, "bob]")
    assert at("players", "bob", "at") == (16, "2026-0")
    assert at("players", "anna b", "more", "x") == (18, "true")
    assert at("games", 1, "id") == (22, '"b"')
    assert at("games", 1, "deep", "y") == (24, "{ }")
    assert source.mark(("nowhere",)) == Mark(1, 1)
    assert at("office", "missing") == (2, "office")
    marks = {source.mark(path) for path in paths(source.data)}
    assert len(marks) >= 25


def test_line_ends_and_marks_of_editors_are_no_matter() -> None:
    source = toml.read(b"\xef\xbb\xbf" + WELL.replace("\n", "\r\n").encode(), "x.toml")
    assert source.problems == []
    assert source.mark(("games", 1, "id")).line == 22
    mixed = toml.read(b"a = 1\r\nb = 2\nc = 3\n", "x.toml")
    assert (mixed.data, mixed.problems) == ({"a": 1, "b": 2, "c": 3}, [])
    assert mixed.mark(("c",)) == Mark(3, 5)


@pytest.mark.parametrize(
    ("text", "place", "why", "help"),
    [
        ("a = 1\ntime = 21:00\n", (2, 10), "expected newline or end of document", "a text stands in quotes"),
        ("receipts = yes\n", (1, 12), "invalid value", "write true"),
        ("receipts = True\n", (1, 12), "invalid value", "write true"),
        ("x = off # no\n", (1, 5), "invalid value", "write false"),
        ("x = " + "9" * 5000, (1, 1), "exceeds the limit", ""),
        ("[a\n", (1, 3), "expected ']'", ""),
        ("a = 1\nb = [1,\n", (3, 1), "", ""),
        ("a = 1\na = 2\n", (2, 6), "cannot overwrite a value", ""),
        ("\ta = \x01", (1, 6), "invalid value", None),
    ],
)
def test_what_is_no_toml_is_shown_where_it_stands(
    text: str, place: tuple[int, int], why: str, help: str | None
) -> None:
    source = toml.read(text.encode(), "x.toml")
    assert source.data is None
    assert not source.whole
    (problem,) = source.problems
    assert problem.code == "toml.syntax"
    assert source.mark(problem.path) == place
    assert str(problem.args["why"]).startswith(why)
    assert help is None or problem.help == help
    assert "(at " not in str(problem.args["why"])


def test_bounds() -> None:
    assert toml.read(b"#" * toml.MOST_BYTES, "x").problems == []
    assert [problem.code for problem in toml.read(b"#" * (toml.MOST_BYTES + 1), "x").problems] == [
        "toml.too-big"
    ]
    assert [problem.code for problem in toml.read(b"x = " + b"[" * 50_000, "x").problems] == ["toml.too-deep"]
    assert [problem.code for problem in toml.read(b"\xff", "x").problems] == ["yaml.not-utf-8"]
    assert toml.read(b"", "x").data == {}


PIECES = [
    "a",
    "b",
    ".",
    "=",
    " ",
    "\n",
    "1",
    '"',
    "'",
    '"""',
    "'''",
    "[",
    "]",
    "{",
    "}",
    ",",
    "#",
    "\\",
    '"x"',
    "\\u0041",
    "true",
    "é",
]


@settings(max_examples=300, deadline=None)
@example('a = """"""""\n')
@example("a = {b.c = 1, b.d = [[]]}")
@example("'' = ''''''''''\n\"\".x = 1")
@given(st.lists(st.sampled_from([*PIECES, "a = ", "[a]\n", "[[b]]\n", "\nb = "]), max_size=30).map("".join))
def test_whatever_is_toml_has_places_of_the_same_form(text: str) -> None:
    source = toml.read(text.encode(), "x.toml")
    if source.data is None:
        assert len(source.problems) == 1
        return
    starts = set()
    for path in paths(source.data):
        place = source.root
        for step in path:
            assert place is not None
            place = place.inside[step]
        starts.add(path)
        mark = source.mark(path)
        assert mark.line <= len(source.lines)
        assert mark.column <= len(source.lines[mark.line - 1]) + 1
    assert source.root is not None
    assert set(source.root.inside) == set(source.data)  # type: ignore[call-overload]
