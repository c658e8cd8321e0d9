# ruff: noqa: W291  (whole sentences and Markdown line breaks, as they are printed)
"""Reports: one list of events, one document, four ways to write it; and nothing a player wrote can break out
of any of them.
"""

from __future__ import annotations

import html
import re
import typing
from html.parser import HTMLParser
from pathlib import Path

import pytest
from msgspec import NODEFAULT

from pbem.rulesets.siege.ruleset import SIEGE
from pbem.rulesets.siege.state.events import EVENTS, plain
from pbem.store.library import words_of
from pbem.text import markup, report
from pbem.text.codec import defaults
from pbem.text.report import (
    Code,
    Document,
    Facts,
    Header,
    Heading,
    Image,
    Items,
    Paragraph,
    Quote,
    RollRow,
    RollTable,
)
from pbem.text.words import Words

ROOT = Path(__file__).resolve().parents[2]
WORDS = words_of("siege")
NAMES = {"wulf": "Sergeant Wulf", "hob": "Sergeant Hob"}
SIDES = {"east": "The Mill", "west": "The Company"}

SHOT = {
    "type": "Rolled",
    "phase": "first_missile",
    "label": "t3.east.first_missile/shoot/alric",
    "sides": 10,
    "values": [4],
    "rule": "S1.3a",
    "table": "shooting_others",
    "column": "short bow, light cover",
    "base": "die 4",
    "row": 6,
    "result": "A",
    "said": "missed",
    "tally": [{"rule": "S1.3b", "label": "wounded shooter", "shift": 2}],
}
FIGHT = {
    "type": "Rolled",
    "phase": "melee",
    "label": "t3.east.melee/fight/wulf/1",
    "sides": 10,
    "values": [8],
    "rule": "S1.7h",
    "table": "combat_foot",
    "column": "3:1",
    "base": "19 against 9 is 2:1",
    "row": 8,
    "result": "C",
    "said": "all defenders retreat",
    "tally": [{"rule": "S1.72g", "label": "from two sides", "shift": 1}],
}
TURN = (
    {"type": "PhaseBegan", "phase": "first_missile", "turn": 3, "side": "east"},
    {
        "type": "OrderRead",
        "phase": "first_missile",
        "seat": "east",
        "source": "east.yaml:4",
        "order": "alric at gunter",
    },
    SHOT,
    {
        "type": "Shot",
        "phase": "first_missile",
        "shooter": "alric",
        "target": "gunter",
        "weapon": "short_bow",
        "range": 7,
        "band": "short",
        "cover": "light",
        "line": ["1307", "0909"],
        "roll": 4,
        "result": "A",
    },
    {"type": "PhaseBegan", "phase": "movement", "turn": 3, "side": "east"},
    {
        "type": "Moved",
        "phase": "movement",
        "unit": "odo",
        "path": ["0609", "0610", "0611"],
        "cost": 5,
        "of": 6,
    },
    {
        "type": "OrderSkipped",
        "phase": "movement",
        "seat": "east",
        "source": "east.yaml:9",
        "order": "tam to 0101",
        "code": "yaml.tab",
        "rule": "S1.61c",
        "args": {},
    },
    {"type": "PhaseEnded", "phase": "movement"},
    {"type": "PhaseBegan", "phase": "melee", "turn": 3, "side": "east"},
    FIGHT,
    {
        "type": "Fought",
        "phase": "melee",
        "attackers": ["hob", "odo"],
        "defenders": ["wulf"],
        "attack": 19,
        "defence": 9,
        "odds": "2:1",
        "column": "3:1",
        "roll": 8,
        "result": "C",
    },
    {
        "type": "Retreated",
        "phase": "melee",
        "unit": "wulf",
        "path": ["1108", "1008"],
        "cause": 9,
        "rule": "S1.72o",
    },
    {
        "type": "StateChanged",
        "phase": "melee",
        "unit": "wulf",
        "was": "healthy",
        "is": "wounded",
        "since": "x",
    },
    {"type": "Scored", "phase": "melee", "side": "east", "points": 5, "total": 12, "why": "losses"},
    {"type": "Said", "phase": "melee", "seat": "west", "text": "You will pay.\n\nAll of you."},
)
HEADER = Header(
    "Toll at the Alder Ford, turn 3",
    facts=(("Game", "alder-ford"),),
    images=(("maps/s0007.png", "Map: the ford"),),
    description="The ford in words.",
    chart="   01  03\n     02",
    reconstructed=("combat_foot", "shooting_others"),
    verify="pbem verify alder-ford.zip",
    digest="sha512:ab12",
    sides=SIDES,
    template="side: west\n",
)
HEADS = ("name of the roll", "die", "reckoning", "table and column", "row", "result")
SHOT_ROW = RollRow(
    "t3.east.first_missile/shoot/alric",
    "4 of 10",
    "shooting others",
    "short bow, light cover",
    "die 4",
    ("+2 wounded shooter (S1.3b)",),
    "6",
    "A, missed",
    "S1.3a",
)
FIGHT_ROW = RollRow(
    "t3.east.melee/fight/wulf/1",
    "8 of 10",
    "combat foot",
    "3:1",
    "19 against 9 is 2:1",
    ("+1 from two sides (S1.72g)",),
    "8",
    "C, all defenders retreat",
    "S1.7h",
)


