"""Letters in files: where each begins and ends, when it came, and that neither size nor names do harm."""

from __future__ import annotations

import io
import mailbox
import os
import time
import tracemalloc
from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.store import spool
from pbem.store.spool import MOST, Raw, from_stream, letters

ONE = b"From: bob@example.org\nSubject: one\n\nmove:\n- odo: 0712\n"
TWO = b"From: ann@example.org\nSubject: two\n\nhold\n\nFrom here we go\n"


def mbox(*parts: bytes) -> bytes:
    return b"".join(parts)


def read(data: bytes) -> list[bytes]:
    return [raw.data for raw in from_stream(io.BytesIO(data), "x")]


def test_a_letter_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.eml").write_bytes(ONE)
    assert list(letters(tmp_path / "a.eml")) == [Raw(ONE, "", str(tmp_path / "a.eml"))]
    (tmp_path / "b.eml").write_bytes(b"\n\r\n" + ONE)
    assert [raw.data for raw in letters(tmp_path / "b.eml")] == [ONE]
    (tmp_path / "empty").write_bytes(b"")
    assert list(letters(tmp_path / "empty")) == []
    with pytest.raises(FileNotFoundError):
        list(letters(tmp_path / "none"))


def test_an_mbox_is_cut_where_a_line_has_a_date() -> None:
    data = mbox(
        b"From bob@example.org Tue Nov 14 10:00:00 2023\n",
        ONE,
        b"\nFrom - Wed Nov 15 23:59:59 2023\n",
        TWO,
        b"\nFrom ann Thu Nov 16 10:00:00 2023 +0100\n",
        ONE,
    )
    found = list(from_stream(io.BytesIO(data), "box"))
    assert [raw.data for raw in found] == [ONE, TWO, ONE]
    assert [raw.arrived for raw in found] == [
        "2023-11-14T10:00:00Z",
        "2023-11-15T23:59:59Z",
        "2023-11-16T09:00:00Z",
    ]
    assert [raw.source for raw in found] == ["box#1", "box#2", "box#3"]


@pytest.mark.parametrize(
    ("line", "arrived"),
    [
        (b"From a@b Tue Nov  4 10:00:00 2023", "2023-11-04T10:00:00Z"),
        (b"From a@b Tue Nov 14 10:00 2023", "2023-11-14T10:00:00Z"),
        (b"From 12@xxx Tue Nov 14 10:00:00 +0200 2023", "2023-11-14T08:00:00Z"),
        (b"From a@b Tue Nov 14 10:00:00 GMT 2023", "2023-11-14T10:00:00Z"),
        (b"From a@b Tue Nov 14 10:00:00 CET 2023", ""),
        (b"From - a@b  Mon Oct 16 2023 23:18:56-0730", "2023-10-17T06:48:56Z"),
        (b"From A Name <a@b>  Wed Jan  2 16:34:35 2019", "2019-01-02T16:34:35Z"),
        (b"From Tue Nov 14 10:00:00 2023", "2023-11-14T10:00:00Z"),
        (b"From a@b Tue Nov 31 10:00:00 2023", ""),
        (b"From a@b Tue Nov 14 10:00:00 2023\r", "2023-11-14T10:00:00Z"),
        (b"From a@b Tue Nov 14 10:00:00 0000", ""),
        (b"From a@b Sat Jan  1 00:00:00 +0001 0001", ""),
    ],
)
def test_the_line_before_a_letter_says_when_it_came(line: bytes, arrived: str) -> None:
    data = ONE + b"\n" + line + b"\n" + TWO
    found = list(from_stream(io.BytesIO(b"From x Tue Nov 14 09:00:00 2023\n" + data), "x"))
    assert [raw.data for raw in found] == [ONE, TWO]
    assert found[1].arrived == arrived


@pytest.mark.parametrize(
    "line",
    [
        b"From here we go",
        b"From Tuesday",
        b"From a@b Tue Nov 14",
        b"From 2023 Tue Nov 14 10:00:00",
        b"From: a@b Tue Nov 14 10:00:00 2023",
    ],
)
def test_a_line_of_a_letter_is_none(line: bytes) -> None:
    letter = b"Subject: x\n\ntext\n\n" + line + b"\nmore\n"
    assert read(b"From x Tue Nov 14 09:00:00 2023\n" + letter) == [letter]


def test_only_behind_an_empty_line_a_letter_begins() -> None:
    letter = b"Subject: x\n\ntext\nFrom b@c Tue Nov 14 10:00:00 2023\nmore\n"
    assert read(b"From x Tue Nov 14 09:00:00 2023\n" + letter) == [letter]


