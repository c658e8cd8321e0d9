"""Archives in one file: the same bytes for the same files, and no harm from any bytes whatever."""

from __future__ import annotations

import io
import stat
import struct
import subprocess
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pbem.store.zips import MAX_ENTRIES, BadZip, ZipArchive, open_zip, write_zip


def made(*entries: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in entries:
            file.writestr(name, data)
    return buffer.getvalue()


def reason(data: bytes) -> str:
    with pytest.raises(BadZip) as bad:
        ZipArchive(data)
    return bad.value.reason


def test_what_is_written_is_read(tmp_path: Path) -> None:
    files = {"b/two": b"2" * 1000, "a": b"1", "FILES": b""}
    data = write_zip(files)
    assert data == write_zip(dict(reversed(files.items())))
    (tmp_path / "x.zip").write_bytes(data)
    archive = open_zip(tmp_path / "x.zip")
    assert list(archive) == ["FILES", "a", "b/two"]
    assert {path: archive[path] for path in archive} == files
    assert "a" in archive
    assert "c" not in archive
    with pytest.raises(KeyError):
        archive["c"]


def test_folders_are_no_files() -> None:
    assert list(ZipArchive(made(("a/", b""), ("a/b", b"x")))) == ["a/b"]


@pytest.mark.parametrize(
    "name",
    [
        "/etc/passwd",
        "../up",
        "a/../../b",
        "C:\\x",
        "c:x",
        "..",
        "a\\..\\..\\b",
        "\\a",
        "\\\\server\\x",
        "./../a",
    ],
)
def test_names_that_lead_elsewhere(name: str) -> None:
    assert reason(made((name, b"x"))) == "path"


def test_hostile_zips() -> None:
    link = zipfile.ZipInfo("link")
    link.create_system = 3
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    assert reason(made((link, b"/etc/passwd"))) == "link"
    with pytest.warns(UserWarning, match="Duplicate name"):
        twice = made(("a", b"1"), ("a", b"2"))
    assert reason(twice) == "twice"
    assert reason(made(("bomb", b"\0" * 16_000_000))) == "bomb"
    assert reason(made(("big", b"\0" * (16 * 1024 * 1024 + 1)))) == "too-big"
    assert reason(b"") == "cut-off"
    assert reason(b"PK\x05\x06" + b"\0" * 17) == "no-zip"
    assert reason(made(*((f"f{n}", b"") for n in range(MAX_ENTRIES + 1)))) == "too-many"


def test_an_archive_that_is_too_big_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.store.zips.MAX_TOTAL", 1000)
    assert reason(made(("a", b"x" * 600), ("b", b"y" * 600))) == "too-big"
    monkeypatch.setattr("pbem.store.zips.MAX_ZIP", 100)
    assert reason(made(("a", b"x"))) == "too-big"


def test_a_locked_archive() -> None:
    data = bytearray(made(("a", b"x")))
    at = data.index(b"PK\x01\x02")
    data[at + 8] |= 1
    assert reason(bytes(data)) == "locked"


def test_a_name_with_a_zero_byte_is_not_cut_short() -> None:
    data = made(("aXevil", b"x")).replace(b"aXevil", b"a\0evil")
    assert list(ZipArchive(data)) == ["a\0evil"]


# how people and systems pack


RECORD = "ledger/00001-manifest.json"


@pytest.mark.parametrize(
    "names",
    [
        {RECORD: RECORD, "a.txt": "a.txt"},
        {RECORD.replace("/", "\\"): RECORD, "maps\\a.png": "maps/a.png"},
        {RECORD: RECORD, "maps\\a.png": "maps/a.png"},
        {f"./{RECORD}": RECORD, "./a": "a", ".\\maps/b": "maps/b"},
        {f"toll/{RECORD}": RECORD, "toll/a": "a"},
        {f"toll\\{RECORD}": RECORD, "toll\\a\\b": "a/b"},
        {f"out/toll/{RECORD}": RECORD, "out/toll/a": "a"},
        {
            f"toll/{RECORD}": RECORD,
            "toll/old/" + RECORD: "old/" + RECORD,
            "__MACOSX/toll/._x": "",
            "x.txt": "",
        },
        {RECORD: RECORD, "old/" + RECORD: "old/" + RECORD},
        {
            RECORD: RECORD,
            ".DS_Store": "",
            "maps/.DS_Store": "",
            "__MACOSX/ledger/._00001-manifest.json": "",
            ".git/HEAD": "",
        },
        {
            RECORD: RECORD,
            "Icon\r": "Icon\r",
            "what: a note?.txt": "what: a note?.txt",
            "con": "con",
            "a. ": "a. ",
        },
        {
            RECORD: RECORD,
            "mail/s0001-west-01.txt": "",
            "game.toml": "",
            "told.json": "",
            "outbox/x": "",
            "aside/1/x": "",
        },
        {RECORD: RECORD, "x" * 401: "", "a/" * 16 + "b": "", "a/" * 15 + "b": "a/" * 15 + "b"},
        {RECORD: RECORD, "a//b": "a/b"},
    ],
    ids=range(14),
)
def test_names_as_programs_write_them(names: dict[str, str]) -> None:
    archive = ZipArchive(made(*((name, name.encode()) for name in names)))
    assert sorted(archive) == sorted(filter(None, names.values()))
    assert all(archive[path] == name.encode() for name, path in names.items() if path)


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (["a/b", "a\\b"], "twice"),
        (["./a", "a"], "twice"),
        (["a/b", "a//b"], "twice"),
        (["a/", "a"], "twice"),
        (["a", "a/b"], "twice"),
        ([f"one/{RECORD}", f"two/{RECORD}"], "several"),
        (["toll.zip", "readme.txt"], "inside"),
    ],
)
def test_names_of_which_nobody_could_say_what_they_name(names: list[str], why: str) -> None:
    assert reason(made(*((name, b"x") for name in names))) == why


