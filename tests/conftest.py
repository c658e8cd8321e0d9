"""What all tests share."""

from __future__ import annotations

import os
import shutil

import pytest


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
