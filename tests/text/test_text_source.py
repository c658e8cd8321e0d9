"""The strict reader: what it understands, what it refuses and where, and that nothing makes it raise."""

from __future__ import annotations

import re
import sys
import time
import unicodedata

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from thorough import deeper, tries

from pbem.core.problem import Problem
from pbem.text import characters, syntax, yaml_text
from pbem.text.source import FILES, ORDERS, Limits, Mark, Source, read

HEADER = """\
#pd1-orders/1
#game siege-0a1b2c
#slot 1
#seat blue
#head c3fd
#luck sieben betrunkene Möwen
#salt 41d2
---
"""


def found(data: str | bytes, **options: object) -> list[tuple[str, int, int]]:
    got = read(data.encode() if isinstance(data, str) else data, **options)  # type: ignore[arg-type]
    return [(problem.code, *got.mark(problem.path, problem.key)) for problem in got.problems]


def the(data: str | bytes, **options: object) -> Problem:
    got = read(data.encode() if isinstance(data, str) else data, **options)  # type: ignore[arg-type]
    assert len(got.problems) == 1
    return got.problems[0]


@pytest.mark.parametrize("pure", [False, True])
@pytest.mark.parametrize(
    "typed",
    [
        "0412",
        "no",
        "NO",
        "on",
        "1:1",
        "12:30:45",
        "2024-01-02",
        "1e3",
        "0x1f",
        "~",
        "null",
        "true",
        "1_000",
        ".5",
        "+3",
    ],
)
def test_every_scalar_stays_text_as_typed(typed: str, pure: bool) -> None:
    got = read(f"side: {typed}\n".encode(), pure=pure)
    assert (got.data, got.problems, got.whole) == ({"side": typed}, [], True)


