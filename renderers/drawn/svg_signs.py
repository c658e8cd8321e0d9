"""What has become of the ground, and what things came to, as pieces of SVG: rims, rubble, fire, cracks,
swords, bursts, results.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from pbem.core.scene import Feature

from ..hexes import CORNERS
from ..painted import arrows, works
from ..palette import INK, WHITE, Colour, mix
from ..themes import Theme
from .svg_pen import UNIT, Book, Pen, Spot, hexa, measured, number, round_way, shape, way, words

LABEL = 0.27 * UNIT
HEX = [(math.cos(math.radians(a)) * UNIT, math.sin(math.radians(a)) * UNIT) for a in CORNERS]


def _scaled(share: float) -> list[Spot]:
    return [(x * share, y * share) for x, y in HEX]


def hex_number(book: Book, at: str) -> str:
    """Return the number of a hex at its upper side, on a light halo, for where the ground's
    own is covered.
    """
    return words(
        at,
        0,
        -0.69 * UNIT,
        0.27 * UNIT,
        0.9 * UNIT,
        book.theme.ink,
        limit=8,
        font_weight="normal",
        stroke=hexa(book.theme.paper),
        stroke_width=round(0.13 * UNIT),
        paint_order="stroke",
    )


def rim(book: Book, at: str, fight: bool) -> str:
    """Return the rim of a hex with its number: gold and single where something changed, red and double where
    there is a fight.
    """

    def draw() -> str:
        ring, theme = way(_scaled(0.93), True), book.theme
        if not fight:
            return "".join(
                shape(ring, None, colour, wide * UNIT)
                for colour, wide in ((theme.ink, 0.17), (theme.changed, 0.1))
            )
        wash = shape(way(_scaled(0.9), True), theme.melee, opacity=".22")
        twice = "".join(way(_scaled(share), True) for share in (0.99, 0.85))
        return wash + shape(ring, None, WHITE, 0.26 * UNIT) + shape(twice, None, theme.melee, 0.085 * UNIT)

    return book.put(("rim", fight), draw) + hex_number(book, at)


def _ragged(reach: float, random_: random.Random, rough: float) -> list[Spot]:
    """Return a hex with ragged sides."""
    corners = _scaled(reach)
    found = []
    for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True):
        for i in range(5):
            share = random_.uniform(-rough, rough * 0.4) + 1
            found.append(((ax + (bx - ax) * i / 5) * share, (ay + (by - ay) * i / 5) * share))
    return found


def _filled(theme: Theme, random_: random.Random) -> str:
    """Draw earth and bundles of brushwood that fill a moat."""
    pen = Pen(theme=theme)
    pen.polygon(_ragged(0.98, random_, 0.1), (92, 70, 40))
    pen.polygon(_ragged(0.9, random_, 0.08), (176, 148, 100))
    for i in range(9):
        y = (-0.62 + i * 0.155) * UNIT
        half = 0.8 * UNIT - abs(y) * 0.42
        x, lean = random_.uniform(-0.1, 0.1) * UNIT, random_.uniform(-0.06, 0.06) * UNIT
        for wide, colour in (
            (0.15, (70, 48, 22)),
            (0.1, random_.choice(((150, 112, 62), (134, 98, 54), (164, 126, 74)))),
        ):
            pen.line([(x - half, y - lean), (x + half, y + lean)], colour, UNIT * wide)
    return pen.written()


def _rubble(theme: Theme, random_: random.Random) -> str:
    """Draw a breach: broken stones heaped over the whole hex."""
    pen = Pen(theme=theme)
    outline = _ragged(1.08, random_, 0.08)
    pen.polygon([(x + 0.07 * UNIT, y + 0.06 * UNIT) for x, y in outline], (60, 52, 44))
    pen.polygon(outline, (148, 138, 122))
    spots = []
    for i in range(34):
        reach = 0.98 * math.sqrt((i + 0.5) / 34)
        turn = i * 2.39996 + random_.uniform(-0.2, 0.2)
        spots.append((math.sin(turn) * reach - 0.05, math.cos(turn) * reach, reach))
    for y, x, reach in sorted(spots):
        r = (0.25 - 0.1 * reach) * random_.uniform(0.75, 1.2)
        start, count = random_.uniform(0, math.tau), random_.choice((4, 5, 5, 6))
        stone = [
            (
                (x + math.cos(start + k * math.tau / count) * r) * UNIT,
                (y + math.sin(start + k * math.tau / count) * r * 0.82) * UNIT,
            )
            for k in range(count)
        ]
        grey = random_.choice((180, 200, 220))
        pen.polygon(stone, (grey, grey - 5, grey - 16), (64, 56, 46), 0.04 * UNIT)
    return pen.written()


def _burnt(theme: Theme, random_: random.Random) -> str:
    """Draw scorched ground with ash and charred poles that cross."""
    pen = Pen(theme=theme)
    pen.polygon(_ragged(0.86, random_, 0.12), (58, 50, 42))
    pen.polygon(_ragged(0.5, random_, 0.3), (104, 96, 88))
    for i in range(5):
        turn = i * 1.3 + random_.uniform(-0.3, 0.3)
        x, y = random_.uniform(-0.3, 0.3) * UNIT, random_.uniform(-0.26, 0.26) * UNIT
        dx, dy = math.cos(turn) * 0.42 * UNIT, math.sin(turn) * 0.42 * UNIT
        for wide, colour in ((0.12, (14, 10, 8)), (0.045, (96, 84, 74))):
            pen.line([(x - dx, y - dy), (x + dx, y + dy)], colour, UNIT * wide)
    return pen.written()


_OUTER = (
    (0.5, 0.02),
    (0.66, 0.3),
    (0.82, 0.42),
    (0.86, 0.7),
    (0.68, 0.96),
    (0.34, 0.96),
    (0.14, 0.72),
    (0.2, 0.44),
    (0.36, 0.5),
)
_INNER = ((0.5, 0.36), (0.64, 0.6), (0.66, 0.8), (0.52, 0.92), (0.38, 0.84), (0.34, 0.66))


def _fire(theme: Theme, random_: random.Random) -> str:
    """Draw a hex in flames: a ring of fire round whatever stands in it."""
    pen = Pen(theme=theme)
    pen.polygon(_ragged(0.9, random_, 0.1), (84, 44, 22, 150))
    spots = []
    for i in range(9):
        turn = i * math.tau / 9 + random_.uniform(-0.15, 0.15)
        spots.append((math.sin(turn) * 0.58, math.cos(turn) * 0.7, random_.uniform(0.46, 0.62)))
    for down, right, high in sorted([*spots, (-0.06, -0.24, 0.7), (0.08, 0.28, 0.74)]):

        def at(
            points: Sequence[Spot], right: float = right, down: float = down, high: float = high
        ) -> list[Spot]:
            return [
                ((right + (x - 0.5) * high) * UNIT, (down - 0.06 + (y - 0.62) * high) * UNIT)
                for x, y in points
            ]

        pen.polygon(at(_OUTER), (190, 60, 10), (90, 20, 0), 0.03 * UNIT)
        pen.polygon(at(_INNER), (250, 200, 60))
    return pen.written()


_PATCHES = {
    "filled": _filled,
    "rubble": _rubble,
    "burnt": _burnt,
    "stripped": _burnt,
    "charred": _burnt,
    "fire": _fire,
}


def feature(book: Book, what: Feature) -> str:
    """Return what has become of a hex, without its number; nothing for a kind that has no drawing."""
    if what.kind == "wall":
        return _cracks(book, what) if 0 < what.number < len(works.STEPS) - 1 else ""
    if what.kind not in _PATCHES:
        return ""
    drawn = patch(book, what.kind, sum(map(ord, what.at)) % works.KINDS)
    return drawn + (hex_number(book, what.at) if what.kind in works.COVERING else "")


def patch(book: Book, kind: str, variant: int) -> str:
    """Return one of the drawings of what can become of a hex."""
    return book.put(
        ("feature", kind, variant), lambda: _PATCHES[kind](book.theme, random.Random(f"{kind}{variant}"))
    )


def _cracks(book: Book, what: Feature) -> str:
    """Draw cracks across the walls of a hex and into it, more and longer with each step of damage."""
    random_ = random.Random(f"crack{what.at}")
    cx, cy = what.centre
    pen = Pen(theme=book.theme)
    for (ax, ay), (bx, by) in what.sides or ((what.corners[0], what.corners[1]),):
        for i in range(what.number):
            share = (i + 0.5 + random_.uniform(-0.2, 0.2)) / what.number
            sx, sy = ax + (bx - ax) * share - cx, ay + (by - ay) * share - cy - 0.1 * UNIT
            far = math.hypot(sx, sy) or 1.0
            ux, uy = -sx / far, -sy / far
            reach = (0.3 + 0.1 * what.number) * UNIT * random_.uniform(0.8, 1.2)
            line = [(sx - ux * 0.16 * UNIT, sy - uy * 0.16 * UNIT)]
            for step in range(1, 5):
                off = random_.uniform(-0.09, 0.09) * UNIT
                line.append((sx + ux * reach * step / 4 - uy * off, sy + uy * reach * step / 4 + ux * off))
            end = (line[2][0] + (uy + ux) * 0.12 * UNIT, line[2][1] + (uy - ux) * 0.12 * UNIT)
            pen.line(
                [(x + 0.05 * UNIT, y + 0.05 * UNIT) for x, y in line],
                mix(WHITE, (120, 112, 100), 0.3),
                0.06 * UNIT,
            )
            pen.line(line, INK, (0.04 + 0.016 * what.number) * UNIT)
            pen.line([line[2], end], INK, 0.045 * UNIT)
    return pen.written()


def feature_number(book: Book, what: Feature) -> tuple[str, Spot] | None:
    """Return the step of damage or the turn of a fire, and where it lies from the middle of its hex."""
    if what.kind == "wall" and 0 < what.number < len(works.STEPS) - 1:
        return book.put(("gauge", what.number), lambda: _gauge(what.number, len(works.STEPS) - 1)), (
            -0.78 * UNIT,
            0,
        )
    if what.kind == "fire" and what.number:
        return book.put(("flame", what.number), lambda: _flame(what.number)), (0.78 * UNIT, 0)
    return None


def _gauge(count: int, full: int) -> str:
    high = 0.5 * UNIT
    wide = high * 1.15
    found = "".join(
        f'<rect x="{number(-w / 2)}" y="{number(-h / 2)}" width="{number(w)}" height="{number(h)}" rx="40" '
        f'fill="{hexa(fill)}"/>'
        for w, h, fill in ((wide + 24, high + 24, WHITE), (wide, high, INK))
    )
    pen = Pen()
    step = (wide - high * 0.24) / max(1, full)
    for i in range(full):
        left = high * 0.12 + step * i - wide / 2
        box = (left + step * 0.12, high * 0.14, left + step * 0.88, high * 0.38)
        pen.rectangle(box, (255, 206, 84) if i < count else mix(INK, WHITE, 0.34))
    return found + words(str(count), 0, -high * 0.16, high * 0.62, wide, WHITE) + pen.written()


def _flame(count: int) -> str:
    outline = (
        (0.5, 0.0),
        (0.68, 0.26),
        (0.86, 0.4),
        (0.94, 0.7),
        (0.74, 0.98),
        (0.26, 0.98),
        (0.06, 0.7),
        (0.12, 0.4),
        (0.3, 0.46),
    )
    size = 0.52 * UNIT
    found = ""
    for grow, fill in ((1.12, WHITE), (1.0, (150, 36, 6))):
        found += shape(
            way([((x - 0.5) * grow * size, (y - 0.55) * grow * size) for x, y in outline], True), fill
        )
    return found + words(str(count), 0, 0.14 * size, 0.54 * size, 0.9 * size, WHITE)


def swords(book: Book, size: float = 0.54) -> str:
    """Return two crossed swords on a white disc, round the origin."""

    def draw() -> str:
        full = size * UNIT
        found = "".join(
            shape(round_way(0, 0, full * (0.5 - grow)), fill)
            for grow, fill in ((0.0, WHITE), (0.05, book.theme.melee), (0.1, WHITE))
        )
        pen = Pen(full)
        for flip in (-1, 1):
            pen.line([(flip * -0.18, 0.22), (flip * 0.22, -0.26)], book.theme.ink, 0.075)
            pen.polygon([(flip * 0.18, -0.26), (flip * 0.28, -0.33), (flip * 0.26, -0.2)], INK)
            pen.line([(flip * -0.22, 0.08), (flip * -0.04, 0.24)], INK, 0.06)
            pen.line([(flip * -0.14, 0.17), (flip * -0.24, 0.29)], INK, 0.075)
        return found + pen.written()

    return book.put(("swords", size), draw)


def impact(book: Book, size: float = 0.8) -> str:
    """Return a burst round the origin: a wall was struck."""
    full = size * UNIT
    return book.put(
        ("impact", size),
        lambda: "".join(
            shape(way(arrows.star(0, 0, full * reach), True), fill)
            for reach, fill in ((0.5, WHITE), (0.44, INK), (0.38, book.theme.changed), (0.2, WHITE))
        ),
    )


def pill_size(text: str) -> Spot:
    """Return how wide and high a label is, in scene units."""
    return (measured(text) + 0.9) * LABEL, LABEL * 1.55


def pill(book: Book, text: str, colour: Colour, strong: bool) -> str:
    """Return a small label round the origin: the result of a shot or a fight."""
    wide, high = pill_size(text)
    fill, edge, ink = (colour, book.theme.paper, WHITE) if strong else (book.theme.paper, colour, colour)
    box = (
        f'<rect x="{number(-wide / 2)}" y="{number(-high / 2)}" width="{number(wide)}" '
        f'height="{number(high)}" rx="{number(high * 0.3)}"'
    )
    return f'{box} fill="{hexa(fill)}" stroke="{hexa(edge)}" stroke-width="20"/>' + words(
        text, 0, 0, LABEL, wide - LABEL * 0.4, ink, limit=40
    )
