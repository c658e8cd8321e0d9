"""The painted ground: grass, water, woods, fields, floors, laid over one another with soft borders; no grid,
no edges, no counters.
"""

from __future__ import annotations

import math
import random
from collections.abc import Collection, Sequence

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from pbem.core.scene import Area, Point, Scene

from ..frame import Frame, Spot
from ..palette import Colour, look, look_of, mix
from ..themes import PARCHMENT, Theme
from ..ways import beside, lanes
from . import flat, roofs, sprites
from .castle import HEIGHT, paint_castle, paint_moat, paint_trenches, shifted
from .fields import paint_crops
from .relief import hachures, relief, rising
from .shores import around, course
from .texture import (
    blurred,
    cells,
    clouds,
    courses,
    lay,
    noise,
    organic,
    parts,
    ramp,
    repeated,
    rim,
    scaled,
    two_tone,
)

SOFT = ("hill", "slope", "scrub", "courtyard", "burnt", "tent", "tree", *flat.OTHERS)
"""Grounds that run into the grass, in the order they are laid."""
BUILT = (
    "stairs",
    "doorway",
    "floor",
    "roof",
    "stone",
    "wall-top",
    "tower",
    "tower-door",
    "keep-door",
    "keep",
)
"""Looks of what is built on a courtyard, which therefore reaches under it."""

SPECKLED = 512
"""Pixels each way after which the speckles of the grass are the same again."""


def page(width: int, height: int, seed: str, theme: Theme = PARCHMENT, cell: float = 34.0) -> Image.Image:
    """Return a sheet of what a theme is drawn on; ``cell`` is the scale of its blots in pixels."""
    if theme.page == theme.page_dark:
        return Image.new("RGB", (width, height), theme.page)
    return two_tone((theme.page_dark, theme.page), clouds((width, height), cell, f"{seed}page"), 20, 190)


def meadow(size: tuple[int, int], frame: Frame, seed: str) -> Image.Image:
    """Return open grass on parchment."""
    unit = frame.hex
    tints = frame.theme.grounds["flat"]
    land = two_tone(tints, clouds(size, unit * 0.9, seed + "flat"))
    speckle = noise((SPECKLED, SPECKLED), max(2.0, unit * 0.08), seed + "grass").point(ramp(208, 255))
    lay(land, (122, 142, 78), repeated(speckle, size), 0.4)
    return land


def paint(scene: Scene, areas: Sequence[Area], frame: Frame) -> Image.Image:
    """Return the ground of some areas on parchment."""
    size = (frame.width, frame.height)
    seed = f"{scene.seed}/"
    unit = frame.hex
    picture = page(*size, seed, frame.theme, max(10.0, unit))
    high = rising(scene.areas)
    by_look: dict[str, list[Area]] = {}
    for area in areas:
        by_look.setdefault(look_of(area), []).append(area)
    everything = cells(size, (frame.spots(area.corners) for area in areas))
    # under the land, which covers it, there is none to be laid
    lay(picture, (70, 54, 30), ImageChops.subtract(blurred(everything, unit * 0.14), everything), 0.55)
    land = meadow(size, frame, seed)
    rough = clouds(size, unit * 0.5, seed + "coast")
    tufts(land, by_look.get("flat", []), frame, scene.seed)
    for name in SOFT:
        for piece, near, noise_, own in parts(land, by_look.get(name, []), frame, rough):
            reach = _beyond(areas, own, BUILT if name == "courtyard" else ())
            _soft(piece, name, own, near, noise_, f"{seed}{own[0].at}", reach)
    for piece, near, noise_, own in parts(land, by_look.get("rubble", []), frame, rough):
        heap = organic(cells(piece.size, _polygons(own, near)), unit * 0.2, noise_, 0.6, soft=40)
        lay(piece, (150, 142, 128), heap, 0.85)
    for piece, near, _, own in parts(land, by_look.get("courtyard", []), frame, rough):
        pebbles(piece, own, near, scene.seed)
    steep = [*by_look["slope"], *by_look.get("hill", [])] if "slope" in by_look else []
    for piece, near, noise_, own in parts(land, steep, frame, rough):
        slopes = [area for area in own if look_of(area) == "slope"]
        relief(piece, slopes, high, near, noise_)
        hachures(piece, slopes, high, near, scene.seed)
    led = {point for line in scene.roads for point in line}
    roads = [area for area in areas if area.centre in led or look_of(area) == "road"]
    for piece, near, noise_, own in parts(land, roads, frame, rough):
        _roads(
            piece,
            scene,
            [area for area in own if look_of(area) == "road"],
            near,
            noise_,
            f"{seed}{own[0].at}",
        )
    crops = [area for area in scene.areas if look(area.ground) == "crop"]
    for piece, near, _, own in parts(land, by_look.get("crop", []), frame, rough):
        paint_crops(piece, own, crops, near, f"{seed}{own[0].at}")
    wet = [*by_look.get("water", []), *by_look.get("ford", [])]
    for piece, near, noise_, own in parts(land, wet, frame, rough):
        fords = [area for area in own if look_of(area) == "ford"]
        _water(piece, own, fords, scene, near, noise_, f"{seed}{own[0].at}")
    for piece, near, noise_, own in parts(land, by_look.get("moat", []), frame, rough):
        paint_moat(piece, own, areas, near, noise_, f"{seed}{own[0].at}")
    for piece, near, noise_, own in parts(land, by_look.get("trench", []), frame, rough):
        paint_trenches(piece, own, near, noise_, f"{seed}{own[0].at}")
    for name in ("doorway", "floor", "roof"):
        for piece, near, _, own in parts(land, by_look.get(name, []), frame, rough):
            _built(piece, name, own, near, f"{seed}{own[0].at}")
    paint_castle(land, by_look, areas, frame, rough, seed)
    for piece, near, _, own in parts(
        land, [*by_look.get("floor", []), *by_look.get("doorway", [])], frame, rough
    ):
        _eaves(piece, own, near)
    scatter(land, by_look, frame, scene.seed)
    landmarks(land, areas, frame)
    picture.paste(land, (0, 0), everything)
    return picture


