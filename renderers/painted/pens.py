"""Pens that draw in the colours of a theme: what a module draws in wood and stone comes out as that theme has
wood and stone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PIL import Image, ImageDraw

from ..themes import PARCHMENT, Theme

Draw = ImageDraw.ImageDraw


class Toned:
    """Draws as ImageDraw does, but each colour as a theme has it; a number, which is a mask's, stays."""

    def __init__(self, draw: Draw, theme: Theme) -> None:
        self._draw, self._theme = draw, theme

    def __getattr__(self, name: str) -> Any:
        """Return what draws, with its colours toned."""
        work: Callable[..., Any] = getattr(self._draw, name)
        if name not in ("line", "polygon", "ellipse", "rectangle", "rounded_rectangle", "pieslice", "arc"):
            return work

        def toned(*args: Any, **options: Any) -> Any:
            for key in ("fill", "outline"):
                colour = options.get(key)
                if isinstance(colour, tuple):
                    options[key] = (*self._theme.tone(colour[:3]), *colour[3:])
            return work(*args, **options)

        return toned


def pen(picture: Image.Image, theme: Theme) -> Draw:
    """Return what draws on a picture in a theme; on parchment everything has the colours it is drawn with."""
    draw = ImageDraw.Draw(picture)
    return draw if theme == PARCHMENT else Toned(draw, theme)  # type: ignore[return-value]


def toned(picture: Image.Image, theme: Theme) -> Image.Image:
    """Return a finished drawing of wood, stone or fire as a theme has it; what is see-through stays so."""
    if theme == PARCHMENT:
        return picture
    red, green, blue = (theme.drained * part for part in (0.299, 0.587, 0.114))
    rest = 1 - theme.drained
    mixed = picture.convert("RGB").convert(
        "RGB", (rest + red, green, blue, 0, red, rest + green, blue, 0, red, green, rest + blue, 0)
    )
    found = mixed.point([theme.tone((value, value, value))[0] for value in range(256)] * 3)
    if picture.mode == "RGBA":
        found.putalpha(picture.getchannel("A"))
    return found
