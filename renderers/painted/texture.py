"""Noise and soft masks: the raw stuff of painted ground.

The same seed gives the same picture on every machine.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from msgspec.structs import replace
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from pbem.core.scene import Area

from ..frame import Frame, Spot
from ..palette import Colour

Size = tuple[int, int]
SOFT = 2.0
"""Pixels from which a blur may be worked out at half the size."""
BROAD = 8.0
"""Pixels of the cells of noise from which the broader scales may be worked out at half the size."""
WILD = 52
"""The most by which noise may move a coast, of 255: what is far from it never becomes land."""
SQUARE = 256
"""Pixels each way of what is laid on a picture at once."""
MARGIN = 1.5
"""How far beyond its hexes a ground may reach, in hex radii."""


def noise(size: tuple[float, float], cell: float, seed: str, stretch: float = 1.0) -> Image.Image:
    """Return grey value noise whose blots are about ``cell`` pixels high and ``stretch`` times as wide."""
    across, down = size[0] / max(1.0, cell * stretch), size[1] / max(1.0, cell)
    columns, rows = math.ceil(across) + 2, math.ceil(down) + 2
    small = Image.frombytes("L", (columns, rows), random.Random(seed).randbytes(columns * rows))
    whole = math.ceil(size[0]), math.ceil(size[1])
    more = (whole[0] - size[0]) / max(1.0, cell * stretch), (whole[1] - size[1]) / max(1.0, cell)
    return small.resize(whole, Image.Resampling.BICUBIC, box=(1, 1, 1 + across + more[0], 1 + down + more[1]))


def clouds(size: Size, cell: float, seed: str) -> Image.Image:
    """Return noise of three scales together."""
    if cell < BROAD:
        broad = Image.blend(noise(size, cell * 3, seed + "a"), noise(size, cell, seed + "b"), 0.4)
    else:
        half = (size[0] / 2, size[1] / 2)
        large, middle = noise(half, cell * 1.5, seed + "a"), noise(half, cell / 2, seed + "b")
        broad = Image.blend(large, middle, 0.4).resize(size, Image.Resampling.BILINEAR, box=(0, 0, *half))
    return Image.blend(broad, noise(size, cell / 3, seed + "c"), 0.28)


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


def blurred(mask: Image.Image, radius: float) -> Image.Image:
    """Return a mask made soft; one that becomes very soft is worked out at half its size, in a third of the
    time.
    """
    if radius < SOFT:
        return mask.filter(ImageFilter.GaussianBlur(radius))
    return (
        mask.reduce(2)
        .filter(ImageFilter.GaussianBlur(radius / 2))
        .resize(mask.size, Image.Resampling.BILINEAR)
    )


@contextmanager
def part(
    land: Image.Image, areas: Sequence[Area], frame: Frame, rough: Image.Image
) -> Iterator[tuple[Image.Image, Frame, Image.Image]]:
    """Give the part of a picture on which some areas lie, with its frame and noise; what is painted on it is
    pasted back.
    """
    spots = [frame.spot(area.centre) for area in areas]
    reach = frame.hex * (1 + MARGIN)
    left, top = max(0, int(min(x for x, _ in spots) - reach)), max(0, int(min(y for _, y in spots) - reach))
    right = max(left + 1, min(land.width, int(max(x for x, _ in spots) + reach) + 1))
    bottom = max(top + 1, min(land.height, int(max(y for _, y in spots) + reach) + 1))
    piece = land.crop((left, top, right, bottom))
    near = replace(
        frame,
        left=frame.left + left / frame.scale,
        top=frame.top + top / frame.scale,
        width=piece.width,
        height=piece.height,
    )
    yield piece, near, rough.crop((left, top, right, bottom))
    land.paste(piece, (left, top))


def organic(
    mask: Image.Image, blur: float, rough: Image.Image, share: float, at: int = 128, soft: int = 26
) -> Image.Image:
    """Return a mask with a coast as nature makes it: blurred, roughened by noise, cut again at the level
    ``at``.
    """
    bent = ImageChops.add(
        blurred(mask, blur),
        rough.point([round(min(WILD, max(-WILD, (value - 128) * share))) + 128 for value in range(256)]),
        1,
        -128,
    )
    return bent.point(ramp(at - soft, at + soft))


def two_tone(size: Size, colours: tuple[Colour, Colour], blots: Image.Image) -> Image.Image:
    """Return a picture that wavers between two colours as the noise does."""
    between = Image.frombytes("P", size, blots.tobytes())
    between.putpalette(
        [_between(colours[0][band], colours[1][band], level) for level in range(256) for band in range(3)]
    )
    return between.convert("RGB")


def _between(low: int, high: int, level: int) -> int:
    """Return a share of 255 of one value over another, rounded as Pillow does."""
    found = high * level + low * (255 - level) + 128
    return (found >> 8) + found >> 8


def lay(picture: Image.Image, colour: Colour, mask: Image.Image, share: float = 1.0) -> None:
    """Lay a colour over a picture where the mask is, in place.

    Square by square, for most masks are empty for the most part; and as a picture of that colour, which
    Pillow lays over another in a third of the time that it takes over the colour itself.
    """
    box = mask.getbbox()
    if box is None:
        return
    sheet = Image.new("RGB", (min(SQUARE, box[2] - box[0]), min(SQUARE, box[3] - box[1])), colour)
    table = scaled(share)
    for top in range(box[1], box[3], SQUARE):
        for left in range(box[0], box[2], SQUARE):
            piece = mask.crop((left, top, min(left + SQUARE, box[2]), min(top + SQUARE, box[3])))
            if inked := piece.getbbox():
                piece = piece.crop(inked) if share >= 1 else piece.crop(inked).point(table)
                picture.paste(
                    sheet if piece.size == sheet.size else sheet.crop((0, 0, *piece.size)),
                    (left + inked[0], top + inked[1]),
                    piece,
                )


def rim(mask: Image.Image, reach: float, outside: bool = True) -> Image.Image:
    """Return a soft band along the border of a mask, outside or inside of it."""
    soft = blurred(mask, reach)
    if outside:
        return ImageChops.subtract(soft, mask).point(scaled(2.0))
    return ImageChops.subtract(mask, soft).point(scaled(2.0))
