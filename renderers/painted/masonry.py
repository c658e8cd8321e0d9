"""The walls of a castle: masonry on hexsides, drawn a little towards the north of where it stands, so that it
rises from the ground.

Which way it rises is the same for all of it: a wall on a northern side covers the foot of the hex behind it,
never the number of one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from msgspec import Struct
from PIL import Image, ImageDraw

from pbem.core.scene import Area, Edge, Point

from ..frame import Frame, Spot
from ..palette import Colour, look
from .edges import DARK, TIMBER, along, normal
from .pens import Draw, pen
from .texture import lay

TOP: Colour = (226, 221, 210)
WALK: Colour = (158, 151, 140)
FACE: Colour = (112, 104, 94)
INNER: Colour = (134, 126, 114)
RISE = {"stone": 0.1, "wall-top": 0.14, "tower": 0.15, "tower-door": 0.15, "keep": 0.21, "keep-door": 0.21}
"""How far north of its place masonry is drawn, in hex radii, by the look of the ground it belongs to."""
WIDE = {"stone": 0.24, "wall-top": 0.26, "tower": 0.28, "tower-door": 0.28, "keep": 0.34, "keep-door": 0.34}
KINDS = ("wall", "parapet", "slit", "door", "gate", "arch", "window")
"""Side features that are masonry where they belong to a castle; elsewhere they are drawn as
those of a house.
"""
DROP = 0.09
GAP = 0.2
"""Share of a hexside that stands on each hand of an opening."""


class Course(Struct, frozen=True):
    """A piece of masonry: its kind, its ends on the ground, the way to the hex it belongs to, its rise and
    width in pixels.
    """

    kind: str
    a: Spot
    b: Spot
    n: Spot
    rise: float
    wide: float

    def top(self, share: float, out: float = 0.0) -> Spot:
        """Return a place on top of it: a share of its length, so many widths beyond its middle."""
        x, y = along(self.a, self.b, share)
        return x - self.n[0] * out * self.wide, y - self.n[1] * out * self.wide - self.rise

    def pieces(self) -> tuple[tuple[float, float], ...]:
        """Return the shares of its length that are wall; an opening has two."""
        return ((0.0, GAP), (1 - GAP, 1.0)) if self.kind in ("door", "gate", "arch") else ((0.0, 1.0),)


def castle_look(area: Area) -> bool:
    """Tell whether a hex is part of a castle's walls, towers or keep."""
    return look(area.ground) in RISE


def is_masonry(edge: Edge, looks: dict[str, str]) -> bool:
    """Tell whether what stands on a hexside is masonry of a castle; ``looks`` has the look of each hex."""
    return edge.kind in KINDS and looks.get(edge.at, "") in RISE


def drops(areas: Sequence[Area], edges: Iterable[Edge]) -> list[Edge]:
    """Return the bare hexsides over which a walk or a tower falls off to lower ground that is on the map."""
    built = {frozenset((edge.a, edge.b)) for edge in edges}
    sides: dict[frozenset[Point], list[tuple[Area, Point, Point]]] = {}
    for area in areas:
        for one, other in zip(area.corners, (*area.corners[1:], area.corners[0]), strict=True):
            sides.setdefault(frozenset((one, other)), []).append((area, one, other))
    found = []
    for key, pair in sides.items():
        if key in built or len(pair) < 2:
            continue
        high, low = sorted(pair, key=lambda each: -RISE.get(look(each[0].ground), 0.0))
        names = look(high[0].ground), look(low[0].ground)
        if names[0] in RISE and RISE[names[0]] > RISE.get(names[1], 0.0) + 0.02 and names[1] != "stairs":
            found.append(Edge("drop", high[0].at, "", high[1], high[2], high[0].centre))
    return found


