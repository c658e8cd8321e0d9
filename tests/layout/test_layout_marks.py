"""Marks that tests bear by the names of their files: each is registered, and each name still has a file."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]


def marked() -> dict[str, str]:
    """Return the table of ``conftest.py``, which is no module to import."""
    for node in ast.parse((TESTS / "conftest.py").read_text("utf-8")).body:
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and node.targets[0].id == "MARKED"
        ):
            found: dict[str, str] = ast.literal_eval(node.value)
            return found
    raise AssertionError("conftest.py has no MARKED")


def test_every_mark_is_registered() -> None:
    known = tomllib.loads((TESTS.parent / "pyproject.toml").read_text("utf-8"))["tool"]["pytest"][
        "ini_options"
    ]["markers"]
    assert set(marked()) <= {mark.partition(":")[0] for mark in known}


def test_every_name_that_gives_a_mark_has_a_file() -> None:
    assert [
        name for names in marked().values() for name in names.split() if not list(TESTS.glob(f"{name}.py"))
    ] == []
