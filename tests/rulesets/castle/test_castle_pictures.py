"""What is measured, turned and offered is what the rules say: rulers from rim to rim, ranges, the sheet of all dials,
and where a page lets somebody go.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from castle_cases import war_of
from pbem.renderers.themes import PRINT, THEMES, Theme

from pbem.core.scene import Plan
from pbem.renderers import dials as dials_page
from pbem.renderers import plan as plan_page
from pbem.renderers import text
from pbem.rulesets.castle import measures, offers, sheets
from pbem.rulesets.castle.dial import row, window
from pbem.rulesets.castle.ruleset import CASTLE
from pbem.rulesets.castle.state import War

GIVEN = {
    "at": "t1.hill",
    "terrain": [{"id": "wood", "kind": "hindering", "at": "14 35", "radius": "2"}],
    "sections": {"keep1": {"kind": "citadel", "at": "24 9"}},
    "warriors": {
        "odo": {"kind": "footman", "at": "14 30", "facing": "n"},
        "hal": {"kind": "footman", "at": "20 30", "facing": "n"},
        "boom": {"kind": "bombard", "at": "24 22", "facing": "s", "click": "2"},
        "foe": {"side": "keep", "kind": "captain", "at": "20 31.2", "facing": "s"},
        "far": {"side": "keep", "kind": "crossbow", "at": "40 30", "facing": "w"},
    },
}


def war() -> War:
    return war_of(CASTLE, GIVEN)


def test_a_ruler_lies_from_rim_to_rim_and_says_what_is_known_of_an_attack() -> None:
    spans, _, missing = measures.measuring(
        CASTLE, war(), [("hal", "foe"), ("boom", "keep1"), ("far", "odo")], []
    )
    assert missing == ()
    lengths = [((a.start[0] - a.end[0]) ** 2 + (a.start[1] - a.end[1]) ** 2) ** 0.5 / 100 for a in spans]
    assert lengths == pytest.approx([0.0, 22 - 12 - 0.6, 26 - 1.2], abs=0.03)
    assert spans[0].text == "needs 8 on 2d6, 15 in 36; 2 clicks"
    assert spans[1].text.startswith("needs 11 on 2d6")
    assert spans[2].text == "out of range"


def test_ranges_are_as_far_as_the_dial_and_the_table_say() -> None:
    _, sectors, _ = measures.measuring(CASTLE, war(), [], ["boom", "keep1"])
    assert [(one.radius, one.width) for one in sectors] == [(300, 3600), (1400, 900), (1400, 3600)]
    assert measures.measuring(CASTLE, war(), [("hal", "nobody")], ["none"])[2] == ("nobody", "none")


def plan() -> Plan:
    found = sheets.plan(CASTLE, war(), "A game")
    assert found is not None
    return found


def test_the_sheet_has_every_dial_with_every_click() -> None:
    found, now = plan(), war()
    assert {one.id for one in found.dials} == {one.id for one in now.all}
    for dial in found.dials:
        one = now.one(dial.id)
        assert len(dial.windows) == len(row(CASTLE, one)["dial"])
        shown = window(CASTLE, one)
        assert tuple(map(int, dial.windows[dial.at])) == (
            shown.first,
            shown.attack,
            shown.defence,
            shown.damage,
        )
    assert sheets.plan(CASTLE, war(), "A game", events=()) is None


def test_the_sheet_in_words_says_how_many_clicks_are_left() -> None:
    said = text.describe_plan(plan())
    assert "- boom, boom, bombard, at 24,22: 3-8-13-2, 4 of 6 clicks left; then 3-8-13-2" in said
    assert "(breached)" in said


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_the_sheet_is_drawn_alike_as_png_and_svg(theme: Theme) -> None:
    root = ET.fromstring(dials_page.drawn(plan(), theme))
    words = {one.text for one in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"A game" in (word or "") for word in words} >= {True}
    assert any((word or "").startswith("boom: ") for word in words)
    page = dials_page.picture(plan(), theme)
    assert page.size == (dials_page.laid(plan(), theme).wide, dials_page.laid(plan(), theme).high)
    assert plan_page.render(plan(), theme=theme)[:4] == b"\x89PNG"


def test_whoever_is_turned_on_is_drawn_otherwise() -> None:
    before = dials_page.laid(plan(), PRINT).shapes
    turned = {**GIVEN, "warriors": {**GIVEN["warriors"], "odo": {**GIVEN["warriors"]["odo"], "click": "1"}}}  # type: ignore[dict-item]
    after = sheets.plan(CASTLE, war_of(CASTLE, turned), "A game")
    assert after is not None
    assert dials_page.laid(after, PRINT).shapes != before


def test_a_page_is_told_where_somebody_may_go_and_how_many_may_act() -> None:
    now = war()
    found = offers.roaming(CASTLE, now, "hill")
    by = {one.who: one for one in found.who}
    assert set(by) == {"odo", "hal", "boom"}
    assert (by["odo"].reach, by["boom"].reach) == (600, 300)
    assert by["hal"].notes == ("breaks away first from foe",)
    assert [found.solids[place].of for place in by["odo"].foes] == ["far", "foe"]
    assert [found.solids[place].shape for place in by["odo"].stops] == [((1400, 3500),)]
    budget = offers.forms(CASTLE, now, "hill").budget
    assert budget is not None
    assert budget.most == now.board.side("hill").build // 100


def test_an_offer_says_the_chance_of_an_attack() -> None:
    found = {offer.sentence: offer for offer in offers.offers(CASTLE, war(), "hill")}
    assert found["hal attacks foe"].label == "15/36"
    assert found["hal attacks foe"].targets == ("foe",)
    assert found["odo moves toward foe until contact"].kind == offers.GOES
    assert not any(" moves 6 n" in said for said in found)
