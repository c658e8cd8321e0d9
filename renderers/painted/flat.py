"""The printed ground: flat tints with a pattern of strokes for each look, that survive a copier and leave
weak eyes in peace.

It is drawn as large as the walls and sides that come over it. No pattern leaves its hex, so that none needs
to be cut.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence

from msgspec import Struct
from PIL import Image, ImageDraw, ImageFilter

from pbem.core.scene import Area, Point, Scene

from ..frame import Frame, Spot
from ..hexes import SINE
from ..palette import LOOKED, Colour, look_of, mix
from ..themes import Theme
from ..ways import lanes
from . import roofs, sprites
from .castle import HEIGHT
from .relief import fall, rising
from .shores import course
from .texture import lay, ramp

BELOW = ("courtyard", "hill", "slope", "scrub", "burnt", "tent", "tree", "crop")
ABOVE = ("trench", "moat", "doorway", "floor", "roof", *HEIGHT)
OTHERS = tuple(name for name in LOOKED if name not in (*BELOW, *ABOVE, "flat", "road", "water", "ford"))
"""Looks that have no painter of their own."""
ORDER = (*BELOW, *OTHERS, *ABOVE)
"""Looks from the lowest to the highest; water and roads lie between the crops and the moat."""
BUILT = ("doorway", "floor", "roof", *HEIGHT)
DUG = ("moat", "trench")
"""Looks that end at a sharp line: what was built, and what was dug."""


class Hex(Struct, frozen=True):
    """A hex to be filled with strokes: its middle and radius in pixels, the area, where high ground lies,
    chance of its own, the theme.
    """

    x: float
    y: float
    unit: float
    area: Area
    beside: dict[Point, str]
    high: Sequence[Spot]
    random: random.Random
    theme: Theme

    def thin(self, share: float = 0.035) -> int:
        """Return the width of a stroke in pixels."""
        return max(2, round(self.unit * share * self.theme.fine))

    def turned(self, points: Sequence[Spot], degrees: float) -> list[Spot]:
        """Return points given in hex radii from the middle, turned about it, in pixels."""
        cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        return [
            (self.x + (px * cos - py * sin) * self.unit, self.y + (px * sin + py * cos) * self.unit)
            for px, py in points
        ]


Draw = ImageDraw.ImageDraw
Pattern = Callable[[Draw, Hex], None]


def paint_flat(scene: Scene, areas: Sequence[Area], frame: Frame, times: int) -> Image.Image:
    """Return the ground of some areas in flat tints, on a picture ``times`` as large as the frame."""
    theme = frame.theme
    picture = Image.new("RGB", (frame.width * times, frame.height * times), theme.page)
    draw = ImageDraw.Draw(picture)
    by_look: dict[str, list[Area]] = {}
    for area in areas:
        by_look.setdefault(look_of(area), []).append(area)
        draw.polygon(frame.spots(area.corners, times), fill=theme.ground("flat")[0])
    high = frame.spots(rising(scene.areas), times)
    beside = {area.centre: look_of(area) for area in scene.areas}

    def fill(name: str, tinted: bool = True) -> None:
        for area in by_look.get(name, []):
            if tinted and name in theme.grounds:
                draw.polygon(frame.spots(area.corners, times), fill=theme.ground(name)[0])
        for area in by_look.get(name, []):
            ((x, y),) = frame.spots((area.centre,), times)
            chance = random.Random(f"{scene.seed}/{area.at}/{name}")
            PATTERNS.get(name, _nothing)(
                draw, Hex(x, y, frame.hex * times, area, beside, high, chance, theme)
            )
        if name == "roof":
            _roof(draw, by_look.get(name, []), frame, times)
        if name in BUILT or name in DUG:
            _border(draw, by_look.get(name, []), frame, times)

    for name in ORDER[: ORDER.index("trench")]:
        fill(name)
    _roads(picture, scene, by_look.get("road", []), frame, times)
    wet = [*by_look.get("water", []), *by_look.get("ford", [])]
    if wet:
        _water(picture, wet, by_look.get("ford", []), scene, frame, times)
        fill("water", tinted=False)
        fill("ford", tinted=False)
    for name in (*ORDER[ORDER.index("trench") :], "rubble", "fire"):
        fill(name)
    for area in areas:
        for mark in area.marks:
            if mark in sprites.LANDMARKS:
                size = max(6, round(frame.hex * times * 1.1))
                ((x, y),) = frame.spots((area.centre,), times)
                figure = sprites.LANDMARKS[mark](size, 0)
                picture.paste(figure, (round(x - size / 2), round(y - size * 0.52)), figure)
    outside = Image.new("L", picture.size, 255)
    pen = ImageDraw.Draw(outside)
    for area in areas:
        pen.polygon(frame.spots(area.corners, times), fill=0)
    lay(picture, theme.page, outside)
    return picture


def _water(
    picture: Image.Image, wet: Sequence[Area], fords: Sequence[Area], scene: Scene, frame: Frame, times: int
) -> None:
    """Lay water with smooth banks and a line along them, and the lighter tint of its fords."""
    theme, unit = frame.theme, frame.hex * times
    # a smaller mask is enough for what is soft, and much faster
    soft = (
        course(wet, scene.areas, frame, times / 4)
        .filter(ImageFilter.GaussianBlur(unit / 4 * 0.3))
        .resize(picture.size)
    )
    lay(picture, theme.strokes, soft.point(ramp(106, 114)))
    inner = soft.point(ramp(128, 136))
    lay(picture, theme.ground("water")[0], inner)
    if fords:
        tint = Image.new("RGB", picture.size, theme.ground("water")[0])
        draw = ImageDraw.Draw(tint)
        for area in fords:
            draw.polygon(frame.spots(area.corners, times), fill=theme.ground("ford")[0])
        picture.paste(tint, (0, 0), inner)


def _roads(picture: Image.Image, scene: Scene, areas: Sequence[Area], frame: Frame, times: int) -> None:
    """Lay roads between two lines."""
    theme, unit = frame.theme, frame.hex * times
    draw = ImageDraw.Draw(picture)
    wide, rim = unit * 0.56, max(2, round(unit * 0.05 * theme.fine))
    lines, patches = lanes(scene, areas, frame, times)
    for grow, colour in ((2 * rim, theme.strokes), (0, theme.ground("road")[0])):
        for patch in patches:
            draw.polygon(patch, fill=colour)
        for points in lines:
            draw.line(points, fill=colour, width=round(wide + grow), joint="curve")
            for x, y in (points[0], points[-1]):
                reach = (wide + grow) / 2
                draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=colour)


def _border(draw: Draw, areas: Sequence[Area], frame: Frame, times: int) -> None:
    """Draw a line round all hexes of a look."""
    sides: dict[tuple[Point, Point], int] = {}
    for area in areas:
        for one, other in zip(area.corners, (*area.corners[1:], area.corners[0]), strict=True):
            key = (min(one, other), max(one, other))
            sides[key] = sides.get(key, 0) + 1
    for pair, count in sides.items():
        if count == 1:
            draw.line(
                frame.spots(pair, times),
                fill=frame.theme.ink,
                width=max(2, round(frame.hex * times * 0.045 * frame.theme.fine)),
            )


def hatch(
    draw: Draw, hex_: Hex, degrees: int, step: float, colour: Colour | None = None, share: float = 0.03
) -> None:
    """Fill a hex with lines at 0, 60 or 120 degrees, that go on in the next hex where ``step`` divides its
    height.
    """
    count = round(SINE / step)
    for i in range(-count + 1, count):
        away = i * step
        half = 1 - abs(away) / (2 * SINE)
        draw.line(
            hex_.turned([(-half, away), (half, away)], degrees),
            fill=colour or hex_.theme.strokes,
            width=hex_.thin(share),
        )


def _nothing(draw: Draw, hex_: Hex) -> None:
    return


def _waves(draw: Draw, hex_: Hex) -> None:
    for down, right in ((-0.34, 0.1), (0.12, -0.22), (0.46, 0.16)):
        points = [(right + (-0.36 + i * 0.06), down + 0.05 * math.sin(i * math.pi / 3)) for i in range(13)]
        draw.line(
            hex_.turned(points, 0),
            fill=mix(hex_.theme.ground("moat")[0], (20, 50, 90), 0.5),
            width=hex_.thin(0.04),
            joint="curve",
        )


def _ford(draw: Draw, hex_: Hex) -> None:
    _waves(draw, hex_)
    for i in range(9):
        angle, far = i * 2.4, 0.62 * math.sqrt((i + 0.6) / 9)
        x, y = hex_.x + math.cos(angle) * far * hex_.unit, hex_.y + math.sin(angle) * far * hex_.unit * 0.9
        r = hex_.unit * hex_.random.uniform(0.05, 0.085)
        draw.ellipse(
            (x - r, y - r * 0.7, x + r, y + r * 0.7),
            fill=(255, 255, 255),
            outline=hex_.theme.strokes,
            width=hex_.thin(0.028),
        )


def _still(draw: Draw, hex_: Hex) -> None:
    hatch(draw, hex_, 0, SINE / 5, mix(hex_.theme.ground("moat")[0], (10, 40, 80), 0.45), 0.03)


def _crowns(draw: Draw, hex_: Hex) -> None:
    dark = mix(hex_.theme.ground("tree")[0], (0, 44, 0), 0.72)
    light, shade = (
        mix(hex_.theme.ground("tree")[0], (255, 255, 255), 0.35),
        mix(hex_.theme.ground("tree")[0], (20, 70, 10), 0.3),
    )
    spots = [(math.cos(i * 1.2566 + 0.5) * 0.52, math.sin(i * 1.2566 + 0.5) * 0.5) for i in range(5)]
    for px, py in sorted([*spots, (0.0, 0.02)], key=lambda spot: spot[1]):
        x, y = hex_.x + px * hex_.unit, hex_.y + py * hex_.unit
        r = hex_.unit * hex_.random.uniform(0.24, 0.29)
        draw.ellipse((x - r, y - r, x + r, y + r), fill=shade, outline=dark, width=hex_.thin(0.04))
        r *= 0.66
        x, y = x - r * 0.22, y - r * 0.22
        draw.ellipse((x - r, y - r, x + r, y + r), fill=light)


def _bushes(draw: Draw, hex_: Hex) -> None:
    dark = mix(hex_.theme.ground("scrub")[0], (50, 60, 0), 0.75)
    turn = hex_.random.uniform(0, math.tau)
    for i in range(6):
        far = 0.0 if i == 0 else 0.58
        x = hex_.x + math.cos(turn + i * math.tau / 5) * far * hex_.unit
        y = hex_.y + (math.sin(turn + i * math.tau / 5) * far * 0.95 + 0.05) * hex_.unit
        for lean in (-0.13, 0.0, 0.13):
            draw.line(
                (x, y, x + lean * hex_.unit, y - (0.17 - abs(lean) * 0.4) * hex_.unit),
                fill=dark,
                width=hex_.thin(0.045),
            )


def _strokes_down(draw: Draw, hex_: Hex) -> None:
    for i in range(13):
        angle, far = i * 2.4, 0.74 * math.sqrt((i + 0.5) / 13)
        x, y = hex_.x + math.cos(angle) * far * hex_.unit, hex_.y + math.sin(angle) * far * hex_.unit * 0.9
        fx, fy = fall(hex_.high, x, y)
        long, half = hex_.unit * 0.2, hex_.unit * 0.028 * hex_.theme.fine
        draw.polygon(
            [(x - fy * half, y + fx * half), (x + fx * long, y + fy * long), (x + fy * half, y - fx * half)],
            fill=hex_.theme.strokes,
        )


def _furrows(draw: Draw, hex_: Hex) -> None:
    hatch(draw, hex_, 60, SINE / 5, mix(hex_.theme.ground("crop")[0], (110, 80, 0), 0.6), 0.035)


def _dots(draw: Draw, hex_: Hex) -> None:
    for i in range(7):
        angle, far = i * 2.4, 0.68 * math.sqrt((i + 0.5) / 7)
        x, y = hex_.x + math.cos(angle) * far * hex_.unit, hex_.y + math.sin(angle) * far * hex_.unit * 0.9
        r = hex_.unit * 0.03
        draw.ellipse((x - r, y - r, x + r, y + r), fill=hex_.theme.strokes)


def _courses(step: float, long: float) -> Pattern:
    """Return the pattern of masonry or planks: level lines, and joints between them that are staggered."""

    def drawn(draw: Draw, hex_: Hex) -> None:
        hatch(draw, hex_, 0, step)
        count = round(SINE / step)
        for i in range(-count, count):
            reach = 1 - (abs(i + 0.5) + 0.5) * step / (2 * SINE)
            x = -1.0 + (0.5 if i % 2 else 0.0) * long
            while x < reach:
                if x > -reach:
                    draw.line(
                        hex_.turned([(x, i * step), (x, (i + 1) * step)], 0),
                        fill=hex_.theme.strokes,
                        width=hex_.thin(0.03),
                    )
                x += long

    return drawn


def _crossed(step: float) -> Pattern:
    def drawn(draw: Draw, hex_: Hex) -> None:
        for degrees in (60, 120):
            hatch(draw, hex_, degrees, step)

    return drawn


def _one_way(step: float, degrees: int) -> Pattern:
    def drawn(draw: Draw, hex_: Hex) -> None:
        hatch(draw, hex_, degrees, step)

    return drawn


def _roof(draw: Draw, areas: Sequence[Area], frame: Frame, times: int) -> None:
    """Draw roofs face by face, the lighter the more one faces the light, with courses along the eaves."""
    theme, unit = frame.theme, frame.hex * times
    tint, thin = theme.ground("roof")[0], max(2, round(unit * 0.028 * theme.fine))
    for face in roofs.faces(areas):
        spots = frame.spots(face.corners, times)
        light = face.light
        draw.polygon(
            spots,
            fill=mix(tint, (255, 255, 255), light * 0.6)
            if light > 0
            else mix(tint, (90, 40, 20), -light * 0.36),
        )
        for i in range(1, 4) if face.falls != (0.0, 0.0) else ():
            draw.line(face.course(spots, i / 4), fill=theme.strokes, width=thin)
        if face.falls != (0.0, 0.0):
            draw.line([*spots, spots[0]], fill=theme.ink, width=thin)


def _treads(draw: Draw, hex_: Hex) -> None:
    """Draw the treads of stairs, the broader the higher; they rise to the highest hex beside them."""
    x, y = hex_.area.centre
    near = [point for point in hex_.beside if 0 < math.dist(point, (x, y)) < 1200]
    top = max(
        near,
        key=lambda point: (HEIGHT.get(hex_.beside[point], 0.0), -point[1], point[0]),
        default=(x, y - 1000),
    )
    turn = math.degrees(math.atan2(top[1] - y, top[0] - x)) + 90
    for i in range(8):
        away = -0.76 + i * 0.2
        half = (1 - abs(away) / (2 * SINE)) * (0.96 - i * 0.05)
        draw.line(
            hex_.turned([(-half, away), (half, away)], turn),
            fill=hex_.theme.ink,
            width=hex_.thin(0.05 - i * 0.003),
        )


def _ditch(draw: Draw, hex_: Hex) -> None:
    for degrees in (0, 120):
        hatch(draw, hex_, degrees, SINE / 5, mix(hex_.theme.ground("trench")[0], (60, 30, 0), 0.6), 0.03)


def _char(draw: Draw, hex_: Hex) -> None:
    for degrees in (0, 60, 120):
        hatch(draw, hex_, degrees, SINE / 4, mix(hex_.theme.ground("burnt")[0], (0, 0, 0), 0.5), 0.035)


def _tent(draw: Draw, hex_: Hex) -> None:
    r, cx, cy = hex_.unit * 0.62, hex_.x, hex_.y + hex_.unit * 0.06
    for i in range(12):
        fill = (255, 255, 255) if i % 2 else mix(hex_.theme.ground("tent")[0], (120, 90, 40), 0.45)
        draw.pieslice((cx - r, cy - r, cx + r, cy + r), i * 30, i * 30 + 30, fill=fill)
    draw.ellipse((cx - r, cy - r, cx + r, cy + r), outline=hex_.theme.ink, width=hex_.thin(0.06))


def _heap(draw: Draw, hex_: Hex) -> None:
    for i in range(12):
        angle, far = i * 2.4, 0.68 * math.sqrt((i + 0.4) / 12)
        x, y, r = (
            hex_.x + math.cos(angle) * far * hex_.unit,
            hex_.y + math.sin(angle) * far * hex_.unit,
            hex_.unit * 0.13,
        )
        points = [
            (x + math.cos(k) * r * hex_.random.uniform(0.7, 1.1), y + math.sin(k) * r)
            for k in (0.3, 1.5, 2.8, 4.0, 5.2)
        ]
        draw.polygon(points, fill=hex_.theme.ground("stone")[0])
        draw.line([*points, points[0]], fill=hex_.theme.ink, width=hex_.thin(0.03))


def _flames(draw: Draw, hex_: Hex) -> None:
    for x, y, high in ((-0.34, 0.34, 0.5), (0.36, 0.3, 0.5), (0.0, 0.5, 0.8)):
        shape = [
            (x - high * 0.34, y - high * 0.1),
            (x - high * 0.1, y - high * 0.5),
            (x, y - high),
            (x + high * 0.16, y - high * 0.45),
        ]
        shape += [(x + high * 0.34, y - high * 0.14), (x + high * 0.14, y), (x - high * 0.16, y)]
        spots = hex_.turned(shape, 0)
        draw.polygon(spots, fill=(255, 170, 60))
        draw.line([*spots, spots[0]], fill=hex_.theme.ink, width=hex_.thin(0.05))


PATTERNS: dict[str, Pattern] = {
    "water": _waves,
    "ford": _ford,
    "moat": _still,
    "tree": _crowns,
    "scrub": _bushes,
    "slope": _strokes_down,
    "crop": _furrows,
    "courtyard": _dots,
    "floor": _courses(SINE / 4, 1.4),
    "stone": _courses(SINE / 3, 0.5),
    "wall-top": _one_way(SINE / 6, 120),
    "tower": _courses(SINE / 2, 0.75),
    "tower-door": _courses(SINE / 2, 1.5),
    "keep": _crossed(SINE / 4),
    "keep-door": _crossed(SINE / 2),
    "doorway": _one_way(SINE / 3, 60),
    "stairs": _treads,
    "trench": _ditch,
    "burnt": _char,
    "tent": _tent,
    "rubble": _heap,
    "fire": _flames,
}
"""Look -> the strokes that tell it from the others without any colour; open ground, roads and hilltops have
none inside.
"""
PATTERNS |= {name: PATTERNS[LOOKED[name].strokes] for name in OTHERS if LOOKED[name].strokes in PATTERNS}
