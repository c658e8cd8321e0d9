"""The layer that stays the same from turn to turn: ground, side features, grid, hex numbers, names; kept
between pictures.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from PIL import Image, ImageDraw, ImageFilter, ImageFont

from pbem.core.scene import Area, Edge, Point, Scene

from .. import ways
from ..frame import Frame
from ..keeping import forget, key_of, once
from ..lettering import font, plain
from ..palette import look
from ..themes import Theme
from .edges import draw_edges
from .flat import paint_flat
from .graduation import draw_edge, draw_grid
from .ground import paint
from .masonry import draw_masonry, drops, is_masonry
from .measured import same
from .terrain import paint_terrain, print_terrain
from .texture import boxed, lay, scaled

__all__ = ["bare", "base", "forget", "number_size", "static_key", "visible"]

TIMES = 2
SOFT = 3
"""Pixels that the halo of a number reaches beyond its stroke."""
SOFTENED = ImageFilter.BoxBlur((0.25, 0))
"""Takes the steps out of slanting lines; downwards it would take three times as long again."""


def static_key(scene: Scene) -> str:
    """Return a digest of everything of a scene that enters its static layer, and of nothing that is only a
    name for it.
    """
    content = (
        scene.seed,
        tuple(
            (
                area.at,
                area.centre,
                area.corners,
                area.ground,
                area.height,
                area.building,
                area.marks,
                area.passable,
                area.angle,
            )
            for area in scene.areas
        ),
        scene.measure,
        scene.edges,
        scene.notes,
        scene.roads,
    )
    return key_of(content)


def base(scene: Scene, frame: Frame) -> Image.Image:
    """Return the static layer of a window on the scene; it must not be drawn upon."""

    def written() -> Image.Image:
        picture = bare(scene, frame).copy()
        _write_notes(picture, scene, frame)
        return picture

    return once(("base", static_key(scene), frame), written, size=(frame.width, frame.height))


def bare(scene: Scene, frame: Frame) -> Image.Image:
    """Return the static layer without the names written on it, from which the legend cuts its samples."""
    key = ("bare", static_key(scene), frame)
    return once(key, lambda: _painted(scene, frame), size=(frame.width, frame.height), lasting=True)


def visible(scene: Scene, frame: Frame) -> tuple[Area, ...]:
    """Return the areas of which anything is in the frame."""
    found = []
    for area in scene.areas:
        x, y = frame.spot(area.centre)
        if (
            -frame.hex * 1.2 < x < frame.width + frame.hex * 1.2
            and -frame.hex * 1.2 < y < frame.height + frame.hex * 1.2
        ):
            found.append(area)
    return tuple(found)


def _painted(scene: Scene, frame: Frame) -> Image.Image:
    if not frame.grid:
        return _table(scene, frame)
    areas = visible(scene, frame)
    shown = {area.at for area in areas}
    if frame.theme.painted:
        picture = paint(scene, areas, frame).filter(SOFTENED)
    else:
        picture = paint_flat(scene, areas, frame, TIMES).reduce(TIMES)
    crests = [edge for edge in scene.edges if edge.at in shown and edge.kind == "crest"] or brows(areas)
    for large, near in _enlarged(picture, crests, frame):
        draw_edges(large, crests, near, TIMES)
    looks = {area.at: look(area.ground) for area in areas}
    others = [edge for edge in scene.edges if edge.at in shown and edge.kind != "crest"]
    walls = [edge for edge in others if is_masonry(edge, looks)] + drops(areas, others)
    _grid(picture, areas, frame, {(min(edge.a, edge.b), max(edge.a, edge.b)) for edge in walls})
    for large, near in _enlarged(picture, [*others, *walls], frame):
        draw_edges(large, [edge for edge in others if not is_masonry(edge, looks)], near, TIMES)
        draw_masonry(large, walls, areas, near, TIMES)
    _write_numbers(picture, areas, frame)
    return picture


def _enlarged(
    picture: Image.Image, edges: Sequence[Edge], frame: Frame
) -> Iterator[tuple[Image.Image, Frame]]:
    """Yield, where there are edges, the part of a picture on which they stand, ``TIMES`` as large, with its
    frame; what is drawn on it is reduced and pasted back.
    """
    if not edges:
        return
    spots = frame.spots(end for edge in edges for end in (edge.a, edge.b))
    box = boxed(picture.size, spots, frame.hex)
    piece = picture.crop(box)
    near = frame.part(*box[:2], *piece.size)
    # each pixel becomes four that are the same, so that where nothing is drawn it comes back as it was
    large = piece.resize((piece.width * TIMES, piece.height * TIMES), Image.Resampling.NEAREST)
    yield large, near
    picture.paste(large.reduce(TIMES), box)


def _table(scene: Scene, frame: Frame) -> Image.Image:
    """Paint a table, or a map without a grid: its areas, what stands on their sides, and its edge."""
    areas = scene.areas
    if frame.theme.painted:
        large = paint_terrain(scene, areas, frame).resize(
            (frame.width * TIMES, frame.height * TIMES), Image.Resampling.BICUBIC
        )
    else:
        large = print_terrain(scene, areas, frame, TIMES)
    mask = Image.new("L", large.size, 0)
    draw = ImageDraw.Draw(mask)
    for area in areas:
        spots = frame.spots(area.corners, TIMES)
        if spots:
            width = max(2, round(frame.hex * TIMES * 0.05))
            draw.line([*spots, *spots[:2]], fill=255, width=width, joint="curve")
    lay(large, frame.theme.grid, mask, frame.theme.grid_share)
    draw_edges(large, scene.edges, frame, TIMES)
    draw_grid(large, scene, frame, TIMES)
    picture = large.reduce(TIMES)
    draw_edge(picture, scene, frame)
    return picture


def brows(areas: Sequence[Area]) -> list[Edge]:
    """Return a crest round every hilltop, for a map that names none."""
    tops = [area for area in areas if look(area.ground) == "hill"]
    sides: dict[tuple[Point, Point], list[Area]] = {}
    for area in tops:
        for one, other in zip(area.corners, (*area.corners[1:], area.corners[0]), strict=True):
            sides.setdefault((min(one, other), max(one, other)), []).append(area)
    return [
        Edge("crest", found[0].at, str(pair[0]), *pair, found[0].centre)
        for pair, found in sides.items()
        if len(found) == 1
    ]


def _grid(picture: Image.Image, areas: Sequence[Area], frame: Frame, built: set[tuple[Point, Point]]) -> None:
    """Draw the sides of the hexes and their middles, but not the sides on which a castle's walls stand."""
    mask = Image.new("L", (picture.width * TIMES, picture.height * TIMES), 0)
    draw = ImageDraw.Draw(mask)
    width = max(2, round(frame.hex * TIMES * 0.034))
    for line in _joined(ways.sides_once(areas, built)):
        draw.line(frame.spots(line, TIMES), fill=255, width=width)
    for area in areas:
        x, y = frame.spots((area.centre,), TIMES)[0]
        draw.ellipse((x - width, y - width, x + width, y + width), fill=200)
    lay(picture, frame.theme.grid, mask.reduce(TIMES), frame.theme.grid_share)