@pytest.mark.parametrize("pure", [False, True])
def test_all_kinds_of_text_lists_and_groups(pure: bool) -> None:
    text = (
        "a: {b: [x, 'it''s', \"q\\\"\"], c: }\nd:\n- - 1\n  - 2\n- e: f\nnote: |\n  two\n  lines\nmessage: "
        ">-\n  one\n  line\ng:\n"
    )
    got = read(text.encode(), pure=pure)
    assert got.problems == []
    assert got.data == {
        "a": {"b": ["x", "it's", 'q"'], "c": ""},
        "d": [["1", "2"], {"e": "f"}],
        "note": "two\nlines\n",
        "message": "one line",
        "g": "",
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # what YAML would let through
        ("a: &x 1\n", [("yaml.anchor", 1, 4)]),
        ("a: &x [1]\nb: *x\n", [("yaml.anchor", 1, 4), ("yaml.alias", 2, 4)]),
        ("a: !!int 1\n", [("yaml.tag", 1, 4)]),
        ("a: !x [1]\n", [("yaml.tag", 1, 4)]),
        ("a: ! b\n", [("yaml.tag", 1, 4)]),
        ("a: !e!x b\n", [("yaml.tag", 1, 4)]),
        ("%YAML 1.1\n---\na: b\n", [("yaml.directive", 1, 1)]),
        ("%TAG ! tag:x,2000:\n---\na: b\n", [("yaml.directive", 1, 1)]),
        ("a: b\n---\nc: d\n", [("yaml.second-document", 2, 1)]),
        ("a: b\n...\nc: d\n", [("yaml.second-document", 3, 1)]),
        ("<<: {a: b}\n", [("yaml.merge", 1, 1)]),
        ("? [a, b]\n: c\n", [("yaml.complex-key", 1, 3)]),
        ("? {a: b}\n: c\nd: e\n", [("yaml.complex-key", 1, 3)]),
        ("move:\n- a\nmove:\n- b\n", [("yaml.twice", 3, 1)]),
        ("a: {b: 1, c: 2, b: 3}\n", [("yaml.twice", 1, 17)]),
        ("Move:\n- a\n", [("yaml.key", 1, 1)]),
        ("stop after: x\n", [("yaml.key", 1, 1)]),
        (": x\n", [("yaml.key", 1, 1)]),
        ("größe: x\n", [("yaml.key", 1, 1)]),
        ("a" * 33 + ": x\n", [("yaml.key", 1, 1)]),
        ("a" * 32 + ": x\n", []),
        # nothing there
        ("", [("yaml.empty", 1, 1)]),
        ("\n\n# only words\n", [("yaml.empty", 1, 1)]),
        ("---\n", []),
        ("--- # yaml-language-server: $schema=x\na: b\n", []),
        # characters
        ("a:\tb\n", [("yaml.tab", 1, 3)]),
        ("a: b\n\t- c\n\t\n", [("yaml.tab", 2, 1), ("yaml.tab", 3, 1)]),
        ("a: b\x00\n", [("yaml.control", 1, 5)]),
        ("a: b\x1b[0m\n", [("yaml.control", 1, 5)]),
        ("a: b\x7f\n", [("yaml.control", 1, 5)]),
        ("a: b\x9c\n", [("yaml.control", 1, 5)]),
        ("a: x\x85b: y\n", [("yaml.line-separator", 1, 5)]),
        ("a: x\u2028b: y\n", [("yaml.line-separator", 1, 5)]),
        ("# x\u2029\na: b\n", [("yaml.line-separator", 1, 4)]),
        ("\u00a0- a\n", [("yaml.space", 1, 1)]),
        ("a: b\u202fc\n", [("yaml.space", 1, 5)]),
        ("a: b\u200b\n", [("yaml.invisible", 1, 5)]),
        ("note: b\u202ec\n", [("yaml.invisible", 1, 8)]),
        ("a: b\nc: d\ufeff\n", [("yaml.invisible", 2, 5)]),
        ("a: \ufffe\n", [("yaml.control", 1, 4)]),
        ("note: u\u0308ber\n", [("yaml.not-normal", 1, 7)]),
        ("note: \u212b\n", [("yaml.not-normal", 1, 7)]),
        # letters outside ASCII
        ("note: grüße\nmessage: [ä]\nluck: ö\n# é\n", []),
        ("move:\n- müller to 0712\n", [("yaml.foreign", 2, 4)]),
        ("move:\n- \u0430lric to 0712\n", [("yaml.look-alike", 2, 3)]),
        ("move:\n- alric at “hob”\n", [("yaml.typographic-quote", 2, 12)]),
        ("move:\n- alric – hob\n", [("yaml.typographic", 2, 9)]),
        ("- grün\n", [("yaml.foreign", 1, 5)]),
        ('a: "x\\u00e9"\n', [("yaml.foreign", 1, 4)]),
        ("a: >\n  plain\n  grün\n", [("yaml.foreign", 3, 5)]),
        ('a: "x\\u200b"\n', [("yaml.character", 1, 4)]),
        ('a: "x\\ty"\n', [("yaml.character", 1, 4)]),
        ('note: "u\\u0308"\n', [("yaml.character", 1, 7)]),
        ('a: "x\\ud800"\n', [("yaml.character", 1, 4)]),
        ('a: "x\\UFFFFFFFF"\n', [("yaml.escape", 1, 6)]),
        # a line that goes on below
        ("move:\n- odo to 0712\n  hal to 0713\n", [("yaml.run-on", 3, 3)]),
        ("move:\n- odo to\n\n   0712\n", [("yaml.run-on", 4, 4)]),
        ("note: one\n  two\n", []),
        # no YAML at all, and what people meant
        ("move:\n- a\nhal to 0713\n", [("yaml.no-colon", 3, 1)]),
        ("move:\n-odo to 0712\nside: x\n", [("yaml.glued", 2, 1)]),
        ("side:west\nmove:\n- a\n", [("yaml.glued", 1, 5)]),
        ("move: [a, b\nside: x\n", [("yaml.bracket", 1, 7)]),
        ("move: [a, b\n", [("yaml.bracket", 1, 7)]),
        ("move: [a,\nnote: @x\n", [("yaml.bracket", 1, 7), ("yaml.sign", 2, 7)]),
        ("move: [a,\n  'b, c]\n", [("yaml.quote", 2, 3)]),
        ("move: {a: b\n", [("yaml.bracket", 1, 7)]),
        ("move: a]\nb: ]\n", [("yaml.bracket", 2, 4)]),
        ("side: 'west\nmove: x\n", [("yaml.quote", 1, 7)]),
        ('luck: "hello\n', [("yaml.quote", 1, 7)]),
        ('luck: "a\\qb"\n', [("yaml.escape", 1, 10)]),
        ("note: he said: no\n", [("yaml.colon", 1, 14)]),
        ("note: @all\n", [("yaml.sign", 1, 7)]),
        ("note: `x`\n", [("yaml.sign", 1, 7)]),
        ("note: %x\n", [("yaml.sign", 1, 7)]),
        ("note: & x\n", [("yaml.sign", 1, 7)]),
        ("note: * x\n", [("yaml.sign", 1, 7)]),
        ("note: |x\n  y\n", [("yaml.block", 1, 8)]),
        ("move:\n  - a\n - b\n", [("yaml.indent", 3, 2)]),
        ("  a: b\nc: d\n", [("yaml.indent", 2, 1)]),
        ("move:\n– odo to 0712\n", [("yaml.typographic", 2, 1)]),
        ("move：\n- odo to 0712\n", [("yaml.typographic", 1, 5)]),
        ("side: “west\nmove:\n• odo\n", [("yaml.typographic", 3, 1), ("yaml.typographic-quote", 1, 7)]),
    ],
)
@pytest.mark.parametrize("pure", [False, True])
def test_what_is_refused_and_where(text: str, expected: list[tuple[str, int, int]], pure: bool) -> None:
    assert sorted(found(text, pure=pure)) == sorted(expected)