def test_marks_without_a_date_are_told_by_being_the_same() -> None:
    assert read(b"From \n" + ONE + b"\nFrom \n" + TWO + b"\nFrom \n" + ONE) == [ONE, TWO, ONE]
    assert read(b"From nobody\n" + ONE + b"\nFrom somebody\n" + TWO) == [ONE + b"\nFrom somebody\n" + TWO]


def test_what_was_stuffed_is_taken_out_where_that_is_certain() -> None:
    head = b"From x Tue Nov 14 09:00:00 2023\nSubject: x\n\n"
    assert read(head + b">From here\n>>From there\n") == [b"Subject: x\n\nFrom here\n>>From there\n"]
    assert read(head + b"a\n>>From there\nb\n") == [b"Subject: x\n\na\n>From there\nb\n"]
    quoted = b"> I said:\n>From here we go\n"
    assert read(head + quoted) == [b"Subject: x\n\n" + quoted]
    assert read(head + b">Fromage\n> From\n") == [b"Subject: x\n\n>Fromage\n> From\n"]


def test_a_length_that_a_letter_claims_is_not_believed() -> None:
    liar = b"Subject: x\nContent-Length: 400\n\nshort\n"
    assert read(
        b"From x Tue Nov 14 09:00:00 2023\n" + liar + b"\nFrom y Tue Nov 14 09:00:00 2023\n" + ONE
    ) == [liar, ONE]


def test_line_ends_of_another_system() -> None:
    head = b"From x Tue Nov 14 09:00:00 2023\r\n"
    one, two = (letter.replace(b"\n", b"\r\n") for letter in (ONE, TWO))
    assert read(head + one + b"\r\n" + head + two) == [one, two]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.lists(
            st.sampled_from(["", "From x", ">From y", "> z", "From a Tue Nov 14 09:00:00 2023", "é", "."]),
            max_size=8,
        ),
        min_size=1,
        max_size=4,
    )
)
def test_what_a_mail_program_writes_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, bodies: list[list[str]]
) -> None:
    path = tmp_path_factory.mktemp("mbox") / "box"
    box = mailbox.mbox(path)
    wanted = []
    for number, lines in enumerate(bodies):
        letter = b"Subject: %d\n\n" % number + "".join(f"{line}\n" for line in lines).encode()
        box.add(letter)
        wanted.append(letter)
    box.flush()
    box.close()
    found = [raw.data for raw in letters(path)]
    assert len(found) == len(wanted)

    def plain(letter: bytes) -> list[bytes]:
        return [line.lstrip(b">") for line in letter.rstrip(b"\n").split(b"\n")]

    assert [plain(letter) for letter in found] == [plain(letter) for letter in wanted]


def test_a_letter_of_any_size_takes_no_more_than_its_measure(tmp_path: Path) -> None:
    head = b"From x Tue Nov 14 09:00:00 2023\n"
    exact = b"Subject: x\n\n" + b"y" * (MOST - 13) + b"\n"
    assert len(exact) == MOST
    assert read(head + exact + b"\n" + head + ONE) == [exact, ONE]
    assert read(exact) == [exact]
    more = exact[:-1] + b"z\n"
    assert [len(letter) for letter in read(head + more + b"\n" + head + ONE)] == [MOST + 1, len(ONE)]
    assert [len(letter) for letter in read(more)] == [MOST + 1]
    with (tmp_path / "endless").open("wb") as file:
        file.write(head + b"x")
        file.truncate(60_000_000)
    with (tmp_path / "endless").open("ab") as file:
        file.write(b"\n\n" + head + ONE)
    tracemalloc.start()
    found = [(len(raw.data), raw.data[:4]) for raw in letters(tmp_path / "endless")]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found == [(MOST + 1, b"x\0\0\0"), (len(ONE), b"From")]
    assert peak < 4 * MOST


