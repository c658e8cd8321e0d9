"""Names, values and dials stand beside their bases on a table, and nobody need guess whose they are; what is open,
broken or set up looks so.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET

import pytest
from inch_table import TABLE, figure, spot, table, wall
from msgspec.structs import replace
from pbem.renderers.laid import laid
from pbem.renderers.painted import bases, graduation, measured, plates, sections
from pbem.renderers.themes import PARCHMENT, PRINT, THEMES, Theme
from PIL import ImageChops

from pbem.core.scene import Circle, Rectangle, Scene, Thing
from pbem.renderers import png, svg

SVG = "{http://www.w3.org/2000/svg}"
CLOSE = tuple(
    figure(f"man-{n}", "west", "spear", (20 + 1.2 * n, 24), 0, values="6-8-14-2", dial=(n % 6, 5))
    for n in range(9)
)


def crowd() -> Scene:
    return table(areas=(), things=(), traces=(), sectors=(), spans=(), roads=(), tokens=CLOSE)


def test_of_men_shoulder_to_shoulder_no_plate_covers_another_nor_a_base() -> None:
    scene = laid(crowd())
    frame = png.framed(scene, 1400, None, PRINT)
    picture = png.still(crowd(), width=1400, theme=PRINT)
    rooms = measured.rooms_of(measured.names(picture, scene, frame))
    assert len(rooms) == len(CLOSE)
    for n, (left, top, right, low) in enumerate(rooms):
        for other in rooms[:n]:
            assert left >= other[2] or right <= other[0] or top >= other[3] or low <= other[1]
        for token in scene.tokens:
            x, y = frame.spot(token.cells[0])
            near = (min(max(x, left), right), min(max(y, top), low))
            assert math.dist(near, (x, y)) > 60 * frame.scale * 0.8


def test_a_line_leads_to_whom_a_plate_names_if_it_is_far() -> None:
    name = plates.Name("odo", 20.0, (), of=(0.0, 0.0, 10.0))
    assert plates.lead(name, (0.0, 30.0), 40.0) is None
    line = plates.lead(name, (0.0, 90.0), 40.0)
    assert line is not None
    (_, high), (_, low) = line
    assert low == pytest.approx(10.0)
    assert high == pytest.approx(90.0 - plates.box(name)[1] / 2)


def test_each_click_of_a_dial_is_a_mark_and_lost_ones_are_empty() -> None:
    name = plates.Name("odo", 20.0, (), dial=(2, 5))
    assert [left for _, left in plates.pips(name)] == [True, True, False, False, False]
    root = ET.fromstring(svg.render(crowd(), theme=PRINT))
    marks = [one for one in root.iter(f"{SVG}rect") if one.get("width") == one.get("height")]
    assert len([one for one in marks if one.get("fill") == "#ffffff"]) == sum(
        max(0, 5 - n % 6) for n in range(9)
    )


def test_whoever_was_healed_beyond_his_start_has_a_longer_row() -> None:
    assert len(plates.pips(plates.Name("keep", 20.0, (), dial=(6, 4)))) == 6


def test_quarters_of_an_inch_are_told_at_the_edge_where_there_is_room() -> None:
    assert graduation.quarters(TABLE, 1400 / 4800) == 4
    assert graduation.quarters(TABLE, 390 / 7200) == 1
    found = [tick for tick in graduation.ticks(TABLE, 12, 1, parts=4) if tick.inward == (0, -1)]
    assert len(found) == 72 * 4 + 1
    assert [tick.long for tick in found[:5]] == [1.0, 0.22, 0.34, 0.22, 0.55]
    lines = list(graduation.grid(TABLE, 12, 1))
    assert len(lines) == 71 + 47
    assert sum(strong for _, strong in lines) == 5 + 3


def gate(stands: str) -> Thing:
    return Thing("gate", "portal", ("24,9",), (spot(24, 9),), stands=stands, form=Rectangle(450, 225))


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_an_open_gate_and_a_broken_wall_look_so(theme: Theme) -> None:
    def drawn(thing: Thing) -> object:
        assert thing.form is not None
        corners = bases.corners_of(thing.form, thing.angle)
        return bases.piece(corners, "wall-top", 0, 0.2, 36.0, theme, bases.over_of(thing, thing.form))

    def unlike(one: Thing, other: Thing) -> int:
        found = ImageChops.difference(drawn(one).convert("L"), drawn(other).convert("L"))  # type: ignore[attr-defined]
        return sum(found.histogram()[30:])

    assert unlike(gate("open"), gate("closed")) > 20
    whole = replace(wall("wall", (24, 9), 6, 0), form=Rectangle(2700, 900))
    steps = [replace(whole, dial=(left, 7)) for left in (7, 5, 3, 1)]
    assert [sections.harm_of(each) for each in steps] == [0, 1, 3, 4]
    cracks = [unlike(whole, each) for each in steps]
    assert cracks == sorted(cracks)
    assert cracks[0] == 0 < cracks[1] < cracks[3]


def test_a_ladder_is_no_masonry() -> None:
    ladder = Thing("ladder1", "ladder at a wall", ("1,1",), (spot(1, 1),), form=Rectangle(50, 150))
    assert sections.kind_of(ladder) == "ladder"
    corners = bases.corners_of(Rectangle(50, 150), 0)
    made = bases.piece(
        corners, "floor", 0, 1.0, 36.0, PARCHMENT, bases.over_of(ladder, Rectangle(50, 150)), bare=True
    )
    assert made.getchannel("A").getextrema() == (0, 255)


def test_a_round_piece_is_cracked_within_it() -> None:
    for stroke in sections.strokes("", Circle(200), 100.0, sections.STEPS, "tower"):
        assert all(math.hypot(x, y) < 2.6 for x, y in stroke.points)
