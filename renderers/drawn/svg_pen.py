"""The pen of the drawn map: writes shapes down as SVG, round the origin, in scene units; what is the same is
written once and used often.

Every text gets in through ``words`` only, which lets no sign through that XML, a page or the eye could take
for something else.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Any, TypeVar
from xml.sax.saxutils import quoteattr

from msgspec import Struct
from msgspec.structs import replace

from ..frame import DROP
from ..hexes import RADIUS
from ..lettering import fitted, plain, width
from ..painted.counters import NARROWEST
from ..palette import INK, Colour
from ..themes import Theme

UNIT = RADIUS
"""Scene units from the middle of a hex to its corner; most drawings are made in such radii."""
FONTS = "'DejaVu Sans',Verdana,'Noto Sans','Segoe UI','Helvetica Neue',Arial,sans-serif"
"""For names and numbers: broad, with digits that cannot be mistaken; the first that a machine has."""
SERIFS = "'EB Garamond',Garamond,'Palatino Linotype',Palatino,'Book Antiqua',Georgia,serif"
BACK = 24
"""How many paths back one is looked for that another can become a part of."""
MEASURE = 200
"""The size at which widths are taken."""
Spot = tuple[float, float]
Spots = Sequence[Spot]
Made = TypeVar("Made")


def number(value: float) -> str:
    """Return a number as short as it can be written, to one unit of the scene."""
    return str(round(value))


def hexa(colour: Colour) -> str:
    """Return a colour as CSS writes it."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


def attributes(**values: object) -> str:
    """Return attributes; an underscore in a name stands for a hyphen, and what is None is left out."""
    return "".join(
        f" {name.rstrip('_').replace('_', '-')}={quoteattr(number(value) if isinstance(value, float) else str(value))}"
        for name, value in values.items()
        if value is not None
    )


def way(spots: Iterable[Spot], closed: bool = False) -> str:
    """Return the path through some places, in steps from one to the next, which are shorter to write than
    places.
    """
    found, last, x, y = "", "", 0, 0
    for px, py in spots:
        nx, ny = round(px), round(py)
        if not found:
            found = f"M{nx} {ny}"
        elif nx == x or ny == y:
            last, found = "h" if ny == y else "v", found + (f"h{nx - x}" if ny == y else f"v{ny - y}")
        else:
            gap = "l" if last != "l" else " " if nx >= x else ""
            last, found = "l", f"{found}{gap}{nx - x}{'' if ny < y else ' '}{ny - y}"
        x, y = nx, ny
    return found + ("z" if closed else "")


def round_way(x: float, y: float, reach: float, high: float | None = None) -> str:
    """Return a circle as a path; an ellipse, if it is as high as something else."""
    r, h = max(1, round(reach)), max(1, round(reach if high is None else high))
    return f"M{round(x) - r} {round(y)}a{r} {h} 0 1 1 {2 * r} 0a{r} {h} 0 1 1 {-2 * r} 0z"


def shape(d: str, fill: Colour | None, stroke: Colour | None = None, wide: float = 0, **more: object) -> str:
    """Return a path in colours."""
    return (
        f"<path{attributes(d=d, fill=hexa(fill) if fill else 'none', stroke=hexa(stroke) if stroke else None)}"
        + (f"{attributes(stroke_width=max(1, round(wide))) if stroke else ''}{attributes(**more)}/>")
    )


