"""Things of a scenario: how they are read, where each mistake is found, and how a side places them in the
setup.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from msgspec.structs import replace
from thorough import deeper, tries

from pbem.core.dice import NoDice
from pbem.core.play import Play
from pbem.core.ruleset import choose
from pbem.core.sequence import Cursor
from pbem.geometry.hex import SIDES, hexside
from pbem.rulesets.siege.deeds import reading
from pbem.rulesets.siege.ground import character, terrain
from pbem.rulesets.siege.judge import judge, legal
from pbem.rulesets.siege.orders import grammar, nearest
from pbem.rulesets.siege.ruleset import CRY_HAVOC, SIEGE
from pbem.rulesets.siege.scenario import placing, scenario, setup
from pbem.rulesets.siege.state.events import plain
from pbem.rulesets.siege.state.field import Field, Force, OnSide, SideInfo
from pbem.rulesets.siege.state.happening import apply
from pbem.rulesets.siege.state.orders import Act, Move, Place
from pbem.rulesets.siege.state.state import Battle, Thing, Unit
from pbem.rulesets.siege.views import sheet
from pbem.store.library import words_of
from pbem.text import shape
from pbem.text.source import FILES, read

ROOT = Path(__file__).resolve().parents[3]
WORDS = words_of("siege")
SHIPPED = sorted((ROOT / "scenarios" / "siege").glob("*.yaml"))
MODULES = ("open-ground", "castle", "works", "camp", "battering", "wagons", "wagons-oil")

YARD = """\
map: yard
size: 6 x 6
key: {".": flat, "~": moat, t: tree, h: castle-wall}
terrain: |
  .  .  .  .  .  .
  .  .  .  t  .  .
  .  .  .  .  .  h
  .  .  .  .  .  .
  ~  ~  ~  ~  ~  .
  .  .  .  .  .  .
marks:
  camp: 0101 0201 0301 0401 0102 0202 0302 0402 0103 0203 0303
  bank: 0106 0206 0306 0406
  edge: 0601 0602
"""

GOOD = """\
scenario: assault
ruleset: siege
modules: [open-ground, castle, works, camp, battering, wagons, wagons-oil]
map: yard
length: 9 turns
sides:
  west: {first: true}
  east: {}
units:
  west:
  - {id: tom, person: aelfgar-oakhand, in: camp}
  - {id: wat, person: meurig-goch, in: camp}
  - {id: hob, person: wynstan-fenner, at: 0404}
  - {id: odo, person: eadwig-reeve, at: 0504}
  - {id: brindle, person: brindle, at: 0106}
  east:
  - {id: rafe, person: leofred-thatch, in: bank}
  - {id: ned, person: cola-ploughman, at: 0406}
