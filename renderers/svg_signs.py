"""What has become of the ground, what happened on it, and what it came to, as pieces of SVG: rims, fire, arrows, shots, results."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import pairwise

from pbem.core.scene import Feature, Point, Trace

from . import arrows, counters, works
from .palette import INK, WHITE, Colour, mix
from .svg_pen import UNIT, Book, Pen, Spot, hexa, measured, moved, number, round_way, shape, way, words
from .themes import Theme

DROP = 0.15 * UNIT
"""How far counters, and the arrows between them, lie below the middle of their hex."""
EDGE = (counters.SIZE / 2 + 0.02) * UNIT
"""From the middle of a counter to its side, where arrows end."""
LABEL = 0.27 * UNIT
HEX = [(math.cos(math.radians(a)) * UNIT, math.sin(math.radians(a)) * UNIT) for a in range(-60, 300, 60)]
Bend = tuple[Spot, Spot, Spot, Spot]
"""A piece of a curve: its ends, and between them the two places that draw it."""


def _scaled(share: float) -> list[Spot]:
    return [(x * share, y * share) for x, y in HEX]


def hex_number(book: Book, at: str) -> str:
    """Return the number of a hex at its upper side, on a light halo, for where the ground's own is covered."""
    return words(
        at, 0, -0.69 * UNIT, 0.27 * UNIT, 0.9 * UNIT, book.theme.ink, limit=8, font_weight="normal",
        stroke=hexa(book.theme.paper), stroke_width=round(0.13 * UNIT), paint_order="stroke",
    )  # fmt: skip


def rim(book: Book, at: str, fight: bool) -> str:
    """Return the rim of a hex with its number: gold and single where something changed, red and double where there is a fight."""

    def draw() -> str:
        ring, theme = way(_scaled(0.93), True), book.theme
        if not fight:
            return "".join(shape(ring, None, colour, wide * UNIT) for colour, wide in ((theme.ink, 0.17), (theme.changed, 0.1)))
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
        for wide, colour in ((0.15, (70, 48, 22)), (0.1, random_.choice(((150, 112, 62), (134, 98, 54), (164, 126, 74))))):
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
            ((x + math.cos(start + k * math.tau / count) * r) * UNIT, (y + math.sin(start + k * math.tau / count) * r * 0.82) * UNIT)
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


_OUTER = ((0.5, 0.02), (0.66, 0.3), (0.82, 0.42), (0.86, 0.7), (0.68, 0.96), (0.34, 0.96), (0.14, 0.72), (0.2, 0.44), (0.36, 0.5))
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

        def at(points: Sequence[Spot], right: float = right, down: float = down, high: float = high) -> list[Spot]:
            return [((right + (x - 0.5) * high) * UNIT, (down - 0.06 + (y - 0.62) * high) * UNIT) for x, y in points]

        pen.polygon(at(_OUTER), (190, 60, 10), (90, 20, 0), 0.03 * UNIT)
        pen.polygon(at(_INNER), (250, 200, 60))
    return pen.written()


_PATCHES = {"filled": _filled, "rubble": _rubble, "burnt": _burnt, "fire": _fire}


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
    return book.put(("feature", kind, variant), lambda: _PATCHES[kind](book.theme, random.Random(f"{kind}{variant}")))


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
            pen.line([(x + 0.05 * UNIT, y + 0.05 * UNIT) for x, y in line], mix(WHITE, (120, 112, 100), 0.3), 0.06 * UNIT)
            pen.line(line, INK, (0.04 + 0.016 * what.number) * UNIT)
            pen.line([line[2], end], INK, 0.045 * UNIT)
    return pen.written()


def feature_number(book: Book, what: Feature) -> tuple[str, Spot] | None:
    """Return the step of damage or the turn of a fire, and where it lies from the middle of its hex."""
    if what.kind == "wall" and 0 < what.number < len(works.STEPS) - 1:
        return book.put(("gauge", what.number), lambda: _gauge(what.number, len(works.STEPS) - 1)), (-0.78 * UNIT, 0)
    if what.kind == "fire" and what.number:
        return book.put(("flame", what.number), lambda: _flame(what.number)), (0.78 * UNIT, 0)
    return None


