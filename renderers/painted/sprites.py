"""Small things that stand on the ground: trees, bushes, stones, tents, flames; each drawn once and then
stamped.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from functools import lru_cache

from PIL import Image, ImageDraw, ImageFilter

from ..palette import Colour, mix

SAMPLE = 4
STEP = 16
"""Pixels from one size to the next in which crowns are drawn."""


def _blob(
    draw: ImageDraw.ImageDraw, x: float, y: float, radius: float, colour: Colour | tuple[int, int, int, int]
) -> None:
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)


def _canvas(size: int) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    picture = Image.new("RGBA", (size * SAMPLE, size * SAMPLE), (0, 0, 0, 0))
    return picture, ImageDraw.Draw(picture)


@lru_cache(maxsize=32)
def _crown(size: int, kind: int, base: Colour, blobs: int, spread: float) -> Image.Image:
    """Return a crown of leaves lit from the north-west, ``SAMPLE`` times too large."""
    picture, draw = _canvas(size)
    random_ = random.Random(f"crown{kind}{base}{blobs}")
    middle = size * SAMPLE / 2
    radius = middle * 0.52
    dark, light = mix(base, (16, 34, 12), 0.55), mix(base, (232, 238, 150), 0.35)
    spots = [
        (
            middle + math.cos(i * math.tau / blobs) * radius * spread,
            middle + math.sin(i * math.tau / blobs) * radius * spread,
        )
        for i in range(blobs)
    ]
    spots.append((middle, middle))
    sizes = [radius * random_.uniform(0.46, 0.62) for _ in spots]
    for (x, y), r in zip(spots, sizes, strict=True):
        _blob(draw, x, y, r + size * SAMPLE * 0.025, dark)
    order = sorted(range(len(spots)), key=lambda i: -(spots[i][0] + spots[i][1]))
    for i in order:
        (x, y), r = spots[i], sizes[i]
        # how much this clump looks towards the north-west, where the light comes from
        lit = max(-1.0, min(1.0, -(x - middle + y - middle) / (radius * spread * 1.4)))
        tint = mix(base, light, 0.34 * lit) if lit > 0 else mix(base, dark, -0.38 * lit)
        _blob(draw, x, y, r, mix(tint, dark, 0.5))
        _blob(draw, x - r * 0.14, y - r * 0.14, r * 0.84, tint)
        _blob(draw, x - r * 0.30, y - r * 0.32, r * 0.46, mix(tint, light, 0.5))
        for _ in range(6):
            angle, reach = random_.uniform(0, math.tau), r * random_.uniform(0.2, 0.82)
            bright = math.cos(angle) + math.sin(angle) < -0.4
            _blob(
                draw,
                x + math.cos(angle) * reach,
                y + math.sin(angle) * reach,
                r * 0.08,
                light if bright else mix(tint, dark, 0.7),
            )
    return picture


def _grown(size: int, kind: int, base: Colour, blobs: int, spread: float) -> Image.Image:
    """Return a crown of a size: of nearly the same size they are reduced from one that is drawn once."""
    crown = _crown(-(-size // STEP) * STEP, kind, base, blobs, spread)
    return crown.resize((size, size), Image.Resampling.BOX)


@lru_cache(maxsize=256)
def tree(size: int, kind: int) -> Image.Image:
    """Return one of six trees, ``size`` pixels wide."""
    bases: tuple[Colour, ...] = (
        (92, 132, 54),
        (78, 120, 50),
        (110, 144, 60),
        (84, 128, 66),
        (100, 136, 48),
        (70, 112, 56),
    )
    return _grown(size, kind, bases[kind % 6], 6 + kind % 3, 0.92)


@lru_cache(maxsize=64)
def bush(size: int, kind: int) -> Image.Image:
    """Return one of four bushes."""
    bases: tuple[Colour, ...] = ((138, 142, 62), (122, 134, 60), (150, 146, 74), (128, 128, 52))
    return _grown(size, kind + 10, bases[kind % 4], 4 + kind % 2, 0.8)


@lru_cache(maxsize=64)
def shadow(size: int) -> Image.Image:
    """Return a soft round shadow as a mask."""
    mask = Image.new("L", (size, size), 0)
    edge = size * 0.2
    ImageDraw.Draw(mask).ellipse((edge, edge, size - edge, size - edge), fill=150)
    return mask.filter(ImageFilter.GaussianBlur(size * 0.08))


@lru_cache(maxsize=64)
def stone(size: int, kind: int) -> Image.Image:
    """Return one of four stones."""
    picture, draw = _canvas(size)
    random_ = random.Random(f"stone{kind}")
    middle = size * SAMPLE / 2
    points = []
    for i in range(8):
        reach = middle * random_.uniform(0.62, 0.92)
        points.append(
            (middle + math.cos(i * math.tau / 8) * reach, middle + math.sin(i * math.tau / 8) * reach * 0.8)
        )
    draw.polygon(points, fill=(92, 90, 86))
    draw.polygon([(x - middle * 0.08, y - middle * 0.12) for x, y in points], fill=(178, 176, 170))
    return picture.reduce(SAMPLE)


@lru_cache(maxsize=32)
def tent(size: int, kind: int) -> Image.Image:
    """Return a round tent from above, striped in one of two ways."""
    picture, draw = _canvas(size)
    middle = size * SAMPLE / 2
    radius = middle * 0.86
    stripe: Colour = (206, 156, 66) if kind % 2 else (150, 150, 156)
    _blob(draw, middle, middle, radius, (78, 66, 48))
    for i in range(12):
        colour: Colour = stripe if i % 2 else (244, 238, 220)
        draw.pieslice(
            (middle - radius * 0.93, middle - radius * 0.93, middle + radius * 0.93, middle + radius * 0.93),
            i * 30,
            i * 30 + 30,
            fill=mix(colour, (60, 50, 40), 0.22) if i in (11, 0, 1, 2, 3) else colour,
        )
    _blob(draw, middle, middle, radius * 0.1, (92, 60, 30))
    return picture.reduce(SAMPLE)


@lru_cache(maxsize=32)
def flame(size: int, kind: int) -> Image.Image:
    """Return a flame."""
    picture, draw = _canvas(size)
    full = size * SAMPLE
    lean = (-0.06, 0.04, 0.0)[kind % 3]
    outer = [
        (0.5 + lean, 0.02),
        (0.66, 0.3),
        (0.82, 0.42),
        (0.86, 0.7),
        (0.68, 0.96),
        (0.34, 0.96),
        (0.14, 0.72),
        (0.2, 0.44),
        (0.36, 0.5),
    ]
    inner = [(0.5 + lean, 0.36), (0.64, 0.6), (0.66, 0.8), (0.52, 0.92), (0.38, 0.84), (0.34, 0.66)]
    draw.polygon(
        [(x * full, y * full) for x, y in outer], fill=(190, 60, 10), outline=(90, 20, 0), width=SAMPLE
    )
    draw.polygon([(x * full, y * full) for x, y in inner], fill=(250, 200, 60))
    return picture.reduce(SAMPLE)


@lru_cache(maxsize=32)
def standing_stone(size: int, kind: int) -> Image.Image:
    """Return an upright boundary stone with its shadow on the grass."""
    picture, draw = _canvas(size)
    full = size * SAMPLE
    draw.polygon(
        [(x * full, y * full) for x, y in ((0.38, 0.9), (0.62, 0.94), (0.98, 0.8), (0.9, 0.7), (0.6, 0.76))],
        fill=(30, 26, 12, 120),
    )
    outline = ((0.3, 0.9), (0.34, 0.3), (0.44, 0.08), (0.56, 0.05), (0.68, 0.28), (0.72, 0.88), (0.54, 0.95))
    draw.polygon(
        [(x * full, y * full) for x, y in outline], fill=(150, 148, 142), outline=(52, 46, 40), width=SAMPLE
    )
    draw.polygon(
        [
            (x * full, y * full)
            for x, y in ((0.34, 0.86), (0.38, 0.32), (0.46, 0.13), (0.52, 0.3), (0.5, 0.88))
        ],
        fill=(206, 204, 196),
    )
    draw.line([(full * 0.42, full * 0.4), (full * 0.6, full * 0.4)], fill=(74, 68, 62), width=SAMPLE)
    draw.line([(full * 0.51, full * 0.28), (full * 0.51, full * 0.6)], fill=(74, 68, 62), width=SAMPLE)
    for x, y in ((0.28, 0.9), (0.44, 0.96), (0.66, 0.93), (0.74, 0.88)):
        draw.line(
            [(x * full, y * full), ((x - 0.03) * full, (y - 0.12) * full)], fill=(98, 124, 56), width=SAMPLE
        )
    return picture.reduce(SAMPLE)


@lru_cache(maxsize=32)
def well(size: int, kind: int) -> Image.Image:
    """Return a round well from above, with its beam and bucket."""
    picture, draw = _canvas(size)
    middle = size * SAMPLE / 2
    _blob(draw, middle, middle, middle * 0.8, (62, 54, 46))
    for i in range(12):
        angle = i * math.tau / 12
        _blob(
            draw,
            middle + math.cos(angle) * middle * 0.62,
            middle + math.sin(angle) * middle * 0.62,
            middle * 0.16,
            (190, 184, 172),
        )
    _blob(draw, middle, middle, middle * 0.46, (34, 54, 76))
    _blob(draw, middle - middle * 0.12, middle - middle * 0.14, middle * 0.16, (110, 150, 176))
    draw.line((middle * 0.1, middle, middle * 1.9, middle), fill=(58, 36, 16), width=round(middle * 0.2))
    draw.line((middle * 0.14, middle, middle * 1.86, middle), fill=(140, 96, 52), width=round(middle * 0.1))
    _blob(draw, middle, middle, middle * 0.17, (96, 62, 30))
    return picture.reduce(SAMPLE)


LANDMARKS: dict[str, Callable[[int, int], Image.Image]] = {"stone": standing_stone, "well": well}
"""Marks of a map that can be seen on the ground."""
