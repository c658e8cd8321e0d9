"""Games of this folder are played on the toy's table."""

from __future__ import annotations

from pathlib import Path

import pytest
from forum_table import ForumTable


@pytest.fixture
def thread(tmp_path: Path) -> ForumTable:
    return ForumTable(tmp_path)
