"""What a piece of building on a table is beside its masonry: gates that are open or shut, ladders, planks,
and the cracks of one that has lost clicks of its dial.

Everything is worked out as lines and faces in hand's breadths round the middle of the piece, looking up, so
that both pictures draw the same.
"""

from __future__ import annotations

import random
from typing import Final

from msgspec import Struct

from pbem.core.scene import Circle, Form, Rectangle, Scene, Thing

from ..frame import Spot

DARK, WOOD, IRON, CRACK, SHADE = "dark", "wood", "iron", "crack", "shade"
"""What a stroke is made of."""
STEPS: Final = 4
"""How many degrees of damage are told apart."""
CRACKS: Final = (0, 2, 4, 7, 11)
"""Cracks of a piece at each of them."""


class Stroke(Struct, frozen=True):
    """A line (``wide`` hand's breadths) or, with ``wide`` 0, a face, of some stuff."""

    stuff: str
    points: tuple[Spot, ...]
    wide: float = 0.0


def kind_of(thing: Thing) -> str:
    """Return what a piece is drawn as, such as ``gate open``, ``ladder``, ``plank``; empty: masonry."""
    first = thing.kind.split(" ")[0]
    if first == "portal":
        return "gate open" if thing.stands == "open" else "gate shut"
    return first if first in ("ladder", "plank") else ""


def harm_of(thing: Thing) -> int:
    """Return how harmed a piece is: 0 (not at all) to ``STEPS``."""
    if thing.dial is None or thing.dial[0] >= thing.dial[1]:
        return 0
    left, whole = thing.dial
    return min(STEPS, 1 + STEPS * (whole - left - 1) // max(1, whole - 1))


def strokes(kind: str, form: Form, unit: float, harm: int = 0, seed: str = "") -> tuple[Stroke, ...]:
    """Return the strokes over the face of a piece; ``unit`` scene units are a hand's breadth."""
    if isinstance(form, Circle):
        across, deep = form.radius / unit, form.radius / unit
    else:
        across, deep = form.width / 2 / unit, form.depth / 2 / unit
    if kind.startswith("gate"):
        return _gate(across, deep, kind.endswith("open"))
    if kind == "ladder":
        return _ladder(across, deep)
    if kind == "plank":
        return _boards(across, deep)
    return _cracks(across, deep, harm, seed, round_=isinstance(form, Circle))


def _box(left: float, top: float, right: float, low: float) -> tuple[Spot, ...]:
    return ((left, top), (right, top), (right, low), (left, low))


def _gate(across: float, deep: float, open_: bool) -> tuple[Stroke, ...]:
    if open_:
        leaf = across * 0.16
        return (
            Stroke(DARK, _box(-across, -deep, across, deep)),
            Stroke(WOOD, _box(-across, -deep * 1.7, -across + leaf, deep)),
            Stroke(WOOD, _box(across - leaf, -deep * 1.7, across, deep)),
        )
    found = [Stroke(WOOD, _box(-across, -deep, across, deep)), Stroke(IRON, ((0, -deep), (0, deep)), 0.05)]
    found += [Stroke(IRON, ((-across, y * deep), (across, y * deep)), 0.07) for y in (-0.45, 0.45)]
    return tuple(found)


def _ladder(across: float, deep: float) -> tuple[Stroke, ...]:
    rail = across * 0.68
    found = [Stroke(SHADE, ((x + 0.06, -deep), (x + 0.06, deep + 0.06)), 0.13) for x in (-rail, rail)]
    count = max(3, round(deep * 2 / 0.2))
    for n in range(count):
        y = -deep + (n + 0.5) * deep * 2 / count
        found.append(Stroke(DARK, ((-rail, y), (rail, y)), 0.1))
        found.append(Stroke(WOOD, ((-rail, y), (rail, y)), 0.05))
    for x in (-rail, rail):
        found.append(Stroke(DARK, ((x, -deep), (x, deep)), 0.15))
        found.append(Stroke(WOOD, ((x, -deep), (x, deep)), 0.09))
    return tuple(found)


def _boards(across: float, deep: float) -> tuple[Stroke, ...]:
    found = [Stroke(WOOD, _box(-across, -deep, across, deep))]
    count = max(2, round(deep * 2 / 0.3))
    lines = (-deep + n * deep * 2 / count for n in range(1, count))
    return (*found, *(Stroke(IRON, ((-across, y), (across, y)), 0.04) for y in lines))


def _cracks(across: float, deep: float, harm: int, seed: str, *, round_: bool) -> tuple[Stroke, ...]:
    chance = random.Random(f"cracks {seed}")
    found = []
    for n in range(CRACKS[harm]):
        x, y = chance.uniform(-0.85, 0.85) * across, (-1 if n % 2 else 1) * deep
        if round_:
            x, y = x * 0.6, y * 0.75
        points = [(x, y)]
        for _ in range(3 + harm // 2):
            x += chance.uniform(-0.22, 0.22)
            y += (0.1 + chance.random() * 0.16) * (-1 if points[0][1] > 0 else 1)
            points.append((x, y))
        found.append(Stroke(CRACK, tuple(points), 0.05 + 0.015 * harm))
        if harm > 1:
            bx, by = points[0]
            inward = -1 if by > 0 else 1
            bite = (
                (bx - 0.18, by),
                (bx - 0.05, by + 0.2 * inward),
                (bx + 0.1, by + 0.12 * inward),
                (bx + 0.2, by),
            )
            found.append(Stroke(CRACK, bite))
    return tuple(found)


def kinds(scene: Scene) -> list[Thing]:
    """Return of each kind of piece on a table one that stands for it in the legend."""
    found = {
        (thing.kind, kind_of(thing) or thing.ground): thing
        for thing in scene.things
        if thing.form and thing.cells
    }
    return list(found.values())


def sample(kind: str) -> tuple[Stroke, ...]:
    """Return the strokes of a small picture of a kind of piece for the legend; none where it is masonry."""
    if not kind:
        return ()
    across, deep = (0.62, 0.3) if kind != "ladder" else (0.3, 0.4)
    form = Rectangle(round(across * 2000), round(deep * 2000))
    return strokes(kind, form, 1000)


def words_of(thing: Thing) -> str:
    """Return what a piece is called in the legend: its kind, and how it stands where that is drawn."""
    stands = thing.stands if kind_of(thing).startswith("gate") else ""
    return f"{thing.kind.replace('-', ' ')}{', ' if stands else ''}{stands}"
