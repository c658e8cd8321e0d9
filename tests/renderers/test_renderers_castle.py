"""A castle on the map: what rises, what is open, what was built and broken; every sign of it legible in grey
and over counters.
"""

from __future__ import annotations

import math
from itertools import combinations

import pytest
from castles import ON_SIDES, areas, castle, edges, feature, thing, things
from msgspec.structs import replace
from pbem.renderers.painted import action, base, counters, engines, figures, furniture, masonry, roofed, works
from PIL import Image, ImageChops, ImageStat
from scenes import SIDES, centre, corners, edge, neighbour, token

from pbem.core.scene import Area, Scene, Trace
from pbem.renderers import chart, frame, palette, png, text

WIDE = 900
MARGIN = round(WIDE * 0.016)


@pytest.fixture(scope="module", name="chart")
def chart_() -> frame.Frame:
    return frame.whole(castle(), WIDE, MARGIN)


def grey(scene: Scene, chart: frame.Frame) -> Image.Image:
    """Return the map without its furniture, in grey."""
    picture = base.base(scene, chart).copy()
    action.draw_action(picture, scene, chart)
    return picture.convert("L")


def bare(**more: object) -> Scene:
    """Return the castle with nobody and nothing on it."""
    return castle(**{"tokens": (), "traces": (), "things": (), "features": (), **more})


def patch(picture: Image.Image, chart: frame.Frame, at: str, reach: float = 0.8) -> Image.Image:
    x, y = chart.spot(centre(at))
    r = chart.hex * reach
    return picture.crop((round(x - r), round(y - r), round(x + r), round(y + r)))


def unlike(one: Image.Image, other: Image.Image) -> float:
    return ImageStat.Stat(ImageChops.difference(one, other)).mean[0]


def light(picture: Image.Image, chart: frame.Frame, at: str, right: float, down: float) -> float:
    x, y = chart.spot(centre(at))
    x, y, r = x + right * chart.hex, y + down * chart.hex, chart.hex * 0.12
    return ImageStat.Stat(picture.crop((round(x - r), round(y - r), round(x + r), round(y + r)))).mean[0]


# --- the ground


def test_high_walls_throw_their_shadow_to_the_south_east(chart):
    flat = bare(
        areas=tuple(replace(area, ground="courtyard") if area.ground == "keep" else area for area in areas()),
        edges=(),
    )
    high = bare(edges=())
    before, after = (base.base(scene, chart).convert("L") for scene in (flat, high))
    assert light(before, chart, "0508", -0.2, -0.3) > light(after, chart, "0508", -0.2, -0.3) + 25
    assert abs(light(before, chart, "0305", 0.2, 0.5) - light(after, chart, "0305", 0.2, 0.5)) < 3


def test_a_keep_throws_a_longer_shadow_than_a_wall_walk(chart):
    seen = []
    for look in ("battlement", "keep"):
        one = tuple(replace(area, ground=look if area.at == "0506" else "flat") for area in areas())
        picture = base.base(bare(areas=one, edges=()), chart).convert("L")
        empty = base.base(
            bare(areas=tuple(replace(area, ground="flat") for area in areas()), edges=()), chart
        ).convert("L")
        x, y = chart.spot(centre("0606"))
        strip = (
            round(x - chart.hex * 0.8),
            round(y - chart.hex * 0.5),
            round(x + chart.hex * 0.8),
            round(y + chart.hex * 0.8),
        )
        darker = ImageChops.subtract(empty.crop(strip), picture.crop(strip)).point([0] * 25 + [255] * 231)
        seen.append(sum(darker.histogram()[1:]))
    assert seen[1] > seen[0] * 1.4


def test_every_hex_number_of_a_castle_can_be_read(chart):
    picture = base.base(castle(), chart).convert("L")
    size = base.number_size(chart)
    for area in areas():
        x, y = chart.spot(area.centre)
        box = (
            round(x - size),
            round(y - chart.hex * 0.69 - size / 2),
            round(x + size),
            round(y - chart.hex * 0.69 + size / 2),
        )
        low, high = picture.crop(box).getextrema()
        assert low < 100, area.at
        assert high > 165, area.at


