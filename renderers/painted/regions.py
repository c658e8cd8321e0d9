"""Parts of the map that matter: what is played for, with a pennant, and where figures may begin, with a line
of dots; under all counters.

Which hexsides are the rim of a region, where its pennant stands and its name is written is worked out here
for both pictures.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct
from PIL import Image, ImageDraw

from pbem.core.scene import Area, Point, Region, Scene

from ..frame import Frame, Spot
from ..hexes import RADIUS
from ..lettering import font, plain, width
from ..palette import Colour
from ..themes import PARCHMENT, Theme
from . import counters, figures
from .arrows import TIMES, Ink, Patch, press, scraps

Outline = tuple[Point, tuple[Point, ...]]
"""The middle of a hex and its corners."""

GOAL, ZONE = "goal", "zone"
WORDS: Final = ((GOAL, "played for"), (ZONE, "begin here"))
"""Kind of region -> what the legend says of it."""
INSET: Final = 0.93
"""How far from the middle of its hex the rim is drawn, that those of two regions lie beside each other."""
DASHES: Final = {GOAL: ((0.06, 0.38), (0.62, 0.94)), ZONE: ((0.12, 0.2), (0.46, 0.54), (0.8, 0.88))}
"""Kind of region -> which shares of a hexside are drawn: dashes, or dots; a grey copy keeps them apart."""
AT_NUMBERS: Final = (0.14, 0.86)
"""What is left open of the upper side of a hex, for its number stands there."""
PENNANT: Final = ((0.0, 0.0), (0.0, -0.62), (0.42, -0.5), (0.0, -0.38))
"""Foot and top of the pole, point of the flag, where it is tied below; in hex radii from where it stands."""
STANDS: Final = (-0.5, -0.8)
NAME_AT: Final = 0.76
NAME_SIZE: Final = 0.3
WIDE: Final = {GOAL: 0.1, ZONE: 0.12}
ROOM: Final = 1100
PIECE: Final = 160
"""Pixels each way of a part of the map on which strokes are drawn at once."""
CLOSE: Final = 12
"""Scene units by which the corners of two neighbours may differ and still be the same."""


class Shape(Struct, frozen=True):
    """A region on the map: strokes of its rim, where its pennant stands, the middle of its name; all in scene
    units.
    """

    region: Region
    strokes: tuple[tuple[Spot, Spot], ...]
    pennant: Spot | None
    name: Spot


def shapes(scene: Scene) -> list[Shape]:
    """Return the regions of a scene that have hexes on it and are of a kind that is drawn, those to begin in
    first.
    """
    areas, held = {area.at: area for area in scene.areas}, held_in(scene)
    named = ((region, name_at(region, areas, held)) for region in in_order(scene))
    return [shape_of(region, areas, name) for region, name in named if name is not None]


def in_order(scene: Scene) -> list[Region]:
    """Return the regions of a scene in the order in which they are drawn."""
    return sorted(scene.regions, key=lambda one: (one.kind != ZONE, one.name))


def held_in(scene: Scene) -> frozenset[Point]:
    """Return where figures are."""
    return frozenset(cell for token in scene.tokens for cell in token.cells)


def name_at(region: Region, areas: Mapping[str, Area], held: frozenset[Point]) -> Spot | None:
    """Return the middle of a region's name; None where nothing of it is on the map, or it is of no kind that
    is drawn.
    """
    cells = [areas[at].centre for at in region.at if at in areas]
    return _name_at(cells, held) if cells and region.kind in DASHES else None


def shape_of(region: Region, areas: Mapping[str, Area], name: Spot) -> Shape:
    """Return how a region that is drawn lies on a map, with its name in its place."""
    outlines = _outlines([areas[at] for at in region.at if at in areas])
    first = min(outlines, key=lambda one: (one[0][1], one[0][0]))[0]
    stands = (first[0] + STANDS[0] * RADIUS, first[1] + STANDS[1] * RADIUS)
    pennant = stands if region.kind == GOAL else None
    return Shape(region, _strokes(region.kind, outlines), pennant, name)


def _name_at(cells: Sequence[Point], held: frozenset[Point]) -> Spot:
    """Return the middle of a region's name: low down, where few figures would cover it."""
    middle = sum(x for x, _ in cells) / len(cells)
    free = [centre for centre in cells if centre not in held] or cells
    low = max(y for _, y in free)
    last = min(
        (at for at in free if at[1] >= low - 510),
        key=lambda at: (_crowd(at, held), abs(at[0] - middle), -at[1]),
    )
    return last[0], last[1] + NAME_AT * RADIUS