def _polygons(areas: Sequence[Area], frame: Frame) -> list[list[Spot]]:
    return [frame.spots(area.corners) for area in areas]


def _beyond(areas: Sequence[Area], own: Sequence[Area], under: Collection[str]) -> list[tuple[Point, ...]]:
    """Return the hexes into which a ground runs on unseen: those of looks that stand on it (``under``), and
    those beyond the border.
    """
    known = {area.centre for area in areas}
    found = [area.corners for area in areas if under and look(area.ground) in under]
    for area in own:
        for beyond in around(area.centre):
            if beyond not in known:
                dx, dy = beyond[0] - area.centre[0], beyond[1] - area.centre[1]
                found.append(tuple((px + dx, py + dy) for px, py in area.corners))
    return found


def _soft(
    land: Image.Image,
    name: str,
    areas: Sequence[Area],
    frame: Frame,
    rough: Image.Image,
    seed: str,
    more: Sequence[tuple[Point, ...]] = (),
) -> None:
    """Lay a ground with a soft border; ``more`` are further hexes over which it runs on."""
    unit = frame.hex
    polygons = [*_polygons(areas, frame), *(frame.spots(corners) for corners in more)]
    wild = name in ("slope", "scrub")
    mask = organic(
        cells(land.size, polygons),
        unit * (0.36 if wild else 0.24),
        rough,
        1.5 if wild else 0.62,
        soft=46 if name != "tree" else 26,
    )
    tint = two_tone(frame.theme.grounds[name], clouds(land.size, unit * 0.55, seed + name))
    if name in ("hill", "slope"):
        lay(land, (110, 84, 40), rim(mask, unit * 0.22), 0.5)
    land.paste(tint, (0, 0), mask.point(scaled(0.94)))


def tufts(land: Image.Image, areas: Sequence[Area], frame: Frame, seed: int) -> None:
    """Draw tufts of grass, three strokes each."""
    unit = frame.hex
    dark, light = Image.new("L", land.size, 0), Image.new("L", land.size, 0)
    draws = ImageDraw.Draw(dark), ImageDraw.Draw(light)
    for area in areas:
        random_ = random.Random(f"{seed}/{area.at}/tuft")
        x, y = frame.spot(area.centre)
        for _ in range(random_.randrange(2, 6)):
            tx, ty = x + unit * random_.uniform(-0.75, 0.75), y + unit * random_.uniform(-0.55, 0.75)
            high = unit * random_.uniform(0.07, 0.13)
            strokes: tuple[list[Spot], list[Spot]] = ([], [])
            shades = random_.getrandbits(3)
            for stroke, lean in enumerate((-0.6, 0.0, 0.6)):
                strokes[shades >> stroke & 1].extend(((tx, ty), (tx + lean * high, ty - high)))
            for draw, points in zip(draws, strokes, strict=True):
                if points:
                    draw.line(points, fill=220, width=max(1, round(unit * 0.025)))
    lay(land, (112, 134, 68), dark, 0.75)
    lay(land, (222, 228, 170), light, 0.7)


