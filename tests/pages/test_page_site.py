"""The pages of a club in Chromium: whole without a script or the network, accessible, legible on a telephone."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest
from office_table import OfficeTable
from page_watch import Watched
from playwright.sync_api import Browser
from table import pull

from pbem.referee.mail.desk import look
from pbem.referee.site.making import make
from pbem.referee.site.umpire_page import make_private

GAME = "games/tug-0a1b2c"
SIZES = ({"width": 390, "height": 760}, {"width": 1280, "height": 900})
PAGES = (
    *("index.html", "players/p-north/index.html", "statistics.html"),
    *(f"{GAME}/index.html", f"{GAME}/s0001.html"),
    "../desk/index.html",
)


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the pages of a club in which two turns were played, one is open, and a letter waits."""
    root = tmp_path_factory.mktemp("club")
    (root / "games").mkdir()
    office = OfficeTable(root / "games")
    settings = office.root / "pbem.toml"
    settings.write_text(settings.read_text().replace('umpire = "cass@example.org"\n', ""))
    office.started(keyed=(), umpire=True)
    office.round()
    for number in range(2):
        (seat,) = office.open().announced()["waits"]
        office.later(hours=3)
        office.letter(seat, pull(seat) + f"luck: seven drunken herons {number}\n")
        office.round()
        locked = office.open().ledger.locked
        for asked in locked.asked if locked is not None else ():
            office.letter(asked, f"luck: nine sober geese {number}\n")
        office.round()
    office.letter("south", "I resign. Well played!\n")
    office.round()
    office.later(days=9)
    desk = look(office.env, office.root, office.moment.replace(tzinfo=UTC))
    make(office.env, desk, root / "pages")
    make_private(office.env, desk, root / "desk", root / "pages")
    return root / "pages"


@pytest.fixture(scope="module")
def still(chromium: Browser) -> Iterator[Any]:
    """Return a function that opens a page at a size with no script in it."""
    contexts = []

    def open_(file: Path, size: dict[str, int]) -> Watched:
        context = chromium.new_context(viewport=size, is_mobile=size["width"] < 500)  # type: ignore[arg-type]
        contexts.append(context)
        watched = Watched(context.new_page())
        watched.page.goto(file.resolve().as_uri())
        return watched

    yield open_
    for context in contexts:
        context.close()


@pytest.mark.parametrize("size", SIZES, ids=["phone", "desk"])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_quiet_accessible_and_fits(club: Path, still: Any, name: str, size: dict[str, int]) -> None:
    watched = still(club / name, size)
    page = watched.page
    watched.accessible()
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert page.evaluate("[...document.images].every(one => one.complete && one.naturalWidth > 0)")
    # its own pictures, and nothing else
    noise = [said for said in watched.noise if not said.startswith(f"request: {club.resolve().as_uri()}/")]
    assert not noise, noise
    small = page.evaluate(
        "[...document.querySelectorAll('nav a, main > ul a, ol a, .button, summary')]"
        ".map(one => one.getBoundingClientRect()).filter(box => box.height && box.height < 36).length"
    )
    assert small == 0


def test_from_the_index_to_a_report_and_back_without_a_script(club: Path, chromium: Browser) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((club / "index.html").resolve().as_uri())
    page.click("tbody th a")
    assert page.url.endswith(f"{GAME}/index.html")
    page.click("summary")
    assert page.is_visible("pre.chart")
    page.click("ol.turns a")
    assert page.url.endswith("s0002.html")
    page.click("nav a")
    assert page.url.endswith("pages/index.html")
    context.close()


def test_in_grey_late_is_said_in_words(club: Path, still: Any) -> None:
    watched = still(club / "index.html", SIZES[0])
    assert "Late since" in watched.page.inner_text("main")
