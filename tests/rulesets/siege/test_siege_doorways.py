"""Doorways as shapes: which sides are open, where their middle is, which way is in; and what lines through
them are made of.
"""

from __future__ import annotations

import pytest
import siege_range as on_range
from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.geometry.sight import Point
from pbem.rulesets.siege.combat import aiming
from pbem.rulesets.siege.ground import doorways
from pbem.rulesets.siege.sight import cover, crossfire, lines, openings
from pbem.rulesets.siege.state.line import Aim, Opening
from pbem.rulesets.siege.state.state import Battle

PEOPLE = {
    "alric": on_range.person("alric", "short_bow"),
    "emma": on_range.person("emma", "short_bow"),
    "wulf": on_range.person("wulf"),
}
RULES = on_range.rules()
ANY = on_range.rules(line_of_fire="any_part")
WALL = "0405 0605"


def battle(here: str = "0503", there: str = "0508", **where: object) -> Battle:
    """Return alric, who shoots, and wulf, who is shot at."""
    units = (on_range.unit("alric", "east", here), on_range.unit("wulf", "west", there))
    return on_range.battle("t1.east.first_missile", *units, people=PEOPLE, **where)


def ground(**more: str) -> dict[str, str]:
    """Return a doorway in 0505 with a wall on both sides."""
    return {"doorway": "0505", "building_wall": WALL, **more}


def aim(now: Battle, rules=RULES) -> Aim | Problem:
    return aiming.aim(rules, now, now.units["alric"], now.units["wulf"])


# --- faces


def test_a_doorway_between_walls_has_two_faces():
    assert doorways.faces(battle(ground=ground()), "0505") == (("nw", "n", "ne"), ("s",))


def test_a_doorway_in_the_open_has_one_face_all_round():
    assert doorways.faces(battle(ground={"doorway": "0505"}), "0505") == (("n", "ne", "se", "s", "sw", "nw"),)


def test_a_doorway_walled_up_has_none():
    around = "0504 0604 0605 0506 0405 0404"
    now = battle(ground={"doorway": "0505", "building_wall": around})
    assert doorways.faces(now, "0505") == ()
    assert doorways.face_toward(now, "0505", "0508") == ()
    assert doorways.inner_depth(now, "0505") == 0


def test_walls_on_hexsides_and_the_edge_of_the_map_close_a_face_and_so_does_the_next_part_of_the_gate():
    now = battle(
        ground={"gateway": "0505 0605", "doorway": "0101"},
        sides={"wall": {"sw": "0505"}, "window": {"s": "0505"}},
    )
    assert doorways.faces(now, "0505") == (("nw", "n", "ne"), ("s",))
    assert doorways.faces(now, "0101") == (("se", "s"),)


@pytest.mark.parametrize(
    ("face", "part"),
    [
        (("s",), "s"),
        (("n", "ne"), "n-ne"),
        (("nw", "n"), "nw-n"),
        (("nw", "n", "ne"), "n"),
        (("sw", "nw", "n", "ne"), "nw-n"),
        (("se", "s", "sw", "nw", "n"), "sw"),
        (("n", "ne", "se", "s", "sw", "nw"), "centre"),
    ],
)
def test_the_middle_of_a_face(face, part):
    assert doorways.middle(face) == part


def test_the_face_toward_a_hex_is_the_nearest_and_of_two_as_near_the_first():
    now = battle(ground={"doorway": "0505", "building_wall": "0405 0605"})
    assert doorways.face_toward(now, "0505", "0509") == ("s",)
    assert doorways.face_toward(now, "0505", "0109") == ("s",)
    assert doorways.face_toward(now, "0505", "0705") == ("nw", "n", "ne")


# --- inside


def test_a_room_lies_further_in_than_a_court_and_that_further_than_the_open():
    now = battle(
        ground={
            "building_interior": "0101",
            "courtyard": "0102",
            "furniture": "0103",
            "spiral_stairs": "0104",
        }
    )
    assert [doorways.depth(now, hex_) for hex_ in ("0101", "0102", "0103", "0104", "0105")] == [2, 1, 2, 2, 0]


def test_areas_of_the_map_tell_what_the_ground_does_not():
    now = battle(ground={"stairs": "0101", "building_interior": "0104"})
    field = replace(
        now.field,
        areas={"barn": ("0101", "0102"), "yard": ("0103", "0104")},
        area_kinds={"barn": "house", "yard": "court"},
    )
    now = now.changed(field=field)
    assert [doorways.depth(now, hex_) for hex_ in ("0101", "0102", "0103", "0104", "0105")] == [2, 2, 1, 2, 0]


