"""What stands round the drawn map: title, compass, legend of what occurs, scale bar."""

from __future__ import annotations

import math
from collections.abc import Callable

from msgspec import Struct

from pbem.core.scene import DOWN, HURT, OUT, UP, Area, Circle, Edge, Feature, Rectangle, Scene, SideLook

from ..frame import Frame
from ..hexes import ROW
from ..laid import free
from ..lettering import plain, width
from ..painted import counters, figures, furniture, graduation, regions, sections
from ..painted.edges import ORDER
from ..painted.masonry import castle_look, is_masonry
from ..palette import WHITE, look, look_of
from . import svg_arrows, svg_ground, svg_regions, svg_signs, svg_table, svg_things, svg_tokens, svg_walls
from .svg_pen import SERIFS, UNIT, Book, Spot, attributes, escaped, hexa, moved, shape, way

SPREAD = 1.2
"""How much wider the letters of a reader's own font may be than those of the bundled one."""
HEAD_SPREAD = 1.5
"""The same of the head, whose title is bold: in bold the common fonts differ more."""
SHARE = 1 / 1400
"""A pixel of the painted map, as a share of its width: sizes are given in these."""


class Entry(Struct, frozen=True):
    """One line of the legend: a small drawing round its middle, how wide it is, and its words."""

    drawn: str
    wide: float
    words: str


class Sample(Struct, frozen=True):
    """How a thing is shown in the legend: its hexes, its direction, how far it is moved, how large and how
    wide it becomes.
    """

    offsets: tuple[Spot, ...] = ((0.0, 0.0),)
    turn: int = 0
    x: float = 0.0
    y: float = 0.0
    share: float = 0.72
    wide: float = 1.9


_SAMPLES = {
    ("siege-tower", ""): Sample(((0.0, 0.0), (-1.5, 0.866), (0.0, 1.732)), -90, 0.5, -0.9, 0.34),
    ("ladder", ""): Sample(((0.0, 0.0), (0.9, 0.0)), 0, -0.45, 0.0, 0.62),
    ("ladder", "raised"): Sample(turn=-90, y=0.3, share=0.52, wide=0.8),
    ("drawbridge", "raised"): Sample(turn=-90, y=0.1, share=0.52, wide=1.0),
    ("winch", ""): Sample(x=0.56, y=-0.5, share=1.3, wide=1.0),
    ("mantlet", ""): Sample(x=-0.6, share=0.9, wide=1.0),
    ("oil", ""): Sample(x=-0.6, y=-0.56, share=1.6, wide=1.0),
    ("cauldron", ""): Sample(share=1.2, wide=1.0),
}
"""Kind of thing and how it stands -> how it is shown; what has no line of its own is shown as it is."""


