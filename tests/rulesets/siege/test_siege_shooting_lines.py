"""What lies between shooter and target: lines on hex edges, walls and doorways, and that a shot can be
returned.
"""

from __future__ import annotations

import siege_range as on_range
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.core.problem import Problem
from pbem.rulesets.siege.combat import aiming
from pbem.rulesets.siege.sight import cover, line_of_fire, lines
from pbem.rulesets.siege.state.line import Aim, Line
from pbem.rulesets.siege.state.state import Battle

PEOPLE = {
    "alric": on_range.person("alric", "short_bow"),
    "colin": on_range.person("colin", "crossbow"),
    **{id_: on_range.person(id_) for id_ in ("hob", "tam", "wulf")},
}
RULES = on_range.rules()
BOTH = on_range.rules(line_on_hex_edge="both_hexes_block")
ANY = on_range.rules(line_of_fire="any_part")


def battle(shooter: str, here: str, there: str, *others: str, **where: object) -> Battle:
    """Return a battle of a shooter, wulf as his target, and friends of his."""
    friends = [on_range.unit(id_, "east", at) for id_, at in zip(("hob", "tam"), others, strict=False)]
    units = (on_range.unit(shooter, "east", here), on_range.unit("wulf", "west", there), *friends)
    return on_range.battle("t1.east.first_missile", *units, people=PEOPLE, **where)


def aim(now: Battle, rules=RULES) -> Aim | Problem:
    shooter = next(unit for unit in now.units.values() if unit.id in ("alric", "colin"))
    return aiming.aim(rules, now, shooter, now.units["wulf"])


def line(now: Battle, rules=RULES) -> Line:
    shooter = next(unit for unit in now.units.values() if unit.id in ("alric", "colin"))
    return lines.line(rules, now, shooter, now.units["wulf"])


# --- what a line meets


def test_a_line_meets_what_is_not_plain_strictly_between():
    now = battle(
        "alric",
        "0501",
        "0509",
        "0504",
        ground={"scrub": "0502 0402", "ford": "0506", "slope": "0508 0509", "tree": "0501"},
    )
    assert line(now).met == (("0502",), ("0504",), ("0508",))
    assert line(now).hexes == ("0501", "0502", "0503", "0504", "0505", "0506", "0507", "0508", "0509")


def test_along_a_border_both_hexes_are_met():
    now = battle("alric", "0105", "0505", "0204", ground={"scrub": "0205 0404"})
    assert sorted(line(now).met) == [("0204",), ("0205",), ("0404",)]
    assert line(now).met[-1] == ("0404",)
    assert {frozenset(group) for group in line(now, BOTH).met} == {frozenset(("0204", "0205"))}


def test_a_border_at_the_edge_of_the_map_has_one_hex():
    now = battle("alric", "0101", "0301", ground={"tree": "0201"})
    assert line(now).met == (("0201",),)
    assert line(now, BOTH).met == ()


# --- what bars


def test_ground_is_named_before_figures():
    found = aim(battle("colin", "0501", "0509", "0503", ground={"tree": "0506"}))
    assert found == Problem(
        "line_of_fire.ground",
        {"unit": "colin", "target": "wulf", "terrain": "trees", "hex": "0506"},
        rule="S3.22a",
    )


def test_the_first_figure_in_the_way_is_named():
    found = aim(battle("colin", "0501", "0509", "0507", "0503"))
    assert found == Problem(
        "line_of_fire.figure",
        {"unit": "colin", "target": "wulf", "other": "tam", "hex": "0503"},
        rule="S1.42a",
        help="a crossbow never shoots over a living figure",
    )


def test_a_bowman_is_told_when_he_may_shoot_over_others():
    found = aim(battle("alric", "0501", "0509", "0507"))
    assert isinstance(found, Problem)
    assert (
        found.help
        == "a bow shoots over others only at medium or long range, at a target in no cover or light cover"
    )


def test_range_and_cover_must_both_allow_a_shot_over_others():
    every = [(band, class_) for band in ("short", "medium", "long") for class_ in cover.CLASSES]
    allowed = [pair for pair in every if line_of_fire.may_shoot_over(*pair)]
    assert allowed == [("medium", "none"), ("medium", "light"), ("long", "none"), ("long", "light")]


def test_a_house_is_a_wall_and_other_ground_that_hides_has_the_general_rule():
    assert [
        aim(battle("alric", "0501", "0509", ground={kind: "0505"})).rule
        for kind in ("house", "building_wall", "wagon")
    ] == ["S1.56a", "S1.56a", "S1.41c"]


def test_where_both_hexes_must_bar_a_tree_and_a_figure_do_so_together():
    now = battle("colin", "0105", "0305", "0205", ground={"tree": "0204"})
    found = aim(now, BOTH)
    assert isinstance(found, Problem)
    assert (found.code, found.args["hex"]) == ("line_of_fire.ground", "0204")
    other = battle("colin", "0105", "0305", "0204", ground={"tree": "0205"})
    found = aim(other, BOTH)
    assert isinstance(found, Problem)
    assert (found.code, found.args["hex"]) == ("line_of_fire.figure", "0204")
    assert isinstance(aim(battle("colin", "0105", "0305", "0204"), BOTH), Aim)
    assert isinstance(aim(battle("colin", "0105", "0305", ground={"tree": "0205"}), BOTH), Aim)


def test_who_is_shot_over_where_both_hexes_must_bar():
    one = battle("alric", "0105", "1305", "0204", columns=20)
    two = battle("alric", "0105", "1305", "0204", "0205", columns=20)
    shot = [line_of_fire.over(rules, now, line(now, rules)) for rules in (RULES, BOTH) for now in (one, two)]
    assert [set(ids) for ids in shot] == [{"hob"}, {"hob", "tam"}, set(), {"hob", "tam"}]


