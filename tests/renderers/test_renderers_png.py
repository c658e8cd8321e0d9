"""The picture: what is where, how large, how legible; in colour, in grey and for colour-blind eyes.

Bytes of a PNG are never compared.
"""

from __future__ import annotations

import ast
import io
import math
import subprocess
import sys
from itertools import combinations, pairwise, product
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from pbem.renderers.painted import (
    action,
    arrows,
    base,
    counters,
    edges,
    furniture,
    ground,
    long_counters,
    relief,
)
from PIL import Image, ImageChops, ImageDraw, ImageStat
from scenes import GROUNDS, areas, centre, corners, edge, ford, path, token

from pbem.core.scene import Area, Edge, Note, Scene, SideLook, Trace
from pbem.referee.explain.draw import shown
from pbem.referee.game.game import open_game
from pbem.renderers import board, focus, frame, hexes, keeping, lettering, palette, png, symbols, ways

ROOT = Path(__file__).resolve().parents[2]
WIDE = 1400
MARGIN = round(WIDE * 0.016)


def opened(data: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(data))
    image.load()
    return image


@pytest.fixture(autouse=True)
def _no_shelf(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever ran before may have put up a shelf of the user's cache, on which pictures and files lie."""
    monkeypatch.setattr(keeping, "_shelf", None)
    monkeypatch.setattr(keeping, "_finished", None)


@pytest.fixture(scope="module", name="whole")
def whole_() -> Image.Image:
    return png.picture(ford())


@pytest.fixture(scope="module", name="chart")
def chart_() -> frame.Frame:
    return frame.whole(ford(), WIDE, MARGIN)


def spot(chart: frame.Frame, at: str, right: float = 0, down: float = 0) -> tuple[int, int]:
    """Return a pixel of the whole picture, from the middle of a hex by parts of its radius."""
    x, y = chart.spot(centre(at))
    return round(x + right * chart.hex), round(y + down * chart.hex + furniture.head_height(WIDE))


def mean(image: Image.Image, at: tuple[int, int], reach: int = 10) -> tuple[float, ...]:
    return tuple(
        ImageStat.Stat(image.crop((at[0] - reach, at[1] - reach, at[0] + reach, at[1] + reach))).mean
    )


def big(columns: int = 28, rows: int = 18) -> Scene:
    """Return a larger map of mixed ground."""
    looks = [ground_ for ground_, _ in GROUNDS.values()]
    found = []
    for column in range(1, columns + 1):
        for row in range(1, rows + 1):
            at = f"{column:02d}{row:02d}"
            found.append(Area(at, centre(at), corners(at), looks[(column // 3 + row // 3 * 2) % len(looks)]))
    return ford(areas=tuple(found), edges=(), roads=(), static_key="big")


# --- size and form


def test_a_png_of_few_colours_with_words_in_it():
    data = png.render(ford())
    image = opened(data)
    assert image.format == "PNG"
    assert image.mode == "P"
    assert image.width == WIDE
    assert 1300 < image.height < 1500
    assert len(data) < 700_000
    assert image.text["Title"] == "Toll at the Alder Ford"
    assert (
        image.text["Alt"]
        == "Map: Toll at the Alder Ford, Turn 3, after East’s melee. Hob and Odo drive Wulf from the ford."
    )
    assert "- 1208: hob, sergeant, 12-9-5, healthy, fought, moved" in image.text["Description"]


def test_a_forum_with_a_limit_gets_a_smaller_picture():
    forum = png.render(ford(), limit=256_000)
    assert len(forum) <= 256_000
    assert opened(forum).width >= 840
    assert opened(forum).text["Title"] == "Toll at the Alder Ford"


def test_renderers_know_the_scene_and_how_it_is_measured_and_nothing_else_of_the_program():
    known = ("pbem.core.scene", "pbem.geometry.hex", "pbem.geometry.plane")
    for file in (ROOT / "renderers").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                assert not node.module.startswith("pbem") or node.module in known, file.name
    assert not (ROOT / "renderers" / "__init__.py").exists()


def test_a_map_of_28_by_18_stays_below_a_megabyte():
    assert len(png.render(big())) < 1_000_000


@pytest.mark.parametrize(("asked", "got"), [(10, frame.LEAST), (500, 500), (10_000, frame.MOST)])
def test_the_width_is_what_was_asked_within_reason(asked, got, monkeypatch):
    monkeypatch.setattr(png, "MOST", 900)
    small = Scene("t", "s", areas()[:3])
    assert png.picture(small, width=asked).width == min(got, 900)


def test_a_scene_of_nothing_can_be_drawn():
    image = opened(png.render(Scene("", "", ()), width=300))
    assert image.width == 300
    assert image.text["Alt"] == "Map. No figures."
    assert "Title" not in image.text


# --- what is where


def test_water_is_blue_woods_are_dark_grass_is_light(whole, chart):
    water, wood, grass, crop = (
        mean(whole, spot(chart, at, 0, 0.2)) for at in ("0913", "1903", "1903"[:2] + "12", "1612")
    )
    assert water[2] > water[0] + 40
    assert wood[1] > wood[0] and wood[1] > wood[2] + 30
    assert sum(grass) > sum(wood) + 150
    assert crop[0] > crop[2] + 60


def test_every_look_of_the_ground_can_be_told_from_open_ground_and_from_the_others():
    looks = [*palette.GROUNDS, "rubble", "fire"]
    patches = {}
    for name in looks:
        cells = tuple(
            Area(at, centre(at), corners(at), name) for at in ("0101", "0201", "0301", "0102", "0202", "0302")
        )
        scene = Scene("", "", cells)
        chart = frame.whole(scene, 300, 5)
        patches[name] = base.base(scene, chart)
    for i, one in enumerate(looks):
        for other in looks[i + 1 :]:
            difference = ImageStat.Stat(ImageChops.difference(patches[one], patches[other])).mean
            assert sum(difference) > 12, (one, other)


def test_a_floor_that_nobody_can_enter_has_a_roof():
    hut = Area("0101", centre("0101"), corners("0101"), "house", passable=False)
    assert ground.look_of(hut) == "roof"
    assert ground.look_of(replace(hut, passable=True)) == "floor"
    assert ground.look_of(replace(hut, ground="deep_water")) == "water"


def test_unknown_ground_looks_flat():
    assert palette.look("lava") == "flat"
    assert palette.look("shallow_water") == "ford"
    assert palette.look("rubble") == "rubble"


def test_every_hex_has_its_number(chart):
    picture = base.base(ford(), chart).convert("L")
    size = base.number_size(chart)
    assert size >= 9
    for area in areas():
        x, y = chart.spot(area.centre)
        box = (
            round(x - size),
            round(y - chart.hex * 0.69 - size / 2),
            round(x + size),
            round(y - chart.hex * 0.69 + size / 2),
        )
        low, high = picture.crop(box).getextrema()
        assert low < 90, area.at
        assert high > 165, area.at


def test_a_counter_shows_its_side_in_a_band_and_its_values_on_cream(whole, chart):
    for at, colour in (("1408", palette.SIDES["blue"]), ("0708", palette.SIDES["vermilion"])):
        band = whole.getpixel(spot(chart, at, 0.52, -0.2))
        assert all(abs(a - b) < 24 for a, b in zip(band, colour, strict=True)), (at, band)
        assert whole.getpixel(spot(chart, at, 0.45, 0.2)) == palette.CREAM


def test_an_unknown_side_is_grey_and_round():
    look = counters.look_of((), "norse")
    assert (look.colour, look.shape) == ("grey", "round")
    assert palette.side_colour("puce") == palette.SIDES["grey"]


def test_two_in_one_hex_are_both_seen():
    pair = (
        replace(token("Low", "east", "spear", "0507", "1-1-1"), level=0),
        replace(token("Top", "west", "spear", "0507", "1-1-1"), level=1),
    )
    scene = ford(tokens=pair, traces=())
    chart = frame.whole(scene, WIDE, MARGIN)
    image = png.picture(scene)
    drawn = image.crop((*spot(chart, "0507", -1, -1), *spot(chart, "0507", 1, 1))).getcolors(100_000)
    colours = {colour for _, colour in drawn}
    assert palette.SIDES["blue"] in colours
    assert palette.SIDES["vermilion"] in colours


def test_a_figure_on_two_hexes_covers_both(whole, chart):
    alone = png.picture(ford(tokens=(), traces=()))
    for at in ("1510", "1609"):
        box = (*spot(chart, at, -0.3, -0.2), *spot(chart, at, 0.3, 0.4))
        assert sum(ImageStat.Stat(ImageChops.difference(whole.crop(box), alone.crop(box))).mean) > 60


def test_the_dead_are_piled_and_counted():
    one, three, many, more = (counters.pile(count, 40).convert("RGB") for count in (1, 3, 100, 500))
    assert one.size == (40, 40)
    assert ImageChops.difference(one, three).getbbox() is not None
    assert ImageChops.difference(many, more).getbbox() is None


def test_a_pile_under_a_living_figure_is_seen():
    standing = token("Wulf", "west", "spear", "0507", "1-1-1")
    bare = png.picture(ford(tokens=(standing,), traces=()))
    beneath = png.picture(ford(tokens=(replace(standing, weight=2),), traces=()))
    among = png.picture(
        ford(tokens=(standing, token("Ulf", "west", "spear", "0507", "0", state="dead")), traces=())
    )
    assert ImageChops.difference(bare, beneath).getbbox() is not None
    assert ImageChops.difference(bare, among).getbbox() is not None


KINDS = arrows.MOVES


def test_ways_of_moving_differ_in_grey():
    drawn = {}
    for kind in KINDS:
        sheet = Image.new("RGB", (400, 120), (190, 205, 140))
        arrows.draw_arrow(sheet, [(20, 60), (200, 60), (380, 60)], kind, palette.SIDES["blue"], 46)
        drawn[kind] = sheet.convert("L")
    for i, one in enumerate(KINDS):
        for other in KINDS[i + 1 :]:
            assert ImageChops.difference(drawn[one], drawn[other]).point([0] * 60 + [255] * 196).getbbox(), (
                one,
                other,
            )


def test_an_arrow_of_no_length_is_not_drawn():
    sheet = Image.new("RGB", (60, 60))
    arrows.draw_arrow(sheet, [(30, 30), (30, 30)], "move", palette.INK, 40)
    arrows.draw_shot(sheet, (30, 30), (30, 30), 40)
    assert sheet.getcolors() == [(3600, (0, 0, 0))]


def test_shots_are_dashed_and_carry_their_result(whole, chart):
    a, b = (spot(chart, at, 0, 0.15) for at in ("0706", "1307"))
    along = [
        whole.getpixel((round(a[0] + (b[0] - a[0]) * i / 200), round(a[1] + (b[1] - a[1]) * i / 200)))
        for i in range(30, 90)
    ]
    dark = [sum(colour) < 300 for colour in along]
    changes = sum(one != other for one, other in pairwise(dark))
    assert changes >= 8


def test_a_fight_has_a_red_double_rim_and_keeps_its_number(whole, chart):
    scene = ford(traces=(Trace("fight", "east", path("1408", "1308"), ("ned",), ("wat",)),), tokens=())
    image = png.picture(scene)
    x, _ = spot(chart, "1308")
    column = [
        image.getpixel((x, y))
        for y in range(spot(chart, "1308", 0, 0.55)[1], spot(chart, "1308", 0, 0.95)[1])
    ]
    red = [abs(colour[0] - palette.MELEE[0]) < 40 and colour[1] < 90 for colour in column]
    runs = sum(one and not other for one, other in zip(red, [*red[1:], False], strict=True))
    assert runs == 2
    crossed = mean(image, spot(chart, "1308", 0.75, 0.58), 4)
    assert ImageStat.Stat(whole).mean != crossed


def test_labels_stay_on_the_picture():
    shot = Trace(
        "shot", "east", path("0101", "0201"), ("a",), ("b",), "10: a result of many words indeed", "none"
    )
    image = png.picture(ford(traces=(shot,), tokens=()), width=700)
    assert image.width == 700


def test_traces_without_way_or_text_do_no_harm():
    odd = tuple(
        Trace(kind, "nobody", way, ())
        for kind in (*KINDS, "shot", "fight", "dance")
        for way in ((), path("0505"), path("0505", "0606"))
    )
    assert png.picture(ford(traces=odd), width=400).width == 400


# --- figures over two hexes

ANGLES = (-90, -30, 30, 90, 150, -150)
"""The six ways to face, n first, in degrees clockwise from the right."""


def long(
    symbol: str = "mounted",
    angle: int = 0,
    shape: str = "round",
    state: str = "up",
    numbers: tuple[str, ...] = (),
) -> Image.Image:
    sheet = Image.new("RGB", (170, 170), (190, 204, 142))
    stamp = long_counters.long_body(shape, "blue", "hugh", symbol, numbers, state, 4600, angle)
    sheet.paste(stamp, (85 - stamp.width // 2, 85 - stamp.height // 2), stamp)
    return sheet.convert("L")


def unlike(one: Image.Image, other: Image.Image) -> float:
    return ImageStat.Stat(ImageChops.difference(one, other)).mean[0]


@pytest.mark.parametrize("symbol", ["mounted", "horse", "wagon"])
def test_all_six_ways_to_face_can_be_told_apart_in_grey(symbol):
    drawn = [long(symbol, angle) for angle in ANGLES]
    for i, one in enumerate(drawn):
        for other in drawn[i + 1 :]:
            assert unlike(one, other) > 6


@pytest.mark.parametrize("shape", ["round", "cut", "square"])
def test_the_outline_alone_tells_head_from_tail(shape):
    outline = long_counters.plank(shape, 0.0)
    assert max(x for x, _ in outline) == long_counters.BOW
    assert [y for x, y in outline if x == long_counters.BOW] == [0]
    stern = [y for x, y in outline if x < long_counters.STERN + 0.001]
    assert max(stern) - min(stern) > 0.6


def test_rider_horse_alone_and_wagon_differ_in_grey():
    drawn = [long(symbol) for symbol in ("mounted", "horse", "wagon")]
    assert unlike(drawn[0], drawn[1]) > 3
    assert unlike(drawn[1], drawn[2]) > 3
    assert unlike(drawn[0], drawn[2]) > 3


def test_sides_and_states_of_long_counters_differ_in_grey():
    for one, other in pairwise([long("horse", state=state) for state in ("up", "hurt", "out", "down")]):
        assert unlike(one, other) > 0.8
    for one, other in combinations([long(shape=shape) for shape in ("round", "cut", "square")], 2):
        assert unlike(one, other) > 1


def test_the_values_of_a_rider_stand_upright_whichever_way_he_faces():
    high = []
    for angle in ANGLES:
        with_, without = long(angle=angle, numbers=("24", "12", "10")), long(angle=angle, numbers=("",))
        box = ImageChops.difference(with_, without).point([0] * 60 + [255] * 196).getbbox()
        assert box[2] - box[0] > 2.5 * (box[3] - box[1])
        high.append(box[3] - box[1])
    assert min(high) >= 9
    assert max(high) - min(high) <= 2


def test_a_dead_horse_lies_over_both_hexes_and_a_living_man_stands_on_it():
    horse = token("Grizel", "west", "horse", "0507 0508", "0", state="dead")
    scene = ford(tokens=(replace(horse, numbers=()),), traces=())
    chart = frame.whole(scene, WIDE, MARGIN)
    empty, dead = png.picture(ford(tokens=(), traces=())), png.picture(scene)
    over = png.picture(replace(scene, tokens=(*scene.tokens, token("Hob", "east", "spear", "0508", "7-6-6"))))
    for at in ("0507", "0508"):
        box = (*spot(chart, at, -0.2, -0.1), *spot(chart, at, 0.2, 0.4))
        assert sum(ImageStat.Stat(ImageChops.difference(empty.crop(box), dead.crop(box))).mean) > 60, at
    box = (*spot(chart, "0507", -0.2, -0.1), *spot(chart, "0507", 0.2, 0.2))
    assert sum(ImageStat.Stat(ImageChops.difference(over.crop(box), dead.crop(box))).mean) < 6


def test_badges_of_a_rider_lie_round_his_label_and_never_on_his_head():
    for angle in ANGLES:
        x, y = frame_turn(angle)
        spots = long_counters.corners_of(angle)
        assert len(spots) == 4
        assert all(right * x + down * y < 0.2 for right, down in spots)


def frame_turn(angle: int) -> tuple[float, float]:
    return math.cos(math.radians(angle)), math.sin(math.radians(angle))


def test_the_way_of_a_rider_ends_behind_him_and_leaves_a_long_outline():
    ride = Trace("move", "east", path("0507", "0506", "0505"), ("hugh",), tails=path("0508", "0507", "0506"))
    assert action._way(ride) == list(path("0508", "0507", "0506"))
    swing = Trace("move", "east", path("0604", "0505"), ("hugh",), tails=path("0605", "0605"))
    assert action._way(swing) == list(path("0604", "0505"))
    still = ford(tokens=(), traces=())
    chart = frame.whole(still, WIDE, MARGIN)
    plain, went, afoot = (
        png.picture(ford(tokens=(), traces=shown)) for shown in ((), (ride,), (replace(ride, tails=()),))
    )
    box = (*spot(chart, "0508", -0.6, -0.4), *spot(chart, "0508", 0.6, 0.9))
    assert ImageChops.difference(plain.crop(box), went.crop(box)).getbbox() is not None
    assert ImageChops.difference(plain.crop(box), afoot.crop(box)).getbbox() is None


def test_a_line_of_flight_swings_to_both_sides_and_keeps_its_ends():
    line = arrows.waved([(0.0, 50.0), (200.0, 50.0)], 8, 40)
    assert (round(line[0][0]), round(line[0][1])) == (0, 50)
    assert (round(line[-1][0]), round(line[-1][1])) == (200, 50)
    assert (round(min(y for _, y in line)), round(max(y for _, y in line))) == (42, 58)


# --- sprites


def test_every_symbol_leaves_ink_and_no_two_are_alike():
    drawn = {}
    for name in [*symbols.GLYPHS, "zz"]:
        sheet = Image.new("L", (64, 64), 255)
        rgb = Image.new("RGB", (64, 64), palette.CREAM)
        symbols.draw_symbol(
            __import__("PIL.ImageDraw").ImageDraw.Draw(rgb), name, 4, 4, 56, palette.INK, palette.CREAM
        )
        sheet = rgb.convert("L")
        assert ImageStat.Stat(sheet).mean[0] < 240, name
        drawn[name] = sheet
    names = list(drawn)
    for i, one in enumerate(names):
        for other in names[i + 1 :]:
            assert ImageStat.Stat(ImageChops.difference(drawn[one], drawn[other])).mean[0] > 3, (one, other)


def test_states_differ_in_grey_and_carry_a_letter():
    look = ("round", "blue", "hob", "spear", ("7", "6", "6"))
    grey = {}
    for state in ("up", "down", "hurt", "out"):
        sheet = Image.new("RGB", (90, 90), (180, 196, 130))
        stamp = counters.body(*look, state, 4600)
        sheet.paste(stamp, (0, 0), stamp)
        grey[state] = sheet.convert("L")
    states = list(grey)
    for i, one in enumerate(states):
        for other in states[i + 1 :]:
            assert ImageStat.Stat(ImageChops.difference(grey[one], grey[other])).mean[0] > 4, (one, other)
    assert {counters.badge_look(state)[0] for state in ("down", "hurt", "out")} == {"Z", "W", "D"}


def test_sides_differ_in_shape_with_the_same_colour():
    bodies = [
        counters.body(shape, "grey", "hob", "spear", ("7",), "up", 4600)
        for shape in ("cut", "round", "square")
    ]
    for one, other in combinations(bodies, 2):
        assert ImageStat.Stat(ImageChops.difference(one.convert("L"), other.convert("L"))).mean[0] > 1.2
    corner = round(4600 / 100 * 0.22)
    assert bodies[0].getpixel((corner, corner))[3] < bodies[1].getpixel((corner, corner))[3]


@pytest.mark.parametrize("word", [*counters.BADGES, *counters.STATES, "xyzzy", ""])
def test_a_badge_is_a_letter_in_a_shape(word):
    letter, shape, _ = counters.badge_look(word)
    assert len(letter) == 1
    assert shape in ("disc", "diamond", "triangle", "square", "drop")
    assert counters.badge(word, 20).size == (20, 20)


def test_badges_put_the_state_first_and_end_at_four():
    loaded = token(
        "A", "east", "spear", "0101", "1", state="wounded", badges=("shot", "fought", "checked", "panic")
    )
    assert counters.badges_of(loaded) == ("hurt", "shot", "fought", "checked")
    assert counters.badges_of(replace(loaded, look="up", badges=())) == ()


def test_a_counter_without_values_has_a_larger_symbol():
    with_, without = (
        counters.body("round", "blue", "hob", "spear", numbers, "up", 4600).convert("L")
        for numbers in (("",), ())
    )
    assert ImageStat.Stat(without).mean[0] != ImageStat.Stat(with_).mean[0]


def test_every_kind_of_edge_is_drawn_and_an_unknown_one_too():
    seen = []
    for kind in (*edges.ORDER, "ivy"):
        sheet = Image.new("RGB", (200, 200), (200, 212, 152))
        chart = frame.Frame(0.1, 0, -500, 100, 100)
        edges.draw_edges(sheet, (edge(kind, "0101", "n"),), chart, 2)
        assert len(sheet.getcolors(100_000)) > 1, kind
        seen.append(sheet)
    assert ImageChops.difference(seen[edges.ORDER.index("low-wall")], seen[-1]).getbbox() is None
    for i, one in enumerate(seen[:-1]):
        for other in seen[i + 1 : -1]:
            assert ImageChops.difference(one, other).getbbox() is not None, (edges.ORDER[i],)


def drawn_edge(kind: str, side: str = "n") -> Image.Image:
    sheet = Image.new("RGB", (230, 260), (178, 194, 128))
    chart = frame.Frame(0.1, 0, -150, 115, 130)
    edges.draw_edges(sheet, (edge(kind, "0101", side),), chart, 2)
    return sheet.convert("L")


def test_openings_can_be_told_from_walls_and_from_each_other_in_grey():
    kinds = ("wall", "door", "window", "gate", "arch")
    for one, other in combinations([drawn_edge(kind) for kind in kinds], 2):
        assert ImageChops.difference(one, other).point([0] * 60 + [1] * 196).histogram()[1] > 60


@pytest.mark.parametrize("kind", ["door", "gate"])
def test_open_leaves_leave_room_for_the_number_of_the_hex_below(kind):
    wall = drawn_edge("wall", "s")
    box = ImageChops.difference(drawn_edge(kind, "s"), wall).getbbox()
    _, low = frame.Frame(0.1, 0, -150, 115, 130).spots([corners("0101")[3]], 2)[0]
    assert box[3] <= low + 577 * 0.2 * 0.18
    assert box[1] < low - 577 * 0.2 * 0.25


def test_crests_fall_away_from_the_high_side():
    sheet = Image.new("L", (200, 200), 255).convert("RGB")
    chart = frame.Frame(0.1, 0, -500, 100, 100)
    edges.draw_edges(sheet, (edge("crest", "0101", "n"),), chart, 2)
    _, top = chart.spots([centre("0101")], 2)[0]
    box = sheet.convert("L").point([255] * 128 + [0] * 128).getbbox()
    brow = top - 500 * 0.1 * 2
    assert box[1] < brow - 10
    assert box[3] < brow + 9


def test_slopes_are_lit_from_the_north_west():
    hill = {"0505": "hill", **dict.fromkeys(("0504", "0605", "0604", "0506", "0405", "0404"), "slope")}
    cells = tuple(
        replace(area, ground=hill.get(area.at, "flat"), name="")
        for area in areas()
        if int(area.at[:2]) < 10 and int(area.at[2:]) < 10
    )
    scene = Scene("", "", cells)
    chart = frame.whole(scene, 900, 5)
    picture = base.base(scene, chart)

    def light(at: str) -> float:
        x, y = chart.spot(centre(at))
        return sum(mean(picture, (round(x), round(y + chart.hex * 0.1)), round(chart.hex * 0.4)))

    assert light("0404") > light("0605") + 30
    assert light("0504") > light("0506") + 20


def test_a_slope_at_the_border_rises_beyond_it_and_one_below_a_hilltop_does_not():
    ground_ = {"0110": "slope", "0210": "slope", "0505": "hill", "0606": "slope"}
    cells = tuple(
        Area(at, centre(at), corners(at), ground_.get(at, "flat")) for at in (area.at for area in areas())
    )
    high = relief.rising(cells)
    assert high[0] == centre("0505")
    x, y = centre("0110")
    assert high[1:] == [(x - 866, y - 500), (x - 866, y + 500)]
    assert relief.rising(tuple(replace(area, ground="flat") for area in cells)) == []


def test_strokes_run_away_from_high_ground():
    assert relief.fall([(0.0, 0.0)], 10, 0) == (1.0, 0.0)
    right, down = relief.fall([(0.0, 0.0), (20.0, 0.0)], 10, 5)
    assert (round(right, 6), round(down, 6)) == (0.0, 1.0)
    assert relief.fall([], 3, 3) == (0.45, 0.9)


def test_a_boundary_stone_and_a_well_are_seen_where_a_mark_names_them():
    bare = ford(areas=areas()[:6], tokens=(), traces=(), edges=(), notes=(), roads=())
    chart = frame.whole(bare, 400, 5)
    x, y = chart.spot(areas()[0].centre)
    box = (round(x - 10), round(y - 8), round(x + 10), round(y + 12))
    drawn = []
    for marks in ((), ("stone",), ("well",), ("west",)):
        scene = replace(bare, areas=(replace(bare.areas[0], marks=marks), *bare.areas[1:]))
        drawn.append(base.base(scene, chart).crop(box))
    assert sum(ImageStat.Stat(ImageChops.difference(drawn[0], drawn[1])).mean) > 30
    assert sum(ImageStat.Stat(ImageChops.difference(drawn[1], drawn[2])).mean) > 30
    assert ImageChops.difference(drawn[0], drawn[3]).getbbox() is None


def test_hills_without_crests_getbrows():
    hill = tuple(Area(at, centre(at), corners(at), "hill") for at in ("0101", "0201"))
    assert len(base.brows(hill)) == 10
    assert base.brows(areas()[:1]) == []


# --- windows


def test_windows_are_few_small_and_cover_what_happened():
    crops = png.render_crops(ford())
    assert 1 <= len(crops) <= 3
    for crop in crops:
        assert (crop.box[2] - crop.box[0]) / 866 == 7
        assert all(
            abs(crop.box[side] - centre(f"{column:02d}01")[0]) > 430
            for side in (0, 2)
            for column in range(1, 21)
        )
        assert len(crop.png) < 130_000
        image = opened(crop.png)
        assert image.width == png.CROP_WIDTH
        assert image.text["Alt"] == crop.alt
        assert len(crop.alt) <= 140
        assert crop.alt.startswith("Detail, hexes ")
    left, top, right, bottom = crops[0].box
    for at in ("1108", "1208", "1109"):
        x, y = centre(at)
        assert left < x < right and top < y < bottom


def test_a_window_too_heavy_gives_up_colours_then_pixels():
    light = png.render_crops(ford(), limit=60_000)[0]
    assert len(light.png) <= 60_000
    tiny = png.render_crops(ford(), limit=10)[0]
    assert opened(tiny.png).width == png.CROP_WIDTH // 2


def letter_height(radius: float, shape: str, label: str, numbers: str) -> tuple[int, int]:
    """Return how many pixels high the name and the values of a counter are, and that neither meets its
    outline.
    """

    def drawn(name: str, values: tuple[str, ...]) -> Image.Image:
        return (
            counters.body(shape, "vermilion", name, "halberd", values, "up", round(radius * 100))
            .convert("RGB")
            .convert("L")
        )

    full, found = drawn(label, tuple(numbers.split("-"))), []
    for without in (drawn("", tuple(numbers.split("-"))), drawn(label, ("",))):
        ink = ImageChops.difference(full, without)
        box = ink.point([0] * 50 + [255] * 206).getbbox()
        found.append(box[3] - box[1])
        side = radius * counters.SIZE
        left = (full.width - side) / 2
        assert left + radius * 0.04 <= box[0] and box[2] <= full.width - left - radius * 0.03, (
            shape,
            label,
            numbers,
        )
    return found[0], found[1]


@pytest.mark.parametrize("shape", ["round", "cut", "square"])
@pytest.mark.parametrize(
    ("label", "numbers"),
    [("hob", "5-3-6"), ("leofa", "10-6-6"), ("maredudd", "13-10-4"), ("ansquetil", "24-12-10")],
)
def test_names_and_values_read_on_a_telephone(shape, label, numbers):
    """A window is drawn 720 pixels wide and shown 360 wide: there capitals have 7 pixels and figures 9, as
    small print at arm's length.
    """
    for box in focus.focus(ford()):
        assert box[2] - box[0] <= hexes.across(focus.COLUMNS)
    radius = frame.window((0, 0, hexes.across(focus.COLUMNS), 6000), 360).hex * png.GROWN
    name, values = letter_height(radius, shape, label, numbers)
    assert name >= 7
    assert values >= (9 if len(numbers) < 8 else 8)


def test_hex_numbers_and_results_read_on_a_telephone():
    window = frame.window((0, 0, hexes.across(focus.COLUMNS), 6000), png.CROP_WIDTH)
    assert base.number_size(window) * 0.73 / 2 >= 6.5
    assert round(window.hex * 0.27 * png.GROWN) * 0.73 / 2 >= 6.5


def test_nothing_happened_needs_no_window():
    assert focus.focus(ford(traces=(), areas=tuple(replace(area, changed=False) for area in areas()))) == []


def test_a_small_map_is_its_own_window():
    few = tuple(area for area in areas() if int(area.at[:2]) <= 6 and int(area.at[2:]) <= 6)
    scene = Scene("", "", few, traces=(Trace("move", "east", path("0202", "0303"), ("a",)),))
    assert focus.focus(scene) == [frame.bounds(scene)]
    assert focus.focus(replace(scene, traces=())) == []


def test_far_apart_doings_get_windows_of_their_own():
    far = tuple(
        Trace("fight", "east", path(at, at), ("a",), ("b",)) for at in ("0101", "0114", "2001", "2014")
    )
    scene = ford(traces=far, areas=tuple(replace(area, changed=False) for area in areas()))
    boxes = focus.focus(scene)
    assert len(boxes) == 3
    assert len(focus.focus(scene, most=2)) == 2
    whole = frame.bounds(scene)
    for box in boxes:
        assert whole[0] <= box[0] < box[2] <= whole[2]
        assert whole[1] <= box[1] < box[3] <= whole[3]


def test_a_trace_without_a_way_draws_no_window():
    calm = tuple(replace(area, changed=False) for area in areas())
    assert focus.focus(ford(traces=(Trace("move", "east", (), ("a",)),), areas=calm)) == []
    assert focus.interest(
        ford(traces=(Trace("shot", "east", path("0101", "0102", "0103"), ("a",), harm=6),), areas=calm)
    ) == {centre("0101"): 2, centre("0103"): 8}
    assert focus.interest(
        ford(traces=(Trace("retreat", "east", path("0101", "0102", "0103"), ("a",)),), areas=calm)
    ) == {centre("0101"): 4, centre("0102"): 1, centre("0103"): 4}


def test_a_trifle_far_away_gets_no_window():
    fight = tuple(Trace("fight", "east", path("0303", "0304"), ("a",), ("b",), harm=6) for _ in range(4))
    scene = ford(
        traces=(*fight, Trace("move", "east", path("2014", "2013"), ("c",))),
        areas=tuple(replace(a, changed=False) for a in areas()),
    )
    assert len(focus.focus(scene)) == 1


def test_a_window_without_hexes_says_so():
    assert (
        png.crop_alt(ford(), (90_000, 90_000, 95_000, 95_000)) == "Detail of the map: Toll at the Alder Ford"
    )
    assert png.crop_alt(ford(tokens=()), (0, 0, 1200, 1100)) == "Detail, hexes 0101 to 0101: no figures"


# --- legend


def words(scene: Scene) -> list[str]:
    chart = frame.whole(scene, 500, 8)
    drawn = base.base(scene, chart)
    return [entry.words for entry in furniture.entries(scene, drawn, chart, 15, Image.new("RGB", (500, 400)))]


def test_the_legend_tells_what_occurs_and_nothing_else():
    full = words(ford())
    for word in (
        "Lord of the Mill",
        "moved",
        "shot",
        "fight",
        "fell back",
        "changed",
        "wounded",
        "stunned",
        "dead, how many",
        "trees",
        "ford",
        "rider, head in front",
        "horse",
        "edge, falls to the strokes",
        "door",
        "window",
        "archway",
    ):
        assert word in full
    assert "wagon" not in full
    assert "gateway" not in full
    assert "open ground" not in full
    bare = words(
        ford(
            traces=(),
            tokens=(),
            edges=(),
            areas=tuple(Area(a.at, a.centre, a.corners, "flat") for a in areas()),
        )
    )
    assert bare == ["Lord of the Mill", "The Free Company"]


def test_a_legend_too_wide_goes_on_in_the_next_row():
    entry = furniture.Entry(Image.new("RGB", (20, 20)), "many words here")
    rows = furniture.flow([entry] * 5, 14, 300)
    assert [len(row) for row in rows] == [2, 2, 1]
    assert rows[1][0][1] == 0


# --- legible in grey, and for colour-blind eyes


@pytest.mark.parametrize(
    ("one", "other", "least"),
    [
        (palette.INK, palette.CREAM, 12),
        (palette.INK, palette.HURT_BODY, 10),
        (palette.INK, palette.DOWN_BODY, 10),
        (palette.INK, palette.OUT_BODY, 7),
        (palette.SHOT, palette.CREAM, 9),
        (palette.MELEE, palette.WHITE, 6),
        (palette.TITLE, palette.PAGE, 8),
        (palette.FADED, palette.PAGE_DARK, 4.5),
        *((colour, palette.WHITE, 4.5) for colour in palette.SIDES.values()),
        *((look[2], palette.WHITE, 4) for look in (*counters.BADGES.values(), *counters.STATES.values())),
    ],
)
def test_contrast(one, other, least):
    assert palette.contrast(one, other) >= least


def test_contrast_of_black_and_white_is_21():
    assert palette.contrast((255, 255, 255), (0, 0, 0)) == pytest.approx(21)
    assert palette.contrast((119, 119, 119), (255, 255, 255)) == pytest.approx(4.48, abs=0.01)


MACHADO = {
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
    "normal": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
}


def seen_as(colour: palette.Colour, matrix: tuple[tuple[float, ...], ...]) -> tuple[float, float, float]:
    """Return a colour in Lab as eyes see it that lack a cone (Machado and others, 2009, severity 1)."""
    linear = [part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour]
    red, green, blue = (
        min(1.0, max(0.0, sum(a * b for a, b in zip(row, linear, strict=True)))) for row in matrix
    )
    xyz = (
        (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047,
        0.2126 * red + 0.7152 * green + 0.0722 * blue,
        (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883,
    )
    fx, fy, fz = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in xyz)
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def distance(one: palette.Colour, other: palette.Colour, eyes: str) -> float:
    a, b = seen_as(one, MACHADO[eyes]), seen_as(other, MACHADO[eyes])
    return sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) ** 0.5


@pytest.mark.parametrize("eyes", MACHADO)
def test_the_sides_differ_for_all_eyes(eyes):
    assert distance(palette.SIDES["blue"], palette.SIDES["vermilion"], eyes) > 80


def test_the_measure_finds_the_usual_mistake():
    assert distance((176, 64, 40), (88, 112, 32), "deutan") < 25


@pytest.mark.parametrize("eyes", MACHADO)
@pytest.mark.parametrize("look", ["flat", "tree", "water", "crop", "hill"])
def test_counters_stand_out_from_the_ground(eyes, look):
    assert distance(palette.CREAM, palette.GROUNDS[look][1], eyes) > 15


# --- the same each time, and quick the second time

DIGEST = """
import hashlib, sys
sys.path[:0] = [{root!r}, {here!r}, {root!r} + "/tests/outside"]
from castles import castle
from inch_table import table
from scenes import ford
from pbem.renderers import png, text
for scene in (ford(), castle(), table()):
    image = png.picture(scene, width=420)
    print(hashlib.sha256(image.tobytes() + text.render(scene).encode()).hexdigest(), image.size)
"""


def test_the_same_pixels_under_any_hash_seed():
    code = DIGEST.format(root=str(ROOT), here=str(Path(__file__).parent))
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "2")
    }
    assert len(found) == 1


def test_the_same_picture_warm_and_cold():
    base.forget()
    cold = png.picture(ford(), width=420).tobytes()
    warm = png.picture(ford(), width=420).tobytes()
    assert cold == warm


def test_what_is_kept_is_never_drawn_upon():
    bare = ford(tokens=(), traces=())
    before = png.picture(bare, width=420).tobytes()
    png.picture(ford(), width=420)
    assert png.picture(bare, width=420).tobytes() == before


@pytest.mark.parametrize("size", [9, 12, 17, 30])
def test_a_number_written_by_halves_is_the_same_picture(size):
    for text, wide in product(("0101", "0712", "1924", "9999"), (0, 2)):
        whole, halves = Image.new("L", (160, 60), 0), Image.new("L", (160, 60), 0)
        for found, parts in ((whole, ((text, "mm"),)), (halves, ((text[:2], "rm"), (text[2:], "lm")))):
            for part, anchor in parts:
                right, down, letters = base._lettered(lettering.font("sans", size), part, anchor, wide)
                found.paste(255, (80 + right, 30 + down), letters)
        assert ImageStat.Stat(ImageChops.difference(whole, halves)).sum[0] <= 255, (text, wide)


def test_the_ground_of_pages_is_made_a_file_once(monkeypatch):
    made = []
    saved = Image.Image.save
    monkeypatch.setattr(
        Image.Image, "save", lambda *args, **more: made.append(args[2]) or saved(*args, **more)
    )
    base.forget()
    first = board.board((ford(),), width=300)
    assert board.board((ford(tokens=()),), width=300)["ground"] == first["ground"]
    assert made == ["WEBP"]
    burnt = tuple(replace(area, ground="burnt") if area.at == "0303" else area for area in areas())
    assert board.board((ford(areas=burnt),), width=300)["ground"] != first["ground"]
    base.forget()
    board.board((ford(),), width=300)
    assert made == ["WEBP"] * 3
    base.forget()


def test_only_so_many_files_are_kept(monkeypatch):
    monkeypatch.setattr(keeping, "ROOM_OF_FILES", 30)
    keeping.forget()
    made = []

    def file(name):
        return keeping.file_once(("test", name), lambda: made.append(name) or bytes(10), kept=True)

    for name in (1, 2, 3, 1, 4, 1, 3):  # 2 is the one unused for longest when 4 comes
        file(name)
    assert made == [1, 2, 3, 4]
    file(2)
    assert made == [1, 2, 3, 4, 2]
    keeping.forget()


def test_changed_ground_is_painted_anew_under_the_same_key():
    burnt = tuple(replace(area, ground="burnt") if area.at == "0303" else area for area in areas())
    assert png.picture(ford(), width=300).tobytes() != png.picture(ford(areas=burnt), width=300).tobytes()


def test_only_so_many_pictures_are_kept(monkeypatch):
    monkeypatch.setattr(keeping, "ROOM", 3 * 100 * keeping.BYTES)
    base.forget()
    painted = []

    def picture(name, size=(10, 10)):
        return keeping.once(("test", name), lambda: painted.append(name) or Image.new("RGB", size), size=size)

    for name in (1, 2, 3, 1, 4, 1, 3):  # 2 is the one unused for longest when 4 comes
        picture(name)
    assert painted == [1, 2, 3, 4]
    picture(2)
    assert painted == [1, 2, 3, 4, 2]
    picture("large", (100, 100))  # takes all the room there is, and makes way for the next one
    picture(2)
    assert painted == [1, 2, 3, 4, 2, "large", 2]
    base.forget()
    picture(2)
    assert painted[-1] == 2
    assert len(painted) == 8
    base.forget()


def test_a_further_map_costs_hardly_more_than_its_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever takes long, noise and blur and letters, has been done by the first: how long it takes then is
    told by the benchmarks.
    """
    work: list[str] = []

    def counted(of: Any, name: str) -> None:
        done = getattr(of, name)
        monkeypatch.setattr(of, name, lambda *args, **more: work.append(name) or done(*args, **more))

    for of, name in ((Image.Image, "resize"), (Image.Image, "filter"), (ImageDraw.ImageDraw, "text")):
        counted(of, name)
    base.forget()  # the ground; small things, which other tests may have lettered before, stay known
    first = png.picture(ford())
    assert {"resize", "filter"} <= set(work)
    work.clear()
    assert png.picture(ford()).tobytes() == first.tobytes()
    assert set(work) <= {"text"}
    assert len(work) < 10, work


# --- hostile words

HOSTILE = (
    "x" * 5000,
    "<script>alert(1)</script>[b]](javascript:x)",
    "‮gnihtyna‬⁦ שלום עולם",
    "🏰🐴👨‍👩‍👧‍👦 ✊🏽",
    "a\x00b\x1b[31m\r\n\tc",
    "\ud800 lone",
    "ﷺ" * 40,
    "",
)


@pytest.mark.parametrize("word", HOSTILE, ids=range(len(HOSTILE)))
def test_no_word_breaks_the_picture(word):
    hostile = token("Hob", "east", "spear", "1208", "12-9-5")
    hostile = replace(
        hostile,
        id=word,
        name=word,
        symbol=word,
        numbers=(word, word, word),
        badges=(word,),
        state=word,
        description=word,
    )
    scene = ford(
        title=word,
        subtitle=word,
        scale=word,
        summary=word,
        tokens=(hostile, replace(hostile, side=word, at=(), cells=())),
        traces=tuple(
            Trace(kind, word, path("1108", "1208", "1308"), (word,), (word,), word, word)
            for kind in ("move", "shot", "fight", word)
        ),
        notes=(Note(centre("0505"), word),),
        sides=(SideLook("east", word, word, word),),
        grounds={"water": word, word: word},
        edges=(Edge(word, "0101", word, *corners("0101")[:2], centre("0101")),),
    )
    image = opened(png.render(scene, width=400))
    assert image.width == 400
    for crop in png.render_crops(scene, width=200):
        assert opened(crop.png).width <= 200
        assert len(crop.alt) <= 140


def test_text_is_cut_to_its_room():
    text, size = lettering.fitted("a name of very many letters", "bold", 20, 60, 10)
    assert size == 10
    assert text.endswith("…")
    assert lettering.width(text, "bold", 10) <= 60
    assert lettering.fitted("abc", "bold", 12, 1, 12) == ("", 12)
    assert lettering.fitted("abc", "bold", 12, 100, 6) == ("abc", 12)


def test_plain_text_is_one_line_without_hidden_signs():
    assert lettering.plain("a\n b​‮\x07c") == "a bc"
    assert lettering.plain("abcdef", 4) == "abc…"
    assert lettering.plain("abcd", 4) == "abcd"


def test_a_smooth_line_goes_through_its_points():
    line = ways.smooth([(0, 0), (10, 10), (20, 0)])
    assert line[0] == (0, 0)
    assert line[-1] == (20, 0)
    assert (10, 10) in line
    assert ways.smooth([(0, 0), (9, 9)]) == [(0, 0), (9, 9)]


def test_a_road_runs_on_to_the_border_and_loses_its_zigzag():
    scene = ford()
    road = path("0101", "0201", "0301")
    run = ways.to_the_border(road, scene)
    assert run[0] == (577 - 866, 500)
    assert run[1] == road[0]
    assert run[-1] == road[-1]
    assert ways.to_the_border(road[:1], scene) == [road[0]]
    assert ways.to_the_border(path("0102", "0101"), scene)[-1] == (577, -500)
    straight = ways.straighter(path("0101", "0201", "0301", "0401", "0501"))
    assert straight[0] == centre("0101")
    assert straight[-1] == centre("0501")
    assert {y for _, y in straight[1:-1]} == {750}


@pytest.mark.parametrize("roads", [((),), (path("0505"),)])
def test_a_road_of_no_length_does_no_harm(roads):
    assert png.picture(ford(roads=roads, tokens=(), traces=()), width=300).width == 300


def test_a_piece_of_a_line():
    assert arrows.cut([(0, 0), (10, 0), (10, 10)], 5, 12) == [(5, 0), (10, 0), (10, 2)]
    assert arrows.cut([(0, 0), (10, 0)], 20, 30) == []


def test_fonts_come_with_their_licences():
    for name in lettering.FILES.values():
        assert (lettering.FONTS / name).is_file()
    assert "SIL OPEN FONT LICENSE" in (lettering.FONTS / "LICENSE.EBGaramond.txt").read_text("utf-8")
    assert "Bitstream" in (lettering.FONTS / "LICENSE.DejaVu.txt").read_text("utf-8")


def test_a_scale_is_a_width():
    assert [frame.width_for(scale) for scale in (0.25, 0.5, 1, 2, 3)] == [350, 700, 1400, 2800, 4200]
    assert frame.width_for(0) == frame.LEAST
    assert frame.width_for(1000) == frame.MOST


def test_at_a_small_scale_all_of_it_shrinks_together():
    large, small = png.picture(ford(), width=1400), png.picture(ford(), width=350)
    assert small.width == 350
    # the legend takes no more of the sheet than it does at full size
    assert abs(small.height / 350 - large.height / 1400) < 0.05
    assert ImageChops.difference(png.picture(ford(), width=700).reduce(2), small).getbbox() is None


def test_at_a_large_scale_words_and_counters_grow_with_the_hexes():
    once, twice = png.picture(ford(), width=700), png.picture(ford(), width=1400)
    assert abs(twice.height / once.height - 2) < 0.1
    assert twice.size[0] == 1400


def test_a_map_that_is_very_high_becomes_narrower(monkeypatch):
    tower = ford(
        areas=tuple(area for area in areas() if area.at[:2] in ("01", "02")),
        edges=(),
        tokens=(),
        traces=(),
        notes=(),
        roads=(),
    )
    usual = png.picture(tower, width=600)
    assert usual.width == 600
    monkeypatch.setattr(png, "PIXELS", 100_000)
    for width in (600, 4200, 10**9):
        drawn = png.still(tower, width=width)
        assert drawn.width < 200
        assert drawn.width * drawn.height < 120_000
    box = (0, 0, 1000, 10**6)
    drawn = png.picture(tower, width=700, crop=box)
    assert drawn.width * drawn.height <= 100_000


def lightness(colour):
    """Return a colour in CIELAB, under daylight."""
    linear = [
        value / 255 / 12.92 if value <= 10 else ((value / 255 + 0.055) / 1.055) ** 2.4 for value in colour
    ]
    # XYZ by the white of D65
    rows = ((0.4339, 0.3762, 0.1899), (0.2126, 0.7152, 0.0722), (0.0177, 0.1095, 0.8729))
    totals = [sum(share * value for share, value in zip(row, linear, strict=True)) for row in rows]
    x, y, z = (math.cbrt(total) if total > 0.008856 else 7.787 * total + 16 / 116 for total in totals)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("name", ("six-days", "alder-ford"))
def test_few_colours_are_no_loss_that_is_seen_and_few_bytes(name):
    scene = shown(open_game(ROOT / "examples" / name / "archive.zip"))
    drawn = png.picture(scene)
    data = png.encode(drawn)
    assert len(data) <= 600_000
    reduced_ = opened(data).convert("RGB")
    noise = ImageStat.Stat(ImageChops.difference(drawn, reduced_)).rms
    assert 10 * math.log10(255**2 / (sum(value**2 for value in noise) / 3)) > 35  # decibels
    places = [(x, y) for x in range(3, drawn.width, 11) for y in range(5, drawn.height, 13)]
    far = sorted(math.dist(lightness(drawn.getpixel(at)), lightness(reduced_.getpixel(at))) for at in places)
    assert sum(far) / len(far) < 2.3  # a difference that is just noticed
    assert far[len(far) * 9 // 10] < 5


@pytest.mark.parametrize("size", [24, 31, 44, 59, 120])
def test_the_letter_of_the_compass_is_whole_and_keeps_clear_of_the_edge(size: int) -> None:
    box = furniture.compass(size).getchannel("A").getbbox()
    assert box is not None
    assert box[1] >= max(1, size // 20) and box[3] <= size