def test_bytes_that_are_no_text() -> None:
    assert found("side: west\n".encode("utf-16")) == [("yaml.utf-16", 1, 1)]
    assert found(b"\xfe\xff\x00a") == [("yaml.utf-16", 1, 1)]
    assert found(b"side: west\nnote: gr\xfcn\n") == [("yaml.not-utf-8", 2, 9)]
    assert the(b"note: gr\xfcn\n").args == {"byte": 0xFC}
    got = read(b"note: gr\xfcn\n")
    assert (got.data, got.whole, got.lines) == (None, False, ("note: gr�n", ""))
    assert found(b"\xef\xbb\xbfside: west\n") == [("yaml.bom", 1, 1)]
    assert read(b"\xef\xbb\xbfside: west\n").data == {"side": "west"}
    assert found(b"\xef\xbb\xbf\xff") == [("yaml.bom", 1, 1), ("yaml.not-utf-8", 1, 1)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: b\r\nc: d\r\n", []),
        ("a: b\r\nc: d", []),
        ("a: b\rc: d\r", [("yaml.line-ends", 1, 1)]),
        ("a: b\r\nc: d\ne: f\r\n", [("yaml.line-ends", 2, 1)]),
        ("a: b\nc: d\r\ne: f\n", [("yaml.line-ends", 2, 1)]),
        ("a: b\r\nc: d\r", [("yaml.line-ends", 2, 1)]),
        ("\na: b\r\n", [("yaml.line-ends", 2, 1)]),
    ],
)
def test_line_ends_are_the_same_throughout(text: str, expected: list[tuple[str, int, int]]) -> None:
    assert found(text) == expected
    got = read(text.encode())
    assert isinstance(got.data, dict)
    assert got.data["a"] == "b"


def test_bounds_are_exact() -> None:
    exact = b"a: b\n" + (b"#" + b"x" * 62 + b"\n") * 1023
    exact += b"#" * (65_535 - len(exact)) + b"\n"
    assert len(exact) == 65_536
    assert read(exact).problems == []
    over = read(exact + b"\n")
    assert [(problem.code, dict(problem.args)) for problem in over.problems] == [
        ("yaml.too-big", {"size": 65_537, "limit": 65_536})
    ]
    assert (over.data, over.lines, over.mark(()), over.mark(("a",))) == (None, (), Mark(1, 1), Mark(1, 1))
    assert read(exact + b"\n", limits=FILES).problems == []

    assert found(f"note: {'x' * 2000}\n") == []
    assert the(f"note: {'x' * 2001}\n").args == {"length": 2001, "limit": 2000}
    assert found(f"note: {'x' * 2001}\n", limits=FILES) == []

    assert found("a: " + "[" * 11 + "]" * 11 + "\n") == []
    assert found("a: " + "[" * 12 + "]" * 12 + "\n") == [("yaml.too-deep", 1, 15)]

    few = Limits(events=10)
    assert read(b"[a, b, c, d]\n", limits=few).problems == []  # start, start, start, 4, end, end, end
    many = read(b"[a, b, c, d, e]\n", limits=few)
    assert [problem.code for problem in many.problems] == ["yaml.too-much"]
    assert not many.whole


