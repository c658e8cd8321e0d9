"""Themes: which looks a map can be drawn in, by name: their colours, and whether the ground is painted or
printed.

What a look of the ground is called, and how colours are mixed and measured, stands in ``palette``; what is
drawn is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from msgspec import Struct

from . import palette
from .palette import Colour, mix


class Theme(Struct, frozen=True, eq=False):
    """One look of a map; a value, so that it can stand in the key of a kept picture.

    Themes are told apart by their names alone.
    """

    name: str
    page: Colour
    page_dark: Colour
    """The darker blots of the page; the same as ``page`` where it is smooth."""
    ink: Colour
    title: Colour
    faded: Colour
    paper: Colour
    """The body of a counter, and the light rim round words and arrows."""
    halo: Colour
    """The light rim round names on the map."""
    hurt: Colour
    down: Colour
    out: Colour
    grid: Colour
    changed: Colour
    melee: Colour
    shot: Colour
    strokes: Colour
    """What patterns of a printed ground are drawn with."""
    sides: Mapping[str, Colour]
    grounds: Mapping[str, tuple[Colour, Colour]]
    painted: bool = True
    """Whether the ground has textures, soft borders, relief and shadows; else it has flat
    tints and patterns.
    """
    shadows: bool = True
    """Whether counters and what is built throw shadows."""
    fine: float = 1.0
    """How wide the outlines of counters are beside those of parchment."""
    framed: bool = False
    """Whether a counter has the colour of its side all round."""
    reversed: bool = False
    """Whether names stand dark on light where corners are cut, so that sides differ on a copier at first
    glance.
    """
    grid_share: float = 0.62
    number_share: float = 0.66
    """How much of the ground the rim round a hex number covers."""
    drained: float = 0.0
    """How much of their colour wood, stone and leaves have lost."""
    bleached: float = 0.0
    """How far they have gone towards white; what is dark stays dark."""
    spread: float = 1.0
    """How far light and dark are drawn apart in them."""
    deepened: float = 0.0
    """How far the badges have gone towards black."""

    def __eq__(self, other: object) -> bool:
        """Tell whether the other is the theme of the same name."""
        return isinstance(other, Theme) and self.name == other.name

    def __hash__(self) -> int:
        """Return what the name comes to."""
        return hash(self.name)

    def side(self, name: str) -> Colour:
        """Return the colour of a side; a name that is none gives grey."""
        return self.sides.get(name, self.sides["grey"])

    def ground(self, name: str) -> tuple[Colour, Colour]:
        """Return the two tints of a look of the ground."""
        return self.grounds[name]

    def body(self, state: str) -> Colour:
        """Return the colour of the body of a counter in a state."""
        return {"hurt": self.hurt, "down": self.down, "out": self.out}.get(state, self.paper)

    def band(self, shape: str, colour: Colour) -> tuple[Colour, Colour]:
        """Return the colours of the band with the name, and of the name, on a counter with corners of a
        shape.
        """
        return (self.paper, colour) if self.reversed and shape == "cut" else (colour, palette.WHITE)

    def badge(self, colour: Colour) -> Colour:
        """Return a badge's colour as this theme has it."""
        return mix(colour, (0, 0, 0), self.deepened)

    def tone(self, colour: Colour) -> Colour:
        """Return the colour of a material (wood, stone, leaves) as this theme has it; what means a side stays
        as it is.
        """
        return _toned(self, colour)


@lru_cache(maxsize=4096)
def _toned(theme: Theme, colour: Colour) -> Colour:
    if not (theme.drained or theme.bleached or theme.spread != 1) or colour in theme.sides.values():
        return colour
    grey = round(0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2])
    found = mix(colour, (grey, grey, grey), theme.drained)
    red, green, blue = (_bleached(theme, part) for part in found)
    return red, green, blue


def _bleached(theme: Theme, part: int) -> int:
    spread = min(255.0, max(0.0, 128 + (part - 128) * theme.spread))
    return round(spread + (255 - spread) * theme.bleached * min(1.0, part / 170))


PARCHMENT: Final = Theme(
    "parchment",
    page=palette.PAGE,
    page_dark=palette.PAGE_DARK,
    ink=palette.INK,
    title=palette.TITLE,
    faded=palette.FADED,
    paper=palette.CREAM,
    halo=(246, 240, 218),
    hurt=palette.HURT_BODY,
    down=palette.DOWN_BODY,
    out=palette.OUT_BODY,
    grid=palette.GRID,
    changed=palette.GOLD,
    melee=palette.MELEE,
    shot=palette.SHOT,
    strokes=palette.INK,
    sides=palette.SIDES,
    grounds=palette.GROUNDS,
)
PRINT: Final = Theme(
    "print",
    page=(255, 255, 255),
    page_dark=(255, 255, 255),
    ink=(24, 22, 20),
    title=(66, 18, 12),
    faded=(88, 82, 74),
    paper=(255, 255, 255),
    halo=(255, 255, 255),
    hurt=(255, 238, 226),
    down=(228, 234, 248),
    out=(206, 204, 200),
    grid=(96, 94, 90),
    changed=(240, 190, 0),
    melee=palette.MELEE,
    shot=palette.SHOT,
    strokes=(104, 102, 96),
    sides=palette.SIDES,
    grounds={name: (ground.printed, ground.printed) for name, ground in palette.LOOKED.items()},
    painted=False,
    shadows=False,
    reversed=True,
    grid_share=0.5,
    number_share=0.85,
    drained=0.45,
    bleached=0.62,
)
CONTRAST: Final = Theme(
    "contrast",
    page=(255, 255, 255),
    page_dark=(255, 255, 255),
    ink=(0, 0, 0),
    title=(74, 0, 0),
    faded=(46, 42, 38),
    paper=(255, 255, 255),
    halo=(255, 255, 255),
    hurt=(255, 214, 190),
    down=(206, 220, 255),
    out=(196, 196, 196),
    grid=(0, 0, 0),
    changed=(255, 204, 0),
    melee=(140, 0, 30),
    shot=(84, 0, 72),
    strokes=(70, 70, 70),
    sides={
        "blue": (0, 62, 128),
        "vermilion": (148, 48, 0),
        "green": (0, 82, 60),
        "purple": (96, 32, 116),
        "grey": (64, 64, 70),
    },
    grounds={name: (ground.contrast, ground.contrast) for name, ground in palette.LOOKED.items()},
    painted=False,
    shadows=False,
    reversed=True,
    fine=1.7,
    framed=True,
    grid_share=0.6,
    number_share=0.92,
    drained=0.3,
    bleached=0.45,
    spread=1.5,
    deepened=0.45,
)
THEMES: Final[Mapping[str, Theme]] = {theme.name: theme for theme in (PARCHMENT, PRINT, CONTRAST)}
"""Name -> theme; the first is the one that is used unless another is named."""


def theme_of(name: str) -> Theme:
    """Return the theme of a name; KeyError where there is none."""
    return THEMES[name]