def made(*events: dict[str, object], **header: object) -> Document:
    return report.build(events, WORDS, NAMES, Header("T", sides=SIDES, **header), SIEGE.telling)


def told(event: dict[str, object]) -> str:
    """Return the sentence of one event."""
    return next(block for block in made(event).blocks if isinstance(block, Items)).items[0]


def test_a_turn_block_by_block():
    doc = report.build(TURN, WORDS, NAMES, HEADER, SIEGE.telling)
    assert doc == Document(
        "Toll at the Alder Ford, turn 3",
        "1 shot and 1 fight: 0 dead, 1 wounded, 0 stunned.",
        (
            Facts((("Game", "alder-ford"),)),
            Image("maps/s0007.png", "Map: the ford"),
            Heading("In short"),
            Items(("Sergeant Wulf is wounded (was healthy)", "The Mill: 5 points for losses, 12 in all")),
            Heading("Messages"),
            Quote("The Company", "You will pay.\n\nAll of you."),
            Heading("The Mill: first shooting, turn 3"),
            Items(
                (
                    "Alric shoots at gunter (short bow, 7 hexes, short range, light cover): die 4, +2 "
                    "wounded shooter (S1.3b) = 6; "
                    "shooting others, short bow, light cover: A, missed",
                )
            ),
            RollTable("Every die of this phase", HEADS, (SHOT_ROW,)),
            Heading("The Mill: movement, turn 3"),
            Items(
                (
                    "Odo moves to 0611 (0609 0610 0611), 5 of 6 points",
                    "Not carried out: tam to 0101 (east.yaml:9); here is a tab (S1.61c)",
                )
            ),
            Heading("The Mill: melee, turn 3"),
            Items(
                (
                    "Sergeant Hob and odo attack Sergeant Wulf (19 against 9, odds 2:1): die 8; combat "
                    "foot, column 3:1 "
                    "(19 against 9 is 2:1, +1 from two sides (S1.72g)): C, all defenders retreat",
                    "Sergeant Wulf retreats to 1008 (1108 1008)",
                    "Sergeant Wulf is wounded (was healthy)",
                    "The Mill: 5 points for losses, 12 in all",
                )
            ),
            RollTable("Every die of this phase", HEADS, (FIGHT_ROW,)),
            Heading("The map in words"),
            Code("The ford in words.", "The map in words"),
            Code("   01  03\n     02", "The map in characters", "chart"),
            Heading("The next orders"),
            Code("side: west\n", "Order sheet", "yaml"),
            Heading("Checking this report"),
            Paragraph(
                "The numbers of these tables are a reconstruction, not the printed ones: combat_foot and "
                "shooting_others."
            ),
            Paragraph("Everybody can check every die and every line of this turn with this command:"),
            Code("pbem verify alder-ford.zip"),
            Facts((("head of the signed chain", "sha512:ab12"),)),
        ),
        short=6,
    )


def test_nothing_happened():
    assert report.build((), WORDS, {}, Header("T"), SIEGE.telling) == Document(
        "T", "Nobody shot, and nobody fought.", ()
    )


def test_a_lead_of_ones_own():
    assert report.build((), WORDS, {}, Header("T", lead="Rain."), SIEGE.telling).lead == "Rain."


def test_a_phase_without_events_to_tell_has_no_heading():
    silent = made(
        {"type": "PhaseBegan", "phase": "melee", "turn": 1, "side": "east"},
        {"type": "PhaseEnded", "phase": "melee"},
    )
    assert silent.blocks == ()


def test_empty_messages_are_not_shown():
    assert made({"type": "Said", "phase": "melee", "seat": "east", "text": "  \n"}).blocks == ()


def test_phases_are_parted_by_the_envelope_too():
    doc = made(
        {"type": "Turned", "phase": "movement", "unit": "hob", "facing": "s"},
        {"type": "Turned", "phase": "d1.t2.east.melee", "unit": "hob"},
    )
    assert doc.blocks == (
        Heading("Movement"),
        Items(("Sergeant Hob turns s",)),
        Heading("Melee"),
        Items(("Sergeant Hob turns",)),
    )


def test_headings_of_phases_without_a_word_of_their_own():
    assert made(
        {"type": "PhaseBegan", "phase": "night_watch", "day": 2},
        {"type": "Turned", "phase": "night_watch", "unit": "hob"},
    ).blocks[0] == Heading("Night watch, day 2")
    assert made({"type": "Turned", "unit": "hob"}).blocks[0] == Heading("What else happened")


