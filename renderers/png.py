"""A scene as a PNG picture: the whole map with its furniture, or a window on it that reads on a telephone."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Hashable, Iterator

from msgspec import Struct
from msgspec.structs import replace
from PIL import Image, ImageDraw, PngImagePlugin

from pbem.core.scene import Scene

from . import levels, placing, text
from .focus import focus
from .frame import LEAST, MOST, WIDTH, Box, Frame, bounds, whole, window
from .hexes import across
from .keeping import once
from .laid import free, laid, times
from .lettering import fitted, font, plain
from .painted import album
from .painted.action import draw_action
from .painted.base import bare, base, static_key, visible
from .painted.figures import storeys
from .painted.furniture import head_height, legend, write_head
from .painted.ground import page
from .themes import PARCHMENT, Theme

CROP_WIDTH = 720
CROP_BYTES = 130_000
SMALL_WIDTH = 640
GAP = 8
GROWN = 1.1
"""How much larger counters are on a window, where there are few of them and the reader has a telephone."""
COLOURS = 192
STEP, SAMPLED = 16, 3
"""How far apart tints are that are told apart, of 256; of which pixels, each way, the colours are chosen."""
SQUEEZES = ((COLOURS, 1.0), (128, 1.0), (64, 1.0), (64, 0.9), (64, 0.8), (64, 0.6), (32, 0.5))
"""Colours and share of the width, from the best picture to the smallest."""
QUICK, SMALL = 4, 6
"""zlib's level for a PNG, and for one that must not be larger than so many bytes: the second takes twice as
long over a map and makes it a twentieth smaller.
"""
PIXELS = 24_000_000
"""That a picture has at most; a map that is very high becomes narrower for it.