def test_a_zip_that_a_mail_cut_off_is_told_from_what_is_none() -> None:
    data = made((RECORD, b"x" * 400), ("b", b"y" * 400))
    assert {reason(data[:length]) for length in (0, 4, 30, 200, len(data) - 22, len(data) - 1)} == {"cut-off"}
    assert {reason(other) for other in (b"<html>log in", b"PK", b"\0" * 100)} == {"no-zip"}
    assert list(ZipArchive(b"From a mail:\r\n" + data + b"\r\n")) == [RECORD, "b"]


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_what_not_every_reader_can_unpack_is_not_read(method: int) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as file:
        file.writestr("a", b"x" * 100)
    assert reason(buffer.getvalue()) == "method"


def test_a_zip_of_a_stream_has_its_sizes_behind_each_file() -> None:
    class Stream(io.BytesIO):
        def seekable(self) -> bool:
            return False

    buffer = Stream()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(RECORD, b"x" * 5000)
    assert ZipArchive(buffer.getvalue())[RECORD] == b"x" * 5000


def test_the_large_form_of_a_small_zip(tmp_path: Path, need: Any) -> None:
    """Info-ZIP writes it where it does not know how much will come."""
    (tmp_path / "ledger").mkdir()
    (tmp_path / RECORD).write_bytes(b"x" * 5000)
    subprocess.run([need("zip"), "-q", "-fz", "-r", "x.zip", "ledger"], cwd=tmp_path, check=True)
    data = (tmp_path / "x.zip").read_bytes()
    assert b"PK\6\7" in data
    assert ZipArchive(data)[RECORD] == b"x" * 5000
    piped = subprocess.run(
        [need("zip"), "-q", "-fz", "-", RECORD], cwd=tmp_path, check=True, capture_output=True
    ).stdout
    assert ZipArchive(piped)[RECORD] == b"x" * 5000
    assert reason(data.replace(b"PK\6\6", b"PK\6\5")) == "no-zip"


def test_the_directory_is_not_read_beyond_its_bound() -> None:
    data = made(("a", b""))
    at = data.index(b"PK\1\2")
    entry = data[at : at + 47]
    many = b"".join(entry.replace(b"a", bytes([97 + n % 26])) for n in range(200_000))
    end = struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, len(many), at, 0)
    begun = time.process_time()
    assert reason(data[:at] + many + end) in ("twice", "too-many")
    assert time.process_time() - begun < 2


def test_an_entry_that_lies_about_itself_is_not_there() -> None:
    data = bytearray(made(("a", b"hello" * 100)))
    at = data.index(b"PK\x01\x02")
    longer = bytes(data[: at + 24]) + struct.pack("<I", 600) + bytes(data[at + 28 :])
    with pytest.raises(KeyError):
        ZipArchive(longer)["a"]
    spoilt = bytearray(data)
    spoilt[35] ^= 0xFF
    with pytest.raises(KeyError):
        ZipArchive(bytes(spoilt))["a"]


@example(365, 0)  # the name of an entry is empty
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 400), st.integers(0, 255))
def test_any_byte_changed_is_an_answer_and_no_crash(at: int, value: int) -> None:
    data = bytearray(write_zip({"a": b"hello" * 20, "b/c": b"x"}))
    data[at % len(data)] = value
    try:
        archive = ZipArchive(bytes(data))
    except BadZip:
        return
    for path in archive:
        try:
            archive[path]
        except KeyError:
            continue
