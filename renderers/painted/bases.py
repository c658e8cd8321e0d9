"""Figures on bases, and pieces of building, as large as they are: discs and oblongs at any angle, from above.

A base has the colour of its side as a rim, which dashes or a second line tell from others in grey, and a
point before its rim where the figure looks. What stands on it is upright. Names are written beside it
(``names``), for a base is small beside its table.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFilter

from pbem.core.scene import Circle, Form, Point, Rectangle, Scene, Thing, Token

from ..frame import Frame, Spot
from ..hexes import RADIUS
from ..laid import outline, reach_of
from ..palette import Colour, look, mix
from ..symbols import draw_symbol
from ..themes import PARCHMENT, Theme
from . import counters, sections
from .album import drawn_once

SAMPLE = 4
RIM = 0.17
"""How broad the rim is, as a share of half the base's lesser side."""
POINT = 0.64
"""How far the point stands out before the rim, as a share of the same."""
WIDEST = 34
"""Degrees to either side of where it looks that the foot of the point takes of a round base."""
STEP = 5
"""Degrees between two ways that a base is drawn to look; its point is as blunt."""
BADGE = 0.62
"""How broad a badge is, as a share of half the lesser side."""


def half_of(form: Form) -> float:
    """Return half the lesser side of a base."""
    return form.radius if isinstance(form, Circle) else min(form.width, form.depth) / 2


def point_of(form: Form, facing: int, rim: float = 0) -> list[Spot]:
    """Return the corners of the point before a base round the origin: its tip between its two feet; ``rim``:
    larger by so much.
    """
    half = half_of(form)
    turn = math.radians(facing / 10)
    ux, uy = math.sin(turn), -math.cos(turn)
    if isinstance(form, Circle):
        tip = float(form.radius)
        front = tip * math.cos(math.radians(WIDEST))
        foot = tip * math.sin(math.radians(WIDEST))
    else:
        front = tip = form.depth / 2
        foot = min(form.width / 2, half * 0.62)
    tip += half * POINT + rim * 1.6
    foot += rim
    return [
        (front * ux + foot * uy, front * uy - foot * ux),
        (tip * ux, tip * uy),
        (front * ux - foot * uy, front * uy + foot * ux),
    ]


@drawn_once(1024)
def base(
    form: Form,
    shape: str,
    colour: str,
    symbol: str,
    state: str,
    facing: int | None,
    scale: float,
    theme: Theme = PARCHMENT,
) -> Image.Image:
    """Return a base with its shadow and its point; ``scale`` pixels a scene unit."""
    half = half_of(form) * scale * SAMPLE
    far = (reach_of(form) + half_of(form) * (POINT + 0.3)) * scale * SAMPLE
    full = 2 * math.ceil(far / SAMPLE + 2) * SAMPLE
    middle = (full / 2, full / 2)
    angle = facing or 0
    dark, ground = theme.side(colour), theme.body(state)
    if state == "out":
        dark = mix(dark, counters.ASHES, 0.55)

    def grown(by: float) -> list[Spot]:
        return [
            (middle[0] + x * scale * SAMPLE, middle[1] + y * scale * SAMPLE)
            for x, y in outline((0, 0), form, angle, by / (scale * SAMPLE))
        ]

    picture = Image.new("RGBA", (full, full), (20, 14, 6, 0))
    if theme.shadows:
        shade = Image.new("L", (full, full), 0)
        ImageDraw.Draw(shade).polygon([(x + half * 0.1, y + half * 0.14) for x, y in grown(0)], fill=150)
        picture.putalpha(shade.filter(ImageFilter.GaussianBlur(max(1.0, half * 0.08))))
    draw = ImageDraw.Draw(picture)
    line = max(SAMPLE * 0.8, half * 0.06) * theme.fine
    if facing is not None and state != "out":
        for rim, fill in ((line * 1.9, theme.paper), (line * 0.9, theme.ink), (0.0, dark)):
            spots = point_of(form, facing, rim / (scale * SAMPLE))
            draw.polygon(
                [(middle[0] + x * scale * SAMPLE, middle[1] + y * scale * SAMPLE) for x, y in spots],
                fill=fill,
            )
    draw.polygon(grown(line * 0.7), fill=theme.paper)
    draw.polygon(grown(0), fill=theme.ink)
    draw.polygon(grown(-line), fill=dark)
    band = half * RIM
    if shape == "cut":
        counters.dashed(draw, grown(-line - band * 0.5), half * 0.2, band * 0.26, theme.paper)
    if shape == "square":
        draw.polygon(grown(-line - band * 0.34), fill=theme.paper)
        draw.polygon(grown(-line - band * 0.68), fill=dark)
    draw.polygon(grown(-line - band), fill=ground)
    side = (half - line - band) * (1.42 if isinstance(form, Circle) else 1.6)
    if state == "hurt":
        _hatched(picture, grown(-line - band), theme.melee, half)
    if side > SAMPLE * 4:
        mark = Image.new("RGBA", (full, full), (*ground, 0))
        draw_symbol(
            ImageDraw.Draw(mark), symbol, middle[0] - side / 2, middle[1] - side / 2, side, dark, ground
        )
        if state == "down":
            mark = mark.rotate(90, Image.Resampling.BICUBIC)
        picture.alpha_composite(mark)
    if state == "out":
        arm = half * 0.7
        for sign in (1, -1):
            spots = [(middle[0] - arm, middle[1] - arm * sign), (middle[0] + arm, middle[1] + arm * sign)]
            draw.line(spots, fill=(*theme.ink, 255), width=round(max(line * 1.4, half * 0.14)))
    return picture.reduce(SAMPLE)


