"""The packet of a table in inches, for several at once: blows, shots and moves in formation, ladders, and a titan's
second action. Each line is one that a person could type, and `check` has the last word.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from packet_games import Played
from playwright.sync_api import Page
from test_page_packet_table import choose, games, orders, tap  # noqa: F401
from test_page_packet_wild import CLICKING, Open

from pbem.core.sequence import Cursor
from pbem.referee.game.game import Game
from pbem.referee.pages.packet import contents, packet_bytes, packet_of
from pbem.referee.turn.check import check
from pbem.rulesets.castle.events import Moved
from pbem.rulesets.castle.judge import followed
from pbem.rulesets.castle.orders import parse
from pbem.rulesets.castle.state import Ladder, War, with_figure
from pbem.rulesets.castle.turn import wrong as wrong_order

Formed = Callable[..., tuple[Page, Game, War]]
ROW = {"alf": (20, 24), "bero": (21.2, 24), "cuno": (22.4, 24)}


@pytest.fixture
def formed(opened: Open, games: Callable[..., Played], tmp_path: Path) -> Formed:  # noqa: F811
    """Open the packet of a side at Kestrel Tower or the Curtain with somebody where a test wants him."""

    def open_(
        places: dict[str, tuple[float, float]],
        scenario: str = "kestrel-tower",
        side: str = "hill",
        ladders: tuple[Ladder, ...] = (),
        **more: Any,
    ) -> tuple[Page, Game, War]:
        game = games(0, scenario).game
        war = game.state
        for id_, (x, y) in places.items():
            war = with_figure(war, id_, x=round(x * 100), y=round(y * 100), facing=1800)
        war = replace(war, at=Cursor("actions", 2, side), ladders=ladders or war.ladders)
        made, still = contents(
            game.ground, side, side, war, (), {**game.announced(), "waits": [side]}, game=game.id
        )
        path = tmp_path / "formed.html"
        path.write_bytes(packet_bytes(made, still))
        return opened(path, reduced_motion="reduce", **more).page, game, war

    return open_


def accepted(game: Game, war: War, side: str, line: str) -> bool:
    order = parse(line)
    assert order is not None, line
    return wrong_order(game.ground.rules, war, order, side) is None


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_three_go_together_where_the_map_is_tapped(formed: Formed, phone: bool) -> None:
    page, game, war = formed(ROW, phone=phone)
    choose(page, "alf")
    page.click(".march summary")
    page.click("[data-key='march bero']")
    assert orders(page) == []
    page.click("[data-key='march cuno']")
    tap(page, 20, 21)
    assert orders(page) == ["alf, bero, cuno move 3 s"]
    assert accepted(game, war, "hill", orders(page)[0])
    page.select_option("[data-key=march-first]", "bero")
    assert orders(page) == ["alf, bero, cuno form up behind bero and move 3 s"]
    assert accepted(game, war, "hill", orders(page)[0])
    page.fill("[data-key=march-far]", "4.5")
    page.press("[data-key=march-far]", "Enter")
    assert orders(page) == ["alf, bero, cuno form up behind bero and move 4.5 s"]
    page.click("[data-key='march cuno']")
    assert orders(page) == [], "two are no formation"


def test_where_a_formation_is_stopped_is_foretold_as_the_rules_have_it(formed: Formed) -> None:
    """Somebody before one of three ends the way of all; one behind the other they may pass him."""
    row = {"alf": (20, 24), "bero": (21.2, 24), "cuno": (22.4, 24), "seth": (22.4, 20.5)}
    page, game, war = formed(row)
    choose(page, "alf")
    page.click(".march summary")
    page.click("[data-key='march bero']")
    page.click("[data-key='march cuno']")
    for far, first in (("2", ""), ("6", "alf"), ("3", "cuno"), ("6", "")):
        page.fill("[data-key=march-far]", far)
        page.press("[data-key=march-far]", "Enter")
        page.select_option("[data-key=march-direction]", "s")
        page.select_option("[data-key=march-first]", first)
        (line,) = orders(page)
        found = page.evaluate(
            "() => window.pbemDesk.roam.coming().map(([who, [x, y]]) => [who, Math.round(x), Math.round(y)])"
        )
        order = parse(line)
        assert order is not None
        _, events = followed(game.ground.rules, war, order)
        gone = {event.figure: (event.x, event.y) for event in events if isinstance(event, Moved)}
        assert len(found) == 3
        for who, x, y in found:
            assert abs(x - gone[who][0]) < 30 and abs(y - gone[who][1]) < 30, (line, found, gone)
    assert "in his way" in page.inner_text("#panel")


def test_blows_and_shots_in_formation_are_offered_with_their_chances(formed: Formed) -> None:
    row = {"gero": (22.6, 24), "hauk": (23.8, 24), "ingo": (25, 24), "seth": (23.8, 18)}
    page, game, war = formed({**row, "alf": (13, 10), "bero": (14, 9.4), "cuno": (15, 10), "udo": (14, 8)})
    rows = page.evaluate(
        """() => window.pbemDesk.data.phases[0].rows.filter(row => row.w.length > 1).map(row => [row.s, row.l])"""
    )
    said = dict(rows)
    assert "/36" in said["gero, hauk, ingo shoot seth"]
    assert all(accepted(game, war, "hill", line) for line in said)
    choose(page, "gero")
    tap(page, 23.8, 18)
    page.click("#picked [data-sentence='gero, hauk, ingo shoot seth']")
    assert orders(page) == ["gero, hauk, ingo shoot seth"]
    choose(page, "hauk")
    tap(page, 23.75, 26)
    assert orders(page) == ["hauk moves by 23.75 26"], "who goes his own way is out of the formation"


def test_a_ladder_is_set_up_by_a_tap_on_the_wall(formed: Formed) -> None:
    row = {"alf": (10.8, 10.6), "bero": (12, 10.6), "cuno": (13.2, 10.6)}
    carried = Ladder("ladder2", "hill", by=("alf", "bero", "cuno"))
    page, game, war = formed(row, ladders=(carried,))
    choose(page, "bero")
    page.click("#panel [data-sentence='alf, bero, cuno set up ladder2 at wall2']")
    assert orders(page) == ["alf, bero, cuno set up ladder2 at wall2"]
    assert accepted(game, war, "hill", orders(page)[0])


def test_a_titan_goes_and_strikes_whom_he_then_touches(formed: Formed) -> None:
    page, game, war = formed({"grinder": (36, 30), "zack": (36, 23)}, "the-long-curtain", "host")
    choose(page, "grinder")
    tap(page, 36, 25.6)
    (gone,) = orders(page)
    assert gone.startswith("grinder moves by 3")
    page.click("#panel [data-sentence='grinder attacks zack']")
    assert orders(page) == [gone, "grinder attacks zack"]
    page.click("#step-finish")
    said = page.inner_text(".checks")
    assert "cannot tell if it is still possible after" in said
    assert "Wrong" not in said
    sheet, problems = game.ground.rules.interface.read_orders(
        game.ground.rules, war, "host", {"actions": orders(page)}
    )
    assert sheet is not None
    assert not problems
    assert not game.ground.rules.interface.check(game.ground.rules, war, sheet, ()).problems
    page.click("#step-actions")
    choose(page, "grinder")
    page.click(f"#panel [data-key='remove {gone}']")
    page.click("#step-finish")
    assert "Wrong" in page.inner_text(".checks"), "without the way there is nobody to strike"


@pytest.mark.parametrize("slots", [0, 1])
def test_formations_at_random_are_taken_or_called_wrong(
    opened: Open,
    games: Callable[..., Played],  # noqa: F811
    tmp_path: Path,
    slots: int,
) -> None:
    game = games(slots, "the-long-curtain").game
    path = tmp_path / "wild.html"
    path.write_bytes(packet_of(game))
    page = opened(path, reduced_motion="reduce").page
    together = 0
    for seed in range(20, 28):
        made = page.evaluate(CLICKING, [seed, 25])
        checked = check(game, "orders.yaml", made["yaml"].encode())
        assert checked.ok or made["warned"], (
            seed,
            [(one.code, one.message) for one in checked.problems],
            made["yaml"],
        )
        together += sum(
            "," in line.partition(" move")[0] for line in made["yaml"].splitlines() if " move " in line
        )
    assert together


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_on_a_telephone_the_first_view_is_that_of_ones_own(formed: Formed, phone: bool) -> None:
    page, _, _ = formed({}, phone=phone)
    page.wait_for_timeout(600)
    wide = page.evaluate(
        """() => { const { roam, board } = window.pbemDesk; const [a, b] = [[1200, 4260], [3300, 4260]].map(roam.toScene);
        const unit = board.map.place(0, 0)[2]; return (b[0] - a[0]) / unit / board.map.element.clientWidth }"""
    )
    assert (wide > 0.6) is phone, (
        "who stand from 12 to 33 inches fill a small map, of which a large one shows all"
    )
