"""What happened, on top of the ground: rims of changed hexes, arrows, shots and fights, and between them the
counters.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from functools import lru_cache

from PIL import Image, ImageDraw

from pbem.core.scene import Point, Scene, Trace

from ..frame import Frame, Spot
from ..hexes import CORNERS, RADIUS
from ..lettering import font, plain, width
from ..palette import WHITE, Colour
from ..themes import PARCHMENT, Theme
from . import bases, counters, engines, figures, labels, long_counters, measured, regions, works
from .arrows import MOVES, THIN, TIMES, Ink, Patch, draw_arrow, draw_rope, draw_shot, press, star, stroke
from .base import number_size


@lru_cache(maxsize=16)
def swords(size: int, theme: Theme = PARCHMENT) -> Image.Image:
    """Return two crossed swords on a white disc."""
    full = size * 4
    picture = Image.new("RGBA", (full, full), (0, 0, 0, 0))
    draw = ImageDraw.Draw(picture)
    for grow, fill in ((0.0, WHITE), (0.05, theme.melee), (0.1, WHITE)):
        draw.ellipse((full * grow, full * grow, full * (1 - grow) - 1, full * (1 - grow) - 1), fill=fill)
    for flip in (False, True):

        def at(x: float, y: float, flip: bool = flip) -> tuple[float, float]:
            return full * (1 - x if flip else x), full * y

        draw.line([at(0.32, 0.72), at(0.72, 0.24)], fill=theme.ink, width=round(full * 0.075))
        draw.polygon([at(0.68, 0.24), at(0.78, 0.17), at(0.76, 0.3)], fill=theme.ink)
        draw.line([at(0.28, 0.58), at(0.46, 0.74)], fill=theme.ink, width=round(full * 0.06))
        draw.line([at(0.36, 0.67), at(0.26, 0.79)], fill=theme.ink, width=round(full * 0.075))
    return picture.reduce(4)


@lru_cache(maxsize=16)
def impact(size: int, theme: Theme = PARCHMENT) -> Image.Image:
    """Return a burst: a wall was struck."""
    full = size * 4
    picture = Image.new("RGBA", (full, full), (255, 255, 255, 0))
    draw = ImageDraw.Draw(picture)
    middle = full / 2
    for reach, fill in ((0.5, WHITE), (0.44, theme.ink), (0.38, theme.changed), (0.2, WHITE)):
        draw.polygon(star(middle, middle, full * reach), fill=fill)
    return picture.reduce(4)


def draw_rim(
    picture: Image.Image, corners: Sequence[Spot], unit: float, fight: bool, theme: Theme = PARCHMENT
) -> None:
    """Draw the rim of a hex: gold and single where something changed, red and double where
    there is a fight.
    """
    left, top = (math.floor(min(p[axis] for p in corners)) for axis in (0, 1))
    on = tuple((round((x - left) * TIMES), round((y - top) * TIMES)) for x, y in corners)
    press(
        picture,
        ((colour, (left + x, top + y), mask) for colour, (x, y), mask in _rim(on, unit, fight, theme)),
    )


@lru_cache(maxsize=128)
def _rim(corners: Sequence[Point], unit: float, fight: bool, theme: Theme) -> tuple[Patch, ...]:
    """Return the ink of a rim, from the corners of its hex in parts of a pixel.

    Hexes are of one size, so that a map has but a few such rims.
    """
    x, y = (sum(p[axis] for p in corners) / len(corners) for axis in (0, 1))
    ink = Ink(None, [(px / TIMES, py / TIMES) for px, py in corners], unit * 0.2)

    def ring(share: float) -> list[Spot]:
        spots = [(x + (px - x) * share, y + (py - y) * share) for px, py in corners]
        return ink.at([(px / TIMES, py / TIMES) for px, py in (*spots, spots[0])])

    if fight:
        ink.layer(theme.melee).polygon(ring(0.9), fill=58)
        stroke(ink.layer(WHITE), ring(0.93), unit * 0.26 * TIMES)
        core = ink.layer(theme.melee)
        stroke(core, ring(0.99), unit * 0.085 * TIMES)
        stroke(core, ring(0.85), unit * 0.085 * TIMES)
    else:
        stroke(ink.layer(theme.ink), ring(0.93), unit * 0.17 * TIMES)
        stroke(ink.layer(theme.changed), ring(0.93), unit * 0.1 * TIMES)
    return tuple(ink.patches())


def draw_action(picture: Image.Image, scene: Scene, frame: Frame, grow: float = 1.0) -> None:
    """Draw everything that is not the same each turn, lowest first; ``grow`` makes counters larger than their
    hex asks for.
    """
    unit, theme = frame.hex, frame.theme
    corners = {area.centre: area.corners for area in scene.areas}
    rimmed: list[tuple[int, int]] = [
        feature.centre for feature in scene.features if feature.kind in works.COVERING
    ]
    if not frame.grid:
        measured.draw_sectors(picture, scene, frame)
    works.draw_features(picture, scene, frame)
    regions.draw_regions(picture, scene, frame)
    for area in scene.areas:
        if area.changed and figures.near(frame, frame.spot(area.centre)):
            draw_rim(picture, frame.spots(area.corners), unit, False, theme)
            rimmed.append(area.centre)
    fights = [trace for trace in scene.traces if trace.kind == "fight" and trace.path]
    for cell in sorted({cell for trace in fights for cell in _fighting(scene, trace) if cell in corners}):
        if figures.near(frame, frame.spot(cell)):
            draw_rim(picture, frame.spots(corners[cell]), unit, True, theme)
            rimmed.append(cell)
    engines.draw_things(picture, scene, frame)
    for front, beast in [(thing.cells[0], cell) for thing in scene.things for cell in thing.team]:
        draw_rope(picture, frame.spot(front), frame.spot(beast), unit)
    works.draw_features(picture, scene, frame, above=True)
    rimmed += [cell for thing in scene.things if thing.kind != "winch" for cell in thing.cells]
    counter = (counters.SIZE / 2 + 0.02) * grow
    moves = [
        trace
        for trace in scene.traces
        if trace.kind in MOVES and len(trace.path) > 1 and _touches(frame, trace)
    ]
    for trace in moves:
        colour = theme.side(counters.look_of(scene.sides, trace.side).colour)
        lowered = [(x, y + frame.drop) for x, y in frame.spots(_way(trace))]
        draw_arrow(picture, lowered, trace.kind, colour, unit, theme, _half(scene, trace, frame, counter))
    if frame.grid:
        _write_again(picture, scene, frame, frozenset(rimmed))
    else:
        measured.draw_spans(picture, scene, frame)
    for trace in moves:
        if trace.kind != "enter" and trace.kind not in THIN and trace.actors:
            _draw_ghost(picture, scene, frame, trace)
    shots = [
        trace
        for trace in scene.traces
        if trace.kind == "shot" and len(trace.path) > 1 and _touches(frame, trace)
    ]
    for trace in shots:
        a, b = frame.spots((trace.path[0], trace.path[-1]))
        draw_shot(picture, (a[0], a[1] + frame.drop), (b[0], b[1] + frame.drop), unit, theme, counter)
    here = [trace for trace in fights if _touches(frame, trace)]
    written = [] if frame.grid else measured.names(picture, scene, frame)
    laid = labels.labels_of(picture, scene, frame, here, shots, grow, measured.rooms_of(written))
    for plate, at in reversed(written):
        figures.stamp(picture, plate, *at)
    figures.draw_figures(picture, scene, frame, grow)
    engines.draw_fronts(picture, scene, frame)
    works.draw_numbers(picture, scene, frame)
    for trace in fights:
        if len(trace.path) > 1 and _touches(frame, trace):
            figures.stamp(picture, swords(max(11, round(unit * 0.36)), theme), *labels.middle(frame, trace))
    for trace in scene.traces:
        if trace.kind == "strike" and trace.path and figures.near(frame, frame.spot(trace.path[-1])):
            figures.stamp(picture, impact(round(unit * 0.8), theme), *labels.struck(frame, trace))
    for label, at in laid:
        figures.stamp(picture, label, *at)


def _half(scene: Scene, trace: Trace, frame: Frame, counter: float) -> float:
    """Return how far before its end an arrow stops, in hex radii: at the rim of who went there."""
    form = next((token.form for token in scene.tokens if token.id in trace.actors and token.form), None)
    return counter if form is None else bases.half_of(form) * (1 + bases.POINT) / RADIUS


def _way(trace: Trace) -> list[Point]:
    """Return the points of the arrow: of a figure of two cells the way of its tail, so that the arrow ends
    behind it.
    """
    behind = [point for i, point in enumerate(trace.tails) if i == 0 or point != trace.tails[i - 1]]
    return behind if len(behind) > 1 else list(trace.path)


def _draw_ghost(picture: Image.Image, scene: Scene, frame: Frame, trace: Trace) -> None:
    """Draw the outline that who went left at the old place."""
    look, drop = counters.look_of(scene.sides, trace.side), frame.drop
    x, y = frame.spot(trace.path[0])
    unit = round(frame.hex * 100)
    token = next((token for token in scene.tokens if token.id == trace.actors[0]), None)
    if token is not None and token.form is not None:
        turn = bases.drawn_angle(token) or 0
        left = bases.ghost(token.form, look.colour, turn, round(frame.scale, 6), frame.theme)
        figures.stamp(picture, left, x, y)
        return
    if not trace.tails:
        figures.stamp(
            picture, counters.ghost(look.shape, look.colour, trace.actors[0], unit, frame.theme), x, y + drop
        )
        return
    tx, ty = frame.spot(trace.tails[0])
    ghost = long_counters.long_ghost(
        look.shape, look.colour, trace.actors[0], unit, figures.angle((x, y), (tx, ty)), frame.theme
    )
    figures.stamp(picture, ghost, (x + tx) / 2, (y + ty) / 2 + drop)


@lru_cache(maxsize=1024)
def _number(text: str, size: int, theme: Theme) -> Image.Image:
    wide, high = math.ceil(width(text, "sans", size)) + 6, round(size * 1.15)
    picture = Image.new("RGBA", (wide, high), (*theme.paper, 225))
    ImageDraw.Draw(picture).text(
        (wide / 2, high / 2), text, font=font("sans", size), fill=theme.ink, anchor="mm"
    )
    return picture


def _write_again(picture: Image.Image, scene: Scene, frame: Frame, cells: Collection[Point]) -> None:
    """Write the numbers of hexes again whose rims have covered them."""
    for area in scene.areas:
        if area.centre in cells:
            x, y = frame.spot(area.centre)
            figures.stamp(
                picture, _number(plain(area.at, 8), number_size(frame), frame.theme), x, y - frame.hex * 0.69
            )


def _touches(frame: Frame, trace: Trace) -> bool:
    spots = frame.spots(trace.path)
    left, right = min(x for x, _ in spots), max(x for x, _ in spots)
    top, bottom = min(y for _, y in spots), max(y for _, y in spots)
    reach = frame.hex
    return right > -reach and left < frame.width + reach and bottom > -reach and top < frame.height + reach


def _fighting(scene: Scene, trace: Trace) -> list[tuple[int, int]]:
    """Return the cells of those who take part in a fight and are still where it was."""
    names = {*trace.actors, *trace.targets}
    found = [
        cell for token in scene.tokens if token.id in names and token.look != "out" for cell in token.cells
    ]
    return [*found, trace.path[0], trace.path[-1]]


def sample(
    kind: str, colour: Colour, unit: float, back: Image.Image, theme: Theme = PARCHMENT
) -> Image.Image:
    """Return a small picture of a trace for the legend."""
    picture = back.crop((0, 0, round(unit * 2.2), round(unit * 1.1)))
    middle = picture.height / 2
    if kind == "shot":
        draw_shot(picture, (-unit * 0.1, middle), (unit * 2.5, middle), unit, theme)
    elif kind == "fight":
        figures.stamp(picture, swords(round(unit * 0.95), theme), unit * 1.1, middle)
    elif kind == "strike":
        figures.stamp(picture, impact(round(unit * 1.05), theme), unit * 1.1, middle)
    else:
        draw_arrow(
            picture,
            [(unit * 0.1, middle), (unit * 1.0, middle), (unit * 2.55, middle)],
            kind,
            colour,
            unit,
            theme,
        )
    return picture


def rim_sample(unit: float, back: Image.Image, fight: bool, theme: Theme = PARCHMENT) -> Image.Image:
    """Return a small hex with a rim for the legend."""
    picture = back.crop((0, 0, round(unit * 1.5), round(unit * 1.3)))
    x, y = picture.width / 2, picture.height / 2
    r = unit * 0.66
    draw_rim(
        picture,
        [(x + math.cos(math.radians(a)) * r, y + math.sin(math.radians(a)) * r) for a in CORNERS],
        unit * 0.8,
        fight,
        theme,
    )
    return picture
