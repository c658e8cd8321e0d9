"""What happened, on top of the ground: rims of changed hexes, arrows, shots, fights, and the counters themselves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from PIL import Image, ImageDraw

from pbem.core.scene import Point, Scene, Token, Trace

from . import counters, long_counters
from .frame import Frame, Spot
from .ground import smooth
from .lettering import font, plain, width
from .palette import CREAM, GOLD, INK, MELEE, SHOT, WHITE, Colour, side_colour

TIMES = 2
STRIP = 96
"""Pixels of a scrap that are laid on the picture at once."""
MOVES = ("move", "retreat", "advance", "enter", "leave", "flee", "lead", "dismount", "thrown")
THIN = {"lead": 0.085, "dismount": 0.075, "thrown": 0.075}
"""Kinds of way that are thinner than the others, with their width in hex radii; they leave no outline behind."""


class Ink:
    """Lines drawn twice as large on a scrap as big as they need, then reduced and laid on the picture."""

    def __init__(self, picture: Image.Image, points: Sequence[Spot], reach: float) -> None:
        self.picture = picture
        left, top = math.floor(min(x for x, _ in points) - reach), math.floor(min(y for _, y in points) - reach)
        right, bottom = math.ceil(max(x for x, _ in points) + reach), math.ceil(max(y for _, y in points) + reach)
        self.left, self.top = max(0, left), max(0, top)
        size = (max(1, min(picture.width, right) - self.left), max(1, min(picture.height, bottom) - self.top))
        self.size = size
        self.layers: list[tuple[Colour, Image.Image, ImageDraw.ImageDraw]] = []

    def layer(self, colour: Colour) -> ImageDraw.ImageDraw:
        """Return where to draw (with ``fill=255``) what will be laid in a colour."""
        mask = Image.new("L", (self.size[0] * TIMES, self.size[1] * TIMES), 0)
        draw = ImageDraw.Draw(mask)
        self.layers.append((colour, mask, draw))
        return draw

    def at(self, points: Sequence[Spot]) -> list[Spot]:
        """Return the places on the scrap."""
        return [((x - self.left) * TIMES, (y - self.top) * TIMES) for x, y in points]

    def done(self) -> None:
        """Lay the layers on the picture, the first one lowest."""
        for colour, mask, _ in self.layers:
            small = mask.reduce(TIMES)
            for left in range(0, small.width, STRIP):  # a long line leaves most of its scrap empty
                strip = small.crop((left, 0, min(left + STRIP, small.width), small.height))
                if inked := strip.getbbox():
                    self.picture.paste(colour, (self.left + left + inked[0], self.top + inked[1]), strip.crop(inked))


def _thick(draw: ImageDraw.ImageDraw, points: Sequence[Spot], wide: float) -> None:
    draw.line(points, fill=255, width=max(1, round(wide)), joint="curve")
    r = wide / 2
    for x, y in (points[0], points[-1]):
        draw.ellipse((x - r, y - r, x + r, y + r), fill=255)


def _lengths(points: Sequence[Spot]) -> list[float]:
    run = [0.0]
    for (ax, ay), (bx, by) in pairwise(points):
        run.append(run[-1] + math.hypot(bx - ax, by - ay))
    return run


def cut(points: Sequence[Spot], start: float, end: float) -> list[Spot]:
    """Return the piece of a line between two lengths along it."""
    run = _lengths(points)
    found: list[Spot] = []
    for (ax, ay), (bx, by), low, high in zip(points, points[1:], run, run[1:], strict=False):
        if high <= start or low >= end or high == low:
            continue
        for want in (max(start, low), min(end, high)):
            share = (want - low) / (high - low)
            spot = (ax + (bx - ax) * share, ay + (by - ay) * share)
            if not found or found[-1] != spot:
                found.append(spot)
    return found


def _head(points: Sequence[Spot], size: float) -> list[Spot]:
    """Return the triangle at the end of a line."""
    (x, y), (px, py) = points[-1], points[-2]
    length = math.hypot(x - px, y - py) or 1.0
    dx, dy = (x - px) / length, (y - py) / length
    bx, by = x - dx * size * 0.25, y - dy * size * 0.25
    return [
        (x + dx * size, y + dy * size),
        (bx - dy * size * 0.62, by + dx * size * 0.62),
        (bx + dy * size * 0.62, by - dx * size * 0.62),
    ]


def draw_arrow(picture: Image.Image, points: Sequence[Spot], kind: str, colour: Colour, unit: float) -> None:
    """Draw the way of a figure so that grey print tells the kinds apart.

    Plain is a move, hollow a retreat, feathered an advance, barred entering and leaving, waved a flight, dotted what is led, thin
    getting off a horse; who is thrown falls on a star.
    """
    curve = smooth(points)
    total = _lengths(curve)[-1]
    stop = 0.0 if kind == "leave" else unit * 0.62
    line = cut(curve, unit * 0.12, max(unit * 0.5, total - stop - unit * (0.3 if kind not in THIN else 0.12)))
    if len(line) < 2:
        return
    if kind == "flee":
        line = waved(line, unit * 0.12, unit * 0.62)
    wide, head = unit * THIN.get(kind, 0.15), unit * (0.36 if kind not in THIN else 0.24)
    ink = Ink(picture, [*line, *_head(line, head * 1.5)], unit * 0.4)
    halo, core = ink.layer(CREAM), ink.layer(colour)
    spots = ink.at(line)
    tip = _head(spots, head * TIMES)
    _thick(halo, spots, (wide + unit * 0.1) * TIMES)
    if kind == "thrown":
        x, y = spots[-1]
        for draw, grow in ((halo, 0.07), (core, 0.0)):
            draw.polygon(_star(x, y, (unit * 0.27 + unit * grow) * TIMES), fill=255)
        _thick(core, spots, wide * TIMES)
        ink.done()
        return
    halo.polygon(_head(spots, head * TIMES * 1.42), fill=255)
    halo.line([*tip, tip[0]], fill=255, width=round(unit * 0.12 * TIMES), joint="curve")
    if kind == "lead":
        _dots(core, spots, wide * TIMES)
    else:
        _thick(core, spots, wide * TIMES)
    core.polygon(tip, fill=255)
    run = _lengths(spots)[-1]
    if kind in ("retreat", "leave"):
        inner = ink.layer(CREAM)
        dash = unit * 0.2 * TIMES
        for i in range(math.ceil(run / dash)):
            if i % 2:
                piece = cut(spots, i * dash, min(run, (i + 1) * dash))
                if len(piece) > 1:
                    inner.line(piece, fill=255, width=round(wide * TIMES * 0.9))
        x, y = sum(p[0] for p in tip) / 3, sum(p[1] for p in tip) / 3
        inner.polygon([(x + (px - x) * 0.48, y + (py - y) * 0.48) for px, py in tip], fill=255)
    if kind == "advance":
        for i in range(1, max(2, int(run / (unit * 0.42 * TIMES)))):
            piece = cut(spots, max(0.0, i * unit * 0.42 * TIMES - 2), i * unit * 0.42 * TIMES)
            if len(piece) > 1:
                core.polygon(_head(piece, head * TIMES * 0.78), fill=255)
    if kind in ("enter", "leave"):
        x, y = spots[0] if kind == "enter" else tip[0]
        after = spots[1] if kind == "enter" else spots[-1]
        length = math.hypot(after[0] - x, after[1] - y) or 1.0
        nx, ny = -(after[1] - y) / length * unit * 0.34 * TIMES, (after[0] - x) / length * unit * 0.34 * TIMES
        core.line((x - nx, y - ny, x + nx, y + ny), fill=255, width=round(unit * 0.13 * TIMES))
    ink.done()


def waved(points: Sequence[Spot], high: float, long: float) -> list[Spot]:
    """Return a line that swings to both sides, as one who runs for his life; its ends stay."""
    run = _lengths(points)
    swings = max(1, round(run[-1] / long))
    steps = swings * 12
    found = []
    for i in range(steps + 1):
        reach = run[-1] * i / steps
        piece = cut(points, max(0.0, reach - 1), min(run[-1], reach + 1))
        (ax, ay), (bx, by) = piece[0], piece[-1]
        length = math.hypot(bx - ax, by - ay) or 1.0
        off = math.sin(i / steps * swings * math.tau) * high * min(1.0, 4 * i / steps, 4 * (1 - i / steps))
        found.append(((ax + bx) / 2 - (by - ay) / length * off, (ay + by) / 2 + (bx - ax) / length * off))
    return found


def _dots(draw: ImageDraw.ImageDraw, points: Sequence[Spot], wide: float) -> None:
    """Draw a line of dots."""
    total = _lengths(points)[-1]
    for i in range(int(total / (wide * 2.1)) + 1):
        piece = cut(points, i * wide * 2.1, min(total, i * wide * 2.1 + 1))
        if piece:
            x, y = piece[0]
            draw.ellipse((x - wide * 0.75, y - wide * 0.75, x + wide * 0.75, y + wide * 0.75), fill=255)


def _star(x: float, y: float, reach: float) -> list[Spot]:
    """Return a star of seven points."""
    return [
        (x + math.cos(i * math.tau / 14) * reach * (1 if i % 2 else 0.45), y + math.sin(i * math.tau / 14) * reach * (1 if i % 2 else 0.45))
        for i in range(14)
    ]


@lru_cache(maxsize=256)
def pill(text: str, size: int, colour: Colour, strong: bool) -> Image.Image:
    """Return a small label: the result of a shot or a fight."""
    face = font("bold", size * TIMES)
    wide = math.ceil(width(text, "bold", size * TIMES) + size * TIMES * 0.9)
    high = math.ceil(size * TIMES * 1.55)
    wide, high = wide + wide % 2, high + high % 2
    picture = Image.new("RGBA", (wide, high), (255, 255, 255, 0))
    draw = ImageDraw.Draw(picture)
    draw.rounded_rectangle(
        (0, 0, wide - 1, high - 1),
        high * 0.3,
        fill=CREAM if not strong else colour,
        outline=colour if not strong else CREAM,
        width=TIMES + 1,
    )
    draw.text((wide / 2, high / 2), text, font=face, fill=colour if not strong else WHITE, anchor="mm")
    return picture.reduce(TIMES)


def draw_shot(picture: Image.Image, a: Spot, b: Spot, unit: float) -> None:
    """Draw the line of a shot: dashed, haloed, with a barb at the target."""
    length = math.hypot(b[0] - a[0], b[1] - a[1])
    line = cut([a, b], unit * 0.3, max(unit * 0.4, length - unit * 0.62))
    if len(line) < 2:
        return
    ink = Ink(picture, line, unit * 0.4)
    halo, core = ink.layer(CREAM), ink.layer(SHOT)
    spots = ink.at(line)
    _thick(halo, spots, unit * 0.15 * TIMES)
    tip = _head(spots, unit * 0.26 * TIMES)
    halo.polygon(_head(spots, unit * 0.38 * TIMES), fill=255)
    core.polygon(tip, fill=255)
    run, dash = _lengths(spots)[-1], unit * 0.19 * TIMES
    for i in range(0, math.ceil(run / dash), 2):
        piece = cut(spots, i * dash, min(run, (i + 1.1) * dash))
        if len(piece) > 1:
            core.line(piece, fill=255, width=max(2, round(unit * 0.075 * TIMES)))
    ink.done()


@lru_cache(maxsize=16)
def swords(size: int) -> Image.Image:
    """Return two crossed swords on a white disc."""
    full = size * 4
    picture = Image.new("RGBA", (full, full), (0, 0, 0, 0))
    draw = ImageDraw.Draw(picture)
    for grow, fill in ((0.0, WHITE), (0.05, MELEE), (0.1, WHITE)):
        draw.ellipse((full * grow, full * grow, full * (1 - grow) - 1, full * (1 - grow) - 1), fill=fill)
    for flip in (False, True):

        def at(x: float, y: float, flip: bool = flip) -> tuple[float, float]:
            return full * (1 - x if flip else x), full * y

        draw.line([at(0.32, 0.72), at(0.72, 0.24)], fill=INK, width=round(full * 0.075))
        draw.polygon([at(0.68, 0.24), at(0.78, 0.17), at(0.76, 0.3)], fill=INK)
        draw.line([at(0.28, 0.58), at(0.46, 0.74)], fill=INK, width=round(full * 0.06))
        draw.line([at(0.36, 0.67), at(0.26, 0.79)], fill=INK, width=round(full * 0.075))
    return picture.reduce(4)


def draw_rim(picture: Image.Image, corners: Sequence[Spot], unit: float, fight: bool) -> None:
    """Draw the rim of a hex: gold and single where something changed, red and double where there is a fight."""
    x, y = sum(p[0] for p in corners) / 6, sum(p[1] for p in corners) / 6
    ink = Ink(picture, corners, unit * 0.2)

    def ring(share: float) -> list[Spot]:
        spots = ink.at([(x + (px - x) * share, y + (py - y) * share) for px, py in corners])
        return [*spots, spots[0], spots[1]]

    dark, core = ink.layer(INK if not fight else WHITE), ink.layer(GOLD if not fight else MELEE)
    if fight:
        wash = Image.new("L", (ink.size[0] * TIMES, ink.size[1] * TIMES), 0)
        ImageDraw.Draw(wash).polygon(ring(0.9), fill=58)
        ink.layers.insert(0, (MELEE, wash, ImageDraw.Draw(wash)))
    dark.line(ring(0.93), fill=255, width=round(unit * (0.17 if not fight else 0.26) * TIMES), joint="curve")
    if fight:
        core.line(ring(0.99), fill=255, width=round(unit * 0.085 * TIMES), joint="curve")
        core.line(ring(0.85), fill=255, width=round(unit * 0.085 * TIMES), joint="curve")
    else:
        core.line(ring(0.93), fill=255, width=round(unit * 0.1 * TIMES), joint="curve")
    ink.done()


def stamp(picture: Image.Image, figure: Image.Image, x: float, y: float) -> None:
    """Lay a stamp with its middle at a place; what sticks out of the picture is cut."""
    picture.paste(figure, (round(x - figure.width / 2), round(y - figure.height / 2)), figure)


def _drop(unit: float) -> float:
    """Return how far counters stand below the middle of their hex, so that its number stays in sight."""
    return unit * 0.15


def draw_action(picture: Image.Image, scene: Scene, frame: Frame, grow: float = 1.0) -> None:
    """Draw everything that is not the same each turn, lowest first; ``grow`` makes counters larger than their hex asks for."""
    unit = frame.hex
    corners = {area.centre: area.corners for area in scene.areas}
    rimmed: list[tuple[int, int]] = []
    for area in scene.areas:
        if area.changed and _near(frame, frame.spot(area.centre)):
            draw_rim(picture, frame.spots(area.corners), unit, fight=False)
            rimmed.append(area.centre)
    fights = [trace for trace in scene.traces if trace.kind == "fight" and trace.path]
    for cell in sorted({cell for trace in fights for cell in _fighting(scene, trace) if cell in corners}):
        if _near(frame, frame.spot(cell)):
            draw_rim(picture, frame.spots(corners[cell]), unit, fight=True)
            rimmed.append(cell)
    _write_again(picture, scene, frame, rimmed)
    moves = [trace for trace in scene.traces if trace.kind in MOVES and len(trace.path) > 1 and _touches(frame, trace)]
    for trace in moves:
        colour = side_colour(counters.look_of(scene.sides, trace.side).colour)
        lowered = [(x, y + _drop(unit)) for x, y in frame.spots(_way(trace))]
        draw_arrow(picture, lowered, trace.kind, colour, unit)
    for trace in moves:
        if trace.kind != "enter" and trace.kind not in THIN and trace.actors:
            _draw_ghost(picture, scene, frame, trace)
    shots = [trace for trace in scene.traces if trace.kind == "shot" and len(trace.path) > 1 and _touches(frame, trace)]
    for trace in shots:
        a, b = frame.spots((trace.path[0], trace.path[-1]))
        draw_shot(picture, (a[0], a[1] + _drop(unit)), (b[0], b[1] + _drop(unit)), unit)
    _draw_tokens(picture, scene, frame, grow)
    _draw_results(picture, scene, frame, fights, shots)


def _way(trace: Trace) -> list[Point]:
    """Return the points of the arrow: of a figure of two cells the way of its tail, so that the arrow ends behind it."""
    behind = [point for i, point in enumerate(trace.tails) if i == 0 or point != trace.tails[i - 1]]
    return behind if len(behind) > 1 else list(trace.path)


def _draw_ghost(picture: Image.Image, scene: Scene, frame: Frame, trace: Trace) -> None:
    """Draw the outline that who went left at the old place."""
    look, drop = counters.look_of(scene.sides, trace.side), _drop(frame.hex)
    x, y = frame.spot(trace.path[0])
    unit = round(frame.hex * 100)
    if not trace.tails:
        stamp(picture, counters.ghost(look.shape, look.colour, trace.actors[0], unit), x, y + drop)
        return
    tx, ty = frame.spot(trace.tails[0])
    ghost = long_counters.long_ghost(look.shape, look.colour, trace.actors[0], unit, _angle((x, y), (tx, ty)))
    stamp(picture, ghost, (x + tx) / 2, (y + ty) / 2 + drop)


def _angle(head: Spot, tail: Spot) -> int:
    """Return the angle from tail to head, in degrees clockwise from the right."""
    return round(math.degrees(math.atan2(head[1] - tail[1], head[0] - tail[0])))


@lru_cache(maxsize=1024)
def _number(text: str, size: int) -> Image.Image:
    wide, high = math.ceil(width(text, "sans", size)) + 6, round(size * 1.15)
    picture = Image.new("RGBA", (wide, high), (*CREAM, 225))
    ImageDraw.Draw(picture).text((wide / 2, high / 2), text, font=font("sans", size), fill=INK, anchor="mm")
    return picture


def _write_again(picture: Image.Image, scene: Scene, frame: Frame, cells: Sequence[tuple[int, int]]) -> None:
    """Write the numbers of hexes again whose rims have covered them."""
    for area in scene.areas:
        if area.centre in cells:
            x, y = frame.spot(area.centre)
            stamp(picture, _number(plain(area.at, 8), max(9, round(frame.hex * 0.27))), x, y - frame.hex * 0.69)


def _draw_results(picture: Image.Image, scene: Scene, frame: Frame, fights: Sequence[Trace], shots: Sequence[Trace]) -> None:
    """Draw crossed swords between those who fight, and every result where it hides least."""
    unit, drop = frame.hex, _drop(frame.hex)
    size = max(9, round(unit * 0.27))
    taken: list[tuple[float, float, float, float]] = []
    for token in scene.tokens:
        for x, y in frame.spots(token.cells):
            taken.append((x - unit * 0.66, y + drop - unit * 0.8, x + unit * 0.8, y + drop + unit * 0.66))
    for trace in fights:
        if len(trace.path) > 1 and _touches(frame, trace):
            (ax, ay), (bx, by) = frame.spots((trace.path[0], trace.path[-1]))
            middle = ((ax + bx) / 2, (ay + by) / 2 + drop)
            stamp(picture, swords(round(unit * 0.54)), *middle)
            taken.append((middle[0] - unit * 0.3, middle[1] - unit * 0.3, middle[0] + unit * 0.3, middle[1] + unit * 0.3))
            if trace.text:
                turn = ((0.0, 1.1), (0.0, -1.25), (1.6, 0.0), (-1.6, 0.0), (1.3, 1.1), (-1.3, 1.1), (1.3, -1.2), (-1.3, -1.2))
                _label(picture, trace.text, size, MELEE, True, [(middle[0] + x * unit, middle[1] + y * unit) for x, y in turn], taken)
    for trace in shots:
        if trace.text:
            a, b = frame.spots((trace.path[0], trace.path[-1]))
            shares = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74)
            _label(
                picture,
                trace.text,
                size,
                SHOT,
                False,
                [(a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t + drop) for t in shares],
                taken,
            )


def _label(
    picture: Image.Image,
    text: str,
    size: int,
    colour: Colour,
    strong: bool,
    spots: Sequence[Spot],
    taken: list[tuple[float, float, float, float]],
) -> None:
    """Lay a label at the first of some places where it hides least, wholly on the picture, and mark its room as taken."""
    figure = pill(plain(text, 40), size, colour, strong)
    half, high = figure.width / 2, figure.height / 2

    def room(spot: Spot) -> tuple[float, float, float, float]:
        x = min(max(spot[0], half + 2), picture.width - half - 2)
        y = min(max(spot[1], high + 2), picture.height - high - 2)
        return x - half, y - high, x + half, y + high

    def hidden(box: tuple[float, float, float, float]) -> float:
        return sum(
            max(0.0, min(box[2], other[2]) - max(box[0], other[0])) * max(0.0, min(box[3], other[3]) - max(box[1], other[1]))
            for other in taken
        )

    best = min((room(spot) for spot in spots), key=hidden)
    taken.append(best)
    stamp(picture, figure, (best[0] + best[2]) / 2, (best[1] + best[3]) / 2)


def _near(frame: Frame, spot: Spot) -> bool:
    reach = frame.hex * 2
    return -reach < spot[0] < frame.width + reach and -reach < spot[1] < frame.height + reach


def _touches(frame: Frame, trace: Trace) -> bool:
    spots = frame.spots(trace.path)
    left, right = min(x for x, _ in spots), max(x for x, _ in spots)
    top, bottom = min(y for _, y in spots), max(y for _, y in spots)
    reach = frame.hex
    return right > -reach and left < frame.width + reach and bottom > -reach and top < frame.height + reach


def _fighting(scene: Scene, trace: Trace) -> list[tuple[int, int]]:
    """Return the cells of those who take part in a fight and are still where it was."""
    names = {*trace.actors, *trace.targets}
    found = [cell for token in scene.tokens if token.id in names and token.state != "dead" for cell in token.cells]
    return [*found, trace.path[0], trace.path[-1]]


_BADGE_SPOTS = ((0.6, -0.58), (0.62, -0.16), (-0.62, -0.58), (-0.64, -0.16))
"""Where the badges of a counter lie, from its middle, in hex radii: never on its values."""


def _draw_tokens(picture: Image.Image, scene: Scene, frame: Frame, grow: float) -> None:
    """Draw the dead, then the living from the back to the front, then all badges."""
    unit = frame.hex
    shown = [token for token in scene.tokens if token.cells and _near(frame, frame.spot(token.cells[0]))]
    living = [token for token in shown if token.state != "dead"]
    covered = {cell for token in living for cell in token.cells}
    levels: dict[tuple[int, int], int] = {}
    for token in living:
        levels[token.cells[0]] = levels.get(token.cells[0], 0) + 1
    marks: list[tuple[Image.Image, float, float]] = []
    dead: dict[tuple[int, int], list[Token]] = {}
    for token in shown:
        if token.state == "dead":
            if len(token.cells) > 1:
                x, y = frame.spot(token.cells[0])
                _one(picture, scene, token, unit * grow, x, y + _drop(unit), frame)
            for cell in token.cells[:1] if len(token.cells) == 1 else [cell for cell in token.cells if cell in covered]:
                dead.setdefault(cell, []).append(token)
    for cell in sorted(dead):
        bodies = dead[cell]
        count = max(len(bodies), max(token.weight for token in bodies))
        x, y = frame.spot(cell)
        if cell in covered:
            marks.append((counters.pile(count, round(unit * 0.54)), x - unit * 0.64 * grow, y + unit * 0.18))
            continue
        _one(picture, scene, bodies[0], unit * grow, x, y + _drop(unit))
        if count > 1:
            marks.append((counters.pile(count, round(unit * 0.62)), x + unit * 0.5, y + unit * 0.34))
    for token in sorted(living, key=lambda each: (each.level, each.cells[0][1], each.cells[0][0], each.id)):
        x, y = frame.spot(token.cells[0])
        y += _drop(unit)
        share = grow
        if levels[token.cells[0]] > 1:
            share = grow * 0.84
            shift = unit * (0.33 if token.level else -0.33)
            x, y = x + shift, y - shift * 0.62
        spot = _one(picture, scene, token, unit * share, x, y, frame)
        spots = _BADGE_SPOTS if len(token.cells) == 1 else long_counters.corners_of(_angle(*frame.spots(token.cells[:2])))
        for word, (right, down) in zip(counters.badges_of(token), spots, strict=False):
            marks.append((counters.badge(word, round(unit * 0.46)), spot[0] + unit * share * right, spot[1] + unit * share * down))
        if token.weight and token.state != "dead" and token.cells[0] not in dead:
            marks.append((counters.pile(token.weight, round(unit * 0.54)), x - unit * 0.64 * grow, y))
    for figure, x, y in marks:
        stamp(picture, figure, x, y)


def _one(picture: Image.Image, scene: Scene, token: Token, unit: float, x: float, y: float, frame: Frame | None = None) -> Spot:
    look = counters.look_of(scene.sides, token.side)
    hundredths = round(unit * 100)
    shown = (look.shape, look.colour, token.id, token.symbol, token.numbers[:3], token.state, hundredths)
    if frame is not None and len(token.cells) > 1:
        (hx, hy), (tx, ty) = frame.spots(token.cells[:2])
        x, y = x + (tx - hx) * 0.5, y + (ty - hy) * 0.5
        stamp(picture, long_counters.long_body(*shown, _angle((hx, hy), (tx, ty))), x, y)
    else:
        stamp(picture, counters.body(*shown), x, y)
    return x, y


def sample(kind: str, colour: Colour, unit: float, back: Image.Image) -> Image.Image:
    """Return a small picture of a trace for the legend."""
    picture = back.crop((0, 0, round(unit * 2.2), round(unit * 1.1)))
    middle = picture.height / 2
    if kind == "shot":
        draw_shot(picture, (-unit * 0.1, middle), (unit * 2.5, middle), unit)
    elif kind == "fight":
        stamp(picture, swords(round(unit * 0.95)), unit * 1.1, middle)
    else:
        draw_arrow(picture, [(unit * 0.1, middle), (unit * 1.0, middle), (unit * 2.55, middle)], kind, colour, unit)
    return picture


def rim_sample(unit: float, back: Image.Image, fight: bool) -> Image.Image:
    """Return a small hex with a rim for the legend."""
    picture = back.crop((0, 0, round(unit * 1.5), round(unit * 1.3)))
    x, y = picture.width / 2, picture.height / 2
    r = unit * 0.66
    draw_rim(
        picture,
        [(x + math.cos(math.radians(a)) * r, y + math.sin(math.radians(a)) * r) for a in (-60, 0, 60, 120, 180, 240)],
        unit * 0.8,
        fight,
    )
    return picture
