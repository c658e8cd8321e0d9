"""Themes: what is written can be read, by number; what means something stays apart for all eyes and on a
copier, by simulation.
"""

from __future__ import annotations

import random
from functools import cache
from itertools import combinations

import pytest
from castles import castle
from msgspec.structs import replace
from pbem.renderers.painted import (
    action,
    arrows,
    base,
    counters,
    engines,
    fields,
    figures,
    flat,
    labels,
    roofs,
    shores,
)
from pbem.renderers.painted.pens import pen, toned
from pbem.renderers.palette import Colour, contrast, mix
from pbem.renderers.themes import CONTRAST, PARCHMENT, PRINT, THEMES, Theme, theme_of
from PIL import Image, ImageChops, ImageDraw, ImageStat
from scenes import areas, centre, corners, ford, path, token

from pbem.core.scene import Area, Scene, Trace
from pbem.renderers import frame, keeping, palette, png, seeing, ways

LEAST = {"parchment": 4.5, "print": 4.5, "contrast": 7.0}
"""Contrast (WCAG 2) of everything that is written: AA, and AAA where the theme is for weak eyes."""
ALL = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
HEX = tuple((x - centre("0101")[0], y - centre("0101")[1]) for x, y in corners("0101"))
LOOKS = (*palette.GROUNDS, "rubble", "fire")


def test_themes_are_named_and_told_apart_by_their_names():
    assert list(THEMES) == ["parchment", "print", "contrast"]
    assert theme_of("print") is PRINT
    assert len({PARCHMENT, PRINT, CONTRAST, replace(PRINT, page=(1, 2, 3))}) == 3
    with pytest.raises(KeyError):
        theme_of("neon")
    for theme in THEMES.values():
        assert theme.sides.keys() == palette.SIDES.keys()
        assert theme.grounds.keys() == palette.GROUNDS.keys()
        assert theme.side("puce") == theme.side("grey")


# --- contrast by number


def written(theme: Theme) -> dict[str, tuple[Colour, Colour]]:
    """Return all pairs of letters and what they stand on."""
    white = palette.WHITE
    found = {
        "title": (theme.title, theme.page),
        "title on a blot": (theme.title, theme.page_dark),
        "subtitle": (theme.faded, theme.page),
        "subtitle on a blot": (theme.faded, theme.page_dark),
        "legend": (theme.ink, theme.page_dark),
        "name on the map": (theme.title, theme.halo),
        "number of a changed hex": (theme.ink, theme.paper),
        "result of a shot": (theme.shot, theme.paper),
        "result of a fight": (white, theme.melee),
        "count of bodies": (theme.ink, theme.tone((208, 204, 196))),
        "step of damage": (white, palette.INK),
        "turn of a fire": (white, (150, 36, 6)),
    }
    for side, colour in theme.sides.items():
        found[f"name, {side}"] = (white, colour)
        found[f"name of the dead, {side}"] = (white, mix(colour, counters.ASHES, 0.55))
        found[f"name left behind, {side}"] = (colour, theme.paper)
    for state in ("up", "hurt", "down", "out"):
        found[f"values, {state}"] = (theme.ink, theme.body(state))
    for word, (_, _, colour) in (
        *counters.BADGES.items(),
        *counters.STATES.items(),
        ("xyzzy", counters.badge_look("xyzzy")),
    ):
        found[f"badge, {word}"] = (white, theme.badge(colour))
    for look, tints in theme.grounds.items():
        for tint in tints:
            found[f"hex number on {look} {tint}"] = (
                mix(tint, theme.ink, 0.95),
                mix(tint, theme.paper, theme.number_share),
            )
    return found


@ALL
def test_everything_that_is_written_has_contrast(theme):
    low = {
        name: round(contrast(*pair), 2)
        for name, pair in written(theme).items()
        if contrast(*pair) < LEAST[theme.name]
    }
    assert low == {}


def pixels(image: Image.Image) -> list[Colour]:
    """Return the colours of a picture, row by row."""
    raw = image.convert("RGB").tobytes()
    return [(raw[i], raw[i + 1], raw[i + 2]) for i in range(0, len(raw), 3)]


@cache
def patch(theme: Theme, look: str) -> Image.Image:
    """Return a piece of the map that is all of one ground."""
    cells = tuple(
        Area(at, centre(at), corners(at), look) for at in ("0101", "0201", "0301", "0102", "0202", "0302")
    )
    return base.base(Scene("", "", cells), frame.whole(Scene("", "", cells), 300, 5, theme)).crop(
        (40, 60, 260, 240)
    )