@pytest.mark.parametrize(
    "hostile", ["[" * 60_000, "- " * 30_000, "{a: " * 15_000, "? " * 30_000, "a:\n" + " - " * 20_000]
)
def test_deep_nesting_is_refused_at_once(hostile: str) -> None:
    codes = [code for code, _, _ in found(hostile)]
    assert codes[-1] == "yaml.too-deep"
    assert set(codes[:-1]) <= {"yaml.complex-key"}


def test_a_depth_stop_ends_the_reading() -> None:
    got = read(("move: " + "[" * 20 + "\nside: x\nside: y\n").encode())
    assert [problem.code for problem in got.problems] == ["yaml.too-deep"]
    assert not got.whole


def test_all_mistakes_at_once_and_the_rest_is_read() -> None:
    text = (
        "side: west\nshoot:\n- a\n- b: c: d\nmove: [x\nfight:\n- z\nnote: @y\n"
        "move:\n- again\nstop-after: fight\n"
    )
    got = read(text.encode())
    assert [(problem.code, *got.mark(problem.path)) for problem in got.problems] == [
        ("yaml.colon", 4, 7),
        ("yaml.bracket", 5, 7),
        ("yaml.sign", 8, 7),
        ("yaml.twice", 9, 1),
    ]
    assert not got.whole
    assert isinstance(got.data, dict)
    assert got.data["side"] == "west"
    assert got.data["fight"] == ["z"]
    assert got.data["stop-after"] == "fight"
    assert got.mark(("stop-after",)) == Mark(11, 13)


def test_a_file_with_a_hundred_broken_sections_is_answered_with_some() -> None:
    got = read("".join(f"s{number}: [a\n" for number in range(100)).encode())
    assert [problem.code for problem in got.problems] == ["yaml.bracket"] * 8


def test_after_a_broken_list_at_the_top_only_what_fits_is_joined() -> None:
    got = read(b"- a\n- b: c: d\nside: x\n")
    assert [problem.code for problem in got.problems] == ["yaml.colon"]
    assert isinstance(got.data, list)


def test_a_line_that_cannot_be_parsed_hides_nothing_below_it() -> None:
    got = read(
        b"side: west\nmove:\n- odo to 0712\n- 'hob to 0713\n- wulf: to: 0714\n- tam to 0715\nhal to 0716\n- "
        b"ned to\t0717\nluck: @x\n"
    )
    assert [(problem.code, got.mark(problem.path).line) for problem in got.problems] == [
        ("yaml.quote", 4), ("yaml.colon", 5), ("yaml.tab", 8), ("yaml.sign", 9),
    ]  # fmt: skip
    got = read(
        b"side: west\nmove:\n- odo to 0712\n- 'hob to 0713\n- wulf: to: 0714\n- tam to 0715\nhal to 0716\n- "
        b"\xc3\xa9 to 0717\nluck: @x\n"
    )
    assert [(problem.code, got.mark(problem.path).line) for problem in got.problems] == [
        ("yaml.quote", 4), ("yaml.colon", 5), ("yaml.no-colon", 7), ("yaml.foreign", 8), ("yaml.sign", 9),
    ]  # fmt: skip
    assert got.data == {
        "side": "west",
        "move": ["odo to 0712", "'hob to 0713", "wulf: to: 0714", "tam to 0715", "é to 0717"],
        "luck": "",
    }
    assert got.mark(("move", 3)) == Mark(6, 3)
    assert not got.whole


def test_forbidden_signs_do_not_hide_the_rest() -> None:
    got = read("side: west\nmove:\n-\todo to 0712\nfight:\n- a\u200bb\nfight:\n- c\n".encode())
    assert [problem.code for problem in got.problems] == ["yaml.tab", "yaml.invisible", "yaml.twice"]
    assert got.data == {"side": "west", "move": ["odo to 0712"], "fight": ["ab"]}
    assert not got.whole
    broken = read(b"move:\n\t- odo\n - hal\n")
    assert [problem.code for problem in broken.problems] == ["yaml.tab"]


def test_hundreds_of_mistakes_are_answered_with_some() -> None:
    got = read(("move:\n" + "- é\n" * 200).encode())
    assert [problem.code for problem in got.problems] == ["yaml.foreign"] * 200
    got = read(("move:\n" + "- é\n" * 203).encode())
    assert [problem.code for problem in got.problems] == ["yaml.foreign"] * 200 + ["yaml.more"]
    assert got.problems[-1].args == {"count": 3}
    assert got.mark(got.problems[-1].path) == Mark(201, 3)


