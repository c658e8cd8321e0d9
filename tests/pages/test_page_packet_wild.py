"""The turn packet under somebody who clicks about: what comes of it is taken, or the page has said before
what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from packet_games import Played, by_bots
from page_watch import Watched
from playwright.sync_api import Page

from pbem.referee.pages.packet import packet_of
from pbem.referee.turn.check import check

Open = Callable[..., Watched]
CLICKING = (Path(__file__).parent / "clicking.js").read_text("utf-8")

GAMES = {
    "ladders": ("millers-ladders", ("company", "steward"), 0),
    "works": ("wheels", ("besiegers", "defenders"), 0),
    "days": ("six-days", ("baron", "garrison"), 2),
    "met": ("alder-ford", ("east", "west"), 3, 2),
}


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Played]:
    """Play one of the games, once."""
    played: dict[str, Played] = {}

    def game(name: str) -> Played:
        if name not in played:
            played[name] = by_bots(tmp_path_factory.mktemp(name), *GAMES[name])
        return played[name]

    return game


@pytest.fixture
def turn(opened: Open, games: Callable[[str], Played], tmp_path: Path) -> Callable[[str], Page]:
    """Open the packet of a game for the seat that it waits for."""

    def open_(name: str) -> Page:
        path = tmp_path / f"{name}.html"
        path.write_bytes(games(name).packet())
        return opened(path, reduced_motion="reduce").page

    return open_


def wrong(page: Page) -> str:
    page.click("#step-finish")
    return " / ".join(page.locator(".checks .wrong").all_inner_texts())


def click_cell(page: Page, cell: str) -> None:
    x, y = page.evaluate("cell => window.pbemDesk.board.map.spot(cell)", cell)
    page.mouse.click(x, y)


@pytest.mark.parametrize("name", GAMES)
def test_what_is_clicked_at_random_is_taken_or_called_wrong(
    turn: Callable[[str], Page], games: Callable[[str], Played], name: str
) -> None:
    page, game = turn(name), games(name).game
    taken = 0
    for seed in range(4):
        made = page.evaluate(CLICKING, [seed, 35])
        checked = check(game, "orders.yaml", made["yaml"].encode())
        assert checked.ok or made["warned"], (
            seed,
            [(one.code, one.message) for one in checked.problems],
            made["yaml"],
        )
        taken += checked.ok and made["yaml"].count("\n- ")
    assert taken


def test_two_in_one_place_are_wrong(turn: Callable[[str], Page]) -> None:
    page = turn("ladders")
    page.evaluate(
        """() => { const { model } = window.pbemDesk; const [one, other] = model.figures("setup");
        const rows = who => model.available(who, "setup").rows.filter(row => row.c && row.w.length === 1);
        const [first, second] = rows(one).flatMap(row => rows(other).filter(each => each.c[0] === row.c[0]).map(each => [row, each]))[0];
        model.take("setup", first); model.take("setup", second) }"""
    )
    assert "and so does" in wrong(page)


def test_an_enemy_for_several_is_asked_about_in_words(turn: Callable[[str], Page]) -> None:
    page = turn("met")
    who, foe = page.evaluate(
        """() => { const { model } = window.pbemDesk; return model.figures("fight").flatMap(who => model.available(who, "fight").rows
        .filter(row => row.t && !row.s && model.available(who, "fight").rows.every(one => one === row || one.t?.[0] !== row.t[0]))
        .map(row => [who, row.t[0]]))[0] }"""
    )
    page.click("#step-fight")
    page.evaluate("who => window.pbemDesk.choose(who)", who)
    click_cell(page, page.evaluate("id => window.pbemDesk.data.tokens[id].at[0]", foe))
    assert all(said.strip() for said in page.locator("#panel .order").all_inner_texts())
    assert "Only together with others" in page.inner_text("#picked")
    assert page.locator("#picked .mate").count()


def test_one_plan_takes_the_place_of_another(turn: Callable[[str], Page]) -> None:
    page = turn("days")
    page.click('[data-sentence="rest"]')
    page.evaluate(
        """() => { const { model, take, at } = window.pbemDesk;
        const engine = model.figures(at).find(who => who && model.available(who, at).rows.some(row => row.e));
        take(at, model.available(engine, at).rows.find(row => row.e)) }"""
    )
    made = page.input_value("#yaml")
    assert " bombards " in made and "- rest" not in made
    page.evaluate("window.pbemDesk.choose('')")
    page.click('[data-sentence="assault"]')
    assert "bombards" not in page.input_value("#yaml")
    assert wrong(page) == ""


def test_works_are_clicked_and_taken_back_and_have_an_end(turn: Callable[[str], Page]) -> None:
    page = turn("works")
    rows = page.evaluate("() => window.pbemDesk.data.phases[0].rows.filter(row => row.m)")
    sentences = [row["s"] for row in rows if row["k"] == rows[0]["k"]]
    most, cell = rows[0]["m"], rows[0]["c"][0]
    for expected in (True, False, True):
        click_cell(page, cell)
        assert (f"- {rows[0]['s']}\n" in page.input_value("#yaml")) is expected
    assert page.input_value("#yaml").count(rows[0]["s"]) == 1
    assert wrong(page) == ""
    page.evaluate(
        "sentences => { const { model, data } = window.pbemDesk;"
        " sentences.forEach(said => model.take('setup', data.phases[0].rows.find(row => row.s === said))) }",
        sentences[1 : most + 1],
    )
    assert f"There can be {most} of these at most" in wrong(page)


def test_no_more_words_of_luck_than_are_read(
    turn: Callable[[str], Page], games: Callable[[str], Played]
) -> None:
    page = turn("met")
    page.click("#step-finish")
    page.locator("#field-luck").press_sequentially("12345 " * 20)
    assert "luck: '12345 " in page.input_value("#yaml")
    assert check(games("met").game, "orders.yaml", page.input_value("#yaml").encode()).ok


def test_what_two_need_is_doubtful(turn: Callable[[str], Page]) -> None:
    """One leads a horse away, and another one too; somebody else goes his own way."""
    page = turn("met")
    found = page.evaluate(
        """() => { const { model, data } = window.pbemDesk; const [one, other] = Object.keys(data.tokens);
        const line = (who, s, t) => ({ w: [who], s, t, o: "", u: "", cells: ["0101"], goes: true });
        const levels = (...lines) => { model.restore({ lines: { move: lines } });
          return window.pbemPacket.checks(model).filter(each => each.key === "check-both").length; };
        return [levels(line("a", "a leads x", [one]), line("b", "b leads x", [one])),
          levels(line("a", "a leads x", [one]), line("b", "b leads y", [other]))] }"""
    )
    assert found == [1, 0]


def test_orders_behind_a_stop_are_wrong(turn: Callable[[str], Page]) -> None:
    page = turn("met")
    page.evaluate(
        """() => { const { model } = window.pbemDesk;
        const [who, row] = model.figures("fight").flatMap(who => model.available(who, "fight").rows.filter(one => one.s && !one.i)
        .map(one => [who, one]))[0]; model.take("fight", row); model.set("stop", "move") }"""
    )
    assert "You stop before Fight" in wrong(page)


def test_a_phone_on_its_side_has_the_map_beside_the_list(
    opened: Open, games: Callable[[str], Played], tmp_path: Path
) -> None:
    path = tmp_path / "side.html"
    path.write_bytes(games("ladders").packet())
    page = opened(path).page
    page.set_viewport_size({"width": 760, "height": 390})
    board, panel = page.locator("#board").bounding_box(), page.locator("#panel").bounding_box()
    assert board and panel
    assert board["height"] > 250 and board["x"] + board["width"] <= panel["x"]
    assert panel["y"] < 200
    assert page.evaluate("document.documentElement.scrollWidth") <= 760


def test_each_first_step_says_what_to_do_and_the_last_says_it_once(turn: Callable[[str], Page]) -> None:
    page = turn("ladders")
    assert "It is where he begins" in page.inner_text("#panel")
    page.click("#step-finish")
    assert page.inner_text("#panel").count("Nobody is placed yet") == 1


def test_a_side_that_has_nothing_to_order_is_told(
    opened: Open, games: Callable[[str], Played], tmp_path: Path
) -> None:
    game = games("met").game
    path = tmp_path / "waits.html"
    path.write_bytes(
        packet_of(game, next(seat for seat in game.sides if seat not in game.announced()["waits"]))
    )
    assert "not your side's turn to order" in opened(path).page.inner_text(".checks")


def test_a_ladder_lies_where_somebody_stands(turn: Callable[[str], Page]) -> None:
    """Two in one hex are wrong only where the rows do not say that others may be there."""
    page = turn("ladders")
    counted = page.evaluate(
        """() => { const { model } = window.pbemDesk; const [one, other] = model.figures("setup");
        const rows = who => model.available(who, "setup").rows.filter(row => row.c && row.w.length === 1);
        const [first, second] = rows(one).flatMap(row => rows(other).filter(each => each.c[0] === row.c[0]).map(each => [row, each]))[0];
        model.take("setup", first); model.take("setup", second);
        return [0, 1].map(beside => { second.b = beside;
          return window.pbemPacket.checks(model).filter(each => each.key === "check-same").length }) }"""
    )
    assert counted == [1, 0]