def test_stairs_rise_to_the_highest_hex_beside_them_and_are_lighter_there(chart):
    picture = base.base(bare(edges=()), chart).convert("L")
    assert light(picture, chart, "0705", 0.45, -0.5) > light(picture, chart, "0705", 0.1, 0.75) + 20


@pytest.mark.parametrize("ground", ["moat", "trench"])
def test_what_was_dug_has_banks_darker_than_the_grass(chart, ground):
    dug = {"1203", "1204"}
    cells = tuple(replace(area, ground=ground if area.at in dug else "flat") for area in areas())
    picture = base.base(bare(areas=cells, edges=(), roads=()), chart).convert("L")
    assert light(picture, chart, "1206", 0, 0) > light(picture, chart, "1204", 0, 0.1) + 30


def test_trenches_side_by_side_are_one_ditch(chart):
    seen = []
    for dug in (("1203",), ("1203", "1204")):
        cells = tuple(replace(area, ground="trench" if area.at in dug else "flat") for area in areas())
        seen.append(light(base.base(bare(areas=cells, edges=()), chart).convert("L"), chart, "1203", 0, 0.8))
    assert seen[0] > seen[1] + 25


def test_a_courtyard_leaves_no_grass_between_buildings_and_at_the_border(chart):
    picture = base.bare(bare(edges=()), chart)
    x, y = chart.spot(corners("0408")[2])
    red, green, _ = ImageStat.Stat(
        picture.crop((round(x - 14), round(y - 6), round(x - 8), round(y - 2)))
    ).mean
    assert red > green


# --- walls


VIEW = frame.Frame(0.1, 0, -400, 115, 155)


def wall(kind: str, side: str = "n", ground: str = "tower") -> Image.Image:
    sheet = Image.new("RGB", (230, 310), (178, 172, 160))
    chart = VIEW
    area = Area("0101", centre("0101"), corners("0101"), ground)
    masonry.draw_masonry(sheet, (edge(kind, "0101", side),), (area,), chart, 2)
    return sheet.convert("L")


def test_walls_parapets_slits_and_openings_differ_in_grey():
    kinds = ("wall", "parapet", "slit", "door", "gate", "arch", "window", "drop")
    for side in ("n", "se", "s"):
        for one, other in combinations([wall(kind, side) for kind in kinds], 2):
            assert ImageChops.difference(one, other).point([0] * 60 + [1] * 196).histogram()[1] > 40


@pytest.mark.parametrize("side", ["n", "ne", "se", "s", "sw", "nw"])
def test_an_arrow_slit_shows_where_it_looks(side):
    changed = ImageChops.difference(wall("slit", side), wall("wall", side)).point([0] * 40 + [255] * 216)
    view = VIEW
    (mx, my), (ax, ay), (bx, by) = view.spots(
        (centre("0101"), edge("slit", "0101", side).a, edge("slit", "0101", side).b), 2
    )
    wx, wy = (ax + bx) / 2, (ay + by) / 2 - masonry.RISE["tower"] * view.hex * 2
    length = math.hypot((ax + bx) / 2 - mx, (ay + by) / 2 - my)
    ox, oy = ((ax + bx) / 2 - mx) / length, ((ay + by) / 2 - my) / length
    far = [
        (x - wx) * ox + (y - wy) * oy
        for y in range(changed.height)
        for x in range(changed.width)
        if changed.getpixel((x, y)) == 255
    ]
    assert max(far) > -1.4 * min(far)


def test_masonry_rises_towards_the_north_and_more_of_it_for_a_keep():
    tops = []
    for ground in ("battlement", "tower", "keep"):
        changed = ImageChops.difference(wall("wall", "n", ground), Image.new("L", (230, 310), 172)).point(
            [0] * 12 + [255] * 244
        )
        tops.append(changed.getbbox()[1])
    assert tops[0] > tops[1] > tops[2]


