"""Engines and equipment as pieces of SVG, round the middle of the first of their hexes: one function for each kind."""

from __future__ import annotations

import math
from collections.abc import Sequence

from . import engines
from .long_counters import DARK_WOOD, LEATHER, STEEL, WOOD
from .palette import INK, WHITE, Colour, mix
from .svg_pen import UNIT, Book, Plane, Spot, moved, shape, turned, way
from .themes import Theme

PALE, ROPE = engines.PALE, engines.ROPE
HIDES: Colour = (146, 104, 72)
BOARD: Colour = (150, 108, 62)
SHADE: Colour = (20, 14, 6)
Offsets = tuple[Spot, ...]
Hexes = Sequence[Sequence[Spot]]


def thing(book: Book, kind: str, stands: str, offsets: Offsets, turn: int, colour: Colour) -> str:
    """Return a thing; ``offsets`` are the middles of its hexes from the first one, in hex radii, ``turn`` is where it faces, in degrees."""
    rounded = tuple((round(x, 2), round(y, 2)) for x, y in offsets)
    return book.put(
        ("thing", kind, stands, rounded, turn, colour), lambda: _DRAWN.get(kind, _crate)(book.theme, offsets, turn, stands, colour)
    )


def front(book: Book, offsets: Offsets, turn: int, colour: Colour) -> tuple[str, Spot]:
    """Return a broad arrow that says "this way is the front", and where it lies from the first hex, in scene units."""
    run, side, _ = engines.front(offsets, turn)
    cos, sin = turned(turn)
    run += 0.04

    def draw() -> str:
        plane = Plane(book.theme)
        for grow, fill in ((0.12, INK), (0.07, WHITE), (0.0, colour)):
            plane.face([(-0.14 - grow, -0.24 - grow), (0.2 + grow * 1.4, 0), (-0.14 - grow, 0.24 + grow), (-0.05, 0)], fill, 0)
        return plane.written()

    place = ((run * cos - side * sin) * UNIT, (run * sin + side * cos) * UNIT)
    return moved(book.put(("front", colour), draw), 0, 0, turn), place


def _hexes(offsets: Offsets) -> list[list[Spot]]:
    return [[(x + math.cos(math.radians(a)), y + math.sin(math.radians(a))) for a in range(0, 360, 60)] for x, y in offsets]


def _border(hexes: Hexes) -> list[tuple[Spot, Spot, Spot]]:
    """Return the sides of a group of hexes that have none of it beyond, each with the way outwards."""
    large = [[(x * 100, y * 100) for x, y in corners] for corners in hexes]
    return [((a[0] / 100, a[1] / 100), (b[0] / 100, b[1] / 100), out) for a, b, out in engines.border(large)]


def _shadow(theme: Theme, faces: Hexes, high: float) -> str:
    if not theme.shadows:
        return ""
    d = "".join(way([(x * UNIT, y * UNIT) for x, y in face], True) for face in faces)
    return shape(d, SHADE, SHADE, 0.1 * UNIT, transform=f"translate({round(high * UNIT)} {round(high * UNIT * 0.8)})", opacity=".4")


def _turned(plane: Plane, turn: float, x: float = 0, y: float = 0) -> str:
    return moved(plane.written(), x * UNIT, y * UNIT, turn)


def _between(a: Spot, b: Spot, share: float) -> Spot:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def beyond(corners: Sequence[Spot], at: Spot, normal: Spot) -> list[Spot]:
    """Return what of a convex shape lies on that side of a line through a place to which its normal points."""
    found = []
    for one, other in zip(corners, [*corners[1:], corners[0]], strict=True):
        here, there = ((p[0] - at[0]) * normal[0] + (p[1] - at[1]) * normal[1] for p in (one, other))
        if here >= 0:
            found.append(one)
        if here * there < 0:
            found.append(_between(one, other, here / (here - there)))
    return found


