"""What stands round the map: title, compass, legend of what occurs, scale bar."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct
from PIL import Image, ImageChops, ImageDraw

from pbem.core.scene import DOWN, HURT, OUT, UP, Area, Circle, Edge, Scene, SideLook

from ..frame import Frame, Spot
from ..hexes import RADIUS, REACH, ROW
from ..lettering import fitted, font, plain, width, written
from ..palette import WHITE, Colour, look
from ..themes import PARCHMENT, Theme
from . import action, bases, counters, engines, figures, graduation, long_counters, regions, sections, works
from .edges import ORDER, draw_edges
from .masonry import castle_look, draw_masonry, is_masonry

TIMES = 2
TRACE_WORDS = (
    ("move", "moved"),
    ("advance", "advanced"),
    ("retreat", "fell back"),
    ("enter", "entered"),
    ("leave", "left"),
    ("flee", "fled"),
    ("lead", "was led"),
    ("dismount", "dismounted"),
    ("thrown", "thrown"),
    ("fall", "fell from a height"),
    ("roll", "engine moved"),
    ("shot", "shot"),
    ("throw", "thrown, over its aim"),
    ("strike", "wall struck"),
    ("fight", "fight"),
)
BADGE_WORDS = {
    "shot": "has shot",
    "fought": "has fought",
    "job": "at work",
    "leads": "leads an animal",
    "hitched": "in harness",
    "hidden": "in hiding",
}
EDGE_WORDS = {
    "low-wall": "low wall",
    "crest": "edge, falls to the strokes",
    "slit": "arrow slit",
    "gate": "gateway",
    "arch": "archway",
}
FIGURES = (("mounted", "rider, head in front"), ("horse", "horse"), ("wagon", "wagon"))
"""Counters over two hexes that the legend explains."""
THINGS = (
    ("drawbridge", "lowered", "drawbridge, down"),
    ("drawbridge", "raised", "drawbridge, up"),
    ("door", "open", "door, open"),
    ("door", "closed", "door, closed"),
    ("door", "broken", "door, broken"),
    ("gate", "open", "gate, open"),
    ("gate", "closed", "gate, closed"),
    ("gate", "broken", "gate, broken"),
    ("bridge", "", "bridge"),
    ("bridge", "destroyed", "bridge, destroyed"),
    ("scaffold", "", "scaffold"),
    ("hoarding", "", "hoarding"),
    ("gangway", "", "bridge of a siege tower"),
    ("mine", "", "mine"),
    ("shaft", "", "shaft of a mine"),
    ("winch", "", "winch"),
    ("ladder", "raised", "ladder, upright"),
    ("ladder", "", "ladder"),
    ("siege-tower", "", "siege tower, arrow in front"),
    ("ram", "", "ram, arrow in front"),
    ("penthouse", "", "penthouse, arrow in front"),
    ("ballista", "", "ballista, turns loaded"),
    ("trebuchet", "", "trebuchet"),
    ("mangonel", "", "mangonel"),
    ("mantlet", "", "mantlet"),
    ("oil", "", "barrel of oil"),
    ("cauldron", "", "cauldron of oil"),
    ("stones", "", "stones to throw"),
    ("fascine", "", "fascine"),
)
"""Things that the legend explains: kind, how it stands (empty: in any other way), words."""
FEATURES = (
    ("filled", "moat filled in"),
    ("rubble", "rubble"),
    ("wall", "damage, steps of 4"),
    ("fire", "fire, turns so far"),
    ("burnt", "burnt out"),
    ("charred", "burnt through"),
    ("stripped", "platform destroyed"),
)
DRAWN = 2800
"""The hex radius, in hundredths of a pixel, with which things are drawn for the legend, before they are made
as small as a line of it.
"""
FACING = "faces the way of its point"
STOREYS = {"above": "on the platform", "inside": "inside, under the roof", "below": "underground"}


class Entry(Struct, frozen=True):
    """One line of the legend: a small picture and its words."""

    picture: Image.Image
    words: str


def head_height(width_: int) -> int:
    """Return the pixels that title and subtitle take."""
    return max(34, round(width_ * 0.046))


@lru_cache(maxsize=8)
def compass(size: int, theme: Theme = PARCHMENT) -> Image.Image:
    """Return a compass rose that points north."""
    full = size * 4
    picture = Image.new("RGBA", (full, full), (0, 0, 0, 0))
    draw = ImageDraw.Draw(picture)
    middle = full * 0.63
    for start, reach, side in ((45, 0.19, 0.057), (0, 0.345, 0.09)):
        for quarter in range(4):
            angle = math.radians(start + 90 * quarter)
            tip = (full / 2 + math.sin(angle) * full * reach, middle - math.cos(angle) * full * reach)
            for sign in (-1, 1):
                foot_angle = angle + sign * math.radians(45)
                foot = (
                    full / 2 + math.sin(foot_angle) * full * side,
                    middle - math.cos(foot_angle) * full * side,
                )
                draw.polygon(
                    [(full / 2, middle), tip, foot],
                    fill=theme.title if sign > 0 else theme.page,
                    outline=theme.title,
                    width=4,
                )
    draw.text(
        (full / 2, full * 0.165), "N", font=font("title", round(full * 0.22)), fill=theme.title, anchor="mm"
    )
    return picture.reduce(4)


def write_head(picture: Image.Image, scene: Scene, margin: int, theme: Theme = PARCHMENT) -> None:
    """Write title and subtitle on one line, shrunk and cut to the room there is."""
    high = head_height(picture.width)
    draw = ImageDraw.Draw(picture)
    rose = round(high * 0.92)
    room = picture.width - 2 * margin - rose - 8
    text, size = fitted(
        written(plain(scene.title, 120), "title"), "title", round(high * 0.6), room * 0.62, 12
    )
    base = round(high * 0.66)
    draw.text((margin, base), text, font=font("title", size), fill=theme.title, anchor="ls")
    used = width(text, "title", size) + high * 0.35
    words, small = fitted(plain(scene.subtitle, 160), "italic", round(high * 0.4), room - used, 10)
    draw.text((margin + used, base), words, font=font("italic", small), fill=theme.faded, anchor="ls")
    figures.stamp(picture, compass(rose, theme), picture.width - margin - rose / 2, high * 0.47)
    draw.line((margin, high - 5, picture.width - margin, high - 5), fill=theme.faded, width=1)


def _swatch(
    ground: Image.Image, centre: Spot, unit: float, size: int, back: Image.Image, theme: Theme
) -> Image.Image:
    """Return a hex cut out of the map itself."""
    r = unit * 0.78
    box = (round(centre[0] - r), round(centre[1] - r * 0.62), round(centre[0] + r), round(centre[1] + r))
    patch = ground.crop(box).resize(
        (size, round(size * (box[3] - box[1]) / max(1, box[2] - box[0]))), Image.Resampling.LANCZOS
    )
    mask = Image.new("L", (patch.width * 2, patch.height * 2), 0)
    ImageDraw.Draw(mask).rounded_rectangle(
        (0, 0, patch.width * 2 - 1, patch.height * 2 - 1), size * 0.3, fill=255
    )
    edge = Image.new("RGB", patch.size, theme.ink)
    soft = mask.reduce(2)
    sheet = back.crop((0, 0, *patch.size))
    sheet.paste(edge, (0, 0), soft)
    inner = Image.new("L", (patch.width * 2, patch.height * 2), 0)
    ImageDraw.Draw(inner).rounded_rectangle(
        (3, 3, patch.width * 2 - 4, patch.height * 2 - 4), size * 0.28, fill=255
    )
    sheet.paste(patch, (0, 0), inner.reduce(2))
    return sheet


def entries(scene: Scene, ground: Image.Image, frame: Frame, unit: int, back: Image.Image) -> list[Entry]:
    """Return the legend: only sides, traces, states, badges and grounds that occur in the scene."""
    found: list[Entry] = []
    theme = frame.theme
    used = {token.side for token in scene.tokens} | {trace.side for trace in scene.traces}
    for side in scene.sides:
        if side.side in used or not scene.tokens:
            face = _face(scene, side, unit, theme)
            found.append(Entry(_on(back, face), plain(side.name or side.side, 40)))
    for kind, words in regions.WORDS:
        if shown := [one for one in scene.regions if one.kind == kind]:
            sample = regions.sample(kind, unit, back, regions.colour_of(shown[0], scene, theme), theme)
            found.append(Entry(sample, words))
    kinds = {trace.kind for trace in scene.traces}
    colour = theme.side(scene.sides[0].colour if scene.sides else "grey")
    for kind, words in TRACE_WORDS:
        if kind in kinds:
            found.append(Entry(action.sample(kind, colour, unit, back, theme), words))
    found += _on_tables(scene, unit, back, theme)
    if any(area.changed for area in scene.areas):
        found.append(Entry(action.rim_sample(unit, back, False, theme), "changed"))
    states = {token.look for token in scene.tokens}
    badges = {word for token in scene.tokens for word in token.badges}
    for how in (HURT, DOWN):
        if how in states:
            found.append(
                Entry(_on(back, counters.badge(how, round(unit * 0.8), theme)), state_words(scene, how))
            )
    if OUT in states or any(token.weight for token in scene.tokens):
        found.append(
            Entry(
                _on(back, counters.pile(1, round(unit * 0.9), theme)), f"{state_words(scene, OUT)}, how many"
            )
        )
    for symbol, words in FIGURES:
        token = next(
            (
                each
                for each in scene.tokens
                if each.symbol == symbol and len(each.cells) > 1 and each.look != "out"
            ),
            None,
        )
        if token is not None:
            look_ = counters.look_of(scene.sides, token.side)
            face = long_counters.long_body(
                look_.shape, look_.colour, "", symbol, (), UP, round(unit * 62), -30, theme
            )
            found.append(Entry(_on(back, face.crop(face.getbbox())), words))
    for word in sorted(badges):
        found.append(
            Entry(
                _on(back, counters.badge(word, round(unit * 0.8), theme)),
                BADGE_WORDS.get(word, plain(word, 20)),
            )
        )
    found += _built(scene, unit, back, theme)
    seen: set[str] = set()
    on_sides = {EDGE_WORDS.get(edge.kind, edge.kind) for edge in scene.edges}
    busy = {cell for token in scene.tokens for cell in token.cells}
    for area in sorted(scene.areas, key=lambda each: (each.centre in busy, each.at)):
        words = plain(area.name or scene.grounds.get(area.ground, "") or area.ground, 30)
        if castle_look(area) and words in on_sides:
            continue  # the floor behind an arrow slit looks like the floor of its tower
        if look(area.ground) != "flat" and words and words not in seen:
            seen.add(words)
            found.append(
                Entry(
                    _swatch(ground, frame.spot(area.centre), frame.hex, round(unit * 1.2), back, theme), words
                )
            )
    looks = {area.at: look(area.ground) for area in scene.areas}
    for kind in ORDER:
        here = [edge for edge in scene.edges if edge.kind == kind]
        if here:
            castle = next((looks[edge.at] for edge in here if is_masonry(edge, looks)), "")
            found.append(Entry(edge_sample(kind, unit, back, castle, theme), EDGE_WORDS.get(kind, kind)))
    return found


def _face(scene: Scene, side: SideLook, unit: int, theme: Theme) -> Image.Image:
    """Return the sample of a side: a base where its figures stand on such, or a counter."""
    token = next((each for each in scene.tokens if each.side == side.side and each.form is not None), None)
    if token is not None:
        return bases.base(Circle(100), side.shape, side.colour, token.symbol, UP, None, unit / 160, theme)
    return counters.body(
        side.shape,
        side.colour,
        "name",
        sample_symbol(scene, side.side),
        initials(scene),
        UP,
        round(unit * 95),
        theme,
    )


def _on_tables(scene: Scene, unit: int, back: Image.Image, theme: Theme) -> list[Entry]:
    """Return the entries of what only a table has: where figures look, and pieces of building."""
    found = []
    token = next((each for each in scene.tokens if each.form and each.facing is not None), None)
    if token is not None:
        look_ = counters.look_of(scene.sides, token.side)
        face = bases.base(Circle(100), look_.shape, look_.colour, token.symbol, UP, 900, unit / 190, theme)
        found.append(Entry(_on(back, face), FACING))
    for thing in sections.kinds(scene):
        found.append(Entry(_on(back, bases.sample(thing, unit, theme)), plain(sections.words_of(thing), 30)))
    return found


def _built(scene: Scene, unit: int, back: Image.Image, theme: Theme) -> list[Entry]:
    """Return the entries of what was built, carried and rolled, of the storeys it has, and of what has become
    of the ground.
    """
    found = []
    shown = sorted({(thing.kind, thing.stands) for thing in scene.things if thing.cells})
    colour = theme.side("grey")
    for kind, stands, words in THINGS:
        own = [
            each
            for each in shown
            if each[0] == kind and (each[1] == stands or (not stands and each[1] not in _NAMED.get(kind, ())))
        ]
        if own:
            found.append(
                Entry(_on(back, _thing_sample(kind, stands or own[0][1], colour, unit, theme)), words)
            )
    for storey in sorted(set(figures.storeys(scene).values())):
        found.append(Entry(_on(back, counters.badge(storey, round(unit * 0.8), theme)), STOREYS[storey]))
    kinds = {feature.kind for feature in scene.features}
    for kind, words in FEATURES:
        if kind in kinds:
            found.append(Entry(_on(back, _feature_sample(kind, unit, theme)), words))
    return found


_NAMED = {
    kind: tuple(stands for other, stands, _ in THINGS if other == kind and stands) for kind, _, _ in THINGS
}
"""Kind of thing -> the ways to stand that have an entry of their own."""
_SHAPES = {"siege-tower": ((0.0, 0.0), (-1.5, 0.866), (0.0, 1.732)), "ladder": ((0.0, 0.0), (0.9, 0.0))}


def _thing_sample(kind: str, stands: str, colour: Colour, unit: int, theme: Theme) -> Image.Image:
    """Return a small picture of a thing, no higher than a line of the legend."""
    offsets = ((0.0, 0.0),) if stands == "raised" else _SHAPES.get(kind, ((0.0, 0.0),))
    figure = engines.sprite(
        kind, stands, offsets, -90 if len(offsets) > 2 or stands == "raised" else 0, colour, DRAWN, theme
    )
    return _small(figure, unit)


def _small(figure: Image.Image, unit: int) -> Image.Image:
    """Return a stamp without its empty rim, no larger than a line of the legend allows."""
    figure = figure.crop(figure.getbbox())
    share = min(unit * 1.35 / figure.height, unit * 1.9 / figure.width)
    return figure.resize(
        (max(1, round(figure.width * share)), max(1, round(figure.height * share))), Image.Resampling.LANCZOS
    )


def _feature_sample(kind: str, unit: int, theme: Theme) -> Image.Image:
    """Return a small picture of what can become of a hex."""
    if kind == "wall":
        return works.gauge(2, 4, round(unit * 100))
    if kind == "fire":
        return works.flame_number(1, round(unit * 110))
    return _small(works.patch(kind, DRAWN, 0, theme), unit)


def edge_sample(
    kind: str, unit: float, back: Image.Image, castle: str = "", theme: Theme = PARCHMENT
) -> Image.Image:
    """Return a small picture of what stands on a hexside; the hex that it belongs to lies below it, and has a
    look if it is a castle's.
    """
    picture = back.crop((0, 0, round(unit * 1.5), round(unit * 1.1)))
    large = picture.resize((picture.width * TIMES, picture.height * TIMES))
    frame = Frame(unit / RADIUS, 0, 0, picture.width, picture.height, theme)
    wide, low = round(1.5 * REACH), round(0.66 * REACH)
    if castle:
        low += 130
    edge = Edge(kind, "", "n", (150, low), (wide - 150, low), (wide // 2, low + 500))
    if castle:
        draw_masonry(large, (edge,), (Area("", edge.inward, (), castle),), frame, TIMES)
    else:
        draw_edges(large, (edge,), frame, TIMES)
    return large.reduce(TIMES)


def _on(back: Image.Image, figure: Image.Image) -> Image.Image:
    sheet = back.crop((0, 0, *figure.size))
    sheet.paste(figure, (0, 0), figure)
    return sheet


def flow(entries_: Sequence[Entry], size: int, room: int) -> list[list[tuple[Entry, int]]]:
    """Return the entries in rows, each with its place from the left."""
    rows: list[list[tuple[Entry, int]]] = [[]]
    x = 0
    for entry in entries_:
        wide = entry.picture.width + round(width(entry.words, "serif", size)) + round(size * 1.5)
        if rows[-1] and x + wide - size > room:
            rows.append([])
            x = 0
        rows[-1].append((entry, x))
        x += wide
    return rows


def legend(scene: Scene, ground: Image.Image, frame: Frame, back: Image.Image, margin: int) -> Image.Image:
    """Return the strip under the map: legend in rows, scale bar at its foot."""
    theme = frame.theme
    unit = max(15, round(back.width * 0.0185))
    size = max(12, round(back.width * 0.0145))
    row = round(unit * 1.55)
    rows = flow(entries(scene, ground, frame, unit, back), size, back.width - 2 * margin)
    foot = round(size * 2.0)
    strip = back.crop((0, 0, back.width, 8 + row * len(rows) + foot))
    draw = ImageDraw.Draw(strip)
    draw.line((margin, 2, back.width - margin, 2), fill=theme.faded, width=1)
    for i, line in enumerate(rows):
        middle = 8 + row * i + row / 2
        for entry, x in line:
            drawn = ImageChops.difference(entry.picture, back.crop((0, 0, *entry.picture.size)))
            strip.paste(entry.picture, (margin + x, round(middle - entry.picture.height / 2)), _any(drawn))
            draw.text(
                (margin + x + entry.picture.width + size * 0.35, middle),
                entry.words,
                font=font("serif", size),
                fill=theme.ink,
                anchor="lm",
            )
    _scale(draw, scene, frame, margin, strip.height - foot * 0.62, size, back.width)
    return strip


def _any(drawn: Image.Image) -> Image.Image:
    """Return a mask of what is not black."""
    red, green, blue = drawn.split()
    return ImageChops.lighter(ImageChops.lighter(red, green), blue).point([0] + [255] * 255)


def _scale(
    draw: ImageDraw.ImageDraw, scene: Scene, frame: Frame, margin: int, y: float, size: int, room: int
) -> None:
    """Draw a bar of five hexes, or of inches, and say what the numbers of a counter are."""
    step, theme, measure = ROW * frame.scale, frame.theme, scene.measure
    count = max(1, min(5, int(room * 0.3 / step)))
    words = scale_words(scene, count)
    if measure is not None:
        each, count = graduation.scale_bar(measure, frame.scale, room * 0.3)
        step = each * measure.unit * frame.scale
        words = graduation.scale_words(scene, measure, each * count)
    elif not frame.grid:
        count = 0
    for i in range(count):
        draw.rectangle(
            (margin + i * step, y - 3, margin + (i + 1) * step, y + 3),
            fill=theme.ink if i % 2 == 0 else WHITE,
            outline=theme.ink,
        )
    draw.text(
        (margin + count * step + size * 0.6, y),
        words,
        font=font("italic", size),
        fill=theme.faded,
        anchor="lm",
    )
    draw.text(
        (room - margin, y), values_words(scene), font=font("italic", size), fill=theme.faded, anchor="rm"
    )


def scale_words(scene: Scene, count: int) -> str:
    """Return what stands beside the scale bar: how many cells it is long, where the map has any, and how much
    that is.
    """
    return plain(
        "; ".join(
            part for part in (f"{count} {scene.cell[1]}" if scene.cell[1] else "", scene.scale) if part
        ),
        80,
    )


def values_words(scene: Scene) -> str:
    """Return what the numbers of a counter are; empty where counters have none."""
    return plain(f"counters read {' - '.join(scene.values)}", 80) if scene.values else ""


def initials(scene: Scene) -> tuple[str, ...]:
    """Return what stands on the sample of a counter in the place of numbers."""
    return tuple(plain(name)[:1].upper() for name in scene.values)


def sample_symbol(scene: Scene, side: str) -> str:
    """Return the symbol on the sample of a side's counter."""
    return (
        "sergeant"
        if scene.values
        else next((token.symbol for token in scene.tokens if token.side == side), "")
    )


def state_words(scene: Scene, how: str) -> str:
    """Return what the game calls those who look so."""
    return ", ".join(
        sorted({plain(token.state, 20) for token in scene.tokens if token.look == how and token.state})
    )
