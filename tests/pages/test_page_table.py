"""A table without hexes on a page: bases and areas are found by keys, said in inches, and taken by a finger."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from inch_table import figure, table
from page_watch import Watched
from test_page_board import BODY, LIVE, Opened, heard, written

from pbem.renderers import board

AWAY = table(tokens=(figure("odo", "west", "sergeant", (10, 20), 90),))


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    return board.board([table(), AWAY], width=480)


@pytest.fixture(scope="module")
def file(data: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(data, BODY, tmp_path_factory.mktemp("table"))


def spot(watched: Watched, cell: str) -> list[float]:
    found: list[float] = watched.page.evaluate(f"map.spot('{cell}')")
    return found


def test_a_finger_near_a_small_base_takes_it_and_on_open_ground_the_area(file: Path, opened: Opened) -> None:
    watched = opened(file, phone=True)
    x, y = spot(watched, "17,20")
    watched.page.mouse.click(x - 9, y - 7)
    assert heard(watched)[0][1]["key"] == "token/emma"
    x, y = spot(watched, "barley")
    watched.page.mouse.click(x + 10, y + 5)
    assert heard(watched) == [["cell", {"cell": "barley", "keys": []}]]
    x, y = spot(watched, "gallows-hill")
    watched.page.mouse.click(x, y - 18)
    assert heard(watched)[0][1]["cell"] == "gallows-hill"


def test_keys_lead_from_figure_to_figure_and_from_area_to_area(file: Path, opened: Opened) -> None:
    watched = opened(file)
    watched.page.keyboard.press("Tab")
    assert watched.page.evaluate(LIVE) == "north-wood, wood"
    watched.page.evaluate("map.select('20,24')")
    assert (
        watched.page.evaluate(LIVE)
        == "20,24. alric, shortbow, 4-3-2, shot, facing north-east, Lord of the Mill"
    )
    watched.page.keyboard.press("ArrowDown")
    assert watched.page.evaluate("map.cursor") == "17,20"
    watched.page.keyboard.press("PageDown")
    assert "Lord of the Mill" in watched.page.evaluate(LIVE)
    watched.page.keyboard.press("Enter")
    assert heard(watched)[-1][0] in ("token", "cell")


def test_where_nobody_stands_any_more_nothing_can_be_chosen(file: Path, opened: Opened) -> None:
    watched = opened(file)
    x, y = spot(watched, "17,20")
    watched.page.evaluate("map.show(1)")
    watched.page.mouse.click(x, y)
    assert heard(watched) == []
    watched.page.mouse.click(*spot(watched, "10,20"))
    assert heard(watched)[0][1]["key"] == "token/odo"
