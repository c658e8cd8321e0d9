"""Pages that pbem writes, opened in a real Chromium."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import Any, Final

import pytest
from page_watch import Watched
from playwright.sync_api import Browser, BrowserContext, CDPSession, Page
from sign_page import bare, joint

__all__ = ["bare", "joint", "left", "opened"]

PHONE = {"width": 390, "height": 760}
DESK = {"width": 1280, "height": 900}
LASTING: Final = {
    Page: "add_init_script add_locator_handler emulate_media expose_binding expose_function route "
    "set_default_navigation_timeout set_default_timeout set_extra_http_headers set_viewport_size",
    BrowserContext: "add_cookies add_init_script expose_binding expose_function grant_permissions new_cdp_session "
    "route set_default_navigation_timeout set_default_timeout set_extra_http_headers set_geolocation set_offline",
}
"""What a test may do to a page or its browser that would stay for the next test: such a page is closed."""
TOOLS: Final = BrowserContext.new_cdp_session
Left = dict[tuple[Any, ...], list[tuple[Page, CDPSession]]]


@pytest.fixture(scope="module")
def left(chromium: Browser) -> Left:
    """Return the pages that tests of this file have left empty, by the browser that they are in: to go to a file
    in one of them costs little more than half of what a new one does.
    """
    return defaultdict(list)


def emptied(page: Page, tools: CDPSession) -> None:
    """Leave a page as a new one is: nothing kept in it, no way back, the mouse in its corner."""
    if page.url.startswith("file:"):
        page.evaluate("window.name = ''; sessionStorage.clear()")
    page.goto("about:blank")
    page.mouse.move(0, 0)
    tools.send("Storage.clearDataForOrigin", {"origin": "file://", "storageTypes": "all"})
    tools.send("Page.resetNavigationHistory")


@pytest.fixture
def opened(
    chromium: Browser, left: Left, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., Watched]]:
    """Open a page from the disk as a user does; at the end it must have been quiet: no error, no word on the
    console, no request.
    """
    taken: list[tuple[tuple[Any, ...], Watched, CDPSession]] = []
    lasting: list[str] = []

    def noting(method: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(method)
        def noted(*args: Any, **more: Any) -> Any:
            lasting.append(method.__name__)
            return method(*args, **more)

        return noted

    def new(phone: bool, **more: Any) -> tuple[Page, CDPSession]:
        context = chromium.new_context(
            viewport=PHONE if phone else DESK, has_touch=phone, is_mobile=phone, accept_downloads=True, **more
        )
        page = context.new_page()
        return page, TOOLS(context, page)

    def open_(file: Path, *, phone: bool = False, **more: Any) -> Watched:
        kind = (phone, *sorted(more.items()))
        page, tools = left[kind].pop() if left[kind] else new(phone, **more)
        taken.append((kind, Watched(page), tools))
        page.goto(file.as_uri())
        return taken[-1][1]

    for of, names in LASTING.items():
        for name in names.split():
            monkeypatch.setattr(of, name, noting(getattr(of, name)))
        monkeypatch.setattr(of, "clock", property(noting(of.clock.fget)))  # type: ignore[attr-defined]
    yield open_
    for _, watched, _ in taken:
        watched.was_quiet()
    for kind, watched, tools in taken:
        if lasting or len(watched.page.context.pages) > 1:
            watched.page.context.close()
            continue
        watched.unwatched()
        emptied(watched.page, tools)
        left[kind].append((watched.page, tools))
