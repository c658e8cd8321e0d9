"""A scene as one SVG: the whole map with title and legend, in the colours of a theme, that runs nothing and
fetches nothing.

The same pieces as on the boards of pages lie on a drawn ground. Texts stay texts; names are cut and cannot
become anything else.
"""

from __future__ import annotations

from pbem.core.scene import Scene

from . import text
from .drawn import svg_furniture
from .drawn.svg_ground import box, ground
from .drawn.svg_layers import placed
from .drawn.svg_pen import FONTS, UNIT, Book, attributes, escaped, hexa, moved
from .laid import free, laid
from .themes import PARCHMENT, Theme

MARGIN = round(0.42 * UNIT)


def render(scene: Scene, *, theme: Theme = PARCHMENT, width: int | None = None) -> str:
    """Return the scene as an SVG that is complete in itself; without a ``width`` in pixels it fills the place
    it is put in.
    """
    scene = laid(scene)
    book = Book(theme, not free(scene))
    left, top, right, bottom = box(scene, MARGIN)
    wide = right - left
    head, high = svg_furniture.head(book, scene, left, top, wide)
    foot, deep = svg_furniture.legend(book, scene, left, bottom, wide)
    map_ = ground(book, scene) + "".join(
        moved(piece.drawn, piece.x, piece.y) for piece in placed(book, scene) if piece.drawn
    )
    view = (left, top - high, wide, bottom - top + high + deep)
    size = {"width": width, "height": round(width * view[3] / view[2])} if width else {}
    style = attributes(
        xmlns="http://www.w3.org/2000/svg",
        viewBox=" ".join(map(str, view)),
        **size,
        role="img",
        lang="en",
        font_family=FONTS,
        font_weight="bold",
        text_anchor="middle",
        stroke_linejoin="round",
    )
    page = f"<rect{attributes(x=view[0], y=view[1], width=view[2], height=view[3], fill=hexa(theme.page))}/>"
    return (
        f"<svg{style}>\n<title>{escaped(text.alt(scene))}</title>\n"
        f"<desc>{escaped(text.describe(scene))}</desc>\n"
        f"<defs>{book.written()}</defs>\n{page}\n{head}\n{map_}\n{foot}\n</svg>\n"
    )
