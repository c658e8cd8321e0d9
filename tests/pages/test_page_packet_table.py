"""The packet of a table in inches: what it measures agrees with the rules, a tap is an order, and whatever is clicked
about is taken, or the page has said that it is wrong or cannot know.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from packet_games import Played
from page_watch import Watched
from playwright.sync_api import Page
from test_page_packet_wild import CLICKING, Open, wrong

from pbem.bots.bot import find
from pbem.bots.chance import Chance
from pbem.core.sequence import Cursor
from pbem.referee.game.game import Game
from pbem.referee.pages.packet import contents, packet_bytes
from pbem.referee.turn.check import check
from pbem.referee.turn.lock import lock
from pbem.referee.turn.resolve import resolve
from pbem.rulesets.castle.moves import foreseen
from pbem.rulesets.castle.orders import MOVES, Order
from pbem.rulesets.castle.state import War, with_figure
from pbem.text.written import written

SIZE, SECONDS = 1_000_000, 20
NEAR = 2
"""Hundredths by which page and rules may differ, for the page reckons in fractions that it rounds."""

MELEE = {
    "brask": (24, 20),
    "grul": (20, 15),
    "pick": (16, 10.6),
    "alf": (14.5, 23),
    "gero": (18, 18),
    "bero": (23, 19.3),
    "seth": (14, 6.4),
}
"""Who stands where in a game that has come to blows; all others are where they began."""


SIDES = {"kestrel-tower": ("hill", "keep"), "the-long-curtain": ("host", "curtain")}


def played(root: Path, slots: int, scenario: str = "kestrel-tower") -> Played:
    game = Played(root, SIDES[scenario]).begun(scenario)
    for number in range(slots):
        now = game.game
        rules, state = now.ground.rules, now.state
        for seat in now.announced()["waits"]:
            data = find("random", rules.id).orders(rules, state, seat, Chance(f"table {number}"))
            game.submit(seat, f"luck: a word of {seat} {number}\n{written(data)}".encode())
        lock(game.env, game.folder)
        resolve(game.env, game.folder, pictures=False)
    return game


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Played]:
    """Play a game for so many slots, once."""
    found: dict[tuple[int, str], Played] = {}

    def game(slots: int, scenario: str = "kestrel-tower") -> Played:
        if (slots, scenario) not in found:
            found[slots, scenario] = played(tmp_path_factory.mktemp(f"slots{slots}"), slots, scenario)
        return found[slots, scenario]

    return game


@pytest.fixture
def turn(opened: Open, games: Callable[..., Played], tmp_path: Path) -> Callable[..., Page]:
    """Open the packet of a game after so many slots."""

    def open_(slots: int = 0, scenario: str = "kestrel-tower", **more: Any) -> Page:
        path = tmp_path / f"{slots}.html"
        path.write_bytes(games(slots, scenario).packet())
        return opened(path, reduced_motion="reduce", **more).page

    return open_


def met(war: War, side: str, others: dict[str, tuple[float, float]] | None = None) -> War:
    for id_, (x, y) in {**MELEE, **(others or {})}.items():
        war = with_figure(war, id_, x=round(x * 100), y=round(y * 100))
    return replace(war, at=Cursor("actions", 6, side))


def tap(page: Page, x: float, y: float) -> None:
    """Tap a place on the map, in inches from the left and the lower edge."""
    spot = page.evaluate(
        """([x, y]) => { const { roam, board } = window.pbemDesk; const [sx, sy] = roam.toScene([x * 100, y * 100]);
        const [ox, oy, unit] = board.map.place(0, 0); return [(sx - ox) / unit, (sy - oy) / unit] }""",
        [x, y],
    )
    page.mouse.click(*spot)


def choose(page: Page, who: str) -> None:
    page.evaluate("who => window.pbemDesk.choose(who)", who)


def orders(page: Page) -> list[str]:
    return [line[2:] for line in page.input_value("#yaml").splitlines() if line.startswith("- ")]


@pytest.mark.parametrize("side", ["hill", "keep"])
def test_a_way_ends_in_the_page_where_it_ends_by_the_rules(
    opened: Open, games: Callable[..., Played], tmp_path: Path, side: str
) -> None:
    """Ways of one to three legs from all who may go, across the whole melee, on the ground and on the walls."""
    game = games(0).game
    rules, war = game.ground.rules, met(game.state, side)
    made, still = contents(
        game.ground, side, side, war, (), {**game.announced(), "waits": [side]}, game=game.id
    )
    path = tmp_path / "met.html"
    path.write_bytes(packet_bytes(made, still))
    page = opened(path, reduced_motion="reduce").page
    chance = random.Random(f"ways {side}")
    asked = []
    for one in made["roaming"]["who"]:
        if not one["reach"]:
            continue
        for _ in range(40):
            way, (x, y) = [], one["at"]
            for _ in range(chance.choice((1, 1, 2, 3))):
                x, y = x + chance.randint(-400, 400), y + chance.randint(-400, 400)
                way.append((x, y))
            asked.append((one["who"], way))
    found = page.evaluate(
        """asked => { const { plane } = window.pbemDesk.roam; window.pbemDesk.who = "";
        return asked.map(([who, way]) => { const gone = plane.walked(plane.figures.get(who), way);
          return [gone.path[gone.path.length - 1], gone.why] }) }""",
        json.loads(json.dumps(asked)),
    )
    assert len(asked) > 200
    stopped = set()
    for (who, way), (end, _) in zip(asked, found, strict=True):
        one = war.figure(who)
        gone = foreseen(rules, war, one, Order((who,), MOVES, way=tuple(way)))
        stopped.add(gone.stopped)
        far = max(abs(a - b) for a, b in zip(end, gone.path[-1], strict=True))
        assert far <= NEAR, (who, one.at, one.on, way, end, gone)
    assert stopped >= {"speed", "blocked"}


@pytest.mark.parametrize(
    ("slots", "scenario"),
    [
        (0, "kestrel-tower"),
        (7, "kestrel-tower"),
        (12, "kestrel-tower"),
        (1, "the-long-curtain"),
        (6, "the-long-curtain"),
    ],
)
def test_what_is_clicked_at_random_is_taken_or_called_wrong(
    turn: Callable[..., Page], games: Callable[..., Played], slots: int, scenario: str
) -> None:
    page, game = turn(slots, scenario), games(slots, scenario).game
    taken = 0
    for seed in range(5):
        made = page.evaluate(CLICKING, [seed, 40])
        checked = check(game, "orders.yaml", made["yaml"].encode())
        assert checked.ok or made["warned"], (
            seed,
            [(one.code, one.message) for one in checked.problems],
            made["yaml"],
        )
        taken += checked.ok and made["yaml"].count(" moves by ")
    assert taken


@pytest.fixture(scope="module")
def packet_met(games: Callable[..., Played]) -> Callable[..., bytes]:
    """Make the packet of a side in a melee, once for each side and whoever stands elsewhere."""

    @cache
    def made_of(side: str, **others: tuple[float, float]) -> bytes:
        game: Game = games(0).game
        made, still = contents(
            game.ground,
            side,
            side,
            met(game.state, side, others),
            (),
            {**game.announced(), "waits": [side]},
            game=game.id,
        )
        return packet_bytes(made, still)

    return made_of


@pytest.fixture
def melee(opened: Open, packet_met: Callable[..., bytes], tmp_path: Path) -> Callable[..., Watched]:
    """Open the packet of a side in a melee."""

    def open_(
        side: str = "hill", others: dict[str, tuple[float, float]] | None = None, **more: Any
    ) -> Watched:
        path = tmp_path / f"{side}.html"
        path.write_bytes(packet_met(side, **(others or {})))
        return opened(path, reduced_motion="reduce", **more)

    return open_


def test_a_move_up_to_somebody_is_foretold_as_it_will_go(
    melee: Callable[..., Watched], games: Callable[..., Played]
) -> None:
    game = games(0).game
    page, war = melee("hill").page, met(game.state, "hill")
    for who in ("grul", "alf", "gero"):
        for target in ("seth", "till", "udo"):
            order = Order((who,), MOVES, toward=target, until_contact=True)
            gone = foreseen(game.ground.rules, war, war.figure(who), order)
            said = page.evaluate(
                """([who, target]) => { const { roam, model } = window.pbemDesk; window.pbemDesk.who = who;
                return roam.known(model.available(who, "actions").rows.find(row => row.t && row.t[0] === target && roam.listed(row))) }""",
                [who, target],
            )
            x, y = (part / 100 for part in gone.path[-1])
            assert f"to {x:g}, {y:g}" in said, (who, target, gone, said)


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_a_tap_sends_somebody_and_another_one_tells_him_where_to_look(
    melee: Callable[..., Watched], phone: bool
) -> None:
    page = melee("hill", phone=phone).page
    choose(page, "gero")
    tap(page, 16, 20)
    assert orders(page) == ["gero moves by 16 20"]
    assert "2.83″ of 5″, to 16, 20" in page.inner_text("#panel .chosen")
    page.click("[data-key=roam-turn]")
    tap(page, 18, 20)
    assert orders(page) == ["gero moves by 16 20 facing 90"]
    page.click("[data-key=roam-further]")
    tap(page, 16, 21)
    assert orders(page) == ["gero moves by 16 20, 16 21 facing 90"]
    tap(page, 16, 23)
    assert orders(page)[0].startswith("gero moves by 16 20, 16 21, 16 22.1")
    assert "5″ of 5″" in page.inner_text("#panel .chosen")
    page.click("[data-key=roam-back]")
    page.select_option("[data-key=roam-facing]", "ne")
    assert orders(page) == ["gero moves by 16 20, 16 21 facing ne"]
    page.click("#undo")
    assert orders(page) == ["gero moves by 16 20, 16 21 facing 90"]


def test_near_an_enemy_a_tap_means_his_base(melee: Callable[..., Watched]) -> None:
    """Till stands before the walls: who is tapped to the side of him goes as near as bases touch, and no
    farther.
    """
    page = melee("hill", others={"till": (22, 15)}).page
    choose(page, "grul")
    tap(page, 20.7, 14.5)
    (order,) = orders(page)
    x, y = map(float, order.removeprefix("grul moves by ").split())
    assert 1.19 <= ((x - 22) ** 2 + (y - 15) ** 2) ** 0.5 <= 1.25
    assert y < 15
    assert "touches Till" in page.inner_text("#panel .chosen")
    tap(page, 22, 12.75)
    assert orders(page) == ["grul moves by 22 12.75"]
    assert "touches" not in page.inner_text("#panel .chosen")


def test_what_is_typed_and_what_keys_do_is_the_same_as_a_tap(melee: Callable[..., Watched]) -> None:
    page = melee("hill").page
    choose(page, "gero")
    page.fill("[data-key=roam-x]", "16")
    page.press("[data-key=roam-x]", "Enter")
    page.fill("[data-key=roam-y]", "20")
    page.press("[data-key=roam-y]", "Enter")
    assert orders(page) == ["gero moves by 16 20"]
    page.focus(".board-view")
    page.keyboard.press("Shift+ArrowUp")
    page.keyboard.press("Shift+ArrowLeft")
    assert orders(page) == ["gero moves by 15.5 20.5"]


def test_a_figure_is_turned_by_a_drag(melee: Callable[..., Watched]) -> None:
    page = melee("hill").page
    choose(page, "gero")
    tap(page, 16, 20)
    box = page.locator(".board-handle").bounding_box()
    assert box
    middle = page.evaluate(
        """() => { const { roam, board } = window.pbemDesk; const [sx, sy] = roam.toScene([1600, 2000]);
        const [ox, oy, unit] = board.map.place(0, 0); return [(sx - ox) / unit, (sy - oy) / unit] }"""
    )
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(middle[0] + 60, middle[1] + 30, steps=4)
    page.mouse.move(middle[0] + 60, middle[1], steps=4)
    page.mouse.up()
    assert orders(page) == ["gero moves by 16 20 facing 90"]


def test_a_ruler_lies_between_two_and_between_rims(melee: Callable[..., Watched]) -> None:
    page = melee("hill").page
    page.click("#measure")
    tap(page, 20, 15)
    tap(page, 18, 18)
    assert "Grul to Gero: 2.41″ from rim to rim; 3.61″" in page.inner_text("#live")
    assert page.locator(".board-rules").count() == 1
    page.keyboard.press("m")
    assert page.locator(".board-rules").count() == 0
    page.select_option("[data-key=measure-from]", "kestrel")
    page.select_option("[data-key=measure-to]", "grul")
    assert "2.56″ from rim to rim" in page.inner_text("#measured")
    assert orders(page) == []


def test_more_orders_than_actions_are_wrong_and_one_more_may_be_hoped_for(
    melee: Callable[..., Watched],
) -> None:
    page = melee("hill").page
    for who, y in (("alf", 24), ("gero", 20), ("grul", 16)):
        choose(page, who)
        page.fill("[data-key=roam-y]", str(y))
        page.press("[data-key=roam-y]", "Enter")
    assert len(orders(page)) == 3
    page.click("#step-finish")
    assert "only if a leader wins" not in page.inner_text("#panel")
    for who, y, said, times in (
        ("hrod", 40, "only if a leader wins", "hrod"),
        ("thud", 41, "your side has 3 actions", "thud"),
    ):
        page.click("#step-actions")
        choose(page, who)
        page.fill("[data-key=roam-y]", str(y))
        page.press("[data-key=roam-y]", "Enter")
        page.click("#step-finish")
        assert said in page.inner_text(".checks"), times


def test_a_shot_past_whom_a_line_above_sends_there_is_doubtful(melee: Callable[..., Watched]) -> None:
    page = melee("hill").page
    choose(page, "grul")
    tap(page, 18.2, 13.5)
    choose(page, "gero")
    page.evaluate(
        """() => { const { take, at, model } = window.pbemDesk;
        take(at, model.available("gero", at).rows.find(row => row.s === "gero shoots matz")) }"""
    )
    page.click("#step-finish")
    assert "cannot tell if it is still possible after" in page.inner_text(".checks")
    page.click("#step-actions")
    choose(page, "grul")
    tap(page, 22.5, 15)
    page.click("#step-finish")
    assert "cannot tell if it is still possible after" not in page.inner_text("#panel")


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_axe_finds_nothing_grave(melee: Callable[..., Watched], phone: bool) -> None:
    watched = melee("hill", phone=phone)
    choose(watched.page, "gero")
    tap(watched.page, 16, 20)
    watched.page.click("#measure")
    watched.accessible()
    assert watched.page.evaluate("document.documentElement.scrollWidth") <= (390 if phone else 1280)


def test_a_draft_with_a_way_is_there_again(melee: Callable[..., Watched]) -> None:
    page = melee("hill").page
    choose(page, "gero")
    tap(page, 16, 20)
    page.reload()
    assert orders(page) == ["gero moves by 16 20"]
    assert wrong(page) == ""


def test_a_packet_of_a_table_is_small_and_soon_made(games: Callable[..., Played]) -> None:
    assert len(games(0).packet()) < SIZE
