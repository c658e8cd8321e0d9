"""Engines and equipment as pieces of SVG, round the middle of the first of their hexes: one function for each
kind.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

from msgspec.structs import replace

from ..painted import built_in, roofed
from ..painted.long_counters import DARK_WOOD, STEEL, WOOD
from ..painted.woodwork import (
    CRATE,
    PALE,
    PIECES,
    ROPE,
    Piece,
    berth_of,
    crate,
    crossing,
    door,
    gangway,
    gate,
    hoarding,
    ladder,
    leaf,
    pit,
    planks,
    planks_of,
    scaffold,
    stage_of,
    tunnel,
)
from ..palette import INK, WHITE, Colour, mix
from ..themes import Theme
from .svg_pen import UNIT, Book, Plane, Spot, moved, shape, turned, way

HIDES: Colour = (146, 104, 72)
BOARD: Colour = (150, 108, 62)
SHADE: Colour = (20, 14, 6)
Offsets = tuple[Spot, ...]
Hexes = Sequence[Sequence[Spot]]


def thing(book: Book, kind: str, stands: str, offsets: Offsets, turn: int, colour: Colour) -> str:
    """Return a thing; ``offsets`` are the middles of its hexes from the first one, in hex radii, ``turn`` is
    where it faces, in degrees.
    """
    rounded = tuple((round(x, 2), round(y, 2)) for x, y in offsets)
    return book.put(
        ("thing", kind, stands, rounded, turn, colour),
        lambda: _DRAWN.get(kind, _crate)(book.theme, offsets, turn, stands, colour),
    )


def front(book: Book, offsets: Offsets, turn: int, colour: Colour) -> tuple[str, Spot]:
    """Return a broad arrow that says "this way is the front", and where it lies from the first hex, in scene
    units.
    """
    run, side, _ = roofed.front(offsets, turn)
    cos, sin = turned(turn)
    run += 0.04

    def draw() -> str:
        plane = Plane(book.theme)
        for grow, fill in ((0.12, INK), (0.07, WHITE), (0.0, colour)):
            plane.face(
                [
                    (-0.14 - grow, -0.24 - grow),
                    (0.2 + grow * 1.4, 0),
                    (-0.14 - grow, 0.24 + grow),
                    (-0.05, 0),
                ],
                fill,
                0,
            )
        return plane.written()

    place = ((run * cos - side * sin) * UNIT, (run * sin + side * cos) * UNIT)
    return moved(book.put(("front", colour), draw), 0, 0, turn), place


def _hexes(offsets: Offsets) -> list[list[Spot]]:
    return [
        [(x + math.cos(math.radians(a)), y + math.sin(math.radians(a))) for a in range(0, 360, 60)]
        for x, y in offsets
    ]


def _border(hexes: Hexes) -> list[tuple[Spot, Spot, Spot]]:
    """Return the sides of a group of hexes that have none of it beyond, each with the way outwards."""
    large = [[(x * 100, y * 100) for x, y in corners] for corners in hexes]
    return [((a[0] / 100, a[1] / 100), (b[0] / 100, b[1] / 100), out) for a, b, out in roofed.border(large)]


def _shadow(theme: Theme, faces: Hexes, high: float) -> str:
    if not theme.shadows:
        return ""
    d = "".join(way([(x * UNIT, y * UNIT) for x, y in face], True) for face in faces)
    return shape(
        d,
        SHADE,
        SHADE,
        0.1 * UNIT,
        transform=f"translate({round(high * UNIT)} {round(high * UNIT * 0.8)})",
        opacity=".4",
    )


def _turned(plane: Plane, turn: float, x: float = 0, y: float = 0) -> str:
    return moved(plane.written(), x * UNIT, y * UNIT, turn)


def beyond(corners: Sequence[Spot], at: Spot, normal: Spot) -> list[Spot]:
    """Return what of a convex shape lies on that side of a line through a place to which
    its normal points.
    """
    found = []
    for one, other in zip(corners, [*corners[1:], corners[0]], strict=True):
        here, there = ((p[0] - at[0]) * normal[0] + (p[1] - at[1]) * normal[1] for p in (one, other))
        if here >= 0:
            found.append(one)
        if here * there < 0:
            found.append(roofed.between(one, other, here / (here - there)))
    return found


def _ruled(corners: Sequence[Spot], turn: float, step: float) -> list[tuple[Spot, Spot]]:
    """Return the joints of boards that run over a shape in a direction."""
    cos, sin = turned(turn)
    heights = [-x * sin + y * cos for x, y in corners]
    found = []
    for i in range(math.ceil(min(heights) / step), math.floor(max(heights) / step) + 1):
        cut = [
            roofed.between(one, other, (i * step - low) / (high - low))
            for one, other, low, high in zip(
                corners, [*corners[1:], corners[0]], heights, [*heights[1:], heights[0]], strict=True
            )
            if (low < i * step) != (high < i * step)
        ]
        if len(cut) == 2:
            found.append((cut[0], cut[1]))
    return found


def _boards(plane: Plane, hexes: Hexes, turn: float, wood: Colour, step: float) -> None:
    for corners in hexes:
        plane.face(corners, wood, 0.03, wood)
    for corners in hexes:
        for a, b in _ruled(corners, turn, step):
            plane.line([a, b], 0.035, DARK_WOOD)


def _wheels(plane: Plane, sides: Sequence[tuple[Spot, Spot, Spot]], turn: float) -> None:
    cos, sin = turned(turn)
    for a, b, out in sides:
        if abs(out[0] * cos + out[1] * sin) < 0.6:
            ends = [
                (x + out[0] * 0.17, y + out[1] * 0.17)
                for x, y in (roofed.between(a, b, 0.26), roofed.between(a, b, 0.74))
            ]
            plane.line(ends, 0.2, INK)
            plane.line(ends, 0.12, DARK_WOOD)


def _siege_tower(theme: Theme, offsets: Offsets, turn: int, stands: str, colour: Colour) -> str:
    """Draw a siege tower from above: its platform of planks within a breastwork of stakes, wheels, the ramp
    in front.
    """
    hexes = _hexes(offsets)
    sides = _border(hexes)
    cos, sin = turned(turn)
    plane = Plane(theme)
    _wheels(plane, sides, turn)
    _boards(plane, hexes, turn + 90, WOOD, 0.19)
    for wide, fill in ((0.27, INK), (0.2, BOARD)):
        for a, b, _ in sides:
            plane.line([a, b], wide, fill)
    for a, b, out in sides:
        if out[0] * cos + out[1] * sin > 0.8:
            for wide, fill in ((0.3, INK), (0.22, ROPE)):
                plane.line([roofed.between(a, b, 0.2), roofed.between(a, b, 0.8)], wide, fill)
            for i in range(1, 7):
                x, y = roofed.between(a, b, 0.14 + 0.72 * i / 7)
                plane.line(
                    [(x - out[0] * 0.1, y - out[1] * 0.1), (x + out[0] * 0.1, y + out[1] * 0.1)], 0.035, INK
                )
            continue
        stakes = [
            (roofed.between(a, b, (i + 0.3) / 4), roofed.between(a, b, (i + 0.6) / 4)) for i in range(4)
        ]
        for wide, fill in ((0.19, INK), (0.12, PALE)):
            for p, q in stakes:
                plane.line([p, q], wide, fill)
    return _shadow(theme, hexes, 0.42) + plane.written()


def _ram(theme: Theme, offsets: Offsets, turn: int, stands: str, colour: Colour, beam: bool = True) -> str:
    """Draw a ram from above: the log with its iron head under a steep roof of hides, light on one side and
    dark on the other; or such a roof without a beam, which is a penthouse.
    """
    hexes = _hexes(offsets)
    sides = _border(hexes)
    cos, sin = turned(turn)
    run, side, back = roofed.front(offsets, turn)
    across = [-x * sin + y * cos for x, y in offsets]
    middle = (max(across) + min(across)) / 2
    log, head, roof, ridge = Plane(theme), Plane(theme), Plane(theme), Plane(theme)
    for wide, fill in ((0.3, INK), (0.22, BOARD)):
        log.line([(back * 0.2, 0), (run + 0.3, 0)], wide, fill)
    _wheels(roof, sides, turn)
    _boards(roof, hexes, turn + 90, HIDES, 0.3)
    away = 1 if cos - sin >= 0 else -1
    at, normal = (-sin * middle, cos * middle), (-sin * away, cos * away)
    dark = "".join(
        way([(x * UNIT, y * UNIT) for x, y in beyond(corners, at, normal)], True) for corners in hexes
    )
    begins, ends = roofed.ridge(offsets, turn, middle)
    for wide, fill in ((0.16, INK), (0.09, ROPE)):
        ridge.line([(begins + 0.16, 0), (ends - 0.16, 0)], wide, fill)
    rim = Plane(theme)
    for a, b, _ in sides:
        rim.line([a, b], 0.13, INK)
    for a, b, _ in sides:
        for i in range(6):
            rim.disc(*roofed.between(a, b, (i + 0.5) / 6), 0.045, ROPE, 0)
    head.face(roofed.head_of_a_beam(run), STEEL)
    for x in (0.18, 0.34):
        head.line([(run + x, -0.17), (run + x, 0.17)], 0.05, INK)
    if not beam:
        log, head = Plane(theme), Plane(theme)
    over = (-sin * side, cos * side)
    return (
        _shadow(theme, hexes, 0.24)
        + _turned(log, turn, *over)
        + roof.written()
        + shape(dark, (24, 12, 4), opacity=".4")
        + _turned(ridge, turn, *at)
        + rim.written()
        + _turned(head, turn, *over)
    )


def _ladder(theme: Theme, offsets: Offsets, turn: int, stands: str, colour: Colour) -> str:
    """Draw a ladder: upright it leans over the wall it faces and broadens upwards; else flat, and above its
    shadow if it is carried.

    Those who carry it stand on it: its ends come out beyond their counters, light all round and in the colour
    of its side.
    """
    plane, under, rim = Plane(theme), Plane(theme), Plane(theme)
    if stands == "raised":
        under.face([(-0.62, -0.2), (1.0, -0.36), (1.0, 0.36), (-0.62, 0.2)], SHADE, 0)
        rim.face([(-0.74, -0.34), (1.38, -0.5), (1.38, 0.5), (-0.74, 0.34)], theme.halo, 0)
        ladder(plane, -0.66, 1.3, 0.24, 0.4, 9)
        for sign in (-1, 1):
            plane.disc(1.3, sign * 0.4, 0.08, colour)
        below = _turned(under, turn, 0.16, 0.2)
        return f'<g opacity=".4">{below}</g><g opacity=".75">{_turned(rim, turn)}</g>{_turned(plane, turn)}'
    x, y = offsets[-1]
    length = math.hypot(x, y)
    run = math.degrees(math.atan2(y, x)) if length else turn
    rim.face([(-1.12, -0.38), (length + 1.12, -0.38), (length + 1.12, 0.38), (-1.12, 0.38)], theme.halo, 0)
    ladder(plane, -1.0, length + 1.0, 0.26, 0.26, 13)
    for end in (-1.0, length + 1.0):
        for sign in (-1, 1):
            plane.disc(end, sign * 0.26, 0.1, colour)
    drawn = f'<g opacity=".75">{_turned(rim, run)}</g>{_turned(plane, run)}'
    if stands != "carried":
        return drawn
    for sign in (-1, 1):
        under.line([(-1.0, sign * 0.26), (length + 1.0, sign * 0.26)], 0.12, SHADE)
    return f'<g opacity=".4">{_turned(under, run, 0.18, 0.26)}</g>{drawn}'


def _bridge(theme: Theme, offsets: Offsets, turn: int, stands: str, colour: Colour) -> str:
    """Draw a drawbridge: down, its planks lie from the gate to the far bank between chains; up, they close
    the gate.
    """
    cos, sin = turned(turn)
    runs = [x * cos + y * sin for x, y in offsets]
    gate, far = max(runs) + 0.866, min(runs) - 0.95
    plane = Plane(theme)
    if stands == "raised":
        leaf(plane, gate)
        d = way([(x * UNIT, y * UNIT) for x, y in berth_of(far, gate)], True)
        lines = "".join(
            shape(d, None, fill, wide * UNIT, stroke_dasharray="70 70")
            for fill, wide in ((INK, 0.07), (WHITE, 0.04))
        )
        return moved(lines, 0, 0, turn) + _turned(plane, turn)
    planks(plane, far, gate)
    cast = [[(x * cos - y * sin, x * sin + y * cos) for x, y in planks_of(far, gate)]]
    return _shadow(theme, cast, 0.12) + _turned(plane, turn)


def _leaves(
    drawn: Callable[[Plane, str], None],
    theme: Theme,
    offsets: Offsets,
    turn: int,
    stands: str,
    colour: Colour,
) -> str:
    """Draw a door or a gate on each side of its hex that it closes."""
    plane = Plane(theme)
    drawn(plane, stands)
    return "".join(_turned(plane, side) for side in built_in.turns_of_door(offsets) or (turn,))


def _crossing(theme: Theme, offsets: Offsets, turn: int, stands: str, colour: Colour) -> str:
    """Draw a wooden bridge, or its ruins."""
    plane = Plane(theme)
    crossing(plane, stands)
    return plane.written()


def _staged(
    draw: Callable[[Plane, float, float], None],
    theme: Theme,
    offsets: Offsets,
    turn: int,
    stands: str,
    colour: Colour,
) -> str:
    """Draw something that stands over the heads of others, hex by hex."""
    plane = Plane(theme)
    for x, y in offsets:
        draw(plane, x, y)
    return _shadow(theme, [stage_of(x, y) for x, y in offsets], 0.2) + plane.written()


def _tunnel(theme: Theme, offsets: Offsets, turn: int, stands: str, colour: Colour) -> str:
    """Draw a mine, hex by hex."""
    plane = Plane(theme)
    for x, y in offsets:
        tunnel(plane, x, y)
    return plane.written()


def _piece(piece: Piece, theme: Theme, offsets: Offsets, turn: int, stands: str, colour: Colour) -> str:
    """Draw something that looks the same however it stands."""
    plane = Plane(theme)
    piece.draw(plane, colour)
    return _turned(plane, turn) if piece.turns else plane.written()


_crate: Callable[[Theme, Offsets, int, str, Colour], str] = partial(
    _piece, replace(CRATE, draw=partial(crate, wood=mix(WOOD, WHITE, 0.1)))
)
_DRAWN: dict[str, Callable[[Theme, Offsets, int, str, Colour], str]] = {
    "drawbridge": _bridge,
    "door": partial(_leaves, door),
    "gate": partial(_leaves, gate),
    "bridge": _crossing,
    "scaffold": partial(_staged, scaffold),
    "hoarding": partial(_staged, hoarding),
    "gangway": partial(_staged, gangway),
    "shaft": partial(_staged, pit),
    "mine": _tunnel,
    "winch": partial(_piece, PIECES["winch"]),
    "mantlet": partial(_piece, PIECES["mantlet"]),
    "ladder": _ladder,
    "siege-tower": _siege_tower,
    "ram": _ram,
    "penthouse": partial(_ram, beam=False),
    "ballista": partial(_piece, PIECES["ballista"]),
    "trebuchet": partial(_piece, PIECES["trebuchet"]),
    "mangonel": partial(_piece, PIECES["mangonel"]),
    "oil": partial(_piece, PIECES["oil"]),
    "cauldron": partial(_piece, PIECES["cauldron"]),
    "stones": partial(_piece, PIECES["stones"]),
    "fascine": partial(_piece, PIECES["fascine"]),
}
