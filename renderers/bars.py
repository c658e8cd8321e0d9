"""Shares as bars: of each pairing how many games one side won, how many nobody, how many the other."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import Final

from msgspec import Struct
from PIL import Image, ImageDraw

from .lettering import fitted, font, plain, written
from .palette import Colour
from .themes import Theme, theme_of

WIDTH: Final = 1200
_ROW, _HEAD, _EDGE = 64, 96, 36
_BAR, _NAMES = 26, 260
MOST: Final = 400
"""So many rows are drawn; the table has the others."""


class Bar(Struct, frozen=True):
    """One row: what it is about, and its parts from left to right: a name, how many, the colour of a side."""

    title: str
    parts: tuple[tuple[str, int, str], ...]


def render(title: str, bars: Sequence[Bar], theme: str = "parchment") -> bytes:
    """Return a PNG of the shares, a row for each."""
    look = theme_of(theme)
    shown = bars[:MOST]
    image = Image.new("RGB", (WIDTH, _HEAD + _ROW * len(shown) + _EDGE), look.page)
    draw = ImageDraw.Draw(image)
    text, size = fitted(written(plain(title), "title"), "title", 34, WIDTH - 2 * _EDGE, 16)
    draw.text((_EDGE, 30), text, look.title, font("title", size))
    for number, bar in enumerate(shown):
        _row(draw, look, bar, _HEAD + number * _ROW)
    file = BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


def _row(draw: ImageDraw.ImageDraw, look: Theme, bar: Bar, top: int) -> None:
    label, size = fitted(written(plain(bar.title), "bold"), "bold", 15, _NAMES - 12, 9)
    draw.text((_EDGE, top + 4), label, look.ink, font("bold", size))
    whole = max(1, sum(count for _, count, _ in bar.parts))
    left, room, so_far = _EDGE + _NAMES, WIDTH - 2 * _EDGE - _NAMES, 0
    for number, (name, count, colour) in enumerate(bar.parts):
        begin, end = (left + round(room * part / whole) for part in (so_far, so_far + count))
        so_far += count
        if count:
            draw.rectangle((begin, top, end - 1, top + _BAR), _colour(look, colour), look.ink)
        _named(draw, look, f"{name} {count}", number, len(bar.parts), (left, room, top + _BAR + 5))


def _named(
    draw: ImageDraw.ImageDraw, look: Theme, said: str, number: int, of: int, place: tuple[int, int, int]
) -> None:
    """Write what a part is below the bar: the first at its left end, the last at its right one, others
    between.
    """
    left, room, top = place
    text, size = fitted(written(plain(said), "sans"), "sans", 13, room / of - 8, 9)
    wide = font("sans", size).getlength(text)
    share = number / (of - 1) if of > 1 else 0.0
    draw.text((left + (room - wide) * share, top), text, look.ink, font("sans", size))


def _colour(look: Theme, name: str) -> Colour:
    return look.side(name) if name else look.paper
