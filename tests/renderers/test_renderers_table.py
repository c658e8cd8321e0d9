"""A table measured in inches is seen as it is: shapes at their angles, bases that look somewhere, what is
measured, names that hide nobody; and is told in words.
"""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from inch_table import HORSE, ROUND, TABLE, area, areas, figure, spot, table, wall
from msgspec.structs import replace
from pbem.renderers.frame import Frame, bounds, whole
from pbem.renderers.laid import away, free, inside, laid, outline, rooms, times
from pbem.renderers.painted import bases, graduation, measured
from pbem.renderers.painted.labels import Plan
from pbem.renderers.seeing import GREY, picture_seen
from pbem.renderers.themes import PARCHMENT, PRINT, THEMES, Theme
from PIL import Image, ImageChops, ImageStat

from pbem.core import scene as scene_module
from pbem.core.scene import TURN, Area, Circle, Measure, Rectangle, Scene, Sector, SideLook, Span
from pbem.geometry import plane
from pbem.renderers import placing, png, svg, text

SVG = "{http://www.w3.org/2000/svg}"
WIDTH = 720
BARE = table(areas=(), tokens=(), things=(), traces=(), sectors=(), spans=(), roads=())


def framed(scene: Scene, width: int = WIDTH) -> Frame:
    return whole(laid(scene), width, png.margin_of(width), PRINT)


def map_of(scene: Scene, theme: Theme = PRINT, width: int = WIDTH) -> Image.Image:
    """Return the picture below its head, without the legend."""
    found = png.still(scene, width=width, theme=theme)
    return found.crop((0, found.height - framed(scene, width).height, width, found.height))


def at(x: float, y: float, width: int = WIDTH) -> tuple[int, int]:
    """Return the pixel so many inches from the left and the lower edge."""
    by = times(BARE)
    px, py = framed(BARE, width).spot(tuple(part * by for part in spot(x, y)))  # type: ignore[arg-type]
    return round(px), round(py)


def changed(scene: Scene, x: float, y: float, theme: Theme = PRINT) -> bool:
    """Tell whether a scene looks otherwise at a place than the empty table does."""
    pixel = at(x, y)
    return map_of(scene, theme).getpixel(pixel) != map_of(BARE, theme).getpixel(pixel)


# --- shapes


def test_an_oblong_that_is_turned_is_painted_within_its_sides_and_nowhere_else() -> None:
    """Ten inches by four, turned by 30 degrees: its ends lie off the axis, and what it would cover unturned is
    left alone.
    """
    field = Area("field", spot(36, 24), (), "crop", form=Rectangle(1000, 400), angle=300)
    scene = table(**{**vars_of(BARE), "areas": (field,)})
    turn = math.radians(30)
    along = math.cos(turn), -math.sin(turn)  # across its facing, to the right and down
    for far, wanted in ((4.4, True), (-4.4, True), (6.0, False), (-6.0, False)):
        assert changed(scene, 36 + along[0] * far, 24 + along[1] * far) is wanted, far
    assert not changed(scene, 40.6, 24.2)
    assert not changed(scene, 31.4, 23.8)


def vars_of(scene: Scene) -> dict[str, object]:
    return {
        name: getattr(scene, name)
        for name in ("areas", "tokens", "things", "traces", "sectors", "spans", "roads")
    }


def test_a_circle_is_painted_as_far_as_its_radius() -> None:
    scene = table(**{**vars_of(BARE), "areas": (Area("pond", spot(36, 24), (), "water", form=Circle(600)),)})
    for turn in range(0, 360, 40):
        x, y = math.sin(math.radians(turn)), math.cos(math.radians(turn))
        assert changed(scene, 36 + x * 5.6, 24 + y * 5.6)
        assert not changed(scene, 36 + x * 6.4, 24 + y * 6.4)


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_a_wall_of_a_castle_stands_where_it_is_turned_in_every_theme(theme: Theme) -> None:
    scene = table(**{**vars_of(BARE), "things": (wall("wall", (36, 24), 12, 450),)})
    assert changed(scene, 39.5, 20.5, theme)
    assert changed(scene, 34.2, 25.8, theme)
    assert not changed(scene, 39.5, 27.5, theme)
    assert not changed(scene, 32.5, 20.5, theme)


def test_a_shape_has_the_corners_that_the_rules_reckon_with() -> None:
    """What is seen is what is measured: up to the rounding of corners to hundredths."""
    for angle in range(0, TURN, 137):
        form = Rectangle(1200, 240)
        seen = outline((3000, 2000), form, angle)
        exact = plane.rectangle(TABLE.place((3000, 2000)), 1200, 240, plane.direction(angle))
        for (x, y), (ex, ey) in zip(seen, exact, strict=True):
            px, py = TABLE.spot(ex, ey)
            assert math.hypot(x - px, y - py) < 1


