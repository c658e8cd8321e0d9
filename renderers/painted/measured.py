"""What is measured on a table: arcs and reaches, lines with their length, and the names of
areas and figures where they find room.

Where these lie and what they say is worked out here for both pictures.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace
from PIL import Image, ImageDraw

from pbem.core.scene import Area, Form, Point, Rectangle, Scene, Sector, Span, Thing, Token

from .. import placing
from ..frame import Frame, Spot
from ..laid import reach_of, rooms
from ..lettering import plain
from ..palette import Colour, look
from ..themes import Theme
from . import bases, counters
from .arrows import TIMES, Ink
from .labels import LETTERS, Plan, Room, pill
from .plates import LEAST, Name, box, breadth, draw_lead, lead, plate, take_lead
from .texture import lay

NAME, PIECE_NAME, AREA_NAME = 0.36, 0.3, 0.42
"""Size of the letters of a figure's, of a piece of building's and of an area's name, in hand's breadths."""
WASH = 0.17
"""How much of the ground an arc covers."""
BODY = 5.0
"""How much it harms to cover a base with a name."""
ALONG = (0.0, -0.5, 0.5, -0.3, 0.3, -0.75, 0.75)
"""Where the name of a wall stands along it, as a share of half its breadth."""
PILLS = ("span", "sector")
"""Kinds of names that stand on a plate."""
ON_A_LINE = (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8)
STRIP = 1.0
"""How broad the strip along the edge is in which ticks and their numbers stand, in hand's breadths."""
NEAR = 0.4
"""How much places farther down the list are worth less, in hand's breadths."""
AROUND = (180, 0, 90, -90, 135, -135, 45, -45)
"""Where the name of a figure stands about it, in degrees clockwise from above, the best first."""


# --- arcs, reaches, lengths