def test_the_walls_of_a_house_are_not_masonry():
    looks = {"0101": "floor", "0202": "tower"}
    assert not masonry.is_masonry(edge("wall", "0101", "n"), looks)
    assert masonry.is_masonry(edge("wall", "0202", "n"), looks)
    assert not masonry.is_masonry(edge("steps", "0202", "n"), looks)
    assert masonry.castle_look(Area("0101", (0, 0), (), "keep_interior"))
    assert not masonry.castle_look(Area("0101", (0, 0), (), "courtyard"))


def test_a_walk_without_a_wall_falls_off_and_stairs_do_not():
    found = {(each.at, frozenset((each.a, each.b))) for each in masonry.drops(areas(), edges())}
    south = edge("drop", "0604", "s")
    assert ("0604", frozenset((south.a, south.b))) in found
    stairs = edge("drop", "0704", "s")
    assert all(sides != frozenset((stairs.a, stairs.b)) for _, sides in found)
    parapet = edge("drop", "0604", "n")
    assert all(sides != frozenset((parapet.a, parapet.b)) for _, sides in found)
    level = edge("drop", "0906", "s")
    assert all(sides != frozenset((level.a, level.b)) for _, sides in found)
    assert masonry.drops(areas()[:1], ()) == []


def test_sides_of_a_castle_that_is_only_listed_are_all_drawn(chart):
    plain, walled = (base.base(bare(edges=each), chart).convert("L") for each in ((), edges()))
    for kind, sides in ON_SIDES.items():
        for side, places in sides.items():
            for at in places.split() if side != "w" else ():
                assert unlike(patch(plain, chart, at, 1.2), patch(walled, chart, at, 1.2)) > 1, (
                    kind,
                    at,
                    side,
                )


# --- what has become of the ground


@pytest.mark.parametrize("kind", ["filled", "rubble", "burnt", "fire"])
def test_what_became_of_a_hex_is_seen_in_grey_and_each_looks_different(chart, kind):
    before = grey(bare(), chart)
    after = grey(bare(features=(feature(kind, "0605", 1),)), chart)
    assert unlike(patch(before, chart, "0605"), patch(after, chart, "0605")) > 15
    assert unlike(patch(before, chart, "0406"), patch(after, chart, "0406")) == 0
    others = [
        grey(bare(features=(feature(other, "0605", 1),)), chart)
        for other in ("filled", "rubble", "burnt", "fire")
        if other != kind
    ]
    assert all(unlike(patch(after, chart, "0605"), patch(other, chart, "0605")) > 10 for other in others)


def test_damage_grows_step_by_step_and_stays_legible(chart):
    drawn = [grey(bare(features=(feature("wall", "0604", step, "n"),)), chart) for step in range(4)]
    assert unlike(drawn[0], grey(bare(), chart)) == 0
    for one, other in combinations(drawn, 2):
        assert unlike(patch(one, chart, "0604", 1.0), patch(other, chart, "0604", 1.0)) > 0.8
    assert unlike(grey(bare(features=(feature("wall", "0604", 4, "n"),)), chart), grey(bare(), chart)) == 0


def test_cracks_run_over_the_walls_of_the_hex_or_somewhere(chart):
    north, south, nowhere = (
        grey(bare(features=(feature("wall", "0907", 2, sides),)), chart) for sides in ("n", "s", "")
    )
    assert unlike(patch(north, chart, "0907"), patch(south, chart, "0907")) > 0.5
    assert unlike(patch(nowhere, chart, "0907"), patch(grey(bare(), chart), chart, "0907")) > 0.5


