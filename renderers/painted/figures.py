"""The counters on the map: the dead, the living from the back to the front, and their badges; two in one hex
are both seen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from PIL import Image

from pbem.core.scene import Point, Scene, Token

from ..frame import Frame, Spot
from . import bases, counters, long_counters

SHELTERS = ("siege-tower", "ram", "penthouse")
"""Kinds of thing that who stands on the ground of their cells is inside of."""
PAIR = 0.74
"""How large counters are of which two share a hex, beside one that stands alone."""


def stamp(picture: Image.Image, figure: Image.Image, x: float, y: float) -> None:
    """Lay a stamp with its middle at a place; what sticks out of the picture is cut."""
    picture.paste(figure, (round(x - figure.width / 2), round(y - figure.height / 2)), figure)


def near(frame: Frame, spot: Spot) -> bool:
    """Tell whether a place is in a window or so close that something on it would be."""
    reach = frame.hex * 2
    return -reach < spot[0] < frame.width + reach and -reach < spot[1] < frame.height + reach


def angle(head: Spot, tail: Spot) -> int:
    """Return the angle from tail to head, in degrees clockwise from the right."""
    return round(math.degrees(math.atan2(head[1] - tail[1], head[0] - tail[0])))


def storeys(scene: Scene) -> dict[str, str]:
    """Return who stands on a level that must be told -> ``above`` (on the platform), ``inside`` (under it) or
    ``below`` (underground).
    """
    within = {cell for thing in scene.things if thing.kind in SHELTERS for cell in thing.cells}
    return {
        token.id: "below" if token.level < 0 else "above" if token.level else "inside"
        for token in scene.tokens
        if token.cells and token.look != "out" and (token.level or token.cells[0] in within)
    }


def beside(others: Sequence[Token], token: Token) -> tuple[float, float]:
    """Return how far a counter lies from the middle of its hex, in hex radii: of several the lowest left, the
    highest right.
    """
    if len(others) < 2:
        return 0.0, 0.0
    place = sorted((each.level, each.id) for each in others).index((token.level, token.id))
    share = 2 * place / (len(others) - 1) - 1
    return 0.49 * share, -0.07 * share


BADGE = 0.4
"""How broad a badge is, in hex radii: it fits between the name and the values of its counter."""


def badge_spots(count: int, pile: bool) -> list[tuple[float, float]]:
    """Return where badges lie, from the middle of a counter in hex radii: beside its symbol, never on its
    name or values.

    The first ones stand on its right hand, where two share the room with the next hex; a ``pile`` of bodies
    has the left hand.
    """
    right = [(0.56, ROW)] if count < 2 or (count == 2 and not pile) else [(0.46, ROW), (0.82, ROW)]
    left = (
        [(-0.3, ROW), (-0.3, ROW)] if pile else [(-0.56, ROW)] if count < 4 else [(-0.46, ROW), (-0.82, ROW)]
    )
    return [*right, *left]


ROW = (counters.BAND + counters.VALUES_AT - counters.VALUES / 2 - 1) / 2 * counters.SIZE
"""How far below the middle of a counter the middle of its symbol lies, in hex radii."""


def draw_figures(picture: Image.Image, scene: Scene, frame: Frame, grow: float) -> None:
    """Draw the dead, then the living from the back to the front, then all badges."""
    unit, theme = frame.hex, frame.theme
    shown = [token for token in scene.tokens if token.cells and near(frame, frame.spot(token.cells[0]))]
    _draw_bases(picture, scene, frame, [token for token in shown if token.form is not None])
    shown = [token for token in shown if token.form is None]
    living = [token for token in shown if token.look != "out"]
    covered = {cell for token in living for cell in token.cells}
    together: dict[Point, list[Token]] = {}
    for token in living:
        together.setdefault(token.cells[0], []).append(token)
    told = storeys(scene)
    marks: list[tuple[Image.Image, float, float]] = []
    dead: dict[tuple[int, int], list[Token]] = {}
    for token in shown:
        if token.look == "out":
            if len(token.cells) > 1:
                x, y = frame.spot(token.cells[0])
                _one(picture, scene, token, unit * grow, x, y + frame.drop, frame, long=True)
            for cell in (
                token.cells[:1]
                if len(token.cells) == 1
                else [cell for cell in token.cells if cell in covered]
            ):
                dead.setdefault(cell, []).append(token)
    for cell in sorted(dead):
        bodies = dead[cell]
        count = max(len(bodies), max(token.weight for token in bodies))
        x, y = frame.spot(cell)
        if cell in covered:
            marks.append(
                (
                    counters.pile(count, round(unit * PILE * grow), theme),
                    *_pile_at(unit * grow, x, y + frame.drop),
                )
            )
            continue
        _one(picture, scene, bodies[0], unit * grow, x, y + frame.drop, frame)
        if count > 1:
            marks.append((counters.pile(count, round(unit * 0.62), theme), x + unit * 0.5, y + unit * 0.34))
    for token in sorted(living, key=lambda each: (each.level, each.cells[0][1], each.cells[0][0], each.id)):
        x, y = frame.spot(token.cells[0])
        y += frame.drop
        share = grow
        if len(together[token.cells[0]]) > 1:
            share = grow * PAIR
            right, down = beside(together[token.cells[0]], token)
            x, y = x + unit * grow * right, y + unit * grow * down
        if token.id in told and len(token.cells) == 1:
            stamp(picture, counters.floor(told[token.id], round(unit * share * 100), theme), x, y)
            hand = 1 if token.level > 0 and len(together[token.cells[0]]) > 1 else -1
            marks.append(
                (
                    counters.badge(told[token.id], round(unit * 0.38), theme),
                    x + unit * share * 0.66 * hand,
                    y + unit * share * 0.04,
                )
            )
        long = len(token.cells) > 1
        spot = _one(picture, scene, token, unit * share, x, y, frame, long=long)
        words, piled = counters.badges_of(token), bool(token.weight) or token.cells[0] in dead
        spots = (
            long_counters.corners_of(angle(*frame.spots(token.cells[:2])))
            if long
            else badge_spots(len(words), piled)
        )
        size = round(unit * share * (BADGE if not long else 0.46))
        for word, (right, down) in zip(words, spots, strict=False):
            marks.append(
                (
                    counters.badge(word, size, theme),
                    spot[0] + unit * share * right,
                    spot[1] + unit * share * down,
                )
            )
        if token.weight and token.cells[0] not in dead:
            marks.append(
                (
                    counters.pile(token.weight, round(unit * PILE * share), theme),
                    *_pile_at(unit * share, x, y),
                )
            )
    for figure, x, y in marks:
        stamp(picture, figure, x, y)


def _draw_bases(picture: Image.Image, scene: Scene, frame: Frame, tokens: Sequence[Token]) -> None:
    """Draw those who stand on bases, the fallen lowest, and their badges."""
    marks: list[tuple[Image.Image, float, float]] = []
    for token in sorted(tokens, key=lambda each: (each.look != "out", each.level, each.cells[0][1], each.id)):
        if token.form is None:
            continue
        x, y = frame.spot(token.cells[0])
        stamp(picture, bases.stamp_of(scene, token, token.form, frame), x, y)
        words = counters.badges_of(token) if token.look != "out" else ()
        size = max(
            round(frame.hex * BADGE_LEAST), round(bases.half_of(token.form) * bases.BADGE * frame.scale)
        )
        for word, (right, down) in zip(
            words, bases.badges_at(token.form, token.facing, len(words)), strict=True
        ):
            badge = counters.badge(word, size, frame.theme)
            marks.append((badge, x + right * frame.scale, y + down * frame.scale))
    for figure, x, y in marks:
        stamp(picture, figure, x, y)


BADGE_LEAST = 0.34
"""How broad the badge of a base is at least, in hand's breadths."""
PILE = 0.46
"""How broad the mark of bodies beside a living figure is, in hex radii."""


def _pile_at(unit: float, x: float, y: float) -> Spot:
    """Return where the mark of bodies lies beside a counter: at its left, as low as its symbol."""
    return x - unit * 0.72, y + unit * ROW


def _one(
    picture: Image.Image,
    scene: Scene,
    token: Token,
    unit: float,
    x: float,
    y: float,
    frame: Frame,
    *,
    long: bool = False,
) -> Spot:
    look = counters.look_of(scene.sides, token.side)
    shown = (
        look.shape,
        look.colour,
        token.id,
        token.symbol,
        token.numbers[:3],
        token.look,
        round(unit * 100),
    )
    if long:
        (hx, hy), (tx, ty) = frame.spots(token.cells[:2])
        x, y = x + (tx - hx) * 0.5, y + (ty - hy) * 0.5
        stamp(picture, long_counters.long_body(*shown, angle((hx, hy), (tx, ty)), frame.theme), x, y)
    else:
        stamp(picture, counters.body(*shown, frame.theme), x, y)
    return x, y
