"""Tables and maps without a grid as SVG: the ground with its areas, and the pieces that only a table has, such as
bases, walls, arcs, lengths and names.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from typing import Any, cast

from msgspec.structs import replace

from pbem.core.scene import Area, Circle, Form, Point, Rectangle, Scene, Thing, Token

from .. import laid, text
from ..frame import Frame, bounds
from ..lettering import plain
from ..painted import bases, counters, flat, graduation, labels, measured, plates, sections, terrain
from ..painted.castle import HEIGHT
from ..palette import Colour, look, look_of, mix
from ..ways import smooth
from . import svg_pen, svg_plants, svg_signs, svg_tokens, svg_walls
from .svg_pen import UNIT, Book, Pen, Spot, attributes, escaped, hexa, moved, round_way, shape, way
from .svg_placed import Layer, Placed, rank, said

VARIANTS = 3
"""How many drawings there are of strokes that chance has a part in."""


def tint(book: Book, name: str) -> Colour:
    """Return the one colour of a look of the ground."""
    one, other = book.theme.grounds.get(name, book.theme.ground("flat"))
    return mix(one, other, 0.5)


def outlined(centre: Spot, form: Form | None, corners: Sequence[Spot], angle: int, **more: object) -> str:
    """Return a shape as what it is: a circle, an oblong that is turned, or a polygon."""
    x, y = round(centre[0]), round(centre[1])
    if isinstance(form, Circle):
        return f"<circle{attributes(cx=x, cy=y, r=form.radius, **more)}/>"
    if isinstance(form, Rectangle):
        turn = f"rotate({angle / 10:g} {x} {y})" if angle else None
        box = attributes(
            x=round(x - form.width / 2),
            y=round(y - form.depth / 2),
            width=form.width,
            height=form.depth,
            transform=turn,
        )
        return f"<rect{box}{attributes(**more)}/>"
    points = " ".join(f"{round(px)},{round(py)}" for px, py in corners)
    return f"<polygon{attributes(points=points, **more)}/>"


# --- the ground


def ground(book: Book, scene: Scene) -> str:
    """Return all that never changes from turn to turn; pieces come over it."""
    theme, frame = book.theme, Frame(1.0, 0, 0, 1, 1, book.theme, False)
    left, _, right, _ = bounds(scene)
    found = []
    if terrain.table(scene):
        name = look(scene.measure.ground) if scene.measure is not None else "flat"
        d = way(terrain.table(scene), True)
        found.append(shape(d, tint(book, name)))
        if theme.painted and name == "flat":
            found.append(svg_plants.meadow(book, d, tint(book, "flat")))
    by_look: dict[str, list[Area]] = {}
    for area in scene.areas:
        by_look.setdefault(look_of(area), []).append(area)
    for name in ("flat", *terrain.ORDER, "doorway", "floor", "roof", *HEIGHT):
        for area in by_look.get(name, []):
            found.append(_area(book, scene, area, name))
        if name == "road":
            found.append(_roads(book, scene))
    found.append(svg_walls.on_sides(book, scene.edges, frame))
    if scene.measure is not None:
        found.append(_edge(book, scene, right - left))
    notes = tuple(
        note for note in scene.notes if not any(measured.same(note.text, area.at) for area in scene.areas)
    )
    found.append(svg_walls.notes(book, replace(scene, notes=notes)))
    return "".join(found)


def _area(book: Book, scene: Scene, area: Area, name: str) -> str:
    """Return an area: its tint, its strokes, its border."""
    theme = book.theme
    rim = {
        "stroke": hexa(mix(tint(book, name), theme.grid, 0.7)),
        "stroke_width": round(0.06 * UNIT * theme.fine),
    }
    if name in HEIGHT:
        return masonry(book, area.form, area.corners, area.angle, area.centre, name)
    found = outlined(
        area.centre, area.form, area.corners, area.angle, fill=hexa(tint(book, name)), **cast(Any, rim)
    )
    pattern = flat.PATTERNS.get(name)
    if name == "roof":
        return found + _roof(book, area)
    if name in ("hill", "slope"):
        return found + _fall(book, area)
    if pattern is None or name in flat.BUILT:
        return found
    faint = replace(theme, strokes=mix(tint(book, name), theme.strokes, 0.42)) if theme.painted else theme

    def draw(variant: int) -> str:
        chance = random.Random(f"{scene.seed}/{variant}/{name}")
        if theme.painted and name in svg_plants.DRAWN:
            return svg_plants.DRAWN[name](book, chance)
        pen = Pen()
        pattern(cast(Any, pen), flat.Hex(0, 0, UNIT, replace(area, centre=(0, 0)), {}, [], chance, faint))
        return pen.written()

    whole = theme.painted and name in svg_plants.DRAWN
    strewn = ""
    for n, (x, y) in enumerate(laid.lattice(area.corners, 1000, 260 if whole else 0)):
        variant = (n * 7 + n // 3) % VARIANTS
        use = book.put(("strewn", name, variant), lambda variant=variant: draw(variant))  # type: ignore[misc]
        strewn += moved(use, x, y)
    if whole or not strewn:
        return found + strewn
    clip = "c" + book.name(f"{area.corners}")
    shape_ = outlined(area.centre, area.form, area.corners, area.angle)
    return f'{found}<clipPath id="{clip}">{shape_}</clipPath><g clip-path="url(#{clip})">{strewn}</g>'


def _fall(book: Book, area: Area) -> str:
    """Return strokes down the sides of a hill, within its border."""
    d = ""
    mx, my = area.centre
    for (ax, ay), (bx, by) in zip(area.corners, (*area.corners[1:], area.corners[0]), strict=True):
        length = math.hypot(bx - ax, by - ay) or 1.0
        nx, ny = -(by - ay) / length, (bx - ax) / length
        if (mx - ax) * nx + (my - ay) * ny < 0:
            nx, ny = -nx, -ny
        count = max(1, round(length / (UNIT * 0.3)))
        for i in range(count):
            share, long = (i + 0.5) / count, UNIT * (0.3 + 0.16 * (i % 3))
            x, y = ax + (bx - ax) * share, ay + (by - ay) * share
            d += way([(x, y), (x + nx * long, y + ny * long)])
    return shape(d, None, mix(tint(book, "hill"), book.theme.strokes, 0.6), 0.04 * UNIT)


def _roof(book: Book, area: Area) -> str:
    """Return the darker half of a roof, and its ridge, along its longer side."""
    if len(area.corners) != terrain.GABLED:
        return ""
    a, b, c, d = area.corners
    if math.dist(a, b) < math.dist(b, c):
        a, b, c, d = b, c, d, a
    west, east = ((a[0] + d[0]) / 2, (a[1] + d[1]) / 2), ((b[0] + c[0]) / 2, (b[1] + c[1]) / 2)
    dark = (d, c) if a[0] + a[1] + b[0] + b[1] < c[0] + c[1] + d[0] + d[1] else (a, b)
    base = tint(book, "roof")
    return shape(way([*dark, east, west], True), mix(base, (50, 24, 14), 0.3)) + shape(
        way([west, east]), None, mix(base, (40, 20, 8), 0.6), 0.09 * UNIT
    )


def _roads(book: Book, scene: Scene) -> str:
    d = "".join(way(smooth([(float(x), float(y)) for x, y in line])) for line in scene.roads if len(line) > 1)
    if not d:
        return ""
    rim = mix(book.theme.strokes, tint(book, "road"), 0.35) if book.theme.painted else book.theme.strokes
    return "".join(
        shape(d, None, ink, wide * UNIT) for wide, ink in ((0.66, rim), (0.56, tint(book, "road")))
    )


def _edge(book: Book, scene: Scene, wide: int) -> str:
    """Return the edge of a table with its ticks and numbers."""
    assert scene.measure is not None
    left, top, right, low = bounds(scene)
    scale = 1400 / max(1, wide)
    size, long = 0.34 * UNIT, 0.26 * UNIT
    d, numbers = "", ""
    far, near = graduation.pitch(scene.measure, scale)
    grid = ""
    for line, strong in graduation.grid(scene.measure, far, near):
        grid += shape(
            way(line),
            None,
            book.theme.grid,
            (0.04 if strong else 0.02) * UNIT,
            opacity=".3" if strong else ".18",
        )
    parts = graduation.quarters(scene.measure, scale)
    for tick in graduation.ticks(scene.measure, far, near, parts=parts):
        (x, y), (dx, dy) = tick.at, tick.inward
        d += way([(x, y), (x + dx * long * tick.long, y + dy * long * tick.long)])
        if tick.text:
            out = long + 0.08 * UNIT + (plates.breadth(tick.text, size) / 2 if dx else size * 0.5)
            place = attributes(x=round(x + dx * out), y=round(y + dy * out + size * 0.36))
            numbers += f"<text{place}>{escaped(tick.text)}</text>"
    style = attributes(
        font_size=round(size),
        font_weight="normal",
        fill=hexa(book.theme.ink),
        stroke=hexa(book.theme.paper),
        stroke_width=round(0.1 * UNIT),
        paint_order="stroke",
    )
    rim = way([(left, top), (right, top), (right, low), (left, low)], True)
    return grid + shape(rim + d, None, book.theme.ink, 0.05 * UNIT) + f"<g{style}>{numbers}</g>"


def masonry(
    book: Book, form: Form | None, corners: Sequence[Spot], angle: int, centre: Spot, name: str
) -> str:
    """Return a piece of building from above: its face, the blocks on its rim, and a walk between them."""
    theme = book.theme
    tints = theme.ground(name if name in theme.grounds else "stone")
    ink = mix(tints[0], theme.ink, 0.72)
    thick = bases.MERLON * UNIT
    found = ""
    if theme.shadows:
        dark = outlined(centre, form, corners, angle, fill=hexa((20, 14, 6)), opacity=".35")
        found += f'<g transform="translate({round(0.12 * UNIT)} {round(0.16 * UNIT)})">{dark}</g>'
    line = {"stroke": hexa(ink), "stroke_width": round(0.07 * UNIT * theme.fine)}
    found += outlined(centre, form, corners, angle, fill=hexa(tints[1]), **line)
    if name in bases.CRENELLED and form is not None:
        inner = (
            Circle(max(1, round(form.radius - thick / 2)))
            if isinstance(form, Circle)
            else Rectangle(max(1, round(form.width - thick)), max(1, round(form.depth - thick)))
        )
        light = bases.merlon(theme, tints)
        blocks = {"stroke": hexa(light), "stroke_width": round(thick), "stroke_dasharray": round(0.3 * UNIT)}
        found += outlined(centre, inner, corners, angle, fill="none", **blocks)
        found += outlined(centre, form, corners, angle, fill="none", **line)
    return found


# --- the pieces


def placed(book: Book, scene: Scene) -> Iterable[Placed]:
    """Give arcs, lengths, pieces of building, bases with their badges, and all names."""
    for n, sector in enumerate(scene.sectors):
        colour = measured.colour_of(scene, sector, book.theme)
        d = way(measured.sector_of(sector), True)
        drawn = shape(d, colour, None, fill_opacity=f"{measured.WASH:g}")
        for ink, wide in ((book.theme.halo, 0.13), (colour, 0.06)):
            drawn += shape(
                d, None, ink, wide * UNIT, stroke_dasharray=f"{round(0.5 * UNIT)} {round(0.28 * UNIT)}"
            )
        yield Placed(rank(Layer.REGION, f"sector/{n}", n), f"sector/{n}", drawn)
    for n, span in enumerate(scene.spans):
        yield Placed(rank(Layer.SHOTS, f"span/{n}", n), f"span/{n}", _span(book, span.start, span.end))
    for n, thing in enumerate(scene.things):
        if thing.form is not None and thing.cells:
            yield _thing(book, scene, thing, thing.form, n)
    for token in scene.tokens:
        if token.form is not None and token.cells:
            yield _token(book, scene, token, token.form)
    yield from _names(book, scene)


def _span(book: Book, start: Point, end: Point) -> str:
    length = math.dist(start, end) or 1.0
    nx, ny = -(end[1] - start[1]) / length * 0.18 * UNIT, (end[0] - start[0]) / length * 0.18 * UNIT
    d = way([start, end]) + "".join(way([(x - nx, y - ny), (x + nx, y + ny)]) for x, y in (start, end))
    return "".join(
        shape(d, None, ink, wide * UNIT) for ink, wide in ((book.theme.paper, 0.14), (book.theme.ink, 0.055))
    )


def _thing(book: Book, scene: Scene, thing: Thing, form: Form, place: int) -> Placed:
    key, (x, y) = f"thing/{thing.id}", thing.cells[0]
    name = look(thing.ground) if thing.ground else "wall-top"
    drawn = (
        "" if sections.kind_of(thing) == "ladder" else book.once(masonry, form, (), thing.angle, (0, 0), name)
    )
    drawn += moved(strokes(book, bases.over_of(thing, form)), 0, 0, thing.angle / 10)
    words = said(text.thing_line(scene, thing))
    return Placed(rank(Layer.THING, key, -1, place), key, drawn, x, y, words, thing.at)


def strokes(book: Book, over: Sequence[sections.Stroke]) -> str:
    """Return what is drawn over a piece of building, as it looks up."""
    colours, found = bases.stuffs(book.theme), ""
    for stroke in over:
        d = way([(x * UNIT, y * UNIT) for x, y in stroke.points], not stroke.wide)
        colour = colours[stroke.stuff]
        if stroke.wide:
            found += shape(d, None, colour, stroke.wide * UNIT)
        else:
            found += shape(d, colour, colours[sections.IRON], 0.03 * UNIT)
    return found


def _token(book: Book, scene: Scene, token: Token, form: Form) -> Placed:
    side = counters.look_of(scene.sides, token.side)
    (x, y), out = token.cells[0], token.look == "out"
    turn = bases.drawn_angle(token)
    drawn = book.once(base, form, side.shape, side.colour, token.symbol, token.look, turn)
    words_ = counters.badges_of(token) if not out else ()
    size = max(bases.half_of(form) * bases.BADGE / UNIT, 0.34)
    for word, (dx, dy) in zip(words_, bases.badges_at(form, token.facing, len(words_)), strict=True):
        drawn += moved(svg_tokens.badge(book, word, size), dx, dy)
    aboard = text.aboard(scene).get(token.id, "")
    whose = plain(side.name or token.side, 60)
    words = said(text.unit_line(token, aboard, scene.measure) + (f", {whose}" if whose else ""))
    layer = Layer.DEAD if out else Layer.LIVING
    key = f"token/{token.id}"
    return Placed(rank(layer, key, token.level, y, x), key, drawn, x, y, words, token.at)


def base(book: Book, form: Form, side: str, colour: str, symbol: str, state: str, facing: int | None) -> str:
    """Return a base round the origin, with the point before it where it looks."""
    theme, half = book.theme, bases.half_of(form)
    dark, face = theme.side(colour), theme.body(state)
    if state == "out":
        dark = mix(dark, counters.ASHES, 0.55)
    line, angle = max(6.0, half * 0.07) * theme.fine, facing or 0
    band = half * bases.RIM

    def grown(by: float, fill: Colour | None, **more: object) -> str:
        d = (
            round_way(0, 0, form.radius + by)
            if isinstance(form, Circle)
            else way(laid.outline((0, 0), form, angle, by), True)
        )
        return shape(d, fill, **more)  # type: ignore[arg-type]

    found = ""
    if facing is not None and state != "out":
        point = way(bases.point_of(form, facing), True)
        for ink, wide in ((theme.paper, line * 3.4), (theme.ink, line * 1.6)):
            found += shape(point, dark, ink, wide)
        found += shape(point, dark)
    found += grown(line * 0.7, theme.paper) + grown(0, theme.ink) + grown(-line, dark)
    found += grown(-line - band, face)
    if side == "cut":
        found += grown(
            -line - band / 2,
            None,
            stroke=theme.paper,
            wide=band * 0.52,
            stroke_dasharray=f"{max(1, round(half * 0.2))}",
        )
    if side == "square":
        found += grown(-line - band / 2, None, stroke=theme.paper, wide=band * 0.34)
    if state == "hurt":
        reach = half * 0.8
        lines = [[(-reach, y * half), (-half * 0.2, (y - 0.5) * half)] for y in (-0.1, 0.2, 0.5, 0.8)]
        found += shape("".join(way(each) for each in lines), None, theme.melee, half * 0.09)
    size = (half - line - band) * (1.42 if isinstance(form, Circle) else 1.6)
    mark = svg_tokens.glyph(book, symbol, size, dark, face)
    found += moved(mark, 0, 0, 90 if state == "down" else 0)
    if state == "out":
        arm = half * 0.7
        found += shape(
            way([(-arm, -arm), (arm, arm)]) + way([(arm, -arm), (-arm, arm)]), None, theme.ink, half * 0.14
        )
    return found


def _names(book: Book, scene: Scene) -> Iterable[Placed]:
    """Give all names, each where it hides least."""
    left, top, right, low = bounds(scene)
    frame = Frame(1.0, left, top, right - left, low - top, book.theme, False)
    plan = labels.Plan((frame.width, frame.height))
    measured.take(plan, scene, frame)
    for each in measured.wanted(scene, book.theme, 1.0, UNIT):
        name, pill = each.name, each.kind in measured.PILLS
        size = svg_signs.pill_size(name.text) if pill else plates.box(name)
        spots = [frame.spot((round(x), round(y))) for x, y in name.spots]
        spots = [spot for spot in spots if 0 < spot[0] < frame.width and 0 < spot[1] < frame.height]
        if not spots:
            continue
        x, y = plan.lay(size, spots, UNIT * measured.NEAR)
        drawn = (
            book.once(svg_signs.pill, name.text, each.colour, False)
            if pill
            else book.once(plate, name.text, name.values, name.dial, round(name.size), each.colour)
        )
        if name.of is not None:
            ox, oy = frame.spot((round(name.of[0]), round(name.of[1])))
            if line := plates.lead(replace(name, of=(ox, oy, name.of[2])), (x, y), UNIT):
                plates.take_lead(plan, line, UNIT)
                lead = "".join(
                    shape(way([(px - ox, py - oy) for px, py in line]), None, ink, wide * UNIT)
                    for ink, wide in ((book.theme.halo, 0.1), (each.colour, 0.04))
                )
                key = f"{each.kind}/{each.id}/lead"
                yield Placed(rank(Layer.AGAIN, key), key, lead, round(ox + left), round(oy + top))
        key = f"{each.kind}/{each.id}/name"
        layer = Layer.NAME if each.kind in ("token", "span", "sector") else Layer.AGAIN
        yield Placed(rank(layer, key), key, drawn, round(x + left), round(y + top))


def plate(
    book: Book, text_: str, values: str, dial: tuple[int, int] | None, size: int, colour: Colour
) -> str:
    """Return a plate round the origin: a name on a light rim, values, and the clicks of a dial."""
    name = plates.Name(text_, size, (), values=values, dial=dial)
    rim = {"stroke": hexa(book.theme.halo), "stroke_width": round(size * 0.3), "paint_order": "stroke"}
    found = ""
    for part in plates.parts(name):
        down = round(part.down)
        if part.kind == "dial":
            side, squares = round(plates.PIP * size), ""
            for right, left in plates.pips(name):
                square = attributes(
                    x=round(right - side / 2),
                    y=round(down - side / 2),
                    width=side,
                    height=side,
                    fill=hexa(colour if left else book.theme.paper),
                )
                squares += f"<rect{square}/>"
            found += f"<g{attributes(stroke=hexa(colour), stroke_width=round(size * 0.08))}>{squares}</g>"
            continue
        said_, letters, ink = (
            (text_, size, colour)
            if part.kind == "name"
            else (values, round(size * plates.VALUES), book.theme.ink)
        )
        found += svg_pen.words(said_, 0, down, letters, letters * 40.0, ink, limit=40, **cast(Any, rim))
    return found
