"""The header of an order file: one form, and a reason with a line for everything else."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.proof.known import Value
from pbem.proof.orderfile import MAX_ORDERS, BadOrderFile, parse, write

HEAD, SALT, X = "ab" * 32, "cd" * 16, "ef" * 32
GOOD: dict[str, Any] = {
    "game": "siege-0a1b2c",
    "slot": 7,
    "seat": "blue",
    "head": HEAD,
    "salt": SALT,
    "yaml": b"move:\n- hob 0412\n",
}


def bad(data: bytes) -> tuple[str, int]:
    with pytest.raises(BadOrderFile) as caught:
        parse(data)
    return caught.value.reason, caught.value.line


def header(*lines: str, end: str = "\n", yaml: str = "a: b\n") -> bytes:
    return (end.join(["#pd1-orders/1", *lines, "---", ""]) + yaml).encode()


NEEDED = ["#game siege-0a1b2c", "#slot 7", "#seat blue", f"#head {HEAD}", f"#salt {SALT}"]


def test_what_is_written_is_read() -> None:
    data = write(**GOOD, value=Value(X, (HEAD, X)), seen=(HEAD, "2026-02-01T10:01:00Z"))
    assert data.decode() == (
        f"#pd1-orders/1\n#game siege-0a1b2c\n#slot 7\n#seat blue\n#head {HEAD}\n#x {X}\n#path {HEAD} {X}\n"
        f"#seen {HEAD} 2026-02-01T10:01:00Z\n#salt {SALT}\n---\nmove:\n- hob 0412\n"
    )
    read = parse(data)
    assert (read.game, read.slot, read.seat, read.head, read.salt) == ("siege-0a1b2c", 7, "blue", HEAD, SALT)
    assert (read.value, read.luck, read.seen) == (Value(X, (HEAD, X)), None, (HEAD, "2026-02-01T10:01:00Z"))
    assert (read.yaml, read.yaml_line_offset) == (b"move:\n- hob 0412\n", 10)
    assert read.sha512 == hashlib.sha512(data).hexdigest()
    assert read.has_value


def test_drafts_have_no_value() -> None:
    draft = parse(write(**GOOD))
    assert not draft.has_value
    assert (draft.value, draft.luck, draft.seen, draft.yaml_line_offset) == (None, None, None, 7)
    assert parse(write(**GOOD, luck="Günstige Würfel ")).luck == "Günstige Würfel "


def test_any_order_of_lines_and_crlf_throughout() -> None:
    read = parse(header(*reversed(NEEDED), "#luck seven herons", end="\r\n", yaml="a: b\r\n"))
    assert (read.luck, read.yaml, read.yaml_line_offset) == ("seven herons", b"a: b\r\n", 8)


def test_only_the_first_rule_ends_the_header() -> None:
    assert parse(header(*NEEDED, yaml="---\na: b\n")).yaml == b"---\na: b\n"
    assert parse(header(*NEEDED, yaml="")).yaml == b""


def test_64_kib_is_the_limit() -> None:
    room = MAX_ORDERS - len(header(*NEEDED, yaml=""))
    assert MAX_ORDERS == 65536
    assert len(parse(header(*NEEDED, yaml="x" * room)).yaml) == room
    assert bad(header(*NEEDED, yaml="x" * (room + 1))) == ("too-long", 0)


@pytest.mark.parametrize(
    ("data", "reason", "number"),
    [
        (b"", "no-rule", 0),
        (b"---\n", "no-rule", 0),
        (b"a\n---\n", "first-line", 1),
        (b"#pd1-orders/1\n---", "no-rule", 0),
        (header(*NEEDED).replace(b"/1", b"/2"), "first-line", 1),
        (header(*NEEDED).replace(b"\n", b"\r\n", 1), "line-ends", 0),
        (header(*NEEDED, end="\r\n", yaml="a\n"), "line-ends", 0),
        (header(*NEEDED, end="\r\n", yaml="a\r"), "line-ends", 0),
        (header(*NEEDED, yaml="a\rb\n\r"), "line-ends", 0),
        (header(*NEEDED, ""), "line", 7),
        (header(*NEEDED, "luck seven herons"), "line", 7),
        (header(*NEEDED, "#luck"), "line", 7),
        (header("#why not", *NEEDED), "unknown", 2),
        (header(*NEEDED, "# luck x"), "unknown", 7),
        (header(*NEEDED, "#slot 7"), "twice", 7),
        (header(*NEEDED, f"#x {X}", "#luck seven herons"), "two-values", 0),
        (header(*NEEDED, f"#x {X} "), "bad-x", 7),
        (header(*NEEDED, "#x "), "letters", 7),
        (header(*NEEDED, f"#x {X}\t"), "letters", 7),
        (header(*NEEDED, f"#x {X[:-1]}"), "bad-x", 7),
        (header(*NEEDED, f"#x {X.upper()}"), "bad-x", 7),
        (header(*NEEDED, f"#x {X[:-1]}é"), "letters", 7),
        (header(*NEEDED, f"#x {X}", "#path "), "letters", 8),
        (header(*NEEDED, f"#x {X}", f"#path {HEAD[1:]}"), "bad-path", 8),
        (header(*NEEDED, f"#x {X}", f"#path {HEAD}  {X}"), "bad-path", 8),
        (header(*NEEDED, f"#x {X}", f"#path {HEAD} "), "bad-path", 8),
        (header(*NEEDED, f"#x {X}", f"#path {HEAD},{X}"), "bad-path", 8),
        (header(*NEEDED, f"#x {X}", f"#path {HEAD}", f"#path {X}"), "twice", 9),
        (header(*NEEDED, f"#path {HEAD}"), "path-alone", 0),
        (header(*NEEDED, f"#path {HEAD}", "#luck seven herons"), "path-alone", 0),
        (header(*NEEDED, "#luck ").replace(b"#luck ", b"#luck \xff"), "letters", 7),
        (header(*NEEDED, f"#seen {HEAD}"), "bad-seen", 7),
        (header(*NEEDED, f"#seen {HEAD} 2026-13-01T10:01:00Z"), "bad-seen", 7),
        (header(*NEEDED, f"#seen {HEAD[1:]} 2026-12-01T10:01:00Z"), "bad-seen", 7),
        (header(*NEEDED, f"#seen {HEAD} 2026-12-01T10:01:00Z "), "bad-seen", 7),
    ],
    ids=range(35),
)
def test_what_is_wrong_and_where(data: bytes, reason: str, number: int) -> None:
    assert bad(data) == (reason, number)


@pytest.mark.parametrize("place", range(5))
def test_needed_lines(place: int) -> None:
    key = NEEDED[place].split(" ")[0][1:]
    assert bad(header(*NEEDED[:place], *NEEDED[place + 1 :])) == (f"no-{key}", 0)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("game", "siege-0"),
        ("game", "Siege-0a1b2c"),
        ("game", "s" * 41),
        ("slot", "0"),
        ("slot", "07"),
        ("slot", "10001"),
        ("slot", "100000"),
        ("slot", "-1"),
        ("slot", "7 "),
        ("seat", "gm"),
        ("seat", "Blue"),
        ("head", HEAD[:-1]),
        ("head", HEAD + "0"),
        ("salt", SALT[:-1]),
        ("salt", SALT + "0"),
        ("salt", SALT.upper()),
    ],
)
def test_fields_out_of_form(key: str, value: str) -> None:
    lines = [f"#{key} {value}" if line.startswith(f"#{key} ") else line for line in NEEDED]
    assert bad(header(*lines)) == (
        f"bad-{key}",
        NEEDED.index(next(x for x in NEEDED if x.startswith(f"#{key} "))) + 2,
    )


@pytest.mark.parametrize(
    ("key", "value"), [("game", "s" * 8), ("game", "s" * 40), ("slot", "1"), ("slot", "10000")]
)
def test_fields_at_the_border(key: str, value: str) -> None:
    lines = [f"#{key} {value}" if line.startswith(f"#{key} ") else line for line in NEEDED]
    assert str(getattr(parse(header(*lines)), key)) == value


@pytest.mark.parametrize(
    "change",
    [
        {"luck": "x\n#seen y"},
        {"luck": f"x\n#seen {HEAD} 2026-02-01T10:01:00Z"},
        {"value": Value(X), "luck": "x"},
        {"luck": "x\n---\na"},
        {"luck": "\ud800"},
        {"game": "x"},
        {"value": Value("1")},
        {"yaml": b"a\r\nb\n"},
    ],
    ids=str,
)
def test_nothing_is_written_that_would_be_read_otherwise(change: dict[str, Any]) -> None:
    with pytest.raises(BadOrderFile):
        write(**{**GOOD, **change})


def test_a_reason_names_its_line() -> None:
    assert str(BadOrderFile("twice", 7)) == "twice (line 7)"
    assert str(BadOrderFile("no-rule")) == "no-rule"


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: header(*NEEDED[:4], *text.split("\n"))))
def test_any_bytes_are_an_order_file_or_refused(data: bytes) -> None:
    try:
        assert parse(data).sha512 == hashlib.sha512(data).hexdigest()
    except BadOrderFile as wrong:
        assert wrong.reason
