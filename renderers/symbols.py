"""The weapon on a counter, drawn as lines and faces in a square of 100 by 100; a kind without a drawing shows
its first letters.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from PIL import ImageDraw

from .lettering import fitted, font
from .palette import Colour

Points = Sequence[tuple[float, float]]


class Pen:
    """Draws in the square of 100 by 100 that lies at a place of a picture."""

    def __init__(
        self, draw: ImageDraw.ImageDraw, left: float, top: float, side: float, ink: Colour, ground: Colour
    ) -> None:
        self.draw, self.left, self.top, self.step = draw, left, top, side / 100
        self.ink, self.ground = ink, ground

    def at(self, points: Points) -> list[tuple[float, float]]:
        """Return pixels."""
        return [(self.left + x * self.step, self.top + y * self.step) for x, y in points]

    def line(self, points: Points, width: float = 7, colour: Colour | None = None) -> None:
        """Draw a line with round ends."""
        colour = colour or self.ink
        spots = self.at(points)
        thick = max(1, round(width * self.step))
        self.draw.line(spots, fill=colour, width=thick, joint="curve")
        for x, y in (spots[0], spots[-1]):
            self.draw.ellipse((x - thick / 2, y - thick / 2, x + thick / 2, y + thick / 2), fill=colour)

    def face(self, points: Points, colour: Colour | None = None) -> None:
        """Draw a filled polygon."""
        self.draw.polygon(self.at(points), fill=colour or self.ink)

    def disc(self, x: float, y: float, radius: float, colour: Colour | None = None, hole: float = 0) -> None:
        """Draw a disc, with a hole of the ground's colour if asked."""
        for reach, fill in ((radius, colour or self.ink), (hole, self.ground)):
            if reach:
                ((cx, cy),) = self.at([(x, y)])
                r = reach * self.step
                self.draw.ellipse((cx - r, cy - r, cx + r, cy + r), fill=fill)

    def bow(self, x: float, y: float, radius: float, start: float, end: float, width: float) -> None:
        """Draw an arc of a circle between two angles (degrees, clockwise from the right)."""
        steps = 16
        self.line(
            [
                (
                    x + math.cos(math.radians(start + (end - start) * i / steps)) * radius,
                    y + math.sin(math.radians(start + (end - start) * i / steps)) * radius,
                )
                for i in range(steps + 1)
            ],
            width,
        )


def _sword(pen: Pen, dx: float = 0) -> None:
    pen.line([(50 + dx, 10), (50 + dx, 66)], 9)
    pen.face([(45.5 + dx, 14), (50 + dx, 0), (54.5 + dx, 14)])
    pen.line([(34 + dx, 68), (66 + dx, 68)], 9)
    pen.line([(50 + dx, 70), (50 + dx, 88)], 8)
    pen.disc(50 + dx, 92, 7)


def _shield(pen: Pen, x: float, y: float, w: float, h: float) -> None:
    pen.face(
        [
            (x, y),
            (x + w, y),
            (x + w, y + h * 0.5),
            (x + w * 0.8, y + h * 0.8),
            (x + w / 2, y + h),
            (x + w * 0.2, y + h * 0.8),
            (x, y + h * 0.5),
        ]
    )
    m = 6.0
    pen.line([(x + w / 2, y + m), (x + w / 2, y + h - 2 * m)], 6, pen.ground)
    pen.line([(x + m, y + h * 0.36), (x + w - m, y + h * 0.36)], 6, pen.ground)


def _sergeant(pen: Pen) -> None:
    _sword(pen, -24)
    _shield(pen, 48, 18, 48, 68)


def _spear(pen: Pen) -> None:
    pen.line([(12, 92), (82, 18)], 7)
    pen.face([(96, 4), (88, 32), (68, 13)])
    pen.disc(38, 64, 24)
    pen.disc(38, 64, 9, pen.ground, 0)


def _halberd(pen: Pen) -> None:
    pen.line([(22, 98), (62, 24)], 7)
    pen.face([(56, 30), (66, 38), (82, 0)])
    pen.face([(60, 20), (36, 8), (24, 28), (30, 46), (46, 46)])
    pen.face([(68, 30), (90, 44), (60, 46)])


def _axe(pen: Pen) -> None:
    pen.line([(26, 96), (66, 12)], 8)
    pen.face([(62, 12), (84, 6), (98, 34), (84, 54), (52, 36)])
    pen.face([(50, 14), (36, 10), (40, 30)])