def test_the_footer_says_only_what_it_knows():
    assert made(digest="x").blocks == (
        Heading("Checking this report"),
        Facts((("head of the signed chain", "x"),)),
    )
    one = made(reconstructed=("combat_foot",)).blocks
    assert one == (
        Heading("Checking this report"),
        Paragraph("The numbers of this table are a reconstruction, not the printed ones: combat_foot."),
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, "die 4, +2 wounded shooter (S1.3b) = 6; shooting others, short bow, light cover: A, missed"),
        ({"tally": [], "row": 4}, "die 4; shooting others, short bow, light cover: A, missed"),
        (
            {"tally": [{"rule": "", "label": "luck", "shift": -7}], "row": 1},
            "die 4, -7 luck = -3, read as 1; shooting others, short bow, light cover: A, missed",
        ),
        (
            {"base": "at night", "column": ""},
            "die 4, +2 wounded shooter (S1.3b) = 6; at night, shooting others: A, missed",
        ),
        ({"base": "", "tally": [], "row": 4, "table": "", "column": ""}, "die 4: A, missed"),
        ({"base": "", "tally": [], "row": 0, "table": "", "column": "", "result": "", "said": ""}, "die 4"),
        (
            {"base": "", "tally": [], "row": 4, "values": [1, 3], "column": ""},
            "die 1 and 3; shooting others: A, missed",
        ),
        (
            {"base": "ten men", "row": 4, "column": ""},
            "die 4; shooting others, ten men, +2 wounded shooter (S1.3b): A, missed",
        ),
        (
            {"base": "", "tally": [], "row": 4},
            "die 4; shooting others, column short bow, light cover: A, missed",
        ),
    ],
)
def test_reckonings(change, said):
    assert report.reckoning({**SHOT, **change}, WORDS) == said


def test_a_roll_that_belongs_to_nothing_is_told_by_itself():
    doc = made(SHOT)
    assert doc.blocks[1] == Items(
        (
            "Roll t3.east.first_missile/shoot/alric: die 4, +2 wounded shooter (S1.3b) = 6; shooting "
            "others, short bow, light cover: A, missed",
        )
    )


def test_each_shot_finds_its_own_roll_and_no_other():
    other = {
        **SHOT,
        "label": "t3.east.first_missile/shoot/emma",
        "values": [9],
        "row": 9,
        "base": "die 9",
        "tally": [],
    }
    shots = [{**TURN[3], "shooter": name} for name in ("alric", "emma", "col")]
    lines = made(SHOT, other, *shots).blocks[1].items
    assert lines[1] == (
        "Emma shoots at gunter (short bow, 7 hexes, short range, light cover): die 9; shooting others, "
        "short bow, light cover: A, missed"
    )
    assert lines[2] == "Col shoots at gunter (short bow, 7 hexes, short range, light cover): die 4: A"
    assert lines[0].startswith(
        "Alric shoots at gunter (short bow, 7 hexes, short range, light cover): die 4, +2 wounded shooter"
    )


@pytest.mark.parametrize(
    ("kind", "label", "wanted", "decides"),
    [
        ("Shot", "t1.e.m/shoot/a", ("a",), True),
        ("Shot", "t1.e.m/shoot-again/a", ("a",), True),
        ("Shot", "t1.e.m/shoot/a/again1", ("a",), True),
        ("Shot", "t1.e.m/shoot/a/miss", ("a",), False),
        ("Shot", "t1.e.m/shoot/b", ("a",), False),
        ("Shot", "t1.e.m/wake/a", ("a",), False),
        ("Shot", "shoot", ("a",), False),
        ("Misfired", "t1.e.m/shoot/a/miss", ("a",), True),
        ("Misfired", "t1.e.m/shoot/a/lot", ("a",), True),
        ("Misfired", "t1.e.m/shoot/a", ("a",), False),
        ("Fought", "t1.e.m/fight/b/2", ("a", "b"), True),
        ("Fought", "t1.e.m/fight/b/2/again1", ("a", "b"), True),
        ("Fought", "t1.e.m/fight/b/2/pass/c", ("a", "b"), False),
    ],
)
def test_which_roll_decides(kind, label, wanted, decides):
    event = {"type": kind, "defenders": wanted} if kind == "Fought" else {"type": kind, "shooter": wanted[0]}
    assert SIEGE.telling.decided(event, label.split("/")) is decides


def test_a_second_attack_on_a_man_has_the_second_roll():
    again = {
        **FIGHT,
        "label": "t3.east.melee/fight/wulf/2",
        "values": [1],
        "row": 1,
        "result": "E",
        "said": "killed",
    }
    fought = TURN[10]
    lines = made(FIGHT, fought, again, {**fought, "attackers": ["odo"]}).blocks[1].items
    assert ": C, all defenders retreat" in lines[0]
    assert lines[1].startswith("Odo attacks Sergeant Wulf (")
    assert lines[1].endswith(": E, killed")


