"""The ground of a castle and its camp: flagstones of walks, boards of towers, shadows by height, stairs, the
moat and trenches.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from pbem.core.scene import Area

from ..frame import Frame
from ..palette import look
from .shores import course
from .texture import blurred, cells, clouds, courses, lay, noise, organic, parts, ramp, rim, two_tone

HEIGHT = {
    "stairs": 1.0,
    "stone": 2.0,
    "wall-top": 2.4,
    "tower": 2.6,
    "tower-door": 2.6,
    "keep-door": 3.4,
    "keep": 3.4,
}
"""Looks of high ground, the lowest first, and how high they look: their shadows are as long."""
SHADE = 0.19
"""Length of a shadow for each step of height, in hex radii."""


def shifted(mask: Image.Image, x: int, y: int) -> Image.Image:
    """Return a mask moved to the right and down; what comes in is empty."""
    found = Image.new("L", mask.size, 0)
    found.paste(mask, (x, y))
    return found


def swept(mask: Image.Image, x: int, y: int) -> Image.Image:
    """Return what a mask passes over on its way to a place to the right and below."""
    found, steps = mask, max(abs(x), abs(y), 1)
    done = 1
    while done <= steps:
        found = ImageChops.lighter(found, shifted(found, round(x * done / steps), round(y * done / steps)))
        done *= 2
    return found


def paint_castle(
    land: Image.Image,
    by_look: dict[str, list[Area]],
    areas: Sequence[Area],
    frame: Frame,
    rough: Image.Image,
    seed: str,
) -> None:
    """Paint stairs, walks, towers and keep, the lowest first, each after the shadow it throws to the
    south-east.
    """
    for name in HEIGHT:
        for piece, near, _, own in parts(land, by_look.get(name, []), frame, rough):
            _storey(piece, name, own, areas, near, f"{seed}{own[0].at}")


def _storey(
    land: Image.Image, name: str, own: Sequence[Area], areas: Sequence[Area], frame: Frame, seed: str
) -> None:
    unit = frame.hex
    mask = cells(land.size, (frame.spots(area.corners) for area in own))
    reach = round(unit * SHADE * HEIGHT[name])
    shade = blurred(swept(mask, reach, round(reach * 0.8)), unit * 0.05)
    lay(land, (26, 22, 18), shade, 0.46)
    lay(land, (26, 22, 18), rim(mask, unit * 0.09), 0.5)
    surface = _surface(land.size, name, frame, seed)
    if name == "stairs":
        for area in own:
            _flight(surface, area, areas, frame)
    land.paste(surface, (0, 0), mask)
    if name != "stairs":
        lay(land, (40, 30, 20), rim(mask, unit * 0.2, outside=False), 0.42 if name != "stone" else 0.2)


def _surface(size: tuple[int, int], name: str, frame: Frame, seed: str) -> Image.Image:
    """Return flagstones for a walk, large slabs for a tower, boards that cross for a keep, rough blocks for a
    solid wall.
    """
    unit = frame.hex
    surface = two_tone(frame.theme.grounds[name], clouds(size, unit * 0.5, seed + name))
    lines = Image.new("L", size, 0)
    draw = ImageDraw.Draw(lines)
    thin = max(1, round(unit * 0.028))
    random_ = random.Random(f"{seed}{name}")
    if name in ("keep", "keep-door"):
        step = unit * 0.22
        for i in range(round((size[0] + size[1]) / step) + 1):
            draw.line((i * step, 0, i * step - size[1], size[1]), fill=150, width=thin)
            draw.line((i * step - size[1], 0, i * step, size[1]), fill=150, width=thin)
    elif name != "stairs":
        high = unit * {"stone": 0.27, "wall-top": 0.18}.get(name, 0.4)
        courses(draw, size, high, (high * 1.2, high * 2.1), random_, fill=170, width=thin)
    if name == "wall-top":
        for i in range(round((size[0] + size[1]) / (unit * 0.16)) + 1):
            draw.line((i * unit * 0.16, 0, i * unit * 0.16 - size[1], size[1]), fill=120, width=thin)
    lay(surface, (70, 60, 50), lines, 0.55)
    return surface


def _flight(surface: Image.Image, area: Area, areas: Sequence[Area], frame: Frame) -> None:
    """Draw the treads of a flight of stairs across its hex, broad and light at the top; it rises to the
    highest hex beside it.
    """
    unit = frame.hex
    x, y = frame.spot(area.centre)
    beside = [other for other in areas if 0 < math.dist(other.centre, area.centre) < 1200]
    top = max(
        beside,
        key=lambda other: (HEIGHT.get(look(other.ground), 0.0), -other.centre[1], other.at),
        default=area,
    )
    tx, ty = frame.spot(top.centre)
    length = math.hypot(tx - x, ty - y) or 1.0
    ux, uy = (tx - x) / length, (ty - y) / length
    draw = ImageDraw.Draw(surface)
    steps = 9
    for i in range(steps):
        low, high = (-0.95 + 1.9 * i / steps) * unit, (-0.95 + 1.9 * (i + 1) / steps) * unit
        wide = unit * 1.1
        quad = [
            (x + ux * run - uy * side, y + uy * run + ux * side)
            for run, side in ((low, -wide), (low, wide), (high, wide), (high, -wide))
        ]
        grey = 150 + 88 * i // steps
        draw.polygon(quad, fill=(grey, grey - 6, grey - 18))
        draw.line([quad[0], quad[1]], fill=(66, 56, 46), width=max(1, round(unit * 0.05)))


def paint_moat(
    land: Image.Image,
    moat: Sequence[Area],
    areas: Sequence[Area],
    frame: Frame,
    rough: Image.Image,
    seed: str,
) -> None:
    """Paint a moat: still dark water between steep banks that people dug, up to the foot of the walls, and
    open towards a river.
    """
    unit, size = frame.hex, land.size
    walls = {area.centre for area in areas if look(area.ground) in HEIGHT}
    river = [area for area in areas if look(area.ground) in ("water", "ford")]
    shape = course(moat, areas, frame, walls=walls, more=[area.centre for area in river])
    shape = ImageChops.subtract(shape, cells(size, (frame.spots(area.corners) for area in river)))
    ditch = organic(shape, unit * 0.16, rough, 0.28, at=100, soft=24)
    water = organic(shape, unit * 0.2, rough, 0.3, at=176, soft=22)
    lay(land, (66, 66, 30), rim(ditch, unit * 0.12), 0.6)
    bank = two_tone(((122, 100, 66), (150, 126, 86)), clouds(size, unit * 0.3, seed + "bank"))
    step = max(1, round(unit * 0.13))
    lay(bank, (52, 38, 20), ImageChops.subtract(ditch, shifted(ditch, step, step)), 0.62)
    lay(bank, (206, 180, 130), ImageChops.subtract(ditch, shifted(ditch, -step, -step)), 0.5)
    strokes = noise(size, unit * 0.3, seed + "dug", 0.16).point(ramp(150, 190))
    lay(bank, (70, 52, 28), strokes, 0.45)
    land.paste(bank, (0, 0), ditch)
    pool = two_tone(frame.theme.grounds["moat"], clouds(size, unit * 0.7, seed + "moat"), 50, 230)
    ripples = noise(size, unit * 0.075, seed + "still", 5.0)
    lay(pool, (134, 172, 178), ripples.point(ramp(206, 230)), 0.55)
    lay(pool, (22, 54, 78), rim(water, unit * 0.16, outside=False), 0.6)
    land.paste(pool, (0, 0), water)


def paint_trenches(
    land: Image.Image, trenches: Sequence[Area], frame: Frame, rough: Image.Image, seed: str
) -> None:
    """Paint trenches: a dark ditch from hex to hex with the earth thrown up on both sides."""
    unit, size = frame.hex, land.size
    mask = Image.new("L", size, 0)
    pen = ImageDraw.Draw(mask)
    wide = max(3, round(unit * 0.62))
    for area in trenches:
        x, y = frame.spot(area.centre)
        ends = [
            frame.spot(other.centre) for other in trenches if 0 < math.dist(other.centre, area.centre) < 1200
        ]
        ends = [((x + ex) / 2, (y + ey) / 2) for ex, ey in ends] or [(x - unit * 0.5, y), (x + unit * 0.5, y)]
        for end in ends:
            pen.line((x, y, *end), fill=255, width=wide)
        for ex, ey in ((x, y), *ends):
            pen.ellipse((ex - wide / 2, ey - wide / 2, ex + wide / 2, ey + wide / 2), fill=255)
    ditch = organic(mask, unit * 0.06, rough, 0.3)
    berm = organic(
        mask.filter(ImageFilter.GaussianBlur(unit * 0.16)).point(ramp(20, 90)), unit * 0.08, rough, 0.4
    )
    lay(land, (60, 44, 20), rim(berm, unit * 0.07), 0.6)
    earth = two_tone(frame.theme.grounds["trench"], clouds(size, unit * 0.25, seed + "berm"))
    land.paste(earth, (0, 0), berm)
    clods = noise(size, unit * 0.08, seed + "clods").point(ramp(186, 214))
    lay(land, (232, 206, 150), ImageChops.multiply(clods, berm), 0.7)
    land.paste((70, 52, 34), (0, 0, *size), ditch)
    lay(
        land,
        (30, 20, 10),
        ImageChops.subtract(ditch, shifted(ditch, round(unit * 0.09), round(unit * 0.09))),
        0.75,
    )
    _boards(land, ditch, unit)


def _boards(land: Image.Image, ditch: Image.Image, unit: float) -> None:
    """Lay boards across the bottom of the trenches, so that they are trenches in grey too."""
    boards = Image.new("L", land.size, 0)
    pen = ImageDraw.Draw(boards)
    step = max(3.0, unit * 0.2)
    for i in range(round((land.width + land.height) / step) + 1):
        pen.line(
            (i * step, 0, i * step - land.height, land.height), fill=255, width=max(1, round(unit * 0.06))
        )
    inner = ditch.filter(ImageFilter.GaussianBlur(unit * 0.09)).point(ramp(200, 250))
    lay(land, (150, 120, 78), ImageChops.multiply(boards, inner), 0.8)
