"""A real Chromium, driven by Playwright, for the pages that pbem writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from page_watch import Watched
from playwright.sync_api import Browser, sync_playwright

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
)
PHONE = {"width": 390, "height": 760}
DESK = {"width": 1280, "height": 900}


@pytest.fixture(scope="module")
def chromium(need: Callable[[str], str]) -> Iterator[Browser]:
    program = need("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def opened(chromium: Browser) -> Iterator[Callable[..., Watched]]:
    """Open a page from the disk as a user does; at the end it must have been quiet: no error, no word on the console, no request."""
    contexts: list[Any] = []
    pages: list[Watched] = []

    def open_(file: Path, *, phone: bool = False, **more: Any) -> Watched:
        context = chromium.new_context(viewport=PHONE if phone else DESK, has_touch=phone, is_mobile=phone, accept_downloads=True, **more)
        contexts.append(context)
        pages.append(Watched(context.new_page()))
        pages[-1].page.goto(file.as_uri())
        return pages[-1]

    yield open_
    for watched in pages:
        watched.was_quiet()
    for context in contexts:
        context.close()
