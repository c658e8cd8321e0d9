"""Every schema is draft-07, is understood by our walk, and accepts a map, a scenario and a state, and names
their mistakes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from pbem import resources
from pbem.rulesets.siege.orders import longform
from pbem.rulesets.siege.ruleset import CRY_HAVOC
from pbem.store import library
from pbem.text import shape
from pbem.text.source import FILES, read

SCHEMAS = resources.folder("schemas")
ALL = sorted(path for path in SCHEMAS.rglob("*.schema.json"))

MAP = """\
map: brackwater-corner
title: Brackwater, the north-east corner
size: 12 x 8
key: {".": flat, ",": courtyard, "~": moat, B: battlement, T: tower, G: gateway, s: stairs, t: tree}
terrain: |
  col 01 02 03 04 05 06 07 08 09 10 11 12
  01  .  .  .  .  .  .  .  .  .  .  .  .
  02  .  .  .  .  .  t  .  .  .  .  .  .
sides:                              # feature: side: hexes. Each hexside once, named from the hex it belongs to
  parapet:                          # shelters the man in the named hex
    nw: 0704
    n: 0104 0204 0604 0704 0804
    ne: 0104 0704 0906 0907 0908
  slit:                             # an arrow slit: he shoots out of the named hex, nobody passes
    n: 0304 0504 0904
  door:
    sw: 0304 0904 0905
  steps: {n: 0705}                  # joins two floors: up from the named hex over this side
things:
- {bridge: drawbridge, hexes: 0403, gate: 0404 n, winch: 0504, starts: raised}
marks:                              # named sets of hexes; rules and scenarios ask for them by name
  no-ladder: 0304 0504              # the two sections beside the gate (S1.91f)
  outside: 0101 1201                # any hex of each region that lies outside the castle
areas:
- {id: corner-tower, kind: tower, hexes: 0904 0905 1004, name: The Widow}
labels:
- {at: 0605, text: Outer ward}
look: {roads: [0401 0402 0403], seed: 7}     # decoration: never read by a rule
"""

SCENARIO = """\
scenario: alder-ford
title: Toll at the Alder Ford
ruleset: cry_havoc
modules: [open-ground, houses]              # sections of Siege: castle, works, camp, battering, wagons-oil
options: {line_of_fire: centre_to_centre}
map: alder-ford
length: 10 turns
sides:
  east: {first: true, colour: blue, enters: east-edge}
  west: {colour: vermilion}
units:                                       # a person of the roster, and a place or a mark
  east:
  - {id: hob, person: sergeant-hob, at: 0307}
  - {id: odo, person: spearman-odo, at: 0406}
  west:
  - {id: wulf, person: sergeant-wulf, in: west-bank}   # placed by its seat in the setup phase, inside this mark
setup:                                       # in this order, one slot each; `sealed: true` = both at once, unseen
- {seat: west, may: [place], in: west-bank}
silent: {east: hold, west: hold}
victory:
  at-end:
  - {side: any, points: 10, when: "ford is held"}
  - {side: any, points: losses of the enemy, scale: lp}
  winner: {most: points, margin: {east: 3}}
  at-once: []