def test_ten_thousand_letters_take_the_room_of_one(tmp_path: Path) -> None:
    with (tmp_path / "box").open("wb") as file:
        for number in range(10_000):
            file.write(
                b"From x Tue Nov 14 09:00:00 2023\nSubject: %d\n\n" % number
                + b"text of one line\n" * 20
                + b"\n"
            )
    tracemalloc.start()
    count = sum(len(raw.data) for raw in letters(tmp_path / "box"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == sum(len(b"Subject: %d\n\n" % number) + 340 for number in range(10_000))
    assert peak < 1_000_000


def test_a_line_before_that_has_no_end() -> None:
    assert read(b"From " + b"x" * 200_000 + b"\n" + ONE) == [ONE]
    long = b"Subject: x\n\n" + b"From " * 40_000 + b"\n\nFrom x Tue Nov 14 09:00:00 2023\n" + ONE
    assert read(b"From x Tue Nov 14 09:00:00 2023\n" + long) == [long[: long.index(b"\n\nFrom x") + 1], ONE]


def test_a_maildir_in_the_order_of_delivery(tmp_path: Path) -> None:
    box = mailbox.Maildir(tmp_path / "Maildir", create=True)
    message = EmailMessage()
    message["Subject"] = "kept by the library"
    box.add(message)
    root = tmp_path / "Maildir"
    (root / "cur" / "1700000002.M5P1.host:2,S").write_bytes(b"third")
    (root / "new" / "1700000001.M20P1Q2.host").write_bytes(b"second")
    (root / "cur" / "1700000001.M3P1.host:2,RS").write_bytes(b"first")
    (root / "cur" / "1700000000.M3P1.host:2,D").write_bytes(b"a draft")
    (root / "cur" / "odd name").write_bytes(b"no date")
    (root / "tmp" / "1700000000.M1P1.host").write_bytes(b"half delivered")
    (root / "new" / "1700000009.link").symlink_to(tmp_path / "secret")
    (tmp_path / "secret").write_bytes(b"secret")
    os.mkfifo(root / "new" / "1700000009.pipe")
    found = list(letters(root))
    assert [raw.data for raw in found[:4]] == [b"no date", b"first", b"second", b"third"]
    assert [raw.arrived for raw in found[:4]] == [
        "",
        "2023-11-14T22:13:21Z",
        "2023-11-14T22:13:21Z",
        "2023-11-14T22:13:22Z",
    ]
    assert len(found) == 5
    assert b"kept by the library" in found[4].data
    assert found[4].arrived >= time.strftime("%Y-%m-%dT", time.gmtime(time.time() - 86400))
    assert found[1].source == f"{root}/cur/1700000001.M3P1.host:2,RS"


def test_a_letter_that_is_opened_by_another_program_meanwhile(tmp_path: Path) -> None:
    for folder in ("new", "cur"):
        (tmp_path / folder).mkdir()
    for second in (1, 2, 3):
        (tmp_path / "new" / f"170000000{second}.M1P1.host").write_bytes(b"%d" % second)
    found = []
    for raw in letters(tmp_path):
        if raw.data == b"1":
            (tmp_path / "new" / "1700000002.M1P1.host").rename(tmp_path / "cur" / "1700000002.M1P1.host:2,S")
            (tmp_path / "new" / "1700000003.M1P1.host").unlink()
        found.append((raw.data, raw.fault))
    assert found == [(b"1", ""), (b"2", ""), (b"", "No such file or directory")]


def test_a_folder_of_letters(tmp_path: Path) -> None:
    (tmp_path / "b.eml").write_bytes(TWO)
    (tmp_path / "a.EML").write_bytes(b"From x Tue Nov 14 09:00:00 2023\n" + ONE)
    (tmp_path / "notes.txt").write_bytes(b"no letter")
    (tmp_path / ".hidden.eml").write_bytes(b"no letter")
    (tmp_path / "c.eml").symlink_to("b.eml")
    (tmp_path / "d.eml").mkdir()
    hostile = os.fsdecode(b"e\x1b[2J\xff\n.eml")
    (tmp_path / hostile).write_bytes(b"x")
    found = list(letters(tmp_path))
    assert [(raw.data, raw.arrived) for raw in found] == [
        (ONE, "2023-11-14T09:00:00Z"),
        (TWO, ""),
        (b"x", ""),
    ]
    assert found[2].source == f"{tmp_path}/e·[2J··.eml"
    assert not list(letters(tmp_path / "d.eml"))


def test_a_letter_that_cannot_be_read_stops_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "abc":
        (tmp_path / f"{name}.eml").write_bytes(name.encode())
    real = os.open

    def refuse(path: Path, *rest: int) -> int:
        if str(path).endswith("b.eml"):
            raise PermissionError(13, "Permission denied")
        return real(path, *rest)

    monkeypatch.setattr(spool.os, "open", refuse)
    assert [(raw.data, raw.fault) for raw in letters(tmp_path)] == [
        (b"a", ""),
        (b"", "Permission denied"),
        (b"c", ""),
    ]
