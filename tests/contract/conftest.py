"""A desk with a clock and chance of its own, and games of the toy ruleset at every stage."""

from __future__ import annotations

import sys
from pathlib import Path

TOY = Path(__file__).resolve().parent.parent / "toy"
if str(TOY) not in sys.path:
    sys.path.insert(0, str(TOY))

import pytest  # noqa: E402
from table import Table  # noqa: E402


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


@pytest.fixture(autouse=True)
def no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.fsync", lambda number: None)