def _gauge(count: int, full: int) -> str:
    high = 0.5 * UNIT
    wide = high * 1.15
    found = "".join(
        f'<rect x="{number(-w / 2)}" y="{number(-h / 2)}" width="{number(w)}" height="{number(h)}" rx="40" fill="{hexa(fill)}"/>'
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
    outline = ((0.5, 0.0), (0.68, 0.26), (0.86, 0.4), (0.94, 0.7), (0.74, 0.98), (0.26, 0.98), (0.06, 0.7), (0.12, 0.4), (0.3, 0.46))
    size = 0.52 * UNIT
    found = ""
    for grow, fill in ((1.12, WHITE), (1.0, (150, 36, 6))):
        found += shape(way([((x - 0.5) * grow * size, (y - 0.55) * grow * size) for x, y in outline], True), fill)
    return found + words(str(count), 0, 0.14 * size, 0.54 * size, 0.9 * size, WHITE)


def swords(book: Book, size: float = 0.54) -> str:
    """Return two crossed swords on a white disc, round the origin."""

    def draw() -> str:
        full = size * UNIT
        found = "".join(
            shape(round_way(0, 0, full * (0.5 - grow)), fill) for grow, fill in ((0.0, WHITE), (0.05, book.theme.melee), (0.1, WHITE))
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
    box = f'<rect x="{number(-wide / 2)}" y="{number(-high / 2)}" width="{number(wide)}" height="{number(high)}" rx="{number(high * 0.3)}"'
    return f'{box} fill="{hexa(fill)}" stroke="{hexa(edge)}" stroke-width="20"/>' + words(
        text, 0, 0, LABEL, wide - LABEL * 0.4, ink, limit=40
    )


def _bends(points: Sequence[Spot]) -> list[Bend]:
    """Return the curve through some points (Catmull-Rom), piece by piece."""
    padded = [points[0], *points, points[-1]]
    found = []
    for (ax, ay), (bx, by), (cx, cy), (dx, dy) in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        found.append(((bx, by), (bx + (cx - ax) / 6, by + (cy - ay) / 6), (cx - (dx - bx) / 6, cy - (dy - by) / 6), (cx, cy)))
    return found


def _on(bend: Bend, t: float) -> Spot:
    s = 1 - t
    shares = (s**3, 3 * s * s * t, 3 * s * t * t, t**3)
    return sum(w * p[0] for w, p in zip(shares, bend, strict=True)), sum(w * p[1] for w, p in zip(shares, bend, strict=True))


def _part(bend: Bend, low: float, high: float) -> Bend:
    """Return the piece of a piece of a curve between two shares of its parameter."""

    def split(one: Bend, t: float) -> tuple[Bend, Bend]:
        a, b, c, d = one

        def mid(p: Spot, q: Spot) -> Spot:
            return p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t

        ab, bc, cd = mid(a, b), mid(b, c), mid(c, d)
        abc, bcd = mid(ab, bc), mid(bc, cd)
        end = mid(abc, bcd)
        return (a, ab, abc, end), (end, bcd, cd, d)

    first = split(bend, high)[0]
    return split(first, low / high)[1] if high else first


def _cut(bends: Sequence[Bend], start: float, stop: float) -> list[Bend]:
    """Return a curve without so much of its length at its start and at its end."""
    steps = 12
    marks = [(index, step / steps) for index in range(len(bends)) for step in range(steps + 1)]
    spots = [_on(bends[index], t) for index, t in marks]
    run = [0.0]
    for a, b in pairwise(spots):
        run.append(run[-1] + math.dist(a, b))

    def mark(length: float) -> tuple[int, float]:
        for i in range(1, len(run)):
            if run[i] >= length and marks[i][0] == marks[i - 1][0]:
                share = (length - run[i - 1]) / (run[i] - run[i - 1] or 1)
                return marks[i][0], marks[i - 1][1] + max(0.0, share) / steps
        return marks[-1]

    end = max(start + 0.2 * UNIT, run[-1] - stop)
    if end > run[-1]:
        return []
    (first, low), (last, high) = mark(start), mark(end)
    found = []
    for index in range(first, last + 1):
        since, until = low if index == first else 0.0, high if index == last else 1.0
        if until > since:
            found.append(_part(bends[index], since, until))
    return found


def _curve(bends: Sequence[Bend]) -> str:
    """Return a curve as a path."""
    x, y = (round(part) for part in bends[0][0])
    found = f"M{x} {y}c"
    for _, *rest in bends:
        steps = [(round(px) - x, round(py) - y) for px, py in rest]
        found += ("" if found.endswith("c") else " ") + " ".join(f"{dx} {dy}" for dx, dy in steps)
        x, y = x + steps[-1][0], y + steps[-1][1]
    return found.replace(" -", "-")


def _sampled(bends: Sequence[Bend], steps: int = 10) -> list[Spot]:
    return [_on(bend, t / steps) for bend in bends for t in range(steps)] + [bends[-1][3]]


def _tip(at: Spot, turn: float, size: float) -> list[Spot]:
    """Return the triangle at the end of a line that runs in a direction (radians)."""
    dx, dy = math.cos(turn), math.sin(turn)
    bx, by = at[0] - dx * size * 0.25, at[1] - dy * size * 0.25
    return [
        (at[0] + dx * size, at[1] + dy * size),
        (bx - dy * size * 0.62, by + dx * size * 0.62),
        (bx + dy * size * 0.62, by - dx * size * 0.62),
    ]


def arrow(book: Book, points: Sequence[Point], kind: str, colour: Colour) -> str:
    """Return the way of a figure, in scene units; the kinds can be told apart in grey.

    Plain is a move, hollow a retreat, feathered an advance, barred entering and leaving, waved a flight, dotted what is led, thin
    getting off a horse, doubled the ruts of an engine; who is thrown falls on a star, and who falls from a height whirls on his way to it.
    """
    thin = kind in arrows.THIN
    spots = [(x, y + DROP) for x, y in points]
    wide, head = arrows.THIN.get(kind, 0.15) * UNIT, (0.24 if thin else 0.36) * UNIT
    whole = _bends(spots)
    stop = 0.0 if kind == "leave" else _reach(_sampled(whole), EDGE)
    bends = _cut(whole, 0.12 * UNIT, stop + head * 0.96)
    if not bends:
        return ""
    d = _curve(bends)
    end, before = bends[-1][3], _on(bends[-1], 0.96)
    turn = math.atan2(end[1] - before[1], end[0] - before[0])
    if kind in ("flee", "fall"):
        d = way(arrows.waved(_sampled(bends), 0.12 * UNIT, 0.62 * UNIT))

    def line(ink: Colour, thick: float, **more: object) -> str:
        return shape(d, None, ink, thick, **more)

    found = line(book.theme.paper, wide + 0.1 * UNIT)
    if kind in ("thrown", "fall"):
        for ink, grow in ((book.theme.paper, 0.07), (colour, 0.0)):
            found += shape(way(arrows.star(*end, (0.27 + grow) * UNIT), True), ink)
        return _round(found + line(colour, wide))
    found += moved(book.put(("tip", colour, head), lambda: _head(book, colour, head)), *end, math.degrees(turn))
    found += line(colour, wide * 1.5, stroke_dasharray=f"0 {number(wide * 2.1)}") if kind == "lead" else line(colour, wide)
    if kind == "roll":
        found += line(book.theme.paper, wide * 0.42)
    if kind in ("retreat", "leave"):
        dash = number(0.2 * UNIT)
        found += line(book.theme.paper, wide * 0.9, stroke_dasharray=f"0 {dash} {dash} 0", stroke_linecap="butt")
        corners = _tip(end, turn, head)
        x, y = sum(p[0] for p in corners) / 3, sum(p[1] for p in corners) / 3
        found += shape(way([(x + (px - x) * 0.48, y + (py - y) * 0.48) for px, py in corners], True), book.theme.paper)
    if kind == "advance":
        found += shape("".join(way(_tip(at, way_, head * 0.78), True) for at, way_ in _along(_sampled(bends), 0.42 * UNIT)), colour)
    if kind in ("enter", "leave"):
        first = _on(bends[0], 0.04)
        at, along_ = (bends[0][0], math.atan2(first[1] - bends[0][0][1], first[0] - bends[0][0][0])) if kind == "enter" else (end, turn)
        if kind == "leave":
            at = (end[0] + math.cos(turn) * head, end[1] + math.sin(turn) * head)
        nx, ny = -math.sin(along_) * 0.34 * UNIT, math.cos(along_) * 0.34 * UNIT
        found += shape(way([(at[0] - nx, at[1] - ny), (at[0] + nx, at[1] + ny)]), None, colour, 0.13 * UNIT, stroke_linecap="butt")
    return _round(found)


def _reach(spots: Sequence[Spot], half: float) -> float:
    """Return how long the end of a way is that lies under the counter there, a square of that half side."""
    end, length = spots[-1], 0.0
    for at, before in pairwise(reversed(spots)):
        length += math.dist(at, before)
        away = max(abs(before[0] - end[0]), abs(before[1] - end[1]))
        if away > half:
            return length * half / away
    return half


def lead(book: Book, start: Point, end: Point, colour: Colour) -> str:
    """Return a thin line from what a label is about to the label, in scene units."""
    return "".join(shape(way([start, end]), None, ink, wide * UNIT) for ink, wide in ((book.theme.paper, 0.1), (colour, 0.045)))


def _head(book: Book, colour: Colour, size: float) -> str:
    """Return the head of an arrow to the right, with its light rim."""
    tip = way(_tip((0, 0), 0, size), True)
    return shape(tip, book.theme.paper, book.theme.paper, 0.12 * UNIT) + shape(tip, colour)


def _round(drawn: str) -> str:
    lines = drawn.replace(' fill="none"', "")
    return f'<g fill="none" stroke-linecap="round">{lines}</g>'


def _along(spots: Sequence[Spot], step: float) -> list[tuple[Spot, float]]:
    """Return places at even steps along a line, each with its direction, without its ends."""
    found: list[tuple[Spot, float]] = []
    run, want = 0.0, step
    for a, b in pairwise(spots):
        length = math.dist(a, b)
        while length and run + length >= want:
            share = (want - run) / length
            found.append(((a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share), math.atan2(b[1] - a[1], b[0] - a[0])))
            want += step
        run += length
    return found[:-1] if len(found) > 1 else found


def shot(book: Book, a: Point, b: Point) -> str:
    """Return the line of a shot, in scene units: dashed, haloed, with a barb at the target."""
    length = math.dist(a, b)
    if length < UNIT:
        return ""
    dx, dy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    start = (a[0] + dx * 0.3 * UNIT, a[1] + DROP + dy * 0.3 * UNIT)
    slant = max(abs(dx), abs(dy)) or 1.0
    reach = max(0.4 * UNIT, length - EDGE / slant - 0.26 * UNIT)
    end = (a[0] + dx * reach, a[1] + DROP + dy * reach)
    d, ink = way([start, end]), book.theme.shot
    head = book.put("barb", lambda: "".join(_barb(size, tint) for size, tint in ((0.38, book.theme.paper), (0.26, ink))))
    found = shape(d, None, book.theme.paper, 0.15 * UNIT, stroke_linecap="round") + moved(head, *end, math.degrees(math.atan2(dy, dx)))
    return found + shape(d, None, ink, 0.075 * UNIT, stroke_dasharray=f"{number(0.2 * UNIT)} {number(0.18 * UNIT)}")


def _barb(size: float, colour: Colour) -> str:
    return shape(way(_tip((0, 0), 0, size * UNIT), True), colour)


def way_of(trace: Trace) -> list[Point]:
    """Return the points of an arrow: of a figure of two cells the way of its tail, so that the arrow ends behind it."""
    behind = [point for i, point in enumerate(trace.tails) if i == 0 or point != trace.tails[i - 1]]
    return behind if len(behind) > 1 else list(trace.path)
