"""Colours: which ones exist and what they are called; what is drawn with them is decided elsewhere.

The sides are blue and vermilion of the Okabe-Ito family, darkened until white letters stand on them; no
meaning hangs on a colour alone.
"""

from __future__ import annotations

from pbem.core.scene import Area

Colour = tuple[int, int, int]

SIDES: dict[str, Colour] = {
    "blue": (0, 90, 156),
    "vermilion": (192, 75, 0),
    "green": (0, 107, 82),
    "purple": (116, 62, 128),
    "grey": (78, 78, 84),
}
"""The colours that a scenario may name for a side."""

PAGE: Colour = (240, 231, 209)
PAGE_DARK: Colour = (222, 207, 172)
INK: Colour = (43, 32, 22)
TITLE: Colour = (92, 26, 18)
FADED: Colour = (101, 82, 58)
CREAM: Colour = (253, 249, 236)
DEAD_BODY: Colour = (186, 182, 172)
WOUNDED_BODY: Colour = (255, 226, 205)
STUNNED_BODY: Colour = (226, 229, 240)
GRID: Colour = (52, 46, 30)
GOLD: Colour = (240, 196, 25)
MELEE: Colour = (176, 22, 38)
SHOT: Colour = (88, 12, 60)
WHITE: Colour = (255, 255, 255)
BLACK: Colour = (20, 16, 12)

GROUNDS: dict[str, tuple[Colour, Colour]] = {
    "flat": ((178, 194, 128), (200, 212, 152)),
    "water": ((58, 112, 150), (104, 158, 188)),
    "ford": ((132, 168, 172), (188, 206, 192)),
    "road": ((218, 200, 158), (236, 222, 186)),
    "scrub": ((158, 166, 92), (188, 190, 120)),
    "tree": ((88, 118, 62), (118, 146, 82)),
    "slope": ((176, 164, 106), (198, 184, 130)),
    "hill": ((212, 190, 132), (232, 214, 164)),
    "courtyard": ((193, 176, 143), (211, 196, 165)),
    "floor": ((196, 164, 118), (214, 184, 140)),
    "crop": ((214, 190, 104), (230, 210, 134)),
    "moat": ((44, 84, 108), (78, 124, 140)),
    "trench": ((168, 138, 90), (196, 166, 114)),
    "stone": ((188, 183, 172), (208, 203, 192)),
    "wall-top": ((126, 122, 116), (150, 146, 140)),
    "tower": ((158, 150, 138), (180, 172, 158)),
    "tower-door": ((184, 176, 160), (204, 196, 180)),
    "keep": ((136, 124, 112), (158, 146, 132)),
    "keep-door": ((166, 154, 140), (186, 174, 158)),
    "stairs": ((190, 182, 164), (210, 202, 184)),
    "roof": ((150, 96, 66), (176, 118, 84)),
    "burnt": ((74, 66, 58), (102, 92, 80)),
    "tent": ((198, 186, 140), (214, 204, 162)),
    "doorway": ((188, 180, 166), (212, 205, 192)),
}
"""Two tints for each look of the ground; noise mixes them."""

LOOKS: dict[str, str] = {
    "open": "flat",
    "hilltop": "hill",
    "stream": "water",
    "deep-water": "water",
    "shallow-water": "ford",
    "filled": "road",
    "beach": "road",
    "trees": "tree",
    "wood": "tree",
    "garden": "crop",
    "field": "crop",
    "battlement": "stone",
    "castle-wall": "wall-top",
    "arrow-slit": "tower",
    "tower-interior": "tower",
    "tower-doorway": "tower-door",
    "keep-interior": "keep",
    "keep-doorway": "keep-door",
    "gateway": "doorway",
    "bridge": "floor",
    "drawbridge": "floor",
    "indoors": "floor",
    "furniture": "floor",
    "house": "floor",
    "rubble": "rubble",
    "fire": "fire",
}
"""Grounds that share the look of another one."""


def look(ground: str) -> str:
    """Return the look a ground is drawn with; an unknown ground looks flat."""
    ground = ground.replace("_", "-")
    name = LOOKS.get(ground, ground)
    return name if name in GROUNDS or name in ("rubble", "fire") else "flat"


def look_of(area: Area) -> str:
    """Return the look of an area: a floor that nobody can enter is seen from above, as a roof."""
    found = look(area.ground)
    return "roof" if found == "floor" and not area.passable else found


def side_colour(name: str) -> Colour:
    """Return the colour of a side; a name that is none gives grey."""
    return SIDES.get(name, SIDES["grey"])


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """Return ``one`` with a share (0 to 1) of the other colour."""
    return (
        round(one[0] + (other[0] - one[0]) * share),
        round(one[1] + (other[1] - one[1]) * share),
        round(one[2] + (other[2] - one[2]) * share),
    )


def luminance(colour: Colour) -> float:
    """Return the relative luminance of a colour, 0 to 1 (WCAG 2)."""
    red, green, blue = (
        part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast of two colours, 1 to 21 (WCAG 2)."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)
