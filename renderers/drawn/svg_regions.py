"""Parts of the map that matter, drawn: what is played for, and where figures may begin."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.core.scene import Point, Region, Scene

from ..painted import regions
from ..palette import Colour
from ..text import REGIONS, runs
from .svg_pen import UNIT, Book, Spot, hexa, shape, way, words
from .svg_placed import Layer, Placed, rank, said


def placed(book: Book, scene: Scene) -> Iterable[Placed]:
    """Return a piece for each region, below everything else on the ground."""
    held, number = regions.held_in(scene), 0
    for region in regions.in_order(scene):
        at = book.once(_name_at, region, held)
        if at is None:
            continue
        drawn = book.once(_drawn, region, at, regions.colour_of(region, scene, book.theme))
        sides = [look.name or look.side for look in scene.sides if look.side in region.sides]
        told = REGIONS[region.kind].format(name=region.name, side=" and ".join(sides))
        key, hexes = f"region/{region.kind}/{region.name}", book.once(_hexes, region.at)
        yield Placed(rank(Layer.REGION, key, number), key, drawn, *at, said(f"{told}: {hexes}"))
        number += 1


def _hexes(book: Book, at: tuple[str, ...]) -> str:
    return runs(at)


def _name_at(book: Book, region: Region, held: frozenset[Point]) -> Point | None:
    """Return the middle of a region's name; None where the region is not drawn."""
    at = regions.name_at(region, book.map.cells.area, held)
    return None if at is None else (round(at[0]), round(at[1]))


def _drawn(book: Book, region: Region, at: Point, colour: Colour) -> str:
    """Return a region, drawn round the middle of its name."""
    one, (x, y) = regions.shape_of(region, book.map.cells.area, at), at
    drawn = strokes(
        book,
        ([(px - x, py - y) for px, py in stroke] for stroke in one.strokes),
        colour,
        regions.WIDE[region.kind] * UNIT,
    )
    if one.pennant is not None:
        drawn += pennant(book, (one.pennant[0] - x, one.pennant[1] - y), UNIT, colour)
    drawn += words(
        region.name,
        0,
        0,
        regions.NAME_SIZE * UNIT,
        6 * UNIT,
        colour,
        limit=24,
        stroke=hexa(book.theme.halo),
        stroke_width=round(0.1 * UNIT),
        paint_order="stroke",
    )
    return drawn


def strokes(book: Book, lines: Iterable[Sequence[Spot]], colour: Colour, wide: float) -> str:
    """Return strokes on a light rim."""
    d = "".join(way(line) for line in lines)
    return "".join(
        shape(d, None, tint, thick, stroke_linecap="round")
        for tint, thick in ((book.theme.halo, wide * 1.8), (colour, wide))
    )


def pennant(book: Book, at: Spot, unit: float, colour: Colour) -> str:
    """Return a pennant on its pole."""
    foot, top, point, tied = regions.flag(at, unit)
    d = way((foot, top, point, tied))
    return shape(d, book.theme.halo, book.theme.halo, unit * 0.16) + shape(d, colour, colour, unit * 0.06)


def sample(book: Book, kind: str, colour: Colour) -> str:
    """Return a small drawing of a kind of region for the legend."""
    line = ((-0.7 * UNIT, 0.4 * UNIT), (0.7 * UNIT, 0.4 * UNIT))
    drawn = strokes(
        book, [regions.between(*line, *dash) for dash in regions.DASHES[kind]], colour, 0.11 * UNIT
    )
    return drawn + (
        pennant(book, (-0.25 * UNIT, 0.36 * UNIT), UNIT * 1.15, colour) if kind == regions.GOAL else ""
    )