def test_the_step_of_damage_and_the_turn_of_a_fire_stand_above_the_counters(chart):
    man = token("Gunter", "garrison", "sergeant", "0604", "12-9-5")
    for kind, far in (("wall", -0.78), ("fire", 0.78)):
        one, two = (
            grey(bare(tokens=(man,), features=(feature(kind, "0604", number, "n"),)), chart)
            for number in (1, 2)
        )
        x, y = chart.spot(centre("0604"))
        x += far * chart.hex
        r = chart.hex * 0.2
        box = (round(x - r), round(y - r), round(x + r), round(y + r))
        assert unlike(one.crop(box), two.crop(box)) > 5


def test_flames_cover_an_engine_and_rubble_lies_under_it(chart):
    engine = (thing("ram1", "ram", "1205", "n"),)
    whole = grey(bare(things=engine), chart)
    burning, ruined = (
        grey(bare(things=engine, features=(feature(kind, "1205", 1),)), chart) for kind in ("fire", "rubble")
    )
    assert unlike(patch(whole, chart, "1205", 0.4), patch(burning, chart, "1205", 0.4)) > 15
    assert unlike(patch(whole, chart, "1205", 0.4), patch(ruined, chart, "1205", 0.4)) < 1


def test_tags_differ_by_number_and_fill():
    tags = [works.gauge(number, 4, 2600).convert("L") for number in (1, 2, 3)]
    flames = [works.flame_number(number, 2600).convert("L") for number in (1, 2, 3)]
    for one, other in (*combinations(tags, 2), *combinations(flames, 2)):
        assert unlike(one, other) > 3
    assert works.gauge(1, 4, 100).height == 9
    assert works.flame_number(1, 100).size == (10, 10)


def test_an_unknown_feature_does_no_harm(chart):
    assert unlike(grey(bare(features=(feature("swamp", "0604", 3),)), chart), grey(bare(), chart)) == 0


def test_what_changes_does_not_paint_the_ground_anew():
    assert base.static_key(castle()) == base.static_key(bare(sides=castle().sides))


# --- things

ENGINES = ("siege-tower", "ram", "ballista", "trebuchet", "mangonel", "mantlet")


def shaped(kind: str, facing: str) -> str:
    """Return the hexes of an engine that looks to a side."""
    ahead = SIDES.index(facing)
    front = "0606"
    steps = {"siege-tower": ((), (2,), (3,)), "ram": ((), (3,), (3, 3))}.get(kind, ((),))
    found = []
    for way in steps:
        at = front
        for turn in way:
            at = neighbour(at, SIDES[(ahead + turn) % 6])
        found.append(at)
    return " ".join(found)


def drawn_thing(kind: str, facing: str = "n", stands: str = "", at: str = "0203") -> Image.Image:
    sheet = Image.new("RGB", (320, 320), (190, 204, 142))
    made = thing("x1", kind, at, facing, stands)
    engines.draw_thing(sheet, made, palette.SIDES["blue"], frame.Frame(0.08, -600, 200, 320, 320))
    return sheet.convert("L")


@pytest.mark.parametrize("kind", ENGINES)
def test_where_an_engine_faces_can_be_told_in_grey(kind):
    view = frame.Frame(0.06, 2200, 3700, 320, 320)
    seen = []
    for facing in engines.ANGLES:
        sheet = Image.new("RGB", (320, 320), (190, 204, 142))
        scene = Scene("", "", (), things=(thing("x1", kind, shaped(kind, facing), facing),))
        engines.draw_things(sheet, scene, view)
        engines.draw_fronts(sheet, scene, view)
        seen.append(sheet.convert("L"))
    for one, other in combinations(seen, 2):
        assert unlike(one, other) > 0.8


def test_the_arrow_of_an_engine_lies_at_its_front_above_all_counters(chart):
    for facing in engines.ANGLES:
        one = bare(
            things=(thing("ram1", "ram", "1205", facing),),
            tokens=(token("Tom", "company", "spear", "1205", "7-6-6"),),
        )
        other = replace(one, things=(thing("ram1", "mantlet", "1205", facing),))
        box = ImageChops.difference(*(grey(each, chart) for each in (one, other))).getbbox()
        assert box is not None
    angles = {
        facing: engines.arrow(angle, (0, 0, 0), 4000).tobytes() for facing, angle in engines.ANGLES.items()
    }
    assert len(set(angles.values())) == 6


