"""A desk with a clock and chance of its own, and games of the toy ruleset at every stage: what several folders of tests share."""

from __future__ import annotations

from pathlib import Path

import pytest
from table import Table


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


@pytest.fixture(autouse=True)
def no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.fsync", lambda number: None)
