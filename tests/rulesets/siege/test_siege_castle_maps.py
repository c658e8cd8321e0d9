"""Maps of castles: what is read from one, and where each thing that makes no sense in it is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.rulesets.siege.ground import maps
from pbem.rulesets.siege.ruleset import CRY_HAVOC
from pbem.rulesets.siege.state.field import Fixture
from pbem.store.library import words_of
from pbem.text.source import FILES, read

ROOT = Path(__file__).resolve().parents[3]
WORDS = words_of("siege")
SHIPPED = sorted((ROOT / "scenarios" / "siege" / "maps").glob("*.yaml"))

GOOD = """\
map: corner
title: A corner of a castle
size: 8 x 7
key: {".": flat, ",": courtyard, "~": moat, B: battlement, T: tower, G: gateway, s: stairs, w: castle-wall}
terrain: |
  col 01 02 03 04 05 06 07 08
  01  .  .  .  .  .  .  .  .
  02  .  .  .  .  .  .  .  .
  03  ~  ~  ~  ~  ~  ~  ~  ~
  04  B  B  T  G  T  B  B  w
  05  ,  ,  ,  ,  ,  s  ,  w
  06  ,  ,  ,  ,  ,  ,  ,  w
  07  ,  ,  ,  ,  ,  ,  ,  w
sides:
  parapet:
    nw: 0704
    n: 0104 0204 0604 0704
    ne: 0104 0704
  slit:
    n: 0304 0504
  wall:
    nw: 0304 0504
    ne: 0304 0504
    se: 0304
    sw: 0504
  door:
    s: 0304 0504
    sw: 0304
things:
- {bridge: drawbridge, hexes: 0403, gate: 0404 n, winch: 0504, starts: raised}
marks:
  no-ladder: 0304 0504
  outside: 0101 0801
"""


def found(text):
    source = read(text.encode(), "corner.yaml", limits=FILES)
    assert source.problems == []
    part, problems = maps.read_map(CRY_HAVOC, source.data)
    return part, source, problems


def wrong(text):
    """Return (code, line, column) of everything that is wrong with a map."""
    part, source, problems = found(text)
    assert part is None
    for problem in problems:
        assert "{" not in WORDS.problem(problem.code, problem.args), problem
    return [(problem.code, *source.mark(problem.path, problem.key)) for problem in problems]


def replaced(*changes, text=GOOD):
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def test_a_castle_is_read():
    part, _, problems = found(GOOD)
    assert problems == []
    assert part.fixtures == {"bridge": Fixture("bridge", "drawbridge", ("0403",), "0404 n", "0504", "raised")}
    assert [feature.kind for feature in part.sides_of_hexes["0404 n"]] == ["gate"]
    told = [(module, problem.args["what"]) for module, problem in part.needs]
    assert (
        ("castle", "moat") in told and ("castle", "parapet") in told and told[-1] == ("castle", "drawbridge")
    )
    slit = part.ground["0304"]
    assert (slit.id, slit.floor, slit.level) == ("arrow_slit", "tower", 2)
    assert (part.ground["0204"].id, part.ground["0204"].floor) == ("battlement", "walk")


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_the_castles_that_come_with_pbem_are_sound(path):
    source = read(path.read_bytes(), path.name, limits=FILES)
    part, problems = maps.read_map(CRY_HAVOC, source.data)
    assert problems == [] and part.id == path.stem


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        # parapets and arrow slits
        ([("    ne: 0104 0704\n  slit", "    ne: 0104 0704\n    s: 0105\n  slit")], [("map.parapet-floor", 19, 8)]),
        ([("  slit:\n    n: 0304 0504", "  slit:\n    n: 0304 0504\n    s: 0604")], [("map.slit-floor", 21, 8)]),
        ([("    n: 0104 0204 0604 0704", "    n: 0104 0204 0604 0704\n    s: 0204")], [("map.parapet-inward", 18, 8)]),
        (
            [("  05  ,  ,  ,  ,  ,  s  ,  w", "  05  ,  ,  T  ,  ,  s  ,  w"),
             ("    s: 0304 0504\n    sw: 0304\n", "    s: 0504 0305\n    sw: 0304\n"),
             ("  slit:\n    n: 0304 0504", "  slit:\n    n: 0304 0504\n    s: 0304")],
            [("map.slit-inside", 21, 8)],
        ),
        # the bridge, its gate and its winch
        ([("hexes: 0403, gate", "hexes: 0402 0403, gate")], [("map.bridge-ground", 30, 31)]),
        ([("hexes: 0403, gate", "hexes: 0403 0603, gate")], [("map.bridge-broken", 30, 36)]),
        ([("hexes: 0403, gate", "hexes: 0203, gate")], [("map.gate-apart", 30, 43)]),
        ([("gate: 0404 n", "gate: 0404")], [("map.gate", 30, 43)]),
        ([("gate: 0404 n, ", "")], [("map.gate", 30, 3)]),
        ([("winch: 0504", "winch: 0804")], [("map.winch-ground", 30, 58)]),
        ([("winch: 0504", "winch: 0402")], [("map.winch-outside", 30, 58)]),
        ([("starts: raised", "starts: up")], [("map.starts", 30, 72)]),
        # no way in
        ([("    ne: 0304 0504", "    ne: 0504"), ("    sw: 0304\n", "    sw: 0304\n    ne: 0304\n")], [("map.castle-open", 10, 13)]),
        ([("  04  B  B  T  G  T  B  B  w", "  04  B  B  T  G  T  B  B  s")], [("map.castle-open", 11, 25)]),
        ([("  04  B  B  T  G  T  B  B  w", "  04  B  ,  T  G  T  B  B  w"),
          ("    n: 0104 0204 0604", "    n: 0104 0604")], [("map.castle-open", 10, 10)]),
        ([("  outside: 0101 0801\n", "")], [("map.no-outside", 32, 3)]),
        # marks and what is cut off
        ([("  no-ladder: 0304 0504", "  no-ladder: 0304 0405")], [("map.no-ladder", 32, 19)]),
        ([("    s: 0304 0504\n    sw: 0304\n", "    s: 0304\n    sw: 0304\n")], [("map.cut-off", 5, 10)]),
        ([("  05  ,  ,  ,  ,  ,  s  ,  w", "  05  ,  ,  ,  ,  ,  ,  ,  w")], [("map.cut-off", 5, 10)]),
        # a thing that only a scenario brings
        ([("- {bridge: drawbridge,", "- {ram1: ram}\n- {bridge: drawbridge,")], [("map.not-built-in", 30, 10)]),
    ],
)  # fmt: skip
def test_each_thing_that_makes_no_sense_is_found(changes, expected):
    assert wrong(replaced(*changes)) == expected


def test_water_that_nobody_enters_lies_outside_too():
    text = replaced(("  02  .  .  .  .  .  .  .  .", "  02  .  .  .  .  .  .  x  x"),
                    ("  01  .  .  .  .  .  .  .  .", "  01  .  .  .  .  .  x  x  x"),
                    ("  03  ~  ~  ~  ~  ~  ~  ~  ~", "  03  ~  ~  ~  ~  ~  ~  ~  x"), ("w: castle-wall}", "w: castle-wall, x: deep-water}"),
                    ("outside: 0101 0801", "outside: 0101"))  # fmt: skip
    assert found(text)[2] == []


def test_without_a_bridge_and_a_mark_nothing_is_asked_of_walls():
    text = replaced(
        ("things:\n- {bridge: drawbridge, hexes: 0403, gate: 0404 n, winch: 0504, starts: raised}\n", ""),
        ("  outside: 0101 0801\n", ""),
    )
    assert found(text)[2] == []