@ALL
@pytest.mark.parametrize("look", LOOKS)
def test_the_number_of_a_hex_has_contrast_as_it_is_drawn(theme, look):
    cells = (Area("0888", centre("0202"), corners("0202"), look),)
    chart = frame.whole(Scene("", "", cells), 160, 5, theme)
    x, y = chart.spot(centre("0202"))
    size = base.number_size(chart)
    box = round(x - size), round(y - chart.hex * 0.69 - 3), round(x + size), round(y - chart.hex * 0.69 + 3)
    drawn = base.base(Scene("", "", cells), chart).crop(box)
    lights = sorted(palette.luminance(colour) for colour in pixels(drawn))
    dark, light = lights[len(lights) // 25], lights[len(lights) * 2 // 3]
    assert (light + 0.05) / (dark + 0.05) >= LEAST[theme.name]


def test_contrast_has_strong_outlines():
    """What is drawn stands out from the ground by 3 : 1 at least (WCAG 2, 1.4.11), a counter by 7 : 1."""
    for _, ground in CONTRAST.grounds.items():
        assert contrast(CONTRAST.ink, ground[0]) >= 7
        for colour in CONTRAST.sides.values():
            assert contrast(colour, ground[0]) >= 3
    assert CONTRAST.fine > 1.5 and CONTRAST.framed


# --- the simulation itself


@pytest.mark.parametrize(
    ("one", "other", "far"),
    [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, -1.0, 2.0), (50.0, 0.0, 0.0), 2.3669),
        ((50.0, 2.49, -0.001), (50.0, -2.49, 0.0009), 7.1792),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((50.0, 2.5, 0.0), (50.0, 3.1736, 0.5854), 1.0),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((22.7233, 20.0904, -46.694), (23.0331, 14.973, -42.5619), 2.0373),
        ((2.0776, 0.0795, -1.135), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_the_distance_is_that_of_the_published_examples(one, other, far):
    assert seeing.ciede2000(one, other) == pytest.approx(far, abs=0.0001)
    assert seeing.ciede2000(other, one) == pytest.approx(far, abs=0.0001)


def test_eyes_that_lack_a_cone_see_grey_as_it_is_and_take_red_for_green():
    for eyes in seeing.EYES:
        assert max(abs(part - 120) for part in seeing.seen((120, 120, 120), eyes)) <= 1
        assert seeing.seen((0, 0, 0), eyes) == (0, 0, 0)
    brick, leaf = (176, 64, 40), (88, 112, 32)
    assert seeing.apart(brick, leaf) > 40
    assert seeing.apart(brick, leaf, "deuteranopia") < 15
    assert seeing.apart((0, 90, 156), (0, 107, 82), "tritanopia") < 10
    assert len(set(seeing.seen(brick, seeing.GREY))) == 1


def test_a_picture_is_seen_as_its_colours_are():
    colours = [(0, 90, 156), (196, 78, 0), (88, 118, 62), (240, 196, 25), (253, 249, 236)]
    strip = Image.new("RGB", (len(colours), 1))
    for i, colour in enumerate(colours):
        strip.putpixel((i, 0), colour)
    for eyes in seeing.EYES:
        for got, wanted in zip(
            pixels(seeing.picture_seen(strip, eyes)),
            (seeing.seen(each, eyes) for each in colours),
            strict=True,
        ):
            assert max(abs(a - b) for a, b in zip(got, wanted, strict=True)) <= 6, eyes


# --- what means something stays apart

CONED = ("usual", "protanopia", "deuteranopia", "tritanopia")
"""Eyes that see some colour. On a copier colours may fall together; what tells there is said by each test."""


@ALL
@pytest.mark.parametrize("eyes", CONED)
def test_the_two_sides_of_a_game_are_of_colours_far_apart(theme, eyes):
    assert seeing.apart(theme.side("blue"), theme.side("vermilion"), eyes) > 40


def stamped(theme: Theme, shape: str, colour: str, state: str = "up") -> Image.Image:
    sheet = Image.new("RGB", (100, 100), theme.ground("flat")[0])
    figure = counters.body(shape, colour, "hob", "spear", ("7", "6", "6"), state, 5200, theme)
    sheet.paste(figure, ((100 - figure.width) // 2, (100 - figure.height) // 2), figure)
    return sheet


def unlike(one: Image.Image, other: Image.Image) -> float:
    """Return the mean difference of two pictures, in steps of 255 a colour."""
    return sum(ImageStat.Stat(ImageChops.difference(one, other)).mean) / 3


@ALL
@pytest.mark.parametrize("eyes", seeing.EYES)
def test_sides_differ_by_their_outline_whatever_their_colours(theme, eyes):
    """Corners, and what lies below the band (nothing, a line, dots), tell sides apart: the same colour is
    used for all three.
    """
    drawn = [seeing.picture_seen(stamped(theme, shape, "grey"), eyes) for shape in ("round", "cut", "square")]
    for one, other in combinations(drawn, 2):
        changed = ImageChops.difference(one, other).convert("L").point([0] * 60 + [1] * 196)
        assert sum(changed.tobytes()) > 90


@pytest.mark.parametrize("theme", [PRINT, CONTRAST], ids=["print", "contrast"])
def test_on_a_copier_one_side_has_light_bands_and_the_other_dark_ones(theme):
    for state in ("up", "hurt", "out"):
        dark, light = (
            seeing.picture_seen(stamped(theme, *look, state), seeing.GREY)
            for look in (("round", "blue"), ("cut", "vermilion"))
        )
        assert unlike(dark, light) > 9, state
    for colour in theme.sides.values():
        for shape in counters.CORNERS:
            assert contrast(*theme.band(shape, colour)) >= LEAST[theme.name]


@ALL
@pytest.mark.parametrize("eyes", seeing.EYES)
def test_states_differ_by_shape_for_all_eyes(theme, eyes):
    """The wounded are hatched and have a drop, the stunned stand askew, the dead lie crossed out; tints only
    help.
    """
    states = ("up", "hurt", "down", "out")
    drawn = {state: seeing.picture_seen(stamped(theme, "round", "blue", state), eyes) for state in states}
    for one, other in combinations(drawn, 2):
        assert unlike(drawn[one], drawn[other]) > 3, (one, other)
    shapes = {counters.badge_look(state)[:2] for state in ("wounded", "stunned", "dead")}
    assert len(shapes) == 3


PAINTED = {
    "flat": "tufts of grass",
    "water": "ripples",
    "ford": "white water and stones",
    "road": "nothing, but it has ruts and a rim as a way",
    "scrub": "single bushes",
    "tree": "crowns",
    "slope": "strokes downhill",
    "hill": "nothing, within its crest",
    "courtyard": "patches of cobbles",
    "floor": "planks",
    "crop": "furrows",
    "moat": "still dark water",
    "trench": "boards in a ditch",
    "stone": "blocks",
    "wall-top": "blocks hatched over",
    "tower": "slabs",
    "tower-door": "light slabs",
    "keep": "crossed boards",
    "keep-door": "light crossed boards",
    "stairs": "treads",
    "roof": "tiles in rows",
    "burnt": "soot",
    "tent": "a striped round tent",
    "doorway": "small blocks",
    "rubble": "heaped stones",
    "fire": "flames",
}
"""What tells each look of the painted ground besides its colour."""


@ALL
@pytest.mark.parametrize("eyes", seeing.EYES)
def test_grounds_are_told_apart_by_all_eyes_and_on_a_copier(theme, eyes):
    """By tint where it can be, else by pattern: no two patches are alike, though in grey many of their tints
    are.
    """
    drawn = {look: seeing.picture_seen(patch(theme, look), eyes) for look in LOOKS}
    close = {}
    for one, other in combinations(LOOKS, 2):
        if (far := unlike(drawn[one], drawn[other])) < 4:
            close[one, other] = round(far, 1)
    assert close == {}


def test_every_look_has_a_pattern_of_its_own():
    assert PAINTED.keys() == set(LOOKS)
    assert len(set(PAINTED.values()) - {PAINTED["road"], PAINTED["hill"]}) == len(LOOKS) - 2
    bare = {"flat", "road", "hill"}
    assert flat.PATTERNS.keys() | bare | {"roof"} == set(LOOKS)
    stencils = {}
    for look, pattern in flat.PATTERNS.items():
        sheet = Image.new("L", (200, 200), 255).convert("RGB")
        here = Area("0202", centre("0202"), corners("0202"), look)
        strokes = replace(PRINT, grounds=dict.fromkeys(LOOKS, ((255, 255, 255),) * 2))
        pattern(
            ImageDraw.Draw(sheet), flat.Hex(100, 100, 95, here, {}, [(0.0, 0.0)], random.Random(1), strokes)
        )
        stencils[look] = sheet.convert("L").point([255] * 200 + [0] * 56)
    for one, other in combinations(stencils, 2):
        assert unlike_grey(stencils[one], stencils[other]) > 4, (one, other)
        assert ImageStat.Stat(stencils[one]).mean[0] > 1.3, one


def unlike_grey(one: Image.Image, other: Image.Image) -> float:
    return ImageStat.Stat(ImageChops.difference(one, other)).mean[0]


@ALL
@pytest.mark.parametrize("eyes", seeing.EYES)
def test_rims_and_arrows_are_told_apart(theme, eyes):
    """A rim of a fight is double, one of a change single; an arrow has a light rim against which it stands
    out by 3 : 1.
    """
    assert seeing.apart(theme.melee, theme.changed, eyes) > 25
    paper = seeing.seen(theme.paper, eyes)
    for colour in (*theme.sides.values(), theme.shot, theme.melee):
        assert contrast(seeing.seen(colour, eyes), paper) >= 3
    rims = []
    for fight in (False, True):
        sheet = Image.new("RGB", (120, 120), theme.ground("flat")[0])
        action.draw_rim(sheet, [(60 + x / 11, 60 + y / 11) for x, y in HEX], 52, fight, theme)
        rims.append(seeing.picture_seen(sheet, eyes))
    assert unlike(*rims) > 5


@ALL
@pytest.mark.parametrize("eyes", seeing.EYES)
def test_ways_and_shots_differ_by_their_drawing(theme, eyes):
    """Plain, hollow, feathered, barred, waved, dotted, dashed: with one colour for all."""
    drawn = []
    for kind in (*arrows.MOVES, "shot"):
        sheet = Image.new("RGB", (400, 120), theme.ground("flat")[0])
        if kind == "shot":
            arrows.draw_shot(sheet, (20, 60), (380, 60), 46, theme)
        else:
            arrows.draw_arrow(sheet, [(20, 60), (200, 60), (380, 60)], kind, theme.shot, 46, theme)
        drawn.append(seeing.picture_seen(sheet, eyes).convert("L"))
    for one, other in combinations(drawn, 2):
        assert ImageChops.difference(one, other).point([0] * 60 + [255] * 196).getbbox()


# --- printing


def test_print_takes_little_ink_and_no_texture():
    plain = ford(tokens=(), traces=(), notes=())
    ink = {
        name: 255 - ImageStat.Stat(png.picture(plain, width=700, theme=theme).convert("L")).mean[0]
        for name, theme in THEMES.items()
    }
    assert ink["print"] < 24
    assert ink["print"] < ink["parchment"] / 2.5
    middle = png.picture(plain, width=700, theme=PRINT)
    assert len(middle.crop((0, 0, 600, 3)).getcolors()) == 1


def test_a_black_and_white_copy_keeps_what_is_on_the_map():
    """Reduced to black and white at a middling threshold every kind of ground that is not open still has
    strokes.
    """
    for look in LOOKS:
        if look in ("flat", "road", "hill"):
            continue
        copy = patch(PRINT, look).convert("L").point([0] * 176 + [255] * 80)
        bare = patch(PRINT, "flat").convert("L").point([0] * 176 + [255] * 80)
        assert unlike_grey(copy, bare) > 1, look


@pytest.mark.parametrize("theme", [PRINT, CONTRAST], ids=["print", "contrast"])
def test_a_castle_with_all_that_stands_there_is_drawn_in_each_theme(theme):
    drawn, painted = (png.picture(castle(), width=500, theme=each) for each in (theme, PARCHMENT))
    assert drawn.width == painted.width
    assert unlike(drawn, painted.resize(drawn.size)) > 20
    for crop in png.render_crops(ford(), width=300, theme=theme):
        assert len(crop.png) < png.CROP_BYTES


def test_themes_are_kept_apart_in_memory():
    base.forget()
    first = png.picture(ford(), width=300)
    png.picture(ford(), width=300, theme=CONTRAST)
    assert png.picture(ford(), width=300).tobytes() == first.tobytes()
    keeping.forget()


# --- materials


def test_materials_are_toned_and_sides_are_not():
    wood = (168, 124, 72)
    assert PARCHMENT.tone(wood) == wood
    assert palette.luminance(PRINT.tone(wood)) > palette.luminance(wood) + 0.2
    for side in CONTRAST.sides.values():
        assert CONTRAST.tone(side) == side
    assert max(CONTRAST.tone((30, 24, 20))) < 30


def test_a_pen_and_a_finished_drawing_are_toned_alike():
    sheet = Image.new("RGB", (9, 9), (255, 255, 255))
    pen(sheet, PRINT).rectangle((0, 0, 8, 8), fill=(168, 124, 72))
    done = toned(Image.new("RGBA", (9, 9), (168, 124, 72, 100)), PRINT)
    assert (
        max(abs(a - b) for a, b in zip(sheet.getpixel((4, 4)), done.getpixel((4, 4))[:3], strict=True)) <= 2
    )
    assert done.getpixel((4, 4))[3] == 100
    mask = Image.new("L", (4, 4))
    pen(mask, PRINT).line((0, 0, 3, 3), fill=200)
    assert mask.getpixel((2, 2)) == 200
    assert pen(sheet, PRINT).textlength("a") > 0
    same = Image.new("RGB", (2, 2))
    assert toned(same, PARCHMENT) is same


def test_things_throw_no_shadow_in_print():
    light, plain = (
        engines.sprite("mantlet", "", ((0.0, 0.0),), 0, (0, 90, 156), 4000, theme)
        for theme in (PARCHMENT, PRINT)
    )
    assert sum(plain.getchannel("A").point([0] + [1] * 255).tobytes()) < sum(
        light.getchannel("A").point([0] + [1] * 255).tobytes()
    )


# --- water and roofs


def test_a_stream_flows_on_over_the_border_and_stays_in_its_banks():
    known = [area.centre for area in areas()]
    brook = [centre("0501"), centre("0502"), centre("0503")]
    assert shores.flowing_on(brook, known) == {shores.around(centre("0501"))[0]}
    assert shores.flowing_on([centre("0505")], known) == set()
    along = [centre(f"{column:02d}14") for column in (4, 5, 6)]
    assert (577 + 866 * 4, 500 + 14_000) in shores.flowing_on(along, known)
    wet = tuple(Area(at, centre(at), corners(at), "water") for at in ("0503", "0504", "0604"))
    chart = frame.whole(ford(), 700, 5)
    mask = shores.course(wet, areas(), chart)
    for at in ("0503", "0504", "0604"):
        assert mask.getpixel(tuple(round(each) for each in chart.spot(centre(at)))) == 255
    x, y = chart.spot(centre("0503"))
    assert mask.getpixel((round(x + chart.hex * 0.93), round(y))) == 0
    assert mask.getpixel(tuple(round(each) for each in chart.spot(centre("0505")))) == 0
    held = shores.course(wet[:1], areas(), chart, walls={centre("0502")})
    assert held.getpixel((round(x), round(y - chart.hex * 0.85))) == 255


def test_the_faces_of_a_roof_cover_its_hexes_and_fall_outwards():
    house = [Area(at, centre(at), corners(at), "house", passable=False) for at in ("0505", "0506")]
    faces = roofs.faces(house)
    assert len(faces) == 10 + 2
    assert len(roofs.ridges(house)) == 1
    for face in faces:
        x, y = (sum(each) / 3 for each in zip(*face.corners, strict=True))
        (mx, my) = min((area.centre for area in house), key=lambda at: (at[0] - x) ** 2 + (at[1] - y) ** 2)
        assert (x - mx) * face.falls[0] + (y - my) * face.falls[1] >= -1
    tip = max(faces, key=lambda face: face.light)
    assert tip.falls[0] < 0 or tip.falls[1] < 0
    three = [Area(at, centre(at), corners(at), "house") for at in ("0505", "0506", "0605")]
    assert [face.falls for face in roofs.faces(three)].count((0.0, 0.0)) == 3
    (ax, _), (bx, _) = faces[0].course([(0.0, 0.0), (8.0, 0.0), (4.0, 4.0)], 0.5)
    assert (ax, bx) == (2.0, 6.0)


def test_roofs_are_lighter_towards_the_north_west():
    house = tuple(
        replace(area, ground="house", passable=False) if area.at == "0505" else replace(area, ground="flat")
        for area in areas()
    )
    for theme in THEMES.values():
        scene = ford(areas=house, edges=(), roads=(), tokens=(), traces=(), notes=())
        chart = frame.whole(scene, 1400, 5, theme)
        picture = base.base(scene, chart)
        (x, y), lights = chart.spot(centre("0505")), []
        for right, down in ((-0.5, -0.35), (0.5, 0.35)):
            at = round(x + right * chart.hex), round(y + down * chart.hex)
            lights.append(
                sum(ImageStat.Stat(picture.crop((at[0] - 6, at[1] - 6, at[0] + 6, at[1] + 6))).mean)
            )
        assert lights[0] > lights[1] + 30, theme.name


def test_roads_without_a_way_are_patches():
    lines, patches = ways.lanes(
        ford(), [area for area in areas() if area.ground == "road"], frame.whole(ford(), 400, 5)
    )
    assert (len(lines), len(patches)) == (1, 0)
    own = [area for area in areas() if area.ground == "road"]
    assert len(ways.lanes(ford(roads=()), own, frame.whole(ford(), 400, 5))[1]) == len(own) > 3


def test_furrows_run_the_same_way_on_a_window_as_on_the_whole_map():
    crops = [area for area in areas() if area.ground == "crop"]
    assert [len(group) for group in fields.touching(crops)] == [len(crops)]
    apart_ = [Area(at, centre(at), corners(at), "crop") for at in ("0101", "0102", "0505", "0909")]
    assert [len(group) for group in fields.touching(apart_)] == [2, 1, 1]
    chart = frame.whole(ford(), 700, 5)
    drawn = []
    for own in (apart_, apart_[-1:]):
        sheet = Image.new("RGB", (700, 600))
        fields.paint_crops(sheet, own, apart_, chart, "seed")
        x, y = chart.spot(centre("0909"))
        drawn.append(sheet.crop((round(x - 12), round(y - 12), round(x + 12), round(y + 12))))
    assert ImageChops.difference(*drawn).getbbox() is None


# --- nothing on a counter overlaps


def dense() -> Scene:
    """Return a fight of two ranks that stand shoulder to shoulder, with a shot and a blow for each."""
    places = [f"{column:02d}{row:02d}" for column in range(5, 12) for row in (5, 6, 7, 8)]
    men = tuple(
        token(f"man{i}", "east" if i % 2 else "west", "spear", at, "13-10-4") for i, at in enumerate(places)
    )
    shots = tuple(
        Trace("shot", "east", path(f"{column:02d}12", f"{column:02d}07"), ("a",), ("b",), f"{column}: miss")
        for column in range(5, 12)
    )
    fights = tuple(
        Trace("fight", "west", path(one, other), (), (), "2:1, 8: retreat")
        for one, other in (("0605", "0606"), ("0907", "0908"))
    )
    return ford(tokens=men, traces=(*shots, *fights))


@pytest.mark.parametrize("crop", [None, (3000, 3500, 9300, 9500)], ids=["whole", "window"])
def test_results_cover_neither_names_nor_values_nor_each_other(crop):
    scene = dense()
    chart, grow = (
        (frame.whole(scene, 1400, 22), 1.0) if crop is None else (frame.window(crop, 720), png.GROWN)
    )
    sheet = Image.new("RGB", (chart.width, chart.height))
    fights, shots = ([trace for trace in scene.traces if trace.kind == kind] for kind in ("fight", "shot"))
    laid = labels.labels_of(sheet, scene, chart, fights, shots, grow)
    assert len(laid) >= 5
    rooms = [
        (x - figure.width / 2, y - figure.height / 2, x + figure.width / 2, y + figure.height / 2)
        for figure, (x, y) in laid
    ]
    letters = [
        box[:4] for box in labels.plan_of(sheet.size, scene, chart, grow).taken if box[4] == labels.LETTERS
    ]
    assert len(letters) > 40
    slack = chart.hex * 0.05  # of the empty rim round letters

    def meet(one: labels.Room, other: labels.Room) -> bool:
        return (
            min(one[2], other[2]) - max(one[0], other[0]) > slack
            and min(one[3], other[3]) - max(one[1], other[1]) > slack
        )

    assert not [room for room in rooms for other in letters if meet(room, other)]
    assert not [one for one, other in combinations(rooms, 2) if meet(one, other)]


@pytest.mark.parametrize("pile", [False, True])
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_badges_lie_beside_the_symbol_and_never_on_letters_or_each_other(count, pile):
    half, low = counters.SIZE / 2, counters.SIZE * (counters.BAND - 0.5)
    foot = counters.SIZE * (counters.VALUES_AT - counters.VALUES / 2 - 0.5)
    spots = figures.badge_spots(count, pile)[:count]
    reach = figures.BADGE / 2
    for x, y in spots[: 3 if pile else 4]:
        assert low <= y - reach and y + reach <= foot
        assert abs(x) + reach < half + 0.4
    for (ax, _), (bx, _) in combinations(spots[: 3 if pile else 4], 2):
        assert abs(ax - bx) >= reach * 1.7
    if pile:
        assert all(x - reach > -0.72 + figures.PILE / 2 - 0.04 for x, _ in spots[:3])