@pytest.mark.parametrize("text", ["a: [e?  f]\n", "a: {b: c?}\n", "a: >#b\n", "note: |2#\n  x\n"])
def test_where_the_parsers_differ_the_stricter_one_has_the_word(text: str) -> None:
    assert same(text.encode()).problems


def test_a_question_is_well_outside_brackets() -> None:
    assert read(b"note: who? [a]\nmessage: why?\n").problems == []


HOSTILE = [
    b"\t" * 65_000,
    "\u200b".encode() * 21_000,
    b"a: [" * 9 + b"x " * 32_000,
    b"".join(b"s%d: [" % number + b"word " * 1_400 + b"\n" for number in range(9)),
    b"- " + b"x:" * 32_000,
    b"? " * 32_000,
    b"'" * 65_000,
    b'"' + b"\\x41" * 16_000,
    b"\n" * 65_000,
    b"#" * 65_000,
    b"a: |\n" + b" \n" * 32_000,
    b"a: &" + b"b" * 65_000,
    b"a: " + b"!" * 65_000,
    b"{" + b"a: b, " * 10_000,
    b"- a\n" * 16_000,
    b"- [[[[[[[[[[a]]]]]]]]]]\n" * 2_500,
    b"a:\n" * 20_000,
    ("- é\n" * 13_000).encode(),
    ("note: u\u0308" * 6_000).encode(),
]


@pytest.mark.parametrize("data", HOSTILE, ids=range(len(HOSTILE)))
def test_no_file_takes_long(data: bytes) -> None:
    began = time.process_time()
    read(data, allow_header=True)
    assert time.process_time() - began < 4


def test_many_forbidden_signs_are_answered_with_twenty() -> None:
    assert len(read(b"a: b\n" + b"\t\n" * 100).problems) == 20
    assert len(read(("note: |\n" + "  u\u0308\n" * 100).encode()).problems) == 20


def test_help_says_what_would_be_right() -> None:
    assert the("Move:\n- a\n").help == "write 'move'"
    assert the("stop after: x\n").help == "write 'stop-after'"
    assert the(": x\n").help == "write a word in front of the colon"
    assert the("1st: x\n").help == "keys are short words of small letters, such as 'move'"
    assert the("größe: x\n", limits=FILES).help == ""
    assert the("a: b\na: c\n").help == "the first one is on line 1; join them or take one out"
    assert the("a: b\na: c\n").args == {"key": "a", "first": 1}
    assert the("a: b\n\ta: c\n").help == "use spaces"
    assert the("move:\n- alric at “hob”\n").help == 'type " instead'
    assert the("move:\n– odo\n").help == "type - instead"
    assert the("move:\n- \u0430lric\n").args["title"] == "cyrillic small letter a"
    assert the("a: \u200b\n").args == {"character": "U+200B zero width space"}
    assert the("a: &x 1\n").args == {"name": "x"}
    assert the("a: !x 1\n").args == {"name": "!x"}
    assert the("note: @x\n").args["sign"] == "@"
    assert (
        the("move:\nhal to " + "0713 " * 20 + "\nx: y\n").args["text"]
        == "hal to 0713 0713 0713 0713 0713 0713 ..."[:37] + "..."
    )


def test_keys_of_other_files_are_a_matter_of_limits() -> None:
    got = read(b'key: {".": flat, "~": moat, B: x}\nproblems:\n  yaml.tab: y\n', limits=FILES)
    assert got.problems == []
    assert got.data == {"key": {".": "flat", "~": "moat", "B": "x"}, "problems": {"yaml.tab": "y"}}
    assert found("größe: x\n", limits=FILES) == [("yaml.key", 1, 1)]
    assert found("x" * 65 + ": y\n", limits=FILES) == [("yaml.key", 1, 1)]
    assert found("x: größe – “ja”\n", limits=FILES) == []
    assert found("x: one\n  two\n", limits=FILES) == []


