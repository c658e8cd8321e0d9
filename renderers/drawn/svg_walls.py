"""What stands on the sides of hexes and is written on the drawn map: walls and hedges, the grid with its
numbers, names.

Walls and side features are those of the painted ground: they are drawn with a pen that writes SVG.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, cast

from pbem.core.scene import Area, Edge, Point, Scene

from .. import ways
from ..frame import Frame, bounds
from ..lettering import plain
from ..painted import edges, masonry
from .svg_pen import SERIFS, UNIT, Book, Pen, attributes, escaped, hexa, shape, way, words


def on_sides(book: Book, listed: Sequence[Edge], frame: Frame) -> str:
    """Return what stands on the sides of hexes outside of castles."""
    pen = Pen(theme=book.theme)
    edges.draw_sides(cast(Any, pen), listed, frame)
    return pen.written()


def walls(book: Book, listed: Sequence[Edge], areas: Sequence[Area], frame: Frame) -> str:
    """Return the walls of a castle, and the fields of their arrow slits under them."""
    courses = masonry.courses_of(listed, areas, frame)
    pen = Pen(theme=book.theme)
    for points in masonry.fans(courses, UNIT):
        pen.polygon(points, (*book.theme.paper, 128))
    masonry.draw_courses(cast(Any, pen), courses, UNIT)
    return pen.written()


def grid(book: Book, areas: Sequence[Area], built: set[tuple[Point, Point]]) -> str:
    """Draw the sides of the cells in lines as long as they get, and their middles, but not the sides on which
    a castle's walls stand.
    """
    ahead: dict[Point, list[Point]] = defaultdict(list)
    for one, other in ways.sides_once(areas, built):
        ahead[one].append(other)
        ahead[other].append(one)
    found = []
    for start in sorted(ahead):
        while ahead[start]:
            line, at = [start], start
            while ahead[at]:
                on = ahead[at].pop()
                ahead[on].remove(at)
                line.append(on)
                at = on
            found.append(way(line))
    dots, last = "", (0, 0)
    for x, y in (area.centre for area in areas):
        dots += f"{'m' if dots else 'M'}{x - last[0]} {y - last[1]}h0"
        last = (x, y)
    wide, share = 0.034 * UNIT, f"{book.theme.grid_share:g}"
    return shape("".join(found), None, book.theme.grid, wide, opacity=share) + shape(
        dots, None, book.theme.grid, 2 * wide, opacity=share, stroke_linecap="round"
    )


def numbers(book: Book, areas: Sequence[Area]) -> str:
    """Write each hex's number at its upper side, on a light rim that reads on woods and water."""
    found = "".join(
        f'<text x="{area.centre[0]}" '
        f'y="{round(area.centre[1] - 0.6 * UNIT)}">{escaped(plain(area.at, 8))}</text>'
        for area in areas
    )
    style = attributes(
        font_size=round(0.27 * UNIT),
        font_weight="normal",
        fill=hexa(book.theme.ink),
        stroke=hexa(book.theme.paper),
        stroke_width=round(0.11 * UNIT),
        stroke_opacity=f"{book.theme.number_share:g}",
        paint_order="stroke",
    )
    return f"<g{style}>{found}</g>"


def notes(book: Book, scene: Scene) -> str:
    """Write names on the map, wholly on it."""
    left, _, right, _ = bounds(scene)
    found = ""
    for note in scene.notes:
        x = min(max(note.at[0], left + UNIT), right - UNIT)
        room = 2 * min(x - left, right - x) + UNIT
        found += words(
            note.text,
            x,
            note.at[1] + 0.61 * UNIT,
            0.52 * UNIT,
            room,
            book.theme.title,
            limit=60,
            face="italic",
        )
    style = attributes(
        font_family=SERIFS,
        font_style="italic",
        font_weight="normal",
        stroke=hexa(book.theme.halo),
        stroke_width=round(0.16 * UNIT),
        paint_order="stroke",
    )
    return f"<g{style}>{found}</g>" if found else ""
