"""Problems as people see them: place, sentence, line and mark; in the order of the file; and as JSON."""

from __future__ import annotations

import json

import pytest

from pbem import resources
from pbem.core.problem import Problem
from pbem.text import shape
from pbem.text.located import Located, as_json, locate, render
from pbem.text.source import read
from pbem.text.words import Words

WORDS = Words(
    {
        "problems": {
            "schema.choice": "{value} is not one of {choices}",
            "schema.unknown-key": "'{key}' is not a key of this order",
            "movement.wall": "{unit} cannot enter {hex}, a wall",
        }
    }
)
TEXT = "side: west\nfight:\n- what: E7\n  do: mvoe\n  taget: F3\nmove:\n- odo by 0911 0912\n"


def test_it_reads_as_the_architecture_paper_says() -> None:
    source = read(TEXT.encode(), "english.yaml")
    problems = [
        Problem("movement.wall", {"unit": "E7", "hex": "0912"}, ("move", 0, 12), "S1.61c", "stop at 0911"),
        Problem(
            "schema.unknown-key",
            {"key": "taget"},
            ("fight", 0, "taget"),
            help="did you mean 'target'?",
            key=True,
        ),
        Problem(
            "schema.choice",
            {"value": "'mvoe'", "choices": "move or halt"},
            ("fight", 0, "do"),
            help="did you mean 'move'?",
        ),
    ]
    assert "\n".join(render(located) for located in locate(source, problems, WORDS)) == (
        "english.yaml:4:7: schema.choice: 'mvoe' is not one of move or halt\n"
        "      do: mvoe\n"
        "          ^ did you mean 'move'?\n"
        "english.yaml:5:3: schema.unknown-key: 'taget' is not a key of this order\n"
        "      taget: F3\n"
        "      ^ did you mean 'target'?\n"
        "english.yaml:7:15: movement.wall: E7 cannot enter 0912, a wall (S1.61c)\n"
        "    - odo by 0911 0912\n"
        "                  ^ stop at 0911"
    )


def test_they_come_in_the_order_of_the_file_and_each_once() -> None:
    source = read(TEXT.encode())
    problems = [
        Problem("b.two", {}, ("side",)),
        Problem("a.one", {}, ("side",)),
        Problem("b.two", {}, ("side",)),
        Problem("doubt.x", {"unit": "a"}, ("move",)),
        Problem("doubt.x", {"unit": "b"}, ("move",)),
        Problem("c.three", {}, ()),
    ]
    assert [(got.line, got.column, got.code, got.message) for got in locate(source, problems, WORDS)] == [
        (1, 1, "c.three", "c.three"),
        (1, 7, "a.one", "a.one"),
        (1, 7, "b.two", "b.two"),
        (7, 1, "doubt.x", "doubt.x (unit: a)"),
        (7, 1, "doubt.x", "doubt.x (unit: b)"),
    ]
    assert [got.is_doubt for got in locate(source, problems, WORDS)] == [False, False, False, True, True]


def test_a_file_without_lines() -> None:
    source = read(b"x" * 70_000, "big.yaml")
    assert [render(got) for got in locate(source, source.problems, WORDS)] == [
        "big.yaml:1:1: yaml.too-big: yaml.too-big (size: 70000, limit: 65536)"
    ]
    assert render(Located("a.yaml", 1, 1, "a.b", "it is empty", help="write something")) == (
        "a.yaml:1:1: a.b: it is empty\n    write something"
    )


def test_what_belongs_to_no_file() -> None:
    got = Located("pbem", 0, 0, "a.b", "it is not so", help="write something")
    assert render(got) == "pbem: a.b: it is not so\n    write something"
    assert (as_json(got)["line"], as_json(got)["column"]) == (1, 1)


@pytest.mark.parametrize(
    ("line", "column", "shown", "mark"),
    [
        ("side: x", 7, "side: x", "      ^ so"),
        ("ab", 3, "ab", "  ^ so"),
        ("ab", 5, "ab", "    ^ so"),
        ("a\tb\x1b[31mc\u202ed", 13, "a b·[31mc·d", "            ^ so"),
        ("日本 x", 4, "日本 x", "     ^ so"),
        ("e\u0301x y", 4, "e\u0301x y", "  ^ so"),
        ("x" * 110, 110, "x" * 110, " " * 109 + "^ so"),
        ("a" * 60 + "b" * 60, 1, "a" * 60 + "b" * 47 + "...", "^ so"),
        ("a" * 100 + "b" * 100, 101, "..." + "a" * 52 + "b" * 52 + "...", " " * 55 + "^ so"),
        ("a" * 100 + "b" * 100, 200, "..." + "a" * 7 + "b" * 100, " " * 109 + "^ so"),
    ],
)
def test_the_mark_stands_below_its_place(line: str, column: int, shown: str, mark: str) -> None:
    got = render(Located("a.yaml", 1, column, "a.b", "c", help="so", source_line=line))
    assert got == f"a.yaml:1:{column}: a.b: c\n    {shown}\n    {mark}"


def test_without_help_the_mark_stands_alone() -> None:
    assert (
        render(Located("a.yaml", 1, 2, "a.b", "c", source_line="xyz  "))
        == "a.yaml:1:2: a.b: c\n    xyz\n     ^"
    )


def test_json_is_what_the_schema_says() -> None:
    source = read(TEXT.encode(), "west.yaml")
    problem = Problem("movement.wall", {"unit": "E7", "hex": "0912"}, ("move", 0), "S1.61c", "stop at 0911")
    plain = [as_json(got) for got in locate(source, [problem], WORDS)]
    assert plain == [
        {
            "file": "west.yaml",
            "line": 7,
            "column": 3,
            "code": "movement.wall",
            "message": "E7 cannot enter 0912, a wall",
            "rule": "S1.61c",
            "help": "stop at 0911",
        }
    ]
    schema = json.loads((resources.folder("schemas") / "cli" / "check.schema.json").read_text("utf-8"))
    assert shape.check({"ok": False, "doubts": [], "problems": plain}, schema, text=False) == []


def test_nothing_in_a_file_can_steer_a_terminal() -> None:
    source = read(b"side: x\n")
    problem = Problem("schema.choice", {"value": "\x1b[2J\n", "choices": "\u202ea"}, help="\x07")
    [got] = locate(source, [problem], WORDS)
    assert (got.message, got.help) == ("·[2J· is not one of ·a", "·")
    header = read(b"#pd1-\x1b\n---\n", allow_header=True)
    assert header.problems[0].args["found"] == "#pd1-·"
