"""The turn packet in a real browser: from the first click to orders that are taken, by mouse, by keyboard alone, and on a phone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from packet_games import Played, by_bots
from page_watch import Watched
from playwright.sync_api import Page

from pbem.referee.packet import packet_of

Open = Callable[..., Watched]
FORD = ("east", "west")


@pytest.fixture(scope="module")
def ford(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Toll at the Alder Ford, east to shoot and move for the first time."""
    return by_bots(tmp_path_factory.mktemp("ford"), "alder-ford", FORD, 1)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """The same where everybody wants to be asked, at the first question."""
    return by_bots(tmp_path_factory.mktemp("asked"), "alder-ford", FORD, 9, retreat="ask", advance="ask", wound="ask")


@pytest.fixture(scope="module")
def ladders(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """The Miller's Ladders before anybody stands anywhere."""
    return by_bots(tmp_path_factory.mktemp("ladders"), "millers-ladders", ("company", "steward"), 0)


@pytest.fixture
def turn(opened: Open, tmp_path: Path) -> Callable[..., Watched]:
    """Open the packet of a game for the seat that it waits for."""

    def open_(played: Played, seat: str = "", phone: bool = False, **more: Any) -> Watched:
        path = tmp_path / f"turn{len(list(tmp_path.iterdir()))}.html"
        path.write_bytes(packet_of(played.game, seat or None, **more))
        return opened(path, phone=phone)

    return open_


def click_cell(page: Page, cell: str, touch: bool = False) -> None:
    """Click or tap the middle of a hex, as somebody who looks at the map does."""
    page.evaluate("cell => window.pbemDesk.board.map.focus({cells: [cell]})", cell)
    page.wait_for_timeout(300)
    x, y = page.evaluate("cell => window.pbemDesk.board.map.spot(cell)", cell)
    if touch:
        page.touchscreen.tap(x, y)
    else:
        page.mouse.click(x, y)


def where(page: Page, figure: str) -> str:
    return str(page.evaluate("id => window.pbemDesk.data.tokens[id].at[0]", figure))


def yaml(page: Page) -> str:
    return page.input_value("#yaml")


def saved(page: Page) -> bytes:
    """Go to the last step, save the file, and return what was saved."""
    page.click("#step-finish")
    with page.expect_download() as waiting:
        page.click("#download")
    assert waiting.value.suggested_filename == "orders.yaml"
    return Path(waiting.value.path()).read_bytes()


def accepted(played: Played, seat: str, data: bytes) -> tuple[str, ...]:
    """Check a file and take it in; return what was understood."""
    understood = played.understood(seat, data.decode())
    assert played.submit(seat, data).receipt.seat == seat
    return understood


# --- from the first click to orders that are taken


def test_orders_by_mouse_are_taken(turn: Callable[..., Watched], ford: Played) -> None:
    page = turn(ford, to="gm@example.org").page
    page.click("#step-move")
    click_cell(page, where(page, "godric"))
    assert page.inner_text("#panel-title") == "Godric Stubbe"
    rows = page.evaluate("window.pbemDesk.model.available('godric', 'move').rows.filter(row => row.y).map(row => [row.s, row.c[0]])")
    (sentence, cell), (other, elsewhere) = rows[0], rows[-1]
    click_cell(page, cell)
    assert f"move:\n- {sentence}\n" in yaml(page)
    click_cell(page, elsewhere)
    assert f"move:\n- {other}\n" in yaml(page) and sentence not in yaml(page)
    data = saved(page)
    assert data.decode() == yaml(page)
    assert any("godric" in line for line in accepted(ford, "east", data))


def test_a_setup_by_keyboard_alone_is_taken(turn: Callable[..., Watched], ladders: Played) -> None:
    page = turn(ladders).page
    placed: list[str] = []
    for _ in range(3):
        page.locator(".figures").first.locator("button").first.focus()
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "panel-title"
        summary = page.locator(".many summary").first
        summary.focus()
        page.keyboard.press("Enter")
        order = page.locator(".many-list .order:not([aria-pressed=true])").nth(len(placed))
        placed.append(order.get_attribute("data-sentence") or "")
        order.focus()
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.dataset.sentence") == placed[-1]
        page.keyboard.press("Escape")
    assert yaml(page).endswith("setup:\n" + "".join(f"- {sentence}\n" for sentence in placed))
    assert len(accepted(ladders, "steward", saved(page))) == 3


def test_a_question_is_answered_on_a_phone(turn: Callable[..., Watched], asked: Played) -> None:
    (seat,) = asked.game.announced()["waits"]
    watched = turn(asked, phone=True)
    page = watched.page
    page.locator(".question input").last.tap()
    question = asked.game.questions[0]
    assert f"answers:\n  {question['id']}: {question['choices'][-1]['value']}\n" in yaml(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    watched.accessible()
    accepted(asked, seat, saved(page))
