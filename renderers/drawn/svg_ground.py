"""The ground of the drawn map: tints with strokes for each look of it, water, roads, roofs, walls, the grid
with its numbers, names.

Strokes, walls and side features are those of the printed and the painted ground: they are drawn with a pen
that writes SVG.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from typing import Any, cast

from msgspec.structs import replace

from pbem.core.scene import Area, Point, Scene

from .. import ways
from ..frame import Box, Frame, bounds
from ..hexes import HALF
from ..laid import free
from ..painted import base, flat, masonry, roofs, shores, sprites
from ..painted.castle import HEIGHT, SHADE
from ..painted.relief import fall, rising
from ..palette import Colour, look, look_of, mix
from ..themes import Theme
from . import svg_plants, svg_table, svg_walls
from .svg_pen import UNIT, Book, Pen, attributes, hexa, moved, shape, way

VARIANTS = 3
"""How many drawings there are of strokes that chance has a part in."""
EACH = ("stairs",)
"""Looks whose strokes hang on where their hex lies."""
TURNS = 15
"""Degrees between two ways in which a slope may fall: its strokes are turned that way."""
SOFT = ("courtyard", "hill", "slope", "scrub", "burnt", "tent", "tree", "moat", *flat.OTHERS)
"""Looks whose borders are round where the ground is painted."""
Loop = list[Point]


def ground(book: Book, scene: Scene) -> str:
    """Return all that never changes from turn to turn; pieces come over it."""
    if free(scene):
        return svg_table.ground(book, scene)
    frame = Frame(1.0, 0, 0, 1, 1, book.theme)
    tinted = _Tinted(book, scene, frame)
    others = [edge for edge in scene.edges if edge.kind != "crest"]
    crests = [edge for edge in scene.edges if edge.kind == "crest"] or base.brows(scene.areas)
    looks = {area.at: look(area.ground) for area in scene.areas}
    stone = [edge for edge in others if masonry.is_masonry(edge, looks)] + masonry.drops(scene.areas, others)
    built = {(min(edge.a, edge.b), max(edge.a, edge.b)) for edge in stone}
    return "".join(
        (
            tinted.written(),
            svg_walls.on_sides(book, crests, frame),
            svg_walls.grid(book, scene.areas, built),
            svg_walls.on_sides(book, [edge for edge in others if not masonry.is_masonry(edge, looks)], frame),
            svg_walls.walls(book, stone, scene.areas, frame),
            svg_walls.numbers(book, scene.areas),
            svg_walls.notes(book, scene),
        )
    )


def tint(book: Book, name: str) -> Colour:
    """Return the one colour of a look of the ground."""
    one, other = book.theme.grounds.get(name, book.theme.ground("flat"))
    return mix(one, other, 0.5)


def strokes(
    book: Book, area: Area, name: str, seed: int, beside: dict[Point, str], high: Sequence[Point]
) -> str:
    """Return the strokes of one hex round its middle; most looks have a few drawings that all their hexes
    share.
    """
    pattern = flat.PATTERNS.get(name)
    if pattern is None or len(area.corners) != 6:
        return ""
    x, y = area.centre
    faint = (
        replace(book.theme, strokes=mix(tint(book, name), book.theme.strokes, 0.42))
        if book.theme.painted
        else book.theme
    )

    def draw(at: str) -> str:
        chance = random.Random(f"{seed}/{at}/{name}")
        if book.theme.painted and name in svg_plants.DRAWN:
            return svg_plants.DRAWN[name](book, chance)
        pen = Pen()
        near = [(px - x, py - y) for px, py in high]
        pattern(cast(Any, pen), flat.Hex(0, 0, UNIT, area, beside, near, chance, faint))
        return pen.written()

    if name in EACH:
        return draw(area.at)
    if name == "slope":
        fx, fy = fall([(float(px), float(py)) for px, py in high], x, y)
        turn = round(math.degrees(math.atan2(fy, fx)) / TURNS) * TURNS
        return moved(book.put("slope", lambda: _falling(book, faint)), 0, 0, turn)
    variant = sum(map(ord, area.at)) % VARIANTS
    return book.put(("strokes", name, variant), lambda: draw(str(variant)))


def _falling(book: Book, theme: Theme) -> str:
    """Return strokes down a slope that falls to the right: short and loose, and longer where the ground is
    painted.
    """
    pen = Pen(UNIT)
    long = 0.3 if theme.painted else 0.2
    for i in range(13):
        angle, far = i * 2.4, 0.74 * math.sqrt((i + 0.5) / 13)
        x, y, half = math.cos(angle) * far - long / 2, math.sin(angle) * far * 0.9, 0.028 * theme.fine
        pen.polygon([(x, y - half), (x + long, y), (x, y + half)], theme.strokes)
    return pen.written()


def outlines(areas: Iterable[Area]) -> list[Loop]:
    """Return the borders of a group of cells as closed lines."""
    ahead: dict[Point, list[Point]] = defaultdict(list)
    sides = [
        pair
        for area in areas
        for pair in zip(area.corners, (*area.corners[1:], area.corners[0]), strict=True)
    ]
    known = set(sides)
    for one, other in sides:
        if (other, one) not in known:
            ahead[one].append(other)
    found = []
    for start in sorted(ahead):
        while ahead[start]:
            loop, at = [start], ahead[start].pop()
            while at != start and ahead[at]:
                loop.append(at)
                at = ahead[at].pop()
            found.append(loop)
    return found


def border(areas: Sequence[Area], soft: bool = False, rim: Collection[Point] = ()) -> str:
    """Return the border of a group of cells as a path; a soft one runs in bends, from the middle of one side
    to the next.

    ``rim`` are corners on the rim of the map, which stay as they are.
    """
    if not soft:
        return "".join(way(loop, True) for loop in outlines(areas))
    found = ""
    for loop in outlines(areas):
        middles = [
            ((a[0] + b[0]) // 2, (a[1] + b[1]) // 2) for a, b in zip(loop, [*loop[1:], loop[0]], strict=True)
        ]
        last = middles[-1]
        found += f"M{last[0]} {last[1]}"
        for corner, (mx, my) in zip(loop, middles, strict=True):
            x, y = corner[0] - last[0], corner[1] - last[1]
            bend = (
                f"l{x} {y} {mx - corner[0]} {my - corner[1]}"
                if corner in rim
                else f"q{x} {y} {mx - last[0]} {my - last[1]}"
            )
            found += bend.replace(" -", "-")
            last = (mx, my)
        found += "z"
    return found


class _Tinted:
    """The tints of the ground, from the lowest look to the highest, and the strokes on them."""

    def __init__(self, book: Book, scene: Scene, frame: Frame) -> None:
        self.book, self.scene, self.frame, self.theme = book, scene, frame, book.theme
        self.by_look: dict[str, list[Area]] = defaultdict(list)
        for area in scene.areas:
            self.by_look[look_of(area)].append(area)
        self.beside = {area.centre: look_of(area) for area in scene.areas}
        self.high = rising(scene.areas)
        self.rim = {point for loop in outlines(scene.areas) for point in loop}

    def written(self) -> str:
        everything = border(self.scene.areas)
        clip = "c" + self.book.name(everything)
        found = [f'<clipPath id="{clip}"><path d="{everything}"/></clipPath>']
        if self.theme.painted:
            found.append(
                shape(
                    everything,
                    None,
                    mix(self.theme.page_dark, self.theme.ink, 0.35),
                    0.16 * UNIT,
                    opacity=".5",
                )
            )
        found.append(f'<g clip-path="url(#{clip})">{shape(everything, tint(self.book, "flat"))}')
        if self.theme.painted:
            found.append(svg_plants.meadow(self.book, everything, tint(self.book, "flat")))
        order = flat.ORDER
        found += [self._look(name) for name in order[: order.index("trench")]]
        found.append(self._roads())
        found.append(self._water())
        found += [self._look(name) for name in (*order[order.index("trench") :], "rubble", "fire")]
        found.append(self._landmarks())
        return "".join(found) + "</g>"

    def _look(self, name: str) -> str:
        areas = self.by_look.get(name, [])
        if not areas:
            return ""
        found = ""
        painted = self.theme.painted
        if painted and name == "trench":
            return svg_plants.trench(self._course({area.centre for area in areas}, HALF))
        if name in self.theme.grounds:
            soft = painted and name in SOFT
            d = border(
                [*areas, *(self._under(areas) if soft and name in ("courtyard", "moat") else ())],
                soft,
                self.rim,
            )
            if painted and name in flat.BUILT:
                reach = round(UNIT * SHADE * HEIGHT.get(name, 0.6))
                found += shape(
                    d, (26, 22, 18), transform=f"translate({reach} {round(reach * 0.8)})", opacity=".4"
                )
            bank = ((86, 66, 36), 0.16 * UNIT) if painted and name == "moat" else (None, 0)
            found += shape(d, tint(self.book, name), *bank)
        if name == "roof":
            found += self._roof(areas)
        found += self._strokes(name)
        if name in flat.BUILT:
            found += shape(border(areas), None, self.theme.ink, 0.045 * UNIT * self.theme.fine)
        return found

    def _under(self, areas: Sequence[Area]) -> list[Area]:
        """Return the hexes of walls and houses beside some areas: the ground runs on under them, where nobody
        sees its bends.
        """
        near = {point for area in areas for point in shores.around(area.centre)}
        return [area for name in flat.BUILT for area in self.by_look.get(name, []) if area.centre in near]

    def _strokes(self, name: str) -> str:
        found = ""
        for area in self.by_look.get(name, []):
            drawn = strokes(self.book, area, name, self.scene.seed, self.beside, self.high)
            if drawn:
                x, y = area.centre
                short = (
                    drawn.replace("<use ", f'<use x="{x}" y="{y}" ') if drawn.startswith("<use href") else ""
                )
                turned = (
                    drawn.replace('transform="', f'transform="translate({x} {y}) ', 1)
                    if drawn.startswith("<use transform")
                    else ""
                )
                found += short or turned or f'<g transform="translate({x} {y})">{drawn}</g>'
        return found

    def _roads(self) -> str:
        lines, patches = ways.lanes(self.scene, self.by_look.get("road", []), self.frame)
        if not lines and not patches:
            return ""
        d = "".join(way(points) for points in lines)
        rim = (
            mix(self.theme.strokes, tint(self.book, "road"), 0.35)
            if self.theme.painted
            else self.theme.strokes
        )
        found = ""
        for wide, colour in ((0.56 + 0.1 * self.theme.fine, rim), (0.56, tint(self.book, "road"))):
            found += "".join(shape(way(patch, True), colour) for patch in patches)
            if d:
                found += shape(d, None, colour, wide * UNIT, stroke_linecap="round")
        if self.theme.painted and d:
            ruts = "".join(
                way(ways.beside(points, off * UNIT))
                for points in lines
                for off in (-0.15, 0.15)
                if len(points) > 1
            )
            found += shape(ruts, None, (164, 138, 92), 0.045 * UNIT, opacity=".6")
        return found

    def _water(self) -> str:
        """Draw streams that flow from hex to hex between smooth banks, and lakes that fill what lies between
        their hexes.
        """
        wet = {area.centre for name in ("water", "ford") for area in self.by_look.get(name, [])}
        if not wet:
            return ""
        wet |= shores.flowing_on(wet, (area.centre for area in self.scene.areas))
        bank = (120, 96, 58) if self.theme.painted else self.theme.strokes
        main, shallow = tint(self.book, "water"), tint(self.book, "ford")
        layers = [(0.12, bank), (0.0, main)]
        if self.theme.painted:
            layers = [
                (0.14, bank),
                (0.0, mix(main, (176, 208, 224), 0.5)),
                (-0.2, main),
                (-0.8, mix(main, (40, 88, 128), 0.35)),
            ]
        river = self._course(wet)
        found = "".join(self._laid(river, shores.BROAD + grow, colour) for grow, colour in layers)
        fords = {area.centre for area in self.by_look.get("ford", [])}
        if fords:
            found += self._laid(self._course(fords), shores.BROAD - 0.06, shallow)
        waves = self._strokes("water")
        return (
            found
            + (f'<g opacity=".6">{waves}</g>' if self.theme.painted and waves else waves)
            + self._strokes("ford")
        )

    def _laid(self, course: str, wide: float, colour: Colour) -> str:
        """Return a course in a breadth and a colour."""
        ink = hexa(colour)
        return f"<g{attributes(fill=ink, stroke=ink, stroke_width=wide * UNIT, stroke_linecap='round')}>{course}</g>"

    def _course(self, wet: set[Point], alone_: int = 0) -> str:
        """Return the lines between neighbouring places, and the fields between three of them; who is alone
        gets a line of a length.
        """
        lines, fields = "", ""
        for point in sorted(wet):
            x, y = point
            beside = shores.around(point)
            here = [i for i in range(6) if beside[i] in wet]
            ends = [((x + beside[i][0]) // 2, (y + beside[i][1]) // 2) for i in here]
            # a stream bends where it only flows through
            if len(here) == 2 and here[1] - here[0] not in (1, 5):
                (ax, ay), (bx, by) = ends
                lines += f"M{ax} {ay}q{x - ax} {y - ay} {bx - ax} {by - ay}".replace(" -", "-")
            else:
                lines += "".join(way([point, end]) for end in ends)
            for one, other in pairwise(beside[:4]):
                if one in wet and other in wet:
                    fields += way([point, one, other], True)
            if not here:
                lines += f"M{x - alone_} {y}h{2 * alone_ or 1}"
        lines = f'<path d="{lines}" fill="none"/>' + (f'<path d="{fields}"/>' if fields else "")
        return self.book.put(("course", tuple(sorted(wet))), lambda: lines)

    def _roof(self, areas: Sequence[Area]) -> str:
        pen, base_ = Pen(), tint(self.book, "roof")
        for face in roofs.faces(areas):
            light = face.light
            pen.polygon(
                face.corners,
                mix(base_, (255, 255, 255), light * 0.4)
                if light > 0
                else mix(base_, (60, 26, 12), -light * 0.4),
            )
        faint = mix(base_, self.theme.strokes, 0.5)
        for face in roofs.faces(areas):
            spots = [(float(x), float(y)) for x, y in face.corners]
            for i in range(1, 4) if face.falls != (0.0, 0.0) else ():
                pen.line(face.course(spots, i / 4), faint, 0.028 * UNIT)
        for a, b in roofs.ridges(areas):
            pen.line([a, b], self.theme.ink, 0.05 * UNIT)
        return pen.written()

    def _landmarks(self) -> str:
        """Draw an upright stone or a well where a hex is marked with it."""
        found = ""
        for area in self.scene.areas:
            for mark in area.marks:
                if mark in sprites.LANDMARKS:
                    x, y = area.centre
                    drawn = self.book.put(("landmark", mark), _well if mark == "well" else _stone)
                    found += drawn.replace("<use ", f'<use x="{x}" y="{y}" ')
        return found


def _well() -> str:
    pen = Pen(0.55 * UNIT)
    pen.ellipse((-0.8, -0.8, 0.8, 0.8), (62, 54, 46))
    pen.ellipse((-0.72, -0.72, 0.72, 0.72), (190, 184, 172))
    pen.ellipse((-0.46, -0.46, 0.46, 0.46), (34, 54, 76))
    pen.line([(-0.9, 0), (0.9, 0)], (58, 36, 16), 0.2)
    pen.line([(-0.86, 0), (0.86, 0)], (140, 96, 52), 0.1)
    return pen.written()


def _stone() -> str:
    pen = Pen(1.1 * UNIT)
    outline = ((0.3, 0.9), (0.34, 0.3), (0.44, 0.08), (0.56, 0.05), (0.68, 0.28), (0.72, 0.88), (0.54, 0.95))
    pen.polygon([(x - 0.5, y - 0.52) for x, y in outline], (150, 148, 142), (52, 46, 40), 0.04)
    pen.polygon(
        [
            (x - 0.5, y - 0.52)
            for x, y in ((0.34, 0.86), (0.38, 0.32), (0.46, 0.13), (0.52, 0.3), (0.5, 0.88))
        ],
        (206, 204, 196),
    )
    return pen.written()


def box(scene: Scene, margin: int) -> Box:
    """Return the box round the map with a margin."""
    left, top, right, bottom = bounds(scene)
    return left - margin, top - margin, right + margin, bottom + margin
