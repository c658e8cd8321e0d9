"""What grows on painted ground: trees and shrubs with the light from the north-west, grass over all the map;
and trenches dug in it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence

from ..palette import Colour, mix
from .svg_pen import UNIT, Book, Pen, Spot, attributes, hexa, moved

LEAVES: tuple[Colour, ...] = ((92, 132, 54), (78, 120, 50), (104, 140, 58))
SHRUBS: tuple[Colour, ...] = ((138, 142, 62), (122, 134, 60), (150, 146, 74))
TILE = 5196, 6000
"""Width and height of the piece of meadow that is laid side by side."""
DARK: Colour = (16, 34, 12)


def _crown(book: Book, colour: Colour, lobes: int) -> str:
    """Return a crown of leaves round the origin: dark all round, then its own colour, then what the light
    falls on.
    """

    def draw() -> str:
        pen = Pen(UNIT)
        turns = [0.4 + i * math.tau / lobes for i in range(lobes)]
        spots = [(math.cos(angle) * 0.6, math.sin(angle) * 0.6) for angle in turns]
        dark, light = mix(colour, DARK, 0.55), mix(colour, (232, 238, 150), 0.3)
        for reach, fill, shift in ((0.56, dark, 0.0), (0.47, colour, 0.0), (0.2, light, -0.17)):
            for x, y in (*spots, (0.0, 0.0)):
                pen.ellipse(
                    (x + shift - reach, y + shift - reach, x + shift + reach, y + shift + reach), fill
                )
        return pen.written()

    return book.put(("crown", colour, lobes), draw)


def _grown(
    book: Book,
    spots: list[tuple[float, float, float]],
    colours: Sequence[Colour],
    lobes: int,
    chance: random.Random,
) -> str:
    """Return crowns at some places (in hex radii, with their size), those in front over those behind, all
    over their shadows.
    """
    shade = Pen(UNIT)
    found = ""
    for x, y, r in sorted(spots, key=lambda spot: spot[1]):
        shade.ellipse((x - r * 0.7, y - r * 0.54, x + r * 1.1, y + r * 1.06), (26, 34, 12))
        found += moved(
            _crown(book, chance.choice(colours), lobes),
            x * UNIT,
            y * UNIT,
            chance.randrange(0, 360, 30),
            round(r, 2),
        )
    return f'<g opacity=".35">{shade.written()}</g>{found}'


def trees(book: Book, chance: random.Random) -> str:
    """Return the crowns of a hex of wood."""
    spots = [(chance.uniform(-0.1, 0.1), chance.uniform(-0.1, 0.1), 0.34)]
    turn = chance.uniform(0, math.tau)
    for i in range(6):
        angle, far = turn + i * math.tau / 6, chance.uniform(0.56, 0.66)
        spots.append((math.cos(angle) * far, math.sin(angle) * far * 0.94, chance.uniform(0.3, 0.38)))
    return _grown(book, spots, LEAVES, 6, chance)


def shrubs(book: Book, chance: random.Random) -> str:
    """Return the shrubs of a hex of scrub."""
    turn = chance.uniform(0, math.tau)
    spots = []
    for i in range(8):
        angle, far = turn + i * math.tau / 7, 0.12 if i == 0 else chance.uniform(0.5, 0.68)
        spots.append((math.cos(angle) * far, math.sin(angle) * far * 0.9, chance.uniform(0.11, 0.18)))
    return _grown(book, spots, SHRUBS, 4, chance)


DRAWN: dict[str, Callable[[Book, random.Random], str]] = {"tree": trees, "scrub": shrubs}
"""Look -> what grows on it, one of a few drawings."""


def meadow(book: Book, d: str, base: Colour) -> str:
    """Return grass on a shape: blots of lighter and darker green, and tufts, in a piece that is laid side by
    side.
    """
    chance = random.Random("meadow")
    pen = Pen()
    width, height = TILE

    def tiled(x: float, y: float, reach: float) -> list[Spot]:
        """Return a place, and again where what sticks out of one end comes in at the other."""
        return [
            (x + dx, y + dy)
            for dx in (-width, 0, width)
            for dy in (-height, 0, height)
            if -reach < x + dx < width + reach and -reach < y + dy < height + reach
        ]

    for i in range(16):
        colour = mix(base, (255, 255, 214) if i % 2 else (96, 124, 58), 0.5)
        reach = chance.uniform(380, 900)
        for x, y in tiled(chance.uniform(0, width), chance.uniform(0, height), reach):
            pen.ellipse((x - reach, y - reach * 0.6, x + reach, y + reach * 0.6), (*colour, 38))
    for colour in (mix(base, (84, 108, 44), 0.62), mix(base, (246, 246, 206), 0.75)):
        for _ in range(34):
            x, y, high = chance.uniform(60, width - 60), chance.uniform(90, height), chance.uniform(40, 74)
            for lean in (-0.6, 0.0, 0.6):
                pen.round_line([(x + lean * 8, y), (x + lean * high, y - high)], colour, 14)
    name = "m" + book.name(pen.written())
    tile = f"<pattern{attributes(id=name, width=width, height=height, patternUnits='userSpaceOnUse')}>{pen.written()}</pattern>"
    return tile + f'<path d="{d}" fill="url(#{name})"/>'


def trench(lines: str) -> str:
    """Return trenches along some lines: the earth thrown up on both sides, the dark ditch, boards on its
    ground.
    """
    found = ""
    for wide, colour, boards in (
        (0.98, (120, 92, 54), 0),
        (0.9, (196, 166, 114), 0),
        (0.6, (70, 52, 34), 0),
        (0.36, (150, 120, 78), 1),
    ):
        how = {"stroke_dasharray": "40 60"} if boards else {"stroke_linecap": "round"}
        found += (
            f"<g{attributes(fill='none', stroke=hexa(colour), stroke_width=wide * UNIT, **how)}>{lines}</g>"
        )
    return found