def test_a_table_is_laid_out_once_and_a_map_of_hexes_never() -> None:
    once = laid(table())
    assert laid(once) == once
    assert times(table()) == 3
    assert bounds(once) == (0, 0, 21600, 14400)
    hexes = replace(table(), measure=None, areas=(), tokens=(), cell=("hex", "hexes"))
    assert not free(hexes)
    assert laid(hexes) is hexes


@pytest.mark.parametrize("size", [(100, 100), (7200, 4800), (900, 4800), (1, 1), (900_000, 20)], ids=str)
def test_tables_of_any_size_are_drawn(size: tuple[int, int]) -> None:
    scene = table(**{**vars_of(BARE), "measure": Measure((0, 0, *size))})
    assert png.render(scene, width=300)
    ET.fromstring(svg.render(scene))


# --- figures


def stamp(
    facing: int | None, shape: str = "round", state: str = "up", form: object = ROUND, reach: float = 0.2
) -> Image.Image:
    found = bases.base(form, shape, "blue", "spear", state, facing, reach, PARCHMENT)  # type: ignore[arg-type]
    sheet = Image.new("RGB", found.size, (178, 194, 128))
    sheet.paste(found, (0, 0), found)
    return picture_seen(sheet, GREY).convert("L")


def unlike(one: Image.Image, other: Image.Image) -> float:
    assert one.size == other.size
    return float(ImageStat.Stat(ImageChops.difference(one, other)).mean[0])


def pixels(one: Image.Image, other: Image.Image) -> int:
    """Return how many pixels differ so much that an eye sees it."""
    return sum(ImageChops.difference(one, other).histogram()[40:])


def test_where_a_base_looks_is_seen_in_grey_and_small() -> None:
    """A base of 24 pixels: each of eight ways differs from its neighbours and from none, and the point lies on
    the side where it looks.
    """
    ways = [stamp(tenths) for tenths in range(0, TURN, 450)]
    for n, way in enumerate(ways):
        assert pixels(way, ways[n - 1]) > 40
        assert pixels(way, stamp(None)) > 20
    east = ways[2]
    middle, half = east.width // 2, round(60 * 0.2)
    right = east.crop((middle + half + 2, middle - 4, middle + half + 6, middle + 4))
    left = east.crop((middle - half - 6, middle - 4, middle - half - 2, middle + 4))
    assert ImageStat.Stat(right).mean[0] < ImageStat.Stat(left).mean[0] - 25


def test_sides_and_states_of_bases_are_told_apart_in_grey() -> None:
    sides = [stamp(0, shape) for shape in ("round", "cut", "square")]
    states = [stamp(0, state=state) for state in ("up", "hurt", "down", "out")]
    for group in (sides, states):
        for n, one in enumerate(group):
            assert all(unlike(one, other) > 1.5 for other in group[:n])


def test_a_rider_is_as_large_as_his_base_and_turned_with_it() -> None:
    scene = table(**{**vars_of(BARE), "tokens": (figure("hugh", "east", "horse", (36, 24), 90, HORSE),)})
    assert changed(scene, 37.1, 24)
    assert changed(scene, 34.9, 24)
    assert not changed(scene, 36, 24.8)


def test_names_of_figures_and_areas_hide_no_figure() -> None:
    scene = laid(table())
    frame = whole(scene, 1400, 22, PARCHMENT)
    picture = Image.new("RGB", (frame.width, frame.height))
    found = measured.rooms_of(measured.names(picture, scene, frame))
    assert len(found) == len(scene.tokens) + len(scene.areas) + len(scene.things) + 2
    for token in scene.tokens:
        x, y = frame.spot(token.cells[0])
        half = bases.half_of(token.form) * 0.4 * frame.scale  # type: ignore[arg-type]
        for left, top, right, low in found:
            assert not (left < x + half and right > x - half and top < y + half and low > y - half), token.id
    for n, one in enumerate(found):
        for other in found[:n]:
            assert not (
                one[0] + 3 < other[2]
                and one[2] > other[0] + 3
                and one[1] + 3 < other[3]
                and one[3] > other[1] + 3
            )


