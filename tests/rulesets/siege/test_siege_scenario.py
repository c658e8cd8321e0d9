"""Scenarios: what is read from a file, and where each mistake in it is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.core.ruleset import choose
from pbem.rulesets.siege.ruleset import CRY_HAVOC
from pbem.rulesets.siege.scenario import scenario
from pbem.rulesets.siege.state.field import Force, SetupStep, SideInfo, Term
from pbem.store.library import words_of
from pbem.text.source import FILES, read

ROOT = Path(__file__).resolve().parents[3]
SHIPPED = sorted((ROOT / "scenarios" / "cry_havoc").glob("*.yaml"))
WORDS = words_of("siege")

YARD = """\
map: yard
size: 6 x 4
key: {".": flat, "~": deep-water, h: house}
terrain: |
  .  .  .  .  .  .
  .  .  h  ~  .  .
  .  .  .  .  .  .
  .  .  .  .  .  .
marks:
  ford: 0303 0403
  bank: 0101 0102 0103
  hut: 0302 0304
  edge: 0601 0602
"""

GOOD = """\
scenario: brawl
title: The Brawl
ruleset: cry_havoc
modules: [open-ground, houses]
map: yard
length: 10 turns
sides:
  west: {name: The West, colour: blue, enters: edge}
  east: {first: true, enters: edge, leaves: bank}
units:
  east:
  - {id: hob, person: aelfgar-oakhand, at: 0404}
  - {id: odo, person: eadwig_reeve, enters: true, turn: 3}
  - {id: tam, person: wynstan-fenner, enters: ford}
  west:
  - {id: wulf, person: meurig-goch, in: bank, owner: west}
setup:
- {seat: west, may: [place], in: bank}
silent: {west: shoot-nearest}
scales:
  lp: {sergeant: 3, other: 2}
victory:
  at-end:
  - {side: any, points: 10, when: "ford is held"}
  - {side: any, points: losses of the enemy, scale: lp}
  - {side: west, points: 2, when: "in ford", scale: lp, why: men at the ford}
  - {side: east, points: 1, when: "hob, odo left the map"}
  - {side: east, points: 1, when: "left the map"}
  - {side: west, points: 4, when: "hob is dead"}
  - {side: west, points: 4, when: "hob, odo are dead"}
  - {side: west, points: 5, when: "fewer than 2 figures"}
  winner: {most: points, margin: {east: 3}, level: other}
  at-once:
  - {side: west, when: "turn is at least 8"}