def _hatched(picture: Image.Image, corners: Sequence[Spot], colour: Colour, half: float) -> None:
    """Hatch the left half of a base: a wound that grey printing keeps."""
    keep, lines = Image.new("L", picture.size, 0), Image.new("L", picture.size, 0)
    ImageDraw.Draw(keep).polygon(list(corners), fill=255)
    draw = ImageDraw.Draw(lines)
    x, y = picture.width / 2, picture.height / 2
    for i in range(-3, 4):
        low = y + half * (0.3 * i + 0.25)
        draw.line(
            (x - half, low, x - half * 0.3, low - half * 0.5), fill=255, width=max(1, round(half * 0.09))
        )
    lines.paste(0, (0, 0), Image.eval(keep, lambda value: 255 - value))
    picture.paste((*colour, 255), (0, 0, *picture.size), lines)


@drawn_once(256)
def ghost(form: Form, colour: str, facing: int, scale: float, theme: Theme = PARCHMENT) -> Image.Image:
    """Return the dashed outline that a base leaves at its old place."""
    half = half_of(form) * scale * SAMPLE
    full = 2 * math.ceil(reach_of(form) * scale + 3) * SAMPLE
    picture = Image.new("RGBA", (full, full), (255, 255, 255, 0))
    draw = ImageDraw.Draw(picture)
    spots = [
        (full / 2 + x * scale * SAMPLE, full / 2 + y * scale * SAMPLE)
        for x, y in outline((0, 0), form, facing)
    ]
    draw.polygon(spots, fill=(*theme.paper, 90))
    counters.dashed(
        draw, spots, max(SAMPLE * 3.0, half * 0.26), max(SAMPLE * 0.6, half * 0.06), theme.side(colour)
    )
    return picture.reduce(SAMPLE)


def blunt(facing: int | None) -> int | None:
    """Return where a base is drawn to look."""
    return None if facing is None else round(facing / 10 / STEP) * STEP * 10 % 3600


def drawn_angle(token: Token) -> int | None:
    """Return where a base is drawn to look: an oblong one exactly, for it is turned; a round one nearly."""
    return token.facing if isinstance(token.form, Rectangle) else blunt(token.facing)


def stamp_of(scene: Scene, token: Token, form: Form, frame: Frame) -> Image.Image:
    """Return the base of a figure."""
    side = counters.look_of(scene.sides, token.side)
    return base(
        form,
        side.shape,
        side.colour,
        token.symbol,
        token.look,
        drawn_angle(token),
        round(frame.scale, 6),
        frame.theme,
    )


def badges_at(form: Form, facing: int | None, count: int) -> list[Spot]:
    """Return where badges lie, from the middle of a base: on its rim at the back, from the upper right
    where it looks nowhere.
    """
    reach = half_of(form) * 1.02
    start = 40 if facing is None else facing / 10 + 140
    turns = [start + 48 * i for i in range(count)]
    return [(math.sin(math.radians(turn)) * reach, -math.cos(math.radians(turn)) * reach) for turn in turns]


# --- pieces of building


JOINT = 0.24
"""Between two joints of masonry, in hand's breadths."""
MERLON = 0.2
"""How deep the blocks on the rim of a wall are."""
CRENELLED = ("stone", "wall-top", "tower", "keep")
"""Looks whose rim has blocks with gaps between them."""


