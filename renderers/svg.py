"""A scene as one SVG: the whole map with title and legend, in the colours of a theme, that runs nothing and
fetches nothing.

The same pieces as on the boards of pages lie on a drawn ground. Texts stay texts; names are cut and cannot
become anything else.
"""

from __future__ import annotations

from pbem.core.scene import Scene

from . import levels, text
from .drawn import svg_furniture
from .drawn.svg_ground import box, ground
from .drawn.svg_layers import placed
from .drawn.svg_pen import FONTS, UNIT, Book, attributes, escaped, hexa, moved
from .laid import free, laid
from .themes import PARCHMENT, Theme

MARGIN = round(0.42 * UNIT)
GROUND = "ground-below"
"""The id of the ground, where windows on storeys show it again."""


def render(scene: Scene, *, theme: Theme = PARCHMENT, width: int | None = None) -> str:
    """Return the scene as an SVG that is complete in itself; without a ``width`` in pixels it fills the place
    it is put in.
    """
    scene = laid(scene)
    book = Book(theme, not free(scene))
    left, top, right, bottom = box(scene, MARGIN)
    wide = right - left
    head, high = svg_furniture.head(book, scene, left, top, wide)
    below = ground(book, scene)
    floors, down = _levels(book, scene, left, bottom, wide)
    foot, deep = svg_furniture.legend(book, scene, left, bottom + down, wide)
    deep += down
    map_ = (f'<g id="{GROUND}">{below}</g>' if floors else below) + _pieces(book, scene) + floors
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


def _pieces(book: Book, scene: Scene) -> str:
    return "".join(moved(piece.drawn, piece.x, piece.y) for piece in placed(book, scene) if piece.drawn)


def _levels(book: Book, scene: Scene, left: int, top: int, wide: int) -> tuple[str, int]:
    """Return windows on storeys that lie above one another, side by side below the map, and how high they
    are.
    """
    shown = levels.panels(scene)
    if not shown:
        return "", 0
    count = min(len(shown), levels.ROW)
    room, size = (wide - MARGIN * (count + 1)) // count, round(wide / 64)
    drawn, at = [], top + MARGIN
    for number in range(0, len(shown), levels.ROW):
        row = shown[number : number + levels.ROW]
        high = max(round(room * (one.box[3] - one.box[1]) / (one.box[2] - one.box[0])) for one in row)
        for place, one in enumerate(row):
            x = left + MARGIN + place * (room + MARGIN)
            frame = attributes(
                x=x,
                y=at + 2 * size,
                width=room,
                height=round(room * (one.box[3] - one.box[1]) / (one.box[2] - one.box[0])),
                viewBox=f"{one.box[0]} {one.box[1]} {one.box[2] - one.box[0]} {one.box[3] - one.box[1]}",
            )
            words = attributes(x=x, y=at + round(1.4 * size), font_size=size, fill=hexa(book.theme.title))
            drawn.append(f'<text{words} text-anchor="start">{escaped(one.title)}</text>')
            drawn.append(f'<svg{frame}><use href="#{GROUND}"/>{_pieces(book, one.scene)}</svg>')
        at += high + 2 * size + MARGIN
    return "".join(drawn), at - top
