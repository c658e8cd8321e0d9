"""Kinds of task for tests, here and in every worker; a cluster of two real worker processes."""

from __future__ import annotations

from collections.abc import Iterator

import fleet_kinds
import pytest

from pbem.fleet import kinds


@pytest.fixture(autouse=True)
def kinds_of_tests(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let tasks of tests be done."""
    monkeypatch.setattr(kinds, "KINDS", {**kinds.KINDS, **fleet_kinds.KINDS})
    yield
