"""What comes with pbem is read from YAML once; what is kept says the same, and counts only as long as neither
the bytes nor the program are others.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.core.table import TableError
from pbem.rulesets import tables
from pbem.store import marks, shelf
from pbem.store.plain import plain


@pytest.fixture(autouse=True)
def shelf_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("PBEM_CACHE", str(tmp_path / "shelf"))
    tables.use(plain)
    yield
    tables.use(None)


def never() -> Any:
    raise AssertionError("it was read again")


def test_what_was_read_once_is_not_read_again() -> None:
    said = {"a": ["1", {"b": "", 7: -2}], "c": "\u00e4", "d": None, 1: True}
    assert plain("any", b"bytes", lambda: said) == said == plain("any", b"bytes", never)


@pytest.mark.parametrize("other", ["kind", "bytes", "program", "no shelf", "cut short"])
def test_other_bytes_another_program_or_a_damaged_shelf_are_read_anew(
    other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain("any", b"bytes", lambda: "old")
    kind, data = "any", b"bytes"
    if other == "kind":
        kind = "another"
    elif other == "bytes":
        data = b"Bytes"
    elif other == "program":
        monkeypatch.setattr(marks, "of_readers", lambda: "another")
    elif other == "no shelf":
        monkeypatch.setenv("PBEM_CACHE", shelf.OFF)
    else:
        own = shelf.own(shelf.READ)
        assert own is not None
        for file in own.folder.iterdir():
            file.write_bytes(file.read_bytes()[:-1])
    assert plain(kind, data, lambda: "new") == "new"


def test_every_shipped_table_says_the_same_kept_or_read() -> None:
    kept = [tables.load("pbem.rulesets.siege") for _ in range(2)]
    first, second = ({name: tables.plain(each[name]) for name in each} for each in kept)
    tables.use(None)
    fresh = tables.load("pbem.rulesets.siege")
    assert first == second == {name: tables.plain(fresh[name]) for name in fresh}


def test_a_table_with_a_fault_is_refused_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tables").mkdir()
    monkeypatch.setattr("pbem.resources.of_package", lambda package: tmp_path)
    (tmp_path / "tables" / "duel.yaml").write_text("table: duel\ntable: duel\n")
    for _ in range(2):
        with pytest.raises(TableError, match=r"duel: line 2: yaml[.]twice"):
            tables.load("any")["duel"]
