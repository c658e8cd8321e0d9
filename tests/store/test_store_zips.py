"""Archives in one file: the same bytes for the same files, and no harm from any bytes whatever."""

from __future__ import annotations

import io
import stat
import struct
import zipfile
from pathlib import Path

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


@pytest.mark.parametrize("name", ["/etc/passwd", "../up", "a/../../b", "C:\\x", "a\\b", ".hidden", "a//b", "con*"])
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
    assert reason(b"") == "no-zip"
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
    assert reason(data) == "path"


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
