"""The counters on the map: the dead, the living from the back to the front, and their badges; two in one hex are both seen."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PIL import Image

from pbem.core.scene import Point, Scene, Token

from . import counters, long_counters
from .frame import Frame, Spot

SHELTERS = ("siege-tower", "ram")
"""Kinds of thing that who stands on the ground of their cells is inside of."""
PAIR = 0.74
"""How large counters are of which two share a hex, beside one that stands alone."""


def stamp(picture: Image.Image, figure: Image.Image, x: float, y: float) -> None:
    """Lay a stamp with its middle at a place; what sticks out of the picture is cut."""
    picture.paste(figure, (round(x - figure.width / 2), round(y - figure.height / 2)), figure)


def drop(unit: float) -> float:
    """Return how far counters stand below the middle of their hex, so that its number stays in sight."""
    return unit * 0.15


def near(frame: Frame, spot: Spot) -> bool:
    """Tell whether a place is in a window or so close that something on it would be."""
    reach = frame.hex * 2
    return -reach < spot[0] < frame.width + reach and -reach < spot[1] < frame.height + reach


def angle(head: Spot, tail: Spot) -> int:
    """Return the angle from tail to head, in degrees clockwise from the right."""
    return round(math.degrees(math.atan2(head[1] - tail[1], head[0] - tail[0])))


def storeys(scene: Scene) -> dict[str, str]:
    """Return who stands on a level that must be told -> ``above`` (on the platform) or ``inside`` (under it)."""
    within = {cell for thing in scene.things if thing.kind in SHELTERS for cell in thing.cells}
    return {
        token.id: "above" if token.level else "inside"
        for token in scene.tokens
        if token.cells and token.state != "dead" and (token.level or token.cells[0] in within)
    }


def beside(others: Sequence[Token], token: Token) -> tuple[float, float]:
    """Return how far a counter lies from the middle of its hex, in hex radii: of several the lowest left, the highest right."""
    if len(others) < 2:
        return 0.0, 0.0
    place = sorted((each.level, each.id) for each in others).index((token.level, token.id))
    share = 2 * place / (len(others) - 1) - 1
    return 0.49 * share, -0.07 * share


_BADGE_SPOTS = ((0.6, -0.58), (0.62, -0.16), (-0.62, -0.58), (-0.64, -0.16))
"""Where the badges of a counter lie, from its middle, in hex radii: never on its values."""


def draw_figures(picture: Image.Image, scene: Scene, frame: Frame, grow: float) -> None:
    """Draw the dead, then the living from the back to the front, then all badges."""
    unit = frame.hex
    shown = [token for token in scene.tokens if token.cells and near(frame, frame.spot(token.cells[0]))]
    living = [token for token in shown if token.state != "dead"]
    covered = {cell for token in living for cell in token.cells}
    together: dict[Point, list[Token]] = {}
    for token in living:
        together.setdefault(token.cells[0], []).append(token)
    told = storeys(scene)
    marks: list[tuple[Image.Image, float, float]] = []
    dead: dict[tuple[int, int], list[Token]] = {}
    for token in shown:
        if token.state == "dead":
            if len(token.cells) > 1:
                x, y = frame.spot(token.cells[0])
                _one(picture, scene, token, unit * grow, x, y + drop(unit), frame)
            for cell in token.cells[:1] if len(token.cells) == 1 else [cell for cell in token.cells if cell in covered]:
                dead.setdefault(cell, []).append(token)
    for cell in sorted(dead):
        bodies = dead[cell]
        count = max(len(bodies), max(token.weight for token in bodies))
        x, y = frame.spot(cell)
        if cell in covered:
            marks.append((counters.pile(count, round(unit * 0.54)), x - unit * 0.64 * grow, y + unit * 0.18))
            continue
        _one(picture, scene, bodies[0], unit * grow, x, y + drop(unit))
        if count > 1:
            marks.append((counters.pile(count, round(unit * 0.62)), x + unit * 0.5, y + unit * 0.34))
    for token in sorted(living, key=lambda each: (each.level, each.cells[0][1], each.cells[0][0], each.id)):
        x, y = frame.spot(token.cells[0])
        y += drop(unit)
        share = grow
        if len(together[token.cells[0]]) > 1:
            share = grow * PAIR
            right, down = beside(together[token.cells[0]], token)
            x, y = x + unit * grow * right, y + unit * grow * down
        if token.id in told and len(token.cells) == 1:
            stamp(picture, counters.floor(told[token.id], round(unit * share * 100)), x, y)
            hand = 1 if token.level and len(together[token.cells[0]]) > 1 else -1
            marks.append((counters.badge(told[token.id], round(unit * 0.38)), x + unit * share * 0.66 * hand, y + unit * share * 0.04))
        spot = _one(picture, scene, token, unit * share, x, y, frame)
        spots = _BADGE_SPOTS if len(token.cells) == 1 else long_counters.corners_of(angle(*frame.spots(token.cells[:2])))
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
        stamp(picture, long_counters.long_body(*shown, angle((hx, hy), (tx, ty))), x, y)
    else:
        stamp(picture, counters.body(*shown), x, y)
    return x, y
