"""Collects the ``*.case.yaml`` of this folder: small boards on which a rule of castle sections is played."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "siege"))
sys.path.insert(0, str(Path(__file__).parent))

from case_plugin import CaseFile, CaseItem
from castle_cases import run

from pbem.rulesets.castle.ruleset import CASTLE


class CastleItem(CaseItem):
    """One case of castle sections."""

    def runtest(self) -> None:
        run(self.case, CASTLE)


class CastleFile(CaseFile):
    """A file of them."""

    item = CastleItem


def pytest_collect_file(file_path: Path, parent: Any) -> CaseFile | None:
    """Take the case files of this folder."""
    if file_path.name.endswith(".case.yaml"):
        return CastleFile.from_parent(parent, path=file_path)
    return None
