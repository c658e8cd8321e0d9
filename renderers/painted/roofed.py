"""Engines that men work from within, seen from above: siege towers, rams and penthouses."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PIL import Image, ImageChops, ImageDraw

from ..frame import Spot
from ..palette import INK, WHITE, Colour, mix
from .built_in import shadow
from .long_counters import DARK_WOOD, STEEL, WOOD, Deck
from .woodwork import PALE, ROPE

Offsets = tuple[tuple[float, float], ...]


def cells(picture: Image.Image, radius: float, offsets: Offsets) -> list[list[Spot]]:
    """Return the hexes of a thing in pixels of its picture, each clockwise from the right corner."""
    cx, cy = picture.width / 2, picture.height / 2
    return [
        [
            (cx + (x + math.cos(math.radians(a))) * radius, cy + (y + math.sin(math.radians(a))) * radius)
            for a in range(0, 360, 60)
        ]
        for x, y in offsets
    ]


def border(hexes: Sequence[Sequence[Spot]]) -> list[tuple[Spot, Spot, Spot]]:
    """Return the sides of a group of hexes that have none of it beyond, each with the way outwards."""
    sides: dict[frozenset[tuple[int, int]], list[tuple[Spot, Spot, Spot]]] = {}
    for corners in hexes:
        mx, my = sum(x for x, _ in corners) / 6, sum(y for _, y in corners) / 6
        for a, b in zip(corners, (*corners[1:], corners[0]), strict=True):
            ox, oy = (a[0] + b[0]) / 2 - mx, (a[1] + b[1]) / 2 - my
            length = math.hypot(ox, oy) or 1.0
            key = frozenset(((round(a[0] / 8), round(a[1] / 8)), (round(b[0] / 8), round(b[1] / 8))))
            sides.setdefault(key, []).append((a, b, (ox / length, oy / length)))
    return [found[0] for found in sides.values() if len(found) == 1]


def front(offsets: Offsets, angle: int) -> tuple[float, float, float]:
    """Return how far the front of a group of hexes lies ahead of its first hex, its middle across that way,
    and the middle behind.
    """
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    ahead = [(x * cos + y * sin, -x * sin + y * cos) for x, y in offsets]
    most = max(run for run, _ in ahead)
    across = [side for run, side in ahead if run > most - 0.3]
    return most + 0.87, sum(across) / len(across), min(run for run, _ in ahead) - 0.87


def ridge(offsets: Offsets, angle: int, middle: float) -> tuple[float, float]:
    """Return how far the ridge of a roof reaches from its first hex, behind and ahead: to the ends of the row
    of hexes under it.
    """
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    under = [x * cos + y * sin for x, y in offsets if abs(-x * sin + y * cos - middle) < 0.3]
    return min(under) - 0.87, max(under) + 0.87


def _moved(deck: Deck, radius: float, angle: int, side: float) -> None:
    """Move the middle of a deck to a place beside it."""
    x, y = deck.middle
    deck.middle = (
        x - math.sin(math.radians(angle)) * side * radius,
        y + math.cos(math.radians(angle)) * side * radius,
    )


def siege_tower(
    picture: Image.Image, radius: float, angle: int, offsets: Offsets, stands: str, colour: Colour
) -> None:
    """Draw a siege tower from above: its platform of planks within a breastwork of hides and stakes, wheels,
    the ramp in front.
    """
    hexes = cells(picture, radius, offsets)
    shadow(picture, radius, hexes, 0.42)
    draw = ImageDraw.Draw(picture)
    sides = border(hexes)
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    for a, b, out in sides:
        if abs(out[0] * cos + out[1] * sin) < 0.6:
            _wheels(draw, a, b, out, radius)
    _boards(picture, hexes, radius, angle + 90, WOOD, 0.19)
    draw = ImageDraw.Draw(picture)
    for wide, fill in ((0.27, INK), (0.2, (150, 108, 62))):
        for a, b, _ in sides:
            draw.line((*a, *b), fill=fill, width=round(radius * wide))
            for x, y in (a, b):
                r = radius * wide / 2
                draw.ellipse((x - r, y - r, x + r, y + r), fill=fill)
    for a, b, out in sides:
        front = out[0] * cos + out[1] * sin > 0.8
        if front:
            for wide, fill in ((0.3, INK), (0.22, ROPE)):
                p, q = between(a, b, 0.14), between(a, b, 0.86)
                draw.line((*p, *q), fill=fill, width=round(radius * wide))
            for i in range(1, 7):
                x, y = between(a, b, 0.14 + 0.72 * i / 7)
                draw.line(
                    (
                        x - out[0] * radius * 0.11,
                        y - out[1] * radius * 0.11,
                        x + out[0] * radius * 0.11,
                        y + out[1] * radius * 0.11,
                    ),
                    fill=INK,
                    width=max(1, round(radius * 0.035)),
                )
            continue
        for i in range(4):
            p, q = between(a, b, (i + 0.18) / 4), between(a, b, (i + 0.72) / 4)
            draw.line((*p, *q), fill=INK, width=round(radius * 0.19))
            p, q = between(a, b, (i + 0.24) / 4), between(a, b, (i + 0.66) / 4)
            draw.line((*p, *q), fill=PALE, width=round(radius * 0.12))


def between(a: Spot, b: Spot, share: float) -> Spot:
    """Return the spot such a share of the way from one to another."""
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _wheels(draw: ImageDraw.ImageDraw, a: Spot, b: Spot, out: Spot, radius: float) -> None:
    """Draw the edge of a wheel that sticks out from under a side."""
    p, q = between(a, b, 0.22), between(a, b, 0.78)
    x, y = out[0] * radius * 0.17, out[1] * radius * 0.17
    draw.line((p[0] + x, p[1] + y, q[0] + x, q[1] + y), fill=INK, width=round(radius * 0.2))
    draw.line((p[0] + x, p[1] + y, q[0] + x, q[1] + y), fill=DARK_WOOD, width=round(radius * 0.12))


def _boards(
    picture: Image.Image,
    hexes: Sequence[Sequence[Spot]],
    radius: float,
    angle: int,
    wood: Colour,
    step: float,
) -> None:
    """Fill some hexes with boards that run in a direction."""
    mask = Image.new("L", picture.size, 0)
    pen = ImageDraw.Draw(mask)
    for corners in hexes:
        pen.polygon(list(corners), fill=255)
        pen.line([*corners, corners[0]], fill=255, width=3)
    sheet = Image.new("RGB", picture.size, wood)
    draw = ImageDraw.Draw(sheet)
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    cx, cy, far = picture.width / 2, picture.height / 2, picture.width
    count = round(far / (radius * step))
    for i in range(-count, count + 1):
        off = i * radius * step
        x, y = cx - sin * off, cy + cos * off
        if i % 3 == 0:
            draw.line(
                (x - cos * far, y - sin * far, x + cos * far, y + sin * far),
                fill=mix(wood, WHITE, 0.16),
                width=round(radius * step * 0.8),
            )
    for i in range(-count, count + 1):
        off = (i + 0.5) * radius * step
        x, y = cx - sin * off, cy + cos * off
        draw.line(
            (x - cos * far, y - sin * far, x + cos * far, y + sin * far),
            fill=DARK_WOOD,
            width=max(1, round(radius * 0.035)),
        )
    if box := mask.getbbox():
        picture.paste(sheet.crop(box), box, mask.crop(box))


def ram(
    picture: Image.Image,
    radius: float,
    angle: int,
    offsets: Offsets,
    stands: str,
    colour: Colour,
    beam: bool = True,
) -> None:
    """Draw a ram from above: the log with its iron head under a steep roof of hides, light on one side and
    dark on the other; or such a roof without a beam, which is a penthouse.
    """
    hexes = cells(picture, radius, offsets)
    shadow(picture, radius, hexes, 0.24)
    sides = border(hexes)
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    run, side, back = front(offsets, angle)
    deck = Deck(picture, radius, angle)
    across = [-x * sin + y * cos for x, y in offsets]
    middle = (max(across) + min(across)) / 2
    _moved(deck, radius, angle, side)
    if beam:
        deck.line([(back * 0.2, 0), (run + 0.3, 0)], 0.3, INK)
        deck.line([(back * 0.2, 0), (run + 0.3, 0)], 0.22, (150, 108, 62))
    draw = ImageDraw.Draw(picture)
    for a, b, out in sides:
        if abs(out[0] * cos + out[1] * sin) < 0.6:
            _wheels(draw, a, b, out, radius)
    hides: Colour = (146, 104, 72)
    _boards(picture, hexes, radius, angle + 90, hides, 0.3)
    inside = Image.new("L", picture.size, 0)
    for corners in hexes:
        ImageDraw.Draw(inside).polygon(list(corners), fill=110)
    slope = Image.new("L", picture.size, 0)
    top = Deck(slope, radius, angle)
    _moved(top, radius, angle, middle)
    away = 6.0 if cos - sin >= 0 else -6.0
    top.draw.polygon(top.at([(-6, 0), (6, 0), (6, away), (-6, away)]), fill=255)
    dark = ImageChops.multiply(inside, slope)
    if box := dark.getbbox():
        picture.paste((24, 12, 4, 255), box, dark.crop(box))
    top = Deck(picture, radius, angle)
    _moved(top, radius, angle, middle)
    begins, ends = ridge(offsets, angle, middle)
    top.line([(begins + 0.16, 0), (ends - 0.16, 0)], 0.16, INK)
    top.line([(begins + 0.16, 0), (ends - 0.16, 0)], 0.09, ROPE)
    draw = ImageDraw.Draw(picture)
    for a, b, _ in sides:
        draw.line((*a, *b), fill=INK, width=round(radius * 0.13))
        for x, y in (a, b):
            r = radius * 0.065
            draw.ellipse((x - r, y - r, x + r, y + r), fill=INK)
    for a, b, _ in sides:
        for i in range(6):
            x, y = between(a, b, (i + 0.5) / 6)
            r = radius * 0.045
            draw.ellipse((x - r, y - r, x + r, y + r), fill=ROPE)
    if not beam:
        return
    deck.face(head_of_a_beam(run), STEEL)
    deck.line([(run + 0.18, -0.17), (run + 0.18, 0.17)], 0.05, INK)
    deck.line([(run + 0.34, -0.18), (run + 0.34, 0.18)], 0.05, INK)


def head_of_a_beam(run: float) -> list[Spot]:
    """Return the corners of the iron on a beam that ends so far to the front, in parts of a hex."""
    half = [(run + 0.02, 0.17), (run + 0.4, 0.2), (run + 0.56, 0.07)]
    return [*((x, -y) for x, y in half), *reversed(half)]