def test_the_header_of_a_signed_file_keeps_every_line_in_its_place() -> None:
    text = (
        HEADER
        + "# yaml-language-server: $schema=orders.schema.json\nfight:\n- alric attacks gunter\nFight: x\n"
    )
    got = read(text.encode(), allow_header=True)
    assert [(problem.code, *got.mark(problem.path)) for problem in got.problems] == [("yaml.key", 12, 1)]
    assert got.data == {"fight": ["alric attacks gunter"]}
    assert got.lines[0] == "#pd1-orders/1"
    assert got.mark(("fight", 0)) == Mark(11, 3)
    assert read((HEADER + "fight:\n- a\n").replace("\n", "\r\n").encode(), allow_header=True).problems == []
    # the header is the business of pbem.proof: only what it says to YAML counts here
    assert read(HEADER.replace("Möwen", "M\u200b").encode() + b"a: b\n", allow_header=True).problems == []


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        (HEADER.replace("/1", "/2", 1) + "a: b\n", "yaml.header-version", 1),
        (HEADER.replace("#slot 1", "slot 1") + "a: b\n", "yaml.header-end", 3),
        (HEADER.replace("---", "--- a"), "yaml.header-end", 8),
        ("#pd1-orders/1\n#game x", "yaml.header-end", 2),
    ],
)
def test_a_header_that_is_none(text: str, code: str, line: int) -> None:
    assert (code, line) in [(got, at) for got, at, _ in found(text, allow_header=True)]


def test_a_header_where_none_belongs() -> None:
    assert found(HEADER.replace("Möwen", "x") + "a: b\n") == [("yaml.header-here", 1, 1)]
    assert found("# pd1 is a comment\na: b\n", allow_header=True) == []


@pytest.mark.parametrize("pure", [False, True])
def test_places(pure: bool) -> None:
    text = (
        'side: west\nmove:\n- odo to 0712\n- \'hal to 0713\'\n-  who: [tom, wat]\n   do: "a\\"b"\nnote: >\n '
        " long\n  text\n"
    )
    got = read(text.encode(), pure=pure)
    assert got.problems == []
    for path, key, place in [
        ((), False, (1, 1)),
        (("side",), False, (1, 7)),
        (("side",), True, (1, 1)),
        (("move",), False, (3, 1)),
        (("move",), True, (2, 1)),
        (("move", 0), False, (3, 3)),
        (("move", 1), False, (4, 3)),
        (("move", 2), False, (5, 4)),
        (("move", 2), True, (5, 4)),
        (("move", 2, "who"), True, (5, 4)),
        (("move", 2, "who", 1), False, (5, 15)),
        (("move", 2, "do"), False, (6, 8)),
        # inside a text
        (("move", 0, 0), False, (3, 3)),
        (("move", 0, 7), False, (3, 10)),
        (("move", 0, 11), False, (3, 14)),
        (("move", 0, 12), False, (3, 3)),
        (("move", 0, -1), False, (3, 3)),
        (("move", 1, 7), False, (4, 11)),
        (("move", 2, "do", 1), False, (6, 8)),
        (("note", 3), False, (7, 7)),
        # nowhere: what surrounds it
        (("nothing",), False, (1, 1)),
        (("move", 9), False, (3, 1)),
        (("move", -1), False, (3, 1)),
        (("move", "x"), False, (3, 1)),
        (("move", 2, "to"), False, (5, 4)),
        (("move", 2, "who", 7, "x"), False, (5, 9)),
        (("side", "x", 3), False, (1, 7)),
        ((characters.PLACE, 4, 2), False, (4, 2)),
    ]:
        assert got.mark(path, key) == Mark(*place), path  # type: ignore[arg-type]


def test_nothing_stands_where_its_key_stands() -> None:
    got = read(b"a:\nb: {c: , d: [x]}\ne:\n- \n")
    assert [got.mark(path) for path in (("a",), ("b", "c"), ("e", 0))] == [Mark(1, 1), Mark(2, 5), Mark(4, 2)]
    assert read(b"---").mark(()) == Mark(1, 1)
    assert read(b"\n\n--- ''").mark(()) == Mark(3, 5)


def test_the_place_of_a_key_whose_value_was_lost() -> None:
    got = read(b"move:\n- a\nnote: @x\n")
    assert got.mark(("note",)) == Mark(3, 1)
    twice = read(b"a: b\na: {c: d}\n")
    assert twice.mark(("a",)) == Mark(1, 4)
    assert twice.data == {"a": "b"}
    assert found("a: b\na: {c: [d, {E: f}]}\n") == [("yaml.twice", 2, 1), ("yaml.key", 2, 13)]