"""

STATE = """
{"format":1,
 "ruleset":{"id":"siege","revision":1},"map":"sha256:MAP","scenario":"sha256:MAP",
 "at":{"day":2,"part":"assault","turn":5,"side":"baron","phase":"melee"},
 "units":[
  {"id":"bayard","person":"destrier-2","kind":"horse","side":"baron","owner":"baron","at":["0911","0912"],"state":"healthy"},
  {"id":"hal","person":"halberdier-hal","kind":"man","side":"baron","owner":"baron","at":["0712@top"],"state":"wounded",
   "since":"d2.t4.garrison.melee","heals":6},
  {"id":"ned","person":"peasant-ned","kind":"man","side":"garrison","owner":"garrison","at":["0705"],"state":"healthy",
   "mood":"panic","did":["moved"],"fought":"d2.t5.baron.melee","job":{"do":"work","what":"bridge","since":"d2.t5.garrison"}},
  {"id":"sir-hugh","person":"knight-hugh","kind":"man","side":"baron","owner":"baron","on":"bayard","state":"healthy","skill":0},
  {"id":"tam","person":"spearman-tam","kind":"man","side":"baron","owner":"baron","at":["0611"],"state":"dead",
   "since":"d2.t3.garrison.melee"}],
 "things":[
  {"id":"ballista1","kind":"ballista","at":["1108"],"facing":"n","loaded":2,"crew":["bran","jack"]},
  {"id":"barrel1","kind":"oil","at":["0704"]},
  {"id":"bridge","kind":"drawbridge","stands":"raised"},
  {"id":"ladder3","kind":"ladder","stands":"lying","at":["0101","0102"]},
  {"id":"ladder1","kind":"ladder","at":["0603"],"stands":"raised","facing":"s"},
  {"id":"ladder2","kind":"ladder","at":["0502","0503"],"stands":"carried","by":["tom","wat"]},
  {"id":"mantlet1","kind":"mantlet","by":["rafe"],"facing":"n"},
  {"id":"ram1","kind":"ram","at":["0402","0401"],"facing":"s","struck":"d2.t3.baron.melee"},
  {"id":"tower1","kind":"siege-tower","at":["0712","0812","0713"],"facing":"n","crew_fought":"d2.t4.garrison.melee"},
  {"id":"trebuchet1","kind":"trebuchet","away":true,"lost":2,"repair_until":3},
  {"id":"wagon1","kind":"wagon","at":["1203","1204"],"facing":"n","hitched":["ox1"]}],
 "features":[
  {"at":"0603","is":"filled"},
  {"at":"0704","is":"wall","damage":3,"bombarded":true,"last":2},
  {"at":"0904","is":"rubble"},
  {"at":"1410","is":"fire","turns":2,"lit_by":"baron","check":"d2.t5.garrison"},
  {"at":"1411","is":"burnt"}],
 "score":[{"side":"baron","points":7},{"side":"garrison","points":4}],
 "standing":[{"seat":"garrison","orders":"sha512:FILE","everyone":{"advance":"never"},
  "figures":[{"unit":"ned","retreat":"to 0705"}]}],
 "log":{"unit_seq":0,"lit":[]}}