def _joined(sides: Iterable[tuple[Point, Point]]) -> Iterator[list[Point]]:
    """Yield sides that follow one another as one line, which is drawn in the time of one side."""
    line: list[Point] = []
    for one, other in sides:
        if len(line) == 2 and line[0] in (one, other):
            line.reverse()
        if line and line[-1] in (one, other):
            line.append(other if line[-1] == one else one)
        else:
            if line:
                yield line
            line = [one, other]
    if line:
        yield line


def number_size(frame: Frame) -> int:
    """Return the font size of the hex numbers, in pixels: where a hex is large there are few, and the reader
    may have a telephone.
    """
    return max(9, round(frame.hex * (0.27 if frame.hex < 50 else 0.3)))


def _write_numbers(picture: Image.Image, areas: Sequence[Area], frame: Frame) -> None:
    """Write each hex's number at its top edge, on a light halo that reads on woods and water."""
    face = font("sans", number_size(frame))
    lettered: dict[tuple[str, str], tuple[int, int, Image.Image]] = {}
    for area in areas:
        x, y = frame.spot(area.centre)
        x, y = round(x), round(y - frame.hex * 0.69)
        text = plain(area.at, 8)
        # columns and rows are few, and all digits of the face are of one width
        split = len(text) == 4 and text.isdecimal() and text.isascii()
        for part, anchor in ((text[:2], "rm"), (text[2:], "lm")) if split else ((text, "mm"),):
            if (part, anchor) not in lettered:
                lettered[part, anchor] = _haloed(face, part, anchor, frame.theme)
            right, down, letters = lettered[part, anchor]
            picture.paste(letters, (x + right, y + down), letters)


def _haloed(
    face: ImageFont.FreeTypeFont, text: str, anchor: str, theme: Theme
) -> tuple[int, int, Image.Image]:
    """Return a text in ink on a soft light halo, and how far from its anchor it lies; a half ends there, so
    that it does not cover the other one.
    """
    (left, top, wide), (inner, upper, ink) = (_lettered(face, text, anchor, rim) for rim in (2, 0))
    left, top, size = left - SOFT, top - SOFT, (wide.width + 2 * SOFT, wide.height + 2 * SOFT)
    found = Image.new("RGBA", size, (*theme.paper, 0))
    halo, letters = Image.new("L", size, 0), Image.new("L", size, 0)
    halo.paste(wide, (SOFT, SOFT))
    letters.paste(ink, (inner - left, upper - top))
    found.putalpha(halo.filter(ImageFilter.GaussianBlur(0.9)).point(scaled(theme.number_share)))
    above = Image.new("RGBA", size, (*theme.ink, 0))
    above.putalpha(letters.point(scaled(0.95)))
    found.alpha_composite(above)
    if anchor == "rm":
        return left, top, found.crop((0, 0, -left, found.height))
    if anchor == "lm":
        return 0, top, found.crop((-left, 0, *found.size))
    return left, top, found


def _lettered(
    face: ImageFont.FreeTypeFont, text: str, anchor: str, wide: int
) -> tuple[int, int, Image.Image]:
    """Return a text as a mask, with a stroke so wide round it, and how far from its anchor it lies."""
    left, top, right, low = map(round, face.getbbox(text, anchor=anchor, stroke_width=wide))
    mask = Image.new("L", (max(1, right - left), max(1, low - top)), 0)
    ImageDraw.Draw(mask).text(
        (-left, -top), text, font=face, fill=255, anchor=anchor, stroke_width=wide, stroke_fill=255
    )
    return left, top, mask


def _write_notes(picture: Image.Image, scene: Scene, frame: Frame) -> None:
    face = font("italic", max(13, round(frame.hex * 0.5)))
    draw = ImageDraw.Draw(picture)
    for note in scene.notes:
        if not frame.grid and any(same(note.text, area.at) for area in scene.areas):
            continue  # an area without a number has its name written where there is room
        x, y = frame.spot(note.at)
        draw.text(
            (x, y + frame.hex * 0.61),
            plain(note.text, 60),
            font=face,
            fill=frame.theme.title,
            anchor="mm",
            stroke_width=3,
            stroke_fill=frame.theme.halo,
        )