@drawn_once(256)
def piece(
    corners: tuple[Point, ...],
    name: str,
    angle: int,
    scale: float,
    unit: float,
    theme: Theme = PARCHMENT,
    over: tuple[sections.Stroke, ...] = (),
    *,
    bare: bool = False,
) -> Image.Image:
    """Return a piece of building from above, its middle in that of the picture; corners are scene units from
    there, ``scale`` pixels each; ``over`` is drawn on it, or if it is ``bare`` in place of it.
    """
    spots = [(x * scale * SAMPLE, y * scale * SAMPLE) for x, y in corners]
    hand = unit * SAMPLE
    wide = max(abs(x) for x, _ in spots) + hand * 0.3
    high = max(abs(y) for _, y in spots) + hand * 0.3
    size = (2 * math.ceil(wide / SAMPLE) * SAMPLE, 2 * math.ceil(high / SAMPLE) * SAMPLE)
    spots = [(x + size[0] / 2, y + size[1] / 2) for x, y in spots]
    tint = theme.ground(name if name in theme.grounds else "stone")
    ink = theme.tone(mix(tint[0], theme.ink, 0.72))
    picture = Image.new("RGBA", size, (20, 14, 6, 0))
    if bare:
        _strokes(picture, over, angle, hand, theme)
        return picture.reduce(SAMPLE)
    if theme.shadows:
        shade = Image.new("L", size, 0)
        ImageDraw.Draw(shade).polygon([(x + hand * 0.12, y + hand * 0.16) for x, y in spots], fill=170)
        picture.putalpha(shade.filter(ImageFilter.GaussianBlur(hand * 0.06)))
    mask = Image.new("L", size, 0)
    ImageDraw.Draw(mask).polygon(spots, fill=255)
    face = Image.new("RGBA", size, (*tint[1], 255))
    _joints(ImageDraw.Draw(face), spots, size, angle, hand, mix(tint[1], ink, 0.4))
    picture.paste(face, (0, 0), mask)
    draw = ImageDraw.Draw(picture)
    closed = [*spots, spots[0], spots[1]]
    if name in CRENELLED:
        _merlons(draw, spots, hand, merlon(theme, tint), ink)
    _strokes(picture, over, angle, hand, theme)
    draw.line(closed, fill=ink, width=max(2, round(hand * 0.07 * theme.fine)), joint="curve")
    return picture.reduce(SAMPLE)


def merlon(theme: Theme, tint: tuple[Colour, Colour]) -> Colour:
    """Return the colour of the blocks on a rim: in the light where the ground is painted, else darker than
    the face.
    """
    return mix(tint[1], theme.paper, 0.45) if theme.painted else mix(tint[0], theme.ink, 0.12)


def stuffs(theme: Theme) -> dict[str, Colour]:
    """Return the colours of what strokes over a piece are made of."""
    floor = theme.ground("floor")[0]
    return {
        sections.DARK: theme.tone(mix(floor, (24, 16, 10), 0.86)),
        sections.WOOD: theme.tone(mix(floor, (96, 58, 24), 0.35)),
        sections.IRON: theme.tone(mix(theme.ink, (40, 30, 22), 0.3)),
        sections.CRACK: theme.ink,
        sections.SHADE: mix(theme.ink, floor, 0.3),
    }