@lru_cache(maxsize=64)
def _strokes(kind: str, cells: tuple[Outline, ...]) -> tuple[tuple[Spot, Spot], ...]:
    """Return the strokes of the rim round some hexes, which stay where they are while figures come and go."""
    dashes = DASHES[kind]
    return tuple(
        between(a, b, *dash) for a, b, upper in _rim(cells) for dash in (_open(dashes) if upper else dashes)
    )


def _crowd(at: Point, held: frozenset[Point]) -> int:
    """Return how many figures stand so near below a hex that they would cover a name at its foot."""
    return sum(abs(x - at[0]) < ROOM and 0 < y - at[1] < ROOM for x, y in held)


def _open(dashes: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return what is drawn of a side with a number in its middle."""
    left, right = AT_NUMBERS
    cut = [
        *((first, min(last, left)) for first, last in dashes),
        *((max(first, right), last) for first, last in dashes),
    ]
    return [(first, last) for first, last in cut if last - first > 0.04]


def rim(cells: Sequence[Area]) -> list[tuple[Spot, Spot, bool]]:
    """Return the sides of hexes that have none of the others beyond them, each a little into its own hex, and
    if it is the upper one.
    """
    return _rim(_outlines(cells))


def _outlines(cells: Sequence[Area]) -> tuple[Outline, ...]:
    return tuple((area.centre, area.corners) for area in cells)


def _rim(cells: Sequence[Outline]) -> list[tuple[Spot, Spot, bool]]:
    sides = _Sides()
    for centre, corners in cells:
        for a, b in zip(corners, (*corners[1:], corners[0]), strict=True):
            sides.at(((a[0] + b[0]) // 2, (a[1] + b[1]) // 2)).append((centre, a, b))
    alone = (found[0] for found in sides.found if len(found) == 1)
    return [
        (_inset(centre, a), _inset(centre, b), abs(a[1] - b[1]) < CLOSE and a[1] < centre[1])
        for centre, a, b in alone
    ]


class _Sides:
    """The sides of hexes by their middles, of which neighbours give the same a few units apart; only what
    lies in the same square of that size, or in one round it, has to be looked through.
    """

    def __init__(self) -> None:
        self.found: list[list[tuple[Point, Point, Point]]] = []
        self._middles: list[Point] = []
        self._squares: dict[tuple[int, int], list[int]] = {}

    def at(self, middle: Point) -> list[tuple[Point, Point, Point]]:
        """Return what was found of the side with this middle, or nearly; of several the first."""
        x, y = middle[0] // CLOSE, middle[1] // CLOSE
        near = [
            place
            for dx in (-1, 0, 1)
            for dy in (-1, 0, 1)
            for place in self._squares.get((x + dx, y + dy), ())
            if abs(self._middles[place][0] - middle[0]) < CLOSE
            and abs(self._middles[place][1] - middle[1]) < CLOSE
        ]
        if near:
            return self.found[min(near)]
        self._squares.setdefault((x, y), []).append(len(self.found))
        self._middles.append(middle)
        self.found.append([])
        return self.found[-1]


def _inset(centre: Point, corner: Point) -> Spot:
    (x, y), (px, py) = centre, corner
    return x + (px - x) * INSET, y + (py - y) * INSET


def between(a: Spot, b: Spot, first: float, last: float) -> tuple[Spot, Spot]:
    """Return a piece of a line."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    return (a[0] + dx * first, a[1] + dy * first), (a[0] + dx * last, a[1] + dy * last)


def colour_of(region: Region, scene: Scene, theme: Theme) -> Colour:
    """Return the colour of a region: of one side's its colour, of what all play for that of titles."""
    return (
        theme.side(counters.look_of(scene.sides, region.sides[0]).colour)
        if len(region.sides) == 1
        else theme.title
    )


def flag(at: Spot, unit: float) -> list[Spot]:
    """Return the corners of a pennant."""
    return [(at[0] + x * unit, at[1] + y * unit) for x, y in PENNANT]


def draw_regions(picture: Image.Image, scene: Scene, frame: Frame) -> None:
    """Draw what is played for, and where figures may begin."""
    unit, theme = frame.hex, frame.theme
    for shape in shapes(scene):
        colour = colour_of(shape.region, scene, theme)
        press(picture, _rim_ink(frame, shape.strokes, colour, unit * WIDE[shape.region.kind]))
        if shape.pennant is not None and figures.near(frame, frame.spot(_point(shape.pennant))):
            draw_pennant(picture, frame.spot(_point(shape.pennant)), unit, colour, theme)
        at = frame.spot(_point(shape.name))
        if figures.near(frame, at):
            figures.stamp(
                picture,
                name_plate(plain(shape.region.name, 24), max(7, round(unit * NAME_SIZE)), colour, theme),
                *at,
            )


def _point(spot: Spot) -> Point:
    return round(spot[0]), round(spot[1])


@lru_cache(maxsize=8)
def _rim_ink(
    frame: Frame, strokes: Sequence[tuple[Spot, Spot]], colour: Colour, wide: float
) -> tuple[Patch, ...]:
    """Return the ink of a rim in a window: on further maps of a game it lies where it lay."""
    spots = [(frame.spot(_point(a)), frame.spot(_point(b))) for a, b in strokes]
    near = [ends for ends in spots if any(figures.near(frame, end) for end in ends)]
    size = (frame.width, frame.height)
    return tuple(scrap for patch in inked(size, near, colour, wide, frame.theme) for scrap in scraps(patch))


def inked(
    size: tuple[int, int], strokes: Sequence[tuple[Spot, Spot]], colour: Colour, wide: float, theme: Theme
) -> list[Patch]:
    """Return the ink of strokes on a picture of a size, on a light rim, so that they are seen on every
    ground.
    """
    if not strokes:
        return []
    near: dict[tuple[int, int], list[tuple[Spot, Spot]]] = {}
    for ends in strokes:  # what encloses most of a map would be empty for the most part
        near.setdefault((int(ends[0][0] // PIECE), int(ends[0][1] // PIECE)), []).append(ends)
    inks = [(Ink(size, [end for ends in own for end in ends], wide * 2), own) for own in near.values()]
    found: list[Patch] = []
    for tint, thick in ((theme.halo, wide * 1.8), (colour, wide)):
        for ink, own in inks:
            ink.layers.clear()
            pen = ink.layer(tint)
            for ends in own:
                spots = ink.at(ends)
                pen.line(spots, fill=255, width=max(2, round(thick * TIMES)))
                r = max(1.0, thick * TIMES / 2)
                for x, y in spots:
                    pen.ellipse((x - r, y - r, x + r, y + r), fill=255)
            found += ink.patches()
    return found


def draw_pennant(picture: Image.Image, at: Spot, unit: float, colour: Colour, theme: Theme) -> None:
    """Draw a pennant on its pole."""
    foot, top, point, tied = flag(at, unit)
    ink = Ink(picture.size, (foot, top, point), unit * 0.2)
    for tint, thick in ((theme.halo, 0.16), (colour, 0.06)):
        pen = ink.layer(tint)
        pen.line(ink.at((foot, top)), fill=255, width=max(2, round(unit * thick * TIMES)))
        pen.polygon(ink.at((top, point, tied)), fill=255)
        pen.line(
            [*ink.at((top, point, tied, top))],
            fill=255,
            width=max(1, round(unit * (thick - 0.04) * TIMES)),
            joint="curve",
        )
    ink.done(picture)


@lru_cache(maxsize=128)
def name_plate(text: str, size: int, colour: Colour, theme: Theme = PARCHMENT) -> Image.Image:
    """Return a name in the colour of its region, on a light halo."""
    large = size * TIMES
    wide, high = math.ceil(width(text, "bold", large)) + large, round(large * 1.5)
    picture = Image.new("RGBA", (wide + wide % 2, high + high % 2), (*theme.halo, 0))
    draw = ImageDraw.Draw(picture)
    draw.text(
        (picture.width / 2, picture.height / 2),
        text,
        font=font("bold", large),
        fill=colour,
        anchor="mm",
        stroke_width=max(1, round(large * 0.16)),
        stroke_fill=theme.halo,
    )
    return picture.reduce(TIMES)


def sample(
    kind: str, unit: float, back: Image.Image, colour: Colour, theme: Theme = PARCHMENT
) -> Image.Image:
    """Return a small picture of a kind of region for the legend."""
    picture = back.crop((0, 0, round(unit * 1.7), round(unit * 1.1)))
    y, ends = unit * 0.92, (unit * 0.15, unit * 1.55)
    line = ((ends[0], y), (ends[1], y))
    strokes = [between(*line, *dash) for dash in DASHES[kind]]
    press(picture, inked(picture.size, strokes, colour, unit * 0.11, theme))
    if kind == GOAL:
        draw_pennant(picture, (unit * 0.6, unit * 0.86), unit * 1.15, colour, theme)
    return picture
