"""Tables and maps without hexes, laid out for drawing: everything in hand's breadths as on a map of
hexes, and round and oblong shapes as polygons too.

Sizes of letters, strokes and patterns hang on the measures of a hex (``hexes``), so a table of any unit
is made as many scene units wide as a map of hexes usually is. What is drawn true to scale stays so:
everything grows by the same whole number.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from pbem.core.scene import (
    Area,
    Circle,
    Feature,
    Form,
    Note,
    Point,
    Rectangle,
    Scene,
    Sector,
    Span,
    Thing,
    Token,
    Trace,
)

from .hexes import SINE

Box = tuple[int, int, int, int]
Spot = tuple[float, float]

BROAD: Final = 21_600
"""Scene units that the longer side of a table is laid out in, about: 25 columns of hexes."""
ROUND: Final = 48
"""Corners of a circle that is drawn as a polygon."""


def free(scene: Scene) -> bool:
    """Tell whether a scene is a table or a map without a grid."""
    return scene.measure is not None or (
        not scene.cell[0] and any(len(area.corners) != 6 or area.form is not None for area in scene.areas)
    )


def outline(centre: Spot, form: Form, angle: float = 0, grow: float = 0) -> list[Spot]:
    """Return the corners of a shape, clockwise; of an oblong the front left one first; ``grow``: larger by so
    much all round.
    """
    x, y = centre
    if isinstance(form, Circle):
        reach = form.radius + grow
        turns = [math.tau * i / ROUND for i in range(ROUND)]
        return [(x + math.sin(turn) * reach, y - math.cos(turn) * reach) for turn in turns]
    turn = math.radians(angle / 10)
    ux, uy = math.sin(turn), -math.cos(turn)
    half, deep = form.width / 2 + grow, form.depth / 2 + grow
    return [
        (x + f * deep * ux - s * half * uy, y + f * deep * uy + s * half * ux)
        for f, s in ((1, -1), (1, 1), (-1, 1), (-1, -1))
    ]


def reach_of(form: Form) -> float:
    """Return how far a shape reaches from its middle at most."""
    return form.radius if isinstance(form, Circle) else math.hypot(form.width, form.depth) / 2


def extent(scene: Scene) -> Box:
    """Return the box round a table, or round the areas of a map without a grid."""
    if scene.measure is not None:
        return scene.measure.box
    points = [point for area in scene.areas for point in (area.corners or _corners(area, 1))]
    if not points:
        return (0, 0, 1, 1)
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def times(scene: Scene) -> int:
    """Return by how much a scene is enlarged for drawing; a map of hexes not at all, nor one laid out
    before.
    """
    if not free(scene):
        return 1
    left, top, right, bottom = extent(scene)
    return max(1, round(BROAD / max(1, right - left, bottom - top)))


def laid(scene: Scene) -> Scene:
    """Return a scene as it is drawn; a map of hexes is as it was."""
    if not free(scene):
        return scene
    by = times(scene)

    def at(point: Point) -> Point:
        return point[0] * by, point[1] * by

    measure = scene.measure
    if measure is not None:
        left, top, right, bottom = measure.box
        measure = replace(measure, box=(left * by, top * by, right * by, bottom * by), unit=measure.unit * by)
    return replace(
        scene,
        areas=_areas(scene.areas, by),
        edges=tuple(
            replace(edge, a=at(edge.a), b=at(edge.b), inward=at(edge.inward)) for edge in scene.edges
        ),
        tokens=tuple(_token(token, by) for token in scene.tokens),
        things=tuple(_thing(thing, by) for thing in scene.things),
        features=tuple(_feature(feature, by) for feature in scene.features),
        traces=tuple(_trace(trace, by) for trace in scene.traces),
        notes=tuple(Note(at(note.at), note.text, note.kind) for note in scene.notes),
        roads=tuple(tuple(at(point) for point in road) for road in scene.roads),
        sectors=tuple(_sector(sector, by) for sector in scene.sectors),
        spans=tuple(Span(at(span.start), at(span.end), span.text) for span in scene.spans),
        measure=measure,
    )


@lru_cache(maxsize=16)
def _areas(areas: tuple[Area, ...], by: int) -> tuple[Area, ...]:
    return tuple(
        replace(
            area,
            centre=(area.centre[0] * by, area.centre[1] * by),
            corners=_corners(area, by),
            form=_form(area.form, by),
        )
        for area in areas
    )


def _corners(area: Area, by: int) -> tuple[Point, ...]:
    if area.form is None:
        return tuple((x * by, y * by) for x, y in area.corners)
    return tuple((round(x * by), round(y * by)) for x, y in outline(area.centre, area.form, area.angle))


def _form(form: Form | None, by: int) -> Form | None:
    if form is None:
        return None
    return (
        Circle(form.radius * by) if isinstance(form, Circle) else Rectangle(form.width * by, form.depth * by)
    )


def _cells(cells: tuple[Point, ...], by: int) -> tuple[Point, ...]:
    return tuple((x * by, y * by) for x, y in cells)


def _token(token: Token, by: int) -> Token:
    return replace(token, cells=_cells(token.cells, by), form=_form(token.form, by))


def _thing(thing: Thing, by: int) -> Thing:
    return replace(thing, cells=_cells(thing.cells, by), form=_form(thing.form, by))


def _feature(feature: Feature, by: int) -> Feature:
    return replace(
        feature,
        centre=(feature.centre[0] * by, feature.centre[1] * by),
        corners=_cells(feature.corners, by),
        sides=tuple(((ax * by, ay * by), (bx * by, by_ * by)) for (ax, ay), (bx, by_) in feature.sides),
    )


def _trace(trace: Trace, by: int) -> Trace:
    return replace(trace, path=_cells(trace.path, by), tails=_cells(trace.tails, by))


def _sector(sector: Sector, by: int) -> Sector:
    (x, y) = sector.centre
    return replace(sector, centre=(x * by, y * by), radius=sector.radius * by, inner=sector.inner * by)


# --- where there is room in a shape


def inside(spot: Spot, corners: list[Spot] | tuple[Point, ...]) -> bool:
    """Tell whether a place lies in a polygon."""
    x, y = spot
    found = False
    bx, by = corners[-1]
    for ax, ay in corners:
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            found = not found
        bx, by = ax, ay
    return found


def away(spot: Spot, corners: list[Spot] | tuple[Point, ...]) -> float:
    """Return how far a place is from the rim of a polygon."""
    x, y = spot
    least = math.inf
    bx, by = corners[-1]
    for ax, ay in corners:
        dx, dy = bx - ax, by - ay
        share = min(1.0, max(0.0, ((x - ax) * dx + (y - ay) * dy) / ((dx * dx + dy * dy) or 1.0)))
        least = min(least, math.hypot(x - ax - share * dx, y - ay - share * dy))
        bx, by = ax, ay
    return least


@lru_cache(maxsize=256)
def lattice(corners: tuple[Point, ...], step: int, rim: int) -> tuple[Point, ...]:
    """Return places all over a polygon, as the middles of hexes would lie, none nearer to its rim than
    ``rim``; where it is too slender for that, those that are as far from it as can be.
    """
    if len(corners) < 3:
        return ()
    left, right = min(x for x, _ in corners), max(x for x, _ in corners)
    top, low = min(y for _, y in corners), max(y for _, y in corners)
    column = max(1, round(step * SINE))
    found = []
    for n, x in enumerate(range(left + column // 2, right + column, column)):
        for y in range(top + (step // 2 if n % 2 else step), low + step, step):
            if inside((x, y), corners):
                found.append((away((x, y), corners), (x, y)))
    kept = tuple(point for far, point in found if far >= rim)
    if kept or not found:
        return kept
    widest = max(far for far, _ in found)
    return tuple(point for far, point in found if far >= widest * 0.7)


@lru_cache(maxsize=512)
def rooms(corners: tuple[Point, ...], wide: int, high: int) -> tuple[Point, ...]:
    """Return places in a polygon round which an oblong lies wholly in it, those nearest to its middle first;
    none where it is too small.
    """
    if len(corners) < 3:
        return ()
    left, right = min(x for x, _ in corners) + wide // 2, max(x for x, _ in corners) - wide // 2
    top, low = min(y for _, y in corners) + high // 2, max(y for _, y in corners) - high // 2
    if left > right or top > low:
        return ()
    mx, my = (left + right) / 2, (top + low) / 2
    found = []
    for i in range(15):
        for j in range(15):
            x, y = left + (right - left) * i / 14, top + (low - top) * j / 14
            if all(
                inside((x + wide * dx, y + high * dy), corners)
                for dx, dy in (
                    (-0.5, -0.5),
                    (0, -0.5),
                    (0.5, -0.5),
                    (-0.5, 0.5),
                    (0, 0.5),
                    (0.5, 0.5),
                    (0, 0),
                )
            ):
                found.append((math.hypot(x - mx, y - my), (round(x), round(y))))
    return tuple(point for _, point in sorted(found))
