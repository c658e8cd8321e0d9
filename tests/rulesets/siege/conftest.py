"""Collects ``*.case.yaml`` files: each case is a test named after its rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import siege_case


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.name.endswith(".case.yaml"):
        return CaseFile.from_parent(parent, path=file_path)
    return None


class CaseFile(pytest.File):
    """One file of cases."""

    def collect(self) -> Iterator[pytest.Item]:
        for case in siege_case.cases(self.path):
            yield Case.from_parent(self, name=f"{' '.join(case['ids'])}: {case['name']}", case=case)


class Case(pytest.Item):
    """One case."""

    def __init__(self, *, case: dict, **more: object) -> None:
        super().__init__(**more)
        self.case = case

    def runtest(self) -> None:
        from pbem.rulesets.siege.ruleset import CRY_HAVOC

        siege_case.run(self.case, CRY_HAVOC)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
        if excinfo.errisinstance(siege_case.WrongCase):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.case["line"] - 1, self.name
