"""A map for a page: the ground as a picture, its cells to click, and the pieces on it as SVG, for one moment
or for many.

``board`` returns plain data, which a page shows without knowing any rule or how anything is drawn
(``pages/board.js`` does):

* ``box``: [left, top, width, height] in scene units, the ``viewBox`` of the map.
* ``ground``: a ``data:`` address of the static layer, which fills the box.
* ``cells``: for each area [number, x, y, corners as ``points``, what it is in words]. On a table
  without a grid each base, and each piece of building, has a cell of its own where it stands, named by its
  place; a sixth part is then how far it reaches, and it can be chosen only while something is there.
* ``free``: there and true where there is no grid.
* ``table``: of a table where it begins, left and below, and how many scene units an inch has there.
* ``pieces``: each distinct piece of SVG once, drawn round the origin (what lies along a way: in scene units).
* ``drawings``: the ``<g id=…>`` that pieces ``<use>``: what many of them share, each once.
* ``entries``: each distinct [key, piece, x, y, words, cells], in the order in which they lie on one another;
  ``key`` is ``token/ID``,
  ``thing/ID``, ``feature/HEX`` or ``trace/N``, and with a further part what belongs to one of these
  (``trace/3/result``,
  ``thing/ram1/name``), ``changed/HEX`` and ``fight/HEX`` are rims, ``dead/HEX`` graves, ``number/HEX`` hex
  numbers written again;
  ``words`` say what it is for those who cannot see it (``0712: tudur, spearman, 8-6-7, wounded, The Reeve``),
  empty where another entry says it; ``cells`` are the places in ``cells`` of the hexes it stands on, the head
  first. Each figure on the map has its entry, also a body that nothing is drawn of because others lie above
  it.
* ``frames``: for each scene the numbers of the entries that come or go since the one before (before the first
  nothing is there); what is there, in the order of its numbers, lies from the lowest to the highest.
  ``entries_at`` gives it whole.
* ``storeys``: where people stand above one another, the windows that show them storey by storey; not there
  where nobody is above another in any frame. ``frames`` has [frame, windows] for each frame that has others
  than the one before; a window is [box, title, figures on that storey, what else in the box is on another].
  All but the box (left, top, right, bottom) are places in ``named``: titles, ids of figures, keys of entries.
  What is on another storey are also the figures of the other windows with the same box.
* ``colours``: name -> CSS colour of page, ink, lines and sides in this theme.
* ``words``: what the board itself says: its name, how it is used, its buttons.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from pbem.core.scene import Measure, Scene, Thing, Token

from . import levels
from .drawn.svg_layers import placed
from .drawn.svg_pen import FONTS, UNIT, Book, attributes, hexa, moved
from .drawn.svg_placed import Placed
from .frame import whole
from .keeping import file_once
from .laid import free, laid, outline
from .lettering import plain
from .painted.base import base, static_key
from .painted.bases import half_of
from .themes import PARCHMENT, Theme

WIDTH = 1400
QUALITY, METHOD = 75, 4
"""Of the WebP of the ground: how like it is, and with how much labour it is made small."""
REST = 60
"""Scene units by which the rim of what is chosen lies outside of a base."""
READABLE = 26
"""Pixels of a hex radius at which names on counters can be read."""
STILL = "still-ground"
"""Id of the ground in a map that needs no script, by which its windows show it again."""
MARGIN = 0.006
"""Of the ground round the map, as a share of its width."""

STYLES = ("page.css", "board.css")
SCRIPTS = ("board_kit.js", "board_window.js", "board_storeys.js", "board.js")
"""What a page with a board takes from ``pages``, in this order."""
WORDS = {
    "map": "Map",
    "kind": "map",
    "help": "Arrow keys go from place to place, Home and End to the ends of a row, "
    "Page Up and Page Down to the next figure; Enter chooses; plus and minus zoom, 0 shows the whole map.",
    "tools": "Zoom",
    "in": "Larger",
    "out": "Smaller",
    "fit": "Whole map",
    "storeys": "Storey by storey",
    "close": "Close",
}


def board(scenes: Sequence[Scene], *, theme: Theme = PARCHMENT, width: int = WIDTH) -> dict[str, Any]:
    """Return a map with its ground, and for each scene the pieces that are on it; all
    scenes are of one map.
    """
    scenes = [laid(scene) for scene in scenes]
    first = scenes[0] if scenes else Scene("", "", ())
    cells = {area.at: index for index, area in enumerate(first.areas)}
    standing = _standing(scenes, cells)
    book = Book(theme, not free(first))
    numbers: dict[Placed, int] = {}
    shown = [[numbers.setdefault(piece, len(numbers)) for piece in placed(book, scene)] for scene in scenes]
    ordered = sorted(numbers, key=lambda piece: (piece.rank, numbers[piece]))
    places = [0] * len(ordered)
    for place, piece in enumerate(ordered):
        places[numbers[piece]] = place
    pieces: dict[str, int] = {}
    entries = []
    for piece in ordered:
        index = pieces.setdefault(piece.drawn, len(pieces))
        entries.append(
            [piece.key, index, piece.x, piece.y, piece.words, [cells[at] for at in piece.at if at in cells]]
        )
    frames, before = [], set[int]()
    for listed in shown:
        now = {places[number] for number in listed}
        frames.append(sorted(now ^ before))
        before = now
    box, ground = _ground(first, theme, width)
    return {
        **({"free": True} if free(first) else {}),
        **({"table": _table(first.measure)} if first.measure is not None else {}),
        "box": box,
        "ground": ground,
        "cells": [
            [
                area.at,
                *area.centre,
                " ".join(f"{x},{y}" for x, y in area.corners),
                _cell(first, area.at, area.name, area.ground, area.marks),
            ]
            for area in first.areas
        ]
        + standing,
        "pieces": list(pieces),
        "drawings": book.written(),
        "entries": entries,
        "frames": frames,
        **({"storeys": storeys} if (storeys := _storeys(scenes)) else {}),
        "colours": colours(first, theme),
        "words": WORDS,
    }


def _storeys(scenes: Sequence[Scene]) -> dict[str, Any]:
    """Return the windows on storeys, for the frames in which they change; empty where there never are any."""
    named: dict[str, int] = {}
    frames: list[list[Any]] = []
    before: list[list[Any]] = []
    for number, scene in enumerate(scenes):
        shown = levels.panels(scene)
        windows: list[list[Any]] = []
        for panel in shown:
            others = {f"token/{who}" for one in shown if one.box == panel.box for who in one.on_it}
            beyond = [key for key in levels.hidden(scene, panel) if key not in others]
            listed = [
                [named.setdefault(one, len(named)) for one in part]
                for part in ((panel.title,), panel.on_it, beyond)
            ]
            windows.append([list(panel.box), listed[0][0], *listed[1:]])
        if windows != before:
            frames.append([number, windows])
            before = windows
    return {"named": list(named), "frames": frames} if frames else {}


def storeys_at(
    data: Mapping[str, Any], index: int
) -> list[tuple[str, Sequence[float], list[str], list[str]]]:
    """Return the windows on storeys of one of the frames: title, box, ids of the figures on that storey, and
    keys of what lies in the box and is on another.
    """
    told = data.get("storeys", {"named": (), "frames": ()})
    windows: Sequence[Any] = next((one for first, one in reversed(told["frames"]) if first <= index), ())
    found = []
    for box, title, on_it, beyond in windows:
        on = {place for other in windows if other[0] == box for place in other[2]}.difference(on_it)
        hidden = [f"token/{told['named'][place]}" for place in sorted(on)]
        hidden += [told["named"][place] for place in beyond]
        found.append((told["named"][title], box, [told["named"][place] for place in on_it], hidden))
    return found


def _table(measure: Measure) -> list[int]:
    """Return where a table begins, and how large an inch is."""
    return [measure.box[0], measure.box[3], measure.unit]


def _standing(scenes: Sequence[Scene], cells: dict[str, int]) -> list[list[Any]]:
    """Return a cell for each place where anything with a shape stands in some scene; it joins the cells."""
    found: list[list[Any]] = []
    for scene in scenes:
        listed: list[Token | Thing] = [*scene.tokens, *scene.things]
        for one in listed:
            if one.form is None or not one.cells or not one.at or one.at[0] in cells:
                continue
            angle = (one.facing or 0) if isinstance(one, Token) else one.angle
            points = outline(one.cells[0], one.form, angle, REST if isinstance(one, Token) else 0)
            corners = " ".join(f"{round(x)},{round(y)}" for x, y in points)
            cells[one.at[0]] = len(cells)
            found.append([one.at[0], *one.cells[0], corners, "", round(half_of(one.form))])
    return found


def entries_at(data: Mapping[str, Any], index: int) -> list[int]:
    """Return the numbers of the entries that are on a board in one of its frames, from the lowest to the
    highest.
    """
    found: set[int] = set()
    for frame in data["frames"][: index + 1]:
        found ^= set(frame)
    return sorted(found)


def still(data: Mapping[str, Any], index: int = 0, alt: str = "") -> str:
    """Return a frame of a board as one ``<svg>`` that needs no script, so wide that its names can be read;
    its ground is the only image.

    A page that holds it may leave ``ground`` out of its data and take it from there.
    """
    left, top, width, height = data["box"]
    pieces = _pieces(data, entries_at(data, index))
    ground = attributes(
        id=STILL, href=data["ground"], x=left, y=top, width=width, height=height, preserveAspectRatio="none"
    )
    style = _style((left, top, width, height), alt)
    return f"<svg{style}><defs>{data['drawings']}</defs><image{ground}/>{pieces}</svg>"


def still_storeys(data: Mapping[str, Any], index: int = 0) -> str:
    """Return the windows on storeys of a frame, for a page that holds its ``still``, whose ground they show
    again; empty where there are none.
    """
    windows = []
    for title, (left, top, right, bottom), _, hidden in storeys_at(data, index):
        there = [
            number
            for number in entries_at(data, index)
            if left <= data["entries"][number][2] <= right and top <= data["entries"][number][3] <= bottom
            if not _of_any(data["entries"][number][0], ("trace", *hidden))
        ]
        words = [entry[4] for entry in map(data["entries"].__getitem__, there) if entry[4]]
        style = _style((left, top, right - left, bottom - top), ". ".join((title, *words)))
        windows.append(
            f"<figure><svg{style}><use href='#{STILL}'/>{_pieces(data, there)}</svg>"
            f"<figcaption>{escape(title)}</figcaption></figure>"
        )
    return f'<div class="still-storeys">{"".join(windows)}</div>' if windows else ""


def _of_any(key: str, keys: Sequence[str]) -> bool:
    """Tell whether what has a key belongs to one of those: is it, or a further part of it."""
    return any(key == one or key.startswith(f"{one}/") for one in keys)


def _pieces(data: Mapping[str, Any], numbers: Sequence[int]) -> str:
    """Return what the entries look like, from the lowest to the highest."""
    shown = (data["entries"][number] for number in numbers)
    return "".join(
        moved(data["pieces"][piece], x, y) for _, piece, x, y, *_ in shown if data["pieces"][piece]
    )


def _style(box: Sequence[float], alt: str) -> str:
    """Return how a still ``<svg>`` of that part of the map begins: left, top, width, height."""
    left, top, width, height = box
    wide = round(width * READABLE / UNIT)
    return attributes(
        viewBox=f"{left} {top} {width} {height}",
        width=wide,
        height=round(wide * height / width),
        role="img",
        aria_label=alt,
        font_family=FONTS,
        font_weight="bold",
        text_anchor="middle",
        stroke_linejoin="round",
    )


def _cell(scene: Scene, at: str, name: str, ground: str, marks: Sequence[str]) -> str:
    """Return what a hex is made of in words, and the names of the places it belongs to."""
    words = [plain(name or scene.grounds.get(ground, "") or ground, 60), *(plain(mark, 40) for mark in marks)]
    return ", ".join(dict.fromkeys(word for word in words if word))


def _ground(scene: Scene, theme: Theme, width: int) -> tuple[list[float], str]:
    """Return the box of the map in scene units, and its static layer as an address."""
    frame = whole(scene, width, max(4, round(width * MARGIN)), theme)

    def drawn() -> bytes:
        out = io.BytesIO()
        base(scene, frame).save(out, "WEBP", quality=QUALITY, method=METHOD)
        return out.getvalue()

    data = file_once(("ground", static_key(scene), frame, QUALITY, METHOD), drawn, kept=True)
    box = [
        round(part) for part in (frame.left, frame.top, frame.width / frame.scale, frame.height / frame.scale)
    ]
    return [float(part) for part in box], "data:image/webp;base64," + base64.b64encode(data).decode()


def colours(scene: Scene, theme: Theme) -> dict[str, str]:
    """Return the colours of a theme by their names, and those of the sides as ``side/ID``."""
    names = (
        "page",
        "page_dark",
        "ink",
        "title",
        "faded",
        "paper",
        "halo",
        "grid",
        "changed",
        "melee",
        "shot",
        "hurt",
        "down",
        "out",
    )
    found = {name: hexa(getattr(theme, name)) for name in names}
    return found | {f"side/{look.side}": hexa(theme.side(look.colour)) for look in scene.sides}