def sector_of(sector: Sector) -> list[Point]:
    """Return the outline of an arc, from its point round it; of a whole disc its rim."""
    x, y = sector.centre
    wide = min(3600, max(0, sector.width))
    count = max(8, wide // 50)
    start = (sector.angle - wide / 2) / 10

    def rim(radius: int) -> list[Point]:
        turns = [math.radians(start + wide / 10 * i / count) for i in range(count + 1)]
        return [(round(x + math.sin(turn) * radius), round(y - math.cos(turn) * radius)) for turn in turns]

    if wide == 3600:
        return [*rim(sector.radius), *(reversed(rim(sector.inner)) if sector.inner else ())]
    return [*rim(sector.radius), *(reversed(rim(sector.inner)) if sector.inner else [sector.centre])]


def colour_of(scene: Scene, sector: Sector, theme: Theme) -> Colour:
    """Return the colour of an arc: its side's."""
    return theme.side(counters.look_of(scene.sides, sector.side).colour) if sector.side else theme.shot


def draw_sectors(picture: Image.Image, scene: Scene, frame: Frame) -> None:
    """Draw arcs and reaches: a wash that leaves the ground in sight, and a dashed rim."""
    for sector in scene.sectors:
        colour = colour_of(scene, sector, frame.theme)
        spots = frame.spots(sector_of(sector), 2)
        mask = Image.new("L", (picture.width * 2, picture.height * 2), 0)
        ImageDraw.Draw(mask).polygon(spots, fill=255)
        lay(picture, colour, mask.reduce(2), WASH)
        ink = Ink(picture.size, frame.spots(sector_of(sector)), frame.hex * 0.2)
        rim = [*ink.at(frame.spots(sector_of(sector)))]
        rim.append(rim[0])
        for tint, wide in ((frame.theme.halo, 0.13), (colour, 0.06)):
            pen = ink.layer(tint)
            for a, b in _dashed(rim, frame.hex * 0.3 * TIMES):
                pen.line((*a, *b), fill=255, width=max(2, round(frame.hex * wide * TIMES)))
        ink.done(picture)


def _dashed(points: Sequence[Spot], dash: float) -> Iterator[tuple[Spot, Spot]]:
    """Yield every other piece of a line."""
    run = 0.0
    for a, b in pairwise(points):
        length = math.dist(a, b)
        at = 0.0
        while at < length:
            part = int(run / dash)
            step = min(length - at, (part + 1) * dash - run + 1e-6)
            if part % 3 < 2:
                yield (
                    (a[0] + (b[0] - a[0]) * at / length, a[1] + (b[1] - a[1]) * at / length),
                    (
                        a[0] + (b[0] - a[0]) * (at + step) / length,
                        a[1] + (b[1] - a[1]) * (at + step) / length,
                    ),
                )
            at, run = at + step, run + step


def draw_spans(picture: Image.Image, scene: Scene, frame: Frame) -> None:
    """Draw the lines of what was measured, with a stroke across at either end."""
    for span in scene.spans:
        a, b = frame.spots((span.start, span.end))
        length = math.dist(a, b) or 1.0
        nx, ny = -(b[1] - a[1]) / length * frame.hex * 0.18, (b[0] - a[0]) / length * frame.hex * 0.18
        ink = Ink(picture.size, (a, b), frame.hex * 0.4)
        for tint, wide in ((frame.theme.paper, 0.14), (frame.theme.ink, 0.055)):
            pen = ink.layer(tint)
            for line in ((a, b), *(((x - nx, y - ny), (x + nx, y + ny)) for x, y in (a, b))):
                pen.line(ink.at(line), fill=255, width=max(2, round(frame.hex * wide * TIMES)))
        ink.done(picture)


def span_words(scene: Scene, span: Span) -> str:
    """Return how long something is, and what more there is to say of it."""
    length = (
        placing.length(scene.measure, math.dist(span.start, span.end)) if scene.measure is not None else ""
    )
    return plain(", ".join(part for part in (length, span.text) if part), 60)


# --- names


def token_name(
    token: Token, form: Form, size: float, others: Sequence[tuple[float, float, float]] = ()
) -> Name:
    """Return the name of a figure on a base, and the places about it, in scene units: first those to which no
    line from it would lead over another base (``others``: where these are, and how far they reach).
    """
    x, y = token.cells[0]
    name = Name(
        plain(token.id, 24),
        size,
        (),
        token.side,
        plain("-".join(token.numbers[:4]), 20),
        token.dial,
        (x, y, reach_of(form)),
    )
    half, high = (part / 2 for part in box(name))
    reach = reach_of(form) + (bases.half_of(form) * bases.POINT if token.facing is not None else 0) * 0.4
    spots = []
    for far in (1.0, 1.6, 2.4, 3.4, 4.6):
        for turn in AROUND:
            dx, dy = math.sin(math.radians(turn)), -math.cos(math.radians(turn))
            spots.append((x + dx * (reach * far + half * abs(dx)), y + dy * (reach * far + high)))
    near = [each for each in others if math.dist(each[:2], (x, y)) < reach * 5 + 2 * half]
    spots.sort(key=lambda spot: any(_over(spot, (x, y), each) for each in near))
    return replace(name, spots=tuple(spots))


def _over(spot: Spot, start: Spot, base: tuple[float, float, float]) -> bool:
    """Tell whether a line leads over a base."""
    dx, dy = spot[0] - start[0], spot[1] - start[1]
    share = ((base[0] - start[0]) * dx + (base[1] - start[1]) * dy) / ((dx * dx + dy * dy) or 1.0)
    share = min(1.0, max(0.0, share))
    return math.hypot(start[0] + dx * share - base[0], start[1] + dy * share - base[1]) < base[2]


def piece_name(thing: Thing, form: Form, size: float) -> Name:
    """Return the name of a piece of building, and the places on it, in scene units: along its middle."""
    x, y = thing.cells[0]
    turn = math.radians(thing.angle / 10)
    wide = form.width / 2 if isinstance(form, Rectangle) else form.radius * 0.5
    spots = [(x + math.cos(turn) * wide * share, y + math.sin(turn) * wide * share) for share in ALONG]
    if breadth(thing.id, size) > 2 * reach_of(form):  # too small to write on: before it, else beside it
        ux, uy, half = math.sin(turn), -math.cos(turn), breadth(thing.id, size) / 2
        deep = (form.depth / 2 if isinstance(form, Rectangle) else form.radius) + size * 0.7
        ends = [(ux * far, uy * far) for far in (deep, -deep)] + [(-uy * (wide + half), ux * (wide + half))]
        spots = [(x + dx + half * abs(ux) * (dx > 0) * (abs(ux) > 0.5), y + dy) for dx, dy in ends] + [
            (x + uy * (wide + half), y - ux * (wide + half)),
            (x, y),
        ]
    return Name(plain(thing.id, 24), size, tuple(spots), thing.side, dial=thing.dial)


def area_name(area: Area, size: float) -> Name:
    """Return the name of an area, and the places in it, in scene units; smaller letters where it is
    small, and places beside it.
    """
    text = plain(area.at, 24)
    for share in (1.0, 0.8, 0.66):
        found = rooms(area.corners, round(breadth(text, size * share, "italic")), round(size * share * 1.1))
        if found:
            break
    left, right = min(x for x, _ in area.corners), max(x for x, _ in area.corners)
    top, low = min(y for _, y in area.corners), max(y for _, y in area.corners)
    half = breadth(text, size * share, "italic") / 2
    beside = (
        ((left + right) / 2, low + size * 0.7),
        ((left + right) / 2, top - size * 0.7),
        (right + half, (top + low) / 2),
        (left - half, (top + low) / 2),
    )
    middle = area.centre
    return Name(text, size * share, (*found, *(beside if found else (middle, *beside))))


def named(scene: Scene) -> list[Area]:
    """Return the areas whose name is written, the smallest first, for they have least room."""

    def size(area: Area) -> int:
        xs, ys = [x for x, _ in area.corners], [y for _, y in area.corners]
        return (max(xs) - min(xs)) * (max(ys) - min(ys))

    return sorted((area for area in scene.areas if area.corners), key=lambda area: (size(area), area.at))


def same(one: str, other: str) -> bool:
    """Tell whether two names say the same: ``mill-pond`` and ``Mill pond`` do."""
    return one.replace("-", " ").casefold() == other.replace("-", " ").casefold()


def take(plan: Plan, scene: Scene, frame: Frame) -> None:
    """Mark the room that bases, counters and the numbers at the edge take."""
    if scene.measure is not None:
        wide = frame.hex * STRIP
        left, top, right, low = 0.0, 0.0, float(frame.width), float(frame.height)
        for room in (
            (left, top, right, top + wide),
            (left, low - wide, right, low),
            (left, top, left + wide, low),
            (right - wide, top, right, low),
        ):
            plan.take(*room, LETTERS)
    for token in scene.tokens:
        for x, y in frame.spots(token.cells[:1]):
            reach = (
                reach_of(token.form) * 0.94 * frame.scale
                if token.form is not None
                else counters.SIZE / 2 * frame.hex
            )
            if token.form is None or token.look != "out":
                plan.take(x - reach, y - reach, x + reach, y + reach, BODY)
    for thing in scene.things:
        if thing.form is not None:
            for x, y in frame.spots(thing.cells[:1]):
                reach = min(reach_of(thing.form), bases.half_of(thing.form) * 2) * frame.scale
                plan.take(x - reach, y - reach, x + reach, y + reach, 0.4)


class Wanted(Struct, frozen=True):
    """A name that is to be written: of what (``token span sector thing area``), which, in which colour."""

    kind: str
    id: str
    name: Name
    colour: Colour


def wanted(scene: Scene, theme: Theme, scale: float, unit: float) -> list[Wanted]:
    """Return the names of figures, lengths, arcs, pieces of building and areas, in the order in which they
    choose their places; at ``scale`` pixels a scene unit, ``unit`` a hand's breadth.
    """
    found = []
    size, small, large = (max(LEAST, share * unit) / scale for share in (NAME, PIECE_NAME, AREA_NAME))
    standing = {
        token.id: (float(token.cells[0][0]), float(token.cells[0][1]), reach_of(token.form))
        for token in scene.tokens
        if token.form is not None and token.cells
    }
    for token in sorted(scene.tokens, key=lambda each: each.id):
        if token.form is not None and token.cells:
            colour = theme.side(counters.look_of(scene.sides, token.side).colour)
            others = [each for id_, each in standing.items() if id_ != token.id]
            found.append(Wanted("token", token.id, token_name(token, token.form, size, others), colour))
    for n, span in enumerate(scene.spans):
        if text := span_words(scene, span):
            (ax, ay), (bx, by) = span.start, span.end
            spots = tuple((ax + (bx - ax) * share, ay + (by - ay) * share) for share in ON_A_LINE)
            found.append(Wanted("span", str(n), Name(text, size, spots), theme.ink))
    for n, sector in enumerate(scene.sectors):
        if sector.text:
            name = Name(plain(sector.text, 40), size, sector_spots(sector), sector.side)
            found.append(Wanted("sector", str(n), name, colour_of(scene, sector, theme)))
    for thing in scene.things:
        if thing.form is not None and thing.cells:
            found.append(Wanted("thing", thing.id, piece_name(thing, thing.form, small), theme.ink))
    for area in named(scene):
        dark = look(area.ground) in ("water", "moat", "tree")
        name = area_name(area, large)
        found.append(Wanted("area", area.at, name, theme.ink if dark else theme.title))
    return found


def names(picture: Image.Image, scene: Scene, frame: Frame) -> list[tuple[Image.Image, Spot]]:
    """Return all names that are in a window, with the places where they hide least."""
    plan, theme = Plan(picture.size), frame.theme
    take(plan, scene, frame)
    found = []
    here = {
        token.id
        for token in scene.tokens
        for x, y in frame.spots(token.cells[:1])
        if 0 < x < frame.width and 0 < y < frame.height
    }
    for each in wanted(scene, theme, frame.scale, frame.hex):
        if each.kind == "token" and each.id not in here:
            continue
        spots = [frame.spot((round(x), round(y))) for x, y in each.name.spots]
        spots = [spot for spot in spots if 0 < spot[0] < frame.width and 0 < spot[1] < frame.height]
        if spots:
            size = max(7, round(each.name.size * frame.scale))
            drawn = (
                pill(each.name.text, size, each.colour, False, theme)
                if each.kind in PILLS
                else plate(each.name, size, each.colour, theme)
            )
            at = plan.lay(drawn.size, spots, frame.hex * NEAR)
            found.append((drawn, at))
            if each.name.of is not None:
                (x, y), reach = frame.spot((round(each.name.of[0]), round(each.name.of[1]))), each.name.of[2]
                shown = replace(each.name, size=float(size), of=(x, y, reach * frame.scale))
                if line := lead(shown, at, frame.hex):
                    take_lead(plan, line, frame.hex)
                    draw_lead(picture, line, frame.hex, each.colour, theme)
    return found


def sector_spots(sector: Sector) -> tuple[Spot, ...]:
    """Return the places for what an arc is called: on its rim, at its middle first."""
    x, y = sector.centre
    half = min(sector.width, 3600) / 2
    found = []
    for share in (0.0, 0.4, -0.4, 0.7, -0.7):
        turn = math.radians((sector.angle + half * share) / 10)
        found.append((x + math.sin(turn) * sector.radius, y - math.cos(turn) * sector.radius))
    return tuple(found)


def rooms_of(found: Sequence[tuple[Image.Image, Spot]]) -> list[Room]:
    """Return the room that laid names take."""
    return [
        (x - drawn.width / 2, y - drawn.height / 2, x + drawn.width / 2, y + drawn.height / 2)
        for drawn, (x, y) in found
    ]
