"""Sentences of castle sections are read as they are said, in all the words that a person may use; what is
none is refused.
"""

from __future__ import annotations

import random

import pytest
from castle_cases import chosen, war_of
from msgspec.structs import replace

from pbem.core.play import resolve_phase
from pbem.core.problem import worst
from pbem.core.sequence import Cursor
from pbem.referee.explain.samples import samples_of
from pbem.referee.game.replay import first_state
from pbem.referee.game.scenario import find_scenario, judge
from pbem.rulesets.castle.events import OrderSkipped
from pbem.rulesets.castle.judge import sheet
from pbem.rulesets.castle.offers import offers
from pbem.rulesets.castle.orders import parse, say
from pbem.rulesets.castle.ruleset import CASTLE
from pbem.rulesets.castle.state import with_figure

SENTENCES = (
    "brask moves by 34.5 12, 36 14 facing 90",
    "brask moves 6 n",
    "brask moves toward tower2 until contact",
    "brask moves behind odo facing grul",
    "brask moves toward keep and enters keep by front at 24 9 facing n",
    "brask enters keep",
    "brask leaves keep by rear at 24 5.4 or stays",
    "brask, odo, wat form up behind brask and move 6 n",
    "brask, odo, wat move 6 n",
    "brask turns to 90",
    "brask attacks grul",
    "brask, odo, wat attack grul",
    "brask captures grul",
    "crossbow2 shoots grul",
    "boom shoots grul for 2, hrod for 1",
    "tower1 shoots titan at long range",
    "gate1 opens",
    "gate1-doors closes",
    "odo, hal, wat set up ladder1 at wall2",
    "odo, hal, wat take down ladder1",
    "odo rests",
    "mira heals odo",
    "mira freezes grul",
    "mira confuses grul to move 6 n facing e",
    "mira confuses grul to move toward hrod until contact",
    "mira levitates odo to move by 34.5 12, 36 14",
    "mira brings back odo",
    "mira brings back odo at 34.5 12",
    "mira sends out a shockwave",
)
AS_WELL = {
    "brask, odo and wat form up behind brask and move 6 n.": "brask, odo, wat form up behind brask and move 6 n",
    "brask moves toward grul as far as he can": "brask moves toward grul",
    "brask moves towards grul, then enters keep": "brask moves toward grul and enters keep",
    "brask strikes grul": "brask attacks grul",
    "brask fights grul": "brask attacks grul",
    "crossbow2 shoots at grul": "crossbow2 shoots grul",
    "crossbow2 shoots grul and hrod": "crossbow2 shoots grul, hrod",
    "brask  moves   06 n": "brask moves 6 n",
    "Brask: moves 6 s": "brask moves 6 s",
    "brask moves south 6": "brask moves 6 s",
    'brask moves 6" s': "brask moves 6 s",
    "brask moves 4.5in south": "brask moves 4.5 s",
    "brask moves 6 inches s": "brask moves 6 s",
    "brask moves to 24 20": "brask moves by 24 20",
    "brask moves by 24,20, 26,22": "brask moves by 24 20, 26 22",
    "brask, odo & wat move 6 n": "brask, odo, wat move 6 n",
    "gate1 open": "gate1 opens",
    "close gate1-doors": "gate1-doors closes",
    "Brask moves 6 north": "brask moves 6 n",
    "brask moves 4.5 North-West.": "brask moves 4.5 nw",
    "Brask turns east": "brask turns to e",
    "brask moves by 34.5 12,36 14 facing South": "brask moves by 34.5 12, 36 14 facing s",
    "brask,odo,wat form up behind brask and move 6 n": "brask, odo, wat form up behind brask and move 6 n",
}
NONE = (
    "",
    "brask",
    "brask dances",
    "brask moves",
    "brask moves 6",
    "brask moves 6 up",
    "brask moves by 34,5 12",
    "brask moves by 34.555 12",
    "moves 6 n",
    "brask attacks",
    "brask attacks grul hrod",
    "brask shoots grul for many",
    "gate1 swings",
    "mira confuses grul",
    "mira confuses grul to move",
    "mira levitates odo to move toward keep and enters keep",
    "mira, odo heal grul",
    "mira heals odo at 34.5 12",
)


