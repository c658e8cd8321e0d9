"""Ways and shots as arrows, drawn twice as large and reduced; the kinds can be told apart in grey."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from PIL import Image, ImageDraw

from ..frame import Spot
from ..palette import INK, Colour
from ..themes import PARCHMENT, Theme
from ..ways import smooth
from .woodwork import ROPE

TIMES = 2
STRIP = 64
"""Pixels of a scrap that are laid on the picture at once."""
SCRAP = 32
"""Pixels each way of a piece of what is kept, to be laid on many pictures."""
MOVES = (
    *("move", "retreat", "advance", "enter", "leave", "flee", "lead", "dismount", "thrown", "fall", "roll"),
    "throw",
)
THIN = {"lead": 0.085, "dismount": 0.075, "thrown": 0.075, "fall": 0.1, "roll": 0.3, "throw": 0.06}
"""Kinds of way that are thinner or broader than the others, with their width in hex radii; they leave no
outline behind.
"""
STARRED = ("thrown", "fall", "throw")
"""Kinds that end on a star."""


Patch = tuple[Colour, tuple[int, int], Image.Image]
"""A colour, where it is laid, and how strongly at each pixel from there."""


class Ink:
    """Lines drawn twice as large on a scrap as big as they need, then reduced and laid on a picture; what is
    beyond the ``size`` of that picture is left out.
    """

    def __init__(self, size: tuple[int, int] | None, points: Sequence[Spot], reach: float) -> None:
        left, top = (
            math.floor(min(x for x, _ in points) - reach),
            math.floor(min(y for _, y in points) - reach),
        )
        right, bottom = (
            math.ceil(max(x for x, _ in points) + reach),
            math.ceil(max(y for _, y in points) + reach),
        )
        if size is not None:
            left, top, right, bottom = max(0, left), max(0, top), min(size[0], right), min(size[1], bottom)
        self.left, self.top = left, top
        self.size = max(1, right - left), max(1, bottom - top)
        self.layers: list[tuple[Colour, Image.Image, ImageDraw.ImageDraw]] = []

    def layer(self, colour: Colour) -> ImageDraw.ImageDraw:
        """Return where to draw (with ``fill=255``) what will be laid in a colour."""
        mask = Image.new("L", (self.size[0] * TIMES, self.size[1] * TIMES), 0)
        draw = ImageDraw.Draw(mask)
        self.layers.append((colour, mask, draw))
        return draw

    def at(self, points: Sequence[Spot]) -> list[Spot]:
        """Return the places on the scrap."""
        return [((x - self.left) * TIMES, (y - self.top) * TIMES) for x, y in points]

    def done(self, picture: Image.Image) -> None:
        """Lay the layers on a picture, the first one lowest."""
        press(picture, self.patches())

    def patches(self) -> Iterator[Patch]:
        """Yield what there is to lay, the lowest first."""
        for colour, mask, _ in self.layers:
            small = mask.reduce(TIMES)
            for left in range(0, small.width, STRIP):  # a long line leaves most of its scrap empty
                strip = small.crop((left, 0, min(left + STRIP, small.width), small.height))
                if inked := strip.getbbox():
                    yield colour, (self.left + left + inked[0], self.top + inked[1]), strip.crop(inked)


def press(picture: Image.Image, patches: Iterable[Patch]) -> None:
    """Lay patches of ink on a picture."""
    for colour, at, mask in patches:
        picture.paste(colour, at, mask)


def scraps(patch: Patch) -> Iterator[Patch]:
    """Yield a patch in small pieces, without those that are empty: a rim leaves most of what it encloses."""
    colour, (left, top), mask = patch
    for x in range(0, mask.width, SCRAP):
        for y in range(0, mask.height, SCRAP):
            scrap = mask.crop((x, y, min(x + SCRAP, mask.width), min(y + SCRAP, mask.height)))
            if inked := scrap.getbbox():
                yield colour, (left + x + inked[0], top + y + inked[1]), scrap.crop(inked)


def stroke(draw: ImageDraw.ImageDraw, points: Sequence[Spot], wide: float) -> None:
    """Draw a line on a mask, round at its ends and wherever it turns.

    A disc at each turn is drawn in a quarter of the time that the joints of ``ImageDraw.line`` take.
    """
    draw.line(points, fill=255, width=max(1, round(wide)))
    r = wide / 2
    for x, y in points:
        draw.ellipse((x - r, y - r, x + r, y + r), fill=255)


def _lengths(points: Sequence[Spot]) -> list[float]:
    run = [0.0]
    for (ax, ay), (bx, by) in pairwise(points):
        run.append(run[-1] + math.hypot(bx - ax, by - ay))
    return run


def cut(points: Sequence[Spot], start: float, end: float) -> list[Spot]:
    """Return the piece of a line between two lengths along it."""
    run = _lengths(points)
    found: list[Spot] = []
    for (ax, ay), (bx, by), low, high in zip(points, points[1:], run, run[1:], strict=False):
        if high <= start or low >= end or high == low:
            continue
        for want in (max(start, low), min(end, high)):
            share = (want - low) / (high - low)
            spot = (ax + (bx - ax) * share, ay + (by - ay) * share)
            if not found or found[-1] != spot:
                found.append(spot)
    return found


def _head(points: Sequence[Spot], size: float) -> list[Spot]:
    """Return the triangle at the end of a line."""
    (x, y), (px, py) = points[-1], points[-2]
    length = math.hypot(x - px, y - py) or 1.0
    dx, dy = (x - px) / length, (y - py) / length
    bx, by = x - dx * size * 0.25, y - dy * size * 0.25
    return [
        (x + dx * size, y + dy * size),
        (bx - dy * size * 0.62, by + dx * size * 0.62),
        (bx + dy * size * 0.62, by - dx * size * 0.62),
    ]


def _reach(curve: Sequence[Spot], half: float) -> float:
    """Return how long the end of a way is that lies under the counter there, a square of so many pixels from
    its middle to its side.
    """
    end = curve[-1]
    run = _lengths(curve)
    for (x, y), length in zip(reversed(curve), reversed(run), strict=True):
        away = max(abs(x - end[0]), abs(y - end[1]))
        if away > half:
            return (run[-1] - length) * half / away
    return half


def draw_arrow(
    picture: Image.Image,
    points: Sequence[Spot],
    kind: str,
    colour: Colour,
    unit: float,
    theme: Theme = PARCHMENT,
    counter: float = 0.66,
) -> None:
    """Draw the way of a figure so that grey print tells the kinds apart.

    Plain is a move, hollow a retreat, feathered an advance, barred entering and leaving, waved a flight,
    dotted what is led, thin getting off a horse, doubled the ruts of an engine; who is thrown falls on a
    star, and so does a stone; who falls from a height whirls on his way to it.
    """
    curve = smooth(points)
    total = _lengths(curve)[-1]
    wide, head = unit * THIN.get(kind, 0.15), unit * (0.36 if kind not in THIN else 0.24)
    stop = 0.0 if kind == "leave" else _reach(curve, unit * counter)
    line = cut(curve, unit * 0.12, max(unit * 0.5, total - stop - head * 0.96))
    if len(line) < 2:
        return
    if kind in ("flee", "fall"):
        line = waved(line, unit * 0.12, unit * 0.62)
    ink = Ink(picture.size, [*line, *_head(line, head * 1.5)], unit * 0.4)
    halo, core = ink.layer(theme.paper), ink.layer(colour)
    spots = ink.at(line)
    tip = _head(spots, head * TIMES)
    stroke(halo, spots, (wide + unit * 0.1) * TIMES)
    if kind in STARRED:
        x, y = spots[-1]
        for draw, grow in ((halo, 0.07), (core, 0.0)):
            draw.polygon(star(x, y, (unit * 0.27 + unit * grow) * TIMES), fill=255)
        stroke(core, spots, wide * TIMES)
        ink.done(picture)
        return
    halo.polygon(_head(spots, head * TIMES * 1.42), fill=255)
    stroke(halo, [*tip, tip[0]], unit * 0.12 * TIMES)
    if kind == "lead":
        _dots(core, spots, wide * TIMES)
    else:
        stroke(core, spots, wide * TIMES)
    core.polygon(tip, fill=255)
    if kind == "roll":
        stroke(ink.layer(theme.paper), spots[:-1] if len(spots) > 2 else spots, wide * TIMES * 0.42)
    run = _lengths(spots)[-1]
    if kind in ("retreat", "leave"):
        inner = ink.layer(theme.paper)
        dash = unit * 0.2 * TIMES
        for i in range(math.ceil(run / dash)):
            if i % 2:
                piece = cut(spots, i * dash, min(run, (i + 1) * dash))
                if len(piece) > 1:
                    inner.line(piece, fill=255, width=round(wide * TIMES * 0.9))
        x, y = sum(p[0] for p in tip) / 3, sum(p[1] for p in tip) / 3
        inner.polygon([(x + (px - x) * 0.48, y + (py - y) * 0.48) for px, py in tip], fill=255)
    if kind == "advance":
        for i in range(1, max(2, int(run / (unit * 0.42 * TIMES)))):
            piece = cut(spots, max(0.0, i * unit * 0.42 * TIMES - 2), i * unit * 0.42 * TIMES)
            if len(piece) > 1:
                core.polygon(_head(piece, head * TIMES * 0.78), fill=255)
    if kind in ("enter", "leave"):
        x, y = spots[0] if kind == "enter" else tip[0]
        after = spots[1] if kind == "enter" else spots[-1]
        length = math.hypot(after[0] - x, after[1] - y) or 1.0
        nx, ny = -(after[1] - y) / length * unit * 0.34 * TIMES, (after[0] - x) / length * unit * 0.34 * TIMES
        core.line((x - nx, y - ny, x + nx, y + ny), fill=255, width=round(unit * 0.13 * TIMES))
    ink.done(picture)


def draw_rope(picture: Image.Image, a: Spot, b: Spot, unit: float) -> None:
    """Draw the rope by which an animal in harness draws a thing."""
    ink = Ink(picture.size, [a, b], unit * 0.2)
    for colour, wide in ((INK, 0.13), (ROPE, 0.07)):
        stroke(ink.layer(colour), ink.at([a, b]), unit * wide * TIMES)
    ink.done(picture)


def waved(points: Sequence[Spot], high: float, long: float) -> list[Spot]:
    """Return a line that swings to both sides, as one who runs for his life; its ends stay."""
    run = _lengths(points)
    swings = max(1, round(run[-1] / long))
    steps = swings * 12
    found = []
    for i in range(steps + 1):
        reach = run[-1] * i / steps
        piece = cut(points, max(0.0, reach - 1), min(run[-1], reach + 1))
        (ax, ay), (bx, by) = piece[0], piece[-1]
        length = math.hypot(bx - ax, by - ay) or 1.0
        off = math.sin(i / steps * swings * math.tau) * high * min(1.0, 4 * i / steps, 4 * (1 - i / steps))
        found.append(((ax + bx) / 2 - (by - ay) / length * off, (ay + by) / 2 + (bx - ax) / length * off))
    return found


def _dots(draw: ImageDraw.ImageDraw, points: Sequence[Spot], wide: float) -> None:
    """Draw a line of dots."""
    total = _lengths(points)[-1]
    for i in range(int(total / (wide * 2.1)) + 1):
        piece = cut(points, i * wide * 2.1, min(total, i * wide * 2.1 + 1))
        if piece:
            x, y = piece[0]
            draw.ellipse((x - wide * 0.75, y - wide * 0.75, x + wide * 0.75, y + wide * 0.75), fill=255)


def star(x: float, y: float, reach: float) -> list[Spot]:
    """Return a star of seven points."""
    return [
        (
            x + math.cos(i * math.tau / 14) * reach * (1 if i % 2 else 0.45),
            y + math.sin(i * math.tau / 14) * reach * (1 if i % 2 else 0.45),
        )
        for i in range(14)
    ]


def draw_shot(
    picture: Image.Image, a: Spot, b: Spot, unit: float, theme: Theme = PARCHMENT, counter: float = 0.66
) -> None:
    """Draw the line of a shot: dashed, haloed, with a barb at the target."""
    length = math.hypot(b[0] - a[0], b[1] - a[1])
    slant = max(abs(b[0] - a[0]), abs(b[1] - a[1])) / (length or 1.0)
    line = cut([a, b], unit * 0.3, max(unit * 0.4, length - unit * (counter / (slant or 1.0) + 0.26)))
    if len(line) < 2:
        return
    ink = Ink(picture.size, line, unit * 0.4)
    halo, core = ink.layer(theme.paper), ink.layer(theme.shot)
    spots = ink.at(line)
    stroke(halo, spots, unit * 0.15 * TIMES)
    tip = _head(spots, unit * 0.26 * TIMES)
    halo.polygon(_head(spots, unit * 0.38 * TIMES), fill=255)
    core.polygon(tip, fill=255)
    (ax, ay), (bx, by) = spots
    run, thick = math.hypot(bx - ax, by - ay), max(2, round(unit * 0.075 * TIMES))
    dash = unit * 0.19 * TIMES / run
    for i in range(0, math.ceil(1 / dash), 2):
        ends = (i * dash, min(1.0, (i + 1.1) * dash))
        core.line([(ax + (bx - ax) * share, ay + (by - ay) * share) for share in ends], fill=255, width=thick)
    ink.done(picture)