def test_the_front_of_a_group_of_hexes():
    tower = ((0.0, 0.0), (1.5, 0.866), (0.0, 1.732))
    run, side, back = roofed.front(tower, -90)
    assert (round(run, 2), round(side, 2), round(back, 2)) == (0.87, 0.0, -2.6)
    assert roofed.front(((0.0, 0.0), (1.5, -0.1)), -90)[1] == 0.75


def test_a_group_of_hexes_has_one_border():
    corners_ = [
        [
            (100 * x, 100 * y)
            for x, y in ((1, 0), (0.5, 0.866), (-0.5, 0.866), (-1, 0), (-0.5, -0.866), (0.5, -0.866))
        ]
    ]
    corners_.append([(x + 150, y + 86.6) for x, y in corners_[0]])
    assert len(roofed.border(corners_)) == 10
    assert len(roofed.border(corners_[:1])) == 6


def test_all_kinds_of_things_look_different_and_an_unknown_one_is_a_chest():
    kinds = [*engines.ORDER, "cupboard", "chest"]
    seen = {kind: drawn_thing(kind) for kind in kinds}
    for one, other in combinations(kinds[:-1], 2):
        assert unlike(seen[one], seen[other]) > 0.3, (one, other)
    assert unlike(seen["cupboard"], seen["chest"]) == 0


def test_how_a_ladder_stands_can_be_told_in_grey():
    raised = [drawn_thing("ladder", facing, "raised") for facing in engines.ANGLES]
    lying, carried = (drawn_thing("ladder", "", stands, "0203 0303") for stands in ("lying", "carried"))
    for one, other in combinations([*raised, lying, carried], 2):
        assert unlike(one, other) > 0.5
    assert (
        unlike(
            drawn_thing("ladder", "", "lying", "0203 0303"), drawn_thing("ladder", "", "lying", "0203 0204")
        )
        > 1
    )


def test_a_bridge_down_covers_its_hexes_and_one_that_is_up_closes_its_gate(chart):
    nothing, down, up = (
        grey(bare(things=each), chart) for each in ((), things("lowered")[:1], things("raised")[:1])
    )
    assert unlike(patch(nothing, chart, "0403", 0.5), patch(down, chart, "0403", 0.5)) > 20
    assert unlike(patch(down, chart, "0403"), patch(up, chart, "0403")) > 10
    x, y = chart.spot(centre("0403"))
    gate = (
        round(x - chart.hex * 0.3),
        round(y + chart.hex * 0.75),
        round(x + chart.hex * 0.3),
        round(y + chart.hex * 0.95),
    )
    assert unlike(nothing.crop(gate), up.crop(gate)) > 12


def test_a_bridge_over_two_hexes_is_one():
    one, two = (drawn_thing("drawbridge", "n", "lowered", at) for at in ("0203", "0203 0204"))
    assert unlike(one, two) > 2


def test_a_thing_off_the_map_or_out_of_sight_is_not_drawn(chart):
    away = replace(thing("trebuchet1", "trebuchet", "0101"), at=(), cells=())
    assert unlike(grey(bare(things=(away,)), chart), grey(bare(), chart)) == 0
    far = thing("ballista1", "ballista", "9090", "n")
    assert unlike(grey(bare(things=(far,)), chart), grey(bare(), chart)) == 0


def test_what_is_ordered_by_name_has_its_name_on_the_map_inside_the_window_only(chart):
    named = [plate for plate, _ in engines.labels(castle(), chart)]
    assert len(named) == 10
    crop = frame.window((0, 0, 3000, 3000), 400)
    assert len(engines.labels(castle(), crop)) == 1
    for _, spots in engines.labels(castle(), chart):
        assert len(spots) >= 5


