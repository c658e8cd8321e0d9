"""Hills: where the high ground is, light and shade on the slopes, and strokes that run down them."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from PIL import Image, ImageChops, ImageDraw

from pbem.core.scene import Area, Point

from ..frame import Frame, Spot
from ..palette import look
from .shores import around
from .texture import blurred, lay, ramp


def rising(areas: Sequence[Area]) -> list[Point]:
    """Return the centres of all high ground: hilltops, and beyond the border of the map where a slope without
    a hilltop reaches it.
    """
    looks = {area.centre: look(area.ground) for area in areas}
    found = [area.centre for area in areas if look(area.ground) == "hill"]
    left = {point for point, name in looks.items() if name == "slope"}
    while left:
        todo = [min(left)]
        left.discard(todo[0])
        beyond: set[Point] = set()
        while todo:
            beside = around(todo.pop())
            todo += [point for point in beside if point in left]
            left.difference_update(beside)
            beyond.update(point for point in beside if looks.get(point, "hill") == "hill")
        if not any(point in looks for point in beyond):
            found += sorted(beyond)
    return found


def relief(
    land: Image.Image, slopes: Sequence[Area], tops: Sequence[Point], frame: Frame, rough: Image.Image
) -> None:
    """Light the slopes from the north-west and shade them towards the south-east, more strongly the nearer
    they are to the top.
    """
    unit = frame.hex
    height = Image.new("L", land.size, 0)
    draw = ImageDraw.Draw(height)
    near = {point for top in tops for point in around(top)}
    for area in slopes:
        draw.polygon(frame.spots(area.corners), fill=168 if area.centre in near else 92)
    for top in tops:
        x, y = frame.spot(top)
        draw.polygon(
            [
                (x + math.cos(math.radians(a)) * unit, y + math.sin(math.radians(a)) * unit)
                for a in range(0, 360, 60)
            ],
            fill=255,
        )
    height = blurred(height, unit * 0.62)
    step = max(1, round(unit * 0.5))
    low, high = height.copy(), height.copy()
    low.paste(height, (step, step))
    high.paste(height, (-step, -step))
    grain = rough.point([min(255, 150 + value // 2) for value in range(256)])
    for colour, steep, share in (
        ((255, 246, 208), ImageChops.subtract(high, low), 0.44),
        ((70, 46, 14), ImageChops.subtract(low, high), 0.44),
    ):
        lay(land, colour, ImageChops.multiply(steep.point(ramp(0, 150)), grain), share)


def hachures(
    land: Image.Image, slopes: Sequence[Area], tops: Sequence[Point], frame: Frame, seed: int
) -> None:
    """Draw strokes down the slope, away from the nearest high ground: long and close below the top, short and
    loose at the foot.
    """
    unit = frame.hex
    mask = Image.new("L", (land.width * 2, land.height * 2), 0)
    draw = ImageDraw.Draw(mask)
    high = [frame.spot(top) for top in tops]
    for area in slopes:
        random_ = random.Random(f"{seed}/{area.at}/hachure")
        x, y = frame.spot(area.centre)
        steep = min((math.hypot(px - x, py - y) for px, py in high), default=unit * 3) < unit * 1.9
        for _ in range(20 if steep else 12):
            sx, sy = x + unit * random_.uniform(-0.8, 0.8), y + unit * random_.uniform(-0.75, 0.75)
            fx, fy = fall(high, sx, sy)
            length = unit * random_.uniform(0.2, 0.3 if not steep else 0.46)
            dx, dy = fx * length, fy * length
            wide = unit * (0.06 if steep else 0.05)
            half = (-dy / length * wide, dx / length * wide)
            draw.polygon(
                [
                    (2 * sx + half[0], 2 * sy + half[1]),
                    (2 * (sx + dx), 2 * (sy + dy)),
                    (2 * sx - half[0], 2 * sy - half[1]),
                ],
                fill=255,
            )
    lay(land, (104, 76, 34), mask.reduce(2), 0.75)


def fall(high: Sequence[Spot], x: float, y: float) -> Spot:
    """Return the direction in which the ground falls at a place: away from high ground, mostly from the
    nearest.
    """
    dx = dy = 0.0
    for px, py in high:
        far = (x - px) ** 2 + (y - py) ** 2 + 1
        dx, dy = dx + (x - px) / far**2, dy + (y - py) / far**2
    length = math.hypot(dx, dy)
    return (dx / length, dy / length) if length else (0.45, 0.9)
