"""The turn packet and the replay in browsers of other makers than Chromium's: the engines of Firefox and of
Safari.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from other_browsers import Driven, firefox, webkit
from packet_games import Played, by_bots
from PIL import Image

from pbem.referee.game.game import open_game
from pbem.referee.pages.packet import packet_of
from pbem.referee.pages.showing import replay_bytes

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="module")
def met(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Toll at the Alder Ford once the two sides have met: east to order."""
    return by_bots(tmp_path_factory.mktemp("met"), "alder-ford", ("east", "west"), 3)


@pytest.fixture(scope="module", params=["firefox", "webkit"])
def browser(
    request: pytest.FixtureRequest, need: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Driven]:
    home = tmp_path_factory.mktemp(request.param)
    with ExitStack() as stack:
        if request.param == "firefox":
            yield stack.enter_context(firefox(need("firefox-esr"), home))
        else:
            yield stack.enter_context(webkit(need("WebKitWebDriver"), need("Xvfb"), home))


def painted(browser: Driven) -> int:
    """Return how many colours there are in what is seen."""
    picture = Image.open(io.BytesIO(browser.picture())).convert("RGB")
    return len(picture.quantize(256).getcolors() or ()) if picture.width > 600 else 0


def click_cell(browser: Driven, cell: str) -> None:
    browser.get("window.pbemDesk.board.map.focus({cells: [arguments[0]]})", cell)
    browser.click_at(*browser.get("window.pbemDesk.board.map.spot(arguments[0])", cell))


def test_a_turn_is_clicked_from_the_first_tap_to_the_mail(
    browser: Driven, met: Played, tmp_path: Path
) -> None:
    file = tmp_path / "turn.html"
    file.write_bytes(packet_of(met.game, to="gm+ford@example.org", subject="Orders for the ford"))
    browser.open(file)
    browser.wait("Boolean(window.pbemDesk)")
    assert browser.get("matchMedia('(prefers-reduced-motion: reduce)').matches"), (
        "the map does not glide, so that a click meets its hex"
    )
    assert browser.get("document.getElementById('heading').textContent").startswith(
        "Toll at the Alder Ford: orders for "
    )
    browser.click("#step-move")
    click_cell(browser, browser.get("window.pbemDesk.data.tokens.godric.at[0]"))
    assert browser.get("document.getElementById('panel-title').textContent") == "Godric Stubbe"
    row = browser.get("window.pbemDesk.model.available('godric', 'move').rows.find(row => row.y && !row.u)")
    click_cell(browser, row["c"][-1])
    assert f"move:\n- {row['s']}\n" in browser.get("document.getElementById('yaml').value")
    assert painted(browser) > 200
    browser.click("#step-finish")
    browser.type("#field-luck", "seven drunken herons")
    text = browser.get("document.getElementById('yaml').value")
    assert "luck: 'seven drunken herons'\n" in text
    address = urlsplit(browser.get("document.getElementById('mail').getAttribute('href')"))
    assert parse_qs(address.query, strict_parsing=True)["body"] == [text.replace("\n", "\r\n")]
    assert any("godric" in line for line in met.understood("east", text))


def test_a_replay_is_stepped_and_a_die_worked_out(browser: Driven, tmp_path: Path) -> None:
    file = tmp_path / "replay.html"
    file.write_bytes(replay_bytes(open_game(EXAMPLES / "alder-ford/archive.zip"), ".html"))
    browser.open(file)
    browser.wait("document.querySelectorAll('.die').length > 20")
    browser.click("#turn-on")
    assert browser.get("Number(document.getElementById('scrub').value)") > 0
    assert painted(browser) > 200
    browser.click("#story .die")
    browser.wait(
        "(document.getElementById('verdict') || {textContent: ''}).textContent.startsWith('This roll agrees')"
    )