def test_a_fight_without_a_roll_still_tells_the_die():
    assert told(TURN[10]).endswith("(19 against 9, odds 2:1): die 8, column 3:1: C")
    assert told({**TURN[10], "roll": 0}).endswith("(19 against 9, odds 2:1)")
    assert told(
        {
            "type": "Misfired",
            "phase": "m",
            "shooter": "hob",
            "target": "x",
            "hit": "wulf",
            "roll": 3,
            "result": "D",
        }
    ) == ("Sergeant Hob's shot at x goes astray and hits Sergeant Wulf: die 3: D")


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ({"type": "BranchTaken", "condition": "hob is wounded", "value": True, "why": "he is", "source": "a:3"}, "Hob is wounded? yes, he is (a:3)"),
        ({"type": "BranchTaken", "condition": "hob is wounded", "value": False, "why": ""}, "Hob is wounded? no"),
        ({"type": "Checked", "unit": "hob", "since": "t1"}, "Sergeant Hob takes cover"),
        ({"type": "Checked", "unit": "hob"}, "Sergeant Hob leaves cover again"),
        ({"type": "DrawOffered", "side": "east"}, "The Mill offers a draw"),
        ({"type": "DrawOffered", "side": "east", "open": False}, "The Mill no longer offers a draw"),
        ({"type": "GameEnded", "winner": "east", "why": "the ford is held", "score": [["east", 7], ["west", 4]]}, "The game is over: victory for the Mill; the ford is held; the Mill 7 and the Company 4"),
        ({"type": "GameEnded", "winner": "draw", "why": "", "score": {"west": 4}}, "The game is over: a draw, nobody wins; the Company 4"),
        ({"type": "GameEnded", "winner": "west", "grade": "great", "score": [{"side": "east", "points": 1}]}, "The game is over: victory for the Company (great); the Mill 1"),
        ({"type": "GameEnded", "winner": "east", "why": "time"}, "The game is over: victory for the Mill; time is up"),
        ({"type": "GameEnded", "winner": "east", "why": "at-once", "line": "3 healthy in wall-walk"}, (
            "The game is over: victory for the Mill; it ended at once, by this line of the scenario: 3 "
            "healthy in wall-walk"
        )),
        ({"type": "GameEnded", "winner": "east", "why": "at-once"}, "The game is over: victory for the Mill; it ended at once"),
        ({"type": "ThingMoved", "phase": "setup", "thing": "ladder1", "at": ["0101", "0201"]}, "Ladder1 is placed in 0101 and 0201"),
        ({"type": "ThingChanged", "thing": "ladder1", "stands": "carried", "by": ["hob", "odo"]}, "Ladder1 is in the hands of Sergeant Hob and odo"),
        ({"type": "ThingChanged", "thing": "ladder1", "stands": "lying", "cleared": ["by"]}, "Ladder1 lies on the ground"),
        ({"type": "ThingChanged", "thing": "bridge", "stands": "lowered"}, "The bridge is lowered"),
        ({"type": "ThingChanged", "thing": "door1", "stands": "ajar"}, "Door1 is ajar now"),
        ({"type": "ThingChanged", "thing": "barrel1", "by": ["hob"]}, "Barrel1 is in the hands of Sergeant Hob"),
        ({"type": "ThingChanged", "thing": "mantlet1", "facing": "ne", "cleared": ["by"]}, "Mantlet1 is in nobody's hands now and stands along the side ne"),
        ({"type": "ThingChanged", "thing": "barrel1", "cleared": ["by"]}, "Barrel1 is in nobody's hands now"),
        ({"type": "ThingChanged", "thing": "ballista1", "crew": ["hob"], "struck": "t1", "cleared": ["loaded"]}, "Ballista1 is empty now"),
        ({"type": "ThingChanged", "thing": "ballista1", "crew": ["hob"], "loaded": 1}, "Ballista1 has been loaded for 1 turn"),
        ({"type": "LadderRaised", "thing": "ladder1", "at": ["0307"], "facing": "s", "by": ["hob", "wulf"]}, "Ladder1 is raised in 0307, facing s, by Sergeant Hob and Sergeant Wulf"),
        ({"type": "Fell", "unit": "hob", "at": ["0406"]}, "Sergeant Hob falls and lies in 0406"),
        ({"type": "Chosen", "seat": "east", "about": "land", "unit": "hob", "choice": "0406", "by": "default", "rule": "S1.94f"}, "Where Sergeant Hob lands: 0406 (by default; S1.94f)"),
        ({"type": "Chosen", "seat": "east", "about": "wound", "unit": "", "choice": "hob, wulf", "by": "standing"}, "Who takes the casualty: Sergeant Hob, Sergeant Wulf (as the standing orders say)"),
        ({"type": "Chosen", "seat": "east", "about": "odd", "unit": "hob", "choice": "x", "by": "whim"}, "Odd, Sergeant Hob: x (whim)"),
        ({"type": "Chosen", "seat": "east", "about": "place", "unit": "hob", "choice": "0101", "by": "order"}, "Where Sergeant Hob is placed: 0101 (as ordered)"),
        ({"type": "Bombarded", "at": "0704", "by": ["trebuchet1"], "points": 1}, "The wall at 0704 is bombarded by trebuchet1 with 1 point"),
        ({"type": "ThingMoved", "thing": "tower1", "at": ["0101", "0102"], "facing": "n", "passengers": [["hob", "0101@top"], []]}, "Tower1 moves to 0101 and 0102, facing n, with Sergeant Hob aboard"),
        ({"type": "ThingMoved", "thing": "tower1", "at": ["0101"]}, "Tower1 moves to 0101"),
        ({"type": "OrderSkipped", "order": "x", "problem": {"code": "yaml.tab", "rule": "S1.6", "args": {}}}, "Not carried out: x; here is a tab (S1.6)"),
        ({"type": "OrderSkipped", "order": "x", "code": "no.such"}, "Not carried out: x; no.such"),
        ({"type": "StateChanged", "unit": "hob", "was": "routed", "is_": "dead"}, "Sergeant Hob is dead (was routed)"),
        ({"type": "Retreated", "unit": "hob", "path": ["0101"]}, "Sergeant Hob cannot retreat and stays at 0101"),
        ({"type": "Scored", "side": "east", "points": 1, "why": "the ford"}, "The Mill: 1 point for the ford"),
        ({"type": "Shot", "shooter": "a", "target": "b", "weapon": "long_bow", "range": 1, "cover": "none", "over": ["hob", "c"]}, "A shoots at b (long bow, 1 hex, over Sergeant Hob and c)"),
        ({"type": "Unheard", "unit": "hob"}, "Unheard (unit: Sergeant Hob)"),
    ],
)  # fmt: skip
def test_sentences(event, said):
    line = next(
        block for block in reversed(made({"phase": "movement", **event}).blocks) if isinstance(block, Items)
    ).items[0]
    assert line == said


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("t1.e.melee/topple/ladder1/1", "Whether ladder1 is toppled: die 4"),
        ("t1.e.melee/oil/barrel1/hob", "The oil of barrel1 over Sergeant Hob: die 4"),
        ("t1.e.melee/oil/barrel1/fire", "Whether the oil of barrel1 burns: die 4"),
        ("t1.e.first_missile/shoot/hob/fire", "Whether the fire arrow of Sergeant Hob lights a fire: die 4"),
        ("d1.evening/bombard/0704", "The stones on the wall at 0704: die 4"),
        ("t1.e.melee/dance/hob", "Roll t1.e.melee/dance/hob: die 4"),
        ("", "Roll: die 4"),
    ],
)
def test_a_roll_says_what_it_was_about(label, said):
    assert (
        told({"type": "Rolled", "phase": "melee", "label": label, "sides": 10, "values": [4], "rule": "S1"})
        == said
    )