def _shortbow(pen: Pen) -> None:
    pen.bow(24, 50, 46, -72, 72, 8)
    pen.line([(38, 7), (38, 93)], 3.5)
    pen.line([(10, 50), (84, 50)], 5)
    pen.face([(98, 50), (78, 40), (78, 60)])
    pen.line([(10, 50), (4, 42)], 4)
    pen.line([(10, 50), (4, 58)], 4)


def _longbow(pen: Pen) -> None:
    pen.bow(-14, 50, 66, -48, 48, 8)
    pen.line([(30, 1), (30, 99)], 3.5)
    pen.line([(8, 50), (84, 50)], 5)
    pen.face([(98, 50), (78, 40), (78, 60)])
    for x in (6, 14):
        pen.line([(x + 4, 50), (x - 3, 41)], 4)
        pen.line([(x + 4, 50), (x - 3, 59)], 4)


def _crossbow(pen: Pen) -> None:
    pen.line([(50, 14), (50, 92)], 11)
    pen.bow(50, 62, 50, 214, 326, 9)
    pen.line([(9, 34), (50, 56)], 3.5)
    pen.line([(91, 34), (50, 56)], 3.5)
    pen.face([(50, 0), (40, 18), (60, 18)])
    pen.line([(50, 78), (62, 86)], 6)


def _sling(pen: Pen) -> None:
    pen.line([(10, 96), (58, 18)], 9)
    pen.line([(58, 18), (90, 50)], 4)
    pen.line([(58, 18), (74, 62)], 4)
    pen.disc(84, 62, 14)


def _fork(pen: Pen) -> None:
    pen.line([(50, 98), (50, 40)], 7)
    pen.bow(50, 28, 24, 0, 180, 7)
    for x in (26, 50, 74):
        pen.line([(x, 6), (x, 34)], 7)


def _helm(pen: Pen) -> None:
    pen.face([(22, 24), (34, 8), (66, 8), (78, 24), (80, 78), (62, 96), (38, 96), (20, 78)])
    pen.line([(28, 42), (46, 42)], 8, pen.ground)
    pen.line([(54, 42), (72, 42)], 8, pen.ground)
    pen.line([(50, 14), (50, 88)], 5, pen.ground)
    for x, y in ((34, 64), (34, 78), (66, 64), (66, 78)):
        pen.disc(x, y, 3.6, pen.ground)


def _civilian(pen: Pen) -> None:
    pen.disc(50, 24, 19)
    pen.face([(50, 36), (78, 52), (88, 96), (12, 96), (22, 52)])
    pen.disc(50, 27, 9, pen.ground)


def _hammer(pen: Pen) -> None:
    pen.line([(24, 94), (60, 36)], 9)
    pen.face([(34, 18), (50, 4), (94, 34), (80, 52)])


_HORSE: Points = (
    *((30, 96), (34, 74), (46, 58), (34, 58), (22, 66), (10, 60), (8, 50)),
    *((30, 26), (38, 18), (40, 4), (52, 16), (72, 26), (86, 50), (88, 96)),
)


def _horse(pen: Pen) -> None:
    pen.face(_HORSE)
    pen.disc(38, 34, 4.5, pen.ground)
    pen.line([(58, 24), (72, 44), (76, 70)], 4.5, pen.ground)


def _mounted(pen: Pen) -> None:
    _horse(pen)
    pen.line([(2, 96), (96, 4)], 12, pen.ground)
    pen.line([(2, 96), (88, 12)], 6)
    pen.face([(100, 0), (92, 20), (80, 8)])


def _ox(pen: Pen) -> None:
    pen.face([(32, 34), (68, 34), (76, 56), (64, 94), (36, 94), (24, 56)])
    pen.bow(26, 20, 20, 20, 130, 9)
    pen.bow(74, 20, 20, 50, 160, 9)
    pen.disc(40, 54, 5, pen.ground)
    pen.disc(60, 54, 5, pen.ground)
    pen.line([(44, 82), (56, 82)], 6, pen.ground)


def _donkey(pen: Pen) -> None:
    pen.face([(36, 36), (64, 36), (70, 62), (60, 96), (40, 96), (30, 62)])
    pen.face([(36, 42), (14, 4), (48, 36)])
    pen.face([(64, 42), (86, 4), (52, 36)])
    pen.disc(41, 56, 4.5, pen.ground)
    pen.disc(59, 56, 4.5, pen.ground)


def _ladder(pen: Pen) -> None:
    pen.line([(34, 96), (34, 4)], 8)
    pen.line([(66, 96), (66, 4)], 8)
    for y in (16, 33, 50, 67, 84):
        pen.line([(34, y), (66, y)], 6)


