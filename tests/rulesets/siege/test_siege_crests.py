"""Edges of slopes: how far, which of the two stands lower, and lines that run along an edge or touch it."""

from __future__ import annotations

import pytest
import siege_range as on_range
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.core.problem import Problem
from pbem.rulesets.siege.combat import aiming
from pbem.rulesets.siege.sight import cover, crests, lines
from pbem.rulesets.siege.sight.crests import Crossing
from pbem.rulesets.siege.state.line import Aim
from pbem.rulesets.siege.state.state import Battle

PEOPLE = {"alric": on_range.person("alric", "long_bow"), "wulf": on_range.person("wulf", "long_bow")}
RULES = on_range.rules()
BOTH = on_range.rules(line_on_hex_edge="both_hexes_block")


def battle(here: str, there: str, crest: dict[str, str], **ground: str) -> Battle:
    units = (on_range.unit("alric", "east", here), on_range.unit("wulf", "west", there))
    return on_range.battle(
        "t1.east.first_missile", *units, people=PEOPLE, ground=ground, sides={"crest": crest}
    )


def aim(now: Battle, rules=RULES) -> Aim | Problem:
    return aiming.aim(rules, now, now.units["alric"], now.units["wulf"])


def ways(now: Battle, rules=RULES) -> tuple[tuple[Crossing, ...], ...]:
    return crests.ways(rules, now, lines.line(rules, now, now.units["alric"], now.units["wulf"]))


def test_a_crest_that_bars_is_named():
    args = {"unit": "alric", "target": "wulf", "side": "0504 n"}
    help_ = (
        "the lower of the two must be at least as far from the edge as the higher, or stand on a slope; "
        "nobody sees over a hill"
    )
    assert aim(battle("0501", "0504", {"s": "0503"})) == Problem(
        "line_of_fire.crest", args, rule="S3.23c", help=help_
    )


@pytest.mark.parametrize("high", range(1, 8))
@pytest.mark.parametrize("low", range(1, 5))
def test_the_lower_figure_is_at_least_as_far_from_the_edge_as_the_higher(high, low):
    here, there = f"05{8 - high:02}", f"05{7 + low:02}"
    free = low >= high - 1
    assert [
        isinstance(aim(battle(*ends, {"s": "0507"})), Aim) for ends in ((here, there), (there, here))
    ] == [free, free]
    assert isinstance(aim(battle(here, there, {"s": "0507"}, slope=there)), Aim)
    assert isinstance(aim(battle(here, there, {"s": "0507"}, slope=here)), Aim) == free


@pytest.mark.parametrize(
    ("crest", "free"),
    [
        ({"n": "0504", "s": "0506"}, False),
        ({"s": "0503", "n": "0507"}, True),
        ({"n": "0503 0505 0507"}, False),
        ({"s": "0502 0503 0504"}, True),
        ({"s": "0502", "n": "0507 0508"}, True),
        ({"s": "0502 0503", "n": "0508"}, True),
    ],
)
def test_who_is_lower_is_told_by_the_edges_on_the_way(crest, free):
    assert isinstance(aim(battle("0501", "0509", crest)), Aim) == free


def test_beside_a_crest_nothing_is_hidden():
    now = battle("0501", "0504", {"s": "0403 0603", "n": "0505"})
    assert (
        crests.crossed(RULES, now, lines.line(RULES, now, now.units["alric"], now.units["wulf"]))
        == frozenset()
    )
    assert isinstance(aim(now), Aim)


def test_other_things_on_hexsides_are_no_edges():
    units = (on_range.unit("alric", "east", "0501"), on_range.unit("wulf", "west", "0506"))
    sides = {"crest": {"s": "0503"}, "arch": {"s": "0502"}}
    now = on_range.battle("t1.east.first_missile", *units, people=PEOPLE, sides=sides)
    assert ways(now) == ((Crossing("0504 n", "0503", -1),),)
    assert isinstance(aim(now), Aim)


def test_along_the_border_of_two_hexes_a_hill_on_either_side_hides_and_by_the_option_only_one_on_both():
    """0505 to 0705 runs on the border of 0604 and 0605."""
    hill = dict.fromkeys(("n", "ne", "se", "s", "sw", "nw"), "0604")
    one = battle("0505", "0705", hill)
    assert {tuple(crossing.way for crossing in way) for way in ways(one)} == {(), (1, -1)}
    assert isinstance(aim(one), Problem)
    assert isinstance(aim(one, BOTH), Aim)
    both = battle(
        "0505", "0705", {"ne": "0604 0605", "nw": "0604 0605", "se": "0604 0605", "sw": "0604 0605"}
    )
    assert isinstance(aim(both), Problem)
    assert isinstance(aim(both, BOTH), Problem)


def test_a_hill_that_is_touched_in_a_corner_hides_but_not_by_the_option():
    """0505 to 0609 touches 0606 in a corner."""
    hill = dict.fromkeys(("n", "ne", "se", "s", "sw", "nw"), "0606")
    now = battle("0505", "0609", hill)
    assert {tuple(crossing.way for crossing in way) for way in ways(now)} == {(), (1, -1)}
    assert isinstance(aim(now), Problem)
    assert ways(now, BOTH) == ((),)
    assert isinstance(aim(now, BOTH), Aim)


def test_at_the_edge_of_the_map_a_line_along_a_border_has_one_side():
    now = battle("0101", "0301", {"nw": "0201"})
    assert ways(now) == ways(now, BOTH) == ((Crossing("0101 se", "0201", 1),),)
    assert isinstance(aim(now), Aim)


def test_an_edge_covers_on_both_its_sides_and_a_slope_only_against_what_crosses_an_edge():
    def class_(here, there, **ground):
        now = battle(here, there, {"s": "0504"}, **ground)
        alric, wulf = now.units["alric"], now.units["wulf"]
        return cover.cover(RULES, now, alric, wulf, lines.line(RULES, now, alric, wulf))

    assert class_("0508", "0504") == ("light", "S3.23e")
    assert class_("0501", "0505") == ("light", "S3.23e")
    assert class_("0501", "0505", slope="0505") == ("medium", "S1.3f")
    assert class_("0501", "0506", slope="0506") == ("medium", "S1.3f")
    assert class_("0508", "0505", slope="0505") == ("none", "S1.3f")
    assert class_("0508", "0503") == ("none", "S1.3f")


HEX = st.builds("{:02}{:02}".format, st.integers(1, 10), st.integers(1, 10))
SIDE = st.sampled_from(("n", "ne", "se", "s", "sw", "nw"))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(HEX, min_size=2, max_size=2, unique=True),
    st.dictionaries(SIDE, HEX, max_size=5),
    st.lists(HEX, max_size=6),
    st.booleans(),
)
def test_what_a_crest_hides_is_hidden_both_ways(ends, crest, slopes, both):
    rules = BOTH if both else RULES
    found = [
        aim(battle(*there_or_back, crest, slope=" ".join(slopes)), rules)
        for there_or_back in (ends, ends[::-1])
    ]
    assert isinstance(found[0], Aim) == isinstance(found[1], Aim)


@settings(max_examples=60, deadline=None)
@given(st.lists(HEX, min_size=2, max_size=2, unique=True), st.dictionaries(SIDE, HEX, max_size=5))
def test_what_is_seen_where_touching_counts_is_seen_where_it_does_not(ends, crest):
    now = battle(*ends, crest)
    if isinstance(aim(now), Aim):
        assert isinstance(aim(now, BOTH), Aim)