def test_what_has_no_name_is_called_by_its_id():
    told_ = report.build(
        ({"type": "Mounted", "unit": "tower1", "horse": ""},),
        WORDS,
        {"tower1": ""},
        Header("T"),
        SIEGE.telling,
    )
    assert told_.blocks[1].items[0].startswith("Tower1 mounts")


@pytest.mark.parametrize(
    "change", [{"climbed": "t1.east.movement"}, {"struck": "t1.east.melee"}, {"cleared": ["crew_fought"]}]
)
def test_a_change_of_a_thing_that_has_no_words_makes_no_line(change: dict[str, object]):
    doc = made(
        {"type": "PhaseBegan", "phase": "movement", "turn": 2, "side": "east"},
        {"type": "ThingChanged", "phase": "movement", "thing": "tower1", **change},
    )
    assert "Tower1" not in str(doc.blocks)


def test_what_was_placed_by_default_is_told_in_one_line():
    chosen = {
        "type": "Chosen",
        "phase": "setup",
        "seat": "east",
        "about": "place",
        "choice": "0101",
        "by": "default",
    }
    doc = made(
        {"type": "PhaseBegan", "phase": "setup", "turn": 2, "side": "east"},
        {"type": "Placed", "phase": "setup", "unit": "wulf", "at": ["0202"]},
        {**chosen, "unit": "hob"},
        {"type": "Placed", "phase": "setup", "unit": "hob", "at": ["0101"]},
        {**chosen, "unit": "ladder1", "choice": "0101 0201"},
        {"type": "ThingMoved", "phase": "setup", "thing": "ladder1", "at": ["0101", "0201"]},
    )
    assert doc.lead == "Nobody shot, and nobody fought."
    assert doc.blocks == (
        Heading("The Mill: setup, step 2"),
        Items(
            (
                "Sergeant Wulf is placed at 0202",
                "Sergeant Hob is placed at 0101 (by default)",
                "Ladder1 is placed in 0101 and 0201 (by default)",
            )
        ),
    )


def test_that_somebodys_move_is_over_is_told_by_the_move():
    raised = {"type": "LadderRaised", "phase": "movement", "thing": "ladder1", "at": ["0307"], "facing": "s"}
    assert made(raised, {"type": "Acted", "phase": "movement", "unit": "hob", "did": "moved"}).blocks[
        1
    ].items == ("Ladder1 is raised in 0307, facing s",)
    assert (
        told({"type": "Acted", "phase": "melee", "unit": "hob", "did": "toppled"})
        == "Sergeant Hob has tried to topple a ladder"
    )


@pytest.mark.parametrize(("cause", "told_why"), [(0, True), (1, False), (2, False), (-1, False), (7, False)])
def test_who_is_hurt_by_a_fall_of_somebody_else_is_told_why(cause, told_why):
    fell = {"type": "Fell", "phase": "melee", "unit": "wulf", "at": ["0406"], "cause": -1}
    hurt = {"type": "StateChanged", "phase": "melee", "was": "healthy", "is": "stunned", "cause": cause}
    lines = (
        made(
            {"type": "PhaseBegan", "phase": "melee"}, fell, {**hurt, "unit": "hob"}, {**hurt, "unit": "wulf"}
        )
        .blocks[-1]
        .items
    )
    assert lines[1] == "Sergeant Hob is stunned (was healthy)" + (
        ", because Sergeant Wulf fell on him" if told_why else ""
    )
    assert lines[2] == "Sergeant Wulf is stunned (was healthy)"


