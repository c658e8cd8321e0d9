"""What the fuzzers found, and what looked as if they might: none of it makes the reader break a promise."""

from __future__ import annotations

from pathlib import Path

import pytest
from fuzz_orders import try_bytes

FOUND = sorted((Path(__file__).parent / "orders").glob("*.yaml"))


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.stem)
def test_what_was_found_stays_found(path: Path) -> None:
    try_bytes(path.read_bytes())


def test_there_is_something_to_try() -> None:
    assert len(FOUND) >= 10
