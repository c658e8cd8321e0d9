"""Maps: what is read from the rows and sides of a file, and where each mistake in it is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.rulesets.siege.ground import maps
from pbem.rulesets.siege.ruleset import CRY_HAVOC
from pbem.store.library import words_of
from pbem.text.located import locate
from pbem.text.source import FILES, read

TABLES = CRY_HAVOC.tables
ROOT = Path(__file__).resolve().parents[3]
WORDS = words_of("siege")
SHIPPED = sorted((ROOT / "scenarios" / "cry_havoc" / "maps").glob("*.yaml"))

GOOD = """\
map: yard
title: The yard
size: 4 x 3
key: {".": flat, "~": deep-water, s: scrub}
terrain: |
  col 01 02 03 04
  01  .  .  .  .
  02  .  s  ~  .
  03  .  .  .  .
sides:
  wall:
    n: 0102
    se: 0102
  door: {s: 0102}
marks:
  gate: 0101 0102
  both: [0101, 0403]
areas:
- {id: barn, kind: house, hexes: 0202 0303, name: The barn}
labels:
- {at: 0202, text: Barn}
look:
  roads: [0101 0201 0301]
  seed: 7
"""


def found(text, tables=TABLES):
    source = read(text.encode(), "yard.yaml", limits=FILES)
    assert source.problems == []
    part, problems = maps.read_map(CRY_HAVOC.amend(tables=tables), source.data)
    return part, source, problems


def wrong(text):
    """Return (code, line, column) of everything that is wrong with a map."""
    part, source, problems = found(text)
    assert part is None
    for problem in problems:
        assert "{" not in WORDS.problem(problem.code, problem.args), problem
    return [(problem.code, *source.mark(problem.path, problem.key)) for problem in problems]


def replaced(old, new, text=GOOD):
    assert text.count(old) == 1, old
    return text.replace(old, new)


def test_a_map_is_read():
    part, _, problems = found(GOOD)
    assert problems == []
    assert (part.id, part.title, part.columns, part.rows, part.look_seed) == ("yard", "The yard", 4, 3, 7)
    assert list(part.ground)[:5] == ["0101", "0201", "0301", "0401", "0102"]
    assert (part.ground["0202"].id, part.ground["0302"].id, part.ground["0403"].id) == (
        "scrub",
        "deep_water",
        "flat",
    )
    assert {key: (f.kind, f.at, f.side) for key, fs in part.sides_of_hexes.items() for f in fs} == {
        "0102 n": ("wall", "0102", "n"),
        "0102 se": ("wall", "0102", "se"),
        "0103 n": ("door", "0102", "s"),
    }
    assert sorted(part.side_features) == ["door", "wall"]
    assert part.marks == {"gate": ("0101", "0102"), "both": ("0101", "0403")}
    assert (part.areas, part.area_kinds, part.area_names) == (
        {"barn": ("0202", "0303")},
        {"barn": "house"},
        {"barn": "The barn"},
    )
    assert part.labels == (("0202", "Barn"),)
    assert part.roads == (("0101", "0201", "0301"),)
    assert [(module, p.args["what"]) for module, p in part.needs] == [
        ("open-ground", "deep water"),
        ("open-ground", "scrub"),
    ]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_the_maps_that_come_with_pbem_are_sound(path):
    source = read(path.read_bytes(), path.name, limits=FILES)
    part, problems = maps.read_map(CRY_HAVOC, source.data)
    assert problems == [] and part.id == path.stem


def test_rows_need_no_numbers_and_no_line_of_columns():
    bare = (
        GOOD.replace("  col 01 02 03 04\n", "")
        .replace("  01  ", "  ")
        .replace("  02  ", "  ")
        .replace("  03  .", "  .")
    )
    assert found(bare)[0].ground == found(GOOD)[0].ground


def test_a_ground_may_be_written_by_its_own_name():
    text = replaced("  02  .  s  ~  .", "  02  .  scrub  deep-water  .")
    assert found(text)[0].ground == found(GOOD)[0].ground


def test_a_map_without_title_sides_marks_and_look_is_read():
    part, _, problems = found("map: bare\nsize: 2 x 1\nkey: {'.': flat}\nterrain: |\n  . .\n")
    assert problems == []
    assert (part.title, dict(part.marks), part.roads, part.look_seed) == ("bare", {}, (), 0)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("size: 4 x 3", "size: 4 by 3", [("map.size", 3, 7)]),
        ("size: 4 x 3\n", "", [("map.size", 1, 1)]),
        ("size: 4 x 3", "size: 4 x 4", [("map.rows", 5, 10)]),
        (
            "size: 4 x 3",
            "size: 4 x 2",
            [
                ("map.rows", 5, 10),
                ("map.side-off-map", 14, 13),
                ("map.off-map", 17, 16),
                ("map.off-map", 19, 39),
            ],
        ),
        ("  01  .  .  .  .", "  01  .  .  .", [("map.row", 7, 14)]),
        ("  01  .  .  .  .", "  01  .  .  .  .  .", [("map.row", 7, 19)]),
        ("  02  .  s  ~  .", "  03  .  s  ~  .", [("map.row-number", 8, 3)]),
        ("col 01 02 03 04", "col 01 02 04 04", [("map.heading", 6, 13)]),
        ("  02  .  s  ~  .", "  02  .  q  ~  .", [("map.word", 8, 10)]),
        ("s: scrub}", "s: scrab}", [("map.terrain", 4, 38)]),
        ("    n: 0102", "    n: 0101", [("map.side-off-map", 12, 8)]),
        ("    n: 0102", "    up: 0102", [("map.side", 12, 5)]),
        ("    n: 0102", "    n: 0102 0102", [("map.hex-twice", 12, 13)]),
        ("    n: 0102", "    n: 0102 0502", [("map.off-map", 12, 13)]),
        ("    n: 0102", "    n: 0102 12", [("map.hex", 12, 13)]),
        ("    n: 0102", "    n: 0102\n    s: 0101", [("map.side-twice", 13, 8)]),
        ("  wall:", "  woll:", [("map.side-feature", 11, 3)]),
        ("sides:\n  wall:\n    n: 0102\n    se: 0102\n", "sides:\n", [("map.door-alone", 11, 13)]),
        ("gate: 0101 0102", "Gate!: 0101 0102", [("map.name", 16, 3)]),
        ("gate: 0101 0102", "gate: 0101 0109", [("map.off-map", 16, 14)]),
        ("gate: 0101 0102", "gate:", [("map.no-hexes", 16, 3)]),
        ("both: [0101, 0403]", "both: [0101, 0101]", [("map.hex-twice", 17, 16)][:0]),
        ("id: barn", "id: Barn", [("map.name", 19, 8)]),
        ("look:\n", "- {id: x}\nlook:\n", [("map.no-hexes", 22, 3)][:0]),
        ("{at: 0202", "{at: 0909", [("map.off-map", 21, 8)]),
        ("0101 0201 0301]", "0101 0301]", [("map.road", 23, 11)]),
        ("roads: [0101 0201 0301]", "roads: 0101", [("map.form", 23, 10)]),
        ("seed: 7", "seed: seven", [("map.seed", 24, 9)]),
        ("sides:\n", "sides: x\nsidesx:\n", [("map.form", 10, 8)]),
        (
            "areas:\n- {id: barn, kind: house, hexes: 0202 0303, name: The barn}",
            "areas: barn",
            [("map.form", 18, 8)],
        ),
        ("areas:\n", "areas:\n- barn\n", [("map.form", 19, 3)]),
    ],
)
def test_each_mistake_is_found_at_its_place(old, new, expected):
    text = replaced(old, new)
    if not expected:
        found(text)
        return
    assert wrong(text) == expected


def test_two_areas_of_one_name_are_one_too_many():
    line = "- {id: barn, kind: house, hexes: 0202 0303, name: The barn}\n"
    assert wrong(GOOD.replace(line, line * 2)) == [("map.area-twice", 20, 8)]


def test_no_terrain_at_all():
    assert wrong("map: x\nsize: 2 x 2\nkey: {'.': flat}\n") == [("map.no-terrain", 1, 1)]
    assert wrong("map: x\nsize: 2 x 2\nkey: {'.': flat}\nterrain:\n") == [("map.no-terrain", 4, 1)]


def test_what_nobody_can_enter_is_no_field_of_battle():
    assert wrong("map: x\nsize: 2 x 1\nterrain: |\n  deep-water deep-water\n") == [("map.nowhere", 3, 10)]


def test_a_part_that_is_cut_off_is_told_once_with_its_size():
    text = "map: x\nsize: 3 x 3\nkey: {'.': flat, '~': deep-water}\nterrain: |\n  . ~ .\n  . ~ .\n  . ~ .\n"
    _, _, problems = found(text)
    assert [(problem.code, dict(problem.args)) for problem in problems] == [
        ("map.cut-off", {"hex": "0301", "count": 3})
    ]


def test_walls_cut_off_too_and_a_door_opens_the_way():
    walls = "map: x\nsize: 2 x 1\nkey: {'.': flat}\nterrain: |\n  . .\nsides: {wall: {se: 0101}}\n"
    assert [problem.code for problem in found(walls)[2]] == ["map.cut-off"]
    steps = walls.replace("wall", "steps")
    assert found(steps)[2] == []


def test_a_door_stands_in_a_wall_or_in_a_building():
    head = (
        "map: x\nsize: 4 x 4\nkey: {'.': flat, h: house}\nterrain: |\n  . . . .\n "
        " . . . .\n  . . . .\n  . . . .\n"
    )
    assert [p.code for p in found(head + "sides: {door: {n: 0202}}\n")[2]] == ["map.door-alone"]
    for key in ("ne", "nw"):
        assert found(head + f"sides: {{door: {{n: 0202}}, wall: {{{key}: 0202}}}}\n")[2] == []
    for side, hex_ in (("se", "0201"), ("sw", "0201")):
        assert found(head + f"sides: {{door: {{n: 0202}}, wall: {{{side}: {hex_}}}}}\n")[2] == []
    beside_a_house = head.replace("  . . . .\n  . . . .\n", "  . . . .\n  h . . .\n", 1)
    assert found(beside_a_house + "sides: {door: {n: 0202}}\n")[2] == []


@pytest.mark.parametrize("kind", ["door", "gate", "window"])
def test_doors_gates_and_windows_stand_in_walls_and_an_archway_need_not(kind):
    head = "map: x\nsize: 3 x 3\nkey: {'.': flat}\nterrain: |\n  . . .\n  . . .\n  . . .\n"
    alone = found(head + f"sides: {{{kind}: {{n: 0202}}}}\n")[2]
    assert [(p.code, p.args, p.path) for p in alone] == [
        ("map.door-alone", {"opening": kind, "where": "0202 n"}, ("sides", kind, "n"))
    ]
    assert found(head + f"sides: {{{kind}: {{n: 0202}}, wall: {{ne: 0202}}}}\n")[2] == []
    assert found(head + "sides: {arch: {n: 0202}}\n")[2] == []


@pytest.mark.parametrize(
    ("rows", "sides", "wanted"),
    [
        ([". . .", ". d .", ". . ."], "", ["0202"]),
        ([". . .", "h d .", ". . ."], "", ["0202"]),
        ([". . .", "h d h", ". . ."], "", []),
        ([". . .", ". d .", ". . ."], "wall: {ne: 0202, s: 0202}", []),
        ([". . .", ". d .", ". . ."], "wall: {ne: 0202, n: 0202}", ["0202"]),
        ([". . .", ". d .", ". . ."], "window: {ne: 0202}, wall: {n: 0202}", ["0202"]),
        ([". . . .", "h d d h", ". . . ."], "", []),
        (["d . ."], "", ["0101"]),
        ([". . .", "d . .", "h . ."], "wall: {n: 0102}", ["0102"]),
    ],
)
def test_a_doorway_that_fills_a_hex_has_walls_on_two_sides(rows, sides, wanted):
    rows_ = "".join(f"  {row}\n" for row in rows)
    size = f"{len(rows[0].split())} x {len(rows)}"
    used = ", ".join(
        f"{word}: {ground}"
        for word, ground in (("h", "house"), ("d", "doorway"))
        if any(word in row for row in rows)
    )
    text = f"map: x\nsize: {size}\nkey: {{'.': flat, {used}}}\nterrain: |\n{rows_}sides: {{{sides}}}\n"
    alone = [p for p in found(text)[2] if p.code == "map.door-alone"]
    assert [(p.args["where"], p.path) for p in alone] == [(where, ("terrain",)) for where in wanted]


@pytest.mark.parametrize(
    ("high", "low", "fits"),
    [
        ("hilltop", "slope", True), ("slope", "hilltop", False), ("flat", "slope", True), ("slope", "flat", False),
        ("slope", "slope", True), ("hilltop", "flat", True), ("flat", "hilltop", False), ("flat", "flat", True),
        ("ford", "flat", False), ("flat", "ford", True),
        ("slope", "ford", True), ("deep-water", "ford", True), ("house", "hilltop", True), ("flat", "house", False),
    ],
)  # fmt: skip
def test_the_named_hex_of_a_crest_is_the_higher_one(high, low, fits):
    text = f"map: x\nsize: 2 x 2\nterrain: |\n  {high} flat\n  {low} flat\nsides: {{crest: {{s: 0101}}}}\n"
    problems = [p for p in found(text)[2] if p.code != "map.cut-off"]
    told = [(p.code, p.args["hex"], p.args["side"], p.path, p.help) for p in problems]
    help_ = "if 0102 lies higher, write 0102 under n"
    assert told == ([] if fits else [("map.crest-upside-down", "0101", "s", ("sides", "crest", "s"), help_)])


def test_crests_and_openings_need_no_module_that_is_not_there():
    sides = (
        "sides:\n  crest: {s: 0101}\n  window: {s: 0201}\n  gate: {s: 0301}\n  "
        "wall: {se: 0201, sw: 0201 0301}\n"
    )
    part, _, problems = found(
        "map: x\nsize: 3 x 3\nterrain: |\n  flat flat flat\n  flat flat flat\n  flat flat flat\n" + sides
    )
    assert problems == []
    assert [(module, problem.args["what"]) for module, problem in part.needs] == [
        ("open-ground", "edge of a slope"), ("houses", "window"), ("houses", "gate"),
    ]  # fmt: skip


def test_kinds_of_modules_are_told_with_the_module_they_need():
    def needs(text):
        part, source, problems = found(text)
        assert problems == []
        told = [
            (module, p.args["what"], *source.mark(p.path, p.key))
            for module, p in part.needs
            if module != "open-ground"
        ]
        assert all(p.code == "map.not-in-force" and p.args["module"] == module for module, p in part.needs)
        return told

    assert needs(replaced("s: scrub}", "s: house}")) == [("houses", "house", 4, 38)]
    assert needs(replaced("  02  .  s  ~  .", "  02  .  house  ~  house")) == [("houses", "house", 8, 10)]
    assert needs(replaced("s: scrub}", "s: moat}")) == [("castle", "moat", 4, 38)]
    assert needs(replaced("  door: {s: 0102}", "  crest: {s: 0102}")) == []


def test_a_thing_of_no_known_kind_is_refused():
    assert wrong(GOOD.replace("labels", "things:\n- {a: pony, hexes: 0101}\nlabels")) == [
        ("map.thing", 21, 3)
    ]


@pytest.mark.parametrize("data", [None, [], "map", 7])
def test_what_is_no_mapping_is_no_map(data):
    part, problems = maps.read_map(CRY_HAVOC, data)
    assert part is None and [problem.code for problem in problems] == ["map.form"]


@pytest.mark.parametrize(
    "data",
    [
        {},
        {
            "size": ["4"],
            "terrain": {},
            "key": [],
            "sides": [],
            "marks": "x",
            "areas": {},
            "labels": 3,
            "look": [],
            "things": "ladder",
        },
        {
            "size": "2 x 1",
            "terrain": ". .",
            "key": {".": None},
            "sides": {"wall": "n"},
            "marks": {"a": {}},
            "labels": [{}],
            "areas": [{}],
        },
        {"size": "99 x 99", "terrain": "\n\n", "look": {"roads": [None, [[]], "0101 x"], "seed": []}},
        {
            "size": "2 x 1",
            "terrain": ". .",
            "key": {".": "flat"},
            "look": {"roads": {"a": "b"}},
            "sides": {"wall": {"n": None, "q": 0}},
        },
    ],
)
def test_no_data_whatever_makes_it_fall(data):
    part, problems = maps.read_map(CRY_HAVOC, data)
    assert part is None and problems


def test_problems_are_shown_with_the_line_and_a_mark_below_the_word():
    _, source, problems = found(replaced("  02  .  s  ~  .", "  02  .  q  ~  ."))
    (located,) = locate(source, problems, WORDS)
    assert (located.line, located.column, located.source_line) == (8, 10, "  02  .  q  ~  .")
    assert "'q' at 0202" in located.message


def test_a_word_of_two_digits_is_a_ground_where_the_row_is_full_without_it():
    text = "map: x\nsize: 2 x 2\nkey: {'01': scrub, '.': flat}\nterrain: |\n  01 .\n  02 . 01\n"
    part, _, problems = found(text)
    assert problems == [] and [ground.id for ground in part.ground.values()] == [
        "scrub",
        "flat",
        "flat",
        "scrub",
    ]
    numbered = text.replace("  01 .\n", "  01 01 .\n")
    assert found(numbered)[0].ground == part.ground


def test_a_numbered_row_that_is_too_short_is_told_without_its_number():
    _, _, problems = found(replaced("  01  .  .  .  .", "  01  .  .  ."))
    assert dict(problems[0].args) == {"row": "01", "found": 3, "wanted": 4}
    _, _, problems = found(replaced("  01  .  .  .  .", "  01  .  .  .  .  ."))
    assert dict(problems[0].args) == {"row": "01", "found": 5, "wanted": 4}


def test_what_would_be_right_is_said():
    def help_of(old, new):
        return found(replaced(old, new))[2][0].help

    assert "scrub" in help_of("s: scrub}", "s: scrob}") and "known are" not in help_of(
        "s: scrub}", "s: scrob}"
    )
    assert help_of("s: scrub}", "s: zzzzzz}").startswith("known are arrow_slit, ballista_hex, ")
    assert "wall" in help_of("  wall:", "  woll:") and "known are" not in help_of("  wall:", "  woll:")
    assert help_of("  wall:", "  zzzzzz:").startswith("known are arch, ")
    assert help_of("  02  .  s  ~  .", "  02  .  zzzzzz  ~  .") == "the key of this map has . s ~"
    assert "scrub" in help_of("  02  .  s  ~  .", "  02  .  scrib  ~  .")


def test_the_number_of_the_drawing_has_nine_digits_at_most():
    assert found(replaced("seed: 7", "seed: 999999999"))[0].look_seed == 999_999_999
    assert wrong(replaced("seed: 7", "seed: 1000000000")) == [("map.seed", 24, 9)]


def test_two_floors_are_one_map_where_something_joins_them():
    tables = {**TABLES, "terrain_cry_havoc": {**TABLES["terrain_cry_havoc"]}}
    rows = dict(tables["terrain_cry_havoc"]["rows"])
    rows["high"] = {**rows["flat"], "id": "high", "floor": "walk"}
    tables["terrain_cry_havoc"]["rows"] = rows
    text = "map: x\nsize: 2 x 1\nterrain: |\n  flat high\n"
    assert [problem.code for problem in found(text, tables)[2]] == ["map.cut-off"]
    assert found(text + "sides: {steps: {se: 0101}}\n", tables)[2] == []
    assert [p.code for p in found(text + "sides: {wall: {se: 0101}}\n", tables)[2]] == ["map.cut-off"]
    assert found(text + "sides: {door: {se: 0101}}\n", tables)[2] == []


def test_a_number_as_a_title_is_a_title():
    assert found(replaced("title: The yard", "title: 1304"))[0].title == "1304"
    assert found(replaced("title: The yard", "title: [a]"))[0].title == "yard"
