"""Name plates on a table: a name, below it values, and a row of marks for the clicks of a dial.

How large a plate is, and where its parts lie, is worked out here for both pictures.
"""

from __future__ import annotations

import math
from functools import lru_cache

from msgspec import Struct
from PIL import Image, ImageDraw

from ..frame import Spot
from ..lettering import font, width
from ..palette import Colour
from ..themes import PARCHMENT, Theme
from .arrows import TIMES, Ink
from .labels import LABEL, Plan

VALUES = 0.8
"""Size of the letters of values, of those of the name."""
PIP, APART = 0.36, 0.13
"""How large the mark of a click is, and how far two are apart, in letters of the name."""
LINE, ROW, MARKS = 1.16, 0.98, 0.52
"""How high the name, the values and the marks are, in letters of the name."""
RIM = 0.16
"""How broad the light rim round letters is."""
LEAST = 9
"""Pixels that letters have at least."""
LEAD = 0.5
"""How far a plate is from what it names, in hand's breadths, from where on a line leads there."""


class Name(Struct, frozen=True):
    """A name and where it may stand: its text, the size of its letters, places for its middle, the best
    first.
    """

    text: str
    size: float
    spots: tuple[Spot, ...]
    side: str = ""
    values: str = ""
    """What stands below it."""
    dial: tuple[int, int] | None = None
    """Clicks that are left, and with how many it began."""
    of: tuple[float, float, float] | None = None
    """Where what it names is, and how far that reaches."""


class Part(Struct, frozen=True):
    """A line of a plate: ``name``, ``values`` or ``dial``, how far its middle lies below that of the plate,
    and how high it is.
    """

    kind: str
    down: float
    high: float


def breadth(text: str, size: float, face: str = "bold") -> float:
    """Return how broad a name is, and its light rim."""
    return width(text, face, 100) / 100 * size + size * 0.5


def marks_of(dial: tuple[int, int]) -> int:
    """Return how many marks the dial on a plate has; healing may lead beyond where it began."""
    return max(*dial, 1)


def box(name: Name) -> tuple[float, float]:
    """Return how broad and how high a plate is."""
    wide = breadth(name.text, name.size)
    if name.values:
        wide = max(wide, breadth(name.values, name.size * VALUES))
    if name.dial is not None:
        wide = max(wide, (marks_of(name.dial) * (PIP + APART) + PIP) * name.size)
    return wide, sum(part.high for part in parts(name)) + name.size * RIM * 2


def parts(name: Name) -> list[Part]:
    """Return the lines of a plate from above."""
    highs = [
        ("name", LINE),
        *([("values", ROW)] if name.values else []),
        *([("dial", MARKS)] if name.dial else []),
    ]
    top = -sum(high for _, high in highs) / 2
    found = []
    for kind, high in highs:
        found.append(Part(kind, (top + high / 2) * name.size, high * name.size))
        top += high
    return found


def pips(name: Name) -> list[tuple[float, bool]]:
    """Return for each click of a dial how far right of the middle its mark lies, and whether it is left."""
    if name.dial is None:
        return []
    count = marks_of(name.dial)
    step = (PIP + APART) * name.size
    return [((n - (count - 1) / 2) * step, n < name.dial[0]) for n in range(count)]


@lru_cache(maxsize=512)
def _drawn(
    text: str, values: str, dial: tuple[int, int] | None, size: int, colour: Colour, theme: Theme
) -> Image.Image:
    large = size * TIMES
    name = Name(text, large, (), values=values, dial=dial)
    wide, high = (math.ceil(part) for part in box(name))
    picture = Image.new("RGBA", (wide + wide % 2, high + high % 2), (*theme.halo, 0))
    draw = ImageDraw.Draw(picture)
    x, y = picture.width / 2, picture.height / 2
    for part in parts(name):
        if part.kind == "dial":
            half = PIP * large / 2
            for grow, rim in ((large * RIM, True), (0.0, False)):
                for right, left in pips(name):
                    spot = (
                        x + right - half - grow,
                        y + part.down - half - grow,
                        x + right + half + grow,
                        y + part.down + half + grow,
                    )
                    if rim:
                        draw.rectangle(spot, fill=theme.halo)
                    else:
                        draw.rectangle(
                            spot, fill=colour if left else theme.paper, outline=colour, width=TIMES
                        )
            continue
        said, letters = (text, large) if part.kind == "name" else (values, round(large * VALUES))
        draw.text(
            (x, y + part.down),
            said,
            font=font("bold" if part.kind == "name" else "sans", letters),
            fill=colour if part.kind == "name" else theme.ink,
            anchor="mm",
            stroke_width=max(1, round(large * RIM)),
            stroke_fill=theme.halo,
        )
    return picture.reduce(TIMES)


def plate(name: Name, size: int, colour: Colour, theme: Theme = PARCHMENT) -> Image.Image:
    """Return a plate as a stamp, its letters so many pixels high."""
    return _drawn(name.text, name.values, name.dial, size, colour, theme)


def lead(name: Name, at: Spot, unit: float) -> tuple[Spot, Spot] | None:
    """Return the line that leads from the rim of a plate to what it names, in the units of ``name``; None
    where it stands close by.
    """
    if name.of is None:
        return None
    x, y, reach = name.of
    half, high = (part / 2 for part in box(name))
    near = (min(max(x, at[0] - half), at[0] + half), min(max(y, at[1] - high), at[1] + high))
    far = math.dist(near, (x, y))
    if far - reach < unit * LEAD:
        return None
    share = reach / far
    return near, (x + (near[0] - x) * share, y + (near[1] - y) * share)


def take_lead(plan: Plan, line: tuple[Spot, Spot], unit: float) -> None:
    """Mark the room that such a line takes, so that no later plate lies on it."""
    (ax, ay), (bx, by) = line
    step = unit * 0.12
    count = max(1, round(math.dist((ax, ay), (bx, by)) / step))
    for n in range(count + 1):
        x, y = ax + (bx - ax) * n / count, ay + (by - ay) * n / count
        plan.take(x - step / 2, y - step / 2, x + step / 2, y + step / 2, LABEL)


def draw_lead(
    picture: Image.Image, line: tuple[Spot, Spot], unit: float, colour: Colour, theme: Theme
) -> None:
    """Draw such a line."""
    ink = Ink(picture.size, line, unit * 0.1)
    for tint, wide in ((theme.halo, 0.1), (colour, 0.04)):
        ink.layer(tint).line(ink.at(line), fill=255, width=max(2, round(unit * wide * TIMES)))
    ink.done(picture)
