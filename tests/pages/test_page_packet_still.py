"""The turn packet where no script runs, as in the preview of a mail: a page to read, with all that is needed
to answer by hand.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from packet_games import Played, by_bots
from page_watch import Watched
from playwright.sync_api import Page

from pbem.referee.pages import packet
from pbem.renderers import page as shell

Open = Callable[..., Watched]


@pytest.fixture(scope="module")
def met(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Toll at the Alder Ford once the two sides have met: east to order."""
    return by_bots(tmp_path_factory.mktemp("met"), "alder-ford", ("east", "west"), 3)


@pytest.fixture(scope="module")
def file(met: Played) -> Path:
    path = met.root / "turn.html"
    path.write_bytes(packet.packet_of(met.game, to="gm+ford@example.org", subject="Orders & more: 100%"))
    return path


@pytest.fixture
def read(file: Path, opened: Open) -> Watched:
    """The page on a telephone that runs no scripts."""
    return opened(file, phone=True, java_script_enabled=False)


@pytest.fixture
def stripped(file: Path, opened: Open, tmp_path: Path) -> Watched:
    """The same as mail programs show it that take all scripts out; here a test may run some of its own."""
    path = tmp_path / "stripped.html"
    path.write_bytes(re.sub(rb"<script.*?</script>", b"", file.read_bytes(), flags=re.DOTALL))
    return opened(path, phone=True)


def test_without_scripts_the_page_can_be_read_and_says_where_to_click(read: Watched) -> None:
    page = read.page
    assert (
        page.locator("h1:visible").inner_text() == "Toll at the Alder Ford: orders for The Reeve of Eastholt"
    )
    assert "Open this file in a browser" in page.inner_text(".still-why")
    assert page.locator("button:visible, textarea:visible").count() == 0, "nothing that does nothing"
    assert page.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.parametrize("scripts", [False, True], ids=["read", "clicked"])
def test_the_page_says_what_the_game_is_about_and_how_it_is_played(
    file: Path, opened: Open, scripts: bool
) -> None:
    page = opened(file, phone=True, java_script_enabled=scripts).page
    aim, rules = page.locator(".told-of summary:visible").all()
    assert aim.inner_text() == "What it is about"
    aim.click()
    told = page.inner_text(".told-of details[open]")
    assert "10 points for holding ford" in told and "Victory for you with at least 3 points more" in told
    rules.click()
    assert "luck" in page.locator(".told-of details").nth(1).inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_a_page_without_its_scripts_is_accessible(stripped: Watched) -> None:
    assert "Open this file in a browser" in stripped.page.inner_text(".still-why")
    stripped.accessible()


def test_without_scripts_the_map_shows_everybody(stripped: Watched, met: Played) -> None:
    read = stripped
    drawn = read.page.locator(".still-map svg")
    there = {unit.id for unit in met.game.state.units.values() if unit.at and unit.state != "dead"}
    assert there <= set(drawn.locator("text").all_text_contents())
    box = drawn.bounding_box()
    assert box and box["width"] > 780, "so large that names can be read"
    size = read.page.evaluate(
        "async () => { const one = new Image(); one.src = document.querySelector('.still-map "
        "image').getAttribute('href');"
        " await one.decode(); return [one.naturalWidth, one.naturalHeight] }"
    )
    assert min(size) > 300, "its ground is a picture"


def test_without_scripts_everybody_is_named_with_his_values_and_his_place(read: Watched, met: Played) -> None:
    mine, theirs = read.page.locator(".still table").all_inner_texts()
    assert "Eadwig Reeve" in mine and "6-7-6" in mine and "0907" in mine
    assert "Tudur" in theirs and "8-6-7" in theirs
    for unit in met.game.state.units.values():
        assert unit.id in (mine if unit.owner == "east" else theirs).lower()


def test_without_scripts_orders_can_be_written_by_hand(read: Watched, met: Played) -> None:
    """The sample is a file that is taken as it stands, and so is the sheet with its first
    lines uncommented.
    """
    sample, sheet = read.page.locator(".still pre").all_text_contents()
    made = sample.replace("…", "seven drunken herons")
    assert made.count("\n- ") == 2 and "luck: seven drunken herons" in made
    assert len(met.understood("east", made)) >= 2
    first = next(line for line in sheet.splitlines() if line.startswith("#- "))
    assert met.understood("east", sheet.replace(first, first.removeprefix("#"), 1))


def test_without_scripts_a_mail_opens_with_its_head(read: Watched, met: Played) -> None:
    found = urlsplit(read.page.get_attribute(".still a[href^='mailto:']", "href") or "")
    assert unquote(found.path) == "gm+ford@example.org"
    asked = parse_qs(found.query, strict_parsing=True)
    assert asked["subject"] == ["Orders & more: 100%"]
    assert asked["body"][0].startswith(f"game: {met.game.id}\r\nseat: east\r\nturn: t2.east")


def test_with_scripts_there_is_one_page_to_click(file: Path, opened: Open) -> None:
    page = opened(file).page
    assert page.locator("#still").count() == 0
    assert page.locator("h1").count() == 1 and page.locator("main").count() == 1
    assert (
        page.locator("#board image").evaluate("one => one.getAttribute('href').slice(0, 22)")
        == "data:image/webp;base64"
    )


def test_a_page_whose_script_fails_can_still_be_read(
    met: Played, opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As an old browser fails at words that it does not know."""
    part = shell.part
    monkeypatch.setattr(shell, "part", lambda name: part(name) + ("\n(((" if name == "packet.js" else ""))
    path = tmp_path / "old.html"
    path.write_bytes(packet.packet_of(met.game))
    watched = opened(path)
    assert watched.page.locator(".still-map:visible").count() == 1
    assert watched.page.locator("button:visible").count() == 0
    assert any("SyntaxError" in said or "Unexpected" in said for said in watched.noise)
    watched.noise.clear()


def test_nothing_hostile_gets_into_what_is_read(opened: Open, met: Played, tmp_path: Path) -> None:
    game, nasty = met.game, "</pre></main><script>document.title='taken'</script><img src=x>\"'&"
    path = tmp_path / "nasty.html"
    made = packet.contents(
        game.ground, "east", "east", game.state, (), game.announced(), game=game.id, to=nasty, subject=nasty
    )
    path.write_bytes(packet.packet_bytes(*made))
    page: Page = opened(path, phone=True, java_script_enabled=False).page
    assert page.locator("img").count() == 0 and page.title() != "taken"
    assert nasty in page.inner_text(".still")
