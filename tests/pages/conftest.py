"""Pages that pbem writes, opened in a real Chromium."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from page_watch import Watched
from playwright.sync_api import Browser
from sign_page import bare, joint

__all__ = ["bare", "joint", "opened"]

PHONE = {"width": 390, "height": 760}
DESK = {"width": 1280, "height": 900}


@pytest.fixture
def opened(chromium: Browser) -> Iterator[Callable[..., Watched]]:
    """Open a page from the disk as a user does; at the end it must have been quiet: no error, no word on the
    console, no request.
    """
    contexts: list[Any] = []
    pages: list[Watched] = []

    def open_(file: Path, *, phone: bool = False, **more: Any) -> Watched:
        context = chromium.new_context(
            viewport=PHONE if phone else DESK, has_touch=phone, is_mobile=phone, accept_downloads=True, **more
        )
        contexts.append(context)
        pages.append(Watched(context.new_page()))
        pages[-1].page.goto(file.as_uri())
        return pages[-1]

    yield open_
    for watched in pages:
        watched.was_quiet()
    for context in contexts:
        context.close()
