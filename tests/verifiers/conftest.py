"""The verifiers are tested against the games and the attacks that the tests of the proof write."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "proof"))


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[Page]:
    """Return the page that verifies, opened from its file."""
    from verifier_page import ASKED, FILE, REMEMBERED, WRONG

    made = chromium.new_page()
    made.on("request", lambda request: ASKED.append(request.url))
    made.on("console", lambda said: WRONG.append(said.text))
    made.on("pageerror", lambda error: WRONG.append(str(error)))
    made.goto(FILE.as_uri())
    made.evaluate(REMEMBERED)
    yield made
    made.close()