def pebbles(land: Image.Image, areas: Sequence[Area], frame: Frame, seed: int) -> None:
    """Draw patches of cobbles that show through the trodden earth of a yard, light above and dark below."""
    unit = frame.hex
    dark, light = Image.new("L", land.size, 0), Image.new("L", land.size, 0)
    draws = ImageDraw.Draw(dark), ImageDraw.Draw(light)
    for area in areas:
        random_ = random.Random(f"{seed}/{area.at}/pebbles")
        x, y = frame.spot(area.centre)
        for _ in range(random_.randrange(2, 4)):
            cx, cy = x + unit * random_.uniform(-0.6, 0.6), y + unit * random_.uniform(-0.4, 0.7)
            for right, down in ((0, 0), (0.15, 0.01), (0.075, 0.12), (-0.075, 0.11))[
                : random_.randrange(2, 5)
            ]:
                px, py, r = cx + right * unit, cy + down * unit, unit * random_.uniform(0.055, 0.07)
                draws[0].ellipse((px - r, py - r * 0.8, px + r, py + r * 0.8), fill=230)
                draws[1].ellipse((px - r * 0.8, py - r * 0.75, px + r * 0.55, py + r * 0.4), fill=230)
    lay(land, (128, 108, 76), dark, 0.55)
    lay(land, (218, 206, 180), light, 0.6)


def _roads(
    land: Image.Image, scene: Scene, areas: Sequence[Area], frame: Frame, rough: Image.Image, seed: str
) -> None:
    if not areas and not scene.roads:
        return
    unit = frame.hex
    mask = Image.new("L", land.size, 0)
    draw = ImageDraw.Draw(mask)
    width = max(3, round(unit * 0.62))
    lines, patches = lanes(scene, areas, frame)
    for points in lines:
        draw.line(points, fill=255, width=width, joint="curve")
        for x, y in (points[0], points[-1]):
            draw.ellipse((x - width / 2, y - width / 2, x + width / 2, y + width / 2), fill=255)
    for patch in patches:
        draw.polygon(patch, fill=255)
    soft = organic(mask, unit * 0.09, rough, 0.42, soft=40)
    lay(land, (104, 78, 38), rim(soft, unit * 0.08), 0.62)
    tint = two_tone(frame.theme.grounds["road"], clouds(land.size, unit * 0.3, seed + "road"))
    land.paste(tint, (0, 0), soft.point(scaled(0.92)))
    ruts = Image.new("L", land.size, 0)
    draw = ImageDraw.Draw(ruts)
    for points in lines:
        for offset in (-0.15, 0.15):
            draw.line(
                beside(points, offset * unit), fill=200, width=max(1, round(unit * 0.05)), joint="curve"
            )
    lay(
        land,
        (164, 138, 92),
        ImageChops.multiply(ruts, noise(land.size, unit * 0.2, seed + "ruts").point(ramp(70, 150))),
        0.6,
    )


