"""What happened, on top of the ground: rims of changed hexes, arrows, shots and fights, and between them the counters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from PIL import Image, ImageDraw

from pbem.core.scene import Point, Scene, Trace

from . import counters, engines, figures, long_counters, works
from .arrows import MOVES, THIN, TIMES, Ink, draw_arrow, draw_shot, star
from .frame import Frame, Spot
from .lettering import font, plain, width
from .palette import CREAM, GOLD, INK, MELEE, SHOT, WHITE, Colour, side_colour

Room = tuple[float, float, float, float]
"""Left, top, right and bottom of what something takes on the picture."""


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


@lru_cache(maxsize=16)
def impact(size: int) -> Image.Image:
    """Return a burst: a wall was struck."""
    full = size * 4
    picture = Image.new("RGBA", (full, full), (255, 255, 255, 0))
    draw = ImageDraw.Draw(picture)
    middle = full / 2
    for reach, fill in ((0.5, WHITE), (0.44, INK), (0.38, GOLD), (0.2, WHITE)):
        draw.polygon(star(middle, middle, full * reach), fill=fill)
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


def draw_action(picture: Image.Image, scene: Scene, frame: Frame, grow: float = 1.0) -> None:
    """Draw everything that is not the same each turn, lowest first; ``grow`` makes counters larger than their hex asks for."""
    unit = frame.hex
    corners = {area.centre: area.corners for area in scene.areas}
    rimmed: list[tuple[int, int]] = [feature.centre for feature in scene.features if feature.kind in works.COVERING]
    works.draw_features(picture, scene, frame)
    for area in scene.areas:
        if area.changed and figures.near(frame, frame.spot(area.centre)):
            draw_rim(picture, frame.spots(area.corners), unit, fight=False)
            rimmed.append(area.centre)
    fights = [trace for trace in scene.traces if trace.kind == "fight" and trace.path]
    for cell in sorted({cell for trace in fights for cell in _fighting(scene, trace) if cell in corners}):
        if figures.near(frame, frame.spot(cell)):
            draw_rim(picture, frame.spots(corners[cell]), unit, fight=True)
            rimmed.append(cell)
    engines.draw_things(picture, scene, frame)
    works.draw_features(picture, scene, frame, above=True)
    rimmed += [cell for thing in scene.things if thing.kind != "winch" for cell in thing.cells]
    _write_again(picture, scene, frame, rimmed)
    moves = [trace for trace in scene.traces if trace.kind in MOVES and len(trace.path) > 1 and _touches(frame, trace)]
    for trace in moves:
        colour = side_colour(counters.look_of(scene.sides, trace.side).colour)
        lowered = [(x, y + figures.drop(unit)) for x, y in frame.spots(_way(trace))]
        draw_arrow(picture, lowered, trace.kind, colour, unit)
    for trace in moves:
        if trace.kind != "enter" and trace.kind not in THIN and trace.actors:
            _draw_ghost(picture, scene, frame, trace)
    shots = [trace for trace in scene.traces if trace.kind == "shot" and len(trace.path) > 1 and _touches(frame, trace)]
    for trace in shots:
        a, b = frame.spots((trace.path[0], trace.path[-1]))
        draw_shot(picture, (a[0], a[1] + figures.drop(unit)), (b[0], b[1] + figures.drop(unit)), unit)
    figures.draw_figures(picture, scene, frame, grow)
    engines.draw_fronts(picture, scene, frame)
    works.draw_numbers(picture, scene, frame)
    taken = _taken(scene, frame)
    for plate, spots in engines.labels(scene, frame):
        _lay(picture, plate, spots, taken)
    _draw_results(picture, scene, frame, fights, shots, taken)


def _way(trace: Trace) -> list[Point]:
    """Return the points of the arrow: of a figure of two cells the way of its tail, so that the arrow ends behind it."""
    behind = [point for i, point in enumerate(trace.tails) if i == 0 or point != trace.tails[i - 1]]
    return behind if len(behind) > 1 else list(trace.path)


def _draw_ghost(picture: Image.Image, scene: Scene, frame: Frame, trace: Trace) -> None:
    """Draw the outline that who went left at the old place."""
    look, drop = counters.look_of(scene.sides, trace.side), figures.drop(frame.hex)
    x, y = frame.spot(trace.path[0])
    unit = round(frame.hex * 100)
    if not trace.tails:
        figures.stamp(picture, counters.ghost(look.shape, look.colour, trace.actors[0], unit), x, y + drop)
        return
    tx, ty = frame.spot(trace.tails[0])
    ghost = long_counters.long_ghost(look.shape, look.colour, trace.actors[0], unit, figures.angle((x, y), (tx, ty)))
    figures.stamp(picture, ghost, (x + tx) / 2, (y + ty) / 2 + drop)


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
            figures.stamp(picture, _number(plain(area.at, 8), max(9, round(frame.hex * 0.27))), x, y - frame.hex * 0.69)


def _taken(scene: Scene, frame: Frame) -> list[Room]:
    """Return the room that counters and single engines take."""
    unit, drop = frame.hex, figures.drop(frame.hex)
    found = []
    for token in scene.tokens:
        for x, y in frame.spots(token.cells):
            found.append((x - unit * 0.66, y + drop - unit * 0.8, x + unit * 0.8, y + drop + unit * 0.66))
    for thing in scene.things:
        if thing.kind in engines.NAMED and len(thing.cells) == 1:
            for x, y in frame.spots(thing.cells):
                found.append((x - unit * 0.5, y - unit * 0.5, x + unit * 0.5, y + unit * 0.5))
    if scene.things:
        for area in scene.areas:
            x, y = frame.spot(area.centre)
            found.append((x - unit * 0.38, y - unit * 0.84, x + unit * 0.38, y - unit * 0.54))
    return found


def _draw_results(
    picture: Image.Image, scene: Scene, frame: Frame, fights: Sequence[Trace], shots: Sequence[Trace], taken: list[Room]
) -> None:
    """Draw crossed swords between those who fight, and every result where it hides least."""
    unit, drop = frame.hex, figures.drop(frame.hex)
    size = max(9, round(unit * 0.27))
    for trace in fights:
        if len(trace.path) > 1 and _touches(frame, trace):
            (ax, ay), (bx, by) = frame.spots((trace.path[0], trace.path[-1]))
            middle = ((ax + bx) / 2, (ay + by) / 2 + drop)
            figures.stamp(picture, swords(round(unit * 0.54)), *middle)
            taken.append((middle[0] - unit * 0.3, middle[1] - unit * 0.3, middle[0] + unit * 0.3, middle[1] + unit * 0.3))
            if trace.text:
                turn = ((0.0, 1.1), (0.0, -1.25), (1.6, 0.0), (-1.6, 0.0), (1.3, 1.1), (-1.3, 1.1), (1.3, -1.2), (-1.3, -1.2))
                _label(picture, trace.text, size, MELEE, True, [(middle[0] + x * unit, middle[1] + y * unit) for x, y in turn], taken)
    for trace in scene.traces:
        if trace.kind == "strike" and trace.path and figures.near(frame, frame.spot(trace.path[-1])):
            _draw_strike(picture, scene, frame, trace, size, taken)
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


def _draw_strike(picture: Image.Image, scene: Scene, frame: Frame, trace: Trace, size: int, taken: list[Room]) -> None:
    """Draw a burst where a wall was struck, on the side from which the blow came, and beside it what it came to."""
    unit = frame.hex
    x, y = frame.spot(trace.path[-1])
    fx, fy = frame.spot(trace.path[0])
    x, y = x + (fx - x) * 0.42, y + (fy - y) * 0.42
    figures.stamp(picture, impact(round(unit * 0.8)), x, y)
    taken.append((x - unit * 0.3, y - unit * 0.3, x + unit * 0.3, y + unit * 0.3))
    if trace.text:
        turn = ((0.0, 1.0), (0.0, -1.1), (1.6, 0.0), (-1.6, 0.0), (1.3, 1.0), (-1.3, 1.0), (1.3, -1.1), (-1.3, -1.1))
        _label(picture, trace.text, size, MELEE, True, [(x + right * unit, y + down * unit) for right, down in turn], taken)


def _label(
    picture: Image.Image,
    text: str,
    size: int,
    colour: Colour,
    strong: bool,
    spots: Sequence[Spot],
    taken: list[Room],
) -> None:
    """Lay a label in words at the first of some places where it hides least."""
    _lay(picture, pill(plain(text, 40), size, colour, strong), spots, taken)


def _lay(picture: Image.Image, figure: Image.Image, spots: Sequence[Spot], taken: list[Room]) -> None:
    """Lay a label at the first of some places where it hides least, wholly on the picture, and mark its room as taken."""
    half, high = figure.width / 2, figure.height / 2

    def room(spot: Spot) -> Room:
        x = min(max(spot[0], half + 2), picture.width - half - 2)
        y = min(max(spot[1], high + 2), picture.height - high - 2)
        return x - half, y - high, x + half, y + high

    rooms = [room(spot) for spot in spots]
    left, top = min(box[0] for box in rooms), min(box[1] for box in rooms)
    right, low = max(box[2] for box in rooms), max(box[3] for box in rooms)
    close = [box for box in taken if box[0] < right and box[2] > left and box[1] < low and box[3] > top]

    def hidden(box: Room) -> float:
        return sum(
            max(0.0, min(box[2], other[2]) - max(box[0], other[0])) * max(0.0, min(box[3], other[3]) - max(box[1], other[1]))
            for other in close
        )

    best = min(rooms, key=hidden)
    taken.append(best)
    figures.stamp(picture, figure, (best[0] + best[2]) / 2, (best[1] + best[3]) / 2)


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


def sample(kind: str, colour: Colour, unit: float, back: Image.Image) -> Image.Image:
    """Return a small picture of a trace for the legend."""
    picture = back.crop((0, 0, round(unit * 2.2), round(unit * 1.1)))
    middle = picture.height / 2
    if kind == "shot":
        draw_shot(picture, (-unit * 0.1, middle), (unit * 2.5, middle), unit)
    elif kind == "fight":
        figures.stamp(picture, swords(round(unit * 0.95)), unit * 1.1, middle)
    elif kind == "strike":
        figures.stamp(picture, impact(round(unit * 1.05)), unit * 1.1, middle)
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
