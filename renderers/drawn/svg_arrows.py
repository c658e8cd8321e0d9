"""Ways of figures and shots as pieces of SVG, in scene units: arrows whose kinds can be
told apart in grey.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from pbem.core.scene import Point, Trace

from ..painted import arrows, counters
from ..painted.woodwork import ROPE
from ..palette import INK, Colour
from .svg_pen import UNIT, Book, Spot, moved, number, shape, way

EDGE = (counters.SIZE / 2 + 0.02) * UNIT
"""From the middle of a counter to its side, where arrows end."""
Bend = tuple[Spot, Spot, Spot, Spot]
"""A piece of a curve: its ends, and between them the two places that draw it."""


def _bends(points: Sequence[Spot]) -> list[Bend]:
    """Return the curve through some points (Catmull-Rom), piece by piece."""
    padded = [points[0], *points, points[-1]]
    found = []
    for (ax, ay), (bx, by), (cx, cy), (dx, dy) in zip(
        padded, padded[1:], padded[2:], padded[3:], strict=False
    ):
        found.append(
            (
                (bx, by),
                (bx + (cx - ax) / 6, by + (cy - ay) / 6),
                (cx - (dx - bx) / 6, cy - (dy - by) / 6),
                (cx, cy),
            )
        )
    return found


def _on(bend: Bend, t: float) -> Spot:
    s = 1 - t
    shares = (s**3, 3 * s * s * t, 3 * s * t * t, t**3)
    return sum(w * p[0] for w, p in zip(shares, bend, strict=True)), sum(
        w * p[1] for w, p in zip(shares, bend, strict=True)
    )


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

    Plain is a move, hollow a retreat, feathered an advance, barred entering and leaving, waved a flight,
    dotted what is led, thin getting off a horse, doubled the ruts of an engine; who is thrown falls on a
    star, and so does a stone; who falls from a height whirls on his way to it.
    """
    thin = kind in arrows.THIN
    spots = [(x, y + book.drop) for x, y in points]
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
    if kind in arrows.STARRED:
        for ink, grow in ((book.theme.paper, 0.07), (colour, 0.0)):
            found += shape(way(arrows.star(*end, (0.27 + grow) * UNIT), True), ink)
        return _round(found + line(colour, wide))
    found += moved(
        book.put(("tip", colour, head), lambda: _head(book, colour, head)), *end, math.degrees(turn)
    )
    found += (
        line(colour, wide * 1.5, stroke_dasharray=f"0 {number(wide * 2.1)}")
        if kind == "lead"
        else line(colour, wide)
    )
    if kind == "roll":
        found += line(book.theme.paper, wide * 0.42)
    if kind in ("retreat", "leave"):
        dash = number(0.2 * UNIT)
        found += line(
            book.theme.paper, wide * 0.9, stroke_dasharray=f"0 {dash} {dash} 0", stroke_linecap="butt"
        )
        corners = _tip(end, turn, head)
        x, y = sum(p[0] for p in corners) / 3, sum(p[1] for p in corners) / 3
        found += shape(
            way([(x + (px - x) * 0.48, y + (py - y) * 0.48) for px, py in corners], True), book.theme.paper
        )
    if kind == "advance":
        found += shape(
            "".join(
                way(_tip(at, way_, head * 0.78), True) for at, way_ in _along(_sampled(bends), 0.42 * UNIT)
            ),
            colour,
        )
    if kind in ("enter", "leave"):
        first = _on(bends[0], 0.04)
        at, along_ = (
            (bends[0][0], math.atan2(first[1] - bends[0][0][1], first[0] - bends[0][0][0]))
            if kind == "enter"
            else (end, turn)
        )
        if kind == "leave":
            at = (end[0] + math.cos(turn) * head, end[1] + math.sin(turn) * head)
        nx, ny = -math.sin(along_) * 0.34 * UNIT, math.cos(along_) * 0.34 * UNIT
        found += shape(
            way([(at[0] - nx, at[1] - ny), (at[0] + nx, at[1] + ny)]),
            None,
            colour,
            0.13 * UNIT,
            stroke_linecap="butt",
        )
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
    return "".join(
        shape(way([start, end]), None, ink, wide * UNIT)
        for ink, wide in ((book.theme.paper, 0.1), (colour, 0.045))
    )


def rope(book: Book, start: Point, end: Point) -> str:
    """Return the rope by which an animal in harness draws a thing, in scene units."""
    drawn = (shape(way([start, end]), None, ink, wide * UNIT) for ink, wide in ((INK, 0.13), (ROPE, 0.07)))
    return _round("".join(drawn))


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
            found.append(
                (
                    (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share),
                    math.atan2(b[1] - a[1], b[0] - a[0]),
                )
            )
            want += step
        run += length
    return found[:-1] if len(found) > 1 else found


def shot(book: Book, a: Point, b: Point) -> str:
    """Return the line of a shot, in scene units: dashed, haloed, with a barb at the target."""
    length = math.dist(a, b)
    if length < UNIT:
        return ""
    dx, dy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    start = (a[0] + dx * 0.3 * UNIT, a[1] + book.drop + dy * 0.3 * UNIT)
    slant = max(abs(dx), abs(dy)) or 1.0
    reach = max(0.4 * UNIT, length - EDGE / slant - 0.26 * UNIT)
    end = (a[0] + dx * reach, a[1] + book.drop + dy * reach)
    d, ink = way([start, end]), book.theme.shot
    head = book.put(
        "barb", lambda: "".join(_barb(size, tint) for size, tint in ((0.38, book.theme.paper), (0.26, ink)))
    )
    found = shape(d, None, book.theme.paper, 0.15 * UNIT, stroke_linecap="round") + moved(
        head, *end, math.degrees(math.atan2(dy, dx))
    )
    return found + shape(
        d, None, ink, 0.075 * UNIT, stroke_dasharray=f"{number(0.2 * UNIT)} {number(0.18 * UNIT)}"
    )


def _barb(size: float, colour: Colour) -> str:
    return shape(way(_tip((0, 0), 0, size * UNIT), True), colour)


def way_of(trace: Trace) -> list[Point]:
    """Return the points of an arrow: of a figure of two cells the way of its tail, so that the arrow ends
    behind it.
    """
    behind = [point for i, point in enumerate(trace.tails) if i == 0 or point != trace.tails[i - 1]]
    return behind if len(behind) > 1 else list(trace.path)