@pytest.mark.parametrize(
    ("north", "south", "inner"),
    [
        ("building_interior", "flat", "north"),
        ("flat", "building_interior", "south"),
        ("building_interior", "courtyard", "north"),
        ("flat", "courtyard", "south"),
        ("building_interior", "building_interior", "north"),
        ("flat", "flat", "north"),
    ],
)
def test_inside_is_the_face_that_gives_on_what_lies_further_in(north, south, inner):
    around = {north: "0404 0504 0604"}
    around[south] = f"{around.get(south, '')} 0506".strip()
    now = battle(ground=ground(**around))
    ways = {"0504": "north", "0501": "north", "0506": "south", "0509": "south"}
    found = {hex_: doorways.way_in(now, "0505", hex_) for hex_ in ways}
    assert found == {hex_: "inside" if way == inner else "outside" for hex_, way in ways.items()}


def test_how_far_in_an_opening_leads():
    now = battle(
        ground=ground(building_interior="0504", courtyard="0803"), sides={"door": {"s": "0504 0803 0902"}}
    )
    assert doorways.inner_depth(now, "0505") == 2
    assert [doorways.inner_depth(now, key) for key in ("0505 n", "0804 n", "0903 n")] == [2, 1, 0]


# --- lines


def test_a_shot_out_of_a_doorway_begins_in_the_middle_of_its_face():
    house, alone = ground(), {"doorway": "0505"}
    battles = (
        battle("0505", "0708", ground=house),
        battle("0505", "0501", ground=house),
        battle("0505", "0501", ground=alone),
    )
    out, in_, away = (lines.line(RULES, now, now.units["alric"], now.units["wulf"]) for now in battles)
    assert [line.track.start for line in (out, in_, away)] == [
        Point("0505", "s"),
        Point("0505", "n"),
        Point("0505"),
    ]
    assert out.track.end == Point("0708")


def test_out_of_a_doorway_that_is_walled_up_it_begins_in_the_centre():
    now = battle("0505", "0508", ground={"doorway": "0505", "building_wall": "0504 0604 0605 0506 0405 0404"})
    assert lines.from_the_middle(now, "0505", "0508") == ()
    found = aim(now)
    assert isinstance(found, Problem) and found.code == "line_of_fire.ground"


def test_who_stands_at_a_door_on_a_hexside_shoots_out_by_it_only_if_the_target_lies_that_way():
    sides = {"door": {"s": "0503"}}
    for here, there, parts in (
        ("0503", "0506", ["s"]), ("0504", "0501", ["n"]), ("0503", "0501", ["centre"]), ("0503", "0703", ["centre"]),
        ("0503", "0705", ["s", "centre"]),
    ):  # fmt: skip
        now = battle(here, there, sides=sides)
        assert [
            line.track.start.part for line in lines.lines(RULES, now, now.units["alric"], now.units["wulf"])
        ] == parts


def test_by_the_option_the_other_parts_of_the_hex_are_tried_after_the_opening():
    now = battle("0503", "0506", sides={"door": {"s": "0503"}})
    parts = [line.track.start.part for line in lines.lines(ANY, now, now.units["alric"], now.units["wulf"])]
    assert parts[0] == "s"
    assert "n" not in parts[1:] and "centre" not in parts
    assert [
        line.track.start.part for line in lines.lines(RULES, now, now.units["alric"], now.units["wulf"])
    ] == ["s"]


def test_openings_are_told_with_what_they_are():
    now = battle(
        "0501",
        "0509",
        ground={"doorway": "0503"},
        sides={"window": {"s": "0506"}, "wall": {"s": "0401"}, "door": {"n": "0503"}},
    )
    line = lines.line(RULES, now, now.units["alric"], now.units["wulf"])
    assert openings.openings(now, line) == (
        Opening("0503", "doorway", "medium", 0),
        Opening("0507 n", "window", "medium", 0),
    )
    assert line.sides == ("0503 n", "0507 n")


def test_nobody_shoots_through_a_doorway_on_another_level():
    now = battle(ground=ground())
    raised = {hex_: replace(now.field.ground[hex_], level=1) for hex_ in ("0503", "0508")}
    now = now.changed(field=replace(now.field, ground={**now.field.ground, **raised}))
    args = {"unit": "alric", "target": "wulf", "where": "0505", "opening": "doorway"}
    assert aim(now) == Problem("line_of_fire.doorway-level", args, rule="S1.43a")