def test_the_sets_hold_every_such_character_of_this_edition_of_unicode() -> None:
    for number in range(0x80, sys.maxunicode + 1):
        character = chr(number)
        kind = unicodedata.category(character)
        if kind in ("Cf", "Cc", "Cs", "Zl", "Zp", "Zs"):
            assert characters.kind(character).startswith("yaml."), hex(number)
        elif kind[0] in "LNPSM":
            assert characters.in_value(character) in ("", character)
            if unicodedata.is_normalized("NFC", character):
                assert characters.in_value(character) == "", hex(number)


def test_the_c_library_is_used_where_it_is_there() -> None:
    assert yaml_text._FastParser is getattr(getattr(yaml, "cyaml", None), "CParser", yaml_text._PureParser)


def test_without_the_c_library_the_answer_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    text = b"side: west\nmove: [a\nfight:\n- x\n"
    fast = read(text)
    monkeypatch.setattr(yaml_text, "_FastParser", yaml_text._PureParser)
    slow = read(text)
    assert (fast.data, fast.problems, fast.whole) == (slow.data, slow.problems, slow.whole)


def same(data: bytes, limits: Limits = ORDERS) -> Source:
    fast = read(data, limits=limits, allow_header=True)
    slow = read(data, limits=limits, allow_header=True, pure=True)
    assert (fast.data, fast.whole) == (slow.data, slow.whole)
    assert fast.problems == slow.problems
    assert marks(fast, fast.data) == marks(slow, slow.data)
    return fast