def test_a_ballista_says_for_how_many_turns_it_is_loaded(chart):
    seen = [
        grey(bare(things=(thing("b1", "ballista", "1206", "n", number=number, full=3),)), chart)
        for number in range(4)
    ]
    for one, other in combinations(seen, 2):
        assert unlike(patch(one, chart, "1206", 1.3), patch(other, chart, "1206", 1.3)) > 0.3


def test_a_thing_that_faces_nowhere_lies_along_its_hexes():
    assert engines.angle_of(thing("l", "ladder", "0203 0204")) == 90
    assert engines.angle_of(thing("l", "oil", "0203")) == -90
    assert engines.angle_of(thing("l", "ram", "0203 0204", "sw")) == 150


# --- two storeys


def storeys() -> Scene:
    pair = (
        token("Low", "company", "spear", "0603", "7-6-6"),
        token("Top", "garrison", "spear", "0603", "7-6-6", level=1),
        token("Wat", "company", "spear", "0602", "7-6-6"),
        token("Odo", "company", "spear", "0805", "7-6-6"),
    )
    return bare(tokens=pair, things=(thing("tower1", "siege-tower", "0603 0503 0602", "s"),))


def test_who_is_above_and_who_is_inside_is_told_by_frame_and_mark(chart):
    assert figures.storeys(storeys()) == {"low": "inside", "top": "above", "wat": "inside"}
    dead = replace(
        storeys(), tokens=tuple(replace(each, state="dead", look="out") for each in storeys().tokens)
    )
    assert figures.storeys(dead) == {}
    above, inside = (counters.floor(word, 4000).convert("L") for word in ("above", "inside"))
    assert ImageStat.Stat(above).mean[0] > ImageStat.Stat(inside).mean[0] + 80
    marks = [counters.badge(word, 24).convert("L") for word in ("above", "inside")]
    assert unlike(*marks) > 5


def test_two_on_two_storeys_lie_side_by_side_the_lower_to_the_left(chart):
    picture = png.picture(storeys(), width=WIDE)
    x, y = chart.spot(centre("0603"))
    y += furniture.head_height(WIDE)
    left = picture.crop(
        (round(x - chart.hex), round(y - chart.hex), round(x), round(y + chart.hex))
    ).getcolors(100_000)
    right = picture.crop(
        (round(x), round(y - chart.hex), round(x + chart.hex), round(y + chart.hex))
    ).getcolors(100_000)
    blue, vermilion = palette.SIDES["blue"], palette.SIDES["vermilion"]
    assert vermilion in {colour for _, colour in left}
    assert blue not in {colour for _, colour in left}
    assert blue in {colour for _, colour in right}


def test_two_on_one_level_lie_side_by_side_too():
    pair = [token(name, "company", "spear", "0603", "7-6-6") for name in ("Wat", "Odo")]
    assert figures.beside(pair, pair[0])[0] == 0.49
    assert figures.beside(pair, pair[1])[0] == -0.49
    assert figures.beside(pair[:1], pair[0]) == (0.0, 0.0)
    three = [*pair, token("Tom", "company", "spear", "0603", "7-6-6")]
    assert [figures.beside(three, each)[0] for each in three] == [0.49, -0.49, 0.0]


# --- what happened


def test_a_blow_at_a_wall_is_a_burst_with_its_result(chart):
    blow = Trace(
        "strike", "company", (centre("1105"), centre("1004")), ("ram1",), ("1004",), "7: wall at step 2"
    )
    before, after = grey(bare(), chart), grey(bare(traces=(blow,)), chart)
    assert unlike(patch(before, chart, "1004", 1.2), patch(after, chart, "1004", 1.2)) > 1.8
    from_afar = grey(bare(traces=(replace(blow, path=(centre("1004"),), text=""),)), chart)
    assert unlike(patch(before, chart, "1004"), patch(from_afar, chart, "1004")) > 3
    assert unlike(grey(bare(traces=(replace(blow, path=()),)), chart), before) == 0