@pytest.mark.parametrize("said", SENTENCES)
def test_a_sentence_reads_back_as_the_same_order(said: str) -> None:
    order = parse(said)
    assert order is not None
    assert say(order) == said
    assert parse(say(order)) == order


@pytest.mark.parametrize(("said", "normal"), AS_WELL.items())
def test_what_else_one_may_write_means_the_same(said: str, normal: str) -> None:
    order = parse(said)
    assert order is not None
    assert say(order) == normal


@pytest.mark.parametrize("said", NONE)
def test_what_is_no_order_is_none(said: str) -> None:
    assert parse(said) is None


def test_a_long_line_of_nearly_names_is_refused_at_once() -> None:
    assert parse("a, " * 2000 + "b") is None
    assert parse("x moves by " + "1 2, " * 2000 + "z") is None


def told(*lines: str, at: str = "t1.hill") -> list[str]:
    given = {
        "at": at,
        "terrain": [{"id": "wood", "kind": "hindering", "at": "14 35", "radius": "2"}],
        "sections": {"keep1": {"kind": "citadel", "at": "24 9"}},
        "warriors": {
            "odo": {"kind": "footman", "at": "14 30", "facing": "n"},
            "hal": {"kind": "footman", "at": "20 30", "facing": "n"},
            "boom": {"kind": "bombard", "at": "24 24", "facing": "s"},
            "foe": {"side": "keep", "kind": "captain", "at": "20 31.2", "facing": "s"},
            "cap": {"side": "keep", "kind": "footman", "at": "24 9", "on": "keep1"},
        },
    }
    war = war_of(CASTLE, given)
    read, problems = CASTLE.interface.read_orders(CASTLE, war, war.at.side, {"actions": list(lines)})
    assert problems == []
    judged = CASTLE.interface.check(CASTLE, war, read, ())
    assert worst(judged.problems) == []
    return CASTLE.interface.forecast(CASTLE, judged.course)


def test_a_forecast_says_where_a_way_ends_and_what_an_attack_needs() -> None:
    assert told("odo moves 6 n", "hal attacks foe", "boom shoots keep1") == [
        "odo moves 6 n (comes to 14,32.43, stopped by hindering ground)",
        "hal attacks foe (needs 8 on 2d6, 15 in 36; 2 clicks)",
        "boom shoots keep1 (needs 10 on 2d6, 6 in 36; 3 clicks)",
    ]
    assert told("keep1-front opens", "cap leaves keep1 by front", at="t1.keep")[1] == (
        "cap leaves keep1 by front (comes to 24,12.6)"
    )
    assert told("hal moves 3 s") == ["hal moves 3 s (breaks away first from 1; comes to 20,27)"]


STAIRS = {
    "sections": {"wall1": {"kind": "wall", "at": "20 20"}},
    "ladders": {"ladder1": {"wall": "wall1", "at": "20 21"}},
    "told": {"keep": {"victim": "low"}},
    "warriors": {
        "odo": {"kind": "ogre", "at": "20 21.6", "facing": "s"},
        "low": {"side": "keep", "kind": "crossbow", "at": "20.6 20.4", "on": "wall1"},
        "high": {"side": "keep", "kind": "captain", "at": "19.4 20.4", "on": "wall1"},
    },
}


def test_a_forecast_says_whom_the_defender_may_choose_and_not_whom_he_has_named() -> None:
    """MK10.5: each choice with its odds; what the other side says beforehand is its own."""
    war = war_of(CASTLE, STAIRS)
    read, _ = CASTLE.interface.read_orders(CASTLE, war, "hill", {"actions": ["odo attacks low"]})
    judged = CASTLE.interface.check(CASTLE, war, read, ())
    assert CASTLE.interface.forecast(CASTLE, judged.course) == [
        "odo attacks low (the defender chooses: high needs 8 on 2d6, 15 in 36; 4 clicks;"
        " or low needs 6 on 2d6, 26 in 36; 4 clicks)"
    ]
    (offer,) = [one for one in offers(CASTLE, war, "hill") if one.sentence == "odo attacks low"]
    assert offer.label == "15/36"