def test_what_was_said_before_the_phase_does_not_count_in_it():
    said = {"type": "Said", "seat": "blue", "text": "Mind the gap."}
    fell = {"type": "Fell", "phase": "melee", "unit": "wulf", "at": ["0406"], "cause": -1}
    hurt = {
        "type": "StateChanged",
        "phase": "melee",
        "unit": "hob",
        "was": "healthy",
        "is": "stunned",
        "cause": 0,
    }
    told_ = "\n".join(line for block in made(said, fell, hurt).blocks for line in getattr(block, "items", ()))
    assert "because Sergeant Wulf fell on him" in told_


def test_a_base_that_is_only_the_die_is_not_told_twice():
    roll = {
        "type": "Rolled",
        "values": [10],
        "base": "10",
        "table": "battering",
        "column": "1",
        "row": 9,
        "result": "no effect",
    }
    tally = [{"rule": "S4.21e", "label": "round wall", "shift": -1}]
    assert (
        report.reckoning({**roll, "tally": tally}, WORDS)
        == "die 10, -1 round wall (S4.21e) = 9; battering, 1: no effect"
    )
    assert report.reckoning({**roll, "row": 10}, WORDS) == "die 10; battering, 1: no effect"


def test_what_stands_at_the_top():
    events = [
        {"type": "StateChanged", "phase": "melee", "unit": "hob", "was": "healthy", "is": state}
        for state in ("dead", "wounded", "stunned", "healthy")
    ]
    doc = made(*events, {"type": "Shot", "phase": "melee", "shooter": "a", "target": "b", "weapon": "w"})
    assert doc.blocks[0] == Heading("In short")
    assert len(doc.blocks[1].items) == 3
    assert doc.lead == "1 shot and 0 fights: 1 dead, 1 wounded, 1 stunned."


SECTION_7 = """DayBegan TurnBegan PhaseBegan PhaseEnded GameEnded OrderRead OrderSkipped BranchTaken Asked Chosen Rolled Placed Moved Turned Mounted
Dismounted Thrown Entered Left Shot Misfired Fought StateChanged Retreated Advanced Fell Panicked Routed Rallied Fled JobBegan JobDone JobBroken
ThingMoved ThingChanged ThingLost LadderRaised LadderToppled BridgeTurned RamStruck OilPoured Bombarded FeatureChanged FireLit FireSpread FireOut
BurntDown HealingSet Healed Repaired Cleared Scored Said"""


@pytest.mark.parametrize("kind", sorted({*SECTION_7.split(), *EVENTS}))
def test_every_type_of_event_has_a_sentence(kind):
    assert WORDS.knows("events", kind)


def filled(cls: type) -> object:
    """Return an event with a value in each field that needs one."""
    hints = typing.get_type_hints(cls)
    values: dict[str, object] = {}
    for name, default in defaults(cls):
        if default is NODEFAULT:
            kind = typing.get_origin(hints[name]) or hints[name]
            values[name] = {str: "word", int: 3, bool: True, tuple: ("0101", "0102")}[kind]
    if "values" in values:
        values["values"] = (3,)
    return cls(**values)


@pytest.mark.parametrize("kind", sorted(EVENTS))
def test_sentences_are_in_step_with_the_fields_of_the_ruleset(kind):
    event = {**plain(filled(EVENTS[kind])), "phase": "movement"}
    seen: dict[str, object] = {}

    class Spy(Words):
        def event(self, type, args):
            seen.update(args)
            return super().event(type, args)

    doc = report.build([event], Spy({"events": {}, "phrases": {}}), {}, Header("T"), SIEGE.telling)
    if doc.blocks and "working" not in seen:
        seen.setdefault("working", "")
    assert WORDS.slots("events", kind) <= {*seen, *event, "working"}
    said = markup.as_text(report.build([event], WORDS, {}, Header("T"), SIEGE.telling))
    assert "{" not in said
    assert " ? " not in said
    assert "(?" not in said


# --- markup

DOC = Document(
    "Title",
    "Lead.",
    (
        Heading("Melee"),
        Heading("Small", 3),
        Paragraph("Words."),
        Items(("one", "two")),
        Facts((("Game", "x"),)),
        RollTable("Dice", HEADS, (SHOT_ROW, RollRow("lone", "3 of 10", "", "", "", (), "", ""))),
        Quote("West", "Line 1\n\nLine 2"),
        Image("maps/a b.png", "A map"),
        Code("pbem verify x\n"),
        Code("side: east\n", "Orders", "yaml"),
    ),
)

TEXT = """Title
=====

Lead.

Melee
-----

Small:

Words.

- one
- two

Game: x

Dice:
  t3.east.first_missile/shoot/alric; die 4 of 10; reckoning die 4, +2
    wounded shooter (S1.3b); table and column shooting others, short
    bow, light cover; row 6; result A, missed
  lone; die 3 of 10

West:
> Line 1
>
> Line 2

[A map] maps/a b.png

    pbem verify x

    side: east
"""

