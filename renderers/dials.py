"""The sheet of all dials: of each its clicks in a row, what it shows at every one of them, and which it shows
now; as a picture and as SVG.

Both pictures are made of the same boxes and words, so that they cannot differ.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from PIL import Image, ImageDraw

from pbem.core.scene import Dial, Plan

from .lettering import fitted, font, plain
from .palette import Colour, mix
from .text import describe_plan
from .themes import Theme

WIDTH, MARGIN, GAP = 1240, 60, 40
"""Pixels across the page, at its sides, and between its two columns."""
HEAD, KEY = 118, 46
HIGH, LINE = 26, 19
"""How high the name of a dial is, and a line of its values."""
CELL = 40
"""How broad a click is at most."""


class Box(Struct, frozen=True):
    """An oblong, filled and with a rim."""

    left: float
    top: float
    wide: float
    high: float
    fill: Colour | None
    rim: Colour | None
    thick: int = 1


class Words(Struct, frozen=True):
    """A line of words: where it stands (``start`` or ``middle``), how large, in which face."""

    x: float
    y: float
    text: str
    size: int
    face: str
    colour: Colour
    anchor: str = "start"


class Sheet(Struct, frozen=True):
    """A page: its size, and what is on it from below."""

    wide: int
    high: int
    shapes: tuple[Box | Words, ...]


def laid(plan: Plan, theme: Theme) -> Sheet:
    """Return the page of all dials, side by side in two columns, those of a side under its name."""
    wide = (WIDTH - 2 * MARGIN - GAP) / 2
    shapes: list[Box | Words] = [*_head(plan, theme)]
    y: float = HEAD + KEY
    for side in dict.fromkeys(dial.side for dial in plan.dials):
        dials = [dial for dial in plan.dials if dial.side == side]
        colour = theme.side(dials[0].colour)
        shapes.append(Words(MARGIN, y + 20, plain(plan.kinds.get(side, side), 80), 26, "title", colour))
        y += 40
        tops = [y, y]
        for dial in dials:
            column = 0 if tops[0] <= tops[1] else 1
            shapes += _dial(dial, MARGIN + column * (wide + GAP), tops[column], wide, theme)
            tops[column] += _high(dial)
        y = max(tops) + 12
    return Sheet(WIDTH, round(y + MARGIN / 2), tuple(shapes))


def _head(plan: Plan, theme: Theme) -> Iterator[Box | Words]:
    room = WIDTH - 2 * MARGIN
    title, size = fitted(plain(plan.title, 120), "title", 50, room, 20)
    yield Words(MARGIN, 50, title, size, "title", theme.title)
    words, small = fitted(plain(plan.subtitle, 200), "italic", 26, room, 14)
    yield Words(MARGIN, 88, words, small, "italic", theme.faded)
    yield Box(MARGIN, 108, room, 1, theme.ink, None)
    said = f"From above: {', '.join(plan.values)}. Dark rim: now; grey: lost; a dot: where it began."
    text, size = fitted(plain(said, 240), "serif", 22, room, 11)
    yield Words(MARGIN, HEAD + 16, text, size, "serif", theme.ink)


def _high(dial: Dial) -> float:
    return HIGH + LINE * max((len(window) for window in dial.windows), default=0) + 34


def _dial(dial: Dial, left: float, top: float, wide: float, theme: Theme) -> Iterator[Box | Words]:
    colour = theme.side(dial.colour)
    name, size = fitted(plain(f"{dial.id}: {dial.name}, {dial.kind}", 90), "bold", 18, wide * 0.64, 10)
    yield Words(left, top + HIGH / 2, name, size, "bold", colour)
    note, small = fitted(plain(dial.note, 60), "sans", 15, wide * 0.34, 9)
    yield Words(left + wide * 0.66, top + HIGH / 2, note, small, "sans", theme.faded)
    broad = min(CELL, wide / (len(dial.windows) + 1))
    y, lines = top + HIGH, max((len(window) for window in dial.windows), default=0)
    for n, window in enumerate(dial.windows):
        now, lost = n == dial.at, n < dial.at
        x = left + n * broad
        fill = mix(theme.paper, theme.ink, 0.2) if lost else theme.paper
        if n < len(dial.marks) and dial.marks[n] and not lost:
            fill = mix(theme.paper, theme.changed, 0.4)
        yield Box(x, y, broad, LINE * lines + 6, fill, theme.ink)
        ink = mix(theme.ink, theme.paper, 0.25) if lost else theme.ink
        for line, value in enumerate(window):
            face = "bold" if now else "sans"
            yield Words(x + broad / 2, y + 3 + LINE * (line + 0.5), value, 14, face, ink, "middle")
        if n == dial.begins:
            yield Box(x + broad / 2 - 3, y + LINE * lines + 9, 6, 6, colour, None)
    ends = left + len(dial.windows) * broad
    yield Box(ends, y, broad * 0.7, LINE * lines + 6, mix(theme.paper, theme.ink, 0.55), theme.ink)
    yield Words(ends + broad * 0.35, y + 3 + LINE * lines / 2, "×", 18, "bold", theme.paper, "middle")
    x = left + min(dial.at, len(dial.windows)) * broad
    gone = dial.at >= len(dial.windows)
    yield Box(x - 1, y - 1, (broad * 0.7 if gone else broad) + 2, LINE * lines + 8, None, colour, 4)


def picture(plan: Plan, theme: Theme) -> Image.Image:
    """Return the sheet as a picture."""
    sheet = laid(plan, theme)
    page = Image.new("RGB", (sheet.wide, sheet.high), theme.page)
    draw = ImageDraw.Draw(page)
    for one in sheet.shapes:
        if isinstance(one, Words):
            anchor = "mm" if one.anchor == "middle" else "lm"
            draw.text((one.x, one.y), one.text, font=font(one.face, one.size), fill=one.colour, anchor=anchor)
        else:
            box = (one.left, one.top, one.left + one.wide, one.top + one.high)
            draw.rectangle(box, fill=one.fill, outline=one.rim, width=one.thick)
    return page


def drawn(plan: Plan, theme: Theme) -> str:
    """Return the sheet as SVG, with title, alt text and words."""
    from .drawn.svg_pen import FONTS, SERIFS, attributes, escaped, hexa

    sheet = laid(plan, theme)
    found = [f"<rect{attributes(width=sheet.wide, height=sheet.high, fill=hexa(theme.page))}/>"]
    for one in sheet.shapes:
        if isinstance(one, Words):
            serif = one.face in ("title", "serif", "italic")
            style = attributes(
                x=round(one.x),
                y=round(one.y + one.size * 0.36),
                font_size=one.size,
                fill=hexa(one.colour),
                text_anchor=None if one.anchor == "start" else one.anchor,
                font_family=SERIFS if serif else None,
                font_weight="bold" if one.face in ("bold", "title") else None,
                font_style="italic" if one.face == "italic" else None,
            )
            found.append(f"<text{style}>{escaped(one.text)}</text>")
        else:
            box = attributes(
                x=round(one.left),
                y=round(one.top),
                width=round(one.wide),
                height=max(1, round(one.high)),
                fill=hexa(one.fill) if one.fill else "none",
                stroke=hexa(one.rim) if one.rim else None,
                stroke_width=one.thick if one.rim else None,
            )
            found.append(f"<rect{box}/>")
    size = f"0 0 {sheet.wide} {sheet.high}"
    root = attributes(xmlns="http://www.w3.org/2000/svg", viewBox=size, role="img", font_family=FONTS)
    words = escaped(describe_plan(plan))
    return (
        f"<svg{root}><title>{escaped(plain(plan.title))}</title><desc>{words}</desc>{''.join(found)}</svg>\n"
    )