def marks(got: Source, value: object, path: tuple[str | int, ...] = ()) -> list[Mark]:
    """Return the place of every key and value, in order."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    own = [got.mark(path), got.mark(path, key=True)]
    return own + [mark for step, below in inner for mark in marks(got, below, (*path, step))]


WELL = [
    b"side: west\nturn: t3\nshoot:\n- alric at hob\nmove:\n- odo to 0712\nfight:\n- when: hob is stunned\n  "
    b"then:\n  - odo attacks hob\n"
    b"standing:\n  everyone: {wound: weakest, retreat: away}\n",
    HEADER.encode() + b"fight:\n- who: [a, 'b', \"c\"]\n  do: attack\nnote: |\n  x\n  y\nmessage: >-\n  z\n",
    "luck: sieben Möwen\nmessage: “Grüße” – bis bald…\nanswers: {q1: 0612, q2: [a, b]}\n".encode(),
]
PIECES = st.sampled_from(
    (
        *(
            b"- ",
            b": ",
            b":",
            b"\n",
            b"  ",
            b"[",
            b"]",
            b"{",
            b"}",
            b"'",
            b'"',
            b"#",
            b" #",
            b"&a ",
            b"*a",
            b"!x ",
            b"|\n",
            b">",
        ),
        *(
            b"---\n",
            b"...\n",
            b"? ",
            b"%",
            b"@",
            b"\\",
            b",",
            b"\r",
            b"\t",
            b"\x00",
            b"\xc2\xa0",
            b"\xe2\x80\x9c",
            b"\xc3",
        ),
        *(
            b"\xe2\x80\x93 ",
            b"<<: ",
            b"\xef\xbb\xbf",
            b"\xe2\x80\x8b",
            b"u\xcc\x88",
            b"a: b\n",
            b"move:\n",
            b"\\u200b",
        ),
        *(b"\\ud800", b"\\UFFFFFFFF", b"0712"),
    )
)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    data = bytearray(draw(st.sampled_from(WELL)))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        data[start : start + draw(st.integers(0, 6))] = draw(PIECES)
    return bytes(data)


@settings(max_examples=150, deadline=None)
@given(
    st.one_of(
        st.binary(max_size=300),
        st.text(max_size=200).map(str.encode),
        mutated(),
        st.lists(PIECES, max_size=30).map(b"".join),
    )
)
@example(b"")
@example(b"\xef\xbb\xbf")
@example(b"#pd1-orders/1")
@example(b"? ")
@example(b"? -")
@example(b"'a': 'b")
@example(b"a: |\n x\n\x85")
def test_no_bytes_make_it_raise_and_every_place_lies_in_the_file(data: bytes) -> None:
    got = same(data)
    assert bool(got.problems) or got.data is not None
    for problem in got.problems:
        line, column = got.mark(problem.path, problem.key)
        assert 1 <= line <= max(len(got.lines), 1)
        assert 1 <= column <= (len(got.lines[line - 1]) if got.lines else 0) + 2
    walk(got, got.data, ())


def walk(got: Source, data: object, path: tuple[str | int, ...]) -> None:
    """Data holds mappings, lists and clean text only, and each value has its place."""
    line, column = got.mark(path)
    assert 1 <= line <= max(len(got.lines), 1)
    assert column >= 1
    if isinstance(data, dict):
        for key, value in data.items():
            assert isinstance(key, str)
            assert re.fullmatch(r"[a-z][a-z0-9_.-]{0,31}", key)
            walk(got, value, (*path, key))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            walk(got, value, (*path, index))
    else:
        assert data is None or isinstance(data, str)
        assert data is None or characters.in_value(data) == ""


PLAIN = (
    "# typed on the train\nside: west\nluck: the tall one - with a hat?\n\nmove:\n- odo to 0712  \n  # no\n"
    "-  hob  attacks alric, at least 3:1\n",
    "---\nmove:\n  - odo to 0712\n  - hob stays\nfight:\nstanding:\n  everyone:\n    wound: weakest\n"
    "  odo:\nnote:   \n",
    "#pd1-orders/1\n#game siege-0a1b2c\n---\nshoot-again:\n- edwold at leofred or nearest\n",
)


@pytest.mark.parametrize("text", PLAIN)
def test_for_a_file_as_players_write_them_nobody_waits_for_pyyaml(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = read(text.encode(), allow_header=True, pure=True)
    monkeypatch.setattr(yaml_text, "walk_all", None)
    fast = read(text.encode(), allow_header=True)
    assert (fast.data, fast.problems, fast.whole) == (slow.data, [], True)
    assert marks(fast, fast.data) == marks(slow, slow.data)


LINES = st.sampled_from(
    (
        *("side: west", "move:", "move: ", "fight:", "  everyone:", "    wound: weakest", "note:"),
        *(
            "- odo to 0712",
            "  - odo to 0712",
            "- ",
            "-",
            "- a: b",
            "- a:",
            "- -",
            "- a #b",
            "- a # b",
            "  odo",
        ),
        *(
            "---",
            "...",
            "# no",
            "  # no",
            "",
            "   ",
            "- 'a'",
            "a: b: c",
            "a:b",
            "a: it's, or? [x] {y}",
            "? a",
        ),
        *(
            "  a: b",
            "    - c",
            " x: y",
            "A: b",
            "a: |",
            "- a|#b",
            "a: *b",
            "a: b*",
            "- a @b",
            "a: a:",
            "a: b:c",
        ),
    )
)


@deeper
@settings(max_examples=tries(60, 3000), deadline=None)
@given(
    st.lists(LINES, max_size=8).map("\n".join), st.sampled_from((ORDERS, FILES, Limits(depth=2, scalar=6)))
)
@example("a:\n- b\n  c: d", ORDERS)
@example("a:\n  b:\n- c", ORDERS)
@example("a:\n  - b\n- c", ORDERS)
def test_line_by_line_it_is_read_as_pyyaml_reads_it(text: str, limits: Limits) -> None:
    same(text.encode(), limits)


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(
        st.from_regex(r"[a-z][a-z0-9-]{0,8}", fullmatch=True),
        st.lists(st.text("abc 0123:,", max_size=12), max_size=4),
    )
)
def test_what_another_writer_wrote_is_read_back(data: dict[str, list[str]]) -> None:
    text = yaml.dump(data, default_style="'", width=1000)
    got = read(text.encode())
    assert got.problems == []
    assert got.data == data


def test_one_mistake_is_said_once() -> None:
    assert found("a: b\t\t\tc\n") == [("yaml.tab", 1, 5)]
    assert found("side: “west: x\n") == [("yaml.typographic-quote", 1, 7)]
    assert found('a: b\nc: "\\UFFFFFFFF"\n') == [("yaml.escape", 2, 5)]


def test_a_reason_that_no_parser_gives_today_is_answered_all_the_same() -> None:
    problem = syntax.explain(("a", "b"), syntax.Failure(1, 0, 1, 0, "something new"))
    assert (problem.code, problem.path, problem.help) == ("yaml.syntax", (characters.PLACE, 2, 1), "")
    after = syntax.explain(("a", "bcd"), syntax.Failure(7, 3, 0, 0, "something new"))
    assert after.path == (characters.PLACE, 2, 4)
    assert syntax.first_escape(("a", "b")) == syntax.Failure(0, 0, 0, 0, "")