def words(
    text: str,
    x: float,
    y: float,
    size: float,
    room: float,
    fill: Colour,
    *,
    least: float = 0,
    limit: int = 60,
    face: str = "bold",
    **more: object,
) -> str:
    """Return a text with its middle at a place, no wider than the room: pressed together a little, then
    smaller, then cut.

    It is measured in a font that is bundled; where it had to be pressed, or has signs that this font has not,
    ``textLength`` holds it.
    """
    shown = plain(text, limit)
    size = max(1, round(size))
    longest = room / NARROWEST * MEASURE / max(1.0, least or size * 0.6)
    shown, _ = fitted(shown, face, MEASURE, longest, MEASURE)
    wide = measured(shown, face) * size
    if wide * NARROWEST > room:
        size, wide = max(1, round(size * room / (wide * NARROWEST))), room / NARROWEST
    held = round(min(room, wide)) if wide > room or any(map(_foreign, shown)) else None
    press = attributes(textLength=held, lengthAdjust="spacingAndGlyphs") if held and shown else ""
    return (
        f"<text{attributes(x=round(x) or None, y=round(y + size * 0.36), font_size=size, fill=hexa(fill))}{press}{attributes(**more)}>"
        f"{escaped(shown)}</text>"
    )


def _foreign(letter: str) -> bool:
    """Tell whether a sign is one of those that the bundled fonts lack and that are as broad
    as they are high.
    """
    return unicodedata.east_asian_width(letter) in ("W", "F")


@lru_cache(maxsize=4096)
def measured(text: str, face: str = "bold") -> float:
    """Return the width of a text at size 1."""
    return sum(1.05 if _foreign(letter) else width(letter, face, MEASURE) / MEASURE for letter in text)


def escaped(text: str) -> str:
    """Return a text as it may stand between tags; signs that nobody sees, or that turn what follows, are left
    out.
    """
    kept = "".join(
        letter
        for letter in text
        if letter == "\n" or unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Co", "Cn")
    )
    return kept.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


class Book:
    """Everything that one map uses more than once: each drawing stands in it once, under a name made of what
    it is.
    """

    def __init__(self, theme: Theme, grid: bool = True) -> None:
        self.theme = theme
        self.drop = DROP * UNIT if grid else 0.0
        """How far counters, and the arrows between them, lie below the middle of their hex."""
        self.drawings: dict[str, str] = {}
        self.map: Any = None
        """What whoever lays pieces has found out about the map, which stays the same from scene to scene."""
        self._made: dict[Hashable, Any] = {}
        self._known: dict[Hashable, str] = {}

    def put(self, key: Hashable, draw: Callable[[], str]) -> str:
        """Return the use of a drawing, which is made only if nothing was put under this key before."""
        if key not in self._known:
            drawn = draw()
            name = "p" + self.name(drawn)
            while self.drawings.get(name, drawn) != drawn:
                name += "x"
            self.drawings[name] = drawn
            self._known[key] = f'<use href="#{name}"/>'
        return self._known[key]

    def name(self, drawn: str) -> str:
        """Return a name made of what is drawn: two maps on one page use the same names for the same drawings
        only.
        """
        return blake2b(drawn.encode(), digest_size=4).hexdigest()

    def once(self, make: Callable[..., Made], *about: Hashable) -> Made:
        """Return what a function makes (it gets this book first), made once for what it is about."""
        key = (make, about)
        if key not in self._made:
            self._made[key] = make(self, *about)
        found: Made = self._made[key]
        return found

    def written(self) -> str:
        """Return all drawings as definitions."""
        return "".join(f'<g id="{name}">{drawn}</g>' for name, drawn in self.drawings.items())


class _Style(Struct, frozen=True):
    """How one path is drawn; those of one style are joined, unless each has a rim of its own or shines
    through.
    """

    fill: Colour | None
    stroke: Colour | None = None
    wide: int = 0
    round_: bool = False
    clear: float = 1

    def joins(self, other: _Style) -> bool:
        return self == other and self.clear == 1 and (self.fill is None or self.stroke is None)

    def path(self, d: str) -> str:
        return shape(
            d,
            self.fill,
            self.stroke,
            self.wide,
            stroke_linecap="round" if self.round_ else None,
            opacity=f"{self.clear:g}" if self.clear < 1 else None,
        )


Box = tuple[float, float, float, float]


def _around(spots: Spots, more: float) -> Box:
    """Return the box round some places, larger by so much on each side."""
    xs, ys = [x for x, _ in spots], [y for _, y in spots]
    return min(xs) - more, min(ys) - more, max(xs) + more, max(ys) + more


