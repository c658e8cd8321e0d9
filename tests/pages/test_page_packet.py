"""The turn packet in a real browser: from the first click to orders that are taken, by mouse, by keyboard
alone, and on a phone.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from msgspec.structs import replace
from packet_games import Played, by_bots
from page_watch import Watched, settled
from playwright.sync_api import Page

from pbem.referee.pages.packet import contents, packet_bytes
from pbem.referee.turn.check import check

Open = Callable[..., Watched]
Turn = Callable[..., Watched]
FORD = ("east", "west")
SUBJECT = "Orders & more: 100%"


@pytest.fixture(scope="module")
def ford(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Toll at the Alder Ford, east to shoot and move for the first time."""
    return by_bots(tmp_path_factory.mktemp("ford"), "alder-ford", FORD, 1)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """The same where everybody wants to be asked, at the first question."""
    return by_bots(
        tmp_path_factory.mktemp("asked"), "alder-ford", FORD, 9, retreat="ask", advance="ask", wound="ask"
    )


@pytest.fixture(scope="module")
def met(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """The same once the two sides have met."""
    return by_bots(tmp_path_factory.mktemp("met"), "alder-ford", FORD, 3)


@pytest.fixture(scope="module")
def siege(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """The first day before Corvenstone."""
    return by_bots(tmp_path_factory.mktemp("siege"), "six-days", ("baron", "garrison"), 0)


@pytest.fixture(scope="module")
def ladders(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """The Miller's Ladders before anybody stands anywhere."""
    return by_bots(tmp_path_factory.mktemp("ladders"), "millers-ladders", ("company", "steward"), 0)


@pytest.fixture
def turn(opened: Open, tmp_path: Path) -> Turn:
    """Open the packet of a game for the seat that it waits for."""

    def open_(played: Played, phone: bool = False) -> Watched:
        path = tmp_path / f"turn{len(list(tmp_path.iterdir()))}.html"
        path.write_bytes(played.packet(to="gm+ford@example.org", subject=SUBJECT))
        return opened(path, phone=phone)

    return open_


def click_cell(page: Page, cell: str, touch: bool = False) -> None:
    """Click or tap the middle of a hex, as somebody who looks at the map does."""
    page.evaluate("cell => window.pbemDesk.board.map.focus({cells: [cell]})", cell)
    settled(page)
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


def choose(page: Page, figure: str) -> None:
    page.evaluate("who => window.pbemDesk.choose(who)", figure)


def available(page: Page, figure: str, heading: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = page.evaluate(
        "([who, at]) => window.pbemDesk.model.available(who, at).rows", [figure, heading]
    )
    return rows


def tab_to(page: Page, selector: str, most: int = 400) -> None:
    """Press Tab until something has the focus, as somebody without a mouse does."""
    for _ in range(most):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {selector}")


# --- from the first click to orders that are taken


def test_orders_by_mouse_are_taken(turn: Turn, ford: Played) -> None:
    page = turn(ford).page
    page.click("#step-move")
    click_cell(page, where(page, "godric"))
    assert page.inner_text("#panel-title") == "Godric Stubbe"
    moves = [(row["s"], row["c"][0]) for row in available(page, "godric", "move") if "y" in row]
    (sentence, cell), (other, elsewhere) = moves[0], moves[-1]
    click_cell(page, cell)
    assert f"move:\n- {sentence}\n" in yaml(page)
    click_cell(page, elsewhere)
    assert f"move:\n- {other}\n" in yaml(page) and sentence not in yaml(page)
    data = saved(page)
    assert data.decode() == yaml(page)
    assert any("godric" in line for line in accepted(ford, "east", data))


def test_orders_by_keyboard_alone_are_taken(turn: Turn, ladders: Played) -> None:
    page = turn(ladders).page
    placed: list[str] = []
    for number in range(3):
        tab_to(page, ".figure:not([data-some])")
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "panel-title"
        tab_to(page, ".many > summary")
        page.keyboard.press("Enter")
        tab_to(page, ".many-list .order")
        for _ in range(number):
            page.keyboard.press("Tab")
        placed.append(page.evaluate("document.activeElement.dataset.sentence"))
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.dataset.sentence") == placed[-1]
        assert page.inner_text("#live") == f"Ordered: {placed[-1]}"
        page.keyboard.press("Escape")
    assert yaml(page).endswith("setup:\n" + "".join(f"- {sentence}\n" for sentence in placed))
    page.evaluate("document.activeElement.blur()")
    tab_to(page, "[role=tab][aria-selected=true]")
    page.keyboard.press("End")
    tab_to(page, "#download")
    with page.expect_download() as waiting:
        page.keyboard.press("Enter")
    assert len(accepted(ladders, "steward", Path(waiting.value.path()).read_bytes())) == 3


def test_orders_by_keys_on_the_map_are_taken(turn: Turn, ford: Played) -> None:
    page = turn(ford).page
    tab_to(page, ".board-view")
    page.evaluate("cell => window.pbemDesk.board.map.select(cell)", where(page, "ceol"))
    page.evaluate("window.pbemDesk.go('move')")
    page.focus(".board-view")
    page.keyboard.press("Enter")
    assert page.inner_text("#panel-title") == "Ceol Ditcher"
    reached = {row["c"][0]: row["s"] for row in available(page, "ceol", "move") if "y" in row}
    page.focus(".board-view")
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp") * 3:
        page.keyboard.press(key)
        if page.evaluate("window.pbemDesk.board.map.cursor") in reached:
            break
    page.keyboard.press("Enter")
    cell = page.evaluate("window.pbemDesk.board.map.cursor")
    assert f"- {reached[cell]}\n" in yaml(page)
    accepted(ford, "east", saved(page))


def test_orders_on_a_phone_are_taken(turn: Turn, met: Played) -> None:
    watched = turn(met, phone=True)
    page = watched.page
    (seat,) = met.game.announced()["waits"]
    page.locator("#step-move").tap()
    page.locator(".figure").last.tap()
    low, title = (
        page.evaluate("one => document.querySelector(one).getBoundingClientRect()", one)
        for one in (".map", "#panel-title")
    )
    assert low["bottom"] <= title["top"] < title["bottom"] <= 760
    apart = page.evaluate("""() => {
        const box = one => document.querySelector(one).getBoundingClientRect();
        const above = document.querySelector("#walk").previousElementSibling.getBoundingClientRect();
        return [box("#undo").top - box("#board").bottom, box("#walk").top - above.bottom] }""")
    assert min(apart) >= 3, apart
    who = page.evaluate("window.pbemDesk.who")
    row = next(row for row in available(page, who, "move") if "y" in row and "u" not in row)
    click_cell(page, row["c"][-1], touch=True)
    assert f"move:\n- {row['s']}\n" in yaml(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    small = page.evaluate("""[...document.querySelectorAll("button, a.button, select, summary, input:not([type=checkbox])")]
        .filter(one => one.offsetParent && (one.offsetHeight < 44 || one.offsetWidth < 44)).map(one => one.outerHTML.slice(0, 90))""")
    assert small == []
    watched.accessible()
    accepted(met, seat, saved(page))
    watched.accessible()


def test_a_question_is_answered_on_a_phone(turn: Turn, asked: Played) -> None:
    (seat,) = asked.game.announced()["waits"]
    watched = turn(asked, phone=True)
    page = watched.page
    page.locator(".question input").last.tap()
    question = asked.game.questions[0]
    assert f"answers:\n  {question['id']}: {question['choices'][-1]['value']}\n" in yaml(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    watched.accessible()
    accepted(asked, seat, saved(page))


def test_the_days_of_a_siege_are_planned(turn: Turn, siege: Played) -> None:
    watched = turn(siege)
    page = watched.page
    page.click("[data-sentence=bombard]")
    page.click("[data-who=trebuchet1]")
    wall = available(page, "trebuchet1", "day")[0]
    click_cell(page, wall["c"][0])
    assert yaml(page).endswith(f"day:\n- bombard\n- {wall['s']}\n")
    watched.accessible()
    accepted(siege, "baron", saved(page))


# --- what stands together


def test_who_may_attack_together_is_clicked_together(turn: Turn, met: Played) -> None:
    """Figures are sent next to one enemy and joined; the odds are those that the umpire tells."""
    page = turn(met).page
    (seat,) = met.game.announced()["waits"]
    rows = [
        row for row in page.evaluate("window.pbemDesk.model.phases[1].rows") if "y" in row and "u" not in row
    ]
    moves = {(row["w"][0], row["c"][-1]): row for row in rows}
    parties = [key.split(" ") for key in page.evaluate("Object.keys(window.pbemDesk.data.parties)")]
    first, second, target = next(
        (one.split("@"), other.split("@"), foe)
        for *members, foe in parties
        if len(members) == 2
        for one, other in (members, members[::-1])
        if one.endswith("@") and tuple(other.split("@")) in moves
    )
    page.click("#step-move")
    choose(page, second[0])
    click_cell(page, second[1])
    page.click(f'[data-key="mate {target} {first[0]}"]')
    both = f"{second[0]}, {first[0]} attack {target}"
    assert yaml(page).endswith(f"fight:\n- {both}\n")
    page.click("#step-fight")
    choose(page, second[0])
    told = page.inner_text(".chosen .known").split(" · ")[0]
    understood = accepted(met, seat, saved(page))
    assert any(told in line for line in understood), (told, understood)


def test_a_file_marches_in_step(turn: Turn, met: Played) -> None:
    """Where one was sent away another may go, and his line stands below."""
    page = turn(met).page
    (seat,) = met.game.announced()["waits"]
    rows = page.evaluate("window.pbemDesk.model.phases[1].rows")
    behind = next(row for row in rows if "u" in row)
    who, first = behind["w"][0], behind["u"]
    assert behind["s"] not in [row["s"] for row in available(page, who, "move")]
    page.click("#step-move")
    away = next(
        row
        for row in reversed(rows)
        if row["w"] == [first] and "y" in row and "u" not in row and row["c"][-1] not in behind["y"].split()
    )
    page.evaluate("([at, row]) => window.pbemDesk.take(at, row)", ["move", away])
    choose(page, who)
    click_cell(page, behind["c"][0])
    assert yaml(page).endswith(f"move:\n- {away['s']}\n- {behind['s']}\n")
    page.click("#step-finish")
    assert page.locator(".checks .wrong").count() == 0
    page.click(f'[aria-label="One line up: {behind["s"]}"]')
    assert "needs to be below" in page.inner_text(".checks .wrong")
    page.click(f'[aria-label="One line down: {behind["s"]}"]')
    accepted(met, seat, saved(page))


def test_an_order_for_a_place_that_was_left_is_wrong(turn: Turn, met: Played) -> None:
    page = turn(met).page
    figures = page.evaluate("window.pbemDesk.model.figures('fight')")
    who = next(
        one
        for one in figures
        if any(row["s"] and len(row["w"]) == 1 for row in available(page, one, "fight"))
    )
    blow = next(row for row in available(page, who, "fight") if row["s"] and len(row["w"]) == 1)
    page.click("#step-fight")
    choose(page, who)
    page.click(f'[data-sentence="{blow["s"]}"]')
    page.click("#step-finish")
    assert page.locator(".checks .wrong").count() == 0
    away = page.evaluate(
        """([who, sentence]) => { const { model } = window.pbemDesk; return model.available(who, "move").rows.filter(row => row.y && !row.u)
        .find(row => { model.take("move", row); const gone = !model.available(who, "fight").rows.some(one => one.s === sentence);
        model.undo(); return gone; }) }""",
        [who, blow["s"]],
    )
    page.evaluate("([at, row]) => window.pbemDesk.take(at, row)", ["move", away])
    assert "cannot do this from where he goes now" in page.inner_text(".checks .wrong")
    page.click(".checks .wrong button")
    assert page.evaluate("window.pbemDesk.at") == "fight"


# --- drafts, the file, and away with it


def test_a_draft_is_there_again(turn: Turn, ford: Played) -> None:
    page = turn(ford).page
    page.click("#step-move")
    page.click(".figure >> nth=0")
    page.locator(".many > summary").first.click()
    page.locator(".many-list .order").nth(2).click()
    page.click("#step-finish")
    page.fill("#field-luck", "it's a long, long way: #1")
    page.fill("#field-message", "Où est le gué ?\nIci!")
    page.click(".settings > summary")
    page.select_option("#standing-retreat", "cover")
    page.select_option("#standing-who", "godric")
    page.select_option("#standing-advance", "never")
    page.select_option("#stop", "move")
    before = yaml(page)
    assert "luck: 'it''s a long, long way: #1'\n" in before
    assert "message: 'Où est le gué ? Ici!'\n" in before
    assert "standing:\n  everyone:\n    retreat: cover\n  godric:\n    advance: never\n" in before
    assert "stop-after: move\n" in before
    ford.understood("east", before)
    page.reload()
    assert yaml(page) == before
    assert page.inner_text("#live") == "Your draft is here again."
    page.click("#step-finish")
    page.click("#restart")
    assert "move:" not in yaml(page)
    page.click("#undo")
    assert yaml(page) == before


def test_a_store_is_asked_for_when_the_browser_has_heard_of_the_page(turn: Turn, ford: Played) -> None:
    page = turn(ford).page
    page.add_init_script(
        """window.asked = [];
        for (const [of, name] of [[Document.prototype, 'cookie'], [window, 'localStorage']]) {
          const { get } = Object.getOwnPropertyDescriptor(of, name);
          Object.defineProperty(of, name, { get() { window.asked.push(name); return get.call(this); } });
        }"""
    )
    page.reload()
    assert page.evaluate("window.asked") == ["cookie", "localStorage"]


def test_a_browser_that_keeps_nothing_is_no_trouble(
    turn: Turn, ford: Played, opened: Open, tmp_path: Path
) -> None:
    watched = turn(ford)
    page = watched.page
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('denied') } })"
    )
    page.reload()
    page.click("#step-move")
    page.click(".figure >> nth=0")
    page.click(".order >> nth=0")
    assert "move:\n- " in yaml(page)
    assert "does not keep drafts" in page.inner_text("#kept")


def test_a_file_edited_by_hand_is_taken_as_it_is(turn: Turn, ford: Played) -> None:
    page = turn(ford).page
    page.click("#hand")
    page.fill("#yaml", "seat: east\nmove:\n- godric by 1005\n")
    page.click("#step-move")
    page.click("#step-finish")
    assert "checks nothing" in page.inner_text(".checks")
    with page.expect_download() as waiting:
        page.click("#download")
    assert Path(waiting.value.path()).read_text() == "seat: east\nmove:\n- godric by 1005\n"
    page.click("#back-to-clicks")
    assert yaml(page).startswith("game: ")


def test_a_mail_opens_with_the_file_in_it(turn: Turn, ford: Played) -> None:
    page = turn(ford).page
    page.click("#step-finish")
    address = page.get_attribute("#mail", "href") or ""
    found = urlsplit(address)
    assert (found.scheme, unquote(found.path)) == ("mailto", "gm+ford@example.org")
    parts = parse_qs(found.query)
    assert parts["subject"] == [SUBJECT]
    assert parts["body"] == [yaml(page).replace("\n", "\r\n")]
    assert "%0D%0A" in address and "+" not in found.query
    page.fill("#field-note", "words " * 300)
    page.click("#step-move")
    page.click("#step-finish")
    assert page.locator("#mail").count() == 0
    assert "too long for a mail" in page.inner_text("#mail-long")


def test_what_is_copied_is_the_file(turn: Turn, ford: Played) -> None:
    page = turn(ford).page
    page.click("#step-finish")
    page.evaluate("() => { navigator.clipboard.writeText = async text => { window.copied = text } }")
    page.click("#copy")
    page.wait_for_function("window.copied !== undefined")
    assert page.evaluate("window.copied") == yaml(page)
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')) }")
    page.click("#copy")
    page.wait_for_function("document.activeElement.id === 'yaml'")


def test_words_of_luck_that_are_too_short_are_told(turn: Turn, ford: Played) -> None:
    page = turn(ford).page
    page.click("#step-finish")
    page.fill("#field-luck", "short")
    page.click("#step-move")
    page.click("#step-finish")
    assert "at least 8 letters" in page.inner_text(".checks .wrong")


def test_who_orders_nobody_can_say_that_he_means_it(turn: Turn, ford: Played, ladders: Played) -> None:
    page = turn(ford).page
    page.click("#step-finish")
    page.click("#field-meant")
    assert "nobody: moves\n" in yaml(page) and "Nobody has an order yet" not in page.inner_text(
        ".checks, .fine"
    )
    assert check(ford.game, "page", yaml(page).encode()).orders.says_who
    page = turn(ladders).page
    page.click("#step-finish")
    assert page.locator("#field-luck").count() == 0, "no die can fall while everybody is placed"
    page.click("#field-meant")
    assert "nobody: moves\n" in yaml(page)


# --- whoever uses it


def test_every_step_is_accessible(turn: Turn, met: Played) -> None:
    watched = turn(met)
    for step in ("shoot", "move", "shoot-again", "fight", "finish"):
        watched.page.click(f"#step-{step}")
        if step == "move":
            watched.page.click(".figure >> nth=0")
            watched.page.click(".order >> nth=0")
        if step == "finish":
            watched.page.click(".settings > summary")
        watched.accessible()


HOSTILE = "</script><img src=x onerror=alert(1)>\u202e'\"&amp;" + "x" * 10_000


def test_hostile_names_are_shown_as_they_are(opened: Open, ford: Played, tmp_path: Path) -> None:
    """In the title, in every name, in every sentence of a question, in the address."""
    game = ford.game

    def scene(*of: Any, **more: Any) -> Any:
        made = game.ground.rules.interface.scene(*of, **more)
        tokens = tuple(replace(token, name=HOSTILE, description=HOSTILE) for token in made.tokens)
        return replace(
            made,
            subtitle=HOSTILE,
            summary=HOSTILE,
            tokens=tokens,
            sides=tuple(replace(look, name=HOSTILE) for look in made.sides),
        )

    rules = replace(game.ground.rules, interface=replace(game.ground.rules.interface, scene=scene))
    ground = replace(game.ground, rules=rules, title=HOSTILE)
    choices = [{"id": "a", "value": HOSTILE, "said": HOSTILE}, {"id": "b", "value": "0101"}]
    question = {"id": "q1", "seat": "east", "kind": "one", "about": HOSTILE, "unit": HOSTILE, "why": HOSTILE}
    puzzled = {**game.announced(), "questions": [{**question, "choices": choices, "default": "a"}]}
    for announced in (game.announced(), puzzled):
        path = tmp_path / f"hostile{len(list(tmp_path.iterdir()))}.html"
        shown = contents(
            ground, "east", "east", game.state, (), announced, game=game.id, to=HOSTILE, subject=HOSTILE
        )
        path.write_bytes(packet_bytes(*shown))
        watched = opened(path, phone=True)
        page = watched.page
        assert HOSTILE in page.inner_text("#heading")
        assert page.locator("img").count() == 0
        if "questions" not in announced:
            page.locator("#step-move").tap()
            page.locator(".figure").first.tap()
            assert page.inner_text("#panel-title") == HOSTILE
            page.locator(".order").first.tap()
        else:
            page.locator(".question input").first.tap()
        page.locator("#step-finish").tap()
        assert page.evaluate("document.documentElement.scrollWidth") == 390