def test_through_two_openings_the_second_is_named():
    found = aim(battle("0501", "0509", ground={"doorway": "0503"}, sides={"window": {"s": "0506"}}))
    args = {"unit": "alric", "target": "wulf", "where": "0507 n", "opening": "window"}
    help_ = "one shot goes through one doorway, gateway or window"
    assert found == Problem("line_of_fire.two-openings", args, rule="EN1.43b", help=help_)


# --- cover and crossfire


def test_on_a_horse_half_in_a_doorway_the_doorway_shelters():
    now = battle("0503", "0504", ground=ground(building_interior="0501 0502 0503 0504"))
    now = now.with_units(replace(now.units["wulf"], at=("0504", "0505")))
    line = lines.line(RULES, now, now.units["alric"], now.units["wulf"])
    assert (line.end, cover.cover(RULES, now, now.units["alric"], now.units["wulf"], line)) == (
        "0504",
        ("medium", "S1.53a"),
    )


def test_a_crossfire_counts_who_may_shoot_now_and_reaches_him():
    rooms = {**ground(building_interior="0501 0502 0503 0504"), "tree": "0507"}
    units = {"alric": "0503", "emma": "0508"}
    people = {**PEOPLE, "bill": on_range.person("bill")}

    def counted(phase="t1.east.first_missile", **more):
        found = [on_range.unit(id_, "east", at, **more.get(id_, {})) for id_, at in units.items()]
        now = on_range.battle(
            phase, *found, on_range.unit("wulf", "west", "0505"), people=people, ground=rooms
        )
        return crossfire.sides(RULES, now, now.units["wulf"])

    assert counted() == {"inside": 1, "outside": 0}
    units["emma"] = "0506"
    assert counted() == {"inside": 1, "outside": 1}
    assert counted(alric={"state": "stunned"}) == {"inside": 0, "outside": 1}
    assert counted(alric={"left": True}) == {"inside": 0, "outside": 1}
    assert counted(emma={"person": "bill"}) == {"inside": 1, "outside": 0}
    assert counted("t1.west.first_missile") == {"inside": 0, "outside": 0}


def test_a_crossfire_reaches_no_further_than_the_weapon():
    last = on_range.TABLES["ranges_and_modifiers"]["weapons"]["short_bow"]["bands"][-1][-1]

    def counted(hexes):
        units = (on_range.unit("alric", "east", f"{5 + hexes:02}05"), on_range.unit("wulf", "west", "0505"))
        now = on_range.battle(
            "t1.east.first_missile", *units, people=PEOPLE, ground={"doorway": "0505"}, rows=40
        )
        return crossfire.sides(RULES, now, now.units["wulf"])

    assert [counted(hexes) for hexes in (last, last + 1)] == [
        {"inside": 1, "outside": 0},
        {"inside": 0, "outside": 0},
    ]


def test_a_crossfire_passes_no_wall_and_no_edge_that_hides():
    def counted(**sides):
        units = (on_range.unit("alric", "east", "0508"), on_range.unit("wulf", "west", "0505"))
        now = on_range.battle("t1.east.first_missile", *units, people=PEOPLE, ground=ground(), sides=sides)
        return (
            crossfire.sides(RULES, now, now.units["wulf"])["inside"]
            + crossfire.sides(RULES, now, now.units["wulf"])["outside"]
        )

    assert counted() == 1
    assert counted(window={"s": "0506"}) == 1
    assert counted(wall={"s": "0506"}) == 0
    assert counted(crest={"n": "0506"}) == 0
    assert counted(crest={"s": "0505"}) == 1


@pytest.mark.parametrize(
    ("inside", "outside", "side"), [(2, 1, "inside"), (1, 1, "outside"), (1, 2, "outside")]
)
def test_the_side_with_more_shooters_is_the_default(inside, outside, side):
    assert crossfire.default({"inside": inside, "outside": outside}) == side


def test_what_was_settled_holds():
    now = battle(there="0505", ground=ground())
    now = now.with_units(replace(now.units["wulf"], shelter="outside"))
    assert crossfire.sheltered(RULES, now, now.units["wulf"]) == "outside"
    assert crossfire.sheltered(RULES, now, replace(now.units["wulf"], shelter="")) == ""