def test_the_name_of_an_area_lies_in_it_and_moves_away_from_who_stands_there() -> None:
    yard = laid(table(areas=(area("green", "courtyard", "green", (20, 20), (40, 20), (40, 30), (20, 30)),)))
    name = measured.area_name(yard.areas[0], 240)
    wide, high = measured.breadth("green", 240, "italic"), 240 * 1.1
    for x, y in name.spots[:30]:
        for dx, dy in ((-1, -1), (1, 1), (1, -1), (-1, 1)):
            assert inside((x + dx * wide * 0.49, y + dy * high * 0.49), yard.areas[0].corners)
    plan = Plan((21600, 14400))
    plate = Image.new("L", (round(wide), round(high)))
    free_ = plan.lay(plate.size, name.spots, 240)
    busy = Plan(plan.size)
    busy.take(free_[0] - 300, free_[1] - 300, free_[0] + 300, free_[1] + 300, measured.BODY)
    moved = busy.lay(plate.size, name.spots, 240)
    assert abs(moved[0] - free_[0]) > 200 or abs(moved[1] - free_[1]) > 200
    assert inside(moved, yard.areas[0].corners)


def test_a_place_too_small_for_letters_is_said_so() -> None:
    assert rooms(((0, 0), (100, 0), (0, 100)), 500, 100) == ()
    assert away((50, 10), ((0, 0), (100, 0), (100, 100), (0, 100))) == 10


# --- what is measured


def test_an_arc_is_washed_within_its_angle_and_its_reach() -> None:
    sector = Sector(spot(20, 24), 1000, "east", 900, 600, inner=200)
    scene = table(**{**vars_of(BARE), "sectors": (sector,)})
    assert changed(scene, 26, 24)
    assert changed(scene, 25, 26)
    for x, y in ((31, 24), (25, 28.5), (21, 24), (15, 24)):
        assert not changed(scene, x, y), (x, y)
    assert changed(table(**{**vars_of(BARE), "sectors": (replace(sector, width=TURN),)}), 15, 24)


def test_a_length_is_written_as_the_rules_reckon_it() -> None:
    scene = laid(table(spans=(Span(spot(3, 4), spot(6, 8), "in reach"),)))
    assert measured.span_words(scene, scene.spans[0]) == '5", in reach'
    assert placing.length(TABLE, 1089.2) == '10.89"'


def test_ticks_are_counted_from_the_left_and_the_lower_edge() -> None:
    found = [tick for tick in graduation.ticks(TABLE, 12, 1) if tick.text]
    low = {tick.text: tick.at[0] for tick in found if tick.at[1] == 4800}
    left = {tick.text: tick.at[1] for tick in found if tick.at[0] == 0}
    assert low == {"12": 1200, "24": 2400, "36": 3600, "48": 4800, "60": 6000}
    assert left == {"12": 3600, "24": 2400, "36": 1200}


def test_the_scale_bar_is_as_long_as_it_says() -> None:
    scene = laid(table())
    assert scene.measure is not None
    for width in (390, 720, 1400, 4000):
        scale = framed(table(), width).scale
        each, count = graduation.scale_bar(scene.measure, scale, width * 0.3)
        assert each * count * scene.measure.unit * scale <= width * 0.3 or count == 1
        assert graduation.scale_words(scene, scene.measure, each * count) == f"{each * count} inches"
    assert (
        graduation.scale_words(replace(scene, scale="1 inch is 2 m"), scene.measure, 1)
        == "1 inch; 1 inch is 2 m"
    )


# --- SVG


def parsed(scene: Scene) -> ET.Element:
    return ET.fromstring(svg.render(scene))


def test_shapes_stay_shapes_in_an_svg() -> None:
    root = parsed(table())
    circles = {tuple(one.get(part) for part in ("cx", "cy", "r")) for one in root.iter(f"{SVG}circle")}
    assert ("18000", "11400", "1800") in circles
    turned = [one for one in root.iter(f"{SVG}rect") if one.get("transform") == "rotate(15 10800 5700)"]
    assert {(one.get("width"), one.get("height")) for one in turned} == {("4500", "3900")}
    corners = {one.get("points") for one in root.iter(f"{SVG}polygon")}
    assert any(points and points.startswith("900,4200 2700,900 ") for points in corners)
    words = {one.text for one in root.iter(f"{SVG}text")}
    assert {"pond", "north-wood", "odo", "4-3-2", "wall-2", '10.89", charge', 'bow 12"', "12 inches"} <= words


# --- words


