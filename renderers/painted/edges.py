"""What stands on the sides between hexes: walls, doors, windows, battlements, hedges, crests; drawn twice as
large and then reduced.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence

from PIL import Image

from pbem.core.scene import Edge

from ..frame import Frame, Spot
from ..palette import Colour
from .pens import Draw, pen

STONE: Colour = (214, 208, 196)
DARK: Colour = (46, 38, 30)
TIMBER: Colour = (126, 82, 40)
BROW: Colour = (84, 56, 22)


def along(a: Spot, b: Spot, share: float) -> Spot:
    """Return the point at a share of the way from a to b."""
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _line(draw: Draw, a: Spot, b: Spot, colour: Colour, width: float) -> None:
    draw.line((*a, *b), fill=colour, width=max(1, round(width)))


def _knob(draw: Draw, at: Spot, radius: float, colour: Colour) -> None:
    draw.ellipse((at[0] - radius, at[1] - radius, at[0] + radius, at[1] + radius), fill=colour)


def _bar(draw: Draw, a: Spot, b: Spot, unit: float, width: float, inside: Colour = STONE) -> None:
    """Draw a dark bar with a light core and round ends."""
    for at in (a, b):
        _knob(draw, at, unit * width / 2, DARK)
    _line(draw, a, b, DARK, unit * width)
    core = unit * width * 0.52
    for at in (a, b):
        _knob(draw, at, core / 2, inside)
    _line(draw, a, b, inside, core)


def normal(a: Spot, b: Spot, inward: Spot) -> Spot:
    """Return the unit vector from an edge towards the hex it belongs to."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = math.hypot(dx, dy) or 1.0
    nx, ny = -dy / length, dx / length
    middle = along(a, b, 0.5)
    towards = (inward[0] - middle[0]) * nx + (inward[1] - middle[1]) * ny
    return (nx, ny) if towards >= 0 else (-nx, -ny)


def _wall(draw: Draw, a: Spot, b: Spot, n: Spot, unit: float, seed: str) -> None:
    _bar(draw, a, b, unit, 0.2)


def _gap(draw: Draw, a: Spot, b: Spot, unit: float) -> tuple[Spot, Spot]:
    first, second = along(a, b, 0.22), along(a, b, 0.78)
    _bar(draw, a, first, unit, 0.2)
    _bar(draw, second, b, unit, 0.2)
    return first, second


def _off(at: Spot, n: Spot, along_: Spot, out: float, share: float) -> Spot:
    """Return a place that lies ``out`` beyond an edge and a share of a vector along it."""
    return at[0] - n[0] * out + along_[0] * share, at[1] - n[1] * out + along_[1] * share


def _swing(n: Spot, unit: float) -> float:
    """Return how far beyond its edge an open leaf reaches: inwards where the number of the hex below would
    stand under it.
    """
    return unit * (-0.36 if n[1] < -0.9 else 0.4)


def _leaf(draw: Draw, hinge: Spot, end: Spot, unit: float) -> None:
    """Draw the leaf of a door that stands open, from above."""
    _line(draw, hinge, end, DARK, unit * 0.15)
    _knob(draw, end, unit * 0.075, DARK)
    _line(draw, hinge, end, TIMBER, unit * 0.085)


def _sill(draw: Draw, first: Spot, second: Spot, unit: float) -> None:
    """Draw the light sill of an opening one can walk through."""
    _line(draw, first, second, DARK, unit * 0.13)
    _line(draw, first, second, (244, 232, 196), unit * 0.075)


def _door(draw: Draw, a: Spot, b: Spot, n: Spot, unit: float, seed: str) -> None:
    first, second = _gap(draw, a, b, unit)
    _sill(draw, first, second, unit)
    way = (second[0] - first[0], second[1] - first[1])
    _leaf(draw, first, _off(first, n, way, _swing(n, unit), 0.3), unit)


def _window(draw: Draw, a: Spot, b: Spot, n: Spot, unit: float, seed: str) -> None:
    _wall(draw, a, b, n, unit, seed)
    first, second = along(a, b, 0.24), along(a, b, 0.76)
    _line(draw, first, second, DARK, unit * 0.3)
    for low, high in ((0.29, 0.475), (0.525, 0.71)):
        _line(draw, along(a, b, low), along(a, b, high), (188, 224, 244), unit * 0.19)
    for share in (0.24, 0.76):
        at = along(a, b, share)
        _line(
            draw, _off(at, n, (0, 0), unit * 0.24, 0), _off(at, n, (0, 0), -unit * 0.02, 0), DARK, unit * 0.07
        )


def _slit(draw: Draw, a: Spot, b: Spot, n: Spot, unit: float, seed: str) -> None:
    _wall(draw, a, b, n, unit, seed)
    middle = along(a, b, 0.5)
    _line(
        draw,
        (middle[0] - n[0] * unit * 0.16, middle[1] - n[1] * unit * 0.16),
        (middle[0] + n[0] * unit * 0.16, middle[1] + n[1] * unit * 0.16),
        DARK,
        unit * 0.09,
    )


def _gate(draw: Draw, a: Spot, b: Spot, n: Spot, unit: float, seed: str) -> None:
    first, second = _gap(draw, a, b, unit)
    _sill(draw, first, second, unit)
    way = (second[0] - first[0], second[1] - first[1])
    _leaf(draw, first, _off(first, n, way, _swing(n, unit) * 0.86, 0.08), unit)
    _leaf(draw, second, _off(second, n, way, _swing(n, unit) * 0.86, -0.08), unit)
    for at in (first, second):
        _knob(draw, at, unit * 0.17, DARK)
        _knob(draw, at, unit * 0.11, STONE)


