"""The board of pages in a real browser: clicked, tapped, driven by keys alone, zoomed; and the drawn map,
whose words must fit.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from page_watch import LOOK, Watched, settled, until
from pbem.renderers.palette import contrast

from pbem.referee.explain import draw
from pbem.referee.game.game import open_game
from pbem.renderers import board, svg
from pbem.renderers import page as shell

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
HOSTILE = "</svg><img src=x onerror=\"document.title='taken'\">‮gnp" + "x" * 300
SCRIPT = """"use strict";
window.heard = [];
window.map = window.pbemBoard(document.getElementById("board"), JSON.parse(document.getElementById("data").textContent).board);
for (const what of ["token", "cell"]) window.map.on(what, (told) => { window.heard.push([what, told]); });
"""
BODY = '<main><h1>Map</h1><div id="board"></div><p id="below">Below the map.</p></main>'
TALL = '<main><h1>Map</h1><p class="high">Above</p><div id="board"></div><p class="high">Below</p></main>'
LIVE = "document.querySelector('[aria-live]').textContent"
Opened = Callable[..., Watched]


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    """The ford at its start, after three slots and after nine, where one has a name that tries everything."""
    game = open_game(EXAMPLES / "alder-ford/archive.zip")
    scenes = [draw.shown(game, slot) for slot in (0, 3, 9)]
    first = scenes[2].tokens[0]
    scenes[2] = replace(
        scenes[2],
        tokens=(replace(first, name=HOSTILE, description=HOSTILE), *scenes[2].tokens[1:]),
        title=HOSTILE,
    )
    return board.board(scenes, width=480)


@pytest.fixture(scope="module")
def file(data: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(data, BODY, tmp_path_factory.mktemp("board"))


def written(data: dict[str, Any], body: str, folder: Path) -> Path:
    """Write a page with a board, and a script that hands it to the test and listens to it."""
    with pytest.MonkeyPatch.context() as patch:
        parts = {"try.js": SCRIPT, "try.css": ".high { height: 1200px }"}
        patch.setattr(shell, "part", lambda name, part=shell.part: parts.get(name) or part(name))
        made = shell.whole_page(
            "Board",
            styles=[*board.STYLES, "try.css"],
            scripts=[*board.SCRIPTS, "try.js"],
            body=body,
            data={"board": data},
        )
    (folder / "board.html").write_bytes(made)
    return folder / "board.html"


def heard(watched: Watched) -> list[Any]:
    """Return what the board told since the last time."""
    found: list[Any] = watched.page.evaluate("window.heard.splice(0)")
    return found


def spot(watched: Watched, cell: str) -> tuple[float, float]:
    x, y = watched.page.evaluate(f"map.spot('{cell}')")
    return x, y


def standing(data: dict[str, Any], frame: int) -> dict[str, list[Any]]:
    """Return key -> entry of all figures of a frame that are drawn."""
    entries = [data["entries"][number] for number in board.entries_at(data, frame)]
    return {
        entry[0]: entry
        for entry in entries
        if entry[0].startswith("token/") and entry[0].count("/") == 1 and data["pieces"][entry[1]]
    }


# --- storeys


def test_those_above_one_another_are_shown_storey_by_storey(opened: Opened, tmp_path: Path) -> None:
    scene = draw.shown(open_game(EXAMPLES / "alder-ford/archive.zip"), 0)
    below, above, *others = scene.tokens
    climbed = replace(above, at=(f"{below.at[0]}@1",), cells=below.cells, level=1)
    watched = opened(
        written(
            board.board([scene, replace(scene, tokens=(below, climbed, *others))], width=480), BODY, tmp_path
        ),
        phone=True,
    )
    page = watched.page
    assert not page.locator(".board-floors").is_visible()
    page.evaluate("map.show(1)")
    page.tap(".board-floors")
    windows = page.locator(".board-windows > li")
    assert windows.locator("h3").all_text_contents() == [
        f"{below.at[0]}, on the ground", f"{below.at[0]}, floor 1"
    ]  # fmt: skip
    for number, (one, other) in enumerate(((below, above), (above, below))):
        assert windows.nth(number).locator("ul li").count() == 1
        assert f": {one.id}" in (windows.nth(number).locator("ul").text_content() or "")
        drawn = windows.nth(number).locator("svg").text_content() or ""
        assert one.id in drawn
        assert other.id not in drawn
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    watched.accessible()
    page.evaluate("map.show(0)")
    assert not page.locator(".board-storeys").is_visible()
    assert not page.locator(".board-floors").is_visible()


# --- frames


def test_each_frame_is_shown_whole_from_wherever_one_comes(
    data: dict[str, Any], file: Path, opened: Opened
) -> None:
    watched = opened(file)
    for index in (0, 2, 1, 0, 1, 2):
        watched.page.evaluate(f"map.show({index})")
        wanted = [data["entries"][number] for number in board.entries_at(data, index)]
        got = watched.page.evaluate(
            "[...document.querySelectorAll('.board-pieces > g')].map((one) => [one.dataset.key, "
            "one.getAttribute('transform')])"
        )
        assert got == [[key, f"translate({x} {y})"] for key, _, x, y, *_ in wanted]
        drawn = watched.page.evaluate(
            "[...document.querySelectorAll('.board-pieces > g')].map((one) => one.childNodes.length > 0)"
        )
        assert drawn == [bool(data["pieces"][entry[1]]) for entry in wanted]
    assert watched.page.evaluate("map.frame") == 2
    titles = (
        "[...document.querySelectorAll('.board-pieces title')].map((one) => [one.parentNode.dataset.key, "
        "one.textContent])"
    )
    said = dict(watched.page.evaluate(titles))
    assert said == {key: entry[4] for key, entry in standing(data, 2).items()}
    assert watched.page.title() == "Board"


def test_a_frame_touches_only_what_changed(data: dict[str, Any], file: Path, opened: Opened) -> None:
    """What stays where it was is neither drawn anew nor moved in the page, so that a frame takes hardly any
    time on any machine.
    """
    watched = opened(file)
    touched = watched.page.evaluate(
        "(() => { const pieces = document.querySelector('.board-pieces'); const drawn = []; let steps = 0;"
        " const watching = new MutationObserver(() => {}); map.show(0);"
        " watching.observe(pieces, {childList: true, subtree: true, attributes: true});"
        " return [1, 2, 1, 0].map((frame) => { const before = new Map([...pieces.children].map((one) => "
        "[one, one.firstChild]));"
        " map.show(frame); steps = watching.takeRecords().length;"
        " const anew = [...pieces.children].filter((one) => !before.has(one) || before.get(one) !== "
        "one.firstChild);"
        " return [anew.map((one) => one.dataset.key), steps]; }); })()"
    )
    for (anew, steps), frame in zip(touched, (1, 2, 2, 1), strict=True):
        changed = {data["entries"][number][0] for number in data["frames"][frame]}
        assert set(anew) <= changed, set(anew) - changed
        assert 0 < steps <= 3 * len(data["frames"][frame]), "each piece is taken, put and filled once"


def test_who_moves_glides_unless_motion_is_unwelcome(file: Path, opened: Opened) -> None:
    moving = "document.getAnimations().filter((one) => one.effect.target.closest('.board-pieces')).length"
    for motion, wanted in (("no-preference", True), ("reduce", False)):
        watched = opened(file, reduced_motion=motion)
        watched.page.evaluate("map.show(1, {glide: true})")
        assert (watched.page.evaluate(moving) > 0) is wanted
        watched.page.evaluate("map.show(2)")
        assert watched.page.evaluate(moving) == 0


# --- mouse, wheel and buttons


def test_a_figure_and_a_hex_can_be_clicked(data: dict[str, Any], file: Path, opened: Opened) -> None:
    watched = opened(file)
    key, entry = next(iter(standing(data, 0).items()))
    cell = data["cells"][entry[5][0]][0]
    watched.page.mouse.click(*spot(watched, cell))
    token, hex_ = heard(watched)
    assert token[0] == "token" and (token[1]["key"], token[1]["cell"]) == (key, cell)
    assert hex_ == ["cell", {"cell": cell, "keys": [key]}]
    busy = {place for other in standing(data, 0).values() for place in other[5]}
    empty = next(
        number for place, (number, *_) in enumerate(data["cells"]) if place not in busy and place > 100
    )
    watched.page.mouse.click(*spot(watched, empty))
    assert heard(watched) == [["cell", {"cell": empty, "keys": []}]]
    assert watched.page.evaluate("map.cursor") == empty
    watched.page.evaluate("void map.on('token', () => true)")
    watched.page.mouse.click(*spot(watched, cell))
    assert [what for what, _ in heard(watched)] == ["token"]


def test_buttons_zoom_and_show_the_whole_again(file: Path, opened: Opened) -> None:
    watched = opened(file)
    whole = settled(watched.page)
    larger, smaller, fit = (
        watched.page.get_by_role("button", name=board.WORDS[name]) for name in ("in", "out", "fit")
    )
    assert smaller.is_disabled() and fit.is_disabled()
    larger.click()
    near = settled(watched.page)
    assert near[2] < whole[2] / 1.5 and abs(near[2] / near[3] - whole[2] / whole[3]) < 0.001
    larger.click()
    nearer = settled(watched.page)
    smaller.click()
    assert abs(settled(watched.page)[2] - near[2]) < 1 and nearer[2] < near[2]
    fit.click()
    assert settled(watched.page) == whole


def test_a_wheel_scrolls_the_page_until_the_map_was_chosen(
    data: dict[str, Any], opened: Opened, tmp_path: Path
) -> None:
    watched = opened(written(data, TALL, tmp_path))
    watched.page.evaluate(
        "document.querySelector('.board').scrollIntoView({block: 'center', behavior: 'instant'})"
    )
    watched.page.mouse.move(600, 450)
    before = watched.page.evaluate("scrollY")
    watched.page.mouse.wheel(0, -120)
    until(watched, f"scrollY < {before}")
    assert watched.page.evaluate(LOOK) == data["box"]
    watched.page.mouse.click(600, 450)
    before = watched.page.evaluate("scrollY")
    watched.page.mouse.wheel(0, -240)
    near = settled(watched.page)
    assert near[2] < data["box"][2] and watched.page.evaluate("scrollY") == before
    watched.page.mouse.wheel(0, 2000)
    assert settled(watched.page) == data["box"]
    watched.page.mouse.wheel(0, 120)
    until(watched, f"scrollY > {before}")


def test_a_wheel_zooms_at_once_where_the_page_cannot_scroll(
    data: dict[str, Any], file: Path, opened: Opened
) -> None:
    watched = opened(file)
    watched.page.set_viewport_size({"width": 700, "height": 1200})
    watched.page.mouse.move(300, 300)
    watched.page.mouse.wheel(0, -240)
    assert settled(watched.page)[2] < data["box"][2]


def test_a_map_that_is_zoomed_is_dragged_and_a_drag_is_no_click(file: Path, opened: Opened) -> None:
    watched = opened(file)
    watched.page.evaluate("map.zoom(3)")
    before = settled(watched.page)
    box = watched.page.locator(".board-view").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    watched.page.mouse.move(x, y)
    watched.page.mouse.down()
    watched.page.mouse.move(x - 100, y - 60, steps=5)
    watched.page.mouse.up()
    after = settled(watched.page)
    unit = 1 / watched.page.evaluate("document.querySelector('.board-view > svg').getScreenCTM().a")
    assert (
        abs(after[0] - before[0] - 100 * unit) < 3 * unit and abs(after[1] - before[1] - 60 * unit) < 3 * unit
    )
    assert heard(watched) == []
    watched.page.mouse.click(x, y)
    assert heard(watched)


def test_what_matters_is_brought_into_sight(data: dict[str, Any], file: Path, opened: Opened) -> None:
    watched = opened(file, phone=True)
    key, entry = next(iter(standing(data, 0).items()))
    watched.page.evaluate(f"map.focus({{keys: ['{key}']}})")
    left, top, wide, high = settled(watched.page)
    _, x, y, *_ = data["cells"][entry[5][0]]
    assert left < x < left + wide and top < y < top + high
    assert 1000 / wide * watched.page.locator(".board-view").bounding_box()["width"] > 44
    watched.page.evaluate("map.fit()")
    assert settled(watched.page) == data["box"]


# --- keys


def test_the_board_is_used_by_keys_alone(data: dict[str, Any], file: Path, opened: Opened) -> None:
    watched = opened(file)
    press = watched.page.keyboard.press
    press("Tab")
    assert watched.page.evaluate("document.activeElement === map.element")
    first = data["cells"][0]
    assert watched.page.evaluate(LIVE) == f"{first[0]}, {first[4]}"
    assert watched.page.locator(".board-cursor").evaluate("(one) => getComputedStyle(one).display") != "none"
    for key, wanted in (
        ("ArrowDown", "0102"),
        ("ArrowRight", "0201"),
        ("ArrowRight", "0302"),
        ("ArrowRight", "0401"),
        ("ArrowLeft", "0302"),
        ("ArrowUp", "0301"),
        ("ArrowUp", "0301"),
        ("Home", "0101"),
    ):
        press(key)
        assert watched.page.evaluate("map.cursor") == wanted, key
    press("End")
    assert watched.page.evaluate("map.cursor")[:2] == max(cell[0] for cell in data["cells"])[:2]
    press("Home")
    press("PageDown")
    cell = watched.page.evaluate("map.cursor")
    here = [entry for entry in standing(data, 0).values() if data["cells"][entry[5][0]][0] == cell]
    assert here
    said = watched.page.evaluate(LIVE)
    assert said.startswith(cell) and here[-1][4].partition(": ")[2] in said
    assert heard(watched) == []
    press("Enter")
    assert heard(watched)[0] == [
        "token",
        {"key": here[-1][0], "cell": cell, "keys": [entry[0] for entry in reversed(here)]},
    ]
    whole = settled(watched.page)
    press("+")
    assert settled(watched.page)[2] < whole[2]
    for _ in range(30):
        press("ArrowDown")
    left, top, wide, high = settled(watched.page)
    _, x, y, *_ = next(each for each in data["cells"] if each[0] == watched.page.evaluate("map.cursor"))
    assert left < x < left + wide and top < y < top + high
    press("-")
    press("0")
    assert settled(watched.page) == whole
    press("Tab")
    assert not watched.page.evaluate("document.activeElement === map.element")


# --- marks and ways


def test_marks_labels_and_ways_are_laid_and_taken_away(
    data: dict[str, Any], file: Path, opened: Opened
) -> None:
    watched = opened(file)
    key = next(iter(standing(data, 0)))
    watched.page.evaluate(
        "map.mark('reach', [{cells: ['0202', '0203', 'nowhere'], class: 'reach', label: 3, say: '3 points'},"
        f" {{keys: ['{key}', 'token/nobody'], class: 'target', label: '7+'}}]);"
        "map.way('plan', ['0202', '0203', '0204'], {label: '2'}); map.way('none', ['0202'])"
    )
    count = watched.page.locator
    assert count(".board-mark.reach").count() == 2 and count(".board-mark.target").count() == 1
    assert count(".board-label").all_text_contents() == ["3", "7+", "2"]
    assert count(".board-way polyline").count() == 2
    watched.page.evaluate("map.select('0203')")
    assert watched.page.evaluate(LIVE).endswith("3 points")
    x, y = spot(watched, "0203")
    watched.page.mouse.click(x, y)
    assert heard(watched) == [["cell", {"cell": "0203", "keys": []}]]
    watched.page.evaluate("map.mark('reach', [{cells: ['0202']}])")
    assert count(".board-mark").count() == 1
    watched.page.evaluate("map.clear()")
    assert count(".board-mark, .board-label, .board-way").count() == 0


def test_a_figure_can_stand_in_a_list(data: dict[str, Any], file: Path, opened: Opened) -> None:
    watched = opened(file)
    key, entry = next(iter(standing(data, 0).items()))
    watched.page.evaluate(f"document.getElementById('below').append(map.picture('{key}'))")
    box = watched.page.locator("#below .board-picture text").first.bounding_box()
    assert box is not None and box["width"] > 4
    assert watched.page.evaluate(f"map.entry('{key}')") == {
        "key": key,
        "words": entry[4],
        "cells": [data["cells"][entry[5][0]][0]],
    }
    assert watched.page.evaluate("map.entry('token/nobody')") is None


# --- on a phone


def test_fingers_tap_pinch_and_drag(data: dict[str, Any], opened: Opened, tmp_path: Path) -> None:
    watched = opened(written(data, TALL, tmp_path), phone=True)
    page = watched.page
    page.evaluate("document.querySelector('.board').scrollIntoView({block: 'center', behavior: 'instant'})")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    key, entry = next(iter(standing(data, 0).items()))
    cell = data["cells"][entry[5][0]][0]
    page.touchscreen.tap(*spot(watched, cell))
    assert heard(watched)[0][1]["key"] == key
    assert page.locator(".board-view").evaluate("(one) => getComputedStyle(one).touchAction") == "pan-x pan-y"
    touch = page.context.new_cdp_session(page)

    def fingers(kind: str, *spots: tuple[float, float]) -> None:
        touch.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(spots)]},
        )

    box = page.locator(".board-view").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    fingers("touchStart", (x - 30, y), (x + 30, y))
    for far in (45, 60, 90):
        fingers("touchMove", (x - far, y), (x + far, y))
    fingers("touchEnd")
    near = settled(watched.page)
    assert near[2] < data["box"][2] / 1.5
    assert page.locator(".board-view").evaluate("(one) => getComputedStyle(one).touchAction") == "none"
    before = page.evaluate("scrollY")
    fingers("touchStart", (x, y))
    for far in (10, 30, 50):
        fingers("touchMove", (x, y - far))
    fingers("touchEnd")
    assert settled(watched.page)[1] > near[1]
    for _ in range(9):
        fingers("touchStart", (x, y))
        for far in (20, 60, 100):
            fingers("touchMove", (x, y - far))
        fingers("touchEnd")
    assert page.evaluate("scrollY") > before
    for button in page.get_by_role("button").all():
        size = button.bounding_box()
        assert size is not None and min(size["width"], size["height"]) >= 44


# --- for everybody


def test_words_of_all_pages_are_dark_enough_on_all_that_is_under_them() -> None:
    text = shell.part("page.css").partition("@media")[0]
    named = {
        name: tuple(bytes.fromhex(value)) for name, value in re.findall(r"--([a-z-]+): #([0-9a-f]{6});", text)
    }
    for ink in ("ink", "title", "faded", "accent", "good", "bad", "focus"):
        for under in ("paper", "sheet"):
            assert contrast(named[ink], named[under]) >= 4.5, (ink, under)
    assert contrast(named["ink"], named["now"]) >= 4.5 <= contrast(named["ink"], named["shade"])
    assert contrast(named["sheet"], named["accent"]) >= 4.5 <= contrast(named["sheet"], named["accent-dark"])
    for line in ("edge", "focus"):
        assert contrast(named[line], named["paper"]) >= 3 <= contrast(named[line], named["sheet"])


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_axe_finds_nothing_grave(file: Path, opened: Opened, phone: bool) -> None:
    watched = opened(file, phone=phone)
    watched.page.evaluate("map.mark('reach', [{cells: ['0202'], label: 3}]); map.show(2); map.select('0202')")
    watched.accessible()


def test_the_first_click_is_answered_at_once(file: Path, opened: Opened) -> None:
    watched = opened(file)
    took = watched.page.evaluate(
        "(() => { const start = performance.now();"
        " map.element.dispatchEvent(new MouseEvent('click', {clientX: 500, clientY: 400, bubbles: true}));"
        " map.element.getBoundingClientRect(); return performance.now() - start; })()"
    )
    assert took < 100 and heard(watched)


# --- the drawn map


def test_words_of_the_drawn_map_fit(opened: Opened, tmp_path: Path) -> None:
    game = open_game(EXAMPLES / "millers-ladders/archive.zip")
    path = tmp_path / "map.svg"
    path.write_text(svg.render(draw.shown(game), width=1400), "utf-8")
    watched = opened(path)
    outside = watched.page.evaluate(
        "(() => { const whole = document.documentElement.getBoundingClientRect(); const found = [];"
        " for (const one of document.querySelectorAll('text')) { const box = one.getBoundingClientRect();"
        " if (box.left < whole.left || box.top < whole.top || box.right > whole.right || box.bottom > "
        "whole.bottom)"
        " found.push(one.textContent); } return found; })()"
    )
    assert outside == []
    narrow = watched.page.evaluate(
        "[...document.querySelectorAll('text')].filter((one) => one.textLength.baseVal.value > 0 && "
        "one.hasAttribute('textLength')"
        " && Math.abs(one.getComputedTextLength() - one.getAttribute('textLength')) > 2).map((one) => "
        "one.textContent)"
    )
    assert narrow == []