def courses_of(edges: Sequence[Edge], areas: Sequence[Area], frame: Frame, times: float = 1) -> list[Course]:
    """Return the masonry on some hexsides, what is drawn first before what covers it."""
    unit = frame.hex * times
    looks = {area.at: look(area.ground) for area in areas}
    found = []
    for edge in sorted(
        edges, key=lambda each: (RISE[looks[each.at]], each.inward[1], each.at, each.side, each.kind)
    ):
        name = looks[edge.at]
        a, b, inward = frame.spots((edge.a, edge.b, edge.inward), times)
        wide = DROP if edge.kind == "drop" else WIDE[name]
        found.append(Course(edge.kind, a, b, normal(a, b, inward), RISE[name] * unit, wide * unit))
    return found


def draw_masonry(
    large: Image.Image, edges: Sequence[Edge], areas: Sequence[Area], frame: Frame, times: int
) -> None:
    """Draw masonry on a picture ``times`` as large as the frame."""
    unit = frame.hex * times
    courses = courses_of(edges, areas, frame, times)
    if not courses:
        return
    fields = Image.new("L", large.size, 0)
    field = ImageDraw.Draw(fields)
    for points in fans(courses, unit):
        field.polygon(points, fill=255)
    lay(large, frame.theme.paper, fields, 0.5)
    draw_courses(pen(large, frame.theme), courses, unit)


def draw_courses(draw: Draw, courses: Sequence[Course], unit: float) -> None:
    """Draw masonry: faces, then tops, so that all of it is of one piece, then openings."""
    for rise in sorted({course.rise for course in courses}):
        level = [course for course in courses if course.rise == rise]
        for course in level:
            _face(draw, course, unit)
        for colour, grow in ((DARK, 0.075 * unit), (None, 0.0)):
            for course in level:
                for start, end in course.pieces():
                    _top(draw, course, start, end, colour or _tint(course), grow)
        for course in level:
            _DETAILS.get(course.kind, _plain)(draw, course, unit)


def _tint(course: Course) -> Colour:
    return {"parapet": WALK, "drop": (190, 183, 170)}.get(course.kind, TOP)


def _face(draw: Draw, course: Course, unit: float) -> None:
    """Draw the side of the masonry that is seen from the south."""
    out = 1 if course.n[1] < 0 else -1
    for start, end in course.pieces():
        x, y = course.n[0] * course.wide / 2 * out, course.n[1] * course.wide / 2 * out
        foot = [along(course.a, course.b, start), along(course.a, course.b, end)]
        foot = [(px - x, py - y) for px, py in foot]
        draw.polygon(
            [*foot, *((px, py - course.rise) for px, py in reversed(foot))], fill=FACE if out > 0 else INNER
        )
        if out > 0:
            draw.line(foot, fill=DARK, width=max(1, round(unit * 0.04)))


def _top(draw: Draw, course: Course, start: float, end: float, colour: Colour, grow: float) -> None:
    a, b = course.top(start), course.top(end)
    wide = course.wide + grow
    draw.line((*a, *b), fill=colour, width=max(1, round(wide)))
    for x, y in (a, b):
        draw.ellipse((x - wide / 2, y - wide / 2, x + wide / 2, y + wide / 2), fill=colour)


def _plain(draw: Draw, course: Course, unit: float) -> None:
    """Draw the joints of a solid wall: short strokes across it."""
    if course.kind == "drop":
        return
    for start, end in course.pieces():
        for i in range(1, max(2, round((end - start) * 6))):
            share = start + (end - start) * i / max(2, round((end - start) * 6))
            draw.line(
                (*course.top(share, -0.32), *course.top(share, 0.32)),
                fill=(150, 142, 130),
                width=max(1, round(unit * 0.035)),
            )


def _parapet(draw: Draw, course: Course, unit: float) -> None:
    """Draw merlons along the outer edge of a parapet: light blocks with dark rims and gaps between them."""
    for grow, colour in ((0.06 * unit, DARK), (0.0, (240, 236, 226))):
        for i in range(4):
            a, b = course.top((i + 0.2) / 4, 0.14), course.top((i + 0.74) / 4, 0.14)
            length = math.hypot(b[0] - a[0], b[1] - a[1]) or 1.0
            x, y = (b[0] - a[0]) / length * grow / 2, (b[1] - a[1]) / length * grow / 2
            line = (a[0] - x, a[1] - y, b[0] + x, b[1] + y)
            draw.line(line, fill=colour, width=max(1, round(course.wide * 0.74 + grow)))


