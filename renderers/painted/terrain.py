"""The ground of a table or a map without a grid: its areas as they are, whatever their corners, each
filled with what grows, flows or stands there.

Borders are where rules measure to, so they are drawn as they are and not as nature would have them.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from msgspec.structs import replace
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from pbem.core.scene import Area, Point, Scene

from .. import laid
from ..frame import Frame, bounds
from ..palette import look, look_of, mix
from ..ways import beside, smooth
from . import bases, flat, ground
from .castle import HEIGHT, shifted
from .relief import rising
from .texture import blurred, cells, clouds, lay, noise, ramp, rim, two_tone

STREWN = 780
"""Between the middles of two patches of trees or tufts, in scene units."""
ORDER = (
    *flat.ORDER[: flat.ORDER.index("trench")],
    "road",
    "water",
    "ford",
    "moat",
    "trench",
    "rubble",
    "fire",
)
"""Looks from the lowest to the highest, below what is built."""
SINGLE = (
    ("tree", STREWN, 260),
    ("scrub", STREWN, 260),
    ("rubble", STREWN, 260),
    ("fire", STREWN, 260),
    ("ford", STREWN, 260),
    ("tent", 1900, 500),
)
"""Looks on which single things stand: how far apart their patches are, and how far from the border."""
WET = ("water", "ford", "moat")
GABLED = 4
"""Corners of a roof that has a ridge."""


def table(scene: Scene) -> tuple[Point, ...]:
    """Return the corners of what the areas lie on; none where there is nothing but them."""
    if scene.measure is None:
        return ()
    left, top, right, low = bounds(scene)
    return (left, top), (right, top), (right, low), (left, low)


def _strewn(areas: Sequence[Area], rim_: int, step: int = STREWN) -> list[Area]:
    """Return small areas all over some large ones, where single things are stamped or strokes drawn."""
    return [
        Area(f"{area.at}/{n}", point, (), area.ground, marks=())
        for area in areas
        for n, point in enumerate(laid.lattice(area.corners, step, rim_))
    ]


def paint_terrain(scene: Scene, areas: Sequence[Area], frame: Frame) -> Image.Image:
    """Return the ground on parchment."""
    size, unit, seed = (frame.width, frame.height), frame.hex, f"{scene.seed}/"
    picture = ground.page(*size, seed, frame.theme, max(10.0, unit))
    everything = cells(size, [frame.spots(area.corners) for area in areas])
    if table(scene):
        ImageDraw.Draw(everything).polygon(frame.spots(table(scene)), fill=255)
    lay(picture, (70, 54, 30), blurred(everything, unit * 0.14), 0.55)
    land = ground.meadow(size, frame, seed)
    name = look(scene.measure.ground) if scene.measure is not None else "flat"
    if name in frame.theme.grounds and name != "flat":
        land = two_tone(frame.theme.grounds[name], clouds(size, unit * 0.7, seed))
    by_look: dict[str, list[Area]] = {}
    for area in areas:
        by_look.setdefault(look_of(area), []).append(area)
    meadow = [
        *by_look.get("flat", []),
        *([Area("table", (0, 0), table(scene), "flat")] if table(scene) else []),
    ]
    if name == "flat":
        tufts = [
            each
            for each in _strewn(meadow, 300, 1000)
            if not any(laid.inside(each.centre, area.corners) for area in areas if look_of(area) != "flat")
        ]
        ground.tufts(land, tufts, frame, scene.seed)
    for each in (name for name in ORDER if name in by_look):
        _laid(land, each, by_look[each], frame, seed)
    _roads(land, scene, frame, seed)
    few: dict[str, list[Area]] = {}
    for each, apart, rim_ in SINGLE:
        if each in by_look:
            few[each] = _strewn(by_look[each], rim_, apart)
    if "courtyard" in by_look:
        ground.pebbles(land, _strewn(by_look["courtyard"], 300), frame, scene.seed)
    ground.scatter(land, few, frame, scene.seed)
    for each in ("doorway", "floor", "roof"):
        for area in by_look.get(each, []):
            _house(land, each, area, frame, seed)
    for each in HEIGHT:
        for area in by_look.get(each, []):
            _stone(land, area, each, frame)
    ground.landmarks(land, areas, frame)
    picture.paste(land, (0, 0), everything)
    return picture


def _laid(land: Image.Image, name: str, areas: Sequence[Area], frame: Frame, seed: str) -> None:
    """Lay areas of one look: their tint, and what gives it depth at their borders."""
    unit, size = frame.hex, land.size
    mask = cells(size, [frame.spots(area.corners) for area in areas]).filter(
        ImageFilter.GaussianBlur(max(0.6, unit * 0.02))
    )
    tint = frame.theme.grounds.get(name)
    if tint is None:
        return
    cell = unit * (0.7 if name in WET else 0.55)
    surface = two_tone(tint, clouds(size, cell, seed + name))
    step = max(1, round(unit * 0.09))
    if name in WET:
        lay(land, (70, 84, 40), rim(mask, unit * 0.12), 0.6)
        lay(surface, mix(tint[0], (20, 40, 70), 0.4), blurred(mask, unit * 0.4).point(ramp(150, 255)), 0.45)
        lay(surface, mix(tint[1], (240, 250, 255), 0.5), rim(mask, unit * 0.16, outside=False), 0.65)
        lay(surface, (24, 52, 82), ImageChops.subtract(mask, shifted(mask, step, step)), 0.45)
        ripples = noise(size, unit * 0.085, seed + "ripple", 3.4)
        lay(surface, mix(tint[1], (255, 255, 255), 0.4), ripples.point(ramp(190, 222)), 0.5)
    elif name == "crop":
        _furrows(surface, areas, frame, seed)
    elif name in ("hill", "slope"):
        lay(land, (92, 70, 34), rim(mask, unit * 0.2), 0.5)
        lay(surface, (255, 248, 214), ImageChops.subtract(mask, shifted(mask, 2 * step, 2 * step)), 0.5)
        lay(surface, (84, 62, 28), ImageChops.subtract(mask, shifted(mask, -2 * step, -2 * step)), 0.42)
    elif name == "trench":
        lay(surface, (52, 38, 20), ImageChops.subtract(mask, shifted(mask, 2 * step, 2 * step)), 0.7)
    else:
        lay(land, (60, 50, 26), rim(mask, unit * 0.1), 0.4)
    land.paste(surface, (0, 0), mask)
    if name in ("hill", "slope"):
        _fall(land, areas, frame)


def _furrows(surface: Image.Image, areas: Sequence[Area], frame: Frame, seed: str) -> None:
    """Plough each field along its longest side."""
    unit, size = frame.hex, surface.size
    sheet, light = Image.new("L", size, 0), Image.new("L", size, 0)
    for area in areas:
        spots = frame.spots(area.corners)
        (ax, ay), (bx, by) = max(
            zip(spots, [*spots[1:], spots[0]], strict=True), key=lambda side: round(math.dist(*side))
        )
        length = math.hypot(bx - ax, by - ay) or 1.0
        dx, dy = (bx - ax) / length, (by - ay) / length
        mask, pale = Image.new("L", size, 0), Image.new("L", size, 0)
        far = max(math.dist(one, (ax, ay)) for one in spots) + unit
        for i in range(-round(far / (unit * 0.17)), round(far / (unit * 0.17)) + 1):
            for where, shift in ((mask, 0.0), (pale, -0.07)):
                off = unit * (i * 0.17 + shift)
                x, y = ax - dy * off, ay + dx * off
                ImageDraw.Draw(where).line(
                    (x - dx * far, y - dy * far, x + dx * far, y + dy * far),
                    fill=255,
                    width=max(1, round(unit * 0.055)),
                )
        own = cells(size, [spots])
        sheet.paste(mask, (0, 0), own)
        light.paste(pale, (0, 0), own)
    wobble = noise(size, unit * 0.18, seed + "furrow").point(ramp(30, 120))
    lay(surface, (150, 116, 44), ImageChops.multiply(sheet, wobble), 0.75)
    lay(surface, (246, 230, 164), ImageChops.multiply(light, wobble), 0.6)


def _fall(land: Image.Image, areas: Sequence[Area], frame: Frame) -> None:
    """Draw strokes down the sides of a hill, within its border."""
    unit = frame.hex
    sheet = Image.new("L", land.size, 0)
    draw = ImageDraw.Draw(sheet)
    for area in areas:
        random_ = random.Random(area.at)
        spots = frame.spots(area.corners)
        mx, my = frame.spot(area.centre)
        for (ax, ay), (bx, by) in zip(spots, [*spots[1:], spots[0]], strict=True):
            length = math.hypot(bx - ax, by - ay) or 1.0
            nx, ny = -(by - ay) / length, (bx - ax) / length
            if (mx - ax) * nx + (my - ay) * ny < 0:
                nx, ny = -nx, -ny
            count = max(1, round(length / (unit * 0.2)))
            for i in range(count):
                share = (i + 0.5) / count
                long = unit * random_.uniform(0.24, 0.5)
                x, y = ax + (bx - ax) * share, ay + (by - ay) * share
                draw.line(
                    (x + nx * unit * 0.06, y + ny * unit * 0.06, x + nx * long, y + ny * long),
                    fill=220,
                    width=max(1, round(unit * 0.04)),
                )
    lay(land, (104, 78, 38), sheet, 0.75)


def _roads(land: Image.Image, scene: Scene, frame: Frame, seed: str) -> None:
    unit = frame.hex
    lines = [smooth(frame.spots(line)) for line in scene.roads if len(line) > 1]
    if not lines:
        return
    mask, ruts = Image.new("L", land.size, 0), Image.new("L", land.size, 0)
    wide = max(3, round(unit * 0.62))
    for points in lines:
        ImageDraw.Draw(mask).line(points, fill=255, width=wide, joint="curve")
        for off in (-0.15, 0.15):
            ImageDraw.Draw(ruts).line(
                beside(points, off * unit), fill=200, width=max(1, round(unit * 0.05)), joint="curve"
            )
    lay(land, (104, 78, 38), rim(mask, unit * 0.08), 0.62)
    tint = frame.theme.grounds["road"]
    land.paste(two_tone(tint, clouds(land.size, unit * 0.3, seed)), (0, 0), mask)
    lay(land, (164, 138, 92), ruts, 0.45)


def _house(land: Image.Image, name: str, area: Area, frame: Frame, seed: str) -> None:
    """Paint a floor of planks, or a roof: with a ridge along its longer side where it has four corners."""
    unit, size = frame.hex, land.size
    spots = frame.spots(area.corners)
    mask = cells(size, [spots])
    lay(land, (30, 22, 10), shifted(blurred(mask, unit * 0.12), round(unit * 0.16), round(unit * 0.2)), 0.55)
    tint = frame.theme.grounds[name]
    surface = two_tone(tint, clouds(size, unit * 0.5, seed + name))
    draw = ImageDraw.Draw(surface)
    ink = mix(tint[0], (40, 20, 8), 0.6)
    if name == "roof" and len(spots) == GABLED:
        if math.dist(spots[0], spots[1]) < math.dist(spots[1], spots[2]):
            spots = [*spots[1:], spots[0]]
        a, b, c, d = spots
        west, east = _between(a, d, 0.5), _between(b, c, 0.5)
        for one, other in ((a, b), (d, c)):
            light = -((one[0] + other[0] - west[0] - east[0]) + (one[1] + other[1] - west[1] - east[1]))
            shade = mix(tint[1], (255, 226, 190), 0.3) if light > 0 else mix(tint[0], (50, 24, 14), 0.3)
            draw.polygon([one, other, east, west], fill=shade)
            count = max(2, round(math.dist(one, west) / (unit * 0.2)))
            for i in range(1, count):
                ends = (_between(one, west, i / count), _between(other, east, i / count))
                draw.line(ends, fill=mix(shade, ink, 0.55), width=max(1, round(unit * 0.03)))
        draw.line((west, east), fill=mix(tint[0], (40, 20, 8), 0.5), width=max(2, round(unit * 0.09)))
    else:
        bases._joints(draw, spots[:4], size, area.angle, unit * 1.2, ink)
    land.paste(surface, (0, 0), mask)
    ImageDraw.Draw(land).line([*spots, spots[0]], fill=ink, width=max(1, round(unit * 0.07)), joint="curve")


def _between(a: tuple[float, float], b: tuple[float, float], share: float) -> tuple[float, float]:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _stone(land: Image.Image, area: Area, name: str, frame: Frame) -> None:
    """Paint masonry that is ground, such as a tower on the map itself."""
    left, right = min(x for x, _ in area.corners), max(x for x, _ in area.corners)
    top, low = min(y for _, y in area.corners), max(y for _, y in area.corners)
    mx, my = (left + right) // 2, (top + low) // 2
    drawn = bases.piece(
        tuple((x - mx, y - my) for x, y in area.corners),
        name,
        area.angle,
        round(frame.scale, 6),
        round(frame.hex, 3),
        frame.theme,
    )
    x, y = frame.spot((mx, my))
    land.paste(drawn, (round(x - drawn.width / 2), round(y - drawn.height / 2)), drawn)


def print_terrain(scene: Scene, areas: Sequence[Area], frame: Frame, times: int) -> Image.Image:
    """Return the ground in flat tints with strokes, on a picture ``times`` as large as the frame."""
    theme = frame.theme
    size = (frame.width * times, frame.height * times)
    picture = Image.new("RGB", size, theme.page)
    draw = ImageDraw.Draw(picture)
    name = look(scene.measure.ground) if scene.measure is not None else "flat"
    if table(scene):
        draw.polygon(frame.spots(table(scene), times), fill=theme.grounds.get(name, theme.ground("flat"))[0])
    high = frame.spots(rising(areas), times)
    near = replace(frame, scale=frame.scale * times, width=size[0], height=size[1])
    lines = [smooth(frame.spots(line, times)) for line in scene.roads if len(line) > 1]
    wide = max(3, round(frame.hex * times * 0.62))
    by_look: dict[str, list[Area]] = {}
    for area in areas:
        by_look.setdefault(look_of(area), []).append(area)
    for name in ("flat", *ORDER, "doorway", "floor", "roof"):
        for area in by_look.get(name, []):
            spots = frame.spots(area.corners, times)
            draw.polygon(spots, fill=theme.grounds.get(name, theme.ground("flat"))[0])
            pattern = flat.PATTERNS.get(name)
            sheet = Image.new("L", size, 0)
            if pattern is not None and name not in flat.BUILT:
                strokes = picture.copy()
                for each in _strewn([area], 0, 1000):
                    ((x, y),) = frame.spots((each.centre,), times)
                    chance = random.Random(f"{scene.seed}/{each.at}/{name}")
                    pattern(
                        ImageDraw.Draw(strokes),
                        flat.Hex(x, y, frame.hex * times, each, {}, high, chance, theme),
                    )
                ImageDraw.Draw(sheet).polygon(spots, fill=255)
                picture.paste(strokes, (0, 0), sheet)
                draw = ImageDraw.Draw(picture)
            if name in ("hill", "slope"):
                _fall(picture, [area], near)
            if name == "roof" and len(spots) == GABLED:
                a, b, c, d = spots
                if math.dist(a, b) < math.dist(b, c):
                    a, b, c, d = b, c, d, a
                draw.line((_between(a, d, 0.5), _between(b, c, 0.5)), fill=theme.strokes, width=3 * times)
        if name == "road":
            for points in lines:
                draw.line(points, fill=theme.strokes, width=wide + 2 * times, joint="curve")
                draw.line(points, fill=theme.ground("road")[0], width=wide, joint="curve")
    for name in HEIGHT:
        for area in by_look.get(name, []):
            _stone(picture, area, name, near)
    return picture