MARKDOWN = r"""# Title

**Lead.**

## Melee

### Small

Words.

- one
- two

- **Game:** x

**Dice**

| name of the roll | die | reckoning | table and column | row | result |
| --- | --- | --- | --- | --- | --- |
| t3.east.first\_missile/shoot/alric | 4 of 10 | die 4, +2 wounded shooter (S1.3b) | shooting others, short bow, light cover | 6 | A, missed |
| lone | 3 of 10 |  |  |  |  |

> **West:**
>
> Line 1  
>
> Line 2  

![A map](maps/a%20b.png)

```
pbem verify x
```

```yaml
side: east
```
"""

BBCODE = """[b][size=150]Title[/size][/b]

[i]Lead.[/i]

[b][size=120]Melee[/size][/b]

[b][size=120]Small[/size][/b]

Words.

[list]
[*]one
[*]two
[/list]

[b]Game:[/b] x

[spoiler=Dice]
[list]
[*]t3.east.first_missile/shoot/alric; die 4 of 10; reckoning die 4, +2 wounded shooter (S1.3b); table and column shooting others, \
short bow, light cover; row 6; result A, missed
[*]lone; die 3 of 10
[/list]
[/spoiler]

[quote="West"]Line 1

Line 2[/quote]

[i]A map[/i] (maps/a b.png)

[code]
pbem verify x
[/code]

[spoiler=Orders]
[code]
side: east
[/code]
[/spoiler]
"""


@pytest.mark.parametrize(
    ("write", "wanted"), [(markup.as_text, TEXT), (markup.as_markdown, MARKDOWN), (markup.as_bbcode, BBCODE)]
)
def test_the_whole_document(write, wanted):
    assert write(DOC) == wanted


def test_no_line_of_text_is_too_long():
    said = markup.as_text(report.build(TURN, WORDS, NAMES, HEADER, SIEGE.telling), 60)
    assert max(map(len, said.split("\n"))) <= 60


def test_a_document_without_a_lead():
    bare = Document("T", "", ())
    assert markup.as_text(bare) == "T\n=\n"
    assert markup.as_markdown(bare) == "# T\n"
    assert markup.as_bbcode(bare) == "[b][size=150]T[/size][/b]\n"
    assert "lead" not in markup.as_html(bare).partition("<body>")[2]
    assert markup.as_text(Document("", "", ())) == "\n=\n"