class Pen:
    """Takes what ``ImageDraw`` takes, and writes it down; what has one style and nothing between becomes one
    path.

    With a theme each colour is written as that theme has it in wood and stone.
    """

    def __init__(self, scale: float = 1.0, theme: Theme | None = None) -> None:
        self.scale, self.theme = scale, theme
        self._done: list[tuple[_Style, str, Box]] = []
        self._last: tuple[Spot, Spot] | None = None

    def add(self, style: _Style, d: str, spots: Spots) -> None:
        """Write a path down that goes through some places."""
        self._done.append((style, d, _around(spots, style.wide)))
        self._last = None

    def spots(self, xy: Any) -> list[Spot]:
        """Return places in scene units, from pairs or from a row of numbers."""
        listed = list(xy)
        if listed and not isinstance(listed[0], tuple | list):
            listed = list(zip(listed[::2], listed[1::2], strict=True))
        return [(x * self.scale, y * self.scale) for x, y in listed]

    def tone(self, colour: Any) -> Colour:
        """Return a colour as it is written."""
        plain_: Colour = tuple(colour[:3])
        return plain_ if self.theme is None else self.theme.tone(plain_)

    def _fill(self, fill: Any) -> _Style:
        return _Style(self.tone(fill), clear=round(fill[3] / 255, 2) if len(fill) > 3 else 1)

    def polygon(self, xy: Any, fill: Any = None, outline: Any = None, width: float = 1) -> None:
        """Draw a filled shape; all run the same way round, so that two of one colour that overlap leave no
        hole.
        """
        spots = self.spots(xy)
        area = sum(
            ax * by - bx * ay for (ax, ay), (bx, by) in zip(spots, [*spots[1:], spots[0]], strict=True)
        )
        if fill is not None:
            self.add(self._fill(fill), way(spots if area >= 0 else spots[::-1], closed=True), spots)
        if outline is not None:
            self.add(
                _Style(None, self.tone(outline), max(1, round(width * self.scale))),
                way(spots, closed=True),
                spots,
            )

    def line(self, xy: Any, fill: Any = None, width: float = 1, joint: str | None = None) -> None:
        """Draw a line."""
        spots = self.spots(xy)
        self.add(_Style(None, self.tone(fill), max(1, round(width * self.scale))), way(spots), spots)
        self._last = (spots[0], spots[-1])

    def round_line(self, spots: Spots, colour: Colour, width: float) -> None:
        """Draw a line with round ends, in scene units; through one place only it is a disc, which is short to
        write.
        """
        d = way(spots) if len(spots) > 1 else way(spots) + "h0"
        self.add(_Style(None, self.tone(colour), max(1, round(width)), True), d, spots)

    def ellipse(self, xy: Any, fill: Any = None, outline: Any = None, width: float = 1) -> None:
        """Draw a disc; one that only rounds an end of the line before it makes the ends of that line round
        instead.
        """
        (left, top), (right, bottom) = self.spots(xy)
        x, y, reach, high = (left + right) / 2, (top + bottom) / 2, (right - left) / 2, (bottom - top) / 2
        if fill is not None and self._last and self._done and self._done[-1][0].stroke == self.tone(fill):
            style, d, box = self._done[-1]
            if abs(reach * 2 - style.wide) < 4 and any(math.dist((x, y), spot) < 3 for spot in self._last):
                self._done[-1] = (replace(style, round_=True), d, box)
                return
        if fill is not None and len(fill) == 3 and outline is None and abs(reach - high) < 1:
            self.round_line([(x, y)], fill, 2 * reach)
            return
        rim = (self.tone(outline), max(1, round(width * self.scale))) if outline is not None else (None, 0)
        style = _Style(None) if fill is None else self._fill(fill)
        spots = [(x - reach, y - high), (x + reach, y + high)]
        self.add(replace(style, stroke=rim[0], wide=rim[1]), round_way(x, y, reach, high), spots)

    def rectangle(self, xy: Any, fill: Any = None, outline: Any = None, width: float = 1) -> None:
        """Draw an oblong."""
        (left, top), (right, bottom) = Pen.spots(Pen(), xy)
        self.polygon([(left, top), (right, top), (right, bottom), (left, bottom)], fill, outline, width)

    def pieslice(
        self, xy: Any, start: float, end: float, fill: Any = None, outline: Any = None, width: float = 1
    ) -> None:
        """Draw a piece of a pie between two angles (degrees, clockwise from the right)."""
        (left, top), (right, bottom) = self.spots(xy)
        x, y, r = (left + right) / 2, (top + bottom) / 2, (right - left) / 2
        arc = [math.radians(start + (end - start) * i / 4) for i in range(5)]
        spots = [(x, y), *((x + math.cos(a) * r, y + math.sin(a) * r) for a in arc)]
        self.add(self._fill(fill), way(spots, closed=True), spots)

    def written(self) -> str:
        """Return what was drawn."""
        joined: list[tuple[_Style, list[str], list[Box]]] = []
        for style, d, box in self._done:
            for before in reversed(joined[-BACK:]):
                if before[0].joins(style):
                    before[1].append(d)
                    before[2].append(box)
                    break
                if any(
                    box[0] < b[2] and box[2] > b[0] and box[1] < b[3] and box[3] > b[1] for b in before[2]
                ):
                    joined.append((style, [d], [box]))
                    break
            else:
                joined.append((style, [d], [box]))
        return "".join(style.path("".join(ds)) for style, ds, _ in joined)


