"""The painted ground: grass, water, woods, fields, floors, laid over one another with soft borders; no grid, no edges, no counters."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from pbem.core.scene import Area, Point, Scene

from . import sprites
from .castle import paint_castle, paint_moat, paint_trenches
from .frame import Frame, Spot
from .palette import GROUNDS, PAGE, PAGE_DARK, look
from .relief import hachures, relief, rising
from .texture import cells, clouds, lay, noise, organic, ramp, rim, scaled, two_tone

SOFT = ("hill", "slope", "scrub", "courtyard", "burnt", "tent", "tree")
"""Grounds that run into the grass, in the order they are laid."""
BUILT = ("stairs", "doorway", "floor", "roof", "stone", "wall-top", "tower", "tower-door", "keep-door", "keep")
"""Looks of what is built on a courtyard, which therefore reaches under it."""
LANDMARKS: dict[str, Callable[[int, int], Image.Image]] = {"stone": sprites.standing_stone, "well": sprites.well}
"""Marks of a map that can be seen on the ground."""


def page(width: int, height: int, seed: str, frame: Frame | None = None) -> Image.Image:
    """Return a sheet of parchment; with a frame its noise has the scale of that map."""
    cell = max(10.0, frame.hex) if frame else 34.0
    return two_tone((width, height), (PAGE_DARK, PAGE), clouds((width, height), cell, f"{seed}page").point(ramp(20, 190)))


def paint(scene: Scene, areas: Sequence[Area], frame: Frame) -> Image.Image:
    """Return the ground of some areas on parchment."""
    size = (frame.width, frame.height)
    seed = f"{scene.seed}/"
    unit = frame.hex
    picture = page(*size, seed, frame)
    high = rising(scene.areas)
    by_look: dict[str, list[Area]] = {}
    for area in areas:
        by_look.setdefault(look_of(area), []).append(area)
    everything = cells(size, (frame.spots(area.corners) for area in areas))
    lay(picture, (70, 54, 30), everything.filter(ImageFilter.GaussianBlur(unit * 0.14)), 0.55)
    land = two_tone(size, GROUNDS["flat"], clouds(size, unit * 0.9, seed + "flat").point(ramp(40, 215)))
    speckle = noise(size, max(1.6, unit * 0.055), seed + "grass")
    lay(land, (122, 142, 78), speckle.point(ramp(205, 255)), 0.35)
    rough = clouds(size, unit * 0.5, seed + "coast")
    _tufts(land, by_look.get("flat", []), frame, scene.seed)
    for name in SOFT:
        if name in by_look:
            reach = _under_walls(areas, by_look[name]) if name == "courtyard" else []
            _soft(land, name, by_look[name], frame, rough, seed, reach)
    relief(land, by_look.get("slope", []), high, frame, rough)
    hachures(land, by_look.get("slope", []), high, frame, scene.seed)
    _roads(land, scene, by_look.get("road", []), frame, rough, seed)
    if "crop" in by_look:
        _crops(land, by_look["crop"], frame, seed)
    wet = [area for area in areas if look(area.ground) in ("water", "ford")]
    if wet:
        _water(land, wet, by_look.get("ford", []), frame, rough, seed)
    if "moat" in by_look:
        paint_moat(land, by_look["moat"], frame, rough, seed)
    if "trench" in by_look:
        paint_trenches(land, by_look["trench"], frame, rough, seed)
    for name in ("doorway", "floor", "roof"):
        if name in by_look:
            _built(land, name, by_look[name], frame, seed)
    paint_castle(land, by_look, areas, frame, seed)
    _eaves(land, [*by_look.get("floor", []), *by_look.get("doorway", [])], frame)
    _scatter(land, by_look, frame, scene.seed)
    _landmarks(land, areas, frame)
    picture.paste(land, (0, 0), everything)
    return picture


def look_of(area: Area) -> str:
    """Return the look of an area: a floor that nobody can enter is seen from above, as a roof."""
    found = look(area.ground)
    return "roof" if found == "floor" and not area.passable else found


def _polygons(areas: Sequence[Area], frame: Frame) -> list[list[Spot]]:
    return [frame.spots(area.corners) for area in areas]


def _under_walls(areas: Sequence[Area], yard: Sequence[Area]) -> list[tuple[Point, ...]]:
    """Return the hexes into which a courtyard runs on unseen: those of buildings, and those beyond the border of the map."""
    known = {area.centre for area in areas}
    found = [area.corners for area in areas if look(area.ground) in BUILT]
    for area in yard:
        x, y = area.centre
        for dx, dy in ((0, -1000), (866, -500), (866, 500), (0, 1000), (-866, 500), (-866, -500)):
            if all(abs(x + dx - px) > 9 or abs(y + dy - py) > 9 for px, py in known):
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
    mask = organic(cells(land.size, polygons), unit * 0.24, rough, 0.62, soft=46 if name != "tree" else 26)
    tint = two_tone(land.size, GROUNDS[name], clouds(land.size, unit * 0.55, seed + name).point(ramp(40, 215)))
    if name in ("hill", "slope"):
        lay(land, (110, 84, 40), rim(mask, unit * 0.22), 0.5)
    land.paste(tint, (0, 0), mask.point(scaled(0.94)))


def _tufts(land: Image.Image, areas: Sequence[Area], frame: Frame, seed: int) -> None:
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
            for lean in (-0.6, 0.0, 0.6):
                draws[random_.randrange(2)].line((tx, ty, tx + lean * high, ty - high), fill=220, width=max(1, round(unit * 0.025)))
    lay(land, (112, 134, 68), dark, 0.75)
    lay(land, (222, 228, 170), light, 0.7)


def _roads(land: Image.Image, scene: Scene, areas: Sequence[Area], frame: Frame, rough: Image.Image, seed: str) -> None:
    if not areas and not scene.roads:
        return
    unit = frame.hex
    mask = Image.new("L", land.size, 0)
    draw = ImageDraw.Draw(mask)
    width = max(3, round(unit * 0.62))
    drawn: set[tuple[int, int]] = set()
    lines = [smooth(frame.spots(_straighter(_to_the_border(line, scene)))) for line in scene.roads if line]
    for points in lines:
        draw.line(points, fill=255, width=width, joint="curve")
        for x, y in (points[0], points[-1]):
            draw.ellipse((x - width / 2, y - width / 2, x + width / 2, y + width / 2), fill=255)
    drawn.update(point for line in scene.roads for point in line)
    for area in areas:
        if area.centre not in drawn:
            draw.polygon(frame.spots(area.corners), fill=255)
    soft = organic(mask, unit * 0.09, rough, 0.42, soft=40)
    lay(land, (104, 78, 38), rim(soft, unit * 0.08), 0.62)
    tint = two_tone(land.size, GROUNDS["road"], clouds(land.size, unit * 0.3, seed + "road").point(ramp(40, 215)))
    land.paste(tint, (0, 0), soft.point(scaled(0.92)))
    ruts = Image.new("L", land.size, 0)
    draw = ImageDraw.Draw(ruts)
    for points in lines:
        for offset in (-0.15, 0.15):
            draw.line(_beside(points, offset * unit), fill=200, width=max(1, round(unit * 0.05)), joint="curve")
    lay(land, (164, 138, 92), ImageChops.multiply(ruts, noise(land.size, unit * 0.2, seed + "ruts").point(ramp(70, 150))), 0.6)


def _to_the_border(line: Sequence[Point], scene: Scene) -> list[Point]:
    """Return a road whose ends run on to the border of the map, where beyond them is no hex."""
    found = list(line)
    if len(line) < 2:
        return found
    steps = min(2, len(line) - 1)
    for end, before, place in ((line[0], line[steps], 0), (line[-1], line[-1 - steps], len(found) + 1)):
        beyond = (end[0] + (end[0] - before[0]) // steps, end[1] + (end[1] - before[1]) // steps)
        if all(abs(area.centre[0] - beyond[0]) > 300 or abs(area.centre[1] - beyond[1]) > 520 for area in scene.areas):
            found.insert(place, beyond)
    return found


def _straighter(line: Sequence[Point]) -> list[Point]:
    """Return a road without the zigzag of the hexes it goes through; its ends stay."""
    found = list(line)
    for i in range(1, len(line) - 1):
        (ax, ay), (bx, by), (cx, cy) = line[i - 1 : i + 2]
        found[i] = ((ax + 2 * bx + cx) // 4, (ay + 2 * by + cy) // 4)
    return found


def _beside(points: Sequence[Spot], offset: float) -> list[Spot]:
    """Return a line that runs beside another one."""
    found = []
    for i, (x, y) in enumerate(points):
        before, after = points[max(0, i - 1)], points[min(len(points) - 1, i + 1)]
        length = math.hypot(after[0] - before[0], after[1] - before[1]) or 1.0
        found.append((x - (after[1] - before[1]) / length * offset, y + (after[0] - before[0]) / length * offset))
    return found


def smooth(points: Sequence[Spot], steps: int = 8) -> list[Spot]:
    """Return a curve through some points (Catmull-Rom)."""
    if len(points) < 3:
        return list(points)
    padded = [points[0], *points, points[-1]]
    found: list[Spot] = []
    for i in range(1, len(padded) - 2):
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = padded[i - 1 : i + 3]
        for step in range(steps):
            t = step / steps
            found.append(
                (
                    0.5 * (2 * bx + (cx - ax) * t + (2 * ax - 5 * bx + 4 * cx - dx) * t * t + (3 * bx - ax - 3 * cx + dx) * t**3),
                    0.5 * (2 * by + (cy - ay) * t + (2 * ay - 5 * by + 4 * cy - dy) * t * t + (3 * by - ay - 3 * cy + dy) * t**3),
                )
            )
    found.append(points[-1])
    return found


def _water(land: Image.Image, wet: Sequence[Area], fords: Sequence[Area], frame: Frame, rough: Image.Image, seed: str) -> None:
    unit, size = frame.hex, land.size
    mask = organic(cells(size, _polygons(wet, frame)), unit * 0.34, rough, 0.6, at=140, soft=20)
    lay(land, (120, 96, 58), rim(mask, unit * 0.16), 0.75)
    river = two_tone(size, GROUNDS["water"], clouds(size, unit * 0.7, seed + "water").point(ramp(50, 230)))
    deep = mask.filter(ImageFilter.GaussianBlur(unit * 0.42)).point(ramp(150, 255))
    lay(river, (52, 98, 138), deep, 0.5)
    lay(river, (150, 194, 212), rim(mask, unit * 0.2, outside=False), 0.65)
    ripples = noise(size, unit * 0.085, seed + "ripple", 3.4)
    lay(river, (176, 208, 224), ripples.point(ramp(190, 222)), 0.6)
    lay(river, (40, 88, 128), ripples.point([255 - value for value in ramp(36, 66)]), 0.45)
    if fords:
        shallow = organic(cells(size, _polygons(fords, frame)), unit * 0.2, rough, 0.4, soft=60)
        sand = two_tone(size, GROUNDS["ford"], clouds(size, unit * 0.4, seed + "ford").point(ramp(40, 215)))
        lay(sand, (240, 246, 242), ripples.point(ramp(176, 208)), 0.8)
        river.paste(sand, (0, 0), shallow.point(scaled(0.92)))
    land.paste(river, (0, 0), mask)


def _crops(land: Image.Image, areas: Sequence[Area], frame: Frame, seed: str) -> None:
    unit, size = frame.hex, land.size
    mask = cells(size, _polygons(areas, frame)).filter(ImageFilter.GaussianBlur(unit * 0.05))
    field = two_tone(size, GROUNDS["crop"], clouds(size, unit * 0.6, seed + "crop").point(ramp(40, 215)))
    furrows = Image.new("L", size, 0)
    draw = ImageDraw.Draw(furrows)
    step = max(3.0, unit * 0.21)
    for i in range(round((size[1] + size[0] * 0.2) / step) + 1):
        y = i * step - size[0] * 0.2
        draw.line((0, y, size[0], y + size[0] * 0.2), fill=255, width=max(1, round(unit * 0.06)))
    wobble = noise(size, unit * 0.18, seed + "furrow").point(ramp(30, 120))
    lay(field, (160, 128, 52), ImageChops.multiply(furrows, wobble), 0.75)
    lay(land, (92, 78, 34), rim(mask, unit * 0.1), 0.6)
    land.paste(field, (0, 0), mask)


def _built(land: Image.Image, name: str, areas: Sequence[Area], frame: Frame, seed: str) -> None:
    unit, size = frame.hex, land.size
    mask = cells(size, _polygons(areas, frame))
    lay(land, (30, 22, 10), ImageChops.offset(mask.filter(ImageFilter.GaussianBlur(unit * 0.12)), round(unit * 0.1)), 0.5)
    surface = two_tone(size, GROUNDS[name], clouds(size, unit * 0.5, seed + name).point(ramp(40, 215)))
    lines = Image.new("L", size, 0)
    draw = ImageDraw.Draw(lines)
    random_ = random.Random(f"{seed}{name}")
    step = max(3.0, unit * (0.2 if name == "floor" else 0.26))
    thin = max(1, round(unit * 0.028))
    for i in range(round(size[1] / step) + 1):
        y = i * step
        draw.line((0, y, size[0], y), fill=190, width=thin)
        x = random_.uniform(0, unit)
        while x < size[0]:
            draw.line((x, y, x, y + step), fill=190, width=thin)
            x += unit * (random_.uniform(1.1, 2.0) if name == "floor" else random_.uniform(0.3, 0.55))
    lay(surface, (96, 66, 32) if name == "floor" else (84, 74, 66), lines, 0.55)
    if name == "roof":
        _roof(surface, mask, areas, frame)
    land.paste(surface, (0, 0), mask)


def _eaves(land: Image.Image, rooms: Sequence[Area], frame: Frame) -> None:
    """Darken rooms along their walls, as if the roof had been lifted off."""
    if rooms:
        mask = cells(land.size, _polygons(rooms, frame))
        lay(land, (40, 22, 8), rim(mask, frame.hex * 0.26, outside=False), 0.5)


def _roof(surface: Image.Image, mask: Image.Image, areas: Sequence[Area], frame: Frame) -> None:
    """Light a roof from the north-west, darken its eaves, and draw ridges from hex to hex."""
    unit = frame.hex
    inside = rim(mask, unit * 0.3, outside=False)
    lay(surface, (52, 28, 16), inside, 0.55)
    lit = ImageChops.subtract(mask, ImageChops.offset(mask, round(unit * 0.12), round(unit * 0.12)))
    lay(surface, (222, 170, 128), lit.filter(ImageFilter.GaussianBlur(unit * 0.05)), 0.6)
    draw = ImageDraw.Draw(surface)
    spots = [frame.spot(area.centre) for area in areas]
    for i, one in enumerate(spots):
        near = [other for other in spots[:i] if math.hypot(one[0] - other[0], one[1] - other[1]) < unit * 1.9]
        for other in near[:1]:
            draw.line((*one, *other), fill=(84, 48, 30), width=max(2, round(unit * 0.14)))
            up = unit * 0.04
            draw.line((one[0], one[1] - up, other[0], other[1] - up), fill=(206, 150, 110), width=max(1, round(unit * 0.05)))


def _scatter(land: Image.Image, by_look: dict[str, list[Area]], frame: Frame, seed: int) -> None:
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
                    * (random_.uniform(0.0, 0.3) if i == 0 else random_.uniform(0.72 if name in ("tree", "scrub") else 0.25, 1.02))
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


def _landmarks(land: Image.Image, areas: Sequence[Area], frame: Frame) -> None:
    """Stamp what a mark such as ``stone`` or ``well`` names, once a hex."""
    size = max(6, round(frame.hex * 1.1))
    for area in areas:
        for mark in area.marks:
            if mark in LANDMARKS:
                x, y = frame.spot(area.centre)
                figure = LANDMARKS[mark](size, 0)
                land.paste(figure, (round(x - size / 2), round(y - size * 0.52)), figure)
