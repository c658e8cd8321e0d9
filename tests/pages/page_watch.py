"""A page that is watched: what it says on the console, what it asks the network for, what axe-core finds in
it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

GRAVE = ("serious", "critical")
LOOK = "document.querySelector('.board-view > svg').getAttribute('viewBox').split(' ').map(Number)"


class Watched:
    """A page of Playwright with a list of everything it should not do."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.noise: list[str] = []
        self._heard: dict[str, Callable[[Any], None]] = {
            "console": lambda said: self.noise.append(f"console: {said.text}"),
            "pageerror": lambda error: self.noise.append(f"error: {error}"),
            "request": self._request,
        }
        for what, hear in self._heard.items():
            page.on(what, hear)  # type: ignore[call-overload]

    def unwatched(self) -> None:
        for what, hear in self._heard.items():
            self.page.remove_listener(what, hear)

    def _request(self, request: Any) -> None:
        if (
            not request.url.startswith(("data:", "blob:"))
            and request.url.partition("#")[0] != self.page.url.partition("#")[0]
        ):
            first = request.is_navigation_request() and request.url.startswith("file:")
            if not first:
                self.noise.append(f"request: {request.url}")

    def was_quiet(self) -> None:
        assert not self.noise, self.noise

    def accessible(self) -> None:
        """Fail with what axe-core calls serious or critical."""
        found = Axe().run(self.page).response["violations"]
        grave = [
            (one["id"], one["impact"], [node["html"][:200] for node in one["nodes"]][:5])
            for one in found
            if one["impact"] in GRAVE
        ]
        assert not grave, grave


def until(watched: Watched, expression: str) -> None:
    """Wait for something; Playwright's own waiting for a function is what the policy of the page forbids."""
    for _ in range(400):
        if watched.page.evaluate(expression):
            return
        watched.page.wait_for_timeout(25)
    raise AssertionError(expression)


def settled(page: Page) -> list[float]:
    """Return the window on the map once it has stood still for some frames of the browser, however long each
    takes.
    """
    look: list[float] = page.evaluate(
        f"new Promise((done) => {{ let before = '', same = 0; const look = () => {{ const now = {LOOK};"
        " same = String(now) === before ? same + 1 : 0; before = String(now);"
        " if (same === 4) done(now); else requestAnimationFrame(look); }; requestAnimationFrame(look); })"
    )
    return look