"""


def rules(modules=("open-ground", "houses"), options=None):
    found, problems = choose(CRY_HAVOC, list(modules), options or {})
    assert problems == []
    return found


def found(text, yard=YARD, modules=("open-ground", "houses")):
    source, map_ = (read(part.encode(), "x.yaml", limits=FILES) for part in (text, yard))
    assert source.problems == map_.problems == []
    field, of_scenario, of_map = scenario.read_field(rules(modules), source.data, map_.data)
    for problem in of_scenario + of_map:
        assert "{" not in WORDS.problem(problem.code, problem.args), problem
    return field, source, of_scenario, of_map


def wrong(text):
    """Return (code, line, column) of everything that is wrong with a scenario."""
    field, source, problems, of_map = found(text)
    assert field is None and of_map == []
    return [(problem.code, *source.mark(problem.path, problem.key)) for problem in problems]


def places(text):
    """Return (code, what stands at its place) of everything that is wrong."""
    lines = text.splitlines()
    return [(code, lines[line - 1][column - 1 :]) for code, line, column in wrong(text)]


def replaced(old, new, text=GOOD):
    assert text.count(old) == 1, (text.count(old), old)
    return text.replace(old, new)


def test_a_scenario_is_read():
    field, _, problems, _ = found(GOOD)
    assert problems == []
    assert (field.scenario_id, field.scenario_title, field.map_id, field.length) == (
        "brawl",
        "The Brawl",
        "yard",
        10,
    )
    assert field.sides == (
        SideInfo("east", "East", "", True, "edge", "hold", "bank"),
        SideInfo("west", "The West", "blue", False, "edge", "shoot-nearest"),
    )
    assert field.forces == (
        Force("hob", "aelfgar_oakhand", "east", at=("0404",)),
        Force("odo", "eadwig_reeve", "east", enters=True, turn=3),
        Force("tam", "wynstan_fenner", "east", within="ford", enters=True),
        Force("wulf", "meurig_goch", "west", owner="west", within="bank"),
    )
    assert field.setup == (SetupStep(("west",), ("place",), "bank"),)
    assert field.scales["lp"]["sergeant"] == 3 and field.scales["lp"]["peasant"] == 2
    assert field.at_end == (
        Term("held", "any", 10, mark="ford", said="ford is held"),
        Term("losses", "any", 1, scale="lp", said="losses of the enemy"),
        Term("in", "west", 2, mark="ford", scale="lp", said="men at the ford"),
        Term("left-the-map", "east", 1, units=("hob", "odo"), said="hob, odo left the map"),
        Term("left-the-map", "east", 1, said="left the map"),
        Term("dead", "west", 4, units=("hob",), said="hob is dead"),
        Term("dead", "west", 4, units=("hob", "odo"), said="hob, odo are dead"),
        Term("count", "west", 5, least=2, said="fewer than 2 figures"),
    )
    assert field.at_once == (Term("turn", "west", 1, turn=8, said="turn is at least 8"),)
    assert (field.margins, field.level_winner) == ({"east": 3}, "other")
    assert sorted(field.people) == ["aelfgar_oakhand", "eadwig_reeve", "meurig_goch", "wynstan_fenner"]
    assert (
        field.people["aelfgar_oakhand"].class_ == "sergeant" and field.people["aelfgar_oakhand"].missile == ""
    )
    assert field.map_digest.startswith("sha256:") and field.scenario_digest != field.map_digest


def test_digests_are_those_that_are_given():
    map_, data = (read(text.encode(), "x.yaml", limits=FILES).data for text in (YARD, GOOD))
    field, _, _ = scenario.read_field(rules(), data, map_, "sha256:a", "sha256:b")
    assert (field.map_digest, field.scenario_digest) == ("sha256:a", "sha256:b")


def test_comments_and_layout_do_not_change_a_digest():
    assert found(GOOD)[0].scenario_digest == found("# a word\n" + GOOD)[0].scenario_digest
    assert found(GOOD)[0].scenario_digest != found(replaced("10 turns", "11 turns"))[0].scenario_digest


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_the_scenarios_that_come_with_pbem_are_sound(path):
    source = read(path.read_bytes(), path.name, limits=FILES)
    map_ = read((path.parent / "maps" / f"{source.data['map']}.yaml").read_bytes(), "map.yaml", limits=FILES)
    in_force = rules(source.data["modules"], source.data["options"])
    field, of_scenario, of_map = scenario.read_field(in_force, source.data, map_.data)
    assert (of_scenario, of_map) == ([], [])
    seats = {side.id: side.id for side in field.sides}
    battle = CRY_HAVOC.interface.setup(in_force, field, seats)
    assert len(battle.units) == len(field.forces)


def test_a_scenario_may_leave_out_what_it_does_not_need():
    bare = """\
scenario: bare
ruleset: cry_havoc
modules: [open-ground, houses]
map: yard
sides: {east: {first: true}, west: {}}
units:
  east: [{id: hob, person: aelfgar-oakhand, at: 0404}]
  west: [{id: wulf, person: meurig-goch, at: [0101]}]
