"""Collects ``*.case.yaml``: every case is an item of its own."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from case_plugin import CaseFile


def pytest_collect_file(file_path: Path, parent: Any) -> CaseFile | None:
    """Take the case files of this folder."""
    if file_path.name.endswith(".case.yaml"):
        return CaseFile.from_parent(parent, path=file_path)
    return None