@pytest.mark.parametrize(
    ("line", "code", "help_"),
    [
        ("odo moves 60 s", "doubt.castle-farther", "odo moves 6 s; or: odo moves 60 s as far as he can"),
        ("odo, hal, wat move 8 s", "doubt.castle-farther", "odo, hal, wat move 6 s"),
        ("odo moves 60 s as far as he can", "", ""),
        ("odo moves by 60 30", "doubt.castle-beside", ""),
        ("rim moves 3 w", "doubt.castle-nowhere", ""),
        ("odo turns to 400", "castle.facing", "degrees"),
        ("all move 3 s", "castle.nobody", "each by name"),
        ("odo attacks foe", "castle.not-in-contact", "3.6 inches lie between their bases; first: odo moves"),
        ("odo attacks up", "castle.not-in-contact", "up stands on wall1"),
        ("gero shoots foe", "castle.too-far", "foe is 23.88 inches away"),
        ("foe moves 3 n", "castle.not-yours", "yours are gero, hal, odo, rim, wat"),
        ("odo, hal move 3 s", "castle.formation-size", "one line for each"),
    ],
)
def test_what_is_wrong_on_purpose_is_answered_with_what_would_be_right(
    line: str, code: str, help_: str
) -> None:
    given = {
        "sections": {"wall1": {"kind": "wall", "at": "20 9"}},
        "warriors": {
            "odo": {"kind": "footman", "at": "14 30"},
            "hal": {"kind": "footman", "at": "15.2 30"},
            "wat": {"kind": "footman", "at": "16.4 30"},
            "gero": {"kind": "crossbow", "at": "38 30", "facing": "w"},
            "rim": {"kind": "footman", "at": "0.6 40"},
            "foe": {"side": "keep", "kind": "captain", "at": "14 25.2"},
            "up": {"side": "keep", "kind": "footman", "at": "20 9", "on": "wall1"},
        },
    }
    war = war_of(CASTLE, given)
    read, unread = CASTLE.interface.read_orders(CASTLE, war, "hill", {"actions": [line]})
    assert unread == []
    problems = CASTLE.interface.check(CASTLE, war, read, ()).problems
    assert [problem.code for problem in problems] == ([code] if code else [])
    assert not problems or help_ in problems[0].help


def test_whoever_rests_has_no_action_and_no_token() -> None:
    """Three actions are left for others, however many rest before (MKB3)."""
    _, ground, _ = judge(find_scenario("kestrel-tower"))
    war = first_state(ground, {"hill": "hill", "keep": "keep"})
    lines = ["alf rests", "bero rests", "cuno rests", "gero rests", "hrod moves 2 s", "thud moves 2 s"]
    read, _ = CASTLE.interface.read_orders(CASTLE, war, "hill", {"actions": lines})
    judged = CASTLE.interface.check(CASTLE, war, read, ())
    assert worst(judged.problems) == []
    after = judged.after
    assert [after.figure(id_).tokens for id_ in ("alf", "gero", "hrod", "thud")] == [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("line", "help_"),
    [
        ("grul attaks kestrel", "attacks"),
        ("grul moves towrads kestrel", "toward"),
        ("grul shots at kestrel", "shoots"),
        ("grul goes home", "such as"),
        ("grul marches 6 s", "moves"),
        ("grul moves six s", "grul moves by 24 20"),
        ("grul moves 6 ssw", "a direction is n, ne,"),
        ("grul moves 3.333 s", "grul moves by 24 20"),
        ("move grul 6 s", "the name first, such as: grul moves 6 n"),
        ("attack hal with grul", "the name first, such as: odo attacks hal"),
        ("grul moves 6 s and attacks brask", "one order a line"),
        ("grul passes", "grul rests"),
        ("grul stands still", "'rests', such as: grul rests"),
        ("grul holds his place", "'rests', such as: grul rests"),
        ("grul, brask moves 6 s together", "; brask, hal, wat move 6 s"),
        ("grul does nothing", "grul rests"),
        ("pass", "nobody: yes"),
        ("grul shoots kestrel twice", "shoots hal for 2, wat for 1"),
        ("old grul moves 6 s", "Old Grul is grul in orders"),
        ("grul brask moves 6 s", "grul, brask, with commas"),
    ],
)
def test_what_is_nearly_an_order_is_answered_with_the_word_that_was_meant(line: str, help_: str) -> None:
    warriors = {
        "grul": {"kind": "ogre", "at": "20 20", "name": "Old Grul"},
        "brask": {"kind": "ogre", "at": "24 20"},
    }
    war = war_of(CASTLE, {"warriors": warriors})
    _, (problem,) = CASTLE.interface.read_orders(CASTLE, war, "hill", {"actions": [line]})
    assert problem.code == "castle.gibberish"
    assert help_ in problem.help


