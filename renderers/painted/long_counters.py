"""Counters over two hexes, seen from above: horse and rider, a horse alone, a wagon; on a plank whose bow
shows where they face.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from zlib import crc32

from PIL import Image, ImageDraw, ImageFilter

from ..hexes import SINE as HALF
from ..lettering import plain
from ..palette import CREAM, INK, OUT_BODY, WHITE, Colour, mix
from ..themes import PARCHMENT, Theme
from .album import drawn_once
from .counters import ASHES, SAMPLE, dashed, ink_on, name_in, values_mask, written_mask
from .pens import pen

Points = Sequence[tuple[float, float]]
"""From the middle of the counter to the centre of its head hex, in hex radii."""
WIDE = 0.6
BOW, STERN = HALF + 0.72, -HALF - 0.62
MOUNTED = ("mounted", "rider", "mounted-knight")
COATS: tuple[Colour, ...] = (
    (122, 76, 40),
    (150, 96, 52),
    (92, 62, 42),
    (166, 152, 132),
    (196, 188, 176),
    (70, 58, 52),
)
"""Bay, chestnut, brown, dapple, grey, black: which a horse has hangs on its name."""
WOOD: Colour = (168, 124, 72)
DARK_WOOD: Colour = (104, 70, 36)
STEEL: Colour = (186, 192, 200)
MAIL: Colour = (128, 132, 140)
LEATHER: Colour = (96, 56, 28)


class Deck:
    """Draws in hex radii on a picture that is turned: x runs from the tail to the head, y to the right hand
    of who looks that way.
    """

    def __init__(self, picture: Image.Image, radius: float, angle: int, theme: Theme = PARCHMENT) -> None:
        self.draw, self.radius, self.theme = pen(picture, theme), radius, theme
        self.middle = (picture.width / 2, picture.height / 2)
        self.cos, self.sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))

    def at(self, points: Points) -> list[tuple[float, float]]:
        """Return pixels."""
        cx, cy, r = *self.middle, self.radius
        return [
            (cx + (x * self.cos - y * self.sin) * r, cy + (x * self.sin + y * self.cos) * r)
            for x, y in points
        ]

    def face(self, points: Points, colour: Colour, rim: float = 0.035, ink: Colour = INK) -> None:
        """Draw a filled shape with a rim of ink."""
        spots = self.at(points)
        self.draw.polygon(spots, fill=colour)
        if rim:
            self.draw.line(
                [*spots, spots[0], spots[1]], fill=ink, width=max(1, round(rim * self.radius)), joint="curve"
            )

    def line(self, points: Points, wide: float, colour: Colour) -> None:
        """Draw a line with round ends."""
        spots = self.at(points)
        thick = max(1, round(wide * self.radius))
        self.draw.line(spots, fill=colour, width=thick, joint="curve")
        for x, y in (spots[0], spots[-1]):
            self.draw.ellipse((x - thick / 2, y - thick / 2, x + thick / 2, y + thick / 2), fill=colour)

    def disc(self, x: float, y: float, reach: float, colour: Colour, rim: float = 0.035) -> None:
        """Draw a disc with a rim of ink."""
        ((cx, cy),) = self.at([(x, y)])
        for r, fill in ((reach + rim / 2, INK), (reach - rim / 2, colour)) if rim else ((reach, colour),):
            r *= self.radius
            self.draw.ellipse((cx - r, cy - r, cx + r, cy + r), fill=fill)


def mirrored(half: Points) -> list[tuple[float, float]]:
    """Return the outline whose one half (y not below 0, from the tail to the head) is given."""
    return [*half, *((x, -y) for x, y in reversed(half) if y)]


def rounded(points: Points, steps: int = 6) -> list[tuple[float, float]]:
    """Return a closed curve through some points (Catmull-Rom)."""
    found = []
    count = len(points)
    for i in range(count):
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = (points[(i + k) % count] for k in (-1, 0, 1, 2))
        for step in range(steps):
            t = step / steps
            found.append(
                (
                    0.5
                    * (
                        2 * bx
                        + (cx - ax) * t
                        + (2 * ax - 5 * bx + 4 * cx - dx) * t * t
                        + (3 * bx - ax - 3 * cx + dx) * t**3
                    ),
                    0.5
                    * (
                        2 * by
                        + (cy - ay) * t
                        + (2 * ay - 5 * by + 4 * cy - dy) * t * t
                        + (3 * by - ay - 3 * cy + dy) * t**3
                    ),
                )
            )
    return found


def plank(shape: str, grow: float) -> list[tuple[float, float]]:
    """Return the outline of a long counter: a bow in front, and astern the round or cut
    corners of its side.
    """
    w, bow, stern = WIDE + grow, BOW + grow * 1.3, STERN - grow
    if shape == "cut":
        c = 0.26
        return mirrored([(stern, w - c), (stern + c, w), (bow - 0.52, w), (bow, 0)])
    if shape == "square":
        return mirrored([(stern, w), (bow - 0.4, w), (bow - 0.06, 0.2), (bow, 0)])
    c = 0.2
    half = [
        (stern + c - c * math.sin(math.radians(a)), w - c + c * math.cos(math.radians(a)))
        for a in range(90, -1, -15)
    ]
    half += [
        (bow - 0.62 + 0.62 * math.sin(math.radians(a)), w * math.cos(math.radians(a)) ** 0.8)
        for a in range(0, 90, 10)
    ]
    return mirrored([*half, (bow, 0)])


def _horse(deck: Deck, coat: Colour, cloth: Colour | None, trim: Colour) -> None:
    """Draw a horse from above: tail, barrel, neck with its mane, head with ears and bridle; ``cloth`` is its
    caparison.
    """
    dark, light = mix(coat, (20, 12, 6), 0.45), mix(coat, (255, 244, 220), 0.28)
    deck.line([(-1.1, 0), (-1.26, 0.05), (-1.4, -0.03)], 0.13, INK)
    deck.line([(-1.1, 0), (-1.26, 0.05), (-1.4, -0.03)], 0.08, dark)
    barrel = rounded(
        mirrored(
            [
                (-1.16, 0.0),
                (-1.08, 0.23),
                (-0.8, 0.34),
                (-0.4, 0.3),
                (0.0, 0.33),
                (0.3, 0.3),
                (0.52, 0.2),
                (0.72, 0.15),
            ]
        )
    )
    deck.face(barrel, coat)
    head = rounded(
        mirrored(
            [
                (0.46, 0.0),
                (0.56, 0.21),
                (0.82, 0.19),
                (0.96, 0.25),
                (1.08, 0.22),
                (1.23, 0.14),
                (1.37, 0.145),
                (1.46, 0.08),
                (1.47, 0.0),
            ]
        )
    )
    for sign in (-1, 1):
        deck.face([(0.88, sign * 0.12), (0.82, sign * 0.36), (1.0, sign * 0.22)], dark, 0.03)
    deck.face(head, coat)
    deck.line([(1.06, 0), (1.34, 0)], 0.07, light)
    deck.line([(0.42, 0), (0.98, 0)], 0.1, dark)
    for x in (0.5, 0.6, 0.7, 0.8):
        deck.line([(x, 0), (x - 0.05, 0.1)], 0.035, dark)
    for sign in (-1, 1):
        deck.disc(1.08, sign * 0.18, 0.038, INK, 0)
        deck.disc(1.4, sign * 0.08, 0.026, INK, 0)
    deck.line([(1.22, -0.15), (1.22, 0.15)], 0.045, LEATHER)
    if cloth is not None:
        deck.face(
            mirrored(
                [
                    (-1.12, 0.0),
                    (-1.06, 0.3),
                    (-0.76, 0.42),
                    (-0.36, 0.36),
                    (0.1, 0.4),
                    (0.36, 0.36),
                    (0.56, 0.24),
                    (0.6, 0.0),
                ]
            ),
            cloth,
        )
        for sign in (-1, 1):
            hem = [
                (-1.03, sign * 0.24),
                (-0.75, sign * 0.35),
                (-0.36, sign * 0.29),
                (0.1, sign * 0.33),
                (0.34, sign * 0.3),
                (0.5, sign * 0.19),
            ]
            deck.line(hem, 0.04, trim)
        deck.line([(0.62, 0), (0.96, 0)], 0.09, dark)


def _rider(deck: Deck, cloth: Colour, trim: Colour) -> None:
    """Draw a knight in the saddle from above: lance in his right, shield on his left, the great helm in the
    middle.
    """
    deck.line([(-0.5, 0.44), (1.5, 0.44)], 0.11, INK)
    deck.line([(-0.5, 0.44), (1.38, 0.44)], 0.06, (222, 190, 128))
    deck.face([(1.3, 0.36), (1.56, 0.44), (1.3, 0.52)], STEEL, 0.03)
    deck.face([(0.9, 0.46), (1.22, 0.46), (1.12, 0.56), (1.2, 0.64), (0.9, 0.62)], cloth, 0.03)
    deck.face([(-0.16, -0.24), (-0.16, 0.24), (-0.06, 0.26), (-0.04, -0.26)], LEATHER, 0.03)
    body_ = rounded(
        [
            (-0.02, -0.36),
            (0.2, -0.34),
            (0.28, -0.1),
            (0.28, 0.14),
            (0.26, 0.44),
            (0.08, 0.46),
            (-0.02, 0.34),
            (-0.06, 0.0),
        ]
    )
    deck.face(body_, MAIL)
    deck.face(
        [(0.0, -0.62), (0.4, -0.58), (0.6, -0.5), (0.42, -0.38), (0.0, -0.36), (-0.08, -0.48)], trim, 0.035
    )
    deck.line([(0.0, -0.49), (0.5, -0.49)], 0.07, cloth)
    deck.line([(0.2, -0.58), (0.2, -0.4)], 0.07, cloth)
    deck.disc(0.12, 0.02, 0.21, STEEL)
    deck.line([(0.12, 0.02), (0.3, 0.02)], 0.055, INK)
    deck.line([(0.24, -0.12), (0.24, 0.16)], 0.05, INK)
    deck.disc(0.06, -0.04, 0.05, WHITE, 0)


def _saddle(deck: Deck) -> None:
    deck.face(
        rounded([(-0.24, -0.2), (0.0, -0.16), (0.22, -0.2), (0.22, 0.2), (0.0, 0.16), (-0.24, 0.2)]),
        LEATHER,
        0.03,
    )
    deck.line([(0.0, -0.1), (0.0, 0.1)], 0.05, mix(LEATHER, WHITE, 0.35))
    deck.line([(0.2, 0.1), (0.7, 0.24), (1.2, 0.14)], 0.035, LEATHER)


def _wagon(deck: Deck) -> None:
    """Draw a wagon from above: wheels, planks, sacks and the pole."""
    deck.line([(0.9, 0), (1.5, 0)], 0.13, INK)
    deck.line([(0.9, 0), (1.5, 0)], 0.07, WOOD)
    deck.line([(1.42, -0.26), (1.42, 0.26)], 0.11, INK)
    deck.line([(1.42, -0.26), (1.42, 0.26)], 0.055, WOOD)
    for x in (-0.86, 0.62):
        deck.line([(x, -0.5), (x, 0.5)], 0.1, INK)
        for y in (-0.5, 0.5):
            deck.face(
                [(x - 0.27, y - 0.07), (x + 0.27, y - 0.07), (x + 0.27, y + 0.07), (x - 0.27, y + 0.07)],
                DARK_WOOD,
            )
    deck.face([(-1.24, -0.42), (1.0, -0.42), (1.0, 0.42), (-1.24, 0.42)], WOOD, 0.06)
    for y in (-0.25, -0.08, 0.08, 0.25):
        deck.line([(-1.2, y), (0.96, y)], 0.025, DARK_WOOD)
    for x, y, r in (
        (0.66, -0.18, 0.2),
        (0.7, 0.2, 0.18),
        (0.3, 0.16, 0.22),
        (0.24, -0.22, 0.19),
        (-0.1, 0.0, 0.2),
    ):
        deck.disc(x, y, r, (214, 196, 152))
        deck.line([(x - 0.05, y - 0.05), (x + 0.05, y + 0.02)], 0.04, LEATHER)


def coat_of(label: str) -> Colour:
    """Return the coat of a horse, which hangs on its name."""
    return COATS[crc32(label.encode("utf-8", "replace")) % len(COATS)]


def load(deck: Deck, symbol: str, label: str, colour: Colour, state: str, theme: Theme = PARCHMENT) -> None:
    """Draw who or what is on a long counter, and the marks of its state."""
    name = symbol.replace("_", "-")
    coat = coat_of(label)
    if name == "wagon":
        _wagon(deck)
    elif name in MOUNTED:
        _horse(deck, coat, colour, CREAM)
        _rider(deck, colour, CREAM)
    else:
        _horse(deck, coat if state != "out" else mix(coat, OUT_BODY, 0.6), None, CREAM)
        if state != "out":
            _saddle(deck)
    if state == "out":
        for ends in (((0.1, -0.45), (1.2, 0.45)), ((1.2, -0.45), (0.1, 0.45))):
            deck.line(ends, 0.12, INK)
    if state == "hurt":
        for i in range(5):
            deck.line([(0.55 + i * 0.14, -0.46), (0.65 + i * 0.14, -0.3)], 0.05, theme.melee)


def plate(
    shape: str,
    colour: Colour,
    ground: Colour,
    label: str,
    numbers: tuple[str, ...],
    radius: float,
    theme: Theme = PARCHMENT,
) -> Image.Image:
    """Return the upright label of a long counter: its name on the colour of its side, its values below."""
    wide, band, foot = 1.36 * radius, 0.34 * radius, (0.4 * radius if numbers else 0.06 * radius)
    picture = Image.new("RGBA", (round(wide), round(band + foot)), (0, 0, 0, 0))
    draw = ImageDraw.Draw(picture)
    right, low, rim = (
        picture.width - 1,
        picture.height - 1,
        max(1, round(radius * 0.05 * math.sqrt(theme.fine))),
    )
    corner = radius * 0.13
    if shape == "cut":
        spots = [
            (corner, 0),
            (right - corner, 0),
            (right, corner),
            (right, low - corner),
            (right - corner, low),
            (corner, low),
            (0, low - corner),
            (0, corner),
        ]
        draw.polygon(spots, fill=theme.ink)
    else:
        draw.rounded_rectangle((0, 0, right, low), corner, fill=theme.ink)
    inner = Image.new("L", picture.size, 0)
    cutter = ImageDraw.Draw(inner)
    if shape == "cut":
        x, y = picture.width / 2, picture.height / 2
        cutter.polygon(
            [(x + (px - x) * (1 - rim / x), y + (py - y) * (1 - rim / y)) for px, py in spots], fill=255
        )
    else:
        cutter.rounded_rectangle((rim, rim, right - rim, low - rim), corner - rim * 0.7, fill=255)
    face = Image.new("RGBA", picture.size, (*ground, 255))
    under, letters = theme.band(shape, colour)
    ImageDraw.Draw(face).rectangle((0, 0, picture.width, band), fill=(*under, 255))
    picture.paste(face, (0, 0), inner)
    draw = ImageDraw.Draw(picture)
    if numbers:
        draw.line((rim, band, right - rim, band), fill=theme.ink, width=max(1, round(radius * 0.03)))
    ink_on(
        picture,
        written_mask(plain(label, 40), round(radius * 0.3), wide * 0.9, round(radius * 0.25)),
        wide / 2,
        band * 0.54,
        letters,
    )
    if numbers:
        ink_on(
            picture,
            values_mask(numbers, radius * 0.29, wide - 4.5 * rim),
            wide / 2,
            band + foot * 0.46,
            theme.ink,
        )
    return picture


@drawn_once(512)
def long_body(
    shape: str,
    colour: str,
    label: str,
    symbol: str,
    numbers: tuple[str, ...],
    state: str,
    unit: int,
    angle: int,
    theme: Theme = PARCHMENT,
) -> Image.Image:
    """Return a counter over two hexes with its shadow, without badges; its middle is the middle between the
    two hexes.

    ``unit`` is a hundredth of a pixel of the hex radius, ``angle`` (degrees, clockwise from the right) leads
    from the tail to the head.
    """
    radius = unit / 100 * SAMPLE
    full = math.ceil(3.6 * radius / SAMPLE) * SAMPLE
    dark, ground = theme.side(colour), theme.body(state)
    picture = Image.new("RGBA", (full, full), (20, 14, 6, 0))
    if theme.shadows:
        shade = Image.new("L", (full, full), 0)
        under = Deck(shade, radius, angle)
        under.middle = (full / 2 + radius * 0.05, full / 2 + radius * 0.07)
        under.draw.polygon(under.at(plank(shape, 0.0)), fill=150)
        picture.putalpha(shade.filter(ImageFilter.GaussianBlur(radius * 0.045)))
    deck = Deck(picture, radius, angle, theme)
    if state == "out":
        dark = mix(dark, ASHES, 0.55)
    base = ImageDraw.Draw(picture)
    for grow, fill in ((0.0, theme.ink), (-0.05, dark), (-0.15 - 0.05 * (theme.fine - 1), ground)):
        base.polygon(deck.at(plank(shape, grow)), fill=(*fill, 255))
    load(deck, symbol, label, dark, state, theme)
    label_ = plate(shape, dark, ground, label, numbers, radius, theme)
    (spot,) = deck.at([(-HALF - 0.06, 0)])
    picture.alpha_composite(label_, (round(spot[0] - label_.width / 2), round(spot[1] - label_.height / 2)))
    return picture.reduce(SAMPLE)


@drawn_once(128)
def long_ghost(
    shape: str, colour: str, label: str, unit: int, angle: int, theme: Theme = PARCHMENT
) -> Image.Image:
    """Return the dashed outline that a counter over two hexes leaves at its old place."""
    radius = unit / 100 * SAMPLE
    full = math.ceil(3.6 * radius / SAMPLE) * SAMPLE
    picture = Image.new("RGBA", (full, full), (255, 255, 255, 0))
    deck = Deck(picture, radius, angle)
    outline = deck.at(plank(shape, -0.1))
    ink = theme.side(colour)
    deck.draw.polygon(outline, fill=(*theme.paper, 70))
    dashed(deck.draw, outline, 0.13 * radius, radius * 0.035, ink)
    (spot,) = deck.at([(-HALF - 0.06, 0)])
    name_in(picture, label, spot[0], spot[1], radius * 1.05, radius, ink, theme)
    return picture.reduce(SAMPLE)


def corners_of(angle: int) -> tuple[tuple[float, float], ...]:
    """Return where the badges of a long counter lie, from its middle, in hex radii: round its label, those
    farthest from the head first.
    """
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    x, y = (-HALF - 0.06) * cos, (-HALF - 0.06) * sin
    spots = [
        (x + right, y + down) for right, down in ((0.68, -0.44), (-0.68, -0.44), (0.74, 0.54), (-0.74, 0.54))
    ]
    return tuple(sorted(spots, key=lambda spot: round(spot[0] * cos + spot[1] * sin, 6)))
