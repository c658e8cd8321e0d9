"""What has become of the ground: a moat filled in, rubble where a wall stood, cracks in a wall, fire, and
what it leaves behind.

The ground itself is painted once and kept; these lie over it, each drawn once for a size and then stamped.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from functools import lru_cache

from PIL import Image, ImageDraw, ImageFilter

from pbem.core.scene import Feature, Scene

from ..frame import Frame, Spot
from ..lettering import font
from ..palette import INK, WHITE, Colour, mix
from ..themes import PARCHMENT, Theme
from . import sprites
from .album import drawn_once
from .arrows import Ink
from .figures import near, stamp
from .pens import toned

SAMPLE = 2
KINDS = 3
"""How many drawings there are of each, so that two beside one another differ."""
STEPS = ("intact", "slightly damaged", "damaged", "heavily damaged", "destroyed")
"""What a wall is after so many steps of damage."""
ORDER = ("filled", "burnt", "rubble", "wall", "stripped", "charred", "fire")
"""From the lowest to the highest."""
ABOVE = ("charred", "fire")
"""What covers the things that stand there too."""
COVERING = ("filled", "burnt", "rubble", "stripped", "charred", "fire")
"""What covers the whole hex, and with it its number."""


def draw_features(picture: Image.Image, scene: Scene, frame: Frame, above: bool = False) -> None:
    """Draw what has become of the ground, without its numbers; ``above``: what also covers the things that
    stand there: fire, and what it has burnt of them.
    """
    unit = frame.hex
    size = round(unit * 100)
    shown = [feature for feature in scene.features if (feature.kind in ABOVE) == above]
    for feature in sorted(
        shown, key=lambda each: (ORDER.index(each.kind) if each.kind in ORDER else 0, each.at)
    ):
        x, y = frame.spot(feature.centre)
        if not near(frame, (x, y)):
            continue
        kind = sum(map(ord, feature.at)) % KINDS
        if feature.kind == "wall":
            if 0 < feature.number < len(STEPS) - 1:
                _cracks(picture, feature, frame)
        elif feature.kind in _STAMPS:
            stamp(picture, patch(feature.kind, size, kind, frame.theme), x, y)


def draw_numbers(picture: Image.Image, scene: Scene, frame: Frame) -> None:
    """Draw the step of damage at the left corner of a hex and the turn of a fire at its right corner, over
    all counters.
    """
    unit = frame.hex
    for feature in sorted(scene.features, key=lambda each: (each.kind, each.at)):
        x, y = frame.spot(feature.centre)
        if not near(frame, (x, y)) or not feature.number:
            continue
        if feature.kind == "wall" and feature.number < len(STEPS) - 1:
            stamp(picture, gauge(feature.number, len(STEPS) - 1, round(unit * 50)), x - unit * 0.78, y)
        elif feature.kind == "fire":
            stamp(picture, flame_number(feature.number, round(unit * 52)), x + unit * 0.78, y)


def _hex(middle: float, radius: float) -> list[Spot]:
    return [
        (middle + math.cos(math.radians(a)) * radius, middle + math.sin(math.radians(a)) * radius)
        for a in range(0, 360, 60)
    ]


def _sheet(size: int, reach: float) -> tuple[Image.Image, ImageDraw.ImageDraw, float, float]:
    """Return an empty picture, a pen for it, its middle and the hex radius on it; ``size`` is a hundredth of
    a pixel of that radius.
    """
    radius = size / 100 * SAMPLE
    full = math.ceil(2 * radius * reach / SAMPLE) * SAMPLE
    picture = Image.new("RGBA", (full, full), (0, 0, 0, 0))
    return picture, ImageDraw.Draw(picture), full / 2, radius


def _ragged(middle: float, radius: float, random_: random.Random, rough: float) -> list[Spot]:
    """Return a hex with ragged sides."""
    corners = _hex(middle, radius)
    found = []
    for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True):
        for i in range(6):
            share = random_.uniform(-rough, rough * 0.4) + 1
            x, y = ax + (bx - ax) * i / 6, ay + (by - ay) * i / 6
            found.append((middle + (x - middle) * share, middle + (y - middle) * share))
    return found


@drawn_once(64)
def patch(kind: str, size: int, variant: int, theme: Theme = PARCHMENT) -> Image.Image:
    """Return the drawing of what has become of a hex; ``size`` is a hundredth of a pixel of
    the hex radius.
    """
    picture, draw, middle, radius = _sheet(size, 1.35)
    _STAMPS[kind](picture, draw, middle, radius, random.Random(f"{kind}{variant}"))
    return toned(picture.reduce(SAMPLE), theme)


def _under(
    picture: Image.Image, outline: Sequence[Spot], colour: Colour, soft: float, strength: int = 255
) -> None:
    """Lay a patch with soft edges on an empty picture."""
    mask = Image.new("L", picture.size, 0)
    ImageDraw.Draw(mask).polygon(list(outline), fill=strength)
    picture.paste((*colour, 255), (0, 0, *picture.size), mask.filter(ImageFilter.GaussianBlur(soft)))


def _filled(
    picture: Image.Image, draw: ImageDraw.ImageDraw, middle: float, radius: float, random_: random.Random
) -> None:
    """Draw earth and bundles of brushwood that fill a moat."""
    _under(picture, _ragged(middle, radius * 0.98, random_, 0.1), (92, 70, 40), radius * 0.02)
    _under(picture, _ragged(middle, radius * 0.9, random_, 0.08), (176, 148, 100), radius * 0.03)
    for i in range(9):
        y = middle + (-0.62 + i * 0.155) * radius
        half = (0.8 - abs(y - middle) / radius * 0.42) * radius
        x = middle + random_.uniform(-0.1, 0.1) * radius
        lean = random_.uniform(-0.06, 0.06) * radius
        for wide, colour in (
            (0.15, (70, 48, 22)),
            (0.1, random_.choice(((150, 112, 62), (134, 98, 54), (164, 126, 74)))),
        ):
            draw.line(
                (x - half, y - lean, x + half, y + lean),
                fill=(*colour, 255),
                width=max(1, round(radius * wide)),
            )
        for share in (-0.55, 0.1, 0.62):
            tx = x + half * share
            draw.line(
                (tx, y + lean * share - radius * 0.07, tx, y + lean * share + radius * 0.07),
                fill=(222, 200, 150, 255),
                width=max(1, round(radius * 0.03)),
            )


def _rubble(
    picture: Image.Image, draw: ImageDraw.ImageDraw, middle: float, radius: float, random_: random.Random
) -> None:
    """Draw a breach: broken stones heaped over the whole hex, walls and all."""
    outline = [(x, y - radius * 0.07) for x, y in _ragged(middle, radius * 1.12, random_, 0.08)]
    _under(
        picture,
        [(x + radius * 0.07, y + radius * 0.09) for x, y in outline],
        (30, 24, 18),
        radius * 0.05,
        170,
    )
    _under(picture, outline, (148, 138, 122), radius * 0.03)
    spots = []
    for i in range(58):
        reach = radius * 1.02 * math.sqrt((i + 0.5) / 58)
        angle = i * 2.39996 + random_.uniform(-0.2, 0.2)
        spots.append(
            (middle - radius * 0.05 + math.sin(angle) * reach, middle + math.cos(angle) * reach, reach)
        )
    for y, x, reach in sorted(spots):
        r = radius * (0.2 - 0.09 * reach / radius) * random_.uniform(0.75, 1.2)
        turn = random_.uniform(0, math.tau)
        count = random_.choice((4, 5, 5, 6))
        shape = [
            (
                x + math.cos(turn + k * math.tau / count) * r,
                y + math.sin(turn + k * math.tau / count) * r * 0.82,
            )
            for k in range(count)
        ]
        grey = random_.randrange(176, 226)
        draw.polygon([(px + r * 0.2, py + r * 0.28) for px, py in shape], fill=(52, 44, 36, 255))
        draw.polygon(
            shape,
            fill=(grey, grey - 5, grey - 16, 255),
            outline=(64, 56, 46, 255),
            width=max(1, round(radius * 0.025)),
        )


def _burnt(
    picture: Image.Image, draw: ImageDraw.ImageDraw, middle: float, radius: float, random_: random.Random
) -> None:
    """Draw scorched ground with ash and charred poles that cross."""
    _under(picture, _ragged(middle, radius * 0.86, random_, 0.12), (58, 50, 42), radius * 0.06)
    _under(picture, _ragged(middle, radius * 0.5, random_, 0.3), (112, 104, 96), radius * 0.12, 190)
    for i in range(5):
        angle = i * 1.3 + random_.uniform(-0.3, 0.3)
        x, y = middle + random_.uniform(-0.3, 0.3) * radius, middle + random_.uniform(-0.26, 0.26) * radius
        dx, dy = math.cos(angle) * radius * 0.42, math.sin(angle) * radius * 0.42
        for wide, colour in ((0.12, (14, 10, 8)), (0.045, (96, 84, 74))):
            draw.line(
                (x - dx, y - dy, x + dx, y + dy), fill=(*colour, 255), width=max(1, round(radius * wide))
            )
    for _ in range(16):
        x, y = middle + random_.uniform(-0.62, 0.62) * radius, middle + random_.uniform(-0.55, 0.55) * radius
        r = radius * random_.uniform(0.02, 0.045)
        draw.ellipse((x - r, y - r, x + r, y + r), fill=(168, 162, 154, 255))


def _fire(
    picture: Image.Image, draw: ImageDraw.ImageDraw, middle: float, radius: float, random_: random.Random
) -> None:
    """Draw a hex in flames: a ring of fire round whatever stands in it, with smoke."""
    _under(picture, _ragged(middle, radius * 0.9, random_, 0.1), (60, 26, 10), radius * 0.1, 150)
    spots = []
    for i in range(9):
        angle = i * math.tau / 9 + random_.uniform(-0.15, 0.15)
        spots.append((math.sin(angle) * 0.58, math.cos(angle) * 0.7, random_.uniform(0.46, 0.62)))
    spots += [(-0.06, -0.24, 0.7), (0.08, 0.28, 0.74)]
    for down, right, high in sorted(spots):
        figure = sprites.flame(max(4, round(radius * high)), random_.randrange(3))
        picture.alpha_composite(
            figure,
            (
                max(0, round(middle + right * radius - figure.width / 2)),
                max(0, round(middle + (down - 0.06) * radius - figure.height * 0.62)),
            ),
        )


_STAMPS = {
    "filled": _filled,
    "rubble": _rubble,
    "burnt": _burnt,
    "stripped": _burnt,
    "charred": _burnt,
    "fire": _fire,
}


def _cracks(picture: Image.Image, feature: Feature, frame: Frame) -> None:
    """Draw cracks across the walls of a hex and into it, more and longer with each step of damage."""
    unit = frame.hex
    random_ = random.Random(f"crack{feature.at}")
    x, y = frame.spot(feature.centre)
    sides = [frame.spots(side) for side in feature.sides] or [frame.spots(feature.corners[:2])]
    ink = Ink(picture.size, frame.spots(feature.corners), unit * 0.4)
    gap, light, dark = ink.layer((70, 60, 50)), ink.layer(WHITE), ink.layer(frame.theme.ink)
    for (ax, ay), (bx, by) in sides:
        for i in range(feature.number):
            share = (i + 0.5 + random_.uniform(-0.2, 0.2)) / feature.number
            sx, sy = ax + (bx - ax) * share, ay + (by - ay) * share - unit * 0.1
            far = math.hypot(x - sx, y - sy) or 1.0
            ux, uy = (x - sx) / far, (y - sy) / far
            reach = unit * (0.3 + 0.1 * feature.number) * random_.uniform(0.8, 1.2)
            line = [(sx - ux * unit * 0.16, sy - uy * unit * 0.16)]
            for step in range(1, 5):
                off = random_.uniform(-0.09, 0.09) * unit
                line.append((sx + ux * reach * step / 4 - uy * off, sy + uy * reach * step / 4 + ux * off))
            spots = ink.at(line)
            light.line(
                [(px + unit * 0.05, py + unit * 0.05) for px, py in spots],
                fill=150,
                width=max(1, round(unit * 0.06)),
            )
            dark.line(spots, fill=255, width=max(2, round(unit * (0.04 + 0.016 * feature.number))))
            branch = line[2]
            end = (branch[0] + (uy + ux) * unit * 0.12, branch[1] + (uy - ux) * unit * 0.12)
            dark.line(ink.at([branch, end]), fill=255, width=max(2, round(unit * 0.045)))
        for i in range(feature.number - 1):
            share = (i + 1) / feature.number + random_.uniform(-0.08, 0.08)
            (sx, sy), r = (ax + (bx - ax) * share, ay + (by - ay) * share - unit * 0.1), unit * 0.1
            chunk = [
                (sx + math.cos(k * 1.26) * r * random_.uniform(0.6, 1.3), sy + math.sin(k * 1.26) * r)
                for k in range(5)
            ]
            gap.polygon(ink.at(chunk), fill=255)
    ink.done(picture)


@drawn_once(64)
def gauge(number: int, full: int, size: int) -> Image.Image:
    """Return a tag that says how far something has come: its number, and as many bars of all filled; ``size``
    in hundredths of a pixel.
    """
    times = 4
    high = max(9, round(size / 100))
    wide = round(high * 1.15)
    picture = Image.new("RGBA", (wide * times, high * times), (0, 0, 0, 0))
    draw = ImageDraw.Draw(picture)
    w, h = picture.width, picture.height
    draw.rounded_rectangle((0, 0, w - 1, h - 1), h * 0.16, fill=WHITE)
    draw.rounded_rectangle((h * 0.05, h * 0.05, w - h * 0.05, h - h * 0.05), h * 0.14, fill=INK)
    draw.text((w / 2, h * 0.34), str(number), font=font("bold", round(h * 0.62)), fill=WHITE, anchor="mm")
    step = (w - h * 0.24) / max(1, full)
    for i in range(full):
        left = h * 0.12 + step * i
        box = (left + step * 0.12, h * 0.64, left + step * 0.88, h * 0.88)
        draw.rectangle(box, fill=(255, 206, 84) if i < number else mix(INK, WHITE, 0.34))
    return picture.reduce(times)


@lru_cache(maxsize=64)
def flame_number(number: int, size: int) -> Image.Image:
    """Return a flame with a number on it: for how many turns a fire has burnt."""
    times = 4
    full = max(10, round(size / 100)) * times
    picture = Image.new("RGBA", (full, full), (0, 0, 0, 0))
    draw = ImageDraw.Draw(picture)
    outline = (
        (0.5, 0.0),
        (0.68, 0.26),
        (0.86, 0.4),
        (0.94, 0.7),
        (0.74, 0.98),
        (0.26, 0.98),
        (0.06, 0.7),
        (0.12, 0.4),
        (0.3, 0.46),
    )
    for grow, fill in ((1.0, WHITE), (0.88, (150, 36, 6))):
        draw.polygon(
            [((0.5 + (x - 0.5) * grow) * full, (0.55 + (y - 0.55) * grow) * full) for x, y in outline],
            fill=fill,
        )
    draw.text(
        (full / 2, full * 0.67), str(number), font=font("bold", round(full * 0.54)), fill=WHITE, anchor="mm"
    )
    return picture.reduce(times)