# --- legend and words


def words(scene: Scene) -> list[str]:
    chart = frame.whole(scene, 500, 8)
    return [
        entry.words
        for entry in furniture.entries(
            scene, base.base(scene, chart), chart, 15, Image.new("RGB", (500, 400))
        )
    ]


def test_the_legend_explains_a_castle_and_all_that_stands_there():
    full = words(castle())
    for word in (
        "moat",
        "battlement",
        "stairs",
        "trench",
        "parapet",
        "arrow slit",
        "drawbridge, down",
        "ladder, upright",
        "ladder",
        "siege tower, arrow in front",
        "ram, arrow in front",
        "ballista, turns loaded",
        "trebuchet",
        "mangonel",
        "mantlet",
        "barrel of oil",
        "on the platform",
        "inside, under the roof",
        "moat filled in",
        "rubble",
        "damage, steps of 4",
        "fire, turns so far",
        "burnt out",
    ):
        assert word in full
    assert "drawbridge, up" not in full
    blow = Trace("strike", "company", (centre("1004"),), ("m1",), ("1004",))
    assert "wall struck" in words(castle(traces=(blow,)))
    assert "drawbridge, up" in words(castle(things=things("raised")))
    assert not {"ladder", "rubble", "on the platform"} & set(words(bare()))


def test_the_floor_behind_an_arrow_slit_is_not_listed_beside_the_slit():
    cells = tuple(
        replace(area, name="arrow slit") if area.at in ("0304", "0904") else area for area in areas()
    )
    assert words(castle(areas=cells)).count("arrow slit") == 1
    assert words(castle(areas=cells, edges=())).count("arrow slit") == 1


def test_legend_pictures_are_no_higher_than_a_line_of_it():
    chart = frame.whole(castle(), 1400, 22)
    unit = 26
    for entry in furniture.entries(
        castle(), base.bare(castle(), chart), chart, unit, Image.new("RGB", (1400, 700))
    ):
        assert entry.picture.height <= unit * 1.62, entry.words


def test_a_legend_is_kept_only_while_it_says_the_same():
    one = png.picture(castle(), width=500)
    other = png.picture(castle(things=()), width=500)
    assert one.height != other.height


def test_everything_is_said_in_words():
    said = text.describe(
        castle(
            things=(
                thing("bridge", "drawbridge", "0403", "s", "raised", description="drawbridge, raised"),
                thing("bridge-winch", "winch", "0504"),
                thing("ladder1", "ladder", "0703", "s", "raised", side="company"),
                thing("ladder2", "ladder", "1007 1107", "", "carried", side="nobody"),
                thing(
                    "tower1",
                    "siege-tower",
                    "0603 0503 0602",
                    "s",
                    side="company",
                    description="siege tower, facing s",
                ),
                replace(thing("trebuchet1", "trebuchet", "0101"), at=(), cells=()),
            )
        )
    )
    for line in (
        "Engines and equipment (hexes: name, what it is, whose)",
        "- 0403: bridge, drawbridge, raised",
        "- 0703: ladder1, ladder, of The company",
        "- 1007 and 1107: ladder2, ladder, of nobody",
        "- 0603, 0503 and 0602: tower1, siege tower, facing s, of The company",
        "- off the map: trebuchet1, trebuchet",
        "- 0603, in tower1: hal, halberdier, 10-6-6, healthy",
        "- 0603, on top of tower1: alric, short bowman, 4-3-7, healthy",
        "- 0703, on ladder1: odo, spearman, 7-6-6, healthy",
        "- 1007: tom, spearman, 7-6-6, healthy",
        "What has become of the ground",
        "- 0204: damaged wall, 2 of 4 steps",
        "- 0603: moat filled in",
        "- 0908: rubble, where a wall was",
        "- 1301: on fire, in turn 2 of it",
        "- 1307: burnt out",
    ):
        assert line in said.splitlines(), line
    assert (
        "winch" not in said.replace("bridge-winch", "winch").split("Engines")[1].split("What has become")[0]
    )


