"""Counters as ready-made stamps: body, side band and corner shape, symbol, values, state and badges; drawn
large once, reduced, kept.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from msgspec import Struct
from PIL import Image, ImageDraw

from pbem.core.scene import SideLook, Token

from ..lettering import fitted, font, plain, width
from ..palette import MELEE, WHITE, Colour, mix
from ..symbols import draw_symbol
from ..themes import PARCHMENT, Theme
from .album import drawn_once
from .texture import blurred

SAMPLE = 4
NARROWEST = 0.58
"""How far letters may be pressed together before they are made smaller: bold ones are then as wide as narrow
print.
"""
SIZE = 1.32
"""The side of a counter in hex radii."""
BAND = 0.29
"""Where the band with the name ends, as all that follows in sides of the counter from its top."""
NAME, LEAST_NAME = 0.24, 0.15
"""Size of the letters of a name, and the least to which a long one shrinks before it is cut."""
VALUES, VALUES_AT = 0.215, 0.825
"""Height of the figures at the foot, and where their middle lies."""
CORNERS = {"round": (0.16, 0.16), "cut": (0.15, 0.1), "square": (0.02, 0.02)}
"""Shape -> its corners above and below; those below are small where they are cut, because figures stand
there.
"""
ASHES: Colour = (84, 84, 84)
"""Towards which the colour of the dead has gone."""

BADGES: dict[str, tuple[str, str, Colour]] = {
    "shot": ("S", "disc", (40, 40, 46)),
    "fought": ("F", "diamond", (40, 40, 46)),
    "checked": ("C", "triangle", (122, 84, 0)),
    "panic": ("P", "triangle", (150, 30, 30)),
    "rout": ("R", "triangle", (110, 20, 30)),
    "loaded": ("L", "square", (0, 92, 70)),
    "job": ("J", "square", (60, 60, 110)),
    "burning": ("B", "triangle", (190, 60, 10)),
    "carrying": ("K", "square", (90, 66, 40)),
    "healed": ("+", "disc", (0, 110, 80)),
    "rallied": ("+", "disc", (0, 110, 80)),
    "captive": ("X", "square", (80, 80, 80)),
    "raised": ("U", "square", (90, 66, 40)),
    "leads": ("H", "disc", (90, 66, 40)),
    "led": ("L", "disc", (90, 66, 40)),
    "hitched": ("Y", "square", (90, 66, 40)),
    "hidden": ("H", "triangle", (40, 84, 50)),
    "above": ("▲", "square", (30, 60, 90)),
    "inside": ("▼", "square", (58, 40, 22)),
    "below": ("▼", "disc", (24, 20, 18)),
}
"""Badge -> its letter, shape and colour; every other word gets a square with its own first letter."""

STATES: dict[str, tuple[str, str, Colour]] = {
    "hurt": ("W", "drop", MELEE),
    "down": ("Z", "disc", (60, 70, 140)),
    "out": ("D", "square", (40, 40, 40)),
}


def badge_look(word: str) -> tuple[str, str, Colour]:
    """Return letter, shape and colour of a badge or state."""
    known = BADGES.get(word) or STATES.get(word)
    return known or ((plain(word)[:1] or "?").upper(), "square", (70, 64, 58))


@lru_cache(maxsize=256)
def badge(word: str, size: int, theme: Theme = PARCHMENT) -> Image.Image:
    """Return a badge, ``size`` pixels wide."""
    letter, shape, colour = badge_look(word)
    colour = theme.badge(colour)
    full = size * SAMPLE
    picture = Image.new("RGBA", (full, full), (0, 0, 0, 0))
    draw = ImageDraw.Draw(picture)
    for edge, fill in ((0.0, WHITE), (0.075, colour)):
        low, high, middle = full * edge, full * (1 - edge) - 1, full / 2
        if shape == "disc":
            draw.ellipse((low, low, high, high), fill=fill)
        elif shape == "diamond":
            draw.polygon([(middle, low), (high, middle), (middle, high), (low, middle)], fill=fill)
        elif shape == "triangle":
            draw.polygon([(middle, low), (high, high - low), (low, high - low)], fill=fill)
        elif shape == "drop":
            draw.polygon(
                [(middle, low), (high - low * 0.6, full * 0.56), (low * 1.6, full * 0.56)], fill=fill
            )
            draw.ellipse(
                (full * 0.12 + low * 0.6, full * 0.3 + low * 0.3, full * 0.88 - low * 0.6, high), fill=fill
            )
        else:
            draw.rectangle(
                (low + full * 0.05, low + full * 0.05, high - full * 0.05, high - full * 0.05), fill=fill
            )
    share, sink = {"diamond": (0.56, 0.5), "triangle": (0.5, 0.66), "drop": (0.56, 0.63)}.get(
        shape, (0.7, 0.5)
    )
    draw.text(
        (full / 2, full * sink), letter, font=font("bold", round(full * share)), fill=WHITE, anchor="mm"
    )
    return picture.reduce(SAMPLE)


def _corners(shape: str, side: float) -> tuple[float, float]:
    """Return the corners of a shape above and below; one that is none is round."""
    above, below = CORNERS.get(shape, CORNERS["round"])
    return above * side, below * side


def _outline(
    shape: str, left: float, top: float, right: float, bottom: float, corners: tuple[float, float]
) -> list[tuple[float, float]]:
    """Return the outline of a counter as points: rounded, cut or square corners, those
    above and those below.
    """
    steps = 6 if shape != "cut" else 1
    above, below = (max(0.0, corner) for corner in corners)
    points = []
    for cx, cy, start, corner in (
        (right - above, top + above, -90, above),
        (right - below, bottom - below, 0, below),
        (left + below, bottom - below, 90, below),
        (left + above, top + above, 180, above),
    ):
        for i in range(steps + 1):
            angle = math.radians(start + 90 * i / steps)
            points.append((cx + math.cos(angle) * corner, cy + math.sin(angle) * corner))
    return points


def inset(shape: str, corner: float, away: float) -> float:
    """Return how far the outline of a corner stands in from the side of its counter, so far away from the
    upper or lower edge.
    """
    deep = max(0.0, corner - away)
    return deep if shape == "cut" else corner - math.sqrt(corner * corner - deep * deep)


def room(shape: str, side: float, rim: float, low: float, high: float) -> float:
    """Return how wide a line of letters between two heights (shares of the side, from the top) may be within
    the rim.
    """
    above, below = _corners(shape, side)
    away = max(inset(shape, above, low * side), inset(shape, below, side - high * side))
    return side - 2 * (away + rim * 1.3)


def _narrowed(mask: Image.Image, room: float) -> Image.Image:
    """Return a strip of letters no wider than the room: pressed together a little, then made smaller."""
    if mask.width <= room:
        return mask
    share = max(room / mask.width, NARROWEST)
    high = mask.height if share > NARROWEST else max(1, round(mask.height * room / (mask.width * NARROWEST)))
    return mask.resize((max(1, int(room)), high), Image.Resampling.LANCZOS)


def written_mask(text: str, size: int, room: float, least: int, halo: int = 0) -> Image.Image:
    """Return a word as a mask that fits into the room; one that would become too small is cut.

    ``halo``: grown by so many pixels.
    """
    longest = room / NARROWEST * size / least
    shown, _ = fitted(text, "bold", size, longest, size)
    mask = Image.new(
        "L", (max(1, math.ceil(width(shown, "bold", size)) + 2 * halo), round(size * 1.3) + 2 * halo), 0
    )
    ImageDraw.Draw(mask).text(
        (halo, mask.height / 2),
        shown,
        font=font("bold", size),
        fill=255,
        anchor="lm",
        stroke_width=halo,
        stroke_fill=255,
    )
    return _narrowed(mask, room + 2 * halo)


def values_mask(values: tuple[str, ...], height: float, room: float) -> Image.Image:
    """Return the values of a counter with short strokes between them as a mask that fits into the room."""
    texts = [plain(value)[:4] for value in values]
    size = max(6, round(height / 0.73))
    gap = size * 0.36
    widths = [width(text, "bold", size) for text in texts]
    mask = Image.new("L", (max(1, math.ceil(sum(widths) + gap * (len(texts) - 1))), round(size * 1.1)), 0)
    draw = ImageDraw.Draw(mask)
    x, middle = 0.0, mask.height / 2
    for i, (text, wide) in enumerate(zip(texts, widths, strict=True)):
        draw.text((x, middle), text, font=font("bold", size), fill=255, anchor="lm")
        x += wide
        if i < len(texts) - 1:
            draw.line(
                (x + gap * 0.16, middle, x + gap * 0.84, middle), fill=255, width=max(1, round(size * 0.1))
            )
            x += gap
    return _narrowed(mask, room)


def ink_on(picture: Image.Image, mask: Image.Image, x: float, y: float, colour: Colour) -> None:
    """Lay a mask of letters on a picture with its middle at a place."""
    left, top = round(x - mask.width / 2), round(y - mask.height / 2)
    picture.paste((*colour, 255), (left, top, left + mask.width, top + mask.height), mask)


def body_colour(state: str, theme: Theme = PARCHMENT) -> Colour:
    """Return the colour of the body of a counter."""
    return theme.body(state)


class _Blank(Struct, frozen=True):
    """A counter before anything is written on it: the picture, the side of the counter and where it begins,
    its rim, the outline within that, and the colours of its side and of the letters on it.
    """

    picture: Image.Image
    side: float
    left: float
    rim: float
    inner: Sequence[tuple[float, float]]
    dark: Colour
    letters: Colour


@lru_cache(maxsize=8)
def _blank(shape: str, colour: str, state: str, unit: int, theme: Theme) -> _Blank:
    """Return the blank counter of a side, with its shadow, ``SAMPLE`` times as large; it must not be drawn
    upon.
    """
    radius = unit / 100 * SAMPLE
    side, edge = SIZE * radius, 0.16 * radius
    full = math.ceil((side + 2 * edge) / SAMPLE) * SAMPLE
    left = top = (full - side) / 2
    right, bottom = left + side, top + side
    corners = _corners(shape, side)
    dark = theme.side(colour)
    if state == "out":
        dark = mix(dark, ASHES, 0.55)
    under, letters = theme.band(shape, dark)
    outline = _outline(shape, left, top, right, bottom, corners)
    picture = Image.new("RGBA", (full, full), (20, 14, 6, 0))
    if theme.shadows:
        shade = Image.new("L", (full, full), 0)
        ImageDraw.Draw(shade).polygon([(x + radius * 0.05, y + radius * 0.07) for x, y in outline], fill=150)
        picture.putalpha(blurred(shade, radius * 0.045))
    draw = ImageDraw.Draw(picture)
    draw.polygon(outline, fill=dark if theme.framed else theme.ink)
    rim = radius * 0.05 * theme.fine
    inner = _outline(
        shape,
        left + rim,
        top + rim,
        right - rim,
        bottom - rim,
        (corners[0] - rim * 0.6, corners[1] - rim * 0.6),
    )
    draw.polygon(inner, fill=theme.body(state))
    band = top + side * BAND
    face = Image.new("L", (full, full), 0)
    ImageDraw.Draw(face).polygon(inner, fill=255)
    ImageDraw.Draw(face).rectangle((0, band, full, full), fill=0)
    picture.paste((*under, 255), (0, 0, full, full), face)
    draw.line((left + rim, band, right - rim, band), fill=theme.ink, width=max(1, round(radius * 0.03)))
    if shape == "cut":
        draw.line(
            (left + rim, band + radius * 0.07, right - rim, band + radius * 0.07),
            fill=dark,
            width=max(1, round(radius * 0.055)),
        )
    if shape == "square":
        for i in range(7):
            x, y, r = left + side * (i + 1) / 8, band + radius * 0.075, radius * 0.032
            draw.ellipse((x - r, y - r, x + r, y + r), fill=dark)
    return _Blank(picture, side, left, rim, tuple(inner), dark, letters)


@drawn_once(1024)
def body(
    shape: str,
    colour: str,
    label: str,
    symbol: str,
    numbers: tuple[str, ...],
    state: str,
    unit: int,
    theme: Theme = PARCHMENT,
) -> Image.Image:
    """Return a counter with its shadow, without badges; ``unit`` is a hundredth of a pixel
    of the hex radius.
    """
    radius = unit / 100 * SAMPLE
    blank = _blank(shape, colour, state, unit, theme)
    picture, side, rim, dark, letters = blank.picture.copy(), blank.side, blank.rim, blank.dark, blank.letters
    left = top = blank.left
    draw, full, ground, band = ImageDraw.Draw(picture), picture.width, theme.body(state), top + side * BAND
    middle = (top + rim + band) / 2
    reach = 0.37 * NAME * side  # half the height of a capital
    wide = room(shape, side, rim, (middle - reach - top) / side, 0.5)
    ink_on(
        picture,
        written_mask(plain(label, 40), round(side * NAME), wide, round(side * LEAST_NAME)),
        full / 2,
        middle,
        letters,
    )
    low = VALUES_AT - VALUES / 2
    glyph = side * (low - BAND - 0.06 if numbers else 0.58)
    draw_symbol(
        draw, symbol, full / 2 - glyph / 2, band + side * (0.04 if numbers else 0.05), glyph, dark, ground
    )
    if numbers:
        wide = room(shape, side, rim, 0.5, VALUES_AT + VALUES / 2)
        ink_on(
            picture, values_mask(numbers, side * VALUES, wide), full / 2, top + side * VALUES_AT, theme.ink
        )
    if state == "hurt":
        _hatch(picture, blank.inner, theme.melee, radius)
    if state == "out":
        for points in (((0.2, 0.36), (0.8, 0.94)), ((0.8, 0.36), (0.2, 0.94))):
            spots = [(left + x * side, top + y * side) for x, y in points]
            draw.line(spots, fill=(*theme.ink, 255), width=round(radius * 0.1))
    small = picture.reduce(SAMPLE)
    if state == "down":
        small = small.rotate(-16, Image.Resampling.BICUBIC, expand=True)
    if state == "out":
        small = small.rotate(90, expand=True).resize(
            (round(small.width * 0.8), round(small.height * 0.8)), Image.Resampling.LANCZOS
        )
    return small


def _hatch(
    picture: Image.Image, outline: Sequence[tuple[float, float]], colour: Colour, radius: float
) -> None:
    """Hatch the left side of a counter: a wound that grey printing keeps."""
    mask = Image.new("L", picture.size, 0)
    draw = ImageDraw.Draw(mask)
    left, top = min(x for x, _ in outline), min(y for _, y in outline)
    side = max(y for _, y in outline) - top
    for i in range(5):
        y = top + side * (BAND + 0.035 + 0.065 * i)
        draw.line((left, y + side * 0.1, left + side * 0.17, y), fill=255, width=max(1, round(radius * 0.05)))
    keep = Image.new("L", picture.size, 0)
    ImageDraw.Draw(keep).polygon(outline, fill=255)
    picture.paste(
        (*colour, 255), (0, 0, *picture.size), Image.composite(mask, Image.new("L", picture.size, 0), keep)
    )


@lru_cache(maxsize=64)
def floor(storey: str, unit: int, theme: Theme = PARCHMENT) -> Image.Image:
    """Return what a counter stands on that is not on the open ground: light planks of a platform, or a dark
    room under it.
    """
    radius = unit / 100 * SAMPLE
    side = SIZE * radius + 0.22 * radius
    full = math.ceil(side / SAMPLE) * SAMPLE
    picture = Image.new("RGBA", (full, full), (0, 0, 0, 0))
    draw = ImageDraw.Draw(picture)
    corner = radius * 0.1
    if storey == "above":
        draw.rounded_rectangle((0, 0, full - 1, full - 1), corner, fill=(*theme.ink, 255))
        rim = radius * 0.045
        draw.rounded_rectangle(
            (rim, rim, full - 1 - rim, full - 1 - rim), corner, fill=(*theme.tone((240, 214, 160)), 255)
        )
    else:
        draw.rounded_rectangle((0, 0, full - 1, full - 1), corner, fill=(30, 20, 12, 235))
        for i in range(-full, full, max(2, round(radius * 0.15))):
            draw.line((i, full, i + full, 0), fill=(96, 74, 50, 255), width=max(1, round(radius * 0.03)))
    return picture.reduce(SAMPLE)


@lru_cache(maxsize=64)
def pile(count: int, size: int, theme: Theme = PARCHMENT) -> Image.Image:
    """Return a grave mark for bodies: a grey stone with a cross, and how many lie there."""
    full = size * SAMPLE
    picture = Image.new("RGBA", (full, full), (0, 0, 0, 0))
    draw = ImageDraw.Draw(picture)
    for grow, fill in ((0.0, WHITE), (0.04, theme.ink), (0.08, theme.tone((208, 204, 196)))):
        draw.polygon(
            [
                (full * (0.04 + grow), full * (0.96 - grow)),
                (full * (0.04 + grow), full * 0.36),
                (full * (0.26 + grow * 0.6), full * (0.04 + grow)),
                (full * (0.74 - grow * 0.6), full * (0.04 + grow)),
                (full * (0.96 - grow), full * 0.36),
                (full * (0.96 - grow), full * (0.96 - grow)),
            ],
            fill=fill,
        )
    draw.line((full * 0.5, full * 0.16, full * 0.5, full * 0.54), fill=theme.ink, width=round(full * 0.09))
    draw.line((full * 0.34, full * 0.29, full * 0.66, full * 0.29), fill=theme.ink, width=round(full * 0.09))
    text, points = fitted(f"{count}" if count < 100 else "99+", "bold", round(full * 0.4), full * 0.8, 6)
    draw.text((full * 0.5, full * 0.74), text, font=font("bold", points), fill=theme.ink, anchor="mm")
    return picture.reduce(SAMPLE)


@drawn_once(512)
def ghost(shape: str, colour: str, label: str, unit: int, theme: Theme = PARCHMENT) -> Image.Image:
    """Return the dashed outline that a counter leaves at its old place."""
    radius = unit / 100 * SAMPLE
    side = SIZE * 0.78 * radius
    full = math.ceil((side + 0.4 * radius) / SAMPLE) * SAMPLE
    picture = Image.new("RGBA", (full, full), (255, 255, 255, 0))
    draw = ImageDraw.Draw(picture)
    low, high = (full - side) / 2, (full + side) / 2
    ink = theme.side(colour)
    outline = _outline(shape, low, low, high, high, _corners(shape, side))
    draw.polygon(outline, fill=(*theme.paper, 70))
    dashed(draw, outline, 0.13 * radius, radius * 0.035 * math.sqrt(theme.fine), ink)
    name_in(picture, label, full / 2, low + side * 0.26, side * 0.96, radius, ink, theme)
    return picture.reduce(SAMPLE)


def dashed(
    draw: ImageDraw.ImageDraw, outline: list[tuple[float, float]], dash: float, thick: float, ink: Colour
) -> None:
    """Draw a closed line of dashes."""
    run = 0.0
    for (ax, ay), (bx, by) in pairwise([*outline, outline[0]]):
        length = math.hypot(bx - ax, by - ay)
        steps = max(1, round(length / (dash / 4)))
        for i in range(steps):
            x, y = ax + (bx - ax) * i / steps, ay + (by - ay) * i / steps
            if (run + length * i / steps) % (2 * dash) < dash:
                draw.ellipse((x - thick, y - thick, x + thick, y + thick), fill=(*ink, 255))
        run += length


def name_in(
    picture: Image.Image,
    label: str,
    x: float,
    y: float,
    wide: float,
    radius: float,
    ink: Colour,
    theme: Theme = PARCHMENT,
) -> None:
    """Write a name on a light halo with its middle at a place."""
    for halo, colour in ((round(radius * 0.04), theme.paper), (0, ink)):
        ink_on(
            picture,
            written_mask(plain(label, 40), round(radius * 0.3), wide, round(radius * 0.24), halo),
            x,
            y,
            colour,
        )


def look_of(sides: tuple[SideLook, ...], side: str) -> SideLook:
    """Return how a side looks; an unknown one is grey and round."""
    return next((each for each in sides if each.side == side), SideLook(side, side, "grey", "round"))


def badges_of(token: Token) -> tuple[str, ...]:
    """Return the badges of a token, its state first, at most four."""
    state = (token.look,) if token.look in STATES else ()
    return (*state, *token.badges)[:4]
