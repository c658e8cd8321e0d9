"""How others see a picture: with eyes that lack a cone, or off a grey printer; and how far apart two colours
are for them.

Simulation after Machado, Oliveira and Fernandes (2009) at full severity, on linear light; distance is
CIEDE2000, in which about 1 is the least that anybody notices and 10 is seen at a glance. Used to check the
themes, and to look at them: nothing here draws a map.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from PIL import Image, ImageFilter

from .palette import Colour

Row = tuple[float, float, float]
Matrix = tuple[Row, Row, Row]

GREY: Final = "grey"
EYES: Final[Mapping[str, Matrix]] = {
    "usual": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
    GREY: ((0.2126, 0.7152, 0.0722),) * 3,
}
"""Eyes -> what of linear red, green and blue reaches red, green and blue; grey is what a copier keeps."""
STEPS = 25
"""Steps of each colour for which a picture's table is worked out; between them it is even."""


def linear(part: float) -> float:
    """Return the light (0 to 1) of a part of a colour (0 to 1)."""
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def coded(light: float) -> float:
    """Return the part of a colour (0 to 1) that has some light, from what is outside of the range the
    nearest.
    """
    light = min(1.0, max(0.0, light))
    return light * 12.92 if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055


def _seen(red: float, green: float, blue: float, matrix: Matrix) -> Row:
    light = linear(red), linear(green), linear(blue)
    first, second, third = (coded(sum(a * b for a, b in zip(row, light, strict=True))) for row in matrix)
    return first, second, third


def seen(colour: Colour, eyes: str) -> Colour:
    """Return a colour as such eyes see it."""
    red, green, blue = (
        round(part * 255) for part in _seen(colour[0] / 255, colour[1] / 255, colour[2] / 255, EYES[eyes])
    )
    return red, green, blue


@lru_cache(maxsize=8)
def _table(eyes: str) -> ImageFilter.Color3DLUT:
    matrix = EYES[eyes]
    return ImageFilter.Color3DLUT.generate(STEPS, lambda red, green, blue: _seen(red, green, blue, matrix))


def picture_seen(picture: Image.Image, eyes: str) -> Image.Image:
    """Return a picture as such eyes see it."""
    return picture.convert("RGB").filter(_table(eyes))


def lab(colour: Colour) -> Row:
    """Return a colour in CIE L*a*b* under daylight (D65)."""
    red, green, blue = (linear(part / 255) for part in colour)
    sums = (
        (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047,
        0.2126729 * red + 0.7151522 * green + 0.0721750 * blue,
        (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883,
    )
    fx, fy, fz = (part ** (1 / 3) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116 for part in sums)
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def apart(one: Colour, other: Colour, eyes: str = "usual") -> float:
    """Return how far apart two colours are for such eyes (CIEDE2000)."""
    return ciede2000(lab(seen(one, eyes)), lab(seen(other, eyes)))


def ciede2000(one: Row, other: Row) -> float:
    """Return the distance of two colours in L*a*b*, as CIE 142-2001 has it."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * math.sqrt(mean**7 / (mean**7 + 25.0**7))
    c1, c2 = math.hypot(a1 * stretch, b1), math.hypot(a2 * stretch, b2)
    h1, h2 = (math.degrees(math.atan2(b, a * stretch)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = 0.0
    if c1 * c2:
        turn = (h2 - h1 + 180) % 360 - 180
    middle = h1 + turn / 2 if c1 * c2 else h1 + h2
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    hue = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2))
    weight = (
        1
        - 0.17 * math.cos(math.radians(middle - 30))
        + 0.24 * math.cos(math.radians(2 * middle))
        + 0.32 * math.cos(math.radians(3 * middle + 6))
        - 0.2 * math.cos(math.radians(4 * middle - 63))
    )
    by_light = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / math.sqrt(20 + (light - 50) ** 2))
    by_chroma = (c2 - c1) / (1 + 0.045 * chroma)
    by_hue = hue / (1 + 0.015 * chroma * weight)
    bend = 30 * math.exp(-((((middle % 360) - 275) / 25) ** 2))
    twist = -2 * math.sqrt(chroma**7 / (chroma**7 + 25.0**7)) * math.sin(math.radians(2 * bend))
    return math.sqrt(by_light**2 + by_chroma**2 + by_hue**2 + twist * by_chroma * by_hue)