""".replace("MAP", "0" * 64).replace("FILE", "a" * 128)


def load(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((SCHEMAS / f"{name}.schema.json").read_text("utf-8"))
    return found


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.name)
def test_each_schema_is_draft_07_and_of_our_subset(path: Path) -> None:
    schema = json.loads(path.read_text("utf-8"))
    jsonschema.Draft7Validator.check_schema(schema)
    assert schema["$schema"] == "http://json-schema.org/draft-07/schema#"
    shape.load(schema)
    assert shape.check("x", schema)[0].code in ("schema.type", "schema.choice")
    assert named_twice(schema) == [], "an editor refuses a schema that lists a choice twice"


def named_twice(node: Any) -> list[str]:
    if isinstance(node, list):
        return [twice for item in node for twice in named_twice(item)]
    if not isinstance(node, dict):
        return []
    choices = node.get("enum", []) if isinstance(node.get("enum", []), list) else []
    found = [str(choice) for n, choice in enumerate(choices) if choice in choices[:n]]
    return found + [twice for value in node.values() for twice in named_twice(value)]


def keys_without_description(node: Any, where: str = "") -> list[str]:
    if isinstance(node, list):
        return [key for item in node for key in keys_without_description(item, where)]
    if not isinstance(node, dict):
        return []
    found = []
    for key, value in node.get("properties", {}).items():
        known = isinstance(value, bool) or "description" in value or "enum" in value or "$ref" in value
        found += [] if known else [f"{where}/{key}"]
    for key, value in node.items():
        found += keys_without_description(value, f"{where}/{key}")
    return found


@pytest.mark.parametrize("name", ["orders", "map", "scenario", "game"])
def test_an_editor_can_explain_every_key_that_people_write(name: str) -> None:
    assert keys_without_description(load(name)) == []


@pytest.mark.parametrize(("name", "text"), [("map", MAP), ("scenario", SCENARIO)])
def test_a_map_and_a_scenario_are_well(name: str, text: str) -> None:
    source = read(text.encode(), name, limits=FILES)
    assert source.problems == []
    assert shape.check(source.data, load(name)) == []


SCENARIOS = resources.folder("scenarios")


@pytest.mark.parametrize(
    "path", sorted(SCENARIOS.rglob("*.yaml")), ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_the_scenarios_and_maps_that_come_with_pbem_are_well(path: Path) -> None:
    source = read(path.read_bytes(), path.name, limits=FILES)
    assert source.problems == []
    kind = "map" if path.parent.name == "maps" else "scenario"
    ruleset = path.relative_to(SCENARIOS).parts[0]
    assert shape.check(source.data, library.schema_of(ruleset, kind)) == []


@pytest.mark.parametrize(
    ("old", "new", "code", "help"),
    [
        ("title:", "titel:", "schema.unknown-key", "did you mean 'title'?"),
        ("  parapet:", "  parapett:", "schema.unknown-key", "did you mean 'parapet'?"),
        ("size: 12 x 8", "size: 12x8", "schema.pattern", ""),
        ("winch: 0504", "wnich: 0504", "schema.choice", ""),
        ("nw: 0704", "nw: 704", "schema.pattern", ""),
        ("gate: 0404 n", "gate: 0404 x", "schema.pattern", ""),
        ("starts: raised", "starts: raisd", "schema.choice", "did you mean 'raised'?"),
    ],
)
def test_a_mistake_in_a_map_is_named(old: str, new: str, code: str, help: str) -> None:
    source = read(MAP.replace(old, new, 1).encode(), "map.yaml", limits=FILES)
    assert [(problem.code, problem.help) for problem in shape.check(source.data, load("map"))] == [
        (code, help)
    ]


def test_a_state_is_well_and_its_mistakes_are_named() -> None:
    schema = load("state")
    state = json.loads(STATE)
    assert shape.check(state, schema, text=False) == []
    state["units"][1]["heals"] = "6"
    state["units"][2]["mood"] = "panicked"
    state["things"][0]["colour"] = "red"
    state["format"] = True
    del state["at"]["phase"]
    found = shape.check(state, schema, text=False)
    assert {(problem.code, problem.path) for problem in found} == {
        ("schema.type", ("units", 1, "heals")),
        ("schema.choice", ("units", 2, "mood")),
        ("schema.unknown-key", ("things", 0, "colour")),
        ("schema.choice", ("format",)),
        ("schema.missing", ("at",)),
    }


def sample(node: Mapping[str, Any], definitions: Mapping[str, Any]) -> Any:
    """Return some value that a node of the events schema accepts."""
    if "$ref" in node:
        name = node["$ref"].rpartition("/")[2]
        known = {
            "id": "odo",
            "place": "0712@top",
            "cursor": "t3.west.melee",
            "rule": "S1.72g",
            "word": "bridge",
        }
        return known[name] if name in known else sample(definitions[name], definitions)
    if "const" in node:
        return node["const"]
    if "anyOf" in node:
        return sample(node["anyOf"][0], definitions)
    if "enum" in node:
        return node["enum"][0]
    match node["type"]:
        case "array":
            return [sample(node["items"], definitions) for _ in range(node.get("minItems", 1))]
        case "object":
            return {key: sample(value, definitions) for key, value in node.get("properties", {}).items()}
        case "integer":
            return 1
        case "boolean":
            return True
        case _:
            return "x"


def test_every_type_of_event_is_accepted_whole_and_bare_and_no_other() -> None:
    schema = load("events")
    walk = shape.load(schema, text=False)
    stock = jsonschema.Draft7Validator(schema)
    for branch in schema["oneOf"]:
        node = schema["definitions"][branch["$ref"].rpartition("/")[2]]
        whole = sample(node, schema["definitions"])
        assert walk.check(whole) == []
        stock.validate(whole)
        bare = {key: whole[key] for key in node["required"]}
        assert walk.check(bare) == []
        for key in node["required"]:
            less = {name: value for name, value in bare.items() if name != key}
            assert [problem.code for problem in walk.check(less)] == ["schema.missing"]
        assert [problem.code for problem in walk.check({**bare, "colour": "red"})] == ["schema.unknown-key"]
    assert [(problem.code, problem.help) for problem in walk.check({"n": 1, "type": "Mvoed"})] == [
        ("schema.choice", "did you mean 'Moved'?")
    ]


def test_the_deeds_of_the_grammar_are_those_of_the_schema() -> None:
    order = load("orders")["definitions"]["order"]["properties"]
    assert longform.form(CRY_HAVOC, load("orders")) == load("orders")
    used = {key for deed in CRY_HAVOC.deeds.values() for key in longform.keys(deed)}
    assert used == set(order) - {"do", "when", "then", "otherwise"}


@pytest.mark.parametrize(
    ("name", "good"),
    [
        (
            "check",
            {
                "ok": False,
                "doubts": [],
                "problems": [
                    {"file": "a", "line": 1, "column": 2, "code": "c", "message": "m", "rule": "", "help": ""}
                ],
            },
        ),
        (
            "submit",
            {
                "ok": True,
                "doubts": [],
                "problems": [],
                "receipt": {"sha512": "0" * 128, "slot": 1, "seat": "west", "file": "draft"},
            },
        ),
        (
            "status",
            {
                "game": "g",
                "ruleset": "siege",
                "turn": "t1",
                "phase": "melee",
                "slot": 1,
                "waiting_for": [{"seat": "west", "for": "go"}],
            }
            | {"questions": [], "reconstructed_tables": ["combat_foot"]},
        ),
        (
            "resolve",
            {
                "slot": 1,
                "phases": ["movement"],
                "events": 3,
                "rolls": 0,
                "map": "m.png",
                "report": "r.txt",
                "waiting_for": [],
                "questions": [],
                "over": False,
            },
        ),
        (
            "verify",
            {
                "verdict": "pass",
                "slots": 1,
                "signatures": 2,
                "dice": 3,
                "failures": [],
                "warnings": [],
                "trust": [{"slot": 1, "foreknowledge": "nobody"}],
            },
        ),
        (
            "roll",
            {
                "slot": 1,
                "label": "t1.west.melee/fight/odo/1",
                "sides": 10,
                "values": [7],
                "seed": "00",
                "openssl": "openssl …",
                "rule": "S1.7",
            },
        ),
        (
            "rules-coverage",
            {
                "ruleset": "siege",
                "total": 2,
                "done": 1,
                "not_done": [{"id": "S1.1", "status": "partly", "why": "later"}],
            },
        ),
        ("options", {"seat": "west", "phase": "melee", "units": [{"id": "odo", "orders": [{"do": "stay"}]}]}),
    ],
)
def test_what_json_prints_has_a_schema(name: str, good: dict[str, Any]) -> None:
    schema = load(f"cli/{name}")
    assert shape.check(good, schema, text=False) == []
    jsonschema.Draft7Validator(schema).validate(good)
    for key in schema["required"]:
        less = {other: value for other, value in good.items() if other != key}
        assert [problem.code for problem in shape.check(less, schema, text=False)] == ["schema.missing"]


def test_a_result_and_the_settings_of_a_game() -> None:
    result = {
        "winner": "west",
        "grade": "marginal",
        "score": [{"side": "west", "points": 12}],
        "losses": [{"side": "west", "healthy": 3, "stunned": 0, "wounded": 1, "dead": 2}],
        "mails": 24,
        "days": 31,
    }
    assert shape.check(result, load("results"), text=False) == []
    game = {
        "title": "The Alder Ford, spring",
        "umpire": {"name": "Una", "address": "una@example.org"},
        "seats": {"west": {"name": "Anna", "address": "anna@example.org", "zone": "Europe/Berlin"}},
        "deadlines": {"orders": "3 days", "at": "18:00"},
    }
    assert shape.check(game, load("game"), text=False) == []
    game["deadlines"] = {"orders": "soon"}
    game["seats"] = {"West": {"name": "Anna", "address": "anna"}}
    assert [(problem.code, problem.path) for problem in shape.check(game, load("game"), text=False)] == [
        ("schema.key", ("seats", "West")),
        ("schema.pattern", ("seats", "West", "address")),
        ("schema.pattern", ("deadlines", "orders")),
    ]