def _ram(pen: Pen) -> None:
    pen.line([(4, 34), (50, 8), (96, 34)], 8)
    pen.line([(6, 60), (80, 60)], 15)
    pen.face([(76, 48), (99, 52), (99, 68), (76, 72)])
    for x in (28, 66):
        pen.line([(x, 34), (x, 56)], 4)
        pen.disc(x, 86, 12, hole=4)


def _penthouse(pen: Pen) -> None:
    pen.line([(4, 40), (50, 10), (96, 40)], 9)
    pen.face([(10, 48), (90, 48), (90, 62), (10, 62)])
    for x in (24, 50, 76):
        pen.disc(x, 82, 13, hole=4)


def _tower(pen: Pen) -> None:
    pen.face([(26, 26), (74, 26), (82, 82), (18, 82)])
    for x in (22, 43, 64):
        pen.face([(x, 6), (x + 14, 6), (x + 14, 28), (x, 28)])
    for y in (44, 63):
        pen.line([(26, y), (74, y)], 5, pen.ground)
    for x in (28, 72):
        pen.disc(x, 90, 9, hole=3)


def _mantlet(pen: Pen) -> None:
    pen.face([(10, 12), (90, 12), (90, 80), (10, 80)])
    for x in (30, 50, 70):
        pen.line([(x, 18), (x, 74)], 5, pen.ground)
    pen.line([(20, 80), (12, 98)], 7)
    pen.line([(80, 80), (88, 98)], 7)


def _ballista(pen: Pen) -> None:
    _crossbow(pen)
    pen.line([(22, 96), (50, 74), (78, 96)], 8)


def _thrower(pen: Pen) -> None:
    pen.line([(12, 92), (88, 92)], 8)
    pen.line([(30, 92), (46, 46), (64, 92)], 7)
    pen.line([(14, 74), (88, 12)], 7)
    pen.disc(90, 12, 9)
    pen.face([(4, 66), (26, 66), (26, 86), (4, 86)])


def _mangonel(pen: Pen) -> None:
    pen.line([(8, 74), (92, 74)], 9)
    pen.line([(40, 74), (84, 16)], 8)
    pen.disc(86, 16, 11)
    pen.line([(28, 72), (40, 30)], 7)
    for x in (24, 76):
        pen.disc(x, 86, 12, hole=4)


def _wagon(pen: Pen) -> None:
    pen.face([(6, 34), (94, 34), (86, 66), (14, 66)])
    pen.bow(50, 40, 34, 180, 360, 6)
    for x in (28, 72):
        pen.disc(x, 78, 17, hole=7)


def _barrel(pen: Pen) -> None:
    pen.face([(30, 8), (70, 8), (82, 50), (70, 92), (30, 92), (18, 50)])
    for y in (28, 72):
        pen.line([(24, y), (76, y)], 6, pen.ground)


GLYPHS: dict[str, Callable[[Pen], None]] = {
    "sergeant": _sergeant,
    "halberd": _halberd,
    "spear": _spear,
    "man-at-arms": _axe,
    "shortbow": _shortbow,
    "longbow": _longbow,
    "crossbow": _crossbow,
    "sling": _sling,
    "peasant": _fork,
    "knight": _helm,
    "civilian": _civilian,
    "technician": _hammer,
    "horse": _horse,
    "mounted": _mounted,
    "ox": _ox,
    "donkey": _donkey,
    "ladder": _ladder,
    "ram": _ram,
    "penthouse": _penthouse,
    "siege-tower": _tower,
    "mantlet": _mantlet,
    "ballista": _ballista,
    "trebuchet": _thrower,
    "mangonel": _mangonel,
    "wagon": _wagon,
    "barrel": _barrel,
}
ALIASES = {
    "halberdier": "halberd",
    "spearman": "spear",
    "draught-horse": "horse",
    "mounted-knight": "mounted",
    "rider": "mounted",
    "pack-donkey": "donkey",
    "oil": "barrel",
    "cauldron": "barrel",
    "tower": "siege-tower",
    "shortbowman": "shortbow",
    "longbowman": "longbow",
    "crossbowman": "crossbow",
}


def draw_symbol(
    draw: ImageDraw.ImageDraw, symbol: str, left: float, top: float, side: float, ink: Colour, ground: Colour
) -> None:
    """Draw the symbol into a square; one without a drawing is written with its first two letters."""
    name = symbol.replace("_", "-")
    glyph = GLYPHS.get(ALIASES.get(name, name))
    if glyph is not None:
        glyph(Pen(draw, left, top, side, ink, ground))
        return
    text, size = fitted((symbol or "?")[:2].capitalize(), "bold", round(side * 0.8), side, 6)
    draw.text((left + side / 2, top + side / 2), text, font=font("bold", size), fill=ink, anchor="mm")