victory: {winner: {}}
"""
    field, _, problems, _ = found(bare)
    assert problems == []
    assert (field.length, field.setup, field.at_end, field.scales, field.level_winner) == (
        0,
        (),
        (),
        {},
        "draw",
    )
    assert field.scenario_title == "bare"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("10 turns", "ten turns", [("scenario.length", "ten")]),
        (
            "  east: {first: true, enters: edge, leaves: bank}",
            "  east: {enters: edge, leaves: bank}",
            [("scenario.no-first", "sides")],
        ),
        ("colour: blue,", "first: true,", [("scenario.two-firsts", "true")]),
        ("leaves: bank", "leaves: bonk", [("scenario.mark", "bonk")]),
        ("setup:\n", "  any: {}\nsetup:\n", [("scenario.unknown-side", "any")]),
        ("silent: {west: shoot-nearest}", "silent: {west: attack}", [("scenario.silent", "attack")]),
        ("silent: {west: shoot-nearest}", "silent: {wst: hold}", [("scenario.unknown-side", "wst")]),
        ("person: eadwig_reeve", "person: eadwig-reef", [("scenario.person", "eadwig-reef")]),
        ("person: eadwig_reeve", "person: aelfgar-oakhand", [("scenario.person-twice", "aelfgar-oakhand")]),
        ("at: 0404", "at: 0404, in: bank", [("scenario.where", "{id")]),
        (", at: 0404", "", [("scenario.where", "{id")]),
        ("at: 0404", "at: 0704", [("scenario.off-map", "0704")]),
        ("at: 0404", "at: 404", [("scenario.hex", "404")]),
        ("at: 0404", "at: 0302", [("scenario.ground", "0302")]),
        ("at: 0404", "at: 0402", [("scenario.ground", "0402")]),
        ("at: 0404", "at: 0404 0405", [("scenario.one-hex", "0404")]),
        ("enters: true, turn: 3", "at: 0404", [("scenario.occupied", "0404")]),
        ("turn: 3", "turn: soon", [("scenario.number", "soon")]),
        ("at: 0404", "at: 0404, on: bayard", [("scenario.not-in-force", "bayard")]),
        ("at: 0404", "at: 0404, facing: n", [("scenario.facing", "n")]),
        ("at: 0404", "at: 0404, skill: -1", [("scenario.not-in-force", "-1")]),
        ("at: 0404", "at: 0404, state: wounded", [("scenario.state", "wounded")]),
        ("enters: ford", "enters: fort", [("scenario.mark", "fort")]),
        ("in: bank, owner: west", "in: bonk, owner: west", [("scenario.mark", "bonk")]),
        ("owner: west", "owner: east", [("scenario.owner", "east")]),
        (
            "- {seat: west, may: [place], in: bank}",
            "- {seat: west, may: [], in: bank}",
            [("scenario.unplaced", "bank")],
        ),
        ("{seat: west,", "{seat: wst,", [("scenario.unknown-side", "wst"), ("scenario.unplaced", "bank")]),
        ("{seat: west,", "{seats: [west, east],", [("scenario.unsealed", "{seats")]),
        ("may: [place]", "may: [place, fill]", [("scenario.not-in-force", "[place")]),
        ("may: [place]", "may: [place, dance]", [("scenario.may", "[place")]),
        ("may: [place], in: bank", "may: [place], in: bonk", [("scenario.mark", "bonk")]),
        ("  lp: {sergeant: 3", "  lp: {sargeant: 3", [("scenario.class", "sargeant")]),
        ("  lp: {sergeant: 3", "  lp: {sergeant: x", [("scenario.number", "x")]),
        ("side: any, points: 10", "side: all, points: 10", [("scenario.unknown-side", "all")]),
        ("points: 10,", "points: ten,", [("scenario.number", "ten")]),
        ('"ford is held"', '"fort is held"', [("scenario.mark", '"fort is held')]),
        ('"ford is held"', '"ford is ours"', [("scenario.when", '"ford is ours')]),
        (', when: "ford is held"', "", [("scenario.when", "{side")]),
        ("losses of the enemy, scale: lp", "losses of the enemy", [("scenario.no-scale", "{side")]),
        ("losses of the enemy, scale: lp", "losses of the enemy, scale: xp", [("scenario.scale", "xp")]),
        ('"hob is dead"', '"hub is dead"', [("name.unknown", '"hub is dead')]),
        ("most: points", "most: men", [("scenario.most", "men")]),
        ("margin: {east: 3}", "margin: {est: 3}", [("scenario.unknown-side", "est")]),
        ("level: other", "level: nobody", [("scenario.level", "nobody")]),
        ("length:", "days: 3\nlength:", [("scenario.not-in-force", "3")]),
        ("length:", "roster: mine\nlength:", [("scenario.roster", "mine")]),
        ("length:", "standing: {east: {everyone: {}}}\nlength:", [("scenario.standing", "{east")]),
        ("length:", "things:\n- {id: l1, kind: ladder}\nlength:", [("scenario.not-in-force", "ladder")]),
        ("length:", "things:\n- {id: l1, kind: pony}\nlength:", [("scenario.thing", "pony")]),
        ("modules: [open-ground, houses]", "modules: houses", [("scenario.shape", "houses")]),
        ("setup:\n- {seat", "setup:\n- west\n- {seat", [("scenario.shape", "west")]),
    ],
)
def test_each_mistake_is_found_at_its_place(old, new, expected):
    told = places(replaced(old, new))
    assert [code for code, _ in told] == [code for code, _ in expected]
    for (_, there), (_, word) in zip(told, expected, strict=True):
        assert there.startswith(word)


@pytest.mark.parametrize(
    ("old", "new", "codes"),
    [
        ("id: hob", "id: Hob", ["scenario.name", "name.unknown", "name.unknown", "name.unknown"]),
        ("id: hob", "id: nearest", ["scenario.reserved", "name.unknown", "name.unknown", "name.unknown"]),
        ("id: odo", "id: hob", ["scenario.id-twice", "name.unknown", "name.unknown"]),
        ("sides:\n", "sides: [x]\nsidesx:\n", None),
    ],
)
def test_names_of_units(old, new, codes):
    told = [code for code, _, _ in wrong(replaced(old, new))]
    assert told == codes if codes else told[0] == "scenario.shape"


def test_a_side_alone_is_no_game():
    text = GOOD.replace("  west: {name: The West, colour: blue, enters: edge}\n", "")
    codes = [code for code, _, _ in wrong(text)]
    assert codes[:2] == ["scenario.two-sides", "scenario.unknown-side"]


def test_a_side_without_units_is_told():
    text = replaced("  west:\n  - {id: wulf, person: meurig-goch, in: bank, owner: west}\n", "")
    assert wrong(text) == [("scenario.nobody", 10, 1)]


def test_a_side_may_have_no_name_that_means_something_else():
    text = GOOD.replace("  west:", "  draw:").replace("west", "draw").replace("The West", "x")
    assert wrong(text)[0] == ("scenario.side-name", 8, 3)


def test_who_enters_needs_an_edge():
    text = replaced("{name: The West, colour: blue, enters: edge}", "{name: The West}").replace(
        "in: bank, owner: west", "enters: true"
    )
    assert wrong(
        text.replace("{first: true, enters: edge, leaves: bank}", "{first: true, enters: edge}")
    ) == [("scenario.no-edge", 16, 45)]


def test_there_must_be_room_for_all():
    units = "".join(
        f"  - {{id: w{n}, person: {person}, in: hut}}\n"
        for n, person in enumerate(("godric-stubbe", "leofred-thatch"), 1)
    )
    text = replaced("  - {id: wulf", units + "  - {id: wulf").replace(
        "may: [place], in: bank", "may: [place]"
    )
    assert wrong(text) == [("scenario.no-room", 10, 1)]


def test_the_seats_of_one_side_are_known():
    text = (
        replaced("owner: west", "owner: ally")
        .replace("setup:", "seats: {ally: west, west: west}\nsetup:")
        .replace("seat: west", "seat: ally")
    )
    field, _, problems, _ = found(text)
    assert problems == []
    assert field.forces[-1].owner == "ally" and field.setup[0].sides == ("west",)
    assert wrong(text.replace("ally: west,", "ally: wst,"))[0][0] == "scenario.unknown-side"


def test_sealed_steps_hold_several_sides():
    text = replaced(
        "{seat: west, may: [place], in: bank}", "{sealed: true, seats: [west, east], may: [place]}"
    )
    assert found(text)[0].setup == (SetupStep(("west", "east"), ("place",), ""),)


def test_it_must_be_said_who_wins():
    assert wrong(GOOD[: GOOD.index("victory:")]) == [("scenario.no-victory", 1, 1)]


def test_kinds_of_modules_that_are_not_in_force_are_refused():
    field, _, of_scenario, of_map = found(
        replaced("modules: [open-ground, houses]", "modules: [open-ground]"), modules=["open-ground"]
    )
    assert field is None and of_scenario == []
    assert [(problem.code, dict(problem.args)) for problem in of_map] == [
        ("map.not-in-force", {"what": "house", "module": "houses"})
    ]


def test_both_files_are_judged_at_once():
    field, _, of_scenario, of_map = found(replaced("10 turns", "x"), YARD.replace("6 x 4", "6 x 5"))
    assert field is None
    assert [problem.code for problem in of_scenario] == ["scenario.length"]
    assert [problem.code for problem in of_map] == ["map.rows"]


@pytest.mark.parametrize("data", [None, [], "x", 3])
def test_what_is_no_mapping_is_no_scenario(data):
    field, of_scenario, _ = scenario.read_field(rules(), data, {})
    assert field is None and [problem.code for problem in of_scenario] == ["scenario.shape"]


@pytest.mark.parametrize(
    "data",
    [
        {},
        {
            "sides": [],
            "units": "x",
            "victory": [],
            "setup": {},
            "silent": 3,
            "scales": "lp",
            "things": {},
            "modules": {},
            "seats": [],
        },
        {
            "sides": {"east": None, "west": "x"},
            "units": {"east": [{}], "west": [[]]},
            "victory": {"at-end": [{}], "winner": "x"},
        },
        {
            "sides": {"east": {}, "west": {}},
            "units": {"east": [{"id": {}, "at": {}, "turn": []}]},
            "setup": [{"seats": "x", "may": "y"}],
        },
        {
            "sides": {"east": {"enters": {}}},
            "scales": {"lp": []},
            "victory": {"at-once": [{"side": "any", "when": []}]},
        },
    ],
)
def test_no_data_whatever_makes_it_fall(data):
    map_ = read(YARD.encode(), "x.yaml", limits=FILES).data
    field, of_scenario, _ = scenario.read_field(rules(), data, map_)
    assert field is None and of_scenario


@pytest.mark.parametrize(
    ("old", "new", "help_"),
    [
        ("leaves: bank", "leaves: bonk", "did you mean 'bank'?"),
        ("leaves: bank", "leaves: zzzz", "the map has bank, edge, ford, hut"),
        ("person: eadwig_reeve", "person: eadwig-reef", "did you mean 'eadwig_reeve'?"),
        (
            "person: eadwig_reeve",
            "person: qqqqqq",
            "the persons are those of the roster, such as hamon_de_valbrun",
        ),
        ("  lp: {sergeant: 3", "  lp: {sargeant: 3", "did you mean 'sergeant'?"),
        (
            "losses of the enemy, scale: lp",
            "losses of the enemy, scale: qq",
            "scales: with this name and the points of each class",
        ),
        ("silent: {west: shoot-nearest}", "silent: {west: attack}", "write: hold or shoot-nearest"),
        ("silent: {west: shoot-nearest}", "silent: {wst: hold}", "the sides are west, east"),
        ('"hob is dead"', '"hobb is dead"', "did you mean 'hob'?"),
        ("at: 0404", "at: 0704", "the hexes run from 0101 to 0604, column first"),
        (
            "- {seat: west, may: [place], in: bank}",
            "- {seat: west, may: []}",
            "add under setup:  - {seat: west, may: [place], in: bank}",
        ),
    ],
)
def test_what_would_be_right_is_said(old, new, help_):
    assert found(replaced(old, new))[2][0].help == help_


def test_two_who_play_first_are_both_named():
    (problem,) = found(replaced("colour: blue,", "first: true,"))[2]
    assert dict(problem.args) == {"sides": "west and east"}


def test_a_map_without_marks_says_so():
    bare = YARD[: YARD.index("marks:")]
    assert {problem.help for problem in found(GOOD, bare)[2] if problem.code == "scenario.mark"} == {
        "the map has no marks"
    }


def test_as_much_room_as_there_are_units_is_enough():
    text = replaced("  - {id: wulf", "  - {id: w1, person: godric-stubbe, in: hut}\n  - {id: wulf")
    assert found(text.replace("may: [place], in: bank", "may: [place]"))[2] == []