def _arch(draw: Draw, a: Spot, b: Spot, n: Spot, unit: float, seed: str) -> None:
    first, second = _gap(draw, a, b, unit)
    _sill(draw, first, second, unit)
    for at in (first, second):
        _knob(draw, at, unit * 0.15, DARK)
        _knob(draw, at, unit * 0.09, STONE)


def _parapet(draw: Draw, a: Spot, b: Spot, n: Spot, unit: float, seed: str) -> None:
    _line(draw, a, b, DARK, unit * 0.13)
    for i in range(5):
        first, second = along(a, b, (i + 0.12) / 5), along(a, b, (i + 0.72) / 5)
        shift = unit * 0.06
        first, second = (
            (first[0] + n[0] * shift, first[1] + n[1] * shift),
            (second[0] + n[0] * shift, second[1] + n[1] * shift),
        )
        _line(draw, first, second, DARK, unit * 0.2)
        _line(draw, first, second, STONE, unit * 0.12)


def _steps(draw: Draw, a: Spot, b: Spot, n: Spot, unit: float, seed: str) -> None:
    for i in range(4):
        shift = unit * (0.16 - i * 0.11)
        first, second = along(a, b, 0.24), along(a, b, 0.76)
        first, second = (
            (first[0] + n[0] * shift, first[1] + n[1] * shift),
            (second[0] + n[0] * shift, second[1] + n[1] * shift),
        )
        _line(draw, first, second, DARK, unit * 0.1)
        _line(draw, first, second, STONE, unit * 0.055)


def _crest(draw: Draw, a: Spot, b: Spot, n: Spot, unit: float, seed: str) -> None:
    random_ = random.Random(seed)
    strokes = 10
    for i in range(strokes):
        start = along(a, b, (i + random_.uniform(0.25, 0.75)) / strokes)
        length = unit * (0.44 if i % 2 else 0.3) * random_.uniform(0.85, 1.15)
        if n[1] < -0.9 and 2 <= i < strokes - 2:
            length = unit * 0.13  # the number of the hex below stands here
        lean = random_.uniform(-0.1, 0.1)
        end = (
            start[0] - n[0] * length - n[1] * lean * length,
            start[1] - n[1] * length + n[0] * lean * length,
        )
        half = unit * 0.042
        draw.polygon(
            [
                (start[0] - n[1] * half, start[1] + n[0] * half),
                end,
                (start[0] + n[1] * half, start[1] - n[0] * half),
            ],
            fill=BROW,
        )
    _line(draw, a, b, BROW, unit * 0.1)
    for at in (a, b):
        _knob(draw, at, unit * 0.05, BROW)
    up = unit * 0.09
    _line(
        draw,
        (a[0] + n[0] * up, a[1] + n[1] * up),
        (b[0] + n[0] * up, b[1] + n[1] * up),
        (250, 238, 200),
        unit * 0.05,
    )


def _hedge(draw: Draw, a: Spot, b: Spot, n: Spot, unit: float, seed: str) -> None:
    random_ = random.Random(seed)
    spots = [(along(a, b, i / 9), unit * random_.uniform(0.08, 0.125)) for i in range(10)]
    for at, radius in spots:
        _knob(draw, at, radius + unit * 0.03, (34, 50, 20))
    for at, radius in spots:
        _knob(draw, at, radius, (74, 108, 46))
        _knob(draw, (at[0] - radius * 0.3, at[1] - radius * 0.3), radius * 0.45, (126, 154, 74))


def _low_wall(draw: Draw, a: Spot, b: Spot, n: Spot, unit: float, seed: str) -> None:
    _line(draw, a, b, DARK, unit * 0.11)
    for i in range(7):
        _line(draw, along(a, b, (i + 0.12) / 7), along(a, b, (i + 0.86) / 7), (186, 180, 168), unit * 0.06)


def _fence(draw: Draw, a: Spot, b: Spot, n: Spot, unit: float, seed: str) -> None:
    _line(draw, a, b, DARK, unit * 0.06)
    for i in range(5):
        _knob(draw, along(a, b, i / 4), unit * 0.06, TIMBER)


_KINDS: dict[str, Callable[[Draw, Spot, Spot, Spot, float, str], None]] = {
    "crest": _crest,
    "hedge": _hedge,
    "low-wall": _low_wall,
    "fence": _fence,
    "steps": _steps,
    "parapet": _parapet,
    "wall": _wall,
    "window": _window,
    "slit": _slit,
    "door": _door,
    "gate": _gate,
    "arch": _arch,
}
ORDER = tuple(_KINDS)
"""Kinds from the lowest to the highest; a kind that is none of these is drawn as a low wall."""


def draw_edges(picture: Image.Image, edges: Sequence[Edge], frame: Frame, times: int) -> None:
    """Draw side features on a picture that is ``times`` as large as the frame."""
    draw_sides(pen(picture, frame.theme), edges, frame, times)


def draw_sides(draw: Draw, edges: Sequence[Edge], frame: Frame, times: float = 1) -> None:
    """Draw side features with a pen, the lowest first."""
    unit = frame.hex * times
    ranked = sorted(
        edges, key=lambda edge: (ORDER.index(edge.kind) if edge.kind in _KINDS else 2, edge.at, edge.side)
    )
    for edge in ranked:
        a, b, inward = frame.spots((edge.a, edge.b, edge.inward), times)
        paint = _KINDS.get(edge.kind, _low_wall)
        paint(draw, a, b, normal(a, b, inward), unit, f"{edge.at}{edge.side}")
