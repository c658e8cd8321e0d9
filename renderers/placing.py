"""Where things are on a table without a grid, in words: inches from two edges, where they look, on which
ground, how far what is from what.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

from pbem.core.scene import OUT, TURN, Circle, Measure, Point, Scene, Sector, Token
from pbem.geometry.plane import INCH, direction, in_arc, inches

from . import laid
from .laid import Spot
from .lettering import plain

COMPASS: Final = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")


def length(measure: Measure, units: float) -> str:
    """Return a length in scene units as players write it: ``7.5"``."""
    return inches(round(units * INCH / measure.unit)) + measure.sign


def from_edges(measure: Measure, point: Point) -> str:
    """Return how far a point is from the left and from the lower edge of a table: ``24.5" right, 9" up``."""
    x, y = (length(measure, part) for part in measure.place(point))
    return f"{x} right, {y} up"


def compass(angle: int) -> str:
    """Return an angle as the nearest of eight directions: ``north-east``."""
    return COMPASS[round(angle / (TURN / 8)) % 8]


def standing(scene: Scene, point: Point) -> list[str]:
    """Return the areas, and the pieces of building, on which a point of a table lies, the highest last."""
    spots: list[tuple[Sequence[Point] | Sequence[Spot], str]] = [
        (laid.outline(area.centre, area.form, area.angle) if area.form else area.corners, area.at)
        for area in scene.areas
    ]
    spots += [
        (laid.outline(thing.cells[0], thing.form, thing.angle), thing.id)
        for thing in scene.things
        if thing.form and thing.cells
    ]
    return [name for corners, name in spots if len(corners) > 2 and laid.inside(point, list(corners))]


def table(measure: Measure) -> str:
    """Return how large a table is, and how places on it are told."""
    left, top, right, low = measure.box
    wide, high = (inches(round(part * INCH / measure.unit)) for part in (right - left, low - top))
    return (
        f"The table is {wide} {measure.names[1]} wide and {high} deep; places are told from its left edge "
        "(right) and from its lower edge (up), and the upper edge is north."
    )


def measured(scene: Scene) -> str:
    """Return what was measured, and the arcs that are shown."""
    if scene.measure is None:
        return ""
    lines = [
        f"- {from_edges(scene.measure, span.start)} to {from_edges(scene.measure, span.end)}: "
        + ", ".join(
            part
            for part in (length(scene.measure, math.dist(span.start, span.end)), plain(span.text, 60))
            if part
        )
        for span in scene.spans
    ]
    for sector in scene.sectors:
        reach = length(scene.measure, sector.radius)
        wide = (
            "all round"
            if sector.width >= TURN
            else f"{sector.width // 10} degrees facing {compass(sector.angle)}"
        )
        whose = plain(sector.of, 40) or from_edges(scene.measure, sector.centre)
        about = f" ({plain(sector.text, 40)})" if sector.text else ""
        hit = ", ".join(plain(token.id, 40) for token in within(scene, sector))
        lines.append(f"- {whose}, {wide}, {reach}{about}: {hit or 'nobody'} in it")
    return "\n".join(["Measured", *lines]) if lines else ""


def within(scene: Scene, sector: Sector) -> list[Token]:
    """Return the figures, but for its own, of which any part lies under an arc as it is drawn; of an
    oblong base as far as half its lesser side.
    """
    return [
        token
        for token in scene.tokens
        if token.id != sector.of and token.cells and token.look != OUT and _under(token, sector)
    ]


def _under(token: Token, sector: Sector) -> bool:
    form = token.form
    reach = (
        0 if form is None else form.radius if isinstance(form, Circle) else min(form.width, form.depth) // 2
    )
    x, y = token.cells[0][0] - sector.centre[0], sector.centre[1] - token.cells[0][1]
    square = x * x + y * y
    if square > (sector.radius + reach) ** 2 or square < max(0, sector.inner - reach) ** 2:
        return False
    parts = sector.width // 1200 + 1  # each narrower than half a turn
    turns = [sector.angle + sector.width * part // parts - sector.width // 2 for part in range(parts + 1)]
    return sector.width >= TURN or any(
        in_arc((0, 0), (direction(left), direction(right)), (x, y), reach)
        for left, right in pairwise(turns)
        if left < right
    )


def lying(scene: Scene) -> Callable[[Sequence[str]], str]:
    """Return what says where areas of a table lie: how far from its edges their box reaches."""
    corners = {
        area.at: laid.outline(area.centre, area.form, area.angle) if area.form else area.corners
        for area in scene.areas
    }

    def said(names: Sequence[str]) -> str:
        return "; ".join(_box(scene, plain(name, 24), corners[name]) for name in names)

    return said


def _box(scene: Scene, name: str, corners: Sequence[Point] | Sequence[Spot]) -> str:
    measure = scene.measure
    if measure is None or not corners:
        return name
    places = [measure.place((round(x), round(y))) for x, y in corners]
    (left, right), (low, top) = ((min(each), max(each)) for each in zip(*places, strict=True))
    return (
        f"{name} from {length(measure, left)} to {length(measure, right)} right, "
        f"{length(measure, low)} to {length(measure, top)} up"
    )