class Page(HTMLParser):
    """Collects the tags of a page and checks that they close."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.stack: list[str] = []
        self.words = ""
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in ("meta", "img"):
            self.stack.append(tag)

    def handle_endtag(self, tag):
        assert self.stack.pop() == tag

    def handle_data(self, data):
        self.words += data


def page(doc: Document) -> Page:
    found = Page()
    found.feed(markup.as_html(doc))
    assert found.stack == []
    return found


def test_the_page_holds_everything():
    found = page(DOC)
    for word in (
        "Title",
        "Lead.",
        "Melee",
        "Small",
        "Words.",
        "one",
        "two",
        "West",
        "Line 2",
        "pbem verify x",
        "side: east",
        "Dice (2)",
    ):
        assert word in found.words
    assert {"h1", "h2", "h3", "ul", "dl", "table", "blockquote", "figure", "details", "pre"} <= set(
        found.tags
    )
    assert ("src", "maps/a%20b.png") in found.attributes
    assert ("alt", "A map") in found.attributes
    assert ("lang", "en") in found.attributes
    assert ("data-head", "reckoning") in found.attributes
    assert found.tags.count("details") == 2


def test_the_page_loads_and_runs_nothing():
    written = markup.as_html(DOC)
    policy = html.unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', written)[1])
    assert policy.startswith("default-src 'none'; img-src 'self' file: data:; style-src 'sha256-")
    assert "unsafe" not in policy
    assert "http" not in written.replace("http-equiv", "")
    assert "<script" not in written
    assert " style=" not in written


HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "[/code][/spoiler][url=javascript:x]y[/url]",
    "[b]bold[/b] [ / code ] [CODE]",
    "```\n# heading\n```",
    "| a | b |\n| - | - |",
    "> quote\n- list\n1. list\n2) list\n+ plus\n= line",
    "![x](http://evil.example/pixel.png) [y](javascript:z) <http://evil.example>",
    "a‮b⁦c​d\x00e\x1bf\u2028g",
    "@everyone :smile: &lt;b&gt; ~~x~~ $x$ _i_ *b* `c` \\",
    "x" * 3000,
    "שלום 🏰🐴👨‍👩‍👧",
    "",
)


def hostile(word: str) -> Document:
    return Document(
        word,
        word,
        (
            Heading(word),
            Paragraph(word),
            Items((word, word)),
            Facts(((word, word),)),
            RollTable(word, (word,) * 6, (RollRow(word, word, word, word, word, (word,), word, word),)),
            Quote(word, word),
            Image(word, word),
            Code(word, word, ""),
            Code(word),
        ),
    )


@pytest.mark.parametrize("word", HOSTILE, ids=range(len(HOSTILE)))
def test_no_word_breaks_out(word):
    doc = hostile(word)
    found = page(doc)
    assert set(found.tags) == {
        *(
            "html",
            "head",
            "meta",
            "title",
            "style",
            "body",
            "main",
            "h1",
            "h2",
            "p",
            "ul",
            "li",
            "dl",
            "dt",
            "dd",
            "details",
            "summary",
            "table",
        ),
        *("thead", "tbody", "tr", "th", "td", "blockquote", "cite", "figure", "img", "pre", "code"),
    }
    assert not [name for name, _ in found.attributes if name.startswith("on")]
    sources = [value for name, value in found.attributes if name == "src"]
    assert all(":" not in source and not source.startswith("/") for source in sources)

    forum = markup.as_bbcode(doc)
    bare = re.sub(r"(?s)\[code\].*?\[/code\]", "", forum)
    opened = re.findall(r"\[(/?\*?[a-z]*)(?:[=\]])", bare)
    assert set(opened) <= {
        "b",
        "/b",
        "i",
        "/i",
        "size",
        "/size",
        "list",
        "/list",
        "*",
        "spoiler",
        "/spoiler",
        "quote",
        "/quote",
    }
    for tag in ("b", "i", "size", "list", "spoiler", "quote"):
        assert len(re.findall(rf"\[{tag}[=\]]", bare)) == bare.count(f"[/{tag}]")
    assert forum.count("[code]") == forum.count("[/code]") == 2

    marked = markup.as_markdown(doc)
    outside = re.sub(r"(?sm)^(`{3,})[^`\n]*\n.*?\n\1$", "", marked)
    assert not re.search(r"(?<!\\)<", outside)
    assert re.sub(r"\\.", "", outside).count("](") == 1

    for written in (markup.as_text(doc), marked, forum, markup.as_html(doc)):
        assert not {"‮", "⁦", "\x00", "\x1b", "\u2028"} & set(written)


def test_clean_keeps_lines_only_where_asked():
    assert markup.clean("a\r\nb\rc\td") == "a b c    d"
    assert markup.clean("a\r\nb\n", lines=True) == "a\nb\n"
    assert markup.clean("👨‍👩") == "👨‍👩"
    assert markup.clean("x‏y") == "xy"


@pytest.mark.parametrize(
    ("raw", "safe"),
    [
        ("1. a", "1\\. a"),
        ("12) a", "12\\) a"),
        ("- a", "\\- a"),
        ("+ a", "\\+ a"),
        ("= a", "\\= a"),
        ("# a", "\\# a"),
        ("> a", "\\> a"),
        ("2:1 at 0101", "2:1 at 0101"),
        ("see http://x", "see http\\://x"),
        ("a_b*c", "a\\_b\\*c"),
        ("1.5 hexes", "1\\.5 hexes"),
        ("4-4-3", "4-4-3"),
    ],
)
def test_markdown_is_escaped_where_it_must_be(raw, safe):
    assert markup.as_markdown(Document("t", "", (Paragraph(raw),))) == f"# t\n\n{safe}\n"


@pytest.mark.parametrize(
    ("path", "address"),
    [
        ("maps/a.png", "maps/a.png"),
        ("../maps/x.png", "../maps/x.png"),
        ("/a//b", "a/b"),
        ("javascript:alert(1)", "javascript%3Aalert%281%29"),
        ("a\\b.png", "a/b.png"),
        ("a?b#c", "a%3Fb%23c"),
    ],
)
def test_pictures_lie_beside_the_report(path, address):
    assert f'src="{address}"' in markup.as_html(Document("t", "", (Image(path, "x"),)))
    assert markup.as_markdown(Document("t", "", (Image(path, "x"),))) == f"# t\n\n![x]({address})\n"


def test_characters_stay_below_one_another():
    doc = Document("t", "", (Code("  a\nb\n", "Map", "chart"),))
    assert '<pre class="chart" tabindex="0"><code>  a\nb</code></pre>' in markup.as_html(doc)
    assert markup.as_markdown(doc).endswith("```text\n  a\nb\n```\n")
    assert markup.as_text(doc).endswith("\n      a\n    b\n")


def test_a_fence_is_longer_than_any_in_the_text():
    assert markup.as_markdown(Document("t", "", (Code("a ```` b"),))).endswith("`````\na ```` b\n`````\n")


FRAME = """<!DOCTYPE html><meta charset="utf-8"><body style="margin:0">
<iframe id="f" style="width:{width}px;height:800px;border:0" srcdoc="{page}"></iframe>
<script>document.getElementById("f").onload = function () {{
  var d = this.contentDocument, wide = d.documentElement.scrollWidth;
  document.title = [wide, d.defaultView.getComputedStyle(d.body).maxWidth, d.querySelectorAll("details").length].join(" ");
}};</script>"""


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("hard", [False, True])
def test_a_browser_shows_it_on_a_telephone_without_scrolling_sideways(tmp_path, chromium, width, hard):
    doc = hostile("w" * 400 + " [b] <i>") if hard else report.build(TURN, WORDS, NAMES, HEADER, SIEGE.telling)
    written = markup.as_html(doc).replace("<details>", "<details open>")
    (tmp_path / "frame.html").write_text(FRAME.format(width=width, page=html.escape(written)), "utf-8")
    page = chromium.new_page()
    page.goto((tmp_path / "frame.html").as_uri())
    page.wait_for_function("document.title")
    wide, most, folded = page.title().split()
    assert int(wide) <= width
    assert most == "832px"
    assert int(folded) >= 2