Painting takes some 25 bytes for each.
"""
FINE = 17.0
"""Pixels from the centre of a hex to its corner, below which a map is drawn larger and then made smaller, so
that all of it shrinks.
"""


class Crop(Struct, frozen=True):
    """A window on the map: its box in scene units, its PNG, and one sentence for the alt text."""

    box: Box
    png: bytes
    alt: str


def picture(
    scene: Scene, *, width: int = WIDTH, crop: Box | None = None, theme: Theme = PARCHMENT
) -> Image.Image:
    """Return the scene as an RGB picture; ``crop`` is a box in scene units and leaves title
    and legend out.
    """
    scene, crop = laid(scene), _crop(scene, crop)
    if crop is not None:
        return _shrunk(scene, width, crop, theme, lambda frame: _map(scene, frame, GROWN))

    def sheet(frame: Frame) -> Image.Image:
        above = _head(scene, frame)
        strip, floors = _legend(scene, frame, margin_of(frame.width)), _levels(scene, frame)
        parts = [above, _map(scene, frame), *floors, strip]
        found = Image.new("RGB", (frame.width, sum(part.height for part in parts)))
        at = 0
        for part in parts:
            found.paste(part, (0, at))
            at += part.height
        return found

    return _shrunk(scene, width, None, theme, sheet)


def still(scene: Scene, *, width: int, crop: Box | None = None, theme: Theme = PARCHMENT) -> Image.Image:
    """Return the map or a window on it below its title, without the legend: of one size for all scenes of a
    map.
    """
    scene, crop = laid(scene), _crop(scene, crop)

    def sheet(frame: Frame) -> Image.Image:
        above = _head(scene, frame)
        found = Image.new("RGB", (frame.width, above.height + frame.height))
        found.paste(above, (0, 0))
        found.paste(_map(scene, frame, GROWN if crop is not None else 1.0), (0, above.height))
        return found

    return _shrunk(scene, width, crop, theme, sheet)


def _crop(scene: Scene, crop: Box | None) -> Box | None:
    """Return a window on a scene as it lies on the scene that is drawn."""
    by = times(scene)
    return None if crop is None else (crop[0] * by, crop[1] * by, crop[2] * by, crop[3] * by)


def _shrunk(
    scene: Scene, width: int, crop: Box | None, theme: Theme, draw: Callable[[Frame], Image.Image]
) -> Image.Image:
    """Return what is drawn for a width: drawn larger by a whole number where hexes would be too small for
    that, and then reduced.
    """
    width = _bounded(scene, min(MOST, max(LEAST, width)), crop)
    frame = framed(scene, width, crop, theme)
    room = math.isqrt(PIXELS // (frame.width * frame.height))
    larger = max(1, min(math.ceil(FINE / frame.hex), WIDTH // width, room))
    return draw(frame) if larger == 1 else draw(framed(scene, width * larger, crop, theme)).reduce(larger)


def _bounded(scene: Scene, width: int, crop: Box | None) -> int:
    """Return a width at which the picture is not larger than it may be."""
    left, top, right, bottom = bounds(scene) if crop is None else crop
    high = width * max(1, bottom - top) / max(1, right - left)
    return width if width * high <= PIXELS else max(1, int(width * (PIXELS / (width * high)) ** 0.5))


def framed(scene: Scene, width: int, crop: Box | None, theme: Theme) -> Frame:
    """Return the frame of the whole map, or of a window on it."""
    return (
        whole(scene, width, margin_of(width), theme)
        if crop is None
        else window(crop, width, theme, not free(scene))
    )


def margin_of(width: int) -> int:
    """Return the pixels that are left free on each side of a map."""
    return max(8, round(width * 0.016))


def _map(scene: Scene, frame: Frame, grow: float = 1.0) -> Image.Image:
    found = base(scene, frame).copy()
    draw_action(found, scene, frame, grow)
    album.lay_down()
    return found


def _levels(scene: Scene, frame: Frame) -> Iterator[Image.Image]:
    """Yield a strip of windows on storeys that lie above one another, each with its words over it."""
    margin, theme = margin_of(frame.width), frame.theme
    shown = levels.panels(scene)
    for at in range(0, len(shown), levels.ROW):
        row = shown[at : at + levels.ROW]
        count = min(len(shown), levels.ROW)
        wide = (frame.width - margin * (count + 1)) // count
        size = max(9, round(frame.width / 64))
        drawn = [_map(one.scene, window(one.box, wide, theme, not free(scene)), GROWN) for one in row]
        high = max(one.height for one in drawn) + 2 * size
        strip = _page(scene, theme, frame.width, high + margin).crop((0, 0, frame.width, high + margin))
        pen = ImageDraw.Draw(strip)
        for number, (one, image) in enumerate(zip(row, drawn, strict=True)):
            left = margin + number * (wide + margin)
            said, fit = fitted(one.title, "bold", size, wide, 8)
            pen.text((left, size // 3), said, theme.title, font("bold", fit))
            strip.paste(image, (left, 2 * size))
        yield strip


def _head(scene: Scene, frame: Frame) -> Image.Image:
    strip = _page(scene, frame.theme, frame.width, head_height(frame.width)).copy()
    write_head(strip, scene, margin_of(frame.width), frame.theme)
    return strip


def _page(scene: Scene, theme: Theme, width: int, height: int) -> Image.Image:
    return once(
        ("page", scene.seed, theme, width, height),
        lambda: page(width, height, f"{scene.seed}/{height}", theme),
        size=(width, height),
    )


def _legend(scene: Scene, frame: Frame, margin: int) -> Image.Image:
    key: Hashable = (
        "legend",
        static_key(scene),
        frame,
        scene.sides,
        scene.scale,
        tuple(sorted(scene.grounds.items())),
        tuple(sorted({trace.kind for trace in scene.traces})),
        tuple(sorted({trace.side for trace in scene.traces} | {token.side for token in scene.tokens})),
        tuple(sorted({(token.look, token.state) for token in scene.tokens})),
        (scene.cell, scene.values),
        tuple(sorted({word for token in scene.tokens for word in token.badges})),
        tuple(sorted({(token.symbol, token.side) for token in scene.tokens if len(token.cells) > 1})),
        tuple(sorted({(thing.kind, thing.stands) for thing in scene.things if thing.cells})),
        tuple(sorted({feature.kind for feature in scene.features})),
        tuple(sorted({(region.kind, region.sides) for region in scene.regions})),
        tuple(sorted(set(storeys(scene).values()))),
        any(token.weight for token in scene.tokens),
        any(area.changed for area in scene.areas),
        scene.measure,
        tuple(sorted({(token.side, str(token.form)) for token in scene.tokens if token.form})),
        any(token.facing is not None for token in scene.tokens),
        tuple(sorted({(thing.kind, thing.ground, thing.stands) for thing in scene.things if thing.form})),
    )
    return once(
        key,
        lambda: legend(scene, bare(scene, frame), frame, _page(scene, frame.theme, frame.width, 700), margin),
        size=(frame.width, None),
        lasting=True,
    )


def encode(
    image: Image.Image,
    title: str = "",
    alt: str = "",
    description: str = "",
    colours: int = COLOURS,
    effort: int = QUICK,
) -> bytes:
    """Return a PNG of at most ``colours`` colours that carries title, alt text and description as iTXt
    chunks; ``effort`` is zlib's level.
    """
    notes = PngImagePlugin.PngInfo()
    for key, value in (("Title", title), ("Alt", alt), ("Description", description)):
        if value:
            notes.add_itxt(key, value, lang="en", zip=len(value) > 400)
    out = io.BytesIO()
    few(image, colours).save(out, "PNG", pnginfo=notes, compress_level=effort)
    return out.getvalue()


def few(image: Image.Image, colours: int) -> Image.Image:
    """Return an RGB picture in at most so many colours, chosen from a part of its pixels; each pixel has the
    nearest to its tint.

    Tints are told apart in steps of ``STEP``, as by the octree that chooses the colours: finer ones would
    make a tenth more bytes that nobody sees. The octree alone takes twice as long, for it looks at all pixels
    twice, and gives each the colour of its branch, which is seldom a nearer one.
    """
    sample = image.resize(
        (max(1, image.width // SAMPLED), max(1, image.height // SAMPLED)), Image.Resampling.NEAREST
    )
    palette = sample.quantize(colours, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    tints = [value - value % STEP + STEP // 2 for value in range(256)] * len(image.getbands())
    return image.point(tints).quantize(palette=palette, dither=Image.Dither.NONE)


def render(
    scene: Scene,
    *,
    width: int = WIDTH,
    crop: Box | None = None,
    limit: int | None = None,
    theme: Theme = PARCHMENT,
) -> bytes:
    """Return the scene as a PNG; ``crop`` (left, top, right, bottom in scene units) shows only that window,
    without furniture.

    With a ``limit`` in bytes (forums have one) colours are given up first, then pixels, until the picture is
    below it or tiny.
    """
    return squeezed(
        picture(scene, width=width, crop=crop, theme=theme),
        limit,
        plain(scene.title),
        text.alt(scene),
        text.describe(scene),
    )


def squeezed(image: Image.Image, limit: int | None, title: str, alt: str, description: str = "") -> bytes:
    """Return a picture as the best PNG that is not above a limit in bytes; the smallest there is where none
    is.
    """
    best = b""
    for colours, share in SQUEEZES:
        smaller = image
        if share != 1:
            smaller = image.resize(
                (round(image.width * share), round(image.height * share)), Image.Resampling.LANCZOS
            )
        best = encode(smaller, title, alt, description, colours, QUICK if limit is None else SMALL)
        if limit is None or len(best) <= limit:
            break
    return best


def reduced(data: bytes, width: int, limit: int, alt: str = "") -> bytes:
    """Return a PNG that was drawn before, no wider and no larger in bytes than asked; as it is where it fits
    already.
    """
    drawn = Image.open(io.BytesIO(data))
    if drawn.width <= width and len(data) <= limit:
        return data
    image = drawn.convert("RGB")
    if image.width > width:
        image = image.resize((width, round(image.height * width / image.width)), Image.Resampling.LANCZOS)
    return squeezed(image, limit, "", alt)


def render_crops(
    scene: Scene, *, width: int = CROP_WIDTH, most: int = 3, limit: int = CROP_BYTES, theme: Theme = PARCHMENT
) -> list[Crop]:
    """Return windows on what happened, at most ``most``, each of at most ``limit`` bytes."""
    found = []
    by, scene = times(scene), laid(scene)
    for box in focus(scene, most=most):
        said = crop_alt(scene, box)
        found.append(
            Crop(
                (box[0] // by, box[1] // by, box[2] // by, box[3] // by),
                squeezed(picture(scene, width=width, crop=box, theme=theme), limit, plain(scene.title), said),
                said,
            )
        )
    return found


def render_small(
    scene: Scene, *, columns: int = 10, width: int = SMALL_WIDTH, most: int = 2, limit: int = CROP_BYTES
) -> bytes:
    """Return one small picture of what happens: windows below one another, ``width`` pixels for ``columns``
    columns of hexes.

    They are cut from one ground of the whole map, which is painted once; after that the picture takes a
    twentieth of a second.
    """
    scene = laid(scene)
    left, top, right, bottom = bounds(scene)
    scale = width / across(columns)
    ground = Frame(
        scale, left, top, max(1, round((right - left) * scale)), max(1, round((bottom - top) * scale))
    )
    ground = replace(ground, grid=not free(scene))
    windows = []
    for box in focus(scene, most=most):
        x, y = round((box[0] - left) * scale), round((box[1] - top) * scale)
        wide, high = round((box[2] - box[0]) * scale), round((box[3] - box[1]) * scale)
        drawn = base(scene, ground).crop((x, y, x + wide, y + high))
        draw_action(
            drawn,
            scene,
            replace(ground, left=left + x / scale, top=top + y / scale, width=wide, height=high),
            GROWN,
        )
        windows.append(drawn)
    if not windows:
        return b""
    sheet = Image.new(
        "RGB",
        (max(one.width for one in windows), sum(one.height for one in windows) + GAP * (len(windows) - 1)),
        (255, 255, 255),
    )
    at = 0
    for drawn in windows:
        sheet.paste(drawn, ((sheet.width - drawn.width) // 2, at))
        at += drawn.height + GAP
    return squeezed(sheet, limit, plain(scene.title), text.alt(scene), text.describe(scene))


def crop_alt(scene: Scene, box: Box) -> str:
    """Return one sentence of at most 140 characters that says what a window shows."""
    if scene.measure is not None:
        shown = ", ".join(
            token.id
            for token in scene.tokens
            if token.look != "out"
            and token.cells
            and box[0] <= token.cells[0][0] <= box[2]
            and box[1] <= token.cells[0][1] <= box[3]
        )
        corners = (placing.from_edges(scene.measure, point) for point in ((box[0], box[3]), (box[2], box[1])))
        return plain(f"Detail, {' to '.join(corners)}: {shown or 'no figures'}", text.ALT_LIMIT)
    numbers = [
        area.at
        for area in visible(scene, window(box, CROP_WIDTH))
        if box[0] <= area.centre[0] <= box[2] and box[1] <= area.centre[1] <= box[3]
    ]
    if not numbers:
        return plain(f"Detail of the map: {scene.title}", text.ALT_LIMIT)
    names = [
        token.id
        for token in scene.tokens
        if token.look != "out"
        and token.cells
        and box[0] <= token.cells[0][0] <= box[2]
        and box[1] <= token.cells[0][1] <= box[3]
    ]
    return plain(
        f"Detail, {scene.cell[1] or 'places'} {numbers[0]} to {numbers[-1]}: "
        f"{', '.join(names) or 'no figures'}",
        text.ALT_LIMIT,
    )