@pytest.mark.parametrize("key", ["actions", "army", "answers", "standing"])
@pytest.mark.parametrize(
    "said", ["words", 3, None, ["a", ["b"]], {"everyone": "x"}, {"everyone": {"victim": {}}}]
)
def test_what_has_another_form_is_read_as_nothing_and_no_fault(key: str, said: object) -> None:
    war = war_of(CASTLE, {"warriors": {"grul": {"kind": "ogre", "at": "20 20"}}})
    _, problems = CASTLE.interface.read_orders(CASTLE, war, "hill", {key: said})
    assert {one.code for one in problems} <= {"castle.gibberish", "castle.other-section"}


def test_a_name_that_is_nearly_one_is_answered_with_it() -> None:
    war = war_of(CASTLE, {"warriors": {"grul": {"kind": "ogre", "at": "20 20"}}})
    sheet, _ = CASTLE.interface.read_orders(CASTLE, war, "hill", {"actions": ["grull moves 6 n"]})
    (problem,) = CASTLE.interface.check(CASTLE, war, sheet, ()).problems
    assert (problem.code, "grul" in problem.help) == ("castle.nobody", True)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("alf, bero, cuno form up behind gero and move 3 s", "castle.formation-first"),
        ("alf moves toward alf", "castle.himself"),
        ("alf moves behind alf", "castle.himself"),
    ],
)
def test_nobody_forms_up_behind_another_or_goes_up_to_himself(line: str, code: str) -> None:
    spots = {"alf": "20 20", "bero": "21.2 20", "cuno": "22.4 20", "gero": "26 20"}
    warriors = {id_: {"kind": "footman", "at": at} for id_, at in spots.items()}
    war = war_of(CASTLE, {"warriors": warriors})
    sheet, _ = CASTLE.interface.read_orders(CASTLE, war, "hill", {"actions": [line]})
    (problem,) = CASTLE.interface.check(CASTLE, war, sheet, ()).problems
    assert problem.code == code


def test_an_order_sheet_offers_what_may_be_ordered() -> None:
    _, ground, _ = judge(find_scenario("kestrel-tower"))
    war = first_state(ground, {"hill": "hill", "keep": "keep"})
    entries = list(sheet(CASTLE, war, "hill"))
    assert {entry.unit for entry in entries} == {one.id for one in war.figures if one.side == "hill"}
    for entry in entries[:3]:
        for choice in entry.choices:
            assert parse(choice.sentence) is not None
    assert list(sheet(CASTLE, war, "keep")) == []


def test_a_letter_shows_an_order_of_each_kind_with_what_is_known_of_it() -> None:
    _, ground, _ = judge(find_scenario("kestrel-tower"))
    war = first_state(ground, {"hill": "hill", "keep": "keep"})
    war = replace(with_figure(war, "grul", x=1800, y=1500), at=Cursor("actions", 2, "keep"))
    found = samples_of(ground, war, "keep")
    assert [line.entry for line in found] == [
        "kestrel-front opens",
        "joss moves toward alf until contact",
        "kuno shoots grul",
        "lutz moves 5 n",
    ]
    assert found[2].said.args == {"known": "needs 7 on 2d6, 21 in 36; 2 clicks"}
    _, ground, _ = judge(find_scenario("kestrel-open"))
    war = first_state(ground, {"hill": "hill", "keep": "keep"})
    assert [len(samples_of(ground, war, seat)) for seat in ("hill", "keep")] == [1, 2]


def test_an_order_sheet_offers_what_abilities_do() -> None:
    given = {
        "tables": {"warriors": GIFTED},
        "warriors": {
            "mira": {"kind": "bombard", "at": "20 28", "facing": "n"},
            "odo": {"kind": "footman", "at": "20 26.8", "click": "2"},
            "gone": {"kind": "footman", "at": "40 31", "out": "true", "click": "5"},
            "foe": {"side": "keep", "kind": "captain", "at": "20 33"},
        },
    }
    rules = chosen(CASTLE, given)
    offered = {
        choice.sentence: choice.notes
        for entry in sheet(rules, war_of(rules, given), "hill")
        for choice in entry.choices
    }
    assert offered["mira freezes foe"] == ("needs 7 on 2d6, 21 in 36",)
    assert offered["odo brings back gone"] == ()
    assert "mira confuses foe to move 7 ne" in offered
    assert "mira levitates odo to move 10 e" in offered
    assert offered["mira sends out a shockwave"] == (
        "needs 7 on 2d6, 21 in 36; 1 click",
        "needs 4 on 2d6, 33 in 36; 1 click",
    )
    assert "mira heals foe" not in offered