def test_the_stunned_are_not_shot_over_where_they_do_not_count():
    friend = on_range.unit("hob", "east", "0601", "stunned")
    units = (on_range.unit("alric", "east", "0101"), friend, on_range.unit("wulf", "west", "1201"))
    now = on_range.battle("t1.east.first_missile", *units, people=PEOPLE)
    ignored = on_range.rules(stunned_blocks_fire="false")
    assert line_of_fire.over(RULES, now, line(now)) == ("hob",)
    assert line_of_fire.over(ignored, now, line(now, ignored)) == ()


# --- any part of the hexes


def test_by_the_option_the_first_free_line_is_taken():
    now = battle("colin", "0105", "0305", ground={"tree": "0204"})
    assert isinstance(aim(now), Problem)
    found = aim(now, ANY)
    assert isinstance(found, Aim)
    assert found.line.met == ()
    assert found.line.range == 2


def test_by_the_option_the_line_from_centre_to_centre_tells_why_none_is_free():
    now = battle("colin", "0105", "0305", ground={"tree": "0204 0205"})
    found = aim(now, ANY)
    assert found == aim(now)
    assert isinstance(found, Problem)
    assert found.args["hex"] in ("0204", "0205")


def test_by_the_option_an_open_field_is_shot_over_from_centre_to_centre():
    found = aim(battle("colin", "0105", "0305"), ANY)
    assert isinstance(found, Aim)
    assert found.line.track.start.part == "centre"


# --- walls, doorways, cover


def test_cover_classes_ascend():
    assert [cover.rank(class_) for class_ in ("none", "light", "medium", "heavy", "infinite")] == [
        0,
        1,
        2,
        3,
        4,
    ]
    assert [class_ for class_ in cover.CLASSES if cover.untouchable(class_)] == ["infinite"]


def test_cover_of_ground_that_depends_on_the_shot_is_none_by_itself():
    now = battle("alric", "0501", "0505", ground={"building_interior": "0505", "doorway": "0506"})
    assert cover.of_ground(RULES, now, "0505") == "none"
    assert cover.of_ground(RULES, now, "0506") == "medium"


def test_a_wall_is_named_by_its_hexside():
    found = aim(battle("alric", "0501", "0507", sides={"wall": {"n": "0504"}}))
    assert found == Problem(
        "cover.wall", {"unit": "alric", "target": "wulf", "hex": "0507", "side": "0504 n"}, rule="S1.56a"
    )


def test_ground_that_covers_wholly_is_no_wall():
    found = aim(battle("alric", "0501", "0505", ground={"house": "0505"}))
    assert found == Problem(
        "cover.infinite", {"unit": "alric", "target": "wulf", "hex": "0505"}, rule="S1.1l"
    )


def test_scrub_covers_no_better_than_the_ground_of_the_target():
    behind = aim(battle("alric", "0501", "0505", ground={"scrub": "0503"}))
    at_corner = aim(battle("alric", "0501", "0505", ground={"scrub": "0503", "building_corner": "0505"}))
    in_trees = aim(battle("alric", "0501", "0505", ground={"scrub": "0503", "tree": "0505"}))
    assert [(found.cover, found.cover_rule) for found in (behind, at_corner, in_trees)] == [
        ("light", "S3.21b"),
        ("medium", "S1.3f"),
        ("light", "S1.3f"),
    ]


def test_only_the_man_right_outside_the_doorway_he_is_shot_at_through_is_covered_by_it():
    sides = {"door": {"s": "0503"}, "wall": {"se": "0503", "sw": "0503"}}
    through = aim(battle("alric", "0501", "0504", sides=sides))
    beyond = aim(battle("alric", "0501", "0505", sides=sides))
    from_outside = aim(battle("alric", "0508", "0504", sides=sides))
    into_the_room = aim(battle("alric", "0508", "0503", sides=sides))
    assert [(found.cover, found.cover_rule) for found in (through, beyond, from_outside, into_the_room)] == [
        ("medium", "EN1.53a"),
        ("none", "S1.3f"),
        ("none", "S1.3f"),
        ("none", "S1.3f"),
    ]


def test_an_archway_is_a_doorway_and_steps_are_none():
    arch = aim(battle("alric", "0501", "0504", sides={"arch": {"s": "0503"}}))
    steps = aim(battle("alric", "0501", "0504", sides={"steps": {"s": "0503"}}))
    assert (arch.cover, steps.cover) == ("medium", "none")


# --- laws


HEX = st.builds("{:02}{:02}".format, st.integers(1, 12), st.integers(1, 10))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(HEX, min_size=4, max_size=4, unique=True),
    st.lists(HEX, max_size=12),
    st.lists(HEX, max_size=12),
    st.sampled_from((RULES, BOTH)),
)
def test_what_bars_a_shot_bars_the_one_that_answers_it(places, trees, scrub, rules):
    ground = {"scrub": " ".join(scrub), "tree": " ".join(trees)}
    here, there, *friends = places
    there_and_back = [
        battle("colin", *ends, *friends, columns=12, rows=10, ground=ground)
        for ends in ((here, there), (there, here))
    ]
    found = [aim(now, rules) for now in there_and_back]
    assert isinstance(found[0], Aim) == isinstance(found[1], Aim)


@settings(max_examples=60, deadline=None)
@given(st.lists(HEX, min_size=3, max_size=3, unique=True), st.lists(HEX, max_size=20))
def test_whoever_is_free_where_one_hex_bars_is_free_where_both_must(places, trees):
    now = battle("colin", *places, columns=12, rows=10, ground={"tree": " ".join(trees)})
    if isinstance(aim(now), Aim):
        assert isinstance(aim(now, BOTH), Aim)
        assert isinstance(aim(now, ANY), Aim)
