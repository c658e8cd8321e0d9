"""Games of this folder are played on the toy's table."""

from __future__ import annotations

from pathlib import Path

import pytest
from desk_fixtures import no_waiting_for_the_disk
from forum_table import ForumTable

__all__ = ["no_waiting_for_the_disk"]


@pytest.fixture
def thread(tmp_path: Path) -> ForumTable:
    return ForumTable(tmp_path)
