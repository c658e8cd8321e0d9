"""Noise and soft masks: the raw stuff of painted ground. The same seed gives the same picture on every machine."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from .frame import Spot
from .palette import Colour

Size = tuple[int, int]


def noise(size: Size, cell: float, seed: str, stretch: float = 1.0) -> Image.Image:
    """Return grey value noise whose blots are about ``cell`` pixels high and ``stretch`` times as wide."""
    columns = max(2, round(size[0] / max(1.0, cell * stretch)) + 2)
    rows = max(2, round(size[1] / max(1.0, cell)) + 2)
    small = Image.frombytes("L", (columns, rows), random.Random(seed).randbytes(columns * rows))
    return small.resize(size, Image.Resampling.BICUBIC)


def clouds(size: Size, cell: float, seed: str) -> Image.Image:
    """Return noise of three scales together."""
    large = noise(size, cell * 3, seed + "a")
    middle = noise(size, cell, seed + "b")
    fine = noise(size, cell / 3, seed + "c")
    return Image.blend(Image.blend(large, middle, 0.4), fine, 0.28)


def ramp(low: int, high: int) -> list[int]:
    """Return a table for ``Image.point``: 0 up to ``low``, 255 from ``high``, even between."""
    span = max(1, high - low)
    return [min(255, max(0, round((value - low) * 255 / span))) for value in range(256)]


def scaled(share: float) -> list[int]:
    """Return a table for ``Image.point`` that multiplies by a share."""
    return [min(255, round(value * share)) for value in range(256)]


def cells(size: Size, polygons: Iterable[Sequence[Spot]]) -> Image.Image:
    """Return a hard mask of some polygons."""
    mask = Image.new("L", size, 0)
    draw = ImageDraw.Draw(mask)
    for polygon in polygons:
        draw.polygon(polygon, fill=255)
    return mask


def organic(mask: Image.Image, blur: float, rough: Image.Image, share: float, at: int = 128, soft: int = 26) -> Image.Image:
    """Return a mask with a coast as nature makes it: blurred, roughened by noise, cut again at the level ``at``."""
    blurred = mask.filter(ImageFilter.GaussianBlur(blur))
    bent = ImageChops.add(blurred, rough.point([round((value - 128) * share) + 128 for value in range(256)]), 1, -128)
    return bent.point(ramp(at - soft, at + soft))


def two_tone(size: Size, colours: tuple[Colour, Colour], blots: Image.Image) -> Image.Image:
    """Return a picture that wavers between two colours as the noise does."""
    return Image.composite(Image.new("RGB", size, colours[1]), Image.new("RGB", size, colours[0]), blots)


def lay(picture: Image.Image, colour: Colour, mask: Image.Image, share: float = 1.0) -> None:
    """Lay a colour over a picture where the mask is, in place."""
    picture.paste(colour, (0, 0, *picture.size), mask if share >= 1 else mask.point(scaled(share)))


def rim(mask: Image.Image, reach: float, outside: bool = True) -> Image.Image:
    """Return a soft band along the border of a mask, outside or inside of it."""
    blurred = mask.filter(ImageFilter.GaussianBlur(reach))
    if outside:
        return ImageChops.subtract(blurred, mask).point(scaled(2.0))
    return ImageChops.subtract(mask, blurred).point(scaled(2.0))
