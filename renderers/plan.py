"""The record sheet of a siege as a page to print: a ground plan with boxes to tick in every wall hex, and the
tables beside it.

Black on white, told apart by hatching and letters, so that a copier and a fax carry everything. In the theme
of high contrast nothing on it is faint; on parchment the same drawing is written in ink.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct
from PIL import Image, ImageDraw

from pbem.core.scene import Area, Plan, Table, Wall

from . import dials
from .frame import Frame, Spot
from .lettering import fitted, font, plain, width, written
from .painted import ground
from .palette import look
from .png import squeezed
from .text import describe_plan
from .themes import PRINT, Theme

WIDTH = 1240
"""Pixels across the page: A4 at 150 dots an inch."""
MARGIN = 60
HIGHEST = 1050
"""The most pixels that the ground plan is high, so that the tables stand on the same page."""
INK, PAPER = 0, 255
LETTERS = {"battlement": "B", "tower": "T", "keep": "K"}
"""Kind of wall -> its letter on the plan; every other kind has the first letter of its name."""
TIMES = 2


class Pencil(Struct, frozen=True):
    """How dark what is faint is (0 to 255): the cells, the hatching of walls, words and lines within, and the
    water.
    """

    cell: int
    hatch: int
    word: int
    line: int
    water: int


def pencil(theme: Theme) -> Pencil:
    """Return what a theme draws with: nothing faint where outlines are strong."""
    return Pencil(96, 60, 0, 0, 236) if theme.fine > 1 else Pencil(178, 150, 84, 150, 226)


def render(plan: Plan, *, width: int = WIDTH, limit: int | None = None, theme: Theme = PRINT) -> bytes:
    """Return the sheet as a PNG with title, alt text and everything it says in words."""
    page = dials.picture(plan, theme) if plan.dials else picture(plan, theme)
    if width != WIDTH:
        page = page.resize((width, round(page.height * width / WIDTH)), Image.Resampling.LANCZOS)
    return squeezed(
        page.convert("RGB"),
        limit,
        plain(plan.title),
        plain(plan.summary or plan.title, 140),
        describe_plan(plan),
    )


def picture(plan: Plan, theme: Theme = PRINT) -> Image.Image:
    """Return the sheet as a grey picture; on parchment in the colours of ink and parchment."""
    page = _drawn(plan, pencil(theme))
    if not theme.painted:
        return page
    return Image.composite(
        ground.page(*page.size, plan.title, theme), Image.new("RGB", page.size, theme.ink), page
    )


def _drawn(plan: Plan, pencil_: Pencil) -> Image.Image:
    frame = _frame(plan)
    drawing = _ground_plan(plan, frame, pencil_)
    tables = [_table(table, (WIDTH - 2 * MARGIN - 40) // 2, pencil_) for table in plan.tables]
    head, key = 118, 70
    columns: tuple[list[Image.Image], list[Image.Image]] = ([], [])
    heights = [0, 0]
    for table in tables:
        to = 0 if heights[0] <= heights[1] else 1
        columns[to].append(table)
        heights[to] += table.height + 26
    page = Image.new("L", (WIDTH, head + frame.height + key + max(heights) + MARGIN), PAPER)
    _head(page, plan)
    page.paste(drawing, ((WIDTH - frame.width) // 2, head))
    _key(page, plan, head + frame.height + key // 2)
    for to, listed in enumerate(columns):
        y = head + frame.height + key
        for table in listed:
            page.paste(table, (MARGIN + to * ((WIDTH - 2 * MARGIN - 40) // 2 + 40), y))
            y += table.height + 26
    return page


def _frame(plan: Plan) -> Frame:
    """Return the window on the plan: as wide as the page allows, but not too high."""
    around = [corner for area in plan.areas for corner in area.corners]
    points = [*around, *(corner for wall in plan.walls for corner in wall.corners)] or [(0, 0), (1000, 1000)]
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    top, bottom = min(y for _, y in points), max(y for _, y in points)
    scale = min((WIDTH - 2 * MARGIN) / max(1, right - left), HIGHEST / max(1, bottom - top), 0.12)
    room = 8 / scale
    wide, high = round((right - left) * scale) + 16, round((bottom - top) * scale) + 16
    return Frame(scale, left - room, top - room, wide, high)


def _head(page: Image.Image, plan: Plan) -> None:
    draw = ImageDraw.Draw(page)
    title, size = fitted(written(plain(plan.title, 120), "title"), "title", 50, WIDTH - 2 * MARGIN, 20)
    draw.text((MARGIN, 62), title, font=font("title", size), fill=INK, anchor="ls")
    words, small = fitted(plain(plan.subtitle, 200), "italic", 26, WIDTH - 2 * MARGIN, 14)
    draw.text((MARGIN, 97), words, font=font("italic", small), fill=INK, anchor="ls")
    draw.line((MARGIN, 108, WIDTH - MARGIN, 108), fill=INK, width=2)


def _ground_plan(plan: Plan, frame: Frame, pencil_: Pencil) -> Image.Image:
    """Draw the ground: faint cells within, hatched walls with their boxes, thick lines where walls stand on
    hexsides.
    """
    large = Image.new("L", (frame.width * TIMES, frame.height * TIMES), PAPER)
    draw = ImageDraw.Draw(large)
    walls = {wall.at for wall in plan.walls}
    for area in plan.areas:
        spots = frame.spots(area.corners, TIMES)
        draw.polygon(spots, fill=pencil_.water if look(area.ground) in ("moat", "water") else PAPER)
        draw.line([*spots, spots[0]], fill=pencil_.cell, width=TIMES)
    for area in plan.areas:
        if area.at not in walls and look(area.ground) in ("moat", "water"):
            _ripples(draw, frame.spots((area.centre,), TIMES)[0], frame.hex * TIMES, pencil_)
    for wall in plan.walls:
        _wall(large, wall, frame, pencil_)
    draw = ImageDraw.Draw(large)
    for wall in plan.walls:
        spots = frame.spots(wall.corners, TIMES)
        draw.line([*spots, spots[0]], fill=INK, width=2 * TIMES)
    for edge in plan.edges:
        a, b = frame.spots((edge.a, edge.b), TIMES)
        _edge(draw, edge.kind, a, b, frame.hex * TIMES)
    page = large.reduce(TIMES)
    pen = ImageDraw.Draw(page)
    for area in plan.areas:
        if area.at not in walls and (words := _named(area)):
            x, y = frame.spot(area.centre)
            pen.text(
                (x, y),
                words,
                font=font("serif", max(9, round(frame.hex * 0.34))),
                fill=pencil_.word,
                anchor="mm",
            )
    for wall in plan.walls:
        _boxes(pen, plan, wall, frame)
    return page


def _named(area: Area) -> str:
    """Return what is written into a cell that is no wall, where it helps to find one's way."""
    return {"doorway": "gate", "tower-door": "door", "keep-door": "door", "stairs": "stairs"}.get(
        look(area.ground), ""
    )


