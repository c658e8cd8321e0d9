"""Colours: which ones exist and what they are called; what is drawn with them is decided elsewhere.

The sides are blue and vermilion of the Okabe-Ito family, darkened until white letters stand on them; no
meaning hangs on a colour alone.
"""

from __future__ import annotations

from msgspec import Struct

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
OUT_BODY: Colour = (186, 182, 172)
HURT_BODY: Colour = (255, 226, 205)
DOWN_BODY: Colour = (226, 229, 240)
GRID: Colour = (52, 46, 30)
GOLD: Colour = (240, 196, 25)
MELEE: Colour = (176, 22, 38)
SHOT: Colour = (88, 12, 60)
WHITE: Colour = (255, 255, 255)


class Ground(Struct, frozen=True):
    """How a look of the ground is drawn in each theme: two tints that noise mixes where it is painted, one
    where it is printed, one of high contrast, and its sign on a map in characters.
    """

    painted: Colour
    lighter: Colour
    printed: Colour
    contrast: Colour
    sign: str
    strokes: str = ""
    """Another look whose strokes it has, where it has no painter of its own."""


LOOKED: dict[str, Ground] = {
    "flat": Ground((178, 194, 128), (200, 212, 152), (255, 255, 255), (252, 252, 246), "."),
    "water": Ground((58, 112, 150), (104, 158, 188), (206, 226, 240), (148, 202, 244), "~"),
    "ford": Ground((132, 168, 172), (188, 206, 192), (236, 244, 248), (212, 234, 248), "="),
    "road": Ground((218, 200, 158), (236, 222, 186), (244, 236, 218), (246, 226, 178), ":"),
    "scrub": Ground((158, 166, 92), (188, 190, 120), (243, 246, 226), (228, 234, 176), '"'),
    "tree": Ground((88, 118, 62), (118, 146, 82), (222, 236, 212), (160, 214, 142), "%"),
    "slope": Ground((176, 164, 106), (198, 184, 130), (244, 238, 224), (240, 222, 186), "/"),
    "hill": Ground((212, 190, 132), (232, 214, 164), (236, 224, 198), (246, 232, 164), "^"),
    "courtyard": Ground((193, 176, 143), (211, 196, 165), (246, 243, 236), (238, 234, 226), ","),
    "floor": Ground((196, 164, 118), (214, 184, 140), (250, 238, 220), (248, 216, 172), "_"),
    "crop": Ground((214, 190, 104), (230, 210, 134), (252, 244, 206), (255, 236, 130), "|"),
    "moat": Ground((44, 84, 108), (78, 124, 140), (190, 212, 228), (124, 182, 226), "w"),
    "trench": Ground((168, 138, 90), (196, 166, 114), (226, 212, 190), (214, 184, 144), "v"),
    "stone": Ground((188, 183, 172), (208, 203, 192), (228, 226, 222), (214, 214, 216), "#"),
    "wall-top": Ground((126, 122, 116), (150, 146, 140), (206, 204, 200), (176, 176, 180), "M"),
    "tower": Ground((158, 150, 138), (180, 172, 158), (216, 212, 206), (196, 196, 200), "@"),
    "tower-door": Ground((184, 176, 160), (204, 196, 180), (232, 228, 220), (222, 222, 224), "d"),
    "keep": Ground((136, 124, 112), (158, 146, 132), (200, 196, 190), (182, 174, 186), "K"),
    "keep-door": Ground((166, 154, 140), (186, 174, 158), (222, 218, 210), (212, 206, 216), "k"),
    "stairs": Ground((190, 182, 164), (210, 202, 184), (238, 234, 226), (232, 232, 232), "$"),
    "roof": Ground((150, 96, 66), (176, 118, 84), (240, 222, 210), (244, 190, 160), "&"),
    "burnt": Ground((74, 66, 58), (102, 92, 80), (196, 190, 184), (170, 164, 158), "x"),
    "tent": Ground((198, 186, 140), (214, 204, 162), (246, 240, 218), (250, 238, 190), "+"),
    "doorway": Ground((188, 180, 166), (212, 205, 192), (236, 232, 224), (228, 228, 228), "'"),
}
"""Each look of the ground. A row is all that a further one needs; it is laid with a soft border."""
GROUNDS: dict[str, tuple[Colour, Colour]] = {
    name: (ground.painted, ground.lighter) for name, ground in LOOKED.items()
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
    "church-window": "doorway",
    "castle-window": "tower-door",
    "dry-moat": "trench",
    "platform": "tower",
    "low-wall": "stone",
    "chapel-window": "tower",
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