def _rays(course: Course, unit: float, turns: Sequence[float]) -> list[Spot]:
    """Return where the rays of an arrow slit begin, and where each ends; southwards they begin at the foot of
    the wall.
    """
    reach = unit * 0.44
    x, y = course.top(0.5, 0.4)
    if course.n[1] < -0.3:
        y += course.rise
        reach = unit * 0.34
    out = math.atan2(-course.n[1], -course.n[0])
    return [(x, y), *((x + math.cos(out + turn) * reach, y + math.sin(out + turn) * reach) for turn in turns)]


def fans(courses: Sequence[Course], unit: float) -> list[list[Spot]]:
    """Return the fields of the arrow slits as fans beyond them."""
    return [_rays(course, unit, (-0.62, -0.3, 0.0, 0.3, 0.62)) for course in courses if course.kind == "slit"]


def _slit(draw: Draw, course: Course, unit: float) -> None:
    """Draw an arrow slit: a dark notch through the wall that widens inwards, and two rays that show where it
    looks.
    """
    _plain(draw, course, unit)
    half = 0.1
    draw.polygon(
        [
            course.top(0.5 - half, -0.62),
            course.top(0.5 + half, -0.62),
            course.top(0.53, 0.66),
            course.top(0.47, 0.66),
        ],
        fill=(24, 18, 14),
    )
    start, *ends = _rays(course, unit, (-0.62, 0.62))
    for end in ends:
        draw.line((*start, *end), fill=(24, 18, 14), width=max(1, round(unit * 0.035)))


def _window(draw: Draw, course: Course, unit: float) -> None:
    _plain(draw, course, unit)
    for share in (0.34, 0.66):
        draw.line(
            (*course.top(share, -0.5), *course.top(share, 0.5)), fill=DARK, width=max(1, round(unit * 0.06))
        )
    draw.line(
        (*course.top(0.38), *course.top(0.62)), fill=(150, 190, 214), width=max(1, round(course.wide * 0.5))
    )


def _sill(draw: Draw, course: Course) -> None:
    for grow, colour in ((1.0, DARK), (0.62, (244, 232, 196))):
        draw.line(
            (*course.top(GAP + 0.04), *course.top(1 - GAP - 0.04)),
            fill=colour,
            width=max(1, round(course.wide * 0.62 * grow)),
        )


def _leaf(draw: Draw, course: Course, hinge: float, way: float, unit: float) -> None:
    """Draw a leaf of a door that stands open, inwards where the number of the hex below
    would stand under it.
    """
    inwards = -1 if course.n[1] < -0.9 else 1
    x, y = course.top(hinge)
    reach = unit * 0.36
    run = ((course.b[0] - course.a[0]) * way, (course.b[1] - course.a[1]) * way)
    end = (x - course.n[0] * reach * inwards + run[0], y - course.n[1] * reach * inwards + run[1])
    for wide, colour in ((0.15, DARK), (0.085, TIMBER)):
        draw.line((x, y, *end), fill=colour, width=max(1, round(unit * wide)))


def _door(draw: Draw, course: Course, unit: float) -> None:
    _plain(draw, course, unit)
    _sill(draw, course)
    _leaf(draw, course, GAP + 0.02, 0.16, unit)


def _gate(draw: Draw, course: Course, unit: float) -> None:
    _plain(draw, course, unit)
    _sill(draw, course)
    _leaf(draw, course, GAP + 0.02, 0.06, unit)
    _leaf(draw, course, 1 - GAP - 0.02, -0.06, unit)


def _arch(draw: Draw, course: Course, unit: float) -> None:
    _plain(draw, course, unit)
    _sill(draw, course)


_DETAILS = {
    "parapet": _parapet,
    "slit": _slit,
    "window": _window,
    "door": _door,
    "gate": _gate,
    "arch": _arch,
}