NAMES = (
    "odo",
    "boom",
    "foe",
    "gone",
    "captive",
    "keep1",
    "ruin",
    "wall1",
    "ladder1",
    "ladder2",
    "nobody",
    "keep1-front",
)
FORMS = (
    "{a} moves by 14 31, 15 32 facing {b}",
    "{a} moves toward {b} until contact",
    "{a} moves behind {b} or stays",
    "{a} moves toward {b} and enters {c}",
    "{a} enters {b} by {c}",
    "{a} leaves {b}",
    "{a}, {b}, {c} form up behind {b} and move 6 n",
    "{a}, {b}, {c} move 2 s",
    "{a} turns to {b}",
    "{a} attacks {b}",
    "{a}, {b}, {c} attack {b}",
    "{a} captures {b}",
    "{a} shoots {b}",
    "{a} shoots {b} for 1, {c} for 9",
    "{a} opens",
    "{a} closes",
    "{a}, {b}, {c} set up ladder2 at {a}",
    "{a}, {b}, {c} take down {a}",
    "{a} rests",
    "{a} heals {b}",
    "{a} freezes {b}",
    "{a} confuses {b} to move 2 s facing {c}",
    "{a} levitates {b} to move toward {c} until contact",
    "{a} brings back {b}",
    "{a} brings back {b} at 14 28.8",
    "{a} sends out a shockwave",
)
GIFTS = ("healing", "magic-healing", "confusion", "freeze", "levitation", "poison", "necromancy", "shockwave")
GIFTED = {
    "source": "a case",
    "basis": "reconstructed",
    "rows": [{"id": "bombard", "abilities": GIFTS}, {"id": "footman", "abilities": GIFTS}],
}


@pytest.mark.parametrize("form", FORMS)
def test_whoever_is_named_in_an_order_it_is_judged_and_carried_out_without_a_fault(form: str) -> None:
    given = {
        "tables": {"warriors": GIFTED} if form in FORMS[-7:] else {},
        "options": {"capture": "yes"},
        "sections": {
            "keep1": {"kind": "citadel", "at": "24 9"},
            "wall1": {"kind": "wall", "at": "32 9"},
            "ruin": {"kind": "wall", "at": "14 28", "out": "true"},
        },
        "ladders": {"ladder1": {"wall": "wall1", "at": "32 10"}, "ladder2": {"side": "hill", "by": "odo"}},
        "warriors": {
            "odo": {"kind": "footman", "at": "14 30"},
            "boom": {"kind": "bombard", "at": "24 24", "facing": "s"},
            "foe": {"side": "keep", "kind": "captain", "at": "14 31.2"},
            "gone": {"side": "keep", "kind": "footman", "at": "20 31", "out": "true"},
            "captive": {"kind": "footman", "at": "14 31.2", "captor": "foe"},
        },
    }
    rules = chosen(CASTLE, given)
    war = war_of(rules, given)
    chance = random.Random(form)
    lines = [form.format(a=a, b=b, c=chance.choice(NAMES)) for a in NAMES for b in NAMES]
    step = rules.steps["actions"]
    for line in lines:
        read, problems = rules.interface.read_orders(rules, war, "hill", {"actions": [line]})
        assert problems == [], line
        judged = rules.interface.check(rules, war, read, ())
        rules.interface.forecast(rules, judged.course)
        found = resolve_phase(
            lambda play, read=read: step(rules, play, {"hill": (read,)}),  # type: ignore[misc]
            war,
            str(war.at),
            rules.interface.apply,
            Threes(),
        )
        skipped = [event for event in found.events if isinstance(event, OrderSkipped)]
        assert bool(worst(judged.problems)) <= bool(skipped), line


class Threes:
    """Dice that all show a three."""

    def values(self, label: str, sides: int, count: int) -> tuple[int, ...]:
        return (3,) * count
