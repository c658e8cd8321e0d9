"""Things that are built, carried or rolled: bridges, ladders, siege towers, rams, throwing engines, mantlets
and barrels.

Each is drawn once for its kind, shape, direction and size, lies under the figures that serve it, and shows in
grey which way it faces.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache, partial

from PIL import Image, ImageChops, ImageDraw

from pbem.core.scene import Scene, Thing

from ..frame import Frame, Spot
from ..hexes import RADIUS
from ..palette import INK, WHITE, Colour, mix
from ..themes import PARCHMENT, Theme
from .album import drawn_once
from .bases import built
from .built_in import draw_bridge, draw_crossing, draw_door, draw_scaffold, shadow
from .castle import shifted
from .counters import look_of
from .figures import near, stamp
from .long_counters import DARK_WOOD, STEEL, WOOD, Deck, plate
from .pens import toned
from .texture import blurred, ramp
from .woodwork import CRATE, PALE, PIECES, ROPE, Piece, ladder

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
    figure = toned(picture.reduce(SAMPLE), theme)
    if not theme.shadows:
        figure.putalpha(figure.getchannel("A").point(ramp(SHADE, 255)))
    return figure


def _cells(picture: Image.Image, radius: float, offsets: Offsets) -> list[list[Spot]]:
    """Return the hexes of a thing in pixels of its picture, each clockwise from the right corner."""
    cx, cy = picture.width / 2, picture.height / 2
    return [
        [
            (cx + (x + math.cos(math.radians(a))) * radius, cy + (y + math.sin(math.radians(a))) * radius)
            for a in range(0, 360, 60)
        ]
        for x, y in offsets
    ]


def border(hexes: Sequence[Sequence[Spot]]) -> list[tuple[Spot, Spot, Spot]]:
    """Return the sides of a group of hexes that have none of it beyond, each with the way outwards."""
    sides: dict[frozenset[tuple[int, int]], list[tuple[Spot, Spot, Spot]]] = {}
    for corners in hexes:
        mx, my = sum(x for x, _ in corners) / 6, sum(y for _, y in corners) / 6
        for a, b in zip(corners, (*corners[1:], corners[0]), strict=True):
            ox, oy = (a[0] + b[0]) / 2 - mx, (a[1] + b[1]) / 2 - my
            length = math.hypot(ox, oy) or 1.0
            key = frozenset(((round(a[0] / 8), round(a[1] / 8)), (round(b[0] / 8), round(b[1] / 8))))
            sides.setdefault(key, []).append((a, b, (ox / length, oy / length)))
    return [found[0] for found in sides.values() if len(found) == 1]


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


def front(offsets: Offsets, angle: int) -> tuple[float, float, float]:
    """Return how far the front of a group of hexes lies ahead of its first hex, its middle across that way,
    and the middle behind.
    """
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    ahead = [(x * cos + y * sin, -x * sin + y * cos) for x, y in offsets]
    most = max(run for run, _ in ahead)
    across = [side for run, side in ahead if run > most - 0.3]
    return most + 0.87, sum(across) / len(across), min(run for run, _ in ahead) - 0.87


def _moved(deck: Deck, radius: float, angle: int, side: float) -> None:
    """Move the middle of a deck to a place beside it."""
    x, y = deck.middle
    deck.middle = (
        x - math.sin(math.radians(angle)) * side * radius,
        y + math.cos(math.radians(angle)) * side * radius,
    )


def _siege_tower(
    picture: Image.Image, radius: float, angle: int, offsets: Offsets, stands: str, colour: Colour
) -> None:
    """Draw a siege tower from above: its platform of planks within a breastwork of hides and stakes, wheels,
    the ramp in front.
    """
    hexes = _cells(picture, radius, offsets)
    shadow(picture, radius, hexes, 0.42)
    draw = ImageDraw.Draw(picture)
    sides = border(hexes)
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    for a, b, out in sides:
        if abs(out[0] * cos + out[1] * sin) < 0.6:
            _wheels(draw, a, b, out, radius)
    _boards(picture, hexes, radius, angle + 90, WOOD, 0.19)
    draw = ImageDraw.Draw(picture)
    for wide, fill in ((0.27, INK), (0.2, (150, 108, 62))):
        for a, b, _ in sides:
            draw.line((*a, *b), fill=fill, width=round(radius * wide))
            for x, y in (a, b):
                r = radius * wide / 2
                draw.ellipse((x - r, y - r, x + r, y + r), fill=fill)
    for a, b, out in sides:
        front = out[0] * cos + out[1] * sin > 0.8
        if front:
            for wide, fill in ((0.3, INK), (0.22, ROPE)):
                p, q = _between(a, b, 0.14), _between(a, b, 0.86)
                draw.line((*p, *q), fill=fill, width=round(radius * wide))
            for i in range(1, 7):
                x, y = _between(a, b, 0.14 + 0.72 * i / 7)
                draw.line(
                    (
                        x - out[0] * radius * 0.11,
                        y - out[1] * radius * 0.11,
                        x + out[0] * radius * 0.11,
                        y + out[1] * radius * 0.11,
                    ),
                    fill=INK,
                    width=max(1, round(radius * 0.035)),
                )
            continue
        for i in range(4):
            p, q = _between(a, b, (i + 0.18) / 4), _between(a, b, (i + 0.72) / 4)
            draw.line((*p, *q), fill=INK, width=round(radius * 0.19))
            p, q = _between(a, b, (i + 0.24) / 4), _between(a, b, (i + 0.66) / 4)
            draw.line((*p, *q), fill=PALE, width=round(radius * 0.12))


def _between(a: Spot, b: Spot, share: float) -> Spot:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _wheels(draw: ImageDraw.ImageDraw, a: Spot, b: Spot, out: Spot, radius: float) -> None:
    """Draw the edge of a wheel that sticks out from under a side."""
    p, q = _between(a, b, 0.22), _between(a, b, 0.78)
    x, y = out[0] * radius * 0.17, out[1] * radius * 0.17
    draw.line((p[0] + x, p[1] + y, q[0] + x, q[1] + y), fill=INK, width=round(radius * 0.2))
    draw.line((p[0] + x, p[1] + y, q[0] + x, q[1] + y), fill=DARK_WOOD, width=round(radius * 0.12))


def _boards(
    picture: Image.Image,
    hexes: Sequence[Sequence[Spot]],
    radius: float,
    angle: int,
    wood: Colour,
    step: float,
) -> None:
    """Fill some hexes with boards that run in a direction."""
    mask = Image.new("L", picture.size, 0)
    pen = ImageDraw.Draw(mask)
    for corners in hexes:
        pen.polygon(list(corners), fill=255)
        pen.line([*corners, corners[0]], fill=255, width=3)
    sheet = Image.new("RGB", picture.size, wood)
    draw = ImageDraw.Draw(sheet)
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    cx, cy, far = picture.width / 2, picture.height / 2, picture.width
    count = round(far / (radius * step))
    for i in range(-count, count + 1):
        off = i * radius * step
        x, y = cx - sin * off, cy + cos * off
        if i % 3 == 0:
            draw.line(
                (x - cos * far, y - sin * far, x + cos * far, y + sin * far),
                fill=mix(wood, WHITE, 0.16),
                width=round(radius * step * 0.8),
            )
    for i in range(-count, count + 1):
        off = (i + 0.5) * radius * step
        x, y = cx - sin * off, cy + cos * off
        draw.line(
            (x - cos * far, y - sin * far, x + cos * far, y + sin * far),
            fill=DARK_WOOD,
            width=max(1, round(radius * 0.035)),
        )
    picture.paste(sheet, (0, 0), mask)


def _ram(
    picture: Image.Image, radius: float, angle: int, offsets: Offsets, stands: str, colour: Colour
) -> None:
    """Draw a ram from above: the log with its iron head under a steep roof of hides, light on one side and
    dark on the other.
    """
    hexes = _cells(picture, radius, offsets)
    shadow(picture, radius, hexes, 0.24)
    sides = border(hexes)
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    run, side, back = front(offsets, angle)
    deck = Deck(picture, radius, angle)
    across = [-x * sin + y * cos for x, y in offsets]
    middle = (max(across) + min(across)) / 2
    _moved(deck, radius, angle, side)
    deck.line([(back * 0.2, 0), (run + 0.3, 0)], 0.3, INK)
    deck.line([(back * 0.2, 0), (run + 0.3, 0)], 0.22, (150, 108, 62))
    draw = ImageDraw.Draw(picture)
    for a, b, out in sides:
        if abs(out[0] * cos + out[1] * sin) < 0.6:
            _wheels(draw, a, b, out, radius)
    hides: Colour = (146, 104, 72)
    _boards(picture, hexes, radius, angle + 90, hides, 0.3)
    inside = Image.new("L", picture.size, 0)
    for corners in hexes:
        ImageDraw.Draw(inside).polygon(list(corners), fill=110)
    slope = Image.new("L", picture.size, 0)
    ridge = Deck(slope, radius, angle)
    _moved(ridge, radius, angle, middle)
    away = 6.0 if cos - sin >= 0 else -6.0
    ridge.draw.polygon(ridge.at([(-6, 0), (6, 0), (6, away), (-6, away)]), fill=255)
    picture.paste((24, 12, 4, 255), (0, 0, *picture.size), ImageChops.multiply(inside, slope))
    ridge = Deck(picture, radius, angle)
    _moved(ridge, radius, angle, middle)
    ridge.line([(back + 0.16, 0), (run - 0.16, 0)], 0.16, INK)
    ridge.line([(back + 0.16, 0), (run - 0.16, 0)], 0.09, ROPE)
    draw = ImageDraw.Draw(picture)
    for a, b, _ in sides:
        draw.line((*a, *b), fill=INK, width=round(radius * 0.13))
        for x, y in (a, b):
            r = radius * 0.065
            draw.ellipse((x - r, y - r, x + r, y + r), fill=INK)
    for a, b, _ in sides:
        for i in range(6):
            x, y = _between(a, b, (i + 0.5) / 6)
            r = radius * 0.045
            draw.ellipse((x - r, y - r, x + r, y + r), fill=ROPE)
    deck.face(
        [
            (run + 0.02, -0.17),
            (run + 0.4, -0.2),
            (run + 0.56, -0.07),
            (run + 0.56, 0.07),
            (run + 0.4, 0.2),
            (run + 0.02, 0.17),
        ],
        STEEL,
    )
    deck.line([(run + 0.18, -0.17), (run + 0.18, 0.17)], 0.05, INK)
    deck.line([(run + 0.34, -0.18), (run + 0.34, 0.18)], 0.05, INK)


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
        picture.paste((20, 14, 6, 255), (0, 0, *picture.size), blurred(shade, radius * 0.06))
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
        picture.paste((20, 14, 6, 255), (0, 0, *picture.size), blurred(shade, radius * 0.04))
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
    "drawbridge": draw_bridge,
    "door": draw_door,
    "bridge": draw_crossing,
    "scaffold": draw_scaffold,
    "winch": partial(_piece, PIECES["winch"]),
    "mantlet": partial(_piece, PIECES["mantlet"]),
    "ladder": _ladder,
    "siege-tower": _siege_tower,
    "ram": _ram,
    "ballista": partial(_piece, PIECES["ballista"]),
    "trebuchet": partial(_piece, PIECES["trebuchet"]),
    "mangonel": partial(_piece, PIECES["mangonel"]),
    "oil": partial(_piece, PIECES["oil"]),
    "cauldron": partial(_piece, PIECES["cauldron"]),
}
ORDER = tuple(_DRAWN)
"""Kinds from the lowest to the highest."""
NAMED = (
    *(
        "bridge",
        "scaffold",
        "ladder",
        "siege-tower",
        "ram",
        "ballista",
        "trebuchet",
        "mangonel",
        "mantlet",
        "oil",
    ),
    "cauldron",
)
"""Kinds that one orders by name, so that the name stands beside them."""
FRONTED = ("siege-tower", "ram", "ballista", "trebuchet", "mangonel")
"""Kinds with a front that an arrow shows."""
