"""Noise and soft masks: the raw stuff of painted ground.

The same seed gives the same picture on every machine.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from pbem.core.scene import Area

from ..frame import Frame, Spot
from ..palette import Colour

Size = tuple[int, int]
SOFT, SMALLEST = 1.5, 4
"""Pixels from which a blur is worked out on a smaller mask, and how many times smaller it is at the most."""
BLOT, SPARSEST = 2.0, 3
"""Pixels that the least blots of noise keep on a smaller picture, and how many times smaller that is at the
most.
"""
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
    """Return noise of three scales together, worked out on as small a picture as its least blots allow."""
    by = max(1, min(SPARSEST, int(cell / 3 / BLOT)))
    small, cell = (size[0] / by, size[1] / by), cell / by
    broad = Image.blend(noise(small, cell * 3, seed + "a"), noise(small, cell, seed + "b"), 0.4)
    found = Image.blend(broad, noise(small, cell / 3, seed + "c"), 0.28)
    return found if by == 1 else found.resize(size, Image.Resampling.BILINEAR, box=(0, 0, *small))


@cache
def ramp(low: int, high: int) -> list[int]:
    """Return a table for ``Image.point``: 0 up to ``low``, 255 from ``high``, even between."""
    span = max(1, high - low)
    return [min(255, max(0, round((value - low) * 255 / span))) for value in range(256)]


@cache
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


def courses(
    draw: ImageDraw.ImageDraw,
    size: Size,
    high: float,
    long: tuple[float, float],
    random_: random.Random,
    *,
    fill: int,
    width: int,
) -> None:
    """Draw courses of stones or planks all over a mask, so ``high`` and from so ``long`` to so long, with
    joints where chance has them.

    The pen goes down and up at each joint on its way along a course: one line each, for a line takes longer
    to be begun than to be drawn.
    """
    for i in range(round(size[1] / high) + 1):
        y, low = i * high, (i + 1) * high
        x = random_.uniform(0, long[1])
        points = [(0.0, y), (x, y)]
        while x < size[0]:
            points += ((x, low), (x, y))
            x += random_.uniform(*long)
            points.append((x, y))
        draw.line(points, fill=fill, width=width)


def repeated(tile: Image.Image, size: Size) -> Image.Image:
    """Return a mask of a size that is the same again and again."""
    found = Image.new("L", size)
    for top in range(0, size[1], tile.height):
        for left in range(0, size[0], tile.width):
            found.paste(tile, (left, top))
    return found


def blurred(mask: Image.Image, radius: float) -> Image.Image:
    """Return a mask made soft; the softer it becomes, the smaller is what it is worked out on."""
    if radius < SOFT:
        return mask.filter(ImageFilter.GaussianBlur(radius))
    by = max(2, min(SMALLEST, int(radius)))
    small = mask.reduce(by).filter(ImageFilter.GaussianBlur(radius / by))
    return small.resize(mask.size, Image.Resampling.BILINEAR, box=(0, 0, mask.width / by, mask.height / by))


def parts(
    land: Image.Image, areas: Sequence[Area], frame: Frame, rough: Image.Image
) -> Iterator[tuple[Image.Image, Frame, Image.Image, list[Area]]]:
    """Yield the parts of a picture on which some areas lie, each with its frame, its noise and its areas;
    what is painted on a part is pasted back.

    Areas between which there is room for the margins of both are in parts of their own: a ground in the
    corners of a map is painted in its corners.
    """
    reach = frame.hex * (1 + MARGIN)
    for own in _together([(*frame.spot(area.centre), area) for area in areas], 2 * reach):
        box = boxed(land.size, [frame.spot(area.centre) for area in own], reach)
        piece = land.crop(box)
        yield piece, frame.part(*box[:2], *piece.size), rough.crop(box), own
        land.paste(piece, box)


def boxed(size: Size, spots: Sequence[Spot], reach: float) -> tuple[int, int, int, int]:
    """Return the box round some places on a picture of a size, so far beyond them as it has pixels there."""
    left, top = max(0, int(min(x for x, _ in spots) - reach)), max(0, int(min(y for _, y in spots) - reach))
    right = max(left + 1, min(size[0], int(max(x for x, _ in spots) + reach) + 1))
    bottom = max(top + 1, min(size[1], int(max(y for _, y in spots) + reach) + 1))
    return left, top, right, bottom


def _together(placed: Iterable[tuple[float, float, Area]], apart: float) -> Iterator[list[Area]]:
    """Yield the areas in groups that are so far apart from one another, to the right or down."""
    squares: dict[tuple[int, int], list[tuple[float, float, Area]]] = {}
    for one in placed:
        squares.setdefault((int(one[0] // apart), int(one[1] // apart)), []).append(one)
    while squares:
        todo = [next(iter(squares.values())).pop()]
        group = []
        while todo:
            x, y, area = todo.pop()
            group.append(area)
            column, row = int(x // apart), int(y // apart)
            for square in [(column + right, row + down) for right in (-1, 0, 1) for down in (-1, 0, 1)]:
                far: list[tuple[float, float, Area]] = []
                for one in squares.pop(square, ()):
                    (todo if abs(one[0] - x) < apart and abs(one[1] - y) < apart else far).append(one)
                if far:
                    squares[square] = far
        yield group


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


def two_tone(
    colours: tuple[Colour, Colour], blots: Image.Image, low: int = 40, high: int = 215
) -> Image.Image:
    """Return a picture that wavers between two colours as noise does: it is the one where that is not above
    ``low``, and the other from ``high``.
    """
    between = blots.copy()
    between.putpalette(_wavering(colours, low, high))
    return between.convert("RGB")


@cache
def _wavering(colours: tuple[Colour, Colour], low: int, high: int) -> list[int]:
    """Return the palette of such a picture."""
    return [
        _between(one, other, level) for level in ramp(low, high) for one, other in zip(*colours, strict=True)
    ]


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