def _strokes(
    picture: Image.Image, over: Sequence[sections.Stroke], angle: int, hand: float, theme: Theme
) -> None:
    """Draw what lies over a piece, turned as the piece is."""
    draw, colours = ImageDraw.Draw(picture), stuffs(theme)
    x, y, turn = picture.width / 2, picture.height / 2, math.radians(angle / 10)
    cos, sin = math.cos(turn) * hand, math.sin(turn) * hand
    for stroke in over:
        spots = [(x + px * cos - py * sin, y + px * sin + py * cos) for px, py in stroke.points]
        if stroke.wide:
            wide = max(SAMPLE // 2, round(stroke.wide * hand))
            draw.line(spots, fill=colours[stroke.stuff], width=wide, joint="curve")
        else:
            draw.polygon(spots, fill=colours[stroke.stuff], outline=colours[sections.IRON])


def _joints(
    draw: ImageDraw.ImageDraw,
    spots: Sequence[Spot],
    size: tuple[int, int],
    angle: int,
    hand: float,
    colour: Colour,
) -> None:
    """Draw courses of stones, or rings of them where the piece is round."""
    x, y = size[0] / 2, size[1] / 2
    far = math.hypot(*size) / 2
    step, thin = hand * JOINT, max(1, round(hand * 0.025))
    if len(spots) > 8:
        for i in range(1, int(far / step) + 1):
            draw.ellipse((x - i * step, y - i * step, x + i * step, y + i * step), outline=colour, width=thin)
            for k in range(max(4, 4 * i)):
                turn = math.tau * (k + 0.5 * (i % 2)) / max(4, 4 * i)
                cos, sin = math.cos(turn), math.sin(turn)
                draw.line(
                    (
                        x + cos * (i - 1) * step,
                        y + sin * (i - 1) * step,
                        x + cos * i * step,
                        y + sin * i * step,
                    ),
                    fill=colour,
                    width=thin,
                )
        return
    turn = math.radians(angle / 10)
    ux, uy = math.sin(turn), -math.cos(turn)
    for i in range(-int(far / step) - 1, int(far / step) + 2):
        cx, cy = x + ux * i * step, y + uy * i * step
        draw.line((cx + uy * far, cy - ux * far, cx - uy * far, cy + ux * far), fill=colour, width=thin)
        for k in range(-int(far / step / 1.8) - 1, int(far / step / 1.8) + 2):
            run = (k + 0.5 * (i % 2)) * step * 1.8
            px, py = cx - uy * run, cy + ux * run
            draw.line((px, py, px + ux * step, py + uy * step), fill=colour, width=thin)


def _merlons(
    draw: ImageDraw.ImageDraw, spots: Sequence[Spot], hand: float, colour: Colour, ink: Colour
) -> None:
    """Draw the blocks on the rim: a line of them along each side, with gaps between."""
    mx, my = sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots)
    deep, long = hand * MERLON, hand * 0.3
    rim: list[tuple[Spot, Spot]] = []
    for (ax, ay), (bx, by) in zip(spots, [*spots[1:], spots[0]], strict=True):
        rim.append(((ax, ay), (bx, by)))
    if len(spots) > 8:  # a round one: every other piece of its rim
        rim = rim[:: max(2, 2 * round(long / (math.dist(*rim[0]) or 1)))]
    for (ax, ay), (bx, by) in rim:
        length = math.hypot(bx - ax, by - ay) or 1.0
        dx, dy = (bx - ax) / length, (by - ay) / length
        nx, ny = -dy, dx
        if (mx - ax) * nx + (my - ay) * ny < 0:
            nx, ny = -nx, -ny
        count = max(1, round(length / long / 2) * 2 + 1)
        part = length / count if len(spots) <= 8 else long
        for i in range(0, count, 2) if len(spots) <= 8 else (0,):
            x, y = ax + dx * part * i, ay + dy * part * i
            block = [
                (x, y),
                (x + dx * part, y + dy * part),
                (x + dx * part + nx * deep, y + dy * part + ny * deep),
                (x + nx * deep, y + ny * deep),
            ]
            draw.polygon(block, fill=colour, outline=ink)


def corners_of(form: Form, angle: int) -> tuple[Point, ...]:
    """Return the corners of a shape round the origin, in whole scene units."""
    return tuple((round(x), round(y)) for x, y in outline((0, 0), form, angle))


def built(thing: Thing, form: Form, frame: Frame) -> Image.Image:
    """Return a piece of building that is a thing."""
    return piece(
        corners_of(form, thing.angle),
        look(thing.ground) if thing.ground else "wall-top",
        thing.angle,
        round(frame.scale, 6),
        round(frame.hex, 3),
        frame.theme,
        over_of(thing, form),
        bare=sections.kind_of(thing) == "ladder",
    )


def over_of(thing: Thing, form: Form) -> tuple[sections.Stroke, ...]:
    """Return what is drawn over a piece of building."""
    return sections.strokes(sections.kind_of(thing), form, RADIUS, sections.harm_of(thing), thing.id)


def sample(thing: Thing, unit: int, theme: Theme) -> Image.Image:
    """Return a small picture of a kind of piece for the legend."""
    over = sections.sample(sections.kind_of(thing))
    corners = corners_of(Rectangle(1000, 520), 0)
    name = look(thing.ground) if thing.ground else "wall-top"
    return piece(corners, name, 0, unit * 1.5 / 1000, unit * 0.9, theme, over, bare=bool(over))
