"""An army built in the packet: kinds with their points put down by taps or numbers. Every line is one that a person
could type, and what the page adds up is what `check` adds up.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from packet_games import Played
from playwright.sync_api import Page
from test_page_packet_table import choose, orders, tap
from test_page_packet_wild import Open

from pbem.referee.pages.packet import packet_of
from pbem.referee.turn.check import check

Building = Callable[..., tuple[Page, Played]]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Played:
    return Played(tmp_path_factory.mktemp("open"), ("hill", "keep")).begun("kestrel-open")


@pytest.fixture
def building(opened: Open, begun: Played, tmp_path: Path) -> Building:
    def open_(seat: str = "keep", phone: bool = False) -> tuple[Page, Played]:
        path = tmp_path / "army.html"
        path.write_bytes(packet_of(begun.game, seat))
        return opened(path, reduced_motion="reduce", phone=phone).page, begun

    return open_


def codes(game: Played, page: Page) -> set[str]:
    checked = check(game.game, "orders.yaml", page.input_value("#yaml").encode())
    return {one.code for one in checked.problems}


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_an_army_is_built_by_taps(building: Building, phone: bool) -> None:
    page, game = building(phone=phone)
    page.select_option("[data-key=army-kind]", "heavy wall")
    tap(page, 12, 9)
    page.select_option("[data-key=army-kind]", "crossbow")
    tap(page, 12, 9)
    page.select_option("[data-key=army-facing]", "ne")
    page.fill("[data-key=army-name]", "Odo")
    page.fill("[data-key=army-x]", "14")
    page.fill("[data-key=army-y]", "7.4")
    page.click("[data-key=army-put]")
    wall, bow, odo = orders(page)
    assert wall.startswith("wall1 is a heavy wall at 12 ")
    assert bow.startswith("crossbow1 is a crossbow on wall1 at 12 ")
    assert odo == "odo is a crossbow at 14 7.4 facing ne"
    if not phone:
        assert codes(game, page) == set()
    choose(page, "odo")
    tap(page, 22, 8)
    moved = orders(page)[-1]
    assert moved.startswith("odo is a crossbow at 2") and moved.endswith(" facing ne")
    page.click("#panel .chosen button")
    page.click("#undo")
    assert orders(page)[-1] == moved
    page.reload()
    assert len(orders(page)) == 3, "a draft is kept"


def test_ladders_stand_at_walls_and_planks_lie_between_them(building: Building) -> None:
    """Of a wall that is tapped the edge is meant, and a plank is offered for each gap that is narrow enough."""
    page, game = building()
    for x in (9, 16.5, 24, 36):
        page.select_option("[data-key=army-kind]", "light wall")
        page.fill("[data-key=army-x]", str(x))
        page.fill("[data-key=army-y]", "9")
        page.click("[data-key=army-put]")
    page.select_option("[data-key=army-kind]", "ladder")
    tap(page, 22, 7.6)
    assert orders(page)[-1].startswith("ladder1 is a ladder at wall3 at 2")
    assert orders(page)[-1].endswith(" 8")
    page.click(".timber summary")
    page.click("[data-key='plank wall1 wall2']")
    assert orders(page)[-1] == "plank1 is a plank from wall1 to wall2"
    assert page.locator("[data-key^='plank wall']").count() == 1
    assert codes(game, page) == {"castle.no-army"}
    for x in (8, 9.2, 10.4):
        page.select_option("[data-key=army-kind]", "footman")
        page.fill("[data-key=army-x]", str(x))
        page.fill("[data-key=army-y]", "7.4")
        page.click("[data-key=army-put]")
    for n in (1, 2, 3):
        page.click(f"[data-key='bearer footman{n}']")
    page.click("[data-key=army-carry]")
    assert orders(page)[-1] == "ladder2 is carried by footman1, footman2, footman3"
    assert codes(game, page) == set()
    page.reload()
    assert len(orders(page)) == 10, "a draft is kept"


def test_the_scenarios_army_is_taken_and_changed(building: Building) -> None:
    page, game = building("hill")
    assert "0 of 300 points, 300 left" in page.inner_text("#army-points")
    page.click("[data-key=army-ready]")
    assert codes(game, page) == set()
    said = page.inner_text("#army-points")
    page.select_option("[data-key=army-kind]", "rolling titan")
    tap(page, 6, 44)
    assert "more than the 300 that may be spent" in page.inner_text("#army-points") != said
    assert "castle.points" in codes(game, page)
    page.click("#step-finish")
    assert "may be spent. Take somebody out" in page.inner_text(".checks")


def test_points_are_added_up_as_the_rules_do(building: Building) -> None:
    page, game = building()
    chance = random.Random("armies")
    kinds = page.evaluate("window.pbemDesk.data.roaming.muster.kinds.map(kind => kind.text)")
    assert {"light wall", "heavy gatehouse", "footman"} <= set(kinds)
    over = set()
    for _ in range(24):
        page.select_option("[data-key=army-kind]", chance.choice(kinds))
        for key, most in (("x", 48), ("y", 16)):
            page.fill(f"[data-key=army-{key}]", str(chance.randint(4, 4 * most) / 4))
        page.click("[data-key=army-put]")
        found = codes(game, page)
        assert "castle.gibberish" not in found
        assert ("castle.points" in found) == ("more than" in page.inner_text("#army-points"))
        over.add("castle.points" in found)
    assert over == {False, True}