def _water(
    land: Image.Image,
    wet: Sequence[Area],
    fords: Sequence[Area],
    scene: Scene,
    frame: Frame,
    rough: Image.Image,
    seed: str,
) -> None:
    """Paint water that flows from hex to hex between banks of earth: the one towards the light is in shade,
    the other one lit.
    """
    unit, size = frame.hex, land.size
    walls = {area.centre for area in scene.areas if look(area.ground) in HEIGHT}
    moat = [area.centre for area in scene.areas if look(area.ground) == "moat"]
    mask = organic(
        course(wet, scene.areas, frame, walls=walls, more=moat), unit * 0.3, rough, 0.42, at=128, soft=20
    )
    bank = blurred(mask, unit * 0.11).point(ramp(30, 110))
    lay(land, (70, 84, 40), rim(bank, unit * 0.1), 0.5)
    lay(land, (150, 124, 80), bank, 0.9)
    step = max(1, round(unit * 0.07))
    lay(land, (214, 192, 142), ImageChops.subtract(bank, shifted(bank, -step, -step)), 0.8)
    river = two_tone(frame.theme.grounds["water"], clouds(size, unit * 0.7, seed + "water"), 50, 230)
    deep = blurred(mask, unit * 0.42).point(ramp(150, 255))
    lay(river, (52, 98, 138), deep, 0.5)
    lay(river, (150, 194, 212), rim(mask, unit * 0.2, outside=False), 0.65)
    step = max(1, round(unit * 0.1))
    lay(
        river,
        (24, 52, 82),
        ImageChops.subtract(mask, shifted(mask, step, step)).filter(ImageFilter.GaussianBlur(unit * 0.04)),
        0.5,
    )
    ripples = noise(size, unit * 0.085, seed + "ripple", 3.4)
    lay(river, (176, 208, 224), ripples.point(ramp(190, 222)), 0.6)
    lay(river, (40, 88, 128), ripples.point([255 - value for value in ramp(36, 66)]), 0.45)
    if fords:
        shallow = organic(cells(size, _polygons(fords, frame)), unit * 0.2, rough, 0.4, soft=60)
        sand = two_tone(frame.theme.grounds["ford"], clouds(size, unit * 0.4, seed + "ford"))
        lay(sand, (240, 246, 242), ripples.point(ramp(176, 208)), 0.8)
        river.paste(sand, (0, 0), shallow.point(scaled(0.92)))
    land.paste(river, (0, 0), mask)


def _built(land: Image.Image, name: str, areas: Sequence[Area], frame: Frame, seed: str) -> None:
    unit, size = frame.hex, land.size
    mask = cells(size, _polygons(areas, frame))
    lay(land, (30, 22, 10), ImageChops.offset(blurred(mask, unit * 0.12), round(unit * 0.1)), 0.5)
    surface = two_tone(frame.theme.grounds[name], clouds(size, unit * 0.5, seed + name))
    lines = Image.new("L", size, 0)
    draw = ImageDraw.Draw(lines)
    random_ = random.Random(f"{seed}{name}")
    step = max(3.0, unit * (0.2 if name == "floor" else 0.26))
    thin = max(1, round(unit * 0.028))
    long = (1.1, 2.0) if name == "floor" else (0.3, 0.55)
    courses(draw, size, step, (unit * long[0], unit * long[1]), random_, fill=190, width=thin)
    lay(surface, (96, 66, 32) if name == "floor" else (84, 74, 66), lines, 0.55)
    if name == "roof":
        _roof(surface, mask, areas, frame)
    land.paste(surface, (0, 0), mask)


def _eaves(land: Image.Image, rooms: Sequence[Area], frame: Frame) -> None:
    """Darken rooms along their walls, as if the roof had been lifted off."""
    mask = cells(land.size, _polygons(rooms, frame))
    lay(land, (40, 22, 8), rim(mask, frame.hex * 0.26, outside=False), 0.5)


def _roof(surface: Image.Image, mask: Image.Image, areas: Sequence[Area], frame: Frame) -> None:
    """Draw roofs face by face: the lighter the more one faces the north-west, with courses of tiles along the
    eaves, ridges, hips.
    """
    unit = frame.hex
    tint = frame.theme.grounds["roof"][0]
    for face in roofs.faces(areas):
        spots = frame.spots(face.corners)
        left, top = math.floor(min(x for x, _ in spots)), math.floor(min(y for _, y in spots))
        size = math.ceil(max(x for x, _ in spots)) - left + 1, math.ceil(max(y for _, y in spots)) - top + 1
        colour = (
            mix(tint, (238, 190, 150), face.light * 0.62)
            if face.light > 0
            else mix(tint, (50, 24, 14), -face.light * 0.62)
        )
        tile = surface.crop((left, top, left + size[0], top + size[1]))
        lay(tile, colour, Image.new("L", size, 255), 0.8)
        _tile(tile, face, [(x - left, y - top) for x, y in spots], colour, unit)
        shape = Image.new("L", (size[0] * 2, size[1] * 2), 0)
        ImageDraw.Draw(shape).polygon([((x - left) * 2, (y - top) * 2) for x, y in spots], fill=255)
        surface.paste(tile, (left, top), shape.reduce(2))
    lines = Image.new("L", (surface.width * 2, surface.height * 2), 0)
    draw = ImageDraw.Draw(lines)
    for face in roofs.faces(areas):
        for corner in face.corners[:2] if face.corners[2] in {area.centre for area in areas} else ():
            draw.line(frame.spots((corner, face.corners[2]), 2), fill=150, width=max(1, round(unit * 0.05)))
    for ridge in roofs.ridges(areas):
        draw.line(frame.spots(ridge, 2), fill=255, width=max(2, round(unit * 0.16)))
    soft = lines.reduce(2)
    lay(surface, (58, 28, 16), ImageChops.offset(soft, 1, 1), 0.7)
    lay(surface, (226, 172, 130), ImageChops.offset(soft, -1, -1), 0.5)
    lay(surface, (40, 20, 10), rim(mask, unit * 0.12, outside=False), 0.6)