def fit(
    text: str, size: float, room: float, face: str, least: float = 0, spread: float = SPREAD
) -> tuple[str, int, float]:
    """Return a text cut to the room there is, the size at which it fits, and how wide it may become."""
    wide = width(text, face, 100) / 100 * spread
    if wide * size > room:
        size = max(room / wide, least or size * 0.6)
        while text and wide * size > room:
            text = text[: max(1, len(text) * 9 // 10 - 1)].rstrip("… ") + "…" if len(text) > 2 else ""
            wide = width(text, face, 100) / 100 * spread
    return text, max(1, round(size)), wide * size


def head(book: Book, scene: Scene, left: int, bottom: int, wide: int) -> tuple[str, int]:
    """Return title, subtitle and compass over the map, and how high they are."""
    px, theme = wide * SHARE, book.theme
    high = 66 * px
    room = wide - 2 * svg_margin() - high
    title, large, used = fit(plain(scene.title, 120), 40 * px, room * 0.64, "title", 24 * px, HEAD_SPREAD)
    words, small, _ = fit(
        plain(scene.subtitle, 160), 25 * px, room - used - 20 * px, "italic", spread=HEAD_SPREAD
    )
    # one line, so that the subtitle begins where the title ends, however broad that becomes in the reader's
    # own letters
    style = attributes(
        dx=round(20 * px), font_size=small, font_style="italic", font_weight="normal", fill=hexa(theme.faded)
    )
    where = attributes(
        x=left + svg_margin(), y=round(bottom - high * 0.36), font_size=large, fill=hexa(theme.title)
    )
    line = f"<text{where}>{escaped(title)}<tspan{style}>{escaped(words)}</tspan></text>"
    rule = way([(left + svg_margin(), bottom - 6 * px), (left + wide - svg_margin(), bottom - 6 * px)])
    rose = _compass(book, left + wide - svg_margin() - high * 0.42, bottom - high * 0.55, high * 0.9)
    return (
        f'<g font-family="{SERIFS}" '
        f'text-anchor="start">{line}</g>{shape(rule, None, theme.faded, 1.4 * px)}{rose}',
        round(high),
    )


def svg_margin() -> int:
    """Return the margin that the map has, so that words begin where it does."""
    return round(0.42 * UNIT)


def _compass(book: Book, x: float, y: float, size: float) -> str:
    theme = book.theme
    found = ""
    for start, reach, side in ((45, 0.2, 0.06), (0, 0.36, 0.095)):
        for quarter in range(4):
            turn = math.radians(start + 90 * quarter)
            tip = (math.sin(turn) * size * reach, size * 0.1 - math.cos(turn) * size * reach)
            for sign in (-1, 1):
                foot = turn + sign * math.radians(45)
                spot = (math.sin(foot) * size * side, size * 0.1 - math.cos(foot) * size * side)
                found += shape(
                    way([(0, size * 0.1), tip, spot], True),
                    theme.title if sign > 0 else theme.page,
                    theme.title,
                    size * 0.012,
                )
    found += f"<text{attributes(y=round(-size * 0.27), font_size=round(size * 0.22), fill=hexa(theme.title), font_family=SERIFS)}>N</text>"
    return moved(found, x, y)


def legend(book: Book, scene: Scene, left: int, top: int, wide: int) -> tuple[str, int]:
    """Return the strip under the map: legend in rows, scale bar at its foot; and how high it is."""
    px, theme, margin = wide * SHARE, book.theme, svg_margin()
    unit, size = 26 * px, 20 * px
    row = unit * 1.6
    found = [
        shape(
            way([(left + margin, top + 4 * px), (left + wide - margin, top + 4 * px)]),
            None,
            theme.faded,
            1.4 * px,
        )
    ]
    x, y = left + margin + 0.0, top + 10 * px + row / 2
    for entry in entries(book, scene, unit):
        room = entry.wide + width(entry.words, "serif", 100) / 100 * size * SPREAD + size * 1.3
        if x > left + margin and x + room - size > left + wide - margin:
            x, y = left + margin + 0.0, y + row
        found.append(moved(entry.drawn, x + entry.wide / 2, y))
        found.append(
            f"<text{attributes(x=round(x + entry.wide + size * 0.4), y=round(y + size * 0.34))}>{escaped(entry.words)}</text>"
        )
        x += room
    y += row / 2 + size * 1.1
    step, count = ROW, max(1, min(5, int(wide * 0.3 / ROW)))
    said = furniture.scale_words(scene, count)
    if scene.measure is not None:
        each, count = graduation.scale_bar(scene.measure, 1 / px, wide * 0.3 / px)
        step = each * scene.measure.unit
        said = graduation.scale_words(scene, scene.measure, each * count)
    elif free(scene):
        count = 0
    for i in range(count):
        ink = attributes(
            fill=hexa(theme.ink if i % 2 == 0 else WHITE),
            stroke=hexa(theme.ink),
            stroke_width=round(1.4 * px),
        )
        found.append(
            f"<rect{attributes(x=round(left + margin + step * i), y=round(y - 4 * px), width=step, height=round(8 * px))}{ink}/>"
        )
    end = furniture.values_words(scene)
    room = wide - 2 * margin - step * count - size
    faded = {"y": round(y + size * 0.34), "font_style": "italic", "fill": hexa(theme.faded)}
    said, small, used = fit(said, size, room, "italic")
    found.append(
        f"<text{attributes(x=round(left + margin + step * count + size * 0.6), font_size=small, **faded)}>{escaped(said)}</text>"
    )
    if used + width(end, "italic", 100) / 100 * size * SPREAD < room:
        found.append(f"<text{attributes(x=left + wide - margin, text_anchor='end', **faded)}>{end}</text>")
    style = attributes(
        font_family=SERIFS,
        font_size=round(size),
        font_weight="normal",
        text_anchor="start",
        fill=hexa(theme.ink),
    )
    return f"<g{style}>{''.join(found)}</g>", round(y - top + size * 1.3)


def entries(book: Book, scene: Scene, unit: float) -> list[Entry]:
    """Return the legend: only sides, traces, states, badges and grounds that occur in the scene."""
    found: list[Entry] = []
    theme, share = book.theme, unit / UNIT

    def add(drawn: str, wide: float, words: str, times: float = share) -> None:
        found.append(Entry(_lettered(moved(drawn, 0, 0, 0, times)), wide, words))

    used = {token.side for token in scene.tokens} | {trace.side for trace in scene.traces}
    for side in scene.sides:
        if side.side in used or not scene.tokens:
            face = _face(book, scene, side)
            add(face, unit * 1.3, plain(side.name or side.side, 40), share * 0.95)
    for kind, words in regions.WORDS:
        if shown := [one for one in scene.regions if one.kind == kind]:
            add(
                svg_regions.sample(book, kind, regions.colour_of(shown[0], scene, theme)),
                unit * 1.7,
                words,
                share,
            )
    kinds = {trace.kind for trace in scene.traces}
    colour = theme.side(scene.sides[0].colour if scene.sides else "grey")
    for kind, words in furniture.TRACE_WORDS:
        if kind in kinds:
            add(_trace(book, kind, colour), unit * 2.1, words, share * 0.9)
    _on_tables(book, scene, unit, add)
    if any(area.changed for area in scene.areas):
        add(svg_signs.rim(book, "", False), unit * 1.5, "changed", share * 0.66)
    states = {token.look for token in scene.tokens}
    for how in (HURT, DOWN):
        if how in states:
            add(svg_tokens.badge(book, how), unit * 0.8, furniture.state_words(scene, how), share * 1.7)
    if OUT in states or any(token.weight for token in scene.tokens):
        add(
            svg_tokens.pile(book, 1, 0.54),
            unit * 0.9,
            f"{furniture.state_words(scene, OUT)}, how many",
            share * 1.6,
        )
    for symbol, words in furniture.FIGURES:
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
            figure = svg_tokens.long_counter(book, look_.shape, look_.colour, "", symbol, (), UP, 0)
            add(moved(figure, 500, 0), unit * 1.9, words, share * 0.58)
    for word in sorted({word for token in scene.tokens for word in token.badges}):
        add(
            svg_tokens.badge(book, word),
            unit * 0.8,
            furniture.BADGE_WORDS.get(word, plain(word, 20)),
            share * 1.7,
        )
    _built(book, scene, unit, add)
    _grounds(book, scene, unit, add)
    return found


Add = Callable[..., None]


def _face(book: Book, scene: Scene, side: SideLook) -> str:
    """Return the sample of a side: a base where its figures stand on such, or a counter."""
    token = next((each for each in scene.tokens if each.side == side.side and each.form is not None), None)
    if token is not None:
        return svg_table.base(book, Circle(340), side.shape, side.colour, token.symbol, UP, None)
    return svg_tokens.counter(
        book,
        side.shape,
        side.colour,
        "name",
        furniture.sample_symbol(scene, side.side),
        furniture.initials(scene),
        UP,
    )


def _on_tables(book: Book, scene: Scene, unit: float, add: Add) -> None:
    """Add what only a table has: where figures look, and pieces of building."""
    share = unit / UNIT
    token = next((each for each in scene.tokens if each.form and each.facing is not None), None)
    if token is not None:
        look_ = counters.look_of(scene.sides, token.side)
        face = svg_table.base(book, Circle(300), look_.shape, look_.colour, token.symbol, UP, 900)
        add(face, unit * 1.5, furniture.FACING, share)
    for thing in sections.kinds(scene):
        over = sections.sample(sections.kind_of(thing))
        name = look(thing.ground) if thing.ground else "wall-top"
        drawn = (
            svg_table.strokes(book, over)
            if over
            else svg_table.masonry(book, Rectangle(1000, 520), (), 0, (0, 0), name)
        )
        add(drawn, unit * 1.5, plain(sections.words_of(thing), 30), share * 0.8)


def _lettered(drawn: str) -> str:
    """Return a drawing with the letters of the map, within the legend that has others."""
    from .svg_pen import FONTS

    return (
        f'<g font-family="{FONTS}" font-weight="bold" text-anchor="middle">{drawn}</g>'
        if "<text" in drawn or "<use" in drawn
        else drawn
    )


def _trace(book: Book, kind: str, colour: tuple[int, int, int]) -> str:
    if kind == "fight":
        return svg_signs.swords(book, 0.95)
    if kind == "strike":
        return svg_signs.impact(book, 1.05)
    down = -round(book.drop)
    if kind == "shot":
        return svg_arrows.shot(book, (-1100, down), (1200, down))
    return svg_arrows.arrow(book, ((-700, down), (0, down), (1100, down)), kind, colour)


def _built(book: Book, scene: Scene, unit: float, add: Add) -> None:
    """Add what was built, carried and rolled, the storeys it has, and what has become of the ground."""
    shown = sorted({(thing.kind, thing.stands) for thing in scene.things if thing.cells})
    named = {
        kind: tuple(stands for other, stands, _ in furniture.THINGS if other == kind and stands)
        for kind, _, _ in furniture.THINGS
    }
    share = unit / UNIT
    for kind, stands, words in furniture.THINGS:
        own = [
            each
            for each in shown
            if each[0] == kind and (each[1] == stands or (not stands and each[1] not in named[kind]))
        ]
        if own:
            how = stands or own[0][1]
            sample = _SAMPLES.get((kind, how)) or _SAMPLES.get((kind, "")) or Sample()
            drawn = svg_things.thing(book, kind, how, sample.offsets, sample.turn, book.theme.side("grey"))
            add(
                moved(drawn, sample.x * UNIT, sample.y * UNIT),
                unit * sample.wide,
                words,
                share * sample.share,
            )
    for storey in sorted(set(figures.storeys(scene).values())):
        add(svg_tokens.badge(book, storey, 0.38), unit * 0.8, furniture.STOREYS[storey], share * 2)
    kinds = {feature.kind for feature in scene.features}
    for kind, words in furniture.FEATURES:
        if kind in kinds:
            sign = svg_signs.feature_number(book, Feature(kind, "", (0, 0), (), 2 if kind == "wall" else 1))
            if sign is not None:
                add(sign[0], unit, words, share * 1.9)
            else:
                add(svg_signs.patch(book, kind, 0), unit * 1.4, words, share * 0.66)


def _grounds(book: Book, scene: Scene, unit: float, add: Add) -> None:
    """Add the looks of the ground that occur, each as a hex of it, and what stands on sides."""
    seen: set[str] = set()
    on_sides = {furniture.EDGE_WORDS.get(edge.kind, edge.kind) for edge in scene.edges}
    beside = {area.centre: look_of(area) for area in scene.areas}
    for area in scene.areas:
        words = plain(area.name or scene.grounds.get(area.ground, "") or area.ground, 30)
        if (
            look(area.ground) == "flat"
            or not words
            or words in seen
            or (castle_look(area) and words in on_sides)
        ):
            continue
        seen.add(words)
        add(_swatch(book, scene, area, beside), unit * 1.4, words, unit / UNIT * 0.66)
    looks = {area.at: look(area.ground) for area in scene.areas}
    for kind in ORDER:
        here = [edge for edge in scene.edges if edge.kind == kind]
        if here:
            castle = next((looks[edge.at] for edge in here if is_masonry(edge, looks)), "")
            add(
                _side(book, kind, castle),
                unit * 1.5,
                furniture.EDGE_WORDS.get(kind, kind),
                unit / UNIT * 0.95,
            )


def _swatch(book: Book, scene: Scene, area: Area, beside: dict[tuple[int, int], str]) -> str:
    name = look_of(area)
    hexagon = way(svg_signs.HEX, True)
    found = shape(hexagon, svg_ground.tint(book, name))
    found += svg_ground.strokes(book, area, name, scene.seed, beside, [])
    return found + shape(hexagon, None, book.theme.ink, 0.06 * UNIT)


def _side(book: Book, kind: str, castle: str) -> str:
    """Return what stands on a hexside; the hex that it belongs to lies below it, and has a look if it is a
    castle's.
    """
    low = 120 if castle else 60
    edge = Edge(kind, "", "n", (-430, low), (430, low), (0, low + 500))
    frame = Frame(1.0, 0, 0, 1, 1, book.theme)
    if castle:
        return svg_walls.walls(book, (edge,), (Area("", edge.inward, (), castle),), frame)
    return svg_walls.on_sides(book, (edge,), frame)
