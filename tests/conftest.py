"""What all tests share."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from thorough import THOROUGH

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from table import Table

settings.register_profile("same", derandomize=True, deadline=None)
settings.load_profile("same" if os.environ.get("PBEM_DRAW") != "anew" else "default")
"""What hypothesis draws is the same in every run, so that a run tells of a change and not of luck,
nor of how busy the machine is; PBEM_DRAW=anew draws others."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave to the longer check what is for it alone; there, leave out whatever it would only try again."""
    groups: dict[bool, list[pytest.Item]] = {True: [], False: []}
    for item in items:
        marked = {mark.name for mark in item.iter_markers()} & {"thorough", "deeper"}
        groups[bool(marked) if THOROUGH else "thorough" not in marked].append(item)
    if groups[False]:
        config.hook.pytest_deselected(items=groups[False])
        items[:] = groups[True]


def need(program: str) -> str:
    """Return the path of a program; skip the test by its name where it is absent, fail where no test may skip."""
    path = shutil.which(program)
    if path is None:
        if os.environ.get("PBEM_NO_SKIP") == "1":
            pytest.fail(f"{program} is not installed and PBEM_NO_SKIP=1")
        pytest.skip(f"{program} is not installed")
    return path


@pytest.fixture(name="need", scope="session")
def need_fixture() -> object:
    """Give tests the function above without an import path."""
    return need


@pytest.fixture(scope="session", autouse=True)
def cache_of_their_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep painted pictures in a folder of the tests, and none of the user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PBEM_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session", autouse=True)
def no_waiting_for_the_disk() -> Iterator[None]:
    """Let no test wait for the disk: what a killed program leaves behind is the same, and nobody here cuts the power."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.fsync", lambda number: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def the_engine_that_played() -> Iterator[None]:
    """Let games of the table be verified by the engine that they pin, so that whatever comes out otherwise is a failure."""
    from table import ENGINE

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.referee.verify.this_engine", lambda: ENGINE)
        yield


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Return a desk with a clock and chance of its own, and games of the toy ruleset at every stage."""
    from table import Table

    return Table(tmp_path)


QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
)


@pytest.fixture(scope="module")
def chromium(need: Callable[[str], str]) -> Iterator[Browser]:
    """Start a real Chromium, for the pages that pbem writes and ships."""
    program = need("chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(QUIET))
        yield browser
        browser.close()
