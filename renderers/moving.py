"""Scenes one after another as a picture that moves, for posting where pages cannot be posted: animated PNG,
WebP or GIF.

Decides how long each frame stays, and what is given up to stay below a limit in bytes: first the whole map
for the part of it where something happened, then colours, then width, and at last frames. How a file is put
together stands in ``reels``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace
from PIL import Image, ImageChops

from pbem.core.scene import Point, Scene, Trace

from . import png, text
from .focus import interest
from .frame import LEAST, Box, bounds
from .frame import MOST as WIDEST
from .hexes import COLUMN, ROW, across
from .laid import laid, times
from .lettering import plain
from .reels import REELS, Print, Reel
from .themes import PARCHMENT, Theme

Kind = Literal["apng", "webp", "gif"]

WIDTH: Final = 1000
COLUMN_WIDTH: Final = 60
"""Pixels that a column of hexes is given on a window, where the width allows it."""
LEAST_WIDTH: Final = LEAST
COLOURS: Final = (256, 128, 64)
SHARES: Final = (0.85, 0.7, 0.6, 0.5, 0.4, 0.32, 0.26)
SIZES: Final = ((14, 11), (10, 8))
"""Columns and rows of windows on where most happened."""
AIR: Final = 1300
"""Scene units round the outermost points of a window on all that happened."""
SMALLER: Final = 0.75
"""A window is worth trying if it is not more than this part of the one before it."""
QUIET, HAPPENS, EACH, MOST, END = 700, 1300, 250, 3200, 2800
"""Milliseconds: of a frame on which nothing happens, of one on which something does, more for each thing, at
most; the pause at the end.
"""
LONGEST: Final = 240_000
"""Milliseconds that the whole takes, where frames need not be shorter than ``SHORTEST`` for it."""
SHORTEST: Final = 100
TRACES: Final = 60
"""Of steps that are shown together: how much of what happened is drawn, the newest first."""


class TooLarge(Exception):
    """There is no animation of so few bytes: ``least`` are the bytes of the smallest there is."""

    def __init__(self, least: int) -> None:
        super().__init__(f"{least} bytes at least")
        self.least = least


class Cut(Struct, frozen=True):
    """One way to show it: the window (None: the whole map), pixels, colours, and how many
    steps make a frame.
    """

    box: Box | None
    width: int
    colours: int
    together: int


def animate(
    scenes: Sequence[Scene],
    kind: Kind,
    *,
    max_bytes: int | None = None,
    theme: Theme = PARCHMENT,
    crop: Box | None = None,
    width: int = WIDTH,
) -> bytes:
    """Return the scenes as a moving picture, one frame each, that carries title and alt text of the last one.

    It is never larger than ``max_bytes``; TooLarge where that cannot be done. ``crop`` shows only that
    window.
    """
    if not scenes:
        raise ValueError("no scenes")
    width = min(WIDEST, max(LEAST_WIDTH, width))
    if crop is not None:
        by = times(scenes[0])
        crop = (crop[0] * by, crop[1] * by, crop[2] * by, crop[3] * by)
    scenes = [laid(scene) for scene in scenes]
    made: bytes | None = None
    cut = None
    for cut in cuts(scenes, width, crop):
        made = _filmed(scenes, kind, cut, theme, max_bytes)
        if made is not None:
            return made
    assert cut is not None
    smallest = _filmed(scenes, kind, cut, theme, None)
    raise TooLarge(len(smallest or b""))


def cuts(scenes: Sequence[Scene], width: int, crop: Box | None = None) -> Iterator[Cut]:
    """Yield the ways to show the scenes, the best one first; what was given up stays given up."""
    boxes: list[Box | None] = [crop]
    yield Cut(crop, width, COLOURS[0], 1)
    if crop is None:
        boxes += windows(scenes)
        for box in boxes[1:]:
            assert box is not None
            yield Cut(box, _width(box, width), COLOURS[0], 1)
    box = boxes[-1]
    wide = width if box is None or box is crop else _width(box, width)
    for colours in COLOURS[1:]:
        yield Cut(box, wide, colours, 1)
    narrow = [max(LEAST_WIDTH, round(wide * share)) for share in SHARES]
    for pixels in dict.fromkeys(narrow):
        yield Cut(box, pixels, COLOURS[-1], 1)
    together = 2
    while together < 2 * (len(scenes) - 1):
        yield Cut(box, narrow[-1], COLOURS[-1], together)
        together *= 2


def _width(box: Box, width: int) -> int:
    """Return the pixels that a window is given: what its columns need, not more than the whole map would
    have.
    """
    return max(LEAST_WIDTH, min(width, round((box[2] - box[0]) / COLUMN * COLUMN_WIDTH)))


def windows(scenes: Sequence[Scene]) -> list[Box]:
    """Return windows on what happened in all the scenes, each clearly smaller than the one before: on all of
    it, then on the most of it.
    """
    last = scenes[-1]
    weights: Counter[Point] = Counter()
    for scene in scenes:
        weights.update(interest(scene))
    if not weights:
        return []
    whole = bounds(last)
    xs, ys = [x for x, _ in weights], [y for _, y in weights]
    boxes = [
        (
            max(whole[0], min(xs) - AIR),
            max(whole[1], min(ys) - AIR),
            min(whole[2], max(xs) + AIR),
            min(whole[3], max(ys) + AIR),
        )
    ]
    boxes += [_weightiest(weights, across(columns), ROW * rows, whole) for columns, rows in SIZES]
    found: list[Box] = []
    room = _room(whole)
    for box in boxes:
        if 0 < _room(box) <= room * SMALLER:
            found.append(box)
            room = _room(box)
    return found


def _weightiest(weights: Mapping[Point, int], wide: int, high: int, whole: Box) -> Box:
    """Return the window of a size, moved into the map, in which most happened."""
    wide, high = min(wide, whole[2] - whole[0]), min(high, whole[3] - whole[1])
    best, heaviest = whole, -1
    for x, y in sorted(weights):
        left = max(whole[0], min(x - wide // 2, whole[2] - wide))
        top = max(whole[1], min(y - high // 2, whole[3] - high))
        weight = sum(
            value for (px, py), value in weights.items() if left < px < left + wide and top < py < top + high
        )
        if weight > heaviest:
            best, heaviest = (left, top, left + wide, top + high), weight
    return best


def _room(box: Box) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])


def _groups(count: int, together: int) -> Iterator[range]:
    """Yield which scenes make a frame; the first, before anything has happened, is one by itself."""
    yield range(1)
    for begin in range(1, count, together):
        yield range(begin, min(count, begin + together))


def _joined(scenes: Sequence[Scene], group: range) -> Scene:
    """Return some scenes as one: how it stands after the last of them, with what happened in all of them."""
    last = scenes[group[-1]]
    if len(group) == 1:
        return last
    traces: list[Trace] = []
    changed = set()
    for number in reversed(group):
        scene = scenes[number]
        traces[:0] = scene.traces[: max(0, TRACES - len(traces))]
        changed |= {area.at for area in scene.areas if area.changed}
    areas = tuple(
        area if area.changed or area.at not in changed else replace(area, changed=True) for area in last.areas
    )
    return replace(last, traces=tuple(traces), areas=areas)


def _filmed(scenes: Sequence[Scene], kind: Kind, cut: Cut, theme: Theme, limit: int | None) -> bytes | None:
    """Return the file of one way to show it; None as soon as it is clear that it goes beyond the limit."""
    groups = list(_groups(len(scenes), cut.together))
    before = cut.colours - 1
    colours = _palette(scenes, groups, cut, theme)
    palette = Image.new("P", (1, 1))
    palette.putpalette(colours + colours[:3] * (256 - len(colours) // 3))
    known = [number if number < before else 0 for number in range(256)]
    reel: Reel | None = None
    shown: Image.Image | None = None
    durations: list[int] = []
    for group in groups:
        scene = _joined(scenes, group)
        drawn = png.still(scene, width=cut.width, crop=cut.box, theme=theme).quantize(
            palette=palette, dither=Image.Dither.NONE
        )
        numbers = Image.frombytes("L", drawn.size, drawn.tobytes()).point(known)
        if reel is None or shown is None:
            last = scenes[-1]
            reel = REELS[kind](
                Print(
                    numbers.size,
                    colours.ljust(3 * cut.colours, b"\0"),
                    before,
                    plain(last.title),
                    text.alt(last),
                )
            )
            reel.add(numbers, (0, 0))
            durations.append(lasting(scene))
        elif (box := (differs := ImageChops.difference(numbers, shown)).getbbox()) is None:
            durations[-1] += lasting(scene)  # nothing to be seen of it: what is there stays
        else:
            same = differs.crop(box).point(_SAME)
            part = numbers.crop(box)
            part.paste(before, (0, 0), same)
            reel.add(part, box[:2])
            durations.append(lasting(scene))
        shown = numbers
        if limit is not None and reel.taken > limit:
            return None
    assert reel is not None
    assert shown is not None
    made = reel.done(paced(durations), shown)
    return made if limit is None or len(made) <= limit else None


_SAME: Final = [255, *[0] * 255]
"""A table for ``Image.point``: where two pictures do not differ."""


def _palette(scenes: Sequence[Scene], groups: Sequence[range], cut: Cut, theme: Theme) -> bytes:
    """Return the colours for all frames, one fewer than there may be, from the last frame, the first and the
    busiest.
    """
    busiest = max(
        range(len(groups)), key=lambda number: sum(len(scenes[one].traces) for one in groups[number])
    )
    chosen = dict.fromkeys((len(groups) - 1, 0, busiest))
    stills = [
        png.still(_joined(scenes, groups[number]), width=cut.width, crop=cut.box, theme=theme)
        for number in chosen
    ]
    sheet = Image.new("RGB", (stills[0].width, sum(still.height for still in stills)))
    at = 0
    for still in stills:
        sheet.paste(still, (0, at))
        at += still.height
    reduced = sheet.quantize(cut.colours - 1, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    return bytes(reduced.getpalette() or ())[: 3 * (cut.colours - 1)]


def lasting(scene: Scene) -> int:
    """Return for how many milliseconds a scene is shown: longer, the more there is to see."""
    happened = len(scene.traces) + sum(area.changed for area in scene.areas)
    return QUIET if not happened else min(MOST, HAPPENS + EACH * (happened - 1))


def paced(durations: Sequence[int]) -> list[int]:
    """Return durations with the pause at the end, all shortened where the whole would take too long."""
    share = min(1.0, LONGEST / max(1, sum(durations)))
    found = [max(SHORTEST, round(ms * share)) for ms in durations]
    found[-1] += END
    return found