def _tile(tile: Image.Image, face: roofs.Face, spots: Sequence[Spot], colour: Colour, unit: float) -> None:
    """Draw the courses of a face of a roof, and the joints of its tiles, on the picture of its box."""
    if face.falls == (0.0, 0.0):
        return
    draw = ImageDraw.Draw(tile)
    (fx, fy), dark = face.falls, mix(colour, (40, 18, 8), 0.42)
    cx, cy = sum(x for x, _ in spots) / 3, sum(y for _, y in spots) / 3
    step, far = unit * 0.15, unit * 1.3
    for i in range(-7, 8):
        x, y = cx + fx * i * step, cy + fy * i * step
        draw.line(
            (x - fy * far, y + fx * far, x + fy * far, y - fx * far),
            fill=dark,
            width=max(1, round(unit * 0.03)),
        )
        for j in range(-9, 10):
            px, py = x + fy * (j + 0.5 * (i % 2)) * step, y - fx * (j + 0.5 * (i % 2)) * step
            draw.line((px, py, px + fx * step, py + fy * step), fill=mix(colour, dark, 0.6), width=1)


def scatter(land: Image.Image, by_look: dict[str, list[Area]], frame: Frame, seed: int) -> None:
    """Stamp trees, bushes, stones and tents, from the back to the front."""
    unit = frame.hex
    stamps: list[tuple[float, float, int, str, int]] = []
    for name, count, low, high, reach in (
        ("tree", 7, 0.7, 0.98, 0.74),
        ("scrub", 10, 0.24, 0.46, 0.78),
        ("ford", 7, 0.1, 0.2, 0.8),
        ("rubble", 16, 0.16, 0.42, 0.76),
        ("tent", 1, 1.36, 1.46, 0.12),
        ("fire", 4, 0.5, 0.8, 0.5),
    ):
        for area in by_look.get(name, []):
            random_ = random.Random(f"{seed}/{area.at}/{name}")
            turn = random_.uniform(0, math.tau)
            x, y = frame.spot(area.centre)
            for i in range(count):
                angle = turn + i * math.tau / max(1, count - 1)
                far = (
                    unit
                    * reach
                    * (
                        random_.uniform(0.0, 0.3)
                        if i == 0
                        else random_.uniform(0.72 if name in ("tree", "scrub") else 0.25, 1.02)
                    )
                )
                stamps.append(
                    (
                        y + math.sin(angle) * far * 0.9,
                        x + math.cos(angle) * far,
                        max(3, round(unit * random_.uniform(low, high))),
                        name,
                        random_.randrange(6),
                    )
                )
    stamps.sort()
    shade = Image.new("L", land.size, 0)
    for y, x, size, name, _ in stamps:
        if name in ("tree", "scrub", "tent"):
            soft = sprites.shadow(round(size * 1.5))
            at = (round(x - soft.width / 2 + size * 0.16), round(y - soft.height / 2 + size * 0.2))
            shade.paste(255, at, soft)
    lay(land, (26, 34, 12), shade, 0.55)
    stamp = {
        "tree": sprites.tree,
        "scrub": sprites.bush,
        "ford": sprites.stone,
        "rubble": sprites.stone,
        "tent": sprites.tent,
        "fire": sprites.flame,
    }
    for y, x, size, name, kind in stamps:
        figure = stamp[name](size, kind)
        land.paste(figure, (round(x - size / 2), round(y - size / 2)), figure)


def landmarks(land: Image.Image, areas: Sequence[Area], frame: Frame) -> None:
    """Stamp what a mark such as ``stone`` or ``well`` names, once a hex."""
    size = max(6, round(frame.hex * 1.1))
    for area in areas:
        for mark in area.marks:
            if mark in sprites.LANDMARKS:
                x, y = frame.spot(area.centre)
                figure = sprites.LANDMARKS[mark](size, 0)
                land.paste(figure, (round(x - size / 2), round(y - size * 0.52)), figure)