things:
- {id: ladder1, kind: ladder, side: west, in: camp}
- {id: ladder2, kind: ladder, side: west, by: hob odo}
- {id: tower1, kind: siege-tower, side: west, in: camp}
- {id: mantlet1, kind: mantlet, side: west, in: camp}
- {id: mantlet2, kind: mantlet, side: west, at: 0602, facing: s}
- {id: ballista1, kind: ballista, side: west, at: 0604 facing se, loaded: 2}
- {id: trebuchet1, kind: trebuchet, side: west, away: true}
- {id: barrel1, kind: oil, side: east, in: bank}
- {id: barrel2, kind: oil, side: east, at: 0406}
supplies: {west: {filled: 2, rubble: 0}}
setup:
- {seat: west, may: [place, fill]}
- {seat: east, may: [place]}
victory: {winner: {}}
"""


BARNYARD = YARD.replace("~  ~  ~  ~  ~  .", "~  ~  ~  ~  .  .")
BARN = (
    GOOD.replace("person: brindle, at: 0106", "person: brindle, at: 0405")
    .replace("0405", "0504")
    .replace("eadwig-reeve, at: 0504", "eadwig-reeve, at: 0403")
    .replace("by: hob odo", "by: odo hob")
)


def rules(modules=MODULES):
    found, problems = choose(SIEGE, list(modules), {})
    assert problems == []
    return found


def found(text, yard=YARD, modules=MODULES):
    source, map_ = (read(part.encode(), "x.yaml", limits=FILES) for part in (text, yard))
    assert source.problems == map_.problems == []
    field, of_scenario, of_map = scenario.read_field(rules(modules), source.data, map_.data)
    for problem in of_scenario + of_map:
        assert "{" not in WORDS.problem(problem.code, problem.args), problem
    return field, source, of_scenario, of_map


def replaced(old, new, text=GOOD):
    assert text.count(old) == 1, (text.count(old), old)
    return text.replace(old, new)


def begun(text=GOOD, yard=YARD):
    field, _, problems, of_map = found(text, yard)
    assert (problems, of_map) == ([], [])
    return setup.begin(rules(), field, {"west": "west", "east": "east"})


def test_things_and_supplies_are_read():
    field, *_ = found(GOOD)
    assert [(gear.thing.id, gear.within) for gear in field.gear if gear.within] == [
        ("ladder1", "camp"), ("tower1", "camp"), ("mantlet1", "camp"), ("barrel1", "bank")
    ]  # fmt: skip
    things = {gear.thing.id: gear.thing for gear in field.gear}
    assert things["ladder2"] == Thing(
        "ladder2", "ladder", ("0404", "0504"), stands="carried", by=("hob", "odo"), side="west"
    )
    assert things["mantlet2"] == Thing("mantlet2", "mantlet", ("0602",), "s", side="west")
    assert things["ballista1"] == Thing("ballista1", "ballista", ("0604",), "se", loaded=2, side="west")
    assert things["trebuchet1"] == Thing("trebuchet1", "trebuchet", away=True, side="west")
    assert things["tower1"] == Thing("tower1", "siege-tower", side="west")
    assert field.supplies == {"west": {"filled": 2, "rubble": 0}}


def test_an_engine_may_be_told_by_its_front_hex_or_by_all_three():
    for at in ("0301 facing n", "0301 0401 0302 facing n", "0302 0301 0401 facing n"):
        field, *_ = found(
            replaced("kind: siege-tower, side: west, in: camp", f"kind: siege-tower, side: west, at: {at}")
        )
        assert next(gear.thing for gear in field.gear if gear.thing.id == "tower1").at == (
            "0301",
            "0401",
            "0302",
        )


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("kind: oil, side: east, in: bank", "kind: pitch, side: east, in: bank", [("scenario.thing", "pitch")]),
        ("kind: oil, side: east, in: bank", "kind: drawbridge, side: east, in: bank", [("scenario.thing", "drawbridge")]),
        ("works, camp, battering", "works, camp", [("scenario.not-in-force", "trebuchet")]),
        ("castle, works, camp", "castle, camp", [
            ("scenario.not-in-force", "siege-tower"), ("scenario.not-in-force", "west"), ("scenario.not-in-force", "[place, fill]")]),
        ("id: barrel2", "id: Barrel", [("scenario.name", "Barrel")]),
        ("id: barrel2", "id: take-", []),
        ("id: barrel2", "id: takes", [("scenario.reserved", "takes")]),
        ("id: barrel2", "id: tom", [("scenario.id-twice", "tom")]),
        ("id: barrel2", "id: barrel1", [("scenario.id-twice", "barrel1")]),
        ("kind: oil, side: east, at: 0406", "kind: oil, side: esat, at: 0406", [("scenario.unknown-side", "esat")]),
        ("kind: oil, side: east, at: 0406", "kind: oil, at: 0406", [("scenario.unknown-side", "{id")]),
        ("kind: oil, side: east, at: 0406", "kind: oil, side: east", [("scenario.where", "{id")]),
        ("kind: oil, side: east, at: 0406", "kind: oil, side: east, at: 0406, in: bank", [("scenario.where", "{id")]),
        ("kind: oil, side: east, at: 0406", "kind: oil, side: east, in: bonk", [("scenario.mark", "bonk")]),
        ("kind: oil, side: east, at: 0406", "kind: oil, side: east, at: 0406 0405", [("scenario.thing-shape", "0406 0405")]),
        ("kind: oil, side: east, at: 0406", "kind: oil, side: east, at: there", [("scenario.thing-shape", "there")]),
        ("kind: oil, side: east, at: 0406", "kind: oil, side: east, at: 0406, facing: n", [("scenario.thing-no-facing", "n}")]),
        ("kind: oil, side: east, at: 0406", "kind: oil, side: east, at: 0409", [("scenario.off-map", "0409")]),
        ("kind: oil, side: east, at: 0406", "kind: oil, side: east, at: 0603", [("scenario.thing-ground", "0603")]),
        ("kind: oil, side: east, at: 0406", "kind: oil, side: east, at: 0602", [("scenario.occupied", "0602")]),
        ("kind: oil, side: east, at: 0406", "kind: oil, side: east, at: 0406, away: true", [("scenario.thing-here", "true")]),
        ("kind: oil, side: east, at: 0406", "kind: oil, side: east, at: 0406, loaded: 1", [("scenario.loaded", "1")]),
        ("kind: oil, side: east, at: 0406", "kind: oil, side: east, at: 0406, by: [rafe, ned]", [("scenario.carriers", "[rafe")]),
        ("kind: oil, side: east, at: 0406", "kind: oil, side: east, at: 0406, by: tom", [("scenario.carrier", "tom")]),
        ("kind: oil, side: east, at: 0406", "kind: oil, side: east, at: 0406, by: nobody", [("scenario.carrier", "nobody")]),
        ("kind: oil, side: east, at: 0406", "kind: oil, side: east, at: 0306, by: ned", [("scenario.carrier-where", "ned")]),
        ("kind: oil, side: east, at: 0406", "kind: oil, side: east, in: bank, by: ned", [("scenario.thing-by-placed", "ned")]),
        ("at: 0602, facing: s", "at: 0602", [("scenario.thing-facing", "0602")]),
        ("at: 0602, facing: s", "at: 0602, facing: x", [("scenario.thing-facing", "x}")]),
        ("at: 0602, facing: s", "at: 0402, facing: s", [("scenario.thing-ground", "0402")]),
        ("at: 0604 facing se, loaded: 2", "at: 0604 facing se, loaded: 4", [("scenario.loaded", "4")]),
        ("at: 0604 facing se, loaded: 2", "at: 0404 facing se", [("scenario.occupied", "0404")]),
        ("side: west, away: true", "side: west, at: 0101", [("scenario.thing-away", "0101")]),
        ("side: west, away: true", "side: west, away: false", [("scenario.thing-away", "false")]),
        ("side: west, away: true", "side: west, by: tom", [("scenario.thing-away", "tom")]),
        ("kind: ladder, side: west, by: hob odo", "kind: ladder, side: west, at: 0404 0604", [("scenario.thing-shape", "0404 0604")]),
        ("kind: ladder, side: west, by: hob odo", "kind: ladder, side: west, by: hob tom", [("scenario.carrier-where", "hob tom")]),
        ("kind: ladder, side: west, by: hob odo", "kind: ladder, side: west, by: odo hob", []),
        ("kind: ladder, side: west, by: hob odo", "kind: ladder, side: west, at: 0404 0504, by: odo hob", [
            ("scenario.carrier-where", "odo"), ("scenario.carrier-where", "odo")]),
        ("kind: siege-tower, side: west, in: camp", "kind: siege-tower, side: west, at: 0203 facing n", []),
        ("kind: siege-tower, side: west, in: camp", "kind: siege-tower, side: west, at: 0402 facing n", [
            ("scenario.thing-ground", "0402")]),
        ("kind: siege-tower, side: west, in: camp", "kind: siege-tower, side: west, at: 0101 facing s", [("scenario.thing-shape", "0101")]),
        ("supplies: {west: {filled: 2, rubble: 0}}", "supplies: {wst: {filled: 2}}", [("scenario.unknown-side", "wst")]),
        ("supplies: {west: {filled: 2, rubble: 0}}", "supplies: {west: {filled: many}}", [("scenario.number", "many")]),
        ("supplies: {west: {filled: 2, rubble: 0}}", "supplies: {west: {filled: 1000}}", [("scenario.number", "1000")]),
        ("supplies: {west: {filled: 2, rubble: 0}}", "supplies: {west: {planks: 2}}", [("scenario.supply", "planks")]),
        ("- {seat: east, may: [place]}\n", "", [("scenario.unplaced", "bank"), ("scenario.unplaced", "setup")]),
    ],
    ids=str,
)  # fmt: skip
def test_what_is_wrong_with_things_is_found_at_its_place(old, new, expected):
    text = replaced(old, new)
    modules = tuple(text.split("modules: [")[1].split("]")[0].split(", "))
    field, source, problems, of_map = found(text, modules=modules)
    marks = [
        (problem.code, *source.mark(problem.path, problem.key))
        for problem in problems
        if problem.code != "map.not-in-force"
    ]
    lines = text.splitlines()
    places = [(code, lines[line - 1][column - 1 :]) for code, line, column in marks]
    assert [
        (code, place[: len(wanted)]) for (code, place), (_, wanted) in zip(places, expected, strict=True)
    ] == expected
    assert (field is None) == bool(expected) or of_map


def test_wagons_stand_among_the_things():
    field, *_ = found(
        replaced(
            "things:\n", "things:\n- {id: wagon1, kind: wagon, at: 0505 0605, hitched: [brindle]}\n", BARN
        ),
        BARNYARD,
    )
    assert [wagon.id for wagon in field.wagons] == ["wagon1"] and field.wagons[0].hitched == ("brindle",)
    _, _, problems, _ = found(
        replaced("things:\n", "things:\n- {id: barrel1, kind: wagon, at: 0505 0605}\n", BARN), BARNYARD
    )
    assert [problem.code for problem in problems] == ["scenario.id-twice"]
    _, _, problems, _ = found(
        replaced("things:\n", "things:\n- {id: wagon1, kind: wagon, at: 0602 0601}\n", BARN), BARNYARD
    )
    assert [problem.code for problem in problems] == ["scenario.occupied"]


# --- the setup


def checked(battle, *sentences, seat="west"):
    """Return the file of a setup with these orders, and what is wrong with it."""
    file, problems = reading.read_orders(rules(), battle, seat, {"setup": list(sentences)})
    if problems:
        return file, [problem.code for problem in problems]
    return file, [problem.code for problem in judge.check(rules(), battle, file).problems]


def resolved(battle, *sentences, seat="west"):
    """Return the battle after a step of the setup with these orders, and what happened."""
    file, problems = checked(battle, *sentences, seat=seat)
    assert problems == []
    play = Play(battle, str(battle.at), apply, NoDice())
    setup.resolve(rules(), play, {seat: (file,)} if sentences else {})
    events = [plain(event) for event in play.events]
    form = shape.load(json.loads((ROOT / "schemas" / "events.schema.json").read_text("utf-8")), text=False)
    assert [
        problem
        for n, event in enumerate(events)
        for problem in form.check({"n": n, "phase": battle.at.phase, **event})
    ] == []
    return play.state, events


def test_who_stands_with_a_thing_as_the_game_begins_has_it_in_his_hands():
    battle = begun()
    assert battle.things["barrel2"].by == ("ned",) and battle.things["ladder2"].by == ("hob", "odo")
    assert battle.things["mantlet2"].by == () and battle.things["ladder1"].at == ()
    assert "trebuchet1" in battle.things and battle.things["ballista1"].loaded == 2


def test_a_side_places_its_things_and_its_men_have_them():
    battle, events = resolved(
        begun(),
        "tower1 at 0301 facing n",
        "ladder1 at 0102 0202",
        "mantlet1 at 0103 facing sw",
        "tom at 0102",
        "wat at 0202",
    )
    assert battle.things["tower1"].at == ("0301", "0401", "0302")
    assert battle.things["ladder1"] == Thing(
        "ladder1", "ladder", ("0102", "0202"), stands="carried", by=("tom", "wat"), side="west"
    )
    assert battle.things["mantlet1"] == Thing("mantlet1", "mantlet", ("0103",), "sw", side="west")
    changed = [event for event in events if event["type"] == "ThingChanged"]
    assert changed == [
        {"type": "ThingChanged", "thing": "ladder1", "stands": "carried", "by": ["tom", "wat"]}
    ]
    assert [event["about"] for event in events if event["type"] == "Chosen"] == ["fill"]


def test_one_man_on_half_a_ladder_has_it_not():
    battle, _ = resolved(
        begun(),
        "tower1 at 0301 facing n",
        "ladder1 at 0102 0202",
        "mantlet1 at 0103",
        "tom at 0102",
        "wat at 0103",
    )
    assert battle.things["ladder1"].by == () and battle.things["ladder1"].stands == ""
    assert battle.things["mantlet1"].by == ("wat",) and battle.things["mantlet1"].facing == "se"


def test_what_is_left_out_is_placed_engines_before_the_moat_and_loads_where_men_stand():
    battle, events = resolved(begun(), "tom at 0303", "wat at 0203")
    tower, ladder, mantlet = (battle.things[name] for name in ("tower1", "ladder1", "mantlet1"))
    chosen = [
        (event["about"], event["unit"], event["choice"]) for event in events if event["type"] == "Chosen"
    ]
    assert chosen == [
        ("place", "tower1", " ".join(tower.at[:1]) + f" facing {tower.facing}"),
        ("fill", "", chosen[1][2]),
        ("place", "ladder1", "0203 0303"),
        ("place", "mantlet1", "0101 facing se"),
    ]
    assert (tower.at, tower.facing) == (("0202", "0102", "0201"), "s")
    assert (ladder.by, ladder.stands, mantlet.by) == (("wat", "tom"), "carried", ())


def test_where_there_is_no_room_a_thing_stays_off_the_map():
    yard = YARD.replace(
        "  camp: 0101 0201 0301 0401 0102 0202 0302 0402 0103 0203 0303\n", "  camp: 0101 0203\n"
    )
    battle, _ = resolved(begun(yard=yard), "tom at 0101", "wat at 0203")
    assert battle.things["tower1"].at == battle.things["ladder1"].at == ()
    assert battle.things["mantlet1"].by == ("tom",)


@pytest.mark.parametrize(
    ("sentence", "codes"),
    [
        ("tower1 at 0301", ["placing.facing"]),
        ("tower1 at 0301 0401 facing n", ["placing.shape"]),
        ("tower1 at 0101 facing s", ["placing.shape"]),
        ("tower1 at 0203 facing n", ["setup.outside"]),
        ("tower1 at 0201 facing n", []),
        ("tower1 at 0202 facing n", ["engines.edge"]),
        ("ladder1 at 0101", ["placing.shape"]),
        ("ladder1 at 0101 0301", ["placing.shape"]),
        ("ladder1 at 0101 0201 facing n", ["placing.no-facing"]),
        ("ladder1 at 0303 0304", ["setup.outside"]),
        ("ladder1 at 0302 0402", []),
        ("mantlet1 at 0402 facing n", ["placing.ground"]),
        ("mantlet1 at 0609", ["orders.off-map"]),
        ("mantlet2 at 0101 facing n", ["placing.fixed"]),
        ("trebuchet1 at 0101", ["placing.never"]),
        ("barrel1 at 0106", ["placing.not-yours"]),
        ("bary1 at 0106", ["name.unknown"]),
    ],
)
def test_what_speaks_against_a_placing(sentence, codes):
    assert checked(begun(), sentence)[1] == codes


def test_things_do_not_stand_on_each_other_nor_among_enemies():
    battle = begun()
    assert checked(battle, "ladder1 at 0101 0201", "mantlet1 at 0201")[1] == ["placing.held"]
    assert checked(battle, "tower1 at 0301 facing n", "mantlet1 at 0302")[1] == ["placing.ground"]


def test_nothing_is_placed_in_anothers_step_nor_a_wagon_at_all():
    battle = begun()
    order = Place("barrel1", ("0106",))
    assert placing.why_not(rules(), battle, "east", order).code == "placing.not-now"
    assert placing.why_not(rules(), battle, "west", order).code == "placing.not-yours"


def test_every_legal_placing_of_a_thing_is_listed_and_every_one_listed_is_legal():
    battle = begun()
    listed = [
        order
        for order in legal.legal(rules(), battle, "west")
        if isinstance(order, Place) and order.who in battle.things
    ]
    assert len(set(listed)) == len(listed)
    for order in listed:
        assert checked(battle, grammar.say(CRY_HAVOC, order))[1] == []
    hexes = tuple(battle.field.ground)
    for thing, forms in {
        "tower1": [((hex_,), side) for hex_ in hexes for side in ("n", "ne", "se", "s", "sw", "nw")],
        "mantlet1": [((hex_,), side) for hex_ in hexes for side in ("n", "ne", "se", "s", "sw", "nw")],
        "ladder1": [((one, other), "") for one in hexes for other in hexes if one < other],
    }.items():
        legal_ = {
            frozenset((*at, side))
            for at, side in forms
            if placing.why_not(rules(), battle, "west", Place(thing, at, side)) is None
        }
        assert (
            legal_ == {frozenset((*order.at, order.facing)) for order in listed if order.who == thing}
            and legal_
        )


def test_the_sheet_names_things_with_their_places():
    entries = {entry.unit: entry for entry in sheet.sheet(rules(), begun(), "west")}
    assert set(entries) >= {"tom", "wat", "tower1", "ladder1", "mantlet1"}
    (choices,) = entries["ladder1"].choices
    assert (entries["ladder1"].about, choices.sentence) == ("ladder", "ladder1 at 0101 0201")


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_in_the_scenarios_that_come_with_pbem_a_silent_side_has_all_its_things_on_the_map(path):
    data = read(path.read_bytes(), path.name, limits=FILES).data
    map_ = read((path.parent / "maps" / f"{data['map']}.yaml").read_bytes(), "map.yaml", limits=FILES).data
    found, problems = choose(SIEGE, data["modules"], data.get("options") or {})
    assert problems == []
    field, of_scenario, of_map = scenario.read_field(found, data, map_)
    assert (of_scenario, of_map) == ([], [])
    battle = setup.begin(found, field, {side.id: side.id for side in field.sides})
    for step in range(1, len(field.setup) + 1):
        side = field.setup[step - 1].sides[0]
        play = Play(battle.changed(at=Cursor("setup", step, side)), "setup", apply, NoDice())
        setup.resolve(found, play, {})
        battle = play.state
    for thing in battle.things.values():
        assert thing.at or thing.away or thing.kind == "drawbridge", thing
        assert set(thing.at) <= set(field.ground)


# --- in play


WALL = (". . . . .", ". t . . .", "B B B B B", ", , , , ,", ", , , , ,")
WORD = {".": "flat", "t": "tree", "B": "battlement", ",": "courtyard"}


def board(number, phase):
    """Return a battle round a wall, with loads that somebody has, or nobody."""
    pick = random.Random(f"{number} {phase}")
    grounds, sides = terrain.grounds(rules()), terrain.side_features(rules().tables)
    rows = [row.split() for row in WALL]
    ground = {
        f"{x + 1:02}{y + 1:02}": grounds[WORD[word]]
        for y, row in enumerate(rows)
        for x, word in enumerate(row)
    }
    parapets = {
        hexside(hex_, "n"): (OnSide("parapet", hex_, "n"),)
        for hex_ in ground
        if ground[hex_].id == "battlement"
    }
    hexes = list(ground)
    places = pick.sample(hexes, 6)
    names = ("ann", "ben", "cat", "dan", "eve", "fay")
    units = {
        name: Unit(
            name,
            name,
            "man",
            side,
            side,
            pick.choice(("healthy",) * 8 + ("wounded", "stunned")),
            (place,),
            since="t1.west.melee",
        )
        for name, place, side in zip(
            names, places, ("east", "east", "east", "west", "west", "west"), strict=True
        )
    }
    things = {}
    for name in ("load1", "load2", "load3", "load4"):
        who = pick.choice([unit for unit in units.values() if unit.side == "east"] * 3 + [units["dan"]])
        kind = pick.choice(("mantlet", "oil"))
        by = (
            (who.id,)
            if pick.random() < 0.5 and not any(who.id in thing.by for thing in things.values())
            else ()
        )
        at = who.at if pick.random() < 0.8 else (pick.choice(hexes),)
        things[name] = Thing(
            name, kind, at, pick.choice(SIDES) if kind == "mantlet" else "", by=by, side="east"
        )
    people = {
        name: character.of_class(rules().tables, pick.choice(("spearman", "longbowman", "peasant")), name)
        for name in names
    }
    field = Field(
        "wall", "a wall", "sha256:0", "law", "A law", "sha256:0", 5, 5, ground, parapets, sides, {}, grounds=grounds, people=people,
        forces=tuple(Force(name, name, unit.side) for name, unit in units.items()),
        sides=(SideInfo("east", "East", "blue", True), SideInfo("west", "West", "red", False)),
    )  # fmt: skip
    return Battle(field, Cursor(phase, 2, "east"), dict(sorted(units.items())), things)


def judged(battle, heading, sentence):
    """Return the order that a file with one sentence has, and whether nothing speaks against it."""
    file, problems = reading.read_orders(rules(), battle, "east", {heading: [sentence]})
    if problems:
        return None, False
    (line,) = file.sections[battle.at.phase]
    return line.order, not judge.check(rules(), battle, file).problems


@deeper
@pytest.mark.parametrize(("phase", "heading"), [("movement", "move"), ("melee", "fight")])
def test_what_is_listed_of_loads_passes_and_what_passes_is_listed(phase, heading):
    kinds = set()
    for number in range(tries(16, 100)):
        battle = board(number, phase)
        listed = list(legal.legal(rules(), battle, "east"))
        assert len(set(map(str, listed))) == len(listed)
        deeds = [
            order for order in listed if isinstance(order, Act) and order.do in ("take", "put-down", "pour")
        ]
        moves = [order for order in listed if isinstance(order, Move) and order.facing]
        for order in (*deeds, *moves):
            assert judged(battle, heading, grammar.say(CRY_HAVOC, order)) == (order, True), (
                number,
                grammar.say(CRY_HAVOC, order),
            )
        kinds |= {order.do for order in deeds} | {"turned" for _ in moves}
        ways = ["{who} takes {what}", "{who} puts down {what}", "{who} puts down {what} facing {side}"]
        for who, what in ((who, what) for who in ("ann", "ben", "cat") for what in battle.things):
            if phase == "melee":
                sentences = [f"{who} pours {what} on {hex_}" for hex_ in battle.field.ground]
            else:
                sentences = [way.format(who=who, what=what, side=side) for way in ways for side in SIDES]
            for sentence in dict.fromkeys(sentences):
                order, fine = judged(battle, heading, sentence)
                same = (
                    order.facing and order.facing == battle.things[what].facing
                    if isinstance(order, Act)
                    else False
                )
                assert (order in listed) == (fine and not same), (number, sentence)
    assert kinds == ({"take", "put-down", "turned"} if phase == "movement" else {"pour"})


def test_a_load_goes_with_its_bearer_in_the_judgement_too():
    battle = board(0, "movement")
    lone = {"load1": Thing("load1", "mantlet", battle.units["ann"].at, "n", side="east")}
    battle = battle.changed(things=lone).with_units(
        replace(battle.units["ann"], state="healthy", at=("0101",))
    )
    battle = battle.changed(things={"load1": replace(lone["load1"], at=("0101",))})
    orders = {"move": ["ann takes load1", "ann to 0102 facing s", "ann puts down load1"]}
    if "0102" in battle.standing_at:
        battle = battle.with_units(replace(battle.units[battle.standing_at["0102"]], at=("0505",)))
    file, problems = reading.read_orders(rules(), battle, "east", orders)
    found = judge.check(rules(), battle, file)
    assert (problems, found.problems) == ([], ())
    assert found.course[-1].battle.things["load1"] == Thing(
        "load1", "mantlet", ("0102",), "s", by=("ann",), side="east"
    )


@pytest.mark.parametrize(
    ("kind", "title"), [("oil", "barrel of oil"), ("siege-tower", "siege tower"), ("ladder", "ladder")]
)
def test_what_a_kind_of_thing_is_called(kind: str, title: str) -> None:
    assert Thing("x", kind).title == title


def test_the_hexes_that_would_have_been_right_are_those_nearest_to_the_wrong_one() -> None:
    assert nearest.told("yard", ("0202", "0101"), "0909") == "yard: 0101 0202"
    hexes = [f"01{row:02}" for row in range(1, 14)]
    assert nearest.told("wall", hexes[:12], "0113") == "wall: " + " ".join(hexes[:12])
    assert nearest.told("wall", hexes, "0114@top") == "wall, the nearest of 13: " + " ".join(
        reversed(hexes[1:])
    )
