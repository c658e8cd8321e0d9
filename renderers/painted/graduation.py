"""The edge of a table: its ticks and numbers, the grid between them, and the scale bar.

Where these lie and what they say is worked out here for both pictures.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from PIL import Image, ImageDraw

from pbem.core.scene import Measure, Scene

from ..frame import Box, Frame, Spot, bounds
from ..lettering import font, plain, width
from .plates import LEAST
from .texture import lay

STEPS = (1, 2, 3, 6, 12, 24, 60, 120)
"""Between two numbers at the edge, in whatever is measured."""
NUMBERED = 46.0
"""Pixels that two numbers at the edge are apart at least."""
PARTS = 4
"""Ticks of one inch where there is room for them."""
TICKED = 5.0
"""Pixels that two ticks are apart at least."""


class Tick(Struct, frozen=True):
    """A tick at the edge of a table: where, into the table which way, how long (1: has a number), its
    number.
    """

    at: Spot
    inward: Spot
    long: float
    text: str


def pitch(measure: Measure, scale: float, numbered: float = NUMBERED) -> tuple[int, int]:
    """Return how many inches lie between two numbers, and between two ticks, at so many pixels a scene
    unit.
    """
    one = measure.unit * scale
    far = next((step for step in STEPS if step * one >= numbered), STEPS[-1])
    near = next((step for step in STEPS if step * one >= TICKED and far % step == 0), far)
    return far, near


def quarters(measure: Measure, scale: float) -> int:
    """Return how many ticks one inch has: four where they are far enough apart."""
    return PARTS if measure.unit * scale >= TICKED * PARTS else 1


def ticks(measure: Measure, far: int, near: int, shown: Box | None = None, parts: int = 1) -> Iterator[Tick]:
    """Yield the ticks of a table: counted from its left and its lower edge, at all four edges of it or of the
    part that is shown; ``parts`` of them on each inch.
    """
    left, top, right, low = measure.box
    west, north, east, south = shown or measure.box
    unit = measure.unit
    for n in range(0, (right - left) * parts // unit + 1, near if parts == 1 else 1):
        x = left + n * unit // parts
        if west <= x <= east:
            long, text = _tick(n, far, parts, inside=west < x < east)
            yield Tick((x, south), (0, -1), long, text)
            yield Tick((x, north), (0, 1), long, text)
    for n in range(0, (low - top) * parts // unit + 1, near if parts == 1 else 1):
        y = low - n * unit // parts
        if north <= y <= south:
            long, text = _tick(n, far, parts, inside=north < y < south)
            yield Tick((west, y), (1, 0), long, text)
            yield Tick((east, y), (-1, 0), long, text)


def _tick(n: int, far: int, parts: int, *, inside: bool) -> tuple[float, str]:
    """Return how long a tick is, the longest 1, and its number."""
    whole, part = divmod(n, parts)
    if part:
        return (0.34 if part * 2 == parts else 0.22), ""
    numbered = whole % far == 0
    return (1.0 if numbered else 0.55), str(whole) if numbered and inside else ""


def grid(measure: Measure, far: int, near: int) -> Iterator[tuple[tuple[Spot, Spot], bool]]:
    """Yield the lines of the grid over a table, one at each tick, and whether it is one that has a number."""
    left, top, right, low = measure.box
    for n in range(near, (right - left - 1) // measure.unit + 1, near):
        x = left + n * measure.unit
        yield ((x, top), (x, low)), n % far == 0
    for n in range(near, (low - top - 1) // measure.unit + 1, near):
        y = low - n * measure.unit
        yield ((left, y), (right, y)), n % far == 0


def draw_grid(picture: Image.Image, scene: Scene, frame: Frame, times: int) -> None:
    """Draw that grid, so faint that it hides nothing, on a picture ``times`` as large."""
    measure = scene.measure
    if measure is None:
        return
    far, near = pitch(measure, frame.scale)
    for wanted_, wide, share in ((False, 1, 0.13), (True, 1, 0.26)):
        mask = Image.new("L", picture.size, 0)
        draw = ImageDraw.Draw(mask)
        for line, strong in grid(measure, far, near):
            if strong is wanted_:
                spots = frame.spots([(round(x), round(y)) for x, y in line], times)
                draw.line(spots, fill=255, width=wide * times)
        lay(picture, frame.theme.grid, mask, share * frame.theme.grid_share / 0.62)


def draw_edge(picture: Image.Image, scene: Scene, frame: Frame) -> None:
    """Draw the edge of a table with its ticks and numbers."""
    measure, theme = scene.measure, frame.theme
    if measure is None:
        return
    draw = ImageDraw.Draw(picture)
    left, top, right, low = bounds(scene)
    shown = (
        max(left, round(frame.left)),
        max(top, round(frame.top)),
        min(right, round(frame.left + frame.width / frame.scale)),
        min(low, round(frame.top + frame.height / frame.scale)),
    )
    draw.rectangle((*frame.spot((left, top)), *frame.spot((right, low))), outline=theme.ink, width=2)
    size = max(LEAST, round(frame.hex * 0.3))
    long = size * 0.8
    face = font("sans", size)
    far, near = pitch(measure, frame.scale)
    for tick in ticks(measure, far, near, shown, quarters(measure, frame.scale)):
        (x, y), (dx, dy) = frame.spot((round(tick.at[0]), round(tick.at[1]))), tick.inward
        end = (x + dx * long * tick.long, y + dy * long * tick.long)
        if tick.long > 0.5:
            draw.line((x, y, *end), fill=theme.paper, width=4)
        draw.line((x, y, *end), fill=theme.ink, width=2 if tick.text else 1)
        if tick.text:
            half = width(tick.text, "sans", size) / 2
            out = long + 2 + (half if dx else size * 0.45)
            draw.text(
                (x + dx * out, y + dy * out),
                tick.text,
                font=face,
                fill=theme.ink,
                anchor="mm",
                stroke_width=2,
                stroke_fill=theme.paper,
            )


def scale_bar(measure: Measure, scale: float, room: float) -> tuple[int, int]:
    """Return the inches of one piece of the scale bar, and how many pieces it has, no longer than the
    room.
    """
    one = measure.unit * scale
    step = next((step for step in STEPS if step * one >= NUMBERED), STEPS[-1])
    return step, max(1, min(4, int(room / (step * one))))


def scale_words(scene: Scene, measure: Measure, long: int) -> str:
    """Return what stands beside the scale bar: how long it is, and what the scene says of it."""
    named = f"{long} {measure.names[long != 1]}"
    return plain("; ".join(part for part in (named, scene.scale) if part), 80)
