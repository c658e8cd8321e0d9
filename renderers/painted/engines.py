"""Things that are built, carried or rolled: bridges, ladders, siege towers, rams, throwing engines, mantlets
and barrels.

Each is drawn once for its kind, shape, direction and size, lies under the figures that serve it, and shows in
grey which way it faces.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache, partial

from PIL import Image, ImageDraw

from pbem.core.scene import Scene, Thing

from ..frame import Frame, Spot
from ..hexes import RADIUS
from ..palette import INK, WHITE, Colour
from ..themes import PARCHMENT, Theme
from .album import drawn_once
from .bases import built
from .built_in import BUILT, cast, shadow
from .castle import shifted
from .counters import look_of
from .figures import near, stamp
from .long_counters import Deck, plate
from .pens import toned
from .roofed import front, ram, siege_tower
from .texture import ramp
from .woodwork import CRATE, PIECES, Piece, ladder

SAMPLE = 3
UNIT = RADIUS
ANGLES = {"n": -90, "ne": -30, "se": 30, "s": 90, "sw": 150, "nw": -150}
"""Side of a hex -> its direction, in degrees clockwise from the right."""
SHADE = 150
"""How strong the shadow of a thing is, from 0 to 255."""
Offsets = tuple[tuple[float, float], ...]


def angle_of(thing: Thing) -> int:
    """Return the direction a thing faces, in degrees clockwise from the right."""
    if thing.facing in ANGLES:
        return ANGLES[thing.facing]
    if len(thing.cells) > 1:
        (ax, ay), (bx, by) = thing.cells[0], thing.cells[-1]
        return round(math.degrees(math.atan2(by - ay, bx - ax)))
    return -90


def draw_things(picture: Image.Image, scene: Scene, frame: Frame) -> None:
    """Draw all things of a scene, pieces of building and bridges lowest."""
    for thing in scene.things:
        if thing.form is not None and thing.cells:
            stamp(picture, built(thing, thing.form, frame), *frame.spot(thing.cells[0]))
    for thing in sorted(
        scene.things,
        key=lambda each: (ORDER.index(each.kind) if each.kind in ORDER else len(ORDER), each.at, each.id),
    ):
        if thing.form is not None or not thing.cells or not near(frame, frame.spot(thing.cells[0])):
            continue
        draw_thing(picture, thing, frame.theme.side(look_of(scene.sides, thing.side).colour), frame)


def draw_thing(picture: Image.Image, thing: Thing, colour: Colour, frame: Frame) -> None:
    """Draw one thing; ``colour`` is that of its side."""
    first = thing.cells[0]
    offsets = tuple(((x - first[0]) / UNIT, (y - first[1]) / UNIT) for x, y in thing.cells)
    figure = sprite(
        thing.kind, thing.stands, offsets, angle_of(thing), colour, round(frame.hex * 100), frame.theme
    )
    x, y = frame.spot(first)
    stamp(picture, figure, x, y)


def _in_sight(frame: Frame, spot: Spot) -> bool:
    return 0 <= spot[0] < frame.width and 0 <= spot[1] < frame.height


def labels(scene: Scene, frame: Frame) -> list[tuple[Image.Image, list[Spot]]]:
    """Return the name plate of each thing that one orders by name, with places for it, the best first."""
    found = []
    unit = frame.hex
    for thing in sorted(scene.things, key=lambda each: each.id):
        if thing.kind not in NAMED or not any(_in_sight(frame, spot) for spot in frame.spots(thing.cells)):
            continue
        look = look_of(scene.sides, thing.side)
        x = sum(cx for cx, _ in thing.cells) / len(thing.cells)
        y = sum(cy for _, cy in thing.cells) / len(thing.cells)
        (mx, my), turn = frame.spots(((round(x), round(y)),))[0], math.radians(angle_of(thing))
        back = 1.62 if len(thing.cells) > 2 else 0.86
        ways = (math.pi, math.pi - 1.05, math.pi + 1.05, 1.57, -1.57)
        spots = [
            (
                mx + math.cos(turn + way) * unit * (back + more),
                my + math.sin(turn + way) * unit * (back + more) * 0.92,
            )
            for more in (0.0, 0.3, 0.6)
            for way in ways
        ]
        if len(thing.cells) == 2:
            spots = [(mx, my), *spots]
        numbers = (f"{thing.number}/{thing.full}",) if thing.full else ()
        found.append(
            (
                name_plate(
                    look.shape,
                    look.colour,
                    thing.id,
                    numbers,
                    max(800, round(unit * (80 if unit < 50 else 94))),
                    frame.theme,
                ),
                spots,
            )
        )
    return found


@drawn_once(128)
def name_plate(
    shape: str, colour: str, label: str, numbers: tuple[str, ...], size: int, theme: Theme = PARCHMENT
) -> Image.Image:
    """Return the plate with the name of a thing on the colour of its side, and below it its numbers; ``size``
    as for ``sprite``.
    """
    return plate(shape, theme.side(colour), theme.paper, label, numbers, size / 100 * SAMPLE, theme).reduce(
        SAMPLE
    )


@drawn_once(128)
def sprite(
    kind: str, stands: str, offsets: Offsets, angle: int, colour: Colour, size: int, theme: Theme = PARCHMENT
) -> Image.Image:
    """Return a thing with its shadow; the middle of the picture is the centre of its first cell.

    ``offsets`` are the centres of its cells in hex radii, ``size`` is a hundredth of a pixel of the hex
    radius.
    """
    radius = size / 100 * SAMPLE
    reach = max(math.hypot(x, y) for x, y in offsets) + 1.75
    full = math.ceil(2 * radius * reach / SAMPLE) * SAMPLE
    picture = Image.new("RGBA", (full, full), (0, 0, 0, 0))
    _DRAWN.get(kind, _crate)(picture, radius, angle, offsets, stands, colour)
    figure = toned(_trimmed(picture, SAMPLE).reduce(SAMPLE), theme)
    if not theme.shadows:
        figure.putalpha(figure.getchannel("A").point(ramp(SHADE, 255)))
    return _trimmed(figure)


def _trimmed(figure: Image.Image, by: int = 1) -> Image.Image:
    """Return a drawing without what is empty all round it, of which a multiple of ``by`` pixels goes; its
    middle stays its middle.
    """
    left, top, right, low = figure.getbbox() or (0, 0, *figure.size)
    aside, above = (min(left, figure.width - right) // by * by, min(top, figure.height - low) // by * by)
    return figure.crop((aside, above, figure.width - aside, figure.height - above))


@lru_cache(maxsize=64)
def arrow(angle: int, colour: Colour, size: int) -> Image.Image:
    """Return a broad arrow in the colour of a side that says: this way is the front; ``size`` as for
    ``sprite``.
    """
    radius = size / 100 * SAMPLE
    full = math.ceil(radius / SAMPLE) * SAMPLE
    picture = Image.new("RGBA", (full, full), (255, 255, 255, 0))
    deck = Deck(picture, radius, angle)
    for grow, fill in ((0.12, INK), (0.07, WHITE), (0.0, colour)):
        tip = [(-0.14 - grow, -0.24 - grow), (0.2 + grow * 1.4, 0), (-0.14 - grow, 0.24 + grow), (-0.05, 0)]
        deck.draw.polygon(deck.at(tip), fill=(*fill, 255))
    return picture.reduce(SAMPLE)


def draw_fronts(picture: Image.Image, scene: Scene, frame: Frame) -> None:
    """Draw the arrow of each engine at its front, over all counters."""
    unit = frame.hex
    for thing in scene.things:
        if thing.kind not in FRONTED or not thing.cells or not near(frame, frame.spot(thing.cells[0])):
            continue
        first, angle = thing.cells[0], angle_of(thing)
        offsets = tuple(((x - first[0]) / UNIT, (y - first[1]) / UNIT) for x, y in thing.cells)
        run, side, _ = front(offsets, angle)
        cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        (x, y), run = frame.spot(first), run + 0.04
        x, y = x + (run * cos - side * sin) * unit, y + (run * sin + side * cos) * unit
        stamp(
            picture,
            arrow(angle, frame.theme.side(look_of(scene.sides, thing.side).colour), round(unit * 100)),
            x,
            y,
        )


def _ladder(
    picture: Image.Image, radius: float, angle: int, offsets: Offsets, stands: str, colour: Colour
) -> None:
    """Draw a ladder: upright it leans over the wall it faces and broadens upwards; else flat, and above its
    shadow if it is carried.
    """
    cx, cy = picture.width / 2, picture.height / 2
    if stands == "raised":
        shade = Image.new("L", picture.size, 0)
        under = Deck(shade, radius, angle)
        under.middle = (cx + radius * 0.16, cy + radius * 0.2)
        ImageDraw.Draw(shade).polygon(
            under.at([(-0.62, -0.2), (1.0, -0.36), (1.0, 0.36), (-0.62, 0.2)]), fill=110
        )
        cast(picture, shade, radius * 0.06)
        deck = Deck(picture, radius, angle)
        ladder(deck, -0.66, 1.3, 0.2, 0.36, 9)
        for sign in (-1, 1):
            deck.disc(1.3, sign * 0.36, 0.08, colour)
        return
    x, y = offsets[-1]
    length = math.hypot(x, y)
    run = math.degrees(math.atan2(y, x)) if length else angle
    if stands == "carried":
        flying = Image.new("RGBA", picture.size, (0, 0, 0, 0))
        ladder(Deck(flying, radius, round(run)), -0.84, length + 0.84, 0.22, 0.22, 12)
        shade = shifted(
            flying.getchannel("A").point([value // 2 for value in range(256)]),
            round(radius * 0.18),
            round(radius * 0.26),
        )
        cast(picture, shade, radius * 0.04)
    deck = Deck(picture, radius, round(run))
    ladder(deck, -0.84, length + 0.84, 0.22, 0.22, 12)


def _piece(
    piece: Piece,
    picture: Image.Image,
    radius: float,
    angle: int,
    offsets: Offsets,
    stands: str,
    colour: Colour,
) -> None:
    """Draw something that looks the same however it stands, above its shadow."""
    turn = angle if piece.turns else 0
    if piece.outline:
        shadow(picture, radius, [Deck(picture, radius, turn).at(piece.outline)], piece.high)
    piece.draw(Deck(picture, radius, turn), colour)


_crate = partial(_piece, CRATE)
_DRAWN: dict[str, Callable[[Image.Image, float, int, Offsets, str, Colour], None]] = {
    **BUILT,
    "winch": partial(_piece, PIECES["winch"]),
    "mantlet": partial(_piece, PIECES["mantlet"]),
    "ladder": _ladder,
    "siege-tower": siege_tower,
    "ram": ram,
    "penthouse": partial(ram, beam=False),
    "ballista": partial(_piece, PIECES["ballista"]),
    "trebuchet": partial(_piece, PIECES["trebuchet"]),
    "mangonel": partial(_piece, PIECES["mangonel"]),
    "oil": partial(_piece, PIECES["oil"]),
    "cauldron": partial(_piece, PIECES["cauldron"]),
    "stones": partial(_piece, PIECES["stones"]),
    "fascine": partial(_piece, PIECES["fascine"]),
}
ORDER = tuple(_DRAWN)
"""Kinds from the lowest to the highest."""
NAMED = (
    *(
        "bridge",
        "scaffold",
        "hoarding",
        "mine",
        "ladder",
        "siege-tower",
        "ram",
        "penthouse",
        "ballista",
        "trebuchet",
        "mangonel",
        "mantlet",
        "oil",
    ),
    "cauldron",
    "stones",
)
"""Kinds that one orders by name, so that the name stands beside them."""
FRONTED = ("siege-tower", "ram", "penthouse", "ballista", "trebuchet", "mangonel")
"""Kinds with a front that an arrow shows."""