def test_who_stands_on_a_lowered_bridge_stands_on_it():
    man = token("Odo", "company", "spear", "0403", "7-6-6")
    said = {
        stands: text.describe(bare(tokens=(man,), things=things(stands)[:1]))
        for stands in ("lowered", "raised")
    }
    assert "- 0403, on bridge: odo" in said["lowered"]
    assert "- 0403: odo" in said["raised"]


def test_words_for_blows_falls_and_engines():
    numbers = {area.centre: area.at for area in areas()}
    ram = Trace(
        "strike", "company", (centre("1105"), centre("1004")), ("ram1",), ("1004",), "7: wall at step 2"
    )
    assert text.trace_line(ram, numbers) == "ram1 strikes the wall in 1004; 7: wall at step 2"
    two = replace(ram, actors=("mangonel1", "trebuchet1"), path=(centre("1004"),))
    assert (
        text.trace_line(two, numbers)
        == "mangonel1 and trebuchet1 bombard the wall in 1004; 7: wall at step 2"
    )
    fall = Trace("fall", "company", (centre("0703"), centre("0702")), ("odo",))
    assert text.trace_line(fall, numbers) == "odo falls: 0703 0702"
    roll = Trace("roll", "company", (centre("0602"), centre("0603")), ("tower1",))
    assert text.trace_line(roll, numbers) == "tower1 is moved: 0602 0603"


def test_a_feature_nobody_knows_is_named_as_it_is():
    assert text.feature_words(feature("swamp", "0101")) == "swamp"
    assert text.feature_words(feature("wall", "0101", 9)) == "destroyed wall, 9 of 4 steps"


def test_the_map_in_characters_has_engines_and_what_became_of_the_ground():
    drawn = chart.character_map(castle(tokens=()))
    lines = drawn.splitlines()
    assert lines[lines.index("   01  03  05  07  09  11  13") + 6].startswith("03 w   w   <3")
    assert "<3 tower1 0603 0503 0602" in lines
    assert "Since then: x burnt out, o moat filled in, ! on fire, * rubble" in lines
    assert all("ladder2" not in line for line in lines)
    assert all(
        "bridge" not in line for line in chart.character_map(castle(things=things("raised"))).splitlines()
    )
    assert "Since then" not in chart.character_map(bare())


def test_every_look_has_a_sign_of_its_own():
    signs = list(chart.SIGNS.values())
    assert len(set(signs)) == len(signs)
    assert set(chart.SIGNS) == {*palette.GROUNDS, "rubble", "fire"}


def test_a_castle_map_of_any_width_can_be_drawn():
    for width in (160, 420):
        assert png.picture(castle(), width=width).width == width
    for box in ((0, 0, 4000, 4000), (5000, 2000, 9000, 6000)):
        assert png.picture(castle(), width=300, crop=box).width == 300


def test_names_and_kinds_that_are_hostile_do_no_harm():
    word = "x" * 500 + "‮\x00"
    odd = replace(
        thing("x", word, "0603 0602", word, word),
        id=word,
        side=word,
        description=word,
        number=10**9,
        full=10**9,
    )
    scene = castle(
        things=(odd,),
        features=(feature(word, "0603", -4), feature("wall", "0604", -1), feature("fire", "0605", 10**9)),
    )
    assert png.picture(scene, width=300).width == 300
    assert "x" * 100 in text.render(scene)


def test_pictures_of_a_castle_are_the_same_warm_and_cold():
    base.forget()
    cold = png.picture(castle(), width=420).tobytes()
    assert png.picture(castle(), width=420).tobytes() == cold


def test_the_pens_of_the_legend_do_not_draw_on_what_is_kept():
    before = png.picture(bare(), width=420).tobytes()
    png.picture(castle(), width=420)
    assert png.picture(bare(), width=420).tobytes() == before