def _ruled(corners: Sequence[Spot], turn: float, step: float) -> list[tuple[Spot, Spot]]:
    """Return the joints of boards that run over a shape in a direction."""
    cos, sin = turned(turn)
    heights = [-x * sin + y * cos for x, y in corners]
    found = []
    for i in range(math.ceil(min(heights) / step), math.floor(max(heights) / step) + 1):
        cut = [
            _between(one, other, (i * step - low) / (high - low))
            for one, other, low, high in zip(corners, [*corners[1:], corners[0]], heights, [*heights[1:], heights[0]], strict=True)
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
            ends = [(x + out[0] * 0.17, y + out[1] * 0.17) for x, y in (_between(a, b, 0.26), _between(a, b, 0.74))]
            plane.line(ends, 0.2, INK)
            plane.line(ends, 0.12, DARK_WOOD)


def _siege_tower(theme: Theme, offsets: Offsets, turn: int, stands: str, colour: Colour) -> str:
    """Draw a siege tower from above: its platform of planks within a breastwork of stakes, wheels, the ramp in front."""
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
                plane.line([_between(a, b, 0.2), _between(a, b, 0.8)], wide, fill)
            for i in range(1, 7):
                x, y = _between(a, b, 0.14 + 0.72 * i / 7)
                plane.line([(x - out[0] * 0.1, y - out[1] * 0.1), (x + out[0] * 0.1, y + out[1] * 0.1)], 0.035, INK)
            continue
        stakes = [(_between(a, b, (i + 0.3) / 4), _between(a, b, (i + 0.6) / 4)) for i in range(4)]
        for wide, fill in ((0.19, INK), (0.12, PALE)):
            for p, q in stakes:
                plane.line([p, q], wide, fill)
    return _shadow(theme, hexes, 0.42) + plane.written()


def _ram(theme: Theme, offsets: Offsets, turn: int, stands: str, colour: Colour) -> str:
    """Draw a ram from above: the log with its iron head under a steep roof of hides, light on one side and dark on the other."""
    hexes = _hexes(offsets)
    sides = _border(hexes)
    cos, sin = turned(turn)
    run, side, back = engines.front(offsets, turn)
    across = [-x * sin + y * cos for x, y in offsets]
    middle = (max(across) + min(across)) / 2
    log, head, roof, ridge = Plane(theme), Plane(theme), Plane(theme), Plane(theme)
    for wide, fill in ((0.3, INK), (0.22, BOARD)):
        log.line([(back * 0.2, 0), (run + 0.3, 0)], wide, fill)
    _wheels(roof, sides, turn)
    _boards(roof, hexes, turn + 90, HIDES, 0.3)
    away = 1 if cos - sin >= 0 else -1
    at, normal = (-sin * middle, cos * middle), (-sin * away, cos * away)
    dark = "".join(way([(x * UNIT, y * UNIT) for x, y in beyond(corners, at, normal)], True) for corners in hexes)
    for wide, fill in ((0.16, INK), (0.09, ROPE)):
        ridge.line([(back + 0.16, 0), (run - 0.16, 0)], wide, fill)
    rim = Plane(theme)
    for a, b, _ in sides:
        rim.line([a, b], 0.13, INK)
    for a, b, _ in sides:
        for i in range(6):
            rim.disc(*_between(a, b, (i + 0.5) / 6), 0.045, ROPE, 0)
    head.face(
        [(run + 0.02, -0.17), (run + 0.4, -0.2), (run + 0.56, -0.07), (run + 0.56, 0.07), (run + 0.4, 0.2), (run + 0.02, 0.17)], STEEL
    )
    for x in (0.18, 0.34):
        head.line([(run + x, -0.17), (run + x, 0.17)], 0.05, INK)
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


def _rungs(plane: Plane, start: float, end: float, narrow: float, wide: float, count: int) -> None:
    """Draw a ladder from a foot to a head that may be broader, because it is nearer to the eye."""
    for thick, colour in ((0.13, INK), (0.07, PALE)):
        for i in range(count):
            share = (i + 0.5) / count
            half, run = narrow + (wide - narrow) * share, start + (end - start) * share
            plane.line([(run, -half), (run, half)], thick, colour)
        for sign in (-1, 1):
            plane.line([(start, sign * narrow), (end, sign * wide)], thick * 1.15, colour)


def _ladder(theme: Theme, offsets: Offsets, turn: int, stands: str, colour: Colour) -> str:
    """Draw a ladder: upright it leans over the wall it faces and broadens upwards; else flat, and above its shadow if it is carried."""
    plane, under = Plane(theme), Plane(theme)
    if stands == "raised":
        under.face([(-0.62, -0.2), (1.0, -0.36), (1.0, 0.36), (-0.62, 0.2)], SHADE, 0)
        _rungs(plane, -0.66, 1.3, 0.2, 0.36, 9)
        for sign in (-1, 1):
            plane.disc(1.3, sign * 0.36, 0.08, colour)
        return f'<g opacity=".4">{_turned(under, turn, 0.16, 0.2)}</g>{_turned(plane, turn)}'
    x, y = offsets[-1]
    length = math.hypot(x, y)
    run = math.degrees(math.atan2(y, x)) if length else turn
    _rungs(plane, -0.84, length + 0.84, 0.22, 0.22, 12)
    if stands != "carried":
        return _turned(plane, run)
    for sign in (-1, 1):
        under.line([(-0.84, sign * 0.22), (length + 0.84, sign * 0.22)], 0.12, SHADE)
    return f'<g opacity=".4">{_turned(under, run, 0.18, 0.26)}</g>{_turned(plane, run)}'


def _bridge(theme: Theme, offsets: Offsets, turn: int, stands: str, colour: Colour) -> str:
    """Draw a drawbridge: down, its planks lie from the gate to the far bank between chains; up, they close the gate."""
    cos, sin = turned(turn)
    runs = [x * cos + y * sin for x, y in offsets]
    gate, far = max(runs) + 0.866, min(runs) - 0.95
    plane = Plane(theme)
    if stands == "raised":
        plane.face([(gate - 0.16, -0.5), (gate - 0.16, 0.5), (gate + 0.1, 0.5), (gate + 0.1, -0.5)], WOOD, 0.07)
        for y in (-0.33, -0.17, 0.0, 0.17, 0.33):
            plane.line([(gate - 0.14, y), (gate + 0.08, y)], 0.04, DARK_WOOD)
        for x in (-0.1, 0.04):
            plane.line([(gate + x, -0.47), (gate + x, 0.47)], 0.06, STEEL)
        for sign in (-1, 1):
            plane.disc(gate, sign * 0.56, 0.1, STEEL)
        berth = [(far, -0.44), (far, 0.44), (gate - 0.2, 0.44), (gate - 0.2, -0.44)]
        d = way([(x * UNIT, y * UNIT) for x, y in berth], True)
        lines = "".join(shape(d, None, fill, wide * UNIT, stroke_dasharray="70 70") for fill, wide in ((INK, 0.07), (WHITE, 0.04)))
        return moved(lines, 0, 0, turn) + _turned(plane, turn)
    planks = [(far, -0.46), (far, 0.46), (gate + 0.02, 0.46), (gate + 0.02, -0.46)]
    plane.face(planks, WOOD, 0.07)
    for i in range(1, int((gate - far) / 0.15)):
        plane.line([(far + i * 0.15, -0.43), (far + i * 0.15, 0.43)], 0.035, DARK_WOOD)
    for y in (-0.4, 0.4):
        plane.line([(far + 0.03, y), (gate, y)], 0.07, DARK_WOOD)
    for sign in (-1, 1):
        start, end = (far + 0.2, sign * 0.42), (gate + 0.06, sign * 0.62)
        plane.line([start, end], 0.075, INK)
        for i in range(9):
            plane.disc(*_between(start, end, (i + 0.5) / 9), 0.028, STEEL, 0)
        plane.disc(*end, 0.1, STEEL)
    cast = [[(x * cos - y * sin, x * sin + y * cos) for x, y in planks]]
    return _shadow(theme, cast, 0.12) + _turned(plane, turn)


def _winch(theme: Theme, offsets: Offsets, turn: int, stands: str, colour: Colour) -> str:
    """Draw a winch from above, low in its hex: a drum with four spokes."""
    plane = Plane(theme)
    x, y = -0.56, 0.5
    for spoke in (35, 125):
        dx, dy = (part * 0.27 for part in turned(spoke))
        for wide, fill in ((0.1, INK), (0.05, PALE)):
            plane.line([(x - dx, y - dy), (x + dx, y + dy)], wide, fill)
    plane.disc(x, y, 0.15, WOOD, 0.05)
    plane.disc(x, y, 0.06, STEEL, 0.03)
    return plane.written()


def _ballista(theme: Theme, offsets: Offsets, turn: int, stands: str, colour: Colour) -> str:
    """Draw a ballista from above: stand, slide with its bolt, the bow and its string."""
    plane = Plane(theme)
    for sign in (-1, 1):
        for wide, fill in ((0.17, INK), (0.1, DARK_WOOD)):
            plane.line([(0.28, sign * 0.12), (-0.62, sign * 0.46)], wide, fill)
    plane.face([(-0.74, -0.13), (0.6, -0.13), (0.6, 0.13), (-0.74, 0.13)], WOOD, 0.05)
    arms = [(0.2, -0.8), (0.42, -0.5), (0.5, -0.16), (0.5, 0.16), (0.42, 0.5), (0.2, 0.8)]
    for wide, fill in ((0.2, INK), (0.13, PALE)):
        plane.line(arms, wide, fill)
    for sign in (-1, 1):
        plane.line([(0.2, sign * 0.8), (-0.34, 0)], 0.045, INK)
        plane.disc(0.44, sign * 0.24, 0.12, LEATHER)
    for wide, fill in ((0.1, INK), (0.05, WHITE)):
        plane.line([(-0.34, 0), (0.7, 0)], wide, fill)
    plane.face([(0.66, -0.12), (0.92, 0.0), (0.66, 0.12)], STEEL)
    plane.disc(-0.58, 0.0, 0.11, STEEL)
    return _turned(plane, turn)


def _thrower(theme: Theme, offsets: Offsets, turn: int, stands: str, colour: Colour) -> str:
    """Draw a trebuchet from above: trestles, the long beam with its sling behind, the box of stones in front."""
    plane = Plane(theme)
    for sign in (-1, 1):
        for a, b in (((-0.62, 0.5), (0.72, 0.5)), ((-0.5, 0.5), (0.2, 0.3)), ((0.66, 0.5), (0.2, 0.3))):
            for wide, fill in ((0.14, INK), (0.08, WOOD)):
                plane.line([(a[0], a[1] * sign), (b[0], b[1] * sign)], wide, fill)
    for wide, fill in ((0.12, INK), (0.06, STEEL)):
        plane.line([(0.2, -0.4), (0.2, 0.4)], wide, fill)
    for wide, fill in ((0.17, INK), (0.1, PALE)):
        plane.line([(-0.92, 0.0), (0.62, 0.0)], wide, fill)
    plane.face([(0.4, -0.26), (0.82, -0.26), (0.82, 0.26), (0.4, 0.26)], DARK_WOOD, 0.05)
    for x, y in ((0.52, -0.12), (0.7, -0.1), (0.54, 0.1), (0.7, 0.12)):
        plane.disc(x, y, 0.085, (176, 170, 160))
    plane.line([(-0.9, 0.0), (-0.6, 0.24)], 0.05, ROPE)
    plane.disc(-0.56, 0.26, 0.13, (150, 146, 140))
    return _turned(plane, turn)


def _block(x: float, y: float, long: float, wide: float) -> list[Spot]:
    return [(x - long, y - wide), (x + long, y - wide), (x + long, y + wide), (x - long, y + wide)]


def _mangonel(theme: Theme, offsets: Offsets, turn: int, stands: str, colour: Colour) -> str:
    """Draw a mangonel from above: a frame on four wheels, the arm in its twisted rope, a spoon with a stone."""
    plane = Plane(theme)
    for x in (-0.42, 0.46):
        for sign in (-1, 1):
            plane.face(_block(x, sign * 0.56, 0.2, 0.07), DARK_WOOD)
    for sign in (-1, 1):
        plane.face(_block(0.03, sign * 0.36, 0.69, 0.09), WOOD, 0.04)
    for x in (-0.6, 0.64):
        plane.face(_block(x, 0.0, 0.07, 0.34), WOOD, 0.04)
    for i in range(6):
        y = -0.3 + i * 0.12
        for wide, fill in ((0.09, INK), (0.05, ROPE)):
            plane.line([(0.12, y), (0.24, y + 0.06)], wide, fill)
    for wide, fill in ((0.17, INK), (0.1, PALE)):
        plane.line([(0.18, 0), (-0.62, 0)], wide, fill)
    plane.disc(-0.72, 0, 0.19, DARK_WOOD)
    plane.disc(-0.72, 0, 0.12, (190, 184, 174))
    return _turned(plane, turn)


def _mantlet(theme: Theme, offsets: Offsets, turn: int, stands: str, colour: Colour) -> str:
    """Draw a mantlet from above: a broad screen of boards along the side it shelters, with its struts behind."""
    plane = Plane(theme)
    for sign in (-1, 1):
        for wide, fill in ((0.1, INK), (0.05, WOOD)):
            plane.line([(0.72, sign * 0.36), (0.42, sign * 0.44)], wide, fill)
    plane.face([(0.66, -0.55), (0.86, -0.55), (0.86, 0.55), (0.66, 0.55)], PALE, 0.06)
    for i in range(1, 7):
        y = -0.55 + i * 1.1 / 7
        plane.line([(0.68, y), (0.84, y)], 0.04, DARK_WOOD)
    plane.line([(0.8, -0.5), (0.8, 0.5)], 0.05, colour)
    return _turned(plane, turn)


def _barrel(theme: Theme, offsets: Offsets, turn: int, stands: str, colour: Colour) -> str:
    """Draw a barrel of oil, low in its hex beside who carries it."""
    plane = Plane(theme)
    x, y = 0.6, 0.56
    plane.disc(x + 0.05, y + 0.06, 0.22, (40, 30, 20), 0)
    plane.disc(x, y, 0.22, DARK_WOOD, 0.06)
    plane.disc(x, y, 0.15, (26, 22, 20), 0.05)
    plane.line([(x - 0.07, y - 0.05), (x + 0.05, y - 0.08)], 0.04, (180, 170, 140))
    for spoke in (20, 140, 260):
        dx, dy = turned(spoke)
        plane.line([(x + dx * 0.16, y + dy * 0.16), (x + dx * 0.22, y + dy * 0.22)], 0.05, STEEL)
    return plane.written()


def _crate(theme: Theme, offsets: Offsets, turn: int, stands: str, colour: Colour) -> str:
    """Draw a chest, for a thing of a kind that has no drawing."""
    plane = Plane(theme)
    plane.face([(-0.5, -0.36), (0.5, -0.36), (0.5, 0.36), (-0.5, 0.36)], mix(WOOD, WHITE, 0.1), 0.06)
    plane.line([(-0.5, 0), (0.5, 0)], 0.06, DARK_WOOD)
    plane.disc(0, 0, 0.1, STEEL)
    return plane.written()


_DRAWN = {
    "drawbridge": _bridge,
    "winch": _winch,
    "mantlet": _mantlet,
    "ladder": _ladder,
    "siege-tower": _siege_tower,
    "ram": _ram,
    "ballista": _ballista,
    "trebuchet": _thrower,
    "mangonel": _mangonel,
    "oil": _barrel,
}
