"""Collects the ``*.case.yaml`` of this folder: cases as Siege's, played by the rules of The Anarchy."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "siege"))
sys.path.insert(0, str(Path(__file__).parent))

from case_plugin import CaseFile, CaseItem, run

from pbem.rulesets.anarchy.ruleset import ANARCHY


class AnarchyItem(CaseItem):
    """One case of The Anarchy."""

    def runtest(self) -> None:
        run(self.case, ANARCHY)


class AnarchyFile(CaseFile):
    """A file of them."""

    item = AnarchyItem


def pytest_collect_file(file_path: Path, parent: Any) -> CaseFile | None:
    """Take the case files of this folder."""
    if file_path.name.endswith(".case.yaml"):
        return AnarchyFile.from_parent(parent, path=file_path)
    return None
