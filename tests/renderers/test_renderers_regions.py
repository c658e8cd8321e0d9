"""What is played for and where figures may begin is seen on every map, in words too, and hides nothing that
has to be read.
"""

from __future__ import annotations

import io
import re
from importlib import import_module

import pytest
from msgspec.structs import replace
from pbem.renderers.painted import regions
from pbem.renderers.palette import contrast
from pbem.renderers.themes import THEMES, Theme
from PIL import Image, ImageChops
from scenes import centre, ford

from pbem.core.scene import Region, Scene
from pbem.renderers import png, svg, text

GOAL = Region("goal", "ford", ("0908", "0909", "1008"), ("east", "west"))
ZONE = Region("zone", "west-bank", ("0202", "0203", "0204", "0303"), ("west",))


def bare() -> Scene:
    return replace(ford(), traces=(), tokens=())


def shown(*found: Region) -> Scene:
    return replace(bare(), regions=found)


def picture(scene: Scene, theme: Theme) -> Image.Image:
    return png.picture(scene, width=900, theme=theme)


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_a_place_that_counts_is_drawn_where_it_lies_and_nowhere_else(theme: Theme) -> None:
    """The legend grows at the foot; on the map itself only the region changes."""
    with_it, without = (png.still(scene, width=900, theme=theme) for scene in (shown(GOAL), shown()))
    box = ImageChops.difference(with_it, without).getbbox()
    assert box is not None
    frame = png.framed(shown(), 900, None, theme)
    above = with_it.height - frame.height
    for x, y in ((box[0], box[1]), (box[2], box[3])):
        near = min(abs(x - sx) + abs(y - above - sy) for sx, sy in (frame.spot(centre(at)) for at in GOAL.at))
        assert near < frame.hex * 4


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_its_lines_stand_out_from_their_own_light_rim_on_any_ground(theme: Theme) -> None:
    for region in (GOAL, ZONE, replace(ZONE, sides=("east",))):
        assert contrast(regions.colour_of(region, ford(), theme), theme.halo) >= 3


def test_dashes_and_dots_are_told_apart_without_colours() -> None:
    goal, zone = (
        sum(last - first for first, last in regions.DASHES[kind]) for kind in (regions.GOAL, regions.ZONE)
    )
    assert goal > 2 * zone
    assert len(regions.DASHES[regions.GOAL]) != len(regions.DASHES[regions.ZONE])


def test_the_rim_goes_round_a_region_and_not_through_it() -> None:
    areas = {area.at: area for area in ford().areas}
    assert len(regions.rim([areas["0908"]])) == 6
    assert len(regions.rim([areas["0908"], areas["0909"]])) == 10
    assert len(regions.rim([areas["0908"], areas["0909"], areas["1008"]])) == 12
    assert len(regions.rim([areas["0908"], areas["0202"]])) == 12


def test_the_number_of_a_hex_at_the_rim_is_left_open() -> None:
    (shape,) = regions.shapes(shown(replace(GOAL, at=("0908",))))
    x, y = centre("0908")
    upper = [
        stroke
        for stroke in shape.strokes
        if all(end[1] < y - 350 for end in stroke) and abs(stroke[0][1] - stroke[1][1]) < 5
    ]
    assert upper
    assert all(abs(end[0] - x) > 180 for stroke in upper for end in stroke)


def test_a_name_stands_where_nobody_does() -> None:
    scene = shown(ZONE)
    (free,) = regions.shapes(scene)
    token = next(token for token in ford().tokens if len(token.cells) == 1)
    spot = next(
        at
        for at in ZONE.at
        if abs(centre(at)[0] - free.name[0]) < 10 and 0 < free.name[1] - centre(at)[1] < 600
    )
    held = replace(token, at=(spot,), cells=(centre(spot),))
    (moved,) = regions.shapes(replace(scene, tokens=(held,)))
    assert moved.name != free.name
    everywhere = tuple(replace(token, id=f"x{at}", at=(at,), cells=(centre(at),)) for at in ZONE.at)
    assert regions.shapes(replace(scene, tokens=everywhere))


def test_regions_off_the_map_and_with_odd_names_break_nothing() -> None:
    odd = Region("goal", "<b>\u202e" + "x" * 300, ("9999", "0908"), ("nobody",))
    scene = shown(odd, Region("zone", "none", (), ()), replace(ZONE, kind="elsewhere"))
    assert png.render(scene, width=400)
    drawn = svg.render(scene)
    assert "<b>" not in drawn
    assert "\u202e" not in drawn
    assert text.describe(scene)


def test_the_drawn_map_has_them_too_with_words() -> None:
    drawn = svg.render(shown(GOAL, ZONE))
    assert re.search(r">ford</text>", drawn)
    assert re.search(r">west-bank</text>", drawn)
    assert "played for" in drawn
    assert "begin here" in drawn
    assert "played for" not in svg.render(shown())


def test_maps_in_words_say_what_counts_and_for_whom() -> None:
    said = text.describe(shown(GOAL, ZONE))
    assert (
        "Places that matter\n- ford, which counts for Lord of the Mill and The "
        "Free Company: 0908-0909, 1008\n" in said
    )
    assert "- west-bank, where The Free Company may begin: 0202-0204, 0303\n" in said
    assert "the place called ford" not in said
    assert "Places that matter" not in text.describe(shown())
    assert (
        text.alt(replace(shown(GOAL), title="Toll", subtitle="", summary="Toll, turn 1."))
        == "Map: Toll, turn 1. Played for: ford."
    )
    long = replace(shown(GOAL), title="Toll", subtitle="", summary="Toll, " + "x" * 125)
    assert "Played for" not in text.alt(long)


def test_a_small_picture_with_a_region_is_still_small() -> None:
    data = png.render(shown(GOAL, ZONE), width=400)
    assert Image.open(io.BytesIO(data)).width == 400
    assert len(data) < 150_000


def test_a_region_is_outlined_once_for_a_whole_game_whoever_comes_and_goes() -> None:
    """Its rim is where it was, however often it is shown; looking for it again took most of a replay's time."""
    regions._strokes.cache_clear()
    scenes = [replace(ford(), regions=(GOAL, ZONE), tokens=ford().tokens[:count]) for count in range(5)]
    assert len(import_module("pbem.renderers.board").board(scenes)["frames"]) == 5
    assert regions._strokes.cache_info().misses == 2


def test_the_sides_of_a_large_region_meet_though_their_corners_differ_by_a_rounding() -> None:
    """Every hex of the ford together has a rim that is the border of the map: no side within is left."""
    areas = list(ford().areas)
    shifted = [
        replace(area, corners=tuple((x + n % 3, y - n % 2) for x, y in area.corners))
        for n, area in enumerate(areas)
    ]
    assert len(regions.rim(shifted)) == len(regions.rim(areas)) < len(areas)