class Plane:
    """Draws in hex radii, as the decks of the painted counters and engines do: x runs forward, y to the right
    hand.
    """

    def __init__(self, theme: Theme) -> None:
        self.pen = Pen(UNIT, theme)

    def face(self, points: Spots, colour: Colour, rim: float = 0.035, ink: Colour = INK) -> None:
        """Draw a filled shape with a rim of ink."""
        if rim:
            spots = self.pen.spots(points)
            self.pen.add(
                _Style(self.pen.tone(colour), self.pen.tone(ink), max(1, round(rim * UNIT))),
                way(spots, closed=True),
                spots,
            )
        else:
            self.pen.polygon(points, colour)

    def line(self, points: Spots, wide: float, colour: Colour) -> None:
        """Draw a line with round ends."""
        self.pen.round_line(self.pen.spots(points), colour, wide * UNIT)

    def disc(self, x: float, y: float, reach: float, colour: Colour, rim: float = 0.035) -> None:
        """Draw a disc with a rim of ink."""
        if not rim:
            self.pen.round_line([(x * UNIT, y * UNIT)], colour, 2 * reach * UNIT)
            return
        style = _Style(self.pen.tone(colour), self.pen.tone(INK), max(1, round(rim * UNIT)))
        spots = self.pen.spots([(x - reach, y - reach), (x + reach, y + reach)])
        self.pen.add(style, round_way(x * UNIT, y * UNIT, reach * UNIT), spots)

    def written(self) -> str:
        """Return what was drawn."""
        return self.pen.written()


def moved(drawn: str, x: float, y: float, turn: float = 0, share: float = 1) -> str:
    """Return a drawing at another place, turned (degrees, clockwise) and larger or smaller."""
    how = []
    if round(x) or round(y):
        how.append(f"translate({round(x)} {round(y)})")
    if turn:
        how.append(f"rotate({round(turn)})")
    if share != 1:
        how.append(f"scale({round(share, 3):g})")
    if not how:
        return drawn
    if drawn.startswith("<use href") and drawn.count("<") == 1:
        return drawn.replace("<use ", f'<use transform="{" ".join(how)}" ', 1)
    return f'<g transform="{" ".join(how)}">{drawn}</g>'


def turned(turn: float) -> Spot:
    """Return cosine and sine of an angle in degrees."""
    return math.cos(math.radians(turn)), math.sin(math.radians(turn))
