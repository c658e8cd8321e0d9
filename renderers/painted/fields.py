"""Ploughed fields: those that touch are one, with furrows of one direction."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from pbem.core.scene import Area

from ..frame import Frame
from .shores import around
from .texture import cells, clouds, lay, noise, ramp, rim, two_tone


def paint_crops(
    land: Image.Image, areas: Sequence[Area], every: Sequence[Area], frame: Frame, seed: str
) -> None:
    """Paint the fields of some areas, with a strip along their border where nobody ploughs.

    ``every`` are those of the whole map, so that furrows run the same way on a window as on all of it.
    """
    unit, size = frame.hex, land.size
    mask = cells(size, (frame.spots(area.corners) for area in areas)).filter(
        ImageFilter.GaussianBlur(unit * 0.05)
    )
    field = two_tone(frame.theme.grounds["crop"], clouds(size, unit * 0.6, seed + "crop"))
    lay(land, (92, 78, 34), rim(mask, unit * 0.1), 0.6)
    ridges, furrows = Image.new("L", size, 0), Image.new("L", size, 0)
    for number, group in enumerate(touching(every)):
        turn = math.radians((24, -36, 84)[(number + len(group)) % 3])
        spots = [frame.spot(area.centre) for area in group]
        left, right = min(x for x, _ in spots) - unit, max(x for x, _ in spots) + unit
        top, low = min(y for _, y in spots) - unit, max(y for _, y in spots) + unit
        cx, cy, far = (left + right) / 2, (top + low) / 2, math.hypot(right - left, low - top) / 2
        count = round(far / (unit * 0.17))
        for i in range(-count, count + 1):
            for sheet, shift in ((furrows, 0.0), (ridges, -0.06)):
                off = unit * (i * 0.17 + shift)
                x, y = cx - math.sin(turn) * off, cy + math.cos(turn) * off
                line = (
                    x - math.cos(turn) * far,
                    y - math.sin(turn) * far,
                    x + math.cos(turn) * far,
                    y + math.sin(turn) * far,
                )
                ImageDraw.Draw(sheet).line(line, fill=255, width=max(1, round(unit * 0.055)))
    wobble = noise(size, unit * 0.18, seed + "furrow").point(ramp(30, 120))
    lay(field, (150, 116, 44), ImageChops.multiply(furrows, wobble), 0.75)
    lay(field, (246, 230, 164), ImageChops.multiply(ridges, wobble), 0.6)
    lay(field, (150, 158, 84), rim(mask, unit * 0.14, outside=False), 0.9)
    land.paste(field, (0, 0), mask)


def touching(areas: Sequence[Area]) -> list[list[Area]]:
    """Return the groups of hexes that touch one another."""
    left = {area.centre: area for area in areas}
    found = []
    while left:
        todo, group = [min(left)], []
        while todo:
            point = todo.pop()
            if point in left:
                group.append(left.pop(point))
                todo += around(point)
        found.append(group)
    return found