def test_who_cannot_see_is_told_inches_from_two_edges_where_all_look_and_on_what_they_stand() -> None:
    said = text.render(table())
    assert "The table is 72 inches wide and 48 deep; places are told from its left edge (right)" in said
    assert '- 37" right, 35.2" up: hal, crossbow, 4-3-2, facing north, in yard and wall-2\n' in said
    assert '- 10" right, 37" up: tam, peasant, 4-3-2, in north-wood\n' in said
    assert '- 27" right, 20.5" up: ulf, spear, slain\n' in said
    assert '- hugh moves: 58" right, 15" up to 50" right, 21" up\n' in said
    assert '- alric, 90 degrees facing north-east, 12" (bow 12"): gunter in it\n' in said
    assert '- 24.5" right, 12.5" up to 32" right, 20.4" up: 10.89", charge\n' in said
    assert '- 37.7" right, 35.3" up: wall-2, wall section, 10 clicks left, facing north\n' in said
    assert '- pond: pond from 54" to 66" right, 4" to 16" up\n' in said
    assert said == text.render(laid(table()))


@pytest.mark.parametrize(
    ("angle", "word"),
    [
        (0, "north"),
        (224, "north"),
        (226, "north-east"),
        (900, "east"),
        (1800, "south"),
        (2700, "west"),
        (3599, "north"),
    ],
)
def test_angles_are_told_as_a_compass_has_them(angle: int, word: str) -> None:
    assert placing.compass(angle) == word


def test_a_base_that_an_arc_touches_in_part_is_in_it() -> None:
    sector = Sector(spot(20, 20), 1000, "east", 0, 900)

    def caught(x: float, y: float) -> bool:
        scene = table(tokens=(figure("odo", "west", "spear", (x, y), 0),))
        return bool(placing.within(scene, sector))

    assert caught(20, 30.5)
    assert not caught(20, 30.7)
    assert caught(25.8, 25)
    assert not caught(26.2, 25)
    assert not caught(20, 18)


# --- maps without a grid


def test_areas_with_names_fill_their_corners_and_counters_stand_in_them() -> None:
    """A map of fields, of no unit: nothing is measured, and nothing speaks of hexes or inches."""
    fields = (
        area("meadow", "flat", "meadow", (0, 0), (30, 0), (30, 30), (0, 30)),
        area("copse", "tree", "copse", (30, 0), (60, 10), (60, 30), (30, 30)),
    )
    one = figure("odo", "west", "sergeant", (15, 15), None, state="")
    scene = Scene(
        "Fields",
        "",
        fields,
        tokens=(replace(one, form=None),),
        sides=(SideLook("west", "West", "blue", "round"),),
    )
    assert free(scene)
    picture = map_of(scene)
    frame = framed(scene)
    x, y = frame.spot(laid(scene).tokens[0].cells[0])
    assert picture.getpixel((round(x), round(y))) != PRINT.ground("flat")[0]
    assert png.still(scene, width=WIDTH)
    words = {one_.text for one_ in parsed(scene).iter(f"{SVG}text")}
    assert {"meadow", "copse"} <= words
    assert not any(word and ("hex" in word or "inch" in word) for word in words)
    assert "inch" not in text.render(scene)


def test_hostile_names_stay_names() -> None:
    word = '</text><script>x</script>"\u202e'
    scene = table(
        areas=(replace(areas()[0], at=word, name=word),),
        tokens=(replace(table().tokens[0], id=word, name=word),),
        things=(replace(table().things[0], id=word, kind=word, description=word),),
        spans=(Span((0, 0), (100, 100), word),),
        sectors=(Sector((0, 0), 100, text=word, of=word),),
    )
    assert png.render(scene, width=300)
    drawn = svg.render(scene)
    assert "<script" not in drawn
    assert "\u202e" not in drawn
    ET.fromstring(drawn)


def test_the_scene_in_the_documents_can_be_drawn() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs/formats.md").read_text("utf-8")
    block = page.split("## 9. ")[1].split("```python\n")[1].split("```")[0]
    names = {name: getattr(scene_module, name) for name in dir(scene_module)}
    scene = eval(block, names)  # our own page
    said = text.render(scene)
    assert '- 37" right, 35.2" up: hal, crossbow, facing north, in wall-2' in said
    assert '- pond: pond from 54" to 66" right, 4" to 16" up' in said
    ET.fromstring(svg.render(scene))


def test_a_window_says_which_part_of_the_table_it_shows_and_counts_at_its_own_edges() -> None:
    (window,) = png.render_crops(table(traces=table().traces[:1], sectors=(), spans=()), width=300)
    assert re.fullmatch(
        r'Detail, [0-9.]+" right, [0-9.]+" up to [0-9.]+" right, [0-9.]+" up: hugh', window.alt
    )
    left, top, right, low = window.box
    assert left < spot(50, 21)[0] < right and top < spot(50, 21)[1] < low
    found = [tick for tick in graduation.ticks(TABLE, 2, 1, window.box) if tick.text]
    assert {tick.at[1] for tick in found if tick.inward[1] == -1} == {low}
    assert all(left <= tick.at[0] <= right and top <= tick.at[1] <= low for tick in found)
