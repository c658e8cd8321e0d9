"""The turn packet: taps that may mean several things, and what may be added to an order; all of it is taken
as it was clicked.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from packet_games import Played, by_bots
from page_watch import Watched
from playwright.sync_api import Page

Open = Callable[..., Watched]
Turn = Callable[..., Watched]


@pytest.fixture(scope="module")
def met(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Toll at the Alder Ford once the two sides have met: east to order."""
    return by_bots(tmp_path_factory.mktemp("met"), "alder-ford", ("east", "west"), 3, seed=2)


@pytest.fixture(scope="module")
def setup(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """The same before west stands anywhere."""
    return by_bots(tmp_path_factory.mktemp("setup"), "alder-ford", ("east", "west"), 0)


@pytest.fixture
def turn(opened: Open, tmp_path: Path) -> Turn:
    def open_(played: Played, phone: bool = False) -> Watched:
        path = tmp_path / "turn.html"
        path.write_bytes(played.packet())
        return opened(path, phone=phone, reduced_motion="reduce")

    return open_


def yaml(page: Page) -> str:
    return page.input_value("#yaml")


def tap(page: Page, figure: str = "", cell: str = "") -> None:
    cell = cell or page.evaluate("id => window.pbemDesk.data.tokens[id].at[0]", figure)
    page.evaluate("cell => window.pbemDesk.board.map.focus({cells: [cell]})", cell)
    x, y = page.evaluate("cell => window.pbemDesk.board.map.spot(cell)", cell)
    page.mouse.click(x, y)


def rows(page: Page, who: str, heading: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate(
        "([who, at]) => window.pbemDesk.model.available(who, at).rows", [who, heading]
    )
    return found


def choose(page: Page, step: str, who: str) -> None:
    page.click(f"#step-{step}")
    page.click(f"[data-who={who}]")


# --- a tap that may mean several things


def test_a_tap_on_an_enemy_asks_who_shall_attack_him(turn: Turn, met: Played) -> None:
    page = turn(met).page
    page.click("#step-fight")
    foe = page.evaluate("""() => { const { model } = window.pbemDesk;
        return model.figures("fight").flatMap(who => model.available(who, "fight").rows).find(row => row.s?.includes(", ")).t[0] }""")
    tap(page, foe)
    assert ": who shall do what?" in page.inner_text("#picked")
    assert page.evaluate("document.activeElement.id") == "picked"
    page.keyboard.press("Escape")
    assert page.is_hidden("#picked") and "fight:" not in yaml(page)
    tap(page, foe)
    page.click("#picked .order >> nth=0")
    assert page.is_hidden("#picked")
    assert f" attack {foe}\n" in yaml(page)
    met.understood("east", yaml(page))


def test_where_one_figure_could_do_two_things_the_simple_one_is_asked_first(turn: Turn, met: Played) -> None:
    page = turn(met, phone=True).page
    who, foe = page.evaluate(
        """() => { const { model } = window.pbemDesk;
        return model.figures("fight").flatMap(who => {
          const all = model.available(who, "fight").rows;
          const simple = foe => all.some(row => row.o && row.s && row.t[0] === foe);
          return all.filter(row => row.t && row.t.length > 1 && simple(row.t[0])).map(row => [who, row.t[0]]);
        })[0] }"""
    )
    choose(page, "fight", who)
    tap(page, foe)
    asked = page.locator("#picked .order, #picked .mate").all_inner_texts()
    assert len(asked) > 1 and f"attacks {foe}, " not in asked[0], asked
    small = page.evaluate(
        "[...document.querySelectorAll('#picked button')].map(one => [one.outerHTML, one.offsetHeight, "
        "one.offsetWidth])"
        ".filter(one => one[1] < 44 || one[2] < 44)"
    )
    assert small == []
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_who_was_ordered_away_may_join_no_more(turn: Turn, met: Played) -> None:
    page = turn(met).page
    who, foe, mate = page.evaluate(
        """() => { const { model } = window.pbemDesk; return model.figures("fight").flatMap(who => model.available(who, "fight").rows
        .filter(row => row.o && row.s && row.w.length === 1 && row.j).map(row => [who, row.t[0], row.j[0]]))[0] }"""
    )
    choose(page, "fight", who)
    mates = page.locator(f'#panel [data-key="mate {foe} {mate}"]')
    assert mates.count() == 1
    moved = page.evaluate(
        """([mate, foe]) => { const { model } = window.pbemDesk;
        return model.available(mate, "move").rows.filter(row => row.y && !row.u).some(row => {
        model.take("move", row); const gone = !model.available(mate, "fight").rows.some(one => one.t && one.t.includes(foe));
        if (!gone) model.undo(); return gone }) }""",
        [mate, foe],
    )
    assert moved and mates.count() == 0
    assert "may join" not in page.inner_text("#panel")


def test_odds_stand_beside_their_figure_and_on_no_name(turn: Turn, met: Played) -> None:
    """A label lies on the name band of nobody, nor on his values."""
    page = turn(met).page
    choose(page, "shoot", "siward")
    covered = page.evaluate(
        """() => { const names = [...document.querySelectorAll(".board-pieces [data-key^='token/'] text")];
        const labels = [...document.querySelectorAll(".board-over .board-label.target")];
        const shared = (a, b, low, high) => Math.min(a[high], b[high]) - Math.max(a[low], b[low]);
        const over = (a, b) => shared(a, b, "left", "right") > 2 && shared(a, b, "top", "bottom") > 2;
        const box = one => one.getBoundingClientRect();
        const hidden = label => names.filter(name => over(box(label), box(name))).map(name => `${label.textContent}: ${name.textContent}`);
        return [labels.length, labels.flatMap(hidden)] }"""
    )
    assert covered[0] >= 2 and covered[1] == []


# --- what is added to an order


def test_a_second_target_is_clicked_and_taken(turn: Turn, met: Played) -> None:
    page = turn(met).page
    choose(page, "shoot", "colin")
    page.click('[data-sentence="colin at tudur"]')
    page.click(".more > summary")
    page.select_option("[data-key=else]", "einion")
    page.select_option("[data-key=else]", "nearest")
    assert "shoot:\n- colin at tudur or einion or nearest\n" in yaml(page)
    met.understood("east", yaml(page))
    page.click('[data-key="or einion"]')
    assert "- colin at tudur or nearest\n" in yaml(page)
    met.understood("east", yaml(page))


def test_a_second_hex_is_clicked_and_taken(turn: Turn, met: Played) -> None:
    page = turn(met).page
    moves = [row for row in rows(page, "aelfgar", "move") if "y" in row and "u" not in row]
    choose(page, "move", "aelfgar")
    tap(page, cell=moves[0]["c"][-1])
    page.click(".more > summary")
    page.select_option("[data-key=else]", moves[1]["c"][-1])
    assert f"move:\n- {moves[0]['s']} or {moves[1]['c'][-1]}\n" in yaml(page)
    met.understood("east", yaml(page))


def test_an_order_is_given_only_if_something_is_so(turn: Turn, met: Played) -> None:
    watched = turn(met)
    page = watched.page
    choose(page, "shoot", "colin")
    page.click('[data-sentence="colin at tudur"]')
    page.click(".more > summary")
    page.select_option("[data-key=only-if]", "{one} can attack {other}")
    assert page.locator(".slots select").all_inner_texts()[0].startswith("Aelfgar"), "one's own stand first"
    assert page.locator(".slots select").all_inner_texts()[1].startswith("Cynan"), (
        "and their enemies, whom they do it to"
    )
    page.select_option("[data-key=only-if]", "{one} is not dead")
    page.select_option("[data-key=slot-one]", "tudur")
    page.click("[data-key=set-when]")
    page.select_option("[data-key=otherwise]", "colin at einion")
    wanted = "shoot:\n- when: tudur is not dead\n  then: colin at tudur\n  otherwise: colin at einion\n"
    assert wanted in yaml(page)
    met.understood("east", yaml(page))
    watched.accessible()
    page.click("#step-finish")
    assert "when: tudur is not dead" in page.inner_text(".summary")
    page.reload()
    assert wanted in yaml(page), "the draft holds it"
    choose(page, "shoot", "colin")
    page.click("[data-key=no-when]")
    assert "shoot:\n- colin at tudur\n" in yaml(page)


FORMS = (
    "{one} is healthy",
    "{one} is stunned or wounded",
    "{one} is dead",
    "{one} is next to an enemy",
    "{one} is not next to an enemy",
    "{one} is at {hex}",
    "{one} is not at {hex}",
    "{hex} is free",
    "{hex} is not free",
    "{one} can attack {other}",
    "{one} can shoot {other}",
    "{one} can reach {hex}",
    "{who} against {foe} at least {number}:1",
    "turn is at least {number}",
)


def test_every_condition_that_can_be_clicked_is_taken(turn: Turn, met: Played) -> None:
    page = turn(met).page
    assert set(page.evaluate("window.pbemDesk.data.forms.conditions")) == {*FORMS, "{one} is not dead"}
    made = page.evaluate(
        """forms => forms.map(form => { const { model } = window.pbemDesk; model.restart();
        const row = model.available("colin", "shoot").rows.find(one => one.t);
        model.take("shoot", row); const [line] = model.lines("shoot");
        const values = { one: "eadwig", other: "cynan", hex: "0906", number: "2", who: "colin", foe: row.t[0] };
        model.adjust("shoot", line, { when: model.filled(form, values) });
        return document.getElementById("yaml").value })""",
        list(FORMS),
    )
    for text in made:
        met.understood("east", text)


def test_a_condition_that_says_nothing_is_not_set(turn: Turn, met: Played) -> None:
    page = turn(met).page
    choose(page, "shoot", "colin")
    page.click('[data-sentence="colin at tudur"]')
    page.click(".more > summary")
    page.select_option("[data-key=only-if]", "{hex} is free")
    page.fill("[data-key=slot-hex]", "9999")
    page.click("[data-key=set-when]")
    assert "when:" not in yaml(page) and "a hex of the map" in page.inner_text("#live")
    page.fill("[data-key=slot-hex]", "0906")
    page.click("[data-key=set-when]")
    assert "- when: 0906 is free\n  then: colin at tudur\n" in yaml(page)


def test_a_way_is_tapped_hex_by_hex(turn: Turn, met: Played) -> None:
    page = turn(met).page
    row = next(
        row for row in rows(page, "aelfgar", "move") if "u" not in row and len(row.get("y", "").split()) == 3
    )
    _, first, second = row["y"].split()
    choose(page, "move", "aelfgar")
    page.click("#walk")
    tap(page, cell="0101")
    assert "not beside" in page.inner_text("#live")
    tap(page, cell=first)
    page.select_option("[data-key=walk-next]", second)
    page.click("#walk-take")
    assert f"move:\n- aelfgar by {first} {second}\n" in yaml(page)
    met.understood("east", yaml(page))
    page.click("#step-finish")
    assert "does not add up the movement points" in " ".join(page.locator(".checks .doubt").all_inner_texts())


def test_what_ends_the_game_is_clicked_and_taken_back(turn: Turn, met: Played) -> None:
    page = turn(met).page
    page.click("#step-finish")
    page.click("text=Resign, or offer a draw")
    assert page.locator("[data-key='closing accept the draw']").count() == 0, "nobody has offered one"
    page.click("[data-key='closing resign']")
    assert "shoot:\n- resign\n" in yaml(page)
    met.understood("east", yaml(page))
    assert "resign" in " ".join(page.locator(".checks .doubt").all_inner_texts())
    page.click("[data-key='closing offer a draw']")
    assert "- offer a draw\n" in yaml(page) and "resign" not in yaml(page)
    met.understood("east", yaml(page))
    page.click("[data-key='closing offer a draw']")
    assert "draw" not in yaml(page)


def test_where_the_rules_have_no_word_for_it_the_umpire_is_told(turn: Turn, met: Played) -> None:
    page = turn(met).page
    page.evaluate("() => { window.pbemDesk.data.forms.closing = []; }")
    page.click("#step-finish")
    page.click("text=Resign, or offer a draw")
    assert "who decides" in page.inner_text("#panel")
    page.click("[data-key=note-resign]")
    assert "note: 'I resign.'\n" in yaml(page)
    met.understood("east", yaml(page))


# --- the setup


def test_at_the_setup_everybody_has_his_values_and_the_region_is_shown(turn: Turn, setup: Played) -> None:
    watched = turn(setup, phone=True)
    page = watched.page
    assert "spearman, attacks with 7, defends with 7, 5 MP" in page.inner_text("[data-who=cynan]")
    assert "Not placed yet (12)" in page.inner_text("#panel")
    region = set(
        page.evaluate("[...document.querySelectorAll('.board-mark.region')].map(one => one.dataset.cell)")
    )
    assert "0204" in region and len(region) > 20
    page.click("[data-who=cynan]")
    tap(page, cell="0306")
    page.click(".back")
    assert "Not placed yet (11)" in page.inner_text("#panel") and "Placed (1)" in page.inner_text("#panel")
    page.click("#step-finish")
    note = page.inner_text(".checks .note >> nth=0")
    assert "11 not placed yet" in note and "tudur" in note and "cynan" not in note
    watched.accessible()
