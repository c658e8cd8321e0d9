"""Labels: what a shot, a fight or a blow came to, and the names of engines, each laid where it hides least of
what has to be read.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from operator import itemgetter

from PIL import Image, ImageDraw

from pbem.core.scene import Scene, Trace

from ..frame import Frame, Spot
from ..lettering import font, plain, width
from ..palette import WHITE, Colour
from ..themes import PARCHMENT, Theme
from . import counters, engines, figures
from .arrows import TIMES, Ink

Room = tuple[float, float, float, float]
"""Left, top, right and bottom of what something takes on the picture."""
LABEL, LETTERS, BODY, NUMBER, GHOST = 9.0, 4.0, 1.6, 0.8, 0.5
"""How much it harms to cover a label, the name or values of a counter, the rest of it, the number of a hex,
the name left behind.
"""
NUDGES = tuple(
    (right, down)
    for down in (0.12, -0.12, 0.24, -0.24, 0.36, -0.36, 0.5, -0.5)
    for right in (0.0, 0.35, -0.35)
)
"""How far a label is moved to stand between lines of letters, in hex radii, the nearest first."""
NUDGED = 12
"""How many of the places of a label are looked about."""
FAR = 1.7
"""From how far away, in hex radii, a thin line leads from a label to what it is about."""
ROUND_FIGHT = tuple(
    (
        math.sin(math.radians(turn)) * (1.5 + 0.5 * abs(math.sin(math.radians(turn)))) * far,
        math.cos(math.radians(turn)) * 1.12 * far,
    )
    for far in (1.0, 1.6, 2.2, 3.0, 3.9)
    for turn in (0, 180, 90, -90, 45, -45, 135, -135)
)
"""Places round a fight, in hex radii, the nearest first."""
SHARES = (0.5, 0.42, 0.58, 0.33, 0.67, 0.25, 0.75, 0.16, 0.84)
ALONG_SHOT = tuple((share, off) for off in (0.0, 0.5, -0.5, 1.0, -1.0, 1.5, -1.5) for share in SHARES)
"""Places along a shot: the share of its way, and how far beside it in hex radii."""


@lru_cache(maxsize=256)
def pill(text: str, size: int, colour: Colour, strong: bool, theme: Theme = PARCHMENT) -> Image.Image:
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
        fill=theme.paper if not strong else colour,
        outline=colour if not strong else theme.paper,
        width=TIMES + 1,
    )
    draw.text((wide / 2, high / 2), text, font=face, fill=colour if not strong else WHITE, anchor="mm")
    return picture.reduce(TIMES)


class Plan:
    """What is taken on a picture of a size, and how much it harms to cover it."""

    def __init__(self, size: tuple[float, float]) -> None:
        self.size = size
        self.taken: list[tuple[float, float, float, float, float]] = []

    def take(self, left: float, top: float, right: float, bottom: float, harm: float) -> None:
        """Mark some room as taken."""
        self.taken.append((left, top, right, bottom, harm))

    def lay(self, size: tuple[float, float], spots: Sequence[Spot], unit: float) -> Spot:
        """Lay a label of a size at the place where it hides least, the earlier ones before the later, wholly
        on the picture; return where.

        Where it would cover letters at each of them it is nudged about them, to stand between the lines of
        what is below.
        """
        best, least, covers = self._best(size, spots, unit, math.inf)
        if covers:
            nudged = [
                (x + right * unit, y + down * unit) for right, down in NUDGES for x, y in spots[:NUDGED]
            ]
            other, harm, _ = self._best(size, nudged, unit * 0.1, least)
            best = other if harm < least else best
        self.take(*best, LABEL)
        return (best[0] + best[2]) / 2, (best[1] + best[3]) / 2

    def _best(
        self, size: tuple[float, float], spots: Sequence[Spot], unit: float, least: float
    ) -> tuple[Room, float, bool]:
        """Return the best place, how much it harms and if it covers letters; of no meaning where none harms
        less than ``least``.
        """
        half, high = size[0] / 2, size[1] / 2
        first, last = half + 2, self.size[0] - half - 2
        top, low = high + 2, self.size[1] - high - 2
        xs = [min(max(x, first), last) for x in (min(spots)[0], max(spots)[0])]
        ys = [min(max(y, top), low) for y in (min(y for _, y in spots), max(y for _, y in spots))]
        x0, x1, y0, y1 = xs[0] - half, xs[1] + half, ys[0] - high, ys[1] + high
        close = [box for box in self.taken if box[0] < x1 and box[2] > x0 and box[1] < y1 and box[3] > y0]
        close.sort(key=itemgetter(4), reverse=True)
        best: Room = (0.0, 0.0, 0.0, 0.0)
        covers = False
        later = unit * unit * 0.02
        for i, (x, y) in enumerate(spots):
            harm, heavy = i * later, False
            if harm >= least:
                break
            # the plain words of all this cost a quarter: it is asked some ten thousand times a map
            x = x if x > first else first
            x = x if x < last else last
            y = y if y > top else top
            y = y if y < low else low
            left, right, above, below = x - half, x + half, y - high, y + high
            for x0, y0, x1, y1, weight in close:
                if x0 < right and x1 > left and y0 < below and y1 > above:
                    wide = (x1 if x1 < right else right) - (x0 if x0 > left else left)
                    deep = (y1 if y1 < below else below) - (y0 if y0 > above else above)
                    harm += wide * deep * weight
                    heavy = heavy or weight >= LETTERS
                    if harm >= least:
                        break
            if harm < least:
                best, least, covers = (left, above, right, below), harm, heavy
        return best, least, covers


def plan_of(
    size: tuple[int, int], scene: Scene, frame: Frame, grow: float, rooms: Sequence[Room] = ()
) -> Plan:
    """Return the room that counters, single engines, hex numbers and names left behind take."""
    unit, drop = frame.hex, frame.drop
    half = unit * counters.SIZE / 2 * grow
    found = Plan(size)
    for token in scene.tokens:
        for x, y in frame.spots(token.cells):
            if not figures.near(frame, (x, y)):
                continue
            y += drop
            found.take(x - half * 1.08, y - half * 1.04, x + half * 1.15, y + half * 1.04, BODY)
            if token.look != "out":
                found.take(x - half, y - half, x + half, y - half * 0.4, LETTERS)
                found.take(x - half, y + half * 0.4, x + half, y + half, LETTERS)
    for thing in scene.things:
        if thing.kind in engines.NAMED and len(thing.cells) == 1:
            for x, y in frame.spots(thing.cells):
                found.take(x - unit * 0.5, y - unit * 0.5, x + unit * 0.5, y + unit * 0.5, BODY)
    for area in scene.areas if frame.grid else ():
        x, y = frame.spot(area.centre)
        if figures.near(frame, (x, y)):
            found.take(x - unit * 0.38, y - unit * 0.84, x + unit * 0.38, y - unit * 0.54, NUMBER)
    for room in rooms:
        found.take(*room, GHOST)
    return found


def labels_of(
    picture: Image.Image,
    scene: Scene,
    frame: Frame,
    fights: Sequence[Trace],
    shots: Sequence[Trace],
    grow: float,
    written: Sequence[Room] = (),
) -> list[tuple[Image.Image, Spot]]:
    """Return the name plates of engines, then every result, with the places where they hide least.

    Lines that lead to what is far are drawn at once: the counters come over them.
    """
    found = []
    unit, drop, theme = frame.hex, frame.drop, frame.theme
    size = max(9, round(unit * 0.27 * grow))
    ghosts = [
        (x - unit * 0.5, y + drop - unit * 0.5, x + unit * 0.5, y + drop)
        for trace in scene.traces
        if trace.path and trace.kind not in ("fight", "shot", "strike")
        for x, y in frame.spots(trace.path[:1])
    ]
    plan = plan_of(picture.size, scene, frame, grow, ghosts)
    for room in written:
        plan.take(*room, LABEL)
    for plate, spots in engines.labels(scene, frame):
        found.append((plate, plan.lay(plate.size, spots, unit)))
    marks = [(trace, middle(frame, trace)) for trace in fights if len(trace.path) > 1]
    for _, (x, y) in marks:
        plan.take(x - unit * 0.3, y - unit * 0.3, x + unit * 0.3, y + unit * 0.3, LABEL)
    blows = [(trace, struck(frame, trace)) for trace in scene.traces if trace.kind == "strike" and trace.path]
    marks += [each for each in blows if figures.near(frame, frame.spot(each[0].path[-1]))]
    for trace, (x, y) in marks:
        if trace.text and _inside(frame, (x, y)):
            label = pill(plain(trace.text, 40), size, theme.melee, True, theme)
            at = plan.lay(
                label.size, [(x + right * unit, y + down * unit) for right, down in ROUND_FIGHT], unit
            )
            _lead(picture, (x, y), at, unit, theme.melee, theme)
            found.append((label, at))
    for trace in shots:
        if trace.text:
            (ax, ay), (bx, by) = frame.spots((trace.path[0], trace.path[-1]))
            length = math.hypot(bx - ax, by - ay) or 1.0
            nx, ny = -(by - ay) / length * unit, (bx - ax) / length * unit
            places = [
                (ax + (bx - ax) * share + nx * off, ay + (by - ay) * share + ny * off + drop)
                for share, off in ALONG_SHOT
            ]
            label = pill(plain(trace.text, 40), size, theme.shot, False, theme)
            if places := [place for place in places if _inside(frame, place)]:
                found.append((label, plan.lay(label.size, places, unit)))
    return found


def _inside(frame: Frame, spot: Spot) -> bool:
    return 0 < spot[0] < frame.width and 0 < spot[1] < frame.height


def middle(frame: Frame, trace: Trace) -> Spot:
    """Return where a fight is marked: between those who fight."""
    (ax, ay), (bx, by) = frame.spots((trace.path[0], trace.path[-1]))
    # of two above one another the lower has its number there
    beside = frame.hex * 0.52 if abs(ax - bx) < frame.hex * 0.3 else 0.0
    return (ax + bx) / 2 + beside, (ay + by) / 2 + frame.drop


def struck(frame: Frame, trace: Trace) -> Spot:
    """Return where a blow fell on a wall: on the side from which it came."""
    (x, y), (fx, fy) = frame.spots((trace.path[-1], trace.path[0]))
    return x + (fx - x) * 0.42, y + (fy - y) * 0.42


def _lead(picture: Image.Image, start: Spot, end: Spot, unit: float, colour: Colour, theme: Theme) -> None:
    """Draw a thin line from what a label is about to the label, where it is far."""
    if math.dist(start, end) < unit * FAR:
        return
    ink = Ink(picture.size, (start, end), unit * 0.1)
    for tint, wide in ((theme.paper, 0.1), (colour, 0.045)):
        ink.layer(tint).line(ink.at((start, end)), fill=255, width=max(2, round(unit * wide * TIMES)))
    ink.done(picture)
