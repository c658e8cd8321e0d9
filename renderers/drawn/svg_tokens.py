"""Counters as pieces of SVG, each round the middle of its hex: one function for a man, a rider, a body, a
grave, an outline left behind.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from msgspec import Struct

from .. import symbols
from ..hexes import SINE
from ..lettering import plain
from ..painted import counters, figures, long_counters
from ..palette import WHITE, Colour, mix
from ..themes import Theme
from .svg_pen import (
    UNIT,
    Book,
    Pen,
    Plane,
    Spot,
    attributes,
    hexa,
    moved,
    round_way,
    shape,
    turned,
    way,
    words,
)

SIDE = counters.SIZE * UNIT
HALF = SIDE / 2
RIM = 0.05 * UNIT
BAND = -HALF + SIDE * counters.BAND
"""Where the band with the name ends, from the middle of the counter."""
SHADE: Colour = (20, 14, 6)


class Figure(Struct, frozen=True):
    """All that can be seen of a figure: shape and colour of its side, what it is, whither it heads (in
    degrees, if over two hexes), its badges and where they lie from its middle, in hex radii, and the storey
    it is on with the hand of its badge (1 right, -1 left).
    """

    form: str
    side: str
    label: str
    symbol: str
    numbers: tuple[str, ...]
    state: str
    turn: int | None = None
    badges: tuple[str, ...] = ()
    spots: tuple[Spot, ...] = ()
    storey: str = ""
    storey_hand: int = -1


def figure(book: Book, what: Figure, share: float = 1.0) -> str:
    """Return a figure with its badges, round the middle of the hex where it stands, or its head."""
    shown = (what.form, what.side, what.label, what.symbol, what.numbers, what.state)
    if what.turn is not None:
        found = long_counter(book, *shown, what.turn)
        cos, sin = turned(what.turn)
        back = SINE
        spots, size = [(x - back * cos, y - back * sin) for x, y in long_counters.corners_of(what.turn)], 0.46
    else:
        found = (floor(book, what.storey) if what.storey else "") + counter(book, *shown)
        spots, size = list(what.spots), figures.BADGE
    for word, (x, y) in zip(what.badges, spots, strict=False):
        found += moved(badge(book, word, size), x * UNIT, y * UNIT)
    if what.storey and what.turn is None:
        found += moved(badge(book, what.storey, 0.38), 0.66 * UNIT * what.storey_hand, 0.04 * UNIT)
    return moved(found, 0, 0, 0, share)


def outline(form: str, half: float, side: float, less: float = 0, low: float | None = None) -> str:
    """Return the outline of a counter of that half side as a path, its corners those of a counter with that
    side, so much ``less``.

    With ``low`` only what is above that height.
    """
    h = round(half)
    c, d = (
        max(2, round(corner * side - less))
        for corner in counters.CORNERS.get(form, counters.CORNERS["round"])
    )
    cut = form == "cut"
    rise = f"l{c}-{c}" if cut else f"a{c} {c} 0 0 1 {c}-{c}"
    bend = f"l{c} {c}" if cut else f"a{c} {c} 0 0 1 {c} {c}"
    if low is not None:
        return f"M{-h} {round(low)}V{-h + c}{rise}H{h - c}{bend}V{round(low)}z"
    down = f"l-{d} {d}" if cut else f"a{d} {d} 0 0 1-{d} {d}"
    back = f"l-{d}-{d}" if cut else f"a{d} {d} 0 0 1-{d}-{d}"
    return f"M{-h} {-h + c}{rise}H{h - c}{bend}V{h - d}{down}H{-h + d}{back}z"


def glyph(book: Book, symbol: str, side: float, ink: Colour, ground: Colour) -> str:
    """Return the weapon on a counter in a square round the origin; one without a drawing is written with its
    first two letters.
    """
    name = symbol.replace("_", "-")
    drawn = symbols.GLYPHS.get(symbols.ALIASES.get(name, name))
    if drawn is None:
        return words((symbol or "?")[:2].capitalize(), 0, 0, side * 0.8, side, ink)

    def draw() -> str:
        pen = Pen()
        drawn(symbols.Pen(cast(Any, pen), -side / 2, -side / 2, side, ink, ground))
        return pen.written()

    return book.put(("glyph", name, round(side), ink, ground), draw)


def badge(book: Book, word: str, size: float = 0.46) -> str:
    """Return a badge round the origin, ``size`` hex radii wide: its letter and its shape."""

    def draw() -> str:
        letter, form, colour = counters.badge_look(word)
        colour = book.theme.badge(colour)
        h = size * UNIT / 2
        found = ""
        for grow, fill in ((1.0, WHITE), (0.85, colour)):
            r = h * grow
            if form == "disc":
                d = round_way(0, 0, r)
            elif form == "diamond":
                d = way([(0, -r), (r, 0), (0, r), (-r, 0)], True)
            elif form == "triangle":
                d = way([(0, -r), (r, r), (-r, r)], True)
            elif form == "drop":
                d = way([(0, -r), (r * 0.88, r * 0.16), (-r * 0.88, r * 0.16)], True) + round_way(
                    0, h * 0.24, r * 0.76
                )
            else:
                d = way(
                    [
                        (-r * 0.92, -r * 0.92),
                        (r * 0.92, -r * 0.92),
                        (r * 0.92, r * 0.92),
                        (-r * 0.92, r * 0.92),
                    ],
                    True,
                )
            found += shape(d, fill)
        share, sink = {"diamond": (0.56, 0.0), "triangle": (0.5, 0.32), "drop": (0.56, 0.26)}.get(
            form, (0.7, 0.0)
        )
        return found + words(letter, 0, h * sink, 2 * h * share, 2 * h, WHITE)

    return book.put(("badge", word, size), draw)


def _body(book: Book, form: str, colour: Colour, ground: Colour, hurt: bool) -> str:
    """Return the counter itself: its shadow, its body, the band of its side, the marks of its shape."""
    theme = book.theme

    def draw() -> str:
        whole = outline(form, HALF, SIDE)
        rim = RIM * theme.fine
        inner, less = HALF - rim, rim * 0.6
        found = (
            f'<path d="{whole}" transform="translate(29 40)" opacity=".4" fill="{hexa(SHADE)}"/>'
            if theme.shadows
            else ""
        )
        found += shape(whole, colour if theme.framed else theme.ink)
        found += shape(outline(form, inner, SIDE, less), ground) + shape(
            outline(form, inner, SIDE, less, BAND), colour
        )
        pen = Pen()
        pen.line([(-inner, BAND), (inner, BAND)], theme.ink, 0.03 * UNIT)
        if form == "cut":
            pen.line([(-inner, BAND + 0.07 * UNIT), (inner, BAND + 0.07 * UNIT)], colour, 0.055 * UNIT)
        if form == "square":
            for i in range(7):
                x, y, r = -HALF + SIDE * (i + 1) / 8, BAND + 0.075 * UNIT, 0.032 * UNIT
                pen.ellipse((x - r, y - r, x + r, y + r), colour)
        if hurt:
            for i in range(5):
                y = BAND + SIDE * (0.035 + 0.065 * i)
                pen.line([(-inner, y + SIDE * 0.09), (-HALF + SIDE * 0.17, y)], theme.melee, 0.05 * UNIT)
        return found + pen.written()

    return book.put(("body", form, colour, ground, hurt), draw)


def values(numbers: Sequence[str]) -> str:
    """Return the values of a counter as they stand on it."""
    return "-".join(plain(value)[:4] for value in numbers[:3])


def counter(
    book: Book, form: str, side: str, label: str, symbol: str, numbers: tuple[str, ...], state: str
) -> str:
    """Return a counter of one hex without its badges: the hurt are hatched, those down aslant, those out
    grey, small and crossed out.
    """
    colour, ground = look_of(book.theme, side, state)
    low = counters.VALUES_AT - counters.VALUES / 2
    size = SIDE * (low - counters.BAND - 0.06 if numbers else 0.58)
    place = BAND + SIDE * (0.04 if numbers else 0.05) + size / 2
    found = book.put(
        ("counter", form, colour, ground, state, symbol, bool(numbers)),
        lambda: (
            _body(book, form, colour, ground, state == "hurt")
            + moved(glyph(book, symbol, size, colour, ground), 0, place)
        ),
    )
    middle = (-HALF + RIM + BAND) / 2
    room = counters.room(form, SIDE, RIM, (middle + HALF) / SIDE - 0.37 * counters.NAME, 0.5)
    found += words(
        label, 0, middle, SIDE * counters.NAME, room, WHITE, least=SIDE * counters.LEAST_NAME, limit=40
    )
    if numbers:
        room = counters.room(form, SIDE, RIM, 0.5, counters.VALUES_AT + counters.VALUES / 2)
        found += words(
            values(numbers),
            0,
            -HALF + SIDE * counters.VALUES_AT,
            SIDE * counters.VALUES / 0.73,
            room,
            book.theme.ink,
        )
    if state == "down":
        return moved(found, 0, 0, 16)
    if state == "out":
        a, b = -0.3 * SIDE, 0.3 * SIDE
        top, low = -0.14 * SIDE, 0.44 * SIDE
        found += shape(
            way([(a, top), (b, low)]) + way([(b, top), (a, low)]), None, book.theme.ink, 0.1 * UNIT
        )
        return moved(found, 0, 0, -90, 0.8)
    return found


def look_of(theme: Theme, side: str, state: str) -> tuple[Colour, Colour]:
    """Return the colours of a counter: that of its side, which the dead lose, and that of its body."""
    colour = theme.side(side)
    return mix(colour, counters.ASHES, 0.55) if state == "out" else colour, theme.body(state)


def floor(book: Book, storey: str) -> str:
    """Return what a counter stands on that is not on the open ground: light planks of a platform, or a dark
    room under it.
    """
    half = HALF + 0.11 * UNIT

    def draw() -> str:
        d = outline("round", half, 0.65 * UNIT)
        if storey == "above":
            return shape(d, book.theme.tone((240, 214, 160)), book.theme.ink, 0.045 * UNIT)
        return shape(d, (30, 20, 12), (96, 74, 50), 0.04 * UNIT, opacity=".92")

    return book.put(("floor", storey), draw)


def pile(book: Book, count: int, size: float) -> str:
    """Return a grave mark for bodies round the origin: a grey stone with a cross, and how many lie there."""

    def stone() -> str:
        h = size * UNIT / 2
        found = ""
        for grow, fill in ((0.0, WHITE), (0.08, book.theme.ink), (0.16, book.theme.tone((208, 204, 196)))):
            low = h * (0.92 - grow)
            d = [
                (-low, low),
                (-low, -h * 0.28),
                (-h * 0.48 + grow * h * 0.6, -low),
                (h * 0.48 - grow * h * 0.6, -low),
                (low, -h * 0.28),
                (low, low),
            ]
            found += shape(way(d, True), fill)
        cross = way([(0, -h * 0.68), (0, h * 0.08)]) + way([(-h * 0.32, -h * 0.42), (h * 0.32, -h * 0.42)])
        return found + shape(cross, None, book.theme.ink, h * 0.18)

    h = size * UNIT / 2
    return book.put(("grave", size), stone) + words(
        f"{count}" if count < 100 else "99+", 0, h * 0.48, h * 0.8, h * 1.6, book.theme.ink
    )


def ghost(book: Book, form: str, side: str, label: str) -> str:
    """Return the dashed outline that a counter leaves at its old place."""
    half = HALF * 0.78
    colour = book.theme.side(side)
    drawn = book.put(("ghost", form, colour), lambda: _left(book, outline(form, half, 2 * half), colour))
    return drawn + _named(book, label, 0, -half * 0.48, half * 1.92, colour)


def _left(book: Book, d: str, colour: Colour) -> str:
    return shape(
        d,
        book.theme.paper,
        colour,
        0.07 * UNIT * book.theme.fine**0.5,
        fill_opacity=".28",
        stroke_dasharray="75 75",
    )


def _named(book: Book, label: str, x: float, y: float, room: float, colour: Colour) -> str:
    """Return a name on a light halo."""
    return words(
        label,
        x,
        y,
        0.3 * UNIT,
        room,
        colour,
        least=0.24 * UNIT,
        limit=40,
        stroke=hexa(book.theme.paper),
        stroke_width=round(0.08 * UNIT),
        paint_order="stroke",
    )


def plate(
    book: Book,
    form: str,
    colour: Colour,
    ground: Colour,
    label: str,
    numbers: tuple[str, ...],
    share: float = 1.0,
) -> str:
    """Return an upright label round the origin: a name on the colour of its side, its values below."""
    radius = UNIT * share
    half, band, foot = 0.68 * radius, 0.34 * radius, (0.4 * radius if numbers else 0.06 * radius)
    top, low, rim, corner = -(band + foot) / 2, (band + foot) / 2, 0.05 * radius, 0.13 * radius

    def draw() -> str:
        found = ""
        for grow, fill, end in (
            (0.0, book.theme.ink, low),
            (rim, ground, low - rim),
            (rim, colour, top + band),
        ):
            x, y, c = half - grow, top + grow, max(2.0, corner - grow * 0.7)
            if fill is colour or form == "cut":
                foot_ = 0.0 if fill is colour else c
                d = [
                    (-x, y + c),
                    (-x + c, y),
                    (x - c, y),
                    (x, y + c),
                    (x, end - foot_),
                    (x - foot_, end),
                    (foot_ - x, end),
                    (-x, end - foot_),
                ]
                found += shape(way(d, True), fill)
            else:
                found += f"<rect{attributes(x=-x, y=y, width=2 * x, height=end - y, rx=c, fill=hexa(fill))}/>"
        return found

    found = book.put(("plate", form, colour, ground, bool(numbers), share), draw)
    found += words(
        label, 0, top + band * 0.54, radius * 0.3, half * 1.8, WHITE, least=radius * 0.25, limit=40
    )
    if numbers:
        found += words(
            values(numbers), 0, top + band + foot * 0.46, radius * 0.4, 2 * half - 4.5 * rim, book.theme.ink
        )
    return found


def _animal(
    book: Book, symbol: str, label: str, colour: Colour, ground: Colour, form: str, state: str
) -> str:
    """Return the plank of a long counter, heading right, with who or what is on it."""

    def draw() -> str:
        plane = Plane(book.theme)
        for grow, fill in ((0.0, book.theme.ink), (-0.05, colour), (-0.15, ground)):
            plane.face(long_counters.plank(form, grow), fill, 0)
        long_counters.load(cast(Any, plane), symbol, label, colour, state, book.theme)
        return plane.written()

    return book.put(("animal", symbol, long_counters.coat_of(label), colour, ground, form, state), draw)


def long_counter(
    book: Book, form: str, side: str, label: str, symbol: str, numbers: tuple[str, ...], state: str, turn: int
) -> str:
    """Return a counter over two hexes, round the middle of the hex of its head; ``turn`` leads from tail to
    head, in degrees.
    """
    colour, ground = look_of(book.theme, side, state)
    d = way([(x * UNIT, y * UNIT) for x, y in long_counters.plank(form, 0.0)], True)
    back = SINE
    cos, sin = turned(turn)
    shadow = ""
    if book.theme.shadows:
        dark = book.put(("shadow", form), lambda: shape(d, SHADE, opacity=".4"))
        shadow = moved(dark, 29 - back * UNIT * cos, 40 - back * UNIT * sin, turn)
    animal = moved(
        _animal(book, symbol, label, colour, ground, form, state),
        -back * UNIT * cos,
        -back * UNIT * sin,
        turn,
    )
    x, y = (-2 * back - 0.06) * UNIT * cos, (-2 * back - 0.06) * UNIT * sin
    return shadow + animal + moved(plate(book, form, colour, ground, label, numbers), x, y)


def long_ghost(book: Book, form: str, side: str, label: str, turn: int) -> str:
    """Return the dashed outline that a counter over two hexes leaves, round the middle of the hex where its
    head was.
    """
    colour = book.theme.side(side)
    cos, sin = turned(turn)
    back = SINE * UNIT

    def draw() -> str:
        return _left(
            book, way([(x * UNIT, y * UNIT) for x, y in long_counters.plank(form, -0.1)], True), colour
        )

    found = moved(book.put(("long ghost", form, colour), draw), -back * cos, -back * sin, turn)
    return found + _named(book, label, -2.07 * back * cos, -2.07 * back * sin, UNIT * 1.05, colour)
