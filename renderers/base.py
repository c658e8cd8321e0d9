"""The layer that stays the same from turn to turn: ground, side features, grid, hex numbers, names; kept between pictures."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Sequence

from PIL import Image, ImageDraw, ImageFilter

from pbem.core.scene import Area, Edge, Point, Scene

from .edges import draw_edges
from .frame import Frame
from .ground import paint
from .lettering import font, plain
from .masonry import draw_masonry, drops, is_masonry
from .palette import CREAM, GRID, INK, TITLE, look
from .texture import lay

TIMES = 2
KEPT = 12
_KEPT: OrderedDict[Hashable, Image.Image] = OrderedDict()


def kept(key: Hashable) -> Image.Image | None:
    """Return a picture kept under a key."""
    if key in _KEPT:
        _KEPT.move_to_end(key)
        return _KEPT[key]
    return None


def keep(key: Hashable, picture: Image.Image) -> Image.Image:
    """Keep a picture under a key; the one unused for longest goes."""
    _KEPT[key] = picture
    while len(_KEPT) > KEPT:
        _KEPT.popitem(last=False)
    return picture


def forget() -> None:
    """Forget all kept pictures."""
    _KEPT.clear()


def static_key(scene: Scene) -> Hashable:
    """Return what the static layer depends on: the scene's own key, and the looks themselves, so that a stale key does no harm."""
    return (
        scene.static_key,
        scene.seed,
        tuple((area.at, area.ground, area.centre, area.marks) for area in scene.areas),
        tuple((edge.kind, edge.at, edge.side) for edge in scene.edges),
        scene.notes,
        scene.roads,
    )


def base(scene: Scene, frame: Frame) -> Image.Image:
    """Return the static layer of a window on the scene; it must not be drawn upon."""
    key = (static_key(scene), frame)
    found = kept(key)
    if found is None:
        found = bare(scene, frame).copy()
        _write_notes(found, scene, frame)
        keep(key, found)
    return found


def bare(scene: Scene, frame: Frame) -> Image.Image:
    """Return the static layer without the names written on it, from which the legend cuts its samples."""
    key = ("bare", static_key(scene), frame)
    found = kept(key)
    return found if found is not None else keep(key, _painted(scene, frame))


def visible(scene: Scene, frame: Frame) -> tuple[Area, ...]:
    """Return the areas of which anything is in the frame."""
    found = []
    for area in scene.areas:
        x, y = frame.spot(area.centre)
        if -frame.hex * 1.2 < x < frame.width + frame.hex * 1.2 and -frame.hex * 1.2 < y < frame.height + frame.hex * 1.2:
            found.append(area)
    return tuple(found)


def _painted(scene: Scene, frame: Frame) -> Image.Image:
    areas = visible(scene, frame)
    shown = {area.at for area in areas}
    picture = paint(scene, areas, frame)
    large = picture.resize((frame.width * TIMES, frame.height * TIMES), Image.Resampling.BICUBIC)
    crests = [edge for edge in scene.edges if edge.at in shown and edge.kind == "crest"] or _brows(areas)
    draw_edges(large, crests, frame, TIMES)
    looks = {area.at: look(area.ground) for area in areas}
    others = [edge for edge in scene.edges if edge.at in shown and edge.kind != "crest"]
    walls = [edge for edge in others if is_masonry(edge, looks)] + drops(areas, others)
    _grid(large, areas, frame, {(min(edge.a, edge.b), max(edge.a, edge.b)) for edge in walls})
    draw_edges(large, [edge for edge in others if not is_masonry(edge, looks)], frame, TIMES)
    draw_masonry(large, walls, areas, frame, TIMES)
    picture = large.reduce(TIMES)
    _write_numbers(picture, areas, frame)
    return picture


def _brows(areas: Sequence[Area]) -> list[Edge]:
    """Return a crest round every hilltop, for a map that names none."""
    tops = [area for area in areas if look(area.ground) == "hill"]
    sides: dict[tuple[Point, Point], list[Area]] = {}
    for area in tops:
        for one, other in zip(area.corners, (*area.corners[1:], area.corners[0]), strict=True):
            sides.setdefault((min(one, other), max(one, other)), []).append(area)
    return [Edge("crest", found[0].at, str(pair[0]), *pair, found[0].centre) for pair, found in sides.items() if len(found) == 1]


def _grid(large: Image.Image, areas: Sequence[Area], frame: Frame, built: set[tuple[Point, Point]]) -> None:
    """Draw the sides of the hexes and their middles, but not the sides on which a castle's walls stand."""
    mask = Image.new("L", large.size, 0)
    draw = ImageDraw.Draw(mask)
    width = max(2, round(frame.hex * TIMES * 0.034))
    seen = set(built)
    for area in areas:
        for one, other in zip(area.corners, (*area.corners[1:], area.corners[0]), strict=True):
            pair = (min(one, other), max(one, other))
            if pair not in seen:
                seen.add(pair)
                draw.line(frame.spots(pair, TIMES), fill=255, width=width)
        x, y = frame.spots((area.centre,), TIMES)[0]
        draw.ellipse((x - width, y - width, x + width, y + width), fill=200)
    lay(large, GRID, mask, 0.62)


def number_size(frame: Frame) -> int:
    """Return the font size of the hex numbers, in pixels."""
    return max(9, round(frame.hex * 0.27))


def _write_numbers(picture: Image.Image, areas: Sequence[Area], frame: Frame) -> None:
    """Write each hex's number at its top edge, on a light halo that reads on woods and water."""
    face = font("sans", number_size(frame))
    halo, ink = Image.new("L", picture.size, 0), Image.new("L", picture.size, 0)
    halo_draw, ink_draw = ImageDraw.Draw(halo), ImageDraw.Draw(ink)
    for area in areas:
        x, y = frame.spot(area.centre)
        at = (round(x), round(y - frame.hex * 0.69))
        text = plain(area.at, 8)
        halo_draw.text(at, text, font=face, fill=255, anchor="mm", stroke_width=2, stroke_fill=255)
        ink_draw.text(at, text, font=face, fill=255, anchor="mm")
    lay(picture, CREAM, halo.filter(ImageFilter.GaussianBlur(0.9)), 0.66)
    lay(picture, INK, ink, 0.95)


def _write_notes(picture: Image.Image, scene: Scene, frame: Frame) -> None:
    face = font("italic", max(13, round(frame.hex * 0.5)))
    draw = ImageDraw.Draw(picture)
    for note in scene.notes:
        x, y = frame.spot(note.at)
        draw.text(
            (x, y + frame.hex * 0.61),
            plain(note.text, 60),
            font=face,
            fill=TITLE,
            anchor="mm",
            stroke_width=3,
            stroke_fill=(246, 240, 218),
        )