def _ripples(draw: ImageDraw.ImageDraw, at: Spot, unit: float, pencil_: Pencil) -> None:
    x, y = at
    for down in (-0.3, 0.05, 0.4):
        points = [(x + (-0.5 + i / 8) * unit, y + (down + 0.06 * math.sin(i * 1.9)) * unit) for i in range(9)]
        draw.line(points, fill=pencil_.cell, width=TIMES)


def _wall(large: Image.Image, wall: Wall, frame: Frame, pencil_: Pencil) -> None:
    """Hatch a wall by its kind: none for a battlement, one way for a tower, crosswise for the keep; one that
    is down is dotted.
    """
    spots = frame.spots(wall.corners, TIMES)
    left, top = math.floor(min(x for x, _ in spots)), math.floor(min(y for _, y in spots))
    right, bottom = math.ceil(max(x for x, _ in spots)), math.ceil(max(y for _, y in spots))
    tile = Image.new("L", (right - left, bottom - top), PAPER)
    draw = ImageDraw.Draw(tile)
    step, thick = max(6, round(frame.hex * TIMES * 0.2)), max(1, TIMES // 2)
    ways = {"tower": (1,), "keep": (1, -1)}.get(wall.kind, ())
    for i in range(-tile.height // step - 1, (tile.width + tile.height) // step + 1):
        for way in ways:
            x = i * step
            draw.line((x, 0, x + way * tile.height, tile.height), fill=pencil_.hatch, width=thick)
    mask = Image.new("L", tile.size, 0)
    ImageDraw.Draw(mask).polygon([(x - left, y - top) for x, y in spots], fill=255)
    large.paste(tile, (left, top), mask)


def _edge(draw: ImageDraw.ImageDraw, kind: str, a: Spot, b: Spot, unit: float) -> None:
    """Draw what stands on a hexside: a thick line, toothed for a parapet, gapped for an opening, notched for
    an arrow slit.
    """

    def at(share: float) -> Spot:
        return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share

    thick = max(3, round(unit * 0.13))
    if kind == "parapet":
        for i in range(4):
            draw.line((*at((i + 0.15) / 4), *at((i + 0.8) / 4)), fill=INK, width=thick)
    elif kind in ("door", "gate", "arch"):
        draw.line((*a, *at(0.22)), fill=INK, width=thick)
        draw.line((*at(0.78), *b), fill=INK, width=thick)
        draw.line((*at(0.22), *at(0.78)), fill=PAPER, width=thick)
    elif kind in ("wall", "slit", "window"):
        draw.line((*a, *b), fill=INK, width=thick)
        if kind == "slit":
            draw.line((*at(0.44), *at(0.56)), fill=PAPER, width=thick)


def _boxes(pen: ImageDraw.ImageDraw, plan: Plan, wall: Wall, frame: Frame) -> None:
    """Write number and letter of a wall, and its boxes, of which so many are crossed out as it has lost
    steps.
    """
    x, y = frame.spot(wall.centre)
    unit = frame.hex
    size = max(9, round(unit * 0.36))
    letter = LETTERS.get(wall.kind, (plain(wall.kind)[:1] or "?").upper())
    half = width(f"{wall.at} {letter}", "bold", size) / 2 + 2
    pen.rectangle(
        (x - half, y - unit * 0.42 - size * 0.55, x + half, y - unit * 0.42 + size * 0.55), fill=PAPER
    )
    pen.text((x, y - unit * 0.42), f"{wall.at} {letter}", font=font("bold", size), fill=INK, anchor="mm")
    count = len(plan.steps)
    side = min(unit * 0.36, unit * 1.5 / max(1, count))
    left = x - side * count / 2
    for i in range(count):
        box = (left + side * i + 1, y - unit * 0.1, left + side * (i + 1) - 1, y - unit * 0.1 + side - 2)
        pen.rectangle(box, fill=PAPER, outline=INK, width=1)
        if i < wall.damage:
            pen.rectangle((box[0] + 2, box[1] + 2, box[2] - 2, box[3] - 2), fill=INK)
    if wall.damage >= count > 0:
        pen.text(
            (x, y + unit * 0.52),
            "breach",
            font=font("bold", max(8, round(unit * 0.34))),
            fill=INK,
            anchor="mm",
        )
    elif wall.damage:
        pen.text(
            (x, y + unit * 0.52),
            str(wall.damage),
            font=font("bold", max(8, round(unit * 0.4))),
            fill=INK,
            anchor="mm",
        )


def _key(page: Image.Image, plan: Plan, y: float) -> None:
    """Say what letters and boxes mean, in one line."""
    draw = ImageDraw.Draw(page)
    kinds = sorted({wall.kind for wall in plan.walls})
    parts = [f"{LETTERS.get(kind, kind[:1].upper())} {plan.kinds.get(kind, kind)}" for kind in kinds]
    parts += [f"{number} {step}" for number, step in enumerate(plan.steps, 1)]
    words, size = fitted(plain("; ".join(parts), 240), "serif", 24, WIDTH - 2 * MARGIN, 11)
    draw.text((MARGIN, y), words, font=font("serif", size), fill=INK, anchor="lm")


def _table(table: Table, wide: int, pencil_: Pencil) -> Image.Image:
    """Draw a table: its title, its head in bold on grey, its rows between lines, its note below."""
    high, size = 27, 18
    rows: Sequence[tuple[str, ...]] = (table.head, *table.rows)
    notes = _lines(plain(table.note, 300), 17, wide) if table.note else []
    picture_ = Image.new("L", (wide, 34 + high * len(rows) + 24 * len(notes) + 6), PAPER)
    draw = ImageDraw.Draw(picture_)
    draw.text((0, 24), plain(table.title, 80), font=font("title", 26), fill=INK, anchor="ls")
    columns = max((len(row) for row in rows), default=1)
    needed = [
        max(
            (
                width(plain(row[i], 60), "bold" if n == 0 else "sans", size)
                for n, row in enumerate(rows)
                if i < len(row)
            ),
            default=0,
        )
        + 16
        for i in range(columns)
    ]
    share = wide / max(1.0, sum(needed))
    lefts = [round(sum(needed[:i]) * share) for i in range(columns + 1)]
    draw.rectangle((0, 34, wide - 1, 34 + high), fill=222)
    for n, row in enumerate(rows):
        y = 34 + n * high
        for i, word in enumerate(row):
            face = "bold" if n == 0 else "sans"
            text, points = fitted(plain(word, 60), face, size, lefts[i + 1] - lefts[i] - 10, 8)
            draw.text((lefts[i] + 6, y + high / 2), text, font=font(face, points), fill=INK, anchor="lm")
        draw.line((0, y + high, wide, y + high), fill=INK if n == 0 else pencil_.line, width=1)
    draw.rectangle((0, 34, wide - 1, 34 + high * len(rows)), outline=INK, width=1)
    for n, line in enumerate(notes):
        draw.text(
            (0, 34 + high * len(rows) + 16 + 24 * n), line, font=font("italic", 17), fill=INK, anchor="lm"
        )
    return picture_


def _lines(text: str, size: int, room: float) -> list[str]:
    """Break a text into lines that fit."""
    found = [""]
    for word in text.split():
        longer = f"{found[-1]} {word}".strip()
        if found[-1] and width(longer, "italic", size) > room:
            found.append(word)
        else:
            found[-1] = longer
    return found
